/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is known of a world of cells: floors of columns and rows, moves in four directions, and links between
 * cells, which are stairs. A cell is unknown, free or blocked; one that is free can be entered. A world that
 * hides nothing is a grid without unknown cells. */
#ifndef CORRIDOR_GRID_H
#define CORRIDOR_GRID_H

#include <corridor/error.h>

#include <stdint.h>

#define COR_GRID_COLUMNS_MAX 4096
#define COR_GRID_ROWS_MAX 4096
#define COR_GRID_FLOORS_MAX 16
#define COR_GRID_LINKS_MAX 16384
#define COR_GRID_NO_CELL UINT32_MAX
#define COR_GRID_LINKED 4 /* of cor_grid_cell.self */

/* What is known of a cell. A wall, a shut door and a hole are blocked alike. */
enum cor_grid_known { COR_GRID_UNKNOWN, COR_GRID_FREE, COR_GRID_BLOCKED };

/* A cell by its coordinates, from 0. Its number, by which all else names it, is
 * (floor * rows + row) * columns + column; ties go to the smaller number. */
struct cor_grid_place {
    uint32_t column, row, floor;
};

/* A cell and what is around it, kept up to date so that a search reads nothing else. The four directions are
 * bits, in the order of their numbers: 1 the row before, 2 the column before, 4 the column behind, 8 the row
 * behind. All 0: unknown, amid cells that are unknown. */
struct cor_grid_cell {
    uint8_t around; /* low half: neighbours that are free; high half: those that are known, or do not exist */
    uint8_t self;   /* enum cor_grid_known; COR_GRID_LINKED; high half: neighbours that do not exist */
};

/* One way of a link. */
struct cor_grid_link {
    uint32_t cell, other;
};

/* A grid. Its cells and links are changed by the functions below alone. */
struct cor_grid {
    uint32_t columns, rows, floors;
    uint32_t cell_count;         /* columns * rows * floors */
    uint32_t link_count;         /* both ways of a link counted */
    uint32_t far_count;          /* thereof leading further than one column or row */
    size_t link_capacity;        /* of links */
    struct cor_grid_cell *cells; /* owned; [cell_count] */
    struct cor_grid_link *links; /* owned; [link_count], by cell and other, each link both ways */
    uint64_t revision;           /* number of changes */
    uint64_t shut;               /* the revision that last made a free cell something else; 0: none did */
};

/* A grid of which all is unknown. COR_STATUS_INPUT if a size is 0 or beyond its limit. Freed by
 * cor_grid_destroy. */
enum cor_status cor_grid_create(uint32_t columns, uint32_t rows, uint32_t floors, struct cor_grid **grid,
                                struct cor_error *error) COR_MUST_USE;

/* Frees it; NULL is none. */
void cor_grid_destroy(struct cor_grid *grid);
COR_DESTROYS(cor_grid, struct cor_grid)

/* Is there such a cell? */
static inline bool cor_grid_has(const struct cor_grid *grid, struct cor_grid_place place) {
    return place.column < grid->columns && place.row < grid->rows && place.floor < grid->floors;
}

/* The number of a cell of the grid. */
static inline uint32_t cor_grid_number(const struct cor_grid *grid, struct cor_grid_place place) {
    COR_ASSERT(cor_grid_has(grid, place));
    return (place.floor * grid->rows + place.row) * grid->columns + place.column;
}

/* The coordinates of a cell. */
static inline struct cor_grid_place cor_grid_place(const struct cor_grid *grid, uint32_t cell) {
    COR_ASSERT(cell < grid->cell_count);
    const uint32_t line = cell / grid->columns;
    return (struct cor_grid_place){cell - line * grid->columns, line % grid->rows, line / grid->rows};
}

/* What is known of a cell. */
static inline enum cor_grid_known cor_grid_known(const struct cor_grid *grid, uint32_t cell) {
    COR_ASSERT(cell < grid->cell_count);
    return (enum cor_grid_known)(grid->cells[cell].self & 3);
}

/* A door opens or shuts, a cell is seen or forgotten: tells whether that is a change. Paths found before are
 * not looked for again; see cor_path_is_open. */
bool cor_grid_set(struct cor_grid *grid, uint32_t cell, enum cor_grid_known ground);

/* Joins two cells: from each one move leads to the other, where that is free. What is linked already stays as
 * it is. Links that lead at most one column or row aside, whatever the floors, leave Manhattan distance a
 * lower bound; with one that leads further, A* has no distance to go by and becomes a flood. COR_STATUS_INPUT
 * for a cell and itself, and beyond COR_GRID_LINKS_MAX links. */
enum cor_status cor_grid_link(struct cor_grid *grid, uint32_t cell, uint32_t other,
                              struct cor_error *error) COR_MUST_USE;

/* The first of the cell's links in grid->links, which stand there by their other ends; link_count or a link
 * of another cell if it has none. */
uint32_t cor_grid_first_link(const struct cor_grid *grid, uint32_t cell);

/* Is a neighbour of the cell, or the other end of a link, unknown? Whoever stands there may see more. */
bool cor_grid_touches_unknown(const struct cor_grid *grid, uint32_t cell);

#endif
