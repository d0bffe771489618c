/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pairs.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

void coverage__covered_add(struct cor_covered *covered, double seen, double possible, uint64_t count) {
    if (!(possible > 0) || count == 0)
        return;
    covered->n += count;
    covered->share_sum += seen / possible;
    covered->covered += seen;
    covered->possible += possible * (double)count;
}

void coverage__covered_merge(struct cor_covered *sum, const struct cor_covered *covered) {
    sum->n += covered->n;
    sum->share_sum += covered->share_sum;
    sum->covered += covered->covered;
    sum->possible += covered->possible;
}

void coverage__pairs_merge(struct cor_pair_coverage *sum, const struct cor_pair_coverage *pairs) {
    sum->pairs += pairs->pairs;
    sum->pairs_looked_at += pairs->pairs_looked_at;
    coverage__covered_merge(&sum->sequence, &pairs->sequence);
    coverage__covered_merge(&sum->suite, &pairs->suite);
    coverage__covered_merge(&sum->sequence_mass, &pairs->sequence_mass);
    coverage__covered_merge(&sum->suite_mass, &pairs->suite_mass);
}

void coverage__pairs_fini(struct coverage__pairs *pairs) {
    for (size_t i = 0; i < COR_COVERAGE_CHAINS_MAX; i++)
        free(pairs->walk[i]);
    free(pairs->mark);
    *pairs = (struct coverage__pairs){0};
}

void coverage__pairs_choose(struct coverage__pairs *pairs, size_t chain_count) {
    size_t chosen = chain_count < COR_COVERAGE_CHAINS_MAX ? chain_count : COR_COVERAGE_CHAINS_MAX;
    pairs->chains = chosen;
    pairs->of_chains = chain_count > 0 ? (uint64_t)chain_count * (chain_count - 1) / 2 : 0;
    for (size_t i = 0; i < chosen; i++)
        pairs->chain[i] = (uint32_t)(i * chain_count / chosen);
}

enum cor_status coverage__pairs_begin(struct coverage__pairs *pairs, struct cor_error *error) {
    size_t cells = 0;
    for (size_t i = 0; i < pairs->chains; i++)
        for (size_t j = i + 1; j < pairs->chains; j++)
            cells += (size_t)pairs->law[i]->states * pairs->law[j]->states;
    COR_TRY(COR_RESERVE(&pairs->mark, &pairs->mark_capacity, cells, error));
    if (cells > 0)
        memset(pairs->mark, 0, cells * sizeof *pairs->mark);
    pairs->mark_count = cells;
    pairs->sequences = 0;
    memset(pairs->held, 0, sizeof pairs->held);
    pairs->found = (struct cor_pair_coverage){
        .pairs = pairs->of_chains,
        .pairs_looked_at = pairs->chains > 0 ? pairs->chains * (pairs->chains - 1) / 2 : 0};
    return COR_OK;
}

enum cor_status coverage__pairs_put(struct coverage__pairs *pairs, size_t number, const uint8_t *states,
                                    size_t count, struct cor_error *error) {
    size_t i = 0;
    while (i < pairs->chains && pairs->chain[i] != number)
        i++;
    if (i == pairs->chains)
        return COR_OK;
    size_t room = COVERAGE__PAIR_STATES_MAX - pairs->held[i], taken = count < room ? count : room;
    COR_TRY(COR_RESERVE(&pairs->walk[i], &pairs->capacity[i], pairs->held[i] + taken, error));
    if (taken == 0)
        return COR_OK;
    memcpy(pairs->walk[i] + pairs->held[i], states, taken);
    pairs->held[i] += taken;
    return COR_OK;
}

/* What two chains showed, in the sequence or in the suite. */
struct seen {
    double count, mass;
};

void coverage__pairs_end_sequence(struct coverage__pairs *pairs) {
    uint32_t *mark = pairs->mark;
    pairs->sequences++;
    for (size_t a = 0; a < pairs->chains; a++)
        for (size_t b = a + 1; b < pairs->chains; b++) {
            size_t cells = (size_t)pairs->law[a]->states * pairs->law[b]->states;
            /* A suite has a hundred million such looks, so what is not new to the sequence must cost
             * little. */
            const struct coverage__law *one = pairs->law[a], *other = pairs->law[b];
            const uint8_t *here = pairs->walk[a], *there = pairs->walk[b];
            struct seen seen = {0};
            for (size_t i = 0; i < pairs->held[a]; i++) {
                uint32_t *cell = &mark[(size_t)here[i] * other->states + there[i]];
                if (*cell == pairs->sequences)
                    continue;
                *cell = pairs->sequences;
                seen.count++;
                seen.mass += one->share[here[i]] * other->share[there[i]];
            }
            coverage__covered_add(&pairs->found.sequence, seen.count, (double)cells, 1);
            if (pairs->law[a]->sound && pairs->law[b]->sound)
                coverage__covered_add(&pairs->found.sequence_mass, seen.mass, 1, 1);
            mark += cells;
        }
    memset(pairs->held, 0, sizeof pairs->held);
}

void coverage__pairs_end(struct coverage__pairs *pairs) {
    const uint32_t *mark = pairs->mark;
    for (size_t a = 0; a < pairs->chains && pairs->sequences > 0; a++)
        for (size_t b = a + 1; b < pairs->chains; b++) {
            const struct coverage__law *one = pairs->law[a], *other = pairs->law[b];
            struct seen seen = {0};
            for (uint32_t i = 0; i < one->states; i++)
                for (uint32_t j = 0; j < other->states; j++)
                    if (*mark++ > 0) {
                        seen.count++;
                        seen.mass += one->share[i] * other->share[j];
                    }
            coverage__covered_add(&pairs->found.suite, seen.count, (double)one->states * other->states, 1);
            if (one->sound && other->sound)
                coverage__covered_add(&pairs->found.suite_mass, seen.mass, 1, 1);
        }
}
