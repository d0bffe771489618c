/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a campaign is told of stored suites of the interaction layer: sequences with a detection, and what was
 * seen of the environment profiles that are the same in all suites. Behind the functions of struct cor_layer.
 */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_COVERAGE_FOLLOW_H
#define CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_COVERAGE_FOLLOW_H

#include <corridor/layer.h>
#include <corridor/property.h>

enum cor_status interaction__follow_open(const void *interaction, void **follower,
                                         struct cor_error *error) COR_MUST_USE;
enum cor_status interaction__follow_suite(void *follower, uint32_t arm, struct cor_record *record,
                                          struct cor_detections *detections,
                                          struct cor_error *error) COR_MUST_USE;
void interaction__follow_coverage(const void *follower, uint32_t arm, double *states, double *transitions);
void interaction__follow_close(void *follower);

/* What a sequence says of a property (layer.h). */
enum cor_status interaction__follow_ask(struct cor_property *property, struct cor_record *record,
                                        uint32_t sequence, struct cor_property_value *value,
                                        struct cor_error *error) COR_MUST_USE;

#endif
