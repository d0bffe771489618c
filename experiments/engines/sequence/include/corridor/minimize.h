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

/* Takes away as much of `count` parts as it can: all at once, then chunks of half as many, down to single
 * ones, from the first on; single ones until none goes. In the end `stays` was false for each part alone,
 * beyond those that are gone. gone[] holds the parts left out from the start, and in the end all parts left
 * out. *moved: a part was left out. At most 2 * count + log2(count) + 2 tries for each part left out, and at
 * the end. */
enum cor_status cor_minimize_set(uint32_t count, cor_try_without *try, void *self, bool *gone, bool *moved,
                                 struct cor_error *error) COR_MUST_USE;

/* Whether what matters stays with the number `value`. */
typedef enum cor_status cor_try_value(void *self, int64_t value, bool *stays, struct cor_error *error);

/* The number goes down from *value, with which it stays, towards `low`: that one itself, then by bisection.
 * In the end it is `low`, or with one less it was seen not to stay. */
enum cor_status cor_minimize_number(int64_t low, int64_t *value, cor_try_value *try, void *self,
                                    struct cor_error *error) COR_MUST_USE;

#endif
