/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * exchange: agent after agent changes places with the agent of another block that brings the block means
 * closest to the mean of all, until a whole pass brings nothing (the k-means exchange heuristic of
 * anticlustering: Papenberg and Klau, Psychological Methods 26, 2021). A fixed number of blocks, O(n) for
 * each turn. Where the task has an objective, that is what turns reduce, and each deal takes measuring two
 * blocks. */
#include <corridor/feasible.h>
#include <corridor/objective.h>

#include <math.h>
#include <string.h>

enum parameter { START_AT_CURRENT, ONE_WAY, PARAMETERS };
enum counter { SWAP, MOVE, STAY, COUNTERS };

static const struct cor_parameter parameters[] = {
    [START_AT_CURRENT] = {"start_at_current", "1",
                          "1: from the present structure if it keeps the limits; 0: from a random one", 1, 0,
                          1, 1},
    [ONE_WAY] = {"one_way", "1", "1: an agent may change sides without one in return, where the limits allow",
                 1, 0, 1, 1},
    {0}};

static const struct cor_counter counters[] = {[SWAP] = {"swap", "two agents changed places", 1},
                                              [MOVE] = {"move", "an agent changed sides alone", 1},
                                              [STAY] = {"stay", "an agent had nothing to gain", 1},
                                              {0}};

/* Less is rounding: squares of deviations, that is deviations of 1e-8. */
#define GAIN_LEAST 1e-16

struct exchange {
    uint32_t agent_count, block_count;
    double *value;       /* [agent] less the mean of all: sums keep their digits */
    uint32_t *block;     /* [agent] */
    uint32_t *size;      /* [block] */
    double *sum;         /* [block] of the values of its members */
    uint32_t next;       /* the agent whose turn it is */
    uint32_t idle_turns; /* without a gain, one after another */

    /* Of a task with an objective: blocks are measured in the slots of their numbers, two of a deal behind.
     */
    int has_objective;
    struct cor_objective_work work;
    uint32_t *slots;   /* [block] where it is measured */
    uint32_t *ordered; /* block after block, its members ascending */
    uint32_t *first;   /* [block] where they begin */
    uint32_t *members; /* scratch */
    double present;    /* the objective of all blocks */
};

/* What an agent can do. */
struct deal {
    double cost; /* of the two blocks afterwards less that of before; below 0 is a gain */
    uint32_t block, partner;
};

#define NOBODY UINT32_MAX

/* The part of a block in the sum of (block mean - mean of all)^2, which is what the turns reduce. */
static double square(double sum, uint32_t size) {
    double mean = sum / size;
    return mean * mean;
}

static void add_up(struct exchange *e) {
    memset(e->size, 0, e->block_count * sizeof *e->size);
    memset(e->sum, 0, e->block_count * sizeof *e->sum);
    for (uint32_t i = 0; i < e->agent_count; i++) {
        e->size[e->block[i]]++;
        e->sum[e->block[i]] += e->value[i];
    }
}

static void put_in_blocks(struct exchange *e, uint32_t block_count, const uint32_t *block_start,
                          const uint32_t *members) {
    e->block_count = block_count;
    for (uint32_t b = 0; b < block_count; b++)
        for (uint32_t m = block_start[b]; m < block_start[b + 1]; m++)
            e->block[members[m]] = b;
}

/* 0: memory is out, or the limits admit nothing. */
static int start_at_random(struct exchange *e, const struct cor_task *task, const struct cor_host *host) {
    struct cor_feasible_partitioning drawn = {
        .block_start = host->alloc(host, (e->agent_count + (size_t)1) * sizeof(uint32_t)),
        .members = host->alloc(host, e->agent_count * sizeof(uint32_t)),
        .scratch = host->alloc(host, 2 * (size_t)e->agent_count * sizeof(uint32_t)),
    };
    if (!drawn.block_start || !drawn.members || !drawn.scratch)
        return 0;
    if (!cor_feasible_draw(task->rules, e->agent_count, COR_SIZES_BALLS, host->random[COR_STREAM_ALGORITHM],
                           &drawn)) {
        host->complain(host, "no partitioning keeps the limits on size and number of blocks");
        return 0;
    }
    put_in_blocks(e, drawn.block_count, drawn.block_start, drawn.members);
    return 1;
}

/* The members of each block, ascending. */
static void line_up(struct exchange *e) {
    uint32_t end = 0;
    for (uint32_t b = 0; b < e->block_count; b++) {
        e->first[b] = end;
        end += e->size[b];
    }
    for (uint32_t i = 0; i < e->agent_count; i++)
        e->ordered[e->first[e->block[i]]++] = i;
    for (uint32_t b = 0; b < e->block_count; b++)
        e->first[b] -= e->size[b];
}

/* Measures the block without `less`, with `more`; ascending, so that it is measured alike wherever it comes
 * from. */
static void measure(struct exchange *e, uint32_t slot, uint32_t block, uint32_t less, uint32_t more) {
    const uint32_t *ordered = e->ordered + e->first[block];
    uint32_t count = 0;
    for (uint32_t m = 0; m < e->size[block]; m++) {
        if (more < ordered[m]) {
            e->members[count++] = more;
            more = NOBODY;
        }
        if (ordered[m] != less)
            e->members[count++] = ordered[m];
    }
    if (more != NOBODY)
        e->members[count++] = more;
    cor_objective_measure(&e->work, slot, e->members, count);
}

/* What is not known is the worst. */
static double total(struct exchange *e) {
    double made = cor_objective_total(&e->work, e->slots, e->block_count);
    return isnan(made) ? (double)INFINITY : made;
}

static int begin_objective(struct exchange *e, const struct cor_task *task, const struct cor_host *host) {
    uint32_t slots = e->block_count + 2;
    void *memory = host->alloc(host, cor_objective_bytes(task->objective, slots, e->block_count));
    e->slots = host->alloc(host, e->block_count * sizeof *e->slots);
    e->ordered = host->alloc(host, e->agent_count * sizeof *e->ordered);
    e->first = host->alloc(host, e->block_count * sizeof *e->first);
    e->members = host->alloc(host, e->agent_count * sizeof *e->members);
    if (!memory || !e->slots || !e->ordered || !e->first || !e->members)
        return 0;
    cor_objective_begin(&e->work, task, slots, e->block_count, memory);
    line_up(e);
    for (uint32_t b = 0; b < e->block_count; b++) {
        e->slots[b] = b;
        measure(e, b, b, NOBODY, NOBODY);
    }
    e->present = total(e);
    return 1;
}

static enum cor_progress begin(void *state, const struct cor_task *task, const struct cor_host *host) {
    struct exchange *e = state;
    size_t n = e->agent_count = task->agent_count;
    e->value = host->alloc(host, n * sizeof *e->value);
    e->block = host->alloc(host, n * sizeof *e->block);
    e->size = host->alloc(host, n * sizeof *e->size);
    e->sum = host->alloc(host, n * sizeof *e->sum);
    if (!e->value || !e->block || !e->size || !e->sum)
        return COR_FAILED;
    const double *values = task->values[0];
    double sum = 0;
    for (uint32_t i = 0; i < e->agent_count; i++)
        sum += values[i];
    for (uint32_t i = 0; i < e->agent_count; i++)
        e->value[i] = values[i] - sum / e->agent_count;
    if (task->rules->parameters[START_AT_CURRENT] != 0 &&
        cor_feasible_keeps(task->rules, task->block_count, task->block_start))
        put_in_blocks(e, task->block_count, task->block_start, task->members);
    else if (!start_at_random(e, task, host))
        return COR_FAILED;
    add_up(e);
    e->has_objective = task->objective != NULL;
    return e->has_objective && !begin_objective(e, task, host) ? COR_FAILED : COR_CONTINUE;
}

static void consider(struct deal *best, double cost, uint32_t block, uint32_t partner) {
    if (cost < best->cost)
        *best = (struct deal){cost, block, partner};
}

/* The same of the objective. No sum is kept from turn to turn, so the least gain is one. */
static struct deal look_round_objective(struct exchange *e, uint32_t i, const struct cor_rules *rules) {
    struct deal best = {0, NOBODY, NOBODY};
    const uint32_t own = e->block[i], spare = e->block_count;
    const int one_way = rules->parameters[ONE_WAY] != 0 && e->size[own] > 1 && e->size[own] > rules->size_min;
    e->slots[own] = spare;
    for (uint32_t j = 0; j < e->agent_count; j++) {
        const uint32_t other = e->block[j];
        if (other == own)
            continue;
        measure(e, spare, own, i, j);
        measure(e, spare + 1, other, j, i);
        e->slots[other] = spare + 1;
        const double made = total(e);
        e->slots[other] = other;
        if (made < e->present)
            consider(&best, made - e->present, other, j);
    }
    if (one_way)
        measure(e, spare, own, i, NOBODY);
    for (uint32_t other = 0; one_way && other < e->block_count; other++) {
        if (other == own || e->size[other] >= rules->size_max)
            continue;
        measure(e, spare + 1, other, NOBODY, i);
        e->slots[other] = spare + 1;
        const double made = total(e);
        e->slots[other] = other;
        if (made < e->present)
            consider(&best, made - e->present, other, NOBODY);
    }
    e->slots[own] = own;
    return best;
}

/* The best that agent `i` can do; the first of equals. */
static struct deal look_round(const struct exchange *e, uint32_t i, const struct cor_rules *rules) {
    struct deal best = {-GAIN_LEAST, NOBODY, NOBODY};
    uint32_t own = e->block[i];
    double own_square = square(e->sum[own], e->size[own]);
    for (uint32_t j = 0; j < e->agent_count; j++) {
        uint32_t other = e->block[j];
        if (other == own)
            continue;
        double gap = e->value[j] - e->value[i], before = own_square + square(e->sum[other], e->size[other]);
        double after = square(e->sum[own] + gap, e->size[own]) + square(e->sum[other] - gap, e->size[other]);
        consider(&best, after - before, other, j);
    }
    if (rules->parameters[ONE_WAY] == 0 || e->size[own] == 1 || e->size[own] <= rules->size_min)
        return best;
    for (uint32_t other = 0; other < e->block_count; other++) {
        if (other == own || e->size[other] >= rules->size_max)
            continue;
        double before = own_square + square(e->sum[other], e->size[other]);
        double after = square(e->sum[own] - e->value[i], e->size[own] - 1) +
                       square(e->sum[other] + e->value[i], e->size[other] + 1);
        consider(&best, after - before, other, NOBODY);
    }
    return best;
}

static enum cor_progress step(void *state, const struct cor_task *task, const struct cor_host *host,
                              uint64_t units) {
    struct exchange *e = state;
    for (; units > 0 && e->idle_turns < e->agent_count; units--) {
        /* Sums are added up anew, so no history of turns shows in them. */
        const uint32_t i = e->next;
        const struct deal deal =
            e->has_objective ? look_round_objective(e, i, task->rules) : look_round(e, i, task->rules);
        if (deal.block == NOBODY) {
            e->idle_turns++;
            cor_count(host, STAY, 0);
        } else {
            const uint32_t own = e->block[i];
            e->idle_turns = 0;
            if (deal.partner != NOBODY)
                e->block[deal.partner] = e->block[i];
            e->block[i] = deal.block;
            add_up(e);
            if (e->has_objective) {
                line_up(e);
                measure(e, own, own, NOBODY, NOBODY);
                measure(e, deal.block, deal.block, NOBODY, NOBODY);
                e->present = total(e);
            }
            cor_count(host, deal.partner != NOBODY ? SWAP : MOVE, 0);
        }
        e->next = e->next + 1 < e->agent_count ? e->next + 1 : 0;
        ++*host->spent;
    }
    return e->idle_turns < e->agent_count ? COR_CONTINUE : COR_DONE;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    struct exchange *e = state;
    (void)task;
    uint32_t *members = host->alloc(host, e->agent_count * sizeof *members);
    if (!members)
        return COR_FAILED;
    for (uint32_t b = 0; b < e->block_count; b++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < e->agent_count; i++)
            if (e->block[i] == b)
                members[count++] = i;
        if (!host->put_block(host, members, count))
            return COR_FAILED;
    }
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "exchange",
    .version = "1.0",
    .summary = "k-means exchange heuristic: agents change places while that brings the block means closer",
    .budget_unit = "turns",
    .capabilities = COR_ANYTIME | COR_LIMITS | COR_AIMS | COR_COMES_AND_GOES,
    .state_size = sizeof(struct exchange),
    .parameters = parameters,
    .counters = counters,
    .begin = begin,
    .step = step,
    .result = result,
};
