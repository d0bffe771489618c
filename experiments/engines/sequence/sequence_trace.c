/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the trace of a sequence names the first few of, whole, for JSON and CSV: steps of the environment,
 * agents that changed, violations, mail. */
#include "output.h"
#include "replay.h"
#include "why_told.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/course.h>
#include <corridor/likelihood.h>
#include <corridor/question.h>
#include <corridor/schema.h>
#include <corridor/sheet.h>
#include <corridor/state.h>
#include <corridor/suite.h>
#include <corridor/suite_reader.h>

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* These sheets, in a list; borrowed from it. mail NULL: there is none to be seen. */
struct sequence__trace_lists {
    struct cor_sheet *steps, *changed, *violations, *mail, *graph;
};

static const struct cor_column_definition steps_columns[] = {
    {"case", "case", "1", "within the sequence, from 1", COR_CELL_COUNT, 0, 0},
    {"environment", "environment", "", "its name", COR_CELL_TEXT, 0, 0},
    {"location", "location", "1", "of the chain", COR_CELL_COUNT, 0, 0},
    {"from", "from", "", "state before the case", COR_CELL_TEXT, 0, 0},
    {"to", "to", "", "state in the case", COR_CELL_TEXT, 0, 0},
};
static const struct cor_sheet_definition steps_sheet =
    COR_SHEET_OVER(steps_columns, "steps", "Chains of the environment that changed",
                   "a chain in a test case in which it went to another state", COR_SHEET_DATA, 0);

static const struct cor_column_definition changed_columns[] = {
    {"case", "case", "1", "within the sequence, from 1", COR_CELL_COUNT, 0, 0},
    {"agent", "agent", "1", "number, from 0", COR_CELL_COUNT, 0, 0},
    {"before", "before", "value", "its value before the case", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"value", "value", "value", "its value in the case", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
};
static const struct cor_sheet_definition changed_sheet =
    COR_SHEET_OVER(changed_columns, "changed", "Agents that changed",
                   "an agent in a test case in which its value is another", COR_SHEET_DATA, 0);

static const struct cor_column_definition violations_columns[] = {
    {"case", "case", "1", "within the sequence, from 1", COR_CELL_COUNT, 0, 0},
    {"box", "box", "", "that saw it", COR_CELL_WORD, 0, 0},
    {"check", "check", "", "what is violated", COR_CELL_WORD, 0, 0},
    {"agent", "agent", "1", "nothing: it is not about one agent", COR_CELL_COUNT, 0, 0},
    {"partition", "partition", "1", "nothing: it is not about one partition", COR_CELL_COUNT, 0, 0},
    {"sentence", "sentence", "", "in words", COR_CELL_TEXT, 0, 0},
};
static const struct cor_sheet_definition violations_sheet = COR_SHEET_OVER(
    violations_columns, "violations", "Violations",
    "a violation in a test case; of each check and box the first four are kept", COR_SHEET_DATA, 0);

/* The environment of a chain, and the name of a state of it, in `room` if it has none. */
static const struct cor_environment *sequence__environment_of(const struct cor_suite *suite, uint32_t chain) {
    const uint32_t profile = suite->configuration->profile_of_chain[chain];
    return &suite->experiment->model->environments[suite->environment_of_profile[profile]];
}

static const char *sequence__state_name(const struct cor_suite *suite, uint32_t chain, uint8_t state,
                                        char room[16]) {
    const struct cor_profile *profile = suite->profiles[suite->configuration->profile_of_chain[chain]];
    if (state < profile->state_count && profile->states && profile->states[state])
        return profile->states[state];
    snprintf(room, 16, "state %u", state);
    return room;
}

static void list_changed(struct cor_sheet *sheet, uint32_t number, uint32_t agent_count, const double *before,
                         const double *after) {
    for (uint32_t a = 0; a < agent_count; a++) {
        if (!(after[a] < before[a]) && !(after[a] > before[a]))
            continue;
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, number);
        cor_sheet_count(sheet, a);
        cor_sheet_real(sheet, before[a]);
        cor_sheet_real(sheet, after[a]);
    }
}

/* What is violated, in a sentence. */
static void violation_sentence(const struct cor_suite *suite, const struct cor_violation_row *row,
                               char sentence[COR_SENTENCE]) {
    const uint32_t constraint = cor_violated_constraint(row);
    const char *says, *name = cor_experiment_constraint(suite->experiment, constraint, &says);
    if (name)
        cor_constraint_sentence(row, name, says, sentence);
    else
        cor_violation_sentence(suite->configuration->kind, row, NULL, sentence);
}

/* Nothing, if the number is `none`. */
static void put_number(uint64_t number, uint64_t none, struct cor_sheet *sheet) {
    if (number == none)
        cor_sheet_nothing(sheet);
    else
        cor_sheet_count(sheet, number);
}

/* ---- trace text */

#define WIDTH 100 /* where no terminal says how wide it is */
#define INDENT 16 /* of what is behind a word */
#define FEW 8     /* chains, agents, blocks that are named */

/* The sheets that are drawn. */
struct drawing {
    const struct cor_sheet *trace;                      /* borrowed, and all; */
    const struct cor_sheet *constraints, *mail, *graph; /* NULL: the corridor is no text; there is no mail to
                                                           be seen; the algorithm tells of no graph */
};

/* A row of the sheet being written. */
struct row {
    const struct cor_sheet *sheet;
    size_t index;
    const struct cor_style *style;
    FILE *file;
};

static const struct cor_table_cell *cell(const struct row *row, const char *key) {
    return cor_sheet_cell(row->sheet, row->index, cor_sheet_column(row->sheet, key));
}

static bool is_there(const struct row *row, const char *key) {
    return cell(row, key)->kind != COR_CELL_NOTHING;
}

static uint64_t count(const struct row *row, const char *key) {
    return is_there(row, key) ? cell(row, key)->count : 0;
}

static bool flag(const struct row *row, const char *key) {
    return is_there(row, key) && cell(row, key)->flag;
}

static const char *text(const struct row *row, const char *key) {
    return is_there(row, key) ? cell(row, key)->text : "";
}

static size_t width_of(const struct row *row) {
    return row->style->width > INDENT ? row->style->width : WIDTH;
}

/* Items, each behind `separator`, from the indentation on; lines are broken between them only. */
static void put_items(const struct row *row, const char *items, const char *separator) {
    const size_t width = width_of(row);
    size_t at = INDENT;
    bool owes_blank = false;
    while (*items) {
        const char *next = strstr(items, separator);
        next = next ? next + strlen(separator) : items + strlen(items);
        const char *end = next[-1] == ' ' ? next - 1 : next;
        const char *text = items;
        size_t length = 0;
        while (text < end) {
            uint32_t code;
            const size_t size = cor_utf8_code(text, &code);
            text += size > 0 ? size : 1;
            length++;
        }
        if (at + owes_blank + length > width && at > INDENT) {
            fprintf(row->file, "\n%*s", INDENT, "");
            at = INDENT;
        } else if (owes_blank) {
            fputc(' ', row->file);
            at++;
        }
        while (items < end)
            items += cor_put_shown(row->file, items);
        at += length;
        owes_blank = end < next;
        items = next;
    }
    fputc('\n', row->file);
}

static void begin_line(const struct row *row, const char *word) {
    fprintf(row->file, "    %s%-*s%s", row->style->faint, INDENT - 4, word, row->style->plain);
}

static void put_line(const struct row *row, const char *word, const char *words) {
    begin_line(row, word);
    put_items(row, words, " ");
}

/* Of a corridor as a text the look is about triggers alone: an invariant may be violated beside them. */
static const char *look_in_words(const struct row *row, bool is_text, char *words, size_t size) {
    const char *look = text(row, "inside");
    words[0] = '\0';
    if (!is_there(row, "inside") || strcmp(look, "not_looked") == 0)
        return words;
    if (is_text && strcmp(look, "inside") == 0)
        return "the oracle sees no trigger violated";
    if (is_text && strcmp(look, "outside") == 0)
        return "the oracle sees a trigger violated";
    snprintf(words, size, "the oracle says %s", look);
    return words;
}

static void put_head(const struct row *row, bool is_text) {
    const bool alarm = flag(row, "alarm");
    char found[COR_CELL], limit[COR_CELL], measured[2 * COR_CELL + 40] = "", words[64];
    const char *look = look_in_words(row, is_text, words, sizeof words);
    if (!is_text) {
        cor_brief_text(cell(row, "dissimilarity")->real, found);
        cor_brief_text(cell(row, "threshold")->real, limit);
        snprintf(measured, sizeof measured, "dissimilarity %s, threshold %s: ", found, limit);
    }
    fprintf(row->file, "  %scase %-7" PRIu64 "%s %s%s%s%s", row->style->strong, count(row, "case"),
            row->style->plain, measured, alarm ? row->style->bad : "", alarm ? "alarm" : "quiet",
            alarm ? row->style->plain : "");
    if (look[0] && INDENT + strlen(measured) + strlen("quiet, ") + strlen(look) > width_of(row))
        fprintf(row->file, ",\n%*s%s", INDENT, "", look);
    else if (look[0])
        fprintf(row->file, ", %s", look);
    fputc('\n', row->file);
}

/* "balance violated, organization 3: supply 12.4 kW < demand 13 kW", a line each, from row *at on. */
static void put_constraints(const struct row *row, const struct cor_sheet *constraints, size_t *at) {
    struct row it = {constraints, *at, row->style, row->file};
    bool is_first = true;
    for (; it.index < cor_sheet_size(constraints) && count(&it, "case") == count(row, "case"); it.index++) {
        static const char *const elements[] = {"organization", "agent"};
        char words[1024];
        size_t length = (size_t)snprintf(words, sizeof words, "%.200s%s %s", text(&it, "constraint"),
                                         flag(&it, "trigger") ? " (trigger)" : "", text(&it, "verdict"));
        for (size_t e = 0; e < 2; e++)
            if (is_there(&it, elements[e]))
                length += (size_t)snprintf(words + length, sizeof words - length, ", %s %" PRIu64,
                                           elements[e], count(&it, elements[e]));
        const char *sides = text(&it, "sides");
        snprintf(words + length, sizeof words - length, ": %s", *sides ? sides : text(&it, "part"));
        put_line(row, is_first ? "corridor" : "", words);
        is_first = false;
    }
    *at = it.index;
}

static void put_solution(const struct row *row) {
    char words[1024];
    if (is_there(row, "smoke"))
        snprintf(words, sizeof words, "none: %s: %.900s", text(row, "smoke"), text(row, "words"));
    else
        snprintf(words, sizeof words,
                 "%" PRIu64 " blocks (%s); %" PRIu64 " agents moved%s, partitions %" PRIu64 " -> %" PRIu64,
                 count(row, "blocks"), text(row, "sizes"), count(row, "moved"),
                 flag(row, "own_moves") ? " by moves of its own" : "", count(row, "partitions_before"),
                 count(row, "partitions_after"));
    put_line(row, "solution", words);
    if (count(row, "messages") > 0 || count(row, "rounds") > 0) {
        snprintf(words, sizeof words, "%" PRIu64 " messages in %" PRIu64 " rounds, %" PRIu64 " lost",
                 count(row, "messages"), count(row, "rounds"), count(row, "messages_lost"));
        put_line(row, "mail", words);
    }
    if (count(row, "fault_reached") == 0 && count(row, "fault_activated") == 0)
        return;
    snprintf(words, sizeof words, "reached %" PRIu64 ", held %" PRIu64 ", activated %" PRIu64,
             count(row, "fault_reached"), count(row, "fault_held"), count(row, "fault_activated"));
    put_line(row, "fault", words);
}

#define MAIL_SHOWN 12 /* messages, the last of the case: of those that came as usual, and of the others */

/* Lost, come twice, or struck by the fault: few, and mostly what the failure hangs on. */
static bool is_unusual(const struct row *message) {
    return count(message, "times") != 1 || strstr(text(message, "then"), "the fault strikes");
}

/* Of agents that a violation names, where there are such messages; else all. */
static void put_mail(const struct row *row, const struct cor_sheet *mail) {
    const size_t messages = cor_sheet_size(mail);
    size_t chosen[2] = {0}, passed[2] = {0}; /* as usual, and not */
    if (messages == 0 || count(&(struct row){.sheet = mail}, "case") != count(row, "case"))
        return;
    bool is_all = true;
    for (size_t i = 0; i < messages; i++)
        is_all = is_all && !flag(&(struct row){.sheet = mail, .index = i}, "about");
    for (size_t i = 0; i < messages; i++) {
        const struct row it = {.sheet = mail, .index = i};
        chosen[is_unusual(&it)] += is_all || flag(&it, "about");
    }
    const size_t all = chosen[0] + chosen[1];
    const size_t shown = (chosen[0] < MAIL_SHOWN ? chosen[0] : MAIL_SHOWN) +
                         (chosen[1] < MAIL_SHOWN ? chosen[1] : MAIL_SHOWN);
    if (shown < messages)
        fprintf(row->file, "%*s%zu of %zu%s (all: --json):\n", INDENT, "", shown, all,
                is_all ? "" : " with agents that a violation names");
    for (size_t i = 0; i < messages; i++) {
        const struct row it = {mail, i, row->style, row->file};
        const bool unusual = is_unusual(&it);
        char words[512];
        const char *values = text(&it, "values"), *because = text(&it, "because");
        if ((!is_all && !flag(&it, "about")) || ++passed[unusual] + MAIL_SHOWN <= chosen[unusual])
            continue;
        snprintf(words, sizeof words, "%s%s: %s%s%.150s%s%s%s", text(&it, "when"),
                 count(&it, "times") > 1 ? ", again later" : "", text(&it, "what"), *values ? ": " : "",
                 values, *because ? ", " : "", because,
                 strstr(text(&it, "then"), "the fault strikes") ? "; the fault strikes" : "");
        put_line(row, "", words);
    }
}

/* A list as text: room for FEW items of a name and two states. */
struct few {
    char text[FEW * 256];
    size_t used;
};

static void add(struct few *few, const char *format, ...) COR_PRINTF(2, 3);
static void add(struct few *few, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(few->text + few->used, sizeof few->text - few->used, format, arguments);
    va_end(arguments);
    few->used += size > 0 ? (size_t)size : 0;
    few->used = few->used < sizeof few->text ? few->used : sizeof few->text - 1;
}

/* Who leads a partition of the graph that the algorithm came to. */
static void put_graph(const struct row *row, const struct cor_sheet *graph) {
    struct few few = {.text = ""};
    uint64_t leaders = 0, known = 0;
    char words[512];
    if (count(&(struct row){.sheet = graph}, "case") != count(row, "case"))
        return;
    for (size_t i = 0; i < cor_sheet_size(graph); i++) {
        const struct row edge = {.sheet = graph, .index = i};
        known += !flag(&edge, "marked");
        if (flag(&edge, "marked") && count(&edge, "agent") == count(&edge, "other") && leaders++ < FEW)
            add(&few, "%s%" PRIu64, leaders > 1 ? ", " : "", count(&edge, "agent"));
    }
    if (leaders > FEW)
        add(&few, ", and %" PRIu64 " more", leaders - FEW);
    snprintf(words, sizeof words,
             "%" PRIu64 " partitions, led by %.300s; %" PRIu64 " acquaintances (all: --json)", leaders,
             few.text, known);
    put_line(row, "graph", words);
}

static void put_verdict(const struct row *row, const char *key, bool *first) {
    const char *word = text(row, key);
    const bool bad = strcmp(word, "failed") == 0 || strcmp(word, "smoke") == 0;
    if (!is_there(row, key) || strcmp(word, "not_judged") == 0)
        return;
    fprintf(row->file, "%s%s %s%s%s", *first ? "" : ", ", key, bad ? row->style->bad : "", word,
            bad ? row->style->plain : "");
    *first = false;
}

static void draw(const void *context, const struct cor_style *style, FILE *file) {
    const struct drawing *drawing = context;
    const struct cor_sheet *sheet = drawing->trace;
    size_t constraint = 0;
    fprintf(file, "%s%s%s\n", style->strong, cor_sheet_shown_title(sheet), style->plain);
    for (size_t i = 0; i < cor_sheet_size(sheet); i++) {
        const struct row row = {sheet, i, style, file};
        put_head(&row, drawing->constraints != NULL);
        if (drawing->constraints)
            put_constraints(&row, drawing->constraints, &constraint);
        char words[512];
        if (count(&row, "chains") > 0) {
            char bits[COR_CELL], usual[COR_CELL];
            cor_brief_text(cell(&row, "bits")->real, bits);
            cor_brief_text(cell(&row, "usual_bits")->real, usual);
            begin_line(&row, "environment");
            put_items(&row, text(&row, "environment"), ", ");
            if (cell(&row, "bits")->real > cell(&row, "usual_bits")->real)
                snprintf(words, sizeof words, "an unlikely step: %s bits, where %s are usual", bits, usual);
            else
                snprintf(words, sizeof words, "the environment did nothing unusual");
            put_line(&row, "", words);
        }
        if (count(&row, "changed") != 0) {
            snprintf(words, sizeof words, "%" PRIu64 " changed: %s", count(&row, "changed"),
                     text(&row, "agents"));
            put_line(&row, "agents", words);
        }
        if (flag(&row, "reorganized"))
            put_solution(&row);
        if (flag(&row, "reorganized") && drawing->mail)
            put_mail(&row, drawing->mail);
        if (flag(&row, "reorganized") && drawing->graph)
            put_graph(&row, drawing->graph);
        if (flag(&row, "reorganized") || count(&row, "violations") > 0) {
            bool first = true;
            begin_line(&row, "verdicts");
            put_verdict(&row, "detect", &first);
            put_verdict(&row, "gray", &first);
            put_verdict(&row, "black", &first);
            put_verdict(&row, "agreement", &first);
            fputc('\n', row.file);
        }
        const uint64_t violations = count(&row, "violations");
        if (violations == 0)
            continue;
        put_line(&row, "violated", text(&row, "violated"));
        if (violations > 1)
            fprintf(row.file, "%*sand %" PRIu64 " more: --json lists them\n", INDENT, "", violations - 1);
    }
    if (cor_sheet_size(sheet) == 0)
        fputs("  no such case was executed\n", file);
}

/* ---- one sequence with eyes open: what the environment did, who changed, what the monitor and the algorithm
 * made of it, and what was seen to be wrong. A sheet, a row a case; for readers its rows as paragraphs */

#define ROW(member) COR_CELL_OF(struct cor_reorganization_row, member)
static const struct cor_column_definition trace_columns[] = {
    {"case", "case", "1", "within the sequence, from 1", COR_CELL_COUNT, 0, 0},
    {"environment", "environment", "", "chains that changed, from a state to a state, the first of them",
     COR_CELL_TEXT, 0, 0},
    {"chains", "chains", "chains", "that changed", COR_CELL_COUNT, 0, 0},
    {"bits", "bits", "bits", "-log2 of the probability of what all chains did, by their profiles",
     COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"usual_bits", "usual bits", "bits", "the mean of that from the states before", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"changed", "changed", "agents", "whose value changed", COR_CELL_COUNT, 0, 0},
    {"agents", "agents", "", "the first of them", COR_CELL_TEXT, 0, 0},
    {"dissimilarity", "dissimilarity", "value", "by the monitor, before reorganizing", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"threshold", "threshold", "value",
     "the invariant holds up to it; nothing: the corridor is a text, see the sheet constraints",
     COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"alarm", "alarm", "", "the monitor raised one", COR_CELL_FLAG, 0, 0},
    {"inside", "inside", "", "the oracle's own look, before reorganizing", COR_CELL_WORD, 0, 0},
    {"detect", "detect", "", "R-Detect: does the alarm agree with the oracle?", COR_CELL_WORD, 0, 0},
    {"reorganized", "reorganized", "", "the algorithm ran", COR_CELL_FLAG, 0, 0},
    {"smoke", "smoke", "", "how it ended without a result", COR_CELL_WORD, 0, 0},
    {"words", "words", "", "what led to that: its own words, or those of the sandbox", COR_CELL_TEXT, 0, 0},
    {"blocks", "blocks", "blocks", "of the solution", COR_CELL_COUNT, 0, 0},
    {"sizes", "sizes", "", "of the blocks, the first of them", COR_CELL_TEXT, 0, 0},
    {"partitions_before", "before", "partitions", "of the structure before", ROW(partitions_before)},
    {"partitions_after", "after", "partitions", "of the structure after adoption", ROW(partitions_after)},
    {"moved", "moved", "agents", "to another partition, names aside", ROW(moved)},
    {"own_moves", "own moves", "", "the algorithm distributed the solution itself",
     COR_FLAG_OF(struct cor_reorganization_row, own_moves)},
    {"spent", "spent", "units", "of the budget", ROW(spent)},
    {"rounds", "rounds", "rounds", "of mail", ROW(rounds)},
    {"messages", "messages", "messages", "sent", ROW(messages)},
    {"messages_lost", "lost", "messages", "lost on their way", ROW(messages_lost)},
    {"fault_reached", "reached", "times", "the fault's seam was executed", ROW(fault_reached)},
    {"fault_held", "held", "times", "the fault's condition held there", ROW(fault_held)},
    {"fault_activated", "activated", "times", "the fault corrupted something", ROW(fault_activated)},
    {"gray", "gray", "", "R-Solution: verdict on the solution", COR_CELL_WORD, 0, 0},
    {"black", "black", "", "R-Distribution: verdict on the structure", COR_CELL_WORD, 0, 0},
    {"agreement", "agreement", "", "is the structure the accepted solution?", COR_CELL_WORD, 0, 0},
    {"violations", "violations", "1",
     "of constraints, by all boxes; of interim solutions those that are kept", COR_CELL_COUNT, 0, 0},
    {"violated", "violated", "", "the first of them: box and sentence", COR_CELL_TEXT, 0, 0},
};
static const struct cor_sheet_definition trace_sheet =
    COR_SHEET_OVER(trace_columns, "trace", "Trace", "a test case", COR_SHEET_DATA, 0);

static const struct cor_column_definition constraints_columns[] = {
    {"case", "case", "1", "within the sequence, from 1", COR_CELL_COUNT, 0, 0},
    {"constraint", "constraint", "", "its name", COR_CELL_WORD, 0, 0},
    {"trigger", "trigger", "", "the monitor watches it", COR_CELL_FLAG, 0, 0},
    {"verdict", "verdict", "",
     "holds, violated, unknown, or edge: rounding decides; of one of the parts that \"and\" joins",
     COR_CELL_WORD, 0, 0},
    {"organization", "organization", "", "for which it decides", COR_CELL_COUNT, 0, 0},
    {"agent", "agent", "", "for which it decides", COR_CELL_COUNT, 0, 0},
    {"part", "part", "", "the comparison that decides, or what else does; unknown: why", COR_CELL_TEXT, 0, 0},
    {"left", "left", "", "the number on its left", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"right", "right", "", "the number on its right", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"unit", "unit", "", "of both", COR_CELL_WORD, 0, 0},
    {"sides", "sides", "", "both sides, and how they stand to each other", COR_CELL_TEXT, 0, 0},
};
static const struct cor_sheet_definition constraints_sheet = COR_SHEET_OVER(
    constraints_columns, "constraints", "What the corridor looked at",
    "a part of a constraint of the corridor as text in a test case, before reorganizing", COR_SHEET_DATA, 0);

static const struct cor_column_definition mail_columns[] = {
    {"case", "case", "1", "within the sequence, from 1", COR_CELL_COUNT, 0, 0},
    {"message", "message", "1", "number, from 1, in the order of sending", COR_CELL_COUNT, 0, 0},
    {"sent", "sent", "round", "in which it was sent", COR_CELL_COUNT, 0, 0},
    {"received", "received", "round", "in which it came first; nothing: it was lost", COR_CELL_COUNT, 0, 0},
    {"times", "times", "1", "that it came", COR_CELL_COUNT, 0, 0},
    {"from", "from", "1", "agent", COR_CELL_COUNT, 0, 0},
    {"to", "to", "1", "agent", COR_CELL_COUNT, 0, 0},
    {"kind", "kind", "1", "number of its kind", COR_CELL_COUNT, 0, 0},
    {"answers", "answers", "1", "the message in whose handling it was sent; nothing: in a turn",
     COR_CELL_COUNT, 0, 0},
    {"when", "when", "", "in words", COR_CELL_TEXT, 0, 0},
    {"what", "what", "", "who says what to whom", COR_CELL_TEXT, 0, 0},
    {"values", "values", "", "what it holds", COR_CELL_TEXT, 0, 0},
    {"because", "because", "", "what it answers", COR_CELL_TEXT, 0, 0},
    {"then", "then", "", "what was counted in its handling", COR_CELL_TEXT, 0, 0},
    {"about", "about", "", "from or to an agent that a violation of the case names", COR_CELL_FLAG, 0, 0},
};
static const struct cor_sheet_definition mail_sheet =
    COR_SHEET_OVER(mail_columns, "mail", "Mail of the case",
                   "a message between agents, in the order of coming; of the last case", COR_SHEET_DATA, 0);

static const struct cor_column_definition graph_sheet_columns[] = {
    {"case", "case", "1", "within the sequence, from 1", COR_CELL_COUNT, 0, 0},
    {"agent", "agent", "1", "from which the edge goes", COR_CELL_COUNT, 0, 0},
    {"other", "other", "1", "to which it goes; itself: the agent leads a partition", COR_CELL_COUNT, 0, 0},
    {"marked", "marked", "", "the other is in its partition; else it knows the other alone", COR_CELL_FLAG, 0,
     0}};
COR_SHEET_DEFINITION(graph_sheet, "graph", "Graph of the case",
                     "an edge of the graph that the algorithm came to, as it tells; of the last case",
                     COR_SHEET_DATA, 0);

static const struct cor_column_definition question_sheet_columns[] = {
    {"case", "case", "1", "whose reorganization it is", COR_CELL_COUNT, 0, 0},
    {"size_min", "least size", "agents", "of a partition; nothing: no limit", COR_CELL_COUNT, 0, 0},
    {"size_max", "largest size", "agents", "of a partition; nothing: no limit", COR_CELL_COUNT, 0, 0},
    {"count_min", "least number", "partitions", "nothing: no limit", COR_CELL_COUNT, 0, 0},
    {"count_max", "largest number", "partitions", "nothing: no limit", COR_CELL_COUNT, 0, 0},
    {"threshold", "threshold", "value", "of the dissimilarity", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"budget", "budget", "units", "for the reorganization", COR_CELL_COUNT, 0, 0},
    {"agents", "agents", "agents", "of the system", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(question_sheet, "question", "Asked in the failing case", "the question",
                     COR_SHEET_RECORD, 0);

static const struct cor_column_definition members_sheet_columns[] = {
    {"agent", "agent", "1", "number, from 0", COR_CELL_COUNT, 0, 0},
    {"value", "value", "value", "as the algorithm was told", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"before", "before", "", "its partition in the structure before", COR_CELL_TEXT, 0, 0},
    {"solution", "solution", "", "its blocks in the solution", COR_CELL_TEXT, 0, 0},
    {"after", "after", "", "its partition in the structure after adoption", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(members_sheet, "members", "Agents of the failing case",
                     "an agent; first those that are not in one block of the solution", 0, 40);

static const struct cor_column_definition attributes_sheet_columns[] = {
    {"agent", "agent", "1", "number, from 0", COR_CELL_COUNT, 0, 0},
    {"attribute", "attribute", "", "its name", COR_CELL_TEXT, 0, 0},
    {"value", "value", "", "as the algorithm was told; -: none", COR_CELL_TEXT, 0, 0},
    {"unit", "unit", "", "of the attribute", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(attributes_sheet, "attributes", "Attributes in the failing case",
                     "an attribute of an agent", 0, 40);

static const struct cor_column_definition parents_sheet_columns[] = {
    {"organization", "organization", "", "its number, of each structure for itself", COR_CELL_COUNT, 0, 0},
    {"before", "before", "", "the one above it in the structure before; none: it is a root", COR_CELL_TEXT, 0,
     0},
    {"solution", "solution", "", "the one above it in the solution", COR_CELL_TEXT, 0, 0},
    {"after", "after", "", "the one above it in the structure after adoption", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(parents_sheet, "parents", "Organizations of the failing case",
                     "an organization, where they stand below others", 0, 40);

/* Agents whose value changed in a case. */
struct change {
    uint32_t count, first[FEW];
};

struct trace {
    const struct cor_suite *suite;
    struct cor_runner *runner;
    struct cor_record *record; /* borrowed */
    const struct cor_mail_record *schedule;
    const char *key; /* of the sequence, for people */
    const struct cor_replay_options *options;
    struct cor_sheets *sheets;          /* NULL: nothing is to be shown */
    struct sequence__trace_lists lists; /* of these */
    char *task, *svg;                   /* owned; the question of case `aim`, its mail; NULL: not wanted */
    struct cor_course course;           /* of its reorganization, */
    bool is_watched;                    /* if it can be seen */
    uint32_t aim;
    bool is_asked;          /* there was one */
    bool is_text;           /* the corridor is a text */
    double *before;         /* owned; [agent] values in the case before */
    struct change *changes; /* owned; [case - first] */
    size_t capacity;
    uint32_t first, last;                     /* cases that are wanted */
    size_t reorganization, violation;         /* rows of earlier cases */
    const struct cor_reorganization_row *run; /* of the case; NULL: none */
};

static void note_change(const struct trace *trace, const double *values, struct change *change) {
    *change = (struct change){0};
    for (uint32_t a = 0; a < trace->suite->configuration->agent_count; a++)
        if (values[a] < trace->before[a] || values[a] > trace->before[a]) {
            if (change->count < FEW)
                change->first[change->count] = a;
            change->count++;
        }
}

/* The blocks that have the agent, by their numbers: in a sound structure one. How many there are. */
static uint32_t list_blocks(const struct cor_lists *lists, uint32_t agent, struct few *few) {
    uint32_t count = 0;
    *few = (struct few){.text = ""};
    for (uint32_t b = 0; b < lists->block_count; b++)
        for (uint32_t m = lists->start[b]; m < lists->start[b + 1]; m++)
            if (lists->members[m] == agent && count++ < FEW)
                add(few, "%s%" PRIu32, count > 1 ? ", " : "", b);
    if (count == 0)
        add(few, "none");
    return count;
}

static void put_member(const struct cor_case_question *question, uint32_t agent, struct cor_sheet *sheet) {
    const struct cor_lists *lists[] = {question->before, question->solution, question->after};
    struct few few;
    cor_sheet_row(sheet);
    cor_sheet_count(sheet, agent);
    cor_sheet_real(sheet, question->columns[0][agent]);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        list_blocks(lists[i], agent, &few);
        cor_sheet_text(sheet, "%s", few.text);
    }
}

static void put_attributes(const struct cor_case_question *question, const struct cor_configuration *c,
                           struct cor_sheets *sheets) {
    if (c->attribute_count == 0)
        return;
    struct cor_sheet *sheet = cor_sheets_add(sheets, &attributes_sheet);
    for (uint32_t agent = 0; agent < c->agent_count; agent++)
        for (uint32_t a = 0; a < c->attribute_count; a++) {
            char text[80];
            cor_attribute_text(&c->attributes[a], question->columns[1 + a][agent], text, sizeof text);
            cor_sheet_row(sheet);
            cor_sheet_count(sheet, agent);
            cor_sheet_text(sheet, "%s", c->attributes[a].name);
            cor_sheet_text(sheet, "%s", text);
            cor_sheet_text(sheet, "%s", c->attributes[a].unit);
        }
}

static void fill_parents(const struct cor_case_question *question, struct cor_sheets *sheets) {
    const struct cor_lists *lists[] = {question->before, question->solution, question->after};
    uint32_t most = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        most = lists[i]->block_count > most ? lists[i]->block_count : most;
    struct cor_sheet *sheet = cor_sheets_add(sheets, &parents_sheet);
    for (uint32_t o = 0; o < most; o++) {
        /* The organization above one, in the structure before, the solution and the structure after. */
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, o);
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
            const bool is_there = o < lists[i]->block_count;
            const uint32_t parent = is_there && lists[i]->nests ? lists[i]->parent[o] : COR_NOBODY;
            if (!is_there)
                cor_sheet_nothing(sheet);
            else if (parent == COR_NOBODY)
                cor_sheet_text(sheet, "none");
            else
                cor_sheet_text(sheet, "%" PRIu32, parent);
        }
    }
}

/* The question of the case that was aimed at: shown, and as a task. */
static enum cor_status take_question(struct trace *trace, struct cor_error *error) {
    struct cor_case_question question;
    enum cor_status status = COR_OK;
    if (!cor_sequence_question(trace->runner, &question))
        return COR_OK;
    trace->is_asked = true;
    if (trace->sheets) {
        const struct cor_configuration *c = trace->suite->configuration;
        struct cor_sheet *sheet = cor_sheets_add(trace->sheets, &question_sheet);
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, trace->aim);
        put_number(c->limits.size_min, 1, sheet);
        put_number(c->limits.size_max, COR_UNLIMITED, sheet);
        put_number(c->limits.count_min, 0, sheet);
        put_number(c->limits.count_max, COR_UNLIMITED, sheet);
        cor_sheet_real(sheet, c->threshold);
        cor_sheet_count(sheet, question.rules.budget);
        cor_sheet_count(sheet, cor_sequence_state(trace->runner)->present_count);
        sheet = cor_sheets_add(trace->sheets, &members_sheet);
        /* Agents that are in no block of the solution, or in several, come first. */
        struct few few;
        const uint8_t *absent = cor_sequence_state(trace->runner)->absent; /* who are not asked about */
        for (int sound = 0; sound < 2; sound++)
            for (uint32_t a = 0; a < c->agent_count; a++)
                if (!(absent && absent[a]) && (list_blocks(question.solution, a, &few) == 1) == (sound == 1))
                    put_member(&question, a, sheet);
        /* Where agents were left out the others have other numbers than where the test comes from: which
         * ones. */
        const uint32_t most = 40; /* as many as rows are shown */
        char *text = cor_strdup("");
        for (uint32_t a = 0; c->agent_identity && a < c->agent_count && a < most; a++)
            text = cor_join_take(text, ", ", cor_format("%" PRIu32, cor_configuration_identity(c, a)));
        COR_TRY(cor_made(text, error));
        if (c->agent_identity)
            cor_sheet_remark(
                sheet, "Before agents were left out, these were agents %s%s: corridor shrink calls them so.",
                text, c->agent_count > most ? ", .." : "");
        free(text);
        put_attributes(&question, c, trace->sheets);
        if (cor_structure_nests(c->kind))
            fill_parents(&question, trace->sheets);
    }
    if (trace->options->dump) {
        char *said = cor_format("Case %" PRIu32 " of %s: what %s was asked there.", trace->aim, trace->key,
                                trace->suite->arm->algorithm->name);
        COR_TRY(cor_made(said, error));
        status = cor_question_text(&question, trace->schedule, said, &trace->task, error);
        free(said);
    }
    return status;
}

/* ---- mail of the case that was aimed at */

static enum cor_status put_message(const struct trace *trace, uint32_t number, uint32_t times, bool is_about,
                                   struct cor_sheet *sheet, struct cor_error *error) {
    const struct cor_course_message *message = &trace->course.messages[number];
    struct sequence__why_step told;
    COR_TRY(sequence__message_told(&trace->course, trace->suite->arm->algorithm, number, &told, error));
    cor_sheet_row(sheet);
    cor_sheet_count(sheet, trace->aim);
    cor_sheet_count(sheet, number + 1);
    cor_sheet_count(sheet, message->sent);
    put_number(message->received, 0, sheet);
    cor_sheet_count(sheet, times);
    cor_sheet_count(sheet, cor_course_agent(&trace->course, message->from));
    cor_sheet_count(sheet, cor_course_agent(&trace->course, message->to));
    cor_sheet_count(sheet, message->kind);
    put_number(message->cause == COR_COURSE_NONE ? COR_NOBODY : message->cause + 1, COR_NOBODY, sheet);
    const char *const texts[] = {told.when, told.what, told.values, told.because, told.then};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cor_sheet_text(sheet, "%s", texts[i]);
    cor_sheet_flag(sheet, is_about);
    sequence__why_step_fini(&told);
    return COR_OK;
}

/* Each once, with how often it came. */
static enum cor_status list_mail(struct trace *trace, const bool *about, struct cor_sheet *sheet,
                                 struct cor_error *error) {
    const struct cor_course *course = &trace->course;
    struct sequence__mail_place at = {0};
    uint32_t *times = cor_calloc(course->message_count, sizeof *times);
    enum cor_status status = cor_made(times, error);
    for (size_t i = 0; times && i < course->order_count; i++)
        times[course->order[i]]++;
    for (uint32_t number; status == COR_OK && sequence__mail_next(course, &at, &number);) {
        if (times[number] < UINT32_MAX)
            status = put_message(trace, number, times[number], about[number], sheet, error);
        times[number] = UINT32_MAX;
    }
    free(times);
    return status;
}

/* Marks agents that a violation of the case names, and messages from and to them. How many messages. */
static size_t mark_mail(const struct trace *trace, bool *named, bool *about) {
    const struct cor_course *course = &trace->course;
    size_t marked = 0;
    for (size_t v = 0; v < cor_record_size(trace->record, COR_TABLE_VIOLATIONS); v++) {
        const struct cor_violation_row *row = cor_record_at(trace->record, COR_TABLE_VIOLATIONS, v);
        if (row->case_ == trace->aim && row->agent < trace->suite->configuration->agent_count)
            named[row->agent] = true;
    }
    for (size_t i = 0; i < course->message_count; i++) {
        about[i] = named[cor_course_agent(course, course->messages[i].from)] ||
                   named[cor_course_agent(course, course->messages[i].to)];
        marked += about[i];
    }
    return marked;
}

static void list_graph(struct trace *trace) {
    const struct cor_course *course = &trace->course;
    struct cor_sheet *sheet = trace->lists.graph = cor_sheets_add(trace->sheets, &graph_sheet);
    for (size_t e = 0; e < course->edge_count; e++) {
        cor_sheet_row(sheet);
        cor_sheet_counts(sheet, 3,
                         (const uint64_t[]){trace->aim, cor_course_agent(course, course->edges[e].from),
                                            cor_course_agent(course, course->edges[e].to)});
        cor_sheet_flag(sheet, course->edges[e].is_marked);
    }
}

/* Of those that are marked, if there are any, else of all: the last that can be drawn. Where there is none
 * nothing is drawn. */
static enum cor_status draw_mail(struct trace *trace, bool *about, const bool *named, size_t marked,
                                 struct cor_error *error) {
    const struct cor_course *course = &trace->course;
    const struct cor_algorithm *algorithm = trace->suite->arm->algorithm;
    const size_t count = marked > 0 ? marked : course->message_count;
    size_t wanted = 0;
    if (count == 0)
        return COR_OK;
    for (size_t i = course->message_count; i-- > 0;) {
        about[i] = (about[i] || marked == 0) && wanted < SEQUENCE__DRAWN_MOST;
        wanted += about[i];
    }
    char *end = cor_format("Case %" PRIu32 " of %s: %s%zu of %zu messages of %s in %" PRIu64 " rounds%s.",
                           trace->aim, trace->key, wanted < count ? "the last " : "", wanted,
                           course->message_count, algorithm->name, course->rounds,
                           marked > 0 ? ", from and to agents that a violation names" : "");
    COR_TRY(cor_made(end, error));
    const enum cor_status status =
        sequence__course_diagram(course, about, named, algorithm, end, &trace->svg, error);
    free(end);
    return status;
}

static enum cor_status take_mail(struct trace *trace, struct cor_error *error) {
    bool *about = cor_calloc(trace->course.message_count + 1, sizeof *about);
    bool *named = cor_calloc(trace->suite->configuration->agent_count, sizeof *named);
    enum cor_status status = cor_made(about && named ? about : NULL, error);
    const size_t marked = status == COR_OK ? mark_mail(trace, named, about) : 0;
    if (status == COR_OK && trace->sheets && trace->course.message_count > 0) {
        trace->lists.mail = cor_sheets_add(trace->sheets, &mail_sheet);
        status = list_mail(trace, about, trace->lists.mail, error);
    }
    if (status == COR_OK && trace->sheets && trace->course.edge_count > 0)
        list_graph(trace);
    if (status == COR_OK && trace->options->svg)
        status = draw_mail(trace, about, named, marked, error);
    free(about);
    free(named);
    return status;
}

/* "weather: sunny -> rain", with the place where the environment has several. */
static void put_environment(const struct trace *trace, uint32_t number, struct cor_sheet *sheet) {
    const struct cor_configuration *c = trace->suite->configuration;
    const struct cor_walk *walk = cor_sequence_walk(trace->runner);
    const uint8_t *from = cor_walk_at(walk, number - 1), *to = cor_walk_at(walk, number);
    struct few few = {.text = ""};
    uint32_t changed = 0;
    double bits = 0, usual_bits = 0;
    for (uint32_t chain = 0; chain < c->chain_count; chain++) {
        const uint32_t profile_index = c->profile_of_chain[chain];
        const struct cor_profile *profile = trace->suite->profiles[profile_index];
        const struct cor_environment *environment = sequence__environment_of(trace->suite, chain);
        const double *row = profile->probability + (size_t)from[chain] * profile->state_count;
        char room[2][16];
        bits += cor_step_bits(row[to[chain]]);
        usual_bits += cor_step_usual_bits(row, profile->state_count);
        if (from[chain] == to[chain] || changed++ >= FEW)
            continue;
        add(&few, "%s%.60s at %" PRIu32 ": %.60s -> %.60s", changed > 1 ? ", " : "", environment->name,
            c->location_of_chain[chain], sequence__state_name(trace->suite, chain, from[chain], room[0]),
            sequence__state_name(trace->suite, chain, to[chain], room[1]));
    }
    if (changed > FEW)
        add(&few, ", and %" PRIu32 " more", changed - FEW);
    /* A row for each chain that went from a state to another. */
    for (uint32_t chain = 0; chain < trace->suite->configuration->chain_count; chain++) {
        struct cor_sheet *steps = trace->lists.steps;
        char room[16];
        if (from[chain] == to[chain])
            continue;
        cor_sheet_row(steps);
        cor_sheet_count(steps, number);
        cor_sheet_text(steps, "%s", sequence__environment_of(trace->suite, chain)->name);
        cor_sheet_count(steps, trace->suite->configuration->location_of_chain[chain]);
        cor_sheet_text(steps, "%s", sequence__state_name(trace->suite, chain, from[chain], room));
        cor_sheet_text(steps, "%s", sequence__state_name(trace->suite, chain, to[chain], room));
    }
    cor_sheet_text(sheet, "%s", few.text);
    cor_sheet_count(sheet, changed);
    cor_sheet_real(sheet, bits);
    cor_sheet_real(sheet, usual_bits);
}

static void put_code(enum cor_family family, uint8_t code, struct cor_sheet *sheet) {
    if (code == 0)
        cor_sheet_nothing(sheet);
    else
        cor_sheet_word(sheet, cor_term_word(family, code));
}

/* The solution of the case, which is kept of every reorganization. */
static void put_solution_trace(struct trace *trace, uint32_t number, struct cor_sheet *sheet) {
    const uint32_t *sizes = cor_record_items(trace->record, COR_VECTOR_SOLUTION_BLOCK_SIZE, NULL);
    struct few few = {.text = ""};
    for (size_t i = 0; i < cor_record_size(trace->record, COR_TABLE_FAILURES); i++) {
        const struct cor_failure_row *row = cor_record_at(trace->record, COR_TABLE_FAILURES, i);
        if (row->case_ != number)
            continue;
        for (uint32_t b = 0; b < row->blocks && b < 2 * FEW; b++)
            add(&few, "%s%" PRIu32, b > 0 ? " " : "", sizes[row->block_start + b]);
        if (row->blocks > 2 * FEW)
            add(&few, " ..");
        cor_sheet_count(sheet, row->blocks);
        cor_sheet_text(sheet, "%s", few.text);
        return;
    }
    cor_sheet_nothing(sheet);
    cor_sheet_nothing(sheet);
}

static void put_violations(struct trace *trace, uint32_t number, struct cor_sheet *sheet) {
    const size_t all = cor_record_size(trace->record, COR_TABLE_VIOLATIONS), first = trace->violation;
    uint64_t count = trace->run ? cor_counted_violations(trace->run) : 0;
    char sentence[COR_SENTENCE];
    while (trace->violation < all) {
        const struct cor_violation_row *row =
            cor_record_at(trace->record, COR_TABLE_VIOLATIONS, trace->violation);
        if (row->case_ != number)
            break;
        count += !cor_is_counted(row);
        struct cor_sheet *list = trace->lists.violations;
        violation_sentence(trace->suite, row, sentence);
        cor_sheet_row(list);
        cor_sheet_count(list, row->case_);
        cor_sheet_word(list, cor_term_word(COR_FAMILY_BOX, row->box));
        cor_sheet_word(list, cor_term_word(COR_FAMILY_CHECK, row->check));
        put_number(row->agent, COR_NOBODY, list);
        put_number(row->partition, COR_NOBODY, list);
        cor_sheet_text(list, "%s", sentence);
        trace->violation++;
    }
    cor_sheet_count(sheet, count);
    if (trace->violation == first) {
        cor_sheet_nothing(sheet);
        return;
    }
    const struct cor_violation_row *row = cor_record_at(trace->record, COR_TABLE_VIOLATIONS, first);
    violation_sentence(trace->suite, row, sentence);
    cor_sheet_text(sheet, "%s: %s", cor_term_word(COR_FAMILY_BOX, row->box), sentence);
}

/* What the corridor as a text looked at in the case that is over. */
static void put_grounds(const struct trace *trace, uint32_t number, struct cor_sheet *sheet) {
    static const char *const verdicts[] = {
        [COR_TRUTH_FALSE] = "violated", [COR_TRUTH_TRUE] = "holds", [COR_TRUTH_UNKNOWN] = "unknown"};
    size_t count;
    const struct cor_constraint_ground *grounds = cor_sequence_grounds(trace->runner, &count);
    for (size_t i = 0; i < count; i++) {
        const struct cor_constraint_ground *ground = &grounds[i];
        const char *says;
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, number);
        cor_sheet_word(sheet, cor_experiment_constraint(trace->suite->experiment, ground->constraint, &says));
        cor_sheet_flag(sheet, ground->is_trigger);
        cor_sheet_word(sheet, ground->is_edge ? "edge" : verdicts[ground->truth]);
        put_number(ground->organization, COR_NOBODY, sheet);
        put_number(ground->agent, COR_NOBODY, sheet);
        cor_sheet_text(sheet, "%s", ground->part);
        cor_sheet_real(sheet, ground->left);
        cor_sheet_real(sheet, ground->right);
        cor_sheet_word(sheet, ground->unit);
        cor_sheet_text(sheet, "%s", ground->sides);
    }
}

/* What led to a case without a result; nothing where it has one. */
static void put_smoke_words(const struct trace *trace, uint32_t number, struct cor_sheet *sheet) {
    const char *words = cor_record_items(trace->record, COR_VECTOR_WORDS, NULL);
    for (size_t i = 0; i < cor_record_size(trace->record, COR_TABLE_SMOKES); i++) {
        const struct cor_smoke_row *row = cor_record_at(trace->record, COR_TABLE_SMOKES, i);
        if (row->case_ == number && !row->late) {
            cor_sheet_text(sheet, "%.*s", (int)row->words, words + row->words_start);
            return;
        }
    }
    cor_sheet_nothing(sheet);
}

static void put_case(struct trace *trace, const struct cor_case_row *row, struct cor_sheet *sheet) {
    cor_sheet_row(sheet);
    cor_sheet_count(sheet, row->case_);
    put_environment(trace, row->case_, sheet);
    const struct change *change = &trace->changes[row->case_ - trace->first];
    struct few few = {.text = ""};
    for (uint32_t i = 0; i < change->count && i < FEW; i++)
        add(&few, "%s%" PRIu32, i > 0 ? ", " : "", change->first[i]);
    if (change->count > FEW)
        add(&few, ", and %" PRIu32 " more", change->count - FEW);
    cor_sheet_count(sheet, change->count);
    cor_sheet_text(sheet, "%s", few.text);
    cor_sheet_real(sheet, (double)row->dissimilarity);
    cor_sheet_real(sheet, trace->is_text ? (double)NAN : trace->suite->configuration->threshold);
    cor_sheet_flag(sheet, row->alarm != 0);
    put_code(COR_FAMILY_INSIDE, row->inside, sheet);
    put_code(COR_FAMILY_VERDICT, row->detect, sheet);
    /* Cells of a case without a reorganization stay empty. */
    const struct cor_reorganization_row *it = NULL;
    if (trace->reorganization < cor_record_size(trace->record, COR_TABLE_REORGANIZATIONS))
        it = cor_record_at(trace->record, COR_TABLE_REORGANIZATIONS, trace->reorganization);
    trace->run = it && it->case_ == row->case_ ? it : NULL;
    if (!trace->run) {
        cor_sheet_flag(sheet, false);
        for (int cells = 18; cells > 0; cells--)
            cor_sheet_nothing(sheet);
    } else {
        trace->reorganization++;
        cor_sheet_flag(sheet, true);
        put_code(COR_FAMILY_SMOKE, it->smoke > COR_SMOKE_NONE ? it->smoke : 0, sheet);
        put_smoke_words(trace, row->case_, sheet);
        put_solution_trace(trace, row->case_, sheet);
        COR_SHEET_PUT(sheet, struct cor_reorganization_row, it);
        put_code(COR_FAMILY_VERDICT, it->gray, sheet);
        put_code(COR_FAMILY_VERDICT, it->black, sheet);
        put_code(COR_FAMILY_VERDICT, it->agreement, sheet);
    }
    put_violations(trace, row->case_, sheet);
}

/* Goes through the sequence that is begun. */
static enum cor_status follow(struct trace *trace, struct cor_error *error) {
    struct cor_sheet *sheet = NULL, *grounds = NULL;
    const char *says;
    trace->is_text = cor_experiment_constraint(trace->suite->experiment, 0, &says) != NULL;
    cor_runner_keep_questions(trace->runner, true);
    cor_runner_keep_grounds(trace->runner, trace->is_text && trace->sheets);
    trace->before = cor_calloc(trace->suite->configuration->agent_count, sizeof *trace->before);
    COR_TRY(cor_made(trace->before, error));
    if (trace->sheets) {
        sheet = cor_sheets_add(trace->sheets, &trace_sheet);
        cor_sheet_title(sheet, "Trace of %s", trace->key);
        trace->lists =
            (struct sequence__trace_lists){.steps = cor_sheets_add(trace->sheets, &steps_sheet),
                                           .changed = cor_sheets_add(trace->sheets, &changed_sheet),
                                           .violations = cor_sheets_add(trace->sheets, &violations_sheet)};
        if (trace->is_text)
            grounds = cor_sheets_add(trace->sheets, &constraints_sheet);
    }
    const size_t size = trace->suite->configuration->agent_count * sizeof *trace->before;
    trace->is_watched = cor_runner_watch(trace->runner, &trace->course);
    while (!cor_sequence_is_over(trace->runner)) {
        const double *values = cor_sequence_state(trace->runner)->value;
        memcpy(trace->before, values, size);
        COR_TRY(cor_sequence_case(trace->runner, error));
        const uint32_t number = cor_sequence_executed(trace->runner);
        if (number == trace->aim)
            COR_TRY(take_question(trace, error));
        if (number < trace->first || number > trace->last)
            continue;
        COR_TRY(COR_RESERVE(&trace->changes, &trace->capacity, number - trace->first + 1, error));
        note_change(trace, cor_sequence_state(trace->runner)->value, &trace->changes[number - trace->first]);
        if (sheet)
            list_changed(trace->lists.changed, number, trace->suite->configuration->agent_count,
                         trace->before, cor_sequence_state(trace->runner)->value);
        if (grounds)
            put_grounds(trace, number, grounds);
    }
    COR_TRY(cor_sequence_end(trace->runner, error));
    COR_TRY(take_mail(trace, error));
    if (sheet) {
        /* First of what is shown: the sheet of cases, which are filled in when all are over. */
        /* Passes over the rows of cases before the first that is wanted. */
        const size_t runs = cor_record_size(trace->record, COR_TABLE_REORGANIZATIONS),
                     violations = cor_record_size(trace->record, COR_TABLE_VIOLATIONS);
        while (trace->reorganization < runs &&
               ((struct cor_reorganization_row *)cor_record_at(trace->record, COR_TABLE_REORGANIZATIONS,
                                                               trace->reorganization))
                       ->case_ < trace->first)
            trace->reorganization++;
        while (trace->violation < violations && ((struct cor_violation_row *)cor_record_at(
                                                     trace->record, COR_TABLE_VIOLATIONS, trace->violation))
                                                        ->case_ < trace->first)
            trace->violation++;
        for (size_t i = 0; i < cor_record_size(trace->record, COR_TABLE_CASES); i++) {
            const struct cor_case_row *row = cor_record_at(trace->record, COR_TABLE_CASES, i);
            if (row->case_ >= trace->first && row->case_ <= trace->last)
                put_case(trace, row, sheet);
        }
        struct drawing *drawing = cor_calloc(1, sizeof *drawing);
        COR_TRY(cor_made(drawing, error));
        *drawing = (struct drawing){sheet, grounds, trace->lists.mail, trace->lists.graph};
        cor_sheets_draw(trace->sheets, draw, drawing, free);
    }
    if (trace->options->dump && !trace->is_asked)
        return cor_fail(error, COR_STATUS_INPUT, trace->key,
                        "name a case in which it was: ARM/SUITE/SEQUENCE/CASE",
                        "the algorithm was not asked in case %" PRIu32, trace->aim);
    return COR_OK;
}

/* Into the files that the command line names. */
static enum cor_status save(const struct trace *trace, struct cor_error *error) {
    const struct cor_replay_options *options = trace->options;
    if (options->dump)
        COR_TRY(cor_output_text(options->dump, trace->task, options->force, error));
    if (options->svg && !trace->svg)
        cor_say("no mail of that case is seen: %s is not drawn", options->svg);
    return trace->svg ? cor_output_text(options->svg, trace->svg, options->force, error) : COR_OK;
}

#define TRACE_CASES 10 /* before the failing one, where --trace does not say how many */

static struct trace trace_of(const struct cor_replay_options *options, struct cor_sheets *sheets,
                             uint32_t aim) {
    const char *cases = options->trace ? options->trace : "";
    const uint32_t window = strcmp(cases, "all") == 0 ? 0
                            : cases[0] == '\0'        ? TRACE_CASES
                                                      : (uint32_t)strtoul(cases, NULL, 10);
    return (struct trace){.options = options,
                          .sheets = options->trace ? sheets : NULL,
                          .course.identity = aim,
                          .aim = aim,
                          .first = window > 0 && aim > window ? aim - window : 1,
                          .last = window > 0 ? aim : UINT32_MAX};
}

static void fini_trace(struct trace *trace) {
    if (trace->is_watched)
        cor_runner_watch(trace->runner, NULL);
    cor_course_fini(&trace->course);
    free(trace->before);
    free(trace->changes);
    free(trace->task);
    free(trace->svg);
}

enum cor_status cor_trace_sequence(struct cor_alone *alone, const struct cor_result_header *head,
                                   const struct cor_failing *which, const struct cor_replay_options *options,
                                   struct cor_sheets *sheets, struct cor_error *error) {
    struct cor_branch branch;
    struct cor_alone_definition alone_definition = cor_alone_of(head, which, &branch);
    struct trace trace = trace_of(options, sheets, which->key.case_ > 0 ? which->key.case_ : which->executed);
    char *key = cor_failure_key_text(head, &which->key);
    enum cor_status status = COR_OK;
    alone_definition.log_solutions = true;
    COR_TRY_OUT(cor_made(trace.key = key, error));
    COR_TRY_OUT(cor_record_create(&cor_interaction_schema, &trace.record, error));
    COR_TRY_OUT(cor_alone_begin(alone, &alone_definition, trace.record, &trace.runner, error));
    trace.suite = cor_alone_suite(alone);
    COR_TRY_OUT(follow(&trace, error));
    status = save(&trace, error);
out:
    cor_record_destroy(trace.record);
    fini_trace(&trace);
    free(key);
    return status;
}

enum cor_status cor_trace_test(struct cor_tester *tester, const struct cor_test *test, const char *path,
                               uint32_t aim, const struct cor_replay_options *options,
                               struct cor_sheets *sheets, struct cor_error *error) {
    struct trace trace = trace_of(options, sheets, aim);
    trace.key = path;
    trace.schedule = test->schedule;
    if (test->case_identity && aim > 0)
        trace.course.identity = test->case_identity[aim - 1];
    trace.suite = test->suite;
    trace.record = cor_tester_record(tester);
    cor_tester_log_solutions(tester, true);
    enum cor_status status = cor_tester_begin(tester, test, &trace.runner, error);
    if (status == COR_OK)
        status = follow(&trace, error);
    if (status == COR_OK)
        status = save(&trace, error);
    fini_trace(&trace);
    cor_tester_end(tester, trace.runner);
    cor_tester_log_solutions(tester, false);
    return status;
}

struct cor_alone_definition cor_alone_of(const struct cor_result_header *head,
                                         const struct cor_failing *which, struct cor_branch *branch) {
    *branch = (struct cor_branch){which->parent, which->prefix};
    return (struct cor_alone_definition){.arm = cor_arm_entry(head, which->key.arm)->code,
                                         .suite = which->key.suite,
                                         .sequence = which->key.sequence,
                                         .branch = which->continues ? branch : NULL};
}
