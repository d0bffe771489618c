/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "observations.h"

#include "suite.h"

#include <corridor/array.h>

#include <stdlib.h>

static uint32_t earlier(uint32_t one, uint32_t other) {
    return one == 0 || (other > 0 && other < one) ? other : one;
}

/* Takes over the sequences of the suite just read. */
static enum cor_status take(struct cor__observed_arm *arm, const struct cor__suite_reader *reader,
                            struct cor_error *error) {
    uint32_t sequences = reader->suite.sequences;
    enum cor_status status = COR_RESERVE(&arm->suite, &arm->suite_capacity, arm->suite_count + 1, error);
    if (status == COR_OK)
        status = COR_RESERVE(&arm->observation, &arm->capacity, arm->count + sequences, error);
    if (status != COR_OK)
        return status;
    for (uint32_t s = 0; s < sequences; s++) {
        const struct cor__sequence *sequence = &reader->sequence[s];
        if (!sequence->there || sequence->is_continued)
            continue;
        arm->observation[arm->count++] =
            (struct cor__observation){.cluster = (uint32_t)arm->suite_count,
                                      .executed = sequence->executed,
                                      .first = {earlier(sequence->first_gray, sequence->first_black),
                                                sequence->first_gray, sequence->first_black}};
    }
    arm->suite[arm->suite_count++] = reader->suite.suite;
    return COR_OK;
}

enum cor_status cor__observe(struct cor_result *result, struct cor__observed_arm *arms, size_t arm_count,
                             struct cor_error *error) {
    struct cor__suite_reader reader;
    struct cor__moments moments[COR_METRIC_COUNT] = {0}; /* what the reader also finds is not wanted here */
    struct cor_arm_tables *aside = cor_calloc(1, sizeof *aside);
    enum cor_status status = cor__suite_reader_init(&reader, result, error);
    if (status == COR_OK && !aside)
        status = cor_fail_memory(error);
    for (bool there = true; status == COR_OK;) {
        status = cor__suite_reader_next(&reader, &there, error);
        if (status != COR_OK || !there)
            break;
        size_t a = 0;
        while (a < arm_count && arms[a].code != reader.suite.arm)
            a++;
        status = cor__suite_reader_read(&reader, aside, moments, error);
        if (status == COR_OK && a < arm_count && arms[a].wanted)
            status = take(&arms[a], &reader, error);
    }
    free(aside);
    cor__suite_reader_fini(&reader);
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
