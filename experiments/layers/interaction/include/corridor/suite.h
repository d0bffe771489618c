/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A test suite (003, 4.2): one configuration and the walks of its sequences. Generated as a pure function of
 * (experiment, arm, index), or read from a suite file; who executes it cannot tell. */
#ifndef CORRIDOR_SUITE_H
#define CORRIDOR_SUITE_H

#include <corridor/experiment.h>

/* One suite; made by one of the functions below, freed by cor_suite_destroy before the experiment is. */
struct cor_suite {
    const struct cor_experiment *experiment; /* borrowed */
    const struct cor_arm *arm;               /* borrowed */
    uint32_t arm_index, index;
    uint32_t draw; /* of its parameters: 0; others are asked for where a region of them is wanted */
    struct cor_stream_name name;             /* seed, arm, suite of its streams */
    struct cor_configuration *configuration; /* owned */
    struct cor_profile **profiles;           /* owned array; those of `owned_profiles` are owned too */
    bool *owned_profiles;                    /* owned */
    uint16_t *environment_of_profile;        /* owned */
    struct cor_value_column *columns;        /* owned; what the values and attributes of its agents are */
    double *parameters;                      /* owned; [parameter of the arm's laws] */
    double *algorithm_parameters;            /* owned; [parameter the algorithm declares] */
    uint32_t *random_states;                 /* owned; [environment] states of a drawn profile */
    uint64_t budget;                         /* units for one reorganization */
    uint32_t sequence_count;                 /* the experiment's; of a suite made of one sequence 1 */
    uint32_t *case_counts;                   /* owned; [sequence] */
    uint32_t attempts, start_partitions;     /* at the start, where a trap says so; 0: as it comes */
    bool fallback;
    double pilot_rate;             /* NaN if the threshold was given */
    struct cor_steering *steering; /* owned; of an arm with traps, else NULL; walks have scratch in it */
    struct cor_walk *recorded;     /* owned; [sequence] walks read from a file, NULL if generated */
};

/* Generates suite `index` of arm `arm`. COR_STATUS_UNSATISFIABLE if its parameters cannot be drawn. */
enum cor_status cor_suite_generate(const struct cor_experiment *experiment, uint32_t arm, uint32_t index,
                                   struct cor_suite **suite, struct cor_error *error) COR_MUST_USE;

/* The same with draw number `draw` of its parameters, which are drawn from a stream of that draw: 0 is that
 * of cor_suite_generate, all others are like it by law and independent of it. */
enum cor_status cor_suite_generate_drawn(const struct cor_experiment *experiment, uint32_t arm,
                                         uint32_t index, uint32_t draw, struct cor_suite **suite,
                                         struct cor_error *error) COR_MUST_USE;

/* The parameters of that draw alone: both arrays have cor_parameter_laws_capacity() items. Of arms whose
 * configurations are drawn by their laws. */
enum cor_status cor_suite_draw(const struct cor_experiment *experiment, uint32_t arm, uint32_t index,
                               uint32_t draw, int64_t *integers, double *parameters,
                               struct cor_error *error) COR_MUST_USE;

/* A suite of one sequence in the place of `suite`: a copy of everything in it, with `arm`, which is borrowed,
 * instead of its own, that walks as `walk` does, which is taken over and empty then. It has no steering: what
 * its chains do is fixed. */
enum cor_status cor_suite_of_walk(const struct cor_suite *suite, const struct cor_arm *arm,
                                  struct cor_walk *walk, struct cor_suite **alone,
                                  struct cor_error *error) COR_MUST_USE;

/* The same with parameters that are given instead of drawn: as many as the capacity of the arm's laws. What
 * else a suite has is drawn as suite `index` draws it. COR_STATUS_UNSATISFIABLE if the roles cannot be met.
 */
enum cor_status cor_suite_generate_of(const struct cor_experiment *experiment, uint32_t arm, uint32_t index,
                                      const double *parameters, struct cor_suite **suite,
                                      struct cor_error *error) COR_MUST_USE;

/* Its profile `index` is this one of as many states from now on, which is taken over. It has no steering. */
void cor_suite_set_profile(struct cor_suite *suite, uint32_t index, struct cor_profile *profile);

/* Frees it and all it owns. NULL is allowed. */
void cor_suite_destroy(struct cor_suite *suite);
COR_DESTROYS(cor_suite, struct cor_suite)

/* Makes ready what walks are steered by, in an arm with traps; before, the suite is complete. */
enum cor_status cor_suite_steer(struct cor_suite *suite, struct cor_error *error) COR_MUST_USE;

/* What the arm's algorithm is told in each reorganization; borrows from the suite. */
struct cor_rules cor_suite_rules(const struct cor_suite *suite);

/* What the walk of sequence `sequence` depends on. With a branch: of a sequence that continues sequence
 * branch->parent (below the suite's sequence_count) behind its first branch->prefix cases: up to there
 * the same, then drawn anew from streams named by `sequence`, a number that no other sequence of the suite
 * has (sequence_count or above), to the end of the parent's or as far as the experiment says. Which sequences
 * failed is known once they were executed, so this is called then; it is a function of its arguments alone.
 * Borrows from all of them. */
struct cor_walk_definition cor_suite_walk_definition(const struct cor_suite *suite, uint32_t sequence,
                                                     const struct cor_branch *branch);

/* The walk of sequence `sequence` into `walk`: generated on the spot, or as recorded. */
enum cor_status cor_suite_walk(const struct cor_suite *suite, uint32_t sequence, struct cor_walk *walk,
                               struct cor_error *error) COR_MUST_USE;

/* Writes the suite with all its walks as a JSON file (docs/look-up/experiments.md, "Suite files"); refuses to
 * overwrite. */
enum cor_status cor_suite_write(const struct cor_suite *suite, const char *path,
                                struct cor_error *error) COR_MUST_USE;

/* The first member of a suite file in which `suite` is not `other`, freed with free(); NULL if they are the
 * same. *fingerprint is of the whole of `suite`, equal on every machine. */
enum cor_status cor_suite_compare(const struct cor_suite *suite, const struct cor_suite *other, char **member,
                                  uint64_t *fingerprint, struct cor_error *error) COR_MUST_USE;

/* Reads a suite back: executing it gives the same bits as executing the generated one. */
enum cor_status cor_suite_read(const struct cor_experiment *experiment, const char *path,
                               struct cor_suite **suite, struct cor_error *error) COR_MUST_USE;

#endif
