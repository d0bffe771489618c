/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Curves of survival, and p of each pair of arms, drawn with letters. */
#ifndef CORRIDOR_ANALYSIS_VIEWS_SURVIVAL_DRAWING_H
#define CORRIDOR_ANALYSIS_VIEWS_SURVIVAL_DRAWING_H

#include <corridor/sheet.h>

#include <stddef.h>
#include <stdio.h>

#define VIEWS__CURVE_COLUMNS 60

/* What is drawn: names are those of the open result. */
struct views__survival_drawing {
    size_t arm_count;
    double horizon;
    double *p_holm; /* owned; NULL = none; pairs as in sheet log_rank_pairs */
    struct {
        const char *name;
        double share[VIEWS__CURVE_COLUMNS], at_horizon; /* without a detection */
    } arm[];
};

/* Draw such a thing; for cor_sheets_draw. */
void views__draw_curves(const void *context, const struct cor_style *style, FILE *file);
void views__draw_pairs(const void *context, const struct cor_style *style, FILE *file);

/* Frees it. */
void views__survival_drawing_destroy(void *context);

#endif
