/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mutants of a level: of its links all, of its cells those few that change what can be reached. A wall is
 * added where it parts things that were connected, once for each corridor; removed where that joins what was
 * apart, once for the same rooms and doors; a hazard moves to a cell beside it. */
#include "rooms_level.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    search.cells = cor_calloc(level->cell_count, sizeof *search.cells);
    COR_TRY_OUT(cor_made(search.cells, error));
    for (uint32_t cell = 0; cell < level->cell_count; cell++)
        if (level->is_floor[cell] && search.cells[cell].entered == 0)
            search_cuts(&search, cell, &clock, order);
out:
    free(search.cells);
    free(order);
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
    COR_TRY_OUT(world__regions_find(level, &regions, error));
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
    world__regions_fini(&regions);
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

static enum cor_status add_moved_walls(struct cor_rooms_level *level, uint32_t added_count,
                                       struct cor_error *error) {
    for (uint32_t i = 0; i < added_count; i++) {
        const uint32_t cell = level->mutants[i].cell;
        for (uint32_t d = WORLD__NORTH; d <= WORLD__SOUTH; d++) {
            const uint32_t wall = beside(level, cell, d);
            if (wall != COR_NONE && is_inner_wall(level, wall)) {
                COR_TRY(add_mutant(level, WORLD__WALL_MOVED, wall, cell, error));
                break;
            }
        }
    }
    return COR_OK;
}

enum cor_status world__level_find_mutants(struct cor_rooms_level *level, struct cor_error *error) {
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
    COR_TRY_OUT(add_moved_walls(level, added_count, error));
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
    free(names);
    free(texts);
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
    text = cor_rooms_level_text(&copy);
    COR_TRY_OUT(cor_made(text, error));
    COR_TRY_OUT(cor_rooms_level_parse(text, mutant, changed, NULL, error));
out:
    free(text);
    free(copy.is_floor);
    free(copy.thing_at);
    free(copy.toggles);
    return status;
}

static uint32_t count_walls(const struct cor_rooms_level *level) {
    uint32_t count = 0;
    for (uint32_t cell = 0; cell < level->cell_count; cell++)
        count += !level->is_floor[cell];
    return count;
}

uint32_t cor_rooms_level_start_count(const struct cor_rooms_level *level) {
    return level->count_of[WORLD__START];
}

uint32_t cor_rooms_level_part_count(const struct cor_rooms_level *level) {
    return level->thing_count + count_walls(level);
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

/* Without what is called as a marked thing of `parts`, and without marked walls where the level has some. */
static void take_away(const struct cor_rooms_level *level, const struct cor_rooms_level *parts,
                      const bool *gone, struct cor_rooms_level *copy) {
    uint32_t wall = parts->thing_count;
    for (uint32_t t = 0; t < parts->thing_count; t++) {
        const uint32_t thing =
            gone[t] ? cor_words_find(&level->identities, world__identity(parts, t)) : COR_NONE;
        if (thing != COR_NONE)
            copy->thing_at[level->things[thing].cell] = COR_NONE;
    }
    for (uint32_t cell = 0; cell < parts->cell_count; cell++)
        if (!parts->is_floor[cell] && gone[wall++])
            copy->is_floor[cell] = true;
    for (uint32_t i = copy->toggle_count; i-- > 0;) {
        const uint32_t button = level->things_of[WORLD__BUTTON][copy->toggles[i].button],
                       door = level->things_of[WORLD__DOOR][copy->toggles[i].door];
        if (copy->thing_at[level->things[button].cell] == COR_NONE ||
            copy->thing_at[level->things[door].cell] == COR_NONE)
            remove_toggle(copy, i);
    }
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
    take_away(level, parts, gone, &copy);
    text = cor_rooms_level_text(&copy);
    COR_TRY_OUT(cor_made(text, error));
    COR_TRY_OUT(cor_rooms_level_parse(text, "without", changed, NULL, error));
out:
    free(text);
    free(copy.is_floor);
    free(copy.thing_at);
    free(copy.toggles);
    return status;
}
