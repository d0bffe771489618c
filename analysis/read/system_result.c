/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/system_result.h>
#include <corridor/system_terms.h>

#include "scan.h"

#include <inttypes.h>
#include <stdio.h>

/* What judges said is counted, and the verdict is no better than that. */
static enum cor_status check_test(const struct cor_layer_tables *system,
                                  const struct cor_system_test_row *test, struct cor_error *error) {
    uint64_t judged, violated = 0, unknown = 0, agents;
    const uint64_t first =
        cor_layer_rows_of(system, COR_SYSTEM_TABLE_VERDICTS, test->arm, test->suite, &judged);
    for (uint64_t i = first; i < first + judged; i++) {
        const struct cor_system_verdict_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_VERDICTS, i);
        violated += row->verdict == COR_VERDICT_FAILED;
        unknown += row->verdict == COR_VERDICT_UNDECIDED;
    }
    if (judged != test->judged || violated != test->violated || unknown != test->unknown)
        return read__foreign(error, "tests",
                             "arm %u, suite %" PRIu32 ": %" PRIu32 " verdicts, %" PRIu32 " violated, %" PRIu32
                             " unknown, in table verdicts %" PRIu64 ", %" PRIu64 ", %" PRIu64,
                             test->arm, test->suite, test->judged, test->violated, test->unknown, judged,
                             violated, unknown);
    bool is_reached = true;
    const uint64_t agent =
        cor_layer_rows_of(system, COR_SYSTEM_TABLE_AGENTS, test->arm, test->suite, &agents);
    for (uint64_t i = agent; i < agent + agents; i++) {
        const struct cor_system_agent_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_AGENTS, i);
        is_reached = is_reached && row->end != COR_GOAL_FAILED && row->end != COR_GOAL_STALLED;
    }
    if ((test->verdict == COR_TEST_PASS && (violated > 0 || !is_reached || test->trouble != 0)) ||
        (test->verdict == COR_TEST_FAIL && violated == 0 && is_reached) || test->decided > test->cycles)
        return read__foreign(error, "tests",
                             "arm %u, suite %" PRIu32
                             ": its verdict contradicts what judges and test agents said",
                             test->arm, test->suite);
    return COR_OK;
}

enum cor_status cor_system_result_init(struct cor_result *result, struct cor_layer_tables *system,
                                       struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_TRY(cor_layer_tables_init(result, COR_ALL_TABLES, COR_ALL_VECTORS, system, error));
    COR_TRY_OUT(read__check_texts(system, error));
    /* Bits of a word of states are entries of the catalog; what holds is not unknown, too. */
    const size_t states = system->head->catalog_size[COR_SYSTEM_CATALOG_STATE];
    const uint64_t none = states < 64 ? ~UINT64_C(0) << states : 0;
    for (uint64_t i = 0; i < system->count[COR_SYSTEM_TABLE_CYCLES]; i++) {
        const struct cor_system_cycle_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_CYCLES, i);
        if ((row->state | row->state_unknown) & none)
            COR_TRY_OUT(read__foreign(
                error, "cycles", "row %" PRIu64 " has a state beyond the %zu of catalog/state", i, states));
        if (row->state & row->state_unknown)
            COR_TRY_OUT(read__foreign(error, "cycles", "row %" PRIu64 ": a state holds and is unknown", i));
    }
    for (uint64_t i = 0; i < system->count[COR_SYSTEM_TABLE_STEPS]; i++) {
        const struct cor_system_step_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_STEPS, i);
        if ((row->from | row->to) & none)
            COR_TRY_OUT(read__foreign(
                error, "steps", "row %" PRIu64 " has a state beyond the %zu of catalog/state", i, states));
    }
    for (uint64_t i = 0; i < system->count[COR_SYSTEM_TABLE_TESTS]; i++) {
        /* Cycles of a test are in their order, and none is behind its end. */
        const struct cor_system_test_row *test = cor_layer_row(system, COR_SYSTEM_TABLE_TESTS, i);
        uint64_t count;
        const uint64_t first =
            cor_layer_rows_of(system, COR_SYSTEM_TABLE_CYCLES, test->arm, test->suite, &count);
        uint32_t before = 0;
        for (uint64_t k = first; k < first + count; k++) {
            const struct cor_system_cycle_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_CYCLES, k);
            if (row->cycle < before || row->cycle > test->cycles)
                COR_TRY_OUT(read__foreign(error, "cycles",
                                          "arm %u, suite %" PRIu32 ": cycle %" PRIu32 " behind %" PRIu32
                                          ", in a test of %" PRIu32,
                                          test->arm, test->suite, row->cycle, before, test->cycles));
            before = row->cycle;
        }
        COR_TRY_OUT(check_test(system, cor_layer_row(system, COR_SYSTEM_TABLE_TESTS, i), error));
    }
out:
    if (status != COR_OK)
        cor_layer_tables_fini(system);
    return status;
}

const char *cor_system_name(const struct cor_layer_tables *system, enum cor_system_catalog catalog,
                            uint16_t code) {
    return cor_result_name(system->result, (uint32_t)catalog, code);
}

void cor_system_states_text(const struct cor_layer_tables *system, uint64_t state, uint64_t unknown,
                            char text[COR_SYSTEM_WORDS]) {
    const size_t states = system->head->catalog_size[COR_SYSTEM_CATALOG_STATE];
    size_t length = 0;
    text[0] = '\0';
    for (size_t s = 0; s < states && s < 64 && length < COR_SYSTEM_WORDS; s++)
        if ((state | unknown) >> s & 1)
            length += (size_t)snprintf(
                text + length, COR_SYSTEM_WORDS - length, "%s%s%s", length > 0 ? ", " : "",
                system->head->catalog[COR_SYSTEM_CATALOG_STATE][s].name, unknown >> s & 1 ? "?" : "");
    if (states > 0 && length == 0)
        snprintf(text, COR_SYSTEM_WORDS, "none");
}

void cor_system_place_text(uint32_t column, uint32_t row, uint32_t floor, char text[COR_SYSTEM_WORDS]) {
    text[0] = '\0';
    if (column == COR_SYSTEM_NO_CELL)
        return;
    const int length = snprintf(text, COR_SYSTEM_WORDS, "[%" PRIu32 ", %" PRIu32 "]", column, row);
    if (floor > 0)
        snprintf(text + length, COR_SYSTEM_WORDS - (size_t)length, " floor %" PRIu32, floor);
}
