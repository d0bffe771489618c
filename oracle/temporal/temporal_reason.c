/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why a formula is violated. Each node has a value at each state: by what is known up to here, where states
 * that may come are added in which all is unknown, or by the whole trace, if it has ended. A node that is
 * violated at a state is so by some of its operands at some states: from the root down to conditions. */
#include "core.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { VIOLATED = COR_TEMPORAL_VIOLATED, HOLDS = COR_TEMPORAL_HOLDS, UNKNOWN = COR_TEMPORAL_UNKNOWN };

#define NO_STATE UINT64_MAX

/* States of a node, of which is known why it is violated: none if `to` is 0. */
struct range {
    uint64_t from, to;
};

struct blame {
    const struct cor_temporal *formula;
    const uint8_t *states;
    size_t width;
    uint64_t count, total;    /* states that there are, and with those that may come */
    uint8_t *values;          /* owned; [node * total + state] enum cor_temporal_value */
    uint64_t *holding, *open; /* owned; [state] the next one, or the one before, at which the right side
                                 holds, and is not violated */
    struct range *done;       /* owned; [node] */
    struct range *found;      /* owned; [node] from there on, the operand is first violated here */
    struct cor_temporal_reason *reasons; /* owned */
    size_t reason_count, capacity;
    enum cor_status status;
    struct cor_error *error;
};

static uint8_t *row_of(const struct blame *blame, uint32_t node) {
    return blame->values + node * blame->total;
}

/* The value, or that of the denied node. */
static uint8_t value_at(const uint8_t *row, uint64_t state, bool denied) {
    const uint8_t value = row[state];
    return denied && value != UNKNOWN ? !value : value;
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* The last state that a word that looks ahead from `state` can look at. */
static uint64_t reach_of(const struct temporal__node *node, uint64_t state) {
    return node->high == TEMPORAL__UNBOUNDED ? NO_STATE : state + node->high;
}

static uint8_t of_condition(const struct blame *blame, const struct temporal__node *node, uint64_t state) {
    if (state >= blame->count)
        return UNKNOWN;
    const uint8_t value = blame->states[state * blame->width + blame->formula->conditions[node->first]];
    return value_at(&value, 0, node->kind == TEMPORAL__KIND_NO);
}

/* The worse of two values, or the better. */
static uint8_t join(uint8_t a, uint8_t b, bool worse) {
    static const uint8_t ranks[] = {[VIOLATED] = 0, [UNKNOWN] = 1, [HOLDS] = 2};
    return (ranks[a] < ranks[b]) == worse ? a : b;
}

static void fill(struct blame *blame, uint32_t index) {
    const struct temporal__node *node = &blame->formula->nodes[index];
    uint8_t *row = row_of(blame, index);
    if (node->kind == TEMPORAL__KIND_UNTIL || node->kind == TEMPORAL__KIND_RELEASE) {
        /* UNTIL at all states; RELEASE is what is not "until" of what is not. */
        const bool denied = node->kind == TEMPORAL__KIND_RELEASE;
        const uint8_t *left = row_of(blame, node->left), *right = row_of(blame, node->right);
        uint64_t left_open = NO_STATE, left_violated = NO_STATE;
        blame->holding[blame->total] = blame->open[blame->total] = NO_STATE;
        for (uint64_t i = blame->total; i-- > 0;) {
            const uint8_t l = value_at(left, i, denied), r = value_at(right, i, denied);
            /* That a state comes is not known. */
            blame->holding[i] = r == HOLDS && i < blame->count ? i : blame->holding[i + 1];
            blame->open[i] = r != VIOLATED ? i : blame->open[i + 1];
            left_open = l != HOLDS ? i : left_open;
            left_violated = l == VIOLATED ? i : left_violated;
            const uint64_t from = least(i + node->low, blame->total), to = reach_of(node, i);
            const uint64_t holding = blame->holding[from], open = blame->open[from];
            const bool goes_on = blame->total > blame->count && to >= blame->total;
            const bool is_open = (open != NO_STATE && open <= to && open <= left_violated) ||
                                 (goes_on && left_violated == NO_STATE);
            const uint8_t value = holding != NO_STATE && holding <= to && holding <= left_open ? HOLDS
                                  : is_open                                                    ? UNKNOWN
                                                                                               : VIOLATED;
            row[i] = value;
            row[i] = value_at(row, i, denied);
        }
        return;
    }
    if (node->kind >= TEMPORAL__KIND_SINCE) {
        /* SINCE and TRIGGER likewise. holding[i + 1] is of state i. */
        const bool denied = node->kind == TEMPORAL__KIND_TRIGGER;
        const uint8_t *left = row_of(blame, node->left), *right = row_of(blame, node->right);
        uint64_t left_open = 0, left_violated = 0;
        blame->holding[0] = blame->open[0] = NO_STATE;
        for (uint64_t i = 0; i < blame->total; i++) {
            const uint8_t l = value_at(left, i, denied), r = value_at(right, i, denied);
            blame->holding[i + 1] = r == HOLDS ? i : blame->holding[i];
            blame->open[i + 1] = r != VIOLATED ? i : blame->open[i];
            left_open = l != HOLDS ? i : left_open;
            left_violated = l == VIOLATED ? i : left_violated;
            const uint64_t from = node->high == TEMPORAL__UNBOUNDED || i < node->high ? 0 : i - node->high;
            uint8_t value = VIOLATED;
            if (i >= node->low) {
                const uint64_t holding = blame->holding[i - node->low + 1],
                               open = blame->open[i - node->low + 1];
                value = holding != NO_STATE && holding >= most(from, left_open) ? HOLDS
                        : open != NO_STATE && open >= most(from, left_violated) ? UNKNOWN
                                                                                : VIOLATED;
            }
            row[i] = value;
            row[i] = value_at(row, i, denied);
        }
        return;
    }
    for (uint64_t i = 0; i < blame->total; i++)
        row[i] = node->kind == TEMPORAL__KIND_FALSE  ? VIOLATED
                 : node->kind == TEMPORAL__KIND_TRUE ? HOLDS
                 : node->kind <= TEMPORAL__KIND_NO
                     ? of_condition(blame, node, i)
                     : join(row_of(blame, node->left)[i], row_of(blame, node->right)[i],
                            node->kind == TEMPORAL__KIND_AND);
}

/* ---- from the root down */

static void add(struct blame *blame, struct cor_temporal_reason reason) {
    enum { LOOKED_AT = 64 }; /* facts with which it could be one */
    for (size_t back = 1; reason.kind == COR_TEMPORAL_FACT && back <= LOOKED_AT; back++) {
        if (back > blame->reason_count)
            break;
        struct cor_temporal_reason *known = &blame->reasons[blame->reason_count - back];
        if (known->kind != COR_TEMPORAL_FACT || known->condition != reason.condition ||
            known->value != reason.value || reason.first > known->last + 1 || reason.first + 1 < known->first)
            continue;
        known->first = least(known->first, reason.first);
        known->last = most(known->last, reason.last);
        return;
    }
    if (blame->status == COR_OK)
        blame->status = COR_RESERVE(&blame->reasons, &blame->capacity, blame->reason_count + 1, blame->error);
    if (blame->status == COR_OK)
        blame->reasons[blame->reason_count++] = reason;
}

static void add_word(struct blame *blame, const struct temporal__node *node,
                     enum cor_temporal_reason_kind kind, uint64_t first, uint64_t last) {
    add(blame, (struct cor_temporal_reason){
                   .kind = kind, .first = first, .last = last, .at = node->at, .length = node->length});
}

static void explain(struct blame *blame, uint32_t index, uint64_t state);

/* At all states of a range. What is known of neighbours is not said again. */
static void explain_range(struct blame *blame, uint32_t index, uint64_t from, uint64_t to) {
    struct range *done = &blame->done[index];
    if (done->to == 0 || from > done->to || to + 1 < done->from) {
        *done = (struct range){from, to + 1};
        for (uint64_t i = from; i <= to; i++)
            explain(blame, index, i);
        return;
    }
    const struct range before = *done;
    done->from = least(from, before.from);
    done->to = most(to + 1, before.to);
    for (uint64_t i = from; i < before.from && i <= to; i++)
        explain(blame, index, i);
    for (uint64_t i = before.to; i <= to; i++)
        explain(blame, index, i);
}

static void explain_at(struct blame *blame, uint32_t index, uint64_t state) {
    explain_range(blame, index, state, state);
}

/* The first state from `from` on at which the node is violated; NO_STATE: none is. */
static uint64_t first_violated(struct blame *blame, uint32_t index, uint64_t from) {
    struct range *found = &blame->found[index];
    if (found->to != 0 && from >= found->from && from < found->to)
        return found->to - 1 == blame->total ? NO_STATE : found->to - 1;
    const uint8_t *row = row_of(blame, index);
    uint64_t at = from;
    while (at < blame->total && row[at] != VIOLATED)
        at++;
    *found = (struct range){from, at + 1};
    return at < blame->total ? at : NO_STATE;
}

/* The last one up to `to`. */
static uint64_t last_violated(const struct blame *blame, uint32_t index, uint64_t to) {
    const uint8_t *row = row_of(blame, index);
    for (uint64_t at = to + 1; at-- > 0;)
        if (row[at] == VIOLATED)
            return at;
    return NO_STATE;
}

static void explain_since(struct blame *blame, const struct temporal__node *node, uint64_t state) {
    const uint64_t from = node->high == TEMPORAL__UNBOUNDED || state < node->high ? 0 : state - node->high;
    if (state < node->low) {
        add_word(blame, node, COR_TEMPORAL_NOTHING_BEFORE, state, state);
        return;
    }
    const uint64_t broken = last_violated(blame, node->left, state);
    const bool is_broken = broken != NO_STATE && broken > from;
    const uint64_t begin = is_broken ? broken : from;
    if (begin <= state - node->low)
        explain_range(blame, node->right, begin, state - node->low);
    if (is_broken)
        explain_at(blame, node->left, broken);
}

/* RELEASE and TRIGGER: the nearest state at which the right side is violated, and the left side up to it. */
static void explain_dual(struct blame *blame, const struct temporal__node *node, uint64_t state) {
    if (node->kind == TEMPORAL__KIND_RELEASE) {
        const uint64_t at = first_violated(blame, node->right, state + node->low);
        if (at > state)
            explain_range(blame, node->left, state, at - 1);
        explain_at(blame, node->right, at);
        return;
    }
    const uint64_t at = last_violated(blame, node->right, state - node->low);
    if (at < state)
        explain_range(blame, node->left, at + 1, state);
    explain_at(blame, node->right, at);
}

static void explain(struct blame *blame, uint32_t index, uint64_t state) {
    const struct temporal__node *node = &blame->formula->nodes[index];
    COR_ASSERT(row_of(blame, index)[state] == VIOLATED);
    switch (node->kind) {
    case TEMPORAL__KIND_YES:
    case TEMPORAL__KIND_NO:
        add(blame,
            (struct cor_temporal_reason){.kind = COR_TEMPORAL_FACT,
                                         .first = state,
                                         .last = state,
                                         .condition = blame->formula->conditions[node->first],
                                         .value = node->kind == TEMPORAL__KIND_YES ? VIOLATED : HOLDS});
        return;
    case TEMPORAL__KIND_AND:
        explain_at(blame, row_of(blame, node->left)[state] == VIOLATED ? node->left : node->right, state);
        return;
    case TEMPORAL__KIND_OR:
        explain_at(blame, node->left, state);
        explain_at(blame, node->right, state);
        return;
    case TEMPORAL__KIND_UNTIL: {
        const uint64_t reach = reach_of(node, state), to = least(reach, blame->total - 1);
        const uint64_t broken = first_violated(blame, node->left, state);
        const bool is_broken = broken < reach && broken < blame->total;
        const uint64_t end = is_broken ? least(broken, to) : to;
        if (state + node->low <= end)
            explain_range(blame, node->right, state + node->low, end);
        if (is_broken) {
            explain_at(blame, node->left, broken);
            add_word(blame, node, COR_TEMPORAL_BROKEN, state, broken);
        } else if (reach < blame->count || blame->total > blame->count)
            add_word(blame, node, COR_TEMPORAL_TOO_LATE, state, reach);
        else
            add_word(blame, node, COR_TEMPORAL_ENDED, state, blame->count - 1);
        return;
    }
    case TEMPORAL__KIND_SINCE:
        explain_since(blame, node, state);
        return;
    case TEMPORAL__KIND_RELEASE:
    case TEMPORAL__KIND_TRIGGER:
        explain_dual(blame, node, state);
        return;
    default: /* false is so by itself */
        return;
    }
}

/* How many states that may come are looked at: all that bounds reach. */
static uint64_t horizon_of(const struct cor_temporal *formula) {
    uint64_t sum = 1;
    for (uint32_t i = 0; i < formula->node_count; i++)
        if (formula->nodes[i].kind >= TEMPORAL__KIND_UNTIL)
            sum += formula->nodes[i].high == TEMPORAL__UNBOUNDED ? formula->nodes[i].low + 1
                                                                 : formula->nodes[i].high;
    return sum;
}

/* Values of all nodes; *is_violated: the root is, at the first state. */
static enum cor_status evaluate(struct blame *blame, uint64_t more, bool *is_violated) {
    const uint32_t nodes = blame->formula->node_count;
    COR_FREE(blame->values, blame->holding, blame->open);
    blame->total = blame->count + more;
    blame->values = cor_calloc(nodes * (size_t)blame->total, 1);
    blame->holding = cor_calloc((size_t)blame->total + 1, sizeof *blame->holding);
    blame->open = cor_calloc((size_t)blame->total + 1, sizeof *blame->open);
    if (!blame->values || !blame->holding || !blame->open)
        return cor_fail_memory(blame->error);
    for (uint32_t i = 0; i < nodes; i++)
        fill(blame, i);
    *is_violated = row_of(blame, nodes - 1)[0] == VIOLATED;
    return COR_OK;
}

enum cor_status cor_temporal_reasons(const struct cor_temporal *formula, const uint8_t *states, size_t width,
                                     uint64_t count, bool is_decided, struct cor_temporal_reason **reasons,
                                     size_t *reason_count, bool *is_enough, struct cor_error *error) {
    struct blame blame = {
        .formula = formula, .states = states, .width = width, .count = count, .error = error};
    enum cor_status status = COR_OK;
    bool is_violated = false;
    COR_ASSERT(count > 0);
    blame.done = cor_calloc(formula->node_count, sizeof *blame.done);
    blame.found = cor_calloc(formula->node_count, sizeof *blame.found);
    if (!blame.done || !blame.found)
        COR_TRY_OUT(cor_fail_memory(error));
    if (is_decided)
        COR_TRY_OUT(evaluate(&blame, horizon_of(formula), &is_violated));
    *is_enough = is_violated || !is_decided;
    if (!is_violated)
        COR_TRY_OUT(evaluate(&blame, 0, &is_violated));
    COR_ASSERT(is_violated);
    explain_at(&blame, formula->node_count - 1, 0);
    status = blame.status;
out:
    if (status != COR_OK)
        free(blame.reasons);
    *reasons = status == COR_OK ? blame.reasons : NULL;
    *reason_count = status == COR_OK ? blame.reason_count : 0;
    COR_FREE(blame.values, blame.holding, blame.open, blame.done, blame.found);
    return status;
}

COR_WORDS(cor_temporal_reason_word, enum cor_temporal_reason_kind, "fact", "too_late", "broken", "ended",
          "nothing_before")

void cor_temporal_reason_text(const struct cor_temporal_reason *reason, const char *text,
                              const char *const *names, const char *state, uint64_t first_number, char *words,
                              size_t size) {
    const uint64_t first = reason->first + first_number, last = reason->last + first_number;
    const int length = reason->length < 200 ? (int)reason->length : 200;
    const char *at = text + reason->at, *rest = reason->length > 200 ? ".." : "";
    char to[40] = "", plural[2] = "";
    if (first != last) {
        snprintf(to, sizeof to, " to %" PRIu64, last);
        snprintf(plural, sizeof plural, "s");
    }
    switch (reason->kind) {
    case COR_TEMPORAL_FACT:
        snprintf(words, size, "%s %s in %s%s %" PRIu64 "%s", names[reason->condition],
                 reason->value == HOLDS ? "holds" : "does not hold", state, plural, first, to);
        return;
    case COR_TEMPORAL_TOO_LATE:
        snprintf(words, size, "\"%.*s%s\" began in %s %" PRIu64 " and its time was over with %s %" PRIu64,
                 length, at, rest, state, first, state, last);
        return;
    case COR_TEMPORAL_BROKEN:
        snprintf(words, size, "\"%.*s%s\" began in %s %" PRIu64 " and broke in %s %" PRIu64, length, at, rest,
                 state, first, state, last);
        return;
    case COR_TEMPORAL_ENDED:
        snprintf(words, size, "\"%.*s%s\" began in %s %" PRIu64 " and was open at the end, %s %" PRIu64,
                 length, at, rest, state, first, state, last);
        return;
    case COR_TEMPORAL_NOTHING_BEFORE:
        snprintf(words, size, "\"%.*s%s\" looks back from %s %" PRIu64 " to before the first", length, at,
                 rest, state, first);
        return;
    }
}
