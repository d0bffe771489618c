/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole messages between the solver and its child. */
#include "solver.h"

#include <errno.h>
#include <sys/socket.h>

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
