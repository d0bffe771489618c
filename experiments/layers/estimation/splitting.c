/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels where none is given: how far a property is from holding, how far a constraint is from being
 * violated; else what is known of a case, among which a pilot chooses. All but the first are texts that
 * could be given by hand, and so is the word for it. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/descriptive.h>

#include <math.h>
#include <stdlib.h>

#define BUCKETS_MAX 60 /* of a probe whose cells are a level */

static enum cor_status add(struct cor_estimation *e, char *text, struct cor_error *error) {
    COR_TRY(cor_made(text, error));
    if (e->tried_count == COR_ESTIMATION_LEVELS_TRIED)
        free(text);
    else
        e->tried[e->tried_count++] = text;
    return COR_OK;
}

/* Of a corridor as a text how far its formulas of time are from being violated: of those that speak of alarms
 * and of being inside alone, which are columns, too. What is no formula over columns is passed over. */
static enum cor_status add_formulas(struct cor_estimation *e, struct cor_error *error) {
    COR_FINISHED(cor_bytes) struct cor_bytes bytes = {0};
    const char *says;
    enum cor_status status = COR_OK;
    for (uint32_t c = 0; status == COR_OK && cor_experiment_constraint(e->experiment, c, &says); c++) {
        struct cor_property *property;
        char *text = cor_format("P [ not (%s) ]", says);
        COR_TRY(cor_made(text, error));
        if (cor_property_parse(text, NULL, &property, NULL) == COR_OK) {
            cor_bytes_print(&bytes, "%snot (%s)", bytes.size > 0 ? " or " : "P [ ", says);
            cor_property_destroy(property);
        }
        free(text);
    }
    if (bytes.size == 0)
        return COR_OK;
    cor_bytes_print(&bytes, "%s", " ]");
    char *level = cor_bytes_text_take(&bytes, error);
    return level ? add(e, level, error) : COR_STATUS_MEMORY;
}

enum cor_status estimation_layer__levels_list(struct cor_estimation *e, const struct cor_json *root,
                                              struct cor_error *error) {
    if (e->program)
        return e->programs->levels(e->program, root, e->failure, e->tried, &e->tried_count, error);
    if (e->property)
        return add(e, cor_strdup(e->property), error);
    COR_TRY(add_formulas(e, error));
    const struct cor_arm *arm = &e->experiment->arms[e->arm];
    COR_TRY(add(e, cor_strdup("dissimilarity"), error));
    if (arm->fault != 0 || arm->result.fault != COR_RESULT_FAULT_NONE)
        COR_TRY(add(e, cor_strdup("alarm; reached > 0; held > 0; activated > 0"), error));
    for (const struct cor_counter *probe = arm->algorithm->counters; probe && probe->name; probe++) {
        /* The highest cell of a probe that was counted in a case. */
        struct cor_bytes bytes = {0};
        if (probe->bucket_count >= 2 && probe->bucket_count <= BUCKETS_MAX) {
            cor_bytes_print(&bytes, "%s", "max(");
            for (uint32_t b = 1; b < probe->bucket_count; b++)
                cor_bytes_print(&bytes, "%s%u * min(%s.b%u, 1)", b > 1 ? ", " : "", b, probe->name, b);
            cor_bytes_print(&bytes, "%s", ", 0)");
            char *text = cor_bytes_text_take(&bytes, error);
            COR_TRY(text ? add(e, text, error) : COR_STATUS_MEMORY);
        }
    }
    return COR_OK;
}

enum cor_status estimation_layer__level_take(struct cor_estimation *e, const struct cor_json *root,
                                             const char *text, struct cor_error *error) {
    char *kept = cor_strdup(text);
    COR_TRY(cor_made(kept, error));
    free(e->level_text);
    e->level_text = kept;
    cor_level_fini(&e->level);
    free(e->guide);
    e->guide = !e->program && estimation_layer__is_property(text) ? cor_strdup(text) : NULL;
    if (e->program)
        COR_TRY(e->programs->level(e->program, root, text, &e->condition_count, error));
    else if (!e->guide)
        COR_TRY(cor_level_parse(text, e->vocabulary, "/level", &e->level, error));
    if (!e->program)
        e->condition_count = e->level.condition_count;
    for (uint32_t i = 0; i < e->condition_count; i++)
        e->levels[i] = (double)i + 1;
    e->level_count = e->condition_count;
    return COR_OK;
}

/* ---- the pilot of splitting, on suites of its own: levels such that about one in five trajectories comes
 * from one to the next, and what a repetition with these costs. Where levels lie, and how many trajectories a
 * stage has, changes how wide the interval is, and nothing else, so they may be looked for */

#define SUITES 4         /* that levels are looked for in, and again that the cost is measured with */
#define SHARE 0.2        /* that is to come to the next level */
#define ENOUGH 0.1       /* share that fails: no more levels are needed */
#define SHARE_LEAST 0.25 /* of the mean effort, that a stage has: pilots err, too */
#define SHARE_MOST 4.0
#define FALLS_LEAST 20  /* falls that are seen before any is ended */
#define KEEP_LEAST 0.02 /* share of those that go on after a fall */
#define KEEP_GAIN 0.9   /* of the work, that is left at most where some are ended */

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

/* Climbs in one sequence of the suite, and notes the levels. */
static enum cor_status climb(struct estimation_layer__executor *x, struct estimation_layer__pilot *pilot,
                             double *sorted, struct cor_error *error) {
    double levels[COR_LEVELS_MAX], before = -INFINITY;
    uint32_t count = 0, entries = 0;
    bool arrives = false;
    while (count < COR_LEVELS_MAX) {
        struct estimation_layer__split_stage stage = {
            .stage = count, .count = entries, .weight = entries, .keep = 1, .target = INFINITY};
        COR_TRY(estimation_layer__split_stage(x, &stage, error));
        if (count == 0) {
            pilot->rises = pilot->rises || stage.failed > 0;
            /* Trajectories of a stage came to different levels. */
            for (int64_t t = 1; t < x->estimation->effort; t++)
                pilot->rises = pilot->rises || x->highest[t] < x->highest[0] || x->highest[t] > x->highest[0];
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
        stage.again = true; /* the same trajectories, up to there */
        COR_TRY(estimation_layer__split_stage(x, &stage, error));
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
    COR_FREED double *sorted = cor_calloc((size_t)x->estimation->effort, sizeof *sorted);
    COR_TRY(cor_made(sorted, error));
    for (uint32_t s = 0; s < SUITES; s++) {
        COR_TRY(open_pilot_suite(x, s, error));
        COR_TRY(climb(x, pilot, sorted, error));
        pilot->cases += x->cases;
        if (is_spent(x, pilot->cases + pilot->cases / (s + 1))) /* with one more like these */
            break;
    }
    return COR_OK;
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

/* Of those that fell back a share r goes on, each weighted with 1 / r. Of A that came up without a fall and B
 * that fell and came up, and of C cases before falls and D behind them, all of one trajectory, the square of
 * the error times the cost goes with (A + B / r) (C + D r): least at r^2 = B C / (A D). The pilot sees few of
 * B, so half a one is added. The share is at least `least`, as it will be when it is used. */
static double keep_of(const struct estimation_layer__stage *stage, double least, double *cost,
                      double *variance) {
    const double started = (double)stage->started, fell = (double)stage->fell,
                 came = (double)(stage->reached + stage->failed - stage->returned),
                 behind = (double)stage->fallen_cases, before = (double)stage->cases - behind,
                 returned = fell * ((double)stage->returned + 0.5) / (fell + 1);
    if (stage->fell < FALLS_LEAST || !(came > 0) || !(behind > 0))
        return 1;
    double keep = sqrt(returned * before / (came * behind));
    keep = round(100 * fmax(keep, fmax(least, KEEP_LEAST))) / 100; /* so that it can be said */
    if (keep >= 1 || (came + returned / keep) * (before + behind * keep) >
                         KEEP_GAIN * (came + returned) * (before + behind))
        return 1;
    const double share = (came + returned) / started;
    *cost = (before + behind * keep) / (before + behind);
    *variance = returned / started * (1 / keep - 1) / (share * share);
    return keep;
}

/* What repetitions with `efforts` cost; given levels rise if some trajectory comes to the first. Runs differ
 * in what their first trajectories came to, so that several small ones (`all`) tell more than a large one. */
static enum cor_status find_cost(struct estimation_layer__executor *x, const int64_t *efforts, bool all,
                                 struct estimation_layer__pilot *pilot, struct cor_error *error) {
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
            seen.stages[i].fell += x->stages[i].fell;
            seen.stages[i].returned += x->stages[i].returned;
            seen.stages[i].fallen_cases += x->stages[i].fallen_cases;
        }
        pilot->rises = pilot->rises || x->stages[0].reached > 0 || x->stages[0].failed > 0;
        pilot->arrives = pilot->arrives || repetition.failed > 0;
    } while (++seen.repetitions < SUITES && (all || !is_spent(x, pilot->cases + cases)));
    pilot->cases += cases;
    /* Trajectories by stage in proportion to the root of what a stage adds to the variance over what one
     * costs there: of all ways to spend as many cases it leaves the least variance (Garvels 2000, 2.3). And
     * how good the level is then: variance times cost, of one repetition. */
    const struct cor_estimation *e = x->estimation;
    double sum = 0, roots = 0, way = 1, variances[COR_LEVELS_MAX + 1];
    for (uint32_t i = 0; i <= COR_LEVELS_MAX; i++) {
        double cost = 1, more = 0; /* of the cost, that is left; of the variance, that comes in */
        pilot->shares[i] = 1;
        pilot->keep[i] = e->fits ? keep_of(&seen.stages[i], (e->level_count + 1) * way, &cost, &more) : 1;
        way *=
            seen.stages[i].started > 0 ? (double)seen.stages[i].reached / (double)seen.stages[i].started : 1;
        pilot->costs[i] = i <= e->level_count ? cost * (double)seen.stages[i].cases /
                                                    ((double)seen.repetitions * (double)e->efforts[i])
                                              : 0;
        variances[i] = variance_of(&seen.stages[i]) + more;
        sum += pilot->costs[i];
        pilot->cost += pilot->costs[i] * (double)efforts[i];
        roots += pilot->costs[i] > 0 ? sqrt(variances[i] * pilot->costs[i]) : 0;
    }
    pilot->work = roots * roots;
    for (uint32_t i = 0; i <= e->level_count && roots > 0; i++) {
        const double share = pilot->costs[i] > 0 ? sqrt(variances[i] / pilot->costs[i]) * sum / roots : 1;
        pilot->shares[i] = share < SHARE_LEAST ? SHARE_LEAST : share > SHARE_MOST ? SHARE_MOST : share;
    }
    return COR_OK;
}

/* With the level that the estimation has. */
static enum cor_status run_with(const struct cor_estimation *estimation,
                                struct estimation_layer__pilot *pilot, struct cor_error *error) {
    struct cor_estimation own = *estimation; /* with the levels that are found */
    COR_DESTROYED(estimation_layer__executor) struct estimation_layer__executor *x = NULL;
    *pilot = (struct estimation_layer__pilot){.level_count = 0};
    enum cor_status status = estimation_layer__executor_create(&own, &x, error);
    if (status == COR_OK && own.level_count == 0)
        status = find_levels(x, pilot, error);
    for (uint32_t i = 0; i < pilot->level_count; i++)
        own.levels[i] = pilot->levels[i];
    own.level_count = own.level_count > 0 ? own.level_count : pilot->level_count;
    const bool is_late = status == COR_OK && !x->schedules && is_spent(x, 2 * pilot->cases);
    for (uint32_t i = 0; is_late && i <= COR_LEVELS_MAX; i++)
        own.efforts[i] = own.efforts[i] / SUITES > 2 ? own.efforts[i] / SUITES : 2;
    if (status == COR_OK && (own.level_count > 0 || pilot->rises))
        status = find_cost(x, estimation->efforts, is_late, pilot, error);
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

/* ---- fixed-effort splitting of a sequence (Garvels, The splitting method in rare event simulation, 2000;
 * L'Ecuyer, Le Gland, Lezaud and Tuffin in Rubino and Tuffin, Rare Event Simulation, 2009, ch. 3). In each
 * stage as many trajectories are followed, from states with which those of the stage before came to the
 * level; a trajectory that fails counts wherever that happens. The sum over stages of (shares that came to
 * the levels before) * (share that failed in this stage) is unbiased for any levels. Trajectories of one run
 * are not independent: runs are, each with a suite of its own, and intervals are over these alone */

uint32_t estimation_layer__number(const struct cor_estimation *e,
                                  const struct estimation_layer__split_stage *stage, uint32_t trajectory) {
    const uint64_t stages = COR_LEVELS_MAX + 1,
                   number = e->sequences +
                            ((uint64_t)stage->sequence * stages + stage->stage) * (uint64_t)e->effort +
                            trajectory;
    COR_ASSERT(number < UINT32_MAX);
    return (uint32_t)number;
}

/* How far the case that is over has come. */
static double height_of(struct estimation_layer__executor *x, const struct estimation_layer__side *side,
                        const struct estimation_layer__outcome *outcome) {
    if (x->guide)
        return outcome->height;
    cor_facts_set_walk(&x->facts, cor_sequence_walk(side->runner), cor_sequence_executed(side->runner),
                       side->suite->configuration->profile_of_chain, side->suite->environment_of_profile);
    cor_facts_set_reaction(&x->facts, cor_sequence_reaction(side->runner));
    return cor_level_of(&x->estimation->level, &x->facts);
}

/* Russian roulette (Kahn and Harris 1951; L'Ecuyer, Demers and Tuffin 2007, 3.2): of those that fell back a
 * share goes on, and each of these counts for as many as there were. */
static bool goes_on(const struct estimation_layer__executor *x,
                    const struct estimation_layer__split_stage *stage, uint32_t number, double *weight) {
    if (!(stage->keep < 1))
        return true;
    struct cor_rng rng = estimation_layer__rng(x, number, COR_LEVELS_MAX + 2);
    *weight /= stage->keep;
    return cor_rng_unit(&rng) < stage->keep;
}

static enum cor_status follow(struct estimation_layer__executor *x,
                              struct estimation_layer__split_stage *stage, uint32_t trajectory,
                              uint32_t entry, struct cor_error *error) {
    struct estimation_layer__side *side = &x->sides[ESTIMATION_LAYER__LAW];
    struct estimation_layer__outcome outcome = {.fails = false};
    struct estimation_layer__stage *seen = &x->stages[stage->stage];
    double height, weight = 1;
    bool fell = false, ended = false;
    const uint32_t number = estimation_layer__number(x->estimation, stage, trajectory);
    height = -INFINITY;
    if (stage->stage == 0) {
        struct cor_walk_definition walk = cor_suite_walk_definition(side->suite, stage->sequence, NULL);
        walk.name.sequence = number;
        COR_TRY(cor_sequence_begin(side->runner, &walk, error));
        estimation_layer__properties_restart(x);
    } else {
        height = x->heights[stage->stage % 2][entry];
        COR_TRY(cor_sequence_restore(side->runner, x->snapshots[stage->stage % 2][entry], error));
        COR_TRY(estimation_layer__properties_restore(x, stage->stage % 2, entry, error));
        cor_sequence_fork(side->runner, number);
    }
    while (!(height >= stage->target) && !outcome.fails && !ended && !cor_sequence_is_over(side->runner)) {
        COR_TRY(estimation_layer__case(x, side, &outcome, error));
        const double now = height_of(x, side, &outcome);
        height = fmax(height, now); /* NaN: it has no level here */
        seen->fallen_cases += fell;
        /* Has a trajectory come to a case that is a whole level below the one it set out from? Such rarely
         * come back. */
        if (fell || outcome.fails || !(stage->stage >= 2 && now < x->estimation->levels[stage->stage - 2]))
            continue;
        fell = true;
        seen->fell++;
        ended = !goes_on(x, stage, number, &weight);
    }
    if (!outcome.fails && !ended && !(height >= stage->target))
        COR_TRY(estimation_layer__end(x, side, &outcome, error));
    x->highest[trajectory] = outcome.matches ? INFINITY : height;
    stage->failed += outcome.matches;
    stage->leaked += outcome.leaks;
    stage->failed_weight += outcome.matches ? weight : 0;
    seen->returned += fell && (outcome.matches || (!outcome.fails && height >= stage->target));
    if (!outcome.fails && height >= stage->target) {
        /* Keeps where it is as the next entry of the stage to come. */
        struct cor_runner *runner = x->sides[ESTIMATION_LAYER__LAW].runner;
        const uint32_t to = (stage->stage + 1) % 2;
        struct cor_saved_sequence **snapshot = &x->snapshots[to][stage->reached];
        if (!*snapshot)
            COR_TRY(cor_saved_sequence_create(runner, snapshot, error));
        COR_TRY(cor_sequence_save(runner, *snapshot, error));
        COR_TRY(estimation_layer__properties_save(x, to, stage->reached, error));
        x->weights[to][stage->reached] = weight;
        stage->reached_weight += weight;
        x->heights[to][stage->reached++] = height;
    }
    return COR_OK;
}

enum cor_status estimation_layer__split_stage(struct estimation_layer__executor *x,
                                              struct estimation_layer__split_stage *stage,
                                              struct cor_error *error) {
    struct cor_rng rng = estimation_layer__rng(x, stage->sequence, 1 + stage->stage);
    const double offset = cor_rng_unit(&rng);
    const int64_t effort = x->estimation->efforts[stage->stage];
    const double *weights = x->weights[stage->stage % 2];
    double until = stage->count > 0 ? weights[0] : 0; /* of the entries up to this one */
    uint32_t entry = 0;
    stage->reached = stage->failed = stage->leaked = 0;
    stage->reached_weight = stage->failed_weight = 0;
    for (uint32_t t = 0; t < effort; t++) {
        /* From the beginning, or from an entry; entries are taken in turn, as often as they weigh but for
         * one, from a place that is drawn. */
        const double place = (t + offset) * stage->weight / (double)effort;
        while (place >= until && entry + 1 < stage->count)
            until += weights[++entry];
        if (x->schedules)
            x->estimation->programs->begin(x, stage, t, entry);
        else if (!stage->again ||
                 x->highest[t] >= stage->target) /* else it does not come there, as is known */
            COR_TRY(follow(x, stage, t, entry, error));
    }
    if (x->schedules)
        COR_TRY(x->estimation->programs->follow(x, stage, error));
    cor_watch_show(x->watch, x->cases);
    return COR_OK;
}

enum cor_status estimation_layer__run_split(struct estimation_layer__executor *x,
                                            struct estimation_layer__repetition *repetition,
                                            struct cor_error *error) {
    for (uint32_t s = 0; s < x->estimation->sequences; s++) {
        const struct cor_estimation *e = x->estimation;
        struct cor_weight way = cor_weight_of(1), sum = cor_weight_of(0);
        uint32_t count = 0;
        double weight = 0;
        uint64_t failed = 0;
        for (uint32_t i = 0; i <= e->level_count; i++) {
            /* The share of a stage: larger where coming there is not rare yet, so that what the roulette of
             * one stage adds is at most 1 in so many as there are stages. The estimate of one sequence may
             * exceed 1 all the same, where stages before have added much; nothing rests on it. `way` is known
             * before the stage, so this favours nothing. */
            struct estimation_layer__split_stage stage = {
                .sequence = s,
                .stage = i,
                .count = count,
                .weight = weight,
                .keep = fmin(1, fmax(e->keep[i], (e->level_count + 1) * cor_weight_value(way))),
                .target = i < e->level_count ? e->levels[i] : INFINITY};
            const struct cor_weight effort = cor_weight_of((double)e->efforts[i]);
            const uint64_t cases = x->cases;
            COR_TRY(estimation_layer__split_stage(x, &stage, error));
            x->stages[i].cases += x->cases - cases;
            x->stages[i].started += (uint64_t)e->efforts[i];
            x->stages[i].reached += stage.reached;
            x->stages[i].failed += stage.failed;
            failed += stage.failed;
            repetition->leaked += stage.leaked;
            sum = cor_weight_plus(
                sum, cor_weight_times(way, cor_weight_over(cor_weight_of(stage.failed_weight), effort)));
            way = cor_weight_times(way, cor_weight_over(cor_weight_of(stage.reached_weight), effort));
            count = stage.reached;
            weight = stage.reached_weight;
            if (count == 0)
                break;
        }
        estimation_layer__repetition_add(repetition, sum, failed > 0);
    }
    return COR_OK;
}
