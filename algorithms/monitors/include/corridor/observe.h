/* SPDX-License-Identifier: MIT
 *
 * What the built-in monitors share: the conditions of a view, asked of its members. Knows plugin.h and
 * monitor.h alone, so that a monitor outside Corridor can take it along. */
#ifndef CORRIDOR_OBSERVE_H
#define CORRIDOR_OBSERVE_H

#include <corridor/monitor.h>

#include <stdbool.h>

enum { COR_OBSERVE_STEPS_MAX = 512, COR_OBSERVE_MEMBERS_MAX = 65536 }; /* of a condition; that are seen */
enum { COR_OBSERVE_WAITS_MAX = 16 }; /* conditions that are to be violated at several looks on end */

/* How they are asked. */
struct cor_observing {
    const uint32_t *known; /* a set of agents, bit by name modulo its size: others are not seen; NULL: all */
    uint32_t *waits;       /* COR_OBSERVE_WAITS_MAX numbers that an instance remembers, at first 0 */
    bool is_strict;        /* "at most" is taken for "below": wrong at equality */
};
enum { COR_OBSERVE_KNOWN_WORDS = 128 }; /* of `known` */

/* Whether one of the conditions is surely violated, at so many looks on end as it says. */
bool cor_observe_is_violated(const struct cor_monitor_view *view, const struct cor_observing *how);

#endif
