/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which outcomes are possible at all: cells of a pattern space that searches came to, each with its
 * probability by the law, which only tests drawn by the law tell. */
#include "searches.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/proportion.h>
#include <corridor/unseen.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AXES 3
#define MAP_COLUMNS 64
#define MAP_ROWS 20

/* A cell of an arm of the experiment, over all islands. */
struct cell {
    uint16_t target;
    double low[AXES];
    uint64_t by_search, by_law, sampled, of; /* tests; of the law: sampled of a fixed number */
    double share;
    struct cor_bounds bounds;
};

static const struct cor_column_definition cells_sheet_columns[] = {
    {"arm", "", "", "arm of the experiment", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"first", "first", "", "lower end of the first amount", COR_CELL_OF(struct cell, low[0]),
     COR_DIGITS_FOUR},
    {"second", "second", "", "of the second", COR_CELL_OF(struct cell, low[1]), COR_DIGITS_FOUR},
    {"third", "third", "", "of the third", COR_CELL_OF(struct cell, low[2]), COR_DIGITS_FOUR},
    {"by_search", "by search", "tests", "of searches that came to it", COR_CELL_OF(struct cell, by_search)},
    {"by_law", "by law", "tests", "drawn by the law that came to it", COR_CELL_OF(struct cell, by_law)},
    {"sampled", "sampled", "tests", "thereof among a number fixed beforehand",
     COR_CELL_OF(struct cell, sampled), 0, COR_COLUMN_DATA},
    {"of", "of", "tests", "that number, over all islands", COR_CELL_OF(struct cell, of), 0, COR_COLUMN_DATA},
    {"probability", "probability", "1", "of the cell by the law: the share of these, which is unbiased",
     COR_CELL_OF(struct cell, share), COR_DIGITS_FOUR},
    {"low", "low", "1", "lower end of its interval (Clopper-Pearson)", COR_CELL_OF(struct cell, bounds.low),
     COR_DIGITS_FOUR},
    {"high", "high", "1", "upper end", COR_CELL_OF(struct cell, bounds.high), COR_DIGITS_FOUR},
};
COR_SHEET_DEFINITION(cells_sheet, "cells", "Possible outcomes", "a cell of the pattern space", 0, 30);

/* A search beside the others. */
struct filled {
    const char *arm, *pattern;
    uint64_t islands, tests, cells, alone;
    double missing;
};
#define FILLED(member) COR_CELL_OF(struct filled, member)
static const struct cor_column_definition filled_sheet_columns[] = {
    {"arm", "search", "", "generator, and arm of the experiment", FILLED(arm)},
    {"islands", "islands", "1", "searches that know nothing of each other", FILLED(islands)},
    {"tests", "tests", "tests", "that are in cells", FILLED(tests)},
    {"cells", "cells", "1", "that any of them came to", FILLED(cells)},
    {"alone", "alone", "1", "thereof that no other search of the arm came to", FILLED(alone)},
    {"missing", "missing", "1", "chance that the next test by the law is in a new cell (Good and Turing)",
     FILLED(missing), COR_DIGITS_FOUR},
    {"pattern", "pattern", "", "amounts by widths of cells", COR_TEXT_OF(struct filled, pattern)},
};
COR_SHEET_DEFINITION(filled_sheet, "filled", "The pattern space", "a search", 0, 0);

static int compare_reals(double a, double b) {
    return isnan(a) || isnan(b) ? isnan(b) - isnan(a) : (a > b) - (a < b);
}

static int compare_cells(const void *a, const void *b) {
    const struct cell *x = a, *y = b;
    int order = (x->target > y->target) - (x->target < y->target);
    for (int i = 0; i < AXES && order == 0; i++)
        order = compare_reals(x->low[i], y->low[i]);
    return order;
}

/* What the cells of a file are made of. */
struct making {
    const struct cor_layer_tables *search;
    struct cell *cells; /* owned; by compare_cells, each once */
    size_t count;
    bool is_independent; /* a suite has one sequence */
};

static const struct cor_search_island_row *island_of(const struct cor_layer_tables *search, uint16_t arm) {
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_ISLANDS]; i++) {
        const struct cor_search_island_row *row = cor_layer_row(search, COR_SEARCH_TABLE_ISLANDS, i);
        if (row->arm == arm)
            return row;
    }
    return NULL;
}

static bool is_law(const struct cor_layer_tables *search, uint16_t arm) {
    const struct cor_search_island_row *island = island_of(search, arm);
    return island && strcmp(cor_result_name(search->result, COR_SEARCH_CATALOG_GENERATOR, island->generator),
                            "random") == 0;
}

/* The cells of all islands as they stand, then those that are one put together. */
static enum cor_status gather(struct making *making, struct cor_error *error) {
    const struct cor_layer_tables *search = making->search;
    const uint64_t count = search->count[COR_SEARCH_TABLE_CELLS];
    making->cells = cor_calloc(count + 1, sizeof *making->cells);
    COR_TRY(cor_made(making->cells, error));
    for (uint64_t i = 0; i < count; i++) {
        const struct cor_search_cell_row *row = cor_layer_row(search, COR_SEARCH_TABLE_CELLS, i);
        const struct cor_search_island_row *island = island_of(search, row->arm);
        const bool by_law = is_law(search, row->arm);
        making->cells[i] = (struct cell){.target = island ? island->target : 0,
                                         .low = {row->low_1, row->low_2, row->low_3},
                                         .by_search = by_law ? 0 : row->tests,
                                         .by_law = by_law ? row->tests : 0,
                                         .sampled = by_law ? row->sampled : 0};
    }
    if (count > 0)
        qsort(making->cells, count, sizeof *making->cells, compare_cells);
    for (uint64_t i = 0; i < count; i++) {
        struct cell *last = making->count > 0 ? &making->cells[making->count - 1] : NULL;
        const struct cell *cell = &making->cells[i];
        if (!last || compare_cells(last, cell) != 0) {
            making->cells[making->count++] = *cell;
            continue;
        }
        last->by_search += cell->by_search;
        last->by_law += cell->by_law;
        last->sampled += cell->sampled;
    }
    return COR_OK;
}

/* Shares of the law, of each arm of the experiment. */
static void reckon(struct making *making, double level) {
    for (size_t i = 0; i < making->count; i++) {
        struct cell *cell = &making->cells[i];
        for (size_t j = 0; j < making->count; j++)
            if (making->cells[j].target == cell->target)
                cell->of += making->cells[j].sampled;
        cell->share = cell->of > 0 ? (double)cell->sampled / (double)cell->of : (double)NAN;
        cell->bounds = cell->of > 0 && making->is_independent
                           ? cor_proportion_clopper_pearson(cell->sampled, cell->of, level)
                           : (struct cor_bounds){NAN, NAN};
    }
}

/* Does the search of that arm have a test in the cell? */
static bool comes_to(const struct making *making, uint16_t arm, const struct cell *cell) {
    const struct cor_layer_tables *search = making->search;
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_CELLS]; i++) {
        const struct cor_search_cell_row *row = cor_layer_row(search, COR_SEARCH_TABLE_CELLS, i);
        const double low[] = {row->low_1, row->low_2, row->low_3};
        bool is_it = row->arm == arm;
        for (int a = 0; a < AXES && is_it; a++)
            is_it = compare_reals(low[a], cell->low[a]) == 0;
        if (is_it)
            return true;
    }
    return false;
}

/* The member "pattern" of the description of an arm; owned by the caller, NULL: it has none. */
static enum cor_status pattern_of(const char *description, char **pattern, struct cor_error *error) {
    struct cor_json_document *document;
    struct cor_json child;
    const char *text;
    enum cor_status status = COR_OK;
    *pattern = NULL;
    COR_TRY(cor_json_parse(description, "catalog/arm", &document, error));
    const struct cor_json root = cor_json_root(document);
    if (cor_json_find(&root, "pattern", &child))
        status = cor_json_string(&child, &text, error);
    if (status == COR_OK && cor_json_find(&root, "pattern", &child))
        status = cor_made(*pattern = cor_strdup(text), error);
    cor_json_destroy(document);
    return status;
}

static enum cor_status put_filled(const struct making *making, struct cor_sheet *sheet, bool *any,
                                  struct cor_error *error) {
    const struct cor_layer_tables *search = making->search;
    for (size_t a = 0; a < cor_arm_count(search->head); a++) {
        const struct cor_catalog_entry *entry = cor_arm_entry(search->head, a);
        struct filled filled = {.arm = entry->name, .missing = NAN};
        struct cor_unseen_counts counts = {0};
        char *pattern;
        const uint16_t arm = (uint16_t)entry->code;
        COR_TRY(pattern_of(entry->description, &pattern, error));
        if (!pattern)
            continue;
        *any = true;
        filled.pattern = pattern;
        const struct cor_search_island_row *island = island_of(search, arm);
        for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_ISLANDS]; i++)
            filled.islands +=
                ((const struct cor_search_island_row *)cor_layer_row(search, COR_SEARCH_TABLE_ISLANDS, i))
                    ->arm == arm;
        for (size_t c = 0; c < making->count && island; c++) {
            const struct cell *cell = &making->cells[c];
            if (cell->target != island->target || isnan(cell->low[0]) || !comes_to(making, arm, cell))
                continue;
            bool is_alone = true;
            for (size_t other = 0; other < cor_arm_count(search->head) && is_alone; other++)
                is_alone =
                    other == a || !comes_to(making, (uint16_t)cor_arm_entry(search->head, other)->code, cell);
            filled.cells++;
            filled.alone += is_alone;
            filled.tests += is_law(search, arm) ? cell->by_law : cell->by_search;
            counts.once += cell->by_law == 1;
            counts.draws += cell->by_law;
        }
        if (is_law(search, arm))
            filled.missing = cor_missing_mass(&counts);
        COR_SHEET_PUT(sheet, struct filled, &filled);
        free(pattern);
    }
    return COR_OK;
}

/* A map of two amounts: over all cells of an arm of the experiment. */
struct map {
    char mark[MAP_ROWS][MAP_COLUMNS + 1];
    double low[2], high[2];
    int columns, rows;
};

static void draw_map(const void *context, const struct cor_style *style, FILE *file) {
    const struct map *map = context;
    fprintf(file,
            "%sCells%s  # by the law, o by searches alone\n"
            "  first amount %.6g to %.6g across, second %.6g to %.6g upwards\n",
            style->strong, style->plain, map->low[0], map->high[0], map->low[1], map->high[1]);
    for (int r = map->rows - 1; r >= 0; r--)
        fprintf(file, "  |%s\n", map->mark[r]);
    fputs("  +", file);
    for (int c = 0; c < map->columns; c++)
        fputc('-', file);
    fputc('\n', file);
}

/* How many steps of the least distance lie between the least and the greatest of an axis, at most `most`. */
static int steps_of(const struct making *making, uint16_t target, int axis, int most, double *low,
                    double *high) {
    double step = INFINITY, last = NAN;
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < making->count; i++)
        if (making->cells[i].target == target && !isnan(making->cells[i].low[axis])) {
            *low = fmin(*low, making->cells[i].low[axis]);
            *high = fmax(*high, making->cells[i].low[axis]);
            last = making->cells[i].low[axis];
            for (size_t j = 0; j < i; j++) {
                const double apart = fabs(last - making->cells[j].low[axis]);
                if (making->cells[j].target == target && apart > 0)
                    step = fmin(step, apart);
            }
        }
    if (isnan(last))
        return 0;
    const double steps = isinf(step) ? 1 : round((*high - *low) / step) + 1;
    return steps > most ? most : (int)steps;
}

static void put_map(const struct making *making, uint16_t target, struct cor_sheets *sheets) {
    struct map *map = cor_calloc(1, sizeof *map);
    if (!map) {
        cor_sheets_fail(sheets);
        return;
    }
    map->columns = steps_of(making, target, 0, MAP_COLUMNS, &map->low[0], &map->high[0]);
    map->rows = steps_of(making, target, 1, MAP_ROWS, &map->low[1], &map->high[1]);
    if (map->columns == 0 || map->rows == 0) {
        free(map);
        return;
    }
    for (int r = 0; r < map->rows; r++)
        memset(map->mark[r], ' ', (size_t)map->columns);
    for (size_t i = 0; i < making->count; i++) {
        const struct cell *cell = &making->cells[i];
        if (cell->target != target || isnan(cell->low[0]))
            continue;
        const double across = map->high[0] > map->low[0]
                                  ? (cell->low[0] - map->low[0]) / (map->high[0] - map->low[0])
                                  : 0,
                     up = map->high[1] > map->low[1]
                              ? (cell->low[1] - map->low[1]) / (map->high[1] - map->low[1])
                              : 0;
        char *mark = &map->mark[(int)lround(up * (map->rows - 1))][(int)lround(across * (map->columns - 1))];
        *mark = cell->by_law > 0 || *mark == '#' ? '#' : 'o';
    }
    cor_sheets_draw(sheets, draw_map, map, free);
}

/* Whether a suite of the experiment has one sequence. */
static bool has_one_sequence(const struct cor_result_header *head) {
    struct cor_json_document *document;
    struct cor_json experiment, sequences;
    int64_t count = 0;
    if (cor_json_parse(head->experiment, "the file's experiment", &document, NULL) != COR_OK)
        return false;
    const struct cor_json root = cor_json_root(document);
    const bool is_one = cor_json_find(&root, "experiment", &experiment) &&
                        cor_json_find(&experiment, "sequences", &sequences) &&
                        cor_json_integer(&sequences, 1, 1, &count, NULL) == COR_OK;
    cor_json_destroy(document);
    return is_one;
}

/* Searches that were ended before their budget. */
static size_t count_interrupted(const struct making *making) {
    const struct cor_layer_tables *search = making->search;
    size_t count = 0;
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_ISLANDS]; i++) {
        const struct cor_search_island_row *row = cor_layer_row(search, COR_SEARCH_TABLE_ISLANDS, i);
        count += row->interrupted != 0;
    }
    return count;
}

static void put_cells(const struct making *making, size_t interrupted, struct cor_sheets *sheets) {
    struct cor_sheet *sheet = cor_sheets_add(sheets, &cells_sheet);
    for (size_t i = 0; i < making->count; i++) {
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_result_name(making->search->result, COR_SEARCH_CATALOG_TARGET,
                                              making->cells[i].target));
        COR_SHEET_PUT(sheet, struct cell, &making->cells[i]);
    }
    cor_sheet_remark(sheet, "n/a for all amounts: tests that do not say them.");
    if (!making->is_independent)
        cor_sheet_remark(sheet,
                         "Sequences of a suite are alike: probabilities have no intervals. Let a suite "
                         "have one sequence.");
    if (interrupted > 0)
        cor_sheet_remark(
            sheet,
            "%zu %s interrupted before the budget was used up. So nobody fixed the number of "
            "sequences by the law beforehand: probabilities lean to cells that short ones come to.",
            interrupted, interrupted == 1 ? "search was" : "searches were");
    for (size_t i = 0; i < making->count; i++)
        if (i == 0 || making->cells[i].target != making->cells[i - 1].target)
            put_map(making, making->cells[i].target, sheets);
}

static enum cor_status make(const struct cor_view_request *request, struct cor_sheets *sheets,
                            struct cor_view_findings *findings, struct cor_error *error) {
    struct cor_layer_tables search;
    struct making making = {.search = &search};
    bool any = false;
    enum cor_status status = COR_OK;
    COR_TRY(cor_search_result_init(request->result, &search, error));
    making.is_independent = has_one_sequence(search.head);
    COR_TRY_OUT(gather(&making, error));
    reckon(&making, views__view_level(request));
    COR_TRY_OUT(put_filled(&making, cor_sheets_add(sheets, &filled_sheet), &any, error));
    if (!any)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, request->path,
                             "corridor explore EXPERIMENT --method patterns -o FILE makes one",
                             "has no search that fills a pattern space"));
    findings->interrupted += count_interrupted(&making);
    put_cells(&making, findings->interrupted, sheets);
out:
    free(making.cells);
    cor_layer_tables_fini(&search);
    return status;
}

static const struct cor_sheet_definition *const sheets_made[] = {&cells_sheet, &filled_sheet, NULL};

const struct cor_view views__view_cells = {
    .name = "cells",
    .command = "show",
    .summary = "show which outcomes are possible",
    .manual =
        "Cells of the amounts that corridor explore --method patterns searched for: which searches came "
        "to each, and its probability by the experiment's law, by tests that were drawn by it alone.",
    .schema = "corridor-cells",
    .version = 1,
    .layer = &cor_search_schema,
    .sheets = sheets_made,
    .make = make,
};
