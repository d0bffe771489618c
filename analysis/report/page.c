/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page: its frame, and the sections in their order. */
#include "page.h"

#include "html.h"

#include <corridor/cells.h>

/* Style sheet and script, ended by 0; made from style.css and script.js. */
extern const char cor__style_sheet[], cor__script[];

static const struct section {
    const char *id, *shorter, *heading; /* `shorter` for the navigation */
    void (*write)(const struct cor_report *report, FILE *file);
    bool of_paper; /* only where arms of the paper ran */
} sections[] = {
    {"glance", "At a glance", "At a glance", cor__page_glance, false},
    {"kills", "What caught it", "What caught it", cor__page_kills, false},
    {"claims", "Claims", "Claims of the paper", cor__page_claims, true},
    {"survival", "Time to detection", "Time to detection", cor__page_survival, false},
    {"tables", "Tables", "Tables", cor__page_tables, false},
    {"coverage", "Coverage", "Coverage of the environment", cor__page_coverage, false},
    {"features", "What goes with failing", "What goes with failing", cor__page_features, false},
    {"failures", "Failures", "Failures", cor__page_failures, false},
    {"provenance", "Provenance", "Provenance", cor__page_provenance, false},
};
#define SECTIONS (sizeof sections / sizeof *sections)

static bool is_shown(const struct cor_report *report, const struct section *section) {
    return report->published || !section->of_paper;
}

static void write_navigation(const struct cor_report *report, FILE *file) {
    fputs("<nav aria-label=Sections>", file);
    for (size_t s = 0; s < SECTIONS; s++)
        if (is_shown(report, &sections[s]))
            fprintf(file, "<a href=\"#%s\">%s</a>", sections[s].id, sections[s].shorter);
    fputs("</nav>\n", file);
}

static void write_section(const struct cor_report *report, const struct section *section, FILE *file) {
    fprintf(file, "\n<section id=%s aria-labelledby=%s-h>\n<h2 id=%s-h>%s</h2>\n", section->id, section->id,
            section->id, section->heading);
    section->write(report, file);
    fputs("</section>\n", file);
}

enum cor_status cor_report_write(const struct cor_report *report, FILE *file, struct cor_error *error) {
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
    for (size_t s = 0; s < SECTIONS; s++)
        if (is_shown(report, &sections[s]))
            write_section(report, &sections[s], file);
    fputs("</main>\n<script>\n", file);
    fputs(cor__script, file);
    fputs("</script>\n</body>\n</html>\n", file);
    return cor_stream_status(file, error);
}
