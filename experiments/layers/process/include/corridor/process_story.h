/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A schedule told as a story: a numbered sentence for each event with the values that it changed, and what is
 * violated at the end. */
#ifndef CORRIDOR_PROCESS_STORY_H
#define CORRIDOR_PROCESS_STORY_H

#include <corridor/process_run.h>
#include <corridor/subject.h>

/* As text of 80 columns, as JSON, or as an SVG sequence diagram (<= 1200 px wide). */

/* What ended the program behind a schedule. */
struct cor_process_death {
    const struct cor_process_event *event; /* of which the program died; NULL: of none */
    struct cor_process_outcome outcome;    /* told in the place of that of the schedule */
};

/* The story of a schedule, for the caller to free; death: NULL is nothing. */
enum cor_status cor_process_story(struct cor_process_runner *runner, const struct cor_stream_name *name,
                                  const struct cor_process_schedule *schedule,
                                  const struct cor_process_death *death, enum cor_story_form form,
                                  char **text, struct cor_error *error) COR_MUST_USE;

/* That of a test, by a bench of the layer's subject. */
enum cor_status cor_process_tell(void *bench, const struct cor_subject_test *test, enum cor_story_form form,
                                 char **text, struct cor_error *error) COR_MUST_USE;

/* What happens with an event of `count` processes, in a sentence without its end, for the caller to free;
 * NULL: memory is out. */
char *cor_process_tell_event(const struct cor_process *program, uint32_t count,
                             const struct cor_process_event *event);

/* What a run failed by: the name of a constraint, the word of an end, "none". */
const char *cor_process_outcome_word(const struct cor_corridor *corridor,
                                     const struct cor_process_outcome *outcome);

#endif
