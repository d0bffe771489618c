/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a file says of itself as a whole, judged (announced.c). */
#ifndef CORRIDOR_ANALYSIS_READ_WHOLE_FILE_H
#define CORRIDOR_ANALYSIS_READ_WHOLE_FILE_H

#include <corridor/identities.h>

/* Are codes of a catalog, and names of arms, there once each? COR_STATUS_INPUT. */
enum cor_status read__check_catalogs(const struct cor_result_header *head,
                                     struct cor_error *error) COR_MUST_USE;

/* As cor_announced_init, but for what the experiment says. */
enum cor_status read__announced_begin(struct cor_announced *announced, const struct cor_result_header *head,
                                      struct cor_error *error) COR_MUST_USE;

/* Is the text of the experiment JSON, with the arms of the catalog? COR_STATUS_INPUT. What it announces is
 * noted: the text may be long, and is parsed once. */
enum cor_status read__check_experiment(const struct cor_result_header *head, struct cor_announced *announced,
                                       struct cor_error *error) COR_MUST_USE;

/* Does the plan agree with the experiment, and `complete` with the suites in the file? `had`: suites of each
 * arm that are in the file, [arm in catalog/arm]. COR_STATUS_INPUT. */
enum cor_status read__check_plan(const struct cor_result_header *head, const struct cor_announced *announced,
                                 const uint64_t *had, struct cor_error *error) COR_MUST_USE;

/* As cor_suite_check, without chains and profiles (suite_check.c). */
enum cor_status read__check_numbers(const struct cor_suite_rows *suite, const struct cor_result *result,
                                    struct cor_error *error) COR_MUST_USE;

#endif
