/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folders for work under way. One that others may find and remove, when who made it was killed, carries a
 * mark: a name alone is no reason to remove anything. */
#ifndef CORRIDOR_WORK_FOLDER_H
#define CORRIDOR_WORK_FOLDER_H

#include <corridor/error.h>

#include <stdbool.h>

/* What the file COR_WORK_MARK of such a folder holds. */
#define COR_WORK_MARK ".made-by-corridor"
#define COR_WORK_MARK_TEXT                                                                             \
    "corridor made this folder for work under way, and removes it with all that is in it when nobody " \
    "works in it any more.\n"

/* Makes a folder "<path>.parts-XXXXXX" beside `path`, without a mark; *folder is freed with free(). */
enum cor_status cor_make_folder_beside(const char *path, char **folder, struct cor_error *error) COR_MUST_USE;

/* TMPDIR, or /tmp. */
const char *cor_temporary_place(void);

/* Makes a folder "<above>/<begins>XXXXXX" with a mark; *folder is freed with free(). Its lock is held as long
 * as *lock is open, here or in a child; -1: no lock can be had there, and nobody else removes it. */
enum cor_status cor_make_marked_folder(const char *above, const char *begins, char **folder, int *lock,
                                       struct cor_error *error) COR_MUST_USE;

/* Removes what is left in `above` of such folders: a folder of this user whose name begins so, which has the
 * mark, and whose lock nobody holds. */
void cor_remove_left_folders(const char *above, const char *begins);

/* Removes a folder, which the caller has made, with everything in it. */
void cor_remove_folder(const char *folder);

/* A folder "corridor-<what>-XXXXXX" in TMPDIR, or in /tmp, with a mark, for the moment. */
struct cor_moment {
    char *folder; /* owned */
    int lock;
};

/* Removes before what commands that were killed have left of such folders; and the folder, with all in it. One
 * that is {0} is none: nothing is removed or closed. */
enum cor_status cor_moment_open(const char *what, struct cor_moment *moment,
                                struct cor_error *error) COR_MUST_USE;
void cor_moment_close(struct cor_moment *moment);

/* Renames a file; unless it may `replace`, EEXIST where something of the new name is. -1 and errno, or 0. */
int cor_rename(const char *from, const char *to, bool replace);

/* Files of a folder that belong together: all of them get there, or none. They are written into `draft`, with
 * folders of their own where they are to have some. */
struct cor_file_set {
    const char *folder; /* borrowed; it may be there, with other files */
    char *draft;        /* owned */
    int lock;
};

/* Removes before what sets that were killed have left there. */
enum cor_status cor_file_set_open(const char *folder, struct cor_file_set *set,
                                  struct cor_error *error) COR_MUST_USE;
void cor_file_set_remove_left(const char *folder);

/* Ends the set: its files get their names if `status`, that of what was written, is COR_OK; else they are
 * removed. One that is there may be replaced, or holds the same bytes, as where this was ended on the way;
 * else COR_STATUS_EXISTS with its name, and none is there. Returns `status` or its own trouble. */
enum cor_status cor_file_set_close(struct cor_file_set *set, enum cor_status status, bool replace,
                                   struct cor_error *error) COR_MUST_USE;

#endif
