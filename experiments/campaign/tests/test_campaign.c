/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A campaign over a layer that is nobody's: it counts. Suite s of an arm has s + 1 cases, the last of which
 * fails. What is planned, kept and merged must not depend on what a layer does, on workers, or on the order
 * of work. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "../internal.h"

#include <corridor/campaign.h>
#include <corridor/result.h>
#include <corridor/schema.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define OK(call)                                                    \
    do {                                                            \
        if ((call) != COR_OK)                                       \
            fail_msg("%s: %s %s", #call, error.place, error.cause); \
    } while (0)

#define COUNT_COLUMNS(X, R) \
    COR_SUITE_KEYS(X, R)    \
    X(R, uint32_t, number, "1", NONE, "number of the case")
COR_ROW_STRUCT(count, COUNT_COLUMNS)
COR_TABLE_COLUMNS(count, COUNT_COLUMNS)
static const struct cor_table_schema tables[] = {COR_TABLE_SCHEMA("counts", count, "cases")};
static const struct cor_catalog_schema catalogs[] = {{"arm", "arms"}};
static const struct cor_layer_schema schema = {.name = "counting",
                                               .holds = "counts",
                                               .suites = "suites",
                                               .format = "corridor-counting",
                                               .major = 1,
                                               .main_table = "/counts",
                                               .tables = tables,
                                               .catalogs = catalogs,
                                               .table_count = 1,
                                               .catalog_count = 1};

static struct cor_arm_head arms[] = {{.name = "one", .description = ""},
                                     {.name = "other", .description = ""}};
static char path[] = "counting.json", text[] = "{}";

static struct cor_experiment_head counting = {.path = path,
                                              .text = text,
                                              .seed = 7,
                                              .arms = arms,
                                              .arm_count = 2,
                                              .suite_count = 10,
                                              .resumable = true};

static enum cor_status open_nothing(const void *experiment, void **executor, struct cor_error *error) {
    (void)experiment;
    (void)error;
    *executor = NULL;
    return COR_OK;
}

static enum cor_status execute(void *executor, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error) {
    (void)executor;
    cor_record_begin(record, (uint16_t)arm, suite);
    for (uint32_t i = 0; i <= suite; i++) {
        struct cor_count_row *row = cor_record_row(record, 0, error);
        assert_non_null(row);
        row->number = i;
        tally->cases++;
        cor_watch_show(watch, tally->cases);
    }
    tally->failures = 1;
    return cor_watch_stopped(watch) ? COR_STATUS_INTERRUPTED : COR_OK;
}

static void close_nothing(void *executor) {
    (void)executor;
}

static void provenance(const void *experiment, struct cor_json_writer *writer) {
    (void)experiment;
    cor_json_put_string(writer, "counted_by", "test");
}

static const struct cor_layer layer = {.key = "counting",
                                       .schema = &schema,
                                       .open = open_nothing,
                                       .execute = execute,
                                       .close = close_nothing,
                                       .provenance = provenance};

/* Runs the campaign to its end and opens the file. */
static struct cor_result *run(const struct cor_campaign_definition *definition,
                              struct cor_campaign_status *status, bool *whole) {
    static const struct cor_layer_schema *const known[] = {&schema, NULL};
    struct cor_error error = COR_NO_ERROR;
    struct cor_campaign *campaign;
    struct cor_result *result;
    OK(cor_campaign_start(definition, &campaign, &error));
    do
        OK(cor_campaign_look(campaign, 100, status, &error));
    while (!status->ended);
    OK(cor_campaign_merge(campaign, whole, &error));
    cor_campaign_destroy(campaign);
    OK(cor_result_open_as(known, definition->output, &result, &error));
    return result;
}

/* Suites 0 .. of both arms in turn, and no others: as many rows as their cases, in ascending order. */
static void check_rows(struct cor_result *result, uint64_t suites) {
    struct cor_error error = COR_NO_ERROR;
    uint64_t at = 0;
    for (uint32_t arm = 0; arm < 2; arm++)
        for (uint32_t suite = 0; 2 * suite + arm < suites; suite++)
            for (uint32_t i = 0; i <= suite; i++) {
                struct cor_count_row row;
                OK(cor_result_read(result, 0, at++, 1, &row, &error));
                assert_int_equal(row.arm, arm);
                assert_int_equal(row.suite, suite);
                assert_int_equal(row.number, i);
            }
    assert_int_equal(cor_result_size(result, 0), at);
    assert_string_equal(cor_result_name(result, 0, 1), "other");
    assert_non_null(strstr(cor_result_head(result)->provenance, "\"counted_by\": \"test\""));
    cor_result_close(result);
}

static char folder[] = "/tmp/corridor-test-XXXXXX", output[64];

static void every_suite_is_run_once_by_any_number_of_workers_in_any_order(void **state) {
    (void)state;
    for (uint32_t workers = 1; workers <= 3; workers += 2)
        for (uint64_t shuffle = 0; shuffle < 2; shuffle++) {
            struct cor_campaign_status status;
            bool whole;
            struct cor_result *result = run(&(struct cor_campaign_definition){.layer = &layer,
                                                                              .experiment = &counting,
                                                                              .output = output,
                                                                              .overwrite = true,
                                                                              .workers = workers,
                                                                              .shuffle = shuffle * 77},
                                            &status, &whole);
            assert_true(whole);
            assert_int_equal(status.suites_kept, 20);
            assert_int_equal(status.suites_planned, 20);
            assert_int_equal(status.cases, 2 * 55);
            assert_int_equal(status.kept_cases, 2 * 55);
            assert_int_equal(status.failures, 20);
            check_rows(result, 20);
        }
}

static void write_text(const char *file, const char *said) {
    FILE *opened = fopen(file, "w");
    assert_non_null(opened);
    fputs(said, opened);
    assert_int_equal(fclose(opened), 0);
}

/* A folder of work under way is removed in the end, but for what somebody else has put there meanwhile. */
static void what_somebody_puts_into_the_folder_of_a_campaign_stays(void **state) {
    (void)state;
    struct cor_campaign_status status;
    struct cor_error error = COR_NO_ERROR;
    struct cor_campaign *campaign;
    char notes[96], backup[96], parts[80];
    bool whole;
    struct stat there;
    snprintf(parts, sizeof parts, "%s.parts", output);
    snprintf(notes, sizeof notes, "%s/STATUS.txt", parts);
    snprintf(backup, sizeof backup, "%s/result.h5.bak", parts);
    OK(cor_campaign_start(
        &(struct cor_campaign_definition){
            .layer = &layer, .experiment = &counting, .output = output, .overwrite = true, .workers = 1},
        &campaign, &error));
    write_text(notes, "mine");
    write_text(backup, "mine");
    do
        OK(cor_campaign_look(campaign, 100, &status, &error));
    while (!status.ended);
    OK(cor_campaign_merge(campaign, &whole, &error));
    cor_campaign_destroy(campaign);
    assert_int_equal(stat(notes, &there), 0);
    assert_int_equal(there.st_size, 4);
    assert_int_equal(remove(notes), 0);
    assert_int_equal(remove(backup), 0);
    assert_int_equal(rmdir(parts), 0); /* nothing else is left */
}

/* Suites are done in any order; what counts is the prefix of the plan. Cases add up to 1, 2, 4, 6, 9, 12, 16,
 * ... */
static void a_stop_condition_keeps_the_prefix_in_which_it_is_first_met(void **state) {
    (void)state;
    for (uint32_t workers = 1; workers <= 3; workers++) {
        struct cor_campaign_status status;
        bool whole;
        struct cor_result *result =
            run(&(struct cor_campaign_definition){.layer = &layer,
                                                  .experiment = &counting,
                                                  .output = output,
                                                  .overwrite = true,
                                                  .workers = workers,
                                                  .shuffle = 5,
                                                  .stop = {1, {{.bound = {[COR_STOP_AT_CASES] = 10}}}}},
                &status, &whole);
        assert_true(whole);
        assert_int_equal(status.suites_kept, 6);
        assert_int_equal(status.kept_cases, 12);
        assert_int_equal(cor_result_head(result)->complete, 0);
        check_rows(result, 6);
    }
}

/* What an earlier run has stored beyond what is wanted now is not counted. */
static void more_than_is_wanted_is_not_told(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_campaign *campaign;
    struct cor_campaign_status status;
    struct cor_campaign_definition definition = {.layer = &layer,
                                                 .experiment = &counting,
                                                 .output = output,
                                                 .overwrite = true,
                                                 .workers = 2,
                                                 .shuffle = 77};
    for (int bound = 40; bound > 0; bound -= 17) { /* 40 and 23: all 20; 6 */
        definition.stop = (struct cor_stop_conditions){1, {{.bound = {[COR_STOP_AT_SUITES] = bound}}}};
        OK(cor_campaign_start(&definition, &campaign, &error));
        do {
            OK(cor_campaign_look(campaign, 100, &status, &error));
            assert_true(status.suites_before <= status.suites_done &&
                        status.suites_done <= status.suites_planned);
        } while (!status.ended);
        const uint64_t wanted = bound < 20 ? (uint64_t)bound : 20;
        assert_int_equal(status.suites_planned, wanted);
        assert_int_equal(status.suites_done, wanted);
        assert_int_equal(status.suites_before, bound == 40 ? 0 : wanted);
        assert_int_equal(status.suites_kept, wanted);
        if (bound > 6) /* what is stored stays */
            cor_campaign_destroy(campaign);
    }
    bool whole;
    OK(cor_campaign_merge(campaign, &whole, &error));
    assert_true(whole);
    cor_campaign_destroy(campaign);
}

/* Two suites cannot be executed, and the later one of the plan is executed first. */
enum { EARLIER = 5, LATER = 8 };
static _Atomic int *later_has_failed; /* shared with workers */

static enum cor_status fail_twice(void *executor, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                                  struct cor_record *record, struct cor_suite_counts *tally,
                                  struct cor_error *error) {
    const uint32_t position = 2 * suite + arm;
    for (int i = 0;
         i < 1000 && position == EARLIER && !atomic_load(later_has_failed) && !cor_watch_stopped(watch); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    if (position == LATER)
        atomic_store(later_has_failed, 1);
    if (position == EARLIER) /* the one that names it is noticed by then */
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    return position == EARLIER || position == LATER
               ? cor_fail(error, COR_STATUS_PLUGIN, NULL, NULL, "suite %u of arm %u is odd", suite, arm)
               : execute(executor, arm, suite, watch, record, tally, error);
}

static void the_first_suite_of_the_plan_that_cannot_be_executed_is_named(void **state) {
    (void)state;
    struct cor_layer odd = layer;
    struct cor_experiment_head once = counting;
    once.resumable = false;
    odd.execute = fail_twice;
    void *memory =
        mmap(NULL, sizeof *later_has_failed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    later_has_failed = memory;
    for (uint32_t way = 0; way < 4; way++)                   /* in the order of the plan, and in another */
        for (uint32_t bound = 3; bound <= 20; bound += 17) { /* suites, in which neither is, or both are */
            const uint32_t workers = way % 2 == 0 ? 1 : 3;
            struct cor_error error = COR_NO_ERROR;
            struct cor_campaign *campaign;
            struct cor_campaign_status status;
            atomic_store(later_has_failed, workers == 1);
            OK(cor_campaign_start(
                &(struct cor_campaign_definition){.layer = &odd,
                                                  .experiment = &once,
                                                  .output = output,
                                                  .overwrite = true,
                                                  .workers = workers,
                                                  .shuffle = way < 2 ? 0 : 1, /* LATER before EARLIER */
                                                  .stop = {1, {{.bound = {[COR_STOP_AT_CASES] = bound}}}}},
                &campaign, &error));
            enum cor_status came;
            do
                came = cor_campaign_look(campaign, 10, &status, &error);
            while (came == COR_OK && !status.ended);
            assert_int_equal(came, bound == 3 ? COR_STATUS_OK : COR_STATUS_PLUGIN);
            assert_string_equal(error.cause, bound == 3 ? "" : "suite 2 of arm 1 is odd");
            bool whole;
            struct cor_error other = COR_NO_ERROR;
            if (bound == 3)
                OK(cor_campaign_merge(campaign, &whole, &other));
            cor_campaign_destroy(campaign);
        }
    munmap(memory, sizeof *later_has_failed);
}

/* Suite 1 of the plan cannot be executed, which it finds when others ran ahead; the one before takes longer.
 */
static _Atomic int *behind; /* suites that were executed behind it; shared with workers */

static enum cor_status fail_late(void *executor, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                                 struct cor_record *record, struct cor_suite_counts *tally,
                                 struct cor_error *error) {
    const uint32_t position = 2 * suite + arm;
    for (int i = 0; i < 1000 && position == 1 && atomic_load(behind) < 12; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    for (int i = 0; i < 1000 && position == 0 && !(atomic_load(behind) & 1024); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    if (position > 1)
        atomic_fetch_add(behind, 1);
    return position == 1 ? cor_fail(error, COR_STATUS_PLUGIN, NULL, NULL, "is odd")
                         : execute(executor, arm, suite, watch, record, tally, error);
}

static void suites_behind_one_that_cannot_be_executed_are_no_progress(void **state) {
    (void)state;
    struct cor_layer odd = layer;
    struct cor_experiment_head once = counting;
    struct cor_error error = COR_NO_ERROR;
    struct cor_campaign *campaign;
    struct cor_campaign_status status;
    once.resumable = false;
    odd.execute = fail_late;
    behind = mmap(NULL, sizeof *behind, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(behind != MAP_FAILED);
    OK(cor_campaign_start(
        &(struct cor_campaign_definition){
            .layer = &odd, .experiment = &once, .output = output, .overwrite = true, .workers = 3},
        &campaign, &error));
    enum cor_status came;
    int looks = 0; /* since it is known that it cannot be executed */
    do {
        came = cor_campaign_look(campaign, 20, &status, &error);
        const double left = cor_campaign_pace(campaign).seconds_left;
        assert_true(isnan(left) || (left >= 0 && left < 1e9));
        if (came == COR_OK && status.suites_done == 0 && atomic_load(behind) >= 12 && ++looks == 20)
            atomic_fetch_or(behind, 1024);
    } while (came == COR_OK && !status.ended);
    assert_int_equal(came, COR_STATUS_PLUGIN);
    assert_true(looks >= 20);
    cor_campaign_destroy(campaign);
    munmap(behind, sizeof *behind);
}

/* The first of two processes, with what it has written and not yet stored of its own lying in a journal that
 * it might read as if another had written it: its next suite ends once all journals were looked at again. */
static _Atomic int *looked; /* shared with the worker */

static enum cor_status wait_for_a_look(void *executor, uint32_t arm, uint32_t suite,
                                       const struct cor_watch *watch, struct cor_record *record,
                                       struct cor_suite_counts *tally, struct cor_error *error) {
    for (int i = 0; i < 2000 && 2 * suite + arm == 3 && !atomic_load(looked); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    return execute(executor, arm, suite, watch, record, tally, error);
}

static void what_a_process_has_written_itself_is_counted_once(void **state) {
    (void)state;
    struct cor_layer waiting = layer;
    struct cor_error error = COR_NO_ERROR;
    struct cor_campaign *campaign;
    struct cor_campaign_status status;
    bool whole;
    waiting.execute = wait_for_a_look;
    looked = mmap(NULL, sizeof *looked, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(looked != MAP_FAILED);
    OK(cor_campaign_start(&(struct cor_campaign_definition){.layer = &waiting,
                                                            .experiment = &counting,
                                                            .output = output,
                                                            .overwrite = true,
                                                            .workers = 1,
                                                            .share = {0, 2, true}},
                          &campaign, &error));
    do {
        OK(cor_campaign_look(campaign, 100, &status, &error));
        assert_true(status.suites_kept <= status.suites_done && status.suites_done <= 20);
        if (status.seconds > 1.5) /* journals of others are looked at each half second */
            atomic_store(looked, 1);
    } while (!status.ended);
    assert_int_equal(status.suites_done, 20);
    OK(cor_campaign_merge(campaign, &whole, &error));
    assert_true(whole);
    cor_campaign_destroy(campaign);
    munmap(looked, sizeof *looked);
}

/* Of another process, whose worker had nothing to do: between reading the folder and reading the file. */
static void a_journal_that_was_removed_meanwhile_is_no_trouble(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_campaign *campaign;
    char gone[sizeof output + 32];
    char *const paths[] = {gone};
    snprintf(gone, sizeof gone, "%s.parts/00001-000000.journal", output);
    OK(cor_campaign_start(
        &(struct cor_campaign_definition){
            .layer = &layer, .experiment = &counting, .output = output, .overwrite = true, .workers = 1},
        &campaign, &error));
    OK(campaign__share_follow_these(campaign, paths, 1, &error));
    campaign->followed[campaign->followed_count - 1].offset = 1; /* a suite of it was taken over */
    assert_int_equal(campaign__share_follow_these(campaign, paths, 1, &error), COR_STATUS_FILE);
    cor_campaign_interrupt(campaign);
    cor_campaign_destroy(campaign);
}

/* Says that a quarter is done, and goes on until it is stopped. */
static enum cor_status wait_for_the_stop(void *executor, uint32_t arm, uint32_t suite,
                                         const struct cor_watch *watch, struct cor_record *record,
                                         struct cor_suite_counts *tally, struct cor_error *error) {
    const struct timespec moment = {0, 1000000};
    (void)executor;
    (void)tally;
    (void)error;
    cor_record_begin(record, (uint16_t)arm, suite);
    cor_watch_share(watch, 0.25);
    while (!cor_watch_stopped(watch))
        nanosleep(&moment, NULL);
    return COR_STATUS_INTERRUPTED;
}

static void before_a_suite_is_finished_the_time_left_is_known_by_its_share(void **state) {
    (void)state;
    struct cor_layer waiting = layer;
    struct cor_campaign_status status;
    struct cor_error error = COR_NO_ERROR;
    struct cor_campaign *campaign;
    waiting.execute = wait_for_the_stop;
    OK(cor_campaign_start(
        &(struct cor_campaign_definition){
            .layer = &waiting, .experiment = &counting, .output = output, .overwrite = true, .workers = 1},
        &campaign, &error));
    do
        OK(cor_campaign_look(campaign, 10, &status, &error));
    while (isnan(status.seconds_left));
    /* A quarter of 20 suites: 79 times what it took, which grows while it is looked at. */
    assert_int_equal(status.suites_done, 0);
    assert_true(status.seconds_left > 0 && status.seconds_left <= 79 * status.seconds * 1.001);
    cor_campaign_interrupt(campaign);
    do
        OK(cor_campaign_look(campaign, 10, &status, &error));
    while (!status.ended);
    cor_campaign_destroy(campaign);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_suite_is_run_once_by_any_number_of_workers_in_any_order),
        cmocka_unit_test(what_somebody_puts_into_the_folder_of_a_campaign_stays),
        cmocka_unit_test(before_a_suite_is_finished_the_time_left_is_known_by_its_share),
        cmocka_unit_test(a_stop_condition_keeps_the_prefix_in_which_it_is_first_met),
        cmocka_unit_test(more_than_is_wanted_is_not_told),
        cmocka_unit_test(the_first_suite_of_the_plan_that_cannot_be_executed_is_named),
        cmocka_unit_test(what_a_process_has_written_itself_is_counted_once),
        cmocka_unit_test(a_journal_that_was_removed_meanwhile_is_no_trouble),
        cmocka_unit_test(suites_behind_one_that_cannot_be_executed_are_no_progress),
    };
    if (!mkdtemp(folder))
        return 1;
    snprintf(output, sizeof output, "%s/counts.h5", folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char times[80];
    snprintf(times, sizeof times, "%s.times.csv", output);
    remove(output);
    remove(times);
    rmdir(folder);
    return failed;
}
