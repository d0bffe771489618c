/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An algorithm at work: steps, or, if it is decentralised, rounds. In each round agents that were down long
 * enough are restarted, the mail that is due is delivered, then the agents that asked for it are woken. What
 * they send is due in a later round; what they ask for is granted in the next one. */
#define COR_COVERAGE_DECLARED_ONLY /* it is the module that has it */
#include "algorithm.h"
#include "local.h"

#include <corridor/array.h>
#include <corridor/code_coverage.h>
#include <corridor/objective.h>

#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a session in this process stands on: what a reorganization counts, its end, and its random
 * streams */

/* What was counted in a cell of a gap. */
static void say_beside(const struct cor_algorithm *algorithm, uint32_t cell, char *text, size_t size) {
    const uint32_t count = cor_algorithm_counter_count(algorithm);
    uint32_t c = 0, at = HOST__GAP;
    while (c + 1 < count && at + algorithm->counters[c].bucket_count + HOST__GAP <= cell)
        at += algorithm->counters[c++].bucket_count + HOST__GAP;
    if (count == 0)
        snprintf(text, size, "it counts, but declares no counters");
    else
        snprintf(text, size, "it counted bucket %d of counter \"%s\", which has %u",
                 (int)((int64_t)cell - at), algorithm->counters[c].name, algorithm->counters[c].bucket_count);
}

bool host__cells_fold(struct cor_session *session, uint64_t *cells, char *text, size_t size) {
    const struct cor_algorithm *algorithm = session->algorithm;
    const uint32_t count = cor_algorithm_counter_count(algorithm), all = host__cells_count(algorithm);
    bool can_be = true;
    uint32_t at = HOST__GAP;
    for (uint32_t c = 0; c < count; c++) {
        for (uint32_t b = 0; b < algorithm->counters[c].bucket_count; b++) {
            uint64_t *from = &cells[at + b];
            if (*from <= HOST__COUNT_MOST)
                host__count_add(&session->counters[session->counter_start[c] + b], *from);
            else if (can_be)
                snprintf(text, size, "it counted %" PRIu64 " in bucket %u of counter \"%s\", which cannot be",
                         *from, b, algorithm->counters[c].name);
            can_be = can_be && *from <= HOST__COUNT_MOST;
            *from = 0;
        }
        at += algorithm->counters[c].bucket_count + HOST__GAP;
    }
    for (uint32_t cell = 0; cell < all; cell++) {
        if (cells[cell] != 0 && can_be) {
            say_beside(algorithm, cell, text, size);
            can_be = false;
        }
        cells[cell] = 0;
    }
    return can_be;
}

bool host__counts_judge(const struct cor_task *task, const struct cor_fault_counts *own,
                        struct cor_outcome *outcome, char *text, size_t size) {
    struct cor_fault_counts *fault = &outcome->fault;
    /* What is kept may descend from a corrupted state of the reorganization before. */
    const bool is_result_of_this = task->kept_size > 0 || fault->in_result <= fault->activated;
    const bool is_nested = fault->held <= fault->reached && fault->activated <= fault->held &&
                           fault->in_result <= 1 && is_result_of_this && fault->reached <= HOST__COUNT_MOST;
    const bool is_asked = task->rules->fault != 0 || !own || memcmp(fault, own, sizeof *own) == 0;
    const bool is_spent = outcome->spent <= HOST__COUNT_MOST;
    if (is_asked && is_nested && is_spent)
        return true;
    if (!is_asked || !is_nested) {
        /* What is wrong with the counts of a fault, in words. */
        snprintf(text, size,
                 "%sreached %" PRIu64 " times, its condition held %" PRIu64 " times, activated %" PRIu64
                 ", in the result %" PRIu64 "%s",
                 is_asked ? "of its fault it counts: " : "it counts a fault (", fault->reached, fault->held,
                 fault->activated, fault->in_result,
                 is_asked ? "; each can be at most the one before, the last 1" : "), but none was asked for");
        *fault = own && task->rules->fault == 0 ? *own : (struct cor_fault_counts){0};
    } else {
        snprintf(text, size, "it says that it used %" PRIu64 " units of its budget, which cannot be",
                 outcome->spent);
    }
    outcome->spent = is_spent ? outcome->spent : 0;
    return false;
}

/* ---- the end of a reorganization, and the streams that an algorithm draws from */

void host__session_smoke(struct host__local *session, enum cor_smoke smoke, const char *text) {
    struct cor_outcome *outcome = session->outcome;
    session->is_over = 1;
    if (outcome->smoke != COR_SMOKE_NONE)
        return;
    outcome->smoke = smoke;
    if (text && outcome->complaint[0] == '\0')
        snprintf(outcome->complaint, sizeof outcome->complaint, "%s", text);
}

void host__session_trouble(struct host__local *session, enum cor_status status) {
    session->is_over = 1;
    if (session->status == COR_OK)
        session->status = status;
}

/* 1 if the algorithm may go on after a call that returned `progress`. */
static int session_alive(struct host__local *session, enum cor_progress progress) {
    if (progress < COR_CONTINUE)
        host__session_smoke(session, COR_SMOKE_COMPLAINED, NULL);
    else if (progress > COR_STAGNATED)
        host__session_smoke(session, COR_SMOKE_COMPLAINED,
                            "a function returned what is no enum cor_progress");
    return !session->is_over;
}

static uint64_t watch_draw(struct host__watch *watch, struct host__stream *stream);

/* Drawing one word makes several, up to the end of the buffer; the view then gives them, that one included,
 * without coming back here. */
static void refill(struct cor_random *random) {
    struct host__stream *stream = (struct host__stream *)random;
    if (!stream->started) {
        struct cor_stream_name name = *stream->name;
        name.purpose = stream->purpose;
        name.entity = stream->entity;
        stream->rng = cor_rng_named(&name);
        stream->started = 1;
    }
    if (stream->notice)
        stream->notice(stream->subject);
    if (stream->watch) {
        stream->word = watch_draw(stream->watch, stream);
        random->next = &stream->word;
        random->end = random->next + 1;
        return;
    }
    (void)cor_rng_word(&stream->rng);
    random->next = stream->rng.word + stream->rng.used - 1;
    stream->rng.used = COR_RNG_BUFFER;
    random->end = stream->rng.word + COR_RNG_BUFFER;
}

void host__stream_init(struct host__stream *stream, const struct cor_stream_name *name,
                       enum cor_purpose purpose, uint32_t entity) {
    /* Not the whole struct: the buffer need not be touched before the first draw. */
    stream->view = (struct cor_random){.refill = refill};
    stream->name = name;
    stream->purpose = purpose;
    stream->entity = entity;
    stream->started = 0;
    stream->notice = NULL;
    stream->subject = NULL;
    stream->watch = NULL;
    stream->index = 0;
}

struct host__stream_mark host__stream_mark(const struct host__stream *stream) {
    struct host__stream_mark mark = {.started = stream->started, .index = stream->index};
    if (stream->started) {
        mark.rng = stream->rng;
        mark.left = (size_t)(stream->view.end - stream->view.next);
    }
    return mark;
}

static void stream_return(struct host__stream *stream, const struct host__stream_mark *mark) {
    stream->started = mark->started;
    stream->index = mark->index;
    stream->view.next = stream->view.end = NULL;
    if (!mark->started)
        return;
    stream->rng = mark->rng;
    stream->view.end = stream->rng.word + COR_RNG_BUFFER;
    stream->view.next = stream->view.end - mark->left;
}

/* ---- watching a reorganization, and changing one thing of it */

void cor_course_fini(struct cor_course *course) {
    const struct cor_course empty = {.identity = course->identity, .mail_most = course->mail_most};
    COR_FREE(course->messages, course->draws, course->moves, course->order, course->words, course->edges,
             course->agents);
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
    if (!cor_mail_is_one_by_one(plan->mode)) {
        /* A message that was lost in the course, and is not lost now, comes in the round behind that of its
         * sending. */
        for (uint32_t i = 0; i < held->message_count; i++) {
            const struct cor_course_message *message = &held->messages[i];
            if (message->received == 0 && message->sent < held->rounds &&
                !find_entry(plan, COR_MAIL_DEED_LOST, i))
                watch->held[watch->held_count++] =
                    (struct host__held_letter){message->sent + 1, 2 * held->order_count, i};
        }
    }
    if (watch->held_count > 0)
        qsort(watch->held, watch->held_count, sizeof *watch->held, compare_held);
    return COR_OK;
}

/* A reorganization of that name begins. `entries` say what becomes of mail that is held. */
static enum cor_status watch_begin(struct host__local *session, struct cor_error *error) {
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
            watch->course->order_count = watch->course->word_count = watch->course->edge_count = 0;
        watch->course->rounds = 0;
        watch->course->is_there = true;
    }
    return host__watch_holds(watch) ? hold(watch, &session->base.plan, error) : COR_OK;
}

/* A reorganization of that name begins. `entries` say what becomes of mail that is held. */
static void watch_fini(struct host__watch *watch) {
    COR_FREE(watch->cells_before, watch->held);
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
    /* Which code ran is no effect of a message that anybody could read. */
    const uint32_t count = cor_algorithm_counter_count(algorithm) - (session->coverage ? 1 : 0);
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

/* The handling of a message begins and ends; likewise a move. */
static bool watch_receive(struct host__local *session, uint32_t number) {
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

/* The handling of a message begins and ends; likewise a move. */
static bool watch_move(struct host__local *session) {
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

/* The handling of a message begins and ends; likewise a move. */
static void watch_moved(struct host__local *session) {
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

/* The word that the stream gives next. */
static uint64_t watch_draw(struct host__watch *watch, struct host__stream *stream) {
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

/* ---- run */

/* ---- the memory of a reorganization */

#define ALIGNMENT ((size_t)16)
#define CHUNK_LEAST ((size_t)64 * 1024)

struct host__chunk {
    struct host__chunk *next; /* owned */
    size_t capacity, used;
    _Alignas(16) unsigned char bytes[];
};

void host__arena_init(struct host__arena *arena, size_t limit) {
    *arena = (struct host__arena){.limit = limit};
}

static void free_chunks(struct host__chunk *chunk) {
    while (chunk) {
        struct host__chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
}

void host__arena_fini(struct host__arena *arena) {
    free_chunks(arena->first);
    host__arena_init(arena, arena->limit);
}

static struct host__chunk *new_chunk(size_t capacity) {
    if (capacity > SIZE_MAX - sizeof(struct host__chunk))
        return NULL;
    struct host__chunk *chunk = malloc(sizeof *chunk + capacity);
    if (chunk)
        *chunk = (struct host__chunk){.capacity = capacity};
    return chunk;
}

void host__arena_reset(struct host__arena *arena) {
    if (arena->first && arena->first->next) {
        /* Several chunks become one as large as all of them; where that cannot be had, they stay as they
         * are. */
        size_t capacity = 0;
        for (struct host__chunk *chunk = arena->first; chunk; chunk = chunk->next)
            capacity += chunk->capacity;
        struct host__chunk *whole = new_chunk(capacity);
        if (whole) {
            free_chunks(arena->first);
            arena->first = whole;
        }
    }
    for (struct host__chunk *chunk = arena->first; chunk; chunk = chunk->next)
        chunk->used = 0;
    arena->current = arena->first;
    arena->last = NULL;
    arena->charged = arena->last_bytes = 0;
    arena->exhausted = 0;
}

/* The next chunk that has room, made when there is none. */
static struct host__chunk *chunk_for(struct host__arena *arena, size_t bytes) {
    struct host__chunk *tail = arena->current;
    for (; tail; tail = tail->next) {
        if (tail->capacity - tail->used >= bytes)
            return tail;
        if (!tail->next)
            break;
    }
    size_t capacity = tail ? tail->capacity : CHUNK_LEAST;
    struct host__chunk *chunk = new_chunk(capacity > bytes ? capacity : bytes);
    if (!chunk)
        return NULL;
    if (tail)
        tail->next = chunk;
    else
        arena->first = chunk;
    return chunk;
}

/* Bytes of a chunk, or of the pages of who asks; NULL when there are no more. */
static unsigned char *place(struct host__arena *arena, size_t bytes) {
    if (arena->strict)
        return host__strict_take(arena->strict, bytes);
    struct host__chunk *chunk = chunk_for(arena, bytes);
    if (!chunk)
        return NULL;
    chunk->used += bytes;
    arena->current = chunk;
    return chunk->bytes + chunk->used - bytes;
}

/* Memory that is already charged: `keep` bytes copied from `from`, the rest zeroed. */
static void *take(struct host__arena *arena, size_t bytes, const void *from, size_t keep) {
    unsigned char *memory = place(arena, bytes);
    if (!memory) {
        arena->exhausted = 1;
        return NULL;
    }
    if (keep > 0)
        memcpy(memory, from, keep);
    memset(memory + keep, 0, bytes - keep);
    arena->last = memory;
    arena->last_bytes = bytes;
    return memory;
}

/* Rounds up to the alignment, at least one unit; 0 when that cannot be. */
static size_t rounded(size_t bytes) {
    if (bytes > SIZE_MAX - ALIGNMENT)
        return 0;
    return bytes > 0 ? (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
}

void *host__arena_alloc(struct host__arena *arena, size_t bytes) {
    size_t whole = rounded(bytes);
    if (whole == 0 || !host__arena_charge(arena, whole))
        return NULL;
    return take(arena, whole, NULL, 0);
}

/* The newest allocation: in place when its chunk has room, else moved; the charge is the same either way. */
static void *grow_last(struct host__arena *arena, size_t keep, size_t whole) {
    if (whole > arena->last_bytes && !host__arena_charge(arena, whole - arena->last_bytes))
        return NULL;
    unsigned char *memory = arena->last;
    if (whole <= arena->last_bytes)
        return memory;
    size_t more = whole - arena->last_bytes;
    struct host__chunk *chunk = arena->current; /* NULL if strict */
    if (arena->strict || chunk->capacity - chunk->used < more)
        return take(arena, whole, memory, keep);
    chunk->used += more;
    arena->last_bytes = whole;
    memset(memory + keep, 0, whole - keep);
    return memory;
}

/* Keeps min(old_bytes, bytes) bytes, zeroes the rest. The newest allocation pays for what it grows by, any
 * other for its whole new size. NULL at the limit, and then `memory` stays as it was. */
static void *arena_resize(struct host__arena *arena, void *memory, size_t old_bytes, size_t bytes) {
    if (!memory)
        return host__arena_alloc(arena, bytes);
    size_t whole = rounded(bytes);
    if (whole == 0)
        return NULL;
    size_t keep = old_bytes < bytes ? old_bytes : bytes;
    if (memory == arena->last)
        return grow_last(arena, keep < arena->last_bytes ? keep : arena->last_bytes, whole);
    if (!host__arena_charge(arena, whole))
        return NULL;
    return take(arena, whole, memory, keep);
}

/* ---- steps and rounds */

/* A blank interim at the end of the outcome's list; NULL when memory is out. */
static struct cor_interim *new_interim(struct host__local *session) {
    struct cor_outcome *outcome = session->outcome;
    size_t before = outcome->interim_capacity;
    enum cor_status status = COR_RESERVE(&outcome->interims, &outcome->interim_capacity,
                                         outcome->interim_count + 1, session->error);
    if (status != COR_OK) {
        host__session_trouble(session, status);
        return NULL;
    }
    for (size_t i = before; i < outcome->interim_capacity; i++)
        cor_lists_init(&outcome->interims[i].solution);
    struct cor_interim *interim = &outcome->interims[outcome->interim_count++];
    interim->spent = outcome->spent;
    cor_lists_clear(&interim->solution);
    return interim;
}

/* A look, at what result would give or at the graph, must not change what follows, so draws, budget and fault
 * counts are put back. */
static int look_in(struct host__local *session, enum host__phase phase) {
    const struct cor_algorithm *algorithm = session->base.algorithm;
    struct cor_outcome *outcome = session->outcome;
    struct cor_fault_counts fault = outcome->fault;
    uint64_t spent = outcome->spent;
    const size_t draw_count = session->watch.course ? session->watch.course->draw_count : 0;
    enum cor_progress progress = COR_DONE;
    struct host__stream_mark marks[COR_STREAM_COUNT];
    for (int i = 0; i < COR_STREAM_COUNT; i++)
        marks[i] = host__stream_mark(&session->streams[i]);
    session->phase = phase;
    const bool opens =
        session->strict && algorithm->wake && phase == HOST__INTERIM; /* at the end all is open */
    if (opens)
        host__strict_open(session->strict);
    if (phase == HOST__INTERIM)
        progress = algorithm->result(session->state, session->lent_task, session->lent_host);
    else
        algorithm->graph(session->state, session->lent_task, session->lent_host);
    if (opens)
        host__strict_close(session->strict);
    for (int i = 0; i < COR_STREAM_COUNT; i++)
        stream_return(&session->streams[i], &marks[i]);
    outcome->spent = spent;
    outcome->fault = fault;
    if (session->watch.course) /* it may have been looked away from */
        session->watch.course->draw_count = draw_count;
    return session_alive(session, progress);
}

static int look(struct host__local *session) {
    struct cor_interim *interim = new_interim(session);
    if (!interim)
        return 0;
    session->solution = &interim->solution;
    const int is_alive = look_in(session, HOST__INTERIM);
    session->solution = &session->outcome->solution;
    return is_alive;
}

static void free_agents(struct host__population *population) {
    COR_FREE(population->agents, population->streams, population->values, population->waking,
             population->asking, population->crashes.down, population->crashes.back);
    *population = (struct host__population){0};
}

static enum cor_status reserve_agents(struct host__population *population, size_t n,
                                      struct cor_error *error) {
    if (n <= population->capacity)
        return COR_OK;
    free_agents(population);
    population->agents = cor_calloc(n, sizeof *population->agents);
    population->streams = cor_calloc(n, sizeof *population->streams);
    population->waking = cor_calloc(n, sizeof *population->waking);
    population->asking = cor_calloc(n / 64 + 1, sizeof *population->asking);
    population->crashes.back = cor_calloc(n, sizeof *population->crashes.back);
    if (!population->agents || !population->streams || !population->waking || !population->asking ||
        !population->crashes.back)
        return cor_fail_memory(error);
    population->capacity = n;
    return COR_OK;
}

/* Columns into rows: an agent sees its own values side by side. */
static void copy_values(struct host__population *population, const struct cor_task *task) {
    uint32_t columns = task->rules->value_count;
    for (uint32_t c = 0; c < columns; c++)
        for (uint32_t i = 0; i < task->agent_count; i++)
            population->values[(size_t)i * columns + c] = task->values[c][i];
}

/* Room for the agents, and their states zeroed. */
static enum cor_status prepare_agents(struct host__local *session) {
    struct host__population *population = &session->population;
    const struct cor_task *task = &session->task;
    uint32_t n = task->agent_count, columns = task->rules->value_count;
    COR_TRY(reserve_agents(population, n, session->error));
    COR_TRY(host__crashes_reset(session));
    if (session->strict)
        return host__strict_seat(session);
    COR_TRY(
        COR_RESERVE(&population->values, &population->value_capacity, (size_t)n * columns, session->error));
    copy_values(population, task);
    for (uint32_t i = 0; i < n; i++) {
        host__stream_init(&population->streams[i], &session->name, COR_PURPOSE_AGENT,
                          host__session_identity(session, i));
        population->streams[i].watch = session->mail.watch;
        population->agents[i] = (struct cor_agent){.id = i,
                                                   .values = population->values + (size_t)i * columns,
                                                   .random = &population->streams[i].view};
    }
    return COR_OK;
}

static int charge_states(struct host__local *session, size_t bytes) {
    session->arena.last = NULL;
    if (host__arena_charge(&session->arena, bytes))
        return 1;
    host__session_smoke(session, COR_SMOKE_MEMORY, NULL);
    return 0;
}

static int zero_states(struct host__local *session) {
    size_t stride = (session->base.algorithm->agent_size + 15) / 16 * 16;
    if (stride == 0)
        return 1;
    uint32_t n = session->task.agent_count;
    if (session->strict) /* they lie with the agents already */
        return stride <= SIZE_MAX / n && charge_states(session, stride * n);
    unsigned char *states = stride <= SIZE_MAX / n ? session->host.alloc(&session->host, stride * n) : NULL;
    for (uint32_t i = 0; states && i < n; i++)
        session->population.agents[i].state = states + stride * i;
    return states != NULL;
}

/* CONTINUE asks for a turn in the next round. A later DONE does not take that back: it says that this call
 * has left nothing more to do. */
static inline int note(struct host__local *session, uint32_t agent, enum cor_progress progress) {
    if (progress == COR_CONTINUE) {
        session->population.asking[agent / 64] |= UINT64_C(1) << agent % 64;
        session->population.asking_count++;
    } else if (progress != COR_DONE) {
        return session_alive(session, progress);
    }
    return !session->is_over;
}

/* A handler of `agent` begins: what it may see. */
static inline const struct cor_agent *enter(struct host__local *session, uint32_t agent) {
    session->sender = agent;
    if (session->strict)
        host__strict_enter(session->strict, agent);
    return host__session_agent(session, agent);
}

static inline void leave(struct host__local *session) {
    if (session->strict)
        host__strict_leave(session->strict);
}

/* Other mail lies beside the payload: the handler gets a copy. */
static int lend_payload(struct host__local *session, struct cor_message *message) {
    message->payload = host__strict_message(session->strict, message->payload, message->size);
    if (!message->payload)
        host__session_trouble(session, cor_fail_memory(session->error));
    return message->payload != NULL;
}

/* Hands the message over, unless its agent is down. */
static inline int deliver_message(struct host__local *session, uint32_t to, struct cor_message *message) {
    if (host__crashes_down(session, to)) {
        session->mail.lost++;
        return 1;
    }
    const struct cor_agent *me = enter(session, to);
    if (session->strict && !lend_payload(session, message))
        return 0;
    enum cor_progress progress =
        session->base.algorithm->receive(me, session->task.rules, session->lent_host, message);
    leave(session);
    return note(session, to, progress);
}

/* The same of message `number`, where the reorganization is watched. */
static int deliver_watched(struct host__local *session, uint32_t number, uint32_t to,
                           struct cor_message *message) {
    if (!watch_receive(session, number)) {
        host__session_trouble(session, COR_STATUS_MEMORY);
        return 0;
    }
    int alive = deliver_message(session, to, message);
    /* The handling of a message begins and ends; likewise a move. */
    struct host__watch *watch = &session->watch;
    if (watch->course && watch->message < watch->course->message_count)
        watch->course->messages[watch->message].effect = find_effect(session);
    watch->message = COR_COURSE_NONE;
    return alive;
}

/* Hands the letter at `words` over; its length goes to *length. `numbers`: [0] of its message, where mail is
 * watched, else NULL. */
static inline int deliver_letter(struct host__local *session, const uint64_t *words, size_t *length,
                                 const uint32_t *numbers) {
    struct host__letter letter;
    memcpy(&letter, words, sizeof letter);
    *length = host__letter_words(letter.size);
    struct cor_message message = {
        .from = letter.from, .kind = letter.kind, .size = letter.size, .payload = words + sizeof letter / 8};
    return numbers ? deliver_watched(session, *numbers, letter.to, &message)
                   : deliver_message(session, letter.to, &message);
}

static int deliver_in_order(struct host__local *session, const struct host__bag *bag) {
    const uint32_t *numbers = session->mail.watch ? bag->numbers : NULL;
    size_t length;
    for (size_t at = 0, i = 0; at < bag->used; at += length, i++)
        if (!deliver_letter(session, bag->words + at, &length, numbers ? numbers + i : NULL))
            return 0;
    return 1;
}

static int deliver_arranged(struct host__local *session, const struct host__bag *bag) {
    size_t length;
    enum cor_status status = host__mail_arrange(&session->mail, bag, session->error);
    if (status != COR_OK) {
        host__session_trouble(session, status);
        return 0;
    }
    const uint32_t *numbers = session->mail.watch ? bag->numbers : NULL;
    for (uint32_t i = 0; i < bag->count; i++) {
        const uint32_t *number = numbers ? numbers + session->mail.rank[i] : NULL;
        if (!deliver_letter(session, bag->words + session->mail.order[i], &length, number))
            return 0;
    }
    return 1;
}

/* The letters of this round of the course that is held. */
static int deliver_held(struct host__local *session) {
    struct host__watch *watch = &session->watch;
    const struct cor_course *held = watch->change->held;
    for (; watch->held_next < watch->held_count && watch->held[watch->held_next].round == watch->round;
         watch->held_next++) {
        const uint32_t number = watch->held[watch->held_next].message;
        const struct cor_course_message *it = &held->messages[number];
        struct cor_message message = {
            .from = it->from, .kind = it->kind, .size = it->size, .payload = held->words + it->payload};
        if (it->to < session->task.agent_count && !deliver_watched(session, number, it->to, &message))
            return 0;
    }
    return 1;
}

static int deliver(struct host__local *session) {
    if (host__watch_holds(&session->watch))
        return deliver_held(session);
    struct host__bag *bag = host__mail_due(&session->mail);
    int arranged = host__mail_is_arranged(&session->mail);
    int alive = arranged ? deliver_arranged(session, bag) : deliver_in_order(session, bag);
    host__mail_empty(&session->mail, bag);
    return alive;
}

/* As many letters as were under way when the round began, one by one: what is sent meanwhile may come first.
 */
static int deliver_one_by_one(struct host__local *session) {
    struct host__mail *mail = &session->mail;
    size_t length;
    for (uint64_t left = mail->under_way; left > 0; left--) {
        enum cor_status status = host__queue_take(mail, session->error);
        if (status != COR_OK) {
            host__session_trouble(session, status);
            return 0;
        }
        const uint32_t number = (uint32_t)mail->queue.number;
        if (!deliver_letter(session, mail->queue.hand, &length, mail->watch ? &number : NULL))
            return 0;
        host__queue_settle(mail);
    }
    return 1;
}

/* The agents that asked for a turn up to now, in the order of their turns; none asks any more. */
static uint32_t take_asking(struct host__local *session) {
    struct host__population *population = &session->population;
    uint32_t count = 0;
    if (population->asking_count == 0)
        return 0;
    for (uint32_t word = 0; word <= session->task.agent_count / 64; word++) {
        for (uint64_t bits = population->asking[word]; bits != 0; bits &= bits - 1)
            population->waking[count++] = word * 64 + (uint32_t)__builtin_ctzll(bits);
        population->asking[word] = 0;
    }
    population->asking_count = 0;
    enum cor_status status =
        host__mail_arrange_turns(&session->mail, population->waking, count, session->error);
    if (status != COR_OK)
        host__session_trouble(session, status);
    return count;
}

static int wake(struct host__local *session, uint32_t count) {
    const struct host__population *population = &session->population;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t agent = population->waking[i];
        const struct cor_agent *me = enter(session, agent);
        enum cor_progress progress =
            session->base.algorithm->wake(me, session->task.rules, session->lent_host);
        leave(session);
        if (!note(session, agent, progress))
            return 0;
    }
    return 1;
}

/* Handlers must not draw from the streams of the whole: that would be talk without mail. */
static void lend_streams(struct host__local *session, int to_handlers) {
    for (int i = 0; i < COR_STREAM_COUNT; i++)
        session->host.random[i] = to_handlers ? &session->misuse.view : &session->streams[i].view;
}

/* Agents that were down run again, with nothing of what they knew. */
static int restart(struct host__local *session) {
    struct host__crashes *crashes = &session->population.crashes;
    for (uint32_t i = 0; i < crashes->back_count; i++) {
        uint32_t agent = crashes->back[i];
        const struct cor_agent *me = enter(session, agent);
        crashes->down[host__session_identity(session, agent)] = 0;
        crashes->down_count--;
        if (session->base.algorithm->agent_size > 0)
            memset(me->state, 0, session->base.algorithm->agent_size);
        enum cor_progress progress =
            session->base.algorithm->restart(me, session->task.rules, session->lent_host);
        leave(session);
        if (!note(session, agent, progress))
            return 0;
    }
    return 1;
}

/* One by one: either mail or, if none is under way, turns. */
static int do_one_by_one(struct host__local *session) {
    const struct host__watch *watch = &session->watch;
    if (host__watch_holds(watch) && watch->held_next < watch->held_count &&
        watch->held[watch->held_next].round == watch->round)
        return restart(session) && deliver_held(session);
    if (session->mail.under_way > 0)
        return restart(session) && deliver_one_by_one(session);
    host__queue_rest(&session->mail);
    uint32_t count = take_asking(session);
    return !session->is_over && restart(session) && wake(session, count);
}

static int do_round(struct host__local *session) {
    uint32_t count = take_asking(session);
    return !session->is_over && restart(session) && deliver(session) && wake(session, count);
}

/* All agents run when the result is taken; messages and requests made now come too late. */
static int end_crashes(struct host__local *session) {
    host__crashes_end(session);
    session->phase = HOST__HANDLER;
    lend_streams(session, 1);
    int alive = restart(session);
    lend_streams(session, 0);
    return alive;
}

/* What became of the testbed's own faults. An outcome tells of one fault: the algorithm's has precedence. */
static void count_faults(struct host__local *session) {
    const struct host__crashes *crashes = &session->population.crashes;
    const struct host__mail *mail = &session->mail;
    uint64_t reached = mail->sent, activated = 0;
    if (session->task.rules->fault != 0)
        return;
    if (session->base.definition.agents.fault == COR_CRASH_FAULT_CRASHED) {
        reached = crashes->at_risk;
        activated = crashes->crashed;
    } else if (mail->mode == COR_MAIL_LOSSY || mail->mode == COR_MAIL_DUPLICATED) {
        activated = mail->lost + mail->repeated;
    } else {
        return;
    }
    char text[sizeof session->outcome->complaint];
    if (!host__counts_judge(&session->task, &session->own, session->outcome, text, sizeof text))
        host__session_smoke(session, COR_SMOKE_GARBLED, text);
    session->own = (struct cor_fault_counts){reached, reached, activated, activated > 0};
    session->outcome->fault = session->own;
}

/* Whether the interim looks of the definition are due in this round. */
static int look_due(const struct host__local *session) {
    uint64_t interval = session->base.definition.interim_units;
    return interval > 0 && session->mail.round % interval == 0;
}

static enum cor_stop run_rounds_of(struct host__local *session) {
    struct host__mail *mail = &session->mail;
    uint64_t budget = session->task.rules->budget;
    enum cor_stop stop = COR_STOP_QUIET;
    /* The first round wakes all agents. */
    struct host__population *population = &session->population;
    memset(population->asking, 0, (session->task.agent_count / 64 + 1) * sizeof *population->asking);
    for (uint32_t i = 0; i < session->task.agent_count; i++)
        population->asking[i / 64] |= UINT64_C(1) << i % 64;
    population->asking_count = 1;
    struct host__watch *watch = &session->watch;
    const uint64_t held_rounds = host__watch_holds(watch) ? watch->change->held->rounds : 0;
    while (mail->under_way > 0 || session->population.asking_count > 0 ||
           session->population.crashes.down_count > 0 || mail->round < held_rounds) {
        if (mail->round == (held_rounds > 0 ? held_rounds : budget)) {
            stop = COR_STOP_BUDGET;
            break;
        }
        host__mail_turn(&session->mail);
        watch->round = mail->round;
        host__crashes_strike(session);
        session->phase = HOST__HANDLER;
        lend_streams(session, 1);
        int alive = session->mail.queue.scheduler ? do_one_by_one(session) : do_round(session);
        lend_streams(session, 0);
        session->outcome->spent = mail->round;
        if (alive && look_due(session))
            alive = look(session);
        if (!alive) {
            stop = COR_STOP_FAILED;
            break;
        }
    }
    if (stop != COR_STOP_FAILED && !end_crashes(session))
        stop = COR_STOP_FAILED;
    if (host__watch_holds(watch)) {
        mail->lost += watch->held_lost;
        mail->repeated += watch->held_twice;
    }
    count_faults(session);
    stop = session->is_over ? COR_STOP_FAILED : stop;
    if (watch->course)
        watch->course->rounds = mail->round;
    session->outcome->rounds = mail->round;
    session->outcome->messages = mail->sent;
    session->outcome->messages_lost = mail->lost;
    session->outcome->chains = mail->queue.chain_count;
    return stop;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static enum cor_stop run_to_end(struct host__local *session) {
    if (session->base.algorithm->step) {
        /* Steps until the budget is used up or the algorithm has enough. How the budget is cut into steps
         * does not show. */
        uint64_t budget = session->task.rules->budget, interval = session->base.definition.interim_units;
        uint64_t next_look = interval > 0 ? interval : UINT64_MAX;
        uint64_t *spent = &session->outcome->spent;
        const bool is_watched = session->mail.watch != NULL;
        while (*spent < budget) {
            uint64_t before = *spent,
                     units = smaller(smaller(budget, next_look) - before, session->base.slice_units);
            if (is_watched && !watch_move(session)) {
                host__session_trouble(session, COR_STATUS_MEMORY);
                return COR_STOP_FAILED;
            }
            session->phase = HOST__STEP;
            enum cor_progress progress =
                session->base.algorithm->step(session->state, session->lent_task, session->lent_host,
                                              is_watched ? smaller(units, 1) : units);
            if (is_watched)
                watch_moved(session);
            if (!session_alive(session, progress))
                return COR_STOP_FAILED;
            if (progress != COR_CONTINUE)
                return progress == COR_DONE ? COR_STOP_DONE : COR_STOP_STAGNATED;
            if (*spent <= before) {
                host__session_smoke(session, COR_SMOKE_COMPLAINED,
                                    "a step that wants to go on used nothing of its budget");
                return COR_STOP_FAILED;
            }
            if (*spent < next_look)
                continue;
            if (!look(session))
                return COR_STOP_FAILED;
            next_look = *spent <= UINT64_MAX - interval ? *spent + interval : UINT64_MAX;
        }
        return COR_STOP_BUDGET;
    }
    if (session->base.algorithm->wake) {
        if (session->strict)
            host__strict_close(session->strict);
        enum cor_stop stop = run_rounds_of(session);
        if (session->strict)
            host__strict_open(session->strict);
        return stop;
    }
    return COR_STOP_DONE;
}

/* ---- what an algorithm may call: the functions behind struct cor_host. Each looks at the phase first, since
 * the algorithm is not trusted to keep to the tags in plugin.h. */

static struct host__local *session_of(const struct cor_host *host) {
    return host->self;
}

/* NULL: was it the limit, which is a verdict, or the machine? */
static void *given(struct host__local *session, void *memory) {
    if (memory)
        return memory;
    if (session->arena.exhausted)
        host__session_trouble(session, cor_fail_memory(session->error));
    else
        host__session_smoke(session, COR_SMOKE_MEMORY, NULL);
    return NULL;
}

static void *alloc(const struct cor_host *host, size_t bytes) {
    struct host__local *session = session_of(host);
    return given(session, host__arena_alloc(&session->arena, bytes));
}

static void *resize(const struct cor_host *host, void *memory, size_t old_bytes, size_t bytes) {
    struct host__local *session = session_of(host);
    return given(session, arena_resize(&session->arena, memory, old_bytes, bytes));
}

static int put_block(const struct cor_host *host, const uint32_t *members, size_t count) {
    struct host__local *session = session_of(host);
    struct cor_lists *solution = session->solution;
    if (session->phase != HOST__RESULT && session->phase != HOST__INTERIM)
        return 0;
    size_t most = host__absurd(session->task.agent_count);
    if (count >= most || solution->member_count + count >= most ||
        solution->block_count + (size_t)1 >= most) {
        host__session_smoke(session, COR_SMOKE_OVERFLOW, NULL);
        return 0;
    }
    enum cor_status status = cor_lists_put(solution, members, count, session->error);
    if (status != COR_OK)
        host__session_trouble(session, status);
    return status == COR_OK;
}

static int hang(const struct cor_host *host, uint32_t block, uint32_t parent) {
    struct host__local *session = session_of(host);
    struct cor_lists *solution = session->solution;
    if ((session->phase != HOST__RESULT && session->phase != HOST__INTERIM) || block >= solution->block_count)
        return 0;
    enum cor_status status = cor_lists_hang(solution, block, parent, session->error);
    if (status != COR_OK)
        host__session_trouble(session, status);
    return status == COR_OK;
}

static void put_edge(const struct cor_host *host, uint32_t from, uint32_t to, int is_marked) {
    struct host__local *session = session_of(host);
    struct cor_course *course = session->watch.course;
    if (session->phase != HOST__GRAPH || !course || from >= session->task.agent_count ||
        to >= session->task.agent_count)
        return;
    const size_t bytes = sizeof *course->edges * (course->edge_count + 1);
    const bool has_room = course->mail_most == 0 || bytes <= course->mail_most;
    if (!has_room ||
        COR_RESERVE(&course->edges, &course->edge_capacity, course->edge_count + 1, NULL) != COR_OK)
        look_away(&session->watch);
    else
        course->edges[course->edge_count++] = (struct cor_course_edge){from, to, is_marked != 0};
}

static int move(const struct cor_host *host, uint32_t agent, uint32_t block) {
    struct host__local *session = session_of(host);
    struct cor_outcome *outcome = session->outcome;
    if (session->phase != HOST__ADOPT || agent >= session->task.agent_count ||
        block >= outcome->solution.block_count)
        return 0;
    if (outcome->move_count + 1 >= host__absurd(session->task.agent_count)) {
        host__session_smoke(session, COR_SMOKE_OVERFLOW, NULL);
        return 0;
    }
    enum cor_status status =
        COR_RESERVE(&outcome->moves, &outcome->move_capacity, outcome->move_count + 1, session->error);
    if (status != COR_OK) {
        host__session_trouble(session, status);
        return 0;
    }
    outcome->moves[outcome->move_count++] = (struct cor_move){agent, block};
    return 1;
}

/* Mean of column 0 minus `centre`: differences keep the digits that means of raw values lose. */
static double mean(const double *values, const uint32_t *members, uint32_t count, double centre) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += values[members[i]] - centre;
    return sum / count;
}

/* The dissimilarity of blocks whose mean values, less the mean of all, lie so. */
static double dissimilarity(enum cor_measure measure, double least, double most, double squares,
                            uint32_t count) {
    switch (measure) {
    case COR_MEASURE_RANGE:
        return most - least;
    case COR_MEASURE_MAX_DEVIATION:
        return most > -least ? most : -least;
    case COR_MEASURE_RMS:
        return sqrt(squares / count);
    }
    return (double)NAN;
}

/* Every agent once, no block empty. `seen` has task->agent_count entries of scratch. */
static int is_partitioning(const struct cor_task *task, uint32_t block_count, const uint32_t *block_start,
                           const uint32_t *members, uint32_t *seen) {
    uint32_t n = task->agent_count;
    if (block_count == 0 || block_count > n || block_start[0] != 0 || block_start[block_count] != n)
        return 0;
    for (uint32_t b = 0; b < block_count; b++)
        if (block_start[b] >= block_start[b + 1])
            return 0;
    memset(seen, 0, n * sizeof *seen);
    for (uint32_t i = 0; i < n; i++) {
        if (members[i] >= n || seen[members[i]])
            return 0;
        seen[members[i]] = 1;
    }
    return 1;
}

/* The experiment's cost of a candidate, for algorithms that ask: the dissimilarity of the block means of
 * column 0, NaN if the blocks are no partitioning of all agents. The oracle has a measure of its own and does
 * not share this one: an algorithm that is misled here is found out there. */
static double cost_of(enum cor_measure measure, const struct cor_task *task, uint32_t block_count,
                      const uint32_t *block_start, const uint32_t *members, uint32_t *seen) {
    if (task->rules->organized != COR_PARTITIONING) {
        /* The same where the structure is no partitioning: of the blocks that have members. */
        double centre = 0, least = INFINITY, most = -INFINITY, squares = 0;
        uint32_t counted = 0;
        for (uint32_t b = 0; b < block_count; b++)
            for (uint32_t i = block_start[b]; i < block_start[b + 1]; i++)
                if (members[i] >= task->agent_count)
                    return (double)NAN;
        for (uint32_t i = 0; i < task->agent_count; i++)
            centre += task->values[0][i] / task->agent_count;
        for (uint32_t b = 0; b < block_count; b++) {
            if (block_start[b] >= block_start[b + 1])
                continue;
            double mu =
                mean(task->values[0], members + block_start[b], block_start[b + 1] - block_start[b], centre);
            least = mu < least ? mu : least;
            most = mu > most ? mu : most;
            squares += mu * mu;
            counted++;
        }
        return counted > 0 ? dissimilarity(measure, least, most, squares, counted) : (double)NAN;
    }
    if (!is_partitioning(task, block_count, block_start, members, seen))
        return (double)NAN;
    double centre = mean(task->values[0], task->members, task->agent_count, 0);
    double least = INFINITY, most = -INFINITY, squares = 0;
    for (uint32_t b = 0; b < block_count; b++) {
        double mu =
            mean(task->values[0], members + block_start[b], block_start[b + 1] - block_start[b], centre);
        least = mu < least ? mu : least;
        most = mu > most ? mu : most;
        squares += mu * mu;
    }
    return dissimilarity(measure, least, most, squares, block_count);
}

static double cost(const struct cor_host *host, uint32_t block_count, const uint32_t *block_start,
                   const uint32_t *members) {
    struct host__local *session = session_of(host);
    enum host__phase phase = session->phase;
    if (phase != HOST__BEGIN && phase != HOST__STEP && phase != HOST__RESULT && phase != HOST__INTERIM)
        return (double)NAN;
    if (session->task.objective) {
        /* The number of the task's objective. */
        const struct cor_task *task = &session->task;
        if (task->rules->organized == COR_PARTITIONING &&
            !is_partitioning(task, block_count, block_start, members, session->seen))
            return (double)NAN;
        for (uint32_t b = 0; b < block_count; b++) {
            if (block_start[b] > block_start[b + 1])
                return (double)NAN;
            for (uint32_t i = block_start[b]; i < block_start[b + 1]; i++)
                if (members[i] >= task->agent_count)
                    return (double)NAN;
        }
        const size_t bytes = cor_objective_bytes(task->objective, block_count, block_count),
                     before = ((size_t)block_count * sizeof(uint32_t) + 7) / 8 * 8;
        enum cor_status status =
            COR_RESERVE(&session->weighed, &session->weighed_capacity, before + bytes, session->error);
        if (status != COR_OK) {
            host__session_trouble(session, status);
            return (double)NAN;
        }
        struct cor_objective_work work;
        uint32_t *slots = (void *)session->weighed;
        cor_objective_begin(&work, task, block_count, block_count, session->weighed + before);
        for (uint32_t b = 0; b < block_count; b++) {
            cor_objective_measure(&work, b, members + block_start[b], block_start[b + 1] - block_start[b]);
            slots[b] = b;
        }
        return cor_objective_total(&work, slots, block_count);
    }
    return cost_of(session->base.definition.measure, &session->task, block_count, block_start, members,
                   session->seen);
}

static int keep(const struct cor_host *host, const void *bytes, uint32_t size) {
    struct host__local *session = session_of(host);
    struct host__kept *next = &session->kept_next;
    if (!(session->base.algorithm->capabilities & COR_KEEPS) || session->phase == HOST__HANDLER ||
        size > HOST__KEPT_MOST)
        return 0;
    if (session->phase == HOST__INTERIM || session->phase == HOST__GRAPH)
        return 1; /* a look changes nothing */
    enum cor_status status = COR_RESERVE(&next->bytes, &next->capacity, size, session->error);
    if (status != COR_OK) {
        host__session_trouble(session, status);
        return 0;
    }
    if (size > 0)
        memcpy(next->bytes, bytes, size);
    next->size = size;
    session->keeps_next = 1;
    return 1;
}

static const struct cor_agent *agent(const struct cor_host *host, uint32_t index) {
    struct host__local *session = session_of(host);
    if (!session->base.algorithm->wake || session->phase == HOST__HANDLER ||
        index >= session->task.agent_count)
        return NULL;
    return host__session_agent(session, index);
}

static int send(const struct cor_host *host, uint32_t to, uint32_t kind, const void *payload, uint32_t size) {
    struct host__local *session = session_of(host);
    if (session->phase != HOST__HANDLER)
        return 0;
    struct host__letter letter = {.to = to, .from = session->sender, .kind = kind, .size = size};
    switch (host__mail_post(&session->mail, &letter, payload)) {
    case HOST__POSTED:
        return 1;
    case HOST__POST_NOBODY:
        return 0;
    case HOST__POST_LIMIT:
        host__session_smoke(session, COR_SMOKE_MEMORY, NULL);
        return 0;
    case HOST__POST_MEMORY:
        host__session_trouble(session, cor_fail_memory(session->error));
        return 0;
    }
    return 0;
}

static void complain(const struct cor_host *host, const char *text) {
    struct cor_outcome *outcome = session_of(host)->outcome;
    if (outcome->complaint[0] == '\0')
        snprintf(outcome->complaint, sizeof outcome->complaint, "%s", text);
}

/* ---- the life of a reorganization in this process: begin, then steps or rounds until the end, result,
 * adopt, end */

static struct host__local *local_of(struct cor_session *session) {
    return (struct host__local *)session;
}

static enum cor_status open_local(struct cor_session *session, struct cor_error *error) {
    struct host__local *local = local_of(session);
    host__arena_init(&local->arena, session->definition.memory_limit);
    COR_TRY(host__mail_init(&local->mail, &session->definition.mail, &local->arena, error));
    if (session->definition.strict)
        COR_TRY(host__strict_create(local, &local->strict, error));
    local->arena.strict = local->strict;
    const uint32_t starts = cor_algorithm_counter_count(session->algorithm) + HOST__GAP;
    local->cells = cor_calloc(host__cells_count(session->algorithm), sizeof *local->cells);
    COR_TRY(cor_made(local->cells, error));
    COR_TRY(cor_made(local->cell_start = cor_calloc(starts, sizeof *local->cell_start), error));
    host__cells_lay(session->algorithm, local->cell_start, starts);
    local->coverage = host__code_coverage(session->algorithm);
    local->host = (struct cor_host){
        .struct_size = (uint32_t)sizeof local->host,
        .minor = COR_PLUGIN_MINOR,
        .self = local,
        .alloc = alloc,
        .resize = resize,
        .put_block = put_block,
        .move = move,
        .cost = cost,
        .keep = keep,
        .agent = agent,
        .send = send,
        .complain = complain,
        .counters = local->cells,
        .counter_start = local->cell_start,
        .hang = hang,
        .put_edge = put_edge,
    };
    return COR_OK;
}

static void close_local(struct cor_session *session) {
    struct host__local *local = local_of(session);
    free_agents(&local->population);
    host__mail_fini(&local->mail);
    watch_fini(&local->watch);
    host__arena_fini(&local->arena);
    host__strict_destroy(local->strict);
    COR_FREE(local->kept_next.bytes, local->seen, local->weighed, local->cells_are_lent ? NULL : local->cells,
             local->cell_start);
}

static void complain_of_draw(void *subject) {
    host__session_smoke(subject, COR_SMOKE_COMPLAINED,
                        "a handler drew from host->random instead of me->random");
}

static int begin(struct host__local *session) {
    if (!session->base.algorithm->begin)
        return 1;
    session->phase = HOST__BEGIN;
    enum cor_progress progress =
        session->base.algorithm->begin(session->state, session->lent_task, session->lent_host);
    if (session->strict && session->base.algorithm->wake)
        host__strict_settle(session);
    return session_alive(session, progress);
}

static enum cor_stop conclude(struct host__local *session, enum cor_stop stop) {
    if (session->watch.course && session->base.algorithm->graph && !look_in(session, HOST__GRAPH))
        return COR_STOP_FAILED;
    session->phase = HOST__RESULT;
    enum cor_progress progress =
        session->base.algorithm->result(session->state, session->lent_task, session->lent_host);
    if (!session_alive(session, progress))
        return COR_STOP_FAILED;
    if (!session->base.algorithm->begin && progress == COR_STAGNATED)
        stop = COR_STOP_STAGNATED;
    if (!session->base.algorithm->adopt)
        return stop;
    session->phase = HOST__ADOPT;
    progress = session->base.algorithm->adopt(session->state, session->lent_task, session->lent_host);
    return session_alive(session, progress) ? stop : COR_STOP_FAILED;
}

/* The algorithm at work, from its states to its end. */
static enum cor_stop live(struct host__local *session) {
    /* The states of the algorithm and of its agents, zeroed; 0 at the limit. */
    session->state = NULL;
    if (session->base.algorithm->state_size > 0) {
        session->state = session->host.alloc(&session->host, session->base.algorithm->state_size);
        if (!session->state)
            return COR_STOP_FAILED;
    }
    if (session->base.algorithm->wake && !zero_states(session))
        return COR_STOP_FAILED;
    enum cor_stop stop = COR_STOP_FAILED;
    if (begin(session))
        stop = run_to_end(session);
    if (stop != COR_STOP_FAILED)
        stop = conclude(session, stop);
    session->phase = HOST__END;
    if (session->base.algorithm->end)
        session->base.algorithm->end(session->state, session->lent_host);
    return stop;
}

/* Its counter is the last. */
static uint32_t coverage_of(const struct host__local *session) {
    return cor_algorithm_counter_count(session->base.algorithm) - 1;
}

static enum cor_status reorganize(struct cor_session *base, const struct cor_task *task,
                                  const struct cor_stream_name *name, struct cor_outcome *outcome,
                                  struct cor_error *error) {
    struct host__local *session = local_of(base);
    session->error = error;
    /* Everything of the reorganization before is gone; what the algorithm will see is in place. */
    session->outcome = outcome;
    session->solution = &outcome->solution;
    session->host.spent = &outcome->spent;
    session->host.fault = &outcome->fault;
    session->status = COR_OK;
    session->is_over = 0;
    session->own = (struct cor_fault_counts){0};
    session->name = *name;
    session->task = *task;
    session->keeps_next = 0;
    host__arena_reset(&session->arena);
    COR_TRY(watch_begin(session, error));
    struct host__watch *watch = host__watch_is_on(&session->watch) ? &session->watch : NULL;
    session->mail.watch = watch;
    COR_TRY(host__mail_reset(&session->mail, &session->base.plan, &session->base.log, name, task->agent_count,
                             session->error));
    host__stream_init(&session->streams[COR_STREAM_ALGORITHM], &session->name, COR_PURPOSE_ALGORITHM, 0);
    host__stream_init(&session->streams[COR_STREAM_FAULT], &session->name, COR_PURPOSE_FAULT, 0);
    host__stream_init(&session->misuse, &session->name, COR_PURPOSE_ALGORITHM, UINT32_MAX);
    session->misuse.notice = complain_of_draw;
    session->misuse.subject = session;
    for (int i = 0; i < COR_STREAM_COUNT; i++) {
        session->streams[i].watch = watch;
        session->host.random[i] = &session->streams[i].view;
    }
    session->lent_task = &session->task;
    session->lent_host = &session->host;
    if (session->strict)
        COR_TRY(host__strict_prepare(session));
    COR_TRY(COR_RESERVE(&session->seen, &session->seen_capacity, task->agent_count, session->error));
    if (session->base.algorithm->wake)
        COR_TRY(prepare_agents(session));
    if (session->coverage) { /* where counts lie: others of a strict session, which handlers may write to */
        const struct cor_host *host = session->lent_host;
        session->coverage->cells = host->counters + host->counter_start[coverage_of(session)];
    }
    enum cor_stop stop = session->strict ? host__strict_watch(session, live) : live(session);
    if (session->coverage)
        session->coverage->cells = NULL;
    if (session->base.definition.origin)
        fesetenv(FE_DFL_ENV); /* a module may have left another behind */
    if (session->base.algorithm->wake && stop != COR_STOP_FAILED)
        outcome->spent = outcome->rounds; /* the host counts these itself */
    /* What it counted goes to the session, and is judged with what else it says. */
    char text[sizeof session->outcome->complaint];
    if (!session->strict && !host__cells_fold(&session->base, session->cells, text, sizeof text))
        host__session_smoke(session, COR_SMOKE_COMPLAINED, text);
    if (!host__counts_judge(&session->task, &session->own, session->outcome, text, sizeof text))
        host__session_smoke(session, COR_SMOKE_GARBLED, text);
    stop = outcome->smoke == COR_SMOKE_NONE ? stop : COR_STOP_FAILED;
    /* What was kept in a reorganization that failed is dropped. */
    if (session->keeps_next && stop != COR_STOP_FAILED) {
        struct host__kept before = session->base.kept;
        session->base.kept = session->kept_next;
        session->kept_next = before;
        if (base->garbles && base->algorithm->garble && base->kept.size > 0) {
            struct host__stream stream = {0};
            host__stream_init(&stream, &session->name, COR_PURPOSE_TEST, 0);
            base->algorithm->garble(base->kept.bytes, base->kept.size, &stream.view);
        }
    }
    outcome->stop = stop;
    session->phase = HOST__IDLE;
    COR_TRY(session->status);
    return host__mail_conclude(&session->mail, error);
}

const struct host__session_kind host__local_kind = {
    .size = sizeof(struct host__local), .open = open_local, .close = close_local, .reorganize = reorganize};
