/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules of an arm by its own law, which can branch: for estimating how probable they are. A branch is
 * executed again from its beginning, with the same forks at the same steps. What nobody trusts is executed in
 * a cell, where a program that ruins its process ends its schedule, as in a campaign; and where it goes on
 * from a snapshot of all memory instead (pages.h), if that is still there: the same comes of it. One in so
 * many is executed again all the same, and has to come to the same; a module whose variables change has no
 * snapshots, nor has one that asks the system for anything. */
#ifndef CORRIDOR_PROCESS_LAW_H
#define CORRIDOR_PROCESS_LAW_H

#include <corridor/process_experiment.h>

struct cor_process_law;
struct cor_watch;

/* Why schedules of the arm have no law, in a sentence about its generator *name; NULL: they have one. */
const char *cor_process_no_law(const struct cor_process_arm *arm, const char **name);

/* How far a schedule has come, asked after each step where it is executed; no other function of the law's
 * schedule may be asked there but the outcome and the degree. */
struct cor_process_height {
    double (*of)(const void *data, const struct cor_process_law *law); /* NULL: nobody asks */
    const void *data;                                                  /* borrowed */
};

/* For an arm whose schedules have a law. The experiment is borrowed, and so are the traps that are looked for
 * (NULL: those of the arm). */
enum cor_status cor_process_law_create(const struct cor_process_experiment *experiment, uint32_t arm,
                                       const struct cor_process_traps *traps,
                                       const struct cor_process_height *height, struct cor_process_law **law,
                                       struct cor_error *error) COR_MUST_USE;
void cor_process_law_destroy(struct cor_process_law *law); /* NULL is allowed */

#define COR_PROCESS_FORKS_MAX 63

/* A schedule that is followed: the generator is that of `sequence`, and what is random is drawn from the
 * streams of the first fork's number - of the same number it is that of the campaign -, behind each further
 * fork from the streams of that one, the weather of cases that have not begun there, too. */
struct cor_process_trajectory {
    uint32_t suite, sequence, fork_count;
    struct cor_process_fork {
        uint64_t steps;  /* that were made before it, */
        uint64_t digest; /* and what all had come to: else the program does not repeat itself */
        uint32_t number;
    } forks[COR_PROCESS_FORKS_MAX]; /* of the first nothing but its number counts */
    /* Behind the last fork it is followed to its end, until trap `until` is met (COR_NONE: none), or until it
     * comes to the height `target`; `height`: that it had come to. */
    uint32_t until;
    double height, target;
    /* The last of its suite: in a cell, or of a program in another language, it is executed once more in a
     * fresh process, as is the first failure of a class, and has to come out the same. */
    bool is_last;
    /* Where a schedule is played: what the streams behind it are of, and events that come at most there; 0:
     * as many as come. */
    uint64_t seed;
    uint32_t ahead;
};

/* From now on trajectories have two forks, and begin with a schedule, which is borrowed and stays as it is:
 * up to the second fork its events are the steps, and there the generator begins, of the streams of the
 * trajectory's seed. A digest of 0 there is any. */
void cor_process_law_play(struct cor_process_law *law, const struct cor_process_schedule *schedule);

/* Behind the schedule that was played: what all had come to there, and the event that came first; NULL: none
 * came. Until the next trajectory. */
uint64_t cor_process_law_forked(const struct cor_process_law *law);
const struct cor_process_event *cor_process_law_next(const struct cor_process_law *law);

/* From now on nothing goes on from snapshots; how often something has, since its cell was begun. */
void cor_process_law_use_forks(struct cor_process_law *law);
uint64_t cor_process_law_restored(const struct cor_process_law *law);

#define COR_PROCESS_AHEAD 64u

/* Those that are followed next, [count], in this order and by these addresses, of one suite; they stay as
 * they are until then. A cell is asked for up to COR_PROCESS_AHEAD of them at once, and the same comes of
 * each; whatever else is followed before ends that. */
void cor_process_law_ahead(struct cor_process_law *law, const struct cor_process_trajectory *trajectories,
                           uint32_t count);

/* Follows it. A program that does not repeat itself ends it as one that leaks. COR_STATUS_INTERRUPTED: the
 * watch (NULL: there is none) says so. */
enum cor_status cor_process_law_follow(struct cor_process_law *law,
                                       const struct cor_process_trajectory *trajectory,
                                       const struct cor_watch *watch, struct cor_error *error) COR_MUST_USE;

/* How it stands - if it *is over*, verdicts of the end are in the outcome -, the height that it came to, a
 * fork that would go on from there, and cases that were begun. */
const struct cor_process_outcome *cor_process_law_outcome(const struct cor_process_law *law);
bool cor_process_law_is_over(const struct cor_process_law *law);
double cor_process_law_height(const struct cor_process_law *law);
struct cor_process_fork cor_process_law_fork(const struct cor_process_law *law, uint32_t number);
uint32_t cor_process_law_cases(const struct cor_process_law *law);

/* How far trap t is from being met (cor_observed_degree), where it is executed. */
uint64_t cor_process_law_degree(const struct cor_process_law *law, uint32_t trap);

#endif
