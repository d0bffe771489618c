/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions over what is known of a test case: the states of the environments in this case and in the one
 * before, the parameters of the suite, and how the system under test reacted. The language is that of
 * sim/expression; "sky == 'dark'" holds in the state called so, or in any of those that a type of agents
 * calls so together (its relevant states). */
#ifndef CORRIDOR_CASE_CONDITION_H
#define CORRIDOR_CASE_CONDITION_H

#include <corridor/expression.h>
#include <corridor/json.h>
#include <corridor/walk.h>

#define COR_CONDITION_ENVIRONMENTS_MAX 64

/* States of an environment that have one name together. */
struct cor_state_class {
    const char *name;
    uint32_t environment;
    uint64_t states; /* bit s: state s is one of them */
};

/* What a condition may speak of. All borrowed while the vocabulary is made, profiles' states and counters'
 * names as long as it lives. */
struct cor_case_condition_names {
    uint32_t environment_count; /* to COR_CONDITION_ENVIRONMENTS_MAX */
    const char *const *environments;
    const struct cor_profile *const *profiles; /* NULL: drawn for each suite, with states s0, s1, .. */
    uint32_t class_count;
    const struct cor_state_class *classes;
    uint32_t parameter_count;
    const char *const *parameters;
    const bool *are_integer; /* [parameter] else real */
    bool reactions;          /* how the system reacted may be spoken of */
    uint32_t probe_count;
    const char *const *probes;
    const uint32_t *bucket_counts; /* [probe] */
};

/* The names as symbols. */
struct cor_vocabulary;

/* COR_STATUS_INPUT: two things have one name, or there are too many environments. */
enum cor_status cor_vocabulary_create(const struct cor_case_condition_names *names,
                                      struct cor_vocabulary **vocabulary,
                                      struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. Conditions must be gone before. */
void cor_vocabulary_destroy(struct cor_vocabulary *vocabulary);
COR_DESTROYS(cor_vocabulary, struct cor_vocabulary)

/* Environments that it has a name for. */
uint32_t cor_vocabulary_environments(const struct cor_vocabulary *vocabulary);

/* The values of all symbols in one test case. */
struct cor_facts {
    const struct cor_vocabulary *vocabulary; /* borrowed */
    struct cor_value *values;                /* owned; [symbol] */
    uint8_t *now, *before;                   /* owned; [environment] state */
};

/* All states 0, all numbers 0. */
enum cor_status cor_facts_init(struct cor_facts *facts, const struct cor_vocabulary *vocabulary,
                               struct cor_error *error) COR_MUST_USE;

/* Frees what they hold. Idempotent. */
void cor_facts_fini(struct cor_facts *facts);

/* The state an environment is in, and was in the case before. */
void cor_facts_set_states(struct cor_facts *facts, uint32_t environment, uint8_t before, uint8_t now);

/* The states of a case (from 1) of a walk: of an environment those of its first chain. */
void cor_facts_set_walk(struct cor_facts *facts, const struct cor_walk *walk, uint32_t number,
                        const uint16_t *profile_of_chain, const uint16_t *environment_of_profile);

/* A parameter's value, and how the system reacted. */
void cor_facts_set_parameter(struct cor_facts *facts, uint32_t parameter, double value);
void cor_facts_set_reaction(struct cor_facts *facts, const struct cor_reaction *reaction);

/* A part of a condition: two joined, one denied, or a comparison. */
enum cor_case_condition_kind {
    COR_CONDITION_AND,
    COR_CONDITION_OR,
    COR_CONDITION_NOT,
    COR_CONDITION_STATES,    /* an environment is in one of these states */
    COR_CONDITION_COMPARISON /* anything else */
};

/* One part; those that it is made of come before it, `left` and `right` are their indices. */
struct cor_case_condition_part {
    enum cor_case_condition_kind kind;
    uint32_t left, right;             /* parts; NOT: left */
    uint32_t environment;             /* STATES */
    bool is_before;                   /* STATES: in the case before */
    uint64_t states;                  /* STATES */
    struct cor_expression comparison; /* owned; COMPARISON */
    uint64_t environments;            /* bit e: environment e is read in it, now or before */
    bool reads_before, reads_reaction;
};

/* A condition as a tree of parts. The caller's; filled by cor_case_condition_parse or cor_case_condition_arc,
 * freed by cor_case_condition_fini before the vocabulary is. */
struct cor_case_condition {
    char *text;                            /* owned; as written */
    struct cor_case_condition_part *parts; /* owned; children first, the last is the whole */
    uint32_t part_count;
    uint32_t *conjuncts; /* owned; parts that all have to hold, and no more than these */
    uint32_t conjunct_count;
};

/* COR_STATUS_INPUT as of cor_expression_parse_condition; `place` may be NULL. */
enum cor_status cor_case_condition_parse(const char *text, const struct cor_vocabulary *vocabulary,
                                         const char *place, struct cor_case_condition *condition,
                                         struct cor_error *error) COR_MUST_USE;

/* The condition that an environment goes from one state to another. */
enum cor_status cor_case_condition_arc(const struct cor_vocabulary *vocabulary, uint32_t environment,
                                       uint8_t from, uint8_t to, struct cor_case_condition *condition,
                                       struct cor_error *error) COR_MUST_USE;

/* Adds that `other` holds, too; `other` is empty then. */
enum cor_status cor_case_condition_and_take(struct cor_case_condition *condition,
                                            struct cor_case_condition *other,
                                            struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_case_condition_fini(struct cor_case_condition *condition);

/* The whole, in which everything that is read is marked. */
const struct cor_case_condition_part *cor_case_condition_root(const struct cor_case_condition *condition);

/* Does it read the parameter? */
bool cor_case_condition_reads_parameter(const struct cor_case_condition *condition,
                                        const struct cor_vocabulary *vocabulary, uint32_t parameter);

/* Does it hold? A part that is undefined (a division by zero) makes all of it false. */
bool cor_case_condition_holds(const struct cor_case_condition *condition, const struct cor_facts *facts);

/* Could part `part` hold for some reaction of the system, with everything else as it is? Each comparison with
 * a reaction is taken for possible, as is its contrary: never false where there is such a reaction. */
bool cor_case_condition_may_hold(const struct cor_case_condition *condition, uint32_t part,
                                 const struct cor_facts *facts);

/* ---- how near to failing a test case has come: what splitting restarts at. A number over reactions,
 * parameters and probes, or a list of conditions, the nearest to failing last */

#define COR_LEVELS_MAX 62 /* conditions of a list, and levels of splitting */

/* A level that a case comes to: a number, or how far down a list of conditions the last that holds stands. */
struct cor_level {
    struct cor_expression number;          /* owned; where there are no conditions */
    struct cor_case_condition *conditions; /* owned */
    uint32_t condition_count;
};

/* Reads a level: a number, or conditions with semicolons between them. COR_STATUS_INPUT at `place`. `level`
 * need not be empty when this fails. */
enum cor_status cor_level_parse(const char *text, const struct cor_vocabulary *vocabulary, const char *place,
                                struct cor_level *level, struct cor_error *error) COR_MUST_USE;

/* The same of such a string, or of an array of conditions. */
enum cor_status cor_level_read(const struct cor_json *json, const struct cor_vocabulary *vocabulary,
                               struct cor_level *level, struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_level_fini(struct cor_level *level);

/* The level that a case comes to: of conditions from 0, none holds, to their number. NaN: it has none. */
double cor_level_of(const struct cor_level *level, const struct cor_facts *facts);

#endif
