/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processes that tell all others again and again whom they hear. By a fault each finds itself wrong in a
 * partition of one shape: alone, in half of the network, as the bridge between two groups, in a ring; or where
 * what is said once is lost; or where somebody is never heard of again. */
#include <corridor/process.h>

#include <stddef.h>

enum { ALONE = 1, HALF, BRIDGE, RING, ONCE, GONE, SAID = 20, MISSED = 70, PERIOD = 20, PATIENCE = 70, LONG = 1000, ROUNDS = 12, PROCESSES = 16 };

static const struct cor_process_name faults[] = {{"alone", "wrong where it hears nobody"},
                                                 {"half", "wrong in the smaller half"},
                                                 {"bridge", "wrong where all whom it hears do not hear each other"},
                                                 {"ring", "wrong where each hears others"},
                                                 {"once", "wrong where it misses what is said once"},
                                                 {"gone", "wrong where somebody is gone for long"}};
static const struct cor_process_attribute attributes[] = {{.name = "heard", .type = COR_PROCESS_SET},
                                                          {.name = "rounds", .type = COR_PROCESS_COUNT},
                                                          {.name = "wrong", .type = COR_PROCESS_COUNT}};
static const struct cor_process_message messages[] = {{.name = "heard"}, {.name = "once"}};

struct island {
    uint64_t last[PROCESSES]; /* ticks; when it heard of each */
    uint32_t told[PROCESSES]; /* whom that one heard */
    uint32_t heard, same, rounds, wrong, once; /* once: those who said it */
};

static uint32_t size(uint32_t set) {
    return (uint32_t)__builtin_popcount(set);
}

/* Of those whom it hears: how many hear just as many as `of` says, and (others) not the same. */
static uint32_t hear(const struct island *island, uint32_t self, uint32_t of, int others) {
    uint32_t count = 0;
    for (uint32_t left = island->heard & ~(1u << self); left != 0; left &= left - 1) {
        const uint32_t told = island->told[__builtin_ctz(left)];
        count += size(told) == of && (told != island->heard) == others;
    }
    return count;
}

static int is_wrong(const struct island *island, const struct cor_process_host *host) {
    const uint32_t count = host->count, heard = size(island->heard), self = host->self;
    switch (island->same < ROUNDS && host->fault < ONCE ? 0 : host->fault) {
    case ALONE:
        return heard == 1;
    case HALF:
        return heard == count / 2 && hear(island, self, heard, 0) == heard - 1;
    case BRIDGE: /* all five: two groups of three */
        return heard == count && hear(island, self, count / 2 + 1, 1) == count - 1;
    case RING:
        return heard == count / 2 + 1 && hear(island, self, heard, 1) == heard - 1;
    case ONCE:
        return island->rounds == MISSED && size(island->once) < count - 1;
    case GONE:
        for (uint32_t p = 0; p < count; p++)
            if (island->last[p] > 0 && island->last[p] + LONG < host->now(host))
                return 1;
    }
    return 0;
}

static void alarm_is_due(void *me, const struct cor_process_host *host, uint32_t which) {
    struct island *island = me;
    const uint64_t now = host->now(host);
    uint32_t heard = 1u << host->self;
    for (uint32_t p = 0; p < host->count; p++)
        heard |= island->last[p] > 0 && island->last[p] + PATIENCE >= now ? 1u << p : 0;
    island->same = heard == island->heard ? island->same + 1 : 0;
    island->heard = heard;
    island->rounds++;
    island->wrong += is_wrong(island, host) != 0;
    for (uint32_t p = 0; p < host->count; p++)
        if (p != host->self)
            host->send(host, p, island->rounds == SAID, &heard, sizeof heard);
    host->set_alarm(host, which, PERIOD);
}

static void start(void *me, const struct cor_process_host *host, const struct cor_process_stored *stored) {
    (void)me, (void)stored;
    host->set_alarm(host, 0, PERIOD);
}

static void receive(void *me, const struct cor_process_host *host, uint32_t from, uint32_t kind, const void *bytes,
                    uint32_t bytes_count) {
    struct island *island = me;
    const uint32_t *heard = bytes;
    (void)bytes_count;
    island->once |= kind << from;
    island->last[from] = host->now(host);
    island->told[from] = *heard;
}

static void observe(const void *me, union cor_process_value *values) {
    const struct island *island = me;
    values[0].count = island->heard;
    values[1].count = island->rounds;
    values[2].count = island->wrong;
}

COR_EXPORT const struct cor_process corridor_process_1;
const struct cor_process corridor_process_1 = {COR_PROCESS,
                                               .name = "islands",
                                               .version = "1",
                                               .state_size = sizeof(struct island),
                                               .attributes = attributes,
                                               .attribute_count = 3,
                                               .leader_attribute = 3, /* none */
                                               .messages = messages,
                                               .message_count = 2,
                                               .faults = faults,
                                               .fault_count = 6,
                                               .start = start,
                                               .receive = receive,
                                               .alarm = alarm_is_due,
                                               .observe = observe};
