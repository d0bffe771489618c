/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ask: the question of one reorganization, put to an algorithm in this process. */
#include "commands.h"
#include "replay.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/kind_judge.h>
#include <corridor/question.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define OUTCOME(member) COR_CELL_OF(struct cor_outcome, member)
static const struct cor_column_definition answer_sheet_columns[] = {
    {"algorithm", "algorithm", "", "who was asked", COR_CELL_WORD, 0, 0},
    {"fault", "fault", "", "with this fault of its own", COR_CELL_WORD, 0, 0},
    {"verdict", "verdict", "", "R-Solution: the oracle's verdict on the answer", COR_CELL_WORD, 0, 0},
    {"same", "as then", "", "the answer is that of the reorganization that the task was taken from",
     COR_CELL_FLAG, 0, 0},
    {"smoke", "smoke", "", "how it ended without a result", COR_CELL_WORD, 0, 0},
    {"complaint", "complaint", "", "its own words", COR_CELL_TEXT, 0, 0},
    {"stop", "stop", "", "why it stopped", COR_CELL_WORD, 0, 0},
    {"spent", "spent", "units", "of the budget", OUTCOME(spent)},
    {"rounds", "rounds", "rounds", "of mail", OUTCOME(rounds)},
    {"messages", "messages", "messages", "sent", OUTCOME(messages)},
    {"reached", "reached", "times", "the fault's seam was executed", OUTCOME(fault.reached)},
    {"activated", "activated", "times", "the fault corrupted something", OUTCOME(fault.activated)},
    {"violations", "violations", "1", "of constraints, by the answer", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(answer_sheet, "answer", "Answer", "the answer", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

static const struct cor_column_definition blocks_sheet_columns[] = {
    {"block", "block", "1", "of the answer, from 0", COR_CELL_COUNT, 0, 0},
    {"size", "size", "agents", "entries", COR_CELL_COUNT, 0, 0},
    {"members", "members", "", "its agents", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(blocks_sheet, "blocks", "Blocks of the answer", "a row a block", 0, 40);

static const struct cor_column_definition violations_sheet_columns[] = {
    {"violation", "violation", "", "a sentence", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(violations_sheet, "violations", "Violations", "a row a violation that is kept", 0, 40);

struct request {
    struct cor_sheet_options sheets;
    const char *fault;
};

struct answer {
    const struct cor_algorithm *algorithm;
    uint32_t fault;
    struct cor_outcome outcome;
    struct cor_judgement judgement;
};

static enum cor_verdict verdict_of(const struct answer *answer) {
    return answer->outcome.smoke != COR_SMOKE_NONE ? COR_VERDICT_SMOKE
           : answer->judgement.violation_count > 0 ? COR_VERDICT_FAILED
                                                   : COR_VERDICT_PASSED;
}

static enum cor_status show(const struct cor_sheet_options *options, const struct cor_asked *asked,
                            const struct answer *answer, struct cor_error *error) {
    struct cor_sheets *sheets = NULL;
    COR_TRY(cor_sheets_create("corridor-ask", 1, &sheets, error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &answer_sheet);
    const struct cor_outcome *outcome = &answer->outcome;
    const enum cor_verdict verdict = verdict_of(answer);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, answer->algorithm->name);
    cor_sheet_word(sheet, cor_algorithm_fault_name(answer->algorithm, answer->fault));
    cor_sheet_word(sheet, cor_term_word(COR_FAMILY_VERDICT, (int)verdict));
    cor_sheet_tone(sheet, verdict == COR_VERDICT_PASSED ? COR_TONE_GOOD : COR_TONE_BAD);
    cor_sheet_flag(sheet, cor_outcome_digest(outcome) == asked->answer);
    if (outcome->smoke == COR_SMOKE_NONE)
        cor_sheet_nothing(sheet);
    else
        cor_sheet_word(sheet, cor_term_word(COR_FAMILY_SMOKE, (int)outcome->smoke));
    if (outcome->complaint[0])
        cor_sheet_text(sheet, "%s", outcome->complaint);
    else
        cor_sheet_nothing(sheet);
    cor_sheet_word(sheet, cor_term_word(COR_FAMILY_STOP, (int)outcome->stop));
    COR_SHEET_PUT(sheet, struct cor_outcome, outcome);
    cor_sheet_count(sheet, answer->judgement.violation_count);
    if (asked->said)
        cor_sheet_remark(sheet, "%s", asked->said);
    if (answer->outcome.smoke == COR_SMOKE_NONE) {
        const struct cor_lists *solution = &answer->outcome.solution;
        sheet = cor_sheets_add(sheets, &blocks_sheet);
        for (uint32_t b = 0; b < solution->block_count; b++) {
            char *members = cor_strdup("");
            for (uint32_t m = solution->start[b]; m < solution->start[b + 1]; m++)
                members = cor_join_take(members, " ", cor_format("%" PRIu32, solution->members[m]));
            cor_sheet_row(sheet);
            cor_sheet_count(sheet, b);
            cor_sheet_count(sheet, cor_lists_size(solution, b));
            cor_sheet_text_take(sheet, members);
        }
        sheet = answer->judgement.kept_count > 0 ? cor_sheets_add(sheets, &violations_sheet) : NULL;
        for (uint32_t i = 0; i < answer->judgement.kept_count; i++) {
            char sentence[256];
            cor_violation_kind_text(asked->kind, &answer->judgement.kept[i], sentence, sizeof sentence);
            cor_sheet_row(sheet);
            cor_sheet_text(sheet, "%s", sentence);
        }
    }
    const enum cor_status status = cor_show_sheets(options, sheets, "blocks", error);
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_status judge(const struct cor_asked *asked, const struct cor_lists *solution,
                             const struct cor_limits *limits, struct cor_judgement *judgement,
                             struct cor_error *error) {
    struct cor_oracle *oracle;
    struct cor_kind_judge *kinds;
    if (asked->kind == COR_STRUCTURE_PARTITIONING) {
        COR_TRY(cor_oracle_create(asked->agent_count, &oracle, error));
        cor_oracle_judge(oracle, solution, asked->agent_count, limits, judgement);
        cor_oracle_destroy(oracle);
        return COR_OK;
    }
    COR_TRY(cor_kind_judge_create(asked->kind, &kinds, error));
    const enum cor_status status =
        cor_kind_judge_look(kinds, solution, asked->agent_count, limits, judgement, error);
    cor_kind_judge_destroy(kinds);
    return status;
}

static enum cor_status ask(const struct cor_arguments *arguments, struct answer *answer,
                           struct cor_error *error) {
    static const struct cor_isolation_definition here = {.which = COR_ISOLATION_NEVER};
    const struct request *request = arguments->request;
    const char *fault = request->fault, *path = arguments->words[1];
    COR_DESTROYED(cor_registry) struct cor_registry *registry = NULL;
    COR_DESTROYED(cor_asked) struct cor_asked *asked = NULL;
    COR_FREED char *notes = NULL;
    COR_TRY(cor_asked_read(path, &asked, error));
    COR_TRY(cor_registry_create(&here, &registry, error));
    /* A command has a blank; a name and a path have none. */
    const char *word = arguments->words[0];
    COR_TRY(strchr(word, ' ') ? cor_registry_command(registry, word, &answer->algorithm, error)
                              : cor_registry_find(registry, word, &answer->algorithm, error));
    if (!fault && strcmp(asked->algorithm, answer->algorithm->name) == 0)
        fault = asked->fault;
    COR_TRY(cor_algorithm_fault(answer->algorithm, fault, &answer->fault, error));
    COR_TRY(cor_asked_ask(asked, answer->algorithm, answer->fault, &answer->outcome, &notes, error));
    cor_say_notes(path, notes);
    const struct cor_limits limits =
        answer->algorithm->capabilities & COR_LIMITS ? asked->limits : COR_NO_LIMITS;
    cor_judgement_init(&answer->judgement);
    if (answer->outcome.smoke == COR_SMOKE_NONE)
        COR_TRY(judge(asked, &answer->outcome.solution, &limits, &answer->judgement, error));
    return show(&request->sheets, asked, answer, error);
}

static enum cor_exit run_ask(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct answer answer = {0};
    cor_outcome_init(&answer.outcome);
    const enum cor_status status = ask(arguments, &answer, &error);
    const enum cor_verdict verdict = verdict_of(&answer);
    cor_outcome_fini(&answer.outcome);
    return status != COR_OK                ? cor_report(&error)
           : verdict == COR_VERDICT_PASSED ? COR_EXIT_DONE
                                           : COR_EXIT_EXPECTATION;
}

const struct cor_command cor_command_ask = {
    .name = "ask",
    .summary = "put one question again",
    .operands = "ALGORITHM TASK.json",
    .takes = {2, 2, "needs an algorithm and a task"},
    .request_size = sizeof(struct request),
    .manual =
        "Reads a task, as corridor replay --dump writes it: values, structure, limits, parameters, random "
        "streams and what the algorithm kept. Puts this question to an algorithm - built in, a module, a "
        "program by its path or by a command in quotes - and prints the answer with the oracle's verdict. A "
        "module works in this process, without a sandbox, so that a debugger stops in it; a crash ends the "
        "command. The same algorithm answers as it did then. Another one gets the parameters that it has by "
        "their names. The exit code is 1 if the answer breaks a constraint, or if there is none.",
    .options =
        {
            {"fault", 0, "NAME", "ask with this fault of the algorithm; none: with none", COR_TEXT(fault),
             .otherwise = "that of the task, if the algorithm is the same"},
            COR_SHEET_OPTIONS(sheets, "print the first table as CSV"),
        },
    .examples = {"corridor replay demo.h5 --failure SPADA-F1/8/0/13 --trace --dump task.json",
                 "corridor ask spada task.json", "gdb --args corridor ask ./my_algo.so task.json"},
    .run = run_ask,
};
