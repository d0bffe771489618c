/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts of features among failing and passing units. Units come in blocks (suites). A unit's features are
 * put, then it is ended with its verdict; features that all units of a block have alike are put for the
 * block. Memory grows with the number of features and of different values, and with the log of the units,
 * which is bounded.
 *
 * Values are kept to 8 bits behind the leading one, in order: whole numbers below 512 exactly, others to 0.4
 * per cent. */
#ifndef CORRIDOR_ANALYSIS_TREE_SPECTRUM_H
#define CORRIDOR_ANALYSIS_TREE_SPECTRUM_H

#include <corridor/error.h>
#include <corridor/rng.h>

#include <stdbool.h>
#include <stdint.h>

/* Which value of a unit counts when a feature is put more than once. */
enum tree__fold {
    TREE__PRESENT,  /* no value: put or not put */
    TREE__ONLY,     /* it is put once; bounds from below and from above are tried */
    TREE__GREATEST, /* bounds from below: "once at least" */
    TREE__LEAST     /* bounds from above: "once at most" */
};

/* What a feature is, for whoever puts it: three numbers, and how values fold. */
struct tree__feature_key {
    uint16_t kind;
    uint16_t fold; /* enum tree__fold */
    uint32_t a, b, c;
};

/* Units that share a value, up to rounding. */
struct tree__bucket {
    int32_t code;           /* of the value; in ascending order */
    double least, greatest; /* values that occurred */
    uint64_t failing, passing;
};

struct tree__counted {
    struct tree__feature_key key;
    struct tree__bucket *buckets; /* owned; by code */
    size_t count, capacity;
    uint64_t unit; /* the last unit, or block, in which it was put, from 1 */
    double value;  /* there */
};

/* How a unit ended: its verdict, and whether nothing came behind it in its sequence because it failed. */
struct tree__ending {
    bool failed, stops;
    uint32_t sequence; /* units of one sequence stand together */
};

/* A unit of the log, or the end of a block, with the features that it has: those behind the item before. */
struct tree__logged {
    bool is_block;
    struct tree__ending ending; /* of a unit */
    uint64_t number;            /* of the unit */
    size_t end;                 /* of its features in spectrum->mark */
};

/* A feature that it has, and the code of its value. */
struct tree__mark {
    uint32_t feature;
    int32_t code;
};

/* Numbers of features, sorted or not. */
struct tree__feature_set {
    uint32_t *index; /* owned */
    size_t count, capacity;
};

struct tree__spectrum {
    struct tree__counted *features; /* owned */
    size_t count, capacity;
    uint32_t *slots; /* owned; hash table of 1 + index, 0 = free */
    size_t slot_count;
    struct tree__feature_set of_unit, of_block; /* put in this unit, in this block */
    uint64_t unit, blocks;                      /* ended */
    uint64_t failing, passing;
    uint64_t block_failing, block_passing; /* of this block */
    struct tree__logged *log;              /* owned */
    size_t log_count, log_capacity;
    struct tree__mark *mark; /* owned */
    size_t mark_count, mark_capacity, mark_max;
    uint64_t stride; /* the log has every unit whose number it divides */
};

/* Empty. When the log comes to `mark_max` features of units, every second unit is dropped from it. */
void tree__spectrum_init(struct tree__spectrum *spectrum, size_t mark_max);
void tree__spectrum_fini(struct tree__spectrum *spectrum);

/* The present unit has that feature, with that value (ignored if PRESENT; NaN: has no value, so has it not).
 */
enum cor_status tree__spectrum_put(struct tree__spectrum *spectrum, const struct tree__feature_key *key,
                                   double value, struct cor_error *error) COR_MUST_USE;

/* All units of the present block have that feature (ONLY). *is_new is false if it was put before. */
enum cor_status tree__spectrum_put_block(struct tree__spectrum *spectrum, const struct tree__feature_key *key,
                                         double value, bool *is_new, struct cor_error *error) COR_MUST_USE;

/* Ends the present unit, and the present block. */
enum cor_status tree__spectrum_end(struct tree__spectrum *spectrum, struct tree__ending ending,
                                   struct cor_error *error) COR_MUST_USE;
enum cor_status tree__spectrum_end_block(struct tree__spectrum *spectrum,
                                         struct cor_error *error) COR_MUST_USE;

/* Counts of those that have a feature. */
struct tree__having {
    uint64_t failing, passing;
    double bound, next; /* as in struct cor_feature */
};

/* The cut of a feature's buckets that Ochiai likes best, on ties the one that takes in more failing units,
 * then the first from its end: at or above a bound (`from_above`), or at or below it. None takes in all
 * `units`; `failing` is 0 if there is no cut. */
struct tree__having tree__best_cut(const struct tree__counted *counted, bool from_above, uint64_t units);

/* Is the greatest Ochiai of the features that are `wanted` ([feature]) what chance gives? Verdicts are
 * exchanged between the blocks of the log `times` times: each block gets the row of verdicts of another one,
 * from a random place on, again and again; where one stops a sequence, the rest of the sequence is left out.
 * *share is that of arrangements with a greatest Ochiai at least as high, that of the file among them: a p
 * value. NaN if the log has only failing or only passing units. Uses up the log. */
enum cor_status tree__spectrum_permute(struct tree__spectrum *spectrum, const bool *wanted, uint32_t times,
                                       struct cor_rng *rng, double *share,
                                       struct cor_error *error) COR_MUST_USE;

#endif
