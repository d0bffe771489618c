/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Letters of texts that come from outside. */
#ifndef CORRIDOR_LETTERS_H
#define CORRIDOR_LETTERS_H

#include <stdbool.h>
#include <stdint.h>

/* Is the code point a control character, which a terminal or a reader obeys instead of showing it: C0, DEL,
 * C1, ends of lines and paragraphs (U+2028, U+2029), and what turns the direction in which text is read
 * (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069)? */
bool cor_is_control(uint32_t code);

#endif
