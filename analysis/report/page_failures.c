/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The failure explorer: which classes of failures there are, and a choice of failures, each in words. */
#include "page.h"

#include "page_html.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/identities.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the filter of boxes offers: bits as in boxes, or masked. */
static const char *box_word(const struct report__shown_failure *shown) {
    bool gray = shown->boxes >> COR_BOX_GRAY & 1, black = shown->boxes >> COR_BOX_BLACK & 1;
    if (shown->masked)
        return "masked";
    if (gray && black)
        return "gray black";
    return gray ? "gray" : black ? "black" : shown->boxes >> COR_BOX_DETECT & 1 ? "detect" : "other";
}

static void put_run(const struct report__shown_failure *shown, FILE *file) {
    const struct cor_reorganization_row *run = &shown->reorganization;
    if (!shown->run) {
        fputs("<td class=\"t na\">the algorithm did not run</td>", file);
        return;
    }
    fprintf(file,
            "<td class=t data-v=%" PRIu32 ">%" PRIu32 " \xe2\x86\x92 %" PRIu32 " partitions, %" PRIu32
            " agents moved",
            run->moved, run->partitions_before, run->partitions_after, run->moved);
    fputs("<br>dissimilarity ", file);
    report__html_brief(file, run->dissimilarity_before);
    if (!isnan(run->dissimilarity_after)) {
        fputs(" \xe2\x86\x92 ", file);
        report__html_brief(file, run->dissimilarity_after);
    }
    fprintf(file, "<br>stop: %s", cor_term_word(COR_FAMILY_STOP, run->stop));
    if (run->smoke > COR_SMOKE_NONE)
        fprintf(file, "; smoke: %s", cor_term_word(COR_FAMILY_SMOKE, run->smoke));
    if (run->fault_activated > 0)
        fprintf(file, "; fault activated %" PRIu32 "\xc3\x97%s", run->fault_activated,
                run->fault_in_result ? "" : ", not in the result");
    if (shown->solved) {
        fprintf(file, "<br>solution: %" PRIu32 " partitions", shown->blocks);
        if (shown->blocks != 0 && shown->blocks <= REPORT__BLOCKS) {
            fputs(" of ", file);
            for (uint32_t b = 0; b < shown->blocks; b++)
                fprintf(file, "%s%" PRIu32, b > 0 ? " " : "", shown->block[b]);
        }
    }
    fputs("</td>", file);
}

static void put_shown(const struct cor_result_header *head, const struct report__shown_failure *shown,
                      FILE *file) {
    fprintf(file, "<tr%s data-box=\"%s\" data-checks=\"", shown->first_of_class ? "" : " class=further",
            box_word(shown));
    for (int check = 1; check < COR_CHECK_CODES; check++)
        if (shown->checks >> check & 1)
            fprintf(file, "%d ", check);
    fputs("\">", file);
    const struct report__failure_place *place = &shown->place;
    fprintf(file, "<td class=\"t where\" data-v=%.0f>%" PRIu32 "/%u/%" PRIu32 "</td>",
            place->suite * 1e12 + place->sequence * 1e7 + place->case_, place->suite, place->sequence,
            place->case_);
    fputs("<td class=t>", file);
    if (shown->masked)
        fputs("The fault was activated, and no box saw it.", file);
    for (uint32_t v = 0; v < shown->said; v++) {
        char sentence[COR_SENTENCE];
        const char *box = cor_term_word(COR_FAMILY_BOX, shown->first[v].box);
        cor_violation_sentence(cor_arm_kind(cor_arm_entry(head, shown->arm)), &shown->first[v], head,
                               sentence);
        fputs("<div class=said>", file);
        if (v == 0 || shown->first[v].box != shown->first[v - 1].box)
            fprintf(file, "<span class=\"box %s\">%s</span>", box, box);
        cor_html_short(file, sentence, 200);
        fputs("</div>", file);
    }
    if (shown->violations > shown->said)
        fprintf(file, "<div class=\"said dim\">and %" PRIu64 " more</div>", shown->violations - shown->said);
    fputs("</td>", file);
    const struct cor_suite_row *suite = &shown->configuration;
    fprintf(file, "<td class=\"t lines\" data-v=%" PRIu32 ">%" PRIu32 " agents in %" PRIu32 " groups",
            suite->agents, suite->agents, suite->groups);
    if (suite->limits_judged)
        fprintf(file,
                "<br>sizes %" PRIu32 "\xe2\x80\x93%" PRIu32 ", partitions %" PRIu32 "\xe2\x80\x93%" PRIu32 "",
                suite->size_min, suite->size_max, suite->count_min, suite->count_max);
    fputs("<br>threshold ", file);
    report__html_brief(file, suite->threshold);
    fputs("</td>", file);
    put_run(shown, file);
    fputs("</tr>\n", file);
}

static void put_amount(uint64_t amount, const char *before, const char *behind, FILE *file) {
    fprintf(file, "</span><span class=n data-v=%" PRIu64 ">%s", amount, before);
    report__html_count(file, amount);
    fprintf(file, "%.*s", (int)strlen(behind) - (amount == 1), behind);
}

/* A class of an arm: one line until it is opened; then how to see its first again, and those that were chosen
 * in words. */
static void put_class(const struct cor_report *report, const struct cor_sheet *classes, size_t row,
                      FILE *file) {
    const struct report__failures *failures = &report->failures;
    const char *name = report__sheet_word(classes, row, "arm");
    const size_t arm = cor_arm_of_name(report->head, name, strlen(name));
    char *key = cor_format("%s/%s", name, report__sheet_word(classes, row, "first")),
         *quoted = cor_shell_quoted(key ? key : "");
    COR_ASSERT(arm < report->arm_count);
    fprintf(file, "<details class=failing data-arm=%zu><summary><span class=line><b title=\"", arm);
    cor_html_short(file, report->arm[arm].what ? report->arm[arm].what : name, 200);
    fputs("\">", file);
    cor_html_short(file, name, 48);
    fputs("</b><span class=class>", file);
    cor_html_short(file, report__sheet_word(classes, row, "class"), 400);
    put_amount(report__sheet_count(classes, row, "cases"), "", " cases", file);
    put_amount(report__sheet_count(classes, row, "sequences"), "in ", " sequences", file);
    fputs("</span><code>", file);
    cor_html_short(file, key ? key : "", 120);
    fputs("</code></span></summary>\n<p>The first of them again: <code>corridor replay RESULTS.h5 --failure ",
          file);
    cor_html_text(file, quoted ? quoted : "");
    fprintf(file, " --trace%s", cor_names_programs(report->head) ? " --trust" : "");
    fputs("</code></p>\n<div class=wide><table class=\"sorts failures\" "
          "data-table=failures>\n<thead><tr>",
          file);
    report__head(file, "Suite/&#8203;sequence/&#8203;case");
    report__head(file, "What is wrong");
    report__head(file, "Configuration");
    report__head(file, "What the algorithm did");
    fputs("</tr></thead>\n<tbody>\n", file);
    for (size_t f = 0; f < failures->shown_count; f++)
        if (failures->shown[f].class == row)
            put_shown(report->head, &failures->shown[f], file);
    fputs("</tbody></table></div></details>\n", file);
    free(key);
    free(quoted);
}

static void put_filters(const struct cor_report *report, FILE *file) {
    const struct report__failures *failures = &report->failures;
    uint64_t checks = 0;
    for (size_t f = 0; f < failures->shown_count; f++)
        checks |= failures->shown[f].checks;
    fputs("<form class=filters hidden data-for=failures>\n<label>Arm <select name=arm><option "
          "value=\"\">all</option>",
          file);
    for (size_t a = 0; a < failures->arm_count; a++) {
        if (failures->arm[a].shown == 0)
            continue;
        fprintf(file, "<option value=%zu>", a);
        cor_html_short(file, report->arm[a].name, 48);
        fputs("</option>", file);
    }
    fputs("</select></label>\n<label>Seen by <select name=box><option value=\"\">any</option><option "
          "value=gray>gray box</option><option value=black>black box</option><option "
          "value=detect>R-Detect</option><option value=masked>nothing (masked)</option></select></label>\n"
          "<label>Check <select name=check><option value=\"\">any</option>",
          file);
    for (int check = 1; check < COR_CHECK_CODES; check++)
        if (checks >> check & 1) {
            fprintf(file, "<option value=%d>", check);
            /* Rule and name of a check: "C1 agent missing". */
            const struct cor_term *term = cor_term(COR_FAMILY_CHECK, check);
            fprintf(file, "%s ", term ? term->rule : "");
            for (const char *c = term ? term->word : "?"; *c; c++)
                fputc(*c == '_' ? ' ' : *c, file);
            fputs("</option>", file);
        }
    fputs(
        "</select></label>\n<label>Text <input type=search name=text placeholder=\"e.g. Agent 17\"></label>\n"
        "<output aria-live=polite></output></form>\n",
        file);
}

void report__page_failures(const struct cor_report *report, FILE *file) {
    const struct report__failures *failures = &report->failures;
    const struct cor_sheet *classes = cor_sheets_find(report->view[REPORT__OF_tables], "failures");
    uint64_t violated = 0, masked = 0;
    for (size_t a = 0; a < failures->arm_count; a++) {
        violated += failures->arm[a].failures;
        masked += failures->arm[a].masked;
    }
    fputs("<p>", file);
    report__html_count(file, violated);
    fputs(" test cases violated a check; in ", file);
    report__html_count(file, masked);
    fputs(" a fault was activated and no box saw it: masked.</p>\n", file);
    if (failures->shown_count == 0)
        return;
    fprintf(
        file,
        "<p>A line is a class: failures of an arm that the same checks saw, with the key of the first. "
        "Opened it has the command that executes that one again, and some in words, %zu in all: the first "
        "failure of a sequence, sequences spread evenly over arms and suites%s.<span class=paper-only> On "
        "paper: the first of each class.</span></p>\n",
        failures->shown_count, masked > 0 ? "; and some that were masked" : "");
    put_filters(report, file);
    report__page_insight(REPORT__OF_tables, classes, "p", file);
    fputs("<div class=classes>\n", file);
    for (size_t row = 0; row < cor_sheet_size(classes); row++)
        put_class(report, classes, row, file);
    fputs("</div>\n<p class=legend>All of them: <code>corridor failures RESULTS.h5</code>; as a table <code>"
          "corridor export RESULTS.h5 --table violations</code>, with solutions and structures <code>--table "
          "failures</code>, docs/look-up/result-file.md. Every draw is named by seed, arm, suite and "
          "sequence, so "
          "<code>corridor run</code> on the experiment below, with the same version, comes to the same cases "
          "with the same outcome (docs/evidence/determinism.md).</p>\n",
          file);
}
