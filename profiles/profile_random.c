/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/profile.h>

#include <corridor/array.h>

#include <stdlib.h>

enum { MOST = COR_PROFILE_STATES_MAX };

static enum cor_status check(const struct cor_profile_law *law, const char *name, struct cor_error *error) {
    if (law->states < 2 || law->states > MOST)
        return cor_fail(error, COR_STATUS_INPUT, name, "use 2 .. 64 states", "a random profile of %u states",
                        law->states);
    if (!(law->degree_min >= 0.0 && law->degree_min <= 1.0))
        return cor_fail(error, COR_STATUS_INPUT, name, "a share of all states lies between 0 and 1",
                        "the least degree is %g", law->degree_min);
    if (law->power > COR_PROFILE_POWER_MAX)
        return cor_fail(error, COR_STATUS_INPUT, name, "use a power of at most 16",
                        "the weights have power %u", law->power);
    if (!(law->ring >= 0.0 && law->ring <= 1.0))
        return cor_fail(error, COR_STATUS_INPUT, name, "a probability lies between 0 and 1",
                        "the ring arc has mass %g", law->ring);
    return COR_OK;
}

/* Number of arcs of one state, drawn. */
static uint32_t draw_degree(const struct cor_profile_law *law, struct cor_rng *rng) {
    double share = law->degree_min * (double)law->states;
    uint32_t least = (uint32_t)share;
    if ((double)least < share)
        least++;
    return (uint32_t)cor_rng_between(rng, least > 0 ? least : 1, law->states);
}

/* u^power, u uniform in (0, 1]. */
static double draw_weight(const struct cor_profile_law *law, struct cor_rng *rng) {
    double u = 1.0 - cor_rng_unit(rng), weight = 1.0;
    for (uint32_t i = 0; i < law->power; i++)
        weight *= u;
    return weight;
}

static void draw_row(const struct cor_profile_law *law, uint32_t from, struct cor_rng *rng, double *row) {
    uint32_t next = (from + 1) % law->states, other[MOST], other_count = 0;
    double weight[MOST], sum = 0.0;
    for (uint32_t to = 0; to < law->states; to++)
        if (to != next)
            other[other_count++] = to;
    uint32_t more = draw_degree(law, rng) - 1;
    for (uint32_t k = 0; k < more; k++) { /* the first `more` of a random permutation */
        uint32_t pick = k + cor_rng_below(rng, other_count - k), held = other[k];
        other[k] = other[pick];
        other[pick] = held;
        weight[k] = draw_weight(law, rng);
        sum += weight[k];
    }
    row[next] = more > 0 ? law->ring : 1.0;
    for (uint32_t k = 0; k < more; k++)
        row[other[k]] = weight[k] / sum * (1.0 - law->ring);
}

enum cor_status cor_profile_random(const struct cor_profile_law *law, const char *name, struct cor_rng *rng,
                                   struct cor_profile **profile, struct cor_error *error) {
    *profile = NULL;
    enum cor_status status = check(law, name, error);
    if (status != COR_OK)
        return status;
    double *probability = cor_calloc((size_t)law->states * law->states, sizeof *probability);
    if (!probability)
        return cor_fail_memory(error);
    for (uint32_t from = 0; from < law->states; from++)
        draw_row(law, from, rng, probability + (size_t)from * law->states);
    status = cor_profile_create(name, law->states, NULL, probability, NULL, profile, error);
    free(probability);
    return status;
}
