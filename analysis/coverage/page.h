/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A page of text about coverage. */
#ifndef CORRIDOR_COVERAGE_PAGE_H
#define CORRIDOR_COVERAGE_PAGE_H

#include <corridor/coverage.h>
#include <corridor/tables.h>

/* Where to, how, and the width of the column of names. */
struct cor__page {
    FILE *file;
    struct cor_style style;
    const struct cor_coverage *coverage;
    int width;
};

/* The title of a section. */
void cor__page_heading(const struct cor__page *page, const char *text);

/* A name in the first column. */
void cor__page_name(const struct cor__page *page, const char *name);

/* A number with as many decimals as are needed to tell it from 0, n/a if it is none. */
void cor__page_number(const struct cor__page *page, double value, int width);

/* A share in per cent, not rounded to 100 unless it is; n/a. */
void cor__page_percent(const struct cor__page *page, const struct cor_covered *covered, int width);

/* A percentage to look at: [####......]. */
void cor__page_bar(const struct cor__page *page, double percent);

/* Sections on pairs of states, configurations and probes. */
void cor__put_pairs(const struct cor__page *page);
void cor__put_parameters(const struct cor__page *page);
void cor__put_probes(const struct cor__page *page);

#endif
