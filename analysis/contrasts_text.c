/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contrasts for a reader at a terminal: two lines a pair, their difference below, and what may be said of it.
 */
#include <corridor/cells.h>
#include <corridor/contrasts.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct page {
    FILE *file;
    struct cor_style style;
    const struct cor_contrasts *contrasts;
    int name_width;
};

static int name_width(const struct cor_contrasts *contrasts) {
    size_t width = 12;
    for (size_t c = 0; c < contrasts->count; c++)
        for (size_t i = 0; i < 2 * contrasts->contrast[c].pair_count; i++) {
            size_t own = strlen(contrasts->contrast[c].pair[i / 2].side[i % 2].arm);
            width = own > width ? own : width;
        }
    return width < 24 ? (int)width : 24;
}

static void put_side(const struct page *page, const struct cor_contrast_side *side) {
    char suites[48], sequences[48], bounds[64] = "", median[32] = "-";
    snprintf(suites, sizeof suites, "%" PRIu64 "/%" PRIu64, side->suites_detecting, side->suites);
    snprintf(sequences, sizeof sequences, "%" PRIu64 "/%" PRIu64, side->sequences_detecting, side->sequences);
    if (side->share.interval != COR_INTERVAL_NONE)
        snprintf(bounds, sizeof bounds, "[%.1f, %.1f]", side->share.low, side->share.high);
    if (!isnan(side->median))
        snprintf(median, sizeof median, "%.0f", side->median);
    fprintf(page->file, "  %-*s %8s %10s", page->name_width, side->arm, suites, sequences);
    if (isnan(side->share.mean))
        fprintf(page->file, " %6s %-16s %6s %7s\n", "n/a", "", "-", "n/a");
    else
        fprintf(page->file, " %6.1f %-16s %6s %7.1f\n", side->share.mean, bounds, median, side->cases);
}

/* A difference with its interval in a column of `width` and, if there is more to come, one of 16. */
static void put_difference(const struct page *page, const struct cor_difference *difference, int width,
                           const char *after) {
    char bounds[64] = "";
    if (isnan(difference->mean)) {
        fprintf(page->file, " %*s%s", width, "n/a", after);
        return;
    }
    if (!isnan(difference->low))
        snprintf(bounds, sizeof bounds, " [%+.1f, %+.1f]", difference->low, difference->high);
    fprintf(page->file, " %+*.1f%-*s%s", width, difference->mean, *after ? 17 : 0, bounds, after);
}

static void put_claim(const struct page *page, int more, int sooner, const char *first, const char *second) {
    fputs(more || sooner ? page->style.good : page->style.faint, page->file);
    if (more)
        fprintf(page->file, "%s finds more", more > 0 ? first : second);
    if (sooner && sooner == more)
        fputs(", and sooner", page->file);
    else if (sooner)
        fprintf(page->file, "%s%s finds sooner", more ? "; " : "", sooner > 0 ? first : second);
    else if (!more)
        fputs("no difference can be claimed", page->file);
    fputs(page->style.plain, page->file);
}

/* Both differences in a line, and in the next what they allow to say. */
static void put_verdict(const struct page *page, const struct cor_difference *share,
                        const struct cor_difference *cases, const char *first, const char *second) {
    fprintf(page->file, "  %-*s", page->name_width + 20, "  first less second");
    put_difference(page, share, 6, "       ");
    put_difference(page, cases, 7, "");
    fputs("\n    ", page->file);
    put_claim(page, share->sign, -cases->sign, first, second);
    if (!isnan(share->p))
        fprintf(page->file,
                "  (suites: more %" PRIu64 ", less %" PRIu64 ", p %.2g; sooner %" PRIu64 ", later %" PRIu64
                ", p %.2g)",
                share->above, share->below, share->p, cases->below, cases->above, cases->p);
    fputc('\n', page->file);
}

static void put_pairs(const struct page *page, const struct cor_contrast *contrast) {
    for (size_t p = 0; p < contrast->pair_count; p++) {
        const struct cor_contrast_pair *pair = &contrast->pair[p];
        put_side(page, &pair->side[0]);
        put_side(page, &pair->side[1]);
        put_verdict(page, &pair->share, &pair->cases, pair->side[0].arm, pair->side[1].arm);
    }
}

/* Both boxes of an arm in a line. */
static void put_boxes(const struct page *page, const struct cor_contrast *contrast) {
    fprintf(page->file, "  %-*s %10s %10s %8s %-17s %8s\n", page->name_width, "arm", "gray", "black",
            "share %", "difference", "cases, difference");
    for (size_t p = 0; p < contrast->pair_count; p++) {
        const struct cor_contrast_pair *pair = &contrast->pair[p];
        fprintf(page->file, "  %-*s", page->name_width, pair->side[0].arm);
        for (int i = 0; i < 2; i++)
            fprintf(page->file, " %5" PRIu64 "/%-4" PRIu64, pair->side[i].sequences_detecting,
                    pair->side[i].sequences);
        put_difference(page, &pair->share, 8, pair->share.sign ? "*" : " ");
        put_difference(page, &pair->cases, 7, pair->cases.sign ? "*" : "");
        fputc('\n', page->file);
    }
}

static void put_contrast(const struct page *page, const struct cor_contrast *contrast) {
    bool boxes = contrast->pair[0].side[0].box != COR_CONTRAST_ANY;
    fprintf(page->file, "\n%s%s%s\n", page->style.strong, contrast->name, page->style.plain);
    (boxes ? put_boxes : put_pairs)(page, contrast);
    if (contrast->pair_count < 2)
        return;
    const char *first = boxes ? "the gray box" : "the first",
               *second = boxes ? "the black box" : "the second";
    fprintf(page->file, "  mean of %zu pairs; found by %s in %" PRIu64 ", by %s in %" PRIu64 " of them\n",
            contrast->pair_count, first, contrast->found[0], second, contrast->found[1]);
    put_verdict(page, &contrast->share, &contrast->cases, first, second);
}

static void put_front(const struct page *page) {
    const struct cor_contrasts *contrasts = page->contrasts;
    fprintf(page->file, "%s%s%s: what finds more, and what sooner?", page->style.strong,
            contrasts->experiment, page->style.plain);
    fprintf(page->file, "  Suites are %s.\n",
            contrasts->paired ? "the same for all arms" : "of each arm's own");
    if (contrasts->left_out > 0)
        fprintf(page->file, "Left out: %" PRIu64 " suites that not all compared arms have.\n",
                contrasts->left_out);
    fprintf(page->file, "\n  %-*s %8s %10s %6s %-16s %6s %7s\n", page->name_width, "arm", "suites",
            "sequences", "share", "%", "cases", "mean");
    fprintf(page->file, "  %-*s %8s %10s %6s [%.0f %%]%*s %6s %7.0f\n", page->name_width, "", "detecting",
            "detecting", "", 100 * contrasts->level, contrasts->level < 0.9995 ? 10 : 9, "", "median",
            contrasts->horizon);
}

enum cor_status cor_contrasts_text(const struct cor_contrasts *contrasts, const struct cor_style *style,
                                   FILE *file, struct cor_error *error) {
    struct page page = {file, *style, contrasts, name_width(contrasts)};
    put_front(&page);
    for (size_t c = 0; c < contrasts->count; c++)
        put_contrast(&page, &contrasts->contrast[c]);
    fprintf(
        file,
        "\n  Cases to the first detection: median by Kaplan-Meier, - where fewer than half detect; mean of "
        "the "
        "smaller\n"
        "  of that and %.0f, up to where every sequence was looked at. Differences: BCa intervals of %d "
        "bootstraps\n"
        "  over suites. A difference is claimed (*) if its interval lies on one side of 0 and a sign test of "
        "suites\n"
        "  agrees. Each stands for itself: of twenty that are none, one may be claimed.\n",
        contrasts->horizon, COR_BOOTSTRAP_REPLICATES);
    return cor_stream_status(file, error);
}
