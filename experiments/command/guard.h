/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a file of a stranger in a process of its own, which the file can make too large or end; who started
 * it is told by a sentence and an exit code in any case. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_GUARD_H
#define CORRIDOR_EXPERIMENTS_COMMAND_GUARD_H

#include "command.h"

/* Runs the command in a child process that may take memory by the size of the files among the operands: a
 * gigabyte, and 64 times their size. Returns true in the child, with *code that of the command, and true
 * without a child where none can be made; false in the process that has waited, with *code the child's, or
 * what is said of its end. A signal that asks to stop is handed on, and ends both alike. */
bool cor_run_guarded(const struct cor_arguments *arguments, enum cor_exit *code);

#endif
