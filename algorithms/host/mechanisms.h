/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: mechanisms that were loaded. */
#ifndef CORRIDOR_ALGORITHMS_HOST_MECHANISMS_H
#define CORRIDOR_ALGORITHMS_HOST_MECHANISMS_H

#include "describe.h"

#include <corridor/digest.h>
#include <corridor/loader.h>
#include <corridor/mechanism_host.h>

/* Modules that are mechanisms. */
extern const struct cor_module_kind host__mechanism_kind;

struct host__mechanism_module {
    struct cor_mechanism mechanism;
    char *path;                   /* owned */
    char digest[COR_DIGEST_TEXT]; /* of the file */
    void *handle;                 /* owned; NULL: it works in a cell, and is described: */
    struct host__description description;
};

struct host__mechanism_modules {
    struct host__mechanism_module **entries; /* owned, and each */
    size_t capacity;
    uint32_t count;
};

/* As cor_registry_mechanism, whose registry has these modules, and isolates so. */
enum cor_status host__mechanism_find(struct host__mechanism_modules *modules,
                                     const struct cor_isolation_definition *isolation, const char *name,
                                     const struct cor_mechanism **mechanism,
                                     struct cor_error *error) COR_MUST_USE;
void host__mechanisms_fini(struct host__mechanism_modules *modules);

#endif
