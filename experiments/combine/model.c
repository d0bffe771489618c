/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model: parameters, parts, constraints, rows to keep. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

enum cor_status cor_combine_model_create(struct cor_combine_model **model, struct cor_error *error) {
    *model = cor_calloc(1, sizeof **model);
    return cor_made(*model, error);
}

static void fini_parameter(struct cor__combine_parameter *parameter) {
    for (uint32_t i = 0; parameter->levels && i < parameter->level_count; i++) {
        char *text;
        memcpy(&text, &parameter->levels[i].text, sizeof text); /* ours: a copy, shown as constant */
        free(text);
    }
    free(parameter->levels);
    free(parameter->name);
}

void cor_combine_model_destroy(struct cor_combine_model *model) {
    if (!model)
        return;
    for (size_t i = 0; i < model->parameter_count; i++)
        fini_parameter(&model->parameters[i]);
    for (size_t i = 0; i < model->part_count; i++)
        free(model->parts[i].parameters);
    for (size_t i = 0; i < model->constraint_count; i++) {
        free(model->constraints[i].text);
        free(model->constraints[i].place);
    }
    free(model->parameters);
    free(model->parts);
    free(model->constraints);
    free(model->rows);
    free(model);
}

static enum cor_status check_levels(const char *name, const struct cor_combine_level *levels,
                                    uint32_t level_count, const char *place, struct cor_error *error) {
    if (level_count == 0)
        return cor_fail(error, COR_STATUS_INPUT, place, "give it at least one", "\"%s\" has no values", name);
    if (level_count > COR_COMBINE_LEVELS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, place, "make classes of them",
                        "\"%s\" has %u values, more than %d", name, level_count, COR_COMBINE_LEVELS_MAX);
    bool any_valid = false;
    for (uint32_t i = 0; i < level_count; i++) {
        any_valid |= !levels[i].invalid;
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(levels[i].text, levels[j].text) == 0)
                return cor_fail(error, COR_STATUS_INPUT, place, NULL, "\"%s\" has the value %s twice", name,
                                levels[i].text);
    }
    if (!any_valid)
        return cor_fail(error, COR_STATUS_INPUT, place, "give it a valid one",
                        "\"%s\" has invalid values only", name);
    return COR_OK;
}

static enum cor_status check_name(const struct cor_combine_model *model, const char *name, const char *place,
                                  struct cor_error *error) {
    if (*name == '\0')
        return cor_fail(error, COR_STATUS_INPUT, place, NULL, "a parameter without a name");
    if (model->parameter_count == COR_COMBINE_PARAMETERS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, place, NULL, "there are more than %d parameters",
                        COR_COMBINE_PARAMETERS_MAX);
    for (size_t i = 0; i < model->parameter_count; i++)
        if (strcmp(model->parameters[i].name, name) == 0)
            return cor_fail(error, COR_STATUS_INPUT, place, "give each parameter a name of its own",
                            "there are two parameters \"%s\"", name);
    return COR_OK;
}

enum cor_status cor_combine_add_parameter(struct cor_combine_model *model, const char *name,
                                          const struct cor_combine_level *levels, uint32_t level_count,
                                          const char *place, struct cor_error *error) {
    COR_ASSERT(model->constraint_count == 0 && model->part_count == 0 && model->row_count == 0);
    COR_TRY(check_name(model, name, place, error));
    COR_TRY(check_levels(name, levels, level_count, place, error));
    COR_TRY(COR_RESERVE(&model->parameters, &model->parameter_capacity, model->parameter_count + 1, error));
    struct cor__combine_parameter *parameter = &model->parameters[model->parameter_count];
    *parameter = (struct cor__combine_parameter){.name = cor_strdup(name),
                                                 .levels = cor_calloc(level_count, sizeof *levels),
                                                 .level_count = level_count};
    bool made = parameter->name && parameter->levels;
    for (uint32_t i = 0; made && i < level_count; i++) {
        parameter->levels[i] = levels[i];
        parameter->levels[i].text = cor_strdup(levels[i].text);
        if (!parameter->levels[i].text) {
            parameter->level_count = i;
            made = false;
        }
    }
    if (!made) {
        fini_parameter(parameter);
        return cor_fail_memory(error);
    }
    model->parameter_count++;
    return COR_OK;
}

enum cor_status cor_combine_add_constraint(struct cor_combine_model *model, const char *text,
                                           const char *place, struct cor_error *error) {
    COR_TRY(
        COR_RESERVE(&model->constraints, &model->constraint_capacity, model->constraint_count + 1, error));
    struct cor__combine_constraint *constraint = &model->constraints[model->constraint_count];
    *constraint = (struct cor__combine_constraint){.text = cor_strdup(text), .place = cor_strdup(place)};
    if (!constraint->text || (place && !constraint->place)) {
        free(constraint->text);
        free(constraint->place);
        return cor_fail_memory(error);
    }
    model->constraint_count++;
    return COR_OK;
}

static int compare_numbers(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

enum cor_status cor_combine_add_part(struct cor_combine_model *model, const uint32_t *parameters,
                                     uint32_t parameter_count, uint32_t strength, const char *place,
                                     struct cor_error *error) {
    if (strength < 1 || strength > COR_COMBINE_STRENGTH_MAX)
        return cor_fail(error, COR_STATUS_INPUT, place, NULL, "strength %u is not within 1 to %d", strength,
                        COR_COMBINE_STRENGTH_MAX);
    if (strength > parameter_count)
        return cor_fail(error, COR_STATUS_INPUT, place, "lower the strength, or name more parameters",
                        "strength %u of %u parameters", strength, parameter_count);
    COR_TRY(COR_RESERVE(&model->parts, &model->part_capacity, model->part_count + 1, error));
    uint32_t *own = cor_calloc(parameter_count, sizeof *own);
    COR_TRY(cor_made(own, error));
    memcpy(own, parameters, parameter_count * sizeof *own);
    qsort(own, parameter_count, sizeof *own, compare_numbers);
    COR_ASSERT(own[parameter_count - 1] < model->parameter_count);
    for (uint32_t i = 1; i < parameter_count; i++)
        if (own[i] == own[i - 1]) {
            enum cor_status status = cor_fail(error, COR_STATUS_INPUT, place, NULL, "\"%s\" is named twice",
                                              model->parameters[own[i]].name);
            free(own);
            return status;
        }
    model->parts[model->part_count++] = (struct cor__combine_part){own, parameter_count, strength};
    return COR_OK;
}

enum cor_status cor_combine_add_row(struct cor_combine_model *model, const uint32_t *levels,
                                    const char *place, struct cor_error *error) {
    (void)place;
    size_t width = model->parameter_count;
    COR_TRY(COR_RESERVE(&model->rows, &model->row_capacity, (model->row_count + 1) * width, error));
    for (size_t i = 0; i < width; i++)
        COR_ASSERT(levels[i] == COR_COMBINE_ANY || levels[i] < model->parameters[i].level_count);
    memcpy(model->rows + model->row_count * width, levels, width * sizeof *levels);
    model->row_count++;
    return COR_OK;
}

uint32_t cor_combine_parameter_count(const struct cor_combine_model *model) {
    return (uint32_t)model->parameter_count;
}

uint32_t cor_combine_level_count(const struct cor_combine_model *model, uint32_t parameter) {
    COR_ASSERT(parameter < model->parameter_count);
    return model->parameters[parameter].level_count;
}

const char *cor_combine_parameter_name(const struct cor_combine_model *model, uint32_t parameter) {
    COR_ASSERT(parameter < model->parameter_count);
    return model->parameters[parameter].name;
}

const struct cor_combine_level *cor_combine_level(const struct cor_combine_model *model, uint32_t parameter,
                                                  uint32_t level) {
    COR_ASSERT(parameter < model->parameter_count && level < model->parameters[parameter].level_count);
    return &model->parameters[parameter].levels[level];
}

const char *cor_combine_policy_word(size_t policy) {
    static const char *const words[] = {"valid-t", "valid-all", "t-wise", "all"};
    return policy < sizeof words / sizeof *words ? words[policy] : NULL;
}

struct cor_combine_request cor_default_combine_request(void) {
    return (struct cor_combine_request){.policy = COR_COMBINE_VALID_T_WISE, .strength = 2, .seed = 1};
}
