/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a corridor says of time, over states that are a trace, for judge. */
#ifndef COR_CORRIDOR_JUDGE_TIME_H
#define COR_CORRIDOR_JUDGE_TIME_H

#include <corridor/corridor.h>
#include <corridor/temporal.h>

struct judge_time {
    const struct cor_corridor *corridor;
    const char **names;             /* owned; of conditions: alarm, inside, constraints; NULL at the end */
    struct cor_temporal **formulas; /* owned, and each; [constraint], NULL: not of time */
    struct cor_temporal_watch **watches; /* likewise */
    uint8_t *conditions;                 /* owned; of a state */
    uint32_t *sure,
        *possible; /* owned; [constraint] states on end in which it was violated, or may have been */
};

/* Reads the formulas; `name` is that of the corridor's file. judge_time_fini frees it in any case; what is
 * read begins with zeroes. */
enum cor_status judge_time_init(struct judge_time *time, const struct cor_corridor *corridor,
                                const char *name, struct cor_error *error) COR_MUST_USE;
void judge_time_fini(struct judge_time *time);

/* Takes the next state: the verdict of each constraint, and of all together, the kind included. */
enum cor_status judge_time_step(struct judge_time *time, const enum cor_truth *truths, enum cor_truth inside,
                                struct cor_error *error) COR_MUST_USE;

/* The verdict of a formula on the states so far; *decided is the state that fixed it, COR_TEMPORAL_OPEN: none
 * did. */
enum cor_truth judge_time_verdict(const struct judge_time *time, uint32_t constraint, uint64_t *decided);

#endif
