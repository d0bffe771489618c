/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_lists.h"

#include <inttypes.h>
#include <stdio.h>

static const struct cor_column_definition steps_columns[] = {
    {"case", "case", "1", "within the sequence, from 1", COR_CELL_COUNT, 0, 0},
    {"environment", "environment", "", "its name", COR_CELL_TEXT, 0, 0},
    {"location", "location", "1", "of the chain", COR_CELL_COUNT, 0, 0},
    {"from", "from", "", "state before the case", COR_CELL_TEXT, 0, 0},
    {"to", "to", "", "state in the case", COR_CELL_TEXT, 0, 0},
};
static const struct cor_sheet_definition steps_sheet =
    COR_SHEET_OVER(steps_columns, "steps", "Chains of the environment that changed",
                   "a chain in a test case in which it went to another state", COR_SHEET_DATA, 0);

static const struct cor_column_definition changed_columns[] = {
    {"case", "case", "1", "within the sequence, from 1", COR_CELL_COUNT, 0, 0},
    {"agent", "agent", "1", "number, from 0", COR_CELL_COUNT, 0, 0},
    {"before", "before", "value", "its value before the case", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"value", "value", "value", "its value in the case", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
};
static const struct cor_sheet_definition changed_sheet =
    COR_SHEET_OVER(changed_columns, "changed", "Agents that changed",
                   "an agent in a test case in which its value is another", COR_SHEET_DATA, 0);

static const struct cor_column_definition violations_columns[] = {
    {"case", "case", "1", "within the sequence, from 1", COR_CELL_COUNT, 0, 0},
    {"box", "box", "", "that saw it", COR_CELL_WORD, 0, 0},
    {"check", "check", "", "what is violated", COR_CELL_WORD, 0, 0},
    {"agent", "agent", "1", "nothing: it is not about one agent", COR_CELL_COUNT, 0, 0},
    {"partition", "partition", "1", "nothing: it is not about one partition", COR_CELL_COUNT, 0, 0},
    {"sentence", "sentence", "", "in words", COR_CELL_TEXT, 0, 0},
};
static const struct cor_sheet_definition violations_sheet = COR_SHEET_OVER(
    violations_columns, "violations", "Violations",
    "a violation in a test case; of each check and box the first four are kept", COR_SHEET_DATA, 0);

struct sequence__trace_lists sequence__trace_lists_add(struct cor_sheets *sheets) {
    return (struct sequence__trace_lists){.steps = cor_sheets_add(sheets, &steps_sheet),
                                          .changed = cor_sheets_add(sheets, &changed_sheet),
                                          .violations = cor_sheets_add(sheets, &violations_sheet)};
}

const struct cor_environment *sequence__environment_of(const struct cor_suite *suite, uint32_t chain) {
    const uint32_t profile = suite->configuration->profile_of_chain[chain];
    return &suite->experiment->model->environments[suite->environment_of_profile[profile]];
}

const char *sequence__state_name(const struct cor_suite *suite, uint32_t chain, uint8_t state,
                                 char room[16]) {
    const struct cor_profile *profile = suite->profiles[suite->configuration->profile_of_chain[chain]];
    if (state < profile->state_count && profile->states && profile->states[state])
        return profile->states[state];
    snprintf(room, 16, "state %u", state);
    return room;
}

void sequence__list_steps(struct cor_sheet *sheet, const struct cor_suite *suite, uint32_t number,
                          const uint8_t *from, const uint8_t *to) {
    const struct cor_configuration *c = suite->configuration;
    char room[16];
    for (uint32_t chain = 0; chain < c->chain_count; chain++) {
        if (from[chain] == to[chain])
            continue;
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, number);
        cor_sheet_text(sheet, "%s", sequence__environment_of(suite, chain)->name);
        cor_sheet_count(sheet, c->location_of_chain[chain]);
        cor_sheet_text(sheet, "%s", sequence__state_name(suite, chain, from[chain], room));
        cor_sheet_text(sheet, "%s", sequence__state_name(suite, chain, to[chain], room));
    }
}

void sequence__list_changed(struct cor_sheet *sheet, uint32_t number, uint32_t agent_count,
                            const double *before, const double *after) {
    for (uint32_t a = 0; a < agent_count; a++) {
        if (!(after[a] < before[a]) && !(after[a] > before[a]))
            continue;
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, number);
        cor_sheet_count(sheet, a);
        cor_sheet_real(sheet, before[a]);
        cor_sheet_real(sheet, after[a]);
    }
}

void sequence__violation_sentence(const struct cor_suite *suite, const struct cor_violation_row *row,
                                  char sentence[COR_SENTENCE]) {
    const uint32_t constraint = cor_violated_constraint(row);
    const char *says, *name = cor_experiment_constraint(suite->experiment, constraint, &says);
    if (name)
        cor_constraint_sentence(row, name, says, sentence);
    else
        cor_violation_sentence(suite->configuration->kind, row, NULL, sentence);
}

static void put_number(struct cor_sheet *sheet, uint32_t number) {
    if (number == COR_NOBODY)
        cor_sheet_nothing(sheet);
    else
        cor_sheet_count(sheet, number);
}

void sequence__list_violation(struct cor_sheet *sheet, const struct cor_suite *suite,
                              const struct cor_violation_row *row) {
    char sentence[COR_SENTENCE];
    sequence__violation_sentence(suite, row, sentence);
    cor_sheet_row(sheet);
    cor_sheet_count(sheet, row->case_);
    cor_sheet_word(sheet, cor_term_word(COR_FAMILY_BOX, row->box));
    cor_sheet_word(sheet, cor_term_word(COR_FAMILY_CHECK, row->check));
    put_number(sheet, row->agent);
    put_number(sheet, row->partition);
    cor_sheet_text(sheet, "%s", sentence);
}
