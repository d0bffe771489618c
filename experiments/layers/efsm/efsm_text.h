/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of models as users read them. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_EFSM_EFSM_TEXT_H
#define CORRIDOR_EXPERIMENTS_LAYERS_EFSM_EFSM_TEXT_H

#include <corridor/efsm.h>

/* "NAME(ARGUMENTS)", or the name alone where it takes none; frees the arguments, NULL if they are NULL. Freed
 * with free(), NULL when memory is out, as all here. */
char *cor_call_text_take(const char *name, bool takes_arguments, char *arguments);

/* "AK(1)": an input label with its parameters; `values` NULL: without. */
char *cor_efsm_input_text(const struct cor_efsm *model, uint32_t label, const int64_t *values);

/* "number = 1, counter = 0": the state variables. */
char *cor_efsm_state_text(const struct cor_efsm *model, const int64_t *values);

/* "DT(1, 0); Timer.start": what the system says when it takes the transition. */
char *cor_efsm_answer_text(const struct cor_efsm *model, uint32_t transition, const int64_t *values);

#endif
