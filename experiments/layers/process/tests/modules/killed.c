/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that is killed, which nobody can catch, by an input whose random byte says so: some schedules
 * live. */
#include <corridor/process.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAULT_NONE, KILLED };

struct me {
    uint64_t heard;
};

static void start(void *memory, const struct cor_process_host *host,
                  const struct cor_process_stored *stored) {
    (void)memory;
    (void)host;
    (void)stored;
}

static void receive(void *memory, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size) {
    struct me *me = memory;
    (void)host;
    (void)from;
    (void)kind;
    (void)bytes;
    (void)size;
    me->heard++;
}

static void input(void *memory, const struct cor_process_host *host, uint32_t which, const void *bytes,
                  uint32_t size) {
    unsigned char byte = 0;
    (void)memory;
    (void)which;
    if (size > 0)
        memcpy(&byte, bytes, 1);
    if (byte < 16 && host->fault == KILLED)
        kill(getpid(), SIGKILL);
    for (uint32_t p = 0; p < host->count; p++)
        host->send(host, p, 0, &byte, 1);
}

static void observe(const void *memory, union cor_process_value *values) {
    values[0].count = ((const struct me *)memory)->heard;
}

static const struct cor_process_attribute attributes[] = {{.name = "heard"}};
static const struct cor_process_message messages[] = {{.name = "word"}};
static const struct cor_process_input inputs[] = {{.name = "speak", .weight = 1, .bytes = 1}};
static const struct cor_process_name faults[] = {{"killed", "its process is killed"}};

COR_EXPORT const struct cor_process corridor_process_1;
const struct cor_process corridor_process_1 = {
    COR_PROCESS,
    .name = "killed",
    .version = "1",
    .state_size = sizeof(struct me),
    .attributes = attributes,
    .attribute_count = 1,
    .messages = messages,
    .message_count = 1,
    .inputs = inputs,
    .input_count = 1,
    .faults = faults,
    .fault_count = 1,
    .leader_attribute = 1,
    .start = start,
    .receive = receive,
    .input = input,
    .observe = observe,
};
