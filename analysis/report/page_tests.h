/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What pages of tests of systems say alike, beside a model or of a running system: facts, the headline, and
 * what became of mutants. */
#ifndef CORRIDOR_ANALYSIS_REPORT_PAGE_TESTS_H
#define CORRIDOR_ANALYSIS_REPORT_PAGE_TESTS_H

#include "page.h"

/* Its words. The view that the page is of has sheets "arms", "scores", and "kills" where there are mutants.
 */
struct report__tests_words {
    const char *view_name;
    const char *fails;   /* of a test that failed: what was so */
    const char *system;  /* what may die, hang or speak nonsense */
    const char *chooser; /* column of scores and kills: what chooses */
    const char *unit;    /* column of kills: what a test is made of; */
    const char *until;   /* "to the failure": so many of them */
    const char *spent;   /* the key of all that were spent on a mutant; NULL: no sheet has it */
    const char *legend;  /* of the matrix, HTML */
};

/* Ends the facts: the seed, and that tests are missing, or graphviz. */
void report__tests_facts_end(const struct cor_report *report, FILE *file);

/* Of the system as it is; of mutants by what chooses. */
void report__tests_headline(const struct cor_report *report, FILE *file);

/* Mutants by what chooses, as a matrix. */
void report__tests_kills(const struct cor_report *report, FILE *file);

#endif
