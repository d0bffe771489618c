/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Watching a reorganization, and changing one thing of it. */
#include "local.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

void cor_course_fini(struct cor_course *course) {
    const struct cor_course empty = {.identity = course->identity, .mail_most = course->mail_most};
    free(course->messages);
    free(course->draws);
    free(course->moves);
    free(course->order);
    free(course->words);
    *course = empty;
}

void cor_session_watch(struct cor_session *session, struct cor_course *course) {
    session->watched = course;
}

void cor_session_change(struct cor_session *session, const struct cor_course_change *change) {
    session->change = change;
}

static const struct cor_mail_entry *find_entry(const struct host__mail_plan *plan, enum cor_mail_deed deed,
                                               uint64_t of) {
    for (size_t i = 0; i < plan->count; i++)
        if (plan->entries[i].deed == deed && plan->entries[i].of == of)
            return &plan->entries[i];
    return NULL;
}

/* A message that was lost in the course, and is not lost now, comes in the round behind that of its sending.
 */
static void place_found(struct host__watch *watch, const struct host__mail_plan *plan) {
    const struct cor_course *held = watch->change->held;
    for (uint32_t i = 0; i < held->message_count; i++) {
        const struct cor_course_message *message = &held->messages[i];
        if (message->received == 0 && message->sent < held->rounds &&
            !find_entry(plan, COR_MAIL_DEED_LOST, i))
            watch->held[watch->held_count++] =
                (struct host__held_letter){message->sent + 1, 2 * held->order_count, i};
    }
}

static int compare_held(const void *one, const void *other) {
    const struct host__held_letter *a = one, *b = other;
    if (a->round != b->round)
        return a->round < b->round ? -1 : 1;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return a->message < b->message ? -1 : a->message > b->message;
}

/* When a message of the course that is held comes, by what the schedule says of it beside what it said when
 * the course was taken: a message that is to come later than it did comes behind all that came then. */
static bool place_letter(const struct host__mail_plan *plan, const struct cor_course *held, uint64_t place,
                         struct host__held_letter *letter) {
    const uint32_t number = held->order[place];
    const struct cor_course_message *message = &held->messages[number];
    const struct cor_mail_entry *travels = find_entry(plan, COR_MAIL_DEED_TRAVELS, number);
    const struct cor_mail_entry *waits = find_entry(plan, COR_MAIL_DEED_WAITS, number);
    *letter = (struct host__held_letter){message->received, 2 * place, number};
    if (find_entry(plan, COR_MAIL_DEED_LOST, number))
        return false;
    if (travels && message->sent + travels->value != message->received) {
        letter->round = message->sent + travels->value;
        letter->place += 2 * held->order_count;
    } else if (waits && waits->value != place) {
        const uint64_t at = waits->value < held->order_count ? waits->value : held->order_count - 1;
        letter->round = held->messages[held->order[at]].received;
        letter->place = 2 * at + 1;
    }
    return letter->round <= held->rounds;
}

static enum cor_status hold(struct host__watch *watch, const struct host__mail_plan *plan,
                            struct cor_error *error) {
    const struct cor_course *held = watch->change->held;
    watch->held_count = watch->held_next = 0;
    watch->held_lost = watch->held_twice = 0;
    for (size_t i = 0; i < plan->count; i++) {
        watch->held_lost += plan->entries[i].deed == COR_MAIL_DEED_LOST;
        watch->held_twice += plan->entries[i].deed == COR_MAIL_DEED_TWICE;
    }
    COR_TRY(COR_RESERVE(&watch->held, &watch->held_capacity, held->order_count + held->message_count, error));
    for (size_t place = 0; place < held->order_count; place++)
        watch->held_count += place_letter(plan, held, place, &watch->held[watch->held_count]);
    if (!cor_mail_is_one_by_one(plan->mode))
        place_found(watch, plan);
    if (watch->held_count > 0)
        qsort(watch->held, watch->held_count, sizeof *watch->held, compare_held);
    return COR_OK;
}

enum cor_status host__watch_begin(struct host__local *session, struct cor_error *error) {
    struct host__watch *watch = &session->watch;
    struct cor_course *course = session->base.watched;
    const struct cor_course_change *change = session->base.change;
    const uint64_t identity = session->name.identity;
    watch->course = course && course->identity == identity ? course : NULL;
    watch->change = change && change->identity == identity ? change : NULL;
    if (host__watch_holds(watch))
        watch->course = NULL; /* it would be neither of what is said nor of what is heard */
    watch->name = &session->name;
    watch->round = 0;
    watch->message = watch->move = COR_COURSE_NONE;
    watch->redrawn = NULL;
    if (!host__watch_is_on(watch))
        return COR_OK;
    const uint32_t cells = host__cells_count(session->base.algorithm);
    COR_TRY(COR_RESERVE(&watch->cells_before, &watch->cells_capacity, cells, error));
    if (watch->course) {
        watch->course->message_count = watch->course->draw_count = watch->course->move_count =
            watch->course->order_count = watch->course->word_count = 0;
        watch->course->rounds = 0;
        watch->course->is_there = true;
    }
    return host__watch_holds(watch) ? hold(watch, &session->base.plan, error) : COR_OK;
}

void host__watch_fini(struct host__watch *watch) {
    free(watch->cells_before);
    free(watch->held);
    *watch = (struct host__watch){0};
}

/* Nothing is told any more: what is watched goes on as if nobody did. */
static void look_away(struct host__watch *watch) {
    cor_course_fini(watch->course);
    watch->course = NULL;
}

bool host__watch_sent(struct host__watch *watch, const struct host__letter *letter, const void *payload) {
    struct cor_course *course = watch->course;
    const size_t words = ((size_t)letter->size + 7) / 8;
    const size_t bytes = sizeof *course->messages * (course->message_count + 1) +
                         sizeof *course->words * (course->word_count + words) +
                         sizeof *course->order * (course->order_count + 1);
    const bool has_room = course->mail_most == 0 || bytes <= course->mail_most;
    if (!has_room ||
        COR_RESERVE(&course->messages, &course->message_capacity, course->message_count + 1, NULL) !=
            COR_OK ||
        COR_RESERVE(&course->words, &course->word_capacity, course->word_count + words + 1, NULL) != COR_OK) {
        if (course->mail_most > 0)
            look_away(watch);
        return !watch->course;
    }
    course->messages[course->message_count++] = (struct cor_course_message){.from = letter->from,
                                                                            .to = letter->to,
                                                                            .kind = letter->kind,
                                                                            .size = letter->size,
                                                                            .payload = course->word_count,
                                                                            .sent = watch->round,
                                                                            .cause = watch->message};
    host__payload_copy(course->words + course->word_count, payload, letter->size);
    course->word_count += words;
    return true;
}

/* What is counted now. */
static void note_before(struct host__local *session) {
    struct host__watch *watch = &session->watch;
    memcpy(watch->cells_before, session->cells,
           host__cells_count(session->base.algorithm) * sizeof *watch->cells_before);
    watch->activated_before = session->outcome->fault.activated;
}

/* What was counted since. */
static struct cor_course_effect find_effect(const struct host__local *session) {
    const struct host__watch *watch = &session->watch;
    const struct cor_algorithm *algorithm = session->base.algorithm;
    struct cor_course_effect effect = {.fault = session->outcome->fault.activated > watch->activated_before};
    const uint32_t count = cor_algorithm_counter_count(algorithm);
    for (uint32_t c = 0; c < count; c++)
        for (uint32_t b = 0; b < algorithm->counters[c].bucket_count; b++) {
            const uint32_t cell = session->cell_start[c] + b;
            if (session->cells[cell] == watch->cells_before[cell] || effect.cell_count == COR_COURSE_CELLS)
                continue;
            effect.counter[effect.cell_count] = c;
            effect.bucket[effect.cell_count++] = b;
        }
    return effect;
}

bool host__watch_receive(struct host__local *session, uint32_t number) {
    struct host__watch *watch = &session->watch;
    struct cor_course *course = watch->course;
    watch->message = number;
    if (!course || number >= course->message_count)
        return true;
    if (COR_RESERVE(&course->order, &course->order_capacity, course->order_count + 1,
                    course->mail_most > 0 ? NULL : session->error) != COR_OK) {
        if (course->mail_most > 0)
            look_away(watch);
        return !watch->course;
    }
    course->order[course->order_count++] = number;
    if (course->messages[number].received == 0)
        course->messages[number].received = watch->round;
    note_before(session);
    return true;
}

void host__watch_received(struct host__local *session) {
    struct host__watch *watch = &session->watch;
    if (watch->course && watch->message < watch->course->message_count)
        watch->course->messages[watch->message].effect = find_effect(session);
    watch->message = COR_COURSE_NONE;
}

/* A change of that move, or of a draw there. */
static const struct cor_redraw *find_redraw(const struct host__watch *watch, bool is_move,
                                            const struct host__stream *stream, uint64_t index) {
    for (size_t i = 0; watch->change && i < watch->change->redraw_count; i++) {
        const struct cor_redraw *it = &watch->change->redraws[i];
        if (it->is_move == is_move && it->index == index &&
            (is_move || (it->purpose == stream->purpose && it->entity == stream->entity)))
            return it;
    }
    return NULL;
}

/* A stream from which other words than those of the run are taken. */
static struct cor_rng other_stream(const struct host__watch *watch, const struct cor_redraw *redraw) {
    struct cor_stream_name name = *watch->name;
    name.purpose = COR_PURPOSE_REDRAW;
    name.entity = redraw->choice;
    return cor_rng_named(&name);
}

bool host__watch_move(struct host__local *session) {
    struct host__watch *watch = &session->watch;
    struct cor_course *course = watch->course;
    watch->move = watch->move == COR_COURSE_NONE ? 0 : watch->move + 1;
    watch->redrawn = find_redraw(watch, true, NULL, watch->move);
    if (watch->redrawn)
        watch->other = other_stream(watch, watch->redrawn);
    if (!course)
        return true;
    if (COR_RESERVE(&course->moves, &course->move_capacity, course->move_count + 1, session->error) != COR_OK)
        return false;
    note_before(session);
    return true;
}

void host__watch_moved(struct host__local *session) {
    struct host__watch *watch = &session->watch;
    struct host__stream *stream = &session->streams[COR_STREAM_ALGORITHM];
    if (watch->redrawn) { /* what follows is drawn as it was */
        struct cor_stream_name name = *stream->name;
        name.purpose = stream->purpose;
        name.entity = stream->entity;
        stream->rng = cor_rng_named(&name);
        stream->started = 1;
        for (stream->index = 0; stream->index < watch->redrawn->end; stream->index++)
            (void)cor_rng_word(&stream->rng);
    }
    watch->redrawn = NULL;
    if (watch->course)
        watch->course->moves[watch->course->move_count++] =
            (struct cor_course_move){stream->index, find_effect(session)};
}

/* The word of a draw that is made another way. */
static uint64_t other_word(const struct host__watch *watch, const struct cor_redraw *redraw) {
    if (redraw->choice < 2)
        return redraw->choice == 0 ? 0 : UINT64_MAX;
    struct cor_rng rng = other_stream(watch, redraw);
    return cor_rng_word(&rng);
}

uint64_t host__watch_draw(struct host__watch *watch, struct host__stream *stream) {
    struct cor_course *course = watch->course;
    const struct cor_redraw *redraw = find_redraw(watch, false, stream, stream->index);
    const bool is_in_move = watch->redrawn && stream->purpose == COR_PURPOSE_ALGORITHM;
    uint64_t word = is_in_move ? cor_rng_word(&watch->other) : cor_rng_word(&stream->rng);
    if (redraw)
        word = other_word(watch, redraw);
    const uint64_t index = stream->index++;
    /* Memory that is out shows where the next message or move is noted; a draw cannot fail. */
    if (course && course->mail_most == 0 &&
        COR_RESERVE(&course->draws, &course->draw_capacity, course->draw_count + 1, NULL) == COR_OK)
        course->draws[course->draw_count++] = (struct cor_course_draw){
            stream->purpose, stream->entity, index, word, watch->round, watch->message, watch->move};
    return word;
}

bool cor_mail_is_one_by_one(enum cor_mail mode) {
    return mode == COR_MAIL_PCT || mode == COR_MAIL_BOUNDED || mode == COR_MAIL_RECORDED;
}
