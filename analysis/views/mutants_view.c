/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mutation score: of the faults that operators put wherever they fit, how many are found, and by which
 * check. Equivalent is what is proven to do as the agent without a fault does, whatever the values; whatever
 * else is not killed is alive. */
#include "findings.h"

#include <corridor/arms.h>
#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

static const struct cor_column_definition mutants_columns[] = {
    {"outcome", "", "",
     "killed: something was found that the agent without a fault does not show; alive: nothing; equivalent: "
     "it is proven to do the same for all values",
     COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"mutant", "mutant", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"operator", "operator", "", "what was changed", COR_CELL_WORD, 0, 0},
    {"check", "check", "", "check of the first root", COR_CELL_WORD, 0, 0},
    {"unit", "unit", "", "where it was found", COR_CELL_WORD, 0, 0},
};
const struct cor_sheet_definition views__mutants =
    COR_SHEET_OVER(mutants_columns, "mutants", "Mutants", "a mutant", COR_SHEET_FIRST, 0);

static const struct cor_column_definition operators_columns[] = {
    {"operator", "operator", "", "what was changed; all: every mutant", COR_CELL_WORD, 0, 0},
    {"mutants", "mutants", "", "of this operator", COR_CELL_COUNT, 0, 0},
    {"killed", "killed", "", "of which something was found", COR_CELL_COUNT, 0, 0},
    {"alive", "alive", "", "of which nothing was found", COR_CELL_COUNT, 0, 0},
    {"equivalent", "equivalent", "", "that are proven to do the same for all values", COR_CELL_COUNT, 0, 0},
    {"score_pct", "score", "%", "killed, of the mutants that are not equivalent", COR_CELL_REAL, 1, 0},
};
const struct cor_sheet_definition views__operators =
    COR_SHEET_OVER(operators_columns, "operators", "Mutation score by operator", "an operator", 0, 0);

static const struct cor_column_definition killers_columns[] = {
    {"check", "check", "", "what was looked at", COR_CELL_WORD, 0, 0},
    {"mutants", "mutants", "", "mutants with this finding as a root", COR_CELL_COUNT, 0, 0},
    {"alone", "alone", "", "thereof found by no other check", COR_CELL_COUNT, 0, 0},
    {"share_pct", "share", "%", "of the mutants that are killed", COR_CELL_REAL, 1, 0},
};
const struct cor_sheet_definition views__killers =
    COR_SHEET_OVER(killers_columns, "killers", "Mutants by the check that finds them", "a check", 0, 0);

enum outcome { KILLED, ALIVE, EQUIVALENT, OUTCOMES };

struct mutant {
    uint16_t arm;
    char *operator; /* owned; NULL: no mutant */
    enum outcome outcome;
    uint64_t first;  /* root of the mutant alone; UINT64_MAX: none */
    uint64_t checks; /* bits of the checks of its roots, or of all if there is none */
};
_Static_assert(COR_AUT_CHECK_CODES <= 64, "checks are bits of a word");

/* Checks of what is found of the mutant alone: of roots, or of all. */
static void gather(const struct cor_layer_tables *agent, size_t original, bool roots, struct mutant *mutant) {
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_FINDINGS]; i++) {
        const struct cor_agent_finding_row *row = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, i);
        if (row->arm != mutant->arm || (roots && row->cause != COR_CAUSE_ROOT) ||
            views__is_of_original(agent, original, row))
            continue;
        mutant->checks |= UINT64_C(1) << row->check;
        if (mutant->first == UINT64_MAX)
            mutant->first = i;
    }
}

static enum cor_status look_at(const struct cor_layer_tables *agent, struct mutant *mutant,
                               struct cor_error *error) {
    char *equivalent;
    size_t original;
    COR_TRY(views__original(agent, mutant->arm, &original, error));
    COR_TRY(cor_text_under(cor_arm_entry(agent->head, mutant->arm)->description, "equivalent", &equivalent,
                           error));
    mutant->first = UINT64_MAX;
    gather(agent, original, true, mutant);
    if (mutant->checks == 0)
        gather(agent, original, false, mutant);
    mutant->outcome = mutant->checks != 0 ? KILLED : equivalent ? EQUIVALENT : ALIVE;
    free(equivalent);
    return COR_OK;
}

static void put_mutant(const struct cor_layer_tables *agent, const struct mutant *mutant,
                       struct cor_sheet *sheet) {
    cor_sheet_row(sheet);
    static const char *const words[OUTCOMES] = {"killed", "alive", "equivalent"};
    cor_sheet_word(sheet, words[mutant->outcome]);
    cor_sheet_word(sheet, cor_agent_arm_name(agent, mutant->arm));
    cor_sheet_word(sheet, mutant->operator);
    if (mutant->first != UINT64_MAX) {
        const struct cor_agent_finding_row *row =
            cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, mutant->first);
        cor_sheet_word(sheet, cor_term_word(COR_FAMILY_AUT_CHECK, row->check));
        cor_sheet_word(sheet, views__finding_unit(agent, row));
    } else {
        cor_sheet_nothing(sheet);
        cor_sheet_nothing(sheet);
    }
}

/* A row over the mutants of an operator; NULL: of all. */
static void put_operator(const struct mutant *mutants, size_t count, const char *operator,
                         struct cor_sheet * sheet) {
    uint64_t of[OUTCOMES] = {0}, all = 0;
    for (size_t m = 0; m < count; m++) {
        if (!mutants[m].operator||(operator&& strcmp(mutants[m].operator, operator) != 0))
            continue;
        of[mutants[m].outcome]++;
        all++;
    }
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, operator ? operator : "all");
    cor_sheet_count(sheet, all);
    for (int o = 0; o < OUTCOMES; o++)
        cor_sheet_count(sheet, of[o]);
    if (all > of[EQUIVALENT])
        cor_sheet_real(sheet, 100.0 * (double)of[KILLED] / (double)(all - of[EQUIVALENT]));
    else
        cor_sheet_nothing(sheet);
}

static void put_killers(const struct mutant *mutants, size_t count, struct cor_sheet *sheet) {
    uint64_t killed = 0;
    for (size_t m = 0; m < count; m++)
        killed += mutants[m].operator&& mutants[m].outcome == KILLED;
    for (int check = 1; check < COR_AUT_CHECK_CODES; check++) {
        uint64_t bit = UINT64_C(1) << check, found = 0, alone = 0;
        for (size_t m = 0; m < count; m++) {
            found += mutants[m].operator&&(mutants[m].checks & bit);
            alone += mutants[m].operator&& mutants[m].checks == bit;
        }
        if (found == 0)
            continue;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_term_word(COR_FAMILY_AUT_CHECK, check));
        cor_sheet_count(sheet, found);
        cor_sheet_count(sheet, alone);
        cor_sheet_real(sheet, 100.0 * (double)found / (double)killed);
    }
}

/* Mutants that are alive come first: they are what one wants to look at. */
static void put_all(const struct cor_layer_tables *agent, const struct mutant *mutants, size_t count,
                    struct cor_sheet *sheet) {
    static const enum outcome order[OUTCOMES] = {ALIVE, EQUIVALENT, KILLED};
    for (int o = 0; o < OUTCOMES; o++)
        for (size_t m = 0; m < count; m++)
            if (mutants[m].operator&& mutants[m].outcome == order[o])
                put_mutant(agent, &mutants[m], sheet);
}

enum cor_status views__put_mutants(const struct cor_layer_tables *agent, struct cor_sheets *sheets,
                                   struct cor_error *error) {
    size_t count = cor_arm_count(agent->head), found = 0;
    enum cor_status status = COR_OK;
    struct mutant *mutants = cor_calloc(count, sizeof *mutants);
    COR_TRY(cor_made(mutants, error));
    for (size_t a = 0; a < count; a++) {
        mutants[a].arm = (uint16_t)a;
        COR_TRY_OUT(cor_text_under(cor_arm_entry(agent->head, a)->description, "operator",
                                   &mutants[a].operator, error));
        if (!mutants[a].operator)
            continue;
        COR_TRY_OUT(look_at(agent, &mutants[a], error));
        found++;
    }
    if (found > 0) {
        struct cor_sheet *sheet = cor_sheets_add(sheets, &views__operators);
        for (size_t m = 0; m < count; m++) {
            bool first = mutants[m].operator!= NULL;
            for (size_t before = 0; before < m && first; before++)
                first =
                    !mutants[before].operator|| strcmp(mutants[before].operator, mutants[m].operator) != 0;
            if (first)
                put_operator(mutants, count, mutants[m].operator, sheet);
        }
        put_operator(mutants, count, NULL, sheet);
        put_killers(mutants, count, cor_sheets_add(sheets, &views__killers));
        put_all(agent, mutants, count, cor_sheets_add(sheets, &views__mutants));
    }
out:
    for (size_t a = 0; a < count; a++)
        free(mutants[a].operator);
    free(mutants);
    return status;
}
