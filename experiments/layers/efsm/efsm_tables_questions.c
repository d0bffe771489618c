/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How often z3 was asked, and what it would cost to ask it all that figures 4 to 6 of the paper ask:
 * questions are counted, and the time of one is measured on the counter. */
#include "efsm_tables.h"

#include <corridor/solve.h>
#include <corridor/work.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    struct efsm_layer__case of = {0};
    struct cor_expression objective = {0};
    struct cor_solver *solver = NULL;
    enum cor_status status = COR_OK;
    int64_t low[COR_EFSM_VARIABLES_MAX], high[COR_EFSM_VARIABLES_MAX];
    *price = (struct price){(double)NAN, (double)NAN};
    if (!cor_solver_is_there())
        return COR_OK;
    COR_TRY_OUT(efsm_layer__case_open(folder, "counter3", "trap_t3", &of, error));
    COR_TRY_OUT(cor_expression_parse("abs(i - 10) + 6 + 2", of.model->variable_names, false, NULL, &objective,
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
    COR_TRY_OUT(cor_solver_create(&problem, &solver, error));
    enum cor_answer answer;
    struct cor_least least;
    COR_TRY_OUT(cor_solver_ask(solver, &question, &answer, NULL, error)); /* starts the child */
    double from = cor_wall_seconds();
    for (int i = 0; i < MEASURED; i++)
        COR_TRY_OUT(cor_solver_ask(solver, &question, &answer, NULL, error));
    price->satisfiability = (cor_wall_seconds() - from) / MEASURED;
    from = cor_wall_seconds();
    for (int i = 0; i < MEASURED; i++)
        COR_TRY_OUT(cor_solver_minimise(solver, &question, &objective, 0, &least, NULL, error));
    price->optimisation = (cor_wall_seconds() - from) / MEASURED;
out:
    cor_solver_destroy(solver);
    cor_expression_fini(&objective);
    efsm_layer__case_close(&of);
    return status;
}

static enum cor_status put_case(const struct efsm_layer__case *of, const char *name, uint32_t depth,
                                const struct price *price, struct cor_sheet *sheet, struct cor_error *error) {
    const struct cor_rehearsal_definition rehearsal = efsm_layer__case_rehearsal(of, "paper", depth, 2000);
    struct cor_rehearsal played;
    struct efsm_layer__offline_cost cost;
    COR_TRY(efsm_layer__case_offline(of, depth, &cost, error));
    COR_TRY(cor_rehearse(&rehearsal, &played, error));
    const struct efsm_layer__times times = efsm_layer__times_of(&played);
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
    cor_rehearsal_fini(&played);
    return COR_OK;
}

enum cor_status efsm_layer__fill_questions(const struct cor_efsm_tables_definition *definition,
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
        COR_TRY(efsm_layer__case_open(definition->folder, goals[i].model, goals[i].goal, &of, error));
        const enum cor_status status = put_case(&of, name, goals[i].depth, &price, sheet, error);
        efsm_layer__case_close(&of);
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
