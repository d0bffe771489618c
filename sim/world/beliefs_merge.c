/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a view gets into the beliefs. The columns of the cycle before lag behind by what changed in this one:
 * when the next begins, that is copied, and nothing else. */
#include "internal.h"

#include <corridor/hash.h>

#include <string.h>

/* What elements of the type are changed by now. */
struct part {
    struct cor_beliefs *beliefs;
    const struct world__type *type;
    struct world__elements *elements;
};

static inline struct part part_of(struct cor_beliefs *beliefs, uint32_t type) {
    return (struct part){beliefs, &beliefs->vocabulary->types[type], &beliefs->types[type]};
}

static inline int64_t *own(const struct part *part, int column) {
    return part->elements->values[part->type->valued + (uint32_t)column];
}

/* A tick as news: 0 is none at all. */
static inline uint64_t news_of(uint64_t tick) {
    return tick + (tick < UINT64_MAX);
}

/* Something of it changes in this cycle. */
static inline void touch(const struct part *part, uint32_t element) {
    struct world__elements *elements = part->elements;
    if (elements->is_listed[element])
        return;
    elements->is_listed[element] = 1;
    elements->changed_list[elements->changed_count++] = element;
}

/* What was is now before: of those that changed in the cycle that ends. */
static void end_cycle(struct cor_beliefs *beliefs) {
    for (uint32_t t = 0; t < beliefs->type_count; t++) {
        const struct part part = part_of(beliefs, t);
        struct world__elements *elements = part.elements;
        const uint32_t own_end = part.type->valued + WORLD__OWN_COUNT;
        for (uint32_t i = 0; i < elements->changed_count; i++) {
            const uint32_t e = elements->changed_list[i];
            for (uint64_t left = elements->changed[e]; left != 0; left &= left - 1) {
                const uint32_t a = (uint32_t)__builtin_ctzll(left);
                memcpy((int64_t *)elements->before[a] + e, (int64_t *)elements->values[a] + e,
                       sizeof(int64_t));
                elements->unknown_before[a][e] = elements->unknown[a][e];
            }
            for (uint32_t a = part.type->valued; a < own_end; a++)
                ((int64_t *)elements->before[a])[e] = ((int64_t *)elements->values[a])[e];
            elements->absent_before[e] = elements->absent[e];
            elements->changed[e] = 0;
            elements->is_listed[e] = 0;
        }
        elements->changed_count = 0;
    }
}

/* ---- the abstract state: a sum, so that what changes is taken away and added */

static uint64_t entity_term(const struct part *part, uint32_t element) {
    const uint64_t naming = part->beliefs->identities[part->elements->identities[element]].naming;
    return cor_hash_word(cor_hash_word(COR_HASH_SEED, part->type->naming), naming);
}

/* Of a property with that value; 0 where it does not count. */
static uint64_t value_term(const struct part *part, uint32_t element, const struct world__property *property,
                           struct cor_value value) {
    if (!property->is_discrete || value.kind == COR_VALUE_NULL)
        return 0;
    uint64_t meaning = (uint64_t)value.as.integer;
    if (value.kind == COR_VALUE_WORD) {
        struct world__identity *word = &part->beliefs->identities[value.as.word];
        if (word->naming == 0) {
            const char *text = cor_words_text(part->beliefs->declaration->words, value.as.word);
            word->naming = cor_hash_bytes(COR_HASH_SEED, text, strlen(text)) | 1;
        }
        meaning = word->naming;
    }
    const uint64_t place = cor_hash_word(entity_term(part, element), property->naming);
    return cor_hash_word(cor_hash_word(place, value.kind), meaning);
}

/* ---- one property */

/* What the property has now becomes that value, which is another. */
static void note_change(const struct part *part, uint32_t element, uint32_t index, struct cor_value old,
                        struct cor_value value) {
    struct world__elements *elements = part->elements;
    const struct world__property *property = &part->type->properties[index];
    uint32_t *count = &elements->row_counts[element];
    elements->rows[WORLD__ROWS * (size_t)element + *count % WORLD__ROWS] =
        (struct cor_belief_change){part->beliefs->cycle, index, value};
    *count = *count == 2 * WORLD__ROWS - 1 ? WORLD__ROWS : *count + 1; /* in rounds, once it is full */
    if (property->is_discrete)
        part->beliefs->abstract_state +=
            value_term(part, element, property, value) - value_term(part, element, property, old);
}

/* Whether the attribute has that value, which is one of its domain, already. */
static inline bool has_value(const struct world__elements *elements, uint32_t place, uint32_t element,
                             struct cor_value value) {
    if (value.kind == COR_VALUE_NULL || elements->unknown[place][element])
        return value.kind == COR_VALUE_NULL && elements->unknown[place][element];
    if (value.kind == COR_VALUE_REAL)
        return ((const double *)elements->values[place])[element] == value.as.real;
    const int64_t wanted = value.kind == COR_VALUE_WORD ? value.as.word : value.as.integer;
    return ((const int64_t *)elements->values[place])[element] == wanted;
}

/* True if that is another value than before. */
static bool set_property(const struct part *part, uint32_t type, uint32_t element, uint32_t index,
                         struct cor_value value) {
    struct world__elements *elements = part->elements;
    const struct cor_property *declared = &part->beliefs->declaration->types[type].properties[index];
    const uint32_t place = part->type->properties[index].place;
    if (declared->domain && declared->domain->type == COR_VALUE_TYPE_REAL)
        cor_domain_fit(declared->domain, &value);
    if (declared->domain && has_value(elements, place, element, value))
        return false;
    const struct cor_value old = cor_beliefs_value(part->beliefs, type, element, index);
    if (!declared->domain && cor_value_equal(old, value))
        return false;
    if (!declared->domain) {
        elements->references[place][element] =
            value.kind == COR_VALUE_NULL ? COR_NONE
                                         : world__element(part->beliefs, value.as.word, declared->refers);
    } else {
        elements->unknown[place][element] = value.kind == COR_VALUE_NULL;
        elements->changed[element] |= UINT64_C(1) << place;
        if (value.kind == COR_VALUE_REAL)
            ((double *)elements->values[place])[element] = value.as.real;
        else if (value.kind != COR_VALUE_NULL)
            ((int64_t *)elements->values[place])[element] =
                value.kind == COR_VALUE_WORD ? value.as.word : value.as.integer;
    }
    note_change(part, element, index, old, value);
    return true;
}

/* ---- one entity */

static void appear(const struct part *part, uint32_t element) {
    part->elements->absent[element] = 0;
    part->elements->absent_count--;
    part->beliefs->there_count++;
    part->beliefs->abstract_state += entity_term(part, element);
    own(part, WORLD__SEEN_AT)[element] = (int64_t)part->beliefs->cycle;
}

/* It is not seen any longer, and was until the cycle before. */
static void lose(const struct part *part, uint32_t element) {
    struct cor_beliefs *beliefs = part->beliefs;
    const uint32_t place = part->elements->in_sight[element];
    if (place == COR_NONE)
        return;
    const struct world__seen last = beliefs->seen[--beliefs->seen_count];
    beliefs->seen[place] = last;
    beliefs->types[last.type].in_sight[last.element] = place;
    part->elements->in_sight[element] = COR_NONE;
    own(part, WORLD__UNSEEN)[element] = 1;
    own(part, WORLD__SEEN_AT)[element] = (int64_t)beliefs->cycle - 1;
    touch(part, element);
}

/* It is no more: nothing of it is known. */
static void end(const struct part *part, uint32_t type, uint32_t element) {
    struct world__elements *elements = part->elements;
    lose(part, element);
    if (elements->absent[element])
        return;
    for (uint32_t p = 0; p < part->type->property_count; p++) {
        const struct world__property *property = &part->type->properties[p];
        const struct cor_value old = cor_beliefs_value(part->beliefs, type, element, p);
        part->beliefs->abstract_state -= value_term(part, element, property, old);
        if (property->is_reference) {
            elements->references[property->place][element] = COR_NONE;
        } else {
            elements->unknown[property->place][element] = 1;
            elements->changed[element] |= UINT64_C(1) << property->place;
        }
    }
    if (part->type->in != COR_NONE) {
        elements->references[part->type->in][element] = COR_NONE;
        elements->moved = true;
    }
    part->beliefs->abstract_state -= entity_term(part, element);
    elements->absent[element] = 1;
    elements->absent_count++;
    part->beliefs->there_count--;
    touch(part, element);
}

static void see(const struct part *part, uint32_t type, uint32_t element) {
    struct cor_beliefs *beliefs = part->beliefs;
    if (part->elements->in_sight[element] != COR_NONE)
        return;
    part->elements->in_sight[element] = (uint32_t)beliefs->seen_count;
    beliefs->seen[beliefs->seen_count++] = (struct world__seen){type, element};
    own(part, WORLD__UNSEEN)[element] = 0;
    own(part, WORLD__SEEN_AT)[element] = (int64_t)beliefs->cycle;
    touch(part, element);
}

static bool set_parent(const struct part *part, uint32_t element, uint32_t parent) {
    if (part->type->in == COR_NONE)
        return false;
    uint32_t *in = &part->elements->references[part->type->in][element];
    const uint32_t old = *in;
    *in = parent == COR_NONE ? COR_NONE : world__element(part->beliefs, parent, part->type->parent);
    part->elements->moved |= *in != old;
    return *in != old;
}

/* What is shown of an entity is believed. */
static void take(struct cor_beliefs *beliefs, const struct cor_world_view *view,
                 const struct cor_shown_entity *shown, uint32_t element) {
    const struct part part = part_of(beliefs, shown->type);
    bool is_changed = part.elements->absent[element];
    if (is_changed)
        appear(&part, element);
    is_changed |= set_parent(&part, element, shown->parent);
    const struct cor_shown_value *values = view->values + shown->value_start;
    for (uint32_t v = 0; v < shown->value_count; v++)
        is_changed |= set_property(&part, shown->type, element, values[v].property, values[v].value);
    if (is_changed) {
        own(&part, WORLD__CHANGED_AT)[element] = (int64_t)beliefs->cycle;
        touch(&part, element);
    }
    part.elements->news[element] = news_of(view->tick);
}

/* ---- a view */

/* The entities that are in others, as collections of these. */
void world__make_members(struct cor_beliefs *beliefs) {
    for (uint32_t t = 0; t < beliefs->type_count; t++) {
        const struct part part = part_of(beliefs, t);
        struct world__elements *elements = part.elements;
        if (!elements->moved || part.type->in == COR_NONE)
            continue;
        const uint32_t *in = elements->references[part.type->in];
        const uint32_t parents = beliefs->types[part.type->parent].count;
        uint32_t *start = elements->member_start;
        memset(start, 0, (parents + (size_t)2) * sizeof *start);
        for (uint32_t e = 0; e < elements->count; e++)
            if (in[e] != COR_NONE)
                start[in[e] + 2]++;
        for (uint32_t p = 2; p < parents + 2; p++)
            start[p] += start[p - 1];
        for (uint32_t e = 0; e < elements->count; e++)
            if (in[e] != COR_NONE)
                elements->members[start[in[e] + 1]++] = e;
        elements->moved = false;
    }
}

static bool is_shown(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element) {
    return beliefs->identities[beliefs->types[type].identities[element]].shown == beliefs->views;
}

/* The last tick in which something of it was heard, and 1; 0: never. */
static uint64_t last_news(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element) {
    const struct world__elements *elements = &beliefs->types[type];
    const uint64_t seen = elements->in_sight[element] == COR_NONE ? 0 : news_of(beliefs->tick);
    return seen > elements->news[element] ? seen : elements->news[element];
}

static void end_by(struct cor_beliefs *beliefs, const struct cor_world_view *view, uint32_t type,
                   uint32_t element, bool only_older) {
    const uint64_t news = news_of(view->tick);
    if (only_older && last_news(beliefs, type, element) >= news)
        return;
    const struct part part = part_of(beliefs, type);
    end(&part, type, element);
    part.elements->news[element] = news;
}

/* Those that are not shown are no more; `only_older`: as far as nothing as new is known of them. */
static void end_the_others(struct cor_beliefs *beliefs, const struct cor_world_view *view, bool only_older) {
    for (uint32_t t = 0; t < beliefs->type_count; t++)
        for (uint32_t e = 0; e < beliefs->types[t].count; e++)
            if (!beliefs->types[t].absent[e] && !is_shown(beliefs, t, e))
                end_by(beliefs, view, t, e, only_older);
}

static void end_gone(struct cor_beliefs *beliefs, const struct cor_world_view *view, bool only_older) {
    for (uint32_t i = 0; i < view->gone_count; i++) {
        const struct world__identity *gone = &beliefs->identities[view->gone[i]];
        if (gone->element != COR_NONE)
            end_by(beliefs, view, gone->type, gone->element, only_older);
    }
}

/* What was seen in the cycle before, and is not shown now. */
static void lose_the_others(struct cor_beliefs *beliefs) {
    for (size_t i = beliefs->seen_count; i-- > 0;) {
        const struct world__seen seen = beliefs->seen[i];
        if (is_shown(beliefs, seen.type, seen.element))
            continue;
        const struct part part = part_of(beliefs, seen.type);
        part.elements->news[seen.element] = last_news(beliefs, seen.type, seen.element);
        lose(&part, seen.element);
    }
}

static void lose_lost(struct cor_beliefs *beliefs, const struct cor_world_view *view) {
    for (uint32_t i = 0; i < view->lost_count; i++) {
        const struct world__identity *lost = &beliefs->identities[view->lost[i]];
        if (lost->element == COR_NONE)
            continue;
        const struct part part = part_of(beliefs, lost->type);
        part.elements->news[lost->element] = last_news(beliefs, lost->type, lost->element);
        lose(&part, lost->element);
    }
}

enum cor_status cor_beliefs_merge(struct cor_beliefs *beliefs, const struct cor_world_view *view,
                                  struct cor_error *error) {
    COR_TRY(world__check_view(beliefs, view, true, error));
    end_cycle(beliefs);
    beliefs->cycle++;
    beliefs->values[WORLD__CYCLE] = cor_integer((int64_t)beliefs->cycle);
    for (uint32_t i = 0; i < view->entity_count; i++) {
        const struct cor_shown_entity *shown = &view->entities[i];
        const uint32_t element = world__element(beliefs, shown->identity, shown->type);
        const struct part part = part_of(beliefs, shown->type);
        take(beliefs, view, shown, element);
        see(&part, shown->type, element);
    }
    if (view->mode == COR_VIEW_CHANGES)
        lose_lost(beliefs, view);
    else if (beliefs->seen_count > view->entity_count)
        lose_the_others(beliefs);
    end_gone(beliefs, view, false);
    if (view->mode == COR_VIEW_WHOLE && beliefs->there_count > view->entity_count)
        end_the_others(beliefs, view, false);
    beliefs->tick = view->tick;
    beliefs->has_tick = true;
    world__make_members(beliefs);
    world__show(beliefs);
    return COR_OK;
}

enum cor_status cor_beliefs_adopt(struct cor_beliefs *beliefs, const struct cor_world_view *view,
                                  struct cor_error *error) {
    COR_TRY(world__check_view(beliefs, view, false, error));
    const uint64_t news = news_of(view->tick);
    for (uint32_t i = 0; i < view->entity_count; i++) {
        const struct cor_shown_entity *shown = &view->entities[i];
        const uint32_t element = world__element(beliefs, shown->identity, shown->type);
        if (last_news(beliefs, shown->type, element) >= news)
            continue;
        take(beliefs, view, shown, element);
        const struct part part = part_of(beliefs, shown->type);
        if (part.elements->in_sight[element] == COR_NONE) {
            own(&part, WORLD__SEEN_AT)[element] = (int64_t)beliefs->cycle;
            touch(&part, element);
        }
    }
    end_gone(beliefs, view, true);
    if (view->mode == COR_VIEW_WHOLE)
        end_the_others(beliefs, view, true);
    world__make_members(beliefs);
    world__show(beliefs);
    return COR_OK;
}

void cor_beliefs_note_tried(struct cor_beliefs *beliefs, uint32_t identity) {
    if (identity >= beliefs->identity_count || beliefs->identities[identity].element == COR_NONE)
        return;
    const struct world__identity *known = &beliefs->identities[identity];
    const struct part part = part_of(beliefs, known->type);
    own(&part, WORLD__TRIED)[known->element]++;
    touch(&part, known->element);
}

void cor_beliefs_note_reward(struct cor_beliefs *beliefs, double reward) {
    beliefs->values[WORLD__REWARD].as.real += reward;
}
