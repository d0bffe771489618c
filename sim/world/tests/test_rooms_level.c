/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels of the world `rooms` as text: what is refused and in which words, what is noted, what is written is
 * read to the same again, drawn levels and those of the library. And their mutants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/json.h>
#include <corridor/rooms.h>

#include "draw_level.h"
#include "invalid_corpus.h"
#include "require.h"

#define CORPUS TEST_SOURCE_DIR "/sim/world/tests/invalid"
#define LIBRARY TEST_SOURCE_DIR "/experiments/library/systems/rooms"

static struct cor_rooms_level *parse(const char *text) {
    struct cor_rooms_level *level = NULL;
    REQUIRE(cor_rooms_level_parse(text, "level", &level, NULL, &said));
    return level;
}

static char *read_text(const char *path) {
    char *text = NULL;
    size_t length;
    REQUIRE(cor_json_read_text(path, &text, &length, &said));
    return text;
}

static enum cor_status try_level(const char *path, struct cor_error *error) {
    struct cor_rooms_level *level;
    char *text = read_text(path), *notes;
    const enum cor_status status = cor_rooms_level_parse(text, path, &level, &notes, error);
    assert_true((level != NULL) == (status == COR_OK));
    assert_true((notes != NULL) == (status == COR_OK));
    cor_rooms_level_destroy(level);
    free(notes);
    free(text);
    return status;
}

static void invalid_levels_are_refused_in_so_many_words(void **state) {
    (void)state;
    invalid_corpus(CORPUS "/cases.txt", 43, try_level);
}

static void long_lines_and_large_levels_are_refused(void **state) {
    (void)state;
    const size_t size = 10 << 20;
    struct cor_rooms_level *level;
    struct cor_error error = COR_NO_ERROR;
    char *text = malloc(size + 1);
    assert_non_null(text);
    for (size_t i = 0; i < size; i++)
        text[i] = i == 0 ? '|' : i % 2 == 1 ? 'w' : ',';
    text[size] = '\0';
    assert_int_equal(cor_rooms_level_parse(text, "long", &level, NULL, &error), COR_STATUS_INPUT);
    assert_string_equal(error.place, "long:1:8194");
    assert_string_equal(error.cause, "a row has more than 4096 cells");
    memset(text, 'w', size);
    text[0] = '|';
    error = COR_NO_ERROR;
    assert_int_equal(cor_rooms_level_parse(text, "long", &level, NULL, &error), COR_STATUS_INPUT);
    assert_string_equal(error.place, "long:1:2");
    assert_int_equal(strlen(error.cause), strlen("\"\" is no cell") + 80);
    for (size_t i = 0; i < size; i++)
        text[i] = i == 0 ? '|' : i % 2 == 1 ? 'w' : '\n';
    error = COR_NO_ERROR;
    assert_int_equal(cor_rooms_level_parse(text, "high", &level, NULL, &error), COR_STATUS_INPUT);
    assert_string_equal(error.place, "high:4097:1");
    assert_string_equal(error.cause, "a floor has more than 4096 rows");
    free(text);
}

static void what_is_not_linked_is_noted(void **state) {
    (void)state;
    struct cor_rooms_level *level;
    char *notes;
    REQUIRE(cor_rooms_level_parse("b1,d1\n|f:b^b2,f:a^t,f:b^b1,f:d>e^d1,f:d>e^d2\n", "level", &level, &notes,
                                  &said));
    assert_string_equal(notes, "button \"b2\" is linked to no door\n"
                               "door \"d2\" is linked to no button, and stays shut\n");
    free(notes);
    cor_rooms_level_destroy(level);
    REQUIRE(cor_rooms_level_parse("\n b1 , d1,\r\n\r\n|f:a^t, f:b^b1,f:d>e^d1,\r\n\r\n", "level", &level,
                                  &notes, &said));
    assert_string_equal(notes, "");
    free(notes);
    char *text = cor_rooms_level_text(level);
    assert_string_equal(text, "b1,d1\n|f:a^t,f:b^b1,f:d>e^d1,w\n"); /* what is empty is a wall */
    free(text);
    cor_rooms_level_destroy(level);
}

static void expect_round_trip(const char *text) {
    struct cor_rooms_level *level = parse(text), *again;
    char *written = cor_rooms_level_text(level), *rewritten;
    assert_string_equal(written, text);
    again = parse(written);
    rewritten = cor_rooms_level_text(again);
    assert_string_equal(rewritten, written);
    free(written);
    free(rewritten);
    cor_rooms_level_destroy(level);
    cor_rooms_level_destroy(again);
}

static struct draw_level drawn(uint64_t seed) {
    struct draw_level it = draw_level_default(seed, seed);
    it.floors = 2;
    it.hazards = 3;
    it.starts = 3;
    return it;
}

/* In a drawn level buttons stand in any order, so that links are written in another one: by their cells. */
static void what_is_written_is_read_to_the_same_again(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        const struct draw_level it = drawn(seed);
        char *text = draw_level(&it);
        struct cor_rooms_level *level = parse(text);
        char *written = cor_rooms_level_text(level);
        assert_int_equal(strlen(written), strlen(text));
        assert_string_equal(strchr(written, '|'), strchr(text, '|'));
        expect_round_trip(written);
        free(written);
        free(text);
        cor_rooms_level_destroy(level);
    }
}

static void levels_of_the_library_are_read_to_the_same_again(void **state) {
    (void)state;
    static const char *const names[] = {"corridor", "shut_behind", "ten_buttons", "two_agents", "two_floors"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = cor_format("%s/%s.csv", LIBRARY, names[i]), *text = read_text(path), *notes;
        struct cor_rooms_level *level;
        REQUIRE(cor_rooms_level_parse(text, path, &level, &notes, &said));
        char *written = cor_rooms_level_text(level);
        expect_round_trip(written);
        assert_string_equal(notes, "");
        assert_string_equal(strchr(written, '|'), strchr(text, '|'));
        cor_rooms_level_destroy(level);
        free(written);
        free(notes);
        free(text);
        free(path);
    }
}

/* Every mutant of a level is a level, and another one; its name is that of no other. */
static uint32_t expect_mutants(const char *text) {
    struct cor_rooms_level *level = parse(text);
    const uint32_t count = cor_rooms_level_mutant_count(level);
    char *written = cor_rooms_level_text(level);
    char(*names)[200] = cor_calloc(count, sizeof *names);
    for (uint32_t m = 0; m < count; m++) {
        struct cor_rooms_level *changed = NULL;
        cor_rooms_level_mutant_name(level, m, names[m], sizeof names[m]);
        for (uint32_t other = 0; other < m; other++)
            assert_string_not_equal(names[m], names[other]);
        REQUIRE(cor_rooms_level_mutate(level, names[m], &changed, &said));
        char *rewritten = cor_rooms_level_text(changed);
        assert_string_not_equal(rewritten, written);
        cor_rooms_level_destroy(changed);
        free(rewritten);
    }
    cor_rooms_level_destroy(level);
    free(names);
    free(written);
    return count;
}

static void mutants_are_other_levels(void **state) {
    (void)state;
    uint32_t count = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        const struct draw_level it = drawn(seed);
        char *text = draw_level(&it);
        count += expect_mutants(text);
        free(text);
    }
    assert_true(count > 500);
}

/* All names of a level, a line each. */
static void expect_names(const char *text, const char *expected) {
    struct cor_rooms_level *level = parse(text);
    struct cor_bytes names = {0};
    for (uint32_t m = 0; m < cor_rooms_level_mutant_count(level); m++) {
        char name[200];
        cor_rooms_level_mutant_name(level, m, name, sizeof name);
        cor_bytes_print(&names, "%s\n", name);
    }
    assert_string_equal(cor_bytes_text(&names), expected);
    cor_bytes_fini(&names);
    cor_rooms_level_destroy(level);
}

static void mutants_have_names_in_their_order(void **state) {
    (void)state;
    /* A wall in the corridor's first cell parts the start from all else, as one in its second would; the
     * wall at 3,1 is between the region before the door and that behind it. */
    expect_names("b1,d1\nb2,d2\n"
                 "|w,w,w,w,w,w,w\n"
                 "w,f:a^t,w,w,f,f:g^key,w\n"
                 "w,f,f,f:b^b1,f:d>e^d1,f:b^b2,w\n"
                 "w,f:h^h1,w,w,w,f:d>s^d2,w\n"
                 "w,w,w,w,w,w,w\n",
                 "link b1-d1 removed\nlink b2-d2 removed\n"
                 "link b1-d2 added\nlink b2-d1 added\n"
                 "link b1-d1 to d2\nlink b2-d2 to d1\n"
                 "door d1 shut\ndoor d2 shut\n"
                 "wall 1,2 added\n"
                 "wall 3,1 removed\n"
                 "wall 4,3 removed\n"
                 "hazard 1,3 moved to 1,2\n");
    /* Two floors: places have a floor. */
    expect_names("|f:a^t,f:s^s1,w\n|w,f,f:g^key\n", "");
    expect_names("|f:a^t,f:s^s1,w,w\n|w,f,f,f:g^key\n", "wall 2,0,1 added\n");
}

/* Cells of a level of one floor, to count parts by brute force. */
struct plan {
    char cells[48][48][24];
    int columns, rows;
};

static void read_plan(struct plan *plan, const char *text) {
    int x = 0, y = 0;
    for (const char *at = strchr(text, '|') + 1; *at; at++) {
        const size_t length = strcspn(at, ",\n");
        snprintf(plan->cells[y][x++], 24, "%.*s", (int)length, at);
        at += length;
        plan->columns = x > plan->columns ? x : plan->columns;
        x = *at == ',' ? x : 0;
        y += *at == '\n';
    }
    plan->rows = y;
}

/* Whether something that counts is in the part of the cell, which becomes wall. */
static bool take_part(struct plan *plan, int x, int y) {
    if (x < 0 || y < 0 || x >= plan->columns || y >= plan->rows || plan->cells[y][x][0] != 'f')
        return false;
    bool counts = plan->cells[y][x][1] == ':' && plan->cells[y][x][2] != 'h';
    plan->cells[y][x][0] = 'w';
    static const int steps[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int i = 0; i < 4; i++) {
        const bool more = take_part(plan, x + steps[i][0], y + steps[i][1]);
        counts = counts || more;
    }
    return counts;
}

static int count_parts(const struct plan *plan, int wall_x, int wall_y) {
    struct plan left = *plan;
    int count = 0;
    left.cells[wall_y][wall_x][0] = 'w';
    for (int y = 0; y < left.rows; y++)
        for (int x = 0; x < left.columns; x++)
            count += take_part(&left, x, y);
    return count;
}

static void walls_are_added_where_they_part_things(void **state) {
    (void)state;
    uint32_t added = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        struct draw_level it = draw_level_default(seed, seed);
        it.hazards = 3;
        char *text = draw_level(&it);
        struct cor_rooms_level *level = parse(text);
        struct plan plan = {.columns = 0};
        bool parts[49][49] = {{false}}; /* with a row and a column in front */
        read_plan(&plan, text);
        const int whole = count_parts(&plan, 0, 0); /* a wall */
        for (int y = 0; y < plan.rows; y++)
            for (int x = 0; x < plan.columns; x++) {
                parts[y + 1][x + 1] = strcmp(plan.cells[y][x], "f") == 0 && count_parts(&plan, x, y) > whole;
                bool is_mutant = false;
                char wanted[40], name[200];
                snprintf(wanted, sizeof wanted, "wall %d,%d added", x, y);
                for (uint32_t m = 0; m < cor_rooms_level_mutant_count(level); m++) {
                    cor_rooms_level_mutant_name(level, m, name, sizeof name);
                    is_mutant = is_mutant || strcmp(name, wanted) == 0;
                }
                assert_int_equal(is_mutant, parts[y + 1][x + 1] && !parts[y][x + 1] && !parts[y + 1][x]);
                added += is_mutant;
            }
        cor_rooms_level_destroy(level);
        free(text);
    }
    assert_true(added > 30);
}

static void a_mutant_changes_what_its_name_says(void **state) {
    (void)state;
    struct cor_rooms_level *level = parse("b1,d1\n|f:a^t,f:b^b1,f,f:d>e^d1,f:h^h1,f,f:d>e^d2\n"), *changed;
    static const char *const expected[][2] = {
        {"link b1-d1 removed", "|f:a^t,f:b^b1,f,f:d>e^d1,f:h^h1,f,f:d>e^d2\n"},
        {"link b1-d2 added", "b1,d1,d2\n|f:a^t,f:b^b1,f,f:d>e^d1,f:h^h1,f,f:d>e^d2\n"},
        {"link b1-d1 to d2", "b1,d2\n|f:a^t,f:b^b1,f,f:d>e^d1,f:h^h1,f,f:d>e^d2\n"},
        {"door d1 shut", "|f:a^t,f:b^b1,f,f:d>e^d1,f:h^h1,f,f:d>e^d2\n"},
        {"wall 2,0 added", "b1,d1\n|f:a^t,f:b^b1,w,f:d>e^d1,f:h^h1,f,f:d>e^d2\n"},
        {"hazard 4,0 moved to 5,0", "b1,d1\n|f:a^t,f:b^b1,f,f:d>e^d1,f,f:h^h1,f:d>e^d2\n"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        REQUIRE(cor_rooms_level_mutate(level, expected[i][0], &changed, &said));
        char *text = cor_rooms_level_text(changed);
        assert_string_equal(text, expected[i][1]);
        free(text);
        cor_rooms_level_destroy(changed);
    }
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_rooms_level_mutate(level, "link b1-d1 remove", &changed, &error), COR_STATUS_INPUT);
    assert_null(changed);
    assert_string_equal(error.cause, "the level has no mutant \"link b1-d1 remove\"");
    assert_memory_equal(error.remedy, "did you mean \"link b1-d1 removed\"? known: ", 42);
    cor_rooms_level_destroy(level);
}

/* Every prefix of a level, and every one with another character, is read or refused, and nothing else. */
static void a_level_that_is_cut_off_or_changed_anywhere_is_handled(void **state) {
    (void)state;
    char *text = read_text(CORPUS "/valid.csv");
    const size_t length = strlen(text);
    for (size_t at = 0; at < length; at++) {
        static const char others[] = "|,\"\nf^:x\r";
        for (size_t i = 0; i < sizeof others; i++) { /* the last is the end of the text */
            const char kept = text[at];
            struct cor_rooms_level *level;
            struct cor_error error = COR_NO_ERROR;
            text[at] = others[i];
            const enum cor_status status = cor_rooms_level_parse(text, "damaged", &level, NULL, &error);
            assert_true(status == COR_OK || (status == COR_STATUS_INPUT && error.cause[0] != '\0'));
            assert_true((level != NULL) == (status == COR_OK));
            cor_rooms_level_destroy(level);
            text[at] = kept;
        }
    }
    free(text);
}

/* Variants of one logic have the same links and other cells. */
static void variants_of_a_layout_have_one_logic(void **state) {
    (void)state;
    uint32_t different = 0;
    for (uint64_t logic = 0; logic < 10; logic++) {
        struct draw_level it = draw_level_default(logic, 0);
        char *first = draw_level(&it);
        for (it.layout = 1; it.layout < 10; it.layout++) {
            char *other = draw_level(&it);
            const size_t links = (size_t)(strchr(first, '|') - first);
            assert_int_equal(strchr(other, '|') - other, links);
            assert_memory_equal(first, other, links);
            different += strcmp(first, other) != 0;
            free(other);
        }
        free(first);
    }
    assert_int_equal(different, 90);
}

/* Each part alone: floor where it was, and no link of it; and no other part is called so. */
static void a_level_without_a_part_has_floor_there(void **state) {
    (void)state;
    static const char text[] = "b1,d1,d2\nb2,d2\n|w,f:a^t,f:b^b1\nf:d>e^d1,w,f:h^h1\nf:b^b2,f:d>s^d2,w\n";
    static const struct {
        const char *name, *links, *cell, *floor;
    } parts[] = {{"start t", NULL, NULL, NULL},
                 {"button b1", "b2,d2\n", "f:b^b1", "f"},
                 {"door d1", "b1,d2\nb2,d2\n", "f:d>e^d1", "f"},
                 {"hazard h1", "b1,d1,d2\nb2,d2\n", "f:h^h1", "f"},
                 {"button b2", "b1,d1,d2\n", "f:b^b2", "f"},
                 {"door d2", "b1,d1\n", "f:d>s^d2", "f"},
                 {"wall 0,0", "b1,d1,d2\nb2,d2\n", "|w", "|f"},
                 {"wall 1,1", "b1,d1,d2\nb2,d2\n", "e^d1,w", "e^d1,f"},
                 {"wall 2,2", "b1,d1,d2\nb2,d2\n", "s^d2,w", "s^d2,f"}};
    enum { COUNT = sizeof parts / sizeof *parts };
    struct cor_rooms_level *level = parse(text);
    assert_int_equal(cor_rooms_level_part_count(level), COUNT);
    for (uint32_t p = 0; p < COUNT; p++) {
        char name[100];
        bool gone[COUNT] = {false};
        struct cor_rooms_level *without = NULL;
        struct cor_error error = COR_NO_ERROR;
        gone[p] = true;
        cor_rooms_level_part_name(level, p, name, sizeof name);
        assert_string_equal(name, parts[p].name);
        const enum cor_status status = cor_rooms_level_without(level, level, gone, &without, &error);
        assert_int_equal(status, parts[p].links ? COR_OK : COR_STATUS_INPUT);
        if (!parts[p].links)
            continue;
        const char *cells = strchr(text, '|'), *at = strstr(cells, parts[p].cell);
        char expected[200], *written = cor_rooms_level_text(without);
        snprintf(expected, sizeof expected, "%s%.*s%s%s", parts[p].links, (int)(at - cells), cells,
                 parts[p].floor, at + strlen(parts[p].cell));
        struct cor_rooms_level *again = parse(expected);
        char *same = cor_rooms_level_text(again);
        assert_string_equal(written, same);
        free(written);
        free(same);
        cor_rooms_level_destroy(again);
        cor_rooms_level_destroy(without);
    }
    cor_rooms_level_destroy(level);
}

/* Parts of a mutant are left out of the level itself by what they are, and not by their numbers. */
static void parts_of_a_mutant_are_those_of_the_level(void **state) {
    (void)state;
    static const char text[] = "|f:a^t,w,f:g^key\nf:h^h1,w,f:h^h2\n";
    struct cor_rooms_level *level = parse(text), *hole = NULL, *without = NULL;
    bool gone[8] = {false};
    REQUIRE(cor_rooms_level_mutate(level, "wall 1,0 removed", &hole, &said));
    for (uint32_t p = 0; p < cor_rooms_level_part_count(hole); p++) {
        char name[100];
        cor_rooms_level_part_name(hole, p, name, sizeof name);
        gone[p] = strcmp(name, "wall 1,1") == 0 || strcmp(name, "hazard h2") == 0;
    }
    REQUIRE(cor_rooms_level_without(level, hole, gone, &without, &said));
    char *written = cor_rooms_level_text(without);
    assert_string_equal(written, "|f:a^t,w,f:g^key\nf:h^h1,f,f\n");
    free(written);
    cor_rooms_level_destroy(without);
    cor_rooms_level_destroy(hole);
    cor_rooms_level_destroy(level);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_levels_are_refused_in_so_many_words),
        cmocka_unit_test(long_lines_and_large_levels_are_refused),
        cmocka_unit_test(what_is_not_linked_is_noted),
        cmocka_unit_test(what_is_written_is_read_to_the_same_again),
        cmocka_unit_test(levels_of_the_library_are_read_to_the_same_again),
        cmocka_unit_test(mutants_are_other_levels),
        cmocka_unit_test(mutants_have_names_in_their_order),
        cmocka_unit_test(walls_are_added_where_they_part_things),
        cmocka_unit_test(a_mutant_changes_what_its_name_says),
        cmocka_unit_test(a_level_that_is_cut_off_or_changed_anywhere_is_handled),
        cmocka_unit_test(variants_of_a_layout_have_one_logic),
        cmocka_unit_test(a_level_without_a_part_has_floor_there),
        cmocka_unit_test(parts_of_a_mutant_are_those_of_the_level),
    };
    return cmocka_run_group_tests_name("rooms_level", tests, NULL, NULL);
}
