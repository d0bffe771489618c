/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a session in this process stands on: what a reorganization counts, its end, and its random streams. */
#include "local.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int host__session_alive(struct host__local *session, enum cor_progress progress) {
    if (progress < COR_CONTINUE)
        host__session_smoke(session, COR_SMOKE_COMPLAINED, NULL);
    else if (progress > COR_STAGNATED)
        host__session_smoke(session, COR_SMOKE_COMPLAINED,
                            "a function returned what is no enum cor_progress");
    return !session->is_over;
}

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
        stream->word = host__watch_draw(stream->watch, stream);
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

void host__stream_return(struct host__stream *stream, const struct host__stream_mark *mark) {
    stream->started = mark->started;
    stream->index = mark->index;
    stream->view.next = stream->view.end = NULL;
    if (!mark->started)
        return;
    stream->rng = mark->rng;
    stream->view.end = stream->rng.word + COR_RNG_BUFFER;
    stream->view.next = stream->view.end - mark->left;
}
