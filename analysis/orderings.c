/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the paper's tables show beyond single figures. Only arms that are columns of the paper take part. */
#include "suite.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Appends to the figures behind an ordering. */
static void COR_PRINTF(2, 3) say(struct cor_ordering_result *result, const char *format, ...) {
    size_t used = strlen(result->values);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->values + used, sizeof result->values - used, format, arguments);
    va_end(arguments);
}

static const char *comma(const struct cor_ordering_result *result) {
    return result->values[0] ? ", " : "";
}

/* The arm that is that column of the paper, if it ran. */
static const struct cor_arm_tables *find(const struct cor_tables *tables, const char *name) {
    for (size_t a = 0; a < tables->arm_count; a++)
        if (strcmp(tables->arm[a].name, name) == 0 && tables->arm[a].sequences > 0)
            return &tables->arm[a];
    return NULL;
}

static bool takes_part(const struct cor_arm_tables *arm, const char *algorithm) {
    return arm->published && arm->sequences > 0 && strncmp(arm->name, algorithm, strlen(algorithm)) == 0;
}

static void every_fault_found(const struct cor_tables *tables, struct cor_ordering_result *result) {
    result->holds = true;
    for (size_t a = 0; a < tables->arm_count; a++) {
        const struct cor_arm_tables *arm = &tables->arm[a];
        if (!takes_part(arm, ""))
            continue;
        result->available = true;
        result->holds = result->holds && arm->sequences_detected > 0;
        say(result, "%s%s %llu", comma(result), arm->name, (unsigned long long)arm->sequences_detected);
    }
    say(result, " sequences with a detection");
}

static void gray_at_least_black(const struct cor_tables *tables, struct cor_ordering_result *result) {
    result->holds = true;
    for (size_t a = 0; a < tables->arm_count; a++) {
        const struct cor_arm_tables *arm = &tables->arm[a];
        if (!takes_part(arm, ""))
            continue;
        result->available = true;
        result->holds = result->holds && arm->caught.activated_gray >= arm->caught.activated_black;
        say(result, "%s%s %llu:%llu", comma(result), arm->name,
            (unsigned long long)arm->caught.activated_gray, (unsigned long long)arm->caught.activated_black);
    }
}

static void spada_black_none(const struct cor_tables *tables, struct cor_ordering_result *result) {
    result->holds = true;
    for (size_t a = 0; a < tables->arm_count; a++) {
        const struct cor_arm_tables *arm = &tables->arm[a];
        if (!takes_part(arm, "SPADA"))
            continue;
        result->available = true;
        result->holds = result->holds && arm->caught.black == 0;
        say(result, "%s%s %llu", comma(result), arm->name, (unsigned long long)arm->caught.black);
    }
}

static void psopp_masking(const struct cor_tables *tables, struct cor_ordering_result *result) {
    result->holds = true;
    for (size_t a = 0; a < tables->arm_count; a++) {
        const struct cor_arm_tables *arm = &tables->arm[a];
        if (!takes_part(arm, "PSOPP") || arm->failures == 0)
            continue;
        result->available = true;
        result->holds = result->holds && arm->caught.masked > 0;
        say(result, "%s%s %.1f %%", comma(result), arm->name, arm->figure[COR_METRIC_UNDETECTED].mean);
    }
}

/* Whether `chosen` has the greatest (sign 1) or least (sign -1) mean of a metric among PSOPP-F1 to F5; ties
 * do not count. */
static void extreme(const struct cor_tables *tables, const char *chosen, enum cor_metric metric, int sign,
                    struct cor_ordering_result *result) {
    static const char *const names[] = {"PSOPP-F1", "PSOPP-F2", "PSOPP-F3", "PSOPP-F4", "PSOPP-F5"};
    const struct cor_arm_tables *arm = find(tables, chosen);
    double own = arm ? arm->figure[metric].mean : (double)NAN;
    result->holds = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct cor_arm_tables *other = find(tables, names[i]);
        double mean = other ? other->figure[metric].mean : (double)NAN;
        if (isnan(mean))
            continue;
        say(result, "%s%s %.4g", comma(result), names[i], mean);
        if (other == arm || isnan(own))
            continue;
        result->available = true;
        result->holds = result->holds && (own - mean) * sign > 0;
    }
}

static void f5d_above_f5(const struct cor_tables *tables, struct cor_ordering_result *result) {
    const struct cor_arm_tables *f5 = find(tables, "PSOPP-F5"), *f5d = find(tables, "PSOPP-F5d");
    if (!f5 || !f5d)
        return;
    const struct cor_figure *many = &f5->figure[COR_METRIC_WITHOUT_ACTIVATED],
                            *few = &f5d->figure[COR_METRIC_WITHOUT_ACTIVATED];
    double rare = f5->figure[COR_METRIC_FAILURES].mean, often = f5d->figure[COR_METRIC_FAILURES].mean;
    result->available = many->interval != COR_INTERVAL_NONE && few->interval != COR_INTERVAL_NONE;
    result->holds = few->high < many->low;
    say(result, "without failure %.2f [%.2f; %.2f] against %.2f [%.2f; %.2f] %%", few->mean, few->low,
        few->high, many->mean, many->low, many->high);
    say(result, ", failures per sequence %.4g against %.4g", often, rare);
    if (rare > 0)
        say(result, ": x %.3g (paper x 23.5)", often / rare);
}

void cor__find_orderings(struct cor_tables *tables) {
    struct cor_ordering_result *ordering = tables->ordering;
    every_fault_found(tables, &ordering[COR_ORDERING_EVERY_FAULT_FOUND]);
    gray_at_least_black(tables, &ordering[COR_ORDERING_GRAY_AT_LEAST_BLACK]);
    spada_black_none(tables, &ordering[COR_ORDERING_SPADA_BLACK_NONE]);
    psopp_masking(tables, &ordering[COR_ORDERING_PSOPP_MASKING]);
    extreme(tables, "PSOPP-F4", COR_METRIC_UNDETECTED, 1, &ordering[COR_ORDERING_F4_MASKED_MOST]);
    extreme(tables, "PSOPP-F5", COR_METRIC_FAILURES, -1, &ordering[COR_ORDERING_F5_RAREST]);
    f5d_above_f5(tables, &ordering[COR_ORDERING_F5D_ABOVE_F5]);
    for (int i = 0; i < COR_ORDERING_COUNT; i++)
        ordering[i].holds = ordering[i].holds && ordering[i].available;
}
