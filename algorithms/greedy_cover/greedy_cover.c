/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * greedy_cover: as many blocks as there are now, or as limits want. Agents, highest value first, each go to
 * the block whose sum would be least. Where an agent may be in several blocks, the block whose mean is
 * farthest from that of all is then joined by whoever brings it closest, as long as that brings it closer. */
#include <corridor/feasible.h>

static const struct cor_parameter parameters[] = {
    {"joins", "1", "agents that join a block beside their own at most", 8, 0, 1000000, 1}, {0}};

enum { NONE, FORGETS, JOINS_TWICE };
static const struct cor_fault faults[] = {
    {"forgets", "the agent with the lowest value is in no block, if it would share its block"},
    {"joins_twice", "whether an agent is in the block already is not asked when it joins"},
    {0}};

struct cover {
    uint32_t agent_count, block_count, size_max;
    double mean;      /* of all agents */
    uint32_t *size;   /* [block] */
    double *sum;      /* [block] */
    uint32_t *order;  /* agents, highest value first */
    uint32_t *home;   /* [agent] its first block, COR_NO_BLOCK: none */
    uint32_t *joined; /* [2 * join] agent and block, in the order of joining */
    uint32_t join_count;
};

static double distance(double one, double other) {
    return one > other ? one - other : other - one;
}

static int is_in(const struct cover *c, uint32_t agent, uint32_t block) {
    if (c->home[agent] == block)
        return 1;
    for (uint32_t j = 0; j < c->join_count; j++)
        if (c->joined[2 * j] == agent && c->joined[2 * j + 1] == block)
            return 1;
    return 0;
}

/* The block that is farthest from the mean is joined by who brings it closest; 0: by nobody. */
static int join(struct cover *c, const struct cor_task *task, const struct cor_host *host) {
    uint32_t farthest = COR_NO_BLOCK, best = COR_NO_BLOCK;
    double most = 0;
    for (uint32_t b = 0; b < c->block_count; b++) {
        const double far = distance(c->sum[b] / c->size[b], c->mean);
        if (c->size[b] < c->size_max && far > most) {
            most = far;
            farthest = b;
        }
    }
    for (uint32_t i = 0; farthest != COR_NO_BLOCK && i < c->agent_count; i++) {
        const double far =
            distance((c->sum[farthest] + task->values[0][i]) / (c->size[farthest] + 1), c->mean);
        if (far >= most)
            continue;
        const int twice = is_in(c, i, farthest);
        if (twice && task->rules->fault != JOINS_TWICE)
            continue;
        most = far;
        best = i;
    }
    if (task->rules->fault == JOINS_TWICE)
        host->fault->reached++;
    if (best == COR_NO_BLOCK)
        return 0;
    if (task->rules->fault == JOINS_TWICE && is_in(c, best, farthest)) {
        host->fault->held++;
        host->fault->activated++;
        host->fault->in_result = 1;
    }
    c->joined[2 * c->join_count] = best;
    c->joined[2 * c->join_count++ + 1] = farthest;
    c->size[farthest]++;
    c->sum[farthest] += task->values[0][best];
    return 1;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    const uint32_t n = task->agent_count, organized = task->rules->organized;
    const int covers = organized == COR_COVERING || organized == COR_OVERLAPPING;
    const uint32_t joins = covers ? (uint32_t)task->rules->parameters[0] : 0;
    struct cover c = {.agent_count = n,
                      .block_count = cor_feasible_count(task->rules, task->agent_count, task->block_count)};
    if (c.block_count == 0) {
        host->complain(host, "no structure keeps the limits on size and number of blocks");
        return COR_FAILED;
    }
    c.size_max = task->rules->size_max < n ? task->rules->size_max : n;
    c.size = host->alloc(host, c.block_count * sizeof *c.size);
    c.sum = host->alloc(host, c.block_count * sizeof *c.sum);
    c.order = host->alloc(host, n * sizeof *c.order);
    c.home = host->alloc(host, n * sizeof *c.home);
    c.joined = host->alloc(host, (joins + (size_t)1) * 2 * sizeof *c.joined);
    uint32_t *block = host->alloc(host, (n + joins + (size_t)1) * sizeof *block);
    if (!c.size || !c.sum || !c.order || !c.home || !c.joined || !block)
        return COR_FAILED;
    for (uint32_t i = 0; i < n; i++) {
        c.home[i] = COR_NO_BLOCK;
        c.mean += task->values[0][i] / n;
    }
    cor_feasible_order(task->values[0], c.order, n);
    /* Highest value first: to the block with the least sum that still needs or may take one. */
    const uint32_t least = task->rules->size_min > 0 ? task->rules->size_min : 1;
    uint32_t missing = c.block_count * least;
    for (uint32_t i = 0; i < c.agent_count; i++) {
        const int fills = missing >= c.agent_count - i; /* all who are left are needed */
        uint32_t best = COR_NO_BLOCK;
        for (uint32_t b = 0; b < c.block_count; b++)
            if (c.size[b] < (fills ? least : c.size_max) && (best == COR_NO_BLOCK || c.sum[b] < c.sum[best]))
                best = b;
        const uint32_t agent = c.order[i];
        if (task->rules->fault == FORGETS && i + 1 == c.agent_count) {
            host->fault->reached++;
            if (c.size[best] > 0) {
                host->fault->held++;
                host->fault->activated++;
                host->fault->in_result = 1;
                continue;
            }
        }
        missing -= c.size[best] < least;
        c.home[agent] = best;
        c.size[best]++;
        c.sum[best] += task->values[0][agent];
    }
    while (c.join_count < joins && *host->spent < task->rules->budget && join(&c, task, host))
        ++*host->spent;
    for (uint32_t b = 0; b < c.block_count; b++) {
        uint32_t size = 0;
        for (uint32_t i = 0; i < n; i++)
            if (c.home[i] == b)
                block[size++] = i;
        for (uint32_t j = 0; j < c.join_count; j++)
            if (c.joined[2 * j + 1] == b)
                block[size++] = c.joined[2 * j];
        if (!host->put_block(host, block, size))
            return COR_FAILED;
    }
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "greedy_cover",
    .version = "1.0",
    .summary = "agents to the least sum, then whoever helps a block most joins it as well",
    .budget_unit = "joins",
    .capabilities = COR_LIMITS | COR_COVERS,
    .parameters = parameters,
    .faults = faults,
    .result = result,
};
