/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * balance: shares a demand among the dispatchable members of each organization (003: the mechanism that
 * balances supply and demand). What the members together give too little or too much of it is
 * shared out equally among those that are dispatchable, as far as each can go. It costs the units moved. */
#include <corridor/mechanism.h>

enum { DEMAND, SHARE, REACH };

/* Of its range for each member: what rounding may leave of sums that are equal. Nobody is taken for it. */
#define ROUNDING 1e-12

struct balancing {
    const struct cor_task *task;
    const struct cor_mechanism_host *host;
    const double *value, *dispatchable; /* [agent]; the latter NULL: all are */
    unsigned char *is_taken; /* [agent] by an organization before; only where there may be several */
    double low, high, reach;
};

/* How far an agent can go up, or down. */
static double room_of(const struct balancing *b, uint32_t agent, int is_up) {
    const double room = is_up ? b->high - b->value[agent] : b->value[agent] - b->low;
    if (b->is_taken[agent] || (b->dispatchable && !(b->dispatchable[agent] > 0)) || !(room > 0))
        return 0;
    return room < b->reach ? room : b->reach;
}

/* The level to which room is used up, so that together it is `wanted`: who has less gives all. It rises until
 * nobody more falls below it. */
static double level_of(const struct balancing *b, const uint32_t *members, uint32_t count, int is_up,
                       double wanted) {
    double level = 0;
    uint32_t full_before = count + 1;
    for (;;) {
        double left = wanted;
        uint32_t full = 0;
        for (uint32_t i = 0; i < count; i++) {
            const double room = room_of(b, members[i], is_up);
            if (room <= level) {
                left -= room;
                full++;
            }
        }
        if (full == count || full == full_before)
            return level;
        full_before = full;
        level = left / (count - full);
    }
}

static int dispatch(struct balancing *b, const uint32_t *members, uint32_t count, double deviation) {
    const int is_up = deviation > 0;
    const double wanted = is_up ? deviation : -deviation;
    if (wanted <= ROUNDING * (b->high - b->low) * count)
        return 1;
    const double level = level_of(b, members, count, is_up, wanted);
    for (uint32_t i = 0; i < count; i++) {
        const double room = room_of(b, members[i], is_up), step = room < level ? room : level;
        if (!(step > 0))
            continue;
        double to = is_up ? b->value[members[i]] + step : b->value[members[i]] - step;
        to = to > b->high ? b->high : to < b->low ? b->low : to;
        if (!b->host->write(b->host, 0, members[i], to))
            return 0;
        b->is_taken[members[i]] = 1;
        *b->host->cost += is_up ? to - b->value[members[i]] : b->value[members[i]] - to;
    }
    return 1;
}

static double mean_of(const double *value, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += value[i];
    return sum / count;
}

static enum cor_progress work(const struct cor_task *task, const struct cor_mechanism_host *host) {
    const double *parameters = task->rules->parameters;
    const uint32_t column = cor_column(task->rules, "dispatchable");
    struct balancing b = {.task = task,
                          .host = host,
                          .value = task->values[0],
                          .dispatchable = column < task->rules->value_count ? task->values[column] : NULL,
                          .low = task->rules->columns[0].min,
                          .high = task->rules->columns[0].max,
                          .reach = parameters[REACH]};
    b.is_taken = host->alloc(host, task->agent_count + (size_t)1);
    if (!b.is_taken)
        return COR_FAILED;
    const double demand = parameters[DEMAND] < 0 ? mean_of(b.value, task->agent_count) : parameters[DEMAND];
    for (uint32_t block = 0; block < task->block_count; block++) {
        const uint32_t *members = task->members + task->block_start[block];
        const uint32_t count = task->block_start[block + 1] - task->block_start[block];
        double sum = 0;
        for (uint32_t i = 0; i < count; i++)
            sum += b.value[members[i]];
        if (!dispatch(&b, members, count, parameters[SHARE] * (demand * count - sum)))
            return COR_FAILED;
    }
    return COR_DONE;
}

static const struct cor_parameter parameters[] = {
    {"demand", "value",
     "what is wanted of each organization for each member; below 0: the mean of all agents", -1, -1, 1, 0},
    {"share", "1", "of a deviation from it, what is compensated in a case", 1, 0, 1, 0},
    {"reach", "value", "by how much one member changes in a case at most", 1, 0, 1, 0},
    {0}};
static const char *const writes[] = {"value", NULL};

COR_EXPORT extern const struct cor_mechanism corridor_mechanism_1;
const struct cor_mechanism corridor_mechanism_1 = {
    COR_MECHANISM,        .name = "balance",
    .version = "1.0",     .summary = "shares a demand among the dispatchable members of each organization",
    .cost_unit = "value", .parameters = parameters,
    .writes = writes,     .work = work,
};
