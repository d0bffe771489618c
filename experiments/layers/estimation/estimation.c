/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading what is to be estimated: the experiment, the arm, and how its law is changed. */
#include "internal.h"

#include <corridor/arm_components.h>
#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/interaction.h>
#include <corridor/vocabulary.h>

#include "law.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As written. */
struct question {
    const char *arm, *failure, *property, *trap, *region;
    int method;
    int64_t suites, budget, pilot_cases;
    double share, region_probability;
    struct cor_json tilt, level, levels, effort, keep;
};

static enum cor_status check_version(const struct cor_json *json, void *into, struct cor_error *error) {
    int64_t version;
    (void)into;
    return cor_json_integer(json, 1, 1, &version, error);
}

static enum cor_status take_tilt(const struct cor_json *json, void *into, struct cor_error *error) {
    ((struct question *)into)->tilt = *json;
    return cor_json_expect_object(json, NULL, error);
}

static enum cor_status take_level(const struct cor_json *json, void *into, struct cor_error *error) {
    (void)error;
    ((struct question *)into)->level = *json;
    return COR_OK;
}

static enum cor_status take_levels(const struct cor_json *json, void *into, struct cor_error *error) {
    ((struct question *)into)->levels = *json;
    return cor_json_expect_array(json, 1, COR_LEVELS_MAX, error);
}

static enum cor_status take_effort(const struct cor_json *json, void *into, struct cor_error *error) {
    (void)error;
    ((struct question *)into)->effort = *json;
    return COR_OK;
}

static enum cor_status take_keep(const struct cor_json *json, void *into, struct cor_error *error) {
    (void)error;
    ((struct question *)into)->keep = *json;
    return COR_OK;
}

static const struct cor_field fields[] = {
    {"corridor_estimation", COR_REQUIRED, COR_READ_FIELD(check_version)},
    {"method", COR_REQUIRED, COR_TERM_FIELD(struct question, method, COR_FAMILY_ESTIMATION)},
    {"failure", COR_OPTIONAL, COR_STRING_FIELD(struct question, failure)},
    {"property", COR_OPTIONAL, COR_STRING_FIELD(struct question, property)},
    {"arm", COR_OPTIONAL, COR_STRING_FIELD(struct question, arm)},
    {"suites", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct question, suites, 2, COR_ESTIMATION_REPETITIONS_MAX - 1)},
    {"budget", COR_OPTIONAL, COR_INTEGER_FIELD(struct question, budget, 1, INT64_C(1) << 53)},
    {"share", COR_OPTIONAL, COR_REAL_FIELD(struct question, share, COR_PROFILE_SHARE_MIN, 1)},
    {"trap", COR_OPTIONAL, COR_STRING_FIELD(struct question, trap)},
    {"tilt", COR_OPTIONAL, COR_READ_FIELD(take_tilt)},
    {"region", COR_OPTIONAL, COR_STRING_FIELD(struct question, region)},
    {"region_probability", COR_OPTIONAL, COR_REAL_FIELD(struct question, region_probability, 0, 1)},
    {"level", COR_OPTIONAL, COR_READ_FIELD(take_level)},
    {"levels", COR_OPTIONAL, COR_READ_FIELD(take_levels)},
    {"effort", COR_OPTIONAL, COR_READ_FIELD(take_effort)},
    {"keep", COR_OPTIONAL, COR_READ_FIELD(take_keep)},
    {"pilot_cases", COR_OPTIONAL, COR_INTEGER_FIELD(struct question, pilot_cases, 0, INT64_C(1) << 53)},
    {"experiment", COR_REQUIRED, COR_KNOWN_FIELD},
    {0}};

/* What goes with which method. */
static enum cor_status check_question(const struct cor_json *root, const struct question *q,
                                      bool is_of_program, struct cor_error *error) {
    const bool is_changed = q->trap || q->tilt.value || q->region;
    if (q->method != COR_ESTIMATION_LIKELIHOOD && is_changed)
        return cor_json_fail(root, error, "method \"likelihood\"",
                             "\"trap\", \"tilt\" and \"region\" change the law: method \"%s\" follows it",
                             cor_term_word(COR_FAMILY_ESTIMATION, q->method));
    if (q->method != COR_ESTIMATION_SPLITTING && (q->level.value || q->levels.value))
        return cor_json_fail(root, error, "method \"splitting\"",
                             "\"level\" and \"levels\" are of splitting, not of method \"%s\"",
                             cor_term_word(COR_FAMILY_ESTIMATION, q->method));
    if (q->keep.value && !q->effort.value)
        return cor_json_fail(root, error, "\"effort\": the trajectories of a stage",
                             "\"keep\" is of efforts that are given: else a pilot finds both");
    if (q->keep.value && is_of_program)
        return cor_json_fail(root, error, "leave it out",
                             "\"keep\" is not for distributed programs: their trajectories all go on");
    if (q->property && q->failure)
        return cor_json_fail(root, error, "one of them",
                             "\"failure\" and \"property\" both say what is counted");
    if (q->property && is_of_program)
        return cor_json_fail(root, error, "\"failure\": a constraint, an end or a trap",
                             "\"property\" is about the cases of sequences, and the experiment is of a "
                             "distributed program");
    return COR_OK;
}

static enum cor_status take_experiment(const char *path, const struct cor_json *json,
                                       const struct cor_layer_options *options,
                                       struct cor_experiment **experiment, struct cor_error *error) {
    const struct cor_experiment_options taken = {.algorithm = options->algorithm,
                                                 .isolation = {(enum cor_isolation)options->isolation,
                                                               options->fresh_processes, options->trust,
                                                               options->isolation_required}};
    struct cor_json_document *document;
    char *text = cor_json_text(json);
    COR_TRY(cor_made(text, error));
    enum cor_status status = cor_json_parse(text, path, &document, error);
    free(text);
    COR_TRY(status);
    status = cor_json_record_named(document, json, error);
    if (status != COR_OK) {
        cor_json_destroy(document);
        return status;
    }
    return cor_experiment_take(path, document, &taken, experiment, error);
}

/* What is the same of both: the experiment's arms, suites, text. */
static uint32_t arm_count(const struct cor_estimation *e) {
    return e->program ? (uint32_t)estimation_layer__program_head(e->program)->arm_count
                      : e->experiment->arm_count;
}

static const char *arm_name(const struct cor_estimation *e, uint32_t arm) {
    return e->program ? estimation_layer__program_head(e->program)->arms[arm].name
                      : e->experiment->arms[arm].name;
}

static uint32_t suite_count(const struct cor_estimation *e) {
    return e->program ? estimation_layer__program_head(e->program)->suite_count : e->experiment->suite_count;
}

static const char *experiment_text(const struct cor_estimation *e) {
    return e->program ? estimation_layer__program_head(e->program)->text : e->experiment->text;
}

static enum cor_status find_arm(const struct cor_json *root, const char *name, struct cor_estimation *e,
                                struct cor_error *error) {
    const char *names[257];
    char known[1024];
    const uint32_t all = arm_count(e), count = all < 256 ? all : 256;
    for (uint32_t a = 0; a < count; a++)
        names[a] = arm_name(e, a);
    names[count] = NULL;
    e->arm = 0;
    if (!name && all == 1)
        return COR_OK;
    while (name && e->arm < all && strcmp(arm_name(e, e->arm), name) != 0)
        e->arm++;
    if (name && e->arm < all)
        return COR_OK;
    cor_known_names(name ? name : "", names, known, sizeof known);
    if (name)
        return cor_json_fail(root, error, known, "the experiment has no arm \"%s\"", name);
    return cor_json_fail(root, error, known, "the experiment has several arms: name one (\"arm\", --arm)");
}

static enum cor_status read_failure(const struct cor_json *root, const char *text, struct cor_estimation *e,
                                    struct cor_error *error) {
    char place[512], said[COR_FAILURE_CLASS_TEXT];
    cor_json_place(root, place, sizeof place);
    e->any = !text || strcmp(text, "any") == 0;
    if (!e->any)
        COR_TRY(cor_failure_class_parse(text, place, &e->class, error));
    if (!e->any && !cor_failure_class_fails(&e->class))
        return cor_json_fail(root, error, "\"any\", or a class as corridor failures shows it",
                             "a case of the class \"%s\" does not fail", text);
    e->failure = cor_strdup(e->any ? "any" : cor_failure_class_text(&e->class, said));
    return cor_made(e->failure, error);
}

/* Before a pilot, so that it is refused in this process. */
static enum cor_status check_property(const struct cor_json *json, const char *text,
                                      struct cor_error *error) {
    struct cor_property *property;
    char place[512];
    cor_json_place(json, place, sizeof place);
    COR_TRY(estimation_layer__property_read(text, place, &property, error));
    cor_property_destroy(property);
    return COR_OK;
}

/* A property, whose distance it is, a number, or conditions. */
static enum cor_status read_level(const struct cor_json *json, struct cor_estimation *e,
                                  struct cor_error *error) {
    const char *text;
    if (!json->value)
        return COR_OK;
    if (!cor_json_is_string(json))
        return cor_level_read(json, e->vocabulary, &e->level, error);
    COR_TRY(cor_json_string(json, &text, error));
    if (!estimation_layer__is_property(text))
        return cor_level_read(json, e->vocabulary, &e->level, error);
    COR_TRY(cor_made(e->guide = cor_strdup(text), error));
    return check_property(json, text, error);
}

/* The arm has to be what the experiment's law draws. */
static enum cor_status check_arm(const struct cor_json *root, const struct cor_estimation *e,
                                 struct cor_error *error) {
    const struct cor_arm *arm = &e->experiment->arms[e->arm];
    if (arm->configurations || arm->configuration_traps || arm->configuration_design)
        return cor_json_fail(
            root, error, "name an arm whose configurations are drawn freely",
            "configurations of arm \"%s\" are chosen, not drawn: there is no law to estimate by", arm->name);
    if (e->property && arm->clocks.case_ticks > 0)
        return cor_json_fail(root, error, "\"failure\", or leave \"execution\" out",
                             "execution of arm \"%s\" is continuous, and a property is followed case by case",
                             arm->name);
    if (e->method == COR_ESTIMATION_SPLITTING && arm->clocks.case_ticks > 0)
        return cor_json_fail(
            root, error, "method \"plain\" or \"likelihood\", or leave \"execution\" out",
            "execution of arm \"%s\" is continuous, but method \"splitting\" restarts sequences between two "
            "cases, where a reorganization may be under way",
            arm->name);
    return COR_OK;
}

/* Streams are named by numbers of 32 bits. */
static enum cor_status check_numbers(const struct cor_json *root, const struct cor_estimation *e,
                                     struct cor_error *error) {
    const uint64_t numbers = (uint64_t)e->sequences * (COR_LEVELS_MAX + 2) * (uint64_t)e->effort;
    if (e->method == COR_ESTIMATION_SPLITTING && numbers > UINT32_MAX)
        return cor_json_fail(root, error, "a smaller effort",
                             "%u sequences of %lld trajectories a stage are too many", e->sequences,
                             (long long)e->effort);
    return COR_OK;
}

/* The members that the question has, as they stand in the file and in the description of the arm. */
static void put_question(const struct cor_estimation *e, const struct cor_json *root,
                         struct cor_json_writer *w) {
    static const char *const tilts[] = {
#define COR_TILT(NAME, key) key,
        COR_TILTS(COR_TILT)
#undef COR_TILT
    };
    struct cor_json child;
    cor_json_put_string(w, "method", cor_term_word(COR_FAMILY_ESTIMATION, e->method));
    cor_json_put_string(w, e->property ? "property" : "failure", e->property ? e->property : e->failure);
    cor_json_put_string(w, "arm", arm_name(e, e->arm));
    if (e->method == COR_ESTIMATION_LIKELIHOOD)
        cor_json_put_real(w, "share", e->share);
    if (e->trap)
        cor_json_put_string(w, "trap", e->trap);
    if (e->tilted) {
        cor_json_open_object(w, "tilt");
        for (int t = 0; t < COR_TILT_COUNT; t++)
            if (!isnan(e->tilt[t]))
                cor_json_put_real(w, tilts[t], e->tilt[t]);
        cor_json_close(w);
    }
    if (e->region_text)
        cor_json_put_string(w, "region", e->region_text);
    if (e->region_text && !isnan(e->region_probability))
        cor_json_put_real(w, "region_probability", e->region_probability);
    if (e->method != COR_ESTIMATION_SPLITTING)
        return;
    if (cor_json_find(root, "level", &child))
        cor_json_put_value(w, "level", &child);
    else if (e->level_text)
        cor_json_put_string(w, "level", e->level_text);
    if (e->condition_count == 0 && e->level_count > 0) {
        cor_json_open_array(w, "levels");
        for (uint32_t i = 0; i < e->level_count; i++)
            cor_json_put_real(w, NULL, e->levels[i]);
        cor_json_close(w);
    }
    estimation_layer__effort_put(e, w);
    estimation_layer__keep_put(e, w);
    cor_json_put_integer(w, "pilot_cases", e->pilot_cases);
}

static enum cor_status write_texts(const struct cor_json *root, struct cor_estimation *e,
                                   struct cor_error *error) {
    struct cor_json_writer *w;
    char cases[32];
    COR_TRY(cor_json_writer_create(&w, error));
    cor_json_open_object(w, NULL);
    put_question(e, root, w);
    snprintf(cases, sizeof cases, "%lld", (long long)(e->pilot_cases > 0 ? e->pilot_cases : 0));
    cor_json_put_string(w, "pilot", cases);
    cor_json_close(w);
    COR_TRY(cor_json_text_take(w, 0, &e->description, error));
    COR_TRY(cor_json_writer_create(&w, error));
    cor_json_open_object(w, NULL);
    cor_json_put_integer(w, "corridor_estimation", 1);
    put_question(e, root, w);
    cor_json_put_integer(w, "suites", e->repetitions);
    if (e->budget > 0)
        cor_json_put_integer(w, "budget", e->budget);
    cor_json_put_text(w, "experiment", experiment_text(e));
    cor_json_close(w);
    return cor_json_text_take(w, -1, &e->head.text, error);
}

/* Its one arm is that of the experiment. */
static enum cor_status make_head(struct cor_estimation *e, struct cor_error *error) {
    COR_TRY(cor_experiment_head_arms(&e->head, 1, error));
    e->head.suite_count = (uint32_t)e->repetitions;
    if (e->program) {
        const struct cor_experiment_head *of = estimation_layer__program_head(e->program);
        const struct cor_arm_head *its = &of->arms[e->arm];
        e->head.arms[0] = (struct cor_arm_head){.name = its->name,
                                                .description = e->description,
                                                .digest = its->digest,
                                                .foreign = its->foreign,
                                                .unasked = its->unasked};
        e->head.resumable = !its->foreign || its->digest;
        e->head.bound = of->bound;
        return COR_OK;
    }
    const struct cor_arm *arm = &e->experiment->arms[e->arm];
    e->head.arms[0] = (struct cor_arm_head){.name = arm->name, .description = e->description};
    cor_arm_tell_code(e->experiment, arm, &e->head.arms[0]);
    e->head.seed = e->experiment->seed;
    e->head.resumable = cor_arms_are_known(e->experiment, arm, 1);
    return COR_OK;
}

static enum cor_status read_of_algorithm(const char *path, const struct cor_json *root,
                                         const struct cor_json *child, const struct question *q, bool fits,
                                         const struct cor_layer_options *options, struct cor_estimation *e,
                                         char **notes, struct cor_error *error) {
    COR_TRY(take_experiment(path, child, options, &e->experiment, error));
    COR_TRY(cor_experiment_analyse(e->experiment, notes, error));
    COR_TRY(find_arm(root, q->arm, e, error));
    e->sequences = e->experiment->sequence_count;
    e->case_most = e->experiment->case_max;
    COR_TRY(read_failure(root, q->failure, e, error));
    if (e->property) {
        struct cor_json asked;
        COR_TRY(cor_json_need(root, "property", &asked, error));
        const enum cor_status status = check_property(&asked, e->property, error);
        if (status != COR_OK)
            cor_experiment_name_constraints(e->experiment, error);
        COR_TRY(status);
    }
    if (fits)
        estimation_layer__effort_fit(e);
    COR_TRY(check_arm(root, e, error));
    COR_TRY(check_numbers(root, e, error));
    COR_TRY(cor_model_vocabulary(e->experiment->model, &e->experiment->arms[e->arm], &e->vocabulary, error));
    if (q->tilt.value)
        COR_TRY(take_experiment(path, child, options, &e->tilted, error));
    COR_TRY(estimation_layer__law_change(e, root, q->tilt.value ? &q->tilt : NULL, error));
    if (e->region_text)
        COR_TRY(estimation_layer__law_region(e, root, q->region_probability, error));
    COR_TRY(read_level(&q->level, e, error));
    e->condition_count = e->level.condition_count;
    return COR_OK;
}

static enum cor_status read_of_program(const char *path, const struct cor_json *root,
                                       const struct cor_json *child, const struct question *q, bool fits,
                                       const struct cor_layer_options *options, struct cor_estimation *e,
                                       char **notes, struct cor_error *error) {
    COR_TRY(cor_made(*notes = cor_strdup(""), error));
    COR_TRY(estimation_layer__program_read(path, child, options, &e->program, error));
    COR_TRY(find_arm(root, q->arm, e, error));
    const struct estimation_layer__program_size size = estimation_layer__program_size(e->program, e->arm);
    e->head.seed = estimation_layer__program_head(e->program)->seed;
    e->sequences = size.sequences;
    e->case_most = size.cases;
    e->any = !q->failure || strcmp(q->failure, "any") == 0;
    COR_TRY(cor_made(e->failure = cor_strdup(e->any ? "any" : q->failure), error));
    if (fits)
        estimation_layer__effort_fit(e);
    COR_TRY(check_numbers(root, e, error));
    const struct estimation_layer__asked asked = {root, q->level.value ? &q->level : NULL, q->failure, e->arm,
                                                  e->method};
    return estimation_layer__program_ask(e->program, &asked, &e->condition_count, error);
}

static enum cor_status read_levels(const struct cor_json *json, struct cor_estimation *e,
                                   struct cor_error *error) {
    e->level_count = (uint32_t)cor_json_size(json);
    for (uint32_t i = 0; i < e->level_count; i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(cor_json_real(&item, -1e300, 1e300, &e->levels[i], error));
        if (i > 0 && !(e->levels[i] > e->levels[i - 1]))
            return cor_json_fail(&item, error, "in ascending order",
                                 "a level is not above the one before it");
    }
    return COR_OK;
}

static enum cor_status read_all(const char *path, const struct cor_json *root,
                                const struct cor_layer_options *options, struct cor_estimation *e,
                                char **notes, struct cor_error *error) {
    struct question q = {.share = 0.1, .region_probability = NAN, .pilot_cases = -1};
    struct cor_json child, program;
    COR_TRY(cor_json_fields(root, fields, &q, error));
    COR_TRY(cor_json_need(root, "experiment", &child, error));
    const bool is_of_program = cor_json_is_object(&child) && cor_json_find(&child, "process", &program);
    COR_TRY(check_question(root, &q, is_of_program, error));
    e->method = q.method;
    e->share = q.share;
    COR_TRY(estimation_layer__effort_read(&q.effort, e, error));
    COR_TRY(estimation_layer__keep_read(&q.keep, e, error));
    e->budget = q.budget;
    e->repetitions = q.suites;
    e->pilot_cases = q.pilot_cases;
    e->trap = q.trap ? cor_strdup(q.trap) : NULL;
    e->region_text = q.region ? cor_strdup(q.region) : NULL;
    e->property = q.property ? cor_strdup(q.property) : NULL;
    if ((q.trap && !e->trap) || (q.region && !e->region_text) || (q.property && !e->property))
        return cor_fail_memory(error);
    const bool fits = !q.effort.value && e->budget > 0 && e->repetitions == 0 && e->pilot_cases < 0;
    COR_TRY(is_of_program ? read_of_program(path, root, &child, &q, fits, options, e, notes, error)
                          : read_of_algorithm(path, root, &child, &q, fits, options, e, notes, error));
    if (e->method == COR_ESTIMATION_SPLITTING && !q.level.value)
        COR_TRY(estimation_layer__levels_list(e, root, error));
    for (uint32_t i = 0; i < e->condition_count; i++)
        e->levels[i] = (double)i + 1;
    e->level_count = e->condition_count;
    if (q.levels.value && e->condition_count == 0)
        COR_TRY(read_levels(&q.levels, e, error));
    COR_TRY(estimation_layer__repetitions_count(root, e, fits, suite_count(e), notes, error));
    if (e->region_text && e->region_probability > 0) {
        const double draws = estimation_layer__draws_of_repetition(e);
        char *said =
            cor_format("%sregion: %.3g of the law; %.0f draws of parameters a repetition, %.0f in all\n",
                       *notes, e->region_probability, draws, draws * (double)e->repetitions);
        free(*notes);
        *notes = said;
        COR_TRY(cor_made(said, error));
    }
    COR_TRY(write_texts(root, e, error));
    return make_head(e, error);
}

enum cor_status cor_estimation_read(const char *path, const struct cor_json *root,
                                    const struct cor_layer_options *options,
                                    struct cor_estimation **estimation, char **notes,
                                    struct cor_error *error) {
    struct cor_estimation *e = *estimation = cor_calloc(1, sizeof *e);
    COR_TRY(cor_made(e, error));
    for (int t = 0; t < COR_TILT_COUNT; t++)
        e->tilt[t] = e->law[t] = NAN;
    e->region_probability = NAN;
    e->head.path = cor_strdup(path);
    enum cor_status status = cor_made(e->head.path, error);
    if (status == COR_OK)
        status = read_all(path, root, options, e, notes, error);
    if (status != COR_OK) {
        cor_estimation_destroy(e);
        *estimation = NULL;
    }
    return status;
}

void cor_estimation_destroy(struct cor_estimation *e) {
    if (!e)
        return;
    cor_level_fini(&e->level);
    estimation_layer__program_destroy(e->program);
    cor_case_condition_fini(&e->region);
    cor_vocabulary_destroy(e->vocabulary);
    cor_experiment_destroy(e->experiment);
    cor_experiment_destroy(e->tilted);
    cor_experiment_head_fini(&e->head);
    free(e->description);
    free(e->failure);
    for (uint32_t t = 0; t < e->tried_count; t++)
        free(e->tried[t]);
    free(e->level_text);
    free(e->guide);
    free(e->property);
    free(e->trap);
    free(e->region_text);
    free(e);
}
