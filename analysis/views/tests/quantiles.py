# SPDX-License-Identifier: GPL-3.0-or-later
"""Quantiles of the beta distribution and of Student's t, from the continued fraction of the incomplete beta function (Lentz;
Press et al., Numerical Recipes, 6.4) and bisection: what the tests hold GSL's against, where no scipy is."""
import math


def beta_below(x, a, b):
    """P(X <= x) of the beta distribution."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_below(1 - x, b, a)
    factor = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    h = d
    for m in range(1, 10000):
        for numerator in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                          -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d, c = 1 / (1 + numerator * d), 1 + numerator / c
            h *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return factor * h


def beta_quantile(p, a, b):
    low, high = 0.0, 1.0
    while True:
        x = (low + high) / 2
        if x in (low, high):
            return x
        if beta_below(x, a, b) < p:
            low = x
        else:
            high = x


def t_quantile(p, df):
    """Of p > 1/2: df / (df + t^2) has a beta distribution of df / 2 and 1 / 2."""
    x = beta_quantile(2 * (1 - p), df / 2, .5)
    return math.sqrt(df * (1 - x) / x)
