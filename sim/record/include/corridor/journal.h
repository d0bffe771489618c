/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Journals: checksummed files of finished suites that survive their writers. */
#ifndef CORRIDOR_JOURNAL_H
#define CORRIDOR_JOURNAL_H

#include <corridor/record.h>

/* One worker's append-only file of finished suites. Each suite is one frame: magic, version, arm, suite,
 * sizes, CRC32C of header and payload, by which a torn tail is recognised and dropped. */
struct cor_journal;

/* Creates the file; it must not exist. */
enum cor_status cor_journal_create(const char *path, struct cor_journal **journal,
                                   struct cor_error *error) COR_MUST_USE;

/* Writes the record and makes it durable (fdatasync). A full disk is COR_STATUS_FILE naming file and cause;
 * what was appended before stays readable. */
enum cor_status cor_journal_append(struct cor_journal *journal, const struct cor_record *record,
                                   struct cor_error *error) COR_MUST_USE;

/* Closes; NULL is allowed. */
void cor_journal_close(struct cor_journal *journal);

/* A suite found in a journal. */
struct cor_journal_entry {
    uint16_t arm;
    uint32_t suite;
    uint64_t offset, size; /* of its frame */
};

/* Lists the whole, undamaged suites of a journal of that layer. *torn is the number of bytes after the last
 * whole frame. */
enum cor_status cor_journal_scan(const struct cor_layer_schema *layer, const char *path,
                                 struct cor_journal_entry **entries /* owned by caller */, size_t *count,
                                 uint64_t *torn, struct cor_error *error) COR_MUST_USE;

/* Reads one suite back into `record`, which is cleared first. */
enum cor_status cor_journal_read(const char *path, const struct cor_journal_entry *entry,
                                 struct cor_record *record, struct cor_error *error) COR_MUST_USE;

#endif
