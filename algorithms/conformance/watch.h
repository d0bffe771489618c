/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to conformance: a program that calls another and looks on. Between host and process it sees all
 * that passes; around each call it looks at the variables of the module and at what observe() does. */
#ifndef CORRIDOR_ALGORITHMS_CONFORMANCE_WATCH_H
#define CORRIDOR_ALGORITHMS_CONFORMANCE_WATCH_H

#include "internal.h"

/* What was seen first of each, in words; empty: nothing. */
struct conformance__watch {
    char variables[160], looks[160], alone[160];
};

/* All that passed between host and processes in a run, one entry after another; in memory that processes of
 * ours share. */
struct conformance__journal {
    bool is_full; /* the rest is missing */
    uint64_t used;
    uint32_t lives[COR_PROCESSES_MAX]; /* starts of each process */
    char different[256];               /* of a life that was told again; empty: it was the same */
    _Alignas(16) unsigned char bytes[];
};

#endif
