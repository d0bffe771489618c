/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs that an experiment names, as its world and to choose: what they do is not in its text, but in the
 * files that they are made of. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/combine.h>
#include <corridor/fields.h>
#include <corridor/guarantees.h>
#include <corridor/json_names.h>
#include <corridor/traffic.h>
#include <corridor/world_program.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The experiment names a program: asked for trust, and kept. `command` is borrowed; `arm`: which has it, or
 * COR_NONE: all. */
static enum cor_status guest_add(struct cor_system_experiment *experiment, const char *command, uint32_t arm,
                                 const struct cor_layer_options *options, struct cor_error *error) {
    if (options && !options->replay_traffic) /* then nothing is started */
        COR_TRY(cor_trust_check(&options->trust, command, error));
    COR_TRY(
        COR_RESERVE(&experiment->guests, &experiment->guest_capacity, experiment->guest_count + 1, error));
    experiment->guests[experiment->guest_count++] = (struct cor_system_guest){.command = command, .arm = arm};
    return COR_OK;
}

enum cor_status system_layer__guests_look(struct cor_system_experiment *experiment, bool are_walls_required,
                                          char **warnings, struct cor_error *error) {
    COR_FINISHED(cor_needs) struct cor_needs needs = {0};
    if (experiment->guest_count == 0 && !experiment->runs_code)
        return COR_OK;
    if (!experiment->traffic) { /* a recording is of one run, and is played without a program */
        for (uint32_t g = 0; g < experiment->guest_count; g++)
            COR_TRY(
                cor_guest_files(&experiment->guests[g].files, experiment->guests[g].command, false, error));
        /* The digest of an arm is those of its programs, one behind the other; none if one is not known. */
        struct cor_experiment_head *head = &experiment->head;
        head->resumable = true;
        for (uint32_t a = 0; a < head->arm_count; a++) {
            struct cor_system_arm *arm = &experiment->arms[a];
            bool is_known = !experiment->runs_code;
            head->arms[a].foreign = experiment->runs_code;
            for (uint32_t g = 0; g < experiment->guest_count; g++) {
                const struct cor_system_guest *guest = &experiment->guests[g];
                if (guest->arm != COR_NONE && guest->arm != a)
                    continue;
                head->arms[a].foreign = true;
                is_known = is_known && guest->files.digest;
                if (!is_known)
                    continue;
                arm->digest = cor_join_take(arm->digest ? arm->digest : cor_strdup(""), "",
                                            cor_strdup(guest->files.digest));
                COR_TRY(cor_made(arm->digest, error));
            }
            head->arms[a].digest = is_known ? arm->digest : NULL;
            head->resumable = head->resumable && is_known;
        }
    }
    for (uint32_t g = 0; g < experiment->guest_count && !cor_traffic_replays(experiment->traffic); g++)
        COR_TRY(cor_needs_of_program(&needs, experiment->guests[g].command, false, error));
    if (experiment->runs_code)
        COR_TRY(experiment->world->maker->needs(experiment->world, !cor_traffic_replays(experiment->traffic),
                                                &needs, error));
    if (!experiment->is_free)
        COR_TRY(cor_guarantees_look(experiment->head.path, &needs, are_walls_required, warnings, error));
    return COR_OK;
}

static const struct cor_guest_files *files_of(const void *guests, size_t guest) {
    return &((const struct cor_system_guest *)guests)[guest].files;
}

void system_layer__guests_put(const struct cor_system_experiment *experiment,
                              struct cor_json_writer *writer) {
    cor_json_open_array(writer, "programs");
    cor_guest_files_put(writer, "program", files_of, experiment->guests, experiment->guest_count);
    cor_json_close(writer);
}

/* ---- an experiment of the system layer, from JSON. What conditions, goals and commands say can be judged in
 * a world alone: system_rig.c reads them, and here every rig is made once */

#define ARMS_MAX 60000
#define NAME_BYTES_MAX 300
#define VALUES_MAX 1000
#define CYCLES_USUAL 1000
#define COMBINE_MOVES 100000
#define RIGS_CHECKED 10000

struct reading {
    struct cor_system_experiment *experiment;
    const struct cor_layer_options *options;
    struct cor_system_arm *arm;
    struct cor_system_test *test;
};

static enum cor_status read_world(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct reading *reading = into;
    struct cor_system_experiment *experiment = reading->experiment;
    COR_TRY(system_layer__world_read(json, reading->options, &experiment->world, error));
    const struct system_layer__world_maker *maker = experiment->world->maker;
    experiment->runs_code = maker->runs_code && maker->runs_code(experiment->world);
    if (!maker->command)
        return COR_OK;
    return guest_add(experiment, maker->command(experiment->world), COR_NONE, reading->options, error);
}

static enum cor_status read_model(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_system_experiment *experiment = ((const struct reading *)into)->experiment;
    const char *word;
    if (!cor_json_is_string(json))
        return cor_efsm_read_named(json, &experiment->model, error);
    COR_TRY(cor_json_string(json, &word, error));
    experiment->has_own_model = strcmp(word, "own") == 0;
    return experiment->has_own_model ? COR_OK : cor_efsm_read_named(json, &experiment->model, error);
}

/* ---- examples */

static enum cor_status read_level(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_system_parameter *parameter = into;
    double *real = &parameter->values[json->index];
    struct cor_value value;
    char text[64];
    if (cor_json_is_integer(json)) {
        int64_t integer;
        COR_TRY(cor_json_integer(json, -(INT64_C(1) << 53), INT64_C(1) << 53, &integer, error));
        value = cor_integer(integer);
        *real = (double)integer;
    } else {
        COR_TRY(cor_json_real(json, -1e300, 1e300, real, error));
        value = cor_real(*real);
    }
    for (size_t other = 0; other < json->index; other++)
        if (parameter->values[other] == *real)
            return cor_json_fail(json, error, "each value once", "the value stands there twice");
    cor_value_text(value, NULL, NULL, text, sizeof text);
    COR_TRY(cor_made(parameter->texts[json->index] = cor_strdup(text), error));
    parameter->count++;
    return COR_OK;
}

static enum cor_status read_parameter(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_system_experiment *experiment = into;
    if (strcmp(json->key, "strength") == 0)
        return COR_OK;
    if (experiment->parameter_count == COR_SYSTEM_EXAMPLES_MAX)
        return cor_json_fail(json, error, NULL, "more than %d parameters", COR_SYSTEM_EXAMPLES_MAX);
    /* Counted before, so that what is made of one that is wrong is freed. */
    struct cor_system_parameter *parameter = &experiment->parameters[experiment->parameter_count++];
    COR_TRY(cor_json_expect_array(json, 1, VALUES_MAX, error));
    parameter->name = json->key;
    parameter->values = cor_calloc(cor_json_size(json), sizeof *parameter->values);
    parameter->texts = cor_calloc(cor_json_size(json), sizeof *parameter->texts);
    COR_TRY(cor_made(parameter->values ? parameter->texts : NULL, error));
    return cor_json_each(json, 1, VALUES_MAX, read_level, parameter, error);
}

static enum cor_status read_examples(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_system_experiment *experiment = ((const struct reading *)into)->experiment;
    struct cor_json strength;
    COR_TRY(cor_json_each_member(json, read_parameter, experiment, error));
    if (!cor_json_find(json, "strength", &strength))
        return COR_OK;
    if (experiment->parameter_count == 0)
        return cor_json_fail(&strength, error, "{\"view\": [2, 4, 8], \"strength\": 2}",
                             "there are no parameters to combine");
    return cor_json_count(&strength, 1,
                          experiment->parameter_count < COR_COMBINE_STRENGTH_MAX ? experiment->parameter_count
                                                                                 : COR_COMBINE_STRENGTH_MAX,
                          &experiment->strength, error);
}

/* Complains about what the file says behind a key. */
static enum cor_status complain_of(const struct cor_system_experiment *experiment, const char *key,
                                   const char *remedy, struct cor_error *error, const char *format, ...)
    COR_PRINTF(5, 6);
static enum cor_status complain_of(const struct cor_system_experiment *experiment, const char *key,
                                   const char *remedy, struct cor_error *error, const char *format, ...) {
    const struct cor_json root = cor_json_root(experiment->document);
    struct cor_json member;
    char cause[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    return cor_json_fail(cor_json_find(&root, key, &member) ? &member : &root, error, remedy, "%s", cause);
}

/* All rows, or those of a covering array: *levels[row][parameter], owned by the caller. */
static enum cor_status list_rows(const struct cor_system_experiment *experiment, uint32_t **levels,
                                 size_t *count, struct cor_error *error) {
    const uint32_t width = experiment->parameter_count;
    *levels = NULL;
    *count = 1;
    for (uint32_t p = 0; p < width && experiment->strength == 0; p++)
        if ((*count *= experiment->parameters[p].count) > COR_SYSTEM_ENTRIES_MAX)
            return complain_of(experiment, "examples", "say {\"strength\": 2} here: any two values meet",
                               error, "the examples have more than %d rows", COR_SYSTEM_ENTRIES_MAX);
    if (experiment->strength == 0) {
        COR_TRY(cor_made(*levels = cor_calloc(*count * width + 1, sizeof **levels), error));
        for (size_t row = 0; row < *count; row++) {
            size_t rest = row;
            for (uint32_t p = width; p-- > 0; rest /= experiment->parameters[p].count)
                (*levels)[row * width + p] = (uint32_t)(rest % experiment->parameters[p].count);
        }
        return COR_OK;
    }
    struct cor_combine_request request = cor_default_combine_request();
    COR_DESTROYED(cor_combine_model) struct cor_combine_model *model = NULL;
    COR_FINISHED(cor_combine_array) struct cor_combine_array array = {0};
    COR_FREED struct cor_combine_level *made = NULL;
    COR_FINISHED(cor_words) struct cor_words words = {0};
    cor_words_init(&words);
    COR_TRY(cor_combine_model_create(&words, &model, error));
    for (uint32_t p = 0; p < width; p++) {
        const struct cor_system_parameter *parameter = &experiment->parameters[p];
        COR_TRY(cor_made(made = cor_calloc(parameter->count, sizeof *made), error));
        for (uint32_t i = 0; i < parameter->count; i++)
            made[i] = (struct cor_combine_level){.text = parameter->texts[i], .value = cor_integer(i)};
        COR_TRY(cor_combine_add_parameter(model, parameter->name, COR_VALUE_TYPE_INTEGER, made,
                                          parameter->count, experiment->head.path, error));
        free(made);
        made = NULL;
    }
    request.policy = COR_COMBINE_T_WISE;
    request.strength = experiment->strength;
    request.moves = COMBINE_MOVES;
    COR_TRY(cor_combine_generate(model, &request, &array, error));
    *levels = array.levels;
    *count = array.row_count;
    array.levels = NULL;
    return COR_OK;
}

static char *entry_name(const struct cor_system_experiment *experiment,
                        const struct cor_system_entry *entry) {
    COR_FREED char *values = cor_strdup("");
    for (uint32_t p = 0; p < experiment->parameter_count; p++)
        values = cor_join_take(values, ", ",
                               cor_format("%s = %s", experiment->parameters[p].name,
                                          experiment->parameters[p].texts[entry->levels[p]]));
    if (!values || *values == '\0') {
        return values ? cor_strdup(experiment->tests[entry->test].name) : NULL;
    }
    return cor_format("%s [%s]", experiment->tests[entry->test].name, values);
}

static enum cor_status list_entries(struct cor_system_experiment *experiment, struct cor_error *error) {
    const uint32_t width = experiment->parameter_count;
    COR_FREED uint32_t *levels = NULL;
    size_t rows;
    enum cor_status status = list_rows(experiment, &levels, &rows, error);
    if (status == COR_OK && rows * experiment->test_count > COR_SYSTEM_ENTRIES_MAX)
        status = complain_of(experiment, "tests", "take fewer examples, or tests", error,
                             "%u tests with %zu examples each are more than %d", experiment->test_count, rows,
                             COR_SYSTEM_ENTRIES_MAX);
    COR_TRY(status);
    experiment->entries = cor_calloc(rows * experiment->test_count, sizeof *experiment->entries);
    COR_TRY(cor_made(experiment->entries, error));
    for (uint32_t t = 0; t < experiment->test_count; t++)
        for (size_t row = 0; row < rows; row++) {
            struct cor_system_entry *entry = &experiment->entries[experiment->entry_count++];
            entry->test = t;
            memcpy(entry->levels, levels + row * width, width * sizeof *levels);
            COR_TRY(cor_made(entry->name = entry_name(experiment, entry), error));
        }
    return status;
}

/* ---- tests */

static enum cor_status read_test_name(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct reading *reading = into;
    const struct cor_system_experiment *experiment = reading->experiment;
    COR_TRY(cor_json_string(json, &reading->test->name, error));
    return cor_json_check_name(
        json, reading->test->name, NAME_BYTES_MAX,
        COR_RECORD_NAMES(experiment->tests, experiment->test_count, struct cor_system_test, name), "a test",
        error);
}

static enum cor_status read_agent_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_system_test *test = ((const struct reading *)into)->test;
    const char **name = &test->agents[test->agent_count];
    COR_TRY(cor_json_string(json, name, error));
    return cor_json_check_name(json, *name, NAME_BYTES_MAX, COR_WORD_NAMES(test->agents, test->agent_count),
                               "a test agent", error);
}

/* It is read where the world is known; a program must be trusted before. */
static enum cor_status check_policy(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct reading *reading = into;
    struct cor_json program;
    const char *command;
    if (!cor_json_is_object(json) || !cor_json_find(json, "program", &program))
        return COR_OK;
    COR_TRY(cor_json_string(&program, &command, error));
    return guest_add(reading->experiment, command,
                     reading->arm ? (uint32_t)(reading->arm - reading->experiment->arms) : COR_NONE,
                     reading->options, error);
}

/* Goals are read where the world is known. */
static const struct cor_field agent_fields[] = {
    {"name", COR_REQUIRED, COR_READ_FIELD(read_agent_name)},
    {"goal", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"budget", COR_OPTIONAL, COR_SAID_INTEGER_FIELD(0, INT64_MAX)},
    {"patience", COR_OPTIONAL, COR_SAID_INTEGER_FIELD(0, INT64_MAX)},
    {"policy", COR_OPTIONAL, COR_READ_FIELD(check_policy)},
    {"observer", COR_OPTIONAL, COR_SAID_BOOL_FIELD},
    {0}};

static enum cor_status read_agents(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_system_test *test = ((const struct reading *)into)->test;
    COR_TRY(cor_json_expect_array(json, 1, COR_TEST_AGENTS_MAX, error));
    COR_JSON_CHILDREN(item, json) {
        COR_TRY(cor_json_fields(&item, agent_fields, into, error));
        struct cor_json goal, member;
        bool is_observer = false;
        const bool has_goal = cor_json_find(&item, "goal", &goal);
        if (cor_json_find(&item, "observer", &member))
            COR_TRY(cor_json_bool(&member, &is_observer, error));
        if (!has_goal && !is_observer)
            return cor_json_fail(&item, error, "one that only looks is an \"observer\": true",
                                 "has no \"goal\"");
        if (has_goal && is_observer)
            return cor_json_fail(&goal, error, "leave one of them out", "an observer only looks");
        if (is_observer &&
            (cor_json_find(&item, "budget", &member) || cor_json_find(&item, "patience", &member) ||
             cor_json_find(&item, "policy", &member)))
            return cor_json_fail(&member, error, "leave it out", "an observer only looks");
        COR_TRY(cor_json_note_default(&item, "observer", "false", error));
        test->agent_count++;
    }
    return COR_OK;
}

static const struct cor_field cycle_fields[] = {
    {"cycles", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_system_test, cycles, 1, COR_SYSTEM_CYCLES_MAX)},
    {0}};

static const struct cor_field test_fields[] = {{"name", COR_REQUIRED, COR_READ_FIELD(read_test_name)},
                                               COR_ROWS_THROUGH(struct reading, test, cycle_fields),
                                               {"setup", COR_OPTIONAL, COR_SAID_ARRAY_FIELD(0, 10000)},
                                               {"agents", COR_REQUIRED, COR_READ_FIELD(read_agents)},
                                               {0}};

static enum cor_status read_tests(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    struct cor_system_experiment *experiment = reading->experiment;
    COR_TRY(cor_json_expect_array(json, 1, COR_SYSTEM_TESTS_MAX, error));
    COR_TRY(cor_made(experiment->tests = cor_calloc(cor_json_size(json), sizeof *experiment->tests), error));
    COR_JSON_CHILDREN(item, json) {
        reading->test = &experiment->tests[item.index];
        reading->test->cycles = CYCLES_USUAL;
        COR_TRY(cor_json_fields(&item, test_fields, reading, error));
        experiment->test_count++;
    }
    return COR_OK;
}

/* ---- arms */

static enum cor_status read_arm_name(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct reading *reading = into;
    const struct cor_system_arm *arms = reading->experiment->arms;
    COR_TRY(cor_json_string(json, &reading->arm->name, error));
    return cor_json_check_name(
        json, reading->arm->name, NAME_BYTES_MAX,
        COR_RECORD_NAMES(arms, (size_t)(reading->arm - arms), struct cor_system_arm, name), "an arm", error);
}

static enum cor_status read_mutant(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct reading *reading = into;
    if (cor_json_is_null(json))
        return COR_OK;
    COR_TRY(cor_json_string(json, &reading->arm->mutant, error));
    return system_layer__world_change(reading->experiment->world, json, &reading->arm->changed, error);
}

/* Why the mutant is proven to do what the system does. */
static enum cor_status read_equivalent(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct reading *reading = into;
    COR_TRY(cor_json_string(json, &reading->arm->equivalent, error));
    return reading->arm->mutant
               ? COR_OK
               : cor_json_fail(json, error, "say it of an arm with a mutant", "the arm has no mutant");
}

static const struct cor_field arm_fields[] = {{"name", COR_REQUIRED, COR_READ_FIELD(read_arm_name)},
                                              {"mutant", COR_OPTIONAL, COR_READ_FIELD(read_mutant)},
                                              {"policy", COR_OPTIONAL, COR_READ_FIELD(check_policy)},
                                              {"equivalent", COR_OPTIONAL, COR_READ_FIELD(read_equivalent)},
                                              {"goal", COR_OPTIONAL, COR_KNOWN_FIELD},
                                              {0}};

/* What the result file says of an arm. */
static enum cor_status describe(const struct cor_system_experiment *experiment, struct cor_system_arm *arm,
                                const struct cor_json *json, struct cor_error *error) {
    struct cor_json_writer *writer;
    struct cor_json policy;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "world", experiment->world->maker->key);
    cor_json_put_string(writer, "mutant", arm->mutant);
    if (arm->equivalent)
        cor_json_put_string(writer, "equivalent", arm->equivalent);
    if (json && cor_json_find(json, "policy", &policy))
        cor_json_put_value(writer, "policy", &policy);
    cor_json_close(writer);
    return cor_json_text_take(writer, 0, &arm->description, error);
}

static enum cor_status read_arms(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    struct cor_system_experiment *experiment = reading->experiment;
    COR_TRY(cor_json_expect_array(json, 1, ARMS_MAX, error));
    COR_TRY(cor_made(experiment->arms = cor_calloc(cor_json_size(json), sizeof *experiment->arms), error));
    COR_JSON_CHILDREN(item, json) {
        reading->arm = &experiment->arms[experiment->head.arm_count++];
        COR_TRY(cor_json_fields(&item, arm_fields, reading, error));
        COR_TRY(describe(experiment, reading->arm, &item, error));
    }
    reading->arm = NULL;
    return COR_OK;
}

/* ---- the whole */

/* Conditions and formulas, each with its name: read where the world is known. */
static const char *named(const struct cor_json *list) {
    return list->key[0] == 's' ? "states" : list->key[0] == 'a' ? "invariants" : "formulas";
}

static enum cor_status check_name(const struct cor_json *json, void *into, struct cor_error *error) {
    char what[32];
    snprintf(what, sizeof what, "one of the %s", named(json->parent));
    COR_TRY(cor_json_any_string(json, into, error));
    return cor_json_check_name(json, json->key, NAME_BYTES_MAX, COR_NO_NAMES, what, error);
}

static enum cor_status check_named(const struct cor_json *json, void *into, struct cor_error *error) {
    const size_t most = json->key[0] == 's' ? COR_SYSTEM_STATES_MAX : COR_SYSTEM_JUDGED_MAX;
    if (cor_json_is_object(json) && cor_json_size(json) > most)
        return cor_json_fail(json, error, NULL, "more than %zu %s", most, named(json));
    return cor_json_each_member(json, check_name, into, error);
}

static enum cor_status read_runs(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_json stop; /* 0 is endless, until that */
    return cor_json_count(json, !cor_json_find(json->parent, "stop", &stop), 1000000,
                          &((const struct reading *)into)->experiment->runs, error);
}

static enum cor_status read_seed(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_word(json, &((const struct reading *)into)->experiment->head.seed, error);
}

static const struct cor_field fields[] = {{"name", COR_OPTIONAL, COR_KNOWN_FIELD},
                                          {"description", COR_OPTIONAL, COR_KNOWN_FIELD},
                                          {"system", COR_REQUIRED, COR_READ_FIELD(read_world)},
                                          {"model", COR_OPTIONAL, COR_READ_FIELD(read_model)},
                                          {"seed", COR_OPTIONAL, COR_READ_FIELD(read_seed)},
                                          {"runs", COR_OPTIONAL, COR_READ_FIELD(read_runs)},
                                          {"entities", COR_OPTIONAL, COR_SAID_OBJECT_FIELD},
                                          {"examples", COR_OPTIONAL, COR_READ_FIELD(read_examples)},
                                          {"goals", COR_OPTIONAL, COR_SAID_OBJECT_FIELD},
                                          {"states", COR_OPTIONAL, COR_READ_FIELD(check_named)},
                                          {"always", COR_OPTIONAL, COR_READ_FIELD(check_named)},
                                          {"formulas", COR_OPTIONAL, COR_READ_FIELD(check_named)},
                                          {"tests", COR_REQUIRED, COR_READ_FIELD(read_tests)},
                                          {"arms", COR_OPTIONAL, COR_READ_FIELD(read_arms)},
                                          {"stop", COR_OPTIONAL, COR_KNOWN_FIELD},
                                          {"properties", COR_OPTIONAL, COR_KNOWN_FIELD},
                                          {0}};

/* A table of learnt values that is a file, as the object that stands there. */
static enum cor_status put_table(const struct cor_json *named, const char *key,
                                 struct cor_json_writer *writer, struct cor_error *error) {
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    const enum cor_status status = cor_json_read_named(named, &document, error);
    if (status == COR_OK) {
        const struct cor_json root = cor_json_root(document);
        cor_json_put_value(writer, key, &root);
    }
    return status;
}

/* "q.json", {"q": {"table": "q.json"}}, or any other policy. */
static enum cor_status put_policy(const struct cor_json *policy, struct cor_json_writer *writer,
                                  struct cor_error *error) {
    struct cor_json learning, table;
    const char *text;
    if (cor_json_is_string(policy) && cor_json_string(policy, &text, NULL) == COR_OK &&
        (strchr(text, '.') || strchr(text, '/')))
        return put_table(policy, "policy", writer, error);
    if (!cor_json_is_object(policy) || !cor_json_find(policy, "q", &learning) ||
        !cor_json_is_object(&learning) || !cor_json_find(&learning, "table", &table) ||
        !cor_json_is_string(&table)) {
        cor_json_put_value(writer, "policy", policy);
        return COR_OK;
    }
    cor_json_open_object(writer, "policy");
    cor_json_open_object(writer, "q");
    COR_JSON_CHILDREN(item, &learning) {
        if (strcmp(item.key, "table") == 0)
            COR_TRY(put_table(&item, "table", writer, error));
        else
            cor_json_put_value(writer, item.key, &item);
    }
    cor_json_close(writer);
    cor_json_close(writer);
    return COR_OK;
}

/* Arms, tests and their test agents: what has a policy. */
static enum cor_status put_choosers(const struct cor_json *list, struct cor_json_writer *writer,
                                    struct cor_error *error) {
    cor_json_open_array(writer, list->key);
    COR_JSON_CHILDREN(item, list) {
        cor_json_open_object(writer, NULL);
        COR_JSON_CHILDREN(member, &item) {
            if (strcmp(member.key, "policy") == 0)
                COR_TRY(put_policy(&member, writer, error));
            else if (strcmp(member.key, "agents") == 0)
                COR_TRY(put_choosers(&member, writer, error));
            else
                cor_json_put_value(writer, member.key, &member);
        }
        cor_json_close(writer);
    }
    cor_json_close(writer);
    return COR_OK;
}

/* The model of the world as the file has it, whatever an arm changes in it. */
static enum cor_status make_own_model(struct cor_system_experiment *experiment, struct cor_error *error) {
    const struct system_layer__world *world = experiment->world;
    struct cor_error said = COR_NO_ERROR;
    COR_FREED char *text = NULL;
    if (world->maker->model)
        return COR_OK; /* it is judged by it anyway */
    if (!world->maker->write_model)
        return complain_of(experiment, "model", "\"model\": \"FILE\"", error,
                           "no model of a world of \"%s\" is known", world->maker->key);
    enum cor_status status = world->maker->write_model(world, &text, &said);
    if (status == COR_OK)
        status = cor_efsm_parse(text, experiment->head.path, &experiment->model, &said);
    if (status == COR_STATUS_INPUT)
        return complain_of(experiment, "model", said.remedy, error, "%s", said.cause);
    return status == COR_OK ? COR_OK : cor_fail(error, status, said.place, said.remedy, "%s", said.cause);
}

/* The text with all that it names. */
static enum cor_status put_text(struct cor_system_experiment *experiment, const struct cor_json *root,
                                struct cor_error *error) {
    COR_DESTROYED(cor_json_writer) struct cor_json_writer *writer = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    COR_JSON_CHILDREN(item, root) {
        if (strcmp(item.key, "tests") == 0 || strcmp(item.key, "arms") == 0)
            COR_TRY(put_choosers(&item, writer, error));
        else if (strcmp(item.key, "model") == 0 && !experiment->has_own_model) {
            const struct cor_json model = cor_json_root(experiment->model->document);
            cor_json_put_value(writer, item.key, &model);
        } else if (strcmp(item.key, "system") != 0)
            cor_json_put_value(writer, item.key, &item);
        else {
            cor_json_open_object(writer, item.key);
            experiment->world->maker->put(experiment->world, writer);
            cor_json_close(writer);
        }
    }
    cor_json_close(writer);
    status = cor_json_text_take(writer, 0, &experiment->head.text, error);
    writer = NULL;
    return status;
}

/* All that the file says of worlds can be meant: every test in every arm, as far as they are not too many;
 * then every test in the first arm, and the first test in every arm. */
static enum cor_status make_rigs(struct cor_system_experiment *experiment,
                                 const struct system_layer__script *script, uint32_t suite,
                                 struct cor_error *error) {
    const bool all = (uint64_t)experiment->head.arm_count * experiment->entry_count <= RIGS_CHECKED;
    struct cor_words *names = experiment->names;
    uint32_t word;
    COR_TRY(cor_words_intern(&names[COR_SYSTEM_NAMES_AGENT], "-", &word, error));
    COR_TRY(cor_words_intern(&names[COR_SYSTEM_NAMES_GOAL], "-", &word, error));
    for (uint32_t a = 0; a < experiment->head.arm_count; a++)
        for (uint32_t e = 0; e < experiment->entry_count; e++)
            if (script ? e == suite % experiment->entry_count : all || a == 0 || e == 0) {
                COR_DESTROYED(system_layer__rig) struct system_layer__rig *rig = NULL;
                COR_TRY(system_layer__rig_create(experiment, a, e, script, names, &rig, error));
            }
    for (int n = 0; n < COR_SYSTEM_NAMES_COUNT; n++)
        if (names[n].count > UINT16_MAX)
            return cor_fail(error, COR_STATUS_INPUT, experiment->head.path, NULL,
                            "names more than a result file can tell apart (%u)", UINT16_MAX);
    return COR_OK;
}

enum cor_status system_layer__experiment_parse(const char *text, const char *path,
                                               const struct cor_layer_options *options,
                                               struct system_layer__script *script_take, uint32_t suite,
                                               struct cor_system_experiment **experiment,
                                               struct cor_error *error) {
    struct cor_system_experiment *made = cor_calloc(1, sizeof *made);
    struct reading reading = {.experiment = made, .options = options};
    enum cor_status status = COR_OK;
    *experiment = NULL;
    if (!made)
        system_layer__script_destroy(script_take);
    COR_TRY(cor_made(made, error));
    made->runs = 1;
    made->script = script_take;
    for (int n = 0; n < COR_SYSTEM_NAMES_COUNT; n++)
        cor_words_init(&made->names[n]);
    COR_TRY_OUT(cor_world_programs_create(&made->programs, error));
    COR_TRY_OUT(cor_made(made->head.path = cor_strdup(path), error));
    COR_TRY_OUT(cor_json_parse(text, path, &made->document, error));
    if (options && options->origins)
        COR_TRY_OUT(cor_json_record(made->document, options->origins, error));
    const struct cor_json root = cor_json_root(made->document);
    if (!made->script)
        COR_TRY_OUT(cor_json_expect_kind(&root, COR_KIND_SYSTEM_EXPERIMENT, error));
    COR_TRY_OUT(cor_json_fields(&root, fields, &reading, error));
    COR_TRY_OUT(cor_json_note_default(&root, "seed", "0", error));
    COR_TRY_OUT(cor_json_note_default_number(&root, "runs", made->runs, error));
    if (made->has_own_model)
        COR_TRY_OUT(make_own_model(made, error));
    if (!made->arms) {
        /* A file without arms has one. */
        COR_TRY_OUT(cor_made(made->arms = cor_calloc(1, sizeof *made->arms), error));
        made->head.arm_count = 1;
        made->arms[0].name = "system";
        COR_TRY_OUT(cor_json_note_default_word(&root, "arms/0/name", made->arms[0].name, error));
        COR_TRY_OUT(describe(made, &made->arms[0], NULL, error));
    }
    COR_TRY_OUT(list_entries(made, error));
    if ((uint64_t)made->runs * made->entry_count >= UINT32_MAX)
        COR_TRY_OUT(complain_of(made, "runs", "take fewer", error,
                                "%u runs of %u tests with their examples are too many", made->runs,
                                made->entry_count));
    made->head.suite_count = made->runs * made->entry_count;
    COR_TRY_OUT(put_text(made, &root, error));
    COR_TRY_OUT(cor_experiment_head_arms(&made->head, made->head.arm_count, error));
    for (uint32_t a = 0; a < made->head.arm_count; a++)
        made->head.arms[a] = (struct cor_arm_head){.name = made->arms[a].name,
                                                   .description = made->arms[a].description,
                                                   .foreign = made->guest_count > 0 || made->runs_code};
    made->head.resumable =
        made->guest_count == 0 && !made->runs_code; /* what programs do the text does not say */
    made->is_free = options && options->isolation == (int)COR_ISOLATION_NEVER;
    made->is_full = options && options->isolation_required;
    if (options)
        COR_TRY_OUT(cor_traffic_open(options->record_traffic, options->replay_traffic, options->replace,
                                     &made->traffic, error));
    if (script_take && suite >= made->head.suite_count)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, path, "\"runs\" says how often each is carried out",
                             "is of suite %u, and has %u tests, counted from 0", suite,
                             made->head.suite_count));
    COR_TRY_OUT(make_rigs(made, script_take, suite, error));
out:
    if (status != COR_OK)
        cor_system_experiment_destroy(made);
    else
        *experiment = made;
    return status;
}

enum cor_status cor_system_experiment_parse(const char *text, const char *path,
                                            const struct cor_layer_options *options,
                                            struct cor_system_experiment **experiment,
                                            struct cor_error *error) {
    return system_layer__experiment_parse(text, path, options, NULL, 0, experiment, error);
}

enum cor_status cor_system_experiment_read(const char *path, const struct cor_layer_options *options,
                                           struct cor_system_experiment **experiment,
                                           struct cor_error *error) {
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    COR_FREED char *text = NULL;
    *experiment = NULL;
    COR_TRY(cor_json_read(path, &document, error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY(cor_made(text = cor_json_text(&root), error));
    return cor_system_experiment_parse(text, path, options, experiment, error);
}

void cor_system_experiment_destroy(struct cor_system_experiment *experiment) {
    if (!experiment)
        return;
    for (uint32_t a = 0; a < experiment->head.arm_count && experiment->arms; a++) {
        system_layer__world_destroy(experiment->arms[a].changed);
        COR_FREE(experiment->arms[a].description, experiment->arms[a].digest);
    }
    for (uint32_t g = 0; g < experiment->guest_count; g++)
        cor_guest_files_fini(&experiment->guests[g].files);
    COR_FREE(experiment->guests, experiment->arms);
    system_layer__world_destroy(experiment->world);
    cor_efsm_destroy(experiment->model);
    for (uint32_t p = 0; p < experiment->parameter_count; p++) {
        for (uint32_t i = 0; i < experiment->parameters[p].count; i++)
            free(experiment->parameters[p].texts[i]);
        COR_FREE(experiment->parameters[p].texts, experiment->parameters[p].values);
    }
    for (uint32_t e = 0; e < experiment->entry_count; e++)
        free(experiment->entries[e].name);
    COR_FREE(experiment->entries, experiment->tests);
    for (int n = 0; n < COR_SYSTEM_NAMES_COUNT; n++)
        cor_words_fini(&experiment->names[n]);
    cor_json_destroy(experiment->document);
    cor_world_programs_destroy(experiment->programs);
    cor_traffic_close(experiment->traffic);
    cor_experiment_head_fini(&experiment->head);
    system_layer__script_destroy(experiment->script);
    free(experiment);
}
