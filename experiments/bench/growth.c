/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How cost grows: over agents, and over what the world of 10,000 agents consists of. */
#include "setting.h"

#include <math.h>
#include <stdio.h>

/* What is measured at one point of a curve: cases, or reorganizations if `tasks` says how many. */
struct point {
    const struct bench_places *places;
    struct bench_scale scale;
    uint32_t tasks;
};

struct costs {
    double run;                  /* seconds of a case or of a reorganization */
    double generate;             /* seconds of a suite */
    double messages, peak_bytes; /* of a reorganization; of the process */
};

static double generate(void *context) {
    struct cor_error error = COR_NO_ERROR;
    COR_DESTROYED(cor_suite) struct cor_suite *suite = NULL;
    bench_must(cor_suite_generate(context, 0, 0, &suite, &error), &error);
    return 1;
}

static double run_growth(void *context) {
    return bench_suite_run(context);
}

static void measure_point(const void *context, void *answer) {
    const struct point *point = context;
    struct costs *costs = answer;
    COR_DESTROYED(cor_experiment)
    struct cor_experiment *experiment = bench_scale_read(point->places, &point->scale);
    if (point->tasks > 0) { /* of the initial structure at the values of the first cases */
        COR_ENDED_BY(bench_tasks_close) struct bench_tasks tasks = {0};
        bench_tasks_open(&tasks, experiment, 0, 0, point->tasks, true);
        costs->run = bench_measure(bench_tasks_run, NULL, &tasks, bench_brief).seconds;
        costs->messages = tasks.messages / tasks.reorganizations;
    } else {
        struct bench_suite suite;
        bench_suite_open(&suite, experiment, 0, 0);
        costs->run = bench_measure(run_growth, NULL, &suite, bench_brief).seconds;
        bench_suite_close(&suite);
        costs->generate = bench_measure(generate, NULL, experiment, bench_brief).seconds;
    }
}

static struct costs costs_at(const struct bench_places *places, const struct bench_scale *scale,
                             uint32_t tasks) {
    const struct point point = {places, *scale, tasks};
    struct costs costs;
    double peak_bytes = bench_in_child(measure_point, &point, &costs, sizeof costs);
    costs.peak_bytes = peak_bytes;
    return costs;
}

/* With a threshold of 1 no case reorganizes, with 0 every one does. Cases enough to be measured, few enough
 * to wait for. */
static struct costs framework_at(const struct bench_places *places, uint32_t agents, double threshold,
                                 uint32_t pilot_cases) {
    struct bench_scale scale = bench_scale_of(bench_random, agents);
    uint32_t cases = 3000000 / agents;
    scale.cases = cases < 40 ? 40 : cases > 2000 ? 2000 : cases;
    scale.threshold = threshold;
    scale.pilot_cases = pilot_cases;
    return costs_at(places, &scale, 0);
}

void bench_agents(const struct bench_places *places, uint32_t agents, double *cost) {
    struct costs busy = framework_at(places, agents, 0, 0);
    cost[0] = 1e6 * framework_at(places, agents, 1, 0).run;
    cost[1] = 1e6 * busy.run;
    cost[2] = 1e6 * framework_at(places, agents, 0, 50).generate;
    cost[3] = 1e-3 * busy.peak_bytes;
}

static struct costs algorithm_at(const struct bench_places *places, const char *algorithm, uint32_t agents) {
    struct bench_scale scale = bench_scale_of(algorithm, agents);
    scale.cases = 40;
    scale.pilot_cases = 50;
    return costs_at(places, &scale, agents <= 3000 ? 8 : 2);
}

void bench_agents_spada(const struct bench_places *places, uint32_t agents, double *cost) {
    struct costs costs = algorithm_at(places, bench_spada, agents);
    cost[0] = 1e6 * costs.run;
    cost[1] = 1e9 * costs.run / costs.messages;
    cost[2] = 1e-3 * costs.peak_bytes;
}

static struct costs psopp_at(const struct bench_places *places, uint32_t agents, uint32_t particles,
                             uint32_t budget) {
    char algorithm[256];
    snprintf(algorithm, sizeof algorithm, BENCH_PSOPP("%u", "1", "%u"), particles, budget);
    return algorithm_at(places, algorithm, agents);
}

void bench_agents_psopp(const struct bench_places *places, uint32_t agents, double *cost) {
    enum { FEW = 1, MANY = 20001 };
    struct costs few = psopp_at(places, agents, 4, FEW), many = psopp_at(places, agents, 4, MANY);
    struct costs one = psopp_at(places, agents, 1, FEW);
    cost[0] = 1e6 * few.run;
    cost[1] = 1e9 * (many.run - few.run) / (MANY - FEW);
    /* With fewer agents, three particles are lost in the rest of the process. */
    cost[2] = agents >= 3000 ? 1e-3 * (few.peak_bytes - one.peak_bytes) / 3 : (double)NAN;
}

/* 10,000 agents. The cost is that of a case without reorganization (the threshold is out of reach), its walk
 * included. */
static struct bench_scale world(void) {
    struct bench_scale scale = bench_scale_of(bench_random, 10000);
    scale.cases = 200;
    scale.pilot_cases = 0;
    scale.threshold = 1;
    return scale;
}

void bench_groups(const struct bench_places *places, uint32_t groups, double *cost) {
    struct bench_scale scale = world();
    scale.groups = groups;
    scale.locations = 1;
    cost[0] = 1e6 * costs_at(places, &scale, 0).run;
}

void bench_chains(const struct bench_places *places, uint32_t chains, double *cost) {
    struct bench_scale scale = world();
    scale.groups = chains;
    cost[0] = 1e6 * costs_at(places, &scale, 0).run;
}

void bench_partitions(const struct bench_places *places, uint32_t count, double *cost) {
    struct bench_scale scale = world();
    scale.count_min = scale.count_max = count;
    scale.size_max = 10000;
    cost[0] = 1e6 * costs_at(places, &scale, 0).run;
}

static double draw_profile(void *context) {
    const uint32_t *states = context;
    struct cor_error error = COR_NO_ERROR;
    COR_DESTROYED(cor_profile) struct cor_profile *made = NULL;
    struct cor_profile_law law = {.states = *states, .degree_min = 0.5, .power = 7, .ring = 0.15};
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    bench_must(cor_profile_random(&law, "bench", &rng, &made, &error), &error);
    return 1;
}

static void measure_profile(const void *context, void *seconds) {
    uint32_t states = *(const uint32_t *)context;
    *(double *)seconds = bench_measure(draw_profile, NULL, &states, bench_brief).seconds;
}

void bench_states(const struct bench_places *places, uint32_t states, double *cost) {
    struct bench_scale scale = world();
    double seconds;
    scale.states = states;
    cost[0] = 1e6 * costs_at(places, &scale, 0).run;
    (void)bench_in_child(measure_profile, &states, &seconds, sizeof seconds);
    cost[1] = 1e6 * seconds;
}
