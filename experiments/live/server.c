/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is refused, in this order: other methods than GET and HEAD (405), a Host that is not this server's, as
 * of a name that was pointed here (400, 421), a page of another origin that asks (403), no token or a wrong
 * one (403). What is malformed, or larger than the memory of a connection, the library refuses itself: its
 * answers would come without the headers of ours, so the connection is closed in their place. A connection is
 * for one request: who has not sent it whole after SECONDS_TO_ASK is cut off, and who has not taken the
 * answer after SECONDS_TO_TAKE. */
#define _DEFAULT_SOURCE /* getentropy */
#include <corridor/page_server.h>

#include <corridor/array.h>

#include <microhttpd.h>

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_TO_ASK 10
#define SECONDS_TO_TAKE 60
#define MEMORY_OF_A_CONNECTION 16384 /* bytes: line, headers, and what the library needs beside them */

/* Of one connection; it is made when that begins, and freed when it has ended. */
struct connection {
    struct connection *next;
    int socket;
    bool answered; /* the request has come whole */
    bool cut;
    time_t begun; /* of the monotonic clock */
};

/* What is called of the library; some names are macros of it as well. It is loaded when something is to be
 * served: TLS, which is not used here, would bring nine libraries more into every start of the program. */
#define LIVE__FUNCTIONS(X)         \
    X(MHD_start_daemon)            \
    X(MHD_stop_daemon)             \
    X(MHD_get_fdset)               \
    X(MHD_run_from_select)         \
    X(MHD_get_daemon_info)         \
    X(MHD_queue_response)          \
    X(MHD_get_connection_info)     \
    X(MHD_get_connection_values)   \
    X(MHD_lookup_connection_value) \
    X(MHD_create_response_from_buffer) X(MHD_add_response_header) X(MHD_destroy_response)

struct library {
    void *handle; /* of dlopen; never closed: what it has set up stays */
#define LIVE__FUNCTION(name) __typeof__(&name) name;
    LIVE__FUNCTIONS(LIVE__FUNCTION)
#undef LIVE__FUNCTION
};

struct cor_page_server {
    struct library library;
    struct MHD_Daemon *daemon;
    cor_page_answer *answer;
    void *context;
    struct connection *open; /* owned: those under way */
    int turn;                /* socket that the library is at; -1: none */
    uint16_t port;
    char token[COR_PAGE_TOKEN + 1];
    char host[2][32]; /* by which it may be asked for */
};

static time_t seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* Draws `size` characters of a URL: 6 bits each; false where nothing can be drawn. */
static bool draw(char *text, size_t size) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    unsigned char bytes[COR_PAGE_TOKEN];
    COR_ASSERT(size <= sizeof bytes);
    if (getentropy(bytes, size) != 0)
        return false;
    for (size_t i = 0; i < size; i++)
        text[i] = letters[bytes[i] & 63];
    text[size] = '\0';
    return true;
}

static void note_connection(void *context, struct MHD_Connection *connection, void **own,
                            enum MHD_ConnectionNotificationCode code) {
    struct cor_page_server *server = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            server->library.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        struct connection *made = cor_calloc(1, sizeof *made);
        if (!made || !info) { /* without a note it could stay for ever */
            if (info)
                shutdown(info->connect_fd, SHUT_RDWR);
            free(made);
            return;
        }
        *made = (struct connection){server->open, info->connect_fd, false, false, seconds_now()};
        server->open = made;
        *own = made;
    } else if (*own) {
        struct connection **link = &server->open;
        while (*link != *own)
            link = &(*link)->next;
        *link = (*link)->next;
        free(*own);
        *own = NULL;
    }
}

static enum MHD_Result put_header(void *context, enum MHD_ValueKind kind, const char *key,
                                  const char *value) {
    (void)kind;
    (void)value;
    *(int *)context += strcasecmp(key, "Host") == 0;
    return MHD_YES;
}

static bool is_one_of_ours(const struct cor_page_server *server, const char *host) {
    return strcasecmp(host, server->host[0]) == 0 || strcasecmp(host, server->host[1]) == 0;
}

/* Takes as long for any word of that length. */
static bool is_token(const struct cor_page_server *server, const char *word) {
    unsigned char differs = 0;
    if (!word || strlen(word) != COR_PAGE_TOKEN)
        return false;
    for (size_t i = 0; i < COR_PAGE_TOKEN; i++)
        differs |= (unsigned char)(word[i] ^ server->token[i]);
    return differs == 0;
}

/* A browser says what asks: a page of another origin, which may be another port of this machine, or nobody
 * but its user. */
static bool comes_from_elsewhere(const struct cor_page_server *server, struct MHD_Connection *connection) {
    static const char scheme[] = "http://";
    const char *origin = server->library.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin"),
               *site =
                   server->library.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Site");
    if (origin && (strncasecmp(origin, scheme, strlen(scheme)) != 0 ||
                   !is_one_of_ours(server, origin + strlen(scheme))))
        return true;
    return site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0;
}

/* 0: the request may be answered; else the code that refuses it, with a sentence. */
static unsigned refusal(const struct cor_page_server *server, struct MHD_Connection *connection,
                        const char *method, const char **why) {
    int hosts = 0;
    server->library.MHD_get_connection_values(connection, MHD_HEADER_KIND, put_header, &hosts);
    const char *host = server->library.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    *why = "This server answers GET and HEAD.";
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    *why = "The request must say once which host it is for.";
    if (hosts != 1 || !host)
        return MHD_HTTP_BAD_REQUEST;
    *why = "This server is asked for by 127.0.0.1 alone.";
    if (!is_one_of_ours(server, host))
        return MHD_HTTP_MISDIRECTED_REQUEST;
    *why = "Pages of other origins get no answer. Open the address that corridor watch has printed.";
    if (comes_from_elsewhere(server, connection))
        return MHD_HTTP_FORBIDDEN;
    *why = "The token is missing, or wrong. Open the address that corridor watch has printed.";
    if (!is_token(server,
                  server->library.MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token")))
        return MHD_HTTP_FORBIDDEN;
    return 0;
}

/* Is called when line and headers are there: what a body says is never read. */
static enum MHD_Result answer_request(void *context, struct MHD_Connection *connection, const char *path,
                                      const char *method, const char *version, const char *body, size_t *size,
                                      void **own) {
    struct cor_page_server *server = context;
    const union MHD_ConnectionInfo *info =
        server->library.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct connection *known = info ? info->socket_context : NULL;
    struct cor_page_request request = {.path = path};
    struct cor_page_answer answer = {0};
    const char *why;
    (void)version;
    (void)body;
    (void)size;
    (void)own;
    if (known)
        known->answered = true;
    if (!draw(request.nonce, COR_PAGE_NONCE))
        return MHD_NO;
    const unsigned code = refusal(server, connection, method, &why);
    request.of = server->library.MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "of");
    if (code != 0) {
        answer.code = code;
        answer.text = cor_format(
            "<!doctype html>\n<html lang=en><meta charset=utf-8><title>%u</title>\n<p>%s</p>\n", code, why);
        answer.size = answer.text ? strlen(answer.text) : 0;
    } else
        server->answer(server->context, &request, &answer);
    const char *nonce = request.nonce;
    char policy[256];
    struct MHD_Response *response =
        answer.text
            ? server->library.MHD_create_response_from_buffer(answer.size, answer.text, MHD_RESPMEM_MUST_FREE)
            : NULL;
    if (!response) {
        free(answer.text);
        return MHD_NO; /* closes the connection */
    }
    snprintf(policy, sizeof policy,
             "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-%s'; img-src data:; "
             "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
             nonce);
    const char *const headers[][2] = {{"Content-Type", "text/html; charset=utf-8"},
                                      {"Content-Security-Policy", policy},
                                      {"X-Content-Type-Options", "nosniff"},
                                      {"X-Frame-Options", "DENY"},
                                      {"Referrer-Policy", "no-referrer"},
                                      {"Cross-Origin-Resource-Policy", "same-origin"},
                                      {"Cross-Origin-Opener-Policy", "same-origin"},
                                      {"Cache-Control", "no-store"},
                                      {"Connection", "close"}};
    enum MHD_Result result = MHD_YES;
    for (size_t h = 0; result == MHD_YES && h < sizeof headers / sizeof *headers; h++)
        result = server->library.MHD_add_response_header(response, headers[h][0], headers[h][1]);
    if (result == MHD_YES && answer.code == MHD_HTTP_METHOD_NOT_ALLOWED)
        result = server->library.MHD_add_response_header(response, "Allow", "GET, HEAD");
    if (result == MHD_YES)
        result = server->library.MHD_queue_response(connection, answer.code, response);
    server->library.MHD_destroy_response(response);
    return result;
}

/* libmicrohttpd wants to send its own error page; close the socket instead. */
static void close_refused(void *context, const char *format, va_list values) {
    const struct cor_page_server *server = context;
    (void)format;
    (void)values;
    for (const struct connection *c = server->open; c; c = c->next)
        if (c->socket == server->turn && !c->answered)
            shutdown(c->socket, SHUT_RDWR);
}

enum cor_status cor_page_server_create(uint16_t port, cor_page_answer *answer, void *context,
                                       struct cor_page_server **server, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_page_server *made = *server = cor_calloc(1, sizeof *made);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    COR_TRY(cor_made(made, error));
    made->turn = -1;
    made->answer = answer;
    made->context = context;
    const char *missing = NULL;
    made->library.handle = dlopen(LIVE__LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!made->library.handle)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_FILE, LIVE__LIBRARY,
                             "apt-get install libmicrohttpd-dev; corridor status shows how far a campaign is",
                             "cannot load the library that serves the page"));
#define LIVE__LOAD(name)                                                              \
    {                                                                                 \
        void *found = dlsym(made->library.handle, #name);                             \
        memcpy(&made->library.name, &found, sizeof found); /* POSIX has them alike */ \
        missing = found ? missing : #name;                                            \
    }
    LIVE__FUNCTIONS(LIVE__LOAD)
#undef LIVE__LOAD
    if (missing)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_FILE, LIVE__LIBRARY, "install the one of your distribution",
                             "the library that serves the page has no %s", missing));
    if (!draw(made->token, COR_PAGE_TOKEN))
        COR_TRY_OUT(cor_fail_errno(error, COR_STATUS_FILE, NULL, NULL, "cannot draw a token"));
    made->daemon = made->library.MHD_start_daemon(
        MHD_USE_ERROR_LOG, port, NULL, NULL, answer_request, made, MHD_OPTION_EXTERNAL_LOGGER, close_refused,
        made, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT,
        COR_PAGE_CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY_OF_A_CONNECTION,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SECONDS_TO_TAKE, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_NOTIFY_CONNECTION, note_connection, made, MHD_OPTION_END);
    if (!made->daemon)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_FILE, "--port",
                             "name another one, or none: then a free one is taken",
                             "cannot listen at 127.0.0.1, port %u", port));
    const union MHD_DaemonInfo *info =
        made->library.MHD_get_daemon_info(made->daemon, MHD_DAEMON_INFO_BIND_PORT);
    made->port = info && info->port != 0 ? info->port : port;
    snprintf(made->host[0], sizeof made->host[0], "127.0.0.1:%u", made->port);
    snprintf(made->host[1], sizeof made->host[1], "localhost:%u", made->port);
    return COR_OK;
out:
    cor_page_server_destroy(made);
    *server = NULL;
    return status;
}

uint16_t cor_page_server_port(const struct cor_page_server *server) {
    return server->port;
}

const char *cor_page_server_token(const struct cor_page_server *server) {
    return server->token;
}

/* One socket at a time, so that it is known whose request the library refuses. */
static void take_turn(struct cor_page_server *server, int socket, bool reads, bool writes, bool fails) {
    fd_set reading, writing, failing;
    FD_ZERO(&reading);
    FD_ZERO(&writing);
    FD_ZERO(&failing);
    if (reads)
        FD_SET(socket, &reading);
    if (writes)
        FD_SET(socket, &writing);
    if (fails)
        FD_SET(socket, &failing);
    server->turn = socket;
    (void)(server->library.MHD_run_from_select)(server->daemon, &reading, &writing, &failing);
    server->turn = -1;
}

void cor_page_server_wait(struct cor_page_server *server, int milliseconds) {
    struct timeval time = {milliseconds / 1000, milliseconds % 1000 * 1000};
    fd_set reading, writing, failing;
    MHD_socket most = -1;
    FD_ZERO(&reading);
    FD_ZERO(&writing);
    FD_ZERO(&failing);
    if ((server->library.MHD_get_fdset)(server->daemon, &reading, &writing, &failing, &most) == MHD_YES &&
        select(most + 1, &reading, &writing, &failing, &time) > 0)
        for (int socket = 0; socket <= most; socket++)
            if (FD_ISSET(socket, &reading) || FD_ISSET(socket, &writing) || FD_ISSET(socket, &failing))
                take_turn(server, socket, FD_ISSET(socket, &reading), FD_ISSET(socket, &writing),
                          FD_ISSET(socket, &failing));
    take_turn(server, -1, false, false, false); /* what ends by time */
    /* The library itself waits for who sends a byte now and then. */
    const time_t now = seconds_now();
    for (struct connection *c = server->open; c; c = c->next) {
        if (c->cut || now - c->begun <= (c->answered ? SECONDS_TO_TAKE : SECONDS_TO_ASK))
            continue;
        shutdown(c->socket, SHUT_RDWR);
        c->cut = true;
    }
}

void cor_page_server_destroy(struct cor_page_server *server) {
    if (!server)
        return;
    if (server->daemon)
        server->library.MHD_stop_daemon(server->daemon);
    while (server->open) { /* what the library has not told of */
        struct connection *next = server->open->next;
        free(server->open);
        server->open = next;
    }
    free(server);
}
