/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inside PSOPP (paper 003, 5.2): particles whose positions are partitionings, six operators that move them,
 * and the seams where faults replace an operator. psopp.c (the search) calls the operators by the table of
 * faults.c, these call moves.c and moves.c, and these position.c. The README of this folder
 * says what the paper leaves open and what we chose. */
#ifndef CORRIDOR_ALGORITHMS_PSOPP_PSOPP_H
#define CORRIDOR_ALGORITHMS_PSOPP_PSOPP_H

#include <corridor/feasible.h>
#include <corridor/objective.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PSOPP_PARTICLES_MAX = 4, PSOPP_EXCHANGE_MAX = 3, PSOPP_BUCKET_TOP = 101 };

/* The place of each parameter in rules->parameters. */
enum psopp_parameter {
    PSOPP_PARTICLES,
    PSOPP_START_AT_CURRENT,
    PSOPP_C_RANDOM,
    PSOPP_C_OWN,
    PSOPP_C_BEST,
    PSOPP_EXCHANGE_POLICY,
    PSOPP_EXCHANGE_SIZE,
    PSOPP_SIZE_RULE,
    PSOPP_FITNESS_STOP,
    PSOPP_T1,
    PSOPP_T1_MODE,
    PSOPP_T2,
    PSOPP_P_ACTIVATE,
    PSOPP_AIM_KEPT,
    PSOPP_NEIGHBOURHOOD,
    PSOPP_PARAMETER_COUNT
};

/* The operators; also the numbers of their counters. */
enum psopp_operator {
    PSOPP_RANDOM_SPLIT,
    PSOPP_RANDOM_JOIN,
    PSOPP_RANDOM_EXCHANGE,
    PSOPP_APPROACH_SPLIT,
    PSOPP_APPROACH_JOIN,
    PSOPP_APPROACH_EXCHANGE,
    PSOPP_OPERATOR_COUNT,
    PSOPP_COUNT_STAYED =
        PSOPP_OPERATOR_COUNT, /* counter of iterations in which no operator could be applied */
    PSOPP_COUNT_IMPROVED      /* counter of improvements: bucket 0 own best, 1 also best of all */
};

/* Two halves of a random word, for two draws. */
struct psopp_halves {
    uint32_t one, other;
};

static inline struct psopp_halves psopp__halves(struct cor_random *random) {
    uint64_t word = cor_random_word(random);
    return (struct psopp_halves){(uint32_t)(word >> 32), (uint32_t)word};
}

/* A draw below `bound`. Probabilities are uneven by less than bound / 2^32 of themselves, which for a
 * thousand agents no run is long enough to show. */
static inline uint32_t psopp__half_below(uint32_t half, uint32_t bound) {
    return (uint32_t)((uint64_t)half * bound >> 32);
}

/* Members of all blocks of one position. */
struct psopp_pool {
    uint32_t *members;
    uint32_t capacity; /* members */
};

/* What an operator wants to know of an agent. */
struct psopp_agent {
    int64_t value;  /* minus the mean of all, in space->unit: whole numbers, so that sums are exact */
    uint64_t print; /* a fixed random word; the sum of its members' words is a block's fingerprint */
};

/* What all positions of a run share: the limits, the values, and scratch memory. */
struct psopp_space {
    const struct cor_host *host; /* borrowed for the reorganization */
    const struct cor_task *task; /* borrowed */
    bool has_objective;          /* what the task wants small, instead of the deviation of block means */
    uint32_t agent_count;
    uint32_t size_min, size_max;   /* agents per block; size_min >= 1, size_max <= agent_count */
    uint32_t count_min, count_max; /* blocks; count_max <= agent_count */
    uint32_t nowhere;              /* number of slots for blocks; as a slot it means "in no block" */
    double unit;                   /* of the agents' values: a power of two, so small that the sum of all
                                      fits into 62 bits */
    struct psopp_agent *agents;
    struct psopp_pool spare; /* compaction copies here and swaps */
    uint64_t *by_slot;       /* nowhere + 1 tallies, by slot of the position */
    uint64_t *by_target;     /* the same by slot of the target */
    uint32_t *list;          /* agent_count + 4 items */
    uint64_t *mark;          /* by agent; marked if equal to `round` */
    uint64_t round;          /* the present round of all tallies and marks */
};

/* Begins a round: all tallies and marks are unset at once. A tally is the round plus a count of at most
 * agent_count; what is not greater than the round is of an earlier one. Returns the round. */
static inline uint64_t psopp__space_round(struct psopp_space *space) {
    return space->round += (uint64_t)space->agent_count + 1;
}

/* The count of a tally in the round. */
static inline uint32_t psopp__tallied(uint64_t tally, uint64_t round) {
    return tally > round ? (uint32_t)(tally - round) : 0;
}

struct psopp_block {
    uint32_t offset, size, capacity; /* its region of the pool; size 0 in a free slot */
    uint32_t live_place;             /* its index in position->live */
    int64_t sum;                     /* of the members' values */
    uint64_t print; /* of the members' prints, modulo 2^64: blocks with equal prints are equal */
};

/* Two blocks an operator worked on. */
struct psopp_pair {
    uint32_t first, second;           /* slots */
    uint32_t first_size, second_size; /* split, exchange: as they are now; join: before it */
};

/* A sum kept without loss over millions of additions and subtractions: high + low (Knuth's TwoSum). */
struct psopp_total {
    double high, low;
};

/* A partitioning as explicit lists of members. A block keeps its slot as long as it lives. Faults make
 * positions in which agents are missing or in several blocks (never twice in one: blocks are sets); such a
 * position and all that descend from it are `corrupted`. */
struct psopp_position {
    struct psopp_space *space;
    struct psopp_block *blocks; /* nowhere + 1 slots; slot `nowhere` is always empty */
    uint32_t *live;             /* all slots; the first live_count are in use */
    uint32_t *splittable;       /* slots of blocks with at least 2 * size_min members */
    uint32_t *splittable_place; /* by slot: its index there, UINT32_MAX if it is too small */
    uint32_t *label;            /* slot of each agent's block; corrupted: of one of them, or `nowhere` */
    uint32_t *times;            /* how many blocks each agent is in: 1 unless corrupted */
    uint32_t *size_count;       /* number of blocks of each size */
    uint64_t *sizes_present;    /* bit s: size_count[s] > 0 */
    struct psopp_pool pool;
    uint32_t pool_used;    /* the regions lie below */
    uint32_t member_count; /* of all blocks; agent_count unless corrupted */
    uint32_t double_count; /* thereof not the agent's only one or first; 0 unless corrupted */
    uint32_t live_count, splittable_count;
    struct psopp_total total;       /* over the blocks, of (sum / size)^2; in units squared */
    struct cor_objective_work work; /* has_objective: blocks measured by slot, */
    bool *stale;                    /* but for those that have changed since */
    bool corrupted;
    bool out_of_memory; /* only a corrupted position can grow; then the run fails */
};

/* Memory for a position in `space`. false = out of memory. */
bool psopp__position_create(struct psopp_position *position, struct psopp_space *space);

/* Memory to measure the objective of the task by. false = out of memory. */
bool psopp__position_weigh(struct psopp_position *position);

/* Makes the position the given structure, a partition of all agents (layout as in cor_task). */
void psopp__position_load(struct psopp_position *position, uint32_t block_count, const uint32_t *block_start,
                          const uint32_t *members);

/* Makes `copy` a target: the same blocks and labels. A copy can be approached, measured and put out, but not
 * moved. O(agents). */
void psopp__position_copy(struct psopp_position *copy, const struct psopp_position *position);

/* Mean over the blocks of (block mean - mean of all)^2, in units squared. */
static inline double psopp__position_value(const struct psopp_position *position) {
    double total = position->total.high + position->total.low;
    return total > 0 ? total / position->live_count : 0; /* rounding may leave -1e-40 */
}

/* The objective: blocks that have changed are measured again. INFINITY: it is not known. */
double psopp__position_objective(struct psopp_position *position);

/* The first `count` members of block `slot` and the rest become two blocks, neither empty; in this order in
 * the pair returned. */
struct psopp_pair psopp__position_split(struct psopp_position *position, uint32_t slot, uint32_t count);

/* The union of two blocks, as a set. Returns its slot. */
uint32_t psopp__position_join(struct psopp_position *position, uint32_t one, uint32_t other);

/* The last `one_count` members of block `one` and the last `other_count` members of block `other` change
 * places. Counts up to PSOPP_EXCHANGE_MAX. */
void psopp__position_exchange(struct psopp_position *position, uint32_t one, uint32_t one_count,
                              uint32_t other, uint32_t other_count);

/* Faults only: adds an agent to a block if it is not in it, takes the member at a place out, drops a block,
 * adds a second block with the members of one. */
void psopp__position_insert(struct psopp_position *position, uint32_t slot, uint32_t agent);
void psopp__position_remove(struct psopp_position *position, uint32_t slot, uint32_t place);
void psopp__position_drop(struct psopp_position *position, uint32_t slot);
void psopp__position_repeat(struct psopp_position *position, uint32_t slot);

/* The smallest block size, of at least one block; the sum of the two smallest, of at least two. */
uint32_t psopp__position_smallest(const struct psopp_position *position);

/* Is the agent a member of the block? O(size). */
bool psopp__position_holds(const struct psopp_position *position, uint32_t slot, uint32_t agent);

static inline uint32_t *psopp__position_members(const struct psopp_position *position, uint32_t slot) {
    return position->pool.members + position->blocks[slot].offset;
}

/* What a particle approaches: BEST is that of its neighbourhood. */
enum psopp_aim { PSOPP_AIM_NONE, PSOPP_AIM_OWN, PSOPP_AIM_BEST };

struct psopp_particle {
    struct psopp_position position, best;
    enum psopp_aim aim; /* kept for a stretch of moves; none before the first */
    double best_value;  /* of `best`: the lower the better */
    double bar;         /* what the next improvement has to undercut */
};

struct psopp;

/* An operator: moves the position (an approach operator: towards `target`), or returns false and leaves it.
 */
typedef bool psopp_move(struct psopp *psopp, struct psopp_position *position,
                        const struct psopp_position *target);

/* One row per fault, row 0 fault-free: the operators in use, indexed by enum psopp_operator. */
struct psopp_moves {
    psopp_move *move[PSOPP_OPERATOR_COUNT];
};
extern const struct psopp_moves psopp__psopp_moves[];
extern const struct cor_fault psopp__psopp_faults[];

struct psopp {
    struct psopp_space space;
    const struct psopp_moves *moves; /* row of the selected fault */
    const struct cor_host *host;     /* borrowed for the reorganization */
    struct cor_random *random;       /* the algorithm's stream; faults have their own */
    const double *parameters;
    bool mixed; /* exchange_policy */
    uint32_t exchange_max;
    uint64_t random_below,
        own_below;     /* directions: random, own best, best of all; 0 .. 2^32 is cut at these */
    bool ring;         /* neighbourhood */
    uint32_t stretch;  /* approaches to one aim, on average: a power of two */
    double stop_value; /* at which the search ends, -1 = never */
    uint32_t particle_count;
    uint32_t turn; /* whose iteration is next */
    uint32_t best; /* particle whose `best` is the best of all */
    struct psopp_particle particles[PSOPP_PARTICLES_MAX];
    struct psopp_pair last; /* what the last operator worked on */
    uint8_t
        bucket[PSOPP_BUCKET_TOP + 1]; /* counter bucket of each size; the last entry serves all larger ones */
};

/* The end of every successful operator: remembers the pair, counts it by the size of its smaller block.
 * Returns true. */
static inline bool psopp__psopp_moved(struct psopp *psopp, enum psopp_operator which,
                                      struct psopp_pair pair) {
    uint32_t smaller = pair.first_size < pair.second_size ? pair.first_size : pair.second_size;
    psopp->last = pair;
    cor_count(psopp->host, which, psopp->bucket[smaller < PSOPP_BUCKET_TOP ? smaller : PSOPP_BUCKET_TOP]);
    return true;
}

/* Do sizes and number of blocks allow a split, a join, an exchange? Members can change places one for one
 * unless all blocks are single agents for ever. */
static inline bool psopp__can_split(const struct psopp_position *position) {
    return position->live_count < position->space->count_max && position->splittable_count > 0;
}

bool psopp__can_join(const struct psopp_position *position);

static inline bool psopp__can_exchange(const struct psopp_position *position) {
    return position->live_count >= 2 && position->space->size_max >= 2;
}

/* One random operator, drawn among the possible ones; counts the iteration as stayed if none is possible.
 */
void psopp__random_move(struct psopp *psopp, struct psopp_position *position);

/* Tries the approach operators in random order, which `half` decides, until one brings the position nearer to
 * the target. false = none did: it is there, or sizes and counts are in the way. */
bool psopp__approach(struct psopp *psopp, struct psopp_position *position,
                     const struct psopp_position *target, uint32_t half);

psopp_move psopp__random_split, psopp__random_join, psopp__random_exchange;
psopp_move psopp__approach_split, psopp__approach_join, psopp__approach_exchange;

/* The two halves of psopp__random_join: which pair (a join is possible), and the join itself. */
struct psopp_pair psopp__random_join_pair(struct psopp *psopp, const struct psopp_position *position);
bool psopp__random_join_finish(struct psopp *psopp, struct psopp_position *position, struct psopp_pair pair);

#endif
