/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is measured: the functions behind the table of rows.c. */
#ifndef COR_BENCH_ROWS_H
#define COR_BENCH_ROWS_H

#include "measure.h"
#include "report.h"
#include "setting.h"

/* draws.c: what is drawn from laws, against GSL and z3 */
bench_measurement bench_transitions, bench_configurations;

/* framework.c: a case without a costly algorithm, and what is written down of it */
bench_measurement bench_framework, bench_log;

/* algorithms.c */
bench_measurement bench_psopp_moves, bench_psopp_law, bench_spada_mail;

/* commands.c: the program as a user runs it */
bench_measurement bench_campaign, bench_two_workers, bench_cold_start, bench_million;

/* Measures the costs of all curves of a sweep at one size. */
typedef void bench_growth(const struct bench_places *places, uint32_t size, double *cost);

bench_growth bench_suites, bench_workers; /* commands.c */

/* growth.c: over agents (partitions keep their size, so their number grows with the agents; groups and chains
 * stay), and over what the world of 10,000 agents consists of. */
bench_growth bench_agents, bench_agents_spada, bench_agents_psopp;
bench_growth bench_groups, bench_chains, bench_partitions, bench_states;

#endif
