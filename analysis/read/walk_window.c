/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/suite_reader.h>

#include <corridor/array.h>

#include <inttypes.h>
#include <stdlib.h>

#define WINDOW (4u << 20) /* bytes of walks read at a time; less where there are fewer */

enum cor_status cor_walk_window_init(struct cor_walk_window *window, struct cor_result *result,
                                     struct cor_error *error) {
    const uint64_t size = cor_result_vector_size(result, COR_VECTOR_WALK);
    *window = (struct cor_walk_window){.result = result,
                                       .bytes = cor_calloc(size < WINDOW ? (size_t)size + 1 : WINDOW, 1)};
    return window->bytes ? COR_OK : cor_fail_memory(error);
}

void cor_walk_window_fini(struct cor_walk_window *window) {
    free(window->bytes);
    *window = (struct cor_walk_window){0};
}

/* Side by side in lanes, so that a compiler may use vectors. */
static uint8_t greatest(const uint8_t *bytes, size_t count) {
    enum { LANES = 16 };
    uint8_t lane[LANES] = {0}, most = 0;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t l = 0; l < LANES; l++)
            lane[l] = bytes[i + l] > lane[l] ? bytes[i + l] : lane[l];
    for (; i < count; i++)
        most = bytes[i] > most ? bytes[i] : most;
    for (size_t l = 0; l < LANES; l++)
        most = lane[l] > most ? lane[l] : most;
    return most;
}

enum cor_status cor_walk_look(struct cor_walk_window *window, uint64_t position, uint64_t wanted,
                              uint32_t states, const uint8_t **bytes, size_t *count,
                              struct cor_error *error) {
    COR_ASSERT(wanted > 0);
    if (position < window->start || position - window->start >= window->size) {
        uint64_t size = cor_result_vector_size(window->result, COR_VECTOR_WALK);
        uint64_t left = position < size ? size - position : 0;
        window->start = position;
        window->size = 0;
        if (left == 0)
            return cor_damaged(error, COR_TABLE_SEQUENCES,
                               "a walk begins or ends behind the %" PRIu64 " bytes of vectors/walk", size);
        size_t taken = left < WINDOW ? (size_t)left : WINDOW;
        COR_TRY(
            cor_result_read_vector(window->result, COR_VECTOR_WALK, position, taken, window->bytes, error));
        window->size = taken;
    }
    size_t offset = (size_t)(position - window->start), held = window->size - offset;
    *bytes = window->bytes + offset;
    *count = wanted < held ? (size_t)wanted : held;
    uint8_t most = greatest(*bytes, *count);
    if (most >= states)
        return cor_damaged(error, COR_TABLE_SEQUENCES,
                           "a walk visits state %u of a profile of %" PRIu32 " states", most, states);
    return COR_OK;
}

enum cor_status cor_sequence_walk_read(struct cor_sequence_walk *walk, const struct cor_suite_rows *suite,
                                       uint32_t sequence, struct cor_result *result,
                                       struct cor_error *error) {
    COR_ASSERT(sequence < suite->row.sequences && suite->sequence[sequence].row);
    const struct cor_sequence_row *row = suite->sequence[sequence].row;
    const struct cor_chain_row *chain = suite->table[COR_TABLE_CHAINS].row;
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    walk->length = (size_t)row->cases + 1;
    size_t size = walk->length * suite->row.chains;
    COR_TRY(COR_RESERVE(&walk->states, &walk->capacity, size, error));
    COR_TRY(cor_result_read_vector(result, COR_VECTOR_WALK, row->walk_start, size, walk->states, error));
    for (uint32_t c = 0; c < suite->row.chains; c++) {
        uint8_t most = greatest(walk->states + c * walk->length, walk->length);
        if (most >= profile[chain[c].profile].states)
            return cor_damaged(error, COR_TABLE_SEQUENCES,
                               "arm %u, suite %" PRIu32 ": the walk of sequence %" PRIu32
                               " visits state %u of a profile of %u states",
                               suite->row.arm, suite->row.suite, sequence, most,
                               profile[chain[c].profile].states);
    }
    return COR_OK;
}

void cor_sequence_walk_fini(struct cor_sequence_walk *walk) {
    free(walk->states);
    *walk = (struct cor_sequence_walk){0};
}
