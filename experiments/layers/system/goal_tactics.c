/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tactics, from JSON to nodes. */
#include "goal_nodes.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

enum cor_status system_layer__add_tactic(struct system_layer__reader *reader, uint32_t parent, uint8_t kind,
                                         uint32_t *tactic) {
    struct cor_goals *goals = reader->goals;
    COR_TRY(COR_RESERVE(&goals->tactics, &goals->tactic_capacity, goals->tactic_count + 1, reader->error));
    *tactic = goals->tactic_count++;
    goals->tactics[*tactic] = (struct system_layer__tactic){.kind = kind,
                                                            .parent = parent,
                                                            .first = COR_NONE,
                                                            .last = COR_NONE,
                                                            .next = COR_NONE,
                                                            .name = COR_NONE,
                                                            .when = COR_NONE,
                                                            .until = COR_NONE,
                                                            .after = COR_NONE,
                                                            .wanted = COR_NONE,
                                                            .target = COR_NONE,
                                                            .action = COR_NONE,
                                                            .by = COR_NONE,
                                                            .query = COR_NONE,
                                                            .among = COR_NONE,
                                                            .added = COR_NONE};
    if (parent == COR_NONE)
        return COR_OK;
    struct system_layer__tactic *above = &goals->tactics[parent];
    if (above->last == COR_NONE)
        above->first = *tactic;
    else
        goals->tactics[above->last].next = *tactic;
    above->last = *tactic;
    return COR_OK;
}

/* Whether a tactic has an add_after in it. */
bool system_layer__adds_goals(const struct cor_json *json) {
    static const char *const words[] = {"first_of", "any_of", "seq", NULL};
    struct cor_json member;
    if (cor_json_find(json, "add_after", &member))
        return true;
    for (const char *const *word = words; *word; word++)
        if (cor_json_find(json, *word, &member))
            for (size_t i = 0; i < cor_json_size(&member); i++) {
                const struct cor_json child = cor_json_at(&member, i);
                if (system_layer__adds_goals(&child))
                    return true;
            }
    return false;
}

/* What is tried behind an alternative that is always there never is. */
static enum cor_status expect_reachable(struct system_layer__reader *reader, const struct cor_json *children,
                                        size_t index) {
    const struct cor_json child = cor_json_at(children, index);
    const char *text;
    if (index + 1 == cor_json_size(children) || !cor_json_is_string(&child))
        return COR_OK;
    COR_TRY(cor_json_string(&child, &text, reader->error));
    if (strcmp(text, "abort") != 0)
        return COR_OK;
    const struct cor_json behind = cor_json_at(children, index + 1);
    return cor_json_fail(&behind, reader->error, "put \"abort\" last, or give it a \"when\"",
                         "this is never tried: \"abort\" stands before it, and is always enabled");
}

static enum cor_status read_children(struct system_layer__reader *reader, const struct cor_json *json,
                                     const char *key, uint8_t kind, uint32_t parent, uint32_t goal,
                                     uint32_t *tactic) {
    const char *const keys[] = {key, NULL};
    struct cor_json children;
    COR_TRY(cor_json_expect_object(json, keys, reader->error));
    COR_TRY(cor_json_need(json, key, &children, reader->error));
    COR_TRY(cor_json_expect_array(&children, 1, COR_GOALS_MAX, reader->error));
    COR_TRY(system_layer__add_tactic(reader, parent, kind, tactic));
    for (size_t i = 0; i < cor_json_size(&children); i++) {
        const struct cor_json child = cor_json_at(&children, i);
        uint32_t made;
        if (kind == SYSTEM_LAYER__ALTERNATIVES)
            COR_TRY(expect_reachable(reader, &children, i));
        COR_TRY(system_layer__read_tactic(reader, &child, *tactic, goal, &made));
    }
    return COR_OK;
}

static enum cor_status read_conditions(struct system_layer__reader *reader, const struct cor_json *json,
                                       uint32_t tactic) {
    uint32_t when, until, after;
    COR_TRY(system_layer__read_condition_member(reader, json, "when", &when));
    COR_TRY(system_layer__read_condition_member(reader, json, "until", &until));
    COR_TRY(system_layer__read_condition_member(reader, json, "after", &after));
    struct system_layer__tactic *made = &reader->goals->tactics[tactic];
    made->when = when;
    made->until = until;
    made->after = after;
    return COR_OK;
}

static enum cor_status read_target(struct system_layer__reader *reader, const struct cor_json *json,
                                   uint32_t tactic) {
    const char *text;
    uint32_t reference, query;
    COR_TRY(cor_json_string(json, &text, reader->error));
    COR_TRY(system_layer__read_entity(reader, json, text, &reference, &query));
    if (query != COR_NONE && reader->goals->queries[query].is_any)
        return cor_json_fail(json, reader->error, "write nearest(..)", "one entity is wanted here");
    reader->goals->tactics[tactic].target = reference;
    reader->goals->tactics[tactic].query = query;
    reader->target = reference;
    return COR_OK;
}

static enum cor_status read_action_member(struct system_layer__reader *reader, const struct cor_json *json,
                                          uint32_t tactic) {
    struct cor_goals *goals = reader->goals;
    const char *text;
    if (cor_json_is_string(json)) {
        COR_TRY(cor_json_string(json, &text, reader->error));
        COR_TRY(system_layer__name_of(reader, text, &goals->tactics[tactic].name));
        if (strcmp(text, "abort") == 0) {
            goals->tactics[tactic].kind = SYSTEM_LAYER__ABORT;
            return COR_OK;
        }
    }
    return system_layer__read_action(reader, json, tactic);
}

static enum cor_status read_leaf(struct system_layer__reader *reader, const struct cor_json *json,
                                 uint8_t kind, const char *key, uint32_t goal, uint32_t tactic) {
    struct cor_goals *goals = reader->goals;
    struct cor_json member, action;
    bool all = true;
    uint32_t made;
    COR_TRY(cor_json_need(json, key, &member, reader->error));
    COR_TRY(system_layer__name_of(reader, key, &goals->tactics[tactic].name));
    switch (kind) {
    case SYSTEM_LAYER__ACT:
        COR_TRY(read_action_member(reader, &member, tactic));
        break;
    case SYSTEM_LAYER__ADD_AFTER:
        COR_TRY(system_layer__read_goal(reader, &member, goals->goals[goal].parent, &made));
        goals->goals[made].adder = goal;
        goals->tactics[tactic].added = made;
        break;
    case SYSTEM_LAYER__REACH:
    case SYSTEM_LAYER__INTERACT:
        if (kind == SYSTEM_LAYER__REACH)
            COR_TRY(system_layer__expect_map(reader, &member, key));
        COR_TRY(read_target(reader, &member, tactic));
        if (kind == SYSTEM_LAYER__INTERACT) {
            COR_TRY(cor_json_need(json, "do", &action, reader->error));
            COR_TRY(system_layer__read_action(reader, &action, tactic));
        }
        COR_TRY(system_layer__read_by(reader, json, false, tactic));
        break;
    case SYSTEM_LAYER__EXPLORE:
        COR_TRY(system_layer__expect_map(reader, &member, key));
        COR_TRY(cor_json_bool(&member, &all, reader->error));
        if (!all)
            return cor_json_fail(&member, reader->error, "write true", "a tactic explores, or is not there");
        break;
    case SYSTEM_LAYER__ACHIEVE:
        COR_TRY(system_layer__expect_map(reader, &member, key));
        COR_TRY(system_layer__read_by(reader, json, true, tactic));
        COR_TRY(system_layer__read_condition(reader, &member, &goals->tactics[tactic].wanted));
        break;
    default:
        COR_TRY(system_layer__read_planned(reader, &member, tactic));
    }
    return read_conditions(reader, json, tactic);
}

struct form {
    const char *key;
    uint8_t kind;
    const char *keys[7];
};

static const struct form forms[] = {
    {"action", SYSTEM_LAYER__ACT, {"action", "when", "until", "after"}},
    {"first_of", SYSTEM_LAYER__ALTERNATIVES, {NULL}},
    {"any_of", SYSTEM_LAYER__ANY_OF, {NULL}},
    {"seq", SYSTEM_LAYER__IN_TURN, {NULL}},
    {"add_after", SYSTEM_LAYER__ADD_AFTER, {"add_after", "when"}},
    {"reach", SYSTEM_LAYER__REACH, {"reach", "by", "among", "when"}},
    {"interact", SYSTEM_LAYER__INTERACT, {"interact", "do", "by", "among", "when", "after"}},
    {"explore", SYSTEM_LAYER__EXPLORE, {"explore", "when"}},
    {"achieve", SYSTEM_LAYER__ACHIEVE, {"achieve", "by", "among", "when"}},
    {"plan", SYSTEM_LAYER__PLAN, {"plan", "when"}},
};
#define FORM_COUNT (sizeof forms / sizeof *forms)

/* An action alone: "press(b)", {"do": "press", "on": "b"}. */
static enum cor_status read_alone(struct system_layer__reader *reader, const struct cor_json *json,
                                  uint32_t tactic) {
    const uint32_t meanings = reader->meaning_count, level = reader->level;
    COR_TRY(system_layer__read_action(reader, json, tactic));
    reader->level = level;
    return system_layer__drop_meanings(reader, json, meanings);
}

static enum cor_status read_object(struct system_layer__reader *reader, const struct cor_json *json,
                                   uint32_t parent, uint32_t goal, uint32_t *tactic) {
    const char *keys[FORM_COUNT + 4] = {"when", "until", "after"};
    const struct form *form = NULL;
    struct cor_json member;
    for (size_t f = 0; f < FORM_COUNT; f++) {
        keys[3 + f] = forms[f].key;
        if (!cor_json_find(json, forms[f].key, &member))
            continue;
        if (form)
            return cor_json_fail(json, reader->error, "put one within the other",
                                 "a tactic is given in two ways: \"%s\" and \"%s\"", form->key, forms[f].key);
        form = &forms[f];
    }
    if (!form && cor_json_find(json, "do", &member)) {
        COR_TRY(system_layer__add_tactic(reader, parent, SYSTEM_LAYER__ACT, tactic));
        COR_TRY(system_layer__name_of(reader, "action", &reader->goals->tactics[*tactic].name));
        return read_alone(reader, json, *tactic);
    }
    if (!form) {
        COR_TRY(cor_json_expect_object(json, keys, reader->error));
        return cor_json_fail(
            json, reader->error,
            "give one of \"action\", \"first_of\", \"any_of\", \"seq\", \"add_after\", \"reach\", "
            "\"interact\", \"explore\", \"achieve\" and \"plan\"",
            "nothing says what the tactic is");
    }
    if (!form->keys[0])
        return read_children(reader, json, form->key, form->kind, parent, goal, tactic);
    COR_TRY(cor_json_expect_object(json, form->keys, reader->error));
    const uint32_t meanings = reader->meaning_count, level = reader->level, target = reader->target;
    COR_TRY(system_layer__add_tactic(reader, parent, form->kind, tactic));
    COR_TRY(read_leaf(reader, json, form->kind, form->key, goal, *tactic));
    reader->level = level;
    reader->target = target;
    return system_layer__drop_meanings(reader, json, meanings);
}

enum cor_status system_layer__read_tactic(struct system_layer__reader *reader, const struct cor_json *json,
                                          uint32_t parent, uint32_t goal, uint32_t *tactic) {
    struct cor_goals *goals = reader->goals;
    const char *text;
    if (cor_json_is_object(json))
        return read_object(reader, json, parent, goal, tactic);
    COR_TRY(cor_json_string(json, &text, reader->error));
    COR_TRY(system_layer__add_tactic(reader, parent, SYSTEM_LAYER__ACT, tactic));
    COR_TRY(system_layer__name_of(reader, text, &goals->tactics[*tactic].name));
    if (strcmp(text, "abort") == 0) {
        goals->tactics[*tactic].kind = SYSTEM_LAYER__ABORT;
        return COR_OK;
    }
    if (strcmp(text, "explore") == 0) {
        goals->tactics[*tactic].kind = SYSTEM_LAYER__EXPLORE;
        return system_layer__expect_map(reader, json, text);
    }
    return read_alone(reader, json, *tactic);
}
