/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A name among those of records. */
#ifndef CORRIDOR_NAMES_H
#define CORRIDOR_NAMES_H

#include <corridor/error.h>

#include <stdint.h>

/* The names of `count` records. */
struct cor_names {
    const void *records;
    size_t stride, offset, count; /* of a record, and of the name in it */
};
#define COR_RECORD_NAMES(records, count, type, member) \
    ((struct cor_names){(records), sizeof(type), offsetof(type, member), (count)})

/* The index of the record of that name. COR_STATUS_INPUT: there is none: `what` "name", and the names that
 * there are. */
enum cor_status cor_names_find(struct cor_names names, const char *name, const char *place, const char *what,
                               uint32_t *index, struct cor_error *error) COR_MUST_USE;

#endif
