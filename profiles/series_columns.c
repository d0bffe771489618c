/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of a series and their words; series of several files. */
#include "internal.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cor_series_destroy(struct cor_series *series) {
    if (!series)
        return;
    for (uint32_t k = 0; series->columns && k < series->column_count; k++) {
        struct cor_series_column *column = &series->columns[k];
        for (uint32_t i = 0; i < column->word_count; i++)
            free(column->words[i]);
        free(column->words);
        free(column->name);
        free(column->values);
    }
    for (uint32_t i = 0; series->files && i < series->file_count; i++)
        free(series->files[i]);
    free(series->files);
    free(series->columns);
    free(series->file);
    free(series->hours);
    free(series->starts);
    free(series->notes);
    free(series);
}

enum cor_status profiles__take_word(struct cor_series_column *column, const char *word, uint32_t *index,
                                    struct cor_error *error) {
    for (*index = column->word_count; *index > 0; --*index)
        if (strcmp(column->words[*index - 1], word) == 0) {
            --*index;
            return COR_OK;
        }
    *index = column->word_count;
    if (*index == COR_SERIES_WORDS_MAX)
        return COR_OK;
    if (!column->words)
        column->words = cor_calloc(COR_SERIES_WORDS_MAX, sizeof *column->words);
    COR_TRY(cor_made(column->words, error));
    column->words[*index] = cor_strdup(word);
    COR_TRY(cor_made(column->words[*index], error));
    column->word_count++;
    return COR_OK;
}

struct placed {
    char *word;
    uint32_t index; /* before */
};

static int by_alphabet(const void *a, const void *b) {
    const struct placed *one = a, *other = b;
    return strcmp(one->word, other->word);
}

enum cor_status profiles__sort_words(struct cor_series_column *column, double *cells, size_t count,
                                     size_t stride, struct cor_error *error) {
    struct placed *placed = cor_calloc(column->word_count + 1, sizeof *placed);
    double *place = cor_calloc(column->word_count + 1, sizeof *place);
    enum cor_status status = COR_OK;
    if (!placed || !place)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t i = 0; i < column->word_count; i++)
        placed[i] = (struct placed){column->words[i], i};
    qsort(placed, column->word_count, sizeof *placed, by_alphabet);
    for (uint32_t i = 0; i < column->word_count; i++) {
        column->words[i] = placed[i].word;
        place[placed[i].index] = i;
    }
    for (size_t i = 0; i < count; i++)
        cells[i * stride] = place[(size_t)cells[i * stride]];
out:
    free(placed);
    free(place);
    return status;
}

/* Room for so many values and segments more. */
static enum cor_status make_room(struct cor_series *series, size_t values, size_t segments,
                                 struct cor_error *error) {
    size_t needed = series->value_count + values, capacity = series->capacity;
    for (uint32_t k = 0; k < series->column_count; k++) {
        capacity = series->capacity;
        COR_TRY(COR_RESERVE(&series->columns[k].values, &capacity, needed, error));
    }
    if (series->hours) {
        capacity = series->capacity;
        COR_TRY(COR_RESERVE(&series->hours, &capacity, needed, error));
    }
    series->capacity = capacity;
    return COR_RESERVE(&series->starts, &series->start_capacity, series->segment_count + segments + 1, error);
}

/* The values of a column of the other series behind those of the first; words of both in one order. */
static enum cor_status append_column(struct cor_series *series, const struct cor_series *more, uint32_t k,
                                     struct cor_error *error) {
    struct cor_series_column *column = &series->columns[k];
    const struct cor_series_column *other = &more->columns[k];
    double *behind = column->values + series->value_count;
    if (!column->words != !other->words)
        return cor_fail(error, COR_STATUS_INPUT, more->file,
                        "fit numbers and words apart, or take the numbers as words, too (--words)",
                        "column \"%s\" holds %s, but %s in %s", column->name,
                        other->words ? "words" : "numbers", other->words ? "numbers" : "words", series->file);
    memcpy(behind, other->values, more->value_count * sizeof *behind);
    if (!other->words)
        return COR_OK;
    uint32_t *index = cor_calloc(other->word_count, sizeof *index);
    COR_TRY(cor_made(index, error));
    const uint32_t before = column->word_count;
    enum cor_status status = COR_OK;
    for (uint32_t i = 0; i < other->word_count; i++) {
        COR_TRY_OUT(profiles__take_word(column, other->words[i], &index[i], error));
        if (index[i] == COR_SERIES_WORDS_MAX)
            COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, more->file,
                                 "choose a column of a few words, as states are",
                                 "column \"%s\" and the files before have more than %d words together",
                                 column->name, COR_SERIES_WORDS_MAX));
    }
    for (size_t i = 0; i < more->value_count; i++)
        behind[i] = index[(size_t)behind[i]];
    if (column->word_count > before)
        status =
            profiles__sort_words(column, column->values, series->value_count + more->value_count, 1, error);
out:
    free(index);
    return status;
}

/* What was said of the reading of both, each line of the other with its file. */
static enum cor_status append_notes(struct cor_series *series, const struct cor_series *more,
                                    struct cor_error *error) {
    struct cor_bytes notes = {0};
    char step[64], first[64];
    cor_bytes_print(&notes, "%s", series->notes);
    for (const char *at = more->notes; *at;) {
        size_t length = strcspn(at, "\n");
        cor_bytes_print(&notes, "%s%s: %.*s", notes.size > 0 ? "\n" : "", more->file, (int)length, at);
        at += length + (at[length] == '\n');
    }
    bool differs = series->step_months != more->step_months || series->step_seconds < more->step_seconds ||
                   series->step_seconds > more->step_seconds;
    if (series->step_seconds > 0 && more->step_seconds > 0 && differs) {
        profiles__step_text(series->step_seconds, series->step_months, first, sizeof first);
        profiles__step_text(more->step_seconds, more->step_months, step, sizeof step);
        cor_bytes_print(
            &notes, "%s%s: Time: its step is %s, that of %s is %s; both are counted as transitions alike.",
            notes.size > 0 ? "\n" : "", more->file, step, series->files[0], first);
    }
    free(series->notes);
    series->notes = cor_bytes_text_take(&notes, error);
    return series->notes ? COR_OK : COR_STATUS_MEMORY;
}

enum cor_status cor_series_append(struct cor_series *series, const struct cor_series *more,
                                  struct cor_error *error) {
    COR_ASSERT(series->column_count == more->column_count && series->file_count < COR_SERIES_FILES_MAX);
    if (!series->hours != !more->hours)
        return cor_fail(error, COR_STATUS_INPUT, more->file, "fit files whose times are written alike",
                        "its times %s, unlike those of %s", more->hours ? "have hours" : "have no hours",
                        series->file);
    for (uint32_t i = 0; i < series->file_count; i++)
        if (strcmp(series->files[i], more->file) == 0)
            return cor_fail(error, COR_STATUS_INPUT, more->file, "name each file once", "is named twice");
    COR_TRY(make_room(series, more->value_count, more->segment_count, error));
    for (uint32_t k = 0; k < series->column_count; k++)
        COR_TRY(append_column(series, more, k, error));
    if (series->hours)
        memcpy(series->hours + series->value_count, more->hours, more->value_count);
    for (size_t s = 1; s <= more->segment_count; s++)
        series->starts[series->segment_count + s] = series->value_count + more->starts[s];
    series->value_count += more->value_count;
    series->segment_count += more->segment_count;
    series->gap_count += more->gap_count;
    series->hole_count += more->hole_count;
    series->irregular_count += more->irregular_count;
    COR_TRY(append_notes(series, more, error));
    if (series->step_seconds <= 0) {
        series->step_seconds = more->step_seconds;
        series->step_months = more->step_months;
    }
    char *file = cor_format("%s, %s", series->file, more->file);
    COR_TRY(cor_made(file, error));
    free(series->file);
    series->file = file;
    series->files[series->file_count] = cor_strdup(more->files[0]);
    return cor_made(series->files[series->file_count++], error);
}

enum cor_status cor_series_of_words(const char *name, const char *column, const char *const *words,
                                    uint32_t word_count, struct cor_series **series,
                                    struct cor_error *error) {
    struct cor_series *made;
    uint32_t index;
    enum cor_status status = COR_OK;
    *series = NULL;
    COR_TRY(profiles__begin_series(name, &(const char *){column}, 1, &made, error));
    made->notes = cor_strdup("");
    COR_TRY_OUT(cor_made(made->notes, error));
    for (uint32_t i = 0; i < word_count; i++) {
        COR_TRY_OUT(profiles__take_word(&made->columns[0], words[i], &index, error));
        COR_ASSERT(index == i);
    }
    *series = made;
    made = NULL;
out:
    cor_series_destroy(made);
    return status;
}

enum cor_status cor_series_add(struct cor_series *series, const uint8_t *words, size_t count,
                               struct cor_error *error) {
    COR_ASSERT(series->column_count == 1 && count > 0);
    COR_TRY(make_room(series, count, 1, error));
    for (size_t i = 0; i < count; i++) {
        COR_ASSERT(words[i] < series->columns[0].word_count);
        series->columns[0].values[series->value_count + i] = words[i];
    }
    series->starts[series->segment_count++] = series->value_count;
    series->value_count += count;
    series->starts[series->segment_count] = series->value_count;
    return COR_OK;
}

enum cor_status profiles__begin_series(const char *file, const char *const *columns, uint32_t count,
                                       struct cor_series **series, struct cor_error *error) {
    struct cor_series *made = cor_calloc(1, sizeof *made);
    enum cor_status status = COR_OK;
    *series = NULL;
    COR_TRY(cor_made(made, error));
    made->file = cor_strdup(file);
    made->files = cor_calloc(COR_SERIES_FILES_MAX, sizeof *made->files);
    made->columns = cor_calloc(count, sizeof *made->columns);
    if (!made->file || !made->files || !made->columns)
        COR_TRY_OUT(cor_fail_memory(error));
    made->column_count = count;
    made->files[made->file_count++] = cor_strdup(file);
    COR_TRY_OUT(cor_made(made->files[0], error));
    for (uint32_t k = 0; k < count; k++) {
        made->columns[k].name = cor_strdup(columns[k]);
        COR_TRY_OUT(cor_made(made->columns[k].name, error));
    }
    *series = made;
    made = NULL;
out:
    cor_series_destroy(made);
    return status;
}
