/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "writing.h"

#include <corridor/cells.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void cor__put_estimate(struct cor_json_writer *writer, const char *key,
                       const struct cor_old_estimate *estimate) {
    cor_json_open_object(writer, key);
    cor_json_put_real(writer, "mean", estimate->mean);
    cor_json_put_real(writer, "low", estimate->low);
    cor_json_put_real(writer, "high", estimate->high);
    cor_json_put_string(writer, "interval", estimate->method);
    cor_put_count(writer, "suites", estimate->suites);
    cor_json_put_real(writer, "n", estimate->n);
    cor_json_close(writer);
}

void cor__csv_real(double value, FILE *file) {
    char text[COR_CELL] = "";
    if (isfinite(value))
        cor_real_text(value, text);
    fprintf(file, ",%s", text);
}

void cor__csv_count(uint64_t count, FILE *file) {
    fprintf(file, ",%" PRIu64, count);
}

void cor__text_real(FILE *file, double value, int width) {
    char text[COR_CELL];
    cor_brief_text(value, text);
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
    char low[COR_CELL], high[COR_CELL], text[2 * COR_CELL + 8] = "";
    if (!isnan(estimate->low) || !isnan(estimate->high)) {
        cor_brief_text(estimate->low, low);
        cor_brief_text(estimate->high, high);
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
