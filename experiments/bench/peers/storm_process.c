/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The storm of pings as processes of Corridor. */
#include "storm.h"

#include <corridor/process.h>

struct storm {
    uint32_t sent, answered;
};

static void ping(struct storm *me, const struct cor_process_host *host) {
    if (me->sent == STORM_PINGS)
        return;
    const uint32_t number = me->sent++;
    host->send(host, storm_receiver(host->self, number), STORM_PING, &number, sizeof number);
}

static void start(void *memory, const struct cor_process_host *host,
                  const struct cor_process_stored *stored) {
    (void)stored;
    for (uint32_t i = 0; i < STORM_AT_A_TIME; i++)
        ping(memory, host);
}

static void receive(void *memory, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size) {
    struct storm *me = memory;
    if (kind == STORM_PING) {
        host->send(host, from, STORM_ANSWER, bytes, size);
        return;
    }
    me->answered++;
    ping(me, host);
}

static void observe(const void *memory, union cor_process_value *values) {
    const struct storm *me = memory;
    values[0].count = me->answered;
}

static const struct cor_process_attribute attributes[] = {{.name = "answered", .type = COR_PROCESS_COUNT}};
static const struct cor_process_message messages[] = {{.name = "ping"}, {.name = "answer"}};

COR_EXPORT const struct cor_process corridor_process_1;
const struct cor_process corridor_process_1 = {
    COR_PROCESS,
    .name = "storm",
    .version = "1",
    .state_size = sizeof(struct storm),
    .attributes = attributes,
    .attribute_count = 1,
    .leader_attribute = 1, /* none */
    .messages = messages,
    .message_count = 2,
    .start = start,
    .receive = receive,
    .observe = observe,
};
