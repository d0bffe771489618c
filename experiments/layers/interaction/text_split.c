/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which triggers of a corridor as a text somebody can watch who sees one organization, or one agent, alone:
 * a conjunction of "all(o in organizations: ..)" and "all(a in agents: ..)" is violated if and only if one of
 * these is by what one organization, or one agent, has. */
#include "text_internal.h"

#include <corridor/array.h>
#include <corridor/structures.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MEMBERS }; /* a collection of an organization */

/* One trigger, while it is split. */
struct splitting {
    const struct interaction__text *text;
    const struct interaction__text_judge *judge;
    const struct cor_constraint *constraint;
    uint32_t number;
    bool by_agents;
    struct cor_trigger_program *program;
    struct interaction__parts *parts;
    char *reason; /* owned; NULL: it has been split so far */
    struct cor_error *error;
};

/* It does not split: because of this part of it. */
static enum cor_status give_up(struct splitting *s, uint32_t node, const char *why) {
    char part[400];
    cor_span_text(&s->constraint->condition.spans[node], part, sizeof part);
    s->reason = cor_format("\"%s\" %s", part, why);
    return cor_made(s->reason, s->error);
}

/* Is the number, or condition, the same for all, or reckoned of what an organization has by itself? */
static bool is_own(const struct cor_trigger_program *program, uint32_t index) {
    const struct cor_trigger_node *node = &program->nodes[index];
    if (node->operator== COR_TRIGGER_CONSTANT)
        return true;
    if (node->operator<= COR_TRIGGER_GREATEST)
        return node->by_organization;
    if (node->operator>= COR_TRIGGER_ALL_OF)
        return false;
    return is_own(program, node->left) && (node->right == COR_NOBODY || is_own(program, node->right));
}

/* "all" over members of the organization that is bound there. */
static bool is_all_of_members(const struct cor_node *nodes, uint32_t index, uint32_t organization) {
    const struct cor_node *query = &nodes[index];
    if (query->operator!= COR_OPERATOR_ALL)
        return false;
    const struct cor_node *bind = &nodes[query->variable];
    return bind->element == COR_AGENT && bind->variable == MEMBERS && bind->left == organization;
}

static enum cor_status split_all(struct splitting *s, uint32_t index) {
    const struct cor_node *nodes = s->constraint->condition.nodes, *query = &nodes[index];
    const bool is_of_agents = nodes[query->variable].element == COR_AGENT;
    struct interaction__part part = {.constraint = s->number};
    if (is_of_agents && s->text->corridor->kind == COR_STRUCTURE_OVERLAPPING)
        return give_up(s, index, "is about agents in no organization, too");
    if (s->by_agents && !is_of_agents &&
        (query->left != query->variable || !is_all_of_members(nodes, query->right, query->variable)))
        return give_up(s, index, "is about an organization, not about each agent by itself");
    for (uint32_t n = 0; s->by_agents && !is_of_agents && n < s->constraint->condition.node_count; n++)
        if (nodes[n].operator== COR_OPERATOR_SIZE && nodes[n].left == query->variable)
            return give_up(s, index, "is about an organization, not about each agent by itself");
    COR_TRY(interaction__text_lower_all(s->text, s->judge, s->constraint, index, s->program, &part.root,
                                        &part.filter, s->error));
    if (!is_own(s->program, part.root) || (part.filter != COR_NOBODY && !is_own(s->program, part.filter)))
        return give_up(s, index, "compares with what others have");
    COR_TRY(COR_RESERVE(&s->parts->parts, &s->parts->capacity, s->parts->count + (size_t)1, s->error));
    s->parts->parts[s->parts->count++] = part;
    return COR_OK;
}

static enum cor_status split(struct splitting *s, uint32_t index) {
    const struct cor_node *nodes = s->constraint->condition.nodes, *node = &nodes[index];
    if (node->operator== COR_OPERATOR_AND) {
        COR_TRY(split(s, node->left));
        return s->reason ? COR_OK : split(s, node->right);
    }
    if (node->operator== COR_OPERATOR_ALL && nodes[node->variable].variable == COR_NONE)
        return split_all(s, index);
    return give_up(s, index, "is about all organizations together");
}

static enum cor_status split_trigger(struct splitting *s) {
    const uint32_t before = s->parts->count;
    if (s->constraint->cases > 1) {
        s->reason = cor_format("it is due after %u cases on end, whichever organizations violate it in each",
                               s->constraint->cases);
        return cor_made(s->reason, s->error);
    }
    COR_TRY(split(s, s->constraint->condition.node_count - 1));
    if (s->reason)
        s->parts->count = before;
    return COR_OK;
}

enum cor_status interaction__text_split(const struct interaction__text *text,
                                        const struct interaction__text_judge *judge, bool by_agents,
                                        struct cor_trigger_program *program, struct interaction__parts *parts,
                                        struct cor_error *error) {
    const struct cor_corridor *corridor = text->corridor;
    parts->triggers = cor_calloc(corridor->constraint_count, sizeof *parts->triggers);
    parts->reasons = cor_calloc(corridor->constraint_count, sizeof *parts->reasons);
    COR_TRY(cor_made(parts->triggers, error));
    COR_TRY(cor_made(parts->reasons, error));
    for (uint32_t c = 0; c < corridor->constraint_count; c++) {
        const struct cor_constraint *constraint = &corridor->constraints[c];
        if (constraint->kind == COR_CONSTRAINT_TEMPORAL || constraint->cases == 0)
            continue;
        struct splitting s = {.text = text,
                              .judge = judge,
                              .constraint = constraint,
                              .number = c,
                              .by_agents = by_agents,
                              .program = program,
                              .parts = parts,
                              .error = error};
        parts->triggers[parts->trigger_count] = c;
        const enum cor_status status = split_trigger(&s);
        parts->reasons[parts->trigger_count++] = s.reason;
        COR_TRY(status);
    }
    return COR_OK;
}

void interaction__parts_fini(struct interaction__parts *parts) {
    for (uint32_t t = 0; t < parts->trigger_count; t++)
        free(parts->reasons[t]);
    free(parts->reasons);
    free(parts->triggers);
    free(parts->parts);
    *parts = (struct interaction__parts){0};
}
