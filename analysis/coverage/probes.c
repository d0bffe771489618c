/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawn_parameters.h"

#include <corridor/array.h>

#include <inttypes.h>
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

/* Makes room for a bucket at place `i`. */
static enum cor_status insert(struct cor_arm_coverage *arm, size_t i, const struct cor_catalog_entry *entry,
                              const struct cor_counter_row *row, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&arm->probe, &arm->probe_capacity, arm->probe_count + 1, error));
    memmove(&arm->probe[i + 1], &arm->probe[i], (arm->probe_count - i) * sizeof *arm->probe);
    arm->probe_count++;
    arm->probe[i] = (struct cor_probe_coverage){
        .name = entry->name, .description = entry->description, .code = row->counter, .bucket = row->bucket};
    return COR_OK;
}

static enum cor_status count(struct cor_arm_coverage *arm, const struct cor_result_header *head,
                             const struct cor_counter_row *row, struct cor_error *error) {
    size_t i = find(arm, row->counter, row->bucket);
    if (i == arm->probe_count || arm->probe[i].code != row->counter || arm->probe[i].bucket != row->bucket) {
        const struct cor_catalog_entry *entry = entry_of(head, row->counter);
        if (!entry || arm->probe_count == BUCKETS_MAX)
            return cor_damaged(error, COR_TABLE_COUNTERS, "arm %u, suite %" PRIu32 ": probe %u: %s", row->arm,
                               row->suite, row->counter,
                               entry ? "more buckets than a program has" : "catalog/counter lacks it");
        COR_TRY(insert(arm, i, entry, row, error));
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
