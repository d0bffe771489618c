/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a pursuit asks of beliefs: conditions, entities, the nearest of them. */
#include "goal_nodes.h"
#include "internal.h"

#include <corridor/array.h>
#include <corridor/policies.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Entities that were chosen take the place of those that stand for them. */
static const struct cor_expression *system_layer__filled(struct cor_pursuit *pursuit, uint32_t condition) {
    const struct system_layer__condition *read = &pursuit->goals->conditions[condition];
    if (read->use_count == 0)
        return &read->expression;
    const struct cor_expression *own = &pursuit->conditions[condition];
    for (uint32_t u = 0; u < read->use_count; u++) {
        const struct system_layer__slot_use use = pursuit->goals->uses[read->use_start + u];
        const uint32_t held = pursuit->held[use.slot];
        own->nodes[use.node].constant = held == COR_NONE ? pursuit->goals->slots[use.slot].element : held;
    }
    return own;
}

static enum cor_truth system_layer__ask(struct cor_pursuit *pursuit, uint32_t condition) {
    return cor_expression_ask(system_layer__filled(pursuit, condition), cor_beliefs_values(pursuit->beliefs),
                              cor_beliefs_world(pursuit->beliefs), NULL);
}

static bool reckon(struct cor_pursuit *pursuit, uint32_t condition, double *number) {
    return cor_expression_reckon(system_layer__filled(pursuit, condition),
                                 cor_beliefs_values(pursuit->beliefs), cor_beliefs_world(pursuit->beliefs),
                                 number);
}

static struct cor_believed system_layer__entity(const struct cor_pursuit *pursuit, uint32_t reference) {
    const struct system_layer__reference *known = &pursuit->goals->references[reference];
    const uint32_t held = known->slot == COR_NONE ? known->element : pursuit->held[known->slot];
    return (struct cor_believed){known->type, held == COR_NONE ? known->element : held};
}

static const char *entity_name(const struct cor_pursuit *pursuit, struct cor_believed entity) {
    return cor_words_text(pursuit->goals->declaration->words,
                          cor_beliefs_identity(pursuit->beliefs, entity.type, entity.element));
}

static bool system_layer__is_there(const struct cor_pursuit *pursuit, struct cor_believed entity) {
    return cor_beliefs_is_there(pursuit->beliefs, entity.type, entity.element);
}

/* The nearest entity that a query is about, COR_NONE: none. */
static uint32_t system_layer__nearest(struct cor_pursuit *pursuit, uint32_t query) {
    const struct system_layer__query *asked = &pursuit->goals->queries[query];
    const uint32_t type = pursuit->goals->slots[asked->slot].type;
    const uint32_t count = cor_beliefs_count(pursuit->beliefs, type);
    uint32_t best = COR_NONE, best_distance = UINT32_MAX;
    for (uint32_t e = 0; e < count; e++) {
        const struct cor_believed entity = {type, e};
        if (!system_layer__is_there(pursuit, entity))
            continue;
        pursuit->held[asked->slot] = e;
        if (asked->filter != COR_NONE && system_layer__ask(pursuit, asked->filter) != COR_TRUTH_TRUE)
            continue;
        const uint32_t distance = pursuit->travel ? cor_travel_distance(pursuit->travel, entity) : 0;
        if (best == COR_NONE || distance < best_distance ||
            (distance == best_distance &&
             strcmp(entity_name(pursuit, entity), entity_name(pursuit, (struct cor_believed){type, best})) <
                 0)) {
            best = e;
            best_distance = distance;
        }
    }
    pursuit->held[asked->slot] = best;
    return best;
}

/* Tells the verdict of a condition that did not hold. */
static void system_layer__tell(struct cor_pursuit *pursuit, enum cor_system_judge judge, const char *name,
                               uint32_t condition, enum cor_truth truth) {
    if (!pursuit->note_verdict)
        return;
    const struct cor_expression *asked = system_layer__filled(pursuit, condition);
    char why[1000] = "it cannot be told";
    if (truth == COR_TRUTH_FALSE)
        system_layer__breach(asked, pursuit->beliefs, why, sizeof why);
    const struct cor_goal_verdict verdict = {judge, name,  asked->text,
                                             why,   truth, cor_beliefs_cycle(pursuit->beliefs)};
    pursuit->note_verdict(pursuit->verdict_context, &verdict);
}

/* ---- which goal is current: rules 2, 3 and 4. A step from one goal to the next goes up as far as goals end
 * and down as far as first children, never along siblings */

static const struct system_layer__goal *goal_at(const struct cor_pursuit *pursuit, uint32_t goal) {
    COR_ASSERT(goal < pursuit->goals->goal_count);
    return &pursuit->goals->goals[goal];
}

const char *system_layer__goal_name(const struct cor_goals *goals, uint32_t goal) {
    static const char *const kinds[] = {"goal", "success",  "fail",   "check", "assert",       "choose",
                                        "seq",  "first_of", "repeat", "if",    "interruptible"};
    const struct system_layer__goal *it = &goals->goals[goal];
    if (it->name != COR_NONE)
        return cor_words_text(&goals->names, it->name);
    if (it->kind == SYSTEM_LAYER__SOLVE && it->solved != SYSTEM_LAYER__NEAR &&
        goals->tactics[it->tactic].is_final)
        return cor_words_text(&goals->names, goals->tactics[it->tactic].name);
    if (it->kind == SYSTEM_LAYER__SOLVE && it->solved == SYSTEM_LAYER__WHEN)
        return goals->conditions[it->condition].expression.text;
    return kinds[it->kind];
}

/* ---- which goal is current */

static void system_layer__enter(struct cor_pursuit *pursuit, uint32_t goal) {
    for (;;) {
        const struct system_layer__goal *it = goal_at(pursuit, goal);
        const uint64_t left = it->parent == COR_NONE ? pursuit->budget : pursuit->progress[it->parent].budget;
        struct system_layer__progress *progress = &pursuit->progress[goal];
        *progress = (struct system_layer__progress){.budget = it->cap < left ? it->cap : left,
                                                    .begun = cor_beliefs_cycle(pursuit->beliefs) + 1,
                                                    .chosen = COR_NONE,
                                                    .handler = COR_NONE,
                                                    .kept = COR_NONE};
        if (it->kind == SYSTEM_LAYER__SOLVE) {
            /* Forgets goals that the tactic will add after this goal. */
            for (uint32_t next = goal_at(pursuit, goal)->next;
                 next != COR_NONE && goal_at(pursuit, next)->adder != COR_NONE;
                 next = goal_at(pursuit, next)->next)
                if (goal_at(pursuit, next)->adder == goal)
                    pursuit->progress[next].is_added = false;
        }
        if (it->first == COR_NONE)
            break;
        goal = it->first;
    }
    const struct system_layer__goal *leaf = goal_at(pursuit, goal);
    for (uint32_t b = 0; b < leaf->bind_count; b++)
        pursuit->held[pursuit->goals->binds[leaf->bind_start + b].slot] = COR_NONE;
    pursuit->leaf = goal;
    pursuit->start = pursuit->committed = COR_NONE;
}

static void report(struct cor_pursuit *pursuit, uint32_t goal, bool is_success, const char *why) {
    if (!pursuit->note_goal || goal_at(pursuit, goal)->kind == SYSTEM_LAYER__CHOOSE)
        return;
    const struct system_layer__progress *progress = &pursuit->progress[goal];
    const struct cor_goal_report made = {.name = system_layer__goal_name(pursuit->goals, goal),
                                         .begun = progress->begun,
                                         .ended = cor_beliefs_cycle(pursuit->beliefs),
                                         .cost = progress->cost,
                                         .end = is_success ? COR_GOAL_SUCCESS : COR_GOAL_FAILED,
                                         .depth = goal_at(pursuit, goal)->depth,
                                         .why = is_success ? "" : why};
    pursuit->note_goal(pursuit->goal_context, &made);
}

/* All that was under way from the leaf up to `above`, which is not told yet, has failed: also what a handler
 * interrupted. */
static void report_below(struct cor_pursuit *pursuit, uint32_t leaf, uint32_t above, const char *why) {
    for (uint32_t goal = leaf, parent; goal != above; goal = parent) {
        parent = goal_at(pursuit, goal)->parent;
        report(pursuit, goal, false, why);
        if (parent != COR_NONE && pursuit->progress[parent].handler == goal)
            report_below(pursuit, pursuit->progress[parent].kept, parent, why);
    }
}

/* The sibling that comes next, COR_NONE: it was the last. One that was not added is not there. */
static uint32_t next_sibling(const struct cor_pursuit *pursuit, uint32_t goal) {
    uint32_t next = goal_at(pursuit, goal)->next;
    while (next != COR_NONE && goal_at(pursuit, next)->adder != COR_NONE && !pursuit->progress[next].is_added)
        next = goal_at(pursuit, next)->next;
    return next;
}

/* Rule 2. What the end of a child means for its parent: true: the parent ends, and *is_success says how; else
 * another goal is current. */
static bool ends_parent(struct cor_pursuit *pursuit, uint32_t goal, bool *is_success) {
    const uint32_t parent = goal_at(pursuit, goal)->parent;
    const struct system_layer__goal *above = goal_at(pursuit, parent);
    struct system_layer__progress *progress = &pursuit->progress[parent];
    const uint32_t next = above->kind == SYSTEM_LAYER__SEQ || above->kind == SYSTEM_LAYER__FIRST_OF
                              ? next_sibling(pursuit, goal)
                              : COR_NONE;
    if (!*is_success && progress->budget == 0)
        return true;
    switch (above->kind) {
    case SYSTEM_LAYER__SEQ:
        if (!*is_success || next == COR_NONE)
            return true;
        system_layer__enter(pursuit, next);
        return false;
    case SYSTEM_LAYER__FIRST_OF:
        if (*is_success || next == COR_NONE)
            return true;
        system_layer__enter(pursuit, next);
        return false;
    case SYSTEM_LAYER__REPEAT:
        if (*is_success || ++progress->laps == above->tries)
            return true;
        system_layer__enter(pursuit, above->first);
        return false;
    case SYSTEM_LAYER__IF:
        if (!*is_success || goal != above->first)
            return true;
        system_layer__enter(pursuit, progress->chosen);
        return false;
    default:
        COR_ASSERT(above->kind == SYSTEM_LAYER__INTERRUPTIBLE);
        if (goal == above->first)
            return true;
        /* A handler has ended: the goal that it interrupted goes on, with no more budget than is left. */
        const uint32_t leaf = progress->kept;
        for (uint32_t at = leaf; at != parent; at = goal_at(pursuit, at)->parent)
            if (pursuit->progress[at].budget > progress->budget)
                pursuit->progress[at].budget = progress->budget;
        progress->handler = progress->kept = COR_NONE;
        pursuit->leaf = leaf;
        pursuit->start = pursuit->committed = COR_NONE;
        return false;
    }
}

/* The goal has ended so; what is below it and current ends, too. */
static void system_layer__end(struct cor_pursuit *pursuit, uint32_t goal, bool is_success, const char *why) {
    char kept[sizeof pursuit->why];
    snprintf(kept, sizeof kept, "%s", why);
    report_below(pursuit, pursuit->leaf, goal, kept);
    for (;;) {
        const struct system_layer__goal *it = goal_at(pursuit, goal);
        if (is_success && it->oracle != COR_NONE) {
            const enum cor_truth truth = system_layer__ask(pursuit, it->oracle);
            is_success = truth == COR_TRUTH_TRUE;
            if (!is_success) {
                system_layer__tell(pursuit, COR_JUDGE_ASSERT, system_layer__goal_name(pursuit->goals, goal),
                                   it->oracle, truth);
                snprintf(kept, sizeof kept, "its assert \"%.300s\" %s",
                         pursuit->goals->conditions[it->oracle].expression.text,
                         truth == COR_TRUTH_FALSE ? "does not hold" : "is unknown");
            }
        }
        report(pursuit, goal, is_success, kept);
        if (it->parent == COR_NONE) {
            pursuit->end = is_success ? COR_GOAL_SUCCESS : COR_GOAL_FAILED;
            snprintf(pursuit->why, sizeof pursuit->why, "%s", is_success ? "" : kept);
            pursuit->leaf = COR_NONE;
            return;
        }
        const uint32_t interrupted = pursuit->progress[it->parent].kept;
        const bool is_handler = pursuit->progress[it->parent].handler == goal;
        if (!ends_parent(pursuit, goal, &is_success))
            return;
        if (is_handler)
            report_below(pursuit, interrupted, it->parent, kept);
        goal = it->parent;
    }
}

/* The outermost goal that can be interrupted, no handler of which is under way, and has a handler for what is
 * believed: that handler is current. False: there is none. */
static bool interrupt_once(struct cor_pursuit *pursuit) {
    uint32_t found = COR_NONE, interruptible = COR_NONE;
    for (uint32_t at = goal_at(pursuit, pursuit->leaf)->interruptible; at != COR_NONE;
         at = goal_at(pursuit, at)->interruptible) {
        if (pursuit->progress[at].handler != COR_NONE)
            continue;
        uint32_t handler = goal_at(pursuit, goal_at(pursuit, at)->first)->next;
        while (handler != COR_NONE &&
               system_layer__ask(pursuit, goal_at(pursuit, handler)->interrupts) != COR_TRUTH_TRUE)
            handler = goal_at(pursuit, handler)->next;
        if (handler != COR_NONE) {
            found = handler;
            interruptible = at;
        }
    }
    if (found == COR_NONE)
        return false;
    pursuit->progress[interruptible].handler = found;
    pursuit->progress[interruptible].kept = pursuit->leaf;
    system_layer__enter(pursuit, found);
    return true;
}

/* ---- which actions the tactic of the current goal offers: rule 5. Nothing is allocated once there is room
 * for as many offers as there ever were at a time */

static const struct system_layer__tactic *tactic_at(const struct cor_pursuit *pursuit, uint32_t tactic) {
    COR_ASSERT(tactic < pursuit->goals->tactic_count);
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
            if (!reckon(pursuit, argument->expression, &number))
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

static enum cor_status way_to(struct cor_pursuit *pursuit, struct cor_believed entity,
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

static enum cor_status system_layer__explore(struct cor_pursuit *pursuit, struct cor_error *error) {
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

/* ---- which actions are offered */

static void forget_attempt(struct system_layer__attempt *it) {
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
        forget_attempt(it);
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
    COR_TRY(way_to(pursuit, system_layer__entity(pursuit, tactic->target), error));
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

/* Why a library goal cannot be continued. */
static void say_why(struct cor_pursuit *pursuit, uint32_t index) {
    const struct system_layer__tactic *tactic = tactic_at(pursuit, index);
    const char *name =
        tactic->target == COR_NONE ? "" : entity_name(pursuit, system_layer__entity(pursuit, tactic->target));
    const struct system_layer__persistence *persistence = pursuit->attempts[index].persistence;
    char *text = pursuit->failing, tried[800] = "";
    const size_t size = sizeof pursuit->failing;
    if (persistence)
        system_layer__persistence_say(persistence, tried, sizeof tried);
    switch (tactic->kind) {
    case SYSTEM_LAYER__REACH:
    case SYSTEM_LAYER__INTERACT:
        /* Where it is nobody knows. */
        if (pursuit->travel && tactic->target != COR_NONE &&
            cor_travel_is_missing(pursuit->travel, system_layer__entity(pursuit, tactic->target)))
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
    default: {
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
    }
}

static enum cor_status offer(struct cor_pursuit *pursuit, uint32_t index, struct cor_error *error) {
    const struct system_layer__tactic *tactic = tactic_at(pursuit, index);
    if (tactic->first == COR_NONE) {
        if (tactic->query == COR_NONE || index == pursuit->committed)
            return offer_one(pursuit, index, tactic->query == COR_NONE ? COR_NONE : pursuit->pick.element,
                             error);
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

static bool is_in_turn(const struct cor_pursuit *pursuit, uint32_t tactic) {
    while (tactic != COR_NONE && tactic_at(pursuit, tactic)->kind != SYSTEM_LAYER__IN_TURN)
        tactic = tactic_at(pursuit, tactic)->parent;
    return tactic != COR_NONE;
}

/* Where actions are looked for when that one was done. */
static uint32_t system_layer__after(const struct cor_pursuit *pursuit, uint32_t tactic) {
    for (uint32_t parent; (parent = tactic_at(pursuit, tactic)->parent) != COR_NONE; tactic = parent)
        if (tactic_at(pursuit, parent)->kind == SYSTEM_LAYER__IN_TURN &&
            tactic_at(pursuit, tactic)->next != COR_NONE)
            return tactic_at(pursuit, tactic)->next;
    return COR_NONE;
}

/* All offers of this cycle. Where a part of a tactic's seq has nothing to do any more, the next one is looked
 * at. */
static enum cor_status offer_all(struct cor_pursuit *pursuit, struct cor_error *error) {
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

/* ---- A cycle of a test agent: what it does, and what the view after it means for its goal */

/* -- life -- */

enum cor_status cor_pursuit_create(const struct cor_pursuit_definition *definition,
                                   struct cor_pursuit **created, struct cor_error *error) {
    const struct cor_goals *goals = definition->goals;
    COR_ASSERT(definition->root < goals->goal_count && (definition->travel || !goals->has_map));
    *created = NULL;
    struct cor_pursuit *pursuit = cor_calloc(1, sizeof *pursuit);
    COR_TRY(cor_made(pursuit, error));
    enum cor_status status = COR_OK;
    pursuit->goals = goals;
    pursuit->beliefs = definition->beliefs;
    pursuit->policy = definition->policy;
    pursuit->travel = definition->travel;
    pursuit->advice = definition->advice;
    pursuit->root = definition->root;
    pursuit->budget = definition->budget;
    pursuit->patience = definition->patience;
    struct cor_believed self;
    const uint32_t identity =
        definition->test_agent ? cor_words_find(goals->declaration->words, definition->test_agent) : COR_NONE;
    pursuit->own_type =
        identity != COR_NONE && cor_beliefs_find(definition->beliefs, identity, &self) ? self.type : COR_NONE;
    pursuit->end = COR_GOAL_OPEN;
    pursuit->leaf = pursuit->start = pursuit->committed = COR_NONE;
    pursuit->guard = "";
    pursuit->held = cor_calloc(goals->slot_count, sizeof *pursuit->held);
    pursuit->progress = cor_calloc(goals->goal_count, sizeof *pursuit->progress);
    pursuit->attempts = cor_calloc(goals->tactic_count, sizeof *pursuit->attempts);
    if (!pursuit->held || !pursuit->progress || !pursuit->attempts)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t s = 0; s < goals->slot_count; s++)
        pursuit->held[s] = COR_NONE;
    /* Conditions in which entities are put get nodes of their own: goals are shared. Most goals have none,
     * and a place for each of many would be memory that is touched for nothing. */
    if (goals->use_count != 0) {
        pursuit->conditions = cor_calloc(goals->condition_count, sizeof *pursuit->conditions);
        COR_TRY_OUT(cor_made(pursuit->conditions, error));
        for (uint32_t c = 0; c < goals->condition_count; c++) {
            const struct system_layer__condition *read = &goals->conditions[c];
            if (read->use_count == 0)
                continue;
            struct cor_node *nodes = cor_calloc(read->expression.node_count, sizeof *nodes);
            COR_TRY_OUT(cor_made(nodes, error));
            memcpy(nodes, read->expression.nodes, read->expression.node_count * sizeof *nodes);
            pursuit->conditions[c] = read->expression;
            pursuit->conditions[c].nodes = nodes;
        }
    }
    *created = pursuit;
    pursuit = NULL;
out:
    cor_pursuit_destroy(pursuit);
    return status;
}

void cor_pursuit_destroy(struct cor_pursuit *pursuit) {
    if (!pursuit)
        return;
    for (uint32_t c = 0; pursuit->conditions && c < pursuit->goals->condition_count; c++)
        free(pursuit->conditions[c].nodes);
    for (uint32_t t = 0; pursuit->attempts && t < pursuit->goals->tactic_count; t++)
        forget_attempt(&pursuit->attempts[t]);
    COR_FREE(pursuit->conditions, pursuit->held, pursuit->progress, pursuit->attempts, pursuit->offers,
             pursuit->commands, pursuit);
}

/* -- choose -- */

static void give_up(struct cor_pursuit *pursuit, const char *why) {
    pursuit->is_proven = false;
    pursuit->turn = SYSTEM_LAYER__GIVES_UP;
    snprintf(pursuit->failing, sizeof pursuit->failing, "%s", why);
}

/* The entity that the current goal is about is chosen when there is one, and kept. *is_known: there is. */
static enum cor_status choose_target(struct cor_pursuit *pursuit, bool *is_known,
                                     enum cor_pursuit_choice *choice, struct cor_world_command *command,
                                     struct cor_error *error) {
    const struct system_layer__goal *leaf = &pursuit->goals->goals[pursuit->leaf];
    *is_known = true;
    if (leaf->kind != SYSTEM_LAYER__SOLVE || leaf->bind_count == 0)
        return COR_OK;
    const struct system_layer__bind bind = pursuit->goals->binds[leaf->bind_start];
    const struct system_layer__query *query = &pursuit->goals->queries[bind.query];
    const struct cor_believed held = {pursuit->goals->slots[bind.slot].type, pursuit->held[bind.slot]};
    if (held.element != COR_NONE && system_layer__is_there(pursuit, held))
        return COR_OK;
    if (system_layer__nearest(pursuit, bind.query) != COR_NONE)
        return COR_OK;
    *is_known = false;
    pursuit->guard = cor_words_text(&pursuit->goals->names, query->text);
    if (!pursuit->travel)
        return COR_OK;
    COR_TRY(system_layer__explore(pursuit, error));
    *choice = COR_PURSUIT_ACT;
    pursuit->turn = SYSTEM_LAYER__ACTS;
    pursuit->pick = (struct system_layer__offer){leaf->tactic, COR_NONE, false};
    *command = pursuit->exploration.command;
    if (pursuit->exploration.answer == COR_TRAVEL_STEP)
        return COR_OK;
    *command = (struct cor_world_command){.action = COR_ACTION_LOOK};
    give_up(pursuit, "");
    snprintf(pursuit->failing, sizeof pursuit->failing,
             "not found: all that can be reached was seen, and there is no %.200s", pursuit->guard);
    return COR_OK;
}

bool system_layer__tries(const struct cor_pursuit *pursuit, const struct cor_world_command *command,
                         uint32_t parameter) {
    const struct cor_action *action = &pursuit->goals->declaration->actions[command->action];
    return pursuit->is_picked && parameter < action->parameter_count &&
           !action->parameters[parameter].domain && command->arguments[parameter].kind == COR_VALUE_WORD;
}

static enum cor_status pick(struct cor_pursuit *pursuit, struct cor_rng *rng,
                            struct cor_world_command *command, struct cor_error *error) {
    uint32_t picked = 0;
    const bool is_asked = pursuit->goals->tactics[pursuit->offers[0].tactic].kind == SYSTEM_LAYER__ACT;
    if (pursuit->policy && (is_asked || pursuit->offer_count > 1))
        COR_TRY(cor_policy_pick(pursuit->policy, pursuit->beliefs, pursuit->commands, pursuit->offer_count,
                                rng, &picked, &pursuit->trouble, error));
    COR_ASSERT(picked < pursuit->offer_count);
    pursuit->pick = pursuit->offers[picked];
    *command = pursuit->commands[picked];
    const struct system_layer__tactic *tactic = &pursuit->goals->tactics[pursuit->pick.tactic];
    if (tactic->query != COR_NONE)
        pursuit->held[pursuit->goals->queries[tactic->query].slot] = pursuit->pick.element;
    pursuit->turn = SYSTEM_LAYER__ACTS;
    pursuit->guard = "";
    if (tactic->kind == SYSTEM_LAYER__ABORT)
        give_up(pursuit, "its tactic gave up");
    /* What was acted on is noted. */
    pursuit->is_picked = true;
    for (uint32_t p = 0; p < COR_WORLD_PARAMETERS_MAX; p++)
        if (system_layer__tries(pursuit, command, p))
            cor_beliefs_note_tried(pursuit->beliefs, command->arguments[p].as.word);
    return COR_OK;
}

enum cor_status cor_pursuit_choose(struct cor_pursuit *pursuit, struct cor_rng *rng,
                                   enum cor_pursuit_choice *choice, struct cor_world_command *command,
                                   struct cor_error *error) {
    *command = (struct cor_world_command){.action = COR_ACTION_LOOK};
    pursuit->turn = SYSTEM_LAYER__IDLE;
    pursuit->is_stalled = pursuit->is_picked = false;
    pursuit->guard = "";
    if (pursuit->end != COR_GOAL_OPEN) {
        *choice = COR_PURSUIT_ENDED;
        return COR_OK;
    }
    if (pursuit->leaf == COR_NONE)
        system_layer__enter(pursuit, pursuit->root);
    /* What a handler begins with may be interrupted, too, by a handler of its own. */
    while (interrupt_once(pursuit))
        ;
    *choice = COR_PURSUIT_ACT;
    switch (pursuit->goals->goals[pursuit->leaf].kind) {
    case SYSTEM_LAYER__SOLVE: {
        bool is_known;
        pursuit->failing[0] = '\0';
        pursuit->is_proven = pursuit->persists = false;
        COR_TRY(choose_target(pursuit, &is_known, choice, command, error));
        if (is_known) {
            COR_TRY(offer_all(pursuit, error));
            if (pursuit->offer_count > 0) {
                *choice = COR_PURSUIT_ACT;
                return pick(pursuit, rng, command, error);
            }
        }
        if (pursuit->turn != SYSTEM_LAYER__IDLE)
            return COR_OK;
        if (pursuit->failing[0]) {
            pursuit->turn = SYSTEM_LAYER__GIVES_UP;
            *choice = COR_PURSUIT_ACT;
            return COR_OK;
        }
        *choice = COR_PURSUIT_WAIT;
        *command = (struct cor_world_command){.action = COR_ACTION_WAIT};
        pursuit->is_stalled = true;
        return COR_OK;
    }
    case SYSTEM_LAYER__FAIL:
        give_up(pursuit, "it is to fail");
        return COR_OK;
    default:
        pursuit->turn = SYSTEM_LAYER__STEERS;
        return COR_OK;
    }
}

/* -- propose -- */

/* The entities of a deploy are chosen now. The query for which there is none; NULL: all are. */
static const char *bind_all(struct cor_pursuit *pursuit, const struct system_layer__goal *chooser) {
    for (uint32_t b = 0; b < chooser->bind_count; b++) {
        const uint32_t query = pursuit->goals->binds[chooser->bind_start + b].query;
        if (system_layer__nearest(pursuit, query) == COR_NONE)
            return cor_words_text(&pursuit->goals->names, pursuit->goals->queries[query].text);
    }
    return NULL;
}

/* check, assert, choose: what the view says. */
static void steer(struct cor_pursuit *pursuit) {
    const uint32_t leaf = pursuit->leaf;
    const struct system_layer__goal *goal = &pursuit->goals->goals[leaf];
    char why[400] = "";
    const enum cor_truth truth =
        goal->condition == COR_NONE ? COR_TRUTH_TRUE : system_layer__ask(pursuit, goal->condition);
    if (goal->kind == SYSTEM_LAYER__CHOOSE) {
        const bool is_then = truth == (goal->is_denied ? COR_TRUTH_FALSE : COR_TRUTH_TRUE);
        const uint32_t then = goal->next;
        const char *missing = bind_all(pursuit, goal);
        pursuit->progress[goal->parent].chosen = is_then ? then : pursuit->goals->goals[then].next;
        if (missing)
            snprintf(why, sizeof why, "there is no %.300s", missing);
        system_layer__end(pursuit, leaf, !missing, why);
        return;
    }
    if (truth != COR_TRUTH_TRUE) {
        if (goal->kind == SYSTEM_LAYER__ASSERT)
            system_layer__tell(pursuit, COR_JUDGE_ASSERT, system_layer__goal_name(pursuit->goals, leaf),
                               goal->condition, truth);
        snprintf(why, sizeof why, "\"%.300s\" %s",
                 pursuit->goals->conditions[goal->condition].expression.text,
                 truth == COR_TRUTH_FALSE ? "does not hold" : "is unknown");
    }
    system_layer__end(pursuit, leaf, truth == COR_TRUTH_TRUE, why);
}

/* Rule 1: whether what is believed after the action is what the goal wants. */
static enum cor_status is_solved(struct cor_pursuit *pursuit, bool is_completed, bool *solved,
                                 struct cor_error *error) {
    const struct system_layer__goal *goal = &pursuit->goals->goals[pursuit->leaf];
    double number;
    *solved = false;
    switch (goal->solved) {
    case SYSTEM_LAYER__WHEN:
        *solved = system_layer__ask(pursuit, goal->condition) == COR_TRUTH_TRUE;
        break;
    case SYSTEM_LAYER__NEAR:
        *solved =
            reckon(pursuit, goal->condition, &number) && number <= goal->epsilon && number >= -goal->epsilon;
        break;
    case SYSTEM_LAYER__REACHED:
        COR_TRY(way_to(pursuit, system_layer__entity(pursuit, goal->target), error));
        *solved = pursuit->way.answer == COR_TRAVEL_THERE;
        break;
    case SYSTEM_LAYER__SEEN:
        *solved = system_layer__is_there(pursuit, system_layer__entity(pursuit, goal->target));
        break;
    case SYSTEM_LAYER__EXPLORED:
        COR_TRY(system_layer__explore(pursuit, error));
        *solved = pursuit->exploration.answer == COR_TRAVEL_NOTHING_LEFT;
        break;
    default:
        *solved = pursuit->pick.is_done && is_completed;
    }
    return COR_OK;
}

/* Rule 5: whether the action was completed; where the next one is looked for. */
static enum cor_status complete(struct cor_pursuit *pursuit, bool *is_completed, struct cor_error *error) {
    const uint32_t index = pursuit->pick.tactic;
    const struct system_layer__tactic *tactic = &pursuit->goals->tactics[index];
    *is_completed = tactic->until == COR_NONE || system_layer__ask(pursuit, tactic->until) == COR_TRUTH_TRUE;
    if (tactic->kind >= SYSTEM_LAYER__REACH && is_in_turn(pursuit, index)) {
        *is_completed = pursuit->pick.is_done;
        if (tactic->kind == SYSTEM_LAYER__REACH) {
            COR_TRY(way_to(pursuit, system_layer__entity(pursuit, tactic->target), error));
            *is_completed = pursuit->way.answer == COR_TRAVEL_THERE;
        } else if (tactic->wanted != COR_NONE) {
            *is_completed = system_layer__ask(pursuit, tactic->wanted) == COR_TRUTH_TRUE;
        }
    }
    pursuit->committed = *is_completed ? COR_NONE : index;
    pursuit->start = *is_completed ? system_layer__after(pursuit, index) : COR_NONE;
    return COR_OK;
}

/* All above the leaf are seq: there was one way to go about it, and it led here. */
static bool has_no_choice(const struct cor_pursuit *pursuit) {
    uint32_t at = pursuit->goals->goals[pursuit->leaf].parent;
    while (at != COR_NONE && pursuit->goals->goals[at].kind == SYSTEM_LAYER__SEQ)
        at = pursuit->goals->goals[at].parent;
    return at == COR_NONE;
}

enum cor_status cor_pursuit_propose(struct cor_pursuit *pursuit, struct cor_error *error) {
    if (pursuit->end != COR_GOAL_OPEN || pursuit->leaf == COR_NONE)
        return COR_OK;
    const enum system_layer__turn turn = pursuit->turn;
    pursuit->turn = SYSTEM_LAYER__IDLE;
    if (turn == SYSTEM_LAYER__STEERS || turn == SYSTEM_LAYER__ACTS) {
        /* Rule 3: an action costs 1, to the goal and all above it. */
        for (uint32_t goal = pursuit->leaf; goal != COR_NONE; goal = pursuit->goals->goals[goal].parent) {
            struct system_layer__progress *progress = &pursuit->progress[goal];
            progress->cost++;
            if (progress->budget > 0 && progress->budget != COR_BUDGET_INFINITE)
                progress->budget--;
        }
    }
    /* The outermost goal under way that has failed by its fail_when, COR_NONE: none. */
    uint32_t broken = COR_NONE;
    uint32_t at = pursuit->goals->goals[pursuit->leaf].guarded;
    while (at != COR_NONE) {
        const struct system_layer__goal *goal = &pursuit->goals->goals[at];
        if (system_layer__ask(pursuit, goal->fail_when) == COR_TRUTH_TRUE)
            broken = at;
        at = goal->parent == COR_NONE ? COR_NONE : pursuit->goals->goals[goal->parent].guarded;
    }
    if (broken != COR_NONE) {
        char why[400];
        snprintf(why, sizeof why, "its fail_when \"%.300s\" holds",
                 pursuit->goals->conditions[pursuit->goals->goals[broken].fail_when].expression.text);
        system_layer__end(pursuit, broken, false, why);
        return COR_OK;
    }
    switch (turn) {
    case SYSTEM_LAYER__IDLE:
        return COR_OK;
    case SYSTEM_LAYER__GIVES_UP:
        pursuit->is_impossible = pursuit->is_proven && has_no_choice(pursuit);
        system_layer__end(pursuit, pursuit->leaf, false, pursuit->failing);
        return COR_OK;
    case SYSTEM_LAYER__STEERS:
        steer(pursuit);
        return COR_OK;
    case SYSTEM_LAYER__ACTS: {
        const uint32_t leaf = pursuit->leaf;
        const struct system_layer__tactic *tactic = &pursuit->goals->tactics[pursuit->pick.tactic];
        bool solved = false, is_completed;
        if (tactic->after != COR_NONE) {
            const enum cor_truth truth = system_layer__ask(pursuit, tactic->after);
            if (truth != COR_TRUTH_TRUE)
                system_layer__tell(pursuit, COR_JUDGE_AFTER, system_layer__goal_name(pursuit->goals, leaf),
                                   tactic->after, truth);
        }
        COR_TRY(complete(pursuit, &is_completed, error));
        if (tactic->kind == SYSTEM_LAYER__ADD_AFTER)
            pursuit->progress[tactic->added].is_added = true;
        else
            COR_TRY(is_solved(pursuit, is_completed, &solved, error));
        if (solved)
            system_layer__end(pursuit, leaf, true, "");
        else if (pursuit->progress[leaf].budget == 0)
            system_layer__end(pursuit, leaf, false,
                              pursuit->persists ? pursuit->failing : "its budget is used up");
        return COR_OK;
    }
    }
    return COR_OK;
}

void cor_pursuit_close(struct cor_pursuit *pursuit) {
    if (pursuit->end == COR_GOAL_OPEN && pursuit->leaf != COR_NONE && pursuit->persists &&
        has_no_choice(pursuit))
        system_layer__end(pursuit, pursuit->leaf, false, pursuit->failing);
}

void cor_pursuit_fail(struct cor_pursuit *pursuit, const char *why) {
    if (pursuit->end != COR_GOAL_OPEN)
        return;
    if (pursuit->leaf == COR_NONE)
        system_layer__enter(pursuit, pursuit->root);
    system_layer__end(pursuit, pursuit->root, false, why);
}

/* -- what is asked -- */

enum cor_goal_end cor_pursuit_status(const struct cor_pursuit *pursuit) {
    return pursuit->end;
}

bool cor_pursuit_is_stalled(const struct cor_pursuit *pursuit) {
    return pursuit->end == COR_GOAL_OPEN && pursuit->is_stalled;
}

uint64_t cor_pursuit_budget_left(const struct cor_pursuit *pursuit) {
    const uint64_t cap = pursuit->goals->goals[pursuit->root].cap;
    if (pursuit->progress[pursuit->root].begun == 0)
        return cap < pursuit->budget ? cap : pursuit->budget;
    return pursuit->progress[pursuit->root].budget;
}

bool cor_pursuit_is_impossible(const struct cor_pursuit *pursuit) {
    return pursuit->is_impossible;
}

enum cor_system_trouble cor_pursuit_trouble(const struct cor_pursuit *pursuit) {
    return pursuit->trouble;
}

const char *cor_pursuit_guard(const struct cor_pursuit *pursuit) {
    return pursuit->guard;
}

const char *cor_pursuit_why(const struct cor_pursuit *pursuit) {
    return pursuit->why;
}

void cor_pursuit_watch_goals(struct cor_pursuit *pursuit,
                             void (*note)(void *context, const struct cor_goal_report *report),
                             void *context) {
    pursuit->note_goal = note;
    pursuit->goal_context = context;
}

void cor_pursuit_watch_asserts(struct cor_pursuit *pursuit,
                               void (*note)(void *context, const struct cor_goal_verdict *verdict),
                               void *context) {
    pursuit->note_verdict = note;
    pursuit->verdict_context = context;
}
