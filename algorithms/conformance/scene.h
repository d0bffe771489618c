/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to conformance: the surroundings of a process. The base, and for each check that compares processes
 * others that differ from it in one thing. */
#ifndef CORRIDOR_ALGORITHMS_CONFORMANCE_SCENE_H
#define CORRIDOR_ALGORITHMS_CONFORMANCE_SCENE_H

#include <stdbool.h>
#include <stddef.h>

#define CONFORMANCE__VARIABLES 24 /* of the environment, at most */

struct conformance__scene {
    const char *locale, *zone, *home, *user; /* variables of the environment */
    size_t environment_bytes;                /* of all variables together: where the stack begins */
    unsigned heap_fill, stack_fill;          /* bytes that fresh memory holds */
    int years;                               /* of the clock, from 2000 on */
    bool moves;                              /* to another place in memory at each start */
};

#endif
