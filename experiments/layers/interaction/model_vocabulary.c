/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/vocabulary.h>

#include <stdlib.h>

/* Arrays that live while a vocabulary is made. */
struct names {
    const char **environments;
    const struct cor_profile **profiles;
    struct cor_state_class *classes;
    const char **parameters;
    bool *are_integer;
    const char **probes;
    uint32_t *bucket_counts;
};

/* The relevant states of a type: what it calls several states of its environment together. */
static void add_classes(const struct cor_agent_type *type, struct cor_state_class *classes, uint32_t *count) {
    /* Of several environments together no state of one tells them. */
    for (uint32_t r = 0; type->fixed && type->other_count == 0 && r < type->fixed->relevant_count; r++) {
        struct cor_state_class class = {type->fixed->relevant_names[r], type->environment, 0};
        for (uint32_t s = 0; s < type->fixed->environment_states; s++)
            class.states |= type->fixed->relevant[s] == r ? UINT64_C(1) << s : 0;
        if (class.states)
            classes[(*count)++] = class;
    }
}

static enum cor_status fill(const struct cor_test_model *model, const struct cor_arm *arm, struct names *n,
                            struct cor_case_condition_names *all, struct cor_error *error) {
    size_t classes = 0;
    for (uint32_t t = 0; t < model->type_count; t++)
        classes += model->types[t].fixed ? model->types[t].fixed->relevant_count : 0;
    const uint32_t parameters = arm ? cor_parameter_laws_size(arm->laws) : 0,
                   probes = arm ? cor_algorithm_counter_count(arm->algorithm) : 0;
    n->environments = cor_calloc(model->environment_count, sizeof(char *));
    n->profiles = cor_calloc(model->environment_count, sizeof(struct cor_profile *));
    n->classes = cor_calloc(classes, sizeof *n->classes);
    n->parameters = cor_calloc(parameters, sizeof(char *));
    n->are_integer = cor_calloc(parameters, sizeof *n->are_integer);
    n->probes = cor_calloc(probes, sizeof(char *));
    n->bucket_counts = cor_calloc(probes, sizeof *n->bucket_counts);
    if (!n->environments || !n->profiles || !n->classes || !n->parameters || !n->are_integer || !n->probes ||
        !n->bucket_counts)
        return cor_fail_memory(error);
    *all = (struct cor_case_condition_names){
        .environment_count = model->environment_count,
        .environments = n->environments,
        .profiles = n->profiles,
        .classes = n->classes,
        .parameter_count = parameters,
        .parameters = n->parameters,
        .are_integer = n->are_integer,
        .reactions = arm != NULL,
        .probe_count = probes,
        .probes = n->probes,
        .bucket_counts = n->bucket_counts,
    };
    for (uint32_t e = 0; e < model->environment_count; e++) {
        n->environments[e] = model->environments[e].name;
        n->profiles[e] = model->environments[e].profile;
    }
    for (uint32_t t = 0; t < model->type_count; t++)
        add_classes(&model->types[t], n->classes, &all->class_count);
    for (uint32_t p = 0; p < parameters; p++) {
        n->parameters[p] = cor_parameter_laws_name(arm->laws, p);
        n->are_integer[p] = cor_parameter_laws_is_integer(arm->laws, p);
    }
    for (uint32_t p = 0; p < probes; p++) {
        n->probes[p] = arm->algorithm->counters[p].name;
        n->bucket_counts[p] = arm->algorithm->counters[p].bucket_count;
    }
    return COR_OK;
}

enum cor_status cor_model_vocabulary(const struct cor_test_model *model, const struct cor_arm *arm,
                                     struct cor_vocabulary **vocabulary, struct cor_error *error) {
    struct names names = {0};
    struct cor_case_condition_names all;
    enum cor_status status = fill(model, arm, &names, &all, error);
    if (status == COR_OK)
        status = cor_vocabulary_create(&all, vocabulary, error);
    free(names.environments);
    free(names.profiles);
    free(names.classes);
    free(names.parameters);
    free(names.are_integer);
    free(names.probes);
    free(names.bucket_counts);
    return status;
}
