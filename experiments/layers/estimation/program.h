/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A distributed program whose schedules are estimated: the experiment, what is asked of it, and the law of
 * its schedules. It knows nothing of algorithms. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_ESTIMATION_PROGRAM_H
#define CORRIDOR_EXPERIMENTS_LAYERS_ESTIMATION_PROGRAM_H

#include <corridor/layer.h>
#include <corridor/process_law.h>

struct estimation_layer__program;

/* Reads the experiment; `path` stands for it. Freed by estimation_layer__program_destroy. */
enum cor_status estimation_layer__program_read(const char *path, const struct cor_json *json,
                                               const struct cor_layer_options *options,
                                               struct estimation_layer__program **program,
                                               struct cor_error *error) COR_MUST_USE;
void estimation_layer__program_destroy(struct estimation_layer__program *program); /* NULL is allowed */

/* The experiment, and how large the schedules of an arm are. */
const struct cor_experiment_head *
estimation_layer__program_head(const struct estimation_layer__program *program);
struct estimation_layer__program_size {
    uint32_t sequences, cases;
} estimation_layer__program_size(const struct estimation_layer__program *program, uint32_t arm);

/* What is asked of an arm; root: for what is wrong. level: NULL, or as it is written. */
struct estimation_layer__asked {
    const struct cor_json *root, *level;
    const char *failure; /* NULL: any */
    uint32_t arm;
    int method; /* enum cor_estimation_method */
};

/* Takes it in, with the level that is given, if one is. *condition_count: of the level, 0: it is how far its
 * condition is from holding. */
enum cor_status estimation_layer__program_ask(struct estimation_layer__program *program,
                                              const struct estimation_layer__asked *asked,
                                              uint32_t *condition_count,
                                              struct cor_error *error) COR_MUST_USE;

/* Takes a level in place of the one that is there: conditions with semicolons between them. */
enum cor_status estimation_layer__program_level(struct estimation_layer__program *program,
                                                const struct cor_json *root, const char *text,
                                                uint32_t *condition_count,
                                                struct cor_error *error) COR_MUST_USE;

/* Levels that may do, where none is given: how far the condition of what is counted is from being met or
 * violated; the traps of the arm. Freed by the caller. COR_STATUS_INPUT: of `failure` there are none. */
enum cor_status estimation_layer__program_levels(const struct estimation_layer__program *program,
                                                 const struct cor_json *root, const char *failure,
                                                 char *levels[2], uint32_t *count,
                                                 struct cor_error *error) COR_MUST_USE;

/* The program, for provenance: a member "program" of what is open. */
void estimation_layer__program_put(const struct estimation_layer__program *program,
                                   struct cor_json_writer *writer);

/* The law of the schedules of what was asked, freed by cor_process_law_destroy; with the height that they
 * have come to, if there are levels. The program is borrowed. */
enum cor_status estimation_layer__program_law(const struct estimation_layer__program *program,
                                              bool has_levels, struct cor_process_law **law,
                                              struct cor_error *error) COR_MUST_USE;

#endif
