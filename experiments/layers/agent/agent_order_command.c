/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "output.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/design_file.h>
#include <corridor/unit_order.h>

#include <stdlib.h>

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

struct request {
    struct cor_sheet_options sheets;
    bool paper, dot;
};

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
        free(name);
        free(on);
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
