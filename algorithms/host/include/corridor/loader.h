/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Modules: shared objects that export one constant of a versioned kind. What the kinds share is here: the
 * words that every such constant begins with, how old and new versions are told apart, and what the dynamic
 * linker says. Sees no header of a kind. */
#ifndef CORRIDOR_LOADER_H
#define CORRIDOR_LOADER_H

#include <corridor/error.h>

#include <stdint.h>

/* What the constants of one kind are. They begin with four words, magic, major, minor and struct_size, in
 * every version; fields are only appended. */
struct cor_module_kind {
    const char *symbol;       /* of the exported constant: "corridor_algorithm_1" */
    const char *what;         /* it is: "an algorithm" */
    const char *first_fields; /* the macro that fills them in: "COR_ALGORITHM" */
    const char *header;       /* that says all: "<corridor/plugin.h>" */
    uint32_t magic, major, minor;
    size_t size, size_least; /* bytes of the struct in this version and in the oldest of the same major */

    /* COR_STATUS_PLUGIN with the reason if what was declared cannot be used. Calls nothing of the module.
     * `copy` is the struct of this version; `origin` the place that errors name. */
    enum cor_status (*check)(const void *copy, const char *origin, struct cor_error *error);
};

/* Copies a constant, however old, into a struct of this version: what it lacks is 0. Refused with
 * COR_STATUS_PLUGIN: another magic, another major or a newer minor (with both numbers), a size that no
 * version has, and what check() refuses. */
enum cor_status cor_module_copy(const struct cor_module_kind *kind, const void *exported, const char *origin,
                                void *copy, struct cor_error *error) COR_MUST_USE;

/* COR_STATUS_FILE, where there is no file of that path. */
enum cor_status cor_module_is_there(const char *path, struct cor_error *error) COR_MUST_USE;

/* Opens the module at `path` and copies what it exports into `copy`, which holds pointers into the module:
 * valid until cor_module_close(*handle). COR_STATUS_PLUGIN says why it cannot be used; then *handle is NULL.
 * Of the module's code, only what the dynamic linker runs by itself has run. */
enum cor_status cor_module_open(const struct cor_module_kind *kind, const char *path, void **handle,
                                void *copy, struct cor_error *error) COR_MUST_USE;

/* Between two calls of a module: an alarm that it has set is gone; its process's mask of signals,
 * floating-point mode, locale and mask of files are as at its beginning. */
void cor_module_settle(void);

/* Memory that the code of a module may write: its variables. */
struct cor_module_piece {
    void *start;
    size_t bytes; /* whole pages */
};

/* Those of the module that holds a function, at most `most`; their count. *origin: where the module begins in
 * memory. 0: the function is of this program itself, whose variables are ours too. */
uint32_t cor_module_variables(uintptr_t function, struct cor_module_piece *pieces, uint32_t most,
                              uintptr_t *origin);

/* What else the module that holds a function exports by that name; NULL: nothing, or it is this program
 * itself. */
void *cor_module_symbol(uintptr_t function, const char *name);

/* Unloads the module. NULL is allowed. */
void cor_module_close(void *handle);

/* Is the file at the path a program: executable, and no shared object? What cannot be looked at is none. */
bool cor_is_program_file(const char *path);

#endif
