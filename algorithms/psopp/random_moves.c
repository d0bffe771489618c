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
