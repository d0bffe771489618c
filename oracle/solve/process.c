/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * z3's process, and whole messages between it and its parent. */
#define _DEFAULT_SOURCE /* SOCK_CLOEXEC */
#include "process.h"

#include <corridor/array.h>
#include <corridor/child.h>

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
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
