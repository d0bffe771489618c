/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What may stand behind an option, from the files that the command line names already: for the completion of
 * a shell, while somebody types. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_CANDIDATES_H
#define CORRIDOR_EXPERIMENTS_COMMAND_CANDIDATES_H

#include "command.h"

#define COR_CANDIDATES "candidates" /* the subcommand that no help shows */

/* What the option takes, in a word for the subcommand; NULL: nothing that a file says. */
const char *cor_candidates_kind(const struct cor_option *option);

/* corridor candidates KIND WORD..: prints what there is of that kind, a line each, in the first of the words
 * that names a file which can be read, else nothing. Reads little, writes nothing else, says nothing, and
 * always succeeds. */
enum cor_exit cor_candidates(int count, char **words);

#endif
