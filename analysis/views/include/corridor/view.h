/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A view answers one question about result files with sheets. It computes and fills, and prints nothing: the
 * commands, the page and the documents all show the same sheets. Adding one that `corridor show` shows: a
 * file with its definitions and its `make`, and its name here. */
#ifndef CORRIDOR_VIEW_H
#define CORRIDOR_VIEW_H

#include <corridor/built.h>
#include <corridor/result.h>
#include <corridor/sheet.h>
#include <corridor/suite_reader.h>

/* The views, in the order of the help. Two more: the ranking is a part of the tree, and the summary, of files
 * of any layer, is what a campaign ends with. */
#define COR_VIEWS(X)                    \
    X(tables)                           \
    X(survival)                         \
    X(performance)                      \
    X(compare)                          \
    X(coverage)                         \
    X(contrasts)                        \
    X(tree)                             \
    X(traps)                            \
    X(estimate)                         \
    X(decisions)                        \
    X(inputs)                           \
    X(origins)                          \
    X(failures)                         \
    X(mechanisms)                       \
    COR_WITH_AGENT(X(findings))         \
    COR_WITH_EFSM(X(tests))             \
    X(searches)                         \
    X(cells)                            \
    COR_WITH_SYSTEM(X(goals) X(places)) \
    COR_WITH_PROCESS(X(processes))

/* Does the experiment of the file state properties, so that the view "decisions" has something to decide? */
bool cor_has_properties(const struct cor_result_header *head);

struct cor_json;

/* What is asked for; zero is every default. A view looks at what concerns it. */
struct cor_view_request {
    struct cor_result *result; /* borrowed, open */
    const char *path;         /* of it; NULL = it is not kept, which the view "decisions" alone is asked of */
    const char *program;      /* by which the commands that lead on are called; NULL = corridor */
    struct cor_result *other; /* what it is compared with; NULL = nothing */
    const char *other_path;
    struct cor_result *const *joined; /* more files, of views that join some: opened, [joined_count] */
    const char *const *joined_paths;  /* [joined_count] */
    size_t joined_count;
    double level;                /* of intervals, 0.5 .. 0.9999 */
    enum cor_interval intervals; /* over suites, one to choose; NONE = the view's own */
    const char *arm;             /* NULL = all, or the only one */
    const char *arms;            /* "A_ARM=B_ARM" of two files; NULL = all names that both have */
    uint32_t suite;              /* COR_ANY_SUITE */
    enum cor_any_box box;        /* through which box a detection counts */
    double horizon;              /* cases; 0 = found out */
    unsigned projections;        /* of the tree; 0 = COR_PROJECTIONS_USUAL */
    int unit, score;             /* of the ranking */
    uint32_t depth;              /* of drawings; 0 = all */
    size_t rows;                 /* of long lists in a text; 0 = as defined */
    bool identical;              /* the two files have one fingerprint */
    bool masked;                 /* list also cases in which a fault was active unseen */
    const char *failure_class;   /* NULL = all */
    const char *inquiries; /* JSON: properties to be decided, as an experiment has them; NULL = those of the
                           experiment */
    /* Of the view "decisions": cor_no_law of inquiries.h. */
    bool (*no_law)(const struct cor_json *experiment, const struct cor_json *arm, const char *name,
                   char *why);
    const char *const *measures; /* amounts (property.h), ended by NULL; NULL = those of the experiment */
};

/* What a caller may turn into an exit code. */
struct cor_view_findings {
    size_t broken;      /* identities of the file that do not hold */
    size_t undetected;  /* arms whose fault was reached or activated and not found */
    size_t unreached;   /* arms whose fault was never activated */
    size_t unexpected;  /* arms without a fault in which a check failed */
    size_t worse;       /* measures in which B is worse than A */
    size_t worse_times; /* thereof CPU times */
    size_t refused;     /* probabilities of which no interval can be given */
    size_t failed;      /* of agents and models: tests that JUnit XML calls failures */
    size_t denied;      /* properties that do not hold */
    size_t open;        /* properties that are undecided */
    size_t interrupted; /* searches for cells that ended before their budget */
    size_t undecided;   /* arms, and tests of agents and models, that neither passed nor failed */
};

/* A view, static: how it is asked for, what its sheets and its JSON are called, and how they are made. */
struct cor_view {
    const char *name;
    const char *command; /* that shows it: "show", or one of its own; NULL = it is a part of another */
    const char *summary; /* one line that begins with a verb */
    const char *manual;  /* what "corridor show" says of it, a paragraph; else NULL */
    const char *options; /* of "corridor show", which only some of its views take: those of this one, with
                            spaces between them; NULL = none */
    bool joins;          /* it takes more files than one, and shows them together */
    const char *schema;  /* of the JSON document, with its version */
    int version;
    const struct cor_layer_schema *layer; /* of the files it shows; NULL = the interaction layer, of
                                             the summary any */
    const struct cor_sheet_definition *const
        *sheets; /* all that it can make, NULL-terminated; the first is the CSV */
    enum cor_status (*make)(const struct cor_view_request *request, struct cor_sheets *sheets,
                            struct cor_view_findings *findings, struct cor_error *error);
    /* Writes a graph for Graphviz; NULL = the view has none. */
    enum cor_status (*graph)(const struct cor_view_request *request, FILE *file, struct cor_error *error);
};

/* All views, NULL-terminated. */
extern const struct cor_view *const cor_views[];

/* The view of that name, NULL if there is none. */
const struct cor_view *cor_view_find(const char *name);

/* Whether "corridor show" shows it. */
bool cor_view_is_shown(const struct cor_view *view);

/* The layer of the files that it shows. */
const struct cor_layer_schema *cor_view_layer(const struct cor_view *view);

/* Whether that option of "corridor show" is one of the view's own. */
bool cor_view_takes(const struct cor_view *view, const char *option);

#endif
