/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Failures of a result file, shrunk and kept as test files. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_KEEP_H
#define CORRIDOR_EXPERIMENTS_COMMAND_KEEP_H

#include "commands.h"
#include "show_view.h"

/* What becomes of failures that are to be kept as tests. */
struct cor_keeping {
    const char *folder; /* NULL: nothing is kept */
    uint64_t budget;    /* tests executed for each class; 0: as many as it takes */
    bool force;         /* replace files that are there */
    bool trust;         /* programs that the result file names may be started */
};

/* Shrinks the first failure of each class of the result file that the command line names, as far as `show`
 * lists it, and writes it into the folder as a test; a file that is there stays. */
enum cor_exit cor_keep_failures(const struct cor_arguments *arguments, const struct cor_view_options *show,
                                const struct cor_keeping *keeping);

/* The same of schedules of distributed programs: the first failure of each class of each arm, with others
 * alike, of which the one is written that gets smallest. */
enum cor_exit cor_keep_schedules(const struct cor_arguments *arguments, const struct cor_view_options *show,
                                 const struct cor_keeping *keeping);

#endif
