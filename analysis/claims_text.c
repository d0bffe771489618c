/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims for a reader at a terminal. */
#include "claims_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define LABEL 20 /* columns of what a line is about */
#define CELL 7   /* ... and of a number */

struct page {
    FILE *file;
    struct cor_style style;
    const struct cor_arm_tables *arm[COR_CLAIM_PARTS]; /* columns of the paper that ran */
    size_t count;
};

static void find_columns(struct page *page, const struct cor_tables *tables) {
    for (size_t a = 0; a < tables->arm_count && page->count < COR_CLAIM_PARTS - 1; a++)
        if (tables->arm[a].published && tables->arm[a].sequences > 0)
            page->arm[page->count++] = &tables->arm[a];
}

/* Algorithm above, fault below: "PSOPP-F5d" would not fit. */
static void put_head(const struct page *page) {
    const char *before = "";
    fprintf(page->file, "  %-*s", LABEL, "");
    for (size_t i = 0; i < page->count; i++) {
        int length = (int)strcspn(page->arm[i]->name, "-");
        bool same = strncmp(before, page->arm[i]->name, (size_t)length + 1) == 0;
        fprintf(page->file, "%*.*s", CELL, same ? 0 : length, page->arm[i]->name);
        before = page->arm[i]->name;
    }
    fprintf(page->file, "%*s\n  %-*s", CELL, "all", LABEL, "");
    for (size_t i = 0; i < page->count; i++) {
        const char *fault = strchr(page->arm[i]->name, '-');
        fprintf(page->file, "%*s", CELL, fault ? fault + 1 : "");
    }
    fprintf(page->file, "%*s\n", CELL, "arms");
}

/* The part about a column; the last column is that of all arms. */
static const struct cor_claim_part *part_of(const struct page *page, const struct cor_claim_result *result,
                                            size_t column) {
    for (size_t p = 0; p < result->part_count; p++) {
        const struct cor_claim_part *part = &result->part[p];
        if (column < page->count ? part->of_arm && strcmp(part->name, page->arm[column]->name) == 0
                                 : !part->of_arm)
            return part;
    }
    return NULL;
}

enum row { OURS, LOW, HIGH, PAPER, DISTANCE, HALF_WIDTHS, ROWS };

static double value_of(const struct cor_claim_part *part, enum row row) {
    const double values[ROWS] = {part->mean,  part->low,      part->high,
                                 part->paper, part->distance, part->half_widths};
    return values[row];
}

static void put_row(const struct page *page, const struct cor_claim_result *result, enum row row) {
    static const char *const labels[ROWS] = {"ours", "from", "to", "paper", "off by", "... in half-widths"};
    int blanks = 0;
    bool any = false;
    for (size_t p = 0; p < result->part_count; p++)
        any = any || !isnan(value_of(&result->part[p], row));
    if (!any)
        return;
    fprintf(page->file, "  %*s", LABEL, labels[row]);
    for (size_t i = 0; i <= page->count; i++) {
        const struct cor_claim_part *part = part_of(page, result, i);
        bool bad = row == OURS && part && part->verdict == COR_CLAIM_FAILS;
        if (!part || isnan(value_of(part, row))) {
            blanks += CELL;
            continue;
        }
        fprintf(page->file, "%*s%s%*.2f%s", blanks, "", bad ? page->style.bad : "", CELL, value_of(part, row),
                bad ? page->style.plain : "");
        blanks = 0;
    }
    fputc('\n', page->file);
}

/* A claim that compares arms: one line. */
static void put_comparison(const struct page *page, const struct cor_claim_part *part) {
    fprintf(page->file, "         %s: ", part->name);
    if (isnan(part->mean))
        fputs("n/a", page->file);
    else
        fprintf(page->file, "%.2f", part->mean);
    if (part->interval != COR_INTERVAL_NONE)
        fprintf(page->file, ", from %.2f to %.2f", part->low, part->high);
    fprintf(page->file, "; paper %.2f", part->paper);
    if (!isnan(part->distance))
        fprintf(page->file, ": off by %.2f", part->distance);
    if (!isnan(part->half_widths))
        fprintf(page->file, " = %.2f half-widths", part->half_widths);
    fputc('\n', page->file);
}

static void put_notes(const struct page *page, const struct cor_claim_result *result) {
    for (size_t p = 0; p < result->part_count; p++)
        if (result->part[p].note)
            fprintf(page->file, "         %s! paper%s%s: %s%s\n", page->style.faint,
                    result->part[p].of_arm ? ", " : "", result->part[p].of_arm ? result->part[p].name : "",
                    result->part[p].note, page->style.plain);
}

static void put_claim(const struct page *page, enum cor_claim claim, const struct cor_claim_result *result) {
    static const char *const words[] = {"n/a", "holds", "FAILS"};
    const struct cor_claim_schema *schema = cor_claim_schema(claim);
    const char *const colours[] = {page->style.faint, page->style.good, page->style.bad};
    fprintf(page->file, "  %s%-5s%s  %s  (%s)\n", colours[result->verdict], words[result->verdict],
            page->style.plain, schema->sentence, schema->unit);
    if (result->part_count == 0)
        return;
    if (!result->part[0].of_arm)
        put_comparison(page, &result->part[0]);
    else
        for (int row = OURS; row < (result->failing > 0 ? ROWS : DISTANCE); row++)
            put_row(page, result, (enum row)row);
    put_notes(page, result);
}

/* ------------------------------------------------------------------------------------ all figures */

static void put_counts(const struct page *page, const char *label, const uint64_t *counts) {
    uint64_t sum = 0;
    fprintf(page->file, "  %*s", LABEL, label);
    for (size_t i = 0; i < page->count; i++) {
        fprintf(page->file, "%*" PRIu64, CELL, counts[i]);
        sum += counts[i];
    }
    fprintf(page->file, "%*" PRIu64 "\n", CELL, sum);
}

static void put_agreement(const struct page *page) {
    uint64_t compared[COR_CLAIM_PARTS], inside[COR_CLAIM_PARTS], below[COR_CLAIM_PARTS],
        above[COR_CLAIM_PARTS], doubtful[COR_CLAIM_PARTS], sum = 0, of = 0;
    for (size_t i = 0; i < page->count; i++) {
        struct cor_agreement agreement = cor_tables_agreement(page->arm[i]);
        compared[i] = agreement.compared;
        inside[i] = agreement.inside;
        below[i] = agreement.below;
        above[i] = agreement.above;
        doubtful[i] = agreement.doubtful;
        sum += agreement.inside;
        of += agreement.compared;
    }
    fprintf(page->file,
            "\n%sPublished means in our intervals%s  = %" PRIu64 " of %" PRIu64
            " figures (an equal repetition would have about 83 %% at 95 %%)\n",
            page->style.strong, page->style.plain, sum, of);
    put_counts(page, "in the interval", inside);
    put_counts(page, "ours below", below);
    put_counts(page, "ours above", above);
    put_counts(page, "of figures", compared);
    put_counts(page, "outside, doubtful !", doubtful);
}

void cor__claims_text(const struct cor_tables *tables, const struct cor_style *style, FILE *file) {
    struct page page = {.file = file, .style = *style};
    find_columns(&page, tables);
    fprintf(file,
            "\n%sClaims of the paper%s  (interval %.0f %% over suites%s; docs/statistics.md has the rules)\n",
            style->strong, style->plain, 100 * tables->level,
            tables->paired ? ", between paired arms a bound" : "");
    put_head(&page);
    for (int c = 0; c < COR_CLAIM_COUNT; c++)
        put_claim(&page, (enum cor_claim)c, &tables->claim[c]);
    put_agreement(&page);
}
