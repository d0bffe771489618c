/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Codes of tests beside a model: rows as those of terms.h, which says what they are. */
#ifndef CORRIDOR_EFSM_TERMS_H
#define CORRIDOR_EFSM_TERMS_H

#include <corridor/terms.h>

/* How a test of a system against its model ended (004). */
#define COR_TEST_VERDICTS(X, P)                                                                              \
    X(P, PASS, 1, "pass", "the goal is covered, and all that was observed is allowed")                       \
    X(P, FAIL, 2, "fail", "the model does not allow what was observed")                                      \
    X(P, INCONCLUSIVE, 3, "inconclusive", "the goal was not covered within the budget")                      \
    X(P, LOST, 4, "lost", "proven: what is left of the goal cannot be covered any more")                     \
    X(P, UNREACHABLE, 5, "unreachable", "proven: what is left of the goal cannot be covered from the start") \
    X(P, TROUBLE, 6, "trouble", "the system died, hung or spoke nonsense, which says nothing of conformance")

/* What became of a trap in a test. */
#define COR_TRAP_ENDS(X, P)                                                            \
    X(P, COVERED, 1, "covered", "by a move of the test")                               \
    X(P, OPEN, 2, "open", "not reached within the moves of the test")                  \
    X(P, LOST, 3, "lost", "proven: it cannot be covered any more")                     \
    X(P, UNREACHABLE, 4, "unreachable", "proven: it cannot be covered from the start") \
    X(P, WAITS, 5, "waits", "it waits for a trap that was not covered")

/* What is wrong with a system under test itself, which is never failed conformance. */
#define COR_SYSTEM_TROUBLES(X, P)                      \
    X(P, DIED, 1, "died", "its process ended")         \
    X(P, HUNG, 2, "hung", "it did not answer in time") \
    X(P, GARBLED, 3, "garbled", "it spoke out of turn, nonsense, or without an end")

/* Whether a mutant can be told from its model by what it answers. */
#define COR_EFSM_DIFFERENCES(X, P)                                                                \
    X(P, EQUIVALENT, 1, "equivalent", "proven: it answers nothing that the model does not allow") \
    X(P, DIFFERENT, 2, "different", "there are inputs that tell them apart")                      \
    X(P, UNDECIDED, 3, "undecided", "none was found within the budget")

COR_EFSM_FAMILIES(COR_FAMILY_ENUM)

#endif
