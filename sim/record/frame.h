/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A frame: one suite as bytes in a journal. Little-endian, columns rather than rows (a row struct has
 * padding):
 *
 *   header, 40 bytes   magic "CORSUITE", u16 version, u16 arm, u32 suite, u64 bytes of the payload,
 *                      u64 fingerprint of the schema, u32 CRC32C of the payload, u32 CRC32C of the header
 * before it payload            u64 rows of each table, u64 items of each vector, then the tables column after
 * column, then the vectors */
#ifndef CORRIDOR_RECORD_FRAME_H
#define CORRIDOR_RECORD_FRAME_H

#include "crc32c.h"

#include <corridor/record.h>

#define COR__FRAME_MAGIC "CORSUITE"
enum {
    COR__FRAME_VERSION = 1,
    COR__FRAME_MAGIC_SIZE = 8,
    COR__FRAME_HEADER_SIZE = 40,
    COR__FRAME_COUNTS_SIZE = 8 * (COR_TABLE_COUNT + COR_VECTOR_COUNT)
};

struct cor__frame_header {
    uint64_t payload_size, schema;
    uint32_t suite, payload_crc;
    uint16_t version, arm;
};

/* Rows of the tables and items of the vectors. */
struct cor__counts {
    uint64_t rows[COR_TABLE_COUNT], items[COR_VECTOR_COUNT];
};

/* Bytes of the head of the record's frame: all before the vectors. These follow as they are in the record, so
 * that the long lists of many failures are never in memory twice. */
size_t cor__frame_head_size(const struct cor_record *record);

/* Bytes of a vector of the record. */
size_t cor__frame_vector_size(const struct cor_record *record, enum cor_vector vector);

/* Writes the head, cor__frame_head_size bytes; its checksum of the payload is over the vectors too. Any NaN
 * is written as the same NaN: which one an operation gives is the compiler's choice. */
void cor__frame_pack_head(const struct cor_record *record, const struct cor__crc32c *crc,
                          unsigned char *frame);

/* Reads COR__FRAME_HEADER_SIZE bytes; 0 if they are not an undamaged header (of whatever version). */
int cor__frame_header(const unsigned char *bytes, const struct cor__crc32c *crc,
                      struct cor__frame_header *header);

/* Reads the counts, the first COR__FRAME_COUNTS_SIZE bytes of a payload of `payload_size` bytes; 0 unless
 * they make up exactly that size. */
int cor__frame_counts(const unsigned char *payload, uint64_t payload_size, struct cor__counts *counts);

/* From a column without gaps to the field of `count` row structs. */
void cor__scatter(enum cor_type type, const unsigned char *column, size_t count, unsigned char *field,
                  size_t row_size);

/* Unpacks a payload, whose counts have been read, into a record, which is cleared first. */
enum cor_status cor__frame_unpack(const struct cor__frame_header *header, const struct cor__counts *counts,
                                  const unsigned char *payload, struct cor_record *record,
                                  struct cor_error *error) COR_MUST_USE;

#endif
