/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mechanism, or (IS_MONITOR) a monitor, that keeps to its header but for one thing: MISDEED. */
#include <corridor/mechanism.h>
#include <corridor/monitor.h>

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum misdeed {
    HONEST,
    KEEPS_STATICS,
    USES_CLOCK,
    USES_ADDRESS_OF_LOCAL,
    USES_FRESH_MEMORY,
    USES_ENVIRONMENT,
    LEAVES_THE_RANGE,
    SPREADS_NAN,
    WRITES_WHAT_IT_IS_SHOWN,
    MISUSES_PARAMETER,
    FAILS_SILENTLY,
    CRASHES_WITH_MANY,
    HANGS_WITH_MANY,
    ALARMS_FOR_OTHERS,
    FAULT_IS_NONSENSE,
    NEVER_ALARMS,
    WRITES_ALL_SORTS /* no misdeed: what its user's model has */
};
#ifndef IS_MONITOR
#define IS_MONITOR 0
#endif
enum { MANY = 25 };

/* Statics are misdeeds themselves. */
static unsigned before;

static __attribute__((noinline)) unsigned address_of_local(void) {
    volatile char local = 0;
    return (unsigned)((uintptr_t)&local / 16) + (unsigned)local;
}

static unsigned fresh_memory(void) {
    void *volatile memory = malloc(64); /* volatile: compilers see what is wrong here, and say so */
    const unsigned char *bytes = memory;
    const unsigned sum = bytes ? bytes[40] : 0u;
    free(memory);
    return sum;
}

static unsigned text_sum(const char *text) {
    unsigned sum = 0;
    while (text && *text)
        sum = sum * 31 + (unsigned char)*text++;
    return sum;
}

/* What no outcome may depend on. */
static unsigned forbidden(uint32_t members) {
    struct timespec now = {0};
    switch ((enum misdeed)MISDEED) {
    case KEEPS_STATICS:
        return ++before / 5;
    case USES_CLOCK:
        clock_gettime(CLOCK_REALTIME, &now);
        return (unsigned)now.tv_sec + (unsigned)now.tv_nsec;
    case USES_ADDRESS_OF_LOCAL:
        return address_of_local();
    case USES_FRESH_MEMORY:
        return fresh_memory();
    case USES_ENVIRONMENT:
        return text_sum(getenv("TZ"));
    case CRASHES_WITH_MANY:
        if (members > MANY)
            abort();
        return 0;
    case HANGS_WITH_MANY:
        for (volatile unsigned i = 0; members > MANY; i++)
            ;
        return 0;
    default:
        return 0;
    }
}

#if IS_MONITOR

static int look(void *state, const struct cor_monitor_view *view, struct cor_monitor_alarm *alarm) {
    unsigned *looks = state;
    double sum = 0;
    for (uint32_t m = 0; m < view->member_count; m++)
        sum += view->values[0][m];
    const int is_due = sum > 0.5 + forbidden(view->size) % 32 / 16.;
    ++*looks;
    if (MISDEED == NEVER_ALARMS)
        return 0;
    if (MISDEED == ALARMS_FOR_OTHERS && is_due)
        alarm->organization++;
    if (MISDEED == FAULT_IS_NONSENSE && view->fault == 2)
        return 2;
    return is_due;
}

static const struct cor_monitor_name faults[] = {{"one", "nothing"}, {"two", "nothing either"}, {0}};

COR_EXPORT extern const struct cor_monitor corridor_monitor_1;
const struct cor_monitor corridor_monitor_1 = {COR_MONITOR,
                                               .name = "sample",
                                               .version = "1",
                                               .summary = "-",
                                               .faults = faults,
                                               .watches = COR_MONITOR_ORGANIZATION,
                                               .state_size = sizeof(unsigned),
                                               .look = look};

#else

/* Loads of 50 kW, of -50 kW where it is off; the next tariff of three; and off what was on. */
static enum cor_progress write_all_sorts(const struct cor_task *task, const struct cor_mechanism_host *host) {
    static const double prices[] = {0.1, 0.2, 0.4};
    const uint32_t load = cor_column(task->rules, "load"), tariff = cor_column(task->rules, "tariff"),
                   on = cor_column(task->rules, "on");
    for (uint32_t i = 0; i < task->agent_count; i++) {
        const double was = task->values[load][i], of = task->values[tariff][i];
        const int is_on = task->values[on][i] >= 0.5;
        if (isnan(was) || isnan(of))
            continue;
        if (of < 0 || of > 2)
            abort(); /* there are three */
        *host->cost += was * prices[(int)of];
        if (!host->write(host, load, i, is_on ? 50 : -50) || !host->write(host, tariff, i, of < 1 ? 2 : 1) ||
            !host->write(host, on, i, !is_on))
            return COR_FAILED;
    }
    return COR_DONE;
}

static enum cor_progress work(const struct cor_task *task, const struct cor_mechanism_host *host) {
    if (MISDEED == WRITES_ALL_SORTS)
        return write_all_sorts(task, host);
    const uint32_t load = cor_column(task->rules, "load");
    const double width = task->rules->parameters[0];
    const unsigned odd = forbidden(task->agent_count) % 32;
    if (MISDEED == WRITES_WHAT_IT_IS_SHOWN)
        ((double *)(uintptr_t)task->values[load])[0] = 0.25;
    if (MISDEED == FAILS_SILENTLY && task->agent_count > 3)
        return COR_FAILED;
    if (MISDEED == MISUSES_PARAMETER && width > 1)
        return *host->cost = -width, COR_DONE;
    for (uint32_t i = 0; i < task->agent_count; i++) {
        const double is = task->values[load][i], most = task->rules->columns[load].max;
        if (isnan(is) && MISDEED != SPREADS_NAN)
            continue;
        const double to = is + width / 8 * (1 + odd / 32.) * cor_random_unit(host->random);
        if (!host->write(host, load, i, to > most && MISDEED != LEAVES_THE_RANGE ? most : to))
            return COR_FAILED;
    }
    *host->cost += width;
    return COR_DONE;
}

static const struct cor_parameter parameters[] = {{"width", "kW", "of a step", 1, 0, 2, 0}, {0}};
#define MORE(name) (MISDEED == WRITES_ALL_SORTS ? (name) : NULL)
static const char *const writes[] = {"load", MORE("tariff"), MORE("on"), NULL};
static const char *const needs[] = {"load [kW]", MORE("tariff"), MORE("on"), NULL};

COR_EXPORT extern const struct cor_mechanism corridor_mechanism_1;
const struct cor_mechanism corridor_mechanism_1 = {
    COR_MECHANISM,    .name = "sample",  .version = "1",
    .summary = "-",   .cost_unit = "kW", .parameters = parameters,
    .writes = writes, .needs = needs,    .work = work};

#endif
