/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report, its figures and its sections. */
#ifndef CORRIDOR_REPORT_PAGE_H
#define CORRIDOR_REPORT_PAGE_H

#include "failures.h"
#include "figure.h"

#include <corridor/coverage.h>
#include <corridor/depths.h>
#include <corridor/tables.h>
#include <corridor/tree.h>

#define COR__ARMS_MAX 40 /* arms that are compared and shown in all detail */

/* What an arm runs, from its description. */
struct cor__arm_words {
    bool known;   /* the description says it */
    bool injects; /* a fault */
    char *what;   /* owned; "psopp, fault f1"; NULL = not known */
};

struct cor_report {
    struct cor_result *result; /* borrowed */
    const struct cor_result_header *head;
    struct cor_report_options options;
    char *name, *description;   /* owned; of the experiment; NULL if it says none */
    struct cor_tables *tables;  /* owned, like all that follows */
    bool published;             /* an arm that ran is a column of the paper */
    struct cor__arm_words *arm; /* in the order of catalog/arm */
    struct cor_coverage *coverage;
    struct cor_depths *depths, *black; /* to a detection by any box, and by the black box */
    struct cor__failures failures;
    struct cor_ranking **ranking; /* [arm_count]; NULL where nothing failed */
    struct cor__figures figures;
    uint64_t hash; /* of the content */
    char *notes;
};

/* Add figures; plots.c, plots_heat.c, plots_tree.c. Names are those of survival and trees by index of the
 * arm, the others by index of coverage->arm[0]->ep. */
enum cor_status cor__plot_survival(struct cor_report *report, struct cor_error *error) COR_MUST_USE;
enum cor_status cor__plot_growth(struct cor_report *report, struct cor_error *error) COR_MUST_USE;
enum cor_status cor__plot_heat(struct cor_report *report, struct cor_error *error) COR_MUST_USE;
enum cor_status cor__plot_trees(struct cor_report *report, struct cor_error *error) COR_MUST_USE;

/* What stands in each section below its heading; page_front.c has title and facts, too. */
void cor__page_front(const struct cor_report *report, FILE *file);
void cor__page_glance(const struct cor_report *report, FILE *file);
void cor__page_kills(const struct cor_report *report, FILE *file);
void cor__page_claims(const struct cor_report *report, FILE *file);
void cor__page_tables(const struct cor_report *report, FILE *file);
void cor__page_survival(const struct cor_report *report, FILE *file);
void cor__page_coverage(const struct cor_report *report, FILE *file);
void cor__page_features(const struct cor_report *report, FILE *file);
void cor__page_failures(const struct cor_report *report, FILE *file);
void cor__page_provenance(const struct cor_report *report, FILE *file);

#endif
