/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The test sequence evaluation tree of paper 003 (future work). Reads a result file and nothing else.
 * Definitions: analysis/tree/README.md; what fails: ranking.h. */
#ifndef CORRIDOR_TREE_H
#define CORRIDOR_TREE_H

#include <corridor/ranking.h>
#include <corridor/result.h>
#include <corridor/sheet.h>
#include <corridor/state_names.h>
#include <corridor/suite_reader.h>

#include <stdbool.h>
#include <stdio.h>

/* What of a test case the tree looks at. X(NAME, word, meaning) */
#define COR_PROJECTIONS(X)                                                                     \
    X(CHAINS, "chains", "the states of all chains")                                            \
    X(INVOLVED, "involved",                                                                    \
      "the states of the chains that agents named in a violation perceive; of all "            \
      "where no agent is named")                                                               \
    X(ALARM, "alarm", "whether the monitor raised an alarm")                                   \
    X(VERDICT, "verdict", "whether the algorithm ran, and the verdicts of gray and black box") \
    X(CONSTRAINTS, "constraints",                                                              \
      "which constraints of a corridor as text are violated or unknown, as which box saw it")

/* Projections in the order of COR_PROJECTIONS: bits of a set of them, indices of cor_projection_words. */
enum cor_tree_projection {
#define COR_PROJECTION(NAME, word, meaning) COR_PROJECTION_##NAME,
    COR_PROJECTIONS(COR_PROJECTION)
#undef COR_PROJECTION
        COR_PROJECTION_COUNT
};

/* Those of `corridor tree`, if nothing else is asked for. */
#define COR_PROJECTIONS_USUAL                                                                  \
    (1u << COR_PROJECTION_CHAINS | 1u << COR_PROJECTION_ALARM | 1u << COR_PROJECTION_VERDICT | \
     1u << COR_PROJECTION_CONSTRAINTS)

/* Their words, ended by NULL. */
extern const char *const cor_projection_words[];

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
    enum cor_tree_projection what; /* INVOLVED does not occur */
    uint32_t index;            /* with CHAINS: of tree->chain; with CONSTRAINTS: the constraint's number */
    uint64_t failing, passing; /* sets of values: bit v. States; 0 and 1; cor_tree_verdict; COR_TREE_.. */
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

/* The tree of one suite; made by cor_tree_create, freed by cor_tree_destroy. Sequences are numbered as in
 * the suite. */
struct cor_tree {
    uint16_t arm;
    uint32_t suite;
    unsigned projections;      /* bit p = COR_PROJECTION_p; CONSTRAINTS only where the corridor is a text */
    uint32_t chain_count;      /* looked at: */
    uint32_t *chain;           /* owned; chains of the suite, ascending */
    uint16_t *environment;     /* owned; of each, code in catalog/environment */
    uint32_t constraint_count; /* looked at: all, or none */
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
 * the executed cases of one suite. COR_STATUS_INPUT as for the ranking, and where constraints alone are asked
 * for of a file whose corridor is no text. */
enum cor_status cor_tree_create(struct cor_result *result, uint16_t arm, uint32_t suite, unsigned projections,
                                struct cor_tree **tree, struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_tree_destroy(struct cor_tree *tree);

/* What is seen of a constraint in a case: a set of these bits; 0: it is met as far as anybody looked. */
enum {
    COR_TREE_GRAY = 1,    /* violated by the solution, */
    COR_TREE_BLACK = 2,   /* the structure after adoption or, in case 0, the initial one, */
    COR_TREE_LOOK = 4,    /* the structure before reorganizing, */
    COR_TREE_WAY = 8,     /* an interim solution, or between two moves, */
    COR_TREE_TIME = 16,   /* the cases of the sequence up to this one; */
    COR_TREE_UNKNOWN = 32 /* unknown in one of these */
};

/* A case of a sequence as the tree sees it: states of the chains in tree->chain, then the alarm (0, 1), then
 * the verdicts (cor_tree_verdict), then a byte a constraint, as far as they are looked at. */
const uint8_t *cor_tree_case(const struct cor_tree *tree, uint32_t sequence, uint32_t case_number);

/* Verdicts of gray and black box as one number below 64. */
static inline uint8_t cor_tree_verdict(uint8_t gray, uint8_t black) {
    return (uint8_t)((gray & 7) << 3 | (black & 7));
}

/* The first constraint of a case as the tree sees it; tree->constraint_count of them. */
const uint8_t *cor_tree_constraints(const struct cor_tree *tree, uint32_t sequence, uint32_t case_number);

#define COR_TREE_SEEN 80 /* bytes of what is seen of a constraint in words */

/* That in words: "met", "violated (gray, black)", "unknown". */
void cor_tree_seen_text(uint8_t seen, char text[COR_TREE_SEEN]);

/* They in words: "no reorganization", "gray passed, black failed". */
void cor_tree_verdict_text(uint8_t verdict, char text[64]);

/* A value of one of the sets of a distinction in words. */
void cor_tree_value_text(const struct cor_tree *tree, const struct cor_state_names *names,
                         const struct cor_distinction *difference, uint32_t value, char text[COR_STATE_NAME]);

/* The tree for a reader: a line a stretch, what changed at its beginning, and where verdicts part. What only
 * passed is one line; stretches below `depth` are counted, not shown (0 = all are shown). */
void cor_tree_text(const struct cor_tree *tree, const struct cor_state_names *names, uint32_t depth,
                   const struct cor_style *style, FILE *file);

/* The tree as a graph for Graphviz (dot -Tsvg). What only passed is one node. A failing stream is
 * COR_STATUS_FILE. */
enum cor_status cor_tree_dot(const struct cor_tree *tree, struct cor_result *result, uint32_t depth,
                             FILE *file, struct cor_error *error) COR_MUST_USE;

#endif
