/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * On drawn levels of the world `rooms`, an entity is reached and a door seen open exactly where breadth-first
 * search over the true level says that it can be; and where the level's model and a planner say so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/rehearsal.h>

#include "draw_level.h"
#include "require.h"
#include "setting.h"
#include "toggling_level.h"

#define DOORS_MOST 10 /* more are too many combinations for the search over the true level */

static uint32_t levels = 40, planned_levels = 30;

/* What came of it, and after how many actions. */
static enum cor_travel_answer pursue(struct setting *it, const char *target, const char *wanted,
                                     uint32_t *cycles) {
    struct cor_achievement *achievement;
    struct cor_expression condition = {0};
    enum cor_travel_answer answer;
    if (wanted)
        REQUIRE(cor_expression_parse_condition(wanted, cor_world_vocabulary_scope(it->vocabulary), NULL,
                                               &condition, &said));
    const struct cor_achievement_definition definition = {.travel = it->travel,
                                                          .beliefs = it->beliefs,
                                                          .wanted = wanted ? &condition : NULL,
                                                          .target = wanted ? (struct cor_believed){0, 0}
                                                                           : entity_called(it, target),
                                                          .action = it->press,
                                                          .among = it->button};
    REQUIRE(cor_achievement_create(&definition, &achievement, &said));
    for (*cycles = 0;; ++*cycles) {
        struct cor_world_command command;
        REQUIRE(cor_achievement_next(achievement, &answer, &command, &said));
        if (answer != COR_TRAVEL_STEP || *cycles == 20000)
            break;
        act(it, &command);
    }
    cor_achievement_destroy(achievement);
    cor_expression_fini(&condition);
    return answer;
}

/* Cells from one to another that pass no door, as the inputs of models are walks. */
static uint32_t walk_length(const struct toggling_level *it, uint32_t from, uint32_t to) {
    static uint32_t distance[TOGGLING_CELLS], queue[TOGGLING_CELLS];
    uint32_t head = 0, tail = 0;
    const uint32_t plane = it->columns * it->rows;
    memset(distance, 0xff, sizeof distance);
    distance[from] = 0;
    queue[tail++] = from;
    while (head < tail && distance[to] == TOGGLING_NEVER) {
        const uint32_t cell = queue[head++], column = cell % it->columns, row = cell / it->columns % it->rows;
        uint32_t next[6];
        uint32_t count = 0;
        if (column > 0)
            next[count++] = cell - 1;
        if (column + 1 < it->columns)
            next[count++] = cell + 1;
        if (row > 0)
            next[count++] = cell - it->columns;
        if (row + 1 < it->rows)
            next[count++] = cell + it->columns;
        if (it->kind[cell] == 's')
            next[count++] = cell + plane;
        if (cell >= plane && it->kind[cell - plane] == 's')
            next[count++] = cell - plane;
        for (uint32_t n = 0; n < count; n++)
            if (distance[next[n]] == TOGGLING_NEVER && it->kind[next[n]] != 'w' &&
                (it->kind[next[n]] != 'd' || next[n] == to)) {
                distance[next[n]] = distance[cell] + 1;
                queue[tail++] = next[n];
            }
    }
    assert_int_not_equal(distance[to], TOGGLING_NEVER);
    return distance[to];
}

/* Actions of the plan with the fewest inputs, as it is walked in the true level; NEVER: proven, there is
 * none. */
static uint32_t plan(const struct toggling_level *truth, const struct cor_efsm *model, const char *name) {
    const struct cor_efsm_goal *goal = NULL;
    struct cor_efsm_problem *problem;
    struct cor_rehearsal rehearsal = {0};
    uint32_t actions = 0, at = truth->start, doors = 0;
    for (uint32_t g = 0; g < model->goal_count; g++)
        goal = strcmp(model->goals[g].name, name) == 0 ? &model->goals[g] : goal;
    if (!goal) /* nothing leads there at all */
        return TOGGLING_NEVER;
    REQUIRE(cor_efsm_problem_create(model, goal, &problem, &said));
    struct cor_rehearsal_definition definition = {
        .kind = cor_planner_find("search"), .planner = cor_default_planner(), .moves = 10000};
    definition.planner.problem = cor_efsm_planning_problem(problem);
    definition.planner.model = model;
    definition.planner.goal = goal;
    definition.planner.efsm = problem;
    REQUIRE(cor_rehearse(&definition, &rehearsal, &said));
    assert_true(rehearsal.end == COR_ADVICE_COVERED || rehearsal.end == COR_ADVICE_LOST);
    for (uint32_t i = 0; i < rehearsal.length; i++) {
        const char *input = model->input_names[model->transitions[rehearsal.labels[i]].input];
        const uint32_t to = toggling_find(truth, strchr(input, '_') + 1);
        actions += walk_length(truth, at, to);
        at = to;
        assert_true(toggling_is_free(truth, at, doors) || at == truth->start);
        if (input[0] == 'p') {
            actions++;
            doors ^= truth->toggles[at];
        }
    }
    if (rehearsal.end == COR_ADVICE_LOST)
        actions = TOGGLING_NEVER;
    cor_rehearsal_fini(&rehearsal);
    cor_efsm_problem_destroy(problem);
    return actions;
}

static void exactly_what_a_planner_plans_is_done(void **unused) {
    static struct toggling_level truth;
    uint32_t possible[2] = {0, 0}, cycles_sum = 0, planned_sum = 0, more = 0;
    (void)unused;
    for (uint32_t l = 0; l < planned_levels; l++) {
        struct draw_level drawn = draw_level_default(l, l + 2000);
        drawn.floors = 1 + l % 4 / 3;
        drawn.hazards = 0; /* models leave them out */
        char *text = draw_level(&drawn), *model_text;
        struct cor_rooms_level *level;
        struct cor_efsm *model;
        toggling_read(&truth, text);
        REQUIRE(cor_rooms_level_parse(text, "level", &level, NULL, &said));
        REQUIRE(cor_rooms_level_model(level, &model_text, &said));
        REQUIRE(cor_efsm_parse(model_text, "model", &model, &said));
        for (uint32_t goal = 0; goal <= truth.door_count; goal++) {
            struct setting setting = {0};
            const char *door = goal == 0 ? "" : truth.name[truth.door_cell[goal - 1]];
            char name[64], wanted[64];
            uint32_t cycles;
            snprintf(name, sizeof name, "%s%s", goal == 0 ? "reach_key1" : "open_", door);
            snprintf(wanted, sizeof wanted, "%s.open", door);
            const uint32_t planned = plan(&truth, model, name);
            begin(&setting, text, TOGGLING_ALL, 0);
            const enum cor_travel_answer answer =
                pursue(&setting, "key1", goal == 0 ? NULL : wanted, &cycles);
            end(&setting);
            if (answer != (planned == TOGGLING_NEVER ? COR_TRAVEL_NO_WAY : COR_TRAVEL_THERE))
                fail_msg("level %u, %s: answer %d, planned %d\n%s", l, name, (int)answer, (int)planned, text);
            possible[planned != TOGGLING_NEVER]++;
            if (planned != TOGGLING_NEVER) {
                cycles_sum += cycles;
                planned_sum += planned;
                more += cycles > planned;
            }
        }
        cor_efsm_destroy(model);
        cor_rooms_level_destroy(level);
        free(model_text);
        free(text);
    }
    print_message("%u levels: %u goals planned, %u proven impossible; %u actions where plans have %u, ratio "
                  "%.2f; %u of the goals took more\n",
                  planned_levels, possible[1], possible[0], cycles_sum, planned_sum,
                  (double)cycles_sum / planned_sum, more);
    assert_true(possible[0] > planned_levels / 4 && possible[1] > planned_levels / 4);
    assert_true(cycles_sum < 3 * planned_sum);
}

static void exactly_what_is_possible_is_done(void **unused) {
    static const uint32_t views[] = {2, 4, TOGGLING_ALL};
    static struct toggling_level truth;
    (void)unused;
    for (int v = 0; v < 3; v++) {
        double ratio = 0;
        uint32_t compared = 0, possible[2] = {0, 0}, wrong = 0, most = 0, too_many = 0;
        for (uint32_t l = 0; l < levels; l++) {
            struct draw_level drawn = draw_level_default(l, l + 1000);
            drawn.floors = 1 + l % 4 / 3;
            drawn.hazards = l % 5 == 0 ? 2 : 0;
            if (l % 3 == 2) {
                drawn.columns = 4;
                drawn.rows = drawn.floors == 1 ? 3 : 2;
                drawn.buttons = 10;
                drawn.more_links = 8;
            }
            char *text = draw_level(&drawn);
            toggling_read(&truth, text);
            too_many += truth.door_count > DOORS_MOST;
            for (uint32_t goal = 0; truth.door_count <= DOORS_MOST && goal <= truth.door_count; goal++) {
                struct setting setting = {0};
                const uint32_t door = goal == 0 ? TOGGLING_NEVER : goal - 1;
                uint32_t cycles;
                char wanted[32];
                snprintf(wanted, sizeof wanted, "%s.open",
                         goal == 0 ? "" : truth.name[truth.door_cell[goal - 1]]);
                const uint32_t optimum =
                    toggling_optimum(&truth, toggling_find(&truth, "key1"), door, views[v]);
                begin(&setting, text, views[v], 0);
                const enum cor_travel_answer answer =
                    pursue(&setting, "key1", goal == 0 ? NULL : wanted, &cycles);
                end(&setting);
                possible[optimum != TOGGLING_NEVER]++;
                most = cycles > most ? cycles : most;
                if (answer != (optimum == TOGGLING_NEVER ? COR_TRAVEL_NO_WAY : COR_TRAVEL_THERE)) {
                    wrong++;
                    print_message("view %d level %u goal %s: answer %d, optimum %d, %u cycles\n",
                                  (int)views[v], l, goal == 0 ? "key1" : wanted, answer, (int)optimum,
                                  cycles);
                } else if (optimum != TOGGLING_NEVER && optimum > 0) {
                    assert_true(cycles >= optimum);
                    ratio += (double)cycles / optimum;
                    compared++;
                }
            }
            free(text);
        }
        print_message(
            "view %d: %u goals possible, %u not, %u wrong; cycles over the optimum %.2f, at most %u; %u "
            "levels left out\n",
            (int)views[v], possible[1], possible[0], wrong, ratio / compared, most, too_many);
        assert_int_equal(wrong, 0);
        assert_true(possible[0] > 10 && possible[1] > 10);
    }
}

/* What is seen late is waited for: the same is possible, and no more. */
static void a_view_that_lags_changes_nothing(void **unused) {
    static struct toggling_level truth;
    (void)unused;
    for (uint32_t l = 0; l < levels / 4; l++) {
        const struct draw_level drawn = draw_level_default(l, l + 1000);
        char *text = draw_level(&drawn);
        toggling_read(&truth, text);
        for (uint32_t lag = 1; lag < 8; lag += 3) {
            struct setting setting = {0};
            uint32_t cycles;
            const uint32_t optimum =
                toggling_optimum(&truth, toggling_find(&truth, "key1"), TOGGLING_NEVER, 3);
            begin(&setting, text, 3, lag);
            const enum cor_travel_answer answer = pursue(&setting, "key1", NULL, &cycles);
            end(&setting);
            assert_int_equal(answer, optimum == TOGGLING_NEVER ? COR_TRAVEL_NO_WAY : COR_TRAVEL_THERE);
        }
        free(text);
    }
}

int main(int argument_count, char **arguments) {
    if (argument_count > 1)
        levels = (uint32_t)strtoul(arguments[1], NULL, 10);
    if (argument_count > 2)
        planned_levels = (uint32_t)strtoul(arguments[2], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(exactly_what_is_possible_is_done),
                                       cmocka_unit_test(exactly_what_a_planner_plans_is_done),
                                       cmocka_unit_test(a_view_that_lags_changes_nothing)};
    return cmocka_run_group_tests_name("achievement", tests, NULL, NULL);
}
