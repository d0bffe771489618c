/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rounds: a leader made by a random majority, work, of which some comes to a random few, the leader lost, and
 * another round, in which those who led may be back. What safety bugs of consensus need in the end is such a
 * story; at random it takes many more events. Of the program it knows the hints of process.h alone: which
 * attribute tells a leader, which messages elect one. In a program without elections whoever is a leader
 * stays it; in one without a leader a process is drawn as such. */
#include "generator_draws.h"

#define PATIENCE 40u  /* events of an election that nobody wins, for each member */
#define WORK_MOST 10u /* events of work, for each process */
#define INPUTS_MOST 2u
#define WAKE 4u   /* once it was asked for votes, one alarm in so many is that of any member */
#define SLOW 4u   /* in one round of so many, disks of some are slow */
#define UNITES 8u /* one event of work in so many ends a partition */
#define LEAVES 4u /* in one round of so many somebody leaves for good, where the weather has that */
#define TRIES_MOST 1000u

enum phase { ELECT, WORK, LOST };

struct cor_schedule_generator {
    struct cor_generator_base base;
    const struct cor_process *program;
    const struct cor_cluster_overview *overview;
    bool has_leader, elects; /* the program says who leads; who leads is elected */
    const union cor_process_value *leading[COR_PROCESSES_MAX]; /* of each what tells whether it leads */
    uint32_t count, words; /* of processes, of sets of them */
    struct cor_rng rng;
    enum phase phase;
    struct cor_process_set members; /* these take part in the election; */
    struct cor_process_set reach;   /* what the leader sends gets there; */
    struct cor_process_set slow;    /* and their disks get nothing done, from the work until the next */
    uint32_t candidate;             /* who is to lead, or leads */
    uint32_t left;      /* events of the phase, */
    uint32_t inputs;    /* and of these inputs, at most */
    bool has_asked;     /* in this election a message came to a member */
    uint32_t led[2];    /* who led last, and who led before; count: nobody */
    bool parts;         /* the weather has partitions, */
    bool joins, leaves; /* and processes that come and leave */
};

static enum cor_status init(struct cor_schedule_generator *g, struct cor_error *error) {
    (void)error;
    g->program = cor_cluster_program(g->base.cluster);
    g->overview = cor_cluster_overview(g->base.cluster);
    g->count = cor_cluster_process_count(g->base.cluster);
    g->words = (g->count + 63) / 64;
    g->has_leader = g->program->leader_attribute < g->program->attribute_count;
    for (uint32_t p = 0; p < g->count && g->has_leader; p++)
        g->leading[p] = &cor_cluster_values(g->base.cluster, p, NULL)[g->program->leader_attribute];
    for (uint32_t m = 0; m < g->program->message_count; m++)
        g->elects |= g->program->messages[m].ballot != 0;
    return COR_OK;
}

static bool is_up(const struct cor_schedule_generator *g, uint32_t process) {
    return cor_set_has(&g->overview->up, process);
}

/* Up or not. */
static bool has_led(const struct cor_schedule_generator *g, uint32_t process) {
    return !g->has_leader || g->leading[process]->count == g->program->leader_value;
}

static bool leads(const struct cor_schedule_generator *g, uint32_t process) {
    return is_up(g, process) && has_led(g, process);
}

static void begin_election(struct cor_schedule_generator *g) {
    struct cor_process_set leaders = {{0}};
    const uint32_t majority = g->count / 2 + 1;
    const bool is_lost = g->led[0] < g->count && cor_rng_below(&g->rng, 4) > 0;
    const bool returns = g->led[1] < g->count && cor_rng_below(&g->rng, 2) > 0;
    g->phase = ELECT;
    g->has_asked = false;
    do
        g->members = process_layer__draw_subset(&g->rng, g->count, majority);
    while (majority < g->count &&
           ((is_lost && cor_set_has(&g->members, g->led[0])) ||
            (returns && !cor_set_has(&g->members, g->led[1]))));
    g->candidate = returns ? g->led[1] : process_layer__draw_process(&g->rng, &g->members);
    g->left = PATIENCE * (g->count / 2 + 1);
    for (uint32_t p = 0; p < g->count && !g->elects; p++)
        cor_set_put(&leaders, p, has_led(g, p));
    if (!cor_set_is_empty(leaders))
        g->candidate = process_layer__draw_process(&g->rng, &leaders);
    cor_set_add(&g->members, g->candidate);
}

static enum cor_status begin_rounds(struct cor_schedule_generator *g, const struct cor_stream_name *name,
                                    struct cor_error *error) {
    (void)error;
    g->rng = process_layer__draws(name, 0);
    g->led[0] = g->led[1] = g->count;
    g->slow = (struct cor_process_set){{0}};
    begin_election(g);
    return COR_OK;
}

/* Those from whom messages are in flight to a process that no partition holds up. */
static struct cor_process_set senders_to(const struct cor_schedule_generator *g, uint32_t to) {
    return cor_set_without(g->overview->senders[to], g->overview->parted[to]);
}

/* The oldest message between two members, which is lost if it is no ballot, for the most part; false: there
 * is none. */
static bool ballot(struct cor_schedule_generator *g, struct cor_process_event *event) {
    struct cor_process_set receivers = {{0}};
    uint64_t any = 0;
    for (uint32_t word = 0; word < g->words; any |= receivers.words[word++])
        for (uint64_t left = g->members.words[word] & g->overview->up.words[word]; left; left &= left - 1) {
            const uint32_t to = 64 * word + (uint32_t)__builtin_ctzll(left);
            uint64_t senders = 0;
            for (uint32_t w = 0; w < g->words; w++)
                senders |= g->overview->senders[to].words[w] & ~g->overview->parted[to].words[w] &
                           g->members.words[w];
            receivers.words[word] |= senders != 0 ? left & -left : 0;
        }
    if (any == 0)
        return false;
    const uint32_t to = process_layer__draw_process(&g->rng, &receivers);
    const struct cor_process_set senders = cor_set_both(senders_to(g, to), g->members);
    const uint32_t from = process_layer__draw_process(&g->rng, &senders);
    *event = process_layer__oldest(g->base.cluster, from, to);
    if (!g->program->messages[event->what].ballot &&
        process_layer__allows(&g->base.options, COR_PROCESS_EVENT_LOSE) && cor_rng_below(&g->rng, 4) > 0)
        event->kind = COR_PROCESS_EVENT_LOSE;
    return true;
}

static bool disk(struct cor_schedule_generator *g, const struct cor_process_set *subset,
                 struct cor_process_event *event) {
    const struct cor_process_set writing = cor_set_without(
        cor_set_both(cor_set_both(g->overview->writing, g->overview->up), *subset), g->slow);
    if (cor_set_is_empty(writing))
        return false;
    *event =
        (struct cor_process_event){.tick = cor_cluster_now(g->base.cluster), .kind = COR_PROCESS_EVENT_DISK};
    event->process = (uint8_t)process_layer__draw_process(&g->rng, &writing);
    return true;
}

static bool alarm_of(const struct cor_schedule_generator *g, uint32_t process,
                     struct cor_process_event *event) {
    const struct cor_cluster_overview *overview = g->overview;
    if (!cor_set_has(&overview->with_alarm, process) || !is_up(g, process) ||
        cor_set_has(&overview->paused, process))
        return false;
    *event = process_layer__first_alarm(g->base.cluster, process);
    return true;
}

static bool restart(const struct cor_schedule_generator *g, const struct cor_process_set *subset,
                    struct cor_process_event *event) {
    const struct cor_cluster_overview *overview = g->overview;
    uint64_t away = 0;
    uint32_t word = 0;
    for (; word < g->words; word++)
        if ((away = subset->words[word] & ~overview->absent.words[word] &
                    (~overview->up.words[word] | overview->paused.words[word])) != 0)
            break;
    if (away == 0)
        return false;
    const uint32_t process = 64 * word + (uint32_t)__builtin_ctzll(away);
    *event = (struct cor_process_event){.tick = cor_cluster_now(g->base.cluster),
                                        .kind = is_up(g, process) ? COR_PROCESS_EVENT_RESUME
                                                                  : COR_PROCESS_EVENT_RESTART,
                                        .process = (uint8_t)process};
    return true;
}

/* The partition is over; false: there is none. */
static bool unite(const struct cor_schedule_generator *g, struct cor_process_event *event) {
    *event =
        (struct cor_process_event){.tick = cor_cluster_now(g->base.cluster), .kind = COR_PROCESS_EVENT_UNITE};
    return g->overview->is_parted;
}

/* A partition, in half of the rounds, where the weather has some: half of them between those who are to elect
 * and all others; false: there is none, or one already. */
static bool part(struct cor_schedule_generator *g, struct cor_process_event *event) {
    const struct cor_process_set others = cor_set_without(cor_set_first(g->count), g->members);
    if (!g->parts || g->overview->is_parted || cor_rng_below(&g->rng, 2) == 0)
        return false;
    *event = process_layer__draw_part(g->base.cluster, &g->rng);
    if (g->count <= COR_PARTITION_MEMBERS && !cor_set_is_empty(others) && cor_rng_below(&g->rng, 2) == 0) {
        event->what = COR_PARTITION_GROUPS;
        event->ordinal = (uint32_t)(g->members.words[0] << 16 | others.words[0]);
    }
    return true;
}

/* Whoever of the members leads has won. */
static bool is_won(struct cor_schedule_generator *g) {
    for (uint32_t word = 0; word < g->words; word++)
        for (uint64_t left = g->members.words[word] & g->overview->up.words[word]; left; left &= left - 1) {
            const uint32_t p = 64 * word + (uint32_t)__builtin_ctzll(left);
            if (has_led(g, p)) {
                g->candidate = p;
                return true;
            }
        }
    return false;
}

static bool elect(struct cor_schedule_generator *g, struct cor_process_event *event) {
    if (restart(g, &g->members, event))
        return true;
    if (is_won(g)) {
        g->phase = WORK;
        if (g->led[0] != g->candidate)
            g->led[1] = g->led[0];
        g->led[0] = g->candidate;
        const uint32_t size = cor_rng_below(&g->rng, g->count);
        g->reach = process_layer__draw_subset(&g->rng, g->count, size);
        cor_set_add(&g->reach, g->candidate);
        g->slow = (struct cor_process_set){{0}};
        if (cor_rng_below(&g->rng, SLOW) == 0)
            g->slow = process_layer__draw_subset(&g->rng, g->count, cor_rng_below(&g->rng, g->count) + 1);
        g->inputs = cor_rng_below(&g->rng, INPUTS_MOST + 1);
        g->left = cor_rng_below(&g->rng, WORK_MOST * g->count) + 1;
        return false;
    }
    if (g->left-- == 0) {
        begin_election(g);
        return unite(g, event);
    }
    if (ballot(g, event)) {
        g->has_asked |= event->kind == COR_PROCESS_EVENT_DELIVER;
        return true;
    }
    if (cor_rng_below(&g->rng, 2) == 0 && disk(g, &g->members, event))
        return true;
    /* Members who heard of a leader lately give their votes to nobody, before they miss it themselves. */
    const bool wakes = g->has_asked && cor_rng_below(&g->rng, WAKE) == 0;
    return alarm_of(g, wakes ? process_layer__draw_process(&g->rng, &g->members) : g->candidate, event);
}

/* A message between the leader and who it reaches; false: there is none. */
static bool mail(struct cor_schedule_generator *g, struct cor_process_event *event) {
    const uint32_t leader = g->candidate;
    const struct cor_process_set reach = cor_set_both(g->reach, g->overview->up);
    struct cor_process_set to_leader = {{0}}, from_leader = {{0}};
    if (is_up(g, leader))
        to_leader = cor_set_both(senders_to(g, leader), g->reach);
    COR_SET_EACH(p, &reach)
        if (cor_set_has(&g->overview->senders[p], leader) && !cor_set_has(&g->overview->parted[p], leader))
            cor_set_add(&from_leader, p);
    const uint32_t ways_in = cor_set_size(&to_leader), ways = ways_in + cor_set_size(&from_leader);
    if (ways == 0)
        return false;
    if (cor_rng_below(&g->rng, ways) < ways_in) {
        const uint32_t from = process_layer__draw_process(&g->rng, &to_leader);
        *event = process_layer__oldest(g->base.cluster, from, leader);
    } else {
        const uint32_t to = process_layer__draw_process(&g->rng, &from_leader);
        *event = process_layer__oldest(g->base.cluster, leader, to);
    }
    return true;
}

/* One of a set that is up crashes; false: none is, or it may not. */
static bool crash(struct cor_schedule_generator *g, struct cor_process_set subset,
                  struct cor_process_event *event) {
    const struct cor_process_set up = cor_set_both(g->overview->up, subset);
    if (cor_set_is_empty(up) || !process_layer__allows(&g->base.options, COR_PROCESS_EVENT_CRASH))
        return false;
    *event =
        (struct cor_process_event){.tick = cor_cluster_now(g->base.cluster), .kind = COR_PROCESS_EVENT_CRASH};
    event->process = (uint8_t)process_layer__draw_process(&g->rng, &up);
    return true;
}

/* What is under way comes before alarms, for the most part: these would only pile up messages. */
static bool work(struct cor_schedule_generator *g, struct cor_process_event *event) {
    if (g->left == 0 || !leads(g, g->candidate)) {
        g->phase = LOST;
        return false;
    }
    g->left--;
    if (g->overview->is_parted && cor_rng_below(&g->rng, UNITES) == 0)
        return unite(g, event);
    const uint32_t which = cor_rng_below(&g->rng, 32);
    if (which < 4 && g->inputs > 0) {
        g->inputs--;
        return process_layer__draw_input(g->base.cluster, &g->base.options, g->candidate, &g->rng, event);
    }
    if (which == 31)
        return crash(g, cor_set_without(g->reach, cor_set_only(g->candidate)), event);
    if (which >= 29)
        return alarm_of(g, which == 29 ? process_layer__draw_process(&g->rng, &g->reach) : g->candidate,
                        event);
    if (which < 16)
        return disk(g, &g->reach, event) || mail(g, event) || alarm_of(g, g->candidate, event);
    return mail(g, event) || disk(g, &g->reach, event) || alarm_of(g, g->candidate, event);
}

/* The leader crashes, or hears of nothing for a while; with most of what it sent. */
static bool lose(struct cor_schedule_generator *g, struct cor_process_event *event) {
    const struct cor_process_set leader = cor_set_only(g->candidate);
    begin_election(g);
    if (g->joins && cor_rng_below(&g->rng, 2) == 0 &&
        process_layer__draw_join(g->base.cluster, &g->rng, event))
        return true;
    if (g->leaves && cor_rng_below(&g->rng, LEAVES) == 0 &&
        process_layer__draw_leave(g->base.cluster, &g->rng, event))
        return true;
    return part(g, event) || (cor_rng_below(&g->rng, 4) > 0 && crash(g, leader, event));
}

static enum cor_status next(struct cor_schedule_generator *g, const struct cor_weather *weather,
                            struct cor_process_event *event, struct cor_error *error) {
    (void)error;
    g->parts =
        weather->part > 0 && g->count > 1 && process_layer__allows(&g->base.options, COR_PROCESS_EVENT_PART);
    g->joins = weather->join > 0 && process_layer__allows(&g->base.options, COR_PROCESS_EVENT_JOIN);
    g->leaves = weather->leave > 0 && process_layer__allows(&g->base.options, COR_PROCESS_EVENT_LEAVE);
    for (uint32_t tries = 0; tries < TRIES_MOST; tries++)
        if (g->phase == ELECT ? elect(g, event) : g->phase == WORK ? work(g, event) : lose(g, event))
            return COR_OK;
    *event = process_layer__end_of_case(g->base.cluster, &g->base.options);
    return COR_OK;
}

const struct cor_schedule_generator_kind cor_schedule_generator_rounds = {
    .name = "rounds",
    .meaning = "a leader by a random majority, work, random reach, the leader lost, and back again",
    .size = sizeof(struct cor_schedule_generator),
    .init = init,
    .begin = begin_rounds,
    .next = next,
    .no_law = "it makes what it was made to find",
};
