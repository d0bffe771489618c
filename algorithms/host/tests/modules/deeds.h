/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What deeds.c can be told to do, by its parameter "deed". */
#ifndef CORRIDOR_HOST_TESTS_DEEDS_H
#define CORRIDOR_HOST_TESTS_DEEDS_H

enum deed {
    GOOD,
    CRASHES,
    ABORTS,
    EXITS,
    LOOPS,
    SLEEPS,
    HOARDS,
    WRITES_TASK,
    ENDS_PARENT,
    ENDS_ALL,
    CLOSES_ALL,
    ROUNDS_UP,    /* and leaves signals blocked, a locale and a mask of files */
    LOOKS_AROUND, /* and ends itself where a call before has left any of these */
    COUNTS_CALLS,
    READS_CLOCK,
    FORKS,
    STOPS,
    SCRIBBLES,
    MAKES_ABSURD,
    DIES_LATER,
    OVERFLOWS_STACK,
    WORKS,
    KEEPS
};

#endif
