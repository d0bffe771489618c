/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a guest has to read to live: its own folder, the libraries and the interpreter that it names. All else
 * of the machine is out of its sight (walls.h). */
#ifndef CORRIDOR_NEEDS_H
#define CORRIDOR_NEEDS_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>

/* Behind a path: the folder, or the link, alone, with nothing that is in it. Paths go through it. */
#define COR_NEEDS_WAY "/."

/* Folders, with all that is in them, and files: absolute paths. The caller's; all 0 is empty. */
struct cor_needs {
    char **paths; /* owned, in ascending order, ended by NULL; NULL: there are none */
    size_t count, capacity;
    char **looked_at; /* owned; programs and libraries whose own needs are here already */
    size_t looked_count, looked_capacity;
};

/* Frees all. Idempotent. */
void cor_needs_fini(struct cor_needs *needs);

/* All that a module needs, by its path; or a program that is started in the working folder, by its path or by
 * a command of the shell: what the functions below add, and what the user says. */
enum cor_status cor_needs_of_module(struct cor_needs *needs, const char *path,
                                    struct cor_error *error) COR_MUST_USE;
enum cor_status cor_needs_of_program(struct cor_needs *needs, const char *command, bool is_path,
                                     struct cor_error *error) COR_MUST_USE;

/* A program: the file alone, and the libraries that it names, wherever they lie. */
enum cor_status cor_needs_add_file(struct cor_needs *needs, const char *path,
                                   struct cor_error *error) COR_MUST_USE;

/* What the user says: paths in the variable CORRIDOR_READS, with colons between them. */
enum cor_status cor_needs_add_said(struct cor_needs *needs, struct cor_error *error) COR_MUST_USE;

/* The file that sh starts by that word, of a folder of PATH; false: there is none. */
bool cor_find_on_path(const char *word, char *path, size_t size);

/* Whether the path is needed as a way alone. */
bool cor_needs_is_way(const char *path);

/* What lies in folders that are needed, however deep, and is no guest's to read: result files, what is stored
 * of campaigns, campaigns' folders, suites that were written, and what is too deep to be looked at. Absolute
 * paths in ascending order, ended by NULL, for cor_needs_free; NULL: it cannot be known. */
char **cor_needs_withheld(const char *const *needs);
void cor_needs_free(char **paths);

#endif
