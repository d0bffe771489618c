/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sheet for readers, as a text and in a page; and for programs, as CSV (RFC 4180) and JSON: all rows, all
 * columns, numbers that read back exactly. */
#include "parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cell for a reader. */
struct shown {
    char number[COR_CELL]; /* count, real, mean of an estimate, word of a flag, n/a; "" for words */
    char low[COR_CELL], high[COR_CELL]; /* of an interval, "" if there is none */
    const char *mark;                   /* of the interval */
    const char *text;                   /* words, "" for numbers; may hold control characters */
};

/* The columns that a reader sees, those of groups apart, and how many of groups there are; first those that
 * tell rows apart. */
struct columns {
    size_t groups, shown, keys;
    size_t column[COR_SHEET_COLUMNS_MAX];
    size_t rows; /* rows that may be shown */
};

/* ---- what a reader sees of a sheet: decided here for text and HTML alike */

#define BRIEF_ROWS 8 /* of a list that may be long */

static void number_text(const struct cor_column_definition *column, double value, char text[COR_CELL]) {
    bool percent = strcmp(column->unit, "%") == 0;
    if (isnan(value))
        strcpy(text, "n/a");
    else if (isinf(value))
        strcpy(text, value > 0 ? "inf" : "-inf");
    else if (column->digits == COR_DIGITS_FOUR)
        cor_brief_text(value, text);
    else {
        if (fabs(value) >= 1e12) { /* nobody counts the digits */
            snprintf(text, COR_CELL, "%.4g", value);
            return;
        }
        snprintf(text, COR_CELL, "%.*f", column->digits, value);
        double step = pow(10, -column->digits), rounded = strtod(text, NULL);
        if (percent && value < 100 - 1e-6 && rounded >= 100) /* sums that round, too, are all */
            snprintf(text, COR_CELL, ">%.*f", column->digits, 100 - step);
        else if (percent && value > 0 && rounded <= 0)
            snprintf(text, COR_CELL, "<%.*f", column->digits, step);
        else if (text[0] == '-' && text[strspn(text, "-0.")] == '\0') /* "-0.00" says no more than "0.00" */
            memmove(text, text + 1, strlen(text));
    }
}

/* An end that is not reached is "...", one that is refused "?". */
static void show_interval(const struct cor_column_definition *column, const struct cor_estimate *estimate,
                          struct shown *shown) {
    const bool refused = estimate->interval == COR_INTERVAL_FEW_SUITES;
    if ((column->flags & COR_COLUMN_SHORT) || (isnan(estimate->low) && isnan(estimate->high) && !refused))
        return;
    number_text(column, estimate->low, shown->low);
    number_text(column, estimate->high, shown->high);
    if (isnan(estimate->low))
        strcpy(shown->low, refused ? "?" : "...");
    if (isnan(estimate->high))
        strcpy(shown->high, refused ? "?" : "...");
    shown->mark = cor_interval_mark(estimate->interval);
}

/* The one place that decides on digits, on the words of flags and on what stands where nothing is available.
 * Never rounds a percentage to 100 or 0 that is not: ">99.9", "<0.1". */
static struct shown shown_cell(const struct cor_column_definition *column,
                               const struct cor_table_cell *cell) {
    struct shown shown = {.mark = "", .text = ""};
    switch (cell->kind) {
    case COR_CELL_NOTHING:
        strcpy(shown.number, "n/a");
        break;
    case COR_CELL_COUNT:
        cor_integer_text(cell->count, shown.number);
        break;
    case COR_CELL_REAL:
        number_text(column, cell->real, shown.number);
        break;
    case COR_CELL_ESTIMATE:
        number_text(column, cell->estimate->mean, shown.number);
        show_interval(column, cell->estimate, &shown);
        break;
    case COR_CELL_FLAG:
        strcpy(shown.number, cell->flag ? "yes" : "no");
        break;
    case COR_CELL_WORD:
    case COR_CELL_TEXT:
        shown.text = cell->text;
        break;
    }
    return shown;
}

/* Is the column one of numbers (aligned to the right)? */
static bool is_number_column(const struct cor_column_definition *column) {
    return column->kind == COR_CELL_COUNT || column->kind == COR_CELL_REAL ||
           column->kind == COR_CELL_ESTIMATE;
}

/* Has the unit to be said? */
static bool has_unit(const struct cor_column_definition *column) {
    return column->unit[0] && strcmp(column->unit, "1") != 0 && strcmp(column->unit, column->heading) != 0;
}

/* The percentage that a bar draws, NaN if there is none. */
static double bar_percent(const struct cor_column_definition *column, const struct cor_table_cell *cell) {
    if (!(column->flags & COR_COLUMN_BAR))
        return NAN;
    return cell->kind == COR_CELL_REAL       ? cell->real
           : cell->kind == COR_CELL_ESTIMATE ? cell->estimate->mean
                                             : NAN;
}

/* The first group column whose heading stands anew over `row`, which follows row `before` (SIZE_MAX: none);
 * `groups` if none does. */
static size_t group_begun(const struct cor_sheet *sheet, const struct columns *columns, size_t before,
                          size_t row) {
    for (size_t group = 0; group < columns->groups; group++) {
        const struct cor_column_definition *column = &sheet->definition->columns[group];
        if (before == SIZE_MAX)
            return 0;
        struct shown was = shown_cell(column, cor_sheet_cell(sheet, before, group)),
                     now = shown_cell(column, cor_sheet_cell(sheet, row, group));
        if (strcmp(was.text, now.text) != 0 || strcmp(was.number, now.number) != 0)
            return group;
    }
    return columns->groups;
}

/* Whether a text shows the column in its rows. */
static bool is_column_shown(const struct cor_column_definition *column, bool brief) {
    return !(column->flags & (COR_COLUMN_GROUP | COR_COLUMN_DATA | (brief ? COR_COLUMN_MORE : 0)));
}

static struct columns columns_shown(const struct cor_sheet *sheet, bool brief) {
    const struct cor_sheet_definition *definition = sheet->definition;
    struct columns columns = {.rows = cor_sheet_size(sheet)};
    for (int keys = 1; keys >= 0; keys--) {
        for (size_t i = 0; i < definition->column_count; i++)
            if (is_column_shown(&definition->columns[i], brief) &&
                keys == ((definition->columns[i].flags & COR_COLUMN_KEY) != 0))
                columns.column[columns.shown++] = i;
        columns.keys = keys ? columns.shown : columns.keys > 0 ? columns.keys : columns.shown > 0;
    }
    for (size_t i = 0; i < definition->column_count; i++)
        columns.groups += (definition->columns[i].flags & COR_COLUMN_GROUP) != 0;
    if (!(definition->flags & COR_SHEET_FIRST) || columns.rows == 0)
        return columns;
    for (size_t row = 1; row < columns.rows; row++)
        if (group_begun(sheet, &columns, row - 1, row) < columns.groups)
            columns.rows = row;
    columns.groups = 0;
    return columns;
}

/* How many rows of each group a reader sees at most. */
static size_t rows_most(const struct cor_sheet *sheet, bool brief) {
    const size_t most = sheet->text_rows > 0 ? sheet->text_rows : SIZE_MAX;
    return brief && sheet->text_rows > BRIEF_ROWS ? BRIEF_ROWS : most;
}

/* Has a reader anything to see of this sheet? */
static bool is_sheet_shown(const struct cor_sheet *sheet) {
    int flags = sheet->definition->flags;
    return !(flags & COR_SHEET_DATA) && !((flags & COR_SHEET_RECORD) && cor_sheet_size(sheet) == 0);
}

/* ---- sheets for a reader at a terminal */

#define INDENT 2
#define GAP 2        /* between columns */
#define REMARK 108   /* columns that a remark fills */
#define SENTENCE 24  /* columns that a sentence at the end of a row has at least, in lines */
#define BAR_WIDTH 13 /* " [########..]" */

/* Characters that a column takes: of an estimate the mean, the ends and the mark each for themselves. */
struct layout {
    size_t column; /* of the sheet */
    size_t number, low, high, mark;
    size_t usual; /* of its texts that take no more than half a line */
    size_t width; /* of all, headings included */
};

struct table {
    FILE *file;
    const struct cor_style *style;
    const struct cor_sheet *sheet;
    struct columns columns;
    struct layout layout[COR_SHEET_COLUMNS_MAX];
    size_t block[COR_SHEET_COLUMNS_MAX], block_count; /* layouts that stand beside each other */
    bool units_below;                                 /* a line of units below the headings */
};

static void put_blanks(FILE *file, size_t count) {
    fprintf(file, "%*s", (int)count, "");
}

static void put_shown(FILE *file, const char *text) {
    while (*text)
        text += cor_put_shown(file, text);
}

static const char *tone_of(const struct cor_style *style, enum cor_tone tone) {
    const char *const tones[] = {"", style->good, style->bad, style->faint, style->strong};
    COR_ASSERT((size_t)tone < sizeof tones / sizeof *tones);
    return tones[tone];
}

static void put_toned(FILE *file, const struct cor_style *style, enum cor_tone tone, const char *text) {
    fputs(tone_of(style, tone), file);
    put_shown(file, text);
    fputs(tone != COR_TONE_PLAIN ? style->plain : "", file);
}

/* Bytes of the next word. A command in quotes is one, so that it can be pasted; of one that no line has room
 * for, or that was parted for that already, what ends with a comma. */
static size_t word_bytes(const char *text, size_t room, bool parted) {
    size_t bytes = strcspn(text, " \n\t");
    if (strncmp(text, "\"corridor ", strlen("\"corridor ")) == 0) {
        const size_t command = 1 + strcspn(text + 1, "\"");
        if (text[command] && command < room)
            return command + strcspn(text + command, " \n\t");
    }
    for (size_t part = 0; (parted || bytes > room) && part < bytes; part++)
        if (text[part] == ',')
            return part + 1;
    return bytes;
}

void cor_put_wrapped(FILE *file, const char *text, size_t at, size_t indent, size_t width) {
    const char *const first = text;
    bool begun = at > indent; /* the line */
    width = width > 0 ? width : SIZE_MAX;
    for (;;) {
        char word[COR_CELL * 8];
        const size_t between = strspn(text, " \n\t");
        const bool joined = begun && between == 0 && text != first; /* to the word before it */
        text += between;
        size_t bytes = word_bytes(text, width > indent ? width - indent : width, joined);
        if (bytes == 0)
            break;
        if (bytes >= sizeof word) /* no word; at least no character is cut */
            for (bytes = sizeof word - 1; ((unsigned char)text[bytes] & 0xc0) == 0x80;)
                bytes--;
        memcpy(word, text, bytes);
        word[bytes] = 0;
        text += bytes;
        size_t length = cor_utf8_length(word);
        if (begun && at + !joined + length > width) {
            fputc('\n', file);
            at = 0;
            begun = false;
        }
        size_t blanks = begun ? !joined : at < indent ? indent - at : 0;
        put_blanks(file, blanks);
        put_shown(file, word);
        at += length + blanks;
        begun = true;
    }
    fputc('\n', file);
}

static size_t remark_width(const struct cor_style *style) {
    return style->width > 0 && style->width < REMARK ? style->width : REMARK;
}

static void widen(size_t *width, size_t needed) {
    *width = *width > needed ? *width : needed;
}

static const struct cor_column_definition *column_of(const struct table *table, const struct layout *layout) {
    return &table->sheet->definition->columns[layout->column];
}

/* "[low, high]mark" */
static size_t interval_width(const struct layout *layout) {
    return layout->high > 0 ? layout->low + layout->high + layout->mark + strlen(" [, ]") : 0;
}

static bool is_left_out(const struct table *table, size_t row) {
    return table->style->brief && cor_sheet_cell(table->sheet, row, 0)->more;
}

/* Line `line` of a heading, counted from below, as bytes and characters. */
static const char *heading_line(const char *heading, size_t line, size_t *bytes) {
    const char *end = heading + strlen(heading), *begin;
    for (;; line--) {
        for (begin = end; begin > heading && begin[-1] != '\n'; begin--)
            ;
        if (line == 0 || begin == heading)
            break;
        end = begin - 1;
    }
    *bytes = line > 0 ? 0 : (size_t)(end - begin);
    return begin;
}

static size_t heading_lines(const char *heading) {
    size_t lines = 1;
    for (; *heading; heading++)
        lines += *heading == '\n';
    return lines;
}

static size_t characters_in(const char *text, size_t bytes) {
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

static size_t unit_width(const struct cor_column_definition *column) {
    return has_unit(column) ? cor_utf8_length(column->unit) + strlen("()") : 0;
}

/* Widths by headings; units stand behind them if no column gets wider by that. */
static void measure_heading(struct table *table, struct layout *layout) {
    const struct cor_column_definition *column = column_of(table, layout);
    size_t last = 0, unit = unit_width(column);
    for (size_t line = 0; line < heading_lines(column->heading); line++) {
        size_t bytes, length;
        const char *text = heading_line(column->heading, line, &bytes);
        length = characters_in(text, bytes);
        last = line == 0 ? length : last;
        widen(&layout->width, length);
    }
    widen(&layout->width, unit);
    table->units_below = table->units_below || (unit > 0 && last + 1 + unit > layout->width);
}

/* The edge to which headings and numbers of a column stretch: that of the numbers, where intervals or bars
 * follow. */
static size_t edge_of(const struct table *table, const struct layout *layout, size_t length) {
    if (!is_number_column(column_of(table, layout)))
        return length;
    bool followed = interval_width(layout) > 0 || (column_of(table, layout)->flags & COR_COLUMN_BAR);
    return !followed ? layout->width : layout->number > length ? layout->number : length;
}

/* A line of headings: `line` from below; or that of the units, where those have one. */
static void put_heading_line(const struct table *table, size_t line, bool units) {
    size_t indent = INDENT + 2 * table->columns.groups, pending = indent;
    for (size_t b = 0; b < table->block_count; b++) {
        const struct layout *layout = &table->layout[table->block[b]];
        const struct cor_column_definition *column = column_of(table, layout);
        size_t bytes = 0, unit = units || (line == 0 && !table->units_below) ? unit_width(column) : 0;
        const char *text = units ? "" : heading_line(column->heading, line, &bytes);
        size_t gap = unit > 0 && bytes > 0, length = characters_in(text, bytes) + gap + unit;
        size_t edge = edge_of(table, layout, length);
        if (length > 0) {
            put_blanks(table->file, pending + edge - length);
            fprintf(table->file, "%.*s%s", (int)bytes, text, gap ? " " : "");
            if (unit > 0)
                fprintf(table->file, "(%s)", column->unit);
            pending = 0;
        } else
            pending += edge;
        pending += layout->width - edge + GAP;
    }
    fputc('\n', table->file);
}

static void put_text_bar(FILE *file, double percent) {
    static const char full[] = "##########", empty[] = "..........";
    if (isnan(percent)) {
        put_blanks(file, BAR_WIDTH);
        return;
    }
    int filled = (int)(fmin(fmax(percent, 0), 100) / 10);
    fprintf(file, " [%.*s%.*s]", filled, full, 10 - filled, empty);
}

/* Number, interval and bar; returns the characters written. */
static size_t put_number(const struct table *table, const struct layout *layout,
                         const struct cor_table_cell *cell, const struct shown *shown) {
    const struct cor_column_definition *column = column_of(table, layout);
    bool bar = column->flags & COR_COLUMN_BAR;
    size_t edge = edge_of(table, layout, layout->number), used = edge;
    put_blanks(table->file, edge - strlen(shown->number));
    put_toned(table->file, table->style, cell->tone, shown->number);
    if (bar) {
        put_text_bar(table->file, bar_percent(column, cell));
        used += BAR_WIDTH;
    }
    if (shown->high[0]) {
        fprintf(table->file, " [%*s, %*s]%s", (int)layout->low, shown->low, (int)layout->high, shown->high,
                shown->mark);
        used += strlen(" [, ]") + layout->low + layout->high + cor_utf8_length(shown->mark);
    }
    return used;
}

static void put_text_row(const struct table *table, size_t row) {
    size_t pending = INDENT + 2 * table->columns.groups, at = 0;
    for (size_t b = 0; b < table->block_count; b++) {
        const struct layout *layout = &table->layout[table->block[b]];
        const struct cor_column_definition *column = column_of(table, layout);
        const struct cor_table_cell *cell = cor_sheet_cell(table->sheet, row, layout->column);
        struct shown shown = shown_cell(column, cell);
        size_t used = cor_utf8_length(shown.text) + strlen(shown.number);
        if (used > 0) {
            put_blanks(table->file, pending);
            at += pending;
            pending = 0;
        }
        /* Given less than it takes: a sentence at the end, or what stands alone. */
        if (used > layout->width && !(column->flags & COR_COLUMN_PASTED)) {
            fputs(tone_of(table->style, cell->tone), table->file);
            cor_put_wrapped(table->file, shown.text, at, at, table->style->width);
            fputs(cell->tone != COR_TONE_PLAIN ? table->style->plain : "", table->file);
            if (b + 1 == table->block_count)
                return;
            pending = at + layout->width + GAP;
            at = 0;
            continue;
        }
        if (used > 0 && is_number_column(column))
            used = put_number(table, layout, cell, &shown);
        else
            put_toned(table->file, table->style, cell->tone, shown.text[0] ? shown.text : shown.number);
        at += used;
        pending += (layout->width > used ? layout->width - used : 0) + GAP;
    }
    fputc('\n', table->file);
}

static void put_text_more(const struct table *table, size_t rows) {
    const size_t most = rows_most(table->sheet, table->style->brief);
    if (rows <= most)
        return;
    put_blanks(table->file, INDENT + 2 * table->columns.groups);
    fprintf(table->file, "and %zu more (%s)\n", rows - most,
            most < table->sheet->text_rows ? "--all has more" : "--json has all");
}

/* The columns from `next` on that fit beside those that tell rows apart; returns the one that follows. */
static size_t fill_block(struct table *table, size_t next) {
    const size_t width = table->style->width, shown = table->columns.shown;
    size_t at = INDENT + 2 * table->columns.groups;
    table->block_count = 0;
    for (size_t key = 0; key < table->columns.keys; key++) {
        table->block[table->block_count++] = key;
        at += table->layout[key].width + GAP;
    }
    next = next > table->columns.keys ? next : table->columns.keys;
    const size_t first = next;
    for (; next < shown; next++) {
        struct layout *layout = &table->layout[next];
        const bool ends = next + 1 == shown && !is_number_column(column_of(table, layout));
        if (width > 0 && at + layout->width > width) {
            if (!ends && next > first)
                break;
            if (ends && at + SENTENCE > width && next > first)
                break;
            if (ends)
                layout->width = at + SENTENCE > width ? SENTENCE : width - at;
        }
        table->block[table->block_count++] = next;
        at += layout->width + GAP;
    }
    /* A column without a heading says more of the one before it. */
    while (next < shown && next > first + 1 && !column_of(table, &table->layout[next])->heading[0]) {
        next--;
        table->block_count--;
    }
    return next;
}

static void put_block(struct table *table) {
    size_t in_group = 0, before = SIZE_MAX;
    size_t lines = 0, letters = 0, units = 0;
    for (size_t b = 0; b < table->block_count; b++) {
        const char *heading = column_of(table, &table->layout[table->block[b]])->heading;
        widen(&lines, heading_lines(heading));
        letters += strlen(heading);
        units += unit_width(column_of(table, &table->layout[table->block[b]]));
    }
    for (size_t line = lines; letters > 0 && line-- > 0;)
        put_heading_line(table, line, false);
    if (table->units_below && units > 0)
        put_heading_line(table, 0, true);
    for (size_t row = 0; row < table->columns.rows; row++) {
        if (is_left_out(table, row))
            continue;
        size_t group = group_begun(table->sheet, &table->columns, before, row);
        before = row;
        if (group < table->columns.groups) {
            put_text_more(table, in_group);
            in_group = 0;
        }
        for (; group < table->columns.groups; group++) {
            const struct cor_column_definition *column = &table->sheet->definition->columns[group];
            const struct cor_table_cell *cell = cor_sheet_cell(table->sheet, row, group);
            struct shown shown = shown_cell(column, cell);
            put_blanks(table->file, INDENT + 2 * group);
            if (column->heading[0])
                fprintf(table->file, "%s ", column->heading);
            put_toned(table->file, table->style, cell->tone != COR_TONE_PLAIN ? cell->tone : COR_TONE_STRONG,
                      shown.text[0] ? shown.text : shown.number);
            fputc('\n', table->file);
        }
        if (in_group++ < rows_most(table->sheet, table->style->brief))
            put_text_row(table, row);
    }
    put_text_more(table, in_group);
}

static void put_table(struct table *table) {
    size_t rows = 0;
    table->columns = columns_shown(table->sheet, table->style->brief);
    for (size_t row = 0; row < table->columns.rows; row++)
        rows += !is_left_out(table, row);
    if (rows == 0) {
        fprintf(table->file, "%*snone\n", INDENT, "");
        return;
    }
    size_t whole = INDENT + 2 * table->columns.groups;
    for (size_t i = 0; i < table->columns.shown; i++) {
        struct layout *layout = &table->layout[i];
        layout->column = table->columns.column[i];
        const struct cor_column_definition *column = column_of(table, layout);
        const size_t half = table->style->width / 2;
        size_t in_group = 0, before = SIZE_MAX;
        for (size_t row = 0; row < table->columns.rows; row++) {
            if (is_left_out(table, row))
                continue;
            if (group_begun(table->sheet, &table->columns, before, row) < table->columns.groups)
                in_group = 0;
            before = row;
            if (in_group++ >= rows_most(table->sheet, table->style->brief))
                continue;
            struct shown shown = shown_cell(column, cor_sheet_cell(table->sheet, row, layout->column));
            const size_t length = cor_utf8_length(shown.text) + strlen(shown.number);
            widen(&layout->number, length);
            if (length <= half)
                widen(&layout->usual, length);
            widen(&layout->low, strlen(shown.low));
            widen(&layout->high, strlen(shown.high));
            widen(&layout->mark, cor_utf8_length(shown.mark ? shown.mark : ""));
        }
        layout->width =
            layout->number + interval_width(layout) + (column->flags & COR_COLUMN_BAR ? BAR_WIDTH : 0);
        measure_heading(table, layout);
        whole += layout->width + GAP;
    }
    /* What is much longer than the others of its column stands alone. */
    for (size_t i = 0;
         i + 1 < table->columns.shown && table->style->width > 0 && whole - GAP > table->style->width; i++) {
        struct layout *layout = &table->layout[i];
        if (!is_number_column(column_of(table, layout)) && layout->width > table->style->width / 2) {
            layout->width = layout->usual;
            measure_heading(table, layout);
        }
    }
    for (size_t next = 0; next < table->columns.shown;) {
        fputs(next > 0 ? "\n" : "", table->file);
        next = fill_block(table, next);
        put_block(table);
    }
}

static void put_sheet(struct table *table) {
    const char *title = cor_sheet_shown_title(table->sheet);
    if (title && title[0]) {
        const size_t width = table->style->width;
        fputs(table->style->strong, table->file);
        if (width > 0 && cor_utf8_length(title) > width)
            cor_put_wrapped(table->file, title, 0, 0, width);
        else
            put_shown(table->file, title);
        fprintf(table->file, "%s%s", table->style->plain,
                width > 0 && cor_utf8_length(title) > width ? "" : "\n");
    }
    if (table->sheet->definition->flags & COR_SHEET_RECORD) {
        /* A line a column. */
        const struct cor_sheet_definition *definition = table->sheet->definition;
        for (size_t i = 0; i < definition->column_count; i++) {
            const struct cor_column_definition *column = &definition->columns[i];
            const struct cor_table_cell *cell = cor_sheet_cell(table->sheet, 0, i);
            struct shown shown = shown_cell(column, cell);
            if (column->flags & (COR_COLUMN_DATA | (table->style->brief ? COR_COLUMN_MORE : 0)))
                continue;
            put_blanks(table->file, INDENT);
            if (column->heading[0])
                fprintf(table->file, "%s:", column->heading);
            const size_t at = INDENT + (column->heading[0] ? cor_utf8_length(column->heading) + 1 : 0);
            if (table->style->width > 0 && at + 1 + cor_utf8_length(shown.text) > table->style->width) {
                cor_put_wrapped(table->file, shown.text, at, 2 * INDENT, table->style->width);
                continue;
            }
            put_blanks(table->file, column->heading[0] != '\0');
            put_toned(table->file, table->style, cell->tone, shown.text[0] ? shown.text : shown.number);
            if (has_unit(column) && cell->kind != COR_CELL_NOTHING)
                fprintf(table->file, " %s", column->unit);
            if (shown.high[0])
                fprintf(table->file, " [%s, %s]%s", shown.low, shown.high, shown.mark);
            if (!isnan(bar_percent(column, cell)))
                put_text_bar(table->file, bar_percent(column, cell));
            fputc('\n', table->file);
        }
    } else
        put_table(table);
    for (size_t i = 0; i < table->sheet->remark_count; i++)
        cor_put_wrapped(table->file, table->sheet->remark[i], 0, INDENT, remark_width(table->style));
}

/* Whether a brief text leaves something of the sheet out. */
static bool is_shortened(const struct cor_sheet *sheet) {
    bool more = cor_sheet_size(sheet) > rows_most(sheet, true);
    for (size_t i = 0; i < sheet->definition->column_count; i++)
        more = more || (sheet->definition->columns[i].flags & COR_COLUMN_MORE);
    for (size_t row = 0; row < cor_sheet_size(sheet); row++)
        more = more || cor_sheet_cell(sheet, row, 0)->more;
    return more;
}

static void put_legend(FILE *file, const struct cor_style *style, const bool seen[COR_INTERVAL_COUNT]) {
    bool first = true;
    for (int i = 0; i < COR_INTERVAL_COUNT; i++) {
        const char *mark = cor_interval_mark((enum cor_interval)i);
        if (!seen[i] || !mark[0])
            continue;
        char line[512];
        snprintf(line, sizeof line, "%s %s", mark, cor_interval_meaning((enum cor_interval)i));
        fputs(first ? "\n" : "", file);
        cor_put_wrapped(file, line, 0, INDENT, remark_width(style));
        first = false;
    }
}

enum cor_status cor_sheets_text(const struct cor_sheets *sheets, const struct cor_style *style, FILE *file,
                                struct cor_error *error) {
    bool seen[COR_INTERVAL_COUNT] = {false}, first = true, left_out = false, lists = false;
    COR_TRY(cor_sheets_status(sheets, error));
    for (size_t i = 0; i < sheets->part_count && style->lists; i++)
        lists =
            lists || (sheets->part[i].sheet && (sheets->part[i].sheet->definition->flags & COR_SHEET_LISTED));
    for (size_t i = 0; i < sheets->part_count; i++) {
        const struct sheet__part *part = &sheets->part[i];
        if (part->sheet) {
            COR_TRY(sheet__sheet_status(part->sheet, error));
            if (!is_sheet_shown(part->sheet) ||
                (!lists && part->sheet->cell_count == 0 && (part->sheet->definition->flags & COR_SHEET_SOME)))
                continue;
        }
        const int flags = part->sheet ? part->sheet->definition->flags : COR_SHEET_MORE;
        if ((style->brief && (flags & COR_SHEET_MORE)) || (lists && !(flags & COR_SHEET_LISTED))) {
            left_out = true;
            continue;
        }
        left_out = left_out || (style->brief && is_shortened(part->sheet));
        fputs(first ? "" : "\n", file);
        first = false;
        if (part->sheet) {
            put_sheet(&(struct table){.file = file, .style = style, .sheet = part->sheet});
            /* Which methods a reader has seen the marks of. */
            for (size_t k = 0; k < part->sheet->cell_count; k++) {
                const struct cor_column_definition *column =
                    &part->sheet->definition->columns[k % part->sheet->definition->column_count];
                if (part->sheet->cell[k].kind != COR_CELL_ESTIMATE ||
                    (column->flags & (COR_COLUMN_DATA | COR_COLUMN_SHORT)))
                    continue;
                seen[part->sheet->cell[k].estimate->interval] = true;
            }
        } else
            part->drawing(part->context, style, file);
    }
    put_legend(file, style, seen);
    if (left_out)
        fputs("\n--all shows the rest.\n", file);
    return cor_stream_status(file, error);
}

/* ---- a table for pages, and for programs */

const char *const sheet__estimate_ends[SHEET__ESTIMATE_FIELDS] = {"",          "_sd",     "_low", "_high",
                                                                  "_interval", "_suites", "_n"};

static void put_real(double value, const char *end, FILE *file) {
    char text[COR_CELL] = "";
    if (!isnan(value))
        cor_real_text(value, text);
    fprintf(file, "%s%s", text, end);
}

enum cor_status cor_sheet_csv(const struct cor_sheet *sheet, FILE *file, struct cor_error *error) {
    const struct cor_sheet_definition *definition = sheet->definition;
    COR_TRY(sheet__sheet_status(sheet, error));
    for (size_t i = 0; i < definition->column_count; i++) {
        const struct cor_column_definition *column = &definition->columns[i];
        size_t fields = column->kind == COR_CELL_ESTIMATE ? SHEET__ESTIMATE_FIELDS : 1;
        for (size_t j = 0; j < fields; j++)
            fprintf(file, "%s%s%s", j > 0 ? "," : "", column->key, sheet__estimate_ends[j]);
        fputc(i + 1 < definition->column_count ? ',' : '\n', file);
    }
    for (size_t row = 0; row < cor_sheet_size(sheet); row++)
        for (size_t i = 0; i < definition->column_count; i++) {
            const struct cor_table_cell *cell = cor_sheet_cell(sheet, row, i);
            switch (cell->kind) {
            case COR_CELL_NOTHING:
                for (size_t k = 1;
                     definition->columns[i].kind == COR_CELL_ESTIMATE && k < SHEET__ESTIMATE_FIELDS; k++)
                    fputc(',', file);
                break;
            case COR_CELL_COUNT:
                fprintf(file, "%" PRIu64, cell->count);
                break;
            case COR_CELL_REAL:
                put_real(cell->real, "", file);
                break;
            case COR_CELL_ESTIMATE:
                put_real(cell->estimate->mean, ",", file);
                put_real(cell->estimate->sd, ",", file);
                put_real(cell->estimate->low, ",", file);
                put_real(cell->estimate->high, ",", file);
                fprintf(file, "%s,%" PRIu64 ",", cor_interval_word(cell->estimate->interval),
                        cell->estimate->suites);
                put_real(cell->estimate->n, "", file);
                break;
            case COR_CELL_FLAG:
                fputs(cell->flag ? "true" : "false", file);
                break;
            case COR_CELL_WORD:
            case COR_CELL_TEXT:
                cor_csv_word(cell->text, file);
                break;
            }
            fputc(i + 1 < definition->column_count ? ',' : '\n', file);
        }
    return cor_stream_status(file, error);
}

/* ---- sheets as one JSON document: all rows, all columns, numbers that read back exactly */

static void put_cell_json(struct cor_json_writer *writer, const char *key,
                          const struct cor_table_cell *cell) {
    switch (cell->kind) {
    case COR_CELL_NOTHING:
        cor_json_put_string(writer, key, NULL);
        break;
    case COR_CELL_COUNT:
        cor_put_count(writer, key, cell->count);
        break;
    case COR_CELL_REAL:
        cor_json_put_real(writer, key, cell->real);
        break;
    case COR_CELL_ESTIMATE:
        cor_json_open_object(writer, key);
        cor_json_put_real(writer, "mean", cell->estimate->mean);
        cor_json_put_real(writer, "sd", cell->estimate->sd);
        cor_json_put_real(writer, "low", cell->estimate->low);
        cor_json_put_real(writer, "high", cell->estimate->high);
        cor_json_put_string(writer, "interval", cor_interval_word(cell->estimate->interval));
        cor_put_count(writer, "suites", cell->estimate->suites);
        cor_json_put_real(writer, "n", cell->estimate->n);
        cor_json_close(writer);
        break;
    case COR_CELL_FLAG:
        cor_json_put_bool(writer, key, cell->flag);
        break;
    case COR_CELL_WORD:
    case COR_CELL_TEXT:
        cor_json_put_string(writer, key, cell->text);
        break;
    }
}

static void put_row(struct cor_json_writer *writer, const char *key, const struct cor_sheet *sheet,
                    size_t row) {
    cor_json_open_object(writer, key);
    for (size_t i = 0; i < sheet->definition->column_count; i++)
        put_cell_json(writer, sheet->definition->columns[i].key, cor_sheet_cell(sheet, row, i));
    cor_json_close(writer);
}

static void put_rows(struct cor_json_writer *writer, const char *key, const struct cor_sheet *sheet) {
    cor_json_open_array(writer, key);
    for (size_t row = 0; row < cor_sheet_size(sheet); row++)
        put_row(writer, NULL, sheet, row);
    cor_json_close(writer);
}

enum cor_status cor_sheets_json(const struct cor_sheets *sheets, FILE *file, struct cor_error *error) {
    struct cor_json_writer *writer;
    const struct cor_sheet *sheet;
    for (size_t i = 0; (sheet = cor_sheets_at(sheets, i)) != NULL; i++)
        COR_TRY(sheet__sheet_status(sheet, error));
    COR_TRY(cor_sheets_status(sheets, error));
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "schema", sheets->schema);
    cor_json_put_integer(writer, "version", sheets->version);
    for (size_t i = 0; (sheet = cor_sheets_at(sheets, i)) != NULL; i++)
        if (sheet->definition->flags & COR_SHEET_TOP) {
            if (!(sheet->definition->flags & COR_SHEET_RECORD))
                put_rows(writer, sheet->definition->id, sheet);
            else
                for (size_t j = 0; j < sheet->definition->column_count && cor_sheet_size(sheet) > 0; j++)
                    put_cell_json(writer, sheet->definition->columns[j].key, cor_sheet_cell(sheet, 0, j));
        } else if (sheet->definition->flags & COR_SHEET_UNDER && cor_sheet_size(sheet) > 0) {
            put_row(writer, sheet->definition->id, sheet, 0);
        }
    cor_json_open_object(writer, "sheets");
    for (size_t i = 0; (sheet = cor_sheets_at(sheets, i)) != NULL; i++) {
        cor_json_open_object(writer, sheet->definition->id);
        cor_json_put_string(writer, "title", cor_sheet_shown_title(sheet));
        cor_json_put_string(writer, "meaning", sheet->definition->meaning);
        cor_json_open_array(writer, "remarks");
        for (size_t k = 0; k < sheet->remark_count; k++)
            cor_json_put_string(writer, NULL, sheet->remark[k]);
        cor_json_close(writer);
        cor_json_open_array(writer, "columns");
        for (size_t k = 0; k < sheet->definition->column_count; k++) {
            const struct cor_column_definition *column = &sheet->definition->columns[k];
            cor_json_open_object(writer, NULL);
            cor_json_put_string(writer, "key", column->key);
            cor_json_put_string(writer, "heading", column->heading);
            cor_json_put_string(writer, "unit", column->unit);
            cor_json_put_string(writer, "meaning", column->meaning);
            cor_json_close(writer);
        }
        cor_json_close(writer);
        if (!(sheet->definition->flags & COR_SHEET_RECORD))
            put_rows(writer, "rows", sheet);
        else if (cor_sheet_size(sheet) > 0)
            put_row(writer, "row", sheet, 0);
        else
            cor_json_put_string(writer, "row", NULL);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_close(writer);
    return cor_json_print_take(writer, 1, file, error);
}

/* ---- one sheet as a table of HTML. What its cells hold comes from files, and is escaped */

struct page_table {
    FILE *file;
    const struct cor_sheet *sheet;
    struct columns columns;
};

/* title="meaning" */
static void put_hint(FILE *file, const char *text) {
    fputs(" title=\"", file);
    cor_html_text(file, text);
    fputc('"', file);
}

static void put_heading(FILE *file, const struct cor_column_definition *column, const char *scope) {
    fprintf(file, "<th scope=\"%s\"%s data-key=\"", scope,
            is_number_column(column) && *scope == 'c' ? " class=n" : "");
    cor_html_text(file, column->key);
    fputc('"', file);
    put_hint(file, column->meaning);
    fputc('>', file);
    cor_html_text(file, column->heading);
    if (has_unit(column)) {
        fputs(" <span class=unit>", file);
        cor_html_text(file, column->unit);
        fputs("</span>", file);
    }
    fputs("</th>", file);
}

static void put_bar(FILE *file, double percent, const struct cor_table_cell *cell) {
    const struct cor_estimate *estimate = cell->kind == COR_CELL_ESTIMATE ? cell->estimate : NULL;
    if (isnan(percent))
        return;
    fprintf(file, " <span class=bar style=\"--v:%.2f", percent);
    if (estimate && !isnan(estimate->low) && !isnan(estimate->high))
        fprintf(file, ";--l:%.2f;--h:%.2f\"><i></i><b></b></span>", estimate->low, estimate->high);
    else
        fputs("\"><i></i></span>", file);
}

static void put_cell_html(FILE *file, const struct cor_column_definition *column,
                          const struct cor_table_cell *cell) {
    struct shown shown = shown_cell(column, cell);
    bool missing =
        cell->kind == COR_CELL_NOTHING || (cell->kind == COR_CELL_ESTIMATE && isnan(cell->estimate->mean));
    static const char *const classes[] = {"", "good", "bad", "faint", "strong"};
    COR_ASSERT((size_t)cell->tone < sizeof classes / sizeof *classes);
    const char *tone = classes[cell->tone], *number = is_number_column(column) ? "n" : "";
    fputs("<td", file);
    if (*tone || *number)
        fprintf(file, " class=\"%s%s%s\"", number, *tone && *number ? " " : "", tone);
    if (*number) {
        /* What scripts sort by: the exact value. */
        char text[COR_CELL];
        double value = cell->kind == COR_CELL_REAL       ? cell->real
                       : cell->kind == COR_CELL_ESTIMATE ? cell->estimate->mean
                                                         : NAN;
        if (cell->kind == COR_CELL_COUNT)
            cor_integer_text(cell->count, text);
        else if (isnan(value))
            text[0] = 0;
        else
            cor_real_text(value, text);
        fprintf(file, " data-v=\"%s\"", text);
    }
    fputs(missing ? "><span class=na>" : ">", file);
    cor_html_text(file, shown.text);
    cor_html_text(file, shown.number);
    fputs(missing ? "</span>" : "", file);
    if (shown.high[0]) {
        fputs(" <span class=interval", file);
        put_hint(file, cor_interval_meaning(cell->estimate->interval));
        fputc('>', file);
        fprintf(file, "[");
        cor_html_text(file, shown.low);
        fputs(", ", file);
        cor_html_text(file, shown.high);
        fprintf(file, "]%s</span>", shown.mark);
    }
    put_bar(file, bar_percent(column, cell), cell);
    fputs("</td>", file);
}

static void put_more(const struct page_table *table, size_t rows) {
    size_t most = table->sheet->text_rows;
    if (most > 0 && rows > most)
        fprintf(table->file, "<tr class=more><td colspan=%zu>and %zu more</td></tr>\n", table->columns.shown,
                rows - most);
}

static void put_rows_html(const struct page_table *table) {
    size_t size = table->columns.rows, in_group = 0;
    fputs("<thead><tr>", table->file);
    for (size_t i = 0; i < table->columns.shown; i++)
        put_heading(table->file, &table->sheet->definition->columns[table->columns.column[i]], "col");
    fputs("</tr></thead>\n<tbody>\n", table->file);
    if (size == 0)
        fprintf(table->file, "<tr><td colspan=%zu>none</td></tr>\n", table->columns.shown);
    for (size_t row = 0; row < size; row++, in_group++) {
        size_t group = group_begun(table->sheet, &table->columns, row > 0 ? row - 1 : SIZE_MAX, row);
        if (group < table->columns.groups) {
            put_more(table, in_group);
            fputs(row > 0 ? "</tbody>\n<tbody>\n" : "", table->file);
            in_group = 0;
        }
        for (; group < table->columns.groups; group++) {
            const struct cor_column_definition *column = &table->sheet->definition->columns[group];
            struct shown shown = shown_cell(column, cor_sheet_cell(table->sheet, row, group));
            fprintf(table->file, "<tr class=group%zu><th colspan=%zu scope=rowgroup", group,
                    table->columns.shown);
            put_hint(table->file, column->meaning);
            fputc('>', table->file);
            cor_html_text(table->file, column->heading);
            fputs(column->heading[0] ? " " : "", table->file);
            cor_html_text(table->file, shown.text);
            cor_html_text(table->file, shown.number);
            fputs("</th></tr>\n", table->file);
        }
        if (in_group < rows_most(table->sheet, false)) {
            fputs("<tr>", table->file);
            for (size_t i = 0; i < table->columns.shown; i++) {
                size_t column = table->columns.column[i];
                put_cell_html(table->file, &table->sheet->definition->columns[column],
                              cor_sheet_cell(table->sheet, row, column));
            }
            fputs("</tr>\n", table->file);
        }
    }
    put_more(table, in_group);
    fputs("</tbody></table></div>\n", table->file);
}

enum cor_status cor_sheet_html(const struct cor_sheet *sheet, FILE *file, struct cor_error *error) {
    const struct page_table table = {.file = file, .sheet = sheet, .columns = columns_shown(sheet, false)};
    const char *title = cor_sheet_shown_title(sheet);
    bool record = sheet->definition->flags & COR_SHEET_RECORD;
    COR_TRY(sheet__sheet_status(sheet, error));
    if (!is_sheet_shown(sheet))
        return cor_stream_status(file, error);
    fprintf(file, "<div class=wide><table class=\"%s\" data-sheet=\"", record ? "record" : "sheet sorts");
    cor_html_text(file, sheet->definition->id);
    fputs("\">", file);
    if (title && title[0]) {
        fputs("<caption>", file);
        cor_html_text(file, title);
        fputs("</caption>", file);
    }
    fputc('\n', file);
    if (record) {
        fputs("<tbody>\n", table.file);
        for (size_t i = 0; i < table.sheet->definition->column_count; i++) {
            const struct cor_column_definition *column = &table.sheet->definition->columns[i];
            if (column->flags & COR_COLUMN_DATA)
                continue;
            fputs("<tr>", table.file);
            put_heading(table.file, column, "row");
            put_cell_html(table.file, column, cor_sheet_cell(table.sheet, 0, i));
            fputs("</tr>\n", table.file);
        }
        fputs("</tbody></table></div>\n", table.file);
    } else
        put_rows_html(&table);
    for (size_t i = 0; i < sheet->remark_count; i++) {
        fputs("<p class=remark>", file);
        cor_html_text(file, sheet->remark[i]);
        fputs("</p>\n", file);
    }
    return cor_stream_status(file, error);
}
