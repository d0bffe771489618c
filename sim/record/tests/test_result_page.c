/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * docs/result-file.md says what schema.h says: its part between two marks is generated from the schema here.
 * With COR_UPDATE_DOCS=1 in the environment the test writes that part anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frame.h"
#include "page_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE TEST_SOURCE_DIR "/docs/result-file.md"
#define BEGIN "<!-- begin: generated from sim/record/include/corridor/schema.h by test_result_page -->\n"
#define END "<!-- end: generated -->\n"

static void put_table(FILE *out, const struct cor_table_schema *schema) {
    fprintf(out, "### /%s\n\n%s\n\n| column | type | unit | meaning |\n| --- | --- | --- | --- |\n",
            schema->group, schema->meaning);
    for (uint32_t c = 0; c < schema->column_count; c++) {
        const struct cor_column *column = &schema->columns[c];
        fprintf(out, "| `%s` | %s | %s |", column->name, cor__type_word(column->type), column->unit);
        put_page_cell(out, column->meaning);
        fputs("\n", out);
    }
    fputs("\n", out);
}

static void put_vectors(FILE *out) {
    fputs("### /vectors\n\n| dataset | type | meaning |\n| --- | --- | --- |\n", out);
    for (enum cor_vector v = 0; v < COR_VECTOR_COUNT; v++)
        fprintf(out, "| `%s` | %s | %s |\n", cor_vector(v)->dataset, cor__type_word(cor_vector(v)->type),
                cor_vector(v)->meaning);
    fputs("\n### /catalog\n\n| group | meaning |\n| --- | --- |\n", out);
    for (enum cor_catalog c = 0; c < COR_CATALOG_COUNT; c++)
        fprintf(out, "| `%s` | %s |\n", cor_interaction_schema.catalogs[c].group,
                cor_interaction_schema.catalogs[c].meaning);
    fputs("\n", out);
}

/* The columns that hold codes of the family; 0 if there is none. */
static int put_users(FILE *out, enum cor_family family) {
    int users = 0;
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++)
        for (uint32_t c = 0; c < cor_schema(t)->column_count; c++)
            if (cor_schema(t)->columns[c].family == family)
                fprintf(out, "%s`%s/%s`", users++ > 0 ? ", " : "### ", cor_schema(t)->group,
                        cor_schema(t)->columns[c].name);
    return users;
}

static void put_codes(FILE *out) {
    for (enum cor_family f = COR_FAMILY_NONE + 1; f < COR_FAMILY_COUNT; f++) {
        if (put_users(out, f) == 0)
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

static char *expected_part(void) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fputs("\n## Tables\n\n", out);
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++)
        put_table(out, cor_schema(t));
    fputs("## Vectors and catalogs\n\n", out);
    put_vectors(out);
    fputs("## Codes\n\n0 is never a code: it would mean that nothing was said.\n\n", out);
    put_codes(out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void the_page_says_what_the_schema_says(void **state) {
    (void)state;
    char *expected = expected_part();
    page_holds(PAGE, BEGIN, END, expected, "test_result_page");
    free(expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_page_says_what_the_schema_says)};
    return cmocka_run_group_tests_name("result_page", tests, NULL, NULL);
}
