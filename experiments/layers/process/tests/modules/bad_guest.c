/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program whose faults are what no guest may do, each in the call in which it harms most. A deed that is
 * forbidden and has no other trace is told by what it shows: `got` is how often it succeeded. Without a fault
 * it is sound, and has all that a program has. A copy of the file called bad_guest_DEED.so does that deed
 * without a fault. */
#define _GNU_SOURCE /* syscall, clock, dladdr */
#include <corridor/process.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MEMORY_MOST ((size_t)2 << 30) /* bytes that it takes at most, wherever it runs */
#define FORKS_MOST 12
#define PRINTS ((size_t)10 << 20)
#define FOREIGN 7 /* of its block, which nobody writes */

struct me {
    uint64_t heard, got, stored;
    uint64_t *block;
};

static volatile int nothing, deepest;
static jmp_buf away;       /* to nowhere: nobody sets it */
static uint64_t *kept[8];  /* [process] a pointer that outlives a crash, */
static uint64_t schedules; /* and what outlives even a schedule */

static void hang(void) {
    while (!nothing)
        ;
}

static int sink(volatile int depth) {
    volatile char room[512];
    room[0] = (char)depth;
    deepest = depth;
    return depth < 0 ? 0 : sink(depth + 1) + room[0];
}

static uint64_t is_open(const char *path, int how) {
    const int file = open(path, how | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
    return (uint64_t)(file >= 0);
}

static uint64_t reads(void) {
    return is_open("/etc/passwd", O_RDONLY) + is_open("/etc/group", O_RDONLY);
}

static uint64_t writes(void) {
    return is_open("/tmp/corridor-bad-guest", O_WRONLY | O_CREAT) +
           is_open("bad_guest.txt", O_WRONLY | O_CREAT) + (uint64_t)(chmod("/tmp", 01777) == 0);
}

static uint64_t connects(void) {
    const int line = socket(AF_INET, SOCK_STREAM, 0);
    const long shared = syscall(SYS_memfd_create, "bad_guest", 0);
    if (line >= 0)
        close(line);
    if (shared >= 0)
        close((int)shared);
    return (uint64_t)((line >= 0) + (shared >= 0));
}

static void spread(void) {
    for (int f = 0; f < FORKS_MOST; f++)
        if (fork() == 0)
            for (;;)
                pause();
}

/* In its child it goes on as if it were its parent. */
static void split(void) {
    if (fork() < 0)
        abort();
}

static void *wait_for_ever(void *argument) {
    for (;;)
        pause();
    return argument;
}

static void begin_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for_ever, NULL) != 0)
        abort();
}

/* As much as there is, of which it uses a little, and then what is not there. */
static void take_memory(void) {
    for (size_t taken = 0; taken < MEMORY_MOST; taken += MEMORY_MOST / 64) {
        volatile char *more = malloc(MEMORY_MOST / 64);
        more[0] = 1; /* NULL is nowhere */
    }
}

static void close_all(void) {
    for (int file = 0; file < 256; file++)
        close(file);
}

static void print_much(int file) {
    static char line[4096];
    memset(line, 'x', sizeof line);
    for (size_t printed = 0; printed < PRINTS; printed += sizeof line)
        if (write(file, line, sizeof line) < 0)
            return;
}

static void ruin_host(const struct cor_process_host *host) {
    struct cor_process_host *writable = (struct cor_process_host *)(uintptr_t)host;
    writable->send = NULL;
    writable->count = 7;
}

static void ruin_all(const struct cor_process_host *host) {
    memset((void *)(uintptr_t)host->data, 0x5A, (size_t)1 << 20);
}

static uint64_t clock_says(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_nsec / 16 % 4096;
}

/* In input(): X(fault, deed). */
#define DEEDS(X)                                               \
    X(reads, me->got += reads())                               \
    X(writes, me->got += writes())                             \
    X(connects, me->got += connects())                         \
    X(executes, execl("/bin/true", "true", (char *)NULL))      \
    X(traces, syscall(SYS_ptrace, 16, getppid(), 0, 0))        \
    X(signals, (void)kill(getppid(), SIGKILL))                 \
    X(rings, me->got += alarm(1) == 0 && alarm(0) > 0)         \
    X(spreads, spread())                                       \
    X(splits, split())                                         \
    X(thread, begin_thread())                                  \
    X(clock, host->tell(host, 0, me->heard, clock_says()))     \
    X(remembers, host->tell(host, 0, me->heard, schedules))    \
    X(memory, take_memory())                                   \
    X(stack, sink(0))                                          \
    X(exit, exit(0))                                           \
    X(exit_at_once, syscall(SYS_exit_group, 0))                \
    X(abort, abort())                                          \
    X(killed, raise(SIGKILL))                                  \
    X(stopped, raise(SIGTERM))                                 \
    X(jumps, longjmp(away, 1))                                 \
    X(ruins_host, ruin_host(host))                             \
    X(ruins_all, ruin_all(host))                               \
    X(keeps, (void)me)                                         \
    X(closes, close_all())                                     \
    X(prints, print_much(1); print_much(2))                    \
    X(alarms, host->set_alarm(host, 8, 1))                     \
    X(answers_no_alarm, corridor_process_1.alarm(me, host, 5)) \
    X(nobody, host->send(host, 99, 0, "x", 1))                 \
    X(start_hangs, (void)me)                                   \
    X(receive_hangs, (void)me)                                 \
    X(observe_hangs, (void)me)

#define NAME(name, ...) {#name, NULL},
static const struct cor_process_name deeds[] = {DEEDS(NAME){NULL, NULL}};
#undef NAME
enum {
    NO_DEED,
#define NUMBER(name, ...) DEED_##name,
    DEEDS(NUMBER)
#undef NUMBER
};

COR_EXPORT const struct cor_process corridor_process_1;

static uint32_t own_deed; /* by the name of the file */

static __attribute__((constructor)) void find_deed(void) {
    Dl_info info;
    char name[64];
    if (!dladdr(&own_deed, &info) || !strrchr(info.dli_fname, '/') ||
        sscanf(strrchr(info.dli_fname, '/'), "/bad_guest_%60[a-z_]", name) != 1)
        return;
    for (uint32_t d = 0; deeds[d].name; d++)
        if (strcmp(deeds[d].name, name) == 0)
            own_deed = d + 1;
}

static uint32_t deed_of(const struct cor_process_host *host) {
    return host->fault ? host->fault : own_deed;
}

static void start(void *memory, const struct cor_process_host *host,
                  const struct cor_process_stored *stored) {
    struct me *me = memory;
    me->block = host->alloc(host, 64);
    if (stored->cell_count > 0)
        memcpy(&me->stored, stored->cells[0].bytes, sizeof me->stored);
    schedules += host->self == 0 && stored->cell_count == 0;
    host->set_alarm(host, 0, 300);
    if (deed_of(host) == DEED_start_hangs)
        hang();
    if (deed_of(host) == DEED_keeps && kept[host->self])
        kept[host->self][FOREIGN] = 77;
    kept[host->self] = me->block;
}

static void receive(void *memory, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size) {
    struct me *me = memory;
    (void)kind, (void)bytes, (void)size;
    me->heard++;
    me->block[from] += me->heard;
    if (deed_of(host) == DEED_receive_hangs && me->heard > 1)
        hang();
}

static void alarm_due(void *memory, const struct cor_process_host *host, uint32_t which) {
    struct me *me = memory;
    if (which != 0) {
        host->complain(host, "an alarm that was never set");
        return;
    }
    me->stored++;
    host->cell(host, 0, &me->stored, sizeof me->stored);
    host->set_alarm(host, 0, 300 + host->random(host) % 100);
}

static void input(void *memory, const struct cor_process_host *host, uint32_t which, const void *bytes,
                  uint32_t size) {
    struct me *me = memory;
    unsigned char byte = 0;
    (void)which;
    if (size > 0)
        memcpy(&byte, bytes, 1);
    if (byte < 64)
        switch (deed_of(host)) {
#define DO(name, ...) \
    case DEED_##name: \
        __VA_ARGS__;  \
        break;
            DEEDS(DO)
#undef DO
        default:
            break;
        }
    for (uint32_t p = 0; p < host->count; p++)
        host->send(host, p, 0, &byte, 1);
    if (deed_of(host) == DEED_observe_hangs && me->heard > 2)
        me->got = UINT64_MAX;
}

static void observe(const void *memory, union cor_process_value *values) {
    const struct me *me = memory;
    if (me->got == UINT64_MAX)
        hang();
    values[0].count = me->heard;
    values[1].count = me->got;
    values[2].count = me->stored;
    values[3].count = me->block[FOREIGN];
}

static const struct cor_process_attribute attributes[] = {
    {.name = "heard"}, {.name = "got"}, {.name = "stored"}, {.name = "foreign"}};
static const struct cor_process_name channels[] = {{.name = "told"}};
static const struct cor_process_message messages[] = {{.name = "word"}};
static const struct cor_process_input inputs[] = {{.name = "do", .weight = 1, .bytes = 1}};

const struct cor_process corridor_process_1 = {
    COR_PROCESS,
    .name = "bad_guest",
    .version = "1",
    .state_size = sizeof(struct me),
    .attributes = attributes,
    .attribute_count = sizeof attributes / sizeof *attributes,
    .channels = channels,
    .channel_count = 1,
    .messages = messages,
    .message_count = 1,
    .inputs = inputs,
    .input_count = 1,
    .faults = deeds,
    .fault_count = sizeof deeds / sizeof *deeds - 1,
    .leader_attribute = sizeof attributes / sizeof *attributes,
    .start = start,
    .receive = receive,
    .alarm = alarm_due,
    .input = input,
    .observe = observe,
};
