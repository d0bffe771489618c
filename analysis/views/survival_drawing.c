/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "survival_drawing.h"

#include <corridor/cells.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_WIDTH 24

static int width_of(const struct views__survival_drawing *drawing) {
    size_t width = 12;
    for (size_t a = 0; a < drawing->arm_count; a++) {
        size_t own = cor_utf8_length(drawing->arm[a].name);
        width = own > width ? own : width;
    }
    return width < NAME_WIDTH ? (int)width : NAME_WIDTH;
}

/* At most NAME_WIDTH characters of it, and blanks up to `width`. */
static void put_name(const char *name, int width, FILE *file) {
    for (; *name && width > 0; width--)
        name += cor_put_shown(file, name);
    fprintf(file, "%*s", width, "");
}

/* Columns of a curve, between a name and the share at the horizon. */
static int curve_columns(const struct cor_style *style, int width) {
    const int left = (int)style->width - width - (int)strlen("    0.0000 ");
    if (style->width == 0 || left > VIEWS__CURVE_COLUMNS)
        return VIEWS__CURVE_COLUMNS;
    return left > 10 ? left : 10;
}

void views__draw_curves(const void *context, const struct cor_style *style, FILE *file) {
    const struct views__survival_drawing *drawing = context;
    const int width = width_of(drawing), columns = curve_columns(style, width);
    fprintf(file, "%sSequences without a detection yet%s  (Kaplan-Meier; to the horizon, logarithmic)\n",
            style->strong, style->plain);
    for (size_t a = 0; a < drawing->arm_count; a++) {
        char text[COR_CELL];
        fputs("  ", file);
        put_name(drawing->arm[a].name, width, file);
        fputs("  ", file);
        for (int c = 0; c < columns; c++) {
            /* A share as a block or, in ASCII, as the digit of its tenth: # for 1, . for 0. Blank where
             * nothing is known. */
            const double share = drawing->arm[a].share[c * (VIEWS__CURVE_COLUMNS - 1) / (columns - 1)];
            static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
            if (isnan(share))
                fputc(' ', file);
            else if (share <= 0)
                fputc(style->ascii ? '.' : ' ', file);
            else if (style->ascii)
                fputc(share >= 1 ? '#' : '0' + (int)(10 * share), file);
            else
                fputs(blocks[share >= 1 ? 7 : (int)(7 * share)], file);
        }
        cor_brief_text(drawing->arm[a].at_horizon, text);
        fprintf(file, " %6s\n", text);
    }
    char line[VIEWS__CURVE_COLUMNS + 16] = "";
    memset(line, ' ', (size_t)columns + 6);
    for (double tick = 1; tick <= drawing->horizon; tick *= 10) {
        char text[16];
        int c = (int)lround(log(tick) / log(fmax(drawing->horizon, 2)) * (columns - 1));
        int length = snprintf(text, sizeof text, "%.0f", tick);
        if (c >= 0 && c + length <= columns + 6)
            memcpy(line + c, text, (size_t)length);
    }
    fprintf(file, "  %-*s  %s\n", width, "cases", line);
    fputs(style->ascii ? "  # all, 9 to 0 tenths, . none\n" : "", file);
}

/* A triangle: what stands in column k is about the arm that is numbered k. */
void views__draw_pairs(const void *context, const struct cor_style *style, FILE *file) {
    const struct views__survival_drawing *drawing = context;
    size_t at = 0;
    int width = width_of(drawing);
    fprintf(file, "%sp after Holm of each pair%s\n%*s", style->strong, style->plain, width + 5, "");
    for (size_t a = 0; a + 1 < drawing->arm_count; a++)
        fprintf(file, " %6zu", a + 1);
    fputc('\n', file);
    for (size_t b = 0; b < drawing->arm_count; b++) {
        fprintf(file, "  %2zu ", b + 1);
        put_name(drawing->arm[b].name, width, file);
        for (size_t a = 0; a < b; a++, at++) {
            const double p = drawing->p_holm[at];
            if (isnan(p) || p < 0.0005)
                fprintf(file, " %6s", isnan(p) ? "n/a" : "<.001");
            else
                fprintf(file, " %6.3f", p);
        }
        fputc('\n', file);
    }
}

void views__survival_drawing_destroy(void *context) {
    struct views__survival_drawing *drawing = context;
    free(drawing->p_holm);
    free(drawing);
}
