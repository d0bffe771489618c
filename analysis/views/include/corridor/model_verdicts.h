/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verdicts of a result file of the model layer, for machines that gather test results: a test on line is a
 * test there. "pass" passes, "fail" and "trouble" do not, "lost", "unreachable" and "inconclusive" are
 * skipped, with the reason: they say nothing against the system. The same file gives the same bytes. */
#ifndef CORRIDOR_MODEL_VERDICTS_H
#define CORRIDOR_MODEL_VERDICTS_H

#include <corridor/result.h>
#include <corridor/view.h>

#include <stdio.h>

/* Mutants that no test killed, and arms without a mutant of which a test failed. */
enum cor_status cor_model_verdicts(struct cor_result *result, struct cor_view_findings *verdicts,
                                   struct cor_error *error) COR_MUST_USE;

/* Writes JUnit XML: a testsuite an arm. A failing stream is COR_STATUS_FILE, as below. */
enum cor_status cor_model_junit(struct cor_result *result, FILE *file, struct cor_error *error) COR_MUST_USE;

/* Writes TAP version 13. */
enum cor_status cor_model_tap(struct cor_result *result, FILE *file, struct cor_error *error) COR_MUST_USE;

/* Of the view "tests" the sheets about mutants alone: scores and kill matrix. Sheets that hold those of other
 * models get more rows. */
enum cor_status cor_kill_sheets(struct cor_result *result, struct cor_sheets *sheets,
                                struct cor_error *error) COR_MUST_USE;

#endif
