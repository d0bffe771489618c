/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files that a guest is made of: of an agent or a system, what it will do is not in the experiment's
 * text, but in these. */
#ifndef CORRIDOR_GUEST_FILES_H
#define CORRIDOR_GUEST_FILES_H

#include <corridor/digest.h>
#include <corridor/json.h>

#include <stdbool.h>

/* As it was when it was asked for. */
struct cor_guest_file {
    char *path; /* owned */
    char digest[COR_DIGEST_TEXT];
};

/* All 0 has none. */
struct cor_guest_files {
    const char *guest;            /* borrowed: as a user names it */
    struct cor_guest_file *items; /* owned */
    size_t count, capacity;
    char *digest; /* owned; of all of them; NULL: of none is known what the guest is made of */
};

/* The files of a guest: a module, and of a command each word that names a file that can be read, or, if none
 * does, the program of PATH that its first word names. For cor_guest_files_fini, also on failure. */
enum cor_status cor_guest_files(struct cor_guest_files *files, const char *guest, bool is_module,
                                struct cor_error *error) COR_MUST_USE;

/* Frees all. Idempotent. */
void cor_guest_files_fini(struct cor_guest_files *files);

/* Writes down the files of `count` guests, each file once, as items of the list that is open: its guest by
 * the word, its path, its digest. `of` gives the files of one of the guests. */
void cor_guest_files_put(struct cor_json_writer *writer, const char *word,
                         const struct cor_guest_files *(*of)(const void *guests, size_t guest),
                         const void *guests, size_t count);

#endif
