/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suites that are read from a folder instead of being generated. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_SUITE_FOLDER_H
#define CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_SUITE_FOLDER_H

#include <corridor/interaction.h>

/* Reads suite `index` of an arm. COR_STATUS_INPUT if the file holds another one. */
enum cor_status interaction__suite_folder_read(const struct cor_experiment *experiment, const char *folder,
                                               uint32_t arm, uint32_t index, struct cor_suite **suite,
                                               struct cor_error *error) COR_MUST_USE;

/* Reads all of them, and says which are not those that the experiment draws. */
enum cor_status interaction__suite_folder_check(const struct cor_experiment *experiment, const char *folder,
                                                struct cor_suites_read *suites,
                                                struct cor_error *error) COR_MUST_USE;

#endif
