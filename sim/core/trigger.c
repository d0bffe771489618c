/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program is gone through node by node, each for all organizations at once: numbers of a node stand beside
 * each other. Counts, and what reads nothing that changes, are reckoned when the structure is new; the sums
 * of all members' values are those that the structure keeps up by additions. Other sums and extrema of values
 * are reckoned anew in each case: every value may change in it, so nothing that was kept would be cheaper
 * than going through the members once. */
#include <corridor/trigger.h>

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cor_trigger {
    struct cor_trigger_program program; /* owned */
    uint32_t agent_count;
    double **numbers;             /* owned, and each; [node][organization] */
    bool *is_fixed;               /* owned; [node] changes with the structure alone */
    uint32_t *outside;            /* owned; [condition] cases on end in which it was violated */
    struct cor_streaks each;      /* owned; [condition] the same of each organization */
    struct cor_lists now;         /* owned; scratch: the structure */
    bool has_each;                /* some condition counts so */
    size_t organization_capacity; /* of each node */
    bool is_new;                  /* the structure */
};

void cor_trigger_program_fini(struct cor_trigger_program *program) {
    for (uint32_t f = 0; f < program->filter_count; f++)
        free(program->filters[f]);
    COR_FREE(program->filters, program->columns, program->nodes, program->conditions);
    *program = (struct cor_trigger_program){0};
}

static bool is_leaf(const struct cor_trigger_node *node) {
    return node->operator<= COR_TRIGGER_GREATEST || node->operator== COR_TRIGGER_KEPT;
}

enum cor_status cor_trigger_create(struct cor_trigger_program *program, uint32_t agent_count,
                                   struct cor_trigger **trigger, struct cor_error *error) {
    struct cor_trigger *t = *trigger = cor_calloc(1, sizeof *t);
    if (!t) {
        cor_trigger_program_fini(program);
        return cor_fail_memory(error);
    }
    t->program = *program;
    *program = (struct cor_trigger_program){0};
    t->agent_count = agent_count;
    t->is_new = true;
    cor_lists_init(&t->now);
    cor_streaks_init(&t->each, t->program.condition_count);
    for (uint32_t c = 0; c < t->program.condition_count; c++)
        t->has_each = t->has_each || t->program.conditions[c].is_each;
    t->numbers = cor_calloc(t->program.node_count, sizeof *t->numbers);
    t->is_fixed = cor_calloc(t->program.node_count, sizeof *t->is_fixed);
    t->outside = cor_calloc(t->program.condition_count, sizeof *t->outside);
    if (!t->numbers || !t->is_fixed || !t->outside) {
        cor_trigger_destroy(t);
        *trigger = NULL;
        return cor_fail_memory(error);
    }
    const struct cor_trigger_node *nodes = t->program.nodes;
    for (uint32_t i = 0; i < t->program.node_count; i++) {
        /* Whether it reads what changes while the structure stays. */
        t->is_fixed[i] = !(nodes[i].operator>= COR_TRIGGER_SUM && is_leaf(&nodes[i]) &&
                           t->program.columns[nodes[i].column].changes);
        for (int side = 0; side < 2 && !is_leaf(&nodes[i]); side++) {
            const uint32_t of = side == 0 ? nodes[i].left : nodes[i].right;
            COR_ASSERT(of < i || of == COR_NOBODY);
            if (of != COR_NOBODY && !t->is_fixed[of])
                t->is_fixed[i] = false;
        }
    }
    return COR_OK;
}

void cor_trigger_destroy(struct cor_trigger *trigger) {
    if (!trigger)
        return;
    for (uint32_t i = 0; trigger->numbers && i < trigger->program.node_count; i++)
        free(trigger->numbers[i]);
    cor_trigger_program_fini(&trigger->program);
    COR_FREE(trigger->numbers, trigger->is_fixed, trigger->outside);
    cor_streaks_fini(&trigger->each);
    cor_lists_fini(&trigger->now);
    free(trigger);
}

void cor_trigger_restart(struct cor_trigger *trigger) {
    memset(trigger->outside, 0, trigger->program.condition_count * sizeof *trigger->outside);
    cor_streaks_clear(&trigger->each);
    trigger->is_new = true;
}

void cor_trigger_restructure(struct cor_trigger *trigger) {
    trigger->is_new = true;
}

uint32_t *cor_trigger_memory(struct cor_trigger *trigger, size_t *size) {
    *size = trigger->program.condition_count * sizeof *trigger->outside;
    return trigger->outside;
}

struct cor_streaks *cor_trigger_streaks(struct cor_trigger *trigger) {
    return &trigger->each;
}

/* Takes one more number into the least, the greatest, the count or the sum. */
static inline double with(enum cor_trigger_operator kind, double so_far, double number) {
    switch (kind) {
    case COR_TRIGGER_UNKNOWNS:
        return so_far + isnan(number);
    case COR_TRIGGER_LEAST:
        return isnan(so_far) || number < so_far ? number : so_far;
    case COR_TRIGGER_GREATEST:
        return isnan(so_far) || number > so_far ? number : so_far;
    default:
        return so_far + number;
    }
}

/* Who is in no organization is in none; who is in two counts in both. */
static void reckon_members(struct cor_trigger *trigger, const struct cor_trigger_node *node,
                           const struct cor_state *state, double *numbers) {
    const struct cor_structure *s = &state->structure;
    const enum cor_trigger_operator kind = node->operator;
    const double nothing = kind == COR_TRIGGER_LEAST || kind == COR_TRIGGER_GREATEST ? NAN : 0;
    const uint8_t *filter =
        node->filter == COR_TRIGGER_NO_FILTER ? NULL : trigger->program.filters[node->filter];
    const double *column = kind == COR_TRIGGER_COUNT ? NULL : trigger->program.columns[node->column].numbers;
    if (!node->by_organization) {
        double made = nothing;
        for (uint32_t agent = 0; agent < trigger->agent_count; agent++)
            if ((!filter || filter[agent]) && !(state->absent && state->absent[agent]))
                made = with(kind, made, column ? column[agent] : 1);
        *numbers = made;
        return;
    }
    for (uint32_t p = 0; p < s->partition_count; p++) {
        double made = nothing;
        for (uint32_t m = s->start[p]; m < s->start[p + 1]; m++)
            if (!filter || filter[s->member[m]])
                made = with(kind, made, column ? column[s->member[m]] : 1);
        numbers[p] = made;
    }
    for (size_t i = 0; i < s->second_count; i++)
        if (!filter || filter[s->second[i].agent])
            numbers[s->second[i].partition] =
                with(kind, numbers[s->second[i].partition], column ? column[s->second[i].agent] : 1);
}

static double negation(double a) {
    return isnan(a) ? a : a == 0;
}

static double conjunction(double a, double b) {
    return a == 0 || b == 0 ? 0 : isnan(a) || isnan(b) ? NAN : 1;
}

static double finite(double a) {
    return isfinite(a) ? a : NAN;
}

static double apply(enum cor_trigger_operator kind, double a, double b) {
    switch (kind) {
    case COR_TRIGGER_AND:
        return conjunction(a, b);
    case COR_TRIGGER_OR:
        return negation(conjunction(negation(a), negation(b)));
    case COR_TRIGGER_NOT:
        return negation(a);
    case COR_TRIGGER_NEGATE:
        return -a;
    case COR_TRIGGER_ABSOLUTE:
        return fabs(a);
    default:
        break;
    }
    if (isnan(a) || isnan(b))
        return NAN;
    switch (kind) {
    case COR_TRIGGER_ADD:
        return finite(a + b);
    case COR_TRIGGER_SUBTRACT:
        return finite(a - b);
    case COR_TRIGGER_MULTIPLY:
        return finite(a * b);
    case COR_TRIGGER_DIVIDE:
        return finite(a / b);
    case COR_TRIGGER_DIVIDE_DOWN:
        return finite(floor(a / b));
    case COR_TRIGGER_LOWER:
        return a < b ? a : b;
    case COR_TRIGGER_HIGHER:
        return a > b ? a : b;
    case COR_TRIGGER_LESS:
        return a < b;
    case COR_TRIGGER_LESS_EQUAL:
        return a <= b;
    case COR_TRIGGER_EQUAL:
        return a == b;
    case COR_TRIGGER_NOT_EQUAL:
        return a != b;
    default:
        COR_ASSERT(false && "an operator of trigger.h");
    }
}

/* The operators of nearly all programs, for all organizations at once. */
static void apply_to_all(enum cor_trigger_operator kind, uint32_t count, const double *a, uint32_t a_step,
                         const double *b, uint32_t b_step, double *numbers) {
    if (kind == COR_TRIGGER_DIVIDE && a_step == 1 && b_step == 1) {
        for (uint32_t p = 0; p < count; p++)
            numbers[p] = a[p] / b[p];
        for (uint32_t p = 0; p < count; p++)
            numbers[p] = finite(numbers[p]);
        return;
    }
    for (uint32_t p = 0; p < count; p++)
        numbers[p] = apply(kind, a[p * a_step], b[p * b_step]);
}

static inline double lesser(double it, double so_far) {
    return it < so_far ? it : so_far;
}

/* The least or the greatest of one number or more: four run side by side, so that none waits for another.
 * False where the order may matter: a number is not known, or the answer is a zero, of which there are two.
 */
static bool plain_extreme(enum cor_trigger_operator kind, uint32_t count, const double *numbers,
                          double *extreme) {
    const double sign =
        kind == COR_TRIGGER_LEAST_OF ? 1 : -1; /* the greatest is the least of the opposites */
    const double first = sign * numbers[0];
    double one = first, two = first, three = first, four = first, sum = 0;
    uint32_t p = 0;
    for (; p + 4 <= count; p += 4) {
        sum += (numbers[p] + numbers[p + 1]) + (numbers[p + 2] + numbers[p + 3]);
        one = lesser(sign * numbers[p], one);
        two = lesser(sign * numbers[p + 1], two);
        three = lesser(sign * numbers[p + 2], three);
        four = lesser(sign * numbers[p + 3], four);
    }
    for (; p < count; p++) {
        sum += numbers[p];
        one = lesser(sign * numbers[p], one);
    }
    *extreme = sign * lesser(lesser(one, two), lesser(three, four));
    return !isnan(sum) && *extreme != 0;
}

/* Over the organizations. A number that is not known, or a filter, makes the whole of reckoning unknown. */
static double over_all(enum cor_trigger_operator kind, uint32_t count, const double *filter,
                       uint32_t filter_step, const double *body, uint32_t body_step) {
    const bool is_condition =
        kind == COR_TRIGGER_ALL_OF || kind == COR_TRIGGER_ANY_OF || kind == COR_TRIGGER_ONE_OF;
    uint32_t taken = 0, unsure = 0;
    double made = 0;
    if ((kind == COR_TRIGGER_LEAST_OF || kind == COR_TRIGGER_GREATEST_OF) && !filter && body_step == 1 &&
        count > 0 && plain_extreme(kind, count, body, &made))
        return made;
    for (uint32_t p = 0; p < count; p++) {
        const double passes = filter ? filter[p * filter_step] : 1;
        const double it = body ? body[p * body_step] : 1;
        if (passes == 0)
            continue;
        if (is_condition) {
            const double example = conjunction(passes, kind == COR_TRIGGER_ALL_OF ? negation(it) : it);
            taken += example == 1;
            unsure += isnan(example) ? 1u : 0u;
            continue;
        }
        if (isnan(passes) || isnan(it))
            return NAN;
        if (kind == COR_TRIGGER_LEAST_OF)
            made = taken == 0 || it < made ? it : made;
        else if (kind == COR_TRIGGER_GREATEST_OF)
            made = taken == 0 || it > made ? it : made;
        else
            made += it;
        taken++;
    }
    if (is_condition) {
        /* All, any and one: how many examples are known, and of how many that is not known. */
        if (kind == COR_TRIGGER_ONE_OF)
            return taken > 1 ? 0 : unsure > 0 ? NAN : taken == 1;
        const double is_one = taken > 0 ? 1 : unsure > 0 ? NAN : 0;
        return kind == COR_TRIGGER_ALL_OF ? negation(is_one) : is_one;
    }
    if (kind == COR_TRIGGER_COUNT_OF)
        return taken;
    if (kind == COR_TRIGGER_SUM_OF)
        return finite(made);
    return taken == 0 ? NAN : kind == COR_TRIGGER_MEAN_OF ? finite(made / taken) : made;
}

static void reckon(struct cor_trigger *trigger, uint32_t index, const struct cor_state *state) {
    const struct cor_trigger_node *nodes = trigger->program.nodes, *node = &nodes[index];
    double *numbers = trigger->numbers[index];
    if (is_leaf(node)) {
        const struct cor_structure *s = &state->structure;
        const bool is_plain = node->filter == COR_TRIGGER_NO_FILTER && node->by_organization;
        if (node->operator== COR_TRIGGER_CONSTANT)
            *numbers = node->constant;
        else if (node->operator== COR_TRIGGER_ORGANIZATIONS)
            *numbers = s->partition_count;
        else if (node->operator== COR_TRIGGER_KEPT)
            memcpy(numbers, *trigger->program.columns[node->column].kept,
                   s->partition_count * sizeof *numbers);
        else if (is_plain &&
                 node->operator== COR_TRIGGER_SUM && trigger->program.columns[node->column].numbers ==
                 state->value)
            memcpy(numbers, s->sum, s->partition_count * sizeof *numbers);
        else if (is_plain && node->operator== COR_TRIGGER_COUNT)
            for (uint32_t p = 0; p < s->partition_count; p++)
                numbers[p] = s->size[p];
        else
            reckon_members(trigger, node, state, numbers);
        return;
    }
    const double *sides[2] = {NULL, NULL};
    uint32_t steps[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        const uint32_t of = side == 0 ? node->left : node->right;
        if (of == COR_NOBODY)
            continue;
        sides[side] = trigger->numbers[of];
        steps[side] = nodes[of].by_organization ? 1u : 0u;
    }
    const uint32_t count = state->structure.partition_count;
    if (node->operator>= COR_TRIGGER_ALL_OF)
        *numbers = over_all(node->operator, count, sides[0], steps[0], sides[1], steps[1]);
    else
        apply_to_all(node->operator, node->by_organization ? count : 1, sides[0], steps[0],
                     sides[1] ? sides[1] : sides[0], sides[1] ? steps[1] : steps[0], numbers);
}

static enum cor_status make_room(struct cor_trigger *trigger, uint32_t organizations,
                                 struct cor_error *error) {
    if (organizations <= trigger->organization_capacity)
        return COR_OK;
    const size_t wanted = organizations > 2 * trigger->organization_capacity
                              ? organizations
                              : 2 * trigger->organization_capacity;
    for (uint32_t i = 0; i < trigger->program.node_count; i++) {
        size_t capacity = trigger->organization_capacity;
        COR_TRY(COR_RESERVE(&trigger->numbers[i], &capacity, wanted, error));
    }
    trigger->organization_capacity = wanted;
    trigger->is_new = true;
    return COR_OK;
}

/* In how many cases on end the organization with most of them violated the condition, with this one. */
static uint32_t count_each(struct cor_trigger *trigger, uint32_t index) {
    const struct cor_trigger_condition *condition = &trigger->program.conditions[index];
    const struct cor_trigger_node *nodes = trigger->program.nodes;
    const bool has_filter = condition->filter != COR_NOBODY;
    const double *holds = trigger->numbers[condition->node],
                 *filter = has_filter ? trigger->numbers[condition->filter] : NULL;
    const uint32_t step = nodes[condition->node].by_organization ? 1 : 0,
                   filter_step = has_filter && nodes[condition->filter].by_organization ? 1 : 0;
    uint32_t most = 0;
    for (uint32_t p = 0; p < trigger->each.blocks.block_count; p++) {
        const double passes = filter ? filter[p * filter_step] : 1;
        const bool violated = conjunction(passes, negation(holds[p * step])) == 1;
        const uint32_t cases = cor_streaks_count(&trigger->each, index, p, violated);
        most = cases > most ? cases : most;
    }
    return most;
}

enum cor_status cor_trigger_watch(struct cor_trigger *trigger, const struct cor_state *state, bool *due,
                                  struct cor_error *error) {
    const uint32_t organizations = state->structure.partition_count;
    COR_TRY(make_room(trigger, organizations > 0 ? organizations : 1, error));
    for (uint32_t i = 0; i < trigger->program.node_count; i++)
        if (trigger->is_new || !trigger->is_fixed[i])
            reckon(trigger, i, state);
    if (trigger->is_new && trigger->has_each) {
        COR_TRY(cor_state_lists(state, &trigger->now, error));
        COR_TRY(cor_streaks_follow(&trigger->each, &trigger->now, trigger->agent_count, error));
    }
    trigger->is_new = false;
    *due = false;
    for (uint32_t c = 0; c < trigger->program.condition_count; c++) {
        const struct cor_trigger_condition *condition = &trigger->program.conditions[c];
        if (condition->is_each)
            trigger->outside[c] = count_each(trigger, c);
        else
            trigger->outside[c] = trigger->numbers[condition->node][0] == 0 ? trigger->outside[c] + 1 : 0;
        *due = *due || trigger->outside[c] >= condition->cases;
    }
    return COR_OK;
}
