/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: algorithms that are programs. A program in a cell is talked to in lines of JSON (the man
 * page corridor-protocol(7)); to the rest of the room it is an algorithm like any other, whose functions are
 * requests. external.c reads what it declares, external.c writes requests, external.c
 * and external.c ask and read answers, external.c is the session with the process. */
#ifndef CORRIDOR_ALGORITHMS_HOST_EXTERNAL_H
#define CORRIDOR_ALGORITHMS_HOST_EXTERNAL_H

#include "algorithm.h"
#include "local.h"

#include <corridor/bytes.h>
#include <corridor/conversation.h>
#include <corridor/fields.h>
#include <corridor/structures.h>

#define HOST__PROTOCOL 1 /* the version that is spoken; a program may speak an older one */

/* What a program declared. */
struct host__external {
    struct cor_algorithm algorithm; /* first: found again by its result() */
    char *command;                  /* owned; for sh, or a path */
    bool is_path, is_full;
    struct cor_traffic *traffic;        /* borrowed; may be NULL */
    const char *digest;                 /* borrowed; may be NULL */
    char *hello;                        /* owned; the line that declared it */
    struct cor_json_document *document; /* owned; that line, in which all texts below lie */
    struct cor_parameter *parameters;   /* owned, as all lists */
    struct cor_counter *counters;
    struct cor_fault *faults;
    const char **constraints;
    const char **needs;
};

/* Starts the program, asks who it is, and ends it. COR_STATUS_PLUGIN if it will not do. */
struct host__external_definition {
    const char *command; /* for sh, or a path */
    bool is_path;
    struct cor_traffic *traffic; /* borrowed; records, or replays; may be NULL */
    const char *digest;          /* borrowed; SHA-256 of the program; NULL: not known */
    bool is_full;                /* by all walls, also where it is asked who it is */
};
enum cor_status host__external_open(const struct host__external_definition *definition,
                                    struct host__external **external, struct cor_error *error) COR_MUST_USE;
void host__external_close(struct host__external *external);

/* Refuses a file that is no module, and would be a program if it could be executed. */
enum cor_status host__external_check_module(const char *path, struct cor_error *error) COR_MUST_USE;

/* The program behind an algorithm, NULL if it is a constant in memory. */
const struct host__external *host__external_of(const struct cor_algorithm *algorithm);

/* What functions an algorithm has. */
enum host__external_shape { HOST__ONE_SHOT, HOST__CENTRALISED, HOST__DECENTRALISED };

/* As few digits as give the same number again; with a point or an exponent. null if it is not finite. */
void host__line_real(struct cor_bytes *text, double value);

/* A session with a program: one in this process, whose algorithm asks. */
struct host__external_session {
    struct host__local local; /* first */
    const struct host__external *external;
    struct cor_conversation talk;
    uint64_t first_id;                /* in this process, of what belongs to the present reorganization */
    bool is_late;                     /* what was heard answers a reorganization before this one */
    struct cor_session_memory before; /* of this reorganization */
};

static inline struct host__external_session *host__external_session(const struct cor_host *host) {
    return host->self;
}

static inline const struct cor_algorithm *host__ask_algorithm(const struct cor_host *host) {
    return host__external_session(host)->local.base.algorithm;
}

/* Sends the request and reads its answer by a table of fields, whose struct begins with a struct
 * host__answer. 0: the reorganization is over, and why is in the outcome. */
struct host__answer {
    const struct cor_host *host;
};

/* Rows that most answers have: id, failed, spent, kept, counters, fault. */
extern const struct cor_field host__answer_fields[];

#endif
