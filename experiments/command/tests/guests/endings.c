/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a process can end, or never come back. */
#define _GNU_SOURCE
#include "guest.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static volatile int forever = 1;

static void segfaults(const struct call *call) {
    (void)call;
    volatile uintptr_t nowhere = 8;
    *(volatile int *)nowhere = 1;
}
static void reads_null(const struct call *call) {
    (void)call;
    volatile uintptr_t nowhere = 0;
    forever = *(volatile int *)nowhere;
}
static void calls_null(const struct call *call) {
    (void)call;
    void (*volatile nowhere)(void) = NULL;
    nowhere();
}
static void writes_to_code(const struct call *call) {
    (void)call;
    volatile uintptr_t code = (uintptr_t)&writes_to_code;
    *(volatile char *)code = 0;
}
static int deeper(volatile int *depth) {
    volatile int here[1000];
    here[0] = *depth + 1;
    return forever ? deeper(here) + here[0] : 0;
}
static void recurses(const struct call *call) {
    volatile int depth = 0;
    (void)call;
    deeper(&depth);
}
static void aborts(const struct call *call) {
    (void)call;
    abort();
}
static void traps(const struct call *call) {
    (void)call;
    __builtin_trap();
}
static void divides_by_zero(const struct call *call) {
    (void)call;
    raise(SIGFPE); /* what an integer division by zero is */
}
static void reads_behind_a_file(const struct call *call) {
    (void)call;
    int file = memfd_create("short", 0);
    volatile char *bytes = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    forever = bytes[0]; /* SIGBUS */
}
static void raises_signal(const struct call *call) {
    raise((int)call->task->rules->parameters[2]);
}
static void raises_in_a_handler(const struct call *call) {
    (void)call;
    signal(SIGSEGV, SIG_IGN); /* such a fault cannot be ignored */
    segfaults(call);
}
static void kills_itself(const struct call *call) {
    (void)call;
    kill(getpid(), SIGKILL);
}
static void kills_its_group(const struct call *call) {
    (void)call;
    if (guest_is_contained())
        kill(0, SIGKILL);
}
static void is_rung(const struct call *call) {
    (void)call;
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 1000}, {0, 1000}}, NULL);
    guest_sleep();
}
/* As compiled C++ does it; there need not be a compiler for it. */
static void throws(const struct call *call) {
    void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_GLOBAL);
    void *make_at = library ? dlsym(library, "__cxa_allocate_exception") : NULL;
    void *fling_at = library ? dlsym(library, "__cxa_throw") : NULL;
    void *(*make)(size_t);
    void (*fling)(void *, void *, void (*)(void *));
    (void)call;
    if (!make_at || !fling_at)
        abort(); /* what it comes to */
    memcpy(&make, &make_at, sizeof make);
    memcpy(&fling, &fling_at, sizeof fling);
    fling(make(sizeof(int)), dlsym(library, "_ZTIi"), NULL);
}
static void jumps_out(const struct call *call) {
    (void)call;
    static jmp_buf nowhere;
    longjmp(nowhere, 1);
}

static void exits(const struct call *call) {
    (void)call;
    exit(0);
}
static void exits_with_3(const struct call *call) {
    (void)call;
    _exit(3);
}
static void exits_with_127(const struct call *call) {
    (void)call;
    _exit(127);
}
static void exits_quickly(const struct call *call) {
    (void)call;
    quick_exit(1);
}
static void *exit_elsewhere(void *nothing) {
    (void)nothing;
    exit(4);
}
static void exits_in_a_thread(const struct call *call) {
    pthread_t thread;
    (void)call;
    if (pthread_create(&thread, NULL, exit_elsewhere, NULL) == 0)
        guest_sleep();
    exit(4);
}
static void ends_its_thread(const struct call *call) {
    (void)call;
    pthread_exit(NULL);
}
static void becomes_another(const struct call *call) {
    (void)call;
    execl("/bin/true", "true", (char *)0);
    _exit(0);
}

static void spins(const struct call *call) {
    (void)call;
    while (forever)
        ;
}
static void spins_deaf(const struct call *call) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_IGN);
    spins(call);
}
static void sleeps(const struct call *call) {
    (void)call;
    guest_sleep();
}
static void waits_on_a_pipe(const struct call *call) {
    int ends[2];
    char byte;
    (void)call;
    if (pipe(ends) == 0 && read(ends[0], &byte, 1) < 0)
        spins(call);
}
static void deadlocks(const struct call *call) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    (void)call;
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
}
static void stops(const struct call *call) {
    (void)call;
    for (;;)
        raise(SIGSTOP);
}
static void dawdles(const struct call *call) {
    (void)call;
    for (;;)
        usleep(1000);
}

const struct guest_row guest_endings[] = {
    {"segfaults", "writes to address 8", segfaults, NULL},
    {"reads_null", "reads from address 0", reads_null, NULL},
    {"calls_null", "calls a function at address 0", calls_null, NULL},
    {"writes_to_code", "writes over its own code", writes_to_code, NULL},
    {"recurses", "recurses without end", recurses, NULL},
    {"aborts", "calls abort", aborts, NULL},
    {"traps", "executes an illegal instruction", traps, NULL},
    {"divides_by_zero", "raises SIGFPE", divides_by_zero, NULL},
    {"reads_behind_a_file", "reads mapped memory behind the end of its file", reads_behind_a_file, NULL},
    {"raises_signal", "raises the signal of its parameter", raises_signal, NULL},
    {"ignores_segfaults", "ignores SIGSEGV, then writes to address 8", raises_in_a_handler, NULL},
    {"kills_itself", "sends itself SIGKILL", kills_itself, NULL},
    {"kills_its_group", "sends SIGKILL to its process group", kills_its_group, NULL},
    {"is_rung", "sets an alarm clock, which is refused, and waits for it", is_rung, NULL},
    {"throws", "throws a C++ exception", throws, NULL},
    {"jumps_out", "longjmp to nowhere", jumps_out, NULL},
    {"exits", "calls exit(0)", exits, NULL},
    {"exits_with_3", "calls _exit(3)", exits_with_3, NULL},
    {"exits_with_127", "calls _exit(127)", exits_with_127, NULL},
    {"exits_quickly", "calls quick_exit(1)", exits_quickly, NULL},
    {"exits_in_a_thread", "a thread of it calls exit(4)", exits_in_a_thread, NULL},
    {"ends_its_thread", "calls pthread_exit in the only thread", ends_its_thread, NULL},
    {"becomes_another", "executes another program", becomes_another, NULL},
    {"spins", "loops for ever", spins, NULL},
    {"spins_deaf", "blocks and ignores all signals, and loops for ever", spins_deaf, NULL},
    {"sleeps", "sleeps for ever", sleeps, NULL},
    {"waits_on_a_pipe", "reads from a pipe into which nobody writes", waits_on_a_pipe, NULL},
    {"deadlocks", "locks a mutex twice", deadlocks, NULL},
    {"stops", "stops itself with SIGSTOP", stops, NULL},
    {"dawdles", "naps for ever, a millisecond at a time", dawdles, NULL},
    {0}};
