/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walls around a process and all that it starts, for good: what it may do to the machine besides computing.
 * Each is there as far as the kernel has it; where one is missing, the others stand. */
#ifndef CORRIDOR_WALLS_H
#define CORRIDOR_WALLS_H

#include <stdbool.h>

/* Bits of a set. */
enum cor_wall {
    COR_WALL_FILES =
        1, /* no file is written, made, renamed or removed anywhere, /dev/null apart (Landlock) */
    COR_WALL_SIGNALS = 2, /* no signal reaches who is outside (Landlock) */
    COR_WALL_TRACES = 4,  /* no memory of who is outside is read or written, nor is he stopped (Landlock) */
    COR_WALL_NETWORK = 8, /* an empty network, and shared memory and queues of its own (namespaces) */
    COR_WALL_RIGHTS = 16, /* nothing that only root may (capabilities), but to look at files */
    COR_WALL_MODES = 32,  /* all file systems can only be read, modes and times included (namespace) */
    COR_WALL_SIGHT = 64,  /* no file is read but those of the system that all programs need - programs,
                             libraries, null, zero and random - and those named; no process is seen but its
                             own: a root of its own (namespace), or where there can be none Landlock */
    COR_WALLS = 127,
    COR_WALL_ROOT = 128 /* of sight, not to be asked for: by a root of its own, not by Landlock, which hides
                           what files hold, but not their names, sizes and times */
};

/* Raises those of the set around this process, which needs to have one thread: those that stand. `needs`:
 * folders and files that can still be read, absolute paths, a folder before what is in it, ended by NULL
 * (needs.h); NULL: none. `withheld`: what in them cannot, likewise; NULL: what cor_needs_withheld finds now.
 */
int cor_walls_raise(int walls, const char *const *needs, const char *const *withheld);

/* For a process that forks others, each of which is to have the walls of signals and traces around itself:
 * what takes most of raising them, done once. A descriptor, which they inherit; -1 where Landlock is not. */
int cor_walls_prepare(void);

/* Raises around this process what was prepared, and closes the descriptor. False where it does not stand. */
bool cor_walls_close(int prepared);

#endif
