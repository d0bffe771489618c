/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page: its frame, and the sections in their order. */
#include "page.h"

#include <corridor/cells.h>

#include "html.h"

#include <string.h>

const char *cor__experiment_text(const struct cor_report *report, const char *key) {
    struct cor_json value;
    const char *text = NULL;
    if (!report->experiment)
        return NULL;
    struct cor_json root = cor_json_root(report->experiment);
    if (!cor_json_find(&root, key, &value) || !cor_json_is_string(&value) ||
        cor_json_string(&value, &text, NULL) != COR_OK)
        return NULL;
    return text;
}

bool cor__is_published(const struct cor_report *report) {
    for (size_t a = 0; a < report->tables->arm_count; a++)
        if (report->tables->arm[a].published && report->tables->arm[a].sequences > 0)
            return true;
    return false;
}

void cor__section(FILE *file, const char *id, const char *heading) {
    fprintf(file, "\n<section id=%s aria-labelledby=%s-h>\n<h2 id=%s-h>%s</h2>\n", id, id, id, heading);
}

void cor__section_end(FILE *file) {
    fputs("</section>\n", file);
}

void cor__head_arm(const struct cor_report *report, FILE *file, size_t arm) {
    const char *what = report->evidence.arm[arm].nature.what;
    fputs("<th scope=row", file);
    if (what) {
        fputs(" title=\"", file);
        cor_html_short(file, what, 200);
        fputc('"', file);
    }
    fputc('>', file);
    cor_html_short(file, report->tables->arm[arm].name, 48);
    fputs("</th>", file);
}

void cor__put_figure(const struct cor_report *report, FILE *file, const char *name, const char *caption) {
    const struct cor__figure *figure = cor__figure_find(&report->figures, name);
    if (!figure)
        return;
    fprintf(file, "<figure id=fig-%s><figcaption>", name);
    cor_html_short(file, caption, 80);
    fputs("</figcaption>", file);
    const char *trouble = report->figures.trouble[figure->graph];
    if (figure->svg) {
        fputs(figure->svg, file);
    } else {
        fputs("<p class=undrawn>Not drawn: ", file);
        cor_html_short(file, trouble ? trouble : "no picture", 200);
        fputs(". ", file);
        cor_html_text(file, figure->description);
        fputs("</p>", file);
    }
    fputs("</figure>\n", file);
}

static void put_navigation(const struct cor_report *report, FILE *file) {
    fputs("<nav aria-label=Sections><a href=\"#glance\">At a glance</a><a href=\"#kills\">What caught it</a>",
          file);
    if (cor__is_published(report))
        fputs("<a href=\"#claims\">Claims</a>", file);
    fputs("<a href=\"#survival\">Time to detection</a><a href=\"#tables\">Tables</a>"
          "<a href=\"#coverage\">Coverage</a><a href=\"#features\">What goes with failing</a>"
          "<a href=\"#failures\">Failures</a><a href=\"#provenance\">Provenance</a></nav>\n",
          file);
}

enum cor_status cor_report_write(const struct cor_report *report, FILE *file, struct cor_error *error) {
    const char *name = cor__experiment_text(report, "name");
    fputs("<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
          "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
          "<meta name=color-scheme content=\"light dark\">\n<title>",
          file);
    cor_html_short(file, name ? name : "A campaign", 80);
    fputs(" \xc2\xb7 Corridor</title>\n<style>\n", file);
    fputs(cor__style_sheet, file);
    fputs("</style>\n</head>\n<body>\n", file);
    cor__page_front(report, file);
    put_navigation(report, file);
    fputs("<main>\n", file);
    cor__page_glance(report, file);
    cor__page_kills(report, file);
    cor__page_claims(report, file);
    cor__page_survival(report, file);
    cor__page_tables(report, file);
    cor__page_coverage(report, file);
    cor__page_features(report, file);
    cor__page_failures(report, file);
    cor__page_provenance(report, file);
    fputs("</main>\n<script>\n", file);
    fputs(cor__script, file);
    fputs("</script>\n</body>\n</html>\n", file);
    return cor_stream_status(file, error);
}
