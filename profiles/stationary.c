/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stationary law by state reduction (Grassmann, Taksar and Heyman, Operations Research 33(5), 1985):
 * states are removed one by one, the chain watched only while it is in the others. There is no subtraction in
 * it, so each share comes out with a small error relative to itself, however rare the state is; and the
 * result leans on no library's choice of instructions, since the first states of test sequences are drawn
 * from it. */
#include "classes.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX };

struct reduction {
    uint32_t count;
    double arc[MOST][MOST]; /* of the chain as watched so far */
    double mass[MOST];      /* where a uniform start comes to rest */
};

static enum cor_status too_rare(const struct cor_profile *profile, struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, profile->name,
                    "leave out transitions that practically never happen",
                    "its probabilities are too small to compute a stationary law");
}

/* Removes a transient state: whoever goes through it goes on to where it leads, in proportion. `left` are the
 * states that are still watched, `state` not among them. */
static bool pass_through(struct reduction *chain, uint32_t state, uint64_t left) {
    double out = 0.0, *arc = chain->arc[state];
    for (uint32_t to = 0; to < chain->count; to++)
        out += left & cor__set_of(to) ? arc[to] : 0.0;
    for (uint32_t to = 0; to < chain->count; to++) {
        if (!(left & cor__set_of(to)))
            continue;
        double share = arc[to] / out;
        chain->mass[to] += chain->mass[state] * share;
        for (uint32_t from = 0; from < chain->count; from++)
            if (left & cor__set_of(from))
                chain->arc[from][to] += chain->arc[from][state] * share;
    }
    return out > 0.0;
}

/* The stationary law of one closed class, scaled to `mass`. */
static bool solve_class(struct reduction *chain, uint64_t members, double mass, double *law) {
    uint32_t member[MOST], count = 0;
    for (uint32_t i = 0; i < chain->count; i++)
        if (members & cor__set_of(i))
            member[count++] = i;
    for (uint32_t k = count - 1; k > 0; k--) {
        double out = 0.0;
        for (uint32_t j = 0; j < k; j++)
            out += chain->arc[member[k]][member[j]];
        if (!(out > 0.0))
            return false;
        for (uint32_t i = 0; i < k; i++) {
            double *arc = chain->arc[member[i]];
            arc[member[k]] /= out;
            for (uint32_t j = 0; j < k; j++)
                arc[member[j]] += arc[member[k]] * chain->arc[member[k]][member[j]];
        }
    }
    double sum = 1.0;
    law[member[0]] = 1.0;
    for (uint32_t k = 1; k < count; k++) {
        double visits = 0.0; /* of k between two visits of the first member */
        for (uint32_t i = 0; i < k; i++)
            visits += law[member[i]] * chain->arc[member[i]][member[k]];
        law[member[k]] = visits;
        sum += visits;
    }
    for (uint32_t k = 0; k < count; k++)
        law[member[k]] *= mass / sum;
    return sum < 1e300;
}

static void begin(struct reduction *chain, const struct cor_profile *profile) {
    chain->count = profile->state_count;
    for (uint32_t i = 0; i < chain->count; i++) {
        memcpy(chain->arc[i], profile->probability + (size_t)i * chain->count, chain->count * sizeof(double));
        chain->mass[i] = 1.0 / (double)chain->count;
    }
}

enum cor_status cor_profile_stationary(const struct cor_profile *profile, double *law,
                                       struct cor_error *error) {
    uint64_t classes[MOST], recurrent = 0;
    uint32_t class_count = cor__closed_classes(profile, classes);
    for (uint32_t c = 0; c < class_count; c++)
        recurrent |= classes[c];
    struct reduction *chain = cor_calloc(1, sizeof *chain);
    if (!chain)
        return cor_fail_memory(error);
    begin(chain, profile);
    bool solved = true;
    uint64_t left = chain->count == 64 ? ~UINT64_C(0) : cor__set_of(chain->count) - 1;
    for (uint32_t i = 0; i < chain->count && solved; i++) {
        if (recurrent & cor__set_of(i))
            continue;
        left &= ~cor__set_of(i);
        law[i] = 0.0;
        solved = pass_through(chain, i, left);
    }
    for (uint32_t c = 0; c < class_count && solved; c++) {
        double mass = 0.0;
        for (uint32_t i = 0; i < chain->count; i++)
            mass += classes[c] & cor__set_of(i) ? chain->mass[i] : 0.0;
        solved = solve_class(chain, classes[c], class_count == 1 ? 1.0 : mass, law);
    }
    free(chain);
    return solved ? COR_OK : too_rare(profile, error);
}
