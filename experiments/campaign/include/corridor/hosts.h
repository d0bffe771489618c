/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hosts that run suites for a campaign, each reached by a command such as ssh; no shared file system. The
 * campaign's process has a worker for each slot of them, which relays: it asks "corridor serve" there for one
 * suite after another, and stores what comes back as if it had executed it. */
#ifndef CORRIDOR_HOSTS_H
#define CORRIDOR_HOSTS_H

#include <corridor/layer.h>

#define COR_HOST_HERE "localhost" /* workers of this machine, which no command is needed for */

/* A host by the name that the command reaches it by, and how many suites it runs at a time, from 1. */
struct cor_remote_host {
    char *name; /* owned */
    uint32_t slots;
};

/* The hosts of a campaign: `host`, `count` and `slots` are filled by cor_hosts_read into one that is zeros at
 * first, the rest by the caller. At most COR_WORKERS_MAX slots (campaign.h). */
struct cor_hosts {
    struct cor_remote_host *host; /* owned; NULL: all workers are of this machine */
    size_t count, capacity;
    uint32_t slots; /* of all */
    const char
        *reach; /* borrowed; the command before the name, words as a shell has them: "ssh -o BatchMode=yes" */
    const char *program;              /* borrowed; what to call there, one word: "corridor", or a path */
    double patience;                  /* seconds without a sign of life after which a host is lost */
    struct cor_layer_options options; /* with which the experiment was read */
};

/* Reads "a:8,b:4" or, if there is a file of that name, its lines ("a:8", or "a slots=8" as mpirun has them, #
 * begins a comment); a host without a number has one slot. Frees nothing on failure: cor_hosts_fini does.
 * COR_STATUS_INPUT if it is no list of hosts. */
enum cor_status cor_hosts_read(const char *text, struct cor_hosts *hosts,
                               struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_hosts_fini(struct cor_hosts *hosts);

/* An experiment that a process elsewhere has read. */
struct cor_served {
    const struct cor_layer *layer;
    struct cor_experiment_head *experiment;
};

/* Reads the experiment of that text, as if it stood at `path`. */
typedef enum cor_status cor_served_read(const char *path, const char *text,
                                        const struct cor_layer_options *options, struct cor_served *served,
                                        struct cor_error *error);

/* The other end: reads an experiment and then requests from `in`, executes them in a child process, answers
 * to `out`. Returns when the link is closed or was silent for `patience` seconds; nothing it has started is
 * left. */
enum cor_status cor_campaign_serve(int in, int out, double patience, cor_served_read *read,
                                   struct cor_error *error) COR_MUST_USE;

#endif
