/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folder of a campaign, as corridor plan makes it and looks at it. */
#ifndef CORRIDOR_EXPERIMENTS_CAMPAIGN_PLAN_FOLDER_H
#define CORRIDOR_EXPERIMENTS_CAMPAIGN_PLAN_FOLDER_H

#include "running.h"

#include <corridor/sheet.h>

/* What is there to do in a campaign's folder. */
struct cor_folder_plan {
    const char *folder;           /* borrowed */
    struct cor_arm_missing *arms; /* owned; names are the experiment's */
    uint32_t arm_count;
    uint64_t planned, stored; /* suites over all arms; planned 0 = endless */
    bool stopped;             /* stop conditions of the experiment hold: no more are wanted */
};

/* Makes `folder` the folder of the experiment's campaign, or looks at it if it is one already: then only what
 * may grow may differ from what is stored. It is made whole or not at all. log_solutions: for all that is run
 * there. */
enum cor_status cor_folder_plan_make(struct cor_opened *opened, const char *folder, bool log_solutions,
                                     struct cor_folder_plan *plan, struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_folder_plan_fini(struct cor_folder_plan *plan);

/* Prints it as a table; fills it into sheets, for JSON. */
enum cor_status cor_folder_plan_print(const struct cor_folder_plan *plan,
                                      struct cor_error *error) COR_MUST_USE;
void cor_folder_plan_fill(const struct cor_folder_plan *plan, struct cor_sheets *sheets);

#endif
