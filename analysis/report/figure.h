/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures: charts with the data behind them, graphs, and both as parts of a page. */
#ifndef CORRIDOR_ANALYSIS_REPORT_FIGURE_H
#define CORRIDOR_ANALYSIS_REPORT_FIGURE_H

#include <corridor/report.h>

#include <stddef.h>

/* X(NAME, colour in a file of its own, colour in the page): the page's are properties of its style sheet, for
 * light and dark. Colours tell figures' parts apart, so no two may be alike. */
#define REPORT__COLOURS(X)                   \
    X(INK, "#1f2328", "currentColor")        \
    X(AXIS, "#8b949e", "var(--axis)")        \
    X(GRID, "#e3e6ea", "var(--grid)")        \
    X(GHOST, "#c8ced6", "var(--ghost)")      \
    X(FIRST, "#0b5cad", "var(--s1)")         \
    X(SECOND, "#c2571a", "var(--s2)")        \
    X(THIRD, "#4a7c2c", "var(--s3)")         \
    X(FOURTH, "#7b4ab5", "var(--s4)")        \
    X(FIFTH, "#00808a", "var(--s5)")         \
    X(SIXTH, "#b0367f", "var(--s6)")         \
    X(SEVENTH, "#7a5a2b", "var(--s7)")       \
    X(EIGHTH, "#59636e", "var(--s8)")        \
    X(NEVER, "#b3261e", "var(--never)")      \
    X(HEAT1, "#dbe9f6", "var(--h1)")         \
    X(HEAT2, "#bad6eb", "var(--h2)")         \
    X(HEAT3, "#89bedc", "var(--h3)")         \
    X(HEAT4, "#539ecd", "var(--h4)")         \
    X(HEAT5, "#2b7bba", "var(--h5)")         \
    X(HEAT6, "#0b559f", "var(--h6)")         \
    X(HEAT7, "#08306b", "var(--h7)")         \
    X(MIXED, "#fbe6a2", "var(--mixed)")      \
    X(PASSED, "#bfe3bf", "var(--good-back)") \
    X(FAILED, "#f4b6b0", "var(--bad-back)")

enum report__colour {
#define REPORT__COLOUR(NAME, file, page) REPORT__COLOUR_##NAME,
    REPORT__COLOURS(REPORT__COLOUR)
#undef REPORT__COLOUR
        REPORT__COLOUR_COUNT
};

/* The colour in a file of its own. */
const char *report__colour(enum report__colour colour);

#define REPORT__FIGURE_NAME 48

struct report__figure {
    char name[REPORT__FIGURE_NAME]; /* of its files: small letters, digits, '-' */
    char *title, *description;      /* owned; in words, for those who do not see it */
    char *graph;                    /* owned; in DOT, which graphviz draws; NULL = a chart: */
    char *drawing, *data;           /* owned; SVG, and CSV */
    char *svg;                      /* owned; for the page; NULL = not drawn */
};

struct report__figures {
    struct report__figure *figure; /* owned */
    size_t count, capacity;
    char *trouble; /* owned; why graphviz drew nothing; NULL = it did, or had not to */
};

/* Text being made, a stream into memory: what charts, graphs and data are written with. */
struct report__text {
    char *text; /* owned; valid after report__text_end */
    size_t size;
    FILE *file; /* NULL = memory is out */
};
void report__text_begin(struct report__text *text);
char *report__text_end(struct report__text *text); /* the text, for the caller; NULL when memory is out */

/* A new figure, to be filled by the caller; NULL with `error` set when memory is out. Valid until the next.
 */
struct report__figure *report__figure_add(struct report__figures *figures, const char *name,
                                          struct cor_error *error);

/* The same for a graph in DOT, which is the figure's from now on, also on failure. */
struct report__figure *report__figure_add_graph(struct report__figures *figures, const char *name,
                                                char *graph, struct cor_error *error);

/* COR_STATUS_MEMORY if a part of it is missing. */
enum cor_status report__figure_status(const struct report__figure *figure,
                                      struct cor_error *error) COR_MUST_USE;

/* WHAT-01 for index 0, and so on. */
void report__figure_name(char name[REPORT__FIGURE_NAME], const char *what, size_t index);

/* The drawing of that name, or why there is none, with a caption; nothing if there is no such figure. */
void report__figure_html(const struct report__figures *figures, FILE *file, const char *name,
                         const char *caption);

void report__figures_fini(struct report__figures *figures);

/* Draws graphs, and makes all figures parts of a page. Without graphviz figures->trouble says so, and COR_OK.
 */
enum cor_status report__draw(struct report__figures *figures, const struct cor_report_options *options,
                             struct cor_error *error) COR_MUST_USE;

/* A drawing as part of a page: without names that could clash, colours by the page's style, read
 * aloud as title and description; NULL when memory is out or `svg` is none; figure.c. */
char *report__svg_inline(const char *svg, const struct report__figure *figure);

/* Runs `program` (looked for in PATH) with `arguments` (its own name first, NULL-terminated) in `folder`,
 * without a shell (no name of a file can become a command), input from nowhere, output into drawing.log
 * there. *code is its exit code, 127 if there is no such program, 128 + n if signal n ended it. */
enum cor_status report__run_program(const char *program, char *const *arguments, const char *folder,
                                    int *code, struct cor_error *error) COR_MUST_USE;

#endif
