/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting, step by step; and the estimate: transitions are counted and divided (maximum likelihood). */
#include "../internal.h"

#include <corridor/array.h>

#include <stdlib.h>

enum { MOST = COR_PROFILE_STATES_MAX, HOURLY_SEASON = 24 };

const char *const cor_season_words[] = {
    [COR_SEASON_ASKED] = "asked", [COR_SEASON_TIMES] = "time column", [COR_SEASON_DEFAULT] = "default"};

struct cor_fit_def cor_default_fit(void) {
    return (struct cor_fit_def){.hours = 1};
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
    free(fit->notes);
    free(fit);
}

/* Values and transitions per state; a transition never crosses from one segment into the next. */
static enum cor_status count(struct cor_fit *fit, const struct cor_series *series, const uint8_t *sequence,
                             struct cor_error *error) {
    fit->transitions = cor_calloc((size_t)fit->state_count * fit->state_count, sizeof *fit->transitions);
    COR_TRY(cor_made(fit->transitions, error));
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

static enum cor_status make_profile(struct cor_fit *fit, const char *name, struct cor_error *error) {
    char names[MOST][COR_PROFILE_NAME_MAX + 1];
    const char *name_of[MOST];
    double *probability = cor_calloc((size_t)fit->state_count * fit->state_count, sizeof *probability);
    COR_TRY(cor_made(probability, error));
    profiles__fit_state_names(fit, names);
    for (uint32_t i = 0; i < fit->state_count; i++) {
        name_of[i] = names[i];
        /* Maximum likelihood: shares of the transitions out of a state. A state that nothing ever followed
         * (it is the last value) goes on as if the series began anew: to any state, by its share of all
         * values. */
        double *row = probability + (size_t)i * fit->state_count;
        for (uint32_t to = 0; to < fit->state_count; to++) {
            uint64_t left = fit->states[i].left_count;
            if (left > 0)
                row[to] = (double)fit->transitions[i * fit->state_count + to] / (double)left;
            else
                row[to] = (double)fit->states[to].count / (double)fit->value_count;
        }
    }
    enum cor_status status =
        cor_profile_create(name, fit->state_count, name_of, probability, NULL, &fit->profile, error);
    free(probability);
    return status;
}

/* Steps of a day; 0 where they are not whole, or too many for a season. */
static double step_of_day(const struct cor_series *series) {
    double steps = series->step_seconds > 0 && series->step_months == 0 ? 86400 / series->step_seconds : 0;
    return steps > COR_FIT_SEASON_MAX || steps > (double)(int64_t)steps ? 0 : steps;
}

enum cor_status cor_fit_create(const struct cor_series *series, const struct cor_fit_def *def,
                               struct cor_fit **fit, struct cor_error *error) {
    COR_ASSERT(series->value_count > 0 && series->segment_count > 0);
    enum cor_status status;
    struct cor_fit *made = cor_calloc(1, sizeof *made);
    uint8_t *sequence = cor_calloc(series->value_count, 1); /* the state of each value */
    *fit = NULL;
    if (!made || !sequence)
        COR_TRY_OUT(cor_fail_memory(error));
    made->file = cor_strdup(series->file);
    made->column = cor_strdup(series->column);
    made->command = cor_strdup(def->command);
    made->value_count = series->value_count;
    made->segment_count = series->segment_count;
    made->gap_count = series->gap_count;
    made->irregular_count = series->irregular_count;
    made->step_seconds = series->step_seconds;
    made->step_months = series->step_months;
    made->notes = cor_strdup(series->notes);
    /* The lag asked for; else the steps of a day, where the time column tells how long a step is and some fit
     * into a day; else the hours of one. */
    const uint32_t asked = def->season;
    const double of_day = step_of_day(series);
    made->season_from = COR_SEASON_ASKED;
    made->season = asked;
    if (asked <= 0) {
        bool is_known = of_day > 1;
        made->season_from = is_known ? COR_SEASON_TIMES : COR_SEASON_DEFAULT;
        made->season = is_known ? (uint32_t)of_day : HOURLY_SEASON;
    }
    if (!made->file || !made->column || !made->notes || (!made->command && def->command))
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(profiles__fit_discretize(made, series, def, sequence, error));
    COR_TRY_OUT(count(made, series, sequence, error));
    COR_TRY_OUT(make_profile(made, def->name ? def->name : series->column, error));
    COR_TRY_OUT(profiles__fit_goodness(made, series, sequence, error));
    COR_TRY_OUT(profiles__fit_remarks(made, series->hours != NULL, error));
    *fit = made;
    made = NULL;
out:
    cor_fit_destroy(made);
    free(sequence);
    return status;
}
