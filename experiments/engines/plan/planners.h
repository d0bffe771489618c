/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The planners of the list. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_PLAN_PLANNERS_H
#define CORRIDOR_EXPERIMENTS_ENGINES_PLAN_PLANNERS_H

#include <corridor/planner.h>

extern const struct cor_planner_kind plan__planner_search, plan__planner_paper, plan__planner_antiant,
    plan__planner_random;

#endif
