/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A name among those of records. */
#ifndef CORRIDOR_NAMES_H
#define CORRIDOR_NAMES_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The names of `count` records, or of fewer: the first that is NULL ends them. */
struct cor_names {
    const void *records;                                    /* borrowed */
    size_t stride, offset, count;                           /* of a record, and of the name in it */
    const char *(*name)(const void *records, size_t index); /* NULL: the records hold them */
};
#define COR_RECORD_NAMES(records, count, type, member) \
    ((struct cor_names){(records), sizeof(type), offsetof(type, member), (count), NULL})
#define COR_WORD_NAMES(words, count) /* of an array of texts; SIZE_MAX: it ends with NULL */ \
    ((struct cor_names){(words), sizeof(const char *), 0, (count), NULL})
#define COR_SAID_NAMES(function, records, count) /* asked for one by one */ \
    ((struct cor_names){(records), 0, 0, (count), (function)})

#define COR_NO_NAMES ((struct cor_names){0})

/* The name of record `index`; NULL: there are no more. */
const char *cor_names_at(struct cor_names names, size_t index);

/* cor_known_names of these. Without memory: nothing. */
void cor_names_known(struct cor_names names, const char *word, char *text, size_t size);

/* The index of the record of that name; *index is the number of names, if there is none. */
bool cor_names_has(struct cor_names names, const char *name, uint32_t *index);

/* The same; COR_STATUS_INPUT: there is none, which is said in these words, and the names that there are. */
enum cor_status cor_names_find(struct cor_names names, const char *name, const char *place, uint32_t *index,
                               struct cor_error *error, const char *cause_format, ...)
    COR_PRINTF(6, 7) COR_MUST_USE;

#endif
