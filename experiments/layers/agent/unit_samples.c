/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples of the classes of a unit. Each is drawn from the stream of (seed; unit and variable; class), so
 * that nothing else of a design changes it. A comparison that is not between a variable and a constant may
 * come out otherwise for other samples, and no boundary sees it: where the samples drawn first leave a
 * context, a condition of a body or such a comparison without one of its outcomes, all are drawn again, now
 * and then at values where comparisons turn, and the first try with the most outcomes is kept. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

#define TRIES_MAX 64
#define PROBES_MAX 500 /* cases of a unit that are looked at */
#define TURNS_MAX 64

enum { HELD = 1, HELD_NOT = 2, LESS = 1, EQUAL = 2, GREATER = 4 };

/* A comparison on whose samples its outcome depends, as two conditions over its sides. */
struct tie {
    struct cor_expression less, equal; /* nodes owned */
    uint8_t seen;
};

struct condition {
    const struct cor_expression *expression; /* NULL: a context that there is not */
    uint32_t first_tie, tie_count;
    uint8_t seen;
};

struct sampler {
    struct cor_unit_cases *cases;
    struct cor_design *design;
    const struct agent_layer__boundaries *boundaries; /* [variable] */
    uint64_t unit_hash;
    struct condition *conditions; /* of each plan its context, then those of its body */
    uint32_t condition_count;
    struct tie *ties;
    uint32_t tie_count;
    size_t condition_capacity, tie_capacity;
    int64_t turns[TURNS_MAX]; /* values at which comparisons may turn */
    uint32_t turn_count;
    struct cor_case_values values;
    struct cor_error *error;
};

/* Conditions and comparisons. */
static bool is_numeric(const struct sampler *sampler, uint32_t event, const struct cor_expression *expression,
                       uint32_t index) {
    const struct cor_node *node = &expression->nodes[index];
    if (node->operator!= COR_OPERATOR_VARIABLE)
        return true;
    enum cor_value_type type = cor_design_slot_domain(sampler->design, event, node->variable)->type;
    return type == COR_VALUE_TYPE_INTEGER || type == COR_VALUE_TYPE_REAL;
}

static bool is_tie(const struct sampler *sampler, uint32_t event, const struct cor_expression *expression,
                   uint32_t index) {
    const struct cor_node *node = &expression->nodes[index];
    if (node->operator<COR_OPERATOR_LESS || node->operator> COR_OPERATOR_NOT_EQUAL)
        return false;
    const struct cor_node *left = agent_layer__strip(expression, node->left),
                          *right = agent_layer__strip(expression, node->right);
    bool constant = left->operator== COR_OPERATOR_CONSTANT || right->operator== COR_OPERATOR_CONSTANT;
    bool variable = left->operator== COR_OPERATOR_VARIABLE || right->operator== COR_OPERATOR_VARIABLE;
    bool conditions = left->operator>= COR_OPERATOR_LESS && left->operator<= COR_OPERATOR_NOT;
    return !(constant && variable) && !conditions && is_numeric(sampler, event, expression, node->left) &&
           is_numeric(sampler, event, expression, node->right);
}

/* The expression up to a node, which becomes another operator. */
static enum cor_status copy_part(const struct cor_expression *expression, uint32_t index,
                                 enum cor_operator operator, struct cor_expression * part,
                                 struct cor_error *error) {
    *part = *expression;
    part->text = NULL;
    part->is_constraint = true;
    part->node_count = index + 1;
    part->nodes = cor_calloc(part->node_count, sizeof *part->nodes);
    COR_TRY(cor_made(part->nodes, error));
    memcpy(part->nodes, expression->nodes, part->node_count * sizeof *part->nodes);
    part->nodes[index].operator= operator;
    return COR_OK;
}

static enum cor_status add_condition(struct sampler *sampler, uint32_t event,
                                     const struct cor_expression *expression) {
    COR_TRY(COR_RESERVE(&sampler->conditions, &sampler->condition_capacity, sampler->condition_count + 1,
                        sampler->error));
    struct condition *condition = &sampler->conditions[sampler->condition_count++];
    *condition = (struct condition){.expression = expression, .first_tie = sampler->tie_count};
    for (uint32_t n = 0; expression && n < expression->node_count; n++)
        if (is_tie(sampler, event, expression, n)) {
            COR_TRY(
                COR_RESERVE(&sampler->ties, &sampler->tie_capacity, sampler->tie_count + 1, sampler->error));
            struct tie *tie = &sampler->ties[sampler->tie_count++];
            *tie = (struct tie){.seen = 0};
            COR_TRY(copy_part(expression, n, COR_OPERATOR_LESS, &tie->less, sampler->error));
            COR_TRY(copy_part(expression, n, COR_OPERATOR_EQUAL, &tie->equal, sampler->error));
        }
    condition->tie_count = sampler->tie_count - condition->first_tie;
    return COR_OK;
}

static const struct cor_design_plan *member(const struct sampler *sampler, uint32_t index) {
    const struct cor_units *units = &sampler->cases->file->order.units;
    return &sampler->design->plans[cor_unit_members(units, &units->units[sampler->cases->unit])[index]];
}

static uint32_t member_count(const struct sampler *sampler) {
    return sampler->cases->file->order.units.units[sampler->cases->unit].member_count;
}

/* Values at which comparisons may turn: boundaries, constants beside variables, and their differences. */
static void add_turn(struct sampler *sampler, int64_t value) {
    for (uint32_t t = 0; t < sampler->turn_count; t++)
        if (sampler->turns[t] == value)
            return;
    if (sampler->turn_count < TURNS_MAX)
        sampler->turns[sampler->turn_count++] = value;
}

/* A number that is far from overflowing, as an integer. */
static bool is_small(struct cor_value value, int64_t *integer) {
    const int64_t most = 1000000000;
    if (value.kind == COR_VALUE_REAL && value.as.real > -1e9 && value.as.real < 1e9)
        *integer = (int64_t)value.as.real;
    else if (value.kind == COR_VALUE_INTEGER && value.as.integer > -most && value.as.integer < most)
        *integer = value.as.integer;
    else
        return false;
    return true;
}

static void find_turns(struct sampler *sampler) {
    int64_t boundary;
    for (uint32_t t = 0; t < sampler->tie_count; t++) {
        int64_t constant;
        for (uint32_t n = 0; n < sampler->ties[t].less.node_count; n++) {
            const struct cor_node *node = &sampler->ties[t].less.nodes[n];
            struct cor_value value = node->reals ? cor_real(node->real) : cor_integer(node->constant);
            if (node->operator== COR_OPERATOR_CONSTANT && is_small(value, &constant))
                add_turn(sampler, constant);
        }
    }
    const uint32_t constants = sampler->turn_count;
    for (uint32_t v = 0; v < sampler->cases->variable_count; v++)
        for (uint32_t b = 0; b < sampler->boundaries[v].count; b++)
            if (is_small(sampler->boundaries[v].values[b], &boundary)) {
                add_turn(sampler, boundary);
                for (uint32_t c = 0; c < constants; c++)
                    add_turn(sampler, sampler->turns[c] - boundary);
            }
}

static enum cor_status draw_variable(struct sampler *sampler, const struct cor_case_entry *entry,
                                     uint32_t index, uint32_t attempt) {
    struct cor_unit_cases *cases = sampler->cases;
    const struct cor_unit_variable *variable = &cases->variables[index];
    const bool turns = attempt > 0 && sampler->turn_count > 0;
    for (uint32_t c = 0; c < variable->class_count; c++) {
        /* The stream of a class; the same for a field whichever entry it is a variable of. */
        char text[512];
        cor_unit_variable_text(sampler->cases, entry, variable, text, sizeof text);
        const struct cor_stream_name name = {.seed = sampler->cases->settings.seed,
                                             .identity =
                                                 cor_hash_bytes(sampler->unit_hash, text, strlen(text)),
                                             .sequence = attempt,
                                             .entity = c,
                                             .purpose = COR_PURPOSE_SAMPLE};
        struct cor_rng rng = cor_rng_named(&name);
        /* In every other class a value where a comparison may turn, if one lies in it; else any. */
        struct cor_unit_class *class = &cases->classes[variable->first_class + c];
        const struct cor_domain *domain = &sampler->design->domains[sampler->cases->variables[index].domain];
        if (turns && class->kind == COR_CLASS_INTERVAL && cor_rng_below(&rng, 2) == 0) {
            int64_t turn = sampler->turns[cor_rng_below(&rng, sampler->turn_count)];
            struct cor_value value =
                domain->type == COR_VALUE_TYPE_REAL ? cor_real((double)turn) : cor_integer(turn);
            if (agent_layer__class_has(class, value)) {
                class->sample = value;
                continue;
            }
        }
        COR_TRY(agent_layer__class_draw(class, domain, &sampler->boundaries[index], &sampler->design->words,
                                        &rng, &class->sample, sampler->error));
    }
    return COR_OK;
}

static enum cor_status draw(struct sampler *sampler, uint32_t attempt) {
    struct cor_unit_cases *cases = sampler->cases;
    for (uint32_t e = 0; e < cases->entry_count; e++)
        for (uint32_t v = 0; v < cases->entries[e].variable_count; v++)
            COR_TRY(
                draw_variable(sampler, &cases->entries[e], cases->entries[e].first_variable + v, attempt));
    return COR_OK;
}

static void look_at_ties(struct sampler *sampler, const struct condition *condition) {
    const struct cor_value *slots = sampler->values.slots;
    for (uint32_t t = condition->first_tie; t < condition->first_tie + condition->tie_count; t++) {
        struct tie *tie = &sampler->ties[t];
        if (cor_expression_judge(&tie->less, slots))
            tie->seen |= LESS;
        else
            tie->seen |= cor_expression_judge(&tie->equal, slots) ? EQUAL : GREATER;
    }
}

/* The outcomes of a plan's conditions in one case: that a context holds counts in valid cases alone, and what
 * a body says where its plan is started in one. Bodies are looked at with the values at the start. */
static void look_at_plan(struct sampler *sampler, struct condition *condition, uint32_t branch_count) {
    const struct cor_case_values *values = &sampler->values;
    bool holds = !condition->expression || cor_expression_judge(condition->expression, values->slots);
    if (!holds)
        condition->seen |= HELD_NOT;
    if (!values->valid)
        return;
    look_at_ties(sampler, condition);
    if (holds)
        condition->seen |= HELD;
    for (uint32_t b = 1; holds && b <= branch_count; b++) {
        condition[b].seen |= cor_expression_judge(condition[b].expression, values->slots) ? HELD : HELD_NOT;
        look_at_ties(sampler, &condition[b]);
    }
}

static uint32_t bits(uint8_t seen) {
    return (seen & 1u) + (seen >> 1 & 1u) + (seen >> 2 & 1u);
}

static enum cor_status draw_best(struct sampler *sampler) {
    const uint32_t wanted = 2 * sampler->condition_count + 3 * sampler->tie_count;
    uint32_t best = 0, best_score = 0, attempt = 0;
    for (; attempt < TRIES_MAX && best_score < wanted; attempt++) {
        COR_TRY(draw(sampler, attempt));
        /* How many outcomes of conditions and comparisons the cases have. */
        const uint64_t count =
            sampler->cases->count - sampler->cases->own_count - sampler->cases->solved_count;
        uint32_t reached = 0;
        for (uint32_t c = 0; c < sampler->condition_count; c++)
            sampler->conditions[c].seen = 0;
        for (uint32_t t = 0; t < sampler->tie_count; t++)
            sampler->ties[t].seen = 0;
        for (uint64_t i = 0; i < count && i < PROBES_MAX; i++) {
            const uint64_t index = count <= PROBES_MAX ? i : cor_hash_word(COR_HASH_SEED, i) % count;
            struct cor_case_values *values = &sampler->values;
            struct condition *condition = sampler->conditions;
            cor_unit_case_make(sampler->cases, index, values);
            cor_design_view(sampler->design, values->event, values->beliefs, values->arguments,
                            values->slots);
            for (uint32_t m = 0; m < member_count(sampler); m++) {
                const struct cor_design_plan *plan = member(sampler, m);
                if (plan->trigger == values->event)
                    look_at_plan(sampler, condition, plan->code.branch_count);
                condition += 1 + plan->code.branch_count;
            }
        }
        for (uint32_t c = 0; c < sampler->condition_count; c++)
            reached += bits(sampler->conditions[c].seen);
        for (uint32_t t = 0; t < sampler->tie_count; t++)
            reached += bits(sampler->ties[t].seen);
        if (reached > best_score) {
            best_score = reached;
            best = attempt;
        }
    }
    return best + 1 == attempt ? COR_OK : draw(sampler, best);
}

enum cor_status agent_layer__unit_samples_draw(struct cor_unit_cases *cases,
                                               const struct agent_layer__boundaries *boundaries,
                                               struct cor_error *error) {
    struct sampler sampler = {
        .cases = cases, .design = cases->file->design, .boundaries = boundaries, .error = error};
    enum cor_status status = COR_OK;
    char *name = cor_unit_name(sampler.design, &cases->file->order.units, cases->unit);
    COR_TRY_OUT(cor_made(name, error));
    sampler.unit_hash = cor_hash_bytes(COR_HASH_SEED, name, strlen(name));
    for (uint32_t m = 0; m < member_count(&sampler); m++) {
        const struct cor_design_plan *plan = member(&sampler, m);
        const struct cor_plan_code *code = &plan->code;
        COR_TRY_OUT(add_condition(&sampler, plan->trigger, code->has_context ? &code->context : NULL));
        for (uint32_t i = 0; i < code->instruction_count; i++)
            if (code->instructions[i].kind == COR_INSTRUCTION_BRANCH)
                COR_TRY_OUT(add_condition(&sampler, plan->trigger,
                                          &code->expressions[code->instructions[i].expression]));
    }
    if (sampler.tie_count == 0) { /* the outcomes are those of the classes, whatever the samples */
        status = draw(&sampler, 0);
        goto out;
    }
    find_turns(&sampler);
    COR_TRY_OUT(cor_case_values_init(&sampler.values, sampler.design, error));
    COR_TRY_OUT(draw_best(&sampler));
out:
    cor_case_values_fini(&sampler.values);
    for (uint32_t t = 0; t < sampler.tie_count; t++) {
        free(sampler.ties[t].less.nodes);
        free(sampler.ties[t].equal.nodes);
    }
    free(sampler.ties);
    free(sampler.conditions);
    free(name);
    return status;
}
