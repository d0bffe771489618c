/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A state as a world of agents and organizations. What no condition asks for is not made. */
#include "channels.h"

#include <corridor/array.h>
#include <corridor/corridor.h>
#include <corridor/kind_judge.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Judging whether a raw structure is of its kind */

/* What is known of an agent; organizations as 1 + index, 0 = none. */
struct corridor__mark {
    uint32_t count, last, repeated_in;
};

/* Memory for one look, as long as there are agents and organizations. */
struct corridor__marks {
    struct corridor__mark *agents;
    uint32_t *passed; /* [organization]: by the way up from organization - 1 */
    bool *has_children;
};

static void judge_structure(enum cor_structure_kind kind, const struct cor_snapshot *state,
                            struct corridor__marks *marks, struct cor_judgement *judgement);

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
    COR_TRY(cor_made(*judge = cor_calloc(1, sizeof **judge), error));
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
    COR_FREE(judge->columns, judge->columns_before, judge);
}

static bool make_places(struct places *places, uint32_t organizations) {
    places->levels = cor_calloc(organizations, sizeof *places->levels);
    places->is_root = cor_calloc(organizations, sizeof *places->is_root);
    places->has_no_level = cor_calloc(organizations, 1);
    return places->levels && places->is_root && places->has_no_level;
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

/* The attributes of the organizations of a state, the levels where they are asked for. */
static void make_columns(struct cor_corridor_judge *judge, const struct cor_snapshot *state,
                         const uint32_t *parents, struct places *places,
                         struct cor_attribute_values *columns) {
    if (judge->needs_levels) {
        /* How many parents stand above each organization; none is known where they end in a cycle or nowhere.
         * The way up is gone once: on the way back down each gets its level. */
        const uint32_t count = state->organizations->block_count;
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
            /* Above the way: nothing, an organization whose level is settled, or a place on the way. */
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
    if (judge->needs_children) {
        /* The children of each organization, ascending. */
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
    make_columns(judge, state, parents, &judge->places, judge->columns);
    judge->of_organizations[MEMBERS] =
        (struct cor_memberships){lists->start, lists->members ? lists->members : judge->organizations};
    judge->references = parents;
    judge->populations[COR_AGENT] =
        (struct cor_population){state->agent_count, state->columns, &judge->of_agents, NULL, state->absent};
    judge->populations[COR_ORGANIZATION] =
        (struct cor_population){count, judge->columns, judge->of_organizations, &judge->references};
    judge->world.populations = judge->populations;
    judge->parameters = state->parameters;
}

enum cor_status cor_corridor_judge_look(struct cor_corridor_judge *judge, const struct cor_snapshot *state,
                                        struct cor_judgement *judgement, struct cor_error *error) {
    const struct cor_lists *lists = state->organizations;
    uint32_t organizations = lists->block_count;
    judge->state = state;
    if (judge->corridor->kind == COR_STRUCTURE_OBSERVED) {
        cor_judgement_init(judgement);
        /* Of what is observed there is nothing but agents, what they show and what they tell. */
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
    if (state->before && state->before->organizations->block_count > organizations)
        organizations = state->before->organizations->block_count;
    /* Memory for so many; what was in it is lost. */
    const uint32_t agents = state->agent_count, entries = lists->member_count;
    if (!judge->oracle || agents > judge->agent_count || organizations > judge->organization_count ||
        entries > judge->entry_count) {
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
        COR_TRY(cor_oracle_create(agents, &judge->oracle, error));
    }
    cor_oracle_attend(judge->oracle, state->absent);
    if (judge->corridor->kind == COR_STRUCTURE_PARTITIONING)
        cor_oracle_judge(judge->oracle, lists, state->agent_count, &COR_NO_LIMITS, judgement);
    else
        judge_structure(judge->corridor->kind, state, &judge->marks, judgement);
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
            *unknown = (struct cor_unknown){.node = COR_NONE, .element = COR_NONE};
        if (judge->corridor->constraints[constraint].asks != COR_AGREE)
            return COR_TRUTH_UNKNOWN; /* states have no calls */
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

void cor_corridor_ask_each(struct cor_corridor_judge *judge, uint32_t constraint, bool with_edge,
                           enum cor_truth *truths) {
    COR_ASSERT(judge->corridor->constraints[constraint].is_each);
    judge->world.has_edge = with_edge;
    cor_expression_ask_each(condition_of(judge->corridor, constraint), judge->parameters, &judge->world,
                            truths);
    judge->world.has_edge = false;
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
    snprintf(text, size,
             unknown->is_lost
                 ? "%s compares numbers that differ by less than what rounding may have come to: it decides."
                 : "%s compares numbers that are within 1e-9 of each other: rounding decides.",
             part);
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
        const struct corridor__shown shown = {judge->state->agent_count, judge->state->columns, NULL};
        corridor__shown_text(corridor, constraint, breach, &shown, text, size);
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

/* ---- is a raw structure of its kind? The judges of kinds that are no partitionings; those are judged by the
 * oracle's own checks */

/* Does the state say that the organization has one? It need not be there. */
static bool has_parent(const struct cor_snapshot *state, uint32_t organization) {
    return state->parents && state->parents[organization] != COR_NOBODY;
}

/* Of kinds other than partitionings. */
static void judge_structure(enum cor_structure_kind kind, const struct cor_snapshot *state,
                            struct corridor__marks *marks, struct cor_judgement *judgement) {
    const uint32_t count = state->organizations->block_count;
    cor_judgement_init(judgement);
    memset(marks->agents, 0, state->agent_count * sizeof *marks->agents);
    memset(marks->passed, 0, count * sizeof *marks->passed);
    memset(marks->has_children, 0, count * sizeof *marks->has_children);
    for (uint32_t o = 0; o < count && cor_structure_nests(kind); o++)
        if (has_parent(state, o) && state->parents[o] < count)
            marks->has_children[state->parents[o]] = true;
    const struct cor_lists *lists = state->organizations;
    for (uint32_t o = 0; o < lists->block_count; o++)
        if (cor_lists_size(lists, o) == 0 && !marks->has_children[o])
            cor_judgement_add(judgement, COR_CHECK_EMPTY, COR_NOBODY, o, 1, 0);
    /* Unknown agents, entry by entry; counts the others, and those that occur twice in one organization. */
    for (uint32_t o = 0; o < lists->block_count; o++) {
        const uint32_t *members = cor_lists_block(lists, o);
        for (uint32_t i = 0; i < cor_lists_size(lists, o); i++) {
            const uint32_t agent = members[i];
            if (agent >= state->agent_count) {
                cor_judgement_add(judgement, COR_CHECK_UNKNOWN, agent, o, state->agent_count, agent);
                continue;
            }
            struct corridor__mark *mark = &marks->agents[agent];
            mark->repeated_in = mark->last == o + 1 ? o + 1 : mark->repeated_in;
            mark->last = o + 1;
            mark->count++;
        }
    }
    for (uint32_t agent = 0; agent < state->agent_count; agent++) {
        const struct corridor__mark *mark = &marks->agents[agent];
        if (mark->count == 0 && kind != COR_STRUCTURE_OVERLAPPING)
            cor_judgement_add(judgement, COR_CHECK_MISSING, agent, COR_NOBODY, 1, 0);
        else if (cor_structure_nests(kind) && mark->count > 1)
            cor_judgement_add(judgement, COR_CHECK_DOUBLE, agent, mark->last - 1, 1, mark->count);
        else if (mark->repeated_in > 0)
            cor_judgement_add(judgement, COR_CHECK_DOUBLE, agent, mark->repeated_in - 1, 1, mark->count);
    }
    if (cor_structure_nests(kind)) {
        /* Parents that are there, cycles by their first organization, and how many roots there are. A way up
         * is marked with where it began, so that each organization is passed once. */
        uint32_t roots = 0;
        for (uint32_t o = 0; o < count; o++) {
            roots += !has_parent(state, o);
            if (has_parent(state, o) && state->parents[o] >= count)
                cor_judgement_add(judgement, COR_CHECK_PARENT_UNKNOWN, COR_NOBODY, o, count,
                                  state->parents[o]);
        }
        for (uint32_t o = 0; o < count; o++) {
            uint32_t at = o, length = 1;
            while (at < count && marks->passed[at] == 0) {
                marks->passed[at] = o + 1;
                at = has_parent(state, at) ? state->parents[at] : COR_NOBODY;
            }
            if (at >= count || marks->passed[at] != o + 1)
                continue;
            uint32_t first = at;
            for (uint32_t next = state->parents[at]; next != at; next = state->parents[next], length++)
                first = next < first ? next : first;
            cor_judgement_add(judgement, COR_CHECK_PARENT_CYCLE, COR_NOBODY, first, 0, length);
        }
        if (kind == COR_STRUCTURE_TREE && roots > 1)
            cor_judgement_add(judgement, COR_CHECK_SEVERAL_ROOTS, COR_NOBODY, COR_NOBODY, 1, roots);
    }
}

void cor_corridor_kind_text(const struct cor_corridor *corridor, const struct cor_violation *violation,
                            char *text, size_t size) {
    cor_violation_kind_text(corridor->kind, violation, text, size);
}

/* ---- kinds without a text: whether lists are of one, and whether two structures are the same */

struct cor_kind_judge {
    enum cor_structure_kind kind;
    struct corridor__marks marks; /* owned */
    size_t agent_capacity, passed_capacity, children_capacity;
    struct cor_lists sorted[2]; /* structure and solution, members ascending */
    uint32_t *order[2];         /* owned; [organization] by members */
    size_t order_capacity[2];
    uint32_t *equal, *open, *claimed; /* owned; [organization]; see compare_nested */
    size_t equal_capacity, open_capacity, claimed_capacity;
};

enum cor_status cor_kind_judge_create(enum cor_structure_kind kind, struct cor_kind_judge **judge,
                                      struct cor_error *error) {
    COR_ASSERT(kind != COR_STRUCTURE_PARTITIONING);
    struct cor_kind_judge *made = *judge = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->kind = kind;
    return COR_OK;
}

void cor_kind_judge_destroy(struct cor_kind_judge *judge) {
    if (!judge)
        return;
    void *const all[] = {judge->marks.agents, judge->marks.passed, judge->marks.has_children,
                         judge->order[0],     judge->order[1],     judge->equal,
                         judge->open,         judge->claimed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    for (int side = 0; side < 2; side++)
        cor_lists_fini(&judge->sorted[side]);
    free(judge);
}

static enum cor_status judge_kind(struct cor_kind_judge *judge, const struct cor_lists *lists,
                                  uint32_t agent_count, struct cor_judgement *judgement,
                                  struct cor_error *error) {
    const size_t count = lists->block_count;
    COR_TRY(COR_RESERVE(&judge->marks.agents, &judge->agent_capacity, agent_count, error));
    COR_TRY(COR_RESERVE(&judge->marks.passed, &judge->passed_capacity, count + 1, error));
    COR_TRY(COR_RESERVE(&judge->marks.has_children, &judge->children_capacity, count + 1, error));
    const struct cor_snapshot state = {
        .agent_count = agent_count, .organizations = lists, .parents = cor_lists_parents(lists)};
    judge_structure(judge->kind, &state, &judge->marks, judgement);
    return COR_OK;
}

enum cor_status cor_kind_judge_look(struct cor_kind_judge *judge, const struct cor_lists *lists,
                                    uint32_t agent_count, const struct cor_limits *limits,
                                    struct cor_judgement *judgement, struct cor_error *error) {
    COR_TRY(judge_kind(judge, lists, agent_count, judgement, error));
    const uint32_t count = lists->block_count;
    for (uint32_t o = 0; o < count; o++) {
        const uint32_t size = cor_lists_size(lists, o);
        if (size > 0 && size < limits->size_min)
            cor_judgement_add(judgement, COR_CHECK_SIZE_LOW, COR_NOBODY, o, limits->size_min, size);
        else if (size > limits->size_max)
            cor_judgement_add(judgement, COR_CHECK_SIZE_HIGH, COR_NOBODY, o, limits->size_max, size);
    }
    if (count < limits->count_min)
        cor_judgement_add(judgement, COR_CHECK_COUNT_LOW, COR_NOBODY, COR_NOBODY, limits->count_min, count);
    if (count > limits->count_max)
        cor_judgement_add(judgement, COR_CHECK_COUNT_HIGH, COR_NOBODY, COR_NOBODY, limits->count_max, count);
    return COR_OK;
}

static int compare_agents(const void *one, const void *other) {
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

/* By their members, a shorter list first. */
static int compare_blocks(const struct cor_lists *one, uint32_t a, const struct cor_lists *other,
                          uint32_t b) {
    const uint32_t size = cor_lists_size(one, a), other_size = cor_lists_size(other, b);
    const uint32_t *members = cor_lists_block(one, a), *other_members = cor_lists_block(other, b);
    for (uint32_t i = 0; i < size && i < other_size; i++)
        if (members[i] != other_members[i])
            return members[i] < other_members[i] ? -1 : 1;
    return (size > other_size) - (size < other_size);
}

/* Puts order[from .. to) into order; merges, since there is no qsort with a context in C17. */
static void sort_blocks(const struct cor_lists *lists, uint32_t *order, uint32_t *scratch, uint32_t count) {
    if (count < 2)
        return;
    const uint32_t half = count / 2;
    sort_blocks(lists, order, scratch, half);
    sort_blocks(lists, order + half, scratch, count - half);
    memcpy(scratch, order, half * sizeof *order);
    for (uint32_t left = 0, right = half, at = 0; left < half; at++) {
        const bool takes_left =
            right == count || compare_blocks(lists, scratch[left], lists, order[right]) <= 0;
        order[at] = takes_left ? scratch[left++] : order[right++];
    }
}

static enum cor_status sort_side(struct cor_kind_judge *judge, int side, const struct cor_lists *lists,
                                 struct cor_error *error) {
    struct cor_lists *sorted = &judge->sorted[side];
    const uint32_t count = lists->block_count;
    COR_TRY(cor_lists_copy(sorted, lists, error));
    COR_TRY(COR_RESERVE(&judge->order[side], &judge->order_capacity[side], (size_t)count + 1, error));
    COR_TRY(COR_RESERVE(&judge->open, &judge->open_capacity, (size_t)count + 1, error));
    for (uint32_t o = 0; o < count; o++) {
        if (cor_lists_size(sorted, o) > 0)
            qsort(sorted->members + sorted->start[o], cor_lists_size(sorted, o), sizeof *sorted->members,
                  compare_agents);
        judge->order[side][o] = o;
    }
    sort_blocks(sorted, judge->order[side], judge->open, count);
    return COR_OK;
}

/* Both in order: what only one of them has comes to light at its place. equal: the organization of the
 * solution that has the same members, COR_NOBODY: none; *left: the first of the solution that is nobody's. */
static void match_members(struct cor_kind_judge *judge, uint32_t *left) {
    const struct cor_lists *structure = &judge->sorted[0], *solution = &judge->sorted[1];
    uint32_t at = 0, other = 0;
    *left = COR_NOBODY;
    while (at < structure->block_count || other < solution->block_count) {
        int order = at == structure->block_count ? 1 : other == solution->block_count ? -1 : 0;
        const uint32_t o = order == 1 ? 0 : judge->order[0][at], p = order == -1 ? 0 : judge->order[1][other];
        if (order == 0)
            order = compare_blocks(structure, o, solution, p);
        if (order <= 0)
            judge->equal[o] = order == 0 ? p : COR_NOBODY;
        if (order > 0)
            *left = p < *left ? p : *left;
        at += order <= 0;
        other += order >= 0;
    }
}

static uint32_t parent_of(const struct cor_lists *lists, uint32_t organization) {
    return lists->nests ? lists->parent[organization] : COR_NOBODY;
}

/* An organization of the structure hangs where its equal hangs: below the same one, which is so found out
 * where nobody is in it. Says with which number of the structure the solution's parent would be right. */
static void compare_parent(struct cor_kind_judge *judge, uint32_t o, struct cor_judgement *judgement) {
    const struct cor_lists *structure = &judge->sorted[0], *solution = &judge->sorted[1];
    const uint32_t above = parent_of(structure, o), wanted = parent_of(solution, judge->equal[o]);
    const bool can_be = above != COR_NOBODY && wanted != COR_NOBODY && judge->equal[above] == COR_NOBODY &&
                        cor_lists_size(structure, above) == 0 && cor_lists_size(solution, wanted) == 0 &&
                        judge->claimed[wanted] == COR_NOBODY;
    if (can_be) {
        judge->equal[above] = wanted;
        judge->claimed[wanted] = above;
    }
    const uint32_t found = above == COR_NOBODY ? COR_NOBODY : judge->equal[above];
    if (found == wanted && (above == COR_NOBODY) == (wanted == COR_NOBODY))
        return;
    const uint32_t expected = wanted == COR_NOBODY ? COR_NOBODY : judge->claimed[wanted];
    if (wanted != COR_NOBODY && expected == COR_NOBODY) /* none of the structure is it */
        cor_judgement_add(judgement, COR_CHECK_NOT_ADOPTED, COR_NOBODY, o, 0, 0);
    else
        cor_judgement_add(judgement, COR_CHECK_NOT_ADOPTED, COR_NOBODY, o, expected, above);
}

/* Organizations with members are known by these, as each agent is in one; those without by their children,
 * from the leaves, all of which have members, up. open: children that were not looked at; claimed:
 * [organization of the solution] its equal. */
static enum cor_status compare_nested(struct cor_kind_judge *judge, uint32_t *left,
                                      struct cor_judgement *judgement, struct cor_error *error) {
    const struct cor_lists *structure = &judge->sorted[0], *solution = &judge->sorted[1];
    const uint32_t count = structure->block_count, others = solution->block_count;
    uint32_t *order = judge->order[0], *waiting = judge->open, next = 0, end = 0;
    COR_TRY(COR_RESERVE(&judge->claimed, &judge->claimed_capacity, (size_t)others + 1, error));
    memset(judge->claimed, 0xff, others * sizeof *judge->claimed); /* COR_NOBODY */
    memset(waiting, 0, count * sizeof *waiting);
    for (uint32_t o = 0; o < count; o++) {
        if (cor_lists_size(structure, o) == 0)
            judge->equal[o] = COR_NOBODY; /* emptiness does not tell them apart */
        else if (judge->equal[o] != COR_NOBODY)
            judge->claimed[judge->equal[o]] = o;
        if (parent_of(structure, o) != COR_NOBODY)
            waiting[parent_of(structure, o)]++;
    }
    for (uint32_t o = 0; o < count; o++)
        if (waiting[o] == 0)
            order[end++] = o;
    for (; next < end; next++) {
        const uint32_t o = order[next], above = parent_of(structure, o);
        if (judge->equal[o] == COR_NOBODY)
            cor_judgement_add(judgement, COR_CHECK_NOT_ADOPTED, COR_NOBODY, o, 0, 0);
        else
            compare_parent(judge, o, judgement);
        if (above != COR_NOBODY && --waiting[above] == 0)
            order[end++] = above;
    }
    *left = 0;
    while (*left < others && judge->claimed[*left] != COR_NOBODY)
        ++*left;
    *left = *left < others ? *left : COR_NOBODY;
    return COR_OK;
}

enum cor_status cor_kind_judge_compare(struct cor_kind_judge *judge, const struct cor_lists *structure,
                                       const struct cor_lists *solution, uint32_t agent_count,
                                       struct cor_judgement *judgement, struct cor_error *error) {
    struct cor_judgement first, second;
    const uint32_t before = judgement->violation_count;
    uint32_t left;
    COR_TRY(judge_kind(judge, structure, agent_count, &first, error));
    COR_TRY(judge_kind(judge, solution, agent_count, &second, error));
    if (first.violation_count > 0 || second.violation_count > 0)
        return COR_OK;
    COR_TRY(sort_side(judge, 0, structure, error));
    COR_TRY(sort_side(judge, 1, solution, error));
    COR_TRY(COR_RESERVE(&judge->equal, &judge->equal_capacity, (size_t)structure->block_count + 1, error));
    match_members(judge, &left);
    if (cor_structure_nests(judge->kind)) {
        COR_TRY(compare_nested(judge, &left, judgement, error));
    } else {
        for (uint32_t o = 0; o < structure->block_count; o++)
            if (judge->equal[o] == COR_NOBODY)
                cor_judgement_add(judgement, COR_CHECK_NOT_ADOPTED, COR_NOBODY, o, 0, 0);
    }
    if (judgement->violation_count == before && left != COR_NOBODY)
        cor_judgement_add(judgement, COR_CHECK_NOT_ADOPTED, COR_NOBODY, COR_NOBODY, left, 0);
    return COR_OK;
}
