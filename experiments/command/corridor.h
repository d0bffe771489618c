/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All of corridor: what its main and libcorridor.so (experiments/python) call. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_CORRIDOR_H
#define CORRIDOR_EXPERIMENTS_COMMAND_CORRIDOR_H

#include <corridor/conformance.h>

/* Does what the command line asks, and returns the exit code (enum cor_exit). It settles signals and the
 * locale for itself, and leaves memory to the end of the process: call it once in a process. argv[argc] is
 * NULL. */
int command__run(int argc, char **argv);

/* The commit of the sources (commit.cmake): twelve digits, "-dirty" behind them where a file of the clone was
 * changed; "": not known. */
extern const char command__commit[];

/* ---- check starts this program again for each check, with this word in front */

#define COR_CHECK_CHILD "conformance-check"

#endif
