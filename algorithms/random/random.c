/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * random: a fresh random structure of the kind that is asked for, within the limits, whatever the present
 * structure and the values are. The baseline that any algorithm has to beat, and a cheap SOuT for tests of
 * the testbed. */
#include <corridor/feasible.h>

static const struct cor_parameter parameters[] = {{"size_rule", "1", "block sizes: 0 near-balanced, 1 skewed",
                                                   COR_SIZES_BALLS, COR_SIZES_BALLS, COR_SIZES_SKEWED, 1},
                                                  {0}};

/* A partitioning, of which, where blocks nest, each is hung below one of those before it; in a hierarchy it
 * may be a root as well, all equally likely. */
static enum cor_progress put_partitioning(const struct cor_task *task, const struct cor_host *host) {
    struct cor_random *random = host->random[COR_STREAM_ALGORITHM];
    const uint32_t n = task->agent_count, kind = task->rules->organized;
    struct cor_feasible_partitioning drawn = {
        .block_start = host->alloc(host, (n + (size_t)1) * sizeof(uint32_t)),
        .members = host->alloc(host, (n + (size_t)1) * sizeof(uint32_t)),
        .scratch = host->alloc(host, (2 * (size_t)n + 1) * sizeof(uint32_t)),
    };
    if (!drawn.block_start || !drawn.members || !drawn.scratch)
        return COR_FAILED;
    enum cor_size_rule rule = task->rules->parameters[0] != 0 ? COR_SIZES_SKEWED : COR_SIZES_BALLS;
    if (!cor_feasible_draw(task->rules, n, rule, random, &drawn)) {
        host->complain(host, "no partitioning keeps the limits on size and number of blocks");
        return COR_FAILED;
    }
    for (uint32_t b = 0; b < drawn.block_count; b++) {
        uint32_t size = drawn.block_start[b + 1] - drawn.block_start[b];
        if (!host->put_block(host, drawn.members + drawn.block_start[b], size))
            return COR_FAILED;
    }
    for (uint32_t b = 1; kind >= COR_HIERARCHY && b < drawn.block_count; b++) {
        const uint32_t parent = cor_random_below(random, kind == COR_TREE ? b : b + 1);
        if (parent < b && !host->hang(host, b, parent))
            return COR_FAILED;
    }
    return COR_DONE;
}

/* A covering while it is drawn: first where each agent is at home, then block by block who else joins. */
struct covering {
    uint32_t block_count, size_min, size_max;
    uint32_t *home;  /* [agent] block, COR_NO_BLOCK: none */
    uint32_t *start; /* block b is at home to resident[start[b] .. start[b + 1]) */
    uint32_t *resident;
    uint32_t *block; /* the one that is being put */
    uint32_t *seen;  /* [agent] 1 + the last block that it was put into */
    uint32_t *order; /* agents, shuffled as far as they were drawn from */
};

/* As many blocks as a partitioning could have, if limits allow for one; at least as many as cover all. */
static int draw_count(const struct cor_rules *rules, uint32_t n, struct cor_random *random,
                      struct covering *c) {
    c->size_min = rules->size_min > 0 ? rules->size_min : 1;
    c->size_max = rules->size_max < n ? rules->size_max : n;
    if (c->size_max < c->size_min)
        return 0;
    uint32_t low = (n - 1) / c->size_max + 1, high = n / c->size_min;
    low = low > rules->count_min ? low : rules->count_min;
    high = high > low ? high : low;
    high = high < rules->count_max ? high : rules->count_max;
    if (low > high)
        return 0;
    c->block_count = low + cor_random_below(random, high - low + 1);
    return 1;
}

/* Who is at home in the block, then others, drawn from all, until it has its least size and as many more as
 * are drawn: up to half a share of the agents. */
static uint32_t fill_block(uint32_t n, uint32_t b, struct cor_random *random, struct covering *c) {
    uint32_t size = 0, left = n;
    for (uint32_t k = c->start[b]; k < c->start[b + 1]; k++) {
        c->block[size++] = c->resident[k];
        c->seen[c->resident[k]] = b + 1;
    }
    uint32_t wanted = size + cor_random_below(random, n / (2 * c->block_count) + 1);
    wanted = wanted < c->size_min ? c->size_min : wanted;
    wanted = wanted > c->size_max ? c->size_max : wanted;
    while (size < wanted) {
        const uint32_t place = cor_random_below(random, left--), agent = c->order[place];
        c->order[place] = c->order[left];
        c->order[left] = agent;
        if (c->seen[agent] != b + 1)
            c->block[size++] = agent;
        c->seen[agent] = b + 1;
    }
    return size;
}

static enum cor_progress put_covering(const struct cor_task *task, const struct cor_host *host) {
    struct cor_random *random = host->random[COR_STREAM_ALGORITHM];
    const uint32_t n = task->agent_count;
    struct covering c = {0};
    if (!draw_count(task->rules, n, random, &c)) {
        host->complain(host, "no covering keeps the limits on size and number of blocks");
        return COR_FAILED;
    }
    const size_t room = (n > c.block_count ? n : c.block_count) + (size_t)1;
    uint32_t **const arrays[] = {&c.home, &c.start, &c.resident, &c.block, &c.seen, &c.order};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i] = host->alloc(host, room * sizeof(uint32_t))))
            return COR_FAILED;
    /* Each agent is at home in one of the blocks that have room, all equally likely; where it may be in none,
     * it is with probability 1/8. */
    uint32_t *open = c.block, *size = c.start + 1, open_count = c.block_count;
    for (uint32_t b = 0; b < c.block_count; b++) {
        open[b] = b;
        size[b] = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        c.home[i] = COR_NO_BLOCK;
        if (task->rules->organized == COR_OVERLAPPING && cor_random_below(random, 8) == 0)
            continue;
        const uint32_t place = cor_random_below(random, open_count), b = open[place];
        c.home[i] = b;
        if (++size[b] == c.size_max)
            open[place] = open[--open_count];
    }
    /* size[b] becomes where block b begins, then where it ends. */
    for (uint32_t b = 0, at = 0; b < c.block_count; b++) {
        const uint32_t count = size[b];
        size[b] = at;
        at += count;
    }
    for (uint32_t i = 0; i < n; i++)
        if (c.home[i] != COR_NO_BLOCK)
            c.resident[size[c.home[i]]++] = i;
    c.start[0] = 0;
    for (uint32_t i = 0; i < n; i++)
        c.order[i] = i;
    for (uint32_t b = 0; b < c.block_count; b++)
        if (!host->put_block(host, c.block, fill_block(n, b, random, &c)))
            return COR_FAILED;
    return COR_DONE;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    const uint32_t kind = task->rules->organized;
    const enum cor_progress progress = kind == COR_COVERING || kind == COR_OVERLAPPING
                                           ? put_covering(task, host)
                                           : put_partitioning(task, host);
    *host->spent += progress == COR_DONE;
    return progress;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "random",
    .version = "1.0",
    .summary = "a random structure of any kind within the limits",
    .budget_unit = "calls",
    .capabilities = COR_LIMITS | COR_COVERS | COR_NESTS | COR_AIMS | COR_COMES_AND_GOES,
    .parameters = parameters,
    .result = result,
};
