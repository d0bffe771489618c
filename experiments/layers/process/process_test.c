/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/json.h>
#include <corridor/process_again.h>
#include <corridor/process_shrink.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cor_process_again {
    const struct cor_process_arm *arm;
    struct process_layer__rig *rig;     /* owned */
    struct process_layer__apart *apart; /* owned; NULL: nothing was executed in a cell */
    size_t event_most;                  /* of a schedule there */
    bool is_doubted;                    /* the file expects a difference */
    bool is_careful;                    /* each schedule has a fresh child */
    struct process_layer__suite
        suite; /* of the last sequence; what it has seen, and which classes of failures */
    struct process_layer__report report;
    uint32_t next; /* the next sequence of the suite; 0: nothing was learnt */
};

enum cor_status cor_process_again_create(const struct cor_process_experiment *experiment, uint32_t arm,
                                         struct cor_process_again **again, struct cor_error *error) {
    *again = cor_calloc(1, sizeof **again);
    COR_TRY(cor_made(*again, error));
    (*again)->arm = &experiment->arms[arm];
    const enum cor_status status =
        process_layer__rig_create(experiment, arm, &experiment->arms[arm].traps, &(*again)->rig, error);
    if (status != COR_OK) {
        cor_process_again_destroy(*again);
        *again = NULL;
    }
    return status;
}

void cor_process_again_destroy(struct cor_process_again *again) {
    if (!again)
        return;
    process_layer__apart_destroy(again->apart);
    process_layer__rig_destroy(again->rig);
    process_layer__seen_fini(&again->suite.seen);
    free(again->suite.kept);
    process_layer__report_fini(&again->report);
    free(again);
}

struct cor_process_runner *cor_process_again_runner(struct cor_process_again *again) {
    return again->rig->runner;
}

void cor_process_again_expect(struct cor_process_again *again, const char *word) {
    again->is_doubted = strcmp(word, cor_process_end_word(COR_PROCESS_END_LEAKED)) == 0;
}

/* A cell for schedules of so many events. */
static enum cor_status need_apart(struct cor_process_again *again, size_t event_count,
                                  struct cor_error *error) {
    const size_t most = event_count > again->arm->events ? event_count : again->arm->events;
    if (again->apart && again->event_most >= most)
        return COR_OK;
    process_layer__apart_destroy(again->apart);
    again->apart = NULL;
    again->event_most = most;
    return process_layer__apart_create(again->rig, most, &again->apart, error);
}

/* is_whole: as one of all of its suite. */
static enum cor_status run_one(struct cor_process_again *again, uint32_t sequence, bool is_whole,
                               struct cor_error *error) {
    struct process_layer__suite *suite = &again->suite;
    bool is_first;
    if (!again->arm->is_apart && is_whole) {
        COR_TRY(process_layer__rig_run_settled(again->rig, suite, sequence, &again->report, error));
        return process_layer__has_failed(&again->report.outcome)
                   ? process_layer__keep_class(suite, &again->report.outcome, &is_first, error)
                   : COR_OK;
    }
    if (!again->arm->is_apart)
        return process_layer__rig_run(again->rig, suite->suite, sequence, &suite->seen, &again->report,
                                      error);
    COR_TRY(need_apart(again, 0, error));
    return process_layer__apart_again(again->apart, suite->suite, sequence, &suite->seen, again->is_doubted,
                                      &again->report, error);
}

enum cor_status cor_process_again_run(struct cor_process_again *again, uint32_t suite, uint32_t sequence,
                                      const struct cor_process_schedule **schedule,
                                      const struct cor_process_outcome **outcome, struct cor_error *error) {
    const bool learns = again->arm->generators[sequence % again->arm->generator_count]->learn != NULL,
               is_whole = learns || (again->is_doubted && process_layer__has_child(again->rig));
    *schedule = &again->report.schedule;
    *outcome = &again->report.outcome;
    if (!is_whole || again->next == 0 || suite != again->suite.suite || sequence < again->next) {
        process_layer__seen_clear(&again->suite.seen);
        again->suite.kept_count = 0;
        if (learns && again->apart)
            process_layer__apart_end(again->apart);
        COR_TRY(process_layer__rig_restart(again->rig, error));
        again->next = is_whole ? 0 : sequence;
    }
    again->suite.suite = suite;
    for (; again->next < sequence; again->next++)
        COR_TRY(run_one(again, again->next, is_whole, error));
    COR_TRY(run_one(again, sequence, is_whole, error));
    again->next = is_whole ? sequence + 1 : 0;
    return COR_OK;
}

/* Schedules that are not made by the generators of the arm: nobody learns from them, or counts states. */
static enum cor_status prepare(struct cor_process_again *again, const struct cor_process_schedule *schedules,
                               uint32_t count, struct cor_error *error) {
    size_t most = 0;
    if (!again->arm->is_apart) {
        cor_process_runner_forget(again->rig->runner);
        cor_process_runner_listen(again->rig->runner, NULL);
        return COR_OK;
    }
    for (uint32_t s = 0; s < count; s++)
        most = schedules[s].count > most ? schedules[s].count : most;
    return need_apart(again, most, error);
}

/* In this process. What is expected to come out otherwise is executed twice by one child. */
static enum cor_status execute_here(void *self, const struct cor_stream_name *name,
                                    const struct cor_process_schedule *schedule,
                                    struct cor_process_schedule *executed,
                                    struct cor_process_outcome *outcome, struct cor_error *error) {
    const struct cor_process_again *again = self;
    struct cor_process_runner *runner = again->rig->runner;
    const bool is_doubted = again->is_doubted && process_layer__has_child(again->rig);
    bool differs = false;
    if (is_doubted || again->is_careful)
        cor_process_runner_forget(runner);
    COR_TRY(cor_process_replay(runner, name, schedule, executed, outcome, error));
    if (is_doubted)
        COR_TRY(process_layer__look_again(runner, name, schedule, outcome, &differs, error));
    if (differs)
        process_layer__end_by(outcome, COR_PROCESS_END_LEAKED, PROCESS_LAYER__OTHERWISE);
    return COR_OK;
}

static enum cor_status replay(struct cor_process_again *again, const struct cor_stream_name *name,
                              struct cor_process_schedule *schedule, bool *died, struct cor_error *error) {
    const struct process_layer__task task = {.work = PROCESS_LAYER__EXECUTE,
                                             .names = name,
                                             .schedules = schedule,
                                             .count = 1,
                                             .is_doubted = again->is_doubted};
    *died = false;
    COR_TRY(prepare(again, schedule, 1, error));
    return again->arm->is_apart
               ? process_layer__apart_execute(again->apart, &task, &again->report, died, error)
               : execute_here(again, name, schedule, &again->report.schedule, &again->report.outcome, error);
}

enum cor_status cor_process_again_replay(struct cor_process_again *again, const struct cor_stream_name *name,
                                         struct cor_process_schedule *schedule,
                                         const struct cor_process_schedule **executed,
                                         const struct cor_process_outcome **outcome,
                                         struct cor_error *error) {
    bool died;
    *executed = &again->report.schedule;
    *outcome = &again->report.outcome;
    return replay(again, name, schedule, &died, error);
}

static enum cor_status copy(struct cor_process_schedule *to, const struct cor_process_schedule *from,
                            struct cor_error *error) {
    to->count = 0;
    for (size_t e = 0; e < from->count; e++)
        COR_TRY(cor_process_schedule_add(to, &from->events[e], error));
    return COR_OK;
}

/* Does what is left of a schedule fail otherwise than that did, each in a fresh child? Or that itself in the
 * child that had all others? */
static enum cor_status compare(struct cor_process_again *again, const struct cor_stream_name *name,
                               const struct cor_process_schedule *whole,
                               const struct cor_process_schedule *left, bool *differs,
                               struct cor_error *error) {
    struct cor_process_outcome used, wanted, outcome;
    COR_TRY(execute_here(again, name, whole, NULL, &used, error));
    cor_process_runner_forget(again->rig->runner);
    COR_TRY(execute_here(again, name, whole, NULL, &wanted, error));
    cor_process_runner_forget(again->rig->runner);
    COR_TRY(execute_here(again, name, left, NULL, &outcome, error));
    *differs = !cor_process_outcome_is_same(&wanted, &outcome) ||
               (!used.is_by_machine &&
                (used.digest != wanted.digest || !cor_process_outcome_is_same(&wanted, &used)));
    return COR_OK;
}

/* In this process. A child of the program's tries one after the other; where what is left does not hold in a
 * fresh one, it is all done again with care. */
static enum cor_status shrink_here(struct cor_process_again *again, const struct process_layer__task *task,
                                   uint32_t *best, struct cor_process_shrinking *shrinking, bool *differs,
                                   struct cor_error *error) {
    const struct cor_process_trier trier = {again, execute_here, again->arm->count};
    const bool has_child = process_layer__has_child(again->rig);
    enum cor_status status = COR_OK;
    struct cor_process_schedule *whole = cor_calloc(task->count, sizeof *whole);
    COR_TRY(cor_made(whole, error));
    for (uint32_t i = 0; i < task->count && has_child; i++)
        COR_TRY_OUT(copy(&whole[i], &task->schedules[i], error));
    for (again->is_careful = false;; again->is_careful = true) {
        struct cor_error said = COR_NO_ERROR;
        status = task->is_lone ? cor_process_shrink_by(&trier, task->names, task->schedules, task->definition,
                                                       shrinking, &said)
                               : cor_process_shrink_best(&trier, task->names, task->schedules, task->count,
                                                         task->definition, best, shrinking, &said);
        /* A child that had others may let pass what failed. */
        *differs = status == COR_STATUS_INPUT && has_child && !again->is_careful;
        if (status != COR_OK && !*differs)
            COR_TRY_OUT(cor_fail(error, status, said.place, said.remedy, "%s", said.cause));
        if (has_child && !*differs)
            COR_TRY_OUT(
                compare(again, &task->names[*best], &whole[*best], &task->schedules[*best], differs, error));
        if (!*differs || again->is_careful)
            break;
        for (uint32_t i = 0; i < task->count; i++)
            COR_TRY_OUT(copy(&task->schedules[i], &whole[i], error));
    }
out:
    again->is_careful = false;
    for (uint32_t i = 0; i < task->count; i++)
        cor_process_schedule_fini(&whole[i]);
    free(whole);
    return status;
}

enum cor_status cor_process_again_shrink(struct cor_process_again *again, const struct cor_stream_name *names,
                                         struct cor_process_schedule *schedules, uint32_t count, bool is_lone,
                                         const struct cor_process_shrink_definition *definition,
                                         uint32_t *best, struct cor_process_shrinking *shrinking,
                                         bool *differs, struct cor_error *error) {
    const struct process_layer__task task = {.work = PROCESS_LAYER__SHRINK,
                                             .names = names,
                                             .schedules = schedules,
                                             .count = count,
                                             .definition = definition,
                                             .is_lone = is_lone,
                                             .is_doubted = again->is_doubted};
    *best = 0;
    *differs = false;
    COR_TRY(prepare(again, schedules, count, error));
    return again->arm->is_apart
               ? process_layer__apart_shrink(again->apart, &task, best, shrinking, differs, error)
               : shrink_here(again, &task, best, shrinking, differs, error);
}

/* Where the program cannot go on it is told up to there, and then what it died of. */
enum cor_status cor_process_again_story(struct cor_process_again *again, const struct cor_stream_name *name,
                                        struct cor_process_schedule *schedule,
                                        enum cor_process_story_form form, char **text,
                                        struct cor_error *error) {
    struct cor_process_schedule *happened = &again->report.schedule;
    struct cor_process_death death = {.event = NULL};
    struct process_layer__task task = {
        .work = PROCESS_LAYER__TELL, .names = name, .schedules = schedule, .count = 1, .form = form};
    bool died;
    *text = NULL;
    if (again->arm->is_apart || again->is_doubted)
        COR_TRY(replay(again, name, schedule, &died, error));
    death.outcome = again->report.outcome;
    if (!again->arm->is_apart) {
        const bool leaks = again->is_doubted && death.outcome.end == COR_PROCESS_END_LEAKED;
        COR_TRY(prepare(again, schedule, 1, error));
        return cor_process_story(again->rig->runner, name, schedule, leaks ? &death : NULL, form, text,
                                 error);
    }
    if (died || death.outcome.end == COR_PROCESS_END_LEAKED) {
        task.schedules = happened;
        task.death = &death;
    }
    if (died && happened->count > 0)
        death.event = &happened->events[--happened->count];
    return process_layer__apart_story(again->apart, &task, text, error);
}

/* ---- test files: a schedule with all that it takes to execute it again */

/* ---- events as lines */

/* What stands between the kind and the tick. */
enum part { END, PROCESS, PEER, MESSAGE, ALARM, INPUT, CELL, ORDINAL, WAY };
enum { PARTS_MOST = 5 };

static const char *const part_names[] = {
    [PROCESS] = "process", [PEER] = "peer", [MESSAGE] = "kind of message", [ALARM] = "alarm",
    [INPUT] = "input",     [CELL] = "cell", [ORDINAL] = "number",          [WAY] = "way"};
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
};

/* The form of a kind, for people: ["deliver", process, peer, kind of message, number, tick]. */
static void describe_form(enum cor_process_event_kind kind, char *text, size_t size) {
    size_t at = (size_t)snprintf(text, size, "[\"%s\"", cor_process_event_kind_word(kind));
    for (int p = 0; p < PARTS_MOST && forms[kind][p] != END && at < size; p++)
        at += (size_t)snprintf(text + at, size - at, ", %s", part_names[forms[kind][p]]);
    if (at < size)
        snprintf(text + at, size - at, ", tick]");
}

/* A message, an input: by name, of which program->name has them. */
static enum cor_status read_name(const struct cor_json *json, const struct cor_process *program,
                                 bool is_input, uint8_t *what, struct cor_error *error) {
    const char *names[COR_PROCESS_ATTRIBUTES_MAX + 1] = {0}, *name;
    const uint32_t count = is_input ? program->input_count : program->message_count;
    char remedy[1024];
    COR_TRY(cor_json_string(json, &name, error));
    for (uint32_t i = 0; i < count; i++) {
        names[i] = is_input ? program->inputs[i].name : program->messages[i].name;
        if (strcmp(names[i], name) == 0) {
            *what = (uint8_t)i;
            return COR_OK;
        }
    }
    cor_known_names(name, names, remedy, sizeof remedy);
    return cor_json_fail(json, error, remedy, "%s has no %s \"%.80s\"", program->name,
                         part_names[is_input ? INPUT : MESSAGE], name);
}

static enum cor_status read_part(const struct cor_json *json, enum part part,
                                 const struct cor_process *program, uint32_t count,
                                 struct cor_process_event *event, struct cor_error *error) {
    static const int64_t most[] = {[ALARM] = COR_PROCESS_ALARMS_MAX - 1, [CELL] = COR_PROCESS_CELLS_MAX - 1};
    int64_t number = 0;
    int way;
    switch (part) {
    case PROCESS:
    case PEER:
        COR_TRY(cor_json_integer(json, 0, INT64_C(1) << 53, &number, error));
        if (number >= count)
            return cor_json_fail(json, error, NULL, "there is no process %" PRId64 ": they are 0 to %u",
                                 number, count - 1);
        *(part == PROCESS ? &event->process : &event->peer) = (uint8_t)number;
        return COR_OK;
    case MESSAGE:
    case INPUT:
        return read_name(json, program, part == INPUT, &event->what, error);
    case ALARM:
    case CELL:
        COR_TRY(cor_json_integer(json, 0, most[part], &number, error));
        event->what = (uint8_t)number;
        return COR_OK;
    case WAY:
        COR_TRY(cor_json_one_of(json, ways, "way", &way, error));
        event->what = (uint8_t)way;
        return COR_OK;
    case ORDINAL:
        COR_TRY(cor_json_integer(json, 0, UINT32_MAX, &number, error));
        event->ordinal = (uint32_t)number;
        return COR_OK;
    case END:
        break;
    }
    return COR_OK;
}

static enum cor_status read_kind(const struct cor_json *json, enum cor_process_event_kind *kind,
                                 struct cor_error *error) {
    const char *words[COR_PROCESS_EVENT_KIND_COUNT + 1] = {0}, *word;
    char remedy[1024];
    COR_TRY(cor_json_string(json, &word, error));
    *kind = cor_process_event_kind_of(word);
    if (*kind != COR_PROCESS_EVENT_KIND_COUNT)
        return COR_OK;
    for (int k = 0; k < COR_PROCESS_EVENT_KIND_COUNT; k++)
        words[k] = cor_process_event_kind_word((enum cor_process_event_kind)k);
    cor_known_names(word, words, remedy, sizeof remedy);
    return cor_json_fail(json, error, remedy, "no event is called \"%.80s\"", word);
}

static enum cor_status read_event(const struct cor_json *json, const struct cor_process *program,
                                  uint32_t count, uint64_t least, struct cor_process_event *event,
                                  struct cor_error *error) {
    enum cor_process_event_kind kind;
    size_t parts = 0;
    char form[200];
    int64_t tick;
    COR_TRY(cor_json_expect_array(json, 2, PARTS_MOST + 2, error));
    const struct cor_json first = cor_json_at(json, 0), last = cor_json_at(json, cor_json_size(json) - 1);
    COR_TRY(read_kind(&first, &kind, error));
    while (parts < PARTS_MOST && forms[kind][parts] != END)
        parts++;
    describe_form(kind, form, sizeof form);
    if (cor_json_size(json) != parts + 2)
        return cor_json_fail(json, error, form, "such an event has %zu parts, this one %zu", parts + 2,
                             cor_json_size(json));
    *event = (struct cor_process_event){.kind = (uint8_t)kind};
    for (size_t p = 0; p < parts; p++) {
        const struct cor_json item = cor_json_at(json, p + 1);
        COR_TRY(read_part(&item, forms[kind][p], program, count, event, error));
    }
    COR_TRY(cor_json_integer(&last, 0, INT64_C(1) << 53, &tick, error));
    event->tick = (uint64_t)tick;
    if (event->tick < least)
        return cor_json_fail(&last, error, "events stand in the order in which they happen",
                             "tick %" PRIu64 " lies before %" PRIu64 ", that of the event before",
                             event->tick, least);
    return COR_OK;
}

/* ---- a test */

struct reading {
    uint32_t suite, sequence;
    uint64_t tick;
    const char *expected;
    struct cor_json at;
};

static enum cor_status read_expected(const struct cor_json *json, void *into, struct cor_error *error) {
    ((struct reading *)into)->at = *json;
    return cor_json_string(json, &((struct reading *)into)->expected, error);
}

static const struct cor_field fields[] = {
    {"suite", COR_REQUIRED, COR_INTEGER_FIELD(struct reading, suite, 0, COR_PROCESS_SUITES_MAX)},
    {"sequence", COR_REQUIRED, COR_INTEGER_FIELD(struct reading, sequence, 0, COR_PROCESS_SEQUENCES_MAX)},
    {"expected", COR_REQUIRED, COR_READ_FIELD(read_expected)},
    {"tick", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, tick, 0, INT64_C(1) << 53)},
    {0}};

static bool is_own(const char *key) {
    return strcmp(key, "process_test") == 0 || strcmp(key, "schedule") == 0;
}

/* The members of the experiment. */
static enum cor_status experiment_text(const struct cor_json *root, char **text, struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    for (size_t i = 0; i < cor_json_size(root); i++) {
        const struct cor_json item = cor_json_at(root, i);
        if (!is_own(item.key))
            cor_json_put_value(writer, item.key, &item);
    }
    cor_json_close(writer);
    return cor_json_text_take(writer, 0, text, error);
}

static enum cor_status check_expected(const struct reading *reading, const struct cor_corridor *corridor,
                                      struct cor_error *error) {
    char remedy[1024];
    enum cor_status status = COR_OK;
    size_t count = 0;
    const char **names =
        cor_calloc((size_t)corridor->constraint_count + COR_PROCESS_END_COUNT + 1, sizeof *names);
    COR_TRY(cor_made(names, error));
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        names[count++] = corridor->constraints[c].name;
    for (int e = 0; e < COR_PROCESS_END_COUNT; e++)
        names[count++] = cor_process_end_word((enum cor_process_end)e);
    bool found = false;
    for (size_t n = 0; n < count; n++)
        found |= strcmp(names[n], reading->expected) == 0;
    if (!found) {
        cor_known_names(reading->expected, names, remedy, sizeof remedy);
        status = cor_json_fail(&reading->at, error, remedy,
                               "\"%.80s\" is no constraint of the corridor, and no end of a process",
                               reading->expected);
    }
    free(names);
    return status;
}

static enum cor_status read_schedule(const struct cor_json *json, struct cor_process_test *test,
                                     struct cor_error *error) {
    const struct cor_process_arm *arm = &test->experiment->arms[0];
    COR_TRY(cor_json_expect_array(json, 0, COR_PROCESS_EVENTS_MAX, error));
    for (size_t e = 0; e < cor_json_size(json); e++) {
        const struct cor_json item = cor_json_at(json, e);
        const uint64_t least = e > 0 ? test->schedule.events[e - 1].tick : 0;
        struct cor_process_event event;
        COR_TRY(read_event(&item, cor_process_description(arm->program), arm->count, least, &event, error));
        COR_TRY(cor_process_schedule_add(&test->schedule, &event, error));
    }
    return COR_OK;
}

enum cor_status cor_process_test_parse(const char *text, const char *path,
                                       const struct cor_layer_options *options, struct cor_process_test *test,
                                       struct cor_error *error) {
    struct reading reading = {0};
    struct cor_json own, schedule;
    char *inner = NULL;
    enum cor_status status = COR_OK;
    *test = (struct cor_process_test){0};
    COR_TRY_OUT(cor_json_parse(text, path, &test->document, error));
    const struct cor_json root = cor_json_root(test->document);
    COR_TRY_OUT(cor_json_expect_kind(&root, COR_KIND_PROCESS_TEST, error));
    COR_TRY_OUT(cor_json_expect_object(&root, NULL, error));
    COR_TRY_OUT(cor_json_need(&root, "process_test", &own, error));
    COR_TRY_OUT(cor_json_need(&root, "schedule", &schedule, error));
    COR_TRY_OUT(cor_json_fields(&own, fields, &reading, error));
    COR_TRY_OUT(experiment_text(&root, &inner, error));
    COR_TRY_OUT(cor_process_experiment_parse(inner, path, options, &test->experiment, error));
    if (test->experiment->head.arm_count != 1)
        COR_TRY_OUT(cor_json_fail(&root, error, "leave one in \"arms\"", "a test has one arm, this one %u",
                                  test->experiment->head.arm_count));
    COR_TRY_OUT(check_expected(&reading, test->experiment->arms[0].corridor, error));
    test->expected = reading.expected;
    test->tick = reading.tick;
    test->setting = cor_process_setting_of(test->experiment, 0);
    test->name = cor_process_stream_name(test->experiment, reading.suite, reading.sequence);
    COR_TRY_OUT(read_schedule(&schedule, test, error));
out:
    free(inner);
    if (status != COR_OK)
        cor_process_test_fini(test);
    return status;
}

void cor_process_test_fini(struct cor_process_test *test) {
    cor_process_schedule_fini(&test->schedule);
    cor_process_experiment_destroy(test->experiment);
    cor_json_destroy(test->document);
    *test = (struct cor_process_test){0};
}

/* ---- the text of a test */

static char *event_line(const struct cor_process *program, const struct cor_process_event *event) {
    char *line = cor_format("[\"%s\"", cor_process_event_kind_word((enum cor_process_event_kind)event->kind));
    for (int p = 0; p < PARTS_MOST && forms[event->kind][p] != END; p++) {
        const enum part part = forms[event->kind][p];
        const char *name = part == MESSAGE ? program->messages[event->what].name
                           : part == INPUT ? program->inputs[event->what].name
                           : part == WAY   ? ways[event->what != 0]
                                           : NULL;
        const uint32_t number = part == PROCESS   ? event->process
                                : part == PEER    ? event->peer
                                : part == ORDINAL ? event->ordinal
                                                  : event->what;
        line = cor_join_take(line, ", ", name ? cor_format("\"%s\"", name) : cor_format("%u", number));
    }
    return cor_join_take(line, ", ", cor_format("%" PRIu64 "]", event->tick));
}

/* The one arm of the test. */
static void put_arm(const struct cor_process_experiment *experiment, const struct cor_json *arms,
                    uint32_t arm, struct cor_json_writer *writer) {
    struct cor_json json;
    if (!cor_json_find(arms, experiment->arms[arm].name, &json))
        return;
    cor_json_open_object(writer, "arms");
    cor_json_put_value(writer, experiment->arms[arm].name, &json);
    cor_json_close(writer);
}

enum cor_status cor_process_test_text(const struct cor_process_experiment *experiment, uint32_t arm,
                                      uint32_t suite, uint32_t sequence,
                                      const struct cor_process_schedule *schedule, const char *expected,
                                      char **text, struct cor_error *error) {
    static const char *const left_out[] = {"arms", "suites", "sequences",  "log",
                                           "stop", "name",   "description"};
    const struct cor_process *program = cor_process_description(experiment->arms[arm].program);
    struct cor_json_document *document = NULL;
    struct cor_json_writer *writer = NULL;
    struct cor_json arms;
    enum cor_status status = COR_OK;
    *text = NULL;
    COR_TRY_OUT(cor_json_parse(experiment->head.text, experiment->head.path, &document, error));
    COR_TRY_OUT(cor_json_writer_create(&writer, error));
    const struct cor_json root = cor_json_root(document);
    cor_json_open_object(writer, NULL);
    cor_json_open_object(writer, "process_test");
    cor_json_put_integer(writer, "suite", suite);
    cor_json_put_integer(writer, "sequence", sequence);
    cor_json_put_string(writer, "expected", expected);
    if (schedule->count > 0) /* a failing schedule ends with its failure */
        cor_json_put_integer(writer, "tick", (int64_t)schedule->events[schedule->count - 1].tick);
    cor_json_close(writer);
    for (size_t i = 0; i < cor_json_size(&root); i++) {
        const struct cor_json item = cor_json_at(&root, i);
        bool stays = true;
        for (size_t l = 0; l < sizeof left_out / sizeof *left_out; l++)
            stays = stays && strcmp(item.key, left_out[l]) != 0;
        if (stays)
            cor_json_put_value(writer, item.key, &item);
    }
    if (cor_json_find(&root, "arms", &arms))
        put_arm(experiment, &arms, arm, writer);
    cor_json_close(writer);
    status = cor_json_text_take(writer, 2, text, error);
    writer = NULL;
    COR_TRY_OUT(status);
    char *end = strrchr(*text, '}'); /* of the whole: events follow, one a line */
    while (end > *text && (end[-1] == '\n' || end[-1] == ' '))
        end--;
    *end = '\0';
    *text = cor_join_take(*text, ",\n  ", cor_strdup("\"schedule\": [\n    "));
    for (size_t e = 0; e < schedule->count; e++)
        *text = cor_join_take(*text, e > 0 ? ",\n    " : "", event_line(program, &schedule->events[e]));
    *text = cor_join_take(*text, "", cor_strdup("\n  ]\n}\n"));
    status = cor_made(*text, error);
out:
    cor_json_writer_destroy(writer);
    cor_json_destroy(document);
    return status;
}

const char *cor_process_outcome_word(const struct cor_corridor *corridor,
                                     const struct cor_process_outcome *outcome) {
    return outcome->violated != COR_NONE ? corridor->constraints[outcome->violated].name
                                         : cor_process_end_word(outcome->end);
}

/* ---- what became of what is expected */

static bool has(const struct cor_process_constraints *set, uint32_t constraint) {
    return set->words[constraint / 64] >> constraint % 64 & 1;
}

/* Was nothing of the schedule executed? Time alone is something where there is nothing else in it. */
static bool is_idle(const struct cor_process_schedule *schedule, const struct cor_process_outcome *outcome) {
    bool is_time_alone = schedule->count > 0;
    for (size_t e = 0; e < schedule->count; e++)
        is_time_alone = is_time_alone && schedule->events[e].kind == COR_PROCESS_EVENT_TICK;
    return !is_time_alone && outcome->events == 0;
}

/* A constraint in whose judgement something lacks, of those expected; COR_NONE: there is none. */
static uint32_t find_open(const struct cor_process_setting *setting,
                          const struct cor_process_outcome *outcome, const char *expected, bool is_reached) {
    const struct cor_corridor *corridor = setting->corridor;
    const bool all = strcmp(expected, cor_process_end_word(COR_PROCESS_END_NONE)) == 0;
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        if ((all || strcmp(corridor->constraints[c].name, expected) == 0) &&
            (has(&outcome->open, c) || (has(&outcome->so_far, c) && !is_reached)))
            return c;
    return COR_NONE;
}

enum cor_process_finding cor_process_find(const struct cor_process_setting *setting,
                                          const struct cor_process_outcome *outcome, const char *expected,
                                          const struct cor_process_schedule *schedule, uint64_t tick,
                                          char *why, size_t size) {
    const char *none = cor_process_end_word(COR_PROCESS_END_NONE),
               *word = cor_process_outcome_word(setting->corridor, outcome);
    const uint64_t last = schedule && schedule->count > 0 ? schedule->events[schedule->count - 1].tick : 0;
    const bool fails = strcmp(word, none) != 0;
    uint32_t open;
    snprintf(why, size, "nothing fails");
    if (fails)
        snprintf(why, size, "%s: %s", word, outcome->sentence);
    if (fails && (strcmp(word, expected) == 0 || strcmp(expected, none) == 0))
        return COR_PROCESS_COMES;
    if (fails)
        snprintf(why, size, "%s was not judged to the end, for the schedule ended with %s: %s", expected,
                 word, outcome->sentence);
    else if (schedule && is_idle(schedule, outcome))
        snprintf(why, size, "nothing was run: no event of the schedule was possible");
    else if (outcome->is_cut_short)
        snprintf(why, size, "the schedule was cut short after %u cases and %u events", outcome->cases,
                 outcome->events);
    else if (schedule && last < tick)
        snprintf(why, size, "the schedule ends at tick %" PRIu64 ", and what is expected came at %" PRIu64,
                 last, tick);
    else if ((open = find_open(setting, outcome, expected,
                               tick > 0 && outcome->cases * setting->case_ticks >= tick)) != COR_NONE)
        snprintf(why, size, "%s is not decided after %u of %u cases",
                 setting->corridor->constraints[open].name, outcome->cases, setting->case_count);
    else
        return COR_PROCESS_IS_GONE;
    return COR_PROCESS_IS_OPEN;
}
