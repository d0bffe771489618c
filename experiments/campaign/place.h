/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a campaign is: what a word of the command line names, for all commands. */
#ifndef CORRIDOR_EXPERIMENTS_CAMPAIGN_PLACE_H
#define CORRIDOR_EXPERIMENTS_CAMPAIGN_PLACE_H

#include <corridor/error.h>

#include <stdbool.h>

/* A folder that corridor plan has made, or one of what is stored under way, or a file: an experiment, or the
 * result of one. */
struct cor_place {
    char *experiment;   /* owned: FOLDER/experiment.json; of a file it itself */
    char *output;       /* owned: FOLDER/results.h5, of RESULTS.h5.parts RESULTS.h5; of a file it itself */
    const char *suites; /* borrowed: the folder, if suites are in it as files; else NULL */
    bool folder;
    bool log_solutions; /* what FOLDER/options.json says, which goes for all that is run there */
};

/* Looks whether it is a file or a folder; a path that does not exist yet counts as a file. */
enum cor_status cor_place_of(const char *operand, struct cor_place *place,
                             struct cor_error *error) COR_MUST_USE;

/* COR_STATUS_FILE if the operand is a folder without an experiment, with what it is instead. */
enum cor_status cor_place_check(const char *operand, const struct cor_place *place,
                                struct cor_error *error) COR_MUST_USE;

/* Says in the folder that solutions are logged by all that is run there. */
enum cor_status cor_place_log_solutions(const char *folder, struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_place_fini(struct cor_place *place);

/* Whether a directory is at `path`. */
bool cor_is_folder(const char *path);

#endif
