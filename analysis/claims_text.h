/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CORRIDOR_ANALYSIS_CLAIMS_TEXT_H
#define CORRIDOR_ANALYSIS_CLAIMS_TEXT_H

#include <corridor/tables.h>

/* Writes what the paper claims and whether it holds, arms side by side as in the paper's tables, and how many
 * of its figures lie in our intervals. At most 110 columns. */
void cor__claims_text(const struct cor_tables *tables, const struct cor_style *style, FILE *file);

#endif
