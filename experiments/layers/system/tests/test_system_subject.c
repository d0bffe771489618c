/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of running systems as subject.h sees them: what is planted goes or stays; what shrinking leaves of
 * tests that kill mutants is minimal, which is held by taking out every command, and every set of a few, and
 * every thing of the world, and does nothing in the system without the change; test files say all that it
 * takes, and others are refused in so many words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../internal.h"
#include "invalid_corpus.h"

#include <corridor/array.h>
#include <corridor/subject.h>
#include <corridor/system_layer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORPUS TEST_SOURCE_DIR "/experiments/layers/system/tests/invalid_test"
#define SUBSETS_OF 10u /* commands at most of which all subsets are tried */

#define LEVEL                                                              \
    "b1,d1\\nb2,d2\\n|w,w,w,w,w,w,w,w\\nw,f:a^t,f,f:b^b1,w,f,f:g^key,w\\n" \
    "w,f,f,f,f:d>e^d1,f,f,w\\nw,f:b^b2,f,f,w,f,f:d>e^d2,w\\nw,w,w,w,w,w,w,w\\n"

static const struct cor_subject *const subject = &system_layer__subject;
static unsigned share = 3; /* each so many-th mutant */

static struct cor_system_experiment *parse(const char *text) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_system_experiment *experiment;
    if (cor_system_experiment_parse(text, "test.json", NULL, &experiment, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return experiment;
}

static void *bench_of(const struct cor_experiment_head *experiment) {
    struct cor_error error = COR_NO_ERROR;
    void *bench;
    assert_int_equal(subject->open(experiment, 0, &bench, &error), COR_OK);
    return bench;
}

static struct cor_run run(void *bench, const struct cor_subject_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_run run;
    if (subject->run(bench, test, NULL, &run, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return run;
}

/* ---- what shrinking leaves */

/* Does the test fail alike without the choices that are gone? */
static bool fails_without(void *bench, const struct cor_subject_test *left, uint64_t class,
                          const bool *gone) {
    struct cor_subject_test part = *left;
    struct cor_error error = COR_NO_ERROR;
    part.choices = (struct cor_choices){0};
    assert_int_equal(cor_choices_copy(&part.choices, &left->choices, &error), COR_OK);
    part.choices.count = 0;
    for (size_t c = 0; c < left->choices.count; c++)
        if (!gone[c])
            part.choices.items[part.choices.count++] = left->choices.items[c];
    const struct cor_run it = run(bench, &part);
    cor_choices_fini(&part.choices);
    return it.class == class;
}

static struct tally { unsigned killed, subsets, things, sound; } tally;

/* Is it kept, whatever else could go: what an assert is about? */
static bool is_needed(const struct cor_subject_test *left, size_t choice) {
    return left->choices.items[choice].nth != SYSTEM_LAYER__PLAIN;
}

/* Is what fails without these a failure of the system itself, too? Then it had to stay. */
static bool fails_in_sound(void *bench, const struct cor_subject_test *left, uint64_t class,
                           const bool *gone) {
    struct system_layer__script *script = left->scene;
    if (!script->unchanged)
        return false;
    script->is_sound = true;
    const bool fails = fails_without(bench, left, class, gone);
    script->is_sound = false;
    return fails;
}

/* Of a test that was read: no set of few commands, nor one thing, can be spared. */
static void check_minimal(void *bench, const struct cor_subject_test *left, uint64_t class,
                          const char *what) {
    const struct cor_system_experiment *experiment = (const void *)left->experiment;
    struct system_layer__script *script = left->scene;
    const struct system_layer__world *world = experiment->world;
    const size_t count = left->choices.count;
    struct cor_error error = COR_NO_ERROR;
    bool gone[200] = {false};
    assert_in_range(count, 0, 200);
    assert_true(fails_without(bench, left, class, gone));
    if (script->unchanged) {
        tally.sound++;
        assert_false(fails_in_sound(bench, left, class, gone));
    }
    for (size_t c = 0; c < count; c++) {
        gone[c] = true;
        if (!is_needed(left, c) && fails_without(bench, left, class, gone) &&
            !fails_in_sound(bench, left, class, gone))
            fail_msg("%s: command %zu of %zu can be spared", what, c + 1, count);
        gone[c] = false;
    }
    tally.subsets += count <= SUBSETS_OF;
    for (uint64_t set = 1; count <= SUBSETS_OF && set >> count == 0; set++) {
        bool is_possible = true;
        for (size_t c = 0; c < count; c++) {
            gone[c] = set >> c & 1;
            is_possible = is_possible && !(gone[c] && is_needed(left, c));
        }
        if (is_possible && fails_without(bench, left, class, gone) &&
            !fails_in_sound(bench, left, class, gone))
            fail_msg("%s: of %zu commands the set %llx can be spared", what, count, (unsigned long long)set);
    }
    const uint32_t things = world->maker->count_things(world);
    memset(gone, 0, sizeof gone);
    for (uint32_t t = 0; t < things; t++) {
        bool without[1000] = {false}, fails = false, fails_sound = false;
        const struct cor_error none = error;
        without[t] = true;
        assert_in_range(things, 1, 1000);
        if (world->maker->leave_out(world, world, without, &script->smaller, &error) == COR_OK &&
            (!script->unchanged || script->unchanged->maker->leave_out(script->unchanged, world, without,
                                                                       &script->sound, &error) == COR_OK)) {
            script->gone = without;
            const struct cor_run it = run(bench, left);
            fails = it.class == class && it.choices == count;
            fails_sound = fails && fails_in_sound(bench, left, class, gone);
        }
        script->gone = NULL;
        system_layer__world_destroy(script->smaller);
        system_layer__world_destroy(script->sound);
        script->smaller = script->sound = NULL;
        error = none;
        if (fails && !fails_sound)
            fail_msg("%s: thing %u of %u can be spared", what, t + 1, things);
        tally.things++;
    }
}

/* Read again it is the same test, with the same text, and fails as it did. */
static void check_file(const struct cor_subject_test *left, uint64_t class, const char *what) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test test;
    char *text, *again, why[1200];
    if (subject->write(left, &text, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    if (subject->read(text, "kept.json", NULL, &test, &error) != COR_OK)
        fail_msg("%s: %s\n%s", error.place, error.cause, text);
    assert_string_equal(test.expected, left->expected);
    assert_int_equal(test.choices.count, left->choices.count);
    assert_int_equal(subject->write(&test, &again, &error), COR_OK);
    assert_string_equal(text, again);
    void *bench = bench_of(test.experiment);
    const struct cor_run it = run(bench, &test);
    assert_true(it.class == class);
    assert_int_equal(it.choices, test.choices.count);
    assert_int_equal(subject->find(bench, &test, why, sizeof why), COR_EXPECTED_COMES);
    assert_null(strstr(why, "changed"));
    check_minimal(bench, &test, class, what);
    subject->close(bench);
    cor_choices_fini(&test.choices);
    cor_system_layer.destroy(test.experiment);
    free(text);
    free(again);
}

/* The first test of the experiment, made small; false: it does not fail, or not by its commands alone. What
 * fails alike in the system without the change is taken apart, too. */
static bool shrink_it(const char *text, const char *what, size_t *left) {
    struct cor_system_experiment *experiment = parse(text);
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test test = {.experiment = &experiment->head};
    struct cor_run made;
    bool differs = true;
    void *bench = bench_of(&experiment->head);
    assert_int_equal(subject->make(bench, &test, &made, &error), COR_OK);
    if (made.class != 0) {
        struct cor_shrinking shrinking = {.subject = subject, .tests = &test, .count = 1, .is_lone = true};
        char *expected = cor_strdup(made.failure);
        assert_non_null(expected);
        test.expected = expected;
        if (subject->shrink(bench, &shrinking, &differs, &error) != COR_OK)
            fail_msg("%s: %s: %s", what, error.place, error.cause);
        if (differs)
            print_message("%s is not taken apart: %s\n", what, shrinking.why);
        else {
            assert_true(shrinking.shrunk.is_minimal);
            assert_string_equal(test.expected, expected);
            *left = test.choices.count;
            check_file(&test, made.class, what);
            tally.killed++;
        }
        free(expected);
    }
    subject->close(bench);
    cor_choices_fini(&test.choices);
    cor_system_experiment_destroy(experiment);
    return !differs;
}

/* ---- what is planted */

static size_t planted(const char *formula, const char *commands) {
    char *text =
        cor_format("{\"system\": {\"rooms\": \"" LEVEL "\"}, \"states\": {\"bad\": \"%s\"}, \"formulas\": "
                   "{\"never\": \"always not bad\"}, \"tests\": [{\"name\": \"walk\", \"agents\": "
                   "[{\"name\": \"t\", \"goal\": {\"seq\": [%s]}}]}]}",
                   formula, commands);
    size_t left = SIZE_MAX;
    assert_non_null(text);
    assert_true(shrink_it(text, formula, &left));
    free(text);
    return left;
}

static void what_nobody_needs_goes_and_of_two_that_do_one_stays(void **state) {
    (void)state;
    /* Both moves to the east are needed, and no other command; of two ways to the wrong place one is left. */
    assert_int_equal(planted("t.x > 2", "{\"do\": \"move(south)\"}, {\"do\": \"move(east)\"}, "
                                        "{\"do\": \"wait\"}, {\"do\": \"move(east)\"}"),
                     2);
    assert_int_equal(planted("t.x > 1 and b1.on",
                             "{\"do\": \"move(east)\"}, {\"do\": \"wait\"}, {\"do\": \"move(east)\"}, "
                             "{\"do\": \"press(b1)\"}, {\"do\": \"wait\"}"),
                     3);
    assert_int_equal(planted("t.x > 1 and t.y > 1 or t.y > 2",
                             "{\"do\": \"move(south)\"}, {\"do\": \"move(east)\"}, "
                             "{\"do\": \"move(south)\"}"),
                     2);
    assert_int_equal(planted("t.x > 0", "{\"do\": \"wait\"}"), 0);
}

/* ---- mutants */

#define MUTANT_TESTS 3

static void what_is_left_of_tests_that_kill_mutants_is_minimal(void **state) {
    static const char *const goals[MUTANT_TESTS] = {
        "[\"explore\", {\"reach\": \"b1\", \"do\": \"press\"}, {\"assert\": \"d1.open\"}, {\"reach\": "
        "\"b2\", "
        "\"do\": \"press\"}, {\"assert\": \"d2.open\"}, {\"reach\": \"key\"}]",
        "[{\"reach\": \"b2\", \"do\": \"press\"}, \"explore\", {\"check\": \"d2.open\"}, {\"reach\": \"b1\", "
        "\"do\": \"press\"}, {\"check\": \"d1.open and d2.open\"}, {\"reach\": \"key\"}]",
        "[\"explore\", \"pressed(b2)\", \"pressed(b1)\", {\"assert\": \"d1.open or d2.open\"}]"};
    (void)state;
    struct cor_system_experiment *whole = parse("{\"system\": {\"rooms\": \"" LEVEL "\"}, \"tests\": "
                                                "[{\"name\": \"none\", \"agents\": [{\"name\": \"t\", "
                                                "\"goal\": \"success\"}]}]}");
    char mutant[200];
    size_t left;
    for (uint32_t m = 0; whole->world->maker->name_mutant(whole->world, m * share, mutant, sizeof mutant);
         m++) {
        char *text = cor_format(
            "{\"system\": {\"rooms\": \"" LEVEL
            "\", \"view\": 3}, \"goals\": {\"pressed(b)\": {\"reach\": \"b\", "
            "\"do\": \"press\", \"assert\": \"b.on != b.on@before\", \"max\": 200}}, \"states\": "
            "{\"inside\": "
            "\"t.x > 4\"}, \"always\": {\"near\": \"not (b1.on and b2.on and t.x > 5 and d1.open)\"}, "
            "\"formulas\": {\"answers\": \"always (b1.on implies eventually[0,1] d1.open)\"}, \"tests\": "
            "[{\"name\": \"walk\", \"cycles\": 100, \"agents\": [{\"name\": \"t\", \"goal\": {\"seq\": "
            "%s}}]}], "
            "\"arms\": [{\"name\": \"M\", \"mutant\": \"%s\"}]}",
            goals[m % MUTANT_TESTS], mutant);
        assert_non_null(text);
        (void)shrink_it(text, mutant, &left);
        free(text);
    }
    cor_system_experiment_destroy(whole);
    print_message(
        "%u were made small, of %u all subsets were tried, %u things were taken out, %u do nothing in "
        "the system itself\n",
        tally.killed, tally.subsets, tally.things, tally.sound);
    assert_true(tally.killed > 4 && tally.subsets > 0 && tally.things > 0 && tally.sound > 0);
}

/* ---- what is refused */

static void what_does_not_fail_is_refused(void **state) {
    (void)state;
    struct cor_system_experiment *experiment = parse("{\"system\": {\"rooms\": \"" LEVEL "\"}, \"tests\": "
                                                     "[{\"name\": \"walk\", \"agents\": [{\"name\": \"t\", "
                                                     "\"goal\": {\"do\": \"move(east)\"}}]}]}");
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test test = {.experiment = &experiment->head, .expected = COR_NO_FAILURE};
    struct cor_run made;
    char why[1200];
    void *bench = bench_of(&experiment->head);
    assert_int_equal(subject->make(bench, &test, &made, &error), COR_OK);
    assert_true(made.class == 0);
    assert_int_equal(subject->find(bench, &test, why, sizeof why), COR_EXPECTED_IS_GONE);
    assert_string_equal(why, "nothing fails in 1 cycles");
    subject->close(bench);
    cor_system_experiment_destroy(experiment);
}

static enum cor_status read_test(const char *path, struct cor_error *error) {
    struct cor_subject_test test;
    char *text;
    size_t length;
    COR_TRY(cor_json_read_text(path, &text, &length, error));
    const enum cor_status status = subject->read(text, path, NULL, &test, error);
    free(text);
    if (status != COR_OK)
        return status;
    cor_choices_fini(&test.choices);
    cor_system_layer.destroy(test.experiment);
    return COR_OK;
}

static void invalid_tests_are_refused_in_so_many_words(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    if (read_test(CORPUS "/valid.json", &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    invalid_corpus(CORPUS "/cases.txt", 25, read_test);
}

/* Cut anywhere, a test is refused or, but for white space, whole. */
static void a_test_that_was_cut_is_refused(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test test;
    char *text;
    size_t length;
    assert_int_equal(cor_json_read_text(CORPUS "/valid.json", &text, &length, &error), COR_OK);
    for (size_t size = length - 2; size > 0; size -= size > 53 ? 53 : size) {
        error = COR_NO_ERROR;
        text[size] = '\0';
        assert_int_equal(subject->read(text, "cut.json", NULL, &test, &error), COR_STATUS_INPUT);
    }
    free(text);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_needs_goes_and_of_two_that_do_one_stays),
        cmocka_unit_test(what_is_left_of_tests_that_kill_mutants_is_minimal),
        cmocka_unit_test(what_does_not_fail_is_refused),
        cmocka_unit_test(invalid_tests_are_refused_in_so_many_words),
        cmocka_unit_test(a_test_that_was_cut_is_refused),
    };
    share = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : share;
    return cmocka_run_group_tests_name("system_subject", tests, NULL, NULL);
}
