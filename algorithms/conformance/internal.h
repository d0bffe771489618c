/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to conformance: a process that was started for one check. trial.c makes tasks, probe.c says what
 * was tried and found, the files checks_*.c are the checks. */
#ifndef COR__CONFORMANCE_H
#define COR__CONFORMANCE_H

#include <corridor/conformance.h>
#include <corridor/host.h>

#include <stdbool.h>
#include <stdio.h>

/* A task with all it points to. */
struct cor__trial {
    struct cor_task task;
    struct cor_rules rules;
    struct cor_stream_name name;
    const double *columns[1];
    double *values, *parameters; /* owned */
    uint32_t *members, *start;   /* owned; members and start have room for `capacity` agents */
    uint32_t capacity;
};

/* Units of any budget but where budgets are looked at: quick, whatever the unit. */
#define COR__BUDGET 400u

void cor__trial_fini(struct cor__trial *trial);

/* `n` agents in blocks of uneven size, with limits that the present structure keeps, default parameters, no
 * fault. */
enum cor_status cor__trial_make(struct cor__trial *trial, const struct cor_algorithm *algorithm, uint32_t n,
                                uint64_t seed, struct cor_error *error) COR_MUST_USE;

/* The same agents in `k` blocks of about equal size, and no limits. */
void cor__trial_cut(struct cor__trial *trial, uint32_t k);

/* What is wrong with a solution as a partitioning of `n` agents, into `text`; false if nothing is. */
bool cor__solution_trouble(const struct cor_lists *solution, uint32_t n, char *text, size_t size);

/* The number of agents of each trial, ascending, ended by 0; and how many seeds each. */
extern const uint32_t cor__sizes[];
#define COR__SEEDS 3u

/* Sizes that a program is spared: each of its answers takes long. */
#define COR__PROGRAM_MOST 10u

#define COR__SCHEDULES 5u
extern const struct cor_mail_schedule cor__schedules[COR__SCHEDULES];

/* The process. */
struct cor__probe {
    struct cor_registry *registry;
    const struct cor_algorithm *algorithm;
    FILE *out;
    uint64_t trials;
    bool broken, is_program;
    uint32_t only_agents; /* 0: all */
    int64_t only_seed;    /* -1: all */
    unsigned char stack_fill;
    struct cor__trial trial, other;
    struct cor_session *kept; /* owned; of a program: starting one takes long. NULL: none */
    struct cor_session_definition kept_definition;
    struct cor_outcome outcome;
    struct cor_error error;
};

/* Makes probe->trial; false if it is not to be tried. `mail` is an index of cor__schedules. */
bool cor__probe_try(struct cor__probe *probe, uint32_t agents, uint64_t seed, uint32_t fault, size_t mail);

/* Says what is broken with the present trial, the first time; and what else a reader should know. */
void cor__probe_broken(struct cor__probe *probe, const char *format, ...) COR_PRINTF(2, 3);
void cor__probe_remark(struct cor__probe *probe, const char *format, ...) COR_PRINTF(2, 3);
void cor__probe_skip(struct cor__probe *probe, const char *reason);

/* From now on: ends the process well, with a remark about `what`, after so many seconds of CPU time. 0:
 * never. */
void cor__probe_patience(struct cor__probe *probe, int seconds, const char *what);

/* A session for the algorithm; the process ends where the kit itself is in trouble. */
struct cor_session *cor__probe_open(struct cor__probe *probe,
                                    const struct cor_session_definition *definition);

/* One reorganization of `trial`, as the first of a sequence: its digest. */
uint64_t cor__probe_run(struct cor__probe *probe, struct cor_session *session,
                        const struct cor__trial *trial);

/* The same in a session of its own; of a program, in one that was asked for before alike. */
uint64_t cor__probe_fresh(struct cor__probe *probe, const struct cor_session_definition *definition);

/* Says what is broken with probe->outcome, and returns false: neither a partitioning nor a refusal with
 * words. */
bool cor__probe_judge(struct cor__probe *probe);

/* Whether the last outcome is a refusal with words. */
bool cor__probe_declined(const struct cor__probe *probe);

/* Ends the process: the kit's own trouble. */
void cor__probe_trouble(struct cor__probe *probe, enum cor_status status);

/* The year of the clock below, counted from 2000; and gives that clock, which stands still, to the module of
 * the algorithm. */
void cor__clock_years(int years);
void cor__clock_set(const struct cor_algorithm *algorithm);

/* The checks. */
void cor__check_results(struct cor__probe *probe);
void cor__check_repeatable(struct cor__probe *probe);
void cor__check_digests(struct cor__probe *probe); /* for what is compared between processes */
void cor__check_steps(struct cor__probe *probe);
void cor__check_budget(struct cor__probe *probe);
void cor__check_sizes(struct cor__probe *probe);
void cor__check_limits(struct cor__probe *probe);
void cor__check_parameters(struct cor__probe *probe);
void cor__check_values(struct cor__probe *probe);
void cor__check_faults(struct cor__probe *probe);
void cor__check_counters(struct cor__probe *probe);
void cor__check_anytime(struct cor__probe *probe);
void cor__check_keeps(struct cor__probe *probe);
void cor__check_memory(struct cor__probe *probe);
void cor__check_read_only(struct cor__probe *probe);
void cor__check_mail(struct cor__probe *probe);
void cor__check_restarts(struct cor__probe *probe);
void cor__check_decentralized(struct cor__probe *probe);

#endif
