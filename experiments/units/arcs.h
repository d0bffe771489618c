/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the order of units is found over: plans, the events that trigger them and the events they post.
 * Private to this room. */
#ifndef CORRIDOR_UNITS_ARCS_H
#define CORRIDOR_UNITS_ARCS_H

#include <corridor/unit_order.h>

static inline const struct cor_indices *cor__handlers(const struct cor_design *design, uint32_t event) {
    return &design->events[event].handlers;
}

static inline const struct cor_indices *cor__posts(const struct cor_design *design, uint32_t plan) {
    return &design->plans[plan].posts;
}

/* The event that triggers a plan. */
static inline uint32_t cor__trigger(const struct cor_design *design, uint32_t plan) {
    return design->plans[plan].trigger;
}

#endif
