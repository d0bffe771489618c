/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The system's own detector of violations: what triggers a reorganization. It works over the structure's
 * incremental sums and asks nobody; whether it is right is judged by the oracle (R-Detect). */
#ifndef CORRIDOR_MONITOR_H
#define CORRIDOR_MONITOR_H

#include <corridor/state.h>

#include <stdbool.h>

/* What the monitor remembers from case to case; zero-initialise at the start of a sequence. */
struct cor_monitor {
    uint32_t cases_outside; /* consecutive, up to now */
};

/* The dissimilarity of the partitions' mean values by the configuration's measure (terms.h), from the sums.
 */
double cor_monitor_dissimilarity(const struct cor_state *state);

/* Does the monitor raise an alarm, given that dissimilarity? With its fault, if it has one: a draw from
 * `name` with purpose MONITOR_FAULT. */
bool cor_monitor_alarm(struct cor_monitor *monitor, const struct cor_configuration *configuration,
                       double dissimilarity, const struct cor_stream_name *name);

#endif
