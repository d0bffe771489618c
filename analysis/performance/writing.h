/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures as text, JSON and CSV, for all pages of analysis/performance and analysis/compare. */
#ifndef CORRIDOR_PERFORMANCE_WRITING_H
#define CORRIDOR_PERFORMANCE_WRITING_H

#include <corridor/cells.h>
#include <corridor/estimate.h>
#include <corridor/json.h>
#include <corridor/sheet.h>

#include <stdio.h>

/* {"mean", "low", "high", "interval", "suites", "n"}. */
void cor__put_estimate(struct cor_json_writer *writer, const char *key,
                       const struct cor_old_estimate *estimate);

/* A comma and the number; nothing behind the comma for NaN. */
void cor__csv_real(double value, FILE *file);
void cor__csv_count(uint64_t count, FILE *file);

/* The number with four significant digits, two if very large or small, "n/a" for NaN, at least
 * `width` wide. */
void cor__text_real(FILE *file, double value, int width);

/* " [low, high]" and a letter for the method: blank bootstrap (BCa), "%" percentile, "*" Clopper-Pearson,
 * "w" Wilson; blanks of the same width without an interval. */
void cor__text_interval(FILE *file, const struct cor_old_estimate *estimate);
#define COR__INTERVAL_WIDTH 21

/* The same at the end of a line, which it ends. */
void cor__text_last_interval(FILE *file, const struct cor_old_estimate *estimate);

/* A heading between two pages' parts. */
void cor__text_heading(FILE *file, const struct cor_style *style, const char *text);

/* Width of a column of names, 12 to 24. */
struct cor__names {
    int width;
};
void cor__names_widen(struct cor__names *names, const char *name);

#endif
