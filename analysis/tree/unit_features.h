/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which features a unit has. Fault counters of the result file are not among them: what the injection knows
 * must not find the fault. */
#ifndef CORRIDOR_ANALYSIS_TREE_UNIT_FEATURES_H
#define CORRIDOR_ANALYSIS_TREE_UNIT_FEATURES_H

#include "spectrum.h"

#include <corridor/ranking.h>
#include <corridor/state_names.h>
#include <corridor/suite_reader.h>

/* How chains of a profile of the present suite are counted by their states. */
struct tree__profile_counts {
    bool usable;     /* its states mean the same in all units */
    uint32_t start;  /* where its states begin in `chains_in` */
    uint32_t states; /* how many are counted there; 0 = with an earlier profile of that environment */
};

/* Columns of a table that are features, by their place in the schema. */
struct tree__feature_columns {
    uint32_t count, index[16];
};

struct tree__features {
    struct tree__spectrum spectrum;
    struct tree__feature_columns given, done, done_codes, of_suite;
    struct cor_state_names names;
    struct cor_result *result; /* borrowed */
    enum cor_ranked_unit unit;
    bool one_suite; /* chains are told apart, drawn profiles are the same for all units, and nothing of the
                       configuration varies */
    const struct cor_suite_rows *suite;   /* the present one; borrowed */
    const struct cor_sequence_row *row;   /* the present sequence; borrowed */
    bool configured;                      /* features of the suite have been put */
    struct cor_sequence_walk walk;        /* of the present sequence, if any_usable */
    struct tree__profile_counts *profile; /* owned; [profile of the present suite] */
    uint32_t *chains_in;                  /* owned; scratch: chains in each state in a case */
    size_t profile_capacity, state_capacity;
    uint32_t state_count;
    bool any_usable;
    bool left_out[256]; /* environment codes: environments whose states are not compared */
    uint32_t *repeats;  /* owned; [parameter code] bit i: so far always equal to column i of of_suite */
    size_t parameter_count;
    bool structures_missing; /* some reorganization has no structure in table failures */
    uint32_t *sizes;         /* owned; scratch: members of a partition */
    uint32_t *labels;        /* owned; scratch */
    size_t size_capacity, label_capacity;
};

/* No suite and no unit yet. */
enum cor_status tree__features_init(struct tree__features *features, struct cor_result *result,
                                    enum cor_ranked_unit unit, bool one_suite,
                                    struct cor_error *error) COR_MUST_USE;
void tree__features_fini(struct tree__features *features);

/* Prepares for units that are, or are in, that suite (whole: cor_suite_check), and in one of its sequences.
 */
enum cor_status tree__features_suite(struct tree__features *features, const struct cor_suite_rows *suite,
                                     struct cor_error *error) COR_MUST_USE;
enum cor_status tree__features_sequence(struct tree__features *features, uint32_t sequence,
                                        struct cor_error *error) COR_MUST_USE;

/* The present unit is, or has, that reorganization; its row in table failures is `kept` or NULL. */
enum cor_status tree__features_reorganization(struct tree__features *features,
                                              const struct cor_reorganization_row *row,
                                              const struct cor_failure_row *kept,
                                              struct cor_error *error) COR_MUST_USE;

/* It is the present sequence, up to case `last`. */
enum cor_status tree__features_walk(struct tree__features *features, uint32_t last,
                                    struct cor_error *error) COR_MUST_USE;

/* Ends the unit. */
enum cor_status tree__features_end(struct tree__features *features, struct tree__ending ending,
                                   struct cor_error *error) COR_MUST_USE;

/* What a feature is about, and its name (owned by the caller; NULL when memory is out). False if it must be
 * left out after all. */
bool tree__feature_describe(const struct tree__features *features, const struct tree__feature_key *key,
                            enum cor_aspect *aspect, char **name);

/* What was left out and why, in lines; owned by the caller; NULL when memory is out. */
char *tree__features_note(const struct tree__features *features);

#endif
