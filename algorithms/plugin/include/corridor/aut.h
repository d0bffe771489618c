/* SPDX-License-Identifier: MIT
 *
 * corridor/aut.h - the one header between Corridor and an agent under test (AUT) in C.
 *
 * An agent is ONE exported constant:   const struct cor_aut corridor_aut_1 = { COR_AUT, ... };
 * It links nothing of Corridor. It runs in a process of its own: it may crash or hang, which is then a
 * finding.
 *
 * One case is a pure function
 *     (case, fault, seed) -> what the agent reports
 * A case that failed is run again alone, in a fresh process, and must do the same. Hence: randomness only
 * from the stream below, no clock, no mutable globals; what a case needs to remember lies in its state,
 * zeroed before it.
 *
 * run() has the agent handle one event, and reports what the agent does while it does it: which context was
 * looked at and what came out, which plan started and ended, and in between what that plan posted, sent, did
 * and wrote. Names, not numbers, cross the line: those of the design. An agent need not know the design; a
 * name that the design has not ends the case as garbled.
 *
 * Growth. Fields are only appended to cor_aut, cor_aut_case and cor_aut_host (each knows its size; the host
 * copies an agent into a zeroed struct of its own, so what an old module lacks is NULL). Other structs are
 * frozen within a major. A module runs if its major equals the host's and its minor is not newer; else it is
 * refused with both numbers. COR_HAS tells whether a host offers a newer field.
 *
 * All calls come from one thread, and all calls of the host from within run(). */
#ifndef CORRIDOR_AUT_H
#define CORRIDOR_AUT_H

#include <corridor/module.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COR_AUT_MAGIC 0x31545541u /* "AUT1" */
#define COR_AUT_MAJOR 1u
#define COR_AUT_MINOR 2u
#define COR_AUT_SYMBOL "corridor_aut_1"

enum cor_aut_kind { COR_AUT_NULL, COR_AUT_INTEGER, COR_AUT_REAL, COR_AUT_WORD };

/* A value, and what it is the value of. */
struct cor_aut_value {
    const char
        *name; /* of a parameter, or "set.Field" of a belief; where no name is asked for, NULL will do */
    uint32_t kind, reserved; /* enum cor_aut_kind */
    union {
        int64_t integer;  /* also a truth value: 0 or 1 */
        double real;      /* never NaN */
        const char *word; /* of an enumeration or a string; never NULL */
    } as;
};

/* Values, as many as the name says. */
static inline struct cor_aut_value cor_aut_integer(const char *name, int64_t integer) {
    struct cor_aut_value value = {name, COR_AUT_INTEGER, 0, {0}};
    value.as.integer = integer;
    return value;
}
static inline struct cor_aut_value cor_aut_real(const char *name, double real) {
    struct cor_aut_value value = {name, COR_AUT_REAL, 0, {0}};
    value.as.real = real;
    return value;
}
static inline struct cor_aut_value cor_aut_word(const char *name, const char *word) {
    struct cor_aut_value value = {name, word ? COR_AUT_WORD : COR_AUT_NULL, 0, {0}};
    value.as.word = word;
    return value;
}

/* A row of a belief set that is a relation. */
struct cor_aut_row {
    const char *belief;
    const struct cor_aut_value *values; /* of all fields, each with the name of the field alone */
    uint32_t count, reserved;
};

/* What is asked: one event, with the agent's beliefs as they are when it comes. */
struct cor_aut_case {
    uint32_t struct_size;
    uint32_t fault; /* 0 = none, else 1 + index into cor_aut.faults */
    uint32_t argument_count, belief_count;
    const char *event;
    const struct cor_aut_value *arguments; /* of the event, in the order of the design */
    const struct cor_aut_value *beliefs;   /* all fields of all belief sets, in the order of the design */
    uint64_t seed;
    uint32_t steps;     /* limit: of steps, and of plans that start; the host counts them */
    uint32_t rounds;    /* limit: so often may a plan start within itself; the host counts that, too */
    uint32_t row_count; /* since 1.1, as what follows */
    const struct cor_aut_row *rows; /* of belief sets that are relations, set after set: the fields of the row
                                       in scope stand among the beliefs, too, with "exists" and "count" */
};

/* The value called `name` among `count` values, NULL if there is none. */
static inline const struct cor_aut_value *cor_aut_find(const struct cor_aut_value *values, uint32_t count,
                                                       const char *name) {
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(values[i].name, name) == 0)
            return &values[i];
    return NULL;
}

/* What the agent reports. Every function gives 1, or 0 when the case is over for the host - a limit is
 * reached, or something could not be understood: then run() returns at once. Texts and values are copied. */
struct cor_aut_host {
    uint32_t struct_size, minor;
    void *self;                /* the host's own */
    struct cor_random *random; /* one stream for the case, named by its seed */

    /* Before each step, whatever the agent takes for one: a statement of a plan, a turn of a loop. That a
     * plan starts is a step by itself. */
    int (*step)(const struct cor_aut_host *host);

    /* The context of `plan` was looked at, for the event in hand (that of the case, or the one that the plan
     * at work posted last): it held, or not. Of an event, all its plans are looked at before one starts. */
    int (*context)(const struct cor_aut_host *host, const char *plan, int holds);

    /* `plan` begins; it has ended, well or not. A plan that starts in between runs within it, and ends before
     * it. */
    int (*started)(const struct cor_aut_host *host, const char *plan);
    int (*ended)(const struct cor_aut_host *host, const char *plan, int ok);

    /* `plan`, the one at work, posts an event (arguments by name, in any order; one that is left out is
     * null), sends a message, does an action, writes a field of a belief set. `plan` is NULL when it is a
     * rule of a belief set that posts, upon what was just written; that event is not handled in this case.
     * And it is NULL when, before anything else, an agent says what it believes otherwise than it was told.
     */
    int (*posted)(const struct cor_aut_host *host, const char *plan, const char *event,
                  const struct cor_aut_value *arguments, uint32_t count);
    int (*sent)(const struct cor_aut_host *host, const char *plan, const char *message);
    int (*did)(const struct cor_aut_host *host, const char *plan, const char *action);
    int (*wrote)(const struct cor_aut_host *host, const char *plan, const char *belief, const char *field,
                 const struct cor_aut_value *value);

    /* Since 1.1, for agents in which several intentions are at work: what goes on in one order by itself. The
     * first, 0, is that of the case, and an agent that calls none of these has no other. All that is reported
     * is of the intention at hand: the first, and after turn() the one that it names.
     *
     * aside: `plan`, the one at work, posts an event and goes on; its handlers run in an intention of their
     * own. strand: a part of `plan`, the one at work, that runs beside the others; from the next turn() on
     * the plan waits until all its strands are done. Both give the number of the new intention, or 0 when the
     * case is over for the host. It has its first turn later.
     * turn: after each step, who goes on; the host draws it by the number of the interleaving, among those
     * that can. COR_AUT_NOBODY: all are done, or the case is over; then run() returns.
     * done: the one at hand has nothing left to do; the next call is turn(). */
    uint32_t (*aside)(const struct cor_aut_host *host, const char *plan, const char *event,
                      const struct cor_aut_value *arguments, uint32_t count);
    uint32_t (*strand)(const struct cor_aut_host *host, const char *plan);
    uint32_t (*turn)(const struct cor_aut_host *host);
    int (*done)(const struct cor_aut_host *host);

    /* Since 1.1, of relations: `plan`, the one at work, inserts a row, instead of one of the same key, or
     * removes that of a key; values by the names of fields, in any order. wrote() is of the row in scope:
     * that of the key that the arguments of the plan's event say, or the beliefs of the case. */
    int (*inserted)(const struct cor_aut_host *host, const char *plan, const char *belief,
                    const struct cor_aut_value *values, uint32_t count);
    int (*removed)(const struct cor_aut_host *host, const char *plan, const char *belief,
                   const struct cor_aut_value *key, uint32_t count);

    /* Since 1.2: sent(), of a message that has parameters; arguments as those of posted(). */
    int (*sent_with)(const struct cor_aut_host *host, const char *plan, const char *message,
                     const struct cor_aut_value *arguments, uint32_t count);
};

#define COR_AUT_NOBODY UINT32_MAX

/* A plan is wired to an event. Lists end with an entry whose first field is NULL; a NULL list is empty. */
struct cor_aut_handle {
    const char *plan, *event; /* the event may be one that the design has not: that is what is then found;
                                 NULL: the plan is not built yet */
};

/* A change of the agent, chosen by name, to see whether it is found. */
struct cor_aut_fault {
    const char *name, *meaning;
    const struct cor_aut_handle *handles; /* with this fault; NULL: as without */
};

struct cor_aut {
    uint32_t magic, major, minor, struct_size;
    const char *name, *version, *summary;
    const struct cor_aut_handle *handles;
    const struct cor_aut_fault *faults;
    size_t state_size; /* bytes; the host allocates and zeroes them before each case */

    /* Handles one event until the agent is quiet. Gives 0 then; anything else after the host said 0. */
    int (*run)(void *state, const struct cor_aut_case *asked, const struct cor_aut_host *host);
};

/* The first fields of every agent. */
#define COR_AUT                                                             \
    .magic = COR_AUT_MAGIC, .major = COR_AUT_MAJOR, .minor = COR_AUT_MINOR, \
    .struct_size = (uint32_t)sizeof(struct cor_aut)

#ifdef __cplusplus
}
#endif
#endif
