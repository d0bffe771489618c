/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fixed-effort splitting of a sequence (Garvels, The splitting method in rare event simulation, 2000;
 * L'Ecuyer, Le Gland, Lezaud and Tuffin in Rubino and Tuffin, Rare Event Simulation, 2009, ch. 3). In each
 * stage as many trajectories are followed, from states with which those of the stage before came to the
 * level; a trajectory that fails counts wherever that happens. The sum over stages of (shares that came to
 * the levels before) * (share that failed in this stage) is unbiased for any levels. Trajectories of one run
 * are not independent: runs are, each with a suite of its own, and intervals are over these alone. */
#include "internal.h"

#include <math.h>

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

/* Has a trajectory come to a case that is a whole level below the one it set out from? Such rarely come
 * back. */
static bool is_fallen(const struct cor_estimation *e, const struct estimation_layer__split_stage *stage,
                      double height) {
    return stage->stage >= 2 && height < e->levels[stage->stage - 2];
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

/* The share of a stage: larger where coming there is not rare yet, so that what the roulette of one stage
 * adds is at most 1 in so many as there are stages. The estimate of one sequence may exceed 1 all the same,
 * where stages before have added much; nothing rests on it. `way` is known before the stage, so this favours
 * nothing. */
static double share_kept(const struct cor_estimation *e, uint32_t stage, struct cor_weight way) {
    return fmin(1, fmax(e->keep[stage], (e->level_count + 1) * cor_weight_value(way)));
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
        if (fell || outcome.fails || !is_fallen(x->estimation, stage, now))
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
        if (stage->again && !x->schedules && !(x->highest[t] >= stage->target))
            continue; /* does not come there, as is known */
        COR_TRY(x->schedules ? estimation_layer__follow_schedule(x, stage, t, entry, error)
                             : follow(x, stage, t, entry, error));
    }
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
            struct estimation_layer__split_stage stage = {.sequence = s,
                                                          .stage = i,
                                                          .count = count,
                                                          .weight = weight,
                                                          .keep = share_kept(e, i, way),
                                                          .target =
                                                              i < e->level_count ? e->levels[i] : INFINITY};
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
