/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stabilize: from any state, does it come back, and does it stay? What is asked of an experiment, its layer
 * knows; here are the command, its tables, and how they are shown. */
#include "commands.h"
#include "isolation.h"
#include "layer_commands.h"
#include "output.h"
#include "running.h"
#include "stabilizing.h"
#include "subject_commands.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/stabilize.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct request { /* options are rows of it */
    struct cor_stabilize_request asked;
};

#define OUTCOME(member) COR_CELL_OF(struct cor_stabilize_row, member)
#define KNOWN(member) COR_KNOWN_OF(struct cor_stabilize_row, member)
static const struct cor_column_definition stabilize_sheet_columns[] = {
    {"arm", "arm", "", "the arm", OUTCOME(arm)},
    {"size", "size", "", "how many processes, and in which graph", OUTCOME(size)},
    {"daemon", "daemon", "", "who chooses which processes move; of structures nothing", OUTCOME(daemon)},
    {"verdict", "verdict", "",
     "holds, fair, chance, loops, rests, trapped, leaves, idles, late, sleeps, sampled, or undecided",
     OUTCOME(verdict), .tone = COR_TONE_OF(struct cor_stabilize_row, tone)},
    {"said", "", "", "the verdict in a sentence", COR_TEXT_OF(struct cor_stabilize_row, sentence)},
    {"holds_from", "holds from", "",
     "the first of unfair, weak, strong, chance on which all come back (of rules that draw the first three: "
     "whatever is drawn); never: on none",
     OUTCOME(fairness)},
    {"proved", "is proved", "", "every state and every step was visited", OUTCOME(is_proved)},
    {"states", "states", "1", "all states; nothing: more than 2^64",
     COR_SOME_OF(struct cor_stabilize_row, states)},
    {"drawn", "drawn", "1", "of a large system, or where algorithms draw: states drawn up to the decision",
     OUTCOME(drawn)},
    {"share", "share", "1", "of algorithms: of these the share that came back in time, and stayed",
     OUTCOME(share), 3},
    {"share_low", "from", "1", "of its interval of 95 % (Clopper and Pearson), which the test has biased",
     OUTCOME(share_low), 3},
    {"share_high", "to", "1", "likewise", OUTCOME(share_high), 3},
    {"longest", "longest found", "1", "likewise: steps of the longest way that was found", OUTCOME(longest)},
    {"visited_steps", "steps visited", "1", "states with movers and outcomes", OUTCOME(steps)},
    {"inside", "inside", "1", "states in which all invariants hold", OUTCOME(inside)},
    {"stable", "stable part", "1", "states of the greatest part of these that no step leaves",
     OUTCOME(stable)},
    {"leaving", "can be left", "1", "states inside from which a step leads outside", OUTCOME(leaving)},
    {"dead_ends", "dead ends", "1", "states outside in which nobody can move", OUTCOME(dead_ends)},
    {"in_loops", "in loops", "1", "states outside through which a loop goes", OUTCOME(in_loops)},
    {"lost", "lost", "1", "states from which there is no way into the stable part", OUTCOME(lost)},
    {"can_stay", "can stay", "1",
     "of rules that draw: states from which a daemon can stay outside whatever is drawn", OUTCOME(can_stay)},
    {"loop", "loop", "1", "steps of the loop that is shown", COR_SOME_OF(struct cor_stabilize_row, loop)},
    {"worst_steps", "steps", "1", "of the longest way back, of structures in cases; nothing: without a bound",
     KNOWN(worst_steps)},
    {"worst_moves", "moves", "1", "likewise, where each process that moves counts", KNOWN(worst_moves)},
    {"worst_rounds", "rounds", "1", "likewise, in rounds; nothing: without a bound, or not counted",
     KNOWN(worst_rounds)},
    {"worst_state", "worst", "", "a state from which the way back is longest",
     COR_TEXT_OF(struct cor_stabilize_row, worst_state)},
    {"worst_states", "worst states", "1", "from so many it is as long", OUTCOME(worst_states)},
    {"worst_runs", "runs of it", "1", "of algorithms that draw: runs from the worst start that was found",
     COR_SOME_OF(struct cor_stabilize_row, worst_runs)},
    {"worst_share", "back", "1", "the share of these that came back in time, and stayed",
     OUTCOME(worst_share), 3},
    {"worst_low", "from", "1", "of its interval, as sure for all that were in the last round of the race",
     OUTCOME(worst_low), 3},
    {"worst_high", "to", "1", "likewise", OUTCOME(worst_high), 3},
    {"mean_steps", "mean steps", "1", "of the longest ways back, over all states that surely are back",
     OUTCOME(mean_steps), 3},
    {"expected_worst", "expected, worst", "1",
     "steps until back if each possible step is equally likely (of rules that draw: if the daemon chooses "
     "worst), from "
     "the state where it is most",
     OUTCOME(expected_worst), 3},
    {"expected_mean", "expected, mean", "1", "likewise, over all states", OUTCOME(expected_mean), 3},
    {"expected_error", "error", "1", "by how much these are wrong at most", OUTCOME(expected_error),
     COR_DIGITS_FOUR}};
COR_SHEET_DEFINITION(stabilize_sheet, "stabilize", "Coming back", "a row for each arm, size and daemon", 0,
                     0);

/* Of which row of the sheet above it is: cor_stabilizing_row. */
#define OF_ROW                                                                                 \
    {"arm", "arm", "", "the arm", COR_CELL_WORD, 0, 0},                                        \
        {"size", "size", "", "how many processes, and in which graph", COR_CELL_WORD, 0, 0}, { \
        "daemon", "daemon", "", "who chooses which processes move", COR_CELL_WORD, 0, 0        \
    }
static const struct cor_column_definition depth_sheet_columns[] = {
    OF_ROW,
    {"steps", "steps", "1", "within so many", COR_CELL_COUNT, 0, 0},
    {"states", "states", "1", "so many states are back for sure", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(depth_sheet, "stabilize_depth", "Back within so many steps",
                     "a row for each number of steps", COR_SHEET_DATA, 0);

static const struct cor_column_definition run_sheet_columns[] = {
    OF_ROW,
    {"run", "run", "",
     "worst: the longest way back; loop: what can be repeated for ever; again: likewise, inside",
     COR_CELL_WORD, 0, 0},
    {"step", "step", "1", "number of the step, from 0", COR_CELL_COUNT, 0, 0},
    {"state", "state", "", "the values before it", COR_CELL_TEXT, 0, 0},
    {"movers", "who moves", "", "who moves in it; nothing: the run is at its end", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(run_sheet, "stabilize_run", "Worst runs and loops", "a row for each step",
                     COR_SHEET_DATA, 0);

static const struct cor_column_definition picture_sheet_columns[] = {
    OF_ROW,
    {"run", "run", "", "its verdict", COR_CELL_WORD, 0, 0},
    {"svg", "", "", "the run that --svg draws, as SVG", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(picture_sheet, "stabilize_picture", "Worst runs and loops, drawn",
                     "a row for each arm, size and daemon of which a run is known", COR_SHEET_DATA, 0);

const struct cor_stabilize_row cor_no_stabilize_row = {.worst_steps = COR_UNBOUNDED,
                                                       .worst_moves = COR_UNBOUNDED,
                                                       .worst_rounds = COR_UNBOUNDED,
                                                       .mean_steps = NAN,
                                                       .expected_worst = NAN,
                                                       .expected_mean = NAN,
                                                       .expected_error = NAN,
                                                       .share = NAN,
                                                       .share_low = NAN,
                                                       .share_high = NAN,
                                                       .worst_share = NAN,
                                                       .worst_low = NAN,
                                                       .worst_high = NAN};

enum cor_status cor_stabilizing_add(struct cor_stabilizing *s, char *more, struct cor_error *error) {
    s->text = cor_join_take(s->text, "", more);
    return cor_made(s->text, error);
}

void cor_stabilizing_row(struct cor_sheet *sheet, const struct cor_stabilize_row *row) {
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, row->arm);
    cor_sheet_word(sheet, row->size);
    cor_sheet_word(sheet, row->daemon);
}

static bool is_word_of(const char *list, const char *word, size_t length) {
    for (const char *at = list, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, ",");
        if ((size_t)(end - at) == length && strncmp(at, word, length) == 0)
            return true;
    }
    return false;
}

bool cor_stabilizing_asks(const struct cor_stabilize_request *request, const char *arm) {
    return !request->arm || strcmp(request->arm, arm) == 0 || is_word_of(request->arm, arm, strlen(arm));
}

enum cor_status cor_stabilizing_check_arms(const struct cor_stabilize_request *request,
                                           const struct cor_experiment_head *head, const char *path,
                                           struct cor_error *error) {
    const char *names[65] = {NULL};
    char known[1024], word[81];
    for (uint32_t a = 0; a < head->arm_count; a++)
        if (request->arm && strcmp(request->arm, head->arms[a].name) == 0)
            return COR_OK; /* whatever stands in its name */
    for (uint32_t a = 0; a < head->arm_count && a < 64; a++)
        names[a] = head->arms[a].name;
    for (const char *at = request->arm, *end; at; at = *end ? end + 1 : NULL) {
        bool is_there = false;
        end = at + strcspn(at, ",");
        for (uint32_t a = 0; a < head->arm_count && !is_there; a++)
            is_there = strlen(head->arms[a].name) == (size_t)(end - at) &&
                       strncmp(head->arms[a].name, at, (size_t)(end - at)) == 0;
        if (is_there)
            continue;
        snprintf(word, sizeof word, "%.*s", (int)(end - at < 80 ? end - at : 80), at);
        cor_known_names(word, names, known, sizeof known);
        return cor_fail(error, COR_STATUS_INPUT, path, known, "the experiment has no arm \"%.80s\"", word);
    }
    return COR_OK;
}

enum cor_status cor_stabilizing_keep(const struct cor_stabilize_request *request, const char *arm,
                                     const char *word, const char *text, char **file,
                                     struct cor_error *error) {
    *file = cor_test_file_of(request->output, arm, word);
    COR_TRY(cor_made(*file, error));
    return cor_output_text(*file, text, request->force, error);
}

static enum cor_status show(struct cor_stabilizing *s, struct cor_error *error) {
    const struct cor_sheet_options *options = &s->request->sheets;
    if (options->json || options->csv || options->sheet || options->where)
        return cor_show_sheets(options, s->sheets, "stabilize", error);
    COR_TRY(cor_sheets_status(s->sheets, error));
    cor_print("%s", s->text);
    return cor_stream_status(stdout, error);
}

/* Asks whose layer it is of, which the keys of the file say. */
static enum cor_status ask_layer(struct cor_stabilizing *s, const struct cor_arguments *arguments,
                                 const char *text, bool *is_misused, struct cor_error *error) {
    const char *path = arguments->words[0];
    const struct cor_layer *layer = NULL;
    struct cor_json_document *document;
    COR_TRY(cor_json_parse(text, path, &document, error));
    const enum cor_status status = cor_layer_of(document, path, &layer, error);
    cor_json_destroy(document);
    COR_TRY(status);
    const struct cor_layer_commands *own = cor_commands_of(layer->schema);
    if (!own->stabilize)
        return cor_fail(error, COR_STATUS_INPUT, path, "docs/do/stabilize.md has what it can be of",
                        "is an experiment of the %s layer, of which it is not asked whether all come back",
                        layer->schema->name);
    *is_misused = cor_has_no_meaning(arguments, own->not_of_stabilize, own->stabilized);
    return *is_misused ? COR_OK : own->stabilize(s, path, text, error);
}

static enum cor_status stabilize_all(struct cor_stabilizing *s, const struct cor_arguments *arguments,
                                     bool *is_misused, struct cor_error *error) {
    char *text = NULL;
    size_t length;
    if (s->request->pictures && !s->request->sheets.json)
        return cor_fail(error, COR_STATUS_INPUT, "--pictures",
                        "write --json, too, or --svg FILE for one of them",
                        "puts pictures into JSON, for corridor report");
    if (s->request->svg)
        COR_TRY(cor_output_check(s->request->svg, s->request->force, error));
    if (s->request->output && mkdir(s->request->output, 0777) != 0 && errno != EEXIST)
        return cor_fail_errno(error, COR_STATUS_FILE, s->request->output, NULL, "cannot make the folder");
    COR_TRY(cor_sheets_create("corridor-stabilize", 1, &s->sheets, error));
    s->rows = cor_sheets_add(s->sheets, &stabilize_sheet);
    s->depths = cor_sheets_add(s->sheets, &depth_sheet);
    s->runs = cor_sheets_add(s->sheets, &run_sheet);
    if (s->request->pictures)
        s->pictures = cor_sheets_add(s->sheets, &picture_sheet);
    COR_TRY(cor_made(s->text = cor_strdup(""), error));
    enum cor_status status = cor_json_read_text(arguments->words[0], &text, &length, error);
    if (status == COR_OK)
        status = ask_layer(s, arguments, text, is_misused, error);
    free(text);
    cor_progress_doing(NULL);
    return status == COR_OK && !*is_misused ? show(s, error) : status;
}

static enum cor_exit run_stabilize(const struct cor_arguments *arguments) {
    struct cor_stabilizing s = {.request = &((const struct request *)arguments->request)->asked,
                                .has_fairness = cor_given(arguments, "fair")};
    struct cor_error error = COR_NO_ERROR;
    bool is_misused = false;
    cor_catch_interrupts_briefly(0);
    const enum cor_status status = stabilize_all(&s, arguments, &is_misused, &error);
    const enum cor_exit exit = status == COR_STATUS_INTERRUPTED ? COR_EXIT_INCOMPLETE
                               : status != COR_OK               ? cor_report(&error)
                               : is_misused                     ? COR_EXIT_USAGE
                               : s.failed > 0                   ? COR_EXIT_EXPECTATION
                               : s.undecided > 0                ? COR_EXIT_UNDECIDED
                                                                : COR_EXIT_DONE;
    cor_sheets_destroy(s.sheets);
    free(s.text);
    return exit;
}

/* clang-format off */
COR_WITH_PROCESS(
static const char *daemon_word(size_t index) {
    return index < COR_DAEMON_COUNT    ? cor_daemon_word((enum cor_daemon)index)
           : index == COR_DAEMON_COUNT ? "any"
                                       : NULL;
}

static const char *fairness_word(size_t index) {
    return index < COR_FAIRNESS_NEVER ? cor_fairness_word((enum cor_fairness)index) : NULL;
}
)
/* clang-format on */

#define OF_PROGRAMS                                                                                          \
    "Of a distributed program: it has rules, and a process reads its neighbours' variables, or hears them "  \
    "(\"over\": \"messages\"); or it sends messages and says what it keeps. All states and all steps are "   \
    "visited, so what is said is proved of what the program declares: with the worst state and the longest " \
    "way back, or with the loop in which it stays wrong for ever. Of each arm and size a line for each "     \
    "daemon, who chooses which processes move. An unfair daemon may pass over a process for ever. --fair "   \
    "says what is asked of it instead: weak, who can move for ever has a turn; strong, who can again and "   \
    "again; chance, each step that is possible has some probability, or, of rules that draw, the coin is "   \
    "chance and the daemon an adversary. Weak and strong beside coins are undecided where an unfair daemon " \
    "can prevent it. Of systems with more states than --states some are drawn with --sample: a test says "   \
    "whether a share of them is back in time, and nothing is proved. With messages the daemon is any, and "  \
    "strongly fair if nothing else is said. A program that sends messages and does not say what it keeps "   \
    "is put into states that its processes had in runs: nothing is proved of it.\n"

#define OF_STRUCTURES                                                                                       \
    "Of an algorithm for structures: the configuration is that of a suite, the weather stays as it is, in " \
    "each of its states, and the structure at the start may be any; values, too, if the file says so. "     \
    "Where nothing draws each start is gone through, and what is said is proved. Where something does, or " \
    "with --sample, starts are drawn: a test says whether a share of them is back in time and stays, and "  \
    "then the worst start is sought. With --agents the configuration is the first that is drawn with so "   \
    "many.\n"

/* clang-format off */
#define OPTIONS_OF_PROGRAMS                                                                                  \
    {"daemon", 0, "WORDS", "ask of these daemons alone", COR_WORD_LIST(asked.daemon, NULL),                  \
     .words = daemon_word},                                                                                  \
    {"count", 0, "N", "ask of systems of so many processes alone",                                           \
     COR_INTEGER(asked.count, 1, COR_SPACE_ACTORS_MAX, 0)},                                                  \
    {"fair", 0, "WORD", "ask so much of the daemon", COR_WORD(asked.fairness, fairness_word, 0, 0)},         \
    {"mail", 0, "N", "let at most so many messages be on a link", COR_INTEGER(asked.mail, 1, 8, 0),                 \
     .otherwise = "1, or as the file says"},                                                                 \
    {"tell", 0, NULL, "tell the loop, or the longest way back, a line a step", COR_FLAG(asked.tell)},        \
    {"svg", 0, "FILE", "draw it: a row a step, a column a process", COR_TEXT(asked.svg)},        \
    {"pictures", 0, NULL, "draw each, into --json, for corridor report", COR_FLAG(asked.pictures)},
#define EXAMPLES_OF_PROGRAMS                                                                                 \
    "corridor stabilize ring.json -o kept # and a test of each no",                                          \
    "corridor stabilize ring.json # three daemons, each with its worst state or its loop",                   \
    "corridor stabilize ring.json --arm few --daemon distributed --tell",                                    \
    "corridor stabilize ring.json --arm few --daemon distributed --svg loop.svg",                            \
    "corridor stabilize ring.json --json --pictures > said.json # corridor report said.json -o page.html", \
    "corridor stabilize ring.json --count 12 --sample",

const struct cor_command cor_command_stabilize = {
    .name = "stabilize",
    .summary = "check that all come back",
    .operands = "EXPERIMENT.json",
    .takes = {1, 1, "needs an experiment"},
    .request_size = sizeof(struct request),
    .manual =
        "Asks from any state: does the system come back into its corridor, and does it stay there "
        "(docs/do/stabilize.md)?\n" COR_WITH_PROCESS(OF_PROGRAMS) OF_STRUCTURES
        "-o writes what shows each no as a test, which replay and shrink take.\nExits with 0 if all that is "
        "asked holds, 1 if something does not, and 7 if something is undecided: there are too many states, "
        "something is hidden or unknown, or the corridor holds in none of the states, or in all.",
    .options =
        {
            {"arm", 0, "ARMS", "ask of this arm alone, or of these, with commas between them",
             COR_TEXT(asked.arm)},
            COR_WITH_PROCESS(OPTIONS_OF_PROGRAMS)
            {"agents", 0, "N", "ask of algorithms in a system of so many agents",
             COR_INTEGER(asked.agents, 1, COR_STABILIZE_AGENTS_MAX, 0)},
            {"suite", 0, "N", "ask of algorithms in the configuration of this suite",
             COR_INTEGER(asked.suite, 0, 999999999, 0)},
            {"states", 0, "N", "visit at most so many states; more are undecided",
             COR_INTEGER(asked.states, 1, COR_SPACE_STATES_MAX, 0),
             .otherwise = "20000000, or as the file says"},
            {"sample", 0, NULL, "draw states of systems that have more; of algorithms in any case",
             COR_FLAG(asked.sample)},
            {"prove", 0, NULL, "exit with 7 where nothing is proved", COR_FLAG(asked.prove)},
            {"output", 'o', "FOLDER", "write each no as a test file, ARM.WORD.json", COR_TEXT(asked.output)},
            {"force", 'f', NULL, "replace files that exist", COR_FLAG(asked.force)},
            COR_JOBS_OPTION(asked.jobs),
            COR_SHEET_OPTIONS(asked.sheets, "print the verdicts as CSV"),
            COR_ISOLATE_OPTION(asked.options.isolation),
        },
    .examples = {COR_WITH_PROCESS(EXAMPLES_OF_PROGRAMS)
                 "corridor stabilize restored.json --arm SPADA,PSOPP --agents 5"},
    .run = run_stabilize,
};
/* clang-format on */
