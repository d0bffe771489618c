/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a test agent believes (paper 001: Belief-Desire-Intent): all that it was shown, by entity, as columns
 * that conditions read. A view is merged into it; what the view does not name stays as it was seen last. Cost
 * of a merge: what changed, not what is known.
 *
 * Conditions read properties by their names, and of each entity besides
 *
 *   e.in          what it is in (a reference; only of types that are in something); PARENT.TYPE, the other
 *                 way round: the entities of that type in it
 *   e.unseen      0 if it was seen in this cycle, else 1
 *   e.seen_at     the cycle in which it was seen last (while it is seen: since when)
 *   e.changed_at  the cycle in which a property of it was seen changed
 *   e.tried       how often the test agent acted on it
 *
 * and by definitions sees(e), age(e), changed(e), tried(e), distance(a, b) (cells, 4 ways, walls left aside;
 * 1,000,000 for each floor between them). A collection is called as its type: any(b in button: not b.on). An
 * entity is called by its identity: b1.on; in square brackets if that is no name. `cycle` is the number of
 * the cycle, `reward` what the test agent got so far. What was not seen yet, or is gone, is in no collection,
 * and its properties are unknown. e.p@before is the value in the cycle before. */
#ifndef CORRIDOR_BELIEFS_H
#define CORRIDOR_BELIEFS_H

#include <corridor/live_world.h>

/* What conditions about a world can name: made once from the declaration, shared by all test agents. */
struct cor_world_vocabulary;

/* Made of a declaration, which is borrowed; its entities are mentioned. COR_STATUS_INPUT: a type or a
 * property is called as what conditions call otherwise. */
enum cor_status cor_world_vocabulary_create(const struct cor_world_declaration *declaration,
                                            struct cor_world_vocabulary **vocabulary,
                                            struct cor_error *error) COR_MUST_USE;
void cor_world_vocabulary_destroy(struct cor_world_vocabulary *vocabulary); /* NULL is allowed */
COR_DESTROYS(cor_world_vocabulary, struct cor_world_vocabulary)

/* The entity of that identity can be named from now on, before beliefs are made of the vocabulary. A type of
 * COR_NONE: that of the declared entity. Naming it twice is once. COR_STATUS_INPUT: not declared and no type
 * given (a did-you-mean), or given another type before. */
enum cor_status cor_world_vocabulary_mention(struct cor_world_vocabulary *vocabulary, const char *identity,
                                             uint32_t type, struct cor_error *error) COR_MUST_USE;

/* A name that stands for an entity that was mentioned, or for what another such name stands for (a parameter
 * of a goal): until it is taken back. COR_STATUS_INPUT: there is no such entity, or one is called as the name
 * is. */
enum cor_status cor_world_vocabulary_alias(struct cor_world_vocabulary *vocabulary, const char *name,
                                           const char *identity, struct cor_error *error) COR_MUST_USE;
void cor_world_vocabulary_forget_aliases(struct cor_world_vocabulary *vocabulary);

/* A name that conditions may use for a text, "4": a parameter of a test. COR_STATUS_INPUT: the name means
 * something already, or is none. Both are copied. */
enum cor_status cor_world_vocabulary_define(struct cor_world_vocabulary *vocabulary, const char *name,
                                            const char *text, struct cor_error *error) COR_MUST_USE;

/* The scope by which conditions are parsed (cor_expression_parse_condition, _value). */
const struct cor_scope *cor_world_vocabulary_scope(const struct cor_world_vocabulary *vocabulary);

/* The beliefs of one test agent. */
struct cor_beliefs;

/* Nothing is believed. The vocabulary is borrowed and mentions nothing new from now on. */
enum cor_status cor_beliefs_create(const struct cor_world_vocabulary *vocabulary,
                                   struct cor_beliefs **beliefs, struct cor_error *error) COR_MUST_USE;
void cor_beliefs_destroy(struct cor_beliefs *beliefs); /* NULL is allowed */
COR_DESTROYS(cor_beliefs, struct cor_beliefs)
void cor_beliefs_clear(struct cor_beliefs *beliefs);   /* back to nothing; memory stays */

/* The next cycle begins with this view: what was is now "before", `cycle` is one more. COR_STATUS_INPUT: the
 * view is none of the declaration's (an unknown type, a property that the type has not, a value of another
 * domain, a tick that goes back, an entity that changed its type, more than COR_WORLD_ENTITIES_MAX): the
 * world is at fault, and the beliefs are as before. */
enum cor_status cor_beliefs_merge(struct cor_beliefs *beliefs, const struct cor_world_view *view,
                                  struct cor_error *error) COR_MUST_USE;

/* The test agent acted on that entity (for `tried`), and has got so much reward. */
void cor_beliefs_note_tried(struct cor_beliefs *beliefs, uint32_t identity);
void cor_beliefs_note_reward(struct cor_beliefs *beliefs, double reward);

/* A view of another test agent, taken over where it is newer than what is believed (by tick): an older one
 * changes nothing. What is told is not seen: `unseen` stays, `seen_at` is this cycle. */
enum cor_status cor_beliefs_adopt(struct cor_beliefs *beliefs, const struct cor_world_view *view,
                                  struct cor_error *error) COR_MUST_USE;

/* For cor_expression_ask, _reckon, _degree_in and _explain: values of the symbols (cycle, reward), and the
 * columns. Both until the next merge. */
const struct cor_value *cor_beliefs_values(const struct cor_beliefs *beliefs);
const struct cor_world *cor_beliefs_world(const struct cor_beliefs *beliefs);

uint64_t cor_beliefs_cycle(const struct cor_beliefs *beliefs); /* 0: nothing was merged yet */

/* Where an entity is. */
struct cor_believed {
    uint32_t type, element; /* index among those of the type, as in struct cor_world and in bindings */
};

/* An entity by its identity. False, and COR_NONE: it was never mentioned, seen, or referred to. */
bool cor_beliefs_find(const struct cor_beliefs *beliefs, uint32_t identity, struct cor_believed *believed);
uint32_t cor_beliefs_identity(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element);
uint32_t cor_beliefs_count(const struct cor_beliefs *beliefs, uint32_t type); /* elements, absent ones too */
bool cor_beliefs_is_there(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element);
bool cor_beliefs_place(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element, uint32_t cell[3]);
/* Was it seen by the view that was merged last? */
bool cor_beliefs_sees(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element);
/* The cycle in which it was seen last; 0: never. */
uint64_t cor_beliefs_seen_at(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element);
/* What it is in; false: nothing, or it is not there. */
bool cor_beliefs_parent(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element,
                        struct cor_believed *parent);
/* The scope of the vocabulary, in which sentences call entities by their identities as these beliefs know
 * them; as long as both live. */
struct cor_scope cor_beliefs_scope(const struct cor_beliefs *beliefs);
/* The value of a property; null: unknown. */
struct cor_value cor_beliefs_value(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element,
                                   uint32_t property);

/* A row of the history of an entity: the cycle from which on a value held (paper 001 keeps n older states).
 */
struct cor_belief_change {
    uint64_t cycle;
    uint32_t property;
    struct cor_value value;
};

/* The latest of an entity's rows, newest first: at most `most`. How many there are: 8 are kept. */
uint32_t cor_beliefs_history(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element,
                             struct cor_belief_change *changes, uint32_t most);

/* A number for what is believed of these types' properties, equal for equal beliefs: an abstract state for
 * policies. Identities, types and values of truth and words count, numbers and places do not. */
uint64_t cor_beliefs_abstract_state(const struct cor_beliefs *beliefs);

/* ---- A world as it might be: what is believed, but for some properties of truth, for conditions that are
 * asked of it (what would hold if that door were open) */

struct cor_hypothesis;

/* A hypothesis about beliefs, which are borrowed. */
enum cor_status cor_hypothesis_create(const struct cor_beliefs *beliefs, struct cor_hypothesis **hypothesis,
                                      struct cor_error *error) COR_MUST_USE;
void cor_hypothesis_destroy(struct cor_hypothesis *hypothesis); /* NULL is allowed */
COR_DESTROYS(cor_hypothesis, struct cor_hypothesis)

/* All is as it is believed now. To be called after a merge, before anything else. */
enum cor_status cor_hypothesis_begin(struct cor_hypothesis *hypothesis, struct cor_error *error) COR_MUST_USE;

/* A property of truth would be that; null: unknown. Until the next begin, or until it is put again. */
void cor_hypothesis_put(struct cor_hypothesis *hypothesis, uint32_t type, uint32_t element, uint32_t property,
                        struct cor_value value);

/* For cor_expression_ask, with cor_beliefs_values. */
const struct cor_world *cor_hypothesis_world(const struct cor_hypothesis *hypothesis);

#endif
