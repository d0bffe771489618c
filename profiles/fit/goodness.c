/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How well the chain describes the series, in figures: orders, stays, levels, autocorrelation. Sums run in
 * the order of the series or of the states. */
#include "../internal.h"

#include <corridor/array.h>

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX };
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
    uint64_t steps[MOST] = {0};
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
    double variance = 0.0, product = 0.0, v[MOST];
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
    double v[MOST], now[MOST], next[MOST], variance = 0.0, product = 0.0;
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
