/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What separates failing from passing runs of an arm. Reads a result file and nothing else. Definitions,
 * formulas and their sources: analysis/tree/README.md.
 *
 * A reorganization FAILS if its verdict in the gray or the black box is "failed" or "smoke"; a sequence fails
 * if one of its reorganizations does; a suite if one of its sequences does. */
#ifndef CORRIDOR_RANKING_H
#define CORRIDOR_RANKING_H

#include <corridor/result.h>
#include <corridor/suite_reader.h>

#include <stdbool.h>

/* What is observed to fail or to pass. X(NAME, word for one, for many, meaning) */
#define COR_RANKED_UNITS(X)                                                                         \
    X(REORGANIZATION, "reorganization", "reorganizations", "one run of the algorithm")              \
    X(SEQUENCE, "sequence", "sequences", "a test sequence, up to its first failing reorganization") \
    X(SUITE, "suite", "suites", "a configuration with all its sequences")

/* Units in the order of COR_RANKED_UNITS: indices of cor_ranked_unit_words. */
enum cor_ranked_unit {
#define COR_RANKED_UNIT(NAME, one, many, meaning) COR_RANKED_UNIT_##NAME,
    COR_RANKED_UNITS(COR_RANKED_UNIT)
#undef COR_RANKED_UNIT
        COR_RANKED_UNIT_COUNT
};

/* Suspiciousness from the four counts of a feature: ef failing with it, nf failing without, ep passing with,
 * np passing without. X(NAME, id, formula, source)
 *   Ochiai     ef / sqrt((ef + nf) (ef + ep))             0 .. 1
 *   Tarantula  (ef / F) / (ef / F + ep / P)               0 .. 1; F = ef + nf, P = ep + np
 *   D* (D^2)   ef^2 / (ep + nf)                           0 .. infinity: exactly the failing ones have it */
#define COR_SCORES(X)                                                                                    \
    X(OCHIAI, "ochiai", "ef / sqrt((ef + nf) (ef + ep))",                                                \
      "Abreu, Zoeteweij, van Gemund, TAICPART-MUTATION 2007, pages 89-98; after Ochiai 1957")            \
    X(TARANTULA, "tarantula", "(ef / F) / (ef / F + ep / P)", "Jones, Harrold, ASE 2005, pages 273-282") \
    X(DSTAR, "dstar", "ef^2 / (ep + nf)",                                                                \
      "Wong, Debroy, Gao, Li, IEEE Transactions on Reliability 63(1), 2014, pages 290-308; exponent 2")

/* Scores in the order of COR_SCORES: indices of `score` of a feature, and of the lists of words below. */
enum cor_score {
#define COR_SCORE(NAME, id, formula, source) COR_SCORE_##NAME,
    COR_SCORES(COR_SCORE)
#undef COR_SCORE
        COR_SCORE_COUNT
};

/* What a feature is about. X(NAME, word, meaning). The last is what the algorithm did, the others are what it
 * was given: a cause is looked for among these. */
#define COR_ASPECTS(X)                                                                    \
    X(ENVIRONMENT, "environment", "states and changes of the chains")                     \
    X(STRUCTURE, "structure", "the structure that the algorithm was to change, and when") \
    X(CONFIGURATION, "configuration", "what the suite is like")                           \
    X(BEHAVIOUR, "behaviour", "what the algorithm then did: a symptom rather than a cause")

/* Aspects in the order of COR_ASPECTS: indices of cor_aspect_words. */
enum cor_aspect {
#define COR_ASPECT(NAME, word, meaning) COR_ASPECT_##NAME,
    COR_ASPECTS(COR_ASPECT)
#undef COR_ASPECT
        COR_ASPECT_COUNT
};

/* Words of the lists above, each ended by NULL: of units the word for many; formulas and sources as well. */
extern const char *const cor_ranked_unit_words[];
extern const char *const cor_score_words[];
extern const char *const cor_aspect_words[];
extern const char *const cor_score_formulas[];
extern const char *const cor_score_sources[];

/* How a feature compares. Bounds are values that occur: the least of those that have it, or the greatest. */
enum cor_ranking_comparison { COR_AT_LEAST, COR_AT_MOST, COR_PRESENT };

/* A property that units have or have not, and how it goes with failing. */
struct cor_feature {
    enum cor_aspect aspect;
    char *name; /* owned; "partitions_before", "chains of sky in dark" */
    enum cor_ranking_comparison comparison;
    double bound; /* NaN if present or not is all there is */
    double next;  /* nearest value of those that have it not; NaN if there is none */
    bool once;    /* of a sequence: some reorganization in it is such */
    uint64_t failing_with, failing_without, passing_with, passing_without;
    double score[COR_SCORE_COUNT];
    /* Among features of its list by the score asked for; features of one score share their ranks. */
    size_t rank_best, rank_worst;
};

/* The middle of the ranks that a feature shares. */
static inline double cor_feature_rank(const struct cor_feature *feature) {
    return ((double)feature->rank_best + (double)feature->rank_worst) / 2;
}

/* Features that are ranked against each other. */
struct cor_feature_list {
    struct cor_feature *feature; /* owned; by rank, then as they were found */
    size_t count;
};

/* What goes with failing in an arm; made by cor_ranking_create, freed by cor_ranking_destroy. */
struct cor_ranking {
    uint16_t arm;
    uint32_t suite; /* COR_ANY_SUITE = all of the arm */
    enum cor_ranked_unit unit;
    enum cor_score score; /* that ranks */
    uint64_t failing, passing;
    uint64_t suites, suites_failing;          /* in which a unit failed */
    struct cor_feature_list causes, symptoms; /* every aspect but behaviour; behaviour */
    char *note;                               /* owned; what was left out and why, in lines; "" = nothing */
    /* Share of `permutations` (1 more, the file itself) in which some cause has as high an Ochiai as the best
     * one here, when verdicts are exchanged between suites (of one suite: sequences). NaN if nothing failed
     * or nothing passed. docs/evidence/statistics.md */
    double p;
    uint32_t permutations;
};

#define COR_RANKING_LEVEL 0.05 /* a greater p: no cause goes with failing better than chance has it */

/* Ranks what goes with failing in an arm, over all its suites or over one of them (then chains are told
 * apart, too). Only features that some failing unit has and some unit has not are kept. Nothing failed, or
 * nothing passed: lists are empty. Memory: one suite, for each feature the values seen, to 8 bits behind the
 * leading one, and at most 64 MB for permutations. COR_STATUS_INPUT if there is no such suite, or if the file
 * contradicts itself. */
enum cor_status cor_ranking_create(struct cor_result *result, uint16_t arm, uint32_t suite,
                                   enum cor_ranked_unit unit, enum cor_score score,
                                   struct cor_ranking **ranking, struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_ranking_destroy(struct cor_ranking *ranking);

#endif
