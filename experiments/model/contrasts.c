/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contrasts.h"

#include "read.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define CONTRASTS_MAX 1000

/* A contrast as read; names live as long as the document. */
struct contrast {
    const char *name, *arm[2];
};

/* Complains about an arm that the experiment lacks, with those that it has. */
static enum cor_status refuse_arm(const struct cor_experiment *experiment, const struct cor_json *json,
                                  const char *name, struct cor_error *error) {
    char remedy[512];
    const char **names = cor_calloc(experiment->arm_count + 1, sizeof *names);
    if (!names)
        return cor_fail_memory(error);
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        names[a] = experiment->arms[a].name;
    cor_known_names(name, names, remedy, sizeof remedy);
    free(names);
    return cor_json_fail(json, error, remedy, "there is no arm \"%s\"", name);
}

static enum cor_status read_between(const struct cor_experiment *experiment, const struct cor_json *json,
                                    struct contrast *contrast, struct cor_error *error) {
    enum cor_status status = cor_json_expect_array(json, 2, 2, error);
    for (size_t i = 0; i < 2 && status == COR_OK; i++) {
        struct cor_json arm = cor_json_at(json, i);
        status = cor_json_string(&arm, &contrast->arm[i], error);
        if (status == COR_OK && cor_experiment_arm(experiment, contrast->arm[i]) < 0)
            status = refuse_arm(experiment, &arm, contrast->arm[i], error);
    }
    if (status == COR_OK && strcmp(contrast->arm[0], contrast->arm[1]) == 0)
        return cor_json_fail(json, error, "name two different arms", "compares \"%s\" with itself",
                             contrast->arm[0]);
    return status;
}

static enum cor_status read_one(const struct cor_experiment *experiment, const struct cor_json *json,
                                struct contrast *contrast, struct cor_error *error) {
    static const char *const keys[] = {"name", "between", NULL};
    struct cor_json child;
    enum cor_status status = cor_json_expect_object(json, keys, error);
    if (status == COR_OK)
        status = cor_json_need(json, "name", &child, error);
    if (status == COR_OK)
        status = cor_json_string(&child, &contrast->name, error);
    if (status == COR_OK)
        status = cor__check_name(&child, contrast->name, "a contrast", error);
    if (status == COR_OK)
        status = cor_json_need(json, "between", &child, error);
    return status == COR_OK ? read_between(experiment, &child, contrast, error) : status;
}

/* The same two arms under one name would count twice. */
static enum cor_status refuse_twin(const struct contrast *contrasts, size_t index,
                                   const struct cor_json *json, struct cor_error *error) {
    const struct contrast *mine = &contrasts[index];
    for (size_t i = 0; i < index; i++) {
        const struct contrast *other = &contrasts[i];
        bool straight = strcmp(other->arm[0], mine->arm[0]) == 0 && strcmp(other->arm[1], mine->arm[1]) == 0;
        bool turned = strcmp(other->arm[0], mine->arm[1]) == 0 && strcmp(other->arm[1], mine->arm[0]) == 0;
        if (strcmp(other->name, mine->name) == 0 && (straight || turned))
            return cor_json_fail(json, error, "contrasts may share a name, but not also their arms",
                                 "\"%s\" compares \"%s\" with \"%s\" a second time", mine->name, mine->arm[0],
                                 mine->arm[1]);
    }
    return COR_OK;
}

enum cor_status cor__contrasts_check(const struct cor_experiment *experiment, struct cor_error *error) {
    struct cor_json json;
    if (!cor_json_find(&experiment->root, "contrasts", &json))
        return COR_OK;
    enum cor_status status = cor_json_expect_array(&json, 1, CONTRASTS_MAX, error);
    if (status != COR_OK)
        return status;
    size_t count = cor_json_size(&json);
    struct contrast *contrasts = cor_calloc(count, sizeof *contrasts);
    if (!contrasts)
        return cor_fail_memory(error);
    for (size_t i = 0; i < count && status == COR_OK; i++) {
        struct cor_json one = cor_json_at(&json, i);
        status = read_one(experiment, &one, &contrasts[i], error);
        if (status == COR_OK)
            status = refuse_twin(contrasts, i, &one, error);
    }
    free(contrasts);
    return status;
}
