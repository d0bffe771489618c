/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * balanced_tree: as many blocks as there are now, or as limits want, of sizes that differ by one at most;
 * agents, highest value first, are dealt into them back and forth. Block b > 0 stands below block (b - 1) /
 * arity: a tree of least height, whose blocks all have members. */
#include <corridor/feasible.h>

static const struct cor_parameter parameters[] = {
    {"arity", "1", "blocks that stand below one at most", 2, 1, 1000, 1}, {0}};

enum { NONE, ORPHAN, LOOP };
static const struct cor_fault faults[] = {
    {"orphan", "the last block stands below none, if there are at least two"},
    {"loop", "the first block stands below the last one, if there are at least two"},
    {0}};

/* A fault that strikes wherever its condition holds. */
static int strikes(const struct cor_task *task, const struct cor_host *host, uint32_t fault, int holds) {
    if (task->rules->fault != fault)
        return 0;
    host->fault->reached++;
    host->fault->held += (uint64_t)holds;
    host->fault->activated += (uint64_t)holds;
    host->fault->in_result |= (uint64_t)holds;
    return holds;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    const uint32_t n = task->agent_count,
                   count = cor_feasible_count(task->rules, task->agent_count, task->block_count);
    const uint32_t arity = (uint32_t)task->rules->parameters[0];
    if (count == 0) {
        host->complain(host, "no structure keeps the limits on size and number of blocks");
        return COR_FAILED;
    }
    uint32_t *order = host->alloc(host, n * sizeof *order), *block = host->alloc(host, n * sizeof *block);
    if (!order || !block)
        return COR_FAILED;
    cor_feasible_order(task->values[0], order, n);
    for (uint32_t b = 0; b < count; b++) {
        uint32_t size = 0;
        for (uint64_t first = 0, backwards = 0; first < n; first += count, backwards = !backwards) {
            /* The last round may be a short one, which goes over the first blocks. */
            const uint64_t left = n - first < count ? n - first : count;
            const uint64_t turn = first + (backwards && left == count ? count - 1 - b : b);
            if (turn < first + left)
                block[size++] = order[turn];
        }
        if (!host->put_block(host, block, size))
            return COR_FAILED;
    }
    ++*host->spent;
    if (task->rules->organized < COR_HIERARCHY)
        return COR_DONE;
    const int last_is_orphan = strikes(task, host, ORPHAN, count > 1);
    for (uint32_t b = 1; b < count; b++)
        if (!(last_is_orphan && b + 1 == count) && !host->hang(host, b, (b - 1) / arity))
            return COR_FAILED;
    if (strikes(task, host, LOOP, count > 1) && !host->hang(host, 0, count - 1))
        return COR_FAILED;
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "balanced_tree",
    .version = "1.0",
    .summary = "highest first, dealt back and forth into the blocks of a tree of least height",
    .budget_unit = "calls",
    .capabilities = COR_LIMITS | COR_NESTS,
    .parameters = parameters,
    .faults = faults,
    .result = result,
};
