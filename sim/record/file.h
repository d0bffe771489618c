/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole reads and writes of files: short transfers and interrupted calls are finished here. */
#ifndef CORRIDOR_RECORD_FILE_H
#define CORRIDOR_RECORD_FILE_H

#include <corridor/error.h>

#include <stdint.h>

/* Opens a regular file for reading and tells its size; *file is closed by the caller, -1 on failure. */
enum cor_status cor__file_open(const char *path, int *file, uint64_t *size,
                               struct cor_error *error) COR_MUST_USE;

/* Reads exactly `size` bytes at `offset`; a file that ends before is COR_STATUS_FILE. */
enum cor_status cor__file_read(int file, const char *path, uint64_t offset, void *bytes, size_t size,
                               struct cor_error *error) COR_MUST_USE;

/* Writes all bytes at the end of a file opened for appending. */
enum cor_status cor__file_write(int file, const char *path, const void *bytes, size_t size,
                                struct cor_error *error) COR_MUST_USE;

/* Makes the entry of `path` in its folder durable. */
enum cor_status cor__file_sync_folder(const char *path, struct cor_error *error) COR_MUST_USE;

#endif
