/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page: its frame, and the sections of its kind in their order. */
#include "page.h"
#include "html.h"

#include <corridor/cells.h>

/* Style sheet and script, ended by 0; made from style.css and script.js. */
extern const char cor__style_sheet[], cor__script[];

static bool is_shown(const struct cor_report *report, const struct cor__section *section) {
    return !section->is_shown || section->is_shown(report);
}

static void write_navigation(const struct cor_report *report, FILE *file) {
    const struct cor__page_kind *kind = report->kind;
    fputs("<nav aria-label=Sections>", file);
    for (size_t s = 0; s < kind->section_count; s++)
        if (is_shown(report, &kind->sections[s]))
            fprintf(file, "<a href=\"#%s\">%s</a>", kind->sections[s].id, kind->sections[s].shorter);
    fputs("</nav>\n", file);
}

enum cor_status cor__page_sheet(enum cor__shown_view view, const struct cor_sheet *sheet, bool closed,
                                FILE *file, struct cor_error *error) {
    if (!closed) {
        cor__page_insight(view, sheet, "p", file);
        return cor_sheet_html(sheet, file, error);
    }
    fprintf(file, "<details data-of=%s><summary><h3>", cor_sheet_definition(sheet)->id);
    cor_html_text(file, cor_sheet_shown_title(sheet));
    fputs("</h3> ", file);
    cor__page_insight(view, sheet, "span", file);
    fputs("</summary>\n", file);
    COR_TRY(cor_sheet_html(sheet, file, error));
    fputs("</details>\n", file);
    return COR_OK;
}

static enum cor_status write_section(const struct cor_report *report, const struct cor__section *section,
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
            COR_TRY(cor__page_sheet(section->sheet[i].view, sheet, section->sheet[i].closed, file, error));
    }
    if (section->within)
        COR_TRY(section->within(report, file, error));
    if (section->after)
        section->after(report, file);
    fputs("</section>\n", file);
    return COR_OK;
}

enum cor_status cor_report_write(const struct cor_report *report, FILE *file, struct cor_error *error) {
    const struct cor__page_kind *kind = report->kind;
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
    for (size_t s = 0; s < kind->section_count; s++)
        if (is_shown(report, &kind->sections[s]))
            COR_TRY(write_section(report, &kind->sections[s], file, error));
    fputs("</main>\n<script>\n", file);
    fputs(cor__script, file);
    fputs("</script>\n</body>\n</html>\n", file);
    return cor_stream_status(file, error);
}
