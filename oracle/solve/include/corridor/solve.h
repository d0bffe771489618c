/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What z3 is asked: can the constraints hold at all, which of them contradict each other, and how far can
 * each parameter really range? Only the planning process calls this; answers are facts about the experiment
 * file, so nothing random and nothing per suite depends on z3. Simple solver and rlimit, never a timeout: the
 * same question always gives the same answer. */
#ifndef CORRIDOR_SOLVE_H
#define CORRIDOR_SOLVE_H

#include <corridor/error.h>
#include <corridor/expression.h>

#include <stdbool.h>
#include <stdint.h>

struct cor_problem {
    const char *const *names; /* borrowed; variable_count names, NULL-terminated */
    uint32_t variable_count;
    const int64_t *low,
        *high; /* borrowed; constant range of each variable, inclusive; INT64_MIN, INT64_MAX: unbounded */
    const struct cor_expression *constraints; /* borrowed; over the same variables */
    uint32_t constraint_count;
};

/* Do these values solve it: within the ranges, and by our own reckoning, which knows of overflow? */
bool cor_problem_holds(const struct cor_problem *problem, const int64_t *values);

enum cor_answer {
    COR_ANSWER_SATISFIABLE = 1,
    COR_ANSWER_EMPTY = 2,
    COR_ANSWER_UNDECIDED = 3 /* rlimit reached, beyond z3's arithmetic, or its solution overflows 64 bits:
                                nothing is claimed */
};

struct cor_solution_space {
    enum cor_answer answer;
    uint32_t *conflict; /* owned; EMPTY: indices of constraints that cannot hold together given the ranges,
                           minimal: without any one of them the rest is not proved empty. None: the ranges
                           alone contradict */
    uint32_t conflict_count;
    int64_t *low, *high; /* owned; SATISFIABLE: tightened ranges: nothing lies outside them */
    bool *proved; /* owned; per variable: both bounds are attained by some solution. If not, some bound took
              too much work and stays where proof ended */
    int64_t *example; /* owned; SATISFIABLE: one solution, re-checked with cor_expression_holds */
};

/* Asks z3. The status is about the testbed (memory, z3 failing internally); what z3 says is in `space`.
 * COR_STATUS_INPUT: a constraint is not about integers alone. */
enum cor_status cor_solve(const struct cor_problem *problem, struct cor_solution_space *space,
                          struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_solution_space_fini(struct cor_solution_space *space);

/* Whether there is a solution, and nothing more: COR_ANSWER_SATISFIABLE with one in `values` (may be NULL),
 * which was checked with cor_problem_holds. z3 runs in a child process, so that it may be asked from
 * anywhere; COR_STATUS_INTERNAL if it does not survive the question. */
enum cor_status cor_solve_apart(const struct cor_problem *problem, enum cor_answer *answer, int64_t *values,
                                struct cor_error *error) COR_MUST_USE;

#endif
