/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables for a reader at a terminal: first what was found, then the paper's two tables as a block a
 * metric and a line an arm, then what must hold in any file and, in claims_text.c, what the paper claims. */
#include "claims_text.h"

#include <corridor/cells.h>
#include <corridor/tables.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Where to, how, and the width of the column of arms. */
struct page {
    FILE *file;
    struct cor_style style;
    int arm_width;
    bool published; /* some arm is a column of the paper */
};

static void heading(const struct page *page, const char *text) {
    fprintf(page->file, "\n%s%s%s\n", page->style.strong, text, page->style.plain);
}

static int arm_width(const struct cor_tables *tables) {
    size_t width = 12;
    for (size_t a = 0; a < tables->arm_count; a++)
        width = strlen(tables->arm[a].name) > width ? strlen(tables->arm[a].name) : width;
    return width < 24 ? (int)width : 24;
}

static void put_arm_name(const struct page *page, const struct cor_arm_tables *arm) {
    fprintf(page->file, "  %-*s", page->arm_width, arm->name);
}

/* A percentage of counts in a column of 7, or n/a. */
static void put_share(const struct page *page, uint64_t part, uint64_t whole) {
    if (whole == 0)
        fprintf(page->file, " %7s", "n/a");
    else
        fprintf(page->file, " %5.1f %%", 100.0 * (double)part / (double)whole);
}

static void put_front(const struct page *page, const struct cor_tables *tables) {
    uint64_t suites = 0, sequences = 0, cases = 0;
    for (size_t a = 0; a < tables->arm_count; a++) {
        suites += tables->arm[a].suites;
        sequences += tables->arm[a].sequences;
        cases += tables->arm[a].cases;
    }
    fprintf(page->file, "%zu arms, %" PRIu64, tables->arm_count, suites);
    if (tables->head->planned_suites > 0)
        fprintf(page->file, " of %" PRIu64 " planned suites", tables->head->planned_suites);
    else
        fputs(" suites of an endless experiment", page->file);
    fprintf(page->file, ", %" PRIu64 " test sequences, %" PRIu64 " test cases; seed 0x%016" PRIx64 "\n",
            sequences, cases, tables->head->seed);
}

/* -------------------------------------------------------------------------------------------------- at a
 * glance */

/* Room for what an arm was found by. */
#define FOUND_BY 24

static bool by_box(const struct cor_arm_tables *arm) {
    return arm->caught.gray + arm->caught.black > 0;
}

static void found_by(const struct cor_arm_tables *arm, char text[FOUND_BY]) {
    const char *words[2];
    size_t count = cor_tables_found_by(arm, words);
    if (count == 2)
        snprintf(text, FOUND_BY, "%s, %s", words[0], words[1]);
    else
        snprintf(text, FOUND_BY, "%s%s", count > 0 ? words[0] : "-", by_box(arm) ? " only" : "");
}

/* What the figures beside "found" need to be read rightly. */
static void put_glance_notes(const struct page *page, const struct cor_tables *tables) {
    bool aside = false;
    const char *words[2];
    for (size_t a = 0; a < tables->arm_count; a++)
        aside = aside || (!by_box(&tables->arm[a]) && cor_tables_found_by(&tables->arm[a], words) > 0);
    if (aside)
        fputs("  agreement: the structure is not the accepted solution (C7); detect: alarms missed or false "
              "(R-Detect).\n  Boxes saw nothing there, and the paper's metrics count boxes: see \"Other "
              "checks\".\n",
              page->file);
    for (size_t a = 0; a < tables->arm_count; a++) {
        const struct cor_arm_tables *arm = &tables->arm[a];
        if (arm->suites_fallback > 0)
            fprintf(page->file,
                    "  %" PRIu64 " of %" PRIu64 " suites of %s follow the fallback law of the experiment "
                    "file\n",
                    arm->suites_fallback, arm->suites, arm->name);
        if (arm->continuations > 0)
            fprintf(page->file,
                    "  %" PRIu64
                    " sequences of %s continue failed ones (branching) and are counted nowhere\n",
                    arm->continuations, arm->name);
    }
}

static void put_glance_line(const struct page *page, const struct cor_arm_tables *arm) {
    char words[FOUND_BY];
    const char *none[2];
    bool found = cor_tables_found_by(arm, none) > 0;
    found_by(arm, words);
    put_arm_name(page, arm);
    fprintf(page->file, " %6" PRIu64 " %9" PRIu64 " %s%-5s%s %-17s %9" PRIu64, arm->suites, arm->sequences,
            found ? page->style.good : page->style.bad, found ? "yes" : "no", page->style.plain, words,
            arm->sequences_detected);
    put_share(page, arm->sequences_detected, arm->sequences);
    fprintf(page->file, " %8" PRIu64 " %6" PRIu64, arm->failures, arm->caught.masked);
    put_share(page, arm->caught.masked, arm->failures);
    fprintf(page->file, " %10" PRIu64 "\n", arm->caught.gray_unprovoked + arm->caught.black_unprovoked);
}

static void put_glance(const struct page *page, const struct cor_tables *tables) {
    heading(page, "Found?  (detecting: sequences; masked: activated failures that no box saw; unprovoked: "
                  "without activated fault)");
    fprintf(page->file, "  %-*s %6s %9s %-5s %-17s %9s %7s %8s %6s %7s %10s\n", page->arm_width, "arm",
            "suites", "sequences", "found", "by box", "detecting", "", "failures", "masked", "",
            "unprovoked");
    for (size_t a = 0; a < tables->arm_count; a++)
        put_glance_line(page, &tables->arm[a]);
    put_glance_notes(page, tables);
}

/* Reorganizations on the way of the fault, and what the other checks said. */
static void put_caught(const struct page *page, const struct cor_tables *tables) {
    heading(
        page,
        "What happened in reorganizations  (numbers of reorganizations; masked = activated, seen by no box)");
    fprintf(page->file, "  %-*s %9s %9s %9s %9s %9s %9s %9s %9s\n", page->arm_width, "arm", "all", "reached",
            "held", "activated", "in result", "gray", "black", "masked");
    for (size_t a = 0; a < tables->arm_count; a++) {
        const struct cor_catch *caught = &tables->arm[a].caught;
        put_arm_name(page, &tables->arm[a]);
        fprintf(page->file,
                " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64
                " %9" PRIu64 "\n",
                caught->reorganizations, caught->reached, caught->held, caught->activated, caught->in_result,
                caught->gray, caught->black, caught->masked);
    }
}

static uint64_t smoke_count(const struct cor_catch *caught) {
    uint64_t count = 0;
    for (int code = 0; code < COR_ENDING_CODES; code++)
        count += code == 0 || code == COR_SMOKE_NONE ? 0 : caught->smoke[code];
    return count;
}

static void put_checks(const struct page *page, const struct cor_tables *tables) {
    heading(
        page,
        "Other checks  (R-Detect: alarms against the oracle; C7: the structure is the accepted solution)");
    fprintf(page->file, "  %-*s %9s %9s %9s %9s %9s %9s %9s %7s\n", page->arm_width, "arm", "alarms",
            "judged", "missed", "false", "C7 judged", "C7 failed", "smoke", "back in");
    for (size_t a = 0; a < tables->arm_count; a++) {
        const struct cor_catch *caught = &tables->arm[a].caught;
        put_arm_name(page, &tables->arm[a]);
        fprintf(page->file,
                " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64,
                caught->alarms, caught->detect_judged, caught->alarms_missed, caught->alarms_false,
                caught->agreement_judged, caught->agreement_failed, smoke_count(caught));
        put_share(page, caught->inside_after, caught->inside_after + caught->outside_after);
        fputc('\n', page->file);
    }
    fprintf(page->file,
            "  back in: share of reorganizations after which the invariant holds, where the oracle looked\n");
}

#define FIRST_LINES 2 /* of an arm */
#define FIRST_ARMS 20

static bool has_violation(const struct cor_arm_tables *arm) {
    for (int box = 0; box < COR_TABLES_BOXES; box++)
        if (arm->first_violation[box].box > 0)
            return true;
    return false;
}

static void put_first_of_arm(const struct page *page, const struct cor_arm_tables *arm) {
    int lines = 0;
    for (int box = 0; box < COR_TABLES_BOXES && lines < FIRST_LINES; box++) {
        const struct cor_violation_row *row = &arm->first_violation[box];
        char place[COR_CELL], sentence[COR_SENTENCE];
        if (row->box == 0)
            continue;
        snprintf(place, sizeof place, "%" PRIu32 "/%u/%" PRIu32, row->suite, row->sequence, row->case_);
        cor_violation_sentence(row, sentence);
        fprintf(page->file, "  %-*s %-7s %-9s %s\n", page->arm_width, lines == 0 ? arm->name : "",
                cor_term_word(COR_FAMILY_BOX, box), place, sentence);
        lines++;
    }
}

/* What was wrong, in words: the first violation of each box. */
static void put_first_violations(const struct page *page, const struct cor_tables *tables) {
    size_t arms = 0;
    for (size_t a = 0; a < tables->arm_count; a++) {
        if (!has_violation(&tables->arm[a]))
            continue;
        if (arms == 0)
            heading(page,
                    "First violations  (box, suite/sequence/case; all of them are in table violations)");
        if (arms++ < FIRST_ARMS)
            put_first_of_arm(page, &tables->arm[a]);
    }
    if (arms > FIRST_ARMS)
        fprintf(page->file, "  ... and those of %zu more arms\n", arms - FIRST_ARMS);
}

/* ----------------------------------------------------------------------------------------------- Tables 1
 * and 2 */

static void put_number(const struct page *page, double value, int width, int digits) {
    if (isnan(value))
        fprintf(page->file, " %*s", width, "n/a");
    else
        fprintf(page->file, " %*.*f", width, digits, value);
}

static void put_bracketed(const struct page *page, double value) {
    char text[COR_CELL] = "";
    if (!isnan(value))
        snprintf(text, sizeof text, "(%.2f)", value);
    fprintf(page->file, " %9s", text);
}

/* What tells an interval from the others of the tables. */
static char mark_of(enum cor_interval interval) {
    if (interval == COR_INTERVAL_CLOPPER_PEARSON)
        return '*';
    return interval == COR_INTERVAL_PERCENTILE ? 'p' : ' ';
}

static void put_interval(const struct page *page, const struct cor_figure *figure) {
    if (figure->interval == COR_INTERVAL_NONE)
        fprintf(page->file, " %22s ", "");
    else
        fprintf(page->file, " [%9.2f, %8.2f]%c", figure->low, figure->high, mark_of(figure->interval));
}

static void put_figure(const struct page *page, const struct cor_arm_tables *arm, enum cor_metric metric) {
    const struct cor_figure *figure = &arm->figure[metric];
    int digits = cor_old_metric_schema(metric)->kind == COR_KIND_TOTAL ? 0 : 2;
    put_arm_name(page, arm);
    put_number(page, figure->mean, 9, digits);
    put_bracketed(page, figure->sd);
    put_interval(page, figure);
    fprintf(page->file, " %8" PRIu64 " %7" PRIu64, figure->n, figure->suites);
    if (arm->published) {
        fprintf(page->file, " %c%s", cor_figure_relation(figure), page->style.faint);
        put_number(page, figure->paper_mean, 9, digits);
        if (!isnan(figure->paper_sd) || figure->paper_note || figure->paper_derived)
            put_bracketed(page, figure->paper_sd);
        fprintf(page->file, "%s%s%s", page->style.plain, figure->paper_derived ? " ~" : "",
                figure->paper_note ? " !" : "");
    }
    fputc('\n', page->file);
}

static void put_metric(const struct page *page, const struct cor_tables *tables, enum cor_metric metric) {
    fprintf(page->file, "\n%s%s%s\n  %-*s %9s %9s %18s %.0f %% %8s %7s%s\n", page->style.strong,
            cor_old_metric_schema(metric)->label, page->style.plain, page->arm_width, "arm", "ours", "(SD)",
            "interval", 100 * tables->level, "n", "suites", page->published ? "       paper      (SD)" : "");
    for (size_t a = 0; a < tables->arm_count; a++)
        put_figure(page, &tables->arm[a], metric);
    for (size_t a = 0; a < tables->arm_count; a++)
        if (tables->arm[a].figure[metric].paper_note)
            fprintf(page->file, "  ! paper, %s: %s\n", tables->arm[a].name,
                    tables->arm[a].figure[metric].paper_note);
}

static void put_table(const struct page *page, const struct cor_tables *tables, int number,
                      const char *title) {
    heading(page, title);
    for (int m = 0; m < COR_METRIC_COUNT; m++)
        if (cor_old_metric_schema((enum cor_metric)m)->table == number)
            put_metric(page, tables, (enum cor_metric)m);
}

static void put_legend(const struct page *page, enum cor_tables_method method) {
    static const char *const methods[COR_TABLES_METHOD_COUNT] = {
        "ratio of means linearised over suites, Student t on suites - 1 degrees of freedom;",
        "ratio of means, BCa of the cluster bootstrap over suites, 2000 replicates; too narrow below ten "
        "suites;\n"
        "  p percentiles of the replicates, where BCa is not defined;"};
    fprintf(
        page->file,
        "\n  ours: means over test sequences, (SD) over the same; n: sequences (of failures: failures) "
        "observed.\n"
        "  Intervals: %s\n"
        "  * nothing but 0 or 100 %%: Clopper-Pearson on the number of suites. Depths are of sequences with "
        "a\n"
        "  detection only; the others are censored.\n",
        methods[method]);
    if (page->published)
        fputs("  = the paper's mean lies in our interval, < ours lies below it, > above; ! the paper's "
              "figure is doubtful;\n"
              "  ~ not printed in the paper, it follows from figures that are.\n",
              page->file);
}

/* -------------------------------------------------------------------------------- what must hold */

static void put_broken(const struct page *page, const struct cor_tables *tables, int identity) {
    for (size_t a = 0; a < tables->arm_count; a++) {
        const struct cor_identity_tally *tally = &tables->arm[a].identity[identity];
        if (tally->broken > 0)
            fprintf(page->file, "            %s: %" PRIu64 " of %" PRIu64 " broken; %s\n",
                    tables->arm[a].name, tally->broken, tally->checked, tally->values);
    }
}

static void put_identities(const struct page *page, const struct cor_tables *tables) {
    heading(page, "Must hold in every file");
    for (int i = 0; i < COR_IDENTITY_COUNT; i++) {
        uint64_t checked = 0, broken = 0;
        for (size_t a = 0; a < tables->arm_count; a++) {
            checked += tables->arm[a].identity[i].checked;
            broken += tables->arm[a].identity[i].broken;
        }
        const char *word = broken > 0 ? "BROKEN" : checked > 0 ? "holds" : "n/a";
        const char *colour = broken > 0    ? page->style.bad
                             : checked > 0 ? page->style.good
                                           : page->style.faint;
        fprintf(page->file, "  %s%-8s%s  %s (%" PRIu64 ")\n", colour, word, page->style.plain,
                cor_old_identity_sentence((enum cor_identity)i), checked);
        put_broken(page, tables, i);
    }
}

enum cor_status cor_tables_text(const struct cor_tables *tables, const struct cor_style *style, FILE *file,
                                struct cor_error *error) {
    struct page page = {.file = file, .style = *style, .arm_width = arm_width(tables)};
    for (size_t a = 0; a < tables->arm_count; a++)
        page.published = page.published || tables->arm[a].published;
    put_front(&page, tables);
    put_glance(&page, tables);
    put_caught(&page, tables);
    put_checks(&page, tables);
    put_first_violations(&page, tables);
    put_table(&page, tables, 1, "Table 1  Environment profiles and their coverage by the generated walks");
    put_table(&page, tables, 2, "Table 2  Configurations, failures and their detection");
    put_legend(&page, tables->method);
    put_identities(&page, tables);
    if (page.published)
        cor__claims_text(tables, style, file);
    return cor_stream_status(file, error);
}
