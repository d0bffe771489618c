/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a test agent chooses among the actions that a tactic offers: at random, in order, the least done one in
 * this abstract state (scriptless exploration as TESTAR does it), by a table of learnt values (Q), or as a
 * program says. */
#ifndef CORRIDOR_POLICIES_H
#define CORRIDOR_POLICIES_H

#include <corridor/beliefs.h>
#include <corridor/efsm_terms.h>
#include <corridor/json.h>
#include <corridor/rng.h>

struct cor_policy;
struct cor_traffic;

/* Of a policy that is a program. */
struct cor_policy_setting {
    struct cor_traffic *traffic; /* borrowed; records it, or replays in its place; NULL: neither */
    bool is_free;                /* no walls are raised around it (walls.h), */
    bool is_full;                /* or all of them, else it is not started */
};

/* `policy` as the file writes it; NULL: "in order".
 *
 *   "in order"               the first
 *   "random"                 each alike
 *   "least_done"             one that was done the least often in this abstract state, each of these alike
 *   "q.json"                 the one that the table values most, the first of these; a path beside the file,
 *                            or the object that stands there
 *   {"least_done": {"by": [..]}}
 *   {"q": {"rate": 0.1, "discount": 0.95, "explore": 0.1, "reward": R, "by": [..], "table": "q.json"}}
 *                            learns; all may be left out, a table to go on from, too
 *   {"program": "./choose"}  a program is asked (docs/look-up/system.md): command for sh; "answer_seconds":
 * 10, "reward": R
 *
 * A reward R is "solved" (the default), 1 when the goal is solved; "new state": 1 besides for a state of
 * which neither the table that was given nor a turn since knows anything; a condition, parsed in `scope`:
 * besides discount * N' - N for each choice, N being 1 / (1 + cor_expression_degree_in) before it, N' behind
 * it and 0 at the end (Ng, Harada, Russell 1999); the discount of a program is 1.
 *
 * The abstract state is that of the beliefs (cor_beliefs_abstract_state), with all values, numbers and the
 * place too, of the entities that "by" lists. COR_STATUS_INPUT, with place and remedy: none of these, a table
 * or a reward that is none. COR_STATUS_PLUGIN: the program cannot be started. `setting` NULL: walls as usual.
 */
enum cor_status cor_policy_create(const struct cor_world_declaration *declaration,
                                  const struct cor_scope *scope, const struct cor_json *policy,
                                  const struct cor_policy_setting *setting, struct cor_policy **made,
                                  struct cor_error *error) COR_MUST_USE;
void cor_policy_destroy(struct cor_policy *policy); /* NULL is allowed */
COR_DESTROYS(cor_policy, struct cor_policy)
void cor_policy_restart(
    struct cor_policy *policy); /* before each run: counts are forgotten, learnt values stay */
/* What was learnt since it was made is forgotten, too: what it does then depends on no run before. */
enum cor_status cor_policy_forget(struct cor_policy *policy, struct cor_error *error) COR_MUST_USE;

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

/* What a turn is worth by the policy's reward, 0 for one that is told none (neither learns nor is a program):
 * `after` is what is believed behind it; `is_end`: nothing comes after. Once behind each turn. */
enum cor_status cor_policy_reward(struct cor_policy *policy, const struct cor_beliefs *after, bool is_solved,
                                  bool is_end, double *reward, struct cor_error *error) COR_MUST_USE;

/* The reward of a turn since the last pick, for learning. */
void cor_policy_learn(struct cor_policy *policy, double reward, bool is_end);

/* Does it learn from what cor_policy_learn says? */
bool cor_policy_learns(const struct cor_policy *policy);

/* The trained table as JSON. COR_STATUS_INPUT: the policy has none. */
enum cor_status cor_policy_write(const struct cor_policy *policy, struct cor_json_writer *writer,
                                 struct cor_error *error) COR_MUST_USE;

#endif
