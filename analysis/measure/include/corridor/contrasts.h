/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arms against each other: what finds more, and what finds sooner? The experiment file names the pairs of
 * arms
 * ("contrasts", docs/look-up/experiments.md), its text stands in the result file. Methods:
 * docs/evidence/statistics.md. */
#ifndef CORRIDOR_CONTRASTS_H
#define CORRIDOR_CONTRASTS_H

#include <corridor/interval.h>
#include <corridor/suite_reader.h>

/* One side of a pair. What is not available is NaN. */
struct cor_contrast_side {
    const char *arm; /* borrowed from the result */
    enum cor_any_box box;
    uint64_t suites, sequences;                     /* that take part */
    uint64_t suites_detecting, sequences_detecting; /* with such a detection */
    struct cor_estimate share; /* sequences with a detection, %; linearised interval, as in the tables */
    double median; /* cases to the first detection, Kaplan and Meier; NaN if fewer than half detect */
    double cases;  /* mean of the smaller of the cases to the first detection and the horizon */
};

/* First side less second. */
struct cor_difference {
    struct cor_estimate value; /* interval: BCa of a bootstrap over suites */
    uint64_t above, below; /* suites in which the first side's own mean is above, below the second's; 0 and 0
                              where the sides have no suites in common */
    double p; /* two-sided, that the sides are alike: exact sign test of above and below; of suites of their
                 own, rearrangements; NaN: neither can be made */
    int sign; /* 1 or -1: above or below 0 can be claimed, as the interval lies there and p < 1 - level; else
                 0 */
};

/* Two arms, or two boxes of an arm, and the first less the second. */
struct cor_contrast_pair {
    struct cor_contrast_side side[2];
    struct cor_difference share; /* in percentage points */
    struct cor_difference cases; /* below 0: the first side finds sooner */
};

/* Pairs under one name: one question, asked of several faults. */
struct cor_contrast {
    char *name;                     /* owned */
    struct cor_contrast_pair *pair; /* owned */
    size_t pair_count;
    uint64_t found[2];                  /* pairs of which that side has a detection: faults found */
    struct cor_difference share, cases; /* means over the pairs */
};

/* All contrasts of a result; made by cor_contrasts_create, freed by cor_contrasts_destroy. */
struct cor_contrasts {
    char *experiment;  /* owned: its name */
    double level;      /* of the intervals */
    bool paired;       /* the arms share suites: they are resampled together, else each arm for itself */
    uint64_t left_out; /* paired: suites of some arms, but not of all that are compared */
    double horizon;    /* cases; up to there no sequence ended undetected */
    struct cor_contrast *contrast; /* owned; in the order of the file, and then gray box against black box */
    size_t count;
};

/* Compares what the experiment of a result names, with intervals at `level` (0.5 .. 0.9999). The result must
 * outlive the contrasts. COR_STATUS_INPUT if the experiment has no contrasts, or ones that its arms do not
 * fit. Draws from streams of purposes COR_PURPOSE_BOOTSTRAP and _PERMUTATION: the same file gives the same
 * figures. */
enum cor_status cor_contrasts_create(struct cor_result *result, double level,
                                     struct cor_contrasts **contrasts, struct cor_error *error) COR_MUST_USE;

/* Frees the contrasts. NULL is allowed. */
void cor_contrasts_destroy(struct cor_contrasts *contrasts);

#endif
