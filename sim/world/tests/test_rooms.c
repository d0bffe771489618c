/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The world `rooms` against a second, naive one that works on the text of its level: where test agents are,
 * doors, buttons, hp and what is seen, over drawn actions. And rules by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/array.h>
#include <corridor/beliefs.h>
#include <corridor/rooms.h>

#include "draw_level.h"
#include "require.h"

enum { MOVE = COR_ACTION_FIRST, PRESS };
static const char *const type_names[] = {"button", "door", "hazard", "item", "player"};

/* ---- the naive world */

struct naive_agent {
    char name[24];
    int x, y, floor, hp;
};

struct naive {
    char cells[3][48][48][24];
    int columns, rows, floors;
    char links[64][24][24]; /* [line][0: button, then doors] */
    int line_count;
    char on[64][24], open[64][24]; /* buttons that are on, doors that are open: their names; "" free */
    struct naive_agent agents[8];
    int agent_count;
};

static bool naive_has(char names[64][24], const char *name) {
    for (int i = 0; i < 64; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void naive_toggle(char names[64][24], const char *name) {
    const bool had = naive_has(names, name);
    for (int i = 0; i < 64; i++)
        if (strcmp(names[i], had ? name : "") == 0) {
            snprintf(names[i], 24, "%s", had ? "" : name);
            return;
        }
}

/* The text up to the sign, which is cut off; NULL: there is no more. */
static char *cut(char **rest, char sign) {
    char *text = *rest, *end = text ? strchr(text, sign) : NULL;
    *rest = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    return text;
}

static void naive_read(struct naive *world, const char *text) {
    memset(world, 0, sizeof *world);
    int floor = -1, row = 0;
    char *copy = cor_strdup(text), *rest = copy, *line;
    while ((line = cut(&rest, '\n')) && line[0] != '\0') {
        char *field, *fields = line + (line[0] == '|');
        int column = 0;
        if (line[0] == '|') {
            floor++;
            row = 0;
        }
        while ((field = cut(&fields, ','))) {
            snprintf(floor < 0 ? world->links[world->line_count][column] : world->cells[floor][row][column],
                     24, "%s", field);
            column++;
        }
        if (floor < 0) {
            world->line_count++;
        } else {
            row++;
            world->columns = column;
        }
    }
    world->rows = row;
    world->floors = floor + 1;
    for (int f = 0; f < world->floors; f++)
        for (int y = 0; y < world->rows; y++)
            for (int x = 0; x < world->columns; x++)
                if (strncmp(world->cells[f][y][x], "f:a", 3) == 0) {
                    struct naive_agent *agent = &world->agents[world->agent_count++];
                    *agent = (struct naive_agent){"", x, y, f, 10};
                    snprintf(agent->name, sizeof agent->name, "%s", strchr(world->cells[f][y][x], '^') + 1);
                }
    free(copy);
}

/* The cell's text; "w" outside. */
static const char *naive_cell(const struct naive *world, int x, int y, int floor) {
    return x >= 0 && y >= 0 && floor >= 0 && x < world->columns && y < world->rows && floor < world->floors
               ? world->cells[floor][y][x]
               : "w";
}

static bool naive_blocks(struct naive *world, int x, int y, int floor) {
    const char *cell = naive_cell(world, x, y, floor);
    return cell[0] == 'w' || (strncmp(cell, "f:d", 3) == 0 && !naive_has(world->open, strchr(cell, '^') + 1));
}

static void naive_act(struct naive *world, int a, const char *action, const char *argument) {
    struct naive_agent *agent = &world->agents[a];
    const char *here = naive_cell(world, agent->x, agent->y, agent->floor);
    if (agent->hp == 0)
        return;
    if (strcmp(action, "press") == 0 && strncmp(here, "f:b^", 4) == 0 && strcmp(here + 4, argument) == 0) {
        naive_toggle(world->on, argument);
        for (int l = 0; l < world->line_count; l++)
            for (int d = 1; strcmp(world->links[l][0], argument) == 0 && world->links[l][d][0]; d++)
                naive_toggle(world->open, world->links[l][d]);
    }
    int x = agent->x, y = agent->y, floor = agent->floor;
    if (strcmp(action, "move") == 0) {
        x += (strcmp(argument, "east") == 0) - (strcmp(argument, "west") == 0);
        y += (strcmp(argument, "south") == 0) - (strcmp(argument, "north") == 0);
        floor += strcmp(argument, "up") == 0 && strncmp(here, "f:s", 3) == 0;
        floor -= strcmp(argument, "down") == 0 && strncmp(naive_cell(world, x, y, floor - 1), "f:s", 3) == 0;
    }
    if (!naive_blocks(world, x, y, floor)) {
        agent->x = x;
        agent->y = y;
        agent->floor = floor;
    }
    agent->hp -= strncmp(naive_cell(world, agent->x, agent->y, agent->floor), "f:h", 3) == 0;
}

/* The nearest cells to the straight line; half of one is away from the test agent. */
static bool naive_sees(struct naive *world, int a, int radius, int x, int y, int floor) {
    const struct naive_agent *agent = &world->agents[a];
    const int across = x - agent->x, down = y - agent->y;
    const int most = abs(across) > abs(down) ? abs(across) : abs(down);
    if (most == 0 && floor == agent->floor + 1)
        return strncmp(naive_cell(world, x, y, agent->floor), "f:s", 3) == 0;
    if (most == 0 && floor == agent->floor - 1)
        return strncmp(naive_cell(world, x, y, floor), "f:s", 3) == 0;
    if (floor != agent->floor || most > radius)
        return false;
    for (int i = 1; i < most; i++) {
        const int dx = (2 * i * abs(across) + most) / (2 * most),
                  dy = (2 * i * abs(down) + most) / (2 * most);
        if (naive_blocks(world, agent->x + (across < 0 ? -dx : dx), agent->y + (down < 0 ? -dy : dy), floor))
            return false;
    }
    return true;
}

/* ---- both, side by side */

struct both {
    struct cor_rooms_level *level;
    struct cor_live_world *world;
    struct naive *history; /* [tick % HISTORY] */
    struct cor_world_view view;
    int radius; /* -1: everything */
    uint32_t lag;
    uint64_t tick;
    bool seen[8][3][48][48]; /* cells by test agent */
    struct naive *shown_before[8];
};

#define HISTORY 8

static uint32_t word_of(const struct both *both, const char *text) {
    return cor_words_find(both->world->declaration->words, text);
}

static const struct cor_shown_entity *find_shown(const struct both *both, const char *name) {
    const uint32_t word = word_of(both, name);
    const struct cor_shown_entity *found = NULL;
    for (uint32_t e = 0; e < both->view.entity_count; e++)
        if (both->view.entities[e].identity == word) {
            assert_null(found); /* once */
            found = &both->view.entities[e];
        }
    return found;
}

static void expect_shown(const struct both *both, bool is_there, const char *name, const char *type,
                         const int *values, uint32_t value_count) {
    const struct cor_shown_entity *entity = find_shown(both, name);
    if (!is_there) {
        assert_null(entity);
        return;
    }
    if (!entity)
        fail_msg("%s is not shown in tick %llu", name, (unsigned long long)both->tick);
    assert_string_equal(both->world->declaration->types[entity->type].name, type);
    assert_int_equal(entity->value_count, value_count);
    for (uint32_t v = 0; v < value_count; v++) {
        const struct cor_shown_value *value = &both->view.values[entity->value_start + v];
        assert_int_equal(value->property, v);
        assert_int_equal(value->value.kind, COR_VALUE_INTEGER);
        if (value->value.as.integer != values[v])
            fail_msg("%s: value %u is %lld, expected %d, in tick %llu", name, v,
                     (long long)value->value.as.integer, values[v], (unsigned long long)both->tick);
    }
}

/* The view is what test agent `a` sees in the naive world of so many ticks ago. */
static void expect_view(struct both *both, int a) {
    const uint64_t tick = both->tick > both->lag ? both->tick - both->lag : 0;
    struct naive *now = &both->history[tick % HISTORY], *before = both->shown_before[a];
    uint32_t expected = 0, cells = 0;
    assert_int_equal(both->view.tick, tick);
    assert_int_equal(both->view.mode, both->radius < 0 ? COR_VIEW_CHANGES : COR_VIEW_SIGHT);
    for (int f = 0; f < now->floors; f++)
        for (int y = 0; y < now->rows; y++)
            for (int x = 0; x < now->columns; x++) {
                const char *cell = now->cells[f][y][x], *hat = strchr(cell, '^');
                const bool is_seen = both->radius < 0 || naive_sees(now, a, both->radius, x, y, f);
                if (is_seen && !both->seen[a][f][y][x]) {
                    const struct cor_shown_cell *shown = NULL;
                    for (uint32_t c = 0; c < both->view.cell_count; c++)
                        if (both->view.cells[c].column == (uint32_t)x &&
                            both->view.cells[c].row == (uint32_t)y &&
                            both->view.cells[c].floor == (uint32_t)f)
                            shown = &both->view.cells[c];
                    assert_non_null(shown);
                    assert_int_equal(shown->is_free, cell[0] == 'f');
                    for (int stair = f - 1; stair <= f; stair++) { /* stairs that end there */
                        bool is_linked = false;
                        for (uint32_t l = 0; l < both->view.link_count; l++)
                            is_linked = is_linked || (both->view.links[l].lower[0] == (uint32_t)x &&
                                                      both->view.links[l].lower[1] == (uint32_t)y &&
                                                      both->view.links[l].lower[2] == (uint32_t)stair &&
                                                      both->view.links[l].upper[0] == (uint32_t)x &&
                                                      both->view.links[l].upper[1] == (uint32_t)y &&
                                                      both->view.links[l].upper[2] == (uint32_t)stair + 1);
                        assert_int_equal(is_linked, strncmp(naive_cell(now, x, y, stair), "f:s", 3) == 0);
                    }
                    both->seen[a][f][y][x] = true;
                    cells++;
                }
                if (!hat || cell[2] == 'a' || cell[2] == 's')
                    continue;
                const bool is_button = cell[2] == 'b', is_door = cell[2] == 'd';
                const bool bit =
                    is_button ? naive_has(now->on, hat + 1) : is_door && naive_has(now->open, hat + 1);
                const bool was = is_button ? before && naive_has(before->on, hat + 1)
                                           : is_door && before && naive_has(before->open, hat + 1);
                const int values[] = {x, y, f, bit};
                const bool is_shown = both->radius < 0 ? !before || bit != was : is_seen;
                expect_shown(both, is_shown, hat + 1,
                             type_names[is_button        ? 0
                                        : is_door        ? 1
                                        : cell[2] == 'h' ? 2
                                                         : 3],
                             values, is_button || is_door ? 4 : 3);
                expected += is_shown;
            }
    for (int p = 0; p < now->agent_count; p++) {
        const struct naive_agent *agent = &now->agents[p];
        const int values[] = {agent->x, agent->y, agent->floor, agent->hp};
        const bool is_shown =
            both->radius < 0 ? !before || memcmp(agent, &before->agents[p], sizeof *agent) != 0
                             : p == a || naive_sees(now, a, both->radius, agent->x, agent->y, agent->floor);
        expect_shown(both, is_shown, agent->name, "player", values, 4);
        expected += is_shown;
    }
    assert_int_equal(both->view.entity_count, expected);
    assert_int_equal(both->view.cell_count, cells);
    if (!before)
        before = both->shown_before[a] = malloc(sizeof *before);
    *before = *now;
}

static void open_both(struct both *both, const char *text, int radius, uint32_t lag) {
    enum cor_system_trouble trouble;
    *both = (struct both){.radius = radius, .lag = lag};
    both->history = calloc(HISTORY, sizeof *both->history);
    naive_read(&both->history[0], text);
    REQUIRE(cor_rooms_level_parse(text, "level", &both->level, NULL, &said));
    const struct cor_rooms_definition definition = {
        .level = both->level, .view = radius < 0 ? UINT32_MAX : (uint32_t)radius, .lag = lag};
    REQUIRE(cor_rooms_create(&definition, &both->world, &said));
    REQUIRE(both->world->kind->reset(both->world, &both->view, &trouble, &said));
    expect_view(both, 0);
}

static void close_both(struct both *both) {
    cor_live_world_close(both->world);
    cor_rooms_level_destroy(both->level);
    for (int a = 0; a < 8; a++)
        free(both->shown_before[a]);
    free(both->history);
}

static void act_both(struct both *both, int a, const char *action, const char *argument) {
    enum cor_system_trouble trouble = COR_SYSTEM_DIED;
    struct cor_world_command command = {0};
    for (uint32_t i = 0; i < both->world->declaration->action_count; i++)
        if (strcmp(both->world->declaration->actions[i].name, action) == 0)
            command.action = i;
    if (argument[0] != '\0')
        command.arguments[0] = cor_word(word_of(both, argument));
    if (command.action != COR_ACTION_LOOK) {
        const struct naive *last = &both->history[both->tick % HISTORY];
        struct naive *now = &both->history[++both->tick % HISTORY];
        *now = *last;
        naive_act(now, a, action, argument);
    }
    REQUIRE(both->world->kind->act(both->world, (uint32_t)a, &command, &both->view, &trouble, &said));
    assert_int_equal(trouble, 0);
    expect_view(both, a);
}

/* One action by lot: mostly moves, and the button that one stands on. */
static void act_by_lot(struct both *both, struct cor_rng *rng) {
    static const char *const words[] = {"east", "south", "west", "north", "up", "down"};
    const struct naive *now = &both->history[both->tick % HISTORY];
    const int a = (int)cor_rng_below(rng, (uint32_t)now->agent_count);
    const uint32_t lot = cor_rng_below(rng, 100);
    const struct naive_agent *agent = &now->agents[a];
    const char *here = now->cells[agent->floor][agent->y][agent->x];
    char button[24] = "b1";
    if (strncmp(here, "f:b^", 4) == 0)
        snprintf(button, sizeof button, "%s", here + 4);
    const bool has_stairs = both->world->declaration->actions[MOVE].parameters[0].domain->word_count == 6;
    const char *direction = words[cor_rng_below(rng, has_stairs ? 6 : 4)];
    if (lot < 20 && strcmp(here, "f:s") != 0)
        act_both(both, a, "press", button);
    else if (lot < 22)
        act_both(both, a, "press", agent->name); /* no button */
    else if (lot < 25)
        act_both(both, a, lot < 23 ? "look" : "wait", "");
    else
        act_both(both, a, "move", direction);
}

static void it_is_as_a_naive_one_over_drawn_actions(void **state) {
    (void)state;
    uint32_t opened = 0, climbed = 0, dead = 0;
    struct both *both = malloc(sizeof *both);
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct draw_level it = draw_level_default(seed, seed);
        it.floors = 1 + (uint32_t)(seed % 3);
        it.starts = 3;
        it.hazards = (uint32_t)(seed % 4 * 4);
        char *text = draw_level(&it);
        static const int radii[] = {4, -1, 2, 7, 1, 50};
        open_both(both, text, radii[seed % 6], seed % 5 == 0 ? (uint32_t)(seed / 5 % 5) : 0);
        struct cor_rng rng = draw_stream(seed, 3);
        for (int i = 0; i < 200; i++)
            act_by_lot(both, &rng);
        const struct naive *end = &both->history[both->tick % HISTORY];
        for (int i = 0; i < 64; i++)
            opened += end->open[i][0] != '\0';
        for (int a = 0; a < end->agent_count; a++) {
            climbed += end->agents[a].floor > 0;
            dead += end->agents[a].hp == 0;
        }
        close_both(both);
        free(text);
    }
    assert_true(opened > 60 && climbed > 50 && dead > 50);
    free(both);
}

/* In open space with drawn walls, from every cell. */
static void lines_of_sight_are_as_nearest_cells_say(void **state) {
    (void)state;
    struct both *both = malloc(sizeof *both);
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct cor_rng rng = draw_stream(seed, 4);
        struct cor_bytes text = {0};
        for (uint32_t y = 0; y < 15; y++)
            for (uint32_t x = 0; x < 15; x++) {
                const uint32_t lot = cor_rng_below(&rng, 100);
                const bool is_start = x == seed % 15 && y == seed / 4;
                cor_bytes_print(&text, "%s%s%s", x == 0 && y == 0 ? "|" : "",
                                is_start   ? "f:a^t"
                                : lot < 15 ? "w"
                                           : "f",
                                x < 14 ? "," : "\n");
            }
        open_both(both, cor_bytes_text(&text), (int)(seed % 15), 0);
        for (int i = 0; i < 60; i++)
            act_by_lot(both, &rng);
        close_both(both);
        cor_bytes_fini(&text);
    }
    free(both);
}

/* ---- rules by hand */

static void a_door_that_shuts_on_somebody_lets_it_leave(void **state) {
    (void)state;
    struct both *both = malloc(sizeof *both);
    open_both(both, "b1,d1\n|f:a^u,f:b^b1,f:d>e^d1,f,f:a^t\n", 4, 0);
    act_both(both, 0, "press", "b1"); /* from elsewhere: nothing */
    act_both(both, 0, "move", "east");
    act_both(both, 0, "move", "east"); /* shut */
    act_both(both, 0, "press", "b1");
    act_both(both, 1, "move", "west");
    act_both(both, 1, "move", "west");
    act_both(both, 0, "press", "b1"); /* on u, in the door */
    assert_int_equal(both->history[both->tick % HISTORY].agents[1].x, 2);
    act_both(both, 1, "move", "east");
    assert_int_equal(both->history[both->tick % HISTORY].agents[1].x, 3);
    act_both(both, 1, "move", "west"); /* not in again */
    assert_int_equal(both->history[both->tick % HISTORY].agents[1].x, 3);
    close_both(both);
    free(both);
}

static void a_hazard_takes_hp_until_nothing_is_left(void **state) {
    (void)state;
    struct both *both = malloc(sizeof *both);
    open_both(both, "|f:a^t,f:h^h1,f\n", 4, 0);
    for (int i = 0; i < 12; i++) {
        act_both(both, 0, i == 0 ? "move" : "wait", i == 0 ? "east" : "");
        assert_int_equal(both->history[both->tick % HISTORY].agents[0].hp, i < 10 ? 9 - i : 0);
    }
    act_both(both, 0, "move", "east"); /* dead */
    assert_int_equal(both->history[both->tick % HISTORY].agents[0].x, 1);
    close_both(both);
    free(both);
}

static void a_reset_is_the_beginning(void **state) {
    (void)state;
    struct both *both = malloc(sizeof *both);
    enum cor_system_trouble trouble;
    open_both(both, "b1,d1\n|f:a^t,f:b^b1,f:d>e^d1,f:s^s1,f\n|w,w,w,f,f\n", 4, 2);
    for (int lap = 0; lap < 3; lap++) {
        struct cor_rng rng = draw_stream(7, (uint32_t)lap);
        for (int i = 0; i < 50; i++)
            act_by_lot(both, &rng);
        char *text = cor_rooms_level_text(both->level);
        naive_read(&both->history[0], text);
        free(text);
        both->tick = 0;
        memset(both->seen, 0, sizeof both->seen);
        free(both->shown_before[0]);
        both->shown_before[0] = NULL;
        REQUIRE(both->world->kind->reset(both->world, &both->view, &trouble, &said));
        expect_view(both, 0);
    }
    close_both(both);
    free(both);
}

static enum cor_status try_create(const char *const *names, uint32_t count, uint32_t lag,
                                  struct cor_error *error) {
    struct cor_rooms_level *level;
    struct cor_live_world *world;
    REQUIRE(cor_rooms_level_parse("b1,d1\n|f:a^t,f:b^b1,f:d>e^d1,f:a^u\n", "level", &level, NULL, &said));
    const struct cor_rooms_definition definition = {level, 4, lag, names, count};
    const enum cor_status status = cor_rooms_create(&definition, &world, error);
    if (status == COR_OK) {
        struct cor_world_vocabulary *vocabulary;
        struct cor_world_view view;
        enum cor_system_trouble trouble;
        REQUIRE(cor_world_vocabulary_create(world->declaration, &vocabulary, &said));
        cor_world_vocabulary_destroy(vocabulary);
        assert_int_equal(world->declaration->entity_count, 2 + (count ? count : 2));
        REQUIRE(world->kind->reset(world, &view, &trouble, &said));
        const struct cor_shown_entity *first = &view.entities[view.entity_count - 1];
        assert_string_equal(cor_words_text(world->declaration->words, first->identity),
                            count ? names[0] : "t");
        assert_int_equal(view.values[first->value_start].value.as.integer, count == 2 ? 3 : 0);
    }
    cor_live_world_close(world);
    cor_rooms_level_destroy(level);
    return status;
}

static void test_agents_begin_at_their_starts(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    REQUIRE(try_create(NULL, 0, 0, &said));
    REQUIRE(try_create((const char *const[]){"me"}, 1, 0, &said));
    REQUIRE(try_create((const char *const[]){"me", "t"}, 2, 0, &said)); /* t's start is t's */
    assert_int_equal(try_create((const char *const[]){"a", "b", "c"}, 3, 0, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "there are 3 test agents, and the level has 2 starts");
    error = COR_NO_ERROR;
    assert_int_equal(try_create((const char *const[]){"b1"}, 1, 0, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "a test agent is called \"b1\", and so is another entity");
    error = COR_NO_ERROR;
    assert_int_equal(try_create((const char *const[]){"a", "a"}, 2, 0, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "a test agent is called \"a\", and so is another entity");
    error = COR_NO_ERROR;
    assert_int_equal(try_create(NULL, 0, 10001, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "a view is late by more than 10,000 ticks");
}

/* A test agent that sees what its view says and believes it. */
static void its_views_are_believed(void **state) {
    (void)state;
    struct both *both = malloc(sizeof *both);
    struct cor_world_vocabulary *vocabulary;
    struct cor_beliefs *beliefs;
    const struct draw_level it = {3, 3, 3, 2, 2, 6, 1, 2, 1, 4, 30};
    char *text = draw_level(&it);
    for (int radius = -1; radius <= 4; radius += 5) {
        open_both(both, text, radius, 0);
        REQUIRE(cor_world_vocabulary_create(both->world->declaration, &vocabulary, &said));
        REQUIRE(cor_beliefs_create(vocabulary, &beliefs, &said));
        struct cor_rng rng = draw_stream(1, 5);
        for (int i = 0; i < 200; i++) {
            REQUIRE(cor_beliefs_merge(beliefs, &both->view, &said));
            act_by_lot(both, &rng);
        }
        cor_beliefs_destroy(beliefs);
        cor_world_vocabulary_destroy(vocabulary);
        close_both(both);
    }
    free(text);
    free(both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_as_a_naive_one_over_drawn_actions),
        cmocka_unit_test(lines_of_sight_are_as_nearest_cells_say),
        cmocka_unit_test(a_door_that_shuts_on_somebody_lets_it_leave),
        cmocka_unit_test(a_hazard_takes_hp_until_nothing_is_left),
        cmocka_unit_test(a_reset_is_the_beginning),
        cmocka_unit_test(test_agents_begin_at_their_starts),
        cmocka_unit_test(its_views_are_believed),
    };
    return cmocka_run_group_tests_name("rooms", tests, NULL, NULL);
}
