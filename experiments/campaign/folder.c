/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folders for work under way: made beside what they will become part of, and removed with all they hold. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "internal.h"

#include <corridor/array.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

enum cor_status cor__make_folder_beside(const char *path, char **folder, struct cor_error *error) {
    *folder = cor_format("%s.parts-XXXXXX", path);
    if (!*folder)
        return cor_fail_memory(error);
    if (mkdtemp(*folder))
        return COR_OK;
    free(*folder);
    *folder = NULL;
    return cor_fail_errno(error, COR_STATUS_FILE, path, "check that the folder exists and may be written",
                          "cannot make a folder for work under way beside it");
}

static int remove_entry(const char *path, const struct stat *what, int kind, struct FTW *where) {
    (void)what;
    (void)kind;
    (void)where;
    return remove(path);
}

void cor__remove_folder(const char *folder) {
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}
