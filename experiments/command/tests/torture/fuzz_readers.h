/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to fuzz_readers: a reader of texts, and those of what a guest says. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_TESTS_TORTURE_FUZZ_READERS_H
#define CORRIDOR_EXPERIMENTS_COMMAND_TESTS_TORTURE_FUZZ_READERS_H

#include <corridor/error.h>

/* `text` ends with a NUL behind its `size` bytes, and may be written over. */
typedef enum cor_status read_text(char *text, size_t size, struct cor_error *error);

/* A file of the sources, read once into *text, which begins as NULL. */
const char *guests__source(const char *name, char **text);

/* fuzz_guests.c: an algorithm, an agent, a distributed program, a system, a world that are programs, by the
 * lines that they say; an algorithm that is a module, by what it says of itself. */
read_text guests__algorithm, guests__agent, guests__process, guests__system, guests__world,
    guests__description;

#endif
