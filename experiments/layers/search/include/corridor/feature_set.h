/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a test was seen to do, as a set of features: how often a bucket of a probe was counted and a
 * transition of a profile taken, sizes and numbers of partitions and what is left of every limit, how far a
 * fault came, how near the system was to violating its invariant. Numbers are taken in classes (AFL's: 1, 2,
 * 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, 128 and more), so that a feature is something new rather than
 * something more. */
#ifndef CORRIDOR_FEATURE_SET_H
#define CORRIDOR_FEATURE_SET_H

#include <corridor/record.h>
#include <corridor/suite.h>

struct cor_tester;

/* Features are numbers below this: what a feature is of is hashed into one. Two may share one; that costs
 * attention, and nothing else. */
#define COR_FEATURES 65536

/* A set of features, a bit each; zeros are the empty set. */
struct cor_feature_set {
    uint64_t bits[COR_FEATURES / 64];
};

/* What a feature is of. */
enum cor_feature_kind {
    COR_FEATURE_PROBE,      /* counter, bucket of it; times counted */
    COR_FEATURE_TRANSITION, /* profile, from * states + to; times taken in executed cases */
    COR_FEATURE_PARTITIONS, /* number after a reorganization */
    COR_FEATURE_SLACK,      /* which limit; what is left of it, in a reorganization or by the configuration */
    COR_FEATURE_SEAM,       /* 0 reached, 1 held, 2 activated; times in a reorganization */
    COR_FEATURE_DISTANCE,   /* sixteenths of the threshold that the dissimilarity came to */
    COR_FEATURE_END,        /* how a reorganization stopped, and smoke */
    COR_FEATURE_PATTERN,    /* the cell of a pattern space, in place of all others */
    COR_FEATURE_KINDS
};

/* 0 for 0, then 1 to 8 for AFL's classes. */
uint32_t cor_count_class(uint64_t count);

/* Where a feature of a test came from. */
struct cor_feature_origin {
    enum cor_feature_kind kind;
    uint32_t since; /* the case in which it appeared; 0: before all, or it was not observed */
};

/* The number of a feature. */
uint32_t cor_feature(enum cor_feature_kind kind, uint32_t about, uint32_t which, uint32_t class);

/* What a test is judged by; all borrowed. */
struct cor_feature_source {
    const struct cor_suite *suite; /* of one sequence, whose walk is recorded */
    struct cor_record *record;     /* all rows of its execution */
    const uint64_t *probes;        /* cells counted: of counter c [probe_start[c], probe_start[c + 1]) */
    const uint32_t *probe_start;
    uint32_t counter_count;
    uint32_t cases;                    /* executed */
    const struct cor_tester *observed; /* that kept how it reacted in each case; NULL: that is not known */
};

struct cor_feature_collector;

/* One that has seen nothing. */
enum cor_status cor_feature_collector_create(struct cor_feature_collector **collector,
                                             struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_feature_collector_destroy(struct cor_feature_collector *collector);

/* The features of a test, each once, in an order that depends on nothing else, and where each came from.
 * *features and *origins are valid until the next call. */
enum cor_status cor_features_collect(struct cor_feature_collector *collector,
                                     const struct cor_feature_source *source, const uint32_t **features,
                                     const struct cor_feature_origin **origins, uint32_t *count,
                                     struct cor_error *error) COR_MUST_USE;

/* Is the feature, below COR_FEATURES, in the set? */
static inline bool cor_feature_set_has(const struct cor_feature_set *set, uint32_t feature) {
    return set->bits[feature / 64] >> feature % 64 & 1;
}

/* Adds features; how many of them were not in the set. */
uint32_t cor_feature_set_add(struct cor_feature_set *set, const uint32_t *features, uint32_t count);

/* How many features are in the set. */
uint32_t cor_feature_set_size(const struct cor_feature_set *set);

#endif
