/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dijkstra's ring over messages in C, which says what it keeps; and what such a program may not do, by faults. */
#include <corridor/process.h>

#include <stddef.h>

enum { VALUES = 5, FEW = 1, ROOT_ADDS, LOOKS, DRAWS, WRITES, KEEPS, REMEMBERS, LEAVES, COMPLAINS, FROM_MAIL };

static const struct cor_process_name faults[] = {{"few", "three values"},
                                                 {"root_adds", "the root adds whatever comes"},
                                                 {"looks", "looks at the clock"},
                                                 {"draws", "draws a random number"},
                                                 {"writes", "writes to a cell"},
                                                 {"keeps", "counts its calls in a static variable"},
                                                 {"remembers", "keeps what came last where nobody sees it"},
                                                 {"leaves", "leaves its domain"},
                                                 {"complains", "finds itself broken"},
                                                 {"from_mail", "the root never sends: what is under way is declared"}};
static const struct cor_process_name variables[] = {{"x", "a number"}};
static const struct cor_process_attribute attributes[] = {
    {.name = "x", .type = COR_PROCESS_COUNT}, {.name = "me", .type = COR_PROCESS_COUNT}};
static const struct cor_process_message messages[] = {{.name = "value"}};

struct ring {
    uint32_t x, last, me;
    uint32_t *kept; /* in memory of the host's */
};

static uint32_t values(const struct cor_process_host *host) {
    return host->fault == FEW ? 3 : VALUES;
}

static uint32_t domain(const struct cor_process_host *host, uint32_t variable) {
    (void)variable;
    return values(host);
}

static void start(void *me, const struct cor_process_host *host, const struct cor_process_stored *stored) {
    struct ring *ring = me;
    (void)stored;
    ring->me = host->self;
    ring->kept = host->resize(host, host->alloc(host, sizeof *ring->kept), 2 * sizeof *ring->kept);
    host->set_alarm(host, 0, 10);
}

static void alarm_is_due(void *me, const struct cor_process_host *host, uint32_t which) {
    const struct ring *ring = me;
    (void)which;
    if (host->fault == FROM_MAIL && host->self == 0 && host->count > 1)
        return;
    host->send(host, (host->self + 1) % host->count, 0, &ring->x, sizeof ring->x);
    host->set_alarm(host, 0, 10);
}

static void receive(void *me, const struct cor_process_host *host, uint32_t from, uint32_t kind, const void *bytes,
                    uint32_t size) {
    static uint32_t calls; /* what a process may not have */
    struct ring *ring = me;
    const uint32_t *value = bytes;
    (void)from, (void)kind, (void)size;
    calls++;
    switch (host->fault) {
    case LOOKS:
        host->now(host);
        break;
    case DRAWS:
        host->random(host);
        break;
    case WRITES:
        host->cell(host, 0, bytes, size);
        break;
    case KEEPS:
        if (calls % 7 == 0)
            return;
        break;
    case REMEMBERS:
        if (ring->last == 2)
            host->set_alarm(host, 1, 3);
        ring->kept[1] = ring->last = *value;
        break;
    case LEAVES:
        ring->x = VALUES + 1;
        return;
    case COMPLAINS:
        host->complain(host, "broken");
    }
    if (host->self > 0)
        ring->x = *value;
    else if (*value == ring->x || host->fault == ROOT_ADDS)
        ring->x = (ring->x + 1) % values(host);
}

static void observe(const void *me, union cor_process_value *shown) {
    const struct ring *ring = me;
    shown[0].count = ring->x;
    shown[1].count = ring->me;
}

static void save(const void *me, uint32_t *to) {
    const struct ring *ring = me;
    to[0] = ring->x;
}

static void restore(void *me, const struct cor_process_host *host, const uint32_t *from) {
    struct ring *ring = me;
    (void)host;
    ring->x = from[0];
}

static uint32_t mail(const struct cor_process_host *host, uint32_t kind, uint32_t number, void *bytes) {
    uint32_t *value = bytes;
    (void)kind;
    *value = number;
    return number < values(host) ? (uint32_t)sizeof number : UINT32_MAX;
}

COR_EXPORT const struct cor_process corridor_process_1;
const struct cor_process corridor_process_1 = {
    COR_PROCESS,
    .name = "ring_messages",
    .version = "1",
    .state_size = sizeof(struct ring),
    .attributes = attributes,
    .attribute_count = 2,
    .messages = messages,
    .message_count = 1,
    .faults = faults,
    .fault_count = sizeof faults / sizeof *faults,
    .leader_attribute = 2,
    .start = start,
    .receive = receive,
    .alarm = alarm_is_due,
    .observe = observe,
    .variables = variables,
    .variable_count = 1,
    .domain = domain,
    .save = save,
    .restore = restore,
    .mail = mail,
};
