/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Environments: what their states do to links, disks, processes and clocks. */
#define _GNU_SOURCE /* realpath */

#include "internal.h"

#include <corridor/array.h>
#include <corridor/explored.h>
#include <corridor/fields.h>
#include <corridor/json_names.h>
#include <corridor/origins.h>
#include <corridor/own_file.h>
#include <corridor/process_stabilize.h>
#include <corridor/traffic.h>

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
                                        .part_for = {50, 500},
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
    X(part, PART, 0.2)            \
    X(join, JOIN, 0.2)            \
    X(leave, LEAVE, 0.05)         \
    X(jump, JUMP, 0.1)            \
    X(drift, DRIFT, 0.1)          \
    X(torn, CRASH_TORN, 0.3)      \
    X(lost_cell, CRASH_LOST, 0.3) \
    X(disk_error, DISK_ERROR, 0.02)

static enum cor_status read_range(const struct cor_json *json, uint32_t least, uint32_t most,
                                  uint32_t range[2], struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 2, 2, error));
    COR_JSON_CHILDREN(item, json)
        COR_TRY(cor_json_count(&item, least, most, &range[item.index], error));
    if (range[0] > range[1])
        return cor_json_fail(json, error, "the least first: [1, 10]", "is no range: %u is more than %u",
                             range[0], range[1]);
    return COR_OK;
}

#define RANGE(member, least, most)                                                                           \
    enum { member##_least = (least), member##_most = (most) };                                               \
    static enum cor_status read_##member(const struct cor_json *json, void *into, struct cor_error *error) { \
        return read_range(json, least, most, ((struct cor_weather *)into)->member, error);                   \
    }
RANGE(start, 0, TICKS_MAX)
RANGE(delay, 0, TICKS_MAX)
RANGE(disk, 0, TICKS_MAX)
RANGE(down, 1, TICKS_MAX)
RANGE(pause_for, 1, TICKS_MAX)
RANGE(cut_for, 1, TICKS_MAX)
RANGE(part_for, 1, TICKS_MAX)
RANGE(jump_by, 1, TICKS_MAX)
RANGE(drift_by, 1, 100000)

#define RATE(member) \
    { #member, COR_OPTIONAL, COR_REAL_FIELD(struct cor_weather, member, 0, 1000) }
#define SHARE(member) \
    { #member, COR_OPTIONAL, COR_REAL_FIELD(struct cor_weather, member, 0, 1) }
#define SPAN(member) /* where it is and what it may be, for inputs */                                    \
    {                                                                                                    \
#member, COR_OPTIONAL, COR_READ_FIELD(read_##member), COR_FIELD_AT_(struct cor_weather, member), \
            .low = member##_least, .high = member##_most                                                 \
    }
static const struct cor_field weather_fields[] = {
    SPAN(start),
    SPAN(delay),
    SPAN(disk),
    SHARE(lose),
    SHARE(duplicate),
    RATE(crash),
    RATE(pause),
    RATE(cut),
    RATE(part),
    RATE(join),
    RATE(leave),
    RATE(jump),
    RATE(drift),
    SHARE(torn),
    SHARE(lost_cell),
    SHARE(disk_error),
    {"one_sided", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_weather, one_sided)},
    SPAN(down),
    SPAN(pause_for),
    SPAN(cut_for),
    SPAN(part_for),
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

/* The faults that may happen where an experiment does not say it. */
static uint64_t faults_usual(bool is_fifo) {
    return BIT(LOSE) | BIT(CRASH) | BIT(PAUSE) | BIT(CUT) | BIT(PART) | BIT(JOIN) | BIT(LEAVE) |
           (is_fifo ? 0 : BIT(DUPLICATE));
}

/* Complains of a state that makes faults which may not happen. narrows: what an arm itself says, and the
 * file's weather does not know of, of which it is then complained; NULL: the state belongs to whoever names
 * the faults. */
static enum cor_status check_faults(const struct cor_json *json, const char *state, uint64_t beyond,
                                    const struct cor_json *narrows, struct cor_error *error) {
    for (int k = 0; k < COR_PROCESS_EVENT_KIND_COUNT; k++)
        if (beyond >> k & 1) {
            const char *const word = cor_process_event_kind_word((enum cor_process_event_kind)k);
            char remedy[200];
            snprintf(remedy, sizeof remedy, "name it: \"faults\": [.., \"%s\"]%s", word,
                     narrows ? "; or give the arm an \"environment\" of its own without it" : "");
            return cor_json_fail(narrows ? narrows : json, error, remedy,
                                 "state \"%.80s\"%s makes the fault \"%s\", which may not happen%s", state,
                                 narrows ? " of the file's weather" : "", word,
                                 narrows ? " in this arm" : "");
        }
    return COR_OK;
}

static enum cor_status read_weather(const struct cor_json *json, uint64_t allowed,
                                    const struct cor_json *narrows, struct cor_weather *weather,
                                    struct cor_error *error) {
    struct cor_json item;
    *weather = calm;
    if (cor_json_find(json, "cut_loses", &item))
        return cor_json_fail(&item, error, "write it in \"process\", or in an arm",
                             "a schedule has one kind of cuts, and not one for each state");
    COR_TRY(cor_json_fields(json, weather_fields, weather, error));
    weather->name = json->key;
    COR_TRY(check_faults(json, json->key, faults_of(weather) & ~allowed, narrows, error));
    if ((weather->torn > 0 || weather->lost_cell > 0) && !(weather->crash > 0))
        return cor_json_fail(json, error, "say how often processes crash: \"crash\": 0.5",
                             "state \"%.80s\" has torn crashes or lost cells, and no crashes", json->key);
    if (weather->torn + weather->lost_cell > 1)
        return cor_json_fail(json, error, "1 at most together",
                             "\"torn\" and \"lost_cell\" are %.6g together",
                             weather->torn + weather->lost_cell);
    return COR_OK;
}

/* What the profile of an environment is written as: a file's name, or the object itself; the value is the
 * caller's if *document is not NULL. */
static enum cor_status process_layer__profile_json(const struct cor_json *json,
                                                   struct cor_json_document **document,
                                                   struct cor_json *profile, struct cor_error *error) {
    *document = NULL;
    *profile = *json;
    if (cor_json_is_object(json))
        return COR_OK;
    if (!cor_json_is_string(json))
        return cor_json_fail(json, error, "the name of a file, or the profile itself", "is no profile");
    COR_TRY(cor_json_read_named(json, document, error));
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

/* Reads "environment"; without one there is one state, calm, with the usual rates of the faults in `allowed`
 * if the experiment names these. *allowed: what may happen; `are_named`: it was written down; narrows: see
 * check_faults(). */
static enum cor_status environment_read(const struct cor_json *json, bool are_named, uint64_t *allowed,
                                        const struct cor_json *narrows,
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
    COR_JSON_CHILDREN(item, &states) {
        uint32_t index = 0;
        if (environment->profile)
            COR_TRY(cor_json_find_name(
                &item, COR_WORD_NAMES(environment->profile->states, environment->profile->state_count),
                item.key, &index, error, "\"%.80s\" is not a state of the profile", item.key));
        COR_TRY(read_weather(&item, *allowed, narrows, &environment->weather[index], error));
    }
    for (uint32_t s = 0; environment->profile && s < environment->state_count; s++)
        if (!environment->weather[s].name)
            return cor_json_fail(&states, error, "say what each state does; {} is a calm one",
                                 "state \"%s\" of the profile is missing", environment->profile->states[s]);
    return COR_OK;
}

/* idempotent */
static void environment_fini(struct cor_process_environment *environment) {
    cor_profile_destroy(environment->profile);
    free(environment->weather);
    *environment = (struct cor_process_environment){0};
}

/* ---- traps of distributed programs: conditions over what processes show, in the language of the corridor.
 * They are parsed behind its text, a line each, and so may use all that it declares */

/* What the parser says of a line, said of the condition that stands in it. */
static enum cor_status refuse(const struct cor_error *said, size_t lines, const char *const *names,
                              const char *const *conditions, uint32_t count, uint32_t *wrong,
                              struct cor_error *error) {
    char place[sizeof said->place];
    size_t line = 0, column = 0;
    snprintf(place, sizeof place, "%s", said->place);
    char *const second = strrchr(place, ':');
    if (second)
        *second = '\0';
    char *const first = strrchr(place, ':');
    if (first && second) {
        line = strtoul(first + 1, NULL, 10);
        column = strtoul(second + 1, NULL, 10);
    }
    *wrong = line > lines && line - lines <= count ? (uint32_t)(line - lines - 1) : 0;
    const size_t before = strlen("invariant : ") + strlen(names[*wrong]);
    return column > before ? cor_fail(error, said->status, NULL, said->remedy, "column %zu of \"%.200s\": %s",
                                      column - before, conditions[*wrong], said->cause)
                           : cor_fail(error, said->status, NULL, said->remedy, "%s", said->cause);
}

/* The corridor's text and the traps behind it. lines: of the former. */
static char *whole_text(const struct cor_process_arm *arm, const char *const *names,
                        const char *const *conditions, uint32_t count, size_t *lines) {
    const char *text = arm->corridor_text;
    const size_t length = strlen(text);
    char *whole = cor_format("%s%s", text, length > 0 && text[length - 1] == '\n' ? "" : "\n");
    *lines = 0;
    for (const char *at = whole; at && (at = strchr(at, '\n')); at++)
        ++*lines;
    for (uint32_t t = 0; t < count && whole; t++)
        whole = cor_join_take(whole, "", cor_format("invariant %s: %s\n", names[t], conditions[t]));
    return whole;
}

enum cor_status cor_process_traps_make(const struct cor_process_arm *arm, const char *const *names,
                                       const char *const *conditions, uint32_t count,
                                       struct cor_process_traps *traps, uint32_t *wrong,
                                       struct cor_error *error) {
    struct cor_error said = COR_NO_ERROR;
    size_t lines;
    *traps = (struct cor_process_traps){0};
    COR_ASSERT(count <= COR_PROCESS_TRAPS_MAX);
    for (*wrong = 0; *wrong < count; ++*wrong)
        if (conditions[*wrong][0] == '\0' || !cor_is_printable(conditions[*wrong]) ||
            !cor_is_printable(names[*wrong]))
            return cor_fail(error, COR_STATUS_INPUT, NULL, "\"any(a in agents: a.role == 'leader')\"",
                            "name and condition are one line each, with something in it, and without "
                            "control characters");
    char *text = whole_text(arm, names, conditions, count, &lines);
    COR_TRY(cor_made(text, error));
    enum cor_status status = cor_corridor_parse(text, arm->corridor->name, &traps->corridor, &said);
    free(text);
    if (status == COR_STATUS_INPUT)
        return refuse(&said, lines, names, conditions, count, wrong, error);
    if (status != COR_OK) {
        *error = said;
        return status;
    }
    traps->count = count;
    traps->first = traps->corridor->constraint_count - count;
    traps->watched = cor_calloc(traps->corridor->constraint_count, sizeof *traps->watched);
    COR_TRY(cor_made(traps->watched, error));
    for (*wrong = 0; *wrong < count; ++*wrong) {
        const uint32_t c = traps->first + *wrong;
        traps->watched[c] = true;
        if (strcmp(traps->corridor->constraints[c].name, names[*wrong]) != 0)
            return cor_fail(error, COR_STATUS_INPUT, NULL, "letters, digits and _", "\"%.80s\" is no name",
                            names[*wrong]);
        if (traps->corridor->constraints[c].channel != COR_NONE)
            return cor_fail(error, COR_STATUS_INPUT, NULL,
                            "write a condition over attributes, or an invariant",
                            "agree() is of all events together, and a trap is met after one");
    }
    return COR_OK;
}

void cor_process_traps_fini(struct cor_process_traps *traps) {
    cor_corridor_destroy(traps->corridor);
    free(traps->watched);
    *traps = (struct cor_process_traps){0};
}

uint32_t cor_process_trap(const struct cor_process_arm *arm, const char *name) {
    for (uint32_t t = 0; t < arm->traps.count; t++)
        if (strcmp(arm->traps.corridor->constraints[arm->traps.first + t].name, name) == 0)
            return t;
    return COR_NONE;
}

/* Reads "traps" of an arm, {"NAME": "CONDITION", ..}. */
static enum cor_status traps_read(const struct cor_json *json, struct cor_process_arm *arm,
                                  struct cor_error *error) {
    const char *names[COR_PROCESS_TRAPS_MAX], *conditions[COR_PROCESS_TRAPS_MAX];
    struct cor_error said = COR_NO_ERROR;
    uint32_t wrong = 0;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    const size_t count = cor_json_size(json);
    if (count > COR_PROCESS_TRAPS_MAX)
        return cor_json_fail(json, error, "leave some out", "%zu traps, and at most %d may be", count,
                             COR_PROCESS_TRAPS_MAX);
    for (size_t t = 0; t < count; t++) {
        const struct cor_json item = cor_json_at(json, t);
        names[t] = item.key;
        COR_TRY(cor_json_string(&item, &conditions[t], error));
    }
    if (count == 0)
        return COR_OK;
    const enum cor_status status =
        cor_process_traps_make(arm, names, conditions, (uint32_t)count, &arm->traps, &wrong, &said);
    if (status != COR_STATUS_INPUT) {
        *error = said;
        return status;
    }
    const struct cor_json item = cor_json_at(json, wrong);
    return cor_json_fail(&item, error, said.remedy, "%s", said.cause);
}

/* ---- an experiment of the process layer, from JSON. What the file says once is every arm's; an arm says the
 * same keys again */

#define ARMS_MAX 60000
#define NAME_BYTES_MAX 300
#define ANSWER_SECONDS 10.0

/* What an arm is made of, as far as it is read: members of the file, then its own. What can only be read
 * together with the program is kept as it stands. */
struct draft {
    struct cor_process_arm arm;
    bool is_fifo;
    struct cor_json program, count, most, fault, corridor, watch, parameters, traps, environment, faults,
        inputs, generators; /* value NULL: not said */
};

struct reading {
    struct draft draft; /* first: of the file */
    struct cor_process_experiment *experiment;
    const struct cor_layer_options *options;
    struct cor_json process, arms; /* of the file */
    bool of_rules;
};

static const char *const networks[] = {"any", "fifo", NULL};

#define KEPT(key) /* as it stands */ \
    { #key, COR_OPTIONAL, COR_KNOWN_FIELD, COR_PLACE_AT(struct draft, key) }
static const struct cor_field cluster_fields[] = {
    KEPT(program),
    {"count", COR_OPTIONAL, COR_INTEGER_FIELD(struct draft, arm.count, 1, COR_PROCESSES_MAX),
     COR_PLACE_AT(struct draft, count)},
    {"most", COR_OPTIONAL, COR_INTEGER_FIELD(struct draft, arm.most, 1, COR_PROCESSES_MAX),
     COR_PLACE_AT(struct draft, most)},
    {"network", COR_OPTIONAL, COR_ONE_OF_FIELD(struct draft, is_fifo, networks, 0, "network")},
    {"cut_loses", COR_OPTIONAL, COR_BOOL_FIELD(struct draft, arm.cut_loses)},
    {"memory", COR_OPTIONAL, COR_INTEGER_FIELD(struct draft, arm.memory_bytes, 65536, INT64_C(1) << 32)},
    {0}};

static enum cor_status read_process(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    reading->process = *json; /* what is kept of its members stays below it */
    COR_TRY(cor_json_fields(&reading->process, cluster_fields, into, error));
    return cor_json_need(&reading->process, "program", &reading->draft.program, error);
}

static const struct cor_field common_fields[] = {
    {"cases", COR_OPTIONAL, COR_INTEGER_FIELD(struct draft, arm.cases, 1, COR_PROCESS_CASES_MAX)},
    {"case", COR_OPTIONAL, COR_INTEGER_FIELD(struct draft, arm.case_ticks, 1, COR_PROCESS_CASE_TICKS_MAX)},
    {"events", COR_OPTIONAL, COR_INTEGER_FIELD(struct draft, arm.events, 1, COR_PROCESS_EVENTS_MAX)},
    KEPT(corridor),
    KEPT(watch),
    KEPT(parameters),
    KEPT(traps),
    KEPT(environment),
    KEPT(faults),
    KEPT(inputs),
    KEPT(generators),
    {0}};

/* One alone, in the place of several. */
static enum cor_status keep_generator(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_json both;
    ((struct draft *)into)->generators = *json;
    return cor_json_find(json->parent, "generators", &both)
               ? cor_json_fail(json, error, "write one of the two",
                               "an arm has either a \"generator\" or \"generators\"")
               : COR_OK;
}

static const struct cor_field arm_fields[] = {{"description", COR_OPTIONAL, COR_KNOWN_FIELD},
                                              KEPT(fault),
                                              {"generator", COR_OPTIONAL, COR_READ_FIELD(keep_generator)},
                                              COR_ROWS_OF(cluster_fields),
                                              COR_ROWS_OF(common_fields),
                                              {0}};

static enum cor_status read_suites(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_json stop; /* 0 is endless, until that */
    return cor_json_count(json, !cor_json_find(json->parent, "stop", &stop), COR_PROCESS_SUITES_MAX,
                          &((struct cor_process_experiment *)into)->suites, error);
}

static const char *const logs[] = {"failing", "cases", "events", NULL};
static const char *const ends[] = {"end", "failure", NULL};
static const struct cor_field own_fields[] = {
    {"seed", COR_OPTIONAL, COR_SEED_FIELD(struct cor_process_experiment, head.seed)},
    {"suites", COR_OPTIONAL, COR_READ_FIELD(read_suites)},
    {"sequences", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct cor_process_experiment, sequences, 1, COR_PROCESS_SEQUENCES_MAX)},
    {"log", COR_OPTIONAL, COR_ONE_OF_FIELD(struct cor_process_experiment, log, logs, 0, "log")},
    {"until", COR_OPTIONAL,
     COR_ONE_OF_FIELD(struct cor_process_experiment, until, ends, 0, "end of a suite")},
    {0}};

static enum cor_status keep_arms(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    if (cor_json_size(json) == 0 || cor_json_size(json) > ARMS_MAX)
        return cor_json_fail(json, error, "{\"NAME\": {\"fault\": ..}, ..}", "%zu arms, and 1 to %d may be",
                             cor_json_size(json), ARMS_MAX);
    reading->arms = *json;
    return COR_OK;
}

static const struct cor_field file_fields[] = {{"name", COR_OPTIONAL, COR_KNOWN_FIELD},
                                               {"description", COR_OPTIONAL, COR_KNOWN_FIELD},
                                               {"process", COR_REQUIRED, COR_READ_FIELD(read_process)},
                                               COR_ROWS_THROUGH(struct reading, experiment, own_fields),
                                               {"arms", COR_OPTIONAL, COR_READ_FIELD(keep_arms)},
                                               {"stop", COR_OPTIONAL, COR_KNOWN_FIELD},
                                               {"properties", COR_OPTIONAL, COR_KNOWN_FIELD},
                                               {"configurations", COR_OPTIONAL, COR_KNOWN_FIELD},
                                               COR_ROWS_OF(common_fields),
                                               {"stabilize", COR_OPTIONAL, COR_KNOWN_FIELD},
                                               {0}};

/* ---- programs */

/* A module that comes with this program: beside it where it is built, else where modules are installed; NULL:
 * there is none of that name. */
static char *own_module(const char *name) {
    char self[PATH_MAX];
    cor_own_program(self, sizeof self);
    char *slash = strrchr(self, '/');
    if (!slash || strchr(name, '/'))
        return NULL;
    *slash = '\0';
    char *path = cor_format("%s/modules/%s", self, name);
    if (path && access(path, R_OK) != 0) {
        free(path);
        path = cor_format("%s/../" MODULES_FOLDER "/%s", self, name);
    }
    /* A sandbox has the module's own folder, and not those that a path goes through. */
    char whole[PATH_MAX];
    const bool is_there = path && access(path, R_OK) == 0 && realpath(path, whole);
    free(path);
    return is_there ? cor_strdup(whole) : NULL;
}

/* What the member names, as cor_process_open takes it: a module's path from here. A test may be kept in
 * another folder than the experiment (corridor failures --keep tests/): then the module lies where the
 * program is called. */
static char *command_of(const struct cor_json *json, const char *text) {
    if (cor_process_way_of(text) != COR_PROCESS_MODULE)
        return cor_strdup(text);
    char *beside = cor_json_beside(json, text);
    if (!beside || access(beside, F_OK) == 0)
        return beside;
    char *other = own_module(text);
    if (!other && access(text, F_OK) == 0)
        other = strchr(text, '/') ? cor_strdup(text) : cor_format("./%s", text);
    if (!other)
        return beside;
    free(beside);
    return other;
}

static enum cor_status open_program(struct reading *reading, const struct cor_json *json,
                                    const struct cor_process_opened **opened, struct cor_error *error) {
    struct cor_process_experiment *experiment = reading->experiment;
    const struct cor_layer_options *options = reading->options;
    const char *text;
    COR_TRY(cor_json_string(json, &text, error));
    if (cor_process_way_of(text) == COR_PROCESS_BUILT_IN && !cor_process_builtin(text)) {
        const char *names[64] = {0};
        char remedy[1024];
        for (size_t b = 0; b + 1 < sizeof names / sizeof *names && cor_process_builtins()[b]; b++)
            names[b] = cor_process_builtins()[b]->name;
        cor_known_names(text, names, remedy, sizeof remedy);
        struct stat there;
        if (stat(text, &there) == 0 && S_ISREG(there.st_mode))
            snprintf(remedy, sizeof remedy, "write ./%s, or a command: python3 %s", text, text);
        return cor_json_fail(
            json, error, remedy,
            "no program \"%.80s\" is built in, and it is neither a module (.so) nor a command", text);
    }
    char *command = command_of(json, text);
    COR_TRY(cor_made(command, error));
    for (size_t p = 0; p < experiment->program_count; p++)
        if (strcmp(experiment->programs[p].command, command) == 0) {
            *opened = &experiment->programs[p];
            free(command);
            return COR_OK;
        }
    struct cor_process_definition definition = {.program = command, .answer_seconds = ANSWER_SECONDS};
    const bool is_foreign = cor_process_way_of(text) != COR_PROCESS_BUILT_IN;
    enum cor_status status = COR_OK;
    if (options) {
        definition.is_free = options->isolation == (int)COR_ISOLATION_NEVER;
        definition.is_full = options->isolation_required;
        definition.trust = options->trust;
    }
    definition.traffic = experiment->traffic;
    if (options && cor_process_way_of(text) == COR_PROCESS_COMMAND && !options->replay_traffic)
        COR_TRY_OUT(cor_trust_check(&options->trust, command, error));
    COR_TRY_OUT(COR_RESERVE(&experiment->programs, &experiment->program_capacity,
                            experiment->program_count + 1, error));
    struct cor_process_opened *made = &experiment->programs[experiment->program_count];
    *made = (struct cor_process_opened){.is_foreign = is_foreign};
    status = cor_process_open(&definition, &made->program, error);
    if (status != COR_OK && error && cor_process_way_of(text) == COR_PROCESS_MODULE &&
        access(command, F_OK) != 0)
        snprintf(error->remedy, sizeof error->remedy,
                 "a module is looked for beside the file that names it, among those that come with Corridor, "
                 "then from the folder in which corridor is called");
    COR_TRY_OUT(status);
    made->command = command;
    command = NULL;
    experiment->program_count++;
    *opened = made;
out:
    free(command);
    return status;
}

/* ---- corridors */

/* The text: lines in the file, or a file beside. */
static enum cor_status corridor_text(const struct cor_json *json, char **text, char **name,
                                     struct cor_error *error) {
    *text = *name = NULL;
    if (cor_json_is_string(json)) {
        const char *path;
        size_t length;
        COR_TRY(cor_json_string(json, &path, error));
        COR_TRY(cor_made(*name = cor_json_beside(json, path), error));
        return cor_json_read_text(*name, text, &length, error);
    }
    if (!cor_json_is_array(json))
        return cor_json_fail(json, error, "the name of a file, or its lines: [\"structure observed\", ..]",
                             "is no corridor");
    char place[512];
    cor_json_place(json, place, sizeof place);
    COR_TRY(cor_made(*name = cor_strdup(place), error));
    COR_TRY(cor_made(*text = cor_strdup(""), error));
    COR_JSON_CHILDREN(item, json) {
        const char *line;
        COR_TRY(cor_json_string(&item, &line, error));
        *text = cor_join_take(*text, "", cor_format("%s\n", line));
        COR_TRY(cor_made(*text, error));
    }
    return COR_OK;
}

static enum cor_status read_corridor(struct cor_process_experiment *experiment, const struct cor_json *json,
                                     struct cor_process_arm *arm, struct cor_error *error) {
    struct cor_corridor **corridor = &arm->corridor;
    char *name;
    enum cor_status status = corridor_text(json, &arm->corridor_text, &name, error);
    *corridor = NULL;
    if (status == COR_OK)
        status = cor_corridor_parse(arm->corridor_text, name, corridor, error);
    if (status == COR_OK && (*corridor)->kind != COR_STRUCTURE_OBSERVED)
        status = cor_fail(error, COR_STATUS_INPUT, name, "begin with: structure observed",
                          "processes are observed, and the corridor is about another kind of structure");
    if (status == COR_OK && (*corridor)->constraint_count == 0)
        status = cor_fail(error, COR_STATUS_INPUT, name, "write an invariant, such as agreed: agree(applied)",
                          "the corridor has no constraint: nothing could fail");
    if (status == COR_OK)
        status = COR_RESERVE(&experiment->corridors, &experiment->corridor_capacity,
                             experiment->corridor_count + 1, error);
    if (status == COR_OK)
        experiment->corridors[experiment->corridor_count++] = *corridor;
    else {
        cor_corridor_destroy(*corridor);
        *corridor = NULL;
    }
    free(name);
    return status;
}

static enum cor_status refuse_shown(const struct cor_corridor *corridor, const char *at, const char *remedy,
                                    struct cor_error *error, const char *what, const char *name,
                                    const char *why) {
    size_t line = 0, column = 0;
    cor_corridor_place(corridor, at, &line, &column);
    char *place = cor_format("%s:%zu:%zu", corridor->name, line, column);
    const enum cor_status status =
        cor_fail(error, COR_STATUS_INPUT, place, remedy, "%s \"%.80s\": %s", what, name, why);
    free(place);
    return status;
}

/* What an attribute of the corridor is to be declared as, so that it is the program's. */
static void say_type(const struct cor_process_attribute *attribute, char *text, size_t size) {
    static const char *const types[] = {
        [COR_PROCESS_COUNT] = "integer", [COR_PROCESS_REAL] = "real", [COR_PROCESS_SET] = "agents"};
    if (attribute->type != COR_PROCESS_WORD) {
        snprintf(text, size, "write: attribute %s: %s", attribute->name, types[attribute->type]);
        return;
    }
    size_t length = (size_t)snprintf(text, size, "write: attribute %s: words ", attribute->name);
    for (uint32_t w = 0; w < attribute->word_count && length < size; w++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s", w > 0 ? ", " : "", attribute->words[w]);
}

static bool has_word(const struct cor_corridor *corridor, const struct cor_quantity *quantity,
                     const char *word) {
    const uint32_t number = cor_words_find(&corridor->words, word);
    for (uint32_t w = 0; w < quantity->domain.word_count; w++)
        if (quantity->domain.words[w] == number)
            return true;
    return false;
}

/* Whether values that the program shows are values of the corridor's attribute. */
static bool is_of_type(const struct cor_corridor *corridor, const struct cor_quantity *quantity,
                       const struct cor_process_attribute *attribute) {
    switch ((enum cor_process_attribute_type)attribute->type) {
    case COR_PROCESS_COUNT:
        return !quantity->is_set && quantity->domain.type == COR_VALUE_TYPE_INTEGER;
    case COR_PROCESS_REAL:
        return !quantity->is_set && quantity->domain.type == COR_VALUE_TYPE_REAL;
    case COR_PROCESS_SET:
        return quantity->is_set;
    case COR_PROCESS_WORD:
        break;
    }
    if (quantity->is_set || quantity->domain.type != COR_VALUE_TYPE_ENUMERATION ||
        quantity->domain.word_count != attribute->word_count)
        return false;
    for (uint32_t w = 0; w < attribute->word_count; w++)
        if (!has_word(corridor, quantity, attribute->words[w]))
            return false;
    return true;
}

/* Are attributes and channels that the corridor reads such as the program shows? */
enum cor_status process_layer__check_shown(const struct cor_corridor *corridor,
                                           const struct cor_process *program, struct cor_error *error) {
    const struct cor_names attributes = COR_RECORD_NAMES(program->attributes, program->attribute_count,
                                                         struct cor_process_attribute, name),
                           channels = COR_RECORD_NAMES(program->channels, program->channel_count,
                                                       struct cor_process_name, name);
    char remedy[1024];
    uint32_t index;
    for (uint32_t c = 0; c < corridor->attribute_count; c++) {
        const struct cor_quantity *quantity = &corridor->attributes[c];
        if (!quantity->at)
            continue;
        if (!cor_names_has(attributes, quantity->name, &index)) {
            cor_names_known(attributes, quantity->name, remedy, sizeof remedy);
            return refuse_shown(corridor, quantity->at, remedy, error, "attribute", quantity->name,
                                "the program shows none of that name");
        }
        if (!is_of_type(corridor, quantity, &program->attributes[index])) {
            say_type(&program->attributes[index], remedy, sizeof remedy);
            return refuse_shown(corridor, quantity->at, remedy, error, "attribute", quantity->name,
                                "the program shows it with another type");
        }
    }
    for (uint32_t c = 0; c < corridor->channel_count; c++) {
        const char *name = corridor->channels[c].name;
        if (cor_names_has(channels, name, &index))
            continue;
        cor_names_known(channels, name, remedy, sizeof remedy);
        return refuse_shown(corridor, corridor->channels[c].at, remedy, error,
                            corridor->channels[c].is_history ? "history" : "channel", name,
                            "the program tells none of that name");
    }
    return COR_OK;
}

/* ---- constraints that are judged */

static enum cor_status read_watched(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_process_arm *arm = into;
    const struct cor_corridor *corridor = arm->corridor;
    uint32_t index;
    COR_TRY(cor_json_one_name(
        json,
        COR_RECORD_NAMES(corridor->constraints, corridor->constraint_count, struct cor_constraint, name),
        "constraint of the corridor", &index, error));
    if (arm->watched[index])
        return cor_json_fail(json, error, "name it once", "\"%s\" stands there twice",
                             corridor->constraints[index].name);
    arm->watched[index] = true;
    return COR_OK;
}

static enum cor_status read_watch(const struct draft *draft, struct cor_process_arm *arm,
                                  struct cor_error *error) {
    if (!draft->watch.value)
        return COR_OK;
    arm->watched = cor_calloc(arm->corridor->constraint_count, sizeof *arm->watched);
    COR_TRY(cor_made(arm->watched, error));
    return cor_json_each(&draft->watch, 1, arm->corridor->constraint_count, read_watched, arm, error);
}

/* ---- parameters of the corridor */

static enum cor_status read_parameters(const struct draft *draft, struct cor_process_arm *arm,
                                       struct cor_error *error) {
    const struct cor_corridor *corridor = arm->corridor;
    struct cor_json item;
    COR_TRY(
        cor_made(arm->parameters = cor_calloc(corridor->parameter_count, sizeof *arm->parameters), error));
    if (draft->parameters.value)
        COR_TRY(cor_json_expect_names(
            &draft->parameters,
            COR_RECORD_NAMES(corridor->parameters, corridor->parameter_count, struct cor_quantity, name),
            error));
    for (uint32_t p = 0; p < corridor->parameter_count; p++) {
        const struct cor_quantity *quantity = &corridor->parameters[p];
        if (!draft->parameters.value || !cor_json_find(&draft->parameters, quantity->name, &item)) {
            char remedy[200];
            snprintf(remedy, sizeof remedy, "write \"parameters\": {\"%.80s\": ..}", quantity->name);
            return cor_json_fail(&draft->corridor, error, remedy,
                                 "parameter \"%.80s\" of the corridor has no value", quantity->name);
        }
        struct cor_value *value = &arm->parameters[p];
        const char *text;
        int64_t integer;
        bool truth;
        if (cor_json_is_string(&item)) {
            COR_TRY(cor_json_string(&item, &text, error));
            *value = cor_word(cor_words_find(&corridor->words, text));
        } else if (cor_json_is_integer(&item)) {
            COR_TRY(cor_json_integer(&item, -(INT64_C(1) << 53), INT64_C(1) << 53, &integer, error));
            *value = cor_integer(integer);
        } else if (cor_json_is_number(&item)) {
            double real;
            COR_TRY(cor_json_real(&item, -1e300, 1e300, &real, error));
            *value = cor_real(real);
        } else if (!cor_json_is_null(&item) && !cor_json_is_array(&item) && !cor_json_is_object(&item)) {
            COR_TRY(cor_json_bool(&item, &truth, error));
            *value = cor_integer(truth);
        } else
            return cor_json_fail(&item, error, "a number, a word, true or false",
                                 "is no value of parameter \"%s\" of the corridor", quantity->name);
        struct cor_value fit = *value;
        const bool fits = (value->kind != COR_VALUE_WORD || value->as.word != COR_NONE) &&
                          cor_domain_fit(&quantity->domain, &fit);
        const double number = fit.kind == COR_VALUE_REAL ? fit.as.real : (double)fit.as.integer;
        if (!fits || (fit.kind != COR_VALUE_WORD && (number < quantity->low || number > quantity->high)))
            return cor_json_fail(&item, error, "as the corridor declares it",
                                 "is no value of parameter \"%s\" of the corridor", quantity->name);
        *value = fit;
    }
    return COR_OK;
}

/* ---- inputs */

#define INPUT_WEIGHT_MAX 1000000

/* ---- faults and generators */

static enum cor_status read_faults(const struct draft *draft, struct cor_process_arm *arm,
                                   struct cor_error *error) {
    const char *words[COR_PROCESS_EVENT_KIND_COUNT + 1] = {0};
    int index, count = 0, kinds[COR_PROCESS_EVENT_KIND_COUNT];
    arm->allowed = faults_usual(arm->is_fifo);
    if (!draft->faults.value)
        return COR_OK;
    for (int k = 0; k < COR_PROCESS_EVENT_DEFAULT; k++)
        if (cor_process_event_is_fault((enum cor_process_event_kind)k)) {
            kinds[count] = k;
            words[count++] = cor_process_event_kind_word((enum cor_process_event_kind)k);
        }
    arm->allowed = 0;
    COR_TRY(cor_json_expect_array(&draft->faults, 0, (size_t)count, error));
    COR_JSON_CHILDREN(item, &draft->faults) {
        COR_TRY(cor_json_one_of(&item, words, "fault", &index, error));
        if (arm->allowed >> kinds[index] & 1)
            return cor_json_fail(&item, error, "name it once", "\"%s\" stands there twice", words[index]);
        arm->allowed |= UINT64_C(1) << kinds[index];
    }
    const uint64_t crashes =
        UINT64_C(1) << COR_PROCESS_EVENT_CRASH_TORN | UINT64_C(1) << COR_PROCESS_EVENT_CRASH_LOST;
    if ((arm->allowed & crashes) != 0 && !(arm->allowed >> COR_PROCESS_EVENT_CRASH & 1))
        return cor_json_fail(
            &draft->faults, error, "name it, too: [\"crash\", \"crash-torn\"]",
            "crashes that are torn or lose a cell are crashes, and \"crash\" may not happen");
    return COR_OK;
}

static enum cor_status read_generator(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_process_arm *arm = into;
#define COR_SCHEDULE_GENERATOR(word) #word,
    static const char *const words[] = {COR_SCHEDULE_GENERATORS(COR_SCHEDULE_GENERATOR) NULL};
#undef COR_SCHEDULE_GENERATOR
    int index;
    COR_TRY(cor_json_one_of(json, words, "generator", &index, error));
    const struct cor_schedule_generator_kind *kind = cor_schedule_generator_of(words[index]);
    for (uint32_t g = 0; g < arm->generator_count; g++)
        if (arm->generators[g] == kind)
            return cor_json_fail(json, error, "name it once", "\"%s\" stands there twice", words[index]);
    arm->generators[arm->generator_count++] = kind;
    return COR_OK;
}

static enum cor_status read_generators(const struct draft *draft, struct cor_process_arm *arm,
                                       struct cor_error *error) {
    if (!draft->generators.value) {
        arm->generators[arm->generator_count++] = &cor_schedule_generator_timed;
        return COR_OK;
    }
    if (cor_json_is_string(&draft->generators))
        return read_generator(&draft->generators, arm, error);
    return cor_json_each(&draft->generators, 1, COR_PROCESS_GENERATORS_MAX, read_generator, arm, error);
}

static enum cor_status read_fault(const struct draft *draft, const struct cor_process *program,
                                  struct cor_process_arm *arm, struct cor_error *error) {
    uint32_t index;
    if (!draft->fault.value || cor_json_is_null(&draft->fault))
        return COR_OK;
    if (program->fault_count == 0)
        return cor_json_fail(&draft->fault, error, "leave it out", "program \"%s\" has no faults",
                             program->name);
    COR_TRY(cor_json_one_name(
        &draft->fault, COR_RECORD_NAMES(program->faults, program->fault_count, struct cor_process_name, name),
        "fault of the program", &index, error));
    arm->fault = program->faults[index].name;
    arm->fault_number = index + 1;
    return COR_OK;
}

/* ---- faults that are asked for, and cannot come */

/* States that schedules of an arm come to, [state]. */
static void find_reached(const struct cor_process_arm *arm, bool *reached) {
    const struct cor_profile *profile = arm->environment.profile;
    const uint32_t states = arm->environment.state_count;
    bool now[COR_PROFILE_STATES_MAX] = {false}, next[COR_PROFILE_STATES_MAX];
    for (uint32_t s = 0; s < states; s++) {
        now[s] = profile && profile->start[s] > 0;
        reached[s] = !profile;
    }
    /* The first case is one step behind the start; more steps than states lead to no other. */
    for (uint32_t step = 0; profile && step < states && step < arm->cases; step++) {
        for (uint32_t to = 0; to < states; to++) {
            next[to] = false;
            for (uint32_t from = 0; from < states; from++)
                next[to] = next[to] || (now[from] && profile->probability[from * states + to] > 0);
            reached[to] = reached[to] || next[to];
        }
        memcpy(now, next, states * sizeof *now);
    }
}

/* Does a generator of the arm make faults of that kind whatever the weather? */
static bool makes_anyway(const struct cor_process_arm *arm, int kind) {
    for (uint32_t g = 0; g < arm->generator_count; g++)
        if (arm->generators[g] == &cor_schedule_generator_rounds ||
            arm->generators[g] == &cor_schedule_generator_search)
            return kind == COR_PROCESS_EVENT_LOSE || kind == COR_PROCESS_EVENT_CRASH;
    return false;
}

/* Why a fault that is asked for comes in no schedule of an arm; NULL: it may. */
static char *why_never(const struct cor_process_arm *arm, int kind) {
    const struct cor_process_environment *environment = &arm->environment;
    bool reached[COR_PROFILE_STATES_MAX];
    const char *maker = NULL;
    if (!(arm->asked >> kind & 1) || makes_anyway(arm, kind))
        return NULL;
    find_reached(arm, reached);
    for (uint32_t s = 0; s < environment->state_count; s++) {
        if (!(faults_of(&environment->weather[s]) >> kind & 1))
            continue;
        if (reached[s])
            return NULL;
        maker = maker ? maker : environment->weather[s].name;
    }
    return maker ? cor_format(
                       "schedules never come to state \"%.80s\", which makes it: a profile begins by its "
                       "stationary law unless it says \"start\"",
                       maker)
                 : cor_strdup("no state of the environment makes any");
}

/* The faults of an arm that come in no schedule, those with one reason together. */
static char *say_never(const struct cor_process_arm *arm, const char *name) {
    char *whys[COR_PROCESS_EVENT_KIND_COUNT], *text = cor_strdup("");
    for (int k = 0; k < COR_PROCESS_EVENT_KIND_COUNT; k++)
        whys[k] = why_never(arm, k);
    for (int first = 0; first < COR_PROCESS_EVENT_KIND_COUNT; first++) {
        char *why = whys[first];
        if (!why)
            continue;
        text = cor_join_take(text, "", cor_strdup(name));
        for (int k = first; k < COR_PROCESS_EVENT_KIND_COUNT; k++) {
            if (!whys[k] || strcmp(whys[k], why) != 0)
                continue;
            text = cor_join_take(text, k > first ? ", " : "",
                                 cor_strdup(cor_process_event_kind_word((enum cor_process_event_kind)k)));
            if (k > first)
                free(whys[k]);
            whys[k] = NULL;
        }
        text = cor_join_take(text, "", cor_format(": allowed, and cannot come: %s.\n", why));
        free(why);
    }
    return text;
}

enum cor_status cor_process_say_never(const struct cor_process_experiment *experiment, char **notes,
                                      struct cor_error *error) {
    const uint32_t arms = experiment->head.arm_count;
    for (uint32_t a = 0; a < arms; a++) {
        char *name = arms > 1 ? cor_format("%s: ", experiment->arms[a].name) : cor_strdup("");
        char *said = name ? say_never(&experiment->arms[a], name) : NULL;
        free(name);
        COR_TRY(cor_made(said, error));
        *notes = *notes ? cor_join_take(*notes, "", said) : said;
        COR_TRY(cor_made(*notes, error));
    }
    return COR_OK;
}

/* ---- arms */

static enum cor_status describe(struct cor_process_arm *arm, struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    const struct cor_process *program = cor_process_description(arm->program);
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "program", program->name);
    cor_json_put_string(writer, "version", program->version);
    cor_json_put_string(writer, "fault", arm->fault);
    cor_json_put_integer(writer, "count", arm->first_count ? arm->first_count : arm->count);
    if (arm->first_count)
        cor_json_put_integer(writer, "most", arm->count);
    cor_json_put_string(writer, "network", networks[arm->is_fifo]);
    if (arm->cut_loses)
        cor_json_put_bool(writer, "cut_loses", true);
    cor_json_open_array(writer, "generators");
    for (uint32_t g = 0; g < arm->generator_count; g++)
        cor_json_put_string(writer, NULL, arm->generators[g]->name);
    cor_json_close(writer);
    cor_json_open_array(writer, "environment");
    for (uint32_t s = 0; s < arm->environment.state_count; s++)
        cor_json_put_string(writer, NULL, arm->environment.weather[s].name);
    cor_json_close(writer);
    cor_json_close(writer);
    return cor_json_text_take(writer, 0, &arm->description, error);
}

/* Does any state of the environment let processes leave? */
static bool may_leave(const struct cor_process_arm *arm) {
    for (uint32_t s = 0; s < arm->environment.state_count; s++)
        if (arm->environment.weather[s].leave > 0)
            return true;
    return false;
}

/* How many processes there may be, and how many of them are there at first. */
static enum cor_status take_counts(const struct draft *draft, struct cor_process_arm *arm,
                                   struct cor_error *error) {
    if (arm->most == 0 || arm->most == arm->count)
        return COR_OK;
    if (arm->most < arm->count)
        return cor_json_fail(&draft->most, error, "as many as \"count\", which are there at first, or more",
                             "at most %" PRIu32 " processes, and %" PRIu32 " at first", arm->most,
                             arm->count);
    arm->first_count = arm->count;
    arm->count = arm->most;
    return COR_OK;
}

/* The minor of process.h from which on there are more processes than there were once. */
#define WITH_MANY 4u

/* Programs with messages are for campaigns, those of rules for whoever goes through their states. */
static enum cor_status check_way(const struct reading *reading, const struct cor_process *program,
                                 const struct draft *draft, struct cor_error *error) {
    if (program->rule && !reading->of_rules)
        return cor_json_fail(
            &draft->program, error, "corridor stabilize goes through all its states",
            "program \"%.80s\" has rules in the place of messages: there are no schedules of it",
            program->name);
    if (program->rule && draft->arm.count > COR_RULES_PROCESSES_MAX)
        return cor_json_fail(&draft->count, error, NULL, "is %" PRIu32 ", expected 1 to %u", draft->arm.count,
                             COR_RULES_PROCESSES_MAX);
    if (draft->arm.count > COR_PROCESSES_ONCE && program->minor < WITH_MANY)
        return cor_json_fail(&draft->program, error, "build it anew, with the header of today",
                             "program \"%.80s\" was built for %u processes at most, and here are %" PRIu32,
                             program->name, COR_PROCESSES_ONCE, draft->arm.count);
    return COR_OK;
}

/* What an arm says of faults by itself, and its weather, the file's, does not know of; NULL: nothing.
 * `fifo` excludes duplicates where no faults are named. */
static const struct cor_json *narrows(const struct draft *draft, const struct cor_json *at,
                                      struct cor_json *network) {
    if (!draft->environment.value || draft->environment.parent == at)
        return NULL;
    if (draft->faults.value)
        return draft->faults.parent == at ? &draft->faults : NULL;
    return cor_json_find(at, "network", network) ? network : NULL;
}

static enum cor_status make_arm(struct reading *reading, const struct draft *draft, const char *name,
                                const struct cor_json *at, struct cor_process_arm *arm,
                                struct cor_error *error) {
    struct cor_process_experiment *experiment = reading->experiment;
    const struct cor_process_opened *opened = NULL;
    struct cor_json network;
    uint32_t word;
    *arm = draft->arm;
    arm->name = name;
    arm->is_fifo = draft->is_fifo;
    COR_TRY(cor_json_check_name(at, name, NAME_BYTES_MAX, COR_NO_NAMES, "an arm", error));
    COR_TRY(open_program(reading, &draft->program, &opened, error));
    arm->program = opened->program;
    arm->command = opened->command;
    arm->is_foreign = opened->is_foreign;
    const int isolation = reading->options ? reading->options->isolation : COR_ISOLATION_UNTRUSTED;
    const enum cor_process_way way = cor_process_way_of(arm->command);
    arm->is_apart = ((way == COR_PROCESS_MODULE || way == COR_PROCESS_EMBEDDED) &&
                     isolation != (int)COR_ISOLATION_NEVER) ||
                    (way == COR_PROCESS_BUILT_IN && isolation == (int)COR_ISOLATION_ALWAYS);
    arm->is_full = reading->options && reading->options->isolation_required;
    const struct cor_process *program = cor_process_description(arm->program);
    COR_TRY(read_fault(draft, program, arm, error));
    if (!draft->corridor.value)
        return cor_json_fail(at, error, "write \"corridor\": the name of a file, or its lines",
                             "no corridor says what is right");
    COR_TRY(read_corridor(experiment, &draft->corridor, arm, error));
    COR_TRY(check_way(reading, program, draft, error));
    COR_TRY(take_counts(draft, arm, error));
    if (!reading->of_rules) /* what these show is known once they are asked */
        COR_TRY(process_layer__check_shown(arm->corridor, program, error));
    COR_TRY(read_watch(draft, arm, error));
    COR_TRY(read_parameters(draft, arm, error));
    if (draft->traps.value)
        COR_TRY(traps_read(&draft->traps, arm, error));
    for (uint32_t t = 0; t < arm->traps.count; t++)
        COR_TRY(cor_words_intern(&experiment->traps,
                                 arm->traps.corridor->constraints[arm->traps.first + t].name, &word, error));
    /* How often each input comes beside the others; those that are not named do not come. */
    struct cor_json item;
    if (draft->inputs.value) {
        if (program->input_count == 0)
            return cor_json_fail(&draft->inputs, error, "leave it out", "program \"%s\" takes no inputs",
                                 program->name);
        COR_TRY(cor_json_expect_names(
            &draft->inputs,
            COR_RECORD_NAMES(program->inputs, program->input_count, struct cor_process_input, name), error));
        COR_TRY(cor_made(arm->input_weights = cor_calloc(program->input_count, sizeof *arm->input_weights),
                         error));
        for (uint32_t i = 0; i < program->input_count; i++)
            if (cor_json_find(&draft->inputs, program->inputs[i].name, &item))
                COR_TRY(cor_json_count(&item, 0, INPUT_WEIGHT_MAX, &arm->input_weights[i], error));
    }
    COR_TRY(read_faults(draft, arm, error));
    COR_TRY(environment_read(draft->environment.value ? &draft->environment : NULL,
                             draft->faults.value != NULL, &arm->allowed, narrows(draft, at, &network),
                             &arm->environment, error));
    arm->asked = draft->faults.value ? arm->allowed : 0;
    for (uint32_t s = 0; s < arm->environment.state_count; s++)
        arm->asked |= faults_of(&arm->environment.weather[s]);
    for (uint32_t s = 0; s < arm->environment.state_count; s++) {
        const struct cor_weather *weather = &arm->environment.weather[s];
        arm->starts_later = arm->starts_later || weather->start[1] > 0;
        if (arm->count == 1 && (weather->part > 0 || weather->leave > 0))
            return cor_json_fail(draft->environment.value ? &draft->environment : &draft->faults, error,
                                 "two processes at least: \"count\": 3",
                                 "state \"%.80s\" %s, and there is one process", weather->name,
                                 weather->part > 0 ? "has partitions" : "lets processes leave");
        if (weather->join > 0 && arm->first_count == 0 && !may_leave(arm))
            return cor_json_fail(draft->environment.value ? &draft->environment : &draft->faults, error,
                                 "say how many there may be: \"most\": 5, or let some leave: \"leave\": 0.1",
                                 "in state \"%.80s\" processes come, and all are there", weather->name);
    }
    COR_TRY(read_generators(draft, arm, error));
    for (uint32_t c = 0; c < arm->corridor->constraint_count; c++)
        COR_TRY(cor_words_intern(&experiment->constraints, arm->corridor->constraints[c].name, &word, error));
    for (uint32_t s = 0; s < arm->environment.state_count; s++)
        COR_TRY(cor_words_intern(&experiment->weathers, arm->environment.weather[s].name, &word, error));
    return describe(arm, error);
}

static enum cor_status make_arms(struct reading *reading, const struct cor_json *root,
                                 struct cor_error *error) {
    struct cor_process_experiment *experiment = reading->experiment;
    const size_t count = reading->arms.value ? cor_json_size(&reading->arms) : 1;
    COR_TRY(cor_made(experiment->arms = cor_calloc(count, sizeof *experiment->arms), error));
    if (!reading->arms.value)
        return make_arm(reading, &reading->draft, "program", root,
                        &experiment->arms[experiment->head.arm_count++], error);
    COR_JSON_CHILDREN(item, &reading->arms) {
        struct draft draft = reading->draft;
        struct cor_process_arm *arm = &experiment->arms[experiment->head.arm_count++];
        COR_TRY(cor_json_note_base(&item, root, false, error));
        COR_TRY(cor_json_note_base(&item, &reading->process, false, error));
        COR_TRY(cor_json_fields(&item, arm_fields, &draft, error));
        COR_TRY(make_arm(reading, &draft, item.key, &item, arm, error));
    }
    return COR_OK;
}

/* ---- inputs that are varied from suite to suite */

/* "STATE.NUMBER": a rate or probability of a state of the environment, or of a span its greatest. */
static enum cor_status find_input(const void *of, const struct cor_json *json,
                                  struct cor_explored_input *input, struct cor_error *error) {
    const struct cor_process_arm *arm = of;
    const struct cor_process_environment *environment = &arm->environment;
    const char *names[sizeof weather_fields / sizeof *weather_fields] = {0}, *dot = strrchr(json->key, '.');
    const size_t length = dot ? (size_t)(dot - json->key) : 0;
    char remedy[1024];
    uint32_t s = 0, count = 0;
    while (s < environment->state_count && (strncmp(environment->weather[s].name, json->key, length) != 0 ||
                                            environment->weather[s].name[length]))
        s++;
    for (const struct cor_field *field = weather_fields; dot && field->key; field++)
        if (field->kind == COR_FIELD_REAL || field->high > 0)
            names[count++] = field->key;
    if (s == environment->state_count) {
        snprintf(remedy, sizeof remedy, "STATE.NUMBER, as in \"%.80s.lose\"", environment->weather[0].name);
        return cor_json_fail(json, error, remedy, "\"%.80s\" is no number of a state of the environment",
                             json->key);
    }
    const struct cor_field *field = weather_fields;
    while (field->key && (strcmp(field->key, dot + 1) != 0 || !cor_is_among(names, field->key)))
        field++;
    if (!field->key) {
        cor_known_names(dot + 1, names, remedy, sizeof remedy);
        return cor_json_fail(json, error, remedy, "a state of the environment has no number \"%.80s\"",
                             dot + 1);
    }
    struct cor_weather *weather = &environment->weather[s];
    char *number = (char *)weather + field->offset;
    input->is_integer = field->kind != COR_FIELD_REAL;
    input->real = input->is_integer ? NULL : (double *)(void *)number;
    input->whole = input->is_integer ? (uint32_t *)(void *)number + 1 : NULL;
    input->low = input->is_integer ? (double)*(uint32_t *)(void *)number : field->real_low;
    input->high = input->is_integer ? (double)field->high : field->real_high;
    uint64_t made = 0;
#define FAULT(member, KIND, usual) made |= strcmp(field->key, #member) == 0 ? BIT(KIND) : 0;
    FAULTS(FAULT)
#undef FAULT
    return check_faults(json, weather->name, made & ~arm->allowed, NULL, error);
}

static enum cor_status read_configurations(struct cor_process_experiment *experiment,
                                           const struct cor_json *json, struct cor_error *error) {
    struct cor_process_arm *arm = &experiment->arms[0];
    struct cor_explored *explored = experiment->explored = cor_calloc(1, sizeof *explored);
    COR_TRY(cor_made(explored, error));
    if (experiment->head.arm_count > 1)
        return cor_json_fail(json, error, "leave one in \"arms\"", "a design is of one arm, and there are %u",
                             experiment->head.arm_count);
    COR_TRY(cor_explored_read(json, find_input, arm, explored, error));
    for (uint32_t i = 0; i < explored->design.inputs; i++) /* for a moment all are as great as they come */
        if (explored->inputs[i].real)
            *explored->inputs[i].real = explored->inputs[i].high;
    for (uint32_t s = 0; s < arm->environment.state_count; s++)
        if (arm->environment.weather[s].torn + arm->environment.weather[s].lost_cell > 1)
            return cor_json_fail(json, error, "1 at most together",
                                 "\"torn\" and \"lost_cell\" are %.6g together",
                                 arm->environment.weather[s].torn + arm->environment.weather[s].lost_cell);
    return cor_explored_make(explored, json, experiment->head.seed, 0, experiment->suites, error);
}

/* ---- the text with all that it names */

static enum cor_status put_corridor(const struct cor_json *json, struct cor_json_writer *writer,
                                    struct cor_error *error) {
    char *text, *name;
    enum cor_status status = corridor_text(json, &text, &name, error);
    cor_json_open_array(writer, "corridor");
    for (char *line = text; status == COR_OK && *line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        cor_json_put_string(writer, NULL, line);
        line = end ? end + 1 : line + strlen(line);
    }
    cor_json_close(writer);
    free(text);
    free(name);
    return status;
}

static enum cor_status put_environment(const struct cor_json *json, struct cor_json_writer *writer,
                                       struct cor_error *error) {
    cor_json_open_object(writer, "environment");
    COR_JSON_CHILDREN(item, json) {
        struct cor_json_document *document = NULL;
        struct cor_json profile = item;
        if (strcmp(item.key, "profile") == 0)
            COR_TRY(process_layer__profile_json(&item, &document, &profile, error));
        cor_json_put_value(writer, item.key, &profile);
        cor_json_destroy(document);
    }
    cor_json_close(writer);
    return COR_OK;
}

/* The members of the file, of "process" and of an arm; modules by their whole path. */
static enum cor_status put_members(const struct cor_json *json, struct cor_json_writer *writer,
                                   struct cor_error *error) {
    COR_JSON_CHILDREN(item, json) {
        if (strcmp(item.key, "corridor") == 0)
            COR_TRY(put_corridor(&item, writer, error));
        else if (strcmp(item.key, "environment") == 0)
            COR_TRY(put_environment(&item, writer, error));
        else if (strcmp(item.key, "process") == 0 || strcmp(item.key, "arms") == 0) {
            cor_json_open_object(writer, item.key);
            if (item.key[0] == 'p')
                COR_TRY(put_members(&item, writer, error));
            else
                COR_JSON_CHILDREN(arm, &item) {
                    cor_json_open_object(writer, arm.key);
                    COR_TRY(put_members(&arm, writer, error));
                    cor_json_close(writer);
                }
            cor_json_close(writer);
        } else if (strcmp(item.key, "program") == 0) {
            const char *text;
            COR_TRY(cor_json_string(&item, &text, error));
            char *command = command_of(&item, text);
            char *whole = command && strcmp(command, text) != 0 ? realpath(command, NULL) : NULL;
            cor_json_put_string(writer, item.key, whole ? whole : text);
            free(whole);
            free(command);
        } else
            cor_json_put_value(writer, item.key, &item);
    }
    return COR_OK;
}

static enum cor_status put_text(struct cor_process_experiment *experiment, const struct cor_json *root,
                                struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    const enum cor_status status = put_members(root, writer, error);
    if (status != COR_OK) {
        cor_json_writer_destroy(writer);
        return status;
    }
    cor_json_close(writer);
    return cor_json_text_take(writer, 0, &experiment->head.text, error);
}

static enum cor_status parse(const char *text, const char *path, const struct cor_layer_options *options,
                             bool of_rules, struct cor_process_experiment **experiment,
                             struct cor_error *error) {
    struct cor_process_experiment *made = cor_calloc(1, sizeof *made);
    struct reading *reading = cor_calloc(1, sizeof *reading);
    enum cor_status status = COR_OK;
    uint32_t word;
    *experiment = NULL;
    COR_TRY_OUT(cor_made(made, error));
    COR_TRY_OUT(cor_made(reading, error));
    reading->experiment = made;
    reading->options = options;
    reading->of_rules = of_rules;
    reading->draft.arm =
        (struct cor_process_arm){.count = 3, .cases = 40, .case_ticks = 1000, .events = COR_PROCESS_EVENTS};
    reading->draft.is_fifo = true;
    made->suites = 4;
    made->sequences = 100;
    cor_words_init(&made->constraints);
    cor_words_init(&made->weathers);
    cor_words_init(&made->traps);
    COR_TRY_OUT(cor_words_intern(&made->constraints, "-", &word, error));
    COR_TRY_OUT(cor_made(made->head.path = cor_strdup(path), error));
    COR_TRY_OUT(cor_json_parse(text, path, &made->document, error));
    if (options && options->origins)
        COR_TRY_OUT(cor_json_record(made->document, options->origins, error));
    const struct cor_json root = cor_json_root(made->document);
    COR_TRY_OUT(cor_json_expect_kind(&root, COR_KIND_PROCESS_EXPERIMENT, error));
    if (options)
        COR_TRY_OUT(cor_traffic_open(options->record_traffic, options->replay_traffic, options->replace,
                                     &made->traffic, error));
    COR_TRY_OUT(cor_json_fields(&root, file_fields, reading, error));
    COR_TRY_OUT(make_arms(reading, &root, error));
    struct cor_json configurations;
    if (cor_json_find(&root, "configurations", &configurations))
        COR_TRY_OUT(read_configurations(made, &configurations, error));
    COR_TRY_OUT(put_text(made, &root, error));
    struct cor_experiment_head *head = &made->head;
    head->suite_count = made->suites;
    head->resumable = true;
    COR_TRY_OUT(cor_experiment_head_arms(head, head->arm_count, error));
    for (uint32_t a = 0; a < head->arm_count; a++) {
        const struct cor_process_arm *arm = &made->arms[a];
        const char *digest = cor_process_digest(arm->program);
        head->arms[a] = (struct cor_arm_head){.name = arm->name,
                                              .description = arm->description,
                                              .fault = arm->fault,
                                              .digest = digest,
                                              .foreign = arm->is_foreign};
        head->bound = head->bound || arm->is_foreign;
        head->resumable = head->resumable && (!arm->is_foreign || digest);
    }
    *experiment = made;
out:
    if (status != COR_OK)
        cor_process_experiment_destroy(made);
    free(reading);
    return status;
}

enum cor_status cor_process_experiment_parse(const char *text, const char *path,
                                             const struct cor_layer_options *options,
                                             struct cor_process_experiment **experiment,
                                             struct cor_error *error) {
    return parse(text, path, options, false, experiment, error);
}

enum cor_status cor_process_rules_parse(const char *text, const char *path,
                                        const struct cor_layer_options *options,
                                        struct cor_process_experiment **experiment, struct cor_error *error) {
    return parse(text, path, options, true, experiment, error);
}

void cor_process_experiment_destroy(struct cor_process_experiment *experiment) {
    if (!experiment)
        return;
    for (uint32_t a = 0; a < experiment->head.arm_count && experiment->arms; a++) {
        free(experiment->arms[a].description);
        free(experiment->arms[a].parameters);
        free(experiment->arms[a].corridor_text);
        cor_process_traps_fini(&experiment->arms[a].traps);
        free(experiment->arms[a].watched);
        free(experiment->arms[a].input_weights);
        environment_fini(&experiment->arms[a].environment);
    }
    free(experiment->arms);
    for (size_t c = 0; c < experiment->corridor_count; c++)
        cor_corridor_destroy(experiment->corridors[c]);
    free(experiment->corridors);
    for (size_t p = 0; p < experiment->program_count; p++) {
        cor_process_close(experiment->programs[p].program);
        free(experiment->programs[p].command);
    }
    free(experiment->programs);
    cor_words_fini(&experiment->constraints);
    cor_words_fini(&experiment->weathers);
    cor_words_fini(&experiment->traps);
    cor_traffic_close(experiment->traffic);
    cor_stabilize_scene_destroy(experiment->scene);
    cor_explored_fini(experiment->explored);
    free(experiment->explored);
    cor_json_destroy(experiment->document);
    cor_experiment_head_fini(&experiment->head);
    free(experiment);
}

struct cor_process_setting cor_process_setting_of(const struct cor_process_experiment *experiment,
                                                  uint32_t number) {
    const struct cor_process_arm *arm = &experiment->arms[number];
    return (struct cor_process_setting){.cluster = {.program = arm->program,
                                                    .process_count = arm->count,
                                                    .first_count = arm->first_count,
                                                    .starts_later = arm->starts_later,
                                                    .fault = arm->fault_number,
                                                    .is_fifo = arm->is_fifo,
                                                    .cut_loses = arm->cut_loses,
                                                    .memory_bytes = arm->memory_bytes},
                                        .corridor = arm->corridor,
                                        .parameters = arm->parameters,
                                        .watched = arm->watched,
                                        .traps = &arm->traps,
                                        .case_ticks = arm->case_ticks,
                                        .case_count = arm->cases,
                                        .event_most = arm->events};
}

struct cor_schedule_options cor_process_generator_options(const struct cor_process_arm *arm) {
    return (struct cor_schedule_options){.allowed = arm->allowed,
                                         .case_ticks = arm->case_ticks,
                                         .is_fifo = arm->is_fifo,
                                         .input_weights = arm->input_weights};
}

struct cor_stream_name cor_process_stream_name(const struct cor_process_experiment *experiment,
                                               uint32_t suite, uint32_t sequence) {
    return (struct cor_stream_name){.seed = experiment->head.seed,
                                    .suite = cor_explored_stream(experiment->explored, suite),
                                    .sequence = sequence};
}
