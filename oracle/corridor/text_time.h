/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a corridor says of time, over states that are a trace: for judge, and of what is observed. */
#ifndef CORRIDOR_ORACLE_CORRIDOR_TEXT_TIME_H
#define CORRIDOR_ORACLE_CORRIDOR_TEXT_TIME_H

#include <corridor/corridor.h>
#include <corridor/temporal.h>

struct corridor__time {
    const struct cor_corridor *corridor;
    const char **names; /* owned; of conditions: alarm (observed: stable), inside, constraints; then
                           NULL */
    struct cor_temporal **formulas;      /* owned, and each; [constraint], NULL: not of time */
    struct cor_temporal_watch **watches; /* likewise */
    uint8_t *conditions;                 /* owned; of a state */
    uint32_t *sure,
        *possible; /* owned; [constraint] states on end in which it was violated, or may have been; of those
                      that are `is_each`, by the organization of which there are most */
    struct cor_streaks each;       /* owned; the same of each organization: [2 * constraint, + 1] */
    enum cor_truth *organizations; /* owned; of one constraint */
    size_t organization_capacity;
};

/* Reads the formulas. corridor__time_fini frees it in any case; what is
 * read begins with zeroes. */
enum cor_status corridor__time_init(struct corridor__time *time, const struct cor_corridor *corridor,
                                    struct cor_error *error) COR_MUST_USE;
void corridor__time_fini(struct corridor__time *time);

/* Before the first state again. */
void corridor__time_restart(struct corridor__time *time);

/* Before the next state, which the judge looks at: counts for each organization where a trigger does. */
enum cor_status corridor__time_organizations(struct corridor__time *time, struct cor_corridor_judge *judge,
                                             const struct cor_snapshot *state,
                                             struct cor_error *error) COR_MUST_USE;

/* Takes the next state: the verdict of each constraint, and of all together, the kind included; of what is
 * observed whether it is stable. */
enum cor_status corridor__time_step(struct corridor__time *time, const enum cor_truth *truths,
                                    enum cor_truth inside, enum cor_truth stable,
                                    struct cor_error *error) COR_MUST_USE;

/* The verdict of a formula on the states so far; *decided is the state that fixed it, COR_TEMPORAL_OPEN: none
 * did. */
enum cor_truth corridor__time_verdict(const struct corridor__time *time, uint32_t constraint,
                                      uint64_t *decided);

/* That of states that would have gone on (cor_temporal_so_far). */
enum cor_truth corridor__time_so_far(const struct corridor__time *time, uint32_t constraint);

#endif
