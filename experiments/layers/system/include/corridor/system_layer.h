/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The system layer (papers 001 and 002): test agents enter a running system and work towards goals. Its
 * experiments name a world, goals and tests; arms are worlds, changed or not, and policies; suites are tests
 * with their examples; cases are cycles. */
#ifndef CORRIDOR_SYSTEM_LAYER_H
#define CORRIDOR_SYSTEM_LAYER_H

#include <corridor/layer.h>

/* Its experiments are struct cor_system_experiment (system_experiment.h); their files have a member "system".
 */
extern const struct cor_layer cor_system_layer;

/* Suite `suite` of an arm whose world is a campaign, carried out, as the text of a test file
 * (docs/do/test-files.md), which is executed, too: *parts says where its rows are others, NULL: they are not.
 * Both are freed with free(). COR_STATUS_INPUT: the world is another, or no case was executed.
 */
struct cor_system_experiment;
enum cor_status cor_system_keep(const struct cor_system_experiment *experiment, uint32_t arm, uint32_t suite,
                                char **text, char **parts, struct cor_error *error) COR_MUST_USE;

#endif
