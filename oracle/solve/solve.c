/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One context, one question after the other in a fixed order, each with its own limit on z3's work
 * ("rlimit"). The ranges are always asserted. A constraint stands behind a literal that is assumed, so that
 * z3 can say which of them it needed for a refutation. */
#include <corridor/solve.h>

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/expression.h>

#include <stdlib.h>
#include <string.h>
#include <z3.h>

/* Constraints in the language of z3: node by node, children first. Two things differ between the languages.
 * z3's div leaves a remainder that is never negative, ours rounds down; and z3 gives a division by zero any
 * value, ours none at all. Division by a constant is left to z3, where it is linear. Any other a / b becomes
 * a new integer q, fixed by multiplication: for b > 0, q * b <= a < q * b + b. Such definitions, and that
 * divisors are not 0, are `terms` beside the constraint itself. */
#define TERMS_MAX (4 * COR_EXPRESSION_NODES_MAX + 1)

struct translator {
    Z3_context context;
    const struct cor_expression *constraint;
    Z3_ast nodes[COR_EXPRESSION_NODES_MAX];
    struct cor_value_range intervals[COR_EXPRESSION_NODES_MAX];
    Z3_ast terms[TERMS_MAX]; /* what must hold as well */
    unsigned term_count;
};

static Z3_ast number(Z3_context context, int64_t value) {
    return Z3_mk_int64(context, value, Z3_mk_int_sort(context));
}

static Z3_ast add(Z3_context context, Z3_ast a, Z3_ast b) {
    return Z3_mk_add(context, 2, (Z3_ast[]){a, b});
}

static Z3_ast subtract(Z3_context context, Z3_ast a, Z3_ast b) {
    return Z3_mk_sub(context, 2, (Z3_ast[]){a, b});
}

static Z3_ast multiply(Z3_context context, Z3_ast a, Z3_ast b) {
    return Z3_mk_mul(context, 2, (Z3_ast[]){a, b});
}

static Z3_ast both(Z3_context context, Z3_ast a, Z3_ast b) {
    return Z3_mk_and(context, 2, (Z3_ast[]){a, b});
}

/* value between low and high; INT64_MIN and INT64_MAX stand for no bound. */
static Z3_ast translate_range(Z3_context context, Z3_ast value, int64_t low, int64_t high) {
    Z3_ast above = low == INT64_MIN ? Z3_mk_true(context) : Z3_mk_ge(context, value, number(context, low));
    Z3_ast below = high == INT64_MAX ? Z3_mk_true(context) : Z3_mk_le(context, value, number(context, high));
    return both(context, above, below);
}

static void require(struct translator *t, Z3_ast term) {
    COR_ASSERT(t->term_count < TERMS_MAX);
    t->terms[t->term_count++] = term;
}

/* a - q * b for the q that rounds down: 0 <= rest < b, or b < rest <= 0. */
static Z3_ast is_rest(struct translator *t, Z3_ast rest, Z3_ast b, bool positive) {
    Z3_context c = t->context;
    Z3_ast zero = number(c, 0);
    return positive ? both(c, Z3_mk_le(c, zero, rest), Z3_mk_lt(c, rest, b))
                    : both(c, Z3_mk_lt(c, b, rest), Z3_mk_le(c, rest, zero));
}

/* A new integer that is a / b, rounded down; `known` bounds it. */
static Z3_ast new_quotient(struct translator *t, Z3_ast a, Z3_ast b, struct cor_value_range divisor,
                           struct cor_value_range known) {
    Z3_context c = t->context;
    Z3_ast q = Z3_mk_fresh_const(c, "quotient", Z3_mk_int_sort(c)), zero = number(c, 0);
    Z3_ast rest = subtract(c, a, multiply(c, q, b));
    if (divisor.low > 0 || divisor.high < 0) {
        require(t, is_rest(t, rest, b, divisor.low > 0));
    } else {
        require(t, Z3_mk_not(c, Z3_mk_eq(c, b, zero)));
        require(t, Z3_mk_implies(c, Z3_mk_gt(c, b, zero), is_rest(t, rest, b, true)));
        require(t, Z3_mk_implies(c, Z3_mk_lt(c, b, zero), is_rest(t, rest, b, false)));
    }
    require(t, translate_range(c, q, known.low, known.high));
    return q;
}

/* a / b rounded down. */
static Z3_ast floor_divide(struct translator *t, Z3_ast a, Z3_ast b, struct cor_value_range divisor,
                           struct cor_value_range known) {
    Z3_context c = t->context;
    if (divisor.low != divisor.high)
        return new_quotient(t, a, b, divisor, known);
    if (divisor.low > 0)
        return Z3_mk_div(c, a, number(c, divisor.low));
    if (divisor.low < 0) /* a / b = -a / -b */
        return Z3_mk_div(c, Z3_mk_unary_minus(c, a), Z3_mk_unary_minus(c, number(c, divisor.low)));
    require(t, Z3_mk_false(c));
    return number(c, 0);
}

/* What is known of the quotient of a remainder: nothing that helps. */
static const struct cor_value_range anything = {INT64_MIN, INT64_MAX};

static Z3_ast remainder_of(struct translator *t, Z3_ast a, Z3_ast b, struct cor_value_range divisor) {
    Z3_context c = t->context;
    if (divisor.low == divisor.high && divisor.low > 0)
        return Z3_mk_mod(c, a, number(c, divisor.low));
    return subtract(c, a, multiply(c, floor_divide(t, a, b, divisor, anything), b));
}

/* a / b rounded up: -(-a / b). */
static Z3_ast ceil_divide(struct translator *t, Z3_ast a, Z3_ast b, struct cor_value_range divisor,
                          struct cor_value_range known) {
    Z3_context c = t->context;
    struct cor_value_range mirrored = anything;
    if (known.low <= known.high && known.low != INT64_MIN && known.high != INT64_MAX)
        mirrored = (struct cor_value_range){-known.high, -known.low};
    return Z3_mk_unary_minus(c, floor_divide(t, Z3_mk_unary_minus(c, a), b, divisor, mirrored));
}

static Z3_ast translate_node(struct translator *t, uint32_t index, const Z3_ast *variables) {
    const struct cor_node *node = &t->constraint->nodes[index];
    Z3_context c = t->context;
    Z3_ast a = t->nodes[node->left], b = t->nodes[node->right];
    struct cor_value_range right = t->intervals[node->right], known = t->intervals[index];
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
        return number(c, node->constant);
    case COR_OPERATOR_VARIABLE:
        return variables[node->variable];
    case COR_OPERATOR_NEGATE:
        return Z3_mk_unary_minus(c, a);
    case COR_OPERATOR_ADD:
        return add(c, a, b);
    case COR_OPERATOR_SUBTRACT:
        return subtract(c, a, b);
    case COR_OPERATOR_MULTIPLY:
        return multiply(c, a, b);
    case COR_OPERATOR_DIVIDE:
        return floor_divide(t, a, b, right, known);
    case COR_OPERATOR_REMAINDER:
        return remainder_of(t, a, b, right);
    case COR_OPERATOR_CEIL_DIVIDE:
        return ceil_divide(t, a, b, right, known);
    case COR_OPERATOR_MIN:
        return Z3_mk_ite(c, Z3_mk_le(c, a, b), a, b);
    case COR_OPERATOR_MAX:
        return Z3_mk_ite(c, Z3_mk_ge(c, a, b), a, b);
    case COR_OPERATOR_ABS:
        return Z3_mk_ite(c, Z3_mk_ge(c, a, number(c, 0)), a, Z3_mk_unary_minus(c, a));
    case COR_OPERATOR_LESS:
        return Z3_mk_lt(c, a, b);
    case COR_OPERATOR_LESS_EQUAL:
        return Z3_mk_le(c, a, b);
    case COR_OPERATOR_EQUAL:
        return Z3_mk_eq(c, a, b);
    case COR_OPERATOR_NOT_EQUAL:
        return Z3_mk_not(c, Z3_mk_eq(c, a, b));
    case COR_OPERATOR_AND:
        return both(c, a, b);
    case COR_OPERATOR_OR:
        return Z3_mk_or(c, 2, (Z3_ast[]){a, b});
    case COR_OPERATOR_NOT:
        return Z3_mk_not(c, a);
    case COR_OPERATOR_TO_REAL:
        break;
    }
    cor__assertion_failed("operator is one of cor_operator", __FILE__, __LINE__);
}

/* `constraint` over z3's unbounded integers: true where cor_expression_holds says so, 64-bit overflow aside.
 * low and high bound the variables; what is known of divisors from there makes the formula simpler. The
 * formula belongs to the context. */
static Z3_ast translate(Z3_context context, const Z3_ast *variables, const int64_t *low, const int64_t *high,
                        const struct cor_expression *constraint) {
    struct translator t;
    t.context = context;
    t.constraint = constraint;
    t.term_count = 0;
    t.nodes[0] = NULL; /* leaves have no children, but their indices are 0 */
    cor_expression_intervals(constraint, low, high, t.intervals);
    for (uint32_t i = 0; i < constraint->node_count; i++)
        t.nodes[i] = translate_node(&t, i, variables);
    require(&t, t.nodes[constraint->node_count - 1]);
    return Z3_mk_and(context, t.term_count, t.terms);
}

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
    Z3_context context;
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
    Z3_error_code code = Z3_get_error_code(asker->context);
    if (asker->status != COR_OK || code == Z3_OK)
        return asker->status == COR_OK;
    asker->status = code == Z3_MEMOUT_FAIL ? cor_fail_memory(asker->error)
                                           : cor_fail(asker->error, COR_STATUS_INTERNAL, NULL, NULL, "z3: %s",
                                                      Z3_get_error_msg(asker->context, code));
    return false;
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

bool cor_problem_holds(const struct cor_problem *problem, const int64_t *values) {
    for (uint32_t v = 0; v < problem->variable_count; v++)
        if (values[v] < problem->low[v] || values[v] > problem->high[v])
            return false;
    for (uint32_t c = 0; c < problem->constraint_count; c++)
        if (!cor_expression_holds(&problem->constraints[c], values))
            return false;
    return true;
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
static enum cor_answer ask(struct asker *asker, const Z3_ast *literals, uint32_t count) {
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

static enum cor_status open_asker(const struct cor_problem *problem, struct asker *asker,
                                  struct cor_error *error) {
    *asker = (struct asker){.problem = problem, .error = error};
    asker->variables = cor_calloc(problem->variable_count, sizeof *asker->variables);
    asker->literals = cor_calloc(problem->constraint_count, sizeof *asker->literals);
    asker->values = cor_calloc(problem->variable_count, sizeof *asker->values);
    if (!asker->variables || !asker->literals || !asker->values)
        return cor_fail_memory(error);
    Z3_config config = Z3_mk_config();
    asker->context = Z3_mk_context(config);
    Z3_del_config(config);
    COR_TRY(cor_made(asker->context, error));
    Z3_set_error_handler(asker->context, NULL);
    for (int s = 0; s < SOLVERS && is_well(asker); s++) {
        asker->solvers[s] = Z3_mk_simple_solver(asker->context);
        if (asker->solvers[s])
            Z3_solver_inc_ref(asker->context, asker->solvers[s]);
    }
    return asker->status;
}

static void close_asker(struct asker *asker) {
    for (int s = 0; s < SOLVERS; s++)
        if (asker->solvers[s])
            Z3_solver_dec_ref(asker->context, asker->solvers[s]);
    if (asker->context)
        Z3_del_context(asker->context);
    free(asker->variables);
    free(asker->literals);
    free(asker->values);
}

static void state_problem(struct asker *asker) {
    const struct cor_problem *problem = asker->problem;
    Z3_context context = asker->context;
    Z3_sort integer = Z3_mk_int_sort(context), boolean = Z3_mk_bool_sort(context);
    for (uint32_t v = 0; v < problem->variable_count; v++) {
        /* By number: two variables are two, whatever they are called. */
        asker->variables[v] = Z3_mk_const(context, Z3_mk_int_symbol(context, (int)v), integer);
        assert_in_both(asker,
                       translate_range(context, asker->variables[v], problem->low[v], problem->high[v]));
    }
    for (uint32_t c = 0; c < problem->constraint_count && is_well(asker); c++) {
        Z3_ast formula =
            translate(context, asker->variables, problem->low, problem->high, &problem->constraints[c]);
        asker->literals[c] = Z3_mk_fresh_const(context, "constraint", boolean);
        assert_in_both(asker, Z3_mk_implies(context, asker->literals[c], formula));
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

/* Whether the conflict without its member `left_out` is refuted, too. `literals` is scratch. */
static bool is_spare(struct asker *asker, const uint32_t *conflict, uint32_t count, uint32_t left_out,
                     Z3_ast *literals) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (i != left_out)
            literals[kept++] = asker->literals[conflict[i]];
    return ask(asker, literals, kept) == COR_ANSWER_EMPTY;
}

/* Drops members until none can be spared. A member that z3 could not spare is tried again once others are
 * gone: with less to look at it may succeed. */
static enum cor_status minimise(struct asker *asker, uint32_t *conflict, uint32_t *count) {
    Z3_ast *literals = cor_calloc(*count, sizeof *literals);
    COR_TRY(cor_made(literals, asker->error));
    bool dropped = true;
    while (dropped) {
        dropped = false;
        for (uint32_t i = 0; i < *count;) {
            if (!is_spare(asker, conflict, *count, i, literals)) {
                i++;
                continue;
            }
            memmove(conflict + i, conflict + i + 1, (*count - i - 1) * sizeof *conflict);
            --*count;
            dropped = true;
        }
    }
    free(literals);
    return asker->status;
}

static enum cor_status find_conflict(struct asker *asker, struct cor_solution_space *space) {
    space->conflict = cor_calloc(asker->problem->constraint_count, sizeof *space->conflict);
    COR_TRY(cor_made(space->conflict, asker->error));
    space->conflict_count = read_core(asker, space->conflict);
    return is_well(asker) ? minimise(asker, space->conflict, &space->conflict_count) : asker->status;
}

/* What the solutions found so far attain, [variable]. */
struct attained {
    int64_t *low, *high;
};

static void note_solution(const struct asker *asker, struct attained *attained) {
    for (uint32_t v = 0; v < asker->problem->variable_count; v++) {
        if (asker->values[v] < attained->low[v])
            attained->low[v] = asker->values[v];
        if (asker->values[v] > attained->high[v])
            attained->high[v] = asker->values[v];
    }
}

/* Is there a solution with low <= variable v <= high? */
static enum cor_answer ask_within(struct asker *asker, uint32_t v, int64_t low, int64_t high,
                                  struct attained *attained) {
    for (int s = 0; s < SOLVERS; s++)
        Z3_solver_push(asker->context, asker->solvers[s]);
    assert_in_both(asker, translate_range(asker->context, asker->variables[v], low, high));
    enum cor_answer answer = ask(asker, asker->literals, asker->problem->constraint_count);
    if (answer == COR_ANSWER_SATISFIABLE)
        note_solution(asker, attained);
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

static enum cor_status tighten(struct asker *asker, struct cor_solution_space *space) {
    uint32_t n = asker->problem->variable_count;
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
    free(attained.low);
    free(attained.high);
    return status;
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
    return tighten(asker, space);
}

/* Reals, words and truth values have no place among the integers of a problem. */
static enum cor_status refuse_values(const struct cor_problem *problem, struct cor_error *error) {
    for (uint32_t c = 0; c < problem->constraint_count; c++)
        if (!problem->constraints[c].integer_only)
            return cor_fail(error, COR_STATUS_INPUT, NULL,
                            "scale what is real and number what is a word: 2 * x <= y, colour = 3",
                            "z3 is asked about integers alone, and this is about more: \"%s\"",
                            problem->constraints[c].text);
    return COR_OK;
}

enum cor_status cor_solve(const struct cor_problem *problem, struct cor_solution_space *space,
                          struct cor_error *error) {
    struct asker asker;
    for (uint32_t c = 0; c < problem->constraint_count; c++)
        COR_ASSERT(problem->constraints[c].is_constraint &&
                   cor_expression_last_variable(&problem->constraints[c]) < (int)problem->variable_count);
    *space = (struct cor_solution_space){.answer = COR_ANSWER_UNDECIDED};
    COR_TRY(refuse_values(problem, error));
    enum cor_status status;
    COR_TRY_OUT(open_asker(problem, &asker, error));
    limit_work(&asker, WITH_ALGEBRA, WORK_ALGEBRA);
    limit_work(&asker, WITHOUT_ALGEBRA, WORK_DECIDE);
    state_problem(&asker);
    space->answer = ask(&asker, asker.literals, problem->constraint_count);
    COR_TRY_OUT(asker.status);
    if (space->answer == COR_ANSWER_EMPTY)
        status = find_conflict(&asker, space);
    else if (space->answer == COR_ANSWER_SATISFIABLE)
        status = describe_solutions(&asker, space);
out:
    if (status != COR_OK)
        cor_solution_space_fini(space);
    close_asker(&asker);
    return status;
}

void cor_solution_space_fini(struct cor_solution_space *space) {
    free(space->conflict);
    free(space->low);
    free(space->high);
    free(space->proved);
    free(space->example);
    *space = (struct cor_solution_space){.answer = COR_ANSWER_UNDECIDED};
}

/* What comes back from the child: the answer, and the values of a solution. */
struct apart {
    enum cor_answer answer;
    int64_t values[];
};

static enum cor_status solve_in_child(void *argument, void *answer, size_t size, struct cor_error *error) {
    const struct cor_problem *problem = argument;
    struct apart *apart = answer;
    struct asker asker;
    enum cor_status status;
    (void)size;
    COR_TRY_OUT(open_asker(problem, &asker, error));
    limit_work(&asker, WITH_ALGEBRA, WORK_ALGEBRA);
    limit_work(&asker, WITHOUT_ALGEBRA, WORK_DECIDE);
    state_problem(&asker);
    apart->answer = ask(&asker, asker.literals, problem->constraint_count);
    memcpy(apart->values, asker.values, problem->variable_count * sizeof *apart->values);
    status = asker.status;
out:
    close_asker(&asker);
    return status;
}

enum cor_status cor_solve_apart(const struct cor_problem *problem, enum cor_answer *answer, int64_t *values,
                                struct cor_error *error) {
    const size_t size = sizeof(struct apart) + problem->variable_count * sizeof(int64_t);
    struct apart *apart = cor_calloc(1, size);
    struct cor_problem asked = *problem;
    enum cor_status status = COR_OK;
    *answer = COR_ANSWER_UNDECIDED;
    COR_TRY_OUT(cor_made(apart, error));
    COR_TRY_OUT(refuse_values(problem, error));
    COR_TRY_OUT(cor_in_child(solve_in_child, &asked, apart, size, error));
    *answer = apart->answer;
    if (values && *answer == COR_ANSWER_SATISFIABLE)
        memcpy(values, apart->values, problem->variable_count * sizeof *values);
out:
    free(apart);
    return status;
}
