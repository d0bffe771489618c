/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "efsm_text.h"
#include "output.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/efsm_export.h>

#include <stdlib.h>

#define MODEL(member) COR_CELL_OF(struct cor_efsm, member)
static const struct cor_column_definition model_sheet_columns[] = {
    {"name", "name", "", "of the model", MODEL(name)},
    {"title", "title", "", "what it is", COR_TEXT_OF(struct cor_efsm, title)},
    {"initial", "initial", "", "location", COR_CELL_WORD, 0, 0},
    {"locations", "locations", "1", "how many", MODEL(location_count)},
    {"transitions", "transitions", "1", "how many", MODEL(transition_count)},
    {"states", "states", "1", "locations times values of the state variables, reachable or not",
     COR_CELL_REAL, COR_DIGITS_FOUR, 0},
};
COR_SHEET_DEFINITION(model_sheet, "model", "Model", "the model", COR_SHEET_RECORD, 0);

static const struct cor_column_definition variables_sheet_columns[] = {
    {"name", "variable", "", "as expressions name it", COR_CELL_WORD, 0, 0},
    {"kind", "kind", "", "state, param (of inputs) or out (of outputs)", COR_CELL_WORD, 0, 0},
    {"low", "from", "1", "least value", COR_CELL_REAL, 0, 0},
    {"high", "to", "1", "greatest value", COR_CELL_REAL, 0, 0},
    {"initial", "initial", "1", "of state variables", COR_CELL_REAL, 0, 0}};
COR_SHEET_DEFINITION(variables_sheet, "variables", "Variables", "a row a variable", 0, 0);

/* The same of a model that has other values than integers. */
static const struct cor_column_definition typed_sheet_columns[] = {
    {"name", "variable", "", "as expressions name it", COR_CELL_WORD, 0, 0},
    {"kind", "kind", "", "state, param (of inputs) or out (of outputs)", COR_CELL_WORD, 0, 0},
    {"type", "type", "", "integer, boolean, N decimals, or the words: idle|busy", COR_CELL_WORD, 0, 0},
    {"low", "from", "1", "least value of a number", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"high", "to", "1", "greatest value of a number", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"initial", "initial", "", "of state variables", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(typed_sheet, "variables", "Variables", "a row a variable", 0, 0);

static const struct cor_column_definition transitions_sheet_columns[] = {
    {"id", "transition", "", "its name", COR_CELL_WORD, 0, 0},
    {"source", "from", "", "location", COR_CELL_WORD, 0, 0},
    {"target", "to", "", "location", COR_CELL_WORD, 0, 0},
    {"input", "input", "", "label and parameters", COR_CELL_TEXT, 0, 0},
    {"guard", "guard", "", "when it is enabled, domains aside", COR_CELL_TEXT, 0, 0},
    {"update", "update", "", "what it assigns, all at once", COR_CELL_TEXT, 0, 0},
    {"outputs", "outputs", "", "what the system says", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(transitions_sheet, "transitions", "Transitions", "a row a transition", 0, 0);

#define GOAL(member) COR_CELL_OF(struct cor_efsm_goal, member)
static const struct cor_column_definition goals_sheet_columns[] = {
    {"name", "goal", "", "its name", GOAL(name)},
    {"traps", "traps", "1", "how many", GOAL(trap_count)},
    {"ordered", "ordered", "", "each trap waits for all before it", GOAL(ordered)},
    {"optimum", "optimum", "1", "moves of the shortest test, where the file says it", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(goals_sheet, "goals", "Goals", "a row a goal of the file", 0, 0);

struct request {
    struct cor_sheet_options sheets;
    bool dot, flat, promela, uppaal;
    const char *goal;
};

static char *update_text(const struct cor_efsm *model, const struct cor_efsm_transition *t) {
    char *text = cor_strdup("");
    for (uint32_t u = 0; u < t->update_count; u++) {
        COR_FREED char *value = cor_efsm_expression_text(model, &t->updates[u].value);
        const char *variable = model->variable_names[t->updates[u].variable];
        text = cor_join_take(text, "; ", value ? cor_format("%s := %s", variable, value) : NULL);
    }
    return text;
}

static char *answers_text(const struct cor_efsm *model, const struct cor_efsm_transition *t) {
    char *text = cor_strdup("");
    for (uint32_t o = 0; o < t->output_count; o++) {
        const struct cor_efsm_label *label = &model->outputs[t->outputs[o].label];
        char *arguments = cor_strdup("");
        for (uint32_t a = 0; a < label->parameter_count; a++)
            arguments =
                cor_join_take(arguments, ", ", cor_efsm_expression_text(model, &t->outputs[o].arguments[a]));
        text =
            cor_join_take(text, "; ", cor_call_text_take(label->name, label->parameter_count > 0, arguments));
    }
    return text;
}

static void fill_typed(const struct cor_efsm *model, struct cor_sheet *sheet) {
    for (uint32_t v = 0; v < model->variable_count; v++) {
        const struct cor_efsm_variable *variable = &model->variables[v];
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, variable->name);
        cor_sheet_word(sheet, cor_efsm_kind_word(variable->kind));
        cor_sheet_word(sheet, variable->type_text);
        if (variable->type == COR_EFSM_BOOLEAN || variable->type == COR_EFSM_WORDS) {
            cor_sheet_nothing(sheet);
            cor_sheet_nothing(sheet);
        } else {
            const double unit = (double)cor_power_of_ten(variable->decimals);
            cor_sheet_real(sheet, (double)variable->low / unit);
            cor_sheet_real(sheet, (double)variable->high / unit);
        }
        if (variable->kind == COR_EFSM_STATE)
            cor_sheet_text_take(sheet, cor_efsm_value_text(model, v, variable->initial));
        else
            cor_sheet_nothing(sheet);
    }
}

static void fill_variables(const struct cor_efsm *model, struct cor_sheet *sheet) {
    for (uint32_t v = 0; v < model->variable_count; v++) {
        const struct cor_efsm_variable *variable = &model->variables[v];
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, variable->name);
        cor_sheet_word(sheet, cor_efsm_kind_word(variable->kind));
        cor_sheet_real(sheet, (double)variable->low);
        cor_sheet_real(sheet, (double)variable->high);
        if (variable->kind == COR_EFSM_STATE)
            cor_sheet_real(sheet, (double)variable->initial);
        else
            cor_sheet_nothing(sheet);
    }
}

static enum cor_status fill_transitions(const struct cor_efsm *model, struct cor_sheet *sheet,
                                        struct cor_error *error) {
    for (uint32_t i = 0; i < model->transition_count; i++) {
        const struct cor_efsm_transition *t = &model->transitions[i];
        const struct cor_efsm_label *input = &model->inputs[t->input];
        char *text = cor_strdup("");
        for (uint32_t p = 0; p < input->parameter_count; p++)
            text = cor_join_take(text, ", ", cor_strdup(model->variable_names[input->parameters[p]]));
        char *texts[] = {cor_call_text_take(input->name, input->parameter_count > 0, text),
                         cor_efsm_expression_text(model, &t->guard), update_text(model, t),
                         answers_text(model, t)};
        bool made = true;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, t->id);
        cor_sheet_word(sheet, model->location_names[t->source]);
        cor_sheet_word(sheet, model->location_names[t->target]);
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            made = made && texts[k];
            cor_sheet_text(sheet, "%s", texts[k] ? texts[k] : "");
            free(texts[k]);
        }
        if (!made)
            return cor_fail_memory(error);
    }
    return COR_OK;
}

static void fill_goals(const struct cor_efsm *model, struct cor_sheet *sheet) {
    for (uint32_t g = 0; g < model->goal_count; g++) {
        COR_SHEET_PUT(sheet, struct cor_efsm_goal, &model->goals[g]);
        if (model->goals[g].optimum >= 0)
            cor_sheet_count(sheet, (uint64_t)model->goals[g].optimum);
        else
            cor_sheet_nothing(sheet);
    }
}

static enum cor_status print_model(const struct cor_sheet_options *options, const struct cor_efsm *model,
                                   struct cor_error *error) {
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    COR_TRY(cor_sheets_create("corridor-efsm-show", 1, &sheets, error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &model_sheet);
    COR_SHEET_PUT(sheet, struct cor_efsm, model);
    cor_sheet_word(sheet, model->location_names[model->initial]);
    COR_SHEET_PUT(sheet, struct cor_efsm, model);
    double states = model->location_count;
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE)
            states *= (double)(model->variables[v].high - model->variables[v].low + 1);
    cor_sheet_real(sheet, states);
    if (model->is_typed)
        fill_typed(model, cor_sheets_add(sheets, &typed_sheet));
    else
        fill_variables(model, cor_sheets_add(sheets, &variables_sheet));
    COR_TRY(fill_transitions(model, cor_sheets_add(sheets, &transitions_sheet), error));
    fill_goals(model, cor_sheets_add(sheets, &goals_sheet));
    return cor_show_sheets(options, sheets, "transitions", error);
}

/* The model in another language, with a goal where one is named. */
static enum cor_status print_text(const struct request *request, const struct cor_efsm *model,
                                  struct cor_error *error) {
    struct cor_efsm_goal made = {0};
    const struct cor_efsm_goal *goal = NULL;
    char *text = NULL;
    if (request->dot) {
        COR_TRY(cor_made(text = cor_efsm_dot(model), error));
    } else if (request->flat) {
        COR_TRY(cor_efsm_flat_text(model, &text, error));
    } else {
        if (request->goal)
            COR_TRY(cor_efsm_goal_find(model, request->goal, &made, &goal, error));
        const enum cor_status exported =
            cor_efsm_export(model, goal, request->promela ? COR_EFSM_PROMELA : COR_EFSM_UPPAAL, &text, error);
        cor_efsm_goal_fini(&made);
        COR_TRY(exported);
    }
    const enum cor_status status = cor_output_text(NULL, text, false, error);
    free(text);
    return status;
}

static enum cor_exit run_efsm_show(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    COR_DESTROYED(cor_efsm) struct cor_efsm *model = NULL;
    enum cor_status status = COR_OK;
    const bool is_text = request->dot || request->flat || request->promela || request->uppaal;
    if (request->goal && !request->promela && !request->uppaal)
        return cor_misuse(arguments->command, "takes --goal with --promela or --uppaal only");
    COR_TRY_OUT(cor_efsm_read(arguments->words[0], &model, &error));
    COR_TRY_OUT(is_text ? print_text(request, model, &error) : print_model(&request->sheets, model, &error));
out:
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_efsm_show = {
    .name = "efsm show",
    .summary = "print a model: variables, transitions, goals",
    .operands = "MODEL.json",
    .takes = {1, 1, "needs one model"},
    .request_size = sizeof(struct request),
    .manual = "Reads an I/O EFSM and shows it: locations, bounded integers as state, transitions with input, "
              "guard, update and outputs, and its goals. docs/look-up/efsm.md is the manual of the file; "
              "experiments/library/efsm has models.",
    .options =
        {
            COR_SHEET_OPTIONS(sheets, "print the transitions as CSV"),
            COR_DOT_OPTION(dot, "print locations and transitions as a graph in Graphviz' language"),
            {"flat", 0, NULL, "print one model made of its parts, as a file", COR_FLAG(flat),
             .excludes = "csv sheet dot promela uppaal"},
            {"promela", 0, NULL, "print the model in the language of spin", COR_FLAG(promela),
             .excludes = "csv sheet dot"},
            {"uppaal", 0, NULL, "print the model as XML for UPPAAL", COR_FLAG(uppaal),
             .excludes = "csv sheet dot promela"},
            {"goal", 'g', "GOAL", "ask whether this goal can be covered (--promela, --uppaal)",
             COR_TEXT(goal), .otherwise = "none"},
        },
    .examples =
        {"corridor efsm show experiments/library/efsm/inres_initiator.json",
         "corridor efsm show experiments/library/efsm/counter3.json --dot | dot -Tsvg > counter.svg",
         "corridor efsm show experiments/library/efsm/counter3.json --promela --goal trap_t3 > counter.pml"},
    .run = run_efsm_show,
};
