/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CRC32C (Castagnoli), the checksum of RFC 3720, appendix B.4: by the processor's own
 * instruction or eight bytes at a time from eight tables. The tables are an object, as the library has no
 * globals that change. */
#ifndef CORRIDOR_RECORD_CRC32C_H
#define CORRIDOR_RECORD_CRC32C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cor__crc32c {
    uint32_t table[8][256]; /* table[k][b]: byte b followed by k zero bytes */
    bool has_instruction;   /* the processor's own is taken instead */
};

/* Fills the tables: some microseconds, once per journal. */
void cor__crc32c_init(struct cor__crc32c *tables);

/* The checksum of the bytes so far, `crc` (0 at first), and `size` bytes more. */
uint32_t cor__crc32c(const struct cor__crc32c *tables, uint32_t crc, const void *bytes, size_t size);

#endif
