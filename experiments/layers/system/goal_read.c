/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Goals, from JSON to nodes. What is short for other goals (try_if, while, until) becomes these. */
#include "goal_nodes.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A node below `parent`, behind its other children. */
static enum cor_status add_goal(struct system_layer__reader *reader, const struct cor_json *json,
                                uint32_t parent, uint8_t kind, uint32_t *goal) {
    struct cor_goals *goals = reader->goals;
    const uint32_t depth = parent == COR_NONE ? 0 : goals->goals[parent].depth + 1;
    if (depth > COR_GOAL_DEPTH_MAX)
        return cor_json_fail(json, reader->error, NULL, "goals are nested more than %d deep here",
                             COR_GOAL_DEPTH_MAX);
    if (goals->goal_count == COR_GOALS_MAX)
        return cor_json_fail(json, reader->error, "a \"repeat\" or a \"while\" does the same again",
                             "there are more than %u goals", COR_GOALS_MAX);
    COR_TRY(COR_RESERVE(&goals->goals, &goals->goal_capacity, goals->goal_count + 1, reader->error));
    *goal = goals->goal_count++;
    goals->goals[*goal] = (struct system_layer__goal){.kind = kind,
                                                      .depth = depth,
                                                      .parent = parent,
                                                      .first = COR_NONE,
                                                      .last = COR_NONE,
                                                      .next = COR_NONE,
                                                      .adder = COR_NONE,
                                                      .name = COR_NONE,
                                                      .condition = COR_NONE,
                                                      .fail_when = COR_NONE,
                                                      .oracle = COR_NONE,
                                                      .interrupts = COR_NONE,
                                                      .guarded = COR_NONE,
                                                      .interruptible = COR_NONE,
                                                      .tactic = COR_NONE,
                                                      .target = COR_NONE,
                                                      .bind_start = goals->bind_count,
                                                      .cap = COR_BUDGET_INFINITE,
                                                      .epsilon = 0.005};
    if (parent == COR_NONE)
        return COR_OK;
    struct system_layer__goal *above = &goals->goals[parent];
    goals->goals[*goal].guarded = above->guarded;
    goals->goals[*goal].interruptible =
        above->kind == SYSTEM_LAYER__INTERRUPTIBLE ? parent : above->interruptible;
    if (above->last == COR_NONE)
        above->first = *goal;
    else
        goals->goals[above->last].next = *goal;
    above->last = *goal;
    return COR_OK;
}

static enum cor_status add_bind(struct system_layer__reader *reader, uint32_t goal, uint32_t query) {
    struct cor_goals *goals = reader->goals;
    COR_TRY(COR_RESERVE(&goals->binds, &goals->bind_capacity, goals->bind_count + 1, reader->error));
    if (goals->goals[goal].bind_count++ == 0)
        goals->goals[goal].bind_start = goals->bind_count;
    goals->binds[goals->bind_count++] = (struct system_layer__bind){goals->queries[query].slot, query};
    return COR_OK;
}

/* What any goal may have: "max", "name", "fail_when", "assert". Before its children are read. */
static enum cor_status read_attributes(struct system_layer__reader *reader, const struct cor_json *json,
                                       uint32_t goal) {
    struct cor_goals *goals = reader->goals;
    struct cor_json member;
    if (cor_json_find(json, "max", &member)) {
        int64_t most;
        COR_TRY(cor_json_integer(&member, 0, INT64_MAX, &most, reader->error));
        goals->goals[goal].cap = (uint64_t)most;
    }
    if (cor_json_find(json, "name", &member)) {
        const char *name;
        uint32_t number;
        COR_TRY(cor_json_string(&member, &name, reader->error));
        COR_TRY(system_layer__name_of(reader, name, &number));
        goals->goals[goal].name = number;
    }
    uint32_t fail_when, oracle = COR_NONE;
    COR_TRY(system_layer__read_condition_member(reader, json, "fail_when", &fail_when));
    if (goals->goals[goal].kind != SYSTEM_LAYER__ASSERT)
        COR_TRY(system_layer__read_condition_member(reader, json, "assert", &oracle));
    goals->goals[goal].fail_when = fail_when;
    goals->goals[goal].oracle = oracle;
    if (fail_when != COR_NONE)
        goals->goals[goal].guarded = goal;
    return COR_OK;
}

static enum cor_status begin(struct system_layer__reader *reader, const struct cor_json *json,
                             uint32_t parent, uint8_t kind, uint32_t *goal) {
    COR_TRY(add_goal(reader, json, parent, kind, goal));
    return read_attributes(reader, json, *goal);
}

/* -- leaves with a tactic -- */

/* A goal whose tactic adds goals behind it needs siblings that come one after the other. */
static enum cor_status wrap(struct system_layer__reader *reader, const struct cor_json *json,
                            const struct cor_json *tactic, uint32_t *parent, uint32_t *outer) {
    const struct cor_goals *goals = reader->goals;
    const uint8_t above = *parent == COR_NONE ? SYSTEM_LAYER__REPEAT : goals->goals[*parent].kind;
    if (above == SYSTEM_LAYER__SEQ || above == SYSTEM_LAYER__FIRST_OF || !system_layer__adds_goals(tactic))
        return COR_OK;
    COR_TRY(add_goal(reader, json, *parent, SYSTEM_LAYER__SEQ, outer));
    *parent = *outer;
    return COR_OK;
}

static enum cor_status read_solve(struct system_layer__reader *reader, const struct cor_json *json,
                                  uint32_t parent, uint32_t *goal) {
    struct cor_goals *goals = reader->goals;
    struct cor_json condition, distance, tactic, member;
    const bool is_near = cor_json_find(json, "distance", &distance);
    uint32_t outer = COR_NONE, made, number;
    if (!cor_json_find(json, "tactic", &tactic))
        return cor_json_fail(json, reader->error,
                             "say with \"tactic\" what the test agent does, for example an action",
                             "the goal has no tactic, so that nothing is done for it");
    COR_TRY(wrap(reader, json, &tactic, &parent, &outer));
    COR_TRY(begin(reader, json, parent, SYSTEM_LAYER__SOLVE, goal));
    if (is_near) {
        COR_TRY(system_layer__read_number(reader, &distance, &number));
        goals->goals[*goal].solved = SYSTEM_LAYER__NEAR;
        if (cor_json_find(json, "epsilon", &member))
            COR_TRY(cor_json_real(&member, 0, 1e300, &goals->goals[*goal].epsilon, reader->error));
    } else {
        COR_TRY(cor_json_need(json, "goal", &condition, reader->error));
        COR_TRY(system_layer__read_condition(reader, &condition, &number));
        goals->goals[*goal].solved = SYSTEM_LAYER__WHEN;
    }
    goals->goals[*goal].condition = number;
    COR_TRY(system_layer__read_tactic(reader, &tactic, COR_NONE, *goal, &made));
    goals->goals[*goal].tactic = made;
    if (outer != COR_NONE)
        *goal = outer;
    return COR_OK;
}

/* -- library goals -- */

static enum cor_status read_entity_target(struct system_layer__reader *reader, const struct cor_json *json,
                                          uint32_t goal) {
    struct cor_goals *goals = reader->goals;
    const char *text;
    uint32_t reference, query;
    COR_TRY(cor_json_string(json, &text, reader->error));
    COR_TRY(system_layer__read_entity(reader, json, text, &reference, &query));
    goals->goals[goal].target = reference;
    reader->target = reference;
    if (query == COR_NONE)
        return COR_OK;
    if (goals->queries[query].is_any)
        return cor_json_fail(json, reader->error, "write nearest(..)", "a goal has one entity");
    return add_bind(reader, goal, query);
}

/* reach, interact, seen, explore, achieve, plan, do: a tactic of that kind alone. */
static enum cor_status begin_library(struct system_layer__reader *reader, const struct cor_json *json,
                                     uint32_t parent, uint8_t solved, uint8_t kind, const char *word,
                                     uint32_t *goal, uint32_t *tactic) {
    struct cor_goals *goals = reader->goals;
    uint32_t name;
    COR_TRY(add_goal(reader, json, parent, SYSTEM_LAYER__SOLVE, goal));
    goals->goals[*goal].solved = solved;
    COR_TRY(system_layer__add_tactic(reader, COR_NONE, kind, tactic));
    COR_TRY(system_layer__name_of(reader, word, &name));
    goals->goals[*goal].tactic = *tactic;
    goals->tactics[*tactic].name = name;
    goals->tactics[*tactic].is_final = kind != SYSTEM_LAYER__ACT;
    return COR_OK;
}

static enum cor_status read_reach(struct system_layer__reader *reader, const struct cor_json *json,
                                  const char *word, const struct cor_json *target, uint32_t parent,
                                  uint32_t *goal) {
    struct cor_goals *goals = reader->goals;
    struct cor_json action;
    const bool is_seen = strcmp(word, "seen") == 0, has_action = cor_json_find(json, "do", &action);
    const bool is_interact = strcmp(word, "interact") == 0 || has_action;
    uint32_t tactic;
    if (!is_interact || strcmp(word, "reach") == 0)
        COR_TRY(system_layer__expect_map(reader, target, word));
    COR_TRY(begin_library(reader, json, parent,
                          is_seen       ? SYSTEM_LAYER__SEEN
                          : is_interact ? SYSTEM_LAYER__DONE
                                        : SYSTEM_LAYER__REACHED,
                          is_seen       ? SYSTEM_LAYER__EXPLORE
                          : is_interact ? SYSTEM_LAYER__INTERACT
                                        : SYSTEM_LAYER__REACH,
                          word, goal, &tactic));
    COR_TRY(read_entity_target(reader, target, *goal));
    goals->tactics[tactic].target = goals->goals[*goal].target;
    if (is_interact && !has_action && system_layer__only_action(goals->declaration) == COR_NONE)
        return cor_json_fail(json, reader->error, "say it with \"do\"",
                             "it is not said which action \"interact\" is, and the world has not one alone "
                             "that takes an entity");
    if (has_action)
        COR_TRY(system_layer__read_action(reader, &action, tactic));
    else if (is_interact)
        COR_TRY(
            system_layer__read_only_action(reader, tactic, system_layer__only_action(goals->declaration)));
    if (!is_seen)
        COR_TRY(system_layer__read_by(reader, json, false, tactic));
    return read_attributes(reader, json, *goal);
}

static enum cor_status read_explore(struct system_layer__reader *reader, const struct cor_json *json,
                                    const struct cor_json *member, uint32_t parent, uint32_t *goal) {
    struct cor_goals *goals = reader->goals;
    uint32_t tactic, condition;
    bool all = true;
    COR_TRY(system_layer__expect_map(reader, member, "explore"));
    COR_TRY(begin_library(reader, json, parent, SYSTEM_LAYER__EXPLORED, SYSTEM_LAYER__EXPLORE, "explore",
                          goal, &tactic));
    if (cor_json_is_object(json))
        COR_TRY(read_attributes(reader, json, *goal));
    if (!cor_json_is_object(json))
        return COR_OK;
    if (cor_json_is_string(member)) {
        COR_TRY(system_layer__read_condition(reader, member, &condition));
        goals->goals[*goal].solved = SYSTEM_LAYER__WHEN;
        goals->goals[*goal].condition = condition;
        return COR_OK;
    }
    COR_TRY(cor_json_bool(member, &all, reader->error));
    return all ? COR_OK
               : cor_json_fail(member, reader->error, "write true, or a condition until which it explores",
                               "a goal explores, or is not there");
}

static enum cor_status read_wanted(struct system_layer__reader *reader, const struct cor_json *json,
                                   const char *word, const struct cor_json *member, uint32_t parent,
                                   uint32_t *goal) {
    struct cor_goals *goals = reader->goals;
    const bool is_plan = strcmp(word, "plan") == 0;
    uint32_t tactic, condition;
    if (!is_plan)
        COR_TRY(system_layer__expect_map(reader, member, word));
    COR_TRY(begin_library(reader, json, parent, SYSTEM_LAYER__WHEN,
                          is_plan ? SYSTEM_LAYER__PLAN : SYSTEM_LAYER__ACHIEVE, word, goal, &tactic));
    COR_TRY(read_attributes(reader, json, *goal));
    if (is_plan) {
        COR_TRY(system_layer__read_planned(reader, member, tactic));
        goals->goals[*goal].condition = goals->tactics[tactic].wanted;
        return COR_OK;
    }
    COR_TRY(system_layer__read_condition(reader, member, &condition));
    goals->goals[*goal].condition = condition;
    goals->tactics[tactic].wanted = condition;
    return system_layer__read_by(reader, json, true, tactic);
}

static enum cor_status read_do(struct system_layer__reader *reader, const struct cor_json *json,
                               const struct cor_json *action, uint32_t parent, uint32_t *goal) {
    struct cor_goals *goals = reader->goals;
    uint32_t tactic, name;
    COR_TRY(begin_library(reader, json, parent, SYSTEM_LAYER__DONE, SYSTEM_LAYER__ACT, "do", goal, &tactic));
    COR_TRY(system_layer__read_action(reader, action, tactic));
    COR_TRY(system_layer__name_of(reader, goals->declaration->actions[goals->tactics[tactic].action].name,
                                  &name));
    goals->tactics[tactic].name = name;
    return read_attributes(reader, json, *goal);
}

/* -- goals that choose among goals -- */

static enum cor_status read_children(struct system_layer__reader *reader, const struct cor_json *json,
                                     const struct cor_json *children, uint8_t kind, uint32_t parent,
                                     uint32_t *goal) {
    COR_TRY(cor_json_expect_array(children, 1, COR_GOALS_MAX, reader->error));
    COR_TRY(begin(reader, json, parent, kind, goal));
    const size_t count = cor_json_size(children);
    bool is_success = false;
    for (size_t i = 0; i < count; i++) {
        const struct cor_json child = cor_json_at(children, i);
        const char *text;
        uint32_t made;
        if (is_success)
            return cor_json_fail(&child, reader->error, "put \"success\" last",
                                 "this is never tried: \"success\" stands before it");
        if (kind == SYSTEM_LAYER__FIRST_OF && cor_json_is_string(&child)) {
            COR_TRY(cor_json_string(&child, &text, reader->error));
            is_success = strcmp(text, "success") == 0;
        }
        COR_TRY(system_layer__read_goal(reader, &child, *goal, &made));
    }
    return COR_OK;
}

/* if condition success fail, or, denied, if not condition success fail. */
static enum cor_status add_end(struct system_layer__reader *reader, const struct cor_json *json,
                               uint32_t condition, bool is_denied, uint32_t parent) {
    struct cor_goals *goals = reader->goals;
    uint32_t choice, made;
    COR_TRY(add_goal(reader, json, parent, SYSTEM_LAYER__IF, &choice));
    COR_TRY(add_goal(reader, json, choice, SYSTEM_LAYER__CHOOSE, &made));
    goals->goals[made].condition = condition;
    goals->goals[made].is_denied = is_denied;
    COR_TRY(add_goal(reader, json, choice, SYSTEM_LAYER__SUCCESS, &made));
    return add_goal(reader, json, choice, SYSTEM_LAYER__FAIL, &made);
}

/* Below a repeat: seq(first_of(body, success), if condition success fail). */
static enum cor_status add_lap(struct system_layer__reader *reader, const struct cor_json *json,
                               const struct cor_json *body, uint32_t condition, bool is_denied,
                               uint32_t repeat) {
    uint32_t lap, attempt, made;
    COR_TRY(add_goal(reader, json, repeat, SYSTEM_LAYER__SEQ, &lap));
    COR_TRY(add_goal(reader, json, lap, SYSTEM_LAYER__FIRST_OF, &attempt));
    COR_TRY(system_layer__read_goal(reader, body, attempt, &made));
    COR_TRY(add_goal(reader, json, attempt, SYSTEM_LAYER__SUCCESS, &made));
    return add_end(reader, json, condition, is_denied, lap);
}

static enum cor_status read_repeat(struct system_layer__reader *reader, const struct cor_json *json,
                                   const struct cor_json *body, uint32_t parent, uint32_t *goal) {
    struct cor_json member;
    uint32_t made, condition;
    COR_TRY(begin(reader, json, parent, SYSTEM_LAYER__REPEAT, goal));
    if (cor_json_find(json, "tries", &member)) {
        int64_t tries;
        COR_TRY(cor_json_integer(&member, 1, INT64_MAX, &tries, reader->error));
        reader->goals->goals[*goal].tries = (uint64_t)tries;
    }
    COR_TRY(system_layer__read_condition_member(reader, json, "until", &condition));
    return condition == COR_NONE ? system_layer__read_goal(reader, body, *goal, &made)
                                 : add_lap(reader, json, body, condition, false, *goal);
}

static enum cor_status read_if(struct system_layer__reader *reader, const struct cor_json *json,
                               const struct cor_json *when, uint32_t parent, uint32_t *goal) {
    struct cor_json then, otherwise;
    uint32_t chooser, condition, made;
    COR_TRY(begin(reader, json, parent, SYSTEM_LAYER__IF, goal));
    COR_TRY(cor_json_need(json, "then", &then, reader->error));
    COR_TRY(add_goal(reader, json, *goal, SYSTEM_LAYER__CHOOSE, &chooser));
    COR_TRY(system_layer__read_condition(reader, when, &condition));
    reader->goals->goals[chooser].condition = condition;
    COR_TRY(system_layer__read_goal(reader, &then, *goal, &made));
    return cor_json_find(json, "else", &otherwise)
               ? system_layer__read_goal(reader, &otherwise, *goal, &made)
               : add_goal(reader, json, *goal, SYSTEM_LAYER__SUCCESS, &made);
}

static enum cor_status read_try_if(struct system_layer__reader *reader, const struct cor_json *json,
                                   const struct cor_json *when, uint32_t parent, uint32_t *goal) {
    struct cor_json then, otherwise;
    uint32_t attempt, check, condition, made;
    COR_TRY(begin(reader, json, parent, SYSTEM_LAYER__FIRST_OF, goal));
    COR_TRY(cor_json_need(json, "then", &then, reader->error));
    COR_TRY(add_goal(reader, json, *goal, SYSTEM_LAYER__SEQ, &attempt));
    COR_TRY(add_goal(reader, json, attempt, SYSTEM_LAYER__CHECK, &check));
    COR_TRY(system_layer__read_condition(reader, when, &condition));
    reader->goals->goals[check].condition = condition;
    COR_TRY(system_layer__read_goal(reader, &then, attempt, &made));
    return cor_json_find(json, "else", &otherwise)
               ? system_layer__read_goal(reader, &otherwise, *goal, &made)
               : add_goal(reader, json, *goal, SYSTEM_LAYER__SUCCESS, &made);
}

static enum cor_status read_while(struct system_layer__reader *reader, const struct cor_json *json,
                                  const struct cor_json *when, uint32_t parent, uint32_t *goal) {
    struct cor_json body;
    uint32_t chooser, condition, repeat, made;
    COR_TRY(begin(reader, json, parent, SYSTEM_LAYER__IF, goal));
    COR_TRY(cor_json_need(json, "do", &body, reader->error));
    COR_TRY(add_goal(reader, json, *goal, SYSTEM_LAYER__CHOOSE, &chooser));
    COR_TRY(system_layer__read_condition(reader, when, &condition));
    reader->goals->goals[chooser].condition = condition;
    COR_TRY(add_goal(reader, json, *goal, SYSTEM_LAYER__REPEAT, &repeat));
    COR_TRY(add_lap(reader, json, &body, condition, true, repeat));
    return add_goal(reader, json, *goal, SYSTEM_LAYER__SUCCESS, &made);
}

static enum cor_status read_condition_leaf(struct system_layer__reader *reader, const struct cor_json *json,
                                           const struct cor_json *member, uint8_t kind, uint32_t parent,
                                           uint32_t *goal) {
    uint32_t condition;
    COR_TRY(begin(reader, json, parent, kind, goal));
    COR_TRY(system_layer__read_condition(reader, member, &condition));
    reader->goals->goals[*goal].condition = condition;
    return COR_OK;
}

static enum cor_status read_interruptible(struct system_layer__reader *reader, const struct cor_json *json,
                                          const struct cor_json *body, uint32_t parent, uint32_t *goal) {
    static const char *const keys[] = {"when", "do", NULL};
    struct cor_json handlers, when, handler;
    uint32_t made, condition;
    COR_TRY(cor_json_need(json, "handlers", &handlers, reader->error));
    COR_TRY(cor_json_expect_array(&handlers, 1, 1000, reader->error));
    COR_TRY(begin(reader, json, parent, SYSTEM_LAYER__INTERRUPTIBLE, goal));
    COR_TRY(system_layer__read_goal(reader, body, *goal, &made));
    const uint32_t level = reader->level;
    reader->level = reader->level_high; /* what the goal has selected stays while a handler selects */
    for (size_t i = 0; i < cor_json_size(&handlers); i++) {
        const struct cor_json item = cor_json_at(&handlers, i);
        COR_TRY(cor_json_expect_object(&item, keys, reader->error));
        COR_TRY(cor_json_need(&item, "when", &when, reader->error));
        COR_TRY(cor_json_need(&item, "do", &handler, reader->error));
        COR_TRY(system_layer__read_condition(reader, &when, &condition));
        COR_TRY(system_layer__read_goal(reader, &handler, *goal, &made));
        reader->goals->goals[made].interrupts = condition;
    }
    reader->level = level;
    return COR_OK;
}

/* -- named goals -- */

static struct system_layer__definition *find_definition(struct cor_goals *goals, const char *name) {
    for (uint32_t d = 0; d < goals->definition_count; d++)
        if (strcmp(goals->definitions[d].name, name) == 0)
            return &goals->definitions[d];
    return NULL;
}

static enum cor_status complain_name(struct system_layer__reader *reader, const struct cor_json *json,
                                     const char *name) {
    const struct cor_goals *goals = reader->goals;
    const char *names[260] = {"success", "fail", "explore"};
    char known[900];
    uint32_t count = 3;
    for (uint32_t d = 0; d < goals->definition_count && count < 256; d++)
        names[count++] = goals->definitions[d].name;
    names[count] = NULL;
    cor_known_names(name, names, known, sizeof known);
    return cor_json_fail(json, reader->error, known, "there is no goal \"%.100s\"", name);
}

static bool is_literal(const char *text) {
    const size_t length = strlen(text);
    const char *digits = text + (text[0] == '-');
    return (digits[0] >= '0' && digits[0] <= '9') || strcmp(text, "true") == 0 ||
           strcmp(text, "false") == 0 || (length >= 2 && text[0] == '\'' && text[length - 1] == '\'');
}

/* What the argument is, said where the goal is used. */
static enum cor_status read_meaning(struct system_layer__reader *reader, const struct cor_json *json,
                                    const char *text, uint32_t chooser,
                                    struct system_layer__meaning *meaning) {
    struct cor_goals *goals = reader->goals;
    const struct system_layer__meaning *known = system_layer__meaning(reader, text);
    uint32_t kept, reference, query;
    meaning->slot = COR_NONE;
    if (known) {
        const char *name = meaning->name;
        *meaning = *known;
        meaning->name = name;
        return COR_OK;
    }
    COR_TRY(system_layer__name_of(reader, text, &kept));
    if (is_literal(text)) {
        meaning->text = cor_words_text(&goals->names, kept);
        return COR_OK;
    }
    const uint32_t meanings = reader->meaning_count;
    COR_TRY(system_layer__read_entity(reader, json, text, &reference, &query));
    meaning->entity = cor_words_text(&goals->names, kept);
    if (query == COR_NONE)
        return COR_OK;
    if (chooser == COR_NONE)
        return cor_json_fail(json, reader->error,
                             "write {\"deploy\": \"NAME\", \"with\": {\"PARAMETER\": \"..\"}}",
                             "\"%.200s\" is chosen while the test runs", text);
    if (goals->queries[query].is_any)
        return cor_json_fail(json, reader->error, "write nearest(..)", "one entity is wanted here");
    meaning->entity = reader->meanings[meanings].entity;
    meaning->slot = goals->queries[query].slot;
    reader->meaning_count = meanings;
    return add_bind(reader, chooser, query);
}

/* Reads the goal that is called so with these meanings of its parameters. */
static enum cor_status read_definition(struct system_layer__reader *reader, const struct cor_json *json,
                                       struct system_layer__definition *definition,
                                       const struct system_layer__meaning *given, uint32_t parent,
                                       uint32_t *goal) {
    struct cor_goals *goals = reader->goals;
    const uint32_t count = reader->meaning_count;
    bool was_hidden[SYSTEM_LAYER__MEANINGS_MAX];
    if (definition->is_open)
        return cor_json_fail(json, reader->error, "a \"repeat\" or a \"while\" does the same again",
                             "goal \"%.100s\" is a part of itself", definition->name);
    const struct cor_json body = cor_json_at(&goals->way[0], definition->member);
    for (uint32_t m = 0; m < count; m++) {
        was_hidden[m] = reader->meanings[m].is_hidden;
        reader->meanings[m].is_hidden = strcmp(reader->meanings[m].name, "self") != 0;
    }
    definition->is_open = true;
    COR_TRY(system_layer__apply_meanings(reader, json));
    for (uint32_t p = 0; p < definition->parameter_count; p++)
        COR_TRY(system_layer__add_meaning(reader, &body, given[p]));
    const enum cor_status status = system_layer__read_goal(reader, &body, parent, goal);
    if (status != COR_OK && reader->error && !reader->error->remedy[0]) {
        char place[480];
        cor_json_place(json, place, sizeof place);
        snprintf(reader->error->remedy, sizeof reader->error->remedy, COR_JSON_NAMED_IN "%s", place);
    }
    COR_TRY(status);
    definition->is_open = false;
    reader->meaning_count = count;
    for (uint32_t m = 0; m < count; m++)
        reader->meanings[m].is_hidden = was_hidden[m];
    return system_layer__apply_meanings(reader, json);
}

static const char *parameter_name(const struct system_layer__definition *definition, uint32_t index) {
    const char *at = definition->parameters;
    for (; index > 0; index--)
        at += strlen(at) + 1;
    return at;
}

static enum cor_status read_call(struct system_layer__reader *reader, const struct cor_json *json,
                                 const char *text, char *copy, uint32_t parent, uint32_t *goal) {
    struct system_layer__meaning given[SYSTEM_LAYER__PARAMETERS_MAX] = {{0}};
    char *arguments[SYSTEM_LAYER__PARAMETERS_MAX];
    uint32_t count, name;
    if (!system_layer__split(copy, arguments, SYSTEM_LAYER__PARAMETERS_MAX, &count))
        return cor_json_fail(json, reader->error, "write NAME, or NAME(ARGUMENT, ..)",
                             "\"%.200s\" is no goal with arguments", text);
    struct system_layer__definition *definition = find_definition(reader->goals, copy);
    if (!definition)
        return complain_name(reader, json, copy);
    if (count != definition->parameter_count)
        return cor_json_fail(json, reader->error, NULL, "goal \"%.100s\" has %u parameter%s, and is given %u",
                             definition->name, definition->parameter_count,
                             definition->parameter_count == 1 ? "" : "s", count);
    for (uint32_t p = 0; p < count; p++) {
        given[p].name = parameter_name(definition, p);
        COR_TRY(read_meaning(reader, json, arguments[p], COR_NONE, &given[p]));
    }
    COR_TRY(read_definition(reader, json, definition, given, parent, goal));
    COR_TRY(system_layer__name_of(reader, text, &name));
    if (reader->goals->goals[*goal].name == COR_NONE)
        reader->goals->goals[*goal].name = name;
    return COR_OK;
}

static enum cor_status read_named(struct system_layer__reader *reader, const struct cor_json *json,
                                  const char *text, uint32_t parent, uint32_t *goal) {
    char *copy = cor_strdup(text);
    COR_TRY(cor_made(copy, reader->error));
    const enum cor_status status = read_call(reader, json, text, copy, parent, goal);
    free(copy);
    return status;
}

/* The values of "with", one for each parameter. */
static enum cor_status read_with(struct system_layer__reader *reader, const struct cor_json *json,
                                 const struct system_layer__definition *definition, uint32_t chooser,
                                 struct system_layer__meaning *given) {
    const char *keys[SYSTEM_LAYER__PARAMETERS_MAX + 1];
    for (uint32_t p = 0; p < definition->parameter_count; p++)
        keys[p] = parameter_name(definition, p);
    keys[definition->parameter_count] = NULL;
    COR_TRY(cor_json_expect_object(json, keys, reader->error));
    for (uint32_t p = 0; p < definition->parameter_count; p++) {
        struct cor_json value;
        const char *text;
        char *number = NULL;
        given[p].name = keys[p];
        COR_TRY(cor_json_need(json, keys[p], &value, reader->error));
        if (cor_json_is_string(&value)) {
            COR_TRY(cor_json_string(&value, &text, reader->error));
        } else {
            number = cor_json_text(&value);
            COR_TRY(cor_made(number, reader->error));
            text = number;
        }
        const enum cor_status status =
            number && !is_literal(number)
                ? cor_json_fail(&value, reader->error, NULL,
                                "a parameter stands for an entity, a number, a truth value or a word")
                : read_meaning(reader, &value, text, chooser, &given[p]);
        free(number);
        COR_TRY(status);
    }
    return COR_OK;
}

static enum cor_status read_deploy(struct system_layer__reader *reader, const struct cor_json *json,
                                   const struct cor_json *member, uint32_t parent, uint32_t *goal) {
    struct system_layer__meaning given[SYSTEM_LAYER__PARAMETERS_MAX] = {{0}};
    struct cor_json with;
    const char *name;
    uint32_t chooser, made;
    COR_TRY(cor_json_string(member, &name, reader->error));
    COR_TRY(begin(reader, json, parent, SYSTEM_LAYER__IF, goal));
    COR_TRY(add_goal(reader, json, *goal, SYSTEM_LAYER__CHOOSE, &chooser));
    if (!cor_json_find(json, "with", &with))
        return read_named(reader, member, name, *goal, &made);
    struct system_layer__definition *definition = find_definition(reader->goals, name);
    if (!definition)
        return complain_name(reader, member, name);
    COR_TRY(read_with(reader, &with, definition, chooser, given));
    COR_TRY(read_definition(reader, member, definition, given, *goal, &made));
    uint32_t kept;
    COR_TRY(system_layer__name_of(reader, name, &kept));
    if (reader->goals->goals[made].name == COR_NONE)
        reader->goals->goals[made].name = kept;
    return COR_OK;
}

/* -- which goal it is -- */

struct form {
    const char *key;
    const char *keys[6]; /* beside it and the attributes */
};

/* "do" and "assert" are goals only where none of the others is given. */
static const struct form forms[] = {
    {"goal", {"tactic"}},
    {"distance", {"epsilon", "tactic"}},
    {"seq", {NULL}},
    {"first_of", {NULL}},
    {"repeat", {"tries", "until"}},
    {"check", {NULL}},
    {"if", {"then", "else"}},
    {"try_if", {"then", "else"}},
    {"while", {"do"}},
    {"deploy", {"with"}},
    {"interruptible", {"handlers"}},
    {"reach", {"do", "by", "among"}},
    {"interact", {"do", "by", "among"}},
    {"seen", {NULL}},
    {"explore", {NULL}},
    {"achieve", {"by", "among"}},
    {"plan", {NULL}},
    {"do", {NULL}},
    {"assert", {NULL}},
};
#define FORM_COUNT (sizeof forms / sizeof *forms)
#define FORM_DO (FORM_COUNT - 2)

static const char *const attribute_keys[] = {"max", "name", "fail_when", "assert"};
#define ATTRIBUTE_COUNT (sizeof attribute_keys / sizeof *attribute_keys)

static enum cor_status find_form(struct system_layer__reader *reader, const struct cor_json *json,
                                 const struct form **form) {
    const char *keys[FORM_COUNT + ATTRIBUTE_COUNT + 8];
    struct cor_json member;
    size_t count = 0;
    *form = NULL;
    for (size_t f = 0; f < FORM_COUNT; f++) {
        if (!cor_json_find(json, forms[f].key, &member) || (*form && f >= FORM_DO))
            continue;
        if (*form)
            return cor_json_fail(json, reader->error, "put one within the other",
                                 "a goal is given in two ways: \"%s\" and \"%s\"", (*form)->key,
                                 forms[f].key);
        *form = &forms[f];
    }
    if (!*form)
        for (size_t f = 0; f < FORM_DO; f++)
            keys[count++] = forms[f].key;
    else
        keys[count++] = (*form)->key;
    if (!*form)
        keys[count++] = "do";
    for (size_t k = 0; *form && k < sizeof(*form)->keys / sizeof *(*form)->keys && (*form)->keys[k]; k++)
        keys[count++] = (*form)->keys[k];
    for (size_t a = 0; a < ATTRIBUTE_COUNT; a++)
        if (!*form || strcmp((*form)->key, attribute_keys[a]) != 0)
            keys[count++] = attribute_keys[a];
    keys[count] = NULL;
    COR_TRY(cor_json_expect_object(json, keys, reader->error));
    if (*form)
        return COR_OK;
    return cor_json_fail(
        json, reader->error,
        "give one of \"goal\", \"seq\", \"first_of\", \"repeat\", \"check\", \"do\", \"assert\", "
        "\"if\", \"try_if\", \"while\", \"deploy\", \"interruptible\", \"reach\", \"interact\", "
        "\"seen\", \"explore\", \"achieve\", \"distance\" and \"plan\"",
        "nothing says what the goal is");
}

static enum cor_status read_object(struct system_layer__reader *reader, const struct cor_json *json,
                                   uint32_t parent, uint32_t *goal) {
    const struct form *form;
    struct cor_json member;
    COR_TRY(find_form(reader, json, &form));
    COR_TRY(cor_json_need(json, form->key, &member, reader->error));
    const char *key = form->key;
    if (strcmp(key, "goal") == 0 || strcmp(key, "distance") == 0)
        return read_solve(reader, json, parent, goal);
    if (strcmp(key, "seq") == 0)
        return read_children(reader, json, &member, SYSTEM_LAYER__SEQ, parent, goal);
    if (strcmp(key, "first_of") == 0)
        return read_children(reader, json, &member, SYSTEM_LAYER__FIRST_OF, parent, goal);
    if (strcmp(key, "repeat") == 0)
        return read_repeat(reader, json, &member, parent, goal);
    if (strcmp(key, "check") == 0)
        return read_condition_leaf(reader, json, &member, SYSTEM_LAYER__CHECK, parent, goal);
    if (strcmp(key, "assert") == 0)
        return read_condition_leaf(reader, json, &member, SYSTEM_LAYER__ASSERT, parent, goal);
    if (strcmp(key, "if") == 0)
        return read_if(reader, json, &member, parent, goal);
    if (strcmp(key, "try_if") == 0)
        return read_try_if(reader, json, &member, parent, goal);
    if (strcmp(key, "while") == 0)
        return read_while(reader, json, &member, parent, goal);
    if (strcmp(key, "deploy") == 0)
        return read_deploy(reader, json, &member, parent, goal);
    if (strcmp(key, "interruptible") == 0)
        return read_interruptible(reader, json, &member, parent, goal);
    if (strcmp(key, "explore") == 0)
        return read_explore(reader, json, &member, parent, goal);
    if (strcmp(key, "achieve") == 0 || strcmp(key, "plan") == 0)
        return read_wanted(reader, json, key, &member, parent, goal);
    if (strcmp(key, "do") == 0)
        return read_do(reader, json, &member, parent, goal);
    return read_reach(reader, json, key, &member, parent, goal);
}

enum cor_status system_layer__read_goal(struct system_layer__reader *reader, const struct cor_json *json,
                                        uint32_t parent, uint32_t *goal) {
    const char *text;
    if (!cor_json_is_object(json)) {
        if (!cor_json_is_string(json))
            return cor_json_fail(json, reader->error, "write a name, or an object with \"seq\", \"goal\", ..",
                                 "this is no goal");
        COR_TRY(cor_json_string(json, &text, reader->error));
        if (strcmp(text, "success") == 0)
            return add_goal(reader, json, parent, SYSTEM_LAYER__SUCCESS, goal);
        if (strcmp(text, "fail") == 0)
            return add_goal(reader, json, parent, SYSTEM_LAYER__FAIL, goal);
        if (strcmp(text, "explore") == 0)
            return read_explore(reader, json, json, parent, goal);
        return read_named(reader, json, text, parent, goal);
    }
    const uint32_t meanings = reader->meaning_count, level = reader->level, target = reader->target;
    reader->target = COR_NONE;
    COR_TRY(read_object(reader, json, parent, goal));
    reader->level = level;
    reader->target = target;
    return system_layer__drop_meanings(reader, json, meanings);
}
