/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/state_names.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

void cor_state_names_init(struct cor_state_names *names, const struct cor_result *result) {
    struct cor_error unread = COR_NO_ERROR;
    *names = (struct cor_state_names){.result = result};
    /* names are a service: without them states are numbered */
    if (cor_json_parse(cor_result_head(result)->experiment, "/experiment", &names->document, &unread) !=
        COR_OK)
        names->document = NULL;
}

void cor_state_names_fini(struct cor_state_names *names) {
    cor_json_destroy(names->document);
    names->document = NULL;
}

const char *cor_environment_name(const struct cor_state_names *names, uint16_t environment) {
    return cor_result_name(names->result, COR_CATALOG_ENVIRONMENT, environment);
}

/* What `use` is asked of /model/environments/NAME/profile; false if there is no such thing. The way there is
 * kept on the stack, as struct cor_json wants it. */
static bool with_profile(const struct cor_state_names *names, uint16_t environment,
                         bool (*use)(const struct cor_json *profile, uint32_t state, void *into),
                         uint32_t state, void *into) {
    struct cor_json model, environments, one, profile;
    if (!names->document)
        return false;
    struct cor_json root = cor_json_root(names->document);
    return cor_json_find(&root, "model", &model) && cor_json_find(&model, "environments", &environments) &&
           cor_json_find(&environments, cor_environment_name(names, environment), &one) &&
           cor_json_find(&one, "profile", &profile) && use(&profile, state, into);
}

static bool is_there(const struct cor_json *profile, uint32_t state, void *into) {
    (void)state;
    (void)into;
    return cor_json_is_object(profile);
}

bool cor_is_profile_given(const struct cor_state_names *names, uint16_t environment) {
    return with_profile(names, environment, is_there, 0, NULL);
}

static bool take_name(const struct cor_json *profile, uint32_t state, void *text) {
    struct cor_json states;
    const char *name;
    if (!cor_json_find(profile, "states", &states) || state >= cor_json_size(&states))
        return false;
    struct cor_json item = cor_json_at(&states, state);
    if (!cor_json_is_string(&item) || cor_json_string(&item, &name, NULL) != COR_OK ||
        !cor_is_printable(name))
        return false;
    snprintf(text, COR_STATE_NAME, "%s", name);
    return true;
}

void cor_state_name(const struct cor_state_names *names, uint16_t environment, uint32_t state,
                    char text[COR_STATE_NAME]) {
    if (!with_profile(names, environment, take_name, state, text))
        snprintf(text, COR_STATE_NAME, "state %u", state);
}

/* The state of a profile called `name`; `states` if there is none. */
static uint32_t state_called(const struct cor_json *profile, uint32_t states, const char *name) {
    for (uint32_t i = 0; i < states; i++) {
        char its[COR_STATE_NAME];
        if (take_name(profile, i, its) && strcmp(its, name) == 0)
            return i;
    }
    return states;
}

static bool take_start(const struct cor_json *profile, uint32_t states, void *into) {
    struct cor_json start;
    const char *name;
    double law[UINT8_MAX + 1] = {0}, sum = 0;
    if (!cor_json_find(profile, "start", &start) || states > UINT8_MAX)
        return false;
    if (cor_json_is_string(&start)) {
        if (cor_json_string(&start, &name, NULL) != COR_OK)
            return false;
        law[state_called(profile, states, name)] = 1;
    } else if (cor_json_is_object(&start)) {
        for (size_t i = 0; i < cor_json_size(&start); i++) {
            struct cor_json item = cor_json_at(&start, i);
            if (cor_json_real(&item, 0, 1, &law[state_called(profile, states, item.key)], NULL) != COR_OK)
                return false;
        }
    }
    for (uint32_t i = 0; i < states; i++)
        sum += law[i];
    if (!(fabs(sum - 1) <= 1e-6)) /* "stationary", or no law: what is not of a state was put behind them */
        return false;
    memcpy(into, law, states * sizeof *law);
    return true;
}

void cor_profile_start(const struct cor_state_names *names, uint16_t environment, uint32_t states,
                       double *start) {
    (void)with_profile(names, environment, take_start, states, start);
}
