/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the page shows beside what other rooms find out: what each arm injects, and a choice of failures with
 * all that is known of them. */
#ifndef CORRIDOR_REPORT_EVIDENCE_H
#define CORRIDOR_REPORT_EVIDENCE_H

#include <corridor/tables.h>

#define COR__ARMS_MAX 40 /* arms that are compared and shown in all detail */

#define COR__EXHIBITS 200 /* failures shown, over all arms */
#define COR__SENTENCES 4  /* violations of a failure in words */
#define COR__BLOCKS 24    /* sizes of the partitions of its solution */

/* What an arm injects, from its description. */
struct cor__arm_nature {
    bool known, injects;
    char *what; /* owned; "psopp, fault f1"; NULL = not known */
};

struct cor__arm_evidence {
    struct cor__arm_nature nature;
    uint64_t failures, masked; /* cases with a violation; reorganizations with an activated fault in which
                                  nothing was violated */
    uint64_t failing;          /* sequences with such a case */
    size_t exhibits;           /* failures shown */
};

/* A failure that is shown. */
struct cor__exhibit {
    uint16_t arm, sequence;
    uint32_t suite, case_;
    bool masked;
    unsigned boxes, checks;                         /* bits by code */
    uint32_t violations;                            /* rows in table violations */
    struct cor_violation_row first[COR__SENTENCES]; /* the first of them */
    bool run;                                       /* the algorithm ran: */
    struct cor_reorganization_row reorganization;
    struct cor_suite_row configuration;
    bool solved; /* its solution is kept: */
    uint32_t blocks, block[COR__BLOCKS];
};

struct cor__evidence {
    struct cor__arm_evidence *arm; /* owned; [arm_count] in the order of catalog/arm */
    size_t arm_count;
    struct cor__exhibit *exhibit; /* owned; by arm, suite, sequence and case */
    size_t exhibit_count;
};

/* Reads it. `tables` is of the same result. */
enum cor_status cor__evidence_init(struct cor__evidence *evidence, struct cor_result *result,
                                   const struct cor_tables *tables, struct cor_error *error) COR_MUST_USE;
void cor__evidence_fini(struct cor__evidence *evidence);

/* Fills evidence->exhibit; exhibits.c. */
enum cor_status cor__choose_exhibits(struct cor__evidence *evidence, struct cor_result *result,
                                     const struct cor_tables *tables, struct cor_error *error) COR_MUST_USE;

/* Index of the arm of that code, arm_count if there is none. */
size_t cor__shown_arm(const struct cor_tables *tables, uint16_t code);

/* Short name of a check, with its rule: "C1 agent_missing". Into `text`; returns it. */
const char *cor__check_words(int check, char text[64]);

#endif
