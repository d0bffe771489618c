/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts in UTF-8 compared without heed of their letters' size, in any locale: simple case folding of Unicode
 * for Latin (with Latin-1 and Extended-A), Greek and Cyrillic. All other letters are themselves. */
#include "internal.h"

uint32_t combine__combine_letter(const char **text) {
    const unsigned char *at = (const unsigned char *)*text;
    uint32_t letter = *at;
    uint32_t more = letter >= 0xf0 ? 3 : letter >= 0xe0 ? 2 : letter >= 0xc0 ? 1 : 0;
    for (uint32_t i = 1; i <= more; i++)
        if ((at[i] & 0xc0) != 0x80)
            more = 0; /* no UTF-8: byte by byte */
    letter = more > 0 ? letter & (0x3fu >> more) : letter;
    for (uint32_t i = 1; i <= more; i++)
        letter = letter << 6 | (at[i] & 0x3f);
    *text += more + (*at != '\0');
    if (letter < 0x80)
        return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
    if ((letter >= 0xc0 && letter <= 0xde && letter != 0xd7) || (letter >= 0x391 && letter <= 0x3ab) ||
        (letter >= 0x410 && letter <= 0x42f))
        return letter + 32;
    if (letter >= 0x400 && letter <= 0x40f)
        return letter + 80;
    if (letter == 0x178)
        return 0xff;
    if (letter == 0x3c2) /* the sigma at the end of a word */
        return 0x3c3;
    if (letter == 0x386)
        return 0x3ac;
    if (letter >= 0x388 && letter <= 0x38a)
        return letter + 37;
    if (letter == 0x38c)
        return 0x3cc;
    if (letter == 0x38e || letter == 0x38f)
        return letter + 63;
    /* Pairs, the capital letter first: even or odd. */
    if ((letter >= 0x100 && letter <= 0x137 && letter != 0x130 && letter != 0x131) ||
        (letter >= 0x14a && letter <= 0x177) || (letter >= 0x460 && letter <= 0x481) ||
        (letter >= 0x48a && letter <= 0x4bf) || (letter >= 0x4d0 && letter <= 0x52f))
        return letter | 1;
    if ((letter >= 0x139 && letter <= 0x148) || (letter >= 0x179 && letter <= 0x17e) ||
        (letter >= 0x4c1 && letter <= 0x4ce))
        return letter + (letter & 1);
    return letter;
}

int combine__combine_compare(const char *a, const char *b) {
    for (;;) {
        uint32_t left = combine__combine_letter(&a), right = combine__combine_letter(&b);
        if (left != right)
            return left < right ? -1 : 1;
        if (left == 0)
            return 0;
    }
}
