/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must hold in any result file. The tables do not repair what is broken, they say so. */
#include "suite.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

void cor__check(struct cor_arm_tables *arm, enum cor_identity identity, bool holds, uint32_t suite,
                uint32_t sequence) {
    struct cor_identity_tally *tally = &arm->identity[identity];
    tally->checked++;
    if (!holds && tally->broken++ == 0)
        snprintf(tally->values, sizeof tally->values, "first in suite %" PRIu32 ", sequence %" PRIu32, suite,
                 sequence);
}

static void check_sequence(struct cor_arm_tables *arm, const struct cor__sequence *s, uint32_t suite,
                           uint32_t number) {
    cor__check(arm, COR_IDENTITY_CASES_COMPLETE, s->case_rows == s->executed && s->executed <= s->cases,
               suite, number);
    cor__check(arm, COR_IDENTITY_REORGANIZATIONS_COMPLETE, s->case_print == s->reorganization_print, suite,
               number);
    cor__check(arm, COR_IDENTITY_FAILURES_KEPT, s->kept >= s->to_keep, suite, number);
    cor__check(arm, COR_IDENTITY_BLACK_ONCE, s->black <= 1, suite, number);
    if (s->executed < s->cases)
        cor__check(arm, COR_IDENTITY_STOPPED_BY_BLACK, s->last_black == s->executed && s->executed > 0, suite,
                   number);
}

void cor__check_suite(const struct cor__suite_reader *reader) {
    const struct cor__environment *environment = &reader->environment;
    struct cor_arm_tables *arm = reader->arm;
    uint32_t suite = reader->suite.suite;
    uint64_t steps = 0, starts = 0;
    for (uint32_t s = 0; s < reader->suite.sequences; s++) {
        const struct cor__sequence *sequence = &reader->sequence[s];
        cor__check(arm, COR_IDENTITY_SEQUENCES_COMPLETE, sequence->there, suite, s);
        check_sequence(arm, sequence, suite, s);
        steps += (uint64_t)sequence->cases * environment->chain_count;
        starts += sequence->there ? environment->chain_count : 0;
    }
    cor__check(arm, COR_IDENTITY_VISITS_ADD_UP,
               reader->visits == steps + starts && reader->transitions == steps, suite, 0);
    for (size_t p = 0; p < environment->profile_count; p++)
        cor__check(arm, COR_IDENTITY_ARCS_LISTED,
                   environment->profile[p].arcs == environment->profile[p].listed, suite, 0);
}

/* An identity between two figures of an arm. */
static void check_figures(struct cor_arm_tables *arm, enum cor_identity identity, bool holds,
                          const char *values) {
    cor__check(arm, identity, holds, 0, 0);
    snprintf(arm->identity[identity].values, sizeof arm->identity[identity].values, "%s", values);
}

static void check_black_at_most_failing(struct cor_arm_tables *arm) {
    char values[160];
    snprintf(values, sizeof values, "%" PRIu64 " detections, %" PRIu64 " sequences", arm->caught.black,
             arm->sequences_detected);
    check_figures(arm, COR_IDENTITY_BLACK_AT_MOST_FAILING, arm->caught.black <= arm->sequences_detected,
                  values);
}

static void check_failures_per_sequence(struct cor_arm_tables *arm) {
    char values[160];
    double quotient = (double)arm->failures / (double)arm->sequences,
           mean = arm->figure[COR_METRIC_FAILURES].mean;
    snprintf(values, sizeof values, "%" PRIu64 " / %" PRIu64 " = %.6g, mean %.6g", arm->failures,
             arm->sequences, quotient, mean);
    check_figures(arm, COR_IDENTITY_FAILURES_PER_SEQUENCE, fabs(quotient - mean) <= 1e-9 * (1 + quotient),
                  values);
}

static void check_undetected_plus_gray(struct cor_arm_tables *arm) {
    char values[160];
    double undetected = arm->figure[COR_METRIC_UNDETECTED].mean,
           gray = arm->figure[COR_METRIC_DETECTED_GRAY].mean;
    double aside = 100.0 * (double)arm->caught.activated_black_only_aside / (double)arm->failures;
    snprintf(values, sizeof values, "%.4f + %.4f + %.4f (adoption alone)", undetected, gray, aside);
    check_figures(arm, COR_IDENTITY_UNDETECTED_PLUS_GRAY, fabs(undetected + gray + aside - 100) <= 1e-6,
                  values);
}

static void check_only_shares(struct cor_arm_tables *arm) {
    char values[160];
    uint64_t sum = arm->sequences_gray_only + arm->sequences_black_only + arm->sequences_both;
    double shares = arm->figure[COR_METRIC_GRAY_ONLY].mean + arm->figure[COR_METRIC_BLACK_ONLY].mean;
    snprintf(values, sizeof values, "%" PRIu64 " + %" PRIu64 " + %" PRIu64 " of %" PRIu64,
             arm->sequences_gray_only, arm->sequences_black_only, arm->sequences_both,
             arm->sequences_detected);
    check_figures(arm, COR_IDENTITY_ONLY_SHARES, sum == arm->sequences_detected && shares <= 100 + 1e-6,
                  values);
}

void cor__check_arm(struct cor_arm_tables *arm) {
    check_black_at_most_failing(arm);
    if (arm->sequences > 0)
        check_failures_per_sequence(arm);
    if (arm->failures > 0)
        check_undetected_plus_gray(arm);
    if (arm->sequences_detected > 0)
        check_only_shares(arm);
}

size_t cor_tables_broken(const struct cor_tables *tables) {
    size_t broken = 0;
    for (int i = 0; i < COR_IDENTITY_COUNT; i++)
        for (size_t a = 0; a < tables->arm_count; a++)
            if (tables->arm[a].identity[i].broken > 0) {
                broken++;
                break;
            }
    return broken;
}
