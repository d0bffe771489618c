/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was never taken: how much of it, and what was to be expected of it. */
#include "sums.h"

#include <corridor/array.h>
#include <corridor/unseen.h>

#include <math.h>
#include <stdlib.h>

enum cor_status coverage__find_open(const struct coverage__law *law, const uint64_t *visits,
                                    const uint64_t *taken, struct coverage__open *open,
                                    struct cor_error *error) {
    uint32_t n = law->states;
    uint8_t *reached = cor_calloc(n, 1);
    *open = (struct coverage__open){0};
    if (!reached)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < n; i++)
        reached[i] = visits[i] > 0;
    enum cor_status status = coverage__law_reach(law, reached, error);
    for (uint32_t i = 0; i < n; i++) {
        open->states += reached[i];
        open->seen.states += visits[i] > 0;
        open->seen.likely_states += visits[i] > 0 && law->likely_state[i];
        open->seen.state_mass += visits[i] > 0 ? law->share[i] : 0;
        for (uint32_t j = 0; j < n; j++) {
            size_t cell = (size_t)i * n + j;
            if (!(law->arc[cell] > 0))
                continue;
            open->arcs += reached[i];
            if (taken[cell] > 0) {
                open->seen.arcs++;
                open->seen.likely_arcs += law->likely_arc[cell];
                open->seen.arc_mass += coverage__law_mass(law, i, j);
            } else {
                open->mass += coverage__law_mass(law, i, j);
                open->unseen += reached[i];
                open->unseen_likely += law->likely_arc[cell];
            }
        }
    }
    free(reached);
    struct cor_unseen_counts counts = cor_unseen_count(taken, (size_t)n * n);
    open->once = counts.once;
    open->good_turing = cor_missing_mass(&counts);
    open->chao = cor_chao(&counts) - (double)counts.classes;
    return status;
}

bool coverage__missed_matters(const struct cor_environment_coverage *environment, double expected) {
    return expected > 0 && (environment->missed_count < COR_COVERAGE_MISSED_MAX ||
                            expected > environment->missed[environment->missed_count - 1].expected);
}

void coverage__missed_put(struct cor_environment_coverage *environment, const struct cor_missed *missed) {
    if (!coverage__missed_matters(environment, missed->expected))
        return;
    size_t i = environment->missed_count < COR_COVERAGE_MISSED_MAX ? environment->missed_count++
                                                                   : environment->missed_count - 1;
    for (; i > 0 && environment->missed[i - 1].expected < missed->expected; i--)
        environment->missed[i] = environment->missed[i - 1];
    environment->missed[i] = *missed;
}

/* The longest walk, as a bucket; and whether there is one. */
static bool longest(const struct coverage__law *law, const uint32_t *length, uint32_t *bucket) {
    for (uint32_t b = COVERAGE__LENGTHS; b-- > 0;)
        for (uint32_t s = 0; s < law->states; s++)
            if (length[s * COVERAGE__LENGTHS + b] > 0) {
                *bucket = b;
                return true;
            }
    return false;
}

#define STEPS_MAX (1u << 20) /* of the longest walk for which the chance is computed */

enum cor_status coverage__missed_chance(const struct coverage__law *law, const uint32_t *length,
                                        uint32_t from, uint32_t to, double *chance, struct cor_error *error) {
    uint32_t last = 0;
    *chance = NAN;
    if (!length || !longest(law, length, &last) || coverage__bucket_length(last) > STEPS_MAX)
        return COR_OK;
    struct coverage__miss miss;
    COR_TRY(coverage__miss_init(&miss, law, error));
    coverage__miss_begin(&miss, from, to);
    /* The sum over walks of the logarithm of the chance that one misses it. */
    double sum = 0;
    uint32_t steps = 0;
    for (uint32_t b = 0; b <= last; b++) {
        for (; steps < coverage__bucket_length(b); steps++)
            coverage__miss_step(&miss);
        for (uint32_t s = 0; s < miss.law->states; s++)
            if (length[s * COVERAGE__LENGTHS + b] > 0)
                sum += length[s * COVERAGE__LENGTHS + b] * log(miss.now[s]);
    }
    *chance = exp(sum);
    coverage__miss_fini(&miss);
    return COR_OK;
}

uint32_t coverage__bucket_length(uint32_t bucket) {
    return bucket < 128 ? bucket : (32 + (bucket - 128) % 32) << ((bucket - 128) / 32 + 2);
}
