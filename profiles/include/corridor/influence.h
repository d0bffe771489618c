/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Influence functions (003, 4.1): how the state of an environment changes the state of an agent of some type,
 * f(relevant state, agent state) -> agent state, deterministic or by probabilistic rows. */
#ifndef CORRIDOR_INFLUENCE_H
#define CORRIDOR_INFLUENCE_H

#include <corridor/profile.h>

/* The influence of one profile on the agents of one type; freed with cor_influence_destroy. */
struct cor_influence {
    uint32_t environment_states; /* of the profile */
    uint32_t relevant_count;     /* relevant states: what of the environment matters to this type */
    uint32_t state_count;        /* agent states, 1 .. COR_PROFILE_STATES_MAX */
    char **relevant_names;       /* owned; relevant_count */
    char **state_names;          /* owned; state_count */
    uint8_t *relevant;           /* owned; [environment state] -> relevant state */
    uint8_t *next; /* owned; [relevant * state_count + agent state] -> agent state; probabilistic rows: the
                      likeliest */
    uint32_t *cumulative; /* owned; NULL if deterministic; [(relevant * state_count + from) * state_count +
                             to]: 32 random bits r lead to the first `to` with r < cumulative; rows end with
                             UINT32_MAX, which takes the rest (so the last state of positive probability also
                             gets r = UINT32_MAX) */
    double
        *level; /* owned; [agent state]: the value an agent tends to in that state, NaN = drawn per suite */
    double level_low, level_high; /* range of drawn levels */
    uint8_t initial;              /* agent state at the start, */
    double *initial_law;          /* owned; [agent state] or its probability; NULL: it is `initial` */
};

/* Reads the influence of `profile` on one agent type from a JSON object (docs/look-up/profiles.md,
 * "Influence"):
 *
 *     {"environment": "radiation",
 *      "relevant": {"dark": ["night"], "dim": ["low", ...]},
 *      "states": {"sure": 0.95, "poor": 0.4},
 *      "initial": "sure",
 *      "influence": {"dark": "sure", "dim": {"sure": "poor", "poor": {"poor": 0.9, "sure": 0.1}}}}
 *
 * "environment" is read by the model, and allowed here; so are "source" and "fit", objects for people.
 * Without "relevant" each environment state is relevant by itself; without "initial" the first state is, and
 * in its place may stand a law, {"sure": 0.8, "poor": 0.2}. In place of "states" with their levels, "level":
 * [0.2, 1.0] makes agent states of the relevant ones, with levels that are drawn; it excludes "influence". A
 * relevant state without a row in "influence" leaves the agent as it is, and so does one whose row has no
 * entry for the agent's state. */
enum cor_status cor_influence_from_json(const struct cor_json *json, const struct cor_profile *profile,
                                        struct cor_influence **influence,
                                        struct cor_error *error) COR_MUST_USE;

/* Relevant states that somebody else has read: of several profiles together, or by conditions. */
struct cor_relevant {
    const char *const *names; /* [relevant] */
    uint32_t count, environment_states;
    const uint8_t *relevant; /* [environment state] */
};

/* Reads the rest of the influence: what "relevant" says is given, and "environment" was read. */
enum cor_status cor_influence_of_relevant(const struct cor_json *json, const struct cor_relevant *given,
                                          struct cor_influence **influence,
                                          struct cor_error *error) COR_MUST_USE;

/* Frees it; NULL is allowed. */
void cor_influence_destroy(struct cor_influence *influence);

/* The agent state after `from` in a relevant state, by 32 random bits (which count only where `cumulative` is
 * there). */
static inline uint8_t cor_influence_next(const struct cor_influence *influence, uint32_t relevant,
                                         uint32_t from, uint32_t bits) {
    size_t row = (size_t)relevant * influence->state_count + from;
    if (!influence->cumulative)
        return influence->next[row];
    const uint32_t *cumulative = influence->cumulative + row * influence->state_count;
    uint32_t to = 0;
    while (bits >= cumulative[to] && cumulative[to] != UINT32_MAX)
        to++;
    return (uint8_t)to;
}

#endif
