/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/online.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct online {
    const struct cor_online_definition *definition;
    struct cor_online_outcome *outcome;
    struct cor_belief_problem *beliefs; /* NULL: one state is always known */
    const struct cor_planning_problem *problem;
    void *planner;
    size_t width;
    int64_t *rows; /* where the system may be */
    size_t row_capacity;
    uint32_t row_count;
    unsigned char *state, *next;             /* as the planner sees it */
    uint64_t *covered, *hits, *lost, *never; /* traps: of this test; lost from here, and from the start */
    uint64_t *asked,
        *seen;    /* traps: of goals that are asked for; covered, or of no such goal: what planners see */
    bool *is_due; /* owned; [change] of a number of moves: still to come */
    uint32_t since_reset;
    uint64_t looks, looks_before; /* at sets of states; before the decision that is sought */
    uint32_t left;                /* moves that were planned last; COR_NONE: not known */
    bool over;
    struct cor_efsm_observation observation;
    struct cor_belief_step step, allowed;
};

static void end(struct online *online, enum cor_test_verdict verdict, const char *words) {
    online->over = true;
    online->outcome->verdict = verdict;
    const size_t size = sizeof online->outcome->words;
    snprintf(online->outcome->words, size, "%.*s", (int)size - 1, words);
}

/* The state that the planner is to see. */
static enum cor_status pack(struct online *online, unsigned char *state, struct cor_error *error) {
    const int64_t *row = online->rows;
    if (online->beliefs)
        return cor_belief_problem_state(online->beliefs, row, online->row_count, state, error);
    cor_efsm_problem_pack(online->definition->problem, (uint32_t)row[0], row + 1,
                          (uint32_t)row[online->width - 1], state);
    return COR_OK;
}

static enum cor_status keep_rows(struct online *online, const int64_t *rows, uint32_t count,
                                 struct cor_error *error) {
    COR_TRY(COR_RESERVE(&online->rows, &online->row_capacity, count * online->width, error));
    memcpy(online->rows, rows, count * online->width * sizeof *rows);
    online->row_count = count;
    if (count > online->outcome->possible)
        online->outcome->possible = count;
    return COR_OK;
}

static enum cor_status reset(struct online *online, struct cor_error *error) {
    struct cor_system *system = online->definition->system;
    int64_t start[COR_EFSM_VARIABLES_MAX + 2];
    enum cor_system_trouble trouble;
    COR_TRY(system->kind->reset(system, &trouble, error));
    if (trouble != COR_SYSTEM_WELL) {
        online->outcome->trouble = trouble;
        end(online, COR_TEST_TROUBLE, system->words);
    }
    online->since_reset = 0;
    cor_belief_start(online->definition->model, start);
    COR_TRY(keep_rows(online, start, 1, error));
    return online->planner ? pack(online, online->state, error) : COR_OK;
}

static void see(struct online *online) {
    const uint32_t words = online->problem->trap_words;
    memcpy(online->seen, online->covered, words * sizeof *online->seen);
    for (uint32_t trap = 0; trap < online->problem->trap_count; trap++)
        if (!cor_trap_is_in(online->asked, trap))
            cor_trap_add(online->seen, trap);
}

/* Asks for the traps of a goal, or for them no more. */
static void ask_for(struct online *online, bool adds, uint32_t first, uint32_t count) {
    for (uint32_t trap = first; trap < first + count; trap++)
        if (adds)
            cor_trap_add(online->asked, trap);
        else
            online->asked[trap / 64] &= ~(UINT64_C(1) << trap % 64);
    see(online);
}

static void make_change(struct online *online, const struct cor_online_change *change) {
    ask_for(online, change->adds, change->first, change->count);
}

/* What the system said of goals with its answer. */
static void heed(struct online *online) {
    const struct cor_system *system = online->definition->system;
    for (uint32_t t = 0; t < system->told_count; t++) {
        const struct cor_told_goal *goal = &online->definition->told[system->told[t].goal];
        ask_for(online, system->told[t].adds, goal->first, goal->count);
    }
}

/* Does the condition hold wherever the system may be? */
static bool holds(const struct online *online, const struct cor_online_change *change) {
    for (uint32_t r = 0; r < online->row_count; r++)
        if (!cor_expression_holds(&change->when, online->rows + r * online->width + 1))
            return false;
    return true;
}

/* Goals that come and go now. Where nothing is open the next one that moves would bring comes at once: nobody
 * would make these moves. */
static void change_goals(struct online *online) {
    const struct cor_online_definition *definition = online->definition;
    const struct cor_online_change *next = NULL;
    for (uint32_t c = 0; c < definition->change_count; c++) {
        const struct cor_online_change *change = &definition->changes[c];
        const bool counts = change->when.node_count == 0;
        if (counts ? online->is_due[c] && online->outcome->moves >= change->at : holds(online, change)) {
            online->is_due[c] = false;
            make_change(online, change);
        }
    }
    if (!cor_all_covered(online->problem, online->seen))
        return;
    for (uint32_t c = 0; c < definition->change_count; c++)
        if (online->is_due[c] && definition->changes[c].adds &&
            (!next || definition->changes[c].at < next->at))
            next = &definition->changes[c];
    if (next) {
        online->is_due[next - definition->changes] = false;
        make_change(online, next);
    }
}

/* Are all open traps out of reach from the start? */
static bool is_unreachable(const struct online *online) {
    for (uint32_t trap = 0; trap < online->problem->trap_count; trap++)
        if (!cor_trap_is_in(online->seen, trap) && !cor_trap_is_in(online->never, trap))
            return false;
    return true;
}

/* The planner has no input to give from here: from the start there may be one. */
static enum cor_status go_back(struct online *online, enum cor_advice advice, struct cor_error *error) {
    const bool can = online->since_reset > 0 && online->outcome->resets < online->definition->resets;
    if (is_unreachable(online))
        end(online, COR_TEST_UNREACHABLE, "");
    else if (can) {
        online->outcome->resets++;
        if (online->definition->planner->restart)
            online->definition->planner->restart(online->planner);
        return reset(online, error);
    } else if (advice == COR_ADVICE_LOST)
        end(online, COR_TEST_LOST, "");
    else if (advice == COR_ADVICE_PREVENTED)
        end(online, COR_TEST_INCONCLUSIVE, "proven: the system can prevent what is left");
    else
        end(online, COR_TEST_INCONCLUSIVE, "the planner does not know how to go on");
    return COR_OK;
}

/* Several explanations count for none of their transitions; which it was is not known. */
static void count_transition(struct online *online) {
    const struct cor_belief_step *step = &online->step;
    const uint32_t first = step->why[0].transition;
    for (uint32_t w = 1; w < step->why_count; w++)
        if (step->why[w].transition != first)
            return;
    if (first != COR_NONE)
        online->outcome->taken[first]++;
}

/* The answer is allowed: where the system may be now, and what is covered. */
static enum cor_status follow(struct online *online, const struct cor_plan_choice *choice,
                              struct cor_error *error) {
    const struct cor_online_definition *definition = online->definition;
    count_transition(online);
    for (uint32_t w = 0; w < online->problem->trap_words; w++)
        online->hits[w] = online->step.hits[w] & online->asked[w];
    if (cor_cover(online->problem, online->covered, online->hits))
        for (uint32_t trap = 0; trap < online->problem->trap_count; trap++)
            if (cor_trap_is_in(online->hits, trap))
                online->outcome->when[trap] = online->outcome->moves;
    see(online);
    COR_TRY(keep_rows(online, online->step.rows, online->step.count, error));
    if (!online->planner)
        return COR_OK;
    if (online->row_count > 1 && !definition->possible_states) {
        end(online, COR_TEST_INCONCLUSIVE, "the answer does not tell in which state the system is");
        return COR_OK;
    }
    COR_TRY(pack(online, online->next, error));
    if (definition->planner->observe)
        COR_TRY(definition->planner->observe(online->planner, online->state, choice->input,
                                             online->step.why[0].transition, online->next, error));
    memcpy(online->state, online->next, online->problem->state_size);
    return COR_OK;
}

/* Gives the input with these values of its parameters, and judges the answer. choice: of the planner; NULL:
 * it was given. */
static enum cor_status move(struct online *online, const struct cor_plan_choice *choice, uint32_t input,
                            const int64_t *values, struct cor_error *error) {
    const struct cor_online_definition *definition = online->definition;
    struct cor_system *system = definition->system;
    struct cor_online_outcome *outcome = online->outcome;
    struct cor_online_move it = {.number = ++outcome->moves,
                                 .attempt = outcome->resets,
                                 .choice = choice,
                                 .input = input,
                                 .values = values,
                                 .observation = &online->observation,
                                 .step = &online->step,
                                 .gained = online->hits};
    const uint64_t timeouts = system->timeouts;
    online->since_reset++;
    COR_TRY(system->kind->give(system, it.input, values, &online->observation, &it.trouble, error));
    it.timeout = system->timeouts > timeouts;
    online->step.count = online->step.why_count = 0;
    memset(online->hits, 0, online->problem->trap_words * sizeof *online->hits);
    const uint32_t count = online->row_count; /* of the rows before, which the note is to see */
    int64_t *before = cor_calloc(count * online->width, sizeof *before);
    COR_TRY(cor_made(before, error));
    memcpy(before, online->rows, count * online->width * sizeof *before);
    it.rows = before;
    it.row_count = count;
    it.told = system->told;
    it.told_count = it.trouble == COR_SYSTEM_WELL ? system->told_count : 0;
    enum cor_status status = COR_OK;
    if (it.trouble != COR_SYSTEM_WELL) {
        outcome->trouble = it.trouble;
        end(online, COR_TEST_TROUBLE, system->words);
    } else {
        COR_TRY_OUT(cor_belief_follow(definition->model, definition->goal, before, count, it.input, values,
                                      &online->observation, &online->step, error));
        if (online->step.count > 0) {
            COR_TRY_OUT(follow(online, choice, error));
            heed(online);
        } else {
            COR_TRY_OUT(cor_belief_follow(definition->model, definition->goal, before, count, it.input,
                                          values, NULL, &online->allowed, error));
            it.allowed = &online->allowed;
            end(online, COR_TEST_FAIL, "");
        }
    }
    if (definition->note)
        COR_TRY_OUT(definition->note(definition->context, &it, error));
out:
    free(before);
    return status;
}

#define ASKED_EVERY 64 /* sets of states */

/* A decision looks at no more sets than the budget has; how many decisions there will be the last plan says.
 */
static enum cor_status look(void *with, uint64_t looks, struct cor_error *error) {
    struct online *online = with;
    const struct cor_online_definition *definition = online->definition;
    online->looks = looks;
    if (looks % ASKED_EVERY != 0)
        return COR_OK;
    const double budget = (double)definition->planning.state_budget, moves = online->outcome->moves,
                 now = (double)(looks - online->looks_before) / budget,
                 left = online->left == COR_NONE || online->left < 2 ? 1 : online->left - 1;
    return definition->think(definition->context, (moves + (now < 1 ? now : 1)) / (moves + left), error);
}

/* Gives the planner's input. */
static enum cor_status give_choice(struct online *online, const struct cor_plan_choice *choice,
                                   struct cor_error *error) {
    const struct cor_online_definition *definition = online->definition;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    uint32_t input;
    for (uint32_t v = 0; v < definition->model->variable_count; v++)
        values[v] = definition->model->variables[v].low;
    cor_efsm_problem_unpack_input(definition->problem, choice->input, &input, values);
    return move(online, choice, input, values, error);
}

static enum cor_status give(struct online *online, const struct cor_online_input *given,
                            struct cor_error *error) {
    struct cor_error said = COR_NO_ERROR;
    online->outcome->resets += given->is_reset;
    const enum cor_status status =
        given->is_reset ? reset(online, &said) : move(online, NULL, given->input, given->values, &said);
    /* More states may be possible after it than are followed, as with fewer resets: no verdict. */
    if (status == COR_STATUS_INPUT)
        end(online, COR_TEST_INCONCLUSIVE, said.cause);
    else if (status != COR_OK)
        return cor_fail(error, status, said.place, said.remedy, "%s", said.cause);
    return COR_OK;
}

static enum cor_status give_all(struct online *online, struct cor_error *error) {
    const struct cor_online_definition *definition = online->definition;
    struct cor_online_input more = {.is_reset = false};
    COR_TRY(reset(online, error));
    for (uint32_t g = 0; g < definition->given_count && !online->over; g++)
        COR_TRY(give(online, &definition->given[g], error));
    while (!online->over && definition->more &&
           definition->more(definition->context, definition->system, &more))
        COR_TRY(give(online, &more, error));
    if (!online->over)
        end(online, COR_TEST_INCONCLUSIVE, "all inputs were given");
    return COR_OK;
}

static enum cor_status steer(struct online *online, struct cor_error *error) {
    const struct cor_online_definition *definition = online->definition;
    COR_TRY(reset(online, error));
    while (!online->over) {
        struct cor_plan_choice choice = {0};
        change_goals(online);
        if (cor_all_covered(online->problem, online->seen)) {
            end(online, COR_TEST_PASS, "");
            break;
        }
        if (online->outcome->moves == definition->moves) {
            char words[64];
            snprintf(words, sizeof words, "not covered within %u moves", definition->moves);
            end(online, COR_TEST_INCONCLUSIVE, words);
            break;
        }
        COR_TRY(definition->planner->choose(online->planner, online->state, online->seen, &choice, error));
        online->looks_before = online->looks;
        online->left = choice.left;
        /* What the choice says of traps that cannot be covered from here. */
        const uint32_t words = online->problem->trap_words;
        for (uint32_t w = 0; w < words; w++) {
            const uint64_t all = choice.advice == COR_ADVICE_LOST ? ~online->seen[w] : 0;
            online->lost[w] = all | (choice.lost ? choice.lost[w] : 0);
            if (online->since_reset == 0)
                online->never[w] |= online->lost[w];
        }
        if (choice.advice == COR_ADVICE_LOST || online->outcome->moves == 0)
            online->outcome->proof = choice.proof;
        if (online->outcome->moves == 0)
            online->outcome->planned = choice.advice == COR_ADVICE_INPUT ? choice.left : COR_NONE;
        if (choice.advice == COR_ADVICE_INPUT)
            COR_TRY(give_choice(online, &choice, error));
        else if (choice.advice == COR_ADVICE_COVERED)
            end(online, COR_TEST_PASS, "");
        else
            COR_TRY(go_back(online, choice.advice, error));
    }
    return COR_OK;
}

static void note_traps(struct online *online) {
    struct cor_online_outcome *outcome = online->outcome;
    for (uint32_t trap = 0; trap < online->problem->trap_count; trap++) {
        const bool covered = cor_trap_is_in(online->covered, trap);
        outcome->covered += covered;
        outcome->ends[trap] =
            (uint8_t)(covered                                                  ? COR_TRAP_END_COVERED
                      : cor_trap_is_in(online->never, trap)                    ? COR_TRAP_END_UNREACHABLE
                      : cor_trap_waits(online->problem, trap, online->covered) ? COR_TRAP_END_WAITS
                      : cor_trap_is_in(online->lost, trap)                     ? COR_TRAP_END_LOST
                                                                               : COR_TRAP_END_OPEN);
    }
    outcome->timeouts = online->definition->system->timeouts;
}

static void ask_to_begin_with(struct online *online) {
    const struct cor_online_definition *definition = online->definition;
    for (uint32_t trap = 0; trap < online->problem->trap_count; trap++) {
        bool comes = false;
        for (uint32_t c = 0; c < definition->change_count; c++)
            comes = comes || (definition->changes[c].adds && trap >= definition->changes[c].first &&
                              trap < definition->changes[c].first + definition->changes[c].count);
        for (uint32_t g = 0; g < definition->told_count; g++)
            comes = comes || (definition->told[g].may_add && trap >= definition->told[g].first &&
                              trap < definition->told[g].first + definition->told[g].count);
        if (!comes)
            cor_trap_add(online->asked, trap);
    }
    for (uint32_t way = 0; way < online->problem->way_count; way++) /* goals that come and go have none */
        cor_trap_add(online->asked, online->problem->trap_count + way);
    for (uint32_t c = 0; c < definition->change_count; c++)
        online->is_due[c] = definition->changes[c].when.node_count == 0;
    see(online);
}

static enum cor_status prepare(struct online *online, struct cor_error *error) {
    const struct cor_online_definition *definition = online->definition;
    struct cor_online_outcome *outcome = online->outcome;
    const uint32_t traps = definition->goal->trap_count;
    online->problem = cor_efsm_planning_problem(definition->problem);
    const uint32_t words = online->problem->trap_words;
    if (definition->possible_states && definition->planner) {
        COR_TRY(cor_belief_problem_create(definition->model, definition->goal, definition->problem,
                                          &online->beliefs, error));
        online->problem = cor_belief_planning_problem(online->beliefs);
        if (definition->think)
            cor_belief_problem_watch(online->beliefs, look, online);
    }
    online->width = cor_belief_width(definition->model);
    online->state = cor_calloc(2, online->problem->state_size);
    online->covered = cor_calloc(6 * (size_t)words, sizeof *online->covered);
    online->is_due = cor_calloc(definition->change_count, sizeof *online->is_due);
    outcome->ends = cor_calloc(traps, sizeof *outcome->ends);
    outcome->when = cor_calloc(traps, sizeof *outcome->when);
    outcome->taken = cor_calloc(definition->model->transition_count, sizeof *outcome->taken);
    if (!online->state || !online->covered || !online->is_due || !outcome->ends || !outcome->when ||
        !outcome->taken)
        return cor_fail_memory(error);
    online->next = online->state + online->problem->state_size;
    online->hits = online->covered + words;
    online->lost = online->hits + words;
    online->never = online->lost + words;
    online->asked = online->never + words;
    online->seen = online->asked + words;
    ask_to_begin_with(online);
    if (!definition->planner)
        return COR_OK;
    struct cor_planner_definition planning = definition->planning;
    planning.problem = online->problem;
    planning.model = definition->possible_states ? NULL : definition->model;
    planning.goal = definition->goal;
    planning.efsm = definition->possible_states ? NULL : definition->problem;
    return definition->planner->create(&planning, &online->planner, error);
}

enum cor_status cor_online_run(const struct cor_online_definition *definition,
                               struct cor_online_outcome *outcome, struct cor_error *error) {
    struct online online = {.definition = definition, .outcome = outcome, .left = COR_NONE};
    *outcome = (struct cor_online_outcome){.planned = COR_NONE};
    enum cor_status status = prepare(&online, error);
    if (status == COR_OK)
        status = definition->planner ? steer(&online, error) : give_all(&online, error);
    if (status == COR_OK)
        note_traps(&online);
    else
        cor_online_outcome_fini(outcome);
    if (online.planner)
        definition->planner->destroy(online.planner);
    cor_belief_problem_destroy(online.beliefs);
    cor_efsm_observation_fini(&online.observation);
    cor_belief_step_fini(&online.step);
    cor_belief_step_fini(&online.allowed);
    COR_FREE(online.rows, online.state, online.covered, online.is_due);
    return status;
}

void cor_online_outcome_fini(struct cor_online_outcome *outcome) {
    COR_FREE(outcome->ends, outcome->when, outcome->taken);
    outcome->ends = NULL;
    outcome->when = NULL;
    outcome->taken = NULL;
}
