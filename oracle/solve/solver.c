/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * z3's process, and whole messages between it and its parent. */
#define _DEFAULT_SOURCE         /* SOCK_CLOEXEC */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "solver.h"
#include "process.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/child.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int wait_for(struct solve__process *process) {
    int how = 0;
    while (waitpid(process->pid, &how, 0) < 0 && errno == EINTR)
        ;
    close(process->socket);
    process->pid = 0;
    return how;
}

void solve__process_end(struct solve__process *process) {
    if (process->pid > 0) { /* another child may hold the socket open, so that closing it says nothing */
        kill(process->pid, SIGKILL);
        wait_for(process);
    }
}

enum cor_status solve__process_start(struct solve__process *process, solve__serve_body *serve,
                                     const void *task, struct cor_error *error) {
    int ends[2];
    if (process->gone)
        return cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL, "z3's process is gone");
    if (process->pid > 0)
        return COR_OK;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, NULL, "cannot make a pair of sockets");
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        cor_die_with(parent);
        close(ends[0]);
        serve(task, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, NULL, "cannot fork");
    }
    process->pid = pid;
    process->socket = ends[0];
    return COR_OK;
}

/* It did not answer: why. */
static enum cor_status lose(struct solve__process *process, struct cor_error *error) {
    const int how = wait_for(process);
    process->gone = true;
    process->is_cut = WIFSIGNALED(how) && WTERMSIG(how) == SIGXCPU;
    return cor_fail_ended(how, "z3's process", error);
}

bool solve__send_all(int socket, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    while (size > 0) {
        const ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

bool solve__receive_all(int socket, void *bytes, size_t size) {
    unsigned char *at = bytes;
    while (size > 0) {
        const ssize_t got = recv(socket, at, size, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

enum cor_status solve__process_ask(struct solve__process *process, const void *question, size_t size,
                                   struct solve__answer *head, size_t head_size, struct cor_bytes *message,
                                   struct cor_error *error) {
    if (!solve__send_all(process->socket, question, size) ||
        !solve__receive_all(process->socket, head, head_size))
        return lose(process, error);
    message->size = head->size - head_size;
    COR_TRY(COR_RESERVE(&message->bytes, &message->capacity, message->size + 1, error));
    if (!solve__receive_all(process->socket, message->bytes, message->size))
        return lose(process, error);
    if (head->status != COR_OK && error && error->status == COR_OK)
        *error = head->error;
    return head->status;
}

/* ---- the caller's side: messages to the child process and from it */

struct cor_solver {
    const struct cor_problem *problem;
    struct cor_solver_statistics statistics;
    struct solve__process process;
    struct cor_bytes message; /* the last that was made or came */
};

bool cor_solver_is_there(void) {
    return true;
}

enum cor_status cor_solver_create(const struct cor_problem *problem, struct cor_solver **solver,
                                  struct cor_error *error) {
    *solver = NULL;
    COR_TRY(solve__refuse_values(problem->constraints, problem->constraint_count, error));
    *solver = cor_calloc(1, sizeof **solver);
    COR_TRY(cor_made(*solver, error));
    (*solver)->problem = problem;
    return COR_OK;
}

void cor_solver_destroy(struct cor_solver *solver) {
    if (!solver)
        return;
    solve__process_end(&solver->process);
    cor_bytes_fini(&solver->message);
    free(solver);
}

struct cor_solver_statistics cor_solver_statistics(const struct cor_solver *solver) {
    return solver->statistics;
}

static void serve(const void *task, int socket) {
    solve__serve(task, socket);
}

static void put_expression(struct cor_bytes *message, const struct cor_expression *expression) {
    const struct solve__shape shape = {expression->node_count, expression->is_constraint};
    cor_bytes_put(message, &shape, sizeof shape);
    cor_bytes_put(message, expression->nodes, expression->node_count * sizeof *expression->nodes);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static enum cor_status ask(struct cor_solver *solver, const struct cor_question *question,
                           struct solve__request request, const struct cor_expression *objective,
                           const bool *eliminated, struct solve__reply *reply, struct cor_error *error) {
    struct cor_question_count *count = &solver->statistics.of[question->kind];
    const double began = now();
    COR_TRY(solve__refuse_values(question->constraints, question->constraint_count, error));
    COR_TRY(solve__process_start(&solver->process, serve, solver->problem, error));
    const uint32_t n = solver->problem->variable_count;
    struct cor_bytes *message = &solver->message;
    request.work = question->work;
    request.by_models = question->by_models;
    request.expression_count = question->constraint_count + (objective != NULL);
    cor_bytes_clear(message);
    cor_bytes_put(message, &request, sizeof request);
    cor_bytes_put(message, question->low ? question->low : solver->problem->low, n * sizeof(int64_t));
    cor_bytes_put(message, question->high ? question->high : solver->problem->high, n * sizeof(int64_t));
    for (uint32_t v = 0; v < n; v++)
        cor_bytes_put_number(message, eliminated && eliminated[v], sizeof(uint64_t));
    for (uint32_t c = 0; c < question->constraint_count; c++)
        put_expression(message, &question->constraints[c]);
    if (objective)
        put_expression(message, objective);
    if (message->status != COR_OK)
        return cor_fail_memory(error);
    request.size = message->size;
    memcpy(message->bytes, &request, sizeof request);
    const enum cor_status status = solve__process_ask(&solver->process, message->bytes, message->size,
                                                      &reply->head, sizeof *reply, message, error);
    count->asked++;
    count->undecided += status != COR_OK || reply->answer == COR_ANSWER_UNDECIDED;
    count->seconds += now() - began;
    return status;
}

static void take_values(const struct cor_solver *solver, const struct solve__reply *reply, int64_t *values) {
    if (values && reply->answer == COR_ANSWER_SATISFIABLE)
        memcpy(values, solver->message.bytes, solver->problem->variable_count * sizeof *values);
}

enum cor_status cor_solver_ask(struct cor_solver *solver, const struct cor_question *question,
                               enum cor_answer *answer, int64_t *values, struct cor_error *error) {
    struct solve__reply reply;
    *answer = COR_ANSWER_UNDECIDED;
    COR_TRY(ask(solver, question, (struct solve__request){.what = SOLVE__ASK}, NULL, NULL, &reply, error));
    *answer = reply.answer;
    take_values(solver, &reply, values);
    return COR_OK;
}

enum cor_status cor_solver_minimise(struct cor_solver *solver, const struct cor_question *question,
                                    const struct cor_expression *objective, int64_t low,
                                    struct cor_least *least, int64_t *values, struct cor_error *error) {
    const struct solve__request request = {.what = SOLVE__MINIMISE, .objective_low = low};
    struct solve__reply reply;
    *least = (struct cor_least){.answer = COR_ANSWER_UNDECIDED, .low = low};
    COR_ASSERT(!objective->is_constraint && objective->integer_only);
    COR_TRY(ask(solver, question, request, objective, NULL, &reply, error));
    *least = (struct cor_least){reply.answer, reply.value, reply.low};
    take_values(solver, &reply, values);
    return COR_OK;
}

enum cor_status cor_solver_project(struct cor_solver *solver, const struct cor_question *question,
                                   const bool *eliminated, struct cor_projection *projection,
                                   struct cor_error *error) {
    struct solve__reply reply;
    *projection = (struct cor_projection){.answer = COR_ANSWER_UNDECIDED};
    COR_TRY(ask(solver, question, (struct solve__request){.what = SOLVE__PROJECT}, NULL, eliminated, &reply,
                error));
    projection->answer = reply.answer;
    projection->exact = reply.exact != 0;
    if (reply.node_count == 0)
        return COR_OK;
    struct cor_node *nodes = cor_calloc(reply.node_count, sizeof *nodes);
    COR_TRY(cor_made(nodes, error));
    memcpy(nodes, solver->message.bytes + solver->problem->variable_count * sizeof(int64_t),
           reply.node_count * sizeof *nodes);
    projection->constraint = (struct cor_expression){.nodes = nodes,
                                                     .node_count = reply.node_count,
                                                     .is_constraint = true,
                                                     .integer_only = true,
                                                     .result = COR_VALUE_INTEGER};
    return COR_OK;
}
