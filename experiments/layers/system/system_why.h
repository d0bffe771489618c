/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why something does not hold, in words: what conditions read in the cycle in which they are judged, and in
 * cycles before, of which what was shown is kept. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_SYSTEM_WHY_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_SYSTEM_WHY_H

#include "internal.h"

/* A sentence of a condition that does not hold: "t.x > 4 does not hold: t.x is 3." */
void system_layer__breach(const struct cor_expression *expression, const struct cor_beliefs *beliefs,
                          char *text, size_t size);

/* What was shown in a run, so that what was believed in an earlier cycle can be believed again, and what the
 * conditions of formulas were in each. Views take 32 MiB at most: then the oldest are forgotten. */
struct system_layer__past;

/* Nothing was shown. The rig is borrowed; freed by system_layer__past_destroy. */
enum cor_status system_layer__past_create(const struct system_layer__rig *rig,
                                          struct system_layer__past **past,
                                          struct cor_error *error) COR_MUST_USE;
void system_layer__past_destroy(struct system_layer__past *past); /* NULL is allowed */
void system_layer__past_clear(struct system_layer__past *past);

/* A view was merged into the beliefs by which formulas are judged. */
enum cor_status system_layer__past_view(struct system_layer__past *past, const struct cor_world_view *view,
                                        struct cor_error *error) COR_MUST_USE;

/* A test agent acted on an entity, and these beliefs have noted it. */
enum cor_status system_layer__past_tried(struct system_layer__past *past, uint32_t identity,
                                         struct cor_error *error) COR_MUST_USE;

/* A cycle is over: conditions[c] is an enum cor_temporal_value of claim c. */
enum cor_status system_layer__past_judged(struct system_layer__past *past, const uint8_t *conditions,
                                          struct cor_error *error) COR_MUST_USE;

/* Why formulas are violated, behind the cycle that is over last: whys[f] of formula f, freed with free(), for
 * each with is_asked[f]; others stay. Asked once of a run, since it walks through it. */
enum cor_status system_layer__past_why(struct system_layer__past *past, const bool *is_asked, char **whys,
                                       struct cor_error *error) COR_MUST_USE;

#endif
