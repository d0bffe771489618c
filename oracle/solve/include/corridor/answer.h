/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What comes of a question to z3, for those who ask none themselves. */
#ifndef CORRIDOR_ANSWER_H
#define CORRIDOR_ANSWER_H

/* What z3 says: there is a solution, there is none, or it cannot tell. */
enum cor_answer {
    COR_ANSWER_SATISFIABLE = 1,
    COR_ANSWER_EMPTY = 2,
    COR_ANSWER_UNDECIDED = 3 /* rlimit reached, beyond z3's arithmetic, or its solution overflows 64 bits:
                                nothing is claimed */
};

/* "satisfiable", "empty", "undecided". */
const char *cor_answer_word(enum cor_answer answer);

/* What is said where z3 was ended for the time that it took. */
#define COR_SOLVER_CUT_TEXT \
    "a step of z3's algebra took too long, and the rest was asked without it: another machine may decide more"

#endif
