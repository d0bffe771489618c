/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/case_traps.h>
#include <corridor/fields.h>
#include <corridor/planning_problem.h>

#include <stdlib.h>
#include <string.h>

void cor_case_traps_destroy(struct cor_case_traps *traps) {
    if (!traps)
        return;
    for (uint32_t t = 0; t < traps->count; t++) {
        free(traps->traps[t].name);
        cor_case_condition_fini(&traps->traps[t].condition);
    }
    free(traps->traps);
    free(traps->after);
    cor_vocabulary_destroy(traps->vocabulary);
    free(traps);
}

/* What somebody said of a text, at the value that holds it. */
static enum cor_status parse_at(const struct cor_json *json, const struct cor_vocabulary *vocabulary,
                                struct cor_case_condition *condition, struct cor_error *error) {
    char place[512];
    const char *text;
    COR_TRY(cor_json_string(json, &text, error));
    cor_json_place(json, place, sizeof place);
    return cor_case_condition_parse(text, vocabulary, place, condition, error);
}

/* Adds a trap; takes the condition. A name of NULL: the text of it. */
static enum cor_status add_trap(struct cor_case_traps *traps, const struct cor_json *json, const char *name,
                                struct cor_case_condition *condition, struct cor_error *error) {
    enum cor_status status = COR_OK;
    if (traps->count == COR_CASE_TRAPS_MAX)
        COR_TRY_OUT(cor_json_fail(json, error, NULL, "more than %d traps", COR_CASE_TRAPS_MAX));
    COR_TRY_OUT(COR_RESERVE(&traps->traps, &traps->capacity, traps->count + 1, error));
    struct cor_case_trap trap = {cor_strdup(name ? name : condition->text), *condition};
    COR_TRY_OUT(cor_made(trap.name, error));
    traps->traps[traps->count++] = trap;
    traps->environments |= cor_case_condition_root(condition)->environments;
    *condition = (struct cor_case_condition){0};
    for (uint32_t t = 0; t + 1 < traps->count; t++)
        if (strcmp(traps->traps[t].name, trap.name) == 0)
            COR_TRY_OUT(cor_json_fail(json, error, "give one of them a \"name\" of its own",
                                      "two traps are called \"%s\"", trap.name));
out:
    cor_case_condition_fini(condition);
    return status;
}

static enum cor_status read_condition(const struct cor_json *json, const struct cor_json *name,
                                      struct cor_case_traps *traps, struct cor_error *error) {
    struct cor_case_condition condition;
    const char *word = NULL;
    if (name)
        COR_TRY(cor_json_string(name, &word, error));
    COR_TRY(parse_at(json, traps->vocabulary, &condition, error));
    return add_trap(traps, json, word, &condition, error);
}

/* An arc of the environment's profile, beside which the condition holds (NULL: any). */
static enum cor_status add_arc(const struct cor_json *json, struct cor_case_traps *traps,
                               uint32_t environment, uint8_t from, uint8_t to, const struct cor_json *with,
                               struct cor_error *error) {
    struct cor_case_condition arc, beside;
    COR_TRY(cor_case_condition_arc(traps->vocabulary, environment, from, to, &arc, error));
    enum cor_status status = with ? parse_at(with, traps->vocabulary, &beside, error) : COR_OK;
    if (status == COR_OK && with) {
        status = cor_case_condition_and_take(&arc, &beside, error);
        if (status != COR_OK)
            cor_case_condition_fini(&beside);
    }
    if (status != COR_OK) {
        cor_case_condition_fini(&arc);
        return status;
    }
    return add_trap(traps, json, NULL, &arc, error);
}

/* {"arcs": ENVIRONMENT, "with": [CONDITION, ..]}: every arc of its profile, beside every condition. */
static enum cor_status read_arcs(const struct cor_json *json, const struct cor_json *arcs,
                                 struct cor_case_traps *traps, struct cor_error *error) {
    static const char *const keys[] = {"arcs", "with", NULL};
    const struct cor_vocabulary *v = traps->vocabulary;
    const char *names[COR_CONDITION_ENVIRONMENTS_MAX + 1] = {NULL};
    struct cor_json with;
    int environment;
    COR_TRY(cor_json_expect_object(json, keys, error));
    for (uint32_t e = 0; e < v->environment_count; e++)
        names[e] = v->names[e];
    COR_TRY(cor_json_one_of(arcs, names, "environment", &environment, error));
    const struct cor_profile *profile = v->environments[environment].profile;
    if (!profile)
        return cor_json_fail(arcs, error, "name an environment with a given profile",
                             "the profile of \"%s\" is drawn for each suite", names[environment]);
    const bool beside = cor_json_find(json, "with", &with);
    if (beside)
        COR_TRY(cor_json_expect_array(&with, 1, COR_CASE_TRAPS_MAX, error));
    for (uint32_t from = 0; from < profile->state_count; from++)
        for (uint32_t to = 0; to < profile->state_count; to++)
            for (size_t i = 0; i < (beside ? cor_json_size(&with) : 1); i++) {
                struct cor_json item = beside ? cor_json_at(&with, i) : with;
                if (profile->probability[(size_t)from * profile->state_count + to] > 0)
                    COR_TRY(add_arc(json, traps, (uint32_t)environment, (uint8_t)from, (uint8_t)to,
                                    beside ? &item : NULL, error));
            }
    return COR_OK;
}

static enum cor_status read_traps(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 1, COR_CASE_TRAPS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        static const char *const keys[] = {"name", "condition", "after", "arcs", "with", NULL};
        struct cor_json name, child;
        if (cor_json_is_string(&item)) {
            COR_TRY(read_condition(&item, NULL, into, error));
        } else {
            COR_TRY(cor_json_expect_object(&item, keys, error));
            if (cor_json_find(&item, "arcs", &child)) {
                COR_TRY(read_arcs(&item, &child, into, error));
            } else {
                COR_TRY(cor_json_need(&item, "condition", &child, error));
                COR_TRY(
                    read_condition(&child, cor_json_find(&item, "name", &name) ? &name : NULL, into, error));
            }
        }
    }
    return COR_OK;
}

static enum cor_status read_share(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_case_traps *traps = into;
    COR_TRY(cor_json_real(json, 0, 1, &traps->profile_share, error));
    if (traps->profile_share > 0 && traps->profile_share < COR_PROFILE_SHARE_MIN)
        return cor_json_fail(json, error, "0, or 0.1 to 1: no weight is then above 10",
                             "%g of the sequences are too few for weights", traps->profile_share);
    return COR_OK;
}

static const char *const walk_words[] = {"shortest", "likeliest", NULL};
static const struct cor_field fields[] = {
    {"traps", COR_REQUIRED, COR_READ_FIELD(read_traps)},
    {"ordered", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_case_traps, ordered)},
    {"profile_share", COR_OPTIONAL, COR_READ_FIELD(read_share)},
    {"walk", COR_OPTIONAL,
     COR_ONE_OF_FIELD(struct cor_case_traps, walk, walk_words, COR_TRAP_WALK_SHORTEST, "walk to a trap")},
    {0}};

/* What each waits for, when all are known. Traps that are written as arcs wait for nothing but the order. */
static enum cor_status read_order(const struct cor_json *json, struct cor_case_traps *traps,
                                  struct cor_error *error) {
    struct cor_json list, after;
    traps->words = cor_trap_words(traps->count);
    traps->after = cor_calloc((size_t)traps->count * traps->words, sizeof *traps->after);
    COR_TRY(cor_made(traps->after, error));
    for (uint32_t t = 1; t < traps->count && traps->ordered; t++)
        cor_trap_add(traps->after + (size_t)t * traps->words, t - 1);
    COR_TRY(cor_json_need(json, "traps", &list, error));
    bool has_arcs = false;
    for (size_t i = 0; i < cor_json_size(&list); i++) {
        struct cor_json item = cor_json_at(&list, i), arcs;
        has_arcs = has_arcs || cor_json_find(&item, "arcs", &arcs);
        if (!cor_json_find(&item, "after", &after))
            continue;
        if (has_arcs)
            return cor_json_fail(&after, error, "write it in front of those",
                                 "stands behind traps that are written as arcs");
        /* "after": [names of traps above it]. */
        const uint32_t trap = (uint32_t)i;
        COR_TRY(cor_json_expect_array(&after, 1, COR_CASE_TRAPS_MAX, error));
        for (size_t j = 0; j < cor_json_size(&after); j++) {
            struct cor_json child = cor_json_at(&after, j);
            const char *name;
            uint32_t before = 0;
            COR_TRY(cor_json_string(&child, &name, error));
            while (before < trap && strcmp(traps->traps[before].name, name) != 0)
                before++;
            if (before == trap)
                return cor_json_fail(&child, error, "a trap waits for traps that are written before it",
                                     "no trap before this one is called \"%s\"", name);
            cor_trap_add(traps->after + (size_t)trap * traps->words, before);
        }
    }
    return COR_OK;
}

enum cor_status cor_case_traps_read(const struct cor_json *json, struct cor_vocabulary *vocabulary,
                                    struct cor_case_traps **traps, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_case_traps *made = *traps = cor_calloc(1, sizeof *made);
    if (!made) {
        cor_vocabulary_destroy(vocabulary);
        return cor_fail_memory(error);
    }
    made->vocabulary = vocabulary;
    COR_TRY_OUT(cor_json_fields(json, fields, made, error));
    COR_TRY_OUT(read_order(json, made, error));
out:
    if (status != COR_OK) {
        cor_case_traps_destroy(made);
        *traps = NULL;
    }
    return status;
}

/* No condition of the list is empty. */
static enum cor_status check_list(const char *text, const char *place, struct cor_error *error) {
    for (uint32_t number = 1;; number++) {
        const size_t length = strcspn(text, ";");
        if (strspn(text, " ") >= length)
            return cor_fail(error, COR_STATUS_INPUT, place, "conditions with one semicolon between them",
                            "condition %u of the trap is empty", number);
        if (text[length] == '\0')
            return COR_OK;
        text += length + 1;
    }
}

/* As an arm has them. */
static enum cor_status write_traps(const char *text, double profile_share, const char *place, char **json,
                                   struct cor_error *error) {
    struct cor_json_writer *w;
    COR_TRY(check_list(text, place, error));
    char *copy = cor_strdup(text), *item = copy;
    COR_TRY(cor_made(copy, error));
    enum cor_status status = cor_json_writer_create(&w, error);
    if (status == COR_OK) {
        cor_json_open_object(w, NULL);
        cor_json_put_real(w, "profile_share", profile_share);
        cor_json_put_bool(w, "ordered", strchr(text, ';') != NULL);
        cor_json_open_array(w, "traps");
        for (bool last = false; !last;) {
            char *end = item + strcspn(item, ";");
            last = *end == '\0';
            *end = '\0';
            cor_json_put_string(w, NULL, item + strspn(item, " "));
            item = end + 1;
        }
        cor_json_close(w);
        cor_json_close(w);
        status = cor_json_text_take(w, 0, json, error);
    }
    free(copy);
    return status;
}

enum cor_status cor_case_traps_parse(const char *text, double profile_share,
                                     struct cor_vocabulary *vocabulary, const char *place,
                                     struct cor_case_traps **traps, struct cor_error *error) {
    struct cor_json_document *document;
    char *json = NULL;
    *traps = NULL;
    enum cor_status status = write_traps(text, profile_share, place, &json, error);
    if (status == COR_OK)
        status = cor_json_parse(json, place, &document, error);
    free(json);
    if (status != COR_OK) {
        cor_vocabulary_destroy(vocabulary);
        return status;
    }
    const struct cor_json root = cor_json_root(document);
    status = cor_case_traps_read(&root, vocabulary, traps, error);
    cor_json_destroy(document);
    return status;
}
