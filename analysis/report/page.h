/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report, and the sections of the page in their order. */
#ifndef CORRIDOR_REPORT_PAGE_H
#define CORRIDOR_REPORT_PAGE_H

#include "evidence.h"
#include "figure.h"

#include <corridor/coverage.h>
#include <corridor/depths.h>
#include <corridor/json.h>
#include <corridor/tree.h>

struct cor_report {
    struct cor_result *result; /* borrowed */
    const struct cor_result_header *head;
    struct cor_report_options options;
    struct cor_tables *tables; /* owned, like all that follows */
    struct cor_coverage *coverage;
    struct cor_depths *depths, *black; /* to a detection by any box, and by the black box */
    struct cor__evidence evidence;
    struct cor_ranking **ranking; /* [arm_count]; NULL where nothing failed */
    struct cor__figures figures;
    struct cor_json_document *experiment, *provenance; /* NULL if they are no JSON */
    uint64_t hash;                                     /* of the content */
    char *notes;
};

/* Style sheet and script, ended by 0; made from style.css and script.js. */
extern const char cor__style_sheet[], cor__script[];

/* Adds figures; plots.c, plots_heat.c, plots_tree.c. */
enum cor_status cor__plot_survival(struct cor_report *report, struct cor_error *error) COR_MUST_USE;
enum cor_status cor__plot_growth(struct cor_report *report, struct cor_error *error) COR_MUST_USE;
enum cor_status cor__plot_heat(struct cor_report *report, struct cor_error *error) COR_MUST_USE;
enum cor_status cor__plot_trees(struct cor_report *report, struct cor_error *error) COR_MUST_USE;

/* Names of figures: those of survival and trees by index of the arm, the others by index of
 * coverage->arm[0]->ep. */
void cor__figure_name(char name[COR__FIGURE_NAME], const char *what, size_t index);

/* Sections. Each writes itself, or nothing if the file has nothing of it. */
void cor__page_front(const struct cor_report *report, FILE *file);    /* page_front.c: title, what was run */
void cor__page_glance(const struct cor_report *report, FILE *file);   /* page_front.c: verdicts */
void cor__page_kills(const struct cor_report *report, FILE *file);    /* page_kills.c */
void cor__page_claims(const struct cor_report *report, FILE *file);   /* page_claims.c */
void cor__page_tables(const struct cor_report *report, FILE *file);   /* page_tables.c */
void cor__page_survival(const struct cor_report *report, FILE *file); /* page_survival.c */
void cor__page_coverage(const struct cor_report *report, FILE *file); /* page_coverage.c */
void cor__page_features(const struct cor_report *report, FILE *file); /* page_features.c */
void cor__page_failures(const struct cor_report *report, FILE *file); /* page_failures.c */
void cor__page_provenance(const struct cor_report *report, FILE *file); /* page_provenance.c */

/* The drawing of that name, or why there is none; with a caption. */
void cor__put_figure(const struct cor_report *report, FILE *file, const char *name, const char *caption);

/* Begins a section with its heading; ends it. */
void cor__section(FILE *file, const char *id, const char *heading);
void cor__section_end(FILE *file);

/* The cell at the beginning of a line: the arm, with what it injects as its title. */
void cor__head_arm(const struct cor_report *report, FILE *file, size_t arm);

/* Whether an arm that ran is a column of the paper. */
bool cor__is_published(const struct cor_report *report);

/* Text of the experiment under a key, NULL if it says none. Lives as long as the report. */
const char *cor__experiment_text(const struct cor_report *report, const char *key);

#endif
