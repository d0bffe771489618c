/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Structures that are observed, not adopted: agents (processes of a distributed program) that show attributes
 * and tell channels, event after event, beside a corridor's text ("structure observed").
 *
 *   structure observed
 *   attribute role: words follower, candidate, leader
 *   channel applied                     what stands at an index of it, as a digest: the same for all agents
 *   history store: register by key      calls on a shared object, and what came back
 *   invariant atomic: linearizable(store)
 *   invariant agreed: agree(applied)    all agents tell the same digest of an index that they share, for ever
 *
 * Invariants are judged after every event, formulas of time at the end of every case. In a formula stand
 * constraints by name (violated if it was after any event of the case), `inside` (all invariants held after
 * every event of the case) and what the case is beside: `stable` - no fault happened in it, no agent is down,
 * no link is cut. Of invariants only those are asked again of which an attribute was changed, and of those
 * that begin with all(a in agents: ..) only what the agent has to do with that changed. */
#ifndef CORRIDOR_OBSERVED_H
#define CORRIDOR_OBSERVED_H

#include <corridor/corridor.h>

/* What is seen of a run, as far as it went. */
struct cor_observed;

/* For runs of that many agents; of at most 64 where attributes are sets. The corridor, which has the kind
 * COR_STRUCTURE_OBSERVED, is borrowed; parameters: [parameter of the corridor]; copied. COR_STATUS_INPUT: a
 * formula of time that cannot be read, too many agents. */
enum cor_status cor_observed_create(const struct cor_corridor *corridor, uint32_t agent_count,
                                    const struct cor_value *parameters, struct cor_observed **observed,
                                    struct cor_error *error) COR_MUST_USE;
void cor_observed_destroy(struct cor_observed *observed); /* NULL is allowed */

/* Watches these constraints alone, [constraint]: the others are never violated, and are judged only if a
 * formula of time that is watched may name them. Before the first event of the first run. */
void cor_observed_watch(struct cor_observed *observed, const bool *watched);

/* Before the first event of a run: no agent has shown anything yet. */
enum cor_status cor_observed_restart(struct cor_observed *observed, struct cor_error *error) COR_MUST_USE;

/* In an event an agent shows a value of an attribute of the corridor, by its number there, of which it was
 * declared (`at`); costs next to nothing if it is the same. Words by their number in the corridor's words,
 * sets as an integer whose bit p is agent p; null: it is not known. A value that the declaration excludes is
 * an error of the event. */
void cor_observed_show(struct cor_observed *observed, uint32_t agent, uint32_t attribute,
                       struct cor_value value);

/* In an event an agent tells what stands at an index of a channel of the corridor. */
enum cor_status cor_observed_tell(struct cor_observed *observed, uint32_t agent, uint32_t channel,
                                  uint64_t index, uint64_t digest, struct cor_error *error) COR_MUST_USE;

/* With the event that goes on or begins, an agent is there, or is not any more: nobody speaks of it, and what
 * it shows when it comes back is not compared with what it showed before. All are there at the start of a
 * run. */
void cor_observed_attend(struct cor_observed *observed, uint32_t agent, bool is_there);

/* In an event an agent calls an operation on the object of a history, by a number of its own that no other
 * open call of it has; key and value as JSON says them, NULL: none. Then it returns a value, NULL: none, or
 * `failed`: it surely did nothing. What the object excludes is an error of the event. A call on what is no
 * history of the corridor (COR_NONE) is told where the corridor has one: its answer names no channel. */
enum cor_status cor_observed_call(struct cor_observed *observed, uint32_t agent, uint32_t history,
                                  uint64_t ticket, const char *operation, const char *key, const char *value,
                                  struct cor_error *error) COR_MUST_USE;
enum cor_status cor_observed_answer(struct cor_observed *observed, uint32_t agent, uint64_t ticket,
                                    const char *value, bool failed, struct cor_error *error) COR_MUST_USE;

/* In an event at that tick the agent crashes, or has left: its open calls are unknown from now on. Who is
 * there is down: it counts by what it showed last, and its `up` is false. Then it is up again, as all are at
 * the start of a run. */
enum cor_status cor_observed_lost(struct cor_observed *observed, uint32_t agent, uint64_t tick,
                                  struct cor_error *error) COR_MUST_USE;
void cor_observed_up(struct cor_observed *observed, uint32_t agent);

/* The calls that a constraint about a history is about, so far; of what is linearizable *verdict says where
 * no order was left. NULL: it is about none. Valid until the next event. */
struct cor_history;
struct cor_history_verdict;
struct cor_history *cor_observed_history(const struct cor_observed *observed, uint32_t constraint,
                                         struct cor_history_verdict *verdict);

/* The event is over: invariants are judged. *violated: number of the first one that is, COR_NONE: none is.
 * COR_STATUS_INPUT: an agent showed what the corridor's declaration of the attribute excludes. */
enum cor_status cor_observed_event(struct cor_observed *observed, uint32_t *violated,
                                   struct cor_error *error) COR_MUST_USE;

/* The agent that showed what the declaration excludes, in this run; COR_NONE: none did. */
uint32_t cor_observed_excluded(const struct cor_observed *observed);

/* The case is over: formulas of time take it as a state. *violated: the first that is fixed as violated. */
enum cor_status cor_observed_case(struct cor_observed *observed, bool stable, uint32_t *violated,
                                  struct cor_error *error) COR_MUST_USE;

/* The verdict of constraint c: of an invariant over all events so far, of a formula if the run is stopped
 * here (cor_temporal_so_far). An invariant is violated if it was after any event, else unknown if it was
 * after any: so before the first event of a run all agents should have shown what they show. What looks back
 * (@before) is not asked of the first event, which has none before it. */
enum cor_truth cor_observed_verdict(const struct cor_observed *observed, uint32_t constraint);

/* The truth of an invariant that is watched after the last event alone, and how far its condition was from
 * holding there (cor_expression_degree_in); it is not agree(). */
enum cor_truth cor_observed_truth(const struct cor_observed *observed, uint32_t constraint);
uint64_t cor_observed_degree(const struct cor_observed *observed, uint32_t constraint);

/* Can what comes no longer change that verdict? An invariant that is violated stays so; a formula of time may
 * be fixed as violated, or as one that holds. */
bool cor_observed_is_fixed(const struct cor_observed *observed, uint32_t constraint);

/* Could the run have violated constraint c at all? Where the text says what puts it to the test: that came
 * behind the first event. Else, of an invariant: something that it reads has changed since the first event,
 * or it reads nothing, or it is of counters of what goes wrong - all its attributes are to be 0 - and
 * anything else that the text declares has changed; of agree(): two agents told of its channel, or one told
 * an index twice. Formulas of time always could: they hang on cases. */
bool cor_observed_is_tested(const struct cor_observed *observed, uint32_t constraint);

/* Why an invariant is violated after the last event: agents by the variables of the text, and a sentence with
 * the values; of agree() the two agents, the index and the two digests. */
void cor_observed_explain(struct cor_observed *observed, uint32_t constraint, struct cor_breaches *breaches);
void cor_observed_sentence(struct cor_observed *observed, uint32_t constraint, char *text, size_t size);

#endif
