/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The courier of these tests as a module. Its faults are things that no agent should do; it does them while
 * it takes a parcel of 13 kilos. Compiled with BAD_..., it is one of the modules that cannot be used at all.
 */
#define _GNU_SOURCE
#include <corridor/aut.h>

#include <fcntl.h>
#include <fenv.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef BAD_SYMBOL
#define corridor_aut_1 corridor_aut_0
#endif
#ifndef MAJOR
#define MAJOR COR_AUT_MAJOR
#endif
#ifndef MINOR
#define MINOR COR_AUT_MINOR
#endif

#ifdef BAD_LOADING
__attribute__((constructor)) static void while_loading(void) {
    BAD_LOADING;
}
#endif

typedef const struct cor_aut_host *host_of;

static void segfault(host_of host) {
    (void)host;
    volatile uintptr_t nowhere = 8;
    *(volatile int *)nowhere = 1;
}
static void aborts(host_of host) {
    (void)host;
    abort();
}
static void traps(host_of host) {
    (void)host;
    __builtin_trap();
}
static int deeper(volatile int *depth, volatile int most) {
    volatile int here[1000];
    here[0] = *depth + 1;
    return *depth < most ? deeper(here, most) + here[0] : 0;
}
static void recurses(host_of host) {
    volatile int depth = 0;
    (void)host;
    deeper(&depth, 1000000000);
}
static void kills_itself(host_of host) {
    (void)host;
    kill(getpid(), SIGKILL);
}
static void kills_its_group(host_of host) {
    (void)host;
    kill(0, SIGKILL);
}
static void wild_name(host_of host) {
    volatile uintptr_t nowhere = 16;
    host->context(host, (const char *)nowhere, 1);
}
static void exits(host_of host) {
    (void)host;
    exit(0);
}
static void exits_with_3(host_of host) {
    (void)host;
    _exit(3);
}
static void spins(host_of host) {
    volatile int forever = 1;
    (void)host;
    while (forever)
        ;
}
static void spins_unsignalled(host_of host) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    spins(host);
}
static void is_deaf(host_of host) {
    for (;;)
        host->step(host);
}
static void sleeps(host_of host) {
    (void)host;
    for (;;)
        pause();
}
static void stops(host_of host) {
    (void)host;
    raise(SIGSTOP);
}
static void steps_on(host_of host) {
    while (host->step(host))
        ;
}
static void unknown_plan(host_of host) {
    host->context(host, "Tkae\n\x1b[31m", 1);
}
static void unknown_event(host_of host) {
    host->posted(host, "Take", "Delivr", NULL, 0);
}
static void unknown_message(host_of host) {
    host->sent(host, "Take", "Bill");
}
static void unknown_action(host_of host) {
    host->did(host, "Take", "Fly");
}
static void unknown_field(host_of host) {
    struct cor_aut_value value = cor_aut_integer(NULL, 1);
    host->wrote(host, "Take", "load", "Wait", &value);
}
static void unknown_parameter(host_of host) {
    struct cor_aut_value value = cor_aut_integer("Pounds", 1);
    host->posted(host, "Take", "Deliver", &value, 1);
}
static void null_names(host_of host) {
    host->sent(host, NULL, NULL);
}
static void null_field(host_of host) {
    host->wrote(host, "Take", NULL, NULL, NULL);
}
static void null_parameter(host_of host) {
    struct cor_aut_value value = cor_aut_integer(NULL, 1);
    host->posted(host, "Take", "Deliver", &value, 1);
}
static void not_a_number(host_of host) {
    volatile double zero = 0;
    struct cor_aut_value value = cor_aut_real(NULL, zero / zero);
    host->wrote(host, "Take", "load", "Share", &value);
}
static void bad_kind(host_of host) {
    struct cor_aut_value value = {NULL, 77, 0, {0}};
    host->wrote(host, "Take", "load", "Weight", &value);
}
static void bad_word(host_of host) {
    struct cor_aut_value value = cor_aut_word(NULL, "\xff\x01");
    host->wrote(host, "Take", "load", "Note", &value);
}
static void many_words(host_of host) {
    char text[8];
    for (int i = 0; i < 100000; i++) {
        snprintf(text, sizeof text, "w%d", i);
        struct cor_aut_value value = cor_aut_word(NULL, text);
        if (!host->wrote(host, "Take", "load", "Note", &value))
            return;
    }
}
static void ends_another(host_of host) {
    host->ended(host, "Bring", 1);
}
static void ends_twice(host_of host) {
    host->ended(host, "Take", 1);
    host->ended(host, "Take", 1);
}
static void says_for_another(host_of host) {
    host->sent(host, "Bring", "Receipt");
}
static void reports_on(host_of host) {
    while (host->did(host, "Take", "Drive"))
        ;
}
static void closes_descriptors(host_of host) {
    (void)host;
    for (int i = 0; i < 1000; i++)
        close(i);
}
static void speaks_on_descriptors(host_of host) {
    (void)host;
    for (int i = 3; i < 100; i++)
        if (write(i, "xxxxxxxx", 8) < 0)
            continue;
}
/* Writes over all memory that is shared with others. */
static void scribbles(host_of host) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[500], mode[8];
    unsigned long start, end;
    (void)host;
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &start, &end, mode) == 3 && strcmp(mode, "rw-s") == 0)
            memset((void *)start, 0x5a, end - start);
}
static void kills_its_parent(host_of host) {
    (void)host;
    kill(getppid(), SIGKILL);
}
static void leaves_a_child(host_of host) {
    (void)host;
    if (fork() == 0)
        sleeps(host);
}
static void leaves_a_daemon(host_of host) {
    (void)host;
    if (fork() > 0)
        return;
    setsid();
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    if (fork() > 0)
        _exit(0);
    sleeps(host);
}
static void prints(host_of host) {
    static const char line[65536];
    (void)host;
    for (int i = 0; i < 16 * 1024; i++) /* a gigabyte */
        if (write(1, line, sizeof line) < 0)
            return;
    for (int i = 0; i < 256; i++)
        if (write(2, line, sizeof line) < 0)
            return;
}
static void looks_on(host_of host) {
    while (host->context(host, "Bring", 1))
        ;
}
static void becomes_another(host_of host) {
    (void)host;
    execlp("sleep", "sleep", "1000", (char *)0);
}
static void takes_the_request(host_of host) {
    char byte;
    (void)host;
    if (read(10, &byte, 1) < 0)
        abort();
}
/* Counts, in memory shared with others, as if it got on. */
static void pretends(host_of host) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[500], mode[8];
    unsigned long start, end, found = 0;
    (void)host;
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &start, &end, mode) == 3 && strcmp(mode, "rw-s") == 0)
            found = start;
    for (volatile uint32_t *place = (volatile uint32_t *)found;; sched_yield())
        *place += 2;
}
static void writes_by_nobody(host_of host) {
    struct cor_aut_value value = cor_aut_integer(NULL, 1);
    host->wrote(host, NULL, "load", "Weight", &value);
}
static void confesses(host_of host) {
    fputs("the brakes failed\n", stderr);
    segfault(host);
}
static void changes_itself(host_of host) {
    (void)host;
    if (chdir("/") != 0)
        return;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    signal(SIGSEGV, SIG_IGN);
}

/* They look first: what was left behind in the case before must not be there. */
static void finds_its_rounding(host_of host) {
    if (fegetround() != FE_TONEAREST)
        host->sent(host, "Take", "Bill");
    fesetround(FE_DOWNWARD);
}
static void finds_its_signals(host_of host) {
    sigset_t set;
    sigprocmask(SIG_BLOCK, NULL, &set);
    if (sigismember(&set, SIGUSR1))
        host->sent(host, "Take", "Bill");
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

#define FAULTS(X)                                                                                          \
    X(segfault)                                                                                            \
    X(aborts)                                                                                              \
    X(traps)                                                                                               \
    X(recurses)                                                                                            \
    X(kills_itself)                                                                                        \
    X(kills_its_group)                                                                                     \
    X(wild_name)                                                                                           \
    X(exits) X(exits_with_3) X(spins) X(spins_unsignalled) X(is_deaf) X(sleeps) X(stops) X(steps_on)       \
        X(unknown_plan) X(unknown_event) X(unknown_message) X(unknown_action) X(unknown_field)             \
            X(unknown_parameter) X(null_names) X(null_field) X(null_parameter) X(not_a_number) X(bad_kind) \
                X(bad_word) X(many_words) X(ends_another) X(ends_twice) X(says_for_another) X(reports_on)  \
                    X(closes_descriptors) X(speaks_on_descriptors) X(scribbles) X(kills_its_parent)        \
                        X(leaves_a_child) X(leaves_a_daemon) X(prints) X(confesses) X(changes_itself)      \
                            X(writes_by_nobody) X(looks_on) X(becomes_another) X(takes_the_request)        \
                                X(pretends) X(finds_its_rounding) X(finds_its_signals)

#define AS_FAULT(name) {#name, "does what it is called after", NULL},
static const struct cor_aut_fault faults[] = {
    FAULTS(AS_FAULT){"returns_7", "as if it had been stopped", NULL},
    {"new_words", "notes what the design does not know", NULL},
    {"unwired", "takes nothing", (const struct cor_aut_handle[]){{"Take", "Pickpu"}, {0}}},
    {"begins_empty", "believes otherwise than it is told", NULL},
#ifdef BAD_FAULT
    {"exits", "there already", NULL},
#endif
    {0}};
#define AS_DEED(name) name,
static void (*const deeds[])(host_of host) = {FAULTS(AS_DEED)};
enum {
    DEED_COUNT = sizeof deeds / sizeof *deeds,
    RETURNS_7 = DEED_COUNT + 1,
    NEW_WORDS,
    UNWIRED,
    BEGINS_EMPTY
};

/* Writes a field of the load; on each write the rule of the set posts when there is too much. */
static int put(host_of host, const char *field, const struct cor_aut_value *value, int64_t weight) {
    struct cor_aut_value overload = cor_aut_integer("Weight", weight);
    return host->step(host) && host->wrote(host, "Take", "load", field, value) &&
           (weight <= 100 || host->posted(host, NULL, "Overload", &overload, 1));
}

static int bring(host_of host) {
    host->context(host, "Bring", 1);
    host->started(host, "Bring");
    host->step(host);
    host->step(host);
    host->did(host, "Bring", "Drive");
    return !host->ended(host, "Bring", 1);
}

static int take(const struct cor_aut_case *asked, host_of host, int64_t kilos, const char *what) {
    struct cor_aut_value weight = *cor_aut_find(asked->beliefs, asked->belief_count, "load.Weight");
    struct cor_aut_value share = cor_aut_real(NULL, 0.5), note = cor_aut_word(NULL, what);
    struct cor_aut_value out[] = {cor_aut_word("What", what), cor_aut_integer("Kilos", kilos)};
    weight.as.integer += kilos;
    host->started(host, "Take");
    if (kilos == 13 && asked->fault > 0 && asked->fault <= DEED_COUNT)
        deeds[asked->fault - 1](host);
    if (kilos == 13 && asked->fault == RETURNS_7)
        return 7;
    if (kilos == 13 && asked->fault == NEW_WORDS) {
        note = cor_aut_word(NULL, "news");
        out[0] = cor_aut_word("What", "more news");
    }
    if (!put(host, "Weight", &weight, weight.as.integer) || !put(host, "Share", &share, weight.as.integer) ||
        !put(host, "Note", &note, weight.as.integer))
        return 1;
    host->step(host);
    host->posted(host, "Take", "Deliver", out, 2);
    bring(host);
    host->step(host);
    host->sent(host, "Take", "Receipt");
    return !host->ended(host, "Take", 1);
}

static int run(void *state, const struct cor_aut_case *asked, const struct cor_aut_host *host) {
    char *used = state;
    if (used[0]++ != 0)
        abort(); /* the state is zeroed before each case */
    if (strcmp(asked->event, "Deliver") == 0)
        return bring(host);
    int64_t kilos = cor_aut_find(asked->arguments, asked->argument_count, "Kilos")->as.integer;
    const struct cor_aut_value *what = cor_aut_find(asked->arguments, asked->argument_count, "What");
    if (kilos == 13 && asked->fault == BEGINS_EMPTY) {
        struct cor_aut_value nothing = cor_aut_integer(NULL, 0), none = cor_aut_word(NULL, "none");
        host->wrote(host, NULL, "load", "Weight", &nothing);
        host->wrote(host, NULL, "load", "Note", &none);
    }
    host->context(host, "Take", kilos > 0);
    host->context(host, "Refuse", kilos <= 0);
    if (kilos > 0)
        return take(asked, host, kilos, what->kind == COR_AUT_WORD ? what->as.word : NULL);
    host->started(host, "Refuse");
    host->ended(host, "Refuse", 1);
    return 0;
}

static const struct cor_aut_handle handles[] = {
    {"Take", "Pickup"}, {"Refuse", "Pickup"}, {"Bring", "Deliver"}, {"Sing", "Pickup"}, {0}};

COR_EXPORT extern const struct cor_aut corridor_aut_1;
const struct cor_aut corridor_aut_1 = {.magic = COR_AUT_MAGIC,
                                       .major = MAJOR,
                                       .minor = MINOR,
                                       .struct_size = sizeof(struct cor_aut),
                                       .name = "Courier",
                                       .version = "1",
                                       .summary = "picks up parcels",
                                       .handles = handles,
                                       .faults = faults,
                                       .state_size = 1,
#ifdef BAD_RUN
                                       .run = 0 ? run : NULL
#else
                                       .run = run
#endif
};
