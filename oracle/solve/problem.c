/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What needs no z3. */
#include "prover.h"
#include "solver.h"

#include <corridor/array.h>

#include <stdlib.h>

COR_WORDS(cor_question_kind_word, enum cor_question_kind, "point", "elimination", "bound", "other")
COR_WORDS(cor_answer_word, enum cor_answer, "?", "satisfiable", "empty", "undecided")

bool cor_problem_holds(const struct cor_problem *problem, const int64_t *values) {
    for (uint32_t v = 0; v < problem->variable_count; v++)
        if (values[v] < problem->low[v] || values[v] > problem->high[v])
            return false;
    for (uint32_t c = 0; c < problem->constraint_count; c++)
        if (!cor_expression_holds(&problem->constraints[c], values))
            return false;
    return true;
}

enum cor_status solve__refuse_values(const struct cor_expression *constraints, uint32_t count,
                                     struct cor_error *error) {
    for (uint32_t c = 0; c < count; c++)
        if (!constraints[c].integer_only)
            return cor_fail(error, COR_STATUS_INPUT, NULL,
                            "scale what is real and number what is a word: 2 * x <= y, colour = 3",
                            "z3 is asked about integers alone, and this is about more: \"%s\"",
                            constraints[c].text);
    return COR_OK;
}

void cor_solution_space_fini(struct cor_solution_space *space) {
    COR_FREE(space->conflict, space->low, space->high, space->proved, space->example);
    *space = (struct cor_solution_space){.answer = COR_ANSWER_UNDECIDED};
}

static void add_count(struct cor_question_count *to, const struct cor_question_count *more) {
    to->asked += more->asked;
    to->undecided += more->undecided;
    to->seconds += more->seconds;
}

void cor_solver_statistics_add(struct cor_solver_statistics *to, const struct cor_solver_statistics *more) {
    for (int k = 0; k < COR_QUESTION_KINDS; k++)
        add_count(&to->of[k], &more->of[k]);
    to->is_cut = to->is_cut || more->is_cut;
}

struct cor_question_count cor_solver_statistics_sum(const struct cor_solver_statistics *statistics) {
    struct cor_question_count sum = {0};
    for (int k = 0; k < COR_QUESTION_KINDS; k++)
        add_count(&sum, &statistics->of[k]);
    return sum;
}

/* ---- what needs no z3 of a proof */

COR_WORDS(cor_certainty_word, enum cor_certainty, "no", "yes", "undecided")

uint32_t solve__words_beyond(const struct cor_corridor *corridor, uint32_t agents) {
    uint32_t count = 0;
    for (uint32_t a = 0; a < corridor->attribute_count; a++)
        count += corridor->attributes[a].domain.type == COR_VALUE_TYPE_STRING ? agents : 0;
    for (uint32_t p = 0; p < corridor->parameter_count; p++)
        count += corridor->parameters[p].domain.type == COR_VALUE_TYPE_STRING;
    return count;
}

enum cor_status solve__proof_init(struct cor_proof *proof, const struct cor_corridor *corridor,
                                  const struct cor_proof_bounds *bounds, struct cor_error *error) {
    COR_ASSERT(1 <= bounds->agents_low && bounds->agents_low <= bounds->agents_high &&
               bounds->agents_high <= COR_PROOF_AGENTS_MAX && 1 <= bounds->organizations_low &&
               bounds->organizations_low <= bounds->organizations_high &&
               bounds->organizations_high <= COR_PROOF_ORGANIZATIONS_MAX);
    *proof = (struct cor_proof){.answer = COR_ANSWER_UNDECIDED};
    proof->constraint_count = corridor->constraint_count;
    proof->constraints = cor_calloc(corridor->constraint_count, sizeof *proof->constraints);
    COR_TRY(cor_made(proof->constraints, error));
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        proof->constraints[c] =
            (struct cor_proof_constraint){COR_UNCERTAIN, COR_UNCERTAIN, COR_UNCERTAIN, NULL, 0};
    return COR_OK;
}

void cor_proof_state_fini(struct cor_proof_state *state) {
    cor_lists_fini(&state->organizations);
    COR_FREE(state->parents, state->columns, state->reals, state->integers, state->parameters);
    *state = (struct cor_proof_state){.parents = NULL};
}

void cor_proof_fini(struct cor_proof *proof) {
    for (uint32_t c = 0; c < proof->constraint_count && proof->constraints; c++)
        free(proof->constraints[c].implied_by);
    COR_FREE(proof->conflict, proof->constraints, proof->equivalent, proof->premises);
    cor_proof_state_fini(&proof->example);
    *proof = (struct cor_proof){.answer = COR_ANSWER_UNDECIDED};
}
