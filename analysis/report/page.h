/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report, its figures and its sections. */
#ifndef CORRIDOR_ANALYSIS_REPORT_PAGE_H
#define CORRIDOR_ANALYSIS_REPORT_PAGE_H

#include "figure.h"

#include <corridor/cells.h>
#include <corridor/sheet.h>
#include <corridor/suite_reader.h>
#include <corridor/view.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- A choice of failures, with all that is known of each */

#define REPORT__FAILURES_SHOWN 200 /* about, over all arms */
#define REPORT__SENTENCES 4        /* violations of a failure in words */
#define REPORT__BLOCKS 24          /* sizes of the partitions of its solution */

struct report__failure_place {
    uint32_t suite, case_;
    uint16_t sequence;
};

struct report__arm_failures {
    uint64_t failures, masked; /* cases with a violation; reorganizations with an activated fault that no box
                                  saw (cor_is_masked) */
    uint64_t failing;          /* sequences with a case with a violation */
    size_t shown;
};

/* A failure that is shown. */
struct report__shown_failure {
    size_t arm; /* index in catalog/arm */
    struct report__failure_place place;
    bool first_of_class, masked;
    size_t class;                                      /* row of the sheet of classes */
    uint64_t boxes, checks;                            /* bits by code */
    uint64_t by_box[COR_BOX_CODES];                    /* checks by the box that saw them; of none smoke */
    uint64_t violations;                               /* all, of which not all have a row */
    uint32_t said;                                     /* how many of them are in words: */
    struct cor_violation_row first[REPORT__SENTENCES]; /* the first rows */
    bool run;                                          /* the algorithm ran: */
    struct cor_reorganization_row reorganization;
    struct cor_suite_row configuration;
    bool solved; /* its solution is kept: */
    uint32_t blocks, block[REPORT__BLOCKS];
};

struct report__failures {
    struct report__arm_failures *arm; /* owned; in the order of catalog/arm */
    size_t arm_count;
    struct report__shown_failure *shown; /* owned; by arm, suite, sequence and case */
    size_t shown_count, shown_capacity;
};

/* Reads them in two passes over the suites. Of each arm as many are shown, of failing sequences the first
 * failure, spread evenly in the order of the file, so that they come from different suites; some that were
 * masked; and the first of each class: `classes` is sheet "failures" of the view of the tables.
 * COR_STATUS_INPUT for a file that contradicts itself. */
enum cor_status report__failures_init(struct report__failures *failures, struct cor_result *result,
                                      const struct cor_sheet *classes, struct cor_error *error) COR_MUST_USE;
void report__failures_fini(struct report__failures *failures);

#define REPORT__ARMS_MAX 40         /* arms that are compared and shown in all detail */
#define REPORT__SECTION_SHEETS 4    /* sheets of a section at most */
#define REPORT__FLOORS_MAX 40       /* floors of arms that are drawn */
#define REPORT__ENVIRONMENTS_MAX 12 /* environments that are drawn, with "all" */

/* Views whose sheets are shown: REPORT__OF_<view>; of the ranking each arm's own, report->ranking. */
enum report__shown_view {
#define REPORT__VIEW(name) REPORT__OF_##name,
    COR_VIEWS(REPORT__VIEW) REPORT__VIEW(ranking)
#undef REPORT__VIEW
        REPORT__VIEWS
};

/* An arm, and what it runs by its description. */
struct report__arm_words {
    const char *name; /* borrowed from the result */
    bool known;       /* the description says what it runs */
    bool has_fault;
    bool has_monitors; /* under test, in place of the system's own */
    char *what;        /* owned; "psopp, fault f1"; NULL = not known */
};

/* An environment; the first stands for all together. */
struct report__environment {
    const char *name; /* borrowed from a sheet */
    uint16_t code;
    bool fixed; /* its profile is the same in all suites */
    uint32_t states;
};

typedef void report__write_part(const struct cor_report *report, FILE *file);

/* A section is a sentence, sheets of the views, and what no sheet can say. */
struct report__section {
    const char *id, *shorter, *heading;                /* `shorter` for the navigation */
    const char *sentence;                              /* HTML; NULL = none */
    bool (*is_shown)(const struct cor_report *report); /* NULL = always */
    const char *needs[REPORT__SECTION_SHEETS]; /* one of these sheets of its first view must have rows */
    report__write_part *before, *after;        /* of the sheets; NULL = nothing */
    enum cor_status (*within)(const struct cor_report *report, FILE *file,
                              struct cor_error *error); /* behind the sheets; NULL = nothing */
    struct {
        enum report__shown_view view;
        const char *id; /* NULL behind the last */
        bool closed;    /* only its title, until it is opened */
    } sheet[REPORT__SECTION_SHEETS];
};

/* What the page of a layer's result file is made of. */
struct report__page_kind {
    const struct cor_layer_schema *layer;
    const char *subject; /* key of the experiment that may have a name and title; NULL = none */
    const char *view;    /* the one that all of the page is of; NULL = there are several, which `read` asks */
    enum report__shown_view shown; /* or the first of these */
    enum cor_status (*read)(struct cor_report *report,
                            struct cor_error *error); /* views, into report->view */
    enum cor_status (*plot)(struct cor_report *report,
                            struct cor_error *error); /* adds figures; NULL = there are none */
    report__write_part *put_facts; /* under the title, and what must be known before anything else */
    const struct report__tests_words *words; /* of tests of systems; NULL = of others */
    const struct report__section *sections;
    size_t section_count;
};
#define REPORT__PAGE(word) extern const struct report__page_kind report__page_of_##word;
COR_LAYERS(REPORT__PAGE)
#undef REPORT__PAGE

struct cor_report {
    struct cor_result *result; /* borrowed */
    const struct cor_result_header *head;
    struct cor_report_options options;
    const struct report__page_kind *kind;
    char *name, *description;      /* owned; of the experiment; NULL if it says none */
    bool is_paired;                /* says the experiment */
    struct report__arm_words *arm; /* owned, like all that follows; in the order of catalog/arm */
    size_t arm_count;
    struct cor_sheets *view[REPORT__VIEWS];
    struct report__environment *environment;
    size_t environment_count;
    struct report__failures failures;
    struct cor_sheets **ranking; /* [arm_count]; NULL where nothing failed */
    struct report__figures figures;
    const char *along, *drawn; /* of curves: what x counts, and what is drawn, in words */
    uint64_t hash; /* of the content */
    size_t broken; /* identities */
    char *notes;
};

/* Add figures; plots.c. Figure names: trees by arm, searches by row of "curves",
 * places in order, all others by environment. */
enum cor_status report__plot_survival(struct cor_report *report, struct cor_error *error) COR_MUST_USE;
enum cor_status report__plot_decisions(struct cor_report *report, struct cor_error *error) COR_MUST_USE;
enum cor_status report__plot_searches(struct cor_report *report, struct cor_error *error) COR_MUST_USE;
enum cor_status report__plot_growth(struct cor_report *report, struct cor_error *error) COR_MUST_USE;
enum cor_status report__plot_heat(struct cor_report *report, struct cor_error *error) COR_MUST_USE;
enum cor_status report__plot_places(struct cor_report *report, const struct cor_sheet *cells,
                                    struct cor_error *error) COR_MUST_USE;
enum cor_status report__plot_trees(struct cor_report *report, struct cor_error *error) COR_MUST_USE;

/* A sheet of the view that the page is of; NULL = there is none. */
const struct cor_sheet *report__sheet_of(const struct cor_report *report, const char *id);

/* Lets a view fill its sheets; says what is being done. */
enum cor_status report__look(struct cor_report *report, const char *name,
                             const struct cor_view_request *request, struct cor_sheets **sheets,
                             struct cor_error *error) COR_MUST_USE;
void report__say_doing(const struct cor_report *report, const char *what);

/* Of the facts under the title, which are in a <dl>: a number; the seed, which ends the list. */
void report__page_fact(FILE *file, const char *name, uint64_t value);
void report__page_seed(const struct cor_report *report, FILE *file);

/* What a sheet of that view shows, in a sentence within <tag class=insight>; nothing where nothing is known
 * to say. */
void report__page_insight(enum report__shown_view view, const struct cor_sheet *sheet, const char *tag,
                          FILE *file);

/* A sheet under its insight; `closed`: both under its title, until it is opened. */
enum cor_status report__page_sheet(enum report__shown_view view, const struct cor_sheet *sheet, bool closed,
                                   FILE *file, struct cor_error *error) COR_MUST_USE;

/* Whether graphviz is missing. */
void report__page_troubles(const struct cor_report *report, FILE *file);

void report__page_facts(const struct cor_report *report, FILE *file);
void report__page_headline(const struct cor_report *report, FILE *file);
void report__page_provenance(const struct cor_report *report, FILE *file);

/* The curves among decisions; plots.c. */
void report__page_decisions(const struct cor_report *report, FILE *file);

/* ---- what pages of tests of systems say alike, beside a model or of a running system: facts, the headline,
 * and what became of mutants */

/* Its words. The view that the page is of has sheets "arms", "scores", and "kills" where there are mutants.
 */
struct report__tests_words {
    const char *view_name;
    const char *fails;   /* of a test that failed: what was so */
    const char *system;  /* what may die, hang or speak nonsense */
    const char *chooser; /* column of scores and kills: what chooses */
    const char *unit;    /* column of kills: what a test is made of; */
    const char *until;   /* "to the failure": so many of them */
    const char *spent;   /* the key of all that were spent on a mutant; NULL: no sheet has it */
    const char *legend;  /* of the matrix, HTML */
};

/* Ends the facts: the seed, and that tests are missing, or graphviz. */
void report__tests_facts_end(const struct cor_report *report, FILE *file);

/* Of the system as it is; of mutants by what chooses. */
void report__tests_headline(const struct cor_report *report, FILE *file);

/* Mutants by what chooses, as a matrix. */
void report__tests_kills(const struct cor_report *report, FILE *file);

/* ---- HTML out of sheets */

/* A number with narrow blanks between thousands. */
void report__html_count(FILE *file, uint64_t value);

/* A real with so many decimals, or n/a; and without trailing noise: at most so many significant digits. */
void report__html_real(FILE *file, double value, int decimals);
void report__html_brief(FILE *file, double value);

/* A heading of a column. */
void report__head(FILE *file, const char *text);

#define REPORT__COLUMNS_MAX 40 /* of a matrix */
#define REPORT__LINES_MAX 512

/* The cell of a row under a key: "", 0 and NaN where it is not available. */
const char *report__sheet_word(const struct cor_sheet *sheet, size_t row, const char *key);
uint64_t report__sheet_count(const struct cor_sheet *sheet, size_t row, const char *key);
double report__sheet_real(const struct cor_sheet *sheet, size_t row, const char *key);

/* Sum of the counts under a key; number of rows with that word there. */
uint64_t report__sheet_sum(const struct cor_sheet *sheet, const char *key);
size_t report__sheet_rows_with(const struct cor_sheet *sheet, const char *key, const char *word);

/* How many rows a page shows: of a sheet of which it shows the first group, those of that. */
size_t report__sheet_rows(const struct cor_sheet *sheet);

/* A sheet with a line for each word under one key and a column for each under another. */
struct report__matrix {
    const struct cor_sheet *sheet;
    const struct cor_sheet *lines; /* another sheet that has all lines under line_key; NULL = none */
    const char *line_key, *column_key;
    const char *line_shown;        /* key of what is shown of a line; NULL = line_key */
    const char *group_key, *group; /* only rows of that group; NULL = all */
    const char *heading, *class;   /* of the lines; of the table */
    void (*put_heading)(const char *word, FILE *file);
    /* A whole <td>. */
    void (*put_cell)(const struct report__matrix *matrix, size_t row, FILE *file);
    const void *with; /* of put_cell; NULL = it needs nothing more */
};

/* Writes it as a table; lines and columns in the order in which they first occur. */
void report__matrix_html(const struct report__matrix *matrix, FILE *file);

#endif
