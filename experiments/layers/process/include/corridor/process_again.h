/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A schedule of a campaign once more, from its experiment alone. */
#ifndef CORRIDOR_PROCESS_AGAIN_H
#define CORRIDOR_PROCESS_AGAIN_H

#include <corridor/process_experiment.h>
#include <corridor/process_shrink.h>

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

/* By what schedules are expected to fail, the word of an end or a constraint: the end "leaked" is looked for
 * more closely. Holds for all that follows; at the beginning nothing is expected. */
void cor_process_again_expect(struct cor_process_again *again, const char *word);

/* As cor_process_replay, cor_process_shrink_best (is_lone: cor_process_shrink, of one schedule) and
 * cor_process_story; where the arm is executed in a cell, so are they, and `go_on` is asked now and then.
 * What ends the cell is the end of its schedule, whose last event is what it ended with. *differs: what is
 * left of the schedule fails otherwise in a fresh cell, or not at all. */
enum cor_status cor_process_again_replay(struct cor_process_again *again, const struct cor_stream_name *name,
                                         struct cor_process_schedule *schedule,
                                         const struct cor_process_schedule **executed,
                                         const struct cor_process_outcome **outcome,
                                         struct cor_error *error) COR_MUST_USE;
enum cor_status cor_process_again_shrink(struct cor_process_again *again, const struct cor_stream_name *names,
                                         struct cor_process_schedule *schedules, uint32_t count, bool is_lone,
                                         const struct cor_process_shrink_definition *definition,
                                         uint32_t *best, struct cor_process_shrinking *shrinking,
                                         bool *differs, struct cor_error *error) COR_MUST_USE;
enum cor_status cor_process_again_story(struct cor_process_again *again, const struct cor_stream_name *name,
                                        struct cor_process_schedule *schedule,
                                        enum cor_process_story_form form, char **text,
                                        struct cor_error *error) COR_MUST_USE;

/* What executes it in this process; lives as long. */
struct cor_process_runner *cor_process_again_runner(struct cor_process_again *again);

#endif
