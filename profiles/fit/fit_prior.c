/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the data never showed is rare, not impossible: with a Dirichlet prior of weight W, whose mean is the
 * row p of another profile, the mean of a row with counts n is (n + W p) / (sum of n + W). */
#include "../internal.h"

#include <corridor/array.h>

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
