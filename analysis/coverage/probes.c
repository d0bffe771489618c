/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cursor.h"
#include "parameters.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS_MAX 65536 /* of an arm, over all probes */

static const struct cor_catalog_entry *entry_of(const struct cor_result_header *head, uint16_t code) {
    for (size_t i = 0; i < head->catalog_size[COR_CATALOG_COUNTER]; i++)
        if (head->catalog[COR_CATALOG_COUNTER][i].code == code)
            return &head->catalog[COR_CATALOG_COUNTER][i];
    return NULL;
}

/* The place of a bucket of a probe in the list, in ascending order: where it is or would be. */
static size_t find(const struct cor_arm_coverage *arm, uint16_t code, uint16_t bucket) {
    size_t low = 0, high = arm->probe_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct cor_probe_coverage *probe = &arm->probe[middle];
        if (probe->code < code || (probe->code == code && probe->bucket < bucket))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static enum cor_status count(struct cor_arm_coverage *arm, size_t *capacity,
                             const struct cor_result_header *head, const struct cor_counter_row *row,
                             struct cor_error *error) {
    size_t i = find(arm, row->counter, row->bucket);
    bool known =
        i < arm->probe_count && arm->probe[i].code == row->counter && arm->probe[i].bucket == row->bucket;
    const struct cor_catalog_entry *entry = known ? NULL : entry_of(head, row->counter);
    if (!known && (!entry || arm->probe_count == BUCKETS_MAX))
        return cor__damaged(error, COR_TABLE_COUNTERS, "arm %u, suite %" PRIu32 ": probe %u: %s", row->arm,
                            row->suite, row->counter,
                            entry ? "more buckets than a program has" : "catalog/counter lacks it");
    if (!known) {
        enum cor_status status = COR_RESERVE(&arm->probe, capacity, arm->probe_count + 1, error);
        if (status != COR_OK)
            return status;
        memmove(&arm->probe[i + 1], &arm->probe[i], (arm->probe_count - i) * sizeof *arm->probe);
        arm->probe_count++;
        arm->probe[i] = (struct cor_probe_coverage){.name = entry->name,
                                                    .description = entry->description,
                                                    .code = row->counter,
                                                    .bucket = row->bucket};
    }
    arm->probe[i].count += row->count;
    arm->probe[i].suites += row->count > 0;
    return COR_OK;
}

enum cor_status cor__find_probes(struct cor_result *result, struct cor_coverage *coverage,
                                 struct cor_error *error) {
    static const char *const columns[] = {"counter", "bucket", "count", NULL};
    struct cor__cursor cursor;
    size_t *capacity = cor_calloc(coverage->arm_count, sizeof *capacity);
    enum cor_status status = capacity ? COR_OK : cor_fail_memory(error);
    if (status != COR_OK)
        return status;
    status = cor__cursor_init(&cursor, result, COR_TABLE_COUNTERS, columns, error);
    const void *row = NULL;
    do {
        if (status == COR_OK)
            status = cor__cursor_any(&cursor, &row, error);
        if (status != COR_OK || !row)
            break;
        const struct cor_counter_row *counter = row;
        struct cor_arm_coverage *arm = cor__find_arm(coverage, counter->arm);
        if (!arm || !cor__wanted(coverage, counter->arm, counter->suite))
            continue;
        status = count(&coverage->arm[0], &capacity[0], coverage->head, counter, error);
        if (status == COR_OK)
            status = count(arm, &capacity[arm - coverage->arm], coverage->head, counter, error);
    } while (status == COR_OK);
    cor__cursor_fini(&cursor);
    free(capacity);
    return status;
}
