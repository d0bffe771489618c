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

const struct conformance__scene *conformance__scene_base(void);

/* The scene number `index` that a check compares with the base; NULL: no more. */
const struct conformance__scene *conformance__scene_of(size_t check, size_t index);

/* Variables of the scene, ended by NULL, and the memory they are in, freed with free(); NULL when memory is
 * out. With the words of the command, of `word_bytes`, they have the same size for each scene that says so:
 * both lie on the stack, which is not to begin elsewhere for the length of a word. */
char *conformance__scene_environment(const struct conformance__scene *scene, size_t word_bytes,
                                     char *variables[CONFORMANCE__VARIABLES + 1]);

/* What must be so before the program is started. */
void conformance__scene_enter(const struct conformance__scene *scene);

#endif
