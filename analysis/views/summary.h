/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a result file says in one screen: its layer puts arms, the key of a failure and the commands that
 * follow, the view `summary` makes lines of them. */
#ifndef CORRIDOR_ANALYSIS_VIEWS_SUMMARY_H
#define CORRIDOR_ANALYSIS_VIEWS_SUMMARY_H

#include <corridor/result.h>
#include <corridor/view.h>

/* An arm in short. */
struct views__summary_arm {
    const char *name;    /* borrowed from the result */
    const char *verdict; /* in a word, static: arms of one verdict share a line */
    bool is_good;        /* what one wishes for */
    bool is_found;       /* its fault was seen */
    uint64_t hits,
        tries; /* of what the summary counts: those that saw its fault, and all; 0 of 0: not known */
    uint64_t activated, masked; /* faults that were active; thereof unseen */
};

/* A line of the short view, or a command that leads on. */
struct views__summary_line {
    const char *what; /* static */
    enum cor_tone tone;
    char *says; /* owned */
};

struct views__summary_lines {
    struct views__summary_line *items; /* owned */
    size_t count, capacity;
};

struct views__summary {
    const struct cor_result_header *head; /* borrowed */
    const char *path;                     /* borrowed; of the file, as commands are to name it */
    const char *program;                  /* borrowed: what calls the commands that lead on */
    const char *counted;                  /* what hits and tries count: "sequences" */
    uint64_t suites, cases;               /* in the file; 0 cases: not said */
    struct views__summary_arm *arms;      /* owned */
    size_t arm_count, arm_capacity;
    struct views__summary_lines lines, next;
    enum cor_status status; /* the first failure (memory) */
};

/* Append an arm, a line, a command; PATH and keys in commands are to be quoted. Failures are remembered. */
void views__summary_arm(struct views__summary *summary, const struct views__summary_arm *arm);
void views__summary_say(struct views__summary *summary, const char *what, enum cor_tone tone,
                        const char *format, ...) COR_PRINTF(4, 5);

/* Appends "corridor COMMAND FILE", with "OPTION KEY" and with `rest` behind it; NULL: without. What
 * executes a file that names programs gets --trust. */
void views__summary_next(struct views__summary *summary, const char *what, const char *command,
                         const char *option, const char *key, const char *rest);

/* Likewise, a command on a file that one of the others has written. */
void views__summary_next_of(struct views__summary *summary, const char *what, const char *command,
                            const char *file);

/* The arm of which a failure is worth looking at: one that fails without a fault, else the hardest one that
 * was found; SIZE_MAX if there is none. */
size_t views__summary_worst(const struct views__summary *summary);

#endif
