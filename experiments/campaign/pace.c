/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long the rest of a campaign takes, by the suites of this run, those under way included. Arms differ:
 * each suite weighs what suites of its arm have taken so far. True of this run and machine, so none of it is
 * in a result. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/work.h>

#include <math.h>
#include <stdlib.h>

#define LOOK_MAX 65536 /* plan positions that are looked at; in longer plans arms weigh the same */

/* Suites of an arm. */
struct pace {
    uint64_t finished, left; /* left: those under way included */
    double seconds, squares; /* of those finished */
    double passed;           /* of those under way */
};

static double mean_of(const struct pace *pace, double of_all) {
    /* As if one more suite had been seen, like all: the first of an arm may be odd. */
    return (pace->seconds + pace->passed + of_all) / ((double)pace->finished + 1);
}

/* Seconds since a worker began its suite; -1: it is at none. */
static double under_way(const struct cor_campaign *campaign, uint32_t worker, uint64_t *position) {
    const uint64_t taken = atomic_load(&campaign->shared->worker[worker].position);
    if (taken == 0)
        return -1;
    *position = taken - 1;
    const double now = cor_wall_seconds(),
                 since = (double)atomic_load(&campaign->shared->worker[worker].since_ms) / 1000;
    return now > since ? now - since : 0;
}

/* Over all positions: who has taken how long. */
static void gather(const struct cor_campaign *campaign, uint64_t positions, struct pace *arms,
                   struct pace *all) {
    for (uint64_t i = 0; i < positions; i++) {
        const struct cor_suite_note *note = &campaign->shared->note[i];
        struct pace *arm = &arms[campaign__arm_at(campaign, i)];
        if (!atomic_load(&note->done)) {
            const bool is_wanted = campaign__is_wanted(campaign, i);
            arm->left += is_wanted;
            all->left += is_wanted;
        } else if (atomic_load(&note->worker) != 0) {
            const double seconds = (double)note->wall_seconds;
            arm->finished++;
            all->finished++;
            arm->seconds += seconds;
            all->seconds += seconds;
            arm->squares += seconds * seconds;
            all->squares += seconds * seconds;
        }
    }
    for (uint32_t w = 0; w < campaign->definition.workers; w++) {
        uint64_t position;
        const double passed = under_way(campaign, w, &position);
        if (passed < 0 || position >= positions)
            continue;
        arms[campaign__arm_at(campaign, position)].passed += passed;
        all->passed += passed;
    }
}

/* Standard deviation over the mean. */
static double deviation_of(const struct pace *pace) {
    const double n = (double)pace->finished, mean = pace->seconds / n;
    return pace->finished > 1 && mean > 0
               ? sqrt(fmax(pace->squares / n - mean * mean, 0) * n / (n - 1)) / mean
               : 0;
}

/* Before a suite is finished: by the shares that those under way have done, if all of them say so. */
static double left_by_shares(const struct cor_campaign *campaign, double suites, double seconds) {
    double done = 0;
    for (uint32_t w = 0; w < campaign->definition.workers; w++) {
        uint64_t position;
        if (under_way(campaign, w, &position) < 0)
            continue;
        const double share = 1e-6 * atomic_load(&campaign->shared->worker[w].share);
        if (share <= 0)
            return NAN;
        done += share;
    }
    return done > 0 ? seconds * (suites - done) / done : NAN;
}

struct cor_campaign_pace cor_campaign_pace(const struct cor_campaign *campaign) {
    struct cor_campaign_pace pace = {NAN, NAN};
    const uint64_t limit = atomic_load(&campaign->shared->limit),
                   positions = limit < campaign->planned ? limit : campaign->planned;
    const double seconds = cor_wall_seconds() - campaign->started;
    const struct campaign__stored stored = campaign__count_stored(campaign);
    const uint64_t finished = stored.done - stored.before;
    struct pace all = {0}, *arms;
    if (campaign->planned == 0)
        return pace;
    if (finished == 0) {
        pace.seconds_left = left_by_shares(campaign, (double)(positions - stored.before), seconds);
        return pace;
    }
    pace.seconds_left = seconds * (double)(positions - stored.done) / (double)finished;
    if (positions > LOOK_MAX ||
        !(arms = cor_calloc(campaign->definition.experiment->arm_count, sizeof *arms)))
        return pace;
    gather(campaign, positions, arms, &all);
    if (all.finished > 0 && all.seconds > 0) {
        /* What is done and what is left, in seconds of a worker; the latter with its variance. */
        const double of_all = (all.seconds + all.passed) / (double)all.finished, spread = deviation_of(&all);
        double done = 0, left = 0, variance = 0, longest = 0;
        for (uint32_t a = 0; a < campaign->definition.experiment->arm_count; a++) {
            const struct pace *arm = &arms[a];
            const double n = (double)arm->finished, rest = (double)arm->left, mean = mean_of(arm, of_all);
            /* A few suites of an arm may by chance be alike: they differ at least half as much as all do. */
            const double deviation = mean * fmax(deviation_of(arm), arm->finished > 2 ? spread / 2 : spread);
            done += n * mean;
            left += rest * mean;
            variance += deviation * deviation * (rest * rest / (n + 1) + rest);
        }
        for (uint32_t w = 0; w < campaign->definition.workers; w++) {
            uint64_t position;
            const double passed = under_way(campaign, w, &position);
            if (passed < 0)
                continue;
            const double mean = mean_of(&arms[campaign__arm_at(campaign, position)], of_all),
                         counted = fmin(passed, 0.9 * mean);
            done += counted;
            left -= counted;
            longest = fmax(longest, mean - counted);
        }
        pace.seconds_left = fmax(seconds * left / done, longest);
        pace.error = seconds * sqrt(variance) / done;
    }
    free(arms);
    return pace;
}
