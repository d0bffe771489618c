/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A chart or a map under way, as SVG that is a file of its own. Where memory is out nothing is written, and
 * report__chart_end says so. */
#ifndef CORRIDOR_ANALYSIS_REPORT_CHART_H
#define CORRIDOR_ANALYSIS_REPORT_CHART_H

#include "figure.h"

struct report__chart {
    struct report__text text;
    double width;                    /* of the whole, in pixels */
    double left, top, right, bottom; /* of the axes, in pixels; to be changed before they are drawn */
    double most;                     /* x at the right end */
    double full;                     /* what 100 percent of y stand for; 0: for themselves */
    bool is_log;                     /* x from 1 on, else from 0 */
    size_t points;                   /* of the curve under way */
};

/* A name beside the end of a curve. */
struct report__label {
    double percent; /* where the curve ends */
    size_t series;
    const char *text; /* borrowed */
    double y;         /* found by report__chart_labels */
};

enum report__anchor { REPORT__START, REPORT__MIDDLE, REPORT__END };

void report__chart_begin(struct report__chart *chart, double width, double height);
char *
report__chart_end(struct report__chart *chart); /* the drawing, for the caller; NULL when memory is out */

/* Leaves as much to the right of the axes as that name of a curve needs. */
void report__chart_leave(struct report__chart *chart, const char *name);

/* x up to `most`, at least 10; y in percent. */
void report__chart_axes(struct report__chart *chart, double most, bool is_log, const char *label);

/* A curve through points in units of the axes; each series looks different. */
void report__curve_begin(struct report__chart *chart, size_t series);
void report__band_begin(struct report__chart *chart, size_t series); /* an area: likewise, there and back */
void report__curve_to(struct report__chart *chart, double x, double percent);
void report__curve_end(struct report__chart *chart);

/* In pixels: a text of at most so many characters; a square; what a series looks like, with its name: returns
 * where the next may begin. */
void report__chart_word(struct report__chart *chart, double x, double y, enum report__anchor anchor,
                        bool upwards, const char *text, size_t characters);
void report__chart_box(struct report__chart *chart, double x, double y, double size,
                       enum report__colour colour, bool filled);
double report__chart_key(struct report__chart *chart, double x, double y, size_t series, const char *text,
                         size_t characters);

/* Names of curves to the right of the axes, each beside its curve or as near as can be read; sorts them. */
void report__chart_labels(struct report__chart *chart, struct report__label *label, size_t count);

#endif
