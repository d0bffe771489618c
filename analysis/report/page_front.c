/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was run, the verdict on all faults, and where the numbers come from. */
#include "page.h"
#include "page_html.h"

#include <corridor/arms.h>
#include <corridor/cells.h>
#include <corridor/json.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EXPERIMENT_MAX 100000 /* characters of the experiment that are shown */

static const struct cor_sheet *sheet_of(const struct cor_report *report, const char *id) {
    const struct cor_sheet *sheet = cor_sheets_find(report->view[REPORT__OF_tables], id);
    COR_ASSERT(sheet);
    return sheet;
}

void report__page_fact(FILE *file, const char *name, uint64_t value) {
    fprintf(file, "<div><dt>%s</dt><dd data-fact=\"%s\">", name, name);
    report__html_count(file, value);
    fputs("</dd></div>", file);
}

void report__page_seed(const struct cor_report *report, FILE *file) {
    fprintf(file, "<div><dt>seed</dt><dd class=seed>0x%" PRIx64 "</dd></div></dl>\n", report->head->seed);
}

static void put_facts(const struct cor_report *report, FILE *file) {
    fputs("<dl class=facts>", file);
    report__page_fact(file, "arms", report->arm_count);
    report__page_fact(file, "suites", report__sheet_sum(sheet_of(report, "found"), "suites"));
    report__page_fact(file, "test sequences", report__sheet_sum(sheet_of(report, "found"), "sequences"));
    report__page_fact(file, "test cases", report__sheet_sum(sheet_of(report, "arms"), "cases"));
    report__page_fact(file, "executed", report__sheet_sum(sheet_of(report, "arms"), "executed"));
    report__page_fact(file, "reorganizations",
                      report__sheet_sum(sheet_of(report, "reorganizations"), "reorganizations"));
    report__page_seed(report, file);
}

static void put_note(FILE *file, uint64_t count, const char *sentence) {
    if (count == 0)
        return;
    fputs("<p class=note>", file);
    report__html_count(file, count);
    fprintf(file, " %s</p>\n", sentence);
}

void report__page_troubles(const struct cor_report *report, FILE *file) {
    if (!report->figures.trouble)
        return;
    fputs("<p class=note><strong>No graphs:</strong> ", file);
    cor_html_short(file, report->figures.trouble, 300);
    fputs(". The numbers behind them are in the tables.</p>", file);
}

void report__page_facts(const struct cor_report *report, FILE *file) {
    put_facts(report, file);
    /* What must be known before anything else is believed. */
    if (report->options.doubt)
        fprintf(file, "<p class=\"note bad\">%s</p>\n", report->options.doubt);
    if (report->broken > 0)
        fprintf(
            file,
            "<p class=\"note bad\"><strong>%zu identities are broken:</strong> the file contradicts itself, "
            "so it or the program that wrote it is wrong. See <a href=\"#tables\">what must hold</a>.</p>",
            report->broken);
    if (!report->head->complete) {
        fputs("<p class=note><strong>Not complete:</strong> the file holds ", file);
        report__html_count(file, report__sheet_sum(sheet_of(report, "found"), "suites"));
        fputs(" of ", file);
        report__html_count(file, report->head->planned_suites);
        fputs(" planned suites.</p>", file);
    }
    put_note(file, report__sheet_sum(sheet_of(report, "arms"), "suites_fallback"),
             "suites follow the fallback law of the experiment file.");
    put_note(file, report__sheet_sum(sheet_of(report, "arms"), "continuations"),
             "sequences continue failed ones: they are in no figure, so that no failure counts twice.");
    report__page_troubles(report, file);
}

void report__page_front(const struct cor_report *report, FILE *file) {
    fputs("<header>\n<p class=brand>Corridor \xc2\xb7 test report</p>\n<h1>", file);
    cor_html_short(file, report->name ? report->name : "A campaign", 120);
    fputs("</h1>\n", file);
    if (report->description) {
        fputs("<p class=lead>", file);
        cor_html_short(file, report->description, 1200);
        fputs("</p>\n", file);
    }
    report->kind->put_facts(report, file);
    fputs("</header>\n", file);
}

void report__page_headline(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *found = sheet_of(report, "found");
    size_t faults_found = report__sheet_rows_with(found, "verdict", "found"),
           unreached = report__sheet_rows_with(found, "verdict", "not reached"),
           faults = faults_found + unreached + report__sheet_rows_with(found, "verdict", "not found"),
           failing = report__sheet_rows_with(found, "verdict", "FAILS"),
           sound = failing + report__sheet_rows_with(found, "verdict", "no check failed");
    fputs("<p class=headline>", file);
    if (faults > 0)
        fprintf(file, "<strong>%zu of %zu</strong> injected faults %s found.", faults_found, faults,
                faults == 1 ? "is" : "are");
    if (unreached > 0)
        fprintf(file, " %zu %s never activated.", unreached, unreached == 1 ? "was" : "were");
    if (failing > 0)
        fprintf(file, " Something failed in <strong>%zu of %zu</strong> arms without an injected fault.",
                failing, sound);
    else if (sound > 0)
        fprintf(file, " Nothing failed in the %zu arm%s without an injected fault.", sound,
                sound == 1 ? "" : "s");
    fputs("</p>\n", file);
}

static void put_entry(FILE *file, const char *name) {
    fputs("<dt>", file);
    cor_html_short(file, name, 60);
    fputs("</dt><dd>", file);
}

static void put_provenance(const struct cor_report *report, FILE *file) {
    fputs("<dl class=entries>\n", file);
    put_entry(file, "fingerprint of the content");
    fprintf(file, "<code>0x%016" PRIx64 "</code></dd>\n", report->hash);
    put_entry(file, "seed");
    fprintf(file, "<code>0x%016" PRIx64 "</code></dd>\n", report->head->seed);
    put_entry(file, "suites");
    fputs(report->head->complete ? "complete" : "not complete", file);
    fputs(report->is_paired ? ", shared by all arms (paired)</dd>\n" : ", each arm its own</dd>\n", file);
    /* A text that is no JSON is shown as it is. */
    struct cor_json_document *document = NULL;
    if (cor_json_parse(report->head->provenance, "provenance", &document, NULL) == COR_OK) {
        struct cor_json root = cor_json_root(document);
        for (size_t i = 0; i < cor_json_size(&root); i++) {
            struct cor_json value = cor_json_at(&root, i);
            /* One member of the provenance: a text as it is, all else as JSON. */
            const char *word = NULL;
            put_entry(file, value.key ? value.key : "");
            if (cor_json_is_string(&value) && cor_json_string(&value, &word, NULL) == COR_OK) {
                cor_html_short(file, word, 400);
            } else {
                char *text = cor_json_text(&value);
                cor_html_short(file, text ? text : "", 2000);
                free(text);
            }
            fputs("</dd>\n", file);
        }
        cor_json_destroy(document);
    } else {
        put_entry(file, "provenance");
        cor_html_short(file, report->head->provenance, 2000);
        fputs("</dd>\n", file);
    }
    fputs("</dl>\n", file);
}

void report__page_provenance(const struct cor_report *report, FILE *file) {
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
    fputs("</pre></details>\n<p class=legend>How each figure is made: docs/evidence/statistics.md (tables, "
          "intervals, "
          "survival, coverage), analysis/tree/README.md (what goes with failing), analysis/report/README.md "
          "(this page). What each word means: docs/look-up/words.md, or <code>corridor help WORD</code>. "
          "Figures as "
          "files with their data: <code>corridor report --figures FOLDER</code>.</p>\n",
          file);
}
