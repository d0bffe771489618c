/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kill matrix, suite by suite. */
#ifndef CORRIDOR_PERFORMANCE_KILLS_H
#define CORRIDOR_PERFORMANCE_KILLS_H

#include "book.h"

#include <corridor/depths.h>

/* Counts what the oracle saw in the suite just read. */
enum cor_status cor__kills_count(const struct cor__book *book, struct cor_depth_arm *arm,
                                 struct cor_error *error) COR_MUST_USE;

#endif
