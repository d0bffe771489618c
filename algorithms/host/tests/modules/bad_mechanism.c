/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mechanisms as somebody else would build them, each with something wrong, which is defined when it is built:
 * what it does instead of its work where the crew of agent 0 is 5, or a parameter that cannot be. */
#define _GNU_SOURCE
#include <corridor/mechanism.h>

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef DEED
#define DEED (void)0
#endif
#ifndef PARAMETER
#define PARAMETER
#endif

/* Where the host keeps what was written, behind the values that it shows; and which numbers were. */
__attribute__((unused)) static double *written_of(const struct cor_task *task) {
    return (double *)(uintptr_t)task->values[0] + (size_t)task->agent_count * task->rules->value_count;
}

__attribute__((unused)) static unsigned char *flags_of(const struct cor_task *task) {
    return (unsigned char *)(written_of(task) + (size_t)task->agent_count * task->rules->value_count);
}

__attribute__((unused)) static void loop(void) {
    for (volatile unsigned i = 0;; i++)
        ;
}

__attribute__((unused)) static void loop_once(const struct cor_task *task) {
    double *kept = written_of(task) + 7;
    const double before = *kept;
    *kept = 77;
    if (before != 77)
        loop();
}

/* Early, and then it goes on for a while. */
__attribute__((unused)) static void reply_early(void) {
    (void)!write(11, "x", 1);
    usleep(100000);
}

__attribute__((unused)) static void leave_somebody(void) {
    if (fork() == 0)
        pause();
}

#ifdef DIES
#include "deaths.h"
#endif

static enum cor_progress work(const struct cor_task *task, const struct cor_mechanism_host *host) {
    const uint32_t crew = cor_column(task->rules, "crew");
    if (crew == task->rules->value_count || task->values[crew][0] == 5)
        DEED;
    host->write(host, 0, 3, 0.5);
    *host->cost += 1;
    return COR_DONE;
}

static const char *const writes[] = {"value", NULL};
static const struct cor_parameter parameters[] = {PARAMETER{0}};

COR_EXPORT extern const struct cor_mechanism corridor_mechanism_1;
const struct cor_mechanism corridor_mechanism_1 = {COR_MECHANISM,        .name = NAME,
                                                   .version = "1",       .summary = "does something wrong",
                                                   .cost_unit = "calls", .parameters = parameters,
                                                   .writes = writes,     .work = work};
