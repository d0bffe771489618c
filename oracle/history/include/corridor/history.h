/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histories of calls on a shared object: was what the clients saw possible? Linearizable (Herlihy and Wing,
 * 1990): as if each call took effect at one instant between its call and its return. Sequential (Lamport,
 * 1979): as if the calls were made one after the other, each process' in its order. A call that never returns
 * is unknown: it takes effect at some instant after its call, or never. */
#ifndef CORRIDOR_HISTORY_H
#define CORRIDOR_HISTORY_H

#include <corridor/bytes.h>
#include <corridor/error.h>
#include <corridor/pool.h>

#include <stdbool.h>
#include <stdint.h>

/* Objects, and of each its operations, X(name, word, first operations as words). An operation is a total
 * function of a state: it gives the next state and what it returns. */
enum cor_object {
    COR_OBJECT_REGISTER,     /* read, write; nil before anything was written */
    COR_OBJECT_CAS_REGISTER, /* and cas of [old new], which returns whether it was old */
    COR_OBJECT_MAP,     /* by key: put, append to a word, get, delete; get of what is not there: nil, "" */
    COR_OBJECT_SET,     /* add, remove, contains, read (in any order) */
    COR_OBJECT_QUEUE,   /* enqueue, dequeue (nil: it is empty) */
    COR_OBJECT_STACK,   /* push, pop (nil: it is empty) */
    COR_OBJECT_COUNTER, /* add of an integer, read; 0 at first */
    COR_OBJECT_LOCK,    /* acquire (false: another call has it), release (false: the process has it not) */
    COR_OBJECT_LOG,     /* append, read (the list) */
    COR_OBJECT_COUNT
};

/* Their words, ended by NULL. */
extern const char *const cor_object_words[COR_OBJECT_COUNT + 1];

/* ---- values: nil, integers, words and lists of values, each kept once, by its number */

#define COR_CALL_NIL 0u

struct cor_call_values {
    struct cor_pool pool; /* an item: its kind, then its content */
};

/* nil, "", true and false are there. */
enum cor_status cor_call_values_init(struct cor_call_values *values, struct cor_error *error) COR_MUST_USE;
void cor_call_values_fini(struct cor_call_values *values);

/* The number of a value. A word need not end; items are values. */
enum cor_status cor_call_values_integer(struct cor_call_values *values, int64_t integer, uint32_t *value,
                                        struct cor_error *error) COR_MUST_USE;
enum cor_status cor_call_values_word(struct cor_call_values *values, const char *word, size_t length,
                                     uint32_t *value, struct cor_error *error) COR_MUST_USE;
enum cor_status cor_call_values_list(struct cor_call_values *values, const uint32_t *items, uint32_t count,
                                     uint32_t *value, struct cor_error *error) COR_MUST_USE;

/* The items of a list, which are bytes of the pool; *count: how many; NULL: it is no list. */
const void *cor_call_values_items(const struct cor_call_values *values, uint32_t value, uint32_t *count);

/* Reads one value as it stands in EDN or JSON, from *at, which moves behind it. Words may be bare. */
enum cor_status cor_call_values_read(struct cor_call_values *values, const char **at, const char *place,
                                     uint32_t *value, struct cor_error *error) COR_MUST_USE;

/* As it is said: nil, 3, "a b", [1, 2]. */
void cor_call_values_print(const struct cor_call_values *values, uint32_t value, struct cor_bytes *text);

/* ---- calls */

#define COR_CALL_OPEN UINT64_MAX /* the number of an end that never came */

enum cor_call_end {
    COR_CALL_UNKNOWN,  /* it never returned */
    COR_CALL_RETURNED, /* with `result` */
    COR_CALL_FAILED    /* it surely did nothing */
};

struct cor_call {
    uint32_t process, operation; /* of its object, from 0 */
    uint32_t key;                /* value; nil: the object has no keys */
    uint32_t argument, result;   /* values */
    uint64_t called, ended;      /* numbers of the events of the history, in their order */
    uint64_t line;               /* of the file; else 0 */
    uint8_t end;                 /* enum cor_call_end */
};

/* Calls in the order in which they were made. Begins as zeros but for `object`, cor_history_init. */
struct cor_history {
    enum cor_object object;
    bool is_keyed; /* each key is an object by itself */
    struct cor_call_values values;
    struct cor_call *calls; /* owned */
    size_t count, capacity;
    uint64_t events; /* that were numbered */
    uint64_t passed; /* lines of a file that are no operations, passed over */
};

/* No call was made yet; cor_history_fini frees it in any case. */
enum cor_status cor_history_init(struct cor_history *history, enum cor_object object, bool is_keyed,
                                 struct cor_error *error) COR_MUST_USE;
void cor_history_fini(struct cor_history *history);

/* "register", "register by key": the object, and whether each key is one. COR_STATUS_INPUT: it is none. */
enum cor_status cor_history_object(const char *text, const char *place, enum cor_object *object,
                                   bool *is_keyed, struct cor_error *error) COR_MUST_USE;

/* A call of an operation, by its word. COR_STATUS_INPUT: the object has no such operation, it is not called
 * with that, or a key is missing or too much. *number: of the call. */
enum cor_status cor_history_call(struct cor_history *history, uint32_t process, const char *operation,
                                 uint32_t key, uint32_t argument, const char *place, size_t *number,
                                 struct cor_error *error) COR_MUST_USE;

/* Did it return a value that could be wrong? Writes do not: a history of these alone is any object's. */
bool cor_call_tells(const struct cor_history *history, const struct cor_call *call);

/* An open call returns, or failed. What returns nothing returns nil, true or its argument. COR_STATUS_INPUT:
 * it is not open, or returns nothing of that kind. */
enum cor_status cor_history_return(struct cor_history *history, size_t number, uint32_t result,
                                   const char *place, struct cor_error *error) COR_MUST_USE;
enum cor_status cor_history_failed(struct cor_history *history, size_t number, const char *place,
                                   struct cor_error *error) COR_MUST_USE;

/* Reads a file: EDN of Jepsen, a map an operation, or its log; JSON, an object an operation; CSV with names
 * of columns in its first line. "-" is standard input. The history is initialised. */
enum cor_status cor_history_read(const char *path, struct cor_history *history,
                                 struct cor_error *error) COR_MUST_USE;

/* ---- verdicts */

enum cor_possible { COR_POSSIBLE, COR_IMPOSSIBLE, COR_NOT_DECIDED };

#define COR_HISTORY_STEPS (UINT64_C(1) << 20) /* of a search; beyond it nothing is decided */

struct cor_history_verdict {
    enum cor_possible possible;
    size_t call;    /* linearizable: the first whose end leaves no order, or at whose end it was given up */
    uint64_t steps; /* of the longest stretch: from an instant at which no call was open to the next */
    uint64_t all;   /* work of all stretches */
};

/* Calls that come one after the other are judged as they come: of each key the states that are possible and
 * which open calls took effect in them are all that is kept, so memory hangs on the widest stretch. */
struct cor_linear;

/* The values are borrowed; they get more, by append. */
enum cor_status cor_linear_create(enum cor_object object, struct cor_call_values *values, uint64_t steps_most,
                                  struct cor_linear **linear, struct cor_error *error) COR_MUST_USE;
void cor_linear_destroy(struct cor_linear *linear); /* NULL is allowed */
COR_DESTROYS(cor_linear, struct cor_linear)

/* Nothing was called yet, in the same memory. */
void cor_linear_restart(struct cor_linear *linear);

/* A call begins, *open: its number while it is open, which others may have later. Of the call process, key,
 * operation and argument count. */
enum cor_status cor_linear_call(struct cor_linear *linear, const struct cor_call *call, uint32_t *open,
                                struct cor_error *error) COR_MUST_USE;

/* It returns; surely did nothing; or will never return. *possible: after it. */
enum cor_status cor_linear_return(struct cor_linear *linear, uint32_t open, uint32_t result,
                                  enum cor_possible *possible, struct cor_error *error) COR_MUST_USE;
enum cor_status cor_linear_failed(struct cor_linear *linear, uint32_t open, enum cor_possible *possible,
                                  struct cor_error *error) COR_MUST_USE;
enum cor_status cor_linear_lost(struct cor_linear *linear, uint32_t open,
                                struct cor_error *error) COR_MUST_USE;

/* The most steps of a stretch so far, and bytes of memory. */
uint64_t cor_linear_steps(const struct cor_linear *linear);
uint64_t cor_linear_memory(const struct cor_linear *linear);

/* Judges the whole history. `relaxed`, [call], NULL: none: what is known of its end does not count; it is
 * unknown, and what only reads is left out. */
enum cor_status cor_history_linearizable(struct cor_history *history, const bool *relaxed,
                                         uint64_t steps_most, struct cor_history_verdict *verdict,
                                         struct cor_error *error) COR_MUST_USE;
enum cor_status cor_history_sequential(struct cor_history *history, const bool *relaxed, uint64_t steps_most,
                                       struct cor_history_verdict *verdict,
                                       struct cor_error *error) COR_MUST_USE;

/* ---- what is said of it */

/* "write 3 to "x"", "read 4"; of an open one "read .." . */
void cor_call_text(const struct cor_history *history, const struct cor_call *call, struct cor_bytes *text);

/* The calls that are not relaxed have no order, whatever the others did. Draws them, 80 columns wide, a row a
 * process and a bar a call; then lists the longest order of them that was possible, and of each call that
 * does not fit why it cannot come next. `svg`: the same as a picture, NULL: none; it stays empty where there
 * are more calls than are drawn. */
enum cor_status cor_history_explain(struct cor_history *history, const bool *relaxed, bool is_sequential,
                                    struct cor_bytes *text, struct cor_bytes *svg,
                                    struct cor_error *error) COR_MUST_USE;

#endif
