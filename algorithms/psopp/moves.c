/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The random operators: they explore, and leave a feasible position feasible. */
#include "psopp.h"

enum { JOIN_TRIES = 20, EXCHANGE_TRIES = 10 };

static inline void swap_members(uint32_t *members, uint32_t one, uint32_t other) {
    uint32_t held = members[one];
    members[one] = members[other];
    members[other] = held;
}

/* Brings `count` random members to the end of the block: every subset equally likely. A word serves two. */
static void draw_to_end(struct cor_random *random, uint32_t *members, uint32_t size, uint32_t count) {
    for (uint32_t end = size, stop = size - count; end > stop; end -= 2) {
        struct psopp_halves halves = psopp__halves(random);
        swap_members(members, psopp__half_below(halves.one, end), end - 1);
        if (end - 1 == stop)
            break;
        swap_members(members, psopp__half_below(halves.other, end - 1), end - 2);
    }
}

/* The same to the front. */
static void draw_to_front(struct cor_random *random, uint32_t *members, uint32_t size, uint32_t count) {
    for (uint32_t begin = 0; begin < count; begin += 2) {
        struct psopp_halves halves = psopp__halves(random);
        swap_members(members, begin + psopp__half_below(halves.one, size - begin), begin);
        if (begin + 1 == count)
            break;
        swap_members(members, begin + 1 + psopp__half_below(halves.other, size - begin - 1), begin + 1);
    }
}

bool psopp__random_split(struct psopp *psopp, struct psopp_position *position,
                         const struct psopp_position *target) {
    (void)target;
    struct cor_random *random = psopp->random;
    struct psopp_halves halves = psopp__halves(random);
    uint32_t slot = position->splittable[psopp__half_below(halves.one, position->splittable_count)];
    uint32_t size = position->blocks[slot].size, size_min = psopp->space.size_min;
    uint32_t count = size_min + psopp__half_below(halves.other, size - 2 * size_min + 1);
    /* The first `count` members become the one part. A random subset of one size leaves a random rest of the
     * other, so the smaller part is drawn, at its own end of the block. */
    uint32_t *members = psopp__position_members(position, slot);
    if (count <= size - count)
        draw_to_front(random, members, size, count);
    else
        draw_to_end(random, members, size, size - count);
    return psopp__psopp_moved(psopp, PSOPP_RANDOM_SPLIT, psopp__position_split(position, slot, count));
}

/* Two different blocks, uniform over the ordered pairs. */
static struct psopp_pair draw_pair(struct cor_random *random, const struct psopp_position *position) {
    struct psopp_halves halves = psopp__halves(random);
    uint32_t one = psopp__half_below(halves.one, position->live_count);
    uint32_t other = psopp__half_below(halves.other, position->live_count - 1);
    struct psopp_pair pair = {.first = position->live[one], .second = position->live[other + (other >= one)]};
    pair.first_size = position->blocks[pair.first].size;
    pair.second_size = position->blocks[pair.second].size;
    return pair;
}

/* The two smallest blocks; of equal ones, those earlier in `live`. */
static struct psopp_pair smallest_pair(const struct psopp_position *position) {
    struct psopp_pair pair = {.first_size = UINT32_MAX, .second_size = UINT32_MAX};
    for (uint32_t i = 0; i < position->live_count; i++) {
        uint32_t slot = position->live[i], size = position->blocks[slot].size;
        if (size < pair.first_size)
            pair = (struct psopp_pair){slot, pair.first, size, pair.first_size};
        else if (size < pair.second_size)
            pair = (struct psopp_pair){pair.first, slot, pair.first_size, size};
    }
    return pair;
}

struct psopp_pair psopp__random_join_pair(struct psopp *psopp, const struct psopp_position *position) {
    for (int tries = 0; tries < JOIN_TRIES; tries++) {
        struct psopp_pair pair = draw_pair(psopp->random, position);
        if (pair.first_size + pair.second_size <= psopp->space.size_max)
            return pair;
    }
    return smallest_pair(position);
}

bool psopp__random_join_finish(struct psopp *psopp, struct psopp_position *position, struct psopp_pair pair) {
    pair.first = psopp__position_join(position, pair.first, pair.second);
    pair.second = pair.first;
    return psopp__psopp_moved(psopp, PSOPP_RANDOM_JOIN, pair);
}

bool psopp__random_join(struct psopp *psopp, struct psopp_position *position,
                        const struct psopp_position *target) {
    (void)target;
    return psopp__random_join_finish(psopp, position, psopp__random_join_pair(psopp, position));
}

/* May `away` members of the first block change places with `back` members of the second? */
static bool exchange_fits(const struct psopp_space *space, const struct psopp_pair *pair, uint32_t away,
                          uint32_t back) {
    if (away > pair->first_size || back > pair->second_size)
        return false;
    uint32_t first = pair->first_size - away + back, second = pair->second_size - back + away;
    bool swaps_all = away == pair->first_size && back == pair->second_size;
    return !swaps_all && first >= space->size_min && first <= space->size_max && second >= space->size_min &&
           second <= space->size_max;
}

bool psopp__random_exchange(struct psopp *psopp, struct psopp_position *position,
                            const struct psopp_position *target) {
    (void)target;
    uint32_t choices = psopp->exchange_max + 1;
    for (int tries = 0; tries < EXCHANGE_TRIES; tries++) {
        struct psopp_pair pair = draw_pair(psopp->random, position);
        uint32_t counts = 1 + cor_random_below(psopp->random, choices * choices - 1); /* not 0 against 0 */
        uint32_t away = counts / choices, back = counts % choices;
        if (!exchange_fits(&psopp->space, &pair, away, back))
            continue;
        draw_to_end(psopp->random, psopp__position_members(position, pair.first), pair.first_size, away);
        draw_to_end(psopp->random, psopp__position_members(position, pair.second), pair.second_size, back);
        psopp__position_exchange(position, pair.first, away, pair.second, back);
        pair.first_size = position->blocks[pair.first].size;
        pair.second_size = position->blocks[pair.second].size;
        return psopp__psopp_moved(psopp, PSOPP_RANDOM_EXCHANGE, pair);
    }
    return false;
}

/* ---- the approach operators: they raise the similarity to a target, the share of pairs of agents that both
 * partitionings treat alike (Rand index). Everything is told from overlaps h_t(K), the number of members that
 * block K of the position and block t of the target, a "group", have in common. A split along the overlaps
 * destroys no pair of the target; a join is made only if it wins more pairs than it loses; an exchange may
 * lose a few.
 *
 * Tries that fail are the rule, so they are cheap: agents are drawn, not blocks searched, and where a wrong
 * judgement costs only a try, no more than SAMPLE members of a block are looked at */

enum {
    SPLIT_TRIES = 4,
    APPROACH_JOIN_TRIES = 16,
    APPROACH_EXCHANGE_TRIES = 16,
    SAMPLE = 16 /* so blocks up to this size are seen whole */
};

/* Up to `most` places of a list, evenly spread; all of them if it is that short. */
struct sample {
    uint32_t place, step, count, size;
};

static inline struct sample sample_from(uint32_t first_place, uint32_t size, uint32_t most) {
    uint32_t step = size / most;
    return (struct sample){first_place, step > 0 ? step : 1, size < most ? size : most, size};
}

static inline void sample_next(struct sample *sample) {
    sample->place += sample->step;
    sample->place -= sample->place >= sample->size ? sample->size : 0;
}

/* Have the block and the target block the same members? Then no operator can do anything there. (A wrong yes,
 * once in 2^64 cases, only costs a try.) */
static bool are_equal(const struct psopp_position *position, uint32_t slot,
                      const struct psopp_position *target, uint32_t group) {
    return position->blocks[slot].print == target->blocks[group].print;
}

/* How many members are in the group? */
static uint32_t count_group(const uint32_t *restrict members, uint32_t size, const uint32_t *restrict label,
                            uint32_t group) {
    if (size <= 3) /* the usual case where size_min is small; a loop would end when nobody expects it */
        return (uint32_t)((label[members[0]] == group) + ((size > 1) & (label[members[size / 2]] == group)) +
                          ((size > 2) & (label[members[size - 1]] == group)));
    uint32_t count = 0;
    for (uint32_t i = 0; i < size; i++)
        count += label[members[i]] == group;
    return count;
}

/* Are all members of the block in the group of the one at `place`, as far as a sample tells? */
static bool is_one_group(const struct psopp_position *position, uint32_t slot,
                         const struct psopp_position *target, uint32_t place) {
    const uint32_t *members = psopp__position_members(position, slot), *label = target->label;
    uint32_t group = label[members[place]];
    if (are_equal(position, slot, target, group))
        return true;
    struct sample sample = sample_from(place, position->blocks[slot].size, SAMPLE);
    for (uint32_t i = 0; i < sample.count; i++, sample_next(&sample))
        if (label[members[sample.place]] != group)
            return false;
    return true;
}

/* Brings the members of one group to the front. */
static void group_to_front(uint32_t *restrict members, uint32_t size, const uint32_t *restrict label,
                           uint32_t group) {
    uint32_t front = 0;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t agent = members[i];
        members[i] = members[front];
        members[front] = agent;
        front += label[agent] == group;
    }
}

/* Tallies the members of the block by group, and lists the groups. Returns how many there are. */
static uint32_t tally_groups(struct psopp_space *space, const uint32_t *restrict members, uint32_t size,
                             const uint32_t *restrict label) {
    uint64_t *restrict by_target = space->by_target, round = psopp__space_round(space);
    uint32_t *restrict list = space->list, listed = 0;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t group = label[members[i]];
        uint64_t tally = by_target[group];
        list[listed] = group;
        listed += tally <= round;
        by_target[group] = (tally > round ? tally : round) + 1;
    }
    return listed;
}

/* Brings whole groups to the front until they have size_min members: `first`, and others at random. Returns
 * how many members they have. */
static uint32_t groups_to_front(struct psopp *psopp, uint32_t *restrict members, uint32_t size,
                                const uint32_t *restrict label, uint32_t first) {
    struct psopp_space *space = &psopp->space;
    uint64_t *by_target = space->by_target;
    uint32_t left = tally_groups(space, members, size, label), drawn = 0, group = first, front = 0;
    uint64_t round = space->round;
    for (;;) {
        drawn += psopp__tallied(by_target[group], round);
        by_target[group] = round; /* drawn */
        if (drawn >= space->size_min)
            break;
        uint32_t place = cor_random_below(psopp->random, left); /* `first` is listed, too, and adds nothing */
        group = space->list[place];
        space->list[place] = space->list[--left];
    }
    for (uint32_t i = 0; i < size; i++) {
        uint32_t agent = members[i];
        members[i] = members[front];
        members[front] = agent;
        front += by_target[label[agent]] == round;
    }
    return front;
}

/* Brings whole groups to the front of the block: that of the member at `place`, and others until they have
 * size_min members. Returns how many they have, 0 if the rest is too small then. */
static uint32_t divide(struct psopp *psopp, struct psopp_position *position, uint32_t slot, uint32_t place,
                       const struct psopp_position *target) {
    uint32_t *members = psopp__position_members(position, slot), *label = target->label;
    uint32_t size = position->blocks[slot].size, size_min = psopp->space.size_min;
    uint32_t group = label[members[place]], front = count_group(members, size, label, group);
    if (size - front < size_min)
        return 0;
    if (front >= size_min)
        group_to_front(members, size, label, group);
    else
        front = groups_to_front(psopp, members, size, label, group);
    return size - front >= size_min ? front : 0;
}

bool psopp__approach_split(struct psopp *psopp, struct psopp_position *position,
                           const struct psopp_position *target) {
    if (!psopp__can_split(position))
        return false;
    struct psopp_halves halves = psopp__halves(psopp->random);
    uint32_t count = position->splittable_count;
    struct sample tries = sample_from(psopp__half_below(halves.one, count), count, SPLIT_TRIES);
    for (uint32_t i = 0; i < tries.count; i++, sample_next(&tries)) {
        uint32_t slot = position->splittable[tries.place];
        uint32_t place = psopp__half_below(halves.other, position->blocks[slot].size);
        if (is_one_group(position, slot, target, place))
            continue;
        uint32_t front = divide(psopp, position, slot, place, target);
        if (front > 0)
            return psopp__psopp_moved(psopp, PSOPP_APPROACH_SPLIT,
                                      psopp__position_split(position, slot, front));
    }
    return false;
}

/* Members of the block in the group if these are more than half of all, else 0. Of large blocks with clearly
 * fewer, a sample is enough to see that. */
static uint32_t majority(const struct psopp_position *position, uint32_t slot,
                         const struct psopp_position *target, uint32_t group) {
    const uint32_t *members = psopp__position_members(position, slot), *label = target->label;
    uint32_t size = position->blocks[slot].size;
    if (size > 2 * SAMPLE) {
        uint32_t seen = 0;
        struct sample sample = sample_from(0, size, SAMPLE);
        for (uint32_t i = 0; i < SAMPLE; i++, sample_next(&sample))
            seen += label[members[sample.place]] == group;
        if (seen < SAMPLE / 4)
            return 0;
    }
    uint32_t count = count_group(members, size, label, group);
    return 2 * count > size ? count : 0;
}

/* Does a join unite more pairs that the target keeps together than it unites others? `one_right` members of
 * `one` are in the group, its majority. To win takes a group that has the majority in both blocks: for with
 * p > 1/2 of one block in a group and q > 1/2 of the other in another, no more than p (1 - q) + (1 - p) q <=
 * 1/2 of the pairs belong together. The pairs of that group mostly decide; if not, all are counted. */
static bool join_wins(struct psopp *psopp, const struct psopp_position *position, uint32_t one,
                      uint64_t one_right, uint32_t other, const struct psopp_position *target,
                      uint32_t group) {
    uint64_t other_right = majority(position, other, target, group);
    if (other_right == 0)
        return false;
    uint32_t one_size = position->blocks[one].size, other_size = position->blocks[other].size;
    uint64_t pairs = (uint64_t)one_size * other_size, right = one_right * other_right;
    if (2 * right > pairs)
        return true;
    if (2 * (right + (one_size - one_right) * (other_size - other_right)) <= pairs)
        return false;
    const uint32_t *members = psopp__position_members(position, other), *label = target->label;
    (void)tally_groups(&psopp->space, psopp__position_members(position, one), one_size, label);
    right = 0;
    for (uint32_t i = 0; i < other_size; i++)
        right += psopp__tallied(psopp->space.by_target[label[members[i]]], psopp->space.round);
    return 2 * right > pairs;
}

/* A block whose join with block `slot` wins, by members of the group; as far as a sample of the group tells.
 * `nowhere` if there is none. */
static uint32_t find_partner(struct psopp *psopp, const struct psopp_position *position, uint32_t slot,
                             const struct psopp_position *target, uint32_t group, uint32_t first_place) {
    const uint32_t *members = psopp__position_members(target, group), *label = position->label;
    uint32_t nowhere = psopp->space.nowhere, seen = slot;
    uint32_t largest = psopp->space.size_max - position->blocks[slot].size;
    uint32_t right = 0; /* counted when there is a block to join with: often there is none */
    struct sample sample = sample_from(first_place, target->blocks[group].size, SAMPLE);
    for (uint32_t i = 0; i < sample.count; i++, sample_next(&sample)) {
        uint32_t other = label[members[sample.place]];
        if ((other == slot) | (other == seen) | (other == nowhere) | (position->blocks[other].size > largest))
            continue;
        if (right == 0)
            right = majority(position, slot, target, group);
        if (right == 0)
            return nowhere;
        if (join_wins(psopp, position, slot, right, other, target, group))
            return other;
        seen = other;
    }
    return nowhere;
}

bool psopp__approach_join(struct psopp *psopp, struct psopp_position *position,
                          const struct psopp_position *target) {
    if (!psopp__can_join(position))
        return false;
    uint32_t nowhere = psopp->space.nowhere;
    struct psopp_halves halves = psopp__halves(psopp->random);
    uint32_t count = psopp->space.agent_count;
    uint32_t largest = psopp->space.size_max - psopp__position_smallest(position); /* that fits any other */
    struct sample tries = sample_from(psopp__half_below(halves.one, count), count, APPROACH_JOIN_TRIES);
    for (uint32_t i = 0; i < tries.count; i++, sample_next(&tries)) {
        uint32_t group = target->label[tries.place], slot = position->label[tries.place];
        if (group == nowhere || slot == nowhere)
            continue;
        uint32_t place = psopp__half_below(halves.other, position->blocks[slot].size);
        uint32_t companion = psopp__position_members(position, slot)[place];
        if (target->label[companion] != group || are_equal(position, slot, target, group) ||
            position->blocks[slot].size > largest)
            continue;
        uint32_t first_place = psopp__half_below(halves.other, target->blocks[group].size);
        uint32_t partner = find_partner(psopp, position, slot, target, group, first_place);
        if (partner == nowhere)
            continue;
        struct psopp_pair pair = {.first_size = position->blocks[slot].size,
                                  .second_size = position->blocks[partner].size};
        pair.first = pair.second = psopp__position_join(position, slot, partner);
        return psopp__psopp_moved(psopp, PSOPP_APPROACH_JOIN, pair);
    }
    return false;
}

/* An agent that is elsewhere than its group. */
struct stray {
    uint32_t agent, from; /* from: `nowhere` if there is none */
    uint32_t to;          /* the home of the group */
};

/* Looks for a stray of a group, as far as a sample of the group goes; rather for one that can come without
 * another going back. Home is where most are. Two groups that have most of theirs in the same block would
 * stay there for ever, so `anywhere` makes it the block of one of them, whichever that is. */
static struct stray find_stray(struct psopp_space *space, const struct psopp_position *position,
                               const struct psopp_position *target, uint32_t group, uint32_t first_place,
                               bool anywhere) {
    const uint32_t *restrict members = psopp__position_members(target, group);
    const uint32_t *restrict label = position->label;
    uint64_t *restrict by_slot = space->by_slot, round = psopp__space_round(space), most = round;
    uint32_t slots[SAMPLE], nowhere = space->nowhere, home = nowhere, apart = 0;
    const struct sample first = sample_from(first_place, target->blocks[group].size, SAMPLE);
    struct sample sample = first;
    slots[0] = label[members[first_place]];
    for (uint32_t i = 0; i < first.count; i++, sample_next(&sample)) {
        slots[i] = label[members[sample.place]];
        apart |= slots[i] ^ slots[0];
    }
    if (apart == 0)
        return (struct stray){0, nowhere, nowhere}; /* often all are in one block */
    by_slot[nowhere] = 0; /* corrupted: agents in no block are counted, but are at home nowhere */
    for (uint32_t i = 0; i < first.count; i++) {
        uint32_t slot = slots[i];
        uint64_t tally = (by_slot[slot] > round ? by_slot[slot] : round) + 1;
        by_slot[slot] = tally;
        home = tally > most ? slot : home;
        most = tally > most ? tally : most;
    }
    home = anywhere ? slots[0] : home;
    uint32_t at_home = psopp__tallied(by_slot[home], round), home_size = position->blocks[home].size;
    struct stray stray = {0, nowhere, home};
    if (home == nowhere)
        return stray;
    /* A stray scores 2 if it can come alone; 1 if another has to go back, which takes one at home that is not
     * of the group. No branches: the processor could only guess them. */
    uint32_t least = home_size < space->size_max ? space->size_min : UINT32_MAX, best = at_home == home_size;
    uint32_t chosen = SAMPLE;
    for (uint32_t i = 0; i < first.count; i++) {
        uint32_t slot = slots[i], is_stray = (slot != home) & (slot != nowhere);
        uint32_t score = is_stray << (position->blocks[slot].size > least);
        chosen = score > best ? i : chosen;
        best = score > best ? score : best;
    }
    if (chosen < SAMPLE) {
        uint32_t place = first_place + chosen * first.step;
        stray.agent = members[place < first.size ? place : place - first.size];
        stray.from = slots[chosen];
    }
    return stray;
}

/* The place of a member of block `slot` to be sent to block `to` in return: not of target block `group`; if
 * there is one, of the same target block as a random member of `to`. UINT32_MAX if a sample finds none. */
static uint32_t draw_return(struct psopp *psopp, const struct psopp_position *position, uint32_t slot,
                            uint32_t to, const struct psopp_position *target, uint32_t group) {
    const uint32_t *restrict label = target->label, *members = psopp__position_members(position, to);
    struct psopp_halves halves = psopp__halves(psopp->random);
    uint32_t wanted = label[members[psopp__half_below(halves.other, position->blocks[to].size)]];
    members = psopp__position_members(position, slot);
    uint32_t size = position->blocks[slot].size, found = UINT32_MAX;
    struct sample sample = sample_from(psopp__half_below(halves.one, size), size, SAMPLE);
    for (uint32_t i = 0; i < sample.count; i++, sample_next(&sample)) {
        uint32_t other = label[members[sample.place]];
        if (other == group)
            continue;
        found = sample.place;
        if (other == wanted)
            break;
    }
    return found;
}

static void to_end(struct psopp_position *position, uint32_t slot, uint32_t place) {
    uint32_t *members = psopp__position_members(position, slot), last = position->blocks[slot].size - 1;
    uint32_t agent = members[place];
    members[place] = members[last];
    members[last] = agent;
}

/* Where the agent is in the block that holds it. */
static uint32_t place_of(const struct psopp_position *position, uint32_t slot, uint32_t agent) {
    const uint32_t *members = psopp__position_members(position, slot);
    uint32_t place = 0;
    while (members[place] != agent)
        place++;
    return place;
}

/* Brings a stray home; in return for another member if that is necessary or a coin says so. */
static bool bring(struct psopp *psopp, struct psopp_position *position, const struct psopp_position *target,
                  uint32_t group, const struct stray *stray, bool coin) {
    const struct psopp_block *from = &position->blocks[stray->from], *to = &position->blocks[stray->to];
    bool plain = to->size < psopp->space.size_max && from->size > psopp->space.size_min;
    uint32_t back = UINT32_MAX;
    if (!plain || coin)
        back = draw_return(psopp, position, stray->to, stray->from, target, group);
    if (back == UINT32_MAX && !plain)
        return false;
    to_end(position, stray->from, place_of(position, stray->from, stray->agent));
    if (back != UINT32_MAX)
        to_end(position, stray->to, back);
    psopp__position_exchange(position, stray->from, 1, stray->to, back != UINT32_MAX);
    struct psopp_pair pair = {stray->from, stray->to, from->size, to->size};
    return psopp__psopp_moved(psopp, PSOPP_APPROACH_EXCHANGE, pair);
}

bool psopp__approach_exchange(struct psopp *psopp, struct psopp_position *position,
                              const struct psopp_position *target) {
    if (!psopp__can_exchange(position))
        return false;
    uint32_t nowhere = psopp->space.nowhere;
    struct psopp_halves halves = psopp__halves(psopp->random);
    bool coin = halves.other & 1, anywhere = (halves.other & 14) == 0; /* low bits have no say in places */
    uint32_t count = psopp->space.agent_count;
    struct sample tries = sample_from(psopp__half_below(halves.one, count), count, APPROACH_EXCHANGE_TRIES);
    for (uint32_t i = 0; i < tries.count; i++, sample_next(&tries)) {
        uint32_t group = target->label[tries.place], slot = position->label[tries.place];
        if (group == nowhere || slot == nowhere || are_equal(position, slot, target, group))
            continue;
        uint32_t place = psopp__half_below(halves.other, target->blocks[group].size);
        struct stray stray = find_stray(&psopp->space, position, target, group, place, anywhere);
        if (stray.from != nowhere && bring(psopp, position, target, group, &stray, coin))
            return true;
    }
    return false;
}
