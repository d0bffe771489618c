/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "corpus.h"

#include <corridor/array.h>

#include <math.h>
#include <string.h>

static const struct cor_profile *profile_of(const struct cor_test *test, uint32_t chain) {
    return test->suite->profiles[test->suite->configuration->profile_of_chain[chain]];
}

static uint8_t *state_at(struct cor_walk *walk, uint32_t index, uint32_t chain) {
    return walk->states + (size_t)index * walk->chain_count + chain;
}

/* The chain behind case `from` anew. */
static void draw_on(struct cor_test *test, uint32_t chain, uint32_t from, struct cor_rng *rng) {
    struct cor_walk *walk = &test->suite->recorded[0];
    const struct cor_profile *profile = profile_of(test, chain);
    for (uint32_t i = from; i < walk->case_count; i++) {
        const uint32_t bits = (uint32_t)(cor_rng_word(rng) >> 32);
        *state_at(walk, i + 1, chain) = cor_profile_next(profile, *state_at(walk, i, chain), bits);
    }
}

/* One chain or all of them. */
static void draw_chains(const struct cor_test *test, struct cor_rng *rng, uint32_t *first, uint32_t *end) {
    const uint32_t chains = test->suite->recorded[0].chain_count;
    const uint32_t all = cor_rng_below(rng, 2);
    *first = all || chains == 0 ? 0 : cor_rng_below(rng, chains);
    *end = all || chains == 0 ? chains : *first + 1;
}

void search_layer__walk_branch(struct cor_test *test, uint32_t from, struct cor_rng *rng) {
    for (uint32_t chain = 0; chain < test->suite->recorded[0].chain_count; chain++)
        draw_on(test, chain, from, rng);
}

bool search_layer__walk_hold(struct cor_test *test, uint32_t from, struct cor_rng *rng) {
    uint32_t first, end;
    bool any = false;
    const uint32_t half = test->suite->recorded[0].case_count / 2;
    const uint32_t cases = 2 + (half > 2 ? cor_rng_below(rng, half) : 0);
    draw_chains(test, rng, &first, &end);
    struct cor_walk *walk = &test->suite->recorded[0];
    const uint32_t last = cases < walk->case_count - from ? from + cases : walk->case_count;
    for (uint32_t chain = first; chain < end; chain++) {
        const struct cor_profile *profile = profile_of(test, chain);
        const uint8_t state = *state_at(walk, from, chain);
        if (!(profile->probability[(size_t)state * profile->state_count + state] > 0))
            continue;
        for (uint32_t i = from + 1; i <= last; i++)
            *state_at(walk, i, chain) = state;
        draw_on(test, chain, last, rng);
        any = true;
    }
    return any;
}

bool search_layer__walk_rare_arc(struct cor_test *test, uint32_t from, struct cor_rng *rng) {
    struct cor_walk *walk = &test->suite->recorded[0];
    uint32_t first, end;
    if (from >= walk->case_count)
        return false;
    draw_chains(test, rng, &first, &end);
    for (uint32_t chain = first; chain < end; chain++) {
        /* The least likely transition; of several the first. */
        const struct cor_profile *profile = profile_of(test, chain);
        const double *row =
            &profile->probability[(size_t)*state_at(walk, from, chain) * profile->state_count];
        uint32_t rare = profile->state_count;
        for (uint32_t to = 0; to < profile->state_count; to++)
            if (row[to] > 0 && (rare == profile->state_count || row[to] < row[rare]))
                rare = to;
        COR_ASSERT(rare < profile->state_count);
        *state_at(walk, from + 1, chain) = (uint8_t)rare;
        draw_on(test, chain, from + 1, rng);
    }
    return end > first;
}

bool search_layer__walk_splice(struct cor_test *test, const struct cor_test *other_test, uint32_t from,
                               struct cor_rng *rng) {
    const struct cor_walk *other = &other_test->suite->recorded[0];
    uint32_t first, end;
    bool any = false;
    COR_ASSERT(other->chain_count == test->suite->recorded[0].chain_count);
    const uint32_t begin = other->case_count > 1 ? cor_rng_below(rng, other->case_count) : 0;
    draw_chains(test, rng, &first, &end);
    struct cor_walk *walk = &test->suite->recorded[0];
    for (uint32_t chain = first; chain < end; chain++) {
        /* Behind case `from` as in the other walk behind the first case from `begin` on that is alike. */
        uint32_t at = begin, i = from;
        while (at < other->case_count && cor_walk_at(other, at)[chain] != *state_at(walk, from, chain))
            at++;
        if (at >= other->case_count)
            continue;
        for (; i < walk->case_count && at < other->case_count; i++, at++)
            *state_at(walk, i + 1, chain) = cor_walk_at(other, at + 1)[chain];
        draw_on(test, chain, i, rng);
        any = true;
    }
    return any;
}

enum cor_status search_layer__draws_branch(struct cor_test *test, uint32_t from, uint64_t *identities,
                                           struct cor_error *error) {
    const uint32_t cases = cor_test_cases(test);
    if (!test->case_identity) {
        COR_TRY(cor_made(test->case_identity = cor_calloc(cases, sizeof *test->case_identity), error));
        for (uint32_t i = 0; i < from; i++)
            test->case_identity[i] = i + 1;
    }
    for (uint32_t i = from; i < cases; i++)
        test->case_identity[i] = ++*identities;
    return COR_OK;
}

/* ---- schedule mutations */

#define WAITING_MOST 3 /* messages that wait in an order that is drawn anew */

/* How many others come before the message; without an entry it comes in sending order. */
static uint64_t waits_for(const struct cor_mail_record *record, uint64_t identity, uint64_t message) {
    size_t count;
    const struct cor_mail_entry *entry = cor_mail_record_of(record, identity, &count);
    for (size_t i = 0; i < count; i++)
        if (entry[i].deed == COR_MAIL_DEED_WAITS && entry[i].of == message)
            return entry[i].value;
    return message;
}

static enum cor_status let_wait(struct cor_mail_record *record, uint64_t identity, uint64_t message,
                                uint64_t others, struct cor_error *error) {
    const struct cor_mail_entry entry = {identity, COR_MAIL_DEED_WAITS, message, others};
    return cor_mail_record_put(record, &entry, error);
}

/* As late as can be, or behind a number of others that is drawn: more than are sent before it. */
static enum cor_status delay(struct cor_mail_record *record, const struct search_layer__mail_case *in,
                             struct cor_rng *rng, struct cor_error *error) {
    const uint32_t message = cor_rng_below(rng, in->messages), at_the_end = cor_rng_below(rng, 2),
                   drawn = cor_rng_below(rng, in->messages - message);
    return let_wait(record, in->identity, message, at_the_end ? in->messages : message + 1 + drawn, error);
}

static enum cor_status swap(struct cor_mail_record *record, const struct search_layer__mail_case *in,
                            struct cor_rng *rng, struct cor_error *error) {
    const uint32_t message = cor_rng_below(rng, in->messages), back = cor_rng_below(rng, 2);
    const uint64_t now = waits_for(record, in->identity, message);
    return let_wait(record, in->identity, message, back && now > message ? now - 1 : now + 1, error);
}

static enum cor_status draw_anew(struct cor_mail_record *record, const struct search_layer__mail_case *in,
                                 struct cor_rng *rng, struct cor_error *error) {
    size_t count;
    const struct cor_mail_entry *first = cor_mail_record_of(record, in->identity, &count);
    if (count > 0)
        cor_mail_record_drop(record, (size_t)(first - record->entries), count);
    const uint32_t waiting = 1 + cor_rng_below(rng, WAITING_MOST);
    for (uint32_t i = 0; i < waiting; i++)
        COR_TRY(delay(record, in, rng, error));
    return COR_OK;
}

enum cor_status search_layer__schedule_mutate(const struct search_layer__mail_seen *seen, struct cor_rng *rng,
                                              struct cor_mail_record **made, struct cor_error *error) {
    *made = NULL;
    if (seen->case_count == 0)
        return COR_OK;
    COR_TRY(cor_mail_record_copy(seen->record, made, error));
    const struct search_layer__mail_case *in = &seen->cases[cor_rng_below(rng, seen->case_count)];
    const uint32_t kind = cor_rng_below(rng, 4);
    const enum cor_status status = kind < 2    ? swap(*made, in, rng, error)
                                   : kind == 2 ? delay(*made, in, rng, error)
                                               : draw_anew(*made, in, rng, error);
    if (status != COR_OK) {
        cor_mail_record_destroy(*made);
        *made = NULL;
    }
    return status;
}

/* ---- the generator "coverage": tests that did something new are kept, and changed, those that did what few
 * did more often. Every fourth test is drawn by the experiment's laws, from a suite of its own. Where
 * messages go one by one, their order is changed, too */

#define LAW_LEAST 0.25 /* of tests are drawn by the law */
#define LAW_WORTH 3    /* a test by the law counts so often: where nothing brings anything, that is 3 of 4 */
#define REDRAWS 50     /* of a line of the laws until the parameters agree */
#define MUTATIONS 8    /* tried until one can be made */
#define ANYWHERE_EVERY 4 /* changes of walks are behind a case that means nothing */
#define MUTATION_COUNT (COR_MUTATION_SCHEDULE + 1)
#define YIELD_LEAST 0.2 /* of its share, for a change that brings nothing */
#define YIELD_KEPT 0.99 /* of what was counted of a change, when it is made once more */

struct coverage {
    struct cor_generator_definition definition;
    struct search_layer__corpus corpus;
    int64_t *integers;            /* owned; scratch, as the next */
    double *parameters;           /* [capacity] */
    struct cor_mail_record *mail; /* owned; how mail went in the last test; NULL: not one by one */
    uint32_t suites;              /* drawn */
    uint32_t tests;               /* made */
    uint32_t streams;             /* drawn beyond those of the suites' own sequences */
    uint64_t lineage;             /* of the present test */
    uint64_t lineages;            /* given */
    uint64_t identities;          /* given to cases, the last of them */
    uint32_t parent; /* entry that is changed for the time being, of which `left` tests are still to come */
    uint32_t parent_number, left;
    double energy;
    double made[MUTATION_COUNT]; /* tests by each change of late */
    double news[MUTATION_COUNT]; /* thereof such that did something new */
    double same[MUTATION_COUNT]; /* thereof such that did as their parent did, row by row */
    double asked[2], answers[2]; /* tests by the law, by changes; thereof with new answers of the system */
    uint64_t parent_hash;        /* of what the present test's parent did; 0: it has none */
    enum cor_mutation mutation;  /* of the present test */
};

static void destroy(void *self) {
    struct coverage *coverage = self;
    if (!coverage)
        return;
    cor_tester_record_mail(coverage->definition.tester, NULL);
    cor_mail_record_destroy(coverage->mail);
    search_layer__corpus_fini(&coverage->corpus);
    COR_FREE(coverage->integers, coverage->parameters, coverage);
}

static const struct cor_arm *arm_of(const struct coverage *coverage) {
    return &coverage->definition.experiment->arms[coverage->definition.arm];
}

static enum cor_status create(const struct cor_generator_definition *definition, void **self,
                              struct cor_error *error) {
    struct coverage *coverage = *self = cor_calloc(1, sizeof *coverage);
    COR_TRY(cor_made(coverage, error));
    coverage->definition = *definition;
    coverage->identities = definition->experiment->case_max;
    const uint32_t capacity = cor_parameter_laws_capacity(arm_of(coverage)->laws);
    coverage->integers = cor_calloc(capacity, sizeof *coverage->integers);
    coverage->parameters = cor_calloc(capacity, sizeof *coverage->parameters);
    COR_TRY(search_layer__corpus_init(&coverage->corpus, error));
    /* Orders of messages can be changed where one comes after the other. */
    const enum cor_mail mode = arm_of(coverage)->session.mail.mode;
    if (cor_mail_is_one_by_one(mode)) {
        COR_TRY(cor_mail_record_create(mode, &coverage->mail, error));
        cor_tester_record_mail(coverage->definition.tester, coverage->mail);
    }
    return coverage->integers && coverage->parameters ? COR_OK : cor_fail_memory(error);
}

/* Whether a pattern space is filled. */
static bool fills_pattern(const struct coverage *coverage) {
    return coverage->definition.options && coverage->definition.options->pattern;
}

/* In a pattern space the second half of the island's suites: the first are those by which "random" tells how
 * probable cells are, and what was found by them would seem too probable. */
static uint32_t next_suite(struct coverage *coverage) {
    const uint32_t half = COR_ISLAND_SUITES / 2, number = coverage->suites++;
    return coverage->definition.first_suite +
           (fills_pattern(coverage) ? half + number % half : number % COR_ISLAND_SUITES);
}

/* The test of one sequence of a suite, which is freed. */
static enum cor_status test_of(struct coverage *coverage, struct cor_suite *suite_take, uint32_t sequence,
                               struct cor_test **test, struct cor_error *error) {
    const enum cor_status status = cor_suite_test(suite_take, sequence, test, error);
    cor_suite_destroy(suite_take);
    coverage->lineage = ++coverage->lineages;
    return status;
}

/* The parent's parameters with a line or a stage of the laws drawn anew. */
static bool redraw(struct coverage *coverage, const struct cor_suite *parent, bool stage,
                   struct cor_rng *rng) {
    const struct cor_parameter_laws *laws = arm_of(coverage)->laws;
    const uint32_t capacity = cor_parameter_laws_capacity(laws), size = cor_parameter_laws_size(laws),
                   lines = cor_parameter_laws_lines(laws);
    if (lines == 0 || arm_of(coverage)->configurations || arm_of(coverage)->configuration_traps ||
        arm_of(coverage)->explored)
        return false; /* their parameters come in rows */
    for (uint32_t attempt = 0; attempt < REDRAWS; attempt++) {
        memcpy(coverage->parameters, parent->parameters, capacity * sizeof *coverage->parameters);
        for (uint32_t p = 0; p < capacity; p++)
            coverage->integers[p] =
                p >= size || cor_parameter_laws_is_integer(laws, p) ? (int64_t)coverage->parameters[p] : 0;
        const uint32_t line = cor_rng_below(rng, lines);
        if (cor_parameter_laws_redraw(laws, line, stage, rng, coverage->integers, coverage->parameters))
            return true;
    }
    return false;
}

/* A suite again, with other parameters or with all that is not a parameter drawn anew. A suite that cannot be
 * made so (its roles contradict each other) is no mutation. */
static enum cor_status regenerate(struct coverage *coverage, const struct cor_test *parent,
                                  enum cor_mutation mutation, struct cor_rng *rng, struct cor_test **test,
                                  struct cor_error *error) {
    const struct cor_suite *suite = parent->suite;
    const double *parameters = coverage->parameters;
    struct cor_suite *made;
    struct cor_error said = COR_NO_ERROR;
    uint32_t index = suite->name.suite;
    if (mutation == COR_MUTATION_POPULATION) {
        index = next_suite(coverage);
        parameters = suite->parameters;
    } else if (!redraw(coverage, suite, mutation == COR_MUTATION_STAGE, rng)) {
        return COR_OK;
    }
    const enum cor_status status = cor_suite_generate_of(
        coverage->definition.experiment, coverage->definition.arm, index, parameters, &made, &said);
    if (status == COR_STATUS_UNSATISFIABLE)
        return COR_OK;
    if (status != COR_OK)
        *error = said;
    COR_TRY(status);
    const uint32_t sequences = coverage->definition.experiment->sequence_count;
    return test_of(coverage, made, parent->sequence % sequences, test, error);
}

/* Another test of the parent's suite, NULL if there is none. */
static const struct cor_test *sibling(const struct coverage *coverage, uint32_t entry, struct cor_rng *rng) {
    const struct search_layer__corpus *corpus = &coverage->corpus;
    const uint32_t start = cor_rng_below(rng, corpus->count);
    for (uint32_t i = 0; i < corpus->count; i++) {
        const uint32_t other = (start + i) % corpus->count;
        if (other != entry && corpus->entry[other].lineage == corpus->entry[entry].lineage)
            return corpus->entry[other].test;
    }
    return NULL;
}

/* The parent's walk, streams or schedule changed; what cannot be is not made. */
static enum cor_status rewalk(struct coverage *coverage, uint32_t entry, enum cor_mutation mutation,
                              struct cor_rng *rng, struct cor_test **test, struct cor_error *error) {
    const struct search_layer__corpus_entry *parent = &coverage->corpus.entry[entry];
    const struct cor_test *other = NULL;
    bool made = true;
    if (mutation == COR_MUTATION_SPLICE && !(other = sibling(coverage, entry, rng)))
        return COR_OK;
    COR_TRY(cor_test_copy(parent->test, test, error));
    /* A case behind which the parent is changed: mostly that in which a feature appeared for which it is
     * favoured, as far as something was executed behind it. */
    const uint32_t any = parent->executed > 1 ? cor_rng_below(rng, parent->executed) : 0;
    const uint32_t aim = search_layer__corpus_aim(&coverage->corpus, entry, rng);
    const uint32_t from =
        aim > 0 && aim < parent->executed && cor_rng_below(rng, ANYWHERE_EVERY) > 0 ? aim : any;
    if (mutation == COR_MUTATION_BRANCH)
        search_layer__walk_branch(*test, from, rng);
    else if (mutation == COR_MUTATION_HOLD)
        made = search_layer__walk_hold(*test, from, rng);
    else if (mutation == COR_MUTATION_RARE_ARC)
        made = search_layer__walk_rare_arc(*test, from, rng);
    else if (mutation == COR_MUTATION_SPLICE)
        made = search_layer__walk_splice(*test, other, from, rng);
    else if (mutation == COR_MUTATION_SCHEDULE) {
        /* Messages come in another order than they did. */
        struct cor_mail_record *schedule;
        COR_TRY(search_layer__schedule_mutate(&parent->mail, rng, &schedule, error));
        made = schedule != NULL;
        if (made) {
            cor_mail_record_destroy((*test)->schedule);
            (*test)->schedule = schedule;
        }
    }
    if (mutation == COR_MUTATION_STREAM && (*test)->schedule) {
        (*test)->sequence = coverage->definition.experiment->sequence_count + coverage->streams++;
        cor_mail_record_destroy((*test)->schedule);
        (*test)->schedule = NULL;
    } else if (mutation != COR_MUTATION_SCHEDULE && !(*test)->schedule) {
        COR_TRY(search_layer__draws_branch(*test, from, &coverage->identities, error));
    }
    coverage->lineage = parent->lineage;
    if (made)
        return COR_OK;
    cor_test_destroy(*test);
    *test = NULL;
    return COR_OK;
}

/* Whether other orders of messages come from changes alone: the law draws none. */
static bool orders_are_changed(const struct coverage *coverage) {
    return arm_of(coverage)->session.mail.mode == COR_MAIL_RECORDED;
}

/* What a kind of change has brought lately, from nearly 0 to nearly 1: tests that did something new. */
static double yield_of(const struct coverage *coverage, enum cor_mutation mutation) {
    return (coverage->news[mutation] + 1) / (coverage->made[mutation] + 4);
}

/* A change by its share, and by what it has brought of late, beside the best. */
static enum cor_mutation draw_mutation(const struct coverage *coverage, struct cor_rng *rng) {
    static const struct {
        enum cor_mutation mutation;
        double share;
    } changes[] = {{COR_MUTATION_PARAMETER, 30}, {COR_MUTATION_STAGE, 10}, {COR_MUTATION_POPULATION, 10},
                   {COR_MUTATION_BRANCH, 15},    {COR_MUTATION_HOLD, 10},  {COR_MUTATION_RARE_ARC, 10},
                   {COR_MUTATION_SPLICE, 10},    {COR_MUTATION_STREAM, 5}, {COR_MUTATION_SCHEDULE, 100}};
    const uint32_t count = (uint32_t)(sizeof changes / sizeof *changes) - (coverage->mail ? 0 : 1);
    double weight[sizeof changes / sizeof *changes], best = 0, total = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        best = fmax(best, yield_of(coverage, changes[i].mutation));
    for (uint32_t i = 0; i < count; i++) {
        const enum cor_mutation it = changes[i].mutation;
        const double differing = 1 - coverage->same[it] / (coverage->made[it] + 1);
        weight[i] = changes[i].share * differing * (YIELD_LEAST + yield_of(coverage, it) / best);
        if (it == COR_MUTATION_SCHEDULE && orders_are_changed(coverage))
            weight[i] = changes[i].share * (YIELD_LEAST + 1);
        total += weight[i];
    }
    const double unit = cor_rng_unit(rng), aim = unit * total;
    uint32_t drawn = 0;
    for (sum = weight[0]; sum <= aim && drawn + 1 < count; sum += weight[drawn])
        drawn++;
    return changes[drawn].mutation;
}

/* Whether the next test is drawn by the law: the oftener, the less changes have brought of late that the
 * system answered to. Where it shows nothing new, what repeats the beginning of a test is a loss. In a
 * pattern space the rare is looked for beside the rare, new or not. */
static bool is_by_law(const struct coverage *coverage, struct cor_rng *rng) {
    const double law = LAW_WORTH * (coverage->answers[0] + 1) / (coverage->asked[0] + 4),
                 changes = (coverage->answers[1] + 1) / (coverage->asked[1] + 4);
    const bool is_least = orders_are_changed(coverage) || fills_pattern(coverage);
    return cor_rng_unit(rng) < (is_least ? LAW_LEAST : fmax(LAW_LEAST, law / (law + changes)));
}

static enum cor_status next(void *self, struct cor_proposal *proposal, struct cor_error *error) {
    struct coverage *coverage = self;
    coverage->tests++;
    /* What the generator draws for a test. */
    const struct cor_experiment *experiment = coverage->definition.experiment;
    const struct cor_stream_name name = {.seed = experiment->seed,
                                         .arm = cor_experiment_stream(experiment, coverage->definition.arm),
                                         .suite = coverage->definition.first_suite,
                                         .identity = coverage->tests,
                                         .purpose = COR_PURPOSE_SEARCH};
    struct cor_rng rng = cor_rng_named(&name);
    if (coverage->corpus.count == 0 || is_by_law(coverage, &rng)) {
        struct cor_suite *suite;
        *proposal = (struct cor_proposal){.mutation = COR_MUTATION_FRESH, .energy = 1};
        coverage->mutation = COR_MUTATION_FRESH;
        coverage->parent_hash = 0;
        COR_TRY(cor_suite_generate(coverage->definition.experiment, coverage->definition.arm,
                                   next_suite(coverage), &suite, error));
        return test_of(coverage, suite, 0, &proposal->test, error);
    }
    /* The entry may have moved, or have gone, since it was chosen. */
    uint32_t there = 0;
    while (there < coverage->corpus.count && coverage->corpus.entry[there].number != coverage->parent_number)
        there++;
    if (coverage->left > 0 && there < coverage->corpus.count) {
        coverage->parent = there;
    } else {
        coverage->parent = search_layer__corpus_choose(&coverage->corpus, &rng, &coverage->energy);
        coverage->parent_number = coverage->corpus.entry[coverage->parent].number;
        coverage->left = (uint32_t)coverage->energy;
    }
    coverage->left--;
    const struct search_layer__corpus_entry *parent = &coverage->corpus.entry[coverage->parent];
    *proposal = (struct cor_proposal){.parent = parent->number, .energy = coverage->energy};
    coverage->parent_hash = parent->test->expected.hash;
    for (uint32_t attempt = 0; attempt < MUTATIONS && !proposal->test; attempt++) {
        proposal->mutation = draw_mutation(coverage, &rng);
        if (proposal->mutation == COR_MUTATION_PARAMETER || proposal->mutation == COR_MUTATION_STAGE ||
            proposal->mutation == COR_MUTATION_POPULATION)
            COR_TRY(regenerate(coverage, parent->test, proposal->mutation, &rng, &proposal->test, error));
        else
            COR_TRY(rewalk(coverage, coverage->parent, proposal->mutation, &rng, &proposal->test, error));
    }
    if (!proposal->test) {
        proposal->mutation = COR_MUTATION_STREAM;
        COR_TRY(rewalk(coverage, coverage->parent, COR_MUTATION_STREAM, &rng, &proposal->test, error));
    }
    coverage->mutation = proposal->mutation;
    return COR_OK;
}

static enum cor_status see(void *self, const struct cor_seen *seen, struct cor_error *error) {
    struct coverage *coverage = self;
    const enum cor_mutation mutation = coverage->mutation;
    coverage->made[mutation] = YIELD_KEPT * coverage->made[mutation] + 1;
    coverage->news[mutation] = YIELD_KEPT * coverage->news[mutation] + (seen->fresh > 0 ? 1 : 0);
    coverage->same[mutation] =
        YIELD_KEPT * coverage->same[mutation] + (seen->result->hash == coverage->parent_hash ? 1 : 0);
    COR_TRY(search_layer__corpus_see(&coverage->corpus, seen, coverage->lineage, error));
    const int is_change = mutation != COR_MUTATION_FRESH;
    coverage->asked[is_change] = YIELD_KEPT * coverage->asked[is_change] + 1;
    coverage->answers[is_change] =
        YIELD_KEPT * coverage->answers[is_change] + (coverage->corpus.has_answered ? 1 : 0);
    return *seen->keep && coverage->mail
               ? search_layer__corpus_put_mail(&coverage->corpus, coverage->mail, seen->record, error)
               : COR_OK;
}

static enum cor_status finish(void *self, struct cor_record *record, struct cor_error *error) {
    struct coverage *coverage = self;
    if (coverage->definition.options && coverage->definition.options->minimize)
        search_layer__corpus_minimize(&coverage->corpus);
    return search_layer__corpus_put(&coverage->corpus, record, error);
}

const struct cor_generator cor_generator_coverage = {
    .name = "coverage",
    .observes = true,
    .takes = 1u << COR_GENERATOR_MINIMIZE | 1u << COR_GENERATOR_PATTERN,
    .meaning = "tests that did something new are kept and changed, the rarer the more often",
    .check = cor_generator_check_walks,
    .create = create,
    .next = next,
    .see = see,
    .finish = finish,
    .destroy = destroy,
};
