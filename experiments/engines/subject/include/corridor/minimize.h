/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making a set of parts, or a number, as small as a predicate allows. What is behind it is the caller's. */
#ifndef CORRIDOR_MINIMIZE_H
#define CORRIDOR_MINIMIZE_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stdint.h>

/* Whether what matters stays without the parts that are marked in gone[]. If it does, the caller may mark
 * more that went along with them. */
typedef enum cor_status cor_try_without(void *self, bool *gone, bool *stays, struct cor_error *error);

/* How much was tried, of whatever is counted, and why there is no more; {0}: as much as it takes. */
struct cor_tries {
    uint64_t count, most; /* counted by the caller; at most, 0: as many as it takes */
    bool is_stopped;      /* there is no more to be tried, */
    bool is_used_up;      /* by `most`; else as somebody said: it is ended */
};

/* Are there so many left? */
static inline bool cor_tries_afford(const struct cor_tries *tries, uint64_t more) {
    return tries->most == 0 || tries->count + more <= tries->most;
}

/* Asked before each try, of `more`: stops for good where there are not so many left. */
bool cor_tries_go_on(struct cor_tries *tries, uint64_t more);

/* What is minimized, and how far; borrowed for the call. */
struct cor_minimizing {
    uint32_t count; /* parts */
    cor_try_without *try;
    void *self;
    bool *gone;                    /* [count] parts left out from the start, and in the end all left out */
    const struct cor_tries *tries; /* windows and pairs end where it is stopped; NULL: never */
    const uint32_t *owner;         /* [count] whose a part is; of windows from 0, below owner_count */
    uint32_t owner_count, window_most, pairs_most, sets_most;      /* sets_most: below 32 */
    bool (*is_loop)(const void *self, uint32_t from, uint32_t to); /* both of one owner */
};

enum cor_strategy {
    /* As much as it can: all at once, then chunks of half as many, down to single ones, from the first on;
     * single ones until none goes. In the end `stays` was false for each part alone, beyond those that are
     * gone. At most 2 * count + log2(count) + 2 tries for each part left out, and at the end. */
    COR_MINIMIZE_SET,
    /* window_most parts in a row, then fewer, down to two, from each part on: what halves cut in two. First
     * of all, then of one owner after the other until a window of one was left out. */
    COR_MINIMIZE_WINDOWS,
    /* All pairs of what is left, if that is not more than pairs_most. */
    COR_MINIMIZE_PAIRS,
    /* All sets of three and more of what is left, if that is not more than sets_most; those that leave the
     * fewest parts first, so that behind PAIRS nothing smaller is left to be found. */
    COR_MINIMIZE_SETS,
    /* Behind a part all of its owner up to one with which it is_loop, from the farthest on. */
    COR_MINIMIZE_LOOPS
};

/* *moved: a part was left out. */
enum cor_status cor_minimize(const struct cor_minimizing *minimizing, enum cor_strategy strategy, bool *moved,
                             struct cor_error *error) COR_MUST_USE;

/* Whether what matters stays with the number `value`. */
typedef enum cor_status cor_try_value(void *self, int64_t value, bool *stays, struct cor_error *error);

/* The number goes down from *value, with which it stays, towards `low`: that one itself, then by bisection.
 * In the end it is `low`, or with one less it was seen not to stay. */
enum cor_status cor_minimize_number(int64_t low, int64_t *value, cor_try_value *try, void *self,
                                    struct cor_error *error) COR_MUST_USE;

#endif
