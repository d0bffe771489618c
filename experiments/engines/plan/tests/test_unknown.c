/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * z3 that may do next to no work says unknown. That is never "unreachable", "lost" or "proven". Linked with
 * --wrap for what is asked of it. */
#include <corridor/array.h>
#include <corridor/efsm_bound.h>
#include <corridor/efsm_lint.h>
#include <corridor/efsm_reach.h>
#include <corridor/planner.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t work; /* of each question; 0 = what is usual */
static bool is_mute;  /* z3 is not even asked: whatever the question, unknown */

static struct cor_question limited(const struct cor_question *question) {
    struct cor_question same = *question;
    same.work = work ? work : question->work;
    return same;
}

enum cor_status __real_cor_solver_ask(struct cor_solver *, const struct cor_question *, enum cor_answer *,
                                      int64_t *, struct cor_error *);
enum cor_status __wrap_cor_solver_ask(struct cor_solver *, const struct cor_question *, enum cor_answer *,
                                      int64_t *, struct cor_error *);
enum cor_status __wrap_cor_solver_ask(struct cor_solver *solver, const struct cor_question *question,
                                      enum cor_answer *answer, int64_t *values, struct cor_error *error) {
    const struct cor_question same = limited(question);
    *answer = COR_ANSWER_UNDECIDED;
    if (is_mute)
        return COR_OK;
    return __real_cor_solver_ask(solver, &same, answer, values, error);
}

enum cor_status __real_cor_solver_minimise(struct cor_solver *, const struct cor_question *,
                                           const struct cor_expression *, int64_t, struct cor_least *,
                                           int64_t *, struct cor_error *);
enum cor_status __wrap_cor_solver_minimise(struct cor_solver *, const struct cor_question *,
                                           const struct cor_expression *, int64_t, struct cor_least *,
                                           int64_t *, struct cor_error *);
enum cor_status __wrap_cor_solver_minimise(struct cor_solver *solver, const struct cor_question *question,
                                           const struct cor_expression *objective, int64_t low,
                                           struct cor_least *least, int64_t *values,
                                           struct cor_error *error) {
    const struct cor_question same = limited(question);
    *least = (struct cor_least){.answer = COR_ANSWER_UNDECIDED, .low = low};
    if (is_mute)
        return COR_OK;
    return __real_cor_solver_minimise(solver, &same, objective, low, least, values, error);
}

enum cor_status __real_cor_solver_project(struct cor_solver *, const struct cor_question *, const bool *,
                                          struct cor_projection *, struct cor_error *);
enum cor_status __wrap_cor_solver_project(struct cor_solver *, const struct cor_question *, const bool *,
                                          struct cor_projection *, struct cor_error *);
enum cor_status __wrap_cor_solver_project(struct cor_solver *solver, const struct cor_question *question,
                                          const bool *eliminated, struct cor_projection *projection,
                                          struct cor_error *error) {
    const struct cor_question same = limited(question);
    *projection = (struct cor_projection){.answer = COR_ANSWER_UNDECIDED};
    if (is_mute)
        return COR_OK;
    return __real_cor_solver_project(solver, &same, eliminated, projection, error);
}

/* Whether "never" and "ever" have a point neither ranges nor corners tell, nor, of "never", what is left
 * where variables are eliminated (it has points, but none of integers: Pugh, The Omega test, 1991); "wide"
 * has an input of 70 values whose bounds do not combine. */
static const char hard[] =
    "{\"format\":\"efsm-json/1\",\"name\":\"m\",\"vars\":["
    "{\"name\":\"p\",\"kind\":\"param\",\"lo\":0,\"hi\":69},"
    "{\"name\":\"x\",\"kind\":\"state\",\"lo\":-13,\"hi\":13,\"init\":0},"
    "{\"name\":\"y\",\"kind\":\"state\",\"lo\":-13,\"hi\":13,\"init\":0},"
    "{\"name\":\"z\",\"kind\":\"state\",\"lo\":-13,\"hi\":13,\"init\":0}],"
    "\"locations\":[\"a\",\"b\"],\"initial\":\"a\",\"inputs\":[{\"label\":\"I\",\"params\":[]},{\"label\":"
    "\"P\","
    "\"params\":[\"p\"]}],\"outputs\":[],\"transitions\":["
    "{\"id\":\"never\",\"src\":\"a\",\"dst\":\"b\",\"input\":\"I\",\"guard\":\"11 * x + 13 * y >= 27 && "
    "11 * x + 13 * y <= 45 && 7 * x - 9 * y + 10 >= 0 && 7 * x - 9 * y <= 4\",\"update\":{},\"outputs\":[]},"
    "{\"id\":\"ever\",\"src\":\"a\",\"dst\":\"b\",\"input\":\"I\",\"guard\":\"6 * x + 10 * y + 15 * z == 1 "
    "&& "
    "x + y > z + 2 && y + z < 0\",\"update\":{},\"outputs\":[]},"
    "{\"id\":\"wide\",\"src\":\"a\",\"dst\":\"b\",\"input\":\"P\",\"guard\":\"3 * p >= 31 * x + 130 && "
    "2 * p <= 27 * y + 81\",\"update\":{\"x\":\"y\"},\"outputs\":[]},"
    "{\"id\":\"back\",\"src\":\"b\",\"dst\":\"a\",\"input\":\"I\",\"guard\":\"x < y\",\"update\":{\"x\":\"x "
    "+ 1\"},"
    "\"outputs\":[]}]}";

static struct cor_efsm *hard_model(void) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_efsm *model;
    if (cor_efsm_parse(hard, "m", &model, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return model;
}

static struct cor_efsm_reach *reach_of(const struct cor_efsm *model, const struct cor_efsm_trap *trap,
                                       enum cor_efsm_backend backend) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_efsm_reach *reach;
    const struct cor_efsm_reach_definition definition = cor_default_efsm_reach(model, trap, backend);
    if (cor_efsm_reach_create(&definition, &reach, &error) != COR_OK)
        fail_msg("%s", error.cause);
    return reach;
}

/* Constraints hold no state that cannot reach the trap; all that can where they say so. */
static void compare(const struct cor_efsm *model, const struct cor_efsm_reach *reach,
                    const struct cor_efsm_reach *truth) {
    const bool is_all = cor_efsm_reach_summary(reach).end == COR_EFSM_END_FIXPOINT;
    int64_t values[COR_EFSM_VARIABLES_MAX] = {0};
    const uint32_t variables[] = {1, 2, 3};
    for (uint32_t l = 0; l < model->location_count; l++) {
        cor_efsm_first_values(model, variables, 3, values);
        do {
            const uint32_t found = cor_efsm_reach_distance(reach, l, values);
            const uint32_t true_distance = cor_efsm_reach_distance(truth, l, values);
            assert_true(found >= true_distance);
            assert_true(!is_all || found == true_distance);
        } while (cor_efsm_next_values(model, variables, 3, values));
    }
}

/* Questions of a kind that were asked, and not decided. The truth of each trap is found once. */
static uint64_t look_backwards(const struct cor_efsm *model, struct cor_efsm_reach **truth, bool expect_all) {
    struct cor_efsm_goal goal;
    struct cor_error error = COR_NO_ERROR;
    uint64_t undecided = 0;
    assert_int_equal(cor_efsm_goal_cover(model, COR_EFSM_COVER_TRANSITIONS, &goal, &error), COR_OK);
    for (uint32_t t = 0; t < goal.trap_count; t++) {
        struct cor_efsm_reach *reach = reach_of(model, &goal.traps[t], COR_EFSM_SYMBOLIC);
        const struct cor_efsm_reach_summary summary = cor_efsm_reach_summary(reach);
        if (!truth[t])
            truth[t] = reach_of(model, &goal.traps[t], COR_EFSM_EXPLICIT);
        compare(model, reach, truth[t]);
        undecided += cor_solver_statistics_sum(&summary.asked).undecided;
        assert_true(!expect_all || summary.end == COR_EFSM_END_FIXPOINT);
        assert_true(summary.end != COR_EFSM_END_FIXPOINT ||
                    summary.asked.of[COR_QUESTION_ELIMINATION].undecided == 0);
        cor_efsm_reach_destroy(reach);
    }
    cor_efsm_goal_fini(&goal);
    return undecided;
}

static void no_state_is_called_unreachable_because_z3_did_not_know(void **unused) {
    (void)unused;
    struct cor_efsm *model = hard_model();
    struct cor_efsm_reach *truth[4] = {NULL}; /* of its transitions */
    assert_int_equal(model->transition_count, 4);
    work = 0;
    assert_int_equal(look_backwards(model, truth, true), 0);
    work = 1;
    assert_true(look_backwards(model, truth, false) > 0);
    is_mute = true;
    look_backwards(model, truth, false);
    is_mute = false;
    for (uint32_t t = 0; t < 4; t++)
        cor_efsm_reach_destroy(truth[t]);
    cor_efsm_destroy(model);
}

/* Findings that a guard never holds: decided, and not. */
static void count_never(uint32_t *decided, uint32_t *open) {
    struct cor_efsm *model = hard_model();
    struct cor_efsm_findings findings;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_efsm_lint(model, cor_default_efsm_lint_limits(), &findings, &error), COR_OK);
    *decided = *open = 0;
    for (uint32_t i = 0; i < findings.count; i++)
        if (findings.findings[i].lint == COR_EFSM_LINT_NEVER) {
            const bool is_true = findings.findings[i].first == 0;
            assert_true(is_true || !findings.findings[i].decided);
            *(findings.findings[i].decided ? decided : open) += 1;
        }
    cor_efsm_findings_fini(&findings);
    cor_efsm_destroy(model);
}

static void no_guard_is_said_never_to_hold_because_z3_did_not_know(void **unused) {
    (void)unused;
    uint32_t decided, open;
    work = 0;
    count_never(&decided, &open);
    assert_int_equal(decided, 1);
    assert_int_equal(open, 0);
    work = 1;
    count_never(&decided, &open);
    assert_int_equal(decided, 0);
    assert_true(open >= 1);
}

/* A first decision of planner "search" for t3 of the counter of three million states, y being as given. */
static struct cor_plan_choice choose(int64_t y, uint64_t *undecided) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_efsm *model;
    struct cor_efsm_problem *problem;
    struct cor_efsm_bound *bound;
    struct cor_planner_definition definition = cor_default_planner();
    const struct cor_planner_kind *search = cor_planner_find("search");
    struct cor_plan_choice choice;
    const uint64_t covered[1] = {0};
    int64_t values[COR_EFSM_VARIABLES_MAX];
    unsigned char state[200];
    uint32_t least = 0;
    void *planner;
    assert_int_equal(
        cor_efsm_read(TEST_SOURCE_DIR "/experiments/library/efsm/counter3_100.json", &model, &error), COR_OK);
    assert_int_equal(cor_efsm_problem_create(model, &model->goals[0], &problem, &error), COR_OK);
    cor_efsm_start(model, values);
    uint32_t location = model->initial;
    for (uint32_t v = 0; y > 0 && v < model->variable_count; v++)
        if (strcmp(model->variables[v].name, "y") == 0) {
            values[v] = y;
            location = model->transitions[1].source;
        }
    cor_efsm_problem_pack(problem, location, values, COR_NONE, state);
    definition.problem = cor_efsm_planning_problem(problem);
    definition.model = model;
    definition.goal = &model->goals[0];
    definition.efsm = problem;
    definition.state_budget = 200;
    assert_int_equal(cor_efsm_bound_create(model, definition.goal, &bound, &error), COR_OK);
    assert_int_equal(cor_efsm_bound_moves(bound, location, values, covered, &least, &error), COR_OK);
    assert_true(y > 0 || least <= 21);
    const struct cor_solver_statistics asked = cor_efsm_bound_statistics(bound);
    *undecided = cor_solver_statistics_sum(&asked).undecided;
    assert_true(*undecided == 0 || least != UINT32_MAX);
    cor_efsm_bound_destroy(bound);
    assert_int_equal(search->create(&definition, &planner, &error), COR_OK);
    assert_int_equal(search->choose(planner, state, covered, &choice, &error), COR_OK);
    search->destroy(planner);
    cor_efsm_problem_destroy(problem);
    cor_efsm_destroy(model);
    return choice;
}

static void nothing_is_lost_or_proven_because_z3_did_not_know(void **unused) {
    (void)unused;
    struct cor_plan_choice choice;
    uint64_t undecided;
    work = 0;
    assert_int_equal(choose(0, &undecided).proof, COR_PROOF_BOUND);
    assert_int_equal(undecided, 0);
    assert_int_equal(choose(100, &undecided).advice, COR_ADVICE_LOST);
    work = 1;
    choice = choose(0, &undecided);
    assert_true(undecided > 0);
    assert_int_not_equal(choice.advice, COR_ADVICE_LOST);
    assert_int_equal(choice.proof, COR_PROOF_NONE);
    is_mute = true;
    for (int64_t y = 0; y <= 100; y += 100) {
        choice = choose(y, &undecided);
        assert_int_not_equal(choice.advice, COR_ADVICE_LOST);
        assert_int_equal(choice.proof, COR_PROOF_NONE);
    }
    is_mute = false;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_state_is_called_unreachable_because_z3_did_not_know),
        cmocka_unit_test(no_guard_is_said_never_to_hold_because_z3_did_not_know),
        cmocka_unit_test(nothing_is_lost_or_proven_because_z3_did_not_know),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
