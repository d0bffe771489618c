/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of this room share. Include behind cmocka.h. */
#ifndef CORRIDOR_ANALYSIS_STATISTICS_TESTS_NEAR_H
#define CORRIDOR_ANALYSIS_STATISTICS_TESTS_NEAR_H

#include <corridor/rng.h>

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* NaN where NaN is expected, else equal up to a relative tolerance (absolute below 1). */
#define assert_near(found, expected, tolerance) near_at(found, expected, tolerance, __LINE__)

static inline void near_at(double found, double expected, double tolerance, int line) {
    int good = isnan(expected) ? isnan(found) : fabs(found - expected) <= tolerance * fmax(1, fabs(expected));
    if (!good)
        print_error("line %d: %.17g, expected %.17g\n", line, found, expected);
    assert_true(good);
}

static inline struct cor_rng stream(uint32_t entity) {
    return cor_rng_named(&(struct cor_stream_name){.seed = 3, .purpose = COR_PURPOSE_TEST, .entity = entity});
}

#endif
