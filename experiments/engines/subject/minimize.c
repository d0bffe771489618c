/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets by delta debugging (Zeller, Hildebrandt 2002) without its complements: chunks are taken away from the
 * first on, each once a size. For single parts it goes round until a whole round took nothing. */
#include <corridor/minimize.h>

#include <corridor/array.h>
#include <corridor/value.h>

#include <stdlib.h>
#include <string.h>

struct strategist {
    const struct cor_minimizing *of;
    bool *attempt; /* owned; [count] */
    bool *moved;
};

bool cor_tries_go_on(struct cor_tries *tries, uint64_t more) {
    if (!tries->is_stopped && !cor_tries_afford(tries, more))
        tries->is_stopped = tries->is_used_up = true;
    return !tries->is_stopped;
}

static bool is_stopped(const struct cor_minimizing *of) {
    return of->tries && of->tries->is_stopped;
}

static bool is_of(const struct cor_minimizing *of, uint32_t part, uint32_t owner) {
    return owner == COR_NONE || of->owner[part] == owner;
}

static uint32_t left(const struct cor_minimizing *of) {
    uint32_t there = 0;
    for (uint32_t i = 0; i < of->count; i++)
        there += !of->gone[i];
    return there;
}

static void begin_attempt(struct strategist *s) {
    memcpy(s->attempt, s->of->gone, s->of->count * sizeof *s->attempt);
}

/* Marks `size` parts of the owner that are there, from `begin` on; where that ends. */
static uint32_t mark(struct strategist *s, uint32_t begin, uint32_t owner, uint32_t size, uint32_t *marked) {
    uint32_t at = begin;
    begin_attempt(s);
    for (*marked = 0; at < s->of->count && *marked < size; at++)
        if (!s->of->gone[at] && is_of(s->of, at, owner)) {
            s->attempt[at] = true;
            ++*marked;
        }
    return at;
}

/* The attempt is what is gone from now on, if it does without it. */
static enum cor_status try_attempt(struct strategist *s, bool *stays, struct cor_error *error) {
    *stays = false;
    COR_TRY(s->of->try(s->of->self, s->attempt, stays, error));
    if (*stays)
        memcpy(s->of->gone, s->attempt, s->of->count * sizeof *s->attempt);
    *s->moved = *s->moved || *stays;
    return COR_OK;
}

/* All chunks of one size once. */
static enum cor_status sweep(struct strategist *s, uint32_t size, bool *some, struct cor_error *error) {
    *some = false;
    for (uint32_t at = 0, marked; at < s->of->count;) {
        bool stays;
        at = mark(s, at, COR_NONE, size, &marked);
        if (marked == 0)
            break;
        COR_TRY(try_attempt(s, &stays, error));
        *some = *some || stays;
    }
    return COR_OK;
}

static enum cor_status take_set(struct strategist *s, struct cor_error *error) {
    bool some;
    for (uint32_t size = left(s->of); size > 1; size = (size + 1) / 2) {
        COR_TRY(sweep(s, size, &some, error));
        const uint32_t there = left(s->of);
        size = size < there ? size : there;
    }
    do
        COR_TRY(sweep(s, 1, &some, error));
    while (some);
    return COR_OK;
}

static enum cor_status take_windows(struct strategist *s, uint32_t owner, struct cor_error *error) {
    bool stays;
    for (uint32_t size = s->of->window_most; size > 1; size = size > 8 ? size / 2 : size - 1)
        for (uint32_t i = 0, marked; i < s->of->count && !is_stopped(s->of); i++) {
            if (s->of->gone[i] || !is_of(s->of, i, owner))
                continue;
            (void)mark(s, i, owner, size, &marked);
            if (marked < size)
                break; /* that is tried with a smaller size */
            COR_TRY(try_attempt(s, &stays, error));
        }
    return COR_OK;
}

static enum cor_status take_all_windows(struct strategist *s, struct cor_error *error) {
    COR_TRY(take_windows(s, COR_NONE, error));
    for (uint32_t owner = 0; owner < s->of->owner_count && !*s->moved; owner++)
        COR_TRY(take_windows(s, owner, error));
    return COR_OK;
}

static enum cor_status take_pairs(struct strategist *s, struct cor_error *error) {
    const bool *gone = s->of->gone;
    const uint32_t count = left(s->of) <= s->of->pairs_most ? s->of->count : 0;
    bool stays;
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count && !gone[a] && !is_stopped(s->of); b++) {
            if (gone[b])
                continue;
            begin_attempt(s);
            s->attempt[a] = s->attempt[b] = true;
            COR_TRY(try_attempt(s, &stays, error));
        }
    return COR_OK;
}

static enum cor_status take_sets(struct strategist *s, struct cor_error *error) {
    const struct cor_minimizing *of = s->of;
    const uint32_t count = left(of) <= of->sets_most ? left(of) : 0;
    uint32_t parts[32];
    bool stays = false;
    COR_ASSERT(of->sets_most < 32);
    for (uint32_t p = 0, at = 0; p < of->count && at < count; p++)
        if (!of->gone[p])
            parts[at++] = p;
    for (int kept = 0; kept + 3 <= (int)count; kept++)
        for (uint32_t set = 0; set >> count == 0; set++) {
            if (__builtin_popcount(set) != kept)
                continue;
            if (is_stopped(of))
                return COR_OK;
            begin_attempt(s);
            for (uint32_t at = 0; at < count; at++)
                s->attempt[parts[at]] = !(set >> at & 1);
            COR_TRY(try_attempt(s, &stays, error));
            if (stays)
                return COR_OK;
        }
    return COR_OK;
}

static enum cor_status take_loops(struct strategist *s, struct cor_error *error) {
    const struct cor_minimizing *of = s->of;
    for (uint32_t from = 0; from < of->count; from++) {
        bool stays = false;
        for (uint32_t to = of->count; !of->gone[from] && !stays && to-- > from + 1;) {
            if (of->gone[to] || !is_of(of, to, of->owner[from]) || !of->is_loop(of->self, from, to))
                continue;
            begin_attempt(s);
            for (uint32_t p = from + 1; p <= to; p++)
                s->attempt[p] = s->attempt[p] || is_of(of, p, of->owner[from]);
            COR_TRY(try_attempt(s, &stays, error));
        }
    }
    return COR_OK;
}

enum cor_status cor_minimize(const struct cor_minimizing *minimizing, enum cor_strategy strategy, bool *moved,
                             struct cor_error *error) {
    static enum cor_status (*const take[])(struct strategist *, struct cor_error *) = {
        take_set, take_all_windows, take_pairs, take_sets, take_loops};
    struct strategist s = {minimizing, cor_calloc(minimizing->count, sizeof *s.attempt), moved};
    *moved = false;
    COR_TRY(cor_made(s.attempt, error));
    const enum cor_status status = take[strategy](&s, error);
    free(s.attempt);
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
