/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sheets against what they were filled with: JSON and CSV are parsed back and compared cell by cell, texts
 * are compared as a whole or by their edges, pages by what a reader of HTML gets. Every allocation of the
 * room fails in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_allocations.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/json.h>
#include <corridor/sheet.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sheet of every kind, and words to fill it with. */
static const struct cor_column_definition random_sheet_columns[] = {
    {"arm", "arm", "", "a group", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"name", "name", "", "a word", COR_CELL_WORD, 0, 0},
    {"count", "how\nmany", "1", "a count", COR_CELL_COUNT, 0, 0},
    {"share_pct", "share", "%", "a real", COR_CELL_REAL, 1, COR_COLUMN_BAR},
    {"masked", "masked", "%", "an estimate", COR_CELL_ESTIMATE, 2, 0},
    {"data", "", "s", "for programs only", COR_CELL_REAL, COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"ok", "fine", "", "a flag", COR_CELL_FLAG, 0, 0},
    {"size", "größe", "MB", "a number", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"said", "said", "", "a sentence", COR_CELL_TEXT, 0, 0},
    {"last", "last", "1", "ends every line at one edge", COR_CELL_COUNT, 0, 0},
};
enum { COLUMNS = sizeof random_sheet_columns / sizeof *random_sheet_columns, ROWS = 40 };
COR_SHEET_DEFINITION(random_sheet, "random", "Random", "a row is a row", 0, 0);

static const char *const words[] = {"a",
                                    "SPADA-F1",
                                    "größer",
                                    "\xe2\x82\xac \xf0\x9f\x8c\x8d",
                                    "comma, quote \" and\nline",
                                    "<b>&amp;'",
                                    "=1+2",
                                    "",
                                    "tab\there\x1b\x7f",
                                    "%s %n %%",
                                    "\xc2\x85 next"};
static const double reals[] = {0.0,   -0.0,    0.1,     1.0 / 3,  99.96,     100,     0.04,
                               1e300, -1e-300, DBL_MAX, DBL_MIN,  5e-324,    1234567, -17.25,
                               1e7,   1e-4,    NAN,     INFINITY, -INFINITY, 2.5};
static const uint64_t counts[] = {0,          1,         42, 1000000, INT64_MAX, (uint64_t)INT64_MAX + 1,
                                  UINT64_MAX, UINT32_MAX};
#define PICK(stream, array) (array)[draw(stream) % (sizeof(array) / sizeof *(array))]

static uint64_t draw(uint64_t *stream) {
    *stream += 0x9e3779b97f4a7c15u;
    uint64_t z = *stream;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* What a sheet is filled with, kept apart from it. */
struct truth {
    size_t rows;
    bool nothing[ROWS][COLUMNS];
    const char *word[ROWS][COLUMNS];
    uint64_t count[ROWS][COLUMNS];
    double real[ROWS][COLUMNS];
    struct cor_estimate estimate[ROWS][COLUMNS];
    bool flag[ROWS][COLUMNS];
};

static struct cor_estimate random_estimate(uint64_t *stream) {
    return (struct cor_estimate){.mean = PICK(stream, reals),
                                 .sd = PICK(stream, reals),
                                 .low = PICK(stream, reals),
                                 .high = PICK(stream, reals),
                                 .n = PICK(stream, reals),
                                 .suites = PICK(stream, counts),
                                 .interval = (enum cor_interval)(draw(stream) % COR_INTERVAL_COUNT)};
}

static void draw_truth(struct truth *truth, uint64_t seed) {
    uint64_t stream = seed;
    truth->rows = draw(&stream) % (ROWS + 1);
    for (size_t row = 0; row < truth->rows; row++)
        for (size_t i = 0; i < COLUMNS; i++) {
            truth->nothing[row][i] = draw(&stream) % 8 == 0;
            truth->word[row][i] = i == 0 && row % 5 ? truth->word[row - 1][0] : PICK(&stream, words);
            truth->nothing[row][i] = i == 0 && row % 5 ? truth->nothing[row - 1][0] : truth->nothing[row][i];
            truth->count[row][i] = PICK(&stream, counts);
            truth->real[row][i] = draw(&stream) % 2 ? PICK(&stream, reals) : (double)draw(&stream) / 0x1p60;
            truth->estimate[row][i] = random_estimate(&stream);
            truth->flag[row][i] = draw(&stream) % 2;
        }
}

static void fill_cell(struct cor_sheet *sheet, const struct truth *truth, size_t row, size_t i) {
    if (truth->nothing[row][i])
        cor_sheet_nothing(sheet);
    else if (random_sheet_columns[i].kind == COR_CELL_COUNT)
        cor_sheet_count(sheet, truth->count[row][i]);
    else if (random_sheet_columns[i].kind == COR_CELL_REAL)
        cor_sheet_real(sheet, truth->real[row][i]);
    else if (random_sheet_columns[i].kind == COR_CELL_ESTIMATE)
        cor_sheet_estimate(sheet, &truth->estimate[row][i]);
    else if (random_sheet_columns[i].kind == COR_CELL_FLAG)
        cor_sheet_flag(sheet, truth->flag[row][i]);
    else if (random_sheet_columns[i].kind == COR_CELL_WORD)
        cor_sheet_word(sheet, truth->word[row][i]);
    else
        cor_sheet_text(sheet, "%s", truth->word[row][i]);
    if (row % 3 == 0)
        cor_sheet_tone(sheet, (enum cor_tone)(i % 5));
}

static struct cor_sheets *filled(const struct truth *truth) {
    struct cor_sheets *sheets;
    assert_int_equal(cor_sheets_create("corridor-test", 2, &sheets, NULL), COR_OK);
    struct cor_sheet *sheet = cor_sheets_add(sheets, &random_sheet);
    for (size_t row = 0; row < truth->rows; row++) {
        cor_sheet_row(sheet);
        for (size_t i = 0; i < COLUMNS; i++)
            fill_cell(sheet, truth, row, i);
    }
    cor_sheet_remark(sheet, "remark %d", 1);
    return sheets;
}

enum renderer { TEXT, JSON, CSV, HTML };

static enum cor_status render_to(const struct cor_sheets *sheets, enum renderer renderer, FILE *file,
                                 struct cor_error *error) {
    switch (renderer) {
    case TEXT:
        return cor_sheets_text(sheets, &COR_STYLE_PLAIN, file, error);
    case JSON:
        return cor_sheets_json(sheets, file, error);
    case CSV:
        return cor_sheet_csv(cor_sheets_at(sheets, 0), file, error);
    default:
        return cor_sheet_html(cor_sheets_at(sheets, 0), file, error);
    }
}

/* What a renderer writes; freed with free(). */
static char *rendered(const struct cor_sheets *sheets, enum renderer renderer) {
    char *text;
    size_t size;
    struct cor_error error = COR_NO_ERROR;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    assert_int_equal(render_to(sheets, renderer, file, &error), COR_OK);
    fclose(file);
    return text;
}

/* Bit for bit but for what is no number. */
static void assert_same_real(double a, double b) {
    if (isnan(a) || isnan(b))
        assert_true(isnan(a) && isnan(b));
    else
        assert_memory_equal(&a, &b, sizeof a);
}

static double json_real(const struct cor_json *json, const char *key) {
    struct cor_json child;
    double value;
    assert_true(cor_json_find(json, key, &child));
    if (cor_json_is_null(&child))
        return NAN;
    assert_int_equal(cor_json_real(&child, -DBL_MAX, DBL_MAX, &value, NULL), COR_OK);
    return value;
}

static double as_json_has_it(double value) {
    return isinf(value) ? NAN : value;
}

static void assert_json_count(const struct cor_json *json, const char *key, uint64_t expected) {
    struct cor_json child;
    int64_t value;
    assert_true(cor_json_find(json, key, &child));
    assert_int_equal(cor_json_integer(&child, 0, INT64_MAX, &value, NULL), COR_OK);
    assert_int_equal(value, expected > INT64_MAX ? INT64_MAX : expected);
}

static void assert_json_string(const struct cor_json *json, const char *key, const char *expected) {
    struct cor_json child;
    const char *value;
    assert_true(cor_json_find(json, key, &child));
    assert_int_equal(cor_json_string(&child, &value, NULL), COR_OK);
    assert_string_equal(value, expected);
}

static void assert_json_estimate(const struct cor_json *json, const struct cor_estimate *expected) {
    assert_same_real(json_real(json, "mean"), as_json_has_it(expected->mean));
    assert_same_real(json_real(json, "sd"), as_json_has_it(expected->sd));
    assert_same_real(json_real(json, "low"), as_json_has_it(expected->low));
    assert_same_real(json_real(json, "high"), as_json_has_it(expected->high));
    assert_same_real(json_real(json, "n"), as_json_has_it(expected->n));
    assert_json_count(json, "suites", expected->suites);
    assert_json_string(json, "interval", cor_interval_word(expected->interval));
    assert_int_equal(cor_json_size(json), 7);
}

static void assert_json_cell(const struct cor_json *row, const struct truth *truth, size_t r, size_t i) {
    struct cor_json child;
    bool flag;
    const char *key = random_sheet_columns[i].key;
    assert_true(cor_json_find(row, key, &child));
    if (truth->nothing[r][i])
        assert_true(cor_json_is_null(&child));
    else if (random_sheet_columns[i].kind == COR_CELL_COUNT)
        assert_json_count(row, key, truth->count[r][i]);
    else if (random_sheet_columns[i].kind == COR_CELL_REAL)
        assert_same_real(json_real(row, key), as_json_has_it(truth->real[r][i]));
    else if (random_sheet_columns[i].kind == COR_CELL_ESTIMATE)
        assert_json_estimate(&child, &truth->estimate[r][i]);
    else if (random_sheet_columns[i].kind == COR_CELL_FLAG) {
        assert_int_equal(cor_json_bool(&child, &flag, NULL), COR_OK);
        assert_int_equal(flag, truth->flag[r][i]);
    } else
        assert_json_string(row, key, truth->word[r][i]);
}

static void json_reads_back_as_what_was_filled(void **unused) {
    (void)unused;
    static struct truth truth;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        draw_truth(&truth, seed);
        struct cor_sheets *sheets = filled(&truth);
        char *text = rendered(sheets, JSON);
        struct cor_json_document *document;
        struct cor_json in[4], rows, columns, remarks;
        assert_int_equal(cor_json_parse(text, "test", &document, NULL), COR_OK);
        in[0] = cor_json_root(document);
        assert_json_string(&in[0], "schema", "corridor-test");
        assert_json_count(&in[0], "version", 2);
        assert_true(cor_json_find(&in[0], "sheets", &in[1]) && cor_json_find(&in[1], "random", &in[2]));
        assert_json_string(&in[2], "title", "Random");
        assert_json_string(&in[2], "meaning", "a row is a row");
        assert_true(cor_json_find(&in[2], "remarks", &remarks) && cor_json_size(&remarks) == 1);
        assert_true(cor_json_find(&in[2], "columns", &columns) && cor_json_size(&columns) == COLUMNS);
        assert_true(cor_json_find(&in[2], "rows", &rows) && cor_json_size(&rows) == truth.rows);
        for (size_t i = 0; i < COLUMNS; i++) {
            in[3] = cor_json_at(&columns, i);
            assert_json_string(&in[3], "key", random_sheet_columns[i].key);
            assert_json_string(&in[3], "heading", random_sheet_columns[i].heading);
            assert_json_string(&in[3], "unit", random_sheet_columns[i].unit);
            assert_json_string(&in[3], "meaning", random_sheet_columns[i].meaning);
        }
        for (size_t r = 0; r < truth.rows; r++)
            for (size_t i = 0; i < COLUMNS; i++) {
                in[3] = cor_json_at(&rows, r);
                assert_int_equal(cor_json_size(&in[3]), COLUMNS);
                assert_json_cell(&in[3], &truth, r, i);
            }
        cor_json_destroy(document);
        free(text);
        cor_sheets_destroy(sheets);
    }
}

/* The next field of CSV by the grammar of RFC 4180; `end` is what follows it: ',', '\n' or 0. */
static const char *csv_field(const char *at, char *field, char *end) {
    if (*at == '"')
        for (at++; *at != '"' || at[1] == '"';) {
            assert_int_not_equal(*at, 0);
            at += *at == '"';
            *field++ = *at++;
        }
    else
        for (; *at != ',' && *at != '\n'; *field++ = *at++)
            assert_true(*at != 0 && *at != '"' && *at != '\r');
    *field = 0;
    at += *at == '"';
    *end = *at;
    assert_true(*end == ',' || *end == '\n');
    return at + 1;
}

static double csv_real(const char *field) {
    char *end;
    if (!*field)
        return NAN;
    double value = strtod(field, &end);
    assert_int_equal(*end, 0);
    return value;
}

static const char *assert_csv_estimate(const char *at, const char *first, const struct cor_estimate *expected,
                                       char *end) {
    char field[1000], *rest;
    const double numbers[] = {expected->sd, expected->low, expected->high};
    assert_same_real(csv_real(first), expected->mean);
    for (int i = 0; i < 3; i++) {
        at = csv_field(at, field, end);
        assert_same_real(csv_real(field), numbers[i]);
    }
    at = csv_field(at, field, end);
    assert_string_equal(field, cor_interval_word(expected->interval));
    at = csv_field(at, field, end);
    assert_int_equal(strtoull(field, &rest, 10), expected->suites);
    at = csv_field(at, field, end);
    assert_same_real(csv_real(field), expected->n);
    return at;
}

/* What is left of a word in CSV: nothing that a terminal obeys, each such character a blank. */
static void assert_harmless(const char *field, const char *word) {
    for (; *word; field++) {
        const bool is_next_line = strncmp(word, "\xc2\x85", 2) == 0,
                   is_control = (unsigned char)*word < 0x20 || *word == 0x7f;
        assert_int_equal(*field,
                         is_next_line || (is_control && *word != '\n' && *word != '\t') ? ' ' : *word);
        word += is_next_line ? 2 : 1;
    }
    assert_string_equal(field, "");
}

static const char *assert_csv_cell(const char *at, const struct truth *truth, size_t r, size_t i, char *end) {
    char field[1000], *rest;
    at = csv_field(at, field, end);
    if (truth->nothing[r][i])
        for (int k = 0; k < (random_sheet_columns[i].kind == COR_CELL_ESTIMATE ? 7 : 1); k++) {
            assert_string_equal(field, "");
            at = k > 0 ? csv_field(at, field, end) : at;
        }
    else if (random_sheet_columns[i].kind == COR_CELL_COUNT)
        assert_int_equal(strtoull(field, &rest, 10), truth->count[r][i]);
    else if (random_sheet_columns[i].kind == COR_CELL_REAL)
        assert_same_real(csv_real(field), truth->real[r][i]);
    else if (random_sheet_columns[i].kind == COR_CELL_ESTIMATE)
        at = assert_csv_estimate(at, field, &truth->estimate[r][i], end);
    else if (random_sheet_columns[i].kind == COR_CELL_FLAG)
        assert_string_equal(field, truth->flag[r][i] ? "true" : "false");
    else
        assert_harmless(field, truth->word[r][i]);
    return at;
}

static void csv_reads_back_as_what_was_filled(void **unused) {
    (void)unused;
    static const char head[] =
        "arm,name,count,share_pct,masked,masked_sd,masked_low,masked_high,masked_interval,"
        "masked_suites,masked_n,data,ok,size,said,last\n";
    static struct truth truth;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        draw_truth(&truth, seed);
        struct cor_sheets *sheets = filled(&truth);
        char *text = rendered(sheets, CSV), end;
        const char *at = text + strlen(head);
        assert_memory_equal(text, head, strlen(head));
        for (size_t r = 0; r < truth.rows; r++)
            for (size_t i = 0; i < COLUMNS; i++) {
                at = assert_csv_cell(at, &truth, r, i, &end);
                assert_int_equal(end, i + 1 < COLUMNS ? ',' : '\n');
            }
        assert_int_equal(*at, 0);
        free(text);
        cor_sheets_destroy(sheets);
    }
}

/* Characters of a line; asserts that none is a control character. */
static size_t line_width(const char *line, const char *end) {
    size_t width = 0;
    for (uint32_t code; line < end; width++) {
        size_t size = cor_utf8_code(line, &code);
        assert_true(size > 0 && code >= ' ' && (code < 0x7f || code >= 0xa0));
        line += size;
    }
    return width;
}

static void lines_of_a_text_end_at_one_edge(void **unused) {
    (void)unused;
    static struct truth truth;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        draw_truth(&truth, seed);
        struct cor_sheets *sheets = filled(&truth);
        char *text = rendered(sheets, TEXT);
        size_t edge = 0, rows = 0;
        for (const char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            size_t width = line_width(line, end);
            if (strncmp(line, "    ", 4) != 0 || (strstr(line, "(%)") && strstr(line, "(%)") < end))
                continue; /* no row, or the line of units */
            if (strstr(line, "name") && strstr(line, "name") < end)
                edge = width; /* of "last", the heading */
            else if (edge > 0) {
                assert_int_equal(width, edge);
                rows++;
            }
        }
        assert_int_equal(rows, truth.rows);
        free(text);
        cor_sheets_destroy(sheets);
    }
}

static const struct cor_column_definition example_columns[] = {
    {"arm", "", "", "the arm", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"box", "box", "", "the box", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"name", "name", "", "a name", COR_CELL_WORD, 0, 0},
    {"cases", "cases", "1", "how many", COR_CELL_COUNT, 0, 0},
    {"masked_pct", "masked", "%", "how many <of> them", COR_CELL_ESTIMATE, 1, 0},
    {"hidden", "hidden", "", "in data", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"cost", "cost\nof all", "cases", "cost", COR_CELL_ESTIMATE, COR_DIGITS_FOUR, COR_COLUMN_SHORT},
    {"share_pct", "share", "%", "share", COR_CELL_REAL, 1, COR_COLUMN_BAR},
    {"ok", "ok", "", "flag", COR_CELL_FLAG, 0, 0},
    {"said", "said", "", "sentence", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(example, "example", "An example", "a row", 0, 2);
static const struct cor_column_definition brief_columns[] = {
    {"suites", "suites", "1", "how many", COR_CELL_COUNT, 0, 0},
    {"time_s", "time", "s", "how long", COR_CELL_ESTIMATE, 2, 0},
    {"gone_s", "gone", "s", "never", COR_CELL_REAL, 2, 0},
    {"data", "data", "1", "hidden", COR_CELL_REAL, 2, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(brief, "brief", "In short", "the only row", COR_SHEET_RECORD | COR_SHEET_TOP, 0);
#define absent_columns brief_columns
COR_SHEET_DEFINITION(absent, "absent", "No row", "no row", COR_SHEET_RECORD, 0);
#define empty_columns example_columns
COR_SHEET_DEFINITION(empty, "empty", "Empty", "no row", 0, 0);
#define data_columns example_columns
COR_SHEET_DEFINITION(data, "data", "Data", "for programs", COR_SHEET_DATA, 0);

static void example_row(struct cor_sheet *sheet, const char *arm, const char *box, const char *name,
                        double mean, double high, enum cor_interval interval) {
    struct cor_estimate estimate = {
        .mean = mean, .sd = 3, .low = mean / 2, .high = high, .n = 12, .suites = 3, .interval = interval};
    if (interval == COR_INTERVAL_NONE)
        estimate.low = NAN;
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, arm);
    cor_sheet_word(sheet, box);
    cor_sheet_word(sheet, name);
    cor_sheet_count(sheet, (uint64_t)mean * 100);
    cor_sheet_estimate(sheet, &estimate);
    cor_sheet_word(sheet, "hidden");
    cor_sheet_estimate(sheet, &estimate);
    cor_sheet_real(sheet, mean);
    cor_sheet_tone(sheet, COR_TONE_BAD);
    cor_sheet_flag(sheet, mean < 50);
    if (mean < 50)
        cor_sheet_text(sheet, "mean %g", mean);
    else
        cor_sheet_text_take(sheet, cor_format("mean %g", mean));
}

static void drawing(const void *context, const struct cor_style *style, FILE *file) {
    fprintf(file, "%s%s%s\n", style->strong, (const char *)context, style->plain);
}

static struct cor_sheets *example_sheets(void) {
    struct cor_sheets *sheets = NULL;
    const struct cor_estimate time = {.mean = 1.5, .low = 1, .high = NAN, .interval = COR_INTERVAL_WILSON};
    if (cor_sheets_create("corridor-example", 1, &sheets, NULL) != COR_OK)
        return NULL;
    struct cor_sheet *sheet = cor_sheets_add(sheets, &example);
    example_row(sheet, "A", "gray", "x", 12.25, 20, COR_INTERVAL_BCA);
    example_row(sheet, "A", "gray", "größer", 99.99, 100, COR_INTERVAL_CLOPPER_PEARSON);
    example_row(sheet, "A", "gray", "unseen", 1, 2, COR_INTERVAL_BCA);
    example_row(sheet, "A", "black", "y", 0.01, NAN, COR_INTERVAL_PERCENTILE);
    example_row(sheet, "B", "black", "z", NAN, NAN, COR_INTERVAL_NONE);
    cor_sheet_remark(sheet, "Ä %s",
                     "remark that is long enough to be wrapped, since it has more than one hundred "
                     "and eight characters in all");
    sheet = cor_sheets_add(sheets, &brief);
    cor_sheet_row(sheet);
    cor_sheet_count(sheet, 7);
    cor_sheet_estimate(sheet, &time);
    cor_sheet_real(sheet, NAN);
    cor_sheet_real(sheet, 1);
    cor_sheets_add(sheets, &absent);
    cor_sheet_title(cor_sheets_add(sheets, &empty), "Empty, %d rows", 0);
    cor_sheets_add(sheets, &data);
    char *context = cor_allocation_real(8);
    if (context)
        memcpy(context, "drawn", 6);
    cor_sheets_draw(sheets, drawing, context, free);
    return sheets;
}

static const char *const example_text =
    "<An example>\n"
    "                                              cost\n"
    "      name    cases  masked                 of all  share               ok   said\n"
    "                       (%)                 (cases)    (%)\n"
    "  <A>\n"
    "    box <gray>\n"
    "      x        1200   12.2 [ 6.1,  20.0]     12.25   -12.2> [#.........]  yes  mean 12.25\n"
    "      größer   9900  >99.9 [50.0, 100.0]*    99.99  ->99.9> [#########.]  no   mean 99.99\n"
    "      and 1 more (--json has all)\n"
    "    box <black>\n"
    "      y           0   <0.1 [<0.1,   ...]p  0.01000   -<0.1> [..........]  yes  mean 0.01\n"
    "  <B>\n"
    "    box <black>\n"
    "      z           0    n/a                     n/a    -n/a>               no   mean nan\n"
    "  Ä remark that is long enough to be wrapped, since it has more than one hundred and eight "
    "characters in all\n"
    "\n"
    "<In short>\n"
    "  suites: 7\n"
    "  time: 1.50 s [1.00, ...]w\n"
    "  gone: n/a\n"
    "\n"
    "<Empty, 0 rows>\n"
    "  none\n"
    "\n"
    "<drawn>\n"
    "\n"
    "  * all suites agree: exact binomial interval (Clopper-Pearson)\n"
    "  p the same where BCa is not defined: quantiles of the replicates\n"
    "  w share of suites: Wilson's interval on their number\n";

static const char *const example_page =
    "<div class=wide><table class=\"sheet sorts\" data-sheet=\"example\"><caption>An example</caption>\n"
    "<thead><tr>"
    "<th scope=\"col\" data-key=\"name\" title=\"a name\">name</th>"
    "<th scope=\"col\" class=n data-key=\"cases\" title=\"how many\">cases</th>"
    "<th scope=\"col\" class=n data-key=\"masked_pct\" title=\"how many &lt;of&gt; them\">masked <span "
    "class=unit>%</span></th>"
    "<th scope=\"col\" class=n data-key=\"cost\" title=\"cost\">cost of all <span "
    "class=unit>cases</span></th>"
    "<th scope=\"col\" class=n data-key=\"share_pct\" title=\"share\">share <span class=unit>%</span></th>"
    "<th scope=\"col\" data-key=\"ok\" title=\"flag\">ok</th>"
    "<th scope=\"col\" data-key=\"said\" title=\"sentence\">said</th>"
    "</tr></thead>\n"
    "<tbody>\n"
    "<tr class=group0><th colspan=7 scope=rowgroup title=\"the arm\">A</th></tr>\n"
    "<tr class=group1><th colspan=7 scope=rowgroup title=\"the box\">box gray</th></tr>\n"
    "<tr><td>x</td><td class=\"n\" data-v=\"1200\">1200</td><td class=\"n\" data-v=\"12.25\">12.2 "
    "<span class=interval title=\"ratio of means, cluster bootstrap over suites, 2000 replicates: "
    "bias-corrected and accelerated\">[6.1, 20.0]</span></td><td class=\"n\" "
    "data-v=\"12.25\">12.25</td><td class=\"n bad\" data-v=\"12.25\">12.2 <span class=bar "
    "style=\"--v:12.25\"><i></i></span></td><td>yes</td><td>mean 12.25</td></tr>\n"
    "<tr><td>größer</td><td class=\"n\" data-v=\"9900\">9900</td><td class=\"n\" "
    "data-v=\"99.99\">&gt;99.9 <span class=interval title=\"all suites agree: exact binomial interval "
    "(Clopper-Pearson)\">[50.0, 100.0]*</span></td><td "
    "class=\"n\" data-v=\"99.99\">99.99</td><td class=\"n bad\" data-v=\"99.99\">&gt;99.9 <span "
    "class=bar style=\"--v:99.99\"><i></i></span></td><td>no</td><td>mean 99.99</td></tr>\n"
    "<tr class=more><td colspan=7>and 1 more</td></tr>\n"
    "</tbody>\n"
    "<tbody>\n"
    "<tr class=group1><th colspan=7 scope=rowgroup title=\"the box\">box black</th></tr>\n"
    "<tr><td>y</td><td class=\"n\" data-v=\"0\">0</td><td class=\"n\" data-v=\"0.01\">&lt;0.1 <span "
    "class=interval title=\"the same where BCa is not defined: quantiles of the "
    "replicates\">[&lt;0.1, ...]p</span></td><td class=\"n\" data-v=\"0.01\">0.01000</td><td "
    "class=\"n bad\" data-v=\"0.01\">&lt;0.1 <span class=bar "
    "style=\"--v:0.01\"><i></i></span></td><td>yes</td><td>mean 0.01</td></tr>\n"
    "</tbody>\n"
    "<tbody>\n"
    "<tr class=group0><th colspan=7 scope=rowgroup title=\"the arm\">B</th></tr>\n"
    "<tr class=group1><th colspan=7 scope=rowgroup title=\"the box\">box black</th></tr>\n"
    "<tr><td>z</td><td class=\"n\" data-v=\"0\">0</td><td class=\"n\" data-v=\"\"><span "
    "class=na>n/a</span></td><td class=\"n\" data-v=\"\"><span class=na>n/a</span></td><td class=\"n "
    "bad\" data-v=\"\"><span class=na>n/a</span></td><td>no</td><td>mean nan</td></tr>\n"
    "</tbody></table></div>\n"
    "<p class=remark>Ä remark that is long enough to be wrapped, since it has more than one hundred "
    "and eight characters in all</p>\n";

static void a_text_aligns_numbers_words_and_intervals(void **unused) {
    (void)unused;
    static const struct cor_style marks = {"<", "+", "-", "~", ">", false, 0};
    struct cor_sheets *sheets = example_sheets();
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_int_equal(cor_sheets_text(sheets, &marks, file, NULL), COR_OK);
    fclose(file);
    assert_string_equal(text, example_text);
    free(text);
    cor_sheets_destroy(sheets);
}

static const struct cor_column_definition wide_columns[] = {
    {"name", "name", "", "a name", COR_CELL_WORD, 0, 0},
    {"first", "first figure", "", "a count", COR_CELL_COUNT, 0, 0},
    {"second", "second figure", "", "a count", COR_CELL_COUNT, 0, 0},
    {"share_pct", "", "%", "of the second", COR_CELL_REAL, 1, 0},
    {"said", "said", "", "a sentence", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(wide, "wide", "A title that is as long as other titles are not", "a row", 0, 0);

/* Blocks with the first column, "(%)" beside what it is of, sentences in lines. */
static const char wide_text[] = "A title that is as long as other\n"
                                "titles are not\n"
                                "  name  first figure\n"
                                "  A               12\n"
                                "  B                7\n"
                                "\n"
                                "  name  second figure   (%)\n"
                                "  A               345  50.0\n"
                                "  B                 6   0.5\n"
                                "\n"
                                "  name  said\n"
                                "  A     in short\n"
                                "  B     more words than there is\n"
                                "        room for beside a name\n"
                                "  A remark that does not fit the\n"
                                "  line, either\n";

static void a_text_fits_the_width_that_it_is_given(void **unused) {
    (void)unused;
    struct cor_style narrow = COR_STYLE_PLAIN;
    struct cor_sheets *sheets;
    char *text;
    size_t size;
    narrow.width = 32;
    assert_int_equal(cor_sheets_create("test", 1, &sheets, NULL), COR_OK);
    struct cor_sheet *sheet = cor_sheets_add(sheets, &wide);
    for (int row = 0; row < 2; row++) {
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, row == 0 ? "A" : "B");
        cor_sheet_counts(sheet, 2, row == 0 ? (const uint64_t[]){12, 345} : (const uint64_t[]){7, 6});
        cor_sheet_real(sheet, row == 0 ? 50 : 0.5);
        cor_sheet_text(sheet, "%s",
                       row == 0 ? "in short" : "more words than there is room for beside a name");
    }
    cor_sheet_remark(sheet, "A remark that does not fit the line, either");
    FILE *file = open_memstream(&text, &size);
    assert_int_equal(cor_sheets_text(sheets, &narrow, file, NULL), COR_OK);
    fclose(file);
    assert_string_equal(text, wide_text);
    free(text);
    cor_sheets_destroy(sheets);
}

static void a_page_shows_groups_hints_bars_and_intervals(void **unused) {
    (void)unused;
    struct cor_sheets *sheets = example_sheets();
    char *text = rendered(sheets, HTML);
    assert_string_equal(text, example_page);
    free(text);
    cor_sheets_destroy(sheets);
}

static size_t occurrences(const char *text, const char *word) {
    size_t count = 0;
    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        count++;
    return count;
}

static void a_page_escapes_everything_and_closes_its_tags(void **unused) {
    (void)unused;
    static struct truth truth;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        draw_truth(&truth, seed);
        struct cor_sheets *sheets = filled(&truth);
        char *text = rendered(sheets, HTML);
        assert_int_equal(occurrences(text, "<b>&amp;'"), 0);
        assert_int_equal(occurrences(text, "<td"), (COLUMNS - 2) * truth.rows + (truth.rows == 0));
        static const char *const tags[] = {"table", "tbody", "thead",   "tr", "td",
                                           "th",    "span",  "caption", "p"};
        for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
            char open[16], open_attributes[16], close[16];
            snprintf(open, sizeof open, "<%s>", tags[i]);
            snprintf(open_attributes, sizeof open_attributes, "<%s ", tags[i]);
            snprintf(close, sizeof close, "</%s>", tags[i]);
            assert_int_equal(occurrences(text, open) + occurrences(text, open_attributes),
                             occurrences(text, close));
        }
        for (size_t r = 0; r < truth.rows; r++)
            if (!truth.nothing[r][1] && strcmp(truth.word[r][1], "<b>&amp;'") == 0)
                assert_non_null(strstr(text, ">&lt;b&gt;&amp;amp;&#39;</td>"));
        free(text);
        cor_sheets_destroy(sheets);
    }
}

static void bytes_that_are_no_utf8_become_the_replacement_character(void **unused) {
    (void)unused;
    struct truth truth = {.rows = 1};
    for (size_t i = 0; i < COLUMNS; i++)
        truth.word[0][i] = "a\xff\xc3(\xed\xa0\x80";
    struct cor_sheets *sheets = filled(&truth);
    for (int renderer = TEXT; renderer <= HTML; renderer++) {
        char *text = rendered(sheets, (enum renderer)renderer);
        assert_non_null(strstr(text, "a\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"));
        assert_null(strchr(text, '\xff'));
        free(text);
    }
    cor_sheets_destroy(sheets);
}

static void no_percentage_is_rounded_to_all_or_none(void **unused) {
    (void)unused;
    static const struct {
        double value;
        const char *shown;
    } cases[] = {{100, "100.0 ["},    {99.95, ">99.9 ["}, {99.94, "99.9 ["},   {0, " 0.0 ["},
                 {0.04, "<0.1 ["},    {0.06, " 0.1 ["},   {-0.04, " 0.0 ["},   {-1, "-1.0 ["},
                 {100.04, "100.0 ["}, {1e13, "1e+13 ["},  {INFINITY, "inf ["}, {NAN, "n/a"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct truth truth = {.rows = 1};
        for (size_t k = 0; k < COLUMNS; k++)
            truth.word[0][k] = "w";
        truth.real[0][3] = cases[i].value;
        struct cor_sheets *sheets = filled(&truth);
        char *text = rendered(sheets, TEXT);
        assert_non_null(strstr(text, cases[i].shown));
        free(text);
        cor_sheets_destroy(sheets);
    }
}

static void remarks_fill_108_columns_and_no_more(void **unused) {
    (void)unused;
    uint64_t stream = 1;
    for (int round = 0; round < 50; round++) {
        struct cor_sheets *sheets;
        char remark[2000] = "";
        for (size_t length = 0; length < 1500; length = strlen(remark))
            snprintf(remark + length, sizeof remark - length, "%s%.*s", length ? " " : "",
                     (int)(1 + draw(&stream) % 12), "abcdefghijkl");
        assert_int_equal(cor_sheets_create("corridor-test", 1, &sheets, NULL), COR_OK);
        cor_sheet_remark(cor_sheets_add(sheets, &empty), "%s", remark);
        char *text = rendered(sheets, TEXT), *line = strstr(text, "none\n") + 5, *at = remark;
        for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            size_t size = (size_t)(end - line), next = end[1] ? strcspn(end + 1 + 2, " \n") : 0;
            assert_true(size <= 108);
            assert_memory_equal(line, "  ", 2);
            assert_memory_equal(line + 2, at, size - 2);
            at += size - 2;
            assert_true(end[1] == 0 || size + 1 + next > 108);
            at += *at == ' ';
        }
        assert_int_equal(*at, 0);
        free(text);
        cor_sheets_destroy(sheets);
    }
}

/* A row with a member of each type that cells come from, in another order than the columns. */
struct measured {
    uint8_t narrow, yes, code;
    enum cor_tone tone;
    float part;
    double whole;
    uint16_t few, none;
    uint32_t many, unknown;
    uint64_t most;
    bool ok;
    const char *word;
    char *said;
    size_t which;
    struct cor_estimate share;
};
struct place {
    uint32_t suite, case_;
};
#define MEASURED(member) COR_CELL_OF(struct measured, member)
#define PLACE(member) COR_CELL_OF(struct place, member)
static const char *const which_words[] = {"first", "second"};
static const struct cor_column_definition by_name_columns[] = {
    {"suite", "", "", "a count", PLACE(suite)},
    {"most", "", "", "a count", MEASURED(most)},
    {"many", "", "", "a count", MEASURED(many)},
    {"few", "", "", "a count", MEASURED(few)},
    {"narrow", "", "", "a count", MEASURED(narrow)},
    {"none", "", "", "0 is nothing", COR_SOME_OF(struct measured, none)},
    {"unknown", "", "", "the greatest is nothing", COR_KNOWN_OF(struct measured, unknown)},
    {"whole", "", "", "a real", MEASURED(whole), 2},
    {"part", "", "", "a real", MEASURED(part), COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"by_hand", "", "", "of no struct", COR_CELL_TEXT},
    {"ok", "", "", "a flag", MEASURED(ok), .tone = COR_TONE_OF(struct measured, tone)},
    {"yes", "", "", "a flag", COR_FLAG_OF(struct measured, yes)},
    {"word", "", "", "a word", MEASURED(word)},
    {"said", "", "", "a sentence", COR_TEXT_OF(struct measured, said)},
    {"code", "", "", "a word of a family", COR_TERM_OF(struct measured, code, COR_FAMILY_BOX)},
    {"which", "", "", "a word of a list", COR_ONE_OF(struct measured, which, which_words)},
    {"share", "", "", "an estimate", MEASURED(share), 1},
    {"case", "", "", "a count", PLACE(case_)},
};
COR_SHEET_DEFINITION(by_name, "by_name", "By name", "a row", 0, 0);

static void cells_come_from_members_by_name(void **unused) {
    (void)unused;
    char said[] = "said so";
    const struct place place = {.suite = 7, .case_ = 8};
    struct measured row = {.narrow = 1,
                           .yes = 2,
                           .code = COR_BOX_BLACK,
                           .tone = COR_TONE_BAD,
                           .part = 0.5f,
                           .whole = NAN,
                           .few = 3,
                           .many = 4,
                           .unknown = UINT32_MAX,
                           .most = 5,
                           .ok = true,
                           .said = said,
                           .which = 1,
                           .share = {.mean = 0.25, .suites = 9}};
    struct cor_sheets *sheets;
    assert_int_equal(cor_sheets_create("corridor-test", 1, &sheets, NULL), COR_OK);
    struct cor_sheet *sheet = cor_sheets_add(sheets, &by_name);
    COR_SHEET_PUT(sheet, struct place, &place); /* begins the row */
    COR_SHEET_PUT(sheet, struct measured, &row);
    cor_sheet_text(sheet, "by %s", "hand");
    COR_SHEET_PUT(sheet, struct measured, &row);
    COR_SHEET_PUT(sheet, struct place, &place);
    assert_int_equal(cor_sheet_size(sheet), 1);
    static const uint64_t expected[] = {7, 5, 4, 3, 1};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(cor_sheet_cell(sheet, 0, i)->kind, COR_CELL_COUNT);
        assert_int_equal(cor_sheet_cell(sheet, 0, i)->count, expected[i]);
    }
    static const char *const nothing[] = {"none", "unknown", "whole", "word"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        assert_int_equal(cor_sheet_cell(sheet, 0, cor_sheet_column(sheet, nothing[i]))->kind,
                         COR_CELL_NOTHING);
    assert_true(cor_sheet_cell(sheet, 0, 8)->real == 0.5);
    assert_string_equal(cor_sheet_cell(sheet, 0, 9)->text, "by hand");
    assert_true(cor_sheet_cell(sheet, 0, 10)->flag && cor_sheet_cell(sheet, 0, 11)->flag);
    assert_int_equal(cor_sheet_cell(sheet, 0, 10)->tone, COR_TONE_BAD);
    assert_int_equal(cor_sheet_cell(sheet, 0, 11)->tone, COR_TONE_PLAIN);
    assert_string_equal(cor_sheet_cell(sheet, 0, 13)->text, "said so");
    assert_string_equal(cor_sheet_cell(sheet, 0, 14)->text, cor_term_word(COR_FAMILY_BOX, COR_BOX_BLACK));
    assert_string_equal(cor_sheet_cell(sheet, 0, 15)->text, "second");
    assert_int_equal(cor_sheet_cell(sheet, 0, 16)->estimate->suites, 9);
    assert_int_equal(cor_sheet_cell(sheet, 0, 17)->count, 8);
    cor_sheets_destroy(sheets);
}

static const struct cor_column_definition places_columns[] = {{"case", "", "", "a count", PLACE(case_)},
                                                              {"suite", "", "", "a count", PLACE(suite)}};
COR_SHEET_DEFINITION(places, "places", "Places", "a place", 0, 0);

static void rows_of_one_struct_are_put_at_once(void **unused) {
    (void)unused;
    const struct place rows[] = {{1, 2}, {3, 4}, {5, 6}};
    struct cor_sheets *sheets;
    assert_int_equal(cor_sheets_create("corridor-test", 1, &sheets, NULL), COR_OK);
    COR_SHEET_PUT_ALL(cor_sheets_add(sheets, &places), struct place, rows, 3); /* each argument once */
    const struct cor_sheet *sheet = cor_sheets_at(sheets, 0);
    assert_int_equal(cor_sheet_size(sheet), 3);
    for (size_t r = 0; r < 3; r++) {
        assert_int_equal(cor_sheet_cell(sheet, r, 0)->count, rows[r].case_);
        assert_int_equal(cor_sheet_cell(sheet, r, 1)->count, rows[r].suite);
    }
    cor_sheets_destroy(sheets);
}

static void four_digits_count(void **unused) {
    (void)unused;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "0"},
                 {12345.6, "12346"},
                 {123.456, "123.5"},
                 {176, "176"},
                 {-3, "-3"},
                 {12.3456, "12.35"},
                 {0.123456, "0.123"},
                 {0.0123456, "0.01235"},
                 {1e-4, "0.00010"},
                 {9e-5, "9e-05"},
                 {1e7, "1e+07"},
                 {-9999999, "-9999999"},
                 {NAN, "n/a"},
                 {INFINITY, "n/a"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[COR_CELL];
        cor_brief_text(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void sheets_are_found_by_id_and_by_index(void **unused) {
    (void)unused;
    struct cor_sheets *sheets = example_sheets();
    const struct cor_sheet *sheet = cor_sheets_find(sheets, "brief");
    assert_ptr_equal(sheet, cor_sheets_at(sheets, 1));
    assert_ptr_equal(cor_sheet_definition(sheet), &brief);
    assert_int_equal(cor_sheet_size(sheet), 1);
    assert_int_equal(cor_sheet_cell(sheet, 0, 0)->count, 7);
    assert_null(cor_sheets_find(sheets, "none"));
    assert_non_null(cor_sheets_at(sheets, 4));
    assert_null(cor_sheets_at(sheets, 5));
    assert_string_equal(cor_sheet_shown_title(cor_sheets_find(sheets, "empty")), "Empty, 0 rows");
    cor_sheets_destroy(sheets);
}

static void a_record_without_a_row_is_null_in_json(void **unused) {
    (void)unused;
    struct cor_sheets *sheets = example_sheets();
    char *text = rendered(sheets, JSON);
    struct cor_json_document *document;
    struct cor_json root, all, sheet, row;
    assert_int_equal(cor_json_parse(text, "test", &document, NULL), COR_OK);
    root = cor_json_root(document);
    assert_true(cor_json_find(&root, "sheets", &all) && cor_json_size(&all) == 5);
    assert_true(cor_json_find(&all, "absent", &sheet) && cor_json_find(&sheet, "row", &row));
    assert_true(cor_json_is_null(&row) && !cor_json_find(&sheet, "rows", &row));
    assert_true(cor_json_find(&all, "brief", &sheet) && cor_json_find(&sheet, "row", &row));
    assert_json_count(&row, "suites", 7);
    cor_json_destroy(document);
    free(text);
    cor_sheets_destroy(sheets);
}

static const struct cor_sheet_definition here = COR_SHEET_OVER(places_columns, "here", "Here", "a place",
                                                               COR_SHEET_RECORD | COR_SHEET_UNDER, 0),
                                         nowhere =
                                             COR_SHEET_OVER(places_columns, "nowhere", "Nowhere", "no place",
                                                            COR_SHEET_RECORD | COR_SHEET_UNDER, 0);

static void a_record_may_be_an_object_at_the_top_of_the_document(void **unused) {
    (void)unused;
    struct cor_sheets *sheets;
    assert_int_equal(cor_sheets_create("corridor-test", 1, &sheets, NULL), COR_OK);
    COR_SHEET_PUT(cor_sheets_add(sheets, &here), struct place, &(struct place){1, 2});
    cor_sheets_add(sheets, &nowhere);
    char *text = rendered(sheets, JSON);
    struct cor_json_document *document;
    struct cor_json root, object;
    assert_int_equal(cor_json_parse(text, "test", &document, NULL), COR_OK);
    root = cor_json_root(document);
    assert_true(cor_json_find(&root, "here", &object) && cor_json_size(&object) == 2);
    assert_json_count(&object, "case", 2);
    assert_false(cor_json_find(&root, "case", &object) || cor_json_find(&root, "nowhere", &object));
    cor_json_destroy(document);
    free(text);
    cor_sheets_destroy(sheets);
}

static void every_allocation_of_filling_may_fail(void **unused) {
    (void)unused;
    char null[4096];
    long at = 0, failed = 0;
    bool reached;
    do {
        struct cor_error error = COR_NO_ERROR;
        cor_allocations_begin(++at, false);
        struct cor_sheets *sheets = example_sheets();
        reached = cor_allocations_end() >= at;
        failed += reached;
        if (!sheets)
            continue;
        assert_int_equal(cor_sheets_status(sheets, &error), reached ? COR_STATUS_MEMORY : COR_OK);
        assert_int_equal(error.status, reached ? COR_STATUS_MEMORY : COR_OK);
        FILE *file = fmemopen(null, sizeof null, "w");
        if (reached)
            for (int renderer = TEXT; renderer <= HTML; renderer++)
                if (renderer <= JSON || cor_sheets_at(sheets, 0))
                    assert_int_equal(render_to(sheets, (enum renderer)renderer, file, NULL),
                                     COR_STATUS_MEMORY);
        fclose(file);
        cor_sheets_destroy(sheets);
    } while (reached);
    assert_true(failed > 20);
}

static const struct cor_column_definition asked_columns[] = {
    {"arm", "arm", "", "a word", COR_CELL_WORD, 0, 0},
    {"count", "count", "1", "a count", COR_CELL_COUNT, 0, 0},
    {"share", "share", "1", "a real", COR_CELL_REAL, 1, 0},
};
COR_SHEET_DEFINITION(asked, "asked", "Asked", "a row", 0, 0);

/* Rows a/1/0.5, b/2/nothing, c/2^64 - 1/0.25; and a sheet without a column "share". */
static struct cor_sheets *asked_sheets(void) {
    struct cor_sheets *sheets;
    if (cor_sheets_create("corridor-test", 1, &sheets, NULL) != COR_OK)
        return NULL;
    struct cor_sheet *sheet = cor_sheets_add(sheets, &asked);
    const char *const arms[] = {"a", "b", "c"};
    const uint64_t some[] = {1, 2, UINT64_MAX};
    const double shares[] = {0.5, NAN, 0.25};
    for (size_t i = 0; i < 3; i++) {
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, arms[i]);
        cor_sheet_count(sheet, some[i]);
        cor_sheet_real(sheet, shares[i]);
    }
    COR_SHEET_PUT(cor_sheets_add(sheets, &here), struct place, &(struct place){1, 2});
    return sheets;
}

/* A cell that has no value, or none that the language can say, makes a condition unknown, and so its denial.
 */
static void rows_are_chosen_by_a_condition(void **unused) {
    static const struct {
        const char *text, *rows;
    } cases[] = {{"share > 0.3", "a"},      {"not share > 0.3", "c"},      {"count >= 1", "ab"},
                 {"not (count > 5)", "ab"}, {"arm != 'b'", "ac"},          {"arm = 'b' or share > 0.4", "ab"},
                 {"arm = 'd'", ""},         {"share > 2 or 1 = 1", "abc"}, {"share > 2 and 1 = 1", ""}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_sheets *sheets = asked_sheets();
        assert_int_equal(cor_sheets_filter(sheets, "asked", cases[i].text, NULL), COR_OK);
        assert_null(cor_sheets_find(sheets, "here"));
        const struct cor_sheet *sheet = cor_sheets_find(sheets, "asked");
        assert_int_equal(cor_sheet_size(sheet), strlen(cases[i].rows));
        for (size_t row = 0; row < cor_sheet_size(sheet); row++)
            assert_int_equal(cor_sheet_cell(sheet, row, 0)->text[0], cases[i].rows[row]);
        cor_sheets_destroy(sheets);
    }
    struct cor_error error = COR_NO_ERROR;
    struct cor_sheets *sheets = asked_sheets();
    assert_int_equal(cor_sheets_filter(sheets, NULL, "share > 0 and [case] = 2", &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "no table has all of these columns");
    cor_sheets_destroy(sheets);
}

static void every_allocation_of_choosing_may_fail(void **unused) {
    (void)unused;
    long at = 0;
    bool reached;
    do {
        struct cor_error error = COR_NO_ERROR;
        struct cor_sheets *sheets = asked_sheets();
        cor_allocations_begin(++at, false);
        const enum cor_status status = cor_sheets_filter(sheets, NULL, "arm != 'b' and share > 0", &error);
        reached = cor_allocations_end() >= at;
        assert_int_equal(status, reached ? COR_STATUS_MEMORY : COR_OK);
        assert_int_equal(error.status, status);
        cor_sheets_destroy(sheets);
    } while (reached);
    assert_true(at > 20);
}

static void a_stream_that_fails_is_said(void **unused) {
    (void)unused;
    struct cor_sheets *sheets = example_sheets();
    for (int renderer = TEXT; renderer <= HTML; renderer++) {
        struct cor_error error = COR_NO_ERROR;
        FILE *file = fopen("/dev/full", "w");
        assert_non_null(file);
        assert_int_equal(render_to(sheets, (enum renderer)renderer, file, &error), COR_STATUS_FILE);
        assert_int_equal(error.status, COR_STATUS_FILE);
        fclose(file);
    }
    cor_sheets_destroy(sheets);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_reads_back_as_what_was_filled),
        cmocka_unit_test(csv_reads_back_as_what_was_filled),
        cmocka_unit_test(lines_of_a_text_end_at_one_edge),
        cmocka_unit_test(a_text_aligns_numbers_words_and_intervals),
        cmocka_unit_test(a_text_fits_the_width_that_it_is_given),
        cmocka_unit_test(a_page_shows_groups_hints_bars_and_intervals),
        cmocka_unit_test(a_page_escapes_everything_and_closes_its_tags),
        cmocka_unit_test(bytes_that_are_no_utf8_become_the_replacement_character),
        cmocka_unit_test(no_percentage_is_rounded_to_all_or_none),
        cmocka_unit_test(remarks_fill_108_columns_and_no_more),
        cmocka_unit_test(cells_come_from_members_by_name),
        cmocka_unit_test(rows_of_one_struct_are_put_at_once),
        cmocka_unit_test(four_digits_count),
        cmocka_unit_test(sheets_are_found_by_id_and_by_index),
        cmocka_unit_test(a_record_without_a_row_is_null_in_json),
        cmocka_unit_test(a_record_may_be_an_object_at_the_top_of_the_document),
        cmocka_unit_test(every_allocation_of_filling_may_fail),
        cmocka_unit_test(rows_are_chosen_by_a_condition),
        cmocka_unit_test(every_allocation_of_choosing_may_fail),
        cmocka_unit_test(a_stream_that_fails_is_said),
    };
    return cmocka_run_group_tests_name("sheet", tests, NULL, NULL);
}
