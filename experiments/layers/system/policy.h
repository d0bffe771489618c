/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files about policies share. */
#ifndef COR_SYSTEM_LAYER_POLICY_H
#define COR_SYSTEM_LAYER_POLICY_H

#include <corridor/conversation.h>
#include <corridor/policies.h>

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

/* Numbers of learning by Q (Watkins 1989), all from 0 to 1. */
struct system_layer__learning {
    double rate;     /* of what is new against what is known */
    double discount; /* of what comes a pick later */
    double explore;  /* share of picks at random */
};

/* Reads a table, or the settings of one: "rate", "discount", "explore", "by", "table". `by` gets
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
