/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A distributed program whose schedules are estimated: the experiment, what is asked of it, and one schedule
 * after the other. It knows nothing of algorithms. */
#ifndef CORRIDOR_ESTIMATION_PROGRAM_H
#define CORRIDOR_ESTIMATION_PROGRAM_H

#include <corridor/layer.h>

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
    bool is_apart; /* it may ruin the process that executes it */
} estimation_layer__program_size(const struct estimation_layer__program *program, uint32_t arm);

/* What is asked of an arm; root: for what is wrong. level: NULL, or as it is written. */
struct estimation_layer__asked {
    const struct cor_json *root, *level;
    const char *failure; /* NULL: any */
    uint32_t arm;
    int method; /* enum cor_estimation_method */
};

/* Takes it in. *condition_count: of the level, 0: it is how far its condition is from holding. */
enum cor_status estimation_layer__program_ask(struct estimation_layer__program *program,
                                              const struct estimation_layer__asked *asked,
                                              uint32_t *condition_count,
                                              struct cor_error *error) COR_MUST_USE;

/* The program, for provenance: a member "program" of what is open. */
void estimation_layer__program_put(const struct estimation_layer__program *program,
                                   struct cor_json_writer *writer);

/* A schedule of what was asked. The program is borrowed. */
struct estimation_layer__schedule;
enum cor_status estimation_layer__schedule_create(const struct estimation_layer__program *program,
                                                  struct estimation_layer__schedule **schedule,
                                                  struct cor_error *error) COR_MUST_USE;
void estimation_layer__schedule_destroy(struct estimation_layer__schedule *schedule); /* NULL is allowed */

/* As of cor_process_law_begin, _fork, _step, _steps and _cases. */
enum cor_status estimation_layer__schedule_begin(struct estimation_layer__schedule *schedule, uint32_t suite,
                                                 uint32_t sequence, uint32_t number,
                                                 struct cor_error *error) COR_MUST_USE;
void estimation_layer__schedule_fork(struct estimation_layer__schedule *schedule, uint32_t number);
enum cor_status estimation_layer__schedule_step(struct estimation_layer__schedule *schedule, bool *is_over,
                                                struct cor_error *error) COR_MUST_USE;
uint64_t estimation_layer__schedule_steps(const struct estimation_layer__schedule *schedule);
uint32_t estimation_layer__schedule_cases(const struct estimation_layer__schedule *schedule);

/* How it stands. */
enum estimation_layer__stand {
    ESTIMATION_LAYER__GOES_ON,
    ESTIMATION_LAYER__FAILS,  /* otherwise than it was asked for: it is over */
    ESTIMATION_LAYER__MATCHES /* as it was asked for */
};
enum estimation_layer__stand
estimation_layer__schedule_stand(const struct estimation_layer__schedule *schedule);

/* The level that it is at; of conditions, that it has come to. */
double estimation_layer__schedule_height(const struct estimation_layer__schedule *schedule);

#endif
