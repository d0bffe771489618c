/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory helpers: growing arrays and checked allocation. */
#ifndef CORRIDOR_ARRAY_H
#define CORRIDOR_ARRAY_H

#include <corridor/error.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Zeroed memory for `count` items, or NULL; count * size may not overflow. Freed with free(). count 0 gives a
 * pointer that may be freed. */
void *cor_calloc(size_t count, size_t size);

#define COR_FREE(...) cor_free_all((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
/* free() of each of these, which may be NULL: COR_FREE(pool->items, pool). All are read before the first
 * goes. */
void cor_free_all(void *const *memory, size_t count);

/* Makes room for `needed` items in *items (capacity *capacity, both 0/NULL at first), growing by half. New
 * items are not zeroed. On COR_STATUS_MEMORY the array is as it was. */
enum cor_status cor_array_reserve(void **items, size_t *capacity, size_t needed, size_t item_size,
                                  struct cor_error *error) COR_MUST_USE;

/* Mostly there is room. */
COR_MUST_USE static inline enum cor_status cor_array_room(void **items, size_t *capacity, size_t needed,
                                                          size_t item_size, struct cor_error *error) {
    return needed <= *capacity ? COR_OK : cor_array_reserve(items, capacity, needed, item_size, error);
}

/* COR_RESERVE(&array, &capacity, needed, error) for a typed pointer. */
#define COR_RESERVE(items, capacity, needed, error) \
    cor_array_room((void **)(items), (capacity), (needed), sizeof **(items), (error))

/* memcpy of mostly few bytes: a copy of a size that is not known beforehand is a call. Up to 16 bytes are two
 * words that overlap. */
static inline void cor_copy_few(void *to, const void *from, size_t size) {
    unsigned char *into = (unsigned char *)to;
    const unsigned char *at = (const unsigned char *)from;
    if (size >= 8 && size <= 16) {
        uint64_t first, last;
        memcpy(&first, at, 8);
        memcpy(&last, at + size - 8, 8);
        memcpy(into, &first, 8);
        memcpy(into + size - 8, &last, 8);
    } else if (size >= 4 && size < 8) {
        uint32_t first, last;
        memcpy(&first, at, 4);
        memcpy(&last, at + size - 4, 4);
        memcpy(into, &first, 4);
        memcpy(into + size - 4, &last, 4);
    } else if (size < 4) {
        for (size_t i = 0; i < size; i++)
            into[i] = at[i];
    } else {
        memcpy(into, at, size);
    }
}

/* A copy of `text` on the heap, NULL when memory is out or text is NULL. */
char *cor_strdup(const char *text);

/* printf into memory of its own; NULL when memory is out. Freed with free(). */
char *cor_format(const char *format, ...) COR_PRINTF(1, 2);

/* `text`, then `more`, with `between` between them unless `text` is empty. Frees both; NULL when memory is
 * out or one of them is NULL, so that it need only be looked at in the end. */
char *cor_join_take(char *text, const char *between, char *more);

/* `word` as sh reads it as that one word, in quotes where it needs them; NULL when memory is out. Freed with
 * free(). What is printed for readers to paste goes through it. */
char *cor_shell_quoted(const char *word);

#endif
