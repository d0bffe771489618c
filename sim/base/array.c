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

void cor_free_all(void *const *memory, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(memory[i]);
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
    COR_FREE(lists->members, lists->start, lists->parent);
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

/* ---- from one structure to the next */

bool cor_lists_same_blocks(const struct cor_lists *a, const struct cor_lists *b) {
    return a->block_count == b->block_count && a->member_count == b->member_count &&
           (a->block_count == 0 || memcmp(a->start, b->start, (a->block_count + (size_t)1) * 4) == 0) &&
           (a->member_count == 0 || memcmp(a->members, b->members, a->member_count * (size_t)4) == 0);
}

/* The blocks of each agent, ascending, each once: that of agent a is items[start[a] .. start[a + 1]). */
static void make_blocks_of(const struct cor_lists *lists, uint32_t agent_count, uint32_t *start,
                           uint32_t *items, uint32_t *last) {
    for (int pass = 0; pass < 2; pass++) {
        memset(last, 0, agent_count * sizeof *last);
        for (uint32_t b = 0; b < lists->block_count; b++)
            for (uint32_t i = lists->start[b]; i < lists->start[b + 1]; i++) {
                const uint32_t agent = lists->members[i];
                if (agent >= agent_count || last[agent] == b + 1)
                    continue;
                last[agent] = b + 1;
                if (pass == 0)
                    start[agent + 2]++;
                else
                    items[start[agent + 1]++] = b;
            }
        for (uint32_t a = 0; a < agent_count && pass == 0; a++)
            start[a + 2] += start[a + 1];
    }
}

enum cor_status cor_lists_succeed(const struct cor_lists *before, const struct cor_lists *now,
                                  uint32_t agent_count, uint32_t *owner, struct cor_error *error) {
    const size_t agents = agent_count, olds = before->block_count;
    uint32_t *memory = cor_calloc(2 * agents + 2 + before->member_count + 2 * olds, sizeof *memory);
    COR_TRY(cor_made(memory, error));
    uint32_t *start = memory, *items = start + agents + 2, *last = items + before->member_count,
             *shared = last + agents, *is_taken = shared + olds;
    make_blocks_of(before, agent_count, start, items, last);
    for (uint32_t b = 0; b < now->block_count; b++) {
        uint32_t most = 0;
        owner[b] = UINT32_MAX;
        /* Counted, and then looked at: in whichever order, the first of those with most members is found. */
        for (int pass = 0; pass < 3; pass++)
            for (uint32_t i = now->start[b]; i < now->start[b + 1]; i++) {
                const uint32_t agent = now->members[i];
                for (uint32_t k = agent < agent_count ? start[agent] : 0;
                     agent < agent_count && k < start[agent + 1]; k++) {
                    const uint32_t old = items[k];
                    const bool is_better =
                        shared[old] > most || (shared[old] == most && most > 0 && old < owner[b]);
                    if (pass == 0)
                        shared[old]++;
                    else if (pass == 2)
                        shared[old] = 0;
                    else if (is_better && !is_taken[old]) {
                        most = shared[old];
                        owner[b] = old;
                    }
                }
            }
        if (owner[b] != UINT32_MAX)
            is_taken[owner[b]] = 1;
    }
    free(memory);
    return COR_OK;
}

void cor_streaks_init(struct cor_streaks *streaks, uint32_t rows) {
    *streaks = (struct cor_streaks){.row_count = rows};
}

void cor_streaks_fini(struct cor_streaks *streaks) {
    cor_lists_fini(&streaks->blocks);
    free(streaks->counts);
    cor_streaks_init(streaks, streaks->row_count);
}

void cor_streaks_clear(struct cor_streaks *streaks) {
    cor_lists_clear(&streaks->blocks);
}

enum cor_status cor_streaks_follow(struct cor_streaks *streaks, const struct cor_lists *now,
                                   uint32_t agent_count, struct cor_error *error) {
    const size_t olds = streaks->blocks.block_count, blocks = now->block_count, rows = streaks->row_count;
    if (cor_lists_same_blocks(&streaks->blocks, now))
        return COR_OK;
    uint32_t *owner = cor_calloc(blocks, sizeof *owner), *counts = cor_calloc(rows * blocks, sizeof *counts);
    enum cor_status status = owner && counts ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK)
        status = cor_lists_succeed(&streaks->blocks, now, agent_count, owner, error);
    for (size_t r = 0; status == COR_OK && r < rows; r++)
        for (size_t b = 0; b < blocks; b++)
            counts[r * blocks + b] = owner[b] == UINT32_MAX ? 0 : streaks->counts[r * olds + owner[b]];
    if (status == COR_OK)
        status = COR_RESERVE(&streaks->counts, &streaks->capacity, rows * blocks, error);
    if (status == COR_OK)
        status = cor_lists_copy(&streaks->blocks, now, error);
    if (status == COR_OK)
        memcpy(streaks->counts, counts, rows * blocks * sizeof *counts);
    COR_FREE(owner, counts);
    return status;
}

enum cor_status cor_streaks_copy(struct cor_streaks *copy, const struct cor_streaks *streaks,
                                 struct cor_error *error) {
    const size_t count = (size_t)streaks->row_count * streaks->blocks.block_count;
    COR_TRY(COR_RESERVE(&copy->counts, &copy->capacity, count, error));
    if (count > 0)
        memcpy(copy->counts, streaks->counts, count * sizeof *streaks->counts);
    return cor_lists_copy(&copy->blocks, &streaks->blocks, error);
}
