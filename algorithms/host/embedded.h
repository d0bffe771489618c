/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: algorithms that another program, which has loaded this code, brings along. */
#ifndef CORRIDOR_ALGORITHMS_HOST_EMBEDDED_H
#define CORRIDOR_ALGORITHMS_HOST_EMBEDDED_H

#include <corridor/digest.h>
#include <corridor/host.h>

struct host__embedded {
    struct cor_algorithm algorithm; /* what it points to is the other program's, for good */
    char digest[COR_DIGEST_TEXT];   /* empty: not known */
};

/* Number `index`, NULL behind the last; and the one of that name, NULL if there is none. */
const struct host__embedded *host__embedded(uint32_t index);
const struct host__embedded *host__embedded_find(const char *name);

#endif
