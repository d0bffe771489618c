/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison for a reader at a terminal: a block a pair of arms, a line a metric. */
#include "writing.h"

#include <corridor/bootstrap.h>
#include <corridor/cells.h>
#include <corridor/compare.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct page {
    FILE *file;
    struct cor_style style;
    const struct cor_comparison *comparison;
};

static void put_pairing(const struct page *page, const struct cor_compared_arms *arms) {
    uint64_t left = arms->suites[0] + arms->suites[1] - 2 * arms->common;
    fprintf(page->file, "  %" PRIu64 " suites in A, %" PRIu64 " in B. ", arms->suites[0], arms->suites[1]);
    if (arms->paired)
        fprintf(page->file,
                "Paired: all %" PRIu64 " that both have are equal in configuration and walks%s.\n",
                arms->common, left > 0 ? "; the others are left out" : "");
    else
        fprintf(page->file,
                "Unpaired: of %" PRIu64 " that both have, %" PRIu64
                " are equal in configuration and walks.\n",
                arms->common, arms->equal);
}

static const char *verdict_text(enum cor_compare_verdict verdict) {
    return verdict == COR_COMPARE_A_HIGHER   ? "A higher"
           : verdict == COR_COMPARE_B_HIGHER ? "B higher"
                                             : "no claim";
}

static void put_p(const struct page *page, double p) {
    if (isnan(p))
        fprintf(page->file, " %6s", "n/a");
    else if (p < 0.0005)
        fprintf(page->file, " %6s", "<.001");
    else
        fprintf(page->file, " %6.3f", p);
}

static void put_metric(const struct page *page, const struct cor_compared_arms *arms,
                       enum cor_sum_metric metric) {
    static const char *const magnitudes[] = {"", "negl.", "small", "med.", "large"};
    static const char *const directions[] = {"-", "low", "high"};
    const struct cor_compared *it = &arms->metric[metric];
    fprintf(page->file, "  %-29s %-4s", cor_sum_schema(metric)->id,
            directions[cor_sum_schema(metric)->better]);
    if (it->not_compared) {
        fprintf(page->file, " n/a: %s\n", it->not_compared);
        return;
    }
    cor__text_real(page->file, it->value[0].mean, 7);
    cor__text_real(page->file, it->value[1].mean, 7);
    cor__text_real(page->file, it->difference.mean, 8);
    cor__text_interval(page->file, &it->difference);
    fprintf(page->file, " %4.2f %-5s", it->effect.a12, magnitudes[cor_magnitude_of(it->effect.a12)]);
    put_p(page, it->p_holm);
    fprintf(page->file, " %s%s%s%s\n",
            it->better < 0   ? page->style.bad
            : it->better > 0 ? page->style.good
                             : "",
            verdict_text(it->verdict),
            it->better < 0   ? " !"
            : it->better > 0 ? " +"
                             : "",
            it->better ? page->style.plain : "");
}

/* Suites behind the metric that has the fewest, of those that have any. */
static uint64_t fewest(const struct cor_compared_arms *arms) {
    uint64_t least = arms->suites[0] < arms->suites[1] ? arms->suites[0] : arms->suites[1];
    for (enum cor_sum_metric m = 0; m < COR_SUM_COUNT; m++)
        for (int i = 0; i < 2; i++)
            if (!arms->metric[m].not_compared && arms->metric[m].n[i] < least)
                least = arms->metric[m].n[i];
    return least;
}

static void put_conclusion(const struct page *page, const struct cor_compared_arms *arms) {
    int claimed = 0, compared = 0, worse = 0;
    for (enum cor_sum_metric m = 0; m < COR_SUM_COUNT; m++) {
        claimed += arms->metric[m].verdict != COR_COMPARE_NO_CLAIM;
        compared += !arms->metric[m].not_compared;
        worse += arms->metric[m].better < 0;
    }
    uint64_t few = fewest(arms);
    if (few < COR_COMPARE_FEW)
        fprintf(page->file,
                "  %sWarning%s: only %" PRIu64
                " repetitions (suites) of some metric: with fewer than %d, intervals "
                "are rough\n  and tests see little.\n",
                page->style.bad, page->style.plain, few, COR_COMPARE_FEW);
    if (claimed == 0)
        fputs("  No difference can be claimed.\n", page->file);
    else
        fprintf(page->file,
                "  A difference is claimed in %d of %d metrics, in %d of them B is worse. In the others no "
                "difference can be claimed.\n",
                claimed, compared, worse);
}

static void put_arms(const struct page *page, const struct cor_compared_arms *arms) {
    bool same = strcmp(arms->name[0], arms->name[1]) == 0;
    fprintf(page->file, "\n%s%s%s%s%s\n", page->style.strong, arms->name[0], same ? "" : " (A) and ",
            same ? "" : arms->name[1], same ? "" : " (B)");
    fputs(page->style.plain, page->file);
    put_pairing(page, arms);
    fprintf(page->file, "  %-29s %-4s %7s %7s %8s %-20s %4s %-5s %6s %s\n", "metric", "good", "A", "B",
            "B less A", "interval", "A12", "", "p", "verdict");
    for (enum cor_sum_metric m = 0; m < COR_SUM_COUNT; m++)
        put_metric(page, arms, m);
    put_conclusion(page, arms);
}

static void put_legend(const struct page *page) {
    fprintf(
        page->file,
        "\n  A, B: means over suites, each counting alike. Intervals at %.4g %%: BCa bootstrap of %d "
        "resamples "
        "of\n  suites; p percentiles of it. A12: chance that a suite of B has the greater value (Vargha and "
        "Delaney).\n  p: of Wilcoxon's signed rank (paired) or of Mann and Whitney's U, after Holm over all "
        "%" PRIu64 " tests.\n  no claim: no difference can be claimed. good: whether low or high is better; "
        "! B is worse, + better.\n",
        100 * page->comparison->level, COR_BOOTSTRAP_REPLICATES, page->comparison->tests);
}

enum cor_status cor_comparison_text(const struct cor_comparison *comparison, const struct cor_style *style,
                                    FILE *file, struct cor_error *error) {
    const struct page page = {file, *style, comparison};
    fputs(comparison->identical ? "The two files say the same: their fingerprints are equal.\n" : "", file);
    if (comparison->without[0] + comparison->without[1] > 0)
        fprintf(file, "Arms without a partner: %" PRIu64 " of A, %" PRIu64 " of B.\n", comparison->without[0],
                comparison->without[1]);
    for (size_t a = 0; a < comparison->arm_count; a++)
        put_arms(&page, &comparison->arm[a]);
    put_legend(&page);
    return cor_stream_status(file, error);
}
