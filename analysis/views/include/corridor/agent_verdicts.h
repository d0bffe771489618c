/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verdicts of a result file of the agent layer, for machines that gather test results: of an agent without a
 * fault a test for each unit, which fails if something worse than a note was found there; of a fault one
 * test, which fails if nothing was. The same file gives the same bytes. */
#ifndef CORRIDOR_AGENT_VERDICTS_H
#define CORRIDOR_AGENT_VERDICTS_H

#include <corridor/result.h>
#include <corridor/view.h>

#include <stdio.h>

/* Arms with a fault in which nothing was found, and arms without one in which something was. */
enum cor_status cor_agent_verdicts(struct cor_result *result, struct cor_view_findings *verdicts,
                                   struct cor_error *error) COR_MUST_USE;

/* Writes JUnit XML: a testsuite an arm without a fault, and one for all faults. A failing stream is
 * COR_STATUS_FILE, as below. */
enum cor_status cor_agent_junit(struct cor_result *result, FILE *file, struct cor_error *error) COR_MUST_USE;

/* Writes TAP version 13, with what was found as a YAML block. */
enum cor_status cor_agent_tap(struct cor_result *result, FILE *file, struct cor_error *error) COR_MUST_USE;

/* Of the view "findings" the sheets about mutants alone: the score by operator and by check, and each mutant. */
enum cor_status cor_mutation_sheets(struct cor_result *result, struct cor_sheets *sheets,
                                    struct cor_error *error) COR_MUST_USE;

#endif
