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
    for (uint32_t k = 0; fit->columns && k < fit->column_count; k++) {
        for (uint32_t i = 0; fit->columns[k].words && i < fit->columns[k].level_count; i++)
            free(fit->columns[k].words[i]);
        free(fit->columns[k].words);
        free(fit->columns[k].name);
    }
    for (uint32_t i = 0; fit->files && i < fit->file_count; i++)
        free(fit->files[i]);
    cor_profile_destroy(fit->profile);
    cor_profile_destroy(fit->joined);
    free(fit->prior_name);
    free(fit->prior_file);
    free(fit->files);
    free(fit->file);
    free(fit->columns);
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
    enum cor_status status = COR_OK;
    COR_TRY_OUT(profiles__fit_state_names(fit, names, error));
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
    status = cor_profile_create(name, fit->state_count, name_of, probability, NULL, &fit->profile, error);
out:
    free(probability);
    return status;
}

/* Steps of a day; 0 where they are not whole, or too many for a season. */
static double step_of_day(const struct cor_series *series) {
    double steps = series->step_seconds > 0 && series->step_months == 0 ? 86400 / series->step_seconds : 0;
    return steps > COR_FIT_SEASON_MAX || steps > (double)(int64_t)steps ? 0 : steps;
}

/* Names of files and columns; what is NULL has found no memory. */
static enum cor_status copy_names(struct cor_fit *fit, const struct cor_series *series,
                                  const struct cor_fit_def *def, struct cor_error *error) {
    fit->file = cor_strdup(series->file);
    fit->files = cor_calloc(series->file_count, sizeof *fit->files);
    fit->columns = cor_calloc(series->column_count, sizeof *fit->columns);
    fit->command = cor_strdup(def->command);
    fit->notes = cor_strdup(series->notes);
    bool is_made = fit->file && fit->files && fit->columns && fit->notes && (fit->command || !def->command);
    for (; is_made && fit->file_count < series->file_count; fit->file_count++) {
        fit->files[fit->file_count] = cor_strdup(series->files[fit->file_count]);
        is_made = fit->files[fit->file_count];
    }
    for (; is_made && fit->column_count < series->column_count; fit->column_count++) {
        fit->columns[fit->column_count].name = cor_strdup(series->columns[fit->column_count].name);
        is_made = fit->columns[fit->column_count].name;
    }
    return is_made ? COR_OK : cor_fail_memory(error);
}

enum cor_status profiles__fit_divide(const struct cor_series *series, const struct cor_fit_def *def,
                                     uint8_t *sequence, struct cor_fit **fit, struct cor_error *error) {
    *fit = cor_calloc(1, sizeof **fit);
    COR_TRY(cor_made(*fit, error));
    enum cor_status status = copy_names(*fit, series, def, error);
    if (status == COR_OK)
        status = profiles__fit_discretize(*fit, series, def, sequence, error);
    if (status == COR_OK)
        return COR_OK;
    cor_fit_destroy(*fit);
    *fit = NULL;
    return status;
}

/* What the profile is called where nothing is said: the columns, points between them. */
static char *default_name(const struct cor_series *series, struct cor_error *error) {
    struct cor_bytes text = {0};
    for (uint32_t k = 0; k < series->column_count; k++)
        cor_bytes_print(&text, "%s%s", k > 0 ? "." : "", series->columns[k].name);
    return cor_bytes_text_take(&text, error);
}

enum cor_status cor_fit_create(const struct cor_series *series, const struct cor_fit_def *def,
                               struct cor_fit **fit, struct cor_error *error) {
    COR_ASSERT(series->value_count > 0 && series->segment_count > 0);
    enum cor_status status;
    struct cor_fit *made = cor_calloc(1, sizeof *made);
    uint8_t *sequence = cor_calloc(series->value_count, 1); /* the state of each value */
    char *name = default_name(series, error);
    *fit = NULL;
    if (!made || !sequence || !name)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(copy_names(made, series, def, error));
    made->value_count = series->value_count;
    made->segment_count = series->segment_count;
    made->gap_count = series->gap_count;
    made->irregular_count = series->irregular_count;
    made->step_seconds = series->step_seconds;
    made->step_months = series->step_months;
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
    COR_TRY_OUT(profiles__fit_discretize(made, series, def, sequence, error));
    COR_TRY_OUT(count(made, series, sequence, error));
    COR_TRY_OUT(make_profile(made, def->name ? def->name : name, error));
    if (def->weight > 0)
        COR_TRY_OUT(profiles__fit_join_prior(made, def, error));
    COR_TRY_OUT(profiles__fit_goodness(made, series, sequence, error));
    COR_TRY_OUT(profiles__fit_remarks(made, series->hours != NULL, error));
    *fit = made;
    made = NULL;
out:
    cor_fit_destroy(made);
    free(sequence);
    free(name);
    return status;
}
