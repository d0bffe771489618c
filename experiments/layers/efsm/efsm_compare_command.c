/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * efsm compare: whether two models can be told apart by what they answer. */
#include "commands.h"
#include "efsm_text.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/efsm_conformance.h>

#include <stdlib.h>
#include <string.h>

#define MOVES_DEFAULT 10000000

static const struct cor_column_definition directions_sheet_columns[] = {
    {"system", "as the system", "", "the model that answers", COR_CELL_WORD, 0, 0},
    {"is", "is", "",
     "equivalent: proven, all that it answers is allowed by the other; different; or undecided",
     COR_CELL_WORD, 0, 0},
    {"moves", "moves", "1", "tried", COR_CELL_COUNT, 0, 0},
    {"inputs", "inputs", "", "that tell them apart", COR_CELL_TEXT, 0, 0},
    {"is_shortest", "fewest", "", "no fewer inputs do", COR_CELL_FLAG, 0, 0},
    {"answer", "answer", "", "to the last of them, which the other model does not allow", COR_CELL_TEXT, 0,
     0}};
COR_SHEET_DEFINITION(directions_sheet, "directions", "Comparison",
                     "a row for each of the two models as the system that the other one judges", 0, 0);

struct request {
    struct cor_sheet_options sheets;
    int64_t moves;
};

/* Names of the same kind, in one order. */
static enum cor_status expect_same(const char *path, const char *other_path, const char *what,
                                   const char *const *names, const char *const *others,
                                   struct cor_error *error) {
    size_t i = 0;
    while (names[i] && others[i] && strcmp(names[i], others[i]) == 0)
        i++;
    if (!names[i] && !others[i])
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, other_path, "models are compared that have the same interface",
                    "%s %zu is %s%s%s, in %s %s%s%s", what, i + 1, others[i] ? "\"" : "",
                    others[i] ? others[i] : "missing", others[i] ? "\"" : "", path, names[i] ? "\"" : "",
                    names[i] ? names[i] : "missing", names[i] ? "\"" : "");
}

static char *answer_text(const struct cor_efsm *model, const struct cor_efsm_observation *answer) {
    const int64_t *arguments = answer->arguments;
    char *text = cor_strdup(answer->label_count == 0 ? "quiet" : "");
    for (uint32_t i = 0; i < answer->label_count && text; i++) {
        const struct cor_efsm_label *label = &model->outputs[answer->labels[i]];
        char *values = cor_strdup("");
        for (uint32_t p = 0; p < label->parameter_count && values; p++) {
            char *longer = cor_format("%s%s%lld", values, p > 0 ? ", " : "", (long long)*arguments++);
            free(values);
            values = longer;
        }
        COR_FREED char *call =
            cor_call_text_take(model->output_names[answer->labels[i]], label->parameter_count > 0, values);
        char *longer = call ? cor_format("%s%s%s", text, i > 0 ? "; " : "", call) : NULL;
        free(text);
        text = longer;
    }
    return text;
}

static enum cor_status fill(struct cor_sheet *sheet, const struct cor_efsm *model,
                            const struct cor_efsm *system, const char *path, uint64_t moves,
                            enum cor_efsm_difference *difference, struct cor_error *error) {
    COR_FINISHED(cor_efsm_comparison) struct cor_efsm_comparison found = {0};
    const enum cor_status status = cor_efsm_compare(model, system, moves, cor_progress_doing, &found, error);
    cor_progress_doing(NULL);
    *difference = found.difference;
    if (status == COR_OK) {
        const bool is_different = found.difference == COR_EFSM_DIFFERENT;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, path);
        cor_sheet_word(sheet, is_different                              ? "different"
                              : found.difference == COR_EFSM_EQUIVALENT ? "equivalent"
                                                                        : "undecided");
        cor_sheet_count(sheet, found.moves);
        if (is_different) {
            /* "press_b1, enter_d1". */
            char *text = cor_strdup("");
            for (uint32_t i = 0; i < found.length && text; i++) {
                COR_FREED char *input = cor_efsm_input_text(model, found.inputs[i],
                                                            found.values + (size_t)i * model->variable_count);
                char *longer = input ? cor_format("%s%s%s", text, i > 0 ? ", " : "", input) : NULL;
                free(text);
                text = longer;
            }
            cor_sheet_text_take(sheet, text);
            cor_sheet_flag(sheet, found.is_shortest);
            cor_sheet_text_take(sheet, answer_text(model, &found.observation));
        }
        for (int i = 0; i < 3 && !is_different; i++)
            cor_sheet_nothing(sheet);
    }
    return status;
}

static enum cor_exit run_efsm_compare(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    const char *const paths[2] = {arguments->words[0], arguments->words[1]};
    struct cor_efsm *models[2] = {NULL, NULL};
    enum cor_efsm_difference found[2] = {(enum cor_efsm_difference)0, (enum cor_efsm_difference)0};
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    for (int i = 0; i < 2; i++)
        COR_TRY_OUT(cor_efsm_read(paths[i], &models[i], &error));
    const struct cor_efsm *a = models[0], *b = models[1];
    COR_TRY_OUT(expect_same(paths[0], paths[1], "variable", a->variable_names, b->variable_names, &error));
    COR_TRY_OUT(expect_same(paths[0], paths[1], "location", a->location_names, b->location_names, &error));
    COR_TRY_OUT(expect_same(paths[0], paths[1], "input", a->input_names, b->input_names, &error));
    COR_TRY_OUT(expect_same(paths[0], paths[1], "output", a->output_names, b->output_names, &error));
    COR_TRY_OUT(cor_sheets_create("corridor-efsm-compare", 1, &sheets, &error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &directions_sheet);
    for (int i = 0; i < 2; i++)
        COR_TRY_OUT(
            fill(sheet, models[1 - i], models[i], paths[i], (uint64_t)request->moves, &found[i], &error));
    status = cor_show_sheets(&request->sheets, sheets, "directions", &error);
out:
    for (int i = 0; i < 2; i++)
        cor_efsm_destroy(models[i]);
    const bool differs = found[0] == COR_EFSM_DIFFERENT || found[1] == COR_EFSM_DIFFERENT;
    const bool is_proven = found[0] == COR_EFSM_EQUIVALENT && found[1] == COR_EFSM_EQUIVALENT;
    return status != COR_OK ? cor_report(&error)
           : differs        ? COR_EXIT_EXPECTATION
           : is_proven      ? COR_EXIT_DONE
                            : COR_EXIT_UNDECIDED;
}

const struct cor_command cor_command_efsm_compare = {
    .name = "efsm compare",
    .summary = "compare what two models answer: equal, or told apart",
    .operands = "MODEL.json OTHER.json",
    .takes = {2, 2, "needs two models"},
    .request_size = sizeof(struct request),
    .manual =
        "Takes each of the two models as the system that the other one judges, and looks for the fewest "
        "inputs after which it answers what the other does not allow. The models have the same "
        "variables, locations and labels, in the same order. The exit code is 0 if there is a proof in "
        "both directions that they answer alike, 1 if they differ, and 7 if the moves were used up "
        "before.",
    .options = {{"moves", 0, "N", "try at most so many moves in each direction",
                 COR_INTEGER(moves, 1, INT64_MAX, MOVES_DEFAULT)},
                COR_SHEET_OPTIONS(sheets, "print the comparison as CSV")},
    .examples = {"corridor efsm compare level.efsm.json learnt.efsm.json"},
    .run = run_efsm_compare,
};
