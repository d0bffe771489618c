/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "crc32c.h"

#include <string.h>

#define POLYNOMIAL UINT32_C(0x82F63B78) /* 0x1EDC6F41, bits reversed */

/* Processors with SSE 4.2 have this very checksum as an instruction, several times as fast as the tables. */
#if defined __x86_64__ && defined __GNUC__
static bool has_instruction(void) {
    return __builtin_cpu_supports("sse4.2") != 0;
}

__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t crc, const unsigned char *at,
                                                                 size_t size) {
    uint64_t wide = crc;
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    crc = (uint32_t)wide;
    for (; size > 0; at++, size--)
        crc = __builtin_ia32_crc32qi(crc, *at);
    return crc;
}
#else
static bool has_instruction(void) {
    return false;
}

static uint32_t by_instruction(uint32_t crc, const unsigned char *at, size_t size) {
    (void)at;
    (void)size;
    return crc;
}
#endif

void cor__crc32c_init(struct cor__crc32c *tables) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ ((crc & 1) ? POLYNOMIAL : 0);
        tables->table[0][byte] = crc;
    }
    tables->has_instruction = has_instruction();
    for (int k = 1; k < 8; k++)
        for (uint32_t byte = 0; byte < 256; byte++) {
            uint32_t before = tables->table[k - 1][byte];
            tables->table[k][byte] = (before >> 8) ^ tables->table[0][before & 0xFF];
        }
}

uint32_t cor__crc32c(const struct cor__crc32c *tables, uint32_t crc, const void *bytes, size_t size) {
    const uint32_t(*table)[256] = tables->table;
    const unsigned char *at = bytes;
    crc = ~crc;
    if (tables->has_instruction)
        return ~by_instruction(crc, at, size);
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        word ^= crc;
        crc = table[7][word & 0xFF] ^ table[6][(word >> 8) & 0xFF] ^ table[5][(word >> 16) & 0xFF] ^
              table[4][(word >> 24) & 0xFF] ^ table[3][(word >> 32) & 0xFF] ^ table[2][(word >> 40) & 0xFF] ^
              table[1][(word >> 48) & 0xFF] ^ table[0][word >> 56];
    }
    for (; size > 0; at++, size--)
        crc = (crc >> 8) ^ table[0][(crc ^ *at) & 0xFF];
    return ~crc;
}
