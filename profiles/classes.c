/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "classes.h"

static bool leads(const struct cor_profile *profile, uint32_t from, uint32_t to) {
    return profile->probability[(size_t)from * profile->state_count + to] > 0.0;
}

/* Warshall's closure, a row at a time. */
void cor__reach(const struct cor_profile *profile, uint64_t *reach) {
    uint32_t count = profile->state_count;
    for (uint32_t from = 0; from < count; from++) {
        reach[from] = 0;
        for (uint32_t to = 0; to < count; to++)
            reach[from] |= leads(profile, from, to) ? cor__set_of(to) : 0;
    }
    for (uint32_t via = 0; via < count; via++)
        for (uint32_t from = 0; from < count; from++)
            if (reach[from] & cor__set_of(via))
                reach[from] |= reach[via];
}

uint32_t cor__closed_classes(const struct cor_profile *profile, uint64_t *classes) {
    uint64_t reach[COR_PROFILE_STATES_MAX], seen = 0;
    uint32_t class_count = 0;
    cor__reach(profile, reach);
    for (uint32_t i = 0; i < profile->state_count; i++) {
        uint64_t back = 0; /* the states that lead to i */
        for (uint32_t j = 0; j < profile->state_count; j++)
            back |= reach[j] & cor__set_of(i) ? cor__set_of(j) : 0;
        bool closed = (reach[i] & ~back) == 0; /* whatever i leads to leads back */
        if (closed && !(seen & cor__set_of(i))) {
            classes[class_count++] = reach[i];
            seen |= reach[i];
        }
    }
    return class_count;
}

static uint32_t common_divisor(uint32_t a, uint32_t b) {
    while (b > 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* With d(i) the distance of i from the first member, the period is the gcd of d(i) + 1 - d(j) over all arcs i
 * -> j. */
uint32_t cor__period(const struct cor_profile *profile, uint64_t members) {
    uint32_t distance[COR_PROFILE_STATES_MAX], queue[COR_PROFILE_STATES_MAX], head = 0, tail = 0, period = 0;
    uint64_t found = members & (~members + 1);
    for (uint32_t i = 0; i < profile->state_count; i++)
        if (found & cor__set_of(i)) {
            distance[i] = 0;
            queue[tail++] = i;
        }
    while (head < tail) {
        uint32_t from = queue[head++];
        for (uint32_t to = 0; to < profile->state_count; to++) {
            if (!leads(profile, from, to))
                continue;
            if (!(found & cor__set_of(to))) {
                found |= cor__set_of(to);
                distance[to] = distance[from] + 1;
                queue[tail++] = to;
            }
            uint32_t ahead = distance[from] + 1; /* >= distance[to]: breadth first */
            period = common_divisor(period, ahead - distance[to]);
        }
    }
    return period;
}
