/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How cost grows: a part of the benchmark in several files. */
#ifndef COR_BENCH_GROWTH_H
#define COR_BENCH_GROWTH_H

#include "measure.h"
#include "rows.h"

bench_part bench_growth_agents; /* growth_agents.c: the framework and each algorithm, 10 to 100,000 agents */
bench_part bench_growth_world;  /* growth_world.c: groups, chains, states, partitions */
bench_part bench_growth_plan;   /* growth_plan.c: suites, workers, a million agents */

/* A scale with so many agents, in partitions of 2 to 50 (22 on average) and 35 groups, or as many as fit. */
struct bench_scale bench_scale_of(const char *algorithm, uint32_t agents);

#endif
