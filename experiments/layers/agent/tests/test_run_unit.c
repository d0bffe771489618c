/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loop over units: an agent that does as designed is never accused, whatever the samples; what is run
 * does not depend on what was run before. */
#include <corridor/agent_layer.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MANAGER TEST_SOURCE_DIR "/experiments/library/agents/stock_manager.json"
#define FAULTS TEST_SOURCE_DIR "/experiments/library/agents/stock_manager_faults.json"

static uint64_t seeds;
static uint32_t arms; /* of the 20 */

enum { ARMS = 20 };

/* An experiment, with all arms open. */
struct scene {
    struct cor_agent_experiment *experiment;
    struct cor_aut_session *session;
    struct cor_unit_runner *runner;
    struct cor_record *record;
};

static void open_scene(struct scene *scene, uint64_t seed, const char *faults, uint32_t arm) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_agent_experiment_definition definition = {
        .design = MANAGER, .faults = faults, .has_seed = true, .seed = seed};
    if (cor_agent_experiment_make(&definition, &scene->experiment, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    assert_int_equal(cor_agent_arm_open(scene->experiment, arm, &scene->session, &scene->runner, &error),
                     COR_OK);
    assert_int_equal(cor_record_create(&cor_agent_schema, &scene->record, &error), COR_OK);
}

static void close_scene(struct scene *scene) {
    cor_record_destroy(scene->record);
    cor_unit_runner_destroy(scene->runner);
    cor_aut_close(scene->session);
    cor_agent_experiment_destroy(scene->experiment);
}

static struct cor_unit_outcome run(struct scene *scene, uint32_t unit) {
    struct cor_unit_outcome outcome;
    struct cor_error error = COR_NO_ERROR;
    const struct cor_unit_request request = {.unit = unit, .record = scene->record};
    cor_record_begin(scene->record, 0, unit);
    assert_int_equal(cor_unit_run(scene->runner, &request, &outcome, &error), COR_OK);
    return outcome;
}

static void the_agent_as_designed_is_silent_for_all_seeds(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct scene scene;
        open_scene(&scene, seed, NULL, 0);
        for (uint32_t u = 0; u < scene.experiment->file->order.units.count; u++)
            if (run(&scene, u).findings > 0)
                fail_msg("seed %u: %s accuses the agent", (unsigned)seed, scene.experiment->unit_names[u]);
        close_scene(&scene);
    }
}

/* Rows of two records are the same bytes, table by table. */
static void expect_equal_records(struct cor_record *a, struct cor_record *b) {
    for (uint32_t t = 0; t < cor_agent_schema.table_count; t++) {
        assert_int_equal(cor_record_size(a, t), cor_record_size(b, t));
        for (size_t i = 0; i < cor_record_size(a, t); i++)
            assert_memory_equal(cor_record_at(a, t, i), cor_record_at(b, t, i),
                                cor_agent_schema.tables[t].row_size);
    }
}

static void a_unit_alone_writes_what_it_writes_after_others(void **state) {
    (void)state;
    for (uint32_t i = 0; i < arms; i++) {
        const uint32_t arm = i * ARMS / arms;
        struct scene alone, after;
        open_scene(&after, 1, FAULTS, arm);
        uint32_t units = after.experiment->file->order.units.count;
        for (uint32_t u = 0; u < units; u++) {
            open_scene(&alone, 1, FAULTS, arm);
            run(&alone, u);
            run(&after, u);
            expect_equal_records(alone.record, after.record);
            close_scene(&alone);
        }
        close_scene(&after);
    }
}

static void a_case_alone_reports_what_it_did_in_its_unit(void **state) {
    struct scene scene;
    struct cor_trace trace, again;
    struct cor_case_values values;
    struct cor_error error = COR_NO_ERROR;
    (void)state;
    cor_trace_init(&trace);
    cor_trace_init(&again);
    open_scene(&scene, 7, FAULTS, 10);
    assert_int_equal(cor_case_values_init(&values, scene.experiment->file->design, &error), COR_OK);
    for (uint32_t u = 0; u < scene.experiment->file->order.units.count; u++) {
        run(&scene, u);
        for (size_t i = 0; i < cor_record_size(scene.record, COR_AGENT_TABLE_TRIALS); i++) {
            const struct cor_agent_trial_row *row = cor_record_at(scene.record, COR_AGENT_TABLE_TRIALS, i);
            assert_int_equal(
                cor_unit_run_case(scene.runner,
                                  &(struct cor_lone_case){
                                      .unit = u, .index = row->case_, .trace = &trace, .values = &values},
                                  &error),
                COR_OK);
            assert_int_equal(trace.event_count, row->events);
            assert_int_equal(trace.steps, row->steps);
            assert_int_equal(trace.end, row->end);
            assert_int_equal(
                cor_unit_run_case(scene.runner,
                                  &(struct cor_lone_case){
                                      .unit = u, .index = row->case_, .trace = &again, .values = &values},
                                  &error),
                COR_OK);
            assert_true(cor_trace_equal(&trace, &again));
        }
    }
    cor_case_values_fini(&values);
    close_scene(&scene);
    cor_trace_fini(&trace);
    cor_trace_fini(&again);
}

int main(int argc, char **argv) {
    seeds = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
    arms = argc == 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    if (seeds == 0 || arms == 0 || arms > ARMS) {
        fprintf(stderr, "usage: %s SEEDS ARMS\n", argv[0]);
        return 2;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_agent_as_designed_is_silent_for_all_seeds),
        cmocka_unit_test(a_unit_alone_writes_what_it_writes_after_others),
        cmocka_unit_test(a_case_alone_reports_what_it_did_in_its_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
