/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a machine must have for campaigns beside isolation: room and rights on the disk, locks, limits of
 * processes, a loopback. */
#ifndef CORRIDOR_MACHINE_H
#define CORRIDOR_MACHINE_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>

enum cor_machine_index {
    COR_MACHINE_WRITES,    /* files can be made in the folder */
    COR_MACHINE_SPACE,     /* there is room for them */
    COR_MACHINE_LOCKS,     /* of files, which keep two processes from writing to one */
    COR_MACHINE_FILES,     /* how many may be open */
    COR_MACHINE_SIZES,     /* how large they may be */
    COR_MACHINE_MEMORY,    /* addresses that a process may have */
    COR_MACHINE_PROCESSES, /* how many there may be of the user */
    COR_MACHINE_LOOPBACK,  /* ports of this machine alone can be opened */
    COR_MACHINE_COUNT
};

#define COR_MACHINE_SPACE_BYTES (UINT64_C(1) << 30)
#define COR_MACHINE_FILES_LEAST 256
#define COR_MACHINE_MEMORY_BYTES (UINT64_C(4) << 30)
#define COR_MACHINE_PROCESSES_LEAST 256

/* What was found of it. */
struct cor_machine_check {
    const char *name;
    bool holds;
    char found[200];   /* for people */
    const char *right; /* what would be right, and how to come to it */
};

/* Looks, in a folder that is there; nothing is left in it. COR_STATUS_FILE: there is no such folder. */
enum cor_status cor_machine_look(const char *folder, struct cor_machine_check checks[COR_MACHINE_COUNT],
                                 struct cor_error *error) COR_MUST_USE;

#endif
