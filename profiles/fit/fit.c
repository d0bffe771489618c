/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From values to states: levels by quantiles or cut points, within the part of the day. */
#include "../internal.h"

#include <corridor/array.h>

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX, RAW_MOST = 4096 };

static enum cor_status check_levels(const struct cor_series *series, uint32_t column,
                                    const struct cor_levels_def *def, struct cor_error *error) {
    const char *file = series->file;
    const char *of = series->columns[column].name;
    if ((def->states > 0) == (def->cut_count > 0))
        return cor_fail(error, COR_STATUS_INPUT, file,
                        def->states > 0 ? "say a number of states (--states) or cut points (--cuts)"
                                        : "say a number of states (--states) or cut points (--cuts), or take "
                                          "its values for words (--words)",
                        def->states > 0
                            ? "both a number of states and cut points are given for column \"%.80s\""
                            : "neither a number of states nor cut points are given for column \"%.80s\"",
                        of);
    if (def->states == 1 || def->states > COR_PROFILE_STATES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, file, "use 2 .. 64 states",
                        "%u states cannot be fitted to column \"%.80s\"", def->states, of);
    if (def->cut_count > COR_PROFILE_STATES_MAX - 1)
        return cor_fail(error, COR_STATUS_INPUT, file, "use 1 .. 63 cut points",
                        "there are %u cut points for column \"%.80s\"", def->cut_count, of);
    return COR_OK;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Cut k of K is value number k n / K in ascending order, so that the levels hold as nearly equally many
 * values as ties let them. */
static enum cor_status take_quantiles(struct cor_fit_column *fit, const struct cor_series *series,
                                      const double *values, uint32_t states, struct cor_error *error) {
    size_t count = series->value_count;
    COR_FREED double *sorted = cor_calloc(count, sizeof *sorted);
    COR_TRY(cor_made(sorted, error));
    for (size_t i = 0; i < count; i++)
        sorted[i] = values[i] + 0.0; /* -0 becomes 0: equal values have equal bits */
    qsort(sorted, count, sizeof *sorted, compare);
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
                return cor_fail(error, COR_STATUS_INPUT, series->file, "use fewer states",
                                "column \"%s\" has %zu distinct values, too few for %u states", fit->name,
                                distinct, states);
            return cor_fail(error, COR_STATUS_INPUT, series->file,
                            "use fewer states, or choose cut points (--cuts)",
                            "%u quantiles of column \"%s\" do not differ: %.3g %% of its values are %.10g",
                            states, fit->name, 100.0 * (double)equal / (double)series->value_count, cut);
        }
        fit->cuts[fit->cut_count++] = cut;
        before = cut;
    }
    return COR_OK;
}

static bool is_constant(const double *values, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (values[i] < values[0] || values[i] > values[0])
            return false;
    return true;
}

static int by_count(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y); /* the most first */
}

/* Words are levels; rare ones together are one, the last. level_of[word] is its level. */
static enum cor_status take_words(struct cor_fit_column *fit, const struct cor_series *series,
                                  const struct cor_series_column *column, uint32_t rare, uint8_t *level_of,
                                  struct cor_error *error) {
    COR_FREED uint64_t *counts = cor_calloc((size_t)column->word_count + 1, sizeof *counts);
    uint32_t seen = 0, left = 0;
    const char *last = "";
    fit->words = cor_calloc(MOST + 1, sizeof *fit->words);
    if (!counts || !fit->words)
        return cor_fail_memory(error);
    for (size_t i = 0; i < series->value_count; i++)
        counts[(size_t)column->values[i]]++;
    for (uint32_t w = 0; w < column->word_count; w++) {
        seen += counts[w] > 0;
        left += counts[w] > 0 && counts[w] >= rare;
        last = counts[w] > 0 ? column->words[w] : last;
    }
    if (seen < 2)
        return cor_fail(error, COR_STATUS_INPUT, series->file, "choose a column that changes",
                        "every value of column \"%s\" is \"%s\"", fit->name, last);
    const bool joins = left < seen;
    if (left + joins > MOST) {
        /* What to do about too many words: how rare a word is that has to be joined with others. */
        uint32_t count = column->word_count;
        char remedy[200] = "choose a column of a few words, as states are";
        qsort(counts, count, sizeof *counts, by_count);
        uint64_t least = counts[MOST - 1] + 1;
        uint32_t kept = 0;
        while (kept < count && counts[kept] >= least)
            kept++;
        if (kept > 0)
            snprintf(remedy, sizeof remedy,
                     "join rare words as \"" COR_WORD_OTHER "\": --rare %llu leaves %u others",
                     (unsigned long long)least, kept);
        COR_TRY(rare > 0
                    ? cor_fail(
                          error, COR_STATUS_INPUT, series->file, remedy,
                          "column \"%s\" has %u words that occur at least %u times, at most 64 can be states",
                          fit->name, left, rare)
                    : cor_fail(error, COR_STATUS_INPUT, series->file, remedy,
                               "column \"%s\" has %u words, at most 64 can be states", fit->name, left));
    }
    for (uint32_t w = 0; w < column->word_count; w++) {
        bool is_other = joins && (counts[w] < rare || strcmp(column->words[w], COR_WORD_OTHER) == 0);
        if (counts[w] == 0)
            continue;
        fit->joined += is_other;
        if (is_other)
            continue;
        level_of[w] = (uint8_t)fit->level_count;
        fit->words[fit->level_count] = cor_strdup(column->words[w]);
        COR_TRY(cor_made(fit->words[fit->level_count++], error));
    }
    if (fit->level_count + joins < 2)
        return cor_fail(error, COR_STATUS_INPUT, series->file, "join fewer words",
                        "no word of column \"%s\" occurs %u times", fit->name, rare);
    if (!joins)
        return COR_OK;
    for (uint32_t w = 0; w < column->word_count; w++)
        if (counts[w] < rare || strcmp(column->words[w], COR_WORD_OTHER) == 0)
            level_of[w] = (uint8_t)fit->level_count;
    fit->words[fit->level_count] = cor_strdup(COR_WORD_OTHER);
    return cor_made(fit->words[fit->level_count++], error);
}

static enum cor_status take_cuts(struct cor_fit_column *fit, const struct cor_series *series,
                                 const struct cor_levels_def *def, struct cor_error *error) {
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

static bool has_own(const struct cor_fit_def *def, uint32_t column) {
    return def->own && (def->own[column].states > 0 || def->own[column].cut_count > 0);
}

/* How each column is divided; level_of: of the words of a column their levels. */
static enum cor_status choose_levels(struct cor_fit *fit, const struct cor_series *series,
                                     const struct cor_fit_def *def, uint8_t level_of[][COR_SERIES_WORDS_MAX],
                                     struct cor_error *error) {
    bool is_used = def->levels.states == 0 && def->levels.cut_count == 0, has_words = false;
    for (uint32_t k = 0; k < series->column_count; k++) {
        const bool is_words = series->columns[k].words;
        is_used = is_used || (!is_words && !has_own(def, k));
        has_words = has_words || is_words;
        if (!is_words)
            COR_TRY(check_levels(series, k, has_own(def, k) ? &def->own[k] : &def->levels, error));
    }
    for (uint32_t k = 0; k < series->column_count; k++)
        if (series->columns[k].words && (has_own(def, k) || !is_used))
            return cor_fail(error, COR_STATUS_INPUT, series->file,
                            "leave --states and --cuts of it out: each word is a state",
                            "column \"%s\" holds words, which have no quantiles and no cut points",
                            series->columns[k].name);
    if (!is_used)
        return cor_fail(error, COR_STATUS_INPUT, series->file, "leave out what names no column",
                        "each column has states or cut points of its own");
    if (def->rare > 0 && !has_words)
        return cor_fail(error, COR_STATUS_INPUT, series->file,
                        "leave --rare out, or take what stands in a column for words (--words)",
                        "no column holds words that could be rare");
    const char *file = series->file;
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
    if (series->value_count == series->segment_count)
        return cor_fail(error, COR_STATUS_INPUT, series->file,
                        "give a series of at least two values in a row",
                        "column \"%s\" has no value that follows another", series->columns[0].name);
    fit->block_count = def->hours;
    for (uint32_t k = 0; k < series->column_count; k++) {
        const struct cor_series_column *column = &series->columns[k];
        struct cor_fit_column *made = &fit->columns[k];
        if (column->words) {
            COR_TRY(take_words(made, series, column, def->rare, level_of[k], error));
            continue;
        }
        const struct cor_levels_def *levels = has_own(def, k) ? &def->own[k] : &def->levels;
        if (is_constant(column->values, series->value_count))
            return cor_fail(error, COR_STATUS_INPUT, series->file, "choose a column that changes",
                            "every value of column \"%s\" is %.10g", column->name, column->values[0]);
        made->by_quantiles = levels->states > 0;
        COR_TRY(made->by_quantiles ? take_quantiles(made, series, column->values, levels->states, error)
                                   : take_cuts(made, series, levels, error));
        made->level_count = made->cut_count + 1;
    }
    return COR_OK;
}

/* Block and levels in one number, the first column before the others: at most 24 * 64^8. */
static uint64_t raw_state(const struct cor_fit *fit, const struct cor_series *series,
                          uint8_t level_of[][COR_SERIES_WORDS_MAX], size_t index) {
    uint64_t raw = fit->block_count > 1 ? series->hours[index] * fit->block_count / 24 : 0;
    for (uint32_t k = 0; k < fit->column_count; k++) {
        const struct cor_fit_column *column = &fit->columns[k];
        const double value = series->columns[k].values[index];
        uint32_t level = 0;
        if (column->words)
            level = level_of[k][(size_t)value];
        else /* how many cuts are not above it */
            while (level < column->cut_count && column->cuts[level] <= value)
                level++;
        raw = raw * column->level_count + level;
    }
    return raw;
}

/* Where a raw state stands, or would stand, among the `count` that were seen. */
static uint32_t place_of(const uint64_t *seen, uint32_t count, uint64_t raw) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (seen[middle] < raw)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum cor_status profiles__fit_discretize(struct cor_fit *fit, const struct cor_series *series,
                                         const struct cor_fit_def *def, uint8_t *sequence,
                                         struct cor_error *error) {
    uint8_t(*level_of)[COR_SERIES_WORDS_MAX] = cor_calloc(series->column_count, sizeof *level_of);
    uint64_t *seen = cor_calloc(RAW_MOST, sizeof *seen); /* ascending */
    enum cor_status status = COR_OK;
    if (!level_of || !seen)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(choose_levels(fit, series, def, level_of, error));
    COR_ASSERT(fit->block_count >= 1 && fit->block_count <= 24);
    for (size_t i = 0; i < series->value_count && fit->state_count < RAW_MOST; i++) {
        const uint64_t raw = raw_state(fit, series, level_of, i);
        const uint32_t place = place_of(seen, fit->state_count, raw);
        if (place < fit->state_count && seen[place] == raw)
            continue;
        memmove(seen + place + 1, seen + place, (fit->state_count - place) * sizeof *seen);
        seen[place] = raw;
        fit->state_count++;
    }
    if (fit->state_count < 2)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, series->file,
                             "choose cut points between its least and its greatest value",
                             "all values of column \"%s\" are in one state", series->columns[0].name));
    if (fit->state_count > MOST)
        COR_TRY_OUT(
            cor_fail(error, COR_STATUS_INPUT, series->file,
                     series->column_count == 1
                         ? "use fewer levels or fewer parts of the day"
                         : "use fewer levels, fewer columns or fewer parts of the day; rare words can "
                           "be joined (--rare N)",
                     "%s%u states occur, at most 64 are allowed",
                     fit->state_count == RAW_MOST ? "at least " : "", fit->state_count));
    COR_TRY_OUT(cor_made(fit->states = cor_calloc(fit->state_count, sizeof *fit->states), error));
    for (uint32_t i = 0; i < fit->state_count; i++) {
        uint64_t raw = seen[i];
        struct cor_fit_state *state = &fit->states[i];
        for (uint32_t k = fit->column_count; k-- > 0;) {
            const struct cor_fit_column *column = &fit->columns[k];
            const uint32_t index = (uint32_t)(raw % column->level_count);
            raw /= column->level_count;
            state->levels[k] = (struct cor_fit_level){.index = index, (double)NAN, (double)NAN, (double)NAN};
            if (column->words)
                continue;
            state->levels[k].low = index > 0 ? column->cuts[index - 1] : -(double)INFINITY;
            state->levels[k].high = index < column->cut_count ? column->cuts[index] : (double)INFINITY;
            state->levels[k].mean = 0;
        }
        state->block = (uint32_t)raw;
    }
    for (size_t i = 0; i < series->value_count; i++)
        sequence[i] = (uint8_t)place_of(seen, fit->state_count, raw_state(fit, series, level_of, i));
out:
    free(level_of);
    free(seen);
    return status;
}

/* Digits that tell the cuts apart, at least 4. */
static int digits_of(const struct cor_fit_column *column) {
    for (int digits = 4; digits < 17; digits++) {
        bool differ = true;
        for (uint32_t i = 1; i < column->cut_count && differ; i++) {
            char one[40], other[40];
            snprintf(one, sizeof one, "%.*g", digits, column->cuts[i - 1]);
            snprintf(other, sizeof other, "%.*g", digits, column->cuts[i]);
            differ = strcmp(one, other) != 0;
        }
        if (differ)
            return digits;
    }
    return 17;
}

void profiles__fit_level_name(const struct cor_fit_column *column, uint32_t level,
                              char name[COR_PROFILE_NAME_MAX + 1]) {
    const size_t size = COR_PROFILE_NAME_MAX + 1;
    const int digits = digits_of(column);
    if (column->words)
        snprintf(name, size, "%s", column->words[level]);
    else if (level == 0)
        snprintf(name, size, "below_%.*g", digits, column->cuts[0]);
    else if (level == column->cut_count)
        snprintf(name, size, "from_%.*g", digits, column->cuts[level - 1]);
    else
        snprintf(name, size, "%.*g_to_%.*g", digits, column->cuts[level - 1], digits, column->cuts[level]);
}

void profiles__fit_part_name(const struct cor_fit *fit, uint32_t block, char name[16]) {
    const uint32_t hours = 24 / fit->block_count;
    name[0] = '\0';
    if (fit->block_count == 24)
        snprintf(name, 16, "h%02u_", block);
    else if (fit->block_count > 1)
        snprintf(name, 16, "h%02u-%02u_", block * hours, block * hours + hours - 1);
}

enum cor_status profiles__fit_state_names(const struct cor_fit *fit, char names[][COR_PROFILE_NAME_MAX + 1],
                                          struct cor_error *error) {
    char name[16 + COR_SERIES_VALUES_MAX * (COR_PROFILE_NAME_MAX + 1)];
    for (uint32_t i = 0; i < fit->state_count; i++) {
        const struct cor_fit_state *state = &fit->states[i];
        profiles__fit_part_name(fit, state->block, name);
        for (uint32_t k = 0; k < fit->column_count; k++) {
            if (k > 0)
                strcpy(name + strlen(name), ".");
            profiles__fit_level_name(&fit->columns[k], state->levels[k].index, name + strlen(name));
        }
        if (strlen(name) > COR_PROFILE_NAME_MAX)
            return cor_fail(error, COR_STATUS_INPUT, fit->file, "shorten the words, or fit fewer columns",
                            "the name of a state has more than 63 bytes: \"%s\"", name);
        memcpy(names[i], name, strlen(name) + 1);
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(names[k], name) == 0)
                return cor_fail(error, COR_STATUS_INPUT, fit->file, "write the words without points",
                                "two combinations of words have the name \"%s\"", name);
    }
    return COR_OK;
}

/* ---- what the data never showed is rare, not impossible: with a Dirichlet prior of weight W, whose mean is
 * the row p of another profile, the mean of a row with counts n is (n + W p) / (sum of n + W) */

enum { MOST_FIT_ESTIMATE = COR_PROFILE_STATES_MAX };

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

enum cor_status profiles__fit_join_prior(struct cor_fit *fit, const struct cor_fit_def *def,
                                         struct cor_error *error) {
    const struct cor_profile *prior = def->prior;
    const char *states[MOST_FIT_ESTIMATE];
    int of_prior[MOST_FIT_ESTIMATE];
    uint32_t count;
    COR_FREED double *probability =
        cor_calloc((size_t)MOST_FIT_ESTIMATE * MOST_FIT_ESTIMATE, sizeof *probability);
    COR_TRY(cor_made(probability, error));
    /* The states of the data, then those that only the prior has; of_prior[i]: its number there, -1: none. */
    char known[1024];
    uint32_t common = 0;
    for (count = 0; count < fit->state_count; ++count) {
        states[count] = fit->profile->states[count];
        of_prior[count] = prior ? cor_profile_state(prior, states[count]) : -1;
        fit->states[count].has_prior = !prior || of_prior[count] >= 0;
        common += fit->states[count].has_prior;
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
        if (count == MOST_FIT_ESTIMATE)
            return cor_fail(error, COR_STATUS_INPUT, def->prior_file, "use 64 states at most in all",
                            "it and the data have more than 64 states together");
        states[count] = prior->states[i];
        of_prior[count++] = (int)i;
    }
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
        return cor_fail_memory(error);
    return cor_profile_create(fit->profile->name, count, states, probability, NULL, &fit->joined, error);
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
    COR_FREED double *probability =
        cor_calloc((size_t)fit->state_count * fit->state_count, sizeof *probability);
    COR_TRY(cor_made(probability, error));
    COR_TRY(profiles__fit_state_names(fit, names, error));
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
    return cor_profile_create(name, fit->state_count, name_of, probability, NULL, &fit->profile, error);
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
    COR_TRY(cor_made(*fit = cor_calloc(1, sizeof **fit), error));
    enum cor_status status = copy_names(*fit, series, def, error);
    if (status == COR_OK)
        status = profiles__fit_discretize(*fit, series, def, sequence, error);
    if (status == COR_OK)
        return COR_OK;
    cor_fit_destroy(*fit);
    *fit = NULL;
    return status;
}

enum cor_status cor_fit_create(const struct cor_series *series, const struct cor_fit_def *def,
                               struct cor_fit **fit, struct cor_error *error) {
    COR_ASSERT(series->value_count > 0 && series->segment_count > 0);
    COR_DESTROYED(cor_fit) struct cor_fit *made = cor_calloc(1, sizeof *made);
    COR_FREED uint8_t *sequence = cor_calloc(series->value_count, 1); /* the state of each value */
    /* What the profile is called where nothing is said: the columns, points between them. */
    struct cor_bytes text = {0};
    for (uint32_t k = 0; k < series->column_count; k++)
        cor_bytes_print(&text, "%s%s", k > 0 ? "." : "", series->columns[k].name);
    COR_FREED char *name = cor_bytes_text_take(&text, error);
    *fit = NULL;
    if (!made || !sequence || !name)
        return cor_fail_memory(error);
    COR_TRY(copy_names(made, series, def, error));
    made->value_count = series->value_count;
    made->segment_count = series->segment_count;
    made->gap_count = series->gap_count;
    made->irregular_count = series->irregular_count;
    made->step_seconds = series->step_seconds;
    made->step_months = series->step_months;
    /* The lag asked for; else the steps of a day, where the time column tells how long a step is and some fit
     * into a day; else the hours of one. */
    const uint32_t asked = def->season;
    /* Steps of a day; 0 where they are not whole, or too many for a season. */
    double steps = series->step_seconds > 0 && series->step_months == 0 ? 86400 / series->step_seconds : 0;
    const double of_day = steps > COR_FIT_SEASON_MAX || steps > (double)(int64_t)steps ? 0 : steps;
    made->season_from = COR_SEASON_ASKED;
    made->season = asked;
    if (asked <= 0) {
        bool is_known = of_day > 1;
        made->season_from = is_known ? COR_SEASON_TIMES : COR_SEASON_DEFAULT;
        made->season = is_known ? (uint32_t)of_day : HOURLY_SEASON;
    }
    COR_TRY(profiles__fit_discretize(made, series, def, sequence, error));
    COR_TRY(count(made, series, sequence, error));
    COR_TRY(make_profile(made, def->name ? def->name : name, error));
    if (def->weight > 0)
        COR_TRY(profiles__fit_join_prior(made, def, error));
    COR_TRY(profiles__fit_goodness(made, series, sequence, error));
    COR_TRY(profiles__fit_remarks(made, series->hours != NULL, error));
    *fit = cor_taken(&made);
    return COR_OK;
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

static uint32_t class_of(size_t steps) {
    return steps < 4 ? (uint32_t)steps - 1 : steps < 8 ? 3 : 4;
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
        /* Chi-square over classes pooled from the longest stays downwards until at least 5 are expected in
         * each; what is left at the short end joins the class above it. */
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
            continue;
        for (uint32_t k = 0; k <= pooled; k++)
            stays->chi_square += (observed[k] - expected[k]) * (observed[k] - expected[k]) / expected[k];
        stays->degrees = pooled - 1;
        /* Beyond 1000 the tail is less than 1e-200, and the library would complain of underflow. */
        stays->p =
            stays->chi_square < 1000.0 ? gsl_cdf_chisq_Q(stays->chi_square, (double)stays->degrees) : 0.0;
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

enum cor_status profiles__fit_goodness(struct cor_fit *fit, const struct cor_series *series,
                                       const uint8_t *sequence, struct cor_error *error) {
    COR_ASSERT(fit->profile && fit->season > 0);
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
    for (uint32_t i = 0; i < fit->state_count; i++)
        fit->states[i].stationary = fit->profile->start[i]; /* a fitted chain starts so */
    for (uint32_t k = 0; k < fit->column_count; k++) {
        /* Means of the states in a column of numbers, and what of its variance lies within them. */
        const double *values = series->columns[k].values;
        double mean = 0.0, between = 0.0, within = 0.0, count = (double)series->value_count;
        fit->columns[k].within_share = (double)NAN;
        if (fit->columns[k].words)
            continue;
        for (size_t i = 0; i < series->value_count; i++) {
            struct cor_fit_state *state = &fit->states[sequence[i]];
            state->levels[k].mean += values[i] / (double)state->count;
            mean += values[i] / count;
        }
        for (size_t i = 0; i < series->value_count; i++) {
            double centre = fit->states[sequence[i]].levels[k].mean;
            within += (values[i] - centre) * (values[i] - centre);
            between += (centre - mean) * (centre - mean);
        }
        fit->columns[k].within_share = within / (within + between);
    }
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
