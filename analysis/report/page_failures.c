/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The failure explorer: a choice of failures, each in words. */
#include "page.h"

#include <corridor/cells.h>

#include "html.h"

#include <inttypes.h>
#include <math.h>

/* What the filter of boxes offers: bits as in exhibit->boxes, or masked. */
static const char *box_word(const struct cor__exhibit *exhibit) {
    bool gray = exhibit->boxes >> COR_BOX_GRAY & 1, black = exhibit->boxes >> COR_BOX_BLACK & 1;
    if (exhibit->masked)
        return "masked";
    if (gray && black)
        return "gray black";
    return gray ? "gray" : black ? "black" : exhibit->boxes >> COR_BOX_DETECT & 1 ? "detect" : "other";
}

static void put_place(const struct cor__exhibit *exhibit, FILE *file) {
    fprintf(file, "<td class=\"t where\" data-v=%.0f>%" PRIu32 "/%u/%" PRIu32 "</td>",
            exhibit->suite * 1e12 + exhibit->sequence * 1e7 + exhibit->case_, exhibit->suite,
            exhibit->sequence, exhibit->case_);
}

static void put_sentences(const struct cor__exhibit *exhibit, FILE *file) {
    uint32_t shown = exhibit->violations < COR__SENTENCES ? exhibit->violations : COR__SENTENCES;
    fputs("<td class=t>", file);
    if (exhibit->masked)
        fputs("The fault was activated, and no box saw it.", file);
    for (uint32_t v = 0; v < shown; v++) {
        char sentence[COR_SENTENCE];
        const char *box = cor_term_word(COR_FAMILY_BOX, exhibit->first[v].box);
        cor_violation_sentence(&exhibit->first[v], sentence);
        fputs("<div class=said>", file);
        if (v == 0 || exhibit->first[v].box != exhibit->first[v - 1].box)
            fprintf(file, "<span class=\"box %s\">%s</span>", box, box);
        cor_html_short(file, sentence, 200);
        fputs("</div>", file);
    }
    if (exhibit->violations > shown)
        fprintf(file, "<div class=\"said dim\">and %" PRIu32 " more</div>", exhibit->violations - shown);
    fputs("</td>", file);
}

static void put_configuration(const struct cor__exhibit *exhibit, FILE *file) {
    const struct cor_suite_row *suite = &exhibit->configuration;
    fprintf(file, "<td class=\"t lines\" data-v=%" PRIu32 ">%" PRIu32 " agents in %" PRIu32 " groups",
            suite->agents, suite->agents, suite->groups);
    if (suite->limits_judged)
        fprintf(file,
                "<br>sizes %" PRIu32 "\xe2\x80\x93%" PRIu32 ", partitions %" PRIu32 "\xe2\x80\x93%" PRIu32 "",
                suite->size_min, suite->size_max, suite->count_min, suite->count_max);
    fputs("<br>threshold ", file);
    cor__html_brief(file, suite->threshold);
    fputs("</td>", file);
}

static void put_solution(const struct cor__exhibit *exhibit, FILE *file) {
    fprintf(file, "<br>solution: %" PRIu32 " partitions", exhibit->blocks);
    if (exhibit->blocks == 0 || exhibit->blocks > COR__BLOCKS)
        return;
    fputs(" of ", file);
    for (uint32_t b = 0; b < exhibit->blocks; b++)
        fprintf(file, "%s%" PRIu32, b > 0 ? " " : "", exhibit->block[b]);
}

static void put_run(const struct cor__exhibit *exhibit, FILE *file) {
    const struct cor_reorganization_row *run = &exhibit->reorganization;
    if (!exhibit->run) {
        fputs("<td class=\"t na\">the algorithm did not run</td>", file);
        return;
    }
    fprintf(file,
            "<td class=t data-v=%" PRIu32 ">%" PRIu32 " \xe2\x86\x92 %" PRIu32 " partitions, %" PRIu32
            " agents moved",
            run->moved, run->partitions_before, run->partitions_after, run->moved);
    fputs("<br>dissimilarity ", file);
    cor__html_brief(file, run->dissimilarity_before);
    if (!isnan(run->dissimilarity_after)) {
        fputs(" \xe2\x86\x92 ", file);
        cor__html_brief(file, run->dissimilarity_after);
    }
    fprintf(file, "<br>stop: %s", cor_term_word(COR_FAMILY_STOP, run->stop));
    if (run->smoke > COR_SMOKE_NONE)
        fprintf(file, "; smoke: %s", cor_term_word(COR_FAMILY_SMOKE, run->smoke));
    if (run->fault_activated > 0)
        fprintf(file, "; fault activated %" PRIu32 "\xc3\x97%s", run->fault_activated,
                run->fault_in_result ? "" : ", not in the result");
    if (exhibit->solved)
        put_solution(exhibit, file);
    fputs("</td>", file);
}

static void put_exhibit(const struct cor_report *report, const struct cor__exhibit *exhibit, FILE *file) {
    size_t a = cor__shown_arm(report->tables, exhibit->arm);
    fprintf(file, "<tr data-arm=%zu data-box=\"%s\" data-checks=\"", a, box_word(exhibit));
    for (int check = 1; check < 32; check++)
        if (exhibit->checks >> check & 1)
            fprintf(file, "%d ", check);
    fputs("\">", file);
    cor__head_arm(report, file, a);
    put_place(exhibit, file);
    put_sentences(exhibit, file);
    put_configuration(exhibit, file);
    put_run(exhibit, file);
    fputs("</tr>\n", file);
}

static void put_filters(const struct cor_report *report, FILE *file) {
    const struct cor__evidence *evidence = &report->evidence;
    unsigned checks = 0;
    char name[64];
    for (size_t e = 0; e < evidence->exhibit_count; e++)
        checks |= evidence->exhibit[e].checks;
    fputs("<form class=filters hidden data-for=failures>\n<label>Arm <select name=arm><option "
          "value=\"\">all</option>",
          file);
    for (size_t a = 0; a < evidence->arm_count; a++) {
        if (evidence->arm[a].exhibits == 0)
            continue;
        fprintf(file, "<option value=%zu>", a);
        cor_html_short(file, report->tables->arm[a].name, 48);
        fputs("</option>", file);
    }
    fputs("</select></label>\n<label>Seen by <select name=box><option value=\"\">any</option><option "
          "value=gray>gray box</option><option value=black>black box</option><option "
          "value=detect>R-Detect</option>"
          "<option value=masked>nothing (masked)</option></select></label>\n"
          "<label>Check <select name=check><option value=\"\">any</option>",
          file);
    for (int check = 1; check < 32; check++)
        if (checks >> check & 1)
            fprintf(file, "<option value=%d>%s</option>", check, cor__check_words(check, name));
    fputs(
        "</select></label>\n<label>Text <input type=search name=text placeholder=\"e.g. Agent 17\"></label>\n"
        "<output aria-live=polite></output></form>\n",
        file);
}

void cor__page_failures(const struct cor_report *report, FILE *file) {
    const struct cor__evidence *evidence = &report->evidence;
    uint64_t failures = 0, masked = 0;
    for (size_t a = 0; a < evidence->arm_count; a++) {
        failures += evidence->arm[a].failures;
        masked += evidence->arm[a].masked;
    }
    cor__section(file, "failures", "Failures");
    fputs("<p>", file);
    cor__html_count(file, failures);
    fputs(" test cases violated a check, in ", file);
    cor__html_count(file, masked);
    fputs(" more a fault was activated and masked. ", file);
    if (evidence->exhibit_count > 0)
        fprintf(
            file,
            "%zu are shown: the first failure of a sequence, sequences spread evenly over arms and suites%s.",
            evidence->exhibit_count, masked > 0 ? ", and some that were masked" : "");
    fputs("</p>\n", file);
    if (evidence->exhibit_count > 0) {
        put_filters(report, file);
        fputs("<div class=wide><table class=\"sorts failures\" data-table=failures>\n<thead><tr>", file);
        cor__head(file, "Arm");
        cor__head(file, "Suite/&#8203;sequence/&#8203;case");
        cor__head(file, "What is wrong");
        cor__head(file, "Configuration");
        cor__head(file, "What the algorithm did");
        fputs("</tr></thead>\n<tbody>\n", file);
        for (size_t e = 0; e < evidence->exhibit_count; e++)
            put_exhibit(report, &evidence->exhibit[e], file);
        fputs(
            "</tbody></table></div>\n<p class=legend>All of them as a table: <code>corridor export "
            "RESULTS.h5 "
            "--table violations</code>; solutions and structures: <code>--table failures</code>, "
            "docs/result-file.md. To see one again: every draw is named by seed, arm, suite and sequence, so "
            "<code>corridor run</code> on the experiment below, with the same version, comes to the same "
            "case "
            "with the same outcome (docs/determinism.md).</p>\n",
            file);
    }
    cor__section_end(file);
}
