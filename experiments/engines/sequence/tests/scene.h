/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Experiments that tests of tests are made from: small, and with everything in them that a case can draw. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_TESTS_SCENE_H
#define CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_TESTS_SCENE_H

#include <corridor/interaction.h>
#include <corridor/test.h>

#define OK(call)                                                                        \
    do {                                                                                \
        if ((call) != COR_OK)                                                           \
            fail_msg("%s: %s: %s (%s)", #call, error.place, error.cause, error.remedy); \
    } while (0)

/* An experiment executed suite by suite. */
struct scene {
    struct cor_experiment_head *interaction;
    void *executor;
    struct cor_experiment *experiment; /* of the interaction */
    struct cor_suite *suite;
    struct cor_record *record; /* of the suite */
};

/* The experiment of arms as JSON, over a model with idle agents and influences that are drawn. */
void scene_open(struct scene *scene, const char *arms, bool branching);
/* The same with algorithms of others in this process. */
void scene_open_here(struct scene *scene, const char *arms);
void scene_close(struct scene *scene);

/* Generates the suite and executes it. */
void scene_execute(struct scene *scene, uint32_t arm, uint32_t suite);

/* The test of row `row` of the record's sequences. */
struct cor_test *scene_test(struct scene *scene, size_t row);

/* Does what the tester executed last have the rows of that sequence? Says the first difference. */
void scene_compare(struct scene *scene, size_t row, struct cor_record *executed);

/* Arms with all faults of the testbed, and of algorithms. */
extern const char scene_faults[];

#endif
