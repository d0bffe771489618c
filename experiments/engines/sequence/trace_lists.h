/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the trace of a sequence names the first few of, whole, for JSON and CSV: steps of the environment,
 * agents that changed, violations. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_TRACE_LISTS_H
#define CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_TRACE_LISTS_H

#include <corridor/schema.h>
#include <corridor/sheet.h>
#include <corridor/suite.h>
#include <corridor/suite_reader.h>

/* The three sheets, in a list; borrowed from it. */
struct sequence__trace_lists {
    struct cor_sheet *steps, *changed, *violations;
};

/* Adds them to the list. */
struct sequence__trace_lists sequence__trace_lists_add(struct cor_sheets *sheets);

/* Rows of a case: chains that went from a state to another; agents whose value is another; a violation. */
void sequence__list_steps(struct cor_sheet *sheet, const struct cor_suite *suite, uint32_t number,
                          const uint8_t *from, const uint8_t *to);
void sequence__list_changed(struct cor_sheet *sheet, uint32_t number, uint32_t agent_count,
                            const double *before, const double *after);
void sequence__list_violation(struct cor_sheet *sheet, const struct cor_suite *suite,
                              const struct cor_violation_row *row);

/* The environment of a chain, and the name of a state of it, in `room` if it has none. */
const struct cor_environment *sequence__environment_of(const struct cor_suite *suite, uint32_t chain);
const char *sequence__state_name(const struct cor_suite *suite, uint32_t chain, uint8_t state, char room[16]);

/* What is violated, in a sentence. */
void sequence__violation_sentence(const struct cor_suite *suite, const struct cor_violation_row *row,
                                  char sentence[COR_SENTENCE]);

#endif
