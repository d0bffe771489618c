/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Agents that come and go, against a second implementation: who is there, their numbers, the structure, what
 * is due and what an algorithm is asked, case by case, of walks as they are; draws of all else, which stay;
 * and how often and how long agents are there, against the law of a chain of two states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "require.h"

#include <corridor/oracle.h>
#include <corridor/run.h>
#include <corridor/state.h>
#include <corridor/suite.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 24, FOLLOWED = 20 };

static char folder[] = "/tmp/corridor_presence_XXXXXX";
static char path[64];

/* Poles and vans, and what is said of them and of the arm. */
static struct cor_experiment *experiment_of(const char *algorithm, const char *measure, const char *sizes,
                                            const char *pole, const char *van, const char *more) {
    struct cor_experiment *experiment;
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(
        out,
        "{\"corridor_experiment\": 1, \"name\": \"t\", \"seed\": \"0x7\", \"suites\": 40, \"sequences\": 3, "
        "\"cases\": 40, \"model\": {\"corridor_model\": 1, \"agents\": %d, \"groups\": {\"count\": 5}, "
        "\"mixed_groups\": true, \"structure\": {%s}, \"inertia\": [0.2, 1], "
        "\"attributes\": {\"charge\": {\"real\": [0, 9], \"adds\": \"value - charge / 8\", \"from\": [1, "
        "2]}}, "
        "\"environments\": {\"sky\": {\"profile\": {\"states\": [\"dark\", \"bright\"], \"transitions\": "
        "{\"dark\": {\"bright\": 0.4, \"dark\": 0.6}, \"bright\": {\"dark\": 0.7, \"bright\": 0.3}}}}}, "
        "\"types\": {\"pole\": {\"environment\": \"sky\", \"states\": {\"on\": 0.9, \"off\": 0.1}, "
        "\"influence\": {\"dark\": \"on\", \"bright\": {\"on\": \"off\", \"off\": \"on\"}}%s}, "
        "\"van\": {\"level\": [0, 1]%s}}, \"invariant\": {\"measure\": \"%s\", \"threshold\": 0.3}}, "
        "\"arms\": [{\"name\": \"A\", \"algorithm\": \"%s\", \"parameters\": {\"budget\": 300}%s}]}",
        MOST, sizes, pole, van, measure, algorithm, more);
    assert_int_equal(fclose(out), 0);
    REQUIRE(cor_experiment_read(path, &experiment, &said));
    return experiment;
}

/* The system as it is made here; block[i] is -1 for none. */
struct mine {
    bool is_here[MOST];
    int block[MOST];
    uint8_t state[MOST];
    double value[MOST], charge[MOST];
};

static bool is_here(const struct cor_configuration *c, uint32_t agent, const uint8_t *chains) {
    return !c->presence_chain || c->presence_chain[agent] == COR_NOBODY ||
           chains[c->presence_chain[agent]] == 0;
}

static void begin(struct mine *m, const struct cor_configuration *c, const uint8_t *chains) {
    for (uint32_t i = 0; i < c->agent_count; i++) {
        m->is_here[i] = is_here(c, i, chains);
        m->block[i] = m->is_here[i] ? (int)c->initial_partition[i] : -1;
        m->state[i] = c->initial_state[i];
        m->value[i] = c->initial_value[i];
        m->charge[i] = c->attributes[0].initial[i];
    }
}

static void come_go_perceive(struct mine *m, const struct cor_configuration *c, const uint8_t *chains) {
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
            const bool was = m->is_here[i];
            m->is_here[i] = is_here(c, i, chains);
            if (!m->is_here[i])
                m->block[i] = -1;
            if (!was && m->is_here[i]) {
                m->state[i] = c->initial_state[i];
                m->value[i] = c->initial_value[i];
                m->charge[i] = c->attributes[0].initial[i];
            }
            if (!m->is_here[i])
                continue;
            const uint32_t chain = cor_configuration_chain(c, c->type[i], g);
            const struct cor_effect *e = cor_configuration_effect(c, c->type[i], chain);
            m->state[i] = e->next[e->relevant[chains[chain]] * e->state_count + m->state[i]];
            m->value[i] += c->inertia[i] * (e->level[m->state[i]] - m->value[i]);
            m->charge[i] = fmin(fmax(m->charge[i] + (m->value[i] - m->charge[i] / 8), 0), 9);
        }
}

/* What is due, by definitions; *edge: rounding could decide it. */
static bool is_due(const struct mine *m, const struct cor_configuration *c, bool has_limits, bool *edge,
                   uint32_t *here) {
    double sums[MOST] = {0}, mean = 0, low = INFINITY, high = -INFINITY, squares = 0;
    uint32_t sizes[MOST] = {0}, blocks = 0;
    bool due = false;
    *here = 0;
    for (uint32_t i = 0; i < c->agent_count; i++) {
        *here += m->is_here[i];
        mean += m->is_here[i] ? m->value[i] : 0;
        due = due || (m->is_here[i] && m->block[i] < 0);
        if (m->block[i] >= 0) {
            sums[m->block[i]] += m->value[i];
            sizes[m->block[i]]++;
        }
    }
    mean /= *here > 0 ? *here : 1;
    for (uint32_t b = 0; b < MOST; b++) {
        if (sizes[b] == 0)
            continue;
        blocks++;
        low = fmin(low, sums[b] / sizes[b]);
        high = fmax(high, sums[b] / sizes[b]);
        squares += (sums[b] / sizes[b] - mean) * (sums[b] / sizes[b] - mean);
        due = due || (has_limits && (sizes[b] < c->limits.size_min || sizes[b] > c->limits.size_max));
    }
    due = due || (has_limits && *here > 0 && (blocks < c->limits.count_min || blocks > c->limits.count_max));
    const double found = blocks == 0                       ? 0
                         : c->measure == COR_MEASURE_RANGE ? high - low
                                                           : sqrt(squares / blocks);
    *edge = !due && fabs(found - c->threshold) < 1e-9;
    return due || found > c->threshold;
}

static bool is_feasible(const struct cor_configuration *c, bool has_limits, uint32_t agents) {
    bool feasible = false;
    for (uint32_t count = 1; count <= agents; count++)
        feasible = feasible || !has_limits ||
                   (count >= c->limits.count_min && count <= c->limits.count_max &&
                    count * c->limits.size_min <= agents && agents <= count * c->limits.size_max);
    return feasible;
}

/* Are the blocks those that are here, and nobody else in them? */
static void assert_blocks(const struct mine *m, const struct cor_lists *lists, uint32_t agents) {
    int block[MOST], first[MOST];
    uint32_t members = 0;
    memset(block, 0xff, sizeof block);
    memset(first, 0xff, sizeof first);
    for (uint32_t b = 0; b < lists->block_count; b++)
        for (uint32_t k = lists->start[b]; k < lists->start[b + 1]; k++, members++) {
            assert_true(lists->members[k] < agents && block[lists->members[k]] < 0);
            block[lists->members[k]] = (int)b;
        }
    for (uint32_t i = 0; i < agents; i++) {
        assert_int_equal(block[i] < 0, m->block[i] < 0);
        if (block[i] < 0)
            continue;
        if (first[m->block[i]] < 0) /* of each of mine one of theirs, and of that no other's */
            first[m->block[i]] = block[i];
        assert_int_equal(first[m->block[i]], block[i]);
    }
    uint32_t mine = 0;
    for (uint32_t b = 0; b < MOST; b++)
        mine += first[b] >= 0;
    assert_int_equal(mine, lists->block_count);
    (void)members;
}

struct counted {
    uint64_t cases, asked, due, unasked, came, went;
};

static void take(struct mine *m, const struct cor_case_question *q, const struct cor_configuration *c,
                 bool has_limits) {
    bool seen[MOST] = {false};
    for (uint32_t b = 0; b < q->solution->block_count; b++) {
        const uint32_t size = cor_lists_size(q->solution, b);
        assert_true(size > 0 && (!has_limits || (size >= c->limits.size_min && size <= c->limits.size_max)));
        for (uint32_t k = q->solution->start[b]; k < q->solution->start[b + 1]; k++) {
            const uint32_t agent = q->solution->members[k];
            assert_true(agent < c->agent_count && m->is_here[agent] && !seen[agent]);
            seen[agent] = true;
            m->block[agent] = (int)b;
        }
    }
    for (uint32_t i = 0; i < c->agent_count; i++)
        assert_int_equal(seen[i], m->is_here[i]);
}

static void follow_sequence(struct cor_runner *runner, struct cor_record *record,
                            const struct cor_suite *suite, struct counted *n) {
    const struct cor_configuration *c = suite->configuration;
    const bool has_limits = suite->arm->algorithm->capabilities & COR_LIMITS;
    const struct cor_walk *walk = cor_sequence_walk(runner);
    struct mine m;
    begin(&m, c, cor_walk_at(walk, 0));
    for (uint32_t number = 1; !cor_sequence_is_over(runner); number++) {
        const struct mine before = m;
        struct cor_case_question q;
        bool edge;
        uint32_t here;
        REQUIRE(cor_sequence_case(runner, &said));
        come_go_perceive(&m, c, cor_walk_at(walk, number));
        for (uint32_t i = 0; i < c->agent_count; i++) {
            n->came += !before.is_here[i] && m.is_here[i];
            n->went += before.is_here[i] && !m.is_here[i];
        }
        const bool due = is_due(&m, c, has_limits, &edge, &here), can = is_feasible(c, has_limits, here);
        const struct cor_case_row *row =
            cor_record_at(record, COR_TABLE_CASES, cor_record_size(record, COR_TABLE_CASES) - 1);
        assert_true(edge || row->alarm == due);
        assert_int_equal(row->detect, due && !can ? COR_VERDICT_UNDECIDED : COR_VERDICT_PASSED);
        const bool asked = cor_sequence_question(runner, &q);
        assert_int_equal(asked, row->alarm && can);
        if (asked) {
            assert_blocks(&m, q.before, c->agent_count);
            take(&m, &q, c, has_limits);
            assert_blocks(&m, q.after, c->agent_count);
            assert_int_equal(row->gray, COR_VERDICT_PASSED);
            assert_int_equal(row->black, COR_VERDICT_PASSED);
        }
        const struct cor_state *state = cor_sequence_state(runner);
        assert_int_equal(state->present_count, here);
        for (uint32_t i = 0; i < c->agent_count; i++) {
            assert_int_equal(!state->absent || !state->absent[i], m.is_here[i]);
            assert_int_equal(state->agent_state[i], m.state[i]);
            assert_true(state->value[i] == m.value[i]);
            assert_true(fabs(state->attribute[0][i] - m.charge[i]) < 1e-12);
        }
        n->cases++;
        n->asked += asked;
        n->due += due;
        n->unasked += due && !can;
    }
}

static void follow(struct cor_experiment *experiment, struct counted *n) {
    struct cor_session *session;
    struct cor_record *record;
    REQUIRE(cor_session_create(&experiment->arms[0].session, &session, &said));
    REQUIRE(cor_record_create(&cor_interaction_schema, &record, &said));
    for (uint32_t s = 0; s < FOLLOWED; s++) {
        struct cor_suite *suite;
        struct cor_runner *runner;
        REQUIRE(cor_suite_generate(experiment, 0, s, &suite, &said));
        const struct cor_execution execution = {suite, session, false};
        REQUIRE(cor_runner_create(&execution, record, &runner, &said));
        cor_runner_keep_questions(runner, true);
        for (uint32_t q = 0; q < suite->sequence_count; q++) {
            const struct cor_walk_definition walk = cor_suite_walk_definition(suite, q, NULL);
            REQUIRE(cor_sequence_begin(runner, &walk, &said));
            follow_sequence(runner, record, suite, n);
            REQUIRE(cor_sequence_end(runner, &said));
        }
        cor_runner_destroy(runner);
        cor_suite_destroy(suite);
    }
    cor_record_destroy(record);
    cor_session_destroy(session);
    cor_experiment_destroy(experiment);
}

static void who_comes_and_goes_is_asked_for_and_judged(void **state) {
    (void)state;
    static const char *const algorithms[] = {"spada", "psopp", "random", "exchange"};
    static const char *const sizes[] = {
        "\"size_min\": 1, \"size_max\": 24, \"count_min\": 8",
        "\"size_min\": 2, \"size_max\": 6, \"count_max\": 8",
        "\"size_min\": 4, \"size_max\": 4, \"count_min\": 2, \"count_max\": 8"};
    uint64_t unasked = 0;
    for (size_t i = 0; i < 12; i++) {
        struct counted n = {0};
        follow(experiment_of(algorithms[i % 4], i % 2 ? "range" : "rms", sizes[i / 4],
                             i % 3 == 0   ? ", \"fails\": 0.3, \"arrives\": 0.3"
                             : i % 3 == 1 ? ", \"present\": 0.7"
                                          : "",
                             ", \"fails\": 0.1, \"arrives\": 0.2, \"present\": 0.5", ""),
               &n);
        assert_true(n.cases == FOLLOWED * 3 * 40 && n.asked > 300 && n.asked < n.cases && n.came > 500 &&
                    n.went > 500);
        unasked += n.unasked;
    }
    assert_true(unasked > 100);
}

/* With nobody or a single agent there for long. */
static void nobody_may_be_there(void **state) {
    (void)state;
    for (int limits = 0; limits < 2; limits++) {
        struct counted n = {0};
        follow(experiment_of(limits ? "psopp" : "spada", "rms", "\"size_min\": 2, \"size_max\": 12",
                             ", \"fails\": 0.6, \"arrives\": 0.02, \"present\": 0.1",
                             ", \"fails\": 0.7, \"arrives\": 0.02", ""),
               &n);
        assert_true(n.asked > 150 && (n.unasked > 50) == (limits == 1));
    }
}

/* Results of a reorganization before name who is not there any more, and miss who came: that fails, and
 * nobody who is not there is put into a partition. */
static void who_is_not_there_is_placed_nowhere(void **state) {
    (void)state;
    struct cor_experiment *experiment = experiment_of(
        "random", "range", "\"size_min\": 1, \"size_max\": 24", ", \"fails\": 0.05, \"arrives\": 0.2",
        ", \"fails\": 0.1, \"arrives\": 0.3", ", \"result\": {\"fault\": \"stale\"}");
    struct cor_session *session;
    struct cor_record *record;
    uint32_t failed = 0, named = 0;
    REQUIRE(cor_session_create(&experiment->arms[0].session, &session, &said));
    REQUIRE(cor_record_create(&cor_interaction_schema, &record, &said));
    for (uint32_t s = 0; s < 10; s++) {
        struct cor_suite *suite;
        struct cor_runner *runner;
        REQUIRE(cor_suite_generate(experiment, 0, s, &suite, &said));
        const struct cor_execution execution = {suite, session, false};
        REQUIRE(cor_runner_create(&execution, record, &runner, &said));
        cor_runner_keep_questions(runner, true);
        for (uint32_t q = 0; q < suite->sequence_count; q++) {
            const struct cor_walk_definition walk = cor_suite_walk_definition(suite, q, NULL);
            struct cor_case_question question;
            REQUIRE(cor_sequence_begin(runner, &walk, &said));
            while (!cor_sequence_is_over(runner)) {
                REQUIRE(cor_sequence_case(runner, &said));
                if (!cor_sequence_question(runner, &question))
                    continue;
                const struct cor_state *now = cor_sequence_state(runner);
                const struct cor_case_row *row =
                    cor_record_at(record, COR_TABLE_CASES, cor_record_size(record, COR_TABLE_CASES) - 1);
                bool is_named[MOST] = {false}, is_right = true;
                for (uint32_t k = 0; k < question.solution->member_count; k++)
                    is_named[question.solution->members[k]] = true;
                for (uint32_t i = 0; i < MOST; i++) {
                    is_right = is_right && is_named[i] == !now->absent[i];
                    named += is_named[i] && now->absent[i];
                    assert_true(!now->absent[i] || now->structure.partition[i] == COR_NOBODY);
                }
                assert_int_equal(row->gray, is_right ? COR_VERDICT_PASSED : COR_VERDICT_FAILED);
                failed += !is_right;
            }
            REQUIRE(cor_sequence_end(runner, &said));
        }
        cor_runner_destroy(runner);
        cor_suite_destroy(suite);
    }
    assert_true(failed > 20 && named > 20);
    cor_record_destroy(record);
    cor_session_destroy(session);
    cor_experiment_destroy(experiment);
}

/* All that is not about coming and going is drawn as it is without. */
static void nothing_else_is_drawn_another_way(void **state) {
    (void)state;
    const char *sizes = "\"size_min\": 1, \"size_max\": 24";
    struct cor_experiment *experiments[2];
    experiments[0] = experiment_of("random", "range", sizes, "", "", "");
    experiments[1] =
        experiment_of("random", "range", sizes, ", \"fails\": 0.3, \"arrives\": 0.4", ", \"fails\": 0.1", "");
    for (uint32_t s = 0; s < 40; s++) {
        struct cor_suite *suites[2];
        struct cor_walk walks[2];
        for (int e = 0; e < 2; e++) {
            REQUIRE(cor_suite_generate(experiments[e], 0, s, &suites[e], &said));
            cor_walk_init(&walks[e]);
            REQUIRE(cor_suite_walk(suites[e], 1, &walks[e], &said));
        }
        const struct cor_configuration *one = suites[0]->configuration, *other = suites[1]->configuration;
        assert_true(!one->presence_chain && other->presence_chain);
        assert_int_equal(other->chain_count, one->chain_count + other->agent_count);
        assert_memory_equal(one->type, other->type, MOST * sizeof *one->type);
        assert_memory_equal(one->inertia, other->inertia, MOST * sizeof *one->inertia);
        assert_memory_equal(one->initial_value, other->initial_value, MOST * sizeof *one->initial_value);
        assert_memory_equal(one->initial_partition, other->initial_partition,
                            MOST * sizeof *one->initial_partition);
        assert_memory_equal(one->attributes[0].initial, other->attributes[0].initial, MOST * sizeof(double));
        for (uint32_t t = 0; t < one->type_count; t++)
            assert_memory_equal(one->effects[t].level, other->effects[t * other->profile_count].level,
                                one->effects[t].state_count * sizeof(double));
        for (uint32_t number = 0; number <= walks[0].case_count; number++)
            assert_memory_equal(cor_walk_at(&walks[0], number), cor_walk_at(&walks[1], number),
                                one->chain_count);
        for (int e = 0; e < 2; e++) {
            cor_walk_fini(&walks[e]);
            cor_suite_destroy(suites[e]);
        }
    }
    for (int e = 0; e < 2; e++)
        cor_experiment_destroy(experiments[e]);
}

/* A chain of two states: the share that is there, and how long agents stay and are away. */
static void agents_are_there_as_the_law_says(void **state) {
    (void)state;
    const double arrives = 0.2, fails = 0.05, start = 0.3;
    struct cor_experiment *experiment =
        experiment_of("random", "range", "\"size_min\": 1, \"size_max\": 24", "",
                      ", \"fails\": 0.05, \"arrives\": 0.2, \"present\": 0.3", "");
    uint64_t steps[2][2] = {{0}}, first[2] = {0}, late[2] = {0};
    for (uint32_t s = 0; s < 40; s++) {
        struct cor_suite *suite;
        REQUIRE(cor_suite_generate(experiment, 0, s, &suite, &said));
        const struct cor_configuration *c = suite->configuration;
        for (uint32_t q = 0; q < suite->sequence_count; q++) {
            struct cor_walk walk;
            cor_walk_init(&walk);
            REQUIRE(cor_suite_walk(suite, q, &walk, &said));
            for (uint32_t i = 0; i < c->agent_count; i++) {
                const uint32_t chain = c->presence_chain[i];
                assert_int_equal(chain == COR_NOBODY, c->type[i] == 0);
                if (chain == COR_NOBODY)
                    continue;
                assert_true(cor_configuration_is_presence(c, chain) && c->location_of_chain[chain] == i);
                first[cor_walk_at(&walk, 0)[chain]]++;
                late[cor_walk_at(&walk, 40)[chain]]++;
                for (uint32_t k = 1; k <= 40; k++)
                    steps[cor_walk_at(&walk, k - 1)[chain]][cor_walk_at(&walk, k)[chain]]++;
            }
            cor_walk_fini(&walk);
        }
        cor_suite_destroy(suite);
    }
    cor_experiment_destroy(experiment);
    const struct {
        double hits, of, law;
    } shares[] = {
        {(double)first[0], (double)(first[0] + first[1]), start},
        {(double)steps[0][1], (double)(steps[0][0] + steps[0][1]), fails},
        {(double)steps[1][0], (double)(steps[1][0] + steps[1][1]), arrives},
        /* the law forgets its start by (1 - arrives - fails) a step */
        {(double)late[0], (double)(late[0] + late[1]), arrives / (arrives + fails)},
    };
    for (size_t i = 0; i < 4; i++) {
        const double sd = sqrt(shares[i].law * (1 - shares[i].law) / shares[i].of);
        assert_true(shares[i].of > 1000);
        assert_true(fabs(shares[i].hits / shares[i].of - shares[i].law) < 4.5 * sd);
    }
}

/* The oracle over all partial lists of four agents and all absences, against definitions. */
static void the_oracle_knows_who_is_there(void **state) {
    (void)state;
    struct cor_oracle *oracle;
    REQUIRE(cor_oracle_create(4, &oracle, &said));
    for (uint32_t code = 0; code < 256 * 16; code++) {
        /* Each agent in no block, block 0, block 1, or both; who is absent. */
        uint8_t absent[4];
        struct cor_lists lists;
        struct cor_judgement judgement;
        uint32_t missing = 0, doubled = 0, unknown = 0, empty = 0, there = 0, blocks = 0;
        double sums[2] = {0}, means[2];
        const double values[4] = {0.1, 0.25, 0.7, 0.95};
        cor_lists_init(&lists);
        for (uint32_t i = 0; i < 4; i++)
            absent[i] = code >> (8 + i) & 1;
        for (uint32_t b = 0; b < 2; b++) {
            uint32_t members[4], count = 0, known = 0;
            for (uint32_t i = 0; i < 4; i++)
                if (code >> (2 * i + b) & 1) {
                    members[count++] = i;
                    unknown += absent[i];
                    known += !absent[i];
                    sums[b] += absent[i] ? 0 : values[i];
                }
            empty += count == 0;
            REQUIRE(cor_lists_put(&lists, members, count, &said));
            if (known > 0)
                means[blocks++] = sums[b] / known;
        }
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t in = (code >> (2 * i) & 1) + (code >> (2 * i + 1) & 1);
            there += !absent[i];
            missing += !absent[i] && in == 0;
            doubled += !absent[i] && in == 2;
        }
        cor_oracle_attend(oracle, absent);
        cor_oracle_judge(oracle, &lists, 4, &COR_NO_LIMITS, &judgement);
        assert_int_equal(judgement.count[COR_CHECK_MISSING], missing);
        assert_int_equal(judgement.count[COR_CHECK_DOUBLE], doubled);
        assert_int_equal(judgement.count[COR_CHECK_UNKNOWN], unknown);
        assert_int_equal(judgement.count[COR_CHECK_EMPTY], empty);
        const double range = cor_oracle_dissimilarity(&lists, values, absent, 4, COR_MEASURE_RANGE);
        assert_true(fabs(range - (blocks == 2 ? fabs(means[0] - means[1]) : 0)) < 1e-12);
        double mean = 0;
        for (uint32_t i = 0; i < 4; i++)
            mean += absent[i] ? 0 : values[i] / (there > 0 ? there : 1);
        const double far = cor_oracle_dissimilarity(&lists, values, absent, 4, COR_MEASURE_MAX_DEVIATION);
        assert_true(fabs(far - fmax(blocks > 0 ? fabs(means[0] - mean) : 0,
                                    blocks > 1 ? fabs(means[1] - mean) : 0)) < 1e-12);
        cor_lists_fini(&lists);
    }
    cor_oracle_destroy(oracle);
}

static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/experiment.json", folder);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    unlink(path);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_comes_and_goes_is_asked_for_and_judged),
        cmocka_unit_test(nobody_may_be_there),
        cmocka_unit_test(who_is_not_there_is_placed_nowhere),
        cmocka_unit_test(nothing_else_is_drawn_another_way),
        cmocka_unit_test(agents_are_there_as_the_law_says),
        cmocka_unit_test(the_oracle_knows_who_is_there),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
