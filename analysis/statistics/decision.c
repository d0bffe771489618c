/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/decision.h>

#include <corridor/array.h>

#include <gsl/gsl_cdf.h>

#include <math.h>
#include <stdlib.h>

static const struct {
    const char *word, *meaning;
} methods[] = {
#define COR_DECISION_ROW(NAME, word, meaning) {word, meaning},
    COR_DECISION_METHODS(COR_DECISION_ROW)
#undef COR_DECISION_ROW
};

const char *cor_decision_word(enum cor_decision_method method) {
    COR_ASSERT((int)method >= 0 && method < COR_DECISION_METHOD_COUNT);
    return methods[method].word;
}

const char *cor_decision_meaning(enum cor_decision_method method) {
    COR_ASSERT((int)method >= 0 && method < COR_DECISION_METHOD_COUNT);
    return methods[method].meaning;
}

struct cor_decision_rule cor_decision_rule(bool is_share, bool is_claimed, bool at_least, double bound) {
    struct cor_decision_rule rule = {.method = is_claimed ? COR_DECISION_SEQUENTIAL : COR_DECISION_WIDTH,
                                     .is_share = is_share,
                                     .is_claimed = is_claimed,
                                     .at_least = at_least,
                                     .bound = bound,
                                     .alpha = 0.01,
                                     .beta = 0.01,
                                     .level = 0.95,
                                     .factor = 100};
    rule.indifference = fmin(0.01, fmin(bound, 1 - bound) / 2);
    rule.width = is_share || bound == 0 ? 0.01 : fabs(bound) / 100;
    return rule;
}

enum cor_status cor_decision_rule_check(const struct cor_decision_rule *rule, struct cor_error *error) {
    const bool tests_share = rule->is_claimed && (rule->is_share || rule->quantile > 0);
    const double bound = rule->quantile > 0 ? rule->quantile : rule->bound;
    if (!(rule->alpha > 0 && rule->beta > 0 && rule->alpha + rule->beta < 1))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "such as --alpha 0.01 --beta 0.01",
                        "alpha %g and beta %g: both are above 0, and together below 1", rule->alpha,
                        rule->beta);
    if (!(rule->level > 0 && rule->level < 1))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "such as 0.95", "the level %g is not within 0 .. 1",
                        rule->level);
    if (tests_share && rule->method == COR_DECISION_SEQUENTIAL &&
        !(rule->indifference > 0 && bound - rule->indifference > 0 && bound + rule->indifference < 1))
        return cor_fail(error, COR_STATUS_INPUT, NULL,
                        bound > 0 && bound < 1 ? "make --indifference smaller"
                                               : "choose a bound within 0 .. 1",
                        "the region of indifference %g .. %g reaches to 0 or 1, or is none",
                        bound - rule->indifference, bound + rule->indifference);
    if (tests_share && rule->method == COR_DECISION_BAYES && !(bound > 0 && bound < 1 && rule->factor > 1))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "such as P >= 0.99 with --bayes 100",
                        "a Bayes factor above 1, and a bound within 0 .. 1, without these, are asked for");
    if (rule->method == COR_DECISION_BAYES && !tests_share)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "leave out --bayes",
                        "Bayes factors are for P and Q with a bound");
    if (rule->method == COR_DECISION_WIDTH && !(rule->width > 0))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "such as 0.01", "the width %g is not above 0",
                        rule->width);
    return COR_OK;
}

void cor_decision_fini(struct cor_decision *decision) {
    free(decision->values);
    decision->values = NULL;
    decision->capacity = 0;
}

static void decide(struct cor_decision *decision, enum cor_decision_end end) {
    decision->end = end;
    decision->is_over = true;
}

/* Is it decided by counting values that are so and so? */
static bool is_counted(const struct cor_decision_rule *rule) {
    return rule->is_share || (rule->quantile > 0 && rule->is_claimed);
}

/* The share that is claimed to be at least, or at most, `bound`: of ones, or of amounts up to the bound. A
 * quantile of q is at most b if a share of q at least lies up to b. */
static bool share_is_least(const struct cor_decision_rule *rule) {
    return rule->is_share ? rule->at_least : !rule->at_least;
}

static double share_bound(const struct cor_decision_rule *rule) {
    return rule->is_share ? rule->bound : rule->quantile;
}

static double share_value(const struct cor_decision_rule *rule, double value) {
    if (rule->is_share)
        return value;
    return rule->at_least ? value < rule->bound : value <= rule->bound;
}

void cor_decision_init(struct cor_decision *decision, const struct cor_decision_rule *rule) {
    *decision = (struct cor_decision){.rule = *rule, .look = 1};
    decision->ratio[0] = decision->ratio[1] = cor_weight_of(1);
    if (rule->method != COR_DECISION_SEQUENTIAL)
        return;
    if (!is_counted(rule)) {
        decision->look = 32;
        return;
    }
    const double low = share_bound(rule) - rule->indifference, high = share_bound(rule) + rule->indifference;
    decision->step[0] = cor_weight_over(cor_weight_of(1 - high), cor_weight_of(1 - low));
    decision->step[1] = cor_weight_over(cor_weight_of(high), cor_weight_of(low));
}

/* -1: the share lies below, 1: above, 0: open. An error of "above" is alpha where that is what the claim
 * says.
 */
static int side_of(const struct cor_decision_rule *rule, struct cor_weight ratio) {
    const double above = share_is_least(rule) ? rule->alpha : rule->beta,
                 below = share_is_least(rule) ? rule->beta : rule->alpha;
    if (!cor_weight_less(ratio, cor_weight_of((1 - below) / above)))
        return 1;
    return cor_weight_less(cor_weight_of(below / (1 - above)), ratio) ? 0 : -1;
}

static void test_ratio(struct cor_decision *decision, double value) {
    const struct cor_decision_rule *rule = &decision->rule;
    int side[2];
    for (int as = 0; as < 2; as++) {
        const bool one = isnan(value) ? as == 1 : share_value(rule, value) > 0.5;
        decision->ratio[as] = cor_weight_times(decision->ratio[as], decision->step[one]);
        side[as] = side_of(rule, decision->ratio[as]);
    }
    if (side[0] != 0 && side[0] == side[1])
        decide(decision, (side[0] > 0) == share_is_least(rule) ? COR_DECISION_HOLDS : COR_DECISION_FAILS);
}

/* How much the values speak for the share to be at least the bound, `ones` of `n`. */
static double bayes_factor(double ones, double n, double bound) {
    const double above = gsl_cdf_beta_Q(bound, ones + 1, n - ones + 1),
                 below = gsl_cdf_beta_P(bound, ones + 1, n - ones + 1);
    return above / below * bound / (1 - bound);
}

static void test_bayes(struct cor_decision *decision) {
    const struct cor_decision_rule *rule = &decision->rule;
    const double n = (double)(decision->used + decision->unknown), bound = share_bound(rule);
    const double least = bayes_factor(decision->sum, n, bound),
                 most = bayes_factor(decision->sum + (double)decision->unknown, n, bound);
    const int side = least >= rule->factor ? 1 : most <= 1 / rule->factor ? -1 : 0;
    if (side != 0)
        decide(decision, (side > 0) == share_is_least(rule) ? COR_DECISION_HOLDS : COR_DECISION_FAILS);
}

/* Half the width of an interval of Student's t with that probability beyond each end. */
static double half_width(const struct cor_decision *decision, double tail) {
    const double n = (double)decision->used;
    if (n < 2)
        return INFINITY;
    return gsl_cdf_tdist_Qinv(tail, n - 1) * sqrt(decision->squares / (n - 1) / n);
}

/* The errors are shared out among the looks: of look k alpha / (k (k + 1)), which sum up to alpha. */
static void look_at_mean(struct cor_decision *decision) {
    const struct cor_decision_rule *rule = &decision->rule;
    decision->looks++;
    const double share = 1 / ((double)decision->looks * (decision->looks + 1.0)),
                 sign = rule->at_least ? 1 : -1;
    const double excess = sign * (decision->mean - rule->bound);
    if (excess > half_width(decision, rule->alpha * share))
        decide(decision, COR_DECISION_HOLDS);
    else if (-excess > half_width(decision, rule->beta * share))
        decide(decision, COR_DECISION_FAILS);
    decision->look += decision->look / 4;
}

/* Whether an exact interval of a share can be as narrow as asked for: that of Agresti and Coull, which costs
 * nothing, is about as wide. */
static bool may_be_narrow(const struct cor_decision *decision) {
    const double n = (double)(decision->used + decision->unknown) + 4, p = (decision->sum + 2) / n;
    return !decision->rule.is_share ||
           0.8 * gsl_cdf_ugaussian_Pinv(0.5 + decision->rule.level / 2) * sqrt(p * (1 - p) / n) <=
               decision->rule.width;
}

/* As narrow as asked for? Then the interval decides, or leaves it open. */
static void look_at_width(struct cor_decision *decision) {
    const struct cor_decision_rule *rule = &decision->rule;
    struct cor_bounds bounds;
    double middle;
    decision->look = decision->used + decision->unknown + 1 + decision->used / 100;
    if (!may_be_narrow(decision))
        return;
    cor_decision_interval(decision, &middle, &bounds);
    if (!((bounds.high - bounds.low) / 2 <= rule->width) || (!rule->is_share && decision->used < 32))
        return;
    decision->is_over = true;
    if (!rule->is_claimed)
        decision->end = COR_DECISION_ESTIMATED;
    else if (rule->at_least ? bounds.low >= rule->bound : bounds.high <= rule->bound)
        decision->end = COR_DECISION_HOLDS;
    else if (rule->at_least ? bounds.high < rule->bound : bounds.low > rule->bound)
        decision->end = COR_DECISION_FAILS;
}

static enum cor_status keep(struct cor_decision *decision, double value, struct cor_error *error) {
    const double before = decision->mean;
    if (decision->rule.quantile > 0) {
        COR_TRY(COR_RESERVE(&decision->values, &decision->capacity, decision->used + 1, error));
        decision->values[decision->used] = value;
    }
    decision->used++;
    decision->sum += is_counted(&decision->rule) ? share_value(&decision->rule, value) : value;
    decision->mean += (value - before) / (double)decision->used;
    decision->squares += (value - before) * (value - decision->mean);
    return COR_OK;
}

enum cor_status cor_decision_take(struct cor_decision *decision, double value, struct cor_error *error) {
    const struct cor_decision_rule *rule = &decision->rule;
    decision->taken += isnan(value) ? 0 : 1;
    if (decision->is_over)
        return COR_OK;
    if (isnan(value))
        decision->unknown++;
    else
        COR_TRY(keep(decision, value, error));
    if (decision->unknown > 0 && !is_counted(rule))
        return COR_OK;
    if (rule->method == COR_DECISION_SEQUENTIAL && is_counted(rule))
        test_ratio(decision, value);
    else if (decision->used + decision->unknown < decision->look)
        return COR_OK;
    else if (rule->method == COR_DECISION_WIDTH)
        look_at_width(decision);
    else if (rule->method == COR_DECISION_BAYES) {
        decision->look = decision->used + decision->unknown + 1 + decision->used / 1000;
        test_bayes(decision);
    } else
        look_at_mean(decision);
    return COR_OK;
}

static int compare_reals(const void *one, const void *other) {
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* Order statistics: those whose numbers a binomial distribution of the quantile's share lies between. */
static void quantile_interval(const struct cor_decision *decision, double *middle,
                              struct cor_bounds *bounds) {
    const double n = (double)decision->used, q = decision->rule.quantile,
                 tail = (1 - decision->rule.level) / 2;
    double *sorted = cor_calloc(decision->used, sizeof *sorted);
    if (!sorted)
        return;
    for (uint64_t i = 0; i < decision->used; i++)
        sorted[i] = decision->values[i];
    qsort(sorted, decision->used, sizeof *sorted, compare_reals);
    uint64_t low = 0, high = 0;
    while (low < decision->used && gsl_cdf_binomial_P((unsigned)low, q, (unsigned)n) <= tail)
        low++;
    while (high < decision->used && gsl_cdf_binomial_P((unsigned)high, q, (unsigned)n) < 1 - tail)
        high++;
    *middle = sorted[(uint64_t)fmin(ceil(q * n), n) - 1];
    if (low > 0)
        bounds->low = sorted[low - 1];
    if (high < decision->used)
        bounds->high = sorted[high];
    free(sorted);
}

void cor_decision_interval(const struct cor_decision *decision, double *middle, struct cor_bounds *bounds) {
    const struct cor_decision_rule *rule = &decision->rule;
    *bounds = (struct cor_bounds){NAN, NAN};
    *middle = NAN;
    if (decision->used == 0)
        return;
    if (rule->quantile > 0) {
        quantile_interval(decision, middle, bounds);
        return;
    }
    *middle = decision->mean;
    if (rule->is_share) {
        const uint64_t ones = (uint64_t)decision->sum;
        /* What is unknown may be either. */
        bounds->low =
            cor_proportion_clopper_pearson(ones, decision->used + decision->unknown, rule->level).low;
        bounds->high = cor_proportion_clopper_pearson(ones + decision->unknown,
                                                      decision->used + decision->unknown, rule->level)
                           .high;
    } else if (decision->unknown == 0) {
        const double half = half_width(decision, (1 - rule->level) / 2);
        *bounds = (struct cor_bounds){decision->mean - half, decision->mean + half};
    }
}

/* Wald, Sequential tests of statistical hypotheses, 1945, 4.3: L(p) ln B + (1 - L(p)) ln A over the mean
 * step. The operating characteristic L(p) goes by the h with p (p1/p0)^h + (1 - p) ((1 - p1)/(1 - p0))^h = 1.
 */
double cor_decision_expected(const struct cor_decision_rule *rule, double p) {
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
