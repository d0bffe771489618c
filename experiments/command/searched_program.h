/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A search in schedules of a distributed program: a campaign of the process layer whose suites end with their
 * first failure. It is there with that layer. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_SEARCHED_PROGRAM_H
#define CORRIDOR_EXPERIMENTS_COMMAND_SEARCHED_PROGRAM_H

#include <corridor/json.h>

/* What is searched by whom. */
struct cor_program_search {
    const char *generators; /* names with commas between them; NULL: "search" */
    const char *arm;        /* NULL: each */
    int64_t budget;         /* test cases of an island at most: schedules of full length */
    int64_t islands;
};

/* Programs that are searched by a campaign of their own layer. */
struct cor_searched_programs {
    const char *layer; /* and its key in an experiment */
    const char *view;  /* that shows what was found */
    /* The experiment of the search, for the caller to free: an arm GENERATOR/ARM for each, suites are
     * islands. */
    enum cor_status (*text)(const struct cor_json *root, const struct cor_program_search *search, char **text,
                            struct cor_error *error);
    const char *(*generator_word)(size_t index); /* the names of generators, NULL behind the last */
};
extern const struct cor_searched_programs cor_searched_schedules;

#endif
