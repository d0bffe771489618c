/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/delimited.h>
#include <corridor/kinds.h>

#include <errno.h>
#include <iconv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    COLUMNS_MOST = COR_SERIES_COLUMNS_MAX,
    WHERE_MOST = 16,
    TIMES_MOST = 6,
    VALUES_MOST = COR_SERIES_VALUES_MAX,
    SERIES_MOST = 10000,
    HEADER_LINES = 200
};

#define TIME_TEXT 48 /* of a column that says a part of a time */
#define GAP_REMEDY "fill the gap, or let gaps split the series (--split-gaps)"

/* What is being made. */
struct making {
    const struct cor_series_def *def;
    struct cor_series *series;  /* owned until handed out */
    struct profiles__row *rows; /* owned */
    double *cells;              /* owned; of the rows, column after column; of words their indices */
    size_t row_count, row_capacity, cell_count, cell_capacity;
    char **names; /* owned, of the series in the order in which they begin */
    size_t name_count, name_capacity;
    size_t value_column[VALUES_MOST], value_count; /* fields that hold values */
    bool is_words[VALUES_MOST];
    size_t series_column, column_count; /* COLUMNS_MOST = none */
    size_t last_wanted;                 /* the last field that is wanted of a row */
    size_t time_column[TIMES_MOST], time_count;
    size_t where_column[WHERE_MOST], where_count;
    struct cor_bytes notes; /* sentences, a line each */
    size_t text_gaps, text_gap_line;
    char text_gap[41];                           /* the first of them */
    size_t days_first, months_first, two_orders; /* dates that tell the order, that need one */
    int thousands;                               /* COR_THOUSANDS_*; 0: nothing parts them */
    bool day_first, decimal_comma, seen_point, ends_empty;
    bool has_hours, has_dates, is_dated, is_zoned, times_begun;
    bool is_behind_gap;   /* the line before was empty */
    bool is_memory_short; /* a look ahead ended early: what it did not see is no guess */
};

/* Reads a field ahead; false at its end for whatever reason: what is wrong with the file is said when it is
 * read. */
static bool peek(struct cor_delimited *ahead, struct making *making, bool *last) {
    const enum cor_status status = cor_delimited_next(ahead, last);
    making->is_memory_short = making->is_memory_short || status == COR_STATUS_MEMORY;
    return status == COR_OK;
}

static enum cor_status check_memory(const struct making *making, struct cor_error *error) {
    return making->is_memory_short ? cor_fail_memory(error) : COR_OK;
}

/* A decimal number and nothing else: strtod alone would take hexadecimal ones, infinities and blanks. */
static bool is_number(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end > text && *end == '\0' && text[strspn(text, "+-.0123456789eE")] == '\0';
}

/* The index of a column that must be in the header once. */
static enum cor_status find_column(const struct cor_delimited *csv, size_t line, char **names,
                                   const char *wanted, size_t *index) {
    char place[512], remedy[1024];
    struct profiles__moment moment;
    double value;
    bool is_data = names[0] && *names[0] && strchr("0123456789-+", *names[0]);
    snprintf(place, sizeof place, "%s:%zu:1", csv->name, line);
    *index = COLUMNS_MOST;
    for (size_t i = 0; names[i]; i++) {
        if (strcmp(names[i], wanted) != 0)
            continue;
        if (*index != COLUMNS_MOST)
            return cor_fail(csv->error, COR_STATUS_INPUT, place, "give the columns names of their own",
                            "two columns are called \"%s\"", wanted);
        *index = i;
    }
    if (*index != COLUMNS_MOST)
        return COR_OK;
    for (size_t i = 0; names[i] && !is_data; i++)
        is_data = is_number(names[i], &value) || profiles__take_moment(names[i], false, &moment);
    if (is_data)
        return cor_fail(
            csv->error, COR_STATUS_INPUT, place,
            "put a line of names in front, apart by what parts the values (blanks: --separator blank)",
            "there is no column \"%s\", and the line has values, no names", wanted);
    cor_known_names(wanted, (const char *const *)names, remedy, sizeof remedy);
    return cor_fail(csv->error, COR_STATUS_INPUT, place, remedy, "there is no column \"%s\"", wanted);
}

/* The name of the column before '=' in "station=north". */
static enum cor_status where_name(const struct cor_delimited *csv, const char *where, char **name) {
    const char *sign = strchr(where, '=');
    if (!sign || sign == where)
        return cor_fail(csv->error, COR_STATUS_INPUT, csv->name, "write it as in station=north",
                        "\"%.80s\" says no rows", where);
    *name = cor_format("%.*s", (int)(sign - where), where);
    return cor_made(*name, csv->error);
}

static bool is_listed(const char *const *names, const char *name) {
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* Whether a field has values; `column`: which. */
static bool is_value(const struct making *making, size_t field, size_t *column) {
    for (*column = 0; *column < making->value_count; ++*column)
        if (making->value_column[*column] == field)
            return true;
    return false;
}

static enum cor_status read_header(struct cor_delimited *csv, struct making *making) {
    enum cor_status status = COR_OK;
    const size_t line = csv->line;
    char **names = cor_calloc(COLUMNS_MOST + 1, sizeof *names), *name = NULL;
    COR_TRY(cor_made(names, csv->error));
    making->series_column = COLUMNS_MOST;
    making->column_count = 0;
    for (bool last = false; !last; (making->column_count)++) {
        if (making->column_count == COLUMNS_MOST)
            COR_TRY_OUT(cor_delimited_fail(csv, NULL, "there are more than %d columns", COLUMNS_MOST));
        COR_TRY_OUT(cor_delimited_next(csv, &last));
        names[making->column_count] = cor_strdup(csv->field);
        COR_TRY_OUT(cor_made(names[making->column_count], csv->error));
    }
    making->ends_empty = names[making->column_count - 1][0] == '\0';
    for (; making->def->columns[making->value_count]; making->value_count++) {
        if (making->value_count == VALUES_MOST)
            COR_TRY_OUT(cor_fail(csv->error, COR_STATUS_INPUT, csv->name, NULL,
                                 "more than %d columns are fitted jointly", VALUES_MOST));
        size_t *column = &making->value_column[making->value_count];
        COR_TRY_OUT(find_column(csv, line, names, making->def->columns[making->value_count], column));
        for (size_t k = 0; k < making->value_count; k++)
            if (making->value_column[k] == *column)
                COR_TRY_OUT(cor_fail(csv->error, COR_STATUS_INPUT, csv->name, "name each column once",
                                     "column \"%s\" is fitted jointly with itself", names[*column]));
    }
    for (size_t i = 0; making->def->words && making->def->words[i]; i++)
        if (!is_listed(making->def->columns, making->def->words[i]))
            COR_TRY_OUT(cor_fail(csv->error, COR_STATUS_INPUT, csv->name, "name it with --column, too",
                                 "the words of column \"%s\" are meant, which is not fitted",
                                 making->def->words[i]));
    for (; making->def->time_columns && making->def->time_columns[making->time_count]; making->time_count++) {
        if (making->time_count == TIMES_MOST)
            COR_TRY_OUT(cor_fail(csv->error, COR_STATUS_INPUT, csv->name, NULL,
                                 "more than %d columns say the time", TIMES_MOST));
        COR_TRY_OUT(find_column(csv, line, names, making->def->time_columns[making->time_count],
                                &making->time_column[making->time_count]));
    }
    if (making->def->series_column)
        COR_TRY_OUT(find_column(csv, line, names, making->def->series_column, &making->series_column));
    for (; making->def->where && making->def->where[making->where_count]; making->where_count++) {
        if (making->where_count == WHERE_MOST)
            COR_TRY_OUT(cor_fail(csv->error, COR_STATUS_INPUT, csv->name, NULL,
                                 "more than %d columns say which rows are meant", WHERE_MOST));
        COR_TRY_OUT(where_name(csv, making->def->where[making->where_count], &name));
        COR_TRY_OUT(find_column(csv, line, names, name, &making->where_column[making->where_count]));
        free(name);
        name = NULL;
    }
    for (size_t i = 0; i < making->column_count; i++) {
        size_t column;
        bool is_one = is_value(making, i, &column) || i == making->series_column;
        for (size_t k = 0; k < making->time_count; k++)
            is_one = is_one || making->time_column[k] == i;
        for (size_t k = 0; k < making->where_count; k++)
            is_one = is_one || making->where_column[k] == i;
        making->last_wanted = is_one ? i : making->last_wanted;
    }
out:
    for (size_t i = 0; i < COLUMNS_MOST; i++)
        free(names[i]);
    free(names);
    free(name);
    return status;
}

/* Fields of the line that follows, and whether the wanted columns are among them. */
static bool is_header(const struct cor_delimited *csv, struct making *making, size_t *field_count) {
    struct cor_delimited ahead = cor_delimited_ahead(csv);
    const char *const *times = making->def->time_columns;
    bool has_column = false, has_time = !times || !times[0], last = false;
    for (*field_count = 0; !last && *field_count < COLUMNS_MOST; ++*field_count) {
        if (!peek(&ahead, making, &last))
            break;
        has_column = has_column || strcmp(ahead.field, making->def->columns[0]) == 0;
        has_time = has_time || strcmp(ahead.field, times[0]) == 0;
    }
    free(ahead.field);
    return has_column && has_time;
}

static const char *separator_name(char separator) {
    return separator == ';'    ? "semicolons"
           : separator == '\t' ? "tabs"
           : separator == '|'  ? "bars"
           : separator == ' '  ? "blanks"
                               : "commas";
}

/* Where the header stands, and what separates fields: what is said, else the first line that has the wanted
 * columns, by commas if they do. */
static enum cor_status find_header(struct cor_delimited *csv, struct making *making) {
    static const char separators[] = {',', ';', '\t', '|', ' '};
    const struct cor_series_def *def = making->def;
    const struct cor_delimited begin = *csv;
    struct cor_delimited found = *csv, widest = *csv;
    size_t most = 0, from = def->header > 0 ? def->header : 1;
    size_t to = def->header > 0 ? def->header : HEADER_LINES;
    bool is_found = false;
    for (size_t line = 1; line < from && !cor_delimited_at_end(csv); line++)
        cor_delimited_skip_line(csv);
    if (cor_delimited_at_end(csv))
        return cor_fail(csv->error, COR_STATUS_INPUT, csv->name,
                        "say which line holds the names of the columns", "it has no line %zu", from);
    for (; csv->line <= to && !cor_delimited_at_end(csv) && !is_found; cor_delimited_skip_line(csv))
        for (size_t i = 0; i < sizeof separators && !is_found; i++) {
            struct cor_delimited here = *csv;
            size_t count = 0;
            here.separator = def->separator ? def->separator : separators[i];
            if (cor_delimited_is_comment(csv))
                continue;
            is_found = is_header(&here, making, &count);
            if (is_found)
                found = here;
            else if (csv->line == from && count > most && (i < 2 || count > 2) && here.separator != ' ') {
                most = count;
                widest = here;
            }
        }
    COR_TRY(check_memory(making, csv->error));
    *csv = is_found ? found : widest;
    if (is_found && !def->separator && csv->separator != ',')
        cor_bytes_print(&making->notes, "Read: fields are separated by %s.\n",
                        separator_name(csv->separator));
    if (is_found && def->header == 0 && csv->line > 1) {
        cor_bytes_print(&making->notes,
                        "Read: the names of the columns stand in line %zu; what is before it is left out.\n",
                        csv->line);
        if (!csv->comment && *begin.at == '#') {
            csv->comment = "#";
            cor_bytes_print(&making->notes, "Read: lines that begin with # are comments.\n");
        }
    }
    return COR_OK;
}

/* What stands for a missing value whatever is said. */
static bool is_word_for_gap(const char *text) {
    static const char *const words[] = {"nan", "na", "null", "none", "n/a", "#n/a", "-", "--", "."};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

static bool is_infinity(const char *text) {
    text += *text == '+' || *text == '-';
    return strcasecmp(text, "inf") == 0 || strcasecmp(text, "infinity") == 0;
}

/* Said to stand for a missing value: the same text, or the same number. */
static bool is_said_missing(const struct making *making, const char *text) {
    double value, missing;
    for (size_t i = 0; making->def->missing && making->def->missing[i]; i++)
        if (strcmp(text, making->def->missing[i]) == 0 ||
            (is_number(text, &value) && is_number(making->def->missing[i], &missing) && !(value < missing) &&
             !(value > missing)))
            return true;
    return false;
}

static const char *const thousands_signs[] = {[COR_THOUSANDS_COMMA] = ",",
                                              [COR_THOUSANDS_POINT] = ".",
                                              [COR_THOUSANDS_BLANK] = " ",
                                              [COR_THOUSANDS_APOSTROPHE] = "'"};

/* The length of the sign at `text`, 0: it is another. */
static size_t thousands_sign(int thousands, const char *text) {
    if (thousands == COR_THOUSANDS_BLANK && strncmp(text, "\xC2\xA0", 2) == 0)
        return 2; /* a no-break space, also a narrow one */
    if (thousands == COR_THOUSANDS_BLANK && strncmp(text, "\xE2\x80\xAF", 3) == 0)
        return 3;
    return *text == *thousands_signs[thousands];
}

/* A number whose thousands are parted by the sign: one to three digits, then groups of three; `number` gets
 * it without (at least as long as the text). The signs that there are; 0: it is written otherwise. */
static size_t take_thousands(const char *text, int thousands, char *number) {
    size_t signs = 0, digits = 0;
    bool is_whole = true;
    for (*number = '\0'; *text;) {
        size_t sign = thousands_sign(thousands, text);
        bool is_digit = *text >= '0' && *text <= '9';
        if (sign > 0 && (!is_whole || (signs == 0 ? digits < 1 || digits > 3 : digits != 3)))
            return 0;
        if (sign == 0 && !is_digit && is_whole && digits > 0) { /* the fraction begins */
            if (signs > 0 && digits != 3)
                return 0;
            is_whole = false;
        }
        digits = sign > 0 ? 0 : digits + (is_digit && is_whole);
        signs += sign > 0;
        if (sign == 0)
            *number++ = *text;
        *number = '\0';
        text += sign > 0 ? sign : 1;
    }
    return is_whole && signs > 0 && digits != 3 ? 0 : signs;
}

/* Which sign parts the thousands of this number beyond doubt, as in 1,234.5 or 1.234.567; 0: none does. */
static int thousands_of(const char *text) {
    char number[64];
    if (strlen(text) >= sizeof number)
        return 0;
    for (int thousands = COR_THOUSANDS_COMMA; thousands <= COR_THOUSANDS_APOSTROPHE; thousands++) {
        size_t signs = take_thousands(text, thousands, number);
        char *comma = strchr(number, ',');
        bool is_sure =
            signs > 1 || (signs == 1 && (thousands >= COR_THOUSANDS_BLANK || strchr(number, '.') || comma));
        double value;
        if (comma && !strchr(comma + 1, ','))
            *comma = '.';
        if (is_sure && is_number(number, &value))
            return thousands;
    }
    return 0;
}

/* Does a field have numbers? */
static bool is_of_numbers(const struct making *making, size_t field) {
    size_t column;
    return is_value(making, field, &column) && !making->is_words[column];
}

/* What parts the thousands of the columns' numbers: what is said, else what one of them shows. */
static enum cor_status find_thousands(struct cor_delimited *csv, struct making *making) {
    struct cor_delimited ahead = cor_delimited_ahead(csv);
    bool goes_on = true;
    making->thousands = making->def->thousands;
    while (making->def->thousands == 0 && goes_on && !cor_delimited_at_end(&ahead)) {
        bool last = false;
        for (size_t i = 0; !last && goes_on; i++) {
            goes_on = peek(&ahead, making, &last);
            int shown = goes_on && is_of_numbers(making, i) ? thousands_of(ahead.field) : 0;
            if (shown == 0 || shown == making->thousands)
                continue;
            if (making->thousands != 0) {
                ahead.error = csv->error;
                enum cor_status status = cor_delimited_fail(
                    &ahead, "write all numbers alike, or say what parts thousands (--thousands)",
                    "\"%.40s\" parts its thousands otherwise than numbers before", ahead.field);
                free(ahead.field);
                return status;
            }
            making->thousands = shown;
            cor_bytes_print(&making->notes,
                            "Read: numbers have a \"%s\" between thousands, such as %s in line %zu.\n",
                            thousands_signs[shown], ahead.field, ahead.field_line);
        }
    }
    free(ahead.field);
    return check_memory(making, csv->error);
}

/* Could its one comma part thousands, too? */
static bool thousands_alone(const char *text) {
    char number[64];
    return strlen(text) < sizeof number && take_thousands(text, COR_THOUSANDS_COMMA, number) > 0;
}

/* With its decimal comma, where there is one, as a point. */
static void take_comma(const struct cor_delimited *csv, struct making *making, char *text) {
    char *comma = strchr(text, ',');
    double value;
    making->seen_point = making->seen_point || strchr(text, '.');
    if (!comma || strchr(comma + 1, ',') || strchr(text, '.') || making->def->decimal == COR_DECIMAL_POINT ||
        (making->def->decimal == 0 &&
         ((csv->separator == ',' && making->thousands != COR_THOUSANDS_POINT) || making->seen_point)))
        return;
    *comma = '.';
    if (!is_number(text, &value)) {
        *comma = ',';
        return;
    }
    if (!making->decimal_comma && making->def->decimal == 0)
        cor_bytes_print(&making->notes,
                        "Read: numbers have a decimal comma, such as %s in line %zu, which is %g%s.\n",
                        csv->field, csv->field_line, value,
                        making->thousands == 0 && thousands_alone(csv->field)
                            ? " (--thousands comma, if the comma parts thousands)"
                            : "");
    making->decimal_comma = true;
}

static enum cor_status read_word(const struct cor_delimited *csv, struct cor_series_column *column,
                                 double *value) {
    const char *remedy;
    uint32_t index;
    if (cor_profile_check_name(csv->field, &remedy) != COR_OK)
        return cor_delimited_fail(csv, remedy, "a state cannot be called \"%.80s\"", csv->field);
    COR_TRY(profiles__take_word(column, csv->field, &index, csv->error));
    if (index == COR_SERIES_WORDS_MAX)
        return cor_delimited_fail(csv, "choose a column of a few words, as states are",
                                  "column \"%.80s\" has more than %d words", column->name,
                                  COR_SERIES_WORDS_MAX);
    *value = index;
    return COR_OK;
}

static enum cor_status read_value(const struct cor_delimited *csv, struct making *making, size_t column,
                                  double *value, bool *gap) {
    const char *text = csv->field;
    char number[64];
    bool is_missing = is_said_missing(making, text), splits = making->def->split_gaps;
    bool is_none = making->is_words[column] && strcasecmp(text, "none") == 0; /* of words it is one */
    *gap = text[0] == '\0' || (is_word_for_gap(text) && !is_none) || is_missing;
    if (*gap && splits)
        return COR_OK;
    if (text[0] == '\0')
        return cor_delimited_fail(csv, GAP_REMEDY, "there is no value in column \"%.80s\"",
                                  making->def->columns[column]);
    if (is_missing)
        return cor_delimited_fail(csv, GAP_REMEDY, "\"%.40s\" is no value, as --missing says", text);
    if (*gap)
        return cor_delimited_fail(csv, GAP_REMEDY, "\"%s\" is no value", text);
    if (making->is_words[column])
        return read_word(csv, &making->series->columns[column], value);
    if (is_infinity(text))
        return cor_delimited_fail(csv, "values are finite", "\"%s\" is no value", text);
    snprintf(number, sizeof number, "%s", text);
    if (making->thousands > 0 && strlen(text) < sizeof number) {
        char parted[sizeof number];
        if (take_thousands(text, making->thousands, parted) > 0)
            snprintf(number, sizeof number, "%s", parted);
        else if (making->thousands < COR_THOUSANDS_BLANK && strchr(text, *thousands_signs[making->thousands]))
            return cor_delimited_fail(
                csv, "write all numbers alike, or say which signs they have (--decimal, --thousands)",
                "\"%.40s\" has no three digits behind \"%s\", which parts thousands", text,
                thousands_signs[making->thousands]);
    }
    take_comma(csv, making, number);
    bool is_mixed = making->decimal_comma && strchr(number, '.') && strchr(text, '.') &&
                    making->thousands != COR_THOUSANDS_POINT;
    if (!is_number(number, value) || strlen(text) >= sizeof number || is_mixed) {
        if (splits && text[strcspn(text, "0123456789")] == '\0') { /* text: no digit in it */
            *gap = true;
            if (making->text_gaps++ == 0) {
                snprintf(making->text_gap, sizeof making->text_gap, "%s", text);
                making->text_gap_line = csv->field_line;
            }
            return COR_OK;
        }
        return cor_delimited_fail(csv,
                                  is_mixed
                                      ? "write all numbers alike, or say which sign is decimal (--decimal)"
                                  : strspn(text, "+-.,0123456789") == 0
                                      ? "write numbers with a decimal point, such as 3.5, or take the words "
                                        "of the column for states (--words)"
                                      : "write numbers with a decimal point, such as 3.5",
                                  is_mixed ? "\"%.40s\" has a point, but numbers before have a decimal comma"
                                           : "\"%.40s\" is not a number",
                                  text);
    }
    if (!isfinite(*value))
        return cor_delimited_fail(csv, "values lie within 1e308", "%.40s is too large", text);
    return COR_OK;
}

/* A cell of the line that follows. */
static bool look_at(struct cor_delimited *ahead, struct making *making, size_t column) {
    bool last = false, is_there = false;
    for (size_t i = 0; !last; i++) {
        char kept[64] = "";
        if (!peek(ahead, making, &last))
            return false;
        if (i == column) {
            is_there = true;
            snprintf(kept, sizeof kept, "%s", ahead->field);
            while (!last) /* the rest of the row */
                if (!peek(ahead, making, &last))
                    return false;
            snprintf(ahead->field, ahead->field_capacity, "%s", kept);
        }
    }
    return is_there;
}

/* A time, or the year of one in several columns. */
static bool is_time(const char *text) {
    struct profiles__moment moment;
    return profiles__take_moment(text, false, &moment) || (*text && !text[strspn(text, "0123456789")]);
}

/* Which columns hold words: those that are said to, and those with text of which no cell begins as a number
 * does. */
static enum cor_status find_words(const struct cor_delimited *csv, struct making *making) {
    struct cor_delimited ahead = cor_delimited_ahead(csv);
    bool has_text[VALUES_MOST] = {false}, has_number[VALUES_MOST] = {false};
    size_t open = making->value_count, column;
    for (uint32_t i = 0; i < making->def->skip && !cor_delimited_at_end(&ahead); i++)
        cor_delimited_skip_line(&ahead);
    for (bool last = false; open > 0 && !cor_delimited_at_end(&ahead); last = false) {
        if (cor_delimited_is_comment(&ahead)) {
            cor_delimited_skip_line(&ahead);
            continue;
        }
        for (size_t i = 0; !last; i++) {
            if (!peek(&ahead, making, &last))
                goto out;
            if (!is_value(making, i, &column) || has_number[column])
                continue;
            const char *text = ahead.field, *digit = text + strspn(text, "+-.,'");
            has_number[column] = (*digit >= '0' && *digit <= '9') || is_infinity(text);
            has_text[column] = has_text[column] || (*text && !is_word_for_gap(text) &&
                                                    !is_said_missing(making, text) && !is_infinity(text));
            open -= has_number[column];
        }
    }
out:
    free(ahead.field);
    for (size_t k = 0; k < making->value_count; k++) {
        const char *name = making->def->columns[k];
        bool is_said = is_listed(making->def->words, name);
        making->is_words[k] = is_said || (has_text[k] && !has_number[k]);
        if (making->is_words[k] && !is_said)
            cor_bytes_print(&making->notes,
                            "Read: column \"%s\" holds words, no numbers (--words): each is a state.\n",
                            name);
    }
    return check_memory(making, csv->error);
}

/* A row of units ("m/s") or of types ("14n") right behind the header: its cell is text, and that below it a
 * number; and it has no time. */
static enum cor_status skip_units(struct cor_delimited *csv, struct making *making) {
    while (!cor_delimited_at_end(csv) && cor_delimited_is_comment(csv))
        cor_delimited_skip_line(csv);
    struct cor_delimited ahead = cor_delimited_ahead(csv), of_time = ahead;
    char unit[64] = "", number[64];
    double value;
    bool is_unit = false;
    bool is_timed =
        making->time_count > 0 && look_at(&of_time, making, making->time_column[0]) && is_time(of_time.field);
    free(of_time.field);
    size_t of_numbers = 0;
    while (of_numbers < making->value_count && making->is_words[of_numbers])
        of_numbers++;
    const size_t column = of_numbers < making->value_count ? making->value_column[of_numbers] : COLUMNS_MOST;
    if (!is_timed && look_at(&ahead, making, column)) {
        snprintf(unit, sizeof unit, "%s", ahead.field);
        size_t digits = strspn(unit, "0123456789");
        bool is_type = digits > 0 && strchr("sdn", unit[digits]) && unit[digits] && !unit[digits + 1];
        is_unit = unit[0] && !is_word_for_gap(unit) && !is_said_missing(making, unit) && !is_infinity(unit) &&
                  (is_type || !strchr("+-.0123456789", unit[0])) && look_at(&ahead, making, column);
    }
    if (is_unit) {
        snprintf(number, sizeof number, "%s", ahead.field);
        char *comma = csv->separator == ',' ? NULL : strchr(number, ',');
        if (comma)
            *comma = '.';
        is_unit = is_number(number, &value);
    }
    free(ahead.field);
    COR_TRY(check_memory(making, csv->error));
    if (!is_unit)
        return COR_OK;
    cor_bytes_print(&making->notes,
                    "Read: line %zu, with \"%s\", holds units and no values, and is left out.\n", csv->line,
                    unit);
    cor_delimited_skip_line(csv);
    return COR_OK;
}

/* Refuses what is no UTF-8, by its first byte that is none. */
static enum cor_status check_encoding(const struct cor_delimited *csv) {
    size_t line = 1;
    const char *line_start = csv->at;
    for (const char *at = csv->at; at < csv->end;) {
        unsigned char c = (unsigned char)*at;
        int more = c < 0x80                ? 0
                   : c >= 0xC2 && c < 0xE0 ? 1
                   : c >= 0xE0 && c < 0xF0 ? 2
                   : c >= 0xF0 && c < 0xF5 ? 3
                                           : -1;
        for (int i = 1; i <= more; i++)
            if (at + i >= csv->end || ((unsigned char)at[i] & 0xC0) != 0x80)
                more = -1;
        if (more < 0) {
            char place[512];
            snprintf(place, sizeof place, "%s:%zu:%zu", csv->name, line, (size_t)(at - line_start) + 1);
            return cor_fail(csv->error, COR_STATUS_INPUT, place,
                            "say how it is encoded (--encoding latin1), or convert it to UTF-8",
                            "the file is not UTF-8: byte 0x%02X", c);
        }
        at += more + 1;
        if (c == csv->line_end) {
            line++;
            line_start = at;
        }
    }
    return COR_OK;
}

/* Behind all that is wanted of a row. */
static enum cor_status keep(const struct cor_delimited *csv, struct making *making,
                            const struct profiles__row *row) {
    COR_TRY(COR_RESERVE(&making->rows, &making->row_capacity, making->row_count + 1, csv->error));
    making->rows[making->row_count++] = *row;
    making->cell_count += making->value_count;
    return COR_OK;
}

/* Columns that say a time, as one text: "2010-01-31", "07:00"; "2010", "1", "31", "7", "5". */
static void join_times(char cells[TIMES_MOST][TIME_TEXT], size_t count, char *text, size_t size) {
    bool all_digits = count > 2;
    for (size_t i = 0; i < count; i++)
        all_digits = all_digits && cells[i][0] && !cells[i][strspn(cells[i], "0123456789")];
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(text);
        const char *between = i == 0 ? "" : !all_digits || i == 3 ? " " : i < 3 ? "-" : ":";
        bool is_hour_alone = all_digits && i == 3 && count == 4;
        snprintf(text + length, size - length, "%s%s%s", between, cells[i], is_hour_alone ? ":00" : "");
    }
}

/* The time of a row; complaints name the column that was read last. */
static enum cor_status take_time(struct cor_delimited *csv, struct making *making, const char *text,
                                 struct profiles__row *row) {
    struct profiles__moment moment;
    if (!profiles__take_moment(text, making->day_first, &moment))
        return cor_delimited_fail(
            csv, "write times such as \"07:00\", \"2010-01-31 07:00:00+01:00\" or \"1/31/2010\"",
            "\"%.40s\" is neither a time nor a date", text);
    making->has_hours = making->has_hours || moment.has_clock;
    making->has_dates = making->has_dates || !moment.has_clock;
    if (making->has_hours && making->has_dates)
        return cor_delimited_fail(csv, "give every row a time of day, or none",
                                  "\"%.40s\" %s, unlike the rows before", text,
                                  moment.has_clock ? "has a time of day" : "has no time of day");
    const bool is_first = !making->times_begun;
    making->times_begun = true;
    making->is_dated = is_first ? moment.has_date : making->is_dated;
    making->is_zoned = is_first ? moment.has_zone : making->is_zoned;
    if (making->is_dated != moment.has_date)
        return cor_delimited_fail(csv, "give every row a date, or none",
                                  "\"%.40s\" %s, unlike the rows before", text,
                                  moment.has_date ? "has a date" : "has no date");
    if (making->is_zoned != moment.has_zone && making->is_dated)
        return cor_delimited_fail(csv, "give every row a zone, or none",
                                  "\"%.40s\" %s, unlike the rows before", text,
                                  moment.has_zone ? "has a zone" : "has no zone");
    making->days_first += moment.is_day_first;
    making->months_first += moment.is_month_first;
    making->two_orders += moment.has_two_orders;
    bool is_against = (making->def->dates == COR_DATES_DAY_FIRST && moment.is_month_first) ||
                      (making->def->dates == COR_DATES_MONTH_FIRST && moment.is_day_first);
    if (is_against)
        return cor_delimited_fail(csv, "say the other order (--dates), or none",
                                  "\"%.40s\" has a month above 12", text);
    if (making->days_first > 0 && making->months_first > 0)
        return cor_delimited_fail(csv, "write all dates alike",
                                  "\"%.40s\" has day and month in another order than rows before", text);
    row->micros = moment.micros;
    row->clock = moment.clock;
    return COR_OK;
}

/* The number of the series that the field read last names. */
static enum cor_status take_series(const struct cor_delimited *csv, struct making *making,
                                   struct profiles__row *row) {
    for (size_t i = making->name_count; i > 0; i--)
        if (strcmp(making->names[i - 1], csv->field) == 0) {
            row->series = (uint32_t)(i - 1);
            return COR_OK;
        }
    if (making->name_count == SERIES_MOST)
        return cor_delimited_fail(csv, "name a column of a few words", "there are more than %d series",
                                  SERIES_MOST);
    COR_TRY(COR_RESERVE(&making->names, &making->name_capacity, making->name_count + 1, csv->error));
    making->names[making->name_count] = cor_strdup(csv->field);
    COR_TRY(cor_made(making->names[making->name_count], csv->error));
    row->series = (uint32_t)making->name_count++;
    return COR_OK;
}

static bool is_wanted(const struct cor_delimited *csv, const struct making *making, size_t field) {
    for (size_t i = 0; i < making->where_count; i++)
        if (making->where_column[i] == field) {
            const char *value = strchr(making->def->where[i], '=') + 1;
            if (strcmp(value, csv->field) != 0)
                return false;
        }
    return true;
}

/* Whether a row of the header's width is still to come. */
static bool has_rows(const struct cor_delimited *csv, struct making *making) {
    struct cor_delimited ahead = cor_delimited_ahead(csv);
    bool found = false;
    while (!found && !cor_delimited_at_end(&ahead)) {
        size_t count = 0;
        for (bool last = false; !last; count++)
            if (!peek(&ahead, making, &last))
                goto out;
        found = count >= making->column_count;
    }
out:
    free(ahead.field);
    return found;
}

static enum cor_status fail_width(struct cor_delimited *csv, const struct making *making, size_t line,
                                  size_t count) {
    csv->field_line = line;
    csv->field_column = 1;
    return cor_delimited_fail(csv,
                              count < making->column_count ? "give each row a field for each column"
                                                           : "quote fields that hold commas",
                              "the row has %zu %s, the header %zu", count, count == 1 ? "field" : "fields",
                              making->column_count);
}

/* Is the field that was read last a wanted column's, and called otherwise than it. */
static bool is_renamed(const struct cor_delimited *csv, const struct making *making, size_t field) {
    const struct cor_series_def *def = making->def;
    bool is_other = making->series_column == field && strcmp(def->series_column, csv->field) != 0;
    for (size_t i = 0; i < making->value_count; i++)
        is_other = is_other || (making->value_column[i] == field && strcmp(def->columns[i], csv->field) != 0);
    for (size_t i = 0; i < making->time_count; i++)
        is_other =
            is_other || (making->time_column[i] == field && strcmp(def->time_columns[i], csv->field) != 0);
    for (size_t i = 0; i < making->where_count; i++) {
        const size_t length = strlen(csv->field);
        is_other =
            is_other || (making->where_column[i] == field &&
                         (strncmp(def->where[i], csv->field, length) != 0 || def->where[i][length] != '='));
    }
    return is_other;
}

/* Does the field that was read last say a value or a time, in whatever way, or that there is none? */
static bool is_data(const struct cor_delimited *csv, const struct making *making) {
    struct profiles__moment moment;
    double value;
    return (csv->field[0] && strchr("0123456789+-.=", csv->field[0])) || is_number(csv->field, &value) ||
           profiles__take_moment(csv->field, false, &moment) || is_word_for_gap(csv->field) ||
           is_said_missing(making, csv->field);
}

/* Is a row the line of names of another table? No field of it says a value or a time (`has_data`), where one
 * must do so, or it has the names of the wanted columns once more. */
static bool is_header_again(const struct making *making, size_t field_count, bool has_data, bool renames) {
    bool has_numbers = false;
    for (size_t i = 0; i < making->value_count; i++)
        has_numbers = has_numbers || !making->is_words[i];
    return (!renames && making->last_wanted < field_count) ||
           (!has_data && (making->row_count > 0 || making->is_behind_gap || making->where_count > 0) &&
            (making->time_count > 0 || (has_numbers && making->is_behind_gap)));
}

/* Another table begins: its rows are for --where and --series to tell, if it has the wanted columns in the
 * same places. */
static enum cor_status begin_table(struct cor_delimited *csv, struct making *making, size_t line,
                                   size_t field_count, bool renames) {
    const bool is_told = making->where_count > 0 || making->def->series_column;
    if (is_told && field_count == 1)
        return COR_OK; /* a title */
    if (is_told && !renames && making->last_wanted < field_count) {
        making->column_count = field_count;
        cor_bytes_print(&making->notes, "Read: another table begins in line %zu, with the same columns.\n",
                        line);
        return COR_OK;
    }
    csv->field_line = line;
    csv->field_column = 1;
    return cor_delimited_fail(
        csv,
        "if a column tells the tables apart, name it (--series NAME) or the rows that are "
        "meant (--where NAME=VALUE); else make a file of each",
        "another table begins in line %zu", line);
}

/* What is complained of waits until the row is known to be wanted: a row of another station may hold what it
 * likes. */
static enum cor_status read_row(struct cor_delimited *csv, struct making *making) {
    size_t field_count = 0, filled = 0, line = csv->line;
    struct profiles__row row = {.line = (uint32_t)line};
    struct cor_delimited before = *csv;
    bool last = false, wanted = true, has_data = false, renames = false;
    for (size_t i = 0; !last; i++) { /* first its width, and whether it is wanted */
        COR_TRY(cor_delimited_next(csv, &last));
        field_count = i + 1;
        filled = csv->field[0] ? field_count : filled;
        wanted = wanted && is_wanted(csv, making, i);
        has_data = has_data || is_data(csv, making);
        renames = renames || is_renamed(csv, making, i);
    }
    const bool may_end =
                   filled == 0 && making->column_count > 1 && (field_count == 1 || making->time_count > 0),
               ends = may_end && !has_rows(csv, making);
    COR_TRY(check_memory(making, csv->error));
    if (ends) {
        if (!cor_delimited_is_over(csv))
            cor_bytes_print(&making->notes,
                            "Read: line %zu and those behind it are no rows, and are left out.\n", csv->line);
        csv->at = csv->end;
        return COR_OK;
    }
    making->is_behind_gap = making->is_behind_gap || may_end;
    if (may_end) /* an empty line among the rows */
        return COR_OK;
    if (is_header_again(making, field_count, has_data, renames))
        return begin_table(csv, making, line, field_count, renames);
    making->is_behind_gap = false;
    bool is_short = field_count + 1 == making->column_count && making->ends_empty;
    if (!is_short && (field_count < making->column_count || filled > making->column_count))
        return fail_width(csv, making, line, field_count);
    if (!wanted)
        return COR_OK;
    char times[TIMES_MOST][TIME_TEXT], time[TIMES_MOST * (TIME_TEXT + 1)];
    size_t time_count = 0;
    row.cell = making->cell_count;
    COR_TRY(COR_RESERVE(&making->cells, &making->cell_capacity, making->cell_count + making->value_count,
                        csv->error));
    memset(making->cells + row.cell, 0, making->value_count * sizeof *making->cells);
    struct cor_delimited again = before;
    again.field = csv->field;
    again.field_capacity = csv->field_capacity;
    enum cor_status status = COR_OK;
    last = false;
    for (size_t i = 0; !last && status == COR_OK; i++) {
        COR_TRY_OUT(cor_delimited_next(&again, &last));
        size_t column;
        if (is_value(making, i, &column)) {
            bool gap;
            COR_TRY_OUT(
                read_value(&again, making, column, &making->cells[making->cell_count + column], &gap));
            row.gap = row.gap || gap;
        }
        for (size_t k = 0; k < making->time_count; k++) {
            if (i != making->time_column[k])
                continue;
            snprintf(times[k], sizeof times[k], "%s", again.field);
            if (++time_count < making->time_count)
                continue;
            join_times(times, time_count, time, sizeof time);
            COR_TRY_OUT(take_time(&again, making, time_count == 1 ? again.field : time, &row));
        }
        if (i == making->series_column)
            COR_TRY_OUT(take_series(&again, making, &row));
    }
    COR_TRY_OUT(keep(csv, making, &row));
out:
    csv->field = again.field;
    csv->field_capacity = again.field_capacity;
    return status;
}

static enum cor_status read_rows(struct cor_delimited *csv, struct making *making) {
    for (uint32_t i = 0; i < making->def->skip && !cor_delimited_at_end(csv); i++)
        cor_delimited_skip_line(csv);
    if (making->def->skip == 0)
        COR_TRY(skip_units(csv, making));
    while (!cor_delimited_is_over(csv)) {
        if (cor_delimited_is_comment(csv))
            cor_delimited_skip_line(csv);
        else
            COR_TRY(read_row(csv, making));
    }
    return COR_OK;
}

/* Steps that differ from the one before: fewer where dates are read as meant. */
static size_t unevenness(const struct making *making) {
    const struct profiles__row *row = making->rows;
    size_t uneven = 0;
    for (size_t i = 2; i < making->row_count; i++)
        uneven += row[i].micros - row[i - 1].micros != row[i - 1].micros - row[i - 2].micros;
    return uneven;
}

static void forget_rows(struct making *making) {
    for (size_t i = 0; i < making->name_count; i++)
        free(making->names[i]);
    making->row_count = making->name_count = making->cell_count = 0;
    making->days_first = making->months_first = making->two_orders = 0;
    making->times_begun = making->has_hours = making->has_dates = making->is_behind_gap = false;
    making->decimal_comma = making->seen_point = false;
    making->text_gaps = 0;
}

/* Reads all rows; dates such as 1/2/2010 in the order that is asked for, that some of them leave no doubt
 * of, or in which the steps are more even. */
static enum cor_status read_in_order(struct cor_delimited *csv, struct making *making) {
    const struct cor_delimited begin = *csv;
    const size_t notes_size = making->notes.size;
    making->day_first = making->def->dates == COR_DATES_DAY_FIRST;
    COR_TRY(read_rows(csv, making));
    if (making->two_orders == 0 || making->def->dates || making->months_first > 0)
        return COR_OK;
    bool is_told = making->days_first > 0;
    size_t uneven = unevenness(making);
    for (int way = 0; way < 2; way++) { /* once more by the day, and back if that is no better */
        char *field = csv->field;
        size_t capacity = csv->field_capacity;
        making->day_first = way == 0;
        forget_rows(making);
        *csv = begin;
        csv->field = field;
        csv->field_capacity = capacity;
        making->notes.size = notes_size;
        COR_TRY(read_rows(csv, making));
        if (is_told || unevenness(making) < uneven)
            break;
    }
    cor_bytes_print(&making->notes, "Read: dates such as 1/2/2010 are read with the %s first%s.\n",
                    making->day_first ? "day" : "month",
                    is_told ? "" : ", which no date decides (--dates says the order)");
    return COR_OK;
}

static enum cor_status make(struct cor_delimited *csv, struct making *making) {
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    if (csv->at < csv->end && memchr(csv->at, '\0', (size_t)(csv->end - csv->at)))
        return cor_fail(csv->error, COR_STATUS_INPUT, csv->name, "give a text file in UTF-8",
                        "it holds zero bytes");
    if (csv->end - csv->at >= 3 && memcmp(csv->at, byte_order_mark, 3) == 0)
        csv->line_start = csv->at += 3;
    COR_TRY(check_encoding(csv));
    if (cor_delimited_is_over(csv))
        return cor_fail(csv->error, COR_STATUS_INPUT, csv->name, "begin with a row of column names",
                        "it is empty");
    if (csv->line_end == '\r' && memchr(csv->at, '\r', (size_t)(csv->end - csv->at)))
        cor_bytes_print(&making->notes, "Read: lines end with CR alone.\n");
    COR_TRY(find_header(csv, making));
    COR_TRY(read_header(csv, making));
    COR_TRY(find_words(csv, making));
    COR_TRY(find_thousands(csv, making));
    COR_TRY(read_in_order(csv, making));
    size_t values = 0;
    for (size_t i = 0; i < making->row_count; i++)
        values += !making->rows[i].gap;
    if (values == 0)
        return cor_fail(csv->error, COR_STATUS_INPUT, csv->name, "give at least one row with a value",
                        "column \"%s\" holds no values", making->def->columns[0]);
    for (size_t k = 0; k < making->value_count; k++)
        if (making->is_words[k])
            COR_TRY(profiles__sort_words(&making->series->columns[k], making->cells + k, making->row_count,
                                         making->value_count, csv->error));
    struct profiles__rows rows = {.row = making->rows,
                                  .cells = making->cells,
                                  .count = making->row_count,
                                  .is_dated = making->is_dated && making->times_begun,
                                  .is_zoned = making->is_zoned,
                                  .has_clock = making->has_hours,
                                  .name = csv->name,
                                  .notes = &making->notes};
    COR_TRY(profiles__order_rows(&rows, csv->error));
    if (making->def->every > 0) {
        struct profiles__row *held;
        enum cor_status status = profiles__hold_rows(&rows, making->def, &held, csv->error);
        free(making->rows);
        making->rows = held;
        COR_TRY(status);
    }
    COR_TRY(profiles__cut_rows(&rows, making->def, making->series, csv->error));
    COR_TRY(profiles__find_sentinels(&rows, making->series, csv->error));
    if (making->text_gaps > 0)
        cor_bytes_print(&making->notes,
                        "Gaps: %zu cells of text, the first \"%s\" in line %zu, are no values.\n",
                        making->text_gaps, making->text_gap, making->text_gap_line);
    if (making->notes.size > 0)
        making->notes.bytes[--making->notes.size] = 0; /* the last line end */
    making->series->notes = cor_bytes_text_take(&making->notes, csv->error);
    return making->series->notes ? COR_OK : COR_STATUS_MEMORY;
}

enum cor_status cor_series_parse(const char *text, size_t length, const char *name,
                                 const struct cor_series_def *def, struct cor_series **series,
                                 struct cor_error *error) {
    struct cor_delimited csv =
        cor_delimited_begin(text, length, name, def->separator ? def->separator : ',', error);
    csv.comment = def->comment;
    struct making making = {.def = def};
    uint32_t columns = 0;
    while (def->columns[columns])
        columns++;
    *series = NULL;
    COR_TRY(profiles__begin_series(name, def->columns, columns, &making.series, error));
    enum cor_status status = make(&csv, &making);
    free(csv.field);
    forget_rows(&making);
    free(making.names);
    free(making.rows);
    free(making.cells);
    cor_bytes_fini(&making.notes);
    if (status == COR_OK)
        *series = making.series;
    else
        cor_series_destroy(making.series);
    return status;
}

/* Makes UTF-8 of what is encoded otherwise. */
static enum cor_status convert(const char *path, const char *encoding, char **text, size_t *length,
                               struct cor_error *error) {
    iconv_t converter = iconv_open("UTF-8", encoding);
    if (converter == (iconv_t)-1) /* NOLINT(performance-no-int-to-ptr) */
        return cor_fail(error, COR_STATUS_INPUT, path,
                        "use a name that \"iconv -l\" lists, such as latin1 or cp1252",
                        "there is no encoding \"%.40s\"", encoding);
    size_t capacity = *length * 4 + 16, left = *length, room = capacity;
    char *from = *text, *made = cor_calloc(capacity, 1), *to = made;
    enum cor_status status = cor_made(made, error);
    if (status == COR_OK && iconv(converter, &from, &left, &to, &room) == (size_t)-1)
        status = cor_fail(error, COR_STATUS_INPUT, path, "name another encoding",
                          "byte %zu is no text in encoding \"%.40s\"", (size_t)(from - *text) + 1, encoding);
    iconv_close(converter);
    if (status != COR_OK) {
        free(made);
        return status;
    }
    free(*text);
    *text = made;
    *length = capacity - room;
    return COR_OK;
}

static enum cor_status read_text(FILE *file, const char *path, char **text, size_t *length,
                                 struct cor_error *error) {
    size_t capacity = 0, got = 1;
    while (got > 0) {
        COR_TRY(COR_RESERVE(text, &capacity, *length + 65536, error));
        got = fread(*text + *length, 1, capacity - *length, file);
        *length += got;
        if (*length > COR_SERIES_BYTES_MAX)
            return cor_fail(error, COR_STATUS_INPUT, path, "give a part of it", "it is larger than 256 MiB");
    }
    return ferror(file) ? cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot be read") : COR_OK;
}

enum cor_status cor_series_read(const char *path, const struct cor_series_def *def,
                                struct cor_series **series, struct cor_error *error) {
    char *text = NULL;
    size_t length = 0;
    *series = NULL;
    const char *reader, *what = cor_what_file(path, &reader);
    if (what)
        return cor_fail(error, COR_STATUS_INPUT, path, reader, "is %s, not a table of measurements (CSV)",
                        what);
    FILE *file = fopen(path, "rb");
    if (!file)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot be opened");
    enum cor_status status = read_text(file, path, &text, &length, error);
    fclose(file);
    if (status == COR_OK && def->encoding)
        status = convert(path, def->encoding, &text, &length, error);
    if (status == COR_OK)
        status = cor_series_parse(text, length, path, def, series, error);
    free(text);
    return status;
}
