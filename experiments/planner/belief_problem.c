/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/belief_problem.h>
#include <corridor/hash.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A set that was met: rows in `numbers`. */
struct set {
    uint64_t first;
    uint32_t count;
};

struct cor_belief_problem {
    const struct cor_efsm *model;
    const struct cor_efsm_goal *goal;
    const struct cor_efsm_problem *inner;
    struct cor_planning_problem seen;
    size_t width;
    struct set *sets; /* owned, as all below */
    int64_t *numbers;
    uint32_t *slots; /* hash table of 1 + set */
    uint32_t set_count, slot_count;
    uint64_t number_count;
    size_t set_capacity, number_capacity;
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
};

/* The slot that holds the set, or the free one where it belongs. */
static uint32_t slot_of(const struct cor_belief_problem *problem, const int64_t *rows, uint32_t count) {
    const size_t size = count * problem->width * sizeof *rows;
    uint32_t slot = (uint32_t)cor_hash_bytes(COR_HASH_SEED, rows, size) & (problem->slot_count - 1);
    for (; problem->slots[slot] != 0; slot = (slot + 1) & (problem->slot_count - 1)) {
        const struct set *set = &problem->sets[problem->slots[slot] - 1];
        if (set->count == count && memcmp(problem->numbers + set->first, rows, size) == 0)
            break;
    }
    return slot;
}

static enum cor_status grow(struct cor_belief_problem *problem, struct cor_error *error) {
    const uint32_t wanted = problem->slot_count ? 2 * problem->slot_count : 256;
    uint32_t *slots = cor_calloc(wanted, sizeof *slots);
    COR_TRY(cor_made(slots, error));
    free(problem->slots);
    problem->slots = slots;
    problem->slot_count = wanted;
    for (uint32_t s = 0; s < problem->set_count; s++)
        slots[slot_of(problem, problem->numbers + problem->sets[s].first, problem->sets[s].count)] = s + 1;
    return COR_OK;
}

enum cor_status cor_belief_problem_state(struct cor_belief_problem *problem, const int64_t *rows,
                                         uint32_t count, void *state, struct cor_error *error) {
    const size_t size = count * problem->width;
    if (2 * problem->set_count >= problem->slot_count)
        COR_TRY(grow(problem, error));
    const uint32_t slot = slot_of(problem, rows, count);
    if (problem->slots[slot] == 0) {
        COR_TRY(COR_RESERVE(&problem->sets, &problem->set_capacity, (size_t)problem->set_count + 1, error));
        COR_TRY(
            COR_RESERVE(&problem->numbers, &problem->number_capacity, problem->number_count + size, error));
        memcpy(problem->numbers + problem->number_count, rows, size * sizeof *rows);
        problem->sets[problem->set_count++] = (struct set){problem->number_count, count};
        problem->number_count += size;
        problem->slots[slot] = problem->set_count;
    }
    memcpy(state, &problem->slots[slot], sizeof problem->slots[slot]);
    return COR_OK;
}

static struct set set_of(const struct cor_belief_problem *problem, const void *state) {
    uint32_t number;
    memcpy(&number, state, sizeof number);
    COR_ASSERT(number >= 1 && number <= problem->set_count);
    return problem->sets[number - 1];
}

/* The inputs that do something in a member of the set. */
static enum cor_status gather_inputs(struct cor_belief_problem *problem, struct set set,
                                     struct cor_error *error) {
    const struct cor_planning_problem *inner = cor_efsm_planning_problem(problem->inner);
    const size_t size = inner->input_size;
    problem->input_count = 0;
    for (uint32_t m = 0; m < set.count; m++) {
        const int64_t *row = problem->numbers + set.first + m * problem->width;
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

/* Room for another answer; new ones are empty. */
static enum cor_status reserve_answer(struct cor_belief_problem *problem, struct cor_error *error) {
    const size_t before = problem->answer_capacity;
    COR_TRY(
        COR_RESERVE(&problem->answers, &problem->answer_capacity, (size_t)problem->answer_count + 1, error));
    for (size_t a = before; a < problem->answer_capacity; a++)
        problem->answers[a] = (struct cor_efsm_observation){0};
    return COR_OK;
}

/* All that members of the set may answer to an input. */
static enum cor_status gather_answers(struct cor_belief_problem *problem, struct set set, uint32_t input,
                                      const int64_t *values, struct cor_error *error) {
    const struct cor_efsm *model = problem->model;
    int64_t all[COR_EFSM_VARIABLES_MAX];
    problem->answer_count = 0;
    for (uint32_t m = 0; m < set.count; m++) {
        const int64_t *row = problem->numbers + set.first + m * problem->width;
        COR_TRY(cor_efsm_explain(model, row, 1, input, values, NULL, &problem->all, error));
        memcpy(all, row + 1, model->variable_count * sizeof *all);
        cor_efsm_put_input(model, input, values, all);
        for (uint32_t e = 0; e < problem->all.count; e++) {
            const uint32_t at = problem->answer_count, t = problem->all.items[e].transition;
            uint32_t known = 0;
            COR_TRY(reserve_answer(problem, error));
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
    const struct set set = set_of(problem, state);
    int64_t values[COR_EFSM_VARIABLES_MAX];
    COR_TRY(gather_inputs(problem, set, error));
    for (uint32_t i = 0; i < problem->input_count; i++) {
        const unsigned char *input = problem->inputs + i * problem->seen.input_size;
        uint32_t label, next;
        cor_efsm_problem_unpack_input(problem->inner, input, &label, values);
        COR_TRY(gather_answers(problem, set, label, values, error));
        COR_TRY(cor_expansion_input(&problem->seen, expansion, input, error));
        for (uint32_t a = 0; a < problem->answer_count; a++) {
            /* the numbers may move with each new set */
            COR_TRY(cor_belief_follow(problem->model, problem->goal, problem->numbers + set.first, set.count,
                                      label, values, &problem->answers[a], &problem->step, error));
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
                                               .expand = expand};
    made->member = cor_calloc(1, of_states->state_size);
    if (!made->member) {
        cor_belief_problem_destroy(made);
        *problem = NULL;
        return cor_fail_memory(error);
    }
    return COR_OK;
}

void cor_belief_problem_destroy(struct cor_belief_problem *problem) {
    if (!problem)
        return;
    free(problem->sets);
    free(problem->numbers);
    free(problem->slots);
    cor_expansion_fini(&problem->of_member);
    free(problem->inputs);
    free(problem->member);
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
