/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must hold in any result file. Nothing is repaired: what is broken is counted and said. */
#include "measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const struct {
    const char *id, *sentence;
} identities[] = {
#define COR_IDENTITY(NAME, id, sentence) {id, sentence},
    COR_IDENTITIES(COR_IDENTITY)
#undef COR_IDENTITY
};

const char *cor_identity_id(enum cor_identity identity) {
    COR_ASSERT(identity < COR_IDENTITY_COUNT);
    return identities[identity].id;
}

const char *cor_identity_sentence(enum cor_identity identity) {
    COR_ASSERT(identity < COR_IDENTITY_COUNT);
    return identities[identity].sentence;
}

/* One thing that identity is about. */
static void check(struct cor_arm_measurement *arm, enum cor_identity identity, bool holds, uint32_t suite,
                  uint32_t sequence) {
    struct cor_identity_tally *tally = &arm->identity[identity];
    tally->checked++;
    if (!holds && tally->broken++ == 0)
        snprintf(tally->values, sizeof tally->values, "first in suite %" PRIu32 ", sequence %" PRIu32, suite,
                 sequence);
}

static bool counted(uint8_t verdict, uint32_t violations) {
    return (verdict == COR_VERDICT_FAILED) == (violations > 0);
}

static void check_reorganization(struct cor_arm_measurement *arm, const struct cor_reorganization_row *row) {
    bool nested = (row->fault_activated == 0 || row->fault_held > 0) &&
                  (row->fault_held == 0 || row->fault_reached > 0);
    check(arm, COR_IDENTITY_FAULT_NESTED, nested, row->suite, row->sequence);
    check(arm, COR_IDENTITY_VERDICTS_COUNTED,
          counted(row->gray, row->gray_violations) && counted(row->black, row->black_violations), row->suite,
          row->sequence);
    if (cor_is_detection(row->black))
        check(arm, COR_IDENTITY_BLACK_ALSO_GRAY,
              cor_is_detection(row->gray) || row->adoption_fault > 0 || row->own_moves, row->suite,
              row->sequence);
}

/* Without an alarm the oracle need not look; at the edge either answer is right. */
static bool alarm_is_judged(const struct cor_case_row *row) {
    bool contradicts = row->inside == (row->alarm ? COR_INSIDE_INSIDE : COR_INSIDE_OUTSIDE);
    if (row->inside == COR_INSIDE_NOT_LOOKED || row->inside == 0)
        return !row->alarm && row->detect == COR_VERDICT_NOT_JUDGED;
    return row->detect == (contradicts ? COR_VERDICT_FAILED : COR_VERDICT_PASSED);
}

static bool alarms_are_judged(const struct cor_sequence_rows *s) {
    for (size_t c = 0; c < s->case_count; c++)
        if (!alarm_is_judged(&s->cases[c]))
            return false;
    return true;
}

/* Cases marked as reorganized, and reorganizations, with the same verdicts. */
static bool cases_match(const struct cor_sequence_rows *s) {
    size_t r = 0;
    for (size_t c = 0; c < s->case_count; c++) {
        const struct cor_case_row *row = &s->cases[c];
        if (!row->reorganized)
            continue;
        const struct cor_reorganization_row *run =
            r < s->reorganization_count ? &s->reorganizations[r++] : NULL;
        if (!run || run->case_ != row->case_ || run->gray != row->gray || run->black != row->black)
            return false;
    }
    return r == s->reorganization_count;
}

static void check_sequence(struct cor_arm_measurement *arm, const struct cor_sequence_rows *s, uint32_t suite,
                           uint32_t number) {
    uint32_t cases = s->row ? s->row->cases : 0, executed = s->row ? s->row->executed : 0;
    uint32_t black = 0, last_black = 0, to_keep = 0;
    for (size_t r = 0; r < s->reorganization_count; r++) {
        const struct cor_reorganization_row *row = &s->reorganizations[r];
        check_reorganization(arm, row);
        black += cor_is_detection(row->black);
        last_black = cor_is_detection(row->black) ? row->case_ : last_black;
        to_keep += cor_is_activated(row) || cor_is_detected(row);
    }
    check(arm, COR_IDENTITY_SEQUENCES_COMPLETE, s->row, suite, number);
    check(arm, COR_IDENTITY_CASES_COMPLETE, s->case_count == executed && executed <= cases, suite, number);
    check(arm, COR_IDENTITY_REORGANIZATIONS_COMPLETE, cases_match(s), suite, number);
    check(arm, COR_IDENTITY_ALARM_JUDGED, alarms_are_judged(s), suite, number);
    check(arm, COR_IDENTITY_FAILURES_KEPT, s->failure_count >= to_keep, suite, number);
    check(arm, COR_IDENTITY_BLACK_ONCE, black <= 1, suite, number);
    if (executed < cases)
        check(arm, COR_IDENTITY_STOPPED_BY_BLACK, last_black == executed && executed > 0, suite, number);
}

static bool suite_is_counted(const struct cor_suite_rows *suite) {
    const struct cor_group_row *group = suite->table[COR_TABLE_GROUPS].row;
    size_t groups = suite->table[COR_TABLE_GROUPS].count;
    uint64_t agents = 0;
    for (size_t g = 0; g < groups; g++)
        agents += group[g].size;
    return groups == suite->row.groups && agents == suite->row.agents &&
           suite->table[COR_TABLE_CHAINS].count == suite->row.chains;
}

void cor__check_suite(struct cor__suite_work *work, const struct cor__walker *walker) {
    const struct cor_suite_rows *suite = work->suite;
    size_t chains = suite->table[COR_TABLE_CHAINS].count, wrong, profiles;
    const struct cor_visit_row *visit = suite->table[COR_TABLE_VISITS].row;
    const struct cor_transition_row *transition = suite->table[COR_TABLE_TRANSITIONS].row;
    uint64_t steps = 0, starts = 0, visits = 0, transitions = 0;
    for (uint32_t s = 0; s < suite->row.sequences; s++) {
        const struct cor_sequence_row *row = suite->sequence[s].row;
        check_sequence(work->arm, &suite->sequence[s], suite->row.suite, s);
        steps += row ? (uint64_t)row->cases * chains : 0;
        starts += row ? chains : 0;
    }
    for (size_t v = 0; v < suite->table[COR_TABLE_VISITS].count; v++)
        visits += visit[v].count;
    for (size_t t = 0; t < suite->table[COR_TABLE_TRANSITIONS].count; t++)
        transitions += transition[t].count;
    check(work->arm, COR_IDENTITY_SUITES_COUNTED, suite_is_counted(suite), suite->row.suite, 0);
    check(work->arm, COR_IDENTITY_VISITS_ADD_UP, visits == steps + starts && transitions == steps,
          suite->row.suite, 0);
    cor__walker_arcs(walker, &wrong, &profiles);
    for (size_t p = 0; p < profiles; p++)
        check(work->arm, COR_IDENTITY_ARCS_LISTED, p >= wrong, suite->row.suite, 0);
}

/* An identity between figures of an arm, with the figures. */
COR_PRINTF(4, 5)
static void check_figures(struct cor_arm_measurement *arm, enum cor_identity identity, bool holds,
                          const char *format, ...) {
    struct cor_identity_tally *tally = &arm->identity[identity];
    va_list arguments;
    check(arm, identity, holds, 0, 0);
    va_start(arguments, format);
    vsnprintf(tally->values, sizeof tally->values, format, arguments);
    va_end(arguments);
}

/* The figure of a metric without its interval, 0 where there is none. */
static double figure(const struct cor_arm_measurement *arm, enum cor_metric metric) {
    return arm->moments[metric].n > 0 ? arm->moments[metric].mean : 0;
}

void cor__check_arm(struct cor_arm_measurement *arm) {
    const struct cor_tally *tally = &arm->tally;
    check_figures(arm, COR_IDENTITY_BLACK_AT_MOST_FAILING, tally->black <= arm->sequences_detected,
                  "%" PRIu64 " detections, %" PRIu64 " sequences", tally->black, arm->sequences_detected);
    if (arm->sequences > 0) {
        double quotient = (double)arm->failures / (double)arm->sequences,
               mean = figure(arm, COR_METRIC_FAILURES);
        check_figures(arm, COR_IDENTITY_FAILURES_PER_SEQUENCE, fabs(quotient - mean) <= 1e-9 * (1 + quotient),
                      "%" PRIu64 " / %" PRIu64 " = %.6g, mean %.6g", arm->failures, arm->sequences, quotient,
                      mean);
    }
    if (arm->failures > 0) {
        double undetected = figure(arm, COR_METRIC_UNDETECTED), gray = figure(arm, COR_METRIC_DETECTED_GRAY),
               aside = 100.0 * (double)tally->activated_black_only_aside / (double)arm->failures;
        check_figures(arm, COR_IDENTITY_UNDETECTED_PLUS_GRAY, fabs(undetected + gray + aside - 100) <= 1e-6,
                      "%.4f + %.4f + %.4f (adoption alone)", undetected, gray, aside);
    }
    if (arm->sequences_detected > 0) {
        uint64_t sum = arm->sequences_gray_only + arm->sequences_black_only + arm->sequences_both;
        double shares = figure(arm, COR_METRIC_GRAY_ONLY) + figure(arm, COR_METRIC_BLACK_ONLY);
        check_figures(arm, COR_IDENTITY_ONLY_SHARES, sum == arm->sequences_detected && shares <= 100 + 1e-6,
                      "%" PRIu64 " + %" PRIu64 " + %" PRIu64 " of %" PRIu64, arm->sequences_gray_only,
                      arm->sequences_black_only, arm->sequences_both, arm->sequences_detected);
    }
}

size_t cor_measurement_broken(const struct cor_measurement *measurement) {
    size_t broken = 0;
    for (int i = 0; i < COR_IDENTITY_COUNT; i++) {
        bool holds = true;
        for (size_t a = 0; a < measurement->arm_count; a++)
            holds = holds && measurement->arm[a].identity[i].broken == 0;
        broken += !holds;
    }
    return broken;
}
