/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of a result file of the interaction layer: which views it shows, and in which sections. */
#include "page.h"
#include "page_html.h"

#include <corridor/array.h>
#include <corridor/ranking.h>
#include <corridor/schema.h>
#include <corridor/view.h>

#include <string.h>

#define FEATURES 6 /* of a ranking that are shown */

/* The environments of all arms together, as far as they are drawn. */
static enum cor_status find_environments(struct cor_report *report, struct cor_error *error) {
    const struct cor_sheet *environments = cor_sheets_find(report->view[REPORT__OF_coverage], "environments"),
                           *states = cor_sheets_find(report->view[REPORT__OF_coverage], "states");
    report->environment = cor_calloc(REPORT__ENVIRONMENTS_MAX, sizeof *report->environment);
    if (!report->environment)
        return cor_fail_memory(error);
    for (size_t row = 0; row < cor_sheet_size(environments); row++) {
        if (strcmp(report__sheet_word(environments, row, "arm"), "all") != 0 ||
            report->environment_count == REPORT__ENVIRONMENTS_MAX)
            continue;
        struct report__environment *it = &report->environment[report->environment_count++];
        it->name = report__sheet_word(environments, row, "environment");
        it->code = (uint16_t)report__sheet_count(environments, row, "code");
        it->fixed =
            cor_sheet_cell(environments, row, cor_sheet_column(environments, "same_in_all_suites"))->flag;
        for (size_t s = 0; s < cor_sheet_size(states); s++)
            it->states += strcmp(report__sheet_word(states, s, "arm"), "all") == 0 &&
                          strcmp(report__sheet_word(states, s, "environment"), it->name) == 0;
    }
    return COR_OK;
}

static enum cor_status read_views(struct cor_report *report, struct cor_error *error) {
    const struct cor_view_request all = {
        .result = report->result, .level = report->options.level, .suite = COR_ANY_SUITE};
    report__say_doing(report, "computing the tables");
    COR_TRY(report__look(report, "tables", &all, &report->view[REPORT__OF_tables], error));
    report__say_doing(report, "computing times to detection");
    COR_TRY(report__look(report, "survival", &all, &report->view[REPORT__OF_survival], error));
    report__say_doing(report, "computing coverage");
    COR_TRY(report__look(report, "coverage", &all, &report->view[REPORT__OF_coverage], error));
    COR_TRY(find_environments(report, error));
    if (cor_result_size(report->result, COR_TABLE_TRAPS) > 0)
        COR_TRY(report__look(report, "traps", &all, &report->view[REPORT__OF_traps], error));
    if (cor_result_size(report->result, COR_TABLE_MECHANISMS) > 0) {
        report__say_doing(report, "comparing forms of arms");
        COR_TRY(report__look(report, "mechanisms", &all, &report->view[REPORT__OF_mechanisms], error));
    }
    if (cor_has_properties(report->head)) {
        report__say_doing(report, "deciding its properties");
        COR_TRY(report__look(report, "decisions", &all, &report->view[REPORT__OF_decisions], error));
    }
    report__say_doing(report, "choosing failures");
    COR_TRY(report__failures_init(&report->failures, report->result,
                                  cor_sheets_find(report->view[REPORT__OF_tables], "failures"), error));
    report__say_doing(report, "ranking what goes with failing");
    const struct cor_sheet *happened = cor_sheets_find(report->view[REPORT__OF_tables], "reorganizations");
    struct cor_view_request request = all;
    report->ranking = cor_calloc(report->arm_count, sizeof *report->ranking);
    if (!report->ranking)
        return cor_fail_memory(error);
    request.rows = FEATURES;
    request.unit = COR_RANKED_UNIT_REORGANIZATION;
    request.score = COR_SCORE_OCHIAI;
    for (size_t a = 0; a < report->arm_count && a < REPORT__ARMS_MAX; a++) {
        if (report__sheet_count(happened, a, "gray") + report__sheet_count(happened, a, "black") == 0)
            continue;
        request.arm = report->arm[a].name;
        COR_TRY(report__look(report, "ranking", &request, &report->ranking[a], error));
    }
    return COR_OK;
}

static enum cor_status plot_all(struct cor_report *report, struct cor_error *error) {
    COR_TRY(report__plot_survival(report, error));
    COR_TRY(report__plot_decisions(report, error));
    COR_TRY(report__plot_growth(report, error));
    COR_TRY(report__plot_heat(report, error));
    return report__plot_trees(report, error);
}

static void write_claims_headline(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *claims = cor_sheets_find(report->view[REPORT__OF_tables], "claims");
    size_t holding = report__sheet_rows_with(claims, "verdict", "holds"),
           failing = report__sheet_rows_with(claims, "verdict", "does_not_hold"),
           undecided = report__sheet_rows_with(claims, "verdict", "undecided");
    fprintf(file,
            "<p class=headline>Of the claims of the paper that can be judged here <strong>%zu</strong> hold, "
            "<strong>%zu</strong> do not, and %zu stay undecided: this file does not say enough.</p>\n",
            holding, failing, undecided);
}

static void write_curves(const struct cor_report *report, FILE *file) {
    fputs(
        "<p>A curve: share of the sequences of an arm still without a detection by either box after so many "
        "test cases (Kaplan\xe2\x80\x93Meier; intervals are below). An arm without a detection has no "
        "curve.</p>\n<div class=\"multiples one\">\n",
        file);
    report__figure_html(&report->figures, file, "survival-01", "Sequences without a detection");
    fputs("</div>\n", file);
}

static void write_maps(const struct cor_report *report, FILE *file) {
    char name[REPORT__FIGURE_NAME], caption[160];
    fputs(
        "<h3>How it grows</h3>\n<p>Mean share that a chain has seen after so many cases of its sequence; by "
        "mass: each transition weighted by how often it occurs in the long run.</p>\n<div class=multiples>\n",
        file);
    for (size_t e = 0; e < report->environment_count; e++) {
        if (e == 1)
            fputs("</div>\n<details><summary><h3>How it grows in each environment</h3></summary>\n<div "
                  "class=multiples>\n",
                  file);
        report__figure_name(name, "growth", e);
        report__figure_html(&report->figures, file, name,
                            e == 0 ? "all environments" : report->environment[e].name);
    }
    fputs("</div>\n", file);
    if (report->environment_count > 1)
        fputs("</details>\n", file);
    fputs("<details><summary><h3>Where the walks went</h3></summary>\n<p>How often each transition was "
          "taken, in decades; "
          "framed: possible but never taken; blank: not possible.</p>\n<div class=\"multiples large\">\n",
          file);
    for (size_t e = 1; e < report->environment_count; e++) {
        report__figure_name(name, "heat", e);
        snprintf(caption, sizeof caption, "%.100s%s", report->environment[e].name,
                 report->environment[e].fixed ? "" : ", one profile of many");
        report__figure_html(&report->figures, file, name, caption);
    }
    fputs("</div></details>\n", file);
}

static enum cor_status write_rankings(const struct cor_report *report, FILE *file, struct cor_error *error) {
    bool any = false;
    for (size_t a = 0; a < report->arm_count; a++)
        if (report->ranking[a]) {
            static const char *const ids[] = {"ranking", "causes", "symptoms"};
            char name[REPORT__FIGURE_NAME];
            COR_ASSERT(a < report->arm_count && report->ranking[a]);
            fputs("<details><summary><h3>", file);
            cor_html_short(file, report->arm[a].name, 48);
            fputs("</h3> ", file);
            report__page_insight(REPORT__OF_ranking, cor_sheets_find(report->ranking[a], "causes"), "span",
                                 file);
            fputs("</summary>\n", file);
            for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
                COR_TRY(report__page_sheet(REPORT__OF_ranking, cor_sheets_find(report->ranking[a], ids[i]),
                                           false, file, error));
            report__figure_name(name, "tree", a);
            report__figure_html(&report->figures, file, name, "Where the verdicts of a suite part");
            fputs("</details>\n", file);
            any = true;
        }
    if (!any)
        fputs("<p>No box failed a reorganization: there is nothing to explain.</p>\n", file);
    return COR_OK;
}

/* Claims are judged where an arm of the paper ran. */
static bool has_claims(const struct cor_report *report) {
    return cor_sheets_find(report->view[REPORT__OF_tables], "claims") != NULL;
}

static bool has_traps(const struct cor_report *report) {
    return report->view[REPORT__OF_traps] != NULL;
}

static bool has_monitors(const struct cor_report *report) {
    for (size_t a = 0; a < report->arm_count; a++)
        if (report->arm[a].has_monitors)
            return true;
    return false;
}

static bool has_mechanisms(const struct cor_report *report) {
    return report->view[REPORT__OF_mechanisms] != NULL;
}

static bool has_decisions(const struct cor_report *report) {
    return report->view[REPORT__OF_decisions] != NULL;
}

static const struct report__section sections[] = {
    {.id = "glance",
     .shorter = "At a glance",
     .heading = "At a glance",
     .before = report__page_headline,
     .sheet = {{REPORT__OF_tables, "found", false}}},
    {.id = "kills",
     .shorter = "What caught it",
     .heading = "What caught it",
     .sentence = "Sequences in which a check was violated, by the box through which it was seen. Checks are "
                 "the oracle's: it trusts neither the algorithm nor the monitor.",
     .after = report__page_kills},
    {.id = "claims",
     .shorter = "Claims",
     .is_shown = has_claims,
     .heading = "Claims of the paper",
     .sentence = "What paper 003 says of its faults in general and what its tables show, each a sentence "
                 "that the figures of this file can bear out or contradict. It holds where our figure, or "
                 "its interval over suites, is as the sentence says; the figures are below.",
     .before = write_claims_headline,
     .sheet = {{REPORT__OF_tables, "claims", false},
               {REPORT__OF_tables, "claim_parts", true},
               {REPORT__OF_tables, "agreement", true}}},
    {.id = "decisions",
     .shorter = "Decisions",
     .is_shown = has_decisions,
     .heading = "Decisions",
     .sentence =
         "Properties that the experiment states, decided by suites in their order. More: <code>corridor "
         "decide</code>, docs/do/decide.md.",
     .before = report__page_decisions,
     .sheet = {{REPORT__OF_decisions, "decisions", false}}},
    {.id = "monitors",
     .shorter = "Monitors",
     .is_shown = has_monitors,
     .heading = "Monitors under test",
     .sentence = "Alarms of each arm against the oracle (R-Detect): which it missed, which were false. More: "
                 "<code>corridor show FILE</code>, docs/do/monitors.md.",
     .sheet = {{REPORT__OF_tables, "checks", false}}},
    {.id = "mechanisms",
     .shorter = "Mechanisms",
     .is_shown = has_mechanisms,
     .heading = "Mechanisms beside the algorithm",
     .sentence = "Arms that are there bare, with mechanisms (integrated), and with chains in their places "
                 "(isolated): "
                 "which failures mechanisms mask, and at which cost. More: <code>corridor show FILE "
                 "mechanisms</code>, docs/evidence/mechanism.md.",
     .sheet = {{REPORT__OF_mechanisms, "masking", false}, {REPORT__OF_mechanisms, "forms", false}}},
    {.id = "survival",
     .shorter = "Time to detection",
     .heading = "Time to detection",
     .sentence = "Depth: the test case of the first detection by either box; a sequence without one only "
                 "says that its depth exceeds its length. More: <code>corridor show FILE survival</code>.",
     .before = write_curves,
     .sheet = {{REPORT__OF_survival, "arms", false},
               {REPORT__OF_survival, "points", false},
               {REPORT__OF_survival, "failures", true},
               {REPORT__OF_survival, "log_rank", true}},
     .after = report__page_pairs},
    {.id = "tables",
     .shorter = "Tables",
     .heading = "Tables",
     .before = report__page_tables,
     .sheet = {{REPORT__OF_tables, "identities", true}}},
    {.id = "coverage",
     .shorter = "Coverage",
     .heading = "Coverage of the environment",
     .sentence = "What the walks of the environment saw of its profiles. More: <code>corridor "
                 "coverage</code>, docs/evidence/statistics.md.",
     .sheet = {{REPORT__OF_coverage, "environments", false},
               {REPORT__OF_coverage, "covered", true},
               {REPORT__OF_coverage, "arms", true},
               {REPORT__OF_coverage, "missed", true}},
     .after = write_maps},
    {.id = "traps",
     .shorter = "Traps",
     .heading = "Traps",
     .sentence =
         "Conditions over test cases to which walks of the environment were steered, and how rare they are "
         "when walks follow the profiles. More: <code>corridor show FILE traps</code>.",
     .is_shown = has_traps,
     .sheet = {{REPORT__OF_traps, "arms", false},
               {REPORT__OF_traps, "traps", true},
               {REPORT__OF_traps, "growth", true}}},
    {.id = "features",
     .shorter = "What goes with failing",
     .heading = "What goes with failing",
     .sentence = "Properties of environment, structure and configuration that failing reorganizations share "
                 "and passing ones do not, the best of each arm; below them what the algorithm then did, a "
                 "symptom rather than a cause. All of them: <code>corridor tree</code>.",
     .within = write_rankings},
    {.id = "failures", .shorter = "Failures", .heading = "Failures", .after = report__page_failures},
    {.id = "provenance", .shorter = "Provenance", .heading = "Provenance", .after = report__page_provenance},
};

const struct report__page_kind report__page_of_interaction = {.layer = &cor_interaction_schema,
                                                              .read = read_views,
                                                              .plot = plot_all,
                                                              .put_facts = report__page_facts,
                                                              .sections = sections,
                                                              .section_count =
                                                                  sizeof sections / sizeof *sections};
