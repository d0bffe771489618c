/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Test files: a schedule with all that it takes to execute it again, an event a line. An experiment with one
 * arm, and beside its members
 *   "process_test": {"suite": 0, "sequence": 17, "expected": "agreed", "tick": 4031}
 *   "schedule": [["deliver", 2, 0, "append", 0, 1370], ..]
 * An event is its kind, what the kind says, and the tick. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/json_names.h>
#include <corridor/subject_file.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- events as lines */

/* What stands between the kind and the tick. */
enum part { END, PROCESS, PEER, MESSAGE, ALARM, INPUT, CELL, ORDINAL, DELAY, WAY, TICKS, GROUP, OTHER };
enum { PARTS_MOST = 5 };

static const char *const part_names[] = {
    [PROCESS] = "process", [PEER] = "peer",   [MESSAGE] = "kind of message",
    [ALARM] = "alarm",     [INPUT] = "input", [CELL] = "cell",
    [ORDINAL] = "number",  [DELAY] = "delay", [WAY] = "way",
    [TICKS] = "ticks",     [GROUP] = "group", [OTHER] = "other group"};
static const char *const ways[] = {"ahead", "back", NULL};

static const enum part forms[COR_PROCESS_EVENT_KIND_COUNT][PARTS_MOST] = {
    [COR_PROCESS_EVENT_DELIVER] = {PROCESS, PEER, MESSAGE, ORDINAL},
    [COR_PROCESS_EVENT_LOSE] = {PROCESS, PEER, MESSAGE, ORDINAL},
    [COR_PROCESS_EVENT_DUPLICATE] = {PROCESS, PEER, MESSAGE, ORDINAL},
    [COR_PROCESS_EVENT_TIME_OUT] = {PROCESS, ALARM},
    [COR_PROCESS_EVENT_DISK] = {PROCESS},
    [COR_PROCESS_EVENT_DISK_ERROR] = {PROCESS},
    [COR_PROCESS_EVENT_INPUT] = {PROCESS, INPUT, ORDINAL},
    [COR_PROCESS_EVENT_CRASH] = {PROCESS, ORDINAL},
    [COR_PROCESS_EVENT_CRASH_TORN] = {PROCESS, ORDINAL},
    [COR_PROCESS_EVENT_CRASH_LOST] = {PROCESS, CELL, ORDINAL},
    [COR_PROCESS_EVENT_RESTART] = {PROCESS},
    [COR_PROCESS_EVENT_PAUSE] = {PROCESS},
    [COR_PROCESS_EVENT_RESUME] = {PROCESS},
    [COR_PROCESS_EVENT_CUT] = {PROCESS, PEER},
    [COR_PROCESS_EVENT_HEAL] = {PROCESS, PEER},
    [COR_PROCESS_EVENT_JUMP] = {PROCESS, WAY, ORDINAL},
    [COR_PROCESS_EVENT_DRIFT] = {PROCESS, ORDINAL},
    [COR_PROCESS_EVENT_TICK] = {END},
    [COR_PROCESS_EVENT_PART] = {GROUP, OTHER},
    [COR_PROCESS_EVENT_UNITE] = {END},
    [COR_PROCESS_EVENT_JOIN] = {PROCESS},
    [COR_PROCESS_EVENT_LEAVE] = {PROCESS},
    [COR_PROCESS_EVENT_DEFAULT] = {DELAY},
    [COR_PROCESS_EVENT_LOSE_ALL] = {PROCESS, PEER, TICKS},
};

/* A message, an input: by name, of which program->name has them. */
static enum cor_status read_name(const struct cor_json *json, const struct cor_process *program,
                                 bool is_input, uint32_t *what, struct cor_error *error) {
    const struct cor_names inputs = COR_RECORD_NAMES(program->inputs, program->input_count,
                                                     struct cor_process_input, name),
                           messages = COR_RECORD_NAMES(program->messages, program->message_count,
                                                       struct cor_process_message, name);
    const char *name;
    COR_TRY(cor_json_string(json, &name, error));
    return cor_json_find_name(json, is_input ? inputs : messages, name, what, error, "%s has no %s \"%.80s\"",
                              program->name, part_names[is_input ? INPUT : MESSAGE], name);
}

static enum cor_status read_number(const struct cor_json *json, uint32_t count, uint32_t *process,
                                   struct cor_error *error) {
    int64_t number = 0;
    COR_TRY(cor_json_integer(json, 0, INT64_C(1) << 53, &number, error));
    if (number >= count)
        return cor_json_fail(json, error, NULL, "there is no process %" PRId64 ": they are 0 to %u", number,
                             count - 1);
    *process = (uint32_t)number;
    return COR_OK;
}

/* One of the two groups of a partition, as bits. */
static enum cor_status read_group(const struct cor_json *json, uint32_t count, uint32_t *group,
                                  struct cor_error *error) {
    if (count > COR_PARTITION_MEMBERS)
        return cor_json_fail(json, error, "\"halves\" or \"bridge\" and a number, or \"alone\" and a process",
                             "groups by their members are of %u processes at most, and here are %u",
                             COR_PARTITION_MEMBERS, count);
    COR_TRY(cor_json_expect_array(json, 0, count, error));
    *group = 0;
    COR_JSON_CHILDREN(item, json) {
        uint32_t process;
        COR_TRY(read_number(&item, count, &process, error));
        if (*group >> process & 1)
            return cor_json_fail(&item, error, "name it once", "process %u stands there twice", process);
        *group |= 1u << process;
    }
    if (*group == 0)
        return cor_json_fail(json, error, "name who is in it: [0, 2]", "a partition has nobody in a group");
    if (*group == (1u << count) - 1)
        return cor_json_fail(json, error, "leave some out",
                             "a partition has all in one group: nobody is cut off");
    return COR_OK;
}

static const char *const partitions[] = {
#define WORD(NAME, word) word,
    COR_PARTITIONS(WORD)
#undef WORD
        NULL};

/* The second part of a partition: the number of one that is drawn, who is alone, or the other group. */
static enum cor_status read_other(const struct cor_json *json, uint32_t count, struct cor_choice *event,
                                  struct cor_error *error) {
    static const char *const remedies[COR_PARTITION_COUNT] = {
        [COR_PARTITION_RING] = "four processes at least, or two groups: [0], [1, 2]",
        [COR_PARTITION_BRIDGE] = "three processes at least",
        [COR_PARTITION_ALONE] = "two processes at least",
        [COR_PARTITION_HALVES] = "two processes at least"};
    uint32_t group;
    if (event->what == COR_PARTITION_ALONE)
        COR_TRY(read_number(json, count, &event->nth, error));
    else if (event->what != COR_PARTITION_GROUPS)
        COR_TRY(cor_json_count(json, 0, UINT32_MAX, &event->nth, error));
    if (event->what != COR_PARTITION_GROUPS) {
        const struct cor_process_event drawn = {.what = (uint8_t)event->what, .ordinal = event->nth};
        return cor_process_partition(&drawn, count, NULL)
                   ? COR_OK
                   : cor_json_fail(json, error, remedies[event->what],
                                   event->what == COR_PARTITION_RING
                                       ? "a %s of %u processes cuts nobody off"
                                       : "\"%s\" of %u processes cuts nobody off",
                                   partitions[event->what], count);
    }
    COR_TRY(read_group(json, count, &group, error));
    const uint32_t missing = ((1u << count) - 1) & ~(event->nth >> 16 | group);
    event->nth |= group;
    return missing == 0 ? COR_OK
                        : cor_json_fail(json, error, "each is in one group, or in both",
                                        "process %u is in neither group", (unsigned)__builtin_ctz(missing));
}

static enum cor_status read_part(const struct cor_json *json, enum part part,
                                 const struct cor_process *program, uint32_t count, struct cor_choice *event,
                                 struct cor_error *error) {
    static const int64_t most[] = {[ALARM] = COR_PROCESS_ALARMS_MAX - 1, [CELL] = COR_PROCESS_CELLS_MAX - 1};
    uint32_t process = 0;
    int way;
    switch (part) {
    case PROCESS:
    case PEER:
        COR_TRY(read_number(json, count, &process, error));
        *(part == PROCESS ? &event->who : &event->of) = (uint16_t)process;
        return COR_OK;
    case GROUP:
        if (cor_json_is_string(json)) {
            COR_TRY(cor_json_one_of(json, partitions + 1, "partition", &way, error));
            event->what = (uint32_t)way + 1;
            return COR_OK;
        }
        COR_TRY(read_group(json, count, &process, error));
        event->nth = process << 16;
        return COR_OK;
    case OTHER:
        return read_other(json, count, event, error);
    case MESSAGE:
    case INPUT:
        return read_name(json, program, part == INPUT, &event->what, error);
    case ALARM:
    case CELL:
        return cor_json_count(json, 0, most[part], &event->what, error);
    case WAY:
        COR_TRY(cor_json_one_of(json, ways, "way", &way, error));
        event->what = (uint32_t)way;
        return COR_OK;
    case ORDINAL:
    case DELAY:
    case TICKS:
        return cor_json_count(json, 0, UINT32_MAX, &event->nth, error);
    case END:
        break;
    }
    return COR_OK;
}

static const char *kind_word(const void *none, size_t kind) {
    (void)none;
    return cor_process_event_kind_word((enum cor_process_event_kind)kind);
}

static enum cor_status read_kind(const struct cor_json *json, uint32_t *kind, struct cor_error *error) {
    const char *word;
    COR_TRY(cor_json_string(json, &word, error));
    return cor_json_find_name(json, COR_SAID_NAMES(kind_word, NULL, COR_PROCESS_EVENT_KIND_COUNT), word, kind,
                              error, "no event is called \"%.80s\"", word);
}

enum cor_status process_layer__event_read(const struct cor_json *json, const struct cor_process *program,
                                          uint32_t count, uint64_t least, struct cor_choice *event,
                                          struct cor_error *error) {
    uint32_t kind;
    size_t parts = 0;
    char form[200];
    int64_t tick;
    COR_TRY(cor_json_expect_array(json, 2, PARTS_MOST + 2, error));
    const struct cor_json first = cor_json_at(json, 0), last = cor_json_at(json, cor_json_size(json) - 1);
    COR_TRY(read_kind(&first, &kind, error));
    while (parts < PARTS_MOST && forms[kind][parts] != END)
        parts++;
    /* The form of a kind, for people: ["deliver", process, peer, kind of message, number, tick]. */
    const size_t size = sizeof form;
    size_t at = (size_t)snprintf(form, size, "[\"%s\"",
                                 cor_process_event_kind_word((enum cor_process_event_kind)kind));
    for (int i = 0; i < PARTS_MOST && forms[kind][i] != END && at < size; i++)
        at += (size_t)snprintf(form + at, size - at, ", %s", part_names[forms[kind][i]]);
    if (at < size)
        snprintf(form + at, size - at, ", tick]");
    if (cor_json_size(json) != parts + 2)
        return cor_json_fail(json, error, form, "such an event has %zu parts, this one %zu", parts + 2,
                             cor_json_size(json));
    *event = (struct cor_choice){.kind = (uint16_t)kind};
    for (size_t p = 0; p < parts; p++) {
        const struct cor_json item = cor_json_at(json, p + 1);
        COR_TRY(read_part(&item, forms[kind][p], program, count, event, error));
    }
    COR_TRY(cor_json_integer(&last, 0, INT64_C(1) << 53, &tick, error));
    event->at = (uint64_t)tick;
    if (event->at < least)
        return cor_json_fail(&last, error, "events stand in the order in which they happen",
                             "tick %" PRIu64 " lies before %" PRIu64 ", that of the event before", event->at,
                             least);
    return COR_OK;
}

/* ---- a test */

struct reading {
    uint32_t suite, sequence;
    uint64_t tick;
    const char *expected;
    struct cor_json at;
};

static const struct cor_field fields[] = {
    {"suite", COR_REQUIRED, COR_INTEGER_FIELD(struct reading, suite, 0, COR_PROCESS_SUITES_MAX)},
    {"sequence", COR_REQUIRED, COR_INTEGER_FIELD(struct reading, sequence, 0, COR_PROCESS_SEQUENCES_MAX)},
    {"expected", COR_REQUIRED, COR_STRING_FIELD(struct reading, expected), COR_PLACE_AT(struct reading, at)},
    {"tick", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, tick, 0, INT64_C(1) << 53)},
    {0}};

/* Words of what may be expected: names of constraints, then of ends. */
static const char *expected_word(const void *of, size_t index) {
    const struct cor_corridor *corridor = of;
    return index < corridor->constraint_count
               ? corridor->constraints[index].name
               : cor_process_end_word((enum cor_process_end)(index - corridor->constraint_count));
}

static enum cor_status find_expected(const struct reading *reading, const struct cor_corridor *corridor,
                                     const char **expected, struct cor_error *error) {
    uint32_t index;
    COR_TRY(cor_json_find_name(
        &reading->at,
        COR_SAID_NAMES(expected_word, corridor, (size_t)corridor->constraint_count + COR_PROCESS_END_COUNT),
        reading->expected, &index, error,
        "\"%.80s\" is no constraint of the corridor, and no end of a process", reading->expected));
    *expected = expected_word(corridor, index);
    return COR_OK;
}

/* Has it what tests of rules alone have, any of it? Then what is missing is said of these. */
static bool is_of_rules(const struct cor_subject_file *file) {
    static const char *const keys[] = {"start", "daemon", "fair", "loop"};
    struct cor_json member, word;
    const char *text = NULL;
    struct cor_error none = COR_NO_ERROR;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (cor_json_find(&file->own, keys[k], &member))
            return true;
    if (!cor_json_is_array(&file->schedule) || cor_json_size(&file->schedule) == 0)
        return false;
    member = cor_json_at(&file->schedule, 0);
    if (!cor_json_is_array(&member) || cor_json_size(&member) == 0)
        return false;
    word = cor_json_at(&member, 0);
    return cor_json_is_string(&word) && cor_json_string(&word, &text, &none) == COR_OK &&
           strcmp(text, "move") == 0;
}

enum cor_status process_layer__test_read(const char *text, const char *path,
                                         const struct cor_layer_options *options,
                                         struct cor_subject_test *test, struct cor_error *error) {
    struct reading reading = {0};
    struct cor_subject_file file = {0};
    struct cor_process_experiment *experiment = NULL;
    struct cor_choices *choices = &test->choices;
    enum cor_status status = COR_OK;
    *test = (struct cor_subject_test){0};
    COR_TRY_OUT(cor_subject_file_read(text, path, COR_KIND_PROCESS_TEST, &file, error));
    const struct cor_json schedule = file.schedule;
    if (is_of_rules(&file)) {
        COR_TRY_OUT(process_layer__rules_test_read(&file, path, options, &experiment, test, error));
        if (options)
            COR_TRY_OUT(process_layer__look_at_isolation(experiment, options, &test->warnings, error));
        test->experiment = &experiment->head;
        goto out;
    }
    COR_TRY_OUT(cor_json_fields(&file.own, fields, &reading, error));
    COR_TRY_OUT(cor_process_experiment_parse(file.experiment, path, options, &experiment, error));
    COR_TRY_OUT(cor_subject_file_check_arms(&file, &experiment->head, error));
    if (options)
        COR_TRY_OUT(process_layer__look_at_isolation(experiment, options, &test->warnings, error));
    const struct cor_process_arm *arm = &experiment->arms[0];
    test->suite = reading.suite;
    test->sequence = reading.sequence;
    test->at = reading.tick;
    COR_TRY_OUT(find_expected(&reading, arm->corridor, &test->expected, error));
    COR_TRY_OUT(cor_json_expect_array(&schedule, 0, COR_PROCESS_EVENTS_MAX, error));
    COR_TRY_OUT(COR_RESERVE(&choices->items, &choices->capacity, cor_json_size(&schedule), error));
    COR_JSON_CHILDREN(item, &schedule) {
        COR_TRY_OUT(process_layer__event_read(&item, cor_process_description(arm->program), arm->count,
                                              item.index > 0 ? choices->items[item.index - 1].at : 0,
                                              &choices->items[item.index], error));
        choices->count++;
    }
    test->experiment = &experiment->head;
out:
    cor_subject_file_fini(&file);
    if (status != COR_OK) {
        cor_choices_fini(choices);
        cor_process_experiment_destroy(experiment);
    }
    return status;
}

/* ---- the text of a test */

/* A part of a partition. */
static char *tell_part(const struct cor_choice *event, enum part part) {
    if (event->what != COR_PARTITION_GROUPS)
        return part == GROUP ? cor_format("\"%s\"", partitions[event->what]) : cor_format("%u", event->nth);
    const struct cor_process_set set = {{part == GROUP ? event->nth >> 16 : event->nth & 0xffff}};
    return cor_join_take(cor_join_take(cor_strdup("["), "", process_layer__tell_members(&set)), "",
                         cor_strdup("]"));
}

char *process_layer__event_line(const struct cor_subject_test *test, const struct cor_choice *event) {
    const struct cor_process_experiment *experiment = (const void *)test->experiment;
    const struct cor_process *program = cor_process_description(experiment->arms[test->arm].program);
    char *line = cor_format("[\"%s\"", cor_process_event_kind_word((enum cor_process_event_kind)event->kind));
    for (int p = 0; p < PARTS_MOST && forms[event->kind][p] != END; p++) {
        const enum part part = forms[event->kind][p];
        const char *name = part == MESSAGE ? program->messages[event->what].name
                           : part == INPUT ? program->inputs[event->what].name
                           : part == WAY   ? ways[event->what != 0]
                                           : NULL;
        const uint32_t number = part == PROCESS                  ? event->who
                                : part == PEER                   ? event->of
                                : part >= ORDINAL && part != WAY ? event->nth
                                                                 : event->what;
        line = cor_join_take(line, ", ",
                             part >= GROUP ? tell_part(event, part)
                             : name        ? cor_format("\"%s\"", name)
                                           : cor_format("%u", number));
    }
    return cor_join_take(line, ", ", cor_format("%" PRIu64 "]", event->at));
}

static void put(const struct cor_subject_test *test, struct cor_json_writer *writer) {
    const struct cor_choices *choices = &test->choices;
    cor_json_put_integer(writer, "suite", test->suite);
    cor_json_put_integer(writer, "sequence", test->sequence);
    cor_json_put_string(writer, "expected", test->expected);
    if (choices->count > 0) /* a failing schedule ends with its failure */
        cor_json_put_integer(writer, "tick", (int64_t)choices->items[choices->count - 1].at);
}

enum cor_status process_layer__test_write(const struct cor_subject_test *test, char **text,
                                          struct cor_error *error) {
    if (test->scene)
        return process_layer__rules_test_write(test, text, error);
    static const char *const left_out[] = {"suites", "sequences", "log", "stop", "name", "description", NULL};
    static const struct cor_subject_file_form form = {COR_KIND_PROCESS_TEST, left_out, put,
                                                      process_layer__event_line};
    return cor_subject_file_text(&form, test, text, error);
}
