/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distributed programs under test, opened: a built-in one by its name, a C module by its path, a program in
 * any language by its command. Behind one face: a struct cor_process whose functions may talk to a child. */
#ifndef CORRIDOR_PROCESS_PROGRAM_H
#define CORRIDOR_PROCESS_PROGRAM_H

#include <corridor/error.h>
#include <corridor/process.h>
#include <corridor/trust.h>

struct cor_traffic;
struct cor_process_program;

/* What a program is by what a user writes: a path that ends with ".so" is a module; else what has a blank or
 * a slash is a command for sh, and a word the name of a built-in one, or of one that was embedded. */
enum cor_process_way { COR_PROCESS_BUILT_IN, COR_PROCESS_MODULE, COR_PROCESS_COMMAND, COR_PROCESS_EMBEDDED };
enum cor_process_way cor_process_way_of(const char *program);

/* Which program, and how it is kept. */
struct cor_process_definition {
    const char *program;         /* "two_phase", "build/raft.so", "python3 ring.py" */
    struct cor_traffic *traffic; /* of a command: records it, or replays in its place; NULL: neither */
    bool is_free, is_full; /* no walls are raised around it; or all of them, else it is refused */
    uint64_t memory_bytes; /* with walls: that it may ask for; 0: 256 MiB */
    double answer_seconds; /* of a command: a call that takes longer is a hang; > 0 */
    struct cor_trust trust;
};

/* Opens it. COR_STATUS_PLUGIN: cannot be loaded, is of another version (both numbers are said), or breaks a
 * rule of process.h that can be seen at once (names that are NULL, doubled, too many; functions that lack).
 * COR_STATUS_INPUT: there is no such built-in program (with those there are). */
enum cor_status cor_process_open(const struct cor_process_definition *definition,
                                 struct cor_process_program **program, struct cor_error *error) COR_MUST_USE;
void cor_process_close(struct cor_process_program *program); /* NULL is allowed */

/* Loads a module into this process, if it is not there: what it is was said in a cell, unless is_free. A
 * cluster does that when it is reset first. COR_STATUS_PLUGIN: it is not any more what it was. */
enum cor_status cor_process_load(struct cor_process_program *program, struct cor_error *error) COR_MUST_USE;

/* A program that is in this process already, by its description, which is checked and copied: what looks on
 * as another program is called stands in for it. COR_STATUS_PLUGIN as above. */
enum cor_status cor_process_adopt(const struct cor_process *description, struct cor_process_program **program,
                                  struct cor_error *error) COR_MUST_USE;

#define COR_PROCESSES_EMBEDDED_MOST 256

/* From now on, in this process and those that it forks, the program is called by its name; it is copied, what
 * it points to is borrowed for good. `digest` stands for its code (64 hexadecimal digits); NULL: not known.
 * It is trusted as little as a module. `interrupt`, which may be NULL, is called within a signal handler
 * where a call takes too long: it makes the program come back from the call soon; one that does not is left
 * by force. COR_STATUS_PLUGIN: it breaks a rule of process.h, or its name is taken. */
enum cor_status cor_process_embed(const struct cor_process *description, const char *digest,
                                  void (*interrupt)(void), struct cor_error *error) COR_MUST_USE;

/* What it is; valid until it is closed. */
const struct cor_process *cor_process_description(const struct cor_process_program *program);

/* Fingerprint of the module or of the files of the command; NULL: built in. */
const char *cor_process_digest(const struct cor_process_program *program);

/* The built-in program of that name; NULL: there is none. */
const struct cor_process *cor_process_builtin(const char *name);

/* Built-in programs, ended by NULL. */
const struct cor_process *const *cor_process_builtins(void);

#endif
