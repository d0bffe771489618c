/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Estimating as a layer of a campaign: a suite is a repetition. */
#ifndef CORRIDOR_ESTIMATION_LAYER_H
#define CORRIDOR_ESTIMATION_LAYER_H

#include <corridor/case_condition.h>
#include <corridor/experiment.h>
#include <corridor/failure_class.h>
#include <corridor/layer.h>

/* Its experiments are struct cor_estimation. */
extern const struct cor_layer cor_estimation_layer;

/* ---- how probable it is that a sequence, and that a suite, of an experiment's own law fails in a certain
 * way: what is asked, as read from JSON (docs/do/estimation.md) */

#define COR_ESTIMATION_LEVELS_TRIED 32
#define COR_ESTIMATION_EFFORT_MAX 65536                    /* trajectories of a stage */
#define COR_REGION_DRAWS_MAX 10000000u                     /* until one is in the region */
#define COR_ESTIMATION_REPETITIONS_MAX (UINT32_C(1) << 31) /* suites behind are the pilot's */

/* Probabilities of the testbed's own draws that can be tilted, X(NAME, key). */
#define COR_TILTS(X)                     \
    X(LOSS, "mail.loss_ratio")           \
    X(DUPLICATE, "mail.duplicate_ratio") \
    X(CRASH, "agents.probability")       \
    X(RESULT, "result.probability")      \
    X(ADOPTION, "adoption.probability")  \
    X(MONITOR, "monitor.probability")

/* Index of such a probability, in `law` and `tilt` of an estimation. */
enum cor_tilt {
#define COR_TILT(NAME, key) COR_TILT_##NAME,
    COR_TILTS(COR_TILT)
#undef COR_TILT
        COR_TILT_COUNT
};

/* A question as it was read, and the law that answers it; made by cor_estimation_read, freed by
 * cor_estimation_destroy. A repetition is a suite of arm `arm`; the budget is in test cases. */
struct cor_estimation {
    struct cor_experiment_head head;   /* first; suites are repetitions */
    struct cor_experiment *experiment; /* owned; the law itself; NULL: it is that of a distributed program */
    struct estimation_layer__program *program; /* owned; that one, and what is asked of it; else NULL */
    const struct estimation_layer__programs *programs; /* what it is one of */
    struct cor_experiment *tilted;                     /* owned; with tilted probabilities; NULL: none is */
    uint32_t arm, sequences;                           /* of a suite */
    uint64_t case_most;                                /* of a sequence */
    char *description;                                 /* owned; JSON: method, class, and what was changed */
    int method;                                        /* enum cor_estimation_method of terms.h */
    bool any;                                          /* failure: of any class */
    struct cor_failure_class class;                    /* of an algorithm */
    char *failure;                                     /* owned; as text */
    char *property; /* owned; whose formula is to hold, in place of a failure; NULL: none */
    int64_t repetitions, budget;
    double share; /* of sequences, and suites, that follow the law itself */
    double law[COR_TILT_COUNT], tilt[COR_TILT_COUNT]; /* tilt NaN: as it is */
    struct cor_vocabulary *vocabulary;                /* owned; of the arm */
    char *trap, *region_text;                         /* owned; NULL: none */
    struct cor_case_condition region;                 /* where there is one */
    double region_probability;                        /* by the law; NaN: not known */
    struct cor_level level;                           /* of an algorithm */
    char *guide;      /* owned; the level is how far this property is from holding; NULL: it is not */
    char *level_text; /* owned; a level that was derived; NULL: none was */
    char *tried[COR_ESTIMATION_LEVELS_TRIED]; /* owned; levels that the pilot chooses among */
    uint32_t tried_count;
    uint32_t
        condition_count; /* of the level; 0: it is a number, of a program how far the first is from holding */
    double levels[COR_LEVELS_MAX]; /* ascending */
    uint32_t level_count;
    int64_t effort;                      /* trajectories of a stage, the most */
    int64_t efforts[COR_LEVELS_MAX + 1]; /* by stage */
    double keep[COR_LEVELS_MAX + 1];     /* by stage: share of those that fell back that go on; 1: all do */
    bool fits; /* efforts are what the budget holds, by what the pilot saw, and so are these shares */
    int64_t pilot_cases; /* executed to find levels and cost; -1: there was no pilot yet */
};

/* Takes {"corridor_estimation": 1, ..}; `path` is the place beside which the experiment in it looks up its
 * files. Runs a pilot, in a child process, where levels or the number of repetitions are to be found. */
enum cor_status cor_estimation_read(const char *path, const struct cor_json *root,
                                    const struct cor_layer_options *options,
                                    struct cor_estimation **estimation, char **notes,
                                    struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void cor_estimation_destroy(struct cor_estimation *estimation);

#endif
