/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How likely the environment of failing sequences is, up to their failing case: found under ordinary weather,
 * or in weather that comes once in ten times. By the profiles that the file has; of walks that a steered arm
 * or a search made, too: how likely the profiles would have gone so. */
#ifndef CORRIDOR_FAILING_ENVIRONMENT_H
#define CORRIDOR_FAILING_ENVIRONMENT_H

#include <corridor/failing.h>
#include <corridor/likelihood.h>

/* An environment that at least this share of walks is no likelier than is ordinary. */
#define COR_ORDINARY_SHARE 0.1

/* The likelihood of each failing sequence of the list: likelihood[i] of items[i], of the cases up to that of
 * its key. The first states of chains are given. Draws are named by the campaign's seed, arm, suite, sequence
 * and case, so the same file gives the same figures. COR_STATUS_INPUT for a damaged file. */
enum cor_status cor_failing_environment(struct cor_result *result, const struct cor_failing_list *list,
                                        struct cor_likelihood *likelihood,
                                        struct cor_error *error) COR_MUST_USE;

#define COR_RARITY_TEXT 24
/* "ordinary", "1 in 40", "never" (the profiles do not go so), written into `text`, which it returns. */
const char *cor_rarity_text(const struct cor_likelihood *likelihood, char text[COR_RARITY_TEXT]);

#endif
