/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The test sequence evaluation tree of paper 003 (future work), and what separates failing from passing runs.
 * Both read a result file and nothing else. Definitions, formulas and their sources: analysis/tree/README.md.
 *
 * A reorganization FAILS if its verdict in the gray or the black box is "failed" or "smoke"; a sequence fails
 * if one of its reorganizations does; a suite if one of its sequences does. */
#ifndef CORRIDOR_TREE_H
#define CORRIDOR_TREE_H

#include <corridor/result.h>
#include <corridor/suite_reader.h>

#include <stdbool.h>
#include <stdio.h>



/* ------------------------------------------------------------------------------------- ranking */

/* What is observed to fail or to pass. X(NAME, word for one, for many, meaning) */
#define COR_UNITS(X)                                                                                \
    X(REORGANIZATION, "reorganization", "reorganizations", "one run of the algorithm")              \
    X(SEQUENCE, "sequence", "sequences", "a test sequence, up to its first failing reorganization") \
    X(SUITE, "suite", "suites", "a configuration with all its sequences")

enum cor_unit {
#define COR_UNIT(NAME, one, many, meaning) COR_UNIT_##NAME,
    COR_UNITS(COR_UNIT)
#undef COR_UNIT
        COR_UNIT_COUNT
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

enum cor_aspect {
#define COR_ASPECT(NAME, word, meaning) COR_ASPECT_##NAME,
    COR_ASPECTS(COR_ASPECT)
#undef COR_ASPECT
        COR_ASPECT_COUNT
};

/* Words of the lists above; for a unit the word for many. */
const char *cor_unit_word(enum cor_unit unit);
const char *cor_score_id(enum cor_score score);
const char *cor_score_formula(enum cor_score score);
const char *cor_score_source(enum cor_score score);
const char *cor_aspect_word(enum cor_aspect aspect);

/* How a feature compares. Bounds are values that occur: the least of those that have it, or the greatest. */
enum cor_comparison { COR_AT_LEAST, COR_AT_MOST, COR_PRESENT };

/* A property that units have or have not, and how it goes with failing. */
struct cor_feature {
    enum cor_aspect aspect;
    char *name; /* owned; "partitions_before", "chains of sky in dark" */
    enum cor_comparison comparison;
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

struct cor_feature_list {
    struct cor_feature *feature; /* owned; by rank, then as they were found */
    size_t count;
};

struct cor_ranking {
    uint16_t arm;
    uint32_t suite; /* COR_ANY_SUITE = all of the arm */
    enum cor_unit unit;
    enum cor_score score; /* that ranks */
    uint64_t failing, passing;
    uint64_t suites, suites_failing;          /* in which a unit failed */
    struct cor_feature_list causes, symptoms; /* every aspect but behaviour; behaviour */
    char *note;                               /* owned; what was left out and why, in lines; "" = nothing */
};

/* Ranks what goes with failing in an arm, over all its suites or over one of them (then chains are told
 * apart, too). Only features that some failing unit has and some unit has not are kept. Nothing failed, or
 * nothing passed: lists are empty. Memory: one suite, and for each feature the values seen, to 8 bits behind
 * the leading one. COR_STATUS_INPUT if there is no such suite, or if the file contradicts itself. */
enum cor_status cor_ranking_create(struct cor_result *result, uint16_t arm, uint32_t suite,
                                   enum cor_unit unit, enum cor_score score, struct cor_ranking **ranking,
                                   struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_ranking_destroy(struct cor_ranking *ranking);

/* ---------------------------------------------------------------------------------------- tree */

/* What of a test case the tree looks at. X(NAME, word, meaning) */
#define COR_PROJECTIONS(X)                                                          \
    X(CHAINS, "chains", "the states of all chains")                                 \
    X(INVOLVED, "involved",                                                         \
      "the states of the chains that agents named in a violation perceive; of all " \
      "where no agent is named")                                                    \
    X(ALARM, "alarm", "whether the monitor raised an alarm")                        \
    X(VERDICT, "verdict", "whether the algorithm ran, and the verdicts of gray and black box")

enum cor_projection {
#define COR_PROJECTION(NAME, word, meaning) COR_PROJECTION_##NAME,
    COR_PROJECTIONS(COR_PROJECTION)
#undef COR_PROJECTION
        COR_PROJECTION_COUNT
};

/* Word of a projection. */
const char *cor_projection_word(enum cor_projection projection);

/* A sequence of the tree. */
struct cor_tree_sequence {
    uint32_t executed;      /* cases */
    uint32_t first_failure; /* case, 0 = passed */
    bool continues;         /* it continues another: */
    uint16_t parent;        /* that one, */
    uint32_t prefix;        /* from behind so many cases */
};

/* Something in which the failing sequences of a node differ from the passing ones in the case where they
 * part: no failing one has a value that a passing one has. */
struct cor_distinction {
    enum cor_projection what;  /* INVOLVED does not occur */
    uint32_t index;            /* with CHAINS: of tree->chain */
    uint64_t failing, passing; /* sets of values: bit v. States; 0 and 1; cor_tree_verdict */
};

/* A stretch of cases in which all sequences of a set look alike. */
struct cor_tree_node {
    uint32_t parent; /* node; 0 for the root */
    uint32_t depth;  /* 0 = the root */
    uint32_t first_case,
        cases; /* case 0 = before the first test case; cases = 0: the root, alike in nothing */
    uint32_t first_sequence, sequences; /* in tree->order */
    uint32_t failing;                   /* of them; the rest passed */
    uint32_t ending;                    /* of them that end with this stretch: the first in tree->order */
    uint32_t first_child, children;     /* nodes */
    bool parts; /* failing and passing sequences are together up to here, and then some go apart: a child, or
                   what ends here, has only failing or only passing ones */
    uint32_t first_difference, differences; /* in tree->difference, of a node that parts */
};

struct cor_tree {
    uint16_t arm;
    uint32_t suite;
    unsigned projections;  /* bit p = COR_PROJECTION_p */
    uint32_t chain_count;  /* looked at: */
    uint32_t *chain;       /* owned; chains of the suite, ascending */
    uint16_t *environment; /* owned; of each, code in catalog/environment */
    uint32_t sequence_count, failing;
    struct cor_tree_sequence *sequence; /* owned */
    uint32_t *order;                    /* owned; sequences, those of a node side by side */
    struct cor_tree_node *node;         /* owned; node 0 is the root, children behind their parent */
    uint32_t node_count;
    struct cor_distinction *difference; /* owned */
    uint32_t difference_count;
    size_t width;    /* bytes of a projected case */
    uint64_t *start; /* owned; [sequence] where its cases begin in */
    uint8_t *row;    /* owned; cases as the tree sees them, `width` bytes each */
};

/* Makes the tree of a suite. With COR_ANY_SUITE it is the first suite in which a sequence failed and another
 * passed, or else the first in which one failed; *tree is NULL with COR_OK if nothing failed in any. Memory:
 * the executed cases of one suite. COR_STATUS_INPUT as for the ranking. */
enum cor_status cor_tree_create(struct cor_result *result, uint16_t arm, uint32_t suite, unsigned projections,
                                struct cor_tree **tree, struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_tree_destroy(struct cor_tree *tree);

/* A case of a sequence as the tree sees it: states of the chains in tree->chain, then the alarm (0, 1), then
 * the verdicts (cor_tree_verdict), as far as they are looked at. */
const uint8_t *cor_tree_case(const struct cor_tree *tree, uint32_t sequence, uint32_t case_number);

/* Verdicts of gray and black box as one number below 64. */
static inline uint8_t cor_tree_verdict(uint8_t gray, uint8_t black) {
    return (uint8_t)((gray & 7) << 3 | (black & 7));
}

/* ------------------------------------------------------------------------------------- writing */

/* How a text is drawn. */
struct cor_drawing {
    const char *strong, *good, *bad, *plain; /* escape sequences, or "" */
    bool ascii;                              /* no box-drawing characters */
    uint32_t depth;                          /* stretches below this depth are counted, not shown */
    size_t features;                         /* shown of each list */
};
#define COR_DRAWING_PLAIN ((struct cor_drawing){"", "", "", "", true, UINT32_MAX, 15})

/* The tree for a reader: a line a stretch, what changed at its beginning, and where verdicts part. What only
 * passed is one line. A failing stream is COR_STATUS_FILE. */
enum cor_status cor_tree_text(const struct cor_tree *tree, struct cor_result *result,
                              const struct cor_drawing *drawing, FILE *file,
                              struct cor_error *error) COR_MUST_USE;

/* The tree as a graph for Graphviz (dot -Tsvg). What only passed is one node. */
enum cor_status cor_tree_dot(const struct cor_tree *tree, struct cor_result *result, uint32_t depth,
                             FILE *file, struct cor_error *error) COR_MUST_USE;

/* The ranking for a reader. */
enum cor_status cor_ranking_text(const struct cor_ranking *ranking, struct cor_result *result,
                                 const struct cor_drawing *drawing, FILE *file,
                                 struct cor_error *error) COR_MUST_USE;

/* Both as one JSON document, whole; either may be NULL. */
enum cor_status cor_tree_json(const struct cor_tree *tree, const struct cor_ranking *ranking,
                              struct cor_result *result, FILE *file, struct cor_error *error) COR_MUST_USE;

#endif
