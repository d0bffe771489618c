/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What in a file of tests can be meant, and is odd. */
#ifndef CORRIDOR_SYSTEM_CHECK_H
#define CORRIDOR_SYSTEM_CHECK_H

#include <corridor/system_experiment.h>

enum cor_system_odd {
    COR_SYSTEM_NEVER_ENABLED, /* the guard of an action holds in no state of beliefs */
    COR_SYSTEM_NEVER_SOLVED,  /* what a goal wants holds in none */
    COR_SYSTEM_NEVER_USED     /* no test uses the named goal */
};

/* "never enabled", .. */
const char *cor_system_odd_word(enum cor_system_odd odd);

struct cor_system_finding {
    enum cor_system_odd odd;
    const char *about; /* the experiment's: a test with its examples, or a goal */
    char *text;        /* owned */
};

struct cor_system_findings {
    struct cor_system_finding *items; /* owned */
    uint32_t count;
    size_t capacity;
};

/* Each once, of the first arm. That a condition never holds is proven: it asks of one value what it cannot be
 * at the same time (x > 3 and x < 2), or is a contradiction of words or truth. What is not found by this may
 * still never hold. */
enum cor_status cor_system_check(const struct cor_system_experiment *experiment,
                                 struct cor_system_findings *findings, struct cor_error *error) COR_MUST_USE;

/* Frees what they hold. Idempotent. */
void cor_system_findings_fini(struct cor_system_findings *findings);

#endif
