/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which inputs of a computer experiment matter? Designs - the rows at which it is executed -, and what is
 * made of the values that came out.
 *
 * All that is drawn beside the inputs is one more input, CHANCE, which is nothing but the name of a stream:
 * rows of one stream share it. So differences between rows of a stream are those of the inputs alone, and
 * what chance contributes is told apart.
 *
 * - MORRIS (Technometrics 33, 1991): from each of `points` starts a way through a grid of four levels, on
 *   which each input changes once, by two thirds of its range; then the last row again with other chance. The
 *   change of the value for a change over the whole range is an elementary effect. mu* is the mean of their
 *   magnitudes (Campolongo, Cariboni, Saltelli, Environmental Modelling and Software 22, 2007), sigma their
 *   standard deviation: great where an input acts in one way here and in another there.
 * - SOBOL: of each of `points` pairs of rows A and B, independent but for nothing, also A with each input of
 *   B in turn. First order: the share of the variance that goes if the input is known, by the estimator of
 *   Saltelli et al. (Computer Physics Communications 181, 2010, table 2 b) about the mean of all; total: the
 *   share that is left if all others are known, by Jansen's (Computer Physics Communications 117, 1999).
 *   Points are those of Sobol's sequence, in COR_INPUT_DESIGN_BLOCKS blocks that are each shifted at random
 *   (Cranley and Patterson 1976), so that blocks are independent and alike: intervals are those of a
 *   jackknife that leaves out one block at a time, with Student's t. */
#ifndef CORRIDOR_SENSITIVITY_H
#define CORRIDOR_SENSITIVITY_H

#include <corridor/descriptive.h>
#include <corridor/error.h>
#include <corridor/rng.h>

#include <stddef.h>
#include <stdint.h>

#define COR_INPUT_DESIGN_INPUTS_MAX 20 /* Sobol's sequence of GSL has 40 dimensions, two for each */
#define COR_INPUT_DESIGN_BLOCKS 16
#define COR_INPUT_DESIGN_ROWS_MAX 1000000

/* X(KIND, word, fewest points) */
#define COR_INPUT_DESIGNS(X) \
    X(MORRIS, morris, 4)     \
    X(SOBOL, sobol, 2 * COR_INPUT_DESIGN_BLOCKS)

enum cor_input_design_kind {
#define COR_INPUT_DESIGN(KIND, word, fewest) COR_INPUT_DESIGN_##KIND,
    COR_INPUT_DESIGNS(COR_INPUT_DESIGN)
#undef COR_INPUT_DESIGN
        COR_INPUT_DESIGN_KINDS
};

/* Words of the designs, ended by NULL, and the fewest points of each. */
extern const char *const cor_input_design_words[];
extern const uint32_t cor_input_design_fewest[];

/* Rows of a point follow one another. MORRIS: the way's, then its end with other chance. SOBOL: A, B, A with
 * each input of B, A with B's chance. */
struct cor_input_design {
    enum cor_input_design_kind kind;
    uint32_t inputs; /* 1 .. COR_INPUT_DESIGN_INPUTS_MAX, chance not counted */
    uint32_t points;
};

/* Rows of one point, and of all. */
uint32_t cor_input_design_rows_of_point(const struct cor_input_design *design);
uint64_t cor_input_design_rows(const struct cor_input_design *design);

/* The stream of chance of a row, below twice the points. */
uint32_t cor_input_design_stream(const struct cor_input_design *design, uint64_t row);

/* Where the rows lie: rows[row * inputs + input] in 0 .. 1, of SOBOL below 1. COR_STATUS_MEMORY. */
enum cor_status cor_input_design_make(const struct cor_input_design *design, struct cor_rng *rng,
                                      double *rows, struct cor_error *error) COR_MUST_USE;

/* What is known of an input; NaN: it is not defined, or of the other design. */
struct cor_input_effect {
    double star, mean, deviation; /* MORRIS: mu*, mu, sigma of its elementary effects */
    struct cor_bounds star_bounds;
    double first, total; /* SOBOL */
    struct cor_bounds first_bounds, total_bounds;
};

/* What came out of a design. */
struct cor_sensitivity {
    struct cor_input_effect effect[COR_INPUT_DESIGN_INPUTS_MAX + 1]; /* of each input, then of chance */
    uint32_t points, unknown; /* points used; left out, since a value of them is NaN */
    double mean, variance;    /* of the value: SOBOL by rows A and B, MORRIS over all rows of the grid */
};

/* Makes it of the values of all rows. Of MORRIS `rows` is where they really were, as of
 * cor_input_design_make, by which steps are measured; of SOBOL it may be NULL. Where the variance is 0
 * nothing is defined but mean and variance. COR_STATUS_MEMORY. */
enum cor_status cor_sensitivity_make(const struct cor_input_design *design, const double *values,
                                     const double *rows, double level, struct cor_sensitivity *sensitivity,
                                     struct cor_error *error) COR_MUST_USE;

#endif
