/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "journal_private.h"

#include "file.h"
#include "record_private.h"
#include "schema_json.h"

#include <corridor/array.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------- writing */

struct cor_journal {
    int file;
    int broken; /* a write failed: what lies behind the last whole frame is unknown, so nothing more is
                   appended */
    char *path; /* owned */
    unsigned char *head; /* owned: of the frame being written */
    size_t head_capacity;
    struct cor__crc32c crc;
};

enum cor_status cor_journal_create(const char *path, struct cor_journal **journal, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_journal *made = cor_calloc(1, sizeof *made);
    *journal = NULL;
    if (!made)
        return cor_fail_memory(error);
    made->file = -1;
    cor__crc32c_init(&made->crc);
    made->path = cor_strdup(path);
    if (!made->path) {
        status = cor_fail_memory(error);
        goto out;
    }
    made->file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (made->file < 0) {
        enum cor_status kind = errno == EEXIST ? COR_STATUS_EXISTS : COR_STATUS_FILE;
        status = cor_fail_errno(error, kind, path, NULL, "cannot create the journal");
        goto out;
    }
    status = cor__file_sync_folder(path, error);
out:
    if (status == COR_OK)
        *journal = made;
    else
        cor_journal_close(made);
    return status;
}

/* A failed write or sync leaves unknown bytes; syncing again could even report success (the kernel drops what
 * it could not write). So the journal is closed for good and its whole frames stay. */
static enum cor_status append_frame(struct cor_journal *journal, size_t head_size,
                                    const struct cor_record *record, struct cor_error *error) {
    enum cor_status status = cor__file_write(journal->file, journal->path, journal->head, head_size, error);
    for (enum cor_vector v = 0; v < COR_VECTOR_COUNT && status == COR_OK; v++)
        status = cor__file_write(journal->file, journal->path, record->vectors[v].items,
                                 cor__frame_vector_size(record, v), error);
    if (status == COR_OK && fdatasync(journal->file) != 0)
        status =
            cor_fail_errno(error, COR_STATUS_FILE, journal->path, NULL, "cannot make the journal durable");
    journal->broken = status != COR_OK;
    return status;
}

enum cor_status cor_journal_append(struct cor_journal *journal, const struct cor_record *record,
                                   struct cor_error *error) {
    if (journal->broken)
        return cor_fail(error, COR_STATUS_FILE, journal->path, "run the same command again",
                        "an earlier write to this journal failed");
    size_t head_size = cor__frame_head_size(record);
    enum cor_status status = COR_RESERVE(&journal->head, &journal->head_capacity, head_size, error);
    if (status != COR_OK)
        return status;
    cor__frame_pack_head(record, &journal->crc, journal->head);
    return append_frame(journal, head_size, record, error);
}

void cor_journal_close(struct cor_journal *journal) {
    if (!journal)
        return;
    if (journal->file >= 0)
        close(journal->file);
    free(journal->path);
    free(journal->head);
    free(journal);
}

/* ------------------------------------------------------------------------------------ scanning */

enum { BLOCK = 1 << 20 };

struct scan {
    const char *path; /* borrowed */
    int file;
    uint64_t size;        /* of the file */
    unsigned char *block; /* owned, BLOCK bytes */
    struct cor__crc32c crc;
};

/* A frame of another version or of a build with other rows is not damage: reading on would lose suites
 * silently. */
static enum cor_status check_build(const char *path, const struct cor__frame_header *header,
                                   struct cor_error *error) {
    if (header->version == COR__FRAME_VERSION && header->schema == cor__schema_hash())
        return COR_OK;
    return cor_fail(error, COR_STATUS_FILE, path, "finish the campaign with the version it was begun with",
                    "the journal was written by another version of corridor");
}

/* CRC32C of a range of the file. */
static enum cor_status range_crc(struct scan *scan, uint64_t offset, uint64_t size, uint32_t *crc,
                                 struct cor_error *error) {
    *crc = 0;
    while (size > 0) {
        size_t part = size < BLOCK ? (size_t)size : BLOCK;
        enum cor_status status = cor__file_read(scan->file, scan->path, offset, scan->block, part, error);
        if (status != COR_OK)
            return status;
        *crc = cor__crc32c(&scan->crc, *crc, scan->block, part);
        offset += part;
        size -= part;
    }
    return COR_OK;
}

/* Is there a whole frame at `offset`? Fills *entry then; entry->size 0 says no. */
static enum cor_status look_for_frame(struct scan *scan, uint64_t offset, struct cor_journal_entry *entry,
                                      struct cor_error *error) {
    unsigned char bytes[COR__FRAME_HEADER_SIZE];
    struct cor__frame_header header;
    uint32_t crc;
    *entry = (struct cor_journal_entry){0};
    enum cor_status status = cor__file_read(scan->file, scan->path, offset, bytes, sizeof bytes, error);
    if (status != COR_OK || !cor__frame_header(bytes, &scan->crc, &header))
        return status;
    status = check_build(scan->path, &header, error);
    if (status != COR_OK || header.payload_size > scan->size - offset - sizeof bytes)
        return status;
    status = range_crc(scan, offset + sizeof bytes, header.payload_size, &crc, error);
    if (status != COR_OK || crc != header.payload_crc)
        return status;
    *entry = (struct cor_journal_entry){header.arm, header.suite, offset, sizeof bytes + header.payload_size};
    return COR_OK;
}

/* The first place at or after *offset where a frame may begin; the end of the file if there is none. */
static enum cor_status next_magic(struct scan *scan, uint64_t *offset, struct cor_error *error) {
    while (scan->size - *offset >= COR__FRAME_MAGIC_SIZE) {
        uint64_t rest = scan->size - *offset;
        size_t part = rest < BLOCK ? (size_t)rest : BLOCK;
        enum cor_status status = cor__file_read(scan->file, scan->path, *offset, scan->block, part, error);
        if (status != COR_OK)
            return status;
        size_t last = part - COR__FRAME_MAGIC_SIZE;
        for (size_t i = 0; i <= last; i++)
            if (scan->block[i] == (unsigned char)COR__FRAME_MAGIC[0] &&
                memcmp(scan->block + i, COR__FRAME_MAGIC, COR__FRAME_MAGIC_SIZE) == 0) {
                *offset += i;
                return COR_OK;
            }
        *offset += last + 1;
    }
    *offset = scan->size;
    return COR_OK;
}

/* Goes through the file. Where no whole frame begins, something is damaged or torn: the next magic is looked
 * for, so that only the suites that were hit are missing. */
static enum cor_status scan_file(struct scan *scan, struct cor_journal_entry **entries, size_t *count,
                                 uint64_t *torn, struct cor_error *error) {
    enum cor_status status = COR_OK;
    size_t capacity = 0;
    uint64_t offset = 0, end = 0; /* end: of the last whole frame */
    while (status == COR_OK && scan->size - offset >= COR__FRAME_HEADER_SIZE) {
        struct cor_journal_entry entry;
        status = look_for_frame(scan, offset, &entry, error);
        if (status != COR_OK)
            break;
        if (entry.size == 0) {
            offset++;
            status = next_magic(scan, &offset, error);
            continue;
        }
        status = COR_RESERVE(entries, &capacity, *count + 1, error);
        if (status == COR_OK)
            (*entries)[(*count)++] = entry;
        offset = end = entry.offset + entry.size;
    }
    *torn = scan->size - end;
    return status;
}

enum cor_status cor_journal_scan(const char *path, struct cor_journal_entry **entries, size_t *count,
                                 uint64_t *torn, struct cor_error *error) {
    struct scan scan = {.path = path, .file = -1};
    *entries = NULL;
    *count = 0;
    *torn = 0;
    enum cor_status status = cor__file_open(path, &scan.file, &scan.size, error);
    if (status != COR_OK)
        return status;
    scan.block = malloc(BLOCK);
    if (!scan.block) {
        status = cor_fail_memory(error);
        goto out;
    }
    cor__crc32c_init(&scan.crc);
    status = scan_file(&scan, entries, count, torn, error);
out:
    if (status != COR_OK) {
        free(*entries);
        *entries = NULL;
        *count = 0;
    }
    free(scan.block);
    close(scan.file);
    return status;
}

/* ------------------------------------------------------------------------------------- reading */

/* Checks what was read against the entry and the checksums. */
static enum cor_status check_frame(const char *path, const struct cor_journal_entry *entry,
                                   struct cor__frame *frame, struct cor_error *error) {
    const unsigned char *payload = frame->bytes + COR__FRAME_HEADER_SIZE;
    uint64_t payload_size = entry->size - COR__FRAME_HEADER_SIZE;
    if (!cor__frame_header(frame->bytes, &frame->crc, &frame->header) || frame->header.arm != entry->arm ||
        frame->header.suite != entry->suite || frame->header.payload_size != payload_size ||
        frame->header.payload_crc != cor__crc32c(&frame->crc, 0, payload, (size_t)payload_size))
        return cor_fail(error, COR_STATUS_FILE, path, "run the same command again",
                        "suite %u of arm %u is damaged, though it was whole before", entry->suite,
                        entry->arm);
    enum cor_status status = check_build(path, &frame->header, error);
    if (status == COR_OK && !cor__frame_counts(payload, payload_size, &frame->counts))
        status = cor_fail(error, COR_STATUS_FILE, path, NULL, "the sizes in suite %u of arm %u do not add up",
                          entry->suite, entry->arm);
    return status;
}

enum cor_status cor__journal_frame(const char *path, const struct cor_journal_entry *entry,
                                   struct cor__frame *frame, struct cor_error *error) {
    int file = -1;
    uint64_t file_size;
    enum cor_status status = cor__file_open(path, &file, &file_size, error);
    if (status != COR_OK)
        return status;
    if (entry->size < COR__FRAME_HEADER_SIZE || entry->size > file_size) {
        status = cor_fail(error, COR_STATUS_FILE, path, NULL, "the journal is shorter than it was");
        goto out;
    }
    frame->size = (size_t)entry->size;
    status = COR_RESERVE(&frame->bytes, &frame->capacity, frame->size, error);
    if (status == COR_OK)
        status = cor__file_read(file, path, entry->offset, frame->bytes, frame->size, error);
    if (status == COR_OK)
        status = check_frame(path, entry, frame, error);
out:
    close(file);
    return status;
}

enum cor_status cor__journal_counts(const char *path, const struct cor_journal_entry *entry,
                                    struct cor__counts *counts, struct cor_error *error) {
    unsigned char bytes[COR__FRAME_COUNTS_SIZE];
    int file = -1;
    uint64_t file_size, payload_size = entry->size - COR__FRAME_HEADER_SIZE;
    enum cor_status status = cor__file_open(path, &file, &file_size, error);
    if (status != COR_OK)
        return status;
    status = cor__file_read(file, path, entry->offset + COR__FRAME_HEADER_SIZE, bytes, sizeof bytes, error);
    if (status == COR_OK && !cor__frame_counts(bytes, payload_size, counts))
        status = cor_fail(error, COR_STATUS_FILE, path, NULL, "the sizes in suite %u of arm %u do not add up",
                          entry->suite, entry->arm);
    close(file);
    return status;
}

enum cor_status cor_journal_read(const char *path, const struct cor_journal_entry *entry,
                                 struct cor_record *record, struct cor_error *error) {
    struct cor__frame frame = {0};
    cor__crc32c_init(&frame.crc);
    enum cor_status status = cor__journal_frame(path, entry, &frame, error);
    if (status == COR_OK)
        status = cor__frame_unpack(&frame.header, &frame.counts, frame.bytes + COR__FRAME_HEADER_SIZE, record,
                                   error);
    free(frame.bytes);
    return status;
}
