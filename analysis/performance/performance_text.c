/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Performance for a reader at a terminal: a block a metric and a line an arm, then what is no single number.
 */
#include "writing.h"

#include <corridor/bootstrap.h>
#include <corridor/cells.h>
#include <corridor/performance.h>
#include <corridor/terms.h>

#include <inttypes.h>
#include <math.h>

struct page {
    FILE *file;
    struct cor_style style;
    const struct cor_performance *performance;
    struct cor__names names;
};

static void put_name(const struct page *page, const char *name) {
    fprintf(page->file, "  %-*.24s", page->names.width, name);
}

static void put_front(const struct page *page) {
    fprintf(page->file, "  %-*s %8s %10s %10s %15s\n", page->names.width, "arm", "suites", "sequences",
            "executed", "reorganizations");
    for (size_t a = 0; a < page->performance->arm_count; a++) {
        const struct cor_performance_arm *arm = &page->performance->arm[a];
        put_name(page, arm->name);
        fprintf(page->file, " %8" PRIu64 " %10" PRIu64 " %10" PRIu64 " %15" PRIu64 "\n", arm->suites,
                arm->sequences, arm->executed, arm->reorganizations);
    }
    if (page->performance->left_out > 0)
        fprintf(page->file, "  Left out: %" PRIu64 " sequences that continue failed ones\n",
                page->performance->left_out);
    if (page->performance->not_numbers > 0)
        fprintf(page->file,
                "  Left out of quality: %" PRIu64 " reorganizations whose dissimilarity or threshold is "
                "no number\n",
                page->performance->not_numbers);
}

static void put_metric(const struct page *page, enum cor_sum_metric metric) {
    const struct cor_sum_schema *schema = cor_sum_schema(metric);
    fprintf(page->file, "\n%s%s%s%s%s  (%s%s)\n", page->style.strong, schema->meaning, page->style.plain,
            schema->unit[0] == '1' ? "" : ", ", schema->unit[0] == '1' ? "" : schema->unit, schema->id,
            schema->better == COR_BETTER_LOWER    ? "; lower is better"
            : schema->better == COR_BETTER_HIGHER ? "; higher is better"
                                                  : "");
    if (cor_sum_is_time(metric) && !page->performance->times) {
        fputs("  not available: there is no file RESULTS.h5.times.csv\n", page->file);
        return;
    }
    for (size_t a = 0; a < page->performance->arm_count; a++) {
        const struct cor_old_estimate *estimate = &page->performance->arm[a].metric[metric];
        put_name(page, page->performance->arm[a].name);
        cor__text_real(page->file, estimate->mean, 10);
        cor__text_interval(page->file, estimate);
        fprintf(page->file, " %10.0f in %" PRIu64 " suites\n", estimate->n, estimate->suites);
    }
}

static void put_lengths(const struct page *page, const char *title, bool stays) {
    cor__text_heading(page->file, &page->style, title);
    fprintf(page->file, "  %-*s %8s %8s %8s %8s %8s %8s %8s %8s%s\n", page->names.width, "arm", "n", "mean",
            "sd", "min", "median", "max", "geom.", "harm.", stays ? "  cut off" : "");
    for (size_t a = 0; a < page->performance->arm_count; a++) {
        const struct cor_performance_arm *arm = &page->performance->arm[a];
        const struct cor_length_figures *f = stays ? &arm->stay : &arm->gap;
        put_name(page, arm->name);
        fprintf(page->file, " %8" PRIu64, f->n);
        const double values[] = {f->mean,           f->sd,           f->min, f->median, f->max,
                                 f->geometric_mean, f->harmonic_mean};
        for (size_t v = 0; v < sizeof values / sizeof *values; v++)
            cor__text_real(page->file, values[v], 8);
        if (stays)
            fprintf(page->file, " %8" PRIu64, f->cut_off);
        fputc('\n', page->file);
    }
}

/* Codes that did not occur, and the one that says nothing happened, have no line. */
static void put_codes(const struct page *page, const struct cor_performance_arm *arm, enum cor_family family,
                      const struct cor_code_share share[COR_ENDING_CODES]) {
    for (int code = 0; code < COR_ENDING_CODES; code++) {
        const struct cor_old_estimate *it = &share[code].share;
        if (share[code].count == 0 || (family == COR_FAMILY_SMOKE && code == COR_SMOKE_NONE))
            continue;
        put_name(page, arm->name);
        fprintf(page->file, " %-12s %9" PRIu64, code == 0 ? "not said" : cor_term_word(family, code),
                share[code].count);
        struct cor_old_estimate percent = *it;
        percent.mean *= 100;
        percent.low *= 100;
        percent.high *= 100;
        cor__text_real(page->file, percent.mean, 8);
        fputs(" %", page->file);
        cor__text_interval(page->file, &percent);
        fputc('\n', page->file);
    }
}

static void put_quality(const struct page *page) {
    cor__text_heading(
        page->file, &page->style,
        "Quality over budget  (spent a reorganization; dissimilarity / threshold: at most 1 is inside)");
    fprintf(page->file, "  %-*s %19s %8s %8s %8s %-*s %8s\n", page->names.width, "arm", "spent", "n",
            "before", "after", COR__INTERVAL_WIDTH - 1, "interval", "success");
    for (size_t a = 0; a < page->performance->arm_count; a++)
        for (size_t q = 0; q < page->performance->arm[a].quality_count; q++) {
            const struct cor_quality *it = &page->performance->arm[a].quality[q];
            char range[40];
            snprintf(range, sizeof range, "%.4g to %.4g", it->from, it->to);
            put_name(page, q == 0 ? page->performance->arm[a].name : "");
            fprintf(page->file, " %19s %8" PRIu64, range, it->n);
            cor__text_real(page->file, it->before.mean, 8);
            cor__text_real(page->file, it->after.mean, 8);
            cor__text_interval(page->file, &it->after);
            cor__text_real(page->file, 100 * it->success.mean, 7);
            fputs(isnan(it->success.mean) ? "\n" : " %\n", page->file);
        }
}

enum cor_status cor_performance_text(const struct cor_performance *performance, const struct cor_style *style,
                                     FILE *file, struct cor_error *error) {
    struct page page = {file, *style, performance, {0}};
    cor__names_widen(&page.names, "arm");
    for (size_t a = 0; a < performance->arm_count; a++)
        cor__names_widen(&page.names, performance->arm[a].name);
    put_front(&page);
    for (enum cor_sum_metric m = 0; m < COR_SUM_COUNT; m++)
        put_metric(&page, m);
    if (performance->times_missing > 0 && performance->times)
        fprintf(file, "  %" PRIu64 " suites have no time there\n", performance->times_missing);
    put_lengths(&page, "Test cases from one reorganization to the next of its sequence", false);
    put_lengths(&page, "Stays outside the corridor, in test cases  (cut off: by the end of the sequence)",
                true);
    cor__text_heading(file, style, "Why algorithms stopped, share of reorganizations");
    for (size_t a = 0; a < performance->arm_count; a++)
        put_codes(&page, &performance->arm[a], COR_FAMILY_STOP, performance->arm[a].stop);
    cor__text_heading(
        file, style,
        "Runs without a result (smoke), share of reorganizations; arms without any have no line");
    for (size_t a = 0; a < performance->arm_count; a++)
        put_codes(&page, &performance->arm[a], COR_FAMILY_SMOKE, performance->arm[a].smoke);
    put_quality(&page);
    fprintf(file, "\n  Gap to the optimum: not available,\n  %s.\n", cor_no_gap);
    fprintf(file, "  Time performance (reorganizing / running): not available,\n  %s.\n",
            cor_no_time_performance);
    fprintf(
        file,
        "\n  Intervals at %.4g %% over suites: BCa bootstrap of %d resamples; p percentiles of it; * all "
        "suites\n  alike: Clopper-Pearson on their number.\n",
        100 * performance->level, COR_BOOTSTRAP_REPLICATES);
    return cor_stream_status(file, error);
}
