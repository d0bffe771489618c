/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report, its figures and its sections. */
#ifndef CORRIDOR_REPORT_PAGE_H
#define CORRIDOR_REPORT_PAGE_H

#include "failures.h"
#include "figure.h"

#include <corridor/sheet.h>

#define COR__ARMS_MAX 40         /* arms that are compared and shown in all detail */
#define COR__ENVIRONMENTS_MAX 12 /* environments that are drawn, with "all" */

/* Views whose sheets are shown; survival twice: to a detection by any box, and by the black box. Of a file of
 * the agent layer the findings alone. */
enum cor__shown_view { COR__TABLES, COR__SURVIVAL, COR__BLACK, COR__COVERAGE, COR__FINDINGS, COR__VIEWS };

/* An arm, and what it runs by its description. */
struct cor__arm_words {
    const char *name; /* borrowed from the result */
    bool known;       /* the description says what it runs */
    char *what;       /* owned; "psopp, fault f1"; NULL = not known */
};

/* An environment; the first stands for all together. */
struct cor__environment {
    const char *name; /* borrowed from a sheet */
    uint16_t code;
    bool fixed; /* its profile is the same in all suites */
    uint32_t states;
};

struct cor_report {
    struct cor_result *result; /* borrowed */
    const struct cor_result_header *head;
    struct cor_report_options options;
    bool of_agents;             /* a file of the agent layer */
    char *name, *description;   /* owned; of the experiment; NULL if it says none */
    struct cor__arm_words *arm; /* owned, like all that follows; in the order of catalog/arm */
    size_t arm_count;
    struct cor_sheets *view[COR__VIEWS];
    struct cor__environment *environment;
    size_t environment_count;
    struct cor__failures failures;
    struct cor_sheets **ranking; /* [arm_count]; NULL where nothing failed */
    struct cor__figures figures;
    uint64_t hash; /* of the content */
    size_t broken; /* identities */
    char *notes;
};

/* Add figures; plots.c, plots_heat.c. Names are those of survival and trees by index of the arm, the others
 * by index of the environment. */
enum cor_status cor__plot_survival(struct cor_report *report, struct cor_error *error) COR_MUST_USE;
enum cor_status cor__plot_growth(struct cor_report *report, struct cor_error *error) COR_MUST_USE;
enum cor_status cor__plot_heat(struct cor_report *report, struct cor_error *error) COR_MUST_USE;
enum cor_status cor__plot_trees(struct cor_report *report, struct cor_error *error) COR_MUST_USE;

/* Of the agent layer: the units of each arm as a graph; facts, headline and graphs of the page;
 * page_agents.c. */
enum cor_status cor__plot_units(struct cor_report *report, struct cor_error *error) COR_MUST_USE;
void cor__page_agents_facts(const struct cor_report *report, FILE *file);
void cor__page_agents_headline(const struct cor_report *report, FILE *file);
void cor__page_units(const struct cor_report *report, FILE *file);
void cor__page_sentences(const struct cor_report *report, FILE *file);

/* Title and facts; the headline of the verdicts; where the numbers come from. */
void cor__page_front(const struct cor_report *report, FILE *file);
void cor__page_headline(const struct cor_report *report, FILE *file);
void cor__page_provenance(const struct cor_report *report, FILE *file);

/* Sheets as matrices; the failure explorer. */
void cor__page_kills(const struct cor_report *report, FILE *file);
void cor__page_tables(const struct cor_report *report, FILE *file);
void cor__page_pairs(const struct cor_report *report, FILE *file);
void cor__page_failures(const struct cor_report *report, FILE *file);

#endif
