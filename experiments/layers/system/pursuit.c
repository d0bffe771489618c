/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of a test agent: what it does, and what the view after it means for its goal. */
#include "pursuit_state.h"

#include <corridor/array.h>
#include <corridor/policies.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- life -- */

/* Conditions in which entities are put get nodes of their own: goals are shared. Most goals have none, and a
 * place for each of many would be memory that is touched for nothing. */
static enum cor_status take_conditions(struct cor_pursuit *pursuit, struct cor_error *error) {
    const struct cor_goals *goals = pursuit->goals;
    if (goals->use_count == 0)
        return COR_OK;
    pursuit->conditions = cor_calloc(goals->condition_count, sizeof *pursuit->conditions);
    COR_TRY(cor_made(pursuit->conditions, error));
    for (uint32_t c = 0; c < goals->condition_count; c++) {
        const struct system_layer__condition *read = &goals->conditions[c];
        if (read->use_count == 0)
            continue;
        struct cor_node *nodes = cor_calloc(read->expression.node_count, sizeof *nodes);
        COR_TRY(cor_made(nodes, error));
        memcpy(nodes, read->expression.nodes, read->expression.node_count * sizeof *nodes);
        pursuit->conditions[c] = read->expression;
        pursuit->conditions[c].nodes = nodes;
    }
    return COR_OK;
}

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
    COR_TRY_OUT(take_conditions(pursuit, error));
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
        system_layer__forget_attempt(&pursuit->attempts[t]);
    free(pursuit->conditions);
    free(pursuit->held);
    free(pursuit->progress);
    free(pursuit->attempts);
    free(pursuit->offers);
    free(pursuit->commands);
    free(pursuit);
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

/* What was acted on is noted. */
static void note_tried(struct cor_pursuit *pursuit, const struct cor_world_command *command) {
    pursuit->is_picked = true;
    for (uint32_t p = 0; p < COR_WORLD_PARAMETERS_MAX; p++)
        if (system_layer__tries(pursuit, command, p))
            cor_beliefs_note_tried(pursuit->beliefs, command->arguments[p].as.word);
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
    note_tried(pursuit, command);
    return COR_OK;
}

static enum cor_status choose_action(struct cor_pursuit *pursuit, struct cor_rng *rng,
                                     enum cor_pursuit_choice *choice, struct cor_world_command *command,
                                     struct cor_error *error) {
    bool is_known;
    pursuit->failing[0] = '\0';
    pursuit->is_proven = pursuit->persists = false;
    COR_TRY(choose_target(pursuit, &is_known, choice, command, error));
    if (is_known) {
        COR_TRY(system_layer__offer_all(pursuit, error));
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
    system_layer__interrupt(pursuit);
    *choice = COR_PURSUIT_ACT;
    switch (pursuit->goals->goals[pursuit->leaf].kind) {
    case SYSTEM_LAYER__SOLVE:
        return choose_action(pursuit, rng, choice, command, error);
    case SYSTEM_LAYER__FAIL:
        give_up(pursuit, "it is to fail");
        return COR_OK;
    default:
        pursuit->turn = SYSTEM_LAYER__STEERS;
        return COR_OK;
    }
}

/* -- propose -- */

/* Rule 3: an action costs 1, to the goal and all above it. */
static void charge(struct cor_pursuit *pursuit) {
    for (uint32_t goal = pursuit->leaf; goal != COR_NONE; goal = pursuit->goals->goals[goal].parent) {
        struct system_layer__progress *progress = &pursuit->progress[goal];
        progress->cost++;
        if (progress->budget > 0 && progress->budget != COR_BUDGET_INFINITE)
            progress->budget--;
    }
}

/* The outermost goal under way that has failed by its fail_when, COR_NONE: none. */
static uint32_t broken_guard(struct cor_pursuit *pursuit) {
    uint32_t found = COR_NONE;
    uint32_t at = pursuit->goals->goals[pursuit->leaf].guarded;
    while (at != COR_NONE) {
        const struct system_layer__goal *goal = &pursuit->goals->goals[at];
        if (system_layer__ask(pursuit, goal->fail_when) == COR_TRUTH_TRUE)
            found = at;
        at = goal->parent == COR_NONE ? COR_NONE : pursuit->goals->goals[goal->parent].guarded;
    }
    return found;
}

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
        *solved = system_layer__reckon(pursuit, goal->condition, &number) && number <= goal->epsilon &&
                  number >= -goal->epsilon;
        break;
    case SYSTEM_LAYER__REACHED:
        COR_TRY(system_layer__way_to(pursuit, system_layer__entity(pursuit, goal->target), error));
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
    if (tactic->kind >= SYSTEM_LAYER__REACH && system_layer__is_in_turn(pursuit, index)) {
        *is_completed = pursuit->pick.is_done;
        if (tactic->kind == SYSTEM_LAYER__REACH) {
            COR_TRY(system_layer__way_to(pursuit, system_layer__entity(pursuit, tactic->target), error));
            *is_completed = pursuit->way.answer == COR_TRAVEL_THERE;
        } else if (tactic->wanted != COR_NONE) {
            *is_completed = system_layer__ask(pursuit, tactic->wanted) == COR_TRUTH_TRUE;
        }
    }
    pursuit->committed = *is_completed ? COR_NONE : index;
    pursuit->start = *is_completed ? system_layer__after(pursuit, index) : COR_NONE;
    return COR_OK;
}

static enum cor_status judge_action(struct cor_pursuit *pursuit, struct cor_error *error) {
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
    if (turn == SYSTEM_LAYER__STEERS || turn == SYSTEM_LAYER__ACTS)
        charge(pursuit);
    const uint32_t broken = broken_guard(pursuit);
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
    case SYSTEM_LAYER__ACTS:
        return judge_action(pursuit, error);
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
