/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must hold between the figures of an arm (rows: identities.h). Nothing is repaired: what is broken is
 * counted and said. */
#include "measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* One thing that identity is about. */
static void check(struct cor_arm_measurement *arm, enum cor_identity identity, bool holds) {
    arm->identity[identity].checked++;
    arm->identity[identity].broken += !holds;
}

/* An identity between figures of an arm, with the figures. */
COR_PRINTF(4, 5)
static void check_figures(struct cor_arm_measurement *arm, enum cor_identity identity, bool holds,
                          const char *format, ...) {
    struct cor_identity_tally *tally = &arm->identity[identity];
    va_list arguments;
    check(arm, identity, holds);
    va_start(arguments, format);
    vsnprintf(tally->values, sizeof tally->values, format, arguments);
    va_end(arguments);
}

/* The figure of a metric without its interval, 0 where there is none. */
static double figure(const struct cor_arm_measurement *arm, enum cor_metric metric) {
    return arm->moments[metric].n > 0 ? arm->moments[metric].mean : 0;
}

void measure__check_arm(struct cor_arm_measurement *arm) {
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
