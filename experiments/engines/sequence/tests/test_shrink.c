/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shrinking failing sequences of a small experiment with all faults of the testbed. Whether what is left is
 * minimal is looked at by single steps that are made here. */
#include "scene.h"
#include "shrinker.h"

#include <corridor/bounds.h>

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls `with` for the first failing sequence of each arm. */
static void with_failures(bool branching, uint32_t most,
                          void (*with)(struct cor_tester *tester, const struct cor_test *test)) {
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_tester *tester;
    uint32_t failing = 0;
    scene_open(&scene, scene_faults, branching);
    OK(cor_tester_create(&tester, &error));
    for (uint32_t arm = 0; arm < scene.experiment->arm_count && failing < most; arm++) {
        bool found = false;
        scene_execute(&scene, arm, 0);
        for (size_t row = cor_record_size(scene.record, COR_TABLE_SEQUENCES); row-- > 0 && !found;) {
            struct cor_test *test = scene_test(&scene, row);
            OK(cor_tester_execute(tester, test, 0, &test->expected, &error));
            found = test->expected.case_ != 0;
            if (found)
                with(tester, test);
            failing += found;
            cor_test_destroy(test);
        }
    }
    assert_in_range(failing, 4, most);
    cor_tester_destroy(tester);
    scene_close(&scene);
}

static struct cor_test *shrink_as(struct cor_tester *tester, const struct cor_test *test,
                                  const struct cor_shrink_definition *definition,
                                  struct cor_shrink_report *report) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_test *smaller;
    OK(cor_shrink(test, definition, tester, &smaller, report, &error));
    assert_non_null(report->said);
    return smaller;
}

static struct cor_test *shrink(struct cor_tester *tester, const struct cor_test *test, bool is_free) {
    const struct cor_shrink_definition definition = {.free = is_free};
    struct cor_shrink_report report;
    struct cor_test *smaller = shrink_as(tester, test, &definition, &report);
    assert_int_equal(report.end, COR_SHRINK_MINIMAL);
    assert_in_range(report.steps, is_free ? 0 : 1, SIZE_MAX); /* looked at */
    cor_shrink_report_fini(&report);
    return smaller;
}

static bool keeps(struct cor_tester *tester, const struct cor_test *changed, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_test_result result;
    OK(cor_tester_execute(tester, changed, 0, &result, &error));
    return result.case_ != 0 && cor_failure_class_equal(&result.class, &test->expected.class);
}

static void fails_alike(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_test_result result;
    struct cor_test *smaller = shrink(tester, test, false);
    const struct cor_test_size before = cor_test_size(test), after = cor_test_size(smaller);
    OK(cor_tester_execute(tester, smaller, 0, &result, &error));
    assert_true(cor_failure_class_equal(&result.class, &test->expected.class));
    assert_int_equal(result.case_, cor_test_cases(smaller)); /* nothing behind the failing case */
    assert_int_equal(result.hash, smaller->expected.hash);
    assert_in_range(after.cases, 1, before.cases);
    assert_in_range(after.agents, 1, before.agents);
    assert_in_range(after.chains, 1, before.chains);
    cor_test_destroy(smaller);
}

static void what_is_left_fails_alike(void **state) {
    (void)state;
    with_failures(false, 30, fails_alike);
}

static void of_branches_too(void **state) {
    (void)state;
    with_failures(true, 6, fails_alike);
}

/* A case alone taken away by hand: the walk's row, and the name of its draws. */
static struct cor_test *without_case(const struct cor_test *test, uint32_t gone) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_test *copy;
    OK(cor_test_copy(test, &copy, &error));
    struct cor_walk *walk = &copy->suite->recorded[0];
    const uint32_t left = walk->case_count - 1;
    uint64_t *identity = calloc(left, sizeof *identity);
    assert_non_null(identity);
    for (uint32_t i = 0, to = 0; i <= left; i++)
        if (i != gone)
            identity[to++] = copy->case_identity ? copy->case_identity[i] : i + 1;
    memmove(walk->states + (size_t)(gone + 1) * walk->chain_count,
            walk->states + (size_t)(gone + 2) * walk->chain_count, (size_t)(left - gone) * walk->chain_count);
    walk->case_count = walk->known = copy->suite->case_counts[0] = left;
    free(copy->case_identity);
    copy->case_identity = identity;
    return copy;
}

/* The first case without which a test fails alike; as many as it has: none. */
static uint32_t first_that_can_go(struct cor_tester *tester, const struct cor_test *test) {
    const uint32_t count = cor_test_cases(test);
    for (uint32_t gone = 0; count > 1 && gone < count; gone++) {
        struct cor_test *copy = without_case(test, gone);
        const bool stays = keeps(tester, copy, test);
        cor_test_destroy(copy);
        if (stays)
            return gone;
    }
    return count;
}

static void no_case_less(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_test *smaller = shrink(tester, test, false);
    assert_int_equal(first_that_can_go(tester, smaller), cor_test_cases(smaller));
    cor_test_destroy(smaller);
}

static uint32_t behind_the_first; /* cases that a check named */

/* Of what was not shrunk a check names the first case that can go, which mostly is the first of all; with
 * less and less in front it is another. */
static void names_the_first(struct cor_tester *tester, const struct cor_test *test) {
    const struct cor_shrink_definition definition = {.free = true};
    struct cor_error error = COR_NO_ERROR;
    struct cor_shrink_report report;
    struct cor_test *left;
    OK(cor_test_copy(test, &left, &error));
    for (uint32_t first; (first = first_that_can_go(tester, left)) < cor_test_cases(left);) {
        char said[64];
        if (first > 0) {
            OK(cor_tester_execute(tester, left, 0, &left->expected, &error));
            OK(cor_shrink_check(left, &definition, tester, &report, &error));
            snprintf(said, sizeof said, "the first is case %u.", first + 1);
            assert_non_null(strstr(report.said, said));
            cor_shrink_report_fini(&report);
            behind_the_first++;
            break;
        }
        struct cor_test *less = without_case(left, first);
        cor_test_destroy(left);
        left = less;
    }
    cor_test_destroy(left);
}

static void a_check_names_the_first_case_that_can_go(void **state) {
    (void)state;
    with_failures(false, 6, names_the_first);
    assert_in_range(behind_the_first, 1, 6);
}

static void without_any_single_case_it_fails_no_more(void **state) {
    (void)state;
    with_failures(false, 30, no_case_less);
}

/* Each change of a chain alone undone by hand, where that is simpler. */
static void no_change_less(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_test *smaller = shrink(tester, test, true), *copy;
    const struct cor_walk *walk = &smaller->suite->recorded[0];
    const size_t chains = walk->chain_count;
    for (size_t i = chains; i < chains * (walk->case_count + (size_t)1); i++) {
        enum cor_status status = COR_OK;
        OK(cor_test_copy(smaller, &copy, &error));
        copy->suite->recorded[0].states[i] = walk->states[i - chains];
        const bool simpler = sequence__test_compare(NULL, copy, smaller, &status, &error) < 0;
        OK(status);
        assert_false(simpler && keeps(tester, copy, test));
        cor_test_destroy(copy);
    }
    cor_test_destroy(smaller);
}

static void without_any_single_change_it_fails_no_more(void **state) {
    (void)state;
    with_failures(false, 10, no_change_less);
}

/* Freely, without the constraints: no agent, no unit of the budget less. */
static void no_agent_less(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_test *smaller = shrink(tester, test, true), *copy;
    const uint32_t agents = smaller->suite->configuration->agent_count;
    bool gone[64] = {false}, can;
    for (uint32_t i = 0; agents > 1 && i < agents; i++) {
        OK(cor_test_copy(smaller, &copy, &error));
        gone[i] = true;
        OK(sequence__test_drop_agents(copy, gone, &can, &error));
        gone[i] = false;
        assert_false(can && keeps(tester, copy, test));
        cor_test_destroy(copy);
    }
    if (smaller->suite->budget > 1) {
        smaller->suite->budget--;
        assert_false(keeps(tester, smaller, test));
    }
    cor_test_destroy(smaller);
}

static void freely_no_agent_and_no_budget_less(void **state) {
    (void)state;
    with_failures(false, 10, no_agent_less);
}

/* The laws of the scene by hand. */
static void stays_inside(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_test *smaller = shrink(tester, test, false);
    const struct cor_configuration *c = smaller->suite->configuration;
    const double *p = smaller->suite->parameters;
    const struct cor_parameter_laws *laws = smaller->arm.laws;
    const double agents = p[cor_parameter_laws_find(laws, "agents")],
                 least = p[cor_parameter_laws_find(laws, "n_min")],
                 most = p[cor_parameter_laws_find(laws, "n_max")],
                 lazy = p[cor_parameter_laws_find(laws, "lazy")], ep = p[cor_parameter_laws_find(laws, "ep")];
    assert_true(agents == c->agent_count && agents >= 8 && agents <= 30);
    assert_true(least == c->limits.count_min && most == c->limits.count_max);
    assert_true(least >= 2 && least <= most && most <= 4);
    assert_true(lazy == c->idle_ratio && lazy >= 0.05 && lazy <= 0.2 && ep >= 3 && ep <= 6);
    assert_true(c->initial_partitions >= least && c->initial_partitions <= most);
    for (uint32_t i = 0; i < c->agent_count; i++)
        assert_true(c->inertia[i] >= 0.2 && c->inertia[i] <= 1);
    cor_test_destroy(smaller);
}

static void what_is_left_is_such_that_the_model_could_have_made_it(void **state) {
    (void)state;
    with_failures(false, 30, stays_inside);
}

/* The same text however often, and again from its own file; there it is minimal, too. */
static void is_repeatable(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_shrink_definition definition = {.budget = 0};
    struct cor_shrink_report report;
    char *text, *again;
    struct cor_test *smaller = shrink(tester, test, false), *other;
    OK(cor_test_text(smaller, &text, &error));
    other = shrink(tester, test, false);
    OK(cor_test_text(other, &again, &error));
    assert_string_equal(text, again);
    free(again);
    cor_test_destroy(other);
    struct cor_json_document *document;
    OK(cor_json_parse(text, "text", &document, &error));
    OK(cor_test_take("text", document, NULL, &other, NULL, &error));
    OK(cor_test_text(other, &again, &error));
    assert_string_equal(text, again);
    OK(cor_shrink_check(other, &definition, tester, &report, &error));
    assert_int_equal(report.end, COR_SHRINK_MINIMAL);
    assert_false(report.free);
    cor_shrink_report_fini(&report);
    free(text);
    free(again);
    cor_test_destroy(other);
    cor_test_destroy(smaller);
}

static void the_result_is_the_same_each_time_and_minimal_by_its_own_file(void **state) {
    (void)state;
    with_failures(false, 30, is_repeatable);
}

static bool three_times(void *self, const struct cor_shrink_counts *counts) {
    (void)self;
    return counts->tries.count < 3; /* of the budget of five the explanation takes two */
}

static void stops(struct cor_tester *tester, const struct cor_test *test) {
    const struct cor_shrink_definition budget = {.budget = 5}, asked = {.go_on = three_times};
    struct cor_shrink_report report, other_report;
    struct cor_test *smaller = shrink_as(tester, test, &budget, &report);
    struct cor_test *other = shrink_as(tester, test, &asked, &other_report);
    if (report.end == COR_SHRINK_STOPPED) {
        assert_non_null(strstr(report.said, "Not minimal"));
        assert_in_range(report.counts.tries.count, 1, 5);
    }
    assert_true(keeps(tester, smaller, test));
    assert_int_equal(cor_test_hash(smaller), cor_test_hash(other));
    cor_shrink_report_fini(&report);
    cor_shrink_report_fini(&other_report);
    cor_test_destroy(smaller);
    cor_test_destroy(other);
}

static void whoever_stops_it_gets_the_best_so_far(void **state) {
    (void)state;
    with_failures(false, 30, stops);
}

static void is_flaky(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_shrink_definition definition = {.budget = 0};
    struct cor_shrink_report report;
    struct cor_test *other, *smaller;
    OK(cor_test_copy(test, &other, &error));
    other->expected.class.killers.checks[0] ^= 1;
    smaller = shrink_as(tester, other, &definition, &report);
    assert_int_equal(report.end, COR_SHRINK_FLAKY);
    assert_memory_equal(report.said, "flaky: ", 7);
    assert_int_equal(cor_test_hash(smaller), cor_test_hash(test));
    assert_int_equal(report.counts.tries.count, 2);
    cor_shrink_report_fini(&report);
    cor_test_destroy(smaller);
    cor_test_destroy(other);
}

static void a_failure_that_is_not_the_expected_one_is_kept_as_it_is(void **state) {
    (void)state;
    with_failures(false, 5, is_flaky);
}

static void reseeds(struct cor_tester *tester, const struct cor_test *test) {
    const struct cor_shrink_definition definition = {.reseeds = 3};
    struct cor_shrink_report report;
    struct cor_test *own = shrink(tester, test, false);
    struct cor_test *smaller = shrink_as(tester, test, &definition, &report);
    const bool other_seed = smaller->suite->name.seed != test->suite->name.seed;
    assert_int_equal(report.end, COR_SHRINK_MINIMAL);
    assert_true(keeps(tester, smaller, test));
    assert_in_range(cor_test_cases(smaller), 1, cor_test_cases(own));
    assert_int_equal(other_seed, strstr(report.said, "drawn anew") != NULL);
    cor_shrink_report_fini(&report);
    cor_test_destroy(smaller);
    cor_test_destroy(own);
}

static void other_seeds_never_make_it_larger_and_are_said(void **state) {
    (void)state;
    with_failures(false, 8, reseeds);
}

/* Of the order of real numbers: 1, 0, 0.5, few decimals, then size. */
static void real_numbers_have_an_order_of_simplicity(void **state) {
    (void)state;
    static const double order[] = {1, 0, 0.5, 2, 0.2, 0.7, 0.25, 0.26, 1.25, 0.123, 0.1234567};
    for (size_t i = 0; i + 1 < sizeof order / sizeof *order; i++) {
        const struct cor_simplicity a = sequence__simplicity(order[i]),
                                    b = sequence__simplicity(order[i + 1]);
        assert_true(a.digits < b.digits || (a.digits == b.digits && a.bits < b.bits));
    }
    double simpler[COR_SIMPLER_MAX];
    assert_int_equal(sequence__simpler(0.3179, 0.2, 0.9, simpler), 4);
    assert_true(simpler[0] == 0.5 && simpler[1] == 0.3 && simpler[2] == 0.32 && simpler[3] == 0.318);
    assert_int_equal(sequence__simpler(1, 0, 1, simpler), 0);
}

static const struct cor_pass *pass_called(const char *name) {
    uint32_t pass = 0;
    while (pass < sequence__pass_count && strcmp(sequence__passes[pass].name, name) != 0)
        pass++;
    assert_true(pass < sequence__pass_count);
    return &sequence__passes[pass];
}

/* Notes which integers a step has brought to their low end, and which it has made one less. */
static void note_step(const struct cor_test *test, const struct cor_test *changed,
                      const struct cor_slots *slots, bool *at_low, bool *one_less) {
    for (size_t i = 0; i < slots->count; i++) {
        const struct cor_slot *slot = &slots->items[i];
        const double before = sequence__slot_value(test, slot), now = sequence__slot_value(changed, slot);
        at_low[i] = at_low[i] || (now < before && now == slot->low);
        one_less[i] = one_less[i] || now == before - 1;
    }
}

static void has_both_steps(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_pass *numbers = pass_called("numbers");
    struct cor_shrinker s = {.report = NULL};
    struct cor_slots slots = {0};
    uint32_t count, integers = 0;
    (void)tester;
    OK(cor_test_copy(test, &s.best, &error));
    OK(sequence__slots_list(NULL, test, &slots, &error));
    bool *at_low = calloc(slots.count, sizeof *at_low), *one_less = calloc(slots.count, sizeof *one_less);
    assert_true(at_low && one_less);
    OK(numbers->count(&s, &count, &error));
    for (uint32_t i = 0; i < count; i++) {
        struct cor_test *copy;
        struct cor_step step = {0};
        OK(cor_test_copy(test, &copy, &error));
        OK(numbers->step(&s, copy, i, &step, &error));
        assert_true(step.can);
        note_step(test, copy, &slots, at_low, one_less);
        cor_test_destroy(copy);
    }
    for (size_t i = 0; i < slots.count; i++)
        if (slots.items[i].integer && sequence__slot_value(test, &slots.items[i]) > slots.items[i].low) {
            assert_true(at_low[i] && one_less[i]);
            integers += sequence__slot_value(test, &slots.items[i]) > slots.items[i].low + 1;
        }
    assert_in_range(integers, 3, slots.count);
    free(at_low);
    free(one_less);
    free(slots.items);
    free(s.slots.items);
    cor_test_destroy(s.best);
}

static void an_integer_is_tried_at_its_low_end_and_one_less(void **state) {
    (void)state;
    with_failures(false, 5, has_both_steps);
}

/* The test with its mail as it was drawn for it, which is no other execution. */
static void fix_schedule(struct cor_tester *tester, struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_test_result again;
    struct cor_mail_record *mail;
    OK(cor_mail_record_create(test->arm.session.mail.mode, &mail, &error));
    cor_tester_record_mail(tester, mail);
    OK(cor_tester_execute(tester, test, 0, &test->expected, &error));
    cor_tester_record_mail(tester, NULL);
    test->schedule = mail;
    test->arm.session.mail.mode = COR_MAIL_IN_ORDER; /* the schedule is what counts */
    OK(cor_tester_execute(tester, test, 0, &again, &error));
    assert_int_equal(again.hash, test->expected.hash);
}

static bool fails_in_order(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_test *copy;
    OK(cor_test_copy(test, &copy, &error));
    cor_mail_record_drop(copy->schedule, 0, copy->schedule->count);
    const bool stays = keeps(tester, copy, test);
    cor_test_destroy(copy);
    return stays;
}

/* Each entry alone taken away by hand; and each is of a case that is there. */
static void no_entry_less(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    for (size_t i = 0; i < test->schedule->count; i++) {
        struct cor_test *copy;
        bool there = false;
        for (uint32_t at = 0; at < cor_test_cases(test); at++)
            there = there || test->schedule->entries[i].identity ==
                                 (test->case_identity ? test->case_identity[at] : at + 1);
        assert_true(there);
        OK(cor_test_copy(test, &copy, &error));
        cor_mail_record_drop(copy->schedule, i, 1);
        assert_false(keeps(tester, copy, test));
        cor_test_destroy(copy);
    }
}

static bool shrink_schedule(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_shrink_definition definition = {.budget = 0};
    struct cor_shrink_report report;
    const bool needless = fails_in_order(tester, test);
    struct cor_test *smaller = shrink(tester, test, false), *larger;
    assert_true(keeps(tester, smaller, test));
    no_entry_less(tester, smaller);
    const bool matters = smaller->schedule->count > 0;
    if (matters)
        assert_false(fails_in_order(tester, smaller));
    OK(cor_test_copy(smaller, &larger, &error)); /* an entry that nothing sent fits is one too many */
    OK(cor_mail_record_put(larger->schedule,
                           &(struct cor_mail_entry){larger->case_identity ? larger->case_identity[0] : 1,
                                                    cor_mail_is_one_by_one(larger->schedule->mode)
                                                        ? COR_MAIL_DEED_WAITS
                                                        : COR_MAIL_DEED_TRAVELS,
                                                    1000000, 2},
                           &error));
    OK(cor_shrink_check(larger, &definition, tester, &report, &error));
    assert_int_equal(report.end, COR_SHRINK_LARGER);
    assert_non_null(strstr(report.said, "entry of the schedule"));
    cor_shrink_report_fini(&report);
    cor_test_destroy(larger);
    cor_test_destroy(smaller);
    return matters && !needless;
}

/* Where messages are lost an algorithm without a fault fails by its schedule alone. */
static const char mailed[] =
    "{\"name\": \"lossy\", \"algorithm\": \"spada\", \"mail\": {\"mode\": \"lossy\", \"loss_ratio\": "
    "0.15}},\n"
    "{\"name\": \"shuffled\", \"algorithm\": \"spada\", \"fault\": \"f2\", \"mail\": {\"mode\": "
    "\"shuffled\"}}";

static void of_a_recorded_schedule_what_the_failure_needs_is_left(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_tester *tester;
    uint32_t failing = 0, matter = 0;
    scene_open(&scene, mailed, false);
    OK(cor_tester_create(&tester, &error));
    for (uint32_t arm = 0; arm < scene.experiment->arm_count; arm++) {
        scene_execute(&scene, arm, arm);
        for (size_t row = 0; row < cor_record_size(scene.record, COR_TABLE_SEQUENCES); row++) {
            struct cor_test *test = scene_test(&scene, row);
            fix_schedule(tester, test);
            failing += test->expected.case_ != 0;
            if (test->expected.case_ != 0)
                matter += shrink_schedule(tester, test);
            cor_test_destroy(test);
        }
    }
    if (failing < 4 || matter < 2)
        fail_msg("%u failing, the schedule of %u matters", failing, matter);
    cor_tester_destroy(tester);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_fails_alike),
        cmocka_unit_test(of_branches_too),
        cmocka_unit_test(without_any_single_case_it_fails_no_more),
        cmocka_unit_test(a_check_names_the_first_case_that_can_go),
        cmocka_unit_test(without_any_single_change_it_fails_no_more),
        cmocka_unit_test(freely_no_agent_and_no_budget_less),
        cmocka_unit_test(what_is_left_is_such_that_the_model_could_have_made_it),
        cmocka_unit_test(the_result_is_the_same_each_time_and_minimal_by_its_own_file),
        cmocka_unit_test(whoever_stops_it_gets_the_best_so_far),
        cmocka_unit_test(a_failure_that_is_not_the_expected_one_is_kept_as_it_is),
        cmocka_unit_test(other_seeds_never_make_it_larger_and_are_said),
        cmocka_unit_test(of_a_recorded_schedule_what_the_failure_needs_is_left),
        cmocka_unit_test(an_integer_is_tried_at_its_low_end_and_one_less),
        cmocka_unit_test(real_numbers_have_an_order_of_simplicity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
