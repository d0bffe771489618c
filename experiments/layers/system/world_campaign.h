/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The world `campaign`, for whoever keeps what happened in it. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_WORLD_CAMPAIGN_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_WORLD_CAMPAIGN_H

#include "internal.h"

/* What happened since the first reset, and there was one, as the text of a test file (docs/do/test-files.md).
 * It is executed: *parts says at which case its rows are others than those of what happened, NULL: at none.
 * Both are freed with free(). COR_STATUS_INPUT: no case was executed. */
enum cor_status system_layer__campaign_test(const struct cor_live_world *world, char **text, char **parts,
                                            struct cor_error *error) COR_MUST_USE;

#endif
