/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Guests that searches are measured on. Each returns the structure as it found it, and says by a probe how
 * many agents are at an extreme of their weather, by another how far its fault has come, where the fault is
 * one of a program that would count that. Each fault forgets an agent: "rare" when EXTREME of them are at an
 * extreme, a conjunction of rare states of several chains, the others when what they remember from one
 * reorganization to the next says so. With NOISE its probes say nothing: they count buckets at random, so
 * that nearly every test looks new. */
#include <corridor/plugin.h>

#include <string.h>

#define EXTREME 8
#define BUCKETS 64

static const struct cor_counter counters[] = {{"extreme", "agents at an extreme, by their number", BUCKETS},
                                              {"level", "what the fault has counted so far", BUCKETS},
                                              {0}};

/* What agents show now. */
struct weather {
    uint32_t extreme;     /* agents in storm or flood */
    uint32_t braked;      /* thereof mills */
    uint32_t moving;      /* agents in a breeze or normal water */
    uint32_t places;      /* sum of their indices */
    const double *region; /* the parameters */
};

/* What a fault remembers. */
struct memory {
    uint32_t level, wait;
};

static int has_rare(const struct weather *now, struct memory *memory) {
    memory->level = now->extreme;
    return now->extreme >= EXTREME;
}

/* Five numbers in a row, each what the sum of the moving agents' places leaves by seven; a wrong one shuts
 * it. */
static int opens_lock(const struct weather *now, struct memory *memory) {
    static const uint32_t key[] = {2, 4, 1, 5, 3};
    const uint32_t number = now->places % 7;
    memory->level = number == key[memory->level] ? memory->level + 1 : number == key[0] ? 1 : 0;
    return memory->level == sizeof key / sizeof *key;
}

/* A counter of storms that nobody resets. */
static int overflows(const struct weather *now, struct memory *memory) {
    memory->level += now->extreme >= 2;
    return memory->level >= 20;
}

/* Storm at many mills, then flood at many gates within three reorganizations. */
static int comes_in_order(const struct weather *now, struct memory *memory) {
    const int floods = now->extreme - now->braked >= 3;
    if (floods && memory->wait > 0)
        return 1;
    memory->wait = now->braked >= 3 ? 3 : memory->wait > 0 ? memory->wait - 1 : 0;
    memory->level = memory->wait > 0;
    return 0;
}

/* An outage, three calm reorganizations in which it recovers, and a storm right behind them. */
static int comes_after_recovery(const struct weather *now, struct memory *memory) {
    const int storm = now->extreme >= 2, outage = now->extreme >= 5, calm = now->extreme == 0;
    if (memory->level == 4 && storm)
        return 1;
    memory->level = outage ? 1 : memory->level > 0 && calm ? (memory->level < 4 ? memory->level + 1 : 4) : 0;
    return 0;
}

/* A pool that grows and shrinks with the weather, up to its limit. */
static int reaches_limit(const struct weather *now, struct memory *memory) {
    if (now->moving >= 7)
        memory->level += 1;
    else if (memory->level > 0)
        memory->level -= 1;
    return memory->level >= 8;
}

/* A rare state held for so many reorganizations. */
static int is_held(const struct weather *now, struct memory *memory) {
    memory->level = now->extreme >= 2 ? memory->level + 1 : 0;
    return memory->level >= 9;
}

/* A region of the parameters, and a state that is not rare. */
static int is_in_region(const struct weather *now, struct memory *memory) {
    memory->level = 0;
    return now->region[0] <= 1 && now->region[1] <= 3 && now->extreme >= 3;
}

/* Bytes that each storm leaves behind; long calm alone gives them back. */
static int leaks(const struct weather *now, struct memory *memory) {
    memory->wait = now->extreme == 0 ? memory->wait + 1 : 0;
    if (memory->wait >= 8)
        memory->level = 0;
    memory->level += now->extreme;
    return memory->level >= 42;
}

/* Storms in the first three reorganizations, which no later one can make good. */
static int comes_early(const struct weather *now, struct memory *memory) {
    memory->level++;
    return memory->level <= 3 && now->extreme >= 6;
}

/* Storms behind 44 reorganizations. */
static int comes_late(const struct weather *now, struct memory *memory) {
    memory->level++;
    return memory->level > 44 && now->extreme >= 6;
}

/* Storm and calm by turns. */
static int flutters(const struct weather *now, struct memory *memory) {
    const uint32_t storm = now->extreme > 0;
    memory->level = storm != memory->wait ? memory->level + 1 : 0;
    memory->wait = storm;
    return memory->level >= 8;
}

/* The faults: struck yet? Those whose level is counted say by the probe how far they have come. */
static const struct {
    int (*strikes)(const struct weather *now, struct memory *memory);
    int is_counted;
} kinds[] = {{has_rare, 0},       {opens_lock, 1},           {overflows, 1},
             {comes_in_order, 0}, {comes_after_recovery, 1}, {reaches_limit, 1},
             {is_held, 0},        {is_in_region, 0},         {leaks, 1},
             {comes_early, 0},    {comes_late, 0},           {flutters, 0}};

static const struct cor_fault faults[] = {
    {"rare", "forgets an agent when eight agents are at an extreme"},
    {"lock", "forgets an agent behind five numbers in a row"},
    {"overflow", "forgets an agent when twenty storms were counted"},
    {"order", "forgets an agent when a storm is followed by a flood"},
    {"recovery", "forgets an agent when a storm comes right behind a recovery"},
    {"limit", "forgets an agent when a pool has grown to its limit"},
    {"held", "forgets an agent when storms last"},
    {"region", "forgets an agent where both parameters are small"},
    {"leak", "forgets an agent when it has run out of memory"},
    {"early", "forgets an agent when storms come at the very beginning"},
    {"late", "forgets an agent when storms come after long work"},
    {"flutter", "forgets an agent when storm and calm come by turns"},
    {0}};
static const struct cor_parameter parameters[] = {
    {"a", "1", "of a region", 100, 1, 100, 1}, {"b", "1", "of a region", 100, 1, 100, 1}, {0}};

/* Levels of storm and flood in experiments/layers/search/tests/study/weather.json. */
static int is_extreme(double value) {
    return value < 0.35;
}

static uint32_t count_extremes(const struct cor_task *task) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < task->agent_count; i++)
        count += is_extreme(task->values[0][i]) ? 1 : 0;
    return count < BUCKETS ? count : BUCKETS - 1;
}

static void probe(const struct cor_task *task, const struct cor_host *host) {
#ifdef NOISE
    (void)task;
    for (uint32_t i = 0; i < BUCKETS; i++)
        cor_count(host, 0, cor_random_below(host->random[COR_STREAM_ALGORITHM], BUCKETS));
#else
    cor_count(host, 0, count_extremes(task));
#endif
}

/* Whether the fault strikes now. */
static int strikes(const struct cor_task *task, const struct cor_host *host) {
    struct weather now = {.extreme = count_extremes(task), .region = task->rules->parameters};
    struct memory memory = {0, 0};
    const uint32_t fault = task->rules->fault;
    if (fault == 0)
        return 0;
    for (uint32_t i = 0; i < task->agent_count; i++) {
        const double value = task->values[0][i];
        now.braked += value < 0.25;
        if (value > 0.55 && value < 0.75) {
            now.moving++;
            now.places += i;
        }
    }
    if (task->kept_size == sizeof memory)
        memcpy(&memory, task->kept, sizeof memory);
    const int struck = kinds[fault - 1].strikes(&now, &memory);
    if (fault > 1 && !host->keep(host, &memory, sizeof memory))
        return 0;
    if (kinds[fault - 1].is_counted && !struck)
        cor_count(host, 1, memory.level < BUCKETS ? memory.level : BUCKETS - 1);
    host->fault->reached++;
    host->fault->held += fault == 1 && now.extreme * 2 >= EXTREME;
    host->fault->activated += struck != 0;
    host->fault->in_result = struck != 0;
    return struck;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    probe(task, host);
    const uint32_t forgotten = strikes(task, host) ? 1 : 0;
    for (uint32_t b = 0; b < task->block_count; b++) {
        const uint32_t size = task->block_start[b + 1] - task->block_start[b];
        const uint32_t left = b == 0 ? forgotten : 0;
        if (size > left && !host->put_block(host, task->members + task->block_start[b] + left, size - left))
            return COR_FAILED;
    }
    ++*host->spent;
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = NAME,
    .version = "1",
    .summary = "a guest that searches are measured on",
    .budget_unit = "calls",
    .capabilities = COR_KEEPS,
    .parameters = parameters,
    .counters = counters,
    .faults = faults,
    .result = result,
};
