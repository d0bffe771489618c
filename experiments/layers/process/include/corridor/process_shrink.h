/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A failing schedule made as small as it can be, kept as a test file, and told as a story. */
#ifndef CORRIDOR_PROCESS_SHRINK_H
#define CORRIDOR_PROCESS_SHRINK_H

#include <corridor/process_experiment.h>

#define COR_PROCESS_PAIRS_MOST 100u

/* What was done. */
struct cor_process_shrinking {
    uint32_t tried;  /* smaller schedules that were executed */
    uint32_t count;  /* schedules that were shrunk: those behind an end before its time were not looked at */
    bool is_minimal; /* no event can be spared, */
    bool are_pairs;  /* nor a pair of them: asked where COR_PROCESS_PAIRS_MOST events are left at most */
    bool is_ended;   /* by go_on, before its time */
    uint32_t messages; /* delivered in what is left */
};

/* How far it is. */
struct cor_process_shrink_counts {
    uint32_t schedule; /* at which of those that are tried, from 0; */
    uint32_t tried;    /* executed so far, for all of them; */
    uint32_t events;   /* left of this one */
};

/* How long to try; borrowed for the call. */
struct cor_process_shrink_definition {
    uint32_t budget; /* smaller schedules executed at most, of all together; 0: as many as it takes */
    /* Asked before each; false: nothing is executed any more, the best so far is the result. NULL: always
     * true. */
    bool (*go_on)(void *self, const struct cor_process_shrink_counts *counts);
    void *self;
};

/* What executes the schedules of a shrinking: as cor_process_replay, whose `self` is the runner. */
struct cor_process_trier {
    void *self;
    enum cor_status (*execute)(void *self, const struct cor_stream_name *name,
                               const struct cor_process_schedule *schedule,
                               struct cor_process_schedule *executed, struct cor_process_outcome *outcome,
                               struct cor_error *error);
    uint32_t process_count;
};

/* Takes events out of *schedule as long as the failure stays the same (cor_process_outcome_is_same): by
 * halves (ddmin), then events in a row, of all processes or of one, then all pairs of a few. definition: NULL
 * = as long as it takes. COR_STATUS_INPUT: it does not fail. */
enum cor_status cor_process_shrink(struct cor_process_runner *runner, const struct cor_stream_name *name,
                                   struct cor_process_schedule *schedule,
                                   const struct cor_process_shrink_definition *definition,
                                   struct cor_process_shrinking *shrinking,
                                   struct cor_error *error) COR_MUST_USE;

/* The same by whoever executes schedules. */
enum cor_status cor_process_shrink_by(const struct cor_process_trier *trier,
                                      const struct cor_stream_name *name,
                                      struct cor_process_schedule *schedule,
                                      const struct cor_process_shrink_definition *definition,
                                      struct cor_process_shrinking *shrinking,
                                      struct cor_error *error) COR_MUST_USE;

/* Of several schedules that fail, each with its name, the one that gets smallest, in place: all are shrunk a
 * little, that with the fewest messages to the end. count > 0. */
enum cor_status cor_process_shrink_best(const struct cor_process_trier *trier,
                                        const struct cor_stream_name *names,
                                        struct cor_process_schedule *schedules, uint32_t count,
                                        const struct cor_process_shrink_definition *definition,
                                        uint32_t *best, struct cor_process_shrinking *shrinking,
                                        struct cor_error *error) COR_MUST_USE;

/* A test file: an experiment with one arm, and beside its members
 *   "process_test": {"suite": 0, "sequence": 17, "expected": "agreed", "tick": 4031}
 *   "schedule": [["deliver", 2, 0, "append", 0, 1370], ..]
 * An event is its kind, what the kind says (cor_process_test_forms), and the tick. */
struct cor_process_test {
    struct cor_process_experiment *experiment; /* owned */
    struct cor_process_setting setting;        /* of its arm */
    struct cor_stream_name name;
    struct cor_process_schedule schedule;
    const char *expected; /* borrowed from the document: a constraint, the word of an end, or "none" */
    uint64_t tick;        /* at which it failed; 0: the file does not say */
    struct cor_json_document *document; /* owned */
};

/* Reads a test file; `path` stands for its text. options: of the experiment, NULL is allowed. */
enum cor_status cor_process_test_parse(const char *text, const char *path,
                                       const struct cor_layer_options *options, struct cor_process_test *test,
                                       struct cor_error *error) COR_MUST_USE;
void cor_process_test_fini(struct cor_process_test *test); /* idempotent */

/* The text of the test file of a schedule of an arm, for the caller to free. */
enum cor_status cor_process_test_text(const struct cor_process_experiment *experiment, uint32_t arm,
                                      uint32_t suite, uint32_t sequence,
                                      const struct cor_process_schedule *schedule, const char *expected,
                                      char **text, struct cor_error *error) COR_MUST_USE;

/* What became of that by which a run is expected to fail. */
enum cor_process_finding {
    COR_PROCESS_COMES,   /* the run failed by it; expected "none": by anything */
    COR_PROCESS_IS_GONE, /* it was judged to the end of the schedule, and did not come */
    COR_PROCESS_IS_OPEN, /* neither: no verdict */
};

/* Decides by what is expected alone (a constraint, the word of an end; "none": by all), and says why in
 * `why`. schedule: that was executed, NULL: it was made by a generator; tick: at which it failed before,
 * 0: that is not known. A formula that holds so far is open, unless the schedule reaches that tick. */
enum cor_process_finding cor_process_find(const struct cor_process_setting *setting,
                                          const struct cor_process_outcome *outcome, const char *expected,
                                          const struct cor_process_schedule *schedule, uint64_t tick,
                                          char *why, size_t size);

/* What a run failed by: the name of a constraint, the word of an end, "none". */
const char *cor_process_outcome_word(const struct cor_corridor *corridor,
                                     const struct cor_process_outcome *outcome);

/* The story of a schedule: a numbered sentence for each event with the values that it changed, and what is
 * violated at the end; death: what ended the program there (NULL: nothing); as text of 80 columns, as JSON,
 * or as an SVG sequence diagram (<= 1200 px wide). */
struct cor_process_death {
    const struct cor_process_event *event; /* of which the program died, behind the schedule; NULL: of none */
    struct cor_process_outcome outcome;    /* told in the place of that of the schedule */
};
enum cor_process_story_form { COR_PROCESS_STORY_TEXT, COR_PROCESS_STORY_JSON, COR_PROCESS_STORY_SVG };
enum cor_status cor_process_story(struct cor_process_runner *runner, const struct cor_stream_name *name,
                                  const struct cor_process_schedule *schedule,
                                  const struct cor_process_death *death, enum cor_process_story_form form,
                                  char **text, struct cor_error *error) COR_MUST_USE;

#endif
