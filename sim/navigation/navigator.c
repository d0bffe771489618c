/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory of searches and of what they find. */
#include "scratch.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

void cor_path_init(struct cor_path *path) {
    *path = (struct cor_path){.found = false};
}

void cor_path_fini(struct cor_path *path) {
    free(path->numbers);
    cor_path_init(path);
}

enum cor_status navigation__found(struct cor_path *path, uint32_t count, uint64_t length, uint64_t revision,
                                  struct cor_error *error) {
    COR_TRY(COR_RESERVE(&path->numbers, &path->capacity, count, error));
    path->found = true;
    path->count = count;
    path->length = length;
    path->revision = revision;
    return COR_OK;
}

bool cor_path_is_open(const struct cor_path *path, const struct cor_grid *grid, uint32_t next) {
    if (path->found && grid->shut > path->revision)
        for (uint32_t i = next; i < path->count; i++)
            if (cor_grid_ground(grid, path->numbers[i]) != COR_GROUND_FREE)
                return false;
    return path->found;
}

struct cor_navigator *cor_navigator_create(void) {
    return cor_calloc(1, sizeof(struct cor_navigator));
}

void cor_navigator_destroy(struct cor_navigator *navigator) {
    if (!navigator)
        return;
    for (int i = 0; i < 3; i++)
        free(navigator->stacks[i].cells);
    free(navigator->marks);
    free(navigator->nodes);
    free(navigator->turns);
    free(navigator);
}

enum cor_status navigation__begin(struct cor_navigator *navigator, uint32_t cells, uint32_t nodes,
                                  struct cor_error *error) {
    if (cells > navigator->mark_count) { /* zeroed pages that no search visits cost nothing */
        struct navigation__mark *marks = cor_calloc(cells, sizeof *marks);
        COR_TRY(cor_made(marks, error));
        free(navigator->marks);
        navigator->marks = marks;
        navigator->mark_count = cells;
    }
    if (nodes > navigator->node_count) {
        struct navigation__node *known = cor_calloc(nodes, sizeof *known);
        COR_TRY(cor_made(known, error));
        free(navigator->nodes);
        navigator->nodes = known;
        navigator->node_count = nodes;
    }
    if (++navigator->generation == 0) { /* after 2^32 searches */
        if (navigator->marks)
            memset(navigator->marks, 0, navigator->mark_count * sizeof *navigator->marks);
        if (navigator->nodes)
            memset(navigator->nodes, 0, navigator->node_count * sizeof *navigator->nodes);
        navigator->generation = 1;
    }
    for (int i = 0; i < 3; i++)
        navigator->stacks[i].count = 0;
    navigator->turn_count = 0;
    return COR_OK;
}
