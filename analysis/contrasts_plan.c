/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contrasts_plan.h"

#include <corridor/array.h>
#include <corridor/json.h>

#include <stdlib.h>
#include <string.h>

#define BOXES_AGAINST "gray box against black box"

static enum cor_status add_pair(struct cor_contrast *contrast, const char *const arm[2],
                                const enum cor_contrast_box box[2], struct cor_error *error) {
    size_t capacity = contrast->pair_count; /* there are few: each takes room of its own */
    enum cor_status status = COR_RESERVE(&contrast->pair, &capacity, contrast->pair_count + 1, error);
    if (status != COR_OK)
        return status;
    struct cor_contrast_pair *pair = &contrast->pair[contrast->pair_count++];
    *pair = (struct cor_contrast_pair){0};
    for (int i = 0; i < 2; i++) {
        pair->side[i].arm = arm[i];
        pair->side[i].box = box[i];
    }
    return COR_OK;
}

/* The contrast of that name, made if there is none; NULL when memory is out. */
static struct cor_contrast *contrast_of(struct cor_contrasts *contrasts, const char *name) {
    for (size_t i = 0; i < contrasts->count; i++)
        if (strcmp(contrasts->contrast[i].name, name) == 0)
            return &contrasts->contrast[i];
    struct cor_error error = COR_NO_ERROR;
    size_t capacity = contrasts->count;
    char *copy = cor_strdup(name);
    if (!copy || COR_RESERVE(&contrasts->contrast, &capacity, contrasts->count + 1, &error) != COR_OK) {
        free(copy);
        return NULL;
    }
    struct cor_contrast *contrast = &contrasts->contrast[contrasts->count++];
    *contrast = (struct cor_contrast){.name = copy};
    return contrast;
}

static enum cor_status find_arm(const struct cor_json *json, struct cor__observed_arm *arms, size_t arm_count,
                                const char **arm, struct cor_error *error) {
    const char *name;
    enum cor_status status = cor_json_string(json, &name, error);
    for (size_t a = 0; a < arm_count && status == COR_OK; a++)
        if (strcmp(arms[a].name, name) == 0) {
            arms[a].wanted = true;
            *arm = arms[a].name;
            return COR_OK;
        }
    return status == COR_OK ? cor_json_fail(json, error, NULL, "catalog/arm has no \"%s\"", name) : status;
}

static enum cor_status read_one(const struct cor_json *json, struct cor_contrasts *contrasts,
                                struct cor__observed_arm *arms, size_t arm_count, struct cor_error *error) {
    static const enum cor_contrast_box any[2] = {COR_CONTRAST_ANY, COR_CONTRAST_ANY};
    struct cor_json child;
    const char *name = NULL, *arm[2] = {NULL};
    enum cor_status status = cor_json_need(json, "name", &child, error);
    if (status == COR_OK)
        status = cor_json_string(&child, &name, error);
    if (status == COR_OK)
        status = cor_json_need(json, "between", &child, error);
    if (status == COR_OK)
        status = cor_json_expect_array(&child, 2, 2, error);
    for (size_t i = 0; i < 2 && status == COR_OK; i++) {
        struct cor_json one = cor_json_at(&child, i);
        status = find_arm(&one, arms, arm_count, &arm[i], error);
    }
    if (status != COR_OK)
        return status;
    struct cor_contrast *contrast = contrast_of(contrasts, name);
    return contrast ? add_pair(contrast, arm, any, error) : cor_fail_memory(error);
}

/* Needs no arms of its own: both boxes look at each arm. */
static enum cor_status add_boxes(struct cor_contrasts *contrasts, const struct cor__observed_arm *arms,
                                 size_t arm_count, struct cor_error *error) {
    static const enum cor_contrast_box boxes[2] = {COR_CONTRAST_GRAY, COR_CONTRAST_BLACK};
    struct cor_contrast *contrast = contrast_of(contrasts, BOXES_AGAINST);
    enum cor_status status = contrast ? COR_OK : cor_fail_memory(error);
    for (size_t a = 0; a < arm_count && status == COR_OK; a++) {
        const char *const names[2] = {arms[a].name, arms[a].name};
        if (arms[a].wanted)
            status = add_pair(contrast, names, boxes, error);
    }
    return status;
}

static enum cor_status read_name(const struct cor_json *root, struct cor_contrasts *contrasts,
                                 struct cor_error *error) {
    struct cor_json child;
    const char *name;
    enum cor_status status = cor_json_need(root, "name", &child, error);
    if (status == COR_OK)
        status = cor_json_string(&child, &name, error);
    if (status == COR_OK && !(contrasts->experiment = cor_strdup(name)))
        status = cor_fail_memory(error);
    return status;
}

enum cor_status cor__contrasts_plan(const struct cor_result_header *head, struct cor_contrasts *contrasts,
                                    struct cor__observed_arm *arms, size_t arm_count,
                                    struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_json json;
    enum cor_status status = cor_json_parse(head->experiment, "experiment", &document, error);
    if (status != COR_OK)
        return status;
    struct cor_json root = cor_json_root(document);
    contrasts->paired = cor_is_paired(head->experiment);
    status = read_name(&root, contrasts, error);
    if (status == COR_OK && !cor_json_find(&root, "contrasts", &json))
        status = cor_json_fail(&root, error,
                               "name pairs of arms in \"contrasts\" of the experiment file and run it again",
                               "has no contrasts");
    if (status == COR_OK)
        status = cor_json_expect_array(&json, 1, SIZE_MAX, error);
    for (size_t i = 0; status == COR_OK && i < cor_json_size(&json); i++) {
        struct cor_json one = cor_json_at(&json, i);
        status = read_one(&one, contrasts, arms, arm_count, error);
    }
    if (status == COR_OK)
        status = add_boxes(contrasts, arms, arm_count, error);
    cor_json_destroy(document);
    return status;
}
