/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Heat maps: how often each transition of an environment profile was taken, how often each cell of a floor
 * was visited. */
#include "chart.h"
#include "page.h"
#include "page_html.h"

#include <corridor/array.h>
#include <corridor/state_names.h>
#include <corridor/suite_reader.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELLS_MAX 40       /* a side; larger profiles have several states a cell */
#define NAMED_MAX 24       /* states whose names are written */
#define NAME_MAX_LENGTH 18 /* characters of such a name */
#define CLASSES 7
#define WIDTH 420
#define FLOOR_CELLS_MAX 100 /* of a floor, across and down; a larger one has several cells a square */
#define FLOOR_CELL_SIZE 22  /* pixels, at most */

/* A profile as it is drawn. */
struct map {
    uint32_t states, side, step; /* cells a side, states a cell */
    uint64_t *taken;             /* owned; [side * side] */
    bool *possible;              /* owned */
    bool example;                /* one profile of many */
};

static enum cor_status map_init(struct map *map, uint32_t states, struct cor_error *error) {
    *map = (struct map){.states = states, .step = (states + CELLS_MAX - 1) / CELLS_MAX};
    map->side = (states + map->step - 1) / map->step;
    map->taken = cor_calloc((size_t)map->side * map->side, sizeof *map->taken);
    map->possible = cor_calloc((size_t)map->side * map->side, sizeof *map->possible);
    return map->taken && map->possible ? COR_OK : cor_fail_memory(error);
}

static void map_put(struct map *map, uint32_t from, uint32_t to, uint64_t taken, bool possible) {
    COR_ASSERT(from < map->states && to < map->states);
    size_t cell = (size_t)(from / map->step) * map->side + to / map->step;
    map->taken[cell] += taken;
    map->possible[cell] = map->possible[cell] || possible;
}

/* What was taken of one profile of a suite. */
static enum cor_status map_of_one(struct map *map, const struct cor_suite_rows *suite,
                                  const struct cor_profile_row *profile, struct cor_error *error) {
    const struct cor_transition_row *row = suite->table[COR_TABLE_TRANSITIONS].row;
    COR_TRY(map_init(map, profile->states, error));
    map->example = true;
    for (size_t t = 0; t < suite->table[COR_TABLE_TRANSITIONS].count; t++)
        if (row[t].profile == profile->profile && row[t].from < profile->states &&
            row[t].to < profile->states)
            map_put(map, row[t].from, row[t].to, row[t].count, row[t].probability > 0);
    return COR_OK;
}

/* Where an environment's profiles differ between suites, adding up what is numbered alike would mix states
 * that have nothing to do with each other: the first profile that a chain of this suite follows. */
static enum cor_status map_suite(struct map *map, const struct cor_report *report,
                                 const struct cor_suite_rows *suite, struct cor_error *error) {
    const struct cor_chain_row *chain = suite->table[COR_TABLE_CHAINS].row;
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    for (size_t c = 0; c < suite->table[COR_TABLE_CHAINS].count; c++)
        for (size_t p = 0; p < suite->table[COR_TABLE_PROFILES].count; p++)
            for (size_t e = 1; e < report->environment_count && e < REPORT__ENVIRONMENTS_MAX; e++)
                if (profile[p].profile == chain[c].profile &&
                    profile[p].environment == report->environment[e].code && map[e].states == 0 &&
                    profile[p].states > 0)
                    COR_TRY(map_of_one(&map[e], suite, &profile[p], error));
    return COR_OK;
}

static bool is_any_left(const struct map *map, const struct cor_report *report) {
    for (size_t e = 1; e < report->environment_count && e < REPORT__ENVIRONMENTS_MAX; e++)
        if (map[e].states == 0)
            return true;
    return false;
}

/* The maps of environments that have none yet, from the first suites that have what is wanted. */
static enum cor_status map_first(struct map *map, const struct cor_report *report, struct cor_error *error) {
    static const char *const profiles[] = {"profile", "environment", "states", NULL},
                             *const chains[] = {"profile", NULL},
                             *const transitions[] = {"profile", "from", "to", "probability", "count", NULL};
    static const struct cor_reading readings[] = {
        {COR_TABLE_PROFILES, profiles}, {COR_TABLE_CHAINS, chains}, {COR_TABLE_TRANSITIONS, transitions}};
    struct cor_suite_reader *reader = NULL;
    const struct cor_suite_rows *suite;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_suite_reader_create(report->result, readings, sizeof readings / sizeof *readings, &reader,
                                        error));
    while (is_any_left(map, report)) {
        COR_TRY_OUT(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        COR_TRY_OUT(map_suite(map, report, suite, error));
    }
out:
    cor_suite_reader_destroy(reader);
    return status;
}

/* By decades, 1 .. CLASSES; 0 = never. */
static int decade_of(uint64_t count) {
    int class = 0;
    for (; count > 0 && class < CLASSES; count /= 10)
        class ++;
    return class;
}

/* 0 = possible, never taken; -1 = neither. */
static int class_of(const struct map *map, size_t cell) {
    const int class = decade_of(map->taken[cell]);
    return class > 0 || map->possible[cell] ? class : -1;
}

static char *heat_data(const struct map *map) {
    struct report__text text;
    report__text_begin(&text);
    if (!text.file)
        return NULL;
    fputs("from,to,taken,class\n", text.file);
    for (uint32_t from = 0; from < map->side; from++)
        for (uint32_t to = 0; to < map->side; to++) {
            size_t cell = (size_t)from * map->side + to;
            if (class_of(map, cell) >= 0)
                fprintf(text.file, "%u,%u,%llu,%d\n", from * map->step, to * map->step,
                        (unsigned long long)map->taken[cell], class_of(map, cell));
        }
    return report__text_end(&text);
}

static void put_tics(struct report__chart *chart, const struct map *map, const struct cor_state_names *words,
                     uint16_t environment, bool named, double cell) {
    for (uint32_t s = 0; s < map->side; s += named ? 1 : (map->side + 7) / 8) {
        char name[COR_STATE_NAME];
        snprintf(name, sizeof name, "%u", s * map->step);
        if (named)
            cor_state_name(words, environment, s, name);
        const double middle = (s + 0.5) * cell + 4;
        report__chart_word(chart, chart->left + middle, chart->bottom + 6, REPORT__END, true, name,
                           NAME_MAX_LENGTH);
        report__chart_word(chart, chart->left - 6, chart->top + middle, REPORT__END, false, name,
                           NAME_MAX_LENGTH);
    }
}

/* Characters of the longest name of a state, as it is written. */
static int longest_name(const struct map *map, const struct cor_state_names *words, uint16_t environment) {
    size_t longest = 0;
    for (uint32_t s = 0; s < map->side; s++) {
        char name[COR_STATE_NAME];
        cor_state_name(words, environment, s, name);
        longest = strlen(name) > longest ? strlen(name) : longest;
    }
    return longest > NAME_MAX_LENGTH ? NAME_MAX_LENGTH + 1 : (int)longest;
}

/* A cell of a map that is `size` wide, by its class; what is none is left empty. */
static void put_box(struct report__chart *chart, double x, double y, double cell, int class) {
    const double size = (class > 0 ? 0.92 : 0.6) * cell;
    if (class >= 0)
        report__chart_box(chart, x + (cell - size) / 2, y + (cell - size) / 2, size,
                          class > 0 ? (enum report__colour)(REPORT__COLOUR_HEAT1 + class - 1)
                                    : REPORT__COLOUR_NEVER,
                          class > 0);
}

/* The classes that are used, above the map; "never" comes last. Returns where the next word may begin. */
static double put_legend(struct report__chart *chart, const bool used[CLASSES + 1]) {
    static const char *const titles[] = {
        "never", "1+", "10+", "100+", "1000+", "10\xe2\x81\xb4+", "10\xe2\x81\xb5+", "10\xe2\x81\xb6+"};
    double x = 8;
    for (int i = 1; i <= CLASSES + 1; i++) {
        const int class = i % (CLASSES + 1);
        if (!used[class])
            continue;
        report__chart_box(chart, x, 8, 10,
                          class > 0 ? (enum report__colour)(REPORT__COLOUR_HEAT1 + class - 1)
                                    : REPORT__COLOUR_NEVER,
                          class > 0);
        report__chart_word(chart, x + 14, 18, REPORT__START, false, titles[class], 10);
        x += 26 + 7 * (double)cor_utf8_length(titles[class]);
    }
    return x;
}

static char *heat_chart(const struct map *map, const struct cor_state_names *words, uint16_t environment) {
    struct report__chart chart;
    bool named = !map->example && map->step == 1 && map->side <= NAMED_MAX, used[CLASSES + 1] = {false};
    const double label = named ? 14 + 6.6 * longest_name(map, words, environment) : 52; /* pixels */
    const double cell = (WIDTH - 8 - label) / map->side;
    report__chart_begin(&chart, WIDTH, 36 + label + cell * map->side);
    chart.left = label;
    chart.top = 36;
    chart.bottom = chart.top + cell * map->side;
    for (size_t c = 0; c < (size_t)map->side * map->side; c++) {
        const int class = class_of(map, c);
        if (class >= 0)
            used[class] = true;
        put_box(&chart, label + (double)(c % map->side) * cell, chart.top + (double)(c / map->side) * cell,
                cell, class);
    }
    put_tics(&chart, map, words, environment, named, cell);
    if (!named) {
        report__chart_word(&chart, label + cell * map->side / 2, chart.bottom + 46, REPORT__MIDDLE, false,
                           "to state", 20);
        report__chart_word(&chart, 14, chart.top + cell * map->side / 2, REPORT__MIDDLE, true, "from state",
                           20);
    }
    (void)put_legend(&chart, used);
    return report__chart_end(&chart);
}

static enum cor_status add_map(struct cor_report *report, const struct map *map,
                               const struct cor_state_names *words, size_t e, struct cor_error *error) {
    const struct report__environment *environment = &report->environment[e];
    char name[REPORT__FIGURE_NAME];
    uint64_t possible = 0, taken = 0;
    for (size_t cell = 0; cell < (size_t)map->side * map->side; cell++) {
        possible += class_of(map, cell) >= 0;
        taken += map->taken[cell] > 0;
    }
    report__figure_name(name, "heat", e);
    struct report__figure *figure = report__figure_add(&report->figures, name, error);
    if (!figure)
        return COR_STATUS_MEMORY;
    figure->title = cor_format("Transitions taken, %.60s", environment->name);
    figure->description =
        cor_format("%u states; %llu of %llu cells with a possible transition were visited%s%s.", map->states,
                   (unsigned long long)taken, (unsigned long long)possible,
                   map->step > 1 ? "; a cell holds several states" : "",
                   map->example ? "; profiles differ between suites, this is the first" : "");
    figure->drawing = heat_chart(map, words, environment->code);
    figure->data = heat_data(map);
    return report__figure_status(figure, error);
}

enum cor_status report__plot_heat(struct cor_report *report, struct cor_error *error) {
    const struct cor_sheet *matrix = cor_sheets_find(report->view[REPORT__OF_coverage], "matrix");
    struct map map[REPORT__ENVIRONMENTS_MAX] = {{0}};
    struct cor_state_names words;
    enum cor_status status = COR_OK;
    cor_state_names_init(&words, report->result);
    for (size_t e = 1; e < report->environment_count && e < REPORT__ENVIRONMENTS_MAX; e++)
        if (report->environment[e].fixed && report->environment[e].states > 0) {
            /* A profile that is the same in all suites: all they did. */
            COR_TRY_OUT(map_init(&map[e], report->environment[e].states, error));
            for (size_t row = 0; row < cor_sheet_size(matrix); row++)
                if (strcmp(report__sheet_word(matrix, row, "arm"), "all") == 0 &&
                    strcmp(report__sheet_word(matrix, row, "environment"), report->environment[e].name) == 0)
                    map_put(&map[e], (uint32_t)report__sheet_count(matrix, row, "from"),
                            (uint32_t)report__sheet_count(matrix, row, "to"),
                            report__sheet_count(matrix, row, "taken"),
                            report__sheet_real(matrix, row, "probability") > 0);
        }
    COR_TRY_OUT(map_first(map, report, error));
    for (size_t e = 1; e < report->environment_count && e < REPORT__ENVIRONMENTS_MAX; e++)
        if (map[e].side > 0)
            COR_TRY_OUT(add_map(report, &map[e], &words, e, error));
out:
    for (size_t e = 0; e < REPORT__ENVIRONMENTS_MAX; e++) {
        free(map[e].taken);
        free(map[e].possible);
    }
    cor_state_names_fini(&words);
    return status;
}

/* Floors, of which rows of the sheet "cells" are those of one arm and floor, in their order. */
struct floor {
    const struct cor_sheet *sheet;
    size_t first, end;
    uint64_t left, right, top, bottom, step; /* step: cells a square of the drawing, across and down */
};

static uint64_t of_cell(const struct floor *floor, size_t row, const char *key) {
    return report__sheet_count(floor->sheet, row, key);
}

static struct floor floor_at(const struct cor_sheet *sheet, size_t first) {
    struct floor floor = {.sheet = sheet, .first = first, .end = first, .left = UINT64_MAX};
    floor.top = of_cell(&floor, first, "row");
    for (; floor.end < cor_sheet_size(sheet) &&
           of_cell(&floor, floor.end, "floor") == of_cell(&floor, first, "floor") &&
           strcmp(report__sheet_word(sheet, floor.end, "arm"), report__sheet_word(sheet, first, "arm")) == 0;
         floor.end++) {
        const uint64_t column = of_cell(&floor, floor.end, "column");
        floor.left = column < floor.left ? column : floor.left;
        floor.right = column > floor.right ? column : floor.right;
        floor.bottom = of_cell(&floor, floor.end, "row");
    }
    const uint64_t wide = floor.right - floor.left + 1, high = floor.bottom - floor.top + 1,
                   most = wide > high ? wide : high;
    floor.step = (most + FLOOR_CELLS_MAX - 1) / FLOOR_CELLS_MAX;
    return floor;
}

/* Squares of a floor: most visits of the cells in each, whether one of them is free, whether one is known. */
struct square {
    uint64_t visits;
    bool is_free, is_known;
};

static void put_floor(struct report__chart *chart, const struct floor *floor, const struct square *squares,
                      uint32_t across, uint32_t down, double cell) {
    bool used[CLASSES + 1] = {false}, has_walls = false;
    char number[COR_CELL];
    for (size_t s = 0; s < (size_t)across * down; s++) {
        const double x = chart->left + (double)(s % across) * cell,
                     y = chart->top + (double)(s / across) * cell;
        const int class = squares[s].is_free ? decade_of(squares[s].visits) : -1;
        if (class >= 0)
            used[class] = true;
        else if (squares[s].is_known) {
            has_walls = true;
            report__chart_box(chart, x + 0.04 * cell, y + 0.04 * cell, 0.92 * cell, REPORT__COLOUR_GHOST,
                              true);
        }
        put_box(chart, x, y, cell, class);
    }
    const double x = put_legend(chart, used);
    if (has_walls) {
        report__chart_box(chart, x, 8, 10, REPORT__COLOUR_GHOST, true);
        report__chart_word(chart, x + 14, 18, REPORT__START, false, "no floor", 10);
    }
    for (uint32_t i = 0; i < across; i += (across + 7) / 8) {
        cor_integer_text(floor->left + i * floor->step, number);
        report__chart_word(chart, chart->left + (i + 0.5) * cell, chart->bottom + 16, REPORT__MIDDLE, false,
                           number, COR_CELL);
    }
    for (uint32_t i = 0; i < down; i += (down + 7) / 8) {
        cor_integer_text(floor->top + i * floor->step, number);
        report__chart_word(chart, chart->left - 6, chart->top + (i + 0.5) * cell + 4, REPORT__END, false,
                           number, COR_CELL);
    }
}

static char *floor_chart(const struct floor *floor, const struct square *squares, uint32_t across,
                         uint32_t down) {
    struct report__chart chart;
    const double left = 52, cell = fmin((WIDTH - 8 - left) / across, FLOOR_CELL_SIZE);
    report__chart_begin(&chart, WIDTH, 36 + cell * down + 26);
    chart.left = left;
    chart.top = 36;
    chart.bottom = chart.top + cell * down;
    put_floor(&chart, floor, squares, across, down, cell);
    return report__chart_end(&chart);
}

static char *floor_data(const struct floor *floor) {
    struct report__text text;
    report__text_begin(&text);
    if (!text.file)
        return NULL;
    fputs("column,row,free,visits\n", text.file);
    for (size_t row = floor->first; row < floor->end; row++)
        fprintf(text.file, "%llu,%llu,%d,%llu\n", (unsigned long long)of_cell(floor, row, "column"),
                (unsigned long long)of_cell(floor, row, "row"),
                cor_sheet_cell(floor->sheet, row, cor_sheet_column(floor->sheet, "free"))->flag,
                (unsigned long long)of_cell(floor, row, "visits"));
    return report__text_end(&text);
}

static enum cor_status add_floor(struct cor_report *report, const struct floor *floor, size_t index,
                                 struct cor_error *error) {
    const uint32_t across = (uint32_t)((floor->right - floor->left) / floor->step + 1),
                   down = (uint32_t)((floor->bottom - floor->top) / floor->step + 1);
    struct square *squares = cor_calloc((size_t)across * down, sizeof *squares);
    char name[REPORT__FIGURE_NAME];
    uint64_t free_cells = 0, visited = 0;
    COR_TRY(cor_made(squares, error));
    for (size_t row = floor->first; row < floor->end; row++) {
        const uint64_t visits = of_cell(floor, row, "visits");
        const bool is_free = cor_sheet_cell(floor->sheet, row, cor_sheet_column(floor->sheet, "free"))->flag;
        struct square *square = &squares[(of_cell(floor, row, "row") - floor->top) / floor->step * across +
                                         (of_cell(floor, row, "column") - floor->left) / floor->step];
        square->is_known = true;
        square->is_free = square->is_free || is_free;
        square->visits = visits > square->visits ? visits : square->visits;
        free_cells += is_free;
        visited += visits > 0;
    }
    report__figure_name(name, "places", index);
    struct report__figure *figure = report__figure_add(&report->figures, name, error);
    if (!figure) {
        free(squares);
        return COR_STATUS_MEMORY;
    }
    figure->title = cor_format("Visits of cells, %.60s, floor %llu",
                               report__sheet_word(floor->sheet, floor->first, "arm"),
                               (unsigned long long)of_cell(floor, floor->first, "floor"));
    figure->description =
        cor_format("%llu of %llu free cells that were seen were visited%s.", (unsigned long long)visited,
                   (unsigned long long)free_cells, floor->step > 1 ? "; a square holds several cells" : "");
    figure->drawing = floor_chart(floor, squares, across, down);
    figure->data = floor_data(floor);
    free(squares);
    return report__figure_status(figure, error);
}

enum cor_status report__plot_places(struct cor_report *report, struct cor_error *error) {
    const struct cor_sheet *cells = cor_sheets_find(report->view[REPORT__OF_places], "cells");
    size_t index = 0;
    for (size_t first = 0; cells && first < cor_sheet_size(cells) && index < REPORT__FLOORS_MAX; index++) {
        const struct floor floor = floor_at(cells, first);
        COR_TRY(add_floor(report, &floor, index, error));
        first = floor.end;
    }
    return COR_OK;
}
