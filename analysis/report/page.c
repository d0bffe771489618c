/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page: its frame, and the sections of its kind in their order. */
#include "page.h"
#include "page_html.h"

#include <corridor/cells.h>

#include <string.h>

#define ROWS_OPEN 40 /* of a sheet that is not folded */

/* Style sheet and script, ended by 0; made from style.css and script.js. */
extern const char report__style_sheet[], report__script[];

static bool is_shown(const struct cor_report *report, const struct report__section *section) {
    bool is_shown = !section->needs[0] && (!section->is_shown || section->is_shown(report));
    for (size_t i = 0; i < REPORT__SECTION_SHEETS && section->needs[i]; i++) {
        const struct cor_sheet *sheet =
            cor_sheets_find(report->view[section->sheet[0].view], section->needs[i]);
        is_shown |= sheet && cor_sheet_size(sheet) > 0;
    }
    return is_shown;
}

enum cor_status report__page_sheet(enum report__shown_view view, const struct cor_sheet *sheet, bool closed,
                                   FILE *file, struct cor_error *error) {
    if (!sheet)
        return COR_OK;
    if (!closed) {
        report__page_insight(view, sheet, "p", file);
        return cor_sheet_html(sheet, file, error);
    }
    fprintf(file, "<details data-of=%s><summary><h3>", cor_sheet_definition(sheet)->id);
    cor_html_text(file, cor_sheet_shown_title(sheet));
    fputs("</h3> ", file);
    report__page_insight(view, sheet, "span", file);
    fputs("</summary>\n", file);
    COR_TRY(cor_sheet_html(sheet, file, error));
    fputs("</details>\n", file);
    return COR_OK;
}

static enum cor_status write_section(const struct cor_report *report, const struct report__section *section,
                                     FILE *file, struct cor_error *error) {
    fprintf(file, "\n<section id=%s aria-labelledby=%s-h>\n<h2 id=%s-h>%s</h2>\n", section->id, section->id,
            section->id, section->heading);
    if (section->sentence)
        fprintf(file, "<p>%s</p>\n", section->sentence);
    if (section->before)
        section->before(report, file);
    for (size_t i = 0; i < REPORT__SECTION_SHEETS && section->sheet[i].id; i++) {
        const enum report__shown_view view = section->sheet[i].view;
        const struct cor_sheet *sheet = cor_sheets_find(report->view[view], section->sheet[i].id);
        /* What is long is folded, but what the page begins with. */
        bool is_long = sheet && section != report->kind->sections && report__sheet_rows(sheet) > ROWS_OPEN;
        COR_TRY(report__page_sheet(view, sheet, section->sheet[i].closed || is_long, file, error));
    }
    if (section->within)
        COR_TRY(section->within(report, file, error));
    if (section->after)
        section->after(report, file);
    fputs("</section>\n", file);
    return COR_OK;
}

/* In a narrow window a row is a paragraph, and its cells are named one by one; style.css. */
static void write_labels_of(const char *section, const struct cor_sheet *sheet, FILE *file) {
    const struct cor_sheet_definition *definition = sheet ? cor_sheet_definition(sheet) : NULL;
    for (size_t c = 0, place = 0; definition && c < definition->column_count; c++) {
        const struct cor_column_definition *column = &definition->columns[c];
        if (column->flags & (COR_COLUMN_DATA | COR_COLUMN_GROUP) || place++ == 0)
            continue;
        const char *const parts[] = {column->heading, column->unit};
        for (int part = 0; part < 2; part++) {
            if (!parts[part][0] ||
                (part == 1 && (strcmp(parts[1], "1") == 0 || strcmp(parts[1], parts[0]) == 0)))
                continue;
            fprintf(file, "#%s [data-sheet=%s] td:nth-child(%zu)::%s{content:\"%s", section, definition->id,
                    place, part == 0 ? "before" : "after", part == 0 ? "" : " ");
            for (const char *h = parts[part]; *h; h++)
                fprintf(file, "%s%c", *h == '"' || *h == '\\' ? "\\" : "", *h == '\n' ? ' ' : *h);
            fprintf(file, "%s\"}\n", part == 0 ? " " : "");
        }
    }
}

enum cor_status cor_report_write(const struct cor_report *report, FILE *file, struct cor_error *error) {
    const struct report__page_kind *kind = report->kind;
    fputs("<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
          "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
          "<meta name=color-scheme content=\"light dark\">\n<title>",
          file);
    cor_html_short(file, report->name ? report->name : "A campaign", 80);
    fputs(" \xc2\xb7 Corridor</title>\n<style>\n", file);
    fputs(report__style_sheet, file);
    fputs("@media (max-width: 45rem) {\n", file);
    for (size_t s = 0; s < kind->section_count; s++)
        for (size_t i = 0; is_shown(report, &kind->sections[s]) && i < REPORT__SECTION_SHEETS; i++)
            if (kind->sections[s].sheet[i].id)
                write_labels_of(kind->sections[s].id,
                                cor_sheets_find(report->view[kind->sections[s].sheet[i].view],
                                                kind->sections[s].sheet[i].id),
                                file);
    size_t ranked = 0;
    while (report->ranking && ranked < report->arm_count && !report->ranking[ranked])
        ranked++;
    if (report->ranking && ranked < report->arm_count) {
        write_labels_of("features", cor_sheets_find(report->ranking[ranked], "causes"), file);
        write_labels_of("features", cor_sheets_find(report->ranking[ranked], "symptoms"), file);
    }
    fputs("}\n", file);
    fputs("</style>\n</head>\n<body>\n", file);
    report__page_front(report, file);
    fputs("<nav aria-label=Sections>", file);
    for (size_t s = 0; s < kind->section_count; s++)
        if (is_shown(report, &kind->sections[s]))
            fprintf(file, "<a href=\"#%s\">%s</a>", kind->sections[s].id, kind->sections[s].shorter);
    fputs("</nav>\n", file);
    fputs("<main>\n", file);
    for (size_t s = 0; s < kind->section_count; s++)
        if (is_shown(report, &kind->sections[s]))
            COR_TRY(write_section(report, &kind->sections[s], file, error));
    fputs("</main>\n<script>\n", file);
    fputs(report__script, file);
    fputs("</script>\n</body>\n</html>\n", file);
    return cor_stream_status(file, error);
}
