/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is asked of beliefs, what is refused, and in which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sample_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct setting {
    struct sample_world world;
    struct cor_world_vocabulary *vocabulary;
    struct cor_beliefs *beliefs;
    struct sample_view shown;
};

static struct setting it;

static int set_up(void **unused) {
    (void)unused;
    sample_world_init(&it.world);
    REQUIRE(cor_world_vocabulary_create(&it.world.declaration, &it.vocabulary, &said));
    REQUIRE(cor_world_vocabulary_mention(it.vocabulary, "item-1", ITEM, &said));
    REQUIRE(cor_world_vocabulary_mention(it.vocabulary, "b2", BUTTON, &said));
    REQUIRE(cor_beliefs_create(it.vocabulary, &it.beliefs, &said));
    return 0;
}

static int tear_down(void **unused) {
    (void)unused;
    cor_beliefs_destroy(it.beliefs);
    cor_world_vocabulary_destroy(it.vocabulary);
    sample_world_fini(&it.world);
    return 0;
}

static uint32_t word(const char *text) {
    return sample_word(&it.world, text);
}

static void begin(uint64_t tick, enum cor_view_mode mode) {
    sample_view_begin(&it.shown, tick, mode);
}

static void show(const char *name, uint32_t type) {
    sample_show(&it.shown, word(name), type, COR_NONE);
}

static void value(uint32_t property, struct cor_value what) {
    sample_value(&it.shown, property, what);
}

static void merge(void) {
    REQUIRE(cor_beliefs_merge(it.beliefs, &it.shown.view, &said));
}

static void adopt(void) {
    REQUIRE(cor_beliefs_adopt(it.beliefs, &it.shown.view, &said));
}

static enum cor_truth ask(const char *text) {
    struct cor_expression condition;
    REQUIRE(cor_expression_parse_condition(text, cor_world_vocabulary_scope(it.vocabulary), "", &condition,
                                           &said));
    const enum cor_truth truth =
        cor_expression_ask(&condition, cor_beliefs_values(it.beliefs), cor_beliefs_world(it.beliefs), NULL);
    cor_expression_fini(&condition);
    return truth;
}

#define HOLDS(text) assert_int_equal(ask(text), COR_TRUTH_TRUE)
#define FAILS(text) assert_int_equal(ask(text), COR_TRUTH_FALSE)
#define UNKNOWN(text) assert_int_equal(ask(text), COR_TRUTH_UNKNOWN)

/* A button in a cell. */
static void show_button(const char *name, int on, int x, int y) {
    show(name, BUTTON);
    value(BUTTON_ON, cor_integer(on));
    value(BUTTON_X, cor_integer(x));
    value(BUTTON_Y, cor_integer(y));
}

static void show_person(int hp, int x, int y) {
    show("t", PERSON);
    value(PERSON_HP, cor_integer(hp));
    value(PERSON_X, cor_integer(x));
    value(PERSON_Y, cor_integer(y));
}

static void conditions_read_what_is_believed(void **unused) {
    (void)unused;
    UNKNOWN("b1.on");
    HOLDS("count(button) = 0");
    FAILS("any(b in button: true)");
    begin(0, COR_VIEW_SIGHT);
    show_person(10, 0, 0);
    show_button("b1", 0, 2, 2);
    merge();
    HOLDS("cycle = 1 and reward = 0 and t.hp > 0");
    HOLDS("not b1.on and count(button) = 1");
    UNKNOWN("b2.on");
    UNKNOWN("b1.on@before");
    FAILS("any(b in button: not b.on and distance(b, t) <= 3)");
    HOLDS("distance(b1, t) = 4 and distance(t, t) = 0");
    HOLDS("sees(b1) and age(b1) = 0 and changed(b1) and tried(b1) = 0");
    UNKNOWN("sees(b2)");
    begin(1, COR_VIEW_SIGHT);
    show_person(9, 1, 0);
    merge();
    cor_beliefs_note_tried(it.beliefs, word("b1"));
    cor_beliefs_note_reward(it.beliefs, 1.5);
    HOLDS("any(b in button: not b.on and distance(b, t) <= 3)");
    HOLDS("not sees(b1) and age(b1) = 1 and not changed(b1) and b1.seen_at = 1 and tried(b1) = 1");
    HOLDS("t.hp = 9 and t.hp@before = 10 and reward = 1.5");
    FAILS("b1.on != b1.on@before");
    begin(2, COR_VIEW_SIGHT);
    show_button("b1", 1, 2, 2);
    show("b2", BUTTON);
    merge();
    HOLDS("b1.on != b1.on@before and changed(b1) and b1.tried@before = 1");
    HOLDS("sees(b1) and b1.seen_at = 3 and not sees(t) and age(t) = 1");
    HOLDS("count(button) = 2 and count(b in button where sees(b)) = 2");
    UNKNOWN("b2.on");
    for (int cycle = 4; cycle < 8; cycle++) {
        begin(2, COR_VIEW_SIGHT);
        merge();
    }
    HOLDS("age(b1) > 3 and age(t) = 5 and all(e in button: age(e) > 3)");
    FAILS("age(b1) > 4");
}

static void degree_is(const char *text, uint64_t wanted) {
    struct cor_expression condition;
    REQUIRE(cor_expression_parse_condition(text, cor_world_vocabulary_scope(it.vocabulary), "", &condition,
                                           &said));
    assert_true(cor_expression_degree_in(&condition, cor_beliefs_values(it.beliefs),
                                         cor_beliefs_world(it.beliefs)) == wanted);
    cor_expression_fini(&condition);
}

/* In parts of a quarter, and of the denial. */
static void quarters_are(const char *text, uint64_t wanted, uint64_t wanted_of_denial) {
    struct cor_expression condition;
    uint64_t of, of_denial;
    REQUIRE(cor_expression_parse_condition(text, cor_world_vocabulary_scope(it.vocabulary), "", &condition,
                                           &said));
    cor_expression_degrees_in(&condition, cor_beliefs_values(it.beliefs), cor_beliefs_world(it.beliefs), 4,
                              &of, &of_denial);
    assert_true(of == wanted && of_denial == wanted_of_denial);
    cor_expression_fini(&condition);
}

/* Paper 004, figure 8, over entities. */
static void conditions_are_so_far_from_holding(void **unused) {
    (void)unused;
    begin(0, COR_VIEW_SIGHT);
    show_person(10, 0, 0);
    show_button("b1", 0, 2, 5);
    show_button("b3", 1, 9, 7);
    sample_show(&it.shown, word("item-1"), ITEM, COR_NONE);
    value(ITEM_WEIGHT, cor_real(2.25));
    merge();
    degree_is("b1.x = 5", 3);
    degree_is("b1.x < 2", 1);
    degree_is("b1.x != 2", 1);
    degree_is("b1.x <= 2", 0);
    degree_is("b1.on", 1);
    degree_is("not b1.on", 0);
    degree_is("b1.on and b1.x >= 5 and t.hp = 10", 4);
    degree_is("b1.on or b1.x >= 5", 1);
    degree_is("not (b1.x = 2 and b1.y = 5)", 1);
    degree_is("any(b in button: b.x <= 0)", 2);
    degree_is("any(b in button where b.on: b.x <= 0)", 3); /* b1, switched on */
    degree_is("all(b in button: b.x <= 0)", 11);
    degree_is("all(b in button where b.on: b.x <= 5)", 1); /* b3, switched off */
    degree_is("not any(b in button: b.x >= 1)", 11);
    degree_is("not all(b in button: b.x >= 1)", 2);
    degree_is("count(button) = 5", 3);
    degree_is("distance(b1, t) <= 3", 4);
    degree_is("[item-1].weight <= 0.5", 2);
    degree_is("[item-1].weight < 2.25", 1);
    degree_is("b1 = b2", 1);
    degree_is("b1 in button", 0);
    degree_is("b2 in button", 1);
    degree_is("b2.x = 5", COR_DEGREE_INFINITE);
    degree_is("not (b2.x = 5)", COR_DEGREE_INFINITE);
    degree_is("b2.x = 5 or b1.x = 5", 3);
    degree_is("false or 1 = 2", COR_DEGREE_INFINITE);
    degree_is("any(d in door: d.open)", COR_DEGREE_INFINITE);
    degree_is("all(d in door: d.open)", 0);
    quarters_are("[item-1].weight <= 0.5", 7, 0);
    quarters_are("[item-1].weight > 0.5", 0, 7);
    quarters_are("[item-1].weight < 2.25", 1, 0);
    quarters_are("[item-1].weight < 2.3", 0, 1); /* rounded up */
    quarters_are("b1.x = 5", 12, 0);
    quarters_are("b1.x <= 2", 0, 4);
    quarters_are("b1.on or [item-1].weight <= 2", 1, 0);
    quarters_are("not (b1.on or [item-1].weight <= 2)", 0, 1);
    quarters_are("any(b in button: b.x <= 0)", 8, 0);
    quarters_are("b2.x = 5", COR_DEGREE_INFINITE, COR_DEGREE_INFINITE);
}

static void doors_stand_on_floors(void **unused) {
    (void)unused;
    begin(0, COR_VIEW_WHOLE);
    show_person(10, 0, 0);
    show("d1", DOOR);
    value(DOOR_X, cor_integer(1));
    value(DOOR_Y, cor_integer(1));
    value(DOOR_FLOOR, cor_integer(2));
    value(DOOR_LEADS, cor_word(word("d2")));
    merge();
    HOLDS("any(d in door: distance(d, t) = 2000002)");
    HOLDS("count(door) = 1");
    UNKNOWN("all(d in door: d.leads.open)"); /* d2 was not seen */
    struct cor_believed found;
    uint32_t cell[3];
    assert_true(cor_beliefs_find(it.beliefs, word("d1"), &found));
    assert_true(cor_beliefs_place(it.beliefs, found.type, found.element, cell));
    assert_true(cell[0] == 1 && cell[1] == 1 && cell[2] == 2);
    assert_true(cor_beliefs_find(it.beliefs, word("d2"), &found));
    assert_false(cor_beliefs_place(it.beliefs, found.type, found.element, cell));
    assert_true(cor_beliefs_find(it.beliefs, word("list"), &found));
    assert_false(cor_beliefs_place(it.beliefs, found.type, found.element, cell));
    assert_true(cor_beliefs_find(it.beliefs, word("t"), &found));
    assert_true(cor_beliefs_place(it.beliefs, found.type, found.element, cell));
    assert_int_equal(cell[2], 0);
    assert_false(cor_beliefs_find(it.beliefs, word("nobody"), &found));
}

static void entities_are_in_others(void **unused) {
    (void)unused;
    begin(0, COR_VIEW_WHOLE);
    show("list", LIST);
    value(LIST_TITLE, cor_word(word("it's")));
    sample_show(&it.shown, word("item-1"), ITEM, word("list"));
    value(ITEM_DONE, cor_integer(0));
    value(ITEM_WEIGHT, cor_integer(2)); /* is 2.0 */
    sample_show(&it.shown, word("i2"), ITEM, COR_NONE);
    merge();
    HOLDS("count(list.item) = 1 and count(item) = 2 and [item-1] in list.item");
    HOLDS("not [item-1].done and [item-1].weight = 2.0 and [item-1].in = list");
    HOLDS("list.title = 'it''s' and count(list) = 1 and any(x in list: x = list)");
    HOLDS("any(x in item: x != [item-1] and not any(y in list.item: x = y))");
    UNKNOWN("all(x in item: x.in = list)");
    begin(1, COR_VIEW_WHOLE);
    show("list", LIST);
    merge();
    HOLDS("count(list.item) = 0 and count(item) = 0 and not ([item-1] in item)");
    UNKNOWN("[item-1].done");
    UNKNOWN("[item-1] in [item-1].in.item");
    FAILS("[item-1].done@before");
    begin(2, COR_VIEW_WHOLE);
    merge();
    UNKNOWN("[item-1].done@before");
    UNKNOWN("count(list.item) = 0"); /* of a list that is gone */
    UNKNOWN("[item-1] in list.item");
}

/* Acceptance case 16: unchanged since, value before, an older view, removal, n rows. */
static void beliefs_are_of_the_last_that_was_shown(void **unused) {
    (void)unused;
    struct cor_belief_change rows[10];
    struct cor_believed b1;
    begin(5, COR_VIEW_SIGHT);
    show_button("b1", 0, 2, 2);
    merge();
    begin(6, COR_VIEW_SIGHT);
    show_button("b1", 0, 2, 2);
    merge();
    HOLDS("b1.changed_at = 1 and sees(b1) and b1.seen_at = 1 and cycle = 2");
    begin(7, COR_VIEW_CHANGES);
    merge();
    HOLDS("sees(b1) and b1.changed_at = 1 and b1.on = b1.on@before");
    begin(6, COR_VIEW_SIGHT); /* as old as what is known: it is seen, in tick 7 */
    show_button("b1", 1, 9, 9);
    adopt();
    HOLDS("not b1.on and b1.x = 2 and cycle = 3");
    begin(8, COR_VIEW_SIGHT);
    show_button("b1", 1, 2, 2);
    show_button("b2", 1, 0, 0);
    adopt();
    HOLDS("b1.on and not b1.on@before and changed(b1) and sees(b1) and cycle = 3");
    HOLDS("b2.on and not sees(b2) and b2.seen_at = 3 and age(b2) = 0");
    begin(8, COR_VIEW_SIGHT);
    merge();
    HOLDS("b1.on@before and not sees(b1) and b1.seen_at = 3");
    begin(9, COR_VIEW_SIGHT);
    it.shown.gone[it.shown.view.gone_count++] = word("b1");
    merge();
    UNKNOWN("b1.on");
    HOLDS("b1.on@before and count(button) = 1");
    begin(9, COR_VIEW_SIGHT); /* it was gone in tick 9 */
    show_button("b1", 1, 2, 2);
    adopt();
    UNKNOWN("b1.on");
    for (int i = 0; i < 10; i++) {
        begin(10 + (uint64_t)i, COR_VIEW_SIGHT);
        show("b1", BUTTON);
        value(BUTTON_ON, cor_integer(i % 2));
        value(BUTTON_COLOUR, cor_word(it.world.colours[0]));
        merge();
    }
    assert_true(cor_beliefs_find(it.beliefs, word("b1"), &b1));
    assert_int_equal(cor_beliefs_history(it.beliefs, BUTTON, b1.element, rows, 10), 8);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(rows[i].cycle, 15 - i);
        assert_int_equal(rows[i].property, BUTTON_ON);
        assert_int_equal(rows[i].value.as.integer, (15 - i) % 2 == 1);
    }
    assert_int_equal(cor_beliefs_history(it.beliefs, BUTTON, b1.element, rows, 0), 8);
    cor_beliefs_clear(it.beliefs);
    UNKNOWN("b1.on");
    HOLDS("cycle = 0 and count(button) = 0");
    assert_int_equal(cor_beliefs_history(it.beliefs, BUTTON, b1.element, rows, 10), 0);
}

static void breaches_are_explained(void **unused) {
    (void)unused;
    struct cor_expression condition;
    struct cor_breaches breaches;
    begin(0, COR_VIEW_SIGHT);
    show_button("b3", 1, 0, 0);
    show_button("b1", 0, 0, 0);
    merge();
    REQUIRE(cor_expression_parse_condition("all(b in button: b.on)",
                                           cor_world_vocabulary_scope(it.vocabulary), "", &condition, &said));
    cor_expression_explain(&condition, cor_beliefs_values(it.beliefs), cor_beliefs_world(it.beliefs),
                           &breaches);
    assert_int_equal(breaches.count, 1); /* b2 was never seen */
    assert_int_equal(cor_beliefs_identity(it.beliefs, breaches.kept[0].bindings[0].type,
                                          breaches.kept[0].bindings[0].element),
                     word("b1"));
    cor_expression_fini(&condition);
}

/* Two that came to the same beliefs by other ways, and with other words. */
static void equal_beliefs_are_one_abstract_state(void **unused) {
    (void)unused;
    begin(0, COR_VIEW_SIGHT);
    show_button("b1", 0, 0, 0);
    show_button("b7", 1, 0, 0);
    merge();
    const uint64_t first = cor_beliefs_abstract_state(it.beliefs);
    begin(1, COR_VIEW_SIGHT);
    show_button("b7", 0, 5, 5);
    merge();
    assert_true(cor_beliefs_abstract_state(it.beliefs) != first);
    tear_down(NULL);
    set_up(NULL);
    word("a word that stands before");
    begin(0, COR_VIEW_WHOLE);
    show_button("b7", 0, 3, 3);
    show_button("b8", 0, 3, 3);
    merge();
    begin(1, COR_VIEW_WHOLE);
    show_button("b7", 1, 9, 9);
    show_button("b1", 0, 1, 0);
    merge();
    assert_int_equal(cor_beliefs_abstract_state(it.beliefs), first);
}

/* ---- what is refused */

static void refuse(const char *place, const char *cause) {
    struct cor_error error = COR_NO_ERROR;
    const uint64_t state = cor_beliefs_abstract_state(it.beliefs);
    assert_int_equal(cor_beliefs_merge(it.beliefs, &it.shown.view, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, cause);
    assert_string_equal(error.place, place);
    assert_int_equal(cor_beliefs_cycle(it.beliefs), 1);
    assert_int_equal(cor_beliefs_abstract_state(it.beliefs), state);
    HOLDS("cycle = 1 and count(button) = 1 and not b1.on and b1.x = 2 and count(door) = 0 and sees(b1)");
    UNKNOWN("b1.on@before");
    struct cor_believed found;
    assert_false(cor_beliefs_find(it.beliefs, word("new"), &found));
}

/* A view that shows an entity that is new, and b1, of which a value is to follow. */
static void begin_bad(void) {
    begin(4, COR_VIEW_SIGHT);
    show_button("new", 0, 0, 0);
    show_button("b1", 1, 7, 7);
}

static void bad_views_change_nothing(void **unused) {
    (void)unused;
    const char *place = "sample: cycle 2";
    begin(3, COR_VIEW_SIGHT);
    show_button("b1", 0, 2, 2);
    merge();
    begin_bad();
    it.shown.view.tick = 2;
    refuse(place, "the tick goes back from 3 to 2");
    begin_bad();
    show("x", 5);
    refuse(place, "entity \"x\" is of type 5, and there are 5");
    begin_bad();
    show("b1", DOOR);
    refuse(place, "entity \"b1\" is of type button, and is shown as door");
    begin_bad();
    show("new", DOOR);
    refuse(place, "entity \"new\" is of type button, and is shown as door");
    begin_bad();
    show("b1", BUTTON);
    refuse(place, "entity \"b1\" is shown twice");
    begin_bad();
    sample_show(&it.shown, UINT32_MAX - 1, BUTTON, COR_NONE);
    char what[200];
    snprintf(what, sizeof what, "an identity is word 4294967294, and there are %u", it.world.words.count);
    refuse(place, what);
    begin_bad();
    value(4, cor_integer(0));
    refuse(place, "entity \"b1\" has a property 4, and button has 4");
    begin_bad();
    value(BUTTON_ON, cor_integer(2));
    refuse(place, "\"on\" of entity \"b1\" is 2, and is to be of type bool");
    begin_bad();
    value(BUTTON_X, cor_real(0.5));
    refuse(place, "\"x\" of entity \"b1\" is 0.5, and is to be of type int");
    begin_bad();
    value(BUTTON_COLOUR, cor_word(word("blue")));
    refuse(place, "\"colour\" of entity \"b1\" is 'blue', and is to be of type colour");
    begin_bad();
    value(BUTTON_COLOUR, cor_null());
    refuse(place, "\"colour\" of entity \"b1\" is null, and is to be of type colour");
    begin_bad();
    show("list", LIST);
    value(LIST_TITLE, cor_word(1000000));
    refuse(place,
           "\"title\" of entity \"list\" is word 1000000, which is not there, and is to be of type string");
    begin_bad();
    show("i9", ITEM);
    value(ITEM_WEIGHT, cor_real(NAN));
    refuse(place, "\"weight\" of entity \"i9\" is nan, and is to be of type float");
    begin_bad();
    show("d1", DOOR);
    value(DOOR_LEADS, cor_integer(1));
    refuse(place, "\"leads\" of entity \"d1\" is 1, and is to be of type door");
    begin_bad();
    show("d1", DOOR);
    value(DOOR_LEADS, cor_word(word("b1")));
    refuse(place, "entity \"b1\" is of type button, and is referred to as door");
    begin_bad();
    sample_show(&it.shown, word("b9"), BUTTON, word("list"));
    refuse(place, "entity \"b9\" is in \"list\", and button is in nothing");
    begin_bad();
    sample_show(&it.shown, word("i9"), ITEM, word("b1"));
    refuse(place, "entity \"b1\" is of type button, and is referred to as list");
    begin_bad();
    it.shown.gone[it.shown.view.gone_count++] = word("b1");
    refuse(place, "entity \"b1\" is shown, and is gone");
    begin_bad();
    it.shown.view.mode = COR_VIEW_CHANGES;
    it.shown.lost[it.shown.view.lost_count++] = word("new");
    refuse(place, "entity \"new\" is shown, and is lost from sight");
    begin_bad();
    it.shown.entities[1].value_count = 100;
    refuse(place, "entity \"b1\" has values that the view has not");
    begin_bad();
    it.shown.view.entity_count = COR_WORLD_ENTITIES_MAX + 1;
    refuse(place, "1000001 entities are shown in one view, and 1000000 can be");
    begin_bad();
    show("x", 5);
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_beliefs_adopt(it.beliefs, &it.shown.view, &error), COR_STATUS_INPUT);
    assert_string_equal(error.place, "sample: cycle 1");
    begin_bad();
    merge();
    HOLDS("cycle = 2 and b1.on and b1.x = 7 and count(button) = 2");
}

/* ---- names */

static void complains(const char *text, const char *cause, const char *remedy) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_expression condition;
    assert_int_equal(cor_expression_parse_condition(text, cor_world_vocabulary_scope(it.vocabulary), NULL,
                                                    &condition, &error),
                     COR_STATUS_INPUT);
    char all[1200];
    snprintf(all, sizeof all, "column %s", cause);
    assert_string_equal(error.cause, all);
    assert_string_equal(error.remedy, remedy);
}

static void names_are_known_or_said(void **unused) {
    (void)unused;
    complains(
        "lisst.title = 'a'", "1 of \"lisst.title = 'a'\": there is no \"lisst\"",
        "did you mean \"list\"? known: cycle, reward, sees, age, changed, tried, distance, button, door, "
        "list, item, person, b1, b2, item-1, list, t");
    complains(
        "[item-2].done", "2 of \"[item-2].done\": there is no \"item-2\"",
        "did you mean \"item-1\"? known: cycle, reward, sees, age, changed, tried, distance, button, door, "
        "list, item, person, b1, b2, item-1, list, t");
    complains("b1.off", "4 of \"b1.off\": there is no \"off\" of a button",
              "known: on, colour, x, y, unseen, seen_at, changed_at, tried, floor");
    complains("[item-1].done.x",
              "15 of \"[item-1].done.x\": \"[item-1].done\" is \"done\" (bool), which has no \".x\"", "");
    complains("any(b1 in button: b1.on)",
              "5 of \"any(b1 in button: b1.on)\": \"b1\" is something else already", "choose another name");
    complains("any(x in lst.item: x.done)",
              "10 of \"any(x in lst.item: x.done)\": there is no \"lst\" to look through",
              "did you mean \"list\"? known: button, door, list, item, person, b1, b2, item-1, list, t");
    complains("any(x in b1: x.on)", "10 of \"any(x in b1: x.on)\": \"b1\" is no collection, but a button",
              "");
    complains("b1 = t", "4 of \"b1 = t\": \"=\" compares a button with a person", "");
    complains("b1 in item", "4 of \"b1 in item\": a button is looked for among item", "");
    complains("button", "1 of \"button\": \"button\" is a collection, not a value",
              "count it, or ask of each: count(NAME), all(x in NAME: ..)");
    complains("distance(b1, list) < 3",
              "1 of \"distance(b1, list) < 3\": in \"distance\", there is no \"x\" of a list",
              "known: title, unseen, seen_at, changed_at, tried, item");
    complains("[b1.on", "1 of \"[b1.on\": this name has no closing \"]\"", "");
    HOLDS("cycle = 0 and [cycle] = 0");
}

static void mentions_have_one_type(void **unused) {
    (void)unused;
    struct cor_error error = COR_NO_ERROR;
    REQUIRE(cor_world_vocabulary_mention(it.vocabulary, "b1", COR_NONE, &said));
    REQUIRE(cor_world_vocabulary_mention(it.vocabulary, "b1", BUTTON, &said));
    assert_int_equal(cor_world_vocabulary_mention(it.vocabulary, "b1", DOOR, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "entity \"b1\" is of type button, not door");
    error = COR_NO_ERROR;
    assert_int_equal(cor_world_vocabulary_mention(it.vocabulary, "item-7", COR_NONE, &error),
                     COR_STATUS_INPUT);
    assert_string_equal(error.cause, "there is no entity \"item-7\"");
    assert_string_equal(error.remedy,
                        "did you mean \"item-1\"? known: b1, b2, item-1, list, t; an entity that the "
                        "world does not declare is given with its type");
}

static void names_stand_for_entities(void **unused) {
    (void)unused;
    struct cor_error error = COR_NO_ERROR;
    begin(0, COR_VIEW_SIGHT);
    show_button("b1", 1, 0, 0);
    show_button("b2", 0, 0, 0);
    merge();
    REQUIRE(cor_world_vocabulary_alias(it.vocabulary, "b", "b1", &said));
    HOLDS("b.on and b = b1 and b != b2");
    REQUIRE(cor_world_vocabulary_alias(it.vocabulary, "b", "b2", &said));
    REQUIRE(cor_world_vocabulary_alias(it.vocabulary, "other", "b", &said));
    REQUIRE(cor_world_vocabulary_alias(it.vocabulary, "b2", "b2", &said));
    HOLDS("not b.on and other = b2");
    assert_int_equal(cor_world_vocabulary_alias(it.vocabulary, "b1", "b2", &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "\"b1\" is an entity, and cannot stand for \"b2\"");
    error = COR_NO_ERROR;
    assert_int_equal(cor_world_vocabulary_alias(it.vocabulary, "cycle", "b2", &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "\"cycle\" is a number of every test agent");
    error = COR_NO_ERROR;
    assert_int_equal(cor_world_vocabulary_alias(it.vocabulary, "c", "b3", &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "there is no entity \"b3\"");
    error = COR_NO_ERROR;
    assert_int_equal(cor_world_vocabulary_mention(it.vocabulary, "b", BUTTON, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "\"b\" stands for another entity here");
    cor_world_vocabulary_forget_aliases(it.vocabulary);
    complains(
        "b.on", "1 of \"b.on\": there is no \"b\"",
        "did you mean \"b1\"? known: cycle, reward, sees, age, changed, tried, distance, button, door, list, "
        "item, person, b1, b2, item-1, list, t");
    HOLDS("b1.on and not b2.on");
}

static void worlds_whose_names_are_taken_are_refused(void **unused) {
    (void)unused;
    static const struct {
        int type, property; /* -1: the type itself */
        const char *name, *cause;
    } cases[] = {
        {DOOR, -1, "button", "the type \"button\" is called as another one"},
        {DOOR, -1, "cycle", "the type \"cycle\" is called as a number of every test agent"},
        {DOOR, -1, "age", "the type \"age\" is called as what is asked of entities of every world"},
        {BUTTON, 1, "on", "of button, the property \"on\" is called as another one"},
        {BUTTON, 1, "tried", "of button, the property \"tried\" is called as what every entity has"},
        {ITEM, 1, "in", "of item, the property \"in\" is called as what every entity has"},
        {LIST, 0, "item", "of list, the property \"item\" is called as what is in it"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct cor_error error = COR_NO_ERROR;
        struct cor_world_vocabulary *vocabulary;
        struct sample_world world;
        sample_world_init(&world);
        struct cor_world_property *const properties[] = {world.button, world.door, world.list, world.item,
                                                         world.person};
        if (cases[c].property < 0)
            world.types[cases[c].type].name = cases[c].name;
        else
            properties[cases[c].type][cases[c].property].name = cases[c].name;
        assert_int_equal(cor_world_vocabulary_create(&world.declaration, &vocabulary, &error),
                         COR_STATUS_INPUT);
        assert_null(vocabulary);
        assert_string_equal(error.cause, cases[c].cause);
        assert_string_equal(error.place, "sample");
        sample_world_fini(&world);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {TEST(conditions_read_what_is_believed),
                                       TEST(conditions_are_so_far_from_holding),
                                       TEST(doors_stand_on_floors),
                                       TEST(entities_are_in_others),
                                       TEST(beliefs_are_of_the_last_that_was_shown),
                                       TEST(breaches_are_explained),
                                       TEST(equal_beliefs_are_one_abstract_state),
                                       TEST(bad_views_change_nothing),
                                       TEST(names_are_known_or_said),
                                       TEST(mentions_have_one_type),
                                       TEST(names_stand_for_entities),
                                       cmocka_unit_test(worlds_whose_names_are_taken_are_refused)};
    return cmocka_run_group_tests_name("beliefs", tests, NULL, NULL);
}
