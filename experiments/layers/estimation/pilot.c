/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pilot of splitting, on suites of its own: levels such that about one in five trajectories comes from
 * one to the next, and what a repetition with these costs. Where levels lie changes how wide the interval is,
 * and nothing else, so they may be looked for. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/descriptive.h>

#include <math.h>
#include <stdlib.h>

#define SUITES 4   /* that levels are looked for in, and again that the cost is measured with */
#define SHARE 0.2  /* that is to come to the next level */
#define ENOUGH 0.1 /* share that fails: no more levels are needed */

/* The next level, from what trajectories came to; false: none of them rose. */
static bool next_level(const struct estimation_layer__executor *x, double before, double *sorted,
                       double *level) {
    const size_t effort = (size_t)x->estimation->effort;
    for (size_t i = 0; i < effort; i++)
        sorted[i] = -x->highest[i];
    cor_sort(sorted, effort);
    size_t at = (size_t)(SHARE * (double)effort);
    while (at < effort && isinf(sorted[at]) && sorted[at] < 0) /* those that failed have no level */
        at++;
    if (at == effort)
        return false;
    *level = -sorted[at];
    for (; at > 0 && !(*level > before) && sorted[at - 1] > -INFINITY; at--)
        *level = -sorted[at - 1];
    return *level > before && isfinite(*level);
}

/* Whether trajectories of a stage came to different levels. */
static bool differ(const struct estimation_layer__executor *x) {
    for (int64_t i = 1; i < x->estimation->effort; i++)
        if (x->highest[i] < x->highest[0] || x->highest[i] > x->highest[0])
            return true;
    return false;
}

/* Climbs in one sequence of the suite, and notes the levels. */
static enum cor_status climb(struct estimation_layer__executor *x, struct estimation_layer__pilot *pilot,
                             double *sorted, struct cor_error *error) {
    double levels[COR_LEVELS_MAX], before = -INFINITY;
    uint32_t count = 0, entries = 0;
    bool arrives = false;
    while (count < COR_LEVELS_MAX) {
        struct estimation_layer__split_stage stage = {0, count, entries, INFINITY, 0, 0};
        COR_TRY(estimation_layer__split_stage(x, &stage, error));
        if (count == 0) {
            pilot->rises = pilot->rises || differ(x) || stage.failed > 0;
            /* The least level that the first stage came to is no rise. */
            before = INFINITY;
            for (int64_t i = 0; i < x->estimation->effort; i++)
                before = fmin(before, x->highest[i]);
        }
        arrives = arrives || stage.failed > 0;
        if (stage.failed >= ENOUGH * (double)x->estimation->effort ||
            !next_level(x, before, sorted, &levels[count]))
            break;
        stage.target = before = levels[count++];
        COR_TRY(estimation_layer__split_stage(x, &stage, error)); /* the same trajectories, up to there */
        entries = stage.reached;
        if (entries == 0)
            break;
    }
    if (arrives > pilot->arrives || (arrives == pilot->arrives && count > pilot->level_count)) {
        for (uint32_t i = 0; i < count; i++)
            pilot->levels[i] = levels[i];
        pilot->level_count = count;
        pilot->arrives = arrives;
    }
    return COR_OK;
}

static enum cor_status open_pilot_suite(struct estimation_layer__executor *x, uint32_t number,
                                        struct cor_error *error) {
    return estimation_layer__suite_open(x, COR_ESTIMATION_REPETITIONS_MAX + number, 0, error);
}

/* A pilot looks no further when a quarter of the budget is used up: the rest is for repetitions. */
static bool is_spent(const struct estimation_layer__executor *x, uint64_t cases) {
    return x->estimation->budget > 0 && 4 * cases >= (uint64_t)x->estimation->budget;
}

static enum cor_status find_levels(struct estimation_layer__executor *x,
                                   struct estimation_layer__pilot *pilot, struct cor_error *error) {
    double *sorted = cor_calloc((size_t)x->estimation->effort, sizeof *sorted);
    COR_TRY(cor_made(sorted, error));
    enum cor_status status = COR_OK;
    for (uint32_t s = 0; s < SUITES; s++) {
        COR_TRY_OUT(open_pilot_suite(x, s, error));
        COR_TRY_OUT(climb(x, pilot, sorted, error));
        pilot->cases += x->cases;
        if (is_spent(x, pilot->cases))
            break;
    }
out:
    free(sorted);
    return status;
}

/* What repetitions cost; given levels rise if some trajectory comes to the first. */
static enum cor_status find_cost(struct estimation_layer__executor *x, struct estimation_layer__pilot *pilot,
                                 struct cor_error *error) {
    uint64_t cases = 0;
    uint32_t s = 0;
    do {
        struct estimation_layer__repetition repetition = {0};
        COR_TRY(open_pilot_suite(x, SUITES + s, error));
        COR_TRY(estimation_layer__run_split(x, &repetition, error));
        cases += x->cases;
        pilot->rises = pilot->rises || x->stages[0].reached > 0 || x->stages[0].failed > 0;
        pilot->arrives = pilot->arrives || repetition.failed > 0;
    } while (++s < SUITES && !is_spent(x, pilot->cases + cases));
    pilot->cases += cases;
    pilot->cost = (double)cases / s;
    return COR_OK;
}

enum cor_status estimation_layer__pilot_run(const struct cor_estimation *estimation,
                                            struct estimation_layer__pilot *pilot, struct cor_error *error) {
    struct cor_estimation own = *estimation; /* with the levels that are found */
    struct estimation_layer__executor *x;
    *pilot = (struct estimation_layer__pilot){.level_count = 0};
    enum cor_status status = estimation_layer__executor_create(&own, &x, error);
    if (status == COR_OK && own.level_count == 0)
        status = find_levels(x, pilot, error);
    for (uint32_t i = 0; i < pilot->level_count; i++)
        own.levels[i] = pilot->levels[i];
    own.level_count = own.level_count > 0 ? own.level_count : pilot->level_count;
    if (status == COR_OK && (own.level_count > 0 || pilot->rises))
        status = find_cost(x, pilot, error);
    estimation_layer__executor_destroy(x);
    return status;
}
