/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which actions the tactic of the current goal offers: rule 5. Nothing is allocated once there is room for as
 * many offers as there ever were at a time. */
#include "pursuit_state.h"

#include <corridor/array.h>

#include <stdio.h>
#include <string.h>

static const struct system_layer__tactic *tactic_at(const struct cor_pursuit *pursuit, uint32_t tactic) {
    return &pursuit->goals->tactics[tactic];
}

static const char *name_of(const struct cor_pursuit *pursuit, uint32_t name) {
    return name == COR_NONE ? "" : cor_words_text(&pursuit->goals->names, name);
}

/* What is waited for is the first that keeps an action from being done. */
static void note_guard(struct cor_pursuit *pursuit, const char *text) {
    if (!*pursuit->guard)
        pursuit->guard = text;
}

static enum cor_status add_offer(struct cor_pursuit *pursuit, struct system_layer__offer offer,
                                 const struct cor_world_command *command, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&pursuit->offers, &pursuit->offer_capacity, pursuit->offer_count + 1, error));
    COR_TRY(COR_RESERVE(&pursuit->commands, &pursuit->command_capacity, pursuit->offer_count + 1, error));
    pursuit->offers[pursuit->offer_count] = offer;
    pursuit->commands[pursuit->offer_count++] = *command;
    return COR_OK;
}

/* The command with the values that its arguments have now; false: one of them is unknown. */
static bool make_command(struct cor_pursuit *pursuit, const struct system_layer__tactic *tactic,
                         struct cor_world_command *command) {
    const struct cor_goals *goals = pursuit->goals;
    const struct cor_action *action = &goals->declaration->actions[tactic->action];
    *command = (struct cor_world_command){.action = tactic->action};
    for (uint32_t p = 0; p < action->parameter_count; p++) {
        const struct system_layer__argument *argument = &goals->arguments[tactic->argument_start + p];
        struct cor_value *value = &command->arguments[p];
        if (argument->reference != COR_NONE) {
            const struct cor_believed entity = system_layer__entity(pursuit, argument->reference);
            if (!system_layer__is_there(pursuit, entity))
                return false;
            *value = cor_word(cor_beliefs_identity(pursuit->beliefs, entity.type, entity.element));
        } else if (argument->expression == COR_NONE) {
            *value = argument->value;
        } else if (argument->domain->type == COR_VALUE_TYPE_BOOLEAN) {
            const enum cor_truth truth = system_layer__ask(pursuit, argument->expression);
            if (truth == COR_TRUTH_UNKNOWN)
                return false;
            *value = cor_integer(truth == COR_TRUTH_TRUE);
        } else {
            double number;
            if (!system_layer__reckon(pursuit, argument->expression, &number))
                return false;
            if (argument->domain->type == COR_VALUE_TYPE_REAL) {
                *value = cor_real(number);
            } else if (number < -9007199254740992.0 || number > 9007199254740992.0 ||
                       (double)(int64_t)number < number || (double)(int64_t)number > number) {
                return false;
            } else {
                *value = cor_integer((int64_t)number);
            }
        }
    }
    return true;
}

/* -- ways -- */

enum cor_status system_layer__way_to(struct cor_pursuit *pursuit, struct cor_believed entity,
                                     struct cor_error *error) {
    const uint64_t cycle = cor_beliefs_cycle(pursuit->beliefs);
    if (pursuit->way.cycle == cycle && pursuit->way.type == entity.type &&
        pursuit->way.element == entity.element)
        return COR_OK;
    pursuit->way.cycle = cycle;
    pursuit->way.type = entity.type;
    pursuit->way.element = entity.element;
    pursuit->way.answer = COR_TRAVEL_NO_WAY;
    if (!system_layer__is_there(pursuit, entity))
        return COR_OK;
    return cor_travel_to(pursuit->travel, entity, false, &pursuit->way.answer, &pursuit->way.command, error);
}

enum cor_status system_layer__explore(struct cor_pursuit *pursuit, struct cor_error *error) {
    const uint64_t cycle = cor_beliefs_cycle(pursuit->beliefs);
    if (pursuit->exploration.cycle == cycle)
        return COR_OK;
    pursuit->exploration.cycle = cycle;
    return cor_travel_explore(pursuit->travel, &pursuit->exploration.answer, &pursuit->exploration.command,
                              error);
}

/* The type to try in this place of the order where the tactic names none: that of what is to be reached comes
 * last, since another of its kind may open the way; COR_NONE: none, what test agents are is not acted on. */
static uint32_t type_in_turn(const struct cor_pursuit *pursuit, uint32_t turn, uint32_t target_type) {
    const uint32_t count = pursuit->goals->declaration->type_count;
    const uint32_t type = turn < count ? turn : target_type;
    return type == pursuit->own_type || (turn < count && type == target_type) ? COR_NONE : type;
}

/* What the achievement of the tactic says, type after type where none is said. */
static enum cor_status find_way(struct cor_pursuit *pursuit, const struct system_layer__tactic *tactic,
                                struct cor_believed target, struct system_layer__attempt *it,
                                enum cor_travel_answer *answer, struct cor_world_command *command,
                                struct cor_error *error) {
    const struct cor_goals *goals = pursuit->goals;
    const uint32_t turns = tactic->by == COR_NONE      ? 0
                           : tactic->among == COR_NONE ? goals->declaration->type_count + 1
                                                       : 1;
    *answer = COR_TRAVEL_NO_WAY;
    if (!it->achievement)
        it->turn = 0;
    for (; it->turn < turns; it->turn++) {
        const uint32_t among =
            tactic->among == COR_NONE ? type_in_turn(pursuit, it->turn, target.type) : tactic->among;
        if (among == COR_NONE)
            continue;
        const struct cor_achievement_definition definition = {
            .travel = pursuit->travel,
            .beliefs = pursuit->beliefs,
            .wanted = tactic->wanted == COR_NONE ? NULL : system_layer__filled(pursuit, tactic->wanted),
            .target = target,
            .action = tactic->by,
            .among = among};
        if (!it->achievement)
            COR_TRY(cor_achievement_create(&definition, &it->achievement, error));
        COR_TRY(cor_achievement_next(it->achievement, answer, command, error));
        if (*answer == COR_TRAVEL_STEP || *answer == COR_TRAVEL_THERE)
            return COR_OK;
        cor_achievement_destroy(it->achievement);
        it->achievement = NULL;
    }
    return COR_OK;
}

void system_layer__forget_attempt(struct system_layer__attempt *it) {
    cor_achievement_destroy(it->achievement);
    system_layer__persistence_destroy(it->persistence);
    *it = (struct system_layer__attempt){.turn = 0};
}

/* A way by what is known; where there is none, and the goal has nothing else, by last tries. */
static enum cor_status attempt(struct cor_pursuit *pursuit, uint32_t index, enum cor_travel_answer *answer,
                               struct cor_world_command *command, struct cor_error *error) {
    const struct system_layer__tactic *tactic = tactic_at(pursuit, index);
    struct system_layer__attempt *it = &pursuit->attempts[index];
    const uint64_t begun = pursuit->progress[pursuit->leaf].begun;
    struct cor_believed target = {COR_NONE, COR_NONE};
    if (tactic->target != COR_NONE)
        target = system_layer__entity(pursuit, tactic->target);
    if (it->element != target.element || it->begun != begun)
        system_layer__forget_attempt(it);
    it->element = target.element;
    it->begun = begun;
    if (!it->persistence || it->stamp != system_layer__persistence_stamp(it->persistence)) {
        COR_TRY(find_way(pursuit, tactic, target, it, answer, command, error));
        if (*answer == COR_TRAVEL_STEP || *answer == COR_TRAVEL_THERE)
            return COR_OK;
    }
    *answer = COR_TRAVEL_NO_WAY;
    if (!tactic->is_final || pursuit->patience == 0)
        return COR_OK;
    const struct system_layer__persistence_definition definition = {.travel = pursuit->travel,
                                                                    .beliefs = pursuit->beliefs,
                                                                    .action = tactic->by,
                                                                    .among = tactic->among,
                                                                    .own_type = pursuit->own_type,
                                                                    .is_wanted = tactic->wanted != COR_NONE,
                                                                    .target = target,
                                                                    .patience = pursuit->patience};
    if (!it->persistence)
        COR_TRY(system_layer__persistence_create(&definition, &it->persistence, error));
    it->stamp = system_layer__persistence_stamp(it->persistence);
    COR_TRY(system_layer__persistence_next(it->persistence, answer, command, error));
    pursuit->persists = *answer == COR_TRAVEL_STEP;
    return COR_OK;
}

/* Towards an entity: by what is believed, else to what was not seen, else by what can be changed. */
static enum cor_status approach(struct cor_pursuit *pursuit, uint32_t index, enum cor_travel_answer *answer,
                                struct cor_world_command *command, struct cor_error *error) {
    const struct system_layer__tactic *tactic = tactic_at(pursuit, index);
    COR_TRY(system_layer__way_to(pursuit, system_layer__entity(pursuit, tactic->target), error));
    *answer = pursuit->way.answer;
    *command = pursuit->way.command;
    if (*answer == COR_TRAVEL_THERE)
        return COR_OK;
    struct cor_achievement *under_way = pursuit->attempts[index].achievement;
    bool insists = false;
    if (under_way)
        COR_TRY(cor_achievement_insist(under_way, &insists, command, error));
    if (insists)
        *answer = COR_TRAVEL_STEP;
    if (*answer == COR_TRAVEL_STEP)
        return COR_OK;
    COR_TRY(system_layer__explore(pursuit, error));
    *answer = pursuit->exploration.answer;
    *command = pursuit->exploration.command;
    if (*answer == COR_TRAVEL_STEP)
        return COR_OK;
    *answer = COR_TRAVEL_NO_WAY;
    COR_TRY(attempt(pursuit, index, answer, command, error));
    if (*answer == COR_TRAVEL_THERE) /* which the way to it would have said */
        *answer = COR_TRAVEL_NO_WAY;
    return COR_OK;
}

static enum cor_status step_of(struct cor_pursuit *pursuit, uint32_t index, enum cor_travel_answer *answer,
                               struct cor_world_command *command, bool *is_done, struct cor_error *error) {
    const struct system_layer__tactic *tactic = tactic_at(pursuit, index);
    *answer = COR_TRAVEL_NO_WAY;
    *is_done = false;
    switch (tactic->kind) {
    case SYSTEM_LAYER__REACH:
        return approach(pursuit, index, answer, command, error);
    case SYSTEM_LAYER__INTERACT:
        if (pursuit->travel)
            COR_TRY(approach(pursuit, index, answer, command, error));
        else if (system_layer__is_there(pursuit, system_layer__entity(pursuit, tactic->target)))
            *answer = COR_TRAVEL_THERE;
        if (*answer == COR_TRAVEL_THERE) {
            *is_done = make_command(pursuit, tactic, command);
            *answer = *is_done ? COR_TRAVEL_STEP : COR_TRAVEL_NO_WAY;
        }
        return COR_OK;
    case SYSTEM_LAYER__EXPLORE:
        COR_TRY(system_layer__explore(pursuit, error));
        *answer = pursuit->exploration.answer;
        *command = pursuit->exploration.command;
        return COR_OK;
    default:
        if (system_layer__ask(pursuit, tactic->wanted) == COR_TRUTH_TRUE) {
            *answer = COR_TRAVEL_THERE;
            return COR_OK;
        }
        if (tactic->kind == SYSTEM_LAYER__ACHIEVE)
            return attempt(pursuit, index, answer, command, error);
        return pursuit->advice.next ? pursuit->advice.next(pursuit->advice.context,
                                                           system_layer__filled(pursuit, tactic->wanted),
                                                           answer, command, error)
                                    : COR_OK;
    }
}

/* Where it is nobody knows. */
static bool is_missing(const struct cor_pursuit *pursuit, const struct system_layer__tactic *tactic) {
    return pursuit->travel && tactic->target != COR_NONE &&
           cor_travel_is_missing(pursuit->travel, system_layer__entity(pursuit, tactic->target));
}

/* Why a library goal cannot be continued. */
static void say_why(struct cor_pursuit *pursuit, uint32_t index) {
    const struct system_layer__tactic *tactic = tactic_at(pursuit, index);
    const char *name =
        tactic->target == COR_NONE
            ? ""
            : system_layer__entity_name(pursuit, system_layer__entity(pursuit, tactic->target));
    const struct system_layer__persistence *persistence = pursuit->attempts[index].persistence;
    char *text = pursuit->failing, tried[800] = "";
    const size_t size = sizeof pursuit->failing;
    if (persistence)
        system_layer__persistence_say(persistence, tried, sizeof tried);
    switch (tactic->kind) {
    case SYSTEM_LAYER__REACH:
    case SYSTEM_LAYER__INTERACT:
        if (is_missing(pursuit, tactic))
            snprintf(
                text, size,
                "not found: \"%.100s\" is not where it was seen last, and all that can be reached was seen%s",
                name, tried);
        else
            snprintf(text, size,
                     "not found: no way to \"%.100s\" is known, and all that can be reached was seen%s%s",
                     name, tactic->by != COR_NONE ? " and tried" : "", tried);
        return;
    case SYSTEM_LAYER__EXPLORE:
        snprintf(text, size, "not found: all that can be reached was seen");
        return;
    case SYSTEM_LAYER__ACHIEVE:
        snprintf(text, size, "not found: all was seen and tried, and nothing that was leads to \"%.150s\"%s",
                 pursuit->goals->conditions[tactic->wanted].expression.text, tried);
        return;
    default:
        snprintf(text, size,
                 pursuit->advice.next ? "proven: the model has no way to \"%.150s\""
                                      : "no model of the world is known that could plan \"%.150s\"",
                 pursuit->goals->conditions[tactic->wanted].expression.text);
    }
}

/* Whether what a library goal wants is there already, so that it looks once and is solved. */
static bool is_solved_already(struct cor_pursuit *pursuit, uint32_t index, enum cor_travel_answer answer) {
    const struct system_layer__goal *leaf = &pursuit->goals->goals[pursuit->leaf];
    if (leaf->solved == SYSTEM_LAYER__SEEN)
        return system_layer__is_there(pursuit, system_layer__entity(pursuit, leaf->target));
    if (leaf->solved == SYSTEM_LAYER__EXPLORED)
        return answer == COR_TRAVEL_NOTHING_LEFT;
    if (tactic_at(pursuit, index)->kind == SYSTEM_LAYER__EXPLORE)
        return system_layer__ask(pursuit, leaf->condition) == COR_TRUTH_TRUE;
    return answer == COR_TRAVEL_THERE;
}

static enum cor_status offer_step(struct cor_pursuit *pursuit, uint32_t index, uint32_t element,
                                  struct cor_error *error) {
    const struct system_layer__tactic *tactic = tactic_at(pursuit, index);
    struct cor_world_command command = {.action = COR_ACTION_LOOK};
    struct system_layer__offer offer = {.tactic = index, .element = element};
    enum cor_travel_answer answer;
    COR_TRY(step_of(pursuit, index, &answer, &command, &offer.is_done, error));
    if (tactic->is_final && is_solved_already(pursuit, index, answer)) {
        command = (struct cor_world_command){.action = COR_ACTION_LOOK};
        return add_offer(pursuit, offer, &command, error);
    }
    if (pursuit->persists)
        say_why(pursuit, index);
    if (answer == COR_TRAVEL_STEP)
        return add_offer(pursuit, offer, &command, error);
    if (answer == COR_TRAVEL_THERE || answer == COR_TRAVEL_NOTHING_LEFT)
        pursuit->arrived = index;
    note_guard(pursuit, name_of(pursuit, tactic->name));
    if (tactic->is_final && (pursuit->travel || tactic->kind == SYSTEM_LAYER__PLAN)) {
        pursuit->is_proven = tactic->kind == SYSTEM_LAYER__PLAN && pursuit->advice.next;
        say_why(pursuit, index);
    }
    return COR_OK;
}

/* What of the tactic is offered once what it selects is selected. */
static enum cor_status offer_one(struct cor_pursuit *pursuit, uint32_t index, uint32_t element,
                                 struct cor_error *error) {
    const struct system_layer__tactic *tactic = tactic_at(pursuit, index);
    struct cor_world_command command = {.action = COR_ACTION_LOOK};
    if (tactic->when != COR_NONE && system_layer__ask(pursuit, tactic->when) != COR_TRUTH_TRUE) {
        note_guard(pursuit, pursuit->goals->conditions[tactic->when].expression.text);
        return COR_OK;
    }
    switch (tactic->kind) {
    case SYSTEM_LAYER__ACT:
        if (!make_command(pursuit, tactic, &command)) {
            note_guard(pursuit, name_of(pursuit, tactic->name));
            return COR_OK;
        }
        return add_offer(pursuit, (struct system_layer__offer){index, element, true}, &command, error);
    case SYSTEM_LAYER__ABORT:
        return add_offer(pursuit, (struct system_layer__offer){index, element, false}, &command, error);
    case SYSTEM_LAYER__ADD_AFTER:
        if (pursuit->progress[tactic->added].is_added)
            return COR_OK;
        return add_offer(pursuit, (struct system_layer__offer){index, element, false}, &command, error);
    default:
        return offer_step(pursuit, index, element, error);
    }
}

static enum cor_status offer_leaf(struct cor_pursuit *pursuit, uint32_t index, struct cor_error *error) {
    const struct system_layer__tactic *tactic = tactic_at(pursuit, index);
    if (tactic->query == COR_NONE || index == pursuit->committed)
        return offer_one(pursuit, index, tactic->query == COR_NONE ? COR_NONE : pursuit->pick.element, error);
    const struct system_layer__query *query = &pursuit->goals->queries[tactic->query];
    const uint32_t type = pursuit->goals->slots[query->slot].type, before = pursuit->offer_count;
    if (!query->is_any) {
        const uint32_t element = system_layer__nearest(pursuit, tactic->query);
        if (element != COR_NONE)
            return offer_one(pursuit, index, element, error);
    }
    const uint32_t count = query->is_any ? cor_beliefs_count(pursuit->beliefs, type) : 0;
    for (uint32_t e = 0; e < count; e++) {
        if (!cor_beliefs_is_there(pursuit->beliefs, type, e))
            continue;
        pursuit->held[query->slot] = e;
        if (query->filter == COR_NONE || system_layer__ask(pursuit, query->filter) == COR_TRUTH_TRUE)
            COR_TRY(offer_one(pursuit, index, e, error));
    }
    if (pursuit->offer_count == before)
        note_guard(pursuit, name_of(pursuit, query->text));
    return COR_OK;
}

static enum cor_status offer(struct cor_pursuit *pursuit, uint32_t index, struct cor_error *error) {
    const struct system_layer__tactic *tactic = tactic_at(pursuit, index);
    if (tactic->first == COR_NONE)
        return offer_leaf(pursuit, index, error);
    const uint32_t before = pursuit->offer_count;
    for (uint32_t child = tactic->first; child != COR_NONE; child = tactic_at(pursuit, child)->next) {
        COR_TRY(offer(pursuit, child, error));
        if (tactic->kind == SYSTEM_LAYER__IN_TURN && pursuit->arrived != child)
            break;
        if (tactic->kind == SYSTEM_LAYER__ALTERNATIVES && pursuit->offer_count > before)
            break;
    }
    return COR_OK;
}

bool system_layer__is_in_turn(const struct cor_pursuit *pursuit, uint32_t tactic) {
    while (tactic != COR_NONE && tactic_at(pursuit, tactic)->kind != SYSTEM_LAYER__IN_TURN)
        tactic = tactic_at(pursuit, tactic)->parent;
    return tactic != COR_NONE;
}

uint32_t system_layer__after(const struct cor_pursuit *pursuit, uint32_t tactic) {
    for (uint32_t parent; (parent = tactic_at(pursuit, tactic)->parent) != COR_NONE; tactic = parent)
        if (tactic_at(pursuit, parent)->kind == SYSTEM_LAYER__IN_TURN &&
            tactic_at(pursuit, tactic)->next != COR_NONE)
            return tactic_at(pursuit, tactic)->next;
    return COR_NONE;
}

/* All offers of this cycle. Where a part of a tactic's seq has nothing to do any more, the next one is looked
 * at. */
enum cor_status system_layer__offer_all(struct cor_pursuit *pursuit, struct cor_error *error) {
    const struct system_layer__goal *leaf = &pursuit->goals->goals[pursuit->leaf];
    pursuit->offer_count = 0;
    pursuit->guard = "";
    if (pursuit->committed != COR_NONE) {
        pursuit->arrived = COR_NONE;
        COR_TRY(offer(pursuit, pursuit->committed, error));
        if (pursuit->arrived == COR_NONE)
            return COR_OK;
        pursuit->start = system_layer__after(pursuit, pursuit->committed);
        pursuit->committed = COR_NONE;
    }
    for (;;) {
        pursuit->arrived = COR_NONE;
        const uint32_t from = pursuit->start;
        COR_TRY(offer(pursuit, from == COR_NONE ? leaf->tactic : from, error));
        if (pursuit->offer_count > 0 || pursuit->arrived == COR_NONE || from != pursuit->arrived)
            return COR_OK;
        pursuit->start = system_layer__after(pursuit, from);
        if (pursuit->start == COR_NONE)
            return COR_OK;
    }
}
