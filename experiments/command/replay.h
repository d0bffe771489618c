/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How suites and sequences of a result file are executed again. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_REPLAY_H
#define CORRIDOR_EXPERIMENTS_COMMAND_REPLAY_H

#include "command.h"
#include "show_view.h"

#include <corridor/alone.h>
#include <corridor/failing.h>
#include <corridor/host.h>
#include <corridor/record.h>
#include <corridor/result.h>
#include <corridor/sheet.h>
#include <corridor/test.h>

struct cor_replayer {
    /* For a file, which `path` names; both outlive what is made. Programs that it names are started only if
     * the user trusts it; `isolation` is of worlds that test agents enter. `traffic`: a file with what they
     * said, in their place; NULL: none. */
    enum cor_status (*open)(struct cor_result *result, const char *path, bool trust,
                            enum cor_isolation isolation, const char *traffic, void **self,
                            struct cor_error *error);
    enum cor_status (*execute)(void *self, uint16_t arm, uint32_t suite, struct cor_record *record,
                               struct cor_error *error);
    /* What executes sequences alone, borrowed; COR_STATUS_INPUT where suites have none. NULL: they have none.
     */
    enum cor_status (*alone)(void *self, struct cor_alone **alone, struct cor_error *error);
    void (*close)(void *self); /* NULL is allowed */
    const char *first; /* group of the table whose differences are told before others; NULL: the main one's */
};

/* Is the file of JSON, by its first letter, or standard input or a pipe, which a result file cannot be? */
bool cor_is_test_file(const char *path);

struct cor_opened;

/* Says on stderr if this build, or a module here, is not what the result file at `path` was made by. */
enum cor_status cor_note_build(const struct cor_opened *opened, const struct cor_result *result,
                               const char *path, struct cor_error *error) COR_MUST_USE;

/* Says on stderr what was noted while the file was read, a line each; the text is taken apart. */
void cor_say_notes(const char *path, char *notes);

/* What the command line of replay says. */
struct cor_replay_options {
    struct cor_sheet_options sheets;
    bool unsealed, failing, force, class_only, trust, all, inner;
    const char *const *failures; /* keys, ended by NULL */
    const char *failures_of, *trace, *svg, *dump, *output, *fault, *traffic, *property;
    int expectation, format; /* of tests: an index of the words + 1; 0: as written, sheets */
    enum cor_isolation isolation;
};

/* Executes the test files that the command line names, and holds what comes of them against what is expected.
 */
enum cor_exit cor_replay_tests(const struct cor_arguments *arguments);

/* Writes the sequence that the first key of the options names, of the result file at `path`, as the test file
 * that they name. What does not repeat is refused. */
enum cor_status cor_save_failure(struct cor_result *result, const char *path,
                                 const struct cor_replay_options *options,
                                 struct cor_error *error) COR_MUST_USE;

/* The test of the sequence that `key` names asks a property, from now on, and violates it; what is expected
 * is what comes of it. COR_STATUS_INPUT if it does not, or does not repeat. */
enum cor_status cor_test_of_property(struct cor_test *test, const char *key, const char *property,
                                     struct cor_error *error) COR_MUST_USE;

/* Suites of any layer, by the experiment that stands in the file. */
extern const struct cor_replayer cor_suite_replayer;

/* Executes the sequence with eyes open, up to the case of the key, or the last: what happened case by case
 * goes into `sheets` with --trace, the question of that case and its mail into the files of --dump and --svg.
 */
enum cor_status cor_trace_sequence(struct cor_alone *alone, const struct cor_result_header *head,
                                   const struct cor_failing *which, const struct cor_replay_options *options,
                                   struct cor_sheets *sheets, struct cor_error *error) COR_MUST_USE;

/* The same of a test, which `path` names, up to case `aim`. */
enum cor_status cor_trace_test(struct cor_tester *tester, const struct cor_test *test, const char *path,
                               uint32_t aim, const struct cor_replay_options *options,
                               struct cor_sheets *sheets, struct cor_error *error) COR_MUST_USE;

/* What executing it alone depends on; `branch` is room for what it continues. */
struct cor_alone_definition cor_alone_of(const struct cor_result_header *head,
                                         const struct cor_failing *which, struct cor_branch *branch);

/* ---- judge on a result file: the states that its sequences go through when they are executed again */

struct cor_judge_options {
    bool json, no_fail, trust;
};

/* Judges the result file at `path` by the corridor in the file `corridor`, and prints what came of it. */
enum cor_exit cor_judge_result(const struct cor_command *command, const char *corridor, const char *path,
                               const struct cor_judge_options *options);

/* Judges the history of calls in the file at `path`. */
struct cor_judge_history {
    const char *object; /* of which it is */
    const char *svg;    /* where the calls that have no order are drawn; NULL: nowhere */
    bool force;         /* a file that is there is replaced */
    bool sequential, json, no_fail;
    int64_t steps; /* of a search, at most */
};
enum cor_exit cor_judge_history(const char *path, const struct cor_judge_history *asked);

#endif
