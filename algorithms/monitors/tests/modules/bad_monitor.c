/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Monitors as somebody else would build them, each with something wrong: what, is defined when it is built.
 */
#include <corridor/monitor.h>

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef ANSWER
#define ANSWER 0
#endif
#ifndef DEED
#define DEED (void)0
#endif
#ifndef MAJOR
#define MAJOR COR_MONITOR_MAJOR
#endif
#ifndef MINOR
#define MINOR COR_MONITOR_MINOR
#endif
#ifndef NAME
#define NAME "bad"
#endif
#ifndef WATCHES
#define WATCHES (COR_MONITOR_ORGANIZATION | COR_MONITOR_AGENT)
#endif
#ifndef TOLERANCE
#define TOLERANCE 0
#endif
#ifndef STATE
#define STATE 16
#endif
#ifndef LOOK
#define LOOK look
#endif
#ifndef FAULT
#define FAULT "odd"
#endif
#ifndef SYMBOL
#define SYMBOL corridor_monitor_1
#endif

#ifdef LOADS
__attribute__((constructor)) static void load(void) {
    LOADS;
}
#endif

#ifdef DIES
#include "deaths.h"
#endif

__attribute__((unused)) static int look(void *state, const struct cor_monitor_view *view,
                                        struct cor_monitor_alarm *alarm) {
    volatile uint64_t *looks = state;
    (void)alarm;
    (void)view;
    ++*looks;
    DEED;
    return ANSWER;
}

static const struct cor_monitor_name faults[] = {{FAULT, "is odd"}, {0}};

COR_EXPORT const struct cor_monitor SYMBOL = {.magic = COR_MONITOR_MAGIC,
                                              .major = MAJOR,
                                              .minor = MINOR,
                                              .struct_size = (uint32_t)sizeof(struct cor_monitor),
                                              .name = NAME,
                                              .version = "1",
                                              .summary = "does something wrong",
                                              .faults = faults,
                                              .watches = WATCHES,
                                              .tolerance = TOLERANCE,
                                              .state_size = STATE,
                                              .look = LOOK};
