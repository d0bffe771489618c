/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/export.h>
#include <corridor/query.h>
#include <corridor/row_cells.h>
#include <corridor/schema.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define SHOWN 200 /* rows of an answer that a text has */

struct request {
    bool csv, json, force, unsealed;
    const char *separator, *decimal, *output;
    int64_t steps;
};

/* ---- what there is */

static const struct cor_column_definition of_tables_columns[] = {
    {"file", "file", "", "how SQL calls the file", COR_CELL_WORD, .flags = COR_COLUMN_KEY},
    {"table", "table", "", "how SQL calls the table", COR_CELL_WORD, .flags = COR_COLUMN_KEY},
    {"rows", "rows", "1", "number of its rows", COR_CELL_COUNT},
    {"meaning", "meaning", "", "what a row is", COR_CELL_TEXT},
};
COR_SHEET_DEFINITION(of_tables, "sql_tables", "Tables", "a table of a file", 0, 0);

static const struct cor_column_definition of_columns_columns[] = {
    {"table", "table", "", "the table", COR_CELL_WORD, .flags = COR_COLUMN_GROUP},
    {"column", "column", "", "how SQL calls the column", COR_CELL_WORD, .flags = COR_COLUMN_KEY},
    {"unit", "unit", "", "unit of its values", COR_CELL_WORD},
    {"meaning", "meaning", "", "what a value of it is", COR_CELL_TEXT},
};
COR_SHEET_DEFINITION(of_columns, "sql_columns", "Columns",
                     "a column of a table; those of catalogs are code, name, description", 0, 0);

/* A meaning as far as it holds here, where codes are words and texts are there: not where they lie in the
 * file. */
static int meaning_length(const char *meaning) {
    static const char *const in_file[] = {", code in catalog/", ": its first byte in vectors/"};
    const char *end = meaning + strlen(meaning);
    for (size_t i = 0; i < sizeof in_file / sizeof *in_file; i++) {
        const char *at = strstr(meaning, in_file[i]);
        end = at && at < end ? at : end;
    }
    return (int)(end - meaning);
}

static enum cor_status list_columns(struct cor_sheets *sheets, struct cor_result *result,
                                    struct cor_error *error) {
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    struct cor_sheet *sheet = cor_sheets_more(sheets, &of_columns);
    for (uint32_t t = 0; t < layer->table_count; t++) {
        struct cor_row_cells *cells;
        const struct cor_row_column *columns;
        COR_TRY(cor_row_cells_create(result, t, false, &cells, error));
        const uint32_t count = cor_row_columns(cells, &columns);
        for (uint32_t c = 0; c < count; c++) {
            const struct cor_column *schema = columns[c].schema;
            if (columns[c].is_hidden)
                continue;
            cor_sheet_row(sheet);
            cor_sheet_word(sheet, layer->tables[t].group);
            cor_sheet_word(sheet, columns[c].name);
            const bool has_unit = schema && !columns[c].is_text && !cor_row_is_code(cells, &columns[c]);
            cor_sheet_word(sheet, has_unit ? schema->unit : "");
            const char *meaning = schema ? schema->meaning : "what the row says, as a sentence";
            cor_sheet_text(sheet, "%.*s", meaning_length(meaning), meaning);
        }
        cor_row_cells_destroy(cells);
    }
    return COR_OK;
}

static enum cor_status list(struct cor_result *const *results, const char *const *names, uint32_t count,
                            const struct cor_arguments *arguments, struct cor_error *error) {
    const struct request *request = arguments->request;
    struct cor_sheets *sheets;
    struct cor_output output;
    COR_TRY(cor_sheets_create("corridor-sql", 1, &sheets, error));
    enum cor_status status = COR_OK;
    for (uint32_t f = 0; f < count; f++) {
        const struct cor_layer_schema *layer = cor_result_head(results[f])->layer;
        struct cor_sheet *sheet = cor_sheets_more(sheets, &of_tables);
        bool is_told = false;
        for (size_t i = 0; i < cor_export_sources(layer); i++) {
            const struct cor_export_source source = cor_export_source(layer, i);
            char name[sizeof source.name];
            cor_query_table_name(source.name, name, sizeof name);
            cor_sheet_row(sheet);
            cor_sheet_word(sheet, names[f]);
            cor_sheet_word(sheet, name);
            cor_sheet_count(sheet, cor_export_rows(results[f], &source));
            cor_sheet_text(sheet, "%s", source.meaning);
        }
        const bool has_detections = layer == &cor_interaction_schema;
        if (has_detections) {
            cor_sheet_row(sheet);
            cor_sheet_word(sheet, names[f]);
            cor_sheet_word(sheet, "detections");
            cor_sheet_nothing(sheet); /* it is counted when it is asked for */
            cor_sheet_text(sheet, "how long sequences went without a failure, for survival tools");
        }
        for (uint32_t other = 0; other < f; other++)
            is_told = is_told || cor_result_head(results[other])->layer == layer;
        if (!is_told)
            COR_TRY_OUT(list_columns(sheets, results[f], error));
        for (const struct cor_query_column *column = cor_query_detections;
             column->name && has_detections && !is_told; column++) {
            struct cor_sheet *columns = cor_sheets_more(sheets, &of_columns);
            cor_sheet_row(columns);
            cor_sheet_word(columns, "detections");
            cor_sheet_word(columns, column->name);
            cor_sheet_word(columns, column->unit);
            cor_sheet_text(columns, "%s", column->meaning);
        }
    }
    const char *main_table = cor_result_head(results[0])->layer->main_table;
    main_table += *main_table == '/';
    char *path = cor_shell_quoted(arguments->words[0]);
    COR_TRY_OUT(cor_made(path, error));
    cor_sheet_remark(
        cor_sheets_more(sheets, &of_columns),
        "Names that are words of SQL stand in double quotes: \"case\", \"group\". Two questions: "
        "corridor sql %s 'select arm, count(*) from %s group by arm' and corridor sql %s "
        "'select * from %s limit 10'",
        path, main_table, path, main_table);
    free(path);
    COR_TRY_OUT(cor_output_open(request->output, request->force, &output, error));
    const struct cor_style style = request->output ? COR_STYLE_PLAIN : cor_show_style();
    status = request->json  ? cor_sheets_json(sheets, output.file, error)
             : request->csv ? cor_sheet_csv(cor_sheets_find(sheets, "sql_columns"), output.file, error)
                            : cor_sheets_text(sheets, &style, output.file, error);
    status = cor_output_close(&output, status, error);
out:
    cor_sheets_destroy(sheets);
    return status;
}

/* ---- answers */

/* An answer on its way to whom it is for. */
struct answer {
    const struct request *request;
    struct cor_answer_lines lines;
    const struct cor_style *style;
    /* Of a text: the rows that are shown, to be laid out when all are known. */
    struct kept {
        struct cor_query_value value;
        char *text; /* owned */
    } * values;     /* owned; `count` of each row */
    size_t capacity, shown;
    uint64_t rows;
    uint32_t count;
    char **names; /* owned */
};

static void forget(struct answer *answer) {
    for (size_t i = 0; i < answer->shown * answer->count; i++)
        free(answer->values[i].text);
    for (uint32_t c = 0; c < answer->count && answer->names; c++)
        free(answer->names[c]);
    COR_FREE(answer->values, answer->names);
    answer->values = NULL;
    answer->names = NULL;
    answer->capacity = answer->shown = 0;
    answer->rows = answer->count = 0;
}

/* What all values of a column are. */
static enum cor_cell_kind kind_of(const struct answer *answer, uint32_t column) {
    enum { MILLION = 1000000 }; /* up to which a real shows all digits of an integer */
    enum cor_cell_kind kind = COR_CELL_COUNT;
    bool is_exact = true, is_large = false;
    for (size_t r = 0; r < answer->shown; r++) {
        const struct cor_query_value *value = &answer->values[r * answer->count + column].value;
        if (value->kind == COR_QUERY_TEXT)
            return COR_CELL_WORD;
        is_exact = is_exact && value->kind != COR_QUERY_REAL;
        is_large = is_large || (value->kind == COR_QUERY_INTEGER &&
                                (value->integer > MILLION || value->integer < -MILLION));
        if (value->kind == COR_QUERY_REAL || (value->kind == COR_QUERY_INTEGER && value->integer < 0))
            kind = COR_CELL_REAL;
    }
    return kind == COR_CELL_REAL && is_exact && is_large ? COR_CELL_WORD : kind;
}

static void put_cell(struct cor_sheet *sheet, const struct cor_query_value *value, enum cor_cell_kind kind) {
    char number[COR_CELL];
    const double real = value->kind == COR_QUERY_INTEGER ? (double)value->integer : value->real;
    if (value->kind == COR_QUERY_NULL)
        cor_sheet_nothing(sheet);
    else if (kind == COR_CELL_COUNT)
        cor_sheet_count(sheet, (uint64_t)value->integer);
    else if (kind == COR_CELL_REAL)
        cor_sheet_real(sheet, real);
    else if (value->kind == COR_QUERY_TEXT)
        cor_sheet_word(sheet, value->text);
    else {
        if (value->kind == COR_QUERY_INTEGER)
            snprintf(number, sizeof number, "%" PRId64, value->integer);
        else
            cor_real_text(real, number);
        cor_sheet_word(sheet, number);
    }
}

/* The rows that were kept, as a table of a text. */
static enum cor_status lay_out(struct answer *answer, struct cor_error *error) {
    struct cor_sheets *sheets = NULL;
    struct cor_sheet_definition sheet = {
        .id = "answer", .title = "", .meaning = "", .column_count = answer->count};
    enum cor_status status = COR_OK;
    if (answer->request->csv || answer->request->json || !answer->names)
        return COR_OK;
    struct cor_column_definition *columns = cor_calloc(answer->count, sizeof *columns);
    COR_TRY_OUT(cor_made(columns, error));
    sheet.columns = columns;
    for (uint32_t c = 0; c < answer->count; c++)
        columns[c] = (struct cor_column_definition){.key = answer->names[c],
                                                    .heading = answer->names[c],
                                                    .unit = "",
                                                    .meaning = "",
                                                    .kind = kind_of(answer, c),
                                                    .digits = COR_DIGITS_FOUR,
                                                    .flags = c == 0 ? COR_COLUMN_KEY : 0};
    COR_TRY_OUT(cor_sheets_create("corridor-sql", 1, &sheets, error));
    struct cor_sheet *filled = cor_sheets_add(sheets, &sheet);
    for (size_t r = 0; r < answer->shown; r++) {
        cor_sheet_row(filled);
        for (uint32_t c = 0; c < answer->count; c++)
            put_cell(filled, &answer->values[r * answer->count + c].value, columns[c].kind);
    }
    if (answer->rows > answer->shown)
        cor_sheet_remark(filled, "%" PRIu64 " rows more: --csv or --json has all.",
                         answer->rows - answer->shown);
    COR_TRY_OUT(cor_sheets_text(sheets, answer->style, answer->lines.file, error));
out:
    cor_sheets_destroy(sheets);
    free(columns);
    return status;
}

/* Names of columns, all different: of two that are alike the second has its number behind it. */
static enum cor_status take_names(struct answer *answer, uint32_t count, const char *const *names,
                                  struct cor_error *error) {
    COR_TRY(lay_out(answer, error)); /* of the statement before */
    forget(answer);
    COR_TRY(cor_made(answer->names = cor_calloc(count, sizeof *answer->names), error));
    answer->count = count;
    for (uint32_t c = 0; c < count; c++) {
        COR_TRY(cor_made(answer->names[c] = cor_strdup(names[c]), error));
        for (uint32_t next = 2, other = 0; other < c; other++)
            if (strcmp(answer->names[other], answer->names[c]) == 0) {
                free(answer->names[c]);
                COR_TRY(cor_made(answer->names[c] = cor_format("%s_%u", names[c], next++), error));
                other = UINT32_MAX; /* from the first on */
            }
    }
    if (answer->request->csv)
        cor_answer_put(&answer->lines, count, (const char *const *)answer->names, NULL);
    return cor_stream_status(answer->lines.file, error);
}

static enum cor_status hear(void *data, uint32_t count, const char *const *names,
                            const struct cor_query_value *values, struct cor_error *error) {
    struct answer *answer = data;
    if (!values)
        return take_names(answer, count, names, error);
    answer->rows++;
    if (answer->request->csv || answer->request->json) {
        cor_answer_put(&answer->lines, count, (const char *const *)answer->names, values);
        return cor_stream_status(answer->lines.file, error);
    }
    if (answer->shown == SHOWN)
        return COR_OK;
    COR_TRY(COR_RESERVE(&answer->values, &answer->capacity, (answer->shown + 1) * count, error));
    struct kept *kept = &answer->values[answer->shown * count];
    memset(kept, 0, count * sizeof *kept);
    answer->shown++;
    for (uint32_t c = 0; c < count; c++) {
        kept[c].value = values[c];
        if (values[c].kind != COR_QUERY_TEXT)
            continue;
        COR_TRY(cor_made(kept[c].text = cor_strdup(values[c].text), error));
        kept[c].value.text = kept[c].text;
    }
    return COR_OK;
}

static void say_steps(void *data, uint64_t used, uint64_t most) {
    (void)cor_progress_goes_on(data, "%" PRIu64 " of at most %" PRIu64 " million steps", used, most);
}

static enum cor_status ask(struct cor_result *const *results, const char *const *names, uint32_t count,
                           const char *text, const struct request *request, struct cor_error *error) {
    struct cor_query *query;
    struct cor_output output;
    double shown = 0;
    const struct cor_style style = request->output ? COR_STYLE_PLAIN : cor_show_style();
    struct answer answer = {.request = request,
                            .style = &style,
                            .lines = {.is_json = request->json,
                                      .separator = request->separator ? request->separator[0] : ',',
                                      .decimal = request->decimal ? request->decimal[0] : '.'}};
    COR_TRY(cor_query_open(results, names, count, &query, error));
    enum cor_status status = cor_output_open(request->output, request->force, &output, error);
    if (status == COR_OK) {
        answer.lines.file = output.file;
        cor_query_watch(query, say_steps, &shown);
        status = cor_query_ask(query, text, NULL, (uint64_t)request->steps, hear, &answer, error);
        cor_progress_doing(NULL);
        status = status == COR_OK ? lay_out(&answer, error) : status;
        status = cor_output_close(&output, status, error);
    }
    forget(&answer);
    cor_query_close(query);
    return status;
}

/* ---- the command line */

/* How SQL calls a file: its name without folder and ending; the second of a name has its number behind it. */
static char *name_of(const char *path, char *const *names, uint32_t count) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    const int letters = (int)(dot && dot > base ? (size_t)(dot - base) : strlen(base));
    char *name = cor_format("%.*s", letters, base);
    static const char *const of_sqlite[] = {"main", "temp"};
    for (uint32_t next = 2, f = 0; name && f < count + 2; f++)
        if (strcasecmp(f < count ? names[f] : of_sqlite[f - count], name) == 0) {
            free(name);
            name = cor_format("%.*s_%u", letters, base, next++);
            f = UINT32_MAX; /* from the first on */
        }
    return name;
}

/* Whether the word is a file, and no question. */
static bool is_file(const char *word) {
    return access(word, F_OK) == 0 || (strlen(word) > 3 && strcmp(word + strlen(word) - 3, ".h5") == 0);
}

static enum cor_status run_on(const struct cor_arguments *arguments, uint32_t count, const char *text,
                              struct cor_error *error) {
    const struct request *request = arguments->request;
    struct cor_result *results[COR_QUERY_FILES_MAX] = {0};
    char *names[COR_QUERY_FILES_MAX] = {0};
    enum cor_status status = COR_OK;
    for (uint32_t f = 0; f < count; f++) {
        const char *doubt;
        COR_TRY_OUT(cor_made(names[f] = name_of(arguments->words[f], names, f), error));
        COR_TRY_OUT(cor_open_result(arguments->command, request->unsealed, arguments->words[f], NULL,
                                    &results[f], &doubt, error));
    }
    status = text ? ask(results, (const char *const *)names, count, text, request, error)
                  : list(results, (const char *const *)names, count, arguments, error);
out:
    for (uint32_t f = 0; f < count; f++) {
        cor_result_close(results[f]);
        free(names[f]);
    }
    return status;
}

/* All of standard input. */
static enum cor_status read_question(char **text, struct cor_error *error) {
    size_t room = 0;
    const bool is_read = getdelim(text, &room, '\0', stdin) >= 0;
    if (!is_read && ferror(stdin))
        return cor_fail_errno(error, COR_STATUS_FILE, "-", NULL, "cannot be read");
    if (is_read && !feof(stdin))
        return cor_fail(error, COR_STATUS_INPUT, "-", "give the question as text",
                        "the question has a zero byte");
    return cor_made(*text = is_read ? *text : cor_strdup(""), error);
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    const char *last = arguments->words[arguments->word_count - 1];
    const bool is_list = arguments->word_count == 1 || (strcmp(last, "-") != 0 && is_file(last));
    const uint32_t count = (uint32_t)arguments->word_count - !is_list;
    char *script = NULL;
    if (count > COR_QUERY_FILES_MAX)
        return cor_misuse(arguments->command, "takes at most %d files", COR_QUERY_FILES_MAX);
    if ((request->separator &&
         (strlen(request->separator) != 1 || !strchr(",;|:\t ", request->separator[0]))) ||
        (request->decimal && (strlen(request->decimal) != 1 || !strchr(".,", request->decimal[0]))))
        return cor_misuse(arguments->command,
                          "--separator takes one of , ; | : a tab or a blank, --decimal a point or a comma");
    if (request->decimal && request->decimal[0] == (request->separator ? request->separator[0] : ','))
        return cor_misuse(arguments->command, "numbers with \"%s\" need another separator: --separator \";\"",
                          request->decimal);
    enum cor_status status = COR_OK;
    if (!is_list && strcmp(last, "-") == 0)
        status = read_question(&script, &error);
    if (status == COR_OK)
        status = run_on(arguments, count, is_list ? NULL : script ? script : last, &error);
    free(script);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_sql = {
    .name = "sql",
    .summary = "ask result files in SQL",
    .operands = "RESULTS.h5 [OTHER.h5 ..] ['select ..' | -]",
    .takes = {1, COR_QUERY_FILES_MAX + 1, "needs a result file, and a question"},
    .request_size = sizeof(struct request),
    .manual = "Asks a question in SQL, as SQLite has it, of the tables of a result file: those that corridor "
              "export writes, with the same columns and words; catalogs are called catalog_arm, vectors "
              "vectors_walk. Without a question, lists tables and columns with what they mean. Of several "
              "files each is called by its name without folder and ending: a.cases, b.cases. - reads the "
              "question from standard input.\n\nA question reads and nothing else. Names that are words of "
              "SQL stand in double quotes (\"case\", \"group\"), words of a column in single ones. Rows lie "
              "by arm and suite: what is asked or joined by both is found at once. What has no number, as "
              "NaN, is NULL.",
    .options = {{"csv", 0, NULL, "write the answer as CSV", COR_FLAG(csv), .excludes = "json"},
                {"json", 0, NULL, "write an object a row, each in a line", COR_FLAG(json)},
                {"separator", 0, "LETTER", "put it between the fields of CSV", COR_TEXT(separator),
                 .otherwise = ",", .needs = "csv"},
                {"decimal", 0, "LETTER", "put it in front of a number's decimals", COR_TEXT(decimal),
                 .otherwise = ".", .needs = "csv"},
                {"steps", 0, "N", "end a query after so many million steps of SQLite",
                 COR_INTEGER(steps, 1, 1000000000, COR_QUERY_STEPS)},
                {"output", 'o', "FILE", "write it there; - is standard output", COR_TEXT(output),
                 .otherwise = "-"},
                {"force", 'f', NULL, "replace a file that exists", COR_FLAG(force)},
                COR_UNSEALED_OPTION(unsealed)},
    .examples = {"corridor sql demo.h5                                  # which tables and columns there are",
                 "corridor sql demo.h5 'select arm, count(*) from failures group by arm'",
                 "corridor sql demo.h5 'select arm, avg(moved) from reorganizations group by arm' --csv",
                 "corridor sql a.h5 b.h5 'select count(*) from a.suites join b.suites using (arm, suite)'"},
    .run = run,
    .reads = true,
};
