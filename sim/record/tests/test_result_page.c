/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * docs/look-up/result-file.md says what schema.h says, docs/look-up/agent-results.md what agent_schema.h
 * says: their parts between two marks are generated from the schemas here. With COR_UPDATE_DOCS=1 in the
 * environment the test writes that part anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/agent_schema.h>
#include <corridor/efsm_schema.h>
#include <corridor/estimation_schema.h>
#include <corridor/process_schema.h>
#include <corridor/search_schema.h>
#include <corridor/system_schema.h>

#include "frame.h"
#include "page_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN(header) \
    "<!-- begin: generated from sim/record/include/corridor/" header " by test_result_page -->\n"
#define END "<!-- end: generated -->\n"

static void put_table(FILE *out, const struct cor_table_schema *schema) {
    fprintf(out, "### /%s\n\n%s\n\n| column | type | unit | meaning |\n| --- | --- | --- | --- |\n",
            schema->group, schema->meaning);
    for (uint32_t c = 0; c < schema->column_count; c++) {
        const struct cor_column *column = &schema->columns[c];
        fprintf(out, "| `%s` | %s | %s |", column->name, record__type_word(column->type), column->unit);
        put_page_cell(out, column->meaning);
        fputs("\n", out);
    }
    fputs("\n", out);
}

static void put_vectors(FILE *out, const struct cor_layer_schema *layer) {
    fputs("### /vectors\n\n| dataset | type | meaning |\n| --- | --- | --- |\n", out);
    for (uint32_t v = 0; v < layer->vector_count; v++)
        fprintf(out, "| `%s` | %s | %s |\n", layer->vectors[v].dataset,
                record__type_word(layer->vectors[v].type), layer->vectors[v].meaning);
    fputs("\n### /catalog\n\n| group | meaning |\n| --- | --- |\n", out);
    for (uint32_t c = 0; c < layer->catalog_count; c++)
        fprintf(out, "| `%s` | %s |\n", layer->catalogs[c].group, layer->catalogs[c].meaning);
    fputs("\n", out);
}

/* The columns that hold codes of the family; 0 if there is none. */
static int put_users(FILE *out, const struct cor_layer_schema *layer, enum cor_family family) {
    int users = 0;
    for (uint32_t t = 0; t < layer->table_count; t++)
        for (uint32_t c = 0; c < layer->tables[t].column_count; c++)
            if (layer->tables[t].columns[c].family == family)
                fprintf(out, "%s`%s/%s`", users++ > 0 ? ", " : "### ", layer->tables[t].group,
                        layer->tables[t].columns[c].name);
    return users;
}

static void put_codes(FILE *out, const struct cor_layer_schema *layer) {
    for (enum cor_family f = COR_FAMILY_NONE + 1; f < COR_FAMILY_COUNT; f++) {
        if (put_users(out, layer, f) == 0)
            continue;
        fputs("\n\n| code | word | meaning |\n| --- | --- | --- |\n", out);
        for (const struct cor_term *term = cor_terms(f); term->word; term++) {
            fprintf(out, "| %d | `%s` |", term->number, term->word);
            put_page_cell(out, term->meaning);
            fputs("\n", out);
        }
        fputs("\n", out);
    }
}

static char *expected_part(const struct cor_layer_schema *layer) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fputs("\n## Tables\n\n", out);
    for (uint32_t t = 0; t < layer->table_count; t++)
        put_table(out, &layer->tables[t]);
    fputs("## Vectors and catalogs\n\n", out);
    put_vectors(out, layer);
    fputs("## Codes\n\n0 is never a code: it would mean that nothing was said.\n\n", out);
    put_codes(out, layer);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void the_page_says_what_the_schema_says(void **state) {
    (void)state;
    char *expected = expected_part(&cor_interaction_schema);
    page_holds(TEST_SOURCE_DIR "/docs/look-up/result-file.md", BEGIN("schema.h"), END, expected,
               "test_result_page");
    free(expected);
}

static void the_page_of_agents_says_what_their_schema_says(void **state) {
    (void)state;
    char *expected = expected_part(&cor_agent_schema);
    page_holds(TEST_SOURCE_DIR "/docs/look-up/agent-results.md", BEGIN("agent_schema.h"), END, expected,
               "test_result_page");
    free(expected);
}

static void the_page_of_models_says_what_their_schema_says(void **state) {
    (void)state;
    char *expected = expected_part(&cor_efsm_schema);
    page_holds(TEST_SOURCE_DIR "/docs/look-up/efsm-results.md", BEGIN("efsm_schema.h"), END, expected,
               "test_result_page");
    free(expected);
}

static void the_page_of_searches_says_what_their_schema_says(void **state) {
    (void)state;
    char *expected = expected_part(&cor_search_schema);
    page_holds(TEST_SOURCE_DIR "/docs/do/search.md", BEGIN("search_schema.h"), END, expected,
               "test_result_page");
    free(expected);
}

static void the_page_of_estimations_says_what_their_schema_says(void **state) {
    (void)state;
    char *expected = expected_part(&cor_estimation_schema);
    page_holds(TEST_SOURCE_DIR "/docs/do/estimation.md", BEGIN("estimation_schema.h"), END, expected,
               "test_result_page");
    free(expected);
}

static void the_page_of_running_systems_says_what_their_schema_says(void **state) {
    (void)state;
    char *expected = expected_part(&cor_system_schema);
    page_holds(TEST_SOURCE_DIR "/docs/look-up/system-results.md", BEGIN("system_schema.h"), END, expected,
               "test_result_page");
    free(expected);
}

static void the_page_of_programs_says_what_their_schema_says(void **state) {
    (void)state;
    char *expected = expected_part(&cor_process_schema);
    page_holds(TEST_SOURCE_DIR "/docs/look-up/process-results.md", BEGIN("process_schema.h"), END, expected,
               "test_result_page");
    free(expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_of_estimations_says_what_their_schema_says),
        cmocka_unit_test(the_page_of_searches_says_what_their_schema_says),
        cmocka_unit_test(the_page_of_models_says_what_their_schema_says),
        cmocka_unit_test(the_page_says_what_the_schema_says),
        cmocka_unit_test(the_page_of_agents_says_what_their_schema_says),
        cmocka_unit_test(the_page_of_running_systems_says_what_their_schema_says),
        cmocka_unit_test(the_page_of_programs_says_what_their_schema_says)};
    return cmocka_run_group_tests_name("result_page", tests, NULL, NULL);
}
