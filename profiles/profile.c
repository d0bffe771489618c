/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/profile.h>

#include "alias.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum cor_status refuse(const char *profile_name, struct cor_error *error, const char *remedy,
                              const char *cause) {
    return cor_fail(error, COR_STATUS_INPUT, profile_name, remedy, "%s", cause);
}

/* A law: no number outside 0 .. 1, and together 1. */
static enum cor_status check_law(const char *profile_name, const char *of, const double *law, uint32_t count,
                                 struct cor_error *error) {
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        if (!(law[i] >= 0.0 && law[i] <= 1.0))
            return cor_fail(error, COR_STATUS_INPUT, profile_name, "a probability lies between 0 and 1",
                            "probability %u %s is %g", i, of, law[i]);
        sum += law[i];
    }
    if (!(fabs(sum - 1.0) <= COR_PROFILE_SUM_SLACK))
        return cor_fail(error, COR_STATUS_INPUT, profile_name, COR_PROFILE_SUM_REMEDY,
                        "the probabilities %s sum to %.12g", of, sum);
    return COR_OK;
}

enum cor_status cor_profile_check_name(const char *name, const char **remedy) {
    *remedy = NULL;
    if (name[0] == '\0')
        *remedy = "a state needs a name of at least one character";
    else if (strlen(name) > COR_PROFILE_NAME_MAX)
        *remedy = "the name of a state has at most 63 bytes";
    else if (!cor_is_printable(name))
        *remedy = "the name of a state has no control characters";
    else if (strcmp(name, COR_PROFILE_STATIONARY) == 0)
        *remedy = "\"stationary\" is the word for the stationary law; call the state otherwise";
    return *remedy ? COR_STATUS_INPUT : COR_OK;
}

static enum cor_status copy_names(struct cor_profile *profile, const char *const *states,
                                  struct cor_error *error) {
    profile->states = cor_calloc((size_t)profile->state_count + 1, sizeof *profile->states);
    if (!profile->states)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < profile->state_count; i++) {
        const char *remedy;
        profile->states[i] = states ? cor_strdup(states[i]) : cor_format("s%u", i);
        if (!profile->states[i])
            return cor_fail_memory(error);
        if (cor_profile_check_name(profile->states[i], &remedy) != COR_OK)
            return cor_fail(error, COR_STATUS_INPUT, profile->name, remedy,
                            "state %u cannot be called \"%.80s\"", i, profile->states[i]);
        if (cor_profile_state(profile, profile->states[i]) != (int)i)
            return cor_fail(error, COR_STATUS_INPUT, profile->name, "give each state a name of its own",
                            "two states are called \"%s\"", profile->states[i]);
    }
    return COR_OK;
}

static enum cor_status copy_laws(struct cor_profile *profile, const double *probability, const double *start,
                                 struct cor_error *error) {
    uint32_t count = profile->state_count;
    size_t row_size = count * sizeof(double);
    char of[COR_PROFILE_NAME_MAX + 16];
    for (uint32_t i = 0; i < count; i++) {
        snprintf(of, sizeof of, "from \"%s\"", profile->states[i]);
        enum cor_status status = check_law(profile->name, of, probability + (size_t)i * count, count, error);
        if (status != COR_OK)
            return status;
    }
    memcpy(profile->probability, probability, count * row_size);
    if (!start)
        return cor_profile_stationary(profile, profile->start, error);
    memcpy(profile->start, start, row_size);
    return check_law(profile->name, "of the first state", start, count, error);
}

static void build_tables(struct cor_profile *profile) {
    uint32_t count = profile->state_count;
    for (uint32_t i = 0; i < count; i++)
        cor__alias_build(profile->probability + (size_t)i * count, count, profile->alias + (size_t)i * count);
    cor__alias_build(profile->start, count, profile->alias + (size_t)count * count);
}

enum cor_status cor_profile_create(const char *name, uint32_t state_count, const char *const *states,
                                   const double *probability, const double *start,
                                   struct cor_profile **profile, struct cor_error *error) {
    *profile = NULL;
    if (state_count < 1 || state_count > COR_PROFILE_STATES_MAX)
        return refuse(name, error, "use 1 .. 64 states", "its number of states is out of range");
    enum cor_status status = COR_STATUS_MEMORY;
    struct cor_profile *made = cor_calloc(1, sizeof *made);
    if (!made)
        goto out;
    made->state_count = state_count;
    made->name = cor_strdup(name);
    made->probability = cor_calloc((size_t)state_count * state_count, sizeof *made->probability);
    made->start = cor_calloc(state_count, sizeof *made->start);
    made->alias = cor_calloc(((size_t)state_count + 1) * state_count, sizeof *made->alias);
    if (!made->name || !made->probability || !made->start || !made->alias)
        goto out;
    if ((status = copy_names(made, states, error)) != COR_OK ||
        (status = copy_laws(made, probability, start, error)) != COR_OK)
        goto out;
    build_tables(made);
    *profile = made;
    made = NULL;
out:
    cor_profile_destroy(made);
    return status == COR_STATUS_MEMORY ? cor_fail_memory(error) : status;
}

void cor_profile_destroy(struct cor_profile *profile) {
    if (!profile)
        return;
    for (uint32_t i = 0; profile->states && i < profile->state_count; i++)
        free(profile->states[i]);
    free(profile->states);
    free(profile->name);
    free(profile->probability);
    free(profile->start);
    free(profile->alias);
    free(profile);
}

uint32_t cor_profile_arcs(const struct cor_profile *profile) {
    uint32_t arcs = 0;
    for (uint32_t i = 0; i < profile->state_count * profile->state_count; i++)
        arcs += profile->probability[i] > 0.0;
    return arcs;
}

int cor_profile_state(const struct cor_profile *profile, const char *name) {
    for (uint32_t i = 0; i < profile->state_count; i++)
        if (profile->states[i] && strcmp(profile->states[i], name) == 0)
            return (int)i;
    return -1;
}
