/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A worker's link to the process that executes suites for it on another host. */
#ifndef CORRIDOR_EXPERIMENTS_CAMPAIGN_LINK_H
#define CORRIDOR_EXPERIMENTS_CAMPAIGN_LINK_H

#include "internal.h"

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- messages over a pair of pipes: between a worker that relays and the process that executes for it
 * elsewhere. A message is a head - "CORM", u32 kind, u64 size, little-endian - and so many bytes. Neither end
 * trusts the other: what is no message closes the wire */

enum campaign__kind {
    CAMPAIGN__NOTHING,    /* nothing has come in time */
    CAMPAIGN__CLOSED,     /* nothing will come any more */
    CAMPAIGN__EXPERIMENT, /* to the other end, first: options (numbers), zero byte, path, zero byte, text */
    CAMPAIGN__RUN,        /* to it: u32 arm, u32 suite */
    CAMPAIGN__PING,       /* to it, now and then */
    CAMPAIGN__HELLO,      /* back, first: its manifest */
    CAMPAIGN__ALIVE,      /* back, now and then: u64 cases of the suite so far */
    CAMPAIGN__SUITE,      /* back: f64 wall seconds, f64 CPU seconds, the frame */
    CAMPAIGN__FAILED,     /* back: u32 status, place, zero byte, cause, zero byte, remedy */
    CAMPAIGN__DIED        /* back: u32, how the process that executes has ended, as waitpid says it */
};

struct campaign__wire {
    int in, out;          /* -1: closed */
    double patience;      /* seconds that writing may take */
    double heard;         /* when something last came, of the monotonic clock */
    unsigned char *bytes; /* owned */
    size_t count, capacity;
    size_t taken; /* of the message that was given last */
};

struct campaign__message {
    enum campaign__kind kind;
    const unsigned char *bytes; /* valid until the wire is asked again */
    size_t size;
};

struct campaign__part {
    const void *bytes;
    size_t size;
};

/* Takes two open files, which are the wire's from now on; neither blocks any more. */
void campaign__wire_init(struct campaign__wire *wire, int in, int out, double patience);

/* Closes both. Idempotent. */
void campaign__wire_fini(struct campaign__wire *wire);

/* The next message: waits for it up to so many milliseconds. */
struct campaign__message campaign__wire_receive(struct campaign__wire *wire, int milliseconds);

struct cor_link;

/* Starts the command that reaches the host, and gives the process there the experiment.
 * COR_STATUS_INTERRUPTED if the campaign is stopped meanwhile. A host that cannot be reached, or does not
 * answer, is lost: COR_STATUS_FILE, and *lost; one that runs another build, or cannot read the experiment, is
 * refused. */
enum cor_status campaign__link_open(const struct cor_campaign *campaign, const char *host,
                                    const struct cor_watch *watch, struct cor_link **link, bool *lost,
                                    struct cor_error *error) COR_MUST_USE;

/* What came back. */
struct campaign__answer {
    double wall_seconds, cpu_seconds;
    const unsigned char *frame; /* valid until the link is used again */
    size_t size;
};

/* Has a suite executed. Where the process there is ended by the suite, this process ends as it did. */
enum cor_status campaign__link_run(struct cor_link *link, uint32_t arm, uint32_t suite,
                                   const struct cor_watch *watch, struct campaign__answer *answer, bool *lost,
                                   struct cor_error *error) COR_MUST_USE;

/* Ends the process there. NULL is allowed. */
void campaign__link_close(struct cor_link *link);

#endif
