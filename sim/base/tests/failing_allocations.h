/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocations that fail when a test says so. A target to which CMake's cor_failing_allocations was applied
 * has its calls of malloc, calloc, realloc, strdup, strndup and free sent here by the linker: those of the
 * rooms, not those of shared libraries.
 *
 *   cor_allocations_begin(0, false);  action();  count = cor_allocations_end();
 *   for k = 1 .. count: cor_allocations_begin(k, false); action(); cor_allocations_end(); */
#ifndef CORRIDOR_SIM_BASE_TESTS_FAILING_ALLOCATIONS_H
#define CORRIDOR_SIM_BASE_TESTS_FAILING_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counts from now on; allocation number `fails_at`, from 1, fails (0: none does), and all behind it, too, if
 * `for_good`. */
void cor_allocations_begin(long fails_at, bool for_good);

/* Nothing fails from now on; how many allocations there were. */
long cor_allocations_end(void);

/* For the allocators that libraries are given: counts one, and tells whether it is to fail. */
bool cor_allocation_fails(void);

/* As malloc, neither counted nor failing. */
void *cor_allocation_real(size_t size);

/* Bytes held in allocations of the rooms, and the most there were since the mark was set; what libraries give
 * and rooms free counts as negative. */
int64_t cor_allocations_held(void);
int64_t cor_allocations_most_held(void);
void cor_allocations_mark_held(void);

#endif
