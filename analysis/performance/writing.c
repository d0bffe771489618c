/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "writing.h"

#include "cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void cor__put_estimate(struct cor_json_writer *writer, const char *key, const struct cor_old_estimate *estimate) {
    cor_json_open_object(writer, key);
    cor_json_put_real(writer, "mean", estimate->mean);
    cor_json_put_real(writer, "low", estimate->low);
    cor_json_put_real(writer, "high", estimate->high);
    cor_json_put_string(writer, "interval", estimate->method);
    cor__put_count(writer, "suites", estimate->suites);
    cor_json_put_real(writer, "n", estimate->n);
    cor_json_close(writer);
}

void cor__csv_real(double value, FILE *file) {
    char text[COR__CELL] = "";
    if (isfinite(value))
        cor__real_text(value, text);
    fprintf(file, ",%s", text);
}

void cor__csv_count(uint64_t count, FILE *file) {
    fprintf(file, ",%" PRIu64, count);
}

/* Four digits that count, and no exponent for what is read as a plain number. */
static void real_text(double value, char text[COR__CELL]) {
    double size = fabs(value);
    if (!isfinite(value))
        snprintf(text, COR__CELL, "n/a");
    else if (size <= 0)
        snprintf(text, COR__CELL, "0");
    else if (size >= 1e7 || (size > 0 && size < 1e-4))
        snprintf(text, COR__CELL, "%.2g", value);
    else
        snprintf(text, COR__CELL, "%.*f",
                 size >= 1000  ? 0
                 : size >= 100 ? 1
                 : size >= 10  ? 2
                 : size >= 0.1 ? 3
                               : 5,
                 value);
}

void cor__text_real(FILE *file, double value, int width) {
    char text[COR__CELL];
    real_text(value, text);
    fprintf(file, " %*s", width, text);
}

static char letter_of(const char *method) {
    switch (method[0]) {
    case 'p':
        return 'p';
    case 'c':
        return '*';
    case 'w':
        return 'w';
    default:
        return ' ';
    }
}

/* `width`: 0 = no blanks behind it. */
static void put_interval(FILE *file, const struct cor_old_estimate *estimate, int width) {
    char low[COR__CELL], high[COR__CELL], text[2 * COR__CELL + 8] = "";
    if (!isnan(estimate->low) || !isnan(estimate->high)) {
        real_text(estimate->low, low);
        real_text(estimate->high, high);
        if (isnan(estimate->high)) /* an end that is not reached */
            snprintf(high, sizeof high, "...");
        char letter = letter_of(estimate->method);
        snprintf(text, sizeof text, "[%s, %s]%.*s", low, high, letter != ' ', &letter);
    }
    if (width > 0 || text[0])
        fprintf(file, " %-*s", width, text);
}

void cor__text_interval(FILE *file, const struct cor_old_estimate *estimate) {
    put_interval(file, estimate, COR__INTERVAL_WIDTH - 1);
}

void cor__text_last_interval(FILE *file, const struct cor_old_estimate *estimate) {
    put_interval(file, estimate, 0);
    fputc('\n', file);
}

void cor__text_heading(FILE *file, const struct cor_style *style, const char *text) {
    fprintf(file, "\n%s%s%s\n", style->strong, text, style->plain);
}

void cor__names_widen(struct cor__names *names, const char *name) {
    size_t length = strlen(name);
    int width = length > 24 ? 24 : (int)length;
    names->width = width > names->width ? width : names->width < 12 ? 12 : names->width;
}
