/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shrinking and searching, beside the loop alone on the same tests. Which tests they execute is seen where
 * they do: the linker leads their calls of the tester through here (CMakeLists.txt). */
#include "setting.h"

#include <corridor/array.h>
#include <corridor/search_layer.h>
#include <corridor/search_schema.h>
#include <corridor/shrink.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 512, FAILURES = 4, SUITES_MOST = 200, EXECUTIONS_MOST = 1000, BUDGET = 20000 };

/* A test as it was executed. */
struct executed {
    struct cor_test *test; /* owned */
    uint32_t cases;
};

/* What is executed at present: counted, and of it every `stride`-th test kept where that is wanted. */
static struct {
    bool keeps;
    uint64_t tests, cases, stride;
    double making; /* seconds in which suites were generated */
    struct executed sample[SAMPLE];
    uint32_t count;
} seen;

static void forget(void) {
    for (uint32_t i = 0; i < seen.count; i++)
        cor_test_destroy(seen.sample[i].test);
    seen.tests = seen.cases = seen.count = 0;
    seen.making = 0;
    seen.stride = 1;
}

static void note(const struct cor_test *test, const struct cor_test_result *result) {
    struct cor_error error = COR_NO_ERROR;
    if (seen.keeps && seen.tests % seen.stride == 0) {
        if (seen.count == SAMPLE) {
            /* Every second one goes where there is no room. */
            for (uint32_t i = 0; i < SAMPLE; i++)
                if (i % 2 == 0)
                    seen.sample[i / 2] = seen.sample[i];
                else
                    cor_test_destroy(seen.sample[i].test);
            seen.count = SAMPLE / 2;
            seen.stride *= 2;
        }
        struct executed *executed = &seen.sample[seen.count++];
        bench_must(cor_test_copy(test, &executed->test, &error), &error);
        executed->cases = result->cases;
    }
    seen.tests++;
    seen.cases += result->cases;
}

/* The linker's names of a function that is led through another one, and of that one. */
enum cor_status __real_cor_tester_execute(struct cor_tester *tester, const struct cor_test *test,
                                          uint32_t last, struct cor_test_result *result,
                                          struct cor_error *error);
enum cor_status __wrap_cor_tester_execute(struct cor_tester *tester, const struct cor_test *test,
                                          uint32_t last, struct cor_test_result *result,
                                          struct cor_error *error);
enum cor_status __real_cor_tester_execute_to_failure(struct cor_tester *tester, const struct cor_test *test,
                                                     struct cor_test_result *result, struct cor_error *error);
enum cor_status __wrap_cor_tester_execute_to_failure(struct cor_tester *tester, const struct cor_test *test,
                                                     struct cor_test_result *result, struct cor_error *error);

enum cor_status __wrap_cor_tester_execute(struct cor_tester *tester, const struct cor_test *test,
                                          uint32_t last, struct cor_test_result *result,
                                          struct cor_error *error) {
    const enum cor_status status = __real_cor_tester_execute(tester, test, last, result, error);
    if (status == COR_OK)
        note(test, result);
    return status;
}

enum cor_status __wrap_cor_tester_execute_to_failure(struct cor_tester *tester, const struct cor_test *test,
                                                     struct cor_test_result *result,
                                                     struct cor_error *error) {
    const enum cor_status status = __real_cor_tester_execute_to_failure(tester, test, result, error);
    if (status == COR_OK)
        note(test, result);
    return status;
}

enum cor_status __real_cor_suite_generate(const struct cor_experiment *experiment, uint32_t arm,
                                          uint32_t index, struct cor_suite **suite, struct cor_error *error);
enum cor_status __wrap_cor_suite_generate(const struct cor_experiment *experiment, uint32_t arm,
                                          uint32_t index, struct cor_suite **suite, struct cor_error *error);
enum cor_status __real_cor_suite_generate_of(const struct cor_experiment *experiment, uint32_t arm,
                                             uint32_t index, const double *parameters,
                                             struct cor_suite **suite, struct cor_error *error);
enum cor_status __wrap_cor_suite_generate_of(const struct cor_experiment *experiment, uint32_t arm,
                                             uint32_t index, const double *parameters,
                                             struct cor_suite **suite, struct cor_error *error);

enum cor_status __wrap_cor_suite_generate(const struct cor_experiment *experiment, uint32_t arm,
                                          uint32_t index, struct cor_suite **suite, struct cor_error *error) {
    const double begun = bench_user_seconds();
    const enum cor_status status = __real_cor_suite_generate(experiment, arm, index, suite, error);
    seen.making += bench_user_seconds() - begun;
    return status;
}

enum cor_status __wrap_cor_suite_generate_of(const struct cor_experiment *experiment, uint32_t arm,
                                             uint32_t index, const double *parameters,
                                             struct cor_suite **suite, struct cor_error *error) {
    const double begun = bench_user_seconds();
    const enum cor_status status =
        __real_cor_suite_generate_of(experiment, arm, index, parameters, suite, error);
    seen.making += bench_user_seconds() - begun;
    return status;
}

/* Something that executes tests, beside the loop alone. */
struct compared {
    struct cor_tester *tester; /* of shrinking, */
    struct cor_test *failing[FAILURES];
    struct cor_search_executor *executor; /* and of searching */
    struct cor_record *record;
    bool by_case;                             /* counted are cases, else tests */
    struct cor_session_definition definition; /* of the session of the loop alone */
    struct cor_session *session;
    struct cor_record *rows;
};

/* A session serves as long as the same is asked of it. */
static void open_session(struct compared *c, const struct cor_session_definition *definition) {
    struct cor_error error = COR_NO_ERROR;
    if (c->session && memcmp(&c->definition, definition, sizeof *definition) == 0)
        return;
    cor_session_destroy(c->session);
    memcpy(&c->definition, definition, sizeof *definition);
    bench_must(cor_session_create(definition, &c->session, &error), &error);
}

static double run_alone(void *context) {
    struct compared *c = context;
    double cases = 0;
    for (uint32_t i = 0; i < seen.count; i++) {
        const struct executed *executed = &seen.sample[i];
        struct cor_error error = COR_NO_ERROR;
        struct cor_runner *runner;
        const struct cor_test *test = executed->test;
        open_session(c, &test->arm.session);
        const struct cor_execution execution = {test->suite, c->session, false};
        struct cor_walk_definition walk = cor_suite_walk_definition(test->suite, 0, NULL);
        walk.name.sequence = test->sequence;
        walk.branch = test->continues ? &test->branch : NULL;
        walk.case_identity = test->case_identity;
        cor_session_schedule(c->session, test->schedule);
        bench_must(cor_runner_create(&execution, c->rows, &runner, &error), &error);
        bench_must(cor_sequence_begin(runner, &walk, &error), &error);
        for (uint32_t j = 0; j < executed->cases; j++)
            bench_must(cor_sequence_case(runner, &error), &error);
        bench_must(cor_sequence_end(runner, &error), &error);
        cor_runner_destroy(runner);
        cor_session_schedule(c->session, NULL);
        cases += seen.sample[i].cases;
    }
    return c->by_case ? cases : seen.count;
}

/* Once for the sample, then timed beside it. In thousands a second. */
static void compare(bench_work *work, struct compared *c, struct bench_figure *figure) {
    static const struct bench_care some = {3, 0.1, bench_user_seconds};
    struct cor_error error = COR_NO_ERROR;
    bench_must(cor_record_create(&cor_interaction_schema, &c->rows, &error), &error);
    forget();
    seen.keeps = true;
    work(c);
    seen.keeps = false;
    const struct bench_times times = bench_measure(work, run_alone, c, some);
    figure->value = 1e-3 / times.seconds;
    figure->reference = 1e-3 / times.reference;
    cor_session_destroy(c->session);
    cor_record_destroy(c->rows);
    forget();
}

/* The first failing sequence of an arm. */
static struct cor_test *find_failing(struct compared *c, const struct cor_experiment *experiment,
                                     uint32_t arm) {
    struct cor_error error = COR_NO_ERROR;
    for (uint32_t i = 0; i < SUITES_MOST; i++) {
        struct cor_suite *suite;
        struct cor_test *test;
        bench_must(cor_suite_generate(experiment, arm, i, &suite, &error), &error);
        bench_must(cor_suite_test(suite, 0, &test, &error), &error);
        cor_suite_destroy(suite);
        bench_must(cor_tester_execute(c->tester, test, 0, &test->expected, &error), &error);
        if (test->expected.case_ > 0)
            return test;
        cor_test_destroy(test);
    }
    fprintf(stderr, "bench: nothing fails in %d suites of %s\n", SUITES_MOST, experiment->arms[arm].name);
    exit(1);
}

static double shrink_all(void *context) {
    static const struct cor_shrink_definition definition = {.budget = EXECUTIONS_MOST};
    struct compared *c = context;
    double executions = 0;
    for (uint32_t i = 0; i < FAILURES; i++) {
        struct cor_error error = COR_NO_ERROR;
        struct cor_shrink_report report;
        struct cor_test *smaller;
        bench_must(cor_shrink(c->failing[i], &definition, c->tester, &smaller, &report, &error), &error);
        executions += (double)report.counts.tries.count;
        cor_shrink_report_fini(&report);
        cor_test_destroy(smaller);
    }
    return executions;
}

void bench_shrinking(const struct bench_places *places, struct bench_figure *figures) {
    static const char *const arms[FAILURES] = {"SPADA-F1", "SPADA-F2", "PSOPP-F1", "PSOPP-F2"};
    struct cor_error error = COR_NO_ERROR;
    struct compared c = {0};
    struct cor_experiment *experiment =
        bench_experiment_read(places->source, "experiments/library/demo.json");
    bench_must(cor_tester_create(&c.tester, &error), &error);
    for (uint32_t i = 0; i < FAILURES; i++)
        c.failing[i] = find_failing(&c, experiment, (uint32_t)cor_experiment_arm(experiment, arms[i]));
    compare(shrink_all, &c, &figures[0]);
    snprintf(figures[0].note, sizeof figures[0].note, "%d failures of the demo, %.0f executions", FAILURES,
             shrink_all(&c));
    for (uint32_t i = 0; i < FAILURES; i++)
        cor_test_destroy(c.failing[i]);
    cor_tester_destroy(c.tester);
    cor_experiment_destroy(experiment);
}

static struct cor_search *read_search(const struct bench_places *places, const char *generator) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    struct cor_search *search;
    char *notes = NULL, *warnings = NULL;
    char *text =
        bench_kept(cor_format("{\"corridor_search\": 1, \"budget\": %d, \"generators\": [{\"generator\": "
                              "\"%s\", \"arm\": \"PSOPP-F5\"}], \"experiment\": "
                              "\"%s/experiments/library/demo.json\"}",
                              BUDGET, generator, places->source));
    bench_must(cor_json_parse(text, "search", &document, &error), &error);
    bench_must(cor_search_take("search", document, &(struct cor_layer_options){0}, &search, &notes, &warnings,
                               &error),
               &error);
    COR_FREE(text, notes, warnings);
    return search;
}

static double search_island(void *context) {
    struct compared *c = context;
    struct cor_error error = COR_NO_ERROR;
    struct cor_suite_counts tally;
    bench_must(cor_search_island(c->executor, 0, 0, NULL, c->record, &tally, &error), &error);
    return tally.cases;
}

static void measure_search(const struct bench_places *places, const char *generator,
                           struct bench_figure *figure) {
    struct cor_error error = COR_NO_ERROR;
    struct compared c = {.by_case = true};
    struct cor_search *search = read_search(places, generator);
    bench_must(cor_search_executor_create(search, &c.executor, &error), &error);
    bench_must(cor_record_create(&cor_search_schema, &c.record, &error), &error);
    compare(search_island, &c, figure);
    const double begun = bench_user_seconds();
    search_island(&c);
    const double share = seen.making / (bench_user_seconds() - begun);
    snprintf(figure->note, sizeof figure->note,
             "%llu tests; %.0f %% of its time makes suites, with the pilots of their thresholds",
             (unsigned long long)seen.tests, 100 * share);
    cor_record_destroy(c.record);
    cor_search_executor_destroy(c.executor);
    cor_search_destroy(search);
}

void bench_searching(const struct bench_places *places, struct bench_figure *figures) {
    measure_search(places, "random", &figures[0]);
    measure_search(places, "coverage", &figures[1]);
    measure_search(places, "directed", &figures[2]);
}
