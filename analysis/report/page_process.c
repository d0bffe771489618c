/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of a result file of the process layer: schedules of distributed programs. */
#include "page.h"

#include <corridor/process_schema.h>

static bool is_filled(const struct cor_sheet *sheet) {
    return sheet && cor_sheet_size(sheet) > 0;
}

static bool has_failures(const struct cor_report *report) {
    return is_filled(report__sheet_of(report, "failures"));
}

static bool has_schedule(const struct cor_report *report) {
    return is_filled(report__sheet_of(report, "schedule"));
}

static void put_facts(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *arms = report__sheet_of(report, "arms");
    fputs("<dl class=facts>", file);
    report__page_fact(file, "arms", report->arm_count);
    report__page_fact(file, "schedules", report__sheet_sum(arms, "sequences"));
    report__page_fact(file, "failed", report__sheet_sum(arms, "failed"));
    report__page_fact(file, "no verdict", report__sheet_sum(arms, "undecided"));
    report__page_fact(file, "messages", report__sheet_sum(arms, "messages"));
    report__page_seed(report, file);
}

/* What is said of faults, where an arm has one. */
static void put_faults(const struct cor_report *report, FILE *file) {
    size_t faults = 0;
    for (size_t a = 0; a < report->arm_count; a++)
        faults += report->arm[a].has_fault;
    if (faults > 0)
        fputs("<p>An arm with a fault is found if a schedule failed.</p>\n", file);
}

static const struct report__section sections[] = {
    {.id = "glance",
     .shorter = "At a glance",
     .heading = "At a glance",
     .sentence = "Where nothing failed, there was no violation in so many schedules of this profile; that is "
                 "no proof that the program is correct.",
     .before = put_faults,
     .sheet = {{REPORT__OF_processes, "arms", false}}},
    {.id = "violations",
     .shorter = "Violations",
     .heading = "What was violated",
     .is_shown = has_failures,
     .sheet = {{REPORT__OF_processes, "classes", false},
               {REPORT__OF_processes, "failures", true},
               {REPORT__OF_processes, "constraints", true}}},
    {.id = "schedule",
     .shorter = "Schedule",
     .heading = "One failing schedule",
     .sentence =
         "The first that is kept. Others: <code>corridor show FILE processes --arm NAME --suite N</code>.",
     .is_shown = has_schedule,
     .sheet = {{REPORT__OF_processes, "ending", false}, {REPORT__OF_processes, "schedule", true}}},
    {.id = "seen",
     .shorter = "Coverage",
     .heading = "States that were seen, and what happened",
     .sheet = {{REPORT__OF_processes, "growth", false}, {REPORT__OF_processes, "happened", true}}},
    {.id = "provenance", .shorter = "Provenance", .heading = "Provenance", .after = report__page_provenance},
};

const struct report__page_kind report__page_of_process = {.layer = &cor_process_schema,
                                                          .subject = "process",
                                                          .view = "processes",
                                                          .shown = REPORT__OF_processes,
                                                          .put_facts = put_facts,
                                                          .sections = sections,
                                                          .section_count =
                                                              sizeof sections / sizeof *sections};
