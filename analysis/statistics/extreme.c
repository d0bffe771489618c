/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/extreme.h>

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 1 if the chosen ratio is beyond all others, 0.5 if only as far as some, 0 if one is beyond it; NaN: nothing
 * to compare. */
static double score(const double *ratio, uint32_t count, uint32_t chosen, int sign) {
    bool compared = false, tied = false;
    for (uint32_t g = 0; g < count; g++) {
        if (g == chosen || isnan(ratio[g]))
            continue;
        const double lead = (ratio[chosen] - ratio[g]) * sign;
        if (lead < 0)
            return 0;
        compared = true;
        tied = tied || lead <= 0;
    }
    return isnan(ratio[chosen]) || !compared ? (double)NAN : tied ? 0.5 : 1;
}

enum cor_status cor_bootstrap_extreme(const struct cor_bootstrap_plan *plan,
                                      const struct cor_ratio_group *groups, uint32_t group_count, bool shared,
                                      uint32_t chosen, int sign, double *share, struct cor_error *error) {
    COR_ASSERT(chosen < group_count && plan->replicates > 0);
    enum cor_status status = COR_OK;
    uint32_t most = 0, defined = 0;
    double sum = 0;
    for (uint32_t g = 0; g < group_count; g++) {
        COR_ASSERT(!shared || groups[g].cluster_count == groups[0].cluster_count);
        most = groups[g].cluster_count > most ? groups[g].cluster_count : most;
    }
    uint32_t *multiplicity = cor_calloc(most, sizeof *multiplicity);
    double *ratio = cor_calloc(group_count, sizeof *ratio);
    if (!multiplicity || !ratio)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t i = 0; i < plan->replicates; i++) {
        for (uint32_t g = 0; g < group_count; g++) {
            if (g == 0 || !shared) {
                /* Draws as many clusters as there are. */
                const uint32_t count = groups[g].cluster_count;
                memset(multiplicity, 0, count * sizeof *multiplicity);
                for (uint32_t j = 0; j < count; j++) {
                    const uint32_t cluster = cor_rng_below(plan->rng, count);
                    multiplicity[cluster]++;
                }
            }
            const struct cor_ratio_group *group = &groups[g];
            double y = 0, x = 0;
            for (uint32_t c = 0; c < group->cluster_count; c++) {
                y += multiplicity[c] * group->y[c];
                x += multiplicity[c] * group->x[c];
            }
            ratio[g] = x > 0 ? y / x : (double)NAN;
        }
        const double scored = isnan(ratio[chosen]) ? (double)NAN : score(ratio, group_count, chosen, sign);
        defined += isnan(scored) ? 0 : 1;
        sum += isnan(scored) ? 0 : scored;
    }
    *share = 2 * (uint64_t)defined > plan->replicates ? sum / defined : (double)NAN;
out:
    free(multiplicity);
    free(ratio);
    return status;
}
