/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From values to states: levels by quantiles or cut points, within the part of the day. */
#include "../internal.h"

#include <corridor/array.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX, RAW_MOST = 24 * COR_PROFILE_STATES_MAX };

static enum cor_status check_def(const struct cor_series *series, const struct cor_fit_def *def,
                                 struct cor_error *error) {
    const char *file = series->file;
    if ((def->states > 0) == (def->cut_count > 0))
        return cor_fail(error, COR_STATUS_INPUT, file,
                        "say a number of states (--states) or cut points (--cuts)",
                        def->states > 0 ? "both a number of states and cut points are given"
                                        : "neither a number of states nor cut points are given");
    if (def->states == 1 || def->states > COR_PROFILE_STATES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, file, "use 2 .. 64 states", "%u states cannot be fitted",
                        def->states);
    if (def->cut_count > COR_PROFILE_STATES_MAX - 1)
        return cor_fail(error, COR_STATUS_INPUT, file, "use 1 .. 63 cut points", "there are %u cut points",
                        def->cut_count);
    if (def->hours < 1 || def->hours > 24 || 24 % def->hours != 0)
        return cor_fail(error, COR_STATUS_INPUT, file, "use 1, 2, 3, 4, 6, 8, 12 or 24",
                        "the day cannot be divided into %u equal parts of whole hours", def->hours);
    if (def->hours > 1 && !series->hours)
        return cor_fail(error, COR_STATUS_INPUT, file,
                        "name a column that holds times of day (--time-column)",
                        "the state cannot have a part of the day: the hours are not known");
    if (def->season > COR_FIT_SEASON_MAX)
        return cor_fail(error, COR_STATUS_INPUT, file, "use a season of 1 .. 10000 steps",
                        "a season of %u steps", def->season);
    return COR_OK;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Cut k of K is value number k n / K in ascending order, so that the levels hold as nearly equally many
 * values as ties let them. */
static enum cor_status take_quantiles(struct cor_fit *fit, const struct cor_series *series, uint32_t states,
                                      struct cor_error *error) {
    size_t count = series->value_count;
    double *sorted = cor_calloc(count, sizeof *sorted);
    COR_TRY(cor_made(sorted, error));
    for (size_t i = 0; i < count; i++)
        sorted[i] = series->values[i] + 0.0; /* -0 becomes 0: equal values have equal bits */
    qsort(sorted, count, sizeof *sorted, compare);
    enum cor_status status = COR_OK;
    double before = sorted[0];
    for (uint32_t k = 1; k < states; k++) {
        double cut = sorted[count * k / states];
        if (!(cut > before)) {
            /* A cut that is not above the one before it leaves a level without values. */
            size_t equal = 0, distinct = 1;
            for (size_t i = 0; i < series->value_count; i++) {
                equal += sorted[i] >= cut && sorted[i] <= cut;
                distinct += i > 0 && sorted[i] > sorted[i - 1];
            }
            if (distinct < states)
                COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, series->file, "use fewer states",
                                     "column \"%s\" has %zu distinct values, too few for %u states",
                                     series->column, distinct, states));
            COR_TRY_OUT(cor_fail(
                error, COR_STATUS_INPUT, series->file, "use fewer states, or choose cut points (--cuts)",
                "%u quantiles of column \"%s\" do not differ: %.3g %% of its values are %.10g", states,
                series->column, 100.0 * (double)equal / (double)series->value_count, cut));
        }
        fit->cuts[fit->cut_count++] = cut;
        before = cut;
    }
out:
    free(sorted);
    return status;
}

static bool is_constant(const struct cor_series *series) {
    for (size_t i = 1; i < series->value_count; i++)
        if (series->values[i] < series->values[0] || series->values[i] > series->values[0])
            return false;
    return true;
}

static enum cor_status choose_levels(struct cor_fit *fit, const struct cor_series *series,
                                     const struct cor_fit_def *def, struct cor_error *error) {
    COR_TRY(check_def(series, def, error));
    if (series->value_count == series->segment_count)
        return cor_fail(error, COR_STATUS_INPUT, series->file,
                        "give a series of at least two values in a row",
                        "column \"%s\" has no value that follows another", series->column);
    if (is_constant(series))
        return cor_fail(error, COR_STATUS_INPUT, series->file, "choose a column that changes",
                        "every value of column \"%s\" is %.10g", series->column, series->values[0]);
    fit->block_count = def->hours;
    fit->by_quantiles = def->states > 0;
    if (fit->by_quantiles)
        return take_quantiles(fit, series, def->states, error);
    for (uint32_t i = 0; i < def->cut_count; i++) {
        if (!isfinite(def->cuts[i]))
            return cor_fail(error, COR_STATUS_INPUT, series->file, "use finite numbers", "cut point %u is %g",
                            i + 1, def->cuts[i]);
        if (i > 0 && !(def->cuts[i] > def->cuts[i - 1]))
            return cor_fail(error, COR_STATUS_INPUT, series->file, "list the cut points in ascending order",
                            "cut point %.10g follows %.10g", def->cuts[i], def->cuts[i - 1]);
        fit->cuts[i] = def->cuts[i];
    }
    fit->cut_count = def->cut_count;
    return COR_OK;
}

/* Block and level in one number. */
static uint32_t raw_state(const struct cor_fit *fit, const struct cor_series *series, size_t index) {
    uint32_t block = fit->block_count > 1 ? series->hours[index] * fit->block_count / 24 : 0;
    /* The level of a value: how many cuts are not above it. */
    uint32_t level = 0;
    while (level < fit->cut_count && fit->cuts[level] <= series->values[index])
        level++;
    return block * (fit->cut_count + 1) + level;
}

enum cor_status profiles__fit_discretize(struct cor_fit *fit, const struct cor_series *series,
                                         const struct cor_fit_def *def, uint8_t *sequence,
                                         struct cor_error *error) {
    uint8_t state_of[RAW_MOST] = {0};
    COR_TRY(choose_levels(fit, series, def, error));
    COR_ASSERT(fit->block_count >= 1 && fit->block_count <= 24 && fit->cut_count < MOST);
    /* The states that were seen, in raw order; state_of[raw] is their index. */
    bool seen[RAW_MOST] = {false};
    uint32_t raw_count = fit->block_count * (fit->cut_count + 1);
    for (size_t i = 0; i < series->value_count; i++)
        seen[raw_state(fit, series, i)] = true;
    for (uint32_t raw = 0; raw < raw_count; raw++)
        fit->state_count += seen[raw];
    if (fit->state_count < 2)
        return cor_fail(error, COR_STATUS_INPUT, series->file,
                        "choose cut points between its least and its greatest value",
                        "all values of column \"%s\" are in one state", series->column);
    if (fit->state_count > MOST)
        return cor_fail(error, COR_STATUS_INPUT, series->file, "use fewer levels or fewer parts of the day",
                        "%u states occur, at most 64 are allowed", fit->state_count);
    fit->states = cor_calloc(fit->state_count, sizeof *fit->states);
    COR_TRY(cor_made(fit->states, error));
    for (uint32_t raw = 0, index = 0; raw < raw_count; raw++) {
        if (!seen[raw])
            continue;
        uint32_t level = raw % (fit->cut_count + 1);
        fit->states[index].block = raw / (fit->cut_count + 1);
        fit->states[index].level = level;
        fit->states[index].low = level > 0 ? fit->cuts[level - 1] : -(double)INFINITY;
        fit->states[index].high = level < fit->cut_count ? fit->cuts[level] : (double)INFINITY;
        state_of[raw] = (uint8_t)index++;
    }
    for (size_t i = 0; i < series->value_count; i++)
        sequence[i] = state_of[raw_state(fit, series, i)];
    return COR_OK;
}

/* Digits that tell the cuts apart, at least 4. */
static int digits_of(const struct cor_fit *fit) {
    for (int digits = 4; digits < 17; digits++) {
        bool differ = true;
        for (uint32_t i = 1; i < fit->cut_count && differ; i++) {
            char one[40], other[40];
            snprintf(one, sizeof one, "%.*g", digits, fit->cuts[i - 1]);
            snprintf(other, sizeof other, "%.*g", digits, fit->cuts[i]);
            differ = strcmp(one, other) != 0;
        }
        if (differ)
            return digits;
    }
    return 17;
}

void profiles__fit_state_names(const struct cor_fit *fit, char names[][COR_PROFILE_NAME_MAX + 1]) {
    uint32_t hours = 24 / fit->block_count;
    int digits = digits_of(fit);
    for (uint32_t i = 0; i < fit->state_count; i++) {
        const struct cor_fit_state *state = &fit->states[i];
        size_t size = sizeof names[i];
        char part[16] = "";
        if (fit->block_count == 24)
            snprintf(part, sizeof part, "h%02u_", state->block);
        else if (fit->block_count > 1)
            snprintf(part, sizeof part, "h%02u-%02u_", state->block * hours,
                     state->block * hours + hours - 1);
        if (state->level == 0)
            snprintf(names[i], size, "%sbelow_%.*g", part, digits, state->high);
        else if (state->level == fit->cut_count)
            snprintf(names[i], size, "%sfrom_%.*g", part, digits, state->low);
        else
            snprintf(names[i], size, "%s%.*g_to_%.*g", part, digits, state->low, digits, state->high);
    }
}
