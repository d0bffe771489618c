/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Over what the world consists of, with 10,000 agents: groups, chains, states, partitions. The cost is that
 * of a case without reorganization (the threshold is out of reach), its walk included. */
#include "growth.h"

#include <stdio.h>

struct point {
    const struct bench_places *places;
    struct bench_scale scale;
};

static double run(void *context) {
    return bench_suite_run(context);
}

static void measure_case(const void *context, double *value) {
    const struct point *point = context;
    struct cor_experiment *experiment = bench_scale_read(point->places, &point->scale);
    struct bench_suite suite;
    bench_suite_open(&suite, experiment, 0, 0);
    value[0] = bench_measure(run, NULL, &suite, bench_brief).seconds;
    bench_suite_close(&suite);
    cor_experiment_destroy(experiment);
}

static struct bench_scale world(void) {
    struct bench_scale scale = bench_scale_of(bench_random, 10000);
    scale.cases = 200;
    scale.pilot_cases = 0;
    scale.threshold = 1;
    return scale;
}

static double case_of(const struct bench_places *places, const struct bench_scale *scale) {
    struct point point = {places, *scale};
    return 1e6 * bench_in_child(measure_case, &point).value[0];
}

static void groups(struct bench_report *report, const struct bench_places *places) {
    struct bench_curve curve = {
        .name = "a case of 10,000 agents at one place", .size_name = "groups", .cost_unit = "us a case"};
    for (uint32_t groups = 1; groups <= 10000; groups *= 10) {
        struct bench_scale scale = world();
        scale.groups = groups;
        scale.locations = 1;
        bench_curve_add(&curve, groups, case_of(places, &scale));
    }
    bench_report_curve(report, &curve);
}

static void chains(struct bench_report *report, const struct bench_places *places) {
    struct bench_curve curve = {.name = "a case of 10,000 agents in as many groups as chains",
                                .size_name = "chains",
                                .cost_unit = "us a case"};
    for (uint32_t chains = 1; chains <= 10000; chains *= 10) {
        struct bench_scale scale = world();
        scale.groups = chains;
        bench_curve_add(&curve, chains, case_of(places, &scale));
    }
    bench_report_curve(report, &curve);
}

static void partitions(struct bench_report *report, const struct bench_places *places) {
    struct bench_curve curve = {
        .name = "a case of 10,000 agents", .size_name = "partitions", .cost_unit = "us a case"};
    for (uint32_t count = 1; count <= 5000; count = count < 1000 ? 10 * count : 5 * count) {
        struct bench_scale scale = world();
        scale.count_min = scale.count_max = count;
        scale.size_max = 10000;
        bench_curve_add(&curve, count, case_of(places, &scale));
    }
    bench_report_curve(report, &curve);
}

/* ------------------------------------------------------------------------------------------ states */

static double profile(void *context) {
    const uint32_t *states = context;
    struct cor_error error = COR_NO_ERROR;
    struct cor_profile *made;
    struct cor_profile_law law = {.states = *states, .degree_min = 0.5, .power = 7, .ring = 0.15};
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    bench_must(cor_profile_random(&law, "bench", &rng, &made, &error), &error);
    cor_profile_destroy(made);
    return 1;
}

static void measure_profile(const void *context, double *value) {
    uint32_t states = *(const uint32_t *)context;
    value[0] = bench_measure(profile, NULL, &states, bench_brief).seconds;
}

static void states(struct bench_report *report, const struct bench_places *places) {
    struct bench_curve curve = {
        .name = "a case of 10,000 agents, 35 chains", .size_name = "states", .cost_unit = "us a case"};
    struct bench_curve drawn = {
        .name = "drawing a random profile",
        .size_name = "states",
        .cost_unit = "us",
        .reason = "a profile is a matrix, states by states, and its stationary law a system of so many "
                  "equations: states^3. Once for each environment and suite, and 64 states are the most"};
    for (uint32_t states = 2; states <= COR_PROFILE_STATES_MAX; states *= 2) {
        struct bench_scale scale = world();
        scale.states = states;
        bench_curve_add(&curve, states, case_of(places, &scale));
        bench_curve_add(&drawn, states, 1e6 * bench_in_child(measure_profile, &states).value[0]);
    }
    bench_report_curve(report, &curve);
    bench_report_curve(report, &drawn);
}

void bench_growth_world(struct bench_report *report, const struct bench_places *places) {
    groups(report, places);
    chains(report, places);
    partitions(report, places);
    states(report, places);
}
