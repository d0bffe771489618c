/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bound by one state equation, with what was found for states of late. */
#include "cube.h"

#include <corridor/array.h>
#include <corridor/efsm_bound.h>
#include <corridor/hash.h>
#include <corridor/solve.h>

#include <stdlib.h>
#include <string.h>

/* ---- A problem for z3, put together: integer variables, and constraints node by node */

#define EFSM__NOTHING UINT32_MAX /* no node; joined with another it gives that one */

struct efsm__statement {
    int64_t *low, *high; /* owned; of the variables */
    uint32_t variable_count;
    size_t low_capacity, high_capacity;
    struct cor_expression *constraints; /* owned */
    uint32_t constraint_count;
    size_t constraint_capacity;
    struct cor_node nodes[COR_EXPRESSION_NODES_MAX]; /* of the constraint under way */
    uint32_t node_count;
    bool too_large; /* some constraint had more nodes than an expression may have */
    enum cor_status status;
    struct cor_error *error;
};

/* ---- The state equation of a model and a goal as a problem for z3. What changes from state to state -
 * location, values, traps that are open - are variables of it, fixed by the ranges of a question */

/* How an operation changes a variable of the state. */
enum efsm__change {
    EFSM__KEEPS,
    EFSM__ADDS,   /* a constant and multiples of parameters, each known by its sum over all uses */
    EFSM__DRIFTS, /* by something in a range */
    EFSM__ASSIGNS /* something in a range, whatever was before */
};

/* A transition, or those cases of it that assign the same linear forms. */
struct efsm__operation {
    uint32_t transition;
    const struct efsm__linear *next;        /* borrowed; [update] */
    struct efsm__cube where;                /* owned; ranges around all its cases */
    uint32_t count;                         /* variable: how often it is used */
    uint32_t sums[COR_EFSM_VARIABLES_MAX];  /* [variable of the model] parameter: variable for the sum of its
                                               values over all uses; COR_NONE: it changes nothing */
    uint32_t drift[COR_EFSM_VARIABLES_MAX]; /* [variable of the model] DRIFTS: variable for the sum of it */
    uint8_t change[COR_EFSM_VARIABLES_MAX]; /* [variable of the model] enum efsm__change */
    struct cor_value_range range[COR_EFSM_VARIABLES_MAX]; /* DRIFTS, ASSIGNS */
};

/* Of a variable that is assigned somewhere: uses of an operation behind the last assignment. */
struct efsm__tail {
    uint32_t variable, operation;
    uint32_t count, drift; /* variables; drift COR_NONE unless it DRIFTS */
    uint32_t sums[COR_EFSM_VARIABLES_MAX];
};

/* A last move: of a trap, by a transition, in a case of guard and constraint. */
struct efsm__last {
    uint32_t trap, transition;
    struct efsm__cube where; /* owned */
    uint32_t chosen;         /* variable, 0 or 1 */
};

struct efsm__state_equation {
    const struct cor_efsm *model;
    const struct cor_efsm_goal *goal;
    struct efsm__space space;
    struct efsm__moves *moves;          /* owned; [transition] */
    struct efsm__operation *operations; /* owned */
    uint32_t operation_count;
    size_t operation_capacity;
    struct efsm__tail *tails; /* owned */
    uint32_t tail_count;
    size_t tail_capacity;
    struct efsm__last *lasts; /* owned */
    uint32_t last_count;
    size_t last_capacity;
    bool is_touched[COR_EFSM_VARIABLES_MAX]; /* some operation changes it */
    bool is_assigned[COR_EFSM_VARIABLES_MAX];
    uint32_t here;                          /* variables [location]: 1 for the present one */
    uint32_t level;                         /* variables [location]: moves from it, along what is used */
    uint32_t open;                          /* variables [trap] */
    uint32_t now[COR_EFSM_VARIABLES_MAX];   /* variables: present values of touched ones */
    uint32_t base[COR_EFSM_VARIABLES_MAX];  /* what the last assignment gave, or the present value */
    uint32_t final[COR_EFSM_VARIABLES_MAX]; /* before the last move; of parameters: in it */
    struct efsm__statement statement;
    struct cor_expression length; /* all moves but the last */
    struct cor_problem problem;   /* the statement's */
    bool usable;
};

static inline const struct cor_efsm_transition *
efsm__transition_of(const struct efsm__state_equation *equation, const struct efsm__operation *operation) {
    return &equation->model->transitions[operation->transition];
}

#define EFSM__FOR_STATE_VARIABLES(eq, v)                       \
    for (uint32_t v = 0; v < (eq)->model->variable_count; v++) \
        if ((eq)->model->variables[v].kind == COR_EFSM_STATE)

static void state_cuts(struct efsm__state_equation *equation, uint32_t v);
static void state_thresholds(struct efsm__state_equation *equation, uint32_t needs,
                             const struct efsm__cube *where);
static bool same_forms(const struct cor_efsm_transition *t, const struct efsm__linear *a,
                       const struct efsm__linear *b);

#define EFSM__SOLUTIONS 4096 /* that are kept, by hash */

/* What was found for a state: a value for each variable of the problem. */
struct efsm__solution {
    int64_t *values; /* owned; NULL: none */
    int64_t *key;    /* the state, behind the values */
};

struct efsm__bound_part {
    struct efsm__state_equation equation;
    struct cor_solver *solver; /* owned; NULL: the equation is not usable */
    int64_t *low, *high;       /* owned; ranges of a question */
    int64_t *values;           /* owned; of a solution under way */
    int64_t *key;              /* owned */
    size_t key_count, trap_words;
    uint32_t *queue; /* owned; [location] */
    struct efsm__solution solutions[EFSM__SOLUTIONS];
};

static void bound_part_destroy(struct efsm__bound_part *part);

/* Idempotent. */
static void statement_fini(struct efsm__statement *statement) {
    for (uint32_t c = 0; c < statement->constraint_count; c++)
        cor_expression_fini(&statement->constraints[c]);
    COR_FREE(statement->constraints, statement->low, statement->high);
    statement->constraints = NULL;
    statement->low = statement->high = NULL;
    statement->constraint_count = statement->variable_count = 0;
}

static void note_status(struct efsm__statement *statement, enum cor_status status) {
    if (statement->status == COR_OK)
        statement->status = status;
}

/* A new variable of this range; its number. */
static uint32_t declare(struct efsm__statement *s, int64_t low, int64_t high) {
    note_status(s, COR_RESERVE(&s->low, &s->low_capacity, s->variable_count + 1, s->error));
    note_status(s, COR_RESERVE(&s->high, &s->high_capacity, s->variable_count + 1, s->error));
    if (s->status != COR_OK)
        return 0;
    s->low[s->variable_count] = low;
    s->high[s->variable_count] = high;
    return s->variable_count++;
}

static uint32_t put_node(struct efsm__statement *statement, struct cor_node node) {
    if (statement->node_count == COR_EXPRESSION_NODES_MAX) {
        statement->too_large = true;
        return 0;
    }
    statement->nodes[statement->node_count] = node;
    return statement->node_count++;
}

/* Nodes of the constraint under way. */
static uint32_t say_constant(struct efsm__statement *statement, int64_t constant) {
    return put_node(statement, (struct cor_node){.operator= COR_OPERATOR_CONSTANT, .constant = constant});
}

static uint32_t say_variable(struct efsm__statement *statement, uint32_t variable) {
    return put_node(statement, (struct cor_node){.operator= COR_OPERATOR_VARIABLE, .variable = variable});
}

/* EFSM__NOTHING on a side leaves the other. */
static uint32_t say_two(struct efsm__statement *statement, enum cor_operator operator, uint32_t left,
                        uint32_t right) {
    if (left == EFSM__NOTHING)
        return right;
    if (right == EFSM__NOTHING)
        return left;
    return put_node(statement, (struct cor_node){.operator= operator, .left = left, .right = right});
}

/* sum + coefficient * variable; EFSM__NOTHING as a sum is 0. */
static uint32_t say_term(struct efsm__statement *statement, uint32_t sum, int64_t coefficient,
                         uint32_t variable) {
    if (coefficient == 0)
        return sum;
    uint32_t term = say_variable(statement, variable);
    if (coefficient != 1) {
        const uint32_t times = say_constant(statement, coefficient);
        term = say_two(statement, COR_OPERATOR_MULTIPLY, times, term);
    }
    return say_two(statement, COR_OPERATOR_ADD, sum, term);
}

/* sum sign constant; the sum EFSM__NOTHING is 0. */
static uint32_t say_compared(struct efsm__statement *statement, uint32_t sum, enum cor_operator sign,
                             int64_t constant) {
    if (sum == EFSM__NOTHING)
        sum = say_constant(statement, 0);
    const uint32_t other = say_constant(statement, constant);
    return say_two(statement, sign, sum, other);
}

/* variable sign constant */
static uint32_t say_bound(struct efsm__statement *statement, uint32_t variable, enum cor_operator sign,
                          int64_t constant) {
    return say_compared(statement, say_variable(statement, variable), sign, constant);
}

static void finish(struct efsm__statement *s, uint32_t root, bool is_constraint,
                   struct cor_expression *expression) {
    struct cor_node *nodes = NULL;
    *expression = (struct cor_expression){.node_count = 0};
    if (s->status == COR_OK && !s->too_large) {
        COR_ASSERT(root + 1 == s->node_count);
        nodes = cor_calloc(s->node_count, sizeof *nodes);
        note_status(s, cor_made(nodes, s->error));
    }
    if (nodes) {
        memcpy(nodes, s->nodes, s->node_count * sizeof *nodes);
        *expression = (struct cor_expression){.nodes = nodes,
                                              .node_count = s->node_count,
                                              .is_constraint = is_constraint,
                                              .integer_only = true,
                                              .result = COR_VALUE_INTEGER};
    }
    s->node_count = 0;
}

/* The nodes under way, of which `root` must be the last, become a constraint; EFSM__NOTHING: none. */
static void efsm__state(struct efsm__statement *s, uint32_t root) {
    struct cor_expression constraint;
    if (root == EFSM__NOTHING)
        return;
    finish(s, root, true, &constraint);
    note_status(s, COR_RESERVE(&s->constraints, &s->constraint_capacity, s->constraint_count + 1, s->error));
    if (constraint.nodes && s->status == COR_OK)
        s->constraints[s->constraint_count++] = constraint;
    else
        cor_expression_fini(&constraint);
}

/* sum = 0, as a constraint of its own. */
static void state_zero(struct efsm__statement *statement, uint32_t sum) {
    if (sum != EFSM__NOTHING)
        efsm__state(statement, say_compared(statement, sum, COR_OPERATOR_EQUAL, 0));
}

/* ---- state equation */

/* What the operation assigns to the variable; NULL: nothing. */
static const struct efsm__linear *form_of(const struct efsm__state_equation *eq,
                                          const struct efsm__operation *o, uint32_t variable) {
    const struct cor_efsm_transition *t = efsm__transition_of(eq, o);
    for (uint32_t u = 0; u < t->update_count; u++)
        if (t->updates[u].variable == variable)
            return &o->next[u];
    return NULL;
}

static enum cor_status add_operation(struct efsm__state_equation *eq, uint32_t transition,
                                     const struct efsm__move *move) {
    const struct cor_efsm_transition *t = &eq->model->transitions[transition];
    for (uint32_t i = 0; i < eq->operation_count; i++) {
        struct efsm__operation *o = &eq->operations[i];
        if (o->transition != transition || !same_forms(t, o->next, move->next))
            continue;
        for (uint32_t v = 0; v < eq->space.count; v++) {
            o->where.low[v] = o->where.low[v] < move->where.low[v] ? o->where.low[v] : move->where.low[v];
            o->where.high[v] =
                o->where.high[v] > move->where.high[v] ? o->where.high[v] : move->where.high[v];
        }
        return COR_OK;
    }
    COR_TRY(COR_RESERVE(&eq->operations, &eq->operation_capacity, eq->operation_count + 1, eq->space.error));
    struct efsm__operation *o = &eq->operations[eq->operation_count];
    *o = (struct efsm__operation){.transition = transition, .next = move->next};
    if (!efsm__cube_init(&eq->space, &o->where))
        return eq->space.status;
    memcpy(o->where.low, move->where.low, eq->space.count * sizeof *o->where.low);
    memcpy(o->where.high, move->where.high, eq->space.count * sizeof *o->where.low);
    eq->operation_count++;
    return COR_OK;
}

/* The operation that the transition is with these values; COR_NONE: none, it is not enabled. */
static uint32_t operation_of(const struct efsm__state_equation *eq, uint32_t transition,
                             const int64_t *values) {
    const struct cor_efsm_transition *t = &eq->model->transitions[transition];
    for (uint32_t m = 0; m < eq->moves[transition].count; m++)
        if (efsm__cube_has(&eq->space, &eq->moves[transition].moves[m].where, values))
            for (uint32_t i = 0; i < eq->operation_count; i++)
                if (eq->operations[i].transition == transition &&
                    same_forms(t, eq->operations[i].next, eq->moves[transition].moves[m].next))
                    return i;
    return COR_NONE;
}

static bool reads_state(const struct efsm__state_equation *eq, const struct efsm__linear *form) {
    EFSM__FOR_STATE_VARIABLES(eq, v)
    if (form->coefficient[v] != 0)
        return true;
    return false;
}

/* What the operation does to the variable, and the variables that say how much in all. */
static void classify(struct efsm__state_equation *eq, struct efsm__operation *o, uint32_t v) {
    const struct efsm__linear *form = form_of(eq, o, v);
    struct efsm__linear itself = efsm__linear_of(0), change;
    o->change[v] = EFSM__KEEPS;
    if (!form)
        return;
    itself.coefficient[v] = 1;
    change = *form;
    if (form->coefficient[v] == 1 && efsm__linear_add(&eq->space, &change, &itself, -1)) {
        o->change[v] = reads_state(eq, &change) ? EFSM__DRIFTS : EFSM__ADDS;
        o->range[v] = efsm__linear_range(&eq->space, &change, &o->where);
        for (uint32_t p = 0; p < eq->model->variable_count && o->change[v] == EFSM__ADDS; p++)
            if (change.coefficient[p] != 0 && o->sums[p] == COR_NONE)
                o->sums[p] = declare(&eq->statement, o->where.low[p] < 0 ? INT64_MIN : 0, INT64_MAX);
        if (o->change[v] == EFSM__ADDS && memcmp(&change, &(struct efsm__linear){{0}}, sizeof change) == 0)
            o->change[v] = EFSM__KEEPS;
    } else {
        o->change[v] = EFSM__ASSIGNS;
        o->range[v] = efsm__linear_range(&eq->space, form, &o->where);
        const struct cor_efsm_variable *variable = &eq->model->variables[v];
        o->range[v].low = o->range[v].low > variable->low ? o->range[v].low : variable->low;
        o->range[v].high = o->range[v].high < variable->high ? o->range[v].high : variable->high;
    }
    if (o->change[v] == EFSM__DRIFTS)
        o->drift[v] = declare(&eq->statement, INT64_MIN, INT64_MAX);
    eq->is_touched[v] = eq->is_touched[v] || o->change[v] != EFSM__KEEPS;
    eq->is_assigned[v] = eq->is_assigned[v] || o->change[v] == EFSM__ASSIGNS;
}

/* low * count <= sum <= high * count, where the count is one variable less another (COR_NONE: none), and so
 * is the sum. */
static void state_sum(struct efsm__statement *s, const uint32_t sum[2], const uint32_t count[2], int64_t low,
                      int64_t high) {
    for (int side = 0; side < 2; side++) {
        const int64_t end = side == 0 ? low : high, sign = side == 0 ? 1 : -1;
        uint32_t node = EFSM__NOTHING;
        for (int i = 0; i < 2; i++) {
            const int64_t times = i == 0 ? sign : -sign;
            if (sum[i] != COR_NONE)
                node = say_term(s, node, -times, sum[i]);
            if (count[i] != COR_NONE)
                node = say_term(s, node, times * end, count[i]);
        }
        efsm__state(s, say_compared(s, node, COR_OPERATOR_LESS_EQUAL, 0));
    }
}

static void declare_operation(struct efsm__state_equation *eq, struct efsm__operation *o) {
    struct efsm__statement *s = &eq->statement;
    for (uint32_t v = 0; v < eq->model->variable_count; v++)
        o->sums[v] = o->drift[v] = COR_NONE;
    o->count = declare(s, 0, INT64_MAX);
    EFSM__FOR_STATE_VARIABLES(eq, v)
    classify(eq, o, v);
    const uint32_t counts[2] = {o->count, COR_NONE};
    for (uint32_t v = 0; v < eq->model->variable_count; v++) {
        if (o->sums[v] != COR_NONE)
            state_sum(s, (uint32_t[]){o->sums[v], COR_NONE}, counts, o->where.low[v], o->where.high[v]);
        if (o->drift[v] != COR_NONE)
            state_sum(s, (uint32_t[]){o->drift[v], COR_NONE}, counts, o->range[v].low, o->range[v].high);
    }
}

/* A sum under way, and so many times what uses of an operation add to a variable: all uses, or those of a
 * tail. */
static uint32_t put_change(struct efsm__state_equation *eq, uint32_t node, int64_t times,
                           const struct efsm__operation *o, uint32_t v, const struct efsm__tail *tail) {
    struct efsm__statement *s = &eq->statement;
    if (o->change[v] == EFSM__DRIFTS)
        return say_term(s, node, times, tail ? tail->drift : o->drift[v]);
    if (o->change[v] != EFSM__ADDS)
        return node;
    const struct efsm__linear *form = form_of(eq, o, v);
    node =
        say_term(s, node, times * form->coefficient[COR_EFSM_VARIABLES_MAX], tail ? tail->count : o->count);
    for (uint32_t p = 0; p < eq->model->variable_count; p++)
        if (p != v && form->coefficient[p] != 0)
            node = say_term(s, node, times * form->coefficient[p], tail ? tail->sums[p] : o->sums[p]);
    return node;
}

/* The uses behind the last assignment of v: some of all. */
static enum cor_status add_tail(struct efsm__state_equation *eq, uint32_t v, uint32_t operation) {
    struct efsm__statement *s = &eq->statement;
    const struct efsm__operation *o = &eq->operations[operation];
    COR_TRY(COR_RESERVE(&eq->tails, &eq->tail_capacity, eq->tail_count + 1, eq->space.error));
    struct efsm__tail *tail = &eq->tails[eq->tail_count++];
    *tail = (struct efsm__tail){.variable = v, .operation = operation, .drift = COR_NONE};
    tail->count = declare(s, 0, INT64_MAX);
    uint32_t node = say_term(s, EFSM__NOTHING, 1, tail->count);
    efsm__state(s, say_compared(s, say_term(s, node, -1, o->count), COR_OPERATOR_LESS_EQUAL, 0));
    const uint32_t inside[2] = {tail->count, COR_NONE}, outside[2] = {o->count, tail->count};
    for (uint32_t p = 0; p < eq->model->variable_count; p++) {
        tail->sums[p] = COR_NONE;
        if (o->change[v] != EFSM__ADDS || o->sums[p] == COR_NONE)
            continue;
        tail->sums[p] = declare(s, o->where.low[p] < 0 ? INT64_MIN : 0, INT64_MAX);
        state_sum(s, (uint32_t[]){tail->sums[p], COR_NONE}, inside, o->where.low[p], o->where.high[p]);
        state_sum(s, (uint32_t[]){o->sums[p], tail->sums[p]}, outside, o->where.low[p], o->where.high[p]);
    }
    if (o->change[v] == EFSM__DRIFTS) {
        tail->drift = declare(s, INT64_MIN, INT64_MAX);
        state_sum(s, (uint32_t[]){tail->drift, COR_NONE}, inside, o->range[v].low, o->range[v].high);
        state_sum(s, (uint32_t[]){o->drift[v], tail->drift}, outside, o->range[v].low, o->range[v].high);
    }
    return COR_OK;
}

/* Sum of the counts of the operations that assign v. */
static uint32_t put_assignments(struct efsm__state_equation *eq, uint32_t v) {
    uint32_t node = EFSM__NOTHING;
    for (uint32_t i = 0; i < eq->operation_count; i++)
        if (eq->operations[i].change[v] == EFSM__ASSIGNS)
            node = say_term(&eq->statement, node, 1, eq->operations[i].count);
    return node;
}

/* assigned v is, or a = b. */
static void state_unless_assigned(struct efsm__state_equation *eq, uint32_t v, uint32_t a, uint32_t b) {
    struct efsm__statement *s = &eq->statement;
    const uint32_t assigned = say_compared(s, put_assignments(eq, v), COR_OPERATOR_NOT_EQUAL, 0);
    uint32_t equal = say_term(s, say_term(s, EFSM__NOTHING, 1, a), -1, b);
    equal = say_compared(s, equal, COR_OPERATOR_EQUAL, 0);
    efsm__state(s, say_two(s, COR_OPERATOR_OR, assigned, equal));
}

/* The last assignment is one of those that are used, and gives what it can give. */
static void state_base(struct efsm__state_equation *eq, uint32_t v) {
    struct efsm__statement *s = &eq->statement;
    uint32_t any = say_compared(s, put_assignments(eq, v), COR_OPERATOR_EQUAL, 0);
    for (uint32_t i = 0; i < eq->operation_count; i++) {
        const struct efsm__operation *o = &eq->operations[i];
        if (o->change[v] != EFSM__ASSIGNS)
            continue;
        uint32_t used = say_bound(s, o->count, COR_OPERATOR_NOT_EQUAL, 0);
        const uint32_t above = say_compared(s, say_term(s, EFSM__NOTHING, -1, eq->base[v]),
                                            COR_OPERATOR_LESS_EQUAL, -o->range[v].low);
        used = say_two(s, COR_OPERATOR_AND, used, above);
        const uint32_t below = say_bound(s, eq->base[v], COR_OPERATOR_LESS_EQUAL, o->range[v].high);
        used = say_two(s, COR_OPERATOR_AND, used, below);
        any = say_two(s, COR_OPERATOR_OR, any, used);
    }
    efsm__state(s, any);
}

/* Before the last assignment, too, v kept within its domain: from now to the first, and between two of them,
 * it fell no farther than from the highest that they give, and rose no farther than from the lowest. */
static void state_before(struct efsm__state_equation *eq, uint32_t v, uint32_t first_tail) {
    struct efsm__statement *s = &eq->statement;
    int64_t highest = INT64_MIN, lowest = INT64_MAX;
    for (uint32_t i = 0; i < eq->operation_count; i++) {
        const struct efsm__operation *o = &eq->operations[i];
        if (o->change[v] != EFSM__ASSIGNS)
            continue;
        highest = o->range[v].high > highest ? o->range[v].high : highest;
        lowest = o->range[v].low < lowest ? o->range[v].low : lowest;
    }
    for (int side = 0; side < 2; side++) { /* sign * (rise + now) <= sign * end + (assignments - 1) * span */
        const int64_t sign = side == 0 ? -1 : 1, end = side == 0 ? eq->space.low[v] : eq->space.high[v];
        const int64_t span = side == 0 ? highest - end : end - lowest;
        const uint32_t none = say_compared(s, put_assignments(eq, v), COR_OPERATOR_EQUAL, 0);
        uint32_t node = say_term(s, EFSM__NOTHING, sign, eq->now[v]);
        for (uint32_t t = first_tail; t < eq->tail_count; t++) {
            const struct efsm__tail *tail = &eq->tails[t];
            node = put_change(eq, node, sign, &eq->operations[tail->operation], v, NULL);
            node = put_change(eq, node, -sign, &eq->operations[tail->operation], v, tail);
        }
        for (uint32_t i = 0; i < eq->operation_count; i++)
            if (eq->operations[i].change[v] == EFSM__ASSIGNS)
                node = say_term(s, node, -span, eq->operations[i].count);
        node = say_compared(s, node, COR_OPERATOR_LESS_EQUAL, sign * end - span);
        efsm__state(s, say_two(s, COR_OPERATOR_OR, none, node));
    }
}

/* final = base + what is added; and where nothing assigns, base = now, and all uses add. */
static enum cor_status state_variable(struct efsm__state_equation *eq, uint32_t v) {
    struct efsm__statement *s = &eq->statement;
    const struct cor_efsm_variable *variable = &eq->model->variables[v];
    const uint32_t first = eq->tail_count;
    eq->now[v] = declare(s, variable->low, variable->high);
    eq->final[v] = declare(s, variable->low, variable->high);
    eq->base[v] = eq->is_assigned[v] ? declare(s, variable->low, variable->high) : eq->now[v];
    for (uint32_t i = 0; i < eq->operation_count && eq->is_assigned[v]; i++)
        if (eq->operations[i].change[v] == EFSM__ADDS || eq->operations[i].change[v] == EFSM__DRIFTS)
            COR_TRY(add_tail(eq, v, i));
    uint32_t node = say_term(s, EFSM__NOTHING, 1, eq->base[v]);
    node = say_term(s, node, -1, eq->final[v]);
    for (uint32_t i = 0; i < eq->operation_count && !eq->is_assigned[v]; i++)
        node = put_change(eq, node, 1, &eq->operations[i], v, NULL);
    for (uint32_t t = first; t < eq->tail_count; t++)
        node = put_change(eq, node, 1, &eq->operations[eq->tails[t].operation], v, &eq->tails[t]);
    state_zero(s, node);
    if (!eq->is_assigned[v])
        return COR_OK;
    state_base(eq, v);
    state_before(eq, v, first);
    state_unless_assigned(eq, v, eq->base[v], eq->now[v]);
    for (uint32_t t = first; t < eq->tail_count; t++) {
        const struct efsm__tail *tail = &eq->tails[t];
        const struct efsm__operation *o = &eq->operations[tail->operation];
        state_unless_assigned(eq, v, tail->count, o->count);
        for (uint32_t p = 0; p < eq->model->variable_count; p++)
            if (tail->sums[p] != COR_NONE)
                state_unless_assigned(eq, v, tail->sums[p], o->sums[p]);
        if (tail->drift != COR_NONE)
            state_unless_assigned(eq, v, tail->drift, o->drift[v]);
    }
    return COR_OK;
}

static bool trap_names(const struct cor_efsm_trap *trap, uint32_t transition) {
    for (uint32_t i = 0; i < trap->transition_count; i++)
        if (trap->transitions[i] == transition)
            return true;
    return false;
}

static enum cor_status add_last(struct efsm__state_equation *eq, uint32_t trap, uint32_t transition,
                                const struct efsm__cube *where) {
    COR_TRY(COR_RESERVE(&eq->lasts, &eq->last_capacity, eq->last_count + 1, eq->space.error));
    struct efsm__last *last = &eq->lasts[eq->last_count];
    *last = (struct efsm__last){.trap = trap, .transition = transition};
    if (!efsm__cube_copy(&eq->space, where, &last->where))
        return eq->space.status;
    eq->last_count++;
    last->chosen = declare(&eq->statement, 0, 1);
    return COR_OK;
}

/* Each case in which a trap can be covered by the last move. */
static enum cor_status find_lasts(struct efsm__state_equation *eq) {
    for (uint32_t i = 0; i < eq->goal->trap_count; i++) {
        const struct cor_efsm_trap *trap = &eq->goal->traps[i];
        for (uint32_t j = 0; j < trap->transition_count; j++) {
            const struct efsm__moves *moves = &eq->moves[trap->transitions[j]];
            for (uint32_t m = 0; m < moves->count; m++) {
                COR_FINISHED(efsm__cubes) struct efsm__cubes cubes = {0};
                enum cor_status status = COR_OK;
                if (trap->constraint.node_count > 0)
                    efsm__expression_cubes(&eq->space, &trap->constraint, &moves->moves[m].where, &cubes);
                else
                    status = add_last(eq, i, trap->transitions[j], &moves->moves[m].where);
                for (uint32_t c = 0; c < cubes.count && status == COR_OK; c++)
                    status = add_last(eq, i, trap->transitions[j], &cubes.cubes[c]);
                COR_TRY(status);
            }
        }
    }
    return eq->space.status;
}

/* The variable that is v before, or in, the last move. */
static uint32_t final_of(const struct efsm__state_equation *eq, uint32_t v) {
    return eq->final[v] != COR_NONE ? eq->final[v] : eq->now[v];
}

/* If it is the last move, what it needs is there. */
static void state_last(struct efsm__state_equation *eq, const struct efsm__last *last) {
    struct efsm__statement *s = &eq->statement;
    for (uint32_t v = 0; v < eq->space.count; v++) {
        for (int side = 0; side < 2; side++) {
            const int64_t end = side ? last->where.high[v] : last->where.low[v];
            if (end == (side ? eq->space.high[v] : eq->space.low[v]))
                continue;
            const uint32_t not_it = say_bound(s, last->chosen, COR_OPERATOR_EQUAL, 0);
            uint32_t node = say_term(s, EFSM__NOTHING, side ? 1 : -1, final_of(eq, v));
            node = say_compared(s, node, COR_OPERATOR_LESS_EQUAL, side ? end : -end);
            efsm__state(s, say_two(s, COR_OPERATOR_OR, not_it, node));
        }
    }
    for (uint32_t a = 0; a < last->where.atom_count; a++) {
        const int64_t *atom = last->where.atoms + a * ((size_t)eq->space.count + 1);
        const uint32_t not_it = say_bound(s, last->chosen, COR_OPERATOR_EQUAL, 0);
        uint32_t node = EFSM__NOTHING;
        for (uint32_t v = 0; v < eq->space.count; v++)
            node = say_term(s, node, atom[v], final_of(eq, v));
        node = say_compared(s, node, COR_OPERATOR_LESS_EQUAL, -atom[eq->space.count]);
        efsm__state(s, say_two(s, COR_OPERATOR_OR, not_it, node));
    }
}

/* If it is the last move, its trap was not covered before: where nothing that the trap waits for is open, and
 * any use of its transitions covers it, they are not used. */
static void state_first_hit(struct efsm__state_equation *eq, const struct efsm__last *last) {
    struct efsm__statement *s = &eq->statement;
    const struct cor_efsm_trap *trap = &eq->goal->traps[last->trap];
    if (trap->constraint.node_count > 0 || trap->previous != COR_NONE)
        return;
    uint32_t used = EFSM__NOTHING, open = EFSM__NOTHING;
    uint32_t any = say_bound(s, last->chosen, COR_OPERATOR_EQUAL, 0);
    for (uint32_t i = 0; i < eq->operation_count; i++)
        if (trap_names(trap, eq->operations[i].transition))
            used = say_term(s, used, 1, eq->operations[i].count);
    used = say_compared(s, used, COR_OPERATOR_EQUAL, 0);
    any = say_two(s, COR_OPERATOR_OR, any, used);
    for (uint32_t a = 0; a < trap->after_count; a++)
        open = say_term(s, open, 1, eq->open + trap->after[a]);
    if (open != EFSM__NOTHING)
        open = say_compared(s, open, COR_OPERATOR_NOT_EQUAL, 0);
    efsm__state(s, say_two(s, COR_OPERATOR_OR, any, open));
}

/* One move is the last; it covers what is open, and nothing open waits for that. */
static void state_lasts(struct efsm__state_equation *eq) {
    struct efsm__statement *s = &eq->statement;
    uint32_t sum = EFSM__NOTHING;
    for (uint32_t k = 0; k < eq->last_count; k++)
        sum = say_term(s, sum, 1, eq->lasts[k].chosen);
    efsm__state(s, say_compared(s, sum, COR_OPERATOR_EQUAL, 1));
    for (uint32_t k = 0; k < eq->last_count; k++) {
        const struct efsm__last *last = &eq->lasts[k];
        uint32_t node = say_term(s, EFSM__NOTHING, 1, last->chosen);
        node = say_term(s, node, -1, eq->open + last->trap);
        efsm__state(s, say_compared(s, node, COR_OPERATOR_LESS_EQUAL, 0));
        state_last(eq, last);
        state_first_hit(eq, last);
        for (uint32_t i = 0; i < eq->goal->trap_count; i++)
            for (uint32_t a = 0; a < eq->goal->traps[i].after_count; a++)
                if (eq->goal->traps[i].after[a] == last->trap) {
                    node = say_term(s, EFSM__NOTHING, 1, last->chosen);
                    node = say_term(s, node, 1, eq->open + i);
                    efsm__state(s, say_compared(s, node, COR_OPERATOR_LESS_EQUAL, 1));
                }
    }
}

/* Whether the goal's traps stand in a line, and two of them cannot be covered by one move. */
static bool share_no_move(const struct cor_efsm_goal *goal, uint32_t a, uint32_t b) {
    return goal->ordered && a != b;
}

/* Each open trap takes a move; those of one transition in an ordered list a move each. */
static void state_traps(struct efsm__state_equation *eq) {
    struct efsm__statement *s = &eq->statement;
    for (uint32_t i = 0; i < eq->goal->trap_count; i++) {
        const struct cor_efsm_trap *trap = &eq->goal->traps[i];
        uint32_t node = say_term(s, EFSM__NOTHING, 1, eq->open + i);
        for (uint32_t j = 0; j < eq->goal->trap_count; j++) {
            const struct cor_efsm_trap *other = &eq->goal->traps[j];
            if (share_no_move(eq->goal, i, j) && trap->transition_count == 1 &&
                other->transition_count == 1 && other->transitions[0] == trap->transitions[0])
                node = say_term(s, node, 1, eq->open + j);
        }
        /* Minus the moves, the last included, that could cover the trap. */
        for (uint32_t l = 0; l < eq->operation_count; l++)
            if (trap_names(trap, eq->operations[l].transition))
                node = say_term(&eq->statement, node, -1, eq->operations[l].count);
        for (uint32_t k = 0; k < eq->last_count; k++)
            if (trap_names(trap, eq->lasts[k].transition))
                node = say_term(&eq->statement, node, -1, eq->lasts[k].chosen);
        efsm__state(s, say_compared(s, node, COR_OPERATOR_LESS_EQUAL, 0));
    }
}

/* As often out of a location as into it, but for here and the last move's. */
static void state_flow(struct efsm__state_equation *eq) {
    struct efsm__statement *s = &eq->statement;
    for (uint32_t l = 0; l < eq->model->location_count; l++) {
        uint32_t node = say_term(s, EFSM__NOTHING, -1, eq->here + l);
        for (uint32_t i = 0; i < eq->operation_count; i++) {
            const struct cor_efsm_transition *t = efsm__transition_of(eq, &eq->operations[i]);
            if (t->source != t->target && (t->source == l || t->target == l))
                node = say_term(s, node, t->source == l ? 1 : -1, eq->operations[i].count);
        }
        for (uint32_t k = 0; k < eq->last_count; k++)
            if (eq->model->transitions[eq->lasts[k].transition].source == l)
                node = say_term(s, node, 1, eq->lasts[k].chosen);
        state_zero(s, node);
    }
}

/* What is used at a location needs a way from here: it is here, or something used leads there from a location
 * that is nearer. */
static void state_connection(struct efsm__state_equation *eq) {
    struct efsm__statement *s = &eq->statement;
    for (uint32_t l = 0; l < eq->model->location_count; l++) {
        uint32_t used = EFSM__NOTHING;
        for (uint32_t i = 0; i < eq->operation_count; i++)
            if (efsm__transition_of(eq, &eq->operations[i])->source == l)
                used = say_term(s, used, 1, eq->operations[i].count);
        if (used == EFSM__NOTHING)
            continue;
        uint32_t any = say_compared(s, used, COR_OPERATOR_EQUAL, 0);
        const uint32_t is_here = say_bound(s, eq->here + l, COR_OPERATOR_EQUAL, 1);
        any = say_two(s, COR_OPERATOR_OR, any, is_here);
        for (uint32_t i = 0; i < eq->operation_count; i++) {
            const struct cor_efsm_transition *t = efsm__transition_of(eq, &eq->operations[i]);
            if (t->target != l || t->source == l)
                continue;
            uint32_t way = say_bound(s, eq->operations[i].count, COR_OPERATOR_NOT_EQUAL, 0);
            uint32_t nearer = say_term(s, EFSM__NOTHING, 1, eq->level + t->source);
            nearer = say_term(s, nearer, -1, eq->level + l);
            nearer = say_compared(s, nearer, COR_OPERATOR_LESS, 0);
            way = say_two(s, COR_OPERATOR_AND, way, nearer);
            any = say_two(s, COR_OPERATOR_OR, any, way);
        }
        efsm__state(s, any);
    }
}

static enum cor_status state_all(struct efsm__state_equation *eq) {
    struct efsm__statement *s = &eq->statement;
    for (uint32_t l = 0; l < eq->model->location_count; l++) {
        const uint32_t here = declare(s, 0, 1);
        eq->here = l == 0 ? here : eq->here;
    }
    for (uint32_t l = 0; l < eq->model->location_count; l++) {
        const uint32_t level = declare(s, 0, eq->model->location_count);
        eq->level = l == 0 ? level : eq->level;
    }
    for (uint32_t i = 0; i < eq->goal->trap_count; i++) {
        const uint32_t open = declare(s, 0, 1);
        eq->open = i == 0 ? open : eq->open;
    }
    for (uint32_t i = 0; i < eq->operation_count; i++)
        declare_operation(eq, &eq->operations[i]);
    for (uint32_t v = 0; v < eq->model->variable_count; v++) {
        const struct cor_efsm_variable *variable = &eq->model->variables[v];
        eq->now[v] = eq->base[v] = eq->final[v] = COR_NONE;
        if (variable->kind == COR_EFSM_STATE && eq->is_touched[v])
            COR_TRY(state_variable(eq, v));
        else if (variable->kind == COR_EFSM_STATE)
            eq->now[v] = declare(s, variable->low, variable->high);
        else
            eq->final[v] = declare(s, variable->low, variable->high);
    }
    COR_TRY(find_lasts(eq));
    state_lasts(eq);
    state_traps(eq);
    state_flow(eq);
    state_connection(eq);
    for (uint32_t i = 0; i < eq->operation_count; i++)
        state_thresholds(eq, eq->operations[i].count, &eq->operations[i].where);
    for (uint32_t k = 0; k < eq->last_count; k++)
        state_thresholds(eq, eq->lasts[k].chosen, &eq->lasts[k].where);
    EFSM__FOR_STATE_VARIABLES(eq, v)
    if (eq->is_touched[v])
        state_cuts(eq, v);
    uint32_t sum = EFSM__NOTHING;
    for (uint32_t i = 0; i < eq->operation_count; i++)
        sum = say_term(s, sum, 1, eq->operations[i].count);
    if (sum == EFSM__NOTHING)
        sum = say_constant(s, 0);
    finish(s, sum, false, &eq->length);
    return eq->space.status;
}

/* Not usable: too large for expressions. */
static enum cor_status state_equation_make(struct efsm__state_equation *eq, const struct cor_efsm *model,
                                           const struct cor_efsm_goal *goal, struct cor_error *error) {
    eq->model = model;
    eq->goal = goal;
    efsm__space_init(&eq->space, model, error);
    eq->statement.error = error;
    COR_TRY(cor_made(eq->moves = cor_calloc(model->transition_count, sizeof *eq->moves), error));
    for (uint32_t t = 0; t < model->transition_count; t++) {
        efsm__moves_make(&eq->space, &model->transitions[t], &eq->moves[t]);
        for (uint32_t m = 0; m < eq->moves[t].count && eq->space.status == COR_OK; m++)
            COR_TRY(add_operation(eq, t, &eq->moves[t].moves[m]));
    }
    COR_TRY(eq->space.status);
    COR_TRY(state_all(eq));
    COR_TRY(eq->statement.status);
    eq->problem = (struct cor_problem){.variable_count = eq->statement.variable_count,
                                       .low = eq->statement.low,
                                       .high = eq->statement.high,
                                       .constraints = eq->statement.constraints,
                                       .constraint_count = eq->statement.constraint_count};
    eq->usable = !eq->statement.too_large && !eq->space.beyond;
    return COR_OK;
}

static void state_equation_fini(struct efsm__state_equation *eq) {
    for (uint32_t t = 0; eq->moves && t < eq->model->transition_count; t++)
        efsm__moves_fini(&eq->moves[t]);
    for (uint32_t i = 0; i < eq->operation_count; i++)
        efsm__cube_fini(&eq->operations[i].where);
    for (uint32_t k = 0; k < eq->last_count; k++)
        efsm__cube_fini(&eq->lasts[k].where);
    COR_FREE(eq->moves, eq->operations, eq->tails, eq->lasts);
    cor_expression_fini(&eq->length);
    statement_fini(&eq->statement);
    efsm__space_fini(&eq->space);
}

/* ---- landmarks: what must be used because a threshold has to be crossed */

/* Whether the move can take v over the threshold: from below to it or above, or from it down below. */
static bool crosses(struct efsm__state_equation *eq, const struct cor_efsm_transition *t,
                    const struct efsm__move *move, uint32_t v, int64_t threshold, bool up) {
    struct efsm__cube cube;
    bool may = false;
    for (uint32_t u = 0; u < t->update_count; u++) {
        if (t->updates[u].variable != v || !efsm__cube_copy(&eq->space, &move->where, &cube))
            continue;
        if (up && cube.high[v] >= threshold)
            cube.high[v] = threshold - 1;
        if (!up && cube.low[v] < threshold)
            cube.low[v] = threshold;
        efsm__cube_require_range(&eq->space, &cube, &move->next[u], up ? threshold : eq->space.low[v],
                                 up ? eq->space.high[v] : threshold - 1);
        may = efsm__cube_settle(&eq->space, &cube);
        efsm__cube_fini(&cube);
    }
    return may;
}

static bool operation_crosses(struct efsm__state_equation *eq, const struct efsm__operation *o, uint32_t v,
                              int64_t threshold, bool up) {
    const struct cor_efsm_transition *t = efsm__transition_of(eq, o);
    const struct efsm__moves *moves = &eq->moves[o->transition];
    for (uint32_t m = 0; m < moves->count && o->change[v] != EFSM__KEEPS; m++)
        if (same_forms(t, moves->moves[m].next, o->next) &&
            crosses(eq, t, &moves->moves[m], v, threshold, up))
            return true;
    return false;
}

/* What `needs` it (a count or a choice) at v beyond the threshold is not used, or v is there, or something is
 * used that takes it there. `low`: it needs v >= threshold; else v < threshold. */
static void state_threshold(struct efsm__state_equation *eq, uint32_t needs, uint32_t v, int64_t threshold,
                            bool low) {
    struct efsm__statement *s = &eq->statement;
    uint32_t any = say_bound(s, needs, COR_OPERATOR_EQUAL, 0);
    uint32_t there = say_term(s, EFSM__NOTHING, low ? -1 : 1, eq->now[v]);
    there = say_compared(s, there, COR_OPERATOR_LESS_EQUAL, low ? -threshold : threshold - 1);
    any = say_two(s, COR_OPERATOR_OR, any, there);
    uint32_t ways = EFSM__NOTHING;
    for (uint32_t i = 0; i < eq->operation_count; i++)
        if (operation_crosses(eq, &eq->operations[i], v, threshold, low))
            ways = say_term(s, ways, 1, eq->operations[i].count);
    if (ways != EFSM__NOTHING)
        ways = say_compared(s, ways, COR_OPERATOR_NOT_EQUAL, 0);
    efsm__state(s, say_two(s, COR_OPERATOR_OR, any, ways));
}

/* What `needs` these ranges (a count, or the choice of a last move) is not used, or the values are there, or
 * something is used that takes them there. */
static void state_thresholds(struct efsm__state_equation *eq, uint32_t needs,
                             const struct efsm__cube *where) {
    EFSM__FOR_STATE_VARIABLES(eq, v) {
        if (!eq->is_touched[v])
            continue;
        if (where->low[v] > eq->space.low[v])
            state_threshold(eq, needs, v, where->low[v], true);
        if (where->high[v] < eq->space.high[v])
            state_threshold(eq, needs, v, where->high[v] + 1, false);
    }
}

/* Thresholds between: where a guard cuts the values of v in two, whoever ends beyond has crossed. */
static void state_cut(struct efsm__state_equation *eq, uint32_t v, int64_t threshold, bool up) {
    struct efsm__statement *s = &eq->statement;
    const int64_t sign = up ? 1 : -1; /* not: now below and final above */
    uint32_t now = say_term(s, EFSM__NOTHING, -sign, eq->now[v]);
    now = say_compared(s, now, COR_OPERATOR_LESS_EQUAL, up ? -threshold : threshold - 1);
    uint32_t final = say_term(s, EFSM__NOTHING, sign, eq->final[v]);
    final = say_compared(s, final, COR_OPERATOR_LESS_EQUAL, up ? threshold - 1 : -threshold);
    uint32_t any = say_two(s, COR_OPERATOR_OR, now, final), ways = EFSM__NOTHING;
    for (uint32_t i = 0; i < eq->operation_count; i++)
        if (operation_crosses(eq, &eq->operations[i], v, threshold, up))
            ways = say_term(s, ways, 1, eq->operations[i].count);
    if (ways != EFSM__NOTHING)
        ways = say_compared(s, ways, COR_OPERATOR_NOT_EQUAL, 0);
    efsm__state(s, say_two(s, COR_OPERATOR_OR, any, ways));
}

#define CUTS_MAX 32 /* of a variable */

/* Where guards cut the values of v in two, whoever ends beyond has used something that crosses. */
static void state_cuts(struct efsm__state_equation *eq, uint32_t v) {
    int64_t cuts[CUTS_MAX];
    uint32_t count = 0;
    for (uint32_t t = 0; t < eq->model->transition_count; t++)
        for (uint32_t m = 0; m < eq->moves[t].count; m++)
            for (int side = 0; side < 2 && count < CUTS_MAX; side++) {
                const struct efsm__cube *where = &eq->moves[t].moves[m].where;
                const int64_t cut = side ? where->high[v] + 1 : where->low[v];
                bool known = cut <= eq->space.low[v] || cut > eq->space.high[v];
                for (uint32_t i = 0; i < count && !known; i++)
                    known = cuts[i] == cut;
                if (!known)
                    cuts[count++] = cut;
            }
    for (uint32_t i = 0; i < count; i++) {
        state_cut(eq, v, cuts[i], true);
        state_cut(eq, v, cuts[i], false);
    }
}

/* Whether two cases of a transition assign alike. */
static bool same_forms(const struct cor_efsm_transition *t, const struct efsm__linear *a,
                       const struct efsm__linear *b) {
    return t->update_count == 0 || memcmp(a, b, t->update_count * sizeof *a) == 0;
}

/* ---- bound part */

#define WORK 2000000u /* of z3 for a step of the search for the least sum */

static enum cor_status bound_part_create(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                         struct efsm__bound_part **part, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct efsm__bound_part *b = *part = cor_calloc(1, sizeof *b);
    COR_TRY(cor_made(b, error));
    COR_TRY_OUT(state_equation_make(&b->equation, model, goal, error));
    b->trap_words = goal->trap_count == 0 ? 1 : (goal->trap_count + 63) / 64;
    b->key_count = 1 + model->variable_count + b->trap_words;
    b->low = cor_calloc(b->equation.problem.variable_count, sizeof *b->low);
    b->high = cor_calloc(b->equation.problem.variable_count, sizeof *b->high);
    b->values = cor_calloc(b->equation.problem.variable_count, sizeof *b->values);
    b->key = cor_calloc(b->key_count, sizeof *b->key);
    b->queue = cor_calloc(model->location_count, sizeof *b->queue);
    if (!b->low || !b->high || !b->values || !b->key || !b->queue)
        COR_TRY_OUT(cor_fail_memory(error));
    if (b->equation.usable)
        COR_TRY_OUT(cor_solver_create(&b->equation.problem, &b->solver, error));
out:
    b->equation.space.error = b->equation.statement.error = NULL; /* the caller's, for this alone */
    if (status != COR_OK) {
        bound_part_destroy(b);
        *part = NULL;
    }
    return status;
}

static void bound_part_destroy(struct efsm__bound_part *part) {
    if (!part)
        return;
    cor_solver_destroy(part->solver);
    for (size_t i = 0; i < EFSM__SOLUTIONS; i++)
        free(part->solutions[i].values);
    COR_FREE(part->low, part->high, part->values, part->key, part->queue);
    state_equation_fini(&part->equation);
    free(part);
}

static void make_key(struct efsm__bound_part *b, uint32_t location, const int64_t *values,
                     const uint64_t *covered) {
    const struct cor_efsm *model = b->equation.model;
    b->key[0] = location;
    for (uint32_t v = 0; v < model->variable_count; v++)
        b->key[v + 1] = model->variables[v].kind == COR_EFSM_STATE ? values[v] : 0;
    memcpy(b->key + 1 + model->variable_count, covered, b->trap_words * sizeof *covered);
}

static struct efsm__solution *slot_of(struct efsm__bound_part *b) {
    return &b->solutions[cor_hash_bytes(COR_HASH_SEED, b->key, b->key_count * sizeof *b->key) %
                         EFSM__SOLUTIONS];
}

/* What was found for the state of the key; NULL: nothing, or it is forgotten. */
static const int64_t *find_solution(struct efsm__bound_part *b) {
    const struct efsm__solution *slot = slot_of(b);
    return slot->values && memcmp(slot->key, b->key, b->key_count * sizeof *b->key) == 0 ? slot->values
                                                                                         : NULL;
}

/* Keeps `values` for the state of the key; without memory it is only forgotten. */
static void keep_solution(struct efsm__bound_part *b) {
    const size_t count = b->equation.problem.variable_count;
    struct efsm__solution *slot = slot_of(b);
    if (!slot->values) {
        slot->values = cor_calloc(count + b->key_count, sizeof *slot->values);
        if (!slot->values)
            return;
        slot->key = slot->values + count;
    }
    memcpy(slot->values, b->values, count * sizeof *slot->values);
    memcpy(slot->key, b->key, b->key_count * sizeof *slot->key);
}

static void fix(struct efsm__bound_part *b, uint32_t variable, int64_t value) {
    b->low[variable] = b->high[variable] = b->values[variable] = value;
}

/* The ranges of the question about a state. */
static void fix_state(struct efsm__bound_part *b, uint32_t location, const int64_t *values,
                      const uint64_t *covered) {
    const struct efsm__state_equation *eq = &b->equation;
    memcpy(b->low, eq->problem.low, eq->problem.variable_count * sizeof *b->low);
    memcpy(b->high, eq->problem.high, eq->problem.variable_count * sizeof *b->high);
    for (uint32_t l = 0; l < eq->model->location_count; l++)
        fix(b, eq->here + l, l == location);
    for (uint32_t i = 0; i < eq->goal->trap_count; i++)
        fix(b, eq->open + i, !(covered[i / 64] >> i % 64 & 1));
    EFSM__FOR_STATE_VARIABLES(eq, v)
    fix(b, eq->now[v], values[v]);
}

/* As cor_efsm_bound_moves and cor_efsm_bound_follow. */
static enum cor_status bound_part_moves(struct efsm__bound_part *b, uint32_t location, const int64_t *values,
                                        const uint64_t *covered, uint32_t *moves, struct cor_error *error) {
    const struct cor_question question = {
        .kind = COR_QUESTION_BOUND, .low = b->low, .high = b->high, .work = WORK};
    struct cor_least least;
    if (*moves < 1)
        *moves = 1;
    if (!b->solver)
        return COR_OK;
    fix_state(b, location, values, covered);
    COR_TRY(cor_solver_minimise(b->solver, &question, &b->equation.length, (int64_t)*moves - 1, &least,
                                b->values, error));
    if (least.answer == COR_ANSWER_EMPTY) {
        *moves = UINT32_MAX;
        return COR_OK;
    }
    *moves = least.low >= UINT32_MAX - 2 ? UINT32_MAX - 1 : (uint32_t)least.low + 1;
    if (least.answer == COR_ANSWER_SATISFIABLE && least.value == least.low) {
        make_key(b, location, values, covered);
        keep_solution(b);
    }
    return COR_OK;
}

/* Levels along what the solution uses, breadth first. */
static void set_levels(struct efsm__bound_part *b, uint32_t location) {
    const struct efsm__state_equation *eq = &b->equation;
    uint32_t first = 0, last = 0;
    for (uint32_t l = 0; l < eq->model->location_count; l++)
        b->values[eq->level + l] = eq->model->location_count;
    b->values[eq->level + location] = 0;
    b->queue[last++] = location;
    while (first < last) {
        const uint32_t l = b->queue[first++];
        for (uint32_t i = 0; i < eq->operation_count; i++) {
            const struct cor_efsm_transition *t = efsm__transition_of(eq, &eq->operations[i]);
            if (t->source != l || b->values[eq->operations[i].count] == 0 ||
                b->values[eq->level + t->target] < (int64_t)eq->model->location_count)
                continue;
            b->values[eq->level + t->target] = b->values[eq->level + l] + 1;
            b->queue[last++] = t->target;
        }
    }
}

static bool is_assigned_again(const struct efsm__bound_part *b, uint32_t v) {
    const struct efsm__state_equation *eq = &b->equation;
    for (uint32_t i = 0; i < eq->operation_count; i++)
        if (eq->operations[i].change[v] == EFSM__ASSIGNS && b->values[eq->operations[i].count] > 0)
            return true;
    return false;
}

/* What is not assigned any more begins at its present value, and all uses count. */
static void set_tails(struct efsm__bound_part *b) {
    const struct efsm__state_equation *eq = &b->equation;
    for (uint32_t i = 0; i < eq->tail_count; i++) {
        const struct efsm__tail *tail = &eq->tails[i];
        const struct efsm__operation *o = &eq->operations[tail->operation];
        if (is_assigned_again(b, tail->variable))
            continue;
        b->values[tail->count] = b->values[o->count];
        for (uint32_t p = 0; p < eq->model->variable_count; p++)
            if (tail->sums[p] != COR_NONE)
                b->values[tail->sums[p]] = b->values[o->sums[p]];
        if (tail->drift != COR_NONE)
            b->values[tail->drift] = b->values[o->drift[tail->variable]];
    }
    EFSM__FOR_STATE_VARIABLES(eq, v)
    if (eq->is_assigned[v] && !is_assigned_again(b, v))
        b->values[eq->base[v]] = b->values[eq->now[v]];
}

static bool bound_part_follow(struct efsm__bound_part *b, uint32_t location, const int64_t *values,
                              const uint64_t *covered, uint32_t transition, const int64_t *inputs,
                              const int64_t *next, const uint64_t *next_covered) {
    const struct efsm__state_equation *eq = &b->equation;
    int64_t all[COR_EFSM_VARIABLES_MAX];
    if (!b->solver)
        return false;
    make_key(b, location, values, covered);
    const int64_t *found = find_solution(b);
    for (uint32_t v = 0; v < eq->model->variable_count; v++)
        all[v] = eq->model->variables[v].kind == COR_EFSM_STATE ? values[v] : inputs[v];
    const uint32_t operation = found ? operation_of(eq, transition, all) : COR_NONE;
    if (operation == COR_NONE || found[eq->operations[operation].count] == 0)
        return false;
    const uint32_t target = eq->model->transitions[transition].target;
    memcpy(b->values, found, eq->problem.variable_count * sizeof *found);
    fix_state(b, target, next, next_covered);
    /* Takes one use of the operation out of the solution. */
    const struct efsm__operation *o = &eq->operations[operation];
    b->values[o->count]--;
    for (uint32_t v = 0; v < b->equation.model->variable_count; v++) {
        if (o->sums[v] != COR_NONE)
            b->values[o->sums[v]] -= all[v];
        if (o->drift[v] != COR_NONE)
            b->values[o->drift[v]] -= next[v] - values[v];
    }
    set_levels(b, target);
    set_tails(b);
    const struct cor_problem question = {.variable_count = eq->problem.variable_count,
                                         .low = b->low,
                                         .high = b->high,
                                         .constraints = eq->problem.constraints,
                                         .constraint_count = eq->problem.constraint_count};
    if (!cor_problem_holds(&question, b->values))
        return false;
    make_key(b, target, next, next_covered);
    keep_solution(b);
    return true;
}

/* Whether what was found for the state is kept: the bound was no more than this equation says. */
static bool bound_part_knows(struct efsm__bound_part *b, uint32_t location, const int64_t *values,
                             const uint64_t *covered) {
    if (!b->solver)
        return false;
    make_key(b, location, values, covered);
    return find_solution(b) != NULL;
}

/* ---- the bound of a goal: by its state equation, and by those of landmarks. A landmark of a trap is a
 * transition that every way through the graph to it uses, whatever the guards: a plan must bring about what
 * its guard needs, too, and go on from there to the trap */

/* The state equation of a landmark, as a goal of its own. */
struct landmark {
    struct cor_efsm_goal goal;
    struct cor_efsm_trap trap;
    uint32_t transition;
    struct efsm__bound_part *part; /* owned; NULL: not needed so far */
};

struct cor_efsm_bound {
    const struct cor_efsm *model;
    const struct cor_efsm_goal *goal;
    struct efsm__bound_part *whole; /* owned */
    struct landmark *landmarks;     /* owned; [transition] */
    uint32_t *distance, *queue;     /* owned; [location], of a search through the graph */
};

enum cor_status cor_efsm_bound_create(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                      struct cor_efsm_bound **bound, struct cor_error *error) {
    COR_DESTROYED(cor_efsm_bound) struct cor_efsm_bound *b = cor_calloc(1, sizeof *b);
    *bound = NULL;
    COR_TRY(cor_made(b, error));
    b->model = model;
    b->goal = goal;
    b->landmarks = cor_calloc(model->transition_count, sizeof *b->landmarks);
    b->distance = cor_calloc(model->location_count, sizeof *b->distance);
    b->queue = cor_calloc(model->location_count, sizeof *b->queue);
    if (!b->landmarks || !b->distance || !b->queue)
        COR_TRY(cor_fail_memory(error));
    COR_TRY(bound_part_create(model, goal, &b->whole, error));
    *bound = cor_taken(&b);
    return COR_OK;
}

void cor_efsm_bound_destroy(struct cor_efsm_bound *bound) {
    if (!bound)
        return;
    for (uint32_t t = 0; bound->landmarks && t < bound->model->transition_count; t++)
        bound_part_destroy(bound->landmarks[t].part);
    bound_part_destroy(bound->whole);
    COR_FREE(bound->landmarks, bound->distance, bound->queue, bound);
}

static void add_statistics(struct cor_solver_statistics *to, const struct efsm__bound_part *part) {
    if (!part || !part->solver)
        return;
    const struct cor_solver_statistics more = cor_solver_statistics(part->solver);
    cor_solver_statistics_add(to, &more);
}

struct cor_solver_statistics cor_efsm_bound_statistics(const struct cor_efsm_bound *bound) {
    struct cor_solver_statistics statistics = {0};
    add_statistics(&statistics, bound->whole);
    for (uint32_t t = 0; t < bound->model->transition_count; t++)
        add_statistics(&statistics, bound->landmarks[t].part);
    return statistics;
}

/* Moves through the graph from a location to the end of one that the trap names, without one transition
 * (COR_NONE: with all); UINT32_MAX: there is no way. */
static uint32_t graph_distance(struct cor_efsm_bound *b, uint32_t from, const struct cor_efsm_trap *trap,
                               uint32_t without) {
    const struct cor_efsm *model = b->model;
    uint32_t first = 0, last = 0;
    for (uint32_t l = 0; l < model->location_count; l++)
        b->distance[l] = UINT32_MAX;
    b->distance[from] = 0;
    b->queue[last++] = from;
    while (first < last) {
        const uint32_t l = b->queue[first++];
        for (uint32_t t = 0; t < model->transition_count; t++) {
            if (t == without || model->transitions[t].source != l)
                continue;
            for (uint32_t i = 0; i < trap->transition_count; i++)
                if (trap->transitions[i] == t)
                    return b->distance[l] + 1;
            if (b->distance[model->transitions[t].target] == UINT32_MAX) {
                b->distance[model->transitions[t].target] = b->distance[l] + 1;
                b->queue[last++] = model->transitions[t].target;
            }
        }
    }
    return UINT32_MAX;
}

/* Whether what the transition needs of the state has to be counted up: some variable that changes. */
static bool needs_much(const struct cor_efsm_bound *b, uint32_t transition) {
    const struct efsm__state_equation *eq = &b->whole->equation;
    EFSM__FOR_STATE_VARIABLES(eq, v)
    if (eq->is_touched[v] && cor_expression_reads(&b->model->transitions[transition].guard, v))
        return true;
    return false;
}

/* The one trap that is open; COR_NONE: there are several. */
static uint32_t only_open(const struct cor_efsm_bound *b, const uint64_t *covered) {
    uint32_t open = COR_NONE;
    for (uint32_t i = 0; i < b->goal->trap_count; i++)
        if (!(covered[i / 64] >> i % 64 & 1)) {
            if (open != COR_NONE)
                return COR_NONE;
            open = i;
        }
    return open;
}

/* Raises *moves to what the landmarks between here and the trap need. */
static enum cor_status ask_landmarks(struct cor_efsm_bound *b, uint32_t location, const int64_t *values,
                                     const struct cor_efsm_trap *trap, uint32_t *moves,
                                     struct cor_error *error) {
    for (uint32_t t = 0; t < b->model->transition_count && *moves != UINT32_MAX; t++) {
        static const uint64_t nothing[1] = {0};
        if (!needs_much(b, t) || graph_distance(b, location, trap, t) != UINT32_MAX)
            continue;
        const uint32_t behind = graph_distance(b, b->model->transitions[t].target, trap, COR_NONE);
        if ((trap->transition_count == 1 && trap->transitions[0] == t) || behind == UINT32_MAX)
            continue; /* it is the trap's own */
        uint32_t before = *moves > behind ? *moves - behind : 0;
        if (!b->landmarks[t].part) {
            struct landmark *landmark = &b->landmarks[t];
            landmark->transition = t;
            landmark->trap = (struct cor_efsm_trap){
                .transitions = &landmark->transition, .transition_count = 1, .previous = COR_NONE};
            landmark->goal = (struct cor_efsm_goal){.traps = &landmark->trap, .trap_count = 1, .optimum = -1};
            COR_TRY(bound_part_create(b->model, &landmark->goal, &landmark->part, error));
        }
        COR_TRY(bound_part_moves(b->landmarks[t].part, location, values, nothing, &before, error));
        if (before >= UINT32_MAX - behind)
            *moves = UINT32_MAX;
        else if (before + behind > *moves)
            *moves = before + behind;
    }
    return COR_OK;
}

enum cor_status cor_efsm_bound_moves(struct cor_efsm_bound *b, uint32_t location, const int64_t *values,
                                     const uint64_t *covered, uint32_t *moves, struct cor_error *error) {
    COR_TRY(bound_part_moves(b->whole, location, values, covered, moves, error));
    const uint32_t trap = only_open(b, covered);
    if (trap == COR_NONE)
        return COR_OK;
    return ask_landmarks(b, location, values, &b->goal->traps[trap], moves, error);
}

bool cor_efsm_bound_follow(struct cor_efsm_bound *b, uint32_t location, const int64_t *values,
                           const uint64_t *covered, uint32_t transition, const int64_t *inputs,
                           const int64_t *next, const uint64_t *next_covered) {
    static const uint64_t nothing[1] = {0};
    bool follows = false;
    for (uint32_t t = 0; t < b->model->transition_count; t++) {
        if (!b->landmarks[t].part || !bound_part_knows(b->landmarks[t].part, location, values, nothing))
            continue;
        if (!bound_part_follow(b->landmarks[t].part, location, values, nothing, transition, inputs, next,
                               nothing))
            return false;
        follows = true;
    }
    return follows ||
           bound_part_follow(b->whole, location, values, covered, transition, inputs, next, next_covered);
}
