/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A suite of one sequence that stands alone, as members of an object of JSON: an arm without laws, names,
 * parameters as plain numbers, the columns of a suite file, the walk. Nothing is drawn of it, and z3 is not
 * asked. docs/do/test-files.md is the manual. */
#ifndef CORRIDOR_SUITE_ALONE_H
#define CORRIDOR_SUITE_ALONE_H

#include <corridor/fields.h>
#include <corridor/suite.h>

/* Writes the members of such a suite (sequence_count 1, with its walk) into the object that is open. Settings
 * are those of suite->arm; of monitor and adoption, and of the algorithm's parameters and the budget, what
 * executing it goes by. */
enum cor_status cor_suite_put_alone(const struct cor_suite *suite, struct cor_json_writer *writer,
                                    struct cor_error *error) COR_MUST_USE;

/* These members, for the table of all that a file may have. */
extern const struct cor_field cor_suite_alone_fields[];

/* The experiment of one arm that the root of a document describes. The document, which was read from `path`,
 * is the experiment's from now on, also on failure. */
enum cor_status cor_experiment_take_alone(const char *path, struct cor_json_document *document,
                                          const struct cor_isolation_definition *isolation,
                                          struct cor_experiment **experiment,
                                          struct cor_error *error) COR_MUST_USE;

/* Its suite. */
enum cor_status cor_suite_read_alone(const struct cor_experiment *experiment, uint32_t index,
                                     struct cor_suite **suite, struct cor_error *error) COR_MUST_USE;

#endif
