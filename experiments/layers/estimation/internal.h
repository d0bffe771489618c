/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What reading, executing, splitting and the pilot share. */
#ifndef CORRIDOR_ESTIMATION_INTERNAL_H
#define CORRIDOR_ESTIMATION_INTERNAL_H

#include <corridor/estimation.h>
#include <corridor/layer.h>
#include <corridor/run.h>
#include <corridor/weight.h>

#include "program.h"

/* The suite of a repetition under one of its laws: the law itself, or the tilted one. */
struct estimation_layer__side {
    struct cor_suite *suite;
    struct cor_session *session; /* of the executor: it outlives the suite */
    struct cor_record *record;   /* of the executor; taken back to `base` after each case */
    struct cor_record_mark base;
    struct cor_runner *runner;
    uint64_t adoptions_drawn, adoptions_struck; /* of the sequence, as far as they are weighed */
};

enum { ESTIMATION_LAYER__LAW, ESTIMATION_LAYER__TILTED, ESTIMATION_LAYER__SIDES };

struct estimation_layer__repetition;

/* One worker's own. */
struct estimation_layer__executor {
    const struct cor_estimation *estimation;
    struct estimation_layer__side sides[ESTIMATION_LAYER__SIDES];
    struct cor_facts facts;            /* of the estimation's vocabulary */
    struct cor_process_law *schedules; /* owned; of a distributed program; NULL: of an algorithm */
    /* Owned; [effort]; of that, what snapshots are of an algorithm: a trajectory that has come to a level,
     * with the fork that goes on from there behind its forks. */
    struct cor_process_trajectory *paths[2];
    struct cor_stream_name name;              /* of the suite */
    struct cor_saved_sequence **snapshots[2]; /* owned; [effort], of the suite's runner; made when needed */
    double *heights[2];                       /* owned; [effort] levels that they had come to */
    double *highest; /* owned; [effort] levels that trajectories of a stage came to */
    uint64_t cases;  /* executed in the present repetition */
    const struct cor_watch *watch;
    /* Of the present repetition, by stage. */
    struct estimation_layer__stage {
        uint64_t started, reached, failed;
    } stages[COR_LEVELS_MAX + 1];
};

enum cor_status estimation_layer__executor_create(const struct cor_estimation *estimation,
                                                  struct estimation_layer__executor **executor,
                                                  struct cor_error *error) COR_MUST_USE;
void estimation_layer__executor_destroy(struct estimation_layer__executor *executor);

/* The suite of repetition `index`, with draw `draw` of its parameters, ready to run. */
enum cor_status estimation_layer__suite_open(struct estimation_layer__executor *executor, uint32_t index,
                                             uint32_t draw, struct cor_error *error) COR_MUST_USE;
void estimation_layer__suite_close(struct estimation_layer__executor *executor);

_Static_assert(COR_PROCESS_FORKS_MAX == COR_LEVELS_MAX + 1, "a fork for each stage");

/* The schedules of the suite by their law, to their end or until the condition that is counted is met. */
enum cor_status estimation_layer__run_schedules(struct estimation_layer__executor *executor,
                                                struct estimation_layer__repetition *repetition,
                                                struct cor_error *error) COR_MUST_USE;

/* One case more, what came of it; in continuous time only as far as any failure counts. And of a sequence
 * that is over, what only its end says: in continuous time all of it, else of a text what it says of time. */
struct estimation_layer__outcome {
    bool fails, matches;     /* a first failing case; of the class asked for */
    struct cor_weight ratio; /* of the tilted law to the law itself, of what was drawn in it */
};
enum cor_status estimation_layer__case(struct estimation_layer__executor *executor,
                                       struct estimation_layer__side *side,
                                       struct estimation_layer__outcome *outcome,
                                       struct cor_error *error) COR_MUST_USE;
enum cor_status estimation_layer__end(struct estimation_layer__executor *executor,
                                      struct estimation_layer__side *side,
                                      struct estimation_layer__outcome *outcome,
                                      struct cor_error *error) COR_MUST_USE;

/* The first draw of repetition `index` that is in the region: draws from 1 on. */
enum cor_status estimation_layer__region_find(struct estimation_layer__executor *executor, uint32_t index,
                                              uint32_t *draw, struct cor_error *error) COR_MUST_USE;
/* Counts out how probable the region is by the law: e->region_probability, NaN where that cannot be.
 * COR_STATUS_UNSATISFIABLE: it is 0. */
enum cor_status estimation_layer__region_count(struct cor_estimation *estimation,
                                               struct cor_error *error) COR_MUST_USE;
bool estimation_layer__region_has(const struct cor_estimation *estimation, struct cor_facts *facts,
                                  const double *parameters);

/* What came of a repetition. */
struct estimation_layer__repetition {
    uint32_t sequences, failed;
    struct cor_weight sum, largest; /* of the sequences' weights or probabilities */
    double any;                     /* one less the product of one less each; infinite: beyond a double */
};

/* Adds a sequence. */
void estimation_layer__repetition_add(struct estimation_layer__repetition *repetition,
                                      struct cor_weight value, bool failed);

/* The sequences of the suite by the changed law, each weighted. */
enum cor_status estimation_layer__run_weighted(struct estimation_layer__executor *executor,
                                               struct estimation_layer__repetition *repetition,
                                               struct cor_error *error) COR_MUST_USE;

/* The same by splitting. */
enum cor_status estimation_layer__run_split(struct estimation_layer__executor *executor,
                                            struct estimation_layer__repetition *repetition,
                                            struct cor_error *error) COR_MUST_USE;

/* What a pilot found. */
struct estimation_layer__pilot {
    double levels[COR_LEVELS_MAX];
    uint32_t level_count;
    uint64_t cases;      /* executed */
    double cost;         /* cases of a repetition with these levels, mean */
    bool rises, arrives; /* some trajectory rose; some came to the end of the levels or failed */
};

/* Looks for levels where there are none, and for the cost of a repetition. */
enum cor_status estimation_layer__pilot_run(const struct cor_estimation *estimation,
                                            struct estimation_layer__pilot *pilot,
                                            struct cor_error *error) COR_MUST_USE;

/* A stream of the repetition's own. */
struct cor_rng estimation_layer__rng(const struct estimation_layer__executor *executor, uint32_t sequence,
                                     uint32_t entity);

/* Stage `stage` of splitting a sequence: trajectories from `count` entries of array `stage % 2` - of stage 0
 * from the beginning -, each to its end, its first failure or `target`, where it becomes an entry of the
 * other array. */
struct estimation_layer__split_stage {
    uint32_t sequence, stage, count;
    double target;
    uint32_t reached, failed; /* made */
};
/* What follows trajectory `trajectory` of a stage: from the beginning, or from entry `entry`. */
enum cor_status estimation_layer__follow_schedule(struct estimation_layer__executor *executor,
                                                  struct estimation_layer__split_stage *stage,
                                                  uint32_t trajectory, uint32_t entry,
                                                  struct cor_error *error) COR_MUST_USE;
/* The number that its streams are named by: behind those of the suite's own sequences. */
uint32_t estimation_layer__number(const struct cor_estimation *estimation,
                                  const struct estimation_layer__split_stage *stage, uint32_t trajectory);

enum cor_status estimation_layer__split_stage(struct estimation_layer__executor *executor,
                                              struct estimation_layer__split_stage *stage,
                                              struct cor_error *error) COR_MUST_USE;

#endif
