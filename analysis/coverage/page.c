/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page.h"

#include <math.h>

void cor__page_heading(const struct cor__page *page, const char *text) {
    fprintf(page->file, "\n%s%s%s\n", page->style.strong, text, page->style.plain);
}

void cor__page_name(const struct cor__page *page, const char *name) {
    fprintf(page->file, "  %-*s", page->width, name);
}

void cor__page_number(const struct cor__page *page, double value, int width) {
    if (!isfinite(value))
        fprintf(page->file, " %*s", width, "n/a");
    else if (value == floor(value) && fabs(value) < 1e9)
        fprintf(page->file, " %*.0f", width, value);
    else if (value != 0 && fabs(value) < 0.01)
        fprintf(page->file, " %*.1e", width, value);
    else
        fprintf(page->file, " %*.*f", width, fabs(value) < 1000 ? 2 : 0, value);
}

void cor__page_percent(const struct cor__page *page, const struct cor_covered *covered, int width) {
    double percent = cor_covered_percent(covered);
    if (isnan(percent))
        fprintf(page->file, " %*s", width, "n/a");
    else if (percent < 100 - 1e-6 && percent >= 99.95) /* not rounded to all; sums of mass round, too */
        fprintf(page->file, " %*s", width, ">99.9");
    else
        fprintf(page->file, " %*.1f", width, percent);
}

#define BAR 10

void cor__page_bar(const struct cor__page *page, double percent) {
    int full = isnan(percent) ? 0 : (int)(percent / 100 * BAR);
    fputs(" [", page->file);
    for (int i = 0; i < BAR; i++)
        fputc(i < full ? '#' : '.', page->file);
    fputc(']', page->file);
}
