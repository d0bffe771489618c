/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dijkstra's ring in C: its states gone through with a corridor judging, and drawn. And an algorithm from
 * each structure of eight agents. */
#define _DEFAULT_SOURCE /* realpath */

#include "timing.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/process_stabilize.h>
#include <corridor/stabilize_structures.h>
#include <corridor/trust.h>

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

#if HAS_RULES
#define EXPERIMENT                                               \
    "{\"process\": {\"program\": \"" CORRIDOR_RULES              \
    "\", \"count\": 7}, \"corridor\": [\"structure observed\", " \
    "\"attribute enabled: integer\", \"invariant single: sum(a in agents: a.enabled) == 1\"]}"
#define EFFORT 10000000 /* states that a search judges */

struct ring {
    struct cor_process_experiment *experiment;
    struct cor_stabilize_asked asked;
    struct cor_stabilize_size size;
};

static struct cor_stabilize_system *make_system(const struct ring *ring, bool is_open) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_stabilize_system *system;
    bench_must(
        cor_stabilize_system_create(ring->experiment, 0, &ring->asked, &ring->size, is_open, &system, &error),
        &error);
    return system;
}

static void open_ring(struct ring *ring, uint32_t count) {
    const struct cor_layer_options options = {.isolation = (int)COR_ISOLATION_NEVER};
    struct cor_error error = COR_NO_ERROR;
    bench_must(cor_process_rules_parse(EXPERIMENT, "ring.json", &options, &ring->experiment, &error), &error);
    bench_must(cor_stabilize_asked_read(ring->experiment, &ring->asked, &error), &error);
    bench_must(cor_stabilize_size_of(ring->experiment, count, &ring->size, &error), &error);
}

static void close_ring(struct ring *ring) {
    cor_stabilize_sizes_fini(&ring->size, 1);
    cor_process_experiment_destroy(ring->experiment);
}

/* ---- what one writes for this ring alone: the longest way from each state, by depth */

struct plain {
    uint32_t count, state, left, next, best; /* left: who can move; next: the choice of these, from 1 */
    int32_t by[8];                           /* what each who can move adds */
};

static bool plain_look(struct plain *at, uint32_t n, uint32_t state, enum cor_daemon daemon) {
    uint32_t digits[8], stride = 1, rest = state;
    for (uint32_t p = n; p-- > 0; rest /= n)
        digits[p] = rest % n;
    *at = (struct plain){.state = state, .next = 1};
    for (uint32_t p = n; p-- > 0; stride *= n) {
        const uint32_t left = digits[(p + n - 1) % n], own = digits[p];
        if (p == 0 ? own == left : own != left)
            at->by[at->count++] = (int32_t)stride * ((int32_t)(p == 0 ? (own + 1) % n : left) - (int32_t)own);
    }
    at->left = daemon == COR_DAEMON_CENTRAL ? at->count : (1u << at->count) - 1;
    if (daemon == COR_DAEMON_SYNCHRONOUS)
        at->next = at->left;
    return at->count == 1; /* inside */
}

/* Steps and states that were looked at, and the longest way: without loops, as the ring has none. */
static uint32_t plain_ring(uint32_t n, enum cor_daemon daemon, double *steps, double *states) {
    uint32_t size = 1, longest = 0;
    for (uint32_t p = 0; p < n; p++)
        size *= n;
    COR_FREED uint8_t *way = calloc(size, 1); /* 0: unknown; else one more than steps */
    COR_FREED struct plain *path = calloc(256, sizeof *path);
    if (!way || !path)
        bench_fail("memory");
    *steps = 0;
    *states = size;
    for (uint32_t start = 0; start < size; start++) {
        uint32_t length = 0;
        if (way[start] > 0)
            continue;
        if (plain_look(&path[length++], n, start, daemon))
            way[start] = 1, length = 0;
        while (length > 0) {
            struct plain *at = &path[length - 1];
            if (at->next > at->left) {
                way[at->state] = (uint8_t)(at->best + 1);
                longest = at->best > longest ? at->best : longest;
                length--;
                continue;
            }
            int32_t by = 0;
            if (daemon == COR_DAEMON_CENTRAL)
                by = at->by[at->next - 1];
            else
                for (uint32_t who = at->next; who != 0; who &= who - 1)
                    by += at->by[__builtin_ctz(who)];
            const uint32_t to = at->state + (uint32_t)by;
            if (way[to] == 0) { /* and then the same step again */
                if (plain_look(&path[length], n, to, daemon))
                    way[to] = 1;
                else
                    length++;
                continue;
            }
            at->best = way[to] > at->best ? way[to] : at->best;
            at->next++;
            ++*steps;
        }
    }
    return longest;
}

static double plain_central(void *context) {
    double steps, states;
    (void)context;
    if (plain_ring(7, COR_DAEMON_CENTRAL, &steps, &states) != 55)
        bench_fail("the longest way of seven processes has 55 steps");
    return states;
}

static double plain_distributed(void *context) {
    double steps, states;
    (void)context;
    if (plain_ring(7, COR_DAEMON_DISTRIBUTED, &steps, &states) != 55)
        bench_fail("the longest way of seven processes has 55 steps");
    return steps;
}

static double plain_whole(void) {
    const double begun = bench_user_seconds();
    double steps, states;
    for (int daemon = 0; daemon < COR_DAEMON_COUNT; daemon++)
        (void)plain_ring(8, (enum cor_daemon)daemon, &steps, &states);
    return bench_user_seconds() - begun;
}

/* ---- Corridor */

static void go_through(const struct cor_stabilize_system *system, enum cor_daemon daemon, uint32_t longest,
                       struct cor_stabilized *found) {
    struct cor_stabilize_question question = cor_default_stabilize_question();
    struct cor_error error = COR_NO_ERROR;
    question.daemon = daemon;
    question.round_nodes_most = 0; /* states are measured, not states with turns */
    bench_must(cor_stabilize(cor_stabilize_system_space(system), &question, found, &error), &error);
    if (longest > 0 && found->worst_steps != longest)
        bench_fail("the longest way of seven processes has 55 steps, that of eight 75");
}

/* Rules asked, states judged, ways known: states. */
static double central(void *context) {
    COR_DESTROYED(cor_stabilize_system) struct cor_stabilize_system *system = make_system(context, false);
    COR_FINISHED(cor_stabilized) struct cor_stabilized found = {0};
    go_through(system, COR_DAEMON_CENTRAL, 55, &found);
    return cor_stabilize_system_space(system)->size;
}

static double distributed(void *context) {
    COR_FINISHED(cor_stabilized) struct cor_stabilized found = {0};
    go_through(context, COR_DAEMON_DISTRIBUTED, 55, &found);
    return (double)found.steps;
}

/* 16.8 million states under each daemon: seconds. */
static double whole(struct ring *ring) {
    static const uint32_t longest[COR_DAEMON_COUNT] = {
        [COR_DAEMON_CENTRAL] = 75, [COR_DAEMON_DISTRIBUTED] = 75};
    const double begun = bench_user_seconds();
    COR_DESTROYED(cor_stabilize_system) struct cor_stabilize_system *system = make_system(ring, false);
    for (int daemon = 0; daemon < COR_DAEMON_COUNT; daemon++) {
        COR_FINISHED(cor_stabilized) struct cor_stabilized found = {0};
        go_through(system, (enum cor_daemon)daemon, longest[daemon], &found);
    }
    return bench_user_seconds() - begun;
}

/* Each process has heard of the one before it, a message at most is under way on each link: states. */
static double by_messages(void *context) {
    struct ring *ring = context;
    struct cor_stabilize_question question = cor_default_stabilize_question();
    struct cor_error error = COR_NO_ERROR;
    COR_DESTROYED(cor_stabilize_system) struct cor_stabilize_system *system = make_system(ring, false);
    COR_FINISHED(cor_stabilized) struct cor_stabilized found = {0};
    question.fairness = COR_FAIRNESS_STRONG;
    question.round_nodes_most = 0;
    bench_must(cor_stabilize(cor_stabilize_system_space(system), &question, &found, &error), &error);
    return cor_stabilize_system_space(system)->size;
}

/* The example of `corridor new`, of seven processes, from the call to the verdict: CPU of all of it, three
 * starts of the interpreter with it; of the interpreter itself: what comes first in PATH may be a script that
 * looks for it, at 0.3 s each. */
static double in_python(const struct bench_places *places) {
    COR_FREED char *corridor = realpath(places->corridor, NULL);
    char *folder = bench_kept(cor_format("%s/ring", places->folder)),
         *path = bench_kept(cor_format("%s/ring.json", folder));
    const char *const new[] = {"/usr/bin/env", "-C",   places->folder, corridor, "new",
                               "stabilize",    "ring", "--lang",       "python", NULL};
    const char *const arguments[] = {"/usr/bin/env", "-C", folder, corridor, "stabilize", "ring.json", NULL};
    double times[5];
    if (!corridor)
        bench_fail(places->corridor);
    (void)bench_program(new, false);
    FILE *file = fopen(path, "w");
    if (!file ||
        fputs("{\"process\": {\"program\": \"" CORRIDOR_UNITS_PYTHON
              " ring.py\", \"count\": 7}, \"corridor\": "
              "[\"structure observed\", \"attribute enabled: integer\", \"invariant single: sum(a in "
              "agents: a.enabled) == 1\"], \"stabilize\": {\"daemons\": [\"central\"]}}",
              file) < 0)
        bench_fail(path);
    if (fclose(file) != 0)
        bench_fail(path);
    for (size_t i = 0; i < 5; i++)
        times[i] = bench_program(arguments, false).cpu;
    return bench_median(times, 5);
}

static double longest(struct ring *ring) {
    struct cor_stabilize_question question = cor_default_stabilize_question();
    COR_DESTROYED(cor_stabilize_system) struct cor_stabilize_system *system = make_system(ring, true);
    struct cor_stabilize_sampled sampled;
    struct cor_stabilize_said said;
    struct cor_error error = COR_NO_ERROR;
    ring->asked.sample.effort = EFFORT;
    bench_must(cor_stabilize_sample(system, &ring->asked, &question, NULL, 0, &sampled, &said, &error),
               &error);
    cor_stabilize_way_fini(&sampled.way);
    return sampled.longest;
}

void bench_stabilize(const struct bench_places *places, struct bench_figure *figures) {
    COR_ENDED_BY(close_ring) struct ring seven = {0}, eight = {0}, ten = {0}, four = {0};
    open_ring(&seven, 7);
    open_ring(&eight, 8);
    open_ring(&ten, 10);
    open_ring(&four, 4);
    four.asked.is_over_messages = 1;
    for (int f = 0; f < 7; f++)
        figures[f].reference = NAN;
    struct bench_times times = bench_measure(central, plain_central, &seven, bench_careful);
    figures[0] = (struct bench_figure){1e-6 / times.seconds, 1e-6 / times.reference, ""};
    struct cor_stabilize_system *system = make_system(&seven, false);
    times = bench_measure(distributed, plain_distributed, system, bench_careful);
    figures[1] = (struct bench_figure){1e-6 / times.seconds, 1e-6 / times.reference, ""};
    cor_stabilize_system_destroy(system);
    const double begun = bench_user_seconds();
    figures[2].value = longest(&ten);
    figures[3].value = bench_user_seconds() - begun;
    figures[4] = (struct bench_figure){whole(&eight), plain_whole(), ""};
    figures[5].value = 1e-6 / bench_measure(by_messages, NULL, &four, bench_careful).seconds;
    figures[6].value = in_python(places);
}
#else
void bench_stabilize(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    for (int f = 0; f < 7; f++)
        figures[f] = (struct bench_figure){NAN, NAN, "not measured: built without tests"};
}
#endif

#define STRUCTURES                                                                                        \
    "{\"corridor_experiment\": 1, \"name\": \"structures\", \"seed\": \"0x2015\", \"suites\": 1, "        \
    "\"sequences\": 1, \"cases\": 50, \"model\": {\"corridor_model\": 1, \"agents\": 8, \"groups\": "     \
    "{\"count\": 8}, "                                                                                    \
    "\"environments\": {\"sky\": {\"profile\": {\"states\": [\"dark\"], \"transitions\": {\"dark\": "     \
    "{\"dark\": 1}}}}}, "                                                                                 \
    "\"types\": {\"lamp\": {\"count\": 5, \"environment\": \"sky\", \"states\": {\"sure\": 0.95}, "       \
    "\"influence\": "                                                                                     \
    "{\"dark\": \"sure\"}}, \"fan\": {\"environment\": \"sky\", \"states\": {\"poor\": 0.6}, "            \
    "\"influence\": {\"dark\": "                                                                          \
    "\"poor\"}}}, \"invariant\": {\"threshold\": 0.2}}, \"arms\": [{\"name\": \"SPADA\", \"algorithm\": " \
    "\"spada\", "                                                                                         \
    "\"parameters\": {\"acquaintances\": 5, \"candidates\": 5, \"integrations\": 3, \"budget\": 2000}}]}"
#define EACH 10u /* runs from each start */

static double user_seconds_of_children(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_CHILDREN, &usage) != 0)
        bench_fail("getrusage");
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

/* In one process: 3 cases, and 20 more. */
void bench_structures(const struct bench_places *places, struct bench_figure *figures) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    COR_DESTROYED(cor_experiment) struct cor_experiment *experiment = NULL;
    struct cor_structures_asked asked;
    COR_DESTROYED(cor_starts) struct cor_starts *starts = NULL;
    (void)places;
    bench_must(cor_json_parse(STRUCTURES, "structures.json", &document, &error), &error);
    bench_must(cor_experiment_take("structures.json", document, NULL, &experiment, &error), &error);
    bench_must(cor_structures_asked_read(experiment, &asked, &error), &error);
    bench_must(cor_starts_create(experiment, 0, 0, 0, &asked, &starts, &error), &error);
    const uint64_t count = (uint64_t)cor_starts_size(starts).numbers;
    COR_FREED struct cor_structure_run *runs = calloc(count * EACH, sizeof *runs);
    COR_FREED struct cor_structure_outcome *outcomes = calloc(count * EACH, sizeof *outcomes);
    if (count != 4140 || !runs || !outcomes)
        bench_fail("eight agents have 4,140 structures");
    const struct cor_starts_work work = {.runs = runs, .count = count * EACH, .jobs = 1};
    for (uint64_t i = 0; i < work.count; i++) {
        (void)cor_starts_at(starts, i / EACH, &runs[i].start);
        runs[i].sequence = (uint32_t)(i % EACH);
    }
    const double begun = user_seconds_of_children();
    bench_must(cor_starts_run(starts, &work, outcomes, &error), &error);
    *figures = (struct bench_figure){.value = user_seconds_of_children() - begun, .reference = NAN};
}
