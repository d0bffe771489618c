/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Environment profiles (003, 4.1): first-order Markov chains over the named states of an environment. A
 * profile is a law; a chain is an instance of it that walks; a walk is what several chains did over a
 * sequence of cases. */
#ifndef CORRIDOR_PROFILE_H
#define CORRIDOR_PROFILE_H

#include <corridor/error.h>
#include <corridor/json.h>
#include <corridor/rng.h>

#include <stdint.h>

#define COR_PROFILE_STATES_MAX 64
#define COR_PROFILE_NAME_MAX 63    /* bytes of the name of a state */
#define COR_PROFILE_SUM_SLACK 1e-9 /* how far the sum of a row may be from 1 */
#define COR_PROFILE_POWER_MAX 16   /* of a random law: a smaller weight would be no number any more */
#define COR_PROFILE_VERSION 1      /* of profile files: "corridor_profile" */
#define COR_PROFILE_STATIONARY "stationary" /* where a state is named: the stationary law */
#define COR_PROFILE_SUM_REMEDY "probabilities sum to 1 (within 1e-9)"

/* One row of an alias table: Walker's method (1977) with Vose's construction (1991). A draw u of 32 bits
 * gives column c = (u * n) >> 32; its low half decides between c and alias[c]. */
struct cor_alias_cell {
    uint32_t threshold; /* keep the column while the fraction is below this ... */
    uint32_t alias;     /* ... else take this one: the column itself, where that is kept in any case */
};

/* A profile. Its law does not change once it is made; it may have several owners, see cor_profile_share. */
struct cor_profile {
    char *name; /* owned */
    uint32_t state_count;
    char **states;       /* owned; names, and a NULL behind the last */
    double *probability; /* owned; [from * state_count + to]; each row sums to 1 within 1e-9 */
    double *start;       /* owned; law of the first state */
    struct cor_alias_cell
        *alias;       /* owned; state_count + 1 rows of state_count cells; the last is for `start` */
    uint32_t sharers; /* owners besides the first */
};

/* A profile of `state_count` states (1 .. COR_PROFILE_STATES_MAX) with probabilities `probability` (copied,
 * rows as above) and first state drawn from `start`, or, when NULL, from the stationary law. `states` may be
 * NULL: s0, s1, ... COR_STATUS_INPUT if a row does not sum to 1 or holds a number outside 0 .. 1 (NaN too).
 */
enum cor_status cor_profile_create(const char *name, uint32_t state_count, const char *const *states,
                                   const double *probability, const double *start,
                                   struct cor_profile **profile, struct cor_error *error) COR_MUST_USE;

/* The profile itself, for one owner more, who destroys it, too; none of them changes it. */
struct cor_profile *cor_profile_share(struct cor_profile *profile);

/* The last owner's frees it and all it owns. NULL is allowed. */
void cor_profile_destroy(struct cor_profile *profile);
COR_DESTROYS(cor_profile, struct cor_profile)

/* Whether a state may be called that: 1 .. COR_PROFILE_NAME_MAX bytes and not "stationary". If not,
 * COR_STATUS_INPUT, and `remedy` (static text) says why. */
enum cor_status cor_profile_check_name(const char *name, const char **remedy) COR_MUST_USE;

/* Reads a profile file (docs/look-up/profiles.md is its schema), or a chain in a file of PRISM or Storm
 * (.tra, one module of one variable) or as cor_profile_csv() writes it. */
enum cor_status cor_profile_read(const char *path, struct cor_profile **profile,
                                 struct cor_error *error) COR_MUST_USE;

/* Reads a profile from a JSON object of the same schema; `name` is used where the object has none. */
enum cor_status cor_profile_from_json(const struct cor_json *json, const char *name,
                                      struct cor_profile **profile, struct cor_error *error) COR_MUST_USE;

/* A random profile law (skewed rows with a ring arc, so that every state is reachable). From each
 * state one arc to the next one (cyclically) of mass `ring`, and degree - 1 more arcs to distinct other
 * targets (itself included), degree uniform in ceil(degree_min * states) .. states; their weights u^power, u
 * uniform in (0, 1], scaled to 1 - ring. */
struct cor_profile_law {
    uint32_t states;   /* 2 .. COR_PROFILE_STATES_MAX */
    double degree_min; /* share of all states, 0 .. 1 */
    uint32_t power;    /* 0 = equal weights; 6 .. 8 reproduces the coverage of 003, Table 1; to
                          COR_PROFILE_POWER_MAX */
    double ring;       /* 0 .. 1 */
};

/* Draws a profile, state after state: its degree, then target and weight of each further arc (a state of
 * degree 1 goes on to the next one for certain). Only + - * / reach a probability. COR_STATUS_INPUT if the
 * law is out of its ranges. */
enum cor_status cor_profile_random(const struct cor_profile_law *law, const char *name, struct cor_rng *rng,
                                   struct cor_profile **profile, struct cor_error *error) COR_MUST_USE;

/* The stationary law into `law` (state_count numbers): solved from the recurrent classes. With several closed
 * classes it is the limit of the time averages from the first state of the profile. */
enum cor_status cor_profile_stationary(const struct cor_profile *profile, double *law,
                                       struct cor_error *error) COR_MUST_USE;

/* Number of transitions with positive probability. */
uint32_t cor_profile_arcs(const struct cor_profile *profile);

/* Index of the state called `name`, -1 if there is none. */
int cor_profile_state(const struct cor_profile *profile, const char *name);

/* What a user should know before trusting a profile; each a sentence in `text` (newline-separated; one that
 * does not fit is left out whole): states that cannot be reached from the start, absorbing states, closed
 * classes (the chain gets stuck there), periodicity. Returns the number of warnings, those left out included.
 */
uint32_t cor_profile_warnings(const struct cor_profile *profile, char *text, size_t size);

/* The profile as a table for people: states with their shares in the long run and in the first state, mean
 * stay, and the likeliest transitions; then the warnings. Freed with free(); NULL with `error` set when
 * memory is out. */
char *cor_profile_text(const struct cor_profile *profile, size_t width, struct cor_error *error);

/* The profile as a graph in Graphviz' dot language: states sized and labelled by their share in the long run,
 * arcs labelled by their probability, rare ones faded. Freed with free(); NULL with `error` set when memory
 * is out. */
char *cor_profile_dot(const struct cor_profile *profile, struct cor_error *error);

/* The profile as a heat map, also in dot's language: a table of the transitions' probabilities, from (rows)
 * to (columns), the states in their order, with their shares in the long run. Memory as above. */
char *cor_profile_heat_map(const struct cor_profile *profile, struct cor_error *error);

/* The profile as a discrete-time Markov chain in PRISM's language: one variable s, a label a state. The
 * labels are the states' names as PRISM allows them (letters, digits, _; made different where they would be
 * equal); a comment a state has the name itself. A chain whose first state is drawn begins in a state of its
 * own, from which the first step leads to the first state. Probabilities have as many digits as they need to
 * read back exactly. Rows sum to 1 within COR_PROFILE_SUM_SLACK, which PRISM takes (sumroundoff, 1e-5). Freed
 * with free(); NULL with `error` set when memory is out. */
char *cor_profile_prism(const struct cor_profile *profile, struct cor_error *error);

/* The transitions of positive probability as CSV: from, to, probability. An empty `from` is that of the first
 * state. Numbers and memory as above. */
char *cor_profile_csv(const struct cor_profile *profile, struct cor_error *error);

/* The profile as a profile file. Numbers and memory as above. */
char *cor_profile_file(const struct cor_profile *profile, struct cor_error *error);

/* The profile as a JSON document "corridor-profile-matrix": states, start, stationary, and probability, a
 * list a row. Numbers and memory as above. */
char *cor_profile_matrix(const struct cor_profile *profile, struct cor_error *error);

/* The state after `from`, drawn from 32 random bits; `from` == state_count draws the first state. */
static inline uint8_t cor_profile_next(const struct cor_profile *profile, uint32_t from, uint32_t bits) {
    uint64_t product = (uint64_t)bits * profile->state_count;
    uint32_t column = (uint32_t)(product >> 32);
    const struct cor_alias_cell *cell = &profile->alias[(size_t)from * profile->state_count + column];
    /* Chosen by arithmetic: which way it goes is random, so a branch would be mispredicted often. */
    const uint32_t kept = (uint32_t)product < cell->threshold;
    return (uint8_t)(cell->alias ^ ((cell->alias ^ column) & (0u - kept)));
}

#endif
