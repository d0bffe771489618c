/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which generator finds more, and sooner: repetitions are islands, each an observation; those that found
 * nothing are censored at their budget. */
#include "searches.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/survival.h>
#include <corridor/two_samples.h>

#include <math.h>
#include <stdlib.h>

#define REPETITIONS_WANTED 20

/* Repetitions of an arm of the search. */
struct group {
    const char *name, *target;
    uint16_t target_code, arm;
    double *time, *late; /* owned; late: as time, but censored ones are behind all others */
    bool *event;         /* owned */
    size_t n;
    uint64_t found, classes, budget;
};
#define GROUP(member) COR_CELL_OF(struct group, member)
#define MEDIAN(member) COR_CELL_OF(struct cor_survival_quantile, member)
static const struct cor_column_definition shares_columns[] = {
    {"target", "arm", "", "arm of the experiment", GROUP(target), 0, COR_COLUMN_GROUP},
    {"generator", "generator", "", "its search, by name", GROUP(name)},
    {"repetitions", "repetitions", "1", "islands", GROUP(n)},
    {"found", "found", "repetitions", "with a failure found", GROUP(found)},
    {"share", "share", "1", "of repetitions that found one, with Wilson's interval", COR_CELL_ESTIMATE, 2, 0},
    {"median", "median", "cases", "to the first failure (Kaplan and Meier); nothing: not reached",
     MEDIAN(time)},
    {"median_low", "from", "cases", "lower end of its interval (Brookmeyer and Crowley)", MEDIAN(low)},
    {"median_high", "to", "cases", "upper end; nothing: not within the budget", MEDIAN(high)},
    {"mean", "mean", "cases", "cases to the first failure, cut at the budget", COR_CELL_REAL, 0, 0},
    {"classes", "classes", "classes", "mean number of different classes of failures", COR_CELL_REAL, 2, 0},
    {"budget", "budget", "cases", "the least of a repetition", GROUP(budget), 0, COR_COLUMN_DATA},
};
const struct cor_sheet_definition views__search_shares =
    COR_SHEET_OVER(shares_columns, "shares", "Generators", "a generator on an arm of the experiment", 0, 0);

#define RANK(member) COR_CELL_OF(struct cor_log_rank, member)
#define EFFECT(member) COR_CELL_OF(struct cor_effect_size, member)
static const struct cor_column_definition pairs_columns[] = {
    {"target", "arm", "", "arm of the experiment", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"a", "A", "", "a search", COR_CELL_WORD, 0, 0},
    {"b", "B", "", "another", COR_CELL_WORD, 0, 0},
    {"chi_square", "chi-square", "1", "log-rank statistic", RANK(chi_square), COR_DIGITS_FOUR},
    {"p", "p", "1", "of the log-rank test", RANK(p), COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"p_holm", "p (Holm)", "1", "corrected for all pairs of this sheet", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"a12", "A sooner", "1",
     "A12 of Vargha and Delaney: how often A finds its first failure sooner, equal ones counted half",
     EFFECT(a12), 3},
    {"low", "from", "1", "lower end of its interval (DeLong, logit)", EFFECT(bounds.low), 3},
    {"high", "to", "1", "upper end", EFFECT(bounds.high), 3},
    {"magnitude", "effect", "", "negligible, small, medium, large", COR_CELL_WORD, 0, 0},
};
const struct cor_sheet_definition views__search_pairs =
    COR_SHEET_OVER(pairs_columns, "pairs", "Each generator against each", "two generators on an arm", 0, 0);

#define STEP(member) COR_CELL_OF(struct cor_survival_step, member)
static const struct cor_column_definition curves_columns[] = {
    {"target", "arm", "", "arm of the experiment", GROUP(target)},
    {"generator", "generator", "", "its search, by name", GROUP(name)},
    {"cases", "cases", "cases", "the step is here", STEP(time)},
    {"at_risk", "at risk", "", "repetitions without a failure so far", STEP(at_risk)},
    {"found", "found", "", "thereof with the first failure here", STEP(events)},
    {"censored", "censored", "", "thereof ended here without one", STEP(censored)},
    {"survival", "without", "1", "share without a failure (Kaplan and Meier)", STEP(survival),
     COR_DIGITS_FOUR},
    {"low", "low", "1", "lower bound (Greenwood, log-log)", STEP(bounds.low), COR_DIGITS_FOUR},
    {"high", "high", "1", "upper bound", STEP(bounds.high), COR_DIGITS_FOUR},
};
const struct cor_sheet_definition views__search_curves =
    COR_SHEET_OVER(curves_columns, "curves", "Curves", "a step of a curve", COR_SHEET_DATA, 0);

struct groups {
    struct group *group; /* owned */
    size_t count;
};

static int compare_targets(const void *one, const void *other) {
    const struct group *a = one, *b = other;
    return a->target_code != b->target_code ? (a->target_code > b->target_code ? 1 : -1)
                                            : (a->arm > b->arm) - (a->arm < b->arm);
}

static enum cor_status gather(const struct views__repetition *repetitions, size_t count,
                              struct groups *groups, struct cor_error *error) {
    groups->group = cor_calloc(count, sizeof *groups->group);
    COR_TRY(cor_made(groups->group, error));
    for (size_t i = 0; i < count; i++) {
        const struct views__repetition *it = &repetitions[i];
        struct group *group = groups->count > 0 ? &groups->group[groups->count - 1] : NULL;
        if (!group || group->arm != it->arm) {
            group = &groups->group[groups->count];
            *group = (struct group){.name = it->name,
                                    .target = it->target,
                                    .time = cor_calloc(count, sizeof *group->time),
                                    .late = cor_calloc(count, sizeof *group->late),
                                    .event = cor_calloc(count, sizeof *group->event)};
            groups->count++;
            if (!group->time || !group->late || !group->event)
                return cor_fail_memory(error);
        }
        group->arm = it->arm;
        const bool event = it->first > 0;
        group->time[group->n] = (double)(event ? it->first : it->cases);
        group->late[group->n] = event ? (double)it->first : INFINITY;
        group->event[group->n] = event;
        group->found += event;
        group->classes += it->classes;
        group->budget = group->n == 0 || it->cases < group->budget ? it->cases : group->budget;
        group->target_code = it->target_code;
        group->n++;
    }
    qsort(groups->group, groups->count, sizeof *groups->group, compare_targets);
    return COR_OK;
}

/* The log-rank test of two generators. */
static enum cor_status test_pair(const struct group *a, const struct group *b, struct cor_log_rank *test,
                                 struct cor_error *error) {
    const size_t n = a->n + b->n;
    double *time = cor_calloc(n, sizeof *time);
    bool *event = cor_calloc(n, sizeof *event);
    uint32_t *group = cor_calloc(n, sizeof *group);
    enum cor_status status = time && event && group ? COR_OK : cor_fail_memory(error);
    for (size_t i = 0; status == COR_OK && i < n; i++) {
        const bool second = i >= a->n;
        const size_t at = second ? i - a->n : i;
        time[i] = (second ? b : a)->time[at];
        event[i] = (second ? b : a)->event[at];
        group[i] = second;
    }
    if (status == COR_OK)
        status = cor_log_rank(time, event, group, n, 2, test, NULL, error);
    free(time);
    free(event);
    free(group);
    return status;
}

struct pair {
    const struct group *a, *b;
    struct cor_log_rank test;
};

/* All pairs on one target, of all targets; Holm's correction is over all of them. */
static enum cor_status put_pairs(const struct groups *groups, double level, struct cor_sheet *sheet,
                                 struct cor_error *error) {
    const size_t most = groups->count * groups->count / 2 + 1;
    size_t count = 0;
    enum cor_status status = COR_OK;
    struct pair *pairs = cor_calloc(most, sizeof *pairs);
    double *p = cor_calloc(most, sizeof *p);
    COR_TRY_OUT(pairs && p ? COR_OK : cor_fail_memory(error));
    for (size_t a = 0; a < groups->count; a++)
        for (size_t b = a + 1; b < groups->count; b++) {
            if (groups->group[a].target_code != groups->group[b].target_code)
                continue;
            pairs[count] = (struct pair){.a = &groups->group[a], .b = &groups->group[b]};
            COR_TRY_OUT(test_pair(pairs[count].a, pairs[count].b, &pairs[count].test, error));
            p[count] = pairs[count].test.p;
            count++;
        }
    COR_TRY_OUT(cor_holm(p, count, error));
    bool untold = false;
    for (size_t i = 0; i < count; i++) {
        const struct pair *pair = &pairs[i];
        struct cor_effect_size effect; /* of B against A: late is great */
        COR_TRY_OUT(cor_a12(pair->b->late, pair->b->n, pair->a->late, pair->a->n, level, &effect, error));
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, pair->a->target);
        cor_sheet_word(sheet, pair->a->name);
        cor_sheet_word(sheet, pair->b->name);
        COR_SHEET_PUT(sheet, struct cor_log_rank, &pair->test);
        cor_sheet_real(sheet, p[i]);
        COR_SHEET_PUT(sheet, struct cor_effect_size, &effect);
        if (isnan(pair->test.p)) /* neither found anything: that is no small effect */
            cor_sheet_nothing(sheet);
        else
            cor_sheet_word(sheet, cor_magnitude_word(cor_magnitude_of(effect.a12)));
        untold = untold || isnan(pairs[i].test.p);
    }
    if (untold)
        cor_sheet_remark(sheet, "n/a: no failure was found by either, so nothing can be told apart.");
out:
    free(pairs);
    free(p);
    return status;
}

static enum cor_status compare(const struct groups *groups, double level, struct cor_sheets *sheets,
                               struct cor_error *error) {
    struct cor_sheet *shares = cor_sheets_add(sheets, &views__search_shares),
                     *curves = cor_sheets_add(sheets, &views__search_curves);
    bool few = false;
    for (size_t g = 0; g < groups->count; g++) {
        const struct group *group = &groups->group[g];
        const struct cor_estimate share = cor_estimate_suites(level, group->found, group->n);
        struct cor_survival curve;
        COR_TRY(cor_survival_init(&curve, group->time, group->event, group->n, level, error));
        const struct cor_survival_quantile median = cor_survival_quantile(&curve, 0.5);
        const struct cor_restricted_mean mean = cor_survival_restricted_mean(&curve, (double)group->budget);
        COR_SHEET_PUT(shares, struct group, group);
        cor_sheet_estimate(shares, &share);
        COR_SHEET_PUT(shares, struct cor_survival_quantile, &median);
        cor_sheet_reals(shares, 2, (const double[]){mean.mean, (double)group->classes / (double)group->n});
        COR_SHEET_PUT(shares, struct group, group);
        for (size_t i = 0; i < curve.step_count; i++) {
            COR_SHEET_PUT(curves, struct group, group);
            COR_SHEET_PUT(curves, struct cor_survival_step, &curve.step[i]);
        }
        cor_survival_fini(&curve);
        few = few || groups->group[g].n < REPETITIONS_WANTED;
    }
    if (few)
        cor_sheet_remark(shares, "Fewer than %d repetitions: differences of this size are often chance.",
                         REPETITIONS_WANTED);
    return put_pairs(groups, level, cor_sheets_add(sheets, &views__search_pairs), error);
}

enum cor_status views__compare_repetitions(const struct views__repetition *repetitions, size_t count,
                                           double level, struct cor_sheets *sheets, struct cor_error *error) {
    struct groups groups = {0};
    enum cor_status status = gather(repetitions, count, &groups, error);
    if (status == COR_OK)
        status = compare(&groups, level, sheets, error);
    for (size_t g = 0; g < groups.count; g++) {
        free(groups.group[g].time);
        free(groups.group[g].late);
        free(groups.group[g].event);
    }
    free(groups.group);
    return status;
}

static bool is_comparison(const struct views__repetition *repetitions, size_t count) {
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++)
            if (repetitions[a].arm != repetitions[b].arm &&
                repetitions[a].target_code == repetitions[b].target_code)
                return true;
    return false;
}

enum cor_status views__compare_searches(const struct cor_layer_tables *search, double level,
                                        struct cor_sheets *sheets, struct cor_error *error) {
    const uint64_t count = search->count[COR_SEARCH_TABLE_ISLANDS];
    struct views__repetition *repetitions = cor_calloc(count + 1, sizeof *repetitions);
    COR_TRY(cor_made(repetitions, error));
    for (uint64_t i = 0; i < count; i++) {
        const struct cor_search_island_row *row = cor_layer_row(search, COR_SEARCH_TABLE_ISLANDS, i);
        repetitions[i] = (struct views__repetition){
            .name = views__search_arm_name(search, row->arm),
            .target = search->head->catalog[COR_SEARCH_CATALOG_TARGET][row->target].name,
            .target_code = row->target,
            .arm = row->arm,
            .first = row->first,
            .cases = row->cases,
            .classes = row->classes};
    }
    const enum cor_status status = is_comparison(repetitions, count)
                                       ? views__compare_repetitions(repetitions, count, level, sheets, error)
                                       : COR_OK;
    free(repetitions);
    return status;
}
