/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page: its frame, and the sections of its kind in their order. */
#include "page.h"
#include "page_html.h"

#include <corridor/cells.h>

#include <stdlib.h>
#include <string.h>

#define ROWS_OPEN 40 /* of a sheet that is not folded */

/* Style sheet and scripts, ended by 0; made from style.css, script.js and renewing.js. */
extern const char report__style_sheet[], report__script[], report__renewing[];

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
void cor_report_write_labels(const char *section, const struct cor_sheet *sheet, FILE *file) {
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

/* Of all sheets of a section. */
static void write_labels(const struct cor_report *report, const struct report__section *section, FILE *file) {
    for (size_t i = 0; i < REPORT__SECTION_SHEETS; i++)
        if (section->sheet[i].id)
            cor_report_write_labels(
                section->id, cor_sheets_find(report->view[section->sheet[i].view], section->sheet[i].id),
                file);
}

/* Of what goes with failing, which is the same for each arm. */
static void write_labels_of_ranking(const struct cor_report *report, FILE *file) {
    size_t ranked = 0;
    while (report->ranking && ranked < report->arm_count && !report->ranking[ranked])
        ranked++;
    if (report->ranking && ranked < report->arm_count) {
        cor_report_write_labels("features", cor_sheets_find(report->ranking[ranked], "causes"), file);
        cor_report_write_labels("features", cor_sheets_find(report->ranking[ranked], "symptoms"), file);
    }
}

void cor_report_begin(const struct cor_report_frame *frame, FILE *file) {
    fputs("<!doctype html>\n<html lang=en", file);
    if (frame->renew_seconds > 0)
        fprintf(file, " data-renew=%u", frame->renew_seconds);
    fputs(">\n<head>\n<meta charset=utf-8>\n"
          "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
          "<meta name=color-scheme content=\"light dark\">\n",
          file);
    if (frame->renew_seconds > 0) /* where scripts run they do it in place */
        fprintf(file, "<noscript><meta http-equiv=refresh content=%u></noscript>\n", frame->renew_seconds);
    fputs("<title>", file);
    cor_html_short(file, frame->title ? frame->title : "A campaign", 80);
    fputs(" \xc2\xb7 Corridor</title>\n<style>\n", file);
    fputs(report__style_sheet, file);
    fputs("@media (max-width: 45rem) {\n", file);
}

void cor_report_begin_body(FILE *file) {
    fputs("}\n</style>\n</head>\n<body>\n", file);
}

static void write_script(const char *script, const char *nonce, FILE *file) {
    fputs("<script", file);
    if (nonce)
        fprintf(file, " nonce=\"%s\"", nonce);
    fprintf(file, ">\n%s</script>\n", script);
}

void cor_report_end(const struct cor_report_frame *frame, FILE *file) {
    write_script(report__script, frame->nonce, file);
    if (frame->renew_seconds > 0)
        write_script(report__renewing, frame->nonce, file);
    fputs("</body>\n</html>\n", file);
}

/* The section shown in place `part`; NULL behind the last. */
static const struct report__section *find_part(const struct cor_report *report, size_t part) {
    const struct report__page_kind *kind = report->kind;
    for (size_t s = 0; s < kind->section_count; s++)
        if (is_shown(report, &kind->sections[s]) && part-- == 0)
            return &kind->sections[s];
    return NULL;
}

const char *cor_report_part(const struct cor_report *report, size_t part, const char **shorter) {
    const struct report__section *section = find_part(report, part);
    if (section)
        *shorter = section->shorter;
    return section ? section->id : NULL;
}

/* HTML of ours up to `most` bytes, cut behind a row, a figure or the like, where what is open is closed and
 * the reader is told. */
static void write_cut(const char *text, size_t size, size_t most, FILE *file) {
    static const char *const wholes[] = {"tr", "figure", "details", "p", "dl", "pre"};
    enum { OPEN_MAX = 64, NAME = 16 };
    char open[OPEN_MAX][NAME];
    size_t depth = 0, end = 0, end_depth = 0;
    for (const char *at = text; size > most && (at = strchr(at, '<')) && (size_t)(at - text) < most;) {
        const bool closes = at[1] == '/';
        const char *word = at + 1 + closes;
        const size_t length = strcspn(word, " >\n");
        const char *behind = strchr(word, '>');
        if (!behind)
            break;
        at = behind + 1;
        if (!closes && length < NAME && depth < OPEN_MAX)
            snprintf(open[depth++], NAME, "%.*s", (int)length, word);
        /* What is never closed - <br>, <meta>, shapes of a drawing - lies above what is. */
        size_t below = depth;
        while (closes && below > 0 &&
               (strlen(open[below - 1]) != length || strncmp(open[below - 1], word, length) != 0))
            below--;
        if (closes && below > 0)
            depth = below - 1;
        for (size_t w = 0; closes && w < sizeof wholes / sizeof *wholes; w++)
            if (strlen(wholes[w]) == length && strncmp(wholes[w], word, length) == 0 &&
                (size_t)(at - text) <= most) {
                end = (size_t)(at - text);
                end_depth = depth;
            }
    }
    fwrite(text, 1, size > most ? end : size, file);
    while (size > most && end_depth > 0) {
        static const char *const closed[] = {
            "section", "div", "table", "tbody", "thead", "details", "figure", "svg",     "tr",   "td",  "th",
            "p",       "dl",  "dd",    "ul",    "ol",    "li",      "header", "summary", "span", "form"};
        end_depth--;
        for (size_t c = 0; c < sizeof closed / sizeof *closed; c++)
            if (strcmp(closed[c], open[end_depth]) == 0)
                fprintf(file, "</%s>", closed[c]);
    }
    if (size > most)
        fputs("\n<p class=note data-cut>This page ends here, as it is short: <code>corridor report</code> "
              "makes one "
              "that has all.</p>\n",
              file);
}

/* Lets `write` fill a text, and puts as much of it into `file`. */
typedef enum cor_status write_text(const struct cor_report *report, const struct report__section *section,
                                   FILE *file, struct cor_error *error);

static enum cor_status write_most(const struct cor_report *report, const struct report__section *section,
                                  write_text *write, size_t most, FILE *file, struct cor_error *error) {
    char *text = NULL;
    size_t size;
    FILE *whole = open_memstream(&text, &size);
    COR_TRY(cor_made(whole, error));
    enum cor_status status = write(report, section, whole, error);
    if (fclose(whole) != 0 && status == COR_OK)
        status = cor_fail_memory(error);
    if (status == COR_OK) {
        write_cut(text, size, most, file);
        status = cor_stream_status(file, error);
    }
    free(text);
    return status;
}

static enum cor_status write_front(const struct cor_report *report, const struct report__section *section,
                                   FILE *file, struct cor_error *error) {
    (void)section;
    (void)error;
    report__page_front(report, file);
    return COR_OK;
}

enum cor_status cor_report_write_front(const struct cor_report *report, size_t most, FILE *file,
                                       struct cor_error *error) {
    return write_most(report, NULL, write_front, most, file, error);
}

enum cor_status cor_report_write_part(const struct cor_report *report, size_t part, size_t most, FILE *labels,
                                      FILE *file, struct cor_error *error) {
    const struct report__section *section = find_part(report, part);
    COR_ASSERT(section);
    write_labels(report, section, labels);
    if (strcmp(section->id, "features") == 0)
        write_labels_of_ranking(report, labels);
    COR_TRY(cor_stream_status(labels, error));
    return write_most(report, section, write_section, most, file, error);
}

enum cor_status cor_report_write(const struct cor_report *report, FILE *file, struct cor_error *error) {
    const struct report__page_kind *kind = report->kind;
    const struct cor_report_frame frame = {.title = report->name};
    cor_report_begin(&frame, file);
    for (size_t s = 0; s < kind->section_count; s++)
        if (is_shown(report, &kind->sections[s]))
            write_labels(report, &kind->sections[s], file);
    write_labels_of_ranking(report, file);
    cor_report_begin_body(file);
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
    fputs("</main>\n", file);
    cor_report_end(&frame, file);
    return cor_stream_status(file, error);
}
