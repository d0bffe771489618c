/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A centralised algorithm that keeps to plugin.h, but for one thing: MISDEED. The agents are dealt anew, as a
 * draw says, over the present partitions. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <corridor/plugin.h>

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum misdeed {
    HONEST,
    USES_RAND,
    KEEPS_STATICS,
    USES_TIME,
    USES_CLOCK,
    USES_ADDRESS_OF_LOCAL,
    USES_ADDRESS_OF_CODE,
    USES_FRESH_MEMORY,
    USES_ENVIRONMENT,
    COUNTS_STEPS,
    IGNORES_BUDGET,
    FORGETS_AGENT,
    REPEATS_AGENT,
    INVENTS_AGENT,
    FAILS_SILENTLY,
    CRASHES_WITH_MANY,
    EXITS_WITH_MANY,
    HANGS_WITH_MANY,
    NAPS_WITH_MANY,
    IGNORES_LIMITS,
    MISUSES_PARAMETER,
    DROPS_NAN,
    MISCOUNTS_FAULT,
    FAULT_SHOWS_EARLY,
    COUNTS_BEYOND,
    LOOK_CHANGES_RESULT,
    LOOK_SHOWS_NOTHING,
    KEEPS_BEHIND_THE_BACK,
    HONEST_KEEPS,
    CRASHES_WHEN_GARBLED,
    HANGS_WHEN_GARBLED,
    CRASHES_WHEN_MIXED,
    TRUSTS_ALLOC,
    WRITES_TASK,
    WRITES_RULES,
    READS_BEYOND,
    EXITS_WHEN_LOADED,
    CRASHES_WHEN_LOADED,
    GROWS_WHEN_LOADED
};

enum { UNITS = 100 };
#define IS_KEEPER (MISDEED >= HONEST_KEEPS && MISDEED <= CRASHES_WHEN_MIXED)

struct work {
    uint64_t shift, left, steps;
    uint32_t looks;
    double *scratch;
};

/* Statics are misdeeds themselves. */
static uint64_t before;

#if MISDEED_LOADS
static __attribute__((constructor)) void when_loaded(void) {
    if (MISDEED == EXITS_WHEN_LOADED)
        exit(0);
    /* Of address space, which costs nothing; there is more of it than a process may have here. */
    if (MISDEED == GROWS_WHEN_LOADED &&
        mmap(NULL, (size_t)1 << 40, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
            MAP_FAILED)
        exit(0);
    abort();
}
#endif

static __attribute__((noinline)) uint64_t address_of_local(void) {
    volatile char local = 0;
    return (uint64_t)(uintptr_t)&local / 16 + (uint64_t)local;
}

static uint64_t text_sum(const char *text) {
    uint64_t sum = 0;
    while (text && *text)
        sum = sum * 31 + (unsigned char)*text++;
    return sum;
}

static uint64_t fresh_memory(void) {
    void *volatile memory = malloc(64); /* volatile: compilers see what is wrong here, and say so */
    const unsigned char *bytes = memory;
    uint64_t sum = bytes ? bytes[40] : 0u;
    free(memory);
    return sum;
}

static enum cor_progress begin(void *state, const struct cor_task *task, const struct cor_host *host);

/* What no outcome may depend on. */
static uint64_t forbidden(const struct cor_task *task) {
    struct timespec now = {0};
    switch ((enum misdeed)MISDEED) {
    case USES_RAND:
        return (uint64_t)rand();
    case KEEPS_STATICS:
        return before++;
    case USES_TIME:
        return (uint64_t)time(NULL);
    case USES_CLOCK:
        clock_gettime(CLOCK_REALTIME, &now);
        return (uint64_t)now.tv_nsec;
    case USES_ADDRESS_OF_LOCAL:
        return address_of_local();
    case USES_ADDRESS_OF_CODE:
        return (uint64_t)(uintptr_t)begin / 4096;
    case USES_FRESH_MEMORY:
        return fresh_memory();
    case USES_ENVIRONMENT:
        return text_sum(getenv("TZ"));
    case KEEPS_BEHIND_THE_BACK:
        before = task->kept_size == 0 ? 0 : before + 1;
        return before;
    default:
        return 0;
    }
}

static enum cor_progress begin(void *state, const struct cor_task *task, const struct cor_host *host) {
    struct work *work = state;
    work->shift = cor_random_below(host->random[COR_STREAM_ALGORITHM], 1000);
    work->shift += forbidden(task);
    work->left = UNITS;
    /* What was kept is the shift, twice. Whoever trusts that finds it otherwise after a fault. */
    const uint64_t *kept = task->kept_size == 2 * sizeof *kept ? task->kept : NULL;
    if (kept && (MISDEED == CRASHES_WHEN_GARBLED ? kept[0] >= 1000
                                                 : MISDEED == CRASHES_WHEN_MIXED && kept[0] != kept[1]))
        raise(SIGSEGV);
    volatile int endless = MISDEED == HANGS_WHEN_GARBLED && kept && kept[0] >= 1000;
    while (endless)
        ;
    work->scratch = host->alloc(host, task->agent_count * sizeof *work->scratch);
    if (MISDEED != TRUSTS_ALLOC && !work->scratch)
        return COR_FAILED;
    memset(work->scratch, 0, task->agent_count * sizeof *work->scratch);
    if (MISDEED == WRITES_TASK)
        ((volatile double *)(uintptr_t)task->values[0])[0] = task->values[0][0];
    if (MISDEED == WRITES_RULES)
        ((volatile struct cor_rules *)(uintptr_t)task->rules)->threshold = task->rules->threshold;
    if (MISDEED == READS_BEYOND)
        work->scratch[0] = ((const volatile double *)task->values[0])[task->agent_count];
    if (task->rules->fault == 1) {
        host->fault->reached++;
        if (MISDEED == MISCOUNTS_FAULT)
            host->fault->activated++;
        if (MISDEED == FAULT_SHOWS_EARLY)
            work->shift++;
    }
    return COR_CONTINUE;
}

static enum cor_progress step(void *state, const struct cor_task *task, const struct cor_host *host,
                              uint64_t units) {
    struct work *work = state;
    uint64_t used = units < work->left ? units : work->left;
    (void)task;
    if (MISDEED == IGNORES_BUDGET)
        used = work->left;
    if (MISDEED == COUNTS_STEPS)
        work->steps++;
    cor_count(host, 0, MISDEED == COUNTS_BEYOND ? 2 : 1);
    work->left -= used;
    *host->spent += used;
    return work->left > 0 ? COR_CONTINUE : COR_DONE;
}

/* Whether the present structure is within the limits. */
static int is_within(const struct cor_task *task) {
    const struct cor_rules *rules = task->rules;
    int within = task->block_count >= rules->count_min && task->block_count <= rules->count_max;
    for (uint32_t b = 0; b < task->block_count; b++) {
        uint32_t size = task->block_start[b + 1] - task->block_start[b];
        within = within && size >= rules->size_min && size <= rules->size_max;
    }
    return within;
}

static void many(uint32_t agent_count) {
    if (agent_count != 64)
        return;
    if (MISDEED == CRASHES_WITH_MANY)
        raise(SIGSEGV);
    if (MISDEED == EXITS_WITH_MANY)
        exit(0);
    volatile int endless = MISDEED == HANGS_WITH_MANY;
    while (endless)
        ;
    while (MISDEED == NAPS_WITH_MANY)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

/* The member at a place of the dealt agents; what it is worth, the last aside. */
static uint32_t member_at(const struct cor_task *task, uint64_t shift, uint32_t place) {
    uint32_t n = task->agent_count;
    uint32_t agent = task->members[(place + shift) % n];
    int chosen = n == 7 && task->rules->budget == 400;
    if (chosen && MISDEED == REPEATS_AGENT && place == 6)
        return task->members[(5 + shift) % n];
    if (chosen && MISDEED == INVENTS_AGENT && place == 6)
        return n + 12;
    return agent;
}

/* Agents that are left out: none, for who keeps to the contract. */
static int is_left_out(const struct cor_task *task, uint32_t agent) {
    if (MISDEED == FORGETS_AGENT)
        return agent == 6 && task->agent_count == 7 && task->rules->budget == 400;
    if (MISDEED == MISUSES_PARAMETER)
        return agent == 3 && task->rules->parameters[0] == 8;
    if (MISDEED == DROPS_NAN)
        return isnan(task->values[0][agent]);
    return 0;
}

static void put_blocks(const struct cor_task *task, uint64_t shift, const struct cor_host *host) {
    uint32_t *block = host->alloc(host, task->agent_count * sizeof *block);
    if (!block)
        return;
    if (MISDEED == IGNORES_LIMITS && !is_within(task)) {
        host->put_block(host, task->members, task->agent_count);
        return;
    }
    for (uint32_t b = 0; b < task->block_count; b++) {
        uint32_t count = 0;
        for (uint32_t i = task->block_start[b]; i < task->block_start[b + 1]; i++) {
            uint32_t agent = member_at(task, shift, i);
            if (!is_left_out(task, agent))
                block[count++] = agent;
        }
        if (count > 0)
            host->put_block(host, block, count);
    }
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    struct work *work = state;
    uint64_t shift = work->shift + work->steps + (MISDEED == LOOK_CHANGES_RESULT ? work->looks++ : 0);
    many(task->agent_count);
    if (MISDEED == FAILS_SILENTLY && task->agent_count == 7 && task->rules->budget == 400)
        return COR_FAILED;
    if (MISDEED == LOOK_SHOWS_NOTHING && work->left > 0 && task->rules->budget == 400)
        return COR_DONE;
    put_blocks(task, shift, host);
    if (MISDEED == KEEPS_BEHIND_THE_BACK)
        host->keep(host, &shift, 1);
    if (IS_KEEPER)
        host->keep(host, (const uint64_t[]){work->shift, work->shift}, 2 * sizeof work->shift);
    return COR_DONE;
}

static void garble(void *kept, uint32_t size, struct cor_random *random) {
    unsigned char *bytes = kept;
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)cor_random_below(random, 256);
}

static const struct cor_parameter parameters[] = {{"width", "1", "nothing depends on it", 4, 1, 8, 1}, {0}};
static const struct cor_counter counters[] = {
    {"steps", "steps, in the second bucket", 2}, {"more", "nothing is counted", 4}, {0}};
static const struct cor_fault faults[] = {{"idle", "is reached, and strikes never"}, {0}};

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "works",
    .version = "1.0",
    .summary = "deals agents over the present partitions",
    .budget_unit = "units",
    .state_size = sizeof(struct work),
    .capabilities =
        (MISDEED == HONEST || MISDEED == LOOK_CHANGES_RESULT || MISDEED == LOOK_SHOWS_NOTHING ? COR_ANYTIME
                                                                                              : 0) |
        (MISDEED == IGNORES_LIMITS ? COR_LIMITS : 0) |
        (MISDEED == KEEPS_BEHIND_THE_BACK || IS_KEEPER ? COR_KEEPS : 0),
    .garble = IS_KEEPER && MISDEED != CRASHES_WHEN_MIXED ? garble : NULL,
    .parameters = parameters,
    .counters = counters,
    .faults = faults,
    .begin = begin,
    .step = step,
    .result = result};
