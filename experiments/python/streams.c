/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Archives of libraries (HDF5, jansson, zlib) are compiled for programs: their code reaches the three streams
 * of the C library at places that only a program has. A shared object that is made of them has places of its
 * own, hidden, which hold the same streams before anything else of it runs. Types of the
 * streams must not be known here. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>

#define STREAM(name)                                                    \
    extern void *name __attribute__((visibility("hidden")));            \
    void *name;                                                         \
    __attribute__((constructor(101))) static void find_##name(void) {   \
        void *const *there = (void *const *)dlsym(RTLD_DEFAULT, #name); \
        name = there ? *there : (void *)0;                              \
    }

STREAM(stdin)
STREAM(stdout)
STREAM(stderr)
