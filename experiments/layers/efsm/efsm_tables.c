/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables 1 and 2. */
#include "efsm_tables.h"

#include <corridor/array.h>
#include <corridor/paper_figures.h>
#include <corridor/work.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct cor_column_definition table1_sheet_columns[] = {
    {"goal", "goal", "", "model and goal", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"figure", "figure", "", "what is measured", COR_CELL_TEXT, 0, 0},
    {"paper", "paper", "", "published", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"ours", "ours", "", "measured now", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"deviation", "deviation", "", "ours - paper, of what is no time", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"faster", "times faster", "", "paper / ours, of times; not reproducible", COR_CELL_REAL, 0, 0},
    {"reproducible", "reproducible", "", "no: a time of this machine", COR_CELL_FLAG, 0, 0},
    {"note", "note", "", "how to read it", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(table1_sheet, "table1", "Table 1: goals of one trap", "a row a figure of a goal", 0, 0);

static const struct cor_column_definition table2_sheet_columns[] = {
    {"goal", "goal", "", "its number", COR_CELL_WORD, 0, 0},
    {"traps", "traps, in this order", "", "transitions", COR_CELL_TEXT, 0, 0},
    {"paper", "paper", "moves", "length of the published path", COR_CELL_REAL, 0, 0},
    {"ours", "ours", "moves", "length of the path of planner paper", COR_CELL_REAL, 0, 0},
    {"deviation", "deviation", "moves", "ours - paper", COR_CELL_REAL, 0, 0},
    {"same", "same path", "", "move by move", COR_CELL_FLAG, 0, 0},
    {"search", "search", "moves", "length of the path of planner search", COR_CELL_REAL, 0, 0},
    {"paper_path", "", "", "published", COR_CELL_TEXT, 0, COR_COLUMN_DATA},
    {"path", "", "", "of planner paper", COR_CELL_TEXT, 0, COR_COLUMN_DATA},
    {"slip", "", "", "what is misprinted, and read so here", COR_CELL_TEXT, 0, COR_COLUMN_DATA}};
COR_SHEET_DEFINITION(table2_sheet, "table2", "Table 2: eight traps in order, Inres, depth 1",
                     "a row a goal of the paper", 0, 0);

/* Table 1. */

struct table1 {
    const struct cor_efsm_tables_definition *definition;
    const struct efsm_layer__case *of;
    struct cor_sheet *sheet;
    char *name; /* owned; "model:goal" */
};

/* A figure; `key` is what the paper's data call it. */
static void put(const struct table1 *table, const char *figure, const char *key, double ours, bool is_time,
                const char *note) {
    const double paper = cor_paper_number(1, table->name, key);
    struct cor_sheet *sheet = table->sheet;
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, table->name);
    cor_sheet_text(sheet, "%s", figure);
    cor_sheet_real(sheet, paper);
    cor_sheet_real(sheet, ours);
    cor_sheet_real(sheet, is_time ? (double)NAN : ours - paper);
    cor_sheet_real(sheet, is_time ? paper / ours : (double)NAN);
    cor_sheet_flag(sheet, !is_time);
    if (note)
        cor_sheet_text(sheet, "%s", note);
    else
        cor_sheet_nothing(sheet);
}

static enum cor_status put_online(const struct table1 *table, struct cor_error *error) {
    const struct cor_rehearsal_definition definition =
        efsm_layer__case_rehearsal(table->of, "paper", 2, 10000);
    struct cor_rehearsal played;
    COR_TRY(cor_rehearse(&definition, &played, error));
    const struct efsm_layer__times times = efsm_layer__times_of(&played);
    const bool covered = played.end == COR_ADVICE_COVERED;
    put(table, "chi-RPT: length", "length", played.length, false, covered ? NULL : "goal not covered");
    put(table, "chi-RPT: moves by heuristics", "heuristic", played.length - played.by_constraints, false,
        NULL);
    put(table, "chi-RPT: moves by off-line constraints", "by_constraints", played.by_constraints, false,
        NULL);
    put(table, "chi-RPT: seconds of all decisions", "seconds", times.sum, true,
        "the paper's is that of the whole run");
    put(table, "chi-RPT: seconds of a decision, mean", "decision_seconds", times.mean, true, NULL);
    put(table, "chi-RPT: seconds of a decision, median", "", times.median, true, NULL);
    put(table, "chi-RPT: seconds of a decision, worst", "", times.worst, true, NULL);
    cor_rehearsal_fini(&played);
    return COR_OK;
}

/* Lengths, or seconds, of the runs that covered the goal. */
struct spread {
    double least, sum, most;
    uint32_t count;
};

static void spread_add(struct spread *spread, double value) {
    spread->least = spread->count == 0 || value < spread->least ? value : spread->least;
    spread->most = spread->count == 0 || value > spread->most ? value : spread->most;
    spread->sum += value;
    spread->count++;
}

static void put_spread(const struct table1 *table, const char *counting, const char *what, const char *key,
                       const struct spread *spread, bool is_time) {
    static const char *const ends[] = {"min", "mean", "max"};
    const double none = (double)NAN;
    const double values[] = {spread->count ? spread->least : none,
                             spread->count ? spread->sum / spread->count : none,
                             spread->count ? spread->most : none};
    for (int i = 0; i < 3; i++) {
        char figure[96], named[64], note[64];
        snprintf(figure, sizeof figure, "anti-ant %s: %s, %s", counting, what, ends[i]);
        snprintf(named, sizeof named, "antiant_%s_%s", key, ends[i]);
        snprintf(note, sizeof note, "%u of %u runs cover it", spread->count, table->definition->runs);
        put(table, figure, named, values[i], is_time, note);
    }
}

static enum cor_status put_antiant(const struct table1 *table, bool by_state, struct cor_error *error) {
    struct cor_rehearsal_definition definition =
        efsm_layer__case_rehearsal(table->of, "antiant", 0, table->definition->run_moves);
    struct spread lengths = {0}, seconds = {0};
    definition.planner.by_state = by_state;
    for (uint32_t run = 0; run < table->definition->runs; run++) {
        struct cor_rehearsal played;
        definition.seed = definition.planner.seed = table->definition->seed + run;
        COR_TRY(cor_rehearse(&definition, &played, error));
        if (played.end == COR_ADVICE_COVERED) {
            spread_add(&lengths, played.length);
            spread_add(&seconds, efsm_layer__times_of(&played).sum);
        }
        cor_rehearsal_fini(&played);
    }
    const char *counting = by_state ? "by state and transition" : "by transition";
    put_spread(table, counting, "length", "length", &lengths, false);
    put_spread(table, counting, "seconds", "seconds", &seconds, true);
    return COR_OK;
}

static enum cor_status put_goal(const struct table1 *table, struct cor_error *error) {
    struct efsm_layer__offline_cost cost;
    COR_TRY(efsm_layer__case_offline(table->of, 0, &cost, error));
    put(table, "complete off-line RPT: length", "complete_length",
        cost.initial == COR_EFSM_FAR ? (double)NAN : cost.initial, false, NULL);
    put(table, "complete off-line RPT: seconds", "complete_seconds", cost.seconds, true, NULL);
    COR_TRY(efsm_layer__case_offline(table->of, 2, &cost, error));
    put(table, "off-line RPT to depth 2: seconds", "offline_seconds", cost.seconds, true, NULL);
    COR_TRY(put_online(table, error));
    COR_TRY(put_antiant(table, false, error));
    COR_TRY(put_antiant(table, true, error));
    const struct cor_rehearsal_definition definition =
        efsm_layer__case_rehearsal(table->of, "search", 0, 10000);
    struct cor_rehearsal played;
    COR_TRY(cor_rehearse(&definition, &played, error));
    put(table, "shortest: UPPAAL, ours search: length", "uppaal_length", played.length, false,
        played.end == COR_ADVICE_COVERED ? NULL : "goal not covered");
    put(table, "shortest: UPPAAL, ours search: seconds", "uppaal_seconds",
        played.preparing + efsm_layer__times_of(&played).sum, true, NULL);
    cor_rehearsal_fini(&played);
    return COR_OK;
}

static enum cor_status fill_table1(const struct cor_efsm_tables_definition *definition,
                                   struct cor_sheet *sheet, struct cor_error *error) {
    static const char *const goals[][2] = {
        {"counter3", "trap_t3"}, {"inres_initiator", "trap_t8"}, {"inres_initiator", "trap_t5"}};
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        struct efsm_layer__case of;
        struct table1 table = {definition, &of, sheet, cor_format("%s:%s", goals[i][0], goals[i][1])};
        enum cor_status status = cor_made(table.name, error);
        if (status == COR_OK)
            status = efsm_layer__case_open(definition->folder, goals[i][0], goals[i][1], &of, error);
        if (status == COR_OK) {
            status = put_goal(&table, error);
            efsm_layer__case_close(&of);
        }
        free(table.name);
        COR_TRY(status);
    }
    return COR_OK;
}

/* Table 2. */

static char *path_of(const struct efsm_layer__case *of, const struct cor_rehearsal *played) {
    char *path = cor_strdup("");
    for (uint32_t i = 0; i < played->length; i++)
        path = cor_join_take(path, " ", cor_strdup(of->model->transitions[played->labels[i]].id));
    return path;
}

static double moves_in(const char *path) {
    double count = *path ? 1 : 0;
    for (; *path; path++)
        count += *path == ' ';
    return count;
}

static enum cor_status put_path(const struct efsm_layer__case *of, const char *goal, struct cor_sheet *sheet,
                                struct cor_error *error) {
    const struct cor_rehearsal_definition paper = efsm_layer__case_rehearsal(of, "paper", 1, 10000);
    const struct cor_rehearsal_definition search = efsm_layer__case_rehearsal(of, "search", 0, 10000);
    struct cor_rehearsal played = {0}, shortest = {0};
    char traps[128] = "", printed[512] = "", slip[256] = "";
    enum cor_status status = COR_OK;
    char *path = NULL;
    COR_TRY_OUT(cor_rehearse(&paper, &played, error));
    COR_TRY_OUT(cor_rehearse(&search, &shortest, error));
    path = path_of(of, &played);
    COR_TRY_OUT(cor_made(path, error));
    cor_paper_text(2, goal, "goal", traps, sizeof traps);
    cor_paper_text(2, goal, "path", printed, sizeof printed);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, goal);
    cor_sheet_text(sheet, "%s", traps);
    cor_sheet_real(sheet, moves_in(printed));
    cor_sheet_real(sheet, played.length);
    cor_sheet_real(sheet, played.length - moves_in(printed));
    cor_sheet_flag(sheet, strcmp(path, printed) == 0);
    cor_sheet_real(sheet, shortest.end == COR_ADVICE_COVERED ? shortest.length : (double)NAN);
    cor_sheet_text(sheet, "%s", printed);
    cor_sheet_text(sheet, "%s", path);
    if (cor_paper_text(2, goal, "slip", slip, sizeof slip))
        cor_sheet_text(sheet, "%s", slip);
    else
        cor_sheet_nothing(sheet);
out:
    free(path);
    cor_rehearsal_fini(&played);
    cor_rehearsal_fini(&shortest);
    return status;
}

enum cor_status cor_fill_efsm_tables(const struct cor_efsm_tables_definition *definition,
                                     struct cor_sheets *sheets, struct cor_error *error) {
    COR_TRY(fill_table1(definition, cor_sheets_add(sheets, &table1_sheet), error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &table2_sheet);
    for (int i = 1; i <= 8; i++) {
        char goal[16];
        struct efsm_layer__case of;
        snprintf(goal, sizeof goal, "T2-%d", i);
        COR_TRY(efsm_layer__case_open(definition->folder, "inres_initiator", goal, &of, error));
        const enum cor_status status = put_path(&of, goal, sheet, error);
        efsm_layer__case_close(&of);
        COR_TRY(status);
    }
    COR_TRY(efsm_layer__fill_depths(definition, sheets, error));
    return efsm_layer__fill_questions(definition, sheets, error);
}
