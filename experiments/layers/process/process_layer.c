/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the schedules of a suite write down. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/guarantees.h>
#include <corridor/traffic.h>

#include <stdlib.h>
#include <string.h>

_Static_assert(COR_PROCESS_NUMBERS == COR_PROCESSES_MAX, "files name no process that there cannot be");

#define AS_PROCESS(number) ((uint8_t)((number) < COR_PROCESSES_MAX ? (number) : COR_PROCESS_NOBODY))

static uint16_t constraint_code(const struct process_layer__suite *suite, uint32_t constraint) {
    const struct cor_corridor *corridor = suite->experiment->arms[suite->arm].corridor;
    if (constraint == COR_NONE)
        return 0;
    return (uint16_t)cor_words_find(&suite->experiment->constraints, corridor->constraints[constraint].name);
}

static enum cor_status put_events(struct process_layer__suite *suite, uint32_t sequence,
                                  const struct cor_process_schedule *schedule, struct cor_error *error) {
    for (size_t e = 0; e < schedule->count; e++) {
        const struct cor_process_event *event = &schedule->events[e];
        struct cor_process_event_row *row = cor_record_row(suite->record, COR_PROCESS_TABLE_EVENTS, error);
        COR_TRY(cor_made(row, error));
        row->sequence = sequence;
        row->number = (uint32_t)e + 1;
        row->tick = event->tick;
        row->event = event->kind;
        row->process = event->process;
        row->peer = event->peer;
        row->what = event->what;
        row->ordinal = event->ordinal;
    }
    return COR_OK;
}

/* Cases by the ticks of their events. */
static enum cor_status put_cases(struct process_layer__suite *suite, uint32_t sequence,
                                 const struct process_layer__report *report, const uint8_t *weather,
                                 struct cor_error *error) {
    const struct cor_process_arm *arm = &suite->experiment->arms[suite->arm];
    const struct cor_process_schedule *schedule = &report->schedule;
    const uint32_t begun =
        report->outcome.cases < arm->cases ? report->outcome.cases + 1 : report->outcome.cases;
    size_t e = 0;
    for (uint32_t c = 1; c <= begun; c++) {
        struct cor_process_case_row *row = cor_record_row(suite->record, COR_PROCESS_TABLE_CASES, error);
        COR_TRY(cor_made(row, error));
        row->sequence = sequence;
        row->case_ = c;
        row->weather = (uint16_t)cor_words_find(&suite->experiment->weathers,
                                                arm->environment.weather[weather[c - 1]].name);
        row->whole = c <= report->outcome.cases;
        for (;
             e < schedule->count && (schedule->events[e].tick < (uint64_t)c * arm->case_ticks || c == begun);
             e++) {
            const enum cor_process_event_kind kind = (enum cor_process_event_kind)schedule->events[e].kind;
            if (kind == COR_PROCESS_EVENT_TICK)
                continue;
            row->events++;
            row->messages += kind == COR_PROCESS_EVENT_DELIVER || kind == COR_PROCESS_EVENT_DUPLICATE;
            row->faults += cor_process_event_is_fault(kind);
        }
    }
    return COR_OK;
}

static enum cor_status put_violation(struct process_layer__suite *suite, uint32_t sequence,
                                     const struct cor_process_outcome *outcome, struct cor_error *error) {
    if (outcome->violated == COR_NONE)
        return COR_OK;
    struct cor_process_violation_row *row =
        cor_record_row(suite->record, COR_PROCESS_TABLE_VIOLATIONS, error);
    COR_TRY(cor_made(row, error));
    row->sequence = sequence;
    row->constraint = constraint_code(suite, outcome->violated);
    row->case_ = outcome->violated_case;
    row->event = outcome->violated_event;
    row->one = AS_PROCESS(outcome->one);
    row->other = AS_PROCESS(outcome->other);
    row->count = outcome->binding_count;
    return COR_OK;
}

static uint16_t trap_code(const struct process_layer__suite *suite, uint32_t trap) {
    const struct cor_process_traps *traps = &suite->experiment->arms[suite->arm].traps;
    return (uint16_t)cor_words_find(&suite->experiment->traps,
                                    traps->corridor->constraints[traps->first + trap].name);
}

/* Traps that a schedule met. */
static enum cor_status put_met(struct process_layer__suite *suite, uint32_t sequence,
                               const struct cor_process_outcome *outcome, struct cor_error *error) {
    for (uint64_t left = outcome->met; left != 0; left &= left - 1) {
        const uint32_t t = (uint32_t)__builtin_ctzll(left);
        struct cor_process_met_row *row = cor_record_row(suite->record, COR_PROCESS_TABLE_MET, error);
        COR_TRY(cor_made(row, error));
        row->sequence = sequence;
        row->trap = trap_code(suite, t);
        row->case_ = outcome->met_at[t].case_number;
        row->event = outcome->met_at[t].event;
    }
    return COR_OK;
}

static enum cor_status put_seen(struct process_layer__suite *suite, uint32_t sequences,
                                struct cor_error *error) {
    struct cor_process_seen_row *row = cor_record_row(suite->record, COR_PROCESS_TABLE_SEEN, error);
    COR_TRY(cor_made(row, error));
    row->sequences = suite->seen_at = sequences;
    row->states = suite->states;
    return COR_OK;
}

static void count(struct process_layer__suite *suite, const struct process_layer__report *report,
                  enum cor_verdict verdict) {
    const struct cor_process_outcome *outcome = &report->outcome;
    suite->row.sequences++;
    suite->row.failed += verdict == COR_VERDICT_FAILED;
    suite->row.undecided += verdict == COR_VERDICT_UNDECIDED;
    suite->row.cases += outcome->cases;
    suite->row.events += outcome->events;
    suite->row.messages += outcome->messages;
    suite->row.ticks += outcome->ticks;
    suite->states += report->fresh_count;
    for (uint32_t c = 0; c < suite->experiment->arms[suite->arm].corridor->constraint_count; c++) {
        struct process_layer__judged *judged = &suite->judged[c];
        judged->tested += (outcome->tested.words[c / 64] >> c % 64 & 1) != 0;
        judged->undecided += (outcome->open.words[c / 64] >> c % 64 & 1) != 0;
        judged->violated += outcome->violated == c;
    }
    for (uint64_t left = outcome->met; left != 0; left &= left - 1)
        suite->met[__builtin_ctzll(left)]++;
    for (size_t e = 0; e < report->schedule.count; e++)
        suite->happened[report->schedule.events[e].kind]++;
}

/* The rows of a sequence, those of the suite at its end. weather: [case] states of the environment. */
static enum cor_status rows_sequence(struct process_layer__suite *suite, uint32_t sequence,
                                     const struct process_layer__report *report, const uint8_t *weather,
                                     struct cor_error *error) {
    const struct cor_process_outcome *outcome = &report->outcome;
    const struct cor_process_arm *arm = &suite->experiment->arms[suite->arm];
    const bool has_failed = process_layer__has_failed(outcome);
    const enum cor_verdict verdict = has_failed                                        ? COR_VERDICT_FAILED
                                     : outcome->is_cut_short || outcome->undecided > 0 ? COR_VERDICT_UNDECIDED
                                                                                       : COR_VERDICT_PASSED;
    bool is_kept = false;
    if (has_failed)
        COR_TRY(process_layer__keep_class(suite, outcome, &is_kept, error));
    is_kept = is_kept || suite->experiment->log == COR_PROCESS_LOG_EVENTS;
    count(suite, report, verdict);
    struct cor_process_sequence_row *row = cor_record_row(suite->record, COR_PROCESS_TABLE_SEQUENCES, error);
    COR_TRY(cor_made(row, error));
    row->sequence = sequence;
    for (uint16_t g = 0; g < COR_PROCESS_GENERATOR_COUNT; g++)
        if (process_layer__generators[g] == arm->generators[sequence % arm->generator_count])
            row->generator = g;
    row->verdict = (uint8_t)verdict;
    row->violated = constraint_code(suite, outcome->violated);
    row->violated_case = outcome->violated_case;
    row->violated_event = outcome->violated_event;
    row->end = (uint16_t)outcome->end;
    row->end_process =
        outcome->end == COR_PROCESS_END_NONE ? COR_PROCESS_NOBODY : AS_PROCESS(outcome->end_process);
    row->cut = outcome->is_cut_short;
    row->open = (uint16_t)outcome->undecided;
    row->cases = outcome->cases;
    row->events = outcome->events;
    row->messages = outcome->messages;
    row->ticks = outcome->ticks;
    row->digest = outcome->digest;
    row->kept = is_kept ? (uint32_t)report->schedule.count : 0;
    row->why_bytes = (uint32_t)strlen(outcome->sentence);
    COR_TRY(cor_record_put(suite->record, COR_PROCESS_VECTOR_TEXT, outcome->sentence, row->why_bytes,
                           &row->why_start, error));
    COR_TRY(put_violation(suite, sequence, outcome, error));
    COR_TRY(put_met(suite, sequence, outcome, error));
    if (is_kept)
        COR_TRY(put_events(suite, sequence, &report->schedule, error));
    if (is_kept || suite->experiment->log >= COR_PROCESS_LOG_CASES)
        COR_TRY(put_cases(suite, sequence, report, weather, error));
    const uint32_t done = sequence + 1;
    return (done & (done - 1)) == 0 && done < suite->experiment->sequences ? put_seen(suite, done, error)
                                                                           : COR_OK;
}

/* Constraints that are judged, each with what became of it. */
static enum cor_status put_constraints(struct process_layer__suite *suite, struct cor_error *error) {
    const struct cor_process_arm *arm = &suite->experiment->arms[suite->arm];
    for (uint32_t c = 0; c < arm->corridor->constraint_count; c++) {
        if (arm->watched && !arm->watched[c])
            continue;
        struct cor_process_constraint_row *row =
            cor_record_row(suite->record, COR_PROCESS_TABLE_CONSTRAINTS, error);
        COR_TRY(cor_made(row, error));
        row->constraint = constraint_code(suite, c);
        row->tested = suite->judged[c].tested;
        row->violated = suite->judged[c].violated;
        row->undecided = suite->judged[c].undecided;
    }
    return COR_OK;
}

/* Traps that are looked for, met or not. */
static enum cor_status put_traps(struct process_layer__suite *suite, struct cor_error *error) {
    const uint32_t count = suite->experiment->arms[suite->arm].traps.count;
    for (uint32_t t = 0; t < count; t++) {
        struct cor_process_trap_row *row = cor_record_row(suite->record, COR_PROCESS_TABLE_TRAPS, error);
        COR_TRY(cor_made(row, error));
        row->trap = trap_code(suite, t);
        row->met = suite->met[t];
    }
    return COR_OK;
}

/* ---- what a campaign executes of the process layer: a suite is some schedules of an arm */

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
        COR_TRY(rows_sequence(suite, s, &executor->report, executor->rig->states, error));
        tally->cases += executor->report.outcome.cases;
        tally->failures += process_layer__has_failed(&executor->report.outcome);
        cor_watch_show(watch, tally->cases);
        cor_watch_share(watch, (double)(s + 1) / sequences);
        if (executor->experiment->until != 0 && process_layer__has_failed(&executor->report.outcome))
            break;
    }
    if (suite->seen_at != suite->row.sequences)
        COR_TRY(put_seen(suite, suite->row.sequences, error));
    COR_TRY(put_constraints(suite, error));
    COR_TRY(put_traps(suite, error));
    for (uint16_t k = 0; k < COR_PROCESS_EVENT_KIND_COUNT; k++) {
        if (suite->happened[k] == 0 || k == COR_PROCESS_EVENT_TICK)
            continue;
        struct cor_process_happened_row *row =
            cor_record_row(suite->record, COR_PROCESS_TABLE_HAPPENED, error);
        COR_TRY(cor_made(row, error));
        row->event = k;
        row->count = suite->happened[k];
    }
    struct cor_process_suite_row *row = cor_record_row(suite->record, COR_PROCESS_TABLE_SUITES, error);
    COR_TRY(cor_made(row, error));
    suite->row.arm = row->arm;
    suite->row.suite = row->suite;
    suite->row.seen = suite->states;
    suite->row.seen_full = suite->seen.is_full;
    *row = suite->row;
    return COR_OK;
}

static enum cor_status execute(void *with, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error) {
    struct executor *executor = with;
    if (executor->rig && executor->rig->arm == arm)
        COR_TRY(process_layer__rig_restart(executor->rig, error));
    else {
        close_rig(executor);
        COR_TRY(process_layer__rig_create(executor->experiment, arm, &executor->experiment->arms[arm].traps,
                                          &executor->rig, error));
        COR_TRY(executor->experiment->arms[arm].is_apart
                    ? process_layer__apart_create(executor->rig, 0, &executor->apart, error)
                    : COR_OK);
    }
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

/* Can events happen that came later than the others? */
static bool has_later(const struct cor_process_experiment *experiment) {
    for (uint32_t a = 0; a < experiment->head.arm_count; a++) {
        const struct cor_process_environment *environment = &experiment->arms[a].environment;
        for (uint32_t s = 0; s < environment->state_count; s++)
            if (environment->weather[s].part > 0 || environment->weather[s].join > 0 ||
                environment->weather[s].leave > 0)
                return true;
    }
    return false;
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
    /* Those behind TICK came later: files in which they cannot happen are as they were. A default is of test
     * files alone. */
    for (int k = 0; k <= COR_PROCESS_EVENT_TICK || (k < COR_PROCESS_EVENT_DEFAULT && has_later(experiment));
         k++)
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

/* Programs in other languages have the same walls, but for traffic that is played back in their place. */
enum cor_status process_layer__look_at_isolation(const struct cor_process_experiment *experiment,
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
        status =
            cor_guarantees_look(experiment->head.path, &needs, options->isolation_required, warnings, error);
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
    COR_TRY_OUT(process_layer__look_at_isolation(made, options, warnings, error));
    COR_TRY_OUT(cor_process_say_never(made, notes, error));
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
    .subject = &process_layer__subject,
    .read = read,
    .destroy = destroy,
    .open = open_executor,
    .execute = execute,
    .close = close_executor,
    .list = list_all,
    .provenance = put_provenance,
};
