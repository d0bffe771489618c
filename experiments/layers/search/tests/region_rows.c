/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For test_region.py: regions of rows as text. From stdin, until there is nothing more: quantities, rows,
 * fewest rows, rows of support, fewest of these; then each row, 1 or 0 for whether it struck in front; then
 * each row of support. To stdout a line for each: low and high of every quantity. */
#include <corridor/region.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t next_number(void) {
    int64_t number;
    return scanf("%" SCNd64, &number) == 1 ? number : 0;
}

static void learn(uint32_t quantities) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_region_definition definition = cor_default_region();
    struct cor_region region;
    struct cor_region_data data = {.quantity_count = quantities, .row_count = (uint32_t)next_number()};
    definition.fewest = (uint32_t)next_number();
    data.support_count = (uint32_t)next_number();
    definition.fewest_support = (uint32_t)next_number();
    int64_t *rows = calloc((size_t)data.row_count * quantities + 1, sizeof *rows),
            *support = calloc((size_t)data.support_count * quantities + 1, sizeof *support);
    bool *struck = calloc((size_t)data.row_count + 1, sizeof *struck);
    COR_ASSERT(rows && support && struck);
    for (uint32_t r = 0; r < data.row_count; r++) {
        struck[r] = next_number() != 0;
        for (uint32_t q = 0; q < quantities; q++)
            rows[(size_t)r * quantities + q] = next_number();
    }
    for (size_t i = 0; i < (size_t)data.support_count * quantities; i++)
        support[i] = next_number();
    data.rows = rows;
    data.struck = struck;
    data.support = support;
    COR_ASSERT(cor_region_init(&region, quantities, &error) == COR_OK);
    COR_ASSERT(cor_region_learn(&data, &definition, &region, &error) == COR_OK);
    for (uint32_t q = 0; q < quantities; q++)
        printf("%" PRId64 " %" PRId64 " ", region.low[q], region.high[q]);
    printf("\n");
    cor_region_fini(&region);
    free(rows);
    free(support);
    free(struck);
}

int main(void) {
    uint32_t quantities;
    while ((quantities = (uint32_t)next_number()) > 0)
        learn(quantities);
    return 0;
}
