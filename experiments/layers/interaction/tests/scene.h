/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small world for tests of the loop. Eight agents in two groups of four, one chain each, of a profile of
 * three states. An agent's value is the level of its chain's state - 0, 0.25 or 1 - from the same case on, so
 * a walk written as digits says at sight what the system looks like. At first each group is a partition;
 * sizes 2 to 5, two or three partitions, threshold 0.5. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_TESTS_SCENE_H
#define CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_TESTS_SCENE_H

#include <corridor/run.h>

#define SCENE_AGENTS 8
#define SCENE_REORGANIZATIONS 8 /* of a sequence, that can be told apart */

/* What the scripted algorithms answer, X(NAME, solution): a digit is an agent, u an agent that does not
 * exist, | ends a block; NULL complains. */
#define SCENE_DEEDS(X)      \
    X(GOOD, "0145|2367")    \
    X(STAY, "0123|4567")    \
    X(MISS, "0145|236")     \
    X(REPEAT, "0145|02367") \
    X(INVENT, "0145|2367u") \
    X(EMPTY, "0145||2367")  \
    X(SMALL, "0|1234|567")  \
    X(LARGE, "012345|67")   \
    X(FEW, "01234567")      \
    X(MANY, "01|23|45|67")  \
    X(COMPLAIN, NULL)

enum scene_deed {
#define SCENE_DEED(NAME, solution) NAME,
    SCENE_DEEDS(SCENE_DEED)
#undef SCENE_DEED
        SCENE_DEED_COUNT
};

/* One-shot; counts its calls in the bytes it keeps, and does what parameter `call` of the script says (the
 * last one from then on). Spends 7 units. With its fault selected, says that the fault was reached,
 * held, activated and is in the result 3, 2, 1, 1 times at MISS; 2, 1, 1, 0 at STAY, where it is masked; else
 * 1, 0, 0, 0. Counters: calls; deeds, a bucket each. */
extern const struct cor_algorithm scene_scripted; /* promises limits */
extern const struct cor_algorithm scene_free;     /* the same, without that promise */

/* Anytime: six units of work; misses agent 7 before the fourth, then GOOD. */
extern const struct cor_algorithm scene_anytime;

/* Proposes GOOD, but distributes it by moves of its own, with agent 0 gone to the other block. */
extern const struct cor_algorithm scene_mover;

struct scene {
    struct cor_configuration *configuration; /* may be changed until the first sequence */
    struct cor_suite suite;                  /* likewise, with its experiment and its arm */
    struct cor_experiment experiment;
    struct cor_arm arm;
    bool log_solutions;
    struct cor_profile *profile;
    uint16_t environment[1];
    double script[SCENE_REORGANIZATIONS];
    struct cor_session *session;
    struct cor_record *record;
    struct cor_runner *runner;
    struct cor_walk walk; /* of the present sequence */
    uint32_t sequences;   /* run so far */
};

/* The world above; script GOOD, look_every 1, one sequence planned. */
void scene_init(struct scene *scene, const struct cor_algorithm *algorithm);

/* Frees everything. */
void scene_fini(struct scene *scene);

/* What the algorithm does, reorganization after reorganization of each sequence: up to
 * SCENE_REORGANIZATIONS. */
void scene_script(struct scene *scene, const enum scene_deed *deeds, size_t count);
#define SCENE_SCRIPT(scene, ...)                                  \
    scene_script((scene), (const enum scene_deed[]){__VA_ARGS__}, \
                 sizeof(const enum scene_deed[]){__VA_ARGS__} / sizeof(enum scene_deed))

/* Runs the next sequence; a digit of a chain's walk is its state in a case, the first before the first case.
 */
void scene_sequence(struct scene *scene, const char *first_chain, const char *second_chain);

/* The same, a case at a time: begins the sequence, and ends it. */
void scene_begin(struct scene *scene, const char *first_chain, const char *second_chain);
void scene_case(struct scene *scene);
void scene_end(struct scene *scene);

/* Ends the suite. */
void scene_finish(struct scene *scene);

/* Row `index` of a table; the test fails if there is none. */
const void *scene_row(struct scene *scene, enum cor_table table, size_t index);

/* All items of a vector, valid until it grows. */
const void *scene_items(struct scene *scene, enum cor_vector vector, size_t *count);

/* The table as text, a line a row, for comparison at sight; valid until the next call.
 *   cases            sequence.case  alarm|-  inside  reorganized|-  detect gray black dissimilarity
 *   violations       sequence.case  box check agent partition expected found      (- = nobody) */
const char *scene_cases(struct scene *scene);
const char *scene_violations(struct scene *scene);

#endif
