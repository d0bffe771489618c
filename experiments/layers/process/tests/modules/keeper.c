/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processes that count what comes to them, each where its fault has it: in memory of the host's, or where no
 * process should keep anything. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <corridor/process.h>

#include <fenv.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { SOUND, VARIABLE, HEAP, LIBRARY, ASKS, PROTECTS, SHARES, ROUNDS, DIES, SPOILS, SPAN = 20 };

static const struct cor_process_name faults[] = {{"variable", "in a static variable"},
                                                 {"heap", "in memory of malloc's"},
                                                 {"library", "in the random numbers of the C library"},
                                                 {"asks", "nowhere, but it asks the system"},
                                                 {"protects", "in memory of malloc's, which it opens"},
                                                 {"shares", "in memory that processes would share"},
                                                 {"rounds", "in how the machine rounds"},
                                                 {"dies", "as it should, until it ends its process"},
                                                 {"spoils", "as it should, and spoils what was answered"}};
static const struct cor_process_attribute attributes[] = {{.name = "n"}};
static const struct cor_process_message messages[] = {{.name = "count"}};
static const struct cor_process_name alarms[] = {{"more", "is due again and again"}};
static const struct cor_process_input inputs[] = {{.name = "ask", .weight = 1}};

struct me {
    uint64_t n, *kept;
};

static uint64_t variable;

/* What others could see, too: of the process of that number; at a place that no law chooses. */
static uint64_t *shared_memory(uint32_t self) {
    uint64_t *const place = (uint64_t *)(uintptr_t)0x100000000000;
    static bool is_there; /* changes once, before there are snapshots */
    if (!is_there)
        mmap(place, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    is_there = true;
    return &place[self];
}

/* All that is shared and is as large as a desk is spoilt, but for its beginning: answers that nobody has read
 * yet, and questions to come. */
static void spoil(bool now) {
    static volatile unsigned char *desks[8]; /* known before there are snapshots */
    static int desk_count = -1;
    unsigned long start, end;
    char line[512], rights[5];
    FILE *maps = desk_count < 0 ? fopen("/proc/self/maps", "r") : NULL;
    for (desk_count += desk_count < 0; maps && fgets(line, sizeof line, maps);)
        if (sscanf(line, "%lx-%lx %4s", &start, &end, rights) == 3 && strcmp(rights, "rw-s") == 0 &&
            end - start > 400000 && end - start < 4000000 && desk_count < 8)
            desks[desk_count++] = (void *)start;
    if (maps)
        fclose(maps);
    for (int d = 0; d < desk_count && now; d++)
        for (uint32_t at = 8192; at < 350000; at += 256)
            desks[d][at] ^= 0x5A;
}

static void count(struct me *me, const struct cor_process_host *host, uint64_t by) {
    if (host->fault == VARIABLE)
        by += ++variable % 3;
    if (host->fault == LIBRARY)
        by += (uint64_t)rand() % 3;
    if (host->fault == ASKS) {
        struct timespec pause = {0, 1};
        nanosleep(&pause, &pause);
    }
    if (host->fault == SHARES)
        by += ++*shared_memory(host->self);
    if (host->fault == ROUNDS) {
        volatile double one = 1, three = 3;
        by += one / three > 0.33333333333333333 ? 7 : 0;
        fesetround(by % 2 ? FE_UPWARD : FE_TONEAREST);
    }
    *me->kept = (*me->kept * 31 + by) % 1000003;
    me->n = *me->kept;
    if (host->fault == DIES && me->n % 200 == 7)
        _exit(3);
    if (host->fault == SPOILS)
        spoil(me->n % 200 == 7);
}

/* A page of malloc's that can be written, whatever is closed around it. */
static uint64_t *open_memory(void) {
    void *page = aligned_alloc(4096, 4096);
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
    return memset(page, 0, 4096);
}

static void start(void *memory, const struct cor_process_host *host,
                  const struct cor_process_stored *stored) {
    struct me *me = memory;
    (void)stored;
    me->kept = host->fault == HEAP       ? calloc(1, 4096)
               : host->fault == PROTECTS ? open_memory()
                                         : host->alloc(host, 4096);
    if (host->fault == SHARES)
        *shared_memory(host->self) = 0;
    host->set_alarm(host, 0, SPAN);
}

static void receive(void *memory, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size) {
    uint64_t by = 0;
    (void)kind;
    memcpy(&by, bytes, size < sizeof by ? size : sizeof by);
    count(memory, host, by + from);
}

static void alarm_is_due(void *memory, const struct cor_process_host *host, uint32_t which) {
    struct me *me = memory;
    uint64_t *more = host->alloc(host, 1 + host->random(host) % 9000);
    *more = which;
    count(me, host, host->random(host) % 5 + *more);
    host->send(host, (host->self + 1) % host->count, 0, &me->n, sizeof me->n);
    host->set_alarm(host, 0, SPAN + host->random(host) % SPAN);
    if (host->random(host) % 2)
        host->release(host, more);
}

static void input(void *memory, const struct cor_process_host *host, uint32_t which, const void *bytes,
                  uint32_t size) {
    (void)which, (void)bytes, (void)size;
    count(memory, host, 1);
}

static void observe(const void *memory, union cor_process_value *values) {
    values[0].count = ((const struct me *)memory)->n;
}

COR_EXPORT const struct cor_process corridor_process_1;
const struct cor_process corridor_process_1 = {
    COR_PROCESS,
    .name = "keeper",
    .version = "1",
    .state_size = sizeof(struct me),
    .attributes = attributes,
    .attribute_count = 1,
    .messages = messages,
    .message_count = 1,
    .inputs = inputs,
    .input_count = 1,
    .faults = faults,
    .fault_count = sizeof faults / sizeof *faults,
    .leader_attribute = 1,
    .alarms = alarms,
    .alarm_count = 1,
    .start = start,
    .receive = receive,
    .alarm = alarm_is_due,
    .input = input,
    .observe = observe,
};
