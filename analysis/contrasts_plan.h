/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which arms the experiment of a result wants compared. */
#ifndef CORRIDOR_ANALYSIS_CONTRASTS_PLAN_H
#define CORRIDOR_ANALYSIS_CONTRASTS_PLAN_H

#include "observations.h"

/* Reads name, mode and contrasts of the experiment into `contrasts`, pairs of one name together, and adds
 * gray box against black box for each arm that is compared. Sides have arm and box, nothing else; wanted arms
 * are marked. COR_STATUS_INPUT if the text has no contrasts, or none that the catalog fits. */
enum cor_status cor__contrasts_plan(const struct cor_result_header *head, struct cor_contrasts *contrasts,
                                    struct cor__observed_arm *arms, size_t arm_count,
                                    struct cor_error *error) COR_MUST_USE;

#endif
