/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What operations do to the state of an object: words of 32 bits, values most of them. */
#ifndef CORRIDOR_ORACLE_HISTORY_CALLS_H
#define CORRIDOR_ORACLE_HISTORY_CALLS_H

#include <corridor/array.h>
#include <corridor/history.h>

enum history__operation {
    HISTORY__READ,
    HISTORY__WRITE,
    HISTORY__CAS,
    HISTORY__GET,
    HISTORY__PUT,
    HISTORY__APPEND,
    HISTORY__DELETE,
    HISTORY__ADD,
    HISTORY__REMOVE,
    HISTORY__CONTAINS,
    HISTORY__ENQUEUE,
    HISTORY__DEQUEUE,
    HISTORY__PUSH,
    HISTORY__POP,
    HISTORY__ACQUIRE,
    HISTORY__RELEASE,
    HISTORY__OPERATION_COUNT
};

#define HISTORY__NO_WORD 1u /* the value "", as which a map may say that a key is not there */

const char *history__word(uint32_t operation);

/* Does it leave every state as it is? */
bool history__only_reads(uint32_t operation);

/* A list of words that grows; begins as zeros, freed with free(words). */
struct history__words {
    uint32_t *words; /* owned */
    size_t count, capacity;
};

/* The state of an object on which nothing was called; at most two words. */
uint32_t history__first_state(enum cor_object object, uint32_t *words);

/* What the call does in that state: the next one, in other memory, and the value that it returns. */
enum cor_status history__apply(enum cor_object object, struct cor_call_values *values,
                               const struct cor_call *call, const uint32_t *state, size_t count,
                               struct history__words *next, uint32_t *result,
                               struct cor_error *error) COR_MUST_USE;

/* Is what a call returned what it returns in a state, as history__apply says it? */
static inline bool history__accepts(uint32_t operation, uint32_t in_state, uint32_t returned) {
    return in_state == returned ||
           (operation == HISTORY__GET && in_state == COR_CALL_NIL && returned == HISTORY__NO_WORD);
}

/* The events of a history in their order: the call, and whether it is its end. Freed with free(). */
struct history__event {
    size_t call;
    bool is_end;
};
enum cor_status history__events(const struct cor_history *history, struct history__event **events,
                                struct cor_error *error) COR_MUST_USE;

/* A register of which no value is written twice, decided by the zones of values (zones.c). Begins as zeros.
 */
struct history__zones {
    struct cor_pool values;
    struct history__zone *of; /* owned; [value] */
    uint32_t *ended;          /* owned; values of which a call has ended */
    size_t capacity, ended_count, ended_capacity;
    uint64_t first_end, last_call; /* of all that have ended */
    uint64_t wait;  /* nothing more can be forgotten before this is older than all open calls */
    uint64_t steps; /* values that were compared */
    bool is_impossible;
    bool is_given_up; /* something else was called, or a value was written again that may be read */
};

void history__zones_free(struct history__zones *zones);
uint64_t history__zones_memory(const struct history__zones *zones); /* bytes */

/* Events, each with its number, from 1. Of a call that returns: when it was called, and the first call that
 * is open then. */
enum cor_status history__zones_call(struct history__zones *zones, const struct cor_call *call, uint64_t now,
                                    struct cor_error *error) COR_MUST_USE;
enum cor_status history__zones_return(struct history__zones *zones, const struct cor_call *call,
                                      uint32_t result, uint64_t called, uint64_t now, uint64_t oldest,
                                      struct cor_error *error) COR_MUST_USE;
enum cor_status history__zones_failed(struct history__zones *zones, const struct cor_call *call,
                                      struct cor_error *error) COR_MUST_USE;

/* "holds 4", "is empty": a state, as it is said of an object. */
void history__print_state(const struct cor_history *history, const uint32_t *state, size_t count,
                          struct cor_bytes *text);

#endif
