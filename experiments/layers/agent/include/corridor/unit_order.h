/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order in which the units of an agent are tested (000, 4): bottom-up, each behind all it depends on. */
#ifndef CORRIDOR_UNIT_ORDER_H
#define CORRIDOR_UNIT_ORDER_H

#include <corridor/unit.h>

/* Units in order, and why they are in it. Lists by unit lie one behind the other: those of unit u are
 * dependency_start[u] .. dependency_start[u + 1] - 1. */
struct cor_unit_order {
    struct cor_units units;     /* plans and rings as they are discovered, handlers as they are declared */
    uint32_t *dependency_start; /* owned; by unit, one more than there are */
    uint32_t *dependencies;     /* owned; units, each before the one that depends on it */
    uint32_t dependency_count;
    uint32_t *unit_of_plan; /* owned; its own or its ring's; COR_NONE: nothing reaches the plan */
    uint32_t
        *unit_of_event;  /* owned; of events with several handlers that something reaches, else COR_NONE */
    bool *event_reached; /* owned; it is an entry, or a plan posts it that something reaches */
};

/* Finds the units that entry events reach, in time linear in plans, posts and events: strongly connected
 * components of the plans bottom-up, the unit of an event with several handlers right behind that of its last
 * handler. A plan that posts its own trigger is a ring of one; what rules of belief sets post are no arcs. A
 * unit depends on those that test what its plans post; that of an event on its handlers'. */
enum cor_status cor_unit_order_init(struct cor_unit_order *order, const struct cor_design *design,
                                    struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_unit_order_fini(struct cor_unit_order *order);

#define COR_PAPER_STEPS 4

/* The lists of paper 000, section 4, steps 1 to 4, as Fig. 5 makes them: the last has the units that
 * cor_unit_order_init finds, though their order and that of the members of a ring may differ. Depths are 0.
 * COR_STATUS_INPUT: step 1, which lists a ring for each arc that closes one, has more than 10,000,000
 * members. */
enum cor_status cor_paper_order_init(struct cor_units steps[COR_PAPER_STEPS], const struct cor_design *design,
                                     struct cor_error *error) COR_MUST_USE;

/* Frees what they hold. Idempotent. */
void cor_paper_order_fini(struct cor_units steps[COR_PAPER_STEPS]);

#endif
