/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the walks of the environment cover. */
#include "page.h"

#include "html.h"

#include <math.h>

static void put_percent(const struct cor_covered *covered, FILE *file) {
    cor__cell_real(file, cor_covered_percent(covered), 1);
}

static void put_shares(const struct cor_environment_coverage *environment, FILE *file) {
    cor__cell_count(file, environment->profiles);
    put_percent(&environment->covered[COR_COVERAGE_CHAIN][COR_COVERED_STATES], file);
    put_percent(&environment->covered[COR_COVERAGE_CHAIN][COR_COVERED_ARCS], file);
    put_percent(&environment->covered[COR_COVERAGE_SUITE][COR_COVERED_STATES], file);
    put_percent(&environment->covered[COR_COVERAGE_SUITE][COR_COVERED_ARCS], file);
    put_percent(&environment->covered[COR_COVERAGE_SUITE][COR_COVERED_LIKELY_ARCS], file);
    put_percent(&environment->covered[COR_COVERAGE_SUITE][COR_COVERED_ARC_MASS], file);
    cor__cell_real(file, environment->suite.cases_law, 1);
    fputs("</tr>\n", file);
}

static void put_head(const char *what, const char *id, FILE *file) {
    fprintf(file, "<div class=wide><table class=sorts data-table=%s>\n<thead><tr>", id);
    cor__head(file, what);
    cor__head_number(file, "Profiles in suites");
    cor__head_number(file, "States, by a chain, %");
    cor__head_number(file, "Transitions, by a chain, %");
    cor__head_number(file, "States, by a suite, %");
    cor__head_number(file, "Transitions, by a suite, %");
    cor__head_number(file, "Likely transitions, by a suite, %");
    cor__head_number(file, "Transition mass, by a suite, %");
    cor__head_number(file, "Cases to the next new one");
    fputs("</tr></thead>\n<tbody>\n", file);
}

static void put_tables(const struct cor_report *report, FILE *file) {
    const struct cor_coverage *coverage = report->coverage;
    put_head("Environment", "coverage", file);
    for (size_t e = 0; e < coverage->arm[0].environment_count; e++) {
        fputs("<tr><th scope=row>", file);
        cor_html_short(file, coverage->arm[0].environment[e]->name, 40);
        fputs("</th>", file);
        put_shares(coverage->arm[0].environment[e], file);
    }
    fputs("</tbody></table></div>\n<details><summary><h3>By arm</h3></summary>\n", file);
    put_head("Arm", "coverage-arms", file);
    for (size_t a = 1; a < coverage->arm_count; a++) {
        if (coverage->arm[a].environment_count == 0)
            continue;
        fputs("<tr><th scope=row>", file);
        cor_html_short(file, coverage->arm[a].name, 40);
        fputs("</th>", file);
        put_shares(coverage->arm[a].environment[0], file);
    }
    fputs("</tbody></table></div></details>\n", file);
}

static void put_missed(const struct cor_report *report, FILE *file) {
    const struct cor_arm_coverage *all = &report->coverage->arm[0];
    const struct cor_environment_coverage *environment = all->environment[0];
    if (environment->missed_count == 0)
        return;
    fputs("<details><summary><h3>Likely but never taken</h3></summary>\n<div class=wide><table class=sorts "
          "data-table=missed><thead><tr>",
          file);
    cor__head(file, "Environment");
    cor__head(file, "In arm");
    cor__head_number(file, "Suite");
    cor__head_number(file, "From");
    cor__head_number(file, "To");
    cor__head_number(file, "Probability");
    cor__head_number(file, "Expected times");
    cor__head_number(file, "Chance of missing it");
    fputs("</tr></thead><tbody>\n", file);
    for (size_t m = 0; m < environment->missed_count; m++) {
        const struct cor_missed *missed = &environment->missed[m];
        fputs("<tr><th scope=row>", file);
        cor_html_short(file, cor_result_name(report->result, COR_CATALOG_ENVIRONMENT, missed->environment),
                       40);
        fputs("</th><td class=t>", file);
        cor_html_short(file, cor_result_name(report->result, COR_CATALOG_ARM, missed->arm), 40);
        fprintf(file, "</td><td data-v=%lld>", (long long)missed->suite);
        if (missed->suite < 0)
            fputs("none", file);
        else
            fprintf(file, "%lld", (long long)missed->suite);
        fprintf(file, "</td><td>%u</td><td>%u</td>", missed->from, missed->to);
        cor__cell_real(file, missed->probability, 5);
        cor__cell_real(file, missed->expected, 2);
        cor__cell_real(file, missed->chance, 5);
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table></div></details>\n", file);
}

static void put_figures(const struct cor_report *report, FILE *file) {
    const struct cor_arm_coverage *all = &report->coverage->arm[0];
    char name[COR__FIGURE_NAME], caption[160];
    fputs("<h3>How it grows</h3>\n<p>Mean share that a chain has seen after so many cases of its sequence; "
          "by mass: "
          "each transition weighted by how often it occurs in the long run.</p>\n<div class=multiples>\n",
          file);
    for (size_t e = 0; e < all->environment_count; e++) {
        cor__figure_name(name, "growth", e);
        cor__figure_html(&report->figures, file, name,
                         e == 0 ? "all environments" : all->environment[e]->name);
    }
    fputs("</div>\n<h3>Where the walks went</h3>\n<p>How often each transition was taken, in decades; "
          "framed: possible "
          "but never taken; blank: not possible.</p>\n<div class=\"multiples large\">\n",
          file);
    for (size_t e = 1; e < all->environment_count; e++) {
        cor__figure_name(name, "heat", e);
        snprintf(caption, sizeof caption, "%.100s%s", all->environment[e]->name,
                 all->environment[e]->fixed ? "" : ", one profile of many");
        cor__figure_html(&report->figures, file, name, caption);
    }
    fputs("</div>\n", file);
}

void cor__page_coverage(const struct cor_report *report, FILE *file) {
    const struct cor_arm_coverage *all = &report->coverage->arm[0];
    if (all->environment_count == 0) {
        fputs("<p>There are no suites, so nothing was covered.</p>\n", file);
    } else {
        put_tables(report, file);
        put_figures(report, file);
        put_missed(report, file);
        fputs("<p class=legend>By a chain: one chain in one sequence, as in Table 1. Likely: the fewest "
              "transitions "
              "with 95 % of the stationary mass. Cases to the next new one: 1 / the expected number of new "
              "transitions in the next case of a suite, by the law of the profiles. More: <code>corridor "
              "coverage</code>, docs/statistics.md.</p>\n",
              file);
    }
}
