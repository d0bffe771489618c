/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which arms are compared, and which suites of them belong together. */
#ifndef CORRIDOR_COMPARE_PAIRING_H
#define CORRIDOR_COMPARE_PAIRING_H

#include <corridor/compare.h>

/* Arms that are compared: their places in the catalogs of A and B. */
struct cor__couple {
    size_t arm[2];
};

/* Reads `arms` (as in struct cor_compare_wish) into couples, freed with free(); counts what the other side
 * does not have into `without`. */
enum cor_status cor__couples(const struct cor_sums *const sides[2], const char *arms,
                             struct cor__couple **couples, size_t *count, uint64_t without[2],
                             struct cor_error *error) COR_MUST_USE;

/* The suites of a couple: pairs where paired, else all of A and all of B. */
struct cor__pairing {
    const struct cor_suite_sums **suite[2]; /* owned lists, borrowed suites */
    size_t count[2];
};

/* Fills suites, common, equal and paired of `made`, too. */
enum cor_status cor__pairing_init(struct cor__pairing *pairing, const struct cor_sums *const sides[2],
                                  const struct cor__couple *couple, struct cor_compared_arms *made,
                                  struct cor_error *error) COR_MUST_USE;
void cor__pairing_fini(struct cor__pairing *pairing);

/* Do the arms run the same algorithm, as far as the files say? */
bool cor__same_algorithm(const struct cor_sums *const sides[2], const struct cor__couple *couple);

#endif
