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
#include "toggling_level.h"

#include <corridor/rooms.h>
#include <corridor/travel.h>

#define DOORS_MOST 10 /* more are too many combinations for the search over the true level */

static uint32_t levels = 40;

/* A level with a test agent in it. */
struct setting {
    struct cor_rooms_level *level;
    struct cor_live_world *world;
    struct cor_world_vocabulary *vocabulary;
    struct cor_beliefs *beliefs;
    struct cor_travel *travel;
    uint32_t press, button;
};

static void merge(struct setting *it, const struct cor_world_view *view) {
    REQUIRE(cor_beliefs_merge(it->beliefs, view, &said));
    REQUIRE(cor_travel_merge(it->travel, view, &said));
}

static void begin(struct setting *it, const char *text, uint32_t view, uint32_t lag) {
    static const char *const names[] = {"t1"};
    struct cor_world_view shown;
    enum cor_system_trouble trouble = (enum cor_system_trouble)0;
    REQUIRE(cor_rooms_level_parse(text, "level", &it->level, NULL, &said));
    const struct cor_rooms_definition definition = {it->level, view, lag, names, 1};
    REQUIRE(cor_rooms_create(&definition, &it->world, &said));
    REQUIRE(cor_world_vocabulary_create(it->world->declaration, &it->vocabulary, &said));
    REQUIRE(cor_beliefs_create(it->vocabulary, &it->beliefs, &said));
    REQUIRE(cor_travel_create(it->world->declaration, it->beliefs, "t1", &it->travel, &said));
    const struct cor_world_declaration *declaration = it->world->declaration;
    for (uint32_t a = 0; a < declaration->action_count; a++)
        it->press = strcmp(declaration->actions[a].name, "press") == 0 ? a : it->press;
    for (uint32_t t = 0; t < declaration->type_count; t++)
        it->button = strcmp(declaration->types[t].name, "button") == 0 ? t : it->button;
    REQUIRE(it->world->kind->reset(it->world, &shown, &trouble, &said));
    merge(it, &shown);
}

static void end(struct setting *it) {
    cor_travel_destroy(it->travel);
    cor_beliefs_destroy(it->beliefs);
    cor_world_vocabulary_destroy(it->vocabulary);
    cor_live_world_close(it->world);
    cor_rooms_level_destroy(it->level);
}

static void act(struct setting *it, const struct cor_world_command *command) {
    struct cor_world_view shown;
    enum cor_system_trouble trouble = (enum cor_system_trouble)0;
    REQUIRE(cor_travel_note_command(it->travel, command, &said));
    REQUIRE(it->world->kind->act(it->world, 0, command, &shown, &trouble, &said));
    merge(it, &shown);
}

static struct cor_believed entity_called(const struct setting *it, const char *name) {
    struct cor_believed found;
    assert_true(cor_beliefs_find(it->beliefs, cor_words_find(it->world->declaration->words, name), &found));
    return found;
}

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

int main(int argument_count, char **arguments) {
    if (argument_count > 1)
        levels = (uint32_t)strtoul(arguments[1], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(exactly_what_is_possible_is_done)};
    return cmocka_run_group_tests_name("achievement", tests, NULL, NULL);
}
