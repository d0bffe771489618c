/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of tests and of questions have in common. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_TEST_PARTS_H
#define CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_TEST_PARTS_H

#include <corridor/json.h>

/* The compact text of an object again, with a line a member; in the member "walk", and in lists of objects, a
 * line an item. Freed with free(). */
enum cor_status sequence__lay_out(const char *compact, char **text, struct cor_error *error) COR_MUST_USE;

/* `count` numbers that ascend from at least `low` to at most `high`. */
enum cor_status sequence__read_ascending(const struct cor_json *json, size_t count, int64_t low, int64_t high,
                                         void (*put)(void *into, size_t index, int64_t number), void *into,
                                         struct cor_error *error) COR_MUST_USE;

#endif
