/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/error.h>
#include <corridor/weight.h>

#include <math.h>

static struct cor_weight normal(double mantissa, int64_t exponent) {
    int places;
    if (!(mantissa > 0))
        return (struct cor_weight){0, 0};
    mantissa = frexp(mantissa, &places);
    return (struct cor_weight){mantissa, exponent + places};
}

struct cor_weight cor_weight_of(double value) {
    COR_ASSERT(value >= 0 && value <= 1.7976931348623157e308);
    return normal(value, 0);
}

struct cor_weight cor_weight_times(struct cor_weight a, struct cor_weight b) {
    return normal(a.mantissa * b.mantissa, a.exponent + b.exponent);
}

struct cor_weight cor_weight_plus(struct cor_weight a, struct cor_weight b) {
    if (a.mantissa == 0 || (b.mantissa > 0 && b.exponent > a.exponent)) {
        const struct cor_weight greater = b;
        b = a;
        a = greater;
    }
    const int64_t apart = a.exponent - b.exponent;
    if (b.mantissa == 0 || apart > 2000) /* beyond the last place of the greater one */
        return a;
    return normal(a.mantissa + ldexp(b.mantissa, (int)-apart), a.exponent);
}

struct cor_weight cor_weight_over(struct cor_weight a, struct cor_weight b) {
    COR_ASSERT(b.mantissa > 0);
    return normal(a.mantissa / b.mantissa, a.exponent - b.exponent);
}

bool cor_weight_less(struct cor_weight a, struct cor_weight b) {
    if (a.mantissa == 0 || b.mantissa == 0)
        return a.mantissa < b.mantissa;
    return a.exponent != b.exponent ? a.exponent < b.exponent : a.mantissa < b.mantissa;
}

double cor_weight_value(struct cor_weight weight) {
    const int64_t exponent = weight.exponent > 5000    ? 5000
                             : weight.exponent < -5000 ? -5000
                                                       : weight.exponent;
    return ldexp(weight.mantissa, (int)exponent);
}

void cor_weight_halved(struct cor_weight weight, double *mantissa, uint32_t *halvings) {
    *mantissa = 16 * weight.mantissa;
    *halvings = 0;
    COR_ASSERT(weight.exponent <= 4);
    if (weight.mantissa > 0 && 4 - weight.exponent <= UINT32_MAX)
        *halvings = (uint32_t)(4 - weight.exponent);
    else
        *mantissa = 0;
}
