/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Does a file contradict itself? One pass over all of it, whatever is to be shown. */
#include "whole_file.h"

#include <corridor/agent_result.h>
#include <corridor/agent_schema.h>
#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/efsm_result.h>
#include <corridor/efsm_schema.h>
#include <corridor/estimation_result.h>
#include <corridor/process_result.h>
#include <corridor/search_result.h>
#include <corridor/system_result.h>

#include "scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Suites of each arm in the first table, which has a row for each, in ascending order from 0 on where the
 * experiment says how many there are. */
static enum cor_status count_suites(struct cor_result *result, const struct cor_announced *announced,
                                    uint64_t *had, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(result);
    const struct cor_table_schema *schema = &head->layer->tables[0];
    enum { BLOCK = 1024 };
    enum cor_status status = COR_OK;
    unsigned char *rows = cor_calloc(BLOCK, schema->row_size);
    COR_TRY(cor_made(rows, error));
    const uint64_t total = cor_result_size(result, 0);
    for (uint64_t first = 0, count; first < total; first += count) {
        count = total - first < BLOCK ? total - first : BLOCK;
        COR_TRY_OUT(cor_result_read_columns(result, 0, COR_ROW_KEY_COLUMNS, first, count, rows, error));
        for (uint64_t i = 0; i < count; i++) {
            const struct cor_row_key key = cor_row_key_of(rows + i * schema->row_size);
            const size_t arm = cor_arm_of_code(head, key.arm);
            if (arm == cor_arm_count(head))
                COR_TRY_OUT(read__foreign(error, schema->group,
                                          "suite %" PRIu32 " is of arm %u, which catalog/arm lacks",
                                          key.suite, key.arm));
            if (announced->suites > 0 && key.suite != had[arm])
                COR_TRY_OUT(read__foreign(error, schema->group,
                                          "arm %u has suite %" PRIu32 " where %" PRIu64 " is expected",
                                          key.arm, key.suite, had[arm]));
            had[arm]++;
        }
    }
out:
    free(rows);
    return status;
}

static enum cor_status check_head(struct cor_result *result, struct cor_announced *announced,
                                  struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(result);
    COR_TRY(read__check_catalogs(head, error));
    COR_TRY(read__check_experiment(head, announced, error));
    uint64_t *had = cor_calloc(cor_arm_count(head), sizeof *had);
    COR_TRY(cor_made(had, error));
    enum cor_status status = count_suites(result, announced, had, error);
    if (status == COR_OK)
        status = read__check_plan(head, announced, had, error);
    free(had);
    return status;
}

/* The first that is broken, by arm. */
static enum cor_status say_broken(const struct cor_result_header *head,
                                  struct cor_identity_tally (*tally)[COR_IDENTITY_COUNT],
                                  struct cor_error *error) {
    for (size_t a = 0; a < cor_arm_count(head); a++)
        for (enum cor_identity i = 0; i < COR_IDENTITY_COUNT; i++)
            if (tally[a][i].broken > 0) {
                char place[128];
                snprintf(place, sizeof place, "arm %.100s", cor_arm_entry(head, a)->name);
                return cor_fail(
                    error, COR_STATUS_INPUT, place, "the file was not written by this program, or is damaged",
                    "contradicts itself: \"%s\" does not hold %" PRIu64 " of %" PRIu64 " times, %s",
                    cor_identity_sentence(i), tally[a][i].broken, tally[a][i].checked, tally[a][i].values);
            }
    return COR_OK;
}

/* Of continuous execution: a snapshot of each case, ticks of each reorganization, and one after another. */
static bool are_in_time(const struct cor_sequence_rows *s) {
    uint64_t before = 0;
    if (s->snapshot_count == 0)
        return s->tick_count == 0;
    if (s->snapshot_count != s->case_count || s->tick_count != s->reorganization_count)
        return false;
    for (size_t t = 0; t < s->tick_count; t++) {
        const struct cor_tick_row *row = &s->ticks[t];
        if (row->case_ != s->reorganizations[t].case_ || row->alarm < before || row->asked < row->alarm ||
            row->solution < row->asked || row->adopted < row->solution)
            return false;
        before = row->adopted;
    }
    for (size_t c = 1; c < s->snapshot_count; c++)
        if (s->snapshots[c].tick <= s->snapshots[c - 1].tick)
            return false;
    return true;
}

/* What only this pass reads. */
static enum cor_status check_aside(const struct cor_suite_rows *suite, struct cor_error *error) {
    if (suite->table[COR_TABLE_AGENTS].count != suite->row.agents)
        return cor_damaged(error, COR_TABLE_AGENTS,
                           "arm %u, suite %" PRIu32 " has %zu rows, expected %" PRIu32, suite->row.arm,
                           suite->row.suite, suite->table[COR_TABLE_AGENTS].count, suite->row.agents);
    const struct cor_violation_row *violation = suite->table[COR_TABLE_VIOLATIONS].row;
    for (size_t i = 0; i < suite->table[COR_TABLE_VIOLATIONS].count; i++)
        if (!cor_term(COR_FAMILY_BOX, violation[i].box) || !cor_term(COR_FAMILY_CHECK, violation[i].check))
            return cor_damaged(error, COR_TABLE_VIOLATIONS,
                               "arm %u, suite %" PRIu32 ": box %u, check %u, which means nothing",
                               suite->row.arm, suite->row.suite, violation[i].box, violation[i].check);
    for (uint32_t s = 0; s < suite->row.sequences; s++)
        if (!are_in_time(&suite->sequence[s]))
            return cor_damaged(error, COR_TABLE_TICKS,
                               "arm %u, suite %" PRIu32 ", sequence %" PRIu32
                               ": its reorganizations and snapshots are not in the order of time",
                               suite->row.arm, suite->row.suite, s);
    for (uint32_t s = 0; s < suite->row.sequences; s++)
        for (size_t r = 0; r < suite->sequence[s].reorganization_count; r++) {
            const struct cor_reorganization_row *row = &suite->sequence[s].reorganizations[r];
            if (row->interim_failed > row->interim_looks ||
                (row->gray == COR_VERDICT_SMOKE) != (row->smoke > COR_SMOKE_NONE))
                return cor_damaged(error, COR_TABLE_REORGANIZATIONS,
                                   "arm %u, suite %" PRIu32 ", sequence %" PRIu32 ", case %" PRIu32
                                   ": its verdict and how it ended contradict each other",
                                   suite->row.arm, suite->row.suite, s, row->case_);
        }
    return COR_OK;
}

static enum cor_status judge_rows(struct cor_result *result, const struct cor_announced *announced,
                                  struct cor_identity_tally (*tally)[COR_IDENTITY_COUNT],
                                  struct cor_error *error) {
    struct cor_reading readings[COR_TABLE_COUNT];
    struct cor_suite_reader *reader;
    const struct cor_suite_rows *suite;
    enum cor_status status = COR_OK;
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++)
        readings[t] = (struct cor_reading){t, NULL};
    COR_TRY(cor_suite_reader_create(result, readings, COR_TABLE_COUNT, &reader, error));
    for (;;) {
        COR_TRY_OUT(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        COR_TRY_OUT(cor_environment_check(suite, error));
        COR_TRY_OUT(read__check_numbers(suite, result, error));
        COR_TRY_OUT(cor_identities_of_suite(suite, announced, tally[suite->arm], error));
        COR_TRY_OUT(check_aside(suite, error));
    }
out:
    cor_suite_reader_destroy(reader);
    return status;
}

static enum cor_status judge_suites(struct cor_result *result, const struct cor_announced *announced,
                                    struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(result);
    struct cor_identity_tally(*tally)[COR_IDENTITY_COUNT] = cor_calloc(cor_arm_count(head), sizeof *tally);
    COR_TRY(cor_made(tally, error));
    enum cor_status status = judge_rows(result, announced, tally, error);
    if (status == COR_OK)
        status = say_broken(head, tally, error);
    free(tally);
    return status;
}

/* Tables of the other layers are judged where they are read; those that are read where they are shown alone,
 * or as they are, here. */
static enum cor_status judge_layer(struct cor_result *result, const struct cor_announced *announced,
                                   struct cor_error *error) {
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    struct cor_layer_tables tables;
    if (layer == &cor_interaction_schema)
        return judge_suites(result, announced, error);
    enum cor_status status = layer == &cor_agent_schema     ? cor_agent_result_init(result, &tables, error)
                             : layer == &cor_efsm_schema    ? cor_efsm_result_init(result, &tables, error)
                             : layer == &cor_system_schema  ? cor_system_result_init(result, &tables, error)
                             : layer == &cor_process_schema ? cor_process_result_init(result, &tables, error)
                             : layer == &cor_search_schema  ? cor_search_result_init(result, &tables, error)
                             : layer == &cor_estimation_schema
                                 ? cor_estimation_result_init(result, &tables, error)
                                 : cor_layer_tables_init(result, COR_ALL_TABLES, 0, &tables, error);
    COR_TRY(status);
    if (layer == &cor_agent_schema)
        status = cor_layer_tables_add(&tables, COR_AGENT_TABLE_TRACES, error);
    cor_layer_tables_fini(&tables);
    return status;
}

enum cor_status cor_identities_check(struct cor_result *result, struct cor_error *error) {
    struct cor_announced announced;
    COR_TRY(read__announced_begin(&announced, cor_result_head(result), error));
    enum cor_status status = check_head(result, &announced, error);
    if (status == COR_OK)
        status = judge_layer(result, &announced, error);
    cor_announced_fini(&announced);
    return status;
}
