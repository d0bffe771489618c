/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "crc32c.h"

#include <string.h>

#define POLYNOMIAL UINT32_C(0x82F63B78) /* 0x1EDC6F41, bits reversed */

void cor__crc32c_init(struct cor__crc32c *tables) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ ((crc & 1) ? POLYNOMIAL : 0);
        tables->table[0][byte] = crc;
    }
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
