/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words of docs/look-up/words.md, which is built into the program. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_GLOSSARY_H
#define CORRIDOR_EXPERIMENTS_COMMAND_GLOSSARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Prints what the words mean: rows of the page that are called so, else those with the word in their names,
 * with an example; else columns of views that are headed so, else those with the word in headings or keys.
 * Whatever the case of the letters. False if there is none. */
bool cor_print_word(int count, char **words, FILE *file);

/* The word of the page that was probably meant, into `text`; false if none is near. */
bool cor_near_word(const char *word, char *text, size_t size);

#endif
