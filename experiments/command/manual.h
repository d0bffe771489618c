/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the manual gives the front: words that are explained, and what may stand behind an option. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_MANUAL_H
#define CORRIDOR_EXPERIMENTS_COMMAND_MANUAL_H

#include "command.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- the words of docs/look-up/words.md, which is built into the program */

/* Prints what the words mean: rows of the page that are called so, else those with the word in their names,
 * with an example; else columns of views that are headed so, else those with the word in headings or keys.
 * Whatever the case of the letters. False if there is none. */
bool cor_print_word(int count, char **words, FILE *file);

/* The word of the page that was probably meant, into `text`; false if none is near. */
bool cor_near_word(const char *word, char *text, size_t size);

/* ---- what may stand behind an option, from the files that the command line names already: for the
 * completion of a shell, while somebody types */

#define COR_CANDIDATES "candidates" /* the subcommand that no help shows */

/* What the option takes, in a word for the subcommand; NULL: nothing that a file says. */
const char *cor_candidates_kind(const struct cor_option *option);

/* corridor candidates KIND WORD..: prints what there is of that kind, a line each, in the first of the words
 * that names a file which can be read, else nothing. Reads little, writes nothing else, says nothing, and
 * always succeeds. */
enum cor_exit cor_candidates(int count, char **words);

#endif
