/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Policies: uniform picks by chi-square, the least done first, learnt values against breadth-first search,
 * tables that are written and read, and programs that misbehave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "require.h"

#include <corridor/array.h>
#include <corridor/json.h>
#include <corridor/policies.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 10
#define TABLE "test_policies.json"

enum { LIGHT, PLAYER, TYPE_COUNT };
enum { MOVE = COR_ACTION_FIRST, ACTION_COUNT };

static const struct cor_domain truths = {.type = COR_VALUE_TYPE_BOOLEAN, .name = "bool"};
static const struct cor_domain integers = {.type = COR_VALUE_TYPE_INTEGER, .name = "int"};
static const struct cor_world_property light[] = {{"on", &truths, COR_NONE}};
static const struct cor_world_property player[] = {{"x", &integers, COR_NONE}, {"y", &integers, COR_NONE}};
static const struct cor_entity_type types[] = {{"light", light, 1, COR_NONE},
                                               {"player", player, 2, COR_NONE}};
static const char *const direction_words[] = {"east", "south", "west", "north"};

/* A lamp, and somebody on a grid. */
static struct {
    struct cor_words words;
    uint32_t directions[4], lamp, t;
    struct cor_domain direction;
    struct cor_action_parameter parameter;
    struct cor_action actions[ACTION_COUNT];
    struct cor_declared_entity entities[2];
    struct cor_world_declaration declaration;
    struct cor_world_vocabulary *vocabulary;
    struct cor_beliefs *beliefs;
    struct cor_world_command commands[6];
    uint64_t tick;
} world;

static struct cor_rng stream(uint32_t entity) {
    return cor_rng_named(
        &(struct cor_stream_name){.seed = 32, .entity = entity, .purpose = COR_PURPOSE_TEST});
}

static int begin(void **unused) {
    (void)unused;
    for (int d = 0; d < 4; d++)
        REQUIRE(cor_words_intern(&world.words, direction_words[d], &world.directions[d], &said));
    REQUIRE(cor_words_intern(&world.words, "lamp", &world.lamp, &said));
    REQUIRE(cor_words_intern(&world.words, "t", &world.t, &said));
    world.direction = (struct cor_domain){COR_VALUE_TYPE_ENUMERATION, "direction", world.directions, 4};
    world.parameter = (struct cor_action_parameter){"to", &world.direction};
    world.actions[COR_ACTION_WAIT].name = "wait";
    world.actions[COR_ACTION_LOOK].name = "look";
    world.actions[MOVE] = (struct cor_action){"move", &world.parameter, 1};
    world.entities[0] = (struct cor_declared_entity){world.lamp, LIGHT};
    world.entities[1] = (struct cor_declared_entity){world.t, PLAYER};
    world.declaration = (struct cor_world_declaration){.name = "lamps",
                                                       .version = "1",
                                                       .types = types,
                                                       .actions = world.actions,
                                                       .entities = world.entities,
                                                       .type_count = TYPE_COUNT,
                                                       .action_count = ACTION_COUNT,
                                                       .entity_count = 2,
                                                       .words = &world.words,
                                                       .step = COR_NONE};
    REQUIRE(cor_world_vocabulary_create(&world.declaration, &world.vocabulary, &said));
    REQUIRE(cor_beliefs_create(world.vocabulary, &world.beliefs, &said));
    for (uint32_t c = 0; c < 4; c++)
        world.commands[c] =
            (struct cor_world_command){.action = MOVE, .arguments = {cor_word(world.directions[c])}};
    world.commands[4].action = COR_ACTION_WAIT;
    world.commands[5].action = COR_ACTION_LOOK;
    return 0;
}

static int end(void **unused) {
    (void)unused;
    cor_beliefs_destroy(world.beliefs);
    cor_world_vocabulary_destroy(world.vocabulary);
    cor_words_fini(&world.words);
    remove(TABLE);
    return 0;
}

static void show(bool is_on, uint32_t x, uint32_t y) {
    const struct cor_shown_entity entities[] = {{world.lamp, LIGHT, COR_NONE, 0, 1},
                                                {world.t, PLAYER, COR_NONE, 1, 2}};
    const struct cor_shown_value values[] = {
        {0, cor_integer(is_on)}, {0, cor_integer(x)}, {1, cor_integer(y)}};
    const struct cor_world_view view = {
        .tick = world.tick++, .entities = entities, .values = values, .entity_count = 2, .value_count = 3};
    REQUIRE(cor_beliefs_merge(world.beliefs, &view, &said));
}

/* The policy that the text says; NULL is none. */
static struct cor_policy *made(const char *text) {
    struct cor_json_document *document = NULL;
    struct cor_policy *policy;
    struct cor_json root, given;
    if (text) {
        char *whole = cor_format("{\"policy\": %s}", text);
        REQUIRE(cor_json_parse(whole, "system.json", &document, &said));
        root = cor_json_root(document);
        assert_true(cor_json_find(&root, "policy", &given));
        free(whole);
    }
    REQUIRE(cor_policy_create(&world.declaration, cor_world_vocabulary_scope(world.vocabulary),
                              text ? &given : NULL, NULL, &policy, &said));
    cor_json_destroy(document);
    return policy;
}

static uint32_t pick(struct cor_policy *policy, uint32_t count, struct cor_rng *rng) {
    enum cor_system_trouble trouble;
    uint32_t picked;
    REQUIRE(cor_policy_pick(policy, world.beliefs, world.commands, count, rng, &picked, &trouble, &said));
    assert_int_equal(trouble, 0);
    assert_true(picked < count);
    return picked;
}

static void in_order_is_the_first(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(1);
    const char *const texts[] = {NULL, "\"in order\""};
    show(false, 0, 0);
    for (int i = 0; i < 2; i++) {
        struct cor_policy *policy = made(texts[i]);
        for (int n = 0; n < 5; n++)
            assert_int_equal(pick(policy, 6, &rng), 0);
        cor_policy_destroy(policy);
    }
}

/* Chi-square with 5 degrees of freedom is above 20.5 in one of a thousand. */
static void random_is_uniform(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(2);
    struct cor_policy *policy = made("\"random\"");
    uint32_t counts[6] = {0};
    double square = 0;
    show(false, 0, 0);
    for (int n = 0; n < 6000; n++)
        counts[pick(policy, 6, &rng)]++;
    for (int c = 0; c < 6; c++)
        square += (counts[c] - 1000.) * (counts[c] - 1000.) / 1000.;
    assert_true(square < 20.5);
    cor_policy_destroy(policy);
}

static void the_least_done_is_done_first(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(3);
    struct cor_policy *policy = made("\"least_done\"");
    uint32_t firsts[6] = {0};
    double square = 0;
    for (int run = 0; run < 600; run++) {
        uint32_t counts[2][6] = {{0}};
        cor_policy_restart(policy);
        for (int n = 0; n < 24; n++) {
            const uint32_t state = cor_rng_below(&rng, 2);
            show(state == 1, cor_rng_below(&rng, SIDE), 0);
            const uint32_t picked = pick(policy, 6, &rng);
            firsts[picked] += n == 0;
            for (int c = 0; c < 6; c++)
                assert_true(counts[state][picked] <= counts[state][c]);
            counts[state][picked]++;
        }
    }
    for (int c = 0; c < 6; c++)
        square += (firsts[c] - 100.) * (firsts[c] - 100.) / 100.;
    assert_true(square < 20.5);
    cor_policy_destroy(policy);
}

/* A grid of which a fifth are walls, and the moves from each cell to the last one. */
static bool is_wall[SIDE][SIDE];
static uint32_t moves[SIDE][SIDE];

static void step(uint32_t *x, uint32_t *y, uint32_t direction) {
    static const int by[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const uint32_t to_x = *x + (uint32_t)by[direction][0], to_y = *y + (uint32_t)by[direction][1];
    if (to_x < SIDE && to_y < SIDE && !is_wall[to_y][to_x]) {
        *x = to_x;
        *y = to_y;
    }
}

/* By relaxing until nothing changes. */
static void find_moves(void) {
    memset(moves, 0x3f, sizeof moves);
    moves[SIDE - 1][SIDE - 1] = 0;
    for (int round = 0; round < SIDE * SIDE; round++)
        for (uint32_t y = 0; y < SIDE; y++)
            for (uint32_t x = 0; x < SIDE; x++)
                for (uint32_t d = 0; d < 4 && !is_wall[y][x]; d++) {
                    uint32_t to_x = x, to_y = y;
                    step(&to_x, &to_y, d);
                    if (moves[to_y][to_x] + 1 < moves[y][x])
                        moves[y][x] = moves[to_y][to_x] + 1;
                }
}

/* One walk from the first cell: its moves. */
static uint32_t walk(struct cor_policy *policy, uint32_t most, struct cor_rng *rng) {
    uint32_t x = 0, y = 0, count = 0;
    bool is_end = false;
    double reward;
    cor_policy_restart(policy);
    show(false, x, y);
    while (!is_end && count < most) {
        step(&x, &y, pick(policy, 4, rng));
        show(false, x, y);
        is_end = x == SIDE - 1 && y == SIDE - 1;
        REQUIRE(cor_policy_reward(policy, world.beliefs, is_end, is_end, &reward, &said));
        cor_policy_learn(policy, reward, is_end);
        count++;
    }
    return count;
}

static char *written(const struct cor_policy *policy) {
    struct cor_json_writer *writer;
    char *text;
    REQUIRE(cor_json_writer_create(&writer, &said));
    REQUIRE(cor_policy_write(policy, writer, &said));
    REQUIRE(cor_json_text_take(writer, 0, &text, &said));
    return text;
}

static void save(const char *text) {
    FILE *file = fopen(TABLE, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void learning_finds_the_shortest_way(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(4);
    do {
        for (uint32_t y = 0; y < SIDE; y++)
            for (uint32_t x = 0; x < SIDE; x++)
                is_wall[y][x] = cor_rng_below(&rng, 5) == 0;
        is_wall[0][0] = is_wall[SIDE - 1][SIDE - 1] = false;
        find_moves();
    } while (moves[0][0] > 1000);
    struct cor_policy *policy =
        made("{\"q\": {\"rate\": 0.5, \"discount\": 0.95, \"explore\": 0.3, \"by\": [\"t\"]}}");
    for (int run = 0; run < 1500; run++)
        (void)walk(policy, 400, &rng);
    char *text = written(policy);
    cor_policy_destroy(policy);
    save(text);

    struct cor_policy *trained = made("\"" TABLE "\"");
    const uint32_t length = walk(trained, 400, &rng);
    print_message("the shortest way has %u moves, the learnt one %u\n", moves[0][0], length);
    assert_int_equal(length, moves[0][0]);
    cor_policy_destroy(trained);

    /* A table that is read is written to the same again, and one learns on from it. */
    struct cor_policy *same = made("{\"q\": {\"table\": \"" TABLE "\"}}");
    char *again = written(same);
    assert_string_equal(again, text);
    (void)walk(same, 400, &rng);
    char *other = written(same);
    assert_string_not_equal(other, text);
    free(text);
    free(again);
    free(other);
    cor_policy_destroy(same);
}

/* One step by hand: 0.5 of the way to 2 + 0.5 times the best of what comes then, 4. */
static void a_value_goes_a_share_nearer(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(5);
    struct cor_policy *policy = made("{\"q\": {\"rate\": 0.5, \"discount\": 0.5, \"explore\": 0}}");
    show(true, 0, 0);
    assert_int_equal(pick(policy, 1, &rng), 0);
    cor_policy_learn(policy, 8, true); /* state on: east is worth 4 */
    show(false, 0, 0);
    assert_int_equal(pick(policy, 1, &rng), 0);
    show(true, 0, 0);
    cor_policy_learn(policy, 2, false);
    assert_int_equal(pick(policy, 1, &rng), 0); /* state off: east is worth 0.5 * (2 + 0.5 * 4) = 2 */
    char *text = written(policy);
    assert_non_null(strstr(text, "\"move east\",4.0,1]"));
    assert_non_null(strstr(text, "\"move east\",2.0,1]"));
    free(text);
    cor_policy_destroy(policy);
}

/* A turn to that cell, behind a pick where one is made. */
static double turn(struct cor_policy *policy, bool picks, uint32_t x, uint32_t y, bool is_end,
                   struct cor_rng *rng) {
    double reward;
    if (picks)
        (void)pick(policy, 4, rng);
    show(false, x, y);
    REQUIRE(cor_policy_reward(policy, world.beliefs, is_end, is_end, &reward, &said));
    cor_policy_learn(policy, reward, is_end);
    return reward;
}

/* By hand. A condition: discount / (1 + moves left behind the choice) - 1 / (1 + moves left before it), 0
 * left at the end, however many turns lie between two choices. */
static void what_a_turn_is_worth(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(8);
    struct cor_policy *policy = made("{\"q\": {\"by\": [\"t\"]}}");
    show(false, 0, 0);
    assert_true(turn(policy, true, 1, 0, false, &rng) == 0 && turn(policy, true, 2, 0, true, &rng) == 1);
    cor_policy_destroy(policy);

    policy = made("{\"q\": {\"by\": [\"t\"], \"reward\": \"new state\"}}");
    for (int run = 0; run < 3; run++) {
        if (run == 2)
            REQUIRE(cor_policy_forget(policy, &said));
        cor_policy_restart(policy);
        const double is_new = run == 1 ? 0 : 1;
        show(false, 0, 0);
        assert_true(turn(policy, true, 1, 0, false, &rng) == is_new);
        assert_true(turn(policy, true, 0, 0, false, &rng) == 0); /* where the run began is not new */
        assert_true(turn(policy, false, 2, 0, false, &rng) == is_new);
        assert_true(turn(policy, true, 3, 0, true, &rng) == is_new + 1);
    }
    char *table = written(policy);
    assert_non_null(strstr(table, "\"reward\":\"new state\""));
    save(table);
    free(table);
    cor_policy_destroy(policy);
    policy = made("{\"q\": {\"table\": \"" TABLE "\"}}"); /* the reward and what is known are the table's */
    cor_policy_restart(policy);
    show(false, 0, 0);
    assert_true(turn(policy, true, 2, 0, false, &rng) == 0);
    assert_true(turn(policy, true, 5, 5, false, &rng) == 1);
    cor_policy_destroy(policy);

    policy = made("{\"q\": {\"by\": [\"t\"], \"discount\": 0.5, \"reward\": \"t.x = 3 and t.y = 1\"}}");
    for (int run = 0; run < 2; run++) {
        cor_policy_restart(policy);
        show(false, 0, 0); /* 4 moves are left */
        assert_true(turn(policy, false, 0, 0, false, &rng) == 0);
        show(false, 0, 0);
        assert_true(turn(policy, true, 1, 0, false, &rng) == .5 / 4 - 1. / 5);
        const double two = turn(policy, false, 2, 0, false, &rng),
                     three = turn(policy, false, 3, 0, false, &rng);
        assert_true(fabs(two + three - (.5 / 2 - .5 / 4)) < 1e-15);
        assert_true(turn(policy, true, 2, 0, false, &rng) == .5 / 3 - 1. / 2);
        assert_true(turn(policy, true, 3, 1, true, &rng) == 1 - 1. / 3);
    }
    cor_policy_destroy(policy);

    policy = made("{\"q\": {\"by\": [\"t\"], \"rate\": 1, \"reward\": \"new state\"}}");
    cor_policy_restart(policy);
    show(false, 0, 0);
    assert_true(turn(policy, false, 1, 0, false, &rng) == 1); /* by no choice */
    assert_int_equal(pick(policy, 1, &rng), 0);
    assert_true(turn(policy, false, 1, 0, true, &rng) == 1); /* solved */
    table = written(policy);
    assert_non_null(strstr(table, "\"move east\",1.0,1]"));
    free(table);
    cor_policy_destroy(policy);

    policy = made("\"random\""); /* it is told nothing */
    assert_true(turn(policy, true, 3, 1, true, &rng) == 0);
    cor_policy_destroy(policy);
}

/* A condition as reward finds the shortest way in a tenth of the runs, past walls that it knows nothing of.
 */
static void a_condition_teaches_the_shortest_way_sooner(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(4);
    struct cor_policy *policy = made("{\"q\": {\"rate\": 0.5, \"explore\": 0.3, \"by\": [\"t\"], \"reward\": "
                                     "\"t.x = 9 and t.y = 9\"}}");
    assert_true(moves[0][0] > 0 && moves[0][0] < 1000);
    for (int run = 0; run < 150; run++)
        (void)walk(policy, 400, &rng);
    char *text = written(policy);
    cor_policy_destroy(policy);
    save(text);
    free(text);
    struct cor_policy *trained = made("\"" TABLE "\"");
    assert_int_equal(walk(trained, 400, &rng), moves[0][0]);
    cor_policy_destroy(trained);
}

#define ONE_KIND                                                                                            \
    "{\"least_done\": ..}, {\"q\": ..}, or {\"program\": ..} with \"answer_seconds\" and \"reward\"; of q " \
    "the "                                                                                                  \
    "reward stands in {\"q\": {..}}"

static const struct {
    const char *policy, *table;
    const char *place, *cause, *remedy;
} invalid[] = {
    {"\"randon\"", NULL, "system.json: /policy", "there is no policy \"randon\"",
     "did you mean \"random\"? known: in order, random, least_done"},
    {"3", NULL, "system.json: /policy", "is an integer, expected a string", ""},
    {"{\"q\": {}, \"least_done\": {}}", NULL, "system.json: /policy", "a policy has one kind", ONE_KIND},
    {"{\"answer_seconds\": 3}", NULL, "system.json: /policy", "a policy has one kind", ONE_KIND},
    {"{}", NULL, "system.json: /policy", "a policy has one kind", ONE_KIND},
    {"{\"q\": {\"rate\": 2}}", NULL, "system.json: /policy/q/rate", "is 2, expected 0 to 1", ""},
    {"{\"q\": {\"rat\": 1}}", NULL, "system.json: /policy/q/rat", "unknown key \"rat\"",
     "did you mean \"rate\"? known: rate, discount, explore, reward, by, table"},
    {"{\"q\": {\"reward\": 1}}", NULL, "system.json: /policy/q/reward", "is an integer, expected a string",
     ""},
    {"{\"q\": {\"reward\": \"new stat\"}}", NULL, "system.json: /policy/q/reward",
     "there is no reward \"new stat\", and no condition is written so",
     "did you mean \"new state\"? known: solved, new state, or a condition"},
    {"{\"q\": {\"reward\": \"\"}}", NULL, "system.json: /policy/q/reward",
     "there is no reward \"\", and no condition is written so", "known: solved, new state, or a condition"},
    {"{\"q\": {\"reward\": \"t.x > t.z\"}}", NULL, "system.json: /policy/q/reward",
     "column 9 of \"t.x > t.z\": there is no \"z\" of a player",
     "did you mean \"x\"? known: x, y, unseen, seen_at, changed_at, tried, floor"},
    {"{\"q\": {\"reward\": \"t.x + 1\"}}", NULL, "system.json: /policy/q/reward",
     "column 1 of \"t.x + 1\": it is a number where a condition is expected",
     "compare it with another: a <= b"},
    {"{\"q\": {\"reward\": \"1 = 2\"}}", NULL, "system.json: /policy/q/reward",
     "the condition names nothing that a choice could change", "name what the world shows"},
    {"{\"q\": {\"reward\": \"t.x = 3 and reward > 2\"}}", NULL, "system.json: /policy/q/reward",
     "a reward cannot depend on \"reward\"", "name what the world shows"},
    {"{\"q\": {}, \"reward\": \"solved\"}", NULL, "system.json: /policy", "a policy has one kind", ONE_KIND},
    {"{\"reward\": \"solved\"}", NULL, "system.json: /policy", "a policy has one kind", ONE_KIND},
    {"{\"program\": \"cat\", \"reward\": \"solvd\"}", NULL, "system.json: /policy/reward",
     "there is no reward \"solvd\", and no condition is written so",
     "did you mean \"solved\"? known: solved, new state, or a condition"},
    {"{\"least_done\": {\"reward\": \"solved\"}}", NULL, "system.json: /policy/least_done/reward",
     "unknown key \"reward\"", "known: by"},
    {"{\"q\": {\"table\": \"" TABLE "\"}}",
     "{\"policy\": \"q\", \"version\": 1, \"reward\": \"u.x = 1\", \"values\": []}", TABLE ": /reward",
     "column 1 of \"u.x = 1\": there is no \"u\"",
     "did you mean \"t\"? known: cycle, reward, sees, age, changed, tried, distance, light, player, lamp, t"},
    {"{\"program\": 3}", NULL, "system.json: /policy/program", "is an integer, expected a string", ""},
    {"\"" TABLE "\"", "{", TABLE ":1:1", "is not valid JSON: string or '}' expected near end of file",
     "a bracket or quotation mark is not closed"},
    {"\"" TABLE "\"", "{\"policy\": \"p\"}", TABLE ": /policy",
     "is \"p\", and a table of learnt values is \"q\"", "a table that corridor system train wrote"},
    {"\"" TABLE "\"", "{\"policy\": \"q\", \"version\": 2}", TABLE ": /version",
     "is version 2, and 1 is read", "a table that this corridor's system train wrote"},
    {"\"" TABLE "\"", "{\"policy\": \"q\", \"version\": 1}", TABLE ": /", "lacks the key \"values\"", ""},
    {"\"" TABLE "\"", "{\"policy\": \"q\", \"version\": 1, \"values\": [[\"0x1\", \"a\", 1]]}",
     TABLE ": /values/0", "has 3 items, expected 4", ""},
    {"\"" TABLE "\"", "{\"policy\": \"q\", \"version\": 1, \"values\": [[\"0x1\", \"a\", 1e300, 1]]}",
     TABLE ": /values/0/2", "is 1e+300, expected -1e+15 to 1e+15", ""},
    {"\"" TABLE "\"",
     "{\"policy\": \"q\", \"version\": 1, \"values\": [[\"0x1\", \"a\", 1, 1], [\"0x1\", \"a\", 2, 1]]}",
     TABLE ": /values/1", "action \"a\" of this state stands there already",
     "each action of a state stands in the table once"},
    {"{\"q\": {\"by\": [\"t\"], \"table\": \"" TABLE "\"}}",
     "{\"policy\": \"q\", \"version\": 1, \"by\": [], \"values\": []}", "system.json: /policy/q/by",
     "the table says already what states are told by", "leave it out"},
};

static void what_is_no_policy_is_refused(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        struct cor_json_document *document;
        struct cor_policy *policy;
        struct cor_error error = COR_NO_ERROR;
        if (invalid[i].table)
            save(invalid[i].table);
        char *whole = cor_format("{\"policy\": %s}", invalid[i].policy);
        REQUIRE(cor_json_parse(whole, "system.json", &document, &said));
        free(whole);
        const struct cor_json root = cor_json_root(document), given = cor_json_at(&root, 0);
        assert_int_equal(cor_policy_create(&world.declaration, cor_world_vocabulary_scope(world.vocabulary),
                                           &given, NULL, &policy, &error),
                         COR_STATUS_INPUT);
        assert_null(policy);
        assert_string_equal(error.place, invalid[i].place);
        assert_string_equal(error.cause, invalid[i].cause);
        assert_string_equal(error.remedy, invalid[i].remedy);
        cor_json_destroy(document);
    }
}

#define HELLO "read l; echo '{\\\"id\\\":1,\\\"policy\\\":\\\"p\\\"}'; read l; "
#define SAYS(text) HELLO "echo '" text "'; read l; read l"

static const struct {
    const char *command;
    double seconds;
    enum cor_system_trouble trouble;
    const char *words; /* part of them */
} programs[] = {
    {SAYS("{\\\"id\\\":2,\\\"picked\\\":1}"), 60, (enum cor_system_trouble)0, ""},
    {HELLO "while :; do read l || :; done", 0.3, COR_SYSTEM_HUNG, "no answer in 0.3 s"},
    {SAYS("yes"), 60, COR_SYSTEM_GARBLED, "yes"},
    {SAYS("{\\\"id\\\":7,\\\"picked\\\":1}"), 60, COR_SYSTEM_GARBLED, "it answers 7, but asked was 2"},
    {SAYS("{\\\"id\\\":2,\\\"picked\\\":6}"), 60, COR_SYSTEM_GARBLED, "expected"},
    {SAYS("{\\\"id\\\":2,\\\"picked\\\":-1}"), 60, COR_SYSTEM_GARBLED, "expected"},
    {SAYS("{\\\"id\\\":2,\\\"picked\\\":\\\"move\\\"}"), 60, COR_SYSTEM_GARBLED, "expected"},
    {SAYS("{\\\"id\\\":2}"), 60, COR_SYSTEM_GARBLED, "picked"},
    {SAYS("{\\\"id\\\":2,\\\"picked\\\":1,\\\"more\\\":1}"), 60, COR_SYSTEM_GARBLED, "more"},
    {HELLO "exit 3", 60, COR_SYSTEM_DIED, "exit code 3"},
    {HELLO "kill -9 $$", 60, COR_SYSTEM_DIED, "signal 9"},
    {HELLO "printf '{'", 60, COR_SYSTEM_DIED, "half a line"},
    /* To begin takes as long as it takes. */
    {"sleep 0.4; read l; echo '{\\\"id\\\":1,\\\"protocol\\\":1}'; read l", 0.2, COR_SYSTEM_GARBLED,
     "protocol"},
    {"read l; exit 0", 60, COR_SYSTEM_DIED, "exit code 0"},
};

static void what_a_program_does_wrong_is_trouble(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(6);
    show(false, 0, 0);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        char text[2048];
        snprintf(text, sizeof text, "{\"program\": \"%s\", \"answer_seconds\": %g}", programs[i].command,
                 programs[i].seconds);
        struct cor_policy *policy = made(text);
        for (int time = 0; time < 2; time++) { /* the second time it begins anew, but for who is well */
            enum cor_system_trouble trouble;
            uint32_t picked;
            if (time == 1 && programs[i].trouble == (enum cor_system_trouble)0)
                break;
            REQUIRE(
                cor_policy_pick(policy, world.beliefs, world.commands, 6, &rng, &picked, &trouble, &said));
            if (trouble != programs[i].trouble || !strstr(cor_policy_words(policy), programs[i].words))
                fail_msg("%s: %d, %s", programs[i].command, trouble, cor_policy_words(policy));
            assert_int_equal(picked, programs[i].trouble == (enum cor_system_trouble)0);
        }
        cor_policy_destroy(policy);
    }
}

/* What a program is told, word by word: it answers only that. */
static void a_program_is_told_what_there_is(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(7);
    struct cor_policy *policy =
        made("{\"program\": \"read l; echo '{\\\"id\\\":1,\\\"policy\\\":\\\"p\\\"}'; read l; case $l in "
             "'{\\\"id\\\":2,\\\"pick\\\":{\\\"first\\\":true,'*'\\\"among\\\":[\\\"move east\\\",\\\"move "
             "south\\\","
             "\\\"move west\\\",\\\"move north\\\",\\\"wait\\\",\\\"look\\\"]}}') echo "
             "'{\\\"id\\\":2,\\\"picked\\\":5}';; esac; "
             "read l; case $l in '{\\\"id\\\":3,\\\"pick\\\":{\\\"first\\\":false,'*'\\\"reward\\\":1.5,'*) "
             "echo '{\\\"id\\\":3,\\\"picked\\\":2}';; esac; read l\"}");
    show(false, 0, 0);
    assert_int_equal(pick(policy, 6, &rng), 5);
    cor_policy_learn(policy, 1.5, false);
    assert_int_equal(pick(policy, 6, &rng), 2);
    cor_policy_destroy(policy);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_order_is_the_first),
                                       cmocka_unit_test(random_is_uniform),
                                       cmocka_unit_test(the_least_done_is_done_first),
                                       cmocka_unit_test(learning_finds_the_shortest_way),
                                       cmocka_unit_test(what_a_turn_is_worth),
                                       cmocka_unit_test(a_condition_teaches_the_shortest_way_sooner),
                                       cmocka_unit_test(a_value_goes_a_share_nearer),
                                       cmocka_unit_test(what_is_no_policy_is_refused),
                                       cmocka_unit_test(what_a_program_does_wrong_is_trouble),
                                       cmocka_unit_test(a_program_is_told_what_there_is)};
    return cmocka_run_group_tests_name("policies", tests, begin, end);
}
