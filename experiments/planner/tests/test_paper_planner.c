/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner "paper" against what the paper prints, and the baselines. */
#include <corridor/array.h>
#include <corridor/paper_figures.h>
#include <corridor/rehearsal.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MODELS TEST_SOURCE_DIR "/experiments/efsm/"

/* A model, one of its goals, and both as a problem. */
struct given {
    struct cor_efsm *model;
    struct cor_efsm_goal made;
    const struct cor_efsm_goal *goal;
    struct cor_efsm_problem *problem;
};

static struct given make(const char *model, const char *goal) {
    struct cor_error error = COR_NO_ERROR;
    struct given given = {0};
    char *path = cor_format(MODELS "%s.json", model);
    if (cor_efsm_read(path, &given.model, &error) != COR_OK ||
        cor_efsm_goal_find(given.model, goal, &given.made, &given.goal, &error) != COR_OK ||
        cor_efsm_problem_create(given.model, given.goal, &given.problem, &error) != COR_OK)
        fail_msg("%s", error.cause);
    free(path);
    return given;
}

static void drop(struct given *given) {
    cor_efsm_problem_destroy(given->problem);
    cor_efsm_goal_fini(&given->made);
    cor_efsm_destroy(given->model);
}

static struct cor_rehearsal_definition play(const struct given *given, const char *planner, uint32_t depth) {
    struct cor_rehearsal_definition definition = {
        .kind = cor_planner_find(planner), .planner = cor_default_planner(), .moves = 1000};
    assert_non_null(definition.kind);
    definition.planner.problem = cor_efsm_planning_problem(given->problem);
    definition.planner.model = given->model;
    definition.planner.goal = given->goal;
    definition.planner.efsm = given->problem;
    definition.planner.depth = depth;
    return definition;
}

static struct cor_rehearsal played(const struct given *given, const char *planner, uint32_t depth) {
    const struct cor_rehearsal_definition definition = play(given, planner, depth);
    struct cor_error error = COR_NO_ERROR;
    struct cor_rehearsal rehearsal;
    if (cor_rehearse(&definition, &rehearsal, &error) != COR_OK)
        fail_msg("%s", error.cause);
    return rehearsal;
}

static void the_lengths_of_table_1_are_the_printed_ones(void **unused) {
    (void)unused;
    static const char *const goals[][2] = {
        {"counter3", "trap_t3"}, {"inres_initiator", "trap_t8"}, {"inres_initiator", "trap_t5"}};
    for (int i = 0; i < 3; i++) {
        struct given given = make(goals[i][0], goals[i][1]);
        char *of = cor_format("%s:%s", goals[i][0], goals[i][1]);
        struct cor_rehearsal bounded = played(&given, "paper", 2), complete = played(&given, "paper", 0);
        assert_int_equal(bounded.end, COR_ADVICE_COVERED);
        assert_int_equal(bounded.length, (int)cor_paper_number(1, of, "length"));
        assert_int_equal(bounded.by_constraints, (int)cor_paper_number(1, of, "by_constraints"));
        assert_int_equal(bounded.length - bounded.by_constraints, (int)cor_paper_number(1, of, "heuristic"));
        assert_int_equal(complete.end, COR_ADVICE_COVERED);
        assert_int_equal(complete.length, (int)cor_paper_number(1, of, "complete_length"));
        assert_int_equal(complete.by_constraints, complete.length);
        cor_rehearsal_fini(&bounded);
        cor_rehearsal_fini(&complete);
        free(of);
        drop(&given);
    }
}

static void the_paths_of_table_2_are_the_printed_ones_move_by_move(void **unused) {
    (void)unused;
    for (int i = 1; i <= 8; i++) {
        char *goal = cor_format("T2-%d", i), *path = cor_strdup(""), printed[512];
        struct given given = make("inres_initiator", goal);
        struct cor_rehearsal rehearsal = played(&given, "paper", 1);
        for (uint32_t m = 0; m < rehearsal.length; m++)
            path = cor_join_take(path, " ", cor_strdup(given.model->transitions[rehearsal.labels[m]].id));
        assert_true(cor_paper_text(2, goal, "path", printed, sizeof printed));
        assert_string_equal(path, printed);
        assert_int_equal(rehearsal.end, COR_ADVICE_COVERED);
        cor_rehearsal_fini(&rehearsal);
        free(path);
        free(goal);
        drop(&given);
    }
}

/* The rest of the depths was found by an independent prototype. */
static void deeper_constraints_shorten_the_path_of_the_counter(void **unused) {
    (void)unused;
    static const uint32_t lengths[] = {11, 151, 23, 23, 23, 21, 19, 17, 15, 13, 11, 11};
    struct given given = make("counter3", "trap_t3");
    for (uint32_t depth = 0; depth < sizeof lengths / sizeof *lengths; depth++) {
        struct cor_rehearsal rehearsal = played(&given, "paper", depth);
        assert_int_equal(rehearsal.length, lengths[depth]);
        assert_int_equal(rehearsal.end, depth == 1 ? COR_ADVICE_GIVE_UP : COR_ADVICE_COVERED);
        assert_true(cor_trap_is_in(rehearsal.discarded, 0) == (depth == 1));
        cor_rehearsal_fini(&rehearsal);
    }
    drop(&given);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lengths_of_table_1_are_the_printed_ones),
        cmocka_unit_test(the_paths_of_table_2_are_the_printed_ones_move_by_move),
        cmocka_unit_test(deeper_constraints_shorten_the_path_of_the_counter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
