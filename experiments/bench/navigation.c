/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paths over a grid that is known, and exploration of one that is not. */
#include "setting.h"

#include <corridor/navigator.h>

#include <stdio.h>
#include <stdlib.h>

enum { GRIDS = 8, SIDE = 256, EXPLORED = 128, VIEW = 4, SEEN = (2 * VIEW + 1) * (2 * VIEW + 1) };

static struct cor_rng stream(uint32_t number) {
    return cor_rng_named(&(struct cor_stream_name){.seed = 1, .suite = number, .purpose = COR_PURPOSE_TEST});
}

static struct cor_grid *grid_of(uint32_t side) {
    struct cor_grid *grid;
    struct cor_error error = COR_NO_ERROR;
    bench_must(cor_grid_create(side, side, 1, &grid, &error), &error);
    return grid;
}

/* A fifth of the cells blocked, two corners apart; the corners are free. */
static struct cor_grid *draw_walls(uint32_t side, uint32_t number) {
    struct cor_rng rng = stream(number);
    struct cor_grid *grid = grid_of(side);
    for (uint32_t cell = 0; cell < grid->cell_count; cell++)
        cor_grid_set(grid, cell, cor_rng_below(&rng, 5) == 0 ? COR_GRID_BLOCKED : COR_GRID_FREE);
    cor_grid_set(grid, 0, COR_GRID_FREE);
    cor_grid_set(grid, grid->cell_count - 1, COR_GRID_FREE);
    return grid;
}

/* Corridors without a round, by depth-first search: rooms are cells of even row and column. */
static struct cor_grid *draw_maze(uint32_t side, uint32_t number) {
    struct cor_rng rng = stream(number);
    struct cor_grid *grid = grid_of(side);
    uint32_t *way = bench_kept(malloc(grid->cell_count * sizeof *way)), count = 1;
    for (uint32_t cell = 0; cell < grid->cell_count; cell++)
        cor_grid_set(grid, cell, COR_GRID_BLOCKED);
    cor_grid_set(grid, way[0] = 0, COR_GRID_FREE);
    while (count > 0) {
        const uint32_t at = way[count - 1], column = at % side, row = at / side;
        uint32_t steps[4], possible = 0;
        if (row >= 2 && cor_grid_known(grid, at - 2 * side) == COR_GRID_BLOCKED)
            steps[possible++] = 0u - side;
        if (column >= 2 && cor_grid_known(grid, at - 2) == COR_GRID_BLOCKED)
            steps[possible++] = UINT32_MAX;
        if (column + 2 < side && cor_grid_known(grid, at + 2) == COR_GRID_BLOCKED)
            steps[possible++] = 1;
        if (row + 2 < side && cor_grid_known(grid, at + 2 * side) == COR_GRID_BLOCKED)
            steps[possible++] = side;
        if (possible == 0) {
            count--;
            continue;
        }
        const uint32_t step = steps[cor_rng_below(&rng, possible)];
        cor_grid_set(grid, at + step, COR_GRID_FREE);
        cor_grid_set(grid, at + 2 * step, COR_GRID_FREE);
        way[count++] = at + 2 * step;
    }
    free(way);
    return grid;
}

struct paths {
    struct cor_grid *grids[GRIDS];
    struct cor_navigator *navigator;
    struct cor_path path;
    uint64_t sum; /* so that nothing is left out */
};

static double go_corner_to_corner(void *context) {
    struct paths *paths = context;
    struct cor_error error = COR_NO_ERROR;
    for (int g = 0; g < GRIDS; g++) {
        const struct cor_grid *grid = paths->grids[g];
        bench_must(cor_grid_path(paths->navigator, grid, 0, grid->cell_count - 1, &paths->path, &error),
                   &error);
        if (!paths->path.found)
            bench_fail("no way from corner to corner");
        paths->sum += paths->path.length;
    }
    return GRIDS;
}

static double flood_from_corner(void *context) {
    struct paths *paths = context;
    struct cor_error error = COR_NO_ERROR;
    for (int g = 0; g < GRIDS; g++) {
        const struct cor_grid *grid = paths->grids[g];
        bench_must(cor_grid_flood(paths->navigator, grid, 0, &error), &error);
        paths->sum += cor_grid_distance(paths->navigator, grid->cell_count - 1);
    }
    return GRIDS;
}

/* The grids whose corners are joined, in turn. */
void bench_paths(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    struct paths paths = {.navigator = bench_kept(cor_navigator_create())};
    cor_path_init(&paths.path);
    for (uint32_t g = 0, number = 0; g < GRIDS; number++) {
        struct cor_error error = COR_NO_ERROR;
        struct cor_grid *grid = draw_walls(SIDE, number);
        bench_must(cor_grid_path(paths.navigator, grid, 0, grid->cell_count - 1, &paths.path, &error),
                   &error);
        if (paths.path.found)
            paths.grids[g++] = grid;
        else
            cor_grid_destroy(grid);
    }
    const struct bench_times times =
        bench_measure(go_corner_to_corner, flood_from_corner, &paths, bench_careful);
    for (int f = 0; f < 2; f++)
        figures[f] = (struct bench_figure){times.seconds * 1e3, times.reference * 1e3, ""};
    for (int g = 0; g < GRIDS; g++)
        cor_grid_destroy(paths.grids[g]);
    cor_path_fini(&paths.path);
    cor_navigator_destroy(paths.navigator);
}

/* A world that shows from each cell what stands in no other's shadow, looked up beforehand: that is its
 * business. */
struct world {
    struct cor_grid *grid;
    uint16_t *seen_count; /* [cell] */
    uint32_t *seen;       /* [cell][SEEN] */
};

/* Do the cells between two, on the straight line, all stand free? */
static bool sees(const struct cor_grid *grid, int column, int row, int to_column, int to_row) {
    const int across = abs(to_column - column), down = abs(to_row - row), right = column < to_column ? 1 : -1,
              below = row < to_row ? 1 : -1;
    for (int off = across - down; column != to_column || row != to_row;) {
        const int twice = 2 * off;
        if (twice > -down) {
            off -= down;
            column += right;
        }
        if (twice < across) {
            off += across;
            row += below;
        }
        if ((column != to_column || row != to_row) &&
            cor_grid_known(grid, (uint32_t)(row * (int)grid->columns + column)) != COR_GRID_FREE)
            return false;
    }
    return true;
}

static void look_around(struct world *world, int side, int column, int row) {
    const int cell = row * side + column;
    for (int r = row - VIEW; r <= row + VIEW; r++)
        for (int c = column - VIEW; c <= column + VIEW; c++)
            if (r >= 0 && c >= 0 && r < side && c < side && sees(world->grid, column, row, c, r))
                world->seen[cell * SEEN + world->seen_count[cell]++] = (uint32_t)(r * side + c);
}

static struct world world_of_take(struct cor_grid *grid) {
    struct world world = {grid, bench_kept(calloc(grid->cell_count, sizeof *world.seen_count)),
                          bench_kept(malloc(sizeof(uint32_t[SEEN]) * grid->cell_count))};
    const int side = (int)grid->columns;
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++)
            look_around(&world, side, column, row);
    return world;
}

struct exploration {
    struct world world;
    struct cor_navigator *navigator;
    struct cor_path path;
    uint64_t moves, searches;
};

static void reveal(const struct world *world, struct cor_grid *grid, uint32_t at) {
    const uint32_t *seen = world->seen + (size_t)at * SEEN;
    for (unsigned i = 0; i < world->seen_count[at]; i++)
        cor_grid_set(grid, seen[i], cor_grid_known(world->grid, seen[i]));
}

/* From a corner until nothing is left. A path is followed as long as its end is a frontier; all is looked at
 * on the way. */
static double explore(void *context) {
    struct exploration *exploration = context;
    struct cor_error error = COR_NO_ERROR;
    struct cor_grid *grid = grid_of(exploration->world.grid->columns);
    struct cor_path *path = &exploration->path;
    uint32_t at = 0;
    exploration->moves = exploration->searches = 0;
    reveal(&exploration->world, grid, at);
    for (;;) {
        bench_must(cor_grid_frontier(exploration->navigator, grid, at, path, &error), &error);
        exploration->searches++;
        if (!path->found)
            break;
        for (uint32_t i = 1;
             i < path->count && cor_grid_touches_unknown(grid, path->numbers[path->count - 1]); i++) {
            at = path->numbers[i];
            exploration->moves++;
            reveal(&exploration->world, grid, at);
        }
    }
    cor_grid_destroy(grid);
    return 1;
}

void bench_exploration(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    for (int f = 0; f < 2; f++) {
        struct exploration exploration = {.navigator = bench_kept(cor_navigator_create())};
        cor_path_init(&exploration.path);
        exploration.world = world_of_take(f == 0 ? draw_maze(EXPLORED, 0) : draw_walls(EXPLORED, 0));
        const double seconds = bench_measure(explore, NULL, &exploration, bench_careful).seconds;
        figures[f] = (struct bench_figure){seconds * 1e3, 0, ""};
        snprintf(figures[f].note, sizeof figures[f].note, "%llu moves, %llu searches",
                 (unsigned long long)exploration.moves, (unsigned long long)exploration.searches);
        cor_grid_destroy(exploration.world.grid);
        free(exploration.world.seen);
        free(exploration.world.seen_count);
        cor_path_fini(&exploration.path);
        cor_navigator_destroy(exploration.navigator);
    }
}
