/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paper 004's tables beside ours: what the sheets of `corridor efsm tables` are filled with. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_EFSM_EFSM_TABLES_H
#define CORRIDOR_EXPERIMENTS_LAYERS_EFSM_EFSM_TABLES_H

#include <corridor/efsm_reach.h>
#include <corridor/rehearsal.h>
#include <corridor/sheet.h>

struct cor_efsm_tables_definition {
    const char *folder; /* where the models are; borrowed */
    uint32_t runs;      /* of anti-ant on each goal */
    uint32_t run_moves; /* of each of them, at most */
    uint32_t moves;     /* of planner "paper" on a stand-in of table 3, at most */
    uint32_t deepest;   /* off-line constraints of the stand-ins; deeper rows stay empty */
    uint64_t seed;
};

/* Sheets "table1", "table2", "table3", "depths", "questions" in the list. */
enum cor_status cor_fill_efsm_tables(const struct cor_efsm_tables_definition *definition,
                                     struct cor_sheets *sheets, struct cor_error *error) COR_MUST_USE;

/* For the files that fill them: a goal of a model, as a problem. */
struct efsm_layer__case {
    struct cor_efsm *model;
    struct cor_efsm_goal made; /* what `goal` points at, or nothing */
    const struct cor_efsm_goal *goal;
    struct cor_efsm_problem *problem;
};

enum cor_status efsm_layer__case_open(const char *folder, const char *model, const char *goal,
                                      struct efsm_layer__case *of, struct cor_error *error) COR_MUST_USE;
void efsm_layer__case_close(struct efsm_layer__case *of);

/* A planner on it, timed. */
struct cor_rehearsal_definition efsm_layer__case_rehearsal(const struct efsm_layer__case *of,
                                                           const char *planner, uint32_t depth,
                                                           uint32_t moves);

/* What was asked of z3 off line for all its traps, and the seconds that this took altogether. */
struct efsm_layer__offline_cost {
    double seconds;
    uint32_t initial; /* moves from the initial state, of a goal of one trap; COR_EFSM_FAR */
    struct cor_solver_statistics asked;
};
enum cor_status efsm_layer__case_offline(const struct efsm_layer__case *of, uint32_t depth,
                                         struct efsm_layer__offline_cost *cost,
                                         struct cor_error *error) COR_MUST_USE;

/* Times of decisions, of a rehearsal that was timed; NaN without any. */
struct efsm_layer__times {
    double sum, mean, median, worst;
};
struct efsm_layer__times efsm_layer__times_of(const struct cor_rehearsal *rehearsal);

/* Counts and costs of questions. */
enum cor_status efsm_layer__fill_questions(const struct cor_efsm_tables_definition *definition,
                                           struct cor_sheets *sheets, struct cor_error *error) COR_MUST_USE;

/* Table 3 and the depths. */
enum cor_status efsm_layer__fill_depths(const struct cor_efsm_tables_definition *definition,
                                        struct cor_sheets *sheets, struct cor_error *error) COR_MUST_USE;

#endif
