/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table as data: columns that say what they mean, and cells that say what they are. Whoever has something
 * to show fills sheets and prints nothing; four renderers (text, JSON, CSV, HTML) show them, and decide in
 * one place what a number looks like and what stands where nothing is available. */
#ifndef CORRIDOR_SHEET_H
#define CORRIDOR_SHEET_H

#include <corridor/interval.h>
#include <corridor/terms.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What the cells of a column are, or nothing. */
enum cor_cell_kind {
    COR_CELL_NOTHING,  /* not available: n/a, null, an empty field */
    COR_CELL_COUNT,    /* uint64_t */
    COR_CELL_REAL,     /* double; NaN is nothing */
    COR_CELL_ESTIMATE, /* struct cor_estimate: JSON an object, CSV seven fields, text the mean and [low, high]
                        */
    COR_CELL_WORD,     /* an id or a word of a list: the same in every renderer */
    COR_CELL_TEXT,     /* a sentence for a reader */
    COR_CELL_FLAG      /* bool: true, false; in a text yes, no */
};

/* How a cell looks where colours are; never the only bearer of a meaning. */
enum cor_tone { COR_TONE_PLAIN, COR_TONE_GOOD, COR_TONE_BAD, COR_TONE_FAINT, COR_TONE_STRONG };

/* Flags of a column, as bits. */
enum {
    COR_COLUMN_DATA = 1, /* for JSON and CSV only: too much for a reader */
    COR_COLUMN_GROUP =
        2, /* rows of one value stand together under it as a heading; the first column(s) of a sheet */
    COR_COLUMN_BAR = 4,    /* a text draws the percentage beside its number, too */
    COR_COLUMN_SHORT = 8,  /* of an estimate a text shows the mean alone */
    COR_COLUMN_KEY = 16,   /* tells rows apart: a text has it first, in each of its blocks of columns. If none
                              does, the first column is taken for it */
    COR_COLUMN_MORE = 32,  /* a brief text leaves it out */
    COR_COLUMN_PASTED = 64 /* commands: a text never breaks them into lines */
};

/* Which count of a row struct is nothing. */
enum cor_count_nothing { COR_ALL_COUNT, COR_ZERO_IS_NOTHING, COR_GREATEST_IS_NOTHING };

/* From where in a row struct COR_SHEET_PUT takes the cells of a column; the macros below write it. */
struct cor_cell_source {
    const char *row; /* the struct; NULL = cells of the column are put one by one */
    size_t offset, size;
    enum cor_count_nothing nothing;
    enum cor_family family;   /* the number is a code, its word the cell; or */
    const char *const *words; /* an index of these */
};

/* What every cell of a column has in common; static. */
struct cor_column_definition {
    const char
        *key; /* in JSON and CSV: lower case, "_", ends in the unit where it has a short one ("_pct") */
    const char *heading; /* for readers; "" = none */
    const char *unit;    /* "%", "cases", "s"; "1" for pure numbers; "" for words */
    const char *meaning; /* the whole of it, for docs/, the man page, JSON and the page's hints */
    enum cor_cell_kind kind;
    int digits; /* behind the point; COR_DIGITS_FOUR = four that count */
    int flags;
    struct cor_cell_source from;
    size_t tone;       /* 1 + offset in the row struct of the cell's enum cor_tone; 0 = plain */
    const char *asked; /* in SQL what its cells are, where a question fills the sheet; NULL: the key */
};
#define COR_DIGITS_FOUR (-1)

/* In the place of a column's kind: the member of a struct that its cells come from, for COR_SHEET_PUT. What
 * does not go into such a cell does not compile. Digits and flags may follow.
 *
 *     #define TALLY(member) COR_CELL_OF(struct cor_tally, member)
 *     {"masked", "masked", "1", "activated, and no box saw it", TALLY(masked)},
 *
 * COR_CELL_OF: a count, real, flag, word (NULL is nothing) or estimate, as the member is. COR_TEXT_OF: a
 * string that is a sentence. COR_SOME_OF: a count, 0 is nothing. COR_KNOWN_OF: a count, the greatest of its
 * type is nothing. Of integers of any type, COR_FLAG_OF: 0 is false; COR_TERM_OF: a code, the cell is its
 * word in that family; COR_ONE_OF: an index, the cell is that word of the list. COR_TONE_OF, as .tone: the
 * member with the tone of the cell. */
#define COR_CELL_OF(type, member) \
    COR_CELL_AT_(type, member, ), .kind = _Generic(COR_POINTER_(type, member), COR_COUNTS_, COR_OTHERS_)
#define COR_TEXT_OF(type, member) \
    COR_CELL_AT_(type, member, ), .kind = _Generic(COR_POINTER_(type, member), COR_SENTENCES_)
#define COR_SOME_OF(type, member)                               \
    COR_CELL_AT_(type, member, .nothing = COR_ZERO_IS_NOTHING), \
        .kind = _Generic(COR_POINTER_(type, member), COR_COUNTS_)
#define COR_KNOWN_OF(type, member)                                  \
    COR_CELL_AT_(type, member, .nothing = COR_GREATEST_IS_NOTHING), \
        .kind = _Generic(COR_POINTER_(type, member), COR_COUNTS_)
#define COR_FLAG_OF(type, member) \
    COR_CELL_AT_(type, member, ), .kind = COR_IF_INTEGER_(type, member, COR_CELL_FLAG)
#define COR_TERM_OF(type, member, of) \
    COR_CELL_AT_(type, member, .family = (of)), .kind = COR_IF_INTEGER_(type, member, COR_CELL_WORD)
#define COR_ONE_OF(type, member, list) \
    COR_CELL_AT_(type, member, .words = (list)), .kind = COR_IF_INTEGER_(type, member, COR_CELL_WORD)
#define COR_TONE_OF(type, member) \
    (_Generic(COR_POINTER_(type, member), enum cor_tone * : 1) + offsetof(type, member))

/* clang-format off */
#define COR_COUNTS_ uint8_t *: COR_CELL_COUNT, uint16_t *: COR_CELL_COUNT, \
                    uint32_t *: COR_CELL_COUNT, uint64_t *: COR_CELL_COUNT
#define COR_OTHERS_ double *: COR_CELL_REAL, float *: COR_CELL_REAL, bool *: COR_CELL_FLAG, \
                    const char **: COR_CELL_WORD, char **: COR_CELL_WORD, \
                    struct cor_estimate *: COR_CELL_ESTIMATE
#define COR_SENTENCES_ const char **: COR_CELL_TEXT, char **: COR_CELL_TEXT
/* clang-format on */
#define COR_POINTER_(type, member) (&((type *)0)->member)
#define COR_IF_INTEGER_(type, member, kind) /* nothing else can be shifted */ \
    (sizeof(1 << ((type *)0)->member) > 0 ? (kind) : COR_CELL_NOTHING)
#define COR_CELL_AT_(type, member, ...) \
    .from = {#type, offsetof(type, member), sizeof(((type *)0)->member), __VA_ARGS__}

#define COR_SHEET_COLUMNS_MAX 64

/* Flags of a sheet, as bits. */
enum {
    COR_SHEET_DATA = 1,   /* for JSON and CSV only */
    COR_SHEET_RECORD = 2, /* at most one row: a text shows a line a column, JSON one object */
    COR_SHEET_FIRST = 4,  /* text and page show the first group only, without its heading */
    COR_SHEET_TOP = 8, /* for scripts that look for little: JSON also has the keys of the record, or the rows
                          under the id, at the top of the document */
    COR_SHEET_UNDER = 16,  /* the same with the record as an object under the id, if there is one */
    COR_SHEET_MORE = 32,   /* a brief text leaves it out */
    COR_SHEET_LISTED = 64, /* a text that lists failures has these alone, where a view has any */
    COR_SHEET_SOME = 128   /* a text of more than failures leaves it out where it has no row */
};

/* What every sheet of an id has in common; static. */
struct cor_sheet_definition {
    const char *id;      /* in JSON, and for --sheet */
    const char *title;   /* for readers */
    const char *meaning; /* what a row is */
    const struct cor_column_definition *columns;
    size_t column_count;
    int flags;
    size_t text_rows; /* rows that a text shows at most, of each group if there are groups; 0 = all */
};

/* COR_SHEET_OVER(columns, id, title, meaning, flags, text_rows): a definition over an array of columns, as
 * initializer. COR_SHEET_DEFINITION(NAME, id, ..): `static const struct cor_sheet_definition NAME` over the
 * array NAME##_columns. */
#define COR_SHEET_OVER(columns, sheet_id, sheet_title, sheet_meaning, sheet_flags, sheet_text_rows)      \
    {                                                                                                    \
        sheet_id, sheet_title, sheet_meaning, columns, sizeof(columns) / sizeof *(columns), sheet_flags, \
            sheet_text_rows                                                                              \
    }
#define COR_SHEET_DEFINITION(NAME, ...) \
    static const struct cor_sheet_definition NAME = COR_SHEET_OVER(NAME##_columns, __VA_ARGS__)

/* A cell as a renderer sees it; `kind` says which member of the union counts, of nothing none. */
struct cor_table_cell {
    enum cor_cell_kind kind; /* that of the column, or COR_CELL_NOTHING */
    bool more;               /* of the first one of a row: a brief text leaves the row out */
    enum cor_tone tone;
    union {
        uint64_t count;
        double real;
        bool flag;
        const char *text;                    /* borrowed from the sheet */
        const struct cor_estimate *estimate; /* borrowed from the sheet */
    };
};

/* A sheet under way. It remembers the first failure (memory), so that filling needs no checks: the renderers
 * and cor_sheets_status say it. */
struct cor_sheet;

/* Begins a row; the one before must be complete. */
void cor_sheet_row(struct cor_sheet *sheet);

/* Append the next cell of the row; its kind must be that of the column (words and texts pass for each other).
 * Text is copied, bytes that are no UTF-8 as U+FFFD; NULL is nothing. */
void cor_sheet_nothing(struct cor_sheet *sheet);
void cor_sheet_count(struct cor_sheet *sheet, uint64_t count);
void cor_sheet_real(struct cor_sheet *sheet, double value);
void cor_sheet_estimate(struct cor_sheet *sheet, const struct cor_estimate *estimate);
void cor_sheet_word(struct cor_sheet *sheet, const char *word);
void cor_sheet_flag(struct cor_sheet *sheet, bool flag);
void cor_sheet_text(struct cor_sheet *sheet, const char *format, ...) COR_PRINTF(2, 3);

/* A text of one's own, which is freed; NULL says that memory was out when it was made, and is a failure of
 * the sheet. */
void cor_sheet_text_take(struct cor_sheet *sheet, char *text);

/* COR_SHEET_PUT(sheet, struct x, pointer): appends the cells of the columns that stand next and come from
 * that struct, by COR_CELL_OF and its like; begins a row where the one before is complete.
 * COR_SHEET_PUT_ALL(sheet, struct x, pointer, count): rows all columns of which come from it. */
#define COR_SHEET_PUT(sheet, type, ...) \
    cor_sheet_put(sheet, #type, ((const type *){__VA_ARGS__})) /* another struct does not compile */
#define COR_SHEET_PUT_ALL(sheet, type, first, count)                   \
    do {                                                               \
        struct cor_sheet *sheet_put = (sheet);                         \
        const type *rows_put = (first);                                \
        for (size_t row_put = 0; row_put < (size_t)(count); row_put++) \
            cor_sheet_put(sheet_put, #type, &rows_put[row_put]);       \
    } while (0)

/* What these two do for one row; `type` is the struct as it is spelled in the definition of the columns. */
void cor_sheet_put(struct cor_sheet *sheet, const char *type, const void *from);

/* Several counts, or numbers, one after the other. */
void cor_sheet_counts(struct cor_sheet *sheet, size_t count, const uint64_t *counts);
void cor_sheet_reals(struct cor_sheet *sheet, size_t count, const double *values);

/* The cell appended last gets a tone. */
void cor_sheet_tone(struct cor_sheet *sheet, enum cor_tone tone);

/* A remark below the sheet: what a reader needs to read it rightly. */
void cor_sheet_remark(struct cor_sheet *sheet, const char *format, ...) COR_PRINTF(2, 3);

/* The row that was begun last is left out of a brief text. */
void cor_sheet_row_more(struct cor_sheet *sheet);

/* Another number of rows that a text shows at most; 0 = all. */
void cor_sheet_limit(struct cor_sheet *sheet, size_t text_rows);

/* Another title than that of the definition (with what was asked for in it). */
void cor_sheet_title(struct cor_sheet *sheet, const char *format, ...) COR_PRINTF(2, 3);

/* What was filled in: the definition; how many complete rows; the cell of a row and column, which must be
 * there; a column by its key; and the title, the sheet's own or that of the definition. Borrowed from the
 * sheet. */
const struct cor_sheet_definition *cor_sheet_definition(const struct cor_sheet *sheet);
size_t cor_sheet_size(const struct cor_sheet *sheet);
const struct cor_table_cell *cor_sheet_cell(const struct cor_sheet *sheet, size_t row, size_t column);
size_t cor_sheet_column(const struct cor_sheet *sheet, const char *key); /* index; there must be one */
const char *cor_sheet_shown_title(const struct cor_sheet *sheet);

/* What a text is decorated with: escape sequences, or "" throughout. */
struct cor_style {
    const char *strong, *good, *bad, *faint, *plain; /* plain ends each of the others */
    bool ascii;                                      /* no other letters */
    bool brief;   /* one screen: no drawings, few rows, and nothing that is marked as more */
    size_t width; /* columns that a line may fill; 0 = as many as a table takes, of remarks 108 */
    bool lists;   /* what is listed, and no more */
};
#define COR_STYLE_PLAIN ((struct cor_style){"", "", "", "", "", false, false, 0, false})

/* Text as one paragraph, wrapped at blanks and ended by a line's end: lines of `width` columns (0 = one
 * line), each indented; `at` columns of the first one are filled, and a blank follows them if these are more
 * than the indent. A command in quotes ("corridor ..") stays whole. */
void cor_put_wrapped(FILE *file, const char *text, size_t at, size_t indent, size_t width);

/* What no sheet can say: a curve, a tree, a map. Only the text renderer calls it. */
typedef void cor_drawing(const void *context, const struct cor_style *style, FILE *file);

/* Sheets and drawings of one view, in the order in which a reader sees them. */
struct cor_sheets;

/* An empty list; `schema` and `version` name the JSON document. Static strings. Destroying it frees its
 * sheets and drawings, NULL is allowed. */
enum cor_status cor_sheets_create(const char *schema, int version, struct cor_sheets **sheets,
                                  struct cor_error *error) COR_MUST_USE;
void cor_sheets_destroy(struct cor_sheets *sheets);
COR_DESTROYS(cor_sheets, struct cor_sheets)

/* Appends an empty sheet, owned by the list; its id must be new to the list. Never NULL: when memory is out
 * it is one that takes nothing. */
struct cor_sheet *cor_sheets_add(struct cor_sheets *sheets, const struct cor_sheet_definition *definition);

/* The sheet of that definition, appended if there is none yet: for rows of several files. */
struct cor_sheet *cor_sheets_more(struct cor_sheets *sheets, const struct cor_sheet_definition *definition);

/* Appends a drawing; `context` is freed by `destroy` (may be NULL) with the list. */
void cor_sheets_draw(struct cor_sheets *sheets, cor_drawing *drawing, void *context,
                     void (*destroy)(void *context));

/* The first sheet of that id, NULL if there is none; and sheet `index`, NULL behind the last. */
const struct cor_sheet *cor_sheets_find(const struct cor_sheets *sheets, const char *id);
const struct cor_sheet *cor_sheets_at(const struct cor_sheets *sheets, size_t index);

/* A remark that is true of everything shown: below the first sheet, and the first that a text shows. */
void cor_sheets_remark(struct cor_sheets *sheets, const char *remark);

/* Memory was out while something was made that was to be filled in. */
void cor_sheets_fail(struct cor_sheets *sheets);

/* Keeps of the sheet `id` (NULL: of each sheet) the rows for which the condition of where.h holds, and of the
 * list the sheets that have all columns which it names: the others, and drawings, go. Columns are called as
 * CSV calls them. A remark says how many rows there were. COR_STATUS_INPUT: what is wrong with the condition,
 * or no sheet has all of these columns; the list is then only good for being destroyed. */
enum cor_status cor_sheets_filter(struct cor_sheets *sheets, const char *id, const char *text,
                                  struct cor_error *error) COR_MUST_USE;

/* What went wrong while filling. */
enum cor_status cor_sheets_status(const struct cor_sheets *sheets, struct cor_error *error) COR_MUST_USE;

/* For a reader at a terminal: title, headings, aligned columns, remarks; at most 120 columns as long as words
 * are short. Where the style has a width a table that is wider comes in blocks of columns, each with the
 * columns that tell its rows apart; a cell of more than half the width stands in a line of its own, and a
 * sentence at the end of a row in lines. A brief text says at its end that --all has the rest. A failing
 * stream is COR_STATUS_FILE, here and below. */
enum cor_status cor_sheets_text(const struct cor_sheets *sheets, const struct cor_style *style, FILE *file,
                                struct cor_error *error) COR_MUST_USE;

/* One document: {"schema", "version", "sheets": {id: {"title", "meaning", "remarks", "columns": [{"key",
 * "heading", "unit", "meaning"}], "rows": [{key: value}]}}}; a COR_SHEET_RECORD has "row": {..} (or null)
 * instead of "rows". Reals read back bit for bit; infinities are null, counts beyond 2^63 - 1 are that. */
enum cor_status cor_sheets_json(const struct cor_sheets *sheets, FILE *file,
                                struct cor_error *error) COR_MUST_USE;

/* One sheet: a line of keys, a line a row (RFC 4180). An estimate is KEY, KEY_sd, KEY_low, KEY_high,
 * KEY_interval, KEY_suites, KEY_n. */
enum cor_status cor_sheet_csv(const struct cor_sheet *sheet, FILE *file,
                              struct cor_error *error) COR_MUST_USE;

/* One sheet as <table data-sheet="ID">, headings with their key (data-key) and their meaning as hint, exact
 * values for scripts that sort (data-v), remarks below. */
enum cor_status cor_sheet_html(const struct cor_sheet *sheet, FILE *file,
                               struct cor_error *error) COR_MUST_USE;

#endif
