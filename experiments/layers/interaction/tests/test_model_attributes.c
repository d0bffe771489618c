/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Attributes of a model: formulas against the evaluator of expressions, laws against what they promise, suite
 * files. What becomes of attributes from case to case is tested in sim/core. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "require.h"

#include <corridor/attribute_json.h>
#include <corridor/expression.h>
#include <corridor/state.h>
#include <corridor/suite.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/corridor_attributes_XXXXXX";
static char path[64], suite_path[64];

/* What is said of a type, with its own levels. */
static void put_levels(const char *of_type, const char *levels, char text[200]) {
    const char *at = strstr(of_type, "LEVEL");
    const int before = at ? (int)(at - of_type) : (int)strlen(of_type);
    snprintf(text, 200, "%.*s%s%s", before, of_type, at ? levels : "", at ? at + 5 : "");
}

static struct cor_experiment *experiment_of(const char *attributes, const char *of_type, int agents) {
    FILE *out = fopen(path, "w");
    struct cor_experiment *experiment;
    char lamp[200], boat[200];
    assert_non_null(out);
    put_levels(of_type, "{\"on\": 8, \"off\": 3}", lamp);
    put_levels(of_type, "[4, 6]", boat);
    fprintf(
        out,
        "{\"corridor_experiment\": 1, \"name\": \"t\", \"seed\": \"0x5\", \"suites\": 4, \"sequences\": 1, "
        "\"cases\": 30, \"model\": {\"corridor_model\": 1, \"agents\": %d, \"groups\": {\"count\": 3}, "
        "\"environments\": {\"sky\": {\"profile\": {\"states\": [\"dark\", \"bright\"], \"transitions\": "
        "{\"dark\": {\"dark\": 0.5, \"bright\": 0.5}, \"bright\": {\"dark\": 1}}}}, "
        "\"sea\": {\"random\": {\"states\": 4}}}, %s "
        "\"types\": {\"lamp\": {\"environment\": \"sky\", \"states\": {\"on\": 0.9, \"off\": 0.1}, "
        "\"influence\": {\"dark\": \"on\", \"bright\": \"off\"}%s}, "
        "\"boat\": {\"level\": [0.2, 0.8]%s}}, \"invariant\": {\"threshold\": 0.5}}, "
        "\"arms\": [{\"name\": \"A\", \"algorithm\": \"random\"}]}",
        agents, attributes, lamp, boat);
    assert_int_equal(fclose(out), 0);
    REQUIRE(cor_experiment_read(path, &experiment, &said));
    return experiment;
}

/* ---- formulas */

enum { FORMULAS = 40, KNOWN = 6 };

static const struct {
    const char *name, *declared;
    enum { INTEGER, REAL, TRUTH } type;
} known[KNOWN] = {
    {"value", NULL, REAL},
    {"i", "{\"integer\": [-9, 9], \"draw\": [-9, 9]}", INTEGER},
    {"k", "{\"integer\": true, \"draw\": [0, 3]}", INTEGER},
    {"x", "{\"real\": [-2, 2], \"draw\": [-2, 2]}", REAL},
    {"p", "{\"boolean\": true, \"draw\": {\"true\": 1, \"false\": 2}}", TRUTH},
    {"w", "{\"words\": [\"near\", \"far\", \"nowhere\"], \"draw\": [\"near\", \"far\"]}", TRUTH + 1},
};

static struct cor_rng rng;

static uint32_t below(uint32_t bound) {
    return cor_rng_below(&rng, bound);
}

static void put_number(FILE *out, int depth, bool reals);

/* A random condition. */
static void put_condition(FILE *out, int depth) {
    static const char *const relations[] = {"<", "<=", "=", "!=", ">=", ">"};
    static const char *const joints[] = {"and", "or", "implies"};
    const uint32_t kind = depth > 0 ? below(6) : below(3);
    if (kind == 0) {
        fputs("p", out);
    } else if (kind == 1) {
        fputs(below(2) ? "w = 'far'" : "'near' != w", out);
    } else if (kind == 2 || kind == 3) {
        const bool reals = below(2);
        putc('(', out);
        put_number(out, depth - 1, reals);
        fprintf(out, " %s ", relations[below(6)]);
        put_number(out, depth - 1, reals);
        putc(')', out);
    } else if (kind == 4) {
        fputs("not (", out);
        put_condition(out, depth - 1);
        putc(')', out);
    } else {
        putc('(', out);
        put_condition(out, depth - 1);
        fprintf(out, " %s ", joints[below(3)]);
        put_condition(out, depth - 1);
        putc(')', out);
    }
}

/* A random number; of reals parts may be integers. */
static void put_number(FILE *out, int depth, bool reals) {
    static const char *const integers[] = {"i", "k", "7", "0", "3000000000"}, *const others[] = {"value", "x",
                                                                                                 "0.25",
                                                                                                 "1e200"};
    static const char *const operators[] = {"+", "-", "*", "/", "%"};
    static const char *const functions[] = {"min", "max", "ceil_div"};
    const uint32_t kind = depth > 0 ? below(5) : 0;
    if (kind == 0) {
        fputs(reals && below(3) > 0 ? others[below(4)] : integers[below(5)], out);
    } else if (kind == 1) {
        fputs(below(2) ? "-(" : "abs(", out);
        put_number(out, depth - 1, reals);
        putc(')', out);
    } else if (kind == 2) {
        fprintf(out, "%s(", functions[below(reals ? 2 : 3)]);
        put_number(out, depth - 1, reals);
        fputs(", ", out);
        put_number(out, depth - 1, reals);
        putc(')', out);
    } else {
        putc('(', out);
        put_number(out, depth - 1, reals);
        fprintf(out, " %s ", operators[below(reals ? 4 : 5)]);
        put_number(out, depth - 1, reals);
        putc(')', out);
    }
}

/* The same by the evaluator of expressions, which knows no columns; NAN where it says that it is undefined,
 * or an integer is too large for a column. */
static double evaluated(const char *text, int type, const struct cor_configuration *c,
                        const double *const *columns, uint32_t agent, bool *is_large) {
    static const struct cor_domain domains[] = {{.type = COR_VALUE_TYPE_INTEGER, .name = "int"},
                                                {.type = COR_VALUE_TYPE_REAL, .name = "real"},
                                                {.type = COR_VALUE_TYPE_BOOLEAN, .name = "bool"},
                                                {.type = COR_VALUE_TYPE_STRING, .name = "string"}};
    struct cor_symbol symbols[KNOWN];
    struct cor_value values[KNOWN], value;
    struct cor_words words;
    struct cor_expression expression;
    cor_words_init(&words);
    for (uint32_t k = 0; k < KNOWN; k++) {
        const double number = columns[k][agent];
        symbols[k] = (struct cor_symbol){known[k].name, &domains[known[k].type]};
        values[k] = known[k].type == REAL ? cor_real(number) : cor_integer((int64_t)number);
        if (known[k].type > TRUTH) {
            uint32_t word;
            REQUIRE(cor_words_intern(&words, c->attributes[k - 1].words[(uint32_t)number], &word, &said));
            values[k] = cor_word(word);
        }
    }
    const struct cor_scope scope = {.symbols = symbols, .symbol_count = KNOWN, .words = &words};
    REQUIRE(cor_expression_parse_value(text, &scope, &domains[type], NULL, &expression, &said));
    double result = (double)NAN;
    if (cor_expression_evaluate(&expression, values, &value))
        result = value.kind == COR_VALUE_REAL ? value.as.real : (double)value.as.integer;
    /* Columns hold integers up to 2^53: whoever is beyond anywhere is left out here. */
    *is_large = strstr(text, "3000000000") != NULL && fabs(result) > 1e15;
    cor_expression_fini(&expression);
    cor_words_fini(&words);
    return result;
}

/* Is an integer beyond 2^53 part of the way? Products of three billions are, and there the two part. */
static bool may_be_large(const char *text) {
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, "3000000000")) != NULL; at++)
        count++;
    return count > 1;
}

static void formulas_give_what_the_evaluator_of_expressions_gives(void **state) {
    (void)state;
    static const char *const declared[] = {"\"integer\": true", "\"real\": true", "\"boolean\": true"};
    uint32_t compared = 0, undefined = 0, different = 0;
    rng = cor_rng_named(&(struct cor_stream_name){.seed = 31, .purpose = COR_PURPOSE_TEST});
    for (int turn = 0; turn < 25; turn++) {
        char *texts[FORMULAS], *all;
        int types[FORMULAS];
        size_t size;
        FILE *out = open_memstream(&all, &size);
        fputs("\"attributes\": {", out);
        for (uint32_t k = 1; k < KNOWN; k++)
            fprintf(out, "\"%s\": %s, ", known[k].name, known[k].declared);
        for (int f = 0; f < FORMULAS; f++) {
            size_t length;
            FILE *text = open_memstream(&texts[f], &length);
            types[f] = (int)below(3);
            if (types[f] == TRUTH)
                put_condition(text, 3);
            else
                put_number(text, 3, types[f] == REAL);
            fclose(text);
            fprintf(out, "%s\"f%d\": {%s, \"is\": \"%s\"}", f > 0 ? ", " : "", f, declared[types[f]],
                    texts[f]);
        }
        fputs("},", out);
        fclose(out);
        struct cor_experiment *experiment = experiment_of(all, "", 12);
        struct cor_suite *suite;
        struct cor_state *world;
        REQUIRE(cor_suite_generate(experiment, 0, 0, &suite, &said));
        REQUIRE(cor_state_create(suite->configuration, &world, &said));
        const double *const *columns = cor_state_columns(world);
        for (int f = 0; f < FORMULAS; f++)
            for (uint32_t i = 0; i < 12; i++) {
                bool is_large;
                const double here = columns[KNOWN + (uint32_t)f][i],
                             there =
                                 evaluated(texts[f], types[f], suite->configuration, columns, i, &is_large);
                const bool same = here == there || (isnan(here) && isnan(there));
                if (is_large || may_be_large(texts[f]))
                    continue;
                compared++;
                undefined += isnan(there) ? 1 : 0;
                if (!same && different++ < 5)
                    print_error("%s of agent %u: %.17g, expected %.17g\n", texts[f], i, here, there);
            }
        cor_state_destroy(world);
        cor_suite_destroy(suite);
        cor_experiment_destroy(experiment);
        for (int f = 0; f < FORMULAS; f++)
            free(texts[f]);
        free(all);
    }
    assert_int_equal(different, 0);
    assert_true(compared > 9000 && undefined > 300);
}

/* ---- laws */

static const char laws[] =
    "\"attributes\": {\"load\": {\"real\": [0, 500], \"unit\": \"kW\", \"draw\": [10, 20]}, "
    "\"crew\": {\"integer\": [0, 9], \"draw\": [1, 3]}, "
    "\"tool\": {\"words\": [\"none\", \"crane\", \"drill\"], \"draw\": {\"drill\": 3, \"crane\": 1}}, "
    "\"ready\": \"boolean\", \"net\": {\"real\": [0, 40], \"is\": \"load * crew\"}},";
static const char of_types[] = ", \"attributes\": {\"ready\": true}";

static void what_is_drawn_keeps_to_its_law(void **state) {
    (void)state;
    struct cor_experiment *experiment = experiment_of(laws, of_types, 900);
    struct cor_suite *suite;
    double load = 0;
    uint32_t crew[10] = {0}, tool[3] = {0};
    REQUIRE(cor_suite_generate(experiment, 0, 0, &suite, &said));
    const struct cor_agent_attribute *a = suite->configuration->attributes;
    for (uint32_t i = 0; i < 900; i++) {
        assert_true(a[0].initial[i] >= 10 && a[0].initial[i] <= 20 && a[3].initial[i] == 1);
        load += a[0].initial[i] / 900;
        crew[(uint32_t)a[1].initial[i]]++;
        tool[(uint32_t)a[2].initial[i]]++;
    }
    assert_true(fabs(load - 15) < 0.5); /* 5 standard errors */
    assert_int_equal(crew[1] + crew[2] + crew[3], 900);
    for (uint32_t n = 1; n <= 3; n++)
        assert_true(crew[n] > 230 && crew[n] < 370);
    assert_int_equal(tool[0], 0);
    assert_true(tool[1] > 160 && tool[1] < 290);
    cor_suite_destroy(suite);
    cor_experiment_destroy(experiment);
}

/* All that a suite had before it has with attributes, too: they draw from streams of their own. */
static void attributes_change_nothing_else(void **state) {
    (void)state;
    for (uint32_t s = 0; s < 4; s++) {
        struct cor_suite *suite, *with;
        struct cor_experiment *experiment = experiment_of("", "", 30);
        REQUIRE(cor_suite_generate(experiment, 0, s, &suite, &said));
        struct cor_experiment *richer = experiment_of(laws, of_types, 30);
        REQUIRE(cor_suite_generate(richer, 0, s, &with, &said));
        const struct cor_configuration *c = suite->configuration, *d = with->configuration;
        assert_int_equal(d->attribute_count, 5);
        assert_memory_equal(c->type, d->type, 30 * sizeof *c->type);
        assert_memory_equal(c->inertia, d->inertia, 30 * sizeof *c->inertia);
        assert_memory_equal(c->initial_value, d->initial_value, 30 * sizeof *c->initial_value);
        assert_memory_equal(c->initial_partition, d->initial_partition, 30 * sizeof *c->initial_partition);
        assert_true(c->threshold == d->threshold);
        cor_suite_destroy(with);
        cor_suite_destroy(suite);
        cor_experiment_destroy(richer);
        cor_experiment_destroy(experiment);
    }
}

/* What a type says goes before what is said for all; levels go with states, drawn ones by profile and state.
 */
static void types_have_laws_of_their_own(void **state) {
    (void)state;
    struct cor_experiment *experiment = experiment_of(
        "\"attributes\": {\"load\": {\"real\": [0, 9], \"draw\": [1, 2]}, "
        "\"heat\": {\"real\": true, \"is\": \"2 * load\"}, \"way\": {\"real\": [0, 9], \"value\": 5}},",
        ", \"attributes\": {\"load\": {\"level\": LEVEL}, \"way\": 7}", 40);
    struct cor_suite *suite;
    REQUIRE(cor_suite_generate(experiment, 0, 0, &suite, &said));
    const struct cor_configuration *c = suite->configuration;
    const struct cor_attribute_rule *lamp = &c->attributes[0].rules[0], *boat = &c->attributes[0].rules[1];
    /* Lamps are on or off, whatever environment they are in; of boats each state of each profile has its own.
     */
    for (uint32_t p = 0; p < 2; p++)
        assert_true(lamp->level[p][0] == 8 && lamp->level[p][1] == 3);
    for (uint32_t p = 0; p < 2; p++)
        for (uint32_t s = 0; s < suite->profiles[p]->state_count; s++)
            assert_true(boat->level[p][s] >= 4 && boat->level[p][s] <= 6);
    assert_true(boat->level[0][0] != boat->level[0][1] && boat->level[0][0] != boat->level[1][0]);
    struct cor_state *world;
    REQUIRE(cor_state_create(c, &world, &said));
    const double *const *columns = cor_state_columns(world);
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
            const uint32_t profile = c->profile_of_chain[c->chain_of_group[g]];
            assert_true(columns[1][i] ==
                        c->attributes[0].rules[c->type[i]].level[profile][c->initial_state[i]]);
            assert_true(columns[2][i] == 2 * columns[1][i]);
            assert_true(columns[3][i] == 7);
        }
    cor_state_destroy(world);
    cor_suite_destroy(suite);
    cor_experiment_destroy(experiment);
}

static void suites_are_read_back_from_files(void **state) {
    (void)state;
    struct cor_experiment *experiment = experiment_of(laws, of_types, 30);
    for (uint32_t s = 0; s < 4; s++) {
        struct cor_suite *suite, *back;
        REQUIRE(cor_suite_generate(experiment, 0, s, &suite, &said));
        remove(suite_path);
        REQUIRE(cor_suite_write(suite, suite_path, &said));
        REQUIRE(cor_suite_read(experiment, suite_path, &back, &said));
        assert_true(cor_configuration_hash(suite->configuration) ==
                    cor_configuration_hash(back->configuration));
        assert_int_equal(back->configuration->attribute_count, 5);
        assert_int_equal(suite->configuration->attributes[4].is_one_formula,
                         back->configuration->attributes[4].is_one_formula);
        struct cor_state *one, *other;
        REQUIRE(cor_state_create(suite->configuration, &one, &said));
        REQUIRE(cor_state_create(back->configuration, &other, &said));
        for (uint32_t a = 0; a <= 5; a++)
            assert_memory_equal(cor_state_columns(one)[a], cor_state_columns(other)[a], 30 * sizeof(double));
        cor_state_destroy(one);
        cor_state_destroy(other);
        cor_suite_destroy(back);
        cor_suite_destroy(suite);
    }
    cor_experiment_destroy(experiment);
}

static void assert_refused(const struct cor_test_model *model, const char *const *needs, const char *cause,
                           const char *remedy) {
    const struct cor_algorithm algorithm = {.name = "by_tool", .needs = needs};
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_attribute_check_needs(model->attributes, model->attribute_count, &algorithm,
                                               "e.json: /arms/0/algorithm", &error),
                     COR_STATUS_INPUT);
    assert_string_equal(error.place, "e.json: /arms/0/algorithm");
    assert_string_equal(error.cause, cause);
    assert_string_equal(error.remedy, remedy);
}

static void an_algorithm_that_lacks_an_attribute_is_refused_by_name(void **state) {
    (void)state;
    struct cor_experiment *experiment = experiment_of(laws, of_types, 4), *none = experiment_of("", "", 4);
    const struct cor_test_model *model = experiment->model;
    const struct cor_algorithm content = {.name = "by_tool",
                                          .needs = (const char *const[]){"load [kW]", "load", "tool", NULL}};
    REQUIRE(cor_attribute_check_needs(model->attributes, model->attribute_count, &content, "", &said));
    REQUIRE(cor_attribute_check_needs(NULL, 0, &(struct cor_algorithm){.name = "any"}, "", &said));
    assert_refused(model, (const char *const[]){"load", "tools", NULL},
                   "algorithm \"by_tool\" needs the attribute \"tools\", and there is none of that name",
                   "did you mean \"tool\"? known: load, crew, tool, ready, net");
    assert_refused(model, (const char *const[]){"load [MW]", NULL},
                   "algorithm \"by_tool\" needs the attribute \"load\" in MW, and here it is in kW",
                   "declare it in that unit");
    assert_refused(
        model, (const char *const[]){"crew [people]", NULL},
        "algorithm \"by_tool\" needs the attribute \"crew\" in people, and here it is without a unit",
        "declare it in that unit");
    assert_refused(none->model, (const char *const[]){"load", NULL},
                   "algorithm \"by_tool\" needs the attribute \"load\", and there is none of that name",
                   "no agent has an attribute here");
    cor_experiment_destroy(none);
    cor_experiment_destroy(experiment);
}

static int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/e.json", folder);
    snprintf(suite_path, sizeof suite_path, "%s/suite.json", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    remove(path);
    remove(suite_path);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_give_what_the_evaluator_of_expressions_gives),
        cmocka_unit_test(what_is_drawn_keeps_to_its_law),
        cmocka_unit_test(attributes_change_nothing_else),
        cmocka_unit_test(types_have_laws_of_their_own),
        cmocka_unit_test(suites_are_read_back_from_files),
        cmocka_unit_test(an_algorithm_that_lacks_an_attribute_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
