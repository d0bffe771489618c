/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How likely walks of Markov chains are, and how likely among all walks that begin where they do: the
 * environment of a test is ordinary, or it is one of the rare ones. Given the first states; what is said of
 * a probability P is its surprise, -log2 P, in bits (Cover and Thomas, Elements of Information Theory, 4.2:
 * a long walk has about the entropy rate of its chain a step). */
#ifndef CORRIDOR_LIKELIHOOD_H
#define CORRIDOR_LIKELIHOOD_H

#include <corridor/error.h>
#include <corridor/rng.h>

#define COR_LIKELIHOOD_DRAWS 999 /* walks drawn at most, with which the one that was seen is counted */
#define COR_LIKELIHOOD_HITS 10   /* of them that are as rare, which are enough */

/* A chain and the walk it went; all borrowed. */
struct cor_chain_walk {
    uint32_t states;
    const double *transition; /* [from * states + to]: probability; rows sum to 1 but for rounding */
    const uint8_t *walk;      /* [0 .. steps], each below `states` */
};

struct cor_likelihood {
    double bits;       /* -log2 of the probability of the walks; infinite: the chains never go so */
    double usual_bits; /* the mean of it over all walks from the same first states */
    double rarer; /* share of such walks that are no likelier, in (0, 1], by walks drawn; 0: infinite bits */
};

/* The likelihood of walks of `steps` steps that chains went beside each other, each for itself; laws are told
 * apart by their address. `rng` is
 * taken on. COR_STATUS_MEMORY. */
enum cor_status cor_walks_likelihood(const struct cor_chain_walk *chains, size_t chain_count, uint32_t steps,
                                     struct cor_rng *rng, struct cor_likelihood *likelihood,
                                     struct cor_error *error) COR_MUST_USE;

/* -log2 of the probability of one step, in bits, and the mean of that over all steps from this state. */
double cor_step_bits(double probability);
double cor_step_usual_bits(const double *row, uint32_t states);

#endif
