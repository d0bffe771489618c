/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Delta debugging (Zeller, Hildebrandt 2002) without its complements: chunks are taken away from the first
 * on, each once a size. For single parts it goes round until a whole round took nothing. */
#include <corridor/minimize.h>

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

struct set {
    uint32_t count;
    cor_try_without *try;
    void *self;
    bool *gone, *attempt; /* [count] */
};

/* The end of the chunk of `size` parts, not counting those that are gone, from `begin` on; marks it. */
static uint32_t mark_chunk(struct set *s, uint32_t begin, uint32_t size, uint32_t *marked) {
    uint32_t at = begin;
    memcpy(s->attempt, s->gone, s->count * sizeof *s->attempt);
    for (*marked = 0; at < s->count && *marked < size; at++)
        if (!s->gone[at]) {
            s->attempt[at] = true;
            ++*marked;
        }
    return at;
}

/* All chunks of one size once. */
static enum cor_status sweep(struct set *s, uint32_t size, bool *moved, struct cor_error *error) {
    *moved = false;
    for (uint32_t at = 0; at < s->count;) {
        uint32_t marked;
        bool stays = false;
        at = mark_chunk(s, at, size, &marked);
        if (marked == 0)
            break;
        COR_TRY(s->try(s->self, s->attempt, &stays, error));
        if (!stays)
            continue;
        memcpy(s->gone, s->attempt, s->count * sizeof *s->gone);
        *moved = true;
    }
    return COR_OK;
}

static uint32_t left(const struct set *s) {
    uint32_t there = 0;
    for (uint32_t i = 0; i < s->count; i++)
        there += !s->gone[i];
    return there;
}

enum cor_status cor_minimize_set(uint32_t count, cor_try_without *try, void *self, bool *gone, bool *moved,
                                 struct cor_error *error) {
    struct set set = {.count = count,
                      .try = try,
                      .self = self,
                      .gone = gone,
                      .attempt = cor_calloc(count, sizeof *set.attempt)};
    bool some = true;
    enum cor_status status = COR_OK;
    *moved = false;
    COR_TRY(cor_made(set.attempt, error));
    for (uint32_t size = left(&set); size > 1; size = (size + 1) / 2) {
        COR_TRY_OUT(sweep(&set, size, &some, error));
        *moved = *moved || some;
        const uint32_t there = left(&set);
        size = size < there ? size : there;
    }
    do {
        COR_TRY_OUT(sweep(&set, 1, &some, error));
        *moved = *moved || some;
    } while (some);
out:
    free(set.attempt);
    return status;
}

enum cor_status cor_minimize_number(int64_t low, int64_t *value, cor_try_value *try, void *self,
                                    struct cor_error *error) {
    bool stays = false;
    if (*value <= low)
        return COR_OK;
    COR_TRY(try(self, low, &stays, error));
    if (stays) {
        *value = low;
        return COR_OK;
    }
    while (*value - low > 1) { /* stays with *value, does not with low */
        const int64_t middle = low + (*value - low) / 2;
        COR_TRY(try(self, middle, &stays, error));
        *(stays ? value : &low) = middle;
    }
    return COR_OK;
}
