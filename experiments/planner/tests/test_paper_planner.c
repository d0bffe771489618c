/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner "paper" against what the paper prints, and the baselines. */
#include <corridor/array.h>
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

static struct given given(const char *model, const char *goal) {
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

static void print_path(const char *what, const struct given *g, const struct cor_rehearsal *r) {
    print_message("%s: %u = %u + %u, end %d:", what, r->length, r->length - r->by_constraints,
                  r->by_constraints, (int)r->end);
    for (uint32_t i = 0; i < r->length && i < 60; i++)
        print_message(" %s", g->model->transitions[r->labels[i]].id);
    print_message("\n");
}

static void the_lengths(void **unused) {
    (void)unused;
    static const char *const goals[][2] = {
        {"inres_initiator", "trap_t8"},         {"inres_initiator", "trap_t5"},       {"counter3", "trap_t3"},
        {"inres_initiator", "all-transitions"}, {"shopping_cart", "all-transitions"},
    };
    for (int i = 0; i < 5; i++) {
        struct given g = given(goals[i][0], goals[i][1]);
        for (uint32_t depth = 0; depth < 12; depth++) {
            struct cor_rehearsal_definition d = play(&g, "paper", depth);
            struct cor_rehearsal r;
            struct cor_error error = COR_NO_ERROR;
            assert_int_equal(cor_rehearse(&d, &r, &error), COR_OK);
            char *what = cor_format("%s depth %u", goals[i][1], depth);
            print_path(what, &g, &r);
            free(what);
            cor_rehearsal_fini(&r);
        }
        drop(&g);
    }
    for (int i = 1; i <= 8; i++) {
        char *goal = cor_format("T2-%d", i);
        struct given g = given("inres_initiator", goal);
        struct cor_rehearsal_definition d = play(&g, "paper", 1);
        struct cor_rehearsal r;
        struct cor_error error = COR_NO_ERROR;
        assert_int_equal(cor_rehearse(&d, &r, &error), COR_OK);
        print_path(goal, &g, &r);
        cor_rehearsal_fini(&r);
        free(goal);
        drop(&g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
