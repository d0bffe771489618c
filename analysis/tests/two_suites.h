/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result file small enough to work its tables out by hand. */
#ifndef CORRIDOR_ANALYSIS_TESTS_TWO_SUITES_H
#define CORRIDOR_ANALYSIS_TESTS_TWO_SUITES_H

#include "small_result.h"

#include <math.h>

static inline void assert_near(double found, double expected) {
    if (isnan(expected))
        assert_true(isnan(found));
    else
        assert_true(fabs(found - expected) <= 1e-9 * (1 + fabs(expected)));
}

/* Two suites whose figures can be worked out by hand:
 *
 * One profile of three states: 0->0, 0->1, 1->2, 2->0 (4 arcs).
 *
 *   suite 0: 10 agents, 2 groups, 2 chains
 *     sequence 0: 4 cases; walks 0 1 2 0 1 (3 of 3 states, 3 of 4 arcs) and 0 0 0 0 0 (1 of 3, 1 of 4)
 *                 case 2: activated, gray box fails, black box passes; case 3: activated and masked
 *     sequence 1: 2 cases, 1 executed; walks 1 2 0 (3 of 3, 2 of 4) and 2 0 1 (3 of 3, 2 of 4)
 *                 case 1: activated, both boxes fail
 *   suite 1: 20 agents, 4 groups, 1 chain
 *     sequence 0: 3 cases; walk 0 1 2 0 (3 of 3, 3 of 4); nothing happens
 *     sequence 1: 1 case; walk 2 1: a step the profile does not have (2 of 3, 0 of 4); a reorganization
 * passes */

static inline void put_profile(struct small *small, uint32_t chains, const uint64_t visits[3],
                               const uint64_t taken[5]) {
    static const uint16_t from[] = {0, 0, 1, 2, 2}, to[] = {0, 1, 2, 0, 1};
    for (uint32_t c = 0; c < chains; c++) {
        struct cor_chain_row *chain = small_row(small, COR_TABLE_CHAINS);
        chain->chain = c;
    }
    struct cor_profile_row *profile = small_row(small, COR_TABLE_PROFILES);
    profile->states = 3;
    profile->arcs = 4;
    for (uint16_t s = 0; s < 3; s++) {
        struct cor_visit_row *visit = small_row(small, COR_TABLE_VISITS);
        visit->state = s;
        visit->count = visits[s];
    }
    for (int t = 0; t < 5; t++) {
        if (t == 4 && taken[t] == 0)
            continue;
        struct cor_transition_row *arc = small_row(small, COR_TABLE_TRANSITIONS);
        arc->from = from[t];
        arc->to = to[t];
        arc->probability = t == 4 ? 0 : 0.5;
        arc->count = taken[t];
    }
}

static inline void put_suite(struct small *small, uint32_t agents, uint32_t groups, uint32_t chains,
                             uint32_t sequences) {
    struct cor_suite_row *suite = small_row(small, COR_TABLE_SUITES);
    suite->agents = agents;
    suite->groups = groups;
    suite->chains = chains;
    suite->sequences = sequences;
    suite->measure = COR_MEASURE_RANGE;
    for (uint32_t g = 0; g < groups; g++) {
        struct cor_group_row *group = small_row(small, COR_TABLE_GROUPS);
        group->group = g;
        group->size = g == 0 ? agents - (groups - 1) : 1;
    }
}

static inline void put_sequence(struct small *small, uint16_t number, uint32_t cases, uint32_t executed,
                                const uint8_t *walk, size_t length) {
    struct cor_sequence_row *sequence = small_row(small, COR_TABLE_SEQUENCES);
    sequence->sequence = number;
    sequence->cases = cases;
    sequence->executed = executed;
    OK(cor_record_put(small->record, COR_VECTOR_WALK, walk, length, &sequence->walk_start, &small->error));
}

/* One violation that a box listed. */
static inline void put_listed(struct small *small, uint16_t sequence, uint32_t number, enum cor_box box) {
    struct cor_violation_row *row = small_row(small, COR_TABLE_VIOLATIONS);
    row->sequence = sequence;
    row->case_ = number;
    row->box = (uint8_t)box;
    row->check = COR_CHECK_MISSING;
    row->agent = number + 15;
    row->expected = 1;
}

/* Verdicts of a reorganization: 'p' passed, 'f' failed. */
static inline void put_reorganization(struct small *small, uint16_t sequence, uint32_t number,
                                      uint32_t activated, char gray, char black) {
    struct cor_reorganization_row *row = small_row(small, COR_TABLE_REORGANIZATIONS);
    row->sequence = sequence;
    row->case_ = number;
    row->gray = gray == 'f' ? COR_VERDICT_FAILED : COR_VERDICT_PASSED;
    row->black = black == 'f' ? COR_VERDICT_FAILED : COR_VERDICT_PASSED;
    row->gray_violations = gray == 'f';
    row->black_violations = black == 'f';
    row->agreement = gray == 'f' ? COR_VERDICT_NOT_JUDGED : COR_VERDICT_PASSED;
    row->fault_reached = row->fault_held = row->fault_activated = activated;
    row->smoke = COR_SMOKE_NONE;
    row->stop = COR_STOP_DONE;
    row->inside_after = COR_INSIDE_NOT_LOOKED;
    struct cor_case_row *this_case = small_row(small, COR_TABLE_CASES);
    this_case->sequence = sequence;
    this_case->case_ = number;
    this_case->alarm = this_case->reorganized = 1;
    this_case->inside = COR_INSIDE_OUTSIDE;
    this_case->detect = COR_VERDICT_PASSED;
    this_case->gray = row->gray;
    this_case->black = row->black;
    if (gray == 'f')
        put_listed(small, sequence, number, COR_BOX_GRAY);
    if (black == 'f')
        put_listed(small, sequence, number, COR_BOX_BLACK);
    if (activated || gray == 'f' || black == 'f') {
        struct cor_failure_row *failure = small_row(small, COR_TABLE_FAILURES);
        failure->sequence = sequence;
        failure->case_ = number;
        failure->gray = row->gray;
        failure->black = row->black;
    }
}

static inline void put_quiet_case(struct small *small, uint16_t sequence, uint32_t number) {
    struct cor_case_row *this_case = small_row(small, COR_TABLE_CASES);
    this_case->sequence = sequence;
    this_case->case_ = number;
    this_case->inside = COR_INSIDE_NOT_LOOKED;
    this_case->detect = COR_VERDICT_NOT_JUDGED;
    this_case->gray = this_case->black = COR_VERDICT_NOT_JUDGED;
}

static inline void put_first_suite(struct small *small) {
    static const uint8_t walk0[] = {0, 1, 2, 0, 1, 0, 0, 0, 0, 0}, walk1[] = {1, 2, 0, 2, 0, 1};
    put_suite(small, 10, 2, 2, 2);
    put_sequence(small, 0, 4, 4, walk0, sizeof walk0);
    put_quiet_case(small, 0, 1);
    put_reorganization(small, 0, 2, 1, 'f', 'p');
    put_reorganization(small, 0, 3, 3, 'p', 'p');
    put_quiet_case(small, 0, 4);
    put_sequence(small, 1, 2, 1, walk1, sizeof walk1);
    put_reorganization(small, 1, 1, 1, 'f', 'f');
    put_profile(small, 2, (const uint64_t[]){9, 4, 3}, (const uint64_t[]){4, 3, 2, 3, 0});
}

static inline void put_second_suite(struct small *small) {
    static const uint8_t walk0[] = {0, 1, 2, 0}, walk1[] = {2, 1};
    put_suite(small, 20, 4, 1, 2);
    put_sequence(small, 0, 3, 3, walk0, sizeof walk0);
    for (uint32_t number = 1; number <= 3; number++)
        put_quiet_case(small, 0, number);
    put_sequence(small, 1, 1, 1, walk1, sizeof walk1);
    put_reorganization(small, 1, 1, 0, 'p', 'p');
    put_profile(small, 1, (const uint64_t[]){2, 2, 2}, (const uint64_t[]){0, 1, 1, 1, 1});
}

static const char *const two_arms[] = {"PSOPP-F1", "empty"};

#endif
