/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fractions of 128 bits, and intervals where these do not do. */
#include "ask.h"

#include <math.h>

typedef expression__wide wide;
typedef struct expression__exact exact;

static wide magnitude_of(wide a) {
    return a < 0 ? -a : a;
}

static wide divisor_of(wide a, wide b) {
    a = magnitude_of(a);
    while (b != 0) {
        if (a <= INT64_MAX && b <= INT64_MAX) { /* much faster */
            uint64_t x = (uint64_t)a, y = (uint64_t)b;
            while (y != 0) {
                const uint64_t rest = x % y;
                x = y;
                y = rest;
            }
            return (wide)x;
        }
        const wide rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* So small that its opposite is one, too. */
static bool is_small(wide a) {
    const wide most = (wide)1 << 126;
    return a > -most && a < most;
}

static bool product_of(wide a, wide b, wide *product) {
    return !__builtin_mul_overflow(a, b, product) && is_small(*product);
}

exact expression__exact_integer(int64_t integer) {
    return (exact){integer, 1, 0, 0};
}

exact expression__exact_fraction(int64_t numerator, int64_t denominator) {
    const wide sign = denominator < 0 ? -1 : 1, by = sign * divisor_of(numerator, magnitude_of(denominator));
    return (exact){numerator / by, denominator / by, 0, 0};
}

/* Between the reals next to it, and as many more as what was rounded on the way takes. */
static exact between(double low, double high) {
    for (int i = 0; i < 4; i++) {
        low = nextafter(low, -INFINITY);
        high = nextafter(high, INFINITY);
    }
    return isnan(low) || isnan(high) ? (exact){0, 0, -INFINITY, INFINITY} : (exact){0, 0, low, high};
}

static exact as_interval(const exact *a) {
    if (a->denominator == 0)
        return *a;
    const double real = expression__exact_real(a, 0);
    return between(real, real);
}

exact expression__exact_decimal(double real) {
    int64_t digits;
    int power;
    cor_real_digits(real, &digits, &power);
    exact made = {digits, 1, 0, 0};
    for (; power > 0 && product_of(made.numerator, 10, &made.numerator); power--) {
    }
    for (; power < 0 && product_of(made.denominator, 10, &made.denominator); power++) {
    }
    if (power != 0)
        return between(real, real);
    const wide by = divisor_of(made.numerator, made.denominator);
    return (exact){made.numerator / by, made.denominator / by, 0, 0};
}

double expression__exact_real(const exact *a, double otherwise) {
    return a->denominator == 0 ? otherwise : (double)a->numerator / (double)a->denominator;
}

static bool add_exact(const exact *a, const exact *b, exact *made) {
    const wide by = divisor_of(a->denominator, b->denominator), a_share = a->denominator / by,
               b_share = b->denominator / by;
    wide one, other;
    if (!product_of(a->numerator, b_share, &one) || !product_of(b->numerator, a_share, &other) ||
        __builtin_add_overflow(one, other, &made->numerator) || !is_small(made->numerator) ||
        !product_of(a->denominator, b_share, &made->denominator))
        return false;
    const wide common = divisor_of(made->numerator, made->denominator);
    made->numerator /= common;
    made->denominator /= common;
    return true;
}

static bool multiply(const exact *a, const exact *b, exact *made) {
    const wide one = divisor_of(a->numerator, b->denominator),
               other = divisor_of(b->numerator, a->denominator);
    return product_of(a->numerator / one, b->numerator / other, &made->numerator) &&
           product_of(a->denominator / other, b->denominator / one, &made->denominator);
}

/* The interval of what an operator gives of two intervals. */
static exact apply_between(enum cor_operator kind, const exact *a, const exact *b) {
    switch (kind) {
    case COR_OPERATOR_ADD:
        return between(a->low + b->low, a->high + b->high);
    case COR_OPERATOR_SUBTRACT:
        return between(a->low - b->high, a->high - b->low);
    case COR_OPERATOR_MIN:
        return (exact){0, 0, fmin(a->low, b->low), fmin(a->high, b->high)};
    case COR_OPERATOR_MAX:
        return (exact){0, 0, fmax(a->low, b->low), fmax(a->high, b->high)};
    case COR_OPERATOR_MULTIPLY: {
        const double ways[4] = {a->low * b->low, a->low * b->high, a->high * b->low, a->high * b->high};
        double low = ways[0], high = ways[0], any = 0;
        for (int i = 0; i < 4; i++) {
            any += ways[i]; /* not a number where one of them is none */
            low = fmin(low, ways[i]);
            high = fmax(high, ways[i]);
        }
        return isnan(any) ? between(-INFINITY, INFINITY) : between(low, high);
    }
    default: { /* DIVIDE */
        if (b->low <= 0 && b->high >= 0)
            return between(-INFINITY, INFINITY);
        const exact inverse = between(1 / b->high, 1 / b->low);
        return apply_between(COR_OPERATOR_MULTIPLY, a, &inverse);
    }
    }
}

bool expression__exact_apply(enum cor_operator kind, const exact *a, const exact *b, exact *made) {
    const exact left = *a, right = *b;
    const exact negated = left.denominator ? (exact){-left.numerator, left.denominator, 0, 0}
                                           : (exact){0, 0, -left.high, -left.low};
    const bool is_known = left.denominator != 0 && right.denominator != 0;
    const exact opposite = {-right.numerator, right.denominator, 0, 0};
    bool fits = false;
    int order;
    switch (kind) {
    case COR_OPERATOR_NEGATE:
        *made = negated;
        return true;
    case COR_OPERATOR_ABS:
        return expression__exact_apply(COR_OPERATOR_MAX, &left, &negated, made);
    case COR_OPERATOR_MIN:
    case COR_OPERATOR_MAX:
        fits = expression__exact_compare(&left, &right, &order);
        if (fits)
            *made = (order <= 0) == (kind == COR_OPERATOR_MIN) ? left : right;
        break;
    case COR_OPERATOR_ADD:
    case COR_OPERATOR_SUBTRACT:
        fits = is_known && add_exact(&left, kind == COR_OPERATOR_ADD ? &right : &opposite, made);
        break;
    case COR_OPERATOR_MULTIPLY:
        fits = is_known && multiply(&left, &right, made);
        break;
    default: { /* DIVIDE */
        if (right.denominator != 0 && right.numerator == 0)
            return false;
        const exact reciprocal = right.numerator < 0 ? (exact){-right.denominator, -right.numerator, 0, 0}
                                                     : (exact){right.denominator, right.numerator, 0, 0};
        fits = is_known && multiply(&left, &reciprocal, made);
    }
    }
    if (!fits) {
        const exact one = as_interval(&left), other = as_interval(&right);
        *made = apply_between(kind, &one, &other);
    }
    return true;
}

/* Rounded down, of a denominator above 0. */
static wide whole_part(wide numerator, wide denominator) {
    return numerator / denominator - (numerator % denominator < 0);
}

/* By their continued fractions: nothing is larger than what they are made of. */
static int order_of(wide a, wide b, wide c, wide d) {
    for (;;) {
        const wide one = whole_part(a, b), other = whole_part(c, d);
        if (one != other)
            return one < other ? -1 : 1;
        const wide a_rest = a - one * b, c_rest = c - other * d;
        if (a_rest == 0 || c_rest == 0)
            return (a_rest != 0) - (c_rest != 0);
        a = d; /* what is left is the greater the less its reciprocal is */
        c = b;
        b = c_rest;
        d = a_rest;
    }
}

bool expression__exact_compare(const exact *a, const exact *b, int *order) {
    if (a->denominator != 0 && b->denominator != 0) {
        *order = order_of(a->numerator, a->denominator, b->numerator, b->denominator);
        return true;
    }
    const exact one = as_interval(a), other = as_interval(b);
    *order = one.high < other.low ? -1 : 1;
    return one.high < other.low || one.low > other.high;
}
