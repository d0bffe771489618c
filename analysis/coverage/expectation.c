/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expectation.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* It is much work for profiles that are drawn anew for each suite, so that it is done for so many of them,
 * evenly spaced, and for as many cases as this allows. */
#define PROFILES 128
#define WORK 2e7 /* multiplications a profile */

uint64_t coverage__expectation_stride(uint64_t profiles) {
    return profiles == 0 ? 1 : (profiles - 1) / PROFILES + 1;
}

static void forget(struct coverage__remembered *remembered) {
    coverage__law_fini(&remembered->law);
    free(remembered->expectation.states);
    free(remembered->expectation.arcs);
    remembered->expectation = (struct coverage__expectation){0};
}

void coverage__expectations_fini(struct coverage__expectations *expectations) {
    for (size_t i = 0; i < expectations->remembered_count; i++)
        forget(&expectations->remembered[i]);
    free(expectations->remembered);
    free(expectations->of_profile);
    *expectations = (struct coverage__expectations){0};
}

static enum cor_status remember(struct coverage__remembered *remembered, const struct coverage__law *law,
                                struct cor_error *error) {
    struct coverage__expectation *expectation = &remembered->expectation;
    size_t numbers = (size_t)COVERAGE__POINTS * law->states;
    forget(remembered);
    COR_TRY(coverage__law_init(&remembered->law, law->states, error));
    memcpy(remembered->law.arc, law->arc, (size_t)law->states * law->states * sizeof *law->arc);
    if (!law->sound)
        return COR_OK;
    expectation->states = cor_calloc(numbers, sizeof *expectation->states);
    expectation->arcs = cor_calloc(numbers, sizeof *expectation->arcs);
    if (!expectation->states || !expectation->arcs)
        return cor_fail_memory(error);
    return coverage__law_expect(law, coverage__points, COVERAGE__POINTS, WORK, expectation->states,
                                expectation->arcs, &expectation->done, error);
}

/* Two profiles of one environment in a suite: what is remembered is that of the later one. */
static bool overtaken(const struct coverage__walks *walks, size_t p) {
    for (size_t q = p + 1; q < walks->profile_count; q++)
        if (walks->profile[q].walks > 0 && walks->profile[p].environment == walks->profile[q].environment &&
            !coverage__law_equal(&walks->profile[p].law, &walks->profile[q].law))
            return true;
    return false;
}

enum cor_status coverage__expect(struct coverage__expectations *expectations,
                                 const struct coverage__walks *walks, bool by_profile, uint64_t suite,
                                 struct cor_error *error) {
    bool chosen = suite % expectations->stride == 0;
    COR_TRY(COR_RESERVE(&expectations->of_profile, &expectations->capacity, walks->profile_count, error));
    for (size_t p = 0; p < walks->profile_count; p++) {
        expectations->of_profile[p] = (struct coverage__expectation){0};
        if (by_profile && walks->profile[p].walks > 0 && !overtaken(walks, p)) {
            /* Of one profile; *expectation stays as it is if there is none. */
            const struct coverage__walked *walked = &walks->profile[p];
            size_t i = 0;
            while (i < expectations->remembered_count &&
                   expectations->remembered[i].environment != walked->environment)
                i++;
            bool known = i < expectations->remembered_count && expectations->remembered[i].law.arc &&
                         coverage__law_equal(&expectations->remembered[i].law, &walked->law);
            if (!known && !chosen)
                continue;
            if (i == expectations->remembered_count) {
                COR_TRY(COR_RESERVE(&expectations->remembered, &expectations->remembered_capacity,
                                    expectations->remembered_count + 1, error));
                expectations->remembered[expectations->remembered_count++] =
                    (struct coverage__remembered){.environment = walked->environment};
            }
            if (!known)
                COR_TRY(remember(&expectations->remembered[i], &walked->law, error));
            expectations->of_profile[p] = expectations->remembered[i].expectation;
        }
    }
    return COR_OK;
}
