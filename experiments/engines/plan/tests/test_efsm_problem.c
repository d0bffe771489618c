/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expansions against all inputs tried one by one, merged by effect with plain loops. */
#include "../../../oracle/efsm/tests/random_models.h"

#include <corridor/array.h>
#include <corridor/efsm_problem.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define MODELS TEST_SOURCE_DIR "/experiments/library/efsm/"

enum { RIVALS = 16, EFFECTS = 4000 };

/* What one input leads to. */
struct effect {
    uint32_t label, count, transitions[RIVALS];
    int64_t input[COR_EFSM_VARIABLES_MAX], next[RIVALS][COR_EFSM_VARIABLES_MAX];
    uint64_t hits[RIVALS]; /* goals of at most 64 traps */
};

static bool are_alike(const struct cor_efsm *model, const struct effect *a, const struct effect *b) {
    if (a->label != b->label || a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->transitions[i] != b->transitions[i] || a->hits[i] != b->hits[i])
            return false;
        for (uint32_t v = 0; v < model->variable_count; v++)
            if (model->variables[v].kind == COR_EFSM_STATE && a->next[i][v] != b->next[i][v])
                return false;
    }
    return true;
}

static void try_one(const struct cor_efsm *model, const struct cor_efsm_goal *goal, uint32_t location,
                    uint32_t last, const int64_t *values, struct effect *effect) {
    effect->count = 0;
    memcpy(effect->input, values, sizeof effect->input);
    for (uint32_t t = 0; t < model->transition_count; t++) {
        if (model->transitions[t].source != location || model->transitions[t].input != effect->label ||
            !cor_efsm_step(model, t, values, effect->next[effect->count]))
            continue;
        uint64_t hits = 0;
        for (uint32_t i = 0; i < goal->trap_count; i++)
            if ((goal->traps[i].previous == COR_NONE || goal->traps[i].previous == last) &&
                cor_efsm_hits(model, &goal->traps[i], t, values))
                hits |= UINT64_C(1) << i;
        effect->hits[effect->count] = hits;
        effect->transitions[effect->count++] = t;
        assert_true(effect->count < RIVALS);
    }
}

static uint32_t try_all(const struct cor_efsm *model, const struct cor_efsm_goal *goal, uint32_t location,
                        uint32_t last, const int64_t *state, struct effect *effects) {
    uint32_t count = 0;
    int64_t values[COR_EFSM_VARIABLES_MAX] = {0};
    memcpy(values, state, model->variable_count * sizeof *values);
    for (uint32_t i = 0; i < model->input_count; i++) {
        const struct cor_efsm_label *label = &model->inputs[i];
        cor_efsm_first_values(model, label->parameters, label->parameter_count, values);
        do {
            bool seen = false;
            effects[count].label = i;
            try_one(model, goal, location, last, values, &effects[count]);
            for (uint32_t e = 0; e < count; e++)
                seen = seen || are_alike(model, &effects[e], &effects[count]);
            count += effects[count].count > 0 && !seen;
            assert_true(count < EFFECTS);
        } while (cor_efsm_next_values(model, label->parameters, label->parameter_count, values));
    }
    return count;
}

/* One input of an expansion is that effect. */
static void compare(const struct cor_efsm *model, const struct cor_efsm_problem *problem,
                    const struct cor_expansion *expansion, uint32_t input, const struct effect *effect) {
    const struct cor_planning_problem *seen = cor_efsm_planning_problem(problem);
    int64_t values[COR_EFSM_VARIABLES_MAX];
    uint32_t label;
    cor_efsm_problem_unpack_input(problem, expansion->inputs + input * seen->input_size, &label, values);
    assert_int_equal(label, effect->label);
    for (uint32_t a = 0; a < model->inputs[label].parameter_count; a++)
        assert_int_equal(values[model->inputs[label].parameters[a]],
                         effect->input[model->inputs[label].parameters[a]]);
    assert_int_equal(expansion->first[input + 1] - expansion->first[input], effect->count);
    for (uint32_t i = 0; i < effect->count; i++) {
        const uint32_t o = expansion->first[input] + i, t = effect->transitions[i];
        unsigned char next[600];
        cor_efsm_problem_pack(problem, model->transitions[t].target, effect->next[i], t, next);
        assert_int_equal(expansion->outcomes[o].label, t);
        assert_true(isnan(expansion->outcomes[o].probability));
        assert_memory_equal(expansion->states + o * seen->state_size, next, seen->state_size);
        assert_int_equal(expansion->hits[o], effect->hits[i]);
    }
}

/* States as they are met, at most so many. */
static uint32_t walk(const struct cor_efsm *model, const struct cor_efsm_goal *goal, uint32_t states_max) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_efsm_problem *problem;
    struct cor_expansion expansion = {0};
    static struct effect effects[EFFECTS];
    assert_int_equal(cor_efsm_problem_create(model, goal, &problem, &error), COR_OK);
    assert_false(cor_efsm_problem_is_partial(problem));
    const struct cor_planning_problem *seen = cor_efsm_planning_problem(problem);
    unsigned char *states = calloc(states_max, seen->state_size);
    uint32_t count = 1, location, last;
    cor_efsm_problem_start(problem, states);
    for (uint32_t s = 0; s < count; s++) {
        int64_t values[COR_EFSM_VARIABLES_MAX] = {0};
        unsigned char again[600];
        cor_efsm_problem_unpack(problem, states + s * seen->state_size, &location, values, &last);
        cor_efsm_problem_pack(problem, location, values, last, again);
        assert_memory_equal(again, states + s * seen->state_size, seen->state_size);
        const uint32_t inputs = try_all(model, goal, location, last, values, effects);
        assert_int_equal(cor_expand(seen, states + s * seen->state_size, &expansion, &error), COR_OK);
        assert_int_equal(expansion.input_count, inputs);
        for (uint32_t i = 0; i < inputs; i++)
            compare(model, problem, &expansion, i, &effects[i]);
        for (uint32_t o = 0; o < expansion.outcome_count && count < states_max; o++) {
            bool known = false;
            for (uint32_t k = 0; k < count; k++)
                known = known || memcmp(states + k * seen->state_size,
                                        expansion.states + o * seen->state_size, seen->state_size) == 0;
            if (!known)
                memcpy(states + count++ * seen->state_size, expansion.states + o * seen->state_size,
                       seen->state_size);
        }
    }
    free(states);
    cor_expansion_fini(&expansion);
    cor_efsm_problem_destroy(problem);
    return count;
}

static void all_goals(const struct cor_efsm *model, uint32_t states_max) {
    struct cor_error error = COR_NO_ERROR;
    for (uint32_t g = 0; g < model->goal_count; g++)
        if (model->goals[g].trap_count <= 64)
            walk(model, &model->goals[g], states_max);
    for (uint32_t c = 0; cor_efsm_cover_word(c); c++) {
        struct cor_efsm_goal goal = {0};
        assert_int_equal(cor_efsm_goal_cover(model, (enum cor_efsm_cover)c, &goal, &error), COR_OK);
        if (goal.trap_count <= 64)
            walk(model, &goal, states_max);
        cor_efsm_goal_fini(&goal);
    }
}

static void expansions_of_random_models_are_those_of_all_inputs(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    static struct model_text text;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct cor_rng rng =
            cor_rng_named(&(struct cor_stream_name){.seed = seed, .purpose = COR_PURPOSE_TEST});
        struct cor_efsm *model;
        write_model(&rng, &text);
        assert_int_equal(cor_efsm_parse(text.text, "random", &model, &error), COR_OK);
        all_goals(model, 60);
        cor_efsm_destroy(model);
    }
}

static void expansions_of_given_models_are_those_of_all_inputs(void **state) {
    (void)state;
    static const char *const files[] = {"counter3", "inres_initiator",        "lossy_link",
                                        "escape",   "class2_transport_small", "billing_hard_small"};
    struct cor_error error = COR_NO_ERROR;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[500];
        struct cor_efsm *model;
        snprintf(path, sizeof path, MODELS "%s.json", files[i]);
        assert_int_equal(cor_efsm_read(path, &model, &error), COR_OK);
        all_goals(model, 40);
        cor_efsm_destroy(model);
    }
}

/* 25,160 * 12 values, of which few differ. */
static void large_domains_are_not_looked_at_one_by_one(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_efsm *model;
    struct cor_efsm_problem *problem;
    assert_int_equal(cor_efsm_read(MODELS "billing_hard.json", &model, &error), COR_OK);
    assert_int_equal(cor_efsm_problem_create(model, &model->goals[0], &problem, &error), COR_OK);
    assert_false(cor_efsm_problem_is_partial(problem));
    cor_efsm_problem_destroy(problem);
    cor_efsm_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expansions_of_random_models_are_those_of_all_inputs),
        cmocka_unit_test(expansions_of_given_models_are_those_of_all_inputs),
        cmocka_unit_test(large_domains_are_not_looked_at_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
