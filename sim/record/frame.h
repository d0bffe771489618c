/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Below a result file, in the order of use: files and checksums, the schema as numbers and words, a record,
 * and a frame: one suite as bytes in a journal. Little-endian, columns rather than rows (a row struct has
 * padding):
 *
 *   header, 72 bytes: magic "CORSUITE", u16 version, u16 arm, u32 suite, u64 bytes of the payload,
 *     u64 fingerprint of the schema, u64 origin (cor_record_origin), u32 cases, reorganizations, failures,
 *     asked_again, differed, by_machine, u32 CRC32C of the payload, u32 CRC32C of the header before it
 *   payload: u64 rows of each table, u64 items of each vector, then the tables column after column, then
 *     the vectors */
#ifndef CORRIDOR_SIM_RECORD_FRAME_H
#define CORRIDOR_SIM_RECORD_FRAME_H

#include <corridor/record.h>

#include <stdbool.h>

/* Opens a regular file for reading and tells its size; *file is closed by the caller, -1 on failure. */
enum cor_status record__file_open(const char *path, int *file, uint64_t *size,
                                  struct cor_error *error) COR_MUST_USE;

/* Reads exactly `size` bytes at `offset`; a file that ends before is COR_STATUS_FILE. */
enum cor_status record__file_read(int file, const char *path, uint64_t offset, void *bytes, size_t size,
                                  struct cor_error *error) COR_MUST_USE;

/* CRC32C (Castagnoli), the checksum of RFC 3720, appendix B.4: of the bytes so far, `crc` (0 at first), and
 * `size` bytes more. */
uint32_t record__crc32c(uint32_t crc, const void *bytes, size_t size);

/* CRC32C of a range of a file, read by way of `block` of RECORD__FILE_BLOCK bytes. */
#define RECORD__FILE_BLOCK ((size_t)1 << 16)

/* The whole result file's CRC32C stands behind the end that HDF5 knows, where other readers never look:
 * damage is found before HDF5, which trusts sizes it reads, looks at the file. Appends it. */
enum cor_status record__checksum_append(const char *path, const char *place,
                                        struct cor_error *error) COR_MUST_USE;

/* Checks it. A file without one (another program has changed or repacked it) is not *sealed; one with bytes
 * behind its end that are none is damaged. */
enum cor_status record__checksum_check(const char *path, bool *sealed, struct cor_error *error) COR_MUST_USE;

/* "uint8" ... "float64", as numpy calls it. */
const char *record__type_word(enum cor_type type);

/* A fingerprint of the tables, columns, vectors and their types: a journal can only be read by a build whose
 * rows are the same. */
uint64_t record__schema_hash(const struct cor_layer_schema *layer);

/* The whole schema as a JSON text of its own memory (the dataset /schema); NULL when memory is out. */
char *record__schema_json(const struct cor_layer_schema *layer);

/* Rows of one table or items of one vector. */
struct record__store {
    void *items;            /* owned */
    size_t capacity, count; /* items */
    size_t narrow; /* bytes in which an item of four is held: 1, 2 or 4, as the largest so far needs; 0: as it
                      is */
};

struct cor_record {
    const struct cor_layer_schema *layer;
    uint64_t schema; /* record__schema_hash of it */
    uint16_t arm;
    uint32_t suite;
    uint64_t origin;
    struct cor_suite_counts counts;
    bool is_only_written;
    struct record__store tables[COR_TABLES_MAX], vectors[COR_VECTORS_MAX];
};

#define RECORD__FRAME_MAGIC "CORSUITE"
enum { RECORD__FRAME_VERSION = 4, RECORD__FRAME_MAGIC_SIZE = 8, RECORD__FRAME_HEADER_SIZE = 72 };

struct record__frame_header {
    uint64_t payload_size, schema, origin;
    uint32_t suite, payload_crc;
    uint16_t version, arm;
    struct cor_suite_counts counts;
};

/* Rows of the tables and items of the vectors. */
struct record__counts {
    uint64_t rows[COR_TABLES_MAX], items[COR_VECTORS_MAX];
};

/* Bytes of the counts at the beginning of a payload. */
static inline size_t record__frame_counts_size(const struct cor_layer_schema *layer) {
    return 8 * ((size_t)layer->table_count + layer->vector_count);
}

/* Items of a vector as they are in a frame, from item `first` on: *count of them, at least one. They are in
 * the record, or, where it holds them in fewer bytes, in `block`. */
enum { RECORD__FRAME_BLOCK = 2048 };

/* Reads RECORD__FRAME_HEADER_SIZE bytes; false if they are not an undamaged header (of whatever version). */
bool record__frame_header(const unsigned char *bytes, struct record__frame_header *header);

/* From a column without gaps to the field of `count` row structs. */
void record__scatter(enum cor_type type, const unsigned char *column, size_t count, unsigned char *field,
                     size_t row_size);

/* One frame in memory, as merging reads it; reused for the next. Begins as zeroes but for layer. */
struct record__frame {
    const struct cor_layer_schema *layer; /* set by the caller */
    uint64_t schema;      /* record__schema_hash of it; 0: whoever reads the first frame finds it */
    unsigned char *bytes; /* owned: header and payload */
    size_t capacity, size;
    struct record__frame_header header;
    struct record__counts counts;
};

/* Reads the frame of an entry and checks all of it. */
enum cor_status record__journal_frame(const char *path, const struct cor_journal_entry *entry,
                                      struct record__frame *frame, struct cor_error *error) COR_MUST_USE;

/* Reads only the counts of an entry, to know how large things will be: not checked against the checksum. */
enum cor_status record__journal_counts(const struct cor_layer_schema *layer, const char *path,
                                       const struct cor_journal_entry *entry, struct record__counts *counts,
                                       struct cor_error *error) COR_MUST_USE;

#endif
