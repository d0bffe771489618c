/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The approach operators: they raise the similarity to a target, the share of pairs of agents that both
 * partitionings treat alike (Rand index). Everything is told from overlaps h_t(K), the number of members that
 * block K of the position and block t of the target have in common. A split along the overlaps destroys no
 * pair of the target; a join is made only if it wins more pairs than it loses; an exchange may lose a few. */
#include "psopp.h"

enum { TRIES = 8 };

/* A block of the position and an agent in it. */
struct slot_and_agent {
    uint32_t slot, agent;
};

/* A random membership. Drawing an agent would do as long as every agent is in one block. */
static struct slot_and_agent draw_member(struct cor_random *random, const struct psopp_position *position) {
    uint32_t drawn = cor_random_below(random, position->member_count);
    if (!position->corrupted)
        return (struct slot_and_agent){position->label[drawn], drawn};
    uint32_t i = 0;
    for (; drawn >= position->blocks[position->live[i]].size; i++)
        drawn -= position->blocks[position->live[i]].size;
    uint32_t slot = position->live[i];
    return (struct slot_and_agent){slot, cor__position_members(position, slot)[drawn]};
}

/* Counts in by_target the members of block `slot` by their target blocks; lists these blocks in space->list,
 * in the order they are met. Begins a round. Returns their number. */
static uint32_t tally_targets(const struct psopp_position *position, uint32_t slot,
                              const struct psopp_position *target) {
    struct psopp_space *space = position->space;
    uint32_t stamp = cor__space_round(space), groups = 0;
    const uint32_t *members = cor__position_members(position, slot);
    for (uint32_t i = 0; i < position->blocks[slot].size; i++) {
        uint32_t group = target->label[members[i]];
        struct psopp_tally *tally = &space->by_target[group];
        if (tally->stamp != stamp) {
            *tally = (struct psopp_tally){stamp, 0};
            space->list[groups++] = group;
        }
        tally->count++;
    }
    return groups;
}

/* The overlap that the last tally counted. */
static uint32_t tallied(const struct psopp_space *space, uint32_t group) {
    const struct psopp_tally *tally = &space->by_target[group];
    return tally->stamp == space->stamp ? tally->count : 0;
}

/* --------------------------------------------------------------------------------------------------------
 * split */

/* Are all members in the same target block? */
static bool is_one_group(const struct psopp_position *position, uint32_t slot,
                         const struct psopp_position *target) {
    const uint32_t *members = cor__position_members(position, slot);
    for (uint32_t i = 1; i < position->blocks[slot].size; i++)
        if (target->label[members[i]] != target->label[members[0]])
            return false;
    return true;
}

/* Draws whole groups until they have size_min members, all but one group at most. The tally of a drawn group
 * becomes 0. Returns the number of their members. */
static uint32_t draw_groups(struct psopp *psopp, uint32_t groups) {
    struct psopp_space *space = &psopp->space;
    uint32_t size = 0;
    for (uint32_t i = 0; i + 1 < groups && size < space->size_min; i++) {
        uint32_t place = i + cor_random_below(psopp->random, groups - i);
        uint32_t group = space->list[place];
        space->list[place] = space->list[i];
        size += space->by_target[group].count;
        space->by_target[group].count = 0;
    }
    return size;
}

/* Brings the members of the drawn groups to the front of the block. */
static void drawn_to_front(struct psopp_position *position, uint32_t slot,
                           const struct psopp_position *target) {
    const struct psopp_tally *by_target = position->space->by_target;
    uint32_t *members = cor__position_members(position, slot), front = 0;
    for (uint32_t i = 0; i < position->blocks[slot].size; i++) {
        uint32_t agent = members[i];
        members[i] = members[front];
        members[front] = agent;
        front += by_target[target->label[agent]].count == 0;
    }
}

bool cor__approach_split(struct psopp *psopp, struct psopp_position *position,
                         const struct psopp_position *target) {
    if (!cor__can_split(position))
        return false;
    for (int tries = 0; tries < TRIES; tries++) {
        uint32_t slot = position->splittable[cor_random_below(psopp->random, position->splittable_count)];
        if (is_one_group(position, slot, target))
            continue;
        uint32_t groups = tally_targets(position, slot, target);
        uint32_t count = draw_groups(psopp, groups);
        if (count < psopp->space.size_min || position->blocks[slot].size - count < psopp->space.size_min)
            continue;
        drawn_to_front(position, slot, target);
        return cor__psopp_moved(psopp, PSOPP_APPROACH_SPLIT, cor__position_split(position, slot, count));
    }
    return false;
}

/* ---------------------------------------------------------------------------------------------------------
 * join */

/* A random other block that holds a member of target block `group` and is small enough to be joined with
 * block `slot`; `nowhere` if there is none. */
static uint32_t draw_partner(struct psopp *psopp, const struct psopp_position *position, uint32_t slot,
                             const struct psopp_position *target, uint32_t group) {
    struct psopp_space *space = &psopp->space;
    uint32_t stamp = cor__space_round(space), count = 0;
    const uint32_t *members = cor__position_members(target, group);
    for (uint32_t i = 0; i < target->blocks[group].size; i++) {
        uint32_t other = cor__position_slot(position, members[i]);
        if (other == slot || other == space->nowhere || space->by_slot[other].stamp == stamp)
            continue;
        space->by_slot[other].stamp = stamp;
        if (position->blocks[slot].size + position->blocks[other].size <= space->size_max)
            space->list[count++] = other;
    }
    return count > 0 ? space->list[cor_random_below(psopp->random, count)] : space->nowhere;
}

/* Does a join of the two blocks unite more pairs that the target keeps together than it unites others? */
static bool join_wins(const struct psopp_position *position, uint32_t one, uint32_t other,
                      const struct psopp_position *target) {
    tally_targets(position, one, target);
    const uint32_t *members = cor__position_members(position, other);
    uint64_t right = 0, all = (uint64_t)position->blocks[one].size * position->blocks[other].size;
    for (uint32_t i = 0; i < position->blocks[other].size; i++)
        right += tallied(position->space, target->label[members[i]]);
    return 2 * right > all;
}

bool cor__approach_join(struct psopp *psopp, struct psopp_position *position,
                        const struct psopp_position *target) {
    if (position->live_count <= psopp->space.count_min || position->live_count < 2)
        return false;
    for (int tries = 0; tries < TRIES; tries++) {
        struct slot_and_agent drawn = draw_member(psopp->random, position);
        uint32_t partner = draw_partner(psopp, position, drawn.slot, target, target->label[drawn.agent]);
        if (partner == psopp->space.nowhere || !join_wins(position, drawn.slot, partner, target))
            continue;
        struct psopp_pair pair = {.first_size = position->blocks[drawn.slot].size,
                                  .second_size = position->blocks[partner].size};
        pair.first = pair.second = cor__position_join(position, drawn.slot, partner);
        return cor__psopp_moved(psopp, PSOPP_APPROACH_JOIN, pair);
    }
    return false;
}

/* -----------------------------------------------------------------------------------------------------
 * exchange */

/* The block with most members of target block `group`; of equal ones, the one met first. Sets the number of
 * members of the group that are elsewhere, in space->list. `nowhere` if no member is in any block. */
static uint32_t gathering_place(const struct psopp_position *position, const struct psopp_position *target,
                                uint32_t group, uint32_t *elsewhere) {
    struct psopp_space *space = position->space;
    uint32_t stamp = cor__space_round(space), most = space->nowhere, most_count = 0;
    const uint32_t *members = cor__position_members(target, group);
    for (uint32_t i = 0; i < target->blocks[group].size; i++) {
        uint32_t slot = cor__position_slot(position, members[i]);
        struct psopp_tally *tally = &space->by_slot[slot];
        *tally = (struct psopp_tally){stamp, tally->stamp == stamp ? tally->count + 1 : 1};
        if (tally->count > most_count && slot != space->nowhere) {
            most = slot;
            most_count = tally->count;
        }
    }
    *elsewhere = 0;
    for (uint32_t i = 0; i < target->blocks[group].size; i++) {
        uint32_t slot = cor__position_slot(position, members[i]);
        if (slot != most && slot != space->nowhere)
            space->list[(*elsewhere)++] = members[i];
    }
    return most;
}

/* The member of block `slot` to be sent to block `to` in return: not of target block `group`, and of the
 * target block that has most members in `to`. Searched from a random place on, so that no member is preferred
 * for its place. Returns its place, UINT32_MAX if all are of `group`. */
static uint32_t draw_return(struct psopp *psopp, const struct psopp_position *position, uint32_t slot,
                            uint32_t to, const struct psopp_position *target, uint32_t group) {
    tally_targets(position, to, target);
    const uint32_t *members = cor__position_members(position, slot);
    uint32_t size = position->blocks[slot].size, best = UINT32_MAX, best_overlap = 0;
    uint32_t first = cor_random_below(psopp->random, size);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t place = first + i < size ? first + i : first + i - size;
        uint32_t other = target->label[members[place]];
        if (other == group || (best != UINT32_MAX && tallied(position->space, other) <= best_overlap))
            continue;
        best = place;
        best_overlap = tallied(position->space, other);
    }
    return best;
}

static void to_end(struct psopp_position *position, uint32_t slot, uint32_t place) {
    uint32_t *members = cor__position_members(position, slot), last = position->blocks[slot].size - 1;
    uint32_t agent = members[place];
    members[place] = members[last];
    members[last] = agent;
}

static uint32_t place_of(const struct psopp_position *position, uint32_t slot, uint32_t agent) {
    const uint32_t *members = cor__position_members(position, slot);
    uint32_t place = 0;
    while (members[place] != agent)
        place++;
    return place;
}

/* Brings `agent` from block `from` into block `to`, where most of its target block `group` is; in return for
 * another member if that is necessary or a coin says so. */
static bool bring(struct psopp *psopp, struct psopp_position *position, const struct psopp_position *target,
                  uint32_t group, uint32_t agent, uint32_t from, uint32_t to) {
    const struct psopp_block *from_block = &position->blocks[from], *to_block = &position->blocks[to];
    bool plain = to_block->size < psopp->space.size_max && from_block->size > psopp->space.size_min;
    bool swap = !plain || cor_random_below(psopp->random, 2) == 1;
    uint32_t back = swap ? draw_return(psopp, position, to, from, target, group) : UINT32_MAX;
    if (back == UINT32_MAX && !plain)
        return false;
    to_end(position, from, place_of(position, from, agent));
    if (back != UINT32_MAX)
        to_end(position, to, back);
    cor__position_exchange(position, from, 1, to, back != UINT32_MAX ? 1 : 0);
    struct psopp_pair pair = {from, to, from_block->size, to_block->size};
    return cor__psopp_moved(psopp, PSOPP_APPROACH_EXCHANGE, pair);
}

bool cor__approach_exchange(struct psopp *psopp, struct psopp_position *position,
                            const struct psopp_position *target) {
    if (!cor__can_exchange(position))
        return false;
    for (int tries = 0; tries < TRIES; tries++) {
        struct slot_and_agent drawn = draw_member(psopp->random, position);
        uint32_t group = target->label[drawn.agent], elsewhere;
        uint32_t to = gathering_place(position, target, group, &elsewhere);
        if (elsewhere == 0)
            continue;
        uint32_t agent = psopp->space.list[cor_random_below(psopp->random, elsewhere)];
        if (bring(psopp, position, target, group, agent, cor__position_slot(position, agent), to))
            return true;
    }
    return false;
}

/* -----------------------------------------------------------------------------------------------------
 * approach */

/* All orders of the three operators: split, join, exchange. With last_resort the exchange is left out. */
static const enum psopp_operator orders[6][3] = {
    {PSOPP_APPROACH_SPLIT, PSOPP_APPROACH_JOIN, PSOPP_APPROACH_EXCHANGE},
    {PSOPP_APPROACH_JOIN, PSOPP_APPROACH_SPLIT, PSOPP_APPROACH_EXCHANGE},
    {PSOPP_APPROACH_SPLIT, PSOPP_APPROACH_EXCHANGE, PSOPP_APPROACH_JOIN},
    {PSOPP_APPROACH_JOIN, PSOPP_APPROACH_EXCHANGE, PSOPP_APPROACH_SPLIT},
    {PSOPP_APPROACH_EXCHANGE, PSOPP_APPROACH_SPLIT, PSOPP_APPROACH_JOIN},
    {PSOPP_APPROACH_EXCHANGE, PSOPP_APPROACH_JOIN, PSOPP_APPROACH_SPLIT},
};

bool cor__approach(struct psopp *psopp, struct psopp_position *position,
                   const struct psopp_position *target) {
    psopp_move *const *move = psopp->moves->move;
    if (!psopp->mixed && !cor__can_split(position) && !cor__can_join(position))
        return move[PSOPP_APPROACH_EXCHANGE](psopp, position, target);
    /* The first two orders end with the exchange: without it, they are the orders of split and join. */
    const enum psopp_operator *order = orders[cor_random_below(psopp->random, psopp->mixed ? 6 : 2)];
    for (int i = 0; i < (psopp->mixed ? 3 : 2); i++)
        if (move[order[i]](psopp, position, target))
            return true;
    return false;
}
