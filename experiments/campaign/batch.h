/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run --batch: a campaign as a job array, whose tasks each run a share of it. */
#ifndef CORRIDOR_CLI_BATCH_H
#define CORRIDOR_CLI_BATCH_H

#include "command.h"

/* The batch systems by index; NULL behind the last. */
const char *cor_batch_word(size_t index);

/* Whether the options of run stand together: those of a batch need --batch, and most others have no place
 * beside it. False having said what is wrong. */
bool cor_batch_fits(const struct cor_arguments *arguments);

/* Prints the script for the batch system that --batch names, or submits the jobs. */
enum cor_exit cor_batch(const struct cor_arguments *arguments);

/* The options that need --batch. */
#define COR_BATCH_OPTIONS                                                                                    \
    {"submit", 0, NULL, "with --batch: submit the jobs instead of printing the script", NULL},               \
        {"task-minutes", 0, "N", "with --batch: give each task N minutes of work", "30"},                    \
        {"tasks", 0, "N", "with --batch: make N tasks", "by a pilot"},                                       \
        {"array-limit", 0, "N", "with --batch: make at most N tasks",                                        \
         "what Slurm says; 1000 (PBS 10000, SGE 75000)"},                                                    \
        {"cpus", 0, "N", "with --batch: give each task N processors, and worker processes", "1"},            \
        {"time", 0, "N", "with --batch: limit a task to N minutes", "twice its work and ten"}, {             \
        "pilot", 0, "S", "with --batch: run a few suites for S seconds at most, to estimate their time", "3" \
    }

#endif
