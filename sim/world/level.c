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

static const char *const kind_words[WORLD__THING_KINDS] = {"button", "door",       "hazard",
                                                           "goal",   "test agent", "stair"};
static const char kind_signs[WORLD__THING_KINDS] = {'b', 'd', 'h', 'g', 'a', 's'};

/* ---- what every level has */

struct cor_rooms_level *world__level_create(void) {
    struct cor_rooms_level *level = cor_calloc(1, sizeof *level);
    if (level)
        cor_words_init(&level->identities);
    return level;
}

void cor_rooms_level_destroy(struct cor_rooms_level *level) {
    if (!level)
        return;
    free(level->is_floor);
    free(level->thing_at);
    cor_words_fini(&level->identities);
    free(level->things);
    for (uint32_t k = 0; k < WORLD__THING_KINDS; k++)
        free(level->things_of[k]);
    free(level->toggles);
    free(level->toggle_start);
    free(level->mutants);
    free(level);
}

static int compare_toggles(const void *a, const void *b) {
    const struct world__toggle *x = a, *y = b;
    if (x->button != y->button)
        return x->button < y->button ? -1 : 1;
    return x->door == y->door ? 0 : x->door < y->door ? -1 : 1;
}

enum cor_status world__level_finish(struct cor_rooms_level *level, struct cor_error *error) {
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
    return world__level_find_mutants(level, error);
}

bool world__toggles(const struct cor_rooms_level *level, uint32_t button, uint32_t door) {
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

enum cor_status world__regions_find(const struct cor_rooms_level *level, struct world__regions *regions,
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

void world__regions_fini(struct world__regions *regions) {
    free(regions->region);
    free(regions->stack);
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

/* The earliest link that is there twice; link_count: none is. */
static enum cor_status find_twin(const struct reader *reader, size_t *twin) {
    struct placed_toggle *placed = cor_calloc(reader->link_count, sizeof *placed);
    COR_TRY(cor_made(placed, reader->table.error));
    for (size_t i = 0; i < reader->link_count; i++)
        placed[i] = (struct placed_toggle){reader->level->toggles[i], i};
    if (reader->link_count > 0)
        qsort(placed, reader->link_count, sizeof *placed, compare_placed);
    *twin = reader->link_count;
    for (size_t i = 1; i < reader->link_count; i++)
        if (compare_toggles(&placed[i - 1].toggle, &placed[i].toggle) == 0 && placed[i].link < *twin)
            *twin = placed[i].link;
    free(placed);
    return COR_OK;
}

static enum cor_status resolve_links(struct reader *reader) {
    struct cor_rooms_level *level = reader->level;
    level->toggles = cor_calloc(reader->link_count, sizeof *level->toggles);
    COR_TRY(cor_made(level->toggles, reader->table.error));
    for (size_t i = 0; i < reader->link_count; i++) {
        COR_TRY(find_linked(reader, &reader->links[i], false, &level->toggles[i].button));
        COR_TRY(find_linked(reader, &reader->links[i], true, &level->toggles[i].door));
    }
    size_t twin;
    COR_TRY(find_twin(reader, &twin));
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
    return COR_OK;
}

/* A stair leads to a cell of the next floor. */
static enum cor_status check_stairs(const struct reader *reader) {
    const struct cor_rooms_level *level = reader->level;
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
    return COR_OK;
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
    COR_TRY(resolve_links(reader));
    COR_TRY(check_stairs(reader));
    if (level->count_of[WORLD__START] == 0)
        return cor_fail(table->error, COR_STATUS_INPUT, table->name,
                        "put f:a^ID into the cell where it begins", "no test agent begins here");
    return world__level_finish(level, table->error);
}

enum cor_status cor_rooms_level_parse(const char *text, const char *path, struct cor_rooms_level **level,
                                      char **notes, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct reader reader = {.table = cor_delimited_begin(text, strlen(text), path, ',', error)};
    *level = NULL;
    if (notes)
        *notes = NULL;
    cor_words_init(&reader.names);
    reader.level = world__level_create();
    COR_TRY_OUT(cor_made(reader.level, error));
    COR_TRY_OUT(read_level(&reader));
    if (notes)
        COR_TRY_OUT(write_notes(reader.level, notes, error));
    *level = reader.level;
    reader.level = NULL;
out:
    cor_rooms_level_destroy(reader.level);
    cor_words_fini(&reader.names);
    free(reader.links);
    free(reader.table.field);
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
