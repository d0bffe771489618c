/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shrinking a test that fails: a smaller one that fails in the same way, from which nothing single can be
 * taken. docs/do/shrinking.md lists the passes and the order in which tests are simpler.
 *
 * A test is simpler than another if the first of these numbers in which they differ is smaller: cases,
 * agents, groups, chains, partitions at the start, changes of the environment, then values in the order of
 * docs/do/shrinking.md. No step goes up. */
#ifndef CORRIDOR_SHRINK_H
#define CORRIDOR_SHRINK_H

#include <corridor/minimize.h>
#include <corridor/test.h>

/* How far shrinking is, or was at its end. */
struct cor_shrink_counts {
    const char *pass;       /* at work; NULL: none */
    struct cor_tries tries; /* executed tests, the first ones to see whether the failure repeats included */
    uint64_t repeated;      /* asked for again, and answered from memory */
    uint64_t outside;       /* not executed: outside of what the model allows */
    uint32_t cases, agents; /* of the best test so far */
};

/* How long to try, and which tests are allowed; borrowed for the call. */
struct cor_shrink_definition {
    uint64_t budget;  /* executions at most; 0: as many as it takes */
    uint32_t reseeds; /* how many other seeds of its streams are tried for a step that fails with its own */
    bool free;        /* what the model allows does not matter; also where the test does not tell */
    /* Asked before each execution; false: no more, the best so far is the result. NULL: always true. */
    bool (*go_on)(void *self, const struct cor_shrink_counts *counts);
    void *self;
};

/* The numbers that come first in the order of tests. */
struct cor_test_size {
    uint32_t cases, agents, groups, chains, partitions;
};

/* How large it is. */
struct cor_test_size cor_test_size(const struct cor_test *test);

/* How shrinking, or checking, ended. */
enum cor_shrink_end {
    COR_SHRINK_MINIMAL, /* every further step of every pass loses the failure */
    COR_SHRINK_LARGER,  /* cor_shrink_check only: one does */
    COR_SHRINK_STOPPED, /* by the budget, or by go_on */
    COR_SHRINK_FLAKY    /* the failure does not repeat: the result is the test as it was */
};

/* What was done, filled by cor_shrink and cor_shrink_check, freed by cor_shrink_report_fini. */
struct cor_shrink_report {
    enum cor_shrink_end end;
    bool free;
    struct cor_shrink_counts counts;
    uint64_t steps; /* single ones that were looked at in the end */
    struct cor_test_size before, after;
    char *said; /* owned; sentences, a line each */
};

/* Frees what it holds. Idempotent. */
void cor_shrink_report_fini(struct cor_shrink_report *report);

/* Makes *smaller of `test`, whose expected class stays. It borrows the experiment, and says in `said` what
 * was found. `tester` is used; the result does not depend on it. */
enum cor_status cor_shrink(const struct cor_test *test, const struct cor_shrink_definition *definition,
                           struct cor_tester *tester, struct cor_test **smaller,
                           struct cor_shrink_report *report, struct cor_error *error) COR_MUST_USE;

/* Tries every single step of every pass: is the test minimal? */
enum cor_status cor_shrink_check(const struct cor_test *test, const struct cor_shrink_definition *definition,
                                 struct cor_tester *tester, struct cor_shrink_report *report,
                                 struct cor_error *error) COR_MUST_USE;

#endif
