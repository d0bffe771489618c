/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arms of distributed programs as tests: one with a fault passes if a schedule failed, one without if all
 * passed. */
#include "processes.h"
#include "summary.h"
#include "test_formats.h"

#include <corridor/arms.h>
#include <corridor/array.h>

#include <inttypes.h>
#include <stdlib.h>

struct processes {
    struct cor_layer_tables process;
    struct views__process_arms arms;
};

static void fini(struct processes *processes) {
    views__process_arms_fini(&processes->arms);
    cor_layer_tables_fini(&processes->process);
}

static enum cor_status init(struct cor_result *result, struct processes *processes, struct cor_error *error) {
    *processes = (struct processes){0};
    COR_TRY(cor_process_result_init(result, &processes->process, error));
    const enum cor_status status =
        views__process_arms_init(&processes->process, 0.95, &processes->arms, error);
    if (status != COR_OK)
        fini(processes);
    return status;
}

static struct views__test test(const void *with, size_t index) {
    const struct views__process_arm *arm = &((const struct processes *)with)->arms.items[index];
    return (struct views__test){"processes", views__process_outcome_is_good(arm->outcome) ? VIEWS__TEST_PASSED
                                             : arm->outcome == VIEWS__PROCESS_NO_VERDICT
                                                 ? VIEWS__TEST_SKIPPED
                                                 : VIEWS__TEST_FAILED};
}

/* What came of an arm, and of the first failure why. */
static void say(const struct processes *processes, size_t index, char *text, size_t size) {
    const struct cor_process_sequence_row *row =
        views__process_failure(&processes->process, index, COR_ANY_SUITE);
    char said[200];
    views__process_say(&processes->arms.items[index], said, sizeof said);
    if (row)
        snprintf(text, size, "%s: %s: %.*s", said, cor_process_failure(&processes->process, row),
                 COR_PROCESS_SAID(&processes->process, row, why));
    else
        snprintf(text, size, "%s", said);
}

static void put_case(const void *with, size_t index, FILE *file) {
    const struct processes *processes = with;
    const struct views__process_arm *arm = &processes->arms.items[index];
    const struct views__test it = test(with, index);
    char text[1000], number[32];
    views__put_attribute("classname", it.suite, file);
    views__put_attribute("name", arm->name, file);
    fputs(">\n      <properties>\n", file);
    views__put_property("verdict", views__process_outcome_word(arm->outcome), file);
    snprintf(number, sizeof number, "%" PRIu64, arm->sequences);
    views__put_property("schedules", number, file);
    snprintf(number, sizeof number, "%" PRIu64, arm->failed);
    views__put_property("failed", number, file);
    fputs("      </properties>\n", file);
    if (it.result == VIEWS__TEST_PASSED)
        return;
    say(processes, index, text, sizeof text);
    fputs(it.result == VIEWS__TEST_SKIPPED ? "      <skipped" : "      <failure", file);
    views__put_attribute("message", text, file);
    fputs("/>\n", file);
}

static void put_point(const void *with, size_t index, FILE *file) {
    const struct processes *processes = with;
    const struct views__process_arm *arm = &processes->arms.items[index];
    char text[1000];
    views__put_description(arm->name, file);
    if (test(with, index).result == VIEWS__TEST_SKIPPED) {
        fputs(" # SKIP ", file);
        views__put_description(views__process_outcome_word(arm->outcome), file);
    }
    fputs("\n  ---\n", file);
    views__put_scalar_text("  ", "verdict", views__process_outcome_word(arm->outcome), file);
    say(processes, index, text, sizeof text);
    views__put_scalar_text("  ", "message", text, file);
    fputs("  ...\n", file);
}

static enum cor_status write_arms(struct cor_result *result, views__write_list *write, FILE *file,
                                  struct cor_error *error) {
    struct processes processes;
    COR_TRY(init(result, &processes, error));
    const struct views__test_list list = {.with = &processes,
                                          .tests = processes.arms.count,
                                          .test = test,
                                          .put_case = put_case,
                                          .put_point = put_point,
                                          .none = "the file has no arms"};
    const enum cor_status status = write(&list, file, error);
    fini(&processes);
    return status;
}

static enum cor_status count(struct cor_result *result, struct cor_view_findings *findings,
                             struct cor_error *error) {
    struct processes processes;
    COR_TRY(init(result, &processes, error));
    views__count_processes(&processes.arms, findings);
    fini(&processes);
    return COR_OK;
}

static void lead_to_failure(const struct cor_layer_tables *process, size_t arm,
                            struct views__summary *summary) {
    const struct cor_process_sequence_row *row = views__process_failure(process, arm, COR_ANY_SUITE);
    if (!row)
        return;
    const char *name = cor_arm_entry(process->head, arm)->name;
    char *key = cor_format("%s/%" PRIu32 "/%" PRIu32, name, row->suite, row->sequence),
         *option = cor_format("--suite %" PRIu32, row->suite);
    views__summary_say(summary, "example", COR_TONE_PLAIN, "%.60s: %.*s", cor_process_failure(process, row),
                       COR_PROCESS_SAID(process, row, why));
    if (key && option) {
        views__summary_next(summary, "schedule", "show", "processes --arm", name, option);
        views__summary_next(summary, "repeat", "process replay", "--failure", key, NULL);
        views__summary_next(summary, "shrink", "process shrink", "--failure", key, "-o t.json");
        views__summary_next_of(summary, "story", "process story", "t.json");
    } else
        summary->status = COR_STATUS_MEMORY;
    free(option);
    free(key);
}

static enum cor_status say_traps(const struct processes *processes, struct views__summary *summary,
                                 struct cor_error *error) {
    const struct cor_layer_tables *process = &processes->process;
    const size_t known = process->head->catalog_size[COR_PROCESS_CATALOG_TRAP];
    struct views__process_trap *traps = cor_calloc(known + 1, sizeof *traps);
    char text[400];
    COR_TRY(cor_made(traps, error));
    for (size_t a = 0; a < processes->arms.count; a++) {
        views__process_say_traps(traps, views__process_traps(process, a, traps), text, sizeof text);
        if (text[0])
            views__summary_say(summary, "traps", COR_TONE_PLAIN, "%.60s: %s", processes->arms.items[a].name,
                               text);
    }
    free(traps);
    return COR_OK;
}

static enum cor_status sum(const struct cor_view_request *request, struct views__summary *summary,
                           struct cor_view_findings *findings, struct cor_error *error) {
    struct processes processes;
    char text[200];
    enum cor_status status = COR_OK;
    COR_TRY(init(request->result, &processes, error));
    const bool is_search = processes.arms.count > 0 && processes.arms.items[0].is_search;
    summary->counted = is_search ? "searches" : "schedules";
    for (size_t a = 0; a < processes.arms.count; a++) {
        const struct views__process_arm *arm = &processes.arms.items[a];
        const struct views__summary_arm it = {.name = arm->name,
                                              .verdict = views__process_outcome_word(arm->outcome),
                                              .is_good = views__process_outcome_is_good(arm->outcome),
                                              .is_found = arm->outcome == VIEWS__PROCESS_FOUND,
                                              .hits = arm->failed,
                                              .tries = is_search ? arm->suites : arm->sequences};
        summary->suites += arm->suites;
        summary->cases += arm->cases;
        views__summary_arm(summary, &it);
        views__process_say(arm, text, sizeof text);
        if (arm->outcome == VIEWS__PROCESS_SOUND || arm->outcome == VIEWS__PROCESS_NO_VERDICT)
            views__summary_say(summary, arm->outcome == VIEWS__PROCESS_SOUND ? "sound" : "why",
                               COR_TONE_PLAIN, "%.60s: %s", arm->name, text);
    }
    COR_TRY_OUT(say_traps(&processes, summary, error));
    if (views__summary_worst(summary) != SIZE_MAX)
        lead_to_failure(&processes.process, views__summary_worst(summary), summary);
    views__count_processes(&processes.arms, findings);
out:
    fini(&processes);
    return status;
}

const struct views__layer_verdicts views__verdicts_of_process = {&cor_process_schema, sum, count, write_arms,
                                                                 NULL};
