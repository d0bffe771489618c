/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From all facts that a constraint may have been violated by to some of which none can be spared. Those that
 * say little stand first, since what stands first goes first. */
#include "partial.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FACTS_MAX (1u << 22) /* a state with more has no reason */

/* What a condition reads. */
struct needs {
    bool members, parents, extremes;
    bool attributes[COR_CORRIDOR_ROWS_MAX]; /* of agents */
    bool declared[COR_CORRIDOR_ROWS_MAX];   /* of organizations */
};

/* Elements that decide by themselves; NULL: there are none, so all are looked at. */
struct scope {
    bool *agents, *organizations; /* owned */
    bool has_any;
};

static void note_needs(const struct cor_corridor *corridor, const struct cor_expression *condition,
                       struct needs *needs) {
    *needs = (struct needs){.members = false};
    for (uint32_t i = 0; i < condition->node_count; i++) {
        const struct cor_node *node = &condition->nodes[i];
        const enum cor_operator kind = node->operator;
        needs->extremes = needs->extremes || kind == COR_OPERATOR_LEAST || kind == COR_OPERATOR_GREATEST;
        if (kind == COR_OPERATOR_ATTRIBUTE && node->element == COR_AGENT)
            needs->attributes[node->variable] = true;
        const bool is_of_organization = kind == COR_OPERATOR_ATTRIBUTE && node->element == COR_ORGANIZATION,
                   is_declared = is_of_organization && node->variable >= COR_ORGANIZATION_DECLARED;
        if (is_declared)
            needs->declared[node->variable - COR_ORGANIZATION_DECLARED] = true;
        needs->parents =
            needs->parents || kind == COR_OPERATOR_REFERENCE || (is_of_organization && !is_declared);
        if (node->variable == COR_NONE ||
            (kind != COR_OPERATOR_BIND && kind != COR_OPERATOR_SIZE && kind != COR_OPERATOR_IN))
            continue;
        const bool is_children =
            condition->nodes[node->left].element == COR_ORGANIZATION && node->variable == 1;
        needs->parents = needs->parents || is_children;
        needs->members = needs->members || !is_children;
    }
    needs->parents = needs->parents && cor_structure_nests(corridor->kind);
}

/* Queries that an element decides do so only where all around them are so, too. */
static void settle_focus(struct corridor__partial *p) {
    for (uint32_t i = 0; i < p->condition->node_count; i++)
        if (p->condition->nodes[i].operator== COR_OPERATOR_BIND && p->focus[i] == COR_NONE)
            for (uint32_t inner = i; inner < (uint32_t)p->condition->nodes[i].constant; inner++)
                p->focus[inner] = COR_NONE;
}

static enum cor_status make_scope(const struct corridor__partial *p, struct scope *scope,
                                  struct cor_error *error) {
    scope->agents = cor_calloc(p->agents, sizeof *scope->agents);
    scope->organizations = cor_calloc(p->organizations, sizeof *scope->organizations);
    if (!scope->agents || !scope->organizations)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < p->condition->node_count; i++) {
        const struct cor_node *bind = &p->condition->nodes[i];
        if (bind->operator!= COR_OPERATOR_BIND || p->focus[i] == COR_NONE)
            continue;
        uint8_t type = bind->element;
        if (bind->variable != COR_NONE)
            type = p->corridor->scope.shape->types[p->condition->nodes[bind->left].element]
                       .collections[bind->variable]
                       .type;
        (type == COR_AGENT ? scope->agents : scope->organizations)[p->focus[i]] = true;
        scope->has_any = true;
    }
    return COR_OK;
}

static enum cor_status add(struct cor_reason *reason, struct cor_fact fact, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&reason->facts, &reason->capacity, reason->count + 1, error));
    reason->facts[reason->count++] = fact;
    return COR_OK;
}

/* Memberships that are so, or that are not. */
static enum cor_status add_members(const struct corridor__partial *p, const struct scope *scope,
                                   bool are_members, struct cor_reason *reason, struct cor_error *error) {
    if (!are_members && !scope && p->is_exclusive)
        return COR_OK; /* where an agent is says where it is not */
    for (uint32_t o = 0; o < p->organizations; o++)
        for (uint32_t a = 0; a < p->agents; a++) {
            const bool is_meant = !scope || scope->organizations[o] || scope->agents[a];
            if (is_meant && (p->is_member[(size_t)a * p->organizations + o] != 0) == are_members)
                COR_TRY(add(reason,
                            (struct cor_fact){are_members ? COR_FACT_MEMBER : COR_FACT_NO_MEMBER, a, o, 0},
                            error));
        }
    return COR_OK;
}

/* Attributes of agents, of those in organizations that decide, or of the others. */
static enum cor_status add_attributes(const struct corridor__partial *p, const struct needs *needs,
                                      const struct scope *scope, bool are_near, struct cor_reason *reason,
                                      struct cor_error *error) {
    for (uint32_t q = 0; q < p->corridor->attribute_count; q++)
        for (uint32_t a = 0; a < p->agents && needs->attributes[q]; a++) {
            const struct cor_attribute_values *column = &p->state->columns[q];
            bool is_near = !scope || scope->agents[a];
            for (uint32_t o = 0; o < p->organizations && !is_near; o++)
                is_near = scope->organizations[o] && p->is_member[(size_t)a * p->organizations + o];
            if (is_near == are_near && !(column->unknown && column->unknown[a]))
                COR_TRY(add(reason, (struct cor_fact){COR_FACT_ATTRIBUTE, a, COR_NOBODY, q}, error));
        }
    return COR_OK;
}

static enum cor_status add_declared(const struct corridor__partial *p, const struct needs *needs,
                                    struct cor_reason *reason, struct cor_error *error) {
    for (uint32_t q = 0; q < p->corridor->organization_attribute_count; q++)
        for (uint32_t o = 0; o < p->organizations && needs->declared[q]; o++) {
            const struct cor_attribute_values *columns = p->state->organization_columns;
            if (columns && !(columns[q].unknown && columns[q].unknown[o]))
                COR_TRY(
                    add(reason, (struct cor_fact){COR_FACT_ORGANIZATION_ATTRIBUTE, COR_NOBODY, o, q}, error));
        }
    return COR_OK;
}

static enum cor_status list_facts(const struct corridor__partial *p, const struct needs *needs,
                                  const struct scope *scope, struct cor_reason *reason,
                                  struct cor_error *error) {
    reason->count = 0;
    COR_TRY(add_declared(p, needs, reason, error));
    COR_TRY(add_attributes(p, needs, scope, false, reason, error));
    if (needs->members)
        COR_TRY(add_members(p, scope, false, reason, error));
    COR_TRY(add_attributes(p, needs, scope, true, reason, error));
    if (needs->members)
        COR_TRY(add_members(p, scope, true, reason, error));
    for (uint32_t o = 0; o < p->organizations && needs->parents; o++)
        COR_TRY(add(reason, (struct cor_fact){COR_FACT_PARENT, COR_NOBODY, o, 0}, error));
    return COR_OK;
}

static void set_facts(struct corridor__partial *p, const struct cor_reason *reason, size_t first, size_t end,
                      bool are_known) {
    for (size_t i = first; i < end; i++)
        corridor__partial_set(p, &reason->facts[i], are_known);
}

/* Spares what can be spared of the facts first .. end - 1: all of them, else of each half. `is_kept` is left
 * true of the others. */
static void spare(struct corridor__partial *p, const struct cor_reason *reason, bool *is_kept, size_t first,
                  size_t end) {
    if (first == end)
        return;
    set_facts(p, reason, first, end, false);
    if (corridor__partial_ask(p) == CORRIDOR__FALSE) {
        memset(is_kept + first, false, end - first);
        return;
    }
    set_facts(p, reason, first, end, true);
    if (end - first == 1)
        return;
    const size_t middle = first + (end - first) / 2;
    spare(p, reason, is_kept, first, middle);
    spare(p, reason, is_kept, middle, end);
}

static enum cor_status shrink(struct corridor__partial *p, struct cor_reason *reason,
                              struct cor_error *error) {
    bool *is_kept = cor_calloc(reason->count, sizeof *is_kept);
    size_t kept = 0;
    COR_TRY(cor_made(is_kept, error));
    memset(is_kept, true, reason->count);
    spare(p, reason, is_kept, 0, reason->count);
    for (size_t i = 0; i < reason->count; i++)
        if (is_kept[i])
            reason->facts[kept++] = reason->facts[i];
    reason->count = kept;
    free(is_kept);
    return COR_OK;
}

enum cor_status cor_corridor_reason(const struct cor_corridor *corridor, const struct cor_snapshot *state,
                                    uint32_t constraint, struct cor_reason *reason, struct cor_error *error) {
    struct corridor__partial p;
    struct needs needs;
    struct scope scope = {.has_any = false};
    enum cor_status status = COR_OK;
    reason->count = 0;
    reason->is_there = reason->is_minimal = false;
    if (!cor_corridor_is_plain(corridor, constraint))
        return COR_OK;
    if ((uint64_t)state->agent_count * state->organizations->block_count > FACTS_MAX)
        return COR_OK;
    note_needs(corridor, &corridor->constraints[constraint].condition, &needs);
    COR_TRY_OUT(corridor__partial_init(&p, corridor, state, constraint, error));
    p.mode = CORRIDOR__FIND_WIDEST;
    if (needs.extremes)
        corridor__partial_ask(&p);
    COR_TRY_OUT(list_facts(&p, &needs, NULL, reason, error));
    set_facts(&p, reason, 0, reason->count, true);
    p.mode = CORRIDOR__FIND_FOCUS;
    if (corridor__partial_ask(&p) != CORRIDOR__FALSE)
        goto out;
    p.mode = CORRIDOR__USE_FOCUS;
    settle_focus(&p);
    COR_TRY_OUT(make_scope(&p, &scope, error));
    if (scope.has_any) {
        corridor__partial_forget(&p);
        COR_TRY_OUT(list_facts(&p, &needs, &scope, reason, error));
        set_facts(&p, reason, 0, reason->count, true);
        if (corridor__partial_ask(&p) != CORRIDOR__FALSE) {
            memset(p.focus, 0xFF, p.condition->node_count * sizeof *p.focus);
            corridor__partial_forget(&p);
            COR_TRY_OUT(list_facts(&p, &needs, NULL, reason, error));
            set_facts(&p, reason, 0, reason->count, true);
        }
    }
    COR_TRY_OUT(shrink(&p, reason, error));
    reason->is_there = true;
out:
    if (status == COR_OK && p.is_short)
        status = cor_fail_memory(error);
    corridor__partial_fini(&p);
    free(scope.agents);
    free(scope.organizations);
    return status;
}

void cor_reason_fini(struct cor_reason *reason) {
    free(reason->facts);
    *reason = (struct cor_reason){.facts = NULL};
}

/* "capacity of agent 3 is 12". */
static void put_value_text(const struct cor_quantity *quantity, const struct cor_attribute_values *column,
                           const char *whose, uint32_t element, const struct cor_corridor *corridor,
                           char *text, size_t size) {
    const enum cor_value_type type = quantity->domain.type;
    char shown[200];
    if (type == COR_VALUE_TYPE_REAL) {
        snprintf(shown, sizeof shown, "%.12g", column->reals[element]);
    } else {
        struct cor_value value = cor_integer(column->integers[element]);
        if (type == COR_VALUE_TYPE_STRING || type == COR_VALUE_TYPE_ENUMERATION)
            value = cor_word((uint32_t)value.as.integer);
        cor_value_text(value, &quantity->domain, &corridor->words, shown, sizeof shown);
    }
    snprintf(text, size, "%s of %s %u is %s", quantity->name, whose, element, shown);
}

void cor_fact_text(const struct cor_fact *fact, const struct cor_corridor *corridor,
                   const struct cor_snapshot *state, char *text, size_t size) {
    if (fact->kind == COR_FACT_MEMBER || fact->kind == COR_FACT_NO_MEMBER) {
        snprintf(text, size, "agent %u is %sin organization %u", fact->agent,
                 fact->kind == COR_FACT_MEMBER ? "" : "not ", fact->organization);
    } else if (fact->kind == COR_FACT_ATTRIBUTE) {
        put_value_text(&corridor->attributes[fact->attribute], &state->columns[fact->attribute], "agent",
                       fact->agent, corridor, text, size);
    } else if (fact->kind == COR_FACT_ORGANIZATION_ATTRIBUTE) {
        put_value_text(&corridor->organization_attributes[fact->attribute],
                       &state->organization_columns[fact->attribute], "organization", fact->organization,
                       corridor, text, size);
    } else if (state->parents[fact->organization] == COR_NOBODY) {
        snprintf(text, size, "organization %u has no parent", fact->organization);
    } else {
        snprintf(text, size, "the parent of organization %u is organization %u", fact->organization,
                 state->parents[fact->organization]);
    }
}
