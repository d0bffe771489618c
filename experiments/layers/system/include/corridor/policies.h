/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a test agent chooses among the actions that a tactic offers: at random, in order, the least done one in
 * this abstract state (scriptless exploration as TESTAR does it), by a table of learnt values (Q), or as a
 * program says. */
#ifndef CORRIDOR_POLICIES_H
#define CORRIDOR_POLICIES_H

#include <corridor/beliefs.h>
#include <corridor/json.h>
#include <corridor/rng.h>
#include <corridor/terms.h>

struct cor_policy;

/* `policy` as the file writes it: "random", "in order", "least_done", the path of a trained table, or
 * {"program": ..}; NULL: in order. */
enum cor_status cor_policy_create(const struct cor_world_declaration *declaration,
                                  const struct cor_json *policy, struct cor_policy **made,
                                  struct cor_error *error) COR_MUST_USE;
void cor_policy_destroy(struct cor_policy *policy); /* NULL is allowed */
void cor_policy_restart(
    struct cor_policy *policy); /* before each run: counts are forgotten, learnt values stay */

/* The number of one of the `count` (at least 1) commands. What a program does wrong is `trouble`, a verdict
 * of the test: then the first is picked, and cor_policy_words says what was wrong; the next pick begins it
 * anew.
 */
enum cor_status cor_policy_pick(struct cor_policy *policy, const struct cor_beliefs *beliefs,
                                const struct cor_world_command *commands, uint32_t count, struct cor_rng *rng,
                                uint32_t *picked, enum cor_system_trouble *trouble,
                                struct cor_error *error) COR_MUST_USE;

/* What a program did wrong last; "" = nothing. */
const char *cor_policy_words(const struct cor_policy *policy);

/* What came of the last pick: for learning and counts. */
enum cor_status cor_policy_learn(struct cor_policy *policy, const struct cor_beliefs *after, double reward,
                                 bool is_end, struct cor_error *error) COR_MUST_USE;

/* The trained table as JSON. COR_STATUS_INPUT: the policy has none. */
enum cor_status cor_policy_write(const struct cor_policy *policy, struct cor_json_writer *writer,
                                 struct cor_error *error) COR_MUST_USE;

#endif
