/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What regions of an arm's configurations are described by: its integer parameters; how far apart the limits
 * of its structure are, and how much room they leave together; the sides of every constraint, and what is
 * left of it. All are expressions over the parameters, so that a region is constraints as users write them.
 */
#ifndef CORRIDOR_REGION_QUANTITIES_H
#define CORRIDOR_REGION_QUANTITIES_H

#include <corridor/experiment.h>
#include <corridor/region.h>

#define COR_REGION_QUANTITIES_MAX 200

/* The quantities of one arm, each as an expression and as its text. The caller's, filled by
 * cor_region_quantities_init, freed by cor_region_quantities_fini. */
struct cor_region_quantities {
    uint32_t count;
    struct cor_expression *expressions; /* owned; parameters first */
    char **texts;                       /* owned; [quantity] each another one */
};

/* Those of an arm. `quantities` need not be empty when this fails. */
enum cor_status cor_region_quantities_init(const struct cor_arm *arm,
                                           struct cor_region_quantities *quantities,
                                           struct cor_error *error) COR_MUST_USE;

/* Frees what they hold. Idempotent. */
void cor_region_quantities_fini(struct cor_region_quantities *quantities);

/* Their values for the integer parameters of a suite, one for each into `row`. False: one is undefined. */
bool cor_region_quantities_row(const struct cor_region_quantities *quantities, const int64_t *integers,
                               int64_t *row);

/* A region as a list of constraints. */
struct cor_region_texts {
    char **texts; /* owned */
    uint32_t count;
};

/* One constraint for each quantity with a side that is not open. */
enum cor_status cor_region_texts_make(const struct cor_region_quantities *quantities,
                                      const struct cor_region *region, struct cor_region_texts *texts,
                                      struct cor_error *error) COR_MUST_USE;

/* Frees what they hold. Idempotent. */
void cor_region_texts_fini(struct cor_region_texts *texts);

/* All joined by "and"; "true" without any. Freed with free(); NULL when memory is out. */
char *cor_region_texts_join(const struct cor_region_texts *texts);

#endif
