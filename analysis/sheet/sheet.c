/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/delimited.h>
#include <corridor/letters.h>
#include <corridor/where.h>
#include <corridor/world.h>

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Memory of texts and estimates: blocks that never move, freed with the list. */
struct sheet__block {
    struct sheet__block *next; /* older */
    size_t used, size;
    max_align_t bytes[];
};
#define BLOCK_BYTES 8192

/* Memory that lives as long as the list, NULL after a failure. */
static void *keep(struct cor_sheets *list, size_t size) {
    size = (size + sizeof(double) - 1) & ~(sizeof(double) - 1); /* what comes next is aligned */
    struct sheet__block *block = list->block;
    if (list->status != COR_OK)
        return NULL;
    if (!block || block->size - block->used < size) {
        size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;
        block = malloc(sizeof *block + room);
        if (!block) {
            list->status = COR_STATUS_MEMORY;
            return NULL;
        }
        *block = (struct sheet__block){.next = list->block, .size = room};
        list->block = block;
    }
    block->used += size;
    return (char *)block->bytes + block->used - size;
}

/* A copy in which bytes that are no UTF-8 are U+FFFD: no renderer has to mind them. */
static const char *keep_text(struct cor_sheets *list, const char *text) {
    uint32_t code;
    size_t bytes = 1, plain = 0;
    while (text[plain] && !((unsigned char)text[plain] & 0x80))
        plain++;
    if (!text[plain]) { /* as nearly all are */
        char *copy = keep(list, plain + 1);
        return copy ? memcpy(copy, text, plain + 1) : NULL;
    }
    for (const char *at = text; *at;) {
        size_t size = cor_utf8_code(at, &code);
        bytes += size > 0 ? size : strlen(COR_UNSAYABLE);
        at += size > 0 ? size : 1;
    }
    char *copy = keep(list, bytes), *to = copy;
    if (!copy)
        return NULL;
    while (*text) {
        size_t size = cor_utf8_code(text, &code), put = size > 0 ? size : strlen(COR_UNSAYABLE);
        memcpy(to, size > 0 ? text : COR_UNSAYABLE, put);
        to += put;
        text += size > 0 ? size : 1;
    }
    *to = 0;
    return copy;
}

static const char *keep_format(struct cor_sheets *list, const char *format, va_list arguments) {
    char *text = NULL;
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    COR_ASSERT(length >= 0);
    if (list->status == COR_OK)
        text = malloc((size_t)length + 1);
    if (!text && list->status == COR_OK)
        list->status = COR_STATUS_MEMORY;
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    const char *kept = text ? keep_text(list, text) : NULL;
    free(text);
    return kept;
}

enum cor_status cor_sheets_create(const char *schema, int version, struct cor_sheets **sheets,
                                  struct cor_error *error) {
    COR_ASSERT(schema && version > 0);
    *sheets = cor_calloc(1, sizeof **sheets);
    COR_TRY(cor_made(*sheets, error));
    (*sheets)->schema = schema;
    (*sheets)->version = version;
    (*sheets)->lost.list = *sheets;
    return COR_OK;
}

void sheet__part_destroy(struct sheet__part *part) {
    if (part->sheet) {
        COR_FREE(part->sheet->cell, part->sheet->remark, part->sheet);
    }
    if (part->destroy)
        part->destroy(part->context);
}

void cor_sheets_destroy(struct cor_sheets *sheets) {
    if (!sheets)
        return;
    for (size_t i = 0; i < sheets->part_count; i++)
        sheet__part_destroy(&sheets->part[i]);
    free(sheets->part);
    while (sheets->block) {
        struct sheet__block *older = sheets->block->next;
        free(sheets->block);
        sheets->block = older;
    }
    free(sheets);
}

/* Takes over what `part` owns. */
static bool add_part_take(struct cor_sheets *list, struct sheet__part *part) {
    if (list->status == COR_OK)
        list->status = COR_RESERVE(&list->part, &list->part_capacity, list->part_count + 1, NULL);
    if (list->status != COR_OK) {
        sheet__part_destroy(part);
        return false;
    }
    list->part[list->part_count++] = *part;
    return true;
}

struct cor_sheet *cor_sheets_add(struct cor_sheets *sheets, const struct cor_sheet_definition *definition) {
    /* What every definition promises. */
    COR_ASSERT(definition->column_count > 0 && definition->column_count <= COR_SHEET_COLUMNS_MAX);
    bool groups = true;
    for (size_t i = 0; i < definition->column_count; i++) {
        const struct cor_column_definition *column = &definition->columns[i];
        COR_ASSERT(column->key && column->heading && column->unit && column->meaning);
        COR_ASSERT(column->digits >= COR_DIGITS_FOUR && column->digits <= 9);
        COR_ASSERT(column->kind > COR_CELL_NOTHING && column->kind <= COR_CELL_FLAG);
        COR_ASSERT(column->tone == 0 || column->from.row);
        groups = groups && (column->flags & COR_COLUMN_GROUP);
        COR_ASSERT(groups || !(column->flags & COR_COLUMN_GROUP)); /* they come first */
    }
    COR_ASSERT(!cor_sheets_find(sheets, definition->id)); /* it is a key of JSON */
    sheets->lost.definition = definition;
    struct sheet__part part = {.sheet = cor_calloc(1, sizeof *part.sheet)};
    if (!part.sheet)
        sheets->status = sheets->status != COR_OK ? sheets->status : COR_STATUS_MEMORY;
    else
        *part.sheet =
            (struct cor_sheet){.list = sheets, .definition = definition, .text_rows = definition->text_rows};
    return add_part_take(sheets, &part) ? part.sheet : &sheets->lost;
}

struct cor_sheet *cor_sheets_more(struct cor_sheets *sheets, const struct cor_sheet_definition *definition) {
    for (size_t i = 0; i < sheets->part_count; i++)
        if (sheets->part[i].sheet && sheets->part[i].sheet->definition == definition)
            return sheets->part[i].sheet;
    return cor_sheets_add(sheets, definition);
}

void cor_sheets_draw(struct cor_sheets *sheets, cor_drawing *drawing, void *context,
                     void (*destroy)(void *context)) {
    COR_ASSERT(drawing);
    struct sheet__part part = {.drawing = drawing, .context = context, .destroy = destroy};
    (void)add_part_take(sheets, &part);
}

const struct cor_sheet *cor_sheets_find(const struct cor_sheets *sheets, const char *id) {
    for (size_t i = 0; i < sheets->part_count; i++)
        if (sheets->part[i].sheet && strcmp(sheets->part[i].sheet->definition->id, id) == 0)
            return sheets->part[i].sheet;
    return NULL;
}

const struct cor_sheet *cor_sheets_at(const struct cor_sheets *sheets, size_t index) {
    for (size_t i = 0; i < sheets->part_count; i++)
        if (sheets->part[i].sheet && index-- == 0)
            return sheets->part[i].sheet;
    return NULL;
}

enum cor_status cor_sheets_status(const struct cor_sheets *sheets, struct cor_error *error) {
    COR_ASSERT(sheets->status == COR_OK || sheets->status == COR_STATUS_MEMORY); /* nothing else can happen */
    return sheets->status == COR_OK ? COR_OK : cor_fail_memory(error);
}

enum cor_status sheet__sheet_status(const struct cor_sheet *sheet, struct cor_error *error) {
    COR_TRY(cor_sheets_status(sheet->list, error));
    COR_ASSERT(sheet->cell_count % sheet->definition->column_count == 0);
    return COR_OK;
}

static bool takes(const struct cor_sheet *sheet) {
    return sheet->list->status == COR_OK && sheet != &sheet->list->lost;
}

void cor_sheet_row(struct cor_sheet *sheet) {
    const struct cor_sheet_definition *definition = sheet->definition;
    if (!takes(sheet))
        return;
    COR_ASSERT(sheet->cell_count % definition->column_count == 0);
    COR_ASSERT(!(definition->flags & COR_SHEET_RECORD) || sheet->cell_count == 0);
    sheet->list->status =
        COR_RESERVE(&sheet->cell, &sheet->cell_capacity, sheet->cell_count + definition->column_count, NULL);
}

/* Words and texts are put alike: the column says which they are. */
static bool is_text(enum cor_cell_kind kind) {
    return kind == COR_CELL_WORD || kind == COR_CELL_TEXT;
}

static void put(struct cor_sheet *sheet, struct cor_table_cell cell) {
    if (!takes(sheet))
        return;
    const struct cor_sheet_definition *definition = sheet->definition;
    enum cor_cell_kind kind = definition->columns[sheet->cell_count % definition->column_count].kind;
    COR_ASSERT(sheet->cell_count < sheet->cell_capacity); /* cor_sheet_row was called */
    if (is_text(cell.kind) && is_text(kind))
        cell.kind = kind;
    COR_ASSERT(cell.kind == kind || cell.kind == COR_CELL_NOTHING);
    sheet->cell[sheet->cell_count++] = cell;
}

void cor_sheet_nothing(struct cor_sheet *sheet) {
    put(sheet, (struct cor_table_cell){.kind = COR_CELL_NOTHING});
}

void cor_sheet_count(struct cor_sheet *sheet, uint64_t count) {
    put(sheet, (struct cor_table_cell){.kind = COR_CELL_COUNT, .count = count});
}

void cor_sheet_real(struct cor_sheet *sheet, double value) {
    enum cor_cell_kind kind = isnan(value) ? COR_CELL_NOTHING : COR_CELL_REAL;
    put(sheet, (struct cor_table_cell){.kind = kind, .real = value});
}

void cor_sheet_estimate(struct cor_sheet *sheet, const struct cor_estimate *estimate) {
    struct cor_estimate *copy = estimate ? keep(sheet->list, sizeof *copy) : NULL;
    if (copy)
        *copy = *estimate;
    put(sheet,
        (struct cor_table_cell){.kind = copy ? COR_CELL_ESTIMATE : COR_CELL_NOTHING, .estimate = copy});
}

static void put_text(struct cor_sheet *sheet, const char *kept) {
    put(sheet, (struct cor_table_cell){.kind = kept ? COR_CELL_TEXT : COR_CELL_NOTHING, .text = kept});
}

void cor_sheet_word(struct cor_sheet *sheet, const char *word) {
    put_text(sheet, word ? keep_text(sheet->list, word) : NULL);
}

void cor_sheet_text(struct cor_sheet *sheet, const char *format, ...) {
    const char *kept = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (format)
        kept = keep_format(sheet->list, format, arguments);
    va_end(arguments);
    put_text(sheet, kept);
}

void cor_sheets_fail(struct cor_sheets *sheets) {
    sheets->status = COR_STATUS_MEMORY;
}

void cor_sheet_text_take(struct cor_sheet *sheet, char *text) {
    if (!text)
        cor_sheets_fail(sheet->list);
    put_text(sheet, text ? keep_text(sheet->list, text) : NULL);
    free(text);
}

void cor_sheet_flag(struct cor_sheet *sheet, bool flag) {
    put(sheet, (struct cor_table_cell){.kind = COR_CELL_FLAG, .flag = flag});
}

void cor_sheet_counts(struct cor_sheet *sheet, size_t count, const uint64_t *counts) {
    for (size_t i = 0; i < count; i++)
        cor_sheet_count(sheet, counts[i]);
}

void cor_sheet_reals(struct cor_sheet *sheet, size_t count, const double *values) {
    for (size_t i = 0; i < count; i++)
        cor_sheet_real(sheet, values[i]);
}

/* The integer of `size` bytes there. */
static uint64_t integer_at(const void *at, size_t size) {
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
    } value;
    COR_ASSERT(size <= sizeof value);
    memcpy(&value, at, size);
    return size == 1 ? value.u8 : size == 2 ? value.u16 : size == 4 ? value.u32 : value.u64;
}

static void put_at(struct cor_sheet *sheet, const struct cor_column_definition *column, const void *row) {
    const struct cor_cell_source *from = &column->from;
    const void *at = (const unsigned char *)row + from->offset;
    enum cor_tone tone;
    switch (column->kind) {
    case COR_CELL_COUNT: {
        const uint64_t count = integer_at(at, from->size);
        const bool is_nothing = from->nothing == COR_ZERO_IS_NOTHING ? count == 0
                                : from->nothing == COR_GREATEST_IS_NOTHING
                                    ? count == UINT64_MAX >> (64 - 8 * from->size)
                                    : false;
        if (is_nothing)
            cor_sheet_nothing(sheet);
        else
            cor_sheet_count(sheet, count);
        break;
    }
    case COR_CELL_REAL: {
        float narrow;
        double wide;
        if (from->size == sizeof narrow)
            memcpy(&narrow, at, sizeof narrow);
        else
            memcpy(&wide, at, sizeof wide);
        cor_sheet_real(sheet, from->size == sizeof narrow ? (double)narrow : wide);
        break;
    }
    case COR_CELL_FLAG:
        cor_sheet_flag(sheet, integer_at(at, from->size) != 0);
        break;
    case COR_CELL_ESTIMATE:
        cor_sheet_estimate(sheet, at);
        break;
    default: {
        const char *word;
        if (from->words)
            word = from->words[integer_at(at, from->size)];
        else if (from->family != COR_FAMILY_NONE)
            word = cor_term_word(from->family, (int)integer_at(at, from->size));
        else
            memcpy(&word, at, sizeof word);
        cor_sheet_word(sheet, word);
    }
    }
    if (column->tone == 0)
        return;
    memcpy(&tone, (const unsigned char *)row + column->tone - 1, sizeof tone);
    cor_sheet_tone(sheet, tone);
}

void cor_sheet_put(struct cor_sheet *sheet, const char *type, const void *from) {
    const struct cor_column_definition *columns = sheet->definition->columns;
    const size_t count = sheet->definition->column_count;
    size_t i = sheet->cell_count % count, before = i;
    if (!takes(sheet))
        return;
    if (i == 0)
        cor_sheet_row(sheet);
    for (; i < count && columns[i].from.row && strcmp(columns[i].from.row, type) == 0; i++)
        put_at(sheet, &columns[i], from);
    COR_ASSERT(i > before); /* the next column comes from that struct */
}

void cor_sheet_tone(struct cor_sheet *sheet, enum cor_tone tone) {
    if (!takes(sheet))
        return;
    COR_ASSERT(sheet->cell_count > 0);
    sheet->cell[sheet->cell_count - 1].tone = tone;
}

void cor_sheet_row_more(struct cor_sheet *sheet) {
    if (!takes(sheet))
        return;
    COR_ASSERT(sheet->cell_count > 0);
    sheet->cell[(sheet->cell_count - 1) / sheet->definition->column_count * sheet->definition->column_count]
        .more = true;
}

void cor_sheet_remark(struct cor_sheet *sheet, const char *format, ...) {
    if (!takes(sheet))
        return;
    va_list arguments;
    va_start(arguments, format);
    const char *kept = keep_format(sheet->list, format, arguments);
    va_end(arguments);
    if (sheet->list->status == COR_OK)
        sheet->list->status =
            COR_RESERVE(&sheet->remark, &sheet->remark_capacity, sheet->remark_count + 1, NULL);
    if (sheet->list->status == COR_OK)
        sheet->remark[sheet->remark_count++] = kept;
}

void cor_sheets_remark(struct cor_sheets *sheets, const char *remark) {
    bool first = true;
    for (size_t i = 0; i < sheets->part_count; i++) {
        struct cor_sheet *sheet = sheets->part[i].sheet;
        if (!sheet)
            continue;
        bool shown = !(sheet->definition->flags & COR_SHEET_DATA);
        if (first || shown)
            cor_sheet_remark(sheet, "%s", remark);
        if (shown)
            return;
        first = false;
    }
}

void cor_sheet_title(struct cor_sheet *sheet, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sheet->title = keep_format(sheet->list, format, arguments);
    va_end(arguments);
}

void cor_sheet_limit(struct cor_sheet *sheet, size_t text_rows) {
    sheet->text_rows = text_rows;
}

const struct cor_sheet_definition *cor_sheet_definition(const struct cor_sheet *sheet) {
    return sheet->definition;
}

size_t cor_sheet_size(const struct cor_sheet *sheet) {
    return sheet->cell_count / sheet->definition->column_count;
}

const struct cor_table_cell *cor_sheet_cell(const struct cor_sheet *sheet, size_t row, size_t column) {
    COR_ASSERT(row < cor_sheet_size(sheet) && column < sheet->definition->column_count);
    return &sheet->cell[row * sheet->definition->column_count + column];
}

size_t cor_sheet_column(const struct cor_sheet *sheet, const char *key) {
    size_t column = 0;
    while (column < sheet->definition->column_count &&
           strcmp(sheet->definition->columns[column].key, key) != 0)
        column++;
    COR_ASSERT(column < sheet->definition->column_count);
    return column;
}

const char *cor_sheet_shown_title(const struct cor_sheet *sheet) {
    return sheet->title ? sheet->title : sheet->definition->title;
}

/* ---- cells */

void cor_integer_text(uint64_t value, char text[COR_CELL]) {
    char digits[24];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (size_t i = 0; i < count; i++)
        text[i] = digits[count - 1 - i];
    text[count] = 0;
}

void cor_real_text(double value, char text[COR_CELL]) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, COR_CELL, "%.*g", digits, value);
        if (strtod(text, NULL) == value) /* exactly: this is the point */
            return;
    }
}

void cor_float_text(float value, char text[COR_CELL]) {
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, COR_CELL, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            return;
    }
}

void cor_brief_text(double value, char text[COR_CELL]) {
    double size = fabs(value);
    if (!isfinite(value))
        snprintf(text, COR_CELL, "n/a");
    else if (size < 1e7 && size == floor(size)) /* -0 is 0 */
        snprintf(text, COR_CELL, "%.0f", value + 0.0);
    else if (size >= 1e7 || size < 1e-4)
        snprintf(text, COR_CELL, "%.2g", value);
    else
        snprintf(text, COR_CELL, "%.*f",
                 size >= 1000  ? 0
                 : size >= 100 ? 1
                 : size >= 10  ? 2
                 : size >= 0.1 ? 3
                               : 5,
                 value);
}

size_t cor_utf8_code(const char *text, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    size_t size = byte[0] < 0x80 ? 1 : byte[0] < 0xc0 ? 0 : byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;
    if (size == 0 || byte[0] > 0xf4)
        return 0;
    *code = size == 1 ? byte[0] : byte[0] & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((byte[i] & 0xc0) != 0x80) /* the 0 at the end is none either */
            return 0;
        *code = *code << 6 | (byte[i] & 0x3f);
    }
    bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return *code < least[size] || *code > 0x10ffff || surrogate ? 0 : size;
}

size_t cor_utf8_length(const char *text) {
    uint32_t code;
    size_t length = 0;
    for (size_t size; *text; text += size > 0 ? size : 1, length++)
        size = cor_utf8_code(text, &code);
    return length;
}

size_t cor_put_shown(FILE *file, const char *text) {
    uint32_t code;
    size_t size = cor_utf8_code(text, &code);
    if (size == 0)
        fputs(COR_UNSAYABLE, file);
    else if (cor_is_control(code))
        fputs(code < 0xa0 ? " " : COR_UNSAYABLE, file);
    else
        fwrite(text, 1, size, file);
    return size > 0 ? size : 1;
}

void cor_csv_word(const char *word, FILE *file) {
    const bool quoted = word[strcspn(word, ",\"\r\n")] != '\0' || cor_delimited_is_formula(word);
    fputs(quoted ? "\"" : "", file);
    while (*word)
        if (*word == '\n' || *word == '\t') {
            fputc(*word++, file);
        } else {
            fputs(*word == '"' ? "\"" : "", file);
            word += cor_put_shown(file, word);
        }
    fputs(quoted ? "\"" : "", file);
}

void cor_json_quoted(const char *word, FILE *file) {
    uint32_t code;
    fputc('"', file);
    for (size_t size; *word; word += size > 0 ? size : 1) {
        size = cor_utf8_code(word, &code);
        if (size == 0)
            fputs(COR_UNSAYABLE, file);
        else if (code == '"' || code == '\\')
            fprintf(file, "\\%c", (char)code);
        else if (cor_is_control(code))
            fprintf(file, "\\u%04x", code);
        else
            fwrite(word, 1, size, file);
    }
    fputc('"', file);
}

/* Writes one character and returns how many bytes it took. */
static size_t put_html(FILE *file, const char *text) {
    static const char marks[] = "&<>\"'";
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *mark = strchr(marks, *text);
    if (!mark)
        return cor_put_shown(file, text);
    fputs(names[mark - marks], file);
    return 1;
}

void cor_html_text(FILE *file, const char *text) {
    while (*text)
        text += put_html(file, text);
}

void cor_html_lines(FILE *file, const char *text, size_t bytes) {
    const char *const end = text + strnlen(text, bytes);
    bool is_ended = true;
    while (text < end) {
        is_ended = *text == '\n';
        if (is_ended)
            fputc(*text++, file);
        else
            text += put_html(file, text);
    }
    if (!is_ended)
        fputc('\n', file);
}

void cor_html_short(FILE *file, const char *text, size_t characters) {
    for (; *text && characters > 0; characters--)
        text += put_html(file, text);
    if (*text)
        fputs("\xe2\x80\xa6", file);
}

enum cor_status cor_stream_status(FILE *file, struct cor_error *error) {
    if (fflush(file) != 0)
        return cor_fail_errno(error, COR_STATUS_FILE, NULL, NULL, "cannot write");
    return ferror(file) ? cor_fail(error, COR_STATUS_FILE, NULL, NULL, "cannot write") : COR_OK;
}

void cor_put_count(struct cor_json_writer *writer, const char *key, uint64_t count) {
    cor_json_put_integer(writer, key, count < INT64_MAX ? (int64_t)count : INT64_MAX);
}

enum cor_status cor_json_print_take(struct cor_json_writer *writer, int indent, FILE *file,
                                    struct cor_error *error) {
    char *text;
    COR_TRY(cor_json_text_take(writer, indent, &text, error));
    fputs(text, file);
    fputc('\n', file);
    free(text);
    return cor_stream_status(file, error);
}

/* ---- conditions over rows: columns are the symbols of an expression over a shape without elements, that has
 * the three values that cells without a value need */

struct cor_where {
    struct cor_words words;
    struct cor_symbol *symbols; /* owned, as all here; [column] */
    struct cor_domain *domains;
    uint32_t **listed; /* [column] the words of an enumeration */
    struct cor_value *values;
    size_t count;
    struct cor_expression expression;
};

static enum cor_status make_domain(struct cor_where *where, size_t column,
                                   const struct cor_where_column *from, struct cor_error *error) {
    static const char *const names[] = {[COR_VALUE_TYPE_INTEGER] = "int",
                                        [COR_VALUE_TYPE_REAL] = "float",
                                        [COR_VALUE_TYPE_BOOLEAN] = "bool",
                                        [COR_VALUE_TYPE_STRING] = "string",
                                        [COR_VALUE_TYPE_ENUMERATION] = "word"};
    uint32_t count = 0;
    while (from->words && from->words[count])
        count++;
    COR_TRY(cor_made(where->listed[column] = cor_calloc(count + 1, sizeof **where->listed), error));
    for (uint32_t i = 0; i < count; i++)
        COR_TRY(cor_words_intern(&where->words, from->words[i], &where->listed[column][i], error));
    where->domains[column] = (struct cor_domain){.type = from->type,
                                                 .name = names[from->type],
                                                 .words = count > 0 ? where->listed[column] : NULL,
                                                 .word_count = count};
    where->symbols[column] = (struct cor_symbol){from->name, &where->domains[column]};
    where->values[column] = cor_null();
    return COR_OK;
}

enum cor_status cor_where_create(const char *text, const struct cor_where_column *columns, size_t count,
                                 struct cor_where **made, struct cor_error *error) {
    COR_DESTROYED(cor_where) struct cor_where *where = cor_calloc(1, sizeof *where);
    COR_TRY(cor_made(where, error));
    *made = NULL;
    where->count = count;
    COR_TRY(cor_made(where->symbols = cor_calloc(count, sizeof *where->symbols), error));
    COR_TRY(cor_made(where->domains = cor_calloc(count, sizeof *where->domains), error));
    COR_TRY(cor_made(where->listed = cor_calloc(count, sizeof *where->listed), error));
    COR_TRY(cor_made(where->values = cor_calloc(count, sizeof *where->values), error));
    static const struct cor_shape nothing_but_columns = {0};
    for (size_t i = 0; i < where->count; i++)
        COR_TRY(make_domain(where, i, &columns[i], error));
    const struct cor_scope scope = {.symbols = where->symbols,
                                    .symbol_count = (uint32_t)where->count,
                                    .words = &where->words,
                                    .shape = &nothing_but_columns};
    COR_TRY(cor_expression_parse_condition(text, &scope, COR_WHERE_PLACE, &where->expression, error));
    *made = cor_taken(&where);
    return COR_OK;
}

void cor_where_destroy(struct cor_where *where) {
    if (!where)
        return;
    cor_expression_fini(&where->expression);
    for (size_t i = 0; where->listed && i < where->count; i++)
        free(where->listed[i]);
    cor_words_fini(&where->words);
    COR_FREE(where->listed, where->symbols, where->domains, where->values, where);
}

bool cor_where_reads(const struct cor_where *where, size_t column) {
    return cor_expression_reads(&where->expression, (uint32_t)column);
}

void cor_where_nothing(struct cor_where *where, size_t column) {
    where->values[column] = cor_null();
}

void cor_where_count(struct cor_where *where, size_t column, uint64_t count) {
    where->values[column] = count <= INT64_MAX ? cor_integer((int64_t)count) : cor_null();
}

void cor_where_real(struct cor_where *where, size_t column, double real) {
    where->values[column] = isfinite(real) ? cor_real(real) : cor_null();
}

void cor_where_flag(struct cor_where *where, size_t column, bool flag) {
    where->values[column] = cor_integer(flag);
}

enum cor_status cor_where_word(struct cor_where *where, size_t column, const char *word,
                               struct cor_error *error) {
    uint32_t number;
    COR_TRY(cor_words_intern(&where->words, word, &number, error));
    where->values[column] =
        cor_domain_has(&where->domains[column], cor_word(number)) ? cor_word(number) : cor_null();
    return COR_OK;
}

bool cor_where_holds(const struct cor_where *where) {
    static const struct cor_world nothing = {0};
    return cor_expression_ask(&where->expression, where->values, &nothing, NULL) == COR_TRUTH_TRUE;
}

/* ---- the rows of sheets for which a condition holds. Columns go by the names that CSV has for them */

/* The columns that a condition may name, of one sheet or of all. */
struct names {
    struct cor_where_column *column; /* owned */
    char **text;                     /* owned; the names of these */
    size_t count, capacity, text_capacity;
};

static void names_fini(struct names *names) {
    for (size_t i = 0; i < names->count; i++)
        free(names->text[i]);
    COR_FREE(names->column, names->text);
}

/* How many names a column has: an estimate has one for each of its parts. */
static size_t part_count(const struct cor_column_definition *column) {
    return column->kind == COR_CELL_ESTIMATE ? SHEET__ESTIMATE_FIELDS : 1;
}

static enum cor_value_type type_of(enum cor_cell_kind kind, size_t part) {
    switch (kind) {
    case COR_CELL_COUNT:
        return COR_VALUE_TYPE_INTEGER;
    case COR_CELL_REAL:
        return COR_VALUE_TYPE_REAL;
    case COR_CELL_ESTIMATE:
        return part == SHEET__ESTIMATE_INTERVAL ? COR_VALUE_TYPE_STRING
               : part == SHEET__ESTIMATE_SUITES ? COR_VALUE_TYPE_INTEGER
                                                : COR_VALUE_TYPE_REAL;
    case COR_CELL_FLAG:
        return COR_VALUE_TYPE_BOOLEAN;
    default:
        return COR_VALUE_TYPE_STRING;
    }
}

static bool has_name(const struct names *names, const char *name) {
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->column[i].name, name) == 0)
            return true;
    return false;
}

/* Adds the names of a sheet, in the order of its columns; of those that are known none if `once`. */
static enum cor_status add_names(struct names *names, const struct cor_sheet *sheet, bool once,
                                 struct cor_error *error) {
    for (size_t i = 0; i < sheet->definition->column_count; i++) {
        const struct cor_column_definition *column = &sheet->definition->columns[i];
        for (size_t part = 0; part < part_count(column); part++) {
            COR_TRY(COR_RESERVE(&names->column, &names->capacity, names->count + 1, error));
            COR_TRY(COR_RESERVE(&names->text, &names->text_capacity, names->count + 1, error));
            char *name = cor_format("%s%s", column->key, sheet__estimate_ends[part]);
            COR_TRY(cor_made(name, error));
            if (once && has_name(names, name)) {
                free(name);
                continue;
            }
            names->text[names->count] = name;
            names->column[names->count++] =
                (struct cor_where_column){name, type_of(column->kind, part), NULL};
        }
    }
    return COR_OK;
}

/* Sets one column, or one part of an estimate, of the condition. */
static enum cor_status set_cell(struct cor_where *where, size_t at, const struct cor_table_cell *cell,
                                size_t part, struct cor_error *error) {
    cor_where_nothing(where, at);
    switch (cell->kind) {
    case COR_CELL_NOTHING:
        break;
    case COR_CELL_COUNT:
        cor_where_count(where, at, cell->count);
        break;
    case COR_CELL_REAL:
        cor_where_real(where, at, cell->real);
        break;
    case COR_CELL_FLAG:
        cor_where_flag(where, at, cell->flag);
        break;
    case COR_CELL_WORD:
    case COR_CELL_TEXT:
        return cor_where_word(where, at, cell->text, error);
    case COR_CELL_ESTIMATE: {
        const struct cor_estimate *estimate = cell->estimate;
        const double reals[SHEET__ESTIMATE_FIELDS] = {
            estimate->mean, estimate->sd, estimate->low, estimate->high, 0, 0, estimate->n};
        if (part == SHEET__ESTIMATE_INTERVAL)
            return cor_where_word(where, at, cor_interval_word(estimate->interval), error);
        if (part == SHEET__ESTIMATE_SUITES)
            cor_where_count(where, at, estimate->suites);
        else
            cor_where_real(where, at, reals[part]);
    }
    }
    return COR_OK;
}

/* Keeps the rows for which the condition holds. A row that is left out of a brief text stays so. */
static enum cor_status filter_sheet(struct cor_sheet *sheet, const char *text, struct cor_error *error) {
    COR_FINISHED(names) struct names names = {0};
    COR_DESTROYED(cor_where) struct cor_where *where = NULL;
    const size_t columns = sheet->definition->column_count, rows = cor_sheet_size(sheet);
    size_t kept = 0;
    COR_TRY(add_names(&names, sheet, false, error));
    COR_TRY(cor_where_create(text, names.column, names.count, &where, error));
    for (size_t row = 0; row < rows; row++) {
        bool holds;
        /* Whether the condition holds for a row, whose names are those of the sheet. */
        size_t at = 0;
        for (size_t i = 0; i < sheet->definition->column_count; i++)
            for (size_t part = 0; part < part_count(&sheet->definition->columns[i]); part++, at++)
                if (cor_where_reads(where, at))
                    COR_TRY(set_cell(where, at, cor_sheet_cell(sheet, row, i), part, error));
        holds = cor_where_holds(where);
        if (holds)
            memmove(&sheet->cell[kept++ * columns], &sheet->cell[row * columns],
                    columns * sizeof *sheet->cell);
    }
    sheet->cell_count = kept * columns;
    cor_sheet_remark(sheet, "--where chose %zu of %zu rows; no figure is reckoned anew.", kept, rows);
    return COR_OK;
}

/* Whether the sheet has all columns that the condition over `all` reads. */
static enum cor_status suits(const struct cor_sheet *sheet, const struct names *all,
                             const struct cor_where *where, bool *suited, struct cor_error *error) {
    struct names own = {0};
    enum cor_status status = add_names(&own, sheet, false, error);
    *suited = status == COR_OK;
    for (size_t i = 0; i < all->count && *suited; i++)
        *suited = !cor_where_reads(where, i) || has_name(&own, all->column[i].name);
    names_fini(&own);
    return status;
}

enum cor_status cor_sheets_filter(struct cor_sheets *sheets, const char *id, const char *text,
                                  struct cor_error *error) {
    COR_FINISHED(names) struct names all = {0};
    COR_DESTROYED(cor_where) struct cor_where *where = NULL;
    enum cor_status status = COR_OK;
    size_t kept = 0;
    COR_TRY(cor_sheets_status(sheets, error));
    for (size_t i = 0; i < sheets->part_count; i++)
        if (sheets->part[i].sheet && (!id || strcmp(sheets->part[i].sheet->definition->id, id) == 0))
            COR_TRY_OUT(add_names(&all, sheets->part[i].sheet, true, error));
    COR_TRY_OUT(cor_where_create(text, all.column, all.count, &where, error));
    for (size_t i = 0; i < sheets->part_count; i++) {
        struct cor_sheet *sheet = sheets->part[i].sheet;
        bool suited = false;
        if (sheet && (!id || strcmp(sheet->definition->id, id) == 0))
            COR_TRY_OUT(suits(sheet, &all, where, &suited, error));
        if (suited)
            COR_TRY_OUT(filter_sheet(sheet, text, error));
        sheets->part[i].is_left_out = !suited;
    }
    for (size_t i = 0; i < sheets->part_count; i++)
        if (sheets->part[i].is_left_out)
            sheet__part_destroy(&sheets->part[i]);
        else
            sheets->part[kept++] = sheets->part[i];
    sheets->part_count = kept;
    if (kept == 0)
        status = cor_fail(error, COR_STATUS_INPUT, COR_WHERE_PLACE,
                          "name columns of one table: --json has the keys of each",
                          "no table has all of these columns");
out:
    return status == COR_OK ? cor_sheets_status(sheets, error) : status;
}
