/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: what an algorithm must be to be used. */
#ifndef CORRIDOR_ALGORITHMS_HOST_ALGORITHM_H
#define CORRIDOR_ALGORITHMS_HOST_ALGORITHM_H

#include <corridor/host.h>
#include <corridor/loader.h>

/* Modules that are algorithms. */
extern const struct cor_module_kind host__algorithm_kind;

/* What plugin.h asks of an algorithm beyond its version: names, ranges, shape. */
enum cor_status host__algorithm_check(const struct cor_algorithm *algorithm, const char *origin,
                                      struct cor_error *error) COR_MUST_USE;

/* What it asks of parameters, of whatever declares some. NULL: there are none. */
enum cor_status host__parameters_check(const struct cor_parameter *list, const char *origin,
                                       struct cor_error *error) COR_MUST_USE;

/* The code coverage of the module that holds the algorithm's functions, in this process; NULL: it has none.
 */
struct cor_code_coverage *host__code_coverage(const struct cor_algorithm *algorithm);

/* Puts "coverage" behind the counters of an algorithm that was loaded in this process, if its module has it.
 * *list, of as many entries, is the caller's to free when the algorithm is used no more; NULL: it has none.
 * COR_STATUS_PLUGIN: it has a counter of that name already. */
enum cor_status host__cover(struct cor_algorithm *algorithm, const char *origin, struct cor_counter **list,
                            struct cor_error *error) COR_MUST_USE;

/* A built-in algorithm, NULL behind the last. */
const struct cor_algorithm *host__builtin(uint32_t index);

#endif
