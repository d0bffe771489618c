/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures that paper 003 prints in its Tables 1 and 2. */
#ifndef CORRIDOR_ANALYSIS_VIEWS_PUBLISHED_H
#define CORRIDOR_ANALYSIS_VIEWS_PUBLISHED_H

#include <stdbool.h>

/* Lines of data/isoteso_table1.csv and data/isoteso_table2.csv, NULL-terminated; made at build time. */
extern const char *const views__paper_table1[], *const views__paper_table2[];

/* The published mean and standard deviation of a metric in a column; NaN where the paper gives none.
 * `fault_id` is a column such as "PSOPP-F1". False if the paper has no such cell. */
bool views__paper_figure(const char *metric, const char *fault_id, double *mean, double *sd);

/* A figure that the paper does not print, from others of that column that it prints; false if there is none.
 */
bool views__paper_derive(const char *metric, const char *fault_id, double *mean);

/* Whether the paper has a column of that name. */
bool views__paper_has(const char *fault_id);

/* Why a published figure cannot be right, or is read otherwise than its row says; NULL = no reason known. */
const char *views__paper_note(const char *metric, const char *fault_id);

#endif
