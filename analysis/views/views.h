/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list that views.c makes of one file each. */
#ifndef CORRIDOR_VIEWS_VIEWS_H
#define CORRIDOR_VIEWS_VIEWS_H

#include <corridor/view.h>

extern const struct cor_view cor__view_compare;
extern const struct cor_view cor__view_coverage;
extern const struct cor_view cor__view_performance;
extern const struct cor_view cor__view_ranking;
extern const struct cor_view cor__view_survival;
extern const struct cor_view cor__view_tree;

/* Sheets of the ranking, which the tree shows, too. */
extern const struct cor_sheet_definition cor__causes, cor__symptoms, cor__ranking, cor__scores;

/* The level of intervals that is asked for; 95 % if none is. */
static inline double cor__view_level(const struct cor_view_request *request) {
    double level = request->level > 0 ? request->level : 0.95;
    COR_ASSERT(level >= 0.5 && level <= 0.9999);
    return level;
}

#endif
