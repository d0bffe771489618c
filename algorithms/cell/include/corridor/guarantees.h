/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a cell guarantees, and which of it this machine can keep. */
#ifndef CORRIDOR_GUARANTEES_H
#define CORRIDOR_GUARANTEES_H

#include <corridor/error.h>
#include <corridor/needs.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each is kept or not: the kernel, a container or the system's policy has the last word. */
enum cor_guarantee_index {
    COR_GUARANTEE_PROCESSES,
    COR_GUARANTEE_SIGNALS, /* this one and those up to the files in sight: walls.h */
    COR_GUARANTEE_TRACES,
    COR_GUARANTEE_NETWORK,
    COR_GUARANTEE_RIGHTS,
    COR_GUARANTEE_FILES,
    COR_GUARANTEE_MODES,
    COR_GUARANTEE_SIGHT,
    COR_GUARANTEE_CALLS,  /* cor_forbid_calls() */
    COR_GUARANTEE_MEMORY, /* cor_limit_memory(), child.h */
    COR_GUARANTEE_COUNT
};

/* Words for people: its name, how it is kept, and what the guest then does. */
struct cor_guarantee {
    const char *name, *means, *promise;
};
extern const struct cor_guarantee cor_guarantees[COR_GUARANTEE_COUNT];

/* All of them: those that hold have their bit set. */
#define COR_GUARANTEES_ALL ((1u << COR_GUARANTEE_COUNT) - 1)

/* Beside them: that of sight does by a root of its own. Without it, names, sizes and times of files can be
 * seen (walls.h). */
#define COR_GUARANTEES_ROOT (1u << COR_GUARANTEE_COUNT)
#define COR_SIGHT_BY_LANDLOCK \
    "sight is by Landlock alone: names, sizes and times of files can be seen, what they hold cannot"

#define COR_GUARANTEES_SIZE 320u

/* What is missing where of the walls that were asked for (walls.h) these stand, and where the cell of the
 * calling process has no namespace of processes; COR_GUARANTEES_ROOT, too. */
unsigned cor_guarantees_missing(int walls, int standing);

/* Those of the set, for people: writes "processes, modes" into `text`, and returns it. */
const char *cor_guarantees_text(unsigned set, char text[COR_GUARANTEES_SIZE]);

/* Which hold on this machine, for whoever asks: a process in a cell tries what each is to prevent. */
enum cor_status cor_guarantees_held(unsigned *held, struct cor_error *error) COR_MUST_USE;

/* Says which do not hold on this machine, or not around guests that need what `needs` says (needs.h), and
 * whether that of sight does by Landlock alone: a line of *warnings (owned by the caller, replaced), or, if
 * all are required of what the file at `path` asks for, COR_STATUS_INPUT. */
enum cor_status cor_guarantees_look(const char *path, const struct cor_needs *needs, bool are_required,
                                    char **warnings, struct cor_error *error) COR_MUST_USE;

/* Bytes of memory that what is tested may ask for, unless it is said; and what can be said. */
#define COR_GUEST_MEMORY (INT64_C(256) << 20)
#define COR_GUEST_MEMORY_LEAST INT64_C(65536)
#define COR_GUEST_MEMORY_MOST (INT64_C(1) << 40)

/* How large the address space of a process may be that may ask for so much memory: an arena may take several
 * times as much while it grows. */
uint64_t cor_address_space(uint64_t memory);

/* From now on calls by which sockets, shared memory and alarms are made fail in this process, and those that
 * can only be meant to do harm end it. False where the kernel does not know how. */
bool cor_forbid_calls(void);

/* The same for what is to start a program: that is left to it, and what can only do harm fails. */
bool cor_forbid_calls_of_program(void);

#define COR_OWN_PROTECTION 0x5a6ec0deu /* what mprotect is told by pages.h, see below */

/* From now on all calls end this process but those of which memory knows nothing, and those by which it ends:
 * for what goes back to snapshots of it (pages.h). mprotect is among these only with the low half of its
 * address, XOR COR_OWN_PROTECTION, as a fourth argument. */
bool cor_forbid_calls_but_of_memory(void);

/* ---- what a machine must have for campaigns beside isolation: room and rights on the disk, locks, limits of
 * processes, a loopback */

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
