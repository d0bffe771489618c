/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawn_parameters.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <string.h>

#define BUCKETS_MAX 65536 /* of an arm, over all probes */

static enum cor_status count(struct cor_arm_coverage *arm, const struct cor_result_header *head,
                             const struct cor_counter_row *row, struct cor_error *error) {
    /* The place of a bucket of a probe in the list, in ascending order: where it is or would be. */
    size_t i = 0, high = arm->probe_count;
    while (i < high) {
        size_t middle = (i + high) / 2;
        const struct cor_probe_coverage *probe = &arm->probe[middle];
        if (probe->code < row->counter || (probe->code == row->counter && probe->bucket < row->bucket))
            i = middle + 1;
        else
            high = middle;
    }
    if (i == arm->probe_count || arm->probe[i].code != row->counter || arm->probe[i].bucket != row->bucket) {
        const struct cor_catalog_entry *entry = NULL;
        for (size_t j = 0; j < head->catalog_size[COR_CATALOG_COUNTER] && !entry; j++)
            if (head->catalog[COR_CATALOG_COUNTER][j].code == row->counter)
                entry = &head->catalog[COR_CATALOG_COUNTER][j];
        COR_ASSERT(entry); /* whoever reads rows holds their codes against the catalogs */
        if (arm->probe_count == BUCKETS_MAX)
            return cor_damaged(error, COR_TABLE_COUNTERS,
                               "arm %u, suite %" PRIu32 ": probe %u: more buckets than a program has",
                               row->arm, row->suite, row->counter);
        /* Makes room for a bucket at place `i`. */
        COR_TRY(COR_RESERVE(&arm->probe, &arm->probe_capacity, arm->probe_count + 1, error));
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

const struct cor_reading coverage__probes_reading = {
    COR_TABLE_COUNTERS, (const char *const[]){"counter", "bucket", "count", NULL}};

enum cor_status coverage__add_probes(struct cor_coverage *coverage, const struct cor_suite_rows *suite,
                                     struct cor_error *error) {
    const struct cor_counter_row *row = suite->table[COR_TABLE_COUNTERS].row;
    struct cor_arm_coverage *arm = coverage__find_arm(coverage, suite->row.arm);
    for (size_t i = 0; i < suite->table[COR_TABLE_COUNTERS].count; i++) {
        COR_TRY(count(&coverage->arm[0], coverage->head, &row[i], error));
        COR_TRY(count(arm, coverage->head, &row[i], error));
    }
    return COR_OK;
}
