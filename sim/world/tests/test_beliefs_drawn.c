/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Beliefs against a second implementation, which keeps texts and copies all of them in each cycle, along
 * drawn views in all modes, own and adopted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sample_world.h"

#include <corridor/rng.h>
#include <corridor/world.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTITIES = 11, PROPERTIES = 5, EVENTS = 14, ROWS = 8, TEXT = 24 };

static uint32_t sequences = 2000;

static const struct {
    const char *name;
    uint32_t type;
} cast[ENTITIES] = {{"b1", BUTTON}, {"b2", BUTTON}, {"b-3", BUTTON}, {"d1", DOOR},
                    {"d2", DOOR},   {"list", LIST}, {"l2", LIST},    {"i1", ITEM},
                    {"i2", ITEM},   {"i3", ITEM},   {"t", PERSON}};

/* What is believed of an entity; "?" is unknown. */
struct naive_entity {
    bool is_known, is_there, is_seen;
    char property[PROPERTIES][TEXT];
    int parent; /* -1: none */
    int64_t seen_at, changed_at, tried;
    int64_t heard; /* the tick, -1: never */
    int row_count;
    struct {
        uint64_t cycle;
        uint32_t property;
        char value[TEXT];
    } rows[200];
};

struct naive {
    struct naive_entity entities[ENTITIES];
    uint64_t cycle;
    int64_t tick;
    double reward;
};

struct drawn {
    struct sample_world *world;
    struct cor_rng rng;
    struct naive now, before;
    struct cor_beliefs *beliefs;
    const struct cor_scope *scope;
};

static int entity_of(const struct sample_world *world, uint32_t identity) {
    for (int e = 0; e < ENTITIES; e++)
        if (strcmp(cor_words_text(&world->words, identity), cast[e].name) == 0)
            return e;
    fail();
    return 0;
}

static void put_text(const struct sample_world *world, struct cor_value value, char text[TEXT]) {
    if (value.kind == COR_VALUE_NULL)
        snprintf(text, TEXT, "?");
    else
        cor_value_text(value, NULL, &world->words, text, TEXT);
}

/* ---- the second implementation */

static void naive_lose(struct naive *naive, int e, uint64_t last) {
    struct naive_entity *entity = &naive->entities[e];
    if (!entity->is_seen)
        return;
    entity->is_seen = false;
    entity->seen_at = (int64_t)last;
    if (naive->tick > entity->heard)
        entity->heard = naive->tick;
}

static void naive_end(struct naive *naive, int e, int64_t tick) {
    struct naive_entity *entity = &naive->entities[e];
    entity->is_there = entity->is_seen = false;
    for (int p = 0; p < PROPERTIES; p++)
        snprintf(entity->property[p], TEXT, "?");
    entity->parent = -1;
    entity->heard = tick;
}

static void naive_take(struct drawn *drawn, const struct cor_world_view *view,
                       const struct cor_shown_entity *shown) {
    struct naive *naive = &drawn->now;
    struct naive_entity *entity = &naive->entities[entity_of(drawn->world, shown->identity)];
    bool is_changed = !entity->is_there;
    if (!entity->is_there)
        entity->seen_at = (int64_t)naive->cycle;
    entity->is_known = entity->is_there = true;
    const int parent = shown->parent == COR_NONE ? -1 : entity_of(drawn->world, shown->parent);
    is_changed |= parent != entity->parent;
    entity->parent = parent;
    if (parent >= 0)
        naive->entities[parent].is_known = true;
    for (uint32_t v = 0; v < shown->value_count; v++) {
        const struct cor_shown_value *value = &view->values[shown->value_start + v];
        const struct cor_world_property *property =
            &drawn->world->types[shown->type].properties[value->property];
        char text[TEXT];
        put_text(drawn->world, value->value, text);
        if (!property->domain && value->value.kind == COR_VALUE_WORD)
            naive->entities[entity_of(drawn->world, value->value.as.word)].is_known = true;
        if (strcmp(text, entity->property[value->property]) == 0)
            continue;
        strcpy(entity->property[value->property], text);
        is_changed = true;
        const int row = entity->row_count++;
        entity->rows[row].cycle = naive->cycle;
        entity->rows[row].property = value->property;
        strcpy(entity->rows[row].value, text);
    }
    if (is_changed)
        entity->changed_at = (int64_t)naive->cycle;
    entity->heard = (int64_t)view->tick;
}

static bool lists(const struct sample_world *world, const uint32_t *identities, uint32_t count, int e) {
    for (uint32_t i = 0; i < count; i++)
        if (entity_of(world, identities[i]) == e)
            return true;
    return false;
}

static bool shows(const struct sample_world *world, const struct cor_world_view *view, int e) {
    for (uint32_t i = 0; i < view->entity_count; i++)
        if (entity_of(world, view->entities[i].identity) == e)
            return true;
    return false;
}

static void naive_merge(struct drawn *drawn, const struct cor_world_view *view) {
    struct naive *naive = &drawn->now;
    drawn->before = *naive;
    naive->cycle++;
    for (uint32_t i = 0; i < view->entity_count; i++)
        naive_take(drawn, view, &view->entities[i]);
    for (int e = 0; e < ENTITIES; e++) {
        struct naive_entity *entity = &naive->entities[e];
        const bool is_shown = shows(drawn->world, view, e);
        if (is_shown && !entity->is_seen) {
            entity->is_seen = true;
            entity->seen_at = (int64_t)naive->cycle;
        }
        if (!is_shown &&
            (view->mode != COR_VIEW_CHANGES || lists(drawn->world, view->lost, view->lost_count, e)))
            naive_lose(naive, e, naive->cycle - 1);
        if (entity->is_known && lists(drawn->world, view->gone, view->gone_count, e))
            naive_end(naive, e, (int64_t)view->tick);
        if (entity->is_there && !is_shown && view->mode == COR_VIEW_WHOLE)
            naive_end(naive, e, (int64_t)view->tick);
    }
    naive->tick = (int64_t)view->tick;
}

static bool is_newer(const struct naive *naive, int e, const struct cor_world_view *view) {
    const struct naive_entity *entity = &naive->entities[e];
    return (int64_t)view->tick > entity->heard && !(entity->is_seen && naive->tick >= (int64_t)view->tick);
}

static void naive_adopt(struct drawn *drawn, const struct cor_world_view *view) {
    struct naive *naive = &drawn->now;
    for (uint32_t i = 0; i < view->entity_count; i++) {
        const int e = entity_of(drawn->world, view->entities[i].identity);
        if (!is_newer(naive, e, view))
            continue;
        naive_take(drawn, view, &view->entities[i]);
        if (!naive->entities[e].is_seen)
            naive->entities[e].seen_at = (int64_t)naive->cycle;
    }
    for (int e = 0; e < ENTITIES; e++) {
        const bool is_out =
            lists(drawn->world, view->gone, view->gone_count, e) ||
            (view->mode == COR_VIEW_WHOLE && naive->entities[e].is_there && !shows(drawn->world, view, e));
        if (is_out && naive->entities[e].is_known && is_newer(naive, e, view))
            naive_end(naive, e, (int64_t)view->tick);
    }
}

/* ---- drawing */

static struct cor_value draw_value(struct drawn *drawn, const struct cor_world_property *property) {
    struct sample_world *world = drawn->world;
    static const char *const texts[] = {"milk", "eggs", "it''s"};
    uint32_t e = cor_rng_below(&drawn->rng, ENTITIES);
    if (!property->domain) {
        while (cast[e].type != property->refers)
            e = (e + 1) % ENTITIES;
        return cor_rng_below(&drawn->rng, 4) == 0 ? cor_null() : cor_word(sample_word(world, cast[e].name));
    }
    switch (property->domain->type) {
    case COR_VALUE_TYPE_BOOLEAN:
        return cor_integer(cor_rng_below(&drawn->rng, 2));
    case COR_VALUE_TYPE_REAL:
        return cor_real(cor_rng_below(&drawn->rng, 3) + 0.5);
    case COR_VALUE_TYPE_STRING:
        e = cor_rng_below(&drawn->rng, 4);
        return e == 3 ? cor_null() : cor_word(sample_word(world, texts[e]));
    case COR_VALUE_TYPE_ENUMERATION:
        return cor_word(world->colours[cor_rng_below(&drawn->rng, 2)]);
    default:
        return cor_integer(cor_rng_below(&drawn->rng, 3));
    }
}

static void draw_view(struct drawn *drawn, uint64_t tick, enum cor_view_mode mode, struct sample_view *made) {
    struct sample_world *world = drawn->world;
    sample_view_begin(made, tick, mode);
    const uint32_t rate = 2 + cor_rng_below(&drawn->rng, 3);
    for (int e = 0; e < ENTITIES; e++) {
        const uint32_t identity = sample_word(world, cast[e].name), type = cast[e].type;
        if (cor_rng_below(&drawn->rng, rate) > 0) {
            if (cor_rng_below(&drawn->rng, 6) == 0)
                made->gone[made->view.gone_count++] = identity;
            if (cor_rng_below(&drawn->rng, 4) == 0)
                made->lost[made->view.lost_count++] = identity;
            continue;
        }
        static const char *const parents[] = {"list", "l2", NULL};
        const char *parent = type == ITEM ? parents[cor_rng_below(&drawn->rng, 3)] : NULL;
        sample_show(made, identity, type, parent ? sample_word(world, parent) : COR_NONE);
        for (uint32_t p = 0; p < world->types[type].property_count; p++)
            if (cor_rng_below(&drawn->rng, 2) == 0)
                sample_value(made, p, draw_value(drawn, &world->types[type].properties[p]));
    }
}

/* ---- comparing */

static void expect_number(const struct cor_attribute_values *column, uint32_t element, int64_t wanted) {
    assert_int_equal(column->integers[element], wanted);
    assert_true(!column->unknown || !column->unknown[element]);
}

/* The columns of an entity, and what the functions say of it. */
static void compare_population(const struct drawn *drawn, const struct cor_population *population, int e,
                               uint32_t element, const struct naive *naive) {
    const struct naive_entity *entity = &naive->entities[e];
    const struct cor_element_type *shape = &drawn->scope->shape->types[cast[e].type];
    assert_true(element < population->count);
    assert_int_equal(population->absent && population->absent[element], !entity->is_there);
    if (!entity->is_there)
        return;
    for (uint32_t a = 0; a < shape->attribute_count; a++) {
        const struct cor_attribute_values *column = &population->columns[a];
        const char *name = shape->attributes[a].name;
        if (strcmp(name, "unseen") == 0)
            expect_number(column, element, !entity->is_seen);
        else if (strcmp(name, "seen_at") == 0)
            expect_number(column, element, entity->seen_at);
        else if (strcmp(name, "changed_at") == 0)
            expect_number(column, element, entity->changed_at);
        else if (strcmp(name, "tried") == 0)
            expect_number(column, element, entity->tried);
        else if (strcmp(name, "floor") == 0 && cast[e].type != DOOR)
            expect_number(column, element, 0);
        else {
            uint32_t p = 0;
            char text[TEXT] = "?";
            while (strcmp(drawn->world->types[cast[e].type].properties[p].name, name) != 0)
                p++;
            const enum cor_value_type type = shape->attributes[a].domain->type;
            if (!column->unknown[element])
                put_text(drawn->world,
                         type == COR_VALUE_TYPE_REAL     ? cor_real(column->reals[element])
                         : type >= COR_VALUE_TYPE_STRING ? cor_word((uint32_t)column->integers[element])
                                                         : cor_integer(column->integers[element]),
                         text);
            assert_string_equal(text, entity->property[p]);
        }
    }
}

static void compare_members(const struct drawn *drawn, int list, uint32_t element) {
    const struct cor_memberships *items =
        &cor_beliefs_world(drawn->beliefs)->populations[LIST].collections[0];
    uint32_t found = 0;
    for (int e = 0; e < ENTITIES; e++) {
        struct cor_believed item;
        const struct naive_entity *entity = &drawn->now.entities[e];
        if (cast[e].type != ITEM ||
            !cor_beliefs_find(drawn->beliefs, sample_word(drawn->world, cast[e].name), &item))
            continue;
        uint32_t count = 0;
        for (uint32_t i = items->start[element]; i < items->start[element + 1]; i++)
            count += items->items[i] == item.element;
        assert_int_equal(count, entity->is_there && entity->parent == list);
        found += count;
    }
    assert_int_equal(found, items->start[element + 1] - items->start[element]);
}

static void compare_entity(const struct drawn *drawn, int e) {
    const struct cor_beliefs *beliefs = drawn->beliefs;
    const struct naive_entity *entity = &drawn->now.entities[e];
    const uint32_t identity = sample_word(drawn->world, cast[e].name), type = cast[e].type;
    struct cor_believed found;
    assert_int_equal(cor_beliefs_find(beliefs, identity, &found), entity->is_known);
    if (!entity->is_known)
        return;
    assert_int_equal(found.type, type);
    assert_int_equal(cor_beliefs_identity(beliefs, type, found.element), identity);
    assert_int_equal(cor_beliefs_is_there(beliefs, type, found.element), entity->is_there);
    const struct cor_world *world = cor_beliefs_world(beliefs);
    compare_population(drawn, &world->populations[type], e, found.element, &drawn->now);
    compare_population(drawn, &world->before[type], e, found.element, &drawn->before);
    for (uint32_t p = 0; p < drawn->world->types[type].property_count; p++) {
        char text[TEXT];
        put_text(drawn->world, cor_beliefs_value(beliefs, type, found.element, p), text);
        assert_string_equal(text, entity->property[p]);
    }
    if (type == LIST)
        compare_members(drawn, e, found.element);
    struct cor_belief_change rows[ROWS];
    const uint32_t kept = cor_beliefs_history(beliefs, type, found.element, rows, ROWS);
    assert_int_equal(kept, entity->row_count < ROWS ? entity->row_count : ROWS);
    for (uint32_t r = 0; r < kept; r++) {
        char text[TEXT];
        const int row = entity->row_count - 1 - (int)r;
        put_text(drawn->world, rows[r].value, text);
        assert_string_equal(text, entity->rows[row].value);
        assert_int_equal(rows[r].cycle, entity->rows[row].cycle);
        assert_int_equal(rows[r].property, entity->rows[row].property);
    }
}

/* A text of what the abstract state may tell apart: two are equal if and only if their numbers are. */
static void put_abstract(const struct drawn *drawn, char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (int e = 0; e < ENTITIES; e++) {
        const struct naive_entity *entity = &drawn->now.entities[e];
        const struct cor_entity_type *type = &drawn->world->types[cast[e].type];
        if (!entity->is_there)
            continue;
        length += (size_t)snprintf(text + length, size - length, "%s:", cast[e].name);
        for (uint32_t p = 0; p < type->property_count; p++) {
            const struct cor_domain *domain = type->properties[p].domain;
            if (!domain || (domain->type != COR_VALUE_TYPE_INTEGER && domain->type != COR_VALUE_TYPE_REAL))
                length += (size_t)snprintf(text + length, size - length, "%s,", entity->property[p]);
        }
    }
    assert_true(length < size);
}

static struct abstract {
    char text[400];
    uint64_t number;
} abstracts[4000];
static uint32_t abstract_count;

static void compare_abstract(const struct drawn *drawn) {
    struct abstract made = {.number = cor_beliefs_abstract_state(drawn->beliefs)};
    put_abstract(drawn, made.text, sizeof made.text);
    for (uint32_t i = 0; i < abstract_count; i++)
        assert_int_equal(strcmp(made.text, abstracts[i].text) == 0, made.number == abstracts[i].number);
    if (abstract_count < sizeof abstracts / sizeof *abstracts)
        abstracts[abstract_count++] = made;
}

static void naive_begin(struct naive *naive) {
    memset(naive, 0, sizeof *naive);
    naive->tick = -1;
    for (int e = 0; e < ENTITIES; e++) {
        naive->entities[e].heard = naive->entities[e].parent = -1;
        for (int p = 0; p < PROPERTIES; p++)
            strcpy(naive->entities[e].property[p], "?");
    }
    static const int mentioned[] = {0, 5, 7, 10}; /* declared, and i1 */
    for (int i = 0; i < 4; i++)
        naive->entities[mentioned[i]].is_known = true;
}

static void follow(struct drawn *drawn, uint32_t sequence) {
    uint64_t tick = cor_rng_below(&drawn->rng, 3);
    naive_begin(&drawn->now);
    naive_begin(&drawn->before);
    cor_beliefs_clear(drawn->beliefs);
    for (int event = 0; event < EVENTS; event++) {
        struct sample_view made;
        const enum cor_view_mode mode =
            (enum cor_view_mode)(sequence % 4 < 3 ? sequence % 4 : cor_rng_below(&drawn->rng, 3));
        if (cor_rng_below(&drawn->rng, 3) == 0) {
            draw_view(drawn, cor_rng_below(&drawn->rng, (uint32_t)tick + 4),
                      (enum cor_view_mode)cor_rng_below(&drawn->rng, 3), &made);
            REQUIRE(cor_beliefs_adopt(drawn->beliefs, &made.view, &said));
            naive_adopt(drawn, &made.view);
        } else {
            tick += cor_rng_below(&drawn->rng, 3);
            draw_view(drawn, tick, mode, &made);
            REQUIRE(cor_beliefs_merge(drawn->beliefs, &made.view, &said));
            naive_merge(drawn, &made.view);
        }
        if (cor_rng_below(&drawn->rng, 2) == 0) {
            const uint32_t e = cor_rng_below(&drawn->rng, ENTITIES);
            cor_beliefs_note_tried(drawn->beliefs, sample_word(drawn->world, cast[e].name));
            drawn->now.entities[e].tried += drawn->now.entities[e].is_known;
            cor_beliefs_note_reward(drawn->beliefs, 0.5);
            drawn->now.reward += 0.5;
        }
        assert_int_equal(cor_beliefs_cycle(drawn->beliefs), drawn->now.cycle);
        const struct cor_value *values = cor_beliefs_values(drawn->beliefs);
        assert_true(values[0].as.integer == (int64_t)drawn->now.cycle &&
                    values[1].as.real == drawn->now.reward);
        for (int e = 0; e < ENTITIES; e++)
            compare_entity(drawn, e);
        if (sequence < 300)
            compare_abstract(drawn);
    }
}

static void beliefs_are_as_those_of_a_second_implementation(void **unused) {
    (void)unused;
    struct sample_world world;
    struct cor_world_vocabulary *vocabulary;
    struct drawn *drawn = calloc(1, sizeof *drawn);
    assert_non_null(drawn);
    sample_world_init(&world);
    drawn->world = &world;
    drawn->rng = cor_rng_named(&(struct cor_stream_name){.seed = 32, .purpose = COR_PURPOSE_TEST});
    REQUIRE(cor_world_vocabulary_create(&world.declaration, &vocabulary, &said));
    REQUIRE(cor_world_vocabulary_mention(vocabulary, "i1", ITEM, &said));
    REQUIRE(cor_beliefs_create(vocabulary, &drawn->beliefs, &said));
    drawn->scope = cor_world_vocabulary_scope(vocabulary);
    for (uint32_t sequence = 0; sequence < sequences; sequence++)
        follow(drawn, sequence);
    assert_int_equal(abstract_count, sizeof abstracts / sizeof *abstracts);
    cor_beliefs_destroy(drawn->beliefs);
    cor_world_vocabulary_destroy(vocabulary);
    sample_world_fini(&world);
    free(drawn);
}

int main(int argc, char **argv) {
    if (argc > 1)
        sequences = (uint32_t)strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(beliefs_are_as_those_of_a_second_implementation)};
    return cmocka_run_group_tests_name("beliefs_drawn", tests, NULL, NULL);
}
