/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of models as subject.h sees them: what a planner gave is the same when it is given again; what
 * shrinking leaves of tests that kill mutants is minimal, which is held by trying every step, and every
 * subset of a few, and is never below what is proven to be the shortest; test files say all that it takes,
 * and others are refused in so many words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../internal.h"
#include "invalid_corpus.h"

#include <corridor/array.h>
#include <corridor/efsm_conformance.h>
#include <corridor/efsm_mutants.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORPUS TEST_SOURCE_DIR "/experiments/layers/efsm/tests/invalid_test"
#define MODELS TEST_SOURCE_DIR "/experiments/library/efsm/"
#define SUBSETS_OF 12u /* steps at most of which all subsets are tried */

static const struct cor_subject *const subject = &efsm_layer__subject;
static unsigned share = 12; /* each so many-th mutant of a model */

static struct cor_efsm_experiment *parse(const char *model, const char *mutant, const char *system,
                                         const char *planner) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_efsm_experiment *experiment;
    char *text = cor_format("{\"efsm\": \"" MODELS "%s.json\", \"goal\": \"all-transitions\", \"seed\": 5,"
                            " \"runs\": 9, \"moves\": 200, \"resets\": 9, \"possible_states\": %s, \"arms\":"
                            " [{\"name\": \"arm\", \"planner\": \"%s\", \"system\": \"%s\"%s%s%s}]}",
                            model, strcmp(model, "phone_call_1") == 0 ? "true" : "false", planner, system,
                            mutant ? ", \"mutant\": \"" : "", mutant ? mutant : "", mutant ? "\"" : "");
    assert_non_null(text);
    if (cor_efsm_experiment_parse(text, "test.json", NULL, &experiment, &error) != COR_OK)
        fail_msg("%s: %s: %s", model, error.place, error.cause);
    free(text);
    return experiment;
}

static void *bench_of(const struct cor_efsm_experiment *experiment) {
    struct cor_error error = COR_NO_ERROR;
    void *bench;
    assert_int_equal(subject->open(&experiment->head, 0, &bench, &error), COR_OK);
    return bench;
}

static struct cor_run run(void *bench, const struct cor_subject_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_run run;
    if (subject->run(bench, test, NULL, &run, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return run;
}

/* The first test of the arm that fails is in `test`; false: none does. What was given, given again, is
 * answered alike, whether it failed or not. */
static bool find(void *bench, struct cor_subject_test *test, struct cor_run *made) {
    struct cor_error error = COR_NO_ERROR;
    for (test->suite = 0; test->suite < 3; test->suite++) {
        assert_int_equal(subject->make(bench, test, made, &error), COR_OK);
        const struct cor_run again = run(bench, test);
        assert_true(again.digest == made->digest && again.class == made->class);
        *made = again;
        if (again.class != 0)
            return true;
    }
    return false;
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

static struct tally { unsigned killed, subsets; } tally;

static void check_minimal(void *bench, const struct cor_subject_test *left, uint64_t class,
                          const char *mutant) {
    const size_t count = left->choices.count;
    bool gone[400] = {false};
    assert_in_range(count, 1, 400);
    assert_true(fails_without(bench, left, class, gone));
    for (size_t c = 0; c < count; c++) {
        gone[c] = true;
        if (fails_without(bench, left, class, gone))
            fail_msg("%s: step %zu of %zu can be spared", mutant, c + 1, count);
        gone[c] = false;
    }
    tally.subsets += count <= SUBSETS_OF;
    for (uint64_t set = 1; count <= SUBSETS_OF && set >> count == 0; set++) {
        for (size_t c = 0; c < count; c++)
            gone[c] = set >> c & 1;
        if (fails_without(bench, left, class, gone))
            fail_msg("%s: of %zu steps the set %llx can be spared", mutant, count, (unsigned long long)set);
    }
}

/* Never below the fewest inputs that tell the mutant from its model. */
static void check_shortest(const struct cor_efsm_experiment *experiment,
                           const struct cor_subject_test *left) {
    struct cor_efsm_comparison comparison;
    struct cor_error error = COR_NO_ERROR;
    size_t inputs = 0;
    for (size_t c = 0; c < left->choices.count; c++)
        inputs += left->choices.items[c].kind == EFSM_LAYER__INPUT;
    if (cor_efsm_compare(experiment->model, experiment->arms[0].acting, 100000, NULL, &comparison, &error) !=
        COR_OK)
        fail_msg("%s", error.cause);
    if (comparison.difference == COR_EFSM_DIFFERENT && comparison.is_shortest)
        assert_true(inputs >= comparison.length);
    assert_int_not_equal(comparison.difference, COR_EFSM_EQUIVALENT);
    cor_efsm_comparison_fini(&comparison);
}

/* Read again it is the same test, with the same text, and fails as it did. */
static void check_file(const struct cor_subject_test *left, const struct cor_run *wanted) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test test;
    char *text, *again, why[1200];
    if (subject->write(left, &text, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    if (subject->read(text, "kept.json", NULL, &test, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    assert_string_equal(test.expected, left->expected);
    assert_int_equal(test.choices.count, left->choices.count);
    assert_int_equal(subject->write(&test, &again, &error), COR_OK);
    assert_string_equal(text, again);
    void *bench = bench_of((const struct cor_efsm_experiment *)(const void *)test.experiment);
    const struct cor_run it = run(bench, &test);
    assert_true(it.class == wanted->class && it.digest == wanted->digest);
    assert_int_equal(subject->find(bench, &test, why, sizeof why), COR_EXPECTED_COMES);
    assert_null(strstr(why, "changed"));
    subject->close(bench);
    cor_choices_fini(&test.choices);
    cor_efsm_layer.destroy(test.experiment);
    free(text);
    free(again);
}

static void shrink_mutant(const char *model, const char *mutant, const char *planner, const char *system) {
    struct cor_efsm_experiment *experiment = parse(model, mutant, system, planner);
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test test = {.experiment = &experiment->head};
    struct cor_run made;
    void *bench = bench_of(experiment);
    if (find(bench, &test, &made)) {
        struct cor_shrinking shrinking = {.subject = subject, .tests = &test, .count = 1, .is_lone = true};
        bool differs;
        char *expected = cor_strdup(made.failure);
        assert_non_null(expected);
        made.failure = test.expected = expected;
        assert_int_equal(subject->shrink(bench, &shrinking, &differs, &error), COR_OK);
        assert_false(differs);
        assert_true(shrinking.shrunk.is_minimal);
        check_minimal(bench, &test, made.class, mutant);
        check_shortest(experiment, &test);
        const struct cor_run wanted = run(bench, &test);
        check_file(&test, &wanted);
        tally.killed++;
        free(expected);
    }
    subject->close(bench);
    cor_choices_fini(&test.choices);
    cor_efsm_experiment_destroy(experiment);
}

static void what_is_left_of_tests_that_kill_mutants_is_minimal(void **state) {
    static const char *const models[] = {"inres_initiator", "inres_hogrefe", "lossy_link",    "escape",
                                         "phone_call_time", "phone_call_1",  "traffic_light", "counter3"};
    enum { LARGE = 6 }; /* from there on an adversary would take its time */
    static const char *const systems[] = {"uniform", "fair", "adversary"};
    static const char *const planners[] = {"random", "search"};
    (void)state;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        struct cor_efsm_experiment *experiment = parse(models[m], NULL, "uniform", "random");
        struct cor_error error = COR_NO_ERROR;
        struct cor_efsm_mutants mutants;
        const struct tally before = tally;
        assert_int_equal(cor_efsm_mutants_list(experiment->model, &mutants, &error), COR_OK);
        for (uint32_t i = 0; i < mutants.count; i += share)
            shrink_mutant(models[m], mutants.mutants[i].name, planners[i / share % 2],
                          systems[i / share % (m < LARGE ? 3 : 2)]);
        print_message("%s: %u mutants, %u killed, of %u all subsets were tried\n", models[m],
                      (mutants.count + share - 1) / share, tally.killed - before.killed,
                      tally.subsets - before.subsets);
        assert_true(tally.killed > before.killed);
        cor_efsm_mutants_fini(&mutants);
        cor_efsm_experiment_destroy(experiment);
    }
    assert_true(tally.subsets > 0);
}

/* ---- what is refused */

static void what_does_not_fail_is_refused(void **state) {
    (void)state;
    struct cor_efsm_experiment *experiment = parse("inres_initiator", NULL, "uniform", "search");
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test test = {.experiment = &experiment->head, .expected = COR_NO_FAILURE};
    struct cor_shrinking shrinking = {.subject = subject, .tests = &test, .count = 1, .is_lone = true};
    struct cor_run made;
    bool differs;
    char why[1200];
    void *bench = bench_of(experiment);
    assert_false(find(bench, &test, &made));
    assert_int_equal(subject->find(bench, &test, why, sizeof why), COR_EXPECTED_IS_GONE);
    assert_int_equal(subject->shrink(bench, &shrinking, &differs, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "the test does not fail");
    assert_string_equal(error.remedy, "a test that fails");
    subject->close(bench);
    cor_choices_fini(&test.choices);
    cor_efsm_experiment_destroy(experiment);
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
    cor_efsm_layer.destroy(test.experiment);
    return COR_OK;
}

static void invalid_tests_are_refused_in_so_many_words(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    if (read_test(CORPUS "/valid.json", &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    invalid_corpus(CORPUS "/cases.txt", 30, read_test);
}

/* Cut anywhere, a test is refused or, but for white space, whole. */
static void a_test_that_was_cut_is_refused(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test test;
    char *text;
    size_t length;
    assert_int_equal(cor_json_read_text(CORPUS "/valid.json", &text, &length, &error), COR_OK);
    for (size_t size = length - 2; size > 0; size -= size > 97 ? 97 : size) {
        error = COR_NO_ERROR;
        text[size] = '\0';
        assert_int_equal(subject->read(text, "cut.json", NULL, &test, &error), COR_STATUS_INPUT);
    }
    free(text);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_of_tests_that_kill_mutants_is_minimal),
        cmocka_unit_test(what_does_not_fail_is_refused),
        cmocka_unit_test(invalid_tests_are_refused_in_so_many_words),
        cmocka_unit_test(a_test_that_was_cut_is_refused),
    };
    share = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : share;
    return cmocka_run_group_tests_name("efsm_subject", tests, NULL, NULL);
}
