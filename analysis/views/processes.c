/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is found of distributed programs. */
#include "searches.h"
#include "summary.h"
#include "test_formats.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/descriptive.h>
#include <corridor/json.h>
#include <corridor/layer_tables.h>
#include <corridor/process_result.h>
#include <corridor/schema.h>
#include <corridor/view.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What became of an arm. X(NAME, word, is_good) */
#define VIEWS__PROCESS_OUTCOMES(X)   \
    X(SOUND, "no violation", true)   \
    X(FAILS, "FAILS", false)         \
    X(FOUND, "found", true)          \
    X(NOT_FOUND, "not found", false) \
    X(NO_VERDICT, "no verdict", false)

enum views__process_outcome {
#define VIEWS__PROCESS_OUTCOME(NAME, ...) VIEWS__PROCESS_##NAME,
    VIEWS__PROCESS_OUTCOMES(VIEWS__PROCESS_OUTCOME)
#undef VIEWS__PROCESS_OUTCOME
};

/* The schedules of an arm together. */
struct views__process_arm {
    const struct cor_catalog_entry *entry;
    const char *name; /* of the entry */
    bool has_fault;   /* one was put into the program */
    uint64_t suites, sequences, failed, undecided, cut, cases, events, messages, ticks, seen;
    uint64_t constraints, untested; /* that are judged; thereof such as no schedule could have violated */
    const char *untested_first;     /* name of the first of these; NULL: there is none */
    uint64_t tried;                 /* schedules to the first that failed, suite after suite; 0: none did */
    bool is_search;                 /* its suites end with their first failure: schedules are no sample */
    bool is_learnt;   /* a generator learns from one schedule for the next: they are not independent */
    double low, high; /* of the share that fails, in %: Clopper and Pearson; NaN: not independent */
    enum views__process_outcome outcome;
    enum cor_tone tone;
};

struct views__process_arms {
    struct views__process_arm *items; /* owned, by index of the arm */
    size_t count;
};

/* What became of a constraint in the schedules of an arm. */
struct views__process_judged {
    uint16_t code;
    uint64_t tested, violated, undecided; /* schedules */
};

/* What became of a trap in the schedules of an arm. */
struct views__process_trap {
    uint16_t code;
    const char *name;
    uint64_t met,
        first;    /* schedules that met it; schedules to the first that did, suite after suite, 0: none */
    double event; /* after which it was met first, mean over schedules; NaN: in none */
};

/* The constraints of an arm that are judged, in their order: into [constraint of the catalog]; how many. */
uint64_t views__process_judged(const struct cor_layer_tables *process, size_t arm,
                               struct views__process_judged *judged);

/* Searches, where suites end with their first failure: each, and generators beside each other. */
extern const struct cor_sheet_definition views__process_islands;

static enum cor_status put_process_searches(const struct cor_layer_tables *process, double level,
                                            struct cor_sheets *sheets, struct cor_error *error) COR_MUST_USE;
static enum cor_status process_is_search(const struct cor_layer_tables *process, bool *is_it,
                                         struct cor_error *error) COR_MUST_USE;
static void process_arms_fini(struct views__process_arms *arms);

/* ---- what the schedules of an arm of a distributed program amount to */

static const struct {
    const char *word;
    bool is_good;
} outcomes[] = {
#define OUTCOME(NAME, word, is_good) {word, is_good},
    VIEWS__PROCESS_OUTCOMES(OUTCOME)
#undef OUTCOME
};

static const char *process_outcome_word(enum views__process_outcome outcome) {
    return outcomes[outcome].word;
}

static bool process_outcome_is_good(enum views__process_outcome outcome) {
    return outcomes[outcome].is_good;
}

uint64_t views__process_judged(const struct cor_layer_tables *process, size_t arm,
                               struct views__process_judged *judged) {
    const size_t known = process->head->catalog_size[COR_PROCESS_CATALOG_CONSTRAINT];
    uint64_t count = 0;
    memset(judged, 0, known * sizeof *judged);
    for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_CONSTRAINTS]; i++) {
        const struct cor_process_constraint_row *row =
            cor_layer_row(process, COR_PROCESS_TABLE_CONSTRAINTS, i);
        if (row->arm != arm)
            continue;
        struct views__process_judged *it = judged;
        while (it < judged + count && it->code != row->constraint)
            it++;
        count += it == judged + count;
        it->code = row->constraint;
        it->tested += row->tested;
        it->violated += row->violated;
        it->undecided += row->undecided;
    }
    return count;
}

/* The traps of an arm, in their order: into [trap of the catalog]; how many. */
static uint64_t process_traps(const struct cor_layer_tables *process, size_t arm,
                              struct views__process_trap *traps) {
    uint64_t count = 0, sequences = 0, next = 0;
    for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_TRAPS]; i++) {
        const struct cor_process_trap_row *row = cor_layer_row(process, COR_PROCESS_TABLE_TRAPS, i);
        struct views__process_trap *it = traps;
        if (row->arm != arm)
            continue;
        while (it < traps + count && it->code != row->trap)
            it++;
        if (it == traps + count) {
            count++;
            *it = (struct views__process_trap){
                .code = row->trap, .name = cor_process_name(process, COR_PROCESS_CATALOG_TRAP, row->trap)};
        }
    }
    for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_SEQUENCES] && count > 0; i++) {
        const struct cor_process_sequence_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SEQUENCES, i);
        sequences += row->arm == arm;
        for (; next < process->count[COR_PROCESS_TABLE_MET]; next++) {
            const struct cor_process_met_row *met = cor_layer_row(process, COR_PROCESS_TABLE_MET, next);
            if (met->arm != row->arm || met->suite != row->suite || met->sequence != row->sequence)
                break;
            for (uint64_t t = 0; t < count && row->arm == arm; t++)
                if (traps[t].code == met->trap) {
                    traps[t].first = traps[t].met++ == 0 ? sequences : traps[t].first;
                    traps[t].event += met->event;
                }
        }
    }
    for (uint64_t t = 0; t < count; t++)
        traps[t].event = traps[t].met > 0 ? traps[t].event / (double)traps[t].met : NAN;
    return count;
}

/* Which of them no schedule met, in a sentence; "" where there are no traps. */
static void process_say_traps(const struct views__process_trap *traps, uint64_t count, char *text,
                              size_t size) {
    uint64_t met = 0;
    for (uint64_t t = 0; t < count; t++)
        met += traps[t].met > 0;
    size_t length = 0;
    text[0] = '\0';
    if (count > 0)
        length = (size_t)snprintf(text, size, "%" PRIu64 " of %" PRIu64 " traps met%s", met, count,
                                  met < count ? "; not reached: " : "");
    bool is_first = true;
    for (uint64_t t = 0; t < count && length < size; t++) {
        if (traps[t].met > 0)
            continue;
        length +=
            (size_t)snprintf(text + length, size - length, "%s%.60s", is_first ? "" : ", ", traps[t].name);
        is_first = false;
    }
}

/* Constraints that no schedule of an arm could have violated: of these nothing was found out. */
static enum cor_status count_untested(const struct cor_layer_tables *process,
                                      struct views__process_arms *arms, struct cor_error *error) {
    struct views__process_judged *judged =
        cor_calloc(process->head->catalog_size[COR_PROCESS_CATALOG_CONSTRAINT], sizeof *judged);
    COR_TRY(cor_made(judged, error));
    for (size_t a = 0; a < arms->count; a++) {
        struct views__process_arm *arm = &arms->items[a];
        arm->constraints = views__process_judged(process, a, judged);
        for (uint64_t c = 0; c < arm->constraints; c++) {
            if (judged[c].tested > 0)
                continue;
            if (arm->untested++ == 0)
                arm->untested_first =
                    cor_process_name(process, COR_PROCESS_CATALOG_CONSTRAINT, judged[c].code);
        }
    }
    free(judged);
    return COR_OK;
}

static enum cor_status process_arms_init(const struct cor_layer_tables *process, double level,
                                         struct views__process_arms *arms, struct cor_error *error) {
    enum cor_status status = COR_OK;
    bool is_search;
    COR_TRY(process_is_search(process, &is_search, error));
    *arms = (struct views__process_arms){.count = cor_arm_count(process->head)};
    COR_TRY(cor_made(arms->items = cor_calloc(arms->count, sizeof *arms->items), error));
    for (size_t a = 0; a < arms->count; a++) {
        arms->items[a].entry = cor_arm_entry(process->head, a);
        arms->items[a].name = arms->items[a].entry->name;
        arms->items[a].is_search = is_search;
        COR_TRY_OUT(cor_arm_has_fault(arms->items[a].entry, &arms->items[a].has_fault, error));
    }
    for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_SUITES]; i++) {
        const struct cor_process_suite_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SUITES, i);
        struct views__process_arm *arm = &arms->items[row->arm];
        arm->suites++;
        arm->cases += row->cases;
        arm->events += row->events;
        arm->messages += row->messages;
        arm->ticks += row->ticks;
        arm->seen += row->seen;
    }
    for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_SEQUENCES]; i++) {
        const struct cor_process_sequence_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SEQUENCES, i);
        struct views__process_arm *arm = &arms->items[row->arm];
        arm->sequences++;
        arm->failed += row->verdict == COR_VERDICT_FAILED;
        arm->undecided += row->verdict == COR_VERDICT_UNDECIDED;
        arm->cut += row->cut;
        if (arm->tried == 0 && row->verdict == COR_VERDICT_FAILED)
            arm->tried = arm->sequences;
        arm->is_learnt =
            arm->is_learnt ||
            strcmp(cor_process_name(process, COR_PROCESS_CATALOG_GENERATOR, row->generator), "search") == 0;
    }
    COR_TRY_OUT(count_untested(process, arms, error));
    for (size_t a = 0; a < arms->count; a++) {
        struct views__process_arm *arm = &arms->items[a];
        arm->outcome = arm->failed > 0 ? arm->has_fault ? VIEWS__PROCESS_FOUND : VIEWS__PROCESS_FAILS
                       : arm->undecided > 0 || arm->untested > 0 || arm->sequences == 0
                           ? VIEWS__PROCESS_NO_VERDICT
                       : arm->has_fault ? VIEWS__PROCESS_NOT_FOUND
                                        : VIEWS__PROCESS_SOUND;
        arm->tone = process_outcome_is_good(arm->outcome)       ? COR_TONE_GOOD
                    : arm->outcome == VIEWS__PROCESS_NO_VERDICT ? COR_TONE_STRONG
                                                                : COR_TONE_BAD;
        arm->low = arm->high = NAN;
        if (arm->sequences == 0 || arm->is_learnt || arm->is_search)
            continue;
        const struct cor_bounds bounds = cor_proportion_clopper_pearson(arm->failed, arm->sequences, level);
        arm->low = 100 * bounds.low;
        arm->high = 100 * bounds.high;
    }
out:
    if (status != COR_OK)
        process_arms_fini(arms);
    return status;
}

/* idempotent */
static void process_arms_fini(struct views__process_arms *arms) {
    free(arms->items);
    *arms = (struct views__process_arms){0};
}

/* What came of it, in a sentence; never that a program is correct. */
static void process_say(const struct views__process_arm *arm, char *text, size_t size) {
    if (arm->sequences == 0)
        snprintf(text, size, "no verdict: nothing was run");
    else if (arm->failed > 0)
        snprintf(text, size, "%" PRIu64 " of %" PRIu64 " schedules failed, the first after %" PRIu64,
                 arm->failed, arm->sequences, arm->tried);
    else if (arm->undecided > 0)
        snprintf(text, size,
                 "%" PRIu64 " of %" PRIu64 " schedules have no verdict (%" PRIu64
                 " cut short by the limit of events); none failed",
                 arm->undecided, arm->sequences, arm->cut);
    else if (arm->untested > 0)
        snprintf(text, size,
                 "%" PRIu64 " of %" PRIu64 " constraints were put to no test in %" PRIu64
                 " schedules: nothing happened that could have violated %.60s",
                 arm->untested, arm->constraints, arm->sequences, arm->untested_first);
    else
        snprintf(text, size, "no violation in %" PRIu64 " schedules of this profile", arm->sequences);
}

/* What a caller may turn into an exit code is added. */
static void count_processes(const struct views__process_arms *arms, struct cor_view_findings *found) {
    for (size_t a = 0; a < arms->count; a++) {
        const struct views__process_arm *arm = &arms->items[a];
        found->undetected += arm->outcome == VIEWS__PROCESS_NOT_FOUND;
        found->unexpected += !arm->has_fault && arm->failed > 0;
        found->failed += arm->outcome == VIEWS__PROCESS_FAILS || arm->outcome == VIEWS__PROCESS_NOT_FOUND;
        found->undecided += arm->outcome == VIEWS__PROCESS_NO_VERDICT;
    }
}

/* The first schedule of an arm that failed, of all if `arm` is SIZE_MAX, in that suite unless it is
 * COR_ANY_SUITE; one that is kept, if there is one. NULL: none failed. */
static const struct cor_process_sequence_row *process_failure(const struct cor_layer_tables *process,
                                                              size_t arm, uint32_t suite) {
    const struct cor_process_sequence_row *found = NULL;
    for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_SEQUENCES]; i++) {
        const struct cor_process_sequence_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SEQUENCES, i);
        if ((arm != SIZE_MAX && row->arm != arm) || (suite != COR_ANY_SUITE && row->suite != suite) ||
            row->verdict != COR_VERDICT_FAILED)
            continue;
        if (row->kept > 0)
            return row;
        found = found ? found : row;
    }
    return found;
}

/* ---- what schedules of distributed programs found: verdicts by arm, what was violated, how much was seen,
 * and one failing schedule */

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
    cor_sheet_word(sheet, process_outcome_word(arm->outcome));
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
        process_say(arm, text, sizeof text);
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

static enum cor_status fill_traps(const struct cor_layer_tables *process,
                                  const struct views__process_arm *arm, size_t number,
                                  struct cor_sheet *sheet, struct cor_error *error) {
    const size_t known = process->head->catalog_size[COR_PROCESS_CATALOG_TRAP];
    struct views__process_trap *traps = cor_calloc(known + 1, sizeof *traps);
    char text[400];
    COR_TRY(cor_made(traps, error));
    const uint64_t count = process_traps(process, number, traps);
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
    process_say_traps(traps, count, text, sizeof text);
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

static enum cor_status fill_processes(const struct cor_view_request *request,
                                      const struct cor_layer_tables *process,
                                      const struct views__process_arms *arms, size_t arm,
                                      struct cor_sheets *sheets, struct cor_error *error) {
    const size_t first = arm == SIZE_MAX ? 0 : arm, end = arm == SIZE_MAX ? arms->count : arm + 1;
    const struct cor_process_sequence_row *failure = process_failure(process, arm, request->suite);
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
        struct views__process_judged *judged =
            cor_calloc(process->head->catalog_size[COR_PROCESS_CATALOG_CONSTRAINT], sizeof *judged);
        COR_TRY(cor_made(judged, error));
        const uint64_t count = views__process_judged(process, a, judged);
        for (uint64_t c = 0; c < count; c++) {
            cor_sheet_row(constraints);
            cor_sheet_word(constraints, cor_arm_entry(process->head, a)->name);
            cor_sheet_word(constraints,
                           cor_process_name(process, COR_PROCESS_CATALOG_CONSTRAINT, judged[c].code));
            COR_SHEET_PUT(constraints, struct views__process_judged, &judged[c]);
            if (judged[c].tested == 0)
                cor_sheet_tone(constraints, COR_TONE_STRONG);
        }
        free(judged);
        COR_TRY(fill_traps(process, &arms->items[a], a, traps, error));
        if (!arms->items[a].is_search) /* whose suites are of different lengths */
            COR_TRY(fill_growth(process, a, growth, error));
        fill_happened(process, &arms->items[a], a, happened);
    }
    if (failure && failure->kept > 0)
        fill_schedule(process, failure, schedule, ending);
    return COR_OK;
}

static enum cor_status make_processes(const struct cor_view_request *request, struct cor_sheets *sheets,
                                      struct cor_view_findings *found, struct cor_error *error) {
    struct cor_layer_tables process;
    struct views__process_arms arms = {0};
    size_t arm = SIZE_MAX;
    enum cor_status status = COR_OK;
    if (request->arm)
        COR_TRY(cor_arm_find(cor_result_head(request->result), "--arm", request->arm, &arm, error));
    COR_TRY(cor_process_result_init(request->result, &process, error));
    COR_TRY_OUT(process_arms_init(&process, views__view_level(request), &arms, error));
    COR_TRY_OUT(put_process_searches(&process, views__view_level(request), sheets, error));
    COR_TRY_OUT(fill_processes(request, &process, &arms, arm, sheets, error));
    count_processes(&arms, found);
out:
    process_arms_fini(&arms);
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
    .make = make_processes,
};

/* ---- suites of distributed programs that end with their first failure are searches: what each found, and
 * which generator finds more, and sooner */

/* A suite, up to its first failure. */
struct island {
    uint32_t suite;
    uint64_t schedules, cases, first, first_cases; /* to the first that failed, it included; 0: none did */
};
#define ISLAND(member) COR_CELL_OF(struct island, member)
static const struct cor_column_definition islands_columns[] = {
    {"arm", "search", "", "generator, and arm of the experiment", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"island", "island", "1", "number, from 0: its suite", ISLAND(suite)},
    {"schedules", "schedules", "1", "executed", ISLAND(schedules)},
    {"cases", "cases", "cases", "begun", ISLAND(cases)},
    {"first", "found after", "1", "schedules, that which failed included; nothing: not found",
     COR_SOME_OF(struct island, first)},
    {"class", "violated", "", "constraint; or how a process ended by itself", COR_CELL_WORD, 0, 0},
    {"key", "key", "", "of the schedule that failed: ARM/SUITE/SEQUENCE", COR_CELL_WORD, 0, 0},
};
const struct cor_sheet_definition views__process_islands =
    COR_SHEET_OVER(islands_columns, "islands", "Searches", "an island of a search", 0, 24);

/* Does the experiment say that suites end with their first failure? */
static enum cor_status process_is_search(const struct cor_layer_tables *process, bool *is_it,
                                         struct cor_error *error) {
    struct cor_json_document *document;
    struct cor_json until;
    const char *word;
    *is_it = false;
    COR_TRY(cor_json_parse(process->head->experiment, "experiment", &document, error));
    const struct cor_json root = cor_json_root(document);
    if (cor_json_is_object(&root) && cor_json_find(&root, "until", &until) && cor_json_is_string(&until))
        *is_it = cor_json_string(&until, &word, NULL) == COR_OK && strcmp(word, "failure") == 0;
    cor_json_destroy(document);
    return COR_OK;
}

/* What is behind the generator in the name of an arm. */
static const char *target_of(const char *arm) {
    const char *stroke = strchr(arm, '/');
    return stroke ? stroke + 1 : arm;
}

static uint16_t code_of(const struct cor_layer_tables *process, const char *target) {
    uint16_t a = 0;
    while (strcmp(target_of(cor_arm_entry(process->head, a)->name), target) != 0)
        a++;
    return a;
}

/* A suite as an island; *failure: the schedule that failed, NULL: none did. */
static struct island look(const struct cor_layer_tables *process, const struct cor_process_suite_row *suite,
                          const struct cor_process_sequence_row **failure) {
    struct island island = {.suite = suite->suite};
    uint64_t count;
    const uint64_t from =
        cor_layer_rows_of(process, COR_PROCESS_TABLE_SEQUENCES, suite->arm, suite->suite, &count);
    *failure = NULL;
    for (uint64_t i = from; i < from + count; i++) {
        const struct cor_process_sequence_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SEQUENCES, i);
        const bool has_failed = row->verdict == COR_VERDICT_FAILED;
        island.schedules++;
        island.cases += row->cases + (has_failed || row->cases == 0 ? 1u : 0u);
        if (!has_failed || *failure)
            continue;
        *failure = row;
        island.first = island.schedules;
        island.first_cases = island.cases;
    }
    return island;
}

static void fill_island(const struct cor_layer_tables *process, const char *arm, const struct island *island,
                        const struct cor_process_sequence_row *failure, struct cor_sheet *sheet) {
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, arm);
    COR_SHEET_PUT(sheet, struct island, island);
    if (!failure) {
        cor_sheet_nothing(sheet);
        cor_sheet_nothing(sheet);
        return;
    }
    cor_sheet_word(sheet, cor_process_failure(process, failure));
    cor_sheet_text(sheet, "%s/%" PRIu32 "/%" PRIu32, arm, failure->suite, failure->sequence);
}

static enum cor_status put_process_searches(const struct cor_layer_tables *process, double level,
                                            struct cor_sheets *sheets, struct cor_error *error) {
    const uint64_t suites = process->count[COR_PROCESS_TABLE_SUITES];
    enum cor_status status = COR_OK;
    bool is_it;
    size_t count = 0;
    uint64_t most = 0; /* cases of a search: one that has found something might have gone on as long */
    COR_TRY(process_is_search(process, &is_it, error));
    if (!is_it)
        return COR_OK;
    struct views__repetition *repetitions = cor_calloc(suites + 1, sizeof *repetitions);
    COR_TRY(cor_made(repetitions, error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &views__process_islands);
    for (size_t a = 0; a < cor_arm_count(process->head); a++)
        for (uint64_t i = 0; i < suites; i++) {
            const struct cor_process_suite_row *suite = cor_layer_row(process, COR_PROCESS_TABLE_SUITES, i);
            const struct cor_process_sequence_row *failure;
            const char *name = cor_arm_entry(process->head, a)->name;
            if (suite->arm != a)
                continue;
            const struct island island = look(process, suite, &failure);
            fill_island(process, name, &island, failure, sheet);
            most = island.cases > most ? island.cases : most;
            repetitions[count++] =
                (struct views__repetition){.name = name,
                                           .target = target_of(name),
                                           .target_code = code_of(process, target_of(name)),
                                           .arm = (uint16_t)a,
                                           .first = island.first_cases,
                                           .cases = island.cases,
                                           .classes = failure != NULL};
        }
    for (size_t i = 0; i < count; i++)
        if (repetitions[i].first > 0)
            repetitions[i].cases = most;
    COR_TRY_OUT(views__compare_repetitions(repetitions, count, level, sheets, error));
out:
    free(repetitions);
    return status;
}

/* ---- arms of distributed programs as tests: one with a fault passes if a schedule failed, one without if
 * all passed */

struct processes {
    struct cor_layer_tables process;
    struct views__process_arms arms;
};

static void close_processes(struct processes *processes) {
    process_arms_fini(&processes->arms);
    cor_layer_tables_fini(&processes->process);
}

static enum cor_status open_processes(struct cor_result *result, struct processes *processes,
                                      struct cor_error *error) {
    *processes = (struct processes){0};
    COR_TRY(cor_process_result_init(result, &processes->process, error));
    const enum cor_status status = process_arms_init(&processes->process, 0.95, &processes->arms, error);
    if (status != COR_OK)
        close_processes(processes);
    return status;
}

static struct views__test test(const void *with, size_t index) {
    const struct views__process_arm *arm = &((const struct processes *)with)->arms.items[index];
    return (struct views__test){"processes", process_outcome_is_good(arm->outcome) ? VIEWS__TEST_PASSED
                                             : arm->outcome == VIEWS__PROCESS_NO_VERDICT
                                                 ? VIEWS__TEST_SKIPPED
                                                 : VIEWS__TEST_FAILED};
}

/* What came of an arm, and of the first failure why. */
static void say_process(const struct processes *processes, size_t index, char *text, size_t size) {
    const struct cor_process_sequence_row *row = process_failure(&processes->process, index, COR_ANY_SUITE);
    char said[200];
    process_say(&processes->arms.items[index], said, sizeof said);
    if (row)
        snprintf(text, size, "%s: %s: %.*s", said, cor_process_failure(&processes->process, row),
                 COR_PROCESS_SAID(&processes->process, row, why));
    else
        snprintf(text, size, "%s", said);
}

static void put_case(const void *with, size_t index, FILE *file) {
    const struct processes *processes = with;
    const struct views__process_arm *arm = &processes->arms.items[index];
    const struct views__test it = test(with, index);
    char text[1000], number[32];
    views__put_attribute("classname", it.suite, file);
    views__put_attribute("name", arm->name, file);
    fputs(">\n      <properties>\n", file);
    views__put_property("verdict", process_outcome_word(arm->outcome), file);
    snprintf(number, sizeof number, "%" PRIu64, arm->sequences);
    views__put_property("schedules", number, file);
    snprintf(number, sizeof number, "%" PRIu64, arm->failed);
    views__put_property("failed", number, file);
    fputs("      </properties>\n", file);
    if (it.result == VIEWS__TEST_PASSED)
        return;
    say_process(processes, index, text, sizeof text);
    fputs(it.result == VIEWS__TEST_SKIPPED ? "      <skipped" : "      <failure", file);
    views__put_attribute("message", text, file);
    fputs("/>\n", file);
}

static void put_point(const void *with, size_t index, FILE *file) {
    const struct processes *processes = with;
    const struct views__process_arm *arm = &processes->arms.items[index];
    char text[1000];
    views__put_description(arm->name, file);
    if (test(with, index).result == VIEWS__TEST_SKIPPED) {
        fputs(" # SKIP ", file);
        views__put_description(process_outcome_word(arm->outcome), file);
    }
    fputs("\n  ---\n", file);
    views__put_scalar_text("  ", "verdict", process_outcome_word(arm->outcome), file);
    say_process(processes, index, text, sizeof text);
    views__put_scalar_text("  ", "message", text, file);
    fputs("  ...\n", file);
}

static enum cor_status write_arms(struct cor_result *result, views__write_list *write, FILE *file,
                                  struct cor_error *error) {
    struct processes processes;
    COR_TRY(open_processes(result, &processes, error));
    const struct views__test_list list = {.with = &processes,
                                          .tests = processes.arms.count,
                                          .test = test,
                                          .put_case = put_case,
                                          .put_point = put_point,
                                          .none = "the file has no arms"};
    const enum cor_status status = write(&list, file, error);
    close_processes(&processes);
    return status;
}

static enum cor_status count_listed(struct cor_result *result, struct cor_view_findings *findings,
                                    struct cor_error *error) {
    struct processes processes;
    COR_TRY(open_processes(result, &processes, error));
    count_processes(&processes.arms, findings);
    close_processes(&processes);
    return COR_OK;
}

static void lead_to_failure(const struct cor_layer_tables *process, size_t arm,
                            struct views__summary *summary) {
    const struct cor_process_sequence_row *row = process_failure(process, arm, COR_ANY_SUITE);
    if (!row)
        return;
    const char *name = cor_arm_entry(process->head, arm)->name;
    char *key = cor_format("%s/%" PRIu32 "/%" PRIu32, name, row->suite, row->sequence),
         *option = cor_format("--suite %" PRIu32, row->suite);
    views__summary_say(summary, "example", COR_TONE_PLAIN, "%.60s: %.*s", cor_process_failure(process, row),
                       COR_PROCESS_SAID(process, row, why));
    if (key && option) {
        views__summary_next(summary, "schedule", "show", "processes --arm", name, option);
        views__summary_next(summary, "repeat", "replay", "--failure", key, NULL);
        views__summary_next(summary, "shrink", "shrink", "--failure", key, "-o t.json");
        views__summary_next_of(summary, "story", "replay --trace", "t.json");
    } else
        summary->status = COR_STATUS_MEMORY;
    free(option);
    free(key);
}

static enum cor_status say_traps(const struct processes *processes, struct views__summary *summary,
                                 struct cor_error *error) {
    const struct cor_layer_tables *process = &processes->process;
    const size_t known = process->head->catalog_size[COR_PROCESS_CATALOG_TRAP];
    struct views__process_trap *traps = cor_calloc(known + 1, sizeof *traps);
    char text[400];
    COR_TRY(cor_made(traps, error));
    for (size_t a = 0; a < processes->arms.count; a++) {
        process_say_traps(traps, process_traps(process, a, traps), text, sizeof text);
        if (text[0])
            views__summary_say(summary, "traps", COR_TONE_PLAIN, "%.60s: %s", processes->arms.items[a].name,
                               text);
    }
    free(traps);
    return COR_OK;
}

static enum cor_status sum_processes(const struct cor_view_request *request, struct views__summary *summary,
                                     struct cor_view_findings *findings, struct cor_error *error) {
    struct processes processes;
    char text[200];
    enum cor_status status = COR_OK;
    COR_TRY(open_processes(request->result, &processes, error));
    const bool is_search = processes.arms.count > 0 && processes.arms.items[0].is_search;
    summary->counted = is_search ? "searches" : "schedules";
    for (size_t a = 0; a < processes.arms.count; a++) {
        const struct views__process_arm *arm = &processes.arms.items[a];
        const struct views__summary_arm it = {.name = arm->name,
                                              .verdict = process_outcome_word(arm->outcome),
                                              .is_good = process_outcome_is_good(arm->outcome),
                                              .is_found = arm->outcome == VIEWS__PROCESS_FOUND,
                                              .hits = arm->failed,
                                              .tries = is_search ? arm->suites : arm->sequences};
        summary->suites += arm->suites;
        summary->cases += arm->cases;
        views__summary_arm(summary, &it);
        process_say(arm, text, sizeof text);
        if (arm->outcome == VIEWS__PROCESS_SOUND || arm->outcome == VIEWS__PROCESS_NO_VERDICT)
            views__summary_say(summary, arm->outcome == VIEWS__PROCESS_SOUND ? "sound" : "why",
                               COR_TONE_PLAIN, "%.60s: %s", arm->name, text);
    }
    COR_TRY_OUT(say_traps(&processes, summary, error));
    if (views__summary_worst(summary) != SIZE_MAX)
        lead_to_failure(&processes.process, views__summary_worst(summary), summary);
    count_processes(&processes.arms, findings);
out:
    close_processes(&processes);
    return status;
}

const struct views__layer_verdicts views__verdicts_of_process = {&cor_process_schema, sum_processes,
                                                                 count_listed, write_arms, NULL};
