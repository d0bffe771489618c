/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A monitor, and a mechanism, that work beside an algorithm and do harm: what the fault of the monitor is
 * called, or the parameter "deed" of the mechanism counts. */
#define _GNU_SOURCE
#include <corridor/mechanism.h>
#include <corridor/monitor.h>

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

static volatile uint64_t noise;
static char big[1 << 16];

static __attribute__((noinline)) uint64_t recurse(uint64_t depth) {
    volatile char room[4096];
    room[depth % sizeof room] = (char)depth;
    return depth == UINT64_MAX ? 0 : recurse(depth + 1) + (uint64_t)room[7];
}

static void *live_on(void *unused) {
    for (;;)
        pause();
    return unused;
}

static void leave_a_daemon(void) {
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            live_on(NULL);
        _exit(0);
    }
}

static void write_file(const char *path) {
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0 && write(file, "guest\n", 6) == 6)
        close(file);
}

/* `shown`: what is only to be read. */
#define DEEDS(X)                                                                                          \
    X(segfaults, *(volatile int *)0 = 1)                                                                  \
    X(aborts, abort())                                                                                    \
    X(exits, _exit(4))                                                                                    \
    X(exits_with_0, exit(0))                                                                              \
    X(kills_itself, kill(getpid(), SIGKILL))                                                              \
    X(recurses, noise = recurse(noise))                                                                   \
    X(becomes_another, execl("/bin/true", "true", (char *)NULL))                                          \
    X(mounts, if (mount("none", "/", "tmpfs", 0, NULL) == 0) noise++)                                     \
    X(ruins_the_heap, unsigned char *volatile block = malloc(8); memset(block - 64, 0x5A, 1 << 22))       \
    X(writes_what_it_is_shown, *(volatile double *)(uintptr_t)shown = 0.5)                                \
    X(limits_its_time, struct rlimit none = {1, 1}; setrlimit(RLIMIT_CPU, &none); for (;;) noise++)       \
    X(spins, for (;;) noise++)                                                                            \
    X(sleeps, for (;;) pause())                                                                           \
    X(stops, kill(getpid(), SIGSTOP))                                                                     \
    X(leaves_a_child, if (fork() == 0) live_on(NULL))                                                     \
    X(leaves_a_daemon, leave_a_daemon())                                                                  \
    X(leaves_a_thread, pthread_t thread;                                                                  \
      if (pthread_create(&thread, NULL, live_on, NULL) == 0) pthread_detach(thread))                      \
    X(allocates_without_end,                                                                              \
      for (void *volatile more = malloc(1 << 20); more; more = malloc(1 << 20)) memset(more, 1, 1 << 20)) \
    X(kills_its_parent, kill(getppid(), SIGKILL))                                                         \
    X(kills_all, kill(-1, SIGKILL))                                                                       \
    X(prints_a_megabyte, for (int i = 0; i < 16; i++) fwrite(big, 1, sizeof big, stdout); fflush(stdout)) \
    X(closes_descriptors, for (int file = 0; file < 100; file++) close(file))                             \
    X(speaks_on_descriptors, signal(SIGPIPE, SIG_IGN);                                                    \
      for (int file = 3; file < 100; file++) if (write(file, "xxxxxxxxxxxxxxxx", 16) < 0) noise++)        \
    X(opens_without_end, while (open("/dev/null", O_RDONLY) >= 0))                                        \
    X(creates_files, write_file("guest-was-here"); write_file("/tmp/guest-was-here"))                     \
    X(deletes_files, if (unlink("canary") != 0) noise++)                                                  \
    X(rounds_down, fesetround(FE_DOWNWARD))                                                               \
    X(traps_floats, feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_INEXACT))                               \
    X(changes_folder, if (chdir("/") != 0) noise++)                                                       \
    X(changes_environment, clearenv())                                                                    \
    X(changes_locale, setlocale(LC_ALL, "C.UTF-8"))                                                       \
    X(blocks_signals, sigset_t all; sigfillset(&all); sigprocmask(SIG_SETMASK, &all, NULL))

enum {
    DEED_none,
#define NUMBER(name, ...) DEED_##name,
    DEEDS(NUMBER)
#undef NUMBER
};

static void misbehave(uint32_t deed, const double *shown) {
    switch (deed) {
#define DO(name, ...)   \
    case DEED_##name: { \
        __VA_ARGS__;    \
        break;          \
    }
        DEEDS(DO)
#undef DO
    default:
        break;
    }
}

/* An alarm if one of them takes more than 10. */
static int look(void *state, const struct cor_monitor_view *view, struct cor_monitor_alarm *alarm) {
    uint64_t *looks = state;
    (void)alarm;
    if (++*looks == 3)
        misbehave(view->fault, view->values[0]);
    for (uint32_t m = 0; m < view->member_count; m++)
        if (view->values[0][m] > 10)
            return 1;
    return 0;
}

static const struct cor_monitor_name faults[] = {
#define NAME(name, ...) {#name, ""},
    DEEDS(NAME)
#undef NAME
        {NULL, NULL}};

COR_EXPORT const struct cor_monitor corridor_monitor_1 = {COR_MONITOR,
                                                          .name = "beside",
                                                          .version = "1",
                                                          .summary = "does harm",
                                                          .faults = faults,
                                                          .watches = COR_MONITOR_ORGANIZATION,
                                                          .state_size = sizeof(uint64_t),
                                                          .look = look};

static enum cor_progress work(const struct cor_task *task, const struct cor_mechanism_host *host) {
    *host->cost += 1;
    if ((uint64_t)(task->values[0][0] * 1e6) % 3 == 0) /* now and then, and always in the same cases */
        misbehave((uint32_t)task->rules->parameters[0], task->values[0]);
    return COR_DONE;
}

static const struct cor_parameter parameters[] = {{"deed", "1", "which", 0, 0, 100, 1}, {0}};
static const char *const writes[] = {"value", NULL};

COR_EXPORT const struct cor_mechanism corridor_mechanism_1 = {
    COR_MECHANISM,        .name = "beside",         .version = "1",   .summary = "does harm",
    .cost_unit = "calls", .parameters = parameters, .writes = writes, .work = work};
