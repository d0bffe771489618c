/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/lists.h>

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

void cor_lists_init(struct cor_lists *lists) {
    *lists = (struct cor_lists){0};
}

void cor_lists_fini(struct cor_lists *lists) {
    free(lists->members);
    free(lists->start);
    cor_lists_init(lists);
}

void cor_lists_clear(struct cor_lists *lists) {
    lists->member_count = 0;
    lists->block_count = 0;
}

enum cor_status cor_lists_put(struct cor_lists *lists, const uint32_t *members, size_t count,
                              struct cor_error *error) {
    if (count > UINT32_MAX - 1 - lists->member_count)
        return cor_fail_memory(error);
    COR_TRY(COR_RESERVE(&lists->members, &lists->member_capacity, lists->member_count + count, error));
    COR_TRY(COR_RESERVE(&lists->start, &lists->start_capacity, (size_t)lists->block_count + 2, error));
    if (count > 0)
        memcpy(lists->members + lists->member_count, members, count * sizeof *members);
    lists->start[lists->block_count] = lists->member_count;
    lists->member_count += (uint32_t)count;
    lists->start[++lists->block_count] = lists->member_count;
    return COR_OK;
}

enum cor_status cor_lists_copy(struct cor_lists *copy, const struct cor_lists *lists,
                               struct cor_error *error) {
    COR_ASSERT(copy != lists);
    cor_lists_clear(copy);
    for (uint32_t b = 0; b < lists->block_count; b++)
        COR_TRY(cor_lists_put(copy, cor_lists_block(lists, b), cor_lists_size(lists, b), error));
    return COR_OK;
}
