/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "observations.h"

#include <corridor/array.h>

#include <stdlib.h>

/* Takes over what was measured of an arm. */
static enum cor_status take(struct cor__observed_arm *arm, const struct cor_measurement *measurement, size_t index,
                            struct cor_error *error) {
    const struct cor_arm_measurement *measured = &measurement->arm[index];
    COR_TRY(COR_RESERVE(&arm->suite, &arm->suite_capacity, measured->suites, error));
    COR_TRY(COR_RESERVE(&arm->observation, &arm->capacity, measured->sequences, error));
    for (size_t i = 0; i < measured->sequences; i++)
        arm->observation[arm->count++] = (struct cor__observation){
            .cluster = measured->observation[i].cluster,
            .executed = measured->observation[i].executed,
            .first = {measured->observation[i].first[COR_ANY_BOX], measured->observation[i].first[COR_GRAY_BOX],
                      measured->observation[i].first[COR_BLACK_BOX]}};
    for (size_t s = 0; s < measured->suites; s++)
        arm->suite[arm->suite_count++] = measurement->suite[measured->first_suite + s].suite;
    return COR_OK;
}

enum cor_status cor__observe(struct cor_result *result, struct cor__observed_arm *arms, size_t arm_count,
                             struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_measurement *measurement = NULL;
    COR_TRY(cor_measurement_create(result, 0, &measurement, error));
    for (size_t a = 0; a < arm_count; a++)
        if (arms[a].wanted)
            COR_TRY_OUT(take(&arms[a], measurement, a, error));
out:
    cor_measurement_destroy(measurement);
    return status;
}

/* ------------------------------------------------------------------------------- common suites */

static bool has_suite(const struct cor__observed_arm *arm, uint32_t suite) {
    size_t low = 0, high = arm->suite_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (arm->suite[middle] < suite)
            low = middle + 1;
        else
            high = middle;
    }
    return low < arm->suite_count && arm->suite[low] == suite;
}

static bool is_common(const struct cor__observed_arm *arms, size_t arm_count, uint32_t suite) {
    for (size_t a = 0; a < arm_count; a++)
        if (arms[a].wanted && !has_suite(&arms[a], suite))
            return false;
    return true;
}

/* Drops the suites of an arm that are not kept. */
static void drop(struct cor__observed_arm *arm, const bool *kept) {
    size_t suites = 0, count = 0, next = 0;
    for (size_t s = 0; s < arm->suite_count; s++) {
        for (; next < arm->count && arm->observation[next].cluster == s; next++) {
            if (!kept[s])
                continue;
            arm->observation[count] = arm->observation[next];
            arm->observation[count++].cluster = (uint32_t)suites;
        }
        if (kept[s])
            arm->suite[suites++] = arm->suite[s];
    }
    arm->suite_count = suites;
    arm->count = count;
}

enum cor_status cor__keep_common(struct cor__observed_arm *arms, size_t arm_count, uint64_t *left_out,
                                 struct cor_error *error) {
    *left_out = 0;
    /* All are judged before any is touched. */
    bool **kept = cor_calloc(arm_count, sizeof *kept);
    enum cor_status status = kept ? COR_OK : cor_fail_memory(error);
    for (size_t a = 0; a < arm_count && status == COR_OK; a++) {
        kept[a] = cor_calloc(arms[a].suite_count, sizeof **kept);
        if (!kept[a])
            status = cor_fail_memory(error);
        for (size_t s = 0; s < arms[a].suite_count && status == COR_OK; s++) {
            kept[a][s] = is_common(arms, arm_count, arms[a].suite[s]);
            *left_out += !kept[a][s];
        }
    }
    for (size_t a = 0; a < arm_count && kept; a++) {
        if (status == COR_OK)
            drop(&arms[a], kept[a]);
        free(kept[a]);
    }
    free(kept);
    return status;
}

void cor__observed_fini(struct cor__observed_arm *arms, size_t arm_count) {
    for (size_t a = 0; a < arm_count; a++) {
        free(arms[a].observation);
        free(arms[a].suite);
    }
}
