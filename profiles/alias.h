/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Building the alias tables that cor_profile_next reads; private to this room. */
#ifndef CORRIDOR_PROFILES_ALIAS_H
#define CORRIDOR_PROFILES_ALIAS_H

#include <corridor/profile.h>

/* Fills one row of `count` cells (1 .. COR_PROFILE_STATES_MAX) for the law `probability`: finite,
 * non-negative, with a positive sum, which is scaled to 1. A state of probability 0 is never drawn. Over all
 * 2^32 draws each state comes up with its probability but for less than count * 2^-32, so an arc rarer than
 * that may never be drawn. */
void cor__alias_build(const double *probability, uint32_t count, struct cor_alias_cell *row);

#endif
