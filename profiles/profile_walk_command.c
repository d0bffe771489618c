/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/condition_walk.h>
#include <corridor/experiment.h>

#include <math.h>
#include <stdlib.h>

static const struct cor_column_definition walks_sheet_columns[] = {
    {"walk", "walk", "", "likeliest, or shortest (of these the likeliest)", COR_CELL_WORD, 0, 0},
    {"cases", "cases", "1", "test cases to the condition; nothing: there is no such walk", COR_CELL_COUNT, 0,
     0},
    {"probability", "probability", "1", "that a sequence begins so, other environments aside", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"mantissa", "", "1", "the probability is mantissa * 2^-halvings", COR_CELL_REAL, COR_DIGITS_FOUR,
     COR_COLUMN_DATA},
    {"halvings", "", "1", "see mantissa", COR_CELL_COUNT, 0, COR_COLUMN_DATA}};
COR_SHEET_DEFINITION(walks_sheet, "walks", "Walks to the condition", "a row a walk", 0, 0);

static const struct cor_column_definition reach_sheet_columns[] = {
    {"cases", "cases of a sequence", "1", "that are looked at", COR_CELL_COUNT, 0, 0},
    {"probability", "probability", "1",
     "that a sequence of so many cases meets the condition, walking by the profiles", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"expected_case", "expected first case", "1", "the first that does, of sequences that meet it",
     COR_CELL_REAL, COR_DIGITS_FOUR, 0}};
COR_SHEET_DEFINITION(reach_sheet, "reach", "How often walks of the profiles meet it", "one row",
                     COR_SHEET_RECORD, 0);

static const struct cor_column_definition steps_sheet_columns[] = {
    {"walk", "walk", "", "likeliest or shortest", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"case", "case", "1", "0: before the first test case", COR_CELL_COUNT, 0, 0},
    {"environment", "environment", "", "which is spoken of", COR_CELL_WORD, 0, 0},
    {"state", "state", "", "it is in", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(steps_sheet, "steps", "Step by step", "a row a case and environment", 0, 0);

static const struct cor_column_definition cases_sheet_columns[] = {
    {"case", "case", "1", "from 1", COR_CELL_COUNT, 0, 0},
    {"first", "first", "1", "probability that it is the first to meet the condition", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0}};
COR_SHEET_DEFINITION(cases_sheet, "cases", "Case by case", "a row a case", COR_SHEET_DATA, 0);

struct request {
    struct cor_sheet_options sheets;
    const char *condition;
    uint32_t cases; /* 0: as many as the experiment draws at most */
};

static void fill_walk(struct cor_sheets *sheets, struct cor_sheet *walks, const char *name,
                      const struct cor_condition_walk *walk) {
    (void)sheets;
    cor_sheet_row(walks);
    cor_sheet_word(walks, name);
    if (walk->case_count == 0) {
        for (int i = 0; i < 4; i++)
            cor_sheet_nothing(walks);
        return;
    }
    cor_sheet_count(walks, walk->case_count);
    cor_sheet_real(walks, cor_weight_value(walk->probability));
    cor_sheet_real(walks, 2 * walk->probability.mantissa); /* in [1, 2]: no exponent above 0 */
    cor_sheet_count(walks, (uint64_t)(1 - walk->probability.exponent));
}

static void fill_steps(struct cor_sheet *steps, const char *name, const struct cor_test_model *model,
                       const struct cor_condition_walk *walk) {
    for (uint32_t i = 0; walk->case_count > 0 && i <= walk->case_count; i++)
        for (uint32_t e = 0; e < model->perceived_count; e++) {
            const uint8_t state = walk->states[(size_t)i * model->perceived_count + e];
            if (state == 255)
                continue;
            cor_sheet_row(steps);
            cor_sheet_word(steps, name);
            cor_sheet_count(steps, i);
            cor_sheet_word(steps, model->environments[e].name);
            cor_sheet_text(steps, "%s", model->environments[e].profile->states[state]);
        }
}

static enum cor_status print_answer(const struct cor_sheet_options *options,
                                    const struct cor_test_model *model, uint32_t case_count,
                                    const struct cor_condition_answer *answer, struct cor_error *error) {
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    COR_TRY(cor_sheets_create("corridor-profile-walk", 1, &sheets, error));
    struct cor_sheet *walks = cor_sheets_add(sheets, &walks_sheet),
                     *reach = cor_sheets_add(sheets, &reach_sheet),
                     *steps = cor_sheets_add(sheets, &steps_sheet),
                     *cases = cor_sheets_add(sheets, &cases_sheet);
    fill_walk(sheets, walks, "likeliest", &answer->likeliest);
    fill_walk(sheets, walks, "shortest", &answer->shortest);
    fill_steps(steps, "likeliest", model, &answer->likeliest);
    fill_steps(steps, "shortest", model, &answer->shortest);
    cor_sheet_row(reach);
    cor_sheet_count(reach, case_count);
    cor_sheet_real(reach, answer->is_counted ? answer->probability : NAN);
    cor_sheet_real(reach, answer->is_counted ? answer->expected : NAN);
    for (uint32_t i = 0; i < case_count && answer->is_counted; i++) {
        cor_sheet_row(cases);
        cor_sheet_count(cases, i + 1);
        cor_sheet_real(cases, answer->first[i]);
    }
    if (answer->shortest.case_count == 0)
        cor_sheet_remark(walks, "no walk of %u cases meets the condition", case_count);
    if (!answer->is_counted)
        cor_sheet_remark(reach, "the environments spoken of have too many states together for a probability");
    return cor_show_sheets(options, sheets, "walks", error);
}

static enum cor_status answer_and_print(const struct request *request,
                                        const struct cor_experiment *experiment, struct cor_error *error) {
    COR_DESTROYED(cor_vocabulary) struct cor_vocabulary *vocabulary = NULL;
    COR_FINISHED(cor_case_condition) struct cor_case_condition condition = {0};
    COR_FINISHED(cor_facts) struct cor_facts facts = {0};
    COR_FINISHED(cor_condition_answer) struct cor_condition_answer answer = {0};
    COR_FREED const struct cor_profile **profiles =
        cor_calloc(experiment->model->perceived_count, sizeof *profiles);
    COR_TRY(cor_made(profiles, error));
    COR_TRY(cor_model_vocabulary(experiment->model, NULL, &vocabulary, error));
    COR_TRY(cor_case_condition_parse(request->condition, vocabulary, "--to", &condition, error));
    /* Each environment that is spoken of must have a profile of its own. */
    const uint64_t read = cor_case_condition_root(&condition)->environments;
    if (read == 0)
        return cor_fail(error, COR_STATUS_INPUT, "--to", "compare one with a state: sky = 'dark'",
                        "speaks of no environment");
    for (uint32_t e = 0; e < experiment->model->perceived_count; e++) {
        profiles[e] = experiment->model->environments[e].profile;
        if ((read >> e & 1) && !profiles[e])
            return cor_fail(error, COR_STATUS_INPUT, "--to", "speak of environments with a given profile",
                            "the profile of \"%s\" is drawn for each suite",
                            experiment->model->environments[e].name);
    }
    COR_TRY(cor_facts_init(&facts, vocabulary, error));
    const struct cor_condition_question question = {&condition, profiles, &facts, request->cases};
    COR_TRY(cor_condition_answer(&question, &answer, error));
    return print_answer(&request->sheets, experiment->model, question.case_count, &answer, error);
}

static enum cor_exit run_walk(const struct cor_arguments *arguments) {
    struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    COR_DESTROYED(cor_experiment) struct cor_experiment *experiment = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_experiment_read(arguments->words[0], &experiment, &error));
    if (request->cases == 0)
        request->cases = experiment->case_max;
    COR_TRY_OUT(answer_and_print(request, experiment, &error));
out:
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_profile_walk = {
    .name = "profile walk",
    .summary = "find walks that meet a condition, and how often one does",
    .operands = "EXPERIMENT.json --to CONDITION",
    .takes = {1, 1, "needs one experiment"},
    .request_size = sizeof(struct request),
    .manual = "Of the environments of an experiment alone, in closed form: the likeliest and the shortest "
              "walk whose last case meets the condition, the probability that a sequence of so many cases "
              "does when it walks by the profiles, and the expected first case of the sequences that do. A "
              "condition compares environments with their states, or with what a type of agents calls "
              "several of them (its relevant states): radiation = 'dark' and wind != 'strong'; before.wind "
              "is the state of the case before. Each environment is one chain.",
    .options =
        {
            {"to", 0, "CONDITION", "meet this condition", COR_TEXT(condition), .required = "needs --to"},
            {"cases", 'n', "N", "let the sequence have N test cases", COR_INTEGER(cases, 1, 10000000, 0),
             .otherwise = "the most that the experiment draws"},
            COR_SHEET_OPTIONS(sheets, "print the walks as CSV"),
        },
    .examples = {"corridor profile walk experiments/library/demo.json --to \"radiation = 'dark' and wind = "
                 "'strong'\"",
                 "corridor profile walk experiments/library/demo.json --to \"before.wind = 'calm' and wind = "
                 "'strong'\" -n 100",
                 "corridor profile walk experiments/library/demo.json --to \"water = 'high'\" --sheet cases"},
    .run = run_walk,
};
