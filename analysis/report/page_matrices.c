/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sheets that are read best as a matrix: Tables 1 and 2, a line a metric and a column an arm, as in the
 * paper; which check caught what; which arms differ. */
#include "page.h"
#include "page_html.h"

#include <corridor/cells.h>

#include <math.h>
#include <string.h>

static void put_short(const char *word, FILE *file) {
    cor_html_short(file, word, 32);
}

/* data-v and a hint, open for more. */
static void begin_cell(double value, FILE *file) {
    char exact[COR_CELL];
    cor_real_text(value, exact);
    fprintf(file, "<td data-v=\"%s\"", isnan(value) ? "" : exact);
}

static void put_paper(const struct cor_sheet *sheet, size_t row, int digits, FILE *file) {
    const char *relation = report__sheet_word(sheet, row, "relation"),
               *note = report__sheet_word(sheet, row, "paper_note");
    double mean = report__sheet_real(sheet, row, "paper_mean"),
           sd = report__sheet_real(sheet, row, "paper_sd");
    bool derived = cor_sheet_cell(sheet, row, cor_sheet_column(sheet, "paper_derived"))->flag;
    if (isnan(mean))
        return;
    fprintf(file, "<br><span class=\"paper%s\"", *relation == '<' || *relation == '>' ? " off" : "");
    if (*note) {
        fputs(" title=\"", file);
        cor_html_text(file, note);
        fputc('"', file);
    }
    fputc('>', file);
    cor_html_text(file, relation);
    fprintf(file, " %.*f", digits, mean);
    if (!isnan(sd))
        fprintf(file, " (%.2f)", sd);
    fprintf(file, "%s%s</span>", derived ? " ~" : "", *note ? " !" : "");
}

/* A figure of the tables: mean (sd), [interval], the paper's. */
static void put_figure(const struct report__matrix *matrix, size_t row, FILE *file) {
    const struct cor_sheet *sheet = matrix->sheet;
    const struct cor_table_cell *cell = cor_sheet_cell(sheet, row, cor_sheet_column(sheet, "ours"));
    bool known = cell->kind == COR_CELL_ESTIMATE;
    double mean = report__sheet_real(sheet, row, "ours"), sd = report__sheet_real(sheet, row, "sd");
    int digits = strcmp(report__sheet_word(sheet, row, "metric"), "failures_total") == 0 ? 0 : 2;
    begin_cell(mean, file);
    fprintf(file, " title=\"n %.0f, suites %.0f\">", report__sheet_real(sheet, row, "n"),
            known ? (double)cell->estimate->suites : 0.0);
    fputs(isnan(mean) ? "<span>" : "<span class=v>", file);
    report__html_real(file, mean, digits);
    fputs("</span>", file);
    if (!isnan(sd))
        fprintf(file, " <span class=sd>(%.2f)</span>", sd);
    if (known && cell->estimate->interval == COR_INTERVAL_FEW_SUITES)
        fprintf(file, "<br><span class=ci>[?, ?]#</span>");
    else if (known && cell->estimate->interval != COR_INTERVAL_NONE)
        fprintf(file, "<br><span class=ci>[%.2f, %.2f]%s</span>", cell->estimate->low, cell->estimate->high,
                cell->estimate->interval == COR_INTERVAL_CLOPPER_PEARSON ? "*" : "");
    put_paper(sheet, row, digits, file);
    fputs("</td>", file);
}

/* How many published figures of a table lie in our intervals. */
static void put_published(const struct cor_sheet *figures, const char *table, FILE *file) {
    size_t published = 0, inside = 0, below = 0, above = 0;
    for (size_t row = 0; row < cor_sheet_size(figures); row++) {
        const char relation = *report__sheet_word(figures, row, "relation");
        if (strcmp(table, report__sheet_word(figures, row, "table")) != 0 ||
            isnan(report__sheet_real(figures, row, "paper_mean")))
            continue;
        published++;
        inside += relation == '=' || relation == '?';
        below += relation == '<';
        above += relation == '>';
    }
    fputs("<span class=insight data-of=figures>", file);
    if (published == 0)
        fputs("No figure of these arms was published.</span>", file);
    else
        fprintf(file,
                "Of %zu published figures %zu lie in our interval; ours lies below %zu and above %zu; %zu "
                "have no interval to compare with.</span>",
                published, inside, below, above, published - inside - below - above);
}

void report__page_tables(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *figures = cor_sheets_find(report->view[REPORT__OF_tables], "figures");
    const char *table = "";
    for (size_t row = 0; row < cor_sheet_size(figures); row++) {
        if (strcmp(table, report__sheet_word(figures, row, "table")) == 0)
            continue;
        table = report__sheet_word(figures, row, "table");
        fputs("<details><summary><h3>", file);
        cor_html_text(file, table);
        fputs("</h3> ", file);
        put_published(figures, table, file);
        fputs("</summary>\n", file);
        report__matrix_html(&(struct report__matrix){.sheet = figures,
                                                     .line_key = "metric",
                                                     .line_shown = "label",
                                                     .column_key = "arm",
                                                     .group_key = "table",
                                                     .group = table,
                                                     .heading = "Metric",
                                                     .class = "figures",
                                                     .put_heading = put_short,
                                                     .put_cell = put_figure},
                            file);
        fputs("</details>\n", file);
    }
    fprintf(file,
            "<p class=legend>Mean over test sequences (standard deviation over the same), below it the "
            "interval at %g %% over suites; * all suites agree: exact binomial interval; # no interval: a "
            "few suites decide the figure. Depths are those of sequences with a "
            "detection only; the others are censored: see <a "
            "href=\"#survival\">time to detection</a>.",
            100 * report->options.level);
    if (cor_sheets_find(report->view[REPORT__OF_tables], "claims"))
        fputs(" Last line, where the arm is one of the paper's: its figure; = it lies in our interval, ? "
              "likewise, "
              "but that is too wide to mean something, &lt; ours lies below it, &gt; above; ! the published "
              "figure "
              "is doubtful (why: point at it); ~ it follows from figures that are printed.",
              file);
    if (report->arm_count > REPORT__ARMS_MAX)
        fprintf(file, " The first %d arms are shown; <code>corridor show FILE tables</code> has all.",
                REPORT__ARMS_MAX);
    fputs(" Definitions: docs/evidence/statistics.md.</p>\n", file);
}

/* "gray.agent_missing": the box, the rule and the check, in lines. */
static void put_oracle(const char *word, FILE *file) {
    const char *check = strchr(word, '.');
    const struct cor_term *term = NULL;
    if (check) {
        fprintf(file, "<span class=\"box %.*s\">%.*s</span><br>", (int)(check - word), word,
                (int)(check - word), word);
        term = cor_term(COR_FAMILY_CHECK, cor_term_number(COR_FAMILY_CHECK, check + 1));
    }
    fprintf(file, "%s%s", term ? term->rule : "C6", term ? "<br>" : " ");
    for (const char *c = check ? check + 1 : word; *c; c++)
        fputc(*c == '_' ? ' ' : *c, file);
}

static void put_kill(const struct report__matrix *matrix, size_t row, FILE *file) {
    const struct cor_sheet *sheet = matrix->sheet, *arms = matrix->lines;
    double sequences = report__sheet_real(sheet, row, "sequences"), all = NAN;
    for (size_t a = 0; a < cor_sheet_size(arms); a++)
        if (strcmp(report__sheet_word(arms, a, "arm"), report__sheet_word(sheet, row, "arm")) == 0)
            all = report__sheet_real(arms, a, "sequences");
    begin_cell(sequences, file);
    fprintf(file,
            " class=heat style=\"--v:%.3f\" title=\"%.1f %% of the sequences; %.0f cases, in %.0f of them "
            "alone; %.0f suites\">",
            sequences / all, 100 * sequences / all, report__sheet_real(sheet, row, "cases"),
            report__sheet_real(sheet, row, "alone"), report__sheet_real(sheet, row, "suites"));
    report__html_count(file, report__sheet_count(sheet, row, "sequences"));
    fputs("</td>", file);
}

void report__page_kills(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *kills = cor_sheets_find(report->view[REPORT__OF_survival], "kills");
    if (cor_sheet_size(kills) == 0) {
        fputs("<p>No check was violated.</p>\n", file);
        return;
    }
    report__page_insight(REPORT__OF_survival, kills, "p", file);
    report__matrix_html(
        &(struct report__matrix){.sheet = kills,
                                 .lines = cor_sheets_find(report->view[REPORT__OF_survival], "arms"),
                                 .line_key = "arm",
                                 .column_key = "oracle",
                                 .heading = "Arm",
                                 .class = "sorts kills",
                                 .put_heading = put_oracle,
                                 .put_cell = put_kill},
        file);
    fputs("<p class=legend>C1: each agent occurs exactly once; C2: only agents of the system; C3: no empty "
          "partition; C4: sizes within limits; C5: number of partitions within limits; C6: the algorithm "
          "ends with a result; C7: the structure is the accepted solution. <b>gray</b>: R-Solution, what the "
          "algorithm proposes; <b>black</b>: R-Distribution, the structure after adoption; <b>detect</b>: "
          "R-Detect, the alarms. Stronger colour: a larger share of the arm's sequences. Checks that nothing "
          "violated are left out.</p>\n",
          file);
}

static void put_p(const struct report__matrix *matrix, size_t row, FILE *file) {
    double p = report__sheet_real(matrix->sheet, row, "p_holm");
    begin_cell(p, file);
    if (isnan(p))
        fputs(" class=na>\xe2\x80\x93</td>", file);
    else if (p < 0.001)
        fputs(" class=\"heat strong\" style=\"--v:.35\">&lt; 0.001</td>", file);
    else
        fprintf(file, "%s>%.3f</td>", p < 0.05 ? " class=heat style=\"--v:.15\"" : "", p);
}

void report__page_pairs(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *pairs = cor_sheets_find(report->view[REPORT__OF_survival], "log_rank_pairs");
    if (!pairs || cor_sheet_size(pairs) == 0)
        return;
    fputs("<details><summary><h3>Which arms differ? p of log-rank tests of pairs, after Holm</h3> ", file);
    report__page_insight(REPORT__OF_survival, pairs, "span", file);
    fputs("</summary>\n<p>Sequences of one suite are alike and the test takes them as independent, so small "
          "p are too "
          "small.</p>\n",
          file);
    report__matrix_html(&(struct report__matrix){.sheet = pairs,
                                                 .line_key = "second",
                                                 .column_key = "first",
                                                 .heading = "",
                                                 .class = "pairs",
                                                 .put_heading = put_short,
                                                 .put_cell = put_p},
                        file);
    fputs("</details>\n", file);
}
