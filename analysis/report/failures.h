/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Failures that the page shows: kinds of them, those in which the same checks were violated being alike, and
 * a choice of them with all that is known of each. */
#ifndef CORRIDOR_REPORT_FAILURES_H
#define CORRIDOR_REPORT_FAILURES_H

#include <corridor/result.h>

#include <stdbool.h>

#define COR__FAILURES_SHOWN 200 /* about, over all arms */
#define COR__KINDS_MAX 40       /* of an arm; failures of further kinds are counted together */
#define COR__SENTENCES 4        /* violations of a failure in words */
#define COR__BLOCKS 24          /* sizes of the partitions of its solution */

struct cor__failure_place {
    uint32_t suite, case_;
    uint16_t sequence;
};

/* Failures of an arm in which the same checks were violated through the same boxes. */
struct cor__failure_kind {
    size_t arm;                            /* index in catalog/arm */
    uint32_t checks[COR_BOX_CODES];        /* bits by code of the check; all 0: all further kinds */
    uint64_t cases, sequences;             /* with such a failure */
    struct cor__failure_place first, last; /* of them */
};

struct cor__arm_failures {
    uint64_t failures, masked; /* cases with a violation; reorganizations with an activated fault that no box
                                  saw (cor_is_masked) */
    uint64_t failing;          /* sequences with a case with a violation */
    size_t kinds, shown;
};

/* A failure that is shown. */
struct cor__shown_failure {
    size_t arm; /* index in catalog/arm */
    struct cor__failure_place place;
    bool first_of_kind, masked;
    unsigned boxes, checks;                         /* bits by code */
    uint32_t violations;                            /* rows in table violations */
    struct cor_violation_row first[COR__SENTENCES]; /* the first of them */
    bool run;                                       /* the algorithm ran: */
    struct cor_reorganization_row reorganization;
    struct cor_suite_row configuration;
    bool solved; /* its solution is kept: */
    uint32_t blocks, block[COR__BLOCKS];
};

struct cor__failures {
    struct cor__arm_failures *arm; /* owned; in the order of catalog/arm */
    size_t arm_count;
    struct cor__failure_kind *kind; /* owned; by arm, most frequent first */
    size_t kind_count, kind_capacity;
    struct cor__shown_failure *shown; /* owned; by arm, suite, sequence and case */
    size_t shown_count, shown_capacity;
};

/* Reads them in two passes over the suites. Of each arm as many are shown, of failing sequences the first
 * failure, spread evenly in the order of the file, so that they come from different suites; the first of each
 * kind; and some that were masked. COR_STATUS_INPUT for a file that contradicts itself. */
enum cor_status cor__failures_init(struct cor__failures *failures, struct cor_result *result,
                                   struct cor_error *error) COR_MUST_USE;
void cor__failures_fini(struct cor__failures *failures);

/* Are these the same place? */
bool cor__same_place(const struct cor__failure_place *a, const struct cor__failure_place *b);

#endif
