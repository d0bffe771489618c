/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Designs and indices against functions of which the indices are known: Ishigami and Homma (1990), Sobol's
 * g-function (Saltelli and Sobol 1995), sums whose effects are their coefficients. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/sensitivity.h>

#include "near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double function(const double *x, uint32_t inputs, double chance);

static const double pi = 3.14159265358979323846;

/* A number in [0, 1) that only the stream fixes. */
static double chance_of(uint64_t seed, uint32_t stream) {
    const struct cor_stream_name name = {
        .seed = seed, .suite = stream, .purpose = COR_PURPOSE_TEST, .entity = 1};
    return cor_rng_first_unit(&name);
}

static struct cor_sensitivity made(const struct cor_input_design *design, uint64_t seed, function *f) {
    const struct cor_stream_name name = {.seed = seed, .purpose = COR_PURPOSE_TEST};
    struct cor_rng rng = cor_rng_named(&name);
    const uint64_t count = cor_input_design_rows(design);
    double *rows = calloc(count * design->inputs, sizeof *rows), *values = calloc(count, sizeof *values);
    struct cor_sensitivity sensitivity;
    assert_true(rows && values);
    assert_int_equal(cor_input_design_make(design, &rng, rows, NULL), COR_OK);
    for (uint64_t r = 0; r < count; r++) {
        for (uint32_t i = 0; i < design->inputs; i++)
            assert_true(rows[r * design->inputs + i] >= 0 && rows[r * design->inputs + i] <= 1);
        values[r] =
            f(rows + r * design->inputs, design->inputs, chance_of(seed, cor_input_design_stream(design, r)));
    }
    assert_int_equal(cor_sensitivity_make(design, values, rows, 0.95, &sensitivity, NULL), COR_OK);
    free(rows);
    free(values);
    return sensitivity;
}

static double ishigami(const double *x, uint32_t inputs, double chance) {
    (void)inputs;
    (void)chance;
    const double a = pi * (2 * x[0] - 1), b = pi * (2 * x[1] - 1), c = pi * (2 * x[2] - 1);
    return sin(a) + 7 * sin(b) * sin(b) + 0.1 * c * c * c * c * sin(a);
}

/* a = 7, b = 0.1: V1 = (1 + b pi^4 / 5)^2 / 2, V2 = a^2 / 8, V13 = 8 b^2 pi^8 / 225. */
static void ishigami_indices(double *first, double *total) {
    const double v1 = (1 + 0.1 * pow(pi, 4) / 5) * (1 + 0.1 * pow(pi, 4) / 5) / 2, v2 = 49.0 / 8,
                 v13 = 8 * 0.01 * pow(pi, 8) / 225, v = v1 + v2 + v13;
    memcpy(first, (const double[]){v1 / v, v2 / v, 0, 0}, 4 * sizeof *first);
    memcpy(total, (const double[]){(v1 + v13) / v, v2 / v, v13 / v, 0}, 4 * sizeof *total);
}

static void indices_of_ishigami_are_within_a_hundredth(void **state) {
    double first[4], total[4];
    (void)state;
    ishigami_indices(first, total);
    assert_near(first[0], 0.3139, 1e-3); /* as published */
    assert_near(total[2], 0.2437, 1e-3);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        const struct cor_input_design design = {COR_INPUT_DESIGN_SOBOL, 3, 16384};
        const struct cor_sensitivity is = made(&design, seed, ishigami);
        assert_true(is.points == 16384 && is.unknown == 0);
        for (uint32_t i = 0; i < 4; i++) {
            assert_true(fabs(is.effect[i].first - first[i]) < 0.01);
            assert_true(fabs(is.effect[i].total - total[i]) < 0.01);
        }
        assert_true(is.effect[3].total == 0); /* nothing depends on chance */
    }
}

static const double g_a[] = {0, 0.5, 3, 9, 99};

static double g_function(const double *x, uint32_t inputs, double chance) {
    double product = 1;
    (void)chance;
    for (uint32_t i = 0; i < inputs; i++)
        product *= (fabs(4 * x[i] - 2) + g_a[i]) / (1 + g_a[i]);
    return product;
}

static void indices_of_the_g_function_are_within_a_hundredth(void **state) {
    double v = 1, part[5];
    (void)state;
    for (int i = 0; i < 5; i++) {
        part[i] = 1.0 / 3 / ((1 + g_a[i]) * (1 + g_a[i]));
        v *= 1 + part[i];
    }
    const struct cor_input_design design = {COR_INPUT_DESIGN_SOBOL, 5, 8192};
    const struct cor_sensitivity is = made(&design, 7, g_function);
    assert_near(is.mean, 1, 0.01);
    for (int i = 0; i < 5; i++) {
        assert_true(fabs(is.effect[i].first - part[i] / (v - 1)) < 0.01);
        assert_true(fabs(is.effect[i].total - part[i] * v / (1 + part[i]) / (v - 1)) < 0.01);
    }
}

/* Y = x0 + 2 z + 3 x1 (2 z - 1): with variances 1/12 of each, V = 1/12 + 4/12 + Var(3 x1 (2 z - 1)). */
static double with_chance(const double *x, uint32_t inputs, double z) {
    (void)inputs;
    return x[0] + 2 * z + 3 * x[1] * (2 * z - 1);
}

static void chance_is_an_input_like_others(void **state) {
    (void)state;
    /* E[Y | z] = 1/2 + 2 z + 3/2 (2 z - 1), slope 5: 25/12; interaction (x1 - 1/2) 6 (z - 1/2): 36/144. */
    const double vx0 = 1.0 / 12, vz = 25.0 / 12, vxz = 36.0 / 144, v = vx0 + vz + vxz;
    const struct cor_input_design design = {COR_INPUT_DESIGN_SOBOL, 2, 1 << 15};
    const struct cor_sensitivity is = made(&design, 3, with_chance);
    assert_true(fabs(is.effect[0].first - vx0 / v) < 0.01 && fabs(is.effect[0].total - vx0 / v) < 0.01);
    assert_true(fabs(is.effect[1].first) < 0.01 && fabs(is.effect[1].total - vxz / v) < 0.01);
    assert_true(fabs(is.effect[2].first - vz / v) < 0.015 &&
                fabs(is.effect[2].total - (vz + vxz) / v) < 0.01);
}

/* Of 300 designs: intervals at 95 % hold, also where few points make estimates rough. */
static void intervals_hold(void **state) {
    double first[4], total[4];
    (void)state;
    ishigami_indices(first, total);
    uint32_t held[2][3] = {{0}};
    for (uint64_t seed = 100; seed < 400; seed++) {
        const struct cor_input_design design = {COR_INPUT_DESIGN_SOBOL, 3, 512};
        const struct cor_sensitivity is = made(&design, seed, ishigami);
        for (uint32_t i = 0; i < 3; i++) {
            held[0][i] +=
                is.effect[i].first_bounds.low <= first[i] && first[i] <= is.effect[i].first_bounds.high;
            held[1][i] +=
                is.effect[i].total_bounds.low <= total[i] && total[i] <= is.effect[i].total_bounds.high;
        }
    }
    for (uint32_t i = 0; i < 3; i++) {
        print_message("input %u: first %u, total %u of 300\n", i, held[0][i], held[1][i]);
        assert_true(held[0][i] >= 270 && held[1][i] >= 270);
        assert_true(held[0][i] < 300 || held[1][i] < 300);
    }
}

static double linear(const double *x, uint32_t inputs, double chance) {
    (void)inputs;
    return 5 * x[0] - 2 * x[1] + 0 * x[2] + 8 * chance;
}

static double product(const double *x, uint32_t inputs, double chance) {
    (void)inputs;
    (void)chance;
    return x[0] * x[1];
}

static void elementary_effects_are_slopes(void **state) {
    (void)state;
    const struct cor_input_design design = {COR_INPUT_DESIGN_MORRIS, 3, 400};
    struct cor_sensitivity is = made(&design, 1, linear);
    const double slopes[] = {5, -2, 0};
    for (uint32_t i = 0; i < 3; i++) {
        assert_near(is.effect[i].mean, slopes[i], 1e-12);
        assert_near(is.effect[i].star, fabs(slopes[i]), 1e-12);
        assert_true(is.effect[i].deviation < 1e-12);
    }
    /* The mean distance of two uniform numbers is a third. */
    assert_true(is.effect[3].star_bounds.low < 8.0 / 3 && 8.0 / 3 < is.effect[3].star_bounds.high);
    /* Of a product the effect of one is the other, 0, 1/3, 2/3 or 1: mean 1/2, variance 5/36. */
    is = made(&design, 2, product);
    assert_true(fabs(is.effect[0].star - 0.5) < 0.06 && fabs(is.effect[0].deviation - sqrt(5) / 6) < 0.03);
    assert_true(is.effect[0].star_bounds.low < 0.5 && 0.5 < is.effect[0].star_bounds.high);
}

static double constant(const double *x, uint32_t inputs, double chance) {
    (void)x;
    (void)inputs;
    (void)chance;
    return 0.1;
}

static double sometimes_unknown(const double *x, uint32_t inputs, double chance) {
    return chance > 0.9 ? (double)NAN : g_function(x, inputs, chance);
}

static void nothing_is_made_of_a_constant(void **state) {
    (void)state;
    for (int kind = 0; kind < COR_INPUT_DESIGN_KINDS; kind++) {
        const struct cor_input_design design = {(enum cor_input_design_kind)kind, 2, 64};
        struct cor_sensitivity is = made(&design, 1, constant);
        assert_true(is.variance == 0 && is.points == 64);
        for (uint32_t i = 0; i < 3; i++)
            assert_true(isnan(is.effect[i].first) && isnan(is.effect[i].total) && isnan(is.effect[i].star));
        is = made(&design, 1, sometimes_unknown);
        assert_true(is.points > 32 && is.unknown > 0 && is.points + is.unknown == 64);
    }
}

/* Rows of a stream differ in inputs alone; each block of Sobol's points has one in each interval of 1 / n. */
static void designs_are_as_described(void **state) {
    (void)state;
    const struct cor_input_design sobol = {COR_INPUT_DESIGN_SOBOL, 2, 128};
    assert_int_equal(cor_input_design_rows(&sobol), 128 * 5);
    const uint32_t streams[] = {0, 1, 0, 0, 1};
    for (uint32_t r = 0; r < 10; r++)
        assert_int_equal(cor_input_design_stream(&sobol, r), streams[r % 5] + 2 * (r / 5));
    const struct cor_stream_name name = {.seed = 1, .purpose = COR_PURPOSE_TEST};
    struct cor_rng rng = cor_rng_named(&name);
    double *rows = calloc(128 * 5 * 2, sizeof *rows);
    assert_non_null(rows);
    assert_int_equal(cor_input_design_make(&sobol, &rng, rows, NULL), COR_OK);
    for (uint32_t block = 0; block < COR_INPUT_DESIGN_BLOCKS; block++) {
        unsigned seen = 0;
        for (uint32_t p = block; p < 128; p += COR_INPUT_DESIGN_BLOCKS) {
            const double first = rows[(size_t)p * 10], shift = rows[(size_t)block * 10];
            seen |= 1u << (unsigned)(8 * (first >= shift ? first - shift : first - shift + 1) + 0.001);
        }
        assert_int_equal(seen, 0xff);
    }
    free(rows);
    const struct cor_input_design morris = {COR_INPUT_DESIGN_MORRIS, 2, 4};
    assert_int_equal(cor_input_design_rows(&morris), 16);
    for (uint32_t r = 0; r < 16; r++)
        assert_int_equal(cor_input_design_stream(&morris, r), 2 * (r / 4) + (r % 4 == 3));
}

int main(void) {
    cor_statistics_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_of_ishigami_are_within_a_hundredth),
        cmocka_unit_test(indices_of_the_g_function_are_within_a_hundredth),
        cmocka_unit_test(chance_is_an_input_like_others),
        cmocka_unit_test(intervals_hold),
        cmocka_unit_test(elementary_effects_are_slopes),
        cmocka_unit_test(nothing_is_made_of_a_constant),
        cmocka_unit_test(designs_are_as_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
