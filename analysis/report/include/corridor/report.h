/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result file as one page for a browser: what was run, what was found, the tables, figures, failures in
 * words, and where it all comes from. The page needs nothing but itself: no network, no script to be read,
 * and the same file gives the same bytes for one graphviz. What it holds and how it is made: README.md. */
#ifndef CORRIDOR_REPORT_H
#define CORRIDOR_REPORT_H

#include <corridor/result.h>

#include <stdbool.h>
#include <stdio.h>

struct cor_report;
struct cor_sheet;

/* How a report is made. Copied by cor_report_create; its texts must outlive the report. */
struct cor_report_options {
    double level;        /* of the intervals, 0.5 .. 0.9999 */
    const char *figures; /* folder that gets each figure: charts as SVG and CSV, graphs as SVG, PDF and DOT;
                            made if it is not there; NULL = none */
    bool replace;        /* files that are there already in `figures` */
    const char *dot;     /* program of graphviz that lays out graphs, looked for in PATH */
    const char *path;    /* of the result file, beside which pictures lie that a page shows; NULL = none is */
    const char *doubt;   /* a sentence that stands before all figures, borrowed; NULL = none */
    void (*doing)(const char *what); /* is told what is being done, in a few words; NULL = nobody */
};

/* Whether there is a page of result files of that layer. */
bool cor_report_knows(const struct cor_layer_schema *layer);

/* Level 0.95, no folder, "dot". */
struct cor_report_options cor_default_report(void);

/* Reads everything and draws the figures, graphs in child processes, through files in a folder of its own
 * under TMPDIR (or /tmp), or under `figures`. The result must outlive the report. Without graphviz the report
 * has tables in the place of graphs: see cor_report_notes. COR_STATUS_INPUT: the file contradicts itself.
 * COR_STATUS_FILE: files cannot be written. COR_STATUS_EXISTS: a figure is there already. */
enum cor_status cor_report_create(struct cor_result *result, const struct cor_report_options *options,
                                  struct cor_report **report, struct cor_error *error) COR_MUST_USE;

/* The same of the file into which `corridor stabilize --json` was written, with pictures if it has some.
 * COR_STATUS_INPUT: it is something else. */
enum cor_status cor_report_of_stabilize(const char *path, const struct cor_report_options *options,
                                        struct cor_report **report, struct cor_error *error) COR_MUST_USE;

/* Removes the folders that reports which were killed have left where figures are drawn. */
void cor_report_remove_left(const char *figures);

/* Frees it. NULL is allowed. */
void cor_report_destroy(struct cor_report *report);

/* What the reader should know beside the page (figures that could not be drawn), in lines; "" = nothing.
 * Borrowed from the report. */
const char *cor_report_notes(const struct cor_report *report);

/* Identities of the tables that are broken: above 0 the file, or the program that made it, is wrong. */
size_t cor_report_broken(const struct cor_report *report);

/* Writes the page, as UTF-8. A failing stream is COR_STATUS_FILE. */
enum cor_status cor_report_write(const struct cor_report *report, FILE *file,
                                 struct cor_error *error) COR_MUST_USE;

/* The same in parts, for pages that are served one by one (corridor watch). */

/* What stands around the content of every page. */
struct cor_report_frame {
    const char *title;      /* borrowed; NULL: a campaign without a name */
    const char *nonce;      /* borrowed; by which the scripts of the page are allowed; NULL: they need none */
    unsigned renew_seconds; /* the page renews itself so often: in place, or where no scripts run as a whole;
                               0: it stays as it is */
};

/* A page: cor_report_begin, rules of its parts for narrow windows, cor_report_begin_body, its content,
 * cor_report_end. */
void cor_report_begin(const struct cor_report_frame *frame, FILE *file);
void cor_report_begin_body(FILE *file);
void cor_report_end(const struct cor_report_frame *frame, FILE *file);

/* Rules for a sheet within the element of that id; NULL is allowed. */
void cor_report_write_labels(const char *id, const struct cor_sheet *sheet, FILE *file);

/* Coverage as it grows, a curve over the suites, of sheet "growth" of corridor status; nothing where that has
 * none. */
void cor_report_write_progress(const struct cor_sheet *growth, FILE *file);

/* Shares behind so many of what `unit` names, in the band of their intervals, as an SVG file: of sheet "curve"
 * of corridor why. */
void cor_report_write_curve(const struct cor_sheet *curve, const char *unit, FILE *file);

/* The id of a part, a word of lower-case letters, and its name in a few words; NULL behind the last. Static.
 */
const char *cor_report_part(const struct cor_report *report, size_t part, const char **shorter);

/* Write title and facts, and a part, at most so many bytes and a note that says where they were cut; rules of
 * the part for narrow windows into `labels`. */
enum cor_status cor_report_write_front(const struct cor_report *report, size_t most, FILE *file,
                                       struct cor_error *error) COR_MUST_USE;
enum cor_status cor_report_write_part(const struct cor_report *report, size_t part, size_t most, FILE *labels,
                                      FILE *file, struct cor_error *error) COR_MUST_USE;

#endif
