/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Codes of tests of running systems, beside those of efsm_terms.h: rows as those of terms.h. */
#ifndef CORRIDOR_SYSTEM_TERMS_H
#define CORRIDOR_SYSTEM_TERMS_H

#include <corridor/efsm_terms.h>

/* What became of the goal of a test agent (001). */
#define COR_GOAL_ENDS(X, P)                                                             \
    X(P, SUCCESS, 1, "success", "what it wants was seen, and its asserts held")         \
    X(P, FAILED, 2, "failed", "its budget was used up, it gave up, or an assert broke") \
    X(P, OPEN, 3, "open", "the test ended before")                                      \
    X(P, STALLED, 4, "stalled", "the test ended while it waited for a guard to hold")

/* What judges a running system (001, 002). */
#define COR_SYSTEM_JUDGES(X, P)                                                     \
    X(P, ASSERT, 1, "assert", "an assert of a goal")                                \
    X(P, AFTER, 2, "after", "the post-condition of an action")                      \
    X(P, INVARIANT, 3, "invariant", "a condition that holds in each cycle")         \
    X(P, FORMULA, 4, "formula", "a formula of time over the cycles of the test")    \
    X(P, MODEL, 5, "model", "a model beside the run: what was observed is allowed") \
    X(P, AGREEMENT, 6, "agreement", "two test agents that look at the same entity see the same values")

/* What a test agent did in a cycle. */
#define COR_TURNS(X, P)                                               \
    X(P, ACTED, 1, "acted", "its tactic, or a plan, chose an action") \
    X(P, WAITED, 2, "waited", "no action was enabled: it is stalled") \
    X(P, LOOKED, 3, "looked", "it only looks")                        \
    X(P, SET_UP, 4, "set_up", "a command that sets the world up")

COR_SYSTEM_FAMILIES(COR_FAMILY_ENUM)

#endif
