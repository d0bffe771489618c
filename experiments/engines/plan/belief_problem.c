/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/belief_problem.h>
#include <corridor/pool.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cor_belief_problem {
    const struct cor_efsm *model;
    const struct cor_efsm_goal *goal;
    const struct cor_efsm_problem *inner;
    struct cor_planning_problem seen;
    size_t width;
    struct cor_pool sets;           /* of states: rows behind each other */
    struct cor_expansion of_member; /* of one member of a set */
    unsigned char *inputs;          /* those of all members, each once */
    unsigned char *member;          /* one member, packed */
    size_t input_capacity;
    uint32_t input_count;
    struct cor_efsm_observation *answers; /* of one input, each once */
    uint32_t answer_count;
    size_t answer_capacity;
    struct cor_belief_step step;
    struct cor_efsm_explanations all;
    enum cor_status (*looked)(void *context, uint64_t sets, struct cor_error *error); /* NULL: nobody asks */
    void *context;
    uint64_t looks;
};

enum cor_status cor_belief_problem_state(struct cor_belief_problem *problem, const int64_t *rows,
                                         uint32_t count, void *state, struct cor_error *error) {
    uint32_t number;
    COR_TRY(cor_pool_add(&problem->sets, rows, count * problem->width * sizeof *rows, &number, error));
    memcpy(state, &number, sizeof number);
    return COR_OK;
}

/* A set of states; its rows, until another is met. */
static const int64_t *rows_of(const struct cor_belief_problem *problem, const void *state, uint32_t *count) {
    uint32_t number;
    memcpy(&number, state, sizeof number);
    COR_ASSERT(number < problem->sets.count);
    *count = (uint32_t)(cor_pool_item_size(&problem->sets, number) / (problem->width * sizeof(int64_t)));
    return cor_pool_item(&problem->sets, number);
}

/* The inputs that do something in a member of the set. */
static enum cor_status gather_inputs(struct cor_belief_problem *problem, const void *state,
                                     struct cor_error *error) {
    const struct cor_planning_problem *inner = cor_efsm_planning_problem(problem->inner);
    const size_t size = inner->input_size;
    uint32_t count;
    const int64_t *rows = rows_of(problem, state, &count);
    problem->input_count = 0;
    for (uint32_t m = 0; m < count; m++) {
        const int64_t *row = rows + m * problem->width;
        cor_efsm_problem_pack(problem->inner, (uint32_t)row[0], row + 1, (uint32_t)row[problem->width - 1],
                              problem->member);
        COR_TRY(cor_expand(inner, problem->member, &problem->of_member, error));
        for (uint32_t i = 0; i < problem->of_member.input_count; i++) {
            const unsigned char *input = problem->of_member.inputs + i * size;
            uint32_t known = 0;
            while (known < problem->input_count && memcmp(problem->inputs + known * size, input, size) != 0)
                known++;
            if (known < problem->input_count)
                continue;
            COR_TRY(COR_RESERVE(&problem->inputs, &problem->input_capacity, (known + 1) * size, error));
            memcpy(problem->inputs + known * size, input, size);
            problem->input_count++;
        }
    }
    return COR_OK;
}

/* All that members of the set may answer to an input. */
static enum cor_status gather_answers(struct cor_belief_problem *problem, const void *state, uint32_t input,
                                      const int64_t *values, struct cor_error *error) {
    const struct cor_efsm *model = problem->model;
    int64_t all[COR_EFSM_VARIABLES_MAX];
    uint32_t count;
    const int64_t *rows = rows_of(problem, state, &count);
    problem->answer_count = 0;
    for (uint32_t m = 0; m < count; m++) {
        const int64_t *row = rows + m * problem->width;
        COR_TRY(cor_efsm_explain(model, row, 1, input, values, NULL, &problem->all, error));
        memcpy(all, row + 1, model->variable_count * sizeof *all);
        cor_efsm_put_input(model, input, values, all);
        for (uint32_t e = 0; e < problem->all.count; e++) {
            const uint32_t at = problem->answer_count, t = problem->all.items[e].transition;
            uint32_t known = 0;
            /* Room for another answer; new ones are empty. */
            const size_t before = problem->answer_capacity;
            COR_TRY(COR_RESERVE(&problem->answers, &problem->answer_capacity,
                                (size_t)problem->answer_count + 1, error));
            for (size_t a = before; a < problem->answer_capacity; a++)
                problem->answers[a] = (struct cor_efsm_observation){0};
            cor_efsm_observation_clear(&problem->answers[at]);
            if (t != COR_NONE)
                COR_TRY(cor_efsm_observation_of(model, t, all, &problem->answers[at], error));
            while (!cor_efsm_observation_equal(&problem->answers[known], &problem->answers[at]))
                known++;
            problem->answer_count += known == at;
        }
    }
    return COR_OK;
}

static enum cor_status expand(void *self, const void *state, struct cor_expansion *expansion,
                              struct cor_error *error) {
    struct cor_belief_problem *problem = self;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    problem->looks++;
    if (problem->looked)
        COR_TRY(problem->looked(problem->context, problem->looks, error));
    COR_TRY(gather_inputs(problem, state, error));
    for (uint32_t i = 0; i < problem->input_count; i++) {
        const unsigned char *input = problem->inputs + i * problem->seen.input_size;
        uint32_t label, next;
        cor_efsm_problem_unpack_input(problem->inner, input, &label, values);
        COR_TRY(gather_answers(problem, state, label, values, error));
        COR_TRY(cor_expansion_input(&problem->seen, expansion, input, error));
        for (uint32_t a = 0; a < problem->answer_count; a++) {
            uint32_t count;
            const int64_t *rows = rows_of(problem, state, &count);
            COR_TRY(cor_belief_follow(problem->model, problem->goal, rows, count, label, values,
                                      &problem->answers[a], &problem->step, error));
            COR_TRY(cor_belief_problem_state(problem, problem->step.rows, problem->step.count, &next, error));
            const struct cor_expanded_outcome outcome = {problem->step.why[0].transition, NAN};
            COR_TRY(
                cor_expansion_outcome(&problem->seen, expansion, outcome, &next, problem->step.hits, error));
        }
    }
    return COR_OK;
}

enum cor_status cor_belief_problem_create(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                          const struct cor_efsm_problem *inner,
                                          struct cor_belief_problem **problem, struct cor_error *error) {
    const struct cor_planning_problem *of_states = cor_efsm_planning_problem(inner);
    struct cor_belief_problem *made = *problem = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->model = model;
    made->goal = goal;
    made->inner = inner;
    made->width = cor_belief_width(model);
    made->seen = (struct cor_planning_problem){.self = made,
                                               .state_size = sizeof(uint32_t),
                                               .input_size = of_states->input_size,
                                               .trap_count = of_states->trap_count,
                                               .trap_words = of_states->trap_words,
                                               .after = of_states->after,
                                               .denied = of_states->denied,
                                               .expand = expand};
    made->member = cor_calloc(1, of_states->state_size);
    if (!made->member) {
        cor_belief_problem_destroy(made);
        *problem = NULL;
        return cor_fail_memory(error);
    }
    return COR_OK;
}

void cor_belief_problem_watch(struct cor_belief_problem *problem,
                              enum cor_status (*looked)(void *context, uint64_t sets,
                                                        struct cor_error *error),
                              void *context) {
    problem->looked = looked;
    problem->context = context;
}

void cor_belief_problem_destroy(struct cor_belief_problem *problem) {
    if (!problem)
        return;
    cor_pool_fini(&problem->sets);
    cor_expansion_fini(&problem->of_member);
    COR_FREE(problem->inputs, problem->member);
    for (size_t a = 0; a < problem->answer_capacity; a++)
        cor_efsm_observation_fini(&problem->answers[a]);
    free(problem->answers);
    cor_belief_step_fini(&problem->step);
    cor_efsm_explanations_fini(&problem->all);
    free(problem);
}

const struct cor_planning_problem *cor_belief_planning_problem(const struct cor_belief_problem *problem) {
    return &problem->seen;
}

/* ---- what an observation says about where a system may be */

size_t cor_belief_width(const struct cor_efsm *model) {
    return cor_efsm_state_width(model) + 1;
}

void cor_belief_start(const struct cor_efsm *model, int64_t *row) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    cor_efsm_start(model, values);
    cor_efsm_state_put(model, model->initial, values, row);
    row[cor_efsm_state_width(model)] = COR_NONE;
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
        /* The transition is kept if a trap asks for it as the one before; of the step's hits those that this
         * explanation has, too. */
        uint32_t last = t == COR_NONE ? (uint32_t)row[width] : COR_NONE;
        for (uint32_t i = 0; i < goal->trap_count + goal->way_count; i++) {
            if (t != COR_NONE && goal->traps[i].previous == t)
                last = t;
            if (t == COR_NONE || !cor_efsm_hits_behind(model, &goal->traps[i], t, (uint32_t)row[width], all))
                step->hits[i / 64] &= ~(UINT64_C(1) << i % 64);
        }
        COR_TRY(add(model, step, step->scratch.next + e * width, last,
                    (struct cor_efsm_explanation){index, t}, error));
    }
    return COR_OK;
}

enum cor_status cor_belief_follow(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                  const int64_t *rows, uint32_t count, uint32_t input, const int64_t *values,
                                  const struct cor_efsm_observation *observation,
                                  struct cor_belief_step *step, struct cor_error *error) {
    const uint32_t ways = goal->trap_count + goal->way_count;
    const size_t width = cor_belief_width(model), words = cor_trap_words(ways);
    COR_TRY(COR_RESERVE(&step->hits, &step->hit_capacity, words, error));
    memset(step->hits, 0, words * sizeof *step->hits);
    for (uint32_t i = 0; i < ways; i++)
        cor_trap_add(step->hits, i);
    step->why_count = step->taken = 0;
    for (uint32_t r = 0; r < count; r++)
        COR_TRY(follow_row(model, goal, rows + r * width, r, input, values, observation, step, error));
    step->count = cor_efsm_states_tidy(step->rows, step->why_count, width);
    return COR_OK;
}

void cor_belief_step_fini(struct cor_belief_step *step) {
    COR_FREE(step->rows, step->hits, step->why);
    cor_efsm_explanations_fini(&step->scratch);
    *step = (struct cor_belief_step){0};
}
