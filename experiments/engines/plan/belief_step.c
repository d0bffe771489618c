/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an observation says about where a system may be. */
#include <corridor/array.h>
#include <corridor/belief_problem.h>

#include <stdlib.h>
#include <string.h>

size_t cor_belief_width(const struct cor_efsm *model) {
    return cor_efsm_state_width(model) + 1;
}

void cor_belief_start(const struct cor_efsm *model, int64_t *row) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    cor_efsm_start(model, values);
    cor_efsm_state_put(model, model->initial, values, row);
    row[cor_efsm_state_width(model)] = COR_NONE;
}

/* The transition, if a trap asks for it as the one before. */
static uint32_t kept_last(const struct cor_efsm_goal *goal, uint32_t transition) {
    for (uint32_t i = 0; i < goal->trap_count; i++)
        if (goal->traps[i].previous == transition)
            return transition;
    return COR_NONE;
}

/* Keeps those of the step's hits that this explanation has, too. */
static void narrow_hits(const struct cor_efsm *model, const struct cor_efsm_goal *goal, const int64_t *row,
                        uint32_t transition, const int64_t *values, struct cor_belief_step *step) {
    const uint32_t last = (uint32_t)row[cor_efsm_state_width(model)];
    for (uint32_t i = 0; i < goal->trap_count; i++) {
        const struct cor_efsm_trap *trap = &goal->traps[i];
        if (transition == COR_NONE || !cor_efsm_hits_behind(model, trap, transition, last, values))
            step->hits[i / 64] &= ~(UINT64_C(1) << i % 64);
    }
}

static enum cor_status add(const struct cor_efsm *model, struct cor_belief_step *step, const int64_t *next,
                           uint32_t last, struct cor_efsm_explanation why, struct cor_error *error) {
    const size_t width = cor_belief_width(model);
    if (step->why_count == COR_BELIEF_STATES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, model->name,
                        "give the transitions of rivals outputs that tell them apart",
                        "the answers allow more than %d states", COR_BELIEF_STATES_MAX);
    COR_TRY(COR_RESERVE(&step->rows, &step->row_capacity, (step->why_count + 1) * width, error));
    COR_TRY(COR_RESERVE(&step->why, &step->why_capacity, (size_t)step->why_count + 1, error));
    memcpy(step->rows + step->why_count * width, next, (width - 1) * sizeof *next);
    step->rows[step->why_count * width + width - 1] = last;
    step->why[step->why_count++] = why;
    step->taken += why.transition != COR_NONE;
    return COR_OK;
}

/* From one of the states. */
static enum cor_status follow_row(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                  const int64_t *row, uint32_t index, uint32_t input, const int64_t *values,
                                  const struct cor_efsm_observation *observation,
                                  struct cor_belief_step *step, struct cor_error *error) {
    const size_t width = cor_efsm_state_width(model);
    int64_t all[COR_EFSM_VARIABLES_MAX];
    COR_TRY(cor_efsm_explain(model, row, 1, input, values, observation, &step->scratch, error));
    memcpy(all, row + 1, model->variable_count * sizeof *all);
    cor_efsm_put_input(model, input, values, all);
    for (uint32_t e = 0; e < step->scratch.count; e++) {
        const uint32_t t = step->scratch.items[e].transition;
        const uint32_t last = t == COR_NONE ? (uint32_t)row[width] : kept_last(goal, t);
        narrow_hits(model, goal, row, t, all, step);
        COR_TRY(add(model, step, step->scratch.next + e * width, last,
                    (struct cor_efsm_explanation){index, t}, error));
    }
    return COR_OK;
}

enum cor_status cor_belief_follow(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                  const int64_t *rows, uint32_t count, uint32_t input, const int64_t *values,
                                  const struct cor_efsm_observation *observation,
                                  struct cor_belief_step *step, struct cor_error *error) {
    const size_t width = cor_belief_width(model), words = cor_trap_words(goal->trap_count);
    COR_TRY(COR_RESERVE(&step->hits, &step->hit_capacity, words, error));
    memset(step->hits, 0, words * sizeof *step->hits);
    for (uint32_t i = 0; i < goal->trap_count; i++)
        cor_trap_add(step->hits, i);
    step->why_count = step->taken = 0;
    for (uint32_t r = 0; r < count; r++)
        COR_TRY(follow_row(model, goal, rows + r * width, r, input, values, observation, step, error));
    step->count = cor_efsm_states_tidy(step->rows, step->why_count, width);
    return COR_OK;
}

void cor_belief_step_fini(struct cor_belief_step *step) {
    free(step->rows);
    free(step->hits);
    free(step->why);
    cor_efsm_explanations_fini(&step->scratch);
    *step = (struct cor_belief_step){0};
}
