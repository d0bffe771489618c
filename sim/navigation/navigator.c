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
            if (cor_grid_known(grid, path->numbers[i]) != COR_GRID_FREE)
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

/* At least `needed` items of no generation, if there are fewer; nothing of the old ones is wanted any more.
 * By half more, since graphs grow node by node; zeroed pages that no search visits cost nothing. */
static enum cor_status make_room(void **items, size_t *count, size_t needed, size_t size,
                                 struct cor_error *error) {
    if (needed <= *count)
        return COR_OK;
    const size_t wanted = *count + *count / 2 > needed ? *count + *count / 2 : needed;
    void *fresh = cor_calloc(wanted, size);
    COR_TRY(cor_made(fresh, error));
    free(*items);
    *items = fresh;
    *count = wanted;
    return COR_OK;
}

enum cor_status navigation__begin(struct cor_navigator *navigator, uint32_t cells, uint32_t nodes,
                                  struct cor_error *error) {
    COR_TRY(make_room((void **)&navigator->marks, &navigator->mark_count, cells, sizeof *navigator->marks,
                      error));
    COR_TRY(make_room((void **)&navigator->nodes, &navigator->node_count, nodes, sizeof *navigator->nodes,
                      error));
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
