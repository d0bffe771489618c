/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A schedule of a campaign once more, from its experiment alone. */
#ifndef CORRIDOR_PROCESS_AGAIN_H
#define CORRIDOR_PROCESS_AGAIN_H

#include <corridor/process_experiment.h>

struct cor_process_again;

/* For schedules of an arm. The experiment is borrowed. */
enum cor_status cor_process_again_create(const struct cor_process_experiment *experiment, uint32_t arm,
                                         struct cor_process_again **again,
                                         struct cor_error *error) COR_MUST_USE;
void cor_process_again_destroy(struct cor_process_again *again); /* NULL is allowed */

/* Executes a sequence of a suite. Where its generator learns, those before it in the suite are, too, unless
 * the last call was about one of them. *schedule, *outcome: valid until the next call. */
enum cor_status cor_process_again_run(struct cor_process_again *again, uint32_t suite, uint32_t sequence,
                                      const struct cor_process_schedule **schedule,
                                      const struct cor_process_outcome **outcome,
                                      struct cor_error *error) COR_MUST_USE;

/* What executes it; lives as long. */
struct cor_process_runner *cor_process_again_runner(struct cor_process_again *again);

#endif
