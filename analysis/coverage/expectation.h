/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What walks are expected to see of the profiles of a suite. */
#ifndef CORRIDOR_ANALYSIS_COVERAGE_EXPECTATION_H
#define CORRIDOR_ANALYSIS_COVERAGE_EXPECTATION_H

#include "walks.h"

/* Of one law, at each of coverage__points as far as it was computed. */
struct coverage__expectation {
    size_t done;           /* points; 0 = not computed */
    double *states, *arcs; /* owned; [point * states + first state] */
};

/* The expectation of the last profile of an environment that it was computed for. */
struct coverage__remembered {
    uint16_t environment;
    struct coverage__law law;
    struct coverage__expectation expectation;
};

struct coverage__expectations {
    uint64_t stride; /* every such suite of an arm gets one even if its profiles are new */
    struct coverage__remembered *remembered; /* owned; one an environment */
    size_t remembered_count, remembered_capacity;
    struct coverage__expectation
        *of_profile; /* owned; [profile of the suite]; borrows from what is remembered */
    size_t capacity;
};

/* The stride for a file of so many profiles. */
uint64_t coverage__expectation_stride(uint64_t profiles);

/* Fills of_profile for the suite that was walked, number `suite` of its arm in the order of the file: for all
 * profiles if the suite is chosen by the stride, else for the profiles that are remembered; for none if the
 * walks do not follow the profiles. */
enum cor_status coverage__expect(struct coverage__expectations *expectations,
                                 const struct coverage__walks *walks, bool by_profile, uint64_t suite,
                                 struct cor_error *error) COR_MUST_USE;

void coverage__expectations_fini(struct coverage__expectations *expectations);

#endif
