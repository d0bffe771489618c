/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was run, the verdict on each fault, and where the numbers come from. */
#include "page.h"

#include "html.h"

#include <corridor/json.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT_100 2              /* of cor_depth_point */
#define EXPERIMENT_MAX 100000 /* characters of the experiment that are shown */

/* Sums over the arms. */
struct totals {
    uint64_t suites, sequences, cases, executed, reorganizations, fallback, continuations;
    size_t faults, faults_found, sound, sound_failing;
};

static bool is_found(const struct cor_arm_tables *arm) {
    const char *words[2];
    return cor_found_by(&arm->measured->tally, words) > 0;
}

static struct totals add_up(const struct cor_report *report) {
    struct totals totals = {0};
    for (size_t a = 0; a < report->tables->arm_count; a++) {
        const struct cor_arm_tables *arm = &report->tables->arm[a];
        const struct cor__arm_words *words = &report->arm[a];
        totals.suites += arm->measured->suites;
        totals.sequences += arm->measured->sequences;
        totals.cases += arm->measured->cases;
        totals.executed += arm->measured->executed;
        totals.reorganizations += arm->measured->tally.reorganizations;
        totals.fallback += arm->measured->suites_fallback;
        totals.continuations += arm->measured->continuations;
        if (arm->measured->sequences == 0 || !words->known)
            continue;
        totals.faults += words->injects;
        totals.faults_found += words->injects && is_found(arm);
        totals.sound += !words->injects;
        totals.sound_failing += !words->injects && is_found(arm);
    }
    return totals;
}

static void put_fact(FILE *file, const char *name, uint64_t value) {
    fprintf(file, "<div><dt>%s</dt><dd data-fact=\"%s\">", name, name);
    cor__html_count(file, value);
    fputs("</dd></div>", file);
}

static void put_facts(const struct cor_report *report, const struct totals *totals, FILE *file) {
    fputs("<dl class=facts>", file);
    put_fact(file, "arms", report->tables->arm_count);
    put_fact(file, "suites", totals->suites);
    put_fact(file, "test sequences", totals->sequences);
    put_fact(file, "test cases", totals->cases);
    put_fact(file, "executed", totals->executed);
    put_fact(file, "reorganizations", totals->reorganizations);
    fprintf(file, "<div><dt>seed</dt><dd class=seed>0x%" PRIx64 "</dd></div></dl>\n", report->head->seed);
}

/* What must be known before anything else is believed. */
static void put_warnings(const struct cor_report *report, const struct totals *totals, FILE *file) {
    size_t broken = cor_tables_broken(report->tables);
    if (broken > 0)
        fprintf(
            file,
            "<p class=\"note bad\"><strong>%zu identities are broken:</strong> the file contradicts itself, "
            "so it or the program that wrote it is wrong. See <a href=\"#identities\">what must "
            "hold</a>.</p>",
            broken);
    if (!report->head->complete) {
        fputs("<p class=note><strong>Not complete:</strong> the campaign ended after ", file);
        cor__html_count(file, totals->suites);
        fputs(" of ", file);
        cor__html_count(file, report->head->planned_suites);
        fputs(" planned suites.</p>", file);
    }
    if (totals->fallback > 0) {
        fputs("<p class=note>", file);
        cor__html_count(file, totals->fallback);
        fputs(" suites follow the fallback law of the experiment file.</p>", file);
    }
    if (totals->continuations > 0) {
        fputs("<p class=note>", file);
        cor__html_count(file, totals->continuations);
        fputs(" sequences continue failed ones: they are in no figure, so that no failure counts twice.</p>",
              file);
    }
    for (int program = 0; program < 2; program++)
        if (report->figures.trouble[program]) {
            fprintf(file, "<p class=note><strong>No %s:</strong> ", program == 0 ? "plots" : "graphs");
            cor_html_short(file, report->figures.trouble[program], 300);
            fputs(". The numbers behind them are in the tables.</p>", file);
        }
}

void cor__page_front(const struct cor_report *report, FILE *file) {
    struct totals totals = add_up(report);
    fputs("<header>\n<p class=brand>Corridor \xc2\xb7 test report</p>\n<h1>", file);
    cor_html_short(file, report->name ? report->name : "A campaign", 120);
    fputs("</h1>\n", file);
    if (report->description) {
        fputs("<p class=lead>", file);
        cor_html_short(file, report->description, 1200);
        fputs("</p>\n", file);
    }
    put_facts(report, &totals, file);
    put_warnings(report, &totals, file);
    fputs("</header>\n", file);
}

static void put_headline(const struct totals *totals, FILE *file) {
    fputs("<p class=headline>", file);
    if (totals->faults > 0)
        fprintf(file, "<strong>%zu of %zu</strong> injected faults %s found.", totals->faults_found,
                totals->faults, totals->faults == 1 ? "is" : "are");
    if (totals->sound > 0) {
        if (totals->sound_failing > 0)
            fprintf(file, " Something failed in <strong>%zu of %zu</strong> arms without an injected fault.",
                    totals->sound_failing, totals->sound);
        else
            fprintf(file, " Nothing failed in the %zu arm%s without an injected fault.", totals->sound,
                    totals->sound == 1 ? "" : "s");
    }
    if (totals->faults + totals->sound == 0)
        fputs("The file does not say what its arms inject.", file);
    fputs("</p>\n", file);
}

/* Colour and word follow what is good: a fault that is found, a sound arm in which nothing is. */
static void put_verdict(const struct cor_arm_tables *arm, const struct cor__arm_words *words, FILE *file) {
    bool found = is_found(arm);
    if (arm->measured->sequences == 0)
        fputs("<td class=t data-v=0><span class=\"chip na\">not run</span></td>", file);
    else if (words->known && !words->injects)
        fprintf(file, "<td class=t data-v=%d><span class=\"chip %s\">%s</span></td>", found ? 3 : 2,
                found ? "bad" : "plain", found ? "fails" : "sound");
    else
        fprintf(file, "<td class=t data-v=%d><span class=\"chip %s\">%s</span></td>", found ? 4 : 1,
                found ? "good" : "bad", found ? "\xe2\x9c\x93 found" : "\xe2\x9c\x97 not found");
}

static void put_found_by(const struct cor_arm_tables *arm, FILE *file) {
    const char *words[2];
    size_t count = cor_found_by(&arm->measured->tally, words);
    fputs("<td class=t>", file);
    for (size_t w = 0; w < count; w++)
        fprintf(file, "<span class=\"box %s\">%s</span>", words[w], words[w]);
    if (count == 0)
        fputs("<span class=na>\xe2\x80\x93</span>", file);
    fputs("</td>", file);
}

static double share(uint64_t part, uint64_t whole) {
    return whole == 0 ? NAN : 100.0 * (double)part / (double)whole;
}

/* Kaplan and Meier's median; where fewer than half of the sequences detect, there is none. */
static void put_median(const struct cor_depth_arm *arm, FILE *file) {
    if (isnan(arm->median.cases)) {
        fprintf(file,
                "<td data-v=1e9 class=na title=\"fewer than half of the sequences have a detection\">%s</td>",
                arm->sequences > 0 ? "not reached" : "n/a");
        return;
    }
    fprintf(file, "<td data-v=%.0f", arm->median.cases);
    if (!isnan(arm->median.low) && !isnan(arm->median.high))
        fprintf(file, " title=\"%.0f to %.0f\"", arm->median.low, arm->median.high);
    fprintf(file, ">%.0f</td>", arm->median.cases);
}

static void put_line(const struct cor_report *report, size_t a, FILE *file) {
    const struct cor_arm_tables *arm = &report->tables->arm[a];
    const struct cor_figure *without = &arm->figure[COR_METRIC_WITHOUT_DETECTED];
    const struct cor_figure *masked = &arm->figure[COR_METRIC_UNDETECTED];
    double at_100 = report->depths->arm[a].survival[AT_100].mean;
    bool interval = without->ours.interval != COR_INTERVAL_NONE;
    fprintf(file, "<tr data-arm=%zu>", a);
    cor__head_name(file, report->tables->arm[a].name, report->arm[a].what);
    fputs("<td class=\"t dim\">", file);
    cor_html_short(file, report->arm[a].what ? report->arm[a].what : "", 60);
    fputs("</td>", file);
    put_verdict(arm, &report->arm[a], file);
    put_found_by(arm, file);
    cor__cell_count(file, arm->measured->sequences_detected);
    cor__cell_share(file, share(arm->measured->sequences_detected, arm->measured->sequences),
                    interval ? 100 - without->ours.high : NAN, interval ? 100 - without->ours.low : NAN);
    cor__cell_count(file, arm->measured->failures);
    cor__cell_share(file, share(arm->measured->tally.masked, arm->measured->failures),
                    masked->ours.interval != COR_INTERVAL_NONE ? masked->ours.low : NAN,
                    masked->ours.interval != COR_INTERVAL_NONE ? masked->ours.high : NAN);
    put_median(&report->depths->arm[a], file);
    cor__cell_real(file, 100 * (1 - at_100), 1);
    cor__cell_count(file, arm->measured->tally.gray_unprovoked + arm->measured->tally.black_unprovoked);
    fputs("</tr>\n", file);
}

void cor__page_glance(const struct cor_report *report, FILE *file) {
    struct totals totals = add_up(report);
    put_headline(&totals, file);
    fputs("<div class=wide><table class=\"sorts glance\" data-table=glance>\n<thead><tr>", file);
    cor__head(file, "Arm");
    cor__head(file, "What it runs");
    cor__head(file, "Verdict");
    cor__head(file, "Seen by");
    cor__head_number(file, "Detecting sequences");
    cor__head_number(file, "... of all");
    cor__head_number(file, "Failures");
    cor__head_number(file, "... masked");
    cor__head_number(file, "Median case of first detection");
    cor__head_number(file, "Detected by case 100, %");
    cor__head_number(file, "Unprovoked");
    fputs("</tr></thead>\n<tbody>\n", file);
    for (size_t a = 0; a < report->tables->arm_count; a++)
        put_line(report, a, file);
    fprintf(
        file,
        "</tbody></table></div>\n<p class=legend>Bars: share; the bracket is its interval at %g %% over "
        "suites. <b>Failures</b>: reorganizations in which the injected fault was activated; <b>masked</b>: "
        "those of them that no box saw. <b>Median</b>: Kaplan\xe2\x80\x93Meier over sequences, which end "
        "undetected at their own length. <b>Unprovoked</b>: failed although no fault was activated.",
        100 * report->options.level);
    fputs(
        " <b>agreement</b>: the structure is not the accepted solution (C7); <b>detect</b>: alarms missed or "
        "false (R-Detect).</p>\n",
        file);
}

static void put_entry(FILE *file, const char *name) {
    fputs("<dt>", file);
    cor_html_short(file, name, 60);
    fputs("</dt><dd>", file);
}

/* One member of the provenance: a text as it is, all else as JSON. */
static void put_member(const struct cor_json *value, FILE *file) {
    const char *word = NULL;
    put_entry(file, value->key ? value->key : "");
    if (cor_json_is_string(value) && cor_json_string(value, &word, NULL) == COR_OK) {
        cor_html_short(file, word, 400);
    } else {
        char *text = cor_json_text(value);
        cor_html_short(file, text ? text : "", 2000);
        free(text);
    }
    fputs("</dd>\n", file);
}

static void put_provenance(const struct cor_report *report, FILE *file) {
    fputs("<dl class=entries>\n", file);
    put_entry(file, "fingerprint of the content");
    fprintf(file, "<code>0x%016" PRIx64 "</code></dd>\n", report->hash);
    put_entry(file, "seed");
    fprintf(file, "<code>0x%016" PRIx64 "</code></dd>\n", report->head->seed);
    put_entry(file, "suites");
    fputs(report->head->complete ? "complete" : "not complete", file);
    fputs(report->tables->paired ? ", shared by all arms (paired)</dd>\n" : ", each arm its own</dd>\n",
          file);
    /* A text that is no JSON is shown as it is. */
    struct cor_json_document *document = NULL;
    if (cor_json_parse(report->head->provenance, "provenance", &document, NULL) == COR_OK) {
        struct cor_json root = cor_json_root(document);
        for (size_t i = 0; i < cor_json_size(&root); i++) {
            struct cor_json value = cor_json_at(&root, i);
            put_member(&value, file);
        }
        cor_json_destroy(document);
    } else {
        put_entry(file, "provenance");
        cor_html_short(file, report->head->provenance, 2000);
        fputs("</dd>\n", file);
    }
    fputs("</dl>\n", file);
}

void cor__page_provenance(const struct cor_report *report, FILE *file) {
    put_provenance(report, file);
    fputs("<details class=screen><summary><h3>The experiment</h3></summary>\n<pre>", file);
    /* Lines and indents are content here. */
    const char *line = report->head->experiment;
    size_t left = EXPERIMENT_MAX;
    while (*line && left > 0) {
        size_t size = strcspn(line, "\n");
        char *copy = strndup(line, size < left ? size : left);
        if (copy)
            cor_html_text(file, copy);
        fputc('\n', file);
        free(copy);
        left -= size < left ? size : left;
        line += size + (line[size] == '\n');
    }
    fputs("</pre></details>\n<p class=legend>How each figure is made: docs/statistics.md (tables, intervals, "
          "survival, "
          "coverage), analysis/tree/README.md (what goes with failing), analysis/report/README.md (this "
          "page). Figures "
          "as files with their data: <code>corridor report --figures FOLDER</code>.</p>\n",
          file);
}
