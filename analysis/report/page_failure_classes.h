/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A choice of failures, with all that is known of each. */
#ifndef CORRIDOR_ANALYSIS_REPORT_PAGE_FAILURE_CLASSES_H
#define CORRIDOR_ANALYSIS_REPORT_PAGE_FAILURE_CLASSES_H

#include <corridor/sheet.h>
#include <corridor/suite_reader.h>

#include <stdbool.h>

#define REPORT__FAILURES_SHOWN 200 /* about, over all arms */
#define REPORT__SENTENCES 4        /* violations of a failure in words */
#define REPORT__BLOCKS 24          /* sizes of the partitions of its solution */

struct report__failure_place {
    uint32_t suite, case_;
    uint16_t sequence;
};

struct report__arm_failures {
    uint64_t failures, masked; /* cases with a violation; reorganizations with an activated fault that no box
                                  saw (cor_is_masked) */
    uint64_t failing;          /* sequences with a case with a violation */
    size_t shown;
};

/* A failure that is shown. */
struct report__shown_failure {
    size_t arm; /* index in catalog/arm */
    struct report__failure_place place;
    bool first_of_class, masked;
    size_t class;                                      /* row of the sheet of classes */
    uint64_t boxes, checks;                            /* bits by code */
    uint64_t by_box[COR_BOX_CODES];                    /* checks by the box that saw them; of none smoke */
    uint64_t violations;                               /* all, of which not all have a row */
    uint32_t said;                                     /* how many of them are in words: */
    struct cor_violation_row first[REPORT__SENTENCES]; /* the first rows */
    bool run;                                          /* the algorithm ran: */
    struct cor_reorganization_row reorganization;
    struct cor_suite_row configuration;
    bool solved; /* its solution is kept: */
    uint32_t blocks, block[REPORT__BLOCKS];
};

struct report__failures {
    struct report__arm_failures *arm; /* owned; in the order of catalog/arm */
    size_t arm_count;
    struct report__shown_failure *shown; /* owned; by arm, suite, sequence and case */
    size_t shown_count, shown_capacity;
};

/* Reads them in two passes over the suites. Of each arm as many are shown, of failing sequences the first
 * failure, spread evenly in the order of the file, so that they come from different suites; some that were
 * masked; and the first of each class: `classes` is sheet "failures" of the view of the tables.
 * COR_STATUS_INPUT for a file that contradicts itself. */
enum cor_status report__failures_init(struct report__failures *failures, struct cor_result *result,
                                      const struct cor_sheet *classes, struct cor_error *error) COR_MUST_USE;
void report__failures_fini(struct report__failures *failures);

#endif
