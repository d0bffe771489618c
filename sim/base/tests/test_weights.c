/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/rng.h>
#include <corridor/weight.h>

#include <math.h>

static void products_agree_with_long_sums_of_logarithms(void **unused) {
    (void)unused;
    const struct cor_stream_name name = {.seed = 1, .purpose = COR_PURPOSE_TEST};
    struct cor_rng rng = cor_rng_named(&name);
    struct cor_weight product = cor_weight_of(1), quotient = cor_weight_of(1);
    long double logarithm = 0;
    for (int i = 0; i < 5000; i++) {
        const double factor = cor_rng_unit(&rng) + 0x1p-60;
        product = cor_weight_times(product, cor_weight_of(factor));
        quotient = cor_weight_over(quotient, cor_weight_of(factor));
        logarithm += log2l(factor);
    }
    assert_true(fabsl(log2l(product.mantissa) + (long double)product.exponent - logarithm) < 1e-9L);
    assert_true(fabsl(log2l(quotient.mantissa) + (long double)quotient.exponent + logarithm) < 1e-9L);
    assert_true(cor_weight_value(product) == 0 && isinf(cor_weight_value(quotient)));
    assert_true(cor_weight_less(product, quotient) && !cor_weight_less(quotient, product));
}

static void sums_are_those_of_doubles_where_these_suffice(void **unused) {
    (void)unused;
    static const double values[] = {0, 1e-300, 0.3, 0.5, 1, 3, 1e17, 1e300};
    for (size_t a = 0; a < sizeof values / sizeof *values; a++)
        for (size_t b = 0; b < sizeof values / sizeof *values; b++) {
            const struct cor_weight x = cor_weight_of(values[a]), y = cor_weight_of(values[b]);
            assert_true(cor_weight_value(cor_weight_plus(x, y)) == values[a] + values[b]);
            assert_true(cor_weight_less(x, y) == (values[a] < values[b]));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_agree_with_long_sums_of_logarithms),
                                       cmocka_unit_test(sums_are_those_of_doubles_where_these_suffice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
