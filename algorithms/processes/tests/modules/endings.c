/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program whose faults are the ways in which programs end by themselves, each in the call that its input
 * makes. A module: what it calls of the C library is found as by any other. */
#include <corridor/process.h>

#include <assert.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct me {
    uint32_t colour, friends, count;
    double share;
    void *block;
};

static volatile int nothing, deepest;
static volatile int slow_once = 1; /* a machine that was busy, once */

static int sink(volatile int depth) {
    volatile char room[512];
    room[0] = (char)depth;
    deepest = depth;
    return depth < 0 ? 0 : sink(depth + 1) + room[0];
}

static void hang(void) {
    while (!nothing)
        ;
}

static void hang_once(void) {
    if (slow_once) {
        slow_once = 0;
        hang();
    }
}

/* Until it is stopped, which may be sooner or later. */
static void go_on(const struct cor_process_host *host) {
    while (!nothing) {
        for (volatile int i = 0; i < 10000; i++)
            ;
        host->tell(host, 0, 1, 2);
        host->send(host, 0, 0, "", 1);
    }
}

static void check(void) {
    assert(nothing == 1);
}

static void raise_by_hand(int number) {
    kill(getpid(), number);
}

#define DEEDS(X)                                                                      \
    X(null, *(volatile int *)(uintptr_t)(8 + (unsigned)nothing) = 1)                  \
    X(wild, **(volatile int **)me->block = 1)                                         \
    X(stack, sink(0))                                                                 \
    X(arithmetic, raise_by_hand(SIGFPE))                                              \
    X(instruction, raise_by_hand(SIGILL))                                             \
    X(bus, raise_by_hand(SIGBUS))                                                     \
    X(abort, abort())                                                                 \
    X(assertion, check())                                                             \
    X(exit, exit(3))                                                                  \
    X(exit_at_once, _Exit(4))                                                         \
    X(hang, hang())                                                                   \
    X(busy, go_on(host))                                                              \
    X(slow, hang_once())                                                              \
    X(chatter, for (;;) host->now(host))                                              \
    X(complaint, host->complain(host, "the log has a hole"))                          \
    X(nobody, host->send(host, 7, 0, "", 0))                                          \
    X(kind, host->send(host, 0, 1, "", 0))                                            \
    X(long_message, host->send(host, 0, 0, me, COR_PROCESS_MESSAGE_BYTES_MAX + 1))    \
    X(no_message, host->send(host, 0, 0, NULL, 4))                                    \
    X(bad_message, host->send(host, 0, 0, (const void *)(uintptr_t)64, 4))            \
    X(alarm, host->set_alarm(host, 8, 5))                                             \
    X(cell, host->cell(host, 16, "", 0))                                              \
    X(long_cell, host->cell(host, 2, me, 257))                                        \
    X(store, for (int i = 0; i < 30; i++) host->write(host, 1, 2, me->block, 100000)) \
    X(channel, host->tell(host, 1, 0, 0))                                             \
    X(twice, host->release(host, me->block); host->release(host, me->block))          \
    X(foreign, host->resize(host, me, 100))                                           \
    X(memory, for (int i = 0; i < 100; i++)(void) host->alloc(host, 50000))           \
    X(word, me->colour = 2)                                                           \
    X(set, me->friends = 4)                                                           \
    X(number, me->share = NAN)                                                        \
    X(observe_hang, me->colour = 1)

#define NAME(name, ...) {#name, NULL},
static const struct cor_process_name deeds[] = {DEEDS(NAME){NULL, NULL}};
#undef NAME
enum {
    NO_DEED,
#define NUMBER(name, ...) DEED_##name,
    DEEDS(NUMBER)
#undef NUMBER
};

static void start(void *memory, const struct cor_process_host *host,
                  const struct cor_process_stored *stored) {
    struct me *me = memory;
    (void)stored;
    me->block = host->alloc(host, 100000);
    memset(me->block, 0xDB, 100000);
}

static void receive(void *memory, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size) {
    (void)memory, (void)host, (void)from, (void)kind, (void)bytes, (void)size;
}

static void alarm_due(void *memory, const struct cor_process_host *host, uint32_t which) {
    (void)memory, (void)host, (void)which;
}

static void completed(void *memory, const struct cor_process_host *host, uint64_t ticket, uint32_t status) {
    (void)memory, (void)host, (void)ticket, (void)status;
}

static void input(void *memory, const struct cor_process_host *host, uint32_t which, const void *bytes,
                  uint32_t size) {
    struct me *me = memory;
    (void)which, (void)bytes, (void)size;
    me->count++;
    switch (host->fault) {
#define DO(name, ...) \
    case DEED_##name: \
        __VA_ARGS__;  \
        break;
        DEEDS(DO)
#undef DO
    default:
        break;
    }
    if (host->fault == DEED_observe_hang)
        me->count = 1000;
}

static void observe(const void *memory, union cor_process_value *values) {
    const struct me *me = memory;
    if (me->count == 1000)
        hang();
    values[0].count = me->colour;
    values[1].count = me->friends;
    values[2].real = me->share;
    values[3].count = me->count;
}

static const char *const words[] = {"red", "green"};
static const struct cor_process_attribute attributes[] = {
    {.name = "colour", .type = COR_PROCESS_WORD, .words = words, .word_count = 2},
    {.name = "friends", .type = COR_PROCESS_SET},
    {.name = "share", .type = COR_PROCESS_REAL},
    {.name = "count"},
};
static const struct cor_process_name channels[] = {{.name = "told"}};
static const struct cor_process_message messages[] = {{.name = "m"}};
static const struct cor_process_input inputs[] = {{.name = "do", .weight = 1}};

COR_EXPORT const struct cor_process corridor_process_1;
const struct cor_process corridor_process_1 = {
    COR_PROCESS,
    .name = "endings",
    .version = "1",
    .state_size = sizeof(struct me),
    .attributes = attributes,
    .attribute_count = 4,
    .channels = channels,
    .channel_count = 1,
    .messages = messages,
    .message_count = 1,
    .inputs = inputs,
    .input_count = 1,
    .faults = deeds,
    .fault_count = sizeof deeds / sizeof *deeds - 1,
    .leader_attribute = 4,
    .start = start,
    .receive = receive,
    .alarm = alarm_due,
    .completed = completed,
    .input = input,
    .observe = observe,
};
