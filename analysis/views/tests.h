/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files about tests on line share. */
#ifndef CORRIDOR_ANALYSIS_VIEWS_TESTS_H
#define CORRIDOR_ANALYSIS_VIEWS_TESTS_H

#include <corridor/efsm_result.h>
#include <corridor/view.h>

/* The tests of an arm together. */
struct views__tests_arm {
    uint64_t tests, verdicts[COR_TEST_CODES], moves, resets, timeouts;
    uint64_t moves_to_failure; /* over those that failed */
};

struct views__tests_arm views__tests_arm(const struct cor_layer_tables *model, uint16_t arm);

/* The sheets about mutants: the score of each planner, and each mutant beside each planner. */
extern const struct cor_sheet_definition views__kill_scores, views__kills;
enum cor_status views__put_kills(const struct cor_layer_tables *model, double level,
                                 struct cor_sheets *sheets, struct cor_error *error) COR_MUST_USE;

#endif
