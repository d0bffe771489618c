/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * data/paper004.csv, embedded. */
#include <corridor/paper_figures.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Its lines, the heading first; NULL-ended. */
extern const char *const efsm_layer__paper004[];

bool cor_paper_text(int table, const char *of, const char *figure, char *text, size_t size) {
    char wanted[128];
    const int length = snprintf(wanted, sizeof wanted, "%d,%s,%s,", table, of, figure);
    for (const char *const *line = efsm_layer__paper004; *line && length < (int)sizeof wanted; line++)
        if (strncmp(*line, wanted, (size_t)length) == 0) {
            snprintf(text, size, "%s", *line + length);
            return true;
        }
    return false;
}

double cor_paper_number(int table, const char *of, const char *figure) {
    char text[64];
    return cor_paper_text(table, of, figure, text, sizeof text) ? strtod(text, NULL) : (double)NAN;
}
