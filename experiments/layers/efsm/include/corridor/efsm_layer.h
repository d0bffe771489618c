/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model layer (paper 004): can a tester steer a system to a goal, and is what it did allowed? Its
 * experiments name a model; arms are planners against systems, suites tests on line, cases moves. */
#ifndef CORRIDOR_EFSM_LAYER_H
#define CORRIDOR_EFSM_LAYER_H

#include <corridor/guest_files.h>
#include <corridor/layer.h>
#include <corridor/online.h>

/* ---- an experiment of the efsm layer: planners against systems beside one model, each test of them by its
 * number */

/* One arm: a planner against a system; part of its experiment. */
struct cor_efsm_arm {
    const char *name;  /* borrowed from the experiment's document, as the texts below */
    char *description; /* owned; JSON: planner, reading, system, mutant */
    const struct cor_planner_kind *planner;
    enum cor_plan_reading reading;
    enum cor_choosing choosing;
    double *weights;              /* owned; FREQUENCIES: [transition], one more for an extra one; else NULL */
    const char *command;          /* of a program; NULL: a simulator */
    struct cor_guest_files files; /* that the program is made of */
    double answer_seconds, quiet_seconds;
    uint64_t memory_bytes;   /* that it may ask for */
    const char *mutant;      /* NULL: the model itself */
    struct cor_efsm *acting; /* owned; what the simulator does; NULL: the model itself */
    bool compares;           /* it is the first arm with this mutant */
};

/* Fingerprints of what a failure hangs on: the model, and the system beside it - its mutant or program, and
 * how it chooses -; 0: not known. */
struct cor_efsm_marks {
    uint64_t model, system;
};

/* An experiment as it was read; made by cor_efsm_experiment_parse, freed by cor_efsm_experiment_destroy.
 * Each arm has as many tests as suites, each of at most `moves` moves and `resets` resets; `states` and
 * `depth` are budgets of planners, `optimised` is the N of planner paper (planner.h), `compare_moves` that of
 * telling a mutant from the model; `possible_states`: see struct cor_online_definition; `brief`: only moves
 * at which a test failed are kept.
 */
struct cor_efsm_experiment {
    struct cor_experiment_head head;    /* first; suites are runs */
    struct cor_json_document *document; /* owned; of the text */
    struct cor_efsm *model;             /* owned */
    struct cor_efsm_goal own_goal;      /* owned */
    const struct cor_efsm_goal *goal;
    struct cor_online_change *changes; /* owned; of goals, while a test runs */
    uint32_t change_count;
    struct cor_told_goal *told; /* owned; goals that programs under test may add or drop themselves */
    uint32_t told_count;
    struct cor_efsm_problem *problem;         /* owned */
    struct cor_efsm_arm *arms;                /* owned */
    struct cor_efsm_constraints *constraints; /* owned; of planner paper; NULL: it finds them */
    struct cor_efsm *constrained;             /* owned; what they are of: the same model, read for them */
    struct cor_efsm_goal constrained_goal;    /* owned */
    struct cor_traffic *traffic; /* owned; of programs, recorded or replayed (traffic.h); NULL: neither */
    char *expected;              /* owned; of a test file: what its test fails by, in a word; else NULL, */
    struct cor_efsm_marks marks; /* and what it was made of */
    uint64_t states, compare_moves;
    uint32_t moves, resets, depth, optimised;
    bool has_programs;
    bool possible_states, brief;
    bool is_free, is_full; /* no walls around programs (walls.h), all of them */
};

/* Reads an experiment from the text of a file; `path` stands for it, and is where files that it names are
 * looked up. `origins` are told what is read (borrowed as long as the experiment lives); NULL: nobody is. */
enum cor_status cor_efsm_experiment_parse(const char *text, const char *path, struct cor_origins *origins,
                                          struct cor_efsm_experiment **experiment,
                                          struct cor_error *error) COR_MUST_USE;

/* Reads the files that programs are made of, once they may be: then it is known what the rows depend on, and
 * a campaign that was ended can go on, unless a program is made of none that is known. */
enum cor_status cor_efsm_experiment_find_files(struct cor_efsm_experiment *experiment,
                                               struct cor_error *error) COR_MUST_USE;

/* Gives planner paper the constraints, of the model and goal that the experiment was made of; `made` is what
 * cor_efsm_goal_find was given. Takes all three, also after failing. */
enum cor_status cor_efsm_experiment_constrain_take(struct cor_efsm_experiment *experiment,
                                                   struct cor_efsm *model, struct cor_efsm_goal *made,
                                                   struct cor_efsm_constraints *constraints,
                                                   struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void cor_efsm_experiment_destroy(struct cor_efsm_experiment *experiment);

/* A test of an arm, on its own: suite `run` of it. `system` NULL: the arm's; else it is closed afterwards. */
enum cor_status cor_efsm_test(
    const struct cor_efsm_experiment *experiment, uint32_t arm, uint32_t run, struct cor_system *system_take,
    enum cor_status (*note)(void *context, const struct cor_online_move *move, struct cor_error *error),
    enum cor_status (*think)(void *context, double share, struct cor_error *error), void *context,
    struct cor_online_outcome *outcome, struct cor_error *error) COR_MUST_USE;

/* Its experiments are struct cor_efsm_experiment; their files have a member "efsm". */
extern const struct cor_layer cor_efsm_layer;

/* What the layer executes: a test of an arm into the record. `system` NULL: the arm's; else it takes the
 * place of the arm's, and is closed afterwards. */
enum cor_status cor_efsm_execute(const struct cor_efsm_experiment *experiment, uint32_t arm, uint32_t suite,
                                 struct cor_system *system_take, const struct cor_watch *watch,
                                 struct cor_record *record, struct cor_suite_counts *tally,
                                 struct cor_error *error) COR_MUST_USE;

#endif
