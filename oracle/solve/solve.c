/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One context, one question after the other in a fixed order, each with its own limit on z3's work
 * ("rlimit"). The ranges are always asserted. A constraint stands behind a literal that is assumed, so that
 * z3 can say which of them it needed for a refutation. */
#include "formula.h"
#include "solver.h"

#include <corridor/array.h>
#include <corridor/solve.h>

#include <stdlib.h>
#include <string.h>

/* Two ways to go about products, tried in turn. Exact algebra over the reals decides much at once, but now
 * and then one step of it takes minutes that z3 counts as next to no work: it gets a taste only. Without it
 * the count is honest, some hundred thousands a second. */
enum { WITH_ALGEBRA, WITHOUT_ALGEBRA, SOLVERS };

/* Work allowed for one question, in z3's own unit. Deciding satisfiability matters most; a bound that takes
 * longer stays where it is. */
#define WORK_ALGEBRA 10000u
#define WORK_DECIDE 200000u
#define WORK_BOUND 20000u

struct asker {
    const struct cor_problem *problem;
    struct solve__formulas formulas;
    Z3_context context;         /* of the formulas */
    Z3_solver solvers[SOLVERS]; /* asserted alike */
    Z3_solver answered;         /* the one that gave the last answer */
    Z3_ast *variables;          /* owned array */
    Z3_ast *literals;           /* owned array; [constraint] assumed where the constraint is to hold */
    int64_t *values;            /* owned; of the last solution found */
    enum cor_status status;     /* of z3 itself; once it failed nothing more is asked */
    struct cor_error *error;
};

/* Notes a complaint of z3. Whether there was none. */
static bool is_well(struct asker *asker) {
    if (asker->status == COR_OK)
        asker->status = solve__formulas_status(&asker->formulas);
    return asker->status == COR_OK;
}
static void limit_work(struct asker *asker, int solver, unsigned work) {
    Z3_context context = asker->context;
    Z3_params params = Z3_mk_params(context);
    if (!params)
        return;
    Z3_params_inc_ref(context, params);
    Z3_params_set_uint(context, params, Z3_mk_string_symbol(context, "rlimit"), work);
    Z3_params_set_bool(context, params, Z3_mk_string_symbol(context, "arith.nl.nra"), solver == WITH_ALGEBRA);
    Z3_solver_set_params(context, asker->solvers[solver], params);
    Z3_params_dec_ref(context, params);
}

static void assert_in_both(struct asker *asker, Z3_ast formula) {
    for (int s = 0; s < SOLVERS; s++)
        Z3_solver_assert(asker->context, asker->solvers[s], formula);
}

static bool read_solution(struct asker *asker) {
    Z3_model model = Z3_solver_get_model(asker->context, asker->answered);
    if (!model)
        return false;
    Z3_model_inc_ref(asker->context, model);
    bool read = true;
    for (uint32_t v = 0; v < asker->problem->variable_count && read; v++) {
        Z3_ast value;
        read = Z3_model_eval(asker->context, model, asker->variables[v], true, &value) &&
               Z3_get_numeral_int64(asker->context, value, &asker->values[v]);
    }
    Z3_model_dec_ref(asker->context, model);
    return read && cor_problem_holds(asker->problem, asker->values);
}

/* Can these literals hold together, with what is asserted? If so, and they are all of them, `values` is a
 * solution. */
static enum cor_answer ask_problem(struct asker *asker, const Z3_ast *literals, uint32_t count) {
    if (!is_well(asker))
        return COR_ANSWER_UNDECIDED;
    Z3_lbool answer = Z3_L_UNDEF;
    for (int s = 0; s < SOLVERS && answer == Z3_L_UNDEF && is_well(asker); s++) {
        asker->answered = asker->solvers[s];
        answer = Z3_solver_check_assumptions(asker->context, asker->answered, count, literals);
    }
    if (!is_well(asker) || answer == Z3_L_UNDEF)
        return COR_ANSWER_UNDECIDED;
    if (answer == Z3_L_FALSE)
        return COR_ANSWER_EMPTY;
    if (count < asker->problem->constraint_count)
        return COR_ANSWER_SATISFIABLE;
    return read_solution(asker) ? COR_ANSWER_SATISFIABLE : COR_ANSWER_UNDECIDED;
}

static void state_problem(struct asker *asker) {
    const struct cor_problem *problem = asker->problem;
    struct solve__formulas *f = &asker->formulas;
    for (uint32_t v = 0; v < problem->variable_count; v++) {
        asker->variables[v] = solve__formula_variable(f, v);
        assert_in_both(asker,
                       solve__formula_range(f, asker->variables[v], problem->low[v], problem->high[v]));
    }
    for (uint32_t c = 0; c < problem->constraint_count && is_well(asker); c++) {
        Z3_ast formula = solve__formula_of(f, asker->variables, problem->low, problem->high,
                                           &problem->constraints[c], NULL);
        asker->literals[c] = solve__formula_literal(f, "constraint");
        assert_in_both(asker, solve__hold(f, Z3_mk_implies(asker->context, asker->literals[c], formula)));
    }
}

/* The constraints of z3's refutation into `conflict`, ascending; none if the ranges alone contradict. */
static uint32_t read_core(struct asker *asker, uint32_t *conflict) {
    uint32_t count = 0;
    Z3_ast_vector core = Z3_solver_get_unsat_core(asker->context, asker->answered);
    if (!core)
        return 0;
    Z3_ast_vector_inc_ref(asker->context, core);
    for (uint32_t c = 0; c < asker->problem->constraint_count; c++) {
        bool used = false;
        for (unsigned i = 0; i < Z3_ast_vector_size(asker->context, core); i++)
            used = used || Z3_is_eq_ast(asker->context, Z3_ast_vector_get(asker->context, core, i),
                                        asker->literals[c]);
        if (used)
            conflict[count++] = c;
    }
    Z3_ast_vector_dec_ref(asker->context, core);
    return count;
}

static enum cor_status find_conflict(struct asker *asker, struct cor_solution_space *space) {
    space->conflict = cor_calloc(asker->problem->constraint_count, sizeof *space->conflict);
    COR_TRY(cor_made(space->conflict, asker->error));
    space->conflict_count = read_core(asker, space->conflict);
    if (!is_well(asker))
        return asker->status;
    /* Drops members until none can be spared. A member that z3 could not spare is tried again once others are
     * gone: with less to look at it may succeed. */
    uint32_t *conflict = space->conflict;
    Z3_ast *literals = cor_calloc(space->conflict_count, sizeof *literals);
    COR_TRY(cor_made(literals, asker->error));
    bool dropped = true;
    while (dropped) {
        dropped = false;
        for (uint32_t i = 0; i < space->conflict_count;) {
            /* Whether the conflict without its member `left_out` is refuted, too. `literals` is scratch. */
            uint32_t kept = 0;
            for (uint32_t j = 0; j < space->conflict_count; j++)
                if (j != i)
                    literals[kept++] = asker->literals[conflict[j]];
            if (ask_problem(asker, literals, kept) != COR_ANSWER_EMPTY) {
                i++;
                continue;
            }
            memmove(conflict + i, conflict + i + 1, (space->conflict_count - i - 1) * sizeof *conflict);
            --space->conflict_count;
            dropped = true;
        }
    }
    free(literals);
    return asker->status;
}

/* What the solutions found so far attain, [variable]. */
struct attained {
    int64_t *low, *high;
};

/* Is there a solution with low <= variable v <= high? */
static enum cor_answer ask_within(struct asker *asker, uint32_t v, int64_t low, int64_t high,
                                  struct attained *attained) {
    for (int s = 0; s < SOLVERS; s++)
        Z3_solver_push(asker->context, asker->solvers[s]);
    assert_in_both(asker, solve__formula_range(&asker->formulas, asker->variables[v], low, high));
    enum cor_answer answer = ask_problem(asker, asker->literals, asker->problem->constraint_count);
    if (answer == COR_ANSWER_SATISFIABLE)
        for (uint32_t i = 0; i < asker->problem->variable_count; i++) {
            if (asker->values[i] < attained->low[i])
                attained->low[i] = asker->values[i];
            if (asker->values[i] > attained->high[i])
                attained->high[i] = asker->values[i];
        }
    for (int s = 0; s < SOLVERS; s++)
        Z3_solver_pop(asker->context, asker->solvers[s], 1);
    return answer;
}

/* Half of high - low, rounded down, for any low <= high. */
static uint64_t half_way(int64_t low, int64_t high) {
    return ((uint64_t)high - (uint64_t)low) / 2;
}

/* Raises *low to the least value of variable v in any solution; whether that is attained. The bound itself is
 * tried first: more often than not it is the answer. */
static bool raise_low(struct asker *asker, uint32_t v, int64_t *low, struct attained *attained) {
    int64_t try = *low;
    while (*low < attained->low[v]) {
        enum cor_answer answer = ask_within(asker, v, *low, try, attained);
        if (answer == COR_ANSWER_UNDECIDED)
            return false;
        if (answer == COR_ANSWER_EMPTY)
            *low = try + 1;
        try = (int64_t)((uint64_t)*low +
                        half_way(*low,
                                 attained->low[v])); /* < attained, so every answer brings the two closer */
    }
    return true;
}

/* The same from above. */
static bool lower_high(struct asker *asker, uint32_t v, int64_t *high, struct attained *attained) {
    int64_t try = *high;
    while (*high > attained->high[v]) {
        enum cor_answer answer = ask_within(asker, v, try, *high, attained);
        if (answer == COR_ANSWER_UNDECIDED)
            return false;
        if (answer == COR_ANSWER_EMPTY)
            *high = try - 1;
        try = (int64_t)((uint64_t)*high - half_way(attained->high[v], *high)); /* > attained */
    }
    return true;
}

static enum cor_status describe_solutions(struct asker *asker, struct cor_solution_space *space) {
    uint32_t n = asker->problem->variable_count;
    space->low = cor_calloc(n, sizeof *space->low);
    space->high = cor_calloc(n, sizeof *space->high);
    space->proved = cor_calloc(n, sizeof *space->proved);
    space->example = cor_calloc(n, sizeof *space->example);
    if (!space->low || !space->high || !space->proved || !space->example)
        return cor_fail_memory(asker->error);
    memcpy(space->low, asker->problem->low, n * sizeof *space->low);
    memcpy(space->high, asker->problem->high, n * sizeof *space->high);
    memcpy(space->example, asker->values, n * sizeof *space->example);
    limit_work(asker, WITHOUT_ALGEBRA, WORK_BOUND);
    struct attained attained = {cor_calloc(n, sizeof(int64_t)), cor_calloc(n, sizeof(int64_t))};
    enum cor_status status = COR_OK;
    if (!attained.low || !attained.high)
        COR_TRY_OUT(cor_fail_memory(asker->error));
    memcpy(attained.low, asker->values, n * sizeof(int64_t));
    memcpy(attained.high, asker->values, n * sizeof(int64_t));
    for (uint32_t v = 0; v < n && asker->status == COR_OK; v++) {
        bool low = raise_low(asker, v, &space->low[v], &attained);
        bool high = lower_high(asker, v, &space->high[v], &attained);
        space->proved[v] = low && high;
    }
    status = asker->status;
out:
    COR_FREE(attained.low, attained.high);
    return status;
}

enum cor_status cor_solve(const struct cor_problem *problem, struct cor_solution_space *space,
                          struct cor_error *error) {
    struct asker asker;
    for (uint32_t c = 0; c < problem->constraint_count; c++)
        COR_ASSERT(problem->constraints[c].is_constraint &&
                   cor_expression_last_variable(&problem->constraints[c]) < (int)problem->variable_count);
    *space = (struct cor_solution_space){.answer = COR_ANSWER_UNDECIDED};
    COR_TRY(solve__refuse_values(problem->constraints, problem->constraint_count, error));
    enum cor_status status;
    asker = (struct asker){.problem = problem, .error = error};
    asker.variables = cor_calloc(problem->variable_count, sizeof *asker.variables);
    asker.literals = cor_calloc(problem->constraint_count, sizeof *asker.literals);
    asker.values = cor_calloc(problem->variable_count, sizeof *asker.values);
    if (!asker.variables || !asker.literals || !asker.values)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(solve__formulas_init(&asker.formulas, error));
    asker.context = asker.formulas.context;
    for (int s = 0; s < SOLVERS && is_well(&asker); s++) {
        asker.solvers[s] = Z3_mk_simple_solver(asker.context);
        if (asker.solvers[s])
            Z3_solver_inc_ref(asker.context, asker.solvers[s]);
    }
    COR_TRY_OUT(asker.status);
    limit_work(&asker, WITH_ALGEBRA, WORK_ALGEBRA);
    limit_work(&asker, WITHOUT_ALGEBRA, WORK_DECIDE);
    state_problem(&asker);
    space->answer = ask_problem(&asker, asker.literals, problem->constraint_count);
    COR_TRY_OUT(asker.status);
    if (space->answer == COR_ANSWER_EMPTY)
        status = find_conflict(&asker, space);
    else if (space->answer == COR_ANSWER_SATISFIABLE)
        status = describe_solutions(&asker, space);
out:
    if (status != COR_OK)
        cor_solution_space_fini(space);
    for (int s = 0; s < SOLVERS; s++)
        if (asker.solvers[s])
            Z3_solver_dec_ref(asker.context, asker.solvers[s]);
    solve__formulas_fini(&asker.formulas);
    COR_FREE(asker.variables, asker.literals, asker.values);
    return status;
}
