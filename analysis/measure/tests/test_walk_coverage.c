/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure.h"
#include "two_suites.h"

#include <math.h>

/* Marks are told apart by stamps; when these run out they begin anew, and nothing is counted twice or missed.
 */
static void stamps_that_run_out_begin_anew(void **state) {
    static const uint8_t walk[] = {0, 1, 2, 0};
    (void)state;
    struct small small;
    struct cor__walker *walker = NULL;
    struct cor__walk_coverage coverage;
    struct cor_suite_rows suite = {.row = {.suite = 0}};
    const struct cor_profile_row profile = {.states = 3, .arcs = 4};
    const struct cor_chain_row chain = {.chain = 0};
    struct cor_transition_row transition[4];
    small_open(&small, "stamps");
    cor_record_begin(small.record, 0, 0);
    put_suite(&small, 10, 1, 1, 1);
    put_sequence(&small, 0, 3, 0, walk, sizeof walk);
    small_append(&small);
    struct cor_result *result = small_finish(&small, two_arms, 1);
    for (uint16_t t = 0; t < 4; t++)
        transition[t] = (struct cor_transition_row){
            .from = (uint16_t)(t % 3), .to = (uint16_t)(t < 3 ? (t + 1) % 3 : 0), .probability = 1};
    suite.table[COR_TABLE_PROFILES].row = &profile;
    suite.table[COR_TABLE_CHAINS].row = &chain;
    suite.table[COR_TABLE_TRANSITIONS].row = transition;
    suite.table[COR_TABLE_PROFILES].count = suite.table[COR_TABLE_CHAINS].count = 1;
    suite.table[COR_TABLE_TRANSITIONS].count = 4;
    OK(cor__walker_create(result, &walker, &small.error));
    OK(cor__walker_begin(walker, &suite, &small.error));
    walker->stamp = UINT32_MAX - 3;
    for (int i = 0; i < 6; i++) {
        OK(cor__walker_cover(walker, &(struct cor_sequence_row){.cases = 3}, &coverage, &small.error));
        assert_true(fabs(coverage.arc_coverage - 75) < 1e-9);
        assert_true(fabs(coverage.state_coverage - 100) < 1e-9);
        assert_int_equal(coverage.steps_outside, 0);
    }
    assert_true(walker->stamp < 6);
    cor__walker_destroy(walker);
    small_close(&small, result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stamps_that_run_out_begin_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
