/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What paper 004 prints in its tables; data/README.md names the source. */
#ifndef CORRIDOR_PAPER_FIGURES_H
#define CORRIDOR_PAPER_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

/* A figure of a table: `of` is a model and goal ("counter3:trap_t3"), a goal ("T2-1") or a depth ("100",
 * "complete"). Into `text`, which is cut off at `size`; false: the paper prints none. */
bool cor_paper_text(int table, const char *of, const char *figure, char *text, size_t size);

/* The same as a number; NaN: the paper prints none. */
double cor_paper_number(int table, const char *of, const char *figure);

#endif
