/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paths, floods and frontiers on drawn grids against a breadth-first search of another kind, which knows
 * coordinates and a list of stairs, before and after changes; exploration with a view that is limited; ties,
 * limits and messages by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "scratch.h"

#include <corridor/rng.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 12, FLOORS = 3, CELLS = SIDE * SIDE * FLOORS, STAIRS = 5, FAR = 9999 };

/* The second implementation: a plain array, moves by coordinates, stairs as a list. */
struct plain {
    int columns, rows, floors, cells, stairs;
    enum cor_grid_known ground[CELLS];
    int stair[STAIRS][2];
};

static bool are_joined(const struct plain *plain, int a, int b) {
    for (int s = 0; s < plain->stairs; s++)
        if ((plain->stair[s][0] == a && plain->stair[s][1] == b) ||
            (plain->stair[s][0] == b && plain->stair[s][1] == a))
            return true;
    const int lines = plain->columns * plain->rows;
    if (a / lines != b / lines)
        return false;
    const int across = abs(a % plain->columns - b % plain->columns);
    return across + abs(a % lines / plain->columns - b % lines / plain->columns) == 1;
}

/* The cells that one move joins with a cell, by number. */
static int moves_from(const struct plain *plain, int cell, int *others) {
    int count = 0;
    for (int other = 0; other < plain->cells; other++)
        if (are_joined(plain, cell, other))
            others[count++] = other;
    return count;
}

struct moves {
    int count[CELLS], others[CELLS][4 + STAIRS];
};

static void look_up_moves(const struct plain *plain, struct moves *moves) {
    for (int cell = 0; cell < plain->cells; cell++)
        moves->count[cell] = moves_from(plain, cell, moves->others[cell]);
}

static void plain_flood(const struct plain *plain, const struct moves *moves, int from, int *distance) {
    int queue[CELLS], first = 0, end = 0;
    for (int cell = 0; cell < plain->cells; cell++)
        distance[cell] = FAR;
    distance[from] = 0;
    queue[end++] = from;
    while (first < end) {
        const int cell = queue[first++];
        for (int i = 0; i < moves->count[cell]; i++) {
            const int other = moves->others[cell][i];
            if (plain->ground[other] == COR_GRID_FREE && distance[other] == FAR) {
                distance[other] = distance[cell] + 1;
                queue[end++] = other;
            }
        }
    }
}

static bool plain_touches_unknown(const struct plain *plain, const struct moves *moves, int cell) {
    for (int i = 0; i < moves->count[cell]; i++)
        if (plain->ground[moves->others[cell][i]] == COR_GRID_UNKNOWN)
            return true;
    return false;
}

static int between(struct cor_rng *rng, int low, int high) {
    return (int)cor_rng_between(rng, low, high);
}

static struct cor_rng stream(uint32_t number) {
    return cor_rng_named(&(struct cor_stream_name){.seed = 32, .suite = number, .purpose = COR_PURPOSE_TEST});
}

static struct cor_grid *grid_with(int columns, int rows, int floors) {
    struct cor_grid *grid;
    struct cor_error error = COR_NO_ERROR;
    if (cor_grid_create((uint32_t)columns, (uint32_t)rows, (uint32_t)floors, &grid, &error) != COR_OK)
        fail_msg("%s", error.cause);
    return grid;
}

static struct cor_navigator *navigator_created(void) {
    struct cor_navigator *navigator = cor_navigator_create();
    assert_non_null(navigator);
    return navigator;
}

static void link_cells(struct cor_grid *grid, int a, int b) {
    assert_int_equal(cor_grid_link(grid, (uint32_t)a, (uint32_t)b, NULL), COR_OK);
}

/* Walls and unknown cells as drawn shares of eighths; stairs straight up, or anywhere to anywhere. */
static void draw_plain(struct cor_rng *rng, struct plain *plain, int unknown_eighths) {
    *plain = (struct plain){.stairs = 0};
    plain->columns = between(rng, 1, SIDE);
    plain->rows = between(rng, 1, SIDE);
    plain->floors = between(rng, 1, FLOORS);
    plain->cells = plain->columns * plain->rows * plain->floors;
    const int walls = between(rng, 0, 3), kind = between(rng, 0, 2), stairs = between(rng, 0, STAIRS);
    for (int cell = 0; cell < plain->cells; cell++) {
        const int drawn = between(rng, 0, 7);
        plain->ground[cell] = drawn < walls                     ? COR_GRID_BLOCKED
                              : drawn < walls + unknown_eighths ? COR_GRID_UNKNOWN
                                                                : COR_GRID_FREE;
    }
    for (int s = 0; s < stairs; s++) {
        const int a = between(rng, 0, plain->cells - 1), drawn = between(rng, 0, plain->cells - 1);
        const int up = a + plain->columns * plain->rows + (kind == 1 && (a + 1) % plain->columns ? 1 : 0);
        const int b = kind < 2 ? up : drawn;
        if (b < plain->cells && a != b && !are_joined(plain, a, b)) {
            plain->stair[plain->stairs][0] = a;
            plain->stair[plain->stairs++][1] = b;
        }
    }
}

static struct cor_grid *grid_like(const struct plain *plain) {
    struct cor_grid *grid = grid_with(plain->columns, plain->rows, plain->floors);
    for (int cell = 0; cell < plain->cells; cell++)
        cor_grid_set(grid, (uint32_t)cell, plain->ground[cell]);
    for (int s = 0; s < plain->stairs; s++)
        link_cells(grid, plain->stair[s][0], plain->stair[s][1]);
    return grid;
}

static void assert_passable(const struct plain *plain, const struct cor_path *path, int from, int to) {
    assert_int_equal(path->count, path->length + 1);
    assert_int_equal(path->numbers[0], from);
    assert_int_equal(path->numbers[path->count - 1], to);
    for (uint32_t i = 1; i < path->count; i++) {
        assert_int_equal(plain->ground[path->numbers[i]], COR_GRID_FREE);
        assert_true(are_joined(plain, (int)path->numbers[i - 1], (int)path->numbers[i]));
    }
}

/* Read from its end, each cell of a path is reached from the least number that is nearer. */
static void assert_least(const struct plain *plain, const struct moves *moves, const int *distance,
                         const struct cor_path *path) {
    for (uint32_t i = path->count; i-- > 1;) {
        const uint32_t cell = path->numbers[i];
        int before = -1;
        for (int m = moves->count[cell]; m-- > 0;)
            if (distance[moves->others[cell][m]] == distance[cell] - 1)
                before = moves->others[cell][m];
        assert_int_equal(path->numbers[i - 1], before);
        assert_true(before < plain->cells);
    }
}

static void assert_path(struct cor_navigator *navigator, const struct cor_grid *grid,
                        const struct plain *plain, const int *distance, int from, int to,
                        struct cor_path *path) {
    assert_int_equal(cor_grid_path(navigator, grid, (uint32_t)from, (uint32_t)to, path, NULL), COR_OK);
    assert_int_equal(path->found, distance[to] != FAR);
    if (!path->found) {
        assert_int_equal(path->count, 0);
        return;
    }
    assert_int_equal(path->length, distance[to]);
    assert_int_equal(path->revision, grid->revision);
    assert_true(cor_path_is_open(path, grid, 1));
    assert_passable(plain, path, from, to);
    /* Whatever the navigator did before, it is this one. */
    struct cor_navigator *fresh = navigator_created();
    struct cor_path again;
    cor_path_init(&again);
    assert_int_equal(cor_grid_path(fresh, grid, (uint32_t)from, (uint32_t)to, &again, NULL), COR_OK);
    assert_int_equal(again.count, path->count);
    assert_memory_equal(again.numbers, path->numbers, path->count * sizeof *path->numbers);
    cor_path_fini(&again);
    cor_navigator_destroy(fresh);
}

static void assert_frontier(struct cor_navigator *navigator, const struct cor_grid *grid,
                            const struct plain *plain, const struct moves *moves, const int *distance,
                            int from, struct cor_path *path) {
    int nearest = -1;
    for (int cell = 0; cell < plain->cells; cell++) {
        assert_int_equal(cor_grid_touches_unknown(grid, (uint32_t)cell),
                         plain_touches_unknown(plain, moves, cell));
        if (distance[cell] != FAR && plain_touches_unknown(plain, moves, cell) &&
            (nearest < 0 || distance[cell] < distance[nearest]))
            nearest = cell;
    }
    assert_int_equal(cor_grid_frontier(navigator, grid, (uint32_t)from, path, NULL), COR_OK);
    assert_int_equal(path->found, nearest >= 0);
    if (path->found) {
        assert_int_equal(path->length, distance[nearest]);
        assert_passable(plain, path, from, nearest);
        assert_least(plain, moves, distance, path);
    }
}

static void assert_all(struct cor_rng *rng, struct cor_navigator *navigator, const struct cor_grid *grid,
                       const struct plain *plain, const struct moves *moves, struct cor_path *path) {
    int distance[CELLS];
    const int from = between(rng, 0, plain->cells - 1); /* whatever its ground */
    plain_flood(plain, moves, from, distance);
    assert_int_equal(cor_grid_flood(navigator, grid, (uint32_t)from, NULL), COR_OK);
    for (int cell = 0; cell < plain->cells; cell++)
        assert_int_equal(cor_grid_distance(navigator, (uint32_t)cell),
                         distance[cell] == FAR ? COR_GRID_UNREACHED : (uint32_t)distance[cell]);
    for (int i = 0; i < 4; i++)
        assert_path(navigator, grid, plain, distance, from, between(rng, 0, plain->cells - 1), path);
    assert_path(navigator, grid, plain, distance, from, from, path);
    assert_frontier(navigator, grid, plain, moves, distance, from, path);
}

static void searches_equal_breadth_first_search_also_after_changes(void **unused) {
    (void)unused;
    struct cor_navigator *navigator = navigator_created();
    static struct moves moves;
    struct cor_path path;
    cor_path_init(&path);
    int aimed = 0, far = 0;
    for (uint32_t number = 0; number < 1000; number++) {
        struct cor_rng rng = stream(number);
        struct plain plain;
        draw_plain(&rng, &plain, number % 2 ? 1 : 0);
        struct cor_grid *grid = grid_like(&plain);
        look_up_moves(&plain, &moves);
        *(grid->far_count > 0 ? &far : &aimed) += plain.stairs > 0;
        for (int change = 0; change < 4; change++) {
            assert_all(&rng, navigator, grid, &plain, &moves, &path);
            for (int i = 0; i < 5; i++) {
                const int cell = between(&rng, 0, plain.cells - 1), drawn = between(&rng, 0, 3);
                const enum cor_grid_known ground = drawn == 3 ? COR_GRID_FREE : (enum cor_grid_known)drawn;
                assert_int_equal(cor_grid_set(grid, (uint32_t)cell, ground), plain.ground[cell] != ground);
                plain.ground[cell] = ground;
            }
        }
        cor_grid_destroy(grid);
    }
    assert_true(aimed > 100 && far > 100); /* both ways of searching were seen, with stairs */
    cor_path_fini(&path);
    cor_navigator_destroy(navigator);
}

/* A world shows what is at most `view` columns and rows away on the same floor; stairs when an end is seen.
 */
static void reveal(const struct plain *world, struct cor_grid *grid, int at, int view) {
    const int lines = world->columns * world->rows;
    for (int cell = 0; cell < world->cells; cell++)
        if (cell / lines == at / lines && abs(cell % world->columns - at % world->columns) <= view &&
            abs(cell % lines / world->columns - at % lines / world->columns) <= view) {
            cor_grid_set(grid, (uint32_t)cell, world->ground[cell]);
            for (int s = 0; s < world->stairs; s++)
                if (world->stair[s][0] == cell || world->stair[s][1] == cell)
                    link_cells(grid, world->stair[s][0], world->stair[s][1]);
        }
    for (int s = 0; s < world->stairs; s++)
        for (int end = 0; end < 2; end++)
            if (world->stair[s][end] == at) {
                const int other = world->stair[s][1 - end];
                cor_grid_set(grid, (uint32_t)other, world->ground[other]);
            }
}

static void exploration_sees_all_that_can_be_reached(void **unused) {
    (void)unused;
    struct cor_navigator *navigator = navigator_created();
    static struct moves moves;
    struct cor_path path;
    cor_path_init(&path);
    int unseen = 0;
    for (uint32_t number = 0; number < 200; number++) {
        struct cor_rng rng = stream(5000 + number);
        struct plain world;
        int distance[CELLS], walks = 0;
        draw_plain(&rng, &world, 0);
        look_up_moves(&world, &moves);
        int at = between(&rng, 0, world.cells - 1);
        const int view = between(&rng, 1, 4);
        world.ground[at] = COR_GRID_FREE;
        plain_flood(&world, &moves, at, distance);
        struct cor_grid *grid = grid_with(world.columns, world.rows, world.floors);
        for (reveal(&world, grid, at, view);; reveal(&world, grid, at, view)) {
            assert_int_equal(cor_grid_frontier(navigator, grid, (uint32_t)at, &path, NULL), COR_OK);
            if (!path.found)
                break;
            assert_true(walks++ < world.cells); /* each frontier is looked at from there, and is none then */
            for (uint32_t i = 1; i < path.count; i++) {
                at = (int)path.numbers[i];
                reveal(&world, grid, at, view);
                assert_true(cor_path_is_open(&path, grid, i + 1));
            }
        }
        for (int cell = 0; cell < world.cells; cell++)
            if (distance[cell] != FAR)
                assert_int_equal(cor_grid_known(grid, (uint32_t)cell), COR_GRID_FREE);
            else
                unseen += cor_grid_known(grid, (uint32_t)cell) == COR_GRID_UNKNOWN;
        cor_grid_destroy(grid);
    }
    assert_true(unseen > 0); /* there was something that could not be reached, nor seen */
    cor_path_fini(&path);
    cor_navigator_destroy(navigator);
}

/* A grid of one floor as lines: '.' free, '#' blocked, ' ' unknown; @ and X are free, too. */
static struct cor_grid *grid_drawn(const char *const *lines, int rows) {
    const int columns = (int)strlen(lines[0]);
    struct cor_grid *grid = grid_with(columns, rows, 1);
    for (int cell = 0; cell < rows * columns; cell++) {
        const char letter = lines[cell / columns][cell % columns];
        cor_grid_set(grid, (uint32_t)cell,
                     letter == ' '   ? COR_GRID_UNKNOWN
                     : letter == '#' ? COR_GRID_BLOCKED
                                     : COR_GRID_FREE);
    }
    return grid;
}

static void assert_numbers(const struct cor_path *path, const char *expected) {
    char text[400] = "";
    for (uint32_t i = 0; i < path->count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), i > 0 ? " %u" : "%u", path->numbers[i]);
    assert_string_equal(text, expected);
}

static void assert_path_numbers(const struct cor_grid *grid, uint32_t from, uint32_t to,
                                const char *expected) {
    struct cor_navigator *navigator = navigator_created();
    struct cor_path path;
    cor_path_init(&path);
    assert_int_equal(cor_grid_path(navigator, grid, from, to, &path, NULL), COR_OK);
    assert_numbers(&path, expected);
    cor_path_fini(&path);
    cor_navigator_destroy(navigator);
}

static void ties_go_by_number(void **unused) {
    (void)unused;
    static const char *const hall[] = {".....", ".....", ".....", "....."};
    static const char *const pillar[] = {".....", "..#..", "....."};
    struct cor_grid *grid = grid_drawn(hall, 4);
    assert_path_numbers(grid, 0, 19, "0 1 2 3 4 9 14 19");
    assert_path_numbers(grid, 19, 0, "19 14 9 4 3 2 1 0");
    assert_path_numbers(grid, 4, 15, "4 3 2 1 0 5 10 15");
    assert_path_numbers(grid, 15, 4, "15 10 5 0 1 2 3 4");
    assert_path_numbers(grid, 7, 7, "7");
    cor_grid_destroy(grid);
    grid = grid_drawn(pillar, 3);
    assert_path_numbers(grid, 5, 9, "5 0 1 2 3 4 9");
    link_cells(grid, 5, 9); /* now one that leads far aside: no distance to go by */
    assert_int_equal(grid->far_count, 2);
    assert_path_numbers(grid, 5, 9, "5 9");
    assert_path_numbers(grid, 5, 8, "5 9 8");
    cor_grid_destroy(grid);
}

/* Of what a search does not touch nothing is asked: in an open hall A* marks little more than its way. */
static void a_star_touches_what_it_visits(void **unused) {
    (void)unused;
    struct cor_grid *grid = grid_with(100, 100, 1);
    for (uint32_t cell = 0; cell < grid->cell_count; cell++)
        cor_grid_set(grid, cell, COR_GRID_FREE);
    struct cor_navigator *navigator = navigator_created();
    struct cor_path path;
    cor_path_init(&path);
    assert_int_equal(cor_grid_path(navigator, grid, 0, 9999, &path, NULL), COR_OK);
    uint32_t marked = 0;
    for (uint32_t cell = 0; cell < grid->cell_count; cell++)
        marked += cor_grid_distance(navigator, cell) != COR_GRID_UNREACHED;
    assert_int_equal(path.length, 198);
    assert_true(marked < 3 * 199);
    cor_path_fini(&path);
    cor_navigator_destroy(navigator);
    cor_grid_destroy(grid);
}

static void a_door_that_opens_makes_new_frontiers(void **unused) {
    (void)unused;
    static const char *const level[] = {"..#  ", "..#  ", "..#  "};
    struct cor_grid *grid = grid_drawn(level, 3);
    struct cor_navigator *navigator = navigator_created();
    struct cor_path path;
    cor_path_init(&path);
    assert_int_equal(cor_grid_frontier(navigator, grid, 0, &path, NULL), COR_OK);
    assert_false(path.found); /* nothing left, and no error */
    assert_true(cor_grid_set(grid, 7, COR_GRID_FREE));
    assert_int_equal(cor_grid_frontier(navigator, grid, 0, &path, NULL), COR_OK);
    assert_numbers(&path, "0 1 6 7");
    assert_true(cor_path_is_open(&path, grid, 1));
    assert_false(cor_grid_set(grid, 7, COR_GRID_FREE));
    assert_int_equal(path.revision, grid->revision);
    cor_grid_set(grid, 6, COR_GRID_BLOCKED);
    assert_false(cor_path_is_open(&path, grid, 1));
    cor_grid_set(grid, 6, COR_GRID_FREE); /* open again, though a free cell was lost */
    assert_true(cor_path_is_open(&path, grid, 1));
    cor_grid_set(grid, 8, COR_GRID_FREE); /* seen: other paths may be shorter now, this one is open */
    assert_int_not_equal(path.revision, grid->revision);
    assert_true(cor_path_is_open(&path, grid, 1));
    cor_grid_set(grid, 1, COR_GRID_BLOCKED); /* shuts behind somebody who stands in it, or before him */
    assert_false(cor_path_is_open(&path, grid, 1));
    assert_true(cor_path_is_open(&path, grid, 2));
    cor_grid_set(grid, 7, COR_GRID_BLOCKED);
    assert_false(cor_path_is_open(&path, grid, 2));
    assert_true(cor_path_is_open(&path, grid, 4)); /* at its end */
    assert_int_equal(cor_grid_path(navigator, grid, 0, 7, &path, NULL), COR_OK);
    assert_false(path.found);
    assert_false(cor_path_is_open(&path, grid, 0));
    cor_path_fini(&path);
    cor_navigator_destroy(navigator);
    cor_grid_destroy(grid);
}

static void generations_come_round(void **unused) {
    (void)unused;
    static const char *const level[] = {".#.", "...", ".#."};
    struct cor_grid *grid = grid_drawn(level, 3);
    struct cor_navigator *navigator = navigator_created();
    assert_int_equal(cor_grid_flood(navigator, grid, 0, NULL), COR_OK); /* generation 1: all is marked */
    navigator->generation = UINT32_MAX;
    cor_grid_set(grid, 4, COR_GRID_BLOCKED);
    assert_int_equal(cor_grid_flood(navigator, grid, 0, NULL), COR_OK);
    assert_int_equal(navigator->generation, 1);
    assert_int_equal(cor_grid_distance(navigator, 3), 1);
    assert_int_equal(cor_grid_distance(navigator, 5), COR_GRID_UNREACHED);
    cor_navigator_destroy(navigator);
    cor_grid_destroy(grid);
}

static void assert_refused(uint32_t columns, uint32_t rows, uint32_t floors, const char *cause) {
    struct cor_grid *grid = NULL;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_grid_create(columns, rows, floors, &grid, &error), COR_STATUS_INPUT);
    assert_null(grid);
    assert_string_equal(error.cause, cause);
    assert_string_equal(error.remedy, "1 to 4096 columns, 1 to 4096 rows and 1 to 16 floors");
}

static void sizes_and_links_have_limits(void **unused) {
    (void)unused;
    assert_refused(0, 1, 1, "a grid of 0 columns, 1 rows and 1 floors is beyond the limits");
    assert_refused(1, 0, 1, "a grid of 1 columns, 0 rows and 1 floors is beyond the limits");
    assert_refused(1, 1, 0, "a grid of 1 columns, 1 rows and 0 floors is beyond the limits");
    assert_refused(4097, 2, 3, "a grid of 4097 columns, 2 rows and 3 floors is beyond the limits");
    assert_refused(2, 4097, 3, "a grid of 2 columns, 4097 rows and 3 floors is beyond the limits");
    assert_refused(2, 3, 17, "a grid of 2 columns, 3 rows and 17 floors is beyond the limits");
    struct cor_grid *grid = grid_with(4096, 2, 16);
    const struct cor_grid_place last = {4095, 1, 15};
    assert_int_equal(cor_grid_number(grid, last), grid->cell_count - 1);
    const struct cor_grid_place place = cor_grid_place(grid, grid->cell_count - 1);
    assert_true(place.column == 4095 && place.row == 1 && place.floor == 15);
    assert_true(cor_grid_has(grid, last));
    assert_false(cor_grid_has(grid, (struct cor_grid_place){4096, 0, 0}));
    assert_false(cor_grid_has(grid, (struct cor_grid_place){0, 2, 0}));
    assert_false(cor_grid_has(grid, (struct cor_grid_place){0, 0, 16}));
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_grid_link(grid, 4097, 4097, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "cell [1, 1, 0] is linked to itself");
    for (uint32_t i = 0; i < COR_GRID_LINKS_MAX; i++)
        assert_int_equal(cor_grid_link(grid, 2 * i, 2 * i + 1, NULL), COR_OK);
    const uint64_t revision = grid->revision;
    assert_int_equal(cor_grid_link(grid, 9, 8, NULL), COR_OK); /* is there already, the other way round */
    assert_int_equal(grid->revision, revision);
    error = COR_NO_ERROR;
    assert_int_equal(cor_grid_link(grid, 0, 3, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "more than 16384 links");
    cor_grid_destroy(grid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_equal_breadth_first_search_also_after_changes),
        cmocka_unit_test(exploration_sees_all_that_can_be_reached),
        cmocka_unit_test(ties_go_by_number),
        cmocka_unit_test(a_star_touches_what_it_visits),
        cmocka_unit_test(a_door_that_opens_makes_new_frontiers),
        cmocka_unit_test(generations_come_round),
        cmocka_unit_test(sizes_and_links_have_limits),
    };
    return cmocka_run_group_tests_name("navigation", tests, NULL, NULL);
}
