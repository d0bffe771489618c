/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: what lives in a cell. */
#ifndef CORRIDOR_ALGORITHMS_HOST_GUEST_H
#define CORRIDOR_ALGORITHMS_HOST_GUEST_H

#include <corridor/digest.h>
#include <corridor/host.h>

#include <stdbool.h>

/* Takes the memory that this process was lent, loads the algorithm, and has guests do what is asked. `apart`:
 * in a namespace of processes of its own. */
_Noreturn void host__guest_live(bool apart);

/* ---- private to host: algorithms that another program, which has loaded this code, brings along */

struct host__embedded {
    struct cor_algorithm algorithm; /* what it points to is the other program's, for good */
    char digest[COR_DIGEST_TEXT];   /* empty: not known */
};

/* Number `index`, NULL behind the last; and the one of that name, NULL if there is none. */
const struct host__embedded *host__embedded(uint32_t index);
const struct host__embedded *host__embedded_find(const char *name);

#endif
