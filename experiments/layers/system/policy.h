/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files about policies share. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_POLICY_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_POLICY_H

#include <corridor/conversation.h>
#include <corridor/policies.h>

/* "press b1", "type 'a b' 3": puts the command behind the text. */
void system_layer__print_command(struct cor_bytes *text, const struct cor_world_declaration *declaration,
                                 const struct cor_world_command *command);

/* What is known of an action in a state. */
struct system_layer__value {
    uint64_t state;
    uint32_t action; /* a word of the table: the command as text */
    uint64_t count;  /* times it was picked, or learnt from */
    double value;
};

/* States and actions with their values. Begins as zeros. */
struct system_layer__table {
    struct cor_words actions;
    struct system_layer__value *values; /* owned; in the order in which they came */
    size_t count, capacity;
    uint32_t *slots; /* owned; hash table of 1 + index */
    size_t slot_count;
};

void system_layer__table_fini(struct system_layer__table *table);
void system_layer__table_clear(struct system_layer__table *table);

/* It has these values and no others, by words that it has. */
enum cor_status system_layer__table_set(struct system_layer__table *table,
                                        const struct system_layer__value *values, size_t count,
                                        struct cor_error *error) COR_MUST_USE;

/* The action of that text in the state, made if there is none; the index. */
enum cor_status system_layer__table_at(struct system_layer__table *table, uint64_t state, const char *action,
                                       uint32_t *index, struct cor_error *error) COR_MUST_USE;

/* What a policy that learns is paid for its choices. Begins as zeros: 1 when the goal is solved. */
struct system_layer__reward {
    enum {
        SYSTEM_LAYER__SOLVED,    /* nothing else */
        SYSTEM_LAYER__NEW_STATE, /* and 1 for a state that is not in `known` */
        SYSTEM_LAYER__NEARER     /* and by how much nearer the condition is */
    } kind;
    struct cor_expression condition;  /* owned */
    struct system_layer__table known; /* states, of "" */
    double paid;                      /* nearness that was paid for already, */
    bool has_paid;                    /* in this run */
};

/* As the file says it; NULL: "solved". `place`: where it stands. COR_STATUS_INPUT: neither a word nor a
 * condition of the scope, or one that no choice can change. `reward` is to be freed after an error, too. */
enum cor_status system_layer__reward_init(struct system_layer__reward *reward, const char *text,
                                          const char *place, const struct cor_scope *scope,
                                          struct cor_error *error) COR_MUST_USE;
void system_layer__reward_fini(struct system_layer__reward *reward);

/* Only the states of these values are known. */
enum cor_status system_layer__reward_forget(struct system_layer__reward *reward,
                                            const struct system_layer__value *values, size_t count,
                                            struct cor_error *error) COR_MUST_USE;

/* Before a choice, in that state. */
enum cor_status system_layer__reward_before(struct system_layer__reward *reward,
                                            const struct cor_beliefs *beliefs, uint64_t state,
                                            struct cor_error *error) COR_MUST_USE;

/* Behind a turn: what it is paid. `discount`: of what comes a pick later; `is_end`: nothing does. */
enum cor_status system_layer__reward_after(struct system_layer__reward *reward,
                                           const struct cor_beliefs *beliefs, uint64_t state, double discount,
                                           bool is_solved, bool is_end, double *number,
                                           struct cor_error *error) COR_MUST_USE;

/* Numbers of learning by Q (Watkins 1989), all from 0 to 1, and what it learns from. */
struct system_layer__learning {
    double rate;        /* of what is new against what is known */
    double discount;    /* of what comes a pick later */
    double explore;     /* share of picks at random */
    char *reward;       /* owned; as the file says it; NULL: "solved" */
    char *reward_place; /* owned; where it stands */
};

void system_layer__learning_fini(struct system_layer__learning *learning);

/* The key "reward" of what is read, if it is there; what was said before is replaced. */
enum cor_status system_layer__read_reward(const struct cor_json *json,
                                          struct system_layer__learning *learning,
                                          struct cor_error *error) COR_MUST_USE;

/* Reads a table, or the settings of one: "rate", "discount", "explore", "reward", "by", "table". `by` gets
 * the list, if there is one. */
enum cor_status system_layer__q_read(const struct cor_json *json, struct system_layer__learning *learning,
                                     struct system_layer__table *table, char ***by, uint32_t *by_count,
                                     struct cor_error *error) COR_MUST_USE;
/* The table itself: a file, or the object that stands in it. */
enum cor_status system_layer__q_read_table(const struct cor_json *json,
                                           struct system_layer__learning *learning,
                                           struct system_layer__table *table, char ***by, uint32_t *by_count,
                                           struct cor_error *error) COR_MUST_USE;
enum cor_status system_layer__q_write(const struct system_layer__learning *learning,
                                      const struct system_layer__table *table, char *const *by,
                                      uint32_t by_count, struct cor_json_writer *writer,
                                      struct cor_error *error) COR_MUST_USE;

/* The list "by" of identities; *by is owned by the caller, also after an error. */
enum cor_status system_layer__read_learnt(const struct cor_json *json, char ***by, uint32_t *by_count,
                                          struct cor_error *error) COR_MUST_USE;

#endif
