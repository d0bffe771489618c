/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests on line, again from their result file. */
#ifndef CORRIDOR_CLI_EFSM_REPLAY_H
#define CORRIDOR_CLI_EFSM_REPLAY_H

#include "command.h"

/* Gives the recorded answers of each test in the file to its planner again, prints whether it came out the
 * same, and tells whether all did. */
enum cor_status cor_efsm_replay(const struct cor_arguments *arguments, const char *path, bool *same,
                                struct cor_error *error) COR_MUST_USE;

#endif
