/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * States and moves. The way is formula progression (Bacchus and Kabanza, Planning for temporally extended
 * goals, Annals of Mathematics and AI 1998, section 4) with the finite semantics of De Giacomo and Vardi
 * (Linear temporal logic and linear dynamic logic on finite traces, IJCAI 2013, section 2): what a state
 * leaves of a formula is a function of obligations for the next one. Words of the past (Havelund and Rosu,
 * Synthesizing monitors for safety properties, TACAS 2002, section 3) remember what they were in the state
 * before, as such a function, too, since what they look at may reach into the future. */
#include "watch.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

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
    bool at_end = remainder == TEMPORAL__BEFORE_THE_TRACE
                      ? is_true_at_end(machine->formula)
                      : temporal__remainder_at_end(&machine->remainders, remainder);
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
    COR_TRY_OUT(temporal__remainders_init(&machine->remainders, formula, error));
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
    temporal__remainders_fini(&machine->remainders);
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
        known[remainder] = 1 + temporal__choose(now, choice.obligation, met, unmet);
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
    temporal__remainders_fini(now);
    COR_TRY_OUT(temporal__remainders_init(now, machine->formula, &now->error));
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
        temporal__obligation_at(node, low - (low > 0), high == TEMPORAL__UNBOUNDED ? high : high - 1);
    const uint32_t later =
        temporal__choose(remainders, obligation, TEMPORAL__REMAINDER_TRUE, TEMPORAL__REMAINDER_FALSE);
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
