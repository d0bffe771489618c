/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of a result file of the efsm layer: tests on line beside a model, and of mutants. */
#include "page.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/efsm_graph.h>

#include <stdlib.h>

#define GRAPH_TRANSITIONS_MAX 300 /* of a model that is drawn */

/* Arms that are compared and shown in all detail; of many mutants there are too many. */
static bool has_few_arms(const struct cor_report *report) {
    return report->arm_count <= REPORT__ARMS_MAX;
}

static enum cor_status add_graph(struct cor_report *report, const struct cor_layer_tables *model, size_t arm,
                                 struct cor_error *error) {
    char name[REPORT__FIGURE_NAME];
    struct report__text text;
    enum cor_status status = COR_OK;
    report__text_begin(&text);
    if (text.file)
        status = cor_efsm_graph(model, (uint16_t)arm, text.file, error);
    char *graph = report__text_end(&text);
    if (status != COR_OK) {
        free(graph);
        return status;
    }
    COR_TRY(cor_made(graph, error));
    report__figure_name(name, "model", arm);
    struct report__figure *figure = report__figure_add_graph(&report->figures, name, graph, error);
    if (!figure)
        return COR_STATUS_MEMORY;
    figure->title = cor_format("What tests of %.60s took of the model", report->arm[arm].name);
    figure->description =
        cor_format("Locations and transitions: green what was taken, with how often; red what "
                   "the goal asks for and no test took; dashed what it does not ask for.");
    return report__figure_status(figure, error);
}

static enum cor_status plot_models(struct cor_report *report, struct cor_error *error) {
    COR_FINISHED(cor_layer_tables) struct cor_layer_tables model = {0};
    const struct cor_sheet *transitions = report__sheet_of(report, "transitions");
    if (!has_few_arms(report) || !transitions || cor_sheet_size(transitions) == 0 ||
        report->head->catalog_size[COR_EFSM_CATALOG_TRANSITION] > GRAPH_TRANSITIONS_MAX)
        return COR_OK;
    COR_TRY(cor_efsm_result_init(report->result, &model, error));
    for (size_t a = 0; a < report->arm_count; a++)
        COR_TRY(add_graph(report, &model, a, error));
    return COR_OK;
}

static void put_graphs(const struct cor_report *report, FILE *file) {
    char name[REPORT__FIGURE_NAME];
    fputs("<div class=\"multiples large\">\n", file);
    for (size_t a = 0; a < report->arm_count && a < REPORT__ARMS_MAX; a++) {
        report__figure_name(name, "model", a);
        report__figure_html(&report->figures, file, name, report->arm[a].name);
    }
    fputs("</div>\n", file);
}

static void put_facts(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *arms = report__sheet_of(report, "arms");
    const size_t transitions = report->head->catalog_size[COR_EFSM_CATALOG_TRANSITION];
    fputs("<dl class=facts>", file);
    report__page_fact(file, "arms", report->arm_count);
    report__page_fact(file, "tests", report__sheet_sum(arms, "tests"));
    report__page_fact(file, "pass", report__sheet_sum(arms, "pass"));
    report__page_fact(file, "fail", report__sheet_sum(arms, "fail"));
    report__page_fact(file, "transitions",
                      transitions > 0 ? transitions - 1 : 0); /* the first stands for none */
    report__page_fact(file, "traps", report->head->catalog_size[COR_EFSM_CATALOG_TRAP]);
    report__tests_facts_end(report, file);
}

static const struct report__tests_words words = {
    .view_name = "tests",
    .fails = "the model does not allow what was observed",
    .system = "system",
    .chooser = "planner",
    .unit = "moves",
    .until = "to the failure",
    .legend =
        "Tests that failed, of those that were made; stronger colour: a larger share. alive: it differs from "
        "the model, and no test failed; equivalent: proven to answer nothing that the model does not allow; "
        "undecided: not known to differ."};

/* What is not shown of many arms. */
static void put_many(const struct cor_report *report, FILE *file) {
    if (has_few_arms(report))
        return;
    fprintf(file,
            "<p>Of %zu arms this page has no tests one by one: <code>corridor show FILE tests --arm "
            "NAME</code> shows what "
            "an arm did, <code>--suite N</code> the moves of a test.</p>\n",
            report->arm_count);
}

static const struct report__section sections[] = {
    {.id = "glance",
     .shorter = "At a glance",
     .heading = "At a glance",
     .before = report__tests_headline,
     .sheet = {{REPORT__OF_tests, "scores", false}},
     .after = put_many},
    {.id = "arms",
     .shorter = "Planners and systems",
     .heading = "Planners and systems",
     .sentence =
         "Verdicts by planner and system. pass: the goal is covered, and all that was observed is allowed; "
         "lost, unreachable: proven to be out of reach.",
     .is_shown = has_few_arms,
     .sheet = {{REPORT__OF_tests, "arms", false}, {REPORT__OF_tests, "tests", false}}},
    {.id = "mutants",
     .shorter = "Mutants",
     .heading = "Mutants, by planner",
     .needs = {"kills"},
     .before = report__tests_kills,
     .sheet = {{REPORT__OF_tests, "kills", true}}},
    {.id = "coverage",
     .shorter = "Coverage",
     .heading = "Coverage of goal and model",
     .sentence = "What of the goal and of the model tests covered, and why not the rest.",
     .is_shown = has_few_arms,
     .sheet = {{REPORT__OF_tests, "traps", false}, {REPORT__OF_tests, "transitions", false}},
     .after = put_graphs},
    {.id = "moves",
     .shorter = "Moves",
     .heading = "Moves of a test",
     .sentence = "The first test that failed, else the first. Others: <code>corridor show FILE tests --arm "
                 "NAME --suite N"
                 "</code>; the tests again: <code>corridor replay</code>.",
     .needs = {"moves"},
     .sheet = {{REPORT__OF_tests, "moves", false}}},
    {.id = "provenance", .shorter = "Provenance", .heading = "Provenance", .after = report__page_provenance},
};

const struct report__page_kind report__page_of_efsm = {.layer = &cor_efsm_schema,
                                                       .subject = "efsm",
                                                       .view = "tests",
                                                       .shown = REPORT__OF_tests,
                                                       .plot = plot_models,
                                                       .put_facts = put_facts,
                                                       .words = &words,
                                                       .sections = sections,
                                                       .section_count = sizeof sections / sizeof *sections};
