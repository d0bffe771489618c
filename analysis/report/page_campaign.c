/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sheets that are read best as a matrix: Tables 1 and 2, a line a metric and a column an arm, as in the
 * paper; which check caught what; which arms differ. */
#include "page.h"
#include "page_html.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/ranking.h>
#include <corridor/schema.h>
#include <corridor/view.h>

#include <math.h>
#include <string.h>

static void put_short(const char *word, FILE *file) {
    cor_html_short(file, word, 32);
}

/* data-v and a hint, open for more. */
static void begin_cell(double value, FILE *file) {
    char exact[COR_CELL];
    cor_real_text(value, exact);
    fprintf(file, "<td data-v=\"%s\"", isnan(value) ? "" : exact);
}

static void put_paper(const struct cor_sheet *sheet, size_t row, int digits, FILE *file) {
    const char *relation = report__sheet_word(sheet, row, "relation"),
               *note = report__sheet_word(sheet, row, "paper_note");
    double mean = report__sheet_real(sheet, row, "paper_mean"),
           sd = report__sheet_real(sheet, row, "paper_sd");
    bool derived = cor_sheet_cell(sheet, row, cor_sheet_column(sheet, "paper_derived"))->flag;
    if (isnan(mean))
        return;
    fprintf(file, "<br><span class=\"paper%s\"", *relation == '<' || *relation == '>' ? " off" : "");
    if (*note) {
        fputs(" title=\"", file);
        cor_html_text(file, note);
        fputc('"', file);
    }
    fputc('>', file);
    cor_html_text(file, relation);
    fprintf(file, " %.*f", digits, mean);
    if (!isnan(sd))
        fprintf(file, " (%.2f)", sd);
    fprintf(file, "%s%s</span>", derived ? " ~" : "", *note ? " !" : "");
}

/* A figure of the tables: mean (sd), [interval], the paper's. */
static void put_figure(const struct report__matrix *matrix, size_t row, FILE *file) {
    const struct cor_sheet *sheet = matrix->sheet;
    const struct cor_table_cell *cell = cor_sheet_cell(sheet, row, cor_sheet_column(sheet, "ours"));
    bool known = cell->kind == COR_CELL_ESTIMATE;
    double mean = report__sheet_real(sheet, row, "ours"), sd = report__sheet_real(sheet, row, "sd");
    int digits = strcmp(report__sheet_word(sheet, row, "metric"), "failures_total") == 0 ? 0 : 2;
    begin_cell(mean, file);
    fprintf(file, " title=\"n %.0f, suites %.0f\">", report__sheet_real(sheet, row, "n"),
            known ? (double)cell->estimate->suites : 0.0);
    fputs(isnan(mean) ? "<span>" : "<span class=v>", file);
    report__html_real(file, mean, digits);
    fputs("</span>", file);
    if (!isnan(sd))
        fprintf(file, " <span class=sd>(%.2f)</span>", sd);
    if (known && cell->estimate->interval == COR_INTERVAL_FEW_SUITES)
        fprintf(file, "<br><span class=ci>[?, ?]#</span>");
    else if (known && cell->estimate->interval != COR_INTERVAL_NONE)
        fprintf(file, "<br><span class=ci>[%.2f, %.2f]%s</span>", cell->estimate->low, cell->estimate->high,
                cell->estimate->interval == COR_INTERVAL_CLOPPER_PEARSON ? "*" : "");
    put_paper(sheet, row, digits, file);
    fputs("</td>", file);
}

/* How many published figures of a table lie in our intervals. */
static void put_published(const struct cor_sheet *figures, const char *table, FILE *file) {
    size_t published = 0, inside = 0, below = 0, above = 0;
    for (size_t row = 0; row < cor_sheet_size(figures); row++) {
        const char relation = *report__sheet_word(figures, row, "relation");
        if (strcmp(table, report__sheet_word(figures, row, "table")) != 0 ||
            isnan(report__sheet_real(figures, row, "paper_mean")))
            continue;
        published++;
        inside += relation == '=' || relation == '?';
        below += relation == '<';
        above += relation == '>';
    }
    fputs("<span class=insight data-of=figures>", file);
    if (published == 0)
        fputs("No figure of these arms was published.</span>", file);
    else
        fprintf(file,
                "Of %zu published figures %zu lie in our interval; ours lies below %zu and above %zu; %zu "
                "have no interval to compare with.</span>",
                published, inside, below, above, published - inside - below - above);
}

static void page_tables(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *figures = cor_sheets_find(report->view[REPORT__OF_tables], "figures");
    const char *table = "";
    for (size_t row = 0; row < cor_sheet_size(figures); row++) {
        if (strcmp(table, report__sheet_word(figures, row, "table")) == 0)
            continue;
        table = report__sheet_word(figures, row, "table");
        fputs("<details><summary><h3>", file);
        cor_html_text(file, table);
        fputs("</h3> ", file);
        put_published(figures, table, file);
        fputs("</summary>\n", file);
        report__matrix_html(&(struct report__matrix){.sheet = figures,
                                                     .line_key = "metric",
                                                     .line_shown = "label",
                                                     .column_key = "arm",
                                                     .group_key = "table",
                                                     .group = table,
                                                     .heading = "Metric",
                                                     .class = "figures",
                                                     .put_heading = put_short,
                                                     .put_cell = put_figure},
                            file);
        fputs("</details>\n", file);
    }
    fprintf(file,
            "<p class=legend>Mean over test sequences (standard deviation over the same), below it the "
            "interval at %g %% over suites; * all suites agree: exact binomial interval; # no interval: a "
            "few suites decide the figure. Depths are those of sequences with a "
            "detection only; the others are censored: see <a "
            "href=\"#survival\">time to detection</a>.",
            100 * report->options.level);
    if (cor_sheets_find(report->view[REPORT__OF_tables], "claims"))
        fputs(" Last line, where the arm is one of the paper's: its figure; = it lies in our interval, ? "
              "likewise, "
              "but that is too wide to mean something, &lt; ours lies below it, &gt; above; ! the published "
              "figure "
              "is doubtful (why: point at it); ~ it follows from figures that are printed.",
              file);
    if (report->arm_count > REPORT__ARMS_MAX)
        fprintf(file, " The first %d arms are shown; <code>corridor show FILE tables</code> has all.",
                REPORT__ARMS_MAX);
    fputs(" Definitions: docs/evidence/statistics.md.</p>\n", file);
}

/* "gray.agent_missing": the box, the rule and the check, in lines. */
static void put_oracle(const char *word, FILE *file) {
    const char *check = strchr(word, '.');
    const struct cor_term *term = NULL;
    if (check) {
        fprintf(file, "<span class=\"box %.*s\">%.*s</span><br>", (int)(check - word), word,
                (int)(check - word), word);
        term = cor_term(COR_FAMILY_CHECK, cor_term_number(COR_FAMILY_CHECK, check + 1));
    }
    fprintf(file, "%s%s", term ? term->rule : "C6", term ? "<br>" : " ");
    for (const char *c = check ? check + 1 : word; *c; c++)
        fputc(*c == '_' ? ' ' : *c, file);
}

static void put_kill(const struct report__matrix *matrix, size_t row, FILE *file) {
    const struct cor_sheet *sheet = matrix->sheet, *arms = matrix->lines;
    double sequences = report__sheet_real(sheet, row, "sequences"), all = NAN;
    for (size_t a = 0; a < cor_sheet_size(arms); a++)
        if (strcmp(report__sheet_word(arms, a, "arm"), report__sheet_word(sheet, row, "arm")) == 0)
            all = report__sheet_real(arms, a, "sequences");
    begin_cell(sequences, file);
    fprintf(file,
            " class=heat style=\"--v:%.3f\" title=\"%.1f %% of the sequences; %.0f cases, in %.0f of them "
            "alone; %.0f suites\">",
            sequences / all, 100 * sequences / all, report__sheet_real(sheet, row, "cases"),
            report__sheet_real(sheet, row, "alone"), report__sheet_real(sheet, row, "suites"));
    report__html_count(file, report__sheet_count(sheet, row, "sequences"));
    fputs("</td>", file);
}

/* Sheets as matrices; the failure explorer. */
static void page_kills(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *kills = cor_sheets_find(report->view[REPORT__OF_survival], "kills");
    if (cor_sheet_size(kills) == 0) {
        fputs("<p>No check was violated.</p>\n", file);
        return;
    }
    report__page_insight(REPORT__OF_survival, kills, "p", file);
    report__matrix_html(
        &(struct report__matrix){.sheet = kills,
                                 .lines = cor_sheets_find(report->view[REPORT__OF_survival], "arms"),
                                 .line_key = "arm",
                                 .column_key = "oracle",
                                 .heading = "Arm",
                                 .class = "sorts kills",
                                 .put_heading = put_oracle,
                                 .put_cell = put_kill},
        file);
    fputs("<p class=legend>C1: each agent occurs exactly once; C2: only agents of the system; C3: no empty "
          "partition; C4: sizes within limits; C5: number of partitions within limits; C6: the algorithm "
          "ends with a result; C7: the structure is the accepted solution. <b>gray</b>: R-Solution, what the "
          "algorithm proposes; <b>black</b>: R-Distribution, the structure after adoption; <b>detect</b>: "
          "R-Detect, the alarms. Stronger colour: a larger share of the arm's sequences. Checks that nothing "
          "violated are left out.</p>\n",
          file);
}

static void put_p(const struct report__matrix *matrix, size_t row, FILE *file) {
    double p = report__sheet_real(matrix->sheet, row, "p_holm");
    begin_cell(p, file);
    if (isnan(p))
        fputs(" class=na>\xe2\x80\x93</td>", file);
    else if (p < 0.001)
        fputs(" class=\"heat strong\" style=\"--v:.35\">&lt; 0.001</td>", file);
    else
        fprintf(file, "%s>%.3f</td>", p < 0.05 ? " class=heat style=\"--v:.15\"" : "", p);
}

static void page_pairs(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *pairs = cor_sheets_find(report->view[REPORT__OF_survival], "log_rank_pairs");
    if (!pairs || cor_sheet_size(pairs) == 0)
        return;
    fputs("<details><summary><h3>Which arms differ? p of log-rank tests of pairs, after Holm</h3> ", file);
    report__page_insight(REPORT__OF_survival, pairs, "span", file);
    fputs("</summary>\n<p>Sequences of one suite are alike and the test takes them as independent, so small "
          "p are too "
          "small.</p>\n",
          file);
    report__matrix_html(&(struct report__matrix){.sheet = pairs,
                                                 .line_key = "second",
                                                 .column_key = "first",
                                                 .heading = "",
                                                 .class = "pairs",
                                                 .put_heading = put_short,
                                                 .put_cell = put_p},
                        file);
    fputs("</details>\n", file);
}

/* ---- the page of a result file of the interaction layer: which views it shows, and in which sections */

#define FEATURES 6 /* of a ranking that are shown */

static enum cor_status read_views(struct cor_report *report, struct cor_error *error) {
    const struct cor_view_request all = {
        .result = report->result, .level = report->options.level, .suite = COR_ANY_SUITE};
    report__say_doing(report, "computing the tables");
    COR_TRY(report__look(report, "tables", &all, &report->view[REPORT__OF_tables], error));
    report__say_doing(report, "computing times to detection");
    COR_TRY(report__look(report, "survival", &all, &report->view[REPORT__OF_survival], error));
    report__say_doing(report, "computing coverage");
    COR_TRY(report__look(report, "coverage", &all, &report->view[REPORT__OF_coverage], error));
    /* The environments of all arms together, as far as they are drawn. */
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
     .after = page_kills},
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
     .after = page_pairs},
    {.id = "tables",
     .shorter = "Tables",
     .heading = "Tables",
     .before = page_tables,
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
