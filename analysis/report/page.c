/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page: its frame, and the sections in their order. A section is a sentence, sheets of the views, and
 * what no sheet can say. */
#include "page.h"
#include "html.h"

#include <corridor/cells.h>

#include <string.h>

/* Style sheet and script, ended by 0; made from style.css and script.js. */
extern const char cor__style_sheet[], cor__script[];

static void write_claims_headline(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *claims = cor_sheets_find(report->view[COR__TABLES], "claims");
    size_t holding = cor__sheet_rows_with(claims, "verdict", "holds"),
           failing = cor__sheet_rows_with(claims, "verdict", "fails");
    fprintf(file, "<p class=headline><strong>%zu of %zu</strong> claims that can be judged here hold.</p>\n",
            holding, holding + failing);
}

static void write_curves(const struct cor_report *report, FILE *file) {
    char name[COR__FIGURE_NAME];
    fprintf(file,
            "<p>Curves: share of sequences still without a detection after so many test cases "
            "(Kaplan\xe2\x80\x93Meier; the band is pointwise at %g %%, as if sequences were independent). In "
            "grey: the other arms. An arm without a detection has no picture.</p>\n<div class=multiples>\n",
            100 * report->options.level);
    for (size_t a = 0; a < report->arm_count && a < COR__ARMS_MAX; a++) {
        cor__figure_name(name, "survival", a);
        cor__figure_html(&report->figures, file, name, report->arm[a].name);
    }
    fputs("</div>\n", file);
}

static void write_maps(const struct cor_report *report, FILE *file) {
    char name[COR__FIGURE_NAME], caption[160];
    fputs(
        "<h3>How it grows</h3>\n<p>Mean share that a chain has seen after so many cases of its sequence; by "
        "mass: each transition weighted by how often it occurs in the long run.</p>\n<div class=multiples>\n",
        file);
    for (size_t e = 0; e < report->environment_count; e++) {
        cor__figure_name(name, "growth", e);
        cor__figure_html(&report->figures, file, name,
                         e == 0 ? "all environments" : report->environment[e].name);
    }
    fputs("</div>\n<h3>Where the walks went</h3>\n<p>How often each transition was taken, in decades; "
          "framed: possible but never taken; blank: not possible.</p>\n<div class=\"multiples large\">\n",
          file);
    for (size_t e = 1; e < report->environment_count; e++) {
        cor__figure_name(name, "heat", e);
        snprintf(caption, sizeof caption, "%.100s%s", report->environment[e].name,
                 report->environment[e].fixed ? "" : ", one profile of many");
        cor__figure_html(&report->figures, file, name, caption);
    }
    fputs("</div>\n", file);
}

typedef void write_part(const struct cor_report *report, FILE *file);

static const struct section {
    const char *id, *shorter, *heading; /* `shorter` for the navigation */
    const char *sentence;               /* HTML; NULL = none */
    write_part *before, *after;         /* of the sheets; NULL = nothing */
    bool of_arms;                       /* what was ranked, an arm each */
    struct {
        enum cor__shown_view view;
        const char *id; /* NULL behind the last */
        bool closed;    /* only its title, until it is opened */
    } sheet[4];
} sections[] = {
    {.id = "glance",
     .shorter = "At a glance",
     .heading = "At a glance",
     .before = cor__page_headline,
     .sheet = {{COR__TABLES, "found", false}}},
    {.id = "kills",
     .shorter = "What caught it",
     .heading = "What caught it",
     .sentence = "Sequences in which a check was violated, by the box through which it was seen. Checks are "
                 "the oracle's: it trusts neither the algorithm nor the monitor.",
     .after = cor__page_kills},
    {.id = "claims",
     .shorter = "Claims",
     .heading = "Claims of the paper",
     .sentence = "What paper 003 says of its faults in general and what its tables show, each a sentence "
                 "that the figures of this file can bear out or contradict. It holds where our figure, or "
                 "its interval over suites, is as the sentence says; the figures are below.",
     .before = write_claims_headline,
     .sheet = {{COR__TABLES, "claims", false},
               {COR__TABLES, "claim_parts", true},
               {COR__TABLES, "agreement", true}}},
    {.id = "survival",
     .shorter = "Time to detection",
     .heading = "Time to detection",
     .sentence = "Depth: the test case of the first detection by either box; a sequence without one only "
                 "says that its depth exceeds its length. More: <code>corridor survival</code>.",
     .before = write_curves,
     .sheet = {{COR__SURVIVAL, "arms", false},
               {COR__SURVIVAL, "points", false},
               {COR__SURVIVAL, "failures", true},
               {COR__SURVIVAL, "log_rank", true}},
     .after = cor__page_pairs},
    {.id = "tables",
     .shorter = "Tables",
     .heading = "Tables",
     .before = cor__page_tables,
     .sheet = {{COR__TABLES, "identities", true}}},
    {.id = "coverage",
     .shorter = "Coverage",
     .heading = "Coverage of the environment",
     .sentence = "What the walks of the environment saw of its profiles. More: <code>corridor "
                 "coverage</code>, docs/statistics.md.",
     .sheet = {{COR__COVERAGE, "environments", false},
               {COR__COVERAGE, "covered", true},
               {COR__COVERAGE, "arms", true},
               {COR__COVERAGE, "missed", true}},
     .after = write_maps},
    {.id = "features",
     .shorter = "What goes with failing",
     .heading = "What goes with failing",
     .sentence = "Properties of environment, structure and configuration that failing reorganizations share "
                 "and passing ones do not, the best of each arm; below them what the algorithm then did, a "
                 "symptom rather than a cause. All of them: <code>corridor tree</code>.",
     .of_arms = true},
    {.id = "failures", .shorter = "Failures", .heading = "Failures", .after = cor__page_failures},
    {.id = "provenance", .shorter = "Provenance", .heading = "Provenance", .after = cor__page_provenance},
};
#define SECTIONS (sizeof sections / sizeof *sections)

/* The same of a file of the agent layer. */
static const struct section agent_sections[] = {
    {.id = "glance",
     .shorter = "At a glance",
     .heading = "At a glance",
     .before = cor__page_agents_headline,
     .sheet = {{COR__FINDINGS, "arms", false},
               {COR__FINDINGS, "operators", false},
               {COR__FINDINGS, "killers", true}}},
    {.id = "findings",
     .shorter = "Findings",
     .heading = "Findings",
     .sentence =
         "What the agent does otherwise than its design. A finding is a root, or a consequence of another in "
         "its unit or in a unit that it needs. A case alone: <code>corridor units test --case UNIT:N "
         "--trace</code>.",
     .sheet = {{COR__FINDINGS, "findings", false}, {COR__FINDINGS, "mutants", true}},
     .after = cor__page_sentences},
    {.id = "units",
     .shorter = "Units",
     .heading = "Units, by outcome",
     .sentence =
         "Each unit points to those it needs: green where nothing was found, red where a root was, yellow "
         "where all that was found is a consequence.",
     .sheet = {{COR__FINDINGS, "units", true}},
     .after = cor__page_units},
    {.id = "reached",
     .shorter = "What was reached",
     .heading = "What the cases reached",
     .sheet = {{COR__FINDINGS, "adequacy", false}, {COR__FINDINGS, "not_run", false}}},
    {.id = "provenance", .shorter = "Provenance", .heading = "Provenance", .after = cor__page_provenance},
};
#define AGENT_SECTIONS (sizeof agent_sections / sizeof *agent_sections)

static const struct section *sections_of(const struct cor_report *report, size_t *count) {
    *count = report->of_agents ? AGENT_SECTIONS : SECTIONS;
    return report->of_agents ? agent_sections : sections;
}

/* Claims are judged where an arm of the paper ran. */
static bool is_shown(const struct cor_report *report, const struct section *section) {
    return strcmp(section->id, "claims") != 0 || cor_sheets_find(report->view[COR__TABLES], "claims");
}

static void write_navigation(const struct cor_report *report, FILE *file) {
    size_t count;
    const struct section *shown = sections_of(report, &count);
    fputs("<nav aria-label=Sections>", file);
    for (size_t s = 0; s < count; s++)
        if (is_shown(report, &shown[s]))
            fprintf(file, "<a href=\"#%s\">%s</a>", shown[s].id, shown[s].shorter);
    fputs("</nav>\n", file);
}

static enum cor_status write_sheet(const struct cor_sheet *sheet, bool closed, FILE *file,
                                   struct cor_error *error) {
    if (!closed)
        return cor_sheet_html(sheet, file, error);
    fprintf(file, "<details data-of=%s><summary><h3>", cor_sheet_definition(sheet)->id);
    cor_html_text(file, cor_sheet_shown_title(sheet));
    fputs("</h3></summary>\n", file);
    COR_TRY(cor_sheet_html(sheet, file, error));
    fputs("</details>\n", file);
    return COR_OK;
}

static enum cor_status write_ranking(const struct cor_report *report, size_t arm, FILE *file,
                                     struct cor_error *error) {
    static const char *const ids[] = {"ranking", "causes", "symptoms"};
    char name[COR__FIGURE_NAME];
    COR_ASSERT(arm < report->arm_count && report->ranking[arm]);
    fputs("<details><summary><h3>", file);
    cor_html_short(file, report->arm[arm].name, 48);
    fputs("</h3></summary>\n", file);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const struct cor_sheet *sheet = cor_sheets_find(report->ranking[arm], ids[i]);
        if (sheet)
            COR_TRY(cor_sheet_html(sheet, file, error));
    }
    cor__figure_name(name, "tree", arm);
    cor__figure_html(&report->figures, file, name, "Where the verdicts of a suite part");
    fputs("</details>\n", file);
    return COR_OK;
}

static enum cor_status write_rankings(const struct cor_report *report, FILE *file, struct cor_error *error) {
    bool any = false;
    for (size_t a = 0; a < report->arm_count; a++)
        if (report->ranking[a]) {
            COR_TRY(write_ranking(report, a, file, error));
            any = true;
        }
    if (!any)
        fputs("<p>No box failed a reorganization: there is nothing to explain.</p>\n", file);
    return COR_OK;
}

static enum cor_status write_section(const struct cor_report *report, const struct section *section,
                                     FILE *file, struct cor_error *error) {
    fprintf(file, "\n<section id=%s aria-labelledby=%s-h>\n<h2 id=%s-h>%s</h2>\n", section->id, section->id,
            section->id, section->heading);
    if (section->sentence)
        fprintf(file, "<p>%s</p>\n", section->sentence);
    if (section->before)
        section->before(report, file);
    for (size_t i = 0; i < sizeof section->sheet / sizeof *section->sheet && section->sheet[i].id; i++) {
        const struct cor_sheet *sheet =
            cor_sheets_find(report->view[section->sheet[i].view], section->sheet[i].id);
        if (sheet)
            COR_TRY(write_sheet(sheet, section->sheet[i].closed, file, error));
    }
    if (section->of_arms)
        COR_TRY(write_rankings(report, file, error));
    if (section->after)
        section->after(report, file);
    fputs("</section>\n", file);
    return COR_OK;
}

enum cor_status cor_report_write(const struct cor_report *report, FILE *file, struct cor_error *error) {
    size_t count;
    const struct section *shown = sections_of(report, &count);
    fputs("<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
          "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
          "<meta name=color-scheme content=\"light dark\">\n<title>",
          file);
    cor_html_short(file, report->name ? report->name : "A campaign", 80);
    fputs(" \xc2\xb7 Corridor</title>\n<style>\n", file);
    fputs(cor__style_sheet, file);
    fputs("</style>\n</head>\n<body>\n", file);
    cor__page_front(report, file);
    write_navigation(report, file);
    fputs("<main>\n", file);
    for (size_t s = 0; s < count; s++)
        if (is_shown(report, &shown[s]))
            COR_TRY(write_section(report, &shown[s], file, error));
    fputs("</main>\n<script>\n", file);
    fputs(cor__script, file);
    fputs("</script>\n</body>\n</html>\n", file);
    return cor_stream_status(file, error);
}
