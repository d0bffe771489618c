/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A disk on which recorded calls happen, and what a power cut may leave of it. What was synchronized is
 * there: the bytes of a file when it was, the names in a folder when that was. Of all else anything may be
 * there or not. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_TESTS_TORTURE_DISK_H
#define CORRIDOR_EXPERIMENTS_COMMAND_TESTS_TORTURE_DISK_H

#include "trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call {
    struct trace_head head;
    char *path, *other;
    unsigned char *bytes;
    int from, to; /* its paths as names of the disk */
};

struct bytes {
    unsigned char *at;
    size_t size, capacity;
};

/* What a cut does to that which was not synchronized. */
enum damage {
    DAMAGE_ALL_LOST,
    DAMAGE_LAST_TORN,    /* all is there, but for a part of the last call */
    DAMAGE_ANY_CALLS,    /* some calls are there, later ones without earlier ones */
    DAMAGE_TORN_SECTORS, /* some sectors are there, holes are zeros; the first names are there */
    DAMAGE_GARBAGE,      /* the same, but holes hold anything, such as what another file held */
    DAMAGE_NAMES_LOST,   /* the bytes are there, some names are not */
    DAMAGES,
};
extern const char *const damage_names[DAMAGES];

struct disk_file {
    uint64_t object; /* inode number */
    bool folder;
    struct bytes durable, written; /* as at the last sync; with all calls */
    size_t *pending;               /* calls since that sync */
    size_t pending_count, pending_capacity;
    unsigned version; /* of the durable bytes */
};

/* A name comes to be, or goes (file < 0), by a call. */
struct name_change {
    int name, file;
    size_t call;
};

enum { NAMES_MAX = 256 };

struct disk {
    const struct call *calls; /* borrowed */
    char *names[NAMES_MAX];
    int folder_of[NAMES_MAX]; /* the name of the folder it is in; -1: of the present folder */
    int name_count;
    struct disk_file *files;
    size_t file_count, file_capacity;
    int live[NAMES_MAX], durable[NAMES_MAX]; /* file of each name; -1 = none */
    struct name_change *changes;             /* not durable */
    size_t change_count, change_capacity;
    bool ignores_file_sync; /* a control: fsync and fdatasync do nothing */
    uint64_t dice;
};

/* What is left: the file of each name, and the bytes of each file. */
struct disk_state {
    int names[NAMES_MAX];
    struct bytes *bytes; /* [file]; not filled where `as_durable` */
    bool *as_durable;    /* [file] */
    size_t file_capacity;
};

/* All calls of a folder of traces, in their order; the caller keeps them to the end of the process. */
struct call *trace_read(const char *folder, size_t *count);

/* Finds the names of all calls. */
void disk_init(struct disk *disk, struct call *calls, size_t count);

/* The call happens. */
void disk_apply(struct disk *disk, size_t call);

/* Draws what is left after a cut behind the last call. */
void disk_cut(struct disk *disk, size_t calls, enum damage damage, uint64_t seed, struct disk_state *state);

/* The bytes of a file that is left. */
const struct bytes *disk_bytes(const struct disk *disk, const struct disk_state *state, int file);

/* The number of a path; -1: no call has it. */
int disk_name(const struct disk *disk, const char *path);

#endif
