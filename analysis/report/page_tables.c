/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables 1 and 2, a line a metric and a column an arm, as in the paper; and what must hold in any file. */
#include "page.h"

#include "html.h"

#include <corridor/cells.h>

#include <inttypes.h>
#include <math.h>

static size_t shown_arms(const struct cor_report *report) {
    return report->tables->arm_count < COR__ARMS_MAX ? report->tables->arm_count : COR__ARMS_MAX;
}

static int digits_of(enum cor_metric metric) {
    return cor_metric_schema(metric)->kind == COR_KIND_TOTAL ? 0 : 2;
}

static void put_paper(const struct cor_figure *figure, int digits, FILE *file) {
    char relation = cor_figure_relation(figure);
    if (isnan(figure->paper_mean))
        return;
    fprintf(file, "<br><span class=\"paper%s\"", relation == '<' || relation == '>' ? " off" : "");
    if (figure->paper_note) {
        fputs(" title=\"", file);
        cor_html_text(file, figure->paper_note);
        fputc('"', file);
    }
    fprintf(file, ">%s %.*f",
            relation == '<'   ? "&lt;"
            : relation == '>' ? "&gt;"
            : relation == '=' ? "="
                              : "",
            digits, figure->paper_mean);
    if (!isnan(figure->paper_sd))
        fprintf(file, " (%.2f)", figure->paper_sd);
    fprintf(file, "%s%s</span>", figure->paper_derived ? " ~" : "", figure->paper_note ? " !" : "");
}

static void put_figure(const struct cor_arm_tables *arm, enum cor_metric metric, FILE *file) {
    const struct cor_figure *figure = &arm->figure[metric];
    int digits = digits_of(metric);
    char exact[COR_CELL];
    cor_real_text(figure->ours.mean, exact);
    fprintf(file, "<td data-v=\"%s\" title=\"n %" PRIu64 ", suites %" PRIu64 "\">",
            isnan(figure->ours.mean) ? "" : exact, (uint64_t)figure->ours.n, figure->ours.suites);
    fputs(isnan(figure->ours.mean) ? "<span>" : "<span class=v>", file);
    cor__html_real(file, figure->ours.mean, digits);
    fputs("</span>", file);
    if (!isnan(figure->ours.sd))
        fprintf(file, " <span class=sd>(%.2f)</span>", figure->ours.sd);
    if (figure->ours.interval != COR_INTERVAL_NONE)
        fprintf(file, "<br><span class=ci>[%.2f, %.2f]%s</span>", figure->ours.low, figure->ours.high,
                figure->ours.interval == COR_INTERVAL_CLOPPER_PEARSON ? "*" : "");
    if (arm->published)
        put_paper(figure, digits, file);
    fputs("</td>", file);
}

static void put_table(const struct cor_report *report, int number, const char *title, FILE *file) {
    size_t arms = shown_arms(report);
    fprintf(file,
            "<details open><summary><h3>%s</h3></summary>\n<div class=wide><table class=figures "
            "data-table=table%d>\n<thead><tr><th scope=col>Metric</th>",
            title, number);
    for (size_t a = 0; a < arms; a++) {
        fprintf(file, "<th scope=col class=n data-arm=%zu>", a);
        cor_html_short(file, report->tables->arm[a].name, 32);
        fputs("</th>", file);
    }
    fputs("</tr></thead>\n<tbody>\n", file);
    for (int m = 0; m < COR_TABLE_METRICS; m++) {
        const struct cor_metric_schema *schema = cor_metric_schema((enum cor_metric)m);
        if (!(schema->shown & (number == 1 ? COR_IN_TABLE_1 : COR_IN_TABLE_2)))
            continue;
        fprintf(file, "<tr data-metric=%s><th scope=row>", schema->id);
        cor_html_text(file, schema->meaning);
        fputs("</th>", file);
        for (size_t a = 0; a < arms; a++)
            put_figure(&report->tables->arm[a], (enum cor_metric)m, file);
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table></div></details>\n", file);
}

static void put_legend(const struct cor_report *report, FILE *file) {
    bool published = false;
    for (size_t a = 0; a < report->tables->arm_count; a++)
        published = published || report->tables->arm[a].published;
    fprintf(
        file,
        "<p class=legend>Mean over test sequences (standard deviation over the same), below it the interval "
        "at "
        "%g %% over suites; * nothing but 0 or 100 %%: Clopper-Pearson on the number of suites. Depths are "
        "those of sequences with a detection only; the others are censored: see <a "
        "href=\"#survival\">time to detection</a>.",
        100 * report->options.level);
    if (published)
        fputs(" Last line: the paper's figure; = it lies in our interval, &lt; ours lies below it, &gt; "
              "above; ! "
              "the published figure is doubtful (why: point at it); ~ it follows from figures that are "
              "printed.",
              file);
    if (report->tables->arm_count > COR__ARMS_MAX)
        fprintf(file, " The first %d arms are shown; <code>corridor tables</code> has all.", COR__ARMS_MAX);
    fputs(" Definitions: docs/statistics.md.</p>\n", file);
}

static void put_identities(const struct cor_report *report, FILE *file) {
    size_t broken = cor_tables_broken(report->tables);
    fprintf(
        file,
        "<details id=identities%s><summary><h3>What must hold in every file</h3> <span class=\"chip %s\">%s"
        "</span></summary>\n<ul class=plain>\n",
        broken > 0 ? " open" : "", broken > 0 ? "bad" : "good",
        broken > 0 ? "\xe2\x9c\x97 broken" : "\xe2\x9c\x93 holds");
    for (int i = 0; i < COR_IDENTITY_COUNT; i++) {
        uint64_t checked = 0, bad = 0;
        for (size_t a = 0; a < report->tables->arm_count; a++) {
            checked += report->tables->arm[a].measured->identity[i].checked;
            bad += report->tables->arm[a].measured->identity[i].broken;
        }
        fprintf(file, "<li><b>%s</b> ", bad > 0 ? "broken" : checked > 0 ? "holds" : "n/a");
        cor_html_text(file, cor_identity_sentence((enum cor_identity)i));
        fputs(" <span class=dim>(", file);
        cor__html_count(file, checked);
        fputs(" checked", file);
        if (bad > 0) {
            fputs(", ", file);
            cor__html_count(file, bad);
            fputs(" broken", file);
        }
        fputs(")</span></li>\n", file);
    }
    fputs("</ul></details>\n", file);
}

void cor__page_tables(const struct cor_report *report, FILE *file) {
    put_table(report, 1, "Table 1: environment profiles and their coverage", file);
    put_table(report, 2, "Table 2: configurations, failures and their detection", file);
    put_legend(report, file);
    put_identities(report, file);
}
