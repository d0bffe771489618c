/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From values to states: levels by quantiles or cut points, within the part of the day. */
#include "../internal.h"

#include <corridor/array.h>

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

static enum cor_status check_def(const struct cor_series *series, const struct cor_fit_def *def,
                                 struct cor_error *error) {
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
    double *sorted = cor_calloc(count, sizeof *sorted);
    COR_TRY(cor_made(sorted, error));
    for (size_t i = 0; i < count; i++)
        sorted[i] = values[i] + 0.0; /* -0 becomes 0: equal values have equal bits */
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
                                     fit->name, distinct, states));
            COR_TRY_OUT(cor_fail(
                error, COR_STATUS_INPUT, series->file, "use fewer states, or choose cut points (--cuts)",
                "%u quantiles of column \"%s\" do not differ: %.3g %% of its values are %.10g", states,
                fit->name, 100.0 * (double)equal / (double)series->value_count, cut));
        }
        fit->cuts[fit->cut_count++] = cut;
        before = cut;
    }
out:
    free(sorted);
    return status;
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

/* What to do about too many words: how rare a word is that has to be joined with others. */
static enum cor_status fail_words(const struct cor_series *series, const char *column, uint32_t rare,
                                  uint64_t *counts, uint32_t count, uint32_t left, struct cor_error *error) {
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
    return rare > 0
               ? cor_fail(error, COR_STATUS_INPUT, series->file, remedy,
                          "column \"%s\" has %u words that occur at least %u times, at most 64 can be states",
                          column, left, rare)
               : cor_fail(error, COR_STATUS_INPUT, series->file, remedy,
                          "column \"%s\" has %u words, at most 64 can be states", column, left);
}

/* Words are levels; rare ones together are one, the last. level_of[word] is its level. */
static enum cor_status take_words(struct cor_fit_column *fit, const struct cor_series *series,
                                  const struct cor_series_column *column, uint32_t rare, uint8_t *level_of,
                                  struct cor_error *error) {
    uint64_t *counts = cor_calloc((size_t)column->word_count + 1, sizeof *counts);
    uint32_t seen = 0, left = 0;
    const char *last = "";
    enum cor_status status = COR_OK;
    fit->words = cor_calloc(MOST + 1, sizeof *fit->words);
    if (!counts || !fit->words)
        COR_TRY_OUT(cor_fail_memory(error));
    for (size_t i = 0; i < series->value_count; i++)
        counts[(size_t)column->values[i]]++;
    for (uint32_t w = 0; w < column->word_count; w++) {
        seen += counts[w] > 0;
        left += counts[w] > 0 && counts[w] >= rare;
        last = counts[w] > 0 ? column->words[w] : last;
    }
    if (seen < 2)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, series->file, "choose a column that changes",
                             "every value of column \"%s\" is \"%s\"", fit->name, last));
    const bool joins = left < seen;
    if (left + joins > MOST)
        COR_TRY_OUT(fail_words(series, fit->name, rare, counts, column->word_count, left, error));
    for (uint32_t w = 0; w < column->word_count; w++) {
        bool is_other = joins && (counts[w] < rare || strcmp(column->words[w], COR_WORD_OTHER) == 0);
        if (counts[w] == 0)
            continue;
        fit->joined += is_other;
        if (is_other)
            continue;
        level_of[w] = (uint8_t)fit->level_count;
        fit->words[fit->level_count] = cor_strdup(column->words[w]);
        COR_TRY_OUT(cor_made(fit->words[fit->level_count++], error));
    }
    if (fit->level_count + joins < 2)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, series->file, "join fewer words",
                             "no word of column \"%s\" occurs %u times", fit->name, rare));
    if (!joins)
        goto out;
    for (uint32_t w = 0; w < column->word_count; w++)
        if (counts[w] < rare || strcmp(column->words[w], COR_WORD_OTHER) == 0)
            level_of[w] = (uint8_t)fit->level_count;
    fit->words[fit->level_count] = cor_strdup(COR_WORD_OTHER);
    COR_TRY_OUT(cor_made(fit->words[fit->level_count++], error));
out:
    free(counts);
    return status;
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
    COR_TRY(check_def(series, def, error));
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

static void describe_state(const struct cor_fit *fit, uint64_t raw, struct cor_fit_state *state) {
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
    fit->states = cor_calloc(fit->state_count, sizeof *fit->states);
    COR_TRY_OUT(cor_made(fit->states, error));
    for (uint32_t i = 0; i < fit->state_count; i++)
        describe_state(fit, seen[i], &fit->states[i]);
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
