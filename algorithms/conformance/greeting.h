/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to conformance: asking a program in another language what it is. */
#ifndef CORRIDOR_ALGORITHMS_CONFORMANCE_GREETING_H
#define CORRIDOR_ALGORITHMS_CONFORMANCE_GREETING_H

#include <corridor/conformance.h>

/* Starts the program, a command for sh or the path of a file, says hello as to an algorithm and a distributed
 * program alike, and ends it. COR_STATUS_PLUGIN: by what it says, or does not say, it is neither. */
enum cor_status conformance__greet(const char *text, enum cor_conformance_kind *kind,
                                   struct cor_error *error) COR_MUST_USE;

#endif
