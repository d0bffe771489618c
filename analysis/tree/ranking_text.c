/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/cells.h>
#include <corridor/tree.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* "partitions_before >= 101 (next: 97)". */
static void put_feature(const struct cor_feature *feature, FILE *file) {
    char bound[COR_CELL];
    if (feature->once)
        fputs("once: ", file);
    fputs(feature->name, file);
    if (feature->comparison == COR_PRESENT)
        return;
    snprintf(bound, sizeof bound, "%.6g", feature->bound);
    fprintf(file, " %s %s", feature->comparison == COR_AT_LEAST ? ">=" : "<=", bound);
    if (isnan(feature->next))
        return;
    snprintf(bound, sizeof bound, "%.6g", feature->next);
    fprintf(file, " (next: %s)", bound);
}

/* A score in a column of 9. */
static void put_score(double score, FILE *file) {
    if (isinf(score))
        fprintf(file, " %9s", "inf");
    else
        fprintf(file, " %9.4g", score);
}

/* "1", or "2-5" where features share ranks. */
static void put_rank(const struct cor_feature *feature, FILE *file) {
    char text[48];
    snprintf(text, sizeof text, feature->rank_best == feature->rank_worst ? "%zu" : "%zu-%zu",
             feature->rank_best, feature->rank_worst);
    fprintf(file, "  %-9s", text);
}

static void put_list(const struct cor_feature_list *list, const char *title,
                     const struct cor_drawing *drawing, FILE *file) {
    fprintf(file, "\n%s%s%s\n", drawing->strong, title, drawing->plain);
    if (list->count == 0)
        fputs("  none\n", file);
    else
        fprintf(file, "  %-9s %9s %9s %9s %13s %15s  %-13s  %s\n", "rank", cor_score_words[0],
                cor_score_words[1], cor_score_words[2], "failing with", "passing with", "aspect", "feature");
    for (size_t i = 0; i < list->count && i < drawing->features; i++) {
        const struct cor_feature *f = &list->feature[i];
        put_rank(f, file);
        for (enum cor_score s = 0; s < COR_SCORE_COUNT; s++)
            put_score(f->score[s], file);
        fprintf(file, " %13" PRIu64 " %15" PRIu64 "  %-13s  ", f->failing_with, f->passing_with,
                cor_aspect_words[f->aspect]);
        put_feature(f, file);
        fputc('\n', file);
    }
    if (list->count > drawing->features)
        fprintf(file, "  and %zu more\n", list->count - drawing->features);
}

static void put_chance(const struct cor_ranking *ranking, FILE *file) {
    bool by_chance = ranking->p > COR_RANKING_LEVEL;
    fprintf(file,
            "  %s separates failing from passing better than chance (p = %.3g, %" PRIu32 " permutations)\n",
            by_chance ? "no feature" : "the first", ranking->p, ranking->permutations);
}

enum cor_status cor_ranking_text(const struct cor_ranking *ranking, struct cor_result *result,
                                 const struct cor_drawing *drawing, FILE *file, struct cor_error *error) {
    const char *arm = cor_result_name(result, COR_CATALOG_ARM, ranking->arm);
    uint64_t units = ranking->failing + ranking->passing;
    fprintf(file, "%s%s%s", drawing->strong, arm, drawing->plain);
    if (ranking->suite != COR_ANY_SUITE)
        fprintf(file, ", suite %" PRIu32, ranking->suite);
    fprintf(file, ": %" PRIu64 " of %" PRIu64 " %s failed", ranking->failing, units,
            cor_unit_words[ranking->unit]);
    if (ranking->suite == COR_ANY_SUITE)
        fprintf(file, ", in %" PRIu64 " of %" PRIu64 " suites", ranking->suites_failing, ranking->suites);
    fputc('\n', file);
    if (ranking->failing == 0) {
        fputs("  nothing failed: nothing to explain\n", file);
    } else if (ranking->passing == 0) {
        fputs("  nothing passed: nothing to compare with\n", file);
    } else {
        char title[160];
        snprintf(title, sizeof title, "What the algorithm was given, by %s", cor_score_words[ranking->score]);
        put_list(&ranking->causes, title, drawing, file);
        put_chance(ranking, file);
        put_list(&ranking->symptoms, "What it then did", drawing, file);
    }
    fputs(ranking->note, file);
    return cor_stream_status(file, error);
}
