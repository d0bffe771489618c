/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which check catches which fault: the kill matrix. */
#include "page.h"

#include "html.h"

#include <string.h>

/* A column: a check through a box, or smoke. */
static bool is_used(const struct cor_report *report, size_t killer) {
    for (size_t a = 0; a < report->depths->arm_count; a++)
        if (report->depths->arm[a].kill[killer].cases > 0)
            return true;
    return false;
}

static void put_column(size_t killer, FILE *file) {
    char word[64];
    const char *rule = cor_old_killer_rule(killer), *check = strchr(cor_old_killer_word(killer, word), '.');
    fprintf(file, "<th scope=col class=n data-killer=\"%s\">", word);
    if (check)
        fprintf(file, "<span class=\"box %.*s\">%.*s</span><br>", (int)(check - word), word,
                (int)(check - word), word);
    fprintf(file, "%s%s", rule[0] ? rule : "C6", rule[0] ? "<br>" : " ");
    for (const char *c = check ? check + 1 : word; *c; c++)
        fputc(*c == '_' ? ' ' : *c, file);
    fputs("</th>", file);
}

static void put_cell(const struct cor_depth_arm *arm, size_t killer, FILE *file) {
    const struct cor_old_kill *kill = &arm->kill[killer];
    double share = arm->sequences > 0 ? (double)kill->sequences / (double)arm->sequences : 0;
    if (kill->cases == 0) {
        fputs("<td data-v=0 class=na>\xc2\xb7</td>", file);
        return;
    }
    fprintf(
        file,
        "<td data-v=%llu class=heat style=\"--v:%.3f\" title=\"%.1f %% of the sequences; %llu cases, in %llu "
        "of them alone; %llu suites\">",
        (unsigned long long)kill->sequences, share, 100 * share, (unsigned long long)kill->cases,
        (unsigned long long)kill->alone, (unsigned long long)kill->suites);
    cor__html_count(file, kill->sequences);
    fputs("</td>", file);
}

void cor__page_kills(const struct cor_report *report, FILE *file) {
    bool any = false;
    for (size_t k = 0; k < COR_OLD_KILLERS; k++)
        any = any || is_used(report, k);
    if (!any) {
        fputs("<p>No check was violated.</p>\n", file);

        return;
    }
    fputs(
        "<p>Sequences in which a check was violated, by the box through which it was seen. Checks are the "
        "oracle's: "
        "it trusts neither the algorithm nor the monitor.</p>\n<div class=wide><table class=\"sorts kills\" "
        "data-table=kills>\n<thead><tr>",
        file);
    cor__head(file, "Arm");
    for (size_t k = 0; k < COR_OLD_KILLERS; k++)
        if (is_used(report, k))
            put_column(k, file);
    cor__head_number(file, "of sequences");
    fputs("</tr></thead>\n<tbody>\n", file);
    for (size_t a = 0; a < report->depths->arm_count; a++) {
        fputs("<tr>", file);
        cor__head_name(file, report->tables->arm[a].name, report->arm[a].what);
        for (size_t k = 0; k < COR_OLD_KILLERS; k++)
            if (is_used(report, k))
                put_cell(&report->depths->arm[a], k, file);
        cor__cell_count(file, report->depths->arm[a].sequences);
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table></div>\n<p class=legend>C1: each agent occurs exactly once; C2: only agents of "
          "the system; "
          "C3: no empty partition; C4: sizes within limits; C5: number of partitions within limits; C6: the "
          "algorithm "
          "ends with a result; C7: the structure is the accepted solution. <b>gray</b>: R-Solution, what the "
          "algorithm "
          "proposes; <b>black</b>: R-Distribution, the structure after adoption; <b>detect</b>: R-Detect, "
          "the alarms. "
          "Stronger colour: a larger share of the arm's sequences. Checks that nothing violated are left "
          "out.</p>\n",
          file);
}
