/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cause of a failure as a sequence diagram: each message that is named, the one that it answers, and
 * those by which it is answered. */
#include "why_told.h"

#include <corridor/array.h>
#include <corridor/diagram.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWERS_MOST 4 /* drawn of a message */

/* What is drawn: rows with texts of their own, and who is in them. */
struct picture {
    const struct cor_why_report *report;
    bool *drawn;      /* owned; [message] it has a row */
    uint32_t *sorted; /* owned; messages that are drawn, as they came */
    size_t count;
    uint32_t *agents; /* owned; ascending: those who are drawn */
    uint32_t agent_count;
    struct cor_diagram_row *rows;   /* owned, with when, what and note */
    size_t row_count, before_count; /* of these, draws before the first round come first */
};

static bool is_named(const struct cor_why_report *report, enum cor_why_part part, uint32_t number) {
    for (size_t i = 0; i < report->cause_count; i++)
        if (report->causes[i].part == part && report->causes[i].number == number)
            return true;
    return false;
}

/* The message, the one that it answers, and those that answer it. */
static void mark(struct picture *picture, uint32_t number) {
    const struct cor_course *course = &picture->report->course;
    uint32_t answers = 0;
    picture->drawn[number] = true;
    if (course->messages[number].cause != COR_COURSE_NONE)
        picture->drawn[course->messages[number].cause] = true;
    for (size_t i = 0; i < course->message_count && answers < ANSWERS_MOST; i++)
        if (course->messages[i].cause == number && course->messages[i].received > 0) {
            picture->drawn[i] = true;
            answers++;
        }
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

static struct cor_diagram_row draw_message(const struct picture *picture,
                                           const struct cor_algorithm *algorithm, size_t index) {
    const struct cor_course *course = &picture->report->course;
    const uint32_t number = picture->sorted[index];
    const struct cor_course_message *message = &course->messages[number];
    const bool is_cause = is_named(picture->report, COR_WHY_MESSAGE, number);
    return (struct cor_diagram_row){
        .is_message = true,
        .is_bad = message->received == 0,
        .life = life_of(picture, message->to),
        .from = life_of(picture, message->from),
        .sent = row_of(picture, message->cause, index),
        .when = cor_format("round %" PRIu64, message->received > 0 ? message->received : message->sent),
        .what = sequence__why_kind(algorithm, message->kind),
        .note = is_cause ? cor_format("%s%s", word_of_cause(picture->report),
                                      message->effect.fault ? "; the fault strikes" : "")
                         : NULL};
}

static bool is_before(const struct cor_why_report *report, const struct cor_why_cause *cause) {
    return cause->part == COR_WHY_DRAW && report->course.draws[cause->number].round == 0;
}

/* A draw or a move that is named: a point on the line of whose it is. */
static struct cor_diagram_row draw_point(const struct picture *picture, const struct cor_why_cause *cause,
                                         const struct cor_algorithm *algorithm, struct cor_error *error) {
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
    note_agent(picture, message->from);
    note_agent(picture, message->to);
}

/* What came in a round, then what was sent in it and lost. */
static void collect_round(struct picture *picture, uint64_t round) {
    const struct cor_course *course = &picture->report->course;
    for (size_t i = 0; i < course->order_count; i++)
        if (course->messages[course->order[i]].received == round)
            take(picture, course->order[i]);
    for (uint32_t i = 0; i < course->message_count; i++)
        if (course->messages[i].received == 0 && course->messages[i].sent == round)
            take(picture, i);
}

static enum cor_status collect(struct picture *picture, struct cor_error *error) {
    const struct cor_why_report *report = picture->report;
    const struct cor_course *course = &report->course;
    const size_t most = course->message_count + report->cause_count + 1;
    picture->drawn = cor_calloc(most, sizeof *picture->drawn);
    picture->sorted = cor_calloc(most, sizeof *picture->sorted);
    picture->agents = cor_calloc(2 * most, sizeof *picture->agents);
    picture->rows = cor_calloc(most, sizeof *picture->rows);
    if (!picture->drawn || !picture->sorted || !picture->agents || !picture->rows)
        return cor_fail_memory(error);
    for (size_t i = 0; i < report->cause_count; i++)
        if (report->causes[i].part == COR_WHY_MESSAGE)
            mark(picture, report->causes[i].number);
        else if (report->causes[i].part == COR_WHY_DRAW &&
                 course->draws[report->causes[i].number].purpose == COR_PURPOSE_AGENT)
            note_agent(picture, course->draws[report->causes[i].number].entity);
    for (uint64_t round = 0; round <= course->rounds; round++)
        collect_round(picture, round);
    return COR_OK;
}

static enum cor_status draw(struct picture *picture, const struct cor_algorithm *algorithm, char **text,
                            struct cor_error *error) {
    const struct cor_why_report *report = picture->report;
    const uint32_t lives = picture->agent_count > 0 ? picture->agent_count : 1;
    char **names = cor_calloc(lives, sizeof *names), *end = sequence__why_summary(report, algorithm, false);
    bool is_whole = names && end;
    size_t size;
    for (size_t i = 0; i < report->cause_count; i++)
        if (is_before(report, &report->causes[i]))
            picture->rows[picture->row_count++] = draw_point(picture, &report->causes[i], algorithm, error);
    picture->before_count = picture->row_count;
    for (size_t i = 0; i < picture->count; i++)
        picture->rows[picture->row_count++] = draw_message(picture, algorithm, i);
    for (size_t i = 0; i < report->cause_count; i++)
        if (report->causes[i].part != COR_WHY_MESSAGE && !is_before(report, &report->causes[i]))
            picture->rows[picture->row_count++] = draw_point(picture, &report->causes[i], algorithm, error);
    for (uint32_t i = 0; names && i < lives; i++) {
        names[i] = picture->agent_count > 0 ? cor_format("agent %" PRIu32, picture->agents[i])
                                            : cor_strdup(algorithm->name);
        is_whole = is_whole && names[i];
    }
    for (size_t i = 0; i < picture->row_count; i++)
        is_whole = is_whole && picture->rows[i].when && picture->rows[i].what;
    FILE *file = is_whole ? open_memstream(text, &size) : NULL;
    if (file) {
        cor_diagram_write(
            &(struct cor_diagram){lives, (const char *const *)names, picture->row_count, picture->rows, end},
            file);
        is_whole = !ferror(file);
        is_whole = fclose(file) == 0 && is_whole;
    }
    for (uint32_t i = 0; names && i < lives; i++)
        free(names[i]);
    free(names);
    free(end);
    return file && is_whole ? COR_OK : cor_fail_memory(error);
}

enum cor_status sequence__why_diagram(const struct cor_why_report *report,
                                      const struct cor_algorithm *algorithm, char **text,
                                      struct cor_error *error) {
    struct picture picture = {.report = report};
    *text = NULL;
    enum cor_status status = collect(&picture, error);
    if (status == COR_OK)
        status = draw(&picture, algorithm, text, error);
    for (size_t i = 0; i < picture.row_count; i++) {
        free((char *)(uintptr_t)picture.rows[i].when);
        free((char *)(uintptr_t)picture.rows[i].what);
        free((char *)(uintptr_t)picture.rows[i].note);
    }
    free(picture.drawn);
    free(picture.sorted);
    free(picture.agents);
    free(picture.rows);
    return status;
}
