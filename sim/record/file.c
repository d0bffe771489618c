/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole reads and writes of files (short transfers and interrupted calls are finished here), and their
 * checksums. */
#include "frame.h"

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <isa-l/crc.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum cor_status record__file_open(const char *path, int *file, uint64_t *size, struct cor_error *error) {
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
    if (S_ISDIR(status.st_mode)) {
        char inside[512];
        snprintf(inside, sizeof inside, "%.400s%sresults.h5", path, path[strlen(path) - 1] == '/' ? "" : "/");
        return cor_fail(error, COR_STATUS_FILE, path,
                        stat(inside, &status) == 0
                            ? "the result file in it is results.h5"
                            : "corridor merge makes a result file of a campaign's folder",
                        "is a folder, not a file");
    }
    return cor_fail(error, COR_STATUS_FILE, path, NULL, "not a regular file");
}

enum cor_status record__file_read(int file, const char *path, uint64_t offset, void *bytes, size_t size,
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

enum cor_status record__file_write(int file, const char *path, const void *bytes, size_t size,
                                   struct cor_error *error) {
    if (cor_write_all(file, bytes, size, 0))
        return COR_OK;
    return cor_fail_errno(error, COR_STATUS_FILE, path,
                          "make room on the disk, then run the same command again", "cannot write");
}

int cor_sync(int file) {
    int done;
    do
        done = fsync(file);
    while (done != 0 && errno == EINTR);
    return done;
}

int cor_sync_data(int file) {
    int done;
    do
        done = fdatasync(file);
    while (done != 0 && errno == EINTR);
    return done;
}

enum cor_status cor_file_sync(const char *path, struct cor_error *error) {
    int file;
    uint64_t size;
    COR_TRY(record__file_open(path, &file, &size, error));
    enum cor_status status = cor_sync_data(file) == 0 ? COR_OK
                                                      : cor_fail_errno(error, COR_STATUS_FILE, path, NULL,
                                                                       "cannot make the file durable");
    close(file);
    return status;
}

enum cor_status cor_file_sync_folder(const char *path, struct cor_error *error) {
    enum cor_status status = COR_OK;
    /* The folder of a path, in memory of its own. */
    const char *slash = strrchr(path, '/');
    char *folder =
        !slash ? cor_strdup(".") : cor_format("%.*s", slash == path ? 1 : (int)(slash - path), path);
    COR_TRY(cor_made(folder, error));
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* Some network file systems cannot sync a folder and say EINVAL: then there is nothing to be done. */
    if (file < 0 || (cor_sync(file) != 0 && errno != EINVAL))
        status =
            cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot make its entry in the folder durable");
    if (file >= 0)
        close(file);
    free(folder);
    return status;
}

uint32_t record__crc32c(uint32_t crc, const void *bytes, size_t size) {
    unsigned char *at = (unsigned char *)(uintptr_t)bytes; /* it is only read */
    crc = ~crc;
    while (size > 0) {
        int part = size < INT_MAX ? (int)size : INT_MAX;
        crc = crc32_iscsi(at, part, crc);
        at += part;
        size -= (size_t)part;
    }
    return ~crc;
}

/* The last 16 bytes of a result file: "CORCRC32", CRC32C of all bytes before, CRC32C of these twelve. */
#define SEAL_MAGIC "CORCRC32"
enum { SEAL_MAGIC_SIZE = 8, SEAL_SIZE = 16 };
/* The head of a file in HDF5's format, superblock of version 2 or 3: where in it the end of the file stands.
 */
enum { SUPERBLOCK_END = 28, SUPERBLOCK_SIZE = 48 };
#define TAKE_ANOTHER "take another copy, or merge the journals again"

enum cor_status record__file_crc(int file, const char *path, uint64_t offset, uint64_t size,
                                 unsigned char *block, uint32_t *crc, struct cor_error *error) {
    COR_ASSERT(file >= 0);
    *crc = 0;
    while (size > 0) {
        size_t part = size < RECORD__FILE_BLOCK ? (size_t)size : RECORD__FILE_BLOCK;
        COR_TRY(record__file_read(file, path, offset, block, part, error));
        *crc = record__crc32c(*crc, block, part);
        offset += part;
        size -= part;
    }
    return COR_OK;
}

/* A result file while it is sealed, or its seal is looked at. */
struct sealing {
    int file;
    uint64_t size;
    unsigned char *block; /* owned */
};

static enum cor_status begin_sealing(struct sealing *sealing, const char *path, struct cor_error *error) {
    COR_TRY(record__file_open(path, &sealing->file, &sealing->size, error));
    sealing->block = malloc(RECORD__FILE_BLOCK);
    return cor_made(sealing->block, error);
}

static void end_sealing(const struct sealing *sealing) {
    if (sealing->file >= 0)
        close(sealing->file);
    free(sealing->block);
}

enum cor_status record__checksum_append(const char *path, const char *place, struct cor_error *error) {
    unsigned char seal[SEAL_SIZE] = SEAL_MAGIC;
    struct sealing sealing = {.file = -1};
    enum cor_status status = COR_OK;
    uint32_t crc;
    int end = -1;
    COR_TRY_OUT(begin_sealing(&sealing, path, error));
    COR_TRY_OUT(record__file_crc(sealing.file, place, 0, sealing.size, sealing.block, &crc, error));
    memcpy(seal + SEAL_MAGIC_SIZE, &crc, 4);
    crc = record__crc32c(0, seal, 12);
    memcpy(seal + 12, &crc, 4);
    end = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (end < 0)
        COR_TRY_OUT(cor_fail_errno(error, COR_STATUS_FILE, place, NULL, "cannot open for writing"));
    COR_TRY_OUT(record__file_write(end, place, seal, sizeof seal, error));
    if (cor_sync(end) != 0)
        status = cor_fail_errno(error, COR_STATUS_FILE, place, NULL, "cannot make the file durable");
out:
    if (end >= 0 && close(end) != 0 && status == COR_OK)
        status = cor_fail_errno(error, COR_STATUS_FILE, place, NULL, "cannot close");
    end_sealing(&sealing);
    return status;
}

/* A program that opens an HDF5 file for writing says so in its superblock, until it closes the file. */
static bool is_open_elsewhere(const unsigned char head[12]) {
    return memcmp(head, "\211HDF\r\n\032\n", 8) == 0 && head[8] >= 2 && (head[11] & 1);
}

/* Where the file ends for HDF5, as its superblock says; 0: it is of a version that our files never have, as
 * those of other programs may. */
static uint64_t end_for_hdf5(const unsigned char head[SUPERBLOCK_SIZE]) {
    if (memcmp(head, "\211HDF\r\n\032\n", 8) != 0 || (head[8] != 2 && head[8] != 3) || head[9] != 8)
        return 0;
    uint64_t end = 0;
    for (int i = 7; i >= 0; i--)
        end = end << 8 | head[SUPERBLOCK_END + i];
    return end;
}

/* There is no whole seal. None at all is there where another program has written the file, which ends where
 * HDF5 says; what is behind that is one that was damaged. */
static enum cor_status check_no_seal(const struct sealing *sealing, const char *path,
                                     struct cor_error *error) {
    unsigned char head[SUPERBLOCK_SIZE];
    if (sealing->size < sizeof head)
        return COR_OK;
    COR_TRY(record__file_read(sealing->file, path, 0, head, sizeof head, error));
    const uint64_t end = end_for_hdf5(head);
    if (end == 0 || sealing->size <= end)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, path, TAKE_ANOTHER,
                    "the file is damaged: the %" PRIu64 " bytes behind the end of its data are not the %d "
                    "of a checksum",
                    sealing->size - end, (int)SEAL_SIZE);
}

enum cor_status record__checksum_check(const char *path, bool *sealed, struct cor_error *error) {
    unsigned char seal[SEAL_SIZE], head[12];
    struct sealing sealing = {.file = -1};
    enum cor_status status = COR_OK;
    uint32_t seal_crc, expected, found;
    *sealed = false;
    COR_TRY_OUT(begin_sealing(&sealing, path, error));
    if (sealing.size < SEAL_SIZE)
        goto out;
    COR_TRY_OUT(record__file_read(sealing.file, path, sealing.size - SEAL_SIZE, seal, sizeof seal, error));
    memcpy(&seal_crc, seal + 12, 4);
    memcpy(&expected, seal + SEAL_MAGIC_SIZE, 4);
    if (memcmp(seal, SEAL_MAGIC, SEAL_MAGIC_SIZE) != 0 || seal_crc != record__crc32c(0, seal, 12)) {
        status = check_no_seal(&sealing, path, error);
        goto out;
    }
    COR_TRY_OUT(
        record__file_crc(sealing.file, path, 0, sealing.size - SEAL_SIZE, sealing.block, &found, error));
    *sealed = found == expected;
    if (found == expected)
        goto out;
    COR_TRY_OUT(record__file_read(sealing.file, path, 0, head, sizeof head, error));
    if (is_open_elsewhere(head))
        status = cor_fail(error, COR_STATUS_FILE, path, "close it there: what it holds is as it was",
                          "is open for writing in another program, or was not closed by it");
    else
        status = cor_fail(error, COR_STATUS_INPUT, path, TAKE_ANOTHER,
                          "the file is damaged: its checksum is wrong");
out:
    end_sealing(&sealing);
    return status;
}
