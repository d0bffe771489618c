/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * docs/look-up/keys.md says what the definitions of the views' sheets say: its part between two marks is
 * generated from them here. With COR_UPDATE_DOCS=1 in the environment the test writes that part anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "page_part.h"

#include <corridor/tables.h>
#include <corridor/view.h>

#include <ctype.h>

#define PAGE TEST_SOURCE_DIR "/docs/look-up/keys.md"
#define BEGIN "<!-- begin: generated from analysis/views by test_keys_page -->\n"
#define END "<!-- end: generated -->\n"

static const char *type_word(enum cor_cell_kind kind) {
    static const char *const words[] = {"", "count", "real", "estimate", "word", "text", "flag"};
    assert_true((size_t)kind < sizeof words / sizeof *words);
    return words[kind];
}

/* Says which earlier sheet has the same columns; false if there is none. */
static bool put_told_before(FILE *out, const struct cor_view *view, size_t index) {
    for (const struct cor_view *const *earlier = cor_views;; earlier++)
        for (size_t i = 0; (*earlier)->sheets[i]; i++) {
            if (*earlier == view && i == index)
                return false;
            if ((*earlier)->sheets[i]->columns != view->sheets[index]->columns)
                continue;
            fprintf(out, "Columns are those of %s `%s`.\n\n", (*earlier)->name, (*earlier)->sheets[i]->id);
            return true;
        }
}

static void put_sheet(FILE *out, const struct cor_view *view, size_t index) {
    const struct cor_sheet_definition *sheet = view->sheets[index];
    fprintf(out, "### %s `%s`\n\n%c%s.%s\n\n", view->name, sheet->id,
            toupper((unsigned char)sheet->meaning[0]), sheet->meaning + 1,
            sheet->flags & COR_SHEET_RECORD ? " One row (`row`)." : "");
    if (put_told_before(out, view, index))
        return;
    fputs("| key | type | unit | meaning |\n| --- | --- | --- | --- |\n", out);
    for (size_t c = 0; c < sheet->column_count; c++) {
        const struct cor_column_definition *column = &sheet->columns[c];
        fprintf(out, "| `%s` | %s | %s |", column->key, type_word(column->kind), column->unit);
        put_page_cell(out, column->meaning);
        fputs("\n", out);
    }
    fputs("\n", out);
}

/* Ids that stand in the rows of several sheets, from the lists that make them. */
static void put_lists(FILE *out) {
    fputs("## Words of lists\n\n### Metrics\n\n| metric | unit | better | meaning |\n"
          "| --- | --- | --- | --- |\n",
          out);
    for (enum cor_metric m = 0; m < COR_METRIC_COUNT; m++) {
        const struct cor_metric_schema *metric = cor_metric_schema(m);
        fprintf(out, "| `%s` | %s | %s |", metric->id, metric->unit, cor_better_word(metric->better));
        put_page_cell(out, metric->meaning);
        fputs("\n", out);
    }
    fputs("\n### Interval methods\n\n| interval | mark in a text | meaning |\n| --- | --- | --- |\n", out);
    for (enum cor_interval i = 0; i < COR_INTERVAL_COUNT; i++)
        fprintf(out, "| `%s` | %s | %s |\n", cor_interval_word(i), cor_interval_mark(i),
                cor_interval_meaning(i));
    fputs("\n### Identities\n\n| identity | what must hold |\n| --- | --- |\n", out);
    for (enum cor_identity i = 0; i < COR_IDENTITY_COUNT; i++)
        fprintf(out, "| `%s` | %s |\n", cor_identity_id(i), cor_identity_sentence(i));
    fputs("\n### Claims\n\n| claim | rule | compared | what the paper claims |\n| --- | --- | --- | --- |\n",
          out);
    for (enum cor_claim c = 0; c < COR_CLAIM_COUNT; c++) {
        const struct cor_claim_schema *claim = cor_claim_schema(c);
        fprintf(out, "| `%s` | %s | %s | %s |\n", claim->id, cor_claim_rule_word(claim->rule), claim->unit,
                claim->sentence);
    }
    fputs("\n", out);
}

static char *expected_part(void) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fputs("\n", out);
    for (const struct cor_view *const *view = cor_views; *view; view++) {
        fprintf(out, "## %s\n\n%c%s. `schema` \"%s\", `version` %d.\n\n", (*view)->name,
                toupper((unsigned char)(*view)->summary[0]), (*view)->summary + 1, (*view)->schema,
                (*view)->version);
        for (size_t i = 0; (*view)->sheets[i]; i++)
            put_sheet(out, *view, i);
    }
    put_lists(out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void the_page_says_what_the_definitions_of_the_sheets_say(void **state) {
    (void)state;
    char *expected = expected_part();
    page_holds(PAGE, BEGIN, END, expected, "test_keys_page");
    free(expected);
}

/* Nothing that is shown goes without a meaning: the page, the man page and --json would have a gap. */
static void every_sheet_and_every_column_has_a_meaning_and_ids_occur_once(void **state) {
    (void)state;
    for (const struct cor_view *const *view = cor_views; *view; view++)
        for (size_t i = 0; (*view)->sheets[i]; i++) {
            const struct cor_sheet_definition *sheet = (*view)->sheets[i];
            assert_true(sheet->meaning && sheet->meaning[0]);
            for (size_t j = 0; j < i; j++)
                assert_string_not_equal((*view)->sheets[j]->id, sheet->id);
            for (size_t c = 0; c < sheet->column_count; c++) {
                assert_true(sheet->columns[c].meaning && sheet->columns[c].meaning[0]);
                for (size_t d = 0; d < c; d++)
                    assert_string_not_equal(sheet->columns[d].key, sheet->columns[c].key);
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_says_what_the_definitions_of_the_sheets_say),
        cmocka_unit_test(every_sheet_and_every_column_has_a_meaning_and_ids_occur_once),
    };
    return cmocka_run_group_tests_name("keys_page", tests, NULL, NULL);
}
