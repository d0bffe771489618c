/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of the suite generator share: numbers drawn first, then the population, then the
 * environment's effects, then the structure and the threshold. */
#ifndef CORRIDOR_MODEL_GENERATE_H
#define CORRIDOR_MODEL_GENERATE_H

#include <corridor/suite.h>

/* The parameters of a suite and what follows from them. */
struct cor_numbers {
    int64_t agents, size_min, size_max, count_min, count_max;
    int64_t groups;    /* 0 = by target size */
    int64_t locations; /* 0 = each group its own */
    double idle_ratio;
};

/* A population before its arrays have their final shape: groups with their sizes, places and environments. */
struct cor_population {
    uint32_t group_count, chain_count;
    uint32_t *size;              /* owned; [group] */
    uint32_t *chain;             /* owned; [group] */
    uint16_t *type;              /* owned; [group]; the type of all its agents unless groups are mixed */
    uint16_t *chain_environment; /* owned; [chain] */
    uint32_t *chain_location;    /* owned; [chain] */
};

/* One letter for each of up to COR_PROFILE_STATES_MAX states, by which suite files write walks. */
#define COR_STATE_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-"

/* An empty suite with its small arrays allocated. */
enum cor_status cor__suite_create(const struct cor_experiment *experiment, uint32_t arm, uint32_t index,
                                  struct cor_suite **suite, struct cor_error *error) COR_MUST_USE;

/* The stream of that purpose and entity of a suite. */
struct cor_rng cor__suite_rng(const struct cor_suite *suite, enum cor_purpose purpose, uint32_t entity);

/* Draws the parameters by the arm's laws and evaluates the roles. */
enum cor_status cor__draw_numbers(struct cor_suite *suite, struct cor_numbers *numbers,
                                  struct cor_error *error) COR_MUST_USE;

/* Draws groups, places and environments. */
enum cor_status cor__draw_population(const struct cor_suite *suite, const struct cor_numbers *numbers,
                                     struct cor_population *population, struct cor_error *error) COR_MUST_USE;
void cor__suite_population_fini(struct cor_population *population);

/* Makes the suite's profiles: given ones borrowed, random ones drawn. Profile p belongs to environment p. */
enum cor_status cor__draw_profiles(struct cor_suite *suite, struct cor_error *error) COR_MUST_USE;

/* Makes the configuration: agents with types, inertia, effects and first states. No structure and no
 * threshold yet. */
enum cor_status cor__build_configuration(struct cor_suite *suite, const struct cor_numbers *numbers,
                                         const struct cor_population *population,
                                         struct cor_error *error) COR_MUST_USE;

/* Draws the initial structure by the algorithm "random". */
enum cor_status cor__draw_structure(struct cor_suite *suite, struct cor_error *error) COR_MUST_USE;

/* Sets the threshold: as given, or by bisection on a pilot run with an algorithm of the testbed (so that it
 * is a function of the configuration alone, equal for all algorithms under test). */
enum cor_status cor__set_threshold(struct cor_suite *suite, struct cor_error *error) COR_MUST_USE;

#endif
