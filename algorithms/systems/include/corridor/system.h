/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The system under test of paper 004: reset, given an input, observed. A simulator of a model (or of a mutant
 * of it) with choices of its own, or a program that speaks lines of JSON. */
#ifndef CORRIDOR_SYSTEM_H
#define CORRIDOR_SYSTEM_H

#include <corridor/efsm_conformance.h>
#include <corridor/efsm_terms.h>

#define COR_SYSTEM_WELL ((enum cor_system_trouble)0) /* nothing is wrong with it */

#define COR_TOLD_GOALS_MAX 100

struct cor_system;
struct cor_traffic;

/* A goal that the system under test may ask for, or for no more, by a word of its own while a test runs. One
 * that it may add is not asked for before. */
struct cor_told_goal {
    const char *name;
    bool may_add, may_drop;
    uint32_t first, count; /* its traps among those of the whole goal */
};

/* What it said of one of them: from the next input on it is asked for, or no more. */
struct cor_goal_word {
    uint32_t goal; /* index of its cor_told_goal */
    bool adds;
};

/* The functions of one kind of system, constant. Their status is about the testbed; what the system does
 * wrong is `trouble`, COR_SYSTEM_WELL if nothing is. `close` frees the system. */
struct cor_system_kind {
    /* Back to the initial state. After trouble it begins anew. */
    enum cor_status (*reset)(struct cor_system *system, enum cor_system_trouble *trouble,
                             struct cor_error *error);
    /* `values`: the parameters of the input label, a value for each variable of the model. Without trouble
     * the observation is the answer. */
    enum cor_status (*give)(struct cor_system *system, uint32_t label, const int64_t *values,
                            struct cor_efsm_observation *observation, enum cor_system_trouble *trouble,
                            struct cor_error *error);
    void (*close)(struct cor_system *system);
};

/* The head of every system. */
struct cor_system {
    const struct cor_system_kind *kind;
    uint64_t timeouts; /* times that silence was taken for an answer: what hangs on a clock may not repeat */
    char words[512];   /* of the last trouble: what was said or done; "" = none */
    struct cor_goal_word told[COR_TOLD_GOALS_MAX]; /* with the answer to the last input */
    uint32_t told_count;
};

/* NULL is allowed. */
void cor_system_close(struct cor_system *system);

/* How a simulator chooses among rivals. */
enum cor_choosing {
    COR_CHOOSING_UNIFORM,    /* each alike */
    COR_CHOOSING_ADVERSARY,  /* the worst for the planner, see below */
    COR_CHOOSING_FAIR,       /* in turns, per state and input */
    COR_CHOOSING_FREQUENCIES /* by given weights of transitions */
};

/* "uniform", "adversary", "fair", "frequencies"; NULL behind the last. */
const char *cor_choosing_word(size_t index);

/* One of these from a file, where it is called `what`; frequencies stand there as numbers. */
enum cor_status cor_choosing_read(const struct cor_json *json, const char *what, enum cor_choosing *choosing,
                                  struct cor_error *error) COR_MUST_USE;

/* {"TRANSITION": 0.9, ..}: weights of the model's transitions, and of one more that a mutant may have; 1 of
 * those that are not named. *weights is the caller's, also on errors. */
enum cor_status cor_frequencies_read(const struct cor_json *json, const struct cor_efsm *model,
                                     double **weights, struct cor_error *error) COR_MUST_USE;

/* What a simulator does, and how it chooses among rivals. */
struct cor_simulator_definition {
    const struct cor_efsm *model; /* borrowed, as all here, until the system is closed: what it does */
    enum cor_choosing choosing;
    uint64_t seed;
    uint32_t run;          /* names the stream of UNIFORM and FREQUENCIES, with the seed */
    const double *weights; /* FREQUENCIES: [transition], not negative; rivals that all have 0 are alike */
    /* ADVERSARY: what the planner is after, as traps of `goal_model`, which has the locations, variables and
     * the first transitions of `model`. Among rivals it takes one that covers nothing new if it can; of these
     * the one behind which the nearest open trap is the farthest - moves at best, beyond reach farthest of
     * all -, and the first on ties. */
    const struct cor_efsm_goal *goal;
    const struct cor_efsm *goal_model;
};

/* A system that does what a model says; an input that enables nothing is ignored. */
enum cor_status cor_simulator_create(const struct cor_simulator_definition *definition,
                                     struct cor_system **system, struct cor_error *error) COR_MUST_USE;

/* From now on a simulator chooses among rivals that way, which is UNIFORM or FREQUENCIES, by draws of that
 * seed. What is none is left alone. */
void cor_simulator_fork(struct cor_system *system, enum cor_choosing choosing, uint64_t seed);

/* Where a simulator is: its location; `values`, [variable], of its state. */
uint32_t cor_simulator_state(const struct cor_system *simulator, int64_t *values);

/* A program, and how long it is waited for; times in seconds. */
struct cor_program_definition {
    const struct cor_efsm *model; /* borrowed until the system is closed: names */
    const char *command;          /* for sh */
    double answer_seconds;        /* to answer; later it hangs */
    double quiet_seconds;         /* to answer; later it is quiet. 0: it says so itself */
    struct cor_traffic
        *traffic;          /* borrowed; records it, or replays in its place (traffic.h); NULL: neither */
    bool is_free;          /* no walls are raised around it (walls.h), */
    bool is_full;          /* or all of them, else it is not started */
    uint64_t memory_bytes; /* with walls: that it may ask for (cell.h) */
    const struct cor_told_goal *told; /* borrowed: goals of which it may say something */
    uint32_t told_count;
};

#define COR_SYSTEM_ANSWER_SECONDS 10

/* So long to answer; it says itself that it is quiet. */
struct cor_program_definition cor_default_program(void);

/* Any program that speaks lines of JSON, docs/look-up/efsm.md. It is started by the first reset. */
enum cor_status cor_program_create(const struct cor_program_definition *definition,
                                   struct cor_system **system, struct cor_error *error) COR_MUST_USE;

/* What a system said. */
struct cor_recorded_answer {
    bool is_reset; /* a reset was asked; else the answer to an input */
    bool timeout;  /* silence was taken for the answer */
    enum cor_system_trouble trouble;
    struct cor_efsm_observation observation;
    struct cor_goal_word *told; /* owned by whoever made it; said with the answer */
    uint32_t told_count;
};

/* One that gives recorded answers in their order; `answers` is borrowed until it is closed. Beyond them, or
 * asked otherwise, it has died. */
enum cor_status cor_recording_create(const struct cor_recorded_answer *answers, size_t count,
                                     struct cor_system **system, struct cor_error *error) COR_MUST_USE;

#endif
