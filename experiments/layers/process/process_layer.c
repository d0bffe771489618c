/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a campaign executes of the process layer: a suite is some schedules of an arm. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/guarantees.h>
#include <corridor/traffic.h>

#include <stdlib.h>
#include <string.h>

struct executor {
    const struct cor_process_experiment *experiment;
    struct process_layer__rig *rig;     /* owned; of the arm executed last; NULL: none was */
    struct process_layer__apart *apart; /* owned; NULL: the program works in this process */
    struct process_layer__suite suite;
    struct process_layer__report report;
};

static enum cor_status open_executor(const void *experiment, void **with, struct cor_error *error) {
    struct executor *executor = cor_calloc(1, sizeof *executor);
    *with = executor;
    COR_TRY(cor_made(executor, error));
    executor->experiment = experiment;
    return COR_OK;
}

static void close_rig(struct executor *executor) {
    process_layer__apart_destroy(executor->apart);
    process_layer__rig_destroy(executor->rig);
    executor->apart = NULL;
    executor->rig = NULL;
}

static void close_executor(void *with) {
    struct executor *executor = with;
    if (!executor)
        return;
    close_rig(executor);
    process_layer__report_fini(&executor->report);
    process_layer__seen_fini(&executor->suite.seen);
    free(executor->suite.kept);
    free(executor);
}

static enum cor_status open_rig(struct executor *executor, uint32_t arm, struct cor_error *error) {
    if (executor->rig && executor->rig->arm == arm)
        return process_layer__rig_restart(executor->rig, error);
    close_rig(executor);
    COR_TRY(process_layer__rig_create(executor->experiment, arm, &executor->experiment->arms[arm].traps,
                                      &executor->rig, error));
    return executor->experiment->arms[arm].is_apart
               ? process_layer__apart_create(executor->rig, 0, &executor->apart, error)
               : COR_OK;
}

static void begin_suite(struct executor *executor, uint32_t arm, uint32_t number, struct cor_record *record) {
    struct process_layer__suite *suite = &executor->suite;
    process_layer__seen_clear(&suite->seen);
    *suite = (struct process_layer__suite){.experiment = executor->experiment,
                                           .record = record,
                                           .arm = arm,
                                           .suite = number,
                                           .seen = suite->seen,
                                           .kept = suite->kept,
                                           .kept_capacity = suite->kept_capacity};
    cor_record_begin(record, (uint16_t)arm, number);
}

static enum cor_status execute_all(struct executor *executor, const struct cor_watch *watch,
                                   struct cor_suite_counts *tally, struct cor_error *error) {
    struct process_layer__suite *suite = &executor->suite;
    const uint32_t sequences = executor->experiment->sequences;
    for (uint32_t s = 0; s < sequences; s++) {
        if (cor_watch_stopped(watch))
            return COR_STATUS_INTERRUPTED;
        COR_TRY(executor->apart
                    ? process_layer__apart_run(executor->apart, suite, s, watch, &executor->report, error)
                    : process_layer__rig_run_settled(executor->rig, suite, s, &executor->report, error));
        if (executor->report.outcome.end == COR_PROCESS_END_LEAKED)
            executor->report.schedule.count = 0; /* nothing of it is believed */
        COR_TRY(process_layer__rows_sequence(suite, s, &executor->report, executor->rig->states, error));
        tally->cases += executor->report.outcome.cases;
        tally->failures += process_layer__has_failed(&executor->report.outcome);
        cor_watch_show(watch, tally->cases);
        cor_watch_share(watch, (double)(s + 1) / sequences);
        if (executor->experiment->until != 0 && process_layer__has_failed(&executor->report.outcome))
            break;
    }
    return process_layer__rows_end(suite, error);
}

static enum cor_status execute(void *with, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error) {
    struct executor *executor = with;
    COR_TRY(open_rig(executor, arm, error));
    begin_suite(executor, arm, suite, record);
    const enum cor_status status = execute_all(executor, watch, tally, error);
    if (executor->apart)
        process_layer__apart_end(executor->apart);
    return status;
}

/* Whether numbers of messages mean the same in all arms: else no catalog can say what. */
static bool has_same_messages(const struct cor_process_experiment *experiment) {
    const struct cor_process *first = cor_process_description(experiment->arms[0].program);
    for (uint32_t a = 1; a < experiment->head.arm_count; a++) {
        const struct cor_process *other = cor_process_description(experiment->arms[a].program);
        if (other->message_count != first->message_count)
            return false;
        for (uint32_t m = 0; m < first->message_count; m++)
            if (strcmp(other->messages[m].name, first->messages[m].name) != 0)
                return false;
    }
    return true;
}

static enum cor_status list_all(const void *with, struct cor_catalogs *catalogs, struct cor_error *error) {
    static const char *const ends[] = {
#define COR_PROCESS_END(NAME, word, meaning) meaning,
        COR_PROCESS_ENDS(COR_PROCESS_END)
#undef COR_PROCESS_END
    };
    const struct cor_process_experiment *experiment = with;
    const struct cor_process *first = cor_process_description(experiment->arms[0].program);
    for (uint32_t c = 0; c < experiment->constraints.count; c++)
        COR_TRY(cor_catalogs_add(catalogs, COR_PROCESS_CATALOG_CONSTRAINT,
                                 cor_words_text(&experiment->constraints, c), "constraint", error));
    for (int e = 0; e < COR_PROCESS_END_COUNT; e++)
        COR_TRY(cor_catalogs_add(catalogs, COR_PROCESS_CATALOG_END,
                                 cor_process_end_word((enum cor_process_end)e), ends[e], error));
    for (int k = 0; k < COR_PROCESS_EVENT_KIND_COUNT; k++)
        COR_TRY(cor_catalogs_add(catalogs, COR_PROCESS_CATALOG_EVENT,
                                 cor_process_event_kind_word((enum cor_process_event_kind)k),
                                 cor_process_event_kind_meaning((enum cor_process_event_kind)k), error));
    for (int g = 0; g < COR_PROCESS_GENERATOR_COUNT; g++)
        COR_TRY(cor_catalogs_add(catalogs, COR_PROCESS_CATALOG_GENERATOR, process_layer__generators[g]->name,
                                 process_layer__generators[g]->meaning, error));
    for (uint32_t w = 0; w < experiment->weathers.count; w++)
        COR_TRY(cor_catalogs_add(catalogs, COR_PROCESS_CATALOG_WEATHER,
                                 cor_words_text(&experiment->weathers, w), "state of the environment",
                                 error));
    for (uint32_t t = 0; t < experiment->traps.count; t++)
        COR_TRY(cor_catalogs_add(catalogs, COR_PROCESS_CATALOG_TRAP, cor_words_text(&experiment->traps, t),
                                 "condition that schedules are to meet", error));
    for (uint32_t m = 0; m < first->message_count && has_same_messages(experiment); m++)
        COR_TRY(cor_catalogs_add(catalogs, COR_PROCESS_CATALOG_MESSAGE, first->messages[m].name,
                                 first->messages[m].meaning ? first->messages[m].meaning : "message", error));
    return COR_OK;
}

static void put_provenance(const void *with, struct cor_json_writer *writer) {
    const struct cor_process_experiment *experiment = with;
    bool is_foreign = false;
    cor_json_open_array(writer, "programs");
    for (size_t p = 0; p < experiment->program_count; p++) {
        const struct cor_process_opened *opened = &experiment->programs[p];
        const struct cor_process *program = cor_process_description(opened->program);
        const char *digest = cor_process_digest(opened->program);
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "program", opened->command);
        cor_json_put_string(writer, "name", program->name);
        cor_json_put_string(writer, "version", program->version);
        if (digest)
            cor_json_put_string(writer, "sha256", digest);
        cor_json_close(writer);
        is_foreign = is_foreign || opened->is_foreign;
    }
    cor_json_close(writer);
    cor_json_put_bool(writer, "foreign_programs", is_foreign);
}

enum cor_status process_layer__needs(const struct cor_process_arm *arm, struct cor_needs *needs,
                                     struct cor_error *error) {
    if (cor_process_way_of(arm->command) == COR_PROCESS_EMBEDDED)
        return COR_OK; /* its cell has sight */
    return cor_process_way_of(arm->command) == COR_PROCESS_MODULE
               ? cor_needs_of_module(needs, arm->command, error)
               : cor_needs_add_said(needs, error);
}

/* Programs in other languages have the same walls, but for traffic that is played back in their place. */
static enum cor_status look_at_isolation(const char *path, const struct cor_process_experiment *experiment,
                                         const struct cor_layer_options *options, char **warnings,
                                         struct cor_error *error) {
    struct cor_needs needs = {0};
    bool has_cells = false;
    enum cor_status status = COR_OK;
    if (options->isolation == (int)COR_ISOLATION_NEVER)
        return COR_OK;
    for (uint32_t a = 0; a < experiment->head.arm_count && status == COR_OK; a++) {
        const struct cor_process_arm *arm = &experiment->arms[a];
        const bool is_command = cor_process_way_of(arm->command) == COR_PROCESS_COMMAND;
        if (is_command && cor_traffic_replays(experiment->traffic))
            continue;
        has_cells = has_cells || is_command || arm->is_apart;
        if (is_command)
            status = cor_needs_of_program(&needs, arm->command, false, error);
        else if (arm->is_apart)
            status = process_layer__needs(arm, &needs, error);
    }
    if (status == COR_OK && has_cells)
        status = cor_guarantees_look(path, &needs, options->isolation_required, warnings, error);
    cor_needs_fini(&needs);
    return status;
}

static void destroy(void *with) {
    cor_process_experiment_destroy(with);
}

static enum cor_status read(const char *path, struct cor_json_document *document,
                            const struct cor_layer_options *options, struct cor_experiment_head **experiment,
                            char **notes, char **warnings, struct cor_error *error) {
    struct cor_process_experiment *made = NULL;
    enum cor_status status = COR_OK;
    const struct cor_json root = cor_json_root(document);
    char *text = cor_json_text(&root);
    if (options->suite_folder || options->log_solutions || options->algorithm || options->fresh_processes)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, path, "leave the option out",
                             "is an experiment with a distributed program, which has no suites in files, "
                             "solutions, algorithms or fresh processes"));
    COR_TRY_OUT(cor_made(text, error));
    COR_TRY_OUT(cor_process_experiment_parse(text, path, options, &made, error));
    COR_TRY_OUT(look_at_isolation(path, made, options, warnings, error));
    (void)notes;
out:
    free(text);
    cor_json_destroy(document);
    if (status != COR_OK) {
        cor_process_experiment_destroy(made);
        made = NULL;
    }
    *experiment = made ? &made->head : NULL;
    return status;
}

const struct cor_layer cor_process_layer = {
    .key = "process",
    .schema = &cor_process_schema,
    .failures = "schedules that failed",
    .read = read,
    .destroy = destroy,
    .open = open_executor,
    .execute = execute,
    .close = close_executor,
    .list = list_all,
    .provenance = put_provenance,
};
