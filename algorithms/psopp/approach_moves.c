/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The approach operators: they raise the similarity to a target, the share of pairs of agents that both
 * partitionings treat alike (Rand index). Everything is told from overlaps h_t(K), the number of members that
 * block K of the position and block t of the target have in common. A split along the overlaps destroys no
 * pair of the target; a join is made only if it wins more pairs than it loses; an exchange may lose a few. */
#include "psopp.h"

enum { TRIES = 8, SMALL = 128 };

/* A random agent and the block it is in; `nowhere` if it is in none. */
struct slot_and_agent {
    uint32_t slot, agent;
};

static struct slot_and_agent draw_member(struct cor_random *random, const struct psopp_position *position) {
    uint32_t drawn = cor_random_below(random, position->space->agent_count);
    return (struct slot_and_agent){position->label[drawn], drawn};
}

/* Have the block and the target block the same members? Then no operator can do anything there. (A wrong yes,
 * once in 2^64 cases, only costs a try.) */
static bool are_equal(const struct psopp_position *position, uint32_t slot,
                      const struct psopp_position *target, uint32_t group) {
    return position->blocks[slot].print == target->blocks[group].print;
}

/* How the members of a block are spread over the blocks of another partitioning, its groups. */
struct groups {
    uint64_t round;   /* of the tallies that hold their sizes */
    uint32_t count;   /* of groups; they are in space->list, in the order they are met */
    uint32_t largest; /* members in the largest group */
    uint32_t most;    /* the largest group; of equal ones, the one that was it first */
};

/* Tallies the members of block `slot` of one position by the blocks of another, `by`. PSOPP spends most of
 * its time in these two loops, so they are free of branches that nobody could predict. This one is for small
 * blocks. */
static struct groups tally_small(const struct psopp_position *of, uint32_t slot,
                                 const struct psopp_position *by, uint64_t *restrict tallies) {
    const uint32_t *restrict members = cor__position_members(of, slot), size = of->blocks[slot].size;
    const uint32_t *restrict label = by->label;
    uint32_t *restrict list = of->space->list;
    struct groups groups = {.round = cor__space_round(of->space)};
    for (uint32_t i = 0; i < size; i++) {
        uint32_t group = label[members[i]];
        uint64_t tally = (tallies[group] > groups.round ? tallies[group] : groups.round) + 1;
        uint32_t count = (uint32_t)(tally - groups.round);
        tallies[group] = tally;
        list[groups.count] = group;
        groups.count += count == 1;
        groups.most = count > groups.largest ? group : groups.most;
        groups.largest = count > groups.largest ? count : groups.largest;
    }
    return groups;
}

/* The same for large blocks. Where most members are in one group, the loop above waits for its own stores;
 * here the counts are raised in four lanes in turn and summed up in the end, which takes half the time. */
static struct groups tally_large(const struct psopp_position *of, uint32_t slot,
                                 const struct psopp_position *by, uint64_t *restrict tallies) {
    const uint32_t *restrict members = cor__position_members(of, slot), size = of->blocks[slot].size;
    const uint32_t *restrict label = by->label;
    uint32_t *restrict list = of->space->list, listed = 0;
    struct psopp_lanes *restrict lanes = of->space->lanes;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t group = label[members[i]];
        list[listed] = group;
        listed += lanes[group].count[i % PSOPP_LANES]++ == 0;
    }
    struct groups groups = {.round = cor__space_round(of->space)};
    for (uint32_t i = 0; i < listed; i++) {
        uint32_t group = list[i], *part = lanes[group].count, total = part[0] + part[1] + part[2] + part[3];
        if (total == 0) /* listed before, for another lane */
            continue;
        lanes[group] = (struct psopp_lanes){{0}};
        tallies[group] = groups.round + total;
        list[groups.count++] = group;
        groups.most = total > groups.largest ? group : groups.most;
        groups.largest = total > groups.largest ? total : groups.largest;
    }
    return groups;
}

static struct groups tally(const struct psopp_position *of, uint32_t slot, const struct psopp_position *by,
                           uint64_t *tallies) {
    return of->blocks[slot].size < SMALL ? tally_small(of, slot, by, tallies)
                                         : tally_large(of, slot, by, tallies);
}

/* --------------------------------------------------------------------------------------- split */

/* Are all members in the same target block? */
static bool is_one_group(const struct psopp_position *position, uint32_t slot,
                         const struct psopp_position *target) {
    const uint32_t *members = cor__position_members(position, slot);
    uint32_t group = target->label[members[0]], i = 1, size = position->blocks[slot].size;
    if (are_equal(position, slot, target, group))
        return true;
    while (i < size && target->label[members[i]] == group)
        i++;
    return i == size;
}

/* Draws whole groups until they have size_min members, all but one group at most. The tally of a drawn group
 * becomes 0. Returns the number of their members. */
static uint32_t draw_groups(struct psopp *psopp, const struct groups *groups) {
    struct psopp_space *space = &psopp->space;
    uint32_t size = 0;
    for (uint32_t i = 0; i + 1 < groups->count && size < space->size_min; i++) {
        uint32_t place = i + cor_random_below(psopp->random, groups->count - i);
        uint32_t group = space->list[place];
        space->list[place] = space->list[i];
        size += (uint32_t)cor__tallied(space->by_target[group], groups->round);
        space->by_target[group] = groups->round;
    }
    return size;
}

/* Brings the members of the drawn groups to the front of the block. */
static void drawn_to_front(struct psopp_position *position, uint32_t slot,
                           const struct psopp_position *target) {
    const uint64_t *restrict by_target = position->space->by_target, round = position->space->round;
    const uint32_t *restrict label = target->label, size = position->blocks[slot].size;
    uint32_t *restrict members = cor__position_members(position, slot), front = 0;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t agent = members[i];
        members[i] = members[front];
        members[front] = agent;
        front += by_target[label[agent]] == round;
    }
}

/* Brings groups that together are large enough, and leave a rest that is, to the front of the block. Returns
 * their size, 0 if they are not. Sets `hopeless` if no other draw can do better: a single group, or two of
 * which one is too small. */
static uint32_t divide(struct psopp *psopp, struct psopp_position *position, uint32_t slot,
                       const struct psopp_position *target, bool *hopeless) {
    uint32_t size = position->blocks[slot].size, size_min = psopp->space.size_min;
    *hopeless = true;
    if (is_one_group(position, slot, target))
        return 0;
    struct groups groups = tally(position, slot, target, psopp->space.by_target);
    *hopeless = groups.count == 2;
    uint32_t front = draw_groups(psopp, &groups);
    if (front < size_min || size - front < size_min)
        return 0;
    drawn_to_front(position, slot, target);
    return front;
}

bool cor__approach_split(struct psopp *psopp, struct psopp_position *position,
                         const struct psopp_position *target) {
    if (!cor__can_split(position))
        return false;
    uint64_t *by_slot = psopp->space.by_slot,
             round = cor__space_round(&psopp->space); /* tallied: hopeless blocks */
    for (int tries = 0; tries < TRIES; tries++) {
        uint32_t slot = position->splittable[cor_random_below(psopp->random, position->splittable_count)];
        if (by_slot[slot] > round)
            continue;
        bool hopeless;
        uint32_t front = divide(psopp, position, slot, target, &hopeless);
        if (front > 0)
            return cor__psopp_moved(psopp, PSOPP_APPROACH_SPLIT, cor__position_split(position, slot, front));
        if (hopeless)
            by_slot[slot] = round + 1;
    }
    return false;
}

/* ---------------------------------------------------------------------------------------- join */

/* A random other block that holds a member of target block `group` and is small enough to be joined with
 * block `slot`; `nowhere` if there is none. */
static uint32_t draw_partner(struct psopp *psopp, const struct psopp_position *position, uint32_t slot,
                             const struct psopp_position *target, uint32_t group) {
    const struct psopp_space *space = &psopp->space;
    struct groups holders = tally(target, group, position, space->by_slot);
    uint32_t largest = space->size_max - position->blocks[slot].size, count = 0;
    for (uint32_t i = 0; i < holders.count; i++) {
        uint32_t other = space->list[i];
        space->list[count] = other;
        count += (other != slot) & (other != space->nowhere) & (position->blocks[other].size <= largest);
    }
    return count > 0 ? space->list[cor_random_below(psopp->random, count)] : space->nowhere;
}

/* Does a join of block `slot`, whose groups are tallied, and block `other` unite more pairs that the target
 * keeps together than it unites others? */
static bool join_wins(const struct psopp_position *position, uint32_t slot, const struct groups *groups,
                      uint32_t other, const struct psopp_position *target) {
    const uint32_t *members = cor__position_members(position, other), size = position->blocks[other].size;
    uint64_t right = 0;
    for (uint32_t i = 0; i < size; i++)
        right += cor__tallied(position->space->by_target[target->label[members[i]]], groups->round);
    return 2 * right > (uint64_t)position->blocks[slot].size * size;
}

/* A partner for a join with block `slot`, one of whose members is in target block `group`; `nowhere` if none
 * is found. With block L, a group of h members unites at most h * |L| pairs: without a group of more than
 * half of the members, no join wins, and nobody need look. */
static uint32_t find_partner(struct psopp *psopp, const struct psopp_position *position, uint32_t slot,
                             const struct psopp_position *target, uint32_t group) {
    uint32_t nowhere = psopp->space.nowhere, size = position->blocks[slot].size;
    if (are_equal(position, slot, target, group) || size >= psopp->space.size_max)
        return nowhere;
    struct groups groups = tally(position, slot, target, psopp->space.by_target);
    if (2 * groups.largest <= size)
        return nowhere;
    uint32_t partner = draw_partner(psopp, position, slot, target, group);
    return partner != nowhere && join_wins(position, slot, &groups, partner, target) ? partner : nowhere;
}

bool cor__approach_join(struct psopp *psopp, struct psopp_position *position,
                        const struct psopp_position *target) {
    if (!cor__can_join(position))
        return false;
    for (int tries = 0; tries < TRIES; tries++) {
        struct slot_and_agent drawn = draw_member(psopp->random, position);
        if (drawn.slot == psopp->space.nowhere)
            continue;
        uint32_t partner = find_partner(psopp, position, drawn.slot, target, target->label[drawn.agent]);
        if (partner == psopp->space.nowhere)
            continue;
        struct psopp_pair pair = {.first_size = position->blocks[drawn.slot].size,
                                  .second_size = position->blocks[partner].size};
        pair.first = pair.second = cor__position_join(position, drawn.slot, partner);
        return cor__psopp_moved(psopp, PSOPP_APPROACH_JOIN, pair);
    }
    return false;
}

/* ------------------------------------------------------------------------------------ exchange */

/* A member of a block, by its place in it. */
struct slot_and_place {
    uint32_t slot, place;
};

/* A random member of target block `group` that is in another block than where most of them are, which goes to
 * `to`. The slot is `nowhere` if there is none. */
static struct slot_and_place draw_stray(struct psopp *psopp, const struct psopp_position *position,
                                        const struct psopp_position *target, uint32_t group, uint32_t *to) {
    struct psopp_space *space = &psopp->space;
    struct slot_and_place none = {space->nowhere, 0};
    struct groups holders = tally(target, group, position, space->by_slot);
    uint32_t lost = cor__tallied(space->by_slot[space->nowhere], holders.round); /* corrupted: in no block */
    uint32_t strays = target->blocks[group].size - holders.largest - lost;
    *to = holders.most;
    if (holders.most == space->nowhere || strays == 0)
        return none;
    space->by_slot[holders.most] = space->by_slot[space->nowhere] = 0; /* no strays there */
    uint32_t index = cor_random_below(psopp->random, strays), *holder = space->list;
    for (; index >= cor__tallied(space->by_slot[*holder], holders.round); holder++)
        index -= cor__tallied(space->by_slot[*holder], holders.round);
    const uint32_t *members = cor__position_members(position, *holder), size = position->blocks[*holder].size;
    for (uint32_t place = 0; place < size; place++)
        if (target->label[members[place]] == group && index-- == 0)
            return (struct slot_and_place){*holder, place};
    return none; /* corrupted: the target lists it in a later block, too */
}

/* The member of block `slot` to be sent to block `to` in return: not of target block `group`, and of the
 * target block that has most members in `to`. Searched from a random place on, so that no member is preferred
 * for its place. Returns its place, UINT32_MAX if all are of `group`. */
static uint32_t draw_return(struct psopp *psopp, const struct psopp_position *position, uint32_t slot,
                            uint32_t to, const struct psopp_position *target, uint32_t group) {
    if (is_one_group(position, slot, target)) /* all of `group`, for it is where most of that are */
        return UINT32_MAX;
    struct groups groups = tally(position, to, target, psopp->space.by_target);
    const uint32_t *restrict members = cor__position_members(position, slot), *restrict label = target->label;
    const uint64_t *restrict by_target = psopp->space.by_target;
    const uint32_t size = position->blocks[slot].size;
    uint32_t best = UINT32_MAX, best_score = 0, place = cor_random_below(psopp->random, size);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t other = label[members[place]];
        uint32_t score = other == group ? 0 : 1 + cor__tallied(by_target[other], groups.round);
        best = score > best_score ? place : best;
        best_score = score > best_score ? score : best_score;
        place = place + 1 < size ? place + 1 : 0;
    }
    return best;
}

static void to_end(struct psopp_position *position, uint32_t slot, uint32_t place) {
    uint32_t *members = cor__position_members(position, slot), last = position->blocks[slot].size - 1;
    uint32_t agent = members[place];
    members[place] = members[last];
    members[last] = agent;
}

/* Brings a stray into block `to`, where most of its target block `group` is; in return for another member if
 * that is necessary or a coin says so. */
static bool bring(struct psopp *psopp, struct psopp_position *position, const struct psopp_position *target,
                  uint32_t group, struct slot_and_place stray, uint32_t to) {
    const struct psopp_block *from_block = &position->blocks[stray.slot], *to_block = &position->blocks[to];
    bool plain = to_block->size < psopp->space.size_max && from_block->size > psopp->space.size_min;
    bool swap = !plain || cor_random_below(psopp->random, 2) == 1;
    uint32_t back = swap ? draw_return(psopp, position, to, stray.slot, target, group) : UINT32_MAX;
    if (back == UINT32_MAX && !plain)
        return false;
    to_end(position, stray.slot, stray.place);
    if (back != UINT32_MAX)
        to_end(position, to, back);
    cor__position_exchange(position, stray.slot, 1, to, back != UINT32_MAX ? 1 : 0);
    struct psopp_pair pair = {stray.slot, to, from_block->size, to_block->size};
    return cor__psopp_moved(psopp, PSOPP_APPROACH_EXCHANGE, pair);
}

bool cor__approach_exchange(struct psopp *psopp, struct psopp_position *position,
                            const struct psopp_position *target) {
    if (!cor__can_exchange(position))
        return false;
    for (int tries = 0; tries < TRIES; tries++) {
        struct slot_and_agent drawn = draw_member(psopp->random, position);
        if (drawn.slot == psopp->space.nowhere)
            continue;
        uint32_t group = target->label[drawn.agent], to;
        if (are_equal(position, drawn.slot, target, group))
            continue;
        struct slot_and_place stray = draw_stray(psopp, position, target, group, &to);
        if (stray.slot != psopp->space.nowhere && bring(psopp, position, target, group, stray, to))
            return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------------ approach */

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
