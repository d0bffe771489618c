/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sub-models as PICT has them: rows of some parameters, made by their own order, which are then combined with
 * the other parameters as if they were values of one. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_BUNDLE_H
#define CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_BUNDLE_H

#include "internal.h"

/* A parameter of the outer model: one of the model, or a bundle. */
struct combine__outer {
    uint32_t *members; /* owned; ascending */
    uint32_t member_count;
    const struct combine__combine_part *part; /* NULL: no bundle */
    uint32_t *rows;                           /* owned; of a bundle: row_count rows of the members' levels */
    size_t row_count, row_capacity;
};

struct combine__bundles {
    const struct cor_combine_model *model; /* borrowed */
    struct combine__outer *outers;         /* owned, as all below; in order of their first members */
    uint32_t outer_count;
    uint32_t *outer_of; /* by parameter of the model */
    bool any;           /* some sub-model is a bundle for this request */
    struct cor_words words;
    struct cor_combine_model *outer; /* made by combine__bundles_join */
};

/* Which sub-models are bundles: whose order is no higher than that of the whole, and which share nothing. To
 * be freed with combine__bundles_fini, also after failing. */
enum cor_status combine__bundles_init(struct combine__bundles *bundles, const struct cor_combine_model *model,
                                      const struct cor_combine_request *request,
                                      struct cor_error *error) COR_MUST_USE;
void combine__bundles_fini(struct combine__bundles *bundles);

/* The model whose only wish is the bundle's own order: a view, borrowed of both. */
struct cor_combine_model combine__bundle_view(const struct combine__bundles *bundles, uint32_t outer,
                                              const struct cor_combine_request *request,
                                              struct combine__combine_part *part);

/* Adds what the rows (of the whole model) have of each bundle, once each. */
enum cor_status combine__bundle_add(struct combine__bundles *bundles, uint32_t outer, const uint32_t *rows,
                                    size_t row_count, struct cor_error *error) COR_MUST_USE;

/* Makes the outer model, constraints and rows to keep among it. */
enum cor_status combine__bundles_join(struct combine__bundles *bundles, struct cor_error *error) COR_MUST_USE;

void combine__bundles_fold(const struct combine__bundles *bundles, const uint32_t *row, uint32_t *outer);

/* A combination of the outer model in terms of the model; false: it has more values than can be said, of
 * which the first are. */
bool combine__bundles_tuple(const struct combine__bundles *bundles, struct cor_combine_tuple *tuple);

#endif
