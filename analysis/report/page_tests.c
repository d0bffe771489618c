/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page_tests.h"

#include "page_html.h"

#include <corridor/cells.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

void report__tests_facts_end(const struct cor_report *report, FILE *file) {
    report__page_seed(report, file);
    if (!report->head->complete)
        fputs(
            "<p class=note><strong>Not complete:</strong> the campaign ended before all tests were made.</p>",
            file);
    report__page_troubles(report, file);
}

void report__tests_headline(const struct cor_report *report, FILE *file) {
    const struct report__tests_words *words = report->kind->words;
    const struct cor_sheet *arms = report__sheet_of(report, "arms"),
                           *scores = report__sheet_of(report, "scores");
    uint64_t tests = 0, pass = 0, fail = 0, trouble = 0;
    for (size_t row = 0; row < cor_sheet_size(arms); row++)
        if (report__sheet_word(arms, row, "mutant")[0] == '\0') {
            tests += report__sheet_count(arms, row, "tests");
            pass += report__sheet_count(arms, row, "pass");
            fail += report__sheet_count(arms, row, "fail");
            trouble += report__sheet_count(arms, row, "trouble");
        }
    fputs("<p class=headline>", file);
    if (tests > 0) {
        fprintf(file, "<strong>%" PRIu64 " of %" PRIu64 "</strong> tests pass; ", pass, tests);
        fprintf(file, "in %" PRIu64 " %s; ", fail, words->fails);
        fprintf(file, "%" PRIu64 " ended without a verdict", tests - pass - fail);
        if (trouble > 0)
            fprintf(file, ", some as the %s died, hung or spoke nonsense", words->system);
        fputc('.', file);
    }
    for (size_t row = 0; scores && row < cor_sheet_size(scores); row++) {
        const uint64_t differ =
            report__sheet_count(scores, row, "mutants") - report__sheet_count(scores, row, "equivalent");
        fprintf(file, "%s<strong>%" PRIu64 " of %" PRIu64 "</strong> mutants are killed by ",
                row > 0     ? "<br>"
                : tests > 0 ? " "
                            : "",
                report__sheet_count(scores, row, "killed"), differ);
        cor_html_short(file, report__sheet_word(scores, row, words->chooser), 60);
        fputc('.', file);
    }
    fputs("</p>\n", file);
}

static void put_chooser(const char *word, FILE *file) {
    cor_html_short(file, word, 32);
}

/* What became of a mutant by a chooser: tests that failed, of those that were made. */
static void put_kill(const struct report__matrix *matrix, size_t row, FILE *file) {
    const struct report__tests_words *words = matrix->with;
    const struct cor_sheet *sheet = matrix->sheet;
    const char *state = report__sheet_word(sheet, row, "state");
    const uint64_t killed = report__sheet_count(sheet, row, "killed"),
                   tests = report__sheet_count(sheet, row, "tests");
    const double length = report__sheet_real(sheet, row, words->unit);
    fprintf(file, "<td data-v=%" PRIu64, killed);
    if (killed > 0)
        fprintf(file, " class=heat style=\"--v:%.3f\"", (double)killed / (double)tests);
    else if (strcmp(state, "alive") == 0)
        fputs(" class=bad", file);
    else
        fputs(" class=na", file);
    fputs(" title=\"", file);
    cor_html_text(file, state);
    if (!isnan(length))
        fprintf(file, ", %.1f %s %s", length, words->unit, words->until);
    else if (words->spent)
        fprintf(file, ", %" PRIu64 " %s %s", report__sheet_count(sheet, row, words->spent), words->unit,
                words->spent);
    fputs("\">", file);
    if (killed > 0)
        fprintf(file, "%" PRIu64 " of %" PRIu64, killed, tests);
    else
        cor_html_text(file, state);
    fputs("</td>", file);
}

void report__tests_kills(const struct cor_report *report, FILE *file) {
    const struct report__tests_words *words = report->kind->words;
    const struct cor_sheet *kills = report__sheet_of(report, "kills");
    report__page_insight(report->kind->shown, kills, "p", file);
    report__matrix_html(&(struct report__matrix){.sheet = kills,
                                                 .line_key = "mutant",
                                                 .column_key = words->chooser,
                                                 .heading = "Mutant",
                                                 .class = "sorts mutants",
                                                 .put_heading = put_chooser,
                                                 .put_cell = put_kill,
                                                 .with = words},
                        file);
    fprintf(file, "<p class=legend>%s", words->legend);
    if (report__matrix_lines(kills, "mutant") > REPORT__LINES_MAX)
        fprintf(file,
                " The first %d mutants are shown; <code>corridor show FILE %s --sheet kills</code> has all.",
                REPORT__LINES_MAX, words->view_name);
    fputs("</p>\n", file);
}
