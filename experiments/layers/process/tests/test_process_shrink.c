/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules of two-phase commit with its faults: each generator makes the same schedule twice, and what it
 * made is the same when it is executed again; faults are found; what shrinking leaves is minimal, which is
 * held by trying every event and every pair; test files say all that it takes; the story says each event. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../process_place.h"
#include "invalid_corpus.h"

#include <corridor/array.h>
#include <corridor/process_again.h>
#include <corridor/process_shrink.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORPUS TEST_SOURCE_DIR "/experiments/layers/process/tests/invalid_test"
#define SEQUENCES_MOST 4000

#define EXPERIMENT                                                                                        \
    "{\"process\": {\"program\": \"two_phase\", \"count\": 3, \"network\": \"%s\"}, \"seed\": 3,"         \
    " \"suites\": 1, \"sequences\": 4000, \"cases\": 20, \"case\": 1000, \"events\": 400,"                \
    " \"generators\": [\"%s\"], \"faults\": [\"lose\", \"crash\"], \"environment\": {\"states\": {"       \
    " \"storm\": {\"delay\": [1, 200], \"disk\": [1, 100], \"lose\": 0.2, \"crash\": 0.3,"                \
    " \"down\": [100, 900], \"input\": 4}}}, \"corridor\": [\"structure observed\", \"channel outcome\"," \
    " \"invariant agreed: agree(outcome)\"], \"arms\": {\"arm\": {\"description\": \"%s\"%s%s%s}}}"

static const char *const generators[] = {
#define COR_SCHEDULE_GENERATOR(word) #word,
    COR_SCHEDULE_GENERATORS(COR_SCHEDULE_GENERATOR)
#undef COR_SCHEDULE_GENERATOR
};
enum { GENERATORS = sizeof generators / sizeof *generators };

static struct cor_process_experiment *parse(const char *network, const char *generator, const char *fault) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_experiment *experiment;
    char *text = cor_format(EXPERIMENT, network, generator, "an arm", fault ? ", \"fault\": \"" : "",
                            fault ? fault : "", fault ? "\"" : "");
    assert_non_null(text);
    if (cor_process_experiment_parse(text, "test.json", NULL, &experiment, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    free(text);
    return experiment;
}

static struct cor_process_again *again_of(const struct cor_process_experiment *experiment) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_again *again;
    assert_int_equal(cor_process_again_create(experiment, 0, &again, &error), COR_OK);
    return again;
}

static void copy(struct cor_process_schedule *to, const struct cor_process_schedule *from) {
    struct cor_error error = COR_NO_ERROR;
    to->count = 0;
    for (size_t e = 0; e < from->count; e++)
        assert_int_equal(cor_process_schedule_add(to, &from->events[e], &error), COR_OK);
}

/* The first sequence that fails; UINT32_MAX: none does. */
static uint32_t find(struct cor_process_again *again, struct cor_process_schedule *schedule,
                     struct cor_process_outcome *outcome) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_process_schedule *made;
    const struct cor_process_outcome *came;
    for (uint32_t s = 0; s < SEQUENCES_MOST; s++) {
        assert_int_equal(cor_process_again_run(again, 0, s, &made, &came, &error), COR_OK);
        *outcome = *came;
        copy(schedule, made);
        if (came->violated != COR_NONE || came->end != COR_PROCESS_END_NONE)
            return s;
    }
    return UINT32_MAX;
}

/* ---- generators */

static void what_a_generator_made_is_the_same_again(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_schedule kept = {0};
    for (int g = 0; g < GENERATORS; g++) {
        struct cor_process_experiment *experiment = parse(g % 2 ? "any" : "fifo", generators[g], NULL);
        struct cor_process_again *one = again_of(experiment), *other = again_of(experiment);
        const struct cor_process_setting setting = cor_process_setting_of(experiment, 0);
        struct cor_process_runner *runner;
        assert_int_equal(cor_process_runner_create(&setting, &runner, &error), COR_OK);
        for (uint32_t s = 0; s < 40; s++) {
            const struct cor_process_schedule *schedule;
            const struct cor_process_outcome *outcome;
            struct cor_process_outcome replayed;
            assert_int_equal(cor_process_again_run(one, 0, s, &schedule, &outcome, &error), COR_OK);
            assert_int_equal(outcome->violated, COR_NONE); /* the program is sound */
            copy(&kept, schedule);
            const uint64_t digest = outcome->digest;
            const struct cor_stream_name name = cor_process_stream_name(experiment, 0, s);
            assert_int_equal(cor_process_replay(runner, &name, &kept, NULL, &replayed, &error), COR_OK);
            assert_true(replayed.digest == digest);
            if (s % 13 != 12) /* not from the first on, nor one after the other */
                continue;
            assert_int_equal(cor_process_again_run(other, 0, s, &schedule, &outcome, &error), COR_OK);
            assert_true(outcome->digest == digest);
            assert_int_equal(schedule->count, kept.count);
        }
        cor_process_runner_destroy(runner);
        cor_process_again_destroy(one);
        cor_process_again_destroy(other);
        cor_process_experiment_destroy(experiment);
    }
    cor_process_schedule_fini(&kept);
}

static void all_generators_find_the_fault_of_the_coordinator(void **state) {
    (void)state;
    struct cor_process_schedule schedule = {0};
    struct cor_process_outcome outcome;
    for (int g = 0; g < GENERATORS; g++) {
        struct cor_process_experiment *experiment = parse("fifo", generators[g], "forgotten_decision");
        struct cor_process_again *again = again_of(experiment);
        if (find(again, &schedule, &outcome) == UINT32_MAX)
            fail_msg("%s finds nothing", generators[g]);
        cor_process_again_destroy(again);
        cor_process_experiment_destroy(experiment);
    }
    cor_process_schedule_fini(&schedule);
}

/* ---- shrinking */

/* Does the schedule fail alike without events a and b? */
static bool fails_without(struct cor_process_runner *runner, const struct cor_stream_name *name,
                          const struct cor_process_schedule *schedule,
                          const struct cor_process_outcome *wanted, size_t a, size_t b) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_schedule left = {0};
    struct cor_process_outcome outcome;
    for (size_t e = 0; e < schedule->count; e++)
        if (e != a && e != b)
            assert_int_equal(cor_process_schedule_add(&left, &schedule->events[e], &error), COR_OK);
    assert_int_equal(cor_process_replay(runner, name, &left, NULL, &outcome, &error), COR_OK);
    cor_process_schedule_fini(&left);
    return cor_process_outcome_is_same(&outcome, wanted);
}

static void no_event_and_no_pair_is_left_that_can_be_spared(void **state) {
    (void)state;
    static const char *const faults[] = {"early_vote", "forgotten_decision", "lone_decision"};
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_schedule schedule = {0};
    for (int f = 0; f < 3; f++) {
        struct cor_process_experiment *experiment = parse("fifo", "swarm", faults[f]);
        struct cor_process_again *again = again_of(experiment);
        struct cor_process_outcome wanted;
        struct cor_process_shrinking shrinking;
        const uint32_t found = find(again, &schedule, &wanted);
        assert_int_not_equal(found, UINT32_MAX);
        const struct cor_stream_name name = cor_process_stream_name(experiment, 0, found);
        struct cor_process_runner *runner;
        struct cor_process_setting setting = cor_process_setting_of(experiment, 0);
        assert_int_equal(cor_process_runner_create(&setting, &runner, &error), COR_OK);
        assert_int_equal(cor_process_shrink(runner, &name, &schedule, NULL, &shrinking, &error), COR_OK);
        assert_true(shrinking.is_minimal);
        assert_in_range(schedule.count, 1, 30);
        assert_true(fails_without(runner, &name, &schedule, &wanted, SIZE_MAX, SIZE_MAX));
        for (size_t a = 0; a < schedule.count; a++)
            for (size_t b = a; b < schedule.count; b++)
                assert_false(fails_without(runner, &name, &schedule, &wanted, a, b));
        cor_process_runner_destroy(runner);
        cor_process_again_destroy(again);
        cor_process_experiment_destroy(experiment);
    }
    cor_process_schedule_fini(&schedule);
}

static void what_does_not_fail_is_not_shrunk(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_experiment *experiment = parse("fifo", "random", NULL);
    struct cor_process_again *again = again_of(experiment);
    struct cor_process_schedule schedule = {0};
    struct cor_process_shrinking shrinking;
    const struct cor_stream_name name = cor_process_stream_name(experiment, 0, 0);
    assert_int_equal(
        cor_process_shrink(cor_process_again_runner(again), &name, &schedule, NULL, &shrinking, &error),
        COR_STATUS_INPUT);
    assert_string_equal(error.cause, "the schedule does not fail");
    cor_process_again_destroy(again);
    cor_process_experiment_destroy(experiment);
}

/* Two events fail together: an alarm, which goes off at tick 100 at the earliest, and the start behind it. */
static enum cor_status execute_late(void *self, const struct cor_stream_name *name,
                                    const struct cor_process_schedule *schedule,
                                    struct cor_process_schedule *executed,
                                    struct cor_process_outcome *outcome, struct cor_error *error) {
    uint32_t seen = 0;
    (void)self, (void)name;
    *outcome = (struct cor_process_outcome){.violated = COR_NONE};
    executed->count = 0;
    for (size_t i = 0; i < schedule->count; i++) {
        struct cor_process_event event = schedule->events[i];
        if (event.kind == COR_PROCESS_EVENT_TIME_OUT && event.tick < 100)
            event.tick = 100;
        seen |= event.kind == COR_PROCESS_EVENT_TIME_OUT ? 1u : event.process == 7 ? 2u : 0u;
        COR_TRY(cor_process_schedule_add(executed, &event, error));
    }
    if (seen == 3)
        outcome->violated = 0;
    return COR_OK;
}

static void what_is_left_fails_where_an_alarm_goes_off_later(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_schedule schedule = {0}, executed = {0};
    struct cor_process_shrinking shrinking;
    struct cor_process_outcome outcome;
    const struct cor_process_trier trier = {.execute = execute_late, .process_count = 8};
    const struct cor_stream_name name = {0};
    for (uint32_t i = 0; i < 40; i++) {
        const struct cor_process_event event = {.tick = i,
                                                .process = (uint8_t)(i == 30 ? 7 : i % 5),
                                                .kind = i == 20 ? COR_PROCESS_EVENT_TIME_OUT
                                                                : COR_PROCESS_EVENT_INPUT};
        assert_int_equal(cor_process_schedule_add(&schedule, &event, &error), COR_OK);
    }
    assert_int_equal(cor_process_shrink_by(&trier, &name, &schedule, NULL, &shrinking, &error), COR_OK);
    assert_int_equal(schedule.count, 2);
    assert_int_equal(execute_late(NULL, &name, &schedule, &executed, &outcome, &error), COR_OK);
    assert_int_equal(outcome.violated, 0);
    cor_process_schedule_fini(&schedule);
    cor_process_schedule_fini(&executed);
}

/* A schedule fails with all its events that have no peer. */
struct needing {
    uint32_t needed, executions;
};

static enum cor_status execute_needing(void *self, const struct cor_stream_name *name,
                                       const struct cor_process_schedule *schedule,
                                       struct cor_process_schedule *executed,
                                       struct cor_process_outcome *outcome, struct cor_error *error) {
    struct needing *needing = self;
    uint32_t seen = 0;
    (void)name;
    needing->executions++;
    *outcome = (struct cor_process_outcome){.violated = COR_NONE};
    executed->count = 0;
    for (size_t i = 0; i < schedule->count; i++) {
        seen += schedule->events[i].peer == 0;
        COR_TRY(cor_process_schedule_add(executed, &schedule->events[i], error));
    }
    if (seen == needing->needed)
        outcome->violated = 0;
    return COR_OK;
}

/* The same, where what stands before those does not happen. */
static enum cor_status execute_the_last(void *self, const struct cor_stream_name *name,
                                        const struct cor_process_schedule *schedule,
                                        struct cor_process_schedule *executed,
                                        struct cor_process_outcome *outcome, struct cor_error *error) {
    COR_TRY(execute_needing(self, name, schedule, executed, outcome, error));
    size_t kept = 0;
    for (size_t i = 0; i < executed->count; i++)
        if (executed->events[i].peer == 0)
            executed->events[kept++] = executed->events[i];
    executed->count = kept;
    return COR_OK;
}

static void put_needed(struct cor_process_schedule *schedule, uint32_t needed, uint32_t others) {
    struct cor_error error = COR_NO_ERROR;
    schedule->count = 0;
    for (uint32_t i = 0; i < needed + others; i++) {
        const struct cor_process_event event = {
            .tick = i, .peer = i < others, .kind = COR_PROCESS_EVENT_INPUT};
        assert_int_equal(cor_process_schedule_add(schedule, &event, &error), COR_OK);
    }
}

static void pairs_are_tried_where_few_events_are_left(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_schedule schedule = {0};
    struct cor_process_shrinking shrinking;
    const struct cor_stream_name name = {0};
    for (uint32_t more = 0; more < 2; more++) {
        struct needing needing = {.needed = COR_PROCESS_PAIRS_MOST + more};
        const struct cor_process_trier trier = {&needing, execute_needing, 1};
        const uint32_t pairs = needing.needed * (needing.needed - 1) / 2;
        put_needed(&schedule, needing.needed, 50);
        assert_int_equal(cor_process_shrink_by(&trier, &name, &schedule, NULL, &shrinking, &error), COR_OK);
        assert_int_equal(schedule.count, needing.needed);
        assert_true(shrinking.is_minimal);
        assert_int_equal(shrinking.are_pairs, more == 0);
        assert_int_equal(needing.executions > pairs, more == 0);
    }
    /* What is left counts, not what was there. */
    struct needing needing = {.needed = COR_PROCESS_PAIRS_MOST};
    const struct cor_process_trier trier = {&needing, execute_the_last, 1};
    put_needed(&schedule, needing.needed, 50);
    assert_int_equal(cor_process_shrink_by(&trier, &name, &schedule, NULL, &shrinking, &error), COR_OK);
    assert_int_equal(schedule.count, needing.needed);
    assert_true(shrinking.are_pairs);
    assert_true(needing.executions > needing.needed * (needing.needed - 1) / 2);
    cor_process_schedule_fini(&schedule);
}

struct patience {
    struct cor_process_shrink_counts last;
    uint32_t schedules, most; /* most: executions that are allowed */
    const struct needing *needing;
    uint32_t executions; /* when patience ended; COR_NONE: it has not */
};

static bool has_patience(void *self, const struct cor_process_shrink_counts *counts) {
    struct patience *patience = self;
    patience->schedules += counts->schedule != patience->last.schedule;
    assert_true(counts->tried >= patience->last.tried);
    patience->last = *counts;
    assert_int_equal(patience->executions, COR_NONE);
    if (counts->tried >= patience->most)
        patience->executions = patience->needing->executions;
    return counts->tried < patience->most;
}

/* Of 20,000 events, all pairs of which would take minutes, were they only gone through. */
static void the_best_so_far_is_kept(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_schedule schedules[2] = {{0}, {0}};
    struct cor_process_shrinking shrinking;
    const struct cor_stream_name names[2] = {{0}, {0}};
    uint32_t best;
    for (int by_budget = 0; by_budget < 2; by_budget++) {
        struct needing needing = {.needed = 2};
        struct patience patience = {
            .most = by_budget ? UINT32_MAX : 30, .needing = &needing, .executions = COR_NONE};
        const struct cor_process_trier trier = {&needing, execute_needing, 1};
        const struct cor_process_shrink_definition definition = {by_budget ? 30 : 0, has_patience, &patience};
        put_needed(&schedules[0], 2, 20000);
        put_needed(&schedules[1], 2, 20000);
        assert_int_equal(
            cor_process_shrink_best(&trier, names, schedules, 2, &definition, &best, &shrinking, &error),
            COR_OK);
        assert_int_equal(shrinking.tried, 30);
        assert_false(shrinking.is_minimal);
        assert_int_equal(patience.last.tried, by_budget ? 29 : 30);
        assert_true(patience.last.events < 20002);
        assert_in_range(schedules[best].count, 2, 20001);
        assert_int_equal(patience.schedules > 0, by_budget);
        assert_int_equal(shrinking.is_ended, !by_budget);
        assert_int_equal(shrinking.count, by_budget ? 2 : 1);
        if (!by_budget) /* nothing is executed behind it */
            assert_int_equal(needing.executions, patience.executions);
    }
    for (int s = 0; s < 2; s++)
        cor_process_schedule_fini(&schedules[s]);
}

/* What one life writes down another one reads, in a bit an event; of a trail the events. */
static void answers_are_read_as_they_were_written(void **state) {
    (void)state;
    enum { EVENTS = 20000 };
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_schedule schedule = {0}, happened = {0}, read = {0};
    struct cor_process_outcome outcome;
    struct paper *paper = calloc(1, sizeof *paper + 4 * EVENTS);
    struct process_layer__apart apart = {.paper = paper, .event_most = EVENTS};
    struct place place = {.apart = &apart};
    const struct cor_process_outcome failed = {.violated = 3}, sound = {.violated = COR_NONE};
    assert_non_null(paper);
    put_needed(&schedule, EVENTS / 2, EVENTS / 2);
    for (size_t e = 0; e < schedule.count; e++)
        schedule.events[e].ordinal = (uint32_t)e;
    for (size_t e = 0; e < schedule.count; e++)
        if (e % 3 == 1)
            assert_int_equal(cor_process_schedule_add(&happened, &schedule.events[e], &error), COR_OK);
    assert_int_equal(process_layer__write_answer(paper, &schedule, &happened, &failed, &error), COR_OK);
    assert_in_range(paper->size, EVENTS / 8, EVENTS / 8 + 100);
    happened.count = 2;
    assert_int_equal(process_layer__write_answer(paper, &schedule, &happened, &sound, &error), COR_OK);
    assert_int_equal(process_layer__write_answer(paper, NULL, &happened, &failed, &error), COR_OK);
    for (int a = 0; a < 3; a++) {
        assert_int_equal(process_layer__read_answer(&place, &schedule, &read, &outcome, &error), COR_OK);
        assert_int_equal(outcome.violated, a == 1 ? COR_NONE : 3);
        assert_int_equal(read.count, a == 0 ? (EVENTS + 1) / 3 : a == 1 ? 0 : 2);
        for (size_t e = 0; e < read.count; e++)
            assert_memory_equal(&read.events[e], &schedule.events[3 * e + 1], sizeof *read.events);
    }
    assert_int_equal(place.read, paper->size);
    place.read = place.tried = 0;
    assert_int_equal(process_layer__read_answer(&place, NULL, &read, &outcome, &error), COR_OK);
    assert_int_equal(outcome.violated, 3);
    cor_process_schedule_fini(&schedule);
    cor_process_schedule_fini(&happened);
    cor_process_schedule_fini(&read);
    free(paper);
}

/* ---- test files */

static void a_test_file_says_all_that_it_takes(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_experiment *experiment = parse("any", "random", "lone_decision");
    struct cor_process_again *again = again_of(experiment);
    struct cor_process_schedule schedule = {0};
    struct cor_process_outcome wanted, outcome;
    struct cor_process_test test;
    struct cor_process_runner *runner;
    char *text, *second;
    const uint32_t found = find(again, &schedule, &wanted);
    assert_int_equal(cor_process_test_text(experiment, 0, 0, found, &schedule, "agreed", &text, &error),
                     COR_OK);
    if (cor_process_test_parse(text, "t.json", NULL, &test, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    assert_string_equal(test.expected, "agreed");
    assert_int_equal(test.schedule.count, schedule.count);
    assert_int_equal(cor_process_runner_create(&test.setting, &runner, &error), COR_OK);
    assert_int_equal(cor_process_replay(runner, &test.name, &test.schedule, NULL, &outcome, &error), COR_OK);
    assert_true(outcome.digest == wanted.digest);
    assert_true(cor_process_outcome_is_same(&outcome, &wanted));
    assert_int_equal(
        cor_process_test_text(test.experiment, 0, 0, found, &test.schedule, "agreed", &second, &error),
        COR_OK);
    assert_string_equal(second, text);
    free(text);
    free(second);
    cor_process_runner_destroy(runner);
    cor_process_test_fini(&test);
    cor_process_schedule_fini(&schedule);
    cor_process_again_destroy(again);
    cor_process_experiment_destroy(experiment);
}

static enum cor_status read_test(const char *path, struct cor_error *error) {
    struct cor_process_test test = {0};
    char *text = NULL;
    size_t length;
    enum cor_status status = cor_json_read_text(path, &text, &length, error);
    if (status == COR_OK)
        status = cor_process_test_parse(text, path, NULL, &test, error);
    cor_process_test_fini(&test);
    free(text);
    return status;
}

static void invalid_tests_are_refused_in_so_many_words(void **state) {
    (void)state;
    invalid_corpus(CORPUS "/cases.txt", 30, read_test);
}

/* ---- the story */

static char *story_of(const char *file, enum cor_process_story_form form) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_test test;
    struct cor_process_runner *runner;
    char *text = NULL, *story;
    size_t length;
    assert_int_equal(cor_json_read_text(file, &text, &length, &error), COR_OK);
    if (cor_process_test_parse(text, file, NULL, &test, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    assert_int_equal(cor_process_runner_create(&test.setting, &runner, &error), COR_OK);
    assert_int_equal(cor_process_story(runner, &test.name, &test.schedule, NULL, form, &story, &error),
                     COR_OK);
    cor_process_runner_destroy(runner);
    cor_process_test_fini(&test);
    free(text);
    return story;
}

static void the_story_says_each_event(void **state) {
    (void)state;
    char *story = story_of(CORPUS "/valid.json", COR_PROCESS_STORY_TEXT);
    struct cor_error error = COR_NO_ERROR;
    char *wanted = NULL;
    size_t length;
    assert_int_equal(cor_json_read_text(CORPUS "/story.txt", &wanted, &length, &error), COR_OK);
    assert_string_equal(story, wanted);
    for (const char *line = story; *line; line += strcspn(line, "\n") + 1)
        assert_in_range(strcspn(line, "\n"), 0, 80);
    free(story);
    free(wanted);
    char *svg = story_of(CORPUS "/valid.json", COR_PROCESS_STORY_SVG);
    assert_non_null(strstr(svg, "process 2</text>"));
    assert_string_equal(svg + strlen(svg) - 7, "</svg>\n");
    free(svg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_generator_made_is_the_same_again),
        cmocka_unit_test(all_generators_find_the_fault_of_the_coordinator),
        cmocka_unit_test(no_event_and_no_pair_is_left_that_can_be_spared),
        cmocka_unit_test(what_is_left_fails_where_an_alarm_goes_off_later),
        cmocka_unit_test(pairs_are_tried_where_few_events_are_left),
        cmocka_unit_test(the_best_so_far_is_kept),
        cmocka_unit_test(answers_are_read_as_they_were_written),
        cmocka_unit_test(what_does_not_fail_is_not_shrunk),
        cmocka_unit_test(a_test_file_says_all_that_it_takes),
        cmocka_unit_test(invalid_tests_are_refused_in_so_many_words),
        cmocka_unit_test(the_story_says_each_event),
    };
    return cmocka_run_group_tests_name("process_shrink", tests, NULL, NULL);
}
