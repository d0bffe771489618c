/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A state as a world of agents and organizations. What no condition asks for is not made. */
#include "channels.h"
#include "shown.h"
#include "structure.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS, CHILDREN }; /* collections of organizations */

/* Attributes of organizations that are reckoned; owned. */
struct places {
    int64_t *levels, *is_root;
    uint8_t *has_no_level;
};

struct cor_corridor_judge {
    const struct cor_corridor *corridor;
    struct cor_oracle *oracle;                             /* owned; of partitionings */
    uint32_t agent_count, organization_count, entry_count; /* that there is room for */
    struct corridor__marks marks;                          /* owned */
    bool needs_organizations, needs_children, needs_levels, needs_before;

    uint32_t *organization_start, *organizations; /* owned; of agents */
    uint32_t *child_start, *children;             /* owned; of organizations */
    uint32_t *parents;                            /* owned; where a state has none */
    struct places places, places_before;
    uint8_t *all_unknown; /* owned; [organization] of an attribute that a state does not say */

    struct cor_attribute_values *columns, *columns_before; /* owned; of organizations */
    struct cor_memberships of_agents, of_organizations[2];
    const uint32_t *references;
    struct cor_population populations[2], before[2];
    struct cor_world world;
    const struct cor_value *parameters; /* of the state */
    struct corridor__channels channels; /* of what is observed: what was told up to the state */
    const struct cor_snapshot *state;
};

/* Notes what the conditions ask for. */
static void note_needs(struct cor_corridor_judge *judge, const struct cor_expression *condition) {
    for (uint32_t i = 0; i < condition->node_count; i++) {
        const struct cor_node *node = &condition->nodes[i];
        const enum cor_operator kind = node->operator;
        const bool is_attribute = kind == COR_OPERATOR_ATTRIBUTE || kind == COR_OPERATOR_BEFORE;
        judge->needs_levels |=
            is_attribute && node->element == COR_ORGANIZATION && node->variable < COR_ORGANIZATION_DECLARED;
        judge->needs_before |= kind == COR_OPERATOR_BEFORE;
        if (node->variable == COR_NONE ||
            (kind != COR_OPERATOR_BIND && kind != COR_OPERATOR_SIZE && kind != COR_OPERATOR_IN))
            continue;
        const bool is_of_agent = condition->nodes[node->left].element == COR_AGENT;
        judge->needs_organizations |= is_of_agent;
        judge->needs_children |= !is_of_agent && node->variable == CHILDREN;
    }
}

enum cor_status cor_corridor_judge_create(const struct cor_corridor *corridor,
                                          struct cor_corridor_judge **judge, struct cor_error *error) {
    *judge = cor_calloc(1, sizeof **judge);
    COR_TRY(cor_made(*judge, error));
    (*judge)->corridor = corridor;
    const size_t columns = (size_t)COR_ORGANIZATION_DECLARED + corridor->organization_attribute_count;
    (*judge)->columns = cor_calloc(columns, sizeof *(*judge)->columns);
    (*judge)->columns_before = cor_calloc(columns, sizeof *(*judge)->columns_before);
    if (!(*judge)->columns || !(*judge)->columns_before ||
        corridor__channels_init(&(*judge)->channels, corridor->channel_count, NULL) != COR_OK) {
        cor_corridor_judge_destroy(*judge);
        *judge = NULL;
        return cor_fail_memory(error);
    }
    for (uint32_t i = 0; i < corridor->constraint_count; i++)
        note_needs(*judge, &corridor->constraints[i].condition);
    note_needs(*judge, &corridor->objective.condition);
    return COR_OK;
}

static void free_memory(struct cor_corridor_judge *judge) {
    cor_oracle_destroy(judge->oracle);
    judge->oracle = NULL;
    void *const all[] = {judge->marks.agents,
                         judge->marks.passed,
                         judge->marks.has_children,
                         judge->organization_start,
                         judge->organizations,
                         judge->child_start,
                         judge->children,
                         judge->parents,
                         judge->places.levels,
                         judge->places.is_root,
                         judge->places.has_no_level,
                         judge->places_before.levels,
                         judge->places_before.is_root,
                         judge->places_before.has_no_level,
                         judge->all_unknown};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

void cor_corridor_judge_destroy(struct cor_corridor_judge *judge) {
    if (!judge)
        return;
    free_memory(judge);
    corridor__channels_fini(&judge->channels);
    free(judge->columns);
    free(judge->columns_before);
    free(judge);
}

static bool make_places(struct places *places, uint32_t organizations) {
    places->levels = cor_calloc(organizations, sizeof *places->levels);
    places->is_root = cor_calloc(organizations, sizeof *places->is_root);
    places->has_no_level = cor_calloc(organizations, 1);
    return places->levels && places->is_root && places->has_no_level;
}

/* Memory for so many; what was in it is lost. */
static enum cor_status make_room(struct cor_corridor_judge *judge, uint32_t agents, uint32_t organizations,
                                 uint32_t entries, struct cor_error *error) {
    if (judge->oracle && agents <= judge->agent_count && organizations <= judge->organization_count &&
        entries <= judge->entry_count)
        return COR_OK;
    free_memory(judge);
    judge->marks.agents = cor_calloc(agents, sizeof *judge->marks.agents);
    judge->marks.passed = cor_calloc(organizations, sizeof *judge->marks.passed);
    judge->marks.has_children = cor_calloc(organizations, sizeof *judge->marks.has_children);
    judge->organization_start = cor_calloc((size_t)agents + 2, sizeof *judge->organization_start);
    judge->organizations = cor_calloc(entries, sizeof *judge->organizations);
    judge->child_start = cor_calloc((size_t)organizations + 2, sizeof *judge->child_start);
    judge->children = cor_calloc(organizations, sizeof *judge->children);
    judge->parents = cor_calloc(organizations, sizeof *judge->parents);
    judge->all_unknown = cor_calloc(organizations, 1);
    const bool has_now = make_places(&judge->places, organizations),
               has_before = make_places(&judge->places_before, organizations);
    judge->agent_count = agents;
    judge->organization_count = organizations;
    judge->entry_count = entries;
    if (!judge->marks.agents || !judge->marks.passed || !judge->marks.has_children ||
        !judge->organization_start || !judge->organizations || !judge->child_start || !judge->children ||
        !judge->parents || !judge->all_unknown || !has_now || !has_before)
        return cor_fail_memory(error);
    memset(judge->all_unknown, 1, organizations);
    return cor_oracle_create(agents, &judge->oracle, error);
}

/* The organizations of each agent, ascending, each once. */
static void make_organizations(struct cor_corridor_judge *judge, const struct cor_snapshot *state) {
    const struct cor_lists *lists = state->organizations;
    uint32_t *start = judge->organization_start, *last = start + 1, total = 0;
    struct corridor__mark *marks = judge->marks.agents;
    memset(marks, 0, state->agent_count * sizeof *marks);
    memset(start, 0, ((size_t)state->agent_count + 2) * sizeof *start);
    /* start[agent + 2] counts, then start[agent + 1] is where the agent's begin, and in the end where they
     * end. */
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t o = 0; o < lists->block_count; o++)
            for (uint32_t m = lists->start[o]; m < lists->start[o + 1]; m++) {
                const uint32_t agent = lists->members[m];
                if (agent >= state->agent_count || marks[agent].last == o + 1)
                    continue;
                marks[agent].last = o + 1;
                if (pass == 0)
                    last[agent]++;
                else
                    judge->organizations[last[agent]++] = o;
            }
        for (uint32_t agent = 0; agent < state->agent_count && pass == 0; agent++) {
            const uint32_t count = last[agent];
            last[agent] = total;
            total += count;
            marks[agent].last = 0;
        }
    }
    judge->of_agents = (struct cor_memberships){start, judge->organizations};
}

/* The children of each organization, ascending. */
static void make_children(struct cor_corridor_judge *judge, uint32_t count, const uint32_t *parents) {
    uint32_t *start = judge->child_start, *last = start + 1, total = 0;
    memset(start, 0, ((size_t)count + 2) * sizeof *start);
    for (uint32_t o = 0; o < count; o++)
        if (parents[o] < count)
            last[parents[o]]++;
    for (uint32_t o = 0; o < count; o++) {
        const uint32_t size = last[o];
        last[o] = total;
        total += size;
    }
    for (uint32_t o = 0; o < count; o++)
        if (parents[o] < count)
            judge->children[last[parents[o]]++] = o;
    judge->of_organizations[CHILDREN] = (struct cor_memberships){start, judge->children};
}

/* How many parents stand above each organization; none is known where they end in a cycle or nowhere. The
 * way up is gone once: on the way back down each gets its level. */
static void make_levels(struct cor_corridor_judge *judge, uint32_t count, const uint32_t *parents,
                        struct places *places) {
    uint32_t *passed = judge->marks.passed;
    memset(passed, 0, count * sizeof *passed);
    for (uint32_t o = 0; o < count; o++) {
        uint32_t at = o, length = 0;
        places->is_root[o] = parents[o] == COR_NOBODY;
        while (at < count && passed[at] == 0) {
            passed[at] = o + 1;
            at = parents[at];
            length++;
        }
        /* Above the way: nothing, an organization whose level is settled, or a place on the way itself. */
        const bool is_cycle = at < count && passed[at] == o + 1;
        const bool is_lost = is_cycle || (at >= count ? at != COR_NOBODY : places->has_no_level[at]);
        int64_t level = at < count && !is_lost ? places->levels[at] + length : (int64_t)length - 1;
        at = o;
        for (uint32_t i = 0; i < length; i++, at = parents[at]) {
            places->has_no_level[at] = is_lost;
            places->levels[at] = level--;
        }
    }
}

/* The attributes of the organizations of a state, the levels where they are asked for. */
static void make_columns(struct cor_corridor_judge *judge, const struct cor_snapshot *state,
                         const uint32_t *parents, struct places *places,
                         struct cor_attribute_values *columns) {
    if (judge->needs_levels)
        make_levels(judge, state->organizations->block_count, parents, places);
    columns[COR_LEVEL] = (struct cor_attribute_values){NULL, places->levels, places->has_no_level};
    columns[COR_IS_ROOT] = (struct cor_attribute_values){NULL, places->is_root, NULL};
    for (uint32_t a = 0; a < judge->corridor->organization_attribute_count; a++)
        columns[COR_ORGANIZATION_DECLARED + a] =
            state->organization_columns ? state->organization_columns[a]
                                        : (struct cor_attribute_values){NULL, NULL, judge->all_unknown};
}

/* What is asked of the state before is attributes. */
static void make_before(struct cor_corridor_judge *judge, const struct cor_snapshot *state) {
    const uint32_t *parents = state->parents;
    if (!parents) {
        memset(judge->parents, 0xFF, state->organizations->block_count * sizeof *judge->parents);
        parents = judge->parents;
    }
    make_columns(judge, state, parents, &judge->places_before, judge->columns_before);
    judge->before[COR_AGENT] = (struct cor_population){state->agent_count, state->columns, NULL, NULL};
    judge->before[COR_ORGANIZATION] =
        (struct cor_population){state->organizations->block_count, judge->columns_before, NULL, NULL};
    judge->world.before = judge->before;
}

static void make_world(struct cor_corridor_judge *judge, const struct cor_snapshot *state) {
    const struct cor_lists *lists = state->organizations;
    const uint32_t count = lists->block_count;
    const uint32_t *parents = state->parents;
    judge->world.before = NULL;
    if (judge->needs_before && state->before)
        make_before(judge, state->before);
    if (!parents) {
        memset(judge->parents, 0xFF, count * sizeof *judge->parents);
        parents = judge->parents;
    }
    if (judge->needs_organizations)
        make_organizations(judge, state);
    if (judge->needs_children)
        make_children(judge, count, parents);
    make_columns(judge, state, parents, &judge->places, judge->columns);
    judge->of_organizations[MEMBERS] =
        (struct cor_memberships){lists->start, lists->members ? lists->members : judge->organizations};
    judge->references = parents;
    judge->populations[COR_AGENT] =
        (struct cor_population){state->agent_count, state->columns, &judge->of_agents, NULL};
    judge->populations[COR_ORGANIZATION] =
        (struct cor_population){count, judge->columns, judge->of_organizations, &judge->references};
    judge->world.populations = judge->populations;
    judge->parameters = state->parameters;
}

/* Of what is observed there is nothing but agents, what they show and what they tell. */
static enum cor_status look_at_observed(struct cor_corridor_judge *judge, const struct cor_snapshot *state,
                                        struct cor_error *error) {
    judge->populations[COR_AGENT] =
        (struct cor_population){state->agent_count, state->columns, state->sets, NULL};
    judge->world.populations = judge->populations;
    judge->world.before = NULL;
    judge->parameters = state->parameters;
    if (state->before) {
        judge->before[COR_AGENT] =
            (struct cor_population){state->before->agent_count, state->before->columns, NULL, NULL};
        judge->world.before = judge->before;
    } else {
        corridor__channels_restart(&judge->channels);
    }
    for (size_t i = 0; i < state->told_count; i++) {
        const struct cor_channel_entry *told = &state->told[i];
        COR_TRY(corridor__channels_tell(&judge->channels, told->agent, told->channel, told->index,
                                        told->digest, error));
    }
    return COR_OK;
}

enum cor_status cor_corridor_judge_look(struct cor_corridor_judge *judge, const struct cor_snapshot *state,
                                        struct cor_judgement *judgement, struct cor_error *error) {
    const struct cor_lists *lists = state->organizations;
    uint32_t organizations = lists->block_count;
    judge->state = state;
    if (judge->corridor->kind == COR_STRUCTURE_OBSERVED) {
        cor_judgement_init(judgement);
        return look_at_observed(judge, state, error);
    }
    if (state->before && state->before->organizations->block_count > organizations)
        organizations = state->before->organizations->block_count;
    COR_TRY(make_room(judge, state->agent_count, organizations, lists->member_count, error));
    if (judge->corridor->kind == COR_STRUCTURE_PARTITIONING)
        cor_oracle_judge(judge->oracle, lists, state->agent_count, &COR_NO_LIMITS, judgement);
    else
        corridor__judge_structure(judge->corridor->kind, state, &judge->marks, judgement);
    make_world(judge, state);
    return COR_OK;
}

static const struct cor_expression *condition_of(const struct cor_corridor *corridor, uint32_t constraint) {
    COR_ASSERT(constraint < corridor->constraint_count &&
               corridor->constraints[constraint].kind != COR_CONSTRAINT_TEMPORAL);
    return &corridor->constraints[constraint].condition;
}

/* What is at odds in the channel of agree(), NULL if it is not about one. */
static const struct corridor__discord *discord_of(const struct cor_corridor_judge *judge,
                                                  uint32_t constraint) {
    const uint32_t channel = judge->corridor->constraints[constraint].channel;
    return channel == COR_NONE ? NULL : &judge->channels.discords[channel];
}

enum cor_truth cor_corridor_ask(const struct cor_corridor_judge *judge, uint32_t constraint,
                                struct cor_unknown *unknown) {
    const struct corridor__discord *discord = discord_of(judge, constraint);
    if (discord) {
        if (unknown)
            *unknown = (struct cor_unknown){COR_NONE, COR_NONE, false, false};
        return discord->is_there ? COR_TRUTH_FALSE : COR_TRUTH_TRUE;
    }
    return cor_expression_ask(condition_of(judge->corridor, constraint), judge->parameters, &judge->world,
                              unknown);
}

enum cor_truth cor_corridor_ask_with_edge(struct cor_corridor_judge *judge, uint32_t constraint,
                                          struct cor_unknown *unknown) {
    judge->world.has_edge = true;
    const enum cor_truth truth = cor_corridor_ask(judge, constraint, unknown);
    judge->world.has_edge = false;
    return truth;
}

bool cor_corridor_reckon(const struct cor_corridor_judge *judge, double *number) {
    COR_ASSERT(judge->corridor->objective.name);
    return cor_expression_reckon(&judge->corridor->objective.condition, judge->parameters, &judge->world,
                                 number);
}

void cor_corridor_edge_text(const struct cor_corridor *corridor, uint32_t constraint,
                            const struct cor_unknown *unknown, char *text, size_t size) {
    const struct cor_expression *condition = condition_of(corridor, constraint);
    const struct cor_node *node = unknown->node == COR_NONE ? NULL : &condition->nodes[unknown->node];
    char part[400];
    if (!node || node->operator<COR_OPERATOR_LESS || node->operator> COR_OPERATOR_NOT_EQUAL) {
        snprintf(text, size, "Rounding decides.");
        return;
    }
    cor_span_text(&condition->spans[unknown->node], part, sizeof part);
    snprintf(text, size, "%s compares numbers that are within 1e-9 of each other: rounding decides.", part);
}

void cor_corridor_grounds(const struct cor_corridor_judge *judge, uint32_t constraint,
                          struct cor_grounds *grounds) {
    grounds->count = 0;
    if (discord_of(judge, constraint))
        return;
    cor_expression_grounds(condition_of(judge->corridor, constraint), judge->parameters, &judge->world,
                           grounds);
}

void cor_corridor_explain(const struct cor_corridor_judge *judge, uint32_t constraint,
                          struct cor_breaches *breaches) {
    const struct corridor__discord *discord = discord_of(judge, constraint);
    if (!discord) {
        cor_expression_explain(condition_of(judge->corridor, constraint), judge->parameters, &judge->world,
                               breaches);
        return;
    }
    breaches->count = breaches->kept_count = 1;
    breaches->is_cut = false;
    corridor__discord_breach(judge->corridor, constraint, discord, &breaches->kept[0]);
    for (int i = 0; i < 2; i++) { /* digests of a state are words */
        struct cor_breach_value *value = &breaches->kept[0].values[1 + i];
        value->type = COR_NODE_WORD;
        value->value = cor_word((uint32_t)discord->digests[i]);
    }
}

void cor_corridor_breach_text(const struct cor_corridor_judge *judge, uint32_t constraint,
                              const struct cor_breach *breach, char *text, size_t size) {
    const struct cor_corridor *corridor = judge->corridor;
    const struct corridor__discord *discord = discord_of(judge, constraint);
    if (discord) {
        const char *const digests[] = {cor_words_text(&corridor->words, (uint32_t)discord->digests[0]),
                                       cor_words_text(&corridor->words, (uint32_t)discord->digests[1])};
        corridor__discord_text(corridor->channels[corridor->constraints[constraint].channel].name, discord,
                               digests, text, size);
    } else if (corridor->kind == COR_STRUCTURE_OBSERVED) {
        corridor__shown_text(corridor, constraint, breach, judge->state->agent_count, judge->state->columns,
                             text, size);
    } else {
        cor_breach_text(breach, &corridor->scope, text, size);
    }
}

void cor_corridor_unknown_text(const struct cor_corridor *corridor, uint32_t constraint,
                               const struct cor_unknown *unknown, char *text, size_t size) {
    const struct cor_expression *condition = condition_of(corridor, constraint);
    char part[400] = "";
    if (unknown->is_exhausted) {
        snprintf(text, size, "There is too much to look at.");
        return;
    }
    if (unknown->node == COR_NONE) {
        snprintf(text, size, "It is not known.");
        return;
    }
    const struct cor_node *node = &condition->nodes[unknown->node];
    const enum cor_operator kind = node->operator;
    cor_span_text(&condition->spans[unknown->node], part, sizeof part);
    if (kind == COR_OPERATOR_VARIABLE)
        snprintf(text, size, "The parameter %s is not given.", part);
    else if (unknown->element != COR_NONE)
        snprintf(text, size, "%s of %s %u is not known.", part,
                 (kind == COR_OPERATOR_ATTRIBUTE || kind == COR_OPERATOR_BEFORE) && node->element == COR_AGENT
                     ? "agent"
                     : "organization",
                 unknown->element);
    else
        snprintf(text, size, "%s has no value.", part);
}
