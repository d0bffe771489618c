/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file.h"

#include <corridor/array.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum cor_status cor__file_open(const char *path, int *file, uint64_t *size, struct cor_error *error) {
    struct stat status;
    /* Without O_NONBLOCK a named pipe would wait here for its writer. */
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*file < 0)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot open");
    if (fstat(*file, &status) == 0 && S_ISREG(status.st_mode)) {
        *size = (uint64_t)status.st_size;
        return COR_OK;
    }
    close(*file);
    *file = -1;
    return cor_fail(error, COR_STATUS_FILE, path, NULL, "not a regular file");
}

enum cor_status cor__file_read(int file, const char *path, uint64_t offset, void *bytes, size_t size,
                               struct cor_error *error) {
    unsigned char *at = bytes;
    while (size > 0) {
        ssize_t got = pread(file, at, size, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot read");
        if (got == 0)
            return cor_fail(error, COR_STATUS_FILE, path, NULL, "the file became shorter while it was read");
        at += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return COR_OK;
}

enum cor_status cor__file_write(int file, const char *path, const void *bytes, size_t size,
                                struct cor_error *error) {
    const unsigned char *at = bytes;
    while (size > 0) {
        ssize_t done = write(file, at, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return cor_fail_errno(error, COR_STATUS_FILE, path,
                                  "make room on the disk, then run the same command again", "cannot write");
        at += done;
        size -= (size_t)done;
    }
    return COR_OK;
}

/* The folder of a path, in memory of its own. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return cor_strdup(".");
    return cor_format("%.*s", slash == path ? 1 : (int)(slash - path), path);
}

enum cor_status cor__file_sync_folder(const char *path, struct cor_error *error) {
    enum cor_status status = COR_OK;
    char *folder = folder_of(path);
    if (!folder)
        return cor_fail_memory(error);
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* Some network file systems cannot sync a folder and say EINVAL: then there is nothing to be done. */
    if (file < 0 || (fsync(file) != 0 && errno != EINVAL))
        status = cor_fail_errno(error, COR_STATUS_FILE, folder, NULL, "cannot make the folder durable");
    if (file >= 0)
        close(file);
    free(folder);
    return status;
}
