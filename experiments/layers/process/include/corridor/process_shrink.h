/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A failing schedule made as small as it can be, and told as a story. */
#ifndef CORRIDOR_PROCESS_SHRINK_H
#define CORRIDOR_PROCESS_SHRINK_H

#include <corridor/json.h>
#include <corridor/process_run.h>

/* What was done. */
struct cor_process_shrinking {
    uint32_t tried;    /* schedules that were executed */
    bool is_minimal;   /* no event and no pair of events can be spared */
    uint32_t messages; /* delivered in what is left */
};

/* Takes events out of *schedule as long as the failure stays the same (cor_process_outcome_is_same): by
 * halves (ddmin), then events in a row, of all processes or of one, then all pairs. tries_most: 0 = as many
 * as it takes. COR_STATUS_INPUT: it does not fail. */
enum cor_status cor_process_shrink(struct cor_process_runner *runner, const struct cor_stream_name *name,
                                   struct cor_process_schedule *schedule, uint32_t tries_most,
                                   struct cor_process_shrinking *shrinking,
                                   struct cor_error *error) COR_MUST_USE;

/* Of several schedules that fail, each with its name, the one that gets smallest, in place: all are shrunk a
 * little, that with the fewest messages to the end. count > 0. */
enum cor_status cor_process_shrink_best(struct cor_process_runner *runner, const struct cor_stream_name *names,
                                        struct cor_process_schedule *schedules, uint32_t count,
                                        uint32_t *best, struct cor_process_shrinking *shrinking,
                                        struct cor_error *error) COR_MUST_USE;

/* A test file (docs/process-tests.md): program, cluster, corridor, schedule as text lines, what is expected.
 * Keys and words as in the experiment; one event a line: ["deliver", 2, 0, "append", 0, 1370]. */
struct cor_process_test {
    struct cor_json_document *document; /* owned */
    char *program;                      /* owned */
    struct cor_process_setting setting; /* what it points to is owned */
    struct cor_stream_name name;
    struct cor_process_schedule schedule;
    char *expected; /* owned; constraint, or the word of an end; "none" */
};

/* The story of a schedule: a numbered sentence for each event with names and changed values, and what is
 * violated at the end; as text, as JSON, or as an SVG sequence diagram (<= 1200 px wide). */
enum cor_process_story_form { COR_PROCESS_STORY_TEXT, COR_PROCESS_STORY_SVG };
enum cor_status cor_process_story(struct cor_process_runner *runner, const struct cor_stream_name *name,
                                  const struct cor_process_schedule *schedule,
                                  enum cor_process_story_form form, char **text,
                                  struct cor_error *error) COR_MUST_USE;

#endif
