/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "growth.h"

static uint32_t at_least(uint32_t least, uint32_t number) {
    return number > least ? number : least;
}

struct bench_scale bench_scale_of(const char *algorithm, uint32_t agents) {
    struct bench_scale scale = bench_usual(algorithm);
    scale.agents = agents;
    scale.groups = agents / 2 < 35 ? agents / 2 : 35;
    scale.size_max = agents / 2 < 50 ? agents / 2 : 50;
    scale.count_min = at_least(2, agents / 40);
    scale.count_max = at_least(2, agents / 15);
    scale.sequences = 1;
    return scale;
}

void bench_growth(struct bench_report *report, const struct bench_places *places) {
    bench_growth_agents(report, places);
    bench_growth_world(report, places);
    bench_growth_plan(report, places);
}
