/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules in C: Dijkstra's ring, and what a rule may not do, by faults. */
#include <corridor/process.h>

#include <stddef.h>

enum {
    FEW = 1,
    COIN,
    LOOKS,
    DRAWS,
    SENDS,
    ALARMS,
    ALLOCATES,
    CHOOSES_TWO,
    BEYOND,
    ITSELF,
    CRASHES,
    HANGS,
    KEEPS
};

static const struct cor_process_name faults[] = {{"few", "two values less than there are processes"},
                                                 {"coin", "the root draws its value"},
                                                 {"looks", "looks at the clock"},
                                                 {"draws", "draws a random number"},
                                                 {"sends", "sends a message"},
                                                 {"alarms", "sets an alarm"},
                                                 {"allocates", "asks for memory"},
                                                 {"chooses_two", "chooses, and returns two rows"},
                                                 {"beyond", "a value outside of the domain"},
                                                 {"itself", "reads itself"},
                                                 {"crashes", "reads at 0"},
                                                 {"hangs", "does not come back"},
                                                 {"keeps", "counts its calls"}};
static const struct cor_process_name variables[] = {{"x", "a number"}};

static uint32_t values(const struct cor_process_host *host) {
    return host->fault == FEW ? host->count - 2 : host->count;
}

static uint32_t domain(const struct cor_process_host *host, uint32_t variable) {
    (void)variable;
    return values(host);
}

static uint32_t reads(const struct cor_process_host *host, uint32_t *processes) {
    processes[0] = host->fault == ITSELF ? host->self : (host->self + host->count - 1) % host->count;
    return 1;
}

static void misbehave(const struct cor_process_host *host) {
    static volatile int *const nothing = NULL;
    switch (host->fault) {
    case LOOKS:
        host->now(host);
        break;
    case DRAWS:
        host->random(host);
        break;
    case SENDS:
        host->send(host, 0, 0, NULL, 0);
        break;
    case ALARMS:
        host->set_alarm(host, 0, 1);
        break;
    case ALLOCATES:
        host->alloc(host, 8);
        break;
    case CHOOSES_TWO:
        host->choose(host, 2);
        break;
    case CRASHES:
        *nothing = 1;
        break;
    case HANGS:
        for (volatile int i = 0;; i = i + 1)
            ;
    }
}

static uint32_t rule(const struct cor_process_host *host, const uint32_t *const *views, uint32_t *next) {
    static uint32_t calls; /* what a rule may not have */
    const uint32_t own = views[0][0], left = views[1][0];
    misbehave(host);
    calls++;
    next[0] = host->self > 0 ? left : (own + 1) % values(host);
    if (host->fault == BEYOND)
        next[0] = host->count;
    if (host->fault == KEEPS && calls % 7 == 0)
        return 0;
    if (host->fault == CHOOSES_TWO) {
        next[1] = own;
        return 2;
    }
    if (host->fault == COIN && host->self == 0 && own == left)
        next[0] = host->choose(host, values(host));
    return host->self > 0 ? own != left : own == left;
}

COR_EXPORT const struct cor_process corridor_process_1;
const struct cor_process corridor_process_1 = {
    COR_PROCESS,
    .name = "rules",
    .version = "1",
    .faults = faults,
    .fault_count = sizeof faults / sizeof *faults,
    .variables = variables,
    .variable_count = 1,
    .domain = domain,
    .reads = reads,
    .rule = rule,
};
