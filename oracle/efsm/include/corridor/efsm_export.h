/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model and a goal in the languages of other checkers, so that these can be asked the same. */
#ifndef CORRIDOR_EFSM_EXPORT_H
#define CORRIDOR_EFSM_EXPORT_H

#include <corridor/efsm.h>

/* Of spin (one process, an assertion that the goal is not covered) and of UPPAAL (flat-1_2, a query E<>). */
enum cor_efsm_language { COR_EFSM_PROMELA, COR_EFSM_UPPAAL };

#define COR_EFSM_EXPORT_MAX 1073741823 /* what all values must stay within: they reckon with 32 bits */

/* The model as a file of that language; with `goal`, which may be NULL, its traps are variables that stay
 * true. A state of the file is a state of the model, and which traps are covered. A model's resets are left
 * out. *text is freed with free(). COR_STATUS_INPUT: a value can leave COR_EFSM_EXPORT_MAX. */
enum cor_status cor_efsm_export(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                enum cor_efsm_language language, char **text,
                                struct cor_error *error) COR_MUST_USE;

#endif
