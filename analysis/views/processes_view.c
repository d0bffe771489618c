/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What schedules of distributed programs found: verdicts by arm, what was violated, how much was seen, and
 * one failing schedule. */
#include "processes.h"

#include "searches.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ENDING_EVENTS 30 /* events before the violation that a text shows */

#define ARM(member) COR_CELL_OF(struct views__process_arm, member)
static const struct cor_column_definition arms_sheet_columns[] = {
    {"arm", "arm", "", "its name", ARM(name)},
    {"verdict", "verdict", "", "what came of it: never that a program is correct", COR_CELL_WORD, 0, 0},
    {"sequences", "schedules", "1", "executed", ARM(sequences)},
    {"failed", "failed", "1", "schedules with a violation, or in which a process ended by itself",
     ARM(failed)},
    {"share_pct", "share", "%", "of schedules that failed", COR_CELL_REAL, 2, 0},
    {"low_pct", "from", "%", "least share by the interval of Clopper and Pearson", COR_CELL_REAL, 2, 0},
    {"high_pct", "to", "%", "greatest share by it", COR_CELL_REAL, 2, 0},
    {"undecided", "no verdict", "1", "schedules cut short, or with a constraint that was not decided",
     ARM(undecided)},
    {"cut", "cut short", "1", "schedules that had as many events as they may before their last case",
     ARM(cut), 0, COR_COLUMN_DATA},
    {"first", "first after", "1", "schedules to the first that failed, suite after suite",
     COR_SOME_OF(struct views__process_arm, tried)},
    {"cases", "cases", "cases", "whole ones", ARM(cases)},
    {"messages", "messages", "1", "delivered", ARM(messages)},
    {"events", "events", "1", "that happened", ARM(events), 0, COR_COLUMN_DATA},
    {"ticks", "ticks", "ticks", "of virtual time", ARM(ticks), 0, COR_COLUMN_DATA},
    {"states", "states", "1", "that processes showed together, of a suite, mean", COR_CELL_REAL, 0, 0},
};
COR_SHEET_DEFINITION(arms_sheet, "arms", "Schedules by arm", "a row an arm", 0, 60);

/* One thing by which schedules of an arm failed. */
struct failing {
    const char *what; /* borrowed from the file */
    bool is_end;
    uint64_t sequences;
    const struct cor_process_sequence_row *first, *fewest; /* the second: of fewest messages */
};
#define FAILING(member) COR_CELL_OF(struct failing, member)
static const struct cor_column_definition classes_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"class", "violated", "", "constraint; or how a process ended by itself", FAILING(what)},
    {"sequences", "schedules", "1", "that failed by it first", FAILING(sequences)},
    {"first", "first", "", "key of the first of them: ARM/SUITE/SEQUENCE", COR_CELL_WORD, 0, 0},
    {"fewest", "with fewest", "", "key of that with fewest messages", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"messages", "messages", "1", "of that", COR_CELL_COUNT, 0, 0},
    {"why", "why", "", "of the first, with the values", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(classes_sheet, "classes", "What was violated", "a row a constraint, or end of a process",
                     0, 40);

#define JUDGED(member) COR_CELL_OF(struct views__process_judged, member)
static const struct cor_column_definition constraints_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"constraint", "constraint", "", "that is judged", COR_CELL_WORD, 0, COR_COLUMN_KEY},
    {"tested", "put to the test", "1",
     "schedules that could have violated it: something that it reads changed", JUDGED(tested)},
    {"violated", "violated", "1", "schedules that violated it first", JUDGED(violated)},
    {"undecided", "no verdict", "1", "schedules in which it had none", JUDGED(undecided)},
};
COR_SHEET_DEFINITION(constraints_sheet, "constraints", "What was judged", "a row a constraint", 0, 40);

#define TRAP(member) COR_CELL_OF(struct views__process_trap, member)
static const struct cor_column_definition traps_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"trap", "trap", "", "that was looked for", TRAP(name)},
    {"verdict", "verdict", "", "met, or not reached", COR_CELL_WORD, 0, 0},
    {"met", "met", "1", "schedules that met it", TRAP(met)},
    {"share_pct", "share", "%", "of schedules that met it", COR_CELL_REAL, 2, 0},
    {"first", "first after", "1", "schedules to the first that met it, suite after suite",
     COR_SOME_OF(struct views__process_trap, first)},
    {"event", "at event", "1", "after which it was met first in a schedule, mean", COR_CELL_REAL, 1, 0},
};
COR_SHEET_DEFINITION(traps_sheet, "traps", "Traps", "a row a trap of an arm", 0, 40);

#define SEQUENCE(member) COR_CELL_OF(struct cor_process_sequence_row, member)
static const struct cor_column_definition failures_sheet_columns[] = {
    {"key", "key", "", "ARM/SUITE/SEQUENCE", COR_CELL_WORD, 0, 0},
    {"class", "violated", "", "constraint; or how a process ended by itself", COR_CELL_WORD, 0, 0},
    {"case", "case", "1", "of the violation", COR_SOME_OF(struct cor_process_sequence_row, violated_case)},
    {"event", "event", "1", "of the violation", COR_SOME_OF(struct cor_process_sequence_row, violated_event)},
    {"messages", "messages", "1", "delivered", SEQUENCE(messages)},
    {"ticks", "ticks", "ticks", "of virtual time", SEQUENCE(ticks), 0, COR_COLUMN_DATA},
    {"generator", "generator", "", "that made the schedule", COR_CELL_WORD, 0, 0},
    {"kept", "kept", "events", "of the schedule in the file; nothing: its seed makes it again",
     COR_SOME_OF(struct cor_process_sequence_row, kept)},
    {"why", "why", "", "it failed, with the values", COR_CELL_TEXT, 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(failures_sheet, "failures", "Failing schedules", "a row a schedule that failed",
                     COR_SHEET_MORE, 10);

static const struct cor_column_definition growth_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"sequences", "schedules", "1", "of a suite, up to there", COR_CELL_COUNT, 0, COR_COLUMN_KEY},
    {"states", "states", "1", "different ones that processes showed together up to there, mean over suites",
     COR_CELL_REAL, 1, 0},
    {"fresh", "new", "1", "thereof new with each schedule since the row before", COR_CELL_REAL, 2, 0},
};
COR_SHEET_DEFINITION(growth_sheet, "growth", "States that were seen", "a row 1, 2, 4 .. schedules",
                     COR_SHEET_MORE, 30);

static const struct cor_column_definition happened_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"event", "event", "", "its kind", COR_CELL_WORD, 0, COR_COLUMN_KEY},
    {"count", "times", "1", "that it happened", COR_CELL_COUNT, 0, 0},
    {"per_sequence", "a schedule", "1", "times in a schedule, mean", COR_CELL_REAL, 2, 0},
};
COR_SHEET_DEFINITION(happened_sheet, "happened", "What happened", "a row a kind of event", COR_SHEET_MORE,
                     40);

#define EVENT(member) COR_CELL_OF(struct cor_process_event_row, member)
static const struct cor_column_definition schedule_sheet_columns[] = {
    {"key", "key", "", "of the schedule: ARM/SUITE/SEQUENCE", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"number", "event", "1", "in the schedule, from 1", EVENT(number), 0, COR_COLUMN_KEY},
    {"tick", "tick", "ticks", "virtual time of it", EVENT(tick)},
    {"kind", "kind", "", "what happens", COR_CELL_WORD, 0, 0},
    {"process", "process", "1", "to which it happens", EVENT(process)},
    {"peer", "from", "1", "of a message or a link: the other process", COR_CELL_COUNT, 0, 0},
    {"what", "what", "", "kind of message, by name or number; number of an alarm, input or cell",
     COR_CELL_WORD, 0, 0},
    {"ordinal", "ordinal", "1", "which of those that are alike, from 0", EVENT(ordinal), 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(schedule_sheet, "schedule", "A schedule that failed",
                     "a row an event of the schedule that is shown", COR_SHEET_DATA, 0);
static const struct cor_sheet_definition ending_sheet =
    COR_SHEET_OVER(schedule_sheet_columns, "ending", "Last events of a schedule that failed",
                   "a row an event, up to the one that violates", COR_SHEET_MORE, 0);

static void put_key(struct cor_sheet *sheet, const struct cor_layer_tables *process,
                    const struct cor_process_sequence_row *row) {
    cor_sheet_text_take(sheet,
                        cor_format("%s/%" PRIu32 "/%" PRIu32, cor_arm_entry(process->head, row->arm)->name,
                                   row->suite, row->sequence));
}

static void put_share(struct cor_sheet *sheet, double value) {
    if (isnan(value))
        cor_sheet_nothing(sheet);
    else
        cor_sheet_real(sheet, value);
}

static void fill_arm(struct cor_sheet *sheet, const struct views__process_arm *arm) {
    char text[200];
    cor_sheet_row(sheet);
    COR_SHEET_PUT(sheet, struct views__process_arm, arm);
    cor_sheet_word(sheet, views__process_outcome_word(arm->outcome));
    cor_sheet_tone(sheet, arm->tone);
    COR_SHEET_PUT(sheet, struct views__process_arm, arm);
    put_share(sheet, arm->sequences > 0 && !arm->is_search
                         ? 100 * (double)arm->failed / (double)arm->sequences
                         : NAN);
    put_share(sheet, arm->low);
    put_share(sheet, arm->high);
    COR_SHEET_PUT(sheet, struct views__process_arm, arm);
    put_share(sheet, arm->suites > 0 ? (double)arm->seen / (double)arm->suites : NAN);
    if (arm->outcome == VIEWS__PROCESS_SOUND || arm->outcome == VIEWS__PROCESS_NO_VERDICT) {
        views__process_say(arm, text, sizeof text);
        cor_sheet_remark(sheet, "%s: %s.", arm->name, text);
    }
}

/* ---- what was violated */

struct failings {
    struct failing *items; /* owned */
    size_t count, capacity;
};

static enum cor_status count_failing(struct failings *failings, const struct cor_layer_tables *process,
                                     const struct cor_process_sequence_row *row, struct cor_error *error) {
    const char *what = cor_process_failure(process, row);
    size_t i = 0;
    while (i < failings->count &&
           (failings->items[i].is_end != (row->violated == 0) || strcmp(failings->items[i].what, what) != 0))
        i++;
    if (i == failings->count) {
        COR_TRY(COR_RESERVE(&failings->items, &failings->capacity, i + 1, error));
        failings->items[failings->count++] =
            (struct failing){.what = what, .is_end = row->violated == 0, .first = row, .fewest = row};
    }
    failings->items[i].sequences++;
    if (row->messages < failings->items[i].fewest->messages)
        failings->items[i].fewest = row;
    return COR_OK;
}

static enum cor_status fill_failures(const struct cor_layer_tables *process, size_t arm,
                                     struct cor_sheet *classes, struct cor_sheet *failures,
                                     struct cor_error *error) {
    struct failings failings = {0};
    enum cor_status status = COR_OK;
    for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_SEQUENCES]; i++) {
        const struct cor_process_sequence_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SEQUENCES, i);
        if (row->arm != arm || row->verdict != COR_VERDICT_FAILED)
            continue;
        COR_TRY_OUT(count_failing(&failings, process, row, error));
        cor_sheet_row(failures);
        put_key(failures, process, row);
        cor_sheet_word(failures, cor_process_failure(process, row));
        COR_SHEET_PUT(failures, struct cor_process_sequence_row, row);
        cor_sheet_word(failures, cor_process_name(process, COR_PROCESS_CATALOG_GENERATOR, row->generator));
        COR_SHEET_PUT(failures, struct cor_process_sequence_row, row);
        cor_sheet_text(failures, "%.*s", COR_PROCESS_SAID(process, row, why));
    }
    for (size_t i = 0; i < failings.count; i++) {
        const struct failing *failing = &failings.items[i];
        cor_sheet_row(classes);
        cor_sheet_word(classes, cor_arm_entry(process->head, arm)->name);
        COR_SHEET_PUT(classes, struct failing, failing);
        put_key(classes, process, failing->first);
        put_key(classes, process, failing->fewest);
        cor_sheet_count(classes, failing->fewest->messages);
        cor_sheet_text(classes, "%.*s", COR_PROCESS_SAID(process, failing->first, why));
    }
out:
    free(failings.items);
    return status;
}

static enum cor_status fill_constraints(const struct cor_layer_tables *process, size_t arm,
                                        struct cor_sheet *sheet, struct cor_error *error) {
    struct views__process_judged *judged =
        cor_calloc(process->head->catalog_size[COR_PROCESS_CATALOG_CONSTRAINT], sizeof *judged);
    COR_TRY(cor_made(judged, error));
    const uint64_t count = views__process_judged(process, arm, judged);
    for (uint64_t c = 0; c < count; c++) {
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_arm_entry(process->head, arm)->name);
        cor_sheet_word(sheet, cor_process_name(process, COR_PROCESS_CATALOG_CONSTRAINT, judged[c].code));
        COR_SHEET_PUT(sheet, struct views__process_judged, &judged[c]);
        if (judged[c].tested == 0)
            cor_sheet_tone(sheet, COR_TONE_STRONG);
    }
    free(judged);
    return COR_OK;
}

static enum cor_status fill_traps(const struct cor_layer_tables *process,
                                  const struct views__process_arm *arm, size_t number,
                                  struct cor_sheet *sheet, struct cor_error *error) {
    const size_t known = process->head->catalog_size[COR_PROCESS_CATALOG_TRAP];
    struct views__process_trap *traps = cor_calloc(known + 1, sizeof *traps);
    char text[400];
    COR_TRY(cor_made(traps, error));
    const uint64_t count = views__process_traps(process, number, traps);
    for (uint64_t t = 0; t < count; t++) {
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, arm->name);
        COR_SHEET_PUT(sheet, struct views__process_trap, &traps[t]);
        cor_sheet_word(sheet, traps[t].met > 0 ? "met" : "not reached");
        cor_sheet_tone(sheet, traps[t].met > 0 ? COR_TONE_GOOD : COR_TONE_STRONG);
        COR_SHEET_PUT(sheet, struct views__process_trap, &traps[t]);
        put_share(sheet, arm->sequences > 0 ? 100 * (double)traps[t].met / (double)arm->sequences : NAN);
        COR_SHEET_PUT(sheet, struct views__process_trap, &traps[t]);
        put_share(sheet, traps[t].event);
    }
    views__process_say_traps(traps, count, text, sizeof text);
    if (text[0])
        cor_sheet_remark(sheet, "%s: %s.", arm->name, text);
    free(traps);
    return COR_OK;
}

/* ---- how much was seen, what happened */

/* Rows of `seen` of an arm by their number of schedules: sums over suites. */
static enum cor_status fill_growth(const struct cor_layer_tables *process, size_t arm,
                                   struct cor_sheet *sheet, struct cor_error *error) {
    enum { STEPS = 33 };
    struct {
        uint64_t sequences, suites;
        double states;
    } steps[STEPS] = {{0}};
    size_t count = 0;
    (void)error;
    for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_SEEN]; i++) {
        const struct cor_process_seen_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SEEN, i);
        size_t s = 0;
        if (row->arm != arm)
            continue;
        while (s < count && steps[s].sequences != row->sequences)
            s++;
        if (s == STEPS)
            continue;
        count = s == count ? count + 1 : count;
        steps[s].sequences = row->sequences;
        steps[s].suites++;
        steps[s].states += (double)row->states;
    }
    double before = 0;
    uint64_t sequences = 0;
    for (size_t s = 0; s < count; s++) {
        const double mean = steps[s].states / (double)steps[s].suites;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_arm_entry(process->head, arm)->name);
        cor_sheet_count(sheet, steps[s].sequences);
        cor_sheet_real(sheet, mean);
        put_share(sheet, steps[s].sequences > sequences
                             ? (mean - before) / (double)(steps[s].sequences - sequences)
                             : NAN);
        before = mean;
        sequences = steps[s].sequences;
    }
    return COR_OK;
}

static void fill_happened(const struct cor_layer_tables *process, const struct views__process_arm *arm,
                          size_t number, struct cor_sheet *sheet) {
    const size_t kinds = process->head->catalog_size[COR_PROCESS_CATALOG_EVENT];
    for (size_t k = 0; k < kinds; k++) {
        const struct cor_catalog_entry *entry = &process->head->catalog[COR_PROCESS_CATALOG_EVENT][k];
        uint64_t count = 0;
        for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_HAPPENED]; i++) {
            const struct cor_process_happened_row *row =
                cor_layer_row(process, COR_PROCESS_TABLE_HAPPENED, i);
            count += row->arm == number && row->event == entry->code ? row->count : 0;
        }
        if (count == 0)
            continue;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, arm->name);
        cor_sheet_word(sheet, entry->name);
        cor_sheet_count(sheet, count);
        put_share(sheet, arm->sequences > 0 ? (double)count / (double)arm->sequences : NAN);
    }
}

/* ---- a schedule */

static bool is_word(const char *word, const char *const *words) {
    while (*words && strcmp(*words, word) != 0)
        words++;
    return *words != NULL;
}

static void fill_event(struct cor_sheet *sheet, const struct cor_layer_tables *process,
                       const struct cor_process_sequence_row *sequence,
                       const struct cor_process_event_row *row) {
    static const char *const messages[] = {"deliver", "lose", "duplicate", NULL};
    static const char *const links[] = {"cut", "heal", NULL};
    static const char *const numbers[] = {"time-out", "input", "crash-lost", NULL};
    const char *kind = cor_process_name(process, COR_PROCESS_CATALOG_EVENT, row->event);
    cor_sheet_row(sheet);
    put_key(sheet, process, sequence);
    COR_SHEET_PUT(sheet, struct cor_process_event_row, row);
    cor_sheet_word(sheet, kind);
    COR_SHEET_PUT(sheet, struct cor_process_event_row, row);
    if (is_word(kind, messages) || is_word(kind, links))
        cor_sheet_count(sheet, row->peer);
    else
        cor_sheet_nothing(sheet);
    if (is_word(kind, messages) && row->what < process->head->catalog_size[COR_PROCESS_CATALOG_MESSAGE])
        cor_sheet_word(sheet, cor_process_name(process, COR_PROCESS_CATALOG_MESSAGE, row->what));
    else if (is_word(kind, messages) || is_word(kind, numbers))
        cor_sheet_text(sheet, "%u", row->what);
    else
        cor_sheet_nothing(sheet);
    COR_SHEET_PUT(sheet, struct cor_process_event_row, row);
}

static void fill_schedule(const struct cor_layer_tables *process,
                          const struct cor_process_sequence_row *sequence, struct cor_sheet *schedule,
                          struct cor_sheet *ending) {
    uint64_t count, end;
    uint64_t first =
        cor_layer_rows_of(process, COR_PROCESS_TABLE_EVENTS, sequence->arm, sequence->suite, &count);
    end = first + count;
    while (first < end &&
           ((const struct cor_process_event_row *)cor_layer_row(process, COR_PROCESS_TABLE_EVENTS, first))
                   ->sequence < sequence->sequence)
        first++;
    end = first + sequence->kept < end ? first + sequence->kept : end;
    for (uint64_t i = first; i < end; i++)
        fill_event(schedule, process, sequence, cor_layer_row(process, COR_PROCESS_TABLE_EVENTS, i));
    const uint64_t from = end - first > ENDING_EVENTS ? end - ENDING_EVENTS : first;
    for (uint64_t i = from; i < end; i++)
        fill_event(ending, process, sequence, cor_layer_row(process, COR_PROCESS_TABLE_EVENTS, i));
    if (from > first)
        cor_sheet_remark(ending,
                         "%" PRIu64 " of %" PRIu64 " events are shown; --sheet schedule has all as CSV.",
                         end - from, end - first);
    cor_sheet_remark(ending, "%s/%" PRIu32 "/%" PRIu32 ": %.*s",
                     cor_arm_entry(process->head, sequence->arm)->name, sequence->suite, sequence->sequence,
                     COR_PROCESS_SAID(process, sequence, why));
}

static enum cor_status fill(const struct cor_view_request *request, const struct cor_layer_tables *process,
                            const struct views__process_arms *arms, size_t arm, struct cor_sheets *sheets,
                            struct cor_error *error) {
    const size_t first = arm == SIZE_MAX ? 0 : arm, end = arm == SIZE_MAX ? arms->count : arm + 1;
    const struct cor_process_sequence_row *failure = views__process_failure(process, arm, request->suite);
    struct cor_sheet *of_arms = cor_sheets_add(sheets, &arms_sheet),
                     *classes = cor_sheets_add(sheets, &classes_sheet),
                     *failures = cor_sheets_add(sheets, &failures_sheet),
                     *constraints = cor_sheets_add(sheets, &constraints_sheet),
                     *traps = cor_sheets_add(sheets, &traps_sheet),
                     *growth = cor_sheets_add(sheets, &growth_sheet),
                     *happened = cor_sheets_add(sheets, &happened_sheet),
                     *ending = cor_sheets_add(sheets, &ending_sheet),
                     *schedule = cor_sheets_add(sheets, &schedule_sheet);
    cor_sheet_limit(failures, request->rows > 0 ? request->rows : failures_sheet.text_rows);
    for (size_t a = first; a < end; a++) {
        fill_arm(of_arms, &arms->items[a]);
        COR_TRY(fill_failures(process, a, classes, failures, error));
        COR_TRY(fill_constraints(process, a, constraints, error));
        COR_TRY(fill_traps(process, &arms->items[a], a, traps, error));
        if (!arms->items[a].is_search) /* whose suites are of different lengths */
            COR_TRY(fill_growth(process, a, growth, error));
        fill_happened(process, &arms->items[a], a, happened);
    }
    if (failure && failure->kept > 0)
        fill_schedule(process, failure, schedule, ending);
    return COR_OK;
}

static enum cor_status make(const struct cor_view_request *request, struct cor_sheets *sheets,
                            struct cor_view_findings *found, struct cor_error *error) {
    struct cor_layer_tables process;
    struct views__process_arms arms = {0};
    size_t arm = SIZE_MAX;
    enum cor_status status = COR_OK;
    if (request->arm)
        COR_TRY(cor_arm_find(cor_result_head(request->result), "--arm", request->arm, &arm, error));
    COR_TRY(cor_process_result_init(request->result, &process, error));
    COR_TRY_OUT(views__process_arms_init(&process, views__view_level(request), &arms, error));
    COR_TRY_OUT(views__put_process_searches(&process, views__view_level(request), sheets, error));
    COR_TRY_OUT(fill(request, &process, &arms, arm, sheets, error));
    views__count_processes(&arms, found);
out:
    views__process_arms_fini(&arms);
    cor_layer_tables_fini(&process);
    return status;
}

static const struct cor_sheet_definition *const sheets_of_processes[] = {
    &arms_sheet,           &classes_sheet,
    &failures_sheet,       &constraints_sheet,
    &traps_sheet,          &growth_sheet,
    &happened_sheet,       &ending_sheet,
    &schedule_sheet,       &views__process_islands,
    &views__search_shares, &views__search_curves,
    &views__search_pairs,  NULL};

const struct cor_view views__view_processes = {
    .name = "processes",
    .command = "show",
    .summary = "show schedules of distributed programs",
    .manual =
        "Prints what schedules of distributed programs found: verdicts by arm, with the share of schedules "
        "that "
        "fail; what was violated, with the values; which traps were met, and which were not reached; how "
        "many states were new schedule after schedule; what "
        "happened; and the last events of one failing schedule - that of --arm and --suite, else the first. "
        "--sheet schedule has each event of it. An arm in which nothing failed is never called correct: "
        "there "
        "was no violation in so many schedules of its profile.",
    .options = "level arm suite",
    .schema = "corridor-processes",
    .version = 1,
    .layer = &cor_process_schema,
    .sheets = sheets_of_processes,
    .make = make,
};
