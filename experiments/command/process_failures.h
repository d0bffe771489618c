/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the commands about schedules share: failures of a result file, test files. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_PROCESS_FAILURES_H
#define CORRIDOR_EXPERIMENTS_COMMAND_PROCESS_FAILURES_H

#include "commands.h"
#include "running.h"

#include <corridor/process_again.h>
#include <corridor/process_result.h>
#include <corridor/process_shrink.h>

/* What a command may start, and where. */
struct process_layer__starting {
    bool trust;    /* what files name, after it was said */
    int isolation; /* enum cor_isolation: of what is executed */
};

/* A result file of the layer, and its experiment again. Begins zeroed. */
struct process_layer__source {
    struct cor_result *result;       /* owned */
    struct cor_layer_tables process; /* owned */
    struct cor_opened opened;        /* owned */
    const struct cor_process_experiment *experiment;
};

enum cor_status process_layer__source_open(const struct cor_command *command, const char *path,
                                           const struct process_layer__starting *starting,
                                           struct process_layer__source *source,
                                           struct cor_error *error) COR_MUST_USE;
void process_layer__source_fini(struct process_layer__source *source); /* idempotent */

/* The failing schedule of a key ARM/SUITE/SEQUENCE; NULL: the first that failed. COR_STATUS_INPUT: there is
 * none. */
enum cor_status process_layer__source_find(const struct process_layer__source *source, const char *path,
                                           const char *key, const struct cor_process_sequence_row **row,
                                           struct cor_error *error) COR_MUST_USE;

/* The key of a schedule, for the caller to free; NULL: memory is out. */
char *process_layer__source_key(const struct process_layer__source *source,
                                const struct cor_process_sequence_row *row);

/* Why a schedule of a program may come out otherwise now, for people. */
const char *process_layer__why_otherwise(const struct cor_process_arm *arm);

/* Reads the test file at `path`; what it may start is said before. */
enum cor_status process_layer__test_read(const char *path, const struct process_layer__starting *starting,
                                         struct cor_process_test *test, struct cor_error *error) COR_MUST_USE;

#endif
