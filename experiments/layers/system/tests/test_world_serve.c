/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A drawn world, met inside and by its lines, as the program that it is when it is served: the same views,
 * word for word. */
#include "require.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "internal.h"
#include "tests/view_text.h"

#include <corridor/array.h>
#include <corridor/rng.h>
#include <corridor/world_program.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THINGS = 12, COLUMNS = 7, ROWS = 5, FLOORS = 3, PATHS = 4 };
enum { ROOM, THING, TYPE_COUNT };

static const struct cor_domain truth = {.type = COR_VALUE_TYPE_BOOLEAN, .name = "bool"};
static const struct cor_domain integer = {.type = COR_VALUE_TYPE_INTEGER, .name = "int"};
static const struct cor_domain real = {.type = COR_VALUE_TYPE_REAL, .name = "float"};
static const struct cor_domain text = {.type = COR_VALUE_TYPE_STRING, .name = "string"};

/* A world whose views are drawn by the seed, and by what test agents did so far. */
struct drawn {
    struct cor_live_world world;
    struct cor_world_declaration declaration;
    struct cor_words words;
    struct cor_rng rng;
    uint64_t seed, did;
    uint32_t colours[3], ways[4], rooms[2], things[THINGS], notes[4];
    struct cor_domain colour, way;
    struct cor_world_property properties[TYPE_COUNT][6];
    struct cor_entity_type types[TYPE_COUNT];
    struct cor_action_parameter step, parameters[5];
    struct cor_action actions[4];
    struct cor_declared_entity declared[1];
    struct cor_shown_entity entities[THINGS + 2];
    struct cor_shown_value values[THINGS * 6 + 2];
    struct cor_shown_cell cells[9];
    struct cor_shown_link links[2];
    struct cor_shown_path paths[PATHS];
    struct cor_value arguments[PATHS * 5];
    uint32_t gone[2], lost[2], covered[3];
    struct cor_world_view view;
};

static uint32_t below(struct drawn *drawn, uint32_t count) {
    return cor_rng_below(&drawn->rng, count);
}

static struct cor_value draw_value(struct drawn *drawn, const struct cor_domain *domain) {
    switch (domain->type) {
    case COR_VALUE_TYPE_BOOLEAN:
        return cor_integer(below(drawn, 2));
    case COR_VALUE_TYPE_INTEGER: {
        const int64_t least[] = {INT64_MIN, INT64_MAX, 0, -1};
        return cor_integer(least[below(drawn, 4)]);
    }
    case COR_VALUE_TYPE_REAL: {
        const double reals[] = {0.1, -0., 5e-324, 1.7976931348623157e308, 1. / 3, -2, 123456789012345680.};
        return cor_real(reals[below(drawn, 7)]);
    }
    case COR_VALUE_TYPE_STRING: {
        const uint32_t note = below(drawn, 5);
        return note < 4 ? cor_word(drawn->notes[note]) : cor_null();
    }
    case COR_VALUE_TYPE_ENUMERATION:
        break;
    }
    return cor_word(domain->words[below(drawn, domain->word_count)]);
}

static void draw_things(struct drawn *drawn) {
    struct cor_world_view *view = &drawn->view;
    for (uint32_t t = 0; t < THINGS; t++) {
        if (below(drawn, 3) == 0) { /* gone, or lost, or just not shown */
            const uint32_t how = below(drawn, 3);
            if (how == 0 && view->gone_count < 2)
                drawn->gone[view->gone_count++] = drawn->things[t];
            else if (how == 1 && view->lost_count < 2 && view->mode == COR_VIEW_CHANGES)
                drawn->lost[view->lost_count++] = drawn->things[t];
            continue;
        }
        struct cor_shown_entity *shown = &drawn->entities[view->entity_count++];
        *shown = (struct cor_shown_entity){drawn->things[t], THING, COR_NONE, view->value_count, 0};
        if (below(drawn, 2) == 0)
            shown->parent = drawn->rooms[below(drawn, 2)];
        for (uint32_t p = 0; p < 6; p++) {
            if (below(drawn, 4) == 0)
                continue;
            const struct cor_world_property *property = &drawn->properties[THING][p];
            const uint32_t twin = below(drawn, THINGS + 1);
            drawn->values[view->value_count++] =
                (struct cor_shown_value){p, property->domain ? draw_value(drawn, property->domain)
                                            : twin < THINGS  ? cor_word(drawn->things[twin])
                                                             : cor_null()};
            shown->value_count++;
        }
    }
}

static void draw_map(struct drawn *drawn) {
    struct cor_world_view *view = &drawn->view;
    view->cell_count = below(drawn, 9);
    for (uint32_t c = 0; c < view->cell_count; c++) {
        struct cor_shown_cell *cell = &drawn->cells[c];
        cell->column = below(drawn, COLUMNS);
        cell->row = below(drawn, ROWS);
        cell->floor = below(drawn, FLOORS);
        cell->is_free = below(drawn, 2);
    }
    view->link_count = below(drawn, 3);
    for (uint32_t l = 0; l < view->link_count; l++)
        drawn->links[l] = (struct cor_shown_link){{l, 1, 0}, {COLUMNS - 1, l, 1 + l}};
    view->path_count = below(drawn, PATHS);
    for (uint32_t p = 0; p < view->path_count; p++) {
        struct cor_shown_path *path = &drawn->paths[p];
        *path = (struct cor_shown_path){drawn->rooms[0], drawn->things[p], 2 + below(drawn, 2),
                                        view->argument_count, 0.1 + p};
        for (uint32_t a = 0; a < drawn->actions[path->action].parameter_count; a++) {
            const struct cor_domain *domain = drawn->actions[path->action].parameters[a].domain;
            drawn->arguments[view->argument_count++] =
                domain ? draw_value(drawn, domain) : cor_word(drawn->things[p]);
        }
    }
    view->covered_count = below(drawn, 4);
    for (uint32_t c = 0; c < view->covered_count; c++)
        drawn->covered[c] = below(drawn, 100000);
}

static void draw_view(struct drawn *drawn, struct cor_world_view *view) {
    const uint64_t tick = drawn->view.tick;
    const struct cor_stream_name name = {
        .seed = drawn->seed, .identity = drawn->did, .purpose = COR_PURPOSE_TEST};
    drawn->rng = cor_rng_named(&name);
    drawn->view = (struct cor_world_view){.tick = tick + below(drawn, 3),
                                          .mode = (enum cor_view_mode)below(drawn, 3),
                                          .entities = drawn->entities,
                                          .values = drawn->values,
                                          .gone = drawn->gone,
                                          .lost = drawn->lost,
                                          .cells = drawn->cells,
                                          .links = drawn->links,
                                          .paths = drawn->paths,
                                          .arguments = drawn->arguments,
                                          .covered = drawn->covered};
    draw_things(drawn);
    draw_map(drawn);
    *view = drawn->view;
}

static enum cor_status reset(struct cor_live_world *world, struct cor_world_view *view,
                             enum cor_system_trouble *trouble, struct cor_error *error) {
    struct drawn *drawn = (struct drawn *)world;
    (void)error;
    *trouble = (enum cor_system_trouble)0;
    drawn->view.tick = 0;
    drawn->did = 1;
    draw_view(drawn, view);
    return COR_OK;
}

/* All of the command counts. */
static enum cor_status act(struct cor_live_world *world, uint32_t test_agent,
                           const struct cor_world_command *command, struct cor_world_view *view,
                           enum cor_system_trouble *trouble, struct cor_error *error) {
    struct drawn *drawn = (struct drawn *)world;
    const struct cor_action *action = &drawn->actions[command->action];
    (void)error;
    *trouble = (enum cor_system_trouble)0;
    drawn->did = drawn->did * 31 + command->action * 7 + test_agent;
    for (uint32_t p = 0; p < action->parameter_count; p++) {
        char value[64];
        cor_value_text(command->arguments[p], action->parameters[p].domain, &drawn->words, value,
                       sizeof value);
        for (const char *at = value; *at; at++)
            drawn->did = drawn->did * 31 + (unsigned char)*at;
    }
    draw_view(drawn, view);
    return COR_OK;
}

static void close_drawn(struct cor_live_world *world) {
    cor_words_fini(&((struct drawn *)world)->words);
    free(world);
}

static const struct cor_live_world_kind kind = {"drawn", reset, act, close_drawn};

static uint32_t intern(struct drawn *drawn, const char *name) {
    uint32_t number = COR_NONE;
    REQUIRE(cor_words_intern(&drawn->words, name, &number, &said));
    return number;
}

static enum cor_status open_drawn(void *context, const struct system_layer__greeting *greeting,
                                  struct cor_live_world **world, struct cor_error *error) {
    static const char *const ways[] = {"east", "south", "west", "north"};
    static const char *const notes[] = {"", "a \"b\" \\", "\xc3\xa4\n\t\x01", "plain"};
    static const char *const colours[] = {"red", "light green", "it's"};
    struct drawn *drawn = cor_calloc(1, sizeof *drawn);
    char name[16];
    (void)context;
    COR_TRY(cor_made(drawn, error));
    drawn->world.kind = &kind;
    drawn->seed = greeting->seed;
    for (int i = 0; i < 4; i++) {
        drawn->ways[i] = intern(drawn, ways[i]);
        drawn->notes[i] = intern(drawn, notes[i]);
    }
    for (int i = 0; i < 3; i++)
        drawn->colours[i] = intern(drawn, colours[i]);
    drawn->rooms[0] = intern(drawn, "hall");
    drawn->rooms[1] = intern(drawn, "room \"2\"");
    for (uint32_t t = 0; t < THINGS; t++) {
        snprintf(name, sizeof name, "t%u", t);
        drawn->things[t] = intern(drawn, name);
    }
    drawn->colour = (struct cor_domain){COR_VALUE_TYPE_ENUMERATION, "colour", drawn->colours, 3};
    drawn->way = (struct cor_domain){COR_VALUE_TYPE_ENUMERATION, "way", drawn->ways, 4};
    const struct cor_world_property properties[] = {
        {"on", &truth, COR_NONE},  {"level", &integer, COR_NONE},     {"heat", &real, COR_NONE},
        {"note", &text, COR_NONE}, {"hue", &drawn->colour, COR_NONE}, {"twin", NULL, THING}};
    memcpy(drawn->properties[THING], properties, sizeof properties);
    drawn->types[ROOM] = (struct cor_entity_type){"room", drawn->properties[ROOM], 0, COR_NONE};
    drawn->types[THING] = (struct cor_entity_type){"thing", drawn->properties[THING], 6, ROOM};
    drawn->step = (struct cor_action_parameter){"way", &drawn->way};
    const struct cor_action_parameter parameters[] = {
        {"on", NULL}, {"level", &integer}, {"heat", &real}, {"note", &text}, {"is", &truth}};
    memcpy(drawn->parameters, parameters, sizeof parameters);
    drawn->actions[0] = (struct cor_action){"wait", NULL, 0};
    drawn->actions[1] = (struct cor_action){"look", NULL, 0};
    drawn->actions[2] = (struct cor_action){"go", &drawn->step, 1};
    drawn->actions[3] = (struct cor_action){"set", drawn->parameters, 5};
    drawn->declared[0] = (struct cor_declared_entity){drawn->rooms[1], ROOM};
    drawn->declaration = (struct cor_world_declaration){.name = "drawn",
                                                        .version = "2",
                                                        .types = drawn->types,
                                                        .type_count = TYPE_COUNT,
                                                        .actions = drawn->actions,
                                                        .action_count = 4,
                                                        .entities = drawn->declared,
                                                        .entity_count = 1,
                                                        .words = &drawn->words,
                                                        .columns = COLUMNS,
                                                        .rows = ROWS,
                                                        .floors = FLOORS,
                                                        .step = 2,
                                                        .has_paths = true};
    drawn->world.declaration = &drawn->declaration;
    *world = &drawn->world;
    return COR_OK;
}

/* The same word in another world. */
static struct cor_value carried(struct cor_value value, const struct cor_words *from, struct cor_words *to) {
    if (value.kind == COR_VALUE_WORD)
        REQUIRE(cor_words_intern(to, cor_words_text(from, value.as.word), &value.as.word, &said));
    return value;
}

static void assert_same(const struct cor_live_world *inside, const struct cor_world_view *view,
                        const struct cor_live_world *outside, const struct cor_world_view *other) {
    struct cor_bytes one = view_text(inside->declaration, view), two = view_text(outside->declaration, other);
    assert_string_equal(cor_bytes_text(&one), cor_bytes_text(&two));
    cor_bytes_fini(&one);
    cor_bytes_fini(&two);
}

static const char *self;

static void a_world_that_is_served_shows_what_it_shows_inside(void **state) {
    (void)state;
    static const char *const test_agents[] = {"t", "u \"2\""};
    const struct system_layer__greeting greeting = {0xfeed, test_agents, 2};
    char *word = cor_shell_quoted(self), *command = cor_format("%s serve", word);
    struct cor_world_program_definition definition = cor_default_world_program();
    definition.command = command;
    definition.seed = greeting.seed;
    definition.test_agents = test_agents;
    definition.test_agent_count = 2;
    definition.answer_seconds = 60;
    struct cor_live_world *inside, *outside;
    struct cor_world_view view, other;
    enum cor_system_trouble trouble;
    REQUIRE(open_drawn(NULL, &greeting, &inside, &said));
    REQUIRE(cor_world_program_create(&definition, &outside, &said));
    struct drawn *drawn = (struct drawn *)inside;
    for (int v = 0; v < 200; v++) {
        struct cor_world_command command_inside = {.action = 0}, command_outside;
        const uint32_t test_agent = (uint32_t)v % 2;
        if (v % 50 == 0) {
            REQUIRE(inside->kind->reset(inside, &view, &trouble, &said));
            REQUIRE(outside->kind->reset(outside, &other, &trouble, &said));
        } else {
            command_inside.action = below(drawn, 4);
            command_outside = command_inside;
            const struct cor_action *action = &drawn->actions[command_inside.action];
            for (uint32_t p = 0; p < action->parameter_count; p++) {
                const struct cor_domain *domain = action->parameters[p].domain;
                command_inside.arguments[p] =
                    domain ? draw_value(drawn, domain) : cor_word(drawn->things[below(drawn, THINGS)]);
                command_outside.arguments[p] =
                    carried(command_inside.arguments[p], &drawn->words, outside->declaration->words);
            }
            REQUIRE(inside->kind->act(inside, test_agent, &command_inside, &view, &trouble, &said));
            REQUIRE(outside->kind->act(outside, test_agent, &command_outside, &other, &trouble, &said));
        }
        if (trouble != 0)
            fail_msg("%s", outside->words);
        assert_same(inside, &view, outside, &other);
    }
    cor_live_world_close(inside);
    cor_live_world_close(outside);
    free(word);
    free(command);
}

/* What is asked, and what is answered, line by line. */
static void what_cannot_be_done_is_said_and_nothing_ends(void **state) {
    (void)state;
    static const char *const talk[][2] = {
        {"{\"id\":1,\"reset\":true}", "{\"id\":1,\"failed\":\"request: /: a hello comes first\"}\n"},
        {"{\"id\":2,\"hello\":{\"protocol\":2}}",
         "{\"id\":2,\"failed\":\"request: /hello/protocol: is 2, expected 1 to 1\"}\n"},
        {"{\"id\":3,\"hello\":{\"protocol\":1,\"setup\":[1]}}",
         "{\"id\":3,\"failed\":\"request: /hello/setup: has 1 items, expected 0\"}\n"},
        {"{\"id\":4,\"hello\":{\"protocol\":1}}",
         "{\"id\":4,\"world\":\"drawn\",\"version\":\"2\",\"types\":{\"room\":{},\"thing\":{\"on\":\"bool\","
         "\"level\":\"int\","
         "\"heat\":\"float\",\"note\":\"string\",\"hue\":[\"red\",\"light "
         "green\",\"it's\"],\"twin\":\"thing\",\"in\":\"room\"}},"
         "\"actions\":{\"go\":{\"way\":[\"east\",\"south\",\"west\",\"north\"]},\"set\":{\"on\":\"entity\","
         "\"level\":\"int\","
         "\"heat\":\"float\",\"note\":\"string\",\"is\":\"bool\"}},\"entities\":{\"room "
         "\\\"2\\\"\":\"room\"},\"can\":[\"paths\"],"
         "\"grid\":[7,5,3],\"step\":\"go\"}\n"},
        {"{\"id\":5,\"hello\":{\"protocol\":1}}",
         "{\"id\":5,\"failed\":\"request: /hello: it was greeted before\"}\n"},
        {"{\"id\":6,\"agent\":\"t\",\"do\":\"wait\"}",
         "{\"id\":6,\"failed\":\"request: /: a reset comes before the first action\"}\n"},
        {"{\"id\":7,\"reset\":true}", NULL},
        {"{\"id\":8,\"agent\":\"u\",\"do\":\"wait\"}",
         "{\"id\":8,\"failed\":\"request: /agent: no test agent \\\"u\\\" was greeted\"}\n"},
        {"{\"id\":9,\"agent\":\"t\",\"do\":\"fly\"}",
         "{\"id\":9,\"failed\":\"request: /do: the world has no action \\\"fly\\\"\"}\n"},
        {"{\"id\":10,\"agent\":\"t\",\"do\":\"go\"}",
         "{\"id\":10,\"failed\":\"request: /: lacks the key \\\"way\\\"\"}\n"},
        {"{\"id\":11,\"agent\":\"t\",\"do\":\"go\",\"way\":\"up\"}",
         "{\"id\":11,\"failed\":\"request: /way: this is none of way\"}\n"},
        {"{\"id\":12,\"agent\":\"t\",\"do\":\"wait\",\"way\":\"east\"}",
         "{\"id\":12,\"failed\":\"request: /way: unknown key \\\"way\\\"\"}\n"},
        {"{\"id\":13,\"agent\":\"t\",\"do\":\"set\",\"on\":\"t1\",\"level\":1.5,\"heat\":1,\"note\":null,"
         "\"is\":true}",
         "{\"id\":13,\"failed\":\"request: /level: this is not int\"}\n"},
        {"{\"id\":14,\"bye\":true}", ""},
    };
    for (size_t i = 0; i < sizeof talk / sizeof *talk; i++) {
        char *heard = NULL, *asked = cor_strdup("");
        size_t size;
        for (size_t line = 0; line <= i; line++)
            asked = cor_join_take(asked, "\n", cor_strdup(talk[line][0]));
        FILE *in = fmemopen(asked, strlen(asked), "r"), *out = open_memstream(&heard, &size);
        REQUIRE(system_layer__serve(open_drawn, NULL, in, out, &said));
        fclose(in);
        fclose(out);
        /* the last line */
        size_t at = size > 0 ? size - 1 : 0;
        while (at > 0 && heard[at - 1] != '\n')
            at--;
        if (talk[i][1] && talk[i][1][0])
            assert_string_equal(heard + at, talk[i][1]);
        free(heard);
        free(asked);
    }
}

static void a_line_that_is_no_request_ends_it(void **state) {
    (void)state;
    static const char *const lines[][2] = {
        {"hello", "request:1:5 is not valid JSON: '[' or '{' expected near 'hello'"},
        {"{}", "request: / lacks the key \"id\""},
        {"{\"id\":\"x\"}", "request: /id is a string, expected an integer"}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct cor_error error = COR_NO_ERROR;
        char text_of_it[2000];
        FILE *in = fmemopen((char *)(uintptr_t)lines[i][0], strlen(lines[i][0]), "r"),
             *out = fopen("/dev/null", "w");
        assert_int_equal(system_layer__serve(open_drawn, NULL, in, out, &error), COR_STATUS_INPUT);
        fclose(in);
        fclose(out);
        snprintf(text_of_it, sizeof text_of_it, "%s %s", error.place, error.cause);
        assert_string_equal(text_of_it, lines[i][1]);
    }
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_that_is_served_shows_what_it_shows_inside),
        cmocka_unit_test(what_cannot_be_done_is_said_and_nothing_ends),
        cmocka_unit_test(a_line_that_is_no_request_ends_it),
    };
    if (count > 1) {
        struct cor_error error = COR_NO_ERROR;
        return system_layer__serve(open_drawn, NULL, stdin, stdout, &error) != COR_OK;
    }
    self = arguments[0];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
