/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages over a pair of pipes: between a worker that relays and the process that executes for it elsewhere.
 * A message is a head - "CORM", u32 kind, u64 size, little-endian - and so many bytes. Neither end trusts the
 * other: what is no message closes the wire. */
#ifndef CORRIDOR_CAMPAIGN_WIRE_H
#define CORRIDOR_CAMPAIGN_WIRE_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cor__kind {
    COR__NOTHING,    /* nothing has come in time */
    COR__CLOSED,     /* nothing will come any more */
    COR__EXPERIMENT, /* to the other end, first: options (numbers), zero byte, path, zero byte, text */
    COR__RUN,        /* to it: u32 arm, u32 suite */
    COR__PING,       /* to it, now and then */
    COR__HELLO,      /* back, first: its manifest */
    COR__ALIVE,      /* back, now and then: u64 cases of the suite so far */
    COR__SUITE,      /* back: f64 wall seconds, f64 CPU seconds, the frame */
    COR__FAILED,     /* back: u32 status, place, zero byte, cause, zero byte, remedy */
    COR__DIED        /* back: u32, how the process that executes has ended, as waitpid says it */
};

struct cor__wire {
    int in, out;          /* -1: closed */
    double patience;      /* seconds that writing may take */
    double heard;         /* when something last came, of the monotonic clock */
    unsigned char *bytes; /* owned */
    size_t count, capacity;
    size_t taken; /* of the message that was given last */
};

struct cor__message {
    enum cor__kind kind;
    const unsigned char *bytes; /* valid until the wire is asked again */
    size_t size;
};

struct cor__part {
    const void *bytes;
    size_t size;
};

/* Takes two open files, which are the wire's from now on; neither blocks any more. */
void cor__wire_init(struct cor__wire *wire, int in, int out, double patience);

/* Closes both. Idempotent. */
void cor__wire_fini(struct cor__wire *wire);

/* Sends a message of those parts; false if the other end is gone or takes nothing. */
bool cor__wire_send(struct cor__wire *wire, enum cor__kind kind, const struct cor__part *parts, size_t count);

/* The next message: waits for it up to so many milliseconds. */
struct cor__message cor__wire_receive(struct cor__wire *wire, int milliseconds);

/* Whether a whole message is there already, or the wire is closed: nothing to wait for. */
bool cor__wire_ready(const struct cor__wire *wire);

#endif
