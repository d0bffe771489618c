/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Children, threads, and the process above. */
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is not contained is not done, and that is an answer that no test expects. */
static int is_safe(const struct call *call) {
    if (guest_is_contained())
        return 1;
    if (call->host)
        call->host->complain(call->host, "not done: this process could harm others");
    _exit(99);
}

/* A bomb of 256 processes: enough to be seen, and the machine lives if nobody stops it. */
static void forks_without_end(const struct call *call) {
    if (!is_safe(call))
        return;
    for (int i = 0; i < 8; i++)
        if (fork() < 0)
            break;
    guest_sleep();
}
static void leaves_a_child(const struct call *call) {
    (void)call;
    if (fork() == 0)
        guest_sleep();
}
static void leaves_a_daemon(const struct call *call) {
    (void)call;
    pid_t child = fork();
    if (child != 0) {
        if (child > 0)
            waitpid(child, NULL, 0);
        return;
    }
    setsid();
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_IGN);
    if (fork() > 0)
        _exit(0);
    guest_sleep();
}
static void child_answers_too(const struct call *call) {
    (void)call;
    if (fork() < 0)
        return;
}
static void child_crashes(const struct call *call) {
    (void)call;
    pid_t child = fork();
    if (child == 0)
        abort();
    if (child > 0)
        waitpid(child, NULL, 0);
}
static void exits_behind_a_child(const struct call *call) {
    (void)call;
    if (fork() == 0)
        guest_sleep();
    _exit(0);
}

static void *sleep_on(void *nothing) {
    (void)nothing;
    guest_sleep();
    return NULL;
}
static void leaves_threads(const struct call *call) {
    pthread_t thread;
    (void)call;
    for (int i = 0; i < 8; i++)
        if (pthread_create(&thread, NULL, sleep_on, NULL) != 0)
            return;
}
/* Over what the host reads, and again and again: also while the next result is made. */
static void *scribble_on(void *argument) {
    const struct cor_host *host = argument;
    for (;;) {
        *(volatile uint64_t *)host->spent = UINT64_C(0x5a5a5a5a5a);
        *(volatile uint64_t *)&host->fault->in_result = 1;
        usleep(50);
    }
    return NULL;
}
static void scribbles_late(const struct call *call) {
    pthread_t thread;
    if (call->host)
        pthread_create(&thread, NULL, scribble_on, (void *)(uintptr_t)call->host);
}

static void kills_its_parent(const struct call *call) {
    if (is_safe(call))
        kill(getppid(), SIGKILL);
}
static void stops_its_parent(const struct call *call) {
    if (is_safe(call))
        kill(getppid(), SIGSTOP);
}
static void floods_its_parent(const struct call *call) {
    if (is_safe(call))
        for (int i = 0; i < 1000; i++)
            for (int number = 1; number < 32; number++)
                if (number != SIGKILL && number != SIGSTOP)
                    kill(getppid(), number);
}
static void kills_all(const struct call *call) {
    if (is_safe(call))
        kill(-1, SIGKILL);
}
static void kills_low_numbers(const struct call *call) {
    if (is_safe(call))
        for (pid_t pid = 1; pid < 300; pid++)
            if (pid != getpid())
                kill(pid, SIGKILL);
}
static void traces_its_parent(const struct call *call) {
    if (!is_safe(call))
        return;
    if (ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0)
        guest_sleep(); /* the parent is stopped */
}
static void writes_into_its_parent(const struct call *call) {
    char bytes[4096];
    if (!is_safe(call))
        return;
    memset(bytes, 0x5a, sizeof bytes);
    /* The parent is a fork, or a relative: what is here is there too. */
    struct iovec here = {bytes, sizeof bytes}, there = {&errno, sizeof bytes};
    if (process_vm_writev(getppid(), &here, 1, &there, 1, 0) < 0)
        return;
}
static void pushes_in_front(const struct call *call) {
    (void)call;
    setpriority(PRIO_PROCESS, 0, -20);
    setrlimit(RLIMIT_CPU, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
    setrlimit(RLIMIT_AS, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
}

const struct guest_row guest_families[] = {
    {"forks_without_end", "a fork bomb", forks_without_end, NULL},
    {"leaves_a_child", "forks a child that sleeps", leaves_a_child, NULL},
    {"leaves_a_daemon", "leaves a daemon: setsid, forked twice, deaf", leaves_a_daemon, NULL},
    {"child_answers_too", "forks, and both go on", child_answers_too, NULL},
    {"child_crashes", "a child of it aborts", child_crashes, NULL},
    {"exits_behind_a_child", "exits, and its child lives on", exits_behind_a_child, NULL},
    {"leaves_threads", "starts threads that outlive the call", leaves_threads, NULL},
    {"scribbles_late", "a thread of it writes over results, the next ones too", scribbles_late, NULL},
    {"kills_its_parent", "sends SIGKILL to its parent", kills_its_parent, NULL},
    {"stops_its_parent", "sends SIGSTOP to its parent", stops_its_parent, NULL},
    {"floods_its_parent", "sends all signals to its parent, a thousand times", floods_its_parent, NULL},
    {"kills_all", "sends SIGKILL to all processes", kills_all, NULL},
    {"kills_low_numbers", "sends SIGKILL to processes 1 to 299", kills_low_numbers, NULL},
    {"traces_its_parent", "ptraces its parent", traces_its_parent, NULL},
    {"writes_into_its_parent", "writes into the memory of its parent", writes_into_its_parent, NULL},
    {"pushes_in_front", "raises its priority and its limits", pushes_in_front, NULL},
    {0}};
