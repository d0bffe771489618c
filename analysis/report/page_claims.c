/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the paper claims, and whether it holds here. */
#include "page.h"

#include "html.h"

#include <math.h>

static void put_part(const struct cor_claim_part *part, FILE *file) {
    fputs("<tr><th scope=row>", file);
    cor_html_text(file, part->name);
    fputs("</th>", file);
    fprintf(file, "<td class=t>%s</td>",
            part->verdict == COR_CLAIM_NOT_AVAILABLE ? "n/a" : cor_claim_verdict_word(part->verdict));
    cor__cell_real(file, part->mean, 2);
    fputs("<td>", file);
    if (part->interval == COR_INTERVAL_NONE)
        fputs("<span class=na>\xe2\x80\x93</span>", file);
    else
        fprintf(file, "%.2f to %.2f", part->low, part->high);
    fputs("</td>", file);
    cor__cell_real(file, part->paper, 2);
    cor__cell_real(file, part->distance, 2);
    cor__cell_real(file, part->half_widths, 2);
    fputs("<td class=\"t dim\">", file);
    if (part->note)
        cor_html_text(file, part->note);
    fputs("</td></tr>\n", file);
}

/* A claim that compares arms fits into its own line. */
static void put_single(const struct cor_claim_part *part, FILE *file) {
    fputs(" <span class=dim>ours ", file);
    cor__html_real(file, part->mean, 2);
    if (part->interval != COR_INTERVAL_NONE)
        fprintf(file, " [%.2f, %.2f]", part->low, part->high);
    if (!isnan(part->paper))
        fprintf(file, ", paper %.2f", part->paper);
    fputs("</span>", file);
}

static void put_claim(enum cor_claim claim, const struct cor_claim_result *result, FILE *file) {
    static const char *const classes[] = {"na", "good", "bad"};
    static const char *const words[] = {"n/a", "\xe2\x9c\x93 holds", "\xe2\x9c\x97 fails"};
    const struct cor_claim_schema *schema = cor_claim_schema(claim);
    fprintf(file,
            "<details class=claim data-claim=%s data-verdict=%s><summary><span class=\"chip %s\">%s</span> ",
            schema->id, cor_claim_verdict_word(result->verdict), classes[result->verdict],
            words[result->verdict]);
    cor_html_text(file, schema->sentence);
    if (result->part_count == 1)
        put_single(&result->part[0], file);
    else if (result->failing > 0)
        fprintf(file, " <span class=dim>(%zu of %zu parts fail)</span>", result->failing,
                result->failing + result->holding);
    fputs("</summary>\n", file);
    if (result->part_count > 0) {
        fputs("<div class=wide><table><caption>", file);
        cor_html_text(file, schema->unit);
        fprintf(file, "; rule: %s</caption><thead><tr>", cor_claim_rule_word(schema->rule));
        cor__head(file, "About");
        cor__head(file, "Verdict");
        cor__head_number(file, "Ours");
        cor__head_number(file, "Interval");
        cor__head_number(file, "Paper");
        cor__head_number(file, "Off by");
        cor__head_number(file, "... in half-widths");
        cor__head(file, "Note");
        fputs("</tr></thead><tbody>\n", file);
        for (size_t p = 0; p < result->part_count; p++)
            put_part(&result->part[p], file);
        fputs("</tbody></table></div>\n", file);
    }
    fputs("</details>\n", file);
}

static void put_agreement(const struct cor_report *report, FILE *file) {
    uint64_t inside = 0, compared = 0;
    for (size_t a = 0; a < report->tables->arm_count; a++) {
        struct cor_agreement agreement = cor_tables_agreement(&report->tables->arm[a]);
        inside += report->tables->arm[a].published ? agreement.inside : 0;
        compared += report->tables->arm[a].published ? agreement.compared : 0;
    }
    if (compared > 0)
        fprintf(file,
                "<p>%llu of %llu published means (%.0f %%) lie in our intervals. A repetition by the same "
                "programs, with as many suites, would have about 83 %%.</p>\n",
                (unsigned long long)inside, (unsigned long long)compared,
                100.0 * (double)inside / (double)compared);
}

void cor__page_claims(const struct cor_report *report, FILE *file) {
    size_t holding = 0, failing = 0;
    for (int c = 0; c < COR_CLAIM_COUNT; c++) {
        holding += report->tables->claim[c].verdict == COR_CLAIM_HOLDS;
        failing += report->tables->claim[c].verdict == COR_CLAIM_FAILS;
    }
    fputs(
        "<p>What paper 003 says of its faults in general and what its tables show, each a sentence that the "
        "figures of this file can bear out or contradict. It holds where our figure, or its interval over "
        "suites, is as the sentence says; open one to see the figures behind it.</p>\n",
        file);
    fprintf(file, "<p class=headline><strong>%zu of %zu</strong> claims that can be judged here hold.</p>\n",
            holding, holding + failing);
    for (int c = 0; c < COR_CLAIM_COUNT; c++)
        put_claim((enum cor_claim)c, &report->tables->claim[c], file);
    put_agreement(report, file);
}
