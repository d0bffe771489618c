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
    COR_FREE(region->low, region->high);
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

/* ---- bumping. All choices among the same are for the first: the lower quantity, its low side, the earlier
 * and thereby larger box */

struct learner {
    const struct cor_region_data *data;
    const struct cor_region_definition *definition;
    struct cor_region box, trial, best;
    double best_worth;
    int64_t *values; /* room for one of each row */
};

/* Another place for one side of a box. */
struct move {
    uint32_t quantity;
    bool is_high;
    int64_t bound;
};

static int64_t *side_of(struct cor_region *box, struct move move) {
    return &(move.is_high ? box->high : box->low)[move.quantity];
}

static int64_t open_side(bool is_high) {
    return is_high ? COR_REGION_HIGHEST : COR_REGION_LOWEST;
}

static bool is_supported(const struct learner *l, const struct cor_region *box) {
    uint32_t inside = 0;
    for (uint32_t r = 0; r < l->data->support_count && inside < l->definition->fewest_support; r++)
        inside += cor_region_has(box, l->data->support + (size_t)r * l->data->quantity_count);
    return inside >= l->definition->fewest_support;
}

static double worth_of(const struct learner *l, const struct cor_region *box) {
    return cor_region_floor(cor_region_count(box, l->data)) - l->definition->side * cor_region_sides(box);
}

static int ascending(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The values of a quantity in the rows of a box, in order. */
static uint32_t sorted_values(const struct learner *l, const struct cor_region *box, uint32_t quantity) {
    uint32_t count = 0;
    for (uint32_t r = 0; r < l->data->row_count; r++) {
        const int64_t *row = l->data->rows + (size_t)r * l->data->quantity_count;
        if (cor_region_has(box, row))
            l->values[count++] = row[quantity];
    }
    qsort(l->values, count, sizeof *l->values, ascending);
    return count;
}

static uint32_t share_of(const struct learner *l, uint32_t rows) {
    const uint32_t share = (uint32_t)floor(l->definition->peeled * rows);
    return share > 1 ? share : 1;
}

/* Where a side goes when a share of the values is peeled off: fewer where those behind it are the same, all
 * of the outermost value where that is more. False: there is one value only. */
static bool peeled_bound(const struct learner *l, uint32_t count, bool is_high, int64_t *bound) {
    const int64_t *v = l->values;
    const uint32_t share = share_of(l, count);
    if (v[0] == v[count - 1])
        return false;
    if (!is_high) {
        uint32_t at = share;
        while (v[at] == v[0]) /* share < count, and the last is another */
            at++;
        *bound = v[at];
        return true;
    }
    uint32_t at = count - 1 - share;
    while (v[at] == v[count - 1])
        at--;
    *bound = v[at];
    return true;
}

/* What a peeling wins, in strikes a row for each row that goes: (h'/n' - h/n) / (n - n') over what is the
 * same for all, 1/n. */
struct gain {
    int64_t over, under;
};

static struct gain gain_of(struct cor_region_count before, struct cor_region_count after) {
    return (struct gain){(int64_t)after.struck * before.rows - (int64_t)before.struck * after.rows,
                         (int64_t)after.rows * (before.rows - after.rows)};
}

static bool is_more(struct gain a, struct gain b) {
    const double left = (double)a.over / (double)a.under, right = (double)b.over / (double)b.under;
    return left > right;
}

/* The best peeling of the box, which is tried on `trial`. False: it cannot be peeled further. */
static bool find_peel(struct learner *l, struct move *best) {
    const struct cor_region_count before = cor_region_count(&l->box, l->data);
    struct gain most = {0, 1};
    bool found = false;
    cor_region_copy(&l->trial, &l->box);
    for (uint32_t q = 0; q < l->data->quantity_count; q++) {
        const uint32_t count = sorted_values(l, &l->box, q);
        for (int high = 0; high <= 1; high++) {
            struct move move = {q, high != 0, 0};
            if (!peeled_bound(l, count, move.is_high, &move.bound))
                continue;
            const int64_t held = *side_of(&l->trial, move);
            *side_of(&l->trial, move) = move.bound;
            const struct cor_region_count after = cor_region_count(&l->trial, l->data);
            const bool is_large = after.rows >= l->definition->fewest && is_supported(l, &l->trial);
            *side_of(&l->trial, move) = held;
            const struct gain gain = is_large ? gain_of(before, after) : most;
            if (is_large && (!found || is_more(gain, most))) {
                most = gain;
                *best = move;
                found = true;
            }
        }
    }
    return found;
}

/* Opens sides of `box` as long as that is no loss, the best first; of equal ones the last, since quantities
 * that are made of others come behind them. */
static double simplify(const struct learner *l, struct cor_region *box) {
    double worth = worth_of(l, box);
    for (;;) {
        struct move best = {0};
        bool found = false;
        for (uint32_t q = 0; q < l->data->quantity_count; q++)
            for (int high = 0; high <= 1; high++) {
                const struct move move = {q, high != 0, open_side(high != 0)};
                const int64_t held = *side_of(box, move);
                if (held == move.bound)
                    continue;
                *side_of(box, move) = move.bound;
                const double opened = worth_of(l, box);
                *side_of(box, move) = held;
                if (opened >= worth) {
                    worth = opened;
                    best = move;
                    found = true;
                }
            }
        if (!found)
            return worth;
        *side_of(box, best) = best.bound;
    }
}

/* Where a side goes when the nearest rows behind it are taken in again: a share of the box's, and those of
 * the same value. False: there are none. */
static bool pasted_bound(struct learner *l, struct move *move, uint32_t inside) {
    const int64_t held = *side_of(&l->best, *move);
    *side_of(&l->best, *move) = open_side(move->is_high);
    uint32_t count = sorted_values(l, &l->best, move->quantity), beyond = 0;
    *side_of(&l->best, *move) = held;
    for (uint32_t i = 0; i < count; i++)
        beyond += move->is_high ? l->values[i] > held : l->values[i] < held;
    if (beyond == 0)
        return false;
    uint32_t share = share_of(l, inside);
    share = share < beyond ? share : beyond;
    move->bound = move->is_high ? l->values[count - beyond + share - 1] : l->values[beyond - share];
    return true;
}

static bool paste_once(struct learner *l) {
    const uint32_t inside = cor_region_count(&l->best, l->data).rows;
    struct move best = {0};
    bool found = false;
    for (uint32_t q = 0; q < l->data->quantity_count; q++)
        for (int high = 0; high <= 1; high++) {
            struct move move = {q, high != 0, 0};
            const int64_t held = *side_of(&l->best, move);
            if (held == open_side(move.is_high) || !pasted_bound(l, &move, inside))
                continue;
            *side_of(&l->best, move) = move.bound;
            const double worth = worth_of(l, &l->best);
            *side_of(&l->best, move) = held;
            if (worth > l->best_worth) {
                l->best_worth = worth;
                best = move;
                found = true;
            }
        }
    if (found)
        *side_of(&l->best, best) = best.bound;
    return found;
}

enum cor_status cor_region_learn(const struct cor_region_data *data,
                                 const struct cor_region_definition *definition, struct cor_region *region,
                                 struct cor_error *error) {
    struct learner l = {.data = data, .definition = definition};
    enum cor_status status = COR_OK;
    COR_ASSERT(data->row_count <= COR_REGION_ROWS_MAX && definition->fewest >= 1);
    COR_ASSERT(region->quantity_count == data->quantity_count && cor_region_sides(region) == 0);
    COR_TRY_OUT(cor_region_init(&l.box, data->quantity_count, error));
    COR_TRY_OUT(cor_region_init(&l.trial, data->quantity_count, error));
    COR_TRY_OUT(cor_region_init(&l.best, data->quantity_count, error));
    COR_TRY_OUT(cor_made(l.values = cor_calloc(data->row_count, sizeof *l.values), error));
    l.best_worth = worth_of(&l, &l.best);
    if (data->row_count > 0) {
        struct move move;
        while (find_peel(&l, &move)) {
            *side_of(&l.box, move) = move.bound;
            cor_region_copy(&l.trial, &l.box);
            const double worth = simplify(&l, &l.trial);
            if (worth > l.best_worth) {
                l.best_worth = worth;
                cor_region_copy(&l.best, &l.trial);
            }
        }
        while (paste_once(&l))
            ;
        simplify(&l, &l.best);
    }
    cor_region_copy(region, &l.best);
out:
    cor_region_fini(&l.box);
    cor_region_fini(&l.trial);
    cor_region_fini(&l.best);
    free(l.values);
    return status;
}
