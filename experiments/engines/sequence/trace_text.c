/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_text.h"

#include <corridor/array.h>
#include <corridor/cells.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 100 /* where no terminal says how wide it is */
#define INDENT 16 /* of what is behind a word */

/* The sheets that are drawn. */
struct drawing {
    const struct cor_sheet *trace, *constraints; /* borrowed; constraints NULL: the corridor is no text */
};

/* A row of the sheet being written. */
struct row {
    const struct cor_sheet *sheet;
    size_t index;
    const struct cor_style *style;
    FILE *file;
};

static const struct cor_table_cell *cell(const struct row *row, const char *key) {
    return cor_sheet_cell(row->sheet, row->index, cor_sheet_column(row->sheet, key));
}

static bool is_there(const struct row *row, const char *key) {
    return cell(row, key)->kind != COR_CELL_NOTHING;
}

static uint64_t count(const struct row *row, const char *key) {
    return is_there(row, key) ? cell(row, key)->count : 0;
}

static bool flag(const struct row *row, const char *key) {
    return is_there(row, key) && cell(row, key)->flag;
}

static const char *text(const struct row *row, const char *key) {
    return is_there(row, key) ? cell(row, key)->text : "";
}

static size_t width_of(const struct row *row) {
    return row->style->width > INDENT ? row->style->width : WIDTH;
}

/* Where the next item begins. */
static const char *item_end(const char *item, const char *separator) {
    const char *end = strstr(item, separator);
    return end ? end + strlen(separator) : item + strlen(item);
}

/* Items, each behind `separator`, from the indentation on; lines are broken between them only. */
static void put_items(const struct row *row, const char *items, const char *separator) {
    const size_t width = width_of(row);
    size_t at = INDENT;
    bool owes_blank = false;
    while (*items) {
        const char *next = item_end(items, separator), *end = next[-1] == ' ' ? next - 1 : next;
        const char *text = items;
        size_t length = 0;
        while (text < end) {
            uint32_t code;
            const size_t size = cor_utf8_code(text, &code);
            text += size > 0 ? size : 1;
            length++;
        }
        if (at + owes_blank + length > width && at > INDENT) {
            fprintf(row->file, "\n%*s", INDENT, "");
            at = INDENT;
        } else if (owes_blank) {
            fputc(' ', row->file);
            at++;
        }
        while (items < end)
            items += cor_put_shown(row->file, items);
        at += length;
        owes_blank = end < next;
        items = next;
    }
    fputc('\n', row->file);
}

static void begin_line(const struct row *row, const char *word) {
    fprintf(row->file, "    %s%-*s%s", row->style->faint, INDENT - 4, word, row->style->plain);
}

static void put_line(const struct row *row, const char *word, const char *words) {
    begin_line(row, word);
    put_items(row, words, " ");
}

/* Of a corridor as a text the look is about triggers alone: an invariant may be violated beside them. */
static const char *look_in_words(const struct row *row, bool is_text, char *words, size_t size) {
    const char *look = text(row, "inside");
    words[0] = '\0';
    if (!is_there(row, "inside") || strcmp(look, "not_looked") == 0)
        return words;
    if (is_text && strcmp(look, "inside") == 0)
        return "the oracle sees no trigger violated";
    if (is_text && strcmp(look, "outside") == 0)
        return "the oracle sees a trigger violated";
    snprintf(words, size, "the oracle says %s", look);
    return words;
}

static void put_head(const struct row *row, bool is_text) {
    const bool alarm = flag(row, "alarm");
    char found[COR_CELL], limit[COR_CELL], measured[2 * COR_CELL + 40] = "", words[64];
    const char *look = look_in_words(row, is_text, words, sizeof words);
    if (!is_text) {
        cor_brief_text(cell(row, "dissimilarity")->real, found);
        cor_brief_text(cell(row, "threshold")->real, limit);
        snprintf(measured, sizeof measured, "dissimilarity %s, threshold %s: ", found, limit);
    }
    fprintf(row->file, "  %scase %-7" PRIu64 "%s %s%s%s%s", row->style->strong, count(row, "case"),
            row->style->plain, measured, alarm ? row->style->bad : "", alarm ? "alarm" : "quiet",
            alarm ? row->style->plain : "");
    if (look[0] && INDENT + strlen(measured) + strlen("quiet, ") + strlen(look) > width_of(row))
        fprintf(row->file, ",\n%*s%s", INDENT, "", look);
    else if (look[0])
        fprintf(row->file, ", %s", look);
    fputc('\n', row->file);
}

/* "balance violated, organization 3: supply 12.4 kW < demand 13 kW", a line each, from row *at on. */
static void put_constraints(const struct row *row, const struct cor_sheet *constraints, size_t *at) {
    struct row it = {constraints, *at, row->style, row->file};
    bool is_first = true;
    for (; it.index < cor_sheet_size(constraints) && count(&it, "case") == count(row, "case"); it.index++) {
        static const char *const elements[] = {"organization", "agent"};
        char words[1024];
        size_t length = (size_t)snprintf(words, sizeof words, "%.200s%s %s", text(&it, "constraint"),
                                         flag(&it, "trigger") ? " (trigger)" : "", text(&it, "verdict"));
        for (size_t e = 0; e < 2; e++)
            if (is_there(&it, elements[e]))
                length += (size_t)snprintf(words + length, sizeof words - length, ", %s %" PRIu64,
                                           elements[e], count(&it, elements[e]));
        const char *sides = text(&it, "sides");
        snprintf(words + length, sizeof words - length, ": %s", *sides ? sides : text(&it, "part"));
        put_line(row, is_first ? "corridor" : "", words);
        is_first = false;
    }
    *at = it.index;
}

static void put_solution(const struct row *row) {
    char words[1024];
    if (is_there(row, "smoke"))
        snprintf(words, sizeof words, "none: %s", text(row, "smoke"));
    else
        snprintf(words, sizeof words,
                 "%" PRIu64 " blocks (%s); %" PRIu64 " agents moved%s, partitions %" PRIu64 " -> %" PRIu64,
                 count(row, "blocks"), text(row, "sizes"), count(row, "moved"),
                 flag(row, "own_moves") ? " by moves of its own" : "", count(row, "partitions_before"),
                 count(row, "partitions_after"));
    put_line(row, "solution", words);
    if (count(row, "messages") > 0 || count(row, "rounds") > 0) {
        snprintf(words, sizeof words, "%" PRIu64 " messages in %" PRIu64 " rounds, %" PRIu64 " lost",
                 count(row, "messages"), count(row, "rounds"), count(row, "messages_lost"));
        put_line(row, "mail", words);
    }
    if (count(row, "fault_reached") == 0 && count(row, "fault_activated") == 0)
        return;
    snprintf(words, sizeof words, "reached %" PRIu64 ", held %" PRIu64 ", activated %" PRIu64,
             count(row, "fault_reached"), count(row, "fault_held"), count(row, "fault_activated"));
    put_line(row, "fault", words);
}

static void put_verdict(const struct row *row, const char *key, bool *first) {
    const char *word = text(row, key);
    const bool bad = strcmp(word, "failed") == 0 || strcmp(word, "smoke") == 0;
    if (!is_there(row, key) || strcmp(word, "not_judged") == 0)
        return;
    fprintf(row->file, "%s%s %s%s%s", *first ? "" : ", ", key, bad ? row->style->bad : "", word,
            bad ? row->style->plain : "");
    *first = false;
}

static void draw(const void *context, const struct cor_style *style, FILE *file) {
    const struct drawing *drawing = context;
    const struct cor_sheet *sheet = drawing->trace;
    size_t constraint = 0;
    fprintf(file, "%s%s%s\n", style->strong, cor_sheet_shown_title(sheet), style->plain);
    for (size_t i = 0; i < cor_sheet_size(sheet); i++) {
        const struct row row = {sheet, i, style, file};
        put_head(&row, drawing->constraints != NULL);
        if (drawing->constraints)
            put_constraints(&row, drawing->constraints, &constraint);
        char words[512];
        if (count(&row, "chains") > 0) {
            char bits[COR_CELL], usual[COR_CELL];
            cor_brief_text(cell(&row, "bits")->real, bits);
            cor_brief_text(cell(&row, "usual_bits")->real, usual);
            begin_line(&row, "environment");
            put_items(&row, text(&row, "environment"), ", ");
            if (cell(&row, "bits")->real > cell(&row, "usual_bits")->real)
                snprintf(words, sizeof words, "an unlikely step: %s bits, where %s are usual", bits, usual);
            else
                snprintf(words, sizeof words, "the environment did nothing unusual");
            put_line(&row, "", words);
        }
        if (count(&row, "changed") != 0) {
            snprintf(words, sizeof words, "%" PRIu64 " changed: %s", count(&row, "changed"),
                     text(&row, "agents"));
            put_line(&row, "agents", words);
        }
        if (flag(&row, "reorganized"))
            put_solution(&row);
        if (flag(&row, "reorganized") || count(&row, "violations") > 0) {
            bool first = true;
            begin_line(&row, "verdicts");
            put_verdict(&row, "detect", &first);
            put_verdict(&row, "gray", &first);
            put_verdict(&row, "black", &first);
            put_verdict(&row, "agreement", &first);
            fputc('\n', row.file);
        }
        const uint64_t violations = count(&row, "violations");
        if (violations == 0)
            continue;
        put_line(&row, "violated", text(&row, "violated"));
        if (violations > 1)
            fprintf(row.file, "%*sand %" PRIu64 " more: --json lists them\n", INDENT, "", violations - 1);
    }
    if (cor_sheet_size(sheet) == 0)
        fputs("  no such case was executed\n", file);
}

enum cor_status sequence__draw_trace(struct cor_sheets *sheets, struct cor_sheet *sheet,
                                     const struct cor_sheet *constraints, struct cor_error *error) {
    struct drawing *drawing = cor_calloc(1, sizeof *drawing);
    COR_TRY(cor_made(drawing, error));
    *drawing = (struct drawing){sheet, constraints};
    cor_sheets_draw(sheets, draw, drawing, free);
    return COR_OK;
}
