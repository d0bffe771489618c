/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>

#include <corridor/lists.h>

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *cor_calloc(size_t count, size_t size) {
    return calloc(count > 0 ? count : 1, size);
}

enum cor_status cor_array_reserve(void **items, size_t *capacity, size_t needed, size_t item_size,
                                  struct cor_error *error) {
    if (needed <= *capacity)
        return COR_OK;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < needed)
        wanted = needed;
    if (wanted < 8)
        wanted = 8;
    if (wanted > SIZE_MAX / item_size)
        return cor_fail_memory(error);
    void *grown = realloc(*items, wanted * item_size);
    COR_TRY(cor_made(grown, error));
    *items = grown;
    *capacity = wanted;
    return COR_OK;
}

char *cor_strdup(const char *text) {
    return text ? strdup(text) : NULL;
}

char *cor_format(const char *format, ...) {
    char small[256]; /* most texts fit, and are formatted once */
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text && (size_t)length < sizeof small)
        memcpy(text, small, (size_t)length + 1);
    else if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *cor_join_take(char *text, const char *between, char *more) {
    const size_t had = text ? strlen(text) : 0, added = more ? strlen(more) : 0,
                 apart = had > 0 ? strlen(between) : 0;
    char *joined = text && more ? realloc(text, had + apart + added + 1) : NULL;
    if (joined) {
        memcpy(joined + had, between, apart);
        memcpy(joined + had + apart, more, added + 1);
    } else {
        free(text);
    }
    free(more);
    return joined;
}

char *cor_shell_quoted(const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-";
    if (*word != '\0' && strspn(word, plain) == strlen(word))
        return cor_strdup(word);
    char *text = cor_calloc(4 * strlen(word) + 3, 1), *at = text;
    if (!text)
        return NULL;
    *at++ = '\'';
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            memcpy(at, "'\\''", 4);
            at += 4;
        } else {
            *at++ = *word;
        }
    }
    *at = '\'';
    return text;
}

void cor_lists_init(struct cor_lists *lists) {
    *lists = (struct cor_lists){0};
}

void cor_lists_fini(struct cor_lists *lists) {
    free(lists->members);
    free(lists->start);
    free(lists->parent);
    cor_lists_init(lists);
}

void cor_lists_clear(struct cor_lists *lists) {
    lists->member_count = 0;
    lists->block_count = 0;
    lists->nests = false;
}

enum cor_status cor_lists_hang(struct cor_lists *lists, uint32_t block, uint32_t parent,
                               struct cor_error *error) {
    COR_ASSERT(block < lists->block_count);
    COR_TRY(COR_RESERVE(&lists->parent, &lists->parent_capacity, lists->block_count, error));
    if (!lists->nests)
        memset(lists->parent, 0xff, lists->block_count * sizeof *lists->parent); /* COR_NOBODY */
    lists->nests = true;
    lists->parent[block] = parent;
    return COR_OK;
}

enum cor_status cor_lists_put(struct cor_lists *lists, const uint32_t *members, size_t count,
                              struct cor_error *error) {
    if (count > UINT32_MAX - 1 - lists->member_count)
        return cor_fail_memory(error);
    COR_TRY(COR_RESERVE(&lists->members, &lists->member_capacity, lists->member_count + count, error));
    COR_TRY(COR_RESERVE(&lists->start, &lists->start_capacity, (size_t)lists->block_count + 2, error));
    if (lists->nests) {
        COR_TRY(COR_RESERVE(&lists->parent, &lists->parent_capacity, (size_t)lists->block_count + 1, error));
        lists->parent[lists->block_count] = UINT32_MAX; /* COR_NOBODY */
    }
    if (count > 0)
        memcpy(lists->members + lists->member_count, members, count * sizeof *members);
    lists->start[lists->block_count] = lists->member_count;
    lists->member_count += (uint32_t)count;
    lists->start[++lists->block_count] = lists->member_count;
    return COR_OK;
}

enum cor_status cor_lists_copy(struct cor_lists *copy, const struct cor_lists *lists,
                               struct cor_error *error) {
    COR_ASSERT(copy != lists);
    cor_lists_clear(copy);
    if (lists->block_count == 0)
        return COR_OK;
    const size_t members = lists->member_count, starts = (size_t)lists->block_count + 1;
    COR_TRY(COR_RESERVE(&copy->members, &copy->member_capacity, members, error));
    COR_TRY(COR_RESERVE(&copy->start, &copy->start_capacity, starts, error));
    if (members > 0)
        memcpy(copy->members, lists->members, members * sizeof *lists->members);
    memcpy(copy->start, lists->start, starts * sizeof *lists->start);
    if (lists->nests) {
        COR_TRY(COR_RESERVE(&copy->parent, &copy->parent_capacity, lists->block_count, error));
        memcpy(copy->parent, lists->parent, lists->block_count * sizeof *lists->parent);
        copy->nests = true;
    }
    copy->member_count = lists->member_count;
    copy->block_count = lists->block_count;
    return COR_OK;
}
