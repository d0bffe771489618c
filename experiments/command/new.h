/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is written by `new`. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_NEW_H
#define CORRIDOR_EXPERIMENTS_COMMAND_NEW_H

#include "commands.h"

/* The text with the example's name, `old`, replaced; NULL when memory is out. */
char *cor_new_rename(const char *text, const char *old, const char *name);

/* A folder that is not there yet; a file in it, NAME and ENDING, which ".py" makes a program. */
enum cor_status cor_new_folder(const char *name, struct cor_error *error) COR_MUST_USE;
enum cor_status cor_new_write(const char *folder, const char *name, const char *ending, const char *text,
                              struct cor_error *error) COR_MUST_USE;

/* The text of a kit that is built in, by its file, "corridor_agent.py"; "" if there is none. */
const char *cor_new_kit(const char *name);

/* Begins the agent of a design, which is the second word. */
enum cor_exit cor_new_agent(const struct cor_arguments *arguments, int language);

#endif
