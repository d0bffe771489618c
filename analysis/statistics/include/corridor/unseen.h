/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was not seen yet: n independent draws from an unknown law over classes (states, violations, structures
 * ...) were counted. f1 classes occurred once, f2 twice. Draws along a Markov chain are not independent: take
 * one a sequence, or read the figures as rough. */
#ifndef CORRIDOR_UNSEEN_H
#define CORRIDOR_UNSEEN_H

#include <stddef.h>
#include <stdint.h>

/* All that the estimates below need of a sample. */
struct cor_unseen_counts {
    uint64_t draws, classes, once, twice; /* n, classes seen, f1, f2 */
};

/* From the number of occurrences of each class; zeros are classes not seen. */
struct cor_unseen_counts cor_unseen_count(const uint64_t *occurrences, size_t class_count);

/* Chance that the next draw is a new class, as Good and Turing estimate it (Good, Biometrika 40, 1953): f1 /
 * n, NaN for n = 0. With f1 = 0 it is 0, which means small, not nothing. */
double cor_missing_mass(const struct cor_unseen_counts *counts);

/* At least so many classes exist: Chao's lower bound (Scand. J. Stat. 11, 1984), seen + (n - 1) / n f1^2 / (2
 * f2), or with f1 (f1 - 1) / 2 where f2 = 0; the factor (n - 1) / n as in Chao et al., Ecol. Monogr. 84,
 * 2014, appendix. NaN for n = 0. */
double cor_chao(const struct cor_unseen_counts *counts);

#endif
