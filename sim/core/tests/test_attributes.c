/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Attributes against plain loops over agents, written here again. Formulas over all operators are held
 * against the evaluator of expressions in experiments/layers/interaction. */
#include "require.h"
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AGENTS = 40, CASES = 30 };

static char load[] = "load", level[] = "level", slow[] = "slow", sum[] = "sum", mood[] = "mood",
            stored[] = "stored", unit[] = "kW", none[] = "", good[] = "good", bad[] = "bad";
static char *moods[] = {good, bad, NULL};
static const struct cor_agent_attribute declared[] = {
    {.name = load, .unit = unit, .type = COR_ATTRIBUTE_REAL, .low = 0, .high = 100},
    {.name = level, .unit = none, .type = COR_ATTRIBUTE_INTEGER, .low = 0, .high = 9},
    {.name = slow, .unit = none, .type = COR_ATTRIBUTE_REAL, .low = 0, .high = 1},
    {.name = sum, .unit = none, .type = COR_ATTRIBUTE_REAL, .low = 0, .high = 60},
    {.name = mood, .unit = none, .type = COR_ATTRIBUTE_WORDS, .high = 1, .words = moods, .word_count = 2},
    {.name = stored, .unit = none, .type = COR_ATTRIBUTE_REAL, .low = 0, .high = 8},
};
enum { LOAD, LEVEL, SLOWLY, SUM, MOOD, STORED, ATTRIBUTES };

/* load + value * level: 100 and more is out of range, so the agent has none. */
static char text[] = "load + value * level";
static struct cor_formula_step steps[] = {
    {COR_FORMULA_COLUMN, .left = 1 + LOAD},   {COR_FORMULA_COLUMN, .left = 0},
    {COR_FORMULA_COLUMN, .left = 1 + LEVEL},  {COR_FORMULA_MULTIPLY, .left = 1, .right = 2},
    {COR_FORMULA_ADD, .left = 0, .right = 3},
};
static const struct cor_formula formula = {text, steps, sizeof steps / sizeof *steps};

/* What is added in each case; nothing where the sum is out of range. */
static char added_text[] = "sum * 0.1 - stored * 0.25";
static struct cor_formula_step added_steps[] = {
    {COR_FORMULA_COLUMN, .left = 1 + SUM},         {COR_FORMULA_CONSTANT, .constant = 0.1},
    {COR_FORMULA_MULTIPLY, .left = 0, .right = 1}, {COR_FORMULA_COLUMN, .left = 1 + STORED},
    {COR_FORMULA_CONSTANT, .constant = 0.25},      {COR_FORMULA_MULTIPLY, .left = 3, .right = 4},
    {COR_FORMULA_SUBTRACT, .left = 2, .right = 5},
};
static const struct cor_formula added = {added_text, added_steps, sizeof added_steps / sizeof *added_steps};

static struct cor_configuration *configuration_of(struct cor_rng *rng, bool probabilistic, double idle) {
    struct cor_configuration *c = sample_configuration(rng, AGENTS, probabilistic);
    c->idle_ratio = idle;
    REQUIRE(cor_configuration_set_attributes(c, ATTRIBUTES, declared, &said));
    for (uint32_t t = 0; t < c->type_count; t++) {
        REQUIRE(cor_configuration_set_levels(c, LEVEL, t, &said));
        REQUIRE(cor_configuration_set_levels(c, SLOWLY, t, &said));
        c->attributes[SLOWLY].rules[t].has_inertia = true;
        REQUIRE(cor_configuration_set_formula(c, SUM, t, COR_ATTRIBUTE_COMPUTED, &formula, &said));
        REQUIRE(cor_configuration_set_formula(c, STORED, t, COR_ATTRIBUTE_ADDED, &added, &said));
        for (uint32_t p = 0; p < c->profile_count; p++)
            for (uint32_t s = 0; s < c->effects[t * c->profile_count + p].state_count; s++) {
                c->attributes[LEVEL].rules[t].level[p][s] = (double)cor_rng_between(rng, 0, 9);
                c->attributes[SLOWLY].rules[t].level[p][s] = cor_rng_unit(rng);
            }
    }
    for (uint32_t i = 0; i < AGENTS; i++) {
        c->attributes[LOAD].initial[i] = 70 * cor_rng_unit(rng);
        c->attributes[SLOWLY].initial[i] = cor_rng_unit(rng);
        c->attributes[MOOD].initial[i] = cor_rng_below(rng, 2);
        c->attributes[STORED].initial[i] = 8 * cor_rng_unit(rng);
    }
    return c;
}

static uint32_t profile_of(const struct cor_configuration *c, uint32_t agent) {
    uint32_t group = 0;
    while (c->group_start[group + 1] <= agent)
        group++;
    return c->profile_of_chain[c->chain_of_group[group]];
}

/* All columns by what each agent is: `slowly` and `store` are what the test knows of those that have a
 * memory. */
static uint32_t check_columns(struct cor_state *state, const double *slowly, const double *store) {
    const struct cor_configuration *c = state->configuration;
    const double *const *columns = cor_state_columns(state);
    uint32_t missing = 0;
    assert_ptr_equal(columns[0], state->value);
    for (uint32_t i = 0; i < AGENTS; i++) {
        const double *levels = c->attributes[LEVEL].rules[c->type[i]].level[profile_of(c, i)];
        const double at = levels[state->agent_state[i]], load_now = c->attributes[LOAD].initial[i];
        double product = state->value[i] * at, both = load_now + product;
        assert_true(columns[1 + LOAD][i] == load_now);
        assert_true(columns[1 + LEVEL][i] == at);
        assert_true(columns[1 + SLOWLY][i] == slowly[i]);
        assert_true(columns[1 + STORED][i] == store[i]);
        assert_true(columns[1 + MOOD][i] == c->attributes[MOOD].initial[i]);
        missing += both > 60;
        assert_true(both <= 60 ? columns[1 + SUM][i] == both : isnan(columns[1 + SUM][i]));
    }
    return missing;
}

static void columns_are_what_plain_loops_make(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 31, .purpose = COR_PURPOSE_TEST});
    uint32_t missing = 0, idled = 0, full = 0, none_added = 0;
    for (int turn = 0; turn < 40; turn++) {
        struct cor_configuration *c = configuration_of(&rng, turn % 2, turn % 3 == 0 ? 0.4 : 0);
        c->attributes[SUM].is_one_formula = turn % 4 < 2;
        struct cor_state *state = sample_state(c);
        double slowly[AGENTS], store[AGENTS], before[AGENTS];
        uint8_t environment[16], was[AGENTS];
        memcpy(slowly, c->attributes[SLOWLY].initial, sizeof slowly);
        memcpy(store, c->attributes[STORED].initial, sizeof store);
        for (uint32_t number = 1; number <= CASES; number++) {
            const struct cor_stream_name name = {.seed = 31, .suite = (uint32_t)turn, .identity = number};
            missing +=
                number % 3 > 0 ? check_columns(state, slowly, store) : 0; /* now and then nobody asks */
            memcpy(before, state->value, sizeof before);
            memcpy(was, state->agent_state, sizeof was);
            sample_environment(&rng, c, environment);
            cor_state_perceive(state, environment, &name);
            for (uint32_t i = 0; i < AGENTS; i++) {
                struct cor_stream_name own = name;
                own.purpose = COR_PURPOSE_IDLE;
                own.entity = i;
                struct cor_rng draw = cor_rng_named(&own);
                if (c->idle_ratio > 0 && cor_rng_unit(&draw) < c->idle_ratio) {
                    idled++;
                    assert_true(state->value[i] == before[i] && state->agent_state[i] == was[i]);
                    continue;
                }
                const double *levels = c->attributes[SLOWLY].rules[c->type[i]].level[profile_of(c, i)];
                const double way = levels[state->agent_state[i]] - slowly[i];
                slowly[i] += c->inertia[i] * way;
                const double at =
                    c->attributes[LEVEL].rules[c->type[i]].level[profile_of(c, i)][state->agent_state[i]];
                const double product = state->value[i] * at, both = c->attributes[LOAD].initial[i] + product;
                const double in = both * 0.1, out = store[i] * 0.25, more = in - out;
                none_added += both > 60;
                store[i] = both > 60 ? store[i] : store[i] + more;
                full += store[i] > 8;
                store[i] = store[i] > 8 ? 8 : store[i] < 0 ? 0 : store[i];
            }
        }
        check_columns(state, slowly, store);
        cor_state_restart(state, environment);
        check_columns(state, c->attributes[SLOWLY].initial, c->attributes[STORED].initial);
        cor_state_destroy(state);
        cor_configuration_destroy(c);
    }
    assert_true(missing > 100 && idled > 1000 && full > 1000 && none_added > 1000);
}

/* An attribute with a memory is part of a state's fingerprint and of its copies, others follow. */
static void states_are_copied_and_told_apart_by_their_attributes(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 32, .purpose = COR_PURPOSE_TEST});
    struct cor_configuration *c = configuration_of(&rng, false, 0);
    struct cor_state *state = sample_state(c), *copy = sample_state(c);
    uint8_t environment[16];
    for (int i = 0; i < 5; i++) {
        sample_environment(&rng, c, environment);
        cor_state_perceive(state, environment, &(struct cor_stream_name){.identity = 1});
    }
    REQUIRE(cor_state_copy(copy, state, &said));
    assert_true(cor_state_hash(copy) == cor_state_hash(state));
    for (uint32_t a = 0; a < ATTRIBUTES; a++)
        for (uint32_t i = 0; i < AGENTS; i++) {
            const double x = cor_state_columns(state)[1 + a][i], y = cor_state_columns(copy)[1 + a][i];
            assert_true(x == y || (isnan(x) && isnan(y)));
        }
    copy->attribute[SLOWLY][7] /= 2;
    assert_true(cor_state_hash(copy) != cor_state_hash(state));
    copy->attribute[SLOWLY][7] = state->attribute[SLOWLY][7];
    copy->attribute[STORED][7] /= 2;
    assert_true(cor_state_hash(copy) != cor_state_hash(state));
    cor_state_destroy(copy);
    cor_state_destroy(state);
    cor_configuration_destroy(c);
}

static void configurations_are_told_apart_by_their_attributes(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 33, .purpose = COR_PURPOSE_TEST});
    struct cor_configuration *plain = sample_configuration(&rng, AGENTS, true), *c = NULL, *copy = NULL;
    const uint64_t without = cor_configuration_hash(plain);
    REQUIRE(cor_configuration_set_attributes(plain, 0, NULL, &said));
    assert_true(cor_configuration_hash(plain) == without);
    cor_configuration_destroy(plain);
    c = configuration_of(&rng, true, 0);
    REQUIRE(cor_configuration_copy(c, &copy, &said));
    const uint64_t hash = cor_configuration_hash(c);
    assert_true(cor_configuration_hash(copy) == hash);
#define CHANGED(attribute, member)                     \
    copy->attributes[attribute].member++;              \
    assert_true(cor_configuration_hash(copy) != hash); \
    copy->attributes[attribute].member--;              \
    assert_true(cor_configuration_hash(copy) == hash)
    CHANGED(LOAD, initial[3]);
    CHANGED(LOAD, high);
    CHANGED(LOAD, name[0]);
    CHANGED(LOAD, unit[1]);
    CHANGED(MOOD, words[1][0]);
    CHANGED(LEVEL, rules[0].level[0][0]);
    CHANGED(SUM, rules[0].formula.text[0]);
    copy->attributes[SLOWLY].rules[0].has_inertia = false;
    assert_true(cor_configuration_hash(copy) != hash);
    cor_configuration_destroy(copy);
    cor_configuration_destroy(c);
}

static void numbers_are_read_as_people_write_them(void **unused) {
    (void)unused;
    static const struct cor_agent_attribute truth = {.type = COR_ATTRIBUTE_BOOLEAN, .high = 1};
    char said[40];
    cor_attribute_text(&declared[MOOD], 1, said, sizeof said);
    assert_string_equal(said, "bad");
    cor_attribute_text(&truth, 1, said, sizeof said);
    assert_string_equal(said, "true");
    cor_attribute_text(&declared[LOAD], 12.5, said, sizeof said);
    assert_string_equal(said, "12.5");
    cor_attribute_text(&declared[LOAD], NAN, said, sizeof said);
    assert_string_equal(said, "-");
    assert_int_equal(cor_attribute_find(declared, ATTRIBUTES, "mood"), MOOD);
    assert_int_equal(cor_attribute_find(declared, ATTRIBUTES, "moo"), COR_NOBODY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_what_plain_loops_make),
        cmocka_unit_test(states_are_copied_and_told_apart_by_their_attributes),
        cmocka_unit_test(configurations_are_told_apart_by_their_attributes),
        cmocka_unit_test(numbers_are_read_as_people_write_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
