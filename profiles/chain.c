/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a chain does in the long run: which states lead where, closed classes and their periods, and the
 * stationary law by state reduction (Grassmann, Taksar and Heyman, Operations Research 33(5), 1985):
 * states are removed one by one, the chain watched only while it is in the others. There is no subtraction in
 * it, so each share comes out with a small error relative to itself, however rare the state is; and the
 * result leans on no library's choice of instructions, since the first states of test sequences are drawn
 * from it. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX };

static bool leads(const struct cor_profile *profile, uint32_t from, uint32_t to) {
    return profile->probability[(size_t)from * profile->state_count + to] > 0.0;
}

/* Warshall's closure, a row at a time. */
void profiles__reach(const struct cor_profile *profile, uint64_t *reach) {
    uint32_t count = profile->state_count;
    for (uint32_t from = 0; from < count; from++) {
        reach[from] = 0;
        for (uint32_t to = 0; to < count; to++)
            reach[from] |= leads(profile, from, to) ? profiles__set_of(to) : 0;
    }
    for (uint32_t via = 0; via < count; via++)
        for (uint32_t from = 0; from < count; from++)
            if (reach[from] & profiles__set_of(via))
                reach[from] |= reach[via];
}

uint32_t profiles__closed_classes(const struct cor_profile *profile, uint64_t *classes) {
    uint64_t reach[COR_PROFILE_STATES_MAX], seen = 0;
    uint32_t class_count = 0;
    profiles__reach(profile, reach);
    for (uint32_t i = 0; i < profile->state_count; i++) {
        uint64_t back = 0; /* the states that lead to i */
        for (uint32_t j = 0; j < profile->state_count; j++)
            back |= reach[j] & profiles__set_of(i) ? profiles__set_of(j) : 0;
        bool closed = (reach[i] & ~back) == 0; /* whatever i leads to leads back */
        if (closed && !(seen & profiles__set_of(i))) {
            classes[class_count++] = reach[i];
            seen |= reach[i];
        }
    }
    return class_count;
}

/* With d(i) the distance of i from the first member, the period is the gcd of d(i) + 1 - d(j) over all arcs i
 * -> j. */
uint32_t profiles__period(const struct cor_profile *profile, uint64_t members) {
    uint32_t distance[COR_PROFILE_STATES_MAX], queue[COR_PROFILE_STATES_MAX], head = 0, tail = 0, period = 0;
    uint64_t found = members & (~members + 1);
    for (uint32_t i = 0; i < profile->state_count; i++)
        if (found & profiles__set_of(i)) {
            distance[i] = 0;
            queue[tail++] = i;
        }
    while (head < tail) {
        uint32_t from = queue[head++];
        for (uint32_t to = 0; to < profile->state_count; to++) {
            if (!leads(profile, from, to))
                continue;
            if (!(found & profiles__set_of(to))) {
                found |= profiles__set_of(to);
                distance[to] = distance[from] + 1;
                queue[tail++] = to;
            }
            uint32_t ahead = distance[from] + 1; /* >= distance[to]: breadth first */
            uint32_t a = period;
            uint32_t b = ahead - distance[to];
            while (b > 0) {
                uint32_t rest = a % b;
                a = b;
                b = rest;
            }
            period = a;
        }
    }
    return period;
}

struct reduction {
    uint32_t count;
    double arc[MOST][MOST]; /* of the chain as watched so far */
    double mass[MOST];      /* where the first state comes to rest */
};

/* Removes a transient state: whoever goes through it goes on to where it leads, in proportion. `left` are the
 * states that are still watched, `state` not among them. */
static bool pass_through(struct reduction *chain, uint32_t state, uint64_t left) {
    double out = 0.0, *arc = chain->arc[state];
    for (uint32_t to = 0; to < chain->count; to++)
        out += left & profiles__set_of(to) ? arc[to] : 0.0;
    for (uint32_t to = 0; to < chain->count; to++) {
        if (!(left & profiles__set_of(to)))
            continue;
        double share = arc[to] / out;
        chain->mass[to] += chain->mass[state] * share;
        for (uint32_t from = 0; from < chain->count; from++)
            if (left & profiles__set_of(from))
                chain->arc[from][to] += chain->arc[from][state] * share;
    }
    return out > 0.0;
}

/* The stationary law of one closed class, scaled to `mass`. */
static bool solve_class(struct reduction *chain, uint64_t members, double mass, double *law) {
    uint32_t member[MOST], count = 0;
    for (uint32_t i = 0; i < chain->count; i++)
        if (members & profiles__set_of(i))
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

enum cor_status cor_profile_stationary(const struct cor_profile *profile, double *law,
                                       struct cor_error *error) {
    uint64_t classes[MOST], recurrent = 0;
    uint32_t class_count = profiles__closed_classes(profile, classes);
    for (uint32_t c = 0; c < class_count; c++)
        recurrent |= classes[c];
    struct reduction *chain = cor_calloc(1, sizeof *chain);
    COR_TRY(cor_made(chain, error));
    chain->count = profile->state_count;
    for (uint32_t i = 0; i < chain->count; i++) {
        memcpy(chain->arc[i], profile->probability + (size_t)i * chain->count, chain->count * sizeof(double));
        chain->mass[i] = profile->start[i];
    }
    bool solved = true;
    uint64_t left = profiles__set_below(chain->count);
    for (uint32_t i = 0; i < chain->count && solved; i++) {
        if (recurrent & profiles__set_of(i))
            continue;
        left &= ~profiles__set_of(i);
        law[i] = 0.0;
        solved = pass_through(chain, i, left);
    }
    for (uint32_t c = 0; c < class_count && solved; c++) {
        double mass = 0.0;
        for (uint32_t i = 0; i < chain->count; i++)
            mass += classes[c] & profiles__set_of(i) ? chain->mass[i] : 0.0;
        solved = solve_class(chain, classes[c], class_count == 1 ? 1.0 : mass, law);
    }
    free(chain);
    return solved ? COR_OK
                  : cor_fail(error, COR_STATUS_INPUT, profile->name,
                             "leave out transitions that practically never happen",
                             "its probabilities are too small to compute a stationary law");
}
