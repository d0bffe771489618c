/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is said of a system that was asked whether it comes back, whatever it is made of. */
#ifndef CORRIDOR_STABILIZE_VERDICT_H
#define CORRIDOR_STABILIZE_VERDICT_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stdint.h>

#define COR_STABILIZE_AGENTS_MAX 25u /* whose structures a number of 64 bits is enough for */

/* X(NAME, word, meaning) */
#define COR_STABILIZE_VERDICTS(X)                                                                            \
    X(HOLDS, "holds", "each run from any state comes into the stable part, and the corridor is never left")  \
    X(FAIR, "fair", "likewise, if the daemon is fair; an unfair one can prevent it")                         \
    X(CHANCE, "chance", "likewise with probability 1; a daemon, or what is drawn, can delay it for ever")    \
    X(LOOPS, "loops", "outside there are steps that can be repeated for ever")                               \
    X(RESTS, "rests", "outside there is a state in which nobody can move")                                   \
    X(TRAPPED, "trapped", "from a state there is no way back")                                               \
    X(LEAVES, "leaves", "all come back, but from a state inside a step leads outside")                       \
    X(IDLES, "idles", "all come back and stay, but a condition is not met again and again")                  \
    X(LATE, "late", "all come back and stay, but not within what was asked")                                 \
    X(SLEEPS, "sleeps", "outside, nothing rings, and nothing changes: nobody is ever called")                \
    X(SAMPLED, "sampled", "a share of states that were drawn is back in time, or is not; nothing is proved") \
    X(UNDECIDED, "undecided", "not all states and steps were visited, something is hidden, or left open")
enum cor_stabilize_verdict {
#define COR_STABILIZE_VERDICT(NAME, ...) COR_STABILIZE_##NAME,
    COR_STABILIZE_VERDICTS(COR_STABILIZE_VERDICT)
#undef COR_STABILIZE_VERDICT
        COR_STABILIZE_VERDICT_COUNT
};

/* Its word. */
const char *cor_stabilize_verdict_word(enum cor_stabilize_verdict verdict);

struct cor_stabilize_said {
    enum cor_stabilize_verdict verdict;
    bool is_good;        /* what is asked is so */
    char head[64];       /* "comes back and stays" */
    const char *between; /* ": ", ", " or " " */
    char rest[480];      /* the rest of the sentence */
};

/* Says it: all but is_good. `between` is static. */
void cor_stabilize_put(struct cor_stabilize_said *said, enum cor_stabilize_verdict verdict, const char *head,
                       const char *between, const char *format, ...) COR_PRINTF(5, 6);

/* That nothing is known, and why. */
void cor_stabilize_put_undecided(struct cor_stabilize_said *said, const char *why);

/* "" of one, else "s". */
static inline const char *cor_plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

#define COR_COMMAS_SIZE 32

/* A number with commas between its thousands: "3,125"; returns the text. */
const char *cor_with_commas(uint64_t number, char text[COR_COMMAS_SIZE]);

/* Likewise of a whole number that may be too large for that: "1e+21". */
const char *cor_real_with_commas(double number, char text[COR_COMMAS_SIZE]);

#endif
