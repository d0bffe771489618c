/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: algorithms that are programs. A program in a cell is talked to in lines of JSON (the man
 * page corridor-protocol(7)); to the rest of the room it is an algorithm like any other, whose functions are
 * requests. external_hello.c reads what it declares, external_request.c writes requests, external_functions.c
 * and external_agents.c ask and read answers, external.c is the session with the process. */
#ifndef COR__EXTERNAL_H
#define COR__EXTERNAL_H

#include "algorithm.h"
#include "local.h"

#include <corridor/fields.h>
#include <corridor/lines.h>

#define COR__PROTOCOL 1 /* the version that is spoken; a program may speak an older one */

/* What a program declared. */
struct cor__external {
    struct cor_algorithm algorithm; /* first: found again by its result() */
    char *command;                  /* owned; for sh, or a path */
    bool is_path;
    struct cor_traffic *traffic;        /* borrowed; may be NULL */
    const char *digest;                 /* borrowed; may be NULL */
    char *hello;                        /* owned; the line that declared it */
    struct cor_json_document *document; /* owned; that line, in which all texts below lie */
    struct cor_parameter *parameters;   /* owned, as all lists */
    struct cor_counter *counters;
    struct cor_fault *faults;
    const char **constraints;
};

/* Starts the program, asks who it is, and ends it. COR_STATUS_PLUGIN if it will not do. */
struct cor__external_definition {
    const char *command; /* for sh, or a path */
    bool is_path;
    struct cor_traffic *traffic; /* borrowed; records, or replays; may be NULL */
    const char *digest;          /* borrowed; SHA-256 of the program; NULL: not known */
};
enum cor_status cor__external_open(const struct cor__external_definition *definition,
                                   struct cor__external **external, struct cor_error *error) COR_MUST_USE;
void cor__external_close(struct cor__external *external);

/* Is the file at the path a program: executable, and no shared object? What cannot be looked at is none. */
bool cor__external_is_program(const char *path);

/* Refuses a file that is no module, and would be a program if it could be executed. */
enum cor_status cor__external_check_module(const char *path, struct cor_error *error) COR_MUST_USE;

/* The program behind an algorithm, NULL if it is a constant in memory. */
const struct cor__external *cor__external_of(const struct cor_algorithm *algorithm);

/* external_hello.c: fills external->algorithm but for its functions, from the line in external->hello. */
enum cor_status cor__external_declare(struct cor__external *external, struct cor_error *error) COR_MUST_USE;

/* external_functions.c: the functions of an algorithm of that shape. */
enum cor__external_shape { COR__ONE_SHOT, COR__CENTRALISED, COR__DECENTRALISED };
void cor__external_shape(struct cor_algorithm *algorithm, enum cor__external_shape shape, bool has_moves,
                         bool restarts);

/* What cannot be used of the answer to the hello. */
enum cor_status cor__external_refuse(const char *command, const char *what, const char *why,
                                     struct cor_error *error) COR_MUST_USE;

/* external_request.c: text that grows. Running out of memory sticks. */
struct cor__line {
    char *bytes; /* owned */
    size_t length, capacity;
    enum cor_status status;
};

void cor__line_put(struct cor__line *text, const char *more);
void cor__line_put_bytes(struct cor__line *text, const char *bytes, size_t size);
void cor__line_integer(struct cor__line *text, uint64_t value);
/* As few digits as give the same number again; with a point or an exponent. null if it is not finite. */
void cor__line_real(struct cor__line *text, double value);
/* "0x%016x", with the quotation marks. */
void cor__line_word(struct cor__line *text, uint64_t value);

/* {"structure":..}}: the task, and the end of the request. The seeds are drawn from the host's streams. */
void cor__request_task(struct cor__line *text, const struct cor_task *task,
                       const struct cor_algorithm *algorithm, const struct cor_host *host);

/* "rules":{..},"parameters":{..},"fault":..: what every agent may know. */
void cor__request_rules(struct cor__line *text, const struct cor_rules *rules,
                        const struct cor_algorithm *algorithm);

/* A session with a program: one in this process, whose algorithm asks. */
struct cor__external_session {
    struct cor__local local; /* first */
    const struct cor__external *external;
    struct cor_lines lines;
    uint64_t id;                      /* of the request that was sent last */
    uint64_t first_id;                /* in this process, of what belongs to the present reorganization */
    bool is_late;                     /* what was heard answers a reorganization before this one */
    struct cor_session_memory before; /* of this reorganization */
    struct cor__line request;         /* owned; the line being written */
    struct cor_json_document *answer; /* owned; the last one */
};

static inline struct cor__external_session *cor__external_session(const struct cor_host *host) {
    return host->self;
}

static inline const struct cor_algorithm *cor__ask_algorithm(const struct cor_host *host) {
    return cor__external_session(host)->local.base.algorithm;
}

/* external.c: begins a request, {"id":7,"CALLED": - the caller writes the rest, up to the end of the line.
 * NULL: there is no process, and the outcome says why. */
struct cor__line *cor__ask_begin(const struct cor_host *host, const char *called);

/* Sends the request and reads its answer by a table of fields, whose struct begins with a struct cor__answer.
 * 0: the reorganization is over, and why is in the outcome. */
struct cor__answer {
    const struct cor_host *host;
};
int cor__ask(const struct cor_host *host, const struct cor_field *fields, void *answer);

/* What the program said is of no use, or memory is out: the reorganization is over. Returns 0. */
int cor__ask_refuse(struct cor__external_session *session, enum cor_status status, const char *line,
                    const struct cor_error *said);

/* external_functions.c: sends the request and puts the solution of its answer. */
enum cor_progress cor__ask_solution(const struct cor_host *host);

/* Rows that most answers have: id, failed, spent, kept, counters, fault. */
extern const struct cor_field cor__answer_fields[];

/* external_agents.c: the functions of decentralised algorithms. */
void cor__external_agents(struct cor_algorithm *algorithm, bool restarts);
bool cor__external_is_of_agents(const struct cor_algorithm *algorithm);

#endif
