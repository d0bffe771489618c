/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The five faults of paper 003, 6.1, injected into the operators: each is a row of a table in which one
 * operator is replaced by one that does its work and then, if both blocks are small or both are large, spoils
 * it. The fault-free row knows nothing of them. Faults draw from their own stream, so a run equals the
 * fault-free one up to the first activation. */
#include "psopp.h"

/* The rows; numbers as in cor_rules.fault. */
enum { F1 = 1, F2, F3, F4, F5 };

/* A seam has been reached: does the fault strike? Both blocks up to t1 (mode 0: below t1), or both above t2;
 * and then with probability p_activate. */
static bool strikes(struct psopp *psopp, const struct psopp_pair *pair) {
    const double *parameters = psopp->parameters;
    double smaller = pair->first_size < pair->second_size ? pair->first_size : pair->second_size;
    double larger = pair->first_size < pair->second_size ? pair->second_size : pair->first_size;
    double t1 = parameters[PSOPP_T1];
    bool small = parameters[PSOPP_T1_MODE] != 0 ? larger <= t1 : larger < t1;
    psopp->host->fault->reached++;
    if (!small && !(smaller > parameters[PSOPP_T2]))
        return false;
    psopp->host->fault->held++;
    return cor_random_unit(psopp->host->random[COR_STREAM_FAULT]) < parameters[PSOPP_P_ACTIVATE];
}

static uint32_t fault_draw(const struct psopp *psopp, uint32_t bound) {
    return cor_random_below(psopp->host->random[COR_STREAM_FAULT], bound);
}

static bool either(const struct psopp *psopp) {
    return fault_draw(psopp, 2) == 1;
}

static void activated(struct psopp *psopp, struct psopp_position *position) {
    position->corrupted = true;
    psopp->host->fault->activated++;
}

/* F1: after a random split into L and M, a member of L is replaced by one of M: one agent is missing, one
 * double. In a position that is corrupted already, L may hold that one; then nothing happens. */
static bool random_split_f1(struct psopp *psopp, struct psopp_position *position,
                            const struct psopp_position *target) {
    if (!psopp__random_split(psopp, position, target))
        return false;
    struct psopp_pair pair = psopp->last;
    if (!strikes(psopp, &pair))
        return true;
    uint32_t lost = fault_draw(psopp, pair.first_size);
    uint32_t copied = fault_draw(psopp, pair.second_size);
    uint32_t agent = psopp__position_members(position, pair.second)[copied];
    if (psopp__position_holds(position, pair.first, agent))
        return true;
    activated(psopp, position);
    psopp__position_insert(position, pair.first, agent);
    psopp__position_remove(position, pair.first, lost);
    return true;
}

/* F2: a random join of K and L leaves K or L where it was: its members are double. */
static bool random_join_f2(struct psopp *psopp, struct psopp_position *position,
                           const struct psopp_position *target) {
    (void)target;
    struct psopp_pair pair = psopp__random_join_pair(psopp, position);
    if (strikes(psopp, &pair)) {
        activated(psopp, position);
        psopp__position_repeat(position, either(psopp) ? pair.first : pair.second);
    }
    return psopp__random_join_finish(psopp, position, pair);
}

/* F3: an approach split into L and M drops L or M: its members are missing. */
static bool approach_split_f3(struct psopp *psopp, struct psopp_position *position,
                              const struct psopp_position *target) {
    if (!psopp__approach_split(psopp, position, target))
        return false;
    struct psopp_pair pair = psopp->last;
    if (strikes(psopp, &pair)) {
        activated(psopp, position);
        psopp__position_drop(position, either(psopp) ? pair.first : pair.second);
    }
    return true;
}

/* F4: an approach join to M loses a member of M. */
static bool approach_join_f4(struct psopp *psopp, struct psopp_position *position,
                             const struct psopp_position *target) {
    if (!psopp__approach_join(psopp, position, target))
        return false;
    struct psopp_pair pair = psopp->last;
    if (strikes(psopp, &pair)) {
        activated(psopp, position);
        uint32_t lost = fault_draw(psopp, position->blocks[pair.first].size);
        psopp__position_remove(position, pair.first, lost);
    }
    return true;
}

/* F5: after an approach exchange, a member of one block is also in the other. In a position that is corrupted
 * already it may be so before; then nothing happens. */
static bool approach_exchange_f5(struct psopp *psopp, struct psopp_position *position,
                                 const struct psopp_position *target) {
    if (!psopp__approach_exchange(psopp, position, target))
        return false;
    struct psopp_pair pair = psopp->last;
    if (!strikes(psopp, &pair))
        return true;
    bool from_first = either(psopp);
    uint32_t from = from_first ? pair.first : pair.second, to = from_first ? pair.second : pair.first;
    uint32_t doubled = fault_draw(psopp, position->blocks[from].size);
    uint32_t agent = psopp__position_members(position, from)[doubled];
    if (psopp__position_holds(position, to, agent))
        return true;
    activated(psopp, position);
    psopp__position_insert(position, to, agent);
    return true;
}

/* Columns as in enum psopp_operator. */
#define MOVES(split, join, approach_split, approach_join, approach_exchange)                      \
    {                                                                                             \
        { split, join, psopp__random_exchange, approach_split, approach_join, approach_exchange } \
    }

const struct psopp_moves psopp__psopp_moves[] = {
    [0] = MOVES(psopp__random_split, psopp__random_join, psopp__approach_split, psopp__approach_join,
                psopp__approach_exchange),
    [F1] = MOVES(random_split_f1, psopp__random_join, psopp__approach_split, psopp__approach_join,
                 psopp__approach_exchange),
    [F2] = MOVES(psopp__random_split, random_join_f2, psopp__approach_split, psopp__approach_join,
                 psopp__approach_exchange),
    [F3] = MOVES(psopp__random_split, psopp__random_join, approach_split_f3, psopp__approach_join,
                 psopp__approach_exchange),
    [F4] = MOVES(psopp__random_split, psopp__random_join, psopp__approach_split, approach_join_f4,
                 psopp__approach_exchange),
    [F5] = MOVES(psopp__random_split, psopp__random_join, psopp__approach_split, psopp__approach_join,
                 approach_exchange_f5),
};

const struct cor_fault psopp__psopp_faults[] = {
    {"f1", "random split into L, M: a member of L is replaced by a member of M"},
    {"f2", "random join of K, L: K or L is not removed"},
    {"f3", "approach split into L, M: L or M is dropped"},
    {"f4", "approach join to M: a member of M is lost"},
    {"f5", "approach exchange: a member of one block is in both afterwards"},
    {0},
};
