/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Causes in sentences, and as sequence diagrams, drawn line by line. */
#include "why_told.h"

#include <corridor/array.h>
#include <corridor/diagram.h>
#include <corridor/host.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW 26
#define TOP 64
#define LEFT 84
#define NOTES 400 /* beside the last line */
#define WIDEST 1200
#define WHAT_MOST 24 /* letters beside a point or an arrow */
#define NOTE_MOST 65

/* So many bytes of a text at most; a character that is cut goes. */
static void put_escaped(FILE *file, const char *text, size_t most) {
    const size_t size = cor_text_fit(text, most);
    for (size_t i = 0; i < size; i++)
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

static void draw_row(const struct drawing *drawing, const struct cor_diagram_row *row, size_t number) {
    const double y = y_of(number);
    fprintf(drawing->file, "<text x=\"8\" y=\"%g\" class=\"tick\">", y + 4);
    put_escaped(drawing->file, row->when, WHAT_MOST);
    fputs("</text>\n", drawing->file);
    if (row->is_message) {
        const double x1 = x_of(drawing, row->from), y1 = y_of(row->sent), y2 = y_of(number);
        const double x2 = x_of(drawing, row->life), side = x2 > x1 ? 1 : -1;
        const double end = row->is_bad ? x1 + (x2 - x1) * 0.7 : x2 - side * 4;
        fprintf(drawing->file, "<line x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\" class=\"%s\"%s/>\n", x1, y1,
                end, y2, row->is_bad ? "lost" : "message", row->is_bad ? "" : " marker-end=\"url(#arrow)\"");
        if (row->is_bad)
            fprintf(drawing->file,
                    "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\" class=\"bad\">&#215;</text>\n", end,
                    y2 + 5);
        fprintf(drawing->file, "<text x=\"%g\" y=\"%g\" text-anchor=\"%s\" class=\"what\">", x2 - side * 12,
                y2 - 5, side > 0 ? "end" : "start");
        put_escaped(drawing->file, row->what, WHAT_MOST);
        fputs("</text>\n", drawing->file);
    } else {
        const double x = x_of(drawing, row->life);
        fprintf(drawing->file, "<circle cx=\"%g\" cy=\"%g\" r=\"4\" class=\"%s\"/>\n", x, y,
                row->is_bad ? "fault" : "event");
        fprintf(drawing->file, "<text x=\"%g\" y=\"%g\" class=\"%s\">", x + 9, y + 4,
                row->is_bad ? "bad" : "what");
        put_escaped(drawing->file, row->what, WHAT_MOST);
        fputs("</text>\n", drawing->file);
    }
    if (!*row->note)
        return;
    fprintf(drawing->file, "<text x=\"%g\" y=\"%g\" class=\"note\">",
            LEFT + drawing->gap * drawing->diagram->life_count + 8, y + 4);
    put_escaped(drawing->file, row->note, NOTE_MOST);
    fprintf(drawing->file, "%s</text>\n", strlen(row->note) > NOTE_MOST ? ".." : "");
}

static void write_diagram(const struct cor_diagram *diagram, FILE *file) {
    struct drawing drawing = {file, diagram, 180};
    const double most = (double)(WIDEST - LEFT - NOTES) / diagram->life_count;
    if (drawing.gap > most)
        drawing.gap = most;
    double width = LEFT + drawing.gap * diagram->life_count + NOTES;
    const size_t across = (size_t)(width / 7);
    const double height = y_of(diagram->row_count + 2) + 18.0 * (double)(strlen(diagram->end) / across + 1) +
                          diagram->last_size;
    if (width < diagram->last_size)
        width = diagram->last_size;
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
    /* The words below, in lines of `across` letters. */
    double y = y_of(diagram->row_count + 2);
    const char *end = drawing.diagram->end;
    const size_t length = strlen(end);
    for (size_t at = 0; at < length; y += 18) {
        size_t take = length - at < across ? length - at : across;
        while (at + take < length && take > 1 && end[at + take] != ' ')
            take--;
        while (((unsigned char)end[at + take] & 0xC0) == 0x80)
            take++;
        fprintf(drawing.file, "<text x=\"8\" y=\"%g\" class=\"end\">", y);
        put_escaped(drawing.file, end + at, take);
        fputs("</text>\n", drawing.file);
        at += take;
    }
    if (diagram->last)
        fprintf(file, "<g transform=\"translate(0,%g)\">\n%s</g>\n", height - diagram->last_size,
                diagram->last);
    fputs("</svg>\n", file);
}

enum cor_status cor_diagram_text_take(struct cor_diagram *diagram, char **text, struct cor_error *error) {
    bool is_whole = diagram->lives && diagram->rows && diagram->end;
    size_t size;
    *text = NULL;
    for (uint32_t i = 0; i < diagram->life_count && is_whole; i++)
        is_whole = diagram->lives[i] != NULL;
    for (size_t r = 0; r < diagram->row_count && is_whole; r++)
        is_whole = diagram->rows[r].when && diagram->rows[r].what && diagram->rows[r].note;
    FILE *file = is_whole ? open_memstream(text, &size) : NULL;
    if (file) {
        write_diagram(diagram, file);
        is_whole = !ferror(file);
        is_whole = fclose(file) == 0 && is_whole;
    }
    for (uint32_t i = 0; diagram->lives && i < diagram->life_count; i++)
        free(diagram->lives[i]);
    for (size_t r = 0; diagram->rows && r < diagram->row_count; r++) {
        free(diagram->rows[r].when);
        free(diagram->rows[r].what);
        free(diagram->rows[r].note);
    }
    free(diagram->lives);
    free(diagram->rows);
    if (!is_whole) {
        free(*text);
        *text = NULL;
    }
    return cor_made(*text, error);
}

/* ---- the cause of a failure in sentences */

#define FEW 6 /* values, answers that are told */

/* ---- messages */

/* What a message of the kind is called; NULL: it has a number alone. */
static const struct cor_message_kind *kind_of(const struct cor_algorithm *algorithm, uint32_t kind) {
    const struct cor_message_kind *list = algorithm->messages;
    for (uint32_t i = 0; list && list[i].name; i++)
        if (i == kind)
            return &list[i];
    return NULL;
}

/* What a message of the kind is called: "\"join\"", or its number. NULL: no memory. */
static char *why_kind(const struct cor_algorithm *algorithm, uint32_t kind) {
    const struct cor_message_kind *known = kind_of(algorithm, kind);
    return known ? cor_format("\"%s\"", known->name) : cor_format("%" PRIu32, kind);
}

#define TEXT_MOST 60u /* letters of a payload that is text */

/* A payload without known fields: text, as programs in other languages send it; else words that are sensible
 * real numbers are these, all others two integers. */
static char *tell_words(const uint64_t *words, uint32_t size) {
    const char *payload = (const char *)words;
    uint32_t printable = 0;
    while (printable < size && payload[printable] >= ' ' && payload[printable] <= '~')
        printable++;
    if (size > 0 && printable == size)
        return cor_format("%.*s%s", (int)(size < TEXT_MOST ? size : TEXT_MOST), (const char *)words,
                          size > TEXT_MOST ? ".." : "");
    char *text = cor_strdup("");
    for (uint32_t at = 0; at < size && at / 8 <= FEW; at += 8) {
        double real;
        uint32_t halves[2];
        memcpy(&real, &words[at / 8], sizeof real);
        memcpy(halves, &words[at / 8], sizeof halves);
        const bool is_whole = size - at >= 8;
        const bool is_real = is_whole && fabs(real) > 1e-12 && fabs(real) < 1e15;
        char *value = at / 8 == FEW           ? cor_strdup("..")
                      : is_real               ? cor_format("%.6g", real)
                      : is_whole && halves[1] ? cor_format("%" PRIu32 " %" PRIu32, halves[0], halves[1])
                                              : cor_format("%" PRIu32, halves[0]);
        text = cor_join_take(text, " ", value);
    }
    return text;
}

/* The field of that type at *at, which goes behind it; NULL: there is none so long, or no such type. */
static char *tell_field(const char *payload, uint32_t size, const char *type, const char *name,
                        uint32_t *at) {
    const bool is_small = strcmp(type, "u32") == 0, is_real = strcmp(type, "f64") == 0;
    const uint32_t width = is_small ? 4 : 8, from = (*at + width - 1) / width * width;
    uint64_t whole = 0;
    uint32_t half = 0;
    double real = 0;
    if ((!is_small && !is_real && strcmp(type, "u64") != 0) || from + width > size)
        return NULL;
    memcpy(is_small ? (void *)&half : is_real ? (void *)&real : (void *)&whole, payload + from, width);
    *at = from + width;
    return strcmp(name, "-") == 0 ? cor_strdup("")
           : is_small             ? cor_format("%s %" PRIu32, name, half)
           : is_real              ? cor_format("%s %.6g", name, real)
                                  : cor_format("%s %" PRIu64, name, whole);
}

/* By the fields that the algorithm declares; what does not fit them is told as words. */
static char *tell_values(const struct cor_algorithm *algorithm, uint32_t kind, const uint64_t *words,
                         uint32_t size) {
    const struct cor_message_kind *known = kind_of(algorithm, kind);
    char *text = cor_strdup(""), type[8], name[64];
    uint32_t at = 0;
    int read;
    for (const char *field = known && known->fields ? known->fields : ""; text && *field; field += read) {
        read = 0;
        if (sscanf(field, " %7s %63[^,]%n", type, name, &read) < 2 || read == 0)
            break;
        read += field[read] == ',';
        char *value = tell_field((const char *)words, size, type, name, &at);
        if (!value)
            break;
        if (*value)
            text = cor_join_take(text, ", ", value);
        else
            free(value);
    }
    if (!text || *text)
        return text;
    free(text);
    return tell_words(words, size);
}

static char *tell_message(const struct cor_course *course, const struct cor_algorithm *algorithm,
                          const struct cor_course_message *message) {
    char *kind = why_kind(algorithm, message->kind), *text = NULL;
    if (kind)
        text =
            cor_format("agent %" PRIu32 " says %s to agent %" PRIu32, cor_course_agent(course, message->from),
                       kind, cor_course_agent(course, message->to));
    free(kind);
    return text;
}

/* "says yes to agent 4, bye to agent 2 and 3 more"; "": none. */
static char *tell_answers(const struct cor_course *course, const struct cor_algorithm *algorithm,
                          uint32_t number) {
    char *text = cor_strdup("");
    uint32_t count = 0;
    for (size_t i = 0; i < course->message_count; i++) {
        const struct cor_course_message *it = &course->messages[i];
        if (it->cause != number || count++ >= FEW)
            continue;
        char *kind = why_kind(algorithm, it->kind);
        text = cor_join_take(text, count == 1 ? "" : ", ",
                             kind ? cor_format("%s%s to agent %" PRIu32, count == 1 ? "says " : "", kind,
                                               cor_course_agent(course, it->to))
                                  : NULL);
        free(kind);
    }
    return count > FEW ? cor_join_take(text, " ", cor_format("and %" PRIu32 " more", count - FEW)) : text;
}

/* What was counted: "counts integrate (bucket 2), the fault strikes"; "": nothing. */
static char *tell_effect(const struct cor_algorithm *algorithm, const struct cor_course_effect *effect) {
    char *text = cor_strdup("");
    for (uint32_t i = 0; i < effect->cell_count; i++)
        text = cor_join_take(text, ", ",
                             cor_format("counts %s (bucket %" PRIu32 ")",
                                        algorithm->counters[effect->counter[i]].name, effect->bucket[i]));
    return effect->fault ? cor_join_take(text, ", ", cor_strdup("the fault strikes")) : text;
}

static char *tell_then(const struct cor_course *course, const struct cor_algorithm *algorithm,
                       uint32_t number) {
    char *answers = tell_answers(course, algorithm, number);
    char *effect = tell_effect(algorithm, &course->messages[number].effect);
    if (!answers || !effect || !*answers || !*effect) {
        char *text = answers && effect ? cor_strdup(*answers ? answers : effect) : NULL;
        free(answers);
        free(effect);
        return text;
    }
    return cor_join_take(answers, ", ", effect);
}

static char *tell_cause(const struct cor_course *course, const struct cor_algorithm *algorithm,
                        uint32_t number) {
    if (number == COR_COURSE_NONE)
        return cor_strdup("");
    const struct cor_course_message *message = &course->messages[number];
    char *kind = why_kind(algorithm, message->kind), *text = NULL;
    if (kind)
        text = cor_format("answering %s from agent %" PRIu32 " (round %" PRIu64 ")", kind,
                          cor_course_agent(course, message->from), message->received);
    free(kind);
    return text;
}

/* ---- what happened instead */

static char *tell_changed(const struct cor_why_cause *cause) {
    static const char *const ways[] = {"the least number", "the greatest number", "another number"};
    switch (cause->manner) {
    case COR_WHY_LOST:
        return cor_strdup(cause->is_late_enough ? "lost, or one round later" : "lost");
    case COR_WHY_LATE:
        return cor_strdup("one round later");
    case COR_WHY_LAST:
        return cor_strdup("behind all others");
    case COR_WHY_CAME:
        return cor_strdup("not lost");
    case COR_WHY_REDRAWN:
        break;
    }
    return cor_strdup(cause->part == COR_WHY_MOVE ? "drawn another way"
                                                  : ways[cause->choice < 2 ? cause->choice : 2]);
}

static char *tell_instead(const struct cor_why_report *report, const struct cor_algorithm *algorithm,
                          const struct cor_why_cause *cause) {
    if (report->is_set)
        return cor_strdup("the failure is there, whatever the others");
    const struct cor_test_result *result = &cause->instead;
    char class[COR_FAILURE_CLASS_TEXT];
    char *text = result->case_ == 0 ? cor_strdup("the test passes")
                                    : cor_format("%s: %s",
                                                 result->case_ == report->case_ ? "it fails in another way"
                                                                                : "another case fails",
                                                 cor_failure_class_text(&result->class, class));
    if (!cause->has_next)
        return text;
    char *values = tell_values(algorithm, cause->next.kind, cause->next_words, cause->next.size);
    char *next = tell_message(&report->course, algorithm, &cause->next);
    if (next && values)
        text = cor_join_take(text, "; ",
                             cor_format("what differs first: %s in round %" PRIu64 "%s%s", next,
                                        cause->next.sent, *values ? ": " : "", values));
    free(next);
    free(values);
    return text;
}

static void tell_message_of(const struct cor_course *course, const struct cor_algorithm *algorithm,
                            const struct cor_course_message *message, struct sequence__why_step *step) {
    step->when = message->received > 0 ? cor_format("round %" PRIu64, message->received)
                                       : cor_format("lost in round %" PRIu64, message->sent);
    step->what = tell_message(course, algorithm, message);
    step->values = tell_values(algorithm, message->kind, course->words + message->payload, message->size);
    step->because = tell_cause(course, algorithm, message->cause);
}

static void tell_part(const struct cor_course *course, const struct cor_algorithm *algorithm,
                      const struct cor_why_cause *cause, struct sequence__why_step *step) {
    const struct cor_course_draw *draw;
    switch (cause->part) {
    case COR_WHY_MESSAGE:
        tell_message_of(course, algorithm, &course->messages[cause->number], step);
        step->then = tell_then(course, algorithm, cause->number);
        return;
    case COR_WHY_DRAW:
        draw = &course->draws[cause->number];
        step->when = draw->move != COR_COURSE_NONE ? cor_format("move %" PRIu32, draw->move)
                     : draw->round > 0             ? cor_format("round %" PRIu64, draw->round)
                                                   : cor_strdup("outside of rounds");
        step->what =
            draw->purpose == COR_PURPOSE_AGENT
                ? cor_format("agent %" PRIu32 " draws its number %" PRIu64, draw->entity, draw->index)
                : cor_format("%s draws number %" PRIu64,
                             draw->purpose == COR_PURPOSE_FAULT ? "the fault" : "the algorithm", draw->index);
        step->values = cor_format("%.6f of 1", (double)(draw->word >> 11) * 0x1p-53);
        step->because = tell_cause(course, algorithm, draw->message);
        step->then = cor_strdup("");
        return;
    case COR_WHY_MOVE:
    case COR_WHY_PARTS:
        break;
    }
    step->when = cor_format("move %" PRIu32 " of %zu", cause->number + 1, course->move_count);
    step->what = cor_strdup("the algorithm makes a move");
    step->values = cor_strdup("");
    step->because = cor_strdup("");
    step->then = tell_effect(algorithm, &course->moves[cause->number].effect);
}

static enum cor_status told(struct sequence__why_step *step, bool is_told, struct cor_error *error) {
    if (is_told && step->when && step->what && step->values && step->because && step->then)
        return COR_OK;
    sequence__why_step_fini(step);
    return cor_fail_memory(error);
}

enum cor_status sequence__message_told(const struct cor_course *course, const struct cor_algorithm *algorithm,
                                       uint32_t number, struct sequence__why_step *step,
                                       struct cor_error *error) {
    const struct cor_course_message *message = &course->messages[number];
    *step = (struct sequence__why_step){0};
    tell_message_of(course, algorithm, message, step);
    step->then = tell_effect(algorithm, &message->effect);
    return told(step, true, error);
}

enum cor_status sequence__why_step(const struct cor_why_report *report, const struct cor_algorithm *algorithm,
                                   size_t index, struct sequence__why_step *step, struct cor_error *error) {
    const struct cor_why_cause *cause = &report->causes[index];
    *step = (struct sequence__why_step){0};
    tell_part(&report->course, algorithm, cause, step);
    step->changed = tell_changed(cause);
    step->instead = tell_instead(report, algorithm, cause);
    return told(step, step->changed && step->instead, error);
}

void sequence__why_step_fini(struct sequence__why_step *step) {
    char *texts[] = {step->when, step->what,    step->values, step->because,
                     step->then, step->changed, step->instead};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    *step = (struct sequence__why_step){0};
}

/* ---- all of it in a few sentences */

static const char *const part_words[COR_WHY_PARTS][2] = {
    {"message", "messages"}, {"draw", "draws"}, {"move", "moves"}};

/* "190 messages and 12 draws": those that can be changed, or of them those that `counts` says. */
static char *tell_counts(const uint64_t there[COR_WHY_PARTS], const uint64_t counts[COR_WHY_PARTS]) {
    char *text = cor_strdup("");
    for (int p = 0; p < COR_WHY_PARTS; p++)
        if (there[p] > 0)
            text = cor_join_take(text, ", ",
                                 cor_format("%" PRIu64 " %s", counts[p], part_words[p][counts[p] != 1]));
    return text;
}

/* A failure that goes need not leave a test that passes. */
static char *tell_otherwise(const struct cor_why_report *report) {
    uint64_t alone = 0;
    for (int p = 0; p < COR_WHY_PARTS; p++)
        alone += report->alone[p];
    if (report->otherwise == 0)
        return cor_strdup("The test passes then.");
    if (report->otherwise == alone)
        return cor_strdup("The test fails in another way then.");
    return cor_format("With %" PRIu64 " of these the test passes then, with %" PRIu64
                      " it fails in another way.",
                      alone - report->otherwise, report->otherwise);
}

static char *tell_named(const struct cor_why_report *report) {
    uint64_t named[COR_WHY_PARTS] = {0};
    for (size_t i = 0; i < report->cause_count; i++)
        named[report->causes[i].part]++;
    char *all = tell_counts(report->there, report->there), *needs = tell_counts(named, named),
         *alone = tell_counts(report->there, report->alone), *text = NULL;
    if (all && needs && alone && report->is_set)
        text =
            cor_format("None of %s does it alone. These together do: if %s are changed, the failure does not "
                       "happen; with any of them as it was, it does.",
                       all, needs);
    else if (all && needs && alone && report->is_held)
        text = cor_format(
            "Of %s it needs %s: each changed alone makes it go, even if all other mail is as it was. "
            "%s make it go in all; the others act through these.",
            all, needs, alone);
    else if (all && needs && alone && report->end == COR_WHY_NAMED)
        text = cor_format("Of %s it needs one alone: %s.", all, alone);
    else if (all && needs && alone)
        text =
            cor_format("No cause is named: %s of %s make it go, none by itself. Told is the last%s.", alone,
                       all, report->cause_count > 1 ? ", and the last at which the fault struck" : "");
    if (text && !report->is_set)
        text = cor_join_take(text, " ", tell_otherwise(report));
    free(all);
    free(needs);
    free(alone);
    return text;
}

#define MANY 100 /* executions behind which one may want fewer */

static char *tell_stopped(const struct cor_why_report *report, bool is_interrupted) {
    char *alone = tell_counts(report->there, report->alone), *all = tell_counts(report->there, report->there);
    char *text = NULL;
    if (alone && all)
        text = cor_format(
            "No verdict: %s after %" PRIu64 " cases. So far %s of %s make it go, tried from the last.%s",
            is_interrupted ? "it was stopped" : "the budget is used up", report->cases,
            *alone ? alone : "none", *all ? all : "none",
            report->executions > MANY ? " Of a test that was shrunk there are fewer to try." : "");
    free(alone);
    free(all);
    return text;
}

static char *tell_end(const struct cor_why_report *report, const struct cor_algorithm *algorithm,
                      bool is_interrupted) {
    char class[COR_FAILURE_CLASS_TEXT], *all, *text;
    switch (report->end) {
    case COR_WHY_PASSES:
        return cor_strdup("No case fails: there is no failure to be explained.");
    case COR_WHY_FLAKY:
        return cor_format(
            "It %s%s. What is not the same "
            "twice cannot be compared with what would have been.",
            report->second.case_ == 0 ? "does not fail a second time: no case fails"
                                      : "does not fail in the same way twice; the second time: ",
            report->second.case_ == 0 ? "" : cor_failure_class_text(&report->second.class, class));
    case COR_WHY_NOTHING:
        if (!report->course.is_there)
            return cor_format("No verdict: case %" PRIu32
                              " has no reorganization, so no message, draw or move can be "
                              "changed.",
                              report->case_);
        return cor_format(
            "No verdict: %s sends no messages, draws nothing from the streams it is given, and makes "
            "no moves; only these can be changed.",
            algorithm->name);
    case COR_WHY_STOPPED:
        return tell_stopped(report, is_interrupted);
    case COR_WHY_NAMED:
    case COR_WHY_TOLD_LAST:
        return tell_named(report);
    case COR_WHY_NEEDS_NONE:
        break;
    }
    all = tell_counts(report->there, report->there);
    text =
        all ? cor_format("It needs none of %s: it happens with each changed alone, and with all changed at "
                         "once.",
                         all)
            : NULL;
    free(all);
    return text;
}

char *sequence__why_summary(const struct cor_why_report *report, const struct cor_algorithm *algorithm,
                            bool is_interrupted) {
    char class[COR_FAILURE_CLASS_TEXT];
    char *text = tell_end(report, algorithm, is_interrupted);
    if (report->case_ > 0)
        text = cor_join_take(cor_format("Case %" PRIu32 " fails: %s.", report->case_,
                                        cor_failure_class_text(&report->class, class)),
                             "\n", text);
    if (report->case_ > 0 && cor_algorithm_is_program(algorithm))
        text = cor_join_take(
            text, "\n",
            cor_strdup("The algorithm is a program: its mail can be changed, and the seeds that "
                       "it is given, but no number that it draws from these. What it was asked and answered: "
                       "corridor replay --trace."));
    return text;
}

/* ---- the cause of a failure as a sequence diagram: each message that is named, the one that it answers, and
 * those by which it is answered */

#define ANSWERS_MOST 4 /* drawn of a message */

/* What is drawn: rows with texts of their own, and who is in them. */
struct picture {
    const struct cor_why_report *report;
    bool *drawn;      /* owned; [message] it has a row */
    uint32_t *sorted; /* owned; messages that are drawn, as they came */
    size_t count;
    uint32_t *agents; /* owned; ascending: those who are drawn */
    uint32_t agent_count;
    struct cor_diagram_row *rows;   /* owned, until they are drawn */
    size_t row_count, before_count; /* of these, draws before the first round come first */
};

static bool is_named(const struct cor_why_report *report, enum cor_why_part part, uint32_t number) {
    for (size_t i = 0; i < report->cause_count; i++)
        if (report->causes[i].part == part && report->causes[i].number == number)
            return true;
    return false;
}

static void note_agent(struct picture *picture, uint32_t agent) {
    uint32_t at = 0;
    while (at < picture->agent_count && picture->agents[at] < agent)
        at++;
    if (at < picture->agent_count && picture->agents[at] == agent)
        return;
    memmove(picture->agents + at + 1, picture->agents + at,
            (picture->agent_count - at) * sizeof *picture->agents);
    picture->agents[at] = agent;
    picture->agent_count++;
}

/* The line of an agent; line 0 is the algorithm's own, where it has no agents. */
static uint32_t life_of(const struct picture *picture, uint32_t agent) {
    uint32_t at = 0;
    while (at + 1 < picture->agent_count && picture->agents[at] != agent)
        at++;
    return at;
}

/* The row of the message that this one answers, if it is drawn before. */
static uint32_t row_of(const struct picture *picture, uint32_t number, size_t before) {
    for (size_t i = 0; i < before; i++)
        if (picture->sorted[i] == number)
            return (uint32_t)(picture->before_count + i) + 1;
    return (uint32_t)(picture->before_count + before); /* just above */
}

static const char *word_of_cause(const struct cor_why_report *report) {
    return report->end == COR_WHY_NAMED ? "needed" : "one of the last";
}

static struct cor_diagram_row draw_message_drawn(const struct picture *picture,
                                                 const struct cor_algorithm *algorithm, size_t index) {
    const struct cor_course *course = &picture->report->course;
    const uint32_t number = picture->sorted[index];
    const struct cor_course_message *message = &course->messages[number];
    const bool is_cause = is_named(picture->report, COR_WHY_MESSAGE, number);
    return (struct cor_diagram_row){
        .is_message = true,
        .is_bad = message->received == 0,
        .life = life_of(picture, cor_course_agent(course, message->to)),
        .from = life_of(picture, cor_course_agent(course, message->from)),
        .sent = row_of(picture, message->cause, index),
        .when = cor_format("round %" PRIu64, message->received > 0 ? message->received : message->sent),
        .what = why_kind(algorithm, message->kind),
        .note = is_cause ? cor_format("%s%s", word_of_cause(picture->report),
                                      message->effect.fault ? "; the fault strikes" : "")
                         : cor_strdup("")};
}

static bool is_before(const struct cor_why_report *report, const struct cor_why_cause *cause) {
    return cause->part == COR_WHY_DRAW && report->course.draws[cause->number].round == 0;
}

/* A draw or a move that is named: a point on the line of whose it is. */
static struct cor_diagram_row draw_point_drawn(const struct picture *picture,
                                               const struct cor_why_cause *cause,
                                               const struct cor_algorithm *algorithm,
                                               struct cor_error *error) {
    const struct cor_course_draw *draw =
        cause->part == COR_WHY_DRAW ? &picture->report->course.draws[cause->number] : NULL;
    struct sequence__why_step step;
    struct cor_diagram_row row = {.is_message = false};
    if (sequence__why_step(picture->report, algorithm, (size_t)(cause - picture->report->causes), &step,
                           error) != COR_OK)
        return row;
    row.life = draw && draw->purpose == COR_PURPOSE_AGENT ? life_of(picture, draw->entity) : 0;
    row.is_bad = step.then && strstr(step.then, "strikes");
    row.when = cor_strdup(step.when);
    row.what = cor_strdup(draw ? "draws" : "moves");
    row.note = cor_format("%s: %s%s%s", word_of_cause(picture->report), step.what, *step.then ? ", " : "",
                          step.then);
    sequence__why_step_fini(&step);
    return row;
}

static void take(struct picture *picture, uint32_t number) {
    const struct cor_course_message *message = &picture->report->course.messages[number];
    if (!picture->drawn[number])
        return;
    picture->drawn[number] = false; /* who comes twice is drawn once */
    picture->sorted[picture->count++] = number;
    note_agent(picture, cor_course_agent(&picture->report->course, message->from));
    note_agent(picture, cor_course_agent(&picture->report->course, message->to));
}

bool sequence__mail_next(const struct cor_course *course, struct sequence__mail_place *at, uint32_t *number) {
    while (at->lost < course->message_count && course->messages[at->lost].received > 0)
        at->lost++;
    const bool is_lost = at->lost < course->message_count;
    if (at->came < course->order_count &&
        (!is_lost || course->messages[course->order[at->came]].received <= course->messages[at->lost].sent)) {
        *number = course->order[at->came++];
        return true;
    }
    *number = (uint32_t)at->lost;
    at->lost += is_lost;
    return is_lost;
}

static enum cor_status collect(struct picture *picture, const bool *wanted, bool is_all,
                               struct cor_error *error) {
    const struct cor_why_report *report = picture->report;
    const struct cor_course *course = &report->course;
    const size_t most = course->message_count + report->cause_count + 1;
    picture->drawn = cor_calloc(most, sizeof *picture->drawn);
    picture->sorted = cor_calloc(most, sizeof *picture->sorted);
    picture->agents = cor_calloc(2 * most, sizeof *picture->agents);
    picture->rows = cor_calloc(most, sizeof *picture->rows);
    if (!picture->drawn || !picture->sorted || !picture->agents || !picture->rows)
        return cor_fail_memory(error);
    for (size_t i = 0; is_all && i < course->message_count; i++)
        picture->drawn[i] = wanted[i];
    for (size_t i = 0; i < report->cause_count; i++)
        if (report->causes[i].part == COR_WHY_MESSAGE) {
            /* The message, the one that it answers, and those that answer it. */
            const uint32_t number = report->causes[i].number;
            uint32_t answers = 0;
            picture->drawn[number] = true;
            if (course->messages[number].cause != COR_COURSE_NONE)
                picture->drawn[course->messages[number].cause] = true;
            for (size_t m = 0; m < course->message_count && answers < ANSWERS_MOST; m++)
                if (course->messages[m].cause == number && course->messages[m].received > 0) {
                    picture->drawn[m] = true;
                    answers++;
                }
        } else if (report->causes[i].part == COR_WHY_DRAW &&
                   course->draws[report->causes[i].number].purpose == COR_PURPOSE_AGENT)
            note_agent(picture, course->draws[report->causes[i].number].entity);
    struct sequence__mail_place at = {0};
    for (uint32_t number; sequence__mail_next(course, &at, &number);)
        take(picture, number);
    return COR_OK;
}

/* `named`: of all mail that is wanted, not of that alone which is a cause or beside one, and the graph. */
static enum cor_status draw_course(const struct cor_why_report *report, const struct cor_algorithm *algorithm,
                                   const bool *wanted, const bool *named, const char *end, char **text,
                                   struct cor_error *error) {
    struct picture picture = {.report = report};
    char *graph = NULL;
    double size = 0;
    *text = NULL;
    enum cor_status status =
        named ? sequence__graph_drawn(&report->course, named, &graph, &size, error) : COR_OK;
    COR_TRY_OUT(status);
    status = collect(&picture, wanted, named != NULL, error);
    COR_TRY_OUT(status);
    const uint32_t lives = picture.agent_count > 0 ? picture.agent_count : 1;
    char **names = cor_calloc(lives, sizeof *names);
    for (size_t i = 0; i < report->cause_count; i++)
        if (is_before(report, &report->causes[i]))
            picture.rows[picture.row_count++] =
                draw_point_drawn(&picture, &report->causes[i], algorithm, error);
    picture.before_count = picture.row_count;
    for (size_t i = 0; i < picture.count; i++)
        picture.rows[picture.row_count++] = draw_message_drawn(&picture, algorithm, i);
    for (size_t i = 0; i < report->cause_count; i++)
        if (report->causes[i].part != COR_WHY_MESSAGE && !is_before(report, &report->causes[i]))
            picture.rows[picture.row_count++] =
                draw_point_drawn(&picture, &report->causes[i], algorithm, error);
    for (uint32_t i = 0; names && i < lives; i++)
        names[i] = picture.agent_count > 0 ? cor_format("agent %" PRIu32, picture.agents[i])
                                           : cor_strdup(algorithm->name);
    struct cor_diagram diagram = {lives, names, picture.row_count, picture.rows, end, graph, size};
    picture.rows = NULL;
    status = cor_diagram_text_take(&diagram, text, error);
out:
    free(graph);
    free(picture.drawn);
    free(picture.sorted);
    free(picture.agents);
    free(picture.rows);
    return status;
}

enum cor_status sequence__why_diagram(const struct cor_why_report *report,
                                      const struct cor_algorithm *algorithm, char **text,
                                      struct cor_error *error) {
    char *end = sequence__why_summary(report, algorithm, false);
    const enum cor_status status = draw_course(report, algorithm, NULL, NULL, end, text, error);
    free(end);
    return status;
}

enum cor_status sequence__course_diagram(const struct cor_course *course, const bool *wanted,
                                         const bool *named, const struct cor_algorithm *algorithm,
                                         const char *end, char **text, struct cor_error *error) {
    const struct cor_why_report report = {.course = *course};
    return draw_course(&report, algorithm, wanted, named, end, text, error);
}
