/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last 16 bytes of a result file: "CORCRC32", CRC32C of all bytes before, CRC32C of these twelve. */
#include "hdf5_file.h"

#include "crc32c.h"
#include "file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "CORCRC32"
enum { MAGIC_SIZE = 8, SEAL_SIZE = 16, BLOCK = 1 << 20 };

/* CRC32C of the first `size` bytes. */
static enum cor_status file_crc(int file, const char *path, uint64_t size, const struct cor__crc32c *tables,
                                uint32_t *crc, struct cor_error *error) {
    enum cor_status status = COR_OK;
    unsigned char *block = malloc(BLOCK);
    if (!block)
        return cor_fail_memory(error);
    *crc = 0;
    for (uint64_t offset = 0; offset < size && status == COR_OK; offset += BLOCK) {
        size_t part = size - offset < BLOCK ? (size_t)(size - offset) : BLOCK;
        status = cor__file_read(file, path, offset, block, part, error);
        if (status == COR_OK)
            *crc = cor__crc32c(tables, *crc, block, part);
    }
    free(block);
    return status;
}

enum cor_status cor__checksum_append(const char *path, const char *place, struct cor_error *error) {
    struct cor__crc32c tables;
    unsigned char seal[SEAL_SIZE] = MAGIC;
    uint64_t size;
    uint32_t crc;
    int file, end = -1;
    enum cor_status status = cor__file_open(path, &file, &size, error);
    if (status != COR_OK)
        return status;
    cor__crc32c_init(&tables);
    status = file_crc(file, place, size, &tables, &crc, error);
    if (status != COR_OK)
        goto out;
    memcpy(seal + MAGIC_SIZE, &crc, 4);
    crc = cor__crc32c(&tables, 0, seal, 12);
    memcpy(seal + 12, &crc, 4);
    end = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (end < 0) {
        status = cor_fail_errno(error, COR_STATUS_FILE, place, NULL, "cannot open for writing");
        goto out;
    }
    status = cor__file_write(end, place, seal, sizeof seal, error);
    if (status == COR_OK && fsync(end) != 0)
        status = cor_fail_errno(error, COR_STATUS_FILE, place, NULL, "cannot make the file durable");
out:
    if (end >= 0 && close(end) != 0 && status == COR_OK)
        status = cor_fail_errno(error, COR_STATUS_FILE, place, NULL, "cannot close");
    close(file);
    return status;
}

/* Reads the seal; *sealed 0 if there is none. */
static enum cor_status read_seal(int file, const char *path, uint64_t size, const struct cor__crc32c *tables,
                                 int *sealed, uint32_t *crc, struct cor_error *error) {
    unsigned char seal[SEAL_SIZE];
    uint32_t seal_crc;
    *sealed = 0;
    if (size < SEAL_SIZE)
        return COR_OK;
    enum cor_status status = cor__file_read(file, path, size - SEAL_SIZE, seal, sizeof seal, error);
    if (status != COR_OK)
        return status;
    memcpy(&seal_crc, seal + 12, 4);
    memcpy(crc, seal + MAGIC_SIZE, 4);
    *sealed = memcmp(seal, MAGIC, MAGIC_SIZE) == 0 && seal_crc == cor__crc32c(tables, 0, seal, 12);
    return COR_OK;
}

enum cor_status cor__checksum_check(const char *path, struct cor_error *error) {
    struct cor__crc32c tables;
    uint64_t size;
    uint32_t expected = 0, found = 0;
    int file, sealed;
    enum cor_status status = cor__file_open(path, &file, &size, error);
    if (status != COR_OK)
        return status;
    cor__crc32c_init(&tables);
    status = read_seal(file, path, size, &tables, &sealed, &expected, error);
    if (status == COR_OK && sealed) {
        status = file_crc(file, path, size - SEAL_SIZE, &tables, &found, error);
        if (status == COR_OK && found != expected)
            status = cor_fail(error, COR_STATUS_INPUT, path, "take another copy, or merge the journals again",
                              "the file is damaged: its checksum is wrong");
    }
    close(file);
    return status;
}
