/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "output.h"
#include "show_view.h"

#include <corridor/answer.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/design_check.h>

#include <stdlib.h>
#include <string.h>

/* What was asked of `agent cases`. */
struct request {
    struct cor_sheet_options sheets;
    const char *unit;         /* NULL: all */
    int policy;               /* -1: the design's */
    uint32_t strength, limit; /* 0: likewise */
    uint64_t seed;
    int64_t rows; /* to show of each unit; -1: it is not said */
    struct cor_design_file *file;
    struct cor_test_settings settings; /* of the design, as far as the command line does not say otherwise */
};

#define CASES(member) COR_CELL_OF(struct cor_unit_cases, member)
static const struct cor_column_definition counts_sheet_columns[] = {
    {"unit", "unit", "", "PT(plan), ET(event) or CT(plans of a ring)", COR_CELL_WORD, 0, 0},
    {"combinations", "combinations", "cases", "all combinations of classes", CASES(combinations)},
    {"valid", "valid", "cases", "combinations of valid classes alone", CASES(valid)},
    {"invalid_single", "one invalid", "cases", "rows with one invalid class, in which each valid one occurs",
     CASES(invalid_single)},
    {"cases", "cases", "cases", "made by the policy, with the user's own", CASES(count)},
    {"own", "own", "cases", "that the user wrote", CASES(own_count)},
    {"solved", "solved", "cases", "solved for: no sample has that outcome", CASES(solved_count)},
    {"reduced", "reduced", "",
     "rows that hold all combinations of some variables, instead of all combinations", COR_CELL_FLAG, 0, 0},
};
COR_SHEET_DEFINITION(counts_sheet, "units", "Cases of the units, in the order of testing", "a row a unit", 0,
                     0);

static const struct cor_column_definition classes_sheet_columns[] = {
    {"unit", "unit", "", "PT(plan), ET(event) or CT(plans of a ring)", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"variable", "variable", "", "a parameter of the event that is posted, or a field of a belief set",
     COR_CELL_WORD, 0, 0},
    {"domain", "domain", "", "a value, or an open interval", COR_CELL_WORD, 0, 0},
    {"valid", "valid", "", "whether it meets the conditions", COR_CELL_FLAG, 0, 0},
    {"sample", "sample", "", "the value that cases have", COR_CELL_WORD, 0, 0}};
COR_SHEET_DEFINITION(classes_sheet, "classes", "Equivalence classes", "a row a class of a variable of a unit",
                     0, 0);

static const struct cor_column_definition cases_sheet_columns[] = {
    {"unit", "unit", "", "PT(plan), ET(event) or CT(plans of a ring)", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"number", "", "1", "of the case within its unit, from 0", COR_CELL_COUNT, 0, 0},
    {"event", "event", "", "that is posted", COR_CELL_WORD, 0, 0},
    {"valid", "valid", "", "whether all classes are", COR_CELL_FLAG, 0, 0},
    {"applicable", "applicable", "", "whether some context allows it", COR_CELL_FLAG, 0, 0},
    {"values", "values", "", "of what varies", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(cases_sheet, "cases", "Cases", "a row a case", 0, 0);

static bool is_reduced(const struct cor_unit_cases *cases) {
    bool reduced = false;
    for (uint32_t e = 0; e < cases->entry_count; e++)
        reduced = reduced || cases->entries[e].row_ranks;
    return reduced;
}

/* Whether a variable was shown with an entry before: fields are the same in all. */
static bool is_repeated(const struct cor_unit_cases *cases, uint32_t entry,
                        const struct cor_unit_variable *variable) {
    for (uint32_t v = 0; v < cases->entries[entry].first_variable; v++)
        if (variable->slot < cases->file->design->field_count && cases->variables[v].slot == variable->slot)
            return true;
    return false;
}

static void value_text(const struct cor_unit_cases *cases, uint32_t domain, struct cor_value value,
                       char *text, size_t size) {
    const struct cor_design *design = cases->file->design;
    cor_value_text(value, &design->domains[domain], &design->words, text, size);
}

static void fill_variable(const struct cor_unit_cases *cases, const char *unit, uint32_t entry,
                          const struct cor_unit_variable *variable, struct cor_sheet *sheet) {
    for (uint32_t c = 0; c < variable->class_count; c++) {
        const struct cor_unit_class *class = &cases->classes[variable->first_class + c];
        char text[512];
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, unit);
        cor_unit_variable_text(cases, &cases->entries[entry], variable, text, sizeof text);
        cor_sheet_word(sheet, text);
        cor_unit_class_text(cases, variable, class, text, sizeof text);
        cor_sheet_word(sheet, text);
        cor_sheet_flag(sheet, class->valid);
        value_text(cases, variable->domain, class->sample, text, sizeof text);
        cor_sheet_word(sheet, text);
    }
}

/* Appends a text to another, with something between; NULL when memory is out, and stays so. */
static char *join_take(char *text, const char *between, char *more) {
    char *joined = text && more ? cor_format("%s%s%s", text, text[0] ? between : "", more) : NULL;
    free(text);
    free(more);
    return joined;
}

/* "BookID = 3, stock.Level = 10"; of the user's own cases every parameter. */
static char *values_text(const struct cor_unit_cases *cases, const struct cor_case_values *values) {
    const struct cor_design *design = cases->file->design;
    const struct cor_case_entry *entry = &cases->entries[values->entry];
    char *text = cor_strdup("");
    for (uint32_t v = 0; v < entry->variable_count; v++) {
        const struct cor_unit_variable *variable = &cases->variables[entry->first_variable + v];
        char shown[256];
        struct cor_value value = variable->slot < design->field_count
                                     ? values->beliefs[variable->slot]
                                     : values->arguments[variable->slot - design->field_count];
        value_text(cases, variable->domain, value, shown, sizeof shown);
        text = join_take(
            text, ", ",
            cor_format("%s = %s", cor_design_slot_name(design, entry->event, variable->slot), shown));
    }
    return text;
}

static uint64_t shown_rows(const struct request *request, const struct cor_unit_cases *cases) {
    return cases->count < (uint64_t)request->rows ? cases->count : (uint64_t)request->rows;
}

/* Whatever is shown of a unit. */
struct cases_out {
    struct cor_json_writer *writer; /* NULL: sheets */
    struct cor_sheet *counts, *classes, *cases;
    struct cor_case_values values;
};

static void put_unit(const struct request *request, const struct cor_unit_cases *cases, const char *unit,
                     struct cases_out *out) {
    struct cor_json_writer *w = out->writer;
    cor_json_open_object(w, NULL);
    cor_json_put_string(w, "unit", unit);
    cor_put_count(w, "combinations", cases->combinations);
    cor_put_count(w, "valid", cases->valid);
    cor_put_count(w, "invalid_single", cases->invalid_single);
    cor_put_count(w, "cases", cases->count);
    cor_put_count(w, "solved", cases->solved_count);
    cor_json_put_bool(w, "reduced", is_reduced(cases));
    cor_json_open_array(w, "classes");
    for (uint32_t e = 0; e < cases->entry_count; e++)
        for (uint32_t v = 0; v < cases->entries[e].variable_count; v++) {
            const struct cor_unit_variable *variable =
                &cases->variables[cases->entries[e].first_variable + v];
            char text[512];
            if (is_repeated(cases, e, variable))
                continue;
            for (uint32_t c = 0; c < variable->class_count; c++) {
                const struct cor_unit_class *class = &cases->classes[variable->first_class + c];
                cor_json_open_object(w, NULL);
                cor_unit_variable_text(cases, &cases->entries[e], variable, text, sizeof text);
                cor_json_put_string(w, "variable", text);
                cor_unit_class_text(cases, variable, class, text, sizeof text);
                cor_json_put_string(w, "domain", text);
                cor_json_put_bool(w, "valid", class->valid);
                cor_design_put_value(w, "sample", cases->file->design, variable->domain, class->sample);
                cor_json_close(w);
            }
        }
    cor_json_close(w);
    if (request->rows > 0) {
        cor_json_open_array(w, "rows");
        for (uint64_t i = 0; i < shown_rows(request, cases); i++) {
            cor_unit_case_make(cases, i, &out->values);
            const struct cor_design *design = cases->file->design;
            const struct cor_design_event *event = &design->events[out->values.event];
            cor_json_open_object(w, NULL);
            cor_json_put_integer(w, "case", (int64_t)i);
            cor_json_put_string(w, "event", event->name);
            cor_design_put_arguments(w, design, event, out->values.arguments);
            cor_json_open_object(w, "beliefs");
            for (uint32_t f = 0; f < design->field_count; f++)
                cor_design_put_value(w, design->fields[f].full_name, design, design->fields[f].domain,
                                     out->values.beliefs[f]);
            cor_json_close(w);
            cor_json_put_bool(w, "valid", out->values.valid);
            cor_json_put_bool(w, "applicable", cor_unit_case_applicable(cases, &out->values));
            cor_json_put_bool(w, "own", out->values.own);
            cor_json_put_bool(w, "solved", out->values.solved);
            cor_json_close(w);
        }
        cor_json_close(w);
    }
    cor_json_close(w);
}

static enum cor_status show_unit(const struct request *request, uint32_t unit, struct cases_out *out,
                                 struct cor_error *error) {
    struct cor_unit_cases cases = {0};
    enum cor_status status = COR_OK;
    char *name = cor_unit_name(request->file->design, &request->file->order.units, unit);
    COR_TRY_OUT(cor_made(name, error));
    COR_TRY_OUT(cor_unit_cases_init(&cases, request->file, unit, &request->settings, error));
    if (out->writer) {
        put_unit(request, &cases, name, out);
    } else {
        cor_sheet_row(out->counts);
        cor_sheet_word(out->counts, name);
        COR_SHEET_PUT(out->counts, struct cor_unit_cases, &cases);
        cor_sheet_flag(out->counts, is_reduced(&cases));
        for (uint32_t e = 0; e < cases.entry_count; e++)
            for (uint32_t v = 0; v < cases.entries[e].variable_count; v++) {
                const struct cor_unit_variable *variable =
                    &cases.variables[cases.entries[e].first_variable + v];
                if (!is_repeated(&cases, e, variable))
                    fill_variable(&cases, name, e, variable, out->classes);
            }
        if (request->rows != 0) {
            struct cor_sheet *sheet = out->cases;
            for (uint64_t i = 0; i < shown_rows(request, &cases); i++) {
                cor_unit_case_make(&cases, i, &out->values);
                char *text = values_text(&cases, &out->values);
                COR_TRY_OUT(cor_made(text, error));
                cor_sheet_row(sheet);
                cor_sheet_word(sheet, name);
                cor_sheet_count(sheet, i);
                cor_sheet_word(sheet, cases.file->design->events[out->values.event].name);
                cor_sheet_flag(sheet, out->values.valid);
                cor_sheet_flag(sheet, cor_unit_case_applicable(&cases, &out->values));
                cor_sheet_text(sheet, "%s", text);
                free(text);
            }
        }
    }
out:
    cor_unit_cases_fini(&cases);
    free(name);
    return status;
}

/* All units, or the one that was asked for. */
static enum cor_status show_units(const struct request *request, struct cases_out *out,
                                  struct cor_error *error) {
    uint32_t first = 0, end = request->file->order.units.count;
    if (request->unit) {
        COR_TRY(cor_design_file_unit(request->file, request->unit, request->file->path, &first, error));
        end = first + 1;
    }
    for (uint32_t u = first; u < end; u++)
        COR_TRY(show_unit(request, u, out, error));
    return COR_OK;
}

static enum cor_status print_cases_json(const struct request *request, struct cases_out *out,
                                        struct cor_error *error) {
    COR_TRY(cor_document_open("corridor-units-cases", 1, &out->writer, error));
    cor_json_put_string(out->writer, "agent", request->file->design->name);
    cor_json_open_array(out->writer, "units");
    enum cor_status status = show_units(request, out, error);
    if (status != COR_OK) {
        cor_json_writer_destroy(out->writer);
        return status;
    }
    cor_json_close(out->writer);
    cor_json_close(out->writer);
    return cor_json_print_take(out->writer, 1, stdout, error);
}

static enum cor_status print_cases(const struct request *request, struct cases_out *out,
                                   struct cor_error *error) {
    struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_sheets_create("corridor-units-cases", 1, &sheets, error));
    out->counts = cor_sheets_add(sheets, &counts_sheet);
    out->classes = cor_sheets_add(sheets, &classes_sheet);
    if (request->rows > 0)
        out->cases = cor_sheets_add(sheets, &cases_sheet);
    COR_TRY_OUT(show_units(request, out, error));
    COR_TRY_OUT(cor_show_sheets(&request->sheets, sheets, "units", error));
out:
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_exit run_cases(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct request *request = arguments->request;
    struct cases_out out = {0};
    struct cor_design_findings found = {0};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_design_file_read(arguments->words[0], &request->file, &error));
    struct cor_test_settings *settings = &request->settings;
    *settings = request->file->design->settings;
    if (request->strength > 0)
        settings->strength = request->strength;
    if (request->limit > 0)
        settings->exhaustive_limit = request->limit;
    if (cor_given(arguments, "seed"))
        settings->seed = request->seed;
    if (request->policy >= 0)
        settings->policy = cor_case_policy_at((size_t)request->policy);
    if (request->rows < 0)
        request->rows = request->sheets.json ? 1000 : 0;
    COR_TRY_OUT(cor_design_check(request->file, settings, &found, &error));
    if (found.is_cut)
        cor_say("note: " COR_SOLVER_CUT_TEXT);
    COR_TRY_OUT(cor_case_values_init(&out.values, request->file->design, &error));
    COR_TRY_OUT(request->sheets.json ? print_cases_json(request, &out, &error)
                                     : print_cases(request, &out, &error));
out:
    cor_case_values_fini(&out.values);
    cor_design_findings_fini(&found);
    cor_design_file_destroy(request->file);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_agent_cases = {
    .name = "agent cases",
    .summary = "list classes of values and test cases of the units",
    .operands = "DESIGN.json",
    .takes = {1, 1, "needs one design"},
    .request_size = sizeof(struct request),
    .manual =
        "Says of each unit what varies, into which equivalence classes its values fall, which of them are "
        "valid, and how many cases the policy makes of them: all combinations of valid classes, or rows that "
        "hold all combinations of a few variables, and one invalid value at a time; or the same of all "
        "classes. What the samples miss is solved for. Samples are drawn from named streams: the same design "
        "and seed give the same cases.",
    .options =
        {
            {"unit", 'u', "NAME", "list only this unit, as agent order calls it", COR_TEXT(unit),
             .otherwise = "all"},
            {"policy", 0, "NAME", "make these combinations", COR_WORD(policy, cor_case_policy_word, 0, -1),
             .otherwise = "the design's"},
            {"strength", 't', "T", "combine every T variables, where not all combinations are made",
             COR_INTEGER(strength, 1, 6, 0), .otherwise = "the design's"},
            {"limit", 0, "N", "make all valid combinations where there are at most N",
             COR_INTEGER(limit, 1, UINT32_MAX, 0), .otherwise = "the design's"},
            {"seed", 0, "N", "draw the samples from this seed", COR_INTEGER(seed, 0, INT64_MAX, -1),
             .otherwise = "the design's"},
            {"rows", 0, "N", "show the first N cases of each unit, too", COR_INTEGER(rows, 0, 100000, -1),
             .otherwise = "1000 with --json, else 0"},
            COR_SHEET_OPTIONS(sheets, "print the counts as CSV"),
        },
    .examples =
        {"corridor agent cases experiments/library/agents/stock_manager.json",
         "corridor agent cases experiments/library/agents/paper_table3.json --rows 18",
         "corridor agent cases experiments/library/agents/paper_table1.json --policy t-wise --strength 2"},
    .run = run_cases,
};
