/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SPADA with a fault of its mail: a result that misses an agent if certain messages came. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_TESTS_PLANTED_H
#define CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_TESTS_PLANTED_H

#include <corridor/course.h>
#include <corridor/host.h>

#include <stdbool.h>

enum planted_rule {
    PLANTED_IN_ORDER, /* all came, in the order of their list */
    PLANTED_ALL,      /* all came */
    PLANTED_ANY       /* one came at least */
};

#define PLANTED_MOST 3

/* Messages are told by who, to whom, of which kind, and what they say. */
struct planted {
    enum planted_rule rule;
    uint32_t count;
    struct cor_course_message messages[PLANTED_MOST];
    const uint64_t *words; /* borrowed; their payloads, by message.payload */
};

/* Puts the algorithm "planted" into every registry; its fault is called "planted", too. Once a process. */
void planted_embed(void);

/* From now on that is planted. */
void planted_set(const struct planted *planted);

#endif
