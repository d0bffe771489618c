/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Environments: what their states do to links, disks, processes and clocks. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/fields.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TICKS_MAX 1000000000

#define BIT(KIND) (UINT64_C(1) << COR_PROCESS_EVENT_##KIND)

/* Quick links and disks, some work, and no faults. Spans of faults count where these happen. */
static const struct cor_weather calm = {.name = "calm",
                                        .delay = {1, 10},
                                        .disk = {1, 5},
                                        .input = 2,
                                        .down = {50, 500},
                                        .pause_for = {50, 500},
                                        .cut_for = {50, 500},
                                        .jump_by = {1, 500},
                                        .drift_by = {900, 1100}};

/* X(member, KIND, usual): numbers of a weather that make faults of that kind, and how large they are where an
 * experiment names the fault and no environment. */
#define FAULTS(X)                 \
    X(lose, LOSE, 0.02)           \
    X(duplicate, DUPLICATE, 0.02) \
    X(crash, CRASH, 0.1)          \
    X(pause, PAUSE, 0.1)          \
    X(cut, CUT, 0.1)              \
    X(jump, JUMP, 0.1)            \
    X(drift, DRIFT, 0.1)          \
    X(torn, CRASH_TORN, 0.3)      \
    X(lost_cell, CRASH_LOST, 0.3) \
    X(disk_error, DISK_ERROR, 0.02)

static enum cor_status read_range(const struct cor_json *json, uint32_t least, uint32_t most,
                                  uint32_t range[2], struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 2, 2, error));
    for (size_t i = 0; i < 2; i++) {
        const struct cor_json item = cor_json_at(json, i);
        int64_t number;
        COR_TRY(cor_json_integer(&item, least, most, &number, error));
        range[i] = (uint32_t)number;
    }
    if (range[0] > range[1])
        return cor_json_fail(json, error, "the least first: [1, 10]", "is no range: %u is more than %u",
                             range[0], range[1]);
    return COR_OK;
}

#define RANGE(member, least, most)                                                                           \
    static enum cor_status read_##member(const struct cor_json *json, void *into, struct cor_error *error) { \
        return read_range(json, least, most, ((struct cor_weather *)into)->member, error);                   \
    }
RANGE(delay, 0, TICKS_MAX)
RANGE(disk, 0, TICKS_MAX)
RANGE(down, 1, TICKS_MAX)
RANGE(pause_for, 1, TICKS_MAX)
RANGE(cut_for, 1, TICKS_MAX)
RANGE(jump_by, 1, TICKS_MAX)
RANGE(drift_by, 1, 100000)

#define RATE(member) \
    { #member, COR_OPTIONAL, COR_REAL_FIELD(struct cor_weather, member, 0, 1000) }
#define SHARE(member) \
    { #member, COR_OPTIONAL, COR_REAL_FIELD(struct cor_weather, member, 0, 1) }
#define SPAN(member) \
    { #member, COR_OPTIONAL, COR_READ_FIELD(read_##member) }
static const struct cor_field weather_fields[] = {
    SPAN(delay),
    SPAN(disk),
    SHARE(lose),
    SHARE(duplicate),
    RATE(crash),
    RATE(pause),
    RATE(cut),
    RATE(jump),
    RATE(drift),
    SHARE(torn),
    SHARE(lost_cell),
    SHARE(disk_error),
    {"one_sided", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_weather, one_sided)},
    SPAN(down),
    SPAN(pause_for),
    SPAN(cut_for),
    SPAN(jump_by),
    SPAN(drift_by),
    RATE(input),
    {0}};

/* Which faults a weather makes. */
static uint64_t faults_of(const struct cor_weather *weather) {
    uint64_t faults = 0;
#define FAULT(member, KIND, usual) faults |= weather->member > 0 ? BIT(KIND) : 0;
    FAULTS(FAULT)
#undef FAULT
    return faults;
}

uint64_t process_layer__faults_usual(bool is_fifo) {
    return BIT(LOSE) | BIT(CRASH) | BIT(PAUSE) | BIT(CUT) | (is_fifo ? 0 : BIT(DUPLICATE));
}

static enum cor_status read_weather(const struct cor_json *json, uint64_t allowed,
                                    struct cor_weather *weather, struct cor_error *error) {
    *weather = calm;
    COR_TRY(cor_json_fields(json, weather_fields, weather, error));
    weather->name = json->key;
    const uint64_t beyond = faults_of(weather) & ~allowed;
    for (int k = 0; k < COR_PROCESS_EVENT_KIND_COUNT; k++)
        if (beyond >> k & 1) {
            char remedy[200];
            snprintf(remedy, sizeof remedy, "name it: \"faults\": [.., \"%s\"]",
                     cor_process_event_kind_word((enum cor_process_event_kind)k));
            return cor_json_fail(json, error, remedy,
                                 "state \"%.80s\" makes the fault \"%s\", which may not happen", json->key,
                                 cor_process_event_kind_word((enum cor_process_event_kind)k));
        }
    if ((weather->torn > 0 || weather->lost_cell > 0) && !(weather->crash > 0))
        return cor_json_fail(json, error, "say how often processes crash: \"crash\": 0.5",
                             "state \"%.80s\" has torn crashes or lost cells, and no crashes", json->key);
    if (weather->torn + weather->lost_cell > 1)
        return cor_json_fail(json, error, "1 at most together",
                             "\"torn\" and \"lost_cell\" are %.6g together",
                             weather->torn + weather->lost_cell);
    return COR_OK;
}

enum cor_status process_layer__profile_json(const struct cor_json *json, struct cor_json_document **document,
                                            struct cor_json *profile, struct cor_error *error) {
    const char *path;
    *document = NULL;
    *profile = *json;
    if (cor_json_is_object(json))
        return COR_OK;
    if (!cor_json_is_string(json))
        return cor_json_fail(json, error, "the name of a file, or the profile itself", "is no profile");
    COR_TRY(cor_json_string(json, &path, error));
    char *beside = cor_json_beside(json, path);
    COR_TRY(cor_made(beside, error));
    enum cor_status status = cor_json_read(beside, document, error);
    free(beside);
    COR_TRY(status);
    *profile = cor_json_root(*document);
    return cor_json_expect_kind(profile, COR_KIND_PROFILE, error);
}

static enum cor_status read_profile(const struct cor_json *json, struct cor_process_environment *environment,
                                    struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_json profile;
    enum cor_status status = process_layer__profile_json(json, &document, &profile, error);
    if (status == COR_OK)
        status = cor_profile_from_json(&profile, "environment", &environment->profile, error);
    cor_json_destroy(document);
    return status;
}

static enum cor_status make_usual(bool are_named, uint64_t allowed,
                                  struct cor_process_environment *environment, struct cor_error *error) {
    environment->state_count = 1;
    COR_TRY(cor_made(environment->weather = cor_calloc(1, sizeof *environment->weather), error));
    environment->weather[0] = calm;
#define FAULT(its_member, KIND, usual)           \
    if (are_named && (allowed & BIT(KIND)) != 0) \
        environment->weather[0].its_member = usual;
    FAULTS(FAULT)
#undef FAULT
    return COR_OK;
}

static const struct cor_field fields[] = {
    {"profile", COR_OPTIONAL, COR_KNOWN_FIELD}, {"states", COR_REQUIRED, COR_KNOWN_FIELD}, {0}};

enum cor_status process_layer__environment_read(const struct cor_json *json, bool are_named,
                                                uint64_t *allowed,
                                                struct cor_process_environment *environment,
                                                struct cor_error *error) {
    struct cor_json profile, states;
    *environment = (struct cor_process_environment){0};
    if (!json)
        return make_usual(are_named, *allowed, environment, error);
    COR_TRY(cor_json_fields(json, fields, environment, error));
    COR_TRY(cor_json_need(json, "states", &states, error));
    COR_TRY(cor_json_expect_object(&states, NULL, error));
    if (cor_json_find(json, "profile", &profile))
        COR_TRY(read_profile(&profile, environment, error));
    else if (cor_json_size(&states) != 1)
        return cor_json_fail(&states, error, "name a \"profile\", or write one state",
                             "%zu states, and nothing says how they follow each other",
                             cor_json_size(&states));
    environment->state_count = environment->profile ? environment->profile->state_count : 1;
    environment->weather = cor_calloc(environment->state_count, sizeof *environment->weather);
    COR_TRY(cor_made(environment->weather, error));
    for (size_t s = 0; s < cor_json_size(&states); s++) {
        const struct cor_json item = cor_json_at(&states, s);
        const int index = environment->profile ? cor_profile_state(environment->profile, item.key) : 0;
        if (index < 0) {
            char remedy[1024];
            cor_known_names(item.key, (const char *const *)environment->profile->states, remedy,
                            sizeof remedy);
            return cor_json_fail(&item, error, remedy, "\"%.80s\" is not a state of the profile", item.key);
        }
        COR_TRY(read_weather(&item, *allowed, &environment->weather[index], error));
    }
    for (uint32_t s = 0; environment->profile && s < environment->state_count; s++)
        if (!environment->weather[s].name)
            return cor_json_fail(&states, error, "say what each state does; {} is a calm one",
                                 "state \"%s\" of the profile is missing", environment->profile->states[s]);
    return COR_OK;
}

void process_layer__environment_fini(struct cor_process_environment *environment) {
    cor_profile_destroy(environment->profile);
    free(environment->weather);
    *environment = (struct cor_process_environment){0};
}
