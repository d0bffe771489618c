/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/rehearsal.h>
#include <corridor/rng.h>

#include <string.h>

struct stage {
    const struct cor_rehearsal_definition *definition;
    struct cor_rehearsal *played;
    void *planner;
    unsigned char *state, *next; /* owned; packed */
    uint32_t *enabled;           /* owned; transitions */
    uint64_t *hits;              /* owned */
    uint32_t since_reset;        /* moves */
    struct cor_rng rng;
};

static enum cor_status set_up(struct stage *stage, struct cor_error *error) {
    const struct cor_planner_definition *planner = &stage->definition->planner;
    const struct cor_planning_problem *problem = planner->problem;
    struct cor_rehearsal *played = stage->played;
    stage->state = cor_calloc(1, problem->state_size);
    stage->next = cor_calloc(1, problem->state_size);
    stage->enabled = cor_calloc(planner->model->transition_count, sizeof *stage->enabled);
    stage->hits = cor_calloc(problem->trap_words, sizeof *stage->hits);
    played->covered = cor_calloc(problem->trap_words, sizeof *played->covered);
    played->discarded = cor_calloc(problem->trap_words, sizeof *played->discarded);
    if (!stage->state || !stage->next || !stage->enabled || !stage->hits || !played->covered ||
        !played->discarded)
        return cor_fail_memory(error);
    stage->rng = cor_rng_named(
        &(struct cor_stream_name){.seed = stage->definition->seed, .purpose = COR_PURPOSE_RIVAL});
    cor_efsm_problem_start(planner->efsm, stage->state);
    return COR_OK;
}

/* What the model does: the transition that is counted on if the input enables it, else one of those that it
 * enables. */
static uint32_t respond(struct stage *stage, uint32_t count, uint32_t wanted) {
    for (uint32_t i = 0; i < count; i++)
        if (stage->enabled[i] == wanted)
            return wanted;
    return stage->enabled[count == 1 ? 0 : cor_rng_below(&stage->rng, count)];
}

static enum cor_status keep(struct stage *stage, uint32_t label, const void *input, double seconds,
                            struct cor_error *error) {
    struct cor_rehearsal *played = stage->played;
    const size_t size = stage->definition->planner.problem->input_size, move = played->length;
    COR_TRY(COR_RESERVE(&played->labels, &played->label_capacity, move + 1, error));
    COR_TRY(COR_RESERVE(&played->inputs, &played->input_capacity, (move + 1) * size, error));
    if (stage->definition->now) {
        COR_TRY(COR_RESERVE(&played->seconds, &played->second_capacity, move + 1, error));
        played->seconds[move] = seconds;
    }
    played->labels[move] = label;
    memset(played->inputs + move * size, 0, size);
    if (input)
        memcpy(played->inputs + move * size, input, size);
    played->length++;
    return COR_OK;
}

/* Gives the input, takes what the model answers. */
static enum cor_status move(struct stage *stage, const struct cor_plan_choice *choice, double seconds,
                            struct cor_error *error) {
    const struct cor_planner_definition *planner = &stage->definition->planner;
    int64_t values[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
    uint32_t location, last, input;
    cor_efsm_start(planner->model, values);
    cor_efsm_problem_unpack(planner->efsm, stage->state, &location, values, &last);
    cor_efsm_problem_unpack_input(planner->efsm, choice->input, &input, values);
    const uint32_t count = cor_efsm_find_enabled(planner->model, location, input, values, stage->enabled);
    COR_ASSERT(count > 0); /* planners give what enables something */
    const uint32_t label = respond(stage, count, choice->label);
    const bool stepped = cor_efsm_step(planner->model, label, values, next);
    COR_ASSERT(stepped);
    memset(stage->hits, 0, planner->problem->trap_words * sizeof *stage->hits);
    for (uint32_t i = 0; i < planner->goal->trap_count + planner->goal->way_count; i++)
        if (cor_efsm_hits_behind(planner->model, &planner->goal->traps[i], label, last, values))
            cor_trap_add(stage->hits, i);
    cor_cover(planner->problem, stage->played->covered, stage->hits);
    if (stage->definition->see_move)
        stage->definition->see_move(
            stage->definition->context,
            &(struct cor_rehearsed_move){input, values, stage->enabled, count, label, next, stage->hits});
    COR_TRY(keep(stage, label, choice->input, seconds, error));
    stage->played->by_constraints += choice->by_constraints;
    stage->since_reset++;
    cor_efsm_problem_pack(planner->efsm, planner->model->transitions[label].target, next, label, stage->next);
    cor_efsm_problem_carry(planner->efsm, stage->state, stage->next);
    if (stage->definition->kind->observe)
        COR_TRY(stage->definition->kind->observe(stage->planner, stage->state,
                                                 stage->played->inputs + (stage->played->length - 1) *
                                                                             planner->problem->input_size,
                                                 label, stage->next, error));
    memcpy(stage->state, stage->next, planner->problem->state_size);
    return COR_OK;
}

static double now(const struct stage *stage) {
    return stage->definition->now ? stage->definition->now() : 0;
}

static enum cor_status play(struct stage *stage, struct cor_error *error) {
    const struct cor_rehearsal_definition *d = stage->definition;
    struct cor_rehearsal *played = stage->played;
    const double before = now(stage);
    COR_TRY(d->kind->create(&d->planner, &stage->planner, error));
    played->preparing = now(stage) - before;
    for (;;) {
        struct cor_plan_choice choice;
        const double from = now(stage);
        COR_TRY(d->kind->choose(stage->planner, stage->state, played->covered, &choice, error));
        const double seconds = now(stage) - from;
        if (d->see_choice)
            d->see_choice(d->context, &choice);
        if (choice.discarded)
            memcpy(played->discarded, choice.discarded,
                   d->planner.problem->trap_words * sizeof *played->discarded);
        played->end = choice.advice;
        played->questions += choice.questions;
        played->optimisations += choice.optimisations;
        /* The planner's own reset, or one where it does not know how to go on; it plans none where its
         * problem has none. */
        const bool has_own = cor_efsm_problem_resets(d->planner.efsm) > 0;
        const bool is_own = choice.advice == COR_ADVICE_INPUT && has_own &&
                            cor_efsm_problem_is_reset(d->planner.efsm, choice.input);
        const bool is_stuck =
            choice.advice == COR_ADVICE_GIVE_UP ||
            (!has_own && (choice.advice == COR_ADVICE_LOST || choice.advice == COR_ADVICE_PREVENTED));
        const bool resets = is_own || (is_stuck && stage->since_reset > 0);
        if ((choice.advice != COR_ADVICE_INPUT && !resets) || played->length == d->moves ||
            (resets && played->resets == d->resets))
            return COR_OK;
        if (!resets)
            COR_TRY(move(stage, &choice, seconds, error));
        else {
            /* Begins again. */
            const struct cor_planner_definition *planner = &stage->definition->planner;
            int64_t values[COR_EFSM_VARIABLES_MAX];
            cor_efsm_start(planner->model, values);
            memset(stage->hits, 0, planner->problem->trap_words * sizeof *stage->hits);
            if (stage->definition->see_move)
                stage->definition->see_move(
                    stage->definition->context,
                    &(struct cor_rehearsed_move){
                        .transition = COR_NONE, .values = values, .next = values, .gained = stage->hits});
            COR_TRY(keep(stage, COR_NONE, NULL, seconds, error));
            cor_efsm_problem_reset(planner->efsm, stage->state, stage->next);
            memcpy(stage->state, stage->next, planner->problem->state_size);
            stage->played->resets++;
            stage->since_reset = 0;
        }
        if (is_stuck && resets && d->kind->restart)
            d->kind->restart(stage->planner);
    }
}

enum cor_status cor_rehearse(const struct cor_rehearsal_definition *definition,
                             struct cor_rehearsal *rehearsal, struct cor_error *error) {
    struct stage stage = {.definition = definition, .played = rehearsal};
    *rehearsal = (struct cor_rehearsal){0};
    enum cor_status status = set_up(&stage, error);
    if (status == COR_OK)
        status = play(&stage, error);
    if (stage.planner)
        definition->kind->destroy(stage.planner);
    COR_FREE(stage.state, stage.next, stage.enabled, stage.hits);
    if (status != COR_OK)
        cor_rehearsal_fini(rehearsal);
    return status;
}

void cor_rehearsal_fini(struct cor_rehearsal *rehearsal) {
    COR_FREE(rehearsal->labels, rehearsal->inputs, rehearsal->seconds, rehearsal->covered,
             rehearsal->discarded);
    *rehearsal = (struct cor_rehearsal){0};
}
