/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cause of a failure in sentences. */
#include "why_told.h"

#include <corridor/array.h>
#include <corridor/host.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

char *sequence__why_kind(const struct cor_algorithm *algorithm, uint32_t kind) {
    const struct cor_message_kind *known = kind_of(algorithm, kind);
    return known ? cor_format("\"%s\"", known->name) : cor_format("%" PRIu32, kind);
}

/* A payload without known fields: words that are sensible real numbers are these, all others two integers. */
static char *tell_words(const uint64_t *words, uint32_t size) {
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

static char *tell_message(const struct cor_algorithm *algorithm, const struct cor_course_message *message) {
    char *kind = sequence__why_kind(algorithm, message->kind), *text = NULL;
    if (kind)
        text = cor_format("agent %" PRIu32 " says %s to agent %" PRIu32, message->from, kind, message->to);
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
        char *kind = sequence__why_kind(algorithm, it->kind);
        text = cor_join_take(
            text, count == 1 ? "" : ", ",
            kind ? cor_format("%s%s to agent %" PRIu32, count == 1 ? "says " : "", kind, it->to) : NULL);
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
    char *kind = sequence__why_kind(algorithm, message->kind), *text = NULL;
    if (kind)
        text = cor_format("answering %s from agent %" PRIu32 " (round %" PRIu64 ")", kind, message->from,
                          message->received);
    free(kind);
    return text;
}

/* ---- draws and moves */

static char *tell_draw(const struct cor_course_draw *draw) {
    if (draw->purpose == COR_PURPOSE_AGENT)
        return cor_format("agent %" PRIu32 " draws its number %" PRIu64, draw->entity, draw->index);
    return cor_format("%s draws number %" PRIu64,
                      draw->purpose == COR_PURPOSE_FAULT ? "the fault" : "the algorithm", draw->index);
}

static char *tell_draw_time(const struct cor_course_draw *draw) {
    if (draw->move != COR_COURSE_NONE)
        return cor_format("move %" PRIu32, draw->move);
    return draw->round > 0 ? cor_format("round %" PRIu64, draw->round) : cor_strdup("outside of rounds");
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

static char *tell_result(const struct cor_why_report *report, const struct cor_test_result *result) {
    char class[COR_FAILURE_CLASS_TEXT];
    if (result->case_ == 0)
        return cor_strdup("the test passes");
    return cor_format("%s: %s",
                      result->case_ == report->case_ ? "it fails in another way" : "another case fails",
                      cor_failure_class_text(&result->class, class));
}

static char *tell_instead(const struct cor_why_report *report, const struct cor_algorithm *algorithm,
                          const struct cor_why_cause *cause) {
    if (report->is_set)
        return cor_strdup("the failure is there, whatever the others");
    char *text = tell_result(report, &cause->instead);
    if (!cause->has_next)
        return text;
    char *values = tell_values(algorithm, cause->next.kind, cause->next_words, cause->next.size);
    char *next = tell_message(algorithm, &cause->next);
    if (next && values)
        text = cor_join_take(text, "; ",
                             cor_format("what differs first: %s in round %" PRIu64 "%s%s", next,
                                        cause->next.sent, *values ? ": " : "", values));
    free(next);
    free(values);
    return text;
}

static void tell_part(const struct cor_course *course, const struct cor_algorithm *algorithm,
                      const struct cor_why_cause *cause, struct sequence__why_step *step) {
    const struct cor_course_message *message;
    const struct cor_course_draw *draw;
    switch (cause->part) {
    case COR_WHY_MESSAGE:
        message = &course->messages[cause->number];
        step->when = message->received > 0 ? cor_format("round %" PRIu64, message->received)
                                           : cor_format("lost in round %" PRIu64, message->sent);
        step->what = tell_message(algorithm, message);
        step->values = tell_values(algorithm, message->kind, course->words + message->payload, message->size);
        step->because = tell_cause(course, algorithm, message->cause);
        step->then = tell_then(course, algorithm, cause->number);
        return;
    case COR_WHY_DRAW:
        draw = &course->draws[cause->number];
        step->when = tell_draw_time(draw);
        step->what = tell_draw(draw);
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

enum cor_status sequence__why_step(const struct cor_why_report *report, const struct cor_algorithm *algorithm,
                                   size_t index, struct sequence__why_step *step, struct cor_error *error) {
    const struct cor_why_cause *cause = &report->causes[index];
    *step = (struct sequence__why_step){0};
    tell_part(&report->course, algorithm, cause, step);
    step->changed = tell_changed(cause);
    step->instead = tell_instead(report, algorithm, cause);
    if (step->when && step->what && step->values && step->because && step->then && step->changed &&
        step->instead)
        return COR_OK;
    sequence__why_step_fini(step);
    return cor_fail_memory(error);
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
            "Of %s it needs %s: with each of these changed alone the failure does not happen, even "
            "if all other mail is as it was. All that make it go alone: %s; the others act "
            "through these.",
            all, needs, alone);
    else if (all && needs && alone && report->end == COR_WHY_NAMED)
        text = cor_format("Of %s it needs one alone: %s.", all, alone);
    else if (all && needs && alone)
        text =
            cor_format("No cause is named: of %s each of %s makes the failure go alone, and all act by what "
                       "follows from them. Told is the last one%s.",
                       all, alone, report->cause_count > 1 ? ", and the last at which the fault struck" : "");
    if (text && !report->is_set)
        text = cor_join_take(text, " ", tell_otherwise(report));
    free(all);
    free(needs);
    free(alone);
    return text;
}

static char *tell_nothing(const struct cor_why_report *report, const struct cor_algorithm *algorithm) {
    if (!report->course.is_there)
        return cor_format("No verdict: case %" PRIu32
                          " has no reorganization, so no message, draw or move can be "
                          "changed.",
                          report->case_);
    return cor_format(
        "No verdict: %s sends no messages, draws nothing from the streams it is given, and makes "
        "no moves; only these can be changed.",
        algorithm->name);
}

static char *tell_stopped(const struct cor_why_report *report, bool is_interrupted) {
    char *alone = tell_counts(report->there, report->alone), *all = tell_counts(report->there, report->there);
    char *text = NULL;
    if (alone && all)
        text = cor_format("No verdict: %s after %" PRIu64
                          " cases. Of %s these were found that make the failure go "
                          "alone, tried from the last one on: %s.",
                          is_interrupted ? "it was stopped" : "the budget is used up", report->cases, all,
                          *alone ? alone : "none");
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
        return tell_nothing(report, algorithm);
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
