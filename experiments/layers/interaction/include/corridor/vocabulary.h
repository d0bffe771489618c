/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What conditions over an experiment may speak of: its environments, the relevant states of its types of
 * agents and, of an arm, parameters and reactions. */
#ifndef CORRIDOR_VOCABULARY_H
#define CORRIDOR_VOCABULARY_H

#include <corridor/case_condition.h>
#include <corridor/experiment.h>

/* `arm` may be NULL: environments alone. Parameters are those of the arm's laws, which are finished. Borrows
 * from both. */
enum cor_status cor_model_vocabulary(const struct cor_test_model *model, const struct cor_arm *arm,
                                     struct cor_vocabulary **vocabulary,
                                     struct cor_error *error) COR_MUST_USE;

#endif
