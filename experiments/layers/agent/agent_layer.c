/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a campaign executes of the agent layer: a suite is a unit of an arm. */
#include <corridor/agent_layer.h>

#include "agent_experiment.h"

#include <corridor/array.h>
#include <corridor/guarantees.h>
#include <corridor/traffic.h>

#include <stdlib.h>
#include <string.h>

static uint32_t unit_count(const struct cor_agent_experiment *experiment) {
    return experiment->chosen.count;
}

enum cor_status cor_agent_arm_open(const struct cor_agent_experiment *experiment, uint32_t arm,
                                   struct cor_aut_session **session, struct cor_unit_runner **runner,
                                   struct cor_error *error) {
    COR_ASSERT(arm < experiment->head.arm_count);
    const struct cor_agent_arm *it = &experiment->arms[arm];
    struct cor_aut_definition definition = agent_layer__aut_of(experiment, it);
    definition.code = it->code;
    definition.fault = it->way == COR_AUT_INTERPRETER ? NULL : it->fault;
    *runner = NULL;
    COR_TRY(cor_aut_open(&definition, session, error));
    const struct cor_unit_runner_definition running = {.file = experiment->file,
                                                       .codes = &experiment->codes,
                                                       .settings = experiment->settings,
                                                       .session = *session,
                                                       .code = it->code,
                                                       .unbuilt = it->unbuilt};
    enum cor_status status = cor_unit_runner_create(&running, runner, error);
    if (status != COR_OK) {
        cor_aut_close(*session);
        *session = NULL;
    }
    return status;
}

/* One worker's own. */
struct executor {
    const struct cor_agent_experiment *experiment;
    struct cor_aut_session **sessions; /* owned, with what they point to; [arm]; made when first needed */
    struct cor_unit_runner **runners;  /* owned, with what they point to; [arm] */
};

static void close_executor(void *with) {
    struct executor *executor = with;
    if (!executor)
        return;
    for (uint32_t a = 0; a < executor->experiment->head.arm_count; a++) {
        if (executor->runners)
            cor_unit_runner_destroy(executor->runners[a]);
        if (executor->sessions)
            cor_aut_close(executor->sessions[a]);
    }
    free(executor->sessions);
    free(executor->runners);
    free(executor);
}

static enum cor_status open_executor(const void *experiment, void **with, struct cor_error *error) {
    struct executor *executor = *with = cor_calloc(1, sizeof *executor);
    COR_TRY(cor_made(executor, error));
    executor->experiment = experiment;
    executor->sessions = cor_calloc(executor->experiment->head.arm_count, sizeof(struct cor_aut_session *));
    executor->runners = cor_calloc(executor->experiment->head.arm_count, sizeof(struct cor_unit_runner *));
    return executor->sessions && executor->runners ? COR_OK : cor_fail_memory(error);
}

static bool watch_unit(const void *context, uint64_t cases) {
    cor_watch_show(context, cases);
    return cor_watch_stopped(context);
}

static enum cor_status execute(void *with, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error) {
    struct executor *executor = with;
    struct cor_unit_outcome outcome;
    if (!executor->runners[arm])
        COR_TRY(cor_agent_arm_open(executor->experiment, arm, &executor->sessions[arm],
                                   &executor->runners[arm], error));
    const struct cor_unit_request request = {
        .unit = executor->experiment->chosen.items[suite % unit_count(executor->experiment)],
        .repetition = suite / unit_count(executor->experiment),
        .record = record,
        .watch = watch_unit,
        .watch_context = watch};
    cor_record_begin(record, (uint16_t)arm, suite);
    COR_TRY(cor_unit_run(executor->runners[arm], &request, &outcome, error));
    *tally = (struct cor_suite_counts){.cases = (uint32_t)outcome.cases,
                                       .failures = outcome.worse,
                                       .asked_again = outcome.asked_again,
                                       .differed = outcome.differed,
                                       .by_machine = outcome.by_machine};
    return COR_OK;
}

static enum cor_status add(struct cor_catalogs *catalogs, enum cor_agent_catalog catalog, const char *name,
                           const char *description, struct cor_error *error) {
    return cor_catalogs_add(catalogs, catalog, name, description, error);
}

static enum cor_status list_all(const void *with, struct cor_catalogs *catalogs, struct cor_error *error) {
    const struct cor_agent_experiment *experiment = with;
    const struct cor_design *design = experiment->file->design;
    const struct cor_unit_order *order = &experiment->file->order;
    for (uint32_t u = 0; u < order->units.count; u++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_UNIT, experiment->unit_names[u],
                    cor_term_word(COR_FAMILY_UNIT_KIND, (int)order->units.units[u].kind), error));
    for (uint32_t p = 0; p < design->plan_count; p++)
        if (order->unit_of_plan[p] == COR_NONE)
            COR_TRY(add(catalogs, COR_AGENT_CATALOG_UNREACHED, design->plans[p].name, "plan", error));
    for (uint32_t e = 0; e < design->event_count; e++)
        if (!order->event_reached[e])
            COR_TRY(add(catalogs, COR_AGENT_CATALOG_UNREACHED, design->events[e].name, "event", error));
    /* In the order of struct cor_name_codes. */
    COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, "-", "nothing", error));
    for (uint32_t i = 0; i < design->plan_count; i++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, design->plans[i].name, "plan", error));
    for (uint32_t i = 0; i < design->event_count; i++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, design->events[i].name, "event", error));
    for (uint32_t i = 0; i < design->message_count; i++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, design->messages[i].name, "message", error));
    for (uint32_t i = 0; i < design->action_count; i++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, design->actions[i].name, "action", error));
    for (uint32_t i = 0; i < design->belief_count; i++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, design->beliefs[i].name, "belief set", error));
    for (uint32_t i = 0; i < design->field_count; i++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, design->fields[i].full_name, "field", error));
    for (uint32_t e = 0; e < design->event_count; e++)
        for (uint32_t p = 0; p < design->events[e].parameter_count; p++)
            COR_TRY(add(catalogs, COR_AGENT_CATALOG_NAME, design->events[e].parameters[p].name, "parameter",
                        error));
    for (uint32_t w = 0; w < experiment->codes.word_count; w++)
        COR_TRY(add(catalogs, COR_AGENT_CATALOG_WORD, cor_words_text(&design->words, w), "word", error));
    return COR_OK;
}

static const struct cor_guest_files *files_of(const void *arms, size_t arm) {
    return &((const struct cor_agent_arm *)arms)[arm].files;
}

static void put_provenance(const void *with, struct cor_json_writer *writer) {
    const struct cor_agent_experiment *experiment = with;
    cor_json_put_bool(writer, "foreign_agents", experiment->head.bound);
    cor_json_open_array(writer, "agents");
    cor_guest_files_put(writer, "agent", files_of, experiment->arms, experiment->head.arm_count);
    cor_json_close(writer);
}

static void destroy(void *with) {
    cor_agent_experiment_destroy(with);
}

static enum cor_status warn(const struct cor_agent_experiment *experiment, char **warnings,
                            struct cor_error *error) {
    const struct cor_unit_order *order = &experiment->file->order;
    uint32_t plans = 0;
    for (uint32_t p = 0; p < experiment->file->design->plan_count; p++)
        plans += order->unit_of_plan[p] == COR_NONE;
    if (plans == 0)
        return COR_OK;
    return cor_made(*warnings = cor_format("%u plan%s that no entry of the agent reaches: not tested\n",
                                           plans, plans == 1 ? "" : "s"),
                    error);
}

static enum cor_status look_at_isolation(const char *path, const struct cor_agent_experiment *experiment,
                                         bool is_required, char **warnings, struct cor_error *error) {
    struct cor_needs needs = {0};
    enum cor_status status = COR_OK;
    if (!experiment->head.bound || experiment->is_free) /* bound: it has modules or programs */
        return COR_OK;
    for (uint32_t a = 0; a < experiment->head.arm_count && status == COR_OK; a++) {
        const struct cor_agent_arm *arm = &experiment->arms[a];
        if (arm->way == COR_AUT_MODULE)
            status = cor_needs_of_module(&needs, arm->agent, error);
        else if (arm->way == COR_AUT_PROGRAM && !cor_traffic_replays(experiment->traffic))
            status = cor_needs_of_program(&needs, arm->agent, false, error);
    }
    if (status == COR_OK)
        status = cor_guarantees_look(path, &needs, is_required, warnings, error);
    cor_needs_fini(&needs);
    return status;
}

static enum cor_status read_all(const char *path, struct cor_json_document *document,
                                const struct cor_layer_options *options,
                                struct cor_agent_experiment **experiment, char **warnings,
                                struct cor_error *error) {
    const struct cor_json root = cor_json_root(document);
    if (options->suite_folder || options->log_solutions)
        return cor_fail(error, COR_STATUS_INPUT, path, "run the experiment itself",
                        "is an experiment with agents, which has no folder of suites and no solutions");
    if (options->algorithm)
        return cor_fail(error, COR_STATUS_INPUT, path, "leave the option out",
                        "is an experiment with agents: there are no algorithms in it");
    if (options->fresh_processes)
        return cor_fail(error, COR_STATUS_INPUT, path, "leave the option out",
                        "is an experiment with agents, which always work in processes of their own");
    COR_TRY(agent_layer__agent_experiment_read(path, &root, options, experiment, error));
    COR_TRY(warn(*experiment, warnings, error));
    return look_at_isolation(path, *experiment, options->isolation_required, warnings, error);
}

static enum cor_status read(const char *path, struct cor_json_document *document,
                            const struct cor_layer_options *options, struct cor_experiment_head **experiment,
                            char **notes, char **warnings, struct cor_error *error) {
    struct cor_agent_experiment *made = NULL;
    const enum cor_status status = read_all(path, document, options, &made, warnings, error);
    cor_json_destroy(document);
    (void)notes;
    if (status != COR_OK) {
        cor_agent_experiment_destroy(made);
        made = NULL;
    }
    *experiment = made ? &made->head : NULL;
    return status;
}

const struct cor_layer cor_agent_layer = {
    .key = "design",
    .schema = &cor_agent_schema,
    .failures = "findings",
    .read = read,
    .destroy = destroy,
    .open = open_executor,
    .execute = execute,
    .close = close_executor,
    .list = list_all,
    .provenance = put_provenance,
};
