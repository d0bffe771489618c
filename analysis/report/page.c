/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What pages of all layers share: text being made, facts, sheets under what there is to see in them,
 * provenance. */
#include "page.h"
#include "figure.h"

#include <corridor/arms.h>
#include <corridor/cells.h>
#include <corridor/json.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void report__text_begin(struct report__text *text) {
    *text = (struct report__text){0};
    text->file = open_memstream(&text->text, &text->size);
}

char *report__text_end(struct report__text *text) {
    bool failed = !text->file || ferror(text->file);
    if (text->file && fclose(text->file) != 0)
        failed = true;
    if (failed) {
        free(text->text);
        text->text = NULL;
    }
    return text->text;
}

/* ---- page html */

#define WORDS_MAX (REPORT__LINES_MAX + 1)

void report__html_count(FILE *file, uint64_t value) {
    char digits[COR_CELL];
    cor_integer_text(value, digits);
    size_t count = strlen(digits);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0 && count > 4)
            fputs("\xe2\x80\xaf", file);
        fputc(digits[i], file);
    }
}

void report__html_real(FILE *file, double value, int decimals) {
    if (isnan(value))
        fputs("<span class=na>n/a</span>", file);
    else if (isinf(value))
        fputs(value > 0 ? "\xe2\x88\x9e" : "-\xe2\x88\x9e", file);
    else if (fabs(value) >= 1e9) /* nobody counts the digits */
        fprintf(file, "%.4g", value);
    else {
        char text[COR_CELL];
        snprintf(text, sizeof text, "%.*f", decimals, value);
        bool zero = text[strspn(text, "-0.")] == '\0'; /* "-0.00" says no more than "0.00" */
        fputs(text + (zero && text[0] == '-'), file);
    }
}

void report__html_brief(FILE *file, double value) {
    if (isfinite(value))
        fprintf(file, "%.4g", value);
    else
        report__html_real(file, value, 0);
}

void report__head(FILE *file, const char *text) {
    fprintf(file, "<th scope=col>%s</th>", text);
}

const char *report__sheet_word(const struct cor_sheet *sheet, size_t row, const char *key) {
    const struct cor_table_cell *cell = cor_sheet_cell(sheet, row, cor_sheet_column(sheet, key));
    COR_ASSERT(cell->kind == COR_CELL_WORD || cell->kind == COR_CELL_TEXT || cell->kind == COR_CELL_NOTHING);
    return cell->kind == COR_CELL_NOTHING ? "" : cell->text;
}

uint64_t report__sheet_count(const struct cor_sheet *sheet, size_t row, const char *key) {
    const struct cor_table_cell *cell = cor_sheet_cell(sheet, row, cor_sheet_column(sheet, key));
    COR_ASSERT(cell->kind == COR_CELL_COUNT || cell->kind == COR_CELL_NOTHING);
    return cell->kind == COR_CELL_COUNT ? cell->count : 0;
}

double report__sheet_real(const struct cor_sheet *sheet, size_t row, const char *key) {
    const struct cor_table_cell *cell = cor_sheet_cell(sheet, row, cor_sheet_column(sheet, key));
    return cell->kind == COR_CELL_REAL       ? cell->real
           : cell->kind == COR_CELL_ESTIMATE ? cell->estimate->mean
           : cell->kind == COR_CELL_COUNT    ? (double)cell->count
                                             : NAN;
}

uint64_t report__sheet_sum(const struct cor_sheet *sheet, const char *key) {
    uint64_t sum = 0;
    for (size_t row = 0; row < cor_sheet_size(sheet); row++)
        sum += report__sheet_count(sheet, row, key);
    return sum;
}

size_t report__sheet_rows_with(const struct cor_sheet *sheet, const char *key, const char *word) {
    size_t count = 0;
    for (size_t row = 0; row < cor_sheet_size(sheet); row++)
        count += strcmp(report__sheet_word(sheet, row, key), word) == 0;
    return count;
}

size_t report__sheet_rows(const struct cor_sheet *sheet) {
    const struct cor_sheet_definition *definition = cor_sheet_definition(sheet);
    size_t size = cor_sheet_size(sheet);
    if (!(definition->flags & COR_SHEET_FIRST))
        return size;
    for (size_t c = 0; c < definition->column_count && definition->columns[c].flags & COR_COLUMN_GROUP; c++)
        for (size_t row = 1; row < size; row++)
            if (strcmp(report__sheet_word(sheet, row, definition->columns[c].key),
                       report__sheet_word(sheet, 0, definition->columns[c].key)) != 0)
                size = row;
    return size;
}

/* Words of a column, each once, in the order in which they occur. */
struct words {
    const char *word[WORDS_MAX];
    size_t count;
};

static bool is_in(const struct words *words, const char *word) {
    for (size_t w = words->count; w-- > 0;) /* mostly it is the last */
        if (strcmp(words->word[w], word) == 0)
            return true;
    return false;
}

static bool is_of_group(const struct report__matrix *matrix, size_t row) {
    return !matrix->group_key ||
           strcmp(report__sheet_word(matrix->sheet, row, matrix->group_key), matrix->group) == 0;
}

static struct words collect(const struct report__matrix *matrix, const struct cor_sheet *sheet,
                            const char *key, size_t most) {
    struct words words = {.count = 0};
    COR_ASSERT(most <= WORDS_MAX);
    for (size_t row = 0; row < cor_sheet_size(sheet) && words.count < most; row++) {
        const char *word = report__sheet_word(sheet, row, key);
        if ((sheet != matrix->sheet || is_of_group(matrix, row)) && !is_in(&words, word))
            words.word[words.count++] = word;
    }
    return words;
}

/* How many words there are under the key, if no more than REPORT__LINES_MAX; else more. */
static size_t matrix_lines(const struct cor_sheet *sheet, const char *key) {
    const struct report__matrix matrix = {.sheet = sheet};
    return collect(&matrix, sheet, key, WORDS_MAX).count;
}

/* The row with these two words, the size of the sheet if there is none; looked for from *from on, as rows lie
 * mostly in the order in which they are asked for. */
static size_t find(const struct report__matrix *matrix, const char *line, const char *column, size_t *from) {
    size_t size = cor_sheet_size(matrix->sheet);
    for (size_t i = 0; i < size; i++) {
        size_t row = (*from + i) % size;
        if (strcmp(report__sheet_word(matrix->sheet, row, matrix->column_key), column) == 0 &&
            strcmp(report__sheet_word(matrix->sheet, row, matrix->line_key), line) == 0 &&
            is_of_group(matrix, row)) {
            *from = row + 1;
            return row;
        }
    }
    return size;
}

void report__matrix_html(const struct report__matrix *matrix, FILE *file) {
    struct words lines = collect(matrix, matrix->lines ? matrix->lines : matrix->sheet, matrix->line_key,
                                 REPORT__LINES_MAX),
                 columns = collect(matrix, matrix->sheet, matrix->column_key, REPORT__COLUMNS_MAX);
    size_t from = 0;
    if (columns.count == 0)
        return;
    fprintf(file, "<div class=wide><table class=\"%s\" data-matrix=%s>\n<thead><tr>", matrix->class,
            cor_sheet_definition(matrix->sheet)->id);
    report__head(file, matrix->heading);
    for (size_t c = 0; c < columns.count; c++) {
        fputs("<th scope=col class=n data-word=\"", file);
        cor_html_short(file, columns.word[c], 48);
        fputs("\">", file);
        matrix->put_heading(columns.word[c], file);
        fputs("</th>", file);
    }
    fputs("</tr></thead>\n<tbody>\n", file);
    for (size_t l = 0; l < lines.count; l++) {
        const char *line = lines.word[l];
        COR_ASSERT(columns.count > 0);
        size_t size = cor_sheet_size(matrix->sheet), first = find(matrix, line, columns.word[0], &from);
        fputs("<tr data-line=\"", file);
        cor_html_short(file, line, 48);
        fputs("\">", file);
        const char *name = matrix->line_shown && first < size
                               ? report__sheet_word(matrix->sheet, first, matrix->line_shown)
                               : line;
        fputs("<th scope=row>", file);
        cor_html_short(file, name, 48);
        fputs("</th>", file);
        for (size_t c = 0; c < columns.count; c++) {
            size_t row = find(matrix, line, columns.word[c], &from);
            if (row < size)
                matrix->put_cell(matrix, row, file);
            else
                fputs("<td class=na data-v=0>\xc2\xb7</td>", file);
        }
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table></div>\n", file);
}

/* ---- what was run, the verdict on all faults, and where the numbers come from */

#define EXPERIMENT_MAX 100000 /* bytes of the experiment that are shown */

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

/* Title and facts; those of a campaign; the headline of its verdicts; where the numbers come from. */
static void page_front(const struct cor_report *report, FILE *file) {
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
    const char *without = faults > 0 ? " without an injected fault" : "";
    if (failing > 0)
        fprintf(file, " Something failed in <strong>%zu of %zu</strong> arm%s%s.", failing, sound,
                sound == 1 ? "" : "s", without);
    else if (sound > 0)
        fprintf(file, " Nothing failed in the %zu arm%s%s.", sound, sound == 1 ? "" : "s", without);
    fputs("</p>\n", file);
}

static void put_entry(FILE *file, const char *name) {
    fputs("<dt>", file);
    cor_html_short(file, name, 60);
    fputs("</dt><dd>", file);
}

void report__page_provenance(const struct cor_report *report, FILE *file) {
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
        COR_JSON_CHILDREN(value, &root) {
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
    fputs("<details class=screen><summary><h3>The experiment</h3></summary>\n<pre>", file);
    /* Lines and indents are content here. */
    cor_html_lines(file, report->head->experiment, EXPERIMENT_MAX);
    fputs("</pre></details>\n<p class=legend>How each figure is made: docs/evidence/statistics.md (tables, "
          "intervals, "
          "survival, coverage), analysis/tree/README.md (what goes with failing), analysis/report/README.md "
          "(this page). What each word means: docs/look-up/words.md, or <code>corridor help WORD</code>. "
          "Figures as "
          "files with their data: <code>corridor report --figures FOLDER</code>.</p>\n",
          file);
}

/* ---- the page: its frame, and the sections of its kind in their order */

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
    page_front(report, file);
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
    page_front(report, file);
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

/* ---- what pages of tests of systems say alike */

void report__tests_facts_end(const struct cor_report *report, FILE *file) {
    report__page_seed(report, file);
    if (!report->head->complete)
        fputs(
            "<p class=note><strong>Not complete:</strong> the campaign ended before all tests were made.</p>",
            file);
    report__page_troubles(report, file);
}

void report__tests_headline(const struct cor_report *report, FILE *file) {
    const struct report__tests_words *words = report->kind->words;
    const struct cor_sheet *arms = report__sheet_of(report, "arms"),
                           *scores = report__sheet_of(report, "scores");
    uint64_t tests = 0, pass = 0, fail = 0, trouble = 0;
    for (size_t row = 0; row < cor_sheet_size(arms); row++)
        if (report__sheet_word(arms, row, "mutant")[0] == '\0') {
            tests += report__sheet_count(arms, row, "tests");
            pass += report__sheet_count(arms, row, "pass");
            fail += report__sheet_count(arms, row, "fail");
            trouble += report__sheet_count(arms, row, "trouble");
        }
    fputs("<p class=headline>", file);
    if (tests > 0) {
        fprintf(file, "<strong>%" PRIu64 " of %" PRIu64 "</strong> tests pass; ", pass, tests);
        fprintf(file, "in %" PRIu64 " %s; ", fail, words->fails);
        fprintf(file, "%" PRIu64 " ended without a verdict", tests - pass - fail);
        if (trouble > 0)
            fprintf(file, ", some as the %s died, hung or spoke nonsense", words->system);
        fputc('.', file);
    }
    for (size_t row = 0; scores && row < cor_sheet_size(scores); row++) {
        const uint64_t differ =
            report__sheet_count(scores, row, "mutants") - report__sheet_count(scores, row, "equivalent");
        fprintf(file, "%s<strong>%" PRIu64 " of %" PRIu64 "</strong> mutants are killed by ",
                row > 0     ? "<br>"
                : tests > 0 ? " "
                            : "",
                report__sheet_count(scores, row, "killed"), differ);
        cor_html_short(file, report__sheet_word(scores, row, words->chooser), 60);
        fputc('.', file);
    }
    fputs("</p>\n", file);
}

static void put_chooser(const char *word, FILE *file) {
    cor_html_short(file, word, 32);
}

/* What became of a mutant by a chooser: tests that failed, of those that were made. */
static void put_kill(const struct report__matrix *matrix, size_t row, FILE *file) {
    const struct report__tests_words *words = matrix->with;
    const struct cor_sheet *sheet = matrix->sheet;
    const char *state = report__sheet_word(sheet, row, "state");
    const uint64_t killed = report__sheet_count(sheet, row, "killed"),
                   tests = report__sheet_count(sheet, row, "tests");
    const double length = report__sheet_real(sheet, row, words->unit);
    fprintf(file, "<td data-v=%" PRIu64, killed);
    if (killed > 0)
        fprintf(file, " class=heat style=\"--v:%.3f\"", (double)killed / (double)tests);
    else if (strcmp(state, "alive") == 0)
        fputs(" class=bad", file);
    else
        fputs(" class=na", file);
    fputs(" title=\"", file);
    cor_html_text(file, state);
    if (!isnan(length))
        fprintf(file, ", %.1f %s %s", length, words->unit, words->until);
    else if (words->spent)
        fprintf(file, ", %" PRIu64 " %s %s", report__sheet_count(sheet, row, words->spent), words->unit,
                words->spent);
    fputs("\">", file);
    if (killed > 0)
        fprintf(file, "%" PRIu64 " of %" PRIu64, killed, tests);
    else
        cor_html_text(file, state);
    fputs("</td>", file);
}

void report__tests_kills(const struct cor_report *report, FILE *file) {
    const struct report__tests_words *words = report->kind->words;
    const struct cor_sheet *kills = report__sheet_of(report, "kills");
    report__page_insight(report->kind->shown, kills, "p", file);
    report__matrix_html(&(struct report__matrix){.sheet = kills,
                                                 .line_key = "mutant",
                                                 .column_key = words->chooser,
                                                 .heading = "Mutant",
                                                 .class = "sorts mutants",
                                                 .put_heading = put_chooser,
                                                 .put_cell = put_kill,
                                                 .with = words},
                        file);
    fprintf(file, "<p class=legend>%s", words->legend);
    if (matrix_lines(kills, "mutant") > REPORT__LINES_MAX)
        fprintf(file,
                " The first %d mutants are shown; <code>corridor show FILE %s --sheet kills</code> has all.",
                REPORT__LINES_MAX, words->view_name);
    fputs("</p>\n", file);
}

/* ---- the one sentence above a table that says what to see in it, made of the same cells */

/* What is made of the rows. {n} stands for the names of those with the extreme value {v}, with {is} and {its}
 * for one or several of them; {k} for a part of {m}. */
enum form {
    MOST,  /* the largest value, if it is above 0 */
    LEAST, /* the smallest value */
    TOTAL, /* the same as MOST, of the sums over rows of one name */
    WORD,  /* k of m rows have `word` in column `value` */
    ABOVE, /* k of m rows have a number above 0 there, or a flag that is set */
    BELOW, /* k of m rows have one below 0.05 */
    SUMS,  /* sums of two columns: `name` of `value` */
    ROWS   /* k rows */
};

struct rule {
    enum report__shown_view view;
    const char *sheet;
    enum form form;
    const char *name, *value, *word; /* columns; NULL = none is needed */
    const char *of;                  /* column of what is named beside `name`; NULL = nothing */
    const char *where, *is;          /* only rows with that word in that column; NULL = all */
    const char *text, *same, *none; /* same: all have the same value, k is m; none: there is no value, k is 0;
                                       NULL = text serves */
};

static const struct rule rules[] = {
    {REPORT__OF_tables, "found", MOST, "arm", "sequences_detected_pct", .where = "verdict", .is = "found",
     .text = "{n} {is} found most often: {v} % of {its} sequences.",
     .same = "All that are found are found equally often: {v} % of their sequences.",
     .none = "No injected fault is found."},
    {REPORT__OF_tables, "checks", ABOVE, NULL, "alarms_missed",
     .text = "Alarms are missed in {k} of {m} arms.", .none = "No alarm is missed."},
    {REPORT__OF_tables, "claim_parts", WORD, NULL, "verdict", "holds", .text = "{k} of {m} parts hold."},
    {REPORT__OF_tables, "agreement", SUMS, "inside", "compared",
     .text = "{k} of {m} published figures lie in our intervals."},
    {REPORT__OF_tables, "identities", WORD, NULL, "state", "holds",
     .text = "{k} of {m} hold; the others are broken, or there was nothing to check.",
     .same = "All {m} hold."},
    {REPORT__OF_tables, "failures", MOST, "class", "cases", .of = "arm",
     .text = "Most frequent: {n}, {v} test cases.", .same = "Each class has {v} test cases."},
    {REPORT__OF_survival, "kills", TOTAL, "oracle", "sequences",
     .text = "Violated in most sequences: {n}, in {v} of all arms together.",
     .same = "Each was violated in {v} sequences of all arms together."},
    {REPORT__OF_survival, "arms", LEAST, "arm", "restricted_mean",
     .text = "{n} {is} detected soonest: after {v} cases on average, cut at the horizon.",
     .same = "All arms: {v} cases on average, cut at the horizon.", .none = "No mean is known."},
    {REPORT__OF_survival, "points", LEAST, "arm", "undetected_10",
     .text = "Most is detected in {n}: after 10 cases a share of {v} of {its} sequences is left.",
     .same = "After 10 cases a share of {v} of the sequences of each arm is left.",
     .none = "No share is known after 10 cases."},
    {REPORT__OF_survival, "failures", MOST, "arm", "masked_pct",
     .text = "{n} {is} masked most: no box saw {v} % of {its} activated failures.",
     .same = "No box saw {v} % of the activated failures of each arm.",
     .none = "No activated failure was masked."},
    {REPORT__OF_survival, "log_rank", BELOW, NULL, "p", .text = "They do: p is below 0.05.",
     .none = "No difference is shown: p is not below 0.05."},
    {REPORT__OF_survival, "log_rank_pairs", BELOW, NULL, "p_holm",
     .text = "{k} of {m} pairs differ: p is below 0.05.", .none = "Of {m} pairs none is shown to differ."},
    {REPORT__OF_coverage, "environments", LEAST, "environment", "transitions_pct",
     .text = "{n} {is} covered least: {v} % of {its} transitions.",
     .same = "Each environment is covered alike: {v} % of its transitions.", .none = "No coverage is known."},
    {REPORT__OF_coverage, "covered", LEAST, "measure", "chain_pct",
     .text = "A chain alone sees least of: {n}, {v} %.", .same = "A chain alone sees {v} % of each.",
     .none = "No coverage is known."},
    {REPORT__OF_coverage, "arms", LEAST, "arm", "transitions_pct",
     .text = "Least is covered in {n}: {v} % of the transitions.",
     .same = "Each arm covers {v} % of the transitions.", .none = "No coverage is known."},
    {REPORT__OF_coverage, "missed", ROWS, .text = "{k} transitions were to be expected and never taken.",
     .none = "Nothing that was to be expected is missing."},
    {REPORT__OF_mechanisms, "masking", ABOVE, NULL, "masked",
     .text = "In {k} of {m} arms a failure that is seen isolated is not seen integrated.",
     .none = "No failure that is seen isolated is missed integrated."},
    {REPORT__OF_traps, "arms", MOST, "arm", "covered",
     .text = "Most traps are covered by {n}: {v} by a sequence on average.",
     .same = "Each arm covers {v} traps by a sequence on average.", .none = "No trap is covered."},
    {REPORT__OF_traps, "traps", ABOVE, NULL, "covered", .text = "{k} of {m} traps of arms are covered."},
    {REPORT__OF_traps, "growth", MOST, "arm", "covered",
     .text = "Most traps in the end: {n}, {v} on average.", .same = "{v} traps on average, everywhere.",
     .none = "No trap is covered."},
    {REPORT__OF_ranking, "ranking", SUMS, "suites_failing", "suites",
     .text = "{k} of {m} suites have a reorganization that failed."},
    {REPORT__OF_ranking, "causes", MOST, "condition", "ochiai",
     .text = "Goes with failing most: {n}; Ochiai {v}.", .none = "Nothing goes with failing."},
    {REPORT__OF_ranking, "symptoms", MOST, "condition", "ochiai",
     .text = "Goes with failing most: {n}; Ochiai {v}.", .none = "Nothing goes with failing."},
    COR_WITH_AGENT(
        {REPORT__OF_findings, "arms", MOST, "arm", "findings", .text = "Most findings: {n}, {v}.",
         .same = "{v} findings in each.", .none = "Nothing was found."},
        {REPORT__OF_findings, "operators", SUMS, "killed", "mutants", .of = "operator",
         .text = "{k} of {m} mutants are killed."},
        {REPORT__OF_findings, "killers", MOST, "check", "mutants",
         .text = "Most mutants are killed by {n}: {v}.", .none = "No mutant is killed."},
        {REPORT__OF_findings, "mutants", ROWS, "outcome", .text = "{k} mutants are {n}."},
        {REPORT__OF_findings, "findings", WORD, NULL, "cause", "root",
         .text = "{k} of {m} are roots, the others consequences.", .same = "Roots among them: all of {m}."},
        {REPORT__OF_findings, "units", WORD, NULL, "outcome", "ok",
         .text = "Nothing was found in {k} of {m} units."},
        {REPORT__OF_findings, "adequacy", SUMS, "reached", "total", .text = "{k} of {m} were reached."},
        {REPORT__OF_findings, "not_run", ROWS, .text = "{k} plans and events are reached by no entry."}, )
        COR_WITH_EFSM(
            {REPORT__OF_tests, "arms", ABOVE, NULL, "fail",
             .text = "{k} of {m} arms have a test that fails."},
            {REPORT__OF_tests, "tests", WORD, NULL, "verdict", "pass", .text = "{k} of {m} tests pass."},
            {REPORT__OF_tests, "kills", WORD, NULL, "state", "alive",
             .text = "In {k} of {m} rows the mutant stays alive: no test failed."},
            {REPORT__OF_tests, "traps", ABOVE, NULL, "covered",
             .text = "{k} of {m} traps of arms are covered."},
            {REPORT__OF_tests, "transitions", ABOVE, NULL, "moves",
             .text = "{k} of {m} transitions of arms were taken."},
            {REPORT__OF_tests, "moves", ABOVE, NULL, "allowed",
             .text = "The model allows {k} of {m} moves."}, )
            COR_WITH_SYSTEM(
                {REPORT__OF_goals, "arms", ABOVE, NULL, "fail",
                 .text = "{k} of {m} arms have a test that fails."},
                {REPORT__OF_goals, "tests", WORD, NULL, "verdict", "pass", .text = "{k} of {m} tests pass."},
                {REPORT__OF_goals, "agents", WORD, NULL, "end", "success",
                 .text = "{k} of {m} reached their goal."},
                {REPORT__OF_goals, "kills", WORD, NULL, "state", "alive",
                 .text = "In {k} of {m} rows the mutant stays alive: no test failed."},
                {REPORT__OF_goals, "goals", ABOVE, NULL, "failed", .text = "{k} of {m} failed at least once.",
                 .none = "None of {m} failed."},
                {REPORT__OF_goals, "verdicts", ABOVE, NULL, "failed", .text = "{k} of {m} are violated.",
                 .none = "None of {m} is violated."},
                {REPORT__OF_goals, "judged", WORD, NULL, "verdict", "failed",
                 .text = "{k} of {m} are violated."},
                {REPORT__OF_goals, "reached", WORD, NULL, "end", "success",
                 .text = "{k} of {m} were reached."},
                {REPORT__OF_goals, "trace", ROWS, .text = "{k} turns."},
                {REPORT__OF_places, "arms", LEAST, "arm", "visited_pct",
                 .text = "{n} {is} visited least: {v} % of {its} free cells that were seen.",
                 .same = "Each arm: {v} % of the free cells that were seen.", .none = "No cells were seen."},
                {REPORT__OF_places, "entities", ABOVE, NULL, "touched", .text = "{k} of {m} were touched."},
                {REPORT__OF_places, "steps", ROWS, .text = "{k} steps between named states."},
                {REPORT__OF_places, "covered", ROWS, .text = "{k} numbers."}, ){
                REPORT__OF_searches, "shares", MOST, "generator", "found",
                .text = "{n} {is} successful most often: {v} of {its} repetitions found something.",
                .same = "Of each generator {v} repetitions found something.",
                .none = "No repetition found anything."},
    {REPORT__OF_searches, "pairs", BELOW, NULL, "p_holm", .text = "{k} of {m} pairs differ: p is below 0.05.",
     .none = "Of {m} pairs none is shown to differ."},
    {REPORT__OF_searches, "findings", LEAST, "class", "first", .text = "Found first: {n}, after {v} cases."},
    {REPORT__OF_searches, "regions", BELOW, NULL, "chance",
     .text = "{k} of {m} regions are better than the law, by more than chance.",
     .none = "Of {m} regions none is shown to be better than the law."},
    {REPORT__OF_searches, "islands", MOST, "arm", "classes", .text = "Most classes of failures: {n}, {v}.",
     .same = "Each search found {v} classes of failures.", .none = "No search found anything."},
    {REPORT__OF_estimate, "probabilities", MOST, "of", "probability", .where = "of", .is = "sequence",
     .text = "A {n} fails with probability {v}.", .none = "No probability above 0 is known."},
    {REPORT__OF_estimate, "estimate", MOST, "method", "cases", .text = "Method {n}: {v} test cases."},
    {REPORT__OF_estimate, "stages", SUMS, "reached", "started",
     .text = "{k} of {m} trajectories came to their level."},
};

/* What is said in place of the words in braces. */
struct said {
    const struct rule *rule;
    const struct cor_sheet *sheet;
    size_t rows;    /* that are shown */
    double extreme; /* NAN = there is none */
    uint64_t part, whole;
};

/* A row counts unless it is of another word, or of all names together. */
static bool is_looked_at(const struct said *said, size_t row) {
    const struct rule *rule = said->rule;
    const char *name = rule->form <= TOTAL ? report__sheet_word(said->sheet, row, rule->name) : "",
               *of = rule->of ? report__sheet_word(said->sheet, row, rule->of) : "";
    return (!rule->where || strcmp(report__sheet_word(said->sheet, row, rule->where), rule->is) == 0) &&
           strcmp(name, "all") != 0 && strcmp(of, "all") != 0;
}

static double value_of(const struct said *said, size_t row) {
    const struct rule *rule = said->rule;
    const struct cor_sheet *sheet = said->sheet;
    double value = NAN;
    if (!is_looked_at(said, row))
        return NAN;
    if (rule->form != TOTAL)
        return report__sheet_real(sheet, row, rule->value);
    value = 0;
    for (size_t other = 0; other < said->rows; other++)
        if (strcmp(report__sheet_word(sheet, other, rule->name),
                   report__sheet_word(sheet, row, rule->name)) == 0)
            value += report__sheet_real(sheet, other, rule->value);
    return value;
}

/* Of the rows with the extreme value the first of each name. */
static bool is_extreme(const struct said *said, size_t row) {
    const char *name = report__sheet_word(said->sheet, row, said->rule->name);
    if (!(value_of(said, row) == said->extreme))
        return false;
    for (size_t before = 0; before < row; before++)
        if (strcmp(report__sheet_word(said->sheet, before, said->rule->name), name) == 0 &&
            (!said->rule->of || strcmp(report__sheet_word(said->sheet, before, said->rule->of),
                                       report__sheet_word(said->sheet, row, said->rule->of)) == 0) &&
            value_of(said, before) == said->extreme)
            return false;
    return true;
}

/* "A", "A and B", "A and 3 others"; returns how many there are. */
static size_t put_names(const struct said *said, FILE *file) {
    if (said->rule->form == ROWS) { /* of one group */
        cor_html_short(file, report__sheet_word(said->sheet, 0, said->rule->name), 160);
        return 1;
    }
    size_t count = 0, size = said->rows, second = size;
    for (size_t row = 0; row < size; row++) {
        if (!is_extreme(said, row))
            continue;
        count++;
        second = count == 2 ? row : second;
    }
    size_t put = 0;
    for (size_t row = 0; file && row < size && put < (count == 2 ? 2 : 1); row++) {
        if (!is_extreme(said, row))
            continue;
        fputs(put++ > 0 ? " and " : "", file);
        cor_html_short(file, report__sheet_word(said->sheet, row, said->rule->name), 160);
        if (said->rule->of) {
            fputs(" of ", file);
            cor_html_short(file, report__sheet_word(said->sheet, row, said->rule->of), 48);
        }
    }
    if (file && count > 2)
        fprintf(file, " and %zu others", count - 1);
    return count;
}

static void put_said(const struct said *said, const char *text, FILE *file) {
    char number[COR_CELL];
    for (; *text; text++) {
        if (*text != '{') {
            fputc(*text, file);
            continue;
        }
        if (strncmp(text, "{n}", 3) == 0)
            put_names(said, file);
        else if (strncmp(text, "{is}", 4) == 0)
            fputs(put_names(said, NULL) == 1 ? "is" : "are", file);
        else if (strncmp(text, "{its}", 5) == 0)
            fputs(put_names(said, NULL) == 1 ? "its" : "their", file);
        else if (strncmp(text, "{v}", 3) == 0) {
            cor_brief_text(said->extreme, number);
            fputs(number, file);
        } else
            report__html_count(file, text[1] == 'k' ? said->part : said->whole);
        text = strchr(text, '}');
    }
}

void report__page_insight(enum report__shown_view view, const struct cor_sheet *sheet, const char *tag,
                          FILE *file) {
    struct said said = {.sheet = sheet, .rows = sheet ? report__sheet_rows(sheet) : 0, .extreme = NAN};
    const char *id = sheet ? cor_sheet_definition(sheet)->id : "";
    for (size_t r = 0; r < sizeof rules / sizeof *rules && !said.rule; r++)
        if (rules[r].view == view && strcmp(rules[r].sheet, id) == 0)
            said.rule = &rules[r];
    const bool is_of_faults = view == REPORT__OF_tables && strcmp(id, "found") == 0;
    if (!said.rule || (is_of_faults && report__sheet_rows_with(sheet, "verdict", "found") +
                                               report__sheet_rows_with(sheet, "verdict", "not reached") +
                                               report__sheet_rows_with(sheet, "verdict", "not found") ==
                                           0))
        return;
    if (said.rule->form <= TOTAL) {
        const double sign = said.rule->form == LEAST ? -1 : 1;
        for (size_t row = 0; row < said.rows; row++) {
            double value = value_of(&said, row);
            said.whole += isnan(value) ? 0 : 1;
            if (!isnan(value) && !(sign * value <= sign * said.extreme) && (sign < 0 || value > 0))
                said.extreme = value;
        }
        for (size_t row = 0; row < said.rows; row++)
            said.part += value_of(&said, row) == said.extreme;
    } else if (said.rule->form == SUMS) {
        for (size_t row = 0; row < said.rows; row++) {
            if (!is_looked_at(&said, row))
                continue;
            said.part += report__sheet_count(sheet, row, said.rule->name);
            said.whole += report__sheet_count(sheet, row, said.rule->value);
        }
    } else {
        const struct rule *rule = said.rule;
        for (size_t row = 0; row < said.rows; row++) {
            const struct cor_table_cell *cell =
                rule->value ? cor_sheet_cell(said.sheet, row, cor_sheet_column(said.sheet, rule->value))
                            : NULL;
            double value = !cell                         ? NAN
                           : cell->kind == COR_CELL_FLAG ? cell->flag
                           : rule->form == WORD          ? NAN
                                                         : report__sheet_real(said.sheet, row, rule->value);
            bool is_known = rule->form == WORD || rule->form == ROWS || !isnan(value);
            said.whole += is_known;
            said.part += rule->form == WORD
                             ? strcmp(report__sheet_word(said.sheet, row, rule->value), rule->word) == 0
                         : rule->form == ABOVE ? value > 0
                         : rule->form == BELOW ? value < 0.05
                                               : is_known;
        }
    }
    const bool is_alike = said.part == said.whole && (said.rule->form > TOTAL || said.whole > 1);
    const char *text = said.part == 0 && said.rule->none ? said.rule->none
                       : is_alike && said.rule->same     ? said.rule->same
                                                         : said.rule->text;
    /* Where nothing can be compared nothing is said. */
    if ((said.part == 0 && said.rule->form <= TOTAL && !said.rule->none) ||
        (said.whole == 0 && said.rule->form != ROWS && said.rule->form > TOTAL))
        return;
    fprintf(file, "<%s class=insight data-of=%s>", tag, id);
    put_said(&said, text, file);
    fprintf(file, "</%s>\n", tag);
}
