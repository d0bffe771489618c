/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening an experiment, as run and plan both do it. */
#ifndef CORRIDOR_CLI_OPEN_H
#define CORRIDOR_CLI_OPEN_H

#include <corridor/experiment.h>

/* Reads the experiment at `path`, asks whether its constraints can hold, and warns on stderr of profiles
 * whose states cannot be reached or left. *notes is what the analysis has to say, freed with free(). */
enum cor_status cor_open_experiment(const char *path, struct cor_experiment **experiment, char **notes,
                                    struct cor_error *error) COR_MUST_USE;

#endif
