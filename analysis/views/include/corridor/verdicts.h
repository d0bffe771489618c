/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verdicts of result files of any layer, for exit codes and for machines that gather test results; and of the
 * interaction layer one verdict an arm: for the tables, for exit codes, and, as JUnit XML and TAP 13, for
 * machines that gather test results. An arm has a fault if its description in catalog/arm names one
 * (cor_arm_has_fault). Interim solutions have no say: they are allowed to be unfinished. Times are left out:
 * a result file has none, and the same file gives the same bytes. */
#ifndef CORRIDOR_VERDICTS_H
#define CORRIDOR_VERDICTS_H

#include <corridor/measurement.h>
#include <corridor/view.h>

/* X(NAME, word, how testers call it, kind of a failure or error or NULL) */
#define COR_ARM_OUTCOMES(X)                                   \
    X(FOUND, "found", PASSED, NULL)                           \
    X(NOT_FOUND, "not found", FAILED, "not_found")            \
    X(NOT_REACHED, "not reached", FAILED, "not_reached")      \
    X(PASSES, "no check failed", PASSED, NULL)                \
    X(FAILS, "FAILS", FAILED, "check_failed")                 \
    X(CONTRADICTION, "contradiction", ERROR, "contradiction") \
    X(NO_SUITES, "no suites", SKIPPED, NULL)                  \
    X(UNDECIDED, "undecided", SKIPPED, NULL)

/* What came of an arm.
 *   FOUND          it has a fault, and a check saw something (cor_found_by)
 *   NOT_FOUND      it has a fault, which was activated and nothing saw
 *   NOT_REACHED    it has a fault, which was never activated: nothing could be found
 *   PASSES, FAILS  it has none, and no check failed; or one did nevertheless, or, fault or none, a mechanism
 *                  beside the algorithm failed
 *   CONTRADICTION  its rows contradict each other (a broken identity): no verdict can be trusted
 *   NO_SUITES      the file has no suite of it
 *   UNDECIDED      no check failed, but that is no pass: a constraint of the corridor as a text was unknown, be it
 *                  once, a case could not be judged, or it has no fault, and its algorithm was never called
 */
enum cor_arm_outcome {
#define COR_ARM_OUTCOME(NAME, word, result, kind) COR_ARM_##NAME,
    COR_ARM_OUTCOMES(COR_ARM_OUTCOME)
#undef COR_ARM_OUTCOME
        COR_ARM_OUTCOME_COUNT
};

/* The word of an outcome, and whether it is what one wishes for. */
const char *cor_arm_outcome_word(enum cor_arm_outcome outcome);
bool cor_arm_outcome_is_good(enum cor_arm_outcome outcome);

/* What came of an arm, and why. */
struct cor_arm_verdict {
    enum cor_arm_outcome outcome;
    char message[512]; /* why, one sentence */
};

/* The verdict on an arm that was measured with COR_MEASURE_TABLES. */
struct cor_arm_verdict cor_arm_verdict(const struct cor_arm_measurement *arm);

/* What a caller may turn into an exit code. */
struct cor_view_findings cor_verdict_findings(const struct cor_measurement *measurement);

/* Writes JUnit XML: a testsuite (the experiment) of a testcase an arm, with its figures as properties. What
 * XML cannot say (control characters, bytes that are no UTF-8) becomes U+FFFD. A failing stream is
 * COR_STATUS_FILE. */
enum cor_status cor_verdicts_junit(const struct cor_measurement *measurement, FILE *file,
                                   struct cor_error *error) COR_MUST_USE;

/* Writes TAP version 13: a test point an arm, its figures as a YAML block. A skipped arm is ok # SKIP. In
 * descriptions \ and # are escaped, and control characters become U+FFFD; the YAML block has the name in
 * full. */
enum cor_status cor_verdicts_tap(const struct cor_measurement *measurement, FILE *file,
                                 struct cor_error *error) COR_MUST_USE;

/* Of a result file of any layer, what a caller may turn into an exit code; of an estimation nothing. */
enum cor_status cor_result_findings(struct cor_result *result, struct cor_view_findings *findings,
                                    struct cor_error *error) COR_MUST_USE;

/* Writes its verdicts as JUnit XML; as TAP version 13. The same file gives the same bytes. A failing stream
 * is COR_STATUS_FILE. What is a test:
 *
 * - Of the interaction layer, an arm, as above.
 * - Of the agent layer, each unit of an agent without a fault, which fails if something worse than a note was
 *   found there; and each fault, which fails if nothing was found. Skipped are the unit of a plan that is
 *   not built, and a fault that was not found where not all units were run.
 * - Of the efsm layer, a test on line: "pass" passes, "fail" and "trouble" do not; "lost", "unreachable" and
 *   "inconclusive" are skipped, with the reason, as they say nothing against the system.
 * - Of the search layer, an island: of an arm with a fault it passes if it found a failure, of one without if
 *   it found none.
 *
 * A file of the estimation layer has no tests: COR_STATUS_INPUT. */
enum cor_status cor_result_junit(struct cor_result *result, FILE *file, struct cor_error *error) COR_MUST_USE;
enum cor_status cor_result_tap(struct cor_result *result, FILE *file, struct cor_error *error) COR_MUST_USE;

/* The sheets about mutants alone, of a file of the agent or efsm layer; sheets that hold those of other
 * models get more rows. */
enum cor_status cor_result_mutants(struct cor_result *result, struct cor_sheets *sheets,
                                   struct cor_error *error) COR_MUST_USE;

#endif
