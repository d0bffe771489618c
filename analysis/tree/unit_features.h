/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which features a unit has. Fault counters of the result file are not among them: what the injection knows
 * must not find the fault. */
#ifndef CORRIDOR_TREE_UNIT_FEATURES_H
#define CORRIDOR_TREE_UNIT_FEATURES_H

#include "spectrum.h"
#include "suite_rows.h"
#include "words.h"

#include <corridor/tree.h>

/* A profile of the present suite, or several of one environment. */
struct cor__stage {
    bool usable;     /* its states mean the same in all units */
    uint32_t start;  /* where its states begin in `chains_in` */
    uint32_t states; /* how many are counted there; 0 = with an earlier profile of that environment */
};

struct cor__features {
    struct cor__spectrum spectrum;
    struct cor__words words;
    enum cor_unit unit;
    bool one_suite;           /* chains are told apart, and drawn profiles are the same for all units */
    struct cor__stage *stage; /* owned; [profile of the present suite] */
    uint32_t *chains_in;      /* owned; [state of a stage] scratch: chains in that state in a case */
    size_t stage_capacity, state_capacity;
    uint32_t state_count;
    bool any_usable;
    bool left_out[256]; /* environment codes: environments whose states are not compared */
    uint32_t *twins;    /* owned; [parameter code] bit i: so far always equal to column i of of_suite, in
                           unit_features.c */
    size_t twin_count;
    bool structures_missing; /* some reorganization has no structure in table failures */
    uint32_t *sizes;         /* owned; scratch: members of a partition */
    uint32_t *labels;        /* owned; scratch */
    size_t size_capacity, label_capacity;
};

/* No suite and no unit yet. */
enum cor_status cor__features_init(struct cor__features *features, const struct cor_result *result,
                                   enum cor_unit unit, bool one_suite, struct cor_error *error) COR_MUST_USE;
void cor__features_fini(struct cor__features *features);

/* Prepares for the suite just read. */
enum cor_status cor__features_suite(struct cor__features *features, const struct cor__suite_rows *rows,
                                    struct cor_error *error) COR_MUST_USE;

/* The present unit is, or is in, the suite just read. */
enum cor_status cor__features_configuration(struct cor__features *features,
                                            const struct cor__suite_rows *rows,
                                            struct cor_error *error) COR_MUST_USE;

/* It is, or has, that reorganization; the walk of its sequence is in rows->walk, and its row in table
 * failures is `kept` or NULL. */
enum cor_status cor__features_reorganization(struct cor__features *features,
                                             const struct cor__suite_rows *rows,
                                             const struct cor_sequence_row *sequence,
                                             const struct cor_reorganization_row *row,
                                             const struct cor_failure_row *kept,
                                             struct cor_error *error) COR_MUST_USE;

/* It is that sequence, whose walk is in rows->walk, up to case `last`. */
enum cor_status cor__features_walk(struct cor__features *features, const struct cor__suite_rows *rows,
                                   const struct cor_sequence_row *sequence, uint32_t last,
                                   struct cor_error *error) COR_MUST_USE;

/* Ends the unit. */
static inline enum cor_status cor__features_end(struct cor__features *features, bool failed,
                                                struct cor_error *error) {
    return cor__spectrum_end(&features->spectrum, failed, error);
}

/* What a feature is about, and its name (owned by the caller; NULL when memory is out). False if it must be
 * left out after all. */
bool cor__feature_describe(const struct cor__features *features, const struct cor__feature_key *key,
                           enum cor_aspect *aspect, char **name);

/* What was left out and why, in lines; owned by the caller; NULL when memory is out. */
char *cor__features_note(const struct cor__features *features);

#endif
