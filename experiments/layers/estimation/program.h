/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs whose schedules are estimated: the experiment, what is asked of it, and the law of its
 * schedules. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_ESTIMATION_PROGRAM_H
#define CORRIDOR_EXPERIMENTS_LAYERS_ESTIMATION_PROGRAM_H

#include <corridor/layer.h>

struct estimation_layer__program;
struct estimation_layer__executor;
struct estimation_layer__repetition;
struct estimation_layer__split_stage;

/* How large the schedules of an arm are. */
struct estimation_layer__program_size {
    uint32_t sequences, cases;
};

/* What is asked of an arm; root: for what is wrong. level: NULL, or as it is written. */
struct estimation_layer__asked {
    const struct cor_json *root, *level;
    const char *failure; /* NULL: any */
    uint32_t arm;
    int method; /* enum cor_estimation_method */
};

/* Programs of a layer of their own. */
struct estimation_layer__programs {
    const char *key;   /* of their experiments */
    size_t trajectory; /* bytes of one that is kept */

    /* Reads the experiment; `path` stands for it. Freed by destroy, which takes NULL. */
    enum cor_status (*read)(const char *path, const struct cor_json *json,
                            const struct cor_layer_options *options,
                            struct estimation_layer__program **program, struct cor_error *error);
    void (*destroy)(struct estimation_layer__program *program);
    const struct cor_experiment_head *(*head)(const struct estimation_layer__program *program);
    struct estimation_layer__program_size (*size)(const struct estimation_layer__program *program,
                                                  uint32_t arm);

    /* Takes in what is asked, with the level that is given, if one is. *condition_count: of the level, 0: it
     * is how far its condition is from holding. */
    enum cor_status (*ask)(struct estimation_layer__program *program,
                           const struct estimation_layer__asked *asked, uint32_t *condition_count,
                           struct cor_error *error);
    /* Takes a level in place of the one that is there: conditions with semicolons between them. */
    enum cor_status (*level)(struct estimation_layer__program *program, const struct cor_json *root,
                             const char *text, uint32_t *condition_count, struct cor_error *error);
    /* Levels that may do, where none is given: how far the condition of what is counted is from being met or
     * violated; the traps of the arm. Freed by the caller. COR_STATUS_INPUT: of `failure` there are none. */
    enum cor_status (*levels)(const struct estimation_layer__program *program, const struct cor_json *root,
                              const char *failure, char *levels[2], uint32_t *count, struct cor_error *error);

    /* The program, for provenance: a member "program" of what is open. */
    void (*put)(const struct estimation_layer__program *program, struct cor_json_writer *writer);

    /* The law of the schedules of what was asked, freed by close; with the height that they have come to, if
     * there are levels. The program is borrowed. */
    enum cor_status (*open)(const struct estimation_layer__program *program, bool has_levels, void **law,
                            struct cor_error *error);
    void (*close)(void *law);
    /* The schedules of a suite by their law, to their end or until the condition that is counted is met. */
    enum cor_status (*run)(struct estimation_layer__executor *executor,
                           struct estimation_layer__repetition *repetition, struct cor_error *error);
    /* What follows trajectory `trajectory` of a stage: from the beginning, or from entry `entry`. */
    enum cor_status (*follow)(struct estimation_layer__executor *executor,
                              struct estimation_layer__split_stage *stage, uint32_t trajectory,
                              uint32_t entry, struct cor_error *error);
};
extern const struct estimation_layer__programs estimation_layer__distributed; /* program.c, with that layer */

#endif
