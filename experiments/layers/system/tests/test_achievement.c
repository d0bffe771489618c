/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * On drawn levels of the world `rooms`, an entity is reached and a door seen open exactly where breadth-first
 * search over the true level says that it can be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "draw_level.h"
#include "require.h"
#include "setting.h"
#include "toggling_level.h"

#define DOORS_MOST 10 /* more are too many combinations for the search over the true level */

static uint32_t levels = 40;

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
    const struct CMUnitTest tests[] = {cmocka_unit_test(exactly_what_is_possible_is_done),
                                       cmocka_unit_test(a_view_that_lags_changes_nothing)};
    return cmocka_run_group_tests_name("achievement", tests, NULL, NULL);
}
