/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cases of agents as subject.h sees them: a case that is said by choices is the case; what shrinking leaves
 * of each finding that one case shows is minimal, which is held by trying every subset of its choices, and
 * all cases of the unit that are simpler; values that nobody needs, that are needed, and of which either is;
 * test files say all that it takes, and others are refused in so many words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../internal.h"
#include "invalid_corpus.h"

#include <corridor/agent_layer.h>
#include <corridor/agent_schema.h>
#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORPUS TEST_SOURCE_DIR "/experiments/layers/agent/tests/invalid_test"
#define LIBRARY TEST_SOURCE_DIR "/experiments/library/agents/"
#define SUBSETS_OF 12u /* choices at most of which all subsets are tried: none has more */

static const struct cor_subject *const subject = &agent_layer__subject;
static unsigned share = 20; /* each so many-th mutant of a design */

static void sound(enum cor_status status, const struct cor_error *error) {
    if (status != COR_OK)
        fail_msg("%s: %s (%s)", error->place, error->cause, error->remedy);
}

/* A design with faults, or with all mutants. */
static struct cor_agent_experiment *make_experiment(const char *name, bool mutants) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_agent_experiment *experiment;
    char *design = cor_format(LIBRARY "%s.json", name), *faults = cor_format(LIBRARY "%s_faults.json", name);
    const struct cor_agent_experiment_definition definition = {
        .design = design, .faults = mutants ? NULL : faults, .mutants = mutants};
    sound(cor_agent_experiment_make(&definition, &experiment, &error), &error);
    free(design);
    free(faults);
    return experiment;
}

static void *bench_of(const struct cor_agent_experiment *experiment, uint32_t arm) {
    struct cor_error error = COR_NO_ERROR;
    void *bench;
    sound(subject->open(&experiment->head, arm, &bench, &error), &error);
    return bench;
}

static struct cor_run run(void *bench, const struct cor_subject_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_run run;
    sound(subject->run(bench, test, NULL, &run, &error), &error);
    return run;
}

/* ---- what is a case by its number, beside the subject: the loop of campaigns and its judge */

struct beside {
    const struct cor_agent_experiment *experiment;
    struct cor_aut_session *session;
    struct cor_unit_runner *runner;
    struct cor_trace trace;
    struct cor_findings findings;
    struct cor_case_values values;
};

static struct beside open_beside(const struct cor_agent_experiment *experiment, uint32_t arm) {
    struct cor_error error = COR_NO_ERROR;
    struct beside beside = {.experiment = experiment};
    sound(cor_agent_arm_open(experiment, arm, &beside.session, &beside.runner, &error), &error);
    sound(cor_case_values_init(&beside.values, experiment->file->design, &error), &error);
    cor_trace_init(&beside.trace);
    return beside;
}

static void close_beside(struct beside *beside) {
    cor_unit_runner_destroy(beside->runner);
    cor_aut_close(beside->session);
    cor_trace_fini(&beside->trace);
    cor_findings_fini(&beside->findings);
    cor_case_values_fini(&beside->values);
}

/* Runs the case of a number; false: it is an interleaving of a case without turns. */
static bool run_beside(struct beside *beside, uint32_t unit, uint64_t number) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_lone_case lone = {.unit = unit,
                                       .index = number,
                                       .trace = &beside->trace,
                                       .values = &beside->values,
                                       .findings = &beside->findings};
    const enum cor_status status = cor_unit_run_case(beside->runner, &lone, &error);
    if (status != COR_STATUS_INPUT)
        sound(status, &error);
    return status == COR_OK;
}

static uint64_t hash_of(const struct beside *beside) {
    return cor_unit_trace_hash(&beside->trace, beside->experiment->codes.word_count,
                               &beside->experiment->file->design->words);
}

/* Is "check about" among what was found there, and no note? */
static bool shows(const struct beside *beside, const char *failure) {
    bool it_does = false;
    for (uint32_t f = 0; f < beside->findings.count; f++) {
        const struct cor_finding *it = &beside->findings.items[f];
        const char *about = agent_layer__about(beside->experiment->file->design, it->check, it->subject);
        char *text = cor_format("%s%s%s", cor_term_word(COR_FAMILY_AUT_CHECK, (int)it->check),
                                about[0] ? " " : "", about);
        assert_non_null(text);
        it_does = it_does || (it->severity > COR_SEVERITY_NOTE && strcmp(text, failure) == 0);
        free(text);
    }
    return it_does;
}

/* ---- a case that is said by choices is the case */

static void check_cases(const char *name, bool mutants, uint32_t arm, uint32_t step) {
    struct cor_agent_experiment *experiment = make_experiment(name, mutants);
    struct cor_error error = COR_NO_ERROR;
    struct beside beside = open_beside(experiment, arm);
    void *bench = bench_of(experiment, arm);
    uint64_t cases = 0, turns = 0;
    for (uint32_t suite = 0; suite < experiment->chosen.count; suite++) {
        const uint32_t unit = agent_layer__unit_of(experiment, suite);
        struct cor_unit_cases made;
        sound(cor_unit_cases_init(&made, experiment->file, unit, &experiment->settings, &error), &error);
        const uint64_t numbers = made.count * experiment->settings.interleavings;
        for (uint64_t number = 0; number < numbers; number += number < made.count ? 1 : step) {
            struct cor_subject_test test = {
                .experiment = &experiment->head, .arm = arm, .suite = suite, .sequence = (uint32_t)number};
            struct cor_run it;
            if (!run_beside(&beside, unit, number)) {
                assert_int_equal(subject->make(bench, &test, &it, &error), COR_STATUS_INPUT);
                error = COR_NO_ERROR;
                cor_choices_fini(&test.choices);
                continue;
            }
            sound(subject->make(bench, &test, &it, &error), &error);
            if (it.digest != hash_of(&beside))
                fail_msg("%s: case %llu of suite %u by its choices does something else", name,
                         (unsigned long long)number, suite);
            assert_true(it.class == 0 || shows(&beside, it.failure));
            /* Whether it is valid follows from its values, also of cases that were solved for. */
            struct cor_case_values values = beside.values;
            const bool valid = values.valid;
            cor_unit_case_settle(&made, number % made.count, &values);
            assert_int_equal(values.valid, valid);
            for (size_t c = 0; c < test.choices.count; c++)
                turns += test.choices.items[c].kind == AGENT_LAYER__TURN;
            cases++;
            cor_choices_fini(&test.choices);
        }
        cor_unit_cases_fini(&made);
    }
    print_message("%s, arm %u: %llu cases, %llu turns\n", name, arm, (unsigned long long)cases,
                  (unsigned long long)turns);
    subject->close(bench);
    close_beside(&beside);
    cor_agent_experiment_destroy(experiment);
}

static void a_case_that_is_said_by_choices_is_the_case(void **state) {
    (void)state;
    check_cases("stock_manager", false, 0, 1);
    check_cases("stock_manager", false, 7, 1);
    check_cases("book_shelf", false, 2, 1);
    check_cases("parcel_desk", false, 1, 37);
    check_cases("parcel_desk", false, 2, 41);
}

/* ---- what shrinking leaves */

static struct tally { unsigned tests, simpler, turns; } tally;

static bool fails_without(void *bench, const struct cor_subject_test *left, uint64_t class, uint32_t gone) {
    struct cor_subject_test part = *left;
    struct cor_error error = COR_NO_ERROR;
    part.choices = (struct cor_choices){0};
    sound(cor_choices_copy(&part.choices, &left->choices, &error), &error);
    part.choices.count = 0;
    for (size_t c = 0; c < left->choices.count; c++)
        if (!(gone >> c & 1))
            part.choices.items[part.choices.count++] = left->choices.items[c];
    const struct cor_run it = run(bench, &part);
    cor_choices_fini(&part.choices);
    return it.class == class;
}

/* The value of a slot in the test: NULL: nothing is said of it. */
static const struct cor_choice *said_of(const struct cor_subject_test *test, uint16_t kind, uint32_t what) {
    for (size_t c = 0; c < test->choices.count; c++)
        if (test->choices.items[c].kind == kind && test->choices.items[c].what == what)
            return &test->choices.items[c];
    return NULL;
}

/* Is the case simpler: of what is said of the test some is, and all else as in the unit's first? */
static bool is_simpler(const struct cor_subject_test *test, const struct cor_unit_cases *cases,
                       const struct cor_case_values *values, struct cor_case_values *first) {
    const struct cor_design *design = cases->file->design;
    bool leaves_out = false;
    if (test->choices.items[0].what != values->event)
        return false;
    cor_unit_case_begin(cases, values->entry, first);
    for (int beliefs = 0; beliefs < 2; beliefs++) {
        const uint32_t count = beliefs ? design->field_count : design->events[values->event].parameter_count;
        const struct cor_value *own = beliefs ? values->beliefs : values->arguments,
                               *begun = beliefs ? first->beliefs : first->arguments;
        for (uint32_t i = 0; i < count; i++) {
            const struct cor_choice *said =
                said_of(test, beliefs ? AGENT_LAYER__BELIEVE : AGENT_LAYER__GIVE, i);
            const bool is_first = cor_value_equal(own[i], begun[i]);
            if (!is_first && !(said && cor_value_equal(own[i], agent_layer__value_of(&test->choices, said))))
                return false;
            leaves_out = leaves_out || (said && is_first);
        }
    }
    return leaves_out;
}

/* No case of the unit that is simpler fails alike, in its first interleaving, which has no turns. */
static void check_unit(struct beside *beside, const struct cor_subject_test *left, const char *arm) {
    const struct cor_agent_experiment *experiment = beside->experiment;
    const uint32_t unit = agent_layer__unit_of(experiment, left->suite);
    struct cor_error error = COR_NO_ERROR;
    struct cor_unit_cases cases;
    struct cor_case_values values, first;
    sound(cor_unit_cases_init(&cases, experiment->file, unit, &experiment->settings, &error), &error);
    sound(cor_case_values_init(&values, experiment->file->design, &error), &error);
    sound(cor_case_values_init(&first, experiment->file->design, &error), &error);
    for (uint64_t number = 0; number < cases.count; number++) {
        cor_unit_case_make(&cases, number, &values);
        if (values.own || !is_simpler(left, &cases, &values, &first))
            continue;
        tally.simpler++;
        assert_true(run_beside(beside, unit, number));
        if (shows(beside, left->expected))
            fail_msg("%s: case %llu is simpler, and shows %s", arm, (unsigned long long)number,
                     left->expected);
    }
    cor_case_values_fini(&values);
    cor_case_values_fini(&first);
    cor_unit_cases_fini(&cases);
}

/* Read again it is the same test, with the same text, and fails as it did. */
static void check_file(const struct cor_subject_test *left, const struct cor_run *wanted) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test test;
    char *text, *again, why[1200];
    sound(subject->write(left, &text, &error), &error);
    sound(subject->read(text, "kept.json", NULL, &test, &error), &error);
    assert_string_equal(test.expected, left->expected);
    assert_int_equal(test.choices.count, left->choices.count);
    sound(subject->write(&test, &again, &error), &error);
    assert_string_equal(text, again);
    void *bench = bench_of((const struct cor_agent_experiment *)(const void *)test.experiment, 0);
    const struct cor_run it = run(bench, &test);
    assert_true(it.class == wanted->class && it.digest == wanted->digest);
    assert_int_equal(subject->find(bench, &test, why, sizeof why), COR_EXPECTED_COMES);
    assert_null(strstr(why, "changed"));
    subject->close(bench);
    cor_choices_fini(&test.choices);
    cor_agent_layer.destroy(test.experiment);
    free(text);
    free(again);
}

/* A finding of a suite of the arm, as a row of the record has it, with the fingerprint of its case. */
static void check_finding(void *bench, struct beside *beside, struct cor_subject_test *test,
                          uint64_t digest) {
    const struct cor_agent_experiment *experiment = beside->experiment;
    const char *arm = experiment->arms[test->arm].name;
    struct cor_shrinking shrinking = {.subject = subject, .tests = test, .count = 1, .is_lone = true};
    struct cor_error error = COR_NO_ERROR;
    struct cor_run made;
    bool differs;
    sound(subject->make(bench, test, &made, &error), &error);
    if (made.digest != digest)
        fail_msg("%s: %s is made otherwise", arm, test->expected);
    if (strcmp(made.failure, test->expected) != 0)
        fail_msg("%s: %s does not come again, but %s", arm, test->expected, made.failure);
    const uint64_t class = made.class;
    sound(subject->shrink(bench, &shrinking, &differs, &error), &error);
    assert_false(differs);
    assert_true(shrinking.shrunk.is_minimal && shrinking.shrunk.are_sets);
    const size_t count = test->choices.count;
    assert_in_range(count, 1, SUBSETS_OF);
    assert_true(fails_without(bench, test, class, 0));
    for (uint32_t gone = 1; gone >> count == 0; gone++)
        if (fails_without(bench, test, class, gone))
            fail_msg("%s: %s: of %zu choices the set %x can be spared", arm, test->expected, count, gone);
    check_unit(beside, test, arm);
    const struct cor_run wanted = run(bench, test);
    check_file(test, &wanted);
    for (size_t c = 0; c < count; c++)
        tally.turns += test->choices.items[c].kind == AGENT_LAYER__TURN;
    tally.tests++;
}

static const struct cor_agent_trial_row *trial_of(struct cor_record *record, uint32_t number) {
    for (uint64_t i = 0; i < cor_record_size(record, COR_AGENT_TABLE_TRIALS); i++) {
        const struct cor_agent_trial_row *row = cor_record_at(record, COR_AGENT_TABLE_TRIALS, i);
        if (row->case_ == number)
            return row;
    }
    fail_msg("case %u has no row", number);
    return NULL;
}

/* The name of a code, as the catalog has it. */
static const char *name_of(const struct cor_agent_experiment *experiment,
                           const struct cor_agent_finding_row *row) {
    const struct cor_name_codes *codes = &experiment->codes;
    const uint16_t firsts[] = {[COR_SUBJECT_PLAN] = codes->plan,       [COR_SUBJECT_EVENT] = codes->event,
                               [COR_SUBJECT_MESSAGE] = codes->message, [COR_SUBJECT_ACTION] = codes->action,
                               [COR_SUBJECT_BELIEF] = codes->belief,   [COR_SUBJECT_FIELD] = codes->field};
    const enum cor_aut_check check = (enum cor_aut_check)row->check;
    return row->about == 0 ? ""
                           : agent_layer__about(experiment->file->design, check,
                                                (uint32_t)row->about - firsts[cor_finding_subject(check)]);
}

/* All findings of an arm that one case shows. */
static void check_arm(const struct cor_agent_experiment *experiment, uint32_t arm) {
    struct beside beside = open_beside(experiment, arm), campaign = open_beside(experiment, arm);
    void *bench = bench_of(experiment, arm);
    struct cor_error error = COR_NO_ERROR;
    struct cor_record *record;
    sound(cor_record_create(&cor_agent_schema, &record, &error), &error);
    for (uint32_t suite = 0; suite < experiment->chosen.count; suite++) {
        struct cor_unit_outcome outcome;
        const struct cor_unit_request request = {.unit = agent_layer__unit_of(experiment, suite),
                                                 .record = record};
        cor_record_begin(record, (uint16_t)arm, suite);
        sound(cor_unit_run(campaign.runner, &request, &outcome, &error), &error);
        for (uint64_t f = 0; f < cor_record_size(record, COR_AGENT_TABLE_FINDINGS); f++) {
            const struct cor_agent_finding_row *row = cor_record_at(record, COR_AGENT_TABLE_FINDINGS, f);
            if (row->severity == COR_SEVERITY_NOTE || cor_aut_check_takes(row->check))
                continue;
            const char *about = name_of(experiment, row);
            char *expected = cor_format("%s%s%s", cor_term_word(COR_FAMILY_AUT_CHECK, row->check),
                                        about[0] ? " " : "", about);
            assert_non_null(expected);
            struct cor_subject_test test = {.experiment =
                                                (struct cor_experiment_head *)(uintptr_t)&experiment->head,
                                            .arm = arm,
                                            .suite = suite,
                                            .sequence = row->smallest,
                                            .expected = expected};
            check_finding(bench, &beside, &test, trial_of(record, row->smallest)->trace_hash);
            cor_choices_fini(&test.choices);
            free(expected);
        }
    }
    cor_record_destroy(record);
    subject->close(bench);
    close_beside(&beside);
    close_beside(&campaign);
}

static void what_is_left_of_each_finding_of_one_case_is_minimal(void **state) {
    static const struct {
        const char *design;
        uint32_t faults;
    } benchmark[] = {{"stock_manager", 19}, {"book_shelf", 6}, {"parcel_desk", 5}};
    (void)state;
    for (size_t d = 0; d < sizeof benchmark / sizeof *benchmark; d++) {
        struct cor_agent_experiment *experiment = make_experiment(benchmark[d].design, false);
        const struct tally before = tally;
        assert_int_equal(experiment->head.arm_count, benchmark[d].faults + 1);
        for (uint32_t arm = 0; arm < experiment->head.arm_count; arm++)
            check_arm(experiment, arm);
        print_message("%s: %u faults, %u tests, %u turns; %u simpler cases of their units\n",
                      benchmark[d].design, benchmark[d].faults, tally.tests - before.tests,
                      tally.turns - before.turns, tally.simpler - before.simpler);
        cor_agent_experiment_destroy(experiment);
    }
    assert_int_equal(tally.tests, 39);
    assert_true(tally.simpler > 0 && tally.turns > 0);
}

static void what_is_left_of_mutants_is_minimal_too(void **state) {
    static const char *const designs[] = {"stock_manager", "book_shelf", "parcel_desk"};
    (void)state;
    for (size_t d = 0; d < sizeof designs / sizeof *designs; d++) {
        struct cor_agent_experiment *experiment = make_experiment(designs[d], true);
        const struct tally before = tally;
        for (uint32_t arm = 1; arm < experiment->head.arm_count; arm += share)
            check_arm(experiment, arm);
        print_message("%s: %u mutants, %u tests\n", designs[d],
                      (experiment->head.arm_count + share - 2) / share, tally.tests - before.tests);
        assert_true(tally.tests > before.tests);
        cor_agent_experiment_destroy(experiment);
    }
}

/* ---- planted: a value that nobody needs, one that is needed, two of which either is */

static void values_that_are_needed_stay_and_no_others(void **state) {
    static const char text[] =
        "{\"design\": {\"format\": \"agent-unit/1\", \"agent\": \"Planted\", \"entry\": [\"Go\"], "
        "\"beliefs\": [{\"name\": \"b\", \"key\": [], \"fields\": {\"Left\": \"int\", \"Right\": \"int\"}}], "
        "\"events\": [{\"name\": \"Go\", \"kind\": \"percept\", \"params\": [ {\"name\": \"Needed\", "
        "\"type\": \"int\", \"valid\": [\">= 0\"]}, {\"name\": \"Idle\", \"type\": \"int\", \"valid\": [\">= "
        "0\"]}]}], "
        "\"plans\": [{\"name\": \"Do\", \"trigger\": \"Go\", \"bounds\": {\"Needed\": [7], \"Idle\": [9]}, "
        "\"vars\": [{\"name\": \"Left\", \"belief\": \"b\", \"bounds\": [5]},  {\"name\": \"Right\", "
        "\"belief\": \"b\", \"bounds\": [5]}], \"body\": []}], \"test\": {\"cases\": [{\"unit\": \"PT(Do)\", "
        "\"args\": {\"Needed\": 8, \"Idle\": 9},  \"beliefs\": {\"b.Left\": 5, \"b.Right\": 5}}]}}, "
        "\"faults\": {\"version\": 1, \"faults\": [{\"name\": \"f\", "
        "\"plans\": {\"Do\": {\"body\": [ {\"if\": \"Needed > 7 and (Left = 5 or Right = 5)\", "
        "\"then\": [{\"fail\": true}]}]}}}]}, \"agent_test\": {\"unit\": \"PT(Do)\", \"case\": 0, "
        "\"expected\": \"plan_failed Do\"}, \"schedule\": [[\"post\", \"Go\"], [\"give\", \"Needed\", 8], "
        "[\"give\", \"Idle\", 9], [\"believe\", \"b.Left\", 5], [\"believe\", \"b.Right\", 5]], "
        "\"arms\": [{\"name\": \"f\", \"fault\": \"f\"}]}";
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test test;
    bool differs;
    sound(subject->read(text, "planted.json", NULL, &test, &error), &error);
    void *bench = bench_of((const struct cor_agent_experiment *)(const void *)test.experiment, 0);
    struct cor_shrinking shrinking = {.subject = subject, .tests = &test, .count = 1, .is_lone = true};
    const size_t whole = test.choices.count;
    assert_int_equal(whole, 5);
    /* The values of the unit's first case: nothing fails there, and of what is said the truth is as planned.
     */
    for (uint32_t set = 0; set < 32; set++) {
        const bool needed = !(set & 2), either = !(set & 8) || !(set & 16), posted = !(set & 1);
        const struct cor_run before = run(bench, &test);
        assert_int_equal(fails_without(bench, &test, before.class, set), posted && needed && either);
    }
    sound(subject->shrink(bench, &shrinking, &differs, &error), &error);
    assert_false(differs);
    assert_int_equal(test.choices.count, 3);
    assert_non_null(said_of(&test, AGENT_LAYER__POST, test.choices.items[0].what));
    assert_non_null(said_of(&test, AGENT_LAYER__GIVE, 0));
    assert_null(said_of(&test, AGENT_LAYER__GIVE, 1));
    assert_true(!said_of(&test, AGENT_LAYER__BELIEVE, 0) != !said_of(&test, AGENT_LAYER__BELIEVE, 1));
    subject->close(bench);
    cor_choices_fini(&test.choices);
    cor_agent_layer.destroy(test.experiment);
}

/* ---- what became of what is expected */

/* Reads the valid test, changed in one place. */
static void read_changed(const char *was, const char *is, struct cor_subject_test *test) {
    struct cor_error error = COR_NO_ERROR;
    char *text, *changed, *at;
    size_t length;
    sound(cor_json_read_text(CORPUS "/valid.json", &text, &length, &error), &error);
    assert_non_null(at = strstr(text, was));
    changed = cor_format("%.*s%s%s", (int)(at - text), text, is, at + strlen(was));
    assert_non_null(changed);
    sound(subject->read(changed, "changed.json", NULL, test, &error), &error);
    free(changed);
    free(text);
}

static void what_is_gone_is_told_from_what_was_not_judged(void **state) {
    static const struct {
        const char *was, *is;
        enum cor_expected found;
        const char *why;
    } changes[] = {
        {"\"turn\",\n   10,\n   3", "\"turn\",\n   10,\n   3", COR_EXPECTED_COMES,
         "race_in_outcome Accept: Plan Accept starts, ends, sends or acts differently when intentions take "
         "turns in another order"},
        {"\"fault\": \"stale\"", "\"fault\": \"none\"", COR_EXPECTED_IS_GONE,
         "nothing was found: in this case the agent does as it is designed; the agent was changed since the "
         "test was made"},
        {"\"race_in_outcome Accept\"", "\"plan_failed Accept\"", COR_EXPECTED_IS_OPEN,
         "plan_failed Accept did not come, but the case fails by race_over_belief desk.Weight: desk.Weight "
         "ends with another value when intentions take turns in another order"},
        {"\"choices\": 6", "\"choices\": 7", COR_EXPECTED_COMES, NULL},
        {"-9", "-8", COR_EXPECTED_COMES, NULL},
        {"\"turn\",\n   10,\n   3", "\"turn\",\n   100,\n   3", COR_EXPECTED_IS_OPEN,
         "turn 100 could not be taken, or nobody else would have taken it"},
        {",\n  [\n   \"turn\",\n   10,\n   3\n  ]", "", COR_EXPECTED_IS_OPEN,
         "the test has 5 choices, and what is expected came with 6"},
        {"\"case\": 21,\n  \"expected\": \"race_in_outcome Accept\",\n  \"choices\": 6,\n  "
         "\"design\": \"0x999d91f80d2c0963\"",
         "\"case\": 68,\n  \"expected\": \"race_in_outcome Accept\",\n  \"choices\": 6,\n  "
         "\"design\": \"0x999d91f80d2c0964\"",
         COR_EXPECTED_IS_OPEN,
         "the unit has 68 cases, and none of number 68; the design was changed since the test was made"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        struct cor_subject_test test;
        char why[1200];
        read_changed(changes[c].was, changes[c].is, &test);
        void *bench = bench_of((const struct cor_agent_experiment *)(const void *)test.experiment, 0);
        run(bench, &test);
        const enum cor_expected found = subject->find(bench, &test, why, sizeof why);
        if (found != changes[c].found || (changes[c].why && strcmp(why, changes[c].why) != 0))
            fail_msg("%s: %d, %s", changes[c].is, (int)found, why);
        subject->close(bench);
        cor_choices_fini(&test.choices);
        cor_agent_layer.destroy(test.experiment);
    }
}

/* Suites are counted in 32 bits. */
static void repetitions_do_not_wrap(void **state) {
    (void)state;
    uint32_t units[5000];
    for (uint32_t u = 0; u < 5000; u++)
        units[u] = u;
    const struct cor_agent_experiment experiment = {.chosen = {.items = units, .count = 5000}};
    assert_int_equal(agent_layer__suite_of(&experiment, 7, 3), 15007);
    assert_int_equal(agent_layer__suite_of(&experiment, 7, 1000000), COR_NONE);
    assert_int_equal(agent_layer__suite_of(&experiment, 5000, 0), COR_NONE);
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
    cor_agent_layer.destroy(test.experiment);
    return COR_OK;
}

static void invalid_tests_are_refused_in_so_many_words(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    sound(read_test(CORPUS "/valid.json", &error), &error);
    sound(read_test(CORPUS "/valid-shelf.json", &error), &error);
    invalid_corpus(CORPUS "/cases.txt", 40, read_test);
}

/* Cut anywhere, a test is refused or, but for white space, whole. */
static void a_test_that_was_cut_is_refused(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test test;
    char *text;
    size_t length;
    sound(cor_json_read_text(CORPUS "/valid.json", &text, &length, &error), &error);
    for (size_t size = length - 2; size > 0; size -= size > 97 ? 97 : size) {
        error = COR_NO_ERROR;
        text[size] = '\0';
        assert_int_equal(subject->read(text, "cut.json", NULL, &test, &error), COR_STATUS_INPUT);
    }
    free(text);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_case_that_is_said_by_choices_is_the_case),
        cmocka_unit_test(what_is_left_of_each_finding_of_one_case_is_minimal),
        cmocka_unit_test(what_is_left_of_mutants_is_minimal_too),
        cmocka_unit_test(values_that_are_needed_stay_and_no_others),
        cmocka_unit_test(what_is_gone_is_told_from_what_was_not_judged),
        cmocka_unit_test(repetitions_do_not_wrap),
        cmocka_unit_test(invalid_tests_are_refused_in_so_many_words),
        cmocka_unit_test(a_test_that_was_cut_is_refused),
    };
    share = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : share;
    return cmocka_run_group_tests_name("agent_subject", tests, NULL, NULL);
}
