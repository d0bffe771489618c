/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problem.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* Which levels of the model a problem uses. */
static enum cor_status choose_levels(struct combine__problem *problem, uint32_t invalid, bool mixed,
                                     struct cor_error *error) {
    const struct cor_combine_model *model = problem->model;
    uint32_t total = 0;
    for (size_t p = 0; p < model->parameter_count; p++)
        total += model->parameters[p].level_count;
    problem->level_count = cor_calloc(model->parameter_count, sizeof *problem->level_count);
    problem->level_start = cor_calloc(model->parameter_count + 1, sizeof *problem->level_start);
    problem->level_map = cor_calloc(total, sizeof *problem->level_map);
    if (!problem->level_count || !problem->level_start || !problem->level_map)
        return cor_fail_memory(error);
    uint32_t used = 0;
    for (uint32_t p = 0; p < model->parameter_count; p++) {
        for (uint32_t l = 0; l < model->parameters[p].level_count; l++)
            if (mixed || model->parameters[p].levels[l].invalid == (p == invalid))
                problem->level_map[used++] = l;
        problem->level_start[p + 1] = used;
        problem->level_count[p] = used - problem->level_start[p];
        COR_ASSERT(problem->level_count[p] > 0);
    }
    return COR_OK;
}

/* Are all of these (ascending) among those (ascending)? */
static bool is_within(const uint32_t *these, uint32_t count, const uint32_t *those, uint32_t those_count) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (at < those_count && those[at] < these[i])
            at++;
        if (at == those_count || those[at] != these[i])
            return false;
    }
    return true;
}

/* Is a block of part `part` (the number of parts: the whole) covered with another part anyway? */
static bool is_covered_elsewhere(const struct cor_combine_model *model, const uint32_t *parameters,
                                 uint32_t count, size_t part) {
    for (size_t i = 0; i < model->part_count; i++) {
        const struct combine__combine_part *other = &model->parts[i];
        if (i != part && (other->strength > count || (other->strength == count && i < part)) &&
            is_within(parameters, count, other->parameters, other->parameter_count))
            return true;
    }
    return false;
}

/* The next `count` of 0 .. among - 1 in order; false behind the last. */
static bool next_choice(uint32_t *choice, uint32_t count, uint32_t among) {
    for (uint32_t i = count; i-- > 0;)
        if (choice[i] < among - count + i) {
            choice[i]++;
            for (uint32_t j = i + 1; j < count; j++)
                choice[j] = choice[j - 1] + 1;
            return true;
        }
    return false;
}

/* All blocks of `strength` of the parameters (NULL: of all), which hold `through` if it is one. */
static enum cor_status add_blocks(struct combine__problem *problem, const uint32_t *parameters,
                                  uint32_t among, uint32_t strength, uint32_t through, size_t part,
                                  struct cor_error *error) {
    uint32_t choice[COR_COMBINE_STRENGTH_MAX], chosen[COR_COMBINE_STRENGTH_MAX];
    COR_ASSERT(strength <= among && strength <= COR_COMBINE_STRENGTH_MAX);
    for (uint32_t i = 0; i < strength; i++)
        choice[i] = i;
    do {
        bool wanted = through == COMBINE__NO_PARAMETER;
        for (uint32_t i = 0; i < strength; i++) {
            chosen[i] = parameters ? parameters[choice[i]] : choice[i];
            wanted |= chosen[i] == through;
        }
        if (wanted && !is_covered_elsewhere(problem->model, chosen, strength, part)) {
            uint64_t size = 1;
            struct combine__block block = {.first = problem->tuple_count, .count = strength};
            for (uint32_t i = strength; i-- > 0;) {
                block.parameter[i] = chosen[i];
                block.stride[i] = (uint32_t)size;
                size *= problem->level_count[chosen[i]];
                if (size > COMBINE__TUPLES_MAX)
                    break;
            }
            if (problem->block_count == COMBINE__BLOCKS_MAX)
                return cor_fail(error, COR_STATUS_INPUT, NULL,
                                "lower the strength, or cover fewer parameters so",
                                "more than %d sets of %u parameters to cover", COMBINE__BLOCKS_MAX, strength);
            if (problem->tuple_count + size > COMBINE__TUPLES_MAX)
                return cor_fail(
                    error, COR_STATUS_INPUT, NULL, "lower the strength, or cover fewer parameters so",
                    "more than %d combinations of %u values to cover", COMBINE__TUPLES_MAX, strength);
            COR_TRY(COR_RESERVE(&problem->blocks, &problem->block_capacity, problem->block_count + 1, error));
            problem->blocks[problem->block_count++] = block;
            problem->tuple_count += (uint32_t)size;
        }
    } while (next_choice(choice, strength, among));
    return COR_OK;
}

/* Which blocks hold a parameter. */
static enum cor_status index_blocks(struct combine__problem *problem, struct cor_error *error) {
    uint32_t width = problem->parameter_count, pair_count = 0, other_count = 0;
    problem->pair_start = cor_calloc(width + 2, sizeof *problem->pair_start);
    problem->other_start = cor_calloc(width + 2, sizeof *problem->other_start);
    if (!problem->pair_start || !problem->other_start)
        return cor_fail_memory(error);
    for (size_t b = 0; b < problem->block_count; b++)
        for (uint32_t i = 0; i < problem->blocks[b].count; i++) {
            uint32_t p = problem->blocks[b].parameter[i];
            if (problem->blocks[b].count == 2)
                problem->pair_start[p + 2]++, pair_count++;
            else
                problem->other_start[p + 2]++, other_count++;
        }
    for (uint32_t p = 0; p < width; p++) {
        problem->pair_start[p + 2] += problem->pair_start[p + 1];
        problem->other_start[p + 2] += problem->other_start[p + 1];
    }
    problem->pairs = cor_calloc(pair_count, sizeof *problem->pairs);
    problem->others = cor_calloc(other_count, sizeof *problem->others);
    if (!problem->pairs || !problem->others)
        return cor_fail_memory(error);
    for (size_t b = 0; b < problem->block_count; b++) {
        const struct combine__block *block = &problem->blocks[b];
        for (uint32_t i = 0; i < block->count; i++) {
            uint32_t p = block->parameter[i];
            if (block->count == 2)
                problem->pairs[problem->pair_start[p + 1]++] =
                    (struct combine__pair){block->first, block->stride[i], block->parameter[1 - i],
                                           block->stride[1 - i], (uint32_t)b};
            else
                problem->others[problem->other_start[p + 1]++] = (uint32_t)b;
        }
    }
    return COR_OK;
}

enum cor_status combine__problem_create(const struct cor_combine_model *model, uint32_t strength,
                                        uint32_t invalid, bool mixed, struct combine__problem **made,
                                        struct cor_error *error) {
    struct combine__problem *problem = cor_calloc(1, sizeof *problem);
    *made = problem;
    COR_TRY(cor_made(problem, error));
    problem->model = model;
    problem->parameter_count = (uint32_t)model->parameter_count;
    COR_TRY(choose_levels(problem, invalid, mixed, error));
    if (strength > 0) /* else of parts alone */
        COR_TRY(
            add_blocks(problem, NULL, problem->parameter_count, strength, invalid, model->part_count, error));
    for (size_t i = 0; i < model->part_count; i++)
        if (model->parts[i].strength >= strength && model->parts[i].strength > 0)
            COR_TRY(add_blocks(problem, model->parts[i].parameters, model->parts[i].parameter_count,
                               model->parts[i].strength, invalid, i, error));
    return index_blocks(problem, error);
}

void combine__problem_destroy(struct combine__problem *problem) {
    if (!problem)
        return;
    free(problem->level_count);
    free(problem->level_start);
    free(problem->level_map);
    free(problem->blocks);
    free(problem->pairs);
    free(problem->pair_start);
    free(problem->others);
    free(problem->other_start);
    free(problem);
}

void combine__block_levels(const struct combine__problem *problem, const struct combine__block *block,
                           uint32_t tuple, uint32_t *levels) {
    uint32_t rest = tuple - block->first;
    for (uint32_t i = 0; i < block->count; i++) {
        levels[i] = rest / block->stride[i];
        COR_ASSERT(levels[i] < problem->level_count[block->parameter[i]]);
        rest %= block->stride[i];
    }
}
