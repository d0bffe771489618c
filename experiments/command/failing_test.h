/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The failing test that a command is to work on: a failure of a result file by its key, or a test file. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_FAILING_TEST_H
#define CORRIDOR_EXPERIMENTS_COMMAND_FAILING_TEST_H

#include "running.h"

#include <corridor/suite.h>
#include <corridor/test.h>

/* What the command line says; borrowed. */
struct cor_failing_source {
    const struct cor_arguments *arguments;
    const char *path, *key; /* key: of a failure of the result file; NULL: a test file, or any */
    const char *property;   /* that its sequence violates; NULL: a box saw a failure */
    bool unsealed;          /* a result file that was changed is read as it is; else it is refused */
    bool trust;             /* what files name may be started, after it was said */
    struct cor_layer_options options; /* where it works */
};

/* The test, and what it stands on; 0 at the beginning. */
struct cor_failing_test {
    struct cor_result *result; /* owned, as all below */
    struct cor_opened opened;
    struct cor_suite *suite;
    struct cor_test *test; /* what is expected: the failure, as the file has it */
};

/* Whether a command line names a test file or a failure of a result file, and that alone; if not it is said,
 * and the exit code is returned, else COR_EXIT_DONE. */
enum cor_exit cor_failing_check(const struct cor_failing_source *source);

/* Reads it. COR_STATUS_INPUT: no such failure, or no test. To be freed by cor_failing_test_fini also then. */
enum cor_status cor_failing_test_read(const struct cor_failing_source *source,
                                      struct cor_failing_test *failing, struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_failing_test_fini(struct cor_failing_test *failing);

#endif
