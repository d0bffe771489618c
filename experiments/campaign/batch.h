/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run --batch: a campaign as a job array, whose tasks each run a share of it. */
#ifndef CORRIDOR_EXPERIMENTS_CAMPAIGN_BATCH_H
#define CORRIDOR_EXPERIMENTS_CAMPAIGN_BATCH_H

#include "command.h"

/* What run is asked for of a batch; 0: to be found out. */
struct cor_batch_options {
    int system; /* index of the word; -1: no batch */
    bool submit;
    int64_t tasks, cpus, limit, task_minutes, minutes;
    double pilot;
};

/* The batch systems by index; NULL behind the last. */
const char *cor_batch_word(size_t index);

/* Whether the options of run that were given may stand beside --batch. False having said what is wrong. */
bool cor_batch_fits(const struct cor_arguments *arguments);

/* Prints the script for the batch system, or submits the jobs; output: of the run, NULL if none was named. */
enum cor_exit cor_batch(const struct cor_arguments *arguments, const struct cor_batch_options *options,
                        const char *output);

#endif
