/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels as text, and what follows from their cells. */
#include "rooms_level.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/delimited.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static enum cor_status level_find_mutants(struct cor_rooms_level *level,
                                          struct cor_error *error) COR_MUST_USE;

static const char *const kind_words[WORLD__THING_KINDS] = {"button", "door",       "hazard",
                                                           "goal",   "test agent", "stair"};
static const char kind_signs[WORLD__THING_KINDS] = {'b', 'd', 'h', 'g', 'a', 's'};

/* ---- what every level has */

/* A level without cells, to be freed by cor_rooms_level_destroy; and what is derived from cells, things and
 * toggles in any order, once these are there: their order, numbers, and changes of the cells. */
static struct cor_rooms_level *level_create(void) {
    struct cor_rooms_level *level = cor_calloc(1, sizeof *level);
    if (level)
        cor_words_init(&level->identities);
    return level;
}

void cor_rooms_level_destroy(struct cor_rooms_level *level) {
    if (!level)
        return;
    COR_FREE(level->is_floor, level->thing_at);
    cor_words_fini(&level->identities);
    free(level->things);
    for (uint32_t k = 0; k < WORLD__THING_KINDS; k++)
        free(level->things_of[k]);
    COR_FREE(level->toggles, level->toggle_start, level->mutants, level);
}

static int compare_toggles(const void *a, const void *b) {
    const struct world__toggle *x = a, *y = b;
    if (x->button != y->button)
        return x->button < y->button ? -1 : 1;
    return x->door == y->door ? 0 : x->door < y->door ? -1 : 1;
}

static enum cor_status level_finish(struct cor_rooms_level *level, struct cor_error *error) {
    for (uint32_t k = 0; k < WORLD__THING_KINDS; k++) {
        level->things_of[k] = cor_calloc(level->count_of[k], sizeof *level->things_of[k]);
        COR_TRY(cor_made(level->things_of[k], error));
    }
    for (uint32_t t = 0; t < level->thing_count; t++)
        level->things_of[level->things[t].kind][level->things[t].number] = t;

    const uint32_t button_count = level->count_of[WORLD__BUTTON], door_count = level->count_of[WORLD__DOOR];
    if (level->toggle_count > 0)
        qsort(level->toggles, level->toggle_count, sizeof *level->toggles, compare_toggles);
    level->toggle_start = cor_calloc((size_t)button_count + 1, sizeof *level->toggle_start);
    uint8_t *is_linked = cor_calloc(door_count, sizeof *is_linked);
    if (!level->toggle_start || !is_linked) {
        free(is_linked);
        return cor_fail_memory(error);
    }
    for (uint32_t i = 0; i < level->toggle_count; i++) {
        level->toggle_start[level->toggles[i].button + 1]++;
        is_linked[level->toggles[i].door] = 1;
    }
    for (uint32_t b = 0; b < button_count; b++)
        level->toggle_start[b + 1] += level->toggle_start[b];
    level->stuck_count = 0;
    for (uint32_t d = 0; d < door_count; d++)
        level->stuck_count += is_linked[d];
    free(is_linked);
    return level_find_mutants(level, error);
}

/* Is the button linked to the door? Both by their numbers. */
static bool world__toggles(const struct cor_rooms_level *level, uint32_t button, uint32_t door) {
    uint32_t low = level->toggle_start[button], high = level->toggle_start[button + 1];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (level->toggles[middle].door == door)
            return true;
        if (level->toggles[middle].door < door)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

uint32_t world__step(const struct cor_rooms_level *level, uint32_t cell, enum world__direction direction) {
    const uint32_t plane = level->columns * level->rows, in_floor = cell % plane;
    const uint32_t column = in_floor % level->columns, row = in_floor / level->columns;
    uint32_t to = COR_NONE;
    switch (direction) {
    case WORLD__NORTH:
        to = row > 0 ? cell - level->columns : COR_NONE;
        break;
    case WORLD__WEST:
        to = column > 0 ? cell - 1 : COR_NONE;
        break;
    case WORLD__EAST:
        to = column + 1 < level->columns ? cell + 1 : COR_NONE;
        break;
    case WORLD__SOUTH:
        to = row + 1 < level->rows ? cell + level->columns : COR_NONE;
        break;
    case WORLD__UP:
        to = world__stands(level, cell, WORLD__STAIR) ? cell + plane : COR_NONE;
        break;
    case WORLD__DOWN:
        to = cell >= plane && world__stands(level, cell - plane, WORLD__STAIR) ? cell - plane : COR_NONE;
        break;
    case WORLD__DIRECTIONS:
        break;
    }
    return to != COR_NONE && level->is_floor[to] ? to : COR_NONE;
}

static enum cor_status regions_find(const struct cor_rooms_level *level, struct world__regions *regions,
                                    struct cor_error *error) {
    regions->region = cor_calloc(level->cell_count, sizeof *regions->region);
    regions->stack = cor_calloc(level->cell_count, sizeof *regions->stack);
    if (!regions->region || !regions->stack)
        return cor_fail_memory(error);
    memset(regions->region, 0xff, level->cell_count * sizeof *regions->region); /* COR_NONE */
    for (uint32_t first = 0; first < level->cell_count; first++) {
        if (!level->is_floor[first] || regions->region[first] != COR_NONE ||
            world__stands(level, first, WORLD__DOOR))
            continue;
        uint32_t held = 0;
        regions->region[first] = regions->count;
        regions->stack[held++] = first;
        while (held > 0) {
            const uint32_t cell = regions->stack[--held];
            for (uint32_t d = 0; d < WORLD__DIRECTIONS; d++) {
                const uint32_t to = world__step(level, cell, (enum world__direction)d);
                if (to == COR_NONE || regions->region[to] != COR_NONE ||
                    world__stands(level, to, WORLD__DOOR))
                    continue;
                regions->region[to] = regions->count;
                regions->stack[held++] = to;
            }
        }
        regions->count++;
    }
    return COR_OK;
}

static void regions_fini(struct world__regions *regions) {
    COR_FREE(regions->region, regions->stack);
    *regions = (struct world__regions){0};
}

/* ---- reading */

/* A link as it is written: its names, and where they stand. */
struct written_link {
    uint32_t button, door; /* words of the reader's names */
    size_t line, button_column, door_column;
};

struct reader {
    struct cor_rooms_level *level;
    struct cor_delimited table;
    struct cor_words names; /* of buttons and doors in links */
    struct written_link *links;
    size_t link_count, link_capacity, cell_capacity, thing_at_capacity;
    uint32_t floor_row; /* rows of the present floor so far */
    bool has_floor;
};

#define CELLS_KNOWN                                                                                        \
    "known: w (wall), f (floor), f:b^ID (button), f:d>e^ID (door that looks east; s, w, n), f:a^ID (test " \
    "agent), "                                                                                             \
    "f:g^ID (goal), f:h^ID (hazard), f:s^ID (stair to the next floor)"

static enum cor_status check_identity(const struct reader *reader, const char *identity) {
    const size_t length = strlen(identity);
    bool is_name = length > 0 && !(identity[0] >= '0' && identity[0] <= '9');
    for (size_t i = 0; i < length && is_name; i++) {
        const char c = identity[i];
        is_name = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }
    if (is_name && length <= WORLD__IDENTITY_MAX)
        return COR_OK;
    return cor_delimited_fail(&reader->table,
                              "letters, digits and underscores, a digit not first, at most 63 in all",
                              "\"%.80s\" is no identity", identity);
}

#define LINK_FORM "a link is BUTTON,DOOR[,DOOR ..]; floors begin with a line |.."

/* A link; or an empty line, also as spreadsheets write it, of commas. */
static enum cor_status read_link(struct reader *reader) {
    struct cor_delimited *table = &reader->table;
    struct written_link link = {.button = COR_NONE};
    const size_t count = reader->link_count, line = table->line;
    bool last;
    do {
        COR_TRY(cor_delimited_next(table, &last));
        if (table->field_length == 0)
            continue;
        COR_TRY(check_identity(reader, table->field));
        if (link.button == COR_NONE) {
            link.line = table->field_line;
            link.button_column = table->field_column;
            COR_TRY(cor_words_intern(&reader->names, table->field, &link.button, table->error));
            continue;
        }
        link.door_column = table->field_column;
        COR_TRY(cor_words_intern(&reader->names, table->field, &link.door, table->error));
        COR_TRY(COR_RESERVE(&reader->links, &reader->link_capacity, reader->link_count + 1, table->error));
        reader->links[reader->link_count++] = link;
    } while (!last);
    if (link.button == COR_NONE || reader->link_count > count)
        return COR_OK;
    table->field_line = line;
    table->field_column = link.button_column;
    return cor_delimited_fail(table, LINK_FORM, "\"%s\" is linked to nothing",
                              cor_words_text(&reader->names, link.button));
}

/* "THING^ID" behind "f:". */
static enum cor_status read_thing(struct reader *reader, const char *text, struct world__thing *thing) {
    struct cor_rooms_level *level = reader->level;
    struct cor_delimited *table = &reader->table;
    const char *hat = strchr(text, '^');
    const size_t length = hat ? (size_t)(hat - text) : 0;
    uint32_t kind = 0, word;
    while (kind < WORLD__THING_KINDS && (length == 0 || text[0] != kind_signs[kind]))
        kind++;
    const bool is_door = kind == WORLD__DOOR;
    if (kind == WORLD__THING_KINDS || length != (is_door ? 3 : 1) ||
        (is_door && (text[1] != '>' || !strchr("eswn", text[2]))))
        return cor_delimited_fail(table, CELLS_KNOWN, "\"%.80s\" is no cell", table->field);
    COR_TRY(check_identity(reader, hat + 1));
    const uint32_t known = level->identities.count;
    COR_TRY(cor_words_intern(&level->identities, hat + 1, &word, table->error));
    if (word < known)
        return cor_delimited_fail(table, "give each an identity of its own", "there is a %s \"%s\" already",
                                  kind_words[level->things[word].kind], hat + 1);
    if ((is_door || kind == WORLD__BUTTON) && level->count_of[kind] == WORLD__LINKED_MAX)
        return cor_delimited_fail(table, NULL, "there are more than %u %ss", WORLD__LINKED_MAX,
                                  kind_words[kind]);
    thing->kind = (uint8_t)kind;
    thing->facing = is_door ? text[2] : 0;
    thing->number = level->count_of[kind]++;
    return COR_OK;
}

static enum cor_status read_cell(struct reader *reader) {
    struct cor_rooms_level *level = reader->level;
    const struct cor_delimited *table = &reader->table;
    const char *text = table->field;
    const uint32_t cell = level->cell_count;
    if (cell == WORLD__CELLS_MAX)
        return cor_delimited_fail(table, NULL, "has more than %u cells", WORLD__CELLS_MAX);
    COR_TRY(COR_RESERVE(&level->is_floor, &reader->cell_capacity, (size_t)cell + 1, table->error));
    COR_TRY(COR_RESERVE(&level->thing_at, &reader->thing_at_capacity, (size_t)cell + 1, table->error));
    level->is_floor[cell] = text[0] == 'f';
    level->thing_at[cell] = COR_NONE;
    if (text[0] == 'f' && text[1] == ':') {
        struct world__thing thing = {.cell = cell};
        COR_TRY(COR_RESERVE(&level->things, &level->thing_capacity, (size_t)level->thing_count + 1,
                            table->error));
        COR_TRY(read_thing(reader, text + 2, &thing));
        level->thing_at[cell] = level->thing_count;
        level->things[level->thing_count++] = thing;
    } else if (strcmp(text, "f") != 0 && strcmp(text, "w") != 0 && text[0] != '\0') {
        return cor_delimited_fail(table, CELLS_KNOWN, "\"%.80s\" is no cell", text);
    }
    level->cell_count++;
    return COR_OK;
}

/* The floor that ends has as many rows as the first. */
static enum cor_status end_floor(struct reader *reader) {
    struct cor_rooms_level *level = reader->level;
    if (level->floors == 1)
        level->rows = reader->floor_row;
    if (level->floors > 0 && reader->floor_row != level->rows)
        return cor_delimited_fail(&reader->table, "all floors have the same size; fill up with walls",
                                  "floor %u has %u rows, and floor 0 has %u", level->floors - 1,
                                  reader->floor_row, level->rows);
    return COR_OK;
}

static enum cor_status read_row(struct reader *reader) {
    struct cor_rooms_level *level = reader->level;
    struct cor_delimited *table = &reader->table;
    const bool begins_floor = *table->at == '|';
    if (begins_floor) {
        table->field_line = table->line;
        table->field_column = 1;
        COR_TRY(end_floor(reader));
        if (level->floors == WORLD__FLOORS_MAX)
            return cor_delimited_fail(table, NULL, "has more than %u floors", WORLD__FLOORS_MAX);
        level->floors++;
        reader->floor_row = 0;
        table->at++;
    }
    uint32_t count = 0;
    bool last;
    do {
        COR_TRY(cor_delimited_next(table, &last));
        if (count == WORLD__COLUMNS_MAX)
            return cor_delimited_fail(table, NULL, "a row has more than %u cells", WORLD__COLUMNS_MAX);
        COR_TRY(read_cell(reader));
        count++;
    } while (!last);
    if (reader->floor_row++ == WORLD__ROWS_MAX)
        return cor_delimited_fail(table, NULL, "a floor has more than %u rows", WORLD__ROWS_MAX);
    if (level->columns == 0)
        level->columns = count;
    if (count != level->columns)
        return cor_delimited_fail(table, "all rows have the same length; fill up with walls",
                                  "the row has %u cell%s, and the first has %u", count, count == 1 ? "" : "s",
                                  level->columns);
    return COR_OK;
}

/* The number of the thing that a link names. */
static enum cor_status find_linked(const struct reader *reader, const struct written_link *link, bool is_door,
                                   uint32_t *number) {
    const struct cor_rooms_level *level = reader->level;
    const uint32_t kind = is_door ? WORLD__DOOR : WORLD__BUTTON;
    const char *name = cor_words_text(&reader->names, is_door ? link->door : link->button);
    const uint32_t thing = cor_words_find(&level->identities, name);
    if (thing != COR_NONE && level->things[thing].kind == kind) {
        *number = level->things[thing].number;
        return COR_OK;
    }
    char place[512], known[1024];
    snprintf(place, sizeof place, "%s:%zu:%zu", reader->table.name, link->line,
             is_door ? link->door_column : link->button_column);
    if (thing != COR_NONE)
        return cor_fail(reader->table.error, COR_STATUS_INPUT, place, LINK_FORM,
                        "\"%s\" is a %s, and a %s is linked here", name,
                        kind_words[level->things[thing].kind], kind_words[kind]);
    const char **names = cor_calloc((size_t)level->count_of[kind] + 1, sizeof *names);
    if (!names)
        return cor_fail_memory(reader->table.error);
    for (uint32_t t = 0, n = 0; t < level->thing_count; t++)
        if (level->things[t].kind == kind)
            names[n++] = world__identity(level, t);
    cor_known_names(name, names, known, sizeof known);
    free(names);
    return cor_fail(reader->table.error, COR_STATUS_INPUT, place, level->count_of[kind] > 0 ? known : NULL,
                    "there is no %s \"%s\"", kind_words[kind], name);
}

struct placed_toggle {
    struct world__toggle toggle;
    size_t link;
};

static int compare_placed(const void *a, const void *b) {
    const struct placed_toggle *x = a, *y = b;
    const int order = compare_toggles(&x->toggle, &y->toggle);
    return order != 0 ? order : x->link < y->link ? -1 : x->link > y->link;
}

static enum cor_status write_notes(const struct cor_rooms_level *level, char **notes,
                                   struct cor_error *error) {
    struct cor_bytes bytes = {0};
    uint8_t *is_linked = cor_calloc(level->count_of[WORLD__DOOR], sizeof *is_linked);
    COR_TRY(cor_made(is_linked, error));
    for (uint32_t i = 0; i < level->toggle_count; i++)
        is_linked[level->toggles[i].door] = 1;
    cor_bytes_print(&bytes, "%s", "");
    for (uint32_t t = 0; t < level->thing_count; t++) {
        const struct world__thing *thing = &level->things[t];
        if (thing->kind == WORLD__BUTTON &&
            level->toggle_start[thing->number] == level->toggle_start[thing->number + 1])
            cor_bytes_print(&bytes, "button \"%s\" is linked to no door\n", world__identity(level, t));
        if (thing->kind == WORLD__DOOR && !is_linked[thing->number])
            cor_bytes_print(&bytes, "door \"%s\" is linked to no button, and stays shut\n",
                            world__identity(level, t));
    }
    free(is_linked);
    *notes = cor_bytes_text_take(&bytes, error);
    return *notes ? COR_OK : COR_STATUS_MEMORY;
}

static enum cor_status read_level(struct reader *reader) {
    struct cor_rooms_level *level = reader->level;
    struct cor_delimited *table = &reader->table;
    while (!cor_delimited_is_over(table)) {
        reader->has_floor = reader->has_floor || *table->at == '|';
        COR_TRY(reader->has_floor ? read_row(reader) : read_link(reader));
    }
    if (!reader->has_floor)
        return cor_fail(table->error, COR_STATUS_INPUT, table->name,
                        "the first row of each floor begins with |, as in |w,f,w", "the level has no floor");
    COR_TRY(end_floor(reader));
    level->toggles = cor_calloc(reader->link_count, sizeof *level->toggles);
    COR_TRY(cor_made(level->toggles, reader->table.error));
    for (size_t i = 0; i < reader->link_count; i++) {
        COR_TRY(find_linked(reader, &reader->links[i], false, &level->toggles[i].button));
        COR_TRY(find_linked(reader, &reader->links[i], true, &level->toggles[i].door));
    }
    /* The earliest link that is there twice; link_count: none is. */
    size_t twin = reader->link_count;
    struct placed_toggle *placed = cor_calloc(reader->link_count, sizeof *placed);
    COR_TRY(cor_made(placed, reader->table.error));
    for (size_t j = 0; j < reader->link_count; j++)
        placed[j] = (struct placed_toggle){reader->level->toggles[j], j};
    if (reader->link_count > 0)
        qsort(placed, reader->link_count, sizeof *placed, compare_placed);
    for (size_t j = 1; j < reader->link_count; j++)
        if (compare_toggles(&placed[j - 1].toggle, &placed[j].toggle) == 0 && placed[j].link < twin)
            twin = placed[j].link;
    free(placed);
    if (twin < reader->link_count) {
        const struct written_link *link = &reader->links[twin];
        char place[512];
        snprintf(place, sizeof place, "%s:%zu:%zu", reader->table.name, link->line, link->door_column);
        return cor_fail(reader->table.error, COR_STATUS_INPUT, place,
                        "a link is written once; twice would toggle and toggle back",
                        "\"%s\" is linked to \"%s\" already", cor_words_text(&reader->names, link->button),
                        cor_words_text(&reader->names, link->door));
    }
    level->toggle_count = (uint32_t)reader->link_count;
    /* A stair leads to a cell of the next floor. */
    const uint32_t plane = level->columns * level->rows;
    for (uint32_t t = 0; t < level->thing_count; t++) {
        const struct world__thing *thing = &level->things[t];
        if (thing->kind != WORLD__STAIR)
            continue;
        const bool is_top = thing->cell / plane + 1 == level->floors;
        if (!is_top && level->is_floor[thing->cell + plane])
            continue;
        uint32_t at[3];
        world__place(level, thing->cell, at);
        return cor_fail(reader->table.error, COR_STATUS_INPUT, reader->table.name,
                        "a stair leads to the cell of the same place on the next floor",
                        is_top ? "the stair \"%s\" in cell %u,%u of floor %u is on the last floor"
                               : "the stair \"%s\" in cell %u,%u of floor %u leads into a wall",
                        world__identity(level, t), at[0], at[1], at[2]);
    }
    if (level->count_of[WORLD__START] == 0)
        return cor_fail(table->error, COR_STATUS_INPUT, table->name,
                        "put f:a^ID into the cell where it begins", "no test agent begins here");
    return level_finish(level, table->error);
}

enum cor_status cor_rooms_level_parse(const char *text, const char *path, struct cor_rooms_level **level,
                                      char **notes, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct reader reader = {.table = cor_delimited_begin(text, strlen(text), path, ',', error)};
    *level = NULL;
    if (notes)
        *notes = NULL;
    cor_words_init(&reader.names);
    COR_TRY_OUT(cor_made(reader.level = level_create(), error));
    COR_TRY_OUT(read_level(&reader));
    if (notes)
        COR_TRY_OUT(write_notes(reader.level, notes, error));
    *level = reader.level;
    reader.level = NULL;
out:
    cor_rooms_level_destroy(reader.level);
    cor_words_fini(&reader.names);
    COR_FREE(reader.links, reader.table.field);
    return status;
}

/* ---- writing */

char *cor_rooms_level_text(const struct cor_rooms_level *level) {
    struct cor_bytes bytes = {0};
    for (uint32_t i = 0; i < level->toggle_count; i++) {
        const struct world__toggle toggle = level->toggles[i];
        if (i == 0 || level->toggles[i - 1].button != toggle.button)
            cor_bytes_print(&bytes, "%s%s", i == 0 ? "" : "\n",
                            world__identity(level, level->things_of[WORLD__BUTTON][toggle.button]));
        cor_bytes_print(&bytes, ",%s", world__identity(level, level->things_of[WORLD__DOOR][toggle.door]));
    }
    if (level->toggle_count > 0)
        cor_bytes_put(&bytes, "\n", 1);
    for (uint32_t cell = 0; cell < level->cell_count; cell++) {
        const uint32_t column = cell % level->columns, t = level->thing_at[cell];
        if (cell % (level->columns * level->rows) == 0)
            cor_bytes_put(&bytes, "|", 1);
        if (t == COR_NONE) {
            cor_bytes_put(&bytes, level->is_floor[cell] ? "f" : "w", 1);
        } else {
            const struct world__thing *thing = &level->things[t];
            cor_bytes_print(&bytes, "f:%c", kind_signs[thing->kind]);
            if (thing->kind == WORLD__DOOR)
                cor_bytes_print(&bytes, ">%c", thing->facing);
            cor_bytes_print(&bytes, "^%s", world__identity(level, t));
        }
        cor_bytes_put(&bytes, column + 1 == level->columns ? "\n" : ",", 1);
    }
    return cor_bytes_text_take(&bytes, NULL);
}

/* ---- A level as a model of oracle/efsm (efsm-json/1). Locations are the start of the first test agent,
 * buttons, items and doors: where it was last. From there it presses a button, reaches an item or enters a
 * door to which it can walk without passing another door, and is told which doors it is then beside, and
 * whether these are open. All is in the order of identities, and nothing is named by a place, so that levels
 * that differ in their cells alone have one model */

#define DOORS_MAX 63    /* a model has 64 variables, and one is the argument of outputs */
#define ITEMS_MAX 10000 /* locations, labels, transitions */

/* From one thing to another, or a button that is pressed again. */
struct move {
    uint32_t from, to;
};

struct model {
    const struct cor_rooms_level *level;
    struct world__regions regions;
    uint32_t start;  /* thing */
    uint32_t *order; /* owned; [order_count]: buttons, doors and items by their identities */
    uint32_t order_count;
    uint32_t doors[DOORS_MAX]; /* numbers of doors by their identities */
    uint32_t door_count;
    uint64_t *beside;   /* owned; [region, then door]: doors that one step leads to, by their numbers */
    uint32_t *sides;    /* owned; [door][WORLD__DIRECTIONS]: regions that one step leads to; COR_NONE */
    struct move *moves; /* owned */
    uint32_t move_count;
    size_t move_capacity;
    struct cor_bytes text;
};

static const struct world__thing *thing_of(const struct model *model, uint32_t thing) {
    return &model->level->things[thing];
}

static uint32_t door_thing(const struct model *model, uint32_t door) {
    return model->level->things_of[WORLD__DOOR][door];
}

static const char *door_name(const struct model *model, uint32_t door) {
    return world__identity(model->level, door_thing(model, door));
}

/* ---- places and moves */

/* An identity with the thing that it is of, to be sorted. */
struct named {
    const char *identity;
    uint32_t thing;
};

static int compare_named(const void *a, const void *b) {
    return strcmp(((const struct named *)a)->identity, ((const struct named *)b)->identity);
}

/* Can one go from the thing to the region without passing another door? */
static bool is_at(const struct model *model, uint32_t from, uint32_t region) {
    const struct world__thing *thing = thing_of(model, from);
    if (thing->kind != WORLD__DOOR)
        return model->regions.region[thing->cell] == region;
    const uint32_t *sides = &model->sides[thing->number * WORLD__DIRECTIONS];
    for (uint32_t d = 0; d < WORLD__DIRECTIONS; d++)
        if (sides[d] == region)
            return true;
    return false;
}

/* Doors that one can go to from the thing without passing another one, itself included if it is one. */
static uint64_t doors_near(const struct model *model, uint32_t from) {
    const struct world__thing *thing = thing_of(model, from);
    if (thing->kind != WORLD__DOOR)
        return model->beside[model->regions.region[thing->cell]];
    uint64_t doors = model->beside[model->regions.count + thing->number] | UINT64_C(1) << thing->number;
    for (uint32_t d = 0; d < WORLD__DIRECTIONS; d++) {
        const uint32_t side = model->sides[thing->number * WORLD__DIRECTIONS + d];
        doors |= side != COR_NONE ? model->beside[side] : 0;
    }
    return doors;
}

static enum cor_status find_moves(struct model *model, uint32_t from, struct cor_error *error) {
    const uint64_t doors = doors_near(model, from);
    for (uint32_t i = 0; i < model->order_count; i++) {
        const uint32_t to = model->order[i];
        const struct world__thing *thing = thing_of(model, to);
        const bool is_near = thing->kind == WORLD__DOOR
                                 ? (doors >> thing->number & 1) != 0
                                 : is_at(model, from, model->regions.region[thing->cell]);
        if (!is_near || (from == to && thing->kind != WORLD__BUTTON))
            continue;
        if (model->move_count == ITEMS_MAX)
            return cor_fail(error, COR_STATUS_INPUT, NULL, "a model has at most 10,000",
                            "the model of the level has more than 10,000 transitions");
        COR_TRY(COR_RESERVE(&model->moves, &model->move_capacity, (size_t)model->move_count + 1, error));
        model->moves[model->move_count++] = (struct move){from, to};
    }
    return COR_OK;
}

static enum cor_status find_model(struct model *model, struct cor_error *error) {
    const struct cor_rooms_level *level = model->level;
    const uint32_t door_count = level->count_of[WORLD__DOOR];
    if (door_count > DOORS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "a model has one variable for each",
                        "the level has %u doors, and a model at most %u", door_count, DOORS_MAX);
    if ((uint64_t)level->count_of[WORLD__BUTTON] + level->count_of[WORLD__ITEM] + 2 * door_count >= ITEMS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "a model has at most 10,000 labels",
                        "the level has more than 10,000 buttons, items and doors");
    model->start = level->things_of[WORLD__START][0];
    struct named *named = cor_calloc(level->thing_count, sizeof *named);
    model->order = cor_calloc(level->thing_count, sizeof *model->order);
    if (!named || !model->order) {
        free(named);
        return cor_fail_memory(error);
    }
    for (uint32_t t = 0; t < level->thing_count; t++) {
        const uint32_t kind = level->things[t].kind;
        if (kind == WORLD__BUTTON || kind == WORLD__DOOR || kind == WORLD__ITEM)
            named[model->order_count++] = (struct named){world__identity(level, t), t};
    }
    qsort(named, model->order_count, sizeof *named, compare_named);
    for (uint32_t i = 0; i < model->order_count; i++) {
        model->order[i] = named[i].thing;
        if (thing_of(model, named[i].thing)->kind == WORLD__DOOR)
            model->doors[model->door_count++] = thing_of(model, named[i].thing)->number;
    }
    free(named);
    COR_TRY(regions_find(level, &model->regions, error));
    model->beside = cor_calloc((size_t)model->regions.count + door_count, sizeof *model->beside);
    model->sides = cor_calloc((size_t)door_count * WORLD__DIRECTIONS, sizeof *model->sides);
    if (!model->beside || !model->sides)
        return cor_fail_memory(error);
    for (uint32_t door = 0; door < model->door_count; door++)
        for (uint32_t d = 0; d < WORLD__DIRECTIONS; d++) {
            const uint32_t to =
                world__step(level, thing_of(model, door_thing(model, door))->cell, (enum world__direction)d);
            uint32_t *side = &model->sides[door * WORLD__DIRECTIONS + d];
            *side = COR_NONE;
            if (to == COR_NONE)
                continue;
            *side = model->regions.region[to];
            const uint32_t place = *side != COR_NONE
                                       ? *side
                                       : model->regions.count + thing_of(model, level->thing_at[to])->number;
            model->beside[place] |= UINT64_C(1) << door;
        }
    COR_TRY(find_moves(model, model->start, error));
    for (uint32_t i = 0; i < model->order_count; i++)
        COR_TRY(find_moves(model, model->order[i], error));
    return COR_OK;
}

/* ---- text */

/* Words of a kind: of its input, of its output. */
static const char *const input_words[] = {"press", "enter", NULL, "reach"};
static const char *const output_words[] = {"pressed", "entered", NULL, "reached"};

/* "at_b1"; "start", which no identity behind "at_" is. */
static void print_location(struct model *model, uint32_t thing) {
    if (thing == model->start)
        cor_bytes_print(&model->text, "\"start\"");
    else
        cor_bytes_print(&model->text, "\"at_%s\"", world__identity(model->level, thing));
}

/* In front of an item of a list. */
static void print_comma(struct model *model, bool *is_first) {
    cor_bytes_print(&model->text, "%s", *is_first ? "\n  " : ",\n  ");
    *is_first = false;
}

static bool does_toggle(const struct model *model, uint32_t thing, uint32_t door) {
    return thing_of(model, thing)->kind == WORLD__BUTTON &&
           world__toggles(model->level, thing_of(model, thing)->number, door);
}

/* The door behind the move: as it was, or the other way round. */
static void print_door_value(struct model *model, uint32_t thing, uint32_t door) {
    cor_bytes_print(&model->text, "\"%s%s_open\"", does_toggle(model, thing, door) ? "1 - " : "",
                    door_name(model, door));
}

static void print_move(struct model *model, uint32_t m) {
    const struct move *move = &model->moves[m];
    const uint32_t kind = thing_of(model, move->to)->kind;
    const char *name = world__identity(model->level, move->to);
    bool is_first = true;
    cor_bytes_print(&model->text, "{\"id\": \"t%u\", \"src\": ", m);
    print_location(model, move->from);
    cor_bytes_print(&model->text, ", \"dst\": ");
    print_location(model, move->to);
    cor_bytes_print(&model->text, ", \"input\": \"%s_%s\", \"guard\": \"", input_words[kind], name);
    if (kind == WORLD__DOOR)
        cor_bytes_print(&model->text, "%s_open == 1", name);
    else
        cor_bytes_print(&model->text, "true");
    cor_bytes_print(&model->text, "\", \"update\": {");
    for (uint32_t i = 0; i < model->door_count; i++) {
        if (!does_toggle(model, move->to, model->doors[i]))
            continue;
        cor_bytes_print(&model->text, "%s\"%s_open\": ", is_first ? "" : ", ",
                        door_name(model, model->doors[i]));
        print_door_value(model, move->to, model->doors[i]);
        is_first = false;
    }
    cor_bytes_print(&model->text, "}, \"outputs\": [{\"label\": \"%s_%s\", \"args\": []}", output_words[kind],
                    name);
    const uint64_t shown = doors_near(model, move->to);
    for (uint32_t i = 0; i < model->door_count; i++) {
        if ((shown >> model->doors[i] & 1) == 0)
            continue;
        cor_bytes_print(&model->text, ", {\"label\": \"shown_%s\", \"args\": [",
                        door_name(model, model->doors[i]));
        print_door_value(model, move->to, model->doors[i]);
        cor_bytes_print(&model->text, "]}");
    }
    cor_bytes_print(&model->text, "]}");
}

/* A goal of one trap: any move to the thing; or, for a door that is to open, any that toggles it while it is
 * shut. No goal where there is none. */
static void print_goal(struct model *model, uint32_t goal, bool opens, bool *is_first) {
    const struct world__thing *thing = thing_of(model, goal);
    const char *word = opens ? "open" : input_words[thing->kind], *name = world__identity(model->level, goal);
    bool is_alone = true;
    for (uint32_t m = 0; m < model->move_count; m++) {
        const uint32_t to = model->moves[m].to;
        if (opens ? !does_toggle(model, to, thing->number) : to != goal)
            continue;
        if (is_alone) {
            print_comma(model, is_first);
            cor_bytes_print(&model->text,
                            "{\"name\": \"%s_%s\", \"traps\": [{\"id\": \"%s_%s\", \"transition\": [", word,
                            name, word, name);
        }
        cor_bytes_print(&model->text, "%s\"t%u\"", is_alone ? "" : ", ", m);
        is_alone = false;
    }
    if (is_alone)
        return;
    cor_bytes_print(&model->text, "]");
    if (opens)
        cor_bytes_print(&model->text, ", \"constraint\": \"%s_open == 0\"", name);
    cor_bytes_print(&model->text, "}]}");
}

enum cor_status cor_rooms_level_model(const struct cor_rooms_level *level, char **text,
                                      struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct model model = {.level = level};
    bool is_first = true;
    *text = NULL;
    COR_TRY_OUT(find_model(&model, error));
    cor_bytes_print(&model.text,
                    "{\n \"format\": \"efsm-json/1\",\n \"name\": \"rooms\",\n"
                    " \"title\": \"a level of the world rooms, as its first test agent can change it\",\n"
                    " \"provenance\": {\"status\": \"synthetic\", \"source\": \"the level\", \"notes\": "
                    "[\"hazards and hp are left out\"]},\n \"vars\": [");
    for (uint32_t i = 0; i < model.door_count; i++) {
        print_comma(&model, &is_first);
        cor_bytes_print(&model.text,
                        "{\"name\": \"%s_open\", \"kind\": \"state\", \"lo\": 0, \"hi\": 1, \"init\": 0}",
                        door_name(&model, model.doors[i]));
    }
    print_comma(&model, &is_first);
    cor_bytes_print(&model.text, "{\"name\": \"open\", \"kind\": \"out\", \"lo\": 0, \"hi\": 1}],\n"
                                 " \"locations\": [\n  ");
    print_location(&model, model.start);
    for (uint32_t i = 0; i < model.order_count; i++) {
        cor_bytes_print(&model.text, ",\n  ");
        print_location(&model, model.order[i]);
    }
    cor_bytes_print(&model.text, "],\n \"initial\": \"start\",\n \"inputs\": [");
    is_first = true;
    for (uint32_t i = 0; i < model.order_count; i++) {
        print_comma(&model, &is_first);
        cor_bytes_print(&model.text, "{\"label\": \"%s_%s\", \"params\": []}",
                        input_words[thing_of(&model, model.order[i])->kind],
                        world__identity(model.level, model.order[i]));
    }
    cor_bytes_print(&model.text, "],\n \"outputs\": [");
    is_first = true;
    for (uint32_t i = 0; i < model.order_count; i++) {
        const struct world__thing *thing = thing_of(&model, model.order[i]);
        const char *name = world__identity(model.level, model.order[i]);
        print_comma(&model, &is_first);
        cor_bytes_print(&model.text, "{\"label\": \"%s_%s\", \"params\": []}", output_words[thing->kind],
                        name);
        if (thing->kind != WORLD__DOOR)
            continue;
        print_comma(&model, &is_first);
        cor_bytes_print(&model.text, "{\"label\": \"shown_%s\", \"params\": [\"open\"]}", name);
    }
    cor_bytes_print(&model.text, "],\n \"transitions\": [");
    is_first = true;
    for (uint32_t m = 0; m < model.move_count; m++) {
        print_comma(&model, &is_first);
        print_move(&model, m);
    }
    cor_bytes_print(&model.text, "],\n \"goals\": [");
    is_first = true;
    for (uint32_t i = 0; i < model.order_count; i++) {
        print_goal(&model, model.order[i], false, &is_first);
        if (thing_of(&model, model.order[i])->kind == WORLD__DOOR)
            print_goal(&model, model.order[i], true, &is_first);
    }
    cor_bytes_print(&model.text, "]\n}\n");
    *text = cor_bytes_text_take(&model.text, error);
    COR_TRY_OUT(*text ? COR_OK : COR_STATUS_MEMORY);
out:
    regions_fini(&model.regions);
    COR_FREE(model.order, model.beside, model.sides, model.moves);
    cor_bytes_fini(&model.text);
    return status;
}

/* ---- mutants of a level: of its links all, of its cells those few that change what can be reached. A wall
 * is added where it parts things that were connected, once for each corridor; removed where that joins what
 * was apart, once for the same rooms and doors; a hazard moves to a cell beside it */

/* ---- cells */

static enum cor_status add_mutant(struct cor_rooms_level *level, enum world__mutation mutation, uint32_t cell,
                                  uint32_t to, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&level->mutants, &level->mutant_capacity, (size_t)level->mutant_count + 1, error));
    level->mutants[level->mutant_count++] = (struct world__mutant){mutation, cell, to};
    return COR_OK;
}

/* A cell where nothing stands and no stair ends. */
static bool is_plain(const struct cor_rooms_level *level, uint32_t cell) {
    const uint32_t plane = level->columns * level->rows;
    return level->is_floor[cell] && level->thing_at[cell] == COR_NONE &&
           !(cell >= plane && world__stands(level, cell - plane, WORLD__STAIR));
}

/* A depth-first search over all cells that are no walls, doors open (Hopcroft, Tarjan 1973). */
struct cut_search {
    const struct cor_rooms_level *level;
    struct cut_cell {
        uint32_t entered, low; /* `entered` 0: not yet */
        uint32_t from;
        uint32_t things;    /* in the cell and below it */
        uint32_t cut_off;   /* things that only this cell connects with what was entered before it */
        uint8_t direction;  /* looked at next */
        uint8_t part_count; /* parts with things that the cell would leave below it */
    } * cells;              /* owned */
    uint8_t *is_cut;        /* owned */
};

static bool counts(const struct cor_rooms_level *level, uint32_t cell) {
    const uint32_t thing = level->thing_at[cell];
    return thing != COR_NONE && level->things[thing].kind != WORLD__HAZARD &&
           level->things[thing].kind != WORLD__STAIR;
}

static void enter(struct cut_search *search, uint32_t cell, uint32_t from, uint32_t *clock) {
    struct cut_cell *it = &search->cells[cell];
    it->entered = it->low = ++*clock;
    it->from = from;
    it->things = counts(search->level, cell);
}

/* All that is connected with `first`; then its cut cells, as soon as all its things are counted. */
static void search_cuts(struct cut_search *search, uint32_t first, uint32_t *clock, uint32_t *order) {
    const uint32_t start = *clock;
    uint32_t cell = first;
    enter(search, first, COR_NONE, clock);
    order[start] = first;
    while (cell != COR_NONE) {
        struct cut_cell *it = &search->cells[cell];
        if (it->direction < WORLD__DIRECTIONS) {
            const uint32_t to = world__step(search->level, cell, (enum world__direction)it->direction++);
            if (to == COR_NONE || to == it->from)
                continue;
            if (search->cells[to].entered == 0) {
                order[*clock] = to;
                enter(search, to, cell, clock);
                cell = to;
            } else if (search->cells[to].entered < it->low) {
                it->low = search->cells[to].entered;
            }
            continue;
        }
        if (it->from != COR_NONE) {
            struct cut_cell *above = &search->cells[it->from];
            above->things += it->things;
            if (it->low < above->low)
                above->low = it->low;
            if (it->low >= above->entered) {
                above->cut_off += it->things;
                above->part_count = (uint8_t)(above->part_count + (it->things > 0));
            }
        }
        cell = it->from;
    }
    const uint32_t all = search->cells[first].things;
    for (uint32_t i = start; i < *clock; i++) {
        const struct cut_cell *it = &search->cells[order[i]];
        const bool has_rest = all > it->cut_off + counts(search->level, order[i]);
        search->is_cut[order[i]] = it->part_count + has_rest >= 2 && is_plain(search->level, order[i]);
    }
}

/* Marks where a wall would part things. */
static enum cor_status find_cuts(const struct cor_rooms_level *level, uint8_t *is_cut,
                                 struct cor_error *error) {
    enum cor_status status = COR_OK;
    uint32_t clock = 0;
    struct cut_search search = {.level = level, .is_cut = is_cut};
    uint32_t *order = cor_calloc(level->cell_count, sizeof *order);
    COR_TRY_OUT(cor_made(order, error));
    COR_TRY_OUT(cor_made(search.cells = cor_calloc(level->cell_count, sizeof *search.cells), error));
    for (uint32_t cell = 0; cell < level->cell_count; cell++)
        if (level->is_floor[cell] && search.cells[cell].entered == 0)
            search_cuts(&search, cell, &clock, order);
out:
    COR_FREE(search.cells, order);
    return status;
}

/* A wall that would join what lies around it: regions, and doors behind these. */
struct gap {
    uint32_t sides[4]; /* ascending; COR_NONE behind the last */
    uint32_t cell;
};

static int compare_sides(const struct gap *a, const struct gap *b) {
    for (uint32_t i = 0; i < 4; i++)
        if (a->sides[i] != b->sides[i])
            return a->sides[i] < b->sides[i] ? -1 : 1;
    return 0;
}

static int compare_gaps(const void *a, const void *b) {
    const struct gap *x = a, *y = b;
    const int order = compare_sides(x, y);
    return order != 0 ? order : x->cell < y->cell ? -1 : x->cell > y->cell;
}

static uint32_t side_of(const struct cor_rooms_level *level, const struct world__regions *regions,
                        uint32_t cell) {
    return regions->region[cell] != COR_NONE ? regions->region[cell]
                                             : regions->count + level->things[level->thing_at[cell]].number;
}

/* Does one step lead from the door to the region or to the other door? */
static bool door_touches(const struct cor_rooms_level *level, const struct world__regions *regions,
                         uint32_t door, uint32_t side) {
    const uint32_t cell = level->things[level->things_of[WORLD__DOOR][door]].cell;
    for (uint32_t d = 0; d < WORLD__DIRECTIONS; d++) {
        const uint32_t to = world__step(level, cell, (enum world__direction)d);
        if (to != COR_NONE && side_of(level, regions, to) == side)
            return true;
    }
    return false;
}

/* Without the wall, what was apart is joined. */
static bool is_gap(const struct cor_rooms_level *level, const struct world__regions *regions, uint32_t cell,
                   struct gap *gap) {
    uint32_t count = 0;
    *gap = (struct gap){{COR_NONE, COR_NONE, COR_NONE, COR_NONE}, cell};
    for (uint32_t d = WORLD__NORTH; d <= WORLD__SOUTH; d++) {
        const uint32_t to = world__step(level, cell, (enum world__direction)d);
        if (to == COR_NONE)
            continue;
        const uint32_t side = side_of(level, regions, to);
        uint32_t at = 0;
        while (at < count && gap->sides[at] < side)
            at++;
        if (at < count && gap->sides[at] == side)
            continue;
        memmove(&gap->sides[at + 1], &gap->sides[at], (count - at) * sizeof *gap->sides);
        gap->sides[at] = side;
        count++;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) { /* of two sides the second is the door, if one is */
            const uint32_t second = gap->sides[j];
            if (second < regions->count ||
                !door_touches(level, regions, second - regions->count, gap->sides[i]))
                return true;
        }
    return false;
}

static enum cor_status add_gaps(struct cor_rooms_level *level, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct world__regions regions = {0};
    struct gap *gaps = NULL, gap;
    size_t capacity = 0, count = 0, kept = 0;
    COR_TRY_OUT(regions_find(level, &regions, error));
    for (uint32_t cell = 0; cell < level->cell_count; cell++)
        if (!level->is_floor[cell] && is_gap(level, &regions, cell, &gap)) {
            COR_TRY_OUT(COR_RESERVE(&gaps, &capacity, count + 1, error));
            gaps[count++] = gap;
        }
    if (count > 0)
        qsort(gaps, count, sizeof *gaps, compare_gaps);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || compare_sides(&gaps[i - 1], &gaps[i]) != 0)
            regions.stack[kept++] = gaps[i].cell;
    for (size_t i = 0; i < kept; i++)
        COR_TRY_OUT(add_mutant(level, WORLD__WALL_REMOVED, regions.stack[i], COR_NONE, error));
out:
    free(gaps);
    regions_fini(&regions);
    return status;
}

static bool is_inner_wall(const struct cor_rooms_level *level, uint32_t cell) {
    uint32_t at[3];
    world__place(level, cell, at);
    return !level->is_floor[cell] && at[0] > 0 && at[0] + 1 < level->columns && at[1] > 0 &&
           at[1] + 1 < level->rows;
}

/* The cell beside it, whatever it is. The caller knows that there is one, or that COR_NONE comes back. */
static uint32_t beside(const struct cor_rooms_level *level, uint32_t cell, uint32_t direction) {
    uint32_t at[3];
    world__place(level, cell, at);
    switch (direction) {
    case WORLD__NORTH:
        return at[1] > 0 ? cell - level->columns : COR_NONE;
    case WORLD__WEST:
        return at[0] > 0 ? cell - 1 : COR_NONE;
    case WORLD__EAST:
        return at[0] + 1 < level->columns ? cell + 1 : COR_NONE;
    default:
        return at[1] + 1 < level->rows ? cell + level->columns : COR_NONE;
    }
}

/* Looks for the changes of cells that are mutants. */
static enum cor_status level_find_mutants(struct cor_rooms_level *level, struct cor_error *error) {
    enum cor_status status = COR_OK;
    uint8_t *is_cut = cor_calloc(level->cell_count, sizeof *is_cut);
    COR_TRY_OUT(cor_made(is_cut, error));
    COR_TRY_OUT(find_cuts(level, is_cut, error));
    for (uint32_t cell = 0; cell < level->cell_count; cell++) {
        const uint32_t north = beside(level, cell, WORLD__NORTH), west = beside(level, cell, WORLD__WEST);
        if (is_cut[cell] && !(north != COR_NONE && is_cut[north]) && !(west != COR_NONE && is_cut[west]))
            COR_TRY_OUT(add_mutant(level, WORLD__WALL_ADDED, cell, COR_NONE, error));
    }
    const uint32_t added_count = level->mutant_count;
    COR_TRY_OUT(add_gaps(level, error));
    for (uint32_t i = 0; i < added_count; i++) {
        const uint32_t cell = level->mutants[i].cell;
        for (uint32_t d = WORLD__NORTH; d <= WORLD__SOUTH; d++) {
            const uint32_t wall = beside(level, cell, d);
            if (wall != COR_NONE && is_inner_wall(level, wall)) {
                COR_TRY_OUT(add_mutant(level, WORLD__WALL_MOVED, wall, cell, error));
                break;
            }
        }
    }
    for (uint32_t h = 0; h < level->count_of[WORLD__HAZARD]; h++) {
        const uint32_t cell = level->things[level->things_of[WORLD__HAZARD][h]].cell;
        for (uint32_t d = WORLD__NORTH; d <= WORLD__SOUTH; d++) {
            const uint32_t to = world__step(level, cell, (enum world__direction)d);
            if (to != COR_NONE && is_plain(level, to))
                COR_TRY_OUT(add_mutant(level, WORLD__HAZARD_MOVED, cell, to, error));
        }
    }
out:
    free(is_cut);
    return status;
}

/* ---- all of them, by number */

enum change_kind { LINK_REMOVED, LINK_ADDED, LINK_MOVED, DOOR_SHUT, CELL_CHANGED };

/* A mutant: what of these counts, its kind says. */
struct change {
    enum change_kind kind;
    uint32_t toggle, button, door, mutant;
};

static uint32_t linked_count(const struct cor_rooms_level *level, uint32_t button) {
    return level->toggle_start[button + 1] - level->toggle_start[button];
}

static uint32_t moved_count(const struct cor_rooms_level *level) {
    uint32_t count = 0;
    for (uint32_t b = 0; b < level->count_of[WORLD__BUTTON]; b++)
        count += linked_count(level, b) * (level->count_of[WORLD__DOOR] - linked_count(level, b));
    return count;
}

static uint32_t added_link_count(const struct cor_rooms_level *level) {
    return level->count_of[WORLD__BUTTON] * level->count_of[WORLD__DOOR] - level->toggle_count;
}

uint32_t cor_rooms_level_mutant_count(const struct cor_rooms_level *level) {
    return level->toggle_count + added_link_count(level) + moved_count(level) + level->stuck_count +
           level->mutant_count;
}

/* Door number `index` of those that the button does not toggle. */
static uint32_t other_door(const struct cor_rooms_level *level, uint32_t button, uint32_t index) {
    uint32_t door = index;
    for (uint32_t i = level->toggle_start[button]; i < level->toggle_start[button + 1]; i++)
        door += level->toggles[i].door <= door;
    return door;
}

static bool is_linked(const struct cor_rooms_level *level, uint32_t door) {
    for (uint32_t i = 0; i < level->toggle_count; i++)
        if (level->toggles[i].door == door)
            return true;
    return false;
}

static struct change change_of(const struct cor_rooms_level *level, uint32_t mutant) {
    const uint32_t door_count = level->count_of[WORLD__DOOR];
    struct change change = {.kind = LINK_REMOVED, .toggle = mutant};
    if (mutant < level->toggle_count) {
        change.button = level->toggles[mutant].button;
        change.door = level->toggles[mutant].door;
        return change;
    }
    mutant -= level->toggle_count;
    if (mutant < added_link_count(level)) {
        change.kind = LINK_ADDED;
        while (mutant >= door_count - linked_count(level, change.button))
            mutant -= door_count - linked_count(level, change.button++);
        change.door = other_door(level, change.button, mutant);
        return change;
    }
    mutant -= added_link_count(level);
    if (mutant < moved_count(level)) {
        change.kind = LINK_MOVED;
        uint32_t each = door_count - linked_count(level, 0), count = each * linked_count(level, 0);
        while (mutant >= count) {
            mutant -= count;
            each = door_count - linked_count(level, ++change.button);
            count = each * linked_count(level, change.button);
        }
        change.toggle = level->toggle_start[change.button] + mutant / each;
        change.door = other_door(level, change.button, mutant % each);
        return change;
    }
    mutant -= moved_count(level);
    if (mutant < level->stuck_count) {
        change.kind = DOOR_SHUT;
        for (change.door = 0;; change.door++)
            if (is_linked(level, change.door) && mutant-- == 0)
                return change;
    }
    change.kind = CELL_CHANGED;
    change.mutant = mutant - level->stuck_count;
    return change;
}

static void print_place(const struct cor_rooms_level *level, uint32_t cell, char text[40]) {
    uint32_t at[3];
    world__place(level, cell, at);
    if (level->floors == 1)
        snprintf(text, 40, "%u,%u", at[0], at[1]);
    else
        snprintf(text, 40, "%u,%u,%u", at[0], at[1], at[2]);
}

void cor_rooms_level_mutant_name(const struct cor_rooms_level *level, uint32_t mutant, char *name,
                                 size_t size) {
    COR_ASSERT(mutant < cor_rooms_level_mutant_count(level));
    const struct change change = change_of(level, mutant);
    const char *button = "", *door = "";
    if (change.kind < DOOR_SHUT)
        button = world__identity(level, level->things_of[WORLD__BUTTON][change.button]);
    if (change.kind <= DOOR_SHUT)
        door = world__identity(level, level->things_of[WORLD__DOOR][change.door]);
    switch (change.kind) {
    case LINK_REMOVED:
        snprintf(name, size, "link %s-%s removed", button, door);
        return;
    case LINK_ADDED:
        snprintf(name, size, "link %s-%s added", button, door);
        return;
    case LINK_MOVED: {
        const uint32_t from = level->toggles[change.toggle].door;
        snprintf(name, size, "link %s-%s to %s", button,
                 world__identity(level, level->things_of[WORLD__DOOR][from]), door);
        return;
    }
    case DOOR_SHUT:
        snprintf(name, size, "door %s shut", door);
        return;
    case CELL_CHANGED:
        break;
    }
    const struct world__mutant *it = &level->mutants[change.mutant];
    char cell[40], to[40] = "";
    print_place(level, it->cell, cell);
    if (it->to != COR_NONE)
        print_place(level, it->to, to);
    switch (it->mutation) {
    case WORLD__WALL_ADDED:
        snprintf(name, size, "wall %s added", cell);
        return;
    case WORLD__WALL_REMOVED:
        snprintf(name, size, "wall %s removed", cell);
        return;
    case WORLD__WALL_MOVED:
        snprintf(name, size, "wall %s moved to %s", cell, to);
        return;
    case WORLD__HAZARD_MOVED:
        snprintf(name, size, "hazard %s moved to %s", cell, to);
        return;
    }
}

/* ---- the changed level */

#define NAME_SIZE (3 * WORLD__IDENTITY_MAX + 40)

static enum cor_status complain_unknown(const struct cor_rooms_level *level, const char *mutant,
                                        struct cor_error *error) {
    enum cor_status status = COR_OK;
    uint32_t count = cor_rooms_level_mutant_count(level);
    count = count < 10000 ? count : 10000;
    char(*texts)[NAME_SIZE] = cor_calloc(count, sizeof *texts);
    const char **names = cor_calloc((size_t)count + 1, sizeof *names);
    char known[1024];
    if (!texts || !names) {
        status = cor_fail_memory(error);
        goto out;
    }
    for (uint32_t i = 0; i < count; i++) {
        cor_rooms_level_mutant_name(level, i, texts[i], sizeof texts[i]);
        names[i] = texts[i];
    }
    cor_known_names(mutant, names, known, sizeof known);
    status = cor_fail(error, COR_STATUS_INPUT, NULL, count > 0 ? known : NULL,
                      "the level has no mutant \"%.200s\"", mutant);
out:
    COR_FREE(names, texts);
    return status;
}

/* A copy of the level's arrays that are changed; all else is the level's. */
static enum cor_status copy_changed(const struct cor_rooms_level *level, struct cor_rooms_level *copy,
                                    struct cor_error *error) {
    *copy = *level;
    copy->is_floor = cor_calloc(level->cell_count, sizeof *copy->is_floor);
    copy->thing_at = cor_calloc(level->cell_count, sizeof *copy->thing_at);
    copy->toggles = cor_calloc((size_t)level->toggle_count + 1, sizeof *copy->toggles);
    if (!copy->is_floor || !copy->thing_at || !copy->toggles)
        return cor_fail_memory(error);
    memcpy(copy->is_floor, level->is_floor, level->cell_count * sizeof *copy->is_floor);
    memcpy(copy->thing_at, level->thing_at, level->cell_count * sizeof *copy->thing_at);
    if (level->toggle_count > 0)
        memcpy(copy->toggles, level->toggles, level->toggle_count * sizeof *copy->toggles);
    return COR_OK;
}

static void change_cell(struct cor_rooms_level *copy, const struct world__mutant *mutant) {
    switch (mutant->mutation) {
    case WORLD__WALL_ADDED:
        copy->is_floor[mutant->cell] = false;
        return;
    case WORLD__WALL_REMOVED:
        copy->is_floor[mutant->cell] = true;
        return;
    case WORLD__WALL_MOVED:
        copy->is_floor[mutant->cell] = true;
        copy->is_floor[mutant->to] = false;
        return;
    case WORLD__HAZARD_MOVED:
        copy->thing_at[mutant->to] = copy->thing_at[mutant->cell];
        copy->thing_at[mutant->cell] = COR_NONE;
        return;
    }
}

static void remove_toggle(struct cor_rooms_level *copy, uint32_t toggle) {
    copy->toggle_count--;
    memmove(&copy->toggles[toggle], &copy->toggles[toggle + 1],
            (copy->toggle_count - toggle) * sizeof *copy->toggles);
}

static void apply(struct cor_rooms_level *copy, const struct change *change) {
    switch (change->kind) {
    case LINK_REMOVED:
        remove_toggle(copy, change->toggle);
        return;
    case LINK_ADDED: {
        const uint32_t at = copy->toggle_start[change->button + 1];
        memmove(&copy->toggles[at + 1], &copy->toggles[at],
                (copy->toggle_count - at) * sizeof *copy->toggles);
        copy->toggles[at] = (struct world__toggle){change->button, change->door};
        copy->toggle_count++;
        return;
    }
    case LINK_MOVED:
        copy->toggles[change->toggle].door = change->door;
        return;
    case DOOR_SHUT:
        for (uint32_t i = copy->toggle_count; i-- > 0;)
            if (copy->toggles[i].door == change->door)
                remove_toggle(copy, i);
        return;
    case CELL_CHANGED:
        change_cell(copy, &copy->mutants[change->mutant]);
        return;
    }
}

/* The changed level is read from its text, so that it is as any other. */
enum cor_status cor_rooms_level_mutate(const struct cor_rooms_level *level, const char *mutant,
                                       struct cor_rooms_level **changed, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_rooms_level copy = {0};
    char *text = NULL, name[NAME_SIZE];
    uint32_t number = 0;
    const uint32_t count = cor_rooms_level_mutant_count(level);
    *changed = NULL;
    for (; number < count; number++) {
        cor_rooms_level_mutant_name(level, number, name, sizeof name);
        if (strcmp(name, mutant) == 0)
            break;
    }
    if (number == count)
        return complain_unknown(level, mutant, error);
    const struct change change = change_of(level, number);
    COR_TRY_OUT(copy_changed(level, &copy, error));
    apply(&copy, &change);
    COR_TRY_OUT(cor_made(text = cor_rooms_level_text(&copy), error));
    COR_TRY_OUT(cor_rooms_level_parse(text, mutant, changed, NULL, error));
out:
    COR_FREE(text, copy.is_floor, copy.thing_at, copy.toggles);
    return status;
}

uint32_t cor_rooms_level_start_count(const struct cor_rooms_level *level) {
    return level->count_of[WORLD__START];
}

uint32_t cor_rooms_level_part_count(const struct cor_rooms_level *level) {
    uint32_t count = 0;
    for (uint32_t cell = 0; cell < level->cell_count; cell++)
        count += !level->is_floor[cell];
    return level->thing_count + count;
}

void cor_rooms_level_part_name(const struct cor_rooms_level *level, uint32_t part, char *name, size_t size) {
    static const char *const words[WORLD__THING_KINDS] = {
        [WORLD__BUTTON] = "button", [WORLD__DOOR] = "door",   [WORLD__HAZARD] = "hazard",
        [WORLD__ITEM] = "item",     [WORLD__START] = "start", [WORLD__STAIR] = "stair"};
    COR_ASSERT(part < cor_rooms_level_part_count(level));
    if (part < level->thing_count) {
        snprintf(name, size, "%s %s", words[level->things[part].kind], world__identity(level, part));
        return;
    }
    uint32_t cell = 0;
    char place[40];
    for (uint32_t wall = part - level->thing_count; level->is_floor[cell] || wall-- > 0;)
        cell++;
    print_place(level, cell, place);
    snprintf(name, size, "wall %s", place);
}

enum cor_status cor_rooms_level_without(const struct cor_rooms_level *level,
                                        const struct cor_rooms_level *parts, const bool *gone,
                                        struct cor_rooms_level **changed, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_rooms_level copy = {0};
    char *text = NULL;
    *changed = NULL;
    COR_ASSERT(level->cell_count == parts->cell_count);
    COR_TRY_OUT(copy_changed(level, &copy, error));
    /* Without what is called as a marked thing of `parts`, and without marked walls where the level has some.
     */
    uint32_t wall = parts->thing_count;
    for (uint32_t t = 0; t < parts->thing_count; t++) {
        const uint32_t thing =
            gone[t] ? cor_words_find(&level->identities, world__identity(parts, t)) : COR_NONE;
        if (thing != COR_NONE)
            copy.thing_at[level->things[thing].cell] = COR_NONE;
    }
    for (uint32_t cell = 0; cell < parts->cell_count; cell++)
        if (!parts->is_floor[cell] && gone[wall++])
            copy.is_floor[cell] = true;
    for (uint32_t i = copy.toggle_count; i-- > 0;) {
        const uint32_t button = level->things_of[WORLD__BUTTON][copy.toggles[i].button],
                       door = level->things_of[WORLD__DOOR][copy.toggles[i].door];
        if (copy.thing_at[level->things[button].cell] == COR_NONE ||
            copy.thing_at[level->things[door].cell] == COR_NONE)
            remove_toggle(&copy, i);
    }
    COR_TRY_OUT(cor_made(text = cor_rooms_level_text(&copy), error));
    COR_TRY_OUT(cor_rooms_level_parse(text, "without", changed, NULL, error));
out:
    COR_FREE(text, copy.is_floor, copy.thing_at, copy.toggles);
    return status;
}
