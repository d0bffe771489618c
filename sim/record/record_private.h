/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a record is made of; frame.c packs it. */
#ifndef CORRIDOR_RECORD_RECORD_PRIVATE_H
#define CORRIDOR_RECORD_RECORD_PRIVATE_H

#include <corridor/record.h>

/* Rows of one table or items of one vector. */
struct cor__store {
    void *items;            /* owned */
    size_t capacity, count; /* items */
};

struct cor_record {
    uint16_t arm;
    uint32_t suite;
    struct cor__store tables[COR_TABLE_COUNT];
    struct cor__store vectors[COR_VECTOR_COUNT];
};

#endif
