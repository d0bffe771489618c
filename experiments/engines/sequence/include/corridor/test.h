/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A test: one sequence as data. Where it comes from - a result file, a search, a file of its own - nobody who
 * executes, shrinks or changes it can tell. Nothing is drawn but by the names of streams that stand in it,
 * and z3 is not asked: what a suite's laws made is fixed. Cases and agents have identities, by which their
 * random draws are named, so leaving one out shifts nothing for the others; chains need none, for the walk is
 * data. */
#ifndef CORRIDOR_TEST_H
#define CORRIDOR_TEST_H

#include <corridor/failure_class.h>
#include <corridor/mail_record.h>
#include <corridor/record.h>
#include <corridor/result.h>
#include <corridor/suite.h>

/* What came of a test. */
struct cor_test_result {
    uint32_t case_;                 /* the first failing one; 0: none. Of a test that asks a property: the one
                                       that fixed that it is violated, or the last one executed */
    struct cor_failure_class class; /* of that case */
    uint32_t cases, reorganizations; /* executed */
    uint32_t undecided; /* looks at constraints, and formulas at the end, of which it is not known whether
                           they hold; of a test that asks a property 1 if that is not known of it */
    uint64_t hash; /* of all rows of its cases, of what lies in the vectors of its failures, and of the last
                      state; arm, suite and sequence are not in it */
};

/* A test; made by one of the functions below that give one, freed by cor_test_destroy. */
struct cor_test {
    struct cor_experiment *own; /* owned; NULL: the experiment is borrowed */
    /* Settings of its own, to be changed freely but for algorithm and laws; what they point to is the
     * experiment's. Monitor and adoption stand in the configuration, too: that one counts. */
    struct cor_arm arm;
    struct cor_suite *suite;  /* owned, with the one sequence: its walk is recorded[0], of case_counts[0]
                                 cases; arm: the above */
    uint32_t sequence;        /* of the names of its streams; seed, arm and suite: suite->name */
    bool continues;           /* it is of a branch: */
    struct cor_branch branch; /* identities up to `prefix` draw from the streams of sequence `parent` */
    uint64_t *case_identity;  /* owned; [case - 1], ascending from 1 or more; NULL: its number */
    struct cor_mail_record *schedule; /* owned; how mail goes; NULL: as the arm's settings say */
    char *property; /* owned; the text of one, P [ .. ]: the test fails if its sequence violates the formula,
                       and by nothing else; NULL: none */
    char *bounds;   /* owned; what the model it is of allows (shrinker.h), JSON; NULL: it is not told here */
    struct cor_test_result expected;
    char *said; /* owned; sentences for people: where it comes from, what shrinking found; may be NULL */
};

/* A test of a sequence of a suite: copies the configuration, and takes over `walk`, as far as it is known,
 * which is empty then. The experiment is borrowed. `branch` may be NULL. What is expected is all 0. Traps of
 * the arm are left out: the walk is what they made of it. */
enum cor_status cor_test_of_sequence(const struct cor_suite *suite, uint32_t sequence,
                                     const struct cor_branch *branch, struct cor_walk *walk,
                                     struct cor_test **test, struct cor_error *error) COR_MUST_USE;

/* Suite `index` of an arm of the experiment that stands in a result file, generated again. COR_STATUS_INPUT
 * if the file has no such suite, or if it was of another configuration. */
enum cor_status cor_suite_of_result(struct cor_result *result, const struct cor_experiment *experiment,
                                    uint32_t arm, uint32_t index, struct cor_suite **suite,
                                    struct cor_error *error) COR_MUST_USE;

/* The test of a sequence of that suite: its walk, and what it continues, are the file's. COR_STATUS_INPUT if
 * there is no such sequence, or no walk of it. What is expected is all 0: executing tells. */
enum cor_status cor_test_of_result(struct cor_result *result, const struct cor_suite *suite,
                                   uint32_t sequence, struct cor_test **test,
                                   struct cor_error *error) COR_MUST_USE;

/* Asks the property of the test, whose text it takes over, from now on. COR_STATUS_INPUT at `place` if it is
 * none that a sequence violates. */
enum cor_status cor_test_ask_take(struct cor_test *test, char *property, const char *place,
                                  struct cor_error *error) COR_MUST_USE;

/* A copy that can be changed apart; it borrows the experiment, own or not. */
enum cor_status cor_test_copy(const struct cor_test *test, struct cor_test **copy,
                              struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_test_destroy(struct cor_test *test);
COR_DESTROYS(cor_test, struct cor_test)

/* Leaves the first `cases` of its cases, at least 1 and no more than there are, and of its schedule what is
 * of these. */
void cor_test_truncate(struct cor_test *test, uint32_t cases);

/* Every fault is left out, the algorithm's and those of the testbed; mail goes as it went. Was there one? */
bool cor_test_leave_faults_out(struct cor_test *test);

/* A fingerprint of all that executing it depends on; what is expected, and sentences, are not in it. */
uint64_t cor_test_hash(const struct cor_test *test);

/* Reads a test file (docs/do/test-files.md), with modules and programs from the present folder if the user
 * trusts the file: `isolation` says so; which file it is need not be said. NULL: he does not, and what is
 * built in works in this process. COR_STATUS_INPUT names file and place. That version or digest of the
 * algorithm are not those in the file is said in *warnings, a line each (owned by the caller; "": nothing;
 * NULL: nobody wants to know). */
enum cor_status cor_test_read(const char *path, const struct cor_isolation_definition *isolation,
                              struct cor_test **test, char **warnings, struct cor_error *error) COR_MUST_USE;

/* The same of a document that was read from `path`; it is the test's from now on, also on failure. */
enum cor_status cor_test_take(const char *path, struct cor_json_document *document,
                              const struct cor_isolation_definition *isolation, struct cor_test **test,
                              char **warnings, struct cor_error *error) COR_MUST_USE;

/* The text of its file, to be freed with free(). Reading it gives the test again. */
enum cor_status cor_test_text(const struct cor_test *test, char **text, struct cor_error *error) COR_MUST_USE;

/* Number of its cases. */
static inline uint32_t cor_test_cases(const struct cor_test *test) {
    return test->suite->recorded[0].case_count;
}

/* Whoever executes tests: keeps session and record from one to the next. */
struct cor_tester;

/* One that has executed nothing yet. */
enum cor_status cor_tester_create(struct cor_tester **tester, struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. Before the experiments of its tests. */
void cor_tester_destroy(struct cor_tester *tester);
COR_DESTROYS(cor_tester, struct cor_tester)

/* Executes the test, to its end or to the end of case `last` (0: its end). */
enum cor_status cor_tester_execute(struct cor_tester *tester, const struct cor_test *test, uint32_t last,
                                   struct cor_test_result *result, struct cor_error *error) COR_MUST_USE;

/* Executes the test to the end of the first case that fails: as if it had no case behind that one, which is
 * what comes of it, with all rows and the fingerprint. If no case fails, to its end. */
enum cor_status cor_tester_execute_to_failure(struct cor_tester *tester, const struct cor_test *test,
                                              struct cor_test_result *result,
                                              struct cor_error *error) COR_MUST_USE;

/* Begins an execution for a caller who goes from case to case (run.h); rows go into cor_tester_record. It
 * ends by cor_tester_end, also on failure. */
struct cor_runner;
enum cor_status cor_tester_begin(struct cor_tester *tester, const struct cor_test *test,
                                 struct cor_runner **runner, struct cor_error *error) COR_MUST_USE;
void cor_tester_end(struct cor_tester *tester, struct cor_runner *runner); /* NULL is allowed */

/* Executes so many cases more (COR_NONE: to the end, or the first case that fails, by mail as the arm's
 * settings say); what came of the test so far. */
enum cor_status cor_tester_go_on(struct cor_tester *tester, const struct cor_test *test,
                                 struct cor_runner *runner, uint32_t cases, struct cor_test_result *result,
                                 struct cor_error *error) COR_MUST_USE;

/* From now on how mail goes is put into `record`, borrowed, emptied where an execution begins; NULL: no more.
 * As the schedule of the test it makes mail go so again. */
void cor_tester_record_mail(struct cor_tester *tester, struct cor_mail_record *record);

/* From now on the course of the reorganization of case course->identity is told in `course`, and that is
 * changed (course.h), both borrowed; NULL: no more. Where that cannot be since the algorithm works in a cell,
 * an execution is COR_STATUS_INPUT. */
struct cor_course;
struct cor_course_change;
void cor_tester_watch(struct cor_tester *tester, struct cor_course *course);
void cor_tester_change(struct cor_tester *tester, const struct cor_course_change *change);

/* Who is asked before each case whether the execution is to be given up: COR_STATUS_INTERRUPTED. NULL:
 * nobody. */
void cor_tester_stop_when(struct cor_tester *tester, bool (*is_stopped)(const void *with), const void *with);

/* Whether it is kept from now on how the system reacted in each case. */
void cor_tester_observe(struct cor_tester *tester, bool wanted);

/* How it reacted in case `number`, from 1, of the last execution, where that is kept; valid until the next.
 */
struct cor_reaction cor_tester_reaction(const struct cor_tester *tester, uint32_t number);

/* Whether solutions of all reorganizations are kept in the record from now on, not only of failures; then
 * hashes of results are others. */
void cor_tester_log_solutions(struct cor_tester *tester, bool all);

/* Why the last execution violates the property of the test, as it says: sentences, a line each; owned by the
 * caller. */
enum cor_status cor_tester_reasons(struct cor_tester *tester, char **lines,
                                   struct cor_error *error) COR_MUST_USE;

/* All rows of the last execution, and the probes that it counted: cells of counter c are
 * [start[c], start[c + 1]). Valid until the next one. */
struct cor_record *cor_tester_record(struct cor_tester *tester);
const uint64_t *cor_tester_probes(const struct cor_tester *tester, const uint32_t **start);

#endif
