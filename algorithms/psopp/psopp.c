/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PSOPP, a particle swarm optimizer for the partitioning problem (Anders et al.; paper 003, 5.2): what it
 * offers to the testbed, and the main loop. */
#include "psopp.h"

#include <math.h>

/* An improvement has to exceed this share of the value: below lies rounding, and a particle that returns to a
 * position on another way would improve on it for ever. */
#define LEAST_IMPROVEMENT 1e-9

/* Aims are kept for no longer a stretch than this; from half as many agents on it bounds them. */
#define STRETCH_MAX (UINT32_C(1) << 16)

/* So many values has half a random word. */
#define HALVES 4294967296.0

enum { SIZE_BUCKETS = 7 };

static const struct cor_parameter parameters[] = {
    [PSOPP_PARTICLES] = {"particles", "1", "number of particles", 4, 1, PSOPP_PARTICLES_MAX, 1},
    [PSOPP_START_AT_CURRENT] = {"start_at_current", "1",
                                "particles that start at the present structure if it is feasible", 1, 0,
                                PSOPP_PARTICLES_MAX, 1},
    [PSOPP_C_RANDOM] = {"c_random", "1", "probability of a random move", 0.2, 0, 1, 0},
    [PSOPP_C_OWN] = {"c_own", "1", "probability of approaching the particle's own best position", 0.4, 0, 1,
                     0},
    [PSOPP_C_BEST] = {"c_best", "1", "probability of approaching the best position of all", 0.4, 0, 1, 0},
    [PSOPP_EXCHANGE_POLICY] = {"exchange_policy", "1",
                               "0 exchange only if neither split nor join is possible, 1 mixed", 0, 0, 1, 1},
    [PSOPP_EXCHANGE_SIZE] = {"exchange_max", "1",
                             "members that change places in each direction of a random exchange", 1, 1,
                             PSOPP_EXCHANGE_MAX, 1},
    [PSOPP_SIZE_RULE] = {"size_rule", "1", "block sizes of random starts: 0 near-balanced, 1 skewed",
                         COR_SIZES_BALLS, COR_SIZES_BALLS, COR_SIZES_SKEWED, 1},
    [PSOPP_FITNESS_STOP] =
        {"fitness_stop", "value",
         "ends the search when the root mean square deviation of the block means is at most this; 0 off", 0,
         0, 1e9, 0},
    [PSOPP_T1] = {"t1", "1", "faults: both blocks are small if their sizes are up to (mode 0: below) this", 2,
                  0, 1e9, 1},
    [PSOPP_T1_MODE] = {"t1_mode", "1", "faults: 0 strict (below t1), 1 inclusive (up to t1)", 1, 0, 1, 1},
    [PSOPP_T2] = {"t2", "1", "faults: both blocks are large if their sizes are above this", 100, 0, 1e9, 1},
    [PSOPP_P_ACTIVATE] = {"p_activate", "1",
                          "faults: probability of activation when the size condition holds", 1, 0, 1, 0},
    [PSOPP_AIM_KEPT] = {"aim_kept", "1",
                        "1 an aim is kept for a stretch of approaches, 0 drawn anew in each iteration (paper "
                        "003, 5.2, step 5)",
                        1, 0, 1, COR_OPTION},
    [PSOPP_NEIGHBOURHOOD] =
        {"neighbourhood", "1",
         "whose best is approached: 0 that of all particles, 1 of the particle and the two "
         "beside it in a ring",
         0, 0, 1, COR_OPTION},
    [PSOPP_PARAMETER_COUNT] = {0},
};

static const char *const constraints[] = {"c_random + c_own + c_best = 1", "start_at_current <= particles",
                                          NULL};

/* Buckets of the operators' counters: sizes 1-2, 3-5, 6-10, 11-20, 21-50, 51-100, more. */
static const uint32_t bucket_top[SIZE_BUCKETS - 1] = {2, 5, 10, 20, 50, 100};

static const struct cor_counter counters[] = {
    [PSOPP_RANDOM_SPLIT] = {"random_split",
                            "by size of the smaller part: 1-2 3-5 6-10 11-20 21-50 51-100 more",
                            SIZE_BUCKETS},
    [PSOPP_RANDOM_JOIN] = {"random_join", "by size of the smaller block, as random_split", SIZE_BUCKETS},
    [PSOPP_RANDOM_EXCHANGE] = {"random_exchange", "by size of the smaller block afterwards, as random_split",
                               SIZE_BUCKETS},
    [PSOPP_APPROACH_SPLIT] = {"approach_split", "by size of the smaller part, as random_split", SIZE_BUCKETS},
    [PSOPP_APPROACH_JOIN] = {"approach_join", "by size of the smaller block, as random_split", SIZE_BUCKETS},
    [PSOPP_APPROACH_EXCHANGE] = {"approach_exchange",
                                 "by size of the smaller block afterwards, as random_split", SIZE_BUCKETS},
    [PSOPP_COUNT_STAYED] = {"stayed", "iterations in which no operator could be applied", 1},
    [PSOPP_COUNT_IMPROVED] = {"improved", "new best positions: of the particle only, of all", 2},
    {0},
};

/* The finaliser of SplitMix64: a word that looks random for every index. */
static uint64_t print_of(uint64_t index) {
    uint64_t mixed = (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ (mixed >> 31);
}

/* Values in whole units around the mean: good partitionings differ by 1e-7, and nothing of that drowns in
 * rounding. Values that are not finite count as equal. */
static void agents_read(struct psopp_space *space, const double *values) {
    uint32_t count = space->agent_count;
    double sum = 0, largest = 0;
    for (uint32_t a = 0; a < count; a++)
        sum += values[a];
    double mean = sum / count;
    for (uint32_t a = 0; a < count; a++)
        largest = fabs(values[a] - mean) <= largest ? largest : fabs(values[a] - mean); /* takes NaN over */
    /* The smallest power of two in which n values of up to `largest` add up to less than 2^62. */
    int exponent, bits;
    (void)frexp(largest, &exponent);
    (void)frexp((double)count, &bits);
    space->unit = largest > 0 ? ldexp(1, exponent + bits - 62) : 1;
    for (uint32_t a = 0; a < count; a++) {
        double value = isfinite(largest) ? (values[a] - mean) / space->unit : 0;
        space->agents[a] =
            (struct psopp_agent){(int64_t)(value < 0 ? value - 0.5 : value + 0.5), print_of(a)};
    }
}

static bool space_create(struct psopp_space *space, const struct cor_task *task,
                         const struct cor_host *host) {
    const struct cor_rules *rules = task->rules;
    size_t n = task->agent_count;
    *space = (struct psopp_space){
        .host = host,
        .task = task,
        .has_objective = task->objective != NULL,
        .agent_count = task->agent_count,
        .size_min = rules->size_min > 0 ? rules->size_min : 1,
        .size_max = rules->size_max < n ? rules->size_max : task->agent_count,
        .count_min = rules->count_min,
        .count_max = rules->count_max < n ? rules->count_max : task->agent_count,
    };
    space->nowhere = space->count_max + 1; /* F2 joins in the presence of a block too many */
    space->agents = host->alloc(host, n * sizeof *space->agents);
    space->spare.members = host->alloc(host, 2 * n * sizeof *space->spare.members);
    space->spare.capacity = 2 * task->agent_count;
    space->by_slot = host->alloc(host, ((size_t)space->nowhere + 1) * sizeof *space->by_slot);
    space->by_target = host->alloc(host, ((size_t)space->nowhere + 1) * sizeof *space->by_target);
    space->list = host->alloc(host, (n + 4) * sizeof *space->list);
    space->mark = host->alloc(host, n * sizeof *space->mark);
    if (!space->agents || !space->spare.members || !space->by_slot || !space->by_target || !space->list ||
        !space->mark)
        return false;
    agents_read(space, task->values[0]);
    return true;
}

static void settings_read(struct psopp *psopp, const struct cor_task *task, const struct cor_host *host) {
    const double *given = task->rules->parameters;
    double stop = given[PSOPP_FITNESS_STOP];
    psopp->host = host;
    psopp->random = host->random[COR_STREAM_ALGORITHM];
    psopp->moves = &psopp__psopp_moves[task->rules->fault];
    psopp->parameters = given;
    psopp->mixed = given[PSOPP_EXCHANGE_POLICY] != 0;
    psopp->ring = given[PSOPP_NEIGHBOURHOOD] != 0;
    psopp->exchange_max = (uint32_t)given[PSOPP_EXCHANGE_SIZE];
    psopp->random_below = (uint64_t)(given[PSOPP_C_RANDOM] * HALVES);
    psopp->own_below = (uint64_t)((given[PSOPP_C_RANDOM] + given[PSOPP_C_OWN]) * HALVES);
    psopp->stretch = 1;
    while (given[PSOPP_AIM_KEPT] != 0 && psopp->stretch < STRETCH_MAX &&
           psopp->stretch < 2 * (uint64_t)task->agent_count)
        psopp->stretch *= 2;
    psopp->stop_value = stop > 0 ? stop / psopp->space.unit * (stop / psopp->space.unit) : -1;
    if (psopp->space.has_objective)
        psopp->stop_value = stop > 0 ? stop : -(double)INFINITY;
    psopp->particle_count = (uint32_t)given[PSOPP_PARTICLES];
    uint8_t bucket = 0;
    for (uint32_t size = 0; size <= PSOPP_BUCKET_TOP; size++) {
        if (bucket < SIZE_BUCKETS - 1 && size > bucket_top[bucket])
            bucket++;
        psopp->bucket[size] = bucket;
    }
}

/* The first particles start at the present structure, if it keeps the limits; the others at random. */
static bool particles_start(struct psopp *psopp, const struct cor_task *task) {
    const struct cor_host *host = psopp->host;
    size_t n = task->agent_count;
    struct cor_feasible_partitioning drawn = {.block_start = host->alloc(host, (n + 1) * sizeof(uint32_t)),
                                              .members = host->alloc(host, n * sizeof(uint32_t)),
                                              .scratch = host->alloc(host, 2 * n * sizeof(uint32_t))};
    if (!drawn.block_start || !drawn.members || !drawn.scratch)
        return false;
    bool feasible = cor_feasible_keeps(task->rules, task->block_count, task->block_start);
    enum cor_size_rule rule = psopp->parameters[PSOPP_SIZE_RULE] != 0 ? COR_SIZES_SKEWED : COR_SIZES_BALLS;
    for (uint32_t i = 0; i < psopp->particle_count; i++) {
        struct psopp_particle *particle = &psopp->particles[i];
        if (!psopp__position_create(&particle->position, &psopp->space) ||
            !psopp__position_create(&particle->best, &psopp->space))
            return false;
        if (psopp->space.has_objective && !psopp__position_weigh(&particle->position))
            return false;
        particle->bar = particle->best_value = INFINITY;
        if (feasible && i < psopp->parameters[PSOPP_START_AT_CURRENT]) {
            psopp__position_load(&particle->position, task->block_count, task->block_start, task->members);
        } else {
            cor_feasible_draw(task->rules, task->agent_count, rule, psopp->random, &drawn);
            psopp__position_load(&particle->position, drawn.block_count, drawn.block_start, drawn.members);
        }
    }
    return true;
}

/* Keeps the particle's position if it is its best so far. Considering a position twice changes nothing. */
static void consider(struct psopp *psopp, uint32_t index) {
    struct psopp_particle *particle = &psopp->particles[index];
    struct psopp_position *position = &particle->position;
    const bool by_objective = psopp->space.has_objective;
    double value = by_objective ? psopp__position_objective(position) : psopp__position_value(position);
    /* The first position is one, whatever is known of it. */
    if (!(value < particle->bar) && !(by_objective && particle->best.live_count == 0))
        return;
    psopp__position_copy(&particle->best, position);
    particle->best_value = value;
    particle->bar =
        by_objective && value < 0 ? value * (1 + LEAST_IMPROVEMENT) : value * (1 - LEAST_IMPROVEMENT);
    bool best_of_all = index == psopp->best || value < psopp->particles[psopp->best].best_value;
    if (best_of_all)
        psopp->best = index;
    cor_count(psopp->host, PSOPP_COUNT_IMPROVED, best_of_all);
}

void psopp__random_move(struct psopp *psopp, struct psopp_position *position) {
    enum psopp_operator possible[3];
    uint32_t count = 0;
    if (psopp__can_split(position))
        possible[count++] = PSOPP_RANDOM_SPLIT;
    if (psopp__can_join(position))
        possible[count++] = PSOPP_RANDOM_JOIN;
    if (psopp__can_exchange(position) && (psopp->mixed || count == 0))
        possible[count++] = PSOPP_RANDOM_EXCHANGE;
    uint32_t drawn = count > 1 ? cor_random_below(psopp->random, count) : 0;
    if (count == 0 || !psopp->moves->move[possible[drawn]](psopp, position, NULL))
        cor_count(psopp->host, PSOPP_COUNT_STAYED, 0);
}

/* All orders of the three operators: split, join, exchange. With last_resort the exchange is left out. */
static const enum psopp_operator orders[6][3] = {
    {PSOPP_APPROACH_SPLIT, PSOPP_APPROACH_JOIN, PSOPP_APPROACH_EXCHANGE},
    {PSOPP_APPROACH_JOIN, PSOPP_APPROACH_SPLIT, PSOPP_APPROACH_EXCHANGE},
    {PSOPP_APPROACH_SPLIT, PSOPP_APPROACH_EXCHANGE, PSOPP_APPROACH_JOIN},
    {PSOPP_APPROACH_JOIN, PSOPP_APPROACH_EXCHANGE, PSOPP_APPROACH_SPLIT},
    {PSOPP_APPROACH_EXCHANGE, PSOPP_APPROACH_SPLIT, PSOPP_APPROACH_JOIN},
    {PSOPP_APPROACH_EXCHANGE, PSOPP_APPROACH_JOIN, PSOPP_APPROACH_SPLIT},
};

bool psopp__approach(struct psopp *psopp, struct psopp_position *position,
                     const struct psopp_position *target, uint32_t half) {
    psopp_move *const *move = psopp->moves->move;
    if (!psopp->mixed && !psopp__can_split(position) && !psopp__can_join(position))
        return move[PSOPP_APPROACH_EXCHANGE](psopp, position, target);
    /* The first two orders end with the exchange: without it, they are the orders of split and join. */
    const enum psopp_operator *order = orders[psopp__half_below(half, psopp->mixed ? 6 : 2)];
    for (int i = 0; i < (psopp->mixed ? 3 : 2); i++)
        if (move[order[i]](psopp, position, target))
            return true;
    return false;
}

/* The particle with the best position that this one knows of: with a ring, of itself and those beside it, of
 * equal ones itself first. A particle that has considered nothing yet has no best position. */
static const struct psopp_particle *best_known(const struct psopp *psopp,
                                               const struct psopp_particle *particle) {
    if (!psopp->ring)
        return &psopp->particles[psopp->best];
    uint32_t index = (uint32_t)(particle - psopp->particles), count = psopp->particle_count;
    const struct psopp_particle *beside[] = {&psopp->particles[(index + 1) % count],
                                             &psopp->particles[(index + count - 1) % count]};
    const struct psopp_particle *best = particle;
    for (size_t i = 0; i < 2; i++)
        best = beside[i]->best_value < best->best_value ? beside[i] : best;
    return best;
}

/* What to approach. A stretch is long enough to get there, so that particles search around the two positions
 * and not halfway between, where similarity to neither ever rises. Whether it ends is told by low bits, which
 * have no say in the order of operators. */
static const struct psopp_position *approached(struct psopp *psopp, struct psopp_particle *particle,
                                               struct psopp_halves direction) {
    if (particle->aim == PSOPP_AIM_NONE || (direction.other & (psopp->stretch - 1)) == 0)
        particle->aim = direction.one >= psopp->own_below ? PSOPP_AIM_BEST : PSOPP_AIM_OWN;
    return particle->aim == PSOPP_AIM_BEST ? &best_known(psopp, particle)->best : &particle->best;
}

static void move(struct psopp *psopp, struct psopp_particle *particle) {
    struct psopp_position *position = &particle->position;
    struct psopp_halves direction = psopp__halves(psopp->random);
    bool approaches = direction.one >= psopp->random_below;
    if (!approaches ||
        !psopp__approach(psopp, position, approached(psopp, particle, direction), direction.other))
        psopp__random_move(psopp, position);
}

static enum cor_progress begin(void *state, const struct cor_task *task, const struct cor_host *host) {
    struct psopp *psopp = state;
    uint32_t low, high;
    if (!cor_feasible_counts(task->rules, task->agent_count, &low, &high)) {
        host->complain(host, "no partitioning keeps the limits on size and number of blocks");
        return COR_FAILED;
    }
    if (!space_create(&psopp->space, task, host))
        return COR_FAILED;
    settings_read(psopp, task, host);
    if (!particles_start(psopp, task))
        return COR_FAILED;
    consider(psopp, 0); /* from now on there is a best position */
    return COR_CONTINUE;
}

/* Iterations of the particles in turn; one unit is one move. A step leaves between the consideration of a
 * position and the move from it, and the next step considers it again, without effect: so the size of steps
 * does not matter. */
static enum cor_progress step(void *state, const struct cor_task *task, const struct cor_host *host,
                              uint64_t units) {
    (void)task;
    struct psopp *psopp = state;
    for (;; units--) {
        struct psopp_particle *particle = &psopp->particles[psopp->turn];
        consider(psopp, psopp->turn);
        if (particle->position.out_of_memory || particle->best.out_of_memory)
            return COR_FAILED;
        if (psopp->particles[psopp->best].best_value <= psopp->stop_value)
            return COR_DONE;
        if (units == 0)
            return COR_CONTINUE;
        move(psopp, particle);
        ++*host->spent;
        psopp->turn = psopp->turn + 1 < psopp->particle_count ? psopp->turn + 1 : 0;
    }
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)task;
    const struct psopp *psopp = state;
    const struct psopp_position *best = &psopp->particles[psopp->best].best;
    for (uint32_t i = 0; i < best->live_count; i++) {
        uint32_t slot = best->live[i];
        if (!host->put_block(host, psopp__position_members(best, slot), best->blocks[slot].size))
            return COR_FAILED;
    }
    host->fault->in_result = best->corrupted;
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "psopp",
    .version = "1.0",
    .summary = "particle swarm optimizer for the partitioning problem",
    .budget_unit = "moves",
    .capabilities = COR_ANYTIME | COR_LIMITS | COR_AIMS | COR_COMES_AND_GOES,
    .state_size = sizeof(struct psopp),
    .parameters = parameters,
    .constraints = constraints,
    .counters = counters,
    .faults = psopp__psopp_faults,
    .begin = begin,
    .step = step,
    .result = result,
};
