/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts of features among failing and passing units. A unit is begun, its features are put, and it is ended
 * with its verdict; memory grows with the number of features and of different values, not of units.
 *
 * Values are kept to 8 bits behind the leading one, in order: whole numbers below 512 exactly, others to 0.4
 * per cent. */
#ifndef CORRIDOR_TREE_SPECTRUM_H
#define CORRIDOR_TREE_SPECTRUM_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stdint.h>

/* Which value of a unit counts when a feature is put more than once. */
enum cor__fold {
    COR__PRESENT,  /* no value: put or not put */
    COR__ONLY,     /* it is put once; bounds from below and from above are tried */
    COR__GREATEST, /* bounds from below: "once at least" */
    COR__LEAST     /* bounds from above: "once at most" */
};

/* What a feature is, for whoever puts it: three numbers, and how values fold. */
struct cor__feature_key {
    uint16_t kind;
    uint16_t fold; /* enum cor__fold */
    uint32_t a, b, c;
};

/* Units that share a value, up to rounding. */
struct cor__bucket {
    int64_t code;           /* of the value; in ascending order */
    double least, greatest; /* values that occurred */
    uint64_t failing, passing;
};

struct cor__counted {
    struct cor__feature_key key;
    struct cor__bucket *buckets; /* owned; by code */
    size_t count, capacity;
    uint64_t unit; /* the last unit in which it was put, from 1 */
    double value;  /* there */
};

struct cor__spectrum {
    struct cor__counted *features; /* owned */
    size_t count, capacity;
    uint32_t *slots; /* owned; hash table of 1 + index, 0 = free */
    size_t slot_count;
    uint32_t *put; /* owned; features put in this unit */
    size_t put_count, put_capacity;
    uint64_t unit; /* from 1 */
    uint64_t failing, passing;
};

void cor__spectrum_fini(struct cor__spectrum *spectrum);

/* Index of the feature with that key, made if there is none. */
enum cor_status cor__spectrum_find(struct cor__spectrum *spectrum, const struct cor__feature_key *key,
                                   uint32_t *index, struct cor_error *error) COR_MUST_USE;

/* The present unit has that feature, with that value (ignored if PRESENT; NaN: has no value, so has it not).
 */
enum cor_status cor__spectrum_put(struct cor__spectrum *spectrum, uint32_t index, double value,
                                  struct cor_error *error) COR_MUST_USE;

/* The same by key. */
enum cor_status cor__spectrum_note(struct cor__spectrum *spectrum, const struct cor__feature_key *key,
                                   double value, struct cor_error *error) COR_MUST_USE;

/* Ends the present unit. */
enum cor_status cor__spectrum_end(struct cor__spectrum *spectrum, bool failed,
                                  struct cor_error *error) COR_MUST_USE;

#endif
