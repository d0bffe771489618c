/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Properties asked of rows of schedules, made by hand, as the schema of the process layer says how they
 * become cases. */
#include <corridor/process_schema.h>
#include <corridor/property.h>
#include <corridor/schema.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct cor_catalog_entry constraints[] = {{0, "-", ""}, {1, "agreed", ""}, {2, "stored", ""}},
                                      ends[] = {{0, "none", ""}, {1, "signal", ""}},
                                      weathers[] = {{0, "calm", ""}, {1, "storm", ""}},
                                      traps[] = {{0, "far", ""}, {1, "near", ""}, {2, "elsewhere", ""}};

static struct cor_result_header process_head(void) {
    return (struct cor_result_header){.layer = &cor_process_schema,
                                      .catalog = {[COR_PROCESS_CATALOG_CONSTRAINT] = constraints,
                                                  [COR_PROCESS_CATALOG_END] = ends,
                                                  [COR_PROCESS_CATALOG_WEATHER] = weathers,
                                                  [COR_PROCESS_CATALOG_TRAP] = traps},
                                      .catalog_size = {[COR_PROCESS_CATALOG_CONSTRAINT] = 3,
                                                       [COR_PROCESS_CATALOG_END] = 2,
                                                       [COR_PROCESS_CATALOG_WEATHER] = 2,
                                                       [COR_PROCESS_CATALOG_TRAP] = 3}};
}

/* Sequence 1 of a suite: three cases, the last of which is not whole; "near" is met in the second;
 * "elsewhere" is looked for in other arms alone. */
static double ask_schedule(const struct cor_process_sequence_row *sequence, const char *text) {
    const struct cor_process_sequence_row sequences[] = {{.sequence = 0}, *sequence};
    static const struct cor_process_case_row cases[] = {
        {.sequence = 0, .case_ = 1, .whole = 1, .messages = 99},
        {.sequence = 1, .case_ = 1, .whole = 1, .messages = 1},
        {.sequence = 1, .case_ = 2, .whole = 1, .messages = 2, .weather = 1},
        {.sequence = 1, .case_ = 3, .messages = 4}};
    static const struct cor_process_met_row met[] = {{.sequence = 0, .trap = 0, .case_ = 1},
                                                     {.sequence = 1, .trap = 1, .case_ = 2}};
    static const struct cor_process_trap_row looked_for[] = {{.trap = 0}, {.trap = 1}};
    const struct cor_asked_rows suite[COR_ASKED_COUNT] = {[COR_ASKED_CASES] = {cases, 4},
                                                          [COR_ASKED_BESIDE] = {sequences, 2},
                                                          [COR_ASKED_MET] = {met, 2},
                                                          [COR_ASKED_LOOKED_FOR] = {looked_for, 2}};
    const struct cor_result_header head = process_head();
    struct cor_property_value value;
    struct cor_property *property;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_property_parse_of(&head, text, NULL, &property, &error), COR_OK);
    assert_int_equal(cor_property_ask_rows(property, suite, 1, &value, &error), COR_OK);
    assert_int_equal(value.cases, 3);
    assert_int_equal(value.has_failed, sequence->violated || sequence->end);
    cor_property_destroy(property);
    return value.value;
}

/* What each of the four ways in which a schedule may go says of a property; -1: unknown. */
static void test_schedules(void **state) {
    static const struct {
        const char *text;
        double violated, ended, cut, open;
    } table[] = {
        {"P [ eventually failed ]", 1, 1, -1, -1},
        {"P [ always not failed ]", 0, 0, -1, -1},
        {"P [ eventually (failed and case < 3) ]", 1, 0, -1, -1},
        {"P [ eventually violated = 'agreed' ]", 1, 0, -1, -1},
        {"P [ eventually violated = 'stored' ]", 0, 0, -1, -1},
        {"P [ next[1, 1] (violated = 'agreed') ]", 1, 0, 0, -1},
        {"P [ eventually end = 'signal' ]", 0, 1, -1, -1},
        {"P [ eventually near ]", 1, 1, 1, 1},
        {"P [ next[2, 2] (near) ]", 0, 0, 0, 0},
        {"P [ eventually far ]", 0, 0, -1, 0},
        {"P [ eventually elsewhere ]", -1, -1, -1, -1},
        {"P [ eventually weather = 'storm' ]", 1, 1, 1, 1},
        {"P [ always whole ]", 0, 0, -1, 0},
        {"P [ eventually messages >= 4 ]", 1, 1, -1, 1},
        {"P [ eventually messages >= 2 ]", 1, 1, 1, 1},
        {"E [ sum messages ]", 7, 7, -1, 7},
        {"E [ max messages ]", 4, 4, -1, 4},
        {"E [ messages at 2 ]", 2, 2, 2, 2},
        {"E [ messages at 3 ]", 4, 4, -1, 4},
        {"E [ messages at 4 ]", -1, -1, -1, -1},
        {"E [ sum near ]", 1, 1, -1, 1},
        {"E [ sum failed ]", 1, 1, -1, -1},
    };
    const struct cor_process_sequence_row ways[] = {
        {.sequence = 1, .verdict = COR_VERDICT_FAILED, .violated = 1, .violated_case = 2},
        {.sequence = 1, .verdict = COR_VERDICT_FAILED, .end = 1},
        {.sequence = 1, .cut = 1},
        {.sequence = 1, .open = 1}};
    (void)state;
    for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
        const double expected[] = {table[t].violated, table[t].ended, table[t].cut, table[t].open};
        for (size_t w = 0; w < 4; w++) {
            const double found = ask_schedule(&ways[w], table[t].text);
            if (expected[w] < 0 ? !isnan(found) : found != expected[w])
                fail_msg("%s, way %zu: %g, expected %g", table[t].text, w, found, expected[w]);
        }
    }
}

/* Codes of a catalog that is not there are numbers; and the interaction layer needs none. */
static void test_no_catalogs(void **state) {
    const struct cor_result_header heads[] = {{.layer = &cor_process_schema},
                                              {.layer = &cor_interaction_schema}};
    struct cor_property *property;
    struct cor_error error = COR_NO_ERROR;
    (void)state;
    assert_int_equal(
        cor_property_parse_of(&heads[0], "P [ eventually violated = 1 ]", NULL, &property, &error), COR_OK);
    cor_property_destroy(property);
    assert_int_equal(
        cor_property_parse_of(&heads[0], "P [ eventually violated = 'agreed' ]", NULL, &property, &error),
        COR_STATUS_INPUT);
    error = COR_NO_ERROR;
    assert_int_equal(
        cor_property_parse_of(&heads[1], "P [ eventually gray = 'failed' ]", NULL, &property, &error),
        COR_OK);
    cor_property_destroy(property);
}

/* Where no case was kept nothing is said. */
static void test_no_cases(void **state) {
    const struct cor_process_sequence_row sequence = {0};
    const struct cor_asked_rows suite[COR_ASKED_COUNT] = {[COR_ASKED_BESIDE] = {&sequence, 1}};
    const struct cor_result_header head = process_head();
    struct cor_property_value value;
    struct cor_property *property;
    struct cor_error error = COR_NO_ERROR;
    (void)state;
    assert_int_equal(cor_property_parse_of(&head, "P [ eventually failed ]", NULL, &property, &error),
                     COR_OK);
    assert_int_equal(cor_property_ask_rows(property, suite, 0, &value, &error), COR_STATUS_INPUT);
    assert_non_null(strstr(error.cause, "were not kept"));
    cor_property_destroy(property);
}

/* A suite of one sequence of one case, all zeros but for one column. */
static double ask_column(const struct cor_layer_schema *layer, enum cor_asked_table table,
                         const struct cor_column *column, uint64_t number) {
    static max_align_t rows[2][64];
    const struct cor_property_source *asked = layer->asked;
    struct cor_asked_rows suite[COR_ASKED_COUNT] = {{rows[0], 1}, {rows[1], 1}};
    const struct cor_result_header head = {.layer = layer};
    const uint32_t small = (uint32_t)number;
    struct cor_property_value value;
    struct cor_property *property;
    char text[100];
    memset(rows, 0, sizeof rows);
    memcpy((char *)rows[table] + column->offset, column->type == COR_TYPE_U64 ? (void *)&number : &small,
           cor_type_size(column->type));
    for (int t = 0; t < 2; t++)
        assert_true(layer->tables[asked->tables[t]].row_size <= sizeof rows[t]);
    snprintf(text, sizeof text, "E [ max %s ]", column->name);
    if (cor_property_parse_of(&head, text, NULL, &property, NULL) != COR_OK)
        return -1;
    assert_int_equal(cor_property_ask_rows(property, suite, 0, &value, NULL), COR_OK);
    cor_property_destroy(property);
    return value.value;
}

/* Of all columns that can be asked: the greatest value is none where, and only where, the meaning speaks of
 * it. */
static void test_greatest_values(void **state) {
    uint32_t asked = 0, none = 0;
    (void)state;
    for (const struct cor_layer_schema *const *layer = cor_layer_schemas(); *layer; layer++)
        for (enum cor_asked_table t = COR_ASKED_CASES; (*layer)->asked && t <= COR_ASKED_BESIDE; t++) {
            const struct cor_table_schema *table = &(*layer)->tables[(*layer)->asked->tables[t]];
            for (uint32_t c = 0; c < table->column_count; c++) {
                const struct cor_column *column = &table->columns[c];
                const bool is_none = strstr(column->meaning, "4294967295") != NULL ||
                                     strstr(column->meaning, "18446744073709551615") != NULL;
                if ((column->type != COR_TYPE_U32 && column->type != COR_TYPE_U64) ||
                    cor_is_among((*layer)->asked->own, column->name))
                    continue;
                if (!(*layer)->asked->ending) { /* rows of algorithms have none */
                    assert_false(is_none);
                    continue;
                }
                const char *const *of_cases = (*layer)->asked->of_cases;
                if (t == COR_ASKED_BESIDE && (!of_cases || cor_is_among(of_cases, column->name)) &&
                    cor_table_column(&(*layer)->tables[(*layer)->asked->tables[0]], column->name))
                    continue; /* that of cases is asked */
                const double seven = ask_column(*layer, t, column, 7);
                if (seven < 0)
                    continue;
                if (seven != 7)
                    fail_msg("%s: %g", column->name, seven);
                const uint64_t greatest = column->type == COR_TYPE_U32 ? UINT32_MAX : UINT64_MAX;
                const double found = ask_column(*layer, t, column, greatest);
                if (is_none ? !isnan(found) : column->type == COR_TYPE_U32 && found != UINT32_MAX)
                    fail_msg("%s, \"%s\": %g", column->name, column->meaning, found);
                asked++;
                none += is_none;
            }
        }
    print_message("%u columns, %u with a value for none\n", asked, none);
    assert_true(asked > 0); /* of the layers that are built */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedules),
        cmocka_unit_test(test_no_catalogs),
        cmocka_unit_test(test_no_cases),
        cmocka_unit_test(test_greatest_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
