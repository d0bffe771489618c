/* SPDX-License-Identifier: MIT
 *
 * What the built-in monitors share: the conditions of a view, asked of its members. Knows plugin.h and
 * monitor.h alone, so that a monitor outside Corridor can take it along. */
#ifndef CORRIDOR_OBSERVE_H
#define CORRIDOR_OBSERVE_H

#include <corridor/monitor.h>

#include <stdbool.h>

enum { COR_OBSERVE_STEPS_MAX = 512, COR_OBSERVE_MEMBERS_MAX = 65536 }; /* of a condition; that are seen */

/* How they are asked. */
struct cor_observing {
    const uint32_t *known; /* a set of agents, bit by name modulo its size: others are not seen; NULL: all */
    bool is_strict;        /* "at most" is taken for "below": wrong at equality */
};
enum { COR_OBSERVE_KNOWN_WORDS = 128 }; /* of `known` */

/* Whether one of the conditions is surely violated. */
bool cor_observe_is_violated(const struct cor_monitor_view *view, const struct cor_observing *how);

#endif
