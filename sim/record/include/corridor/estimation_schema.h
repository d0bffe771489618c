/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The result file of the estimation layer, said once, as schema.h says that of the interaction layer: how
 * probable a failure is. A suite is a repetition: one suite of the experiment, its sequences followed up to
 * their first failing case. */
#ifndef CORRIDOR_ESTIMATION_SCHEMA_H
#define CORRIDOR_ESTIMATION_SCHEMA_H

#include <corridor/schema.h>

#define COR_ESTIMATION_FORMAT_NAME "corridor-estimation"
#define COR_ESTIMATION_FORMAT_MAJOR 1

#define COR_ESTIMATION_REPETITION_COLUMNS(X, R)                                                            \
    COR_SUITE_KEYS(X, R)                                                                                   \
    X(R, uint8_t, method, "code", ESTIMATION, "how it was estimated")                                      \
    X(R, uint64_t, cases, "cases", NONE, "test cases executed")                                            \
    X(R, uint32_t, sequences, "sequences", NONE, "sequences of the suite")                                 \
    X(R, uint32_t, failed, "sequences", NONE,                                                              \
      "sequences in which a first failing case was seen of the class asked for")                           \
    X(R, uint32_t, bounds, "1", NONE,                                                                      \
      "laws that were changed for each sequence: no weight of one is above "                               \
      "share to the power of minus so many")                                                               \
    X(R, double, share, "1", NONE,                                                                         \
      "of the sequences, or suites, that the law itself gives; NaN: nothing "                              \
      "was changed")                                                                                       \
    X(R, double, sequence_mantissa, "1", NONE,                                                             \
      "mean over sequences of weight or probability: sequence_mantissa * 2^(16 - sequence_halvings)")      \
    X(R, uint32_t, sequence_halvings, "1", NONE, "see sequence_mantissa")                                  \
    X(R, double, suite_mantissa, "1", NONE,                                                                \
      "one less the product over sequences of one less these: suite_mantissa * 2^(16 - suite_halvings)")   \
    X(R, uint32_t, suite_halvings, "1", NONE, "see suite_mantissa")                                        \
    X(R, double, largest_mantissa, "1", NONE,                                                              \
      "the largest of them: largest_mantissa * 2^(16 - largest_halvings)")                                 \
    X(R, uint32_t, largest_halvings, "1", NONE, "see largest_mantissa")                                    \
    X(R, uint8_t, in_region, "1", NONE, "1 if the parameters are in the region; 0: not, or there is none") \
    X(R, uint32_t, region_draws, "draws", NONE,                                                            \
      "draws by the law until one was in the region; 0: the first was taken as it came")                   \
    X(R, double, region_probability, "1", NONE, "of the region by the law, counted out; NaN: not known")   \
    X(R, uint32_t, leaked, "sequences", NONE,                                                              \
      "sequences of which it is not known whether they fail so: they came out otherwise when they were "   \
      "executed again; of splitting trajectories",                                                         \
      1)

#define COR_ESTIMATION_STAGE_COLUMNS(X, R)                                                    \
    COR_SUITE_KEYS(X, R)                                                                      \
    X(R, uint32_t, stage, "1", NONE, "from 0")                                                \
    X(R, double, level, "1", NONE, "that ends it; NaN: the last, which only a failure ends")  \
    X(R, uint64_t, started, "trajectories", NONE, "begun or restarted, over all sequences")   \
    X(R, uint64_t, reached, "trajectories", NONE, "that came to the level without a failure") \
    X(R, uint64_t, failed, "trajectories", NONE, "whose first failing case was of the class asked for")

/* X(L, TABLE, group, row struct, columns, meaning) */
#define COR_ESTIMATION_TABLES(X, L)                                                            \
    X(L, REPETITIONS, "repetitions", estimation_repetition, COR_ESTIMATION_REPETITION_COLUMNS, \
      "repetitions: independent, each with a suite that was drawn for it")                     \
    X(L, STAGES, "stages", estimation_stage, COR_ESTIMATION_STAGE_COLUMNS, "stages of splitting")

#define COR_ESTIMATION_VECTORS(X, L) /* none */

/* X(L, CATALOG, group under /catalog, meaning) */
#define COR_ESTIMATION_CATALOGS(X, L) X(L, ARM, "arm", "the arm that is estimated")

/* Numbers of the tables and catalogs of this layer: their indices in cor_estimation_schema, by which record
 * and result take them. */
COR_NUMBERS(estimation_table, COR_ESTIMATION_TABLES, COR_ESTIMATION_TABLE_)
COR_NUMBERS(estimation_catalog, COR_ESTIMATION_CATALOGS, COR_ESTIMATION_CATALOG_)

/* The row structs: struct cor_estimation_repetition_row and so on. */
COR_ESTIMATION_TABLES(COR_EACH_STRUCT, )

extern const struct cor_layer_schema cor_estimation_schema;

#endif
