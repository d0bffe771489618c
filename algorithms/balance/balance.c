/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * balance: shares a demand among the dispatchable members of each organization (003: the mechanism that
 * balances supply and demand). What the members together give too little or too much of it is
 * shared out equally among those that are dispatchable, as far as each can go. It costs the units moved.
 *
 * What is balanced is the value, which the mechanism changes; or, where agents have a column "power", that:
 * it is made up for in the same case, so that the column stays, and what is left of it is a strain on the
 * value of who was moved. */
#include <corridor/mechanism.h>

enum { DEMAND, SHARE, REACH, STRAIN };
enum { LAST_LEFT = 1, FULL_FORGOTTEN, TURNED }; /* faults: the last organization is not served, .. */

#define TURNED_FROM 8 /* members of an organization that are served the wrong way round */

/* Of its range for each member: what rounding may leave of sums that are equal. Nobody is taken for it. */
#define ROUNDING 1e-12

struct balancing {
    const struct cor_task *task;
    const struct cor_mechanism_host *host;
    const double *given, *dispatchable; /* [agent]: what is balanced; the latter NULL: all are */
    const double *value;                /* [agent] that moves are a strain on; NULL: it is what is balanced */
    unsigned char *is_taken; /* [agent] by an organization before; only where there may be several */
    double low, high, reach, least, strain; /* low and high: of what is balanced; least: value */
};

/* How far an agent can go up, or down. */
static double room_of(const struct balancing *b, uint32_t agent, int is_up) {
    const double room = is_up ? b->high - b->given[agent] : b->given[agent] - b->low;
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
        /* Not more: a limit that is met but for rounding may be above the next level again, and round it
         * goes. */
        if (full == count || (full_before <= count && full <= full_before))
            return level;
        full_before = full;
        level = left / (count - full);
    }
}

/* How many can go farther than that. */
static uint32_t count_beyond(const struct balancing *b, const uint32_t *members, uint32_t count, int is_up,
                             double level) {
    uint32_t beyond = 0;
    for (uint32_t i = 0; i < count; i++)
        beyond += room_of(b, members[i], is_up) > level;
    return beyond;
}

/* The fault of this mechanism, if it is one that strikes here: changes direction or level. An organization
 * that is last when `is_last`. */
static void strike(const struct balancing *b, const uint32_t *members, uint32_t count, int is_last,
                   double wanted, int *is_up, double *level) {
    const uint32_t movable = count_beyond(b, members, count, *is_up, 0);
    const double first = movable > 0 ? wanted / movable : 0, rounding = ROUNDING * (b->high - b->low);
    int holds = 0, strikes = 0;
    switch (b->task->rules->fault) {
    case LAST_LEFT:
        holds = is_last && b->task->block_count > 1;
        strikes = holds && movable > 0;
        *level = strikes ? 0 : *level;
        break;
    case FULL_FORGOTTEN: /* what a member that is full cannot give is given by nobody */
        for (uint32_t i = 0; i < count; i++) {
            const double room = room_of(b, members[i], *is_up);
            holds = holds || (room > 0 && room < first - rounding);
        }
        strikes = holds && count_beyond(b, members, count, *is_up, first + rounding) > 0;
        *level = strikes ? first : *level;
        break;
    case TURNED:
        holds = count >= TURNED_FROM;
        strikes = holds && movable + count_beyond(b, members, count, !*is_up, 0) > 0;
        *is_up = strikes ? !*is_up : *is_up;
        *level = level_of(b, members, count, *is_up, wanted);
        break;
    default:
        return;
    }
    b->host->fault->reached++;
    b->host->fault->held += (uint64_t)holds;
    b->host->fault->activated += (uint64_t)strikes;
}

static int dispatch(struct balancing *b, const uint32_t *members, uint32_t count, int is_last,
                    double deviation) {
    int is_up = deviation > 0;
    const double wanted = is_up ? deviation : -deviation;
    if (wanted <= ROUNDING * (b->high - b->low) * count)
        return 1;
    double level = level_of(b, members, count, is_up, wanted);
    strike(b, members, count, is_last, wanted, &is_up, &level);
    for (uint32_t i = 0; i < count; i++) {
        const double room = room_of(b, members[i], is_up), step = room < level ? room : level;
        if (!(step > 0))
            continue;
        double to = is_up ? b->given[members[i]] + step : b->given[members[i]] - step;
        to = to > b->high ? b->high : to < b->low ? b->low : to;
        const double moved = is_up ? to - b->given[members[i]] : b->given[members[i]] - to;
        if (b->value) {
            to = b->value[members[i]] - b->strain * moved;
            to = to < b->least ? b->least : to;
        }
        if (!b->host->write(b->host, 0, members[i], to))
            return 0;
        b->is_taken[members[i]] = 1;
        *b->host->cost += moved;
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
    const uint32_t columns = task->rules->value_count, column = cor_column(task->rules, "dispatchable"),
                   power = cor_column(task->rules, "power"), given = power < columns ? power : 0;
    struct balancing b = {.task = task,
                          .host = host,
                          .given = task->values[given],
                          .dispatchable = column < columns ? task->values[column] : NULL,
                          .value = given > 0 ? task->values[0] : NULL,
                          .low = task->rules->columns[given].min,
                          .high = task->rules->columns[given].max,
                          .reach = parameters[REACH],
                          .least = task->rules->columns[0].min,
                          .strain = parameters[STRAIN]};
    b.is_taken = host->alloc(host, task->agent_count + (size_t)1);
    if (!b.is_taken)
        return COR_FAILED;
    const double demand = parameters[DEMAND] < 0 ? mean_of(b.given, task->agent_count) : parameters[DEMAND];
    for (uint32_t block = 0; block < task->block_count; block++) {
        const uint32_t *members = task->members + task->block_start[block];
        const uint32_t count = task->block_start[block + 1] - task->block_start[block];
        double sum = 0;
        for (uint32_t i = 0; i < count; i++)
            sum += b.given[members[i]];
        if (!dispatch(&b, members, count, block + 1 == task->block_count,
                      parameters[SHARE] * (demand * count - sum)))
            return COR_FAILED;
    }
    return COR_DONE;
}

static const struct cor_parameter parameters[] = {
    {"demand", "value",
     "what is wanted of each organization for each member; below 0: the mean of all agents", -1, -1, 1, 0},
    {"share", "1", "of a deviation from it, what is compensated in a case", 1, 0, 1, 0},
    {"reach", "value", "by how much one member changes in a case at most", 1, 0, 1, 0},
    {"strain", "1", "where agents have power: by how much their value falls for each unit they are moved", 0,
     0, 1, 0},
    {0}};
static const struct cor_fault faults[] = {
    {"last_left", "the last organization is not served where there are several"},
    {"full_forgotten", "what a member cannot give that is at its end is not shared out among the others"},
    {"turned", "organizations of 8 members and more are served the wrong way round"},
    {0}};
static const char *const writes[] = {"value", NULL};

COR_EXPORT extern const struct cor_mechanism corridor_mechanism_1;
const struct cor_mechanism corridor_mechanism_1 = {
    COR_MECHANISM,        .name = "balance",
    .version = "1.1",     .summary = "shares a demand among the dispatchable members of each organization",
    .cost_unit = "value", .parameters = parameters,
    .writes = writes,     .work = work,
    .faults = faults,
};
