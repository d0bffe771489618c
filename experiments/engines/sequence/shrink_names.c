/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What parts and numbers of a test are called: by the model's names where it has them. */
#include "shrinker.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define AGENTS_NAMED 4 /* of a chain */

COR_PRINTF(2, 3) static void add(struct sequence__list *list, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(list->text + list->used, sizeof list->text - list->used, format, arguments);
    va_end(arguments);
    const size_t used = list->used + (size_t)(size > 0 ? size : 0);
    list->used = used < sizeof list->text ? used : sizeof list->text - 1;
}

void sequence__list_put(struct sequence__list *list, const char *item, bool last) {
    const uint32_t named = list->named > 0 ? list->named : SEQUENCE__LISTED;
    if (list->count++ < named)
        add(list, "%s%s", list->count == 1 ? "" : last ? " and " : ", ", item);
    else if (last)
        add(list, " and %u more", list->count - named);
}

void sequence__list_put_number(struct sequence__list *list, uint64_t number, bool last) {
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    sequence__list_put(list, text, last);
}

static const char *environment_of(const struct cor_test *test, uint32_t profile) {
    return test->suite->experiment->model->environments[test->suite->environment_of_profile[profile]].name;
}

/* Is there another profile, or chain, of the same environment? */
static bool is_one_of_several(const struct cor_test *test, uint32_t index, bool is_chain) {
    const struct cor_configuration *c = test->suite->configuration;
    const uint16_t *of = test->suite->environment_of_profile;
    const uint32_t count = is_chain ? c->chain_count : c->profile_count;
    uint32_t same = 0;
    for (uint32_t i = 0; i < count; i++)
        same += is_chain ? of[c->profile_of_chain[i]] == of[c->profile_of_chain[index]] : of[i] == of[index];
    return same > 1;
}

/* " (agents 0, 4 and 7)": those that perceive the chain first of all. None: nothing, and false. */
static bool put_agents(const struct cor_configuration *c, uint32_t chain, char *text, size_t size) {
    uint32_t count = 0;
    for (uint32_t g = 0; g < c->group_count; g++)
        count += c->chain_of_group[g] == chain ? c->group_start[g + 1] - c->group_start[g] : 0;
    struct sequence__list list = {.named = count > AGENTS_NAMED ? AGENTS_NAMED - 1 : AGENTS_NAMED};
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; c->chain_of_group[g] == chain && i < c->group_start[g + 1]; i++)
            sequence__list_put_number(&list, cor_configuration_identity(c, i), list.count + 1 == count);
    if (count > 0)
        snprintf(text, size, " (agent%s %s)", count == 1 ? "" : "s", list.text);
    return count > 0;
}

void sequence__chain_text(const struct cor_test *test, uint32_t chain, char *text, size_t size) {
    const struct cor_configuration *c = test->suite->configuration;
    snprintf(text, size, "%s", environment_of(test, c->profile_of_chain[chain]));
    const size_t named = strlen(text);
    /* nobody's own: a type looks at it beside another */
    if (is_one_of_several(test, chain, true) && !put_agents(c, chain, text + named, size - named))
        snprintf(text + named, size - named, " (chain %u)", chain);
}

/* Of agents of the type in the environment of the profile; NULL: it has none. */
static const char *state_of(const struct cor_test *test, uint32_t type, uint32_t profile, uint32_t state) {
    const struct cor_agent_type *t = &test->suite->experiment->model->types[type];
    const struct cor_profile *p = test->suite->profiles[profile];
    char *const *names = t->fixed ? t->fixed->state_names : t->state_names ? t->state_names : p->states;
    const uint32_t count = t->fixed         ? t->fixed->state_count
                           : t->state_names ? t->state_count
                                            : p->state_count;
    return names && state < count ? names[state] : NULL;
}

static void put_level(const struct cor_test *test, const struct cor_slot *slot, char *text, size_t size) {
    const uint32_t profiles = test->suite->configuration->profile_count;
    const uint32_t type = slot->first / profiles, profile = slot->first % profiles;
    const char *state = state_of(test, type, profile, slot->second);
    char number[32];
    snprintf(number, sizeof number, "%u", slot->second);
    snprintf(text, size, "the level of state %s of type %s in environment %s", state ? state : number,
             test->suite->experiment->model->types[type].name, environment_of(test, profile));
    const size_t named = strlen(text);
    if (is_one_of_several(test, profile, false))
        snprintf(text + named, size - named, " (profile %u)", profile);
}

void sequence__slot_text(const struct cor_test *test, const struct cor_slot *slot, char *text, size_t size) {
    static const char *const words[] = {
        "", /* a parameter has a name of its own */
        "the budget",
        "the least size",
        "the greatest size",
        "the least number of partitions",
        "the greatest number of partitions",
        "the delay of activation",
        "the monitor's delay",
        "the greatest delay of mail",
        "the rounds until a crashed agent is restarted",
        "the place of the chain of",
        "the probability to idle",
        "the probability of the monitor's fault",
        "the probability of the fault of adoption",
        "the probability of the fault of the result",
        "the probability of a crash",
        "the share of mail that is lost",
        "the share of mail that comes twice",
        "the threshold",
        "", /* a level: of what */
        "the inertia of agent",
    };
    const struct cor_configuration *c = test->suite->configuration;
    char chain[128];
    if (slot->kind == COR_SLOT_PARAMETER) {
        snprintf(text, size, "parameter %s", cor_parameter_laws_name(test->arm.laws, slot->first));
    } else if (slot->kind == COR_SLOT_LEVEL) {
        put_level(test, slot, text, size);
    } else if (slot->kind == COR_SLOT_INERTIA) {
        snprintf(text, size, "%s %u", words[slot->kind], cor_configuration_identity(c, slot->first));
    } else if (slot->kind == COR_SLOT_LOCATION) {
        sequence__chain_text(test, slot->first, chain, sizeof chain);
        snprintf(text, size, "%s %s", words[slot->kind], chain);
    } else {
        snprintf(text, size, "%s", words[slot->kind]);
    }
}
