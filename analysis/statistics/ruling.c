/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "order.h"

#include <corridor/array.h>
#include <corridor/ruling.h>
#include <corridor/steady.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *cor_ruling_word(enum cor_ruling_method method) {
    static const char *const words[] = {
#define COR_RULING_WORD(NAME, word) word,
        COR_RULING_METHODS(COR_RULING_WORD)
#undef COR_RULING_WORD
    };
    COR_ASSERT((int)method >= 0 && method < COR_RULING_METHOD_COUNT);
    return words[method];
}

struct cor_ruling_rule cor_ruling_rule(bool is_share, bool is_claimed, bool at_least, double bound) {
    struct cor_ruling_rule rule = {.method = is_claimed ? COR_RULING_SEQUENTIAL : COR_RULING_WIDTH,
                                   .is_share = is_share,
                                   .is_claimed = is_claimed,
                                   .at_least = at_least,
                                   .bound = bound,
                                   .low = -INFINITY,
                                   .high = INFINITY,
                                   .alpha = 0.01,
                                   .beta = 0.01,
                                   .level = 0.95,
                                   .factor = 100};
    rule.indifference = fmin(0.01, fmin(bound, 1 - bound) / 2);
    rule.width = is_share || bound == 0 ? 0.01 : fabs(bound) / 100;
    return rule;
}

enum cor_status cor_ruling_rule_check(const struct cor_ruling_rule *rule, struct cor_error *error) {
    const bool tests_share = rule->is_claimed && (rule->is_share || rule->quantile > 0);
    const double bound = rule->quantile > 0 ? rule->quantile : rule->bound;
    if (!(rule->alpha > 0 && rule->beta > 0 && rule->alpha + rule->beta < 1))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "such as --alpha 0.01 --beta 0.01",
                        "alpha %g and beta %g: both are above 0, and together below 1", rule->alpha,
                        rule->beta);
    if (!(rule->level > 0 && rule->level < 1))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "such as 0.95",
                        "the level %g is not between 0 and 1 (exclusive)", rule->level);
    if (tests_share && rule->method == COR_RULING_SEQUENTIAL &&
        !(rule->indifference > 0 && bound - rule->indifference > 0 && bound + rule->indifference < 1))
        return cor_fail(error, COR_STATUS_INPUT, NULL,
                        bound > 0 && bound < 1 ? "make --indifference smaller"
                                               : "choose a bound between 0 and 1 (exclusive)",
                        "the region of indifference %g .. %g reaches to 0 or 1, or is none",
                        bound - rule->indifference, bound + rule->indifference);
    if (tests_share && rule->method == COR_RULING_BAYES && !(bound > 0 && bound < 1 && rule->factor > 1))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "such as P >= 0.99 with --bayes 100",
                        "needs a Bayes factor above 1 and a bound between 0 and 1 (exclusive)");
    if (rule->method == COR_RULING_BAYES && !tests_share)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "leave out --bayes",
                        "Bayes factors are for P and Q with a bound");
    if (rule->method == COR_RULING_WIDTH && !(rule->width > 0))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "such as 0.01", "the width %g is not above 0",
                        rule->width);
    return COR_OK;
}

void cor_ruling_fini(struct cor_ruling *ruling) {
    free(ruling->values);
    ruling->values = NULL;
    ruling->capacity = 0;
}

static void decide(struct cor_ruling *ruling, enum cor_ruling_end end) {
    ruling->end = end;
    ruling->is_over = true;
}

/* Is it decided by counting values that are so and so? */
static bool is_counted(const struct cor_ruling_rule *rule) {
    return rule->is_share || (rule->quantile > 0 && rule->is_claimed);
}

/* The share that is claimed to be at least, or at most, `bound`: of ones, or of amounts up to the bound. A
 * quantile of q is at most b if a share of q at least lies up to b. */
static bool share_is_least(const struct cor_ruling_rule *rule) {
    return rule->is_share ? rule->at_least : !rule->at_least;
}

static double share_bound(const struct cor_ruling_rule *rule) {
    return rule->is_share ? rule->bound : rule->quantile;
}

static double share_value(const struct cor_ruling_rule *rule, double value) {
    if (rule->is_share)
        return value;
    return rule->at_least ? value < rule->bound : value <= rule->bound;
}

void cor_ruling_init(struct cor_ruling *ruling, const struct cor_ruling_rule *rule) {
    *ruling = (struct cor_ruling){.rule = *rule, .look = 1};
    ruling->ratio[0] = ruling->ratio[1] = cor_weight_of(1);
    if (rule->method != COR_RULING_SEQUENTIAL)
        return;
    if (!is_counted(rule)) {
        ruling->look = 32;
        return;
    }
    const double low = share_bound(rule) - rule->indifference, high = share_bound(rule) + rule->indifference;
    ruling->step[0] = cor_weight_over(cor_weight_of(1 - high), cor_weight_of(1 - low));
    ruling->step[1] = cor_weight_over(cor_weight_of(high), cor_weight_of(low));
}

/* -1: the share lies below, 1: above, 0: open. An error of "above" is alpha where that is what the claim
 * says.
 */
static int side_of(const struct cor_ruling_rule *rule, struct cor_weight ratio) {
    const double above = share_is_least(rule) ? rule->alpha : rule->beta,
                 below = share_is_least(rule) ? rule->beta : rule->alpha;
    if (!cor_weight_less(ratio, cor_weight_of((1 - below) / above)))
        return 1;
    return cor_weight_less(cor_weight_of(below / (1 - above)), ratio) ? 0 : -1;
}

static void test_ratio(struct cor_ruling *ruling, double value) {
    const struct cor_ruling_rule *rule = &ruling->rule;
    int side[2];
    for (int as = 0; as < 2; as++) {
        const bool one = isnan(value) ? as == 1 : share_value(rule, value) > 0.5;
        ruling->ratio[as] = cor_weight_times(ruling->ratio[as], ruling->step[one]);
        side[as] = side_of(rule, ruling->ratio[as]);
    }
    if (side[0] != 0 && side[0] == side[1])
        decide(ruling, (side[0] > 0) == share_is_least(rule) ? COR_RULING_HOLDS : COR_RULING_FAILS);
}

/* How much the values speak for the share to be at least the bound, `ones` of `n`. */
static double bayes_factor(double ones, double n, double bound) {
    const double above = gsl_cdf_beta_Q(bound, ones + 1, n - ones + 1),
                 below = gsl_cdf_beta_P(bound, ones + 1, n - ones + 1);
    return above / below * bound / (1 - bound);
}

static void test_bayes(struct cor_ruling *ruling) {
    const struct cor_ruling_rule *rule = &ruling->rule;
    const double n = (double)(ruling->used + ruling->unknown), bound = share_bound(rule);
    const double least = bayes_factor(ruling->sum, n, bound),
                 most = bayes_factor(ruling->sum + (double)ruling->unknown, n, bound);
    const int side = least >= rule->factor ? 1 : most <= 1 / rule->factor ? -1 : 0;
    if (side != 0)
        decide(ruling, (side > 0) == share_is_least(rule) ? COR_RULING_HOLDS : COR_RULING_FAILS);
}

bool cor_ruling_is_boundless(const struct cor_ruling_rule *rule) {
    return !rule->is_share && !(rule->quantile > 0) && !(rule->high - rule->low < INFINITY);
}

/* How far amounts may be from each other; infinite: too few of them differ to say so. */
static double range_of(const struct cor_ruling *ruling) {
    if (!cor_ruling_is_boundless(&ruling->rule))
        return ruling->rule.high - ruling->rule.low;
    return ruling->pairs < COR_RULING_PAIRS ? INFINITY : 2 * (ruling->most - ruling->least);
}

/* How far the mean of amounts may be from theirs: farther to one side at any of all numbers of values with a
 * probability of `tail` at most. For r = range and each l in (0, 1)
 *   exp(l sum (x - mean) / r - (-ln(1 - l) - l) sum (x - mean of those before)^2 / r^2)
 * has an expectation of 1 at most, and so after each value (Fan, Grama and Liu 2015; Howard, Ramdas,
 * McAuliffe and Sekhon, Ann. Stat. 49, 2021, theorem 4). Several l share the error: great ones are for few
 * values, and for those that are nearly all equal. */
static double half_width(const struct cor_ruling *ruling, double tail) {
    static const double steps[] = {0.95, 0.7, 0.45, 0.25, 0.12, 0.06, 0.03, 0.012};
    const size_t count = sizeof steps / sizeof *steps;
    const double range = range_of(ruling), share = log((double)count / tail);
    double half = INFINITY;
    if (!(range > 0) || ruling->used == 0)
        return range > 0 ? half : 0;
    for (size_t i = 0; i < count && range < INFINITY; i++) {
        const double penalty = (-log1p(-steps[i]) - steps[i]) * ruling->squares / range / range;
        half = fmin(half, range * (share + penalty) / (steps[i] * (double)ruling->used));
    }
    return half;
}

#define TRENDS_FEW 8 /* fewer are not compared with each other */

void cor_ruling_take_trend(struct cor_ruling *ruling, double trend, bool by_itself) {
    const double before = ruling->trend;
    if (ruling->is_over)
        return;
    ruling->trends++;
    ruling->trend += (trend - before) / (double)ruling->trends;
    ruling->trend_squares += (trend - before) * (trend - ruling->trend);
    if (by_itself && ruling->trends < TRENDS_FEW)
        ruling->drifts = ruling->is_over = true;
}

/* Is there no steady state? The trend is nothing where it is less than the half of the interval: what it
 * bends the mean by is less than half of itself. Said where it is so at most once in a hundred; looks share
 * that. */
static bool drifts(struct cor_ruling *ruling) {
    const double n = (double)ruling->trends;
    if (n < TRENDS_FEW)
        return false;
    const double tail = 0.005 / ((double)ruling->looks * (ruling->looks + 1.0));
    const double half = gsl_cdf_tdist_Qinv(tail, n - 1) * sqrt(ruling->trend_squares / (n - 1) / n);
    ruling->drifts =
        fabs(ruling->trend) > half && fabs(ruling->trend) > half_width(ruling, (1 - ruling->rule.level) / 2);
    ruling->is_over = ruling->is_over || ruling->drifts;
    return ruling->drifts;
}

static void look_at_mean(struct cor_ruling *ruling) {
    const struct cor_ruling_rule *rule = &ruling->rule;
    ruling->looks++;
    if (drifts(ruling))
        return;
    const double sign = rule->at_least ? 1 : -1;
    const double excess = sign * (ruling->mean - rule->bound);
    if (excess > half_width(ruling, rule->alpha))
        decide(ruling, COR_RULING_HOLDS);
    else if (-excess > half_width(ruling, rule->beta))
        decide(ruling, COR_RULING_FAILS);
    ruling->look += ruling->look / 4;
}

/* Whether an exact interval of a share can be as narrow as asked for: that of Agresti and Coull, which costs
 * nothing, is about as wide. */
static bool may_be_narrow(const struct cor_ruling *ruling) {
    const double n = (double)(ruling->used + ruling->unknown) + 4, p = (ruling->sum + 2) / n;
    return !ruling->rule.is_share ||
           0.8 * gsl_cdf_ugaussian_Pinv(0.5 + ruling->rule.level / 2) * sqrt(p * (1 - p) / n) <=
               ruling->rule.width;
}

/* As narrow as asked for? Then the interval decides, or leaves it open. */
static void look_at_width(struct cor_ruling *ruling) {
    const struct cor_ruling_rule *rule = &ruling->rule;
    struct cor_bounds bounds;
    double middle;
    ruling->look = ruling->used + ruling->unknown + 1 + ruling->used / 100;
    if (!may_be_narrow(ruling))
        return;
    cor_ruling_interval(ruling, &middle, &bounds);
    if (!((bounds.high - bounds.low) / 2 <= rule->width) || (!rule->is_share && ruling->used < 32))
        return;
    ruling->looks = 1;
    ruling->is_over = true;
    if (drifts(ruling))
        return;
    if (!rule->is_claimed)
        ruling->end = COR_RULING_ESTIMATED;
    else if (rule->at_least ? bounds.low >= rule->bound : bounds.high <= rule->bound)
        ruling->end = COR_RULING_HOLDS;
    else if (rule->at_least ? bounds.high < rule->bound : bounds.low > rule->bound)
        ruling->end = COR_RULING_FAILS;
}

/* Pairs values that differ (Boyer and Moore, A fast majority vote algorithm, 1981). */
static void pair(struct cor_ruling *ruling, double value) {
    if (ruling->left_over > 0 && value != ruling->common) {
        ruling->left_over--;
        ruling->pairs++;
        return;
    }
    ruling->common = value;
    ruling->left_over++;
}

static enum cor_status keep(struct cor_ruling *ruling, double value, struct cor_error *error) {
    struct cor_ruling_rule *rule = &ruling->rule;
    /* An amount that lies elsewhere, as of suites that were made otherwise, was not bounded; by rounding
     * alone it is. */
    const double rounding = (fabs(rule->low) + fabs(rule->high)) * 1e-12;
    if (value < rule->low - rounding || value > rule->high + rounding) {
        rule->low = -INFINITY;
        rule->high = INFINITY;
    }
    /* Before the first there is none, and 0 is as good as any that can be. */
    const double none = cor_ruling_is_boundless(rule) ? value : fmin(fmax(0, rule->low), rule->high),
                 before = ruling->used > 0 ? ruling->mean : none;
    if (ruling->rule.quantile > 0) {
        COR_TRY(COR_RESERVE(&ruling->values, &ruling->capacity, ruling->used + 1, error));
        ruling->values[ruling->used] = value;
    }
    ruling->used++;
    ruling->sum += is_counted(&ruling->rule) ? share_value(&ruling->rule, value) : value;
    ruling->mean += (value - ruling->mean) / (double)ruling->used;
    ruling->squares += (value - before) * (value - before);
    ruling->least = ruling->used > 1 ? fmin(ruling->least, value) : value;
    ruling->most = ruling->used > 1 ? fmax(ruling->most, value) : value;
    pair(ruling, value);
    return COR_OK;
}

enum cor_status cor_ruling_take(struct cor_ruling *ruling, double value, struct cor_error *error) {
    const struct cor_ruling_rule *rule = &ruling->rule;
    ruling->taken += isnan(value) ? 0 : 1;
    if (ruling->is_over)
        return COR_OK;
    if (isnan(value))
        ruling->unknown++;
    else
        COR_TRY(keep(ruling, value, error));
    if (ruling->unknown > 0 && !is_counted(rule))
        return COR_OK;
    if (rule->method == COR_RULING_SEQUENTIAL && is_counted(rule))
        test_ratio(ruling, value);
    else if (ruling->used + ruling->unknown < ruling->look)
        return COR_OK;
    else if (rule->method == COR_RULING_WIDTH)
        look_at_width(ruling);
    else if (rule->method == COR_RULING_BAYES) {
        ruling->look = ruling->used + ruling->unknown + 1 + ruling->used / 1000;
        test_bayes(ruling);
    } else
        look_at_mean(ruling);
    return COR_OK;
}

/* How much k of n values below a quantile of q speak against q, all other shares as likely before: at some n
 * it is above 1 / x with a probability of x at most (Robbins, Ann. Math. Stat. 41, 1970). */
static double against(double k, double n, double q) {
    return gsl_sf_lnbeta(k + 1, n - k + 1) - k * log(q) - (n - k) * log(1 - q);
}

/* Order statistics: those between which the quantile lies unless too many values speak against that. */
static void quantile_interval(const struct cor_ruling *ruling, double *middle, struct cor_bounds *bounds) {
    const double n = (double)ruling->used, q = ruling->rule.quantile, most = -log(1 - ruling->rule.level);
    struct statistics__place *sorted = cor_calloc(ruling->used, sizeof *sorted);
    if (!sorted)
        return;
    statistics__order(ruling->values, ruling->used, sorted);
    uint64_t low = (uint64_t)(q * n), high = low;
    while (low > 0 && against((double)low - 1, n, q) < most)
        low--;
    while (high < ruling->used && against((double)high + 1, n, q) < most)
        high++;
    *middle = sorted[(uint64_t)fmin(ceil(q * n), n) - 1].value;
    if (low > 0)
        bounds->low = sorted[low - 1].value;
    if (high < ruling->used)
        bounds->high = sorted[high].value;
    free(sorted);
}

void cor_ruling_interval(const struct cor_ruling *ruling, double *middle, struct cor_bounds *bounds) {
    const struct cor_ruling_rule *rule = &ruling->rule;
    *bounds = (struct cor_bounds){NAN, NAN};
    *middle = NAN;
    if (ruling->used == 0)
        return;
    if (rule->quantile > 0) {
        quantile_interval(ruling, middle, bounds);
        return;
    }
    *middle = ruling->mean;
    if (rule->is_share) {
        const uint64_t ones = (uint64_t)ruling->sum;
        /* What is unknown may be either. */
        bounds->low = cor_proportion_clopper_pearson(ones, ruling->used + ruling->unknown, rule->level).low;
        bounds->high = cor_proportion_clopper_pearson(ones + ruling->unknown, ruling->used + ruling->unknown,
                                                      rule->level)
                           .high;
    } else if (ruling->unknown == 0 && range_of(ruling) < INFINITY) {
        const double half = half_width(ruling, (1 - rule->level) / 2);
        *bounds =
            (struct cor_bounds){fmax(ruling->mean - half, rule->low), fmin(ruling->mean + half, rule->high)};
    }
}

/* Wald, Sequential tests of statistical hypotheses, 1945, 4.3: L(p) ln B + (1 - L(p)) ln A over the mean
 * step. The operating characteristic L(p) goes by the h with p (p1/p0)^h + (1 - p) ((1 - p1)/(1 - p0))^h = 1.
 */
double cor_ruling_expected(const struct cor_ruling_rule *rule, double p) {
    const double low = share_bound(rule) - rule->indifference, high = share_bound(rule) + rule->indifference;
    const double above = share_is_least(rule) ? rule->alpha : rule->beta,
                 below = share_is_least(rule) ? rule->beta : rule->alpha;
    const double a = log((1 - below) / above), b = log(below / (1 - above));
    const double one = log(high / low), zero = log((1 - high) / (1 - low)), step = p * one + (1 - p) * zero;
    if (fabs(step) < 1e-9) /* h = 0 */
        return -a * b / (p * one * one + (1 - p) * zero * zero);
    /* The root beside 0: on the side on which p^h .. begins to fall. */
    double inner = 0, outer = step > 0 ? -1 : 1;
    while (p * exp(outer * one) + (1 - p) * exp(outer * zero) < 1 && fabs(outer) < 1e6)
        outer *= 2;
    for (int i = 0; i < 200; i++) {
        const double h = (inner + outer) / 2;
        *(p * exp(h * one) + (1 - p) * exp(h * zero) < 1 ? &inner : &outer) = h;
    }
    const double h = (inner + outer) / 2, accept = (exp(h * a) - 1) / (exp(h * a) - exp(h * b));
    return (accept * b + (1 - accept) * a) / step;
}

/* ---- the long run of a sequence */

#define FIVE 5
#define TRIED_MOST (2 * COR_STEADY_BATCHES_MAX)
#define TRIED_LEAST 8
#define ONE_SIDED_TENTH 1.2815515655446004 /* quantile 0.9 of the normal law */

static double mean_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* How many means of five are best left out: the squared standard error of those behind is least. From behind
 * on, so that sums grow by what comes in. */
static size_t find_warm_up(const double *values, size_t fives) {
    double mean = 0, squares = 0, least = INFINITY;
    size_t best = 0;
    for (size_t behind = 1; behind <= fives; behind++) {
        const size_t at = fives - behind;
        const double five = mean_of(values + at * FIVE, FIVE), before = mean;
        mean += (five - before) / (double)behind;
        squares += (five - before) * (five - mean);
        if (at > fives / 2)
            continue;
        const double error = squares / ((double)behind * (double)behind);
        if (error <= least) { /* of equal ones the earliest */
            least = error;
            best = at;
        }
    }
    return best;
}

/* Are means of neighbours alike, beyond what chance makes of 90 in 100 that are not? */
static bool hang_together(const double *means, uint32_t count) {
    const double middle = mean_of(means, count);
    double squares = 0, steps = 0;
    for (uint32_t i = 0; i < count; i++) {
        squares += (means[i] - middle) * (means[i] - middle);
        if (i > 0)
            steps += (means[i] - means[i - 1]) * (means[i] - means[i - 1]);
    }
    if (squares == 0)
        return false;
    const double n = count, correlation = 1 - steps / squares / 2;
    return correlation * sqrt((n * n - 1) / (n - 2)) > ONE_SIDED_TENTH;
}

static void find_batches(const double *values, size_t count, struct cor_steady *steady) {
    for (uint32_t tried = TRIED_MOST; tried >= TRIED_LEAST; tried /= 2) {
        double means[TRIED_MOST];
        const size_t length = count / tried, first = count - tried * length;
        if (length == 0)
            continue;
        for (uint32_t i = 0; i < tried; i++)
            means[i] = mean_of(values + first + i * length, length);
        if (hang_together(means, tried))
            continue;
        steady->batch_count = tried / 2;
        for (uint32_t i = 0; i < tried / 2; i++)
            steady->batch[i] = (means[2 * i] + means[2 * i + 1]) / 2;
        return;
    }
}

/* Student's t of the batches of both halves. */
static bool drift(const double *batches, uint32_t count) {
    const uint32_t half = count / 2;
    const double first = mean_of(batches, half), second = mean_of(batches + half, half);
    double squares = 0;
    for (uint32_t i = 0; i < 2 * half; i++) {
        const double from = batches[i] - (i < half ? first : second);
        squares += from * from;
    }
    const double error = sqrt(squares / (2 * half - 2.0) * 2 / half);
    return fabs(second - first) > gsl_cdf_tdist_Qinv(0.0005, 2 * half - 2.0) * error;
}

static void find_means(const double *behind, size_t left, struct cor_steady *steady) {
    const size_t half = left / 2;
    steady->mean = mean_of(behind, left);
    steady->trend = mean_of(behind + (left - half), half) - mean_of(behind, half);
}

bool cor_steady_find(const double *values, size_t count, struct cor_steady *steady) {
    *steady = (struct cor_steady){.mean = NAN, .trend = NAN};
    if (count < COR_STEADY_LEAST)
        return false;
    const size_t fives = count / FIVE, out = find_warm_up(values, fives);
    /* Where it is least depends on how the values just went; as many again are left out, so that those behind
     * do not know of it. */
    steady->warm_up = (out < fives / 4 ? 2 * out : fives / 2) * FIVE;
    const double *behind = values + steady->warm_up;
    const size_t left = count - steady->warm_up;
    find_means(behind, left, steady);
    if (out < fives / 2)
        find_batches(behind, left, steady);
    steady->drifts = steady->batch_count > 0 && drift(steady->batch, steady->batch_count);
    steady->is_long = steady->batch_count > 0;
    return true;
}

bool cor_steady_behind(const double *values, size_t count, size_t warm_up, struct cor_steady *steady) {
    *steady = (struct cor_steady){.warm_up = warm_up, .mean = NAN, .trend = NAN};
    if (count < warm_up + COR_STEADY_LEAST / 2)
        return false;
    find_means(values + warm_up, count - warm_up, steady);
    return true;
}

/* The mean of the sequences in each case that at least half of them have. */
static enum cor_status find_curve(const struct cor_steady_pilot *pilot, double **curve, size_t *length,
                                  struct cor_error *error) {
    size_t longest = 0, begin = 0;
    for (uint32_t i = 0; i < pilot->count; begin = pilot->end[i++])
        longest = pilot->end[i] - begin > longest ? pilot->end[i] - begin : longest;
    double *sum = *curve = cor_calloc(longest + 1, sizeof *sum);
    COR_TRY(cor_made(sum, error));
    for (*length = 0; *length < longest; ++*length) {
        uint32_t have = 0;
        begin = 0;
        for (uint32_t i = 0; i < pilot->count; begin = pilot->end[i++])
            if (pilot->end[i] - begin > *length) {
                sum[*length] += pilot->values[begin + *length];
                have++;
            }
        if (2 * have < pilot->count)
            break;
        sum[*length] /= have;
    }
    return COR_OK;
}

enum cor_status cor_steady_pilot_take(struct cor_steady_pilot *pilot, const double *values, size_t count,
                                      struct cor_error *error) {
    const size_t begin = pilot->count > 0 ? pilot->end[pilot->count - 1] : 0;
    struct cor_steady steady;
    double *curve;
    size_t length;
    COR_ASSERT(!pilot->is_known);
    COR_TRY(COR_RESERVE(&pilot->values, &pilot->capacity, begin + count, error));
    memcpy(pilot->values + begin, values, count * sizeof *values);
    pilot->end[pilot->count++] = begin + count;
    if (pilot->count < COR_STEADY_PILOTS)
        return COR_OK;
    COR_TRY(find_curve(pilot, &curve, &length, error));
    pilot->is_known = true;
    cor_steady_find(curve, length, &steady);
    pilot->warm_up = steady.warm_up;
    pilot->trend = steady.trend;
    pilot->is_steady = length >= COR_STEADY_LEAST && steady.warm_up < length / FIVE / 2 * FIVE;
    free(curve);
    return COR_OK;
}

void cor_steady_pilot_fini(struct cor_steady_pilot *pilot) {
    free(pilot->values);
    *pilot = (struct cor_steady_pilot){0};
}
