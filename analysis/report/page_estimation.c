/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of a result file of an estimation: how probable the failure is, and how that was found. */
#include "page.h"
#include "page_html.h"

#include <corridor/estimation_schema.h>

static void put_facts(const struct cor_report *report, FILE *file) {
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

static const struct report__section sections[] = {
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
                                                             .put_facts = put_facts,
                                                             .sections = sections,
                                                             .section_count =
                                                                 sizeof sections / sizeof *sections};
