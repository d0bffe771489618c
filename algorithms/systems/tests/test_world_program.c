/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs as worlds: what a sound one shows, and what is made of each that is not, from itself and from its
 * traffic; nothing of it is left. */
#include "require.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "nobody_left.h"

#include "tests/view_text.h"

#include <corridor/array.h>
#include <corridor/rng.h>
#include <corridor/terms.h>
#include <corridor/traffic.h>
#include <corridor/world_program.h>

#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRAFFIC "test_world_program.traffic"
#define PROGRAM "exec python3 -I -S " TEST_SOURCE_SHELL "/algorithms/systems/tests/world.py "

static const char *const test_agents[] = {"t", "u"};
static size_t stride = 1; /* of worlds that misbehave only each so many */
static bool is_walled;
static char mark[40]; /* an argument of all that is started here */

/* The sound world of tests, which does that besides. */
static char *command_of(const char *deed) {
    char *word = cor_shell_quoted(deed);
    char *command = cor_format(PROGRAM "%s %s", word, mark);
    free(word);
    return command;
}

static enum cor_status open_world(const char *command, struct cor_traffic *traffic,
                                  struct cor_live_world **world, struct cor_error *error) {
    struct cor_world_program_definition definition = cor_default_world_program();
    definition.command = command;
    definition.seed = 0x2a;
    definition.setup = "[\"warm\",{\"lamps\":1}]";
    definition.test_agents = test_agents;
    definition.test_agent_count = 2;
    definition.answer_seconds = 60;
    definition.traffic = traffic;
    definition.is_free = !is_walled;
    return cor_world_program_create(&definition, world, error);
}

/* Acts, and puts what is shown, or the trouble, behind what there is. */
static enum cor_system_trouble act(struct cor_live_world *world, uint32_t test_agent, const char *name,
                                   const struct cor_value *arguments, struct cor_bytes *log) {
    enum cor_system_trouble trouble = COR_SYSTEM_HUNG;
    struct cor_world_command command = {0};
    struct cor_world_view view;
    if (name) {
        while (strcmp(world->declaration->actions[command.action].name, name) != 0)
            command.action++;
        for (uint32_t p = 0; p < world->declaration->actions[command.action].parameter_count; p++)
            command.arguments[p] = arguments[p];
        REQUIRE(world->kind->act(world, test_agent, &command, &view, &trouble, &said));
    } else {
        REQUIRE(world->kind->reset(world, &view, &trouble, &said));
    }
    if (trouble == 0) {
        struct cor_bytes text = view_text(world->declaration, &view);
        cor_bytes_print(log, "%s", cor_bytes_text(&text));
        cor_bytes_fini(&text);
    } else {
        cor_bytes_print(log, "%s: %s\n", cor_term_word(COR_FAMILY_SYSTEM, (int)trouble), world->words);
    }
    return trouble;
}

static struct cor_value word(struct cor_live_world *world, const char *text) {
    uint32_t number = COR_NONE;
    REQUIRE(cor_words_intern(world->declaration->words, text, &number, &said));
    return cor_word(number);
}

static void a_sound_world_is_seen_as_it_says(void **state) {
    (void)state;
    struct cor_live_world *world;
    struct cor_bytes log = {.size = 0};
    is_walled = true;
    char *command = command_of(
        "if n == 1 and request != {'id': 1, 'hello': {'protocol': 1, 'seed': '0x2a', 'setup': ['warm', "
        "{'lamps': 1}], "
        "'agents': ['t', 'u']}}: sys.exit(4)\n"
        "if n == 3: assert request == {'id': 3, 'agent': 'u', 'do': 'set', 'level': -3, 'heat': 0.1, "
        "'colour': 'green', "
        "'text': 'a \"b\" \\\\ \\u00e4\\n', 'on': True}, request\n"
        "if n == 4: assert request == {'id': 4, 'agent': 't', 'do': 'press', 'on': 'a'}; del answer['all']; "
        "answer['lost'] = ['a']; answer['gone'] = ['b']; answer['entities'] = [{'id': 'hall', 'name': "
        "None}]\n"
        "if n == 5: answer = {'id': 5, 'tick': 7, 'entities': [{'id': 'b', 'type': 'lamp', 'twin': 'a', "
        "'heat': 2}], "
        "'cells': [[3, 2, 1, True], [0, 0, 0, False]], 'links': [[0, 0, 0, 1, 1, 1]], 'covered': [17, 4], "
        "'picture': "
        "'p/5.png', 'paths': [{'from': 'hall', 'to': 'yard', 'do': 'move', 'to_the': 'east', 'cost': 2}, "
        "{'from': 'a', 'to': "
        "'b', 'do': 'wait'}]}");
    REQUIRE(open_world(command, NULL, &world, &said));
    assert_null(world->declaration);
    assert_int_equal(act(world, 0, NULL, NULL, &log), 0);
    const struct cor_world_declaration *it = world->declaration;
    assert_string_equal(it->name, "toy");
    assert_int_equal(it->type_count, 2);
    assert_int_equal(it->types[1].parent, 0);
    assert_int_equal(it->types[1].property_count, 7);
    assert_int_equal(it->types[1].properties[6].refers, 1);
    assert_int_equal(it->action_count, 5);
    assert_string_equal(it->actions[COR_ACTION_LOOK].name, "look");
    assert_int_equal(it->step, 4);
    assert_true(it->has_paths);
    const struct cor_value arguments[] = {cor_integer(-3), cor_real(0.1), word(world, "green"),
                                          word(world, "a \"b\" \\ \xc3\xa4\n"), cor_integer(1)};
    assert_int_equal(act(world, 1, "set", arguments, &log), 0);
    const struct cor_value a = word(world, "a");
    assert_int_equal(act(world, 0, "press", &a, &log), 0);
    assert_int_equal(act(world, 0, "look", NULL, &log), 0);
    assert_string_equal(cor_bytes_text(&log),
                        "tick 0 mode 1 picture -\n"
                        "room hall in -: name 'Hall'\n"
                        "lamp a in hall: on 0 level 0 heat 0x0p+0 colour 'red' x 1 y 2 twin null\n"
                        "gone\nlost\n"
                        "tick 1 mode 1 picture -\n"
                        "room hall in -: name 'Hall'\n"
                        "lamp a in hall: on 1 level 1 heat 0x1p-2 colour 'red' x 1 y 2 twin null\n"
                        "gone\nlost\n"
                        "tick 2 mode 2 picture -\n"
                        "room hall in -: name null\n"
                        "gone b\nlost a\n"
                        "tick 7 mode 0 picture p/5.png\n"
                        "lamp b in -: heat 0x1p+1 twin 'a'\n"
                        "gone\nlost\n"
                        "cell 3 2 1 1\ncell 0 0 0 0\n"
                        "link 0 1\nlink 0 1\nlink 0 1\n"
                        "path hall yard move 0x1p+1 'east'\npath a b wait 0x1p+0\n"
                        "covered 17\ncovered 4\n");
    is_walled = false;
    cor_live_world_close(world);
    cor_bytes_fini(&log);
    free(command);
    assert_nobody_left(mark);
}

/* Worlds that misbehave, at their third request or as they say. Words that end so, behind the line they are
 * about. */
static const struct {
    const char *deed, *trouble, *words;
} misbehaving[] = {
#include "tests/misbehaving.h"
};

/* From the reset on until something is wrong; then once more, as far as it goes. */
static void walk(const char *command, struct cor_traffic *traffic, struct cor_bytes *log) {
    struct cor_live_world *world;
    REQUIRE(open_world(command, traffic, &world, &said));
    enum cor_system_trouble trouble = act(world, 0, NULL, NULL, log);
    const struct cor_value a = word(world, "a");
    for (int i = 0; trouble == 0 && i < 3; i++)
        trouble = act(world, (uint32_t)i % 2, i == 0 ? "press" : "wait", &a, log);
    cor_live_world_close(world);
}

static void whatever_a_world_does_is_trouble_of_its_own(void **state) {
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof misbehaving / sizeof *misbehaving; i += stride) {
        struct cor_bytes log = {.size = 0}, again = {.size = 0};
        char *command = command_of(misbehaving[i].deed);
        char *wanted = cor_format(
            "%s%s\n", misbehaving[i].trouble[0] == 'g' && misbehaving[i].words[0] == '/' ? ": " : "",
            misbehaving[i].words);
        char *begin = cor_format("%s: ", misbehaving[i].trouble);
        struct cor_traffic *traffic;
        REQUIRE(cor_traffic_open(TRAFFIC, NULL, true, &traffic, &said));
        walk(command, traffic, &log);
        cor_traffic_close(traffic);
        assert_nobody_left(mark);
        const char *text = cor_bytes_text(&log);
        const size_t length = strlen(text), part = strlen(wanted);
        const char *last = length > 0 ? text + length - 1 : text; /* the line that is the last */
        while (last > text && last[-1] != '\n')
            last--;
        if (strncmp(last, begin, strlen(begin)) != 0 || length < part ||
            strcmp(text + length - part, wanted) != 0) {
            print_error("%s\nsaid:\n%s\nnot %s%s\n", misbehaving[i].deed, text, begin, wanted);
            wrong++;
        }
        REQUIRE(cor_traffic_open(NULL, TRAFFIC, false, &traffic, &said));
        walk(command, traffic, &again);
        cor_traffic_close(traffic);
        assert_string_equal(cor_bytes_text(&again), text);
        cor_bytes_fini(&log);
        cor_bytes_fini(&again);
        free(command);
        free(wanted);
        free(begin);
    }
    unlink(TRAFFIC);
    assert_int_equal(wrong, 0);
}

static const struct {
    const char *deed, *cause;
} unusable[] = {
#include "tests/unusable.h"
};

static void what_does_not_declare_itself_cannot_be_used(void **state) {
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof unusable / sizeof *unusable; i += stride) {
        char *command = command_of(unusable[i].deed);
        struct cor_live_world *world;
        struct cor_world_view view;
        enum cor_system_trouble trouble;
        struct cor_error error = COR_NO_ERROR;
        REQUIRE(open_world(command, NULL, &world, &said));
        const enum cor_status status = world->kind->reset(world, &view, &trouble, &error);
        const size_t length = strlen(error.cause), part = strlen(unusable[i].cause);
        if (status != COR_STATUS_PLUGIN || length < part ||
            strcmp(error.cause + length - part, unusable[i].cause) != 0) {
            print_error("%s\nsaid %d:\n%s\nnot %s\n", unusable[i].deed, (int)status, error.cause,
                        unusable[i].cause);
            wrong++;
        }
        assert_null(world->declaration);
        cor_live_world_close(world);
        assert_nobody_left(mark);
        free(command);
    }
    assert_int_equal(wrong, 0);
}

/* After trouble it is started again, and has to be the same world. */
static void a_world_that_is_started_again_declares_itself_as_before(void **state) {
    (void)state;
    static const struct {
        const char *deed, *end;
    } cases[] = {
        {"if n == 3: sys.exit(3)",
         "\ntick 0 mode 1 picture -\nroom hall in -: name 'Hall'\nlamp a in hall: on 0 level 0 "
         "heat 0x0p+0 colour 'red' x 1 y 2 twin null\ngone\nlost\n"},
        {"if n == 1: answer['version'] = str(time.time_ns())\nif n == 3: sys.exit(3)",
         ": this is not what it declared when it was started first\n"},
    };
    for (int i = 0; i < 2; i++) {
        struct cor_live_world *world;
        struct cor_bytes log = {.size = 0};
        char *command = command_of(cases[i].deed);
        REQUIRE(open_world(command, NULL, &world, &said));
        assert_int_equal(act(world, 0, NULL, NULL, &log), 0);
        assert_int_equal(act(world, 0, "wait", NULL, &log), COR_SYSTEM_DIED);
        assert_int_equal(act(world, 0, NULL, NULL, &log), i == 0 ? 0 : COR_SYSTEM_GARBLED);
        const char *text = cor_bytes_text(&log);
        const size_t length = strlen(text), part = strlen(cases[i].end);
        if (length < part || strcmp(text + length - part, cases[i].end) != 0)
            fail_msg("%s", text);
        cor_live_world_close(world);
        cor_bytes_fini(&log);
        free(command);
        assert_nobody_left(mark);
    }
}

static void a_program_that_is_not_there_is_said_before_anything_is_started(void **state) {
    (void)state;
    struct cor_live_world *world;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(open_world("no_such_world_here --x", NULL, &world, &error), COR_STATUS_PLUGIN);
    assert_string_equal(error.cause, "there is no program \"no_such_world_here\" on PATH");
    assert_null(world);
}

/* Silence, from a record of it: no test waits. */
static void silence_and_half_an_answer_are_told_apart(void **state) {
    (void)state;
    static const struct {
        const char *event, *said;
    } cases[] = {{"1 0", "hung: no answer in 60 s\n"}, {"1 1", "hung: half a line, and no more in 60 s\n"}};
    for (int i = 0; i < 2; i++) {
        struct cor_bytes log = {.size = 0};
        struct cor_traffic *traffic;
        FILE *file = fopen(TRAFFIC, "w");
        fprintf(file,
                "corridor traffic 1\n0 = - x\n"
                "0 > "
                "{\"id\":1,\"hello\":{\"protocol\":1,\"seed\":\"0x2a\",\"setup\":[\"warm\",{\"lamps\":1}],"
                "\"agents\":[\"t\","
                "\"u\"]}}\n0 < "
                "{\"id\":1,\"world\":\"w\",\"types\":{},\"actions\":{\"press\":{\"on\":\"entity\"}}}\n"
                "0 > {\"id\":2,\"reset\":true}\n0 < {\"id\":2,\"tick\":0,\"entities\":[]}\n"
                "0 > {\"id\":3,\"agent\":\"t\",\"do\":\"press\",\"on\":\"a\"}\n0 ! %s 4:0 its process was "
                "ended\n",
                cases[i].event);
        assert_int_equal(fclose(file), 0);
        REQUIRE(cor_traffic_open(NULL, TRAFFIC, false, &traffic, &said));
        walk("x", traffic, &log);
        cor_traffic_close(traffic);
        assert_string_equal(strchr(strchr(strchr(cor_bytes_text(&log), '\n') + 1, '\n') + 1, '\n') + 1,
                            cases[i].said);
        cor_bytes_fini(&log);
        unlink(TRAFFIC);
    }
}

/* Lines with random edits are read, or said what is wrong with them: nothing else happens. */
static void edited_lines_are_read_or_refused(void **state) {
    (void)state;
    static const char *const good[] = {"{\"id\":1,\"world\":\"w\",\"version\":\"1\",\"types\":{\"room\":{"
                                       "\"name\":\"string\"},\"lamp\":{\"on\":\"bool\",\"level\":"
                                       "\"int\",\"heat\":\"float\",\"colour\":[\"red\",\"green\"],\"twin\":"
                                       "\"lamp\",\"in\":\"room\"}},\"actions\":{\"press\":{"
                                       "\"on\":\"entity\"},\"move\":{\"to_the\":[\"east\",\"south\",\"west\","
                                       "\"north\"]}},\"entities\":{\"hall\":\"room\"},\"can\":["
                                       "\"pictures\",\"paths\"],\"grid\":[4,3,2],\"step\":\"move\"}",
                                       "{\"id\":2,\"tick\":3,\"entities\":[{\"id\":\"hall\",\"name\":"
                                       "\"Hall\"},{\"id\":\"a\",\"type\":\"lamp\",\"in\":\"hall\",\"on\":"
                                       "true,\"level\":-7,\"heat\":0.25,\"colour\":\"red\",\"twin\":null}],"
                                       "\"gone\":[\"b\"],\"lost\":[],\"cells\":[[3,2,1,true]],"
                                       "\"links\":[[0,0,0,1,1,1]],\"paths\":[{\"from\":\"hall\",\"to\":\"a\","
                                       "\"do\":\"move\",\"to_the\":\"east\",\"cost\":2}],"
                                       "\"covered\":[17],\"picture\":\"p.png\"}"};
    static const char letters[] = "{}[]\":,0123456789-+.eEtfnulx \\/a\x80\xff\x01";
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 32, .purpose = COR_PURPOSE_TEST});
    uint32_t well = 0, refused = 0;
    for (int edit = 0; edit < 1000; edit++) {
        struct systems__declared *declared = cor_calloc(1, sizeof *declared);
        struct systems__reader reader = {.declared = declared};
        for (int line = 0; line < 2; line++) {
            struct cor_json_document *document = NULL;
            struct cor_error said = COR_NO_ERROR;
            char *text = cor_strdup(good[line]);
            const size_t length = strlen(text);
            const uint32_t changes = line == edit % 2 ? 1 + cor_rng_below(&rng, 3) : 0;
            for (uint32_t c = 0; c < changes; c++) {
                const size_t at = cor_rng_below(&rng, (uint32_t)length),
                             from = cor_rng_below(&rng, (uint32_t)length);
                const uint32_t size = 1 + cor_rng_below(&rng, 8);
                if (cor_rng_below(&rng, 2) == 0)
                    text[at] = letters[cor_rng_below(&rng, sizeof letters - 1)];
                else if (at + size < length && from + size < length)
                    memmove(text + at, text + from, size);
            }
            enum cor_status status = cor_json_parse(text, "answer", &document, &said);
            if (status == COR_OK) {
                const struct cor_json root = cor_json_root(document);
                status = line == 0 ? systems__read_declaration(declared, &root, &said)
                                   : systems__read_view(&reader, 0, &root, &said);
            }
            if (status != COR_OK && (status != COR_STATUS_INPUT || !said.cause[0]))
                fail_msg("%d: %s: %s", (int)status, text, said.cause);
            well += changes > 0 && status == COR_OK;
            refused += changes > 0 && status != COR_OK;
            cor_json_destroy(document);
            free(text);
            if (status != COR_OK)
                break;
            if (line == 0)
                assert_int_equal(systems__reader_reset(&reader, &said), COR_OK);
        }
        systems__reader_fini(&reader);
        systems__declared_fini(declared);
        free(declared);
    }
    if (well < 20 || refused < 500)
        fail_msg("%u well, %u refused", well, refused);
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_world_is_seen_as_it_says),
        cmocka_unit_test(whatever_a_world_does_is_trouble_of_its_own),
        cmocka_unit_test(what_does_not_declare_itself_cannot_be_used),
        cmocka_unit_test(a_world_that_is_started_again_declares_itself_as_before),
        cmocka_unit_test(a_program_that_is_not_there_is_said_before_anything_is_started),
        cmocka_unit_test(silence_and_half_an_answer_are_told_apart),
        cmocka_unit_test(edited_lines_are_read_or_refused),
    };
    stride = count > 1 ? (size_t)atoi(arguments[1]) : 1;
    snprintf(mark, sizeof mark, "world-of-test-%ld", (long)getpid());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
