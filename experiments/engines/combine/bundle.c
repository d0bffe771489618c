/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bundle.h"

#include <corridor/array.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    outer->members = cor_calloc(count, sizeof *outer->members);
    COR_TRY(cor_made(outer->members, error));
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
        free(b->outers[i].members);
        free(b->outers[i].rows);
    }
    free(b->outers);
    free(b->outer_of);
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
    free(levels);
    free(starts);
    free(texts.bytes);
    free(name.bytes);
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

static enum cor_status write_run(struct translation *t, uint32_t count, uint32_t first, uint32_t last) {
    const struct cor_combine_model *outer = t->bundles->outer;
    COR_TRY(write_text(&t->text, " or (%u <= [%s] and [%s] <= %u", first,
                       outer->parameters[t->read[count - 1]].name, outer->parameters[t->read[count - 1]].name,
                       last));
    for (uint32_t i = 0; i + 1 < count; i++)
        COR_TRY(write_text(&t->text, " and [%s] = %u", outer->parameters[t->read[i]].name,
                           t->levels[t->read[i]]));
    return write_text(&t->text, ")");
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
            if (!holds && first != COR_NONE)
                COR_TRY(write_run(t, count, first, l - 1));
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

static enum cor_status translate(struct combine__bundles *b, struct translation *t, struct cor_error *error) {
    for (size_t i = 0; i < b->model->constraint_count; i++) {
        const struct combine__combine_constraint *constraint = &b->model->constraints[i];
        t->constraint = constraint;
        t->text.length = 0;
        COR_TRY(write_node(t, constraint->expression.node_count - 1));
        COR_TRY(combine__combine_add_constraint(b->outer, t->text.bytes, constraint->text, constraint->place,
                                                error));
    }
    return COR_OK;
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
    if (status == COR_OK)
        status = translate(b, &t, error);
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
    free(t.values);
    free(t.levels);
    free(t.read);
    free(t.text.bytes);
    return status;
}

void combine__bundles_expand(const struct combine__bundles *b, const uint32_t *outer, uint32_t *row) {
    for (uint32_t o = 0; o < b->outer_count; o++)
        for (uint32_t m = 0; m < b->outers[o].member_count; m++)
            row[b->outers[o].members[m]] = member_level(&b->outers[o], m, outer[o]);
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
