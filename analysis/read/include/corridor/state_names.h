/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of environments and their states, and where their walks begin, from the experiment in a result file.
 */
#ifndef CORRIDOR_STATE_NAMES_H
#define CORRIDOR_STATE_NAMES_H

#include <corridor/json.h>
#include <corridor/result.h>

#include <stdbool.h>

/* Where names are looked up; begins with cor_state_names_init. */
struct cor_state_names {
    const struct cor_result *result;    /* borrowed */
    struct cor_json_document *document; /* owned; the experiment; NULL if it cannot be read as JSON */
};

/* Reads the experiment of a result file, which must outlive the names; frees what was read. */
void cor_state_names_init(struct cor_state_names *names, const struct cor_result *result);
void cor_state_names_fini(struct cor_state_names *names);

/* Whether an environment's profile is given, so that its states mean the same in every suite. */
bool cor_is_profile_given(const struct cor_state_names *names, uint16_t environment);

/* Name of an environment, "?" if it has none. */
const char *cor_environment_name(const struct cor_state_names *names, uint16_t environment);

/* The law of the first state of an environment's profile into `start`, where the experiment says it; else
 * `start` ([states]) stays as it is: the profile is drawn, or starts in its stationary law. */
void cor_profile_start(const struct cor_state_names *names, uint16_t environment, uint32_t states,
                       double *start);

#define COR_STATE_NAME 80 /* bytes of the name of a state */

/* Name of a state: the profile's, or "state 3". */
void cor_state_name(const struct cor_state_names *names, uint16_t environment, uint32_t state,
                    char text[COR_STATE_NAME]);

#endif
