/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes one result file from frames, in the order they come, holding no more than a block of each column. */
#ifndef CORRIDOR_RECORD_WRITER_H
#define CORRIDOR_RECORD_WRITER_H

#include "journal_private.h"

struct cor__writer;

/* Creates the file `path`, which must not exist, for exactly `counts` rows and items. Errors name `place`,
 * the name the file is to have in the end; both are borrowed. */
enum cor_status cor__writer_create(const char *path, const char *place,
                                   const struct cor_result_header *header, const struct cor__counts *counts,
                                   struct cor__writer **writer, struct cor_error *error) COR_MUST_USE;

/* Appends a suite. */
enum cor_status cor__writer_put(struct cor__writer *writer, const struct cor__frame *frame,
                                struct cor_error *error) COR_MUST_USE;

/* Writes what is left with the fingerprint of it all, and closes the file. */
enum cor_status cor__writer_finish(struct cor__writer *writer, struct cor_error *error) COR_MUST_USE;

/* Reads the finished file, opened again, and says whether it holds what was written: texts, catalogs, short
 * lists, and the packed bytes of all others. They are not unpacked: that is left to readers, whom three more
 * checksums (of the zlib format, Fletcher32, and the content) tell of damage. */
bool cor__writer_wrote(const struct cor__writer *writer, const struct cor_result *result);

/* Closes the file, finished or not; NULL is allowed. */
void cor__writer_destroy(struct cor__writer *writer);

#endif
