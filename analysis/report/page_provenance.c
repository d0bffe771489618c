/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the numbers come from. */
#include "page.h"

#include "html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EXPERIMENT_MAX 100000 /* characters of the experiment that are shown */

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
    if (report->provenance) {
        struct cor_json root = cor_json_root(report->provenance);
        for (size_t i = 0; i < cor_json_size(&root); i++) {
            struct cor_json value = cor_json_at(&root, i);
            put_member(&value, file);
        }
    } else {
        put_entry(file, "provenance");
        cor_html_short(file, report->head->provenance, 2000);
        fputs("</dd>\n", file);
    }
    fputs("</dl>\n", file);
}

void cor__page_provenance(const struct cor_report *report, FILE *file) {
    cor__section(file, "provenance", "Provenance");
    put_provenance(report, file);
    fputs("<details class=screen><summary><h3>The experiment</h3></summary>\n<pre>", file);
    cor_html_short(file, "", 0);
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
    cor__section_end(file);
}
