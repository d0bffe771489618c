/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SPADA, the Set Partitioning Algorithm for Distributed Agents (paper 003, 5.1; published in PRIMA 2012):
 * what it is called, what can be chosen, what it counts, and the two handlers: an agent's turn in a round,
 * and one message for it. Only leaders have turns: each first estimates the mean, then improves its
 * partition. */
#include "spada.h"

#include <math.h>

static const struct cor_parameter parameters[] = {
    [SPADA_ACQUAINTANCES] = {"acquaintances", "agents", "acquaintances of each agent at the start", 10, 1, 20,
                             1},
    [SPADA_CANDIDATES] = {"candidates", "agents", "agents a leader evaluates for integration in a period", 5,
                          1, SPADA_CANDIDATES_MAX, 1},
    [SPADA_INTEGRATIONS] = {"integrations", "agents", "agents a leader invites at most in a period", 5, 1, 10,
                            1},
    [SPADA_IDLE_MAX] = {"idle_max", "periods",
                        "periods without a change until a leader labels its partition terminated", 20, 1,
                        1000, 1},
    [SPADA_GOSSIP_ROUNDS] = {"gossip_rounds", "rounds",
                             "rounds in which leaders estimate the mean of all agents, at most", 30, 0, 500,
                             1},
    [SPADA_GOSSIP_ACCURACY] = {"gossip_accuracy", "thresholds",
                               "an estimate that moves no more has settled, after three looks with news",
                               0.02, 0, 1, 0},
    [SPADA_REST_MAX] = {"rest_max", "rounds", "longest rest between two periods of a leader", 6, 0, 1000, 1},
    [SPADA_PATIENCE] = {"patience", "rounds",
                        "how long a leader waits for answers before it goes on without them", 40, 4, 1000000,
                        1},
    [SPADA_PENALTY] = {"penalty", "cost", "added to the cost of a partition of one agent", 0.2, 0, 1e6, 0},
    [SPADA_P_REFUSE] = {"p_refuse", "1", "probability that an invited agent refuses", 0, 0, 1, 0},
    [SPADA_SELFISH] = {"selfish", "1", "1: an agent refuses when its own partition would get worse", 0, 0, 1,
                       1},
    [SPADA_P_LEAVE] = {"p_leave", "1", "probability that a member leaves when its leader turns to it", 0, 0,
                       1, 0},
    [SPADA_F1_THRESHOLD] = {"f1_threshold", "partitions", "fault f1 needs more partitions than this", 100, 0,
                            1e9, 1},
    [SPADA_F2_THRESHOLD] = {"f2_threshold", "partitions", "fault f2 needs fewer partitions than this", 5, 0,
                            1e9, 1},
    [SPADA_F3_THRESHOLD] = {"f3_threshold", "agents", "fault f3 cuts partitions larger than this down to it",
                            100, 0, 1e9, 1},
    [SPADA_F4_THRESHOLD] = {"f4_threshold", "agents", "fault f4 replaces partitions larger than this", 100, 0,
                            1e9, 1},
    [SPADA_P_ACTIVATE] = {"p_activate", "1", "probability that a fault strikes where its condition holds", 1,
                          0, 1, 0},
    [SPADA_GRAPH_KEPT] = {"graph_kept", "1",
                          "1 the graph is built from the structure once in a sequence and kept, 0 built anew "
                          "in each reorganization",
                          0, 0, 1, COR_OPTION},
    [SPADA_SIZE_LEAST] = {"size_least", "agents", "formation criterion: a partition has at least so many", 2,
                          2, 1e9, COR_OPTION},
    [SPADA_SIZE_MOST] =
        {"size_most", "agents",
         "formation criterion: a partition has at most so many, and does not grow beyond; 0 any "
         "number",
         0, 0, 1e9, COR_OPTION},
    [SPADA_FOUNDING] =
        {"founding", "1",
         "1: the leader of a partition larger than size_most founds another one with half of it", 0, 0, 1,
         COR_OPTION},
    {0}};

static const struct cor_counter counters[] = {
    [SPADA_INTEGRATE] = {"integrate", "an agent was integrated, by the size reached", SPADA_BUCKETS},
    [SPADA_HAND_OVER] = {"hand_over", "an invited leader handed over, by the size left behind",
                         SPADA_BUCKETS},
    [SPADA_EXCLUDE] = {"exclude", "a leader asked a member to leave, by the size before", SPADA_BUCKETS},
    [SPADA_LEAVE] = {"leave", "a member left of its own accord; bucket 0", SPADA_BUCKETS},
    [SPADA_REFUSE] = {"refuse", "an agent that could have joined refused, by the size of its own partition",
                      SPADA_BUCKETS},
    [SPADA_TERMINATE] = {"terminate", "a leader labelled its partition terminated, by its size",
                         SPADA_BUCKETS},
    [SPADA_RELABEL] = {"relabel", "a change from outside removed the label, by the size after",
                       SPADA_BUCKETS},
    [SPADA_SETTLE] = {"settle", "a leader's estimate of the mean settled, by size", SPADA_BUCKETS},
    [SPADA_UNSETTLED] = {"unsettled", "the bound ended gossip before an estimate had settled, by size",
                         SPADA_BUCKETS},
    {0}};

#define SHARE "f64 sum, f64 weight"
#define CANDIDATE "u32 agent, u32 leader, u32 period, u32 size, f64 value, f64 of_all, " SHARE
static const struct cor_message_kind messages[] = {
    [SPADA_PASS] = {"pass", "u32 asker, u32 -, " SHARE},
    [SPADA_MEAN] = {"mean", "u32 asker, u32 -, " SHARE},
    [SPADA_PULL] = {"pull", "u32 asker, u32 -, " SHARE},
    [SPADA_SHARE] = {"share", SHARE},
    [SPADA_ACQ] = {"acq", "u32 asker, u32 period, u32 slot, u32 -"},
    [SPADA_INFO] = {"info", "u32 asker, u32 period, u32 slot, u32 -"},
    [SPADA_MEET] = {"meet", "u32 acquaintance, u32 period, u32 slot, u32 -"},
    [SPADA_FORWARD] = {"forward", CANDIDATE},
    [SPADA_CANDIDATE] = {"candidate", CANDIDATE},
    [SPADA_JOIN] = {"join", "f64 of_all, f64 of_others, u32 size, u32 other_size, " SHARE},
    [SPADA_YES] = {"yes", "f64 value"},
    [SPADA_NO] = {"no", NULL},
    [SPADA_WELCOME] = {"welcome", NULL},
    [SPADA_LEFT] = {"left", "u32 was_told"},
    [SPADA_BYE] = {"bye", NULL},
    [SPADA_OUT] = {"out", NULL},
    [SPADA_FREEZE] = {"freeze", NULL},
    [SPADA_FROZEN] = {"frozen", NULL},
    [SPADA_GONE] = {"gone", NULL},
    [SPADA_LEAD] = {"lead", NULL},
    [SPADA_NEW_LEADER] = {"new_leader", NULL},
    [SPADA_HAIL] = {"hail", NULL},
    {0}};

/* Whether the leader's estimate has settled: where shares came, it moved by no more than a share of the
 * threshold, some times in a row. Rounds without news tell nothing. */
static bool has_settled(const struct spada_turn *turn) {
    struct spada_agent *self = turn->self;
    if (self->has_heard) {
        double mean = spada_mean(self), moved = fabs(mean - self->mean_before);
        double most = spada_parameter(turn, SPADA_GOSSIP_ACCURACY) * turn->rules->threshold;
        self->quiet = moved <= most ? self->quiet + 1 : 0;
        self->mean_before = mean;
        self->has_heard = false;
    }
    return self->quiet >= SPADA_QUIET_ROUNDS;
}

/* Sends a share on to an acquaintance; false if there is none. Acquaintances take turns: they were drawn at
 * random when the graph was built, and a draw for each message would buy nothing more. */
static bool pass_share(const struct spada_turn *turn, const struct spada_pull *pull) {
    struct spada_agent *self = turn->self;
    if (self->acquaintance_count == 0)
        return false;
    uint32_t slot = self->passed++ % self->acquaintance_count;
    spada_say(turn, self->acquaintances[slot], SPADA_MEAN, pull, sizeof *pull);
    return true;
}

/* Push-sum (Kempe, Dobra, Gehrke 2003) of the leaders, each of which begins with what it knows of its
 * members: half of the share goes to the leader of a member's acquaintance, and half of that one's comes
 * back. The sums over all agents, mail included, stay what they were, so every leader's share tends to the
 * mean. What comes back matters: a small partition is nobody's acquaintance. */
static void gossip(const struct spada_turn *turn) {
    struct spada_agent *self = turn->self;
    bool settled = has_settled(turn);
    self->gossip_left = settled ? 0 : self->gossip_left - 1;
    if (self->gossip_left == 0)
        spada__tally(turn, settled ? SPADA_SETTLE : SPADA_UNSETTLED, spada_size(self->office));
    if (settled || self->acquaintance_count == 0)
        return;
    struct spada_pull pull = {.asker = turn->me->id, .share = spada_halve(self)};
    uint32_t who = self->gossip_left % spada_size(self->office);
    if (who > 0)
        spada_say(turn, self->office->members[who - 1].agent, SPADA_PASS, &pull, sizeof pull);
    else
        pass_share(turn, &pull);
}

static void halve_with(const struct spada_turn *turn, const struct spada_pull *pull) {
    struct spada_agent *self = turn->self;
    bool heard = self->has_heard;
    spada_take_share(self, &pull->share);
    if (pull->asker == turn->me->id) {
        self->has_heard = heard; /* its own share, back without news */
    } else {
        struct spada_share half = spada_halve(self);
        spada_say(turn, pull->asker, SPADA_SHARE, &half, sizeof half);
    }
}

static enum cor_progress on_share(const struct spada_turn *turn, const struct cor_message *message) {
    const struct spada_pull *pull = message->payload;
    if (message->kind == SPADA_SHARE)
        spada_take_share(turn->self, message->payload);
    else if (message->kind == SPADA_PASS && !pass_share(turn, pull))
        spada_take_share(turn->self, &pull->share);
    else if (message->kind == SPADA_MEAN && !spada_leads(turn))
        spada_say(turn, turn->self->leader, SPADA_PULL, pull, sizeof *pull);
    else if (message->kind == SPADA_MEAN || message->kind == SPADA_PULL)
        halve_with(turn, pull);
    return COR_DONE;
}

static enum cor_progress wake(const struct cor_agent *me, const struct cor_rules *rules,
                              const struct cor_host *host) {
    struct spada_turn turn = {me, me->state, rules, host};
    if (turn.self->is_absent || !spada_leads(&turn))
        return COR_DONE;
    if (turn.self->gossip_left == 0)
        return spada__lead(&turn);
    gossip(&turn);
    return COR_CONTINUE;
}

static enum cor_progress receive(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host, const struct cor_message *message) {
    struct spada_turn turn = {me, me->state, rules, host};
    if (message->kind <= SPADA_SHARE)
        return on_share(&turn, message);
    if (message->kind <= SPADA_CANDIDATE)
        return spada__on_search(&turn, message);
    return spada__on_membership(&turn, message);
}

/* What it knew is gone: it leads itself alone, knows nobody, and its share is its own value. Others may go on
 * believing that it is theirs. */
static enum cor_progress restart(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host) {
    struct spada_turn turn = {me, me->state, rules, host};
    turn.self->share = (struct spada_share){.sum = me->values[0], .weight = 1};
    return spada__take_office(&turn) ? COR_CONTINUE : COR_FAILED;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "spada",
    .version = "1.0",
    .summary = "decentralised: leaders invite and exclude agents along an acquaintances graph",
    .budget_unit = "rounds",
    .capabilities = COR_KEEPS | COR_COMES_AND_GOES | COR_AIMS_BY_BLOCK,
    .state_size = sizeof(struct spada),
    .agent_size = sizeof(struct spada_agent),
    .parameters = parameters,
    .counters = counters,
    .faults = spada__faults,
    .begin = spada__begin,
    .wake = wake,
    .receive = receive,
    .result = spada__result,
    .restart = restart,
    .messages = messages,
    .graph = spada__graph,
};
