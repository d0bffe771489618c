/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sequence taken out of its suite, held against the rows it had there; and what leaving out cases and
 * agents does to the draws of those that stay: nothing. */
#include "scene.h"

#include <corridor/mechanism_host.h>
#include <corridor/state.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Executes each sequence of all suites as a test, backwards, so that none follows the one it followed. */
static void check_all(bool branching) {
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_tester *tester;
    uint32_t continued = 0, failing = 0, smoke = 0;
    scene_open(&scene, scene_faults, branching);
    OK(cor_tester_create(&tester, &error));
    for (uint32_t i = 0; i < 2 * scene.experiment->arm_count; i++) {
        scene_execute(&scene, i / 2, i % 2);
        for (size_t row = cor_record_size(scene.record, COR_TABLE_SEQUENCES); row-- > 0;) {
            struct cor_test_result result, again;
            struct cor_test *test = scene_test(&scene, row), *copy;
            OK(cor_tester_execute(tester, test, 0, &result, &error));
            scene_compare(&scene, row, cor_tester_record(tester));
            OK(cor_test_copy(test, &copy, &error));
            assert_int_equal(cor_test_hash(copy), cor_test_hash(test));
            OK(cor_tester_execute(tester, copy, 0, &again, &error));
            assert_int_equal(again.hash, result.hash);
            continued += test->continues;
            failing += result.case_ > 0;
            smoke += result.class.smoke != COR_SMOKE_NONE;
            cor_test_destroy(copy);
            cor_test_destroy(test);
        }
    }
    cor_tester_destroy(tester);
    scene_close(&scene);
    if (failing < 20 || (branching && continued < 20))
        fail_msg("%u failing, %u continued, %u with smoke", failing, continued, smoke);
}

static void a_test_gives_the_rows_of_its_sequence(void **state) {
    (void)state;
    check_all(false);
}

static void a_test_of_a_branch_gives_the_rows_of_its_sequence(void **state) {
    (void)state;
    check_all(true);
}

/* A result file of all suites of the scene. */
static struct cor_result *make_result(struct scene *scene, const char *folder) {
    struct cor_error error = COR_NO_ERROR;
    char journal_path[256], result_path[256];
    const char *journals[] = {journal_path};
    struct cor_journal *journal;
    struct cor_result *result;
    const struct cor_result_header header = {.layer = &cor_interaction_schema,
                                             .experiment = scene->experiment->text,
                                             .provenance = "{}",
                                             .complete = 1};
    snprintf(journal_path, sizeof journal_path, "%s/journal", folder);
    snprintf(result_path, sizeof result_path, "%s/result.h5", folder);
    OK(cor_journal_create(journal_path, &journal, &error));
    for (uint32_t i = 0; i < 2 * scene->experiment->arm_count; i++) {
        scene_execute(scene, i / 2, i % 2);
        OK(cor_journal_append(journal, scene->record, &error));
    }
    cor_journal_close(journal);
    OK(cor_result_merge(journals, 1, &header, result_path, 0, &error));
    OK(cor_result_open(result_path, &result, &error));
    unlink(journal_path);
    unlink(result_path);
    return result;
}

static void expect(enum cor_status status, const struct cor_error *error, const char *words) {
    assert_int_equal(status, COR_STATUS_INPUT);
    if (!strstr(error->cause, words))
        fail_msg("\"%s\" says nothing of \"%s\"", error->cause, words);
}

static void a_test_of_a_result_file_gives_the_rows_of_its_sequence(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_tester *tester;
    char folder[] = "/tmp/corridor-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    scene_open(&scene, scene_faults, true);
    struct cor_result *result = make_result(&scene, folder);
    OK(cor_tester_create(&tester, &error));
    for (uint32_t i = 0; i < 2 * scene.experiment->arm_count; i++) {
        struct cor_suite *suite;
        scene_execute(&scene, i / 2, i % 2);
        OK(cor_suite_of_result(result, scene.experiment, i / 2, i % 2, &suite, &error));
        for (size_t row = 0; row < cor_record_size(scene.record, COR_TABLE_SEQUENCES); row++) {
            struct cor_test_result came;
            struct cor_test *test;
            OK(cor_test_of_result(result, suite, (uint32_t)row, &test, &error));
            OK(cor_tester_execute(tester, test, 0, &came, &error));
            scene_compare(&scene, row, cor_tester_record(tester));
            cor_test_destroy(test);
        }
        struct cor_test *none;
        struct cor_error said = COR_NO_ERROR;
        expect(cor_test_of_result(result, suite, 999, &none, &said), &said, "has no sequence 999");
        cor_suite_destroy(suite);
    }
    struct cor_suite *suite;
    struct cor_error said = COR_NO_ERROR;
    expect(cor_suite_of_result(result, scene.experiment, 0, 7, &suite, &said), &said, "is not in the file");
    said = COR_NO_ERROR;
    scene.experiment->seed++;
    expect(cor_suite_of_result(result, scene.experiment, 0, 0, &suite, &said), &said,
           "another configuration");
    cor_tester_destroy(tester);
    cor_result_close(result);
    scene_close(&scene);
    rmdir(folder);
}

/* The same environment once more without the loop: who perceives what, by names that are put together here.
 * No case raises an alarm. */
static uint64_t perceived(const struct cor_test *test, const uint64_t *identity) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_walk *walk = &test->suite->recorded[0];
    struct cor_state *state;
    OK(cor_state_create(test->suite->configuration, &state, &error));
    cor_state_restart(state, cor_walk_at(walk, 0));
    for (uint32_t i = 1; i <= walk->case_count; i++) {
        struct cor_stream_name name = test->suite->name;
        name.identity = identity[i - 1];
        name.sequence = identity[i - 1] <= test->branch.prefix ? test->branch.parent : test->sequence;
        cor_state_perceive(state, cor_walk_at(walk, i), &name);
    }
    const uint64_t hash = cor_state_hash(state);
    cor_state_destroy(state);
    return hash;
}

static uint64_t last_state(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_test_result result;
    OK(cor_tester_execute(tester, test, 0, &result, &error));
    assert_int_equal(result.reorganizations, 0);
    const struct cor_sequence_row *row = cor_record_at(cor_tester_record(tester), COR_TABLE_SEQUENCES, 0);
    return row->state_hash;
}

/* Takes case `number` away; the others keep their names. */
static void drop_case(struct cor_test *test, uint32_t number) {
    struct cor_walk *walk = &test->suite->recorded[0];
    const uint32_t cases = walk->case_count, chains = walk->chain_count;
    if (!test->case_identity) {
        test->case_identity = calloc(cases, sizeof *test->case_identity);
        assert_non_null(test->case_identity);
        for (uint32_t i = 0; i < cases; i++)
            test->case_identity[i] = i + 1;
    }
    memmove(test->case_identity + number - 1, test->case_identity + number,
            (cases - number) * sizeof *test->case_identity);
    memmove(walk->states + (size_t)number * chains, walk->states + ((size_t)number + 1) * chains,
            (size_t)(cases - number) * chains);
    walk->case_count = walk->known = test->suite->case_counts[0] = cases - 1;
}

/* Drops one case after the other; whether the sequence shares cases with another one. Counts those tests that
 * would be others if cases were named by their numbers. */
static bool check_dropping(struct cor_tester *tester, struct scene *scene, size_t row, uint32_t *shifted) {
    struct cor_test *test = scene_test(scene, row);
    test->suite->configuration->threshold = 1;
    test->suite->configuration->monitor.fault = COR_MONITOR_FAULT_NONE;
    const bool shares = test->continues && test->branch.prefix > 2;
    while (cor_test_cases(test) > 3) {
        const uint32_t cases = cor_test_cases(test);
        uint64_t numbers[64];
        assert_in_range(cases, 1, 64);
        for (uint32_t i = 0; i < cases; i++)
            numbers[i] = i + 1;
        const uint64_t *identity = test->case_identity ? test->case_identity : numbers;
        const uint64_t now = last_state(tester, test);
        assert_int_equal(now, perceived(test, identity));
        *shifted += now != perceived(test, numbers);
        drop_case(test, 1 + (7 * cases) % (cases - 1));
    }
    cor_test_destroy(test);
    return shares;
}

static void cases_that_are_left_draw_what_they_drew(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_tester *tester;
    uint32_t continued = 0, shifted = 0;
    scene_open(&scene, scene_faults, true);
    OK(cor_tester_create(&tester, &error));
    for (uint32_t arm = 0; arm < scene.experiment->arm_count && continued < 3; arm++) {
        scene_execute(&scene, arm, 0);
        for (size_t row = 0; row < cor_record_size(scene.record, COR_TABLE_SEQUENCES); row++)
            continued += check_dropping(tester, &scene, row, &shifted);
    }
    if (continued == 0 || shifted < 20)
        fail_msg("%u sequences continue another one, %u tests would shift", continued, shifted);
    cor_tester_destroy(tester);
    scene_close(&scene);
}

/* Of two configurations that differ in who is there, whoever is in both does the same in both. */
static void agents_that_are_left_draw_what_they_drew(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    scene_open(&scene, scene_faults, false);
    scene_execute(&scene, 0, 0);
    struct cor_test *whole = scene_test(&scene, 0), *part;
    OK(cor_test_copy(whole, &part, &error));
    struct cor_configuration *c = part->suite->configuration;
    const struct cor_configuration *all = whole->suite->configuration;
    /* The first agent of the last group goes. */
    const uint32_t gone = c->group_start[c->group_count - 1], after = c->agent_count - gone - 1;
    c->agent_identity = calloc(c->agent_count, sizeof *c->agent_identity);
    assert_non_null(c->agent_identity);
    c->identity_count = c->agent_count--;
    c->group_start[c->group_count]--;
    for (uint32_t i = 0; i < c->agent_count; i++)
        c->agent_identity[i] = i < gone ? i : i + 1;
    memmove(c->type + gone, c->type + gone + 1, after * sizeof *c->type);
    memmove(c->inertia + gone, c->inertia + gone + 1, after * sizeof *c->inertia);
    memmove(c->initial_state + gone, c->initial_state + gone + 1, after);
    memmove(c->initial_value + gone, c->initial_value + gone + 1, after * sizeof *c->initial_value);
    memset(c->initial_partition, 0, c->agent_count * sizeof *c->initial_partition);
    c->initial_partitions = 1;
    struct cor_state *before, *now;
    OK(cor_state_create(all, &before, &error));
    OK(cor_state_create(c, &now, &error));
    const struct cor_walk *walk = &whole->suite->recorded[0];
    cor_state_restart(before, cor_walk_at(walk, 0));
    cor_state_restart(now, cor_walk_at(walk, 0));
    for (uint32_t i = 1; i <= walk->case_count; i++) {
        struct cor_stream_name name = whole->suite->name;
        name.identity = i;
        cor_state_perceive(before, cor_walk_at(walk, i), &name);
        cor_state_perceive(now, cor_walk_at(walk, i), &name);
        for (uint32_t agent = 0; agent < c->agent_count; agent++) {
            assert_int_equal(now->agent_state[agent], before->agent_state[c->agent_identity[agent]]);
            assert_memory_equal(&now->value[agent], &before->value[c->agent_identity[agent]], sizeof(double));
        }
    }
    assert_int_not_equal(cor_test_hash(whole), cor_test_hash(part));
    cor_state_destroy(before);
    cor_state_destroy(now);
    cor_test_destroy(part);
    cor_test_destroy(whole);
    scene_close(&scene);
}

/* Changes one thing of a copy, by number; false: there are no more. */
static bool change_one(struct cor_test *t, uint32_t number) {
    struct cor_arm *arm = &t->arm;
    struct cor_session_definition *session = &arm->session;
    struct cor_stream_name *name = &t->suite->name;
    struct cor_walk *walk = &t->suite->recorded[0];
    uint32_t *words[] = {&t->sequence,      &name->suite,      &arm->activation_delay,
                         &t->branch.parent, &t->branch.prefix, &session->agents.down_rounds,
                         &arm->look_every};
    double *reals[] = {&arm->result.probability, &session->agents.probability,
                       &t->suite->algorithm_parameters[0], &t->suite->configuration->threshold,
                       &t->suite->configuration->inertia[0]};
    const uint32_t word_count = sizeof words / sizeof *words, real_count = sizeof reals / sizeof *reals;
    if (number < word_count)
        return ++*words[number];
    number -= word_count;
    if (number < real_count) {
        *reals[number] /= 2;
        *reals[number] += 0.25;
        return true;
    }
    switch (number - real_count) {
    case 0:
        return ++name->seed;
    case 1:
        return ++name->arm;
    case 2:
        return t->continues = true;
    case 3:
        return ++arm->fault;
    case 4:
        return ++t->suite->budget;
    case 5:
        return session->strict = !session->strict, true;
    case 6:
        return ++session->interim_units;
    case 7:
        return ++session->memory_limit;
    case 8:
        walk->states[walk->case_count * walk->chain_count] ^= 1;
        return true;
    case 9:
        arm->result.fault = COR_RESULT_FAULT_STALE;
        return true;
    case 10:
        session->agents.fault = COR_CRASH_FAULT_CRASHED;
        return true;
    default:
        return false;
    }
}

static void identify_cases(struct cor_test *test) {
    const uint32_t cases = cor_test_cases(test);
    test->case_identity = calloc(cases, sizeof *test->case_identity);
    assert_non_null(test->case_identity);
    for (uint32_t i = 0; i < cases; i++)
        test->case_identity[i] = i + 1 + (i + 1 == cases);
}

/* Mail of a mode, with each of its settings another. */
static uint32_t put_mail(const struct cor_test *test, uint64_t *hashes, uint32_t count) {
    struct cor_error error = COR_NO_ERROR;
    static const struct cor_mail_schedule mails[] = {
        {.mode = COR_MAIL_SHUFFLED},
        {.mode = COR_MAIL_DELAYED, .delay_max = 2},
        {.mode = COR_MAIL_DELAYED, .delay_max = 3},
        {.mode = COR_MAIL_LOSSY, .loss_ratio = 0.1},
        {.mode = COR_MAIL_LOSSY, .loss_ratio = 0.2},
        {.mode = COR_MAIL_DUPLICATED, .duplicate_ratio = 0.1},
        {.mode = COR_MAIL_DUPLICATED, .duplicate_ratio = 0.2},
        {.mode = COR_MAIL_PCT, .depth = 1, .messages = 10},
        {.mode = COR_MAIL_PCT, .depth = 2, .messages = 10},
        {.mode = COR_MAIL_PCT, .depth = 1, .messages = 11},
        {.mode = COR_MAIL_BOUNDED, .bound = 1, .messages = 10, .index = 0},
        {.mode = COR_MAIL_BOUNDED, .bound = 2, .messages = 10, .index = 0},
        {.mode = COR_MAIL_BOUNDED, .bound = 1, .messages = 11, .index = 0},
        {.mode = COR_MAIL_BOUNDED, .bound = 1, .messages = 10, .index = 1}};
    for (size_t i = 0; i < sizeof mails / sizeof *mails; i++) {
        struct cor_test *copy;
        OK(cor_test_copy(test, &copy, &error));
        copy->arm.session.mail = mails[i];
        hashes[count++] = cor_test_hash(copy);
        cor_test_destroy(copy);
    }
    return count;
}

/* Mechanisms beside the algorithm, and clocks, each with one thing another. */
static uint32_t put_surroundings(const struct cor_test *test, uint64_t *hashes, uint32_t count) {
    struct cor_error error = COR_NO_ERROR;
    double usual[8] = {0}, other[8] = {1};
    bool types[COR_TYPES_MAX] = {true};
    struct cor_mock up = {.text = "{\"up\": 1}"}, down = {.text = "{\"down\": 1}"};
    const struct cor_mechanism *balance = cor_mechanism_builtin(0);
    struct cor_mechanism renamed = *balance;
    renamed.name = "balance_of_ours";
    assert_in_range(cor_parameter_count(balance->parameters), 1, 8);
    struct cor_mechanism_slot slots[][2] = {{{.mechanism = balance, .parameters = usual}},
                                            {{.mechanism = &renamed, .parameters = usual}},
                                            {{.mechanism = balance, .parameters = other}},
                                            {{.mechanism = balance, .parameters = usual, .types = types}},
                                            {{.mechanism = balance, .parameters = usual, .mock = &up}},
                                            {{.mechanism = balance, .parameters = usual, .mock = &down}}};
    const struct cor_clocks clocks[] = {{.case_ticks = 5},
                                        {.case_ticks = 6},
                                        {.case_ticks = 5, .agent_least = 1},
                                        {.case_ticks = 5, .agent_most = 1},
                                        {.case_ticks = 5, .monitor_ticks = 1},
                                        {.case_ticks = 5, .unit_ticks = 1},
                                        {.case_ticks = 5, .message_ticks = 1},
                                        {.case_ticks = 5, .move_ticks = 1}};
    struct cor_test *copy;
    OK(cor_test_copy(test, &copy, &error));
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        copy->arm.mechanisms = slots[i];
        copy->arm.mechanism_count = 1;
        hashes[count++] = cor_test_hash(copy);
    }
    copy->arm.mechanism_count = 0;
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        copy->arm.clocks = clocks[i];
        hashes[count++] = cor_test_hash(copy);
    }
    cor_test_destroy(copy);
    return count;
}

static void whatever_an_execution_depends_on_is_in_the_fingerprint(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_test *copy;
    uint64_t hashes[64];
    uint32_t count = 0;
    scene_open(&scene, scene_faults, false);
    scene_execute(&scene, 1, 0); /* by psopp, which has parameters */
    struct cor_test *test = scene_test(&scene, 0);
    hashes[count++] = cor_test_hash(test);
    for (bool is_there = true; is_there;) {
        OK(cor_test_copy(test, &copy, &error));
        is_there = change_one(copy, count - 1);
        if (is_there)
            hashes[count++] = cor_test_hash(copy);
        cor_test_destroy(copy);
    }
    assert_int_equal(count, 24);
    OK(cor_test_copy(test, &copy, &error));
    identify_cases(copy);
    hashes[count++] = cor_test_hash(copy);
    OK(cor_mail_record_create(COR_MAIL_PCT, &copy->schedule, &error));
    hashes[count++] = cor_test_hash(copy);
    cor_test_destroy(copy);
    count = put_mail(test, hashes, count);
    count = put_surroundings(test, hashes, count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (hashes[i] == hashes[j])
                fail_msg("changes %u and %u have one fingerprint", j, i);
    cor_test_destroy(test);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_an_execution_depends_on_is_in_the_fingerprint),
        cmocka_unit_test(a_test_gives_the_rows_of_its_sequence),
        cmocka_unit_test(a_test_of_a_branch_gives_the_rows_of_its_sequence),
        cmocka_unit_test(a_test_of_a_result_file_gives_the_rows_of_its_sequence),
        cmocka_unit_test(cases_that_are_left_draw_what_they_drew),
        cmocka_unit_test(agents_that_are_left_draw_what_they_drew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
