/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A formula at work, for the files that follow it: machine.c knows states of two values and what they lead
 * to, watch.c follows a trace of three. */
#ifndef CORRIDOR_ORACLE_TEMPORAL_WATCH_H
#define CORRIDOR_ORACLE_TEMPORAL_WATCH_H

#include "core.h"

/* Which conditions hold, and which are violated: a bit for each of the formula's. Unknown ones are neither
 * where the worst is taken, both where the best is. */
struct temporal__input {
    uint64_t yes, no;
};

/* What is known of a state. FIXED: nothing that may come changes its value; SETTLED: nothing without unknown
 * conditions does. */
enum {
    TEMPORAL__AT_END = 1, /* the formula is true if the trace ends here */
    TEMPORAL__FIXED = 2,
    TEMPORAL__NOT_FIXED = 4,
    TEMPORAL__SETTLED = 8,
    TEMPORAL__NOT_SETTLED = 16
};

/* Where an input leads. */
struct temporal__move {
    struct temporal__input input;
    uint32_t from; /* and 1; 0: free */
    uint32_t to;
};

#define TEMPORAL__BEFORE_THE_TRACE UINT32_MAX /* in place of a remainder */

/* States: the remainder of the formula, and for each cell of its past the remainder of what it remembers.
 * State 0 is that before the trace. Found when they are needed, as is where they lead. */
struct temporal__machine {
    const struct cor_temporal *formula; /* borrowed */
    struct temporal__remainders remainders;
    uint64_t mask; /* a bit for each condition of the formula */

    uint32_t width;  /* words of a state */
    uint32_t *words; /* owned; [state * width]: the remainder, then the cells */
    size_t word_capacity;
    uint8_t *facts; /* owned; [state] */
    size_t fact_capacity;
    uint32_t *visits; /* owned; [state] the search that saw it last */
    size_t visit_capacity;
    uint32_t state_count, search;
    uint32_t *slots; /* owned; hash table of 1 + state, 0 = free */
    size_t slot_count;

    struct temporal__move *moves; /* owned; hash table */
    size_t move_slots, move_count;

    uint32_t *values;     /* owned; [node] what the present state makes of it */
    uint32_t *next_words; /* owned; [width] */
    uint32_t *progressed; /* owned; [remainder] what is left of it after the present state, if */
    size_t progressed_capacity;
    uint32_t *stamps; /* owned; [remainder] this is the present step */
    size_t stamp_capacity;
    uint32_t step;
};

/* Both give back what they hold if they fail; fini is idempotent. */
enum cor_status temporal__machine_init(struct temporal__machine *machine, const struct cor_temporal *formula,
                                       struct cor_error *error) COR_MUST_USE;
void temporal__machine_fini(struct temporal__machine *machine);

/* Forgets all states but *one and *other, which get new numbers, if there are many. */
enum cor_status temporal__machine_tidy(struct temporal__machine *machine, uint32_t *one,
                                       uint32_t *other) COR_MUST_USE;

/* Where the input leads from a state. */
enum cor_status temporal__machine_move(struct temporal__machine *machine, uint32_t from,
                                       struct temporal__input input, uint32_t *to) COR_MUST_USE;

/* The place of a move in the table, or of a free one. */
static inline size_t temporal__move_slot(const struct temporal__machine *machine, uint32_t from,
                                         struct temporal__input input) {
    const uint64_t mixed =
        (input.yes ^ (input.no << 32 | input.no >> 32) ^ (uint64_t)from << 16) * UINT64_C(0x9E3779B97F4A7C15);
    size_t slot = (size_t)(mixed >> 32) & (machine->move_slots - 1);
    for (;; slot = (slot + 1) & (machine->move_slots - 1)) {
        const struct temporal__move *move = &machine->moves[slot];
        if (move->from == 0 ||
            (move->from == from + 1 && move->input.yes == input.yes && move->input.no == input.no))
            return slot;
    }
}

/* What watch.c works with; begins with zeros. */
struct temporal__reach;
struct temporal__reaches {
    struct temporal__reach *of_node;      /* owned; [node] */
    struct temporal__reach *of_remainder; /* owned; [remainder], if */
    size_t capacity;
    uint32_t *stamps; /* owned; [remainder] this is the present step */
    size_t stamp_capacity;
    uint32_t step;
};

#endif
