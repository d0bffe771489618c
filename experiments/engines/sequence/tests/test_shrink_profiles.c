/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles of shrunk tests. What the walk takes is looked up here, state by state; that no execution looks at
 * profiles is seen with absurd ones. */
#include "scene.h"
#include "shrinker.h"

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls `with` for each sequence of a suite of each arm; `some` limits it to the first failing one. */
static void with_tests(bool some, void (*with)(struct cor_tester *tester, const struct cor_test *test)) {
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_tester *tester;
    uint32_t executed = 0;
    scene_open(&scene, scene_faults, false);
    OK(cor_tester_create(&tester, &error));
    for (uint32_t arm = 0; arm < scene.experiment->arm_count; arm++) {
        bool found = false;
        scene_execute(&scene, arm, 0);
        for (size_t row = 0; row < cor_record_size(scene.record, COR_TABLE_SEQUENCES) && !found; row++) {
            struct cor_test *test = scene_test(&scene, row);
            OK(cor_tester_execute(tester, test, 0, &test->expected, &error));
            found = some && test->expected.case_ != 0;
            if (found || !some)
                with(tester, test);
            executed += found || !some;
            cor_test_destroy(test);
        }
    }
    assert_in_range(executed, 5, UINT32_MAX);
    cor_tester_destroy(tester);
    scene_close(&scene);
}

static void set_law(struct cor_test *test, uint32_t p, const double *probability, const double *start) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_profile *other;
    const struct cor_profile *profile = test->suite->profiles[p];
    OK(cor_profile_create(profile->name, profile->state_count, (const char *const *)profile->states,
                          probability, start, &other, &error));
    cor_suite_set_profile(test->suite, p, other);
}

/* From every state to the last one. */
static void is_indifferent(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_test *copy;
    struct cor_test_result result;
    OK(cor_test_copy(test, &copy, &error));
    for (uint32_t p = 0; p < test->suite->configuration->profile_count; p++) {
        const uint32_t count = test->suite->profiles[p]->state_count;
        double *laws = calloc((size_t)(count + 1) * count, sizeof *laws);
        assert_non_null(laws);
        for (uint32_t row = 0; row <= count; row++)
            laws[row * count + count - 1] = 1;
        set_law(copy, p, laws, laws);
        free(laws);
    }
    OK(cor_tester_execute(tester, copy, 0, &result, &error));
    assert_int_equal(result.hash, test->expected.hash);
    assert_int_equal(cor_test_hash(copy), cor_test_hash(test));
    cor_test_destroy(copy);
}

static void no_execution_looks_at_profiles(void **state) {
    (void)state;
    with_tests(false, is_indifferent);
}

static struct cor_test *shrink(struct cor_tester *tester, const struct cor_test *test,
                               struct cor_shrink_report *report) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_shrink_definition definition = {.budget = 0};
    struct cor_test *smaller;
    OK(cor_shrink(test, &definition, tester, &smaller, report, &error));
    assert_int_equal(report->end, COR_SHRINK_MINIMAL);
    return smaller;
}

/* Does a chain of that profile go from there to there; `from` is the number of states: begins there? */
static bool goes(const struct cor_test *test, uint32_t p, uint32_t from, uint32_t to) {
    const struct cor_walk *walk = &test->suite->recorded[0];
    for (uint32_t chain = 0; chain < walk->chain_count; chain++)
        for (uint32_t i = 0; i <= walk->case_count; i++)
            if (test->suite->configuration->profile_of_chain[chain] == p &&
                cor_walk_at(walk, i)[chain] == to &&
                from == (i == 0 ? test->suite->profiles[p]->state_count : cor_walk_at(walk, i - 1)[chain]))
                return true;
    return false;
}

static void look_at_row(const struct cor_test *test, const struct cor_test *before, uint32_t p,
                        uint32_t row) {
    const struct cor_profile *now = test->suite->profiles[p], *then = before->suite->profiles[p];
    const uint32_t count = now->state_count;
    const double *law = row == count ? now->start : now->probability + (size_t)row * count,
                 *old = row == count ? then->start : then->probability + (size_t)row * count;
    uint32_t arcs = 0, taken = 0;
    for (uint32_t to = 0; to < count; to++) {
        const bool goes_there = goes(test, p, row, to) && old[to] > 0;
        arcs += law[to] > 0;
        taken += goes_there;
        assert_true(old[to] > 0 || !(law[to] > 0)); /* none that was not there */
        if (goes_there)
            assert_true(law[to] > 0);
    }
    assert_int_equal(arcs, taken > 0 ? taken : 1);
}

static void keeps_what_is_taken(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_shrink_report report;
    struct cor_test_result result;
    struct cor_test *smaller = shrink(tester, test, &report);
    for (uint32_t p = 0; p < test->suite->configuration->profile_count; p++)
        for (uint32_t row = 0; row <= test->suite->profiles[p]->state_count; row++)
            look_at_row(smaller, test, p, row);
    OK(cor_tester_execute(tester, smaller, 0, &result, &error)); /* to its end, which is the failing case */
    assert_int_equal(result.case_, cor_test_cases(smaller));
    assert_int_equal(result.hash, smaller->expected.hash);
    cor_shrink_report_fini(&report);
    cor_test_destroy(smaller);
}

static void of_profiles_the_arcs_that_the_walk_takes_are_left(void **state) {
    (void)state;
    with_tests(true, keeps_what_is_taken);
}

/* From "dark" of the sky, where it has one arc, to all states alike. */
static void is_found_by_a_check(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_shrink_definition definition = {.budget = 0};
    struct cor_shrink_report report;
    struct cor_test *smaller = shrink(tester, test, &report);
    const struct cor_profile *sky = smaller->suite->profiles[0];
    const uint64_t steps = report.steps;
    assert_int_equal(sky->state_count, 2);
    cor_shrink_report_fini(&report);
    OK(cor_shrink_check(smaller, &definition, tester, &report, &error));
    assert_int_equal(report.end, COR_SHRINK_MINIMAL);
    assert_int_equal(report.steps, steps);
    cor_shrink_report_fini(&report);
    double more[4] = {0.5, 0.5, sky->probability[2], sky->probability[3]};
    const bool both = sky->probability[0] > 0 && sky->probability[1] > 0; /* the walk takes them */
    set_law(smaller, 0, more, sky->start);
    OK(cor_shrink_check(smaller, &definition, tester, &report, &error));
    assert_int_equal(report.end, both ? COR_SHRINK_MINIMAL : COR_SHRINK_LARGER);
    assert_int_equal(report.steps, both ? steps : steps + 1);
    if (!both)
        assert_non_null(strstr(report.said, "the arc of sky from dark to"));
    cor_shrink_report_fini(&report);
    cor_test_destroy(smaller);
}

static void an_arc_too_many_is_a_single_step(void **state) {
    (void)state;
    with_tests(true, is_found_by_a_check);
}

/* All chains stand still where no arc leads: of rows of two arcs each the first is left. */
static void keeps_the_first(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_test *copy;
    const uint32_t count = test->suite->profiles[1]->state_count;
    double *laws = calloc((size_t)(count + 1) * count, sizeof *laws);
    (void)tester;
    assert_non_null(laws);
    assert_in_range(count, 3, 6);
    for (uint32_t row = 0; row <= count; row++)
        laws[row * count + 1] = laws[row * count + 2] = 0.5;
    OK(cor_test_copy(test, &copy, &error));
    set_law(copy, 1, laws, laws);
    struct cor_walk *walk = &copy->suite->recorded[0];
    memset(walk->states, 0, ((size_t)walk->case_count + 1) * walk->chain_count);
    OK(sequence__test_drop_arcs(copy, &error));
    const struct cor_profile *profile = copy->suite->profiles[1];
    for (uint32_t row = 0; row <= count; row++)
        for (uint32_t to = 0; to < count; to++)
            assert_true((row == count ? profile->start : profile->probability + (size_t)row * count)[to] ==
                        (to == 1 ? 1 : 0));
    assert_int_equal(sequence__test_needless_arcs(copy), 0);
    cor_test_destroy(copy);
    free(laws);
}

static void a_state_never_left_keeps_its_first_arc_and_a_jump_is_none(void **state) {
    (void)state;
    with_tests(true, keeps_the_first);
}

/* No two chains are called alike, and each by its environment and by agents that perceive it. */
static void check_chains(const struct cor_test *test) {
    const struct cor_configuration *c = test->suite->configuration;
    for (uint32_t chain = 0; chain < c->chain_count; chain++) {
        char text[128], other[128];
        const char *name = test->suite->profiles[c->profile_of_chain[chain]]->name;
        sequence__chain_text(test, chain, text, sizeof text);
        assert_int_equal(strncmp(text, name, strlen(name)), 0);
        for (uint32_t before = 0; before < chain; before++) {
            sequence__chain_text(test, before, other, sizeof other);
            assert_string_not_equal(text, other);
        }
        for (const char *at = text + strlen(name); (at = strpbrk(at, "0123456789")) != NULL;) {
            char *end;
            const unsigned long agent = strtoul(at, &end, 10);
            uint32_t group = 0;
            at = end;
            if (strncmp(end, " more", 5) == 0)
                continue;
            while (c->group_start[group + 1] <= agent)
                group++;
            /* lamps live under the sky, vans in traffic: profiles 0 and 1 */
            assert_int_equal(c->profile_of_chain[chain], c->type[agent]);
            assert_int_equal(c->other_chains[group * c->profile_count + c->type[agent]], chain);
        }
    }
}

static void check_levels(const struct cor_test *test, bool *has_lamp, bool *has_van) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_slots slots = {0};
    OK(sequence__slots_list(NULL, test, &slots, &error));
    for (size_t i = 0; i < slots.count; i++) {
        static const char *const lit[] = {"on", "off"}, *const bright[] = {"dark", "bright"};
        const struct cor_slot *slot = &slots.items[i];
        const uint32_t profiles = test->suite->configuration->profile_count;
        const bool is_lamp = slot->first / profiles == 0;
        char text[256], expected[256], drawn[16];
        if (slot->kind != COR_SLOT_LEVEL)
            continue;
        const char *environment = test->suite->profiles[slot->first % profiles]->name;
        const bool is_sky = strcmp(environment, "sky") == 0; /* of the other the states are drawn */
        snprintf(drawn, sizeof drawn, "s%u", slot->second);
        snprintf(expected, sizeof expected, "the level of state %s of type %s in environment %s",
                 is_lamp  ? lit[slot->second]
                 : is_sky ? bright[slot->second]
                          : drawn,
                 is_lamp ? "lamp" : "van", environment);
        sequence__slot_text(test, slot, text, sizeof text);
        assert_string_equal(text, expected);
        *(is_lamp ? has_lamp : has_van) = true;
    }
    free(slots.items);
}

static void names_are_the_models(void **state) {
    (void)state;
    struct scene scene;
    bool has_lamp = false, has_van = false;
    scene_open(&scene, scene_faults, false);
    for (uint32_t suite = 0; suite < 2; suite++) {
        scene_execute(&scene, 0, suite);
        struct cor_test *test = scene_test(&scene, 0);
        check_chains(test);
        check_levels(test, &has_lamp, &has_van);
        cor_test_destroy(test);
    }
    assert_true(has_lamp && has_van);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_execution_looks_at_profiles),
        cmocka_unit_test(of_profiles_the_arcs_that_the_walk_takes_are_left),
        cmocka_unit_test(an_arc_too_many_is_a_single_step),
        cmocka_unit_test(a_state_never_left_keeps_its_first_arc_and_a_jump_is_none),
        cmocka_unit_test(names_are_the_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
