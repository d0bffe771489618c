/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pilot of splitting, on suites of its own: levels such that about one in five trajectories comes from
 * one to the next, and what a repetition with these costs. Where levels lie, and how many trajectories a
 * stage has, changes how wide the interval is, and nothing else, so they may be looked for. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/descriptive.h>

#include <math.h>
#include <stdlib.h>

#define SUITES 4         /* that levels are looked for in, and again that the cost is measured with */
#define SHARE 0.2        /* that is to come to the next level */
#define ENOUGH 0.1       /* share that fails: no more levels are needed */
#define SHARE_LEAST 0.25 /* of the mean effort, that a stage has: pilots err, too */
#define SHARE_MOST 4.0

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

/* A pilot looks no further when a quarter of the budget is used up, or the level's part of that: the rest is
 * for repetitions. */
static bool is_spent(const struct estimation_layer__executor *x, uint64_t cases) {
    const struct cor_estimation *e = x->estimation;
    const uint64_t parts = 4 * (e->tried_count > 1 ? e->tried_count : 1);
    return e->budget > 0 && parts * cases >= (uint64_t)e->budget;
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

/* Stages as they were in all repetitions of the pilot. */
struct seen {
    struct estimation_layer__stage stages[COR_LEVELS_MAX + 1];
    uint32_t repetitions;
};

/* What a stage adds to the square of the relative error of a repetition, of one trajectory: (1 - p) / p. */
static double variance_of(const struct estimation_layer__stage *stage) {
    const double came = (double)(stage->reached + stage->failed), started = (double)stage->started;
    const double share = started == 0 ? 1 : came > 0 ? came / started : 1 / (2 * started);
    return share < 1 ? (1 - share) / share : 1 / started; /* all did: as good as nothing */
}

/* Trajectories by stage in proportion to the root of what a stage adds to the variance over what one costs
 * there: of all ways to spend as many cases it leaves the least variance (Garvels 2000, 2.3). And how good
 * the level is then: variance times cost, of one repetition. */
static void share_out(const struct seen *seen, uint32_t level_count, int64_t effort,
                      struct estimation_layer__pilot *pilot) {
    double sum = 0, roots = 0;
    for (uint32_t i = 0; i <= COR_LEVELS_MAX; i++) {
        pilot->shares[i] = 1;
        pilot->costs[i] = i <= level_count
                              ? (double)seen->stages[i].cases / ((double)seen->repetitions * (double)effort)
                              : 0;
        sum += pilot->costs[i];
        roots += pilot->costs[i] > 0 ? sqrt(variance_of(&seen->stages[i]) * pilot->costs[i]) : 0;
    }
    pilot->work = roots * roots;
    for (uint32_t i = 0; i <= level_count && roots > 0; i++) {
        const double share =
            pilot->costs[i] > 0 ? sqrt(variance_of(&seen->stages[i]) / pilot->costs[i]) * sum / roots : 1;
        pilot->shares[i] = share < SHARE_LEAST ? SHARE_LEAST : share > SHARE_MOST ? SHARE_MOST : share;
    }
}

/* What repetitions cost; given levels rise if some trajectory comes to the first. */
static enum cor_status find_cost(struct estimation_layer__executor *x, struct estimation_layer__pilot *pilot,
                                 struct cor_error *error) {
    struct seen seen = {.repetitions = 0};
    uint64_t cases = 0;
    do {
        struct estimation_layer__repetition repetition = {0};
        COR_TRY(open_pilot_suite(x, SUITES + seen.repetitions, error));
        COR_TRY(estimation_layer__run_split(x, &repetition, error));
        cases += x->cases;
        for (uint32_t i = 0; i <= COR_LEVELS_MAX; i++) {
            seen.stages[i].started += x->stages[i].started;
            seen.stages[i].reached += x->stages[i].reached;
            seen.stages[i].failed += x->stages[i].failed;
            seen.stages[i].cases += x->stages[i].cases;
        }
        pilot->rises = pilot->rises || x->stages[0].reached > 0 || x->stages[0].failed > 0;
        pilot->arrives = pilot->arrives || repetition.failed > 0;
    } while (++seen.repetitions < SUITES && !is_spent(x, pilot->cases + cases));
    pilot->cases += cases;
    pilot->cost = (double)cases / seen.repetitions;
    share_out(&seen, x->estimation->level_count, x->estimation->effort, pilot);
    return COR_OK;
}

/* With the level that the estimation has. */
static enum cor_status run_with(const struct cor_estimation *estimation,
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

/* Is a level better: it leads to failing, and with less work for the same error? */
static bool is_better(const struct estimation_layer__pilot *one,
                      const struct estimation_layer__pilot *other) {
    if (one->rises != other->rises || one->arrives != other->arrives)
        return one->rises > other->rises || (one->rises == other->rises && one->arrives > other->arrives);
    return one->arrives && one->work < other->work;
}

enum cor_status estimation_layer__pilot_run(struct cor_estimation *estimation,
                                            struct estimation_layer__pilot *pilot, struct cor_error *error) {
    uint64_t cases = 0;
    if (estimation->tried_count == 0)
        return run_with(estimation, pilot, error);
    for (uint32_t t = 0; t < estimation->tried_count; t++) {
        struct estimation_layer__pilot one;
        COR_TRY(estimation_layer__level_take(estimation, NULL, estimation->tried[t], error));
        COR_TRY(run_with(estimation, &one, error));
        cases += one.cases;
        one.tried = t;
        if (t == 0 || is_better(&one, pilot))
            *pilot = one;
    }
    pilot->cases = cases;
    return COR_OK;
}
