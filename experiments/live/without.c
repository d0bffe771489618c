/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In the place of server.c where the library was not there when this was built. */
#include <corridor/page_server.h>

enum cor_status cor_page_server_create(uint16_t port, cor_page_answer *answer, void *context,
                                       struct cor_page_server **server, struct cor_error *error) {
    (void)port;
    (void)answer;
    (void)context;
    *server = NULL;
    return cor_fail(error, COR_STATUS_FILE, NULL,
                    "apt-get install libmicrohttpd-dev, and build Corridor again; corridor status shows "
                    "how far a campaign is",
                    "this corridor was built without libmicrohttpd, which serves the page");
}

uint16_t cor_page_server_port(const struct cor_page_server *server) {
    (void)server;
    return 0;
}

const char *cor_page_server_token(const struct cor_page_server *server) {
    (void)server;
    return "";
}

void cor_page_server_wait(struct cor_page_server *server, int milliseconds) {
    (void)server;
    (void)milliseconds;
}

void cor_page_server_destroy(struct cor_page_server *server) {
    (void)server;
}
