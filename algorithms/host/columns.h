/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: what columns of values are, as one block of bytes that can stand anywhere, with all texts
 * in it; and what an algorithm needs. */
#ifndef CORRIDOR_ALGORITHMS_HOST_COLUMNS_H
#define CORRIDOR_ALGORITHMS_HOST_COLUMNS_H

#include <corridor/plugin.h>

#include <stdbool.h>

/* What the value is, where nobody says that there is more. */
extern const struct cor_value_column host__value_column;

/* Bytes of the block; 0: the rules say nothing of columns. */
size_t host__columns_bytes(const struct cor_rules *rules);

/* Writes it into `room`, with pointers for a block that stands at address `base`. */
void host__columns_write(const struct cor_rules *rules, void *room, uintptr_t base);

/* A block of `count` columns written for address 0 is made one of where it stands. */
const struct cor_value_column *host__columns_settle(void *block, uint32_t count);

#endif
