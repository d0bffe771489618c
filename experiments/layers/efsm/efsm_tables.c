/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a row of the paper's tables is measured on: a model, a goal, and planners beside them. */
#include "commands.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/efsm_reach.h>
#include <corridor/paper_figures.h>
#include <corridor/rehearsal.h>
#include <corridor/sheet.h>
#include <corridor/solve.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Paper 004's tables beside ours: what the sheets of `corridor efsm tables` are filled with */

struct cor_efsm_tables_definition {
    const char *folder; /* where the models are; borrowed */
    uint32_t runs;      /* of anti-ant on each goal */
    uint32_t run_moves; /* of each of them, at most */
    uint32_t moves;     /* of planner "paper" on a stand-in of table 3, at most */
    uint32_t deepest;   /* off-line constraints of the stand-ins; deeper rows stay empty */
    uint64_t seed;
};

/* For the files that fill them: a goal of a model, as a problem. */
struct efsm_layer__case {
    struct cor_efsm *model;
    struct cor_efsm_goal made; /* what `goal` points at, or nothing */
    const struct cor_efsm_goal *goal;
    struct cor_efsm_problem *problem;
};

/* What was asked of z3 off line for all its traps, and the seconds that this took altogether. */
struct efsm_layer__offline_cost {
    double seconds;
    uint32_t initial; /* moves from the initial state, of a goal of one trap; COR_EFSM_FAR */
    struct cor_solver_statistics asked;
};

/* Times of decisions, of a rehearsal that was timed; NaN without any. */
struct efsm_layer__times {
    double sum, mean, median, worst;
};
static void case_close(struct efsm_layer__case *of);

static enum cor_status case_open(const char *folder, const char *model, const char *goal,
                                 struct efsm_layer__case *of, struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_FREED char *path = cor_format("%s/%s.json", folder, model);
    *of = (struct efsm_layer__case){0};
    COR_TRY(cor_made(path, error));
    COR_TRY_OUT(cor_efsm_read(path, &of->model, error));
    COR_TRY_OUT(cor_efsm_goal_find(of->model, goal, &of->made, &of->goal, error));
    COR_TRY_OUT(cor_efsm_problem_create(of->model, of->goal, &of->problem, error));
out:
    if (status != COR_OK)
        case_close(of);
    return status;
}

static void case_close(struct efsm_layer__case *of) {
    cor_efsm_problem_destroy(of->problem);
    cor_efsm_goal_fini(&of->made);
    cor_efsm_destroy(of->model);
    *of = (struct efsm_layer__case){0};
}

/* A planner on it, timed. */
static struct cor_rehearsal_definition case_rehearsal(const struct efsm_layer__case *of, const char *planner,
                                                      uint32_t depth, uint32_t moves) {
    struct cor_rehearsal_definition definition = {.kind = cor_planner_find(planner),
                                                  .planner = cor_default_planner(),
                                                  .moves = moves,
                                                  .now = cor_wall_seconds};
    COR_ASSERT(definition.kind);
    definition.planner.problem = cor_efsm_planning_problem(of->problem);
    definition.planner.model = of->model;
    definition.planner.goal = of->goal;
    definition.planner.efsm = of->problem;
    definition.planner.depth = depth;
    return definition;
}

static enum cor_status case_offline(const struct efsm_layer__case *of, uint32_t depth,
                                    struct efsm_layer__offline_cost *cost, struct cor_error *error) {
    const double from = cor_wall_seconds();
    *cost = (struct efsm_layer__offline_cost){.initial = COR_EFSM_FAR};
    for (uint32_t i = 0; i < of->goal->trap_count + of->goal->way_count; i++) {
        struct cor_efsm_reach_definition definition =
            cor_default_efsm_reach(of->model, &of->goal->traps[i], COR_EFSM_SYMBOLIC);
        COR_DESTROYED(cor_efsm_reach) struct cor_efsm_reach *reach = NULL;
        definition.depth = depth;
        definition.until_initial = true;
        definition.doing = cor_progress_doing;
        COR_TRY(cor_efsm_reach_create(&definition, &reach, error));
        const struct cor_efsm_reach_summary summary = cor_efsm_reach_summary(reach);
        cor_solver_statistics_add(&cost->asked, &summary.asked);
        cost->initial = summary.initial;
    }
    cost->seconds = cor_wall_seconds() - from;
    return COR_OK;
}

static int by_size(const void *a, const void *b) {
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static struct efsm_layer__times times_of(const struct cor_rehearsal *rehearsal) {
    const uint32_t count = rehearsal->seconds ? rehearsal->length : 0;
    struct efsm_layer__times times = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    COR_FREED double *sorted = cor_calloc(count, sizeof *sorted);
    if (sorted && count > 0) {
        memcpy(sorted, rehearsal->seconds, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, by_size);
        times.sum = 0;
        for (uint32_t i = 0; i < count; i++)
            times.sum += sorted[i];
        times.mean = times.sum / count;
        times.median = sorted[count / 2];
        times.worst = sorted[count - 1];
    }
    return times;
}

/* ---- table 3 on stand-ins for its system; and depth against length on models that are public */

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

/* Depths up to `always` are tried in any case, others if asked for. Constraints are those of all states, or
 * of what the start leads to alone. */
struct stand_in {
    const char *model, *goal;
    uint32_t always;
    bool from_start;
};
static const struct stand_in stand_ins[] = {{"billing_synth", "trap_t13", 0, false},
                                            {"billing_hard", "trap_t13", 0, false},
                                            {"billing_depth", "trap_t13", UINT32_MAX, false},
                                            {"billing_wide", "exceeded", 10, true}};

static enum cor_status play_row3(const struct cor_efsm_tables_definition *definition, uint32_t depth,
                                 const struct stand_in *stand_in, struct row3 *row, struct cor_error *error) {
    COR_ENDED_BY(case_close) struct efsm_layer__case of = {0};
    COR_FINISHED(cor_efsm_constraints) struct cor_efsm_constraints constraints = {0};
    struct cor_rehearsal played;
    COR_TRY(case_open(definition->folder, row->model, stand_in->goal, &of, error));
    struct cor_rehearsal_definition rehearsal = case_rehearsal(&of, "paper", depth, definition->moves);
    const double from = cor_wall_seconds();
    enum cor_status status = cor_efsm_constraints_find(of.model, of.goal, depth, stand_in->from_start,
                                                       cor_progress_doing, &constraints, error);
    const double seconds = cor_wall_seconds() - from;
    rehearsal.planner.constraints = &constraints;
    if (status == COR_OK)
        status = cor_rehearse(&rehearsal, &played, error);
    if (status == COR_OK) {
        const bool covered = played.end == COR_ADVICE_COVERED;
        row->length = covered ? played.length : (double)NAN;
        row->heuristic = covered ? played.length - played.by_constraints : (double)NAN;
        row->offline_seconds = seconds + played.preparing;
        row->times = times_of(&played);
        row->note = covered                            ? NULL
                    : played.end == COR_ADVICE_GIVE_UP ? "given up: discarded, which proves nothing"
                                                       : "not covered within the moves allowed";
        cor_rehearsal_fini(&played);
    }
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
            if (depths[d].depth <= stand_ins[m].always || depths[d].depth <= definition->deepest)
                COR_TRY(play_row3(definition, depths[d].depth, &stand_ins[m], &row, error));
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
    cor_sheet_remark(
        sheet, "The paper's system is not public. The stand-ins have its size - 13 locations, 43 "
               "transitions, the same domains - and are made up: lengths of the two are not "
               "comparable, only how they change with the depth. billing_depth was built so that the "
               "depth matters; guards of billing_wide consist of as many variables as the paper's, and "
               "its goal is a sequence of five traps; its constraints are of what the start leads to alone.");
    return COR_OK;
}

/* Depths. */

static enum cor_status put_depth(const struct efsm_layer__case *of, const char *name, uint32_t depth,
                                 double search, struct cor_sheet *sheet, struct cor_error *error) {
    const struct cor_rehearsal_definition rehearsal = case_rehearsal(of, "paper", depth, 2000);
    COR_FINISHED(cor_rehearsal) struct cor_rehearsal played = {0};
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
    return COR_OK;
}

static enum cor_status search_length(const struct efsm_layer__case *of, double *length,
                                     struct cor_error *error) {
    const struct cor_rehearsal_definition rehearsal = case_rehearsal(of, "search", 0, 2000);
    COR_FINISHED(cor_rehearsal) struct cor_rehearsal played = {0};
    COR_TRY(cor_rehearse(&rehearsal, &played, error));
    *length = played.end == COR_ADVICE_COVERED ? played.length : (double)NAN;
    return COR_OK;
}

/* Table 3 and the depths. */
static enum cor_status fill_depths(const struct cor_efsm_tables_definition *definition,
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
        COR_TRY(case_open(definition->folder, goals[i].model, goals[i].goal, &of, error));
        enum cor_status status = search_length(&of, &search, error);
        for (uint32_t depth = goals[i].first; depth <= goals[i].last && status == COR_OK; depth++)
            status = put_depth(&of, name, depth, search, sheet, error);
        if (status == COR_OK && goals[i].first == 1)
            status = put_depth(&of, name, 0, search, sheet, error);
        case_close(&of);
        COR_TRY(status);
    }
    return COR_OK;
}

/* ---- how often z3 was asked, and what it would cost to ask it all that figures 4 to 6 of the paper ask:
 * questions are counted, and the time of one is measured on the counter */

#define MEASURED 20 /* questions of each kind */

static const struct cor_column_definition questions_sheet_columns[] = {
    {"goal", "goal", "", "model and goal", COR_CELL_WORD, 0, 0},
    {"depth", "depth", "1", "of off-line constraints", COR_CELL_COUNT, 0, 0},
    {"asked_points", "points", "1", "off line, of z3: has a constraint a solution", COR_CELL_COUNT, 0, 0},
    {"asked_eliminations", "eliminations", "1", "off line, of z3: a constraint without its inputs",
     COR_CELL_COUNT, 0, 0},
    {"asked_seconds", "took", "s", "z3, all of that; a time of this machine, not reproducible", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"asked_online", "on line", "1", "questions to z3 while the test runs", COR_CELL_COUNT, 0, 0},
    {"moves", "moves", "1", "decisions", COR_CELL_COUNT, 0, 0},
    {"satisfiability", "SAT_Model", "1", "calls that the figures of the paper make", COR_CELL_COUNT, 0, 0},
    {"optimisations", "Optimize", "1", "calls of Optimize_Model", COR_CELL_COUNT, 0, 0},
    {"decision_seconds", "decision", "s", "mean; a time of this machine, not reproducible", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"estimate_seconds", "with z3", "s",
     "a decision if z3 were asked all of it: counts times the measured time of a question; not reproducible",
     COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"ratio", "times", "1", "as long", COR_CELL_REAL, 0, 0}};
COR_SHEET_DEFINITION(questions_sheet, "questions", "Questions to z3", "a row a goal", 0, 0);

/* Seconds of a question of each kind; NaN without z3. */
struct price {
    double satisfiability, optimisation;
};

/* The first two questions of the paper's own example: an input of START, and the one that is best for
 * x = 10, y = 6 and z = 2. */
static enum cor_status measure(const char *folder, struct price *price, struct cor_error *error) {
    COR_ENDED_BY(case_close) struct efsm_layer__case of = {0};
    COR_FINISHED(cor_expression) struct cor_expression objective = {0};
    COR_DESTROYED(cor_solver) struct cor_solver *solver = NULL;
    int64_t low[COR_EFSM_VARIABLES_MAX], high[COR_EFSM_VARIABLES_MAX];
    *price = (struct price){(double)NAN, (double)NAN};
    if (!cor_solver_is_there())
        return COR_OK;
    COR_TRY(case_open(folder, "counter3", "trap_t3", &of, error));
    COR_TRY(cor_expression_parse("abs(i - 10) + 6 + 2", of.model->variable_names, false, NULL, &objective,
                                 error));
    for (uint32_t v = 0; v < of.model->variable_count; v++) {
        const struct cor_efsm_variable *variable = &of.model->variables[v];
        low[v] = variable->kind == COR_EFSM_STATE ? variable->initial : variable->low;
        high[v] = variable->kind == COR_EFSM_STATE ? variable->initial : variable->high;
    }
    const struct cor_problem problem = {.names = of.model->variable_names,
                                        .variable_count = of.model->variable_count,
                                        .low = low,
                                        .high = high,
                                        .constraints = &of.model->transitions[0].guard,
                                        .constraint_count = 1};
    struct cor_question question = {.kind = COR_QUESTION_OTHER};
    COR_TRY(cor_solver_create(&problem, &solver, error));
    enum cor_answer answer;
    struct cor_least least;
    COR_TRY(cor_solver_ask(solver, &question, &answer, NULL, error)); /* starts the child */
    double from = cor_wall_seconds();
    for (int i = 0; i < MEASURED; i++)
        COR_TRY(cor_solver_ask(solver, &question, &answer, NULL, error));
    price->satisfiability = (cor_wall_seconds() - from) / MEASURED;
    from = cor_wall_seconds();
    for (int i = 0; i < MEASURED; i++)
        COR_TRY(cor_solver_minimise(solver, &question, &objective, 0, &least, NULL, error));
    price->optimisation = (cor_wall_seconds() - from) / MEASURED;
    return COR_OK;
}

static enum cor_status put_case(const struct efsm_layer__case *of, const char *name, uint32_t depth,
                                const struct price *price, struct cor_sheet *sheet, struct cor_error *error) {
    const struct cor_rehearsal_definition rehearsal = case_rehearsal(of, "paper", depth, 2000);
    COR_FINISHED(cor_rehearsal) struct cor_rehearsal played = {0};
    struct efsm_layer__offline_cost cost;
    COR_TRY(case_offline(of, depth, &cost, error));
    COR_TRY(cor_rehearse(&rehearsal, &played, error));
    const struct efsm_layer__times times = times_of(&played);
    const double estimate = ((double)played.questions * price->satisfiability +
                             (double)played.optimisations * price->optimisation) /
                            played.length;
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, name);
    cor_sheet_counts(sheet, 3,
                     (uint64_t[]){depth, cost.asked.of[COR_QUESTION_POINT].asked,
                                  cost.asked.of[COR_QUESTION_ELIMINATION].asked});
    cor_sheet_real(sheet, cor_solver_statistics_sum(&cost.asked).seconds);
    cor_sheet_counts(sheet, 4, (uint64_t[]){0, played.length, played.questions, played.optimisations});
    cor_sheet_reals(sheet, 3, (double[]){times.mean, estimate, estimate / times.mean});
    return COR_OK;
}

/* Counts and costs of questions. */
static enum cor_status fill_questions(const struct cor_efsm_tables_definition *definition,
                                      struct cor_sheets *sheets, struct cor_error *error) {
    static const struct {
        const char *model, *goal;
        uint32_t depth;
    } goals[] = {{"counter3", "trap_t3", 2},        {"inres_initiator", "trap_t8", 2},
                 {"inres_initiator", "trap_t5", 2}, {"inres_initiator", "T2-6", 1},
                 {"inres_initiator", "T2-7", 1},    {"inres_initiator", "T2-8", 1},
                 {"billing_synth", "trap_t13", 2}};
    struct cor_sheet *sheet = cor_sheets_add(sheets, &questions_sheet);
    struct price price;
    COR_TRY(measure(definition->folder, &price, error));
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        char name[64];
        struct efsm_layer__case of;
        snprintf(name, sizeof name, "%s:%s", goals[i].model, goals[i].goal);
        COR_TRY(case_open(definition->folder, goals[i].model, goals[i].goal, &of, error));
        const enum cor_status status = put_case(&of, name, goals[i].depth, &price, sheet, error);
        case_close(&of);
        COR_TRY(status);
    }
    if (isnan(price.satisfiability))
        cor_sheet_remark(sheet, "This build has no z3.");
    else
        cor_sheet_remark(sheet,
                         "A question takes %.3g ms here, the least degree %.3g ms (not reproducible), on the "
                         "counter's START from the initial state.",
                         1e3 * price.satisfiability, 1e3 * price.optimisation);
    return COR_OK;
}

/* ---- tables 1 and 2 */

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
    const struct cor_rehearsal_definition definition = case_rehearsal(table->of, "paper", 2, 10000);
    COR_FINISHED(cor_rehearsal) struct cor_rehearsal played = {0};
    COR_TRY(cor_rehearse(&definition, &played, error));
    const struct efsm_layer__times times = times_of(&played);
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
        case_rehearsal(table->of, "antiant", 0, table->definition->run_moves);
    struct spread lengths = {0}, seconds = {0};
    definition.planner.by_state = by_state;
    for (uint32_t run = 0; run < table->definition->runs; run++) {
        COR_FINISHED(cor_rehearsal) struct cor_rehearsal played = {0};
        definition.seed = definition.planner.seed = table->definition->seed + run;
        COR_TRY(cor_rehearse(&definition, &played, error));
        if (played.end == COR_ADVICE_COVERED) {
            spread_add(&lengths, played.length);
            spread_add(&seconds, times_of(&played).sum);
        }
    }
    const char *counting = by_state ? "by state and transition" : "by transition";
    put_spread(table, counting, "length", "length", &lengths, false);
    put_spread(table, counting, "seconds", "seconds", &seconds, true);
    return COR_OK;
}

static enum cor_status put_goal(const struct table1 *table, struct cor_error *error) {
    struct efsm_layer__offline_cost cost;
    COR_TRY(case_offline(table->of, 0, &cost, error));
    put(table, "complete off-line RPT: length", "complete_length",
        cost.initial == COR_EFSM_FAR ? (double)NAN : cost.initial, false, NULL);
    put(table, "complete off-line RPT: seconds", "complete_seconds", cost.seconds, true, NULL);
    COR_TRY(case_offline(table->of, 2, &cost, error));
    put(table, "off-line RPT to depth 2: seconds", "offline_seconds", cost.seconds, true, NULL);
    COR_TRY(put_online(table, error));
    COR_TRY(put_antiant(table, false, error));
    COR_TRY(put_antiant(table, true, error));
    const struct cor_rehearsal_definition definition = case_rehearsal(table->of, "search", 0, 10000);
    COR_FINISHED(cor_rehearsal) struct cor_rehearsal played = {0};
    COR_TRY(cor_rehearse(&definition, &played, error));
    put(table, "shortest: UPPAAL, ours search: length", "uppaal_length", played.length, false,
        played.end == COR_ADVICE_COVERED ? NULL : "goal not covered");
    put(table, "shortest: UPPAAL, ours search: seconds", "uppaal_seconds",
        played.preparing + times_of(&played).sum, true, NULL);
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
            status = case_open(definition->folder, goals[i][0], goals[i][1], &of, error);
        if (status == COR_OK) {
            status = put_goal(&table, error);
            case_close(&of);
        }
        free(table.name);
        COR_TRY(status);
    }
    return COR_OK;
}

/* Table 2. */

static double moves_in(const char *path) {
    double count = *path ? 1 : 0;
    for (; *path; path++)
        count += *path == ' ';
    return count;
}

static enum cor_status put_path(const struct efsm_layer__case *of, const char *goal, struct cor_sheet *sheet,
                                struct cor_error *error) {
    const struct cor_rehearsal_definition paper = case_rehearsal(of, "paper", 1, 10000);
    const struct cor_rehearsal_definition search = case_rehearsal(of, "search", 0, 10000);
    COR_FINISHED(cor_rehearsal) struct cor_rehearsal played = {0}, shortest = {0};
    char traps[128] = "", printed[512] = "", slip[256] = "";
    COR_FREED char *path = NULL;
    COR_TRY(cor_rehearse(&paper, &played, error));
    COR_TRY(cor_rehearse(&search, &shortest, error));
    path = cor_strdup("");
    for (uint32_t i = 0; i < played.length; i++)
        path = cor_join_take(path, " ", cor_strdup(of->model->transitions[played.labels[i]].id));
    COR_TRY(cor_made(path, error));
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
    return COR_OK;
}

/* Sheets "table1", "table2", "table3", "depths", "questions" in the list. */
static enum cor_status cor_fill_efsm_tables(const struct cor_efsm_tables_definition *definition,
                                            struct cor_sheets *sheets, struct cor_error *error) {
    COR_TRY(fill_table1(definition, cor_sheets_add(sheets, &table1_sheet), error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &table2_sheet);
    for (int i = 1; i <= 8; i++) {
        char goal[16];
        struct efsm_layer__case of;
        snprintf(goal, sizeof goal, "T2-%d", i);
        COR_TRY(case_open(definition->folder, "inres_initiator", goal, &of, error));
        const enum cor_status status = put_path(&of, goal, sheet, error);
        case_close(&of);
        COR_TRY(status);
    }
    COR_TRY(fill_depths(definition, sheets, error));
    return fill_questions(definition, sheets, error);
}

/* ---- efsm tables command */

struct request {
    struct cor_sheet_options sheets;
    struct cor_efsm_tables_definition tables;
};

static enum cor_exit run_efsm_tables(const struct cor_arguments *arguments) {
    struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    request->tables.folder = arguments->word_count == 1 ? arguments->words[0] : "experiments/library/efsm";
    request->tables.run_moves = 20000;
    request->tables.moves = 2000;
    COR_TRY_OUT(cor_sheets_create("corridor-efsm-tables", 1, &sheets, &error));
    COR_TRY_OUT(cor_fill_efsm_tables(&request->tables, sheets, &error));
    COR_TRY_OUT(cor_show_sheets(&request->sheets, sheets, "table1", &error));
out:
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_efsm_tables = {
    .name = "efsm tables",
    .summary = "print tables 1, 2 and 3 of paper 004 beside ours",
    .operands = "[FOLDER]",
    .takes = {0, 1, "takes one folder"},
    .request_size = sizeof(struct request),
    .manual = "Plays planner paper (chi-RPT) on the models of the paper, and prints what it and the "
              "baselines need beside each figure of the paper: lengths of tests and times of table 1, the "
              "paths of table 2 move by move, the depths of table 3 on stand-ins for its system, which is "
              "not public; and how often z3 was asked, what for, how long, and what asking it for everything "
              "would cost. docs/evidence/efsm-tables.md explains what deviates. Rows of times say that they "
              "are not "
              "reproducible. FOLDER has the models; without it, experiments/library/efsm.",
    .options =
        {
            {"runs", 0, "N", "run anti-ant N times on each goal of table 1",
             COR_INTEGER(tables.runs, 1, 100000, 200)},
            {"seed", 0, "N", "seed these runs with N", COR_INTEGER(tables.seed, 0, INT64_MAX, 1)},
            {"deepest", 0, "K",
             "compute off-line constraints of the stand-ins up to so many moves (10: half a minute)",
             COR_INTEGER(tables.deepest, 1, 1000, 2)},
            COR_SHEET_OPTIONS(sheets, "print the first table as CSV"),
        },
    .examples = {"corridor efsm tables",
                 "corridor efsm tables experiments/library/efsm --runs 1000 --sheet table2",
                 "corridor efsm tables --deepest 10 --json"},
    .run = run_efsm_tables,
};
