/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "html.h"

#include <corridor/cells.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

void cor__html_count(FILE *file, uint64_t value) {
    char digits[COR_CELL];
    cor_integer_text(value, digits);
    size_t count = strlen(digits);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0 && count > 4)
            fputs("\xe2\x80\xaf", file);
        fputc(digits[i], file);
    }
}

void cor__html_real(FILE *file, double value, int decimals) {
    if (isnan(value))
        fputs("<span class=na>n/a</span>", file);
    else if (isinf(value))
        fputs(value > 0 ? "\xe2\x88\x9e" : "-\xe2\x88\x9e", file);
    else if (fabs(value) >= 1e9) /* nobody counts the digits */
        fprintf(file, "%.4g", value);
    else {
        char text[COR_CELL];
        snprintf(text, sizeof text, "%.*f", decimals, value);
        bool zero = text[strspn(text, "-0.")] == '\0'; /* "-0.00" says no more than "0.00" */
        fputs(text + (zero && text[0] == '-'), file);
    }
}

void cor__html_brief(FILE *file, double value) {
    if (isfinite(value))
        fprintf(file, "%.4g", value);
    else
        cor__html_real(file, value, 0);
}

void cor__cell_count(FILE *file, uint64_t value) {
    fprintf(file, "<td data-v=%" PRIu64 ">", value);
    cor__html_count(file, value);
    fputs("</td>", file);
}

void cor__head(FILE *file, const char *text) {
    fprintf(file, "<th scope=col>%s</th>", text);
}

void cor__head_number(FILE *file, const char *text) {
    fprintf(file, "<th scope=col class=n>%s</th>", text);
}

void cor__head_name(FILE *file, const char *name, const char *hint) {
    fputs("<th scope=row", file);
    if (hint) {
        fputs(" title=\"", file);
        cor_html_short(file, hint, 200);
        fputc('"', file);
    }
    fputc('>', file);
    cor_html_short(file, name, 48);
    fputs("</th>", file);
}
