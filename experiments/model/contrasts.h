/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contrasts: which arms of an experiment are to be compared. Running takes no notice of them; the text of the
 * experiment carries them into the result file, where `analysis` reads them. */
#ifndef CORRIDOR_MODEL_CONTRASTS_H
#define CORRIDOR_MODEL_CONTRASTS_H

#include <corridor/experiment.h>

/* Checks the member "contrasts" of the experiment, if there is one; its arms have been read. Errors:
 * COR_STATUS_INPUT with the place, COR_STATUS_MEMORY. */
enum cor_status cor__contrasts_check(const struct cor_experiment *experiment,
                                     struct cor_error *error) COR_MUST_USE;

#endif
