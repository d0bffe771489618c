/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cases of a unit by number: what comes first - combinations of classes, or rows searched for -, then, where
 * that was made of valid classes alone, those with one invalid class, entry after entry; last the user's. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/combine.h>

#include <stdlib.h>
#include <string.h>

#define SEARCH_MOVES 20000 /* for fewer rows */

static uint64_t times(uint64_t a, uint64_t b) {
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

static uint64_t plus(uint64_t a, uint64_t b) {
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

static void count_combinations(struct cor_unit_cases *cases, struct cor_case_entry *entry) {
    /* How many rows of the others' valid classes each invalid class of a variable is combined with: as many
     * as the one of them with most has, so that each occurs. */
    struct cor_unit_variable *variables = cases->variables + entry->first_variable;
    for (uint32_t v = 0; v < entry->variable_count; v++) {
        variables[v].single_rows = 1;
        for (uint32_t other = 0; other < entry->variable_count; other++)
            if (other != v && variables[other].valid_count > variables[v].single_rows)
                variables[v].single_rows = variables[other].valid_count;
    }
    entry->combinations = entry->valid = 1;
    for (uint32_t v = 0; v < entry->variable_count; v++) {
        const struct cor_unit_variable *variable = &cases->variables[entry->first_variable + v];
        uint32_t invalid = variable->class_count - variable->valid_count;
        entry->combinations = times(entry->combinations, variable->class_count);
        entry->valid = times(entry->valid, variable->valid_count);
        entry->invalid_single += (uint64_t)invalid * variable->single_rows;
    }
    cases->combinations = plus(cases->combinations, entry->combinations);
    cases->valid = plus(cases->valid, entry->valid);
    cases->invalid_single = plus(cases->invalid_single, entry->invalid_single);
}

/* A parameter of that many levels; their texts are their numbers. */
static enum cor_status add_parameter(struct cor_combine_model *model, uint32_t index, uint32_t level_count,
                                     struct cor_error *error) {
    char name[24];
    enum cor_status status = COR_OK;
    struct cor_combine_level *levels = cor_calloc(level_count, sizeof *levels);
    char(*texts)[12] = cor_calloc(level_count, sizeof *texts);
    if (!levels || !texts)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t i = 0; i < level_count; i++) {
        snprintf(texts[i], sizeof texts[i], "%u", i);
        levels[i] = (struct cor_combine_level){.text = texts[i], .value = cor_integer(i)};
    }
    snprintf(name, sizeof name, "v%u", index);
    status = cor_combine_add_parameter(model, name, COR_VALUE_TYPE_INTEGER, levels, level_count, NULL, error);
out:
    free(texts);
    free(levels);
    return status;
}

/* Rows in which any `strength` variables have all combinations of their classes. */
static enum cor_status search_rows(const struct cor_unit_cases *cases, struct cor_case_entry *entry,
                                   struct cor_error *error) {
    const struct cor_unit_variable *variables = cases->variables + entry->first_variable;
    struct cor_combine_request request = cor_default_combine_request();
    struct cor_combine_array array = {0};
    struct cor_combine_model *model = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_combine_model_create(&cases->file->design->words, &model, error));
    for (uint32_t v = 0; v < entry->variable_count; v++)
        COR_TRY_OUT(add_parameter(
            model, v, entry->only_valid ? variables[v].valid_count : variables[v].class_count, error));
    request.policy = COR_COMBINE_T_WISE;
    request.strength =
        cases->settings.strength < entry->variable_count ? cases->settings.strength : entry->variable_count;
    request.seed = cases->settings.seed;
    request.moves = SEARCH_MOVES;
    /* What combine refuses, it says of a model; here it is said of a unit. */
    struct cor_error said = COR_NO_ERROR;
    status = cor_combine_generate(model, &request, &array, &said);
    if (status != COR_OK) {
        char *name = cor_unit_name(cases->file->design, &cases->file->order.units, cases->unit);
        (void)cor_fail(error, status, cases->file->path, said.remedy, "%s: %s", name ? name : "", said.cause);
        free(name);
        goto out;
    }
    entry->row_count = array.row_count;
    entry->row_ranks = array.levels;
    array.levels = NULL;
out:
    cor_combine_array_fini(&array);
    cor_combine_model_destroy(model);
    return status;
}

static enum cor_status refuse_many(const struct cor_unit_cases *cases, uint64_t count,
                                   struct cor_error *error) {
    char *name = cor_unit_name(cases->file->design, &cases->file->order.units, cases->unit);
    enum cor_status status =
        cor_fail(error, COR_STATUS_INPUT, cases->file->path,
                 "take fewer boundaries, a lower exhaustive_limit, or the policy valid-t or t-wise",
                 "%s: %s%llu combinations in full, more than %u", name ? name : "",
                 count == UINT64_MAX ? "over " : "", (unsigned long long)count, COR_CASES_MAX);
    free(name);
    return status;
}

/* What comes first of an entry, and how much it is. */
static enum cor_status plan_entry(struct cor_unit_cases *cases, struct cor_case_entry *entry,
                                  struct cor_error *error) {
    const struct cor_test_settings *settings = &cases->settings;
    enum cor_case_policy policy = settings->policy;
    entry->only_valid = policy == COR_POLICY_VALID_ALL || policy == COR_POLICY_VALID_T;
    entry->row_count = entry->only_valid ? entry->valid : entry->combinations;
    bool in_full = policy == COR_POLICY_ALL ||
                   (policy == COR_POLICY_VALID_ALL && entry->valid <= settings->exhaustive_limit);
    if (in_full && entry->row_count > COR_CASES_MAX)
        return refuse_many(cases, entry->row_count, error);
    if (!in_full && entry->variable_count > 0)
        COR_TRY(search_rows(cases, entry, error));
    entry->first_case = cases->count;
    entry->case_count = entry->row_count + (entry->only_valid ? entry->invalid_single : 0);
    cases->count += entry->case_count;
    return cases->count > COR_CASES_MAX ? refuse_many(cases, cases->count, error) : COR_OK;
}

static enum cor_status find_own(struct cor_unit_cases *cases, struct cor_error *error) {
    const struct cor_design_file *file = cases->file;
    cases->own = cor_calloc(file->own_case_count, sizeof *cases->own);
    COR_TRY(cor_made(cases->own, error));
    for (uint32_t i = 0; i < file->own_case_count; i++)
        if (file->own_cases[i].unit == cases->unit) {
            cases->own[cases->own_count + cases->solved_count] = i;
            cases->own_count += !file->own_cases[i].solved;
            cases->solved_count += file->own_cases[i].solved;
        }
    cases->count += cases->own_count + cases->solved_count;
    return COR_OK;
}

enum cor_status cor_unit_cases_init(struct cor_unit_cases *cases, const struct cor_design_file *file,
                                    uint32_t unit, const struct cor_test_settings *settings,
                                    struct cor_error *error) {
    struct agent_layer__boundaries *boundaries = NULL;
    enum cor_status status = COR_OK;
    COR_ASSERT(unit < file->order.units.count);
    *cases = (struct cor_unit_cases){
        .file = file, .unit = unit, .settings = settings ? *settings : file->design->settings};
    COR_TRY_OUT(agent_layer__unit_variables_make(cases, &boundaries, error));
    for (uint32_t e = 0; e < cases->entry_count; e++) {
        count_combinations(cases, &cases->entries[e]);
        COR_TRY_OUT(plan_entry(cases, &cases->entries[e], error));
    }
    COR_TRY_OUT(find_own(cases, error));
    COR_TRY_OUT(agent_layer__unit_samples_draw(cases, boundaries, error));
out:
    for (uint32_t v = 0; boundaries && v < cases->variable_count; v++)
        agent_layer__boundaries_fini(&boundaries[v]);
    free(boundaries);
    if (status != COR_OK)
        cor_unit_cases_fini(cases);
    return status;
}

void cor_unit_cases_fini(struct cor_unit_cases *cases) {
    for (uint32_t e = 0; e < cases->entry_count; e++)
        free(cases->entries[e].row_ranks);
    free(cases->entries);
    free(cases->variables);
    free(cases->classes);
    free(cases->ranked);
    free(cases->own);
    *cases = (struct cor_unit_cases){0};
}
