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
#include <corridor/process_layer.h>
#include <corridor/process_story.h>

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

static const struct cor_subject *subject; /* of the layer */

static const char *const generators[] = {
#define COR_SCHEDULE_GENERATOR(word) #word,
    COR_SCHEDULE_GENERATORS(COR_SCHEDULE_GENERATOR)
#undef COR_SCHEDULE_GENERATOR
};
enum { GENERATORS = sizeof generators / sizeof *generators };

static struct cor_process_experiment *parse_as(const char *network, const char *generator, const char *fault,
                                               const struct cor_layer_options *options) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_experiment *experiment;
    char *text = cor_format(EXPERIMENT, network, generator, "an arm", fault ? ", \"fault\": \"" : "",
                            fault ? fault : "", fault ? "\"" : "");
    assert_non_null(text);
    if (cor_process_experiment_parse(text, "test.json", options, &experiment, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    free(text);
    return experiment;
}

static struct cor_process_experiment *parse(const char *network, const char *generator, const char *fault) {
    return parse_as(network, generator, fault, NULL);
}

static void *bench_of(const struct cor_process_experiment *experiment) {
    struct cor_error error = COR_NO_ERROR;
    void *bench;
    assert_int_equal(subject->open(&experiment->head, 0, &bench, &error), COR_OK);
    return bench;
}

static struct cor_subject_test test_of(struct cor_process_experiment *experiment) {
    return (struct cor_subject_test){.experiment = &experiment->head, .expected = "agreed"};
}

/* The first sequence that fails is in the test; false: none does. */
static bool find(void *bench, struct cor_subject_test *test, struct cor_run *run) {
    struct cor_error error = COR_NO_ERROR;
    for (test->sequence = 0; test->sequence < SEQUENCES_MOST; test->sequence++) {
        assert_int_equal(subject->make(bench, test, run, &error), COR_OK);
        if (run->class != 0)
            return true;
    }
    return false;
}

/* ---- generators */

static void what_a_generator_made_is_the_same_again(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    for (int g = 0; g < GENERATORS; g++) {
        struct cor_process_experiment *experiment = parse(g % 2 ? "any" : "fifo", generators[g], NULL);
        void *one = bench_of(experiment), *other = bench_of(experiment), *again = bench_of(experiment);
        struct cor_subject_test test = test_of(experiment), same = test;
        struct cor_run made, run;
        for (test.sequence = 0; test.sequence < 40; test.sequence++) {
            assert_int_equal(subject->make(one, &test, &made, &error), COR_OK);
            assert_int_equal(made.class, 0); /* the program is sound */
            assert_int_equal(subject->run(again, &test, NULL, &run, &error), COR_OK);
            assert_true(run.digest == made.digest);
            if (test.sequence % 13 != 12) /* not from the first on, nor one after the other */
                continue;
            same.sequence = test.sequence;
            assert_int_equal(subject->make(other, &same, &run, &error), COR_OK);
            assert_true(run.digest == made.digest);
            assert_int_equal(same.choices.count, test.choices.count);
            assert_memory_equal(same.choices.items, test.choices.items,
                                same.choices.count * sizeof *same.choices.items);
        }
        subject->close(one);
        subject->close(other);
        subject->close(again);
        cor_choices_fini(&test.choices);
        cor_choices_fini(&same.choices);
        cor_process_experiment_destroy(experiment);
    }
}

static void all_generators_find_the_fault_of_the_coordinator(void **state) {
    (void)state;
    for (int g = 0; g < GENERATORS; g++) {
        struct cor_process_experiment *experiment = parse("fifo", generators[g], "forgotten_decision");
        void *bench = bench_of(experiment);
        struct cor_subject_test test = test_of(experiment);
        struct cor_run run;
        if (!find(bench, &test, &run))
            fail_msg("%s finds nothing", generators[g]);
        subject->close(bench);
        cor_choices_fini(&test.choices);
        cor_process_experiment_destroy(experiment);
    }
}

/* ---- futures */

static void what_comes_behind_first_events_is_the_same_again(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_experiment *experiment = parse("fifo", "random", "forgotten_decision");
    void *bench = bench_of(experiment), *other = bench_of(experiment);
    struct cor_subject_test test = test_of(experiment);
    struct cor_future future;
    struct cor_run run, again;
    assert_true(find(bench, &test, &run));
    for (uint32_t f = 0; subject->future(f, &future); f++) {
        uint64_t digests[20], forked = 0, different = 0;
        assert_string_equal(future.word, generators[f]);
        for (uint32_t n = 0; n < 20 && !future.no_law; n++) {
            struct cor_fork fork = {
                .future = f, .choices = (uint32_t)test.choices.count / 2, .seed = n, .ahead = 30};
            assert_int_equal(subject->follow(bench, &test, &fork, &run, &error), COR_OK);
            assert_true(run.goes_on && !run.does_not_repeat && run.choices > fork.choices);
            assert_true(n == 0 || run.forked == forked); /* the same stands behind them, */
            fork.forked = forked = run.forked;
            assert_int_equal(subject->follow(other, &test, &fork, &again, &error), COR_OK);
            assert_true(again.digest == run.digest && again.class == run.class && !again.does_not_repeat);
            assert_memory_equal(&again.next, &run.next, sizeof run.next);
            different += n > 0 && run.digest != digests[n - 1]; /* and by another seed another future comes */
            digests[n] = run.digest;
            fork.forked++;
            assert_int_equal(subject->follow(other, &test, &fork, &again, &error), COR_OK);
            assert_true(again.does_not_repeat);
        }
        assert_true(future.no_law || different == 19);
    }
    subject->close(bench);
    subject->close(other);
    cor_choices_fini(&test.choices);
    cor_process_experiment_destroy(experiment);
}

/* ---- shrinking */

/* What it fails by without events a and b. */
static uint64_t class_without(void *bench, const struct cor_subject_test *test, size_t a, size_t b) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test left = *test;
    struct cor_run run;
    left.choices = (struct cor_choices){0};
    assert_int_equal(cor_choices_copy(&left.choices, &test->choices, &error), COR_OK);
    left.choices.count = 0;
    for (size_t c = 0; c < test->choices.count; c++)
        if (c != a && c != b)
            left.choices.items[left.choices.count++] = test->choices.items[c];
    assert_int_equal(subject->run(bench, &left, NULL, &run, &error), COR_OK);
    cor_choices_fini(&left.choices);
    return run.class;
}

static void no_event_and_no_pair_is_left_that_can_be_spared(void **state) {
    (void)state;
    static const char *const faults[] = {"early_vote", "forgotten_decision", "lone_decision"};
    struct cor_error error = COR_NO_ERROR;
    for (int f = 0; f < 3; f++) {
        struct cor_process_experiment *experiment = parse("fifo", "swarm", faults[f]);
        void *bench = bench_of(experiment);
        struct cor_subject_test test = test_of(experiment);
        struct cor_shrinking shrinking = {.subject = subject, .tests = &test, .count = 1, .is_lone = true};
        struct cor_run run;
        bool differs;
        assert_true(find(bench, &test, &run));
        assert_int_equal(subject->shrink(bench, &shrinking, &differs, &error), COR_OK);
        assert_false(differs);
        assert_true(shrinking.shrunk.is_minimal);
        assert_in_range(test.choices.count, 1, 30);
        assert_true(class_without(bench, &test, SIZE_MAX, SIZE_MAX) == run.class);
        for (size_t a = 0; a < test.choices.count; a++)
            for (size_t b = a; b < test.choices.count; b++)
                assert_false(class_without(bench, &test, a, b) == run.class);
        subject->close(bench);
        cor_choices_fini(&test.choices);
        cor_process_experiment_destroy(experiment);
    }
}

/* Of what is left, written as a file and read again: it comes to the same, in a cell if the options say so.
 */
static void it_is_the_same_in_a_file(const struct cor_subject_test *test, const struct cor_run *wanted,
                                     const struct cor_layer_options *options) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test read;
    struct cor_run run;
    void *bench;
    char *text, *story;
    assert_int_equal(subject->write(test, &text, &error), COR_OK);
    if (subject->read(text, "t.json", options, &read, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    assert_memory_equal(read.choices.items, test->choices.items,
                        test->choices.count * sizeof *read.choices.items);
    const struct cor_process_experiment *experiment = (const void *)read.experiment;
    assert_int_equal(experiment->arms[0].is_apart, options != NULL);
    bench = bench_of(experiment);
    assert_int_equal(subject->run(bench, &read, NULL, &run, &error), COR_OK);
    assert_true(run.class == wanted->class && run.digest == wanted->digest);
    assert_int_equal(cor_process_tell(bench, &read, COR_STORY_JSON, &story, &error), COR_OK);
    free(story);
    free(read.warnings);
    free(text);
    subject->close(bench);
    cor_choices_fini(&read.choices);
    cor_process_layer.destroy(read.experiment);
}

/* Without patience what comes by itself is left to itself at once: in this process and in a cell the same is
 * left, it fails alike, again and out of a file, and no event and no pair of it can be spared. */
static void what_comes_by_itself_is_not_listed(void **state) {
    (void)state;
    static const char *const faults[] = {"forgotten_decision", "lone_decision"};
    const struct cor_layer_options options = {.isolation = COR_ISOLATION_ALWAYS};
    struct cor_error error = COR_NO_ERROR;
    uint32_t defaults = 0;
    for (int f = 0; f < 2; f++) {
        struct cor_choices here = {0};
        for (int apart = 0; apart < 2; apart++) {
            struct cor_process_experiment *experiment =
                parse_as("any", "timed", faults[f], apart ? &options : NULL);
            void *bench = bench_of(experiment);
            struct cor_subject_test test = test_of(experiment);
            struct cor_shrinking shrinking = {
                .subject = subject, .tests = &test, .count = 1, .is_lone = true, .patience = 1};
            struct cor_run run;
            bool differs;
            assert_int_equal(experiment->arms[0].is_apart, apart);
            for (test.sequence = 0;; test.sequence++) {
                assert_in_range(test.sequence, 0, SEQUENCES_MOST);
                assert_int_equal(subject->make(bench, &test, &run, &error), COR_OK);
                if (run.class != 0 && test.choices.count > 2 * COR_PAIRS_MOST)
                    break;
            }
            const uint64_t wanted = run.class;
            assert_int_equal(subject->shrink(bench, &shrinking, &differs, &error), COR_OK);
            assert_false(differs);
            assert_true(shrinking.shrunk.is_minimal);
            assert_int_equal(subject->run(bench, &test, NULL, &run, &error), COR_OK);
            assert_true(run.class == wanted);
            for (size_t a = 0; a < test.choices.count && !apart; a++)
                for (size_t b = a; b < test.choices.count; b++)
                    assert_false(class_without(bench, &test, a, b) == wanted);
            it_is_the_same_in_a_file(&test, &run, apart ? &options : NULL);
            defaults += shrinking.shrunk.defaults;
            if (apart) {
                assert_int_equal(test.choices.count, here.count);
                assert_memory_equal(test.choices.items, here.items, here.count * sizeof *here.items);
            } else {
                assert_int_equal(cor_choices_copy(&here, &test.choices, &error), COR_OK);
            }
            subject->close(bench);
            cor_choices_fini(&test.choices);
            cor_process_experiment_destroy(experiment);
        }
        cor_choices_fini(&here);
    }
    assert_true(defaults > 0);
}

/* In each run of marked events the losses of a link are as many, as one from the first to the last, or one;
 * what is not marked stays, and so does what neither is lost nor comes by itself. */
static void losses_of_a_link_are_one(void **state) {
    (void)state;
    enum { SEQUENCES = 40 };
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_experiment *experiment = parse("any", "timed", NULL);
    void *bench = bench_of(experiment);
    struct cor_subject_test test = test_of(experiment);
    uint32_t joined = 0;
    for (test.sequence = 0; test.sequence < SEQUENCES; test.sequence++) {
        struct cor_choices left = {0};
        struct cor_run run;
        assert_int_equal(subject->make(bench, &test, &run, &error), COR_OK);
        const struct cor_choices *choices = &test.choices;
        bool *marked = calloc(choices->count, sizeof *marked);
        for (size_t c = 0; c < choices->count; c++)
            marked[c] = (c * 7 + test.sequence) / 50 % 3 != 0;
        assert_int_equal(subject->by_itself(&test, marked, true, &left, &error), COR_OK);
        size_t at = 0;
        for (size_t c = 0; c < choices->count; c++) {
            const struct cor_choice *own = &choices->items[c];
            size_t from = c, last = c, same = 0, first = c;
            while (marked[c] && from > 0 && marked[from - 1])
                from--;
            for (size_t o = from; marked[c] && o < choices->count && marked[o]; o++) {
                const struct cor_choice *other = &choices->items[o];
                if (other->kind != COR_PROCESS_EVENT_LOSE || other->who != own->who || other->of != own->of)
                    continue;
                first = same++ == 0 ? o : first;
                last = o;
            }
            const bool is_loss = own->kind == COR_PROCESS_EVENT_LOSE;
            if (marked[c] &&
                (is_loss ? c != first
                         : own->kind <= COR_PROCESS_EVENT_DISK || own->kind == COR_PROCESS_EVENT_TICK))
                continue;
            while (at < left.count && left.items[at].kind == COR_PROCESS_EVENT_DEFAULT)
                at++;
            assert_true(at < left.count);
            const struct cor_choice *put = &left.items[at++];
            if (!marked[c] || !is_loss || same == 1) {
                assert_memory_equal(put, own, sizeof *put);
                continue;
            }
            assert_int_equal(put->kind, COR_PROCESS_EVENT_LOSE_ALL);
            assert_true(put->at == own->at && put->who == own->who && put->of == own->of);
            assert_int_equal(put->nth, choices->items[last].at - own->at);
            joined++;
        }
        while (at < left.count && left.items[at].kind == COR_PROCESS_EVENT_DEFAULT)
            at++;
        assert_int_equal(at, left.count);
        cor_choices_fini(&left);
        free(marked);
    }
    assert_true(joined > SEQUENCES);
    subject->close(bench);
    cor_choices_fini(&test.choices);
    cor_process_experiment_destroy(experiment);
}

static void put_events(struct cor_process_schedule *schedule, uint32_t count) {
    struct cor_error error = COR_NO_ERROR;
    for (uint32_t i = 0; i < count; i++) {
        const struct cor_process_event event = {.tick = i, .ordinal = i, .kind = COR_PROCESS_EVENT_INPUT};
        assert_int_equal(cor_process_schedule_add(schedule, &event, &error), COR_OK);
    }
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
    put_events(&schedule, EVENTS);
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
    struct cor_subject_test test = test_of(experiment), read;
    struct cor_run wanted, run;
    void *bench = bench_of(experiment), *of_file;
    char *text, *second;
    assert_true(find(bench, &test, &wanted));
    assert_string_equal(wanted.failure, "agreed");
    assert_int_equal(subject->write(&test, &text, &error), COR_OK);
    if (subject->read(text, "t.json", NULL, &read, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    assert_string_equal(read.expected, "agreed");
    assert_int_equal(read.sequence, test.sequence);
    assert_int_equal(read.choices.count, test.choices.count);
    assert_memory_equal(read.choices.items, test.choices.items,
                        read.choices.count * sizeof *read.choices.items);
    assert_int_equal(subject->open(read.experiment, read.arm, &of_file, &error), COR_OK);
    assert_int_equal(subject->run(of_file, &read, NULL, &run, &error), COR_OK);
    assert_true(run.digest == wanted.digest);
    assert_true(run.class == wanted.class);
    assert_int_equal(subject->write(&read, &second, &error), COR_OK);
    assert_string_equal(second, text);
    free(text);
    free(second);
    subject->close(bench);
    subject->close(of_file);
    cor_choices_fini(&test.choices);
    cor_choices_fini(&read.choices);
    cor_process_layer.destroy(read.experiment);
    cor_process_experiment_destroy(experiment);
}

static enum cor_status read_test(const char *path, struct cor_error *error) {
    struct cor_subject_test test = {0};
    char *text = NULL;
    size_t length;
    enum cor_status status = cor_json_read_text(path, &text, &length, error);
    if (status == COR_OK)
        status = subject->read(text, path, NULL, &test, error);
    cor_choices_fini(&test.choices);
    cor_process_layer.destroy(test.experiment);
    free(text);
    return status;
}

static void invalid_tests_are_refused_in_so_many_words(void **state) {
    (void)state;
    invalid_corpus(CORPUS "/cases.txt", 30, read_test);
}

/* ---- the story */

static char *story_of(const char *file, enum cor_story_form form) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test test;
    char *text = NULL, *story;
    size_t length;
    void *bench;
    assert_int_equal(cor_json_read_text(file, &text, &length, &error), COR_OK);
    if (subject->read(text, file, NULL, &test, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    assert_int_equal(subject->open(test.experiment, test.arm, &bench, &error), COR_OK);
    assert_int_equal(cor_process_tell(bench, &test, form, &story, &error), COR_OK);
    subject->close(bench);
    cor_choices_fini(&test.choices);
    cor_process_layer.destroy(test.experiment);
    free(text);
    return story;
}

static void the_story_says_each_event(void **state) {
    (void)state;
    char *story = story_of(CORPUS "/valid.json", COR_STORY_TEXT);
    struct cor_error error = COR_NO_ERROR;
    char *wanted = NULL;
    size_t length;
    assert_int_equal(cor_json_read_text(CORPUS "/story.txt", &wanted, &length, &error), COR_OK);
    assert_string_equal(story, wanted);
    for (const char *line = story; *line; line += strcspn(line, "\n") + 1)
        assert_in_range(strcspn(line, "\n"), 0, 80);
    free(story);
    free(wanted);
    char *svg = story_of(CORPUS "/valid.json", COR_STORY_SVG);
    assert_non_null(strstr(svg, "process 2</text>"));
    assert_string_equal(svg + strlen(svg) - 7, "</svg>\n");
    free(svg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_generator_made_is_the_same_again),
        cmocka_unit_test(all_generators_find_the_fault_of_the_coordinator),
        cmocka_unit_test(what_comes_behind_first_events_is_the_same_again),
        cmocka_unit_test(no_event_and_no_pair_is_left_that_can_be_spared),
        cmocka_unit_test(what_comes_by_itself_is_not_listed),
        cmocka_unit_test(losses_of_a_link_are_one),
        cmocka_unit_test(answers_are_read_as_they_were_written),
        cmocka_unit_test(a_test_file_says_all_that_it_takes),
        cmocka_unit_test(invalid_tests_are_refused_in_so_many_words),
        cmocka_unit_test(the_story_says_each_event),
    };
    subject = cor_process_layer.subject;
    return cmocka_run_group_tests_name("process_subject", tests, NULL, NULL);
}
