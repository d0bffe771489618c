/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who touches what is closed: the fault of the memory becomes a sentence, and the end of the reorganization.
 */
#define _GNU_SOURCE /* REG_ERR */
#include "local.h"

#include <stdio.h>
#include <string.h>
#include <ucontext.h>

/* The one reorganization of this process that is watched: a signal handler gets no argument of ours. */
static struct host__strict *watched;

/* Whether the fault was a write; -1 where the machine does not tell. */
static int is_write(const void *context) {
#ifdef __x86_64__
    const ucontext_t *machine = context;
    return (machine->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    (void)context;
    return -1;
#endif
}

static int is_of_module(const struct host__strict *strict, const void *address) {
    for (uint32_t i = 0; i < strict->piece_count; i++) {
        uintptr_t start = (uintptr_t)strict->pieces[i].start, at = (uintptr_t)address;
        if (at >= start && at < start + strict->pieces[i].bytes)
            return 1;
    }
    return 0;
}

/* A fault that is none of ours happens again, to whom it would have met without us. */
static void on_fault(int signal_number, siginfo_t *info, void *context) {
    struct host__strict *strict = watched;
    if (!strict ||
        (!host__pages_find(&strict->pages, info->si_addr) && !is_of_module(strict, info->si_addr))) {
        struct sigaction fallback = {.sa_handler = SIG_DFL};
        sigaction(signal_number, strict ? &strict->before : &fallback, NULL);
        return;
    }
    strict->touched = info->si_addr;
    strict->wrote = is_write(context);
    siglongjmp(strict->landing, 1);
}

static void allow_module(const struct host__strict *strict, enum host__access access) {
    for (uint32_t i = 0; i < strict->piece_count; i++)
        host__pages_allow(strict->pieces[i].start, strict->pieces[i].bytes, access);
}

static enum cor_stop peeked(struct host__local *session) {
    struct host__strict *strict = session->strict;
    char text[sizeof session->outcome->complaint];
    host__strict_describe(strict, text, sizeof text);
    session->outcome->complaint[0] = '\0'; /* the finding matters more than what it said */
    session->outcome->smoke = COR_SMOKE_NONE;
    host__session_smoke(session, COR_SMOKE_PEEKED, text);
    return COR_STOP_FAILED;
}

enum cor_stop host__strict_watch(struct host__local *session, enum cor_stop (*live)(struct host__local *)) {
    struct host__strict *strict = session->strict;
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    enum cor_stop stop;
    COR_ASSERT(!watched);
    sigemptyset(&action.sa_mask);
    watched = strict;
    int installed = sigaction(SIGSEGV, &action, &strict->before);
    COR_ASSERT(installed == 0);
    if (sigsetjmp(strict->landing, 1) == 0) {
        allow_module(strict, HOST__ACCESS_READ);
        stop = live(session);
    } else {
        stop = peeked(session);
    }
    sigaction(SIGSEGV, &strict->before, NULL);
    watched = NULL;
    allow_module(strict, HOST__ACCESS_WRITE);
    host__strict_open(strict);
    host__strict_fold(strict);
    return session->outcome->smoke == COR_SMOKE_NONE ? stop : COR_STOP_FAILED;
}

void host__strict_find_module(struct host__strict *strict) {
    strict->piece_count = cor_module_variables((uintptr_t)strict->session->base.algorithm->result,
                                               strict->pieces, HOST__MODULE_PIECES, &strict->module_start);
}

static void say_who(const struct host__strict *strict, char *text, size_t size) {
    static const char *const phases[] = {
        [HOST__IDLE] = "the algorithm", [HOST__BEGIN] = "begin()",   [HOST__STEP] = "step()",
        [HOST__HANDLER] = "a handler",  [HOST__RESULT] = "result()", [HOST__INTERIM] = "result()",
        [HOST__ADOPT] = "adopt()",      [HOST__END] = "end()"};
    if (strict->inside != HOST__OWNER_NONE)
        snprintf(text, size, "agent %u", strict->inside);
    else
        snprintf(text, size, "%s", phases[strict->session->phase]);
}

static void say_task(const struct host__strict *strict, uint32_t index, char *text, size_t size) {
    const struct host__task_part *part = &strict->parts[index];
    intptr_t offset = (intptr_t)((uintptr_t)strict->touched - (uintptr_t)part->start);
    long item = (long)(part->item > 1 ? offset / (intptr_t)part->item : offset);
    if (strict->closed)
        snprintf(text, size, "the task, which is lent to begin() and result() alone");
    else if (part->column > 0)
        snprintf(text, size, "the task's values[%u][%ld]", part->column - 1, item);
    else if (part->item == sizeof(struct cor_task))
        snprintf(text, size, "the task's own fields");
    else
        snprintf(text, size, "the task's %s[%ld]", part->name, item);
}

static void say_run(const struct host__strict *strict, const struct host__run *run, char *text, size_t size) {
    switch (run->content) {
    case HOST__CONTENT_GUARD:
        say_run(strict, run - 1, text, size);
        break;
    case HOST__CONTENT_OFFER:
        snprintf(text, size, "struct cor_host");
        break;
    case HOST__CONTENT_RULES:
        snprintf(text, size, "the rules");
        break;
    case HOST__CONTENT_COUNTERS:
        snprintf(text, size, "the counters");
        break;
    case HOST__CONTENT_MESSAGE:
        snprintf(text, size, "a message");
        break;
    case HOST__CONTENT_TASK:
        say_task(strict, run->owner, text, size);
        break;
    case HOST__CONTENT_VALUES:
        snprintf(text, size, "the values of agent %u", run->owner);
        break;
    case HOST__CONTENT_STATE:
        snprintf(text, size, "the state of agent %u", run->owner);
        break;
    case HOST__CONTENT_RECORD:
        snprintf(text, size, "struct cor_agent of agent %u", run->owner);
        break;
    case HOST__CONTENT_MEMORY:
    case HOST__CONTENT_BEGUN:
        if (run->content == HOST__CONTENT_BEGUN && run->owner == HOST__OWNER_NONE)
            snprintf(text, size, "memory of begin() that no agent's state leads to");
        else if (run->content == HOST__CONTENT_BEGUN && run->owner == HOST__OWNER_SEVERAL)
            snprintf(text, size, "memory of begin() that the states of several agents lead to");
        else if (run->owner == HOST__OWNER_NONE)
            snprintf(text, size, "memory that is no agent's");
        else
            snprintf(text, size, "memory of agent %u", run->owner);
        break;
    }
}

void host__strict_describe(const struct host__strict *strict, char *text, size_t size) {
    char who[32], what[160];
    const struct host__run *run = host__pages_find(&strict->pages, strict->touched);
    say_who(strict, who, sizeof who);
    if (run)
        say_run(strict, run, what, sizeof what);
    else
        snprintf(what, sizeof what, "a variable of the module, at offset 0x%lx",
                 (unsigned long)((uintptr_t)strict->touched - strict->module_start));
    snprintf(text, size, "%s %s %s%s", who,
             strict->wrote < 0 ? "touched"
             : strict->wrote   ? "wrote"
                               : "read",
             run && run->content == HOST__CONTENT_GUARD ? "past the end of " : "", what);
}
