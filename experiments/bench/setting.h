/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is measured: experiments of any scale, suites of them run as workers run them, and the reorganizations
 * that come up in a suite, kept so that an algorithm can be measured alone. */
#ifndef CORRIDOR_EXPERIMENTS_BENCH_SETTING_H
#define CORRIDOR_EXPERIMENTS_BENCH_SETTING_H

#include "timing.h"

#include <corridor/lists.h>
#include <corridor/record.h>
#include <corridor/run.h>
#include <corridor/suite.h>

/* An experiment of one arm on random profiles. */
struct bench_scale {
    uint32_t agents, groups, locations, states;        /* states of the one environment's profile */
    uint32_t size_min, size_max, count_min, count_max; /* limits of the structure */
    uint32_t suites, sequences, cases;
    const char *algorithm;  /* JSON of an arm without its name: "algorithm": ..., "parameters": ... */
    double alarm_rate;      /* that the threshold is calibrated for, by the pilot "random"; */
    uint32_t pilot_cases;   /* in so many cases; 0: */
    double threshold;       /* the threshold is given */
    const char *attributes; /* JSON of the model's attributes, with sources; NULL: none */
    const char *corridor;   /* JSON of the corridor as a text; NULL: as the model has it */
};

#define BENCH_SPADA                                                                         \
    "\"algorithm\": \"spada\", \"parameters\": {\"acquaintances\": 10, \"candidates\": 5, " \
    "\"integrations\": 5, \"budget\": 2000}"
#define BENCH_PSOPP(particles, policy, budget)                                                           \
    "\"algorithm\": \"psopp\", \"parameters\": {\"particles\": " particles ", \"start_at_current\": 1, " \
    "\"c_random\": 0.34, \"c_own\": 0.33, \"c_best\": 0.33, \"exchange_policy\": " policy                \
    ", \"budget\": " budget "}"

extern const char *const bench_random; /* arms */
extern const char *const bench_spada;
extern const char *const bench_psopp;

/* 500 agents in 35 groups, 35 chains of 15 states, partitions of 2 .. 50, 4 sequences of 500 cases. */
struct bench_scale bench_usual(const char *algorithm);

/* A scale with so many agents, in partitions of 2 to 50 (22 on average) and 35 groups, or as many as fit; one
 * sequence. */
struct bench_scale bench_scale_of(const char *algorithm, uint32_t agents);

/* Writes the experiment into `path`. */
void bench_scale_write(const struct bench_scale *scale, const char *path);

/* The same as an experiment, read back. */
struct cor_experiment *bench_scale_read(const struct bench_places *places, const struct bench_scale *scale);

/* The experiment file `name` in `folder`. */
struct cor_experiment *bench_experiment_read(const char *folder, const char *name);

/* A path in the folder; freed with free(). */
char *bench_path(const struct bench_places *places, const char *name);

/* A suite and all that running it needs. */
struct bench_suite {
    struct cor_suite *suite;
    struct cor_session *session;
    struct cor_record *record;
    struct cor_walk *walks; /* [sequence]; what running it walks, too */
};

void bench_suite_open(struct bench_suite *suite, const struct cor_experiment *experiment, uint32_t arm,
                      uint32_t index);
void bench_suite_close(struct bench_suite *suite);

/* Runs it into its record, walks generated; returns the cases executed. */
double bench_suite_run(struct bench_suite *suite);

/* A reorganization that was asked for: structure, values, and name of the case. */
struct bench_task {
    struct cor_lists structure;
    double *values; /* owned */
    struct cor_stream_name name;
};

/* The first `count` reorganizations of a suite. */
struct bench_tasks {
    struct bench_suite suite;
    struct cor_rules rules;
    struct bench_task *task; /* owned */
    uint32_t count;
    struct cor_outcome outcome;              /* of the last */
    double spent, messages, reorganizations; /* sums since the last clear */
};

/* Runs the suite, with the algorithm's own solutions adopted, until so many reorganizations came up or it
 * ends. `always`: reorganizes in every case, whether or not there is an alarm. */
void bench_tasks_open(struct bench_tasks *tasks, const struct cor_experiment *experiment, uint32_t arm,
                      uint32_t index, uint32_t count, bool always);
void bench_tasks_close(struct bench_tasks *tasks);

/* Runs one of them again and adds up what it took. */
void bench_task_run(struct bench_tasks *tasks, uint32_t index);

/* Runs all of them; returns their number. */
double bench_tasks_run(void *tasks);

/* The root mean square deviation of the blocks' means from the mean of all agents, from nothing but members
 * and values. */
double bench_deviation(const struct cor_lists *blocks, const double *values, uint32_t agents);

/* What is measured: the functions behind the table of bench.c. */

/* draws.c: what is drawn from laws, against GSL and z3 */
bench_measurement bench_transitions, bench_configurations;

/* corridors.c: guards of models */
bench_measurement bench_guards;

/* corridors.c: formulas of time, along traces that do not decide them */
bench_measurement bench_temporal;

/* test_agents.c: paths, and exploration until nothing is left */
bench_measurement bench_paths, bench_exploration;

/* framework.c: a case without a costly algorithm, by a corridor as a text, in time, and what is written of it
 */
bench_measurement bench_framework, bench_attributes, bench_text, bench_continuous, bench_log;

/* algorithms.c */
bench_measurement bench_psopp_quality, bench_psopp_law, bench_spada_mail, bench_spada_one_by_one;

/* combinations.c: covering arrays */
bench_measurement bench_combine_small, bench_combine_large, bench_combine_constrained, bench_combine_switch;

/* commands.c: the program as a user runs it */
bench_measurement bench_decision, bench_campaign, bench_two_workers, bench_cold_start, bench_million;

/* commands.c: very many, very small suites */
bench_measurement bench_many_suites;

/* searching.c: shrinking and searching, beside the loop alone */
bench_measurement bench_shrinking, bench_searching;

/* commands.c: cases of the agent layer, interpreter, module, program */
bench_measurement bench_units;
bench_measurement bench_guests, bench_python;

/* peers.c: the same in numpy, Octave, AgentScript */
bench_measurement bench_peers_step, bench_peers_search;

/* Measures the costs of all curves of a sweep at one size. */
typedef void bench_growth(const struct bench_places *places, uint32_t size, double *cost);

bench_growth bench_suites, bench_workers; /* commands.c */

/* growth.c: over agents (partitions keep their size, so their number grows with the agents; groups and chains
 * stay), and over what the world of 10,000 agents consists of. */
bench_growth bench_agents, bench_agents_spada, bench_agents_psopp;
bench_growth bench_groups, bench_chains, bench_partitions, bench_states;

#endif
