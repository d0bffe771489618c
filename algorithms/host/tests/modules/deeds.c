/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A module that does what its parameter says, and then, if it still can, gives each agent a block of its own.
 */
#define _GNU_SOURCE
#include "deeds.h"

#include <corridor/plugin.h>

#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const struct cor_parameter parameters[] = {{"deed", "", "what it does", GOOD, GOOD, KEEPS, 1},
                                                  {.name = NULL}};
static const struct cor_counter counters[] = {{"calls", "calls of result", 2}, {.name = NULL}};
static const struct cor_fault faults[] = {{"bad", "counts as reached"}, {.name = NULL}};

static int call_count;
static volatile double *volatile nowhere =
    (volatile double *)16; /* sanitizers would see NULL before it is used */

static void loop(void) {
    for (volatile unsigned i = 0;; i++)
        ;
}

static void hoard(void) {
    for (;;) {
        char *memory = malloc(1 << 20);
        if (!memory)
            abort();
        memset(memory, 1, 1 << 20);
    }
}

static int deep(volatile int *before) {
    volatile int many[4096];
    many[0] = *before + 1;
    return many[0] == 0 ? 0 : deep(many) + many[0];
}

static void *late(void *nothing) {
    struct timespec soon = {0, 100000000};
    nanosleep(&soon, NULL);
    abort();
    return nothing;
}

static void fork_on(void) {
    for (int i = 0; i < 20; i++)
        if (fork() == 0) {
            setsid();
            signal(SIGTERM, SIG_IGN);
            for (;;)
                pause();
        }
}

/* Over the codes of the answer, which lies in memory that is shared with the host. */
static void scribble(const struct cor_host *host) {
    unsigned char *answer = (unsigned char *)host->spent;
    memset(answer - 264, 0xA5, 8);
}

/* A tenth of a second of CPU time. */
static void work(void) {
    struct timespec before, now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    while ((double)(now.tv_sec - before.tv_sec) + 1e-9 * (double)(now.tv_nsec - before.tv_nsec) < 0.1);
}

static void do_deed(enum deed deed, const struct cor_task *task, const struct cor_host *host) {
    pthread_t thread;
    sigset_t signals;
    double *value;
    volatile int bottom = 0;
    switch (deed) {
    case GOOD:
    case COUNTS_CALLS:
    case READS_CLOCK:
    case MAKES_ABSURD:
        break;
    case CRASHES:
        *nowhere = 1;
        break;
    case ABORTS:
        abort();
    case EXITS:
        exit(0);
    case LOOPS:
        loop();
        break;
    case SLEEPS:
        for (;;)
            pause();
    case HOARDS:
        hoard();
        break;
    case WRITES_TASK:
        memcpy(&value, &task->values[0], sizeof value);
        value[0] = 7;
        break;
    case ENDS_PARENT:
        while (kill(getppid(), SIGKILL) == 0) /* unless there is a wall between them */
            pause();
        break;
    case ENDS_ALL:
        kill(-1, SIGKILL);
        break;
    case CLOSES_ALL:
        for (int i = 0; i < 1000; i++)
            close(i);
        break;
    case ROUNDS_UP:
        fesetround(FE_UPWARD);
        umask(0);
        setlocale(LC_ALL, "C.UTF-8");
        sigemptyset(&signals);
        sigaddset(&signals, SIGUSR1);
        sigprocmask(SIG_SETMASK, &signals, NULL);
        break;
    case LOOKS_AROUND:
        sigprocmask(SIG_SETMASK, NULL, &signals);
        if (fegetround() != FE_TONEAREST || umask(077) != 077 || sigismember(&signals, SIGUSR1) ||
            strcmp(setlocale(LC_ALL, NULL), "C") != 0)
            _exit(1);
        break;
    case FORKS:
        fork_on();
        break;
    case STOPS:
        raise(SIGSTOP);
        break;
    case SCRIBBLES:
        scribble(host);
        break;
    case DIES_LATER:
        pthread_create(&thread, NULL, late, NULL);
        break;
    case OVERFLOWS_STACK:
        deep(&bottom);
        break;
    case WORKS:
        work();
        break;
    case KEEPS: /* once */
        if (task->kept_size == 0)
            host->keep(host, "abc", 3);
        break;
    }
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    enum deed deed = (enum deed)(int)task->rules->parameters[0];
    uint32_t first = 0, none[2] = {0, 0};
    cor_count(host, 0, 1);
    *host->spent = 3;
    host->fault->reached += task->rules->fault;
    call_count++;
    do_deed(deed, task, host);
    if (deed == KEEPS)
        first = task->kept_size;
    if (deed == COUNTS_CALLS)
        first = (uint32_t)call_count % task->agent_count;
    if (deed == READS_CLOCK) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        first = (uint32_t)(now.tv_nsec / 64 + (long)getpid() * 7) % task->agent_count;
    }
    if (deed == MAKES_ABSURD)
        host->put_block(host, none, (size_t)1 << 60);
    for (uint32_t i = 0; i < task->agent_count; i++) {
        uint32_t agent = (first + i) % task->agent_count;
        host->put_block(host, &agent, 1);
    }
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {COR_ALGORITHM,
                                                   .name = "deeds",
                                                   .version = "1.0",
                                                   .summary = "does what it is told",
                                                   .budget_unit = "calls",
                                                   .parameters = parameters,
                                                   .counters = counters,
                                                   .faults = faults,
                                                   .capabilities = COR_KEEPS,
                                                   .result = result};
