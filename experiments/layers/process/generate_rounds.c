/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rounds: a leader made by a random majority, work, of which some comes to a random few, the leader lost, and
 * another round, in which those who led may be back. What safety bugs of consensus need in the end is such a
 * story; at random it takes many more events. Of the program it knows the hints of process.h alone: which
 * attribute tells a leader, which messages elect one. A program without a leader has a process drawn as such.
 */
#include <corridor/array.h>
#include <corridor/rng.h>
#include <corridor/schedule_generator.h>

#include <stdlib.h>
#include <string.h>

#define PATIENCE 80u /* events of an election that nobody wins */
#define WORK_MOST 24u

enum phase { ELECT, WORK, LOST };

struct cor_schedule_generator {
    const struct cor_cluster *cluster;
    const struct cor_process *program;
    uint64_t allowed;
    uint32_t weights[COR_PROCESS_ATTRIBUTES_MAX]; /* [input] */
    uint32_t count;
    struct cor_rng rng;
    enum phase phase;
    uint32_t members;   /* bit p: process p takes part in the election */
    uint32_t candidate; /* who is to lead, or leads */
    uint32_t reach;     /* bit p: what the leader sends gets there */
    uint32_t left;      /* events of the phase */
    uint32_t numbers;   /* inputs so far */
};

static enum cor_status create(const struct cor_cluster *cluster, const struct cor_generator_options *options,
                              struct cor_schedule_generator **generator, struct cor_error *error) {
    struct cor_schedule_generator *g = *generator = cor_calloc(1, sizeof *g);
    COR_TRY(cor_made(g, error));
    g->cluster = cluster;
    g->program = cor_cluster_program(cluster);
    g->allowed = options->allowed;
    g->count = cor_cluster_process_count(cluster);
    for (uint32_t i = 0; i < g->program->input_count; i++)
        g->weights[i] = options->input_weights ? options->input_weights[i] : g->program->inputs[i].weight;
    return COR_OK;
}

static bool may(const struct cor_schedule_generator *g, enum cor_process_event_kind kind) {
    return !cor_process_event_is_fault(kind) || (g->allowed >> kind & 1) != 0;
}

static bool is_up(const struct cor_schedule_generator *g, uint32_t process) {
    return cor_cluster_standing(g->cluster, process)->is_up;
}

/* A program without a leader takes whoever is up for one. */
static bool leads(const struct cor_schedule_generator *g, uint32_t process) {
    const uint32_t a = g->program->leader_attribute;
    return is_up(g, process) &&
           (a >= g->program->attribute_count ||
            cor_cluster_values(g->cluster, process, NULL)[a].count == g->program->leader_value);
}

static uint32_t draw_subset(struct cor_schedule_generator *g, uint32_t size) {
    uint32_t order[COR_PROCESSES_MAX], subset = 0;
    for (uint32_t p = 0; p < g->count; p++)
        order[p] = p;
    cor_rng_shuffle(&g->rng, order, g->count);
    for (uint32_t i = 0; i < size; i++)
        subset |= UINT32_C(1) << order[i];
    return subset;
}

static uint32_t draw_member(struct cor_schedule_generator *g, uint32_t subset) {
    uint32_t n = cor_rng_below(&g->rng, (uint32_t)__builtin_popcount(subset));
    for (uint32_t p = 0;; p++)
        if ((subset >> p & 1) != 0 && n-- == 0)
            return p;
}

static void begin_election(struct cor_schedule_generator *g) {
    g->phase = ELECT;
    g->members = draw_subset(g, g->count / 2 + 1);
    g->candidate = draw_member(g, g->members);
    g->left = PATIENCE;
}

static void begin_work(struct cor_schedule_generator *g) {
    g->phase = WORK;
    const uint32_t size = cor_rng_below(&g->rng, g->count);
    g->reach = draw_subset(g, size) | UINT32_C(1) << g->candidate;
    g->left = cor_rng_below(&g->rng, WORK_MOST) + 1;
}

static enum cor_status begin(struct cor_schedule_generator *g, const struct cor_stream_name *name,
                             struct cor_error *error) {
    (void)error;
    g->rng = cor_rng_named(name);
    g->numbers = 0;
    begin_election(g);
    return COR_OK;
}

/* The oldest message between members that the election needs, or one that stands before it; false: none. */
static bool ballot(struct cor_schedule_generator *g, struct cor_process_event *event) {
    const uint32_t first = cor_rng_below(&g->rng, g->count * g->count);
    for (uint32_t i = 0; i < g->count * g->count; i++) {
        const uint32_t link = (first + i) % (g->count * g->count), from = link / g->count,
                       to = link % g->count;
        uint32_t count;
        const struct cor_flight *flight = cor_cluster_flight(g->cluster, from, to, &count);
        if (count == 0 || (g->members >> from & g->members >> to & 1) == 0 || !is_up(g, to))
            continue;
        *event = (struct cor_process_event){.kind = COR_PROCESS_EVENT_DELIVER,
                                            .process = (uint8_t)to,
                                            .peer = (uint8_t)from,
                                            .what = flight->kind};
        if (!g->program->messages[flight->kind].ballot && may(g, COR_PROCESS_EVENT_LOSE) &&
            cor_rng_below(&g->rng, 4) > 0)
            event->kind = COR_PROCESS_EVENT_LOSE;
        return true;
    }
    return false;
}

static bool disk(struct cor_schedule_generator *g, uint32_t subset, struct cor_process_event *event) {
    const uint32_t first = cor_rng_below(&g->rng, g->count);
    for (uint32_t i = 0; i < g->count; i++) {
        const uint32_t p = (first + i) % g->count;
        const struct cor_process_standing *standing = cor_cluster_standing(g->cluster, p);
        if ((subset >> p & 1) == 0 || !standing->is_up || standing->pending_writes == 0)
            continue;
        *event = (struct cor_process_event){.kind = COR_PROCESS_EVENT_DISK, .process = (uint8_t)p};
        return true;
    }
    return false;
}

/* The alarm of a process that is due first; false: it has set none. */
static bool alarm_of(const struct cor_schedule_generator *g, uint32_t process,
                     struct cor_process_event *event) {
    const struct cor_process_standing *standing = cor_cluster_standing(g->cluster, process);
    uint32_t which = 0;
    for (uint32_t a = 1; a < COR_PROCESS_ALARMS_MAX; a++)
        if (standing->due[a] < standing->due[which])
            which = a;
    *event = (struct cor_process_event){
        .kind = COR_PROCESS_EVENT_TIME_OUT, .process = (uint8_t)process, .what = (uint8_t)which};
    event->tick = standing->due[which];
    return standing->is_up && standing->due[which] != COR_PROCESS_NEVER;
}

static bool restart(const struct cor_schedule_generator *g, uint32_t subset,
                    struct cor_process_event *event) {
    for (uint32_t p = 0; p < g->count; p++) {
        const struct cor_process_standing *standing = cor_cluster_standing(g->cluster, p);
        *event = (struct cor_process_event){.kind = standing->is_up ? COR_PROCESS_EVENT_RESUME
                                                                    : COR_PROCESS_EVENT_RESTART,
                                            .process = (uint8_t)p};
        if ((subset >> p & 1) != 0 && (!standing->is_up || standing->is_paused))
            return true;
    }
    return false;
}

static bool elect(struct cor_schedule_generator *g, struct cor_process_event *event) {
    if (leads(g, g->candidate)) {
        begin_work(g);
        return false;
    }
    if (g->left-- == 0) {
        begin_election(g);
        return false;
    }
    if (restart(g, g->members, event) || ballot(g, event))
        return true;
    if (cor_rng_below(&g->rng, 2) == 0 && disk(g, g->members, event))
        return true;
    return alarm_of(g, g->candidate, event);
}

/* A message between the leader and who it reaches; false: there is none. */
static bool mail(struct cor_schedule_generator *g, struct cor_process_event *event) {
    const uint32_t first = cor_rng_below(&g->rng, g->count * 2);
    for (uint32_t i = 0; i < g->count * 2; i++) {
        const uint32_t way = (first + i) % (g->count * 2), p = way / 2;
        const uint32_t from = way % 2 == 0 ? g->candidate : p, to = way % 2 == 0 ? p : g->candidate;
        uint32_t count;
        const struct cor_flight *flight = cor_cluster_flight(g->cluster, from, to, &count);
        if (count == 0 || (g->reach >> p & 1) == 0 || !is_up(g, to))
            continue;
        *event = (struct cor_process_event){.kind = COR_PROCESS_EVENT_DELIVER,
                                            .process = (uint8_t)to,
                                            .peer = (uint8_t)from,
                                            .what = flight->kind};
        return true;
    }
    return false;
}

static bool input(struct cor_schedule_generator *g, struct cor_process_event *event) {
    uint32_t sum = 0, which = 0;
    for (uint32_t i = 0; i < g->program->input_count; i++)
        sum += g->weights[i];
    if (sum == 0)
        return false;
    uint32_t drawn = cor_rng_below(&g->rng, sum);
    while (drawn >= g->weights[which])
        drawn -= g->weights[which++];
    *event = (struct cor_process_event){.kind = COR_PROCESS_EVENT_INPUT,
                                        .process = (uint8_t)g->candidate,
                                        .what = (uint8_t)which,
                                        .ordinal = g->numbers++};
    return true;
}

static bool work(struct cor_schedule_generator *g, struct cor_process_event *event) {
    if (g->left-- == 0 || !leads(g, g->candidate)) {
        g->phase = LOST;
        return false;
    }
    switch (cor_rng_below(&g->rng, 8)) {
    case 0:
        return input(g, event);
    case 1:
        return alarm_of(g, g->candidate, event);
    case 2:
    case 3:
        return disk(g, g->reach, event);
    default:
        return mail(g, event);
    }
}

/* The leader crashes, or hears of nothing for a while; with most of what it sent. */
static bool lose(struct cor_schedule_generator *g, struct cor_process_event *event) {
    const bool was_up = is_up(g, g->candidate);
    const uint32_t process = g->candidate;
    begin_election(g);
    const bool crashes = was_up && may(g, COR_PROCESS_EVENT_CRASH) && cor_rng_below(&g->rng, 4) > 0;
    *event = (struct cor_process_event){.kind = COR_PROCESS_EVENT_CRASH, .process = (uint8_t)process};
    return crashes;
}

static enum cor_status next(struct cor_schedule_generator *g, const struct cor_weather *weather,
                            struct cor_process_event *event, struct cor_error *error) {
    (void)weather, (void)error;
    for (uint32_t tries = 0; tries < 1000; tries++) {
        const bool found = g->phase == ELECT  ? elect(g, event)
                           : g->phase == WORK ? work(g, event)
                                              : lose(g, event);
        if (found) {
            const uint64_t now = cor_cluster_now(g->cluster);
            event->tick = event->tick > now ? event->tick : now;
            return COR_OK;
        }
    }
    *event =
        (struct cor_process_event){.kind = COR_PROCESS_EVENT_TICK, .tick = cor_cluster_now(g->cluster) + 1};
    return COR_OK;
}

static void destroy(struct cor_schedule_generator *generator) {
    free(generator);
}

const struct cor_schedule_generator_kind cor_schedule_generator_rounds = {
    .name = "rounds",
    .meaning = "a leader by a random majority, work, random reach, the leader lost, and back again",
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .next = next};
