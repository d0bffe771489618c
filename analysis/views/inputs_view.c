/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which inputs of an arm matter: what a design of its configurations (sensitivity.h) tells of measures of the
 * first sequence of each suite. */
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/explored.h>
#include <corridor/inquiries.h>
#include <corridor/layer_tables.h>
#include <corridor/sensitivity.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BAR_WIDTH 44
#define NAME_WIDTH 20

/* An arm with a design, and what its suites said. */
struct explored {
    const char *arm;
    uint16_t code;
    struct cor_explored explored; /* its rows are made where no table has them */
    struct cor_input_design design;
    uint32_t planned; /* points of the design; those of `design` were executed */
    struct cor_property *measure[COR_MEASURES_MAX]; /* owned */
    const char *text[COR_MEASURES_MAX];             /* as it was written */
    uint32_t measure_count;
    double *values[COR_MEASURES_MAX]; /* owned; [row] */
    double *rows;                     /* owned; [row][input] where it was, in 0 .. 1 */
};

/* A row of a sheet. */
struct shown {
    const char *arm, *measure, *input;
    double range_low, range_high;
    struct cor_input_effect effect;
    uint32_t points;
};

#define SHOWN(member) COR_CELL_OF(struct shown, member)
#define SHOWN_FIRST                                                                                     \
    {"measure", "", "", "what is measured of a sequence", SHOWN(measure), 0, COR_COLUMN_GROUP},         \
        {"arm", "arm", "", "of which arm", SHOWN(arm), 0, COR_COLUMN_DATA},                             \
        {"input", "input", "", "parameter; chance: all that is drawn beside the inputs", SHOWN(input)}, \
        {"from", "from", "", "the least value of the input", SHOWN(range_low), COR_DIGITS_FOUR}, {      \
        "to", "to", "", "the greatest", SHOWN(range_high), COR_DIGITS_FOUR                              \
    }
static const struct cor_column_definition sobol_sheet_columns[] = {
    SHOWN_FIRST,
    {"first", "first", "1", "share of the variance that goes if the input is known", SHOWN(effect.first), 3},
    {"first_low", "low", "1", "lower end of its interval", SHOWN(effect.first_bounds.low), 3},
    {"first_high", "high", "1", "upper end of its interval", SHOWN(effect.first_bounds.high), 3},
    {"total", "total", "1", "share of the variance that is left if all others are known", SHOWN(effect.total),
     3},
    {"total_low", "low", "1", "lower end of its interval", SHOWN(effect.total_bounds.low), 3},
    {"total_high", "high", "1", "upper end of its interval", SHOWN(effect.total_bounds.high), 3},
    {"points", "points", "1", "pairs of rows that were used", SHOWN(points), 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(sobol_sheet, "sobol", "Which inputs matter: shares of the variance",
                     "an input, for a measure", 0, 0);

static const struct cor_column_definition morris_sheet_columns[] = {
    SHOWN_FIRST,
    {"star", "mu*", "", "mean magnitude of its elementary effects: what the measure changes over the range",
     SHOWN(effect.star), COR_DIGITS_FOUR},
    {"star_low", "low", "", "lower end of its interval", SHOWN(effect.star_bounds.low), COR_DIGITS_FOUR},
    {"star_high", "high", "", "upper end of its interval", SHOWN(effect.star_bounds.high), COR_DIGITS_FOUR},
    {"mean", "mu", "", "mean of its elementary effects", SHOWN(effect.mean), COR_DIGITS_FOUR},
    {"sigma", "sigma", "", "their standard deviation: 0 where the input acts alike everywhere",
     SHOWN(effect.deviation), COR_DIGITS_FOUR},
    {"points", "points", "1", "ways through the grid that were used", SHOWN(points), 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(morris_sheet, "morris", "Which inputs matter: elementary effects",
                     "an input, for a measure", 0, 0);

/* Where in its range an input is. */
static double position_of(const struct cor_explored_input *input, double value) {
    return (value - input->low) / (input->high - input->low);
}

static enum cor_status note_inputs(const struct cor_result_header *head, const struct cor_suite_rows *suite,
                                   struct explored *it, struct cor_error *error) {
    const struct cor_parameter_row *rows = suite->table[COR_TABLE_PARAMETERS].row;
    double *at = it->rows + (size_t)suite->row.suite * it->design.inputs;
    for (uint32_t i = 0; i < it->design.inputs; i++) {
        bool is_there = false;
        for (size_t p = 0; p < suite->table[COR_TABLE_PARAMETERS].count && !is_there; p++) {
            const struct cor_catalog_entry *entry = NULL;
            for (size_t e = 0; e < head->catalog_size[COR_CATALOG_PARAMETER] && !entry; e++)
                if (head->catalog[COR_CATALOG_PARAMETER][e].code == rows[p].parameter)
                    entry = &head->catalog[COR_CATALOG_PARAMETER][e];
            is_there = entry && strcmp(entry->name, it->explored.inputs[i].name) == 0;
            if (is_there)
                at[i] = position_of(&it->explored.inputs[i], rows[p].value);
        }
        if (!is_there)
            return cor_damaged(error, COR_TABLE_PARAMETERS, "suite %u of arm %s has no %s", suite->row.suite,
                               it->arm, it->explored.inputs[i].name);
    }
    return COR_OK;
}

/* The same of a file whose tables are read whole. */
static enum cor_status take_rows(struct cor_result *result, struct explored *it, struct cor_error *error) {
    const uint64_t rows = cor_input_design_rows(&it->design);
    COR_FINISHED(cor_layer_tables) struct cor_layer_tables tables = {0};
    struct cor_asked_rows suite[COR_ASKED_COUNT];
    const struct cor_json none = {0};
    uint64_t taken = 0;
    COR_TRY(cor_explored_make(&it->explored, &none, cor_result_head(result)->seed, 0, (uint32_t)rows, error));
    COR_TRY(views__asked_tables(result, &tables, error));
    for (; taken < rows && views__asked_rows(&tables, it->code, (uint32_t)taken, suite); taken++) {
        for (uint32_t i = 0; i < it->design.inputs; i++)
            it->rows[taken * it->design.inputs + i] =
                position_of(&it->explored.inputs[i], cor_explored_value(&it->explored, i, (uint32_t)taken));
        for (uint32_t m = 0; m < it->measure_count; m++) {
            struct cor_property_value value;
            COR_TRY(cor_property_ask_rows(it->measure[m], suite, 0, &value, error));
            it->values[m][taken] = value.value;
        }
    }
    it->design.points = (uint32_t)(taken / cor_input_design_rows_of_point(&it->design));
    return COR_OK;
}

/* Asks the first sequence of each suite, as far as suites go without a gap. */
static enum cor_status take_suites(struct cor_result *result, struct explored *it, struct cor_error *error) {
    static const struct cor_reading readings[] = {
        {COR_TABLE_PARAMETERS, NULL}, {COR_TABLE_CASES, NULL},       {COR_TABLE_REORGANIZATIONS, NULL},
        {COR_TABLE_VIOLATIONS, NULL}, {COR_TABLE_CONSTRAINTS, NULL}, {COR_TABLE_TICKS, NULL},
        {COR_TABLE_SNAPSHOTS, NULL}};
    const uint64_t rows = cor_input_design_rows(&it->design);
    COR_DESTROYED(cor_suite_reader) struct cor_suite_reader *reader = NULL;
    const struct cor_suite_rows *suite;
    uint64_t taken = 0;
    COR_TRY(cor_suite_reader_create(result, readings, sizeof readings / sizeof *readings, &reader, error));
    COR_TRY(cor_suite_reader_choose(reader, it->code, COR_ANY_SUITE, NULL, error));
    for (;;) {
        COR_TRY(cor_suite_reader_next(reader, &suite, error));
        if (!suite || suite->row.suite != taken || taken == rows || suite->row.sequences == 0)
            break;
        COR_TRY(note_inputs(cor_result_head(result), suite, it, error));
        const struct cor_sequence_rows *first = &suite->sequence[0];
        const struct cor_case_tables asked = cor_sequence_case_tables(first);
        for (uint32_t m = 0; m < it->measure_count; m++) {
            struct cor_property_value value;
            COR_TRY(cor_property_ask(it->measure[m], &asked, &value, error));
            it->values[m][taken] = value.value;
        }
        taken++;
    }
    it->design.points = (uint32_t)(taken / cor_input_design_rows_of_point(&it->design));
    return COR_OK;
}

/* What is drawn of a measure: bars, of SOBOL within 0 .. 1, else up to the greatest. */
struct drawing {
    char title[96];
    char name[COR_INPUT_DESIGN_INPUTS_MAX + 1][NAME_WIDTH + 1];
    double solid[COR_INPUT_DESIGN_INPUTS_MAX + 1],
        whole[COR_INPUT_DESIGN_INPUTS_MAX + 1]; /* whole >= solid, 0 .. 1 */
    uint32_t count;
};

static void draw_bars(const void *context, const struct cor_style *style, FILE *file) {
    const struct drawing *drawing = context;
    const char *const solid = style->ascii ? "#" : "█", *const light = style->ascii ? "-" : "░";
    fprintf(file, "%s%s%s\n", style->strong, drawing->title, style->plain);
    for (uint32_t i = 0; i < drawing->count; i++) {
        const int dark = (int)lround(drawing->solid[i] * BAR_WIDTH),
                  all = (int)lround(drawing->whole[i] * BAR_WIDTH);
        fprintf(file, "  %-*s ", NAME_WIDTH, drawing->name[i]);
        for (int c = 0; c < all; c++)
            fputs(c < dark ? solid : light, file);
        fputc('\n', file);
    }
}

static double within(double value) {
    return !(value > 0) ? 0 : value < 1 ? value : 1;
}

static void put_drawing(const struct explored *it, uint32_t measure, const struct cor_sensitivity *made,
                        struct cor_sheets *sheets) {
    const bool is_sobol = it->design.kind == COR_INPUT_DESIGN_SOBOL;
    struct drawing *drawing = cor_calloc(1, sizeof *drawing);
    double greatest = 0;
    if (!drawing) {
        cor_sheets_fail(sheets);
        return;
    }
    snprintf(drawing->title, sizeof drawing->title, "%.40s: %s", it->text[measure],
             is_sobol ? "first order, and beyond it total, 0 to 1" : "mu*");
    drawing->count = it->design.inputs + 1;
    for (uint32_t i = 0; i < drawing->count; i++)
        greatest = made->effect[i].star > greatest ? made->effect[i].star : greatest;
    for (uint32_t i = 0; i < drawing->count; i++) {
        const struct cor_input_effect *effect = &made->effect[i];
        snprintf(drawing->name[i], sizeof drawing->name[i], "%s",
                 i < it->design.inputs ? it->explored.inputs[i].name : "chance");
        drawing->whole[i] = within(is_sobol ? effect->total : greatest > 0 ? effect->star / greatest : 0);
        drawing->solid[i] = is_sobol ? fmin(within(effect->first), drawing->whole[i]) : drawing->whole[i];
    }
    cor_sheets_draw(sheets, draw_bars, drawing, free);
}

static enum cor_status put_inputs(const struct explored *it, uint32_t measure, double level,
                                  struct cor_sheets *sheets, struct cor_view_findings *findings,
                                  struct cor_error *error) {
    struct cor_sensitivity made = {0};
    const bool is_enough = it->design.points >= cor_input_design_fewest[it->design.kind];
    struct cor_sheet *sheet =
        cor_sheets_more(sheets, it->design.kind == COR_INPUT_DESIGN_SOBOL ? &sobol_sheet : &morris_sheet);
    COR_TRY(cor_sensitivity_make(&it->design, it->values[measure], it->rows, level, &made, error));
    const bool is_said =
        is_enough && made.points >= cor_input_design_fewest[it->design.kind] && made.variance > 0;
    for (uint32_t i = 0; i <= it->design.inputs; i++) {
        const bool is_input = i < it->design.inputs;
        const struct shown shown = {.arm = it->arm,
                                    .measure = it->text[measure],
                                    .input = is_input ? it->explored.inputs[i].name : "chance",
                                    .range_low = is_input ? it->explored.inputs[i].low : (double)NAN,
                                    .range_high = is_input ? it->explored.inputs[i].high : (double)NAN,
                                    .effect = made.effect[i],
                                    .points = made.points};
        COR_SHEET_PUT(sheet, struct shown, &shown);
    }
    /* What keeps anything from being said, or from being said of all. */
    if (made.unknown > 0)
        cor_sheet_remark(
            sheet,
            "%s: %u of %u points are left out: a test of theirs came to a limit before its end, or shows "
            "nothing of it; what is said is of the others.",
            it->text[measure], made.unknown, it->design.points);
    if (made.points < cor_input_design_fewest[it->design.kind])
        cor_sheet_remark(sheet, "%s: nothing is said of %u points; at least %u are needed.",
                         it->text[measure], made.points, cor_input_design_fewest[it->design.kind]);
    else if (!(made.variance > 0))
        cor_sheet_remark(sheet,
                         "%s is %.6g in all rows: no input changes it, and there are no shares of a "
                         "variance of 0.",
                         it->text[measure], made.mean);
    if (is_said)
        put_drawing(it, measure, &made, sheets);
    findings->open += !is_said;
    return COR_OK;
}

static enum cor_status explore_inputs(const struct cor_view_request *request,
                                      const struct cor_json *configurations, struct explored *it,
                                      struct cor_sheets *sheets, struct cor_view_findings *findings,
                                      struct cor_error *error) {
    COR_TRY(cor_explored_read(configurations, NULL, NULL, &it->explored, error));
    it->design = it->explored.design;
    it->planned = it->design.points;
    it->rows = cor_calloc(cor_input_design_rows(&it->design) * it->design.inputs, sizeof *it->rows);
    COR_TRY(cor_made(it->rows, error));
    /* The measures that are asked for, else those of the experiment. */
    const struct cor_result_header *head = cor_result_head(request->result);
    const struct cor_result_header *of = head->layer->asked->ending ? head : NULL;
    const bool are_asked = request->measures && request->measures[0];
    uint32_t count = it->explored.measure_count;
    for (count = are_asked ? 0 : count; are_asked && request->measures[count]; count++)
        if (count == COR_MEASURES_MAX)
            return cor_fail(error, COR_STATUS_INPUT, "--measure", NULL, "is given more than %d times",
                            COR_MEASURES_MAX);
    if (count == 0)
        return cor_json_fail(configurations, error, "ask for one: --measure 'sum moved'",
                             "names no \"measures\"");
    for (uint32_t m = 0; m < count; m++) {
        it->text[m] = are_asked ? request->measures[m] : it->explored.measures[m];
        COR_TRY(
            cor_measure_parse_of(of, it->text[m], are_asked ? "--measure" : NULL, &it->measure[m], error));
        it->measure_count++;
    }
    for (uint32_t m = 0; m < it->measure_count; m++) {
        it->values[m] = cor_calloc(cor_input_design_rows(&it->design), sizeof *it->values[m]);
        COR_TRY(cor_made(it->values[m], error));
    }
    COR_TRY(cor_result_head(request->result)->layer->asked->ending ? take_rows(request->result, it, error)
                                                                   : take_suites(request->result, it, error));
    for (uint32_t m = 0; m < it->measure_count; m++)
        COR_TRY(put_inputs(it, m, views__view_level(request), sheets, findings, error));
    struct cor_sheet *sheet =
        cor_sheets_more(sheets, it->design.kind == COR_INPUT_DESIGN_SOBOL ? &sobol_sheet : &morris_sheet);
    if (it->design.points < it->planned)
        cor_sheet_remark(sheet, "%u of %u points of arm %s were executed.", it->design.points, it->planned,
                         it->arm);
    cor_sheet_remark(sheet, "chance is all that is drawn beside the inputs: the other parameters by their "
                            "laws given these, agents, environment, algorithm. Inputs are drawn evenly from "
                            "their ranges.");
    return COR_OK;
}

static enum cor_status make_inputs(const struct cor_view_request *request, struct cor_sheets *sheets,
                                   struct cor_view_findings *findings, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(request->result);
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    struct cor_json arms, configurations, design;
    bool is_found = false;
    enum cor_status status = COR_OK;
    COR_TRY(cor_json_parse(head->experiment, "the file's experiment", &document, error));
    const struct cor_json root = cor_json_root(document);
    const bool has_arms = cor_json_find(&root, "arms", &arms); /* else the file is of its only one */
    for (size_t a = 0; a < (has_arms ? cor_json_size(&arms) : 1) && a < cor_arm_count(head); a++) {
        const struct cor_json arm = has_arms ? cor_json_at(&arms, a) : root;
        struct explored it = {.arm = cor_arm_entry(head, a)->name,
                              .code = (uint16_t)cor_arm_entry(head, a)->code};
        if ((request->arm && strcmp(request->arm, it.arm) != 0) ||
            !cor_configurations_find(&root, &arm, &configurations) ||
            !cor_json_find(&configurations, "design", &design))
            continue;
        is_found = true;
        status = explore_inputs(request, &configurations, &it, sheets, findings, error);
        for (uint32_t m = 0; m < it.measure_count; m++) {
            cor_property_destroy(it.measure[m]);
            free(it.values[m]);
        }
        free(it.rows);
        cor_explored_fini(&it.explored);
        COR_TRY(status);
    }
    if (!is_found)
        status = cor_fail(error, COR_STATUS_INPUT, request->path,
                          "corridor explore EXPERIMENT --method sobol -o FILE makes one",
                          "has no arm whose configurations follow a design");
    return status;
}

static const struct cor_sheet_definition *const sheets_made[] = {&sobol_sheet, &morris_sheet, NULL};

const struct cor_view views__view_inputs = {
    .name = "inputs",
    .command = "show",
    .summary = "tell which inputs matter",
    .manual = "Of arms whose configurations follow a design (corridor explore --method sobol, morris): what "
              "of the variance of a measure is due to each input, alone and with others, and to chance; or "
              "by how much a measure changes with each input.",
    .schema = "corridor-inputs",
    .version = 1,
    .sheets = sheets_made,
    .make = make_inputs,
};
