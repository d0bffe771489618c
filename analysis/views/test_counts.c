/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of an arm amount to: counts and verdicts. */
#include "tests.h"

#include <corridor/arms.h>
#include <corridor/array.h>

#include <stdlib.h>

struct views__tests_arm views__tests_arm(const struct cor_layer_tables *model, uint16_t arm) {
    struct views__tests_arm it = {0};
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_TESTS]; i++) {
        const struct cor_efsm_test_row *row = cor_layer_row(model, COR_EFSM_TABLE_TESTS, i);
        if (row->arm != arm)
            continue;
        it.tests++;
        it.verdicts[row->verdict < COR_TEST_CODES ? row->verdict : 0]++;
        it.moves += row->moves;
        it.resets += row->resets;
        it.timeouts += row->timeouts;
        if (row->verdict == COR_TEST_FAIL)
            it.moves_to_failure += row->failed;
    }
    return it;
}

enum cor_status views__count_tests(const struct cor_layer_tables *model, struct cor_view_findings *found,
                                   struct cor_error *error) {
    for (size_t a = 0; a < cor_arm_count(model->head); a++) {
        char *mutant;
        COR_TRY(cor_text_under(cor_arm_entry(model->head, a)->description, "mutant", &mutant, error));
        const struct views__tests_arm arm = views__tests_arm(model, (uint16_t)a);
        const uint64_t failed = arm.verdicts[COR_TEST_FAIL];
        found->undetected += mutant != NULL && failed == 0;
        found->unexpected += mutant == NULL && failed > 0;
        found->failed += failed;
        found->undecided += arm.tests - arm.verdicts[COR_TEST_PASS] - failed;
        free(mutant);
    }
    return COR_OK;
}
