/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model of a level beside the world that runs it: all states that the world comes to by brute force are
 * those that the model says, and no others; its goals can be reached where the world comes there. Variants of
 * a layout have equivalent models, mutants of the logic different ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/array.h>
#include <corridor/efsm_conformance.h>
#include <corridor/json.h>
#include <corridor/rooms.h>

#include "draw_level.h"
#include "require.h"

#define CELLS_MAX 1024u
#define DOORS_MAX 8
#define STATES_MAX (CELLS_MAX << DOORS_MAX)

/* A level with its world, and what was met of it. Cells as in sim/navigation. */
struct brute {
    struct cor_rooms_level *level;
    struct cor_live_world *world;
    struct cor_efsm *model;
    char cells[CELLS_MAX][24];
    uint32_t columns, rows, floors, cell_count;
    uint32_t door_count;
    char doors[DOORS_MAX][24];
    uint8_t met[STATES_MAX];     /* by the world: [doors that are open << 10 | cell] */
    uint8_t allowed[STATES_MAX]; /* by the model */
    uint32_t parent[STATES_MAX];
    struct cor_world_command by[STATES_MAX];
    uint32_t queue[STATES_MAX];
};

static struct cor_efsm *model_of(const struct cor_rooms_level *level) {
    struct cor_efsm *model = NULL;
    char *text = NULL;
    REQUIRE(cor_rooms_level_model(level, &text, &said));
    REQUIRE(cor_efsm_parse(text, "model", &model, &said));
    free(text);
    return model;
}

static void read_cells(struct brute *it, const char *text) {
    const char *at = strchr(text, '|');
    uint32_t column = 0, row = 0, length;
    it->floors = it->cell_count = it->door_count = it->rows = 0;
    for (; *at; at += length + (at[length] != '\0')) {
        if (*at == '|') {
            it->floors++;
            at++;
        }
        length = (uint32_t)strcspn(at, ",\n");
        char *cell = it->cells[it->cell_count++];
        snprintf(cell, 24, "%.*s", (int)length, at);
        if (strncmp(cell, "f:d", 3) == 0)
            snprintf(it->doors[it->door_count++], 24, "%s", strchr(cell, '^') + 1);
        column++;
        if (at[length] == '\n') {
            it->columns = column;
            column = 0;
            row++;
        }
    }
    it->rows = row / it->floors;
    assert_true(it->cell_count <= CELLS_MAX && it->door_count <= DOORS_MAX);
}

static uint32_t door_index(const struct brute *it, const char *name) {
    for (uint32_t d = 0; d < it->door_count; d++)
        if (strcmp(it->doors[d], name) == 0)
            return d;
    return COR_NONE;
}

/* The state behind what a view of everything changes in it. */
static uint32_t state_behind(const struct brute *it, uint32_t state, const struct cor_world_view *view) {
    for (uint32_t e = 0; e < view->entity_count; e++) {
        const struct cor_shown_entity *entity = &view->entities[e];
        const struct cor_entity_type *type = &it->world->declaration->types[entity->type];
        const struct cor_shown_value *values = &view->values[entity->value_start];
        if (strcmp(type->name, "player") == 0) {
            const int64_t cell =
                (values[2].value.as.integer * it->rows + values[1].value.as.integer) * it->columns +
                values[0].value.as.integer;
            state = (state & ~(uint32_t)(CELLS_MAX - 1)) | (uint32_t)cell;
        } else if (strcmp(type->name, "door") == 0) {
            const uint32_t bit =
                CELLS_MAX << door_index(it, cor_words_text(it->world->declaration->words, entity->identity));
            state = values[3].value.as.integer ? state | bit : state & ~bit;
        }
    }
    return state;
}

static uint32_t act(struct brute *it, uint32_t state, const struct cor_world_command *command) {
    struct cor_world_view view;
    enum cor_system_trouble trouble;
    REQUIRE(it->world->kind->act(it->world, 0, command, &view, &trouble, &said));
    return state_behind(it, state, &view);
}

/* From the beginning, by what led there. */
static uint32_t replay(struct brute *it, uint32_t state) {
    struct cor_world_view view;
    enum cor_system_trouble trouble;
    uint32_t path[4096], length = 0;
    for (uint32_t s = state; it->parent[s] != COR_NONE; s = it->parent[s])
        path[length++] = s;
    REQUIRE(it->world->kind->reset(it->world, &view, &trouble, &said));
    uint32_t now = state_behind(it, 0, &view);
    while (length > 0)
        now = act(it, now, &it->by[path[--length]]);
    return now;
}

static void explore_world(struct brute *it) {
    struct cor_world_view view;
    enum cor_system_trouble trouble;
    uint32_t count = 0;
    REQUIRE(it->world->kind->reset(it->world, &view, &trouble, &said));
    const uint32_t first = state_behind(it, 0, &view);
    it->met[first] = 1;
    it->parent[first] = COR_NONE;
    it->queue[count++] = first;
    const struct cor_domain *directions =
        it->world->declaration->actions[COR_ACTION_FIRST].parameters->domain;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t state = it->queue[i];
        const char *cell = it->cells[state % CELLS_MAX];
        for (uint32_t a = 0; a <= directions->word_count; a++) {
            const bool presses = a == directions->word_count;
            if (presses && strncmp(cell, "f:b^", 4) != 0)
                continue;
            const struct cor_world_command command = {
                COR_ACTION_FIRST + presses,
                {cor_word(presses ? cor_words_find(it->world->declaration->words, cell + 4)
                                  : directions->words[a])}};
            const uint32_t next = act(it, replay(it, state), &command);
            if (it->met[next])
                continue;
            it->met[next] = 1;
            it->parent[next] = state;
            it->by[next] = command;
            it->queue[count++] = next;
        }
    }
}

/* Cells to which one can walk from there without entering a door. */
static void walk(struct brute *it, uint32_t cell, uint8_t walked[CELLS_MAX]) {
    const uint32_t plane = it->columns * it->rows, column = cell % it->columns,
                   row = cell % plane / it->columns;
    walked[cell] = 1;
    const uint32_t next[] = {column > 0 ? cell - 1 : COR_NONE,
                             column + 1 < it->columns ? cell + 1 : COR_NONE,
                             row > 0 ? cell - it->columns : COR_NONE,
                             row + 1 < it->rows ? cell + it->columns : COR_NONE,
                             strncmp(it->cells[cell], "f:s", 3) == 0 ? cell + plane : COR_NONE,
                             cell >= plane && strncmp(it->cells[cell - plane], "f:s", 3) == 0 ? cell - plane
                                                                                              : COR_NONE};
    for (size_t i = 0; i < sizeof next / sizeof *next; i++)
        if (next[i] != COR_NONE && it->cells[next[i]][0] == 'f' && !walked[next[i]] &&
            strncmp(it->cells[next[i]], "f:d", 3) != 0)
            walk(it, next[i], walked);
}

/* The cell of a location's thing: "start", "at_b1". */
static uint32_t location_cell(const struct brute *it, uint32_t location) {
    const char *name = it->model->location_names[location];
    for (uint32_t cell = 0; cell < it->cell_count; cell++) {
        const char *text = it->cells[cell];
        if (strcmp(name, "start") == 0 ? strncmp(text, "f:a", 3) == 0
                                       : strchr(text, '^') && strcmp(strchr(text, '^') + 1, name + 3) == 0)
            return cell;
    }
    fail_msg("no location %s", name);
    return COR_NONE;
}

static uint32_t model_doors(const struct brute *it, const int64_t *values) {
    uint32_t open = 0;
    for (uint32_t v = 0; v < it->model->variable_count; v++) {
        char name[32];
        snprintf(name, sizeof name, "%s", it->model->variables[v].name);
        if (it->model->variables[v].kind != COR_EFSM_STATE)
            continue;
        name[strlen(name) - strlen("_open")] = '\0';
        open |= (uint32_t)values[v] << door_index(it, name);
    }
    return open;
}

/* All states of the model; of each the cells to which one can walk. What goals were hit is told. */
static void explore_model(struct brute *it, bool *hit) {
    const struct cor_efsm *model = it->model;
    const uint32_t width = model->variable_count;
    size_t capacity = 0, location_capacity = 0;
    int64_t *states = NULL, next[COR_EFSM_VARIABLES_MAX];
    uint32_t *locations = NULL, count = 1;
    uint8_t *met = cor_calloc((size_t)model->location_count << DOORS_MAX, 1);
    REQUIRE(COR_RESERVE(&states, &capacity, width, &said));
    REQUIRE(COR_RESERVE(&locations, &location_capacity, 1, &said));
    cor_efsm_start(model, states);
    locations[0] = model->initial;
    met[(size_t)model->initial << DOORS_MAX] = 1;
    for (uint32_t s = 0; s < count; s++) {
        const uint32_t cell = location_cell(it, locations[s]);
        const uint32_t open = model_doors(it, &states[(size_t)s * width]);
        uint8_t walked[CELLS_MAX] = {0};
        walk(it, cell, walked);
        for (uint32_t c = 0; c < it->cell_count; c++)
            it->allowed[open * CELLS_MAX + c] |= walked[c];
        for (uint32_t t = 0; t < model->transition_count; t++) {
            const int64_t *values = &states[(size_t)s * width];
            if (model->transitions[t].source != locations[s] || !cor_efsm_step(model, t, values, next))
                continue;
            for (uint32_t g = 0; g < model->goal_count; g++)
                hit[g] = hit[g] || cor_efsm_hits(model, &model->goals[g].traps[0], t, values);
            const uint32_t to = model->transitions[t].target;
            uint8_t *is_met = &met[((size_t)to << DOORS_MAX) + model_doors(it, next)];
            if (*is_met)
                continue;
            *is_met = 1;
            REQUIRE(COR_RESERVE(&states, &capacity, (size_t)(count + 1) * width, &said));
            REQUIRE(COR_RESERVE(&locations, &location_capacity, (size_t)count + 1, &said));
            memcpy(&states[(size_t)count * width], next, width * sizeof *next);
            locations[count++] = to;
        }
    }
    free(states);
    free(locations);
    free(met);
}

/* Does the world come there, by its states alone: "press_b1", "enter_d1", "reach_key" its cell, "open_d1". */
static bool comes_there(const struct brute *it, const char *goal) {
    const bool opens = strncmp(goal, "open_", 5) == 0;
    const char *name = strchr(goal, '_') + 1;
    for (uint32_t s = 0; s < STATES_MAX; s++) {
        const char *hat = strchr(it->cells[s % CELLS_MAX], '^');
        if (it->met[s] &&
            (opens ? (s / CELLS_MAX >> door_index(it, name) & 1) != 0 : hat && strcmp(hat + 1, name) == 0))
            return true;
    }
    return false;
}

static void open_brute(struct brute *it, const char *text) {
    REQUIRE(cor_rooms_level_parse(text, "level", &it->level, NULL, &said));
    const struct cor_rooms_definition definition = {.level = it->level, .view = UINT32_MAX};
    REQUIRE(cor_rooms_create(&definition, &it->world, &said));
    it->model = model_of(it->level);
    memset(it->met, 0, sizeof it->met);
    memset(it->allowed, 0, sizeof it->allowed);
    memset(it->cells, 0, sizeof it->cells);
    read_cells(it, text);
}

static void close_brute(struct brute *it) {
    cor_efsm_destroy(it->model);
    cor_live_world_close(it->world);
    cor_rooms_level_destroy(it->level);
}

/* How many states and goals are reached, and goals are not. */
struct reached {
    uint32_t states, goals, never;
};

static void expect_same_states(struct brute *it, const char *text, struct reached *reached) {
    open_brute(it, text);
    bool *hit = cor_calloc(it->model->goal_count, sizeof *hit);
    explore_world(it);
    explore_model(it, hit);
    assert_memory_equal(it->met, it->allowed, sizeof it->met);
    for (uint32_t s = 0; s < STATES_MAX; s++)
        reached->states += it->met[s];
    for (uint32_t g = 0; g < it->model->goal_count; g++) {
        if (hit[g] != comes_there(it, it->model->goals[g].name))
            fail_msg("goal %s of\n%s", it->model->goals[g].name, text);
        reached->goals += hit[g];
        reached->never += !hit[g];
    }
    free(hit);
    close_brute(it);
}

static void the_model_reaches_what_the_world_does(void **state) {
    (void)state;
    struct brute *it = malloc(sizeof *it);
    struct reached reached = {0};
    for (uint64_t seed = 0, levels = 0; levels < 50; seed++) {
        const struct draw_level drawn = {seed, seed, 3, 2, 1 + (uint32_t)(seed % 2), 4, 2, 0, 1, 2, 20};
        char *text = draw_level(&drawn);
        uint32_t doors = 0;
        for (const char *at = text; (at = strstr(at, "f:d>")); at++)
            doors++;
        if (doors <= DOORS_MAX) {
            expect_same_states(it, text, &reached);
            levels++;
        }
        free(text);
    }
    assert_true(reached.states > 3000 && reached.goals > 150 && reached.never > 150);
    /* Doors beside doors, and one above a stair. */
    expect_same_states(it, "b1,d1\nb2,d2\n|f:b^b2,f:a^t,f:b^b1,f:d>e^d1,f:d>e^d2,f:g^key\n", &reached);
    expect_same_states(it, "b1,d1\nb2,d2\n|f:a^t,f:b^b1,f:s^s1,f:b^b2\n|w,f:g^key,f:d>e^d1,f:d>e^d2\n",
                       &reached);
    free(it);
}

/* start to b1 and d1; b1 again, and to d1; d1 to b1 and the key; the key to d1. */
static void a_button_can_be_pressed_again(void **state) {
    (void)state;
    struct cor_rooms_level *level = NULL;
    REQUIRE(cor_rooms_level_parse("b1,d1\n|f:a^t,f:b^b1,f:d>e^d1,f:g^key\n", "level", &level, NULL, &said));
    struct cor_efsm *model = model_of(level);
    static const char *const expected[][2] = {
        {"start", "press_b1"}, {"start", "enter_d1"},  {"at_b1", "press_b1"}, {"at_b1", "enter_d1"},
        {"at_d1", "press_b1"}, {"at_d1", "reach_key"}, {"at_key", "enter_d1"}};
    assert_int_equal(model->transition_count, sizeof expected / sizeof *expected);
    for (uint32_t t = 0; t < model->transition_count; t++) {
        assert_string_equal(model->location_names[model->transitions[t].source], expected[t][0]);
        assert_string_equal(model->input_names[model->transitions[t].input], expected[t][1]);
    }
    static const char *const goals[] = {"press_b1", "enter_d1", "open_d1", "reach_key"};
    assert_int_equal(model->goal_count, 4);
    for (uint32_t g = 0; g < 4; g++)
        assert_string_equal(model->goals[g].name, goals[g]);
    cor_efsm_destroy(model);
    cor_rooms_level_destroy(level);
}

static enum cor_efsm_difference compare(const struct cor_rooms_level *level,
                                        const struct cor_rooms_level *other) {
    struct cor_efsm *model = model_of(level), *changed = model_of(other);
    struct cor_efsm_comparison comparison = {0}, back = {0};
    REQUIRE(cor_efsm_compare(model, changed, 1000000, NULL, &comparison, &said));
    REQUIRE(cor_efsm_compare(changed, model, 1000000, NULL, &back, &said));
    const enum cor_efsm_difference difference =
        comparison.difference == COR_EFSM_EQUIVALENT ? back.difference : comparison.difference;
    cor_efsm_comparison_fini(&comparison);
    cor_efsm_comparison_fini(&back);
    cor_efsm_destroy(model);
    cor_efsm_destroy(changed);
    return difference;
}

static struct cor_rooms_level *parse(const char *text) {
    struct cor_rooms_level *level = NULL;
    REQUIRE(cor_rooms_level_parse(text, "level", &level, NULL, &said));
    return level;
}

static void variants_have_equivalent_models(void **state) {
    (void)state;
    for (uint64_t logic = 0; logic < 20; logic++) {
        struct draw_level drawn = draw_level_default(logic, 0);
        char *text = draw_level(&drawn);
        struct cor_rooms_level *level = parse(text);
        free(text);
        for (drawn.layout = 1; drawn.layout < 6; drawn.layout++) {
            text = draw_level(&drawn);
            struct cor_rooms_level *other = parse(text);
            assert_int_equal(compare(level, other), COR_EFSM_EQUIVALENT);
            cor_rooms_level_destroy(other);
            free(text);
        }
        cor_rooms_level_destroy(level);
    }
}

/* Of the level of ten buttons, all but these: who pressed b9, which shuts its own room, must press it again
 * to get out, so that what else it toggles shows nowhere. Hazards are no part of models. */
static bool is_equivalent(const char *mutant) {
    static const char *const names[] = {"link b9-d4 removed", "link b9-d1 added", "link b9-d2 added",
                                        "link b9-d4 to d1", "link b9-d4 to d2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(mutant, names[i]) == 0)
            return true;
    return strncmp(mutant, "hazard", 6) == 0;
}

static void mutants_have_other_models(void **state) {
    (void)state;
    char *text = NULL;
    size_t length;
    REQUIRE(cor_json_read_text(TEST_SOURCE_DIR "/experiments/library/systems/rooms/ten_buttons.csv", &text,
                               &length, &said));
    struct cor_rooms_level *level = parse(text);
    uint32_t different = 0;
    const uint32_t count = cor_rooms_level_mutant_count(level);
    for (uint32_t m = 0; m < count; m++) {
        char name[200];
        struct cor_rooms_level *changed = NULL;
        cor_rooms_level_mutant_name(level, m, name, sizeof name);
        REQUIRE(cor_rooms_level_mutate(level, name, &changed, &said));
        const enum cor_efsm_difference difference = compare(level, changed);
        if (difference != (is_equivalent(name) ? COR_EFSM_EQUIVALENT : COR_EFSM_DIFFERENT))
            fail_msg("%s: %d", name, (int)difference);
        different += difference == COR_EFSM_DIFFERENT;
        cor_rooms_level_destroy(changed);
    }
    assert_int_equal(count, 99);
    assert_int_equal(different, 90);
    cor_rooms_level_destroy(level);
    free(text);
}

static void levels_without_a_model_are_refused(void **state) {
    (void)state;
    struct cor_bytes text = {0};
    cor_bytes_print(&text, "|f:a^t");
    for (int d = 0; d < 64; d++)
        cor_bytes_print(&text, ",f:d>e^d%d", d);
    struct cor_rooms_level *level = parse(cor_bytes_text(&text));
    struct cor_error error = COR_NO_ERROR;
    char *model;
    assert_int_equal(cor_rooms_level_model(level, &model, &error), COR_STATUS_INPUT);
    assert_null(model);
    assert_string_equal(error.cause, "the level has 64 doors, and a model at most 63");
    cor_rooms_level_destroy(level);
    cor_bytes_clear(&text);
    cor_bytes_print(&text, "|f:a^t");
    for (int i = 0; i < 101; i++)
        cor_bytes_print(&text, ",f:g^i%d", i);
    level = parse(cor_bytes_text(&text));
    error = COR_NO_ERROR;
    assert_int_equal(cor_rooms_level_model(level, &model, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "the model of the level has more than 10,000 transitions");
    cor_rooms_level_destroy(level);
    cor_bytes_fini(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_reaches_what_the_world_does),
        cmocka_unit_test(a_button_can_be_pressed_again),
        cmocka_unit_test(variants_have_equivalent_models),
        cmocka_unit_test(mutants_have_other_models),
        cmocka_unit_test(levels_without_a_model_are_refused),
    };
    return cmocka_run_group_tests_name("rooms_model", tests, NULL, NULL);
}
