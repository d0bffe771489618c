/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A distributed program that does harm, by its fault: process 1 misbehaves when it is asked for something the
 * third time since it started. What a cluster catches in place is in algorithms/processes/tests; here is what
 * needs the process apart, and what others must not notice. */
#define _GNU_SOURCE
#include <corridor/process.h>

#include <assert.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct me {
    uint64_t heard, asked, looks;
    unsigned char *grown;
};

static struct me *remembered; /* of the life before, or of another */
static volatile uint64_t noise;

static void nothing(int number) {
    (void)number;
}

static void *scribble(void *of) {
    for (;;)
        noise += of != NULL;
    return NULL;
}

/* X(name, deed): while it is asked. A program has 32 faults at most, so there are two. */
#if PART == 1 /* what it asks of its host, and what is its own */
#define MORE(X)                                                                                \
    X(hangs_in_observe)                                                                        \
    X(counts_in_observe)                                                                       \
    X(shows_nothing_like_a_number) X(never_returns_from_start) X(keeps_a_pointer_over_a_crash) \
        X(reads_another) X(writes_at_start_without_end)
#define DEEDS(X)                                                                                            \
    X(takes_back_an_alarm_it_never_set, host->set_alarm(host, 5, COR_PROCESS_NEVER))                        \
    X(is_rung_at_once_for_ever, host->set_alarm(host, 1, 0))                                                \
    X(sends_to_nobody, host->send(host, 200, 0, me, 8))                                                     \
    X(sends_a_megabyte, for (int i = 0; i < 64; i++) host->send(host, 0, 0, big, sizeof big))               \
    X(writes_beyond_its_store, for (uint64_t i = 0; i < 100; i++) host->write(host, i, 1, big, sizeof big)) \
    X(tells_an_index_twice, host->tell(host, 0, 7, 1); host->tell(host, 0, 7, 2))                           \
    X(tells_what_another_does_not, host->tell(host, 0, 0, 99))                                              \
    X(grows_without_end, for (;;) me->grown = host->resize(host, me->grown, me->asked += 1 << 20))          \
    X(aborts_with_a_message, assert(me->asked == 0 && "the log is sorted"))                                 \
    X(complains, host->complain(host, "two leaders of one term"))                                           \
    X(complains_in_bytes, host->complain(host, "\x1b[31m\xff\n"))                                           \
    X(complains_by_null, host->complain(host, NULL))                                                        \
    X(complains_at_length, memset(big, 'x', sizeof big - 1); host->complain(host, big))                     \
    X(ruins_its_host, memset(host->data, 0x5A, 4096))                                                       \
    X(ruins_its_arena, memset((unsigned char *)me - 64, 0x5A, 1 << 16))                                     \
    X(recurses, recurse(me->asked))                                                                         \
    X(asks_the_host_for_2_to_the_60, if (!host->alloc(host, (size_t)1 << 60)) noise++)                      \
    X(unmaps_its_memory, munmap((void *)((uintptr_t)me & ~(uintptr_t)4095), 4096); me->asked++)             \
    X(chatters, for (;;)(void) host->now(host))                                                             \
    X(spins, for (;;) noise++)                                                                              \
    X(sleeps_for_ever, for (;;) pause())
#else /* what is around it */
#define MORE(X)
#define DEEDS(X)                                                                                            \
    X(uses_the_wall_clock, noise += (uint64_t)time(NULL); if (noise == 0) host->send(host, 0, 0, me, 8))    \
    X(leaves_a_thread, pthread_t thread;                                                                    \
      if (pthread_create(&thread, NULL, scribble, me) == 0) pthread_detach(thread))                         \
    X(opens_without_end, while (open("/dev/null", O_RDONLY) >= 0))                                          \
    X(closes_descriptors, for (int file = 3; file < 100; file++) close(file))                               \
    X(speaks_on_descriptors,                                                                                \
      for (int file = 3; file < 100; file++) if (write(file, "xxxxxxxxxxxxxxxx", 16) < 0) noise++)          \
    X(prints_a_megabyte, for (int i = 0; i < 16; i++) fwrite(big, 1, sizeof big, stdout); fflush(stdout))   \
    X(ruins_the_heap, unsigned char *volatile block = malloc(8); memset(block - (1 << 16), 0x5A, 1 << 22))  \
    X(writes_to_code, *(volatile int *)(uintptr_t)&printf = 0)                                              \
    X(frees_what_is_not_its_own, free(me))                                                                  \
    X(kills_itself, kill(getpid(), SIGKILL))                                                                \
    X(segfaults_unsignalled, sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, NULL);            \
      *(volatile int *)0 = 1)                                                                               \
    X(segfaults_with_a_handler, signal(SIGSEGV, nothing); signal(SIGSEGV, SIG_DFL); *(volatile int *)0 = 1) \
    X(exits_by_the_kernel, syscall(SYS_exit_group, 7))                                                      \
    X(becomes_another, execl("/bin/true", "true", (char *)NULL))                                            \
    X(ends_its_thread, pthread_exit(NULL))                                                                  \
    X(rounds_down, fesetround(FE_DOWNWARD))                                                                 \
    X(traps_floats, feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_INEXACT))                                 \
    X(changes_locale, setlocale(LC_ALL, "C.UTF-8"))                                                         \
    X(changes_folder, if (chdir("/") != 0) noise++)                                                         \
    X(changes_environment, setenv("TZ", "Asia/Kolkata", 1); tzset())                                        \
    X(limits_its_time, struct rlimit none = {1, 1}; setrlimit(RLIMIT_CPU, &none); for (;;) noise++)         \
    X(stops, kill(getpid(), SIGSTOP))
#endif

enum {
    FAULT_none,
#define NUMBER(name, ...) FAULT_##name,
    DEEDS(NUMBER) MORE(NUMBER)
#undef NUMBER
};
#if PART == 1
#define IS(name) (host->fault == FAULT_##name)
#define WAS(name) (fault_now == FAULT_##name)
#else
#define IS(name) 0
#define WAS(name) 0
#endif

static char big[1 << 18];
static uint32_t fault_now; /* observe() is not told */

static __attribute__((noinline)) uint64_t recurse(uint64_t depth) {
    volatile char room[4096];
    room[depth % sizeof room] = (char)depth;
    return depth == UINT64_MAX ? 0 : recurse(depth + 1) + (uint64_t)room[7];
}

static void misbehave(struct me *me, const struct cor_process_host *host) {
    switch (host->fault) {
#define DO(name, ...)    \
    case FAULT_##name: { \
        __VA_ARGS__;     \
        break;           \
    }
        DEEDS(DO)
#undef DO
    default:
        break;
    }
}

static void start(void *memory, const struct cor_process_host *host,
                  const struct cor_process_stored *stored) {
    struct me *me = memory;
    if (host->self == 1 && IS(keeps_a_pointer_over_a_crash) && stored->cell_count > 0)
        me->heard = *remembered->grown; /* its memory is as new */
    if (host->self == 1 && IS(never_returns_from_start) && stored->cell_count > 0)
        for (;;)
            noise++;
    if (host->self == 1 && IS(writes_at_start_without_end))
        for (uint64_t ticket = 0;; ticket++)
            host->write(host, ticket, 0, big, 1024);
    if (host->self == 1 && IS(keeps_a_pointer_over_a_crash)) {
        me->grown = host->alloc(host, 64);
        remembered = me;
    }
    if (host->self == 0 && IS(reads_another))
        remembered = me;
}

static void receive(void *memory, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size) {
    struct me *me = memory;
    (void)from;
    (void)kind;
    (void)bytes;
    me->heard++;
    if (size == 1 && me->heard % 3 == 0)
        host->send(host, (host->self + 1) % host->count, 0, &me->heard, 8);
    if (IS(reads_another) && host->self == 1 && remembered)
        me->heard += remembered->heard & 1;
}

static void alarm_is_due(void *memory, const struct cor_process_host *host, uint32_t which) {
    struct me *me = memory;
    me->heard++;
    host->set_alarm(host, which, 0);
}

static void completed(void *memory, const struct cor_process_host *host, uint64_t ticket, uint32_t status) {
    (void)memory;
    (void)host;
    (void)ticket;
    (void)status;
}

static void input(void *memory, const struct cor_process_host *host, uint32_t which, const void *bytes,
                  uint32_t size) {
    struct me *me = memory;
    unsigned char byte = 0;
    (void)which;
    memcpy(&byte, bytes, size > 0);
    me->asked++;
    host->cell(host, 0, &me->asked, sizeof me->asked);
    host->tell(host, 0, 0, 5);
    for (uint32_t p = 0; p < host->count; p++)
        host->send(host, p, 0, &byte, 1);
    if (host->self == 1 && me->asked == 3)
        misbehave(me, host);
}

static void input_and_note(void *memory, const struct cor_process_host *host, uint32_t which,
                           const void *bytes, uint32_t size) {
    fault_now = host->fault;
    input(memory, host, which, bytes, size);
}

static void observe(const void *memory, union cor_process_value *values) {
    const struct me *me = memory;
    const int is_due = me->asked == 3;
    if (is_due && WAS(hangs_in_observe))
        for (;;)
            noise++;
    if (WAS(counts_in_observe))
        ((struct me *)(uintptr_t)memory)->looks++;
    values[0].count = me->heard;
    values[1].real = is_due && WAS(shows_nothing_like_a_number) ? (double)NAN : 0.5;
}

static const struct cor_process_attribute attributes[] = {{.name = "heard"},
                                                          {.name = "share", .type = COR_PROCESS_REAL}};
static const struct cor_process_name channels[] = {{"said", NULL}};
static const struct cor_process_message messages[] = {{.name = "word"}};
static const struct cor_process_input inputs[] = {{.name = "speak", .weight = 1, .bytes = 1}};
static const struct cor_process_name faults[] = {
#define NAME(name, ...) {#name, NULL},
    DEEDS(NAME) MORE(NAME)
#undef NAME
};

COR_EXPORT const struct cor_process corridor_process_1;
const struct cor_process corridor_process_1 = {
    COR_PROCESS,
    .name = "guest",
    .version = "1",
    .state_size = sizeof(struct me),
    .attributes = attributes,
    .attribute_count = 2,
    .channels = channels,
    .channel_count = 1,
    .messages = messages,
    .message_count = 1,
    .inputs = inputs,
    .input_count = 1,
    .faults = faults,
    .fault_count = sizeof faults / sizeof *faults,
    .leader_attribute = 2,
    .start = start,
    .receive = receive,
    .alarm = alarm_is_due,
    .completed = completed,
    .input = input_and_note,
    .observe = observe,
};
