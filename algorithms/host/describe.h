/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: an algorithm without its code. What it declares travels as bytes from the process that has
 * loaded it to one that must not. */
#ifndef CORRIDOR_ALGORITHMS_HOST_DESCRIBE_H
#define CORRIDOR_ALGORITHMS_HOST_DESCRIBE_H

#include <corridor/host.h>

/* Writes all that `algorithm` declares: how many bytes it takes, also when they are more than `capacity`. */
size_t host__description_write(const struct cor_algorithm *algorithm, void *bytes, size_t capacity);

/* An algorithm rebuilt from a description. It has the functions that the original has, and calling one of
 * them is a programmer's error. */
struct host__description {
    struct cor_algorithm algorithm; /* points into `memory` */
    void *memory;                   /* owned */
};

/* COR_STATUS_PLUGIN if the bytes describe nothing. */
enum cor_status host__description_read(const void *bytes, size_t size, const char *origin,
                                       struct host__description *description,
                                       struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void host__description_fini(struct host__description *description);

/* Calls that cannot be made: for algorithms that work elsewhere. */
extern const struct cor_algorithm host__elsewhere;

#endif
