/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of a result file of searches: what was found, how far they looked, and which generator finds more.
 */
#include "page.h"

#include <corridor/estimation_schema.h>
#include <corridor/search_schema.h>

#include <inttypes.h>
#include <string.h>

static bool has_regions(const struct cor_report *report) {
    return report__sheet_of(report, "regions") != NULL;
}

static void put_facts(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *search = report__sheet_of(report, "search");
    fputs("<dl class=facts>", file);
    report__page_fact(file, "arms", report->arm_count);
    report__page_fact(file, "searches", report__sheet_sum(search, "searches"));
    report__page_fact(file, "test cases", report__sheet_sum(search, "cases"));
    report__page_fact(file, "tests", report__sheet_sum(search, "tests"));
    report__page_fact(file, "that failed", report__sheet_sum(search, "failing"));
    report__page_fact(file, "classes of failures", report__sheet_sum(search, "classes"));
    report__page_seed(report, file);
    if (!report->head->complete || report__sheet_sum(search, "interrupted") > 0)
        fputs("<p class=note><strong>Not complete:</strong> it was interrupted before all budgets were used "
              "up.</p>",
              file);
    report__page_troubles(report, file);
}

static void put_headline(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *search = report__sheet_of(report, "search");
    const uint64_t searches = report__sheet_sum(search, "searches"),
                   found = report__sheet_sum(search, "found");
    fprintf(file,
            "<p class=headline><strong>%" PRIu64 " of %" PRIu64 "</strong> searches found a failure; tests "
            "of a search are no sample of the experiment's laws, and no rate is made of them.</p>\n",
            found, searches);
}

static void write_curves(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *curves = report__sheet_of(report, "curves");
    char name[REPORT__FIGURE_NAME];
    fputs("<p>Share of repetitions that have found nothing after so many executed test cases "
          "(Kaplan\xe2\x80\x93Meier).</p>\n<div class=\"multiples one\">\n",
          file);
    for (size_t row = 0, place = 0; row < cor_sheet_size(curves); row++) {
        const char *target = report__sheet_word(curves, row, "target");
        if (row > 0 && strcmp(target, report__sheet_word(curves, row - 1, "target")) == 0)
            continue;
        report__figure_name(name, "search", place++);
        report__figure_html(&report->figures, file, name, target);
    }
    fputs("</div>\n", file);
}

static const struct report__section sections[] = {
    {.id = "glance",
     .shorter = "At a glance",
     .heading = "At a glance",
     .before = put_headline,
     .sheet = {{REPORT__OF_searches, "search", false}}},
    {.id = "generators",
     .shorter = "Generators",
     .heading = "Which generator finds more, and sooner",
     .sentence = "Equal budgets of executed test cases; a repetition that found nothing is censored at its "
                 "budget; p after Holm's correction for all pairs.",
     .needs = {"shares"},
     .sheet = {{REPORT__OF_searches, "shares", false}, {REPORT__OF_searches, "pairs", false}},
     .after = write_curves},
    {.id = "findings",
     .shorter = "Findings",
     .heading = "Findings",
     .sentence =
         "The first test of each class of failures of a search; its file: <code>corridor show FILE searches "
         "--test KEY</code>.",
     .needs = {"findings"},
     .sheet = {{REPORT__OF_searches, "findings", false}}},
    {.id = "regions",
     .shorter = "Regions",
     .heading = "Regions",
     .sentence = "Constraints that a generator has learned; fresh: of suites drawn within afterwards.",
     .is_shown = has_regions,
     .sheet = {{REPORT__OF_searches, "regions", false}}},
    {.id = "islands",
     .shorter = "Searches",
     .heading = "How far each search looked",
     .sheet = {{REPORT__OF_searches, "islands", false}}},
    {.id = "provenance", .shorter = "Provenance", .heading = "Provenance", .after = report__page_provenance},
};

const struct report__page_kind report__page_of_search = {.layer = &cor_search_schema,
                                                         .subject = "experiment",
                                                         .view = "searches",
                                                         .shown = REPORT__OF_searches,
                                                         .plot = report__plot_searches,
                                                         .put_facts = put_facts,
                                                         .sections = sections,
                                                         .section_count = sizeof sections / sizeof *sections};

/* ---- the page of a result file of an estimation: how probable the failure is, and how that was found */

static void put_facts_estimation(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *estimate = report__sheet_of(report, "estimate");
    fputs("<dl class=facts>", file);
    report__page_fact(file, "repetitions", report__sheet_sum(estimate, "repetitions"));
    report__page_fact(file, "test cases", report__sheet_sum(estimate, "cases"));
    report__page_seed(report, file);
    if (!report->head->complete)
        fputs("<p class=note><strong>Not complete:</strong> it was interrupted before all repetitions were "
              "made.</p>",
              file);
}

static const struct report__section sections_estimation[] = {
    {.id = "glance",
     .shorter = "At a glance",
     .heading = "How probable the failure is",
     .sentence = "By the experiment's own law, with an interval; where a sample carries none, it is said "
                 "why. What was not seen to fail has an upper bound.",
     .sheet = {{REPORT__OF_estimate, "probabilities", false}}},
    {.id = "made",
     .shorter = "How",
     .heading = "How it was estimated",
     .sheet = {{REPORT__OF_estimate, "estimate", false}}},
    {.id = "stages",
     .shorter = "Stages",
     .heading = "How far trajectories came",
     .sentence = "They are restarted from where they came to a level, the nearest to failing last.",
     .needs = {"stages"},
     .sheet = {{REPORT__OF_estimate, "stages", false}}},
    {.id = "provenance", .shorter = "Provenance", .heading = "Provenance", .after = report__page_provenance},
};

const struct report__page_kind report__page_of_estimation = {.layer = &cor_estimation_schema,
                                                             .subject = "experiment",
                                                             .view = "estimate",
                                                             .shown = REPORT__OF_estimate,
                                                             .put_facts = put_facts_estimation,
                                                             .sections = sections_estimation,
                                                             .section_count = sizeof sections_estimation /
                                                                              sizeof *sections_estimation};
