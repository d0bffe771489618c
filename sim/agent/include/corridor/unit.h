/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Units: the parts of an agent that are tested as one (000, 2), in the order of testing, and the cases of
 * each. */
#ifndef CORRIDOR_UNIT_H
#define CORRIDOR_UNIT_H

#include <corridor/design.h>

/* One unit; its number is its index among the units, which is the order of testing. */
struct cor_unit {
    enum cor_unit_kind kind;
    uint32_t event; /* EVENT: itself; PLAN: the trigger; RING: COR_NONE */
    uint32_t
        first_member; /* among the members of all units; PLAN: itself; EVENT: its handlers; RING: its plans */
    uint32_t member_count;
    uint32_t depth; /* 0: depends on no other unit; else one more than the deepest it depends on */
};

/* All units of a design. Begins with cor_units_init. */
struct cor_units {
    struct cor_unit *units; /* owned; those tested first come first */
    uint32_t count;
    size_t capacity;
    struct cor_indices members; /* plans, unit after unit */
};

/* One case of a unit: its values are one entry after the other in an array of its maker. */
struct cor_unit_case {
    uint32_t entry;  /* the event that is posted */
    uint32_t value;  /* its first value */
    bool valid;      /* every class it is made of is */
    bool applicable; /* the contexts of the design allow it */
};

/* No units; frees nothing. */
void cor_units_init(struct cor_units *units);

/* Frees what the units hold. Idempotent. */
void cor_units_fini(struct cor_units *units);

/* Appends a unit of these members (copied); its depth is 0. */
enum cor_status cor_units_add(struct cor_units *units, enum cor_unit_kind kind, uint32_t event,
                              const uint32_t *members, uint32_t member_count,
                              struct cor_error *error) COR_MUST_USE;

/* The plans of a unit. */
static inline const uint32_t *cor_unit_members(const struct cor_units *units, const struct cor_unit *unit) {
    return units->members.items + unit->first_member;
}

/* The name of a unit: "PT(P5)", "CT(P3,P1,P2)", "ET(e4)"; free() it. NULL when memory is out. */
char *cor_unit_name(const struct cor_design *design, const struct cor_units *units, uint32_t unit);

#endif
