/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of environments and their states, from the experiment in the result file. */
#ifndef CORRIDOR_TREE_WORDS_H
#define CORRIDOR_TREE_WORDS_H

#include <corridor/json.h>
#include <corridor/result.h>

struct cor__words {
    const struct cor_result *result;    /* borrowed */
    struct cor_json_document *document; /* owned; the experiment; NULL if it cannot be read as JSON */
};

void cor__words_init(struct cor__words *words, const struct cor_result *result);
void cor__words_fini(struct cor__words *words);

/* Whether an environment's profile is given, so that its states mean the same in every suite. */
bool cor__words_given(const struct cor__words *words, uint16_t environment);

/* Name of an environment, "?" if it has none. */
const char *cor__words_environment(const struct cor__words *words, uint16_t environment);

#define COR__WORD 80 /* bytes of the name of a state */

/* Name of a state: the profile's, or "state 3". */
void cor__words_state(const struct cor__words *words, uint16_t environment, uint32_t state,
                      char text[COR__WORD]);

#endif
