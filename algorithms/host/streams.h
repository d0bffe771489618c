/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: the random streams an algorithm sees, as views over named streams. A stream is started at
 * its first draw, so a thousand agents of which ten draw cost ten. */
#ifndef COR__STREAMS_H
#define COR__STREAMS_H

#include <corridor/plugin.h>
#include <corridor/rng.h>

struct cor__stream {
    struct cor_random view;             /* first: refill() gets a pointer to it */
    const struct cor_stream_name *name; /* borrowed; purpose and entity are replaced by those below */
    enum cor_purpose purpose;
    uint32_t entity;
    int started;
    void (*notice)(void *subject); /* called at each refill, may be NULL */
    void *subject;
    struct cor_rng rng;
};

/* The stream at its beginning; nothing is drawn yet. `name` must outlive it. */
void cor__stream_init(struct cor__stream *stream, const struct cor_stream_name *name,
                      enum cor_purpose purpose, uint32_t entity);

/* The state of a stream, to go back to it: the view points into the stream itself, so it can't be copied as
 * it is. */
struct cor__stream_mark {
    struct cor_rng rng;
    size_t left;
    int started;
};

struct cor__stream_mark cor__stream_mark(const struct cor__stream *stream);
void cor__stream_return(struct cor__stream *stream, const struct cor__stream_mark *mark);

#endif
