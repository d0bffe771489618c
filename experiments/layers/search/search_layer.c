/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The layer of searches: the generators there are, what they share, and the loop from a test to rows. */
#include "corpus.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/generator.h>
#include <corridor/json_names.h>
#include <corridor/result.h>
#include <corridor/run.h>
#include <corridor/search_layer.h>
#include <corridor/search_schema.h>
#include <corridor/test.h>

#include <stdlib.h>
#include <string.h>

static const struct cor_generator *const generators[] = {
#define COR_GENERATOR(name) &cor_generator_##name,
    COR_GENERATORS(COR_GENERATOR)
#undef COR_GENERATOR
};

#define GENERATORS (sizeof generators / sizeof *generators)

const char *cor_generator_word(size_t index) {
    return index < GENERATORS ? generators[index]->name : NULL;
}

const char *cor_generator_option_key(size_t option) {
    static const char *const keys[] = {
#define COR_GENERATOR_OPTION(NAME, key) #key,
        COR_GENERATOR_OPTIONS(COR_GENERATOR_OPTION)
#undef COR_GENERATOR_OPTION
    };
    return option < COR_GENERATOR_OPTION_COUNT ? keys[option] : NULL;
}

const char *cor_generator_option_text(const struct cor_generator_options *options, size_t option) {
    const char *const texts[] = {
#define COR_GENERATOR_OPTION(NAME, key) options->key,
        COR_GENERATOR_OPTIONS(COR_GENERATOR_OPTION)
#undef COR_GENERATOR_OPTION
    };
    COR_ASSERT(option < COR_GENERATOR_OPTION_COUNT);
    return texts[option];
}

enum cor_status cor_generator_find(const char *name, const char *place,
                                   const struct cor_generator **generator, struct cor_error *error) {
    const char *names[GENERATORS + 1] = {NULL};
    char known[512];
    for (size_t i = 0; i < GENERATORS; i++) {
        names[i] = generators[i]->name;
        if (strcmp(names[i], name) == 0) {
            *generator = generators[i];
            return COR_OK;
        }
    }
    cor_known_names(name, names, known, sizeof known);
    return cor_fail(error, COR_STATUS_INPUT, place, known, "there is no generator \"%s\"", name);
}

enum cor_status cor_generator_check_walks(const struct cor_generator_definition *definition,
                                          struct cor_error *error) {
    const struct cor_arm *arm = &definition->experiment->arms[definition->arm];
    if (!arm->traps)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, arm->name, "search the arm without its traps",
                    "its walks answer to what the system does, and cannot be drawn beforehand");
}

enum cor_status cor_suite_test(const struct cor_suite *suite, uint32_t sequence, struct cor_test **test,
                               struct cor_error *error) {
    struct cor_walk walk;
    COR_ASSERT(!suite->steering);
    cor_walk_init(&walk);
    enum cor_status status = cor_suite_walk(suite, sequence, &walk, error);
    COR_ASSERT(status != COR_OK || walk.known == walk.case_count);
    if (status == COR_OK)
        status = cor_test_of_sequence(suite, sequence, NULL, &walk, test, error);
    cor_walk_fini(&walk);
    return status;
}

/* ---- one island of a search: the loop from a generator's test to what it has found */

/* A class of failures, and the row in which it stands. */
struct found {
    struct cor_failure_class class;
    size_t row;
};

struct cor_search_executor {
    const struct cor_search *search;
    struct cor_tester *tester; /* owned, as the next */
    struct cor_feature_collector *collector;
    struct found *found; /* owned; of the present island */
    size_t found_count, found_capacity;
};

enum cor_status cor_search_executor_create(const struct cor_search *search,
                                           struct cor_search_executor **executor, struct cor_error *error) {
    struct cor_search_executor *made = *executor = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->search = search;
    enum cor_status status = cor_tester_create(&made->tester, error);
    if (status == COR_OK)
        status = cor_feature_collector_create(&made->collector, error);
    if (status != COR_OK) {
        cor_search_executor_destroy(made);
        *executor = NULL;
    }
    return status;
}

void cor_search_executor_destroy(struct cor_search_executor *executor) {
    if (!executor)
        return;
    cor_tester_destroy(executor->tester);
    cor_feature_collector_destroy(executor->collector);
    COR_FREE(executor->found, executor);
}

/* An island under way. */
struct island {
    struct cor_search_executor *executor;
    const struct cor_search_arm *arm;
    struct cor_record *record;
    uint32_t number;
    void *self;                            /* of the generator */
    struct search_layer__pattern *pattern; /* owned; NULL: features are what is new */
    struct cor_feature_set seen;
    struct cor_search_island_row sum;
    uint64_t reorganizations;
};

static enum cor_status add_finding(struct island *island, struct cor_test *test,
                                   const struct cor_test_result *result,
                                   const struct cor_search_test_row *row, struct cor_error *error) {
    struct cor_search_executor *executor = island->executor;
    uint64_t start;
    uint32_t size;
    COR_TRY(COR_RESERVE(&executor->found, &executor->found_capacity, executor->found_count + 1, error));
    /* Words for whoever finds the file. */
    char class[COR_FAILURE_CLASS_TEXT];
    const struct cor_failure_class it = COR_SEARCH_CLASS(row);
    COR_FREED char *before = test->said;
    test->said =
        cor_format("%s%sFound by %s as test %u of island %u (%s): %s.", before ? before : "",
                   before ? " " : "", island->arm->name, row->test, row->suite,
                   cor_term_word(COR_FAMILY_MUTATION, row->mutation), cor_failure_class_text(&it, class));
    COR_TRY(cor_made(test->said, error));
    test->expected = *result;
    COR_TRY(search_layer__put_test_text(island->record, test, &start, &size, error));
    struct cor_search_finding_row *finding = cor_record_row(island->record, COR_SEARCH_TABLE_FINDINGS, error);
    COR_TRY(cor_made(finding, error));
    finding->finding = (uint32_t)executor->found_count + 1;
    finding->test = row->test;
    finding->first = row->total - row->cases + row->case_;
    finding->case_ = row->case_;
    COR_SEARCH_CLASS_PUT(finding, &result->class);
    finding->text_start = start;
    finding->text = size;
    executor->found[executor->found_count] = (struct found){result->class, executor->found_count};
    executor->found_count++;
    return COR_OK;
}

static void fill_test(struct island *island, const struct cor_proposal *proposal,
                      const struct cor_test_result *result, const struct cor_seen *seen,
                      struct cor_search_test_row *row) {
    row->test = seen->number;
    row->parent = proposal->parent;
    row->mutation = (uint8_t)proposal->mutation;
    row->energy = proposal->energy;
    row->drawn_suite = proposal->test->suite->name.suite;
    row->drawn_sequence = proposal->test->sequence;
    row->spent = proposal->spent;
    if (proposal->has_weight)
        cor_weight_halved(proposal->weight, &row->weight_mantissa, &row->weight_halvings);
    row->cases = result->cases;
    row->total = seen->cases;
    row->features = seen->feature_count;
    row->fresh = seen->fresh;
    row->case_ = result->case_;
    row->smoke = COR_SMOKE_NONE;
    if (result->case_ > 0) {
        COR_SEARCH_CLASS_PUT(row, &result->class);
    }
    row->reorganizations = (uint32_t)cor_record_size(seen->record, COR_TABLE_REORGANIZATIONS);
    for (size_t i = 0; i < row->reorganizations; i++) {
        const struct cor_reorganization_row *it = cor_record_at(seen->record, COR_TABLE_REORGANIZATIONS, i);
        row->reached += it->fault_reached;
        row->held += it->fault_held;
        row->activated += it->fault_activated;
    }
    island->reorganizations += row->reorganizations;
}

/* `is_cut`: the budget ended the test, so that it is none of the law's, and in no cell. */
static enum cor_status judge(struct island *island, struct cor_proposal *proposal,
                             const struct cor_test_result *result, bool is_cut, bool *keep,
                             struct cor_error *error) {
    struct cor_search_executor *executor = island->executor;
    struct cor_search_test_row row = {.suite = island->number};
    const size_t found = executor->found_count;
    struct cor_seen seen = {.number = ++island->sum.tests,
                            .test = proposal->test,
                            .result = result,
                            .record = cor_tester_record(executor->tester),
                            .cases = island->sum.cases,
                            .keep = keep};
    seen.probes = cor_tester_probes(executor->tester, &seen.probe_start);
    const struct cor_feature_source source = {
        .suite = proposal->test->suite,
        .record = seen.record,
        .probes = seen.probes,
        .probe_start = seen.probe_start,
        .counter_count = cor_algorithm_counter_count(proposal->test->arm.algorithm),
        .cases = result->cases,
        .observed = island->arm->generator->observes ? executor->tester : NULL};
    COR_TRY(cor_features_collect(executor->collector, &source, &seen.features, &seen.origins,
                                 &seen.feature_count, error));
    if (island->pattern && is_cut)
        seen.feature_count = 0;
    else if (island->pattern)
        COR_TRY(search_layer__pattern_see(island->pattern, &seen, error));
    seen.fresh = cor_feature_set_add(&island->seen, seen.features, seen.feature_count);
    if (seen.fresh > 0)
        island->sum.last_new = island->sum.cases;
    fill_test(island, proposal, result, &seen, &row);
    if (result->case_ > 0) {
        /* A test that failed: in a new way, or as one before it. */
        size_t i = 0;
        while (i < executor->found_count &&
               !cor_failure_class_equal(&executor->found[i].class, &result->class))
            i++;
        if (i == executor->found_count)
            COR_TRY(add_finding(island, proposal->test, result, &row, error));
        struct cor_search_finding_row *finding =
            cor_record_at(island->record, COR_SEARCH_TABLE_FINDINGS, executor->found[i].row);
        finding->tests++;
        island->sum.failing++;
        island->sum.classes = (uint32_t)executor->found_count;
        if (island->sum.first == 0)
            island->sum.first = finding->first;
    }
    /* Memory does not grow with the tests: of many, those alone have a row that tell something new. */
    const bool new_failure = executor->found_count > found;
    if (row.test <= COR_SEARCH_TESTS_WHOLE || row.fresh != 0 || new_failure) {
        struct cor_search_test_row *it = cor_record_row(island->record, COR_SEARCH_TABLE_TESTS, error);
        COR_TRY(cor_made(it, error));
        row.arm = it->arm;
        row.suite = it->suite;
        *it = row;
    }
    return island->arm->generator->see ? island->arm->generator->see(island->self, &seen, error) : COR_OK;
}

/* A test, and what came of it. The last one ends with the budget. */
static enum cor_status step(struct island *island, struct cor_error *error) {
    struct cor_proposal proposal = {0};
    struct cor_test_result result = {0};
    bool keep = false;
    enum cor_status status = COR_OK;
    const uint64_t left = island->sum.budget - island->sum.cases;
    COR_TRY_OUT(island->arm->generator->next(island->self, &proposal, error));
    island->sum.cases += proposal.spent < left ? proposal.spent : left;
    if (proposal.spent >= left)
        goto out;
    const uint64_t most = left - proposal.spent;
    const bool is_cut = most < cor_test_cases(proposal.test);
    if (is_cut) /* as it is kept, so that it can be repeated */
        cor_test_truncate(proposal.test, (uint32_t)most);
    COR_TRY_OUT(cor_tester_execute(island->executor->tester, proposal.test, 0, &result, error));
    island->sum.cases += result.cases > 0 ? result.cases : 1;
    if (cor_failure_class_is_foreign(&result.class))
        COR_TRY_OUT(cor_fail_foreign_smoke(cor_tester_record(island->executor->tester), proposal.test->suite,
                                           "mend it, or leave it out of the arm", error));
    COR_TRY_OUT(judge(island, &proposal, &result, is_cut, &keep, error));
out:
    if (!keep)
        cor_test_destroy(proposal.test);
    return status;
}

static bool is_stopped(const void *watch) {
    return cor_watch_stopped(watch);
}

static enum cor_status search(struct island *island, const struct cor_watch *watch, struct cor_error *error) {
    while (island->sum.cases < island->sum.budget && !island->sum.interrupted) {
        cor_experiment_watch(island->executor->search->interaction->experiment, watch);
        cor_tester_stop_when(island->executor->tester, is_stopped, watch);
        const enum cor_status status = step(island, error);
        cor_tester_stop_when(island->executor->tester, NULL, NULL);
        cor_experiment_watch(island->executor->search->interaction->experiment, NULL);
        if (status != COR_STATUS_INTERRUPTED) /* else all but the test under way is kept */
            COR_TRY(status);
        cor_watch_show(watch, island->sum.cases);
        island->sum.interrupted = island->sum.cases < island->sum.budget && cor_watch_stopped(watch);
    }
    if (island->pattern)
        COR_TRY(search_layer__pattern_put(island->pattern, island->record, error));
    return island->arm->generator->finish
               ? island->arm->generator->finish(island->self, island->record, error)
               : COR_OK;
}

static uint32_t clipped(uint64_t count) {
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

enum cor_status cor_search_island(struct cor_search_executor *executor, uint32_t arm, uint32_t number,
                                  const struct cor_watch *watch, struct cor_record *record,
                                  struct cor_suite_counts *tally, struct cor_error *error) {
    const struct cor_search *search_of = executor->search;
    COR_ASSERT(arm < search_of->head.arm_count && number < COR_ISLANDS_MAX);
    COR_FREED struct island *island = cor_calloc(1, sizeof *island);
    COR_TRY(cor_made(island, error));
    const struct cor_search_arm *it = &search_of->arms[arm];
    const struct cor_generator_definition definition = {.experiment = search_of->interaction->experiment,
                                                        .arm = it->target,
                                                        .first_suite = number * COR_ISLAND_SUITES,
                                                        .budget = search_of->budget,
                                                        .options = &it->options,
                                                        .tester = executor->tester};
    *island = (struct island){.executor = executor, .arm = it, .record = record, .number = number};
    uint16_t code = 0;
    while (strcmp(cor_generator_word(code), it->generator->name) != 0)
        code++;
    island->sum = (struct cor_search_island_row){
        .generator = code, .target = (uint16_t)it->target, .budget = search_of->budget};
    executor->found_count = 0;
    cor_tester_observe(executor->tester, it->generator->observes);
    cor_record_begin(record, (uint16_t)arm, number);
    enum cor_status status = cor_made(cor_record_row(record, COR_SEARCH_TABLE_ISLANDS, error), error);
    if (status == COR_OK && it->options.pattern)
        status = search_layer__pattern_create(it->options.pattern, NULL,
                                              search_of->budget / definition.experiment->case_max,
                                              &island->pattern, error);
    if (status == COR_OK)
        status = it->generator->create(&definition, &island->self, error);
    if (status == COR_OK)
        status = search(island, watch, error);
    if (status == COR_OK) {
        /* The row was made first, so that it stands first; now it is filled. */
        struct cor_search_island_row *row = cor_record_at(island->record, COR_SEARCH_TABLE_ISLANDS, 0);
        island->sum.arm = row->arm;
        island->sum.suite = row->suite;
        island->sum.features = cor_feature_set_size(&island->seen);
        *row = island->sum;
        *tally = (struct cor_suite_counts){.cases = clipped(island->sum.cases),
                                           .reorganizations = clipped(island->reorganizations),
                                           .failures = island->sum.failing,
                                           .by_machine = island->sum.interrupted};
    }
    it->generator->destroy(island->self);
    search_layer__pattern_destroy(island->pattern);
    return status;
}

/* ---- A search, from JSON: a file, or what a command line says, written likewise */

#define GENERATORS_MAX 100

void cor_search_destroy(struct cor_search *search) {
    if (!search)
        return;
    for (size_t a = 0; a < search->head.arm_count; a++) {
        COR_FREE(search->arms[a].name, search->arms[a].description);
    }
    free(search->arms);
    cor_interaction_layer.destroy(search->interaction);
    cor_json_destroy(search->document);
    cor_experiment_head_fini(&search->head);
    free(search);
}

/* One entry of "generators" while it is read. */
struct entry {
    const char *name, *generator, *arm;
    struct cor_generator_options options;
};

static const struct cor_field entry_fields[] = {
    {"name", COR_OPTIONAL, COR_STRING_FIELD(struct entry, name)},
    {"generator", COR_REQUIRED, COR_STRING_FIELD(struct entry, generator)},
    {"arm", COR_OPTIONAL, COR_STRING_FIELD(struct entry, arm)},
    {"seam", COR_OPTIONAL, COR_STRING_FIELD(struct entry, options.seam)},
    {"trap", COR_OPTIONAL, COR_STRING_FIELD(struct entry, options.trap)},
    {"level", COR_OPTIONAL, COR_STRING_FIELD(struct entry, options.level)},
    {"region", COR_OPTIONAL, COR_STRING_FIELD(struct entry, options.region)},
    {"pattern", COR_OPTIONAL, COR_STRING_FIELD(struct entry, options.pattern)},
    {"minimize", COR_OPTIONAL, COR_BOOL_FIELD(struct entry, options.minimize)},
    {0}};

/* What the result file says of an arm. */
static enum cor_status describe(const struct cor_experiment *experiment, struct cor_search_arm *arm,
                                struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "generator", arm->generator->name);
    cor_json_put_string(writer, "arm", experiment->arms[arm->target].name);
    for (size_t i = 0; cor_generator_option_key(i); i++) {
        const char *key = cor_generator_option_key(i);
        const char *text = cor_generator_option_text(&arm->options, i);
        if (text)
            cor_json_put_string(writer, key, text);
    }
    cor_json_put_bool(writer, "minimize", arm->options.minimize);
    cor_json_put_text(writer, "target", experiment->arms[arm->target].description);
    cor_json_close(writer);
    return cor_json_text_take(writer, 0, &arm->description, error);
}

static enum cor_status check_option(const struct cor_json *json, const struct cor_generator *generator,
                                    size_t option, const char *key, struct cor_error *error) {
    if (generator->takes >> option & 1)
        return COR_OK;
    return cor_json_fail(json, error, "leave it out, or name another generator",
                         "%s takes no such option: \"%s\"", generator->name, key);
}

static enum cor_status add_arm(struct cor_search *search, const struct cor_json *json,
                               const struct entry *entry, uint32_t target, struct cor_error *error) {
    const struct cor_experiment *experiment = search->interaction->experiment;
    struct cor_error said = COR_NO_ERROR;
    COR_TRY(COR_RESERVE(&search->arms, &search->arm_capacity, search->head.arm_count + 1, error));
    struct cor_search_arm *arm = &search->arms[search->head.arm_count];
    *arm = (struct cor_search_arm){.target = target, .options = entry->options};
    search->head.arm_count++;
    char place[512];
    cor_json_place(json, place, sizeof place);
    COR_TRY(cor_generator_find(entry->generator, place, &arm->generator, error));
    arm->name =
        cor_format("%s/%s", entry->name ? entry->name : arm->generator->name, experiment->arms[target].name);
    COR_TRY(cor_made(arm->name, error));
    for (size_t a = 0; a + 1 < search->head.arm_count; a++)
        if (strcmp(search->arms[a].name, arm->name) == 0)
            return cor_json_fail(json, error, "give it a \"name\" of its own", "\"%s\" is there already",
                                 arm->name);
    for (size_t i = 0; cor_generator_option_key(i); i++)
        if (cor_generator_option_text(&arm->options, i))
            COR_TRY(check_option(json, arm->generator, i, cor_generator_option_key(i), error));
    if (arm->options.minimize)
        COR_TRY(check_option(json, arm->generator, COR_GENERATOR_MINIMIZE, "minimize", error));
    if (arm->options.pattern) {
        COR_DESTROYED(search_layer__pattern) struct search_layer__pattern *pattern = NULL;
        COR_TRY(search_layer__pattern_create(arm->options.pattern, place, 0, &pattern, error));
    }
    const struct cor_generator_definition definition = {
        .experiment = experiment, .arm = target, .budget = search->budget, .options = &arm->options};
    const enum cor_status status = arm->generator->check ? arm->generator->check(&definition, &said) : COR_OK;
    if (status == COR_STATUS_INPUT)
        return cor_json_fail(json, error, said.remedy, "%s: %s", arm->name, said.cause);
    if (status != COR_OK)
        *error = said;
    return status == COR_OK ? describe(experiment, arm, error) : status;
}

static enum cor_status read_generator(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_search *search = into;
    const struct cor_experiment *experiment = search->interaction->experiment;
    struct entry entry = {0};
    uint32_t found;
    COR_TRY(cor_json_fields(json, entry_fields, &entry, error));
    if (entry.arm)
        COR_TRY(cor_json_find_name(
            json, COR_RECORD_NAMES(experiment->arms, experiment->arm_count, struct cor_arm, name), entry.arm,
            &found, error, "the experiment has no arm \"%s\"", entry.arm));
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        if (!entry.arm || strcmp(entry.arm, experiment->arms[a].name) == 0)
            COR_TRY(add_arm(search, json, &entry, a, error));
    return COR_OK;
}

static const struct cor_field fields[] = {
    {"corridor_search", COR_REQUIRED, COR_SAID_INTEGER_FIELD(1, 1)},
    {"name", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"description", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"budget", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_search, budget, 1, COR_SEARCH_BUDGET_MAX)},
    {"islands", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_search, head.suite_count, 1, COR_ISLANDS_MAX)},
    {"experiment", COR_REQUIRED, COR_KNOWN_FIELD},
    {"generators", COR_REQUIRED, COR_EACH_FIELD(read_generator, 1, GENERATORS_MAX)},
    {"stop", COR_OPTIONAL, COR_KNOWN_FIELD},
    {0}};

/* The experiment as a document of its own: named by a path, or inlined. */
static enum cor_status open_experiment(const struct cor_json *json, const struct cor_layer_options *options,
                                       struct cor_search *search, char **notes, char **warnings,
                                       struct cor_error *error) {
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    struct cor_experiment_head *interaction = NULL;
    COR_FREED char *name = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_json_read_whole(json, &document, error));
    COR_TRY(cor_json_record_named(document, json, error));
    COR_TRY(cor_made(name = cor_strdup(cor_json_name(document)), error));
    status = cor_interaction_layer.read(name, document, options, &interaction, notes, warnings, error);
    document = NULL;
    search->interaction = (struct cor_interaction *)interaction;
    return status;
}

static const char *const free_members[] = {"islands", "generators", "name", "description", "stop", NULL};

static enum cor_status read_all(struct cor_search *search, const struct cor_layer_options *options,
                                char **notes, char **warnings, struct cor_error *error) {
    struct cor_json experiment;
    const struct cor_json root = cor_json_root(search->document);
    if (options->suite_folder)
        return cor_fail(error, COR_STATUS_INPUT, search->head.path, "leave --suites out",
                        "a search makes its tests itself, and reads no suites");
    if (options->log_solutions)
        return cor_fail(error, COR_STATUS_INPUT, search->head.path, "replay a test of it: corridor replay",
                        "a search keeps no rows of its tests, and no solutions");
    COR_TRY(cor_json_expect_fields(&root, fields, error));
    COR_TRY(cor_json_need(&root, "experiment", &experiment, error));
    COR_TRY(open_experiment(&experiment, options, search, notes, warnings, error));
    if (search->interaction->experiment->branching.continuations > 0)
        return cor_fail(error, COR_STATUS_INPUT, search->head.path, "leave \"branching\" out",
                        "a search goes on from failures by itself");
    COR_TRY(cor_json_fields(&root, fields, search, error));
    /* Arms of the search are those of the experiment in it, each with a generator. */
    struct cor_experiment_head *head = &search->head;
    const struct cor_experiment_head *inner = &search->interaction->head;
    COR_TRY(cor_experiment_head_arms(head, head->arm_count, error));
    head->seed = inner->seed;
    head->resumable = inner->resumable;
    head->free_members = free_members;
    for (uint32_t a = 0; a < head->arm_count; a++) {
        const struct cor_search_arm *arm = &search->arms[a];
        const struct cor_arm_head *target = &inner->arms[arm->target];
        head->arms[a] = (struct cor_arm_head){.name = arm->name,
                                              .description = arm->description,
                                              .fault = target->fault,
                                              .text = cor_format("%s%s", arm->description, target->text),
                                              .digest = target->digest,
                                              .foreign = target->foreign,
                                              .unasked = target->unasked};
        COR_TRY(cor_made(head->arms[a].text, error));
    }
    /* The text with the experiment as it was read. */
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    COR_JSON_CHILDREN(item, &root) {
        if (strcmp(item.key, "experiment") == 0)
            cor_json_put_text(writer, item.key, search->interaction->experiment->text);
        else
            cor_json_put_value(writer, item.key, &item);
    }
    cor_json_close(writer);
    return cor_json_text_take(writer, 0, &search->head.text, error);
}

enum cor_status cor_search_take(const char *path, struct cor_json_document *document,
                                const struct cor_layer_options *options, struct cor_search **search,
                                char **notes, char **warnings, struct cor_error *error) {
    struct cor_search *made = *search = cor_calloc(1, sizeof *made);
    if (!made) {
        cor_json_destroy(document);
        return cor_fail_memory(error);
    }
    made->document = document;
    made->head.suite_count = 1;
    made->head.path = cor_strdup(path);
    enum cor_status status = cor_made(made->head.path, error);
    if (status == COR_OK)
        status = read_all(made, options, notes, warnings, error);
    if (status != COR_OK) {
        cor_search_destroy(made);
        *search = NULL;
    }
    return status;
}

/* ---- what a campaign is told of a search */

static enum cor_status read(const char *path, struct cor_json_document *document,
                            const struct cor_layer_options *options, struct cor_experiment_head **experiment,
                            char **notes, char **warnings, struct cor_error *error) {
    struct cor_search *search;
    const enum cor_status status = cor_search_take(path, document, options, &search, notes, warnings, error);
    *experiment = search ? &search->head : NULL;
    return status;
}

static void destroy(void *with) {
    cor_search_destroy(with);
}

static enum cor_status open_executor(const void *with, void **executor, struct cor_error *error) {
    struct cor_search_executor *made;
    const enum cor_status status = cor_search_executor_create(with, &made, error);
    *executor = made;
    return status;
}

static enum cor_status execute(void *executor, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error) {
    return cor_search_island(executor, arm, suite, watch, record, tally, error);
}

static void close_executor(void *executor) {
    cor_search_executor_destroy(executor);
}

static enum cor_status list_all(const void *with, struct cor_catalogs *catalogs, struct cor_error *error) {
    const struct cor_search *search = with;
    const struct cor_experiment *experiment = search->interaction->experiment;
    const struct cor_generator *generator;
    for (size_t i = 0; cor_generator_word(i); i++) {
        COR_TRY(cor_generator_find(cor_generator_word(i), NULL, &generator, error));
        COR_TRY(cor_catalogs_add(catalogs, COR_SEARCH_CATALOG_GENERATOR, generator->name, generator->meaning,
                                 error));
    }
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        COR_TRY(cor_catalogs_add(catalogs, COR_SEARCH_CATALOG_TARGET, experiment->arms[a].name,
                                 experiment->arms[a].description, error));
    return COR_OK;
}

static void put_provenance(const void *with, struct cor_json_writer *writer) {
    const struct cor_search *search = with;
    cor_interaction_layer.provenance(search->interaction, writer);
}

static bool is_cut(struct cor_result *result) {
    struct cor_search_island_row row;
    for (uint64_t i = 0; i < cor_result_size(result, COR_SEARCH_TABLE_ISLANDS); i++)
        if (cor_result_read(result, COR_SEARCH_TABLE_ISLANDS, i, 1, &row, NULL) == COR_OK && row.interrupted)
            return true;
    return false;
}

const struct cor_layer cor_search_layer = {
    .key = "corridor_search",
    .schema = &cor_search_schema,
    .runs = "reorganizations",
    .failures = "tests that failed",
    .read = read,
    .destroy = destroy,
    .open = open_executor,
    .execute = execute,
    .close = close_executor,
    .is_cut = is_cut,
    .list = list_all,
    .provenance = put_provenance,
};
