/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is a suite whole? For those who build on its numbering. */
#include <corridor/suite_reader.h>

#include "whole_file.h"

#include <inttypes.h>

/* Tables PROFILES and CHAINS; a table without rows is one with too few. */
static enum cor_status check_chains(const struct cor_suite_rows *suite, unsigned states_max,
                                    struct cor_error *error) {
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    const struct cor_chain_row *chain = suite->table[COR_TABLE_CHAINS].row;
    size_t profiles = suite->table[COR_TABLE_PROFILES].count;
    for (size_t p = 0; p < profiles; p++)
        if (profile[p].profile != p || profile[p].states == 0 || profile[p].states > states_max)
            return cor_damaged(
                error, COR_TABLE_PROFILES,
                "arm %u, suite %" PRIu32 ": profile %u of %u states, expected profile %zu of 1 to %u states",
                suite->row.arm, suite->row.suite, profile[p].profile, profile[p].states, p, states_max);
    for (size_t c = 0; c < suite->table[COR_TABLE_CHAINS].count; c++)
        if (chain[c].chain != c || chain[c].profile >= profiles)
            return cor_damaged(error, COR_TABLE_CHAINS,
                               "arm %u, suite %" PRIu32 ": chain %" PRIu32
                               " of profile %u, expected chain %zu of one of %zu profiles",
                               suite->row.arm, suite->row.suite, chain[c].chain, chain[c].profile, c,
                               profiles);
    return COR_OK;
}

static enum cor_status check_case(const struct cor_suite_rows *suite, enum cor_table table, uint32_t sequence,
                                  uint32_t number, struct cor_error *error) {
    if (number >= 1 && number <= suite->sequence[sequence].row->executed)
        return COR_OK;
    return cor_damaged(error, table,
                       "arm %u, suite %" PRIu32 ": sequence %" PRIu32 ", case %" PRIu32 " was not executed",
                       suite->row.arm, suite->row.suite, sequence, number);
}

/* Rows are in order, so the first and the last case tell of all. */
#define CHECK_CASES(TABLE, rows, count)                                                \
    do {                                                                               \
        if ((count) > 0) {                                                             \
            COR_TRY(check_case(suite, TABLE, number, (rows)[0].case_, error));         \
            COR_TRY(check_case(suite, TABLE, number, (rows)[(count)-1].case_, error)); \
        }                                                                              \
    } while (0)

enum cor_status read__check_numbers(const struct cor_suite_rows *suite, const struct cor_result *result,
                                    struct cor_error *error) {
    uint64_t walk_bytes = cor_result_vector_size(result, COR_VECTOR_WALK);
    size_t chains = suite->table[COR_TABLE_CHAINS].count;
    if (chains != suite->row.chains)
        return cor_damaged(error, COR_TABLE_CHAINS,
                           "arm %u, suite %" PRIu32 " has %zu rows, expected %" PRIu32, suite->row.arm,
                           suite->row.suite, chains, suite->row.chains);
    for (uint32_t number = 0; number < suite->row.sequences; number++) {
        const struct cor_sequence_rows *sequence = &suite->sequence[number];
        const struct cor_sequence_row *row = sequence->row;
        if (!row)
            return cor_damaged(error, COR_TABLE_SEQUENCES,
                               "arm %u, suite %" PRIu32 ": sequence %" PRIu32 " is missing", suite->row.arm,
                               suite->row.suite, number);
        if (row->executed > row->cases)
            return cor_damaged(error, COR_TABLE_SEQUENCES,
                               "arm %u, suite %" PRIu32 ": sequence %" PRIu32 " executed %" PRIu32
                               " of %" PRIu32 " cases",
                               suite->row.arm, suite->row.suite, number, row->executed, row->cases);
        uint64_t needed = (uint64_t)suite->row.chains * ((uint64_t)row->cases + 1);
        if (row->walk_start > walk_bytes || needed > walk_bytes - row->walk_start)
            return cor_damaged(error, COR_TABLE_SEQUENCES,
                               "arm %u, suite %" PRIu32 ": the walk of sequence %" PRIu32
                               " ends behind vectors/walk",
                               suite->row.arm, suite->row.suite, number);
        if (sequence->branch) {
            /* A branch is of an earlier sequence that is at least as long as what both share. */
            if (sequence->branch->parent >= sequence->branch->sequence ||
                sequence->branch->prefix > suite->sequence[sequence->branch->parent].row->executed)
                return cor_damaged(error, COR_TABLE_BRANCHES,
                                   "arm %u, suite %" PRIu32
                                   ": sequence %u cannot continue %u behind case %" PRIu32,
                                   suite->row.arm, suite->row.suite, sequence->branch->sequence,
                                   sequence->branch->parent, sequence->branch->prefix);
        }
        CHECK_CASES(COR_TABLE_CASES, sequence->cases, sequence->case_count);
        CHECK_CASES(COR_TABLE_REORGANIZATIONS, sequence->reorganizations, sequence->reorganization_count);
        CHECK_CASES(COR_TABLE_FAILURES, sequence->failures, sequence->failure_count);
        CHECK_CASES(COR_TABLE_VIOLATIONS, sequence->violations, sequence->violation_count);
    }
    return COR_OK;
}

enum cor_status cor_suite_check(const struct cor_suite_rows *suite, const struct cor_result *result,
                                struct cor_error *error) {
    COR_TRY(check_chains(suite, COR_STATES_MAX, error));
    return read__check_numbers(suite, result, error);
}

enum cor_status cor_environment_check(const struct cor_suite_rows *suite, struct cor_error *error) {
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    const struct cor_transition_row *arc = suite->table[COR_TABLE_TRANSITIONS].row;
    size_t profiles = suite->table[COR_TABLE_PROFILES].count;
    COR_TRY(check_chains(suite, COR_BYTE_STATES, error));
    for (size_t i = 0; i < suite->table[COR_TABLE_TRANSITIONS].count; i++) {
        uint32_t states = arc[i].profile < profiles ? profile[arc[i].profile].states : 0;
        if (arc[i].from >= states || arc[i].to >= states)
            return cor_damaged(error, COR_TABLE_TRANSITIONS,
                               "arm %u, suite %" PRIu32 ": profile %u has no transition %u to %u",
                               suite->row.arm, suite->row.suite, arc[i].profile, arc[i].from, arc[i].to);
    }
    return COR_OK;
}
