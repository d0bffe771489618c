/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a reader sees of a sheet: decided here for text and HTML alike. */
#include "parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
                          struct sheet__shown *shown) {
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

struct sheet__shown sheet__show(const struct cor_column_definition *column,
                                const struct cor_table_cell *cell) {
    struct sheet__shown shown = {.mark = "", .text = ""};
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

bool sheet__is_number(const struct cor_column_definition *column) {
    return column->kind == COR_CELL_COUNT || column->kind == COR_CELL_REAL ||
           column->kind == COR_CELL_ESTIMATE;
}

bool sheet__has_unit(const struct cor_column_definition *column) {
    return column->unit[0] && strcmp(column->unit, "1") != 0 && strcmp(column->unit, column->heading) != 0;
}

double sheet__bar_percent(const struct cor_column_definition *column, const struct cor_table_cell *cell) {
    if (!(column->flags & COR_COLUMN_BAR))
        return NAN;
    return cell->kind == COR_CELL_REAL       ? cell->real
           : cell->kind == COR_CELL_ESTIMATE ? cell->estimate->mean
                                             : NAN;
}

size_t sheet__group_begun(const struct cor_sheet *sheet, const struct sheet__columns *columns, size_t before,
                          size_t row) {
    for (size_t group = 0; group < columns->groups; group++) {
        const struct cor_column_definition *column = &sheet->definition->columns[group];
        if (before == SIZE_MAX)
            return 0;
        struct sheet__shown was = sheet__show(column, cor_sheet_cell(sheet, before, group)),
                            now = sheet__show(column, cor_sheet_cell(sheet, row, group));
        if (strcmp(was.text, now.text) != 0 || strcmp(was.number, now.number) != 0)
            return group;
    }
    return columns->groups;
}

/* Whether a text shows the column in its rows. */
static bool is_column_shown(const struct cor_column_definition *column, bool brief) {
    return !(column->flags & (COR_COLUMN_GROUP | COR_COLUMN_DATA | (brief ? COR_COLUMN_MORE : 0)));
}

struct sheet__columns sheet__columns_shown(const struct cor_sheet *sheet, bool brief) {
    const struct cor_sheet_definition *definition = sheet->definition;
    struct sheet__columns columns = {.rows = cor_sheet_size(sheet)};
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
        if (sheet__group_begun(sheet, &columns, row - 1, row) < columns.groups)
            columns.rows = row;
    columns.groups = 0;
    return columns;
}

size_t sheet__rows_most(const struct cor_sheet *sheet, bool brief) {
    const size_t most = sheet->text_rows > 0 ? sheet->text_rows : SIZE_MAX;
    return brief && sheet->text_rows > BRIEF_ROWS ? BRIEF_ROWS : most;
}

bool sheet__is_sheet_shown(const struct cor_sheet *sheet) {
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
    struct sheet__columns columns;
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

static void measure_cells(const struct table *table, struct layout *layout) {
    const struct cor_column_definition *column = column_of(table, layout);
    const size_t half = table->style->width / 2;
    size_t in_group = 0, before = SIZE_MAX;
    for (size_t row = 0; row < table->columns.rows; row++) {
        if (is_left_out(table, row))
            continue;
        if (sheet__group_begun(table->sheet, &table->columns, before, row) < table->columns.groups)
            in_group = 0;
        before = row;
        if (in_group++ >= sheet__rows_most(table->sheet, table->style->brief))
            continue;
        struct sheet__shown shown = sheet__show(column, cor_sheet_cell(table->sheet, row, layout->column));
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
    return sheet__has_unit(column) ? cor_utf8_length(column->unit) + strlen("()") : 0;
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

static void measure(struct table *table) {
    size_t whole = INDENT + 2 * table->columns.groups;
    for (size_t i = 0; i < table->columns.shown; i++) {
        struct layout *layout = &table->layout[i];
        layout->column = table->columns.column[i];
        measure_cells(table, layout);
        measure_heading(table, layout);
        whole += layout->width + GAP;
    }
    /* What is much longer than the others of its column stands alone. */
    for (size_t i = 0;
         i + 1 < table->columns.shown && table->style->width > 0 && whole - GAP > table->style->width; i++) {
        struct layout *layout = &table->layout[i];
        if (!sheet__is_number(column_of(table, layout)) && layout->width > table->style->width / 2) {
            layout->width = layout->usual;
            measure_heading(table, layout);
        }
    }
}

/* The edge to which headings and numbers of a column stretch: that of the numbers, where intervals or bars
 * follow. */
static size_t edge_of(const struct table *table, const struct layout *layout, size_t length) {
    if (!sheet__is_number(column_of(table, layout)))
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

static void put_headings(const struct table *table) {
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
}

static void put_bar(FILE *file, double percent) {
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
                         const struct cor_table_cell *cell, const struct sheet__shown *shown) {
    const struct cor_column_definition *column = column_of(table, layout);
    bool bar = column->flags & COR_COLUMN_BAR;
    size_t edge = edge_of(table, layout, layout->number), used = edge;
    put_blanks(table->file, edge - strlen(shown->number));
    put_toned(table->file, table->style, cell->tone, shown->number);
    if (bar) {
        put_bar(table->file, sheet__bar_percent(column, cell));
        used += BAR_WIDTH;
    }
    if (shown->high[0]) {
        fprintf(table->file, " [%*s, %*s]%s", (int)layout->low, shown->low, (int)layout->high, shown->high,
                shown->mark);
        used += strlen(" [, ]") + layout->low + layout->high + cor_utf8_length(shown->mark);
    }
    return used;
}

static void put_row(const struct table *table, size_t row) {
    size_t pending = INDENT + 2 * table->columns.groups, at = 0;
    for (size_t b = 0; b < table->block_count; b++) {
        const struct layout *layout = &table->layout[table->block[b]];
        const struct cor_column_definition *column = column_of(table, layout);
        const struct cor_table_cell *cell = cor_sheet_cell(table->sheet, row, layout->column);
        struct sheet__shown shown = sheet__show(column, cell);
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
        if (used > 0 && sheet__is_number(column))
            used = put_number(table, layout, cell, &shown);
        else
            put_toned(table->file, table->style, cell->tone, shown.text[0] ? shown.text : shown.number);
        at += used;
        pending += (layout->width > used ? layout->width - used : 0) + GAP;
    }
    fputc('\n', table->file);
}

static void put_more(const struct table *table, size_t rows) {
    const size_t most = sheet__rows_most(table->sheet, table->style->brief);
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
        const bool ends = next + 1 == shown && !sheet__is_number(column_of(table, layout));
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
    put_headings(table);
    for (size_t row = 0; row < table->columns.rows; row++) {
        if (is_left_out(table, row))
            continue;
        size_t group = sheet__group_begun(table->sheet, &table->columns, before, row);
        before = row;
        if (group < table->columns.groups) {
            put_more(table, in_group);
            in_group = 0;
        }
        for (; group < table->columns.groups; group++) {
            const struct cor_column_definition *column = &table->sheet->definition->columns[group];
            const struct cor_table_cell *cell = cor_sheet_cell(table->sheet, row, group);
            struct sheet__shown shown = sheet__show(column, cell);
            put_blanks(table->file, INDENT + 2 * group);
            if (column->heading[0])
                fprintf(table->file, "%s ", column->heading);
            put_toned(table->file, table->style, cell->tone != COR_TONE_PLAIN ? cell->tone : COR_TONE_STRONG,
                      shown.text[0] ? shown.text : shown.number);
            fputc('\n', table->file);
        }
        if (in_group++ < sheet__rows_most(table->sheet, table->style->brief))
            put_row(table, row);
    }
    put_more(table, in_group);
}

static void put_table(struct table *table) {
    size_t rows = 0;
    table->columns = sheet__columns_shown(table->sheet, table->style->brief);
    for (size_t row = 0; row < table->columns.rows; row++)
        rows += !is_left_out(table, row);
    if (rows == 0) {
        fprintf(table->file, "%*snone\n", INDENT, "");
        return;
    }
    measure(table);
    for (size_t next = 0; next < table->columns.shown;) {
        fputs(next > 0 ? "\n" : "", table->file);
        next = fill_block(table, next);
        put_block(table);
    }
}

/* A line a column. */
static void put_record(const struct table *table) {
    const struct cor_sheet_definition *definition = table->sheet->definition;
    for (size_t i = 0; i < definition->column_count; i++) {
        const struct cor_column_definition *column = &definition->columns[i];
        const struct cor_table_cell *cell = cor_sheet_cell(table->sheet, 0, i);
        struct sheet__shown shown = sheet__show(column, cell);
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
        if (sheet__has_unit(column) && cell->kind != COR_CELL_NOTHING)
            fprintf(table->file, " %s", column->unit);
        if (shown.high[0])
            fprintf(table->file, " [%s, %s]%s", shown.low, shown.high, shown.mark);
        if (!isnan(sheet__bar_percent(column, cell)))
            put_bar(table->file, sheet__bar_percent(column, cell));
        fputc('\n', table->file);
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
    if (table->sheet->definition->flags & COR_SHEET_RECORD)
        put_record(table);
    else
        put_table(table);
    for (size_t i = 0; i < table->sheet->remark_count; i++)
        cor_put_wrapped(table->file, table->sheet->remark[i], 0, INDENT, remark_width(table->style));
}

/* Whether a brief text leaves something of the sheet out. */
static bool is_shortened(const struct cor_sheet *sheet) {
    bool more = cor_sheet_size(sheet) > sheet__rows_most(sheet, true);
    for (size_t i = 0; i < sheet->definition->column_count; i++)
        more = more || (sheet->definition->columns[i].flags & COR_COLUMN_MORE);
    for (size_t row = 0; row < cor_sheet_size(sheet); row++)
        more = more || cor_sheet_cell(sheet, row, 0)->more;
    return more;
}

/* Which methods a reader has seen the marks of. */
static void note_marks(const struct cor_sheet *sheet, bool seen[COR_INTERVAL_COUNT]) {
    for (size_t i = 0; i < sheet->cell_count; i++) {
        const struct cor_column_definition *column =
            &sheet->definition->columns[i % sheet->definition->column_count];
        if (sheet->cell[i].kind != COR_CELL_ESTIMATE ||
            (column->flags & (COR_COLUMN_DATA | COR_COLUMN_SHORT)))
            continue;
        seen[sheet->cell[i].estimate->interval] = true;
    }
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
    bool seen[COR_INTERVAL_COUNT] = {false}, first = true, left_out = false;
    COR_TRY(cor_sheets_status(sheets, error));
    for (size_t i = 0; i < sheets->part_count; i++) {
        const struct sheet__part *part = &sheets->part[i];
        if (part->sheet) {
            COR_TRY(sheet__sheet_status(part->sheet, error));
            if (!sheet__is_sheet_shown(part->sheet))
                continue;
        }
        if (style->brief && (!part->sheet || (part->sheet->definition->flags & COR_SHEET_MORE))) {
            left_out = true;
            continue;
        }
        left_out = left_out || (style->brief && is_shortened(part->sheet));
        fputs(first ? "" : "\n", file);
        first = false;
        if (part->sheet) {
            put_sheet(&(struct table){.file = file, .style = style, .sheet = part->sheet});
            note_marks(part->sheet, seen);
        } else
            part->drawing(part->context, style, file);
    }
    put_legend(file, style, seen);
    if (left_out)
        fputs("\n--all shows the rest.\n", file);
    return cor_stream_status(file, error);
}
