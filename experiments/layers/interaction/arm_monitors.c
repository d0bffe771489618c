/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How an arm says its monitors, and whether they can be used. */
#include "internal.h"
#include "monitors.h"
#include "text.h"

#include <corridor/array.h>
#include <corridor/digest.h>
#include <corridor/monitors.h>

#include <stdlib.h>
#include <string.h>

#define CLOCK_MOST 1000000
#define CPU_SECONDS 10 /* that all looks of a case may take in a cell */

static const char *const subjects[] = {"organization", "agent", NULL};
static const char *const rests[] = {"global", "unwatched", NULL};

static const struct cor_field fields[] = {
    {"algorithm", COR_REQUIRED, COR_STRING_FIELD(struct cor_arm_monitors, algorithm)},
    {"for", COR_OPTIONAL,
     COR_ONE_OF_FIELD(struct cor_arm_monitors, subject, subjects, COR_MONITOR_ORGANIZATION, "subject")},
    {"clock", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_arm_monitors, clock, 1, CLOCK_MOST)},
    {"rest", COR_OPTIONAL, COR_ONE_OF_FIELD(struct cor_arm_monitors, rest, rests, COR_REST_GLOBAL, "rest")},
    {"fault", COR_OPTIONAL, COR_STRING_FIELD(struct cor_arm_monitors, fault)},
    {0}};

bool interaction__says_monitors(const struct cor_json *json) {
    struct cor_json child;
    return cor_json_is_object(json) && cor_json_find(json, "algorithm", &child);
}

enum cor_status interaction__monitors_read(const struct cor_json *json, struct cor_arm_monitors *monitors,
                                           struct cor_error *error) {
    *monitors = (struct cor_arm_monitors){.fault = "none", .subject = COR_MONITOR_ORGANIZATION, .clock = 1};
    return cor_json_fields(json, fields, monitors, error);
}

void interaction__monitors_put(struct cor_json_writer *writer, const struct cor_arm_monitors *monitors) {
    cor_json_open_object(writer, "monitor");
    cor_json_put_string(writer, "algorithm", monitors->algorithm);
    cor_json_put_string(writer, "for", subjects[monitors->subject - COR_MONITOR_ORGANIZATION]);
    cor_json_put_integer(writer, "clock", monitors->clock);
    if (monitors->rest != COR_REST_UNSAID)
        cor_json_put_string(writer, "rest", rests[monitors->rest - COR_REST_GLOBAL]);
    cor_json_put_string(writer, "fault", monitors->fault);
    cor_json_close(writer);
}

/* Where an arm says them: itself, or its preset. */
static struct cor_json said_at(const struct cor_arm *arm) {
    struct cor_json child;
    if (!cor_json_find(&arm->json, "monitor", &child) && !cor_json_find(&arm->preset_json, "monitor", &child))
        return arm->json;
    return child;
}

struct cor_monitors_definition interaction__monitors_definition(const struct cor_arm_monitors *monitors) {
    return (struct cor_monitors_definition){.monitor = monitors->algorithm,
                                            .fault = monitors->fault,
                                            .subject = monitors->subject,
                                            .in_cell = monitors->in_cell,
                                            .is_full = monitors->is_full,
                                            .cpu_seconds = CPU_SECONDS,
                                            .introduction = monitors->introduction};
}

/* Who makes monitors of the arm later need not ask. */
static enum cor_status keep_introduction(struct cor_arm_monitors *monitors, const struct cor_monitors *made,
                                         struct cor_error *error) {
    monitors->introduction = cor_calloc(1, sizeof *monitors->introduction);
    COR_TRY(cor_made(monitors->introduction, error));
    *monitors->introduction = *cor_monitors_introduction(made);
    return COR_OK;
}

static enum cor_status check_module(const struct cor_experiment *experiment, const struct cor_json *json,
                                    struct cor_arm_monitors *monitors, struct cor_error *error) {
    const struct cor_isolation_definition *isolation = cor_registry_isolation(experiment->registry);
    struct cor_error said = COR_NO_ERROR;
    struct cor_monitors *made = NULL;
    char digest[COR_DIGEST_TEXT];
    const bool is_module = strchr(monitors->algorithm, '/') != NULL;
    enum cor_status status = COR_OK;
    if (is_module)
        status = cor_trust_check(&isolation->trust, monitors->algorithm, &said);
    monitors->in_cell = is_module && isolation->which != COR_ISOLATION_NEVER;
    monitors->is_full = isolation->is_full;
    const struct cor_monitors_definition definition = interaction__monitors_definition(monitors);
    if (status == COR_OK)
        status = cor_monitors_create(&definition, NULL, &made, &said);
    if (status == COR_OK && is_module)
        status = cor_file_digest(monitors->algorithm, digest, &said);
    if (status == COR_OK && is_module)
        status = cor_made(monitors->digest = cor_strdup(digest), &said);
    if (status == COR_OK && is_module)
        status = keep_introduction(monitors, made, &said);
    cor_monitors_destroy(made);
    return status == COR_OK ? COR_OK : interaction__repeat_of(json, monitors->algorithm, &said, error);
}

/* What nobody would watch is refused unless the arm says so. */
static enum cor_status check_rest(const struct cor_experiment *experiment, const struct cor_json *json,
                                  const struct cor_arm *arm, struct cor_error *error) {
    struct cor_trigger_program program = {0};
    struct interaction__parts parts = {0};
    const struct interaction__text *text = experiment->text_corridor;
    const bool by_agents = arm->monitors.subject == COR_MONITOR_AGENT;
    enum cor_status status = interaction__text_split(text, NULL, by_agents, &program, &parts, error);
    for (uint32_t t = 0; status == COR_OK && t < parts.trigger_count; t++)
        if (parts.reasons[t] && arm->monitors.rest == COR_REST_UNSAID)
            status = cor_json_fail(json, error,
                                   "write \"rest\": \"global\", and an observer of the whole system watches "
                                   "it, or \"rest\": \"unwatched\"",
                                   "no %s can watch \"%s\" by itself: %s",
                                   subjects[arm->monitors.subject - COR_MONITOR_ORGANIZATION],
                                   interaction__text_name(text, parts.triggers[t]), parts.reasons[t]);
    interaction__parts_fini(&parts);
    cor_trigger_program_fini(&program);
    return status;
}

enum cor_status interaction__monitors_check(struct cor_experiment *experiment, struct cor_error *error) {
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        struct cor_arm *arm = &experiment->arms[a];
        const struct cor_json json = said_at(arm);
        if (!arm->monitors.algorithm)
            continue;
        if (!experiment->text_corridor)
            return cor_json_fail(&json, error, "write \"corridor\" beside \"arms\", or leave it out",
                                 "a monitor under test is about a corridor as a text, and there is none");
        COR_TRY(check_module(experiment, &json, &arm->monitors, error));
        COR_TRY(check_rest(experiment, &json, arm, error));
    }
    return COR_OK;
}

static enum cor_status say_one(const struct cor_experiment *experiment, const struct cor_arm *arm,
                               char **warnings, struct cor_error *error) {
    struct cor_trigger_program program = {0};
    struct interaction__parts parts = {0};
    const struct interaction__text *text = experiment->text_corridor;
    enum cor_status status = interaction__text_split(text, NULL, arm->monitors.subject == COR_MONITOR_AGENT,
                                                     &program, &parts, error);
    for (uint32_t t = 0; status == COR_OK && t < parts.trigger_count; t++) {
        if (!parts.reasons[t])
            continue;
        char *before = *warnings;
        *warnings =
            cor_format("%sarm \"%s\": %s watches \"%s\": %s\n", before ? before : "", arm->name,
                       arm->monitors.rest == COR_REST_GLOBAL ? "an observer of the whole system" : "nobody",
                       interaction__text_name(text, parts.triggers[t]), parts.reasons[t]);
        free(before);
        status = cor_made(*warnings, error);
    }
    interaction__parts_fini(&parts);
    cor_trigger_program_fini(&program);
    return status;
}

enum cor_status interaction__monitors_say(const struct cor_experiment *experiment, char **warnings,
                                          struct cor_error *error) {
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        if (experiment->arms[a].monitors.algorithm)
            COR_TRY(say_one(experiment, &experiment->arms[a], warnings, error));
    return COR_OK;
}
