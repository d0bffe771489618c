/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "streams.h"

static void start(struct cor__stream *stream) {
    struct cor_stream_name name = *stream->name;
    name.purpose = stream->purpose;
    name.entity = stream->entity;
    stream->rng = cor_rng_named(&name);
    stream->started = 1;
}

/* Drawing one word makes several, up to the end of the buffer; the view then gives them, that one included,
 * without coming back here. */
static void refill(struct cor_random *random) {
    struct cor__stream *stream = (struct cor__stream *)random;
    if (!stream->started)
        start(stream);
    if (stream->notice)
        stream->notice(stream->subject);
    (void)cor_rng_word(&stream->rng);
    random->next = stream->rng.word + stream->rng.used - 1;
    stream->rng.used = COR_RNG_BUFFER;
    random->end = stream->rng.word + COR_RNG_BUFFER;
}

void cor__stream_init(struct cor__stream *stream, const struct cor_stream_name *name,
                      enum cor_purpose purpose, uint32_t entity) {
    /* Not the whole struct: the buffer need not be touched before the first draw. */
    stream->view = (struct cor_random){.refill = refill};
    stream->name = name;
    stream->purpose = purpose;
    stream->entity = entity;
    stream->started = 0;
    stream->notice = NULL;
    stream->subject = NULL;
}

struct cor__stream_mark cor__stream_mark(const struct cor__stream *stream) {
    struct cor__stream_mark mark = {.started = stream->started};
    if (stream->started) {
        mark.rng = stream->rng;
        mark.left = (size_t)(stream->view.end - stream->view.next);
    }
    return mark;
}

void cor__stream_return(struct cor__stream *stream, const struct cor__stream_mark *mark) {
    stream->started = mark->started;
    stream->view.next = stream->view.end = NULL;
    if (!mark->started)
        return;
    stream->rng = mark->rng;
    stream->view.end = stream->rng.word + COR_RNG_BUFFER;
    stream->view.next = stream->view.end - mark->left;
}
