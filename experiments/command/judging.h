/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * judge on a result file: the states that its sequences go through when they are executed again. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_JUDGING_H
#define CORRIDOR_EXPERIMENTS_COMMAND_JUDGING_H

#include "command.h"

struct cor_judge_options {
    bool json, no_fail, trust;
};

/* Judges the result file at `path` by the corridor in the file `corridor`, and prints what came of it. */
enum cor_exit cor_judge_result(const struct cor_command *command, const char *corridor, const char *path,
                               const struct cor_judge_options *options);

#endif
