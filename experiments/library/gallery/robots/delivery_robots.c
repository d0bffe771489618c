/* SPDX-License-Identifier: CC0-1.0
 *
 * delivery_robots: cranes, then trolleys, best charged first, are dealt back and forth into teams. Then
 * robots of the same tool change places as long as that helps a team that carries too little, or batteries
 * that differ. */
#include <corridor/plugin.h>

#include <math.h>

static const struct cor_parameter parameters[] = {
    {"load", "kg", "each team carries at least this", 120, 0, 10000, 0},
    {"spread", "%", "mean charges of teams differ by this at most", 20, 0, 100, 0},
    {0}};

enum { NONE, NO_CRANE, OVERLOAD };
static const struct cor_fault faults[] = {
    {"no_crane", "which tool a robot has is not asked"},
    {"overload", "what a team carries is not asked when robots change places"},
    {0}};

static const char *const needs[] = {"tool", "capacity [kg]", "charge [%]", NULL};

struct teams {
    uint32_t robot_count, count;
    const double *tool, *capacity, *charge;
    double load, spread;
    uint32_t *team; /* [robot] */
    double *carries, *charged, *size;
};

/* How far the mean charges are apart beyond what is wanted, and, in *short_of, what teams carry too little.
 */
static double lack(struct teams *t, double *short_of) {
    double least = INFINITY, most = -INFINITY;
    for (uint32_t o = 0; o < t->count; o++)
        t->carries[o] = t->charged[o] = t->size[o] = 0;
    for (uint32_t a = 0; a < t->robot_count; a++) {
        const uint32_t o = t->team[a];
        t->carries[o] += t->capacity[a];
        t->charged[o] += t->charge[a];
        t->size[o]++;
    }
    *short_of = 0;
    for (uint32_t o = 0; o < t->count; o++) {
        const double mean = t->charged[o] / t->size[o];
        least = mean < least ? mean : least;
        most = mean > most ? mean : most;
        *short_of += t->carries[o] < t->load ? 1 + (t->load - t->carries[o]) / t->load : 0;
    }
    const double apart = most - least;
    return apart > 0.9 * t->spread ? (apart - 0.9 * t->spread) / 100 : 0; /* not at the very edge */
}

/* Cranes first, then by charge; with the fault by charge alone. */
static void deal(struct teams *t, uint32_t *order, int asks_tool) {
    for (uint32_t a = 0; a < t->robot_count; a++) {
        uint32_t at = a;
        for (; at > 0; at--) {
            const uint32_t other = order[at - 1];
            const int is_behind = asks_tool && t->tool[a] != t->tool[other]
                                      ? t->tool[a] > t->tool[other]
                                      : t->charge[a] <= t->charge[other];
            if (is_behind)
                break;
            order[at] = other;
        }
        order[at] = a;
    }
    for (uint32_t i = 0; i < t->robot_count; i++) {
        const uint32_t round = i / t->count, place = i % t->count;
        t->team[order[i]] = round % 2 ? t->count - 1 - place : place;
    }
}

static void improve(struct teams *t, const struct cor_task *task, const struct cor_host *host) {
    const int asks_tool = task->rules->fault != NO_CRANE, asks_load = task->rules->fault != OVERLOAD;
    double short_of, best = lack(t, &short_of) + asks_load * short_of;
    for (int helped = 1; helped && best > 0;) {
        helped = 0;
        for (uint32_t a = 0; a < t->robot_count && best > 0; a++)
            for (uint32_t b = a + 1; b < t->robot_count && best > 0 && *host->spent < task->rules->budget;
                 b++) {
                const uint32_t mine = t->team[a], other = t->team[b];
                if (mine == other || (asks_tool && t->tool[a] != t->tool[b]))
                    continue;
                ++*host->spent;
                t->team[a] = other;
                t->team[b] = mine;
                double cost = lack(t, &short_of);
                cost += asks_load * short_of;
                if (cost < best) {
                    best = cost;
                    helped = 1;
                } else {
                    t->team[a] = mine;
                    t->team[b] = other;
                }
            }
    }
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    const struct cor_rules *rules = task->rules;
    const uint32_t n = task->agent_count;
    struct teams t = {.robot_count = n,
                      .count = task->block_count,
                      .tool = task->values[cor_column(rules, "tool")],
                      .capacity = task->values[cor_column(rules, "capacity")],
                      .charge = task->values[cor_column(rules, "charge")],
                      .load = rules->parameters[0],
                      .spread = rules->parameters[1]};
    t.count = t.count < rules->count_min ? rules->count_min : t.count;
    t.count = t.count > rules->count_max ? rules->count_max : t.count;
    t.team = host->alloc(host, n * sizeof *t.team);
    t.carries = host->alloc(host, t.count * sizeof *t.carries);
    t.charged = host->alloc(host, t.count * sizeof *t.charged);
    t.size = host->alloc(host, t.count * sizeof *t.size);
    uint32_t *order = host->alloc(host, n * sizeof *order);
    if (!t.team || !t.carries || !t.charged || !t.size || !order)
        return COR_FAILED;
    deal(&t, order, rules->fault != NO_CRANE);
    improve(&t, task, host);
    /* What became of the fault: is there a team without a crane, or one that carries too little? */
    double short_of;
    int spoilt = 0;
    lack(&t, &short_of);
    for (uint32_t o = 0; o < t.count && rules->fault == NO_CRANE; o++) {
        int has = 0;
        for (uint32_t a = 0; a < t.robot_count; a++)
            has |= t.team[a] == o && t.tool[a] == 0;
        spoilt |= !has;
    }
    if (rules->fault == OVERLOAD)
        spoilt = short_of > 0;
    host->fault->reached += rules->fault != NONE;
    host->fault->held += (uint64_t)spoilt;
    host->fault->activated += (uint64_t)spoilt;
    host->fault->in_result |= (uint64_t)spoilt;
    for (uint32_t o = 0; o < t.count; o++) {
        uint32_t size = 0;
        for (uint32_t a = 0; a < n; a++)
            if (t.team[a] == o)
                order[size++] = a;
        if (!host->put_block(host, order, size))
            return COR_FAILED;
    }
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "delivery_robots",
    .version = "1.0",
    .summary = "cranes and trolleys dealt into teams, then exchanged until teams carry enough and batteries "
               "are alike",
    .budget_unit = "exchanges",
    .parameters = parameters,
    .faults = faults,
    .result = result,
    .needs = needs,
};
