/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a guest has to read to live: its own folder, the libraries and the interpreter that it names. All else
 * of the machine is out of its sight (walls.h). */
#ifndef CORRIDOR_NEEDS_H
#define CORRIDOR_NEEDS_H

#include <corridor/error.h>

#include <stddef.h>

/* Folders, with all that is in them, and files: absolute paths. The caller's; all 0 is empty. */
struct cor_needs {
    char **paths; /* owned, in ascending order, ended by NULL; NULL: there are none */
    size_t count, capacity;
    char **looked_at; /* owned; programs and libraries whose own needs are here already */
    size_t looked_count, looked_capacity;
};

/* Frees all. Idempotent. */
void cor_needs_fini(struct cor_needs *needs);

/* A program: the file alone, and the libraries that it names, wherever they lie. */
enum cor_status cor_needs_add_file(struct cor_needs *needs, const char *path,
                                   struct cor_error *error) COR_MUST_USE;

/* A module, or a program by its path: its folder, its libraries, its interpreter. Of a folder in which far
 * more lies than a guest - the root, a folder in it, a home - it is the file alone. */
enum cor_status cor_needs_add_guest(struct cor_needs *needs, const char *path,
                                    struct cor_error *error) COR_MUST_USE;

/* A command of the shell: the programs, files and folders that its words name; of the first file the folder,
 * as of a guest. */
enum cor_status cor_needs_add_command(struct cor_needs *needs, const char *command,
                                      struct cor_error *error) COR_MUST_USE;

/* The working folder, of what works there, unless far more lies in it. */
enum cor_status cor_needs_add_working_folder(struct cor_needs *needs, struct cor_error *error) COR_MUST_USE;

/* What the user says: paths in the variable CORRIDOR_READS, with colons between them. */
enum cor_status cor_needs_add_said(struct cor_needs *needs, struct cor_error *error) COR_MUST_USE;

/* The file that sh starts by that word, of a folder of PATH; false: there is none. */
bool cor_find_on_path(const char *word, char *path, size_t size);

/* Is an entry of a folder, by its name, a result file or the work of a campaign under way, which no guest is
 * to read? Of another folder: does it hold such? */
bool cor_needs_is_withheld(int folder, const char *name);

#endif
