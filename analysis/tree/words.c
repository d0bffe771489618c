/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "words.h"

#include <stdio.h>

void cor__words_init(struct cor__words *words, const struct cor_result *result) {
    struct cor_error unread = COR_NO_ERROR;
    *words = (struct cor__words){.result = result};
    /* names are a service: without them states are numbered */
    if (cor_json_parse(cor_result_head(result)->experiment, "/experiment", &words->document, &unread) !=
        COR_OK)
        words->document = NULL;
}

void cor__words_fini(struct cor__words *words) {
    cor_json_destroy(words->document);
    words->document = NULL;
}

const char *cor__words_environment(const struct cor__words *words, uint16_t environment) {
    return cor_result_name(words->result, COR_CATALOG_ENVIRONMENT, environment);
}

/* What `use` is asked of /model/environments/NAME/profile; false if there is no such thing. The way there is
 * kept on the stack, as struct cor_json wants it. */
static bool with_profile(const struct cor__words *words, uint16_t environment,
                         bool (*use)(const struct cor_json *profile, uint32_t state, char *text),
                         uint32_t state, char *text) {
    struct cor_json model, environments, one, profile;
    if (!words->document)
        return false;
    struct cor_json root = cor_json_root(words->document);
    return cor_json_find(&root, "model", &model) && cor_json_find(&model, "environments", &environments) &&
           cor_json_find(&environments, cor__words_environment(words, environment), &one) &&
           cor_json_find(&one, "profile", &profile) && use(&profile, state, text);
}

static bool is_there(const struct cor_json *profile, uint32_t state, char *text) {
    (void)state;
    (void)text;
    return cor_json_is_object(profile);
}

bool cor__words_given(const struct cor__words *words, uint16_t environment) {
    return with_profile(words, environment, is_there, 0, NULL);
}

static bool take_name(const struct cor_json *profile, uint32_t state, char *text) {
    struct cor_json states;
    const char *name;
    if (!cor_json_find(profile, "states", &states) || state >= cor_json_size(&states))
        return false;
    struct cor_json item = cor_json_at(&states, state);
    if (!cor_json_is_string(&item) || cor_json_string(&item, &name, NULL) != COR_OK ||
        !cor_is_printable(name))
        return false;
    snprintf(text, COR__WORD, "%s", name);
    return true;
}

void cor__words_state(const struct cor__words *words, uint16_t environment, uint32_t state,
                      char text[COR__WORD]) {
    if (!with_profile(words, environment, take_name, state, text))
        snprintf(text, COR__WORD, "state %u", state);
}
