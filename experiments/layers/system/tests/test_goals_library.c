/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Library goals on a line of cells: reach, interact, seen, explore, achieve, plan; targets that are chosen
 * while the test runs; what is told of goals and asserts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "line_travel.h"
#include "require.h"

#include <corridor/goals.h>

#include <stdio.h>
#include <string.h>

enum { AGENT, BUTTON, KEY, TYPES };
enum { STEP = COR_ACTION_FIRST, PRESS, ACTIONS };

static const struct cor_domain integers = {.type = COR_VALUE_TYPE_INTEGER, .name = "int"};
static const struct cor_domain truths = {.type = COR_VALUE_TYPE_BOOLEAN, .name = "bool"};

/* An agent at `self`, buttons b1 .. b3, a key in the last cell, behind a door that b2 opens where there is
 * one. All is seen from next to it. */
struct line {
    struct cor_words words;
    uint32_t ways[4], names[5]; /* of t, b1 .. b3, k */
    struct cor_domain way;
    struct cor_action_parameter to, on;
    struct cor_action actions[ACTIONS];
    struct cor_world_property places[3];
    struct cor_entity_type types[TYPES];
    struct cor_declared_entity entities[5];
    struct cor_world_declaration declaration;
    int64_t at[5];
    bool on_now[5];
    uint64_t tick;
    struct cor_world_vocabulary *vocabulary;
    struct cor_beliefs *beliefs;
    struct cor_travel travel;
    struct cor_goals *goals;
    struct cor_pursuit *pursuit;
    struct cor_json_document *document;
    struct cor_rng rng;
};

static struct line it;
static char told[2000];

static uint32_t word(const char *text) {
    uint32_t number = COR_NONE;
    REQUIRE(cor_words_intern(&it.words, text, &number, &said));
    return number;
}

static void set_up_world(void) {
    static const char *const ways[] = {"east", "south", "west", "north"};
    static const char *const names[] = {"t", "b1", "b2", "b3", "k"};
    it = (struct line){
        .way = {COR_VALUE_TYPE_ENUMERATION, "way", it.ways, 4},
        .to = {"to", &it.way},
        .on = {"on", NULL},
        .actions = {{"wait", NULL, 0}, {"look", NULL, 0}, {"step", &it.to, 1}, {"press", &it.on, 1}},
        .places = {{"x", &integers, COR_NONE}, {"y", &integers, COR_NONE}, {"on", &truths, COR_NONE}},
        .types = {{"agent", it.places, 2, COR_NONE},
                  {"button", it.places, 3, COR_NONE},
                  {"key", it.places, 2, COR_NONE}},
        .declaration = {.name = "line",
                        .version = "1",
                        .types = it.types,
                        .actions = it.actions,
                        .entities = it.entities,
                        .type_count = TYPES,
                        .action_count = ACTIONS,
                        .entity_count = 5,
                        .words = &it.words,
                        .columns = 10,
                        .rows = 1,
                        .floors = 1,
                        .step = STEP},
        .at = {0, 1, 3, 5, 9}};
    for (int i = 0; i < 4; i++)
        it.ways[i] = word(ways[i]);
    for (int i = 0; i < 5; i++)
        it.entities[i] = (struct cor_declared_entity){it.names[i] = word(names[i]), i == 0  ? AGENT
                                                                                    : i < 4 ? BUTTON
                                                                                            : KEY};
}

static void show(void) {
    struct cor_shown_entity shown[5];
    struct cor_shown_value values[15];
    struct cor_world_view view = {
        .tick = it.tick, .mode = COR_VIEW_SIGHT, .entities = shown, .values = values};
    for (uint32_t i = 0; i < 5; i++) {
        const int64_t off = it.at[i] - it.at[0];
        if (off < -1 || off > 1 || (i == 4 && it.travel.is_shut))
            continue;
        const uint32_t type = it.entities[i].type;
        shown[view.entity_count++] = (struct cor_shown_entity){it.names[i], type, COR_NONE, view.value_count,
                                                               it.types[type].property_count};
        values[view.value_count++] = (struct cor_shown_value){0, cor_integer(it.at[i])};
        values[view.value_count++] = (struct cor_shown_value){1, cor_integer(0)};
        if (type == BUTTON)
            values[view.value_count++] = (struct cor_shown_value){2, cor_integer(it.on_now[i])};
    }
    REQUIRE(cor_beliefs_merge(it.beliefs, &view, &said));
}

static void act(const struct cor_world_command *command) {
    it.tick += command->action != COR_ACTION_LOOK;
    if (command->action == STEP)
        it.at[0] += command->arguments[0].as.word == it.ways[0] ? 1 : -1;
    for (uint32_t i = 1; i < 4 && command->action == PRESS; i++)
        if (command->arguments[0].as.word == it.names[i] && it.at[i] == it.at[0]) {
            it.on_now[i] = !it.on_now[i];
            it.travel.is_shut &= i != 2;
        }
}

static void note_goal(void *context, const struct cor_goal_report *report) {
    (void)context;
    const size_t length = strlen(told);
    snprintf(told + length, sizeof told - length, "%s %llu-%llu %llu %s%s%s;", report->name,
             (unsigned long long)report->begun, (unsigned long long)report->ended,
             (unsigned long long)report->cost, cor_term_word(COR_FAMILY_GOAL, (int)report->end),
             *report->why ? ": " : "", report->why);
}

static void note_verdict(void *context, const struct cor_goal_verdict *verdict) {
    (void)context;
    const size_t length = strlen(told);
    snprintf(told + length, sizeof told - length, "<%s|%s|%s|%s|%llu>",
             cor_term_word(COR_FAMILY_JUDGE, (int)verdict->judge), verdict->goal, verdict->text, verdict->why,
             (unsigned long long)verdict->cycle);
}

static void begin(const char *goal, bool is_shut, struct cor_pursuit_advice advice) {
    told[0] = '\0';
    set_up_world();
    REQUIRE(cor_world_vocabulary_create(&it.declaration, &it.vocabulary, &said));
    REQUIRE(cor_goals_create(&it.declaration, it.vocabulary, NULL, &it.goals, &said));
    char *text = cor_format("[%s]", goal);
    REQUIRE(cor_json_parse(text, "goal", &it.document, &said));
    free(text);
    const struct cor_json whole = cor_json_root(it.document), root = cor_json_at(&whole, 0);
    uint32_t number;
    REQUIRE(cor_goals_read(it.goals, "t", &root, &number, &said));
    REQUIRE(cor_beliefs_create(it.vocabulary, &it.beliefs, &said));
    it.travel = (struct cor_travel){.beliefs = it.beliefs,
                                    .agent_type = AGENT,
                                    .step = STEP,
                                    .east = it.ways[0],
                                    .west = it.ways[2],
                                    .length = 10,
                                    .is_shut = is_shut};
    const struct cor_pursuit_definition definition = {.goals = it.goals,
                                                      .root = number,
                                                      .budget = COR_BUDGET_INFINITE,
                                                      .beliefs = it.beliefs,
                                                      .travel = &it.travel,
                                                      .advice = advice,
                                                      .test_agent = "t"};
    REQUIRE(cor_pursuit_create(&definition, &it.pursuit, &said));
    cor_pursuit_watch_goals(it.pursuit, note_goal, NULL);
    cor_pursuit_watch_asserts(it.pursuit, note_verdict, NULL);
    it.rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    show();
}

static void end(void) {
    cor_pursuit_destroy(it.pursuit);
    cor_beliefs_destroy(it.beliefs);
    cor_goals_destroy(it.goals);
    cor_world_vocabulary_destroy(it.vocabulary);
    cor_json_destroy(it.document);
    cor_words_fini(&it.words);
}

static char last_letter(uint32_t name) {
    const char *text = cor_words_text(&it.words, name);
    return text[strlen(text) - 1];
}

/* "e" and "w" are steps, the last letter of what is pressed, "-" a look, "." a wait. */
static void pursue(int most, char *done) {
    int cycle = 0;
    for (; cycle < most; cycle++) {
        enum cor_pursuit_choice choice;
        struct cor_world_command command;
        REQUIRE(cor_pursuit_choose(it.pursuit, &it.rng, &choice, &command, &said));
        if (choice == COR_PURSUIT_ENDED)
            break;
        done[cycle] = command.action == COR_ACTION_WAIT   ? '.'
                      : command.action == COR_ACTION_LOOK ? '-'
                      : command.action == PRESS           ? last_letter(command.arguments[0].as.word)
                                                : cor_words_text(&it.words, command.arguments[0].as.word)[0];
        act(&command);
        show();
        REQUIRE(cor_pursuit_propose(it.pursuit, &said));
    }
    done[cycle] = '\0';
}

static const struct expected {
    const char *goal;
    bool is_shut;
    const char *done, *why;
} cases[] = {
    {"{\"reach\": \"b2\"}", false, "eee", ""},
    {"{\"reach\": \"t\"}", false, "-", ""},
    {"{\"reach\": \"k\"}", false, "eeeeeeeee", ""},
    {"{\"reach\": \"k\"}", true, "eeeeeeewwwwww1ee2eeeeee", ""}, /* opens what stands in its way */
    {"{\"reach\": \"k\", \"by\": \"press\", \"among\": \"button\"}", true, "eeeeeeewwwwww1ee2eeeeee", ""},
    {"{\"reach\": \"k\", \"by\": \"press\", \"among\": \"key\"}", true, "eeeeeee-",
     "not found: no way to \"k\" is known, and all that can be reached was seen and tried"},
    {"{\"interact\": \"k\", \"do\": \"press\"}", true, "eeeeeeewwwwww1ee2eeeeeek", ""},
    {"{\"seq\": [{\"seen\": \"b3\"}, {\"seen\": \"b3\"}]}", false, "eeee-", ""},
    {"{\"seen\": \"k\"}", true, "eeeeeee-", "not found: all that can be reached was seen"},
    {"\"explore\"", false, "eeeeeeee", ""},
    {"{\"seq\": [\"explore\", {\"explore\": true}]}", true, "eeeeeee-", ""},
    {"{\"explore\": \"count(button) = 2\"}", false, "ee", ""},
    {"{\"explore\": \"count(button) = 4\"}", false, "eeeeeeee-",
     "not found: all that can be reached was seen"},
    {"{\"interact\": \"b2\", \"assert\": \"b2.on and not b2.on@before\"}", false, "eee2", ""},
    {"{\"reach\": \"b2\", \"do\": \"press\", \"assert\": \"not b2.on\"}", false, "eee2",
     "its assert \"not b2.on\" does not hold"},
    {"{\"interact\": \"nearest(b in button where b.x > 2)\", \"do\": \"press\", \"assert\": \"b.on\"}", false,
     "eee2", ""},
    {"{\"interact\": \"nearest(b in button where b.x > 7)\", \"do\": \"press\"}", false, "eeeeeeee-",
     "not found: all that can be reached was seen, and there is no nearest(b in button where b.x > 7)"},
    {"{\"seq\": [\"explore\", {\"interact\": \"nearest(b in button where not b.on)\"}, {\"interact\": "
     "\"nearest(b in "
     "button where not b.on)\"}]}",
     false, "eeeeeeeewww3ww2", ""},
    {"{\"achieve\": \"b3.on\", \"by\": \"press\", \"among\": \"button\"}", false, "e1-",
     "not found: all was seen and tried, and nothing that was leads to \"b3.on\""},
    {"{\"seq\": [\"explore\", {\"achieve\": \"b3.on\", \"by\": \"press\", \"among\": \"button\"}]}", false,
     "eeeeeeeewwwwwww1ee2ee3", ""},
    {"{\"seq\": [{\"interact\": \"b1\"}, {\"achieve\": \"b1.on\", \"by\": \"press\", \"among\": "
     "\"button\"}]}",
     false, "e1-", ""},
    {"{\"interact\": \"b1\", \"assert\": \"k.x = 9\"}", false, "e1", "its assert \"k.x = 9\" is unknown"},
    {"{\"seq\": [\"explore\", {\"interact\": \"nearest(b in button where b.x != t.x - 1)\"}]}", false,
     "eeeeeeeewww3", ""},
    {"{\"seq\": [\"explore\", {\"interruptible\": {\"interact\": \"nearest(b in button where b.x > 2)\", "
     "\"assert\": "
     "\"b.on\"}, \"handlers\": [{\"when\": \"t.x = 6 and not b2.on\", \"do\": {\"interact\": \"nearest(b in "
     "button where "
     "b.x = 3)\"}}]}]}",
     false, "eeeeeeeewwwww2ee3", ""},
    {"{\"plan\": \"b1.on\"}", false, "-", "no model of the world is known that could plan \"b1.on\""},
    {"{\"goal\": \"t.x = 2\", \"tactic\": \"explore\"}", false, "ee", ""},
    {"{\"goal\": \"count(b in button where b.on) = 2\", \"tactic\": {\"first_of\": [{\"interact\": "
     "\"nearest(b in button "
     "where not b.on)\", \"do\": \"press\"}, \"explore\", \"abort\"]}}",
     false, "e1ee2", ""},
    {"{\"goal\": \"b3.on\", \"tactic\": {\"seq\": [{\"reach\": \"b1\"}, {\"reach\": \"b2\"}, {\"action\": "
     "\"press(b2)\", "
     "\"after\": \"b2.on\"}, {\"interact\": \"b3\", \"do\": \"press\"}]}}",
     false, "eee2ee3", ""},
    {"{\"goal\": \"b2.on\", \"tactic\": {\"action\": \"press(b2)\"}, \"max\": 3}", false,
     "....................", NULL},
};

static void library_goals_go_their_ways(void **state) {
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char done[100];
        begin(cases[c].goal, cases[c].is_shut, (struct cor_pursuit_advice){NULL, NULL});
        pursue(cases[c].why ? 60 : 20, done);
        const enum cor_goal_end expected = !cases[c].why   ? COR_GOAL_OPEN
                                           : *cases[c].why ? COR_GOAL_FAILED
                                                           : COR_GOAL_SUCCESS;
        if (strcmp(done, cases[c].done) != 0 || cor_pursuit_status(it.pursuit) != expected ||
            (cases[c].why && strcmp(cor_pursuit_why(it.pursuit), cases[c].why) != 0))
            fail_msg("%s: %s, %s: %s", cases[c].goal, done,
                     cor_term_word(COR_FAMILY_GOAL, (int)cor_pursuit_status(it.pursuit)),
                     cor_pursuit_why(it.pursuit));
        end();
    }
}

/* A model that says: press b1, and then that there is nothing more to do. */
static enum cor_status advise(void *context, const struct cor_expression *wanted,
                              enum cor_travel_answer *answer, struct cor_world_command *command,
                              struct cor_error *error) {
    (void)error;
    int *asked = context;
    assert_string_equal(wanted->text, "b1.on and b2.on");
    *answer = COR_TRAVEL_NO_WAY;
    if (++*asked <= 2) {
        *answer = COR_TRAVEL_STEP;
        *command = (struct cor_world_command){.action = *asked == 1 ? STEP : PRESS};
        command->arguments[0] = cor_word(*asked == 1 ? it.ways[0] : it.names[1]);
    }
    return COR_OK;
}

static void a_plan_is_followed_as_long_as_there_is_one(void **state) {
    (void)state;
    char done[100];
    int asked = 0;
    begin("{\"plan\": \"b1.on and b2.on\"}", false, (struct cor_pursuit_advice){advise, &asked});
    pursue(60, done);
    assert_string_equal(done, "e1-");
    assert_int_equal(asked, 3);
    assert_string_equal(cor_pursuit_why(it.pursuit), "proven: the model has no way to \"b1.on and b2.on\"");
    end();
}

static void what_became_of_goals_is_told(void **state) {
    (void)state;
    char done[100];
    begin("{\"seq\": [{\"interact\": \"b1\", \"name\": \"first\"}, {\"first_of\": [{\"assert\": \"b1.x = "
          "4\", \"name\": "
          "\"moved\"}, {\"check\": \"b3.on\"}, {\"goal\": \"t.x = 9\", \"max\": 1, \"tactic\": {\"action\": "
          "\"press(b1)\", "
          "\"after\": \"b1.on\"}}]}]}",
          false, (struct cor_pursuit_advice){NULL, NULL});
    pursue(60, done);
    assert_string_equal(done, "e1--1");
    assert_string_equal(
        told, "first 2-3 2 success;"
              "<assert|moved|b1.x = 4|b1.x = 4 does not hold: b1.x is 1.|4>"
              "moved 4-4 1 failed: \"b1.x = 4\" does not hold;"
              "check 5-5 1 failed: \"b3.on\" is unknown;"
              "<after|t.x = 9|b1.on|b1.on does not hold.|6>"
              "t.x = 9 6-6 1 failed: its budget is used up;"
              "first_of 4-6 3 failed: its budget is used up;seq 2-6 5 failed: its budget is used up;");
    end();
}

static void who_waits_says_for_what(void **state) {
    (void)state;
    char done[100];
    begin("{\"goal\": \"b1.on\", \"tactic\": {\"first_of\": [{\"action\": \"press(b1)\", \"when\": \"t.x = "
          "1\"}, "
          "{\"action\": \"press(b2)\", \"when\": \"t.x = 3\"}]}}",
          false, (struct cor_pursuit_advice){NULL, NULL});
    pursue(3, done);
    assert_string_equal(done, "...");
    assert_true(cor_pursuit_is_stalled(it.pursuit));
    assert_string_equal(cor_pursuit_guard(it.pursuit), "t.x = 1");
    cor_pursuit_fail(it.pursuit, "dead");
    assert_int_equal(cor_pursuit_status(it.pursuit), COR_GOAL_FAILED);
    assert_string_equal(cor_pursuit_why(it.pursuit), "dead");
    assert_false(cor_pursuit_is_stalled(it.pursuit));
    assert_string_equal(told, "b1.on 2-4 0 failed: dead;");
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(library_goals_go_their_ways),
                                       cmocka_unit_test(a_plan_is_followed_as_long_as_there_is_one),
                                       cmocka_unit_test(what_became_of_goals_is_told),
                                       cmocka_unit_test(who_waits_says_for_what)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
