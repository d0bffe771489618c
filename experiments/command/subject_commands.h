/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on tests of a layer that has a subject (subject.h): failures of a result file, test files. They
 * are one for all such layers; the rows of a command's options are the layer's. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_SUBJECT_COMMANDS_H
#define CORRIDOR_EXPERIMENTS_COMMAND_SUBJECT_COMMANDS_H

#include "layer_commands.h"
#include "running.h"

#include <corridor/subject.h>

/* A file in which tests of a layer stand: a result file, and its experiment again, or a test file. Begins
 * with layer and path, else zeroed. */
struct cor_tests_source {
    const struct cor_layer *layer;
    const char *path;
    const struct cor_layer_commands *own; /* of the layer */
    struct cor_result *result;            /* owned; NULL: it is a test file */
    struct cor_layer_tables tables;       /* owned; without rows of a test file */
    char **failures;                      /* owned; [failure_count] of its rows, where they have to be made */
    uint64_t failure_count;
    struct cor_opened opened;     /* owned */
    struct cor_subject_test test; /* owned; that of the test file, or that was taken last */
    void *bench;                  /* owned; of the arm of the test that was taken last */
};
enum cor_status cor_tests_source_open(struct cor_tests_source *source, const struct cor_failing_source *asked,
                                      struct cor_error *error) COR_MUST_USE;
void cor_tests_source_fini(struct cor_tests_source *source); /* idempotent */

/* Its rows of tests, failing ones and others: how many, and one of them. */
uint64_t cor_tests_source_count(const struct cor_tests_source *source);
struct cor_test_row cor_tests_source_row(const struct cor_tests_source *source, uint64_t index);

/* The failing one of a key ARM/SUITE/SEQUENCE, or ARM/SUITE where a test is a whole suite; NULL: the first
 * that failed. COR_STATUS_INPUT: there is none. Of a result file alone. */
enum cor_status cor_tests_source_find(const struct cor_tests_source *source, const char *key,
                                      struct cor_test_row *row, struct cor_error *error) COR_MUST_USE;

/* The key of a row, for the caller to free (NULL: memory is out). */
char *cor_tests_source_key(const struct cor_tests_source *source, const struct cor_test_row *row);

/* Makes the source's test that of the row, of which *run says what came, and the bench that of its arm; of a
 * test file, which has no rows, the test is there, and was not executed yet. */
enum cor_status cor_tests_source_take(struct cor_tests_source *source, const struct cor_test_row *row,
                                      struct cor_run *run, struct cor_error *error) COR_MUST_USE;

/* ---- shrinking, of a result file or a test file; and the first failure of each class of each arm, kept as
 * tests */

enum cor_exit cor_shrink_failing(const struct cor_layer *layer, const struct cor_shrink_request *request);
enum cor_exit cor_keep_failing(const struct cor_layer *layer, const struct cor_arguments *arguments,
                               const struct cor_view_options *show, const struct cor_keeping *keeping);

/* The file of a test of an arm in a folder, such as "lone.agreed.json", for the caller to free; NULL: memory
 * is out. Of a name that is too long a part, and a number. */
char *cor_test_file_of(const char *folder, const char *arm, const char *class);

/* ---- why a test of a test file, or a failure of a result file, fails */

enum cor_exit cor_why_failing(const struct cor_layer *layer, const struct cor_why_request *request);

/* The curve of the test that is asked about, whose choices it takes over; failure: its class, in a word. */
enum cor_exit cor_why_curve(const struct cor_why_asked *asked, const char *failure,
                            const struct cor_why_request *request);

/* ---- replay of both kinds of files */

enum cor_replay_expectation { COR_REPLAY_AS_WRITTEN, COR_REPLAY_FAILING, COR_REPLAY_FIXED };

/* replay, as its options say: all that the command line names; with --trace what happens in one test, of a
 * file or of a key (none: the first that failed), as `tell` tells it. */
enum cor_exit cor_replay_or_tell(const struct cor_layer *layer, const struct cor_arguments *arguments,
                                 cor_tell_test *tell);

/* Options that have no meaning with tests of a layer that fail by what is tested alone, and are told as text
 * alone; ended by NULL. */
extern const char *const cor_not_of_shrink[], *const cor_not_of_replay[], *const cor_not_of_why[];

#endif
