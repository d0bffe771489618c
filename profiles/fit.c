/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/fit.h>

#include "fit_parts.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX, RAW_MOST = 24 * COR_PROFILE_STATES_MAX };

struct cor_fit_def cor_default_fit(void) {
    return (struct cor_fit_def){.hours = 1, .season = 24};
}

void cor_fit_destroy(struct cor_fit *fit) {
    if (!fit)
        return;
    cor_profile_destroy(fit->profile);
    free(fit->file);
    free(fit->column);
    free(fit->command);
    free(fit->states);
    free(fit->transitions);
    free(fit->remarks);
    free(fit);
}

/* Block and level in one number. */
static uint32_t raw_state(const struct cor_fit *fit, const struct cor_series *series, size_t index) {
    uint32_t block = fit->block_count > 1 ? series->hours[index] * fit->block_count / 24 : 0;
    return block * (fit->cut_count + 1) + cor__fit_level(fit, series->values[index]);
}

/* The states that were seen, in raw order; state_of[raw] is their index. */
static enum cor_status find_states(struct cor_fit *fit, const struct cor_series *series, uint8_t *state_of,
                                   struct cor_error *error) {
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
    if (!fit->states)
        return cor_fail_memory(error);
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
    return COR_OK;
}

/* Values and transitions per state; a transition never crosses from one segment into the next. */
static enum cor_status count(struct cor_fit *fit, const struct cor_series *series, const uint8_t *sequence,
                             struct cor_error *error) {
    fit->transitions = cor_calloc((size_t)fit->state_count * fit->state_count, sizeof *fit->transitions);
    if (!fit->transitions)
        return cor_fail_memory(error);
    for (size_t i = 0; i < series->value_count; i++)
        fit->states[sequence[i]].count++;
    for (size_t s = 0; s < series->segment_count; s++) {
        for (size_t i = series->starts[s] + 1; i < series->starts[s + 1]; i++) {
            fit->transitions[sequence[i - 1] * fit->state_count + sequence[i]]++;
            fit->states[sequence[i - 1]].left_count++;
            fit->transition_count++;
        }
    }
    return COR_OK;
}

/* Maximum likelihood: shares of the transitions out of a state. A state that nothing ever followed (it is the
 * last value) goes on as if the series began anew: to any state, by its share of all values. */
static void estimate(const struct cor_fit *fit, uint32_t from, double *row) {
    for (uint32_t to = 0; to < fit->state_count; to++) {
        uint64_t left = fit->states[from].left_count;
        if (left > 0)
            row[to] = (double)fit->transitions[from * fit->state_count + to] / (double)left;
        else
            row[to] = (double)fit->states[to].count / (double)fit->value_count;
    }
}

static enum cor_status make_profile(struct cor_fit *fit, const char *name, struct cor_error *error) {
    char names[MOST][COR_PROFILE_NAME_MAX + 1];
    const char *name_of[MOST];
    double *probability = cor_calloc((size_t)fit->state_count * fit->state_count, sizeof *probability);
    int digits = cor__fit_digits(fit);
    if (!probability)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < fit->state_count; i++) {
        cor__fit_state_name(fit, fit->states[i].block, fit->states[i].level, digits, names[i],
                            sizeof names[i]);
        name_of[i] = names[i];
        estimate(fit, i, probability + (size_t)i * fit->state_count);
    }
    enum cor_status status =
        cor_profile_create(name, fit->state_count, name_of, probability, NULL, &fit->profile, error);
    free(probability);
    return status;
}

static enum cor_status begin(struct cor_fit *fit, const struct cor_series *series,
                             const struct cor_fit_def *def, struct cor_error *error) {
    fit->file = cor_strdup(series->file);
    fit->column = cor_strdup(series->column);
    fit->command = cor_strdup(def->command);
    fit->value_count = series->value_count;
    fit->segment_count = series->segment_count;
    fit->gap_count = series->gap_count;
    fit->irregular_count = series->irregular_count;
    return fit->file && fit->column && (fit->command || !def->command) ? COR_OK : cor_fail_memory(error);
}

enum cor_status cor_fit_create(const struct cor_series *series, const struct cor_fit_def *def,
                               struct cor_fit **fit, struct cor_error *error) {
    uint8_t state_of[RAW_MOST] = {0};
    enum cor_status status = COR_OK;
    struct cor_fit *made = cor_calloc(1, sizeof *made);
    uint8_t *sequence = cor_calloc(series->value_count, 1);
    *fit = NULL;
    if (!made || !sequence) {
        status = cor_fail_memory(error);
        goto out;
    }
    if ((status = begin(made, series, def, error)) != COR_OK ||
        (status = cor__fit_levels(made, series, def, error)) != COR_OK ||
        (status = find_states(made, series, state_of, error)) != COR_OK)
        goto out;
    for (size_t i = 0; i < series->value_count; i++)
        sequence[i] = state_of[raw_state(made, series, i)];
    if ((status = count(made, series, sequence, error)) != COR_OK ||
        (status = make_profile(made, def->name ? def->name : series->column, error)) != COR_OK ||
        (status = cor__fit_figures(made, series, sequence, def->season, error)) != COR_OK ||
        (status = cor__fit_remarks(made, series->hours != NULL, error)) != COR_OK)
        goto out;
    *fit = made;
    made = NULL;
out:
    cor_fit_destroy(made);
    free(sequence);
    return status;
}
