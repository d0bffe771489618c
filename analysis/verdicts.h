/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What both ways of writing verdicts say. */
#ifndef CORRIDOR_ANALYSIS_VERDICTS_H
#define CORRIDOR_ANALYSIS_VERDICTS_H

#include <corridor/cells.h>
#include <corridor/verdicts.h>

#define COR__VERDICT_FIGURES 15

struct cor__verdict_figure {
    const char *name;
    uint64_t value;
};

struct cor__verdict {
    enum cor_arm_verdict verdict;
    const char *kind;               /* of a failure or an error, one word */
    char message[512];              /* why, one sentence */
    char first[COR_SENTENCE + 128]; /* the first violation with its place; "" if there is none */
    struct cor__verdict_figure figure[COR__VERDICT_FIGURES];
};

/* Explains the verdict on an arm. */
void cor__verdict_explain(const struct cor_arm_tables *arm, struct cor__verdict *verdict);

/* Names of what a description in catalog/arm may say and verdicts repeat, ended by NULL; and the text that it
 * has for one of them, freed with free(); NULL if it has none. */
extern const char *const cor__verdict_settings[];
char *cor__verdict_setting(const struct cor_arm_tables *arm, const char *name);

/* The experiment's name, freed with free(); NULL if it has none. */
char *cor__verdict_experiment(const struct cor_tables *tables);

#endif
