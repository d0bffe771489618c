/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loop of the testbed (003, 4.3 and 4.4), in one place: one suite is begun, its sequences are run one by
 * one, and all that happens is written into a record. Nothing calls back into it, and nothing in it is random
 * but by name. */
#ifndef CORRIDOR_RUN_H
#define CORRIDOR_RUN_H

#include <corridor/configuration.h>
#include <corridor/host.h>
#include <corridor/record.h>
#include <corridor/walk.h>

#include <stdbool.h>

/* Everything that executing one suite depends on, and nothing else. All pointers are borrowed until the suite
 * ends. */
struct cor_execution {
    uint16_t arm;
    uint32_t suite;
    struct cor_stream_name name; /* seed, arm and suite are set; the rest is the loop's */
    const struct cor_configuration *configuration;
    const struct cor_profile *const *profiles; /* [configuration->profile_count] */
    const uint16_t *environment_of_profile;    /* codes in catalog/environment */
    uint32_t sequence_count;
    struct cor_session *session; /* of the arm's algorithm */
    const struct cor_algorithm *algorithm;
    uint32_t fault;                  /* 0 = none, else 1 + index */
    const double *parameters;        /* of the algorithm, in the order it declares them */
    uint64_t budget;                 /* units for one reorganization */
    const uint16_t *parameter_codes; /* what goes into the table of parameters */
    const double *parameter_values;
    uint32_t parameter_count;
    uint16_t first_counter_code; /* code in catalog/counter of the algorithm's first white-box counter */
    uint32_t attempts;           /* draws until the parameters met all constraints */
    bool fallback;               /* they follow the fallback law */
    double pilot_rate;           /* NaN if the threshold was given */
    uint32_t activation_delay;   /* cases between an alarm and the reorganization (A12), 0 = same case */
    uint32_t look_every; /* the oracle looks at every so many cases, and at every alarm; 0 = at alarms only */
    bool log_solutions;  /* keep structure and solution of every reorganization, not only of failures */
};

/* A suite being run: state, adopter, oracle, scratch. */
struct cor_runner;

/* Begins a suite: allocates everything its cases need, clears `record` and writes the configuration into it.
 */
enum cor_status cor_runner_create(const struct cor_execution *execution, struct cor_record *record,
                                  struct cor_runner **runner, struct cor_error *error) COR_MUST_USE;

/* Runs sequence `index` over `walk` from the initial state to the end, or to the first failure of the black
 * box. */
enum cor_status cor_run_sequence(struct cor_runner *runner, uint32_t index, const struct cor_walk *walk,
                                 struct cor_error *error) COR_MUST_USE;

/* The same for a sequence that continues another one: everything that is random in the first branch->prefix
 * cases is drawn as it was for the parent, so that both share not only the walk but all that happened. The
 * suite has one sequence more. */
enum cor_status cor_run_branch(struct cor_runner *runner, uint32_t index, const struct cor_branch *branch,
                               const struct cor_walk *walk, struct cor_error *error) COR_MUST_USE;

/* The case in which a reorganization of the last sequence first failed in the gray or the black box, 0 = in
 * none. */
uint32_t cor_runner_first_failure(const struct cor_runner *runner);

/* Ends the suite: writes visits, transitions and white-box counters. */
enum cor_status cor_runner_finish(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_runner_destroy(struct cor_runner *runner);

#endif
