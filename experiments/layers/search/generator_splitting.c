/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The generator "splitting": a climb on a level function (corridor/case_condition.h). The tests of the first
 * stage are drawn by the law; those of them that came highest are the parents of the next stage, whose tests
 * branch off at the case in which their parent first came to its highest level. What is random behind that
 * case is drawn anew: walks as with the other changes of walks, all else since the cases behind it have
 * identities that no case had before. When nothing rises any more, it begins again by the law. */
#include "corpus.h"

#include <corridor/array.h>
#include <corridor/case_condition.h>
#include <corridor/experiment.h>
#include <corridor/generator.h>
#include <corridor/search_schema.h>
#include <corridor/test.h>

#include <math.h>
#include <stdlib.h>

#define EFFORT 50  /* tests of a stage */
#define PARENTS 10 /* that tests of the next one are made from, at most */

/* A test that can be a parent. */
struct entry {
    struct cor_test *test; /* owned */
    uint32_t number;       /* of the test */
    uint32_t at;           /* the case in which it first came to ... */
    double height;
};

/* The best of a stage, the best first. */
struct best {
    struct entry entry[PARENTS];
    uint32_t count;
};

struct splitting {
    struct cor_generator_definition definition;
    struct cor_vocabulary *vocabulary; /* owned, as the next */
    struct cor_level level;
    struct cor_facts facts;
    struct best parents, rising; /* of the present stage; of the next one, so far */
    uint32_t stage, made;        /* tests made of it */
    uint32_t suites, tests;      /* drawn, made in all */
    uint64_t identities;         /* given to cases, the last of them */
    double bar;                  /* what parents of the next stage are above */
    double lowest;               /* highest levels of the tests of this stage: the least */
    struct cor_search_stage_row rows[COR_LEVELS_MAX + 1];
    uint32_t row_count;
};

static void clear(struct best *best) {
    for (uint32_t i = 0; i < best->count; i++)
        cor_test_destroy(best->entry[i].test);
    best->count = 0;
}

static void destroy(void *self) {
    COR_FREED struct splitting *s = self;
    if (!s)
        return;
    clear(&s->parents);
    clear(&s->rising);
    cor_facts_fini(&s->facts);
    cor_level_fini(&s->level);
    cor_vocabulary_destroy(s->vocabulary);
}

static enum cor_status read_level(const struct cor_generator_definition *definition,
                                  struct cor_vocabulary **vocabulary, struct cor_level *level,
                                  struct cor_error *error) {
    const struct cor_arm *arm = &definition->experiment->arms[definition->arm];
    *level = (struct cor_level){.condition_count = 0};
    *vocabulary = NULL;
    COR_TRY(cor_model_vocabulary(definition->experiment->model, arm, vocabulary, error));
    return cor_level_parse(definition->options->level, *vocabulary, "level", level, error);
}

static enum cor_status check(const struct cor_generator_definition *definition, struct cor_error *error) {
    COR_DESTROYED(cor_vocabulary) struct cor_vocabulary *vocabulary = NULL;
    COR_FINISHED(cor_level) struct cor_level level = {0};
    COR_TRY(cor_generator_check_walks(definition, error));
    if (!definition->options->level)
        return cor_fail(error, COR_STATUS_INPUT, definition->experiment->arms[definition->arm].name,
                        "--level: a number over reactions and probes, such as \"partitions\", or conditions "
                        "with semicolons between them, the nearest to failing last",
                        "splitting needs a level function");
    return read_level(definition, &vocabulary, &level, error);
}

static enum cor_status create(const struct cor_generator_definition *definition, void **self,
                              struct cor_error *error) {
    struct splitting *s = *self = cor_calloc(1, sizeof *s);
    COR_TRY(cor_made(s, error));
    s->definition = *definition;
    s->identities = definition->experiment->case_max;
    COR_TRY(read_level(definition, &s->vocabulary, &s->level, error));
    return cor_facts_init(&s->facts, s->vocabulary, error);
}

static void begin_stage(struct splitting *s, uint32_t stage) {
    s->stage = stage;
    s->made = 0;
    s->lowest = INFINITY;
    s->bar = stage == 0 ? -INFINITY : s->parents.entry[s->parents.count - 1].height;
    if (stage == s->row_count)
        s->rows[s->row_count++] =
            (struct cor_search_stage_row){.stage = stage, .lowest = NAN, .highest = NAN};
    s->rows[stage].climbs++;
}

/* Those that rose are the parents now; false: nothing did, or there are levels enough. */
static bool rise(struct splitting *s) {
    /* Tests by the law have come somewhere: only what is above the least of them has risen. */
    const double bar = s->stage == 0 ? s->lowest : s->bar;
    while (s->rising.count > 0 && !(s->rising.entry[s->rising.count - 1].height > bar))
        cor_test_destroy(s->rising.entry[--s->rising.count].test);
    s->rows[s->stage].rose += s->rising.count;
    clear(&s->parents);
    s->parents = s->rising;
    s->rising.count = 0;
    return s->parents.count > 0 && s->stage < COR_LEVELS_MAX;
}

/* Each in a suite of its own: what parameters have to do with failing is climbed, too. */
static enum cor_status make_by_law(struct splitting *s, struct cor_proposal *proposal,
                                   struct cor_error *error) {
    const struct cor_generator_definition *d = &s->definition;
    const uint32_t index = d->first_suite + s->suites++ % COR_ISLAND_SUITES;
    COR_DESTROYED(cor_suite) struct cor_suite *suite = NULL;
    *proposal = (struct cor_proposal){.mutation = COR_MUTATION_FRESH, .energy = 1};
    COR_TRY(cor_suite_generate(d->experiment, d->arm, index, &suite, error));
    return cor_suite_test(suite, 0, &proposal->test, error);
}

static enum cor_status make_child(struct splitting *s, struct cor_proposal *proposal,
                                  struct cor_error *error) {
    const struct entry *parent = &s->parents.entry[s->made % s->parents.count];
    *proposal = (struct cor_proposal){.parent = parent->number,
                                      .mutation = COR_MUTATION_SPLIT,
                                      .energy = (double)EFFORT / s->parents.count};
    COR_TRY(cor_test_copy(parent->test, &proposal->test, error));
    const struct cor_experiment *experiment = s->definition.experiment;
    const struct cor_stream_name name = {.seed = experiment->seed,
                                         .arm = cor_experiment_stream(experiment, s->definition.arm),
                                         .suite = s->definition.first_suite,
                                         .identity = s->tests,
                                         .purpose = COR_PURPOSE_SEARCH};
    struct cor_rng rng = cor_rng_named(&name);
    search_layer__walk_branch(proposal->test, parent->at, &rng);
    return search_layer__draws_branch(proposal->test, parent->at, &s->identities, error);
}

static enum cor_status next(void *self, struct cor_proposal *proposal, struct cor_error *error) {
    struct splitting *s = self;
    if (s->tests == 0)
        begin_stage(s, 0);
    else if (s->made == EFFORT)
        begin_stage(s, rise(s) ? s->stage + 1 : 0);
    s->tests++;
    const enum cor_status status =
        s->stage == 0 ? make_by_law(s, proposal, error) : make_child(s, proposal, error);
    s->made++;
    return status;
}

static void count(struct splitting *s, double height) {
    struct cor_search_stage_row *row = &s->rows[s->stage];
    row->tests++;
    s->lowest = fmin(s->lowest, height);
    if (isfinite(height)) {
        row->lowest = fmin(row->lowest, height);
        row->highest = fmax(row->highest, height);
    }
}

/* Higher, or as high with more cases left; of equal ones the earlier test. */
static bool is_better(const struct entry *one, const struct entry *other) {
    return one->height > other->height || (!(other->height > one->height) && one->at < other->at);
}

static enum cor_status see(void *self, const struct cor_seen *seen, struct cor_error *error) {
    struct splitting *s = self;
    struct best *best = &s->rising;
    struct entry entry = {.number = seen->number};
    (void)error;
    /* The highest level that the test came to, and the case in which it first did. */
    const struct cor_suite *suite = seen->test->suite;
    double height = -INFINITY;
    entry.at = 0;
    for (uint32_t p = 0; p < cor_parameter_laws_size(suite->arm->laws); p++)
        cor_facts_set_parameter(&s->facts, p, suite->parameters[p]);
    for (uint32_t number = 1; number <= seen->result->cases; number++) {
        const struct cor_reaction reaction = cor_tester_reaction(s->definition.tester, number);
        cor_facts_set_walk(&s->facts, &suite->recorded[0], number, suite->configuration->profile_of_chain,
                           suite->environment_of_profile);
        cor_facts_set_reaction(&s->facts, &reaction);
        const double level = cor_level_of(&s->level, &s->facts);
        if (level > height) { /* NaN: it has no level here */
            height = level;
            entry.at = number;
        }
    }
    entry.height = height;
    count(s, entry.height);
    if (seen->result->case_ > 0 || !(entry.height > s->bar) ||
        (best->count == PARENTS && !is_better(&entry, &best->entry[PARENTS - 1])))
        return COR_OK;
    entry.test = (struct cor_test *)(uintptr_t)seen->test; /* handed over with *seen->keep */
    *seen->keep = true;
    uint32_t at = best->count;
    if (best->count == PARENTS)
        cor_test_destroy(best->entry[--at].test);
    else
        best->count++;
    for (; at > 0 && is_better(&entry, &best->entry[at - 1]); at--)
        best->entry[at] = best->entry[at - 1];
    best->entry[at] = entry;
    return COR_OK;
}

static enum cor_status finish(void *self, struct cor_record *record, struct cor_error *error) {
    const struct splitting *s = self;
    for (uint32_t i = 0; i < s->row_count; i++) {
        struct cor_search_stage_row *row = cor_record_row(record, COR_SEARCH_TABLE_STAGES, error);
        COR_TRY(cor_made(row, error));
        struct cor_search_stage_row filled = s->rows[i];
        filled.arm = row->arm;
        filled.suite = row->suite;
        *row = filled;
    }
    return COR_OK;
}

const struct cor_generator cor_generator_splitting = {
    .name = "splitting",
    .meaning = "tests that came highest on a level function are branched off there, stage by stage",
    .observes = true,
    .takes = 1u << COR_GENERATOR_LEVEL,
    .check = check,
    .create = create,
    .next = next,
    .see = see,
    .finish = finish,
    .destroy = destroy,
};
