/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bad guests among the decentralised: agents that know and do more than an agent may. Sound, each agent tells
 * the next one the number of its block, in turn, and is in the one that it was told last. */
#include <corridor/plugin.h>

#include <stdlib.h>
#include <string.h>

struct agent_state {
    uint32_t agent_count, block, turns, reserved;
    const uint32_t *heard;       /* of a message that is gone */
    const struct cor_task *task; /* of begin, which handlers are not to know */
};

/* Of the module, where all agents are. */
static const struct cor_agent *agent_of_before;
static uint32_t blackboard;

typedef enum cor_progress deed(const struct cor_agent *me, const struct cor_rules *rules,
                               const struct cor_host *host);

static struct agent_state *state_of(const struct cor_agent *me) {
    return me->state;
}

/* Whatever is read has to matter, else it could be left out. */
static enum cor_progress use(const struct cor_agent *me, double value) {
    state_of(me)->block += value > 0.5 ? 1 : 0;
    return COR_DONE;
}

static enum cor_progress reads_the_values_before(const struct cor_agent *me, const struct cor_rules *rules,
                                                 const struct cor_host *host) {
    (void)host;
    return use(me, *(const volatile double *)(me->values - (me->id > 0 ? rules->value_count : 0)));
}
static enum cor_progress reads_the_values_behind(const struct cor_agent *me, const struct cor_rules *rules,
                                                 const struct cor_host *host) {
    (void)host;
    uint32_t n = state_of(me)->agent_count;
    return use(me, *(const volatile double *)(me->values + (me->id + 1 < n ? rules->value_count : 0)));
}
static enum cor_progress reads_the_agent_before(const struct cor_agent *me, const struct cor_rules *rules,
                                                const struct cor_host *host) {
    (void)rules;
    (void)host;
    return use(me, me->id > 0 ? (me - 1)->values[0] : 0);
}
static enum cor_progress reads_the_state_before(const struct cor_agent *me, const struct cor_rules *rules,
                                                const struct cor_host *host) {
    (void)rules;
    (void)host;
    return use(me, me->id > 0 ? (state_of(me) - 1)->turns : 0);
}
static enum cor_progress writes_the_state_behind(const struct cor_agent *me, const struct cor_rules *rules,
                                                 const struct cor_host *host) {
    (void)rules;
    (void)host;
    if (me->id + 1 < state_of(me)->agent_count)
        (state_of(me) + 1)->block++;
    return COR_DONE;
}
static enum cor_progress writes_its_values(const struct cor_agent *me, const struct cor_rules *rules,
                                           const struct cor_host *host) {
    (void)rules;
    (void)host;
    *(double *)(uintptr_t)me->values = 0.5;
    return COR_DONE;
}
static enum cor_progress writes_the_rules(const struct cor_agent *me, const struct cor_rules *rules,
                                          const struct cor_host *host) {
    (void)me;
    (void)host;
    ((struct cor_rules *)(uintptr_t)rules)->budget++;
    return COR_DONE;
}
static enum cor_progress remembers_the_task(const struct cor_agent *me, const struct cor_rules *rules,
                                            const struct cor_host *host) {
    (void)rules;
    (void)host;
    return use(me, state_of(me)->task->values[0][0]);
}
static enum cor_progress remembers_an_agent(const struct cor_agent *me, const struct cor_rules *rules,
                                            const struct cor_host *host) {
    (void)rules;
    (void)host;
    const struct cor_agent *other = agent_of_before;
    agent_of_before = me;
    return use(me, other ? other->values[0] : 0);
}
static enum cor_progress counts_to_tell(const struct cor_agent *me, const struct cor_rules *rules,
                                        const struct cor_host *host) {
    (void)rules;
    uint64_t seen = host->counters[host->counter_start[0]];
    cor_count(host, 0, 0);
    return use(me, (double)(seen % 2));
}
static enum cor_progress writes_on_a_blackboard(const struct cor_agent *me, const struct cor_rules *rules,
                                                const struct cor_host *host) {
    (void)rules;
    (void)host;
    return use(me, blackboard++ % 2);
}
static enum cor_progress draws_from_the_host(const struct cor_agent *me, const struct cor_rules *rules,
                                             const struct cor_host *host) {
    (void)rules;
    return use(me, cor_random_unit(host->random[COR_STREAM_ALGORITHM]));
}
static enum cor_progress asks_for_agents(const struct cor_agent *me, const struct cor_rules *rules,
                                         const struct cor_host *host) {
    (void)rules;
    return use(me, host->agent(host, 0) ? 1 : 0);
}
static enum cor_progress sends_to_nobody(const struct cor_agent *me, const struct cor_rules *rules,
                                         const struct cor_host *host) {
    (void)rules;
    return use(me, host->send(host, UINT32_MAX, 1, &me->id, sizeof me->id));
}
static enum cor_progress sends_null(const struct cor_agent *me, const struct cor_rules *rules,
                                    const struct cor_host *host) {
    (void)rules;
    host->send(host, me->id, 1, NULL, 4096);
    return COR_DONE;
}
static enum cor_progress sends_2_to_the_31(const struct cor_agent *me, const struct cor_rules *rules,
                                           const struct cor_host *host) {
    (void)rules;
    host->send(host, me->id, 1, &me->id, UINT32_C(1) << 31);
    return COR_DONE;
}
static enum cor_progress mails_without_end(const struct cor_agent *me, const struct cor_rules *rules,
                                           const struct cor_host *host) {
    static const char letter[65536];
    (void)rules;
    while (host->send(host, me->id, 1, letter, sizeof letter))
        ;
    return COR_DONE;
}
static enum cor_progress never_rests(const struct cor_agent *me, const struct cor_rules *rules,
                                     const struct cor_host *host) {
    (void)me;
    (void)rules;
    (void)host;
    return COR_CONTINUE;
}
static enum cor_progress adopts_in_a_turn(const struct cor_agent *me, const struct cor_rules *rules,
                                          const struct cor_host *host) {
    (void)rules;
    return use(me,
               host->put_block(host, &me->id, 1) || host->move(host, me->id, 0) || host->keep(host, "x", 1));
}
static enum cor_progress crashes_in_a_turn(const struct cor_agent *me, const struct cor_rules *rules,
                                           const struct cor_host *host) {
    (void)rules;
    (void)host;
    if (me->id == 3)
        abort();
    return COR_DONE;
}
static enum cor_progress activates_in_a_turn(const struct cor_agent *me, const struct cor_rules *rules,
                                             const struct cor_host *host) {
    (void)me, (void)rules;
    host->fault->activated++;
    return COR_DONE;
}
static enum cor_progress wraps_its_fault(const struct cor_agent *me, const struct cor_rules *rules,
                                         const struct cor_host *host) {
    (void)rules;
    host->fault->reached = me->id == 1 ? UINT64_MAX : host->fault->reached;
    return COR_DONE;
}
static enum cor_progress spends_in_a_turn(const struct cor_agent *me, const struct cor_rules *rules,
                                          const struct cor_host *host) {
    (void)me, (void)rules;
    *host->spent += UINT64_MAX / 2;
    return COR_DONE;
}
static enum cor_progress counts_behind(const struct cor_agent *me, const struct cor_rules *rules,
                                       const struct cor_host *host) {
    (void)me, (void)rules;
    cor_count(host, 0, 1);
    return COR_DONE;
}
static enum cor_progress counts_below_0(const struct cor_agent *me, const struct cor_rules *rules,
                                        const struct cor_host *host) {
    (void)me, (void)rules;
    host->counters[host->counter_start[0]]--;
    return COR_DONE;
}
static enum cor_progress reads_old_mail(const struct cor_agent *me, const struct cor_rules *rules,
                                        const struct cor_host *host) {
    (void)rules;
    (void)host;
    return state_of(me)->heard ? use(me, *state_of(me)->heard) : COR_CONTINUE;
}

static const struct {
    const char *name, *meaning;
    deed *deed;
} deeds[] = {{"reads_the_values_before", "reads what is before its values", reads_the_values_before},
             {"reads_the_values_behind", "reads what is behind its values", reads_the_values_behind},
             {"reads_the_agent_before", "reads the agent before it", reads_the_agent_before},
             {"reads_the_state_before", "reads what is before its state", reads_the_state_before},
             {"writes_the_state_behind", "writes behind its state", writes_the_state_behind},
             {"writes_its_values", "gives itself another value", writes_its_values},
             {"writes_the_rules", "writes the rules", writes_the_rules},
             {"remembers_the_task", "uses the task of begin in a turn", remembers_the_task},
             {"remembers_an_agent", "looks at the agent that had a turn before", remembers_an_agent},
             {"counts_to_tell", "tells others by a counter", counts_to_tell},
             {"writes_on_a_blackboard", "tells others by a variable of the module", writes_on_a_blackboard},
             {"draws_from_the_host", "draws from the stream of all", draws_from_the_host},
             {"asks_for_agents", "asks the host for another agent", asks_for_agents},
             {"sends_to_nobody", "sends mail to an agent that there is not", sends_to_nobody},
             {"sends_null", "sends 4096 bytes from address 0", sends_null},
             {"sends_2_to_the_31", "sends 2^31 bytes", sends_2_to_the_31},
             {"mails_without_end", "sends mail until the host says no", mails_without_end},
             {"never_rests", "always wants another turn", never_rests},
             {"adopts_in_a_turn", "puts, moves and keeps in a turn", adopts_in_a_turn},
             {"crashes_in_a_turn", "agent 3 aborts", crashes_in_a_turn},
             {"activates_in_a_turn", "its fault corrupts where it did not hold", activates_in_a_turn},
             {"wraps_its_fault", "counts its fault over its end", wraps_its_fault},
             {"spends_in_a_turn", "says that turns cost", spends_in_a_turn},
             {"counts_behind", "counts a bucket that there is not", counts_behind},
             {"counts_below_0", "counts down from 0", counts_below_0},
             {"reads_old_mail", "reads a message after its handler", reads_old_mail}};
enum { DEED_COUNT = sizeof deeds / sizeof *deeds };
static struct cor_fault faults[DEED_COUNT + 1];

__attribute__((constructor)) static void load(void) {
    for (size_t i = 0; i < DEED_COUNT; i++)
        faults[i] = (struct cor_fault){deeds[i].name, deeds[i].meaning};
}

static enum cor_progress begin(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    for (uint32_t b = 0; b < task->block_count; b++)
        for (uint32_t i = task->block_start[b]; i < task->block_start[b + 1]; i++) {
            struct agent_state *its = host->agent(host, task->members[i])->state;
            its->block = b;
            its->agent_count = task->agent_count;
            its->task = task;
        }
    return COR_CONTINUE;
}

static enum cor_progress wake(const struct cor_agent *me, const struct cor_rules *rules,
                              const struct cor_host *host) {
    struct agent_state *its = me->state;
    if (its->turns++ == 0) {
        uint32_t block = its->block;
        host->send(host, (me->id + 1) % its->agent_count, 1, &block, sizeof block);
    }
    if (rules->fault == 0)
        return COR_DONE;
    host->fault->reached++, host->fault->held++, host->fault->activated++;
    return deeds[rules->fault - 1].deed(me, rules, host);
}

static enum cor_progress receive(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host, const struct cor_message *message) {
    (void)host;
    if (message->size != sizeof(uint32_t))
        return COR_DONE;
    memcpy(&state_of(me)->block, message->payload, sizeof(uint32_t));
    state_of(me)->heard = message->payload;
    return rules->fault > 0 && deeds[rules->fault - 1].deed == reads_old_mail ? COR_CONTINUE : COR_DONE;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    uint32_t n = task->agent_count, k = task->block_count;
    uint32_t *members = host->alloc(host, n * sizeof *members);
    (void)state;
    for (uint32_t b = 0; members && b < k; b++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < n; i++) {
            const struct agent_state *its = host->agent(host, i)->state;
            if (its->block % k == b)
                members[count++] = i;
        }
        if (count > 0)
            host->put_block(host, members, count);
    }
    return COR_DONE;
}

static const struct cor_counter counters[] = {{"turns", "a blackboard", 1}, {0}};

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,           .name = "gossip",
    .version = "1",          .summary = "agents tell the next one where they are; its faults are misdeeds",
    .budget_unit = "rounds", .agent_size = sizeof(struct agent_state),
    .counters = counters,    .faults = faults,
    .begin = begin,          .wake = wake,
    .receive = receive,      .result = result};
