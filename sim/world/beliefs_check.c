/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Before a view gets in: whether it is one of the world's declaration, and room for all that it brings. What
 * is noted here of identities is the number of the view, so that a view that is refused leaves nothing. */
#include "internal.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>

/* A view that is looked at. */
struct look {
    struct cor_beliefs *beliefs;
    const struct cor_world_view *view;
    uint64_t cycle; /* as it is said to users */
    struct cor_error *error;
};

static enum cor_status complain(const struct look *look, const char *what) {
    char place[200];
    snprintf(place, sizeof place, "%.80s: cycle %llu", look->beliefs->declaration->name,
             (unsigned long long)look->cycle);
    return cor_fail(look->error, COR_STATUS_INPUT, place, NULL, "%s", what);
}

static const char *text_of(const struct look *look, uint32_t word) {
    return cor_words_text(look->beliefs->declaration->words, word);
}

static const char *type_name(const struct look *look, uint32_t type) {
    return look->beliefs->declaration->types[type].name;
}

static enum cor_status expect_word(const struct look *look, uint32_t identity) {
    char what[100];
    if (identity < look->beliefs->identity_count)
        return COR_OK;
    snprintf(what, sizeof what, "an identity is word %u, and there are %u", identity,
             look->beliefs->declaration->words->count);
    return complain(look, what);
}

/* The entity is of that type: it always was, and is in all of this view. */
static enum cor_status expect_type(const struct look *look, uint32_t identity, uint32_t type,
                                   const char *as_what) {
    struct cor_beliefs *beliefs = look->beliefs;
    struct world__identity *known = &beliefs->identities[identity];
    const bool is_known = known->element != COR_NONE, is_claimed = known->claimed == beliefs->views;
    const uint32_t other = is_known ? known->type : is_claimed ? known->claimed_type : type;
    if (other != type) {
        char what[400];
        snprintf(what, sizeof what, "entity \"%.80s\" is of type %.80s, and is %s %.80s",
                 text_of(look, identity), type_name(look, other), as_what, type_name(look, type));
        return complain(look, what);
    }
    if (!is_known && !is_claimed) {
        known->claimed = beliefs->views;
        known->claimed_type = type;
        beliefs->added[type]++;
    }
    return COR_OK;
}

static enum cor_status complain_value(const struct look *look, const struct cor_shown_entity *shown,
                                      const struct cor_property *property, struct cor_value value) {
    char text[120], what[600];
    if (value.kind == COR_VALUE_WORD && value.as.word >= look->beliefs->identity_count)
        snprintf(text, sizeof text, "word %u, which is not there", value.as.word);
    else
        cor_value_text(value, NULL, look->beliefs->declaration->words, text, sizeof text);
    snprintf(what, sizeof what, "\"%.80s\" of entity \"%.80s\" is %s, and is to be of type %.80s",
             property->name, text_of(look, shown->identity), text,
             property->domain ? property->domain->name : type_name(look, property->refers));
    return complain(look, what);
}

static enum cor_status check_value(const struct look *look, const struct cor_shown_entity *shown,
                                   const struct cor_shown_value *value) {
    const struct cor_entity_type *type = &look->beliefs->declaration->types[shown->type];
    if (value->property >= type->property_count) {
        char what[300];
        snprintf(what, sizeof what, "entity \"%.80s\" has a property %u, and %.80s has %u",
                 text_of(look, shown->identity), value->property, type->name, type->property_count);
        return complain(look, what);
    }
    const struct cor_property *property = &type->properties[value->property];
    struct cor_value fit = value->value;
    const bool is_word = fit.kind == COR_VALUE_WORD && fit.as.word < look->beliefs->identity_count;
    if (property->domain)
        return (fit.kind != COR_VALUE_WORD || is_word) && cor_domain_fit(property->domain, &fit)
                   ? COR_OK
                   : complain_value(look, shown, property, value->value);
    if (fit.kind == COR_VALUE_NULL)
        return COR_OK;
    return is_word ? expect_type(look, fit.as.word, property->refers, "referred to as")
                   : complain_value(look, shown, property, fit);
}

static enum cor_status check_entity(const struct look *look, const struct cor_shown_entity *shown) {
    struct cor_beliefs *beliefs = look->beliefs;
    const struct cor_world_declaration *declaration = beliefs->declaration;
    char what[400];
    COR_TRY(expect_word(look, shown->identity));
    if (shown->type >= declaration->type_count) {
        snprintf(what, sizeof what, "entity \"%.80s\" is of type %u, and there are %u",
                 text_of(look, shown->identity), shown->type, declaration->type_count);
        return complain(look, what);
    }
    COR_TRY(expect_type(look, shown->identity, shown->type, "shown as"));
    struct world__identity *known = &beliefs->identities[shown->identity];
    if (known->shown == beliefs->views) {
        snprintf(what, sizeof what, "entity \"%.80s\" is shown twice", text_of(look, shown->identity));
        return complain(look, what);
    }
    known->shown = beliefs->views;
    const uint32_t parent = declaration->types[shown->type].parent;
    if (shown->parent != COR_NONE) {
        COR_TRY(expect_word(look, shown->parent));
        if (parent == COR_NONE) {
            snprintf(what, sizeof what, "entity \"%.80s\" is in \"%.80s\", and %.80s is in nothing",
                     text_of(look, shown->identity), text_of(look, shown->parent),
                     type_name(look, shown->type));
            return complain(look, what);
        }
        COR_TRY(expect_type(look, shown->parent, parent, "referred to as"));
    }
    if (shown->value_start > look->view->value_count ||
        shown->value_count > look->view->value_count - shown->value_start) {
        snprintf(what, sizeof what, "entity \"%.80s\" has values that the view has not",
                 text_of(look, shown->identity));
        return complain(look, what);
    }
    for (uint32_t v = 0; v < shown->value_count; v++)
        COR_TRY(check_value(look, shown, &look->view->values[shown->value_start + v]));
    return COR_OK;
}

/* What is no more, or is lost from sight, is not shown besides. */
static enum cor_status check_gone(const struct look *look, const uint32_t *identities, uint32_t count,
                                  const char *word) {
    for (uint32_t i = 0; i < count; i++) {
        COR_TRY(expect_word(look, identities[i]));
        if (look->beliefs->identities[identities[i]].shown == look->beliefs->views) {
            char what[200];
            snprintf(what, sizeof what, "entity \"%.80s\" is shown, and is %s", text_of(look, identities[i]),
                     word);
            return complain(look, what);
        }
    }
    return COR_OK;
}

/* How many are known once the view is taken in: none too many. */
static enum cor_status check_count(const struct look *look) {
    const struct cor_beliefs *beliefs = look->beliefs;
    const struct cor_world_view *view = look->view;
    uint64_t there = beliefs->there_count;
    if (there + view->entity_count <= COR_WORLD_ENTITIES_MAX || view->mode == COR_VIEW_WHOLE)
        return COR_OK;
    for (uint32_t i = 0; i < view->entity_count; i++) {
        const struct world__identity *known = &beliefs->identities[view->entities[i].identity];
        there += known->element == COR_NONE || beliefs->types[known->type].absent[known->element];
    }
    for (uint32_t i = 0; i < view->gone_count; i++) {
        const struct world__identity *known = &beliefs->identities[view->gone[i]];
        there -= known->element != COR_NONE && !beliefs->types[known->type].absent[known->element];
    }
    char what[100];
    snprintf(what, sizeof what, "%llu entities are known at one time, and %u can be",
             (unsigned long long)there, COR_WORLD_ENTITIES_MAX);
    return there <= COR_WORLD_ENTITIES_MAX ? COR_OK : complain(look, what);
}

enum cor_status world__know_words(struct cor_beliefs *beliefs, struct cor_error *error) {
    const uint32_t count = beliefs->declaration->words->count;
    COR_TRY(COR_RESERVE(&beliefs->identities, &beliefs->identity_capacity, count, error));
    while (beliefs->identity_count < count)
        beliefs->identities[beliefs->identity_count++] =
            (struct world__identity){.type = COR_NONE, .element = COR_NONE};
    return COR_OK;
}

enum cor_status world__check_view(struct cor_beliefs *beliefs, const struct cor_world_view *view, bool is_own,
                                  struct cor_error *error) {
    const struct look look = {beliefs, view, beliefs->cycle + is_own, error};
    char what[120];
    beliefs->views++;
    if (is_own && beliefs->has_tick && view->tick < beliefs->tick) {
        snprintf(what, sizeof what, "the tick goes back from %llu to %llu", (unsigned long long)beliefs->tick,
                 (unsigned long long)view->tick);
        return complain(&look, what);
    }
    if (view->entity_count > COR_WORLD_ENTITIES_MAX) {
        snprintf(what, sizeof what, "%u entities are shown in one view, and %u can be", view->entity_count,
                 COR_WORLD_ENTITIES_MAX);
        return complain(&look, what);
    }
    COR_TRY(world__know_words(beliefs, error));
    for (uint32_t t = 0; t < beliefs->type_count; t++)
        beliefs->added[t] = 0;
    for (uint32_t i = 0; i < view->entity_count; i++)
        COR_TRY(check_entity(&look, &view->entities[i]));
    COR_TRY(check_gone(&look, view->gone, view->gone_count, "gone"));
    if (view->mode == COR_VIEW_CHANGES)
        COR_TRY(check_gone(&look, view->lost, view->lost_count, "lost from sight"));
    COR_TRY(check_count(&look));
    for (uint32_t t = 0; t < beliefs->type_count; t++)
        if (beliefs->added[t] > 0)
            COR_TRY(world__reserve(beliefs, t, (size_t)beliefs->types[t].count + beliefs->added[t], error));
    return COR_RESERVE(&beliefs->seen, &beliefs->seen_capacity, beliefs->seen_count + view->entity_count,
                       error);
}
