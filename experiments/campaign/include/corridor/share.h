/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several processes, perhaps of several machines, on the folder of one campaign: each runs a share of the
 * plan. Which share, a launcher (mpirun, srun) or a batch system says in the environment; no MPI is linked.
 */
#ifndef CORRIDOR_SHARE_H
#define CORRIDOR_SHARE_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stdint.h>

#define COR_SHARES_MAX 65536

/* A share of a plan. */
struct cor_share {
    uint32_t index, count; /* index < count; count 0 or 1: all of it */
    bool launched; /* by a launcher that has started all shares of this run: the first of them waits for the
                      others, runs what they have left, and makes the result file */
};

/* Gives the value of a variable, or NULL: getenv. */
typedef const char *cor_lookup(const char *name);

/* The share that a launcher has given this process; all of the plan if there is no launcher, or it has
 * started one process only. COR_STATUS_INPUT if its variables contradict each other. */
enum cor_status cor_share_launched(cor_lookup *lookup, struct cor_share *share,
                                   struct cor_error *error) COR_MUST_USE;

/* What --share says: "3/8", the third of eight; "auto", which of how many the task of a job array is, by the
 * variables of Slurm, PBS, SGE or LSF; "auto/8", where they do not say of how many. In a job array whose
 * tasks are started by a launcher each process has a share of its task's. COR_STATUS_INPUT if there is no
 * such share. */
enum cor_status cor_share_read(const char *text, cor_lookup *lookup, struct cor_share *share,
                               struct cor_error *error) COR_MUST_USE;

/* Whether this process is the task of a job array, as far as its variables tell. */
bool cor_share_is_array_task(cor_lookup *lookup);

#endif
