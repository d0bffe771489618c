/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random objectives over all partitionings that there are: the oracle reads the text, algorithms have steps.
 * What exact finds is the least number that the oracle gives any of them. */
#include "../../../../algorithms/host/tests/tasks.h"
#include "../text_internal.h"

#include <corridor/array.h>
#include <corridor/objective.h>

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
/* clang-format on */

extern const struct cor_algorithm cor_algorithm_exact, cor_algorithm_psopp, cor_algorithm_exchange,
    cor_algorithm_random, cor_algorithm_spada;

enum { AGENTS_MAX = 9, COLUMNS = 4, TEXT_MAX = 4000 };

/* ---- texts */

struct pen {
    char text[TEXT_MAX];
    size_t size;
    struct cor_rng *rng;
};

static void put(struct pen *pen, const char *more) {
    pen->size += (size_t)snprintf(pen->text + pen->size, sizeof pen->text - pen->size, "%s", more);
    assert_true(pen->size < sizeof pen->text);
}

static bool toss(struct pen *pen) {
    return cor_rng_below(pen->rng, 2) == 0;
}

static void put_one_of(struct pen *pen, const char *const *texts, uint32_t count) {
    put(pen, texts[cor_rng_below(pen->rng, count)]);
}
#define ONE_OF(pen, ...)                                      \
    do {                                                      \
        static const char *const texts[] = {__VA_ARGS__};     \
        put_one_of(pen, texts, sizeof texts / sizeof *texts); \
    } while (0)

static void put_filter(struct pen *pen) {
    put(pen, " where ");
    ONE_OF(pen, "a.kind == 'crane'", "a.weight > 3", "not (a.kind == 'truck')",
           "a.weight < 6 and a.capacity > 3", "a.capacity >= limit or a.kind != 'truck'");
}

/* A number of the members of the organization o, or of all agents. */
static void put_members(struct pen *pen, const char *collection) {
    if (cor_rng_below(pen->rng, 4) == 0) {
        put(pen, "count(a in ");
        put(pen, collection);
        put_filter(pen);
        put(pen, ")");
        return;
    }
    ONE_OF(pen, "sum(a in ", "sum(a in ", "mean(a in ", "min(a in ", "max(a in ");
    put(pen, collection);
    if (cor_rng_below(pen->rng, 3) == 0)
        put_filter(pen);
    ONE_OF(pen, ": a.value)", ": a.capacity)", ": a.load)", ": a.weight)");
}

static void put_number(struct pen *pen, int depth) {
    switch (depth == 0 ? cor_rng_below(pen->rng, 3) : cor_rng_below(pen->rng, 8)) {
    case 0:
    case 1:
        put_members(pen, "o.members");
        break;
    case 2:
        ONE_OF(pen, "count(o.members)", "limit", "2.5", "count(agents) / count(organizations)",
               "sum(a in agents: a.capacity) / count(organizations)");
        break;
    case 3:
        put(pen, "abs(");
        put_number(pen, depth - 1);
        put(pen, " - limit)");
        break;
    case 4:
        ONE_OF(pen, "max(", "min(");
        put_number(pen, depth - 1);
        put(pen, ", ");
        put_number(pen, depth - 1);
        put(pen, ")");
        break;
    default:
        put(pen, "(");
        put_number(pen, depth - 1);
        ONE_OF(pen, " - ", " + ", " * ", " / ");
        put_number(pen, depth - 1);
        put(pen, ")");
    }
}

static void put_whole(struct pen *pen, int depth) {
    if (depth > 0 && cor_rng_below(pen->rng, 3) == 0) {
        put(pen, "(");
        put_whole(pen, depth - 1);
        ONE_OF(pen, " - ", " + ", " + 0.5 * ");
        put_whole(pen, depth - 1);
        put(pen, ")");
        return;
    }
    if (cor_rng_below(pen->rng, 6) == 0) {
        put(pen, "count(o in organizations where ");
    } else {
        ONE_OF(pen, "sum(o in organizations", "sum(o in organizations", "max(o in organizations",
               "min(o in organizations", "mean(o in organizations");
        put(pen, toss(pen) ? ": " : " where count(o.members) > 1: ");
        put_number(pen, 2);
        put(pen, ")");
        return;
    }
    put_number(pen, 1);
    ONE_OF(pen, " <= ", " > ");
    put_number(pen, 1);
    put(pen, ")");
}

/* ---- a system */

static struct {
    struct test_task test;
    double columns[COLUMNS][AGENTS_MAX]; /* value, capacity, load, weight */
    int64_t load[AGENTS_MAX], weight[AGENTS_MAX], kind[AGENTS_MAX];
    const double *values[COLUMNS];
    struct interaction__text text;
    struct interaction__text_judge *judge;
    struct interaction__objective *objective;
    bool with_criteria;
    const char *trigger;                /* a line of the text; NULL: it has none */
    uint32_t label[AGENTS_MAX], blocks; /* of the solution of the last run */
} s;

static const struct cor_value_column described[COLUMNS] = {{.name = "value", .unit = ""},
                                                           {.name = "capacity", .unit = ""},
                                                           {.name = "load", .unit = ""},
                                                           {.name = "weight", .unit = ""}};

static void begin(const char *objective, uint32_t agents, struct cor_rng *rng) {
    static const char *const kinds[] = {"crane", "truck", NULL};
    const struct interaction__column columns[] = {
        {"type", NULL, COR_ATTRIBUTE_WORDS, 0, 0, NULL, false, false},
        {"state", NULL, COR_ATTRIBUTE_WORDS, 0, 0, NULL, true, false},
        {"group", NULL, COR_ATTRIBUTE_WORDS, 0, 0, NULL, false, false},
        {"value", NULL, COR_ATTRIBUTE_REAL, 0, 1, NULL, true, false},
        {"capacity", NULL, COR_ATTRIBUTE_REAL, 0, 10, NULL, false, false},
        {"load", NULL, COR_ATTRIBUTE_INTEGER, 0, 9, NULL, true, false},
        {"weight", NULL, COR_ATTRIBUTE_INTEGER, 0, 9, NULL, false, false},
        {"kind", NULL, COR_ATTRIBUTE_WORDS, 0, 0, kinds, false, false}};
    const struct interaction__agents all = {COR_STRUCTURE_PARTITIONING, "", columns, 8};
    const double limit = 4;
    char source[TEXT_MAX + 300];
    struct cor_error error = COR_NO_ERROR;
    snprintf(source, sizeof source,
             "structure partitioning\nattribute capacity: real 0 .. 10\nattribute load: integer 0 .. 9\n"
             "attribute weight: integer 0 .. 9\nattribute kind: words crane, truck\nparameter limit\n"
             "%s\nobjective least: %s\n",
             s.trigger ? s.trigger : "", objective);
    s.text = (struct interaction__text){.name = cor_strdup("text")};
    if (cor_corridor_parse(source, "text", &s.text.corridor, &error) != COR_OK ||
        interaction__text_check(&s.text, &all, true, &error) != COR_OK)
        fail_msg("%s: %s\n%s", error.place, error.cause, source);
    test_make(&s.test, &cor_algorithm_exact, agents, 1, cor_rng_word(rng));
    for (uint32_t i = 0; i < agents; i++) {
        int64_t crane = 0;
        s.columns[0][i] = s.test.values[i];
        s.columns[1][i] = cor_rng_below(rng, 1000) / 100.0;
        s.columns[2][i] = (double)(s.load[i] = cor_rng_below(rng, 10));
        s.columns[3][i] = (double)(s.weight[i] = cor_rng_below(rng, 10));
        assert_int_equal(interaction__text_word(&s.text, kinds[cor_rng_below(rng, 2)], &crane, &error),
                         COR_OK);
        s.kind[i] = crane;
    }
    for (uint32_t c = 0; c < COLUMNS; c++)
        s.values[c] = s.columns[c];
    s.test.task.values = s.values;
    s.test.rules.value_count = COLUMNS;
    s.test.rules.columns = described;
    assert_int_equal(interaction__text_judge_create(&s.text, agents, &limit, &s.judge, &error), COR_OK);
    const int64_t *const integers[] = {NULL, NULL, s.load, s.weight};
    for (uint32_t c = 0; c < COLUMNS; c++) {
        const int attribute = interaction__text_attribute(&s.text, described[c].name);
        if (attribute >= 0)
            interaction__text_judge_column(s.judge, attribute, s.columns[c], integers[c], NULL);
    }
    const int kind = interaction__text_attribute(&s.text, "kind");
    if (kind >= 0)
        interaction__text_judge_column(s.judge, kind, NULL, s.kind, NULL);
    assert_int_equal(
        interaction__text_objective_create(s.judge, &s.test.rules, s.with_criteria, &s.objective, &error),
        COR_OK);
    s.test.task.objective = interaction__text_objective(s.objective);
}

static void end(void) {
    interaction__text_objective_destroy(s.objective);
    interaction__text_judge_destroy(s.judge);
    cor_corridor_destroy(s.text.corridor);
    free(s.text.changes);
    free(s.text.is_partial);
    free(s.text.name);
}

/* By the oracle, from the text. */
static double reckon(const struct cor_lists *lists) {
    struct cor_judgement kind;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(interaction__text_look(s.judge, lists, &kind, &error), COR_OK);
    assert_int_equal(kind.violation_count, 0);
    return interaction__text_reckon(s.judge);
}

/* By the steps. */
static double follow(const struct cor_lists *lists) {
    static double memory[100000];
    struct cor_objective_work work;
    uint32_t slots[AGENTS_MAX];
    assert_true(cor_objective_bytes(s.test.task.objective, AGENTS_MAX, AGENTS_MAX) <= sizeof memory);
    cor_objective_begin(&work, &s.test.task, AGENTS_MAX, AGENTS_MAX, memory);
    for (uint32_t b = 0; b < lists->block_count; b++) {
        slots[b] = AGENTS_MAX - 1 - b; /* not in order */
        cor_objective_measure(&work, slots[b], lists->members + lists->start[b],
                              lists->start[b + 1] - lists->start[b]);
    }
    return cor_objective_total(&work, slots, lists->block_count);
}

static bool alike(double a, double b) {
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * (1 + fabs(a));
}

/* The number of a partitioning by labels; false: it is outside of the limits. */
static bool number_of(const uint32_t *label, uint32_t blocks, double *number) {
    uint32_t start[AGENTS_MAX + 1] = {0}, members[AGENTS_MAX], at = 0;
    const struct cor_rules *rules = &s.test.rules;
    if (blocks < rules->count_min || blocks > rules->count_max)
        return false;
    for (uint32_t b = 0; b < blocks; b++) {
        for (uint32_t i = 0; i < s.test.task.agent_count; i++)
            if (label[i] == b)
                members[at++] = i;
        start[b + 1] = at;
        if (at - start[b] < rules->size_min || at - start[b] > rules->size_max)
            return false;
    }
    const struct cor_lists lists = {
        .block_count = blocks, .member_count = at, .start = start, .members = members};
    *number = reckon(&lists);
    assert_true(alike(*number, follow(&lists)));
    return true;
}

/* All partitionings within the limits, as restricted growth strings. */
struct listing {
    uint32_t label[AGENTS_MAX], found, known;
    double least;
};

static void judge(struct listing *listing, uint32_t blocks) {
    double number;
    if (!number_of(listing->label, blocks, &number))
        return;
    listing->found++;
    if (isnan(number))
        return;
    listing->known++;
    listing->least = fmin(listing->least, number);
}

static void list_from(struct listing *listing, uint32_t agent, uint32_t blocks) {
    if (agent == s.test.task.agent_count) {
        judge(listing, blocks);
        return;
    }
    for (uint32_t b = 0; b <= blocks; b++) {
        listing->label[agent] = b;
        list_from(listing, agent + 1, b == blocks ? blocks + 1 : blocks);
    }
}

static void limit(struct cor_rng *rng) {
    const uint32_t n = s.test.task.agent_count;
    s.test.rules.size_min = 1 + cor_rng_below(rng, 2);
    s.test.rules.size_max = s.test.rules.size_min + cor_rng_below(rng, n);
    s.test.rules.count_min = 1 + cor_rng_below(rng, 2);
    s.test.rules.count_max = s.test.rules.count_min + cor_rng_below(rng, n);
}

/* The solution's number by the oracle; NaN if there is none. */
static double run(const struct cor_algorithm *algorithm, const struct cor_session_definition *definition) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_outcome outcome;
    struct cor_session *session;
    double number = NAN;
    cor_outcome_init(&outcome);
    for (uint32_t i = 0; i < cor_algorithm_parameter_count(algorithm); i++)
        s.test.parameters[i] = algorithm->parameters[i].value;
    s.test.rules.parameter_count = cor_algorithm_parameter_count(algorithm);
    assert_int_equal(cor_session_create(definition, &session, &error), COR_OK);
    assert_int_equal(cor_session_reorganize(session, &s.test.task, &s.test.name, &outcome, &error), COR_OK);
    if (outcome.smoke == COR_SMOKE_NONE) {
        assert_true(test_is_partitioning(&outcome.solution, s.test.task.agent_count));
        number = reckon(&outcome.solution);
        s.blocks = outcome.solution.block_count;
        for (uint32_t b = 0; b < s.blocks; b++)
            for (uint32_t m = 0; m < cor_lists_size(&outcome.solution, b); m++)
                s.label[cor_lists_block(&outcome.solution, b)[m]] = b;
    }
    cor_session_destroy(session);
    cor_outcome_fini(&outcome);
    return number;
}

/* Whatever two agents of the solution that change places, or one that changes sides, bring, it is no gain. */
static void exchange_has_nothing_to_gain(double reached) {
    for (uint32_t i = 0; i < s.test.task.agent_count; i++)
        for (uint32_t j = 0; j < s.test.task.agent_count + s.blocks; j++) {
            const bool is_swap = j < s.test.task.agent_count;
            const uint32_t own = s.label[i], other = is_swap ? s.label[j] : j - s.test.task.agent_count;
            double number = INFINITY;
            s.label[i] = other;
            if (is_swap)
                s.label[j] = own;
            if (number_of(s.label, s.blocks, &number))
                assert_true(number >= reached - 1e-9 * (1 + fabs(reached)));
            if (is_swap)
                s.label[j] = other;
            s.label[i] = own;
        }
}

static void exact_is_optimal_and_the_others_are_no_worse_than_random(void **state) {
    (void)state;
    const struct cor_algorithm *const others[] = {&cor_algorithm_psopp, &cor_algorithm_exchange,
                                                  &cor_algorithm_random};
    double gap[3] = {0};
    uint32_t done = 0, compared = 0, best[3] = {0};
    for (uint64_t seed = 0; done < 100; seed++) {
        struct cor_rng rng = test_rng(seed);
        struct pen pen = {.rng = &rng};
        struct listing listing = {.least = INFINITY};
        put_whole(&pen, 2);
        begin(pen.text, 2 + cor_rng_below(&rng, 6), &rng);
        limit(&rng);
        list_from(&listing, 0, 0);
        struct cor_session_definition definition = cor_default_session(&cor_algorithm_exact);
        definition.strict = true;
        const double exact = run(&cor_algorithm_exact, &definition);
        if (listing.known == 0)
            assert_true(isnan(exact));
        else if (!alike(exact, listing.least))
            fail_msg("%s: exact has %.17g, the least is %.17g", pen.text, exact, listing.least);
        /* What is known of all can be averaged over objectives. */
        for (int a = 0; a < 3 && listing.found > 0 && listing.known == listing.found; a++) {
            definition = cor_default_session(others[a]);
            definition.strict = true; /* the task's arrays end where they end */
            const double reached = run(others[a], &definition);
            compared += a == 0;
            assert_true(reached >= listing.least - 1e-9 * (1 + fabs(listing.least)));
            gap[a] += (reached - listing.least) / (1 + fabs(listing.least));
            best[a] += alike(reached, listing.least);
            if (a == 1)
                exchange_has_nothing_to_gain(reached);
        }
        done += listing.known > 0;
        end();
    }
    /* Small as they are, psopp misses hardly any optimum. */
    assert_true(compared > 70 && gap[0] < 0.001 * compared && best[0] > 0.95 * compared);
    assert_true(gap[1] < gap[2] && best[1] > best[2]);
}

/* Sums, means and maxima over organizations go by a way of their own, which is no way through all. */
static void forms_that_decompose_are_optimal_too(void **state) {
    (void)state;
    static const char off_the_middle[] = "mean(o in organizations: (mean(a in o.members: a.value) - 0.5) * "
                                         "(mean(a in o.members: a.value) - 0.5))";
    static const char *const texts[] = {"sum(o in organizations: abs(sum(a in o.members: a.capacity) - 12))",
                                        off_the_middle, "max(o in organizations: -count(o.members))",
                                        "max(o in organizations: abs(sum(a in o.members: a.load) - limit))"};
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct cor_rng rng = test_rng(1000 + seed);
        struct listing listing = {.least = INFINITY};
        begin(texts[seed % 4], 6 + cor_rng_below(&rng, 2), &rng);
        limit(&rng);
        list_from(&listing, 0, 0);
        const struct cor_session_definition definition = cor_default_session(&cor_algorithm_exact);
        const double exact = run(&cor_algorithm_exact, &definition);
        assert_true(listing.found == 0 ? isnan(exact) : alike(exact, listing.least));
        end();
    }
}

/* ---- by block: spada, whose leaders see their own members and those of one they invite from */

/* Do these agents what the trigger of the test asks of an organization? By hand, from the columns. */
static bool is_good(uint32_t block) {
    double load = 0;
    uint32_t trucks = 0, all = 0;
    int64_t truck = -1;
    assert_int_equal(interaction__text_word(&s.text, "truck", &truck, NULL), COR_OK);
    for (uint32_t i = 0; i < s.test.task.agent_count; i++)
        if (s.label[i] == block) {
            load += s.columns[2][i];
            trucks += s.kind[i] == truck;
            all++;
        }
    return s.trigger && (trucks == 0 || load / all <= 4);
}

/* The number of the structure that labels say, of which some may be nobody's. */
static double number_of_labels(void) {
    uint32_t start[AGENTS_MAX + 2] = {0}, members[AGENTS_MAX], at = 0, blocks = 0;
    for (uint32_t b = 0; b <= s.blocks; b++) {
        for (uint32_t i = 0; i < s.test.task.agent_count; i++)
            if (s.label[i] == b)
                members[at++] = i;
        if (at > start[blocks])
            start[++blocks] = at;
    }
    return reckon(
        &(struct cor_lists){.block_count = blocks, .member_count = at, .start = start, .members = members});
}

/* Changes of one agent that would lower the objective, to who might still look for it. */
static uint32_t changes_left(double reached) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < s.test.task.agent_count; i++)
        for (uint32_t other = 0; other <= s.blocks; other++) {
            const uint32_t own = s.label[i];
            if (other == own || is_good(other < s.blocks ? other : own))
                continue;
            s.label[i] = other;
            left += number_of_labels() < reached - 1e-6;
            s.label[i] = own;
        }
    return left;
}

static void spada_goes_by_criteria_of_the_text(void **state) {
    (void)state;
    static const char *const texts[] = {
        "sum(o in organizations: abs(sum(a in o.members: a.capacity) - 12))",
        "max(o in organizations: abs(sum(a in o.members: a.load) - limit))",
        "sum(o in organizations: count(a in o.members where a.kind = 'truck') * "
        "(2 - count(o.members)) + 0.1 * sum(a in o.members: a.weight))",
        "sum(o in organizations: (mean(a in o.members: a.value) - 0.5) * "
        "(mean(a in o.members: a.value) - 0.5))"};
    uint32_t good_before = 0, good_after = 0, spared = 0;
    double gained[2] = {0}, best = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct cor_rng rng = test_rng(2000 + seed);
        struct listing listing = {.least = INFINITY};
        double before, random;
        s.with_criteria = true;
        s.trigger = seed % 2 ? "trigger calm: all(o in organizations where count(a in o.members where a.kind "
                               "= 'truck') > 0: "
                               "mean(a in o.members: a.load) <= 4)"
                             : NULL;
        begin(texts[seed / 2 % 4], 5 + cor_rng_below(&rng, 3), &rng);
        list_from(&listing, 0, 0);
        const uint32_t blocks = s.test.task.block_count = 1 + cor_rng_below(&rng, s.test.task.agent_count);
        for (uint32_t b = 0; b <= blocks; b++)
            s.test.start[b] = b * s.test.task.agent_count / blocks;
        const struct cor_lists present = {.block_count = s.test.task.block_count,
                                          .member_count = s.test.task.agent_count,
                                          .start = s.test.start,
                                          .members = s.test.members};
        before = reckon(&present);
        struct cor_session_definition definition = cor_default_session(&cor_algorithm_random);
        random = run(&cor_algorithm_random, &definition);
        definition = cor_default_session(&cor_algorithm_spada);
        definition.strict = seed % 5 == 0;
        definition.mail.mode = seed % 3 ? COR_MAIL_IN_ORDER : COR_MAIL_SHUFFLED;
        s.test.rules.budget = 20000;
        const double reached = run(&cor_algorithm_spada, &definition);
        assert_true(reached <= before + 1e-9);
        gained[0] += before - reached;
        gained[1] += before - random;
        best += before - listing.least;
        assert_int_equal(changes_left(reached), 0);
        bool is_good_now = true, was_good = true;
        for (uint32_t b = 0; b < s.blocks; b++)
            is_good_now = is_good_now && is_good(b);
        good_after += is_good_now;
        spared += is_good_now && reached > listing.least + 1e-9;
        for (uint32_t b = 0; b < blocks; b++)
            for (uint32_t m = s.test.start[b]; m < s.test.start[b + 1]; m++)
                s.label[s.test.members[m]] = b;
        for (uint32_t b = 0; b < blocks; b++)
            was_good = was_good && is_good(b);
        good_before += was_good;
        assert_true(!was_good || alike(reached, before)); /* nobody has a reason to begin */
        end();
    }
    s.with_criteria = false;
    s.trigger = NULL;
    assert_true(good_before >= 10 && good_after >= good_before && spared >= 20);
    assert_true(gained[0] > 0.7 * best && gained[1] < 0.5 * best);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_is_optimal_and_the_others_are_no_worse_than_random),
        cmocka_unit_test(forms_that_decompose_are_optimal_too),
        cmocka_unit_test(spada_goes_by_criteria_of_the_text),
    };
    return cmocka_run_group_tests_name("objective", tests, NULL, NULL);
}
