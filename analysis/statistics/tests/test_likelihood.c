/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Likelihoods against all walks of small chains, written down one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/likelihood.h>

#include "near.h"

enum { STATES = 3, STEPS = 4, WAYS = 81 }; /* STATES^STEPS */

static const double law[STATES * STATES] = {0.7, 0.3, 0.0, 0.2, 0.5, 0.3, 0.0, 0.05, 0.95};

/* Walk number `way` from `first`; its probability. */
static double take_way(unsigned way, uint8_t first, uint8_t walk[STEPS + 1]) {
    double probability = 1;
    walk[0] = first;
    for (int step = 1; step <= STEPS; step++, way /= STATES) {
        walk[step] = (uint8_t)(way % STATES);
        probability *= law[walk[step - 1] * STATES + walk[step]];
    }
    return probability;
}

/* Two chains beside each other: all pairs of walks. */
static void test_all_walks(void **unused) {
    (void)unused;
    uint8_t walk[2][WAYS][STEPS + 1];
    double p[2][WAYS];
    for (unsigned way = 0; way < WAYS; way++)
        for (uint8_t c = 0; c < 2; c++)
            p[c][way] = take_way(way, c, walk[c][way]);
    uint32_t low = 0, high = 0;
    for (uint32_t seen = 0; seen < 200; seen++) {
        const unsigned one = seen * 37 % WAYS, other = seen * 61 % WAYS;
        const double probability = p[0][one] * p[1][other];
        double usual = 0, rarer = 0;
        for (unsigned a = 0; a < WAYS; a++)
            for (unsigned b = 0; b < WAYS; b++) {
                const double both = p[0][a] * p[1][b];
                usual += both > 0 ? -both * log2(both) : 0;
                rarer += both <= probability * (1 + 1e-9) ? both : 0;
            }
        const struct cor_chain_walk chains[] = {{STATES, law, walk[0][one]}, {STATES, law, walk[1][other]}};
        struct cor_rng rng = stream(seen);
        struct cor_likelihood likelihood;
        assert_int_equal(cor_walks_likelihood(chains, 2, STEPS, &rng, &likelihood, NULL), COR_OK);
        assert_near(likelihood.usual_bits, usual, 1e-9);
        if (probability > 0) {
            assert_near(likelihood.bits, -log2(probability), 1e-9);
            /* five standard errors of a share of 999, or of 10 hits */
            assert_true(fabs(likelihood.rarer - rarer) <
                        5 * fmax(sqrt(rarer * (1 - rarer) / COR_LIKELIHOOD_DRAWS),
                                 rarer * sqrt((1 - rarer) / COR_LIKELIHOOD_HITS)) +
                            2e-3);
            assert_true(likelihood.rarer >= 1.0 / (COR_LIKELIHOOD_DRAWS + 1));
            low += likelihood.rarer < rarer;
            high += likelihood.rarer > rarer;
        } else {
            assert_true(isinf(likelihood.bits));
            assert_near(likelihood.rarer, 0, 0);
        }
    }
    assert_true(low > 5 && high > 5); /* on both sides of the truth */
}

/* A chain that never chooses has no surprise; nor has a walk without steps. */
static void test_certain(void **unused) {
    (void)unused;
    static const double round[] = {0, 1, 1, 0};
    static const uint8_t walk[] = {1, 0, 1, 0};
    const struct cor_chain_walk chain = {2, round, walk}, still = {STATES, law, walk};
    struct cor_likelihood likelihood;
    struct cor_rng rng = stream(0);
    assert_int_equal(cor_walks_likelihood(&chain, 1, 3, &rng, &likelihood, NULL), COR_OK);
    assert_near(likelihood.bits, 0, 0);
    assert_near(likelihood.usual_bits, 0, 0);
    assert_near(likelihood.rarer, 1, 0);
    assert_int_equal(cor_walks_likelihood(&still, 1, 0, &rng, &likelihood, NULL), COR_OK);
    assert_near(likelihood.bits, 0, 0);
    assert_near(likelihood.rarer, 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_walks), cmocka_unit_test(test_certain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
