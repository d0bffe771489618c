/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The traps of an arm: what its walks are to meet, as written under "environment"
 * (docs/look-up/experiments.md, "Traps"). */
#ifndef CORRIDOR_CASE_TRAPS_H
#define CORRIDOR_CASE_TRAPS_H

#include <corridor/case_condition.h>
#include <corridor/json.h>

#define COR_CASE_TRAPS_MAX 4096
#define COR_PROFILE_SHARE_MIN 0.1 /* of sequences that follow the profiles, where weights are wanted */

/* One trap: a condition that a case is to meet, and what it is called. */
struct cor_case_trap {
    char *name; /* owned */
    struct cor_case_condition condition;
};

/* How a walk is chosen that is to meet a trap. */
enum cor_trap_walk { COR_TRAP_WALK_SHORTEST, COR_TRAP_WALK_LIKELIEST };

/* All traps of an arm; made by cor_case_traps_read or cor_case_traps_parse, freed by
 * cor_case_traps_destroy. A trap is its index, below `count`. */
struct cor_case_traps {
    struct cor_vocabulary *vocabulary; /* owned */
    struct cor_case_trap *traps;       /* owned */
    uint32_t count, words;             /* words: cor_trap_words(count) */
    uint64_t *after;                   /* owned; [trap][words] what it waits for */
    uint64_t environments;             /* bit e: some trap reads environment e */
    bool ordered;                      /* each waits for the one before it */
    double profile_share; /* 0: tests alone; else sequences have weights; 1: nothing is steered */
    int walk;             /* enum cor_trap_walk */
    size_t capacity;
};

/* Reads {"traps": [..], ..}. The vocabulary is the traps' from now on, also on failure. */
enum cor_status cor_case_traps_read(const struct cor_json *json, struct cor_vocabulary *vocabulary,
                                    struct cor_case_traps **traps, struct cor_error *error) COR_MUST_USE;

/* The same of a text: a condition, or several with semicolons between them, each of which waits for the one
 * before it. */
enum cor_status cor_case_traps_parse(const char *text, double profile_share,
                                     struct cor_vocabulary *vocabulary, const char *place,
                                     struct cor_case_traps **traps, struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void cor_case_traps_destroy(struct cor_case_traps *traps);
COR_DESTROYS(cor_case_traps, struct cor_case_traps)

#endif
