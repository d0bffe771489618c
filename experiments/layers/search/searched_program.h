/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A search in schedules of a distributed program: a campaign of the process layer whose suites end with their
 * first failure. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_SEARCHED_PROGRAM_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_SEARCHED_PROGRAM_H

#include <corridor/json.h>

/* What is searched by whom. */
struct cor_program_search {
    const char *generators; /* names with commas between them; NULL: "search" */
    const char *arm;        /* NULL: each */
    int64_t budget;         /* test cases of an island at most: schedules of full length */
    int64_t islands;
};

/* Is it an experiment with a distributed program? */
bool cor_is_of_program(const struct cor_json *root);

/* The experiment of the search, for the caller to free: an arm GENERATOR/ARM for each, suites are islands. */
enum cor_status cor_program_search_text(const struct cor_json *root, const struct cor_program_search *search,
                                        char **text, struct cor_error *error) COR_MUST_USE;

/* The names of generators of schedules, NULL behind the last. */
const char *cor_schedule_generator_word(size_t index);

#endif
