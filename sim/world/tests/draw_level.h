/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random levels of the world `rooms` for tests: rooms in a grid, doors between neighbours, buttons that
 * toggle doors, items, hazards, stairs. What the level is about - rooms, doors, links, what is in which room
 * - depends on `logic` alone; how wide rooms are, where things stand in them, pillars, and which way the
 * whole is turned, on `layout` alone: levels of one logic and different layouts are variants. Include behind
 * cmocka.h. */
#ifndef CORRIDOR_SIM_WORLD_TESTS_DRAW_LEVEL_H
#define CORRIDOR_SIM_WORLD_TESTS_DRAW_LEVEL_H

#include <corridor/bytes.h>
#include <corridor/rng.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* At most so many; drawn. */
struct draw_level {
    uint64_t logic, layout;                   /* seeds */
    uint32_t columns, rows, floors;           /* rooms: 1 to 4, 1 to 4, 1 to 3 */
    uint32_t buttons, items, hazards, starts; /* at least one start; sum at most 40 */
    uint32_t more_links;                      /* beside one for each button, where there is a door */
    uint32_t more_doors; /* per cent of neighbours that the tree of rooms does not join */
};

/* Three rooms by two, six buttons, an item: what other tests take. */
static inline struct draw_level draw_level_default(uint64_t logic, uint64_t layout) {
    return (struct draw_level){logic, layout, 3, 2, 1, 6, 1, 0, 1, 4, 30};
}

#define DRAW_ROOMS_MAX 48
#define DRAW_SIDE_MAX 48 /* of a floor, in cells */

struct draw_room_thing {
    char text[24]; /* of the cell */
    uint32_t room;
};

struct draw_plan {
    uint32_t columns, rows, floors, room_count;
    uint32_t doors[2 * DRAW_ROOMS_MAX][2]; /* rooms, the lesser first */
    uint32_t door_count;
    uint32_t stairs[DRAW_ROOMS_MAX]; /* lower rooms */
    uint32_t stair_count;
    struct draw_room_thing things[64];
    uint32_t thing_count, button_count;
    bool links[64][2 * DRAW_ROOMS_MAX];
};

static inline struct cor_rng draw_stream(uint64_t seed, uint32_t entity) {
    const struct cor_stream_name name = {.seed = seed, .entity = entity, .purpose = COR_PURPOSE_TEST};
    return cor_rng_named(&name);
}

static inline void draw_things(struct draw_plan *plan, struct cor_rng *rng, const char *sign,
                               const char *name, uint32_t least, uint32_t most) {
    const uint32_t count = most > least ? least + cor_rng_below(rng, most - least + 1) : least;
    for (uint32_t i = 0; i < count; i++) {
        struct draw_room_thing *thing = &plan->things[plan->thing_count++];
        snprintf(thing->text, sizeof thing->text, "f:%s^%s%u", sign, name, i + 1);
        thing->room = cor_rng_below(rng, plan->room_count);
    }
    if (sign[0] == 'b')
        plan->button_count = count;
}

/* Which rooms there are, what joins them, and what is in them. */
static inline void draw_logic(const struct draw_level *it, struct draw_plan *plan) {
    struct cor_rng rng = draw_stream(it->logic, 1);
    *plan = (struct draw_plan){0};
    plan->columns = 1 + cor_rng_below(&rng, it->columns);
    plan->rows = 1 + cor_rng_below(&rng, it->rows);
    plan->floors = 1 + cor_rng_below(&rng, it->floors);
    plan->room_count = plan->columns * plan->rows * plan->floors;

    uint32_t group[DRAW_ROOMS_MAX], pairs[3 * DRAW_ROOMS_MAX], pair_count = 0;
    for (uint32_t r = 0; r < plan->room_count; r++) {
        const uint32_t column = r % plan->columns, row = r / plan->columns % plan->rows;
        group[r] = r;
        if (column + 1 < plan->columns)
            pairs[pair_count++] = r * 4;
        if (row + 1 < plan->rows)
            pairs[pair_count++] = r * 4 + 1;
        if (r / (plan->columns * plan->rows) + 1 < plan->floors)
            pairs[pair_count++] = r * 4 + 2;
    }
    cor_rng_shuffle(&rng, pairs, pair_count);
    for (uint32_t i = 0; i < pair_count; i++) {
        const uint32_t steps[] = {1, plan->columns, plan->columns * plan->rows};
        const uint32_t a = pairs[i] / 4, kind = pairs[i] % 4, b = a + steps[kind], joined = group[b];
        const uint32_t chance = cor_rng_below(&rng, 100);
        if (group[a] == joined && chance >= it->more_doors)
            continue;
        for (uint32_t r = 0; r < plan->room_count; r++)
            group[r] = group[r] == joined ? group[a] : group[r];
        if (kind == 2) {
            plan->stairs[plan->stair_count++] = a;
        } else {
            plan->doors[plan->door_count][0] = a;
            plan->doors[plan->door_count++][1] = b;
        }
    }
    draw_things(plan, &rng, "a", "t", 1, it->starts);
    draw_things(plan, &rng, "b", "b", it->buttons > 0, it->buttons);
    draw_things(plan, &rng, "g", "key", it->items > 0, it->items);
    draw_things(plan, &rng, "h", "h", 0, it->hazards);
    for (uint32_t b = 0; b < plan->button_count && plan->door_count > 0; b++)
        plan->links[b][cor_rng_below(&rng, plan->door_count)] = true;
    for (uint32_t i = 0; i < it->more_links && plan->door_count > 0 && plan->button_count > 0; i++) {
        const uint32_t b = cor_rng_below(&rng, plan->button_count);
        plan->links[b][cor_rng_below(&rng, plan->door_count)] = true;
    }
}

/* Cells of all floors while they are drawn; NULL is a wall. */
struct draw_cells {
    char text[3][DRAW_SIDE_MAX][DRAW_SIDE_MAX][24]; /* [floor][row][column]; "w" */
    uint32_t column_start[5], row_start[5];         /* of rooms: their first cells; then the end */
};

/* Rooms of 3 to 5 cells and a wall; more where all things together would not go into one. */
static inline void draw_sides(struct cor_rng *rng, const struct draw_plan *plan, uint32_t count,
                              uint32_t start[5]) {
    uint32_t least = 3;
    while (least * least - 1 < plan->thing_count + plan->stair_count)
        least++;
    start[0] = 1;
    for (uint32_t i = 0; i < count; i++)
        start[i + 1] = start[i] + least + 1 + cor_rng_below(rng, 3);
}

/* A free cell of the room, of both floors for a stair; far from doors if that is how it comes out. */
static inline void draw_place(struct draw_cells *cells, struct cor_rng *rng, const struct draw_plan *plan,
                              uint32_t room, const char *text, bool is_stair) {
    const uint32_t column = room % plan->columns, row = room / plan->columns % plan->rows,
                   floor = room / (plan->columns * plan->rows);
    for (;;) {
        const uint32_t width = cells->column_start[column + 1] - cells->column_start[column] - 1;
        const uint32_t height = cells->row_start[row + 1] - cells->row_start[row] - 1;
        const uint32_t x = cells->column_start[column] + cor_rng_below(rng, width);
        const uint32_t y = cells->row_start[row] + cor_rng_below(rng, height);
        if (strcmp(cells->text[floor][y][x], "f") != 0 ||
            (is_stair && strcmp(cells->text[floor + 1][y][x], "f") != 0))
            continue;
        snprintf(cells->text[floor][y][x], 24, "%s", text);
        if (is_stair) /* so that nothing else comes there, and becomes "f" in the end */
            snprintf(cells->text[floor + 1][y][x], 24, "%s", "F");
        return;
    }
}

/* The level as text, to be freed with free(). */
static inline char *draw_level(const struct draw_level *it) {
    static struct draw_plan plan;
    static struct draw_cells cells;
    struct cor_rng rng = draw_stream(it->layout, 2);
    struct cor_bytes bytes = {0};
    draw_logic(it, &plan);
    draw_sides(&rng, &plan, plan.columns, cells.column_start);
    draw_sides(&rng, &plan, plan.rows, cells.row_start);
    const uint32_t width = cells.column_start[plan.columns], height = cells.row_start[plan.rows];
    for (uint32_t f = 0; f < plan.floors; f++)
        for (uint32_t y = 0; y < height; y++)
            for (uint32_t x = 0; x < width; x++)
                snprintf(cells.text[f][y][x], 24, "w");
    for (uint32_t r = 0; r < plan.room_count; r++) {
        const uint32_t column = r % plan.columns, row = r / plan.columns % plan.rows,
                       floor = r / (plan.columns * plan.rows);
        for (uint32_t y = cells.row_start[row]; y + 1 < cells.row_start[row + 1]; y++)
            for (uint32_t x = cells.column_start[column]; x + 1 < cells.column_start[column + 1]; x++)
                snprintf(cells.text[floor][y][x], 24, "f");
        if (cor_rng_below(&rng, 2) == 0) /* a pillar that one can walk round */
            snprintf(cells.text[floor][cells.row_start[row] + 1][cells.column_start[column] + 1], 24, "w");
    }

    /* Which way it is turned: seen from the other side, and rows as columns. */
    const bool flips_x = cor_rng_below(&rng, 2) == 0;
    const bool flips_y = cor_rng_below(&rng, 2) == 0;
    const bool turns = cor_rng_below(&rng, 2) == 0;
    for (uint32_t d = 0; d < plan.door_count; d++) {
        const uint32_t a = plan.doors[d][0], column = a % plan.columns, row = a / plan.columns % plan.rows,
                       floor = a / (plan.columns * plan.rows);
        const bool is_beside = plan.doors[d][1] == a + 1 && column + 1 < plan.columns;
        const uint32_t along =
            cor_rng_below(&rng, is_beside ? cells.row_start[row + 1] - cells.row_start[row] - 1
                                          : cells.column_start[column + 1] - cells.column_start[column] - 1);
        const uint32_t x =
            is_beside ? cells.column_start[column + 1] - 1 : cells.column_start[column] + along;
        const uint32_t y = is_beside ? cells.row_start[row] + along : cells.row_start[row + 1] - 1;
        snprintf(cells.text[floor][y][x], 24, "f:d>%c^d%u",
                 is_beside != turns ? (flips_x ? 'w' : 'e') : (flips_y ? 'n' : 's'), d + 1);
    }
    for (uint32_t s = 0; s < plan.stair_count; s++) {
        char text[24];
        snprintf(text, sizeof text, "f:s^s%u", s + 1);
        draw_place(&cells, &rng, &plan, plan.stairs[s], text, true);
    }
    for (uint32_t t = 0; t < plan.thing_count; t++)
        draw_place(&cells, &rng, &plan, plan.things[t].room, plan.things[t].text, false);

    for (uint32_t b = 0; b < plan.button_count; b++) {
        bool is_linked = false;
        for (uint32_t d = 0; d < plan.door_count; d++)
            if (plan.links[b][d]) {
                if (!is_linked)
                    cor_bytes_print(&bytes, "b%u", b + 1);
                is_linked = true;
                cor_bytes_print(&bytes, ",d%u", d + 1);
            }
        if (is_linked)
            cor_bytes_print(&bytes, "\n");
    }
    for (uint32_t f = 0; f < plan.floors; f++)
        for (uint32_t j = 0; j < (turns ? width : height); j++) {
            cor_bytes_print(&bytes, "%s", j == 0 ? "|" : "");
            for (uint32_t i = 0; i < (turns ? height : width); i++) {
                uint32_t x = turns ? j : i, y = turns ? i : j;
                x = flips_x ? width - 1 - x : x;
                y = flips_y ? height - 1 - y : y;
                const char *text = cells.text[f][y][x];
                cor_bytes_print(&bytes, "%s%s", i == 0 ? "" : ",", strcmp(text, "F") == 0 ? "f" : text);
            }
            cor_bytes_print(&bytes, "\n");
        }
    char *text = cor_bytes_text_take(&bytes, NULL);
    if (!text)
        abort();
    return text;
}

#endif
