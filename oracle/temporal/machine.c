/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tree as a formula of few operators, in negation normal form, each node once. Where a node stands as it is
 * and where it is denied it becomes different nodes; operands are lowered before it, so recursion is as deep
 * as the text is nested. */
#include "core.h"
#include "watch.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

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

static bool is_past(enum temporal__kind kind) {
    return kind == TEMPORAL__KIND_SINCE || kind == TEMPORAL__KIND_TRIGGER;
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
        uint32_t *count = is_past(node.kind) ? &formula->cell_count : &formula->obligation_count;
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

/* All that can come to be asked. */
static enum cor_status list_obligations(struct cor_temporal *formula, struct cor_error *error) {
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

enum cor_status temporal__lower(const struct temporal__tree *tree, const char *place,
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
    return list_obligations(formula, error);
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

/* What the remainder is where the trace ends. */
static bool remainder_at_end(const struct temporal__remainders *remainders, uint32_t remainder) {
    const struct cor_temporal *formula = remainders->formula;
    while (remainder > TEMPORAL__REMAINDER_TRUE) {
        const struct temporal__choice *choice = &remainders->choices[remainder];
        const struct temporal__node *node = &formula->nodes[formula->obligations[choice->obligation].node];
        remainder = node->kind == TEMPORAL__KIND_RELEASE ? choice->met : choice->unmet;
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

static enum cor_status grow_slots(struct temporal__machine *machine) {
    uint32_t *slots = cor_calloc(2 * machine->slot_count, sizeof *slots);
    COR_TRY(cor_made(slots, &machine->remainders.error));
    free(machine->slots);
    machine->slots = slots;
    machine->slot_count *= 2;
    for (uint32_t i = 0; i < machine->state_count; i++)
        machine->slots[state_slot(machine, machine->words + (size_t)i * machine->width)] = i + 1;
    return COR_OK;
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
    if (2 * (count + 1) > machine->slot_count)
        COR_TRY(grow_slots(machine));
    const uint32_t remainder = machine->next_words[0];
    memcpy(machine->words + count * width, machine->next_words, width * sizeof *machine->words);
    bool at_end = remainder == TEMPORAL__BEFORE_THE_TRACE ? is_true_at_end(machine->formula)
                                                          : remainder_at_end(&machine->remainders, remainder);
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

enum cor_status temporal__machine_init(struct temporal__machine *machine, const struct cor_temporal *formula,
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
        temporal__machine_fini(machine);
    return status;
}

void temporal__machine_fini(struct temporal__machine *machine) {
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

enum cor_status temporal__machine_tidy(struct temporal__machine *machine, uint32_t *one, uint32_t *other) {
    struct temporal__remainders *now = &machine->remainders;
    const size_t width = machine->width;
    if (machine->state_count <= STATES_MAX && machine->state_count * width <= WORDS_MAX + 2 * width &&
        now->count <= REMAINDERS_KEPT && machine->move_count <= MOVES_MAX)
        return COR_OK;
    enum cor_status status = COR_OK;
    struct temporal__choice *before = NULL;
    uint32_t *known = NULL, *kept = NULL;
    uint32_t *const states[] = {one, other};
    before = cor_calloc(now->count, sizeof *before);
    known = cor_calloc(now->count, sizeof *known);
    kept = cor_calloc(2 * width, sizeof *kept);
    if (!before || !known || !kept)
        COR_TRY_OUT(cor_fail_memory(&now->error));
    memcpy(before, now->choices, now->count * sizeof *before);
    for (size_t i = 0; i < 2; i++)
        memcpy(kept + i * width, machine->words + *states[i] * width, width * sizeof *kept);
    remainders_fini(now);
    COR_TRY_OUT(remainders_init(now, machine->formula, &now->error));
    COR_TRY_OUT(begin(machine));
    for (size_t i = 0; i < 2; i++) {
        for (size_t word = 0; word < width; word++)
            machine->next_words[word] = carry(now, before, known, kept[i * width + word]);
        COR_TRY_OUT(now->status);
        COR_TRY_OUT(find_state(machine, states[i]));
    }
out:
    free(before);
    free(known);
    free(kept);
    return status;
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

/* Makes next_words what the input makes of a state. */
static enum cor_status advance(struct temporal__machine *machine, uint32_t from,
                               struct temporal__input input) {
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
    return remainders->status;
}

static enum cor_status grow_moves(struct temporal__machine *machine) {
    struct temporal__move *before = machine->moves;
    const size_t slots = machine->move_slots;
    struct temporal__move *moves = cor_calloc(2 * slots, sizeof *moves);
    COR_TRY(cor_made(moves, &machine->remainders.error));
    machine->moves = moves;
    machine->move_slots = 2 * slots;
    for (size_t i = 0; i < slots; i++)
        if (before[i].from != 0)
            moves[temporal__move_slot(machine, before[i].from - 1, before[i].input)] = before[i];
    free(before);
    return COR_OK;
}

enum cor_status temporal__machine_move(struct temporal__machine *machine, uint32_t from,
                                       struct temporal__input input, uint32_t *to) {
    const struct temporal__move *known = &machine->moves[temporal__move_slot(machine, from, input)];
    if (known->from != 0) {
        *to = known->to;
        return COR_OK;
    }
    COR_TRY(advance(machine, from, input));
    COR_TRY(find_state(machine, to));
    if (2 * (machine->move_count + 1) > machine->move_slots)
        COR_TRY(grow_moves(machine));
    machine->moves[temporal__move_slot(machine, from, input)] = (struct temporal__move){input, from + 1, *to};
    machine->move_count++;
    return COR_OK;
}
