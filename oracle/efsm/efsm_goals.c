/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Goals: those of the file, and those that any model can be asked for. */
#include "reader.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* A trap on one transition; takes `id`, which may be NULL for memory that was out. */
static enum cor_status add_trap_take(struct cor_efsm_goal *goal, size_t *capacity, char *id,
                                     uint32_t transition, struct cor_efsm_trap **trap,
                                     struct cor_error *error) {
    enum cor_status status =
        id ? COR_RESERVE(&goal->traps, capacity, goal->trap_count + 1, error) : cor_fail_memory(error);
    if (status != COR_OK) {
        free(id);
        return status;
    }
    *trap = &goal->traps[goal->trap_count++];
    **trap = (struct cor_efsm_trap){.id = id, .previous = COR_NONE, .way_of = COR_NONE};
    (*trap)->transitions = cor_calloc(1, sizeof *(*trap)->transitions);
    COR_TRY(cor_made((*trap)->transitions, error));
    (*trap)->transitions[(*trap)->transition_count++] = transition;
    return COR_OK;
}

static const struct cor_efsm_group *find_group(const struct cor_efsm *model, const char *name) {
    for (uint32_t g = 0; g < model->group_count; g++)
        if (strcmp(model->groups[g].name, name) == 0)
            return &model->groups[g];
    return NULL;
}

/* A transition, or those of a group, any of which will do. */
static enum cor_status add_transitions(const struct cor_json *json, const struct cor_efsm *model,
                                       struct cor_efsm_trap *trap, size_t *capacity,
                                       struct cor_error *error) {
    const char *name;
    uint32_t transition;
    COR_TRY(cor_json_string(json, &name, error));
    const struct cor_efsm_group *group = find_group(model, name);
    if (!group)
        COR_TRY(efsm__efsm_look_up(json, model->transition_names, "transition", &transition, error));
    for (uint32_t i = 0; i < (group ? group->transition_count : 1); i++) {
        const uint32_t added = group ? group->transitions[i] : transition;
        for (uint32_t j = 0; j < trap->transition_count; j++)
            if (trap->transitions[j] == added)
                return cor_json_fail(json, error, "name each once", "\"%s\" is there twice",
                                     model->transition_names[added]);
        COR_TRY(COR_RESERVE(&trap->transitions, capacity, trap->transition_count + 1, error));
        trap->transitions[trap->transition_count++] = added;
    }
    return COR_OK;
}

/* One, or a list of those of which any will do. */
static enum cor_status read_trap_transitions(const struct cor_json *json, const struct cor_efsm *model,
                                             struct cor_efsm_trap *trap, struct cor_error *error) {
    size_t capacity = 1;
    trap->transition_count = 0;
    if (!cor_json_is_array(json))
        return add_transitions(json, model, trap, &capacity, error);
    COR_TRY(cor_json_expect_array(json, 1, COR_EFSM_ITEMS_MAX, error));
    COR_JSON_CHILDREN(item, json)
        COR_TRY(add_transitions(&item, model, trap, &capacity, error));
    return COR_OK;
}

/* Adds a trap to those that another, or a way to cover it, waits for, or that it denies, once. */
static enum cor_status add_other(const struct cor_efsm_trap *of, struct cor_efsm_trap *way, uint32_t other,
                                 bool is_denied, const struct cor_json *json, struct cor_error *error) {
    uint32_t **list = is_denied ? &way->denied : &way->after;
    uint32_t *count = is_denied ? &way->denied_count : &way->after_count;
    size_t room = *count;
    if (way == &of[other] || way->way_of == other)
        return cor_json_fail(json, error, is_denied ? "leave that away: it is covered once" : NULL,
                             "the trap \"%s\" %s itself", of[other].id, is_denied ? "denies" : "waits for");
    for (uint32_t a = 0; a < *count; a++)
        if ((*list)[a] == other)
            return COR_OK;
    COR_TRY(COR_RESERVE(list, &room, (size_t)*count + 1, error));
    (*list)[(*count)++] = other;
    return COR_OK;
}

static enum cor_status copy_numbers(const uint32_t *from, uint32_t count, uint32_t shift, uint32_t **into,
                                    struct cor_error *error) {
    COR_TRY(cor_made(*into = cor_calloc(count, sizeof **into), error));
    for (uint32_t i = 0; i < count; i++)
        (*into)[i] = from[i] + shift;
    return COR_OK;
}

/* A further way to cover a trap: on the same transitions, so far. */
static enum cor_status add_way(struct cor_efsm_goal *goal, uint32_t index, uint32_t number, size_t *capacity,
                               struct cor_error *error) {
    const uint32_t at = goal->trap_count + goal->way_count;
    COR_TRY(COR_RESERVE(&goal->traps, capacity, (size_t)at + 1, error));
    struct cor_efsm_trap *way = &goal->traps[at];
    const struct cor_efsm_trap *trap = &goal->traps[index];
    *way = (struct cor_efsm_trap){
        .id = cor_format("%s.%u", trap->id, number), .previous = COR_NONE, .way_of = index};
    goal->way_count++;
    COR_TRY(cor_made(way->id, error));
    COR_TRY(copy_numbers(trap->transitions, trap->transition_count, 0, &way->transitions, error));
    way->transition_count = trap->transition_count;
    return COR_OK;
}

/* "constraint": over variables, and other traps. Each case over these is a way to cover it. Each of its
 * transitions must be able to read it. */
static enum cor_status read_constraint(const struct cor_json *json, const struct cor_efsm *model,
                                       struct cor_efsm_goal *goal, uint32_t index, const char *const *ids,
                                       size_t *capacity, struct cor_error *error) {
    const char *names[COR_EFSM_VARIABLES_MAX + 1], *text;
    COR_FINISHED(efsm__cases) struct efsm__cases cases = {.variables = model->variable_names, .traps = ids};
    COR_TRY(cor_json_string(json, &text, error));
    COR_TRY(efsm__efsm_split_cases(json, text, &cases, error));
    for (uint32_t c = 0; c < cases.count; c++) {
        const struct efsm__case *it = &cases.items[c];
        if (c > 0)
            COR_TRY(add_way(goal, index, c + 1, capacity, error));
        struct cor_efsm_trap *way = &goal->traps[c > 0 ? goal->trap_count + goal->way_count - 1 : index];
        for (uint32_t n = 0; n < cases.named_count; n++) {
            if (it->after >> n & 1)
                COR_TRY(add_other(goal->traps, way, cases.named[n], false, json, error));
            if (it->denied >> n & 1)
                COR_TRY(add_other(goal->traps, way, cases.named[n], true, json, error));
        }
        goal->denies = goal->denies || it->denied != 0;
        for (uint32_t i = 0; i < way->transition_count && (cases.named_count == 0 || *it->rest); i++) {
            efsm__efsm_readable(model, model->transitions[way->transitions[i]].input, names);
            cor_expression_fini(&way->constraint);
            COR_TRY(efsm__efsm_expression_text(json, cases.named_count == 0 ? text : it->rest, model, names,
                                               EFSM__CONDITION, &way->constraint, error));
        }
    }
    return COR_OK;
}

/* Traps whose turn never comes wait for each other. One that can go first is taken away until none can. */
static uint32_t find_circle(const struct cor_efsm_goal *goal, bool *gone) {
    bool went = true;
    while (went) {
        went = false;
        for (uint32_t i = 0; i < goal->trap_count + goal->way_count; i++) {
            const uint32_t trap = goal->traps[i].way_of == COR_NONE ? i : goal->traps[i].way_of;
            bool free_to_go = !gone[trap];
            for (uint32_t a = 0; a < goal->traps[i].after_count; a++)
                free_to_go = free_to_go && gone[goal->traps[i].after[a]];
            if (free_to_go)
                went = gone[trap] = true;
        }
    }
    for (uint32_t i = 0; i < goal->trap_count; i++)
        if (!gone[i])
            return i;
    return COR_NONE;
}

static enum cor_status refuse_circle(const struct cor_json *json, const struct cor_efsm_goal *goal,
                                     struct cor_error *error) {
    COR_FREED bool *gone = cor_calloc(goal->trap_count, sizeof *gone);
    COR_TRY(cor_made(gone, error));
    const uint32_t found = find_circle(goal, gone);
    if (found == COR_NONE)
        return COR_OK;
    const struct cor_json item = cor_json_at(json, found);
    return cor_json_fail(&item, error, "\"after\" may not lead back to where it began",
                         "the trap \"%s\" waits in a circle", goal->traps[found].id);
}

static enum cor_status read_traps(const struct cor_json *json, const struct cor_efsm *model,
                                  struct cor_efsm_goal *goal, struct cor_error *error) {
    size_t capacity = 0;
    COR_TRY(cor_json_expect_array(json, 1, COR_EFSM_ITEMS_MAX, error));
    COR_JSON_CHILDREN(item, json) {
        /* "traps": first all traps, then what they wait for, so that they may stand in any order. */
        static const char *const keys[] = {"id", "transition", "constraint", "after", NULL};
        const char *id;
        struct cor_json member;
        struct cor_efsm_trap *trap;
        COR_TRY(cor_json_expect_object(&item, keys, error));
        COR_TRY(cor_json_need(&item, "id", &member, error));
        COR_TRY(cor_json_string(&member, &id, error));
        for (uint32_t k = 0; k < goal->trap_count; k++)
            if (strcmp(goal->traps[k].id, id) == 0)
                return cor_json_fail(&member, error, "give each a name of its own",
                                     "there is another trap \"%s\"", id);
        COR_TRY(cor_json_need(&item, "transition", &member, error));
        COR_TRY(add_trap_take(goal, &capacity, cor_strdup(id), 0, &trap, error));
        COR_TRY(read_trap_transitions(&member, model, trap, error));
    }
    COR_FREED const char **ids = cor_calloc(goal->trap_count + 1, sizeof *ids);
    COR_TRY(cor_made(ids, error));
    for (uint32_t i = 0; i < goal->trap_count; i++)
        ids[i] = goal->traps[i].id;
    for (uint32_t i = 0; i < goal->trap_count; i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct cor_json after, constraint;
        if (cor_json_find(&item, "constraint", &constraint) && !cor_json_is_null(&constraint))
            COR_TRY(read_constraint(&constraint, model, goal, i, ids, &capacity, error));
        if (!cor_json_find(&item, "after", &after))
            continue;
        COR_TRY(cor_json_expect_array(&after, 0, goal->trap_count, error));
        COR_JSON_CHILDREN(child, &after) {
            uint32_t before;
            COR_TRY(efsm__efsm_look_up(&child, ids, "trap", &before, error));
            /* What a trap waits for beside its constraint: in each way. */
            COR_TRY(add_other(goal->traps, &goal->traps[i], before, false, &child, error));
            for (uint32_t w = goal->trap_count; w < goal->trap_count + goal->way_count; w++)
                if (goal->traps[w].way_of == i)
                    COR_TRY(add_other(goal->traps, &goal->traps[w], before, false, &child, error));
        }
    }
    return refuse_circle(json, goal, error);
}

/* What a goal consists of: one of three members. */
static enum cor_status read_what(const struct cor_json *json, const struct cor_efsm *model,
                                 struct cor_efsm_goal *goal, struct cor_error *error) {
    struct cor_json traps, sequence, cover;
    const bool has_traps = cor_json_find(json, "traps", &traps),
               has_sequence = cor_json_find(json, "sequence", &sequence),
               has_cover = cor_json_find(json, "cover", &cover);
    if (has_traps + has_sequence + has_cover != 1)
        return cor_json_fail(json, error, "give one of \"traps\", \"sequence\" and \"cover\"",
                             has_traps + has_sequence + has_cover > 0 ? "a goal is given in more than one way"
                                                                      : "nothing says what the goal is");
    if (has_traps)
        return read_traps(&traps, model, goal, error);
    if (!has_sequence) {
        static const char *const words[] = {"all", "pairs", "locations", "boundaries", NULL};
        int index;
        COR_FINISHED(cor_efsm_goal) struct cor_efsm_goal made = {0};
        COR_TRY(cor_json_one_of(&cover, words, "cover", &index, error));
        COR_TRY(cor_efsm_goal_cover(model, (enum cor_efsm_cover)index, &made, error));
        goal->traps = made.traps;
        goal->trap_count = made.trap_count;
        made.traps = NULL;
        made.trap_count = 0;
        return COR_OK;
    }
    /* "sequence": one trap for each place of it. */
    size_t capacity = 0;
    COR_TRY(cor_json_expect_array(&sequence, 1, COR_EFSM_ITEMS_MAX, error));
    COR_JSON_CHILDREN(item, &sequence) {
        struct cor_efsm_trap *trap;
        const char *name;
        COR_TRY(cor_json_string(&item, &name, error));
        COR_TRY(add_trap_take(goal, &capacity, cor_format("%zu-%s", item.index + 1, name), 0, &trap, error));
        COR_TRY(read_trap_transitions(&item, model, trap, error));
    }
    return COR_OK;
}

static enum cor_status read_goal(const struct cor_json *json, struct cor_efsm *model,
                                 struct cor_error *error) {
    static const char *const keys[] = {"name",    "traps",  "sequence", "cover",
                                       "ordered", "expect", "note",     NULL};
    struct cor_efsm_goal *goal = &model->goals[model->goal_count++];
    struct cor_json name, ordered;
    const char *text;
    bool in_order = false;
    COR_TRY(cor_json_expect_object(json, keys, error));
    COR_TRY(cor_json_need(json, "name", &name, error));
    COR_TRY(cor_json_string(&name, &text, error));
    for (uint32_t g = 0; g + 1 < model->goal_count; g++)
        if (strcmp(model->goals[g].name, text) == 0)
            return cor_json_fail(&name, error, "give each a name of its own", "there is another goal \"%s\"",
                                 text);
    COR_TRY(cor_made(goal->name = cor_strdup(text), error));
    if (cor_json_find(json, "ordered", &ordered))
        COR_TRY(cor_json_bool(&ordered, &in_order, error));
    COR_TRY(read_what(json, model, goal, error));
    struct cor_json expect, optimal;
    goal->optimum = -1;
    if (cor_json_find(json, "expect", &expect)) {
        COR_TRY(cor_json_expect_object(&expect, NULL, error));
        if (cor_json_find(&expect, "optimal", &optimal))
            COR_TRY(cor_json_integer(&optimal, 0, INT32_MAX, &goal->optimum, error));
    }
    if (!in_order)
        return COR_OK;
    /* Each trap waits for all before it, and so for none behind it. */
    goal->ordered = true;
    for (uint32_t i = 0; i < goal->trap_count + goal->way_count; i++) {
        struct cor_efsm_trap *trap = &goal->traps[i];
        const uint32_t index = trap->way_of == COR_NONE ? i : trap->way_of;
        for (uint32_t a = 0; a < trap->after_count; a++)
            if (trap->after[a] > index)
                return cor_json_fail(json, error, "with \"ordered\" each trap waits for all before it",
                                     "the trap \"%s\" waits for \"%s\", which stands behind it",
                                     goal->traps[index].id, goal->traps[trap->after[a]].id);
        free(trap->after);
        trap->after_count = 0;
        COR_TRY(cor_made(trap->after = cor_calloc(index, sizeof *trap->after), error));
        for (uint32_t before = 0; before < index; before++)
            trap->after[trap->after_count++] = before;
    }
    return COR_OK;
}

enum cor_status efsm__efsm_read_goals(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_efsm *model = ((struct efsm__efsm_reader *)into)->model;
    COR_TRY(cor_json_expect_array(json, 0, COR_EFSM_ITEMS_MAX, error));
    COR_TRY(cor_made(model->goals = cor_calloc(cor_json_size(json), sizeof *model->goals), error));
    COR_JSON_CHILDREN(item, json)
        COR_TRY(read_goal(&item, model, error));
    return COR_OK;
}

/* What every model can be asked for. */
static enum cor_status cover_transitions(const struct cor_efsm *model, struct cor_efsm_goal *goal,
                                         size_t *capacity, struct cor_error *error) {
    struct cor_efsm_trap *trap;
    for (uint32_t t = 0; t < model->transition_count; t++)
        COR_TRY(add_trap_take(goal, capacity, cor_strdup(model->transition_names[t]), t, &trap, error));
    return COR_OK;
}

static enum cor_status cover_pairs(const struct cor_efsm *model, struct cor_efsm_goal *goal, size_t *capacity,
                                   struct cor_error *error) {
    struct cor_efsm_trap *trap;
    for (uint32_t a = 0; a < model->transition_count; a++)
        for (uint32_t b = 0; b < model->transition_count; b++) {
            if (model->transitions[a].target != model->transitions[b].source)
                continue;
            char *id = cor_format("%s-%s", model->transition_names[a], model->transition_names[b]);
            COR_TRY(add_trap_take(goal, capacity, id, b, &trap, error));
            trap->previous = a;
        }
    return COR_OK;
}

static enum cor_status cover_locations(const struct cor_efsm *model, struct cor_efsm_goal *goal,
                                       size_t *capacity, struct cor_error *error) {
    for (uint32_t l = 0; l < model->location_count; l++) {
        struct cor_efsm_trap *trap = NULL;
        size_t room = 1;
        for (uint32_t t = 0; t < model->transition_count && l != model->initial; t++) {
            if (model->transitions[t].target != l)
                continue;
            if (!trap) {
                COR_TRY(add_trap_take(goal, capacity, cor_strdup(model->location_names[l]), t, &trap, error));
                continue;
            }
            COR_TRY(COR_RESERVE(&trap->transitions, &room, trap->transition_count + 1, error));
            trap->transitions[trap->transition_count++] = t;
        }
    }
    return COR_OK;
}

/* Where a comparison only just holds: a <= b at a = b, a < b at a + 1 = b, a != b on either side. */
static enum cor_status cover_comparison(const struct cor_efsm *model, uint32_t transition, uint32_t node,
                                        struct cor_efsm_goal *goal, size_t *capacity,
                                        struct cor_error *error) {
    static const int64_t less[] = {1}, equal[] = {0}, other[] = {1, -1};
    const struct cor_expression *guard = &model->transitions[transition].guard;
    const struct cor_node *compared = &guard->nodes[node];
    const enum cor_operator kind = compared->operator;
    const int64_t *shifts = kind == COR_OPERATOR_LESS ? less : kind == COR_OPERATOR_NOT_EQUAL ? other : equal;
    for (int i = 0; i < (kind == COR_OPERATOR_NOT_EQUAL ? 2 : 1); i++) {
        struct cor_efsm_trap *trap;
        char *id = cor_format("%s-%u", model->transition_names[transition], goal->trap_count + 1);
        COR_TRY(add_trap_take(goal, capacity, id, transition, &trap, error));
        /* `left` + shift = `right`, over the nodes of the guard. */
        uint32_t left = compared->left;
        const uint32_t right = compared->right;
        const uint32_t n = guard->node_count;
        trap->constraint =
            (struct cor_expression){.is_constraint = true, .integer_only = true, .result = COR_VALUE_INTEGER};
        if (n + 3 > COR_EXPRESSION_NODES_MAX)
            return cor_fail(error, COR_STATUS_INPUT, NULL, "split the transition",
                            "the guard \"%s\" is too long", guard->text);
        COR_TRY(cor_made(trap->constraint.nodes = cor_calloc(n + 3, sizeof *trap->constraint.nodes), error));
        memcpy(trap->constraint.nodes, guard->nodes, n * sizeof *trap->constraint.nodes);
        trap->constraint.node_count = n;
        if (shifts[i] != 0) {
            trap->constraint.nodes[n] = (struct cor_node){.operator= COR_OPERATOR_CONSTANT,
                                                          .constant = shifts[i],
                                                          .decimals = guard->nodes[right].decimals};
            trap->constraint.nodes[n + 1] =
                (struct cor_node){.operator= COR_OPERATOR_ADD, .left = left, .right = n};
            left = n + 1;
            trap->constraint.node_count = n + 2;
        }
        trap->constraint.nodes[trap->constraint.node_count] =
            (struct cor_node){.operator= COR_OPERATOR_EQUAL, .left = left, .right = right};
        trap->constraint.node_count++;
        trap->constraint.text =
            cor_expression_print(&trap->constraint, trap->constraint.node_count - 1, &model->naming);
        COR_TRY(cor_made(trap->constraint.text, error));
    }
    return COR_OK;
}

static bool compares_constants(const struct cor_expression *guard, const struct cor_node *node) {
    return guard->nodes[node->left].operator== COR_OPERATOR_CONSTANT && guard->nodes[node->right].operator==
        COR_OPERATOR_CONSTANT;
}

static enum cor_status cover_boundaries(const struct cor_efsm *model, struct cor_efsm_goal *goal,
                                        size_t *capacity, struct cor_error *error) {
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const struct cor_expression *guard = &model->transitions[t].guard;
        for (uint32_t i = 0; i < guard->node_count; i++) {
            const enum cor_operator kind = guard->nodes[i].operator;
            if (kind >= COR_OPERATOR_LESS && kind <= COR_OPERATOR_NOT_EQUAL &&
                !compares_constants(guard, &guard->nodes[i]))
                COR_TRY(cover_comparison(model, t, i, goal, capacity, error));
        }
    }
    return COR_OK;
}

const char *cor_efsm_cover_word(size_t index) {
    static const char *const words[] = {"all-transitions", "transition-pairs", "all-locations",
                                        "guard-boundaries"};
    return index < sizeof words / sizeof *words ? words[index] : NULL;
}

enum cor_status cor_efsm_goal_cover(const struct cor_efsm *model, enum cor_efsm_cover cover,
                                    struct cor_efsm_goal *goal, struct cor_error *error) {
    size_t capacity = 0;
    *goal = (struct cor_efsm_goal){.name = cor_strdup(cor_efsm_cover_word(cover)), .optimum = -1};
    enum cor_status status = cor_made(goal->name, error);
    if (status == COR_OK)
        switch (cover) {
        case COR_EFSM_COVER_TRANSITIONS:
            status = cover_transitions(model, goal, &capacity, error);
            break;
        case COR_EFSM_COVER_PAIRS:
            status = cover_pairs(model, goal, &capacity, error);
            break;
        case COR_EFSM_COVER_LOCATIONS:
            status = cover_locations(model, goal, &capacity, error);
            break;
        case COR_EFSM_COVER_BOUNDARIES:
            status = cover_boundaries(model, goal, &capacity, error);
            break;
        }
    if (status != COR_OK)
        cor_efsm_goal_fini(goal);
    return status;
}

enum cor_status cor_efsm_goal_find(const struct cor_efsm *model, const char *name, struct cor_efsm_goal *goal,
                                   const struct cor_efsm_goal **found, struct cor_error *error) {
    size_t capacity = 0;
    struct cor_efsm_trap *trap;
    *goal = (struct cor_efsm_goal){0};
    *found = goal;
    for (uint32_t g = 0; g < model->goal_count; g++)
        if (strcmp(model->goals[g].name, name) == 0) {
            *found = &model->goals[g];
            return COR_OK;
        }
    for (size_t i = 0; cor_efsm_cover_word(i); i++)
        if (strcmp(cor_efsm_cover_word(i), name) == 0)
            return cor_efsm_goal_cover(model, (enum cor_efsm_cover)i, goal, error);
    for (uint32_t t = 0; t < model->transition_count; t++)
        if (strcmp(model->transition_names[t], name) == 0) {
            *goal = (struct cor_efsm_goal){.name = cor_strdup(name), .optimum = -1};
            enum cor_status status = cor_made(goal->name, error);
            if (status == COR_OK)
                status = add_trap_take(goal, &capacity, cor_strdup(name), t, &trap, error);
            if (status != COR_OK)
                cor_efsm_goal_fini(goal);
            return status;
        }
    const struct cor_efsm_group *group = find_group(model, name);
    if (group) {
        *goal = (struct cor_efsm_goal){.name = cor_strdup(name), .optimum = -1};
        enum cor_status status = cor_made(goal->name, error);
        for (uint32_t i = 0; i < group->transition_count && status == COR_OK; i++) {
            size_t room = i;
            if (i == 0)
                status =
                    add_trap_take(goal, &capacity, cor_strdup(name), group->transitions[0], &trap, error);
            else
                status = COR_RESERVE(&trap->transitions, &room, i + 1, error);
            if (i > 0 && status == COR_OK)
                trap->transitions[trap->transition_count++] = group->transitions[i];
        }
        if (status != COR_OK)
            cor_efsm_goal_fini(goal);
        return status;
    }
    char known[512];
    size_t count = 0;
    COR_FREED const char **names = cor_calloc(model->goal_count + model->transition_count + 8, sizeof *names);
    COR_TRY(cor_made(names, error));
    for (uint32_t g = 0; g < model->goal_count; g++)
        names[count++] = model->goals[g].name;
    for (size_t i = 0; cor_efsm_cover_word(i); i++)
        names[count++] = cor_efsm_cover_word(i);
    for (uint32_t t = 0; t < model->transition_count; t++)
        names[count++] = model->transition_names[t];
    cor_known_names(name, names, known, sizeof known);
    return cor_fail(error, COR_STATUS_INPUT, cor_json_name(model->document), known, "unknown goal \"%s\"",
                    name);
}

/* ---- several goals as one, of which a test may ask for some at a time */

/* A trap of the goal behind those that are there, of which the goal's own begin at `first`. */
static enum cor_status copy_trap(const struct cor_efsm_trap *from, const struct cor_efsm_goal *goal,
                                 uint32_t first, struct cor_efsm_goal *whole, struct cor_error *error) {
    bool is_taken = false;
    for (uint32_t t = 0; t < first; t++)
        is_taken = is_taken || strcmp(whole->traps[t].id, from->id) == 0;
    struct cor_efsm_trap *trap = &whole->traps[whole->trap_count++];
    trap->id = is_taken ? cor_format("%s:%s", goal->name, from->id) : cor_strdup(from->id);
    COR_TRY(cor_made(trap->id, error));
    COR_TRY(copy_numbers(from->transitions, from->transition_count, 0, &trap->transitions, error));
    trap->transition_count = from->transition_count;
    trap->previous = from->previous;
    trap->way_of = COR_NONE;
    COR_TRY(copy_numbers(from->after, from->after_count, first, &trap->after, error));
    trap->after_count = from->after_count;
    struct cor_expression *into = &trap->constraint;
    *into = (struct cor_expression){0};
    if (from->constraint.node_count == 0)
        return COR_OK;
    *into = (struct cor_expression){.text = cor_strdup(from->constraint.text),
                                    .nodes = cor_calloc(from->constraint.node_count, sizeof *into->nodes),
                                    .node_count = from->constraint.node_count,
                                    .is_constraint = from->constraint.is_constraint,
                                    .integer_only = from->constraint.integer_only,
                                    .result = from->constraint.result};
    if (!into->text || !into->nodes)
        return cor_fail_memory(error);
    memcpy(into->nodes, from->constraint.nodes, from->constraint.node_count * sizeof *into->nodes);
    return COR_OK;
}

enum cor_status cor_efsm_goal_join(const struct cor_efsm_goal *const *goals, uint32_t count,
                                   struct cor_efsm_goal *whole, struct cor_error *error) {
    size_t all = 0;
    enum cor_status status = COR_OK;
    for (uint32_t g = 0; g < count; g++)
        all += goals[g]->trap_count;
    *whole = (struct cor_efsm_goal){
        .name = cor_strdup(goals[0]->name), .traps = cor_calloc(all, sizeof *whole->traps), .optimum = -1};
    if (!whole->name || !whole->traps)
        status = cor_fail_memory(error);
    for (uint32_t g = 0; g < count && status == COR_OK; g++) {
        const uint32_t first = whole->trap_count;
        for (uint32_t t = 0; t < goals[g]->trap_count && status == COR_OK; t++)
            status = copy_trap(&goals[g]->traps[t], goals[g], first, whole, error);
    }
    if (status != COR_OK)
        cor_efsm_goal_fini(whole);
    return status;
}

enum cor_status cor_efsm_read_condition(const struct cor_json *json, const struct cor_efsm *model,
                                        struct cor_expression *condition, struct cor_error *error) {
    const char *names[COR_EFSM_VARIABLES_MAX + 1];
    for (uint32_t v = 0; v < model->variable_count; v++)
        names[v] = model->variables[v].kind == COR_EFSM_STATE ? model->variable_names[v] : "";
    names[model->variable_count] = NULL;
    return efsm__efsm_expression(json, model, names, EFSM__CONDITION, condition, error);
}
