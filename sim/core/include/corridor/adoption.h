/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adoption (003, 6): the agents named in a solution are moved one after another from their present partition
 * into the new one of their block; a partition that loses its last member is dissolved. So an agent that the
 * solution misses stays where it was, one that is listed twice ends in the later block, and the structure is
 * a partitioning whatever the solution is - unless adoption itself is faulty. */
#ifndef CORRIDOR_ADOPTION_H
#define CORRIDOR_ADOPTION_H

#include <corridor/state.h>

struct cor_adoption_report {
    uint32_t moved; /* agents that are not in the partition that took over most of their old one (the first on
                       ties) */
    uint32_t corrupted; /* moves that the fault of adoption spoilt */
};

/* Scratch memory of adoption. */
struct cor_adopter;

/* For structures of up to `agent_count` agents. */
enum cor_status cor_adopter_create(uint32_t agent_count, struct cor_adopter **adopter,
                                   struct cor_error *error) COR_MUST_USE;
void cor_adopter_destroy(struct cor_adopter *adopter);

/* Adopts `solution`, raw as it is. Moves are `moves` (unknown agents and blocks are passed over) or, when
 * NULL, agent after agent, block after block. A fault of adoption draws from `name` with purpose
 * ADOPTION_FAULT. Afterwards the solution's blocks come first, in their order, then what remains of old
 * partitions. */
enum cor_status cor_adopt(struct cor_adopter *adopter, struct cor_state *state,
                          const struct cor_lists *solution, const struct cor_move *moves, size_t move_count,
                          const struct cor_stream_name *name, struct cor_adoption_report *report,
                          struct cor_error *error) COR_MUST_USE;

#endif
