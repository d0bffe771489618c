/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which region of some quantities do rows lie in that struck? Found by bumping, the patient rule induction
 * method (Friedman and Fisher, Statistics and Computing 9, 1999): from all rows, the box is peeled side by
 * side, each time by a small share of its rows, towards where a greater share of them struck; then its sides
 * are moved back where that is no loss, and sides that do not help are dropped. Comparisons and a square root
 * of what was counted, in a fixed order: the same region wherever it is learned. */
#ifndef CORRIDOR_REGION_H
#define CORRIDOR_REGION_H

#include <corridor/error.h>

#include <stdint.h>

/* A side that is open. */
#define COR_REGION_LOWEST INT64_MIN
#define COR_REGION_HIGHEST INT64_MAX

#define COR_REGION_ROWS_MAX 30000

/* A box: low[q] <= quantity q <= high[q]. */
struct cor_region {
    uint32_t quantity_count;
    int64_t *low, *high; /* owned; [quantity] */
};

/* The region of everything. */
enum cor_status cor_region_init(struct cor_region *region, uint32_t quantity_count,
                                struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_region_fini(struct cor_region *region);

/* `to` becomes what `from` is; both have as many quantities. */
void cor_region_copy(struct cor_region *to, const struct cor_region *from);

/* Are the quantities of a row within it? */
bool cor_region_has(const struct cor_region *region, const int64_t *row);

/* Its sides that are not open. */
uint32_t cor_region_sides(const struct cor_region *region);

/* What a region is learned from; all borrowed. */
struct cor_region_data {
    uint32_t quantity_count;
    uint32_t row_count;     /* at most COR_REGION_ROWS_MAX */
    const int64_t *rows;    /* [row][quantity] */
    const bool *struck;     /* [row] */
    uint32_t support_count; /* the same of rows that the law alone has drawn, of which nothing is known; */
    const int64_t *support; /* may be none: [row][quantity] */
};

/* How a region is learned; start from cor_default_region(). */
struct cor_region_definition {
    double peeled;           /* share of its rows by which a box is peeled, and pasted on; in (0, 1) */
    uint32_t fewest;         /* rows that a region has, at least 1 */
    uint32_t fewest_support; /* the same of support */
    double side;             /* what a side of a region costs, in shares; at least 0 */
};

/* A tenth, 10 rows, none, two hundredths. */
struct cor_region_definition cor_default_region(void);

/* Rows within a region, and how many of them struck. */
struct cor_region_count {
    uint32_t rows, struck;
};

/* How many rows a region has, and how many of them struck. */
struct cor_region_count cor_region_count(const struct cor_region *region, const struct cor_region_data *data);

/* The least share of strikes that so many rows leave likely: the lower end of Wilson's interval at 95 %; 0
 * without rows. What a region is worth is this less definition->side for each of its sides. */
double cor_region_floor(struct cor_region_count count);

/* Learns the region of the greatest worth on the way of the method. `region` is one of everything before, and
 * stays so where nothing is worth more. COR_STATUS_MEMORY. */
enum cor_status cor_region_learn(const struct cor_region_data *data,
                                 const struct cor_region_definition *definition, struct cor_region *region,
                                 struct cor_error *error) COR_MUST_USE;

/* The probability that at least inside.struck of all rows that struck lie inside by chance (Fisher's exact
 * test, one-sided). */
double cor_region_chance(struct cor_region_count inside, struct cor_region_count outside);

#endif
