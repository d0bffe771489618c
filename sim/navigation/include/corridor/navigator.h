/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shortest paths, floods and frontiers on grids and graphs. A search touches what it visits and nothing else:
 * marks of earlier ones count as none by their generation. Memory is taken as searches need it and kept, so
 * that a search like one before allocates nothing.
 *
 * A search fails for want of memory alone. That there is no way, or nothing left to explore, is a fact:
 * COR_OK, and a path that is not found. */
#ifndef CORRIDOR_NAVIGATOR_H
#define CORRIDOR_NAVIGATOR_H

#include <corridor/graph.h>
#include <corridor/grid.h>

/* A way through a grid or a graph, on the caller's memory; used again for the next one. */
struct cor_path {
    bool found;        /* else there is none, and `count` is 0 */
    uint32_t count;    /* of `numbers` */
    uint32_t *numbers; /* owned; cells or nodes, from where one is to the end, both included */
    size_t capacity;   /* of `numbers` */
    uint64_t length;   /* moves; on a graph, the sum of weights */
    uint64_t revision; /* of the grid or graph when it was found */
};

/* A path that is not found. */
void cor_path_init(struct cor_path *path);

/* Frees what it owns; it can be used again. */
void cor_path_fini(struct cor_path *path);

/* Can a path of this grid still be followed to its end by somebody who stands at numbers[next - 1]? Whether
 * it still is a shortest one is another question: path->revision == grid->revision answers that it is. Costs
 * nothing unless a free cell was lost since, else a look at each cell that is left. */
bool cor_path_is_open(const struct cor_path *path, const struct cor_grid *grid, uint32_t next);

/* Scratch memory of searches, for grids and graphs of any size in turn; for one thread. */
struct cor_navigator;

/* A navigator; NULL when memory is out. Freed by cor_navigator_destroy. */
struct cor_navigator *cor_navigator_create(void);

/* Frees it; NULL is none. */
void cor_navigator_destroy(struct cor_navigator *navigator);

/* A shortest path over free cells, by A* (Hart, Nilsson, Raphael 1968) with Manhattan distance. `from` may be
 * anything, as one may stand in a door that is shut; `to` is entered, unless it is `from`. Which of the
 * shortest paths it is depends on the grid, `from` and `to` alone: cells equally promising are taken up
 * newest first, the least number first of those that are equally new, cells behind links last; and the path
 * is read from its end, each cell being reached from the least number that will do. */
enum cor_status cor_grid_path(struct cor_navigator *navigator, const struct cor_grid *grid, uint32_t from,
                              uint32_t to, struct cor_path *path, struct cor_error *error) COR_MUST_USE;

/* A shortest path to the nearest cell that touches an unknown one (cor_grid_touches_unknown), `from` and free
 * cells that are reached from there being looked at; the least number of those that are equally near. Not
 * found: nothing is left to explore. */
enum cor_status cor_grid_frontier(struct cor_navigator *navigator, const struct cor_grid *grid, uint32_t from,
                                  struct cor_path *path, struct cor_error *error) COR_MUST_USE;

/* Finds the distance from `from` to every cell that can be reached, for cor_grid_distance. */
enum cor_status cor_grid_flood(struct cor_navigator *navigator, const struct cor_grid *grid, uint32_t from,
                               struct cor_error *error) COR_MUST_USE;

#define COR_GRID_UNREACHED UINT32_MAX

/* Moves to a cell by the navigator's last search, which was cor_grid_flood on a grid that has this cell;
 * COR_GRID_UNREACHED. */
uint32_t cor_grid_distance(const struct cor_navigator *navigator, uint32_t cell);

/* A shortest path over the edges of a graph, by Dijkstra's algorithm (1959); of several, read from its end,
 * the one in which each node is reached from the least number that will do. */
enum cor_status cor_graph_path(struct cor_navigator *navigator, const struct cor_graph *graph, uint32_t from,
                               uint32_t to, struct cor_path *path, struct cor_error *error) COR_MUST_USE;

/* A shortest path to the nearest unknown node, `from` included; the least number of those that are equally
 * near. Not found: nothing is left to explore. */
enum cor_status cor_graph_frontier(struct cor_navigator *navigator, const struct cor_graph *graph,
                                   uint32_t from, struct cor_path *path,
                                   struct cor_error *error) COR_MUST_USE;

/* Finds the distance from `from` to every node that can be reached, for cor_graph_distance. */
enum cor_status cor_graph_flood(struct cor_navigator *navigator, const struct cor_graph *graph, uint32_t from,
                                struct cor_error *error) COR_MUST_USE;

#define COR_GRAPH_UNREACHED UINT64_MAX

/* The distance of a node by the navigator's last search, which was cor_graph_flood on a graph that has this
 * node; COR_GRAPH_UNREACHED. */
uint64_t cor_graph_distance(const struct cor_navigator *navigator, uint32_t node);

#endif
