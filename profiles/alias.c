/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walker's alias method (ACM TOMS 3(3), 1977) in Vose's construction (IEEE TSE 17(9), 1991), over whole
 * numbers: a law over n states becomes n * 2^32 units that are shared out without rounding, so no column is
 * left over with a rest that would make an impossible state possible, as happens when the construction runs
 * in floating point. */
#include "alias.h"

#define COLUMN_UNITS (UINT64_C(1) << 32)

/* The law in units; they sum to count * 2^32 exactly. What rounding left over (at most half a unit per state)
 * goes to the likeliest state, which holds at least one whole column. */
static void share_out(const double *probability, uint32_t count, uint64_t *units) {
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum += probability[i];
    double scale = (double)count * (double)COLUMN_UNITS;
    uint64_t total = 0;
    uint32_t likeliest = 0;
    for (uint32_t i = 0; i < count; i++) {
        units[i] = (uint64_t)(probability[i] / sum * scale + 0.5);
        total += units[i];
        if (units[i] > units[likeliest])
            likeliest = i;
    }
    units[likeliest] += count * COLUMN_UNITS - total; /* modulo 2^64: may be negative */
}

void cor__alias_build(const double *probability, uint32_t count, struct cor_alias_cell *row) {
    COR_ASSERT(count >= 1 && count <= COR_PROFILE_STATES_MAX);
    uint64_t units[COR_PROFILE_STATES_MAX];
    uint8_t poor[COR_PROFILE_STATES_MAX], rich[COR_PROFILE_STATES_MAX]; /* less than a column, at least one */
    uint32_t poor_count = 0, rich_count = 0;
    share_out(probability, count, units);
    for (uint32_t i = 0; i < count; i++) {
        if (units[i] < COLUMN_UNITS)
            poor[poor_count++] = (uint8_t)i;
        else
            rich[rich_count++] = (uint8_t)i;
    }
    /* Invariant: the states still listed hold as many whole columns as there are of them. */
    while (poor_count > 0) {
        COR_ASSERT(rich_count > 0);
        uint8_t taker = poor[--poor_count], giver = rich[rich_count - 1];
        row[taker] = (struct cor_alias_cell){.threshold = (uint32_t)units[taker], .alias = giver};
        units[giver] -= COLUMN_UNITS - units[taker];
        if (units[giver] < COLUMN_UNITS) {
            rich_count--;
            poor[poor_count++] = giver;
        }
    }
    while (rich_count > 0) {
        uint8_t whole = rich[--rich_count];
        row[whole] = (struct cor_alias_cell){.alias = whole, .always = 1};
    }
}
