/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Remainders as reduced ordered binary decision diagrams (Bryant, Graph-Based Algorithms for Boolean Function
 * Manipulation, IEEE Trans. Computers 1986, sections 3 and 4.3), over obligations of which some imply others:
 * where one is met, those that it implies are met, too, and nothing below asks for them. With that a function
 * on the assignments that can be has one diagram. */
#include "core.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>

enum { REMAINDERS_MAX = 1 << 20 };

enum cor_status temporal__remainders_init(struct temporal__remainders *remainders,
                                          const struct cor_temporal *formula, struct cor_error *error) {
    *remainders = (struct temporal__remainders){.formula = formula, .slot_count = 256};
    enum cor_status status = COR_RESERVE(&remainders->choices, &remainders->capacity, 64, error);
    remainders->slots = cor_calloc(remainders->slot_count, sizeof *remainders->slots);
    if (status != COR_OK || !remainders->slots) {
        temporal__remainders_fini(remainders);
        return cor_fail_memory(error);
    }
    for (uint32_t constant = 0; constant < 2; constant++)
        remainders->choices[constant] = (struct temporal__choice){UINT32_MAX, constant, constant};
    remainders->count = 2;
    return COR_OK;
}

void temporal__remainders_fini(struct temporal__remainders *remainders) {
    free(remainders->choices);
    free(remainders->slots);
    remainders->choices = NULL;
    remainders->slots = NULL;
    remainders->capacity = remainders->count = remainders->slot_count = 0;
}

static size_t hash_of(const struct temporal__choice *choice) {
    return (size_t)cor_hash_word(((uint64_t)choice->met << 32) | choice->unmet, choice->obligation);
}

/* Where the choice is in the table, or would be. */
static size_t slot_of(const struct temporal__remainders *remainders, const struct temporal__choice *choice) {
    size_t slot = hash_of(choice) & (remainders->slot_count - 1);
    for (uint32_t at; (at = remainders->slots[slot]) != 0; slot = (slot + 1) & (remainders->slot_count - 1)) {
        const struct temporal__choice *other = &remainders->choices[at];
        if (other->obligation == choice->obligation && other->met == choice->met &&
            other->unmet == choice->unmet)
            break;
    }
    return slot;
}

/* Room for one choice more, and a table that is at most half full. */
static enum cor_status make_room(struct temporal__remainders *remainders) {
    if (remainders->count >= REMAINDERS_MAX)
        return cor_fail(&remainders->error, COR_STATUS_INPUT, NULL,
                        "take smaller bounds, or split the formula",
                        "the formula owes too much at once: more than %d remainders", REMAINDERS_MAX);
    COR_TRY(
        COR_RESERVE(&remainders->choices, &remainders->capacity, remainders->count + 1, &remainders->error));
    if (2 * remainders->count < remainders->slot_count)
        return COR_OK;
    uint32_t *slots = cor_calloc(2 * remainders->slot_count, sizeof *slots);
    COR_TRY(cor_made(slots, &remainders->error));
    free(remainders->slots);
    remainders->slots = slots;
    remainders->slot_count *= 2;
    for (uint32_t i = 2; i < remainders->count; i++)
        remainders->slots[slot_of(remainders, &remainders->choices[i])] = i;
    return COR_OK;
}

/* The remainder where `obligation` is met, for one that asks for nothing before it. */
static uint32_t where_met(const struct temporal__remainders *remainders, uint32_t remainder,
                          uint32_t obligation) {
    const struct temporal__choice *choice = &remainders->choices[remainder];
    return remainder > TEMPORAL__REMAINDER_TRUE &&
                   choice->obligation <= remainders->formula->obligations[obligation].chain_end
               ? choice->met
               : remainder;
}

uint32_t temporal__choose(struct temporal__remainders *remainders, uint32_t obligation, uint32_t met,
                          uint32_t unmet) {
    if (met == where_met(remainders, unmet, obligation) || remainders->status != COR_OK)
        return unmet;
    const struct temporal__choice choice = {obligation, met, unmet};
    size_t slot = slot_of(remainders, &choice);
    if (remainders->slots[slot] != 0)
        return remainders->slots[slot];
    remainders->status = make_room(remainders);
    if (remainders->status != COR_OK)
        return TEMPORAL__REMAINDER_FALSE;
    remainders->choices[remainders->count] = choice;
    remainders->slots[slot_of(remainders, &choice)] = (uint32_t)remainders->count;
    return (uint32_t)remainders->count++;
}

uint32_t temporal__join(struct temporal__remainders *remainders, bool both, uint32_t left, uint32_t right) {
    if (left > right) {
        uint32_t swapped = left;
        left = right;
        right = swapped;
    }
    /* A constant comes first: it decides, or changes nothing. */
    if (left == right || left == (both ? TEMPORAL__REMAINDER_FALSE : TEMPORAL__REMAINDER_TRUE))
        return left;
    if (left <= TEMPORAL__REMAINDER_TRUE)
        return right;
    struct temporal__joint *joint =
        &remainders->joints[cor_hash_word(((uint64_t)left << 32) | right, both) % TEMPORAL__JOINTS];
    if (joint->both == both && joint->left == left && joint->right == right)
        return joint->result;
    if (remainders->status != COR_OK || ++remainders->work > TEMPORAL__WORK_MAX) {
        if (remainders->status == COR_OK)
            remainders->status = cor_fail(&remainders->error, COR_STATUS_INPUT, NULL,
                                          "take smaller bounds, or split the formula",
                                          "the formula owes too much at once to be followed");
        return TEMPORAL__REMAINDER_FALSE;
    }
    const struct temporal__choice one = remainders->choices[left], other = remainders->choices[right];
    uint32_t first = one.obligation < other.obligation ? one.obligation : other.obligation;
    uint32_t met = temporal__join(remainders, both, where_met(remainders, left, first),
                                  where_met(remainders, right, first));
    uint32_t unmet = temporal__join(remainders, both, one.obligation == first ? one.unmet : left,
                                    other.obligation == first ? other.unmet : right);
    uint32_t result = temporal__choose(remainders, first, met, unmet);
    if (remainders->status == COR_OK)
        *joint = (struct temporal__joint){both, left, right, result};
    return result;
}

bool temporal__remainder_at_end(const struct temporal__remainders *remainders, uint32_t remainder) {
    const struct cor_temporal *formula = remainders->formula;
    while (remainder > TEMPORAL__REMAINDER_TRUE) {
        const struct temporal__choice *choice = &remainders->choices[remainder];
        const struct temporal__node *node = &formula->nodes[formula->obligations[choice->obligation].node];
        remainder = node->kind == TEMPORAL__KIND_RELEASE ? choice->met : choice->unmet;
    }
    return remainder == TEMPORAL__REMAINDER_TRUE;
}
