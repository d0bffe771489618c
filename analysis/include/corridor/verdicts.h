/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One verdict an arm, for machines that gather test results: JUnit XML and TAP 13.
 *
 *   passed   the arm has a fault, and a check saw something (cor_tables_found_by); or it has none, and none
 * did failed   the arm has a fault that nothing saw; or it has none, and something failed nevertheless error
 * the rows of the arm contradict each other (a broken identity): no verdict can be trusted skipped  the file
 * has no suite of the arm
 *
 * An arm has a fault if its description in catalog/arm names one of the algorithm, the monitor or adoption.
 * Interim solutions have no say: they are allowed to be unfinished. Times are left out: a result file has
 * none, and the same file gives the same bytes. */
#ifndef CORRIDOR_VERDICTS_H
#define CORRIDOR_VERDICTS_H

#include <corridor/tables.h>

/* X(NAME, word) */
#define COR_ARM_VERDICTS(X) X(PASSED, "passed") X(FAILED, "failed") X(ERROR, "error") X(SKIPPED, "skipped")

enum cor_arm_verdict {
#define COR_ARM_VERDICT(NAME, word) COR_ARM_##NAME,
    COR_ARM_VERDICTS(COR_ARM_VERDICT)
#undef COR_ARM_VERDICT
        COR_ARM_VERDICT_COUNT
};

/* The verdict on an arm. */
enum cor_arm_verdict cor_arm_judge(const struct cor_arm_tables *arm);

/* Writes JUnit XML: a testsuite (the experiment) of a testcase an arm, with its figures as properties. What
 * XML cannot say (control characters, bytes that are no UTF-8) becomes U+FFFD. A failing stream is
 * COR_STATUS_FILE.
 */
enum cor_status cor_verdicts_junit(const struct cor_tables *tables, FILE *file,
                                   struct cor_error *error) COR_MUST_USE;

/* Writes TAP version 13: a test point an arm, its figures as a YAML block. A skipped arm is ok # SKIP. In
 * descriptions \ and # are escaped, and control characters become U+FFFD; the YAML block has the name in
 * full. */
enum cor_status cor_verdicts_tap(const struct cor_tables *tables, FILE *file,
                                 struct cor_error *error) COR_MUST_USE;

#endif
