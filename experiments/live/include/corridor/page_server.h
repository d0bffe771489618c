/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pages for the browsers of this machine: a server of HTTP on 127.0.0.1, by libmicrohttpd, in this process
 * and without threads. It answers who knows its token, and nobody else; what is asked for comes from a
 * function.
 *
 *   cor_page_server_create -> cor_page_server_wait again and again -> cor_page_server_destroy */
#ifndef CORRIDOR_PAGE_SERVER_H
#define CORRIDOR_PAGE_SERVER_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COR_PAGE_TOKEN 32        /* characters of a token */
#define COR_PAGE_NONCE 22        /* and of what scripts of one page are allowed by */
#define COR_PAGE_CONNECTIONS 32u /* at a time; those beyond wait */

struct cor_page_server;

/* What is asked for. Borrowed while the answer is made. */
struct cor_page_request {
    const char *path; /* begins with "/"; of up to some thousand bytes, none of them decoded twice */
    const char *of;   /* value of the parameter `of`; NULL: there is none */
    char nonce[COR_PAGE_NONCE + 1]; /* scripts of the page have this as their nonce */
};

/* The answer. */
struct cor_page_answer {
    unsigned code; /* of HTTP: 200, 404, 500 */
    char *text;    /* HTML in UTF-8, which the server frees with free() */
    size_t size;
};

/* Makes the answer to a request that may be answered. */
typedef void cor_page_answer(void *context, const struct cor_page_request *request,
                             struct cor_page_answer *answer);

/* Starts to listen at 127.0.0.1. `port` 0: one that is free. The token is drawn anew. `context` and `answer`
 * outlive the server. COR_STATUS_FILE: the port is taken, or this build has no library for it, and which
 * package that is. */
enum cor_status cor_page_server_create(uint16_t port, cor_page_answer *answer, void *context,
                                       struct cor_page_server **server, struct cor_error *error) COR_MUST_USE;

/* The port, and the token; the latter is borrowed from the server. */
uint16_t cor_page_server_port(const struct cor_page_server *server);
const char *cor_page_server_token(const struct cor_page_server *server);

/* Answers what comes within so many milliseconds, and ends connections that take too long. A signal ends the
 * wait. */
void cor_page_server_wait(struct cor_page_server *server, int milliseconds);

/* Ends all connections, and frees it. NULL is allowed. */
void cor_page_server_destroy(struct cor_page_server *server);

#endif
