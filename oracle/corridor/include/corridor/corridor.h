/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The corridor of correct behaviour as a text (003, 4.1): which kind of structure the agents have, what they
 * and the structure must keep to. docs/look-up/corridor-language.md has the language for users.
 *
 *   structure partitioning | covering | overlapping | hierarchy | tree | observed
 *   attribute NAME: real | integer [LOW .. HIGH] [[UNIT]]
 *   attribute NAME: words WORD, .. | boolean
 *   attribute NAME of organizations: ..
 *   attribute NAME: agents           of what is observed: a set of agents, the collection a.NAME
 *   channel NAME                     of what is observed: what stands at its indices, told by agents
 *   history NAME: OBJECT [by key]    of what is observed: calls on a shared object, and their answers
 *   invariant NAME: linearizable(HISTORY), sequential(HISTORY)   they were possible (history.h)
 *   invariant NAME: agree(CHANNEL)   all agents tell the same of an index, now and for ever
 *   parameter NAME, ..               or with a type, as an attribute
 *   define NAME(PARAMETER, ..): EXPRESSION
 *   invariant NAME: CONDITION
 *   trigger NAME: CONDITION          an invariant that the system watches
 *   trigger NAME for N [each]        of a constraint above: once it is violated in N cases on end, by one
 *                                    and the same organization; once of each constraint
 *   temporal NAME: FORMULA           kept as a text
 *   tested NAME: CONDITION           of what is observed: what puts the invariant above to the test
 *   tested NAME by ATTRIBUTE         likewise: that it changes
 *   objective NAME: EXPRESSION       a number that algorithms are to make small; judged by nobody
 *
 * A statement begins in the first column and goes on in lines that begin with a blank; "--" begins a comment.
 * Conditions may use all that is declared anywhere, definitions those above them.
 * Agents have the attributes type, state, group (words) and value (real), organizations have members; where
 * they nest, children, parent, level (0: no parent) and is_root, too. What is observed has no organizations,
 * no triggers and no objective, and its agents have what the text declares alone, and `up`, which nobody
 * declares: false from a crash to the next start. Conditions are those of world.h; agents and organizations
 * of the state before are those with the same number. */
#ifndef CORRIDOR_CORRIDOR_H
#define CORRIDOR_CORRIDOR_H

#include <corridor/lists.h>
#include <corridor/oracle.h>
#include <corridor/structures.h>
#include <corridor/world.h>

#define COR_CORRIDOR_BYTES_MAX (1u << 20) /* a longer text is refused */
#define COR_CORRIDOR_ROWS_MAX 1000        /* of attributes, parameters, definitions, constraints, each */
#define COR_CORRIDOR_RETURNS \
    "returns" /* what the rule of time about alarms is called; no other constraint is */

/* An attribute of agents or organizations, or a parameter. */
struct cor_quantity {
    const char *name;         /* owned by the corridor, as all here */
    struct cor_domain domain; /* of an enumeration: its words */
    const char *unit;         /* NULL: none */
    double low, high;         /* of numbers, inclusive; infinite where there is no bound */
    const char *at;           /* where it is declared, in the source; NULL: nowhere */
    bool is_set;              /* an attribute of what is observed: a set of agents, which has no domain */
    uint32_t set;             /* number among the sets: that of the agents' collection */
};

/* Of what is observed: what agents tell of indices; or a history: calls that they make, and what came back.
 */
struct cor_channel {
    const char *name; /* owned by the corridor */
    const char *at;   /* where it is declared, in the source */
    bool is_history, is_keyed;
    uint32_t object; /* of a history: enum cor_object */
};

/* What an invariant asks of a channel or a history. */
enum cor_channel_question { COR_AGREE, COR_LINEARIZABLE, COR_SEQUENTIAL };

enum cor_constraint_kind {
    COR_CONSTRAINT_INVARIANT,
    COR_CONSTRAINT_TRIGGER,
    COR_CONSTRAINT_TEMPORAL,
    COR_CONSTRAINT_OBJECTIVE /* none, but written like one; never among the constraints */
};

struct cor_constraint {
    const char *name;
    enum cor_constraint_kind kind;
    bool is_invariant; /* it was introduced as one, whether or not it is a trigger, too */
    uint32_t cases;    /* an alarm is due when it was violated so many cases on end; 0: none is */
    bool is_each;      /* by the same organization in all of them: it is "all" over organizations */
    struct cor_expression condition; /* not of temporal ones, nor of agree() */
    uint32_t channel; /* of agree(): on which all agents agree, or a history; COR_NONE: it is neither */
    enum cor_channel_question asks; /* of it */
    const char *text;               /* as it was written, in the corridor's source; comments are blanks */
    struct cor_expression tested;   /* a run puts it to the test where that holds after an event; */
    uint32_t tested_by;             /* or where that attribute changes; neither (COR_NONE): the usual */
};

/* A corridor that was read. Everything in it is owned by it. */
struct cor_corridor {
    const char *name; /* that stands for its file in messages */
    enum cor_structure_kind kind;
    const char *kind_at;             /* where the source says it */
    struct cor_quantity *attributes; /* type, state, group and value are the first; */
    uint32_t up; /* and of what is observed whether the agent is up; COR_NONE: another kind, or the text
                    declares something else of that name */
    struct cor_quantity *parameters;
    struct cor_constraint *constraints;
    struct cor_constraint objective;              /* whose condition is a number; name NULL: there is none */
    struct cor_quantity *organization_attributes; /* that the text declares */
    struct cor_channel *channels;
    uint32_t attribute_count, parameter_count, constraint_count, organization_attribute_count;
    uint32_t set_count, channel_count; /* sets are among the attributes */
    struct cor_words words;
    struct cor_scope scope; /* that of the conditions: symbol p is parameter p; its shape has types.. */
    struct corridor__read *read;
};
enum { COR_AGENT, COR_ORGANIZATION }; /* .. by this number */

/* Attributes of organizations in conditions: where they do not nest, nobody can write the first two. */
enum { COR_LEVEL, COR_IS_ROOT, COR_ORGANIZATION_DECLARED /* organization_attributes, from here on */ };

/* Reads a text; `name` stands for its file in messages: "name:line:column: what is wrong". */
enum cor_status cor_corridor_parse(const char *text, const char *name, struct cor_corridor **corridor,
                                   struct cor_error *error) COR_MUST_USE;

/* Line and column, from 1, of a place in its source: where something is declared, a span of a condition. */
void cor_corridor_place(const struct cor_corridor *corridor, const char *at, size_t *line, size_t *column);

/* Frees it. NULL is allowed. */
void cor_corridor_destroy(struct cor_corridor *corridor);
COR_DESTROYS(cor_corridor, struct cor_corridor)

/* Whether conditions of one structure are all that it is about: it is none of time, and, of what is observed,
 * reads neither channels nor sets nor the state before. Only of these something is proved, and reasons of
 * these alone are sought. */
bool cor_corridor_is_plain(const struct cor_corridor *corridor, uint32_t constraint);

/* Of what is observed: what an agent tells of an index. */
struct cor_channel_entry {
    uint32_t agent, channel;
    uint64_t index, digest; /* a word of the corridor */
};

/* A state of a system as somebody says it is: nothing is believed. Borrowed by who judges it. */
struct cor_snapshot {
    uint32_t agent_count;
    const struct cor_lists *organizations; /* none, of what is observed */
    const uint32_t *parents; /* [organization], COR_NOBODY: none has; NULL: no organization has one */
    const struct cor_attribute_values *columns; /* [attribute of the corridor], by agent */
    const struct cor_value *parameters;         /* [parameter of the corridor]; null: not known */
    const struct cor_attribute_values
        *organization_columns;         /* [organization_attributes]; NULL: nothing is known */
    const struct cor_snapshot *before; /* NULL: it is the first */
    const uint8_t *absent;             /* [agent] not 0: is not there; NULL: all are */

    /* Of what is observed. */
    const struct cor_memberships
        *sets; /* [set of the corridor], by agent; in its column a set stands as bits */
    const struct cor_channel_entry *told; /* what was told since the state before */
    size_t told_count;
};

/* Judges states; holds memory that is used again. */
struct cor_corridor_judge;

/* A judge for this corridor, which must live longer. Destroying it frees it, NULL is allowed. */
enum cor_status cor_corridor_judge_create(const struct cor_corridor *corridor,
                                          struct cor_corridor_judge **judge,
                                          struct cor_error *error) COR_MUST_USE;
void cor_corridor_judge_destroy(struct cor_corridor_judge *judge);

/* Looks at a state: is it of its kind? Of a partitioning what cor_oracle_judge says without limits; of other
 * kinds an agent is missing if it is in no organization (not where they overlap), repeated if it is in an
 * organization twice or, where organizations nest, in several; an organization is empty without members and
 * children; parents that do not exist, cycles of parents (one violation a cycle, of its first organization)
 * and, of a tree, roots beyond the first. Then conditions are asked of this state, which must live on. */
enum cor_status cor_corridor_judge_look(struct cor_corridor_judge *judge, const struct cor_snapshot *state,
                                        struct cor_judgement *judgement,
                                        struct cor_error *error) COR_MUST_USE;

/* A violation of the kind as a sentence. */
void cor_corridor_kind_text(const struct cor_corridor *corridor, const struct cor_violation *violation,
                            char *text, size_t size);

/* The verdict of a constraint, which is none of time, on the state looked at last; `unknown` may be NULL. */
enum cor_truth cor_corridor_ask(const struct cor_corridor_judge *judge, uint32_t constraint,
                                struct cor_unknown *unknown);

/* The same, where what depends on reals that are closer than COR_EDGE, and one of them reckoned, is unknown:
 * where this is unknown and that above is not, rounding decides, and either answer is right. */
enum cor_truth cor_corridor_ask_with_edge(struct cor_corridor_judge *judge, uint32_t constraint,
                                          struct cor_unknown *unknown);

/* Of a trigger that is_each: the verdict of each organization by itself on the state looked at last,
 * truths[organization]; with_edge: as above. */
void cor_corridor_ask_each(struct cor_corridor_judge *judge, uint32_t constraint, bool with_edge,
                           enum cor_truth *truths);

/* What is at the edge in it, by what that said, as a sentence. */
void cor_corridor_edge_text(const struct cor_corridor *corridor, uint32_t constraint,
                            const struct cor_unknown *unknown, char *text, size_t size);

/* The number of the objective, which there is, in the state looked at last; false: it is unknown. */
bool cor_corridor_reckon(const struct cor_corridor_judge *judge, double *number);

/* What is unknown in it, as a sentence. */
void cor_corridor_unknown_text(const struct cor_corridor *corridor, uint32_t constraint,
                               const struct cor_unknown *unknown, char *text, size_t size);

/* A breach of it in the state looked at last, as a sentence: of what is observed with what the agents show,
 * and with what they told. */
void cor_corridor_breach_text(const struct cor_corridor_judge *judge, uint32_t constraint,
                              const struct cor_breach *breach, char *text, size_t size);

/* What its verdict rests on, whether it holds or not; of agree() nothing is said. */
void cor_corridor_grounds(const struct cor_corridor_judge *judge, uint32_t constraint,
                          struct cor_grounds *grounds);

/* Why a constraint that is violated is so. */
void cor_corridor_explain(const struct cor_corridor_judge *judge, uint32_t constraint,
                          struct cor_breaches *breaches);

#endif
