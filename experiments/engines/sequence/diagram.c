/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sequence diagrams, drawn line by line. */
#include <corridor/diagram.h>

#include <string.h>

#define ROW 26
#define TOP 64
#define LEFT 84
#define NOTES 400 /* beside the last line */
#define WIDEST 1200
#define WHAT_MOST 24 /* letters beside a point or an arrow */
#define NOTE_MOST 65

static void put_escaped(FILE *file, const char *text, size_t most) {
    for (size_t i = 0; text[i] && i < most; i++)
        if (text[i] == '<' || text[i] == '>' || text[i] == '&')
            fprintf(file, "&#%d;", text[i]);
        else
            fputc(text[i], file);
}

struct drawing {
    FILE *file;
    const struct cor_diagram *diagram;
    double gap; /* between lines */
};

static double x_of(const struct drawing *drawing, uint32_t life) {
    return LEFT + drawing->gap * (life + 0.5);
}

static double y_of(size_t row) {
    return TOP + ROW * (double)row;
}

/* Where somebody is up: a whole line; where it is down, a dotted one. */
static void draw_lives(const struct drawing *drawing) {
    const struct cor_diagram *diagram = drawing->diagram;
    const double bottom = y_of(diagram->row_count + 1);
    for (uint32_t life = 0; life < diagram->life_count; life++) {
        const double x = x_of(drawing, life);
        double from = TOP - 12;
        bool is_up = true;
        fprintf(drawing->file, "<text x=\"%g\" y=\"%d\" text-anchor=\"middle\" class=\"who\">", x, TOP - 24);
        put_escaped(drawing->file, diagram->lives[life], WHAT_MOST);
        fputs("</text>\n", drawing->file);
        for (size_t r = 0; r <= diagram->row_count; r++) {
            const struct cor_diagram_row *row = r < diagram->row_count ? &diagram->rows[r] : NULL;
            if (row && (row->life != life || row->turns != (is_up ? -1 : 1)))
                continue;
            const double to = row ? y_of(r + 1) : bottom;
            fprintf(drawing->file, "<line x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\" class=\"%s\"/>\n", x, from,
                    x, to, is_up ? "life" : "down");
            from = to;
            is_up = !is_up;
        }
    }
}

static void draw_message(const struct drawing *drawing, const struct cor_diagram_row *row, size_t number) {
    const double x1 = x_of(drawing, row->from), y1 = y_of(row->sent), y2 = y_of(number);
    const double x2 = x_of(drawing, row->life), side = x2 > x1 ? 1 : -1;
    const double end = row->is_bad ? x1 + (x2 - x1) * 0.7 : x2 - side * 4;
    fprintf(drawing->file, "<line x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\" class=\"%s\"%s/>\n", x1, y1, end,
            y2, row->is_bad ? "lost" : "message", row->is_bad ? "" : " marker-end=\"url(#arrow)\"");
    if (row->is_bad)
        fprintf(drawing->file, "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\" class=\"bad\">&#215;</text>\n",
                end, y2 + 5);
    fprintf(drawing->file, "<text x=\"%g\" y=\"%g\" text-anchor=\"%s\" class=\"what\">", x2 - side * 12,
            y2 - 5, side > 0 ? "end" : "start");
    put_escaped(drawing->file, row->what, WHAT_MOST);
    fputs("</text>\n", drawing->file);
}

static void draw_point(const struct drawing *drawing, const struct cor_diagram_row *row, size_t number) {
    const double x = x_of(drawing, row->life), y = y_of(number);
    fprintf(drawing->file, "<circle cx=\"%g\" cy=\"%g\" r=\"4\" class=\"%s\"/>\n", x, y,
            row->is_bad ? "fault" : "event");
    fprintf(drawing->file, "<text x=\"%g\" y=\"%g\" class=\"%s\">", x + 9, y + 4,
            row->is_bad ? "bad" : "what");
    put_escaped(drawing->file, row->what, WHAT_MOST);
    fputs("</text>\n", drawing->file);
}

static void draw_row(const struct drawing *drawing, const struct cor_diagram_row *row, size_t number) {
    const double y = y_of(number);
    fprintf(drawing->file, "<text x=\"8\" y=\"%g\" class=\"tick\">", y + 4);
    put_escaped(drawing->file, row->when, WHAT_MOST);
    fputs("</text>\n", drawing->file);
    if (row->is_message)
        draw_message(drawing, row, number);
    else
        draw_point(drawing, row, number);
    if (!row->note)
        return;
    fprintf(drawing->file, "<text x=\"%g\" y=\"%g\" class=\"note\">",
            LEFT + drawing->gap * drawing->diagram->life_count + 8, y + 4);
    put_escaped(drawing->file, row->note, NOTE_MOST);
    fprintf(drawing->file, "%s</text>\n", strlen(row->note) > NOTE_MOST ? ".." : "");
}

/* The words below, in lines of `across` letters. */
static void draw_end(const struct drawing *drawing, double y, size_t across) {
    const char *end = drawing->diagram->end;
    const size_t length = strlen(end);
    for (size_t at = 0; at < length; y += 18) {
        size_t take = length - at < across ? length - at : across;
        while (at + take < length && take > 1 && end[at + take] != ' ')
            take--;
        fprintf(drawing->file, "<text x=\"8\" y=\"%g\" class=\"end\">", y);
        put_escaped(drawing->file, end + at, take);
        fputs("</text>\n", drawing->file);
        at += take;
    }
}

void cor_diagram_write(const struct cor_diagram *diagram, FILE *file) {
    struct drawing drawing = {file, diagram, 180};
    const double most = (double)(WIDEST - LEFT - NOTES) / diagram->life_count;
    if (drawing.gap > most)
        drawing.gap = most;
    const double width = LEFT + drawing.gap * diagram->life_count + NOTES;
    const size_t across = (size_t)(width / 7);
    const double height = y_of(diagram->row_count + 2) + 18.0 * (double)(strlen(diagram->end) / across + 1);
    fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\">\n"
        "<style>text{font:12px sans-serif;fill:#222}.who{font-weight:bold}.tick,.note{fill:#666;"
        "font-size:11px}.bad{fill:#b00020}.life{stroke:#888}.down{stroke:#888;stroke-dasharray:2 4}"
        ".message{stroke:#1f5fa8}.lost{stroke:#b00020;stroke-dasharray:4 3}.event{fill:#1f5fa8}"
        ".fault{fill:#b00020}.end{fill:#b00020;font-weight:bold}</style>\n"
        "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" "
        "markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#1f5fa8\"/></marker></defs>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
        width, height, width, height);
    draw_lives(&drawing);
    for (size_t r = 0; r < diagram->row_count; r++)
        draw_row(&drawing, &diagram->rows[r], r + 1);
    draw_end(&drawing, y_of(diagram->row_count + 2), across);
    fputs("</svg>\n", file);
}
