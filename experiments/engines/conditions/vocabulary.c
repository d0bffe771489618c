/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symbols in this order: environments now, environments before, parameters, reactions, cells of probes. */
#include "internal.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATES_OF_DRAWN COR_PROFILE_STATES_MAX

static const struct cor_domain boolean = {COR_VALUE_TYPE_BOOLEAN, "bool", NULL, 0};
static const struct cor_domain integer = {COR_VALUE_TYPE_INTEGER, "int", NULL, 0};
static const struct cor_domain real = {COR_VALUE_TYPE_REAL, "float", NULL, 0};

/* In the order of cor_facts_set_reaction. */
static const struct cor_symbol reactions[] = {
    {"alarm", &boolean},      {"reorganized", &boolean}, {"failed", &boolean},  {"dissimilarity", &real},
    {"partitions", &integer}, {"smallest", &integer},    {"largest", &integer}, {"reached", &integer},
    {"held", &integer},       {"activated", &integer}};
enum { REACTIONS = sizeof reactions / sizeof *reactions };

void cor_vocabulary_destroy(struct cor_vocabulary *vocabulary) {
    if (!vocabulary)
        return;
    for (uint32_t i = 0; vocabulary->names && i < vocabulary->symbol_count; i++)
        free(vocabulary->names[i]);
    for (uint32_t e = 0; vocabulary->environments && e < vocabulary->environment_count; e++) {
        free(vocabulary->environments[e].words);
        free(vocabulary->environments[e].sets);
    }
    free(vocabulary->names);
    free(vocabulary->environments);
    free(vocabulary->symbols);
    cor_words_fini(&vocabulary->words);
    free(vocabulary);
}

/* The words of an environment: its states, then the classes that are no state. */
static enum cor_status add_words(struct cor_vocabulary *v, const struct cor_case_condition_names *names,
                                 uint32_t e, struct cor_error *error) {
    struct conditions__environment *environment = &v->environments[e];
    const struct cor_profile *profile = names->profiles[e];
    const uint32_t states = profile ? profile->state_count : STATES_OF_DRAWN;
    environment->words = cor_calloc(states + names->class_count, sizeof *environment->words);
    environment->sets = cor_calloc(states + names->class_count, sizeof *environment->sets);
    COR_TRY(environment->words && environment->sets ? COR_OK : cor_fail_memory(error));
    for (uint32_t s = 0; s < states; s++) {
        char drawn[16];
        snprintf(drawn, sizeof drawn, "s%u", s);
        COR_TRY(
            cor_words_intern(&v->words, profile ? profile->states[s] : drawn, &environment->words[s], error));
        environment->sets[s] = UINT64_C(1) << s;
    }
    environment->state_count = environment->word_count = states;
    environment->profile = profile;
    for (uint32_t c = 0; c < names->class_count; c++) {
        uint32_t word, at = 0;
        if (names->classes[c].environment != e)
            continue;
        COR_TRY(cor_words_intern(&v->words, names->classes[c].name, &word, error));
        while (at < environment->word_count && environment->words[at] != word)
            at++;
        if (at == environment->word_count) {
            environment->words[at] = word;
            environment->sets[environment->word_count++] = names->classes[c].states;
        } else if (at >= states && environment->sets[at] != names->classes[c].states)
            environment->sets[at] = 0; /* two types mean different states by it */
    }
    environment->domain = (struct cor_domain){COR_VALUE_TYPE_ENUMERATION, "a state", environment->words,
                                              environment->word_count};
    return COR_OK;
}

static enum cor_status add_symbol(struct cor_vocabulary *v, char *name, const struct cor_domain *domain,
                                  struct cor_error *error) {
    COR_TRY(cor_made(name, error));
    v->names[v->symbol_count] = name;
    v->symbols[v->symbol_count++] = (struct cor_symbol){name, domain};
    for (uint32_t i = 0; i + 1 < v->symbol_count; i++)
        if (strcmp(v->names[i], name) == 0)
            return cor_fail(error, COR_STATUS_INPUT, NULL, "call one of them something else",
                            "\"%s\" means two things: conditions cannot speak of it", name);
    return COR_OK;
}

enum cor_status cor_vocabulary_create(const struct cor_case_condition_names *names,
                                      struct cor_vocabulary **vocabulary, struct cor_error *error) {
    *vocabulary = NULL;
    if (names->environment_count > COR_CONDITION_ENVIRONMENTS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "conditions speak of at most %d environments",
                        COR_CONDITION_ENVIRONMENTS_MAX);
    size_t most = 2 * names->environment_count + names->parameter_count + REACTIONS;
    for (uint32_t p = 0; p < names->probe_count; p++)
        most += names->bucket_counts[p];
    struct cor_vocabulary *v = *vocabulary = cor_calloc(1, sizeof *v);
    COR_TRY(cor_made(v, error));
    enum cor_status status = COR_OK;
    cor_words_init(&v->words);
    v->environment_count = names->environment_count;
    v->environments = cor_calloc(v->environment_count, sizeof *v->environments);
    v->names = cor_calloc(most, sizeof *v->names);
    v->symbols = cor_calloc(most, sizeof *v->symbols);
    COR_TRY_OUT(v->environments && v->names && v->symbols ? COR_OK : cor_fail_memory(error));
    for (uint32_t e = 0; e < v->environment_count; e++)
        COR_TRY_OUT(add_words(v, names, e, error));
    for (int before = 0; before < 2; before++)
        for (uint32_t e = 0; e < v->environment_count; e++)
            COR_TRY_OUT(add_symbol(v, cor_format("%s%s", before ? "before." : "", names->environments[e]),
                                   &v->environments[e].domain, error));
    v->first_parameter = v->symbol_count;
    for (uint32_t p = 0; p < names->parameter_count; p++)
        COR_TRY_OUT(
            add_symbol(v, cor_strdup(names->parameters[p]), names->are_integer[p] ? &integer : &real, error));
    v->first_reaction = v->symbol_count;
    for (uint32_t r = 0; r < REACTIONS && names->reactions; r++)
        COR_TRY_OUT(add_symbol(v, cor_strdup(reactions[r].name), reactions[r].domain, error));
    for (uint32_t p = 0; p < names->probe_count; p++)
        for (uint32_t b = 0; b < names->bucket_counts[p]; b++)
            COR_TRY_OUT(add_symbol(v, cor_format("%s.b%u", names->probes[p], b), &integer, error));
out:
    if (status != COR_OK) {
        cor_vocabulary_destroy(v);
        *vocabulary = NULL;
    }
    return status;
}

uint32_t cor_vocabulary_environments(const struct cor_vocabulary *vocabulary) {
    return vocabulary->environment_count;
}

enum cor_status cor_facts_init(struct cor_facts *facts, const struct cor_vocabulary *vocabulary,
                               struct cor_error *error) {
    *facts = (struct cor_facts){.vocabulary = vocabulary};
    facts->values = cor_calloc(vocabulary->symbol_count, sizeof *facts->values);
    facts->now = cor_calloc(vocabulary->environment_count, sizeof *facts->now);
    facts->before = cor_calloc(vocabulary->environment_count, sizeof *facts->before);
    if (!facts->values || !facts->now || !facts->before) {
        cor_facts_fini(facts);
        return cor_fail_memory(error);
    }
    for (uint32_t e = 0; e < vocabulary->environment_count; e++)
        cor_facts_set_states(facts, e, 0, 0);
    for (uint32_t i = 2 * vocabulary->environment_count; i < vocabulary->symbol_count; i++)
        facts->values[i] = vocabulary->symbols[i].domain == &real ? cor_real(0) : cor_integer(0);
    return COR_OK;
}

void cor_facts_fini(struct cor_facts *facts) {
    free(facts->values);
    free(facts->now);
    free(facts->before);
    *facts = (struct cor_facts){0};
}

void cor_facts_set_states(struct cor_facts *facts, uint32_t environment, uint8_t before, uint8_t now) {
    const struct cor_vocabulary *v = facts->vocabulary;
    facts->now[environment] = now;
    facts->before[environment] = before;
    facts->values[environment] = cor_word(v->environments[environment].words[now]);
    facts->values[v->environment_count + environment] = cor_word(v->environments[environment].words[before]);
}

void cor_facts_set_walk(struct cor_facts *facts, const struct cor_walk *walk, uint32_t number,
                        const uint16_t *profile_of_chain, const uint16_t *environment_of_profile) {
    uint64_t seen = 0;
    for (uint32_t chain = 0; chain < walk->chain_count; chain++) {
        const uint32_t environment = environment_of_profile[profile_of_chain[chain]];
        if (!(seen >> environment & 1)) /* its first chain */
            cor_facts_set_states(facts, environment, cor_walk_at(walk, number - 1)[chain],
                                 cor_walk_at(walk, number)[chain]);
        seen |= UINT64_C(1) << environment;
    }
}

void cor_facts_set_parameter(struct cor_facts *facts, uint32_t parameter, double value) {
    const uint32_t symbol = facts->vocabulary->first_parameter + parameter;
    facts->values[symbol] =
        facts->vocabulary->symbols[symbol].domain == &integer ? cor_integer((int64_t)value) : cor_real(value);
}

void cor_facts_set_reaction(struct cor_facts *facts, const struct cor_reaction *reaction) {
    const struct cor_vocabulary *v = facts->vocabulary;
    struct cor_value *value = facts->values + v->first_reaction;
    if (v->first_reaction == v->symbol_count)
        return;
    *value++ = cor_integer(reaction->alarm);
    *value++ = cor_integer(reaction->reorganized);
    *value++ = cor_integer(reaction->failed);
    *value++ = cor_real(reaction->dissimilarity);
    *value++ = cor_integer(reaction->partitions);
    *value++ = cor_integer(reaction->smallest);
    *value++ = cor_integer(reaction->largest);
    *value++ = cor_integer(reaction->reached);
    *value++ = cor_integer(reaction->held);
    *value++ = cor_integer(reaction->activated);
    for (uint32_t i = v->first_reaction + REACTIONS; i < v->symbol_count; i++, value++)
        *value = cor_integer(reaction->counted ? (int64_t)reaction->counted[i - v->first_reaction - REACTIONS]
                                               : 0);
}
