/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Depths for a reader at a terminal: a curve and a few lines an arm, then masking, then what saw what. */
#include "writing.h"

#include <corridor/cells.h>
#include <corridor/depths.h>
#include <corridor/terms.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COLUMNS 60     /* of a curve */
#define MATRIX_ARMS 12 /* arms up to which pairs are printed */

struct page {
    FILE *file;
    struct cor_style style;
    const struct cor_depths *depths;
    bool ascii;
    struct cor__names names;
};

static void put_name(const struct page *page, const char *name) {
    fprintf(page->file, "  %-*.*s", page->names.width, 24, name);
}

/* --------------------------------------------------------------------------------------- curves */

/* The cases that column c stands for: even steps of the logarithm, from 1 to the horizon. */
static double cases_at(const struct page *page, int c) {
    return pow(fmax(page->depths->horizon, 1), (double)c / (COLUMNS - 1));
}

/* A share as a block or, in ASCII, as the digit of its tenth: # for 1, . for 0. Blank where nothing is known.
 */
static void put_share(const struct page *page, double share) {
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    if (isnan(share))
        fputc(' ', page->file);
    else if (share <= 0)
        fputc(page->ascii ? '.' : ' ', page->file);
    else if (page->ascii)
        fputc(share >= 1 ? '#' : '0' + (int)(10 * share), page->file);
    else
        fputs(blocks[share >= 1 ? 7 : (int)(7 * share)], page->file);
}

static void put_axis(const struct page *page) {
    char line[COLUMNS + 16];
    memset(line, ' ', sizeof line);
    line[sizeof line - 1] = '\0';
    for (double tick = 1; tick <= page->depths->horizon; tick *= 10) {
        char text[16];
        int c = (int)lround(log(tick) / log(fmax(page->depths->horizon, 2)) * (COLUMNS - 1));
        int length = snprintf(text, sizeof text, "%.0f", tick);
        if (c >= 0 && c + length < (int)sizeof line)
            memcpy(line + c, text, (size_t)length);
    }
    fprintf(page->file, "  %-*s  %s\n", page->names.width, "cases", line);
}

static void put_curves(const struct page *page) {
    cor__text_heading(
        page->file, &page->style,
        "Sequences without a detection yet  (Kaplan-Meier; from 1 case on the left to the horizon, "
        "logarithmic)");
    for (size_t a = 0; a < page->depths->arm_count; a++) {
        const struct cor_depth_arm *arm = &page->depths->arm[a];
        put_name(page, arm->name);
        fputs("  ", page->file);
        for (int c = 0; c < COLUMNS; c++)
            put_share(page, cor_survival_at(&arm->curve, cases_at(page, c)).survival);
        fputc(' ', page->file);
        cor__text_real(page->file, cor_survival_at(&arm->curve, page->depths->horizon).survival, 5);
        fputc('\n', page->file);
    }
    put_axis(page);
    fputs(page->ascii ? "  # all, 9 to 0 tenths, . none\n" : "", page->file);
}

static void put_medians(const struct page *page) {
    fprintf(page->file, "\n  %-*s %6s %6s %6s %8s %7s %-20s %7s %s\n", page->names.width, "arm", "suites",
            "seq.", "found", "censored", "median", "interval", "mean", "interval");
    for (size_t a = 0; a < page->depths->arm_count; a++) {
        const struct cor_depth_arm *arm = &page->depths->arm[a];
        const struct cor_old_estimate median = {arm->median.cases,      arm->median.low,
                                                arm->median.high,       arm->suites,
                                                (double)arm->sequences, arm->median.method};
        put_name(page, arm->name);
        fprintf(page->file, " %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %8" PRIu64, arm->suites, arm->sequences,
                arm->detected, arm->censored);
        if (isnan(median.mean) && arm->sequences > 0)
            fprintf(page->file, " %7s", "never");
        else
            cor__text_real(page->file, median.mean, 7);
        cor__text_interval(page->file, &median);
        cor__text_real(page->file, arm->restricted_mean.mean, 7);
        cor__text_last_interval(page->file, &arm->restricted_mean);
    }
    fputs("  seq.: sequences, found: with a detection. Cases to the first one. never: more than half have "
          "none.\n  mean: of the smaller of that and the "
          "horizon.\n",
          page->file);
}

static void put_points(const struct page *page) {
    fprintf(page->file, "\n  %-*s", page->names.width, "no detection up to");
    for (int p = 0; p < COR_DEPTH_POINTS; p++)
        fprintf(page->file, " %4" PRIu32 " cases%*s", cor_depth_point[p], p < COR_DEPTH_POINTS - 1 ? 9 : 0,
                "");
    fputc('\n', page->file);
    for (size_t a = 0; a < page->depths->arm_count; a++) {
        put_name(page, page->depths->arm[a].name);
        for (int p = 0; p < COR_DEPTH_POINTS; p++) {
            const struct cor_old_estimate *share = &page->depths->arm[a].survival[p];
            char text[40] = "n/a";
            if (!isnan(share->mean))
                snprintf(text, sizeof text, isnan(share->low) ? "%.3f" : "%.3f [%.2f, %.2f]%s", share->mean,
                         share->low, share->high, share->method[0] == 'c' ? "*" : "");
            fprintf(page->file, "%s%-19s", p > 0 ? " " : "  ", text);
        }
        fputc('\n', page->file);
    }
}

/* ---------------------------------------------------------------------------------------- tests */

static void put_p(const struct page *page, double p) {
    if (isnan(p))
        fprintf(page->file, " %6s", "n/a");
    else if (p < 0.0005)
        fprintf(page->file, " %6s", "<.001");
    else
        fprintf(page->file, " %6.3f", p);
}

/* A triangle: what stands in column k is about the arm that is numbered k. */
static void put_pairs(const struct page *page) {
    const struct cor_depths *depths = page->depths;
    size_t at = 0;
    fprintf(page->file, "  %-*s   ", page->names.width, "p after Holm, against");
    for (size_t a = 0; a + 1 < depths->arm_count; a++)
        fprintf(page->file, " %6zu", a + 1);
    fputc('\n', page->file);
    for (size_t b = 0; b < depths->arm_count; b++) {
        fprintf(page->file, "  %2zu %-*.24s", b + 1, page->names.width, depths->arm[b].name);
        for (size_t a = 0; a < b; a++)
            put_p(page, depths->p_holm[at++]);
        fputc('\n', page->file);
    }
}

static void put_tests(const struct page *page) {
    const struct cor_depths *depths = page->depths;
    if (depths->arm_count < 2)
        return;
    cor__text_heading(
        page->file, &page->style,
        "Do arms differ?  (log-rank; takes sequences as independent, which those of a suite are "
        "not)");
    if (depths->all.df == 0) {
        fputs("  n/a: fewer than two arms with detections\n", page->file);
        return;
    }
    fprintf(page->file, "  all arms: chi-square %.2f on %" PRIu32 " degrees of freedom, p %s%.3g\n",
            depths->all.chi_square, depths->all.df, depths->all.p < 1e-300 ? "< " : "",
            fmax(depths->all.p, 1e-300));
    if (depths->pair && depths->arm_count <= MATRIX_ARMS)
        put_pairs(page);
    else
        fputs("  pairs: see --json (up to 40 arms)\n", page->file);
}

/* ------------------------------------------------------------------------------------- masking */

static void put_percent(const struct page *page, uint64_t count, const struct cor_old_estimate *share,
                        bool last) {
    char text[40] = "";
    char letter = share->method[0] == 'c' ? '*' : share->method[0] == 'p' ? 'p' : ' ';
    fprintf(page->file, " %7" PRIu64, count);
    if (isnan(share->mean))
        fprintf(page->file, " %6s", "n/a");
    else
        fprintf(page->file, " %5.1f%%", 100 * share->mean);
    if (!isnan(share->low))
        snprintf(text, sizeof text, " [%.0f, %.0f]%.*s", 100 * share->low, 100 * share->high, letter != ' ',
                 &letter);
    fprintf(page->file, "%-*s", last ? 0 : 11, text);
}

static void put_masking(const struct page *page) {
    cor__text_heading(page->file, &page->style,
                      "Failures  (reorganizations with an activated fault; of these)");
    fprintf(page->file, "  %-*s %8s %-25s %-25s %s\n", page->names.width, "arm", "entered", "    gray box",
            "   black box", "   undetected");
    for (size_t a = 0; a < page->depths->arm_count; a++) {
        const struct cor_depth_arm *arm = &page->depths->arm[a];
        put_name(page, arm->name);
        fprintf(page->file, " %8" PRIu64, arm->entered);
        put_percent(page, arm->gray, &arm->gray_share, false);
        put_percent(page, arm->black, &arm->black_share, false);
        put_percent(page, arm->masked, &arm->masked_share, true);
        fputc('\n', page->file);
    }
    fprintf(page->file, "\n  %-*s %s\n", page->names.width, "suites",
            "with a failure, of these with one that a box saw");
    for (size_t a = 0; a < page->depths->arm_count; a++) {
        const struct cor_depth_arm *arm = &page->depths->arm[a];
        if (arm->suites_entered == 0)
            continue;
        put_name(page, arm->name);
        fprintf(page->file, " %6" PRIu64 " %6" PRIu64 "   %5.1f%% [%4.1f, %5.1f]w\n", arm->suites_entered,
                arm->suites_detecting, 100 * arm->suite_share.mean, 100 * arm->suite_share.low,
                100 * arm->suite_share.high);
    }
}

/* --------------------------------------------------------------------------------- kill matrix */

static bool used(const struct cor_depths *depths, size_t killer) {
    for (size_t a = 0; a < depths->arm_count; a++)
        if (depths->arm[a].kill[killer].cases > 0)
            return true;
    return false;
}

static void put_killer(const struct page *page, size_t killer) {
    char word[64];
    const char *rule = cor_old_killer_rule(killer);
    fprintf(page->file, "  %s%s%s%s\n", cor_old_killer_word(killer, word), rule[0] ? " (" : "", rule,
            rule[0] ? ")" : "");
    for (size_t a = 0; a < page->depths->arm_count; a++) {
        const struct cor_kill *kill = &page->depths->arm[a].kill[killer];
        if (kill->cases == 0)
            continue;
        fputs("  ", page->file);
        put_name(page, page->depths->arm[a].name);
        fprintf(page->file, " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %9" PRIu64 " %6" PRIu64 "\n",
                kill->cases, kill->failures, kill->alone, kill->sequences, kill->suites);
    }
}

static void put_kills(const struct page *page) {
    const struct cor_depths *depths = page->depths;
    size_t entered = 0, killed = 0;
    for (size_t a = 0; a < depths->arm_count; a++) {
        entered += depths->arm[a].entered > 0;
        killed += depths->arm[a].suites_detecting > 0;
    }
    cor__text_heading(page->file, &page->style,
                      "What saw it  (kill matrix: test cases in which a check was violated; of them with an "
                      "activated fault;");
    fputs("seen by nothing else; in how many sequences and suites)\n", page->file);
    fprintf(page->file, "    %-*s %8s %8s %8s %9s %6s\n", page->names.width, "arm", "cases", "failures",
            "alone", "sequences", "suites");
    for (size_t k = 1; k < COR_KILLERS; k++)
        if (used(depths, k))
            put_killer(page, k);
    if (used(depths, 0))
        put_killer(page, 0);
    fprintf(page->file, "  Failures of %zu of %zu arms with an activated fault were detected by a box.\n",
            killed, entered);
}

enum cor_status cor_depths_text(const struct cor_depths *depths, const struct cor_style *style, bool ascii,
                                FILE *file, struct cor_error *error) {
    struct page page = {file, *style, depths, ascii, {0}};
    cor__names_widen(&page.names, "p after Holm, against");
    for (size_t a = 0; a < depths->arm_count; a++)
        cor__names_widen(&page.names, depths->arm[a].name);
    fprintf(file, "Depth of the first detection through %s box; ",
            depths->box ? cor_term_word(COR_FAMILY_BOX, depths->box) : "any");
    fprintf(file, isnan(depths->horizon) ? "no horizon: nothing was executed\n" : "horizon %.0f cases\n",
            depths->horizon);
    if (depths->left_out > 0)
        fprintf(file, "Left out: %" PRIu64 " sequences that continue failed ones\n", depths->left_out);
    put_curves(&page);
    put_medians(&page);
    put_points(&page);
    put_tests(&page);
    put_masking(&page);
    put_kills(&page);
    fprintf(
        file,
        "\n  Intervals at %.4g %% over suites: BCa bootstrap of %d resamples; p percentiles of it (medians "
        "too);\n"
        "  * all suites alike: Clopper-Pearson on their number; w Wilson's on the number of suites.\n",
        100 * depths->level, COR_BOOTSTRAP_REPLICATES);
    return cor_stream_status(file, error);
}
