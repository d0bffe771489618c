/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tree as a formula of few operators, in negation normal form, each node once. Where a node stands as it is
 * and where it is denied it becomes different nodes; operands are lowered before it, so recursion is as deep
 * as the text is nested. */
#include "core.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

/* ---- a formula at work: states of two values and what they lead to, below a trace of three */

/* Which conditions hold, and which are violated: a bit for each of the formula's. Unknown ones are neither
 * where the worst is taken, both where the best is. */
struct temporal__input {
    uint64_t yes, no;
};

/* What is known of a state. FIXED: nothing that may come changes its value; SETTLED: nothing without unknown
 * conditions does. */
enum {
    TEMPORAL__AT_END = 1, /* the formula is true if the trace ends here */
    TEMPORAL__FIXED = 2,
    TEMPORAL__NOT_FIXED = 4,
    TEMPORAL__SETTLED = 8,
    TEMPORAL__NOT_SETTLED = 16
};

/* Where an input leads. */
struct temporal__move {
    struct temporal__input input;
    uint32_t from; /* and 1; 0: free */
    uint32_t to;
};

#define TEMPORAL__BEFORE_THE_TRACE UINT32_MAX /* in place of a remainder */

/* States: the remainder of the formula, and for each cell of its past the remainder of what it remembers.
 * State 0 is that before the trace. Found when they are needed, as is where they lead. */
struct temporal__machine {
    const struct cor_temporal *formula; /* borrowed */
    struct temporal__remainders remainders;
    uint64_t mask; /* a bit for each condition of the formula */

    uint32_t width;  /* words of a state */
    uint32_t *words; /* owned; [state * width]: the remainder, then the cells */
    size_t word_capacity;
    uint8_t *facts; /* owned; [state] */
    size_t fact_capacity;
    uint32_t *visits; /* owned; [state] the search that saw it last */
    size_t visit_capacity;
    uint32_t state_count, search;
    uint32_t *slots; /* owned; hash table of 1 + state, 0 = free */
    size_t slot_count;

    struct temporal__move *moves; /* owned; hash table */
    size_t move_slots, move_count;

    uint32_t *values;     /* owned; [node] what the present state makes of it */
    uint32_t *next_words; /* owned; [width] */
    uint32_t *progressed; /* owned; [remainder] what is left of it after the present state, if */
    size_t progressed_capacity;
    uint32_t *stamps; /* owned; [remainder] this is the present step */
    size_t stamp_capacity;
    uint32_t step;
};

/* The place of a move in the table, or of a free one. */
static inline size_t move_slot(const struct temporal__machine *machine, uint32_t from,
                               struct temporal__input input) {
    const uint64_t mixed =
        (input.yes ^ (input.no << 32 | input.no >> 32) ^ (uint64_t)from << 16) * UINT64_C(0x9E3779B97F4A7C15);
    size_t slot = (size_t)(mixed >> 32) & (machine->move_slots - 1);
    for (;; slot = (slot + 1) & (machine->move_slots - 1)) {
        const struct temporal__move *move = &machine->moves[slot];
        if (move->from == 0 ||
            (move->from == from + 1 && move->input.yes == input.yes && move->input.no == input.no))
            return slot;
    }
}

/* What machine.c works with; begins with zeros. */
struct temporal__reach;
struct temporal__reaches {
    struct temporal__reach *of_node;      /* owned; [node] */
    struct temporal__reach *of_remainder; /* owned; [remainder], if */
    size_t capacity;
    uint32_t *stamps; /* owned; [remainder] this is the present step */
    size_t stamp_capacity;
    uint32_t step;
};
static void machine_fini(struct temporal__machine *machine);
static void remainders_fini(struct temporal__remainders *remainders);

struct lowering {
    const struct temporal__tree *tree;
    struct cor_temporal *formula;
    size_t capacity;
    const struct temporal__term *term; /* the one at work */
    uint64_t bounds;                   /* sum of all `high` */
    bool too_many;                     /* conditions */
    enum cor_status status;            /* of memory */
    struct cor_error *error;
};

static bool is_equal(const struct temporal__node *a, const struct temporal__node *b) {
    bool same = a->kind == b->kind && a->left == b->left && a->right == b->right && a->low == b->low &&
                a->high == b->high;
    return same && (a->kind > TEMPORAL__KIND_NO || a->first == b->first);
}

/* The node, which may be there already. Places of obligations and cells are given out here. */
static uint32_t put(struct lowering *lowering, struct temporal__node node) {
    struct cor_temporal *formula = lowering->formula;
    for (uint32_t i = 0; i < formula->node_count; i++)
        if (is_equal(&formula->nodes[i], &node))
            return i;
    if (lowering->status == COR_OK)
        lowering->status =
            COR_RESERVE(&formula->nodes, &lowering->capacity, formula->node_count + 1, lowering->error);
    if (lowering->status != COR_OK)
        return 0;
    if (node.kind >= TEMPORAL__KIND_UNTIL) {
        const uint32_t places = node.high == TEMPORAL__UNBOUNDED ? 1 : node.high;
        const bool is_past = node.kind == TEMPORAL__KIND_SINCE || node.kind == TEMPORAL__KIND_TRIGGER;
        uint32_t *count = is_past ? &formula->cell_count : &formula->obligation_count;
        lowering->bounds += places;
        node.first = *count;
        if (lowering->bounds <= COR_TEMPORAL_BOUNDS_SUM_MAX)
            *count += places;
    }
    node.at = lowering->term->at;
    node.length = lowering->term->length;
    formula->nodes[formula->node_count] = node;
    return formula->node_count++;
}

static uint32_t put_constant(struct lowering *lowering, bool truth) {
    return put(lowering, (struct temporal__node){.kind = truth ? TEMPORAL__KIND_TRUE : TEMPORAL__KIND_FALSE});
}

static uint32_t put_condition(struct lowering *lowering, uint32_t condition, bool denied) {
    struct cor_temporal *formula = lowering->formula;
    uint32_t at = 0;
    while (at < formula->condition_count && formula->conditions[at] != condition)
        at++;
    if (at == COR_TEMPORAL_CONDITIONS_MAX) {
        lowering->too_many = true;
        return 0;
    }
    formula->conditions[at] = condition;
    if (at == formula->condition_count)
        formula->condition_count++;
    return put(lowering,
               (struct temporal__node){.kind = denied ? TEMPORAL__KIND_NO : TEMPORAL__KIND_YES, .first = at});
}

/* A node of two operands, or where `denied` its dual, whose operands are denied already. */
static uint32_t put_pair(struct lowering *lowering, enum temporal__kind kind, bool denied, uint32_t left,
                         uint32_t right, uint32_t low, uint32_t high) {
    static const enum temporal__kind duals[] = {
        [TEMPORAL__KIND_AND] = TEMPORAL__KIND_OR,        [TEMPORAL__KIND_OR] = TEMPORAL__KIND_AND,
        [TEMPORAL__KIND_UNTIL] = TEMPORAL__KIND_RELEASE, [TEMPORAL__KIND_RELEASE] = TEMPORAL__KIND_UNTIL,
        [TEMPORAL__KIND_SINCE] = TEMPORAL__KIND_TRIGGER, [TEMPORAL__KIND_TRIGGER] = TEMPORAL__KIND_SINCE};
    return put(lowering,
               (struct temporal__node){denied ? duals[kind] : kind, left, right, low, high, 0, 0, 0});
}

static uint32_t lower(struct lowering *lowering, uint32_t index, bool denied) {
    const struct temporal__term *term = &lowering->tree->terms[index];
    const uint32_t low = term->low, high = term->high;
    uint32_t left = 0, right = 0;
    if (term->word >= TEMPORAL__NOT)
        left = lower(lowering, term->left,
                     denied != (term->word == TEMPORAL__NOT || term->word == TEMPORAL__IMPLIES));
    if (term->word >= TEMPORAL__UNTIL)
        right = lower(lowering, term->right, denied);
    lowering->term = term;
    switch (term->word) {
    case TEMPORAL__FALSE:
    case TEMPORAL__TRUE:
        return put_constant(lowering, (term->word == TEMPORAL__TRUE) != denied);
    case TEMPORAL__CONDITION:
        return put_condition(lowering, term->condition, denied);
    case TEMPORAL__NOT:
        return left;
    case TEMPORAL__AND:
        return put_pair(lowering, TEMPORAL__KIND_AND, denied, left, right, 0, 0);
    case TEMPORAL__OR:
    case TEMPORAL__IMPLIES:
        return put_pair(lowering, TEMPORAL__KIND_OR, denied, left, right, 0, 0);
    case TEMPORAL__UNTIL:
        return put_pair(lowering, TEMPORAL__KIND_UNTIL, denied, left, right, low, high);
    case TEMPORAL__SINCE:
        return put_pair(lowering, TEMPORAL__KIND_SINCE, denied, left, right, low, high);
    default:
        break;
    }
    /* What is short for others: "always" is release by false, "eventually" until behind true; where denied
     * all of it is its dual. */
    const uint32_t never = put_constant(lowering, denied), ever = put_constant(lowering, !denied);
    enum temporal__word word = term->word;
    uint32_t always, there;
    if (low == high && word == TEMPORAL__NEXT)
        word = TEMPORAL__EVENTUALLY;
    if (low == high && word == TEMPORAL__PREVIOUS)
        word = TEMPORAL__ONCE;
    switch (word) {
    case TEMPORAL__EVENTUALLY:
        return put_pair(lowering, TEMPORAL__KIND_UNTIL, denied, ever, left, low, high);
    case TEMPORAL__ONCE:
        return put_pair(lowering, TEMPORAL__KIND_SINCE, denied, ever, left, low, high);
    case TEMPORAL__HISTORICALLY:
        return put_pair(lowering, TEMPORAL__KIND_TRIGGER, denied, never, left, low, high);
    case TEMPORAL__WEAK_UNTIL:
        always = put_pair(lowering, TEMPORAL__KIND_RELEASE, denied, never, left, 0, high);
        right = put_pair(lowering, TEMPORAL__KIND_UNTIL, denied, left, right, low, high);
        return put_pair(lowering, TEMPORAL__KIND_OR, denied, right, always, 0, 0);
    case TEMPORAL__PREVIOUS:
        /* The other positions are there if the furthest is. */
        always = put_pair(lowering, TEMPORAL__KIND_TRIGGER, denied, never, left, low, high);
        there = put_pair(lowering, TEMPORAL__KIND_SINCE, denied, ever, ever, high, high);
        return put_pair(lowering, TEMPORAL__KIND_AND, denied, there, always, 0, 0);
    default: /* ALWAYS, WEAK_NEXT, NEXT */
        always = put_pair(lowering, TEMPORAL__KIND_RELEASE, denied, never, left, low, high);
        if (word != TEMPORAL__NEXT)
            return always;
        there = put_pair(lowering, TEMPORAL__KIND_UNTIL, denied, ever, ever, high, high);
        return put_pair(lowering, TEMPORAL__KIND_AND, denied, there, always, 0, 0);
    }
}

/* Whether one thing is asked up to a single position, such as that it is there: next[3, 3] true. */
static bool asks_the_same_throughout(const struct temporal__node *node) {
    return node->left == node->right && node->low == node->high;
}

/* The obligation of a node with these bounds left. */
static uint32_t obligation_at(const struct temporal__node *node, uint32_t low, uint32_t high) {
    if (high == TEMPORAL__UNBOUNDED)
        return node->first;
    /* A chain: of UNTIL the furthest position implies the nearer ones, of RELEASE the nearest. */
    if (asks_the_same_throughout(node))
        return node->first + (node->kind == TEMPORAL__KIND_UNTIL ? node->high - 1 - low : low);
    if (low > 0)
        return node->first + low - 1;
    /* The chain: of UNTIL the narrowest window implies the wider ones, of RELEASE the widest. */
    const uint32_t chain = node->first + (node->low > 0 ? node->low - 1 : 0);
    const uint32_t widest = node->high - (node->low > 0 ? node->low : 1);
    return chain + (node->kind == TEMPORAL__KIND_UNTIL ? high : widest - high);
}

static void put_obligation(struct cor_temporal *formula, uint32_t index, uint32_t low, uint32_t high) {
    const struct temporal__node *node = &formula->nodes[index];
    uint32_t at = obligation_at(node, low, high), end = at;
    if ((low == 0 || asks_the_same_throughout(node)) && high != TEMPORAL__UNBOUNDED)
        end = node->first + node->high - 1;
    formula->obligations[at] = (struct temporal__obligation){index, low, high, end};
}

/* The formula of a tree. */
static enum cor_status lower_formula(const struct temporal__tree *tree, const char *place,
                                     struct cor_temporal *formula, struct cor_error *error) {
    struct lowering lowering = {.tree = tree, .formula = formula, .error = error};
    uint32_t root = lower(&lowering, tree->count - 1, false);
    COR_TRY(lowering.status);
    if (lowering.too_many)
        return cor_fail(error, COR_STATUS_INPUT, place, "split it into several formulas",
                        "the formula names more than %d different conditions", COR_TEMPORAL_CONDITIONS_MAX);
    if (lowering.bounds > COR_TEMPORAL_BOUNDS_SUM_MAX)
        return cor_fail(error, COR_STATUS_INPUT, place, "take smaller bounds, or split the formula",
                        "the bounds of the formula reach over %llu states in sum; at most %d can be followed",
                        (unsigned long long)lowering.bounds, COR_TEMPORAL_BOUNDS_SUM_MAX);
    COR_ASSERT(root + 1 == formula->node_count);
    /* All that can come to be asked. */
    formula->obligations = cor_calloc(formula->obligation_count, sizeof *formula->obligations);
    COR_TRY(cor_made(formula->obligations, error));
    for (uint32_t i = 0; i < formula->node_count; i++) {
        const struct temporal__node *node = &formula->nodes[i];
        if (node->kind != TEMPORAL__KIND_UNTIL && node->kind != TEMPORAL__KIND_RELEASE)
            continue;
        uint32_t low = node->low, high = node->high;
        if (high == TEMPORAL__UNBOUNDED)
            put_obligation(formula, i, 0, high);
        while (high > 0 && high != TEMPORAL__UNBOUNDED) {
            low -= low > 0;
            put_obligation(formula, i, low, --high);
        }
    }
    return COR_OK;
}

/* ---- remainders as reduced ordered binary decision diagrams (Bryant, Graph-Based Algorithms for Boolean
 * Function Manipulation, IEEE Trans. Computers 1986, sections 3 and 4.3), over obligations of which some
 * imply others: where one is met, those that it implies are met, too, and nothing below asks for them. With
 * that a function on the assignments that can be has one diagram */

enum { REMAINDERS_MAX = 1 << 20 };

/* No remainders but the constants. */
static enum cor_status remainders_init(struct temporal__remainders *remainders,
                                       const struct cor_temporal *formula, struct cor_error *error) {
    *remainders = (struct temporal__remainders){.formula = formula, .slot_count = 256};
    enum cor_status status = COR_RESERVE(&remainders->choices, &remainders->capacity, 64, error);
    remainders->slots = cor_calloc(remainders->slot_count, sizeof *remainders->slots);
    if (status != COR_OK || !remainders->slots) {
        remainders_fini(remainders);
        return cor_fail_memory(error);
    }
    for (uint32_t constant = 0; constant < 2; constant++)
        remainders->choices[constant] = (struct temporal__choice){UINT32_MAX, constant, constant};
    remainders->count = 2;
    return COR_OK;
}

/* Frees what it holds. Idempotent. */
static void remainders_fini(struct temporal__remainders *remainders) {
    COR_FREE(remainders->choices, remainders->slots);
    remainders->choices = NULL;
    remainders->slots = NULL;
    remainders->capacity = remainders->count = remainders->slot_count = 0;
}

/* Where the choice is in the table, or would be. */
static size_t slot_of(const struct temporal__remainders *remainders, const struct temporal__choice *choice) {
    size_t slot = (size_t)cor_hash_word(((uint64_t)choice->met << 32) | choice->unmet, choice->obligation) &
                  (remainders->slot_count - 1);
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

/* The remainder that is `met` where the obligation is, else `unmet`, which is no weaker; both ask for
 * obligations behind it only. */
static uint32_t choose(struct temporal__remainders *remainders, uint32_t obligation, uint32_t met,
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

/* Both of two remainders, or either. */
static uint32_t temporal__join(struct temporal__remainders *remainders, bool both, uint32_t left,
                               uint32_t right) {
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
    uint32_t result = choose(remainders, first, met, unmet);
    if (remainders->status == COR_OK)
        *joint = (struct temporal__joint){both, left, right, result};
    return result;
}

/* What the remainder is where the trace ends; goes_on: at best, if what has bounds could still be met. */
static bool remainder_at_end(const struct temporal__remainders *remainders, uint32_t remainder,
                             bool goes_on) {
    const struct cor_temporal *formula = remainders->formula;
    while (remainder > TEMPORAL__REMAINDER_TRUE) {
        const struct temporal__choice *choice = &remainders->choices[remainder];
        const struct temporal__obligation *obligation = &formula->obligations[choice->obligation];
        remainder = formula->nodes[obligation->node].kind == TEMPORAL__KIND_RELEASE ||
                            (goes_on && obligation->high != TEMPORAL__UNBOUNDED)
                        ? choice->met
                        : choice->unmet;
    }
    return remainder == TEMPORAL__REMAINDER_TRUE;
}

/* ---- states and moves. The way is formula progression (Bacchus and Kabanza, Planning for temporally
 * extended goals, Annals of Mathematics and AI 1998, section 4) with the finite semantics of De Giacomo and
 * Vardi (Linear temporal logic and linear dynamic logic on finite traces, IJCAI 2013, section 2): what a
 * state leaves of a formula is a function of obligations for the next one. Words of the past (Havelund and
 * Rosu, Synthesizing monitors for safety properties, TACAS 2002, section 3) remember what they were in the
 * state before, as such a function, too, since what they look at may reach into the future */

/* What may be kept before states are forgotten. */
enum { STATES_MAX = 8192, WORDS_MAX = 1 << 21, REMAINDERS_KEPT = 1 << 17, MOVES_MAX = 1 << 16 };

static bool is_true_at_end(const struct cor_temporal *formula) {
    bool values[5 * COR_TEMPORAL_NODES_MAX];
    for (uint32_t i = 0; i < formula->node_count; i++) {
        const struct temporal__node *node = &formula->nodes[i];
        switch (node->kind) {
        case TEMPORAL__KIND_AND:
            values[i] = values[node->left] && values[node->right];
            break;
        case TEMPORAL__KIND_OR:
            values[i] = values[node->left] || values[node->right];
            break;
        default: /* a condition, a window without positions */
            values[i] = node->kind == TEMPORAL__KIND_TRUE || node->kind == TEMPORAL__KIND_NO ||
                        node->kind == TEMPORAL__KIND_RELEASE || node->kind == TEMPORAL__KIND_TRIGGER;
        }
    }
    return values[formula->node_count - 1];
}

/* The cells before the trace, which stand for positions that are not there. */
static void clear_cells(const struct temporal__machine *machine, uint32_t *words) {
    for (uint32_t i = 0; i < machine->formula->node_count; i++) {
        const struct temporal__node *node = &machine->formula->nodes[i];
        const uint32_t cells = node->high == TEMPORAL__UNBOUNDED ? 1 : node->high;
        if (node->kind == TEMPORAL__KIND_SINCE || node->kind == TEMPORAL__KIND_TRIGGER)
            for (uint32_t cell = 0; cell < cells; cell++)
                words[1 + node->first + cell] = node->kind == TEMPORAL__KIND_TRIGGER;
    }
}

static size_t state_slot(const struct temporal__machine *machine, const uint32_t *words) {
    const size_t size = machine->width * sizeof *words;
    size_t slot = cor_hash_bytes(COR_HASH_SEED, words, size) & (machine->slot_count - 1);
    for (uint32_t at; (at = machine->slots[slot]) != 0; slot = (slot + 1) & (machine->slot_count - 1))
        if (memcmp(machine->words + (size_t)(at - 1) * machine->width, words, size) == 0)
            break;
    return slot;
}

/* The state that consists of next_words. */
static enum cor_status find_state(struct temporal__machine *machine, uint32_t *state) {
    size_t slot = state_slot(machine, machine->next_words);
    if (machine->slots[slot] != 0) {
        *state = machine->slots[slot] - 1;
        return COR_OK;
    }
    struct cor_error *error = &machine->remainders.error;
    const size_t count = machine->state_count, width = machine->width;
    COR_TRY(COR_RESERVE(&machine->words, &machine->word_capacity, (count + 1) * width, error));
    COR_TRY(COR_RESERVE(&machine->facts, &machine->fact_capacity, count + 1, error));
    COR_TRY(COR_RESERVE(&machine->visits, &machine->visit_capacity, count + 1, error));
    if (2 * (count + 1) > machine->slot_count) {
        uint32_t *slots = cor_calloc(2 * machine->slot_count, sizeof *slots);
        COR_TRY(cor_made(slots, &machine->remainders.error));
        free(machine->slots);
        machine->slots = slots;
        machine->slot_count *= 2;
        for (uint32_t i = 0; i < machine->state_count; i++)
            machine->slots[state_slot(machine, machine->words + (size_t)i * machine->width)] = i + 1;
    }
    const uint32_t remainder = machine->next_words[0];
    memcpy(machine->words + count * width, machine->next_words, width * sizeof *machine->words);
    bool at_end = remainder == TEMPORAL__BEFORE_THE_TRACE
                      ? is_true_at_end(machine->formula)
                      : remainder_at_end(&machine->remainders, remainder, false);
    machine->facts[count] = at_end ? TEMPORAL__AT_END : 0;
    if (remainder <= TEMPORAL__REMAINDER_TRUE)
        machine->facts[count] |= TEMPORAL__FIXED | TEMPORAL__SETTLED;
    machine->visits[count] = 0;
    machine->slots[state_slot(machine, machine->next_words)] = (uint32_t)count + 1;
    *state = machine->state_count++;
    return COR_OK;
}

/* A machine of state 0 alone, in memory that is there. */
static enum cor_status begin(struct temporal__machine *machine) {
    uint32_t first;
    machine->state_count = 0;
    machine->move_count = 0;
    memset(machine->slots, 0, machine->slot_count * sizeof *machine->slots);
    memset(machine->moves, 0, machine->move_slots * sizeof *machine->moves);
    machine->next_words[0] = TEMPORAL__BEFORE_THE_TRACE;
    clear_cells(machine, machine->next_words);
    return find_state(machine, &first);
}

/* Both give back what they hold if they fail; fini is idempotent. */
static enum cor_status machine_init(struct temporal__machine *machine, const struct cor_temporal *formula,
                                    struct cor_error *error) {
    *machine = (struct temporal__machine){
        .formula = formula, .width = 1 + formula->cell_count, .slot_count = 64, .move_slots = 64};
    const uint32_t conditions = formula->condition_count;
    machine->mask = conditions == 64 ? UINT64_MAX : (UINT64_C(1) << conditions) - 1;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(remainders_init(&machine->remainders, formula, error));
    machine->slots = cor_calloc(machine->slot_count, sizeof *machine->slots);
    machine->moves = cor_calloc(machine->move_slots, sizeof *machine->moves);
    machine->values = cor_calloc(formula->node_count, sizeof *machine->values);
    machine->next_words = cor_calloc(machine->width, sizeof *machine->next_words);
    if (!machine->slots || !machine->moves || !machine->values || !machine->next_words ||
        begin(machine) != COR_OK)
        status = cor_fail_memory(error);
out:
    if (status != COR_OK)
        machine_fini(machine);
    return status;
}

static void machine_fini(struct temporal__machine *machine) {
    remainders_fini(&machine->remainders);
    void *owned[] = {machine->words,      machine->facts,      machine->visits,
                     machine->slots,      machine->moves,      machine->values,
                     machine->next_words, machine->progressed, machine->stamps};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    *machine = (struct temporal__machine){0};
}

/* A remainder of before, among those of now. `known`: 1 + what became of it, 0 if that is open. */
static uint32_t carry(struct temporal__remainders *now, const struct temporal__choice *before,
                      uint32_t *known, uint32_t remainder) {
    if (remainder <= TEMPORAL__REMAINDER_TRUE || remainder == TEMPORAL__BEFORE_THE_TRACE)
        return remainder;
    if (known[remainder] == 0) {
        const struct temporal__choice choice = before[remainder];
        const uint32_t met = carry(now, before, known, choice.met);
        const uint32_t unmet = carry(now, before, known, choice.unmet);
        known[remainder] = 1 + choose(now, choice.obligation, met, unmet);
    }
    return known[remainder] - 1;
}

/* Forgets all states but *one and *other, which get new numbers, if there are many. */
static enum cor_status machine_tidy(struct temporal__machine *machine, uint32_t *one, uint32_t *other) {
    struct temporal__remainders *now = &machine->remainders;
    const size_t width = machine->width;
    if (machine->state_count <= STATES_MAX && machine->state_count * width <= WORDS_MAX + 2 * width &&
        now->count <= REMAINDERS_KEPT && machine->move_count <= MOVES_MAX)
        return COR_OK;
    COR_FREED struct temporal__choice *before = NULL;
    COR_FREED uint32_t *known = NULL, *kept = NULL;
    uint32_t *const states[] = {one, other};
    before = cor_calloc(now->count, sizeof *before);
    known = cor_calloc(now->count, sizeof *known);
    kept = cor_calloc(2 * width, sizeof *kept);
    if (!before || !known || !kept)
        return cor_fail_memory(&now->error);
    memcpy(before, now->choices, now->count * sizeof *before);
    for (size_t i = 0; i < 2; i++)
        memcpy(kept + i * width, machine->words + *states[i] * width, width * sizeof *kept);
    remainders_fini(now);
    COR_TRY(remainders_init(now, machine->formula, &now->error));
    COR_TRY(begin(machine));
    for (size_t i = 0; i < 2; i++) {
        for (size_t word = 0; word < width; word++)
            machine->next_words[word] = carry(now, before, known, kept[i * width + word]);
        COR_TRY(now->status);
        COR_TRY(find_state(machine, states[i]));
    }
    return COR_OK;
}

/* What a node is now, with these bounds left of it. */
static uint32_t unfold(struct temporal__machine *machine, uint32_t index, uint32_t low, uint32_t high) {
    struct temporal__remainders *remainders = &machine->remainders;
    const struct temporal__node *node = &machine->formula->nodes[index];
    const uint32_t left = machine->values[node->left], right = machine->values[node->right];
    const bool is_until = node->kind == TEMPORAL__KIND_UNTIL;
    if (high == 0)
        return right;
    const uint32_t obligation =
        obligation_at(node, low - (low > 0), high == TEMPORAL__UNBOUNDED ? high : high - 1);
    const uint32_t later =
        choose(remainders, obligation, TEMPORAL__REMAINDER_TRUE, TEMPORAL__REMAINDER_FALSE);
    /* until: right, or left and until again; release: right, and left or release again. */
    const uint32_t again = temporal__join(remainders, is_until, left, later);
    return low > 0 ? again : temporal__join(remainders, !is_until, right, again);
}

/* What the present state leaves of a remainder of the state before. */
static uint32_t progress(struct temporal__machine *machine, uint32_t remainder) {
    if (remainder <= TEMPORAL__REMAINDER_TRUE)
        return remainder;
    if (machine->stamps[remainder] == machine->step)
        return machine->progressed[remainder];
    struct temporal__remainders *remainders = &machine->remainders;
    const struct temporal__choice choice = remainders->choices[remainder];
    const struct temporal__obligation *obligation = &machine->formula->obligations[choice.obligation];
    const uint32_t met = progress(machine, choice.met), unmet = progress(machine, choice.unmet);
    const uint32_t now = unfold(machine, obligation->node, obligation->low, obligation->high);
    /* Monotone: unmet implies met. */
    const uint32_t left =
        temporal__join(remainders, false, unmet, temporal__join(remainders, true, now, met));
    machine->stamps[remainder] = machine->step;
    machine->progressed[remainder] = left;
    return left;
}

/* What a word of the past is now, of its cells in the state before; and its cells. Cell k is "the right side
 * k positions ago and the left side since", the dual of it for TRIGGER; without bounds one cell is the word's
 * own value. */
static uint32_t look_back(struct temporal__machine *machine, const struct temporal__node *node,
                          const uint32_t *words) {
    struct temporal__remainders *remainders = &machine->remainders;
    const bool is_since = node->kind == TEMPORAL__KIND_SINCE;
    const uint32_t *before = words + 1 + node->first;
    uint32_t *after = machine->next_words + 1 + node->first;
    const uint32_t left = machine->values[node->left], right = machine->values[node->right];
    if (node->high == TEMPORAL__UNBOUNDED) {
        const uint32_t still = temporal__join(remainders, is_since, progress(machine, before[0]), left);
        return after[0] = temporal__join(remainders, !is_since, right, still);
    }
    const uint32_t decides = is_since ? TEMPORAL__REMAINDER_TRUE : TEMPORAL__REMAINDER_FALSE;
    uint32_t value = TEMPORAL__REMAINDER_TRUE - decides;
    bool is_decided = false;
    for (uint32_t k = 0; k <= node->high; k++) {
        uint32_t cell =
            k == 0 ? right : temporal__join(remainders, is_since, progress(machine, before[k - 1]), left);
        /* A window from now on: what decides longest makes older cells meaningless. */
        if (node->low == 0 && is_decided)
            cell = TEMPORAL__REMAINDER_TRUE - decides;
        is_decided = is_decided || cell == decides;
        if (k < node->high)
            after[k] = cell;
        if (k >= node->low)
            value = temporal__join(remainders, !is_since, value, cell);
    }
    return value;
}

/* Where the input leads from a state. */
static enum cor_status machine_move(struct temporal__machine *machine, uint32_t from,
                                    struct temporal__input input, uint32_t *to) {
    const struct temporal__move *known = &machine->moves[move_slot(machine, from, input)];
    if (known->from != 0) {
        *to = known->to;
        return COR_OK;
    }
    /* Makes next_words what the input makes of a state. */
    const struct cor_temporal *formula = machine->formula;
    struct temporal__remainders *remainders = &machine->remainders;
    const size_t room = remainders->count, had = machine->stamp_capacity;
    COR_TRY(COR_RESERVE(&machine->progressed, &machine->progressed_capacity, room, &remainders->error));
    COR_TRY(COR_RESERVE(&machine->stamps, &machine->stamp_capacity, room, &remainders->error));
    if (machine->stamp_capacity > had)
        memset(machine->stamps + had, 0, (machine->stamp_capacity - had) * sizeof *machine->stamps);
    if (++machine->step == 0) {
        memset(machine->stamps, 0, machine->stamp_capacity * sizeof *machine->stamps);
        machine->step = 1;
    }
    const uint32_t *words = machine->words + (size_t)from * machine->width;
    for (uint32_t i = 0; i < formula->node_count; i++) {
        const struct temporal__node *node = &formula->nodes[i];
        uint32_t *value = &machine->values[i];
        switch (node->kind) {
        case TEMPORAL__KIND_FALSE:
        case TEMPORAL__KIND_TRUE:
            *value = node->kind == TEMPORAL__KIND_TRUE;
            break;
        case TEMPORAL__KIND_YES:
            *value = input.yes >> node->first & 1;
            break;
        case TEMPORAL__KIND_NO:
            *value = input.no >> node->first & 1;
            break;
        case TEMPORAL__KIND_AND:
        case TEMPORAL__KIND_OR:
            *value = temporal__join(remainders, node->kind == TEMPORAL__KIND_AND, machine->values[node->left],
                                    machine->values[node->right]);
            break;
        case TEMPORAL__KIND_UNTIL:
        case TEMPORAL__KIND_RELEASE:
            *value = unfold(machine, i, node->low, node->high);
            break;
        case TEMPORAL__KIND_SINCE:
        case TEMPORAL__KIND_TRIGGER:
            *value = look_back(machine, node, words);
            break;
        }
    }
    machine->next_words[0] = words[0] == TEMPORAL__BEFORE_THE_TRACE ? machine->values[formula->node_count - 1]
                                                                    : progress(machine, words[0]);
    if (machine->next_words[0] <= TEMPORAL__REMAINDER_TRUE)
        clear_cells(machine, machine->next_words);
    COR_TRY(remainders->status);
    COR_TRY(find_state(machine, to));
    if (2 * (machine->move_count + 1) > machine->move_slots) {
        struct temporal__move *before = machine->moves;
        const size_t slots = machine->move_slots;
        struct temporal__move *moves = cor_calloc(2 * slots, sizeof *moves);
        COR_TRY(cor_made(moves, &machine->remainders.error));
        machine->moves = moves;
        machine->move_slots = 2 * slots;
        for (size_t i = 0; i < slots; i++)
            if (before[i].from != 0)
                moves[move_slot(machine, before[i].from - 1, before[i].input)] = before[i];
        free(before);
    }
    machine->moves[move_slot(machine, from, input)] = (struct temporal__move){input, from + 1, *to};
    machine->move_count++;
    return COR_OK;
}

/* ---- A formula along a trace. Its three-valued value is two values of two-valued machines: the worst, in
 * which an unknown condition neither holds nor is violated, and the best, in which it does both; they are one
 * state as long as nothing is unknown (Bruns and Godefroid, Model checking partial state spaces with 3-valued
 * temporal logics, CAV 1999, section 3.2).
 *
 * When it is fixed: knowing more about conditions never changes "holds" or "violated", so one continuation
 * tells of these for all of its length: that in which all is unknown. "Unknown" is fixed if no continuation
 * without unknown conditions ends otherwise, since knowing more could only help */

static enum cor_status temporal__distance(struct temporal__reaches *reaches,
                                          const struct temporal__machine *machine, uint32_t state,
                                          const struct cor_temporal_degrees *degrees, uint32_t left,
                                          struct cor_temporal_distance *distance,
                                          struct cor_error *error) COR_MUST_USE;

enum { WALK_MAX = 2048, SEARCH_MAX = 4096 };

struct cor_temporal_watch {
    struct temporal__machine machine;
    uint32_t worst, best; /* states */
    uint64_t length, decided_at;
    uint32_t *list; /* owned; states of a search */
    struct temporal__reaches reaches;
};

COR_WORDS(cor_temporal_word, enum cor_temporal_value, "violated", "holds", "unknown")

enum cor_status cor_temporal_parse(const char *text, const char *const *names, const char *place,
                                   struct cor_temporal **formula, struct cor_error *error) {
    *formula = NULL;
    COR_FREED struct temporal__tree *tree = cor_calloc(1, sizeof *tree);
    struct cor_temporal *made = cor_calloc(1, sizeof *made);
    enum cor_status status = tree && made ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK)
        status = temporal__parse(text, names, place, tree, error);
    if (status == COR_OK)
        status = lower_formula(tree, place, made, error);
    if (status != COR_OK)
        cor_temporal_destroy(made);
    else
        *formula = made;
    return status;
}

void cor_temporal_destroy(struct cor_temporal *formula) {
    if (!formula)
        return;
    COR_FREE(formula->nodes, formula->obligations, formula);
}

enum cor_status cor_temporal_watch_create(const struct cor_temporal *formula,
                                          struct cor_temporal_watch **watch, struct cor_error *error) {
    *watch = NULL;
    struct cor_temporal_watch *made = cor_calloc(1, sizeof *made);
    COR_FREED uint32_t *list = cor_calloc(SEARCH_MAX + 1, sizeof *list);
    enum cor_status status = made && list ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK)
        status = machine_init(&made->machine, formula, error);
    if (status != COR_OK) {
        free(made);
        return status;
    }
    made->list = cor_taken(&list);
    cor_temporal_restart(made);
    *watch = made;
    return COR_OK;
}

void cor_temporal_watch_destroy(struct cor_temporal_watch *watch) {
    if (!watch)
        return;
    machine_fini(&watch->machine);
    /* idempotent */
    struct temporal__reaches *reaches = &watch->reaches;
    COR_FREE(reaches->of_node, reaches->of_remainder, reaches->stamps);
    *reaches = (struct temporal__reaches){0};
    COR_FREE(watch->list, watch);
}

void cor_temporal_restart(struct cor_temporal_watch *watch) {
    watch->worst = watch->best = 0;
    watch->length = 0;
    watch->decided_at = COR_TEMPORAL_OPEN;
}

/* Whether a search may go on. */
static bool may_search(const struct temporal__machine *machine, uint32_t steps, uint32_t most) {
    return steps < most && machine->remainders.work < TEMPORAL__SEARCH_WORK_MAX;
}

static bool is_true_at_end_watch(const struct temporal__machine *machine, uint32_t state) {
    return (machine->facts[state] & TEMPORAL__AT_END) != 0;
}

/* Finds out whether the value of a state stays where all that comes is unknown, which is the least that can
 * make it true, and the most that can make it false. What is found of a state depends on it alone, so that it
 * is the same whatever the watch saw before. */
static enum cor_status follow_unknown(struct cor_temporal_watch *watch, uint32_t start) {
    struct temporal__machine *machine = &watch->machine;
    const bool truth = is_true_at_end_watch(machine, start);
    const struct temporal__input input = {truth ? 0 : machine->mask, truth ? 0 : machine->mask};
    const uint32_t search = ++machine->search;
    uint32_t state = start;
    for (uint32_t count = 0;
         may_search(machine, count, WALK_MAX) && is_true_at_end_watch(machine, state) == truth; count++) {
        if (machine->visits[state] == search) { /* round and round */
            machine->facts[start] |= TEMPORAL__FIXED;
            return COR_OK;
        }
        machine->visits[state] = search;
        COR_TRY(machine_move(machine, state, input, &state));
    }
    machine->facts[start] |= TEMPORAL__NOT_FIXED;
    return COR_OK;
}

/* Finds out whether any continuation without unknown conditions changes the value of a state. */
static enum cor_status search_known(struct cor_temporal_watch *watch, uint32_t start) {
    struct temporal__machine *machine = &watch->machine;
    const bool truth = is_true_at_end_watch(machine, start);
    const uint64_t inputs = UINT64_C(1) << (machine->formula->condition_count % 64);
    const uint32_t search = ++machine->search;
    uint32_t count = 1, steps = 0;
    bool is_settled = true;
    watch->list[0] = start;
    machine->visits[start] = search;
    for (uint32_t i = 0; i < count && is_settled; i++) {
        for (uint64_t yes = 0; yes < inputs && is_settled; yes++) {
            uint32_t next;
            COR_TRY(machine_move(machine, watch->list[i], (struct temporal__input){yes, ~yes & machine->mask},
                                 &next));
            is_settled =
                is_true_at_end_watch(machine, next) == truth && may_search(machine, ++steps, SEARCH_MAX);
            if (machine->visits[next] != search)
                watch->list[count++] = next;
            machine->visits[next] = search;
        }
    }
    machine->facts[start] |= is_settled ? TEMPORAL__SETTLED : TEMPORAL__NOT_SETTLED;
    return COR_OK;
}

/* Whether the value of a state is FIXED, or SETTLED. A search that becomes too large says that it is not. */
static enum cor_status ask(struct cor_temporal_watch *watch, uint32_t state, uint8_t yes, uint8_t no,
                           bool *is_so) {
    struct temporal__machine *machine = &watch->machine;
    enum cor_status status = COR_OK;
    if ((machine->facts[state] & (yes | no)) == 0)
        status = yes == TEMPORAL__FIXED ? follow_unknown(watch, state) : search_known(watch, state);
    if (status == COR_STATUS_INPUT) {
        machine->facts[state] |= no;
        machine->remainders.status = status = COR_OK;
        machine->remainders.error = COR_NO_ERROR;
    }
    *is_so = (machine->facts[state] & yes) != 0;
    return status;
}

static enum cor_status is_fixed(struct cor_temporal_watch *watch, bool *fixed) {
    const enum cor_temporal_value verdict = cor_temporal_verdict(watch);
    if (verdict != COR_TEMPORAL_UNKNOWN)
        return ask(watch, verdict == COR_TEMPORAL_HOLDS ? watch->worst : watch->best, TEMPORAL__FIXED,
                   TEMPORAL__NOT_FIXED, fixed);
    COR_TRY(ask(watch, watch->worst, TEMPORAL__SETTLED, TEMPORAL__NOT_SETTLED, fixed));
    return *fixed ? ask(watch, watch->best, TEMPORAL__SETTLED, TEMPORAL__NOT_SETTLED, fixed) : COR_OK;
}

/* A step of which not all was seen before. */
static enum cor_status step(struct cor_temporal_watch *watch, uint64_t holds, uint64_t unknown) {
    struct temporal__machine *machine = &watch->machine;
    const struct temporal__input worst = {holds, machine->mask & ~holds & ~unknown};
    const struct temporal__input best = {holds | unknown, machine->mask & ~holds};
    machine->remainders.work = 0;
    COR_TRY(machine_tidy(machine, &watch->worst, &watch->best));
    const bool is_one = watch->worst == watch->best && unknown == 0;
    COR_TRY(machine_move(machine, watch->worst, worst, &watch->worst));
    if (!is_one)
        COR_TRY(machine_move(machine, watch->best, best, &watch->best));
    else
        watch->best = watch->worst;
    bool fixed;
    COR_TRY(is_fixed(watch, &fixed));
    if (fixed)
        watch->decided_at = watch->length - 1;
    return COR_OK;
}

enum cor_status cor_temporal_step(struct cor_temporal_watch *watch, const uint8_t *conditions,
                                  struct cor_error *error) {
    struct temporal__machine *machine = &watch->machine;
    const struct cor_temporal *formula = machine->formula;
    watch->length++;
    if (watch->decided_at != COR_TEMPORAL_OPEN)
        return COR_OK;
    COR_ASSERT(machine->remainders.status == COR_OK);
    uint64_t holds = 0, unknown = 0;
    for (uint32_t i = 0; i < formula->condition_count; i++) {
        const uint8_t value = conditions[formula->conditions[i]];
        COR_ASSERT(value <= COR_TEMPORAL_UNKNOWN);
        holds |= (uint64_t)(value & 1) << i;
        unknown |= (uint64_t)(value >> 1) << i;
    }
    /* Nothing is unknown, and the move was made before: most steps. */
    if (unknown == 0 && watch->worst == watch->best) {
        const struct temporal__input input = {holds, machine->mask & ~holds};
        const struct temporal__move *move = &machine->moves[move_slot(machine, watch->worst, input)];
        if (move->from != 0 && (machine->facts[move->to] & TEMPORAL__NOT_FIXED)) {
            watch->worst = watch->best = move->to;
            return COR_OK;
        }
    }
    enum cor_status status = step(watch, holds, unknown);
    if (status != COR_OK && error)
        *error = machine->remainders.error;
    return status;
}

enum cor_temporal_value cor_temporal_verdict(const struct cor_temporal_watch *watch) {
    if (is_true_at_end_watch(&watch->machine, watch->worst))
        return COR_TEMPORAL_HOLDS;
    return is_true_at_end_watch(&watch->machine, watch->best) ? COR_TEMPORAL_UNKNOWN : COR_TEMPORAL_VIOLATED;
}

enum cor_temporal_value cor_temporal_so_far(const struct cor_temporal_watch *watch) {
    const struct temporal__machine *machine = &watch->machine;
    const enum cor_temporal_value verdict = cor_temporal_verdict(watch);
    return verdict == COR_TEMPORAL_VIOLATED && watch->decided_at == COR_TEMPORAL_OPEN && watch->best > 0 &&
                   remainder_at_end(&machine->remainders,
                                    machine->words[(size_t)watch->best * machine->width], true)
               ? COR_TEMPORAL_UNKNOWN
               : verdict;
}

uint64_t cor_temporal_decided_at(const struct cor_temporal_watch *watch) {
    return watch->decided_at;
}

enum cor_status cor_temporal_distance(struct cor_temporal_watch *watch,
                                      const struct cor_temporal_degrees *degrees, uint32_t left,
                                      struct cor_temporal_distance *distance, struct cor_error *error) {
    const bool holds = is_true_at_end_watch(&watch->machine, watch->worst);
    if (watch->decided_at == COR_TEMPORAL_OPEN)
        return temporal__distance(&watch->reaches, &watch->machine, watch->worst, degrees, left, distance,
                                  error);
    *distance = (struct cor_temporal_distance){holds ? 0 : COR_TEMPORAL_NEVER, 0};
    return COR_OK;
}

/* ---- how far a formula is from holding: over the decision diagram that a state of the machine is. The way
 * is that of search-based testing, an approach level with a branch distance behind it (Wegener, Baresel and
 * Sthamer, Evolutionary test environment for automatic structural testing, 2001): states that have to come,
 * then how far the conditions of the last state were from what they ask of the next one */

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
    case TEMPORAL__KIND_TRIGGER: {
        /* A word of the past in the next state, from its cells. How it will be in later ones the cells do not
         * say. */
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

/* How far a state of the machine is from holding; see cor_temporal_distance. */
static enum cor_status temporal__distance(struct temporal__reaches *reaches,
                                          const struct temporal__machine *machine, uint32_t state,
                                          const struct cor_temporal_degrees *degrees, uint32_t left,
                                          struct cor_temporal_distance *distance, struct cor_error *error) {
    const uint32_t *words = machine->words + (size_t)state * machine->width;
    const struct asking asking = {machine, reaches, degrees, words, left};
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
