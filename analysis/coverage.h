/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much of the environment profiles the walks of a sequence cover. */
#ifndef CORRIDOR_ANALYSIS_COVERAGE_H
#define CORRIDOR_ANALYSIS_COVERAGE_H

#include <corridor/result.h>

/* A profile of the present suite. */
struct cor__profile {
    uint32_t states, arcs; /* arcs: transitions of positive probability, as table profiles says */
    uint32_t listed;       /* the same, as table transitions has them */
    size_t start;          /* of its states x states marks */
};

/* What the chains of a sequence cover on average; NaN without chains. */
struct cor__coverage {
    double states, arcs;                 /* of the profiles */
    double state_coverage, arc_coverage; /* per cent, over the generated walk with its initial state */
    uint64_t steps_outside;              /* steps that the profile gives no probability */
};

/* The profiles and chains of one suite at a time, and a window on the vector of walks. */
struct cor__environment {
    struct cor__profile *profile; /* owned */
    size_t profile_count, profile_capacity;
    uint16_t *chain; /* owned; the profile of each chain */
    size_t chain_count, chain_capacity;
    uint32_t *mark; /* owned; for each transition of each profile: the chain that last took it */
    size_t mark_count, mark_capacity;
    uint32_t stamp;            /* of the last chain */
    struct cor_result *result; /* borrowed */
    uint8_t *window;           /* owned; part of the vector of walks */
    uint64_t window_start;
    size_t window_size;
};

enum cor_status cor__environment_init(struct cor__environment *environment, struct cor_result *result,
                                      struct cor_error *error) COR_MUST_USE;
void cor__environment_fini(struct cor__environment *environment);

/* Forgets the suite. Then put its profiles (in order), their transitions, its chains (in order). */
void cor__environment_clear(struct cor__environment *environment);
enum cor_status cor__environment_put_profile(struct cor__environment *environment,
                                             const struct cor_profile_row *row,
                                             struct cor_error *error) COR_MUST_USE;
enum cor_status cor__environment_put_transition(struct cor__environment *environment,
                                                const struct cor_transition_row *row,
                                                struct cor_error *error) COR_MUST_USE;
enum cor_status cor__environment_put_chain(struct cor__environment *environment,
                                           const struct cor_chain_row *row,
                                           struct cor_error *error) COR_MUST_USE;

/* Bytes of the walks from `position` on: at least one and at most `wanted`, valid until the next look. */
enum cor_status cor__environment_look(struct cor__environment *environment, uint64_t position,
                                      uint64_t wanted, const uint8_t **bytes, size_t *count,
                                      struct cor_error *error) COR_MUST_USE;

/* Walks all chains of a sequence. */
enum cor_status cor__environment_cover(struct cor__environment *environment,
                                       const struct cor_sequence_row *row, struct cor__coverage *coverage,
                                       struct cor_error *error) COR_MUST_USE;

#endif
