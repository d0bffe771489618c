/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The approach operators: they raise the similarity to a target, the share of pairs of agents that both
 * partitionings treat alike (Rand index). Everything is told from overlaps h_t(K), the number of members that
 * block K of the position and block t of the target have in common. A split along the overlaps destroys no
 * pair of the target; a join is made only if it wins more pairs than it loses; an exchange may lose a few.
 * Tries that fail are the rule, so they are cheap: two agents are drawn, not blocks searched, and large
 * blocks are judged by samples wherever a wrong judgement costs only a try. */
#include "psopp.h"

enum {
    TRIES = 8,   /* of each operator */
    SAMPLE = 16, /* members of a block that are looked at; so blocks up to this size are seen whole */
    PAIRS = 2,   /* drawn across two blocks before the join of large ones is counted out */
    LOOKS = 2    /* searches for agents astray, for each exchange */
};

/* A draw below `bound` from half a word, so that one word serves two. Its probabilities are uneven by less
 * than bound / 2^32, which is nothing to a choice that is a heuristic anyway. */
static inline uint32_t half_below(uint32_t half, uint32_t bound) {
    return (uint32_t)((uint64_t)half * bound >> 32);
}

/* Up to SAMPLE places of a block, evenly spread: all of them if it is small. However large blocks are,
 * looking at a sample costs the same. */
struct sample {
    uint32_t place, step, count, size;
};

static inline struct sample sample_from(uint32_t first_place, uint32_t size) {
    bool all = size <= SAMPLE;
    return (struct sample){first_place, all ? 1 : size / SAMPLE, all ? size : SAMPLE, size};
}

static inline void sample_next(struct sample *sample) {
    sample->place += sample->step;
    sample->place -= sample->place >= sample->size ? sample->size : 0;
}

/* Two random agents of one block of the target, and the blocks of the position they are in. */
struct couple {
    uint32_t group;           /* slot in the target */
    uint32_t agent, slot;     /* drawn from all */
    uint32_t mate, mate_slot; /* drawn from the agent's group */
    uint32_t mate_place;      /* in the group */
};

/* false: nothing can be done with the two. They are in the same block, or one is in none (corrupted). */
static inline bool draw_couple(struct psopp *psopp, const struct psopp_position *position,
                               const struct psopp_position *target, struct couple *couple) {
    uint32_t nowhere = psopp->space.nowhere;
    uint64_t word = cor_random_word(psopp->random);
    uint32_t agent = half_below((uint32_t)(word >> 32), psopp->space.agent_count);
    *couple = (struct couple){
        .group = target->label[agent], .agent = agent, .slot = position->label[agent], .mate_slot = nowhere};
    if (couple->group == nowhere)
        return false;
    couple->mate_place = half_below((uint32_t)word, target->blocks[couple->group].size);
    couple->mate = cor__position_members(target, couple->group)[couple->mate_place];
    couple->mate_slot = position->label[couple->mate];
    return couple->slot != couple->mate_slot && couple->slot != nowhere && couple->mate_slot != nowhere;
}

/* Have the block and the target block the same members? Then no operator can do anything there. (A wrong yes,
 * once in 2^64 cases, only costs a try.) */
static bool are_equal(const struct psopp_position *position, uint32_t slot,
                      const struct psopp_position *target, uint32_t group) {
    return position->blocks[slot].print == target->blocks[group].print;
}

/* Tallies agents by target block, and lists the target blocks. Returns how many there are. */
static uint32_t tally(struct psopp_space *space, const uint32_t *restrict agents, uint32_t count,
                      const uint32_t *restrict label) {
    uint64_t *restrict by_target = space->by_target, round = cor__space_round(space);
    uint32_t *restrict list = space->list, listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t group = label[agents[i]];
        list[listed] = group;
        listed += by_target[group] <= round;
        by_target[group] = (by_target[group] > round ? by_target[group] : round) + 1;
    }
    return listed;
}

/* --------------------------------------------------------------------------------------- split */

/* Are all members in the same target block, as far as a sample tells? */
static bool is_one_group(const struct psopp_position *position, uint32_t slot,
                         const struct psopp_position *target, uint32_t first_place) {
    const uint32_t *members = cor__position_members(position, slot), *label = target->label;
    uint32_t group = label[members[first_place]];
    if (are_equal(position, slot, target, group))
        return true;
    struct sample sample = sample_from(first_place, position->blocks[slot].size);
    for (uint32_t i = 0; i < sample.count; i++, sample_next(&sample))
        if (label[members[sample.place]] != group)
            return false;
    return true;
}

/* Brings the members of one target block to the front. Returns how many there are. */
static uint32_t group_to_front(uint32_t *restrict members, uint32_t size, const uint32_t *restrict label,
                               uint32_t group) {
    uint32_t front = 0;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t agent = members[i];
        members[i] = members[front];
        members[front] = agent;
        front += label[agent] == group;
    }
    return front;
}

/* Brings whole groups, drawn at random, to the front until they have at least `wanted` members. Returns how
 * many they have. */
static uint32_t groups_to_front(struct psopp *psopp, uint32_t *restrict members, uint32_t size,
                                const uint32_t *restrict label, uint32_t wanted) {
    struct psopp_space *space = &psopp->space;
    uint32_t left = tally(space, members, size, label), drawn_size = 0, front = 0;
    while (drawn_size < wanted) {
        uint32_t place = cor_random_below(psopp->random, left), group = space->list[place];
        space->list[place] = space->list[--left];
        drawn_size += cor__tallied(space->by_target[group], space->round);
        space->by_target[group] = space->round; /* drawn */
    }
    for (uint32_t i = 0; i < size; i++) {
        uint32_t agent = members[i];
        members[i] = members[front];
        members[front] = agent;
        front += space->by_target[label[agent]] == space->round;
    }
    return front;
}

/* Brings whole groups to the front of the block: that of the member at `place`, and others until they have
 * size_min members. Returns how many they have, 0 if the rest is too small then. */
static uint32_t divide(struct psopp *psopp, struct psopp_position *position, uint32_t slot, uint32_t place,
                       const struct psopp_position *target) {
    uint32_t *members = cor__position_members(position, slot);
    uint32_t size = position->blocks[slot].size, size_min = psopp->space.size_min;
    uint32_t front = group_to_front(members, size, target->label, target->label[members[place]]);
    if (front < size_min)
        front += groups_to_front(psopp, members + front, size - front, target->label, size_min - front);
    return size - front >= size_min ? front : 0;
}

/* A block in which nothing was found is not looked at again. */
bool cor__approach_split(struct psopp *psopp, struct psopp_position *position,
                         const struct psopp_position *target) {
    if (!cor__can_split(position))
        return false;
    uint64_t *by_slot = psopp->space.by_slot, round = cor__space_round(&psopp->space);
    for (int tries = 0; tries < TRIES; tries++) {
        uint64_t word = cor_random_word(psopp->random);
        uint32_t slot = position->splittable[half_below((uint32_t)(word >> 32), position->splittable_count)];
        if (by_slot[slot] > round)
            continue;
        by_slot[slot] = round + 1;
        uint32_t place = half_below((uint32_t)word, position->blocks[slot].size);
        if (is_one_group(position, slot, target, place))
            continue;
        uint32_t front = divide(psopp, position, slot, place, target);
        if (front > 0)
            return cor__psopp_moved(psopp, PSOPP_APPROACH_SPLIT, cor__position_split(position, slot, front));
    }
    return false;
}

/* ---------------------------------------------------------------------------------------- join */

/* Is one of a few random pairs across the two blocks in one target block? Of pairs across blocks whose join
 * wins, more than half are. */
static bool may_win(struct psopp *psopp, const struct psopp_position *position, uint32_t small,
                    uint32_t large, const struct psopp_position *target) {
    const uint32_t *restrict label = target->label, *ones = cor__position_members(position, small);
    const uint32_t *others = cor__position_members(position, large);
    for (int pair = 0; pair < PAIRS; pair++) {
        uint64_t word = cor_random_word(psopp->random);
        uint32_t one = half_below((uint32_t)(word >> 32), position->blocks[small].size);
        uint32_t other = half_below((uint32_t)word, position->blocks[large].size);
        if (label[ones[one]] == label[others[other]])
            return true;
    }
    return false;
}

/* Does a join unite more pairs that the target keeps together than it unites others? */
static bool join_wins(struct psopp *psopp, const struct psopp_position *position, uint32_t small,
                      uint32_t large, const struct psopp_position *target) {
    uint32_t small_size = position->blocks[small].size, large_size = position->blocks[large].size;
    if (small_size + large_size > SAMPLE && !may_win(psopp, position, small, large, target))
        return false;
    const uint32_t *restrict label = target->label;
    const uint32_t *members = cor__position_members(position, large);
    const uint64_t *by_target = psopp->space.by_target;
    tally(&psopp->space, cor__position_members(position, small), small_size, label);
    uint64_t round = psopp->space.round;
    uint64_t right = 0;
    for (uint32_t i = 0; i < large_size; i++)
        right += cor__tallied(by_target[label[members[i]]], round);
    return 2 * right > (uint64_t)small_size * large_size;
}

bool cor__approach_join(struct psopp *psopp, struct psopp_position *position,
                        const struct psopp_position *target) {
    if (!cor__can_join(position))
        return false;
    for (int tries = 0; tries < TRIES; tries++) {
        struct couple couple;
        if (!draw_couple(psopp, position, target, &couple))
            continue;
        struct psopp_pair pair = {.first_size = position->blocks[couple.slot].size,
                                  .second_size = position->blocks[couple.mate_slot].size};
        if (pair.first_size + pair.second_size > psopp->space.size_max)
            continue;
        bool is_small = pair.first_size < pair.second_size;
        if (!join_wins(psopp, position, is_small ? couple.slot : couple.mate_slot,
                       is_small ? couple.mate_slot : couple.slot, target))
            continue;
        pair.first = pair.second = cor__position_join(position, couple.slot, couple.mate_slot);
        return cor__psopp_moved(psopp, PSOPP_APPROACH_JOIN, pair);
    }
    return false;
}

/* ------------------------------------------------------------------------------------ exchange */

/* Both agents of the couple are in one block: looks for another mate, in another block, as far as a sample of
 * the group goes. Without this, a position a few agents away from its target would not find them. */
static bool find_mate(const struct psopp_position *position, const struct psopp_position *target,
                      struct couple *couple, int *looks) {
    uint32_t nowhere = position->space->nowhere;
    if (*looks == 0 || couple->group == nowhere || couple->slot == nowhere ||
        are_equal(position, couple->slot, target, couple->group))
        return false;
    --*looks;
    const uint32_t *members = cor__position_members(target, couple->group), *label = position->label;
    struct sample sample = sample_from(couple->mate_place, target->blocks[couple->group].size);
    for (uint32_t i = 0; i < sample.count; i++, sample_next(&sample))
        if (label[members[sample.place]] != couple->slot) {
            couple->mate_place = sample.place;
            couple->mate = members[sample.place];
            couple->mate_slot = label[couple->mate];
            return couple->mate_slot != nowhere;
        }
    return false;
}

/* Does the mate's block hold more of the group than the agent's, as far as a sample of the group tells? */
static bool mate_has_more(const struct psopp_position *position, const struct couple *couple,
                          const struct psopp_position *target) {
    const uint32_t *members = cor__position_members(target, couple->group), *label = position->label;
    struct sample sample = sample_from(couple->mate_place, target->blocks[couple->group].size);
    int32_t more = 0;
    for (uint32_t i = 0; i < sample.count; i++, sample_next(&sample)) {
        uint32_t slot = label[members[sample.place]];
        more += (slot == couple->mate_slot) - (slot == couple->slot);
    }
    return more > 0;
}

/* The member of block `slot` to be sent to block `to` in return: not of target block `group`, and of the
 * target block that has most members in `to`, as far as samples of both blocks tell. Returns its place,
 * UINT32_MAX if all that were looked at are of `group`. */
static uint32_t draw_return(struct psopp *psopp, const struct psopp_position *position, uint32_t slot,
                            uint32_t to, const struct psopp_position *target, uint32_t group) {
    const uint32_t *restrict label = target->label, *members = cor__position_members(position, to);
    uint64_t *restrict by_target = psopp->space.by_target, round = cor__space_round(&psopp->space);
    uint64_t word = cor_random_word(psopp->random);
    uint32_t size = position->blocks[to].size;
    struct sample sample = sample_from(half_below((uint32_t)word, size), size);
    for (uint32_t i = 0; i < sample.count; i++, sample_next(&sample)) {
        uint64_t *tally = &by_target[label[members[sample.place]]];
        *tally = (*tally > round ? *tally : round) + 1;
    }
    members = cor__position_members(position, slot);
    size = position->blocks[slot].size;
    sample = sample_from(half_below((uint32_t)(word >> 32), size), size);
    uint32_t best = UINT32_MAX, best_score = 0;
    for (uint32_t i = 0; i < sample.count; i++, sample_next(&sample)) {
        uint32_t other = label[members[sample.place]];
        uint32_t score = other == group ? 0 : 1 + cor__tallied(by_target[other], round);
        best = score > best_score ? sample.place : best;
        best_score = score > best_score ? score : best_score;
    }
    return best;
}

static void to_end(struct psopp_position *position, uint32_t slot, uint32_t place) {
    uint32_t *members = cor__position_members(position, slot), last = position->blocks[slot].size - 1;
    uint32_t agent = members[place];
    members[place] = members[last];
    members[last] = agent;
}

/* Where the agent is in the block that holds it. */
static uint32_t place_of(const struct psopp_position *position, uint32_t slot, uint32_t agent) {
    const uint32_t *members = cor__position_members(position, slot);
    uint32_t place = 0;
    while (members[place] != agent)
        place++;
    return place;
}

/* Brings a stray of target block `group` from block `from` into block `to`; in return for another member if
 * that is necessary or a coin says so. */
static bool bring(struct psopp *psopp, struct psopp_position *position, const struct psopp_position *target,
                  uint32_t group, uint32_t stray, uint32_t from, uint32_t to) {
    const struct psopp_block *from_block = &position->blocks[from], *to_block = &position->blocks[to];
    bool plain = to_block->size < psopp->space.size_max && from_block->size > psopp->space.size_min;
    bool swap = !plain || cor_random_below(psopp->random, 2) == 1;
    uint32_t back = swap ? draw_return(psopp, position, to, from, target, group) : UINT32_MAX;
    if (back == UINT32_MAX && !plain)
        return false;
    to_end(position, from, place_of(position, from, stray));
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
    int looks = LOOKS;
    for (int tries = 0; tries < TRIES; tries++) {
        struct couple couple;
        if (!draw_couple(psopp, position, target, &couple) && !find_mate(position, target, &couple, &looks))
            continue;
        bool leave = mate_has_more(position, &couple, target);
        uint32_t stray = leave ? couple.agent : couple.mate;
        uint32_t from = leave ? couple.slot : couple.mate_slot, to = leave ? couple.mate_slot : couple.slot;
        if (bring(psopp, position, target, couple.group, stray, from, to))
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
