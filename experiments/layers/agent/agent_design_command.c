/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on the design of an agent: check, order, cases, and new. */
#include "commands.h"
#include "new.h"
#include "output.h"
#include "show_view.h"

#include <corridor/agent_source.h>
#include <corridor/answer.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/design_check.h>
#include <corridor/design_file.h>
#include <corridor/host.h>
#include <corridor/unit_order.h>

#include <ctype.h>
#include <stdlib.h>

/* What the command line asks for. */
struct request {
    struct cor_sheet_options sheets;
    uint64_t seed;
    bool paper, dot;          /* agent order */
    const char *unit;         /* agent cases, as all that follows; NULL: all */
    int policy;               /* -1: the design's */
    uint32_t strength, limit; /* 0: likewise */
    int64_t rows;             /* to show of each unit; -1: it is not said */
    struct cor_design_file *file;
    struct cor_test_settings settings; /* of the design, as far as the command line does not say otherwise */
};

/* ---- agent check */

static const struct cor_column_definition looked_sheet_columns[] = {
    {"agent", "agent", "", "its name", COR_CELL_WORD, 0, 0},
    {"units", "units", "", "units of the design", COR_CELL_COUNT, 0, 0},
    {"findings", "findings", "", "decided ones", COR_CELL_COUNT, 0, 0},
    {"open", "open", "", "questions that were too much", COR_CELL_COUNT, 0, 0},
    {"solved", "solved", "cases", "cases that no sample makes, and a test has", COR_CELL_COUNT, 0, 0},
    {"z3", "asked of z3", "", "questions", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(looked_sheet, "looked", "Design", "what was looked at", COR_SHEET_RECORD, 0);

static const struct cor_column_definition findings_sheet_columns[] = {
    {"check", "finding", "",
     "context never true, context never false, event not covered, event overlap, branch dead, event "
     "unhandled, ring not meant",
     COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"severity", "severity", "", "error, warning or note", COR_CELL_WORD, 0, 0},
    {"ground", "ground", "",
     "structure: it is written so; witness: values show it; proof: no values are otherwise; open: neither "
     "was found",
     COR_CELL_WORD, 0, 0},
    {"about", "about", "", "plan, event or ring", COR_CELL_WORD, 0, 0},
    {"plan", "plan", "", "the plan that has it", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"text", "in words", "", "with the values of a witness", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(findings_sheet, "findings", "Findings", "a row a finding", 0, 0);

static uint32_t count_open(const struct cor_design_findings *findings) {
    uint32_t open = 0;
    for (uint32_t f = 0; f < findings->count; f++)
        open += findings->items[f].ground == COR_GROUND_OPEN;
    return open;
}

static void put_name(struct cor_sheet *sheet, const char *word) {
    cor_sheet_word(sheet, word[0] ? word : NULL);
}

static enum cor_status print_check(const struct cor_sheet_options *options,
                                   const struct cor_design_file *file,
                                   const struct cor_design_findings *findings, struct cor_error *error) {
    struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_sheets_create("corridor-agent-check", 1, &sheets, error));
    struct cor_sheet *looked = cor_sheets_add(sheets, &looked_sheet);
    cor_sheet_row(looked);
    cor_sheet_word(looked, file->design->name);
    cor_sheet_count(looked, file->order.units.count);
    cor_sheet_count(looked, findings->count - count_open(findings));
    cor_sheet_count(looked, count_open(findings));
    cor_sheet_count(looked, findings->solved);
    cor_sheet_count(looked, findings->asked);
    struct cor_sheet *sheet = cor_sheets_add(sheets, &findings_sheet);
    for (uint32_t f = 0; f < findings->count; f++) {
        const struct cor_design_finding *it = &findings->items[f];
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_term_word(COR_FAMILY_AUT_CHECK, (int)it->check));
        cor_sheet_word(sheet, cor_term_word(COR_FAMILY_SEVERITY, (int)it->severity));
        cor_sheet_word(sheet, cor_ground_word(it->ground));
        put_name(sheet, it->about);
        put_name(sheet, it->plan);
        cor_sheet_text(sheet, "%s", it->text);
    }
    COR_TRY_OUT(cor_show_sheets(options, sheets, "findings", error));
out:
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_exit run_agent_check(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    struct cor_design_file *file = NULL;
    struct cor_design_findings findings = {0};
    uint32_t open = 0;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_design_file_read(arguments->words[0], &file, &error));
    struct cor_test_settings settings = file->design->settings;
    settings.solve = true;
    if (cor_given(arguments, "seed"))
        settings.seed = request->seed;
    COR_TRY_OUT(cor_design_check(file, &settings, &findings, &error));
    if (findings.is_cut)
        cor_say("note: " COR_SOLVER_CUT_TEXT);
    COR_TRY_OUT(print_check(&request->sheets, file, &findings, &error));
    open = count_open(&findings);
out:
    cor_design_findings_fini(&findings);
    cor_design_file_destroy(file);
    return status != COR_OK ? cor_report(&error) : open > 0 ? COR_EXIT_UNDECIDED : COR_EXIT_DONE;
}

const struct cor_command cor_command_agent_check = {
    .name = "agent check",
    .summary = "check a design for mistakes, each with a witness or a proof",
    .operands = "DESIGN.json",
    .takes = {1, 1, "needs one design"},
    .request_size = sizeof(struct request),
    .manual =
        "Looks for contexts that hold never or always, events that find no applicable plan (gaps) or "
        "several (overlaps), conditions of bodies that come out one way alone, events that no plan handles, "
        "and plans that call each other in a ring. Values are taken from the cases of the units, and where "
        "these show nothing z3 is asked: it finds values, or proves that there are none. What was too much "
        "is listed as open.",
    .options =
        {
            {"seed", 0, "N", "draw the samples from this seed", COR_INTEGER(seed, 0, INT64_MAX, -1),
             .otherwise = "the design's"},
            COR_SHEET_OPTIONS(sheets, "print the findings as CSV"),
        },
    .examples = {"corridor agent check experiments/library/agents/stock_manager.json",
                 "corridor agent check design.json --json"},
    .run = run_agent_check,
};

/* ---- agent order */

static const struct cor_column_definition order_sheet_columns[] = {
    {"number", "", "1", "place in the order, from 1", COR_CELL_COUNT, 0, COR_COLUMN_KEY},
    {"unit", "unit", "", "PT(plan), ET(event) or CT(plans of a ring)", COR_CELL_WORD, 0, COR_COLUMN_KEY},
    {"depth", "depth", "1", "0: depends on no other; else one more than the deepest it depends on",
     COR_CELL_COUNT, 0, 0},
    {"depends_on", "depends on", "", "units that test what it posts, or its handlers", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(order_sheet, "order", "Units in the order of testing", "a row a unit", COR_SHEET_TOP, 0);

static const struct cor_column_definition unreached_columns[] = {
    {"kind", "", "", "plan or event", COR_CELL_WORD, 0, 0},
    {"name", "name", "", "what nothing reaches from the entry events", COR_CELL_WORD, 0, 0}};
COR_SHEET_DEFINITION(unreached, "unreached", "Reached by nothing, so in no unit",
                     "a row a plan or event that no entry event leads to", COR_SHEET_TOP, 0);

static const struct cor_column_definition steps_columns[] = {
    {"step", "step", "1", "of paper 000, section 4", COR_CELL_COUNT, 0, COR_COLUMN_GROUP},
    {"number", "", "1", "place in the list, from 1", COR_CELL_COUNT, 0, 0},
    {"unit", "unit", "", "PT(plan), ET(event) or CT(plans of a ring)", COR_CELL_WORD, 0, 0}};
COR_SHEET_DEFINITION(steps, "steps", "The paper's order, step by step", "a row a unit of a step",
                     COR_SHEET_TOP, 0);

/* The units that a unit depends on, which may be many; NULL when memory is out. */
static char *dependencies_text(const struct cor_design_file *file, uint32_t unit) {
    const struct cor_unit_order *order = &file->order;
    uint32_t first = order->dependency_start[unit];
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool made = out;
    for (uint32_t d = first; made && d < order->dependency_start[unit + 1]; d++) {
        char *name = cor_unit_name(file->design, &order->units, order->dependencies[d]);
        made = name && fprintf(out, "%s%s", d > first ? ", " : "", name) >= 0;
        free(name);
    }
    made = out && fclose(out) == 0 && made;
    if (made)
        return text;
    free(text);
    return NULL;
}

static enum cor_status fill_order(const struct cor_design_file *file, struct cor_sheets *sheets,
                                  struct cor_error *error) {
    const struct cor_units *units = &file->order.units;
    struct cor_sheet *sheet = cor_sheets_add(sheets, &order_sheet);
    for (uint32_t u = 0; u < units->count; u++) {
        char *name = cor_unit_name(file->design, units, u), *on = dependencies_text(file, u);
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, u + 1);
        cor_sheet_word(sheet, name);
        cor_sheet_count(sheet, units->units[u].depth);
        cor_sheet_text(sheet, "%s", on ? on : "");
        bool made = name && on;
        COR_FREE(name, on);
        if (!made)
            return cor_fail_memory(error);
    }
    return COR_OK;
}

static enum cor_status fill_steps(const struct cor_design_file *file, const struct cor_units *lists,
                                  struct cor_sheets *sheets, struct cor_error *error) {
    struct cor_sheet *sheet = cor_sheets_add(sheets, &steps);
    for (uint32_t s = 0; s < COR_PAPER_STEPS; s++)
        for (uint32_t u = 0; u < lists[s].count; u++) {
            char *name = cor_unit_name(file->design, &lists[s], u);
            COR_TRY(cor_made(name, error));
            cor_sheet_row(sheet);
            cor_sheet_count(sheet, s + 1);
            cor_sheet_count(sheet, u + 1);
            cor_sheet_word(sheet, name);
            free(name);
        }
    return COR_OK;
}

static enum cor_status print_order(const struct cor_sheet_options *options,
                                   const struct cor_design_file *file, const struct cor_units *lists,
                                   struct cor_error *error) {
    struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_sheets_create("corridor-units-order", 2, &sheets, error));
    COR_TRY_OUT(lists ? fill_steps(file, lists, sheets, error) : fill_order(file, sheets, error));
    struct cor_sheet *sheet = NULL;
    for (uint32_t p = 0; p < file->design->plan_count; p++)
        if (file->order.unit_of_plan[p] == COR_NONE) {
            sheet = sheet ? sheet : cor_sheets_add(sheets, &unreached);
            cor_sheet_row(sheet);
            cor_sheet_word(sheet, "plan");
            cor_sheet_word(sheet, file->design->plans[p].name);
        }
    for (uint32_t e = 0; e < file->design->event_count; e++)
        if (!file->order.event_reached[e]) {
            sheet = sheet ? sheet : cor_sheets_add(sheets, &unreached);
            cor_sheet_row(sheet);
            cor_sheet_word(sheet, "event");
            cor_sheet_word(sheet, file->design->events[e].name);
        }
    COR_TRY_OUT(cor_show_sheets(options, sheets, lists ? "steps" : "order", error));
out:
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_exit run_order(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    struct cor_design_file *file = NULL;
    struct cor_units lists[COR_PAPER_STEPS] = {0};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_design_file_read(arguments->words[0], &file, &error));
    if (request->paper)
        COR_TRY_OUT(cor_paper_order_init(lists, file->design, &error));
    if (request->dot)
        COR_TRY_OUT(cor_unit_order_dot(file, stdout, &error));
    else
        COR_TRY_OUT(print_order(&request->sheets, file, request->paper ? lists : NULL, &error));
out:
    if (request->paper)
        cor_paper_order_fini(lists);
    cor_design_file_destroy(file);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_agent_order = {
    .name = "agent order",
    .summary = "list the units of an agent in the order of testing",
    .operands = "DESIGN.json",
    .takes = {1, 1, "needs one design"},
    .request_size = sizeof(struct request),
    .manual =
        "Finds the parts of an agent that are tested as one: a plan (PT), an event with several handlers "
        "(ET), plans that call each other in a ring (CT); each comes behind all that it depends on. Says "
        "what depends on what, and what no entry event reaches. docs/look-up/agents.md is the manual of the "
        "design.",
    .options =
        {
            {"paper", 0, NULL, "list them in the four steps of paper 000, section 4", COR_FLAG(paper)},
            COR_SHEET_OPTIONS(sheets, "print the order as CSV"),
            COR_DOT_OPTION(dot, "print plans, events and units as a graph in Graphviz' language"),
        },
    .examples = {"corridor agent order experiments/library/agents/stock_manager.json",
                 "corridor agent order experiments/library/agents/fig4.json --paper",
                 "corridor agent order experiments/library/agents/fig4.json --dot | dot -Tsvg > fig4.svg"},
    .run = run_order,
};

/* ---- agent cases */

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
        text = cor_join_take(
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
                if (!is_repeated(&cases, e, variable)) {
                    for (uint32_t c = 0; c < variable->class_count; c++) {
                        const struct cor_unit_class *class = &cases.classes[variable->first_class + c];
                        char text[512];
                        cor_sheet_row(out->classes);
                        cor_sheet_word(out->classes, name);
                        cor_unit_variable_text(&cases, &cases.entries[e], variable, text, sizeof text);
                        cor_sheet_word(out->classes, text);
                        cor_unit_class_text(&cases, variable, class, text, sizeof text);
                        cor_sheet_word(out->classes, text);
                        cor_sheet_flag(out->classes, class->valid);
                        value_text(&cases, variable->domain, class->sample, text, sizeof text);
                        cor_sheet_word(out->classes, text);
                    }
                }
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

/* ---- new agent DESIGN.json, the agent of a design that is there */

static const char agent_c_readme[] =
    "# The agent NAME\n\n"
    "Begun from `NAME.json`, its design. Plans that the design has no body of are stubs: write them in "
    "`NAME.c`, and give\n"
    "their event in `plans` and `handles`.\n\n"
    "    cc -std=c17 -O2 -shared -fPIC -fvisibility=hidden $(pkg-config --cflags corridor-plugin) NAME.c -o "
    "NAME.so -lm\n"
    "    corridor agent test NAME.json --agent ./NAME.so\n\n"
    "How good the tests are, by faults made up: `corridor agent mutate NAME.json`.\n";
static const char agent_python_readme[] =
    "# The agent NAME\n\n"
    "Begun from `NAME.json`, its design. Plans that the design has no body of are stubs (`@agent.stub`): "
    "write them in\n"
    "`NAME.py`, and call them `@agent.plan`. `corridor_agent.py` belongs to the agent: it reports what plans "
    "do.\n\n"
    "    corridor agent test NAME.json --agent \"python3 NAME.py\"\n\n"
    "How good the tests are, by faults made up: `corridor agent mutate NAME.json`.\n";

/* The agent of a design, begun in a folder. */
static enum cor_status write_agent(const char *path, const struct cor_design_file *file,
                                   enum cor_agent_language language, const char *name,
                                   struct cor_error *error) {
    const bool is_c = language == COR_AGENT_C;
    char *source = NULL, *readme = NULL, *text = NULL;
    size_t length;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_agent_source(file, language, &source, error));
    readme = cor_new_rename(is_c ? agent_c_readme : agent_python_readme, "NAME", name);
    COR_TRY_OUT(cor_made(readme, error));
    COR_TRY_OUT(cor_json_read_text(path, &text, &length, error));
    COR_TRY_OUT(cor_new_folder(name, error));
    COR_TRY_OUT(cor_new_write(name, name, is_c ? ".c" : ".py", source, error));
    COR_TRY_OUT(cor_new_write(name, name, ".json", text, error));
    COR_TRY_OUT(cor_new_write(name, "README", ".md", readme, error));
    if (!is_c)
        COR_TRY_OUT(cor_new_write(name, "corridor_agent.py", "", cor_new_kit("corridor_agent.py"), error));
out:
    COR_FREE(source, readme, text);
    return status;
}

/* Small letters, digits and _ of what the design calls its agent. */
static char *agent_name(const char *name) {
    char *made = cor_strdup(name);
    for (char *at = made; at && *at; at++)
        *at = (char)(isalnum((unsigned char)*at) ? tolower((unsigned char)*at) : '_');
    return made;
}

enum cor_exit cor_new_agent(const struct cor_arguments *arguments, int language) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_design_file *file = NULL;
    char *name = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_design_file_read(arguments->words[1], &file, &error));
    name = arguments->word_count > 2 ? cor_strdup(arguments->words[2]) : agent_name(file->design->name);
    COR_TRY_OUT(cor_made(name, &error));
    if (!cor_algorithm_is_name(name))
        COR_TRY_OUT(cor_fail(&error, COR_STATUS_INPUT, NULL,
                             "say a name behind the design: small letters, digits and _, a letter first",
                             "\"%s\" is no name of a folder", name));
    COR_TRY_OUT(write_agent(arguments->words[1], file, (enum cor_agent_language)language, name, &error));
    printf("%s: written\nnext: cd %s && cat README.md\n", name, name);
out:
    free(name);
    cor_design_file_destroy(file);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}
