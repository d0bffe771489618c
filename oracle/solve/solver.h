/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A question and its answer between a solver and z3's process: plain bytes, in this order. */
#ifndef CORRIDOR_ORACLE_SOLVE_SOLVER_H
#define CORRIDOR_ORACLE_SOLVE_SOLVER_H

#include <corridor/bytes.h>
#include <corridor/error.h>
#include <corridor/solve.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- A process of z3, and whole messages to and from it */

/* Begins with zeroes. */
struct solve__process {
    pid_t pid; /* 0: not started, or gone */
    int socket;
    bool gone;
    bool is_cut; /* gone, for the time of a processor that it took */
};

/* In z3's process, which begins with it: from here on it may take so many seconds of a processor, whatever z3
 * counts as its work; then it ends, and what it had to answer is undecided. A safety net: where it holds
 * something, machines may differ. */
#define SOLVE__SECONDS 10
void solve__allow_seconds(void);

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

enum solve__what { SOLVE__ASK, SOLVE__MINIMISE, SOLVE__PROJECT };

/* Behind it: low [variable_count], high, and whether eliminated as 0 or 1, 64 bits each; expressions as
 * struct solve__shape and nodes; of MINIMISE the last is the objective. */
struct solve__request {
    uint64_t size; /* with what is behind it */
    uint32_t what, work, expression_count, by_models;
    int64_t objective_low;
};

struct solve__shape {
    uint32_t node_count;
    uint32_t is_constraint;
};

/* Behind it: values [variable_count], nodes. */
struct solve__reply {
    struct solve__answer head;
    enum cor_answer answer;
    int64_t value, low;
    uint32_t exact, node_count;
};

/* COR_STATUS_INPUT: reals, words and truth values have no place among the integers of a problem. */
enum cor_status solve__refuse_values(const struct cor_expression *constraints, uint32_t count,
                                     struct cor_error *error) COR_MUST_USE;

#endif
