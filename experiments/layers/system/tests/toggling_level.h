/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A level of the world `rooms` as a test reads it for itself, and what is possible in it: breadth-first
 * search over cells and doors. Include behind cmocka.h. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_TESTS_TOGGLING_LEVEL_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_TESTS_TOGGLING_LEVEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOGGLING_THINGS 64
#define TOGGLING_CELLS 8192
#define TOGGLING_NEVER UINT32_MAX
#define TOGGLING_ALL UINT32_MAX /* a view of everything */

struct toggling_level {
    uint32_t columns, rows, floors, cell_count;
    char kind[TOGGLING_CELLS]; /* w f b d a g h s */
    char name[TOGGLING_CELLS][16];
    uint32_t door_of[TOGGLING_CELLS]; /* bit */
    uint32_t toggles[TOGGLING_CELLS]; /* of a button: bits */
    uint32_t door_cell[32], door_count, start;
    char links[TOGGLING_THINGS][2][16];
    uint32_t link_count;
};

static inline void toggling_take_cell(struct toggling_level *it, uint32_t cell, const char *text) {
    it->kind[cell] = *text ? *text : 'w';
    it->name[cell][0] = 0;
    if (text[0] == 'f' && text[1] == ':') {
        it->kind[cell] = text[2];
        snprintf(it->name[cell], 16, "%s", strchr(text, '^') + 1);
    }
    if (it->kind[cell] == 'a')
        it->start = cell;
    if (it->kind[cell] == 'd') {
        it->door_of[cell] = it->door_count;
        it->door_cell[it->door_count++] = cell;
    }
}

static inline void toggling_read(struct toggling_level *it, const char *text) {
    char *copy = strdup(text), *line_end = NULL;
    memset(it, 0, sizeof *it);
    uint32_t row = 0;
    bool in_floors = false;
    for (char *line = strtok_r(copy, "\n", &line_end); line; line = strtok_r(NULL, "\n", &line_end)) {
        uint32_t column = 0;
        if (*line == '|') {
            it->rows = it->floors > 0 && it->rows == 0 ? row : it->rows;
            it->floors++;
            in_floors = true;
            line++;
        }
        char *at = line, first[16] = "";
        for (; at; column++) {
            char *item = at;
            at = strchr(at, ',');
            if (at)
                *at++ = 0;
            if (in_floors) {
                toggling_take_cell(it, it->cell_count++, item);
            } else if (column == 0) {
                snprintf(first, sizeof first, "%s", item);
            } else {
                snprintf(it->links[it->link_count][0], 16, "%s", first);
                snprintf(it->links[it->link_count++][1], 16, "%s", item);
            }
        }
        if (in_floors) {
            it->columns = column;
            row++;
        }
    }
    it->rows = it->rows == 0 ? row : it->rows;
    for (uint32_t l = 0; l < it->link_count; l++)
        for (uint32_t b = 0; b < it->cell_count; b++)
            for (uint32_t d = 0; d < it->door_count; d++)
                if (strcmp(it->name[b], it->links[l][0]) == 0 &&
                    strcmp(it->name[it->door_cell[d]], it->links[l][1]) == 0)
                    it->toggles[b] |= 1u << d;
    free(copy);
}

static inline uint32_t toggling_find(const struct toggling_level *it, const char *name) {
    for (uint32_t c = 0; c < it->cell_count; c++)
        if (strcmp(it->name[c], name) == 0)
            return c;
    return TOGGLING_NEVER;
}

static inline bool toggling_is_free(const struct toggling_level *it, uint32_t cell, uint32_t doors) {
    return it->kind[cell] != 'w' && (it->kind[cell] != 'd' || doors >> it->door_of[cell] & 1);
}

/* Bresenham's line as textbooks have it, by its fractions: the cell of step i of n along the longer side. */
static inline bool toggling_sees(const struct toggling_level *it, uint32_t from, uint32_t to, uint32_t doors,
                                 uint32_t view) {
    const uint32_t plane = it->columns * it->rows;
    if (view == TOGGLING_ALL)
        return true;
    if (from / plane != to / plane)
        return (to == from + plane && it->kind[from] == 's') || (from == to + plane && it->kind[to] == 's');
    int x = (int)(from % it->columns), y = (int)(from / it->columns);
    const int to_x = (int)(to % it->columns), to_y = (int)(to / it->columns);
    const int dx = abs(to_x - x), dy = -abs(to_y - y), sx = x < to_x ? 1 : -1, sy = y < to_y ? 1 : -1;
    int error = dx + dy;
    if (dx > (int)view || -dy > (int)view)
        return false;
    while (x != to_x || y != to_y) {
        const int twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            x += sx;
        }
        if (twice <= dx) {
            error += dx;
            y += sy;
        }
        const uint32_t cell = (uint32_t)y * it->columns + (uint32_t)x;
        if (cell != to && !toggling_is_free(it, cell, doors))
            return false;
    }
    return true;
}

/* The fewest actions until the cell is entered (door: COR_NONE), or until that door is seen open. */
static inline uint32_t toggling_optimum(const struct toggling_level *it, uint32_t target, uint32_t door,
                                        uint32_t view) {
    const size_t count = (size_t)it->cell_count << it->door_count;
    uint32_t *distance = malloc(count * sizeof *distance), *queue = malloc(count * sizeof *queue);
    uint32_t found = TOGGLING_NEVER;
    size_t head = 0, tail = 0;
    memset(distance, 0xff, count * sizeof *distance);
    queue[tail++] = it->start;
    distance[it->start] = 0;
    while (head < tail && found == TOGGLING_NEVER) {
        const uint32_t state = queue[head++], cell = state % it->cell_count, doors = state / it->cell_count;
        const uint32_t plane = it->columns * it->rows;
        if (door == TOGGLING_NEVER
                ? cell == target
                : (doors >> door & 1) && toggling_sees(it, cell, it->door_cell[door], doors, view))
            found = distance[state];
        uint32_t next[7];
        uint32_t next_count = 0;
        const uint32_t column = cell % it->columns, row = cell / it->columns % it->rows;
        if (column > 0)
            next[next_count++] = cell - 1;
        if (column + 1 < it->columns)
            next[next_count++] = cell + 1;
        if (row > 0)
            next[next_count++] = cell - it->columns;
        if (row + 1 < it->rows)
            next[next_count++] = cell + it->columns;
        if (it->kind[cell] == 's')
            next[next_count++] = cell + plane;
        if (cell >= plane && it->kind[cell - plane] == 's')
            next[next_count++] = cell - plane;
        for (uint32_t n = 0; n <= next_count; n++) {
            uint32_t to = state;
            if (n < next_count && !toggling_is_free(it, next[n], doors))
                continue;
            if (n < next_count)
                to = doors * it->cell_count + next[n];
            else if (it->kind[cell] == 'b')
                to = (doors ^ it->toggles[cell]) * it->cell_count + cell;
            if (distance[to] == TOGGLING_NEVER) {
                distance[to] = distance[state] + 1;
                queue[tail++] = to;
            }
        }
    }
    free(distance);
    free(queue);
    return found;
}

#endif
