/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A violated constraint as data: made by the oracle, stored by the record, worded here. */
#ifndef CORRIDOR_VIOLATION_H
#define CORRIDOR_VIOLATION_H

#include <corridor/terms.h>

#include <stddef.h>
#include <stdint.h>

#define COR_NOBODY UINT32_MAX /* no agent, no partition */

struct cor_violation {
    enum cor_check check;
    uint32_t agent;     /* COR_NOBODY where the check is not about one agent */
    uint32_t partition; /* index of the block, COR_NOBODY where it is not about one */
    double expected;    /* the bound, the number of occurrences, or the threshold */
    double found;
};

/* The violation as a sentence with full stop, e.g. "Agent 17 is in no partition, expected in exactly one.",
 * into `text`. */
void cor_violation_text(const struct cor_violation *violation, char *text, size_t size);

#endif
