/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What deeds.c can be told to do, by its parameter "deed". Experiments of tests name the numbers: what is new
 * stands at the end. */
#ifndef CORRIDOR_ALGORITHMS_HOST_TESTS_MODULES_DEEDS_H
#define CORRIDOR_ALGORITHMS_HOST_TESTS_MODULES_DEEDS_H

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
    ROUNDS_UP, /* and leaves signals blocked, a locale and a mask of files */
    COUNTS_CALLS,
    READS_CLOCK,
    FORKS,
    STOPS,
    SCRIBBLES,
    MAKES_ABSURD,
    DIES_LATER,
    OVERFLOWS_STACK,
    WORKS,
    KEEPS,
    LOOKS_AROUND /* ends itself where ROUNDS_UP has left anything to a later call */
};

#endif
