/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The planners of the list. */
#ifndef COR_PLANNERS_H
#define COR_PLANNERS_H

#include <corridor/planner.h>

extern const struct cor_planner_kind cor__planner_search, cor__planner_paper, cor__planner_antiant,
    cor__planner_random;

#endif
