/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions that searches have learned, handed back as arms of an experiment. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_REGION_EXPERIMENT_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_REGION_EXPERIMENT_H

#include <corridor/search_result.h>

/* The experiment that was searched with one more arm for each region that was settled: the arm searched,
 * named ARM-region - with -SEARCH where several searches of it settled, with -ISLAND where there are several
 * islands, with a number where an arm has that name already - with the region among its constraints. *text is
 * freed with free(). COR_STATUS_INPUT: there is no such region. */
enum cor_status cor_region_experiment(const struct cor_layer_tables *search, char **text,
                                      struct cor_error *error) COR_MUST_USE;

#endif
