/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mutants of the given models: what is proven to be equivalent is never told from the model by random moves,
 * and what is different is shown by the inputs that are said to tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/efsm_conformance.h>
#include <corridor/efsm_mutants.h>
#include <corridor/rng.h>

#include <stdlib.h>
#include <string.h>

#define MODELS TEST_SOURCE_DIR "/experiments/library/efsm/"

enum { SET = 64, WIDTH = COR_EFSM_VARIABLES_MAX + 1, RANDOM_MOVES = 10000 };

/* A mutant beside its model: where it is, and where the model may be. */
struct pair {
    const struct cor_efsm *model, *mutant;
    size_t width;
    int64_t at[WIDTH], may[SET * WIDTH];
    uint32_t may_count;
    struct cor_efsm_explanations theirs, ours;
    struct cor_efsm_observation answer;
};

static void begin(struct pair *pair) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    pair->width = cor_efsm_state_width(pair->model);
    cor_efsm_start(pair->mutant, values);
    cor_efsm_state_put(pair->mutant, pair->mutant->initial, values, pair->at);
    cor_efsm_start(pair->model, values);
    cor_efsm_state_put(pair->model, pair->model->initial, values, pair->may);
    pair->may_count = 1;
}

/* Does the model enable the input somewhere? */
static bool is_specified(struct pair *pair, uint32_t input, const int64_t *values) {
    assert_int_equal(
        cor_efsm_explain(pair->model, pair->may, pair->may_count, input, values, NULL, &pair->ours, NULL),
        COR_OK);
    return pair->ours.taken > 0;
}

/* The mutant answers by its explanation number `which`; false: the model does not allow that. */
static bool answer(struct pair *pair, uint32_t input, const int64_t *values, uint32_t which) {
    int64_t all[COR_EFSM_VARIABLES_MAX];
    const uint32_t t = pair->theirs.items[which].transition;
    memcpy(all, pair->at + 1, pair->model->variable_count * sizeof *all);
    cor_efsm_put_input(pair->model, input, values, all);
    cor_efsm_observation_clear(&pair->answer);
    if (t != COR_NONE)
        assert_int_equal(cor_efsm_observation_of(pair->mutant, t, all, &pair->answer, NULL), COR_OK);
    assert_int_equal(cor_efsm_explain(pair->model, pair->may, pair->may_count, input, values, &pair->answer,
                                      &pair->ours, NULL),
                     COR_OK);
    if (pair->ours.count == 0)
        return false;
    memcpy(pair->at, pair->theirs.next + which * pair->width, pair->width * sizeof *pair->at);
    pair->may_count = cor_efsm_states_tidy(pair->ours.next, pair->ours.count, pair->width);
    assert_in_range(pair->may_count, 1, SET);
    memcpy(pair->may, pair->ours.next, pair->may_count * pair->width * sizeof *pair->may);
    return true;
}

static void draw_input(const struct cor_efsm *model, struct cor_rng *rng, uint32_t *input, int64_t *values) {
    *input = cor_rng_below(rng, model->input_count);
    for (uint32_t v = 0; v < model->variable_count; v++)
        values[v] = model->variables[v].low;
    for (uint32_t p = 0; p < model->inputs[*input].parameter_count; p++) {
        const uint32_t v = model->inputs[*input].parameters[p];
        values[v] = cor_rng_between(rng, model->variables[v].low, model->variables[v].high);
    }
}

static void walk_at_random(struct pair *pair, uint32_t number, uint32_t moves) {
    struct cor_rng rng =
        cor_rng_named(&(struct cor_stream_name){.seed = 14, .entity = number, .purpose = COR_PURPOSE_TEST});
    int64_t values[COR_EFSM_VARIABLES_MAX];
    begin(pair);
    for (uint32_t move = 0; move < moves; move++) {
        uint32_t input;
        if (move % 100 == 0)
            begin(pair);
        draw_input(pair->model, &rng, &input, values);
        if (!is_specified(pair, input, values))
            continue;
        assert_int_equal(
            cor_efsm_explain(pair->mutant, pair->at, 1, input, values, NULL, &pair->theirs, NULL), COR_OK);
        const uint32_t which = cor_rng_below(&rng, pair->theirs.count);
        assert_true(answer(pair, input, values, which));
    }
}

/* Whether some choices of the mutant along the inputs from `step` on end in an answer that is not allowed -
 * and none before the last input does. */
static bool shows(struct pair *pair, const struct cor_efsm_comparison *comparison, uint32_t step) {
    const struct pair here = *pair;
    const uint32_t variables = pair->model->variable_count;
    const uint32_t input = comparison->inputs[step];
    const int64_t *values = comparison->values + (size_t)step * variables;
    bool found = false;
    if (!is_specified(pair, input, values))
        return false;
    assert_int_equal(cor_efsm_explain(pair->mutant, pair->at, 1, input, values, NULL, &pair->theirs, NULL),
                     COR_OK);
    const uint32_t count = pair->theirs.count;
    for (uint32_t which = 0; which < count && !found; which++) {
        memcpy(pair->at, here.at, sizeof here.at);
        memcpy(pair->may, here.may, sizeof here.may);
        pair->may_count = here.may_count;
        assert_int_equal(
            cor_efsm_explain(pair->mutant, pair->at, 1, input, values, NULL, &pair->theirs, NULL), COR_OK);
        const bool allowed = answer(pair, input, values, which);
        if (step + 1 == comparison->length)
            found = !allowed && cor_efsm_observation_equal(&pair->answer, &comparison->observation);
        else {
            assert_true(allowed);
            found = shows(pair, comparison, step + 1);
        }
    }
    return found;
}

static void check_mutant(const struct cor_efsm *model, const struct cor_efsm_mutant *mutant, uint32_t number,
                         uint32_t *equivalent) {
    struct cor_efsm_comparison comparison;
    struct cor_error error = COR_NO_ERROR;
    struct cor_efsm *made;
    if (cor_efsm_mutate(model, mutant, &made, &error) != COR_OK)
        fail_msg("%s: %s: %s", mutant->name, error.place, error.cause);
    struct pair *pair = calloc(1, sizeof *pair);
    assert_non_null(pair);
    pair->model = model;
    pair->mutant = made;
    assert_int_equal(cor_efsm_compare(model, made, 2000000, NULL, &comparison, &error), COR_OK);
    assert_int_not_equal(comparison.difference, COR_EFSM_UNDECIDED);
    begin(pair);
    if (comparison.difference == COR_EFSM_DIFFERENT)
        assert_true(shows(pair, &comparison, 0));
    else {
        walk_at_random(pair, number, RANDOM_MOVES);
        ++*equivalent;
    }
    cor_efsm_explanations_fini(&pair->theirs);
    cor_efsm_explanations_fini(&pair->ours);
    cor_efsm_observation_fini(&pair->answer);
    cor_efsm_comparison_fini(&comparison);
    cor_efsm_destroy(made);
    free(pair);
}

/* All mutants of a model; `wanted` of them are equivalent. */
static void check_model(const char *path, uint32_t wanted) {
    struct cor_efsm_mutants mutants;
    struct cor_efsm *model;
    uint32_t equivalent = 0;
    assert_int_equal(cor_efsm_read(path, &model, NULL), COR_OK);
    assert_int_equal(cor_efsm_mutants_list(model, &mutants, NULL), COR_OK);
    for (uint32_t m = 0; m < mutants.count; m++)
        check_mutant(model, &mutants.mutants[m], m, &equivalent);
    print_message("%s: %u mutants, %u equivalent\n", path, mutants.count, equivalent);
    assert_int_equal(equivalent, wanted);
    cor_efsm_mutants_fini(&mutants);
    cor_efsm_destroy(model);
}

static void mutants_of_small_models_are_told_from_them_or_proven_equivalent(void **state) {
    (void)state;
    check_model(MODELS "inres_initiator.json", 10);
    check_model(MODELS "phone_call_1.json", 5);
    check_model(MODELS "lossy_link.json", 28);
    check_model(MODELS "shopping_cart.json", 37);
}

/* By name, as texts of the mutated part. */
static void a_mutant_does_what_its_name_says(void **state) {
    static const struct {
        const char *name, *guard, *update;
    } cases[] = {{"tx.guard.low+1", "i > 0 + 1 and i < 4", "x + 1"},
                 {"tx.guard.high-1", "i > 0 and i < 4 - 1", "x + 1"},
                 {"tx.guard.negated", "not (i > 0 and i < 4)", "x + 1"},
                 {"tx.guard.dropped", "true", "x + 1"},
                 {"tx.missing", "false", "x + 1"},
                 {"tx.update.x+1", NULL, "min(25, x + 1 + 1)"},
                 {"tx.update.x-1", NULL, "max(0, x + 1 - 1)"}};
    struct cor_efsm_mutants mutants;
    struct cor_efsm *model, *made;
    (void)state;
    assert_int_equal(cor_efsm_read(MODELS "counter3.json", &model, NULL), COR_OK);
    assert_int_equal(cor_efsm_mutants_list(model, &mutants, NULL), COR_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct cor_efsm_mutant *mutant = cor_efsm_mutants_find(&mutants, cases[i].name);
        assert_non_null(mutant);
        assert_int_equal(cor_efsm_mutate(model, mutant, &made, NULL), COR_OK);
        const struct cor_efsm_transition *t = &made->transitions[mutant->transition];
        if (cases[i].guard)
            assert_string_equal(t->guard.text, cases[i].guard);
        assert_string_equal(t->updates[0].value.text, cases[i].update);
        cor_efsm_destroy(made);
    }
    assert_null(cor_efsm_mutants_find(&mutants, "tx.guard.low+2"));
    cor_efsm_mutants_fini(&mutants);
    cor_efsm_destroy(model);
}

static void a_model_is_equivalent_to_its_copy(void **state) {
    struct cor_efsm_comparison comparison;
    struct cor_efsm *model, *copy;
    (void)state;
    assert_int_equal(cor_efsm_read(MODELS "lossy_link.json", &model, NULL), COR_OK);
    assert_int_equal(cor_efsm_mutate(model, NULL, &copy, NULL), COR_OK);
    assert_int_equal(cor_efsm_compare(model, copy, 1000000, NULL, &comparison, NULL), COR_OK);
    assert_int_equal(comparison.difference, COR_EFSM_EQUIVALENT);
    cor_efsm_comparison_fini(&comparison);
    assert_int_equal(cor_efsm_compare(model, copy, 3, NULL, &comparison, NULL), COR_OK);
    assert_int_equal(comparison.difference, COR_EFSM_UNDECIDED);
    cor_efsm_comparison_fini(&comparison);
    cor_efsm_destroy(copy);
    cor_efsm_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mutants_of_small_models_are_told_from_them_or_proven_equivalent),
        cmocka_unit_test(a_mutant_does_what_its_name_says),
        cmocka_unit_test(a_model_is_equivalent_to_its_copy)};
    return cmocka_run_group_tests_name("efsm_mutants", tests, NULL, NULL);
}
