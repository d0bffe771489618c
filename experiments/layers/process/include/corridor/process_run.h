/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One schedule, executed: a cluster of a program, a corridor beside it, and where the next event comes from -
 * a generator, or a schedule that was kept. Campaigns, replay, shrinking and the story run through here. */
#ifndef CORRIDOR_PROCESS_RUN_H
#define CORRIDOR_PROCESS_RUN_H

#include <corridor/observed.h>
#include <corridor/schedule_generator.h>

#define COR_PROCESS_TRAPS_MAX 64

/* Traps: conditions over what processes show that schedules are to meet, and that violate nothing. They are
 * written behind the corridor's text as invariants of another one. */
struct cor_process_traps {
    struct cor_corridor *corridor; /* owned; NULL: there are none */
    bool *watched;                 /* owned; [constraint of it] is a trap */
    uint32_t first, count;         /* trap t is its constraint first + t */
};

/* What a run depends on; all borrowed. */
struct cor_process_setting {
    struct cor_cluster_definition cluster;
    const struct cor_corridor *corridor;
    const struct cor_value *parameters;    /* [parameter of the corridor] */
    const bool *watched;                   /* [constraint of the corridor] it is judged; NULL: all are */
    const struct cor_process_traps *traps; /* NULL, or without any: none are looked for */
    uint64_t case_ticks;
    uint32_t case_count; /* the run ends with the last case, at the first violation, */
    uint32_t event_most; /* or after so many events: then what was not reached is said */
};

/* A set of constraints of a corridor: bit c % 64 of word c / 64. */
struct cor_process_constraints {
    uint64_t words[(COR_CORRIDOR_ROWS_MAX + 63) / 64];
};

/* How it ended. */
struct cor_process_outcome {
    uint32_t cases;            /* whole ones */
    uint32_t events, messages; /* that happened; of these deliveries */
    uint64_t ticks;
    uint64_t digest;          /* cor_cluster_digest at the end */
    enum cor_process_end end; /* NONE: no process ended by itself, */
    uint32_t end_process;
    bool is_by_machine; /* the machine, or whoever else, ended it: cor_cluster_is_by_machine */
    uint32_t violated;  /* constraint, COR_NONE: none is */
    uint32_t violated_case, violated_event; /* numbers from 1; of a formula the event is the case's last */
    bool is_cut_short;  /* event_most, or the last case, came before the end of the schedule */
    uint32_t undecided; /* constraints that have no verdict where the run ends */
    struct cor_process_constraints open;   /* those, */
    struct cor_process_constraints tested; /* those that the run could have violated at all, */
    struct cor_process_constraints
        so_far;   /* and formulas that hold, and that cases not reached may violate */
    uint64_t met; /* bit t: trap t was met, */
    struct cor_process_met {
        uint32_t case_number, event; /* from 1; event 0: before the first one */
    } met_at[COR_PROCESS_TRAPS_MAX]; /* first there */
    uint32_t one, other;             /* processes that the violation is about; COR_NONE: none */
    uint64_t binding_count;          /* ways in which the invariant is violated */
    char sentence[800];              /* about the violation or the end, for people; "" */
};

struct cor_process_runner;
enum cor_status cor_process_runner_create(const struct cor_process_setting *setting,
                                          struct cor_process_runner **runner,
                                          struct cor_error *error) COR_MUST_USE;
void cor_process_runner_destroy(struct cor_process_runner *runner); /* NULL is allowed */

/* Its cluster, for generators; lives as long as the runner. */
const struct cor_cluster *cor_process_runner_cluster(const struct cor_process_runner *runner);

/* What its corridor has seen of the last run. */
const struct cor_observed *cor_process_runner_observed(const struct cor_process_runner *runner);

/* What is observed of traps; NULL: none are looked for. Lives as long. */
const struct cor_observed *cor_process_runner_trapped(const struct cor_process_runner *runner);

/* The corridor beside it. */
const struct cor_corridor *cor_process_runner_corridor(const struct cor_process_runner *runner);

/* As cor_cluster_forget, cor_cluster_hurry, and cor_cluster_moved. */
void cor_process_runner_forget(struct cor_process_runner *runner);
void cor_process_runner_hurry(struct cor_process_runner *runner, double hang_seconds);
void cor_process_runner_moved(const struct cor_process_runner *runner);

/* Runs by a generator; what happened is in *executed (cleared first). weather: [case], the last one goes on.
 */
enum cor_status cor_process_run(struct cor_process_runner *runner, const struct cor_stream_name *name,
                                const struct cor_schedule_generator_kind *kind,
                                struct cor_schedule_generator *generator,
                                const struct cor_weather *const *weather, uint32_t weather_count,
                                struct cor_process_schedule *executed, struct cor_process_outcome *outcome,
                                struct cor_error *error) COR_MUST_USE;

/* Where the events of a run come from, and what is kept of it; all borrowed. */
struct cor_process_course {
    const struct cor_schedule_generator_kind *kind;
    struct cor_schedule_generator *generator;
    const struct cor_weather *const *weather; /* [case], the last one goes on */
    uint32_t weather_count;
    struct cor_process_schedule *executed; /* NULL: it is not kept */
};

/* cor_process_run step by step: begin, steps until one says *is_over, end. A step is what the generator says
 * next, possible or not. *outcome is that of the run so far, but for verdicts, which are said at the end; a
 * run may be left without one. */
enum cor_status cor_process_run_begin(struct cor_process_runner *runner, const struct cor_stream_name *name,
                                      const struct cor_process_course *course,
                                      struct cor_process_outcome *outcome,
                                      struct cor_error *error) COR_MUST_USE;
enum cor_status cor_process_run_step(struct cor_process_runner *runner,
                                     const struct cor_process_course *course, bool *is_over,
                                     struct cor_error *error) COR_MUST_USE;
enum cor_status cor_process_run_end(struct cor_process_runner *runner,
                                    const struct cor_process_course *course,
                                    struct cor_error *error) COR_MUST_USE;

/* Between two steps: what processes and the generator draw from now on is drawn from streams of that name.
 * The generator can fork. */
void cor_process_run_fork(struct cor_process_runner *runner, const struct cor_process_course *course,
                          const struct cor_stream_name *name);

/* Likewise, where the course has got another generator, which begins there. */
enum cor_status cor_process_run_turn(struct cor_process_runner *runner,
                                     const struct cor_process_course *course,
                                     const struct cor_stream_name *name,
                                     struct cor_error *error) COR_MUST_USE;

/* Runs a schedule; `executed` (may be NULL) gets the events of it that were possible. */
enum cor_status cor_process_replay(struct cor_process_runner *runner, const struct cor_stream_name *name,
                                   const struct cor_process_schedule *schedule,
                                   struct cor_process_schedule *executed, struct cor_process_outcome *outcome,
                                   struct cor_error *error) COR_MUST_USE;

/* The same failure: the same constraint, or the same kind of end. */
bool cor_process_outcome_is_same(const struct cor_process_outcome *a, const struct cor_process_outcome *b);

/* Called after each event of a run, for the story and for traces; NULL: nobody listens. */
struct cor_process_listener {
    void *data;
    enum cor_status (*event)(void *data, const struct cor_cluster *cluster,
                             const struct cor_process_event *event, struct cor_error *error);
};

/* For who listens: does the event come by itself, as part of a "default" of the schedule? */
bool cor_process_runner_is_by_itself(const struct cor_process_runner *runner);

/* Who listens from now on; it is copied. */
void cor_process_runner_listen(struct cor_process_runner *runner,
                               const struct cor_process_listener *listener);

#endif
