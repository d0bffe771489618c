/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process of z3, and whole messages to and from it. */
#ifndef CORRIDOR_ORACLE_SOLVE_PROCESS_H
#define CORRIDOR_ORACLE_SOLVE_PROCESS_H

#include <corridor/bytes.h>
#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Begins with zeroes. */
struct solve__process {
    pid_t pid; /* 0: not started, or gone */
    int socket;
    bool gone;
    bool is_cut; /* gone, for the time of a processor that it took */
};

/* Answers what comes through the socket until it is closed. */
typedef void solve__serve_body(const void *task, int socket);

/* Starts it unless it is there; COR_STATUS_INTERNAL if it is gone. */
enum cor_status solve__process_start(struct solve__process *process, solve__serve_body *serve,
                                     const void *task, struct cor_error *error) COR_MUST_USE;

/* How each answer begins. */
struct solve__answer {
    uint64_t size; /* with what is behind it */
    enum cor_status status;
    struct cor_error error;
};

/* Sends a question to the process, which was started. The answer begins with a head of `head_size` bytes;
 * what is behind it comes into the message, which may have been the question. The status is that of the
 * answer. */
enum cor_status solve__process_ask(struct solve__process *process, const void *question, size_t size,
                                   struct solve__answer *head, size_t head_size, struct cor_bytes *message,
                                   struct cor_error *error) COR_MUST_USE;

/* Ends it. Idempotent. */
void solve__process_end(struct solve__process *process);

/* Whole messages; false when the other end is gone. */
bool solve__send_all(int socket, const void *bytes, size_t size);
bool solve__receive_all(int socket, void *bytes, size_t size);

#endif
