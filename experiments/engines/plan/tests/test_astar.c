/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans by a lower bound: known optima of models of up to 10^31 states, each plan made again move by move;
 * and the bounds themselves against distances of all states. */
#include <corridor/astar.h>
#include <corridor/efsm_bound.h>
#include <corridor/efsm_reach.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/efsm/tests/random_models.h"

#define MODELS TEST_SOURCE_DIR "/experiments/library/efsm/"

static struct cor_efsm *model_named(const char *name) {
    char path[400];
    struct cor_efsm *model;
    struct cor_error error = COR_NO_ERROR;
    snprintf(path, sizeof path, MODELS "%s.json", name);
    if (cor_efsm_read(path, &model, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return model;
}

/* Makes the plan's moves by the semantics of the model alone; whether the last one, and none before, hits the
 * one trap of the goal. */
static void replay(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                   const struct cor_efsm_problem *problem, const struct cor_bounded_plan *plan) {
    const struct cor_planning_problem *p = cor_efsm_planning_problem(problem);
    int64_t values[COR_EFSM_VARIABLES_MAX], inputs[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
    uint32_t location = model->initial, label;
    cor_efsm_start(model, values);
    for (uint32_t i = 0; i < plan->length; i++) {
        const struct cor_efsm_transition *t = &model->transitions[plan->labels[i]];
        cor_efsm_problem_unpack_input(problem, plan->inputs + i * p->input_size, &label, inputs);
        for (uint32_t v = 0; v < model->variable_count; v++)
            if (model->variables[v].kind == COR_EFSM_PARAMETER)
                values[v] = inputs[v];
        assert_int_equal(t->source, location);
        assert_int_equal(t->input, label);
        assert_true(cor_efsm_step(model, plan->labels[i], values, next));
        assert_int_equal(cor_efsm_hits(model, &goal->traps[0], plan->labels[i], values),
                         i + 1 == plan->length);
        location = t->target;
        memcpy(values, next, sizeof values);
    }
}

static void plan_for(const struct cor_efsm *model, const struct cor_efsm_goal *goal, uint64_t budget,
                     struct cor_efsm_problem **problem, struct cor_bounded_plan *plan) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_guide *guide;
    uint64_t covered[8] = {0};
    assert_int_equal(cor_efsm_problem_create(model, goal, problem, &error), COR_OK);
    const struct cor_planning_problem *p = cor_efsm_planning_problem(*problem);
    unsigned char *start = calloc(1, p->state_size);
    cor_efsm_problem_start(*problem, start);
    assert_int_equal(cor_efsm_guide_create(*problem, model, goal, &guide, &error), COR_OK);
    assert_int_equal(cor_plan_by_bound(p, guide, start, covered, budget,
                                       cor_efsm_problem_is_partial(*problem), plan, &error),
                     COR_OK);
    cor_efsm_guide_destroy(guide);
    free(start);
}

static void optima_beyond_explicit_search_are_proven_and_made(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        uint32_t length;
    } cases[] = {{"counter3_100", 21},       {"counter3_32000", 54}, {"billing_synth_small", 14},
                 {"billing_hard_small", 18}, {"billing_synth", 189}, {"billing_hard", 214}};
    if (!cor_solver_is_there())
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_efsm *model = model_named(cases[i].name);
        struct cor_efsm_problem *problem;
        struct cor_bounded_plan plan;
        plan_for(model, &model->goals[0], 200000, &problem, &plan);
        print_message("%s: length %u bound %u, %llu expanded, %llu seen, %.1f MB, %llu questions, %.2f s\n",
                      cases[i].name, plan.length, plan.bound, (unsigned long long)plan.expanded,
                      (unsigned long long)plan.seen, (double)plan.bytes / 1e6,
                      (unsigned long long)plan.questions, plan.seconds);
        assert_int_equal(plan.length, cases[i].length);
        assert_int_equal(plan.bound, cases[i].length);
        assert_int_equal(plan.proof, COR_PROOF_BOUND);
        replay(model, &model->goals[0], problem, &plan);
        cor_bounded_plan_fini(&plan);
        cor_efsm_problem_destroy(problem);
        cor_efsm_destroy(model);
    }
}

/* No bound exceeds the distance that looking at all states gives, none says "lost" of a state from which
 * there is a way, and the plan from the start is a shortest. */
static void bounds_keep_below_the_distances_of_random_models(void **unused) {
    (void)unused;
    const int count = getenv("COR_TORTURE_MODELS") ? atoi(getenv("COR_TORTURE_MODELS")) : 40;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 14, .purpose = COR_PURPOSE_TEST});
    uint64_t exact = 0, states = 0, lost = 0;
    for (int round = 0; round < count; round++) {
        struct model_text text;
        struct cor_efsm *model;
        struct cor_efsm_bound *bound;
        struct cor_efsm_reach *reach;
        struct cor_efsm_problem *problem;
        struct cor_bounded_plan plan;
        int64_t values[COR_EFSM_VARIABLES_MAX];
        uint32_t variables[COR_EFSM_VARIABLES_MAX], variable_count = 0;
        const uint64_t covered[1] = {0};
        write_model(&rng, &text);
        assert_int_equal(cor_efsm_parse(text.text, "random", &model, NULL), COR_OK);
        const struct cor_efsm_goal *goal = &model->goals[0];
        const struct cor_efsm_reach_definition definition =
            cor_default_efsm_reach(model, &goal->traps[0], COR_EFSM_EXPLICIT);
        assert_int_equal(cor_efsm_reach_create(&definition, &reach, NULL), COR_OK);
        assert_int_equal(cor_efsm_bound_create(model, goal, &bound, NULL), COR_OK);
        cor_efsm_start(model, values);
        for (uint32_t v = 0; v < model->variable_count; v++)
            if (model->variables[v].kind == COR_EFSM_STATE)
                variables[variable_count++] = v;
        cor_efsm_first_values(model, variables, variable_count, values);
        do {
            const uint32_t location = cor_rng_below(&rng, model->location_count);
            const uint32_t truth = cor_efsm_reach_distance(reach, location, values);
            uint32_t moves = 0;
            if (cor_rng_below(&rng, 4) != 0)
                continue;
            assert_int_equal(cor_efsm_bound_moves(bound, location, values, covered, &moves, NULL), COR_OK);
            if (moves < 1 || moves > truth) /* far is more than any number */
                fail_msg("location %u, x %d y %d z %d: bound %u, distance %u of %s", location, (int)values[3],
                         (int)values[4], (int)values[5], moves, truth, text.text);
            exact += moves == truth;
            lost += moves == COR_BOUND_LOST;
            states++;
        } while (cor_efsm_next_values(model, variables, variable_count, values));
        plan_for(model, goal, 200000, &problem, &plan);
        const uint32_t truth = cor_efsm_reach_summary(reach).initial;
        assert_int_equal(plan.length, truth == COR_EFSM_FAR ? COR_NONE : truth);
        assert_true(plan.proof == COR_PROOF_BOUND || truth == COR_EFSM_FAR);
        assert_true(plan.proof != COR_PROOF_NONE);
        assert_int_equal(plan.bound, truth);
        if (truth != COR_EFSM_FAR)
            replay(model, goal, problem, &plan);
        cor_bounded_plan_fini(&plan);
        cor_efsm_problem_destroy(problem);
        cor_efsm_bound_destroy(bound);
        cor_efsm_reach_destroy(reach);
        cor_efsm_destroy(model);
    }
    print_message("%d models: %llu states, %llu bounds exact, %llu of them lost\n", count,
                  (unsigned long long)states, (unsigned long long)exact, (unsigned long long)lost);
    assert_true(!cor_solver_is_there() || 2 * exact > states);
}

/* Three counters of 1,001 values and four locations, 4 * 10^9 states: what transitions add is drawn, one
 * takes a parameter times, and the goal is a drawn way through them. */
static void write_counters(struct cor_rng *rng, struct model_text *out) {
    int64_t add[6][3], at[3] = {500, 500, 500};
    *out = (struct model_text){.length = 0};
    WRITE(out, "{\"format\":\"efsm-json/"
               "1\",\"name\":\"counters\",\"vars\":[{\"name\":\"p\",\"kind\":\"param\",\"lo\":1,"
               "\"hi\":500}");
    for (int v = 0; v < 3; v++)
        WRITE(out, ",{\"name\":\"%c\",\"kind\":\"state\",\"lo\":0,\"hi\":1000,\"init\":500}", 'x' + v);
    WRITE(out, "],\"locations\":[\"a\",\"b\",\"c\",\"d\"],\"initial\":\"a\",\"inputs\":[{\"label\":\"I\","
               "\"params\":[\"p\"]}],"
               "\"outputs\":[],\"transitions\":[");
    for (uint32_t t = 0; t < 6; t++) {
        const uint32_t highest = 2 + cor_rng_below(rng, 9);
        for (int v = 0; v < 3; v++)
            add[t][v] = cor_rng_between(rng, -4, 6);
        WRITE(out,
              "{\"id\":\"t%u\",\"src\":\"%c\",\"dst\":\"%c\",\"input\":\"I\",\"guard\":\"p <= "
              "%u\",\"update\":{",
              t, 'a' + (int)(t % 3), 'a' + (int)(t < 3 ? (t + 1) % 3 : t % 3), t % 2 ? 1 : highest);
        for (int v = 0; v < 3; v++)
            WRITE(out, "%s\"%c\":\"%c + %d%s\"", v ? "," : "", 'x' + v, 'x' + v, (int)add[t][v],
                  v == 0 ? " * p" : "");
        WRITE(out, "},\"outputs\":[]},");
    }
    uint32_t location = 0;
    for (uint32_t i = 0; i < 60; i++) {
        const uint32_t t = cor_rng_below(rng, 2) * 3 + location;
        for (int v = 0; v < 3; v++)
            at[v] += add[t][v];
        location = t < 3 ? (location + 1) % 3 : location;
    }
    WRITE(
        out,
        "{\"id\":\"end\",\"src\":\"%c\",\"dst\":\"d\",\"input\":\"I\",\"guard\":\"x == %d && y == %d && z == "
        "%d\",\"update\":{},"
        "\"outputs\":[]}],\"goals\":[{\"name\":\"end\",\"traps\":[{\"id\":\"a\",\"transition\":\"end\"}]}]}",
        'a' + (int)location, (int)at[0], (int)at[1], (int)at[2]);
}

static void drawn_models_of_many_states_have_a_proven_plan_or_a_gap(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 15, .purpose = COR_PURPOSE_TEST});
    const int count = getenv("COR_TORTURE_MODELS") ? atoi(getenv("COR_TORTURE_MODELS")) : 6;
    int proven = 0;
    if (!cor_solver_is_there())
        skip();
    for (int round = 0; round < count; round++) {
        struct model_text text;
        struct cor_efsm *model;
        struct cor_efsm_problem *problem;
        struct cor_bounded_plan plan;
        struct cor_error error = COR_NO_ERROR;
        write_counters(&rng, &text);
        if (cor_efsm_parse(text.text, "counters", &model, &error) != COR_OK)
            fail_msg("%s: %s\n%s", error.place, error.cause, text.text);
        plan_for(model, &model->goals[0], 200000, &problem, &plan);
        print_message("length %u bound %u, %llu expanded, %llu seen, %.1f MB, %llu questions\n", plan.length,
                      plan.bound, (unsigned long long)plan.expanded, (unsigned long long)plan.seen,
                      (double)plan.bytes / 1e6, (unsigned long long)plan.questions);
        assert_true(plan.bound <= plan.length && plan.bound <= 61);
        assert_true((plan.proof == COR_PROOF_BOUND) == (plan.length == plan.bound));
        if (plan.length != COR_NONE)
            replay(model, &model->goals[0], problem, &plan);
        proven += plan.proof == COR_PROOF_BOUND;
        cor_bounded_plan_fini(&plan);
        cor_efsm_problem_destroy(problem);
        cor_efsm_destroy(model);
    }
    print_message("%d of %d proven\n", proven, count);
    assert_true(2 * proven >= count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_keep_below_the_distances_of_random_models),
        cmocka_unit_test(optima_beyond_explicit_search_are_proven_and_made),
        cmocka_unit_test(drawn_models_of_many_states_have_a_proven_plan_or_a_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
