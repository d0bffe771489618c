/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Table 3 on stand-ins for its system; and depth against length on models that are public. */
#include "efsm_tables.h"

#include <corridor/paper_figures.h>

#include <math.h>

/* A depth of table 3. */
struct row3 {
    const char *model, *depth;
    double length, heuristic, offline_seconds;
    struct efsm_layer__times times;
    const char *note;
};
#define ROW3(member) COR_CELL_OF(struct row3, member)
static const struct cor_column_definition table3_sheet_columns[] = {
    {"model", "stand-in", "", "of the size of the paper's system, made for it", ROW3(model), 0,
     COR_COLUMN_GROUP},
    {"depth", "depth", "", "of off-line constraints", ROW3(depth)},
    {"paper_length", "paper: length", "moves", "published, of the paper's own system", COR_CELL_REAL, 0, 0},
    {"paper_heuristic", "heuristic", "moves", "of these by heuristics", COR_CELL_REAL, 0, 0},
    {"paper_offline_seconds", "off line", "s", "published", COR_CELL_REAL, 0, 0},
    {"paper_decision_seconds", "decision", "s", "published, mean", COR_CELL_REAL, 3, 0},
    {"length", "ours: length", "moves", "of the stand-in; nothing: not covered within the moves allowed",
     ROW3(length)},
    {"heuristic", "heuristic", "moves", "of these by heuristics", ROW3(heuristic)},
    {"offline_seconds", "off line", "s", "off line; a time of this machine, not reproducible",
     ROW3(offline_seconds), COR_DIGITS_FOUR},
    {"decision_seconds", "decision", "s", "mean; a time of this machine, not reproducible", ROW3(times.mean),
     COR_DIGITS_FOUR},
    {"decision_worst_seconds", "worst", "s", "a time of this machine, not reproducible", ROW3(times.worst),
     COR_DIGITS_FOUR},
    {"deviation", "deviation", "moves", "ours - paper, of different systems", COR_CELL_REAL, 0, 0},
    {"note", "note", "", "what became of it", COR_TEXT_OF(struct row3, note)},
};
COR_SHEET_DEFINITION(table3_sheet, "table3", "Table 3: depths, on stand-ins for the telecom billing system",
                     "a row a depth of the paper", 0, 0);

static const struct cor_column_definition depths_sheet_columns[] = {
    {"goal", "goal", "", "model and goal", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"depth", "depth", "", "of off-line constraints", COR_CELL_WORD, 0, 0},
    {"paper", "paper", "moves", "published", COR_CELL_REAL, 0, 0},
    {"length", "length", "moves", "of planner paper, or until it gave up", COR_CELL_COUNT, 0, 0},
    {"heuristic", "heuristic", "moves", "of these by heuristics", COR_CELL_COUNT, 0, 0},
    {"covered", "covered", "", "the whole goal", COR_CELL_FLAG, 0, 0},
    {"search", "search", "moves", "length of the path of planner search", COR_CELL_REAL, 0, 0}};
COR_SHEET_DEFINITION(depths_sheet, "depths", "Depth against length", "a row a depth of a goal", 0, 0);

/* Table 3. */

/* Whether all depths are quick, so that they are always tried. */
static const struct {
    const char *model;
    bool is_quick;
} stand_ins[] = {{"billing_synth", false}, {"billing_hard", false}, {"billing_depth", true}};

static enum cor_status play_row3(const struct cor_efsm_tables_definition *definition, uint32_t depth,
                                 struct row3 *row, struct cor_error *error) {
    struct efsm_layer__case of;
    struct cor_rehearsal played;
    COR_TRY(efsm_layer__case_open(definition->folder, row->model, "trap_t13", &of, error));
    const struct cor_rehearsal_definition rehearsal =
        efsm_layer__case_rehearsal(&of, "paper", depth, definition->moves);
    const enum cor_status status = cor_rehearse(&rehearsal, &played, error);
    if (status == COR_OK) {
        const bool covered = played.end == COR_ADVICE_COVERED;
        row->length = covered ? played.length : (double)NAN;
        row->heuristic = covered ? played.length - played.by_constraints : (double)NAN;
        row->offline_seconds = played.preparing;
        row->times = efsm_layer__times_of(&played);
        row->note = covered                            ? NULL
                    : played.end == COR_ADVICE_GIVE_UP ? "given up: discarded, which proves nothing"
                                                       : "not covered within the moves allowed";
        cor_rehearsal_fini(&played);
    }
    efsm_layer__case_close(&of);
    return status;
}

static enum cor_status fill_table3(const struct cor_efsm_tables_definition *definition,
                                   struct cor_sheet *sheet, struct cor_error *error) {
    static const struct {
        const char *word;
        uint32_t depth;
    } depths[] = {{"2", 2}, {"10", 10}, {"50", 50}, {"100", 100}, {"complete", UINT32_MAX}};
    const double none = (double)NAN;
    for (size_t m = 0; m < sizeof stand_ins / sizeof *stand_ins; m++)
        for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
            struct row3 row = {.model = stand_ins[m].model,
                               .depth = depths[d].word,
                               .length = none,
                               .heuristic = none,
                               .offline_seconds = none,
                               .times = {none, none, none, none},
                               .note = "not tried: see --deepest"};
            if (stand_ins[m].is_quick || depths[d].depth <= definition->deepest)
                COR_TRY(play_row3(definition, depths[d].depth, &row, error));
            const double paper = cor_paper_number(3, row.depth, "length");
            COR_SHEET_PUT(sheet, struct row3, &row);
            cor_sheet_reals(sheet, 4,
                            (double[]){paper, cor_paper_number(3, row.depth, "heuristic"),
                                       cor_paper_number(3, row.depth, "offline_seconds"),
                                       cor_paper_number(3, row.depth, "decision_seconds")});
            COR_SHEET_PUT(sheet, struct row3, &row);
            cor_sheet_real(sheet, row.length - paper);
            COR_SHEET_PUT(sheet, struct row3, &row);
        }
    cor_sheet_remark(sheet,
                     "The paper's system is not public. The stand-ins have its size - 13 locations, 43 "
                     "transitions, the same domains - and are made up: lengths of the two are not "
                     "comparable, only how they change with the depth. billing_depth was built so that the "
                     "depth matters.");
    return COR_OK;
}

/* Depths. */

static enum cor_status put_depth(const struct efsm_layer__case *of, const char *name, uint32_t depth,
                                 double search, struct cor_sheet *sheet, struct cor_error *error) {
    const struct cor_rehearsal_definition rehearsal = efsm_layer__case_rehearsal(of, "paper", depth, 2000);
    struct cor_rehearsal played;
    COR_TRY(cor_rehearse(&rehearsal, &played, error));
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, name);
    if (depth == 0)
        cor_sheet_word(sheet, "complete");
    else
        cor_sheet_text(sheet, "%u", depth);
    cor_sheet_real(sheet, depth == 2   ? cor_paper_number(1, name, "length")
                          : depth == 0 ? cor_paper_number(1, name, "complete_length")
                                       : (double)NAN);
    cor_sheet_counts(sheet, 2, (uint64_t[]){played.length, played.length - played.by_constraints});
    cor_sheet_flag(sheet, played.end == COR_ADVICE_COVERED);
    cor_sheet_real(sheet, search);
    cor_rehearsal_fini(&played);
    return COR_OK;
}

static enum cor_status search_length(const struct efsm_layer__case *of, double *length,
                                     struct cor_error *error) {
    const struct cor_rehearsal_definition rehearsal = efsm_layer__case_rehearsal(of, "search", 0, 2000);
    struct cor_rehearsal played;
    COR_TRY(cor_rehearse(&rehearsal, &played, error));
    *length = played.end == COR_ADVICE_COVERED ? played.length : (double)NAN;
    cor_rehearsal_fini(&played);
    return COR_OK;
}

enum cor_status efsm_layer__fill_depths(const struct cor_efsm_tables_definition *definition,
                                        struct cor_sheets *sheets, struct cor_error *error) {
    COR_TRY(fill_table3(definition, cor_sheets_add(sheets, &table3_sheet), error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &depths_sheet);
    static const struct {
        const char *model, *goal;
        uint32_t first, last; /* depths; the complete one follows where the first is 1 */
    } goals[] = {{"counter3", "trap_t3", 1, 10},         {"inres_initiator", "all-transitions", 1, 4},
                 {"shopping_cart", "three_books", 2, 2}, {"phone_call_1", "all-transitions", 2, 2},
                 {"phone_call_time", "trap_t4", 2, 2},   {"phone_call_time", "all-transitions", 2, 2},
                 {"button_doors_1", "trap_t_14", 2, 2},  {"counter3_100", "trap_t3", 2, 2},
                 {"counter3_32000", "trap_t3", 2, 2}};
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        char name[64];
        struct efsm_layer__case of;
        double search;
        snprintf(name, sizeof name, "%s:%s", goals[i].model, goals[i].goal);
        COR_TRY(efsm_layer__case_open(definition->folder, goals[i].model, goals[i].goal, &of, error));
        enum cor_status status = search_length(&of, &search, error);
        for (uint32_t depth = goals[i].first; depth <= goals[i].last && status == COR_OK; depth++)
            status = put_depth(&of, name, depth, search, sheet, error);
        if (status == COR_OK && goals[i].first == 1)
            status = put_depth(&of, name, 0, search, sheet, error);
        efsm_layer__case_close(&of);
        COR_TRY(status);
    }
    return COR_OK;
}
