/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/region.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum cor_status cor_region_init(struct cor_region *region, uint32_t quantity_count, struct cor_error *error) {
    *region = (struct cor_region){quantity_count, cor_calloc(quantity_count, sizeof *region->low),
                                  cor_calloc(quantity_count, sizeof *region->high)};
    if (!region->low || !region->high) {
        cor_region_fini(region);
        return cor_fail_memory(error);
    }
    for (uint32_t q = 0; q < quantity_count; q++) {
        region->low[q] = COR_REGION_LOWEST;
        region->high[q] = COR_REGION_HIGHEST;
    }
    return COR_OK;
}

void cor_region_fini(struct cor_region *region) {
    free(region->low);
    free(region->high);
    *region = (struct cor_region){0};
}

void cor_region_copy(struct cor_region *to, const struct cor_region *from) {
    COR_ASSERT(to->quantity_count == from->quantity_count);
    memcpy(to->low, from->low, from->quantity_count * sizeof *to->low);
    memcpy(to->high, from->high, from->quantity_count * sizeof *to->high);
}

bool cor_region_has(const struct cor_region *region, const int64_t *row) {
    for (uint32_t q = 0; q < region->quantity_count; q++)
        if (row[q] < region->low[q] || row[q] > region->high[q])
            return false;
    return true;
}

uint32_t cor_region_sides(const struct cor_region *region) {
    uint32_t sides = 0;
    for (uint32_t q = 0; q < region->quantity_count; q++)
        sides += (region->low[q] != COR_REGION_LOWEST ? 1u : 0u) +
                 (region->high[q] != COR_REGION_HIGHEST ? 1u : 0u);
    return sides;
}

struct cor_region_definition cor_default_region(void) {
    return (struct cor_region_definition){.peeled = 0.1, .fewest = 10, .side = 0.02};
}

struct cor_region_count cor_region_count(const struct cor_region *region,
                                         const struct cor_region_data *data) {
    struct cor_region_count count = {0};
    for (uint32_t r = 0; r < data->row_count; r++)
        if (cor_region_has(region, data->rows + (size_t)r * data->quantity_count)) {
            count.rows++;
            count.struck += data->struck[r];
        }
    return count;
}

double cor_region_floor(struct cor_region_count count) {
    const double z = 1.96, n = count.rows;
    if (count.rows == 0)
        return 0;
    const double share = count.struck / n;
    const double spread = sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    return (share + z * z / (2 * n) - z * spread) / (1 + z * z / n);
}

double cor_region_chance(struct cor_region_count inside, struct cor_region_count outside) {
    const uint32_t rows = inside.rows + outside.rows, struck = inside.struck + outside.struck;
    const uint32_t least = struck > outside.rows ? struck - outside.rows : 0,
                   most = struck < inside.rows ? struck : inside.rows;
    /* Shares of hypergeometric probabilities of the first, from the ratios of neighbours; scaled down before
     * they are too large. */
    double term = 1, all = 0, tail = 0;
    COR_ASSERT(rows > 0);
    for (uint32_t k = least; k <= most; k++) {
        if (k > least)
            term *=
                (double)(struck - k + 1) / k * ((double)(inside.rows - k + 1) / (outside.rows - struck + k));
        all += term;
        tail += k >= inside.struck ? term : 0;
        if (all > 1e200) {
            term *= 1e-200;
            all *= 1e-200;
            tail *= 1e-200;
        }
    }
    return tail / all;
}
