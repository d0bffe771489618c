/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What z3 is asked: can the constraints hold at all, which of them contradict each other, and how far can
 * each parameter really range? Only the planning process calls cor_solve; answers are facts about the
 * experiment file, so nothing random and nothing per suite depends on z3. Simple solver and rlimit, never a
 * timeout: the same question always gives the same answer. */
#ifndef CORRIDOR_SOLVE_H
#define CORRIDOR_SOLVE_H

#include <corridor/answer.h>
#include <corridor/error.h>
#include <corridor/expression.h>

#include <stdbool.h>
#include <stdint.h>

/* Integer variables with their ranges, and constraints over them that are to hold together. */
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

/* What cor_solve, which overwrites it, found; arrays but for `conflict` are [variable], NULL unless
 * SATISFIABLE. */
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

/* z3 in a child process, where it is asked one question after the other about one problem: from anywhere,
 * since neither its memory nor its end is the caller's. It is started by the first question and lives until
 * it is destroyed. The same questions in the same order have the same answers. A build without z3 has it,
 * too; there all is UNDECIDED. */
struct cor_solver;

/* What questions are for; they are counted by it. */
enum cor_question_kind {
    COR_QUESTION_POINT,       /* has a constraint a solution */
    COR_QUESTION_ELIMINATION, /* what is left of a constraint without some variables */
    COR_QUESTION_BOUND,       /* the least number of moves by the state equation */
    COR_QUESTION_OTHER,
    COR_QUESTION_KINDS
};

/* "point", "elimination", "bound", "other". */
const char *cor_question_kind_word(enum cor_question_kind kind);

/* Questions of one kind; undecided are also those that failed. */
struct cor_question_count {
    uint64_t asked, undecided;
    double seconds; /* on the caller's clock; for reports, no part of any result */
};

/* What a solver was asked, [enum cor_question_kind]. */
struct cor_solver_statistics {
    struct cor_question_count of[COR_QUESTION_KINDS];
    bool is_cut; /* z3 was ended for the time that it took: another machine may decide more, or less */
};

/* Adds `more`. */
void cor_solver_statistics_add(struct cor_solver_statistics *to, const struct cor_solver_statistics *more);

/* Of all kinds together. */
struct cor_question_count cor_solver_statistics_sum(const struct cor_solver_statistics *statistics);

/* Is z3 in this build? */
bool cor_solver_is_there(void);

/* The problem is borrowed until the solver is destroyed. COR_STATUS_INPUT: a constraint is not about integers
 * alone. */
enum cor_status cor_solver_create(const struct cor_problem *problem, struct cor_solver **solver,
                                  struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void cor_solver_destroy(struct cor_solver *solver);
COR_DESTROYS(cor_solver, struct cor_solver)

/* What it was asked so far. */
struct cor_solver_statistics cor_solver_statistics(const struct cor_solver *solver);

/* The problem, and for this question alone: */
struct cor_question {
    enum cor_question_kind kind;
    const int64_t *low, *high; /* borrowed; narrower ranges of all variables; NULL: the problem's */
    const struct cor_expression *constraints; /* borrowed; further ones, over the same variables */
    uint32_t constraint_count;
    bool by_models; /* project: from models alone, without qe */
    uint32_t work;  /* z3's own unit, for each answer; 0 = 200,000, which takes up to a second */
};

/* Whether there is a solution: SATISFIABLE with one in `values` (may be NULL), which holds by our own
 * reckoning. COR_STATUS_INTERNAL if z3 does not survive the question. */
enum cor_status cor_solver_ask(struct cor_solver *solver, const struct cor_question *question,
                               enum cor_answer *answer, int64_t *values,
                               struct cor_error *error) COR_MUST_USE;

/* What cor_solver_minimise, which overwrites it, found. */
struct cor_least {
    enum cor_answer answer; /* SATISFIABLE: `value` is attained, by `values` */
    int64_t value;
    int64_t low; /* proven, where it is more than what was given: nothing is less; where value <= low the
                    search is over */
};

/* The least value of the number `objective` among all solutions, or any that is no more than `low`, which is
 * tried first: what is known of it, or what would do. Then by steps upwards and halving. `values` may be
 * NULL. */
enum cor_status cor_solver_minimise(struct cor_solver *solver, const struct cor_question *question,
                                    const struct cor_expression *objective, int64_t low,
                                    struct cor_least *least, int64_t *values,
                                    struct cor_error *error) COR_MUST_USE;

/* What cor_solver_project, which overwrites it, found. The caller frees `constraint` with
 * cor_expression_fini. */
struct cor_projection {
    enum cor_answer answer; /* EMPTY: no solution; UNDECIDED: nothing is said */
    bool exact; /* else `constraint` implies the projection, but leaves some of it out (it was made from
                   solutions, model by model, and these were too many) */
    struct cor_expression constraint; /* owned; SATISFIABLE: without text; over the variables that are left */
};

/* What the question's constraints and ranges say of the other variables when those with eliminated[variable]
 * may have any value for which there is a solution: by z3's tactics simplify, propagate-values, qe, simplify,
 * and where quantifiers are left by projecting models. The problem's own constraints do not take part. */
enum cor_status cor_solver_project(struct cor_solver *solver, const struct cor_question *question,
                                   const bool *eliminated, struct cor_projection *projection,
                                   struct cor_error *error) COR_MUST_USE;

#endif
