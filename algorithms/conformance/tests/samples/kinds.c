/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples for the kit that make structures of any kind: they put the present structure again, and each does
 * one thing that it must not. */
#include <corridor/plugin.h>

enum { HONEST, COVERS_NOT, NESTS_ROUND, ORPHANS, TWICE_IN_A_BLOCK, READS_PARENTS_BEYOND };

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    const uint32_t count = task->block_count, kind = task->rules->organized;
    uint32_t *block = host->alloc(host, (task->agent_count + 1) * sizeof *block), sum = 0;
    if (!block)
        return COR_FAILED;
    for (uint32_t b = 0; b < count; b++) {
        uint32_t size = 0;
        for (uint32_t m = task->block_start[b]; m < task->block_start[b + 1]; m++)
            if (!(MISDEED == COVERS_NOT && kind == COR_COVERING && task->members[m] == 0))
                block[size++] = task->members[m];
        if (MISDEED == TWICE_IN_A_BLOCK && kind == COR_OVERLAPPING && b == 0)
            block[size++] = block[0];
        if (size > 0 && !host->put_block(host, block, size))
            return COR_FAILED;
    }
    for (uint32_t b = 0; task->block_parent && b < count; b++)
        if (task->block_parent[b] != COR_NO_BLOCK && !(MISDEED == ORPHANS && b + 1 == count) &&
            !host->hang(host, b, task->block_parent[b]))
            return COR_FAILED;
    if (MISDEED == NESTS_ROUND && task->block_parent && count > 1 && !host->hang(host, 0, count - 1))
        return COR_FAILED;
    for (uint32_t b = 0; MISDEED == READS_PARENTS_BEYOND && task->block_parent && b <= count; b++)
        sum += ((const volatile uint32_t *)task->block_parent)[b] & 1;
    *host->spent += 1 + (sum & 0);
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,          .name = "kinds",
    .version = "1.0",       .summary = "puts the present structure again, of whatever kind",
    .budget_unit = "calls", .capabilities = COR_COVERS | COR_NESTS,
    .result = result,
};
