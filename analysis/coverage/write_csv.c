/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/cells.h>
#include <corridor/coverage.h>

#include <inttypes.h>
#include <math.h>

/* A number, or nothing. */
static void put_real(double value, FILE *file) {
    char text[COR_CELL] = "";
    if (isfinite(value))
        cor_real_text(value, text);
    fprintf(file, ",%s", text);
}

static void put_count(uint64_t count, FILE *file) {
    fprintf(file, ",%" PRIu64, count);
}

static void begin_row(const struct cor_arm_coverage *arm, const char *second, FILE *file) {
    cor_csv_word(arm->name, file);
    fputc(',', file);
    cor_csv_word(second, file);
}

static void put_covered(const struct cor_covered *covered, FILE *file) {
    put_real(cor_covered_percent(covered), file);
    put_count(covered->n, file);
    put_real(covered->covered, file);
    put_real(covered->possible, file);
    fputc('\n', file);
}

static void covered_rows(const struct cor_arm_coverage *arm, const struct cor_ep_coverage *ep, FILE *file) {
    for (int level = 0; level < COR_COVERAGE_LEVEL_COUNT; level++)
        for (int m = 0; m < COR_COVERED_COUNT; m++) {
            begin_row(arm, ep->name, file);
            fprintf(file, ",%s,%s", cor_coverage_level_id((enum cor_coverage_level)level),
                    cor_covered_id((enum cor_covered_measure)m));
            put_covered(&ep->covered[level][m], file);
        }
}

static void unseen_row(const struct cor_arm_coverage *arm, const struct cor_ep_coverage *ep,
                       enum cor_coverage_level level, const struct cor_unseen *unseen, FILE *file) {
    begin_row(arm, ep->name, file);
    fprintf(file, ",%s", cor_coverage_level_id(level));
    put_count(unseen->n, file);
    put_real(unseen->law, file);
    put_real(unseen->good_turing, file);
    put_real(unseen->cases_law, file);
    put_real(unseen->cases_good_turing, file);
    put_count(unseen->unseen, file);
    put_count(unseen->unseen_likely, file);
    put_count(unseen->once, file);
    put_real(unseen->chao, file);
    fputc('\n', file);
}

static void unseen_rows(const struct cor_arm_coverage *arm, const struct cor_ep_coverage *ep, FILE *file) {
    unseen_row(arm, ep, COR_COVERAGE_SUITE, &ep->suite, file);
    unseen_row(arm, ep, COR_COVERAGE_CAMPAIGN, &ep->campaign, file);
}

static void curve_rows(const struct cor_arm_coverage *arm, const struct cor_ep_coverage *ep, const char *over,
                       const struct cor_coverage_curve *curve, FILE *file) {
    for (size_t k = 0; k < curve->count; k++) {
        const struct cor_coverage_point *point = &curve->point[k];
        begin_row(arm, ep->name, file);
        fprintf(file, ",%s", over);
        put_count(point->at, file);
        put_count(point->n, file);
        put_real(point->states, file);
        put_real(point->arcs, file);
        put_real(point->arc_mass, file);
        put_real(point->distinct, file);
        put_count(point->expected_n, file);
        put_real(point->expected_states, file);
        put_real(point->expected_arcs, file);
        put_real(point->observed_states, file);
        put_real(point->observed_arcs, file);
        fputc('\n', file);
    }
}

static void growth_rows(const struct cor_arm_coverage *arm, const struct cor_ep_coverage *ep, FILE *file) {
    curve_rows(arm, ep, "cases", &ep->cases, file);
    curve_rows(arm, ep, "sequences", &ep->sequences, file);
    curve_rows(arm, ep, "suites", &ep->suites, file);
}

/* What was taken, and what could be. */
static void matrix_rows(const struct cor_arm_coverage *arm, const struct cor_ep_coverage *ep, FILE *file) {
    for (uint32_t c = 0; c < ep->states * ep->states; c++) {
        double probability = ep->probability ? ep->probability[c] : NAN;
        if (ep->taken[c] == 0 && !(probability > 0))
            continue;
        begin_row(arm, ep->name, file);
        put_count(c / ep->states, file);
        put_count(c % ep->states, file);
        put_count(ep->taken[c], file);
        put_real(probability, file);
        fputc('\n', file);
    }
}

static void missed_rows(const struct cor_arm_coverage *arm, const struct cor_ep_coverage *ep, FILE *file) {
    for (size_t m = 0; m < ep->missed_count; m++) {
        const struct cor_missed *missed = &ep->missed[m];
        begin_row(arm, ep->name, file);
        if (missed->suite >= 0)
            fprintf(file, ",%u,%" PRId64 ",%u", missed->arm, missed->suite, missed->profile);
        else
            fputs(",,,", file);
        fprintf(file, ",%u,%u", missed->from, missed->to);
        put_real(missed->probability, file);
        put_real(missed->expected, file);
        put_real(missed->chance, file);
        fputc('\n', file);
    }
}

typedef void put_ep_rows(const struct cor_arm_coverage *arm, const struct cor_ep_coverage *ep, FILE *file);

static void ep_rows(const struct cor_arm_coverage *arm, bool with_all, put_ep_rows *put, FILE *file) {
    for (size_t i = with_all ? 0 : 1; i < arm->ep_count; i++)
        put(arm, arm->ep[i], file);
}

static void pair_rows(const struct cor_arm_coverage *arm, FILE *file) {
    const struct cor_pair_coverage *pairs = &arm->pairs;
    const struct {
        const char *level, *measure;
        const struct cor_covered *covered;
    } rows[] = {
        {"sequence", "pairs", &pairs->sequence},
        {"suite", "pairs", &pairs->suite},
        {"sequence", "pair_mass", &pairs->sequence_mass},
        {"suite", "pair_mass", &pairs->suite_mass},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin_row(arm, rows[i].level, file);
        fprintf(file, ",%s", rows[i].measure);
        put_covered(rows[i].covered, file);
    }
}

static void parameter_rows(const struct cor_arm_coverage *arm, FILE *file) {
    for (size_t i = 0; i < arm->parameter_count; i++) {
        const struct cor_parameter_coverage *parameter = &arm->parameter[i];
        bool each = parameter->whole && parameter->max - parameter->min < parameter->bins;
        for (uint32_t b = 0; b < parameter->bins; b++) {
            double low = (double)b / parameter->bins, high = (b + 1.0) / parameter->bins;
            begin_row(arm, parameter->name, file);
            put_count(parameter->n, file);
            put_real(parameter->min, file);
            put_real(parameter->median, file);
            put_real(parameter->max, file);
            put_count(b, file);
            put_real(each ? parameter->min + b : parameter->min * (1 - low) + parameter->max * low, file);
            put_real(each ? parameter->min + b : parameter->min * (1 - high) + parameter->max * high, file);
            put_count(parameter->bin[b], file);
            fputc('\n', file);
        }
    }
}

static void probe_rows(const struct cor_arm_coverage *arm, FILE *file) {
    for (size_t i = 0; i < arm->probe_count; i++) {
        begin_row(arm, arm->probe[i].name, file);
        put_count(arm->probe[i].bucket, file);
        put_count(arm->probe[i].count, file);
        put_count(arm->probe[i].suites, file);
        fputc('\n', file);
    }
}

static void arm_rows(const struct cor_arm_coverage *arm, enum cor_coverage_table table, FILE *file) {
    switch (table) {
    case COR_COVERAGE_TABLE_COVERED:
        ep_rows(arm, true, covered_rows, file);
        break;
    case COR_COVERAGE_TABLE_UNSEEN:
        ep_rows(arm, true, unseen_rows, file);
        break;
    case COR_COVERAGE_TABLE_GROWTH:
        ep_rows(arm, true, growth_rows, file);
        break;
    case COR_COVERAGE_TABLE_MATRIX:
        ep_rows(arm, false, matrix_rows, file);
        break;
    case COR_COVERAGE_TABLE_MISSED:
        ep_rows(arm, false, missed_rows, file);
        break;
    case COR_COVERAGE_TABLE_PAIRS:
        pair_rows(arm, file);
        break;
    case COR_COVERAGE_TABLE_PARAMETERS:
        parameter_rows(arm, file);
        break;
    case COR_COVERAGE_TABLE_PROBES:
        probe_rows(arm, file);
        break;
    case COR_COVERAGE_TABLE_COUNT:
        break;
    }
}

enum cor_status cor_coverage_csv(const struct cor_coverage *coverage, enum cor_coverage_table table,
                                 FILE *file, struct cor_error *error) {
    static const char *const columns[] = {
#define COLUMNS(NAME, id, columns) columns,
        COR_COVERAGE_TABLES(COLUMNS)
#undef COLUMNS
    };
    fprintf(file, "%s\n", columns[table]);
    for (size_t a = 0; a < coverage->arm_count; a++)
        arm_rows(&coverage->arm[a], table, file);
    return cor_stream_status(file, error);
}
