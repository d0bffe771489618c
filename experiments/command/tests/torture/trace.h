/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the recorder writes and the simulator of power cuts reads: for each call a head, the bytes of its one
 * or two paths, and those that were written. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_TESTS_TORTURE_TRACE_H
#define CORRIDOR_EXPERIMENTS_COMMAND_TESTS_TORTURE_TRACE_H

#include <stdint.h>

enum trace_kind {
    TRACE_CREATE,      /* path, object */
    TRACE_WRITE,       /* path, object, offset, bytes */
    TRACE_TRUNCATE,    /* object, offset: the new length */
    TRACE_SYNC,        /* object */
    TRACE_SYNC_FOLDER, /* path */
    TRACE_RENAME,      /* path, other */
    TRACE_REMOVE,      /* path */
    TRACE_MKDIR,       /* path */
    TRACE_SAY,         /* bytes, to people */
};

struct trace_head {
    uint64_t order;             /* of all calls of all processes */
    uint32_t kind, path, other; /* bytes of the paths */
    uint32_t unused;
    uint64_t object; /* inode number: of files that are there at the same time different */
    uint64_t offset, size;
};

#endif
