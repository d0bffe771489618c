/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who names what is to be started, whether it may be, and where. What the user names, or an experiment that
 * he runs, is meant. A result file or a test may come from a stranger: what it names is started when the user
 * says so. The one place that decides: whoever loads a module or starts a program asks here before. */
#ifndef CORRIDOR_TRUST_H
#define CORRIDOR_TRUST_H

#include <corridor/error.h>

/* What works in a cell, with walls around it, in which it can do no harm. Agents and systems under test, and
 * algorithms that are programs, have a process of their own always. */
enum cor_isolation {
    COR_ISOLATION_UNTRUSTED, /* all that is not built in */
    COR_ISOLATION_ALWAYS,
    COR_ISOLATION_NEVER,
    COR_ISOLATIONS
};

/* "untrusted", "always", "never"; NULL behind the last. */
const char *cor_isolation_word(size_t isolation);

/* All 0: the user names it, or an experiment that he runs. */
struct cor_trust {
    const char *file; /* borrowed; that names it */
    bool is_given;    /* the user says that what the file names may be started */
    void (*show)(const char *file, const char *program); /* told of it before; NULL: nobody is */
};

/* May the module, program or command be started? It is shown then, if a file names it. Else COR_STATUS_INPUT,
 * with what it is and what to do. */
enum cor_status cor_trust_check(const struct cor_trust *trust, const char *program,
                                struct cor_error *error) COR_MUST_USE;

#endif
