/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process that climbs: at each alarm, once in a case, it is one step higher or, by lot, back at the bottom,
 * and a crash throws it back there, too. How probable it is that it comes to a height within so many cases,
 * in weather in which crashes are more and less frequent, is known exactly (climb_law.py). */
#include <corridor/process.h>

#define SPAN 1000 /* ticks of a case */

struct me {
    uint64_t height;
};

static void start(void *memory, const struct cor_process_host *host,
                  const struct cor_process_stored *stored) {
    (void)memory, (void)stored;
    host->set_alarm(host, 0, SPAN);
}

static void receive(void *memory, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size) {
    (void)memory, (void)host, (void)from, (void)kind, (void)bytes, (void)size;
}

static void alarm_is_due(void *memory, const struct cor_process_host *host, uint32_t which) {
    struct me *me = memory;
    (void)which;
    me->height = host->random(host) >> 63 == 0 ? 0 : me->height + 1; /* one of two falls */
    host->set_alarm(host, 0, SPAN);
}

static void observe(const void *memory, union cor_process_value *values) {
    const struct me *me = memory;
    values[0].count = me->height;
}

static const struct cor_process_attribute attributes[] = {{.name = "height"}};

COR_EXPORT const struct cor_process corridor_process_1;
const struct cor_process corridor_process_1 = {
    COR_PROCESS,
    .name = "climb",
    .version = "1",
    .state_size = sizeof(struct me),
    .attributes = attributes,
    .attribute_count = 1,
    .leader_attribute = 1,
    .start = start,
    .receive = receive,
    .alarm = alarm_is_due,
    .observe = observe,
};
