/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program with one flaw, which one says the build. */
#include <corridor/process.h>

static void start(void *me, const struct cor_process_host *host, const struct cor_process_stored *stored) {
    (void)me, (void)host, (void)stored;
}

static void receive(void *me, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size) {
    (void)me, (void)host, (void)from, (void)kind, (void)bytes, (void)size;
}

static void observe(const void *me, union cor_process_value *values) {
    (void)me, (void)values;
}

#ifdef BAD_WORDS
#define WORDS 2
#else
#define WORDS 1
#endif

static const char *const words[] = {"red", "red"};
static const struct cor_process_attribute attributes[] = {
#ifdef BAD_NAME
    {.name = "no word"},
#elif defined BAD_TWICE
    {.name = "a"},
    {.name = "a"},
#elif defined BAD_TYPE
    {.name = "a", .type = 4},
#else
    {.name = "colour", .type = COR_PROCESS_WORD, .words = words, .word_count = WORDS},
#endif
};
static const struct cor_process_name faults[] = {{.name = "none"}};
#ifdef BAD_ALARMS
static const struct cor_process_name alarms[] = {{.name = "a"}, {.name = "b"}, {.name = "c"},
                                                 {.name = "d"}, {.name = "e"}, {.name = "f"},
                                                 {.name = "g"}, {.name = "h"}, {.name = "i"}};
#endif
static const struct cor_process_input inputs[] = {{.name = "x", .bytes = 5000}};

COR_EXPORT const struct cor_process corridor_process_1;
const struct cor_process corridor_process_1 = {
#ifdef BAD_MAJOR
    .magic = COR_PROCESS_MAGIC,
    .major = COR_PROCESS_MAJOR + 1,
    .struct_size = sizeof(struct cor_process),
#elif defined BAD_MINOR
    .magic = COR_PROCESS_MAGIC,
    .major = COR_PROCESS_MAJOR,
    .minor = COR_PROCESS_MINOR + 1,
    .struct_size = sizeof(struct cor_process),
#else
    COR_PROCESS,
#endif
#ifdef BAD_NAMELESS
    .name = "bad one",
#else
    .name = "bad",
#endif
    .version = "1",
    .start = start,
#ifndef BAD_FUNCTION
    .receive = receive,
#endif
    .observe = observe,
    .attributes = attributes,
#ifdef BAD_MANY
    .attribute_count = 33,
#else
    .attribute_count = sizeof attributes / sizeof *attributes,
#endif
#ifdef BAD_LIST
    .message_count = 1,
#endif
#ifdef BAD_ALARMS
    .alarms = alarms,
    .alarm_count = 9,
#endif
#ifdef BAD_FAULT
    .faults = faults,
    .fault_count = 1,
#endif
#ifdef BAD_BYTES
    .inputs = inputs,
    .input_count = 1,
#endif
#ifdef BAD_LEADER
    .leader_attribute = 7,
#endif
#ifdef BAD_STATE
    .state_size = (size_t)1 << 40,
#endif
};
