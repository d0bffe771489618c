/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What needs no z3. */
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
    free(space->conflict);
    free(space->low);
    free(space->high);
    free(space->proved);
    free(space->example);
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
}

struct cor_question_count cor_solver_statistics_sum(const struct cor_solver_statistics *statistics) {
    struct cor_question_count sum = {0};
    for (int k = 0; k < COR_QUESTION_KINDS; k++)
        add_count(&sum, &statistics->of[k]);
    return sum;
}
