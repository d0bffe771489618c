/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A build without z3 (CORRIDOR_Z3 is OFF): no question is decided, and all who ask say so. */
#include "prover.h"
#include "solver.h"

#include <corridor/array.h>

#include <stdlib.h>

struct cor_solver {
    struct cor_solver_statistics statistics;
};

bool cor_solver_is_there(void) {
    return false;
}

enum cor_status cor_solve(const struct cor_problem *problem, struct cor_solution_space *space,
                          struct cor_error *error) {
    *space = (struct cor_solution_space){.answer = COR_ANSWER_UNDECIDED};
    return solve__refuse_values(problem->constraints, problem->constraint_count, error);
}

enum cor_status cor_solver_create(const struct cor_problem *problem, struct cor_solver **solver,
                                  struct cor_error *error) {
    *solver = NULL;
    COR_TRY(solve__refuse_values(problem->constraints, problem->constraint_count, error));
    *solver = cor_calloc(1, sizeof **solver);
    return cor_made(*solver, error);
}

void cor_solver_destroy(struct cor_solver *solver) {
    free(solver);
}

struct cor_solver_statistics cor_solver_statistics(const struct cor_solver *solver) {
    return solver->statistics;
}

static enum cor_status leave_open(struct cor_solver *solver, const struct cor_question *question,
                                  struct cor_error *error) {
    COR_TRY(solve__refuse_values(question->constraints, question->constraint_count, error));
    solver->statistics.of[question->kind].asked++;
    solver->statistics.of[question->kind].undecided++;
    return COR_OK;
}

enum cor_status cor_solver_ask(struct cor_solver *solver, const struct cor_question *question,
                               enum cor_answer *answer, int64_t *values, struct cor_error *error) {
    (void)values;
    *answer = COR_ANSWER_UNDECIDED;
    return leave_open(solver, question, error);
}

enum cor_status cor_solver_minimise(struct cor_solver *solver, const struct cor_question *question,
                                    const struct cor_expression *objective, int64_t low,
                                    struct cor_least *least, int64_t *values, struct cor_error *error) {
    (void)objective;
    (void)values;
    *least = (struct cor_least){.answer = COR_ANSWER_UNDECIDED, .low = low};
    return leave_open(solver, question, error);
}

enum cor_status cor_solver_project(struct cor_solver *solver, const struct cor_question *question,
                                   const bool *eliminated, struct cor_projection *projection,
                                   struct cor_error *error) {
    (void)eliminated;
    *projection = (struct cor_projection){.answer = COR_ANSWER_UNDECIDED};
    return leave_open(solver, question, error);
}

enum cor_status cor_prove(struct cor_corridor *corridor, const struct cor_proof_bounds *bounds,
                          struct cor_proof *proof, struct cor_error *error) {
    return solve__proof_init(proof, corridor, bounds, error);
}

enum cor_status cor_prove_together(struct cor_corridor *corridor, const struct cor_proof_bounds *bounds,
                                   const bool *left_out, struct cor_proof *proof, struct cor_error *error) {
    (void)left_out;
    return solve__proof_init(proof, corridor, bounds, error);
}

enum cor_status cor_reason_sharpen(const struct cor_corridor *corridor, const struct cor_snapshot *state,
                                   uint32_t constraint, struct cor_reason *reason, struct cor_error *error) {
    (void)corridor;
    (void)state;
    (void)constraint;
    (void)reason;
    (void)error;
    return COR_OK;
}
