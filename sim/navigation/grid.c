/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scratch.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Neighbours beyond the edge are known not to be there. */
static void mark_edges(struct cor_grid *grid) {
    for (uint32_t cell = 0, floor = 0; floor < grid->floors; floor++)
        for (uint32_t row = 0; row < grid->rows; row++, cell += grid->columns) {
            const unsigned above = row == 0, below = row + 1 == grid->rows;
            const uint32_t last = cell + grid->columns - 1;
            /* Of rows within, only the two ends: pages of large grids stay untouched as far as may be. */
            const uint32_t step = above || below || last == cell ? 1 : last - cell;
            for (uint32_t c = cell; c <= last; c += step) {
                const unsigned outside =
                    above | (unsigned)(c == cell) << 1 | (unsigned)(c == last) << 2 | below << 3;
                grid->cells[c] = (struct cor_grid_cell){(uint8_t)(outside << 4), (uint8_t)(outside << 4)};
            }
        }
}

enum cor_status cor_grid_create(uint32_t columns, uint32_t rows, uint32_t floors, struct cor_grid **grid,
                                struct cor_error *error) {
    if (columns - 1 >= COR_GRID_COLUMNS_MAX || rows - 1 >= COR_GRID_ROWS_MAX ||
        floors - 1 >= COR_GRID_FLOORS_MAX) {
        char remedy[100];
        snprintf(remedy, sizeof remedy, "1 to %d columns, 1 to %d rows and 1 to %d floors",
                 COR_GRID_COLUMNS_MAX, COR_GRID_ROWS_MAX, COR_GRID_FLOORS_MAX);
        return cor_fail(error, COR_STATUS_INPUT, NULL, remedy,
                        "a grid of %u columns, %u rows and %u floors is beyond the limits", columns, rows,
                        floors);
    }
    struct cor_grid *new_grid = cor_calloc(1, sizeof *new_grid);
    COR_TRY(cor_made(new_grid, error));
    *new_grid = (struct cor_grid){columns, rows, floors, .cell_count = columns * rows * floors};
    new_grid->cells = cor_calloc(new_grid->cell_count, sizeof *new_grid->cells);
    if (!new_grid->cells) {
        cor_grid_destroy(new_grid);
        return cor_fail_memory(error);
    }
    mark_edges(new_grid);
    *grid = new_grid;
    return COR_OK;
}

void cor_grid_destroy(struct cor_grid *grid) {
    if (!grid)
        return;
    free(grid->cells);
    free(grid->links);
    free(grid);
}

bool cor_grid_set(struct cor_grid *grid, uint32_t cell, enum cor_grid_known ground) {
    const enum cor_grid_known before = cor_grid_known(grid, cell);
    if (before == ground)
        return false;
    struct cor_grid_cell *own = &grid->cells[cell];
    own->self = (uint8_t)((own->self & ~3u) | ground);
    const int32_t columns = (int32_t)grid->columns, steps[] = {-columns, -1, 1, columns};
    const unsigned seen = (unsigned)(ground == COR_GRID_FREE) | (unsigned)(ground != COR_GRID_UNKNOWN) << 4;
    for (unsigned d = 0; d < 4; d++)
        if (!(own->self & 16u << d)) { /* a neighbour sees this cell in the opposite direction, 3 - d */
            uint8_t *around = &own[steps[d]].around;
            *around = (uint8_t)((*around & ~(17u << (3 - d))) | seen << (3 - d));
        }
    grid->revision++;
    if (before == COR_GRID_FREE)
        grid->shut = grid->revision;
    return true;
}

/* Where a link stands or would stand. */
static uint32_t find_link(const struct cor_grid *grid, uint32_t cell, uint32_t other) {
    uint32_t low = 0, high = grid->link_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        const struct cor_grid_link *link = &grid->links[middle];
        if (link->cell < cell || (link->cell == cell && link->other < other))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t cor_grid_first_link(const struct cor_grid *grid, uint32_t cell) {
    return find_link(grid, cell, 0);
}

static void insert_link(struct cor_grid *grid, uint32_t cell, uint32_t other) {
    const uint32_t at = find_link(grid, cell, other);
    memmove(grid->links + at + 1, grid->links + at, (grid->link_count - at) * sizeof *grid->links);
    grid->links[at] = (struct cor_grid_link){cell, other};
    grid->link_count++;
    grid->cells[cell].self |= COR_GRID_LINKED;
}

enum cor_status cor_grid_link(struct cor_grid *grid, uint32_t cell, uint32_t other, struct cor_error *error) {
    const struct cor_grid_place a = cor_grid_place(grid, cell), b = cor_grid_place(grid, other);
    if (cell == other)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "link two cells",
                        "cell [%u, %u, %u] is linked to itself", a.column, a.row, a.floor);
    const uint32_t at = find_link(grid, cell, other);
    if (at < grid->link_count && grid->links[at].cell == cell && grid->links[at].other == other)
        return COR_OK;
    if (grid->link_count == 2 * COR_GRID_LINKS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "more than %d links", COR_GRID_LINKS_MAX);
    COR_TRY(COR_RESERVE(&grid->links, &grid->link_capacity, (size_t)grid->link_count + 2, error));
    insert_link(grid, cell, other);
    insert_link(grid, other, cell);
    if (navigation__apart(a.column, b.column) + navigation__apart(a.row, b.row) > 1)
        grid->far_count += 2;
    grid->revision++;
    return COR_OK;
}

bool cor_grid_touches_unknown(const struct cor_grid *grid, uint32_t cell) {
    COR_ASSERT(cell < grid->cell_count);
    if (grid->cells[cell].around >> 4 != 15)
        return true;
    if (grid->cells[cell].self & COR_GRID_LINKED)
        for (uint32_t i = cor_grid_first_link(grid, cell);
             i < grid->link_count && grid->links[i].cell == cell; i++)
            if (cor_grid_known(grid, grid->links[i].other) == COR_GRID_UNKNOWN)
                return true;
    return false;
}
