/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of what `corridor stabilize --json` said: of no result file, but of the sheets of one command. */
#include "page.h"

#include <corridor/array.h>
#include <corridor/json.h>

#include <math.h>
#include <string.h>

#define SCHEMA "corridor-stabilize"
#define BYTES_MOST ((size_t)256 << 20)

/* What the page shows of a row, under the keys of the command. */
static const struct cor_column_definition said_columns[] = {
    {"arm", "arm", "", "the arm", COR_CELL_WORD, 0, 0},
    {"size", "size", "", "how many processes or agents, and in which graph", COR_CELL_WORD, 0, 0},
    {"daemon", "daemon", "", "who chooses which processes move", COR_CELL_WORD, 0, 0},
    {"verdict", "verdict", "", "in a word: docs/do/stabilize.md", COR_CELL_WORD, 0, 0},
    {"said", "in words", "", "the verdict in a sentence", COR_CELL_TEXT, 0, 0},
    {"proved", "is proved", "", "every state and every step was visited", COR_CELL_FLAG, 0, 0},
    {"states", "states", "1", "all states, or starts", COR_CELL_COUNT, 0, 0},
    {"worst_steps", "steps", "1", "of the longest way back, of structures in cases", COR_CELL_COUNT, 0, 0},
    {"worst_moves", "moves", "1", "likewise, where each process that moves counts", COR_CELL_COUNT, 0, 0},
    {"worst_rounds", "rounds", "1", "likewise, in rounds", COR_CELL_COUNT, 0, 0},
    {"worst_state", "worst", "", "a state from which the way back is longest", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(said, "stabilize", "Coming back", "a row for each arm, size and daemon", 0, 0);

/* Shares as curves are drawn (plots.c): a chart for each arm and size, a line a daemon. */
static const struct cor_column_definition shares_columns[] = {
    {"curve", "curve", "", "arm and size", COR_CELL_WORD, 0, 0},
    {"arm", "daemon", "", "who chooses which processes move", COR_CELL_WORD, 0, 0},
    {"minus", "", "", "nothing", COR_CELL_WORD, 0, 0},
    {"case", "steps", "1", "within so many", COR_CELL_REAL, 0, 0},
    {"value", "share", "1", "of all states is surely back", COR_CELL_REAL, 0, 0},
    {"low", "", "1", "nothing", COR_CELL_REAL, 0, 0},
    {"high", "", "1", "nothing", COR_CELL_REAL, 0, 0}};
COR_SHEET_DEFINITION(shares, "decisions", "Back within so many steps", "a row a number of steps",
                     COR_SHEET_DATA, 0);

static const char *word_of(const struct cor_json *row, const char *key) {
    struct cor_json item;
    const char *word = NULL;
    if (!cor_json_find(row, key, &item) || !cor_json_is_string(&item) ||
        cor_json_string(&item, &word, NULL) != COR_OK)
        return "";
    return word;
}

/* NaN: none, or it is no number. */
static double number_of(const struct cor_json *row, const char *key) {
    struct cor_json item;
    double number;
    return cor_json_find(row, key, &item) && cor_json_real(&item, 0, 0x1p63, &number, NULL) == COR_OK
               ? number
               : (double)NAN;
}

static bool is_of(const struct cor_json *one, const struct cor_json *other) {
    static const char *const keys[] = {"arm", "size", "daemon"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (strcmp(word_of(one, keys[k]), word_of(other, keys[k])) != 0)
            return false;
    return true;
}

static void put_said(struct cor_sheet *sheet, const struct cor_json *row) {
    cor_sheet_row(sheet);
    for (size_t c = 0; c < said.column_count; c++) {
        const struct cor_column_definition *column = &said.columns[c];
        const double number = number_of(row, column->key);
        const char *word = word_of(row, column->key);
        struct cor_json item;
        bool is_so = false;
        if (column->kind == COR_CELL_FLAG && cor_json_find(row, column->key, &item) &&
            cor_json_bool(&item, &is_so, NULL) == COR_OK)
            cor_sheet_flag(sheet, is_so);
        else if (column->kind == COR_CELL_COUNT && !isnan(number))
            cor_sheet_count(sheet, (uint64_t)number);
        else if (column->kind == COR_CELL_WORD || column->kind == COR_CELL_TEXT)
            cor_sheet_word(sheet, word[0] ? word : NULL);
        else
            cor_sheet_nothing(sheet);
        if (strcmp(column->key, "verdict") == 0)
            cor_sheet_tone(sheet, strcmp(word, "holds") == 0 ? COR_TONE_GOOD
                                  : strcmp(word, "undecided") == 0 || strcmp(word, "sampled") == 0
                                      ? COR_TONE_PLAIN
                                      : COR_TONE_BAD);
    }
}

/* Of the states of a row the shares that are back. */
static void put_shares(struct cor_sheet *sheet, const struct cor_json *row, const struct cor_json *depths) {
    const double all = number_of(row, "states");
    for (size_t i = 0; all > 0 && i < cor_json_size(depths); i++) {
        const struct cor_json depth = cor_json_at(depths, i);
        if (!is_of(&depth, row))
            continue;
        cor_sheet_row(sheet);
        cor_sheet_text(sheet, "%s, %s", word_of(row, "arm"), word_of(row, "size"));
        cor_sheet_word(sheet, word_of(row, "daemon")[0] ? word_of(row, "daemon") : "starts");
        cor_sheet_nothing(sheet);
        cor_sheet_reals(sheet, 2,
                        (const double[]){number_of(&depth, "steps"), number_of(&depth, "states") / all});
        cor_sheet_reals(sheet, 2, (const double[]){(double)NAN, (double)NAN});
    }
}

/* A picture, and as its data the steps that it shows. */
static enum cor_status add_picture(struct cor_report *report, const struct cor_json *picture,
                                   const struct cor_json *runs, size_t index, struct cor_error *error) {
    char name[REPORT__FIGURE_NAME];
    struct report__text data;
    report__figure_name(name, "picture", index);
    struct report__figure *figure = report__figure_add(&report->figures, name, error);
    COR_TRY(figure ? COR_OK : COR_STATUS_MEMORY);
    report__text_begin(&data);
    for (size_t i = 0; data.file && i < cor_json_size(runs); i++) {
        const struct cor_json step = cor_json_at(runs, i);
        static const char *const keys[] = {"run", "state", "movers"};
        if (!is_of(&step, picture))
            continue;
        fprintf(data.file, "%.0f", number_of(&step, "step"));
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            fputc(',', data.file);
            cor_csv_word(word_of(&step, keys[k]), data.file);
        }
        fputc('\n', data.file);
    }
    figure->data = report__text_end(&data);
    figure->drawing = cor_strdup(word_of(picture, "svg"));
    figure->title = cor_format("%s, %s, %s: %s", word_of(picture, "arm"), word_of(picture, "size"),
                               word_of(picture, "daemon"), word_of(picture, "run"));
    figure->description =
        cor_strdup("A row a step, a column a process, its value as a tint; a ring around who "
                   "moves, a bar where the corridor is violated, a bracket around a loop.");
    return report__figure_status(figure, error);
}

static void put_facts(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *sheet = report__sheet_of(report, "stabilize");
    const size_t good = report__sheet_rows_with(sheet, "verdict", "holds"),
                 open = report__sheet_rows_with(sheet, "verdict", "undecided") +
                        report__sheet_rows_with(sheet, "verdict", "sampled");
    fputs("<dl class=facts>", file);
    report__page_fact(file, "asked", cor_sheet_size(sheet));
    report__page_fact(file, "come back and stay", good);
    report__page_fact(file, "open", open);
    report__page_fact(file, "fail", cor_sheet_size(sheet) - good - open);
    fputs("</dl>\n", file);
}

static bool has_shares(const struct cor_report *report) {
    return cor_sheet_size(cor_sheets_find(report->view[REPORT__OF_decisions], "decisions")) > 0;
}

static bool has_pictures(const struct cor_report *report) {
    return report->figures.count > 0 &&
           strncmp(report->figures.figure[report->figures.count - 1].name, "picture", 7) == 0;
}

static void put_pictures(const struct cor_report *report, FILE *file) {
    fputs("<div class=multiples>\n", file);
    for (size_t i = 0; i < report->figures.count; i++) {
        const struct report__figure *figure = &report->figures.figure[i];
        if (strncmp(figure->name, "picture", 7) == 0)
            report__figure_html(&report->figures, file, figure->name, figure->title);
    }
    fputs("</div>\n", file);
}

static const struct report__section sections[] = {
    {.id = "glance",
     .shorter = "At a glance",
     .heading = "At a glance",
     .sentence =
         "From any state, does the system come back into its corridor, and does it stay there? What is "
         "proved is so of all states that the program declares. What each word means: "
         "docs/do/stabilize.md.",
     .sheet = {{REPORT__OF_tables, "stabilize", false}}},
    {.id = "back",
     .shorter = "Back within",
     .heading = "Back within so many steps",
     .sentence = "The share of states that are surely back within so many steps; of algorithms, of starts "
                 "within so many cases.",
     .is_shown = has_shares,
     .before = report__page_decisions},
    {.id = "pictures",
     .shorter = "Pictures",
     .heading = "Worst runs and loops",
     .sentence =
         "A row a step, a column a process, its value as a tint; a ring around who moves, a bar where the "
         "corridor is violated, a bracket around a loop.",
     .is_shown = has_pictures,
     .before = put_pictures}};

static const struct report__page_kind page = {.shown = REPORT__OF_tables,
                                              .put_facts = put_facts,
                                              .sections = sections,
                                              .section_count = sizeof sections / sizeof *sections};

static enum cor_status read_said(struct cor_report *report, const struct cor_json *root,
                                 struct cor_error *error) {
    struct cor_json sheets, sheet, rows, depths = {0}, runs = {0}, pictures = {0};
    struct cor_sheet *shown = cor_sheets_add(report->view[REPORT__OF_tables], &said),
                     *curves = cor_sheets_add(report->view[REPORT__OF_decisions], &shares);
    if (strcmp(word_of(root, "schema"), SCHEMA) != 0 || !cor_json_find(root, "sheets", &sheets))
        return cor_json_fail(root, error, "a result file, or what corridor stabilize --json says",
                             "is neither");
    COR_TRY(cor_json_need(&sheets, "stabilize", &sheet, error));
    COR_TRY(cor_json_need(&sheet, "rows", &rows, error));
    COR_TRY(cor_json_expect_array(&rows, 0, SIZE_MAX, error));
    static const char *const names[] = {"stabilize_depth", "stabilize_run", "stabilize_picture"};
    struct cor_json *const of[] = {&depths, &runs, &pictures};
    struct cor_json parents[3];
    for (size_t i = 0; i < 3; i++)
        if (!cor_json_find(&sheets, names[i], &parents[i]) || !cor_json_find(&parents[i], "rows", of[i]))
            *of[i] = (struct cor_json){0};
    COR_JSON_CHILDREN(row, &rows) {
        put_said(shown, &row);
        put_shares(curves, &row, &depths);
    }
    COR_TRY(report__plot_decisions(report, error));
    COR_JSON_CHILDREN(picture, &pictures)
        COR_TRY(add_picture(report, &picture, &runs, picture.index, error));
    return report__draw(&report->figures, &report->options, error);
}

enum cor_status cor_report_of_stabilize(const char *path, const struct cor_report_options *options,
                                        struct cor_report **report, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_report *made = *report = cor_calloc(1, sizeof *made);
    enum cor_status status = cor_made(made, error);
    COR_TRY(status);
    made->options = *options;
    made->kind = &page;
    made->along = "steps";
    made->drawn = "the share of states that are surely back within so many steps";
    made->name = cor_strdup("From any state, does it come back?");
    made->notes = cor_strdup("");
    COR_TRY_OUT(made->name && made->notes ? COR_OK : cor_fail_memory(error));
    COR_TRY_OUT(cor_sheets_create(SCHEMA, 1, &made->view[REPORT__OF_tables], error));
    COR_TRY_OUT(cor_sheets_create(SCHEMA, 1, &made->view[REPORT__OF_decisions], error));
    COR_TRY_OUT(cor_json_read_large(path, BYTES_MOST, &document, error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(read_said(made, &root, error));
out:
    cor_json_destroy(document);
    if (status != COR_OK) {
        cor_report_destroy(made);
        *report = NULL;
    }
    return status;
}
