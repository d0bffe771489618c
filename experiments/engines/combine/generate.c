/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"
#include "search.h"

#include <corridor/array.h>

#include <stdarg.h>
#include <stdio.h>
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

/* Is a block of part `part` (the number of parts: the whole) covered with another part anyway? */
static bool is_covered_elsewhere(const struct cor_combine_model *model, const uint32_t *parameters,
                                 uint32_t count, size_t part) {
    for (size_t i = 0; i < model->part_count; i++) {
        const struct combine__combine_part *other = &model->parts[i];
        if (i == part || other->strength < count || (other->strength == count && i > part))
            continue;
        /* Are all of these (ascending) among those (ascending)? */
        uint32_t found = 0;
        for (uint32_t at = 0; found < count && at < other->parameter_count; at++)
            found += other->parameters[at] == parameters[found];
        if (found == count)
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

/* The problem of the rows whose parameter `invalid` has an invalid value and all others valid ones, of which
 * the combinations with that value count; of all valid rows with COMBINE__NO_PARAMETER; of all rows, valid or
 * not, where `mixed`. Destroyed by the caller also when it fails. COR_STATUS_INPUT: too many combinations. */
static enum cor_status problem_create(const struct cor_combine_model *model, uint32_t strength,
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
    /* Which blocks hold a parameter. */
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

/* ---- bundle */

static bool is_bundle(const struct combine__combine_part *part, const struct cor_combine_request *request) {
    return part->is_bundle && part->strength <= request->strength;
}

/* Do sub-models share a parameter? Then they are parts, and no bundles. */
static bool overlap(const struct cor_combine_model *model) {
    for (size_t i = 0; i < model->part_count; i++)
        for (size_t j = 0; j < i; j++)
            for (uint32_t k = 0; k < model->parts[i].parameter_count; k++)
                for (uint32_t l = 0; l < model->parts[j].parameter_count; l++)
                    if (model->parts[i].parameters[k] == model->parts[j].parameters[l])
                        return true;
    return false;
}

static enum cor_status add_outer(struct combine__bundles *b, const uint32_t *members, uint32_t count,
                                 const struct combine__combine_part *part, struct cor_error *error) {
    struct combine__outer *outer = &b->outers[b->outer_count++];
    COR_TRY(cor_made(outer->members = cor_calloc(count, sizeof *outer->members), error));
    memcpy(outer->members, members, count * sizeof *members);
    outer->member_count = count;
    outer->part = part;
    for (uint32_t i = 0; i < count; i++)
        b->outer_of[members[i]] = b->outer_count - 1;
    return COR_OK;
}

enum cor_status combine__bundles_init(struct combine__bundles *b, const struct cor_combine_model *model,
                                      const struct cor_combine_request *request, struct cor_error *error) {
    *b = (struct combine__bundles){.model = model};
    cor_words_init(&b->words);
    if (request->policy != COR_COMBINE_VALID_T_WISE && request->policy != COR_COMBINE_T_WISE)
        return COR_OK;
    for (size_t i = 0; i < model->part_count; i++)
        b->any = b->any || is_bundle(&model->parts[i], request);
    b->any = b->any && !overlap(model);
    if (!b->any)
        return COR_OK;
    b->outers = cor_calloc(model->parameter_count, sizeof *b->outers);
    b->outer_of = cor_calloc(model->parameter_count, sizeof *b->outer_of);
    if (!b->outers || !b->outer_of)
        return cor_fail_memory(error);
    for (uint32_t p = 0; p < model->parameter_count; p++)
        b->outer_of[p] = COR_NONE;
    for (uint32_t p = 0; p < model->parameter_count; p++) {
        const struct combine__combine_part *found = NULL;
        for (size_t i = 0; i < model->part_count && b->outer_of[p] == COR_NONE; i++)
            for (uint32_t k = 0; k < model->parts[i].parameter_count && is_bundle(&model->parts[i], request);
                 k++)
                if (model->parts[i].parameters[k] == p)
                    found = &model->parts[i];
        if (found)
            COR_TRY(add_outer(b, found->parameters, found->parameter_count, found, error));
        else if (b->outer_of[p] == COR_NONE)
            COR_TRY(add_outer(b, &p, 1, NULL, error));
    }
    return COR_OK;
}

void combine__bundles_fini(struct combine__bundles *b) {
    for (uint32_t i = 0; i < b->outer_count; i++) {
        COR_FREE(b->outers[i].members, b->outers[i].rows);
    }
    COR_FREE(b->outers, b->outer_of);
    cor_combine_model_destroy(b->outer);
    cor_words_fini(&b->words);
    *b = (struct combine__bundles){0};
}

struct cor_combine_model combine__bundle_view(const struct combine__bundles *b, uint32_t outer,
                                              const struct cor_combine_request *request,
                                              struct combine__combine_part *part) {
    struct cor_combine_model view = *b->model;
    *part = *b->outers[outer].part;
    if (part->strength == 0)
        part->strength =
            request->strength < part->parameter_count ? request->strength : part->parameter_count;
    part->is_bundle = false;
    view.parts = part;
    view.part_count = 1;
    return view;
}

static const uint32_t *row_of(const struct combine__outer *outer, size_t row) {
    return outer->rows + row * outer->member_count;
}

enum cor_status combine__bundle_add(struct combine__bundles *b, uint32_t index, const uint32_t *rows,
                                    size_t row_count, struct cor_error *error) {
    struct combine__outer *outer = &b->outers[index];
    size_t width = outer->member_count;
    for (size_t i = 0; i < row_count; i++) {
        COR_TRY(COR_RESERVE(&outer->rows, &outer->row_capacity, (outer->row_count + 1) * width, error));
        uint32_t *made = outer->rows + outer->row_count * width;
        for (uint32_t m = 0; m < width; m++)
            made[m] = rows[i * b->model->parameter_count + outer->members[m]];
        size_t k = 0;
        while (memcmp(row_of(outer, k), made, width * sizeof *made) != 0)
            k++;
        outer->row_count += k == outer->row_count;
    }
    return COR_OK;
}

static uint32_t outer_level_count(const struct combine__bundles *b, uint32_t outer) {
    const struct combine__outer *o = &b->outers[outer];
    return o->part ? (uint32_t)o->row_count : b->model->parameters[o->members[0]].level_count;
}

/* The level of a member where the outer parameter has a level. */
static uint32_t member_level(const struct combine__outer *o, uint32_t member, uint32_t level) {
    return o->part ? row_of(o, level)[member] : level;
}

/* A text that grows. */
struct text {
    char *bytes; /* owned */
    size_t length, capacity;
    struct cor_error *error;
};

static enum cor_status COR_PRINTF(2, 3) write_text(struct text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    enum cor_status status =
        COR_RESERVE(&text->bytes, &text->capacity, text->length + (size_t)length + 1, text->error);
    if (status == COR_OK) {
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
        text->length += (size_t)length;
    }
    va_end(arguments);
    return status;
}

static enum cor_status add_parameter(struct combine__bundles *b, uint32_t index, struct cor_error *error) {
    const struct combine__outer *o = &b->outers[index];
    uint32_t count = outer_level_count(b, index);
    struct cor_combine_level *levels = cor_calloc(count, sizeof *levels);
    struct text texts = {.error = error}, name = {.error = error};
    size_t *starts = cor_calloc(count, sizeof *starts);
    enum cor_status status = levels && starts ? COR_OK : cor_fail_memory(error);
    for (uint32_t m = 0; m < o->member_count && status == COR_OK; m++)
        status = write_text(&name, "%s%s", m > 0 ? "+" : "", b->model->parameters[o->members[m]].name);
    for (uint32_t l = 0; l < count && status == COR_OK; l++) {
        starts[l] = texts.length;
        levels[l].value = cor_integer(l);
        for (uint32_t m = 0; m < o->member_count && status == COR_OK; m++) {
            const struct combine__combine_parameter *p = &b->model->parameters[o->members[m]];
            const struct cor_combine_level *level = &p->levels[member_level(o, m, l)];
            levels[l].invalid = levels[l].invalid || level->invalid;
            status = write_text(&texts, "%s%s", m > 0 ? "+" : "", level->text);
        }
        if (status == COR_OK && o->part)
            status = write_text(&texts, ", row %u", l + 1);
        texts.length++; /* behind its end */
    }
    for (uint32_t l = 0; l < count && status == COR_OK; l++)
        levels[l].text = texts.bytes + starts[l];
    if (status == COR_OK)
        status = cor_combine_add_parameter(b->outer, name.bytes, COR_VALUE_TYPE_INTEGER, levels, count, NULL,
                                           error);
    COR_FREE(levels, starts, texts.bytes, name.bytes);
    return status;
}

struct translation {
    struct combine__bundles *bundles;
    const struct combine__combine_constraint *constraint;
    struct cor_value *values; /* owned; by parameter of the model */
    uint32_t *levels, *read;  /* owned; by outer parameter; those that an atom reads */
    struct text text;
};

static void set_outer(struct translation *t, uint32_t outer, uint32_t level) {
    const struct combine__outer *o = &t->bundles->outers[outer];
    t->levels[outer] = level;
    for (uint32_t m = 0; m < o->member_count; m++)
        t->values[o->members[m]] =
            t->bundles->model->parameters[o->members[m]].levels[member_level(o, m, level)].value;
}

/* For which levels of outer parameters an atom holds. */
static enum cor_status write_atom(struct translation *t, const struct combine__combine_atom *atom) {
    uint32_t count = 0;
    for (uint32_t o = 0; o < t->bundles->outer_count; o++)
        for (uint32_t i = 0; i < atom->parameter_count; i++)
            if (t->bundles->outer_of[atom->parameters[i]] == o) {
                t->read[count++] = o;
                break;
            }
    if (count == 0)
        return write_text(&t->text, cor_expression_judge(&atom->holds, t->values) ? "true" : "false");
    for (uint32_t i = 0; i < count; i++)
        set_outer(t, t->read[i], 0);
    COR_TRY(write_text(&t->text, "(false"));
    for (;;) {
        uint32_t i = 0;
        uint32_t last = t->read[count - 1], levels = outer_level_count(t->bundles, last), first = COR_NONE;
        for (uint32_t l = 0; l <= levels; l++) {
            bool holds = l < levels;
            if (holds) {
                set_outer(t, last, l);
                holds = cor_expression_judge(&atom->holds, t->values);
            }
            if (!holds && first != COR_NONE) {
                const struct cor_combine_model *outer = t->bundles->outer;
                COR_TRY(write_text(&t->text, " or (%u <= [%s] and [%s] <= %u", first,
                                   outer->parameters[t->read[count - 1]].name,
                                   outer->parameters[t->read[count - 1]].name, l - 1));
                for (uint32_t j = 0; j + 1 < count; j++)
                    COR_TRY(write_text(&t->text, " and [%s] = %u", outer->parameters[t->read[j]].name,
                                       t->levels[t->read[j]]));
                COR_TRY(write_text(&t->text, ")"));
            }
            first = !holds ? COR_NONE : first == COR_NONE ? l : first;
        }
        for (; i + 1 < count; i++) {
            uint32_t next = t->levels[t->read[i]] + 1;
            bool fits = next < outer_level_count(t->bundles, t->read[i]);
            set_outer(t, t->read[i], fits ? next : 0);
            if (fits)
                break;
        }
        if (i + 1 >= count)
            break;
    }
    return write_text(&t->text, ")");
}

static enum cor_status write_node(struct translation *t, uint32_t index) {
    const struct cor_node *node = &t->constraint->expression.nodes[index];
    if (!t->constraint->is_joint[index])
        return write_atom(t, &t->constraint->atoms[t->constraint->atom_of_node[index]]);
    if (node->operator== COR_OPERATOR_NOT) {
        COR_TRY(write_text(&t->text, "(not "));
    } else {
        COR_TRY(write_text(&t->text, "("));
        COR_TRY(write_node(t, node->left));
        COR_TRY(write_text(&t->text, node->operator== COR_OPERATOR_AND     ? " and "
                                     : node->operator== COR_OPERATOR_OR    ? " or "
                                     : node->operator== COR_OPERATOR_EQUAL ? " = "
                                                                           : " != "));
    }
    COR_TRY(write_node(t, node->operator== COR_OPERATOR_NOT ? node->left : node->right));
    return write_text(&t->text, ")");
}

enum cor_status combine__bundles_join(struct combine__bundles *b, struct cor_error *error) {
    size_t width = b->model->parameter_count;
    COR_TRY(cor_combine_model_create(&b->words, &b->outer, error));
    for (uint32_t o = 0; o < b->outer_count; o++)
        COR_TRY(add_parameter(b, o, error));
    struct translation t = {.bundles = b,
                            .values = cor_calloc(width, sizeof *t.values),
                            .levels = cor_calloc(width, sizeof *t.levels),
                            .read = cor_calloc(width, sizeof *t.read),
                            .text = {.error = error}};
    enum cor_status status = t.values && t.levels && t.read ? COR_OK : cor_fail_memory(error);
    for (uint32_t o = 0; o < b->outer_count && status == COR_OK; o++)
        set_outer(&t, o, 0);
    for (size_t i = 0; i < b->model->constraint_count && status == COR_OK; i++) {
        const struct combine__combine_constraint *constraint = &b->model->constraints[i];
        t.constraint = constraint;
        t.text.length = 0;
        status = write_node(&t, constraint->expression.node_count - 1);
        if (status == COR_OK)
            status = combine__combine_add_constraint(b->outer, t.text.bytes, constraint->text,
                                                     constraint->place, error);
    }
    for (size_t i = 0; i < b->model->part_count && status == COR_OK; i++) {
        const struct combine__combine_part *part = &b->model->parts[i];
        if (b->outers[b->outer_of[part->parameters[0]]].part || part->strength == 0)
            continue;
        for (uint32_t k = 0; k < part->parameter_count; k++)
            t.read[k] = b->outer_of[part->parameters[k]];
        status = cor_combine_add_part(b->outer, t.read, part->parameter_count, part->strength, NULL, error);
    }
    for (size_t i = 0; i < b->model->row_count && status == COR_OK; i++) {
        combine__bundles_fold(b, b->model->rows + i * width, t.levels);
        status = cor_combine_add_row(b->outer, t.levels, b->model->row_places[i], error);
    }
    COR_FREE(t.values, t.levels, t.read, t.text.bytes);
    return status;
}

void combine__bundles_fold(const struct combine__bundles *b, const uint32_t *row, uint32_t *outer) {
    for (uint32_t o = 0; o < b->outer_count; o++) {
        const struct combine__outer *it = &b->outers[o];
        outer[o] = it->part ? COR_COMBINE_ANY : row[it->members[0]];
        bool said = false;
        for (uint32_t m = 0; m < it->member_count; m++)
            said = said || row[it->members[m]] != COR_COMBINE_ANY;
        for (uint32_t l = 0; it->part && said && l < it->row_count && outer[o] == COR_COMBINE_ANY; l++) {
            bool fits = true;
            for (uint32_t m = 0; m < it->member_count && fits; m++)
                fits = row[it->members[m]] == COR_COMBINE_ANY || row[it->members[m]] == row_of(it, l)[m];
            outer[o] = fits ? l : outer[o];
        }
    }
}

bool combine__bundles_tuple(const struct combine__bundles *b, struct cor_combine_tuple *tuple) {
    struct cor_combine_tuple made = {0};
    bool whole = true;
    for (uint32_t i = 0; i < tuple->count; i++) {
        const struct combine__outer *o = &b->outers[tuple->parameter[i]];
        for (uint32_t m = 0; m < o->member_count && whole; m++) {
            whole = made.count < COR_COMBINE_STRENGTH_MAX;
            if (!whole)
                break;
            made.parameter[made.count] = o->members[m];
            made.level[made.count++] = member_level(o, m, tuple->level[i]);
        }
    }
    *tuple = made;
    return whole;
}

/* ---- from a model to rows: which problems it gives, what of them is impossible, and the search for each */

#define PAIRED_LEVELS_MAX 4096
#define LEAST_WORK (COR_COMBINE_WORK / 6)

/* A problem at work. */
struct task {
    const struct cor_combine_model *model;
    const struct cor_combine_request *request;
    uint32_t invalid; /* the parameter whose invalid values it is about, or COMBINE__NO_PARAMETER */
    bool mixed;
    struct combine__problem *problem; /* owned, as all below */
    struct combine__logic *logic;     /* NULL: no constraints */
    struct combine__search *search;
    uint16_t *row;
    bool *fixed;
    struct combine__decider *decider; /* asked where the logic gives up */
    uint16_t *found;                  /* rows that z3 found */
    size_t found_count, found_capacity;
    size_t least; /* rows that are needed in any case */
};

static struct cor_rng stream_of(const struct task *task) {
    struct cor_stream_name name = {
        .seed = task->request->seed, .purpose = COR_PURPOSE_COMBINE, .entity = task->invalid + 1};
    return cor_rng_named(&name);
}

static enum cor_status fail_undecided(struct cor_error *error, const char *of_what) {
    return cor_fail(error, COR_STATUS_INPUT, NULL, "write the constraints simpler, or split them",
                    "the constraints are too hard: no decision whether %s", of_what);
}

static bool is_in_task(const void *context, uint32_t parameter, uint32_t level) {
    const struct task *task = context;
    const struct combine__problem *problem = task->problem;
    const uint32_t *map = problem->level_map + problem->level_start[parameter];
    if (task->fixed[parameter])
        return map[task->row[parameter]] == level;
    return task->mixed ||
           task->model->parameters[parameter].levels[level].invalid == (parameter == task->invalid);
}

static uint16_t level_in_problem(const struct combine__problem *problem, uint32_t parameter, uint32_t level) {
    const uint32_t *map = problem->level_map + problem->level_start[parameter];
    uint16_t l = 0;
    while (map[l] != level)
        l++;
    return l;
}

/* Can the task's row be completed where it is not fixed? z3 is asked where the logic gives up. */
static enum cor_status complete(struct task *task, enum combine__answer *answer, bool *by_z3,
                                struct cor_error *error) {
    uint32_t width = task->problem->parameter_count;
    enum cor_answer said;
    *by_z3 = false;
    *answer = combine__logic_complete(task->logic, task->row, task->fixed);
    if (*answer != COMBINE__UNDECIDED)
        return COR_OK;
    uint32_t *levels = cor_calloc(width, sizeof *levels);
    COR_TRY(cor_made(levels, error));
    enum cor_status status = combine__decider_ask(task->decider, is_in_task, task, levels, &said, error);
    if (status == COR_OK && said != COR_ANSWER_UNDECIDED) {
        combine__logic_hurry(task->logic);
        *by_z3 = true;
        *answer = said == COR_ANSWER_SATISFIABLE ? COMBINE__YES : COMBINE__NO;
    }
    for (uint32_t p = 0; *answer == COMBINE__YES && p < width; p++)
        task->row[p] = level_in_problem(task->problem, p, levels[p]);
    free(levels);
    return status;
}

/* Fails where the fixed cells of the task's row cannot be completed; `what` is said in front. */
static enum cor_status need_completion(struct task *task, const char *what, const char *place,
                                       struct cor_error *error) {
    char lines[900];
    if (!task->logic)
        return COR_OK;
    enum combine__answer answer;
    bool by_z3;
    COR_TRY(complete(task, &answer, &by_z3, error));
    if (answer == COMBINE__YES)
        return COR_OK;
    if (answer == COMBINE__UNDECIDED)
        return fail_undecided(error, "a row satisfies them");
    bool *at_odds = cor_calloc(task->model->constraint_count, sizeof *at_odds);
    COR_TRY(cor_made(at_odds, error));
    combine__logic_conflict(task->logic, task->row, task->fixed, at_odds);
    /* The place of the first of these constraints, NULL if it has none; their texts into `lines`. */
    const size_t size = sizeof lines;
    const char *of_constraint = NULL;
    size_t used = 0;
    *lines = '\0';
    for (size_t i = 0; i < task->model->constraint_count; i++)
        if (at_odds[i] && used < size) {
            if (used == 0)
                of_constraint = task->model->constraints[i].place;
            int wrote = snprintf(lines + used, size - used, "%s%s", used > 0 ? "; " : "",
                                 task->model->constraints[i].text);
            used += wrote > 0 ? (size_t)wrote : 0;
        }
    free(at_odds);
    return cor_fail(error, COR_STATUS_UNSATISFIABLE, place ? place : of_constraint, "relax one of these",
                    "%s: %s", what, lines);
}

static struct cor_combine_tuple tuple_of(const struct combine__problem *problem,
                                         const struct combine__block *block, uint32_t tuple) {
    uint32_t levels[COR_COMBINE_STRENGTH_MAX];
    struct cor_combine_tuple made = {.count = block->count};
    combine__block_levels(problem, block, tuple, levels);
    for (uint32_t i = 0; i < block->count; i++) {
        uint32_t p = block->parameter[i];
        made.parameter[i] = p;
        made.level[i] = problem->level_map[problem->level_start[p] + levels[i]];
    }
    return made;
}

/* What is found out about tuples while the impossible ones are sought. */
struct survey {
    struct task *task;
    uint32_t *cluster; /* owned, as all below */
    uint8_t *single;   /* of each level of each parameter: enum combine__answer + 1, 0: not asked */
    uint8_t *pair;     /* the same of each two levels that constraints join; NULL: too many to remember */
    uint8_t *possible; /* of each tuple of the tight blocks: seen in a row */
    uint32_t *tight;   /* blocks with two parameters that constraints join */
    size_t tight_count, tight_capacity;
    struct cor_rng rng;
    enum cor_status status; /* of the last question */
    struct cor_error *error;
};

static enum cor_status begin_survey(struct survey *survey, struct cor_error *error) {
    const struct combine__problem *problem = survey->task->problem;
    survey->rng = stream_of(survey->task);
    survey->cluster = cor_calloc(problem->parameter_count, sizeof *survey->cluster);
    survey->single = cor_calloc(problem->level_start[problem->parameter_count], 1);
    survey->possible = cor_calloc(problem->tuple_count, 1);
    if (!survey->cluster || !survey->single || !survey->possible)
        return cor_fail_memory(error);
    size_t levels = problem->level_start[problem->parameter_count];
    if (levels <= PAIRED_LEVELS_MAX) {
        COR_TRY(cor_made(survey->pair = cor_calloc(levels * levels, 1), error));
    }
    combine__logic_clusters(survey->task->logic, survey->cluster);
    for (uint32_t b = 0; b < problem->block_count; b++) {
        const struct combine__block *block = &problem->blocks[b];
        bool is_tight = false;
        for (uint32_t i = 0; i < block->count && !is_tight; i++)
            for (uint32_t j = 0; j < i && !is_tight; j++)
                is_tight = survey->cluster[block->parameter[i]] != COMBINE__NO_PARAMETER &&
                           survey->cluster[block->parameter[i]] == survey->cluster[block->parameter[j]];
        if (is_tight) {
            COR_TRY(COR_RESERVE(&survey->tight, &survey->tight_capacity, survey->tight_count + 1, error));
            survey->tight[survey->tight_count++] = b;
        }
    }
    return COR_OK;
}

/* Is there a row with these levels of these parameters? The cells beside them begin at random, so that the
 * rows found differ and show much at once. */
static enum combine__answer ask(struct survey *survey, const uint32_t *parameters, const uint32_t *levels,
                                uint32_t count) {
    struct task *task = survey->task;
    const struct combine__problem *problem = task->problem;
    memset(task->fixed, 0, problem->parameter_count * sizeof *task->fixed);
    for (uint32_t p = 0; p < problem->parameter_count; p++)
        task->row[p] = (uint16_t)cor_rng_below(&survey->rng, problem->level_count[p]);
    for (uint32_t i = 0; i < count; i++) {
        task->row[parameters[i]] = (uint16_t)levels[i];
        task->fixed[parameters[i]] = true;
    }
    bool by_z3 = false;
    enum combine__answer answer = COMBINE__UNDECIDED;
    survey->status = complete(task, &answer, &by_z3, survey->error);
    if (answer == COMBINE__YES && by_z3) { /* the search might not find it */
        size_t width = problem->parameter_count;
        survey->status =
            COR_RESERVE(&task->found, &task->found_capacity, (task->found_count + 1) * width, survey->error);
        if (survey->status != COR_OK)
            return COMBINE__UNDECIDED;
        memcpy(task->found + task->found_count++ * width, task->row, width * sizeof *task->row);
    }
    for (size_t i = 0; answer == COMBINE__YES && i < survey->tight_count; i++)
        survey->possible[combine__block_tuple(&problem->blocks[survey->tight[i]], task->row)] = 1;
    return answer;
}

static enum combine__answer ask_single(struct survey *survey, uint32_t parameter, uint32_t level) {
    if (survey->cluster[parameter] == COMBINE__NO_PARAMETER)
        return COMBINE__YES;
    uint8_t *known = &survey->single[survey->task->problem->level_start[parameter] + level];
    if (*known == 0)
        *known = (uint8_t)(ask(survey, &parameter, &level, 1) + 1);
    return (enum combine__answer)(*known - 1);
}

/* Two levels of a larger tuple: what they cannot be together, it cannot. */
static enum combine__answer ask_pair(struct survey *survey, const uint32_t *parameters,
                                     const uint32_t *levels) {
    const uint32_t *start = survey->task->problem->level_start;
    uint32_t first = survey->cluster[parameters[0]];
    if (!survey->pair || first == COMBINE__NO_PARAMETER || first != survey->cluster[parameters[1]])
        return COMBINE__YES;
    size_t width = start[survey->task->problem->parameter_count];
    uint8_t *known =
        &survey->pair[(start[parameters[0]] + levels[0]) * width + start[parameters[1]] + levels[1]];
    if (*known == 0)
        *known = (uint8_t)(ask(survey, parameters, levels, 2) + 1);
    return (enum combine__answer)(*known - 1);
}

static enum combine__answer ask_pairs(struct survey *survey, const struct combine__block *block,
                                      const uint32_t *levels) {
    for (uint32_t i = 0; block->count > 2 && i < block->count; i++)
        for (uint32_t j = 0; j < i; j++) {
            uint32_t parameters[] = {block->parameter[j], block->parameter[i]};
            uint32_t both[] = {levels[j], levels[i]};
            enum combine__answer answer = ask_pair(survey, parameters, both);
            if (answer != COMBINE__YES)
                return answer;
        }
    return COMBINE__YES;
}

/* Can the tuple be? Levels alone are asked for once; what constraints do not join is independent. */
static enum combine__answer ask_tuple(struct survey *survey, const struct combine__block *block, bool tight,
                                      uint32_t tuple) {
    uint32_t levels[COR_COMBINE_STRENGTH_MAX];
    if (tight && survey->possible[tuple])
        return COMBINE__YES;
    combine__block_levels(survey->task->problem, block, tuple, levels);
    for (uint32_t i = 0; i < block->count; i++) {
        enum combine__answer answer = ask_single(survey, block->parameter[i], levels[i]);
        if (answer != COMBINE__YES)
            return answer;
    }
    if (!tight)
        return COMBINE__YES;
    enum combine__answer answer = ask_pairs(survey, block, levels);
    if (answer != COMBINE__YES || survey->possible[tuple])
        return answer;
    return ask(survey, block->parameter, levels, block->count);
}

static enum cor_status survey_block(struct survey *survey, uint32_t index, bool tight,
                                    struct cor_combine_array *array, size_t *capacity,
                                    struct cor_error *error) {
    const struct combine__problem *problem = survey->task->problem;
    const struct combine__block *block = &problem->blocks[index];
    uint32_t end = index + 1 < problem->block_count ? problem->blocks[index + 1].first : problem->tuple_count;
    size_t open = 0;
    for (uint32_t tuple = block->first; tuple < end; tuple++) {
        enum combine__answer answer = ask_tuple(survey, block, tight, tuple);
        COR_TRY(survey->status);
        if (answer == COMBINE__UNDECIDED) {
            char text[300];
            struct cor_combine_tuple shown = tuple_of(problem, block, tuple);
            cor_combine_tuple_text(survey->task->model, &shown, text, sizeof text);
            return fail_undecided(error, text);
        }
        if (answer == COMBINE__NO) {
            COR_TRY(COR_RESERVE(&array->excluded, capacity, array->excluded_count + 1, error));
            array->excluded[array->excluded_count++] = tuple_of(survey->task->problem, block, tuple);
            combine__search_exclude(survey->task->search, tuple);
        } else {
            open++;
        }
    }
    if (open > survey->task->least)
        survey->task->least = open;
    return COR_OK;
}

/* Rows that pairs of so many parameters need even if each has two values only: n rows do for as many as there
 * are ways to choose half of the others (Kleitman, Spencer, "Families of k-independent sets", 1973). */
static size_t least_for_pairs(uint64_t parameters) {
    size_t rows = 4;
    for (;; rows++) {
        uint64_t ways = 1; /* rows - 1 over rows / 2 - 1 */
        for (uint64_t i = 1; i < rows / 2 && ways < parameters; i++)
            ways = ways * (rows - i) / i;
        if (ways >= parameters)
            return rows;
    }
}

/* The rows of the largest block, or what many parameters need. */
static size_t least_without_constraints(const struct task *task) {
    const struct combine__problem *problem = task->problem;
    size_t least = 0;
    uint64_t free = 0;
    for (size_t b = 0; b < problem->block_count; b++) {
        size_t end = b + 1 < problem->block_count ? problem->blocks[b + 1].first : problem->tuple_count;
        if (end - problem->blocks[b].first > least)
            least = end - problem->blocks[b].first;
    }
    for (uint32_t p = 0; p < problem->parameter_count; p++)
        free += problem->level_count[p] > 1;
    if (task->invalid != COMBINE__NO_PARAMETER || task->request->strength < 2 || free < 2)
        return least;
    size_t for_pairs = least_for_pairs(free);
    return for_pairs > least ? for_pairs : least;
}

/* Excludes what no row can hold, and counts how many rows the largest block needs. */
static enum cor_status exclude_impossible(struct task *task, struct cor_combine_array *array,
                                          size_t *capacity, struct cor_error *error) {
    const struct combine__problem *problem = task->problem;
    struct survey survey = {.task = task, .error = error};
    enum cor_status status = COR_OK;
    size_t at = 0;
    if (!task->logic) {
        task->least = least_without_constraints(task);
        return COR_OK;
    }
    COR_TRY_OUT(begin_survey(&survey, error));
    for (uint32_t b = 0; b < problem->block_count; b++) {
        bool tight = at < survey.tight_count && survey.tight[at] == b;
        at += tight;
        if (b % (problem->block_count / 100 + 1) == 0)
            combine__say(task->request, "looking for what is impossible", b, problem->block_count);
        COR_TRY_OUT(survey_block(&survey, b, tight, array, capacity, error));
    }
out:
    COR_FREE(survey.cluster, survey.single, survey.pair, survey.possible, survey.tight);
    return status;
}

static enum cor_status keep_rows(struct task *task, struct cor_error *error) {
    const struct cor_combine_model *model = task->model;
    for (size_t i = 0; i < model->row_count; i++) {
        const uint32_t *levels = model->rows + i * model->parameter_count;
        uint32_t invalid = task->invalid;
        if (!task->mixed) {
            /* The problem that a row belongs to. */
            invalid = COMBINE__NO_PARAMETER;
            for (uint32_t p = 0; p < model->parameter_count; p++) {
                if (levels[p] == COR_COMBINE_ANY || !model->parameters[p].levels[levels[p]].invalid)
                    continue;
                if (invalid != COMBINE__NO_PARAMETER)
                    return cor_fail(error, COR_STATUS_INPUT, model->row_places[i],
                                    "leave one of them, or ask for another policy",
                                    "a row to keep has two invalid values, %s of \"%s\" and %s of \"%s\"",
                                    model->parameters[invalid].levels[levels[invalid]].text,
                                    model->parameters[invalid].name,
                                    model->parameters[p].levels[levels[p]].text, model->parameters[p].name);
                invalid = p;
            }
        }
        if (invalid != task->invalid)
            continue;
        for (uint32_t p = 0; p < model->parameter_count; p++) {
            task->fixed[p] = levels[p] != COR_COMBINE_ANY;
            task->row[p] = task->fixed[p] ? level_in_problem(task->problem, p, levels[p]) : 0;
        }
        COR_TRY(need_completion(task, "the constraints exclude a row to keep", model->row_places[i], error));
        COR_TRY(combine__search_keep(task->search, task->row, task->fixed, error));
    }
    for (uint32_t p = 0; p < model->parameter_count; p++)
        task->fixed[p] = true;
    for (size_t i = 0; i < task->found_count; i++)
        COR_TRY(
            combine__search_keep(task->search, task->found + i * model->parameter_count, task->fixed, error));
    return COR_OK;
}

static enum cor_status add_rows(struct cor_combine_array *array, size_t *capacity,
                                const struct combine__problem *problem, const uint16_t *rows, size_t count,
                                struct cor_error *error) {
    size_t width = problem->parameter_count;
    if (array->row_count + count > COR_COMBINE_ROWS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "ask for less", "more than %d rows",
                        COR_COMBINE_ROWS_MAX);
    COR_TRY(COR_RESERVE(&array->levels, capacity, (array->row_count + count) * width, error));
    for (size_t i = 0; i < count; i++)
        for (uint32_t p = 0; p < width; p++)
            array->levels[(array->row_count + i) * width + p] =
                problem->level_map[problem->level_start[p] + rows[i * width + p]];
    array->row_count += count;
    return COR_OK;
}

static enum cor_status search_task(struct task *task, uint64_t share, struct cor_combine_array *array,
                                   size_t *capacity, struct cor_error *error) {
    uint64_t moves = task->request->moves ? task->request->moves * share / 100 : UINT64_MAX;
    uint64_t work = UINT64_C(10000) * combine__search_open(task->search); /* small models need less */
    work = work > COR_COMBINE_WORK ? COR_COMBINE_WORK : work < LEAST_WORK ? LEAST_WORK : work;
    work = task->request->moves ? UINT64_MAX : work / 100 * share;
    /* How often to try for each row of the first array: less often where a row takes long. */
    uint64_t look = 0;
    for (size_t b = 0; b < task->problem->block_count; b++)
        for (uint32_t i = 0; i < task->problem->blocks[b].count; i++)
            look += task->problem->level_count[task->problem->blocks[b].parameter[i]];
    uint64_t tries = COR_COMBINE_WORK / 20 / (look * task->least + 1);
    combine__say(task->request, "making rows", 0, 0);
    COR_TRY(combine__search_cover(task->search, tries < 1 ? 1 : tries > 10 ? 10 : (uint32_t)tries, error));
    combine__say(task->request, "looking for fewer rows", 0, 0);
    COR_TRY(combine__search_shrink(task->search, task->least, moves, work, error));
    size_t count = combine__search_row_count(task->search);
    uint16_t *rows = cor_calloc(count * task->problem->parameter_count, sizeof *rows);
    COR_TRY(cor_made(rows, error));
    combine__search_rows(task->search, rows);
    enum cor_status status = add_rows(array, capacity, task->problem, rows, count, error);
    free(rows);
    array->moves += combine__search_moves(task->search);
    return status;
}

/* Goes to the next level of the last of `depth` parameters, or of one before it; gives how many are set then,
 * 0: none is left. */
static uint32_t step_back(const struct combine__problem *problem, uint16_t *row, uint32_t depth) {
    while (depth > 0 && ++row[depth - 1] == problem->level_count[depth - 1])
        depth--;
    return depth;
}

/* All rows that satisfy the constraints, the last parameter's levels running fastest. */
static enum cor_status enumerate(struct task *task, struct cor_combine_array *array, size_t *capacity,
                                 struct cor_error *error) {
    const struct combine__problem *problem = task->problem;
    uint16_t *row = task->row;
    uint64_t count = 1;
    bool more = false;
    for (uint32_t p = 0; p < problem->parameter_count; p++)
        more |= __builtin_mul_overflow(count, problem->level_count[p], &count);
    if (more || count > COR_COMBINE_ROWS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "ask for fewer, with the policy valid-t or t-wise",
                        "%s%llu rows in full, and at most %d are written", more ? "more than " : "",
                        (unsigned long long)(more ? UINT64_MAX : count), COR_COMBINE_ROWS_MAX);
    uint32_t depth = 1; /* parameters before it are set */
    row[0] = 0;
    while (depth > 0) {
        if (task->logic && !combine__logic_allows_prefix(task->logic, row, depth - 1)) {
            depth = step_back(problem, row, depth);
        } else if (depth < problem->parameter_count) {
            row[depth++] = 0;
        } else {
            COR_TRY(add_rows(array, capacity, problem, row, 1, error));
            depth = step_back(problem, row, depth);
        }
    }
    return COR_OK;
}

struct progress {
    struct cor_combine_array *array;
    size_t level_capacity, excluded_capacity;
};

static enum cor_status run_task(const struct cor_combine_model *model,
                                const struct cor_combine_request *request, uint32_t invalid, bool mixed,
                                bool all, uint64_t share, struct progress *progress,
                                struct cor_error *error) {
    struct task task = {.model = model, .request = request, .invalid = invalid, .mixed = mixed};
    enum cor_status status = COR_OK;
    struct cor_rng rng = stream_of(&task);
    COR_TRY_OUT(
        problem_create(task.model, task.request->strength, task.invalid, task.mixed, &task.problem, error));
    COR_TRY_OUT(combine__logic_create(task.problem, &task.logic, error));
    COR_TRY_OUT(combine__decider_create(model, &task.decider, error));
    COR_TRY_OUT(combine__search_create(task.problem, task.logic, &rng, &task.search, error));
    task.row = cor_calloc(task.problem->parameter_count, sizeof *task.row);
    task.fixed = cor_calloc(task.problem->parameter_count, sizeof *task.fixed);
    if (!task.row || !task.fixed)
        COR_TRY_OUT(cor_fail_memory(error));
    if (invalid == COMBINE__NO_PARAMETER) {
        /* Is there any row? */
        memset(task.row, 0, task.problem->parameter_count * sizeof *task.row);
        memset(task.fixed, 0, task.problem->parameter_count * sizeof *task.fixed);
        COR_TRY_OUT(need_completion(&task, "the constraints exclude all rows", NULL, error));
    }
    if (all) {
        COR_TRY_OUT(enumerate(&task, progress->array, &progress->level_capacity, error));
        goto out;
    }
    COR_TRY_OUT(exclude_impossible(&task, progress->array, &progress->excluded_capacity, error));
    COR_TRY_OUT(keep_rows(&task, error));
    COR_TRY_OUT(search_task(&task, share, progress->array, &progress->level_capacity, error));
out:
    combine__search_destroy(task.search);
    combine__decider_destroy(task.decider);
    free(task.found);
    combine__logic_destroy(task.logic);
    if (task.problem) {
        COR_FREE(task.problem->level_count, task.problem->level_start, task.problem->level_map,
                 task.problem->blocks, task.problem->pairs, task.problem->pair_start, task.problem->others,
                 task.problem->other_start, task.problem);
    }
    COR_FREE(task.row, task.fixed);
    return status;
}

static int compare_tuples(const void *a, const void *b) {
    const struct cor_combine_tuple *left = a, *right = b;
    if (left->count != right->count)
        return left->count < right->count ? -1 : 1;
    for (uint32_t i = 0; i < left->count; i++)
        if (left->parameter[i] != right->parameter[i])
            return left->parameter[i] < right->parameter[i] ? -1 : 1;
    for (uint32_t i = 0; i < left->count; i++)
        if (left->level[i] != right->level[i])
            return left->level[i] < right->level[i] ? -1 : 1;
    return 0;
}

/* Are rows wanted with an invalid value of the parameter? */
static bool is_with_invalid(const struct cor_combine_model *model, const struct cor_combine_request *request,
                            uint32_t parameter) {
    bool wanted = request->strength > 0; /* else of the one part alone */
    for (uint32_t i = 0; !wanted && i < model->parts[0].parameter_count; i++)
        wanted = model->parts[0].parameters[i] == parameter;
    bool has_invalid = false;
    for (uint32_t l = 0; wanted && l < model->parameters[parameter].level_count; l++)
        has_invalid = has_invalid || model->parameters[parameter].levels[l].invalid;
    return has_invalid;
}

static enum cor_status generate_whole(const struct cor_combine_model *model,
                                      const struct cor_combine_request *request,
                                      struct cor_combine_array *array, struct cor_error *error) {
    bool mixed = request->policy == COR_COMBINE_T_WISE || request->policy == COR_COMBINE_ALL;
    bool all = request->policy == COR_COMBINE_VALID_ALL || request->policy == COR_COMBINE_ALL;
    uint32_t with_invalid = 0;
    struct progress progress = {.array = array};
    enum cor_status status = COR_OK;
    *array = (struct cor_combine_array){0};
    for (uint32_t p = 0; !mixed && p < model->parameter_count; p++)
        with_invalid += is_with_invalid(model, request, p);
    COR_TRY_OUT(run_task(model, request, COMBINE__NO_PARAMETER, mixed, all, with_invalid ? 75 : 100,
                         &progress, error));
    array->valid_row_count = array->row_count;
    for (uint32_t p = 0; !mixed && p < model->parameter_count; p++)
        if (is_with_invalid(model, request, p))
            COR_TRY_OUT(run_task(model, request, p, false, false, 25 / with_invalid, &progress, error));
    if (array->excluded_count > 0)
        qsort(array->excluded, array->excluded_count, sizeof *array->excluded, compare_tuples);
out:
    if (status != COR_OK)
        cor_combine_array_fini(array);
    return status;
}

/* The rows of each sub-model, then these as values of one parameter. */
static enum cor_status generate_bundles(struct combine__bundles *bundles,
                                        const struct cor_combine_request *request,
                                        struct cor_combine_array *array, struct cor_error *error) {
    struct cor_combine_request own = *request;
    struct cor_combine_array part_array = {0};
    size_t width = bundles->model->parameter_count, excluded_capacity = 0;
    enum cor_status status = COR_OK;
    for (uint32_t o = 0; o <= bundles->outer_count; o++) {
        struct combine__combine_part part;
        bool last = o == bundles->outer_count;
        if (!last && !bundles->outers[o].part)
            continue;
        cor_combine_array_fini(&part_array);
        if (last) {
            COR_TRY_OUT(combine__bundles_join(bundles, error));
            own.strength = request->strength < o ? request->strength : o;
            COR_TRY_OUT(generate_whole(bundles->outer, &own, &part_array, error));
        } else {
            const struct cor_combine_model view = combine__bundle_view(bundles, o, request, &part);
            own.strength = 0;
            COR_TRY_OUT(generate_whole(&view, &own, &part_array, error));
            COR_TRY_OUT(combine__bundle_add(bundles, o, part_array.levels, part_array.row_count, error));
        }
        array->moves += part_array.moves;
        COR_TRY_OUT(COR_RESERVE(&array->excluded, &excluded_capacity,
                                array->excluded_count + part_array.excluded_count + 1, error));
        for (size_t i = 0; i < part_array.excluded_count; i++) {
            struct cor_combine_tuple tuple = part_array.excluded[i];
            if (!last || combine__bundles_tuple(bundles, &tuple))
                array->excluded[array->excluded_count++] = tuple;
        }
    }
    array->row_count = part_array.row_count;
    array->valid_row_count = part_array.valid_row_count;
    array->levels = cor_calloc(array->row_count * width + 1, sizeof *array->levels);
    COR_TRY_OUT(cor_made(array->levels, error));
    for (size_t i = 0; i < array->row_count; i++)
        for (uint32_t o = 0; o < bundles->outer_count; o++)
            for (uint32_t m = 0; m < bundles->outers[o].member_count; m++)
                array->levels[i * width + bundles->outers[o].members[m]] =
                    member_level(&bundles->outers[o], m, part_array.levels[i * bundles->outer_count + o]);
    qsort(array->excluded, array->excluded_count, sizeof *array->excluded, compare_tuples);
out:
    cor_combine_array_fini(&part_array);
    return status;
}

enum cor_status cor_combine_generate(const struct cor_combine_model *model,
                                     const struct cor_combine_request *request,
                                     struct cor_combine_array *array, struct cor_error *error) {
    struct combine__bundles bundles;
    *array = (struct cor_combine_array){0};
    COR_TRY(combine__combine_check_request(model, request, error));
    enum cor_status status = combine__bundles_init(&bundles, model, request, error);
    if (status == COR_OK)
        status = bundles.any ? generate_bundles(&bundles, request, array, error)
                             : generate_whole(model, request, array, error);
    combine__bundles_fini(&bundles);
    if (status != COR_OK)
        cor_combine_array_fini(array);
    return status;
}

void cor_combine_array_fini(struct cor_combine_array *array) {
    COR_FREE(array->levels, array->excluded);
    *array = (struct cor_combine_array){0};
}
