/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planners that know no goal, what they draw; and every allocation of a rehearsal made to fail in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "failing_allocations.h"

#include <corridor/array.h>
#include <corridor/rehearsal.h>

#include <stdlib.h>
#include <string.h>

#define INRES TEST_SOURCE_DIR "/experiments/library/efsm/inres_initiator.json"

static struct cor_efsm *model;
static struct cor_efsm_goal all;
static struct cor_efsm_problem *problem;

static struct cor_rehearsal_definition on_all_transitions(const char *planner, uint64_t seed) {
    struct cor_rehearsal_definition definition = {
        .kind = cor_planner_find(planner), .planner = cor_default_planner(), .moves = 300, .seed = seed};
    definition.planner.problem = cor_efsm_planning_problem(problem);
    definition.planner.model = model;
    definition.planner.goal = &all;
    definition.planner.efsm = problem;
    definition.planner.seed = seed;
    return definition;
}

static struct cor_rehearsal played(const char *planner, uint64_t seed, bool by_state) {
    struct cor_rehearsal_definition definition = on_all_transitions(planner, seed);
    struct cor_rehearsal rehearsal;
    definition.planner.by_state = by_state;
    assert_int_equal(cor_rehearse(&definition, &rehearsal, NULL), COR_OK);
    return rehearsal;
}

static bool same_path(const struct cor_rehearsal *a, const struct cor_rehearsal *b) {
    return a->length == b->length && memcmp(a->labels, b->labels, a->length * sizeof *a->labels) == 0 &&
           memcmp(a->inputs, b->inputs, a->length * cor_efsm_planning_problem(problem)->input_size) == 0;
}

static void the_same_seed_draws_the_same_path_and_another_one_another(void **unused) {
    (void)unused;
    static const char *const planners[] = {"antiant", "random"};
    for (int i = 0; i < 2; i++) {
        struct cor_rehearsal one = played(planners[i], 1, false), again = played(planners[i], 1, false),
                             other = played(planners[i], 2, false);
        assert_true(one.length == 300 || one.end == COR_ADVICE_COVERED);
        assert_true(same_path(&one, &again));
        assert_false(same_path(&one, &other));
        cor_rehearsal_fini(&one);
        cor_rehearsal_fini(&again);
        cor_rehearsal_fini(&other);
    }
}

/* Of a state, as a number: it has four variables of a few values each. */
static uint64_t number_of(uint32_t location, const int64_t *values) {
    return (((uint64_t)location * 8 + (uint64_t)values[0]) * 8 + (uint64_t)values[1]) * 8 +
           (uint64_t)values[2];
}

/* Replays the path and counts for itself: no other transition that some input enabled there was taken less
 * often. The model is deterministic. */
static void check_least_taken(bool by_state) {
    enum { STATES = 4 * 8 * 8 * 8, TRANSITIONS = 15 };
    struct cor_rehearsal rehearsal = played("antiant", 3, by_state);
    uint32_t(*counts)[TRANSITIONS] = cor_calloc(STATES, sizeof *counts);
    int64_t values[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
    uint32_t location = model->initial, choices = 0;
    assert_non_null(counts);
    cor_efsm_start(model, values);
    for (uint32_t i = 0; i < rehearsal.length; i++) {
        const uint32_t taken = rehearsal.labels[i];
        uint32_t *count = counts[by_state ? number_of(location, values) : 0], input;
        for (uint32_t t = 0; t < model->transition_count; t++) {
            const struct cor_efsm_label *label = &model->inputs[model->transitions[t].input];
            if (model->transitions[t].source != location)
                continue;
            cor_efsm_first_values(model, label->parameters, label->parameter_count, values);
            do
                if (cor_efsm_enabled(model, t, values)) {
                    assert_true(count[taken] <= count[t]);
                    choices += t != taken && count[t] > count[taken];
                }
            while (cor_efsm_next_values(model, label->parameters, label->parameter_count, values));
        }
        count[taken]++;
        cor_efsm_problem_unpack_input(
            problem, rehearsal.inputs + i * cor_efsm_planning_problem(problem)->input_size, &input, values);
        assert_true(cor_efsm_step(model, taken, values, next));
        memcpy(values, next, sizeof values);
        location = model->transitions[taken].target;
    }
    assert_true(choices > 50);
    free(counts);
    cor_rehearsal_fini(&rehearsal);
}

static void antiant_takes_what_was_taken_least(void **unused) {
    (void)unused;
    check_least_taken(false);
    check_least_taken(true);
}

/* From the start t0 and t11 are possible, neither of which was taken before. */
static void antiant_draws_among_what_was_taken_as_often(void **unused) {
    (void)unused;
    uint32_t firsts[2] = {0, 0};
    for (uint64_t seed = 0; seed < 64; seed++) {
        struct cor_rehearsal rehearsal = played("antiant", seed, false);
        firsts[rehearsal.labels[0] == 0]++;
        assert_true(rehearsal.labels[0] != rehearsal.labels[1]);
        cor_rehearsal_fini(&rehearsal);
    }
    assert_true(firsts[0] > 10 && firsts[1] > 10);
}

static void random_takes_every_input_now_and_then(void **unused) {
    (void)unused;
    bool seen[64] = {false};
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct cor_rehearsal rehearsal = played("random", seed, false);
        for (uint32_t i = 0; i < rehearsal.length; i++)
            seen[rehearsal.labels[i]] = true;
        cor_rehearsal_fini(&rehearsal);
    }
    uint32_t count = 0;
    for (uint32_t t = 0; t < model->transition_count; t++)
        count += seen[t];
    assert_true(count >= 14); /* all but, perhaps, the one behind four time-outs */
}

static const char *planner;

static enum cor_status rehearse(struct cor_error *error) {
    const struct cor_rehearsal_definition definition = on_all_transitions(planner, 1);
    struct cor_rehearsal rehearsal;
    COR_TRY(cor_rehearse(&definition, &rehearsal, error));
    cor_rehearsal_fini(&rehearsal);
    return COR_OK;
}

static void rehearsals_end_or_memory_is_out(void **unused) {
    (void)unused;
    static const char *const planners[] = {"paper", "antiant", "random"};
    enum { MOST = 150 }; /* allocations that fail, of each planner */
    for (int i = 0; i < 3; i++) {
        struct cor_error error = COR_NO_ERROR;
        planner = planners[i];
        cor_allocations_begin(0, false);
        assert_int_equal(rehearse(&error), COR_OK);
        const long count = cor_allocations_end();
        for (long k = 1; k <= count; k += 1 + count / MOST)
            for (int for_good = 0; for_good < 2; for_good++) {
                error = COR_NO_ERROR;
                cor_allocations_begin(k, for_good);
                const enum cor_status status = rehearse(&error);
                cor_allocations_end();
                if (status != COR_STATUS_MEMORY || error.status != COR_STATUS_MEMORY)
                    fail_msg("%s, allocation %ld of %ld: status %d, \"%s\"", planner, k, count, (int)status,
                             error.cause);
            }
    }
}

static int prepare(void **unused) {
    (void)unused;
    return cor_efsm_read(INRES, &model, NULL) == COR_OK &&
                   cor_efsm_goal_cover(model, COR_EFSM_COVER_TRANSITIONS, &all, NULL) == COR_OK &&
                   cor_efsm_problem_create(model, &all, &problem, NULL) == COR_OK
               ? 0
               : -1;
}

static int end(void **unused) {
    (void)unused;
    cor_efsm_problem_destroy(problem);
    cor_efsm_goal_fini(&all);
    cor_efsm_destroy(model);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_draws_the_same_path_and_another_one_another),
        cmocka_unit_test(antiant_takes_what_was_taken_least),
        cmocka_unit_test(antiant_draws_among_what_was_taken_as_often),
        cmocka_unit_test(random_takes_every_input_now_and_then),
        cmocka_unit_test(rehearsals_end_or_memory_is_out),
    };
    return cmocka_run_group_tests(tests, prepare, end);
}
