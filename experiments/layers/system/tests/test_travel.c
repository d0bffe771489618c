/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Travel: ways and distances against breadth-first search, exploration sees all that can be reached, hazards
 * are avoided, doors shut, stairs and roads are gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "draw_level.h"
#include "require.h"
#include "setting.h"
#include "toggling_level.h"

static enum cor_travel_answer next_to(struct setting *it, const char *name, bool through,
                                      struct cor_world_command *command) {
    enum cor_travel_answer answer;
    REQUIRE(cor_travel_to(it->travel, entity_called(it, name), through, &answer, command, &said));
    return answer;
}

/* Goes there: actions that it took; UINT32_MAX: no way. */
static uint32_t go(struct setting *it, const char *name) {
    for (uint32_t count = 0; count < 1000; count++) {
        struct cor_world_command command;
        const enum cor_travel_answer answer = next_to(it, name, false, &command);
        if (answer != COR_TRAVEL_STEP)
            return answer == COR_TRAVEL_THERE ? count : UINT32_MAX;
        act(it, &command);
    }
    fail();
    return 0;
}

static uint32_t explore(struct setting *it) {
    for (uint32_t count = 0; count < 5000; count++) {
        enum cor_travel_answer answer;
        struct cor_world_command command;
        REQUIRE(cor_travel_explore(it->travel, &answer, &command, &said));
        if (answer == COR_TRAVEL_NOTHING_LEFT)
            return count;
        assert_int_equal(answer, COR_TRAVEL_STEP);
        act(it, &command);
    }
    fail();
    return 0;
}

/* All that can be reached without a button was seen: every entity of it is known, and none has a way that
 * breadth-first search has not. */
static void exploration_sees_all_that_can_be_reached(void **unused) {
    static struct toggling_level truth;
    (void)unused;
    uint32_t reached = 0, unreached = 0;
    for (uint32_t l = 0; l < 200; l++) {
        struct draw_level drawn = draw_level_default(l, 2000 + l);
        struct setting setting = {0};
        drawn.floors = 2;
        drawn.items = 6;
        char *text = draw_level(&drawn);
        toggling_read(&truth, text);
        memset(truth.toggles, 0, sizeof truth.toggles);
        begin(&setting, text, 1 + l % 4, 0);
        (void)explore(&setting);
        for (uint32_t c = 0; c < truth.cell_count; c++) {
            if (truth.kind[c] != 'g')
                continue;
            const uint32_t optimum = toggling_optimum(&truth, c, TOGGLING_NEVER, 1);
            const struct cor_believed item = entity_called(&setting, truth.name[c]);
            const uint32_t distance = cor_travel_distance(setting.travel, item);
            assert_int_equal(distance == UINT32_MAX, optimum == TOGGLING_NEVER);
            if (optimum == TOGGLING_NEVER) {
                unreached++;
                continue;
            }
            reached++;
            assert_int_equal(go(&setting, truth.name[c]), distance);
            assert_int_equal(cor_travel_distance(setting.travel, item), 0);
        }
        end(&setting);
        free(text);
    }
    assert_true(reached > 100 && unreached > 100);
}

static void lengths_are_those_of_breadth_first_search(void **unused) {
    static struct toggling_level truth;
    (void)unused;
    for (uint32_t l = 0; l < 100; l++) {
        struct draw_level drawn = draw_level_default(l, 3000 + l);
        struct setting setting = {0};
        drawn.floors = 3;
        char *text = draw_level(&drawn);
        toggling_read(&truth, text);
        memset(truth.toggles, 0, sizeof truth.toggles);
        begin(&setting, text, UINT32_MAX, 0);
        const uint32_t optimum =
            toggling_optimum(&truth, toggling_find(&truth, "key1"), TOGGLING_NEVER, TOGGLING_ALL);
        assert_int_equal(cor_travel_distance(setting.travel, entity_called(&setting, "key1")), optimum);
        assert_int_equal(go(&setting, "key1"), optimum);
        end(&setting);
        free(text);
    }
}

static void a_hazard_is_avoided_if_there_is_another_way(void **unused) {
    struct setting setting = {0};
    (void)unused;
    begin(&setting,
          "|f:a^t1,f:h^h1,f:g^key,w,f:h^h2,f:g^trap\n"
          "f,w,f,w,f,w\n"
          "f,f,f,f,f,w\n",
          UINT32_MAX, 0);
    assert_int_equal(cor_travel_distance(setting.travel, entity_called(&setting, "key")), 6);
    assert_int_equal(cor_travel_distance(setting.travel, entity_called(&setting, "h1")), 1);
    assert_int_equal(cor_travel_distance(setting.travel, entity_called(&setting, "h2")), 8);
    assert_int_equal(go(&setting, "key"), 6);
    assert_int_equal(go(&setting, "trap"), 7); /* there is no other way */
    end(&setting);
}

static void what_is_shut_blocks_but_for_who_goes_through(void **unused) {
    struct setting setting = {0};
    struct cor_world_command command;
    (void)unused;
    begin(&setting, "b1,d1\n|f:b^b1,f:a^t1,f:d>e^d1,f:g^key\n", UINT32_MAX, 0);
    assert_int_equal(next_to(&setting, "key", false, &command), COR_TRAVEL_NO_WAY);
    assert_int_equal(next_to(&setting, "d1", false, &command), COR_TRAVEL_NO_WAY);
    assert_int_equal(next_to(&setting, "key", true, &command), COR_TRAVEL_STEP);
    assert_string_equal(cor_words_text(setting.world->declaration->words, command.arguments[0].as.word),
                        "east");
    assert_int_equal(go(&setting, "b1"), 1);
    command = (struct cor_world_command){
        .action = setting.press,
        .arguments = {cor_word(cor_words_find(setting.world->declaration->words, "b1"))}};
    act(&setting, &command);
    assert_int_equal(go(&setting, "key"), 3);
    end(&setting);
}

/* A world of rooms that are joined by roads; it does what the test says. */
static void roads_are_gone_and_those_that_fail_are_left(void **unused) {
    static const struct cor_entity_type types[] = {{"place", NULL, 0, COR_NONE}, {"person", NULL, 0, 0}};
    static const struct cor_domain text = {.type = COR_VALUE_TYPE_STRING, .name = "string"};
    static const struct cor_action_parameter where = {"where", &text};
    static const struct cor_action actions[] = {{"wait", NULL, 0}, {"look", NULL, 0}, {"go", &where, 1}};
    struct cor_words words = {0};
    uint32_t a, b, c, d, t;
    (void)unused;
    REQUIRE(cor_words_intern(&words, "a", &a, &said));
    REQUIRE(cor_words_intern(&words, "b", &b, &said));
    REQUIRE(cor_words_intern(&words, "c", &c, &said));
    REQUIRE(cor_words_intern(&words, "d", &d, &said));
    REQUIRE(cor_words_intern(&words, "t", &t, &said));
    const struct cor_declared_entity entities[] = {{a, 0}, {b, 0}, {c, 0}, {d, 0}, {t, 1}};
    const struct cor_world_declaration declaration = {.name = "roads",
                                                      .version = "1",
                                                      .types = types,
                                                      .actions = actions,
                                                      .entities = entities,
                                                      .type_count = 2,
                                                      .action_count = 3,
                                                      .entity_count = 5,
                                                      .words = &words,
                                                      .step = COR_NONE,
                                                      .has_paths = true};
    /* a - b - d costs 2, a - c - d costs 3. */
    const struct cor_shown_path paths[] = {
        {a, b, 2, 0, 1}, {b, d, 2, 1, 1}, {a, c, 2, 2, 1}, {c, d, 2, 1, 2}};
    const struct cor_value arguments[] = {cor_word(b), cor_word(d), cor_word(c)};
    struct cor_shown_entity shown[] = {{a, 0, COR_NONE, 0, 0},
                                       {b, 0, COR_NONE, 0, 0},
                                       {c, 0, COR_NONE, 0, 0},
                                       {d, 0, COR_NONE, 0, 0},
                                       {t, 1, a, 0, 0}};
    struct cor_world_view view = {.entities = shown,
                                  .entity_count = 5,
                                  .paths = paths,
                                  .arguments = arguments,
                                  .path_count = 4,
                                  .argument_count = 3};
    struct cor_world_vocabulary *vocabulary;
    struct cor_beliefs *beliefs;
    struct cor_travel *travel;
    struct cor_believed target;
    struct cor_world_command command;
    enum cor_travel_answer answer;
    REQUIRE(cor_world_vocabulary_create(&declaration, &vocabulary, &said));
    REQUIRE(cor_beliefs_create(vocabulary, &beliefs, &said));
    REQUIRE(cor_travel_create(&declaration, beliefs, "t", &travel, &said));
    REQUIRE(cor_beliefs_merge(beliefs, &view, &said));
    REQUIRE(cor_travel_merge(travel, &view, &said));
    assert_true(cor_beliefs_find(beliefs, d, &target));
    assert_int_equal(cor_travel_distance(travel, target), 2);
    /* The road to b does not lead on: at first it waits, then it goes by c. */
    uint32_t tries = 0;
    for (;; tries++) {
        REQUIRE(cor_travel_to(travel, target, false, &answer, &command, &said));
        assert_int_equal(answer, COR_TRAVEL_STEP);
        assert_true(tries < 20);
        if (command.action == 2 && command.arguments[0].as.word == c)
            break;
        REQUIRE(cor_travel_note_command(travel, &command, &said));
        view.tick++;
        REQUIRE(cor_beliefs_merge(beliefs, &view, &said));
        REQUIRE(cor_travel_merge(travel, &view, &said));
    }
    REQUIRE(cor_travel_note_command(travel, &command, &said));
    shown[4].parent = c;
    view.tick++;
    REQUIRE(cor_beliefs_merge(beliefs, &view, &said));
    REQUIRE(cor_travel_merge(travel, &view, &said));
    REQUIRE(cor_travel_explore(travel, &answer, &command, &said));
    assert_int_equal(answer, COR_TRAVEL_STEP); /* d was not visited */
    REQUIRE(cor_travel_to(travel, target, false, &answer, &command, &said));
    assert_int_equal(command.arguments[0].as.word, d);
    shown[4].parent = d;
    view.tick++;
    REQUIRE(cor_beliefs_merge(beliefs, &view, &said));
    REQUIRE(cor_travel_merge(travel, &view, &said));
    REQUIRE(cor_travel_to(travel, target, false, &answer, &command, &said));
    assert_int_equal(answer, COR_TRAVEL_THERE);
    /* A command leads to one place: "go b" from a, done and shown to lead back, is no road to b any more, and
     * nothing is waited for. Shown again it is one. */
    struct cor_believed other;
    const struct cor_shown_path again[] = {{a, b, 2, 0, 1}, {d, a, 2, 2, 1}}, back[] = {{a, a, 2, 0, 1}};
    assert_true(cor_beliefs_find(beliefs, b, &other));
    shown[4].parent = a;
    view.paths = again;
    view.path_count = 2;
    view.tick++;
    REQUIRE(cor_beliefs_merge(beliefs, &view, &said));
    REQUIRE(cor_travel_merge(travel, &view, &said));
    assert_int_equal(cor_travel_distance(travel, other), 1);
    REQUIRE(cor_travel_to(travel, other, false, &answer, &command, &said));
    assert_int_equal(command.arguments[0].as.word, b);
    REQUIRE(cor_travel_note_command(travel, &command, &said));
    view.paths = back;
    view.path_count = 1;
    view.tick++;
    REQUIRE(cor_beliefs_merge(beliefs, &view, &said));
    REQUIRE(cor_travel_merge(travel, &view, &said));
    assert_int_equal(cor_travel_distance(travel, other), UINT32_MAX);
    REQUIRE(cor_travel_to(travel, other, false, &answer, &command, &said));
    assert_int_equal(answer, COR_TRAVEL_NO_WAY);
    view.paths = again;
    view.path_count = 2;
    view.tick++;
    REQUIRE(cor_beliefs_merge(beliefs, &view, &said));
    REQUIRE(cor_travel_merge(travel, &view, &said));
    assert_int_equal(cor_travel_distance(travel, other), 1);
    cor_travel_destroy(travel);
    cor_beliefs_destroy(beliefs);
    cor_world_vocabulary_destroy(vocabulary);
    cor_words_fini(&words);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(exploration_sees_all_that_can_be_reached),
                                       cmocka_unit_test(lengths_are_those_of_breadth_first_search),
                                       cmocka_unit_test(a_hazard_is_avoided_if_there_is_another_way),
                                       cmocka_unit_test(what_is_shut_blocks_but_for_who_goes_through),
                                       cmocka_unit_test(roads_are_gone_and_those_that_fail_are_left)};
    return cmocka_run_group_tests_name("travel", tests, NULL, NULL);
}
