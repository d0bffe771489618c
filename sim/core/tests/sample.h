/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random configurations and states for the tests of this room. */
#ifndef CORRIDOR_SIM_CORE_TESTS_SAMPLE_H
#define CORRIDOR_SIM_CORE_TESTS_SAMPLE_H

#include <corridor/configuration.h>
#include <corridor/rng.h>
#include <corridor/state.h>

/* A configuration of that many agents with groups, chains, types, profiles, effects and an initial structure
 * drawn from `rng`. Sizes are 1 .. 6 groups, 1 .. 3 chains, types and profiles, 2 .. 5 states of each sort.
 */
struct cor_configuration *sample_configuration(struct cor_rng *rng, uint32_t agents, bool probabilistic);

/* A configuration of one group, chain, type and profile, with one relevant and two agent states that stay as
 * they are; agents in `partitions` initial partitions, agent i in i % partitions, with value i / agents. */
struct cor_configuration *sample_plain(uint32_t agents, uint32_t partitions);

/* Its state, created. */
struct cor_state *sample_state(const struct cor_configuration *configuration);

/* States of the chains: `environment` gets a random state of each. */
void sample_environment(struct cor_rng *rng, const struct cor_configuration *configuration,
                        uint8_t *environment);

/* The value that chi-square with `degrees` of freedom exceeds about once in 30,000 times (Wilson and
 * Hilferty). */
double sample_chi_square_limit(uint32_t degrees);

/* The structure is a partition of all agents with no empty part, and sizes, sums and total are those of its
 * members; cmocka assertions. */
void sample_assert_partitioning(const struct cor_state *state);

#endif
