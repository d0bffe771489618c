/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rows.h"

#include "scan.h"

#include <corridor/arms.h>
#include <corridor/array.h>

#include <inttypes.h>
#include <string.h>

struct keys {
    uint16_t arm;
    uint32_t suite;
};

static struct keys keys_at(const void *rows, size_t row_size, uint64_t index) {
    struct keys keys;
    memcpy(&keys, (const unsigned char *)rows + index * row_size, sizeof keys);
    return keys;
}

static bool is_before(struct keys keys, uint64_t arm, uint64_t suite) {
    return keys.arm < arm || (keys.arm == arm && keys.suite < suite);
}

enum cor_status cor__rows_fail(const char *place, const char *cause, struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, place, "take another copy, or run the experiment again", "%s",
                    cause);
}

enum cor_status cor__rows_load(struct cor_result *result, uint32_t table, void **rows, uint64_t *count,
                               struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(result);
    const struct cor_table_schema *schema = &head->layer->tables[table];
    struct keys before = {0};
    *count = cor_result_size(result, table);
    *rows = cor_calloc(*count, schema->row_size);
    COR_TRY(cor_made(*rows, error));
    if (*count > 0)
        COR_TRY(cor_result_read(result, table, 0, *count, *rows, error));
    for (uint64_t i = 0; i < *count; i++) {
        const struct keys keys = keys_at(*rows, schema->row_size, i);
        if (is_before(keys, before.arm, before.suite))
            return cor__rows_fail(schema->group, "suites are out of order", error);
        if (keys.arm >= cor_arm_count(head))
            return cor__rows_fail(schema->group, "a row is of an arm that there is not", error);
        before = keys;
    }
    return cor__check_codes(schema, UINT64_MAX, *rows, 0, (size_t)*count, error);
}

enum cor_status cor__rows_belong(const struct cor_layer_schema *layer, uint32_t table, void *const *rows,
                                 const uint64_t *count, struct cor_error *error) {
    const size_t size = layer->tables[table].row_size, suite_size = layer->tables[0].row_size;
    uint64_t suite = 0;
    for (uint64_t i = 0; i < count[table]; i++) {
        const struct keys keys = keys_at(rows[table], size, i);
        while (suite < count[0] && is_before(keys_at(rows[0], suite_size, suite), keys.arm, keys.suite))
            suite++;
        const struct keys own = suite < count[0] ? keys_at(rows[0], suite_size, suite) : (struct keys){0};
        if (suite == count[0] || own.arm != keys.arm || own.suite != keys.suite)
            return cor__foreign(error, layer->tables[table].group,
                                "row %" PRIu64 " is of arm %u, suite %" PRIu32 ": no such suite", i, keys.arm,
                                keys.suite);
        if (table == 0 && suite++ != i)
            return cor__foreign(error, layer->tables[table].group, "arm %u, suite %" PRIu32 " occurs twice",
                                keys.arm, keys.suite);
    }
    return COR_OK;
}

static uint64_t lower_bound(const struct cor_table_schema *schema, const void *rows, uint64_t count,
                            uint64_t arm, uint64_t suite) {
    uint64_t low = 0, high = count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (is_before(keys_at(rows, schema->row_size, middle), arm, suite))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t cor__rows_of(const struct cor_table_schema *schema, const void *rows, uint64_t count, uint16_t arm,
                      uint32_t suite, uint64_t *found) {
    const uint64_t first = lower_bound(schema, rows, count, arm, suite);
    *found = lower_bound(schema, rows, count, arm, (uint64_t)suite + 1) - first;
    return first;
}
