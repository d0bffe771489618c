/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a formula is from holding: over the decision diagram that a state of the machine is. The way is
 * that of search-based testing, an approach level with a branch distance behind it (Wegener, Baresel and
 * Sthamer, Evolutionary test environment for automatic structural testing, 2001): states that have to come,
 * then how far the conditions of the last state were from what they ask of the next one. */
#include "watch.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* Of a node at a position that is there, itself counted; of a remainder, of the states to come. */
struct temporal__reach {
    uint32_t least; /* no fewer suffice, whatever they are */
    uint32_t states;
    double degree;
};

#define FAR COR_TEMPORAL_NEVER

static const struct temporal__reach none = {FAR, FAR, 0}, done = {0, 0, 0}, here = {1, 1, 0};

struct asking {
    const struct temporal__machine *machine;
    struct temporal__reaches *reaches;
    const struct cor_temporal_degrees *degrees;
    const uint32_t *words; /* of the state */
    uint32_t left;
};

static uint32_t plus(uint32_t a, uint32_t b) {
    return a > FAR - b ? FAR : a + b;
}

static uint32_t greatest(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static struct temporal__reach both(struct temporal__reach a, struct temporal__reach b) {
    return (struct temporal__reach){greatest(a.least, b.least), greatest(a.states, b.states),
                                    a.degree + b.degree};
}

/* The nearer of two. */
static struct temporal__reach either(struct temporal__reach a, struct temporal__reach b) {
    const bool is_first = a.states < b.states || (a.states == b.states && a.degree <= b.degree);
    const uint32_t sure = least(a.least, b.least);
    struct temporal__reach nearer = is_first ? a : b;
    nearer.least = sure;
    return nearer;
}

/* until: the right side in the first state of the window, and the left one on the way there. */
static struct temporal__reach until(struct temporal__reach left, struct temporal__reach right, uint32_t low) {
    const uint32_t way = low > 0 ? plus(left.least, low - 1) : 0;
    return (struct temporal__reach){greatest(plus(right.least, low), way), plus(right.states, low),
                                    right.degree + (low > 0 ? left.degree : 0)};
}

/* release: the right side through all of the window, or until the trace ends, which may be at once; or the
 * left one here. */
static struct temporal__reach release(const struct asking *asking, struct temporal__reach left,
                                      struct temporal__reach right, uint32_t low, uint32_t high) {
    const uint32_t through = high == TEMPORAL__UNBOUNDED ? asking->left : plus(right.states, high);
    const struct temporal__reach stays = {
        low > 0 ? 1 : right.least, right.states == FAR ? FAR : least(through, asking->left), right.degree};
    return either(low > 0 ? left : both(left, right), stays);
}

static struct temporal__reach reach_remainder(const struct asking *asking, uint32_t remainder);

/* A word of the past in the next state, from its cells. How it will be in later ones the cells do not say. */
static struct temporal__reach look_back(const struct asking *asking, const struct temporal__node *node,
                                        struct temporal__reach left, struct temporal__reach right) {
    const bool is_since = node->kind == TEMPORAL__KIND_SINCE;
    const bool is_unbounded = node->high == TEMPORAL__UNBOUNDED;
    const uint32_t *cells = asking->words + 1 + node->first;
    const uint32_t last = is_unbounded ? 1 : node->high;
    struct temporal__reach made = is_since ? none : here;
    for (uint32_t k = is_unbounded ? 0 : node->low; k <= last; k++) {
        struct temporal__reach cell = right;
        if (k > 0) {
            const struct temporal__reach before = reach_remainder(asking, cells[k - 1]);
            cell = is_since ? both(left, before) : either(left, before);
        }
        made = is_since ? either(made, cell) : both(made, cell);
    }
    made.least = 1;
    return made;
}

static struct temporal__reach reach_node(const struct asking *asking, uint32_t index) {
    const struct cor_temporal *formula = asking->machine->formula;
    const struct temporal__node *node = &formula->nodes[index];
    const struct temporal__reach left = asking->reaches->of_node[node->left],
                                 right = asking->reaches->of_node[node->right];
    switch (node->kind) {
    case TEMPORAL__KIND_FALSE:
        return none;
    case TEMPORAL__KIND_YES:
        return (struct temporal__reach){1, 1, asking->degrees[formula->conditions[node->first]].of};
    case TEMPORAL__KIND_NO:
        return (struct temporal__reach){1, 1, asking->degrees[formula->conditions[node->first]].of_denial};
    case TEMPORAL__KIND_AND:
        return both(left, right);
    case TEMPORAL__KIND_OR:
        return either(left, right);
    case TEMPORAL__KIND_UNTIL:
        return until(left, right, node->low);
    case TEMPORAL__KIND_RELEASE:
        return release(asking, left, right, node->low, node->high);
    case TEMPORAL__KIND_SINCE:
    case TEMPORAL__KIND_TRIGGER:
        return look_back(asking, node, left, right);
    default:
        return here;
    }
}

static struct temporal__reach reach_obligation(const struct asking *asking,
                                               const struct temporal__obligation *obligation) {
    const struct temporal__node *node = &asking->machine->formula->nodes[obligation->node];
    const struct temporal__reach left = asking->reaches->of_node[node->left],
                                 right = asking->reaches->of_node[node->right];
    if (node->kind == TEMPORAL__KIND_UNTIL)
        return until(left, right, obligation->low);
    struct temporal__reach stays = release(asking, left, right, obligation->low, obligation->high);
    stays.least = 0; /* where the trace ends it is kept */
    return stays;
}

static struct temporal__reach reach_remainder(const struct asking *asking, uint32_t remainder) {
    struct temporal__reaches *reaches = asking->reaches;
    if (remainder <= TEMPORAL__REMAINDER_TRUE)
        return remainder == TEMPORAL__REMAINDER_TRUE ? done : none;
    if (reaches->stamps[remainder] == reaches->step)
        return reaches->of_remainder[remainder];
    const struct temporal__choice choice = asking->machine->remainders.choices[remainder];
    const struct temporal__reach met =
        both(reach_obligation(asking, &asking->machine->formula->obligations[choice.obligation]),
             reach_remainder(asking, choice.met));
    const struct temporal__reach made = either(met, reach_remainder(asking, choice.unmet));
    reaches->stamps[remainder] = reaches->step;
    reaches->of_remainder[remainder] = made;
    return made;
}

static enum cor_status make_room(struct temporal__reaches *reaches, const struct temporal__machine *machine,
                                 struct cor_error *error) {
    const size_t room = machine->remainders.count, had = reaches->stamp_capacity;
    if (!reaches->of_node)
        COR_TRY(cor_made(
            reaches->of_node = cor_calloc(machine->formula->node_count, sizeof *reaches->of_node), error));
    COR_TRY(COR_RESERVE(&reaches->of_remainder, &reaches->capacity, room, error));
    COR_TRY(COR_RESERVE(&reaches->stamps, &reaches->stamp_capacity, room, error));
    if (reaches->stamp_capacity > had)
        memset(reaches->stamps + had, 0, (reaches->stamp_capacity - had) * sizeof *reaches->stamps);
    if (++reaches->step == 0) {
        memset(reaches->stamps, 0, reaches->stamp_capacity * sizeof *reaches->stamps);
        reaches->step = 1;
    }
    return COR_OK;
}

enum cor_status temporal__distance(struct temporal__reaches *reaches, const struct temporal__machine *machine,
                                   uint32_t state, const struct cor_temporal_degrees *degrees, uint32_t left,
                                   struct cor_temporal_distance *distance, struct cor_error *error) {
    const uint32_t *words = machine->words + (size_t)state * machine->width;
    const struct asking asking = {machine, reaches, degrees, words, left};
    COR_TRY(make_room(reaches, machine, error));
    for (uint32_t i = 0; i < machine->formula->node_count; i++)
        reaches->of_node[i] = reach_node(&asking, i);
    const struct temporal__reach made = words[0] == TEMPORAL__BEFORE_THE_TRACE
                                            ? reaches->of_node[machine->formula->node_count - 1]
                                            : reach_remainder(&asking, words[0]);
    const bool holds_at_end = (machine->facts[state] & TEMPORAL__AT_END) != 0;
    *distance = (struct cor_temporal_distance){least(made.states, left), made.degree};
    if (made.least > left && !holds_at_end)
        *distance = (struct cor_temporal_distance){FAR, 0};
    return COR_OK;
}

void temporal__reaches_fini(struct temporal__reaches *reaches) {
    free(reaches->of_node);
    free(reaches->of_remainder);
    free(reaches->stamps);
    *reaches = (struct temporal__reaches){0};
}
