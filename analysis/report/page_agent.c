/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of a result file of the agent layer: what is particular to it. */
#include "page.h"

#include <corridor/agent_graph.h>
#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/view.h>

#include <string.h>

#define GRAPH_UNITS_MAX 300 /* of an agent that is drawn */
#define SENTENCES_MAX 500

/* "none" is the name of an arm without a fault. */
static const char *shown_name(const char *arm) {
    return strcmp(arm, "none") == 0 ? "the agent without a fault" : arm;
}

static enum cor_status add_graph(struct cor_report *report, const struct cor_layer_tables *agent, size_t arm,
                                 struct cor_error *error) {
    char name[REPORT__FIGURE_NAME];
    struct report__text text;
    report__text_begin(&text);
    if (text.file)
        cor_agent_graph(agent, (uint16_t)arm, text.file);
    char *graph = report__text_end(&text);
    COR_TRY(cor_made(graph, error));
    report__figure_name(name, "units", arm);
    struct report__figure *figure = report__figure_add_graph(&report->figures, name, graph, error);
    if (!figure)
        return COR_STATUS_MEMORY;
    figure->title = cor_format("Units of %.60s by outcome", shown_name(report->arm[arm].name));
    figure->description =
        cor_format("Each unit points to those it needs: green where nothing was found, red where a "
                   "root was, yellow where all is a consequence.");
    return report__figure_status(figure, error);
}

static enum cor_status plot_units(struct cor_report *report, struct cor_error *error) {
    struct cor_layer_tables agent;
    enum cor_status status = COR_OK;
    COR_TRY(cor_agent_result_init(report->result, &agent, error));
    bool drawn = report->head->catalog_size[COR_AGENT_CATALOG_UNIT] <= GRAPH_UNITS_MAX;
    for (size_t a = 0; drawn && a < report->arm_count && a < REPORT__ARMS_MAX && status == COR_OK; a++)
        status = add_graph(report, &agent, a, error);
    cor_layer_tables_fini(&agent);
    return status;
}

static void put_units(const struct cor_report *report, FILE *file) {
    char name[REPORT__FIGURE_NAME];
    fputs("<div class=\"multiples large\">\n", file);
    for (size_t a = 0; a < report->arm_count && a < REPORT__ARMS_MAX; a++) {
        report__figure_name(name, "units", a);
        report__figure_html(&report->figures, file, name, shown_name(report->arm[a].name));
    }
    fputs("</div>\n", file);
}

static void put_facts(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *about = report__sheet_of(report, "about");
    fputs("<dl class=facts>", file);
    report__page_fact(file, "arms", report__sheet_count(about, 0, "arms"));
    report__page_fact(file, "units run", report__sheet_count(about, 0, "suites"));
    report__page_fact(file, "test cases", report__sheet_count(about, 0, "cases"));
    report__page_fact(file, "findings", report__sheet_count(about, 0, "findings"));
    report__page_seed(report, file);
    if (!report->head->complete)
        fputs(
            "<p class=note><strong>Not complete:</strong> the campaign ended before all units were run.</p>",
            file);
    report__page_troubles(report, file);
}

static void put_headline(const struct cor_report *report, FILE *file) {
    size_t faults = 0, found = 0, sound = 0, accused = 0;
    const struct cor_sheet *of_units = report__sheet_of(report, "units");
    const struct cor_sheet *of_arms = report__sheet_of(report, "arms");
    for (size_t a = 0; a < report->arm_count; a++) {
        uint64_t findings = 0;
        for (size_t row = 0; row < cor_sheet_size(of_units); row++)
            if (strcmp(report__sheet_word(of_units, row, "arm"), report->arm[a].name) == 0)
                findings += report__sheet_count(of_units, row, "errors") +
                            report__sheet_count(of_units, row, "warnings");
        bool faulty = report->arm[a].has_fault, is_own = true;
        for (size_t row = 0; of_arms && row < cor_sheet_size(of_arms); row++)
            if (strcmp(report__sheet_word(of_arms, row, "arm"), report->arm[a].name) == 0)
                is_own = report__sheet_count(of_arms, row, "own") > 0;
        faults += faulty;
        found += faulty && findings > 0 && is_own;
        sound += !faulty;
        accused += !faulty && findings > 0;
    }
    fputs("<p class=headline>", file);
    if (faults > 0)
        fprintf(file, "<strong>%zu of %zu</strong> faults %s found. ", found, faults,
                faults == 1 ? "is" : "are");
    if (sound > 0 && accused == 0)
        fprintf(file, "No error and no warning in %s%s.", sound == 1 ? "the agent" : "the agents",
                faults > 0 ? " without a fault" : "");
    else if (sound > 0)
        fprintf(file, "Something was found in <strong>%zu of %zu</strong> agents%s.", accused, sound,
                faults > 0 ? " without a fault" : "");
    fputs("</p>\n", file);
}

static void put_sentences(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *findings = report__sheet_of(report, "findings");
    if (cor_sheet_size(findings) == 0) {
        fputs("<p>Nothing was found.</p>\n", file);
        return;
    }
    fputs("<details><summary><h3>In words</h3></summary>\n<dl class=entries>\n", file);
    for (size_t row = 0; row < cor_sheet_size(findings) && row < SENTENCES_MAX; row++) {
        /* A finding in words, with the values of its smallest case and where to look. */
        const char *values = report__sheet_word(findings, row, "values");
        fputs("<dt>", file);
        cor_html_short(file, report__sheet_word(findings, row, "agent"), 60);
        fputs(": ", file);
        cor_html_short(file, report__sheet_word(findings, row, "unit"), 200);
        fputs("</dt><dd>", file);
        cor_html_short(file, report__sheet_word(findings, row, "sentence"), 400);
        if (values && values[0]) {
            fputs(" Smallest case: <code>", file);
            cor_html_short(file, values, 400);
            fputs("</code>.", file);
        }
        fputs(" Look at ", file);
        cor_html_short(file, report__sheet_word(findings, row, "look"), 200);
        fputs(".</dd>\n", file);
    }
    fputs("</dl></details>\n", file);
}

static const struct report__section sections[] = {
    {.id = "glance",
     .shorter = "At a glance",
     .heading = "At a glance",
     .before = put_headline,
     .sheet = {{REPORT__OF_findings, "arms", false},
               {REPORT__OF_findings, "operators", false},
               {REPORT__OF_findings, "killers", true}}},
    {.id = "findings",
     .shorter = "Findings",
     .heading = "Findings",
     .sentence =
         "What the agent does otherwise than its design. A finding is a root, or a consequence of another in "
         "its unit or in a unit that it needs. A case alone: <code>corridor agent test --case UNIT:N "
         "--trace</code>.",
     .sheet = {{REPORT__OF_findings, "findings", false}, {REPORT__OF_findings, "mutants", true}},
     .after = put_sentences},
    {.id = "units",
     .shorter = "Units",
     .heading = "Units, by outcome",
     .sentence =
         "Each unit points to those it needs: green where nothing was found, red where a root was, yellow "
         "where all that was found is a consequence.",
     .sheet = {{REPORT__OF_findings, "units", true}},
     .after = put_units},
    {.id = "reached",
     .shorter = "What was reached",
     .heading = "What the cases reached",
     .sheet = {{REPORT__OF_findings, "adequacy", false}, {REPORT__OF_findings, "not_run", false}}},
    {.id = "provenance", .shorter = "Provenance", .heading = "Provenance", .after = report__page_provenance},
};

const struct report__page_kind report__page_of_agent = {.layer = &cor_agent_schema,
                                                        .view = "findings",
                                                        .shown = REPORT__OF_findings,
                                                        .plot = plot_units,
                                                        .put_facts = put_facts,
                                                        .sections = sections,
                                                        .section_count = sizeof sections / sizeof *sections};
