/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading frames without unpacking them, as merging does. */
#ifndef CORRIDOR_RECORD_JOURNAL_PRIVATE_H
#define CORRIDOR_RECORD_JOURNAL_PRIVATE_H

#include "frame.h"

/* One frame in memory; reused for the next. Begins as zeroes but for crc. */
struct cor__frame {
    struct cor__crc32c crc; /* initialised by the caller */
    unsigned char *bytes;   /* owned: header and payload */
    size_t capacity, size;
    struct cor__frame_header header;
    struct cor__counts counts;
};

/* Reads the frame of an entry and checks all of it. */
enum cor_status cor__journal_frame(const char *path, const struct cor_journal_entry *entry,
                                   struct cor__frame *frame, struct cor_error *error) COR_MUST_USE;

/* Reads only the counts of an entry, to know how large things will be: not checked against the checksum. */
enum cor_status cor__journal_counts(const char *path, const struct cor_journal_entry *entry,
                                    struct cor__counts *counts, struct cor_error *error) COR_MUST_USE;

#endif
