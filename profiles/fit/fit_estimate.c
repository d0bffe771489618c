/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the data never showed is rare, not impossible: with a Dirichlet prior of weight W, whose mean is the
 * row p of another profile, the mean of a row with counts n is (n + W p) / (sum of n + W). */
#include "../internal.h"

#include <corridor/array.h>

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX };

/* Whether a state could be called so: a level of each column from this one on, points between them. Words may
 * be any. */
static bool is_of_columns(const struct cor_fit *fit, uint32_t column, const char *name) {
    const struct cor_fit_column *of = &fit->columns[column];
    const bool is_last = column + 1 == fit->column_count;
    char level_name[COR_PROFILE_NAME_MAX + 1];
    if (of->words) {
        for (const char *point = strchr(name, '.'); point && !is_last; point = strchr(point + 1, '.'))
            if (point > name && is_of_columns(fit, column + 1, point + 1))
                return true;
        return is_last;
    }
    for (uint32_t i = 0; i < of->level_count; i++) {
        profiles__fit_level_name(of, i, level_name);
        const size_t length = strlen(level_name);
        if (strncmp(name, level_name, length) != 0)
            continue;
        if (is_last ? name[length] == '\0'
                    : name[length] == '.' && is_of_columns(fit, column + 1, name + length + 1))
            return true;
    }
    return false;
}

static bool is_possible(const struct cor_fit *fit, const char *name) {
    char part[16];
    for (uint32_t block = 0; block < fit->block_count; block++) {
        profiles__fit_part_name(fit, block, part);
        if (strncmp(name, part, strlen(part)) == 0 && is_of_columns(fit, 0, name + strlen(part)))
            return true;
    }
    return false;
}

/* The states of the data, then those that only the prior has. of_prior[i]: its state of that name, -1: none.
 */
static enum cor_status join_states(struct cor_fit *fit, const struct cor_fit_def *def, const char **states,
                                   int *of_prior, uint32_t *count, struct cor_error *error) {
    const struct cor_profile *prior = def->prior;
    char known[1024];
    uint32_t common = 0;
    for (*count = 0; *count < fit->state_count; ++*count) {
        states[*count] = fit->profile->states[*count];
        of_prior[*count] = prior ? cor_profile_state(prior, states[*count]) : -1;
        fit->states[*count].has_prior = !prior || of_prior[*count] >= 0;
        common += fit->states[*count].has_prior;
    }
    if (common == 0) {
        cor_known_names(states[0], (const char *const *)prior->states, known, sizeof known);
        return cor_fail(error, COR_STATUS_INPUT, def->prior_file, known,
                        "has no state of the data, such as \"%s\"", states[0]);
    }
    for (uint32_t i = 0; prior && i < prior->state_count; i++) {
        if (cor_profile_state(fit->profile, prior->states[i]) >= 0)
            continue;
        if (!is_possible(fit, prior->states[i]))
            return cor_fail(error, COR_STATUS_INPUT, def->prior_file,
                            "fit with the cut points, columns and parts of the day of the prior",
                            "its state \"%s\" is none of the levels of the fit", prior->states[i]);
        if (*count == MOST)
            return cor_fail(error, COR_STATUS_INPUT, def->prior_file, "use 64 states at most in all",
                            "it and the data have more than 64 states together");
        states[*count] = prior->states[i];
        of_prior[(*count)++] = (int)i;
    }
    return COR_OK;
}

enum cor_status profiles__fit_join_prior(struct cor_fit *fit, const struct cor_fit_def *def,
                                         struct cor_error *error) {
    const struct cor_profile *prior = def->prior;
    const char *states[MOST];
    int of_prior[MOST];
    uint32_t count;
    enum cor_status status = COR_OK;
    double *probability = cor_calloc((size_t)MOST * MOST, sizeof *probability);
    COR_TRY(cor_made(probability, error));
    COR_TRY_OUT(join_states(fit, def, states, of_prior, &count, error));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t seen = fit->state_count;
        const bool is_counted = i < seen, has_prior = !is_counted || fit->states[i].has_prior;
        const double left = is_counted ? (double)fit->states[i].left_count : 0;
        for (uint32_t to = 0; to < count; to++) {
            const bool has_both = is_counted && to < seen;
            const double of_data = has_both ? fit->profile->probability[(size_t)i * seen + to] : 0,
                         counted = has_both ? (double)fit->transitions[(size_t)i * seen + to] : 0;
            double share = 1 / (double)count;
            if (prior && has_prior)
                share = of_prior[to] < 0 ? 0
                                         : prior->probability[(uint32_t)of_prior[i] * prior->state_count +
                                                              (uint32_t)of_prior[to]];
            probability[(size_t)i * count + to] =
                has_prior ? (counted + def->weight * share) / (left + def->weight) : of_data;
        }
    }
    fit->weight = def->weight;
    fit->prior_name = cor_strdup(prior ? prior->name : NULL);
    fit->prior_file = cor_strdup(prior ? def->prior_file : NULL);
    if (prior && (!fit->prior_name || !fit->prior_file))
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(
        cor_profile_create(fit->profile->name, count, states, probability, NULL, &fit->joined, error));
out:
    free(probability);
    return status;
}

/* ---- fitting, step by step; and the estimate: transitions are counted and divided (maximum likelihood) */

enum { MOST_ESTIMATE = COR_PROFILE_STATES_MAX, HOURLY_SEASON = 24 };

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
    char names[MOST_ESTIMATE][COR_PROFILE_NAME_MAX + 1];
    const char *name_of[MOST_ESTIMATE];
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

/* ---- how well the chain describes the series, in figures: orders, stays, levels, autocorrelation. Sums run
 * in the order of the series or of the states */

enum { MOST_GOODNESS = COR_PROFILE_STATES_MAX };
#define EXPECTED_LEAST 5.0

/* x = m 2^e with m in [sqrt(1/2), sqrt(2)); ln m = 2 artanh(t), t = (m - 1) / (m + 1), |t| < 0.172: twelve
 * terms of the series are enough for a double. */
double profiles__fit_log(double x) {
    int exponent;
    double m = frexp(x, &exponent); /* exact */
    if (m < 0.70710678118654752440) {
        m *= 2.0;
        exponent--;
    }
    double t = (m - 1.0) / (m + 1.0), square = t * t, sum = 0.0;
    for (int k = 25; k >= 1; k -= 2)
        sum = sum * square + 1.0 / (double)k;
    return (double)exponent * 0.69314718055994530942 + 2.0 * t * sum;
}

/* Sum of n ln(n / N) over the `count` cells of one context, N their sum. */
static double context_likelihood(const uint32_t *cells, uint32_t count) {
    uint64_t all = 0;
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        all += cells[i];
    for (uint32_t i = 0; i < count; i++)
        if (cells[i] > 0)
            sum += (double)cells[i] * profiles__fit_log((double)cells[i] / (double)all);
    return sum;
}

/* `cells` are the counts of an order: one row for each of its contexts. */
static double likelihood(const uint32_t *cells, size_t contexts, uint32_t states) {
    double sum = 0.0;
    for (size_t c = 0; c < contexts; c++)
        sum += context_likelihood(cells + c * states, states);
    return sum;
}

static enum cor_status compare_orders(struct cor_fit *fit, const struct cor_series *series,
                                      const uint8_t *sequence, struct cor_error *error) {
    uint32_t states = fit->state_count;
    size_t contexts = (size_t)states * states;
    uint32_t *cells = cor_calloc(contexts * states, sizeof *cells);
    COR_TRY(cor_made(cells, error));
    for (size_t s = 0; s < series->segment_count; s++) {
        for (size_t i = series->starts[s] + 2; i < series->starts[s + 1]; i++) {
            cells[((size_t)sequence[i - 2] * states + sequence[i - 1]) * states + sequence[i]]++;
            fit->order_transition_count++;
        }
    }
    double transitions = (double)fit->order_transition_count;
    for (uint32_t order = COR_FIT_ORDERS; order-- > 0;) {
        struct cor_fit_order *found = &fit->orders[order];
        found->parameters = contexts * (states - 1);
        bool any = fit->order_transition_count > 0;
        found->log_likelihood = any ? likelihood(cells, contexts, states) : (double)NAN;
        found->bic =
            any ? (double)found->parameters * profiles__fit_log(transitions) - 2.0 * found->log_likelihood
                : (double)NAN;
        if (order > 0) {
            /* Rows whose contexts differ in the oldest state only are added up into the first of them: the
             * counts of the next lower order, over the same transitions. */
            size_t shorter = contexts / states * states; /* cells of the next lower order */
            for (size_t i = shorter; i < contexts * states; i++)
                cells[i % shorter] += cells[i];
        }
        contexts /= states;
    }
    free(cells);
    return COR_OK;
}

static uint32_t class_of(size_t steps) {
    return steps < 4 ? (uint32_t)steps - 1 : steps < 8 ? 3 : 4;
}

/* Chi-square over classes pooled from the longest stays downwards until at least 5 are expected in each; what
 * is left at the short end joins the class above it. */
static void test_stays(struct cor_fit_stays *stays) {
    double observed[COR_FIT_STAYS] = {0.0}, expected[COR_FIT_STAYS] = {0.0};
    uint32_t pooled = 0;
    for (uint32_t k = COR_FIT_STAYS; k-- > 0;) {
        observed[pooled] += (double)stays->observed[k];
        expected[pooled] += stays->expected[k];
        if (expected[pooled] >= EXPECTED_LEAST && k > 0)
            pooled++;
    }
    if (expected[pooled] < EXPECTED_LEAST && pooled > 0) {
        observed[pooled - 1] += observed[pooled];
        expected[pooled - 1] += expected[pooled];
        pooled--;
    }
    stays->p = (double)NAN;
    if (pooled < 2)
        return;
    for (uint32_t k = 0; k <= pooled; k++)
        stays->chi_square += (observed[k] - expected[k]) * (observed[k] - expected[k]) / expected[k];
    stays->degrees = pooled - 1;
    /* Beyond 1000 the tail is less than 1e-200, and the library would complain of underflow. */
    stays->p = stays->chi_square < 1000.0 ? gsl_cdf_chisq_Q(stays->chi_square, (double)stays->degrees) : 0.0;
}

static void describe_stays(struct cor_fit *fit, const struct cor_series *series, const uint8_t *sequence) {
    uint64_t steps[MOST_GOODNESS] = {0};
    /* Stays that began and ended within their segment. */
    for (size_t s = 0; s < series->segment_count; s++) {
        size_t first = series->starts[s], end = series->starts[s + 1], begin = first;
        for (size_t i = first + 1; i < end; i++) {
            if (sequence[i] == sequence[i - 1])
                continue;
            struct cor_fit_stays *stays = &fit->states[sequence[begin]].stays;
            if (begin > first) {
                stays->count++;
                stays->observed[class_of(i - begin)]++;
                steps[sequence[begin]] += i - begin;
            }
            begin = i;
        }
    }
    for (uint32_t i = 0; i < fit->state_count; i++) {
        struct cor_fit_stays *stays = &fit->states[i].stays;
        double q = fit->profile->probability[(size_t)i * fit->state_count + i];
        stays->mean = stays->count > 0 ? (double)steps[i] / (double)stays->count : (double)NAN;
        stays->chain_mean = q < 1.0 ? 1.0 / (1.0 - q) : (double)INFINITY;
        /* A stay of n steps has probability q^(n-1) (1 - q). */
        double at_least_8 = q, count = (double)stays->count;
        for (int j = 0; j < 6; j++)
            at_least_8 *= q;
        double at_least_4 = q * q * q;
        stays->expected[0] = count * (1.0 - q);
        stays->expected[1] = count * q * (1.0 - q);
        stays->expected[2] = count * q * q * (1.0 - q);
        stays->expected[3] = count * (at_least_4 - at_least_8);
        stays->expected[4] = count * at_least_8;
        test_stays(stays);
    }
}

/* What states stand for is a number of a column, or, of words, one for each of them: 1 for this word, 0 for
 * the others. Correlations of words are sums over these. */
static double stands_for(const struct cor_fit *fit, uint32_t column, uint32_t word, uint32_t state) {
    const struct cor_fit_level *level = &fit->states[state].levels[column];
    return fit->columns[column].words ? (double)(level->index == word) : level->mean;
}

static uint32_t numbers_of(const struct cor_fit_column *column) {
    return column->words ? column->level_count : 1;
}

static double observed_correlation(const struct cor_fit *fit, const struct cor_series *series,
                                   const uint8_t *sequence, uint32_t column, uint32_t lag) {
    double variance = 0.0, product = 0.0, v[MOST_GOODNESS];
    size_t pairs = 0;
    for (uint32_t word = 0; word < numbers_of(&fit->columns[column]); word++) {
        double mean = 0.0;
        for (uint32_t i = 0; i < fit->state_count; i++) {
            v[i] = stands_for(fit, column, word, i);
            mean += fit->states[i].share * v[i];
        }
        for (uint32_t i = 0; i < fit->state_count; i++)
            variance += fit->states[i].share * (v[i] - mean) * (v[i] - mean);
        pairs = 0;
        for (size_t s = 0; s < series->segment_count; s++) {
            for (size_t i = series->starts[s] + lag; i < series->starts[s + 1]; i++, pairs++)
                product += (v[sequence[i - lag]] - mean) * (v[sequence[i]] - mean);
        }
    }
    return pairs >= 2 && variance > 0.0 ? product / (double)pairs / variance : (double)NAN;
}

/* With v the centred numbers that states stand for: sum of p_i v_i (P^lag v)_i over sum of p_i v_i^2. */
static double chain_correlation(const struct cor_fit *fit, uint32_t column, uint32_t lag) {
    double v[MOST_GOODNESS], now[MOST_GOODNESS], next[MOST_GOODNESS], variance = 0.0, product = 0.0;
    uint32_t states = fit->state_count;
    for (uint32_t word = 0; word < numbers_of(&fit->columns[column]); word++) {
        double mean = 0.0;
        for (uint32_t i = 0; i < states; i++)
            mean += fit->states[i].stationary * stands_for(fit, column, word, i);
        for (uint32_t i = 0; i < states; i++)
            now[i] = v[i] = stands_for(fit, column, word, i) - mean;
        for (uint32_t step = 0; step < lag; step++) {
            for (uint32_t i = 0; i < states; i++) {
                next[i] = 0.0;
                for (uint32_t j = 0; j < states; j++)
                    next[i] += fit->profile->probability[(size_t)i * states + j] * now[j];
            }
            memcpy(now, next, states * sizeof *now);
        }
        for (uint32_t i = 0; i < states; i++) {
            variance += fit->states[i].stationary * v[i] * v[i];
            product += fit->states[i].stationary * v[i] * now[i];
        }
    }
    return variance > 0.0 ? product / variance : (double)NAN;
}

/* Means of the states in a column of numbers, and what of its variance lies within them. */
static void describe_values(struct cor_fit *fit, uint32_t column, const double *values, size_t value_count,
                            const uint8_t *sequence) {
    double mean = 0.0, between = 0.0, within = 0.0, count = (double)value_count;
    fit->columns[column].within_share = (double)NAN;
    if (fit->columns[column].words)
        return;
    for (size_t i = 0; i < value_count; i++) {
        struct cor_fit_state *state = &fit->states[sequence[i]];
        state->levels[column].mean += values[i] / (double)state->count;
        mean += values[i] / count;
    }
    for (size_t i = 0; i < value_count; i++) {
        double centre = fit->states[sequence[i]].levels[column].mean;
        within += (values[i] - centre) * (values[i] - centre);
        between += (centre - mean) * (centre - mean);
    }
    fit->columns[column].within_share = within / (within + between);
}

enum cor_status profiles__fit_goodness(struct cor_fit *fit, const struct cor_series *series,
                                       const uint8_t *sequence, struct cor_error *error) {
    COR_ASSERT(fit->profile && fit->season > 0);
    COR_TRY(compare_orders(fit, series, sequence, error));
    for (uint32_t i = 0; i < fit->state_count; i++)
        fit->states[i].stationary = fit->profile->start[i]; /* a fitted chain starts so */
    for (uint32_t k = 0; k < fit->column_count; k++)
        describe_values(fit, k, series->columns[k].values, series->value_count, sequence);
    for (uint32_t i = 0; i < fit->state_count; i++) {
        struct cor_fit_state *state = &fit->states[i];
        state->share = (double)state->count / (double)series->value_count;
        fit->share_distance += 0.5 * fabs(state->share - state->stationary);
    }
    describe_stays(fit, series, sequence);
    const uint32_t lags[COR_FIT_LAGS] = {1, fit->season};
    for (uint32_t c = 0; c < fit->column_count; c++)
        for (uint32_t k = 0; k < COR_FIT_LAGS; k++)
            fit->columns[c].lags[k] =
                (struct cor_fit_lag){.lag = lags[k],
                                     .observed = observed_correlation(fit, series, sequence, c, lags[k]),
                                     .chain = chain_correlation(fit, c, lags[k])};
    return COR_OK;
}
