/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The box of all vectors is halved until in each box all parts that read parameters alone are settled by
 * bounds; the least vector of a box then stands for all of it. */
#include <corridor/efsm_inputs.h>

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

/* A part of an expression that reads parameters alone: the nodes of its expression up to its own. */
struct part {
    struct cor_expression expression; /* borrowed, cut */
    uint64_t reads;                   /* bit p: parameter p of the label */
    bool of_guard;
};

/* Of one transition. */
struct parts {
    const struct cor_expression *guard;
    struct part *parts; /* owned */
    uint32_t count;
    size_t capacity;
};

struct splitter {
    const struct cor_efsm *model;
    struct cor_efsm_site *site;
    struct parts *transitions; /* owned; [transition of the site] */
    int64_t *boxes;            /* owned; [box][low, high][parameter] */
    size_t box_capacity, vector_capacity;
    uint64_t box_count;
    int64_t low[COR_EFSM_VARIABLES_MAX], high[COR_EFSM_VARIABLES_MAX]; /* state variables: their domains */
    uint32_t width;                                                    /* of a signature */
    int64_t *signatures;                                               /* owned; [vector][width] */
    uint32_t *slots;                                                   /* owned; 1 + vector */
    uint64_t slot_count;
    struct cor_error *error;
};

static enum cor_status add_part(struct splitter *s, struct parts *parts, const struct cor_expression *e,
                                uint32_t node, uint64_t reads) {
    COR_TRY(COR_RESERVE(&parts->parts, &parts->capacity, parts->count + 1, s->error));
    struct part *part = &parts->parts[parts->count++];
    *part = (struct part){*e, reads, e == parts->guard};
    part->expression.node_count = node + 1;
    enum cor_operator kind = e->nodes[node].operator;
    part->expression.is_constraint = kind >= COR_OPERATOR_LESS && kind <= COR_OPERATOR_NOT;
    return COR_OK;
}

/* The largest parts of the expression that read parameters alone: its root, or below what reads more. */
static enum cor_status add_parts(struct splitter *s, struct parts *parts, const struct cor_expression *e) {
    uint64_t parameters[COR_EXPRESSION_NODES_MAX];
    bool state[COR_EXPRESSION_NODES_MAX], needed[COR_EXPRESSION_NODES_MAX] = {false};
    if (e->node_count == 0)
        return COR_OK;
    /* What a node reads: the parameters of the label, or a state variable. */
    const struct cor_efsm_label *input = s->site->input;
    for (uint32_t n = 0; n < e->node_count; n++) {
        const struct cor_node *node = &e->nodes[n];
        enum cor_operator kind = node->operator;
        parameters[n] = 0;
        state[n] = false;
        if (kind == COR_OPERATOR_VARIABLE) {
            state[n] = true;
            for (uint32_t p = 0; p < input->parameter_count; p++)
                if (input->parameters[p] == node->variable) {
                    parameters[n] = UINT64_C(1) << p;
                    state[n] = false;
                }
        } else if (kind != COR_OPERATOR_CONSTANT) {
            parameters[n] = parameters[node->left] | parameters[node->right];
            state[n] = state[node->left] || state[node->right];
        }
    }
    needed[e->node_count - 1] = true;
    for (uint32_t n = e->node_count; n-- > 0;) {
        const struct cor_node *node = &e->nodes[n];
        enum cor_operator kind = node->operator;
        if (state[n] && kind != COR_OPERATOR_VARIABLE)
            needed[node->left] = needed[node->right] = true;
        else if (needed[n] && !state[n] && parameters[n] != 0)
            COR_TRY(add_part(s, parts, e, n, parameters[n]));
    }
    return COR_OK;
}

static enum cor_status add_transition(struct splitter *s, const struct cor_efsm_goal *goal, uint32_t number,
                                      struct parts *parts) {
    const struct cor_efsm_transition *t = &s->model->transitions[number];
    parts->guard = &t->guard;
    COR_TRY(add_parts(s, parts, &t->guard));
    for (uint32_t u = 0; u < t->update_count; u++)
        COR_TRY(add_parts(s, parts, &t->updates[u].value));
    for (uint32_t o = 0; o < t->output_count; o++)
        for (uint32_t a = 0; a < s->model->outputs[t->outputs[o].label].parameter_count; a++)
            COR_TRY(add_parts(s, parts, &t->outputs[o].arguments[a]));
    for (uint32_t i = 0; goal && i < goal->trap_count + goal->way_count; i++)
        for (uint32_t j = 0; j < goal->traps[i].transition_count; j++)
            if (goal->traps[i].transitions[j] == number)
                COR_TRY(add_parts(s, parts, &goal->traps[i].constraint));
    s->width += parts->count + 1;
    return COR_OK;
}

/* Sets the parameters to a box. */
static void enter_box(struct splitter *s, const int64_t *low, const int64_t *high) {
    const struct cor_efsm_label *input = s->site->input;
    for (uint32_t p = 0; p < input->parameter_count; p++) {
        s->low[input->parameters[p]] = low[p];
        s->high[input->parameters[p]] = high[p];
    }
}

static bool is_settled(const struct splitter *s, const struct part *part) {
    if (part->expression.is_constraint)
        return cor_expression_decide(&part->expression, s->low, s->high) != COR_DECISION_OPEN;
    const struct cor_value_range range = cor_expression_interval(&part->expression, s->low, s->high);
    return range.low >= range.high;
}

static enum cor_status add_box(struct splitter *s, const int64_t *low, const int64_t *high) {
    const uint32_t count = s->site->input->parameter_count;
    COR_TRY(COR_RESERVE(&s->boxes, &s->box_capacity, (s->box_count + 1) * 2 * count, s->error));
    int64_t *box = s->boxes + s->box_count++ * 2 * count;
    memcpy(box, low, count * sizeof *box);
    memcpy(box + count, high, count * sizeof *box);
    return COR_OK;
}

static enum cor_status keep(struct splitter *s, const int64_t *vector) {
    const uint32_t count = s->site->input->parameter_count;
    COR_TRY(COR_RESERVE(&s->site->vectors, &s->vector_capacity, (s->site->vector_count + 1) * (size_t)count,
                        s->error));
    memcpy(s->site->vectors + (size_t)s->site->vector_count++ * count, vector, count * sizeof *vector);
    return COR_OK;
}

/* Of the parameters in the set the one with most values in the box, COR_NONE if all have one. */
static uint32_t widest(const int64_t *box, uint32_t count, uint64_t among) {
    uint32_t found = COR_NONE;
    int64_t most = 0;
    for (uint32_t p = 0; p < count; p++)
        if (among >> p & 1 && box[count + p] - box[p] > most) {
            most = box[count + p] - box[p];
            found = p;
        }
    return found;
}

/* Halves boxes, the oldest first, until all are settled or there are too many; then each stands for itself by
 * its least and its greatest vector. */
static enum cor_status split(struct splitter *s) {
    const uint32_t count = s->site->input->parameter_count;
    for (uint64_t b = 0; b < s->box_count; b++) {
        int64_t box[2 * COR_EFSM_VARIABLES_MAX], middle[COR_EFSM_VARIABLES_MAX];
        memcpy(box, s->boxes + b * 2 * count, 2 * count * sizeof *box);
        enter_box(s, box, box + count);
        /* The parameters that some unsettled part of the box reads. */
        uint64_t reads = 0;
        for (uint32_t t = 0; t < s->site->transition_count; t++) {
            const struct parts *parts = &s->transitions[t];
            const enum cor_decision decision = cor_expression_decide(parts->guard, s->low, s->high);
            for (uint32_t i = 0; i < parts->count && decision != COR_DECISION_NEVER; i++) {
                const struct part *part = &parts->parts[i];
                if ((!part->of_guard || decision == COR_DECISION_OPEN) && (part->reads & ~reads) &&
                    !is_settled(s, part))
                    reads |= part->reads;
            }
        }
        const uint32_t p = widest(box, count, reads);
        if (p == COR_NONE) {
            COR_TRY(keep(s, box));
            continue;
        }
        if (s->site->vector_count + (s->box_count - b) > s->site->most) {
            s->site->partial = true;
            COR_TRY(keep(s, box));
            COR_TRY(keep(s, box + count));
            continue;
        }
        const int64_t half = box[p] + (box[count + p] - box[p]) / 2;
        memcpy(middle, box + count, count * sizeof *middle);
        middle[p] = half;
        COR_TRY(add_box(s, box, middle));
        memcpy(middle, box, count * sizeof *middle);
        middle[p] = half + 1;
        COR_TRY(add_box(s, middle, box + count));
    }
    return COR_OK;
}

/* Is it the first with its signature? */
static bool is_new(struct splitter *s, uint32_t vector) {
    const int64_t *signature = s->signatures + (size_t)vector * s->width;
    const size_t size = s->width * sizeof *signature;
    uint64_t slot = cor_hash_bytes(COR_HASH_SEED, signature, size) & (s->slot_count - 1);
    for (; s->slots[slot] != 0; slot = (slot + 1) & (s->slot_count - 1))
        if (memcmp(s->signatures + (size_t)(s->slots[slot] - 1) * s->width, signature, size) == 0)
            return false;
    s->slots[slot] = vector + 1;
    return true;
}

/* One vector of each kind: the first, in order. */
static enum cor_status merge(struct splitter *s) {
    struct cor_efsm_site *site = s->site;
    const uint32_t count = site->input->parameter_count, all = site->vector_count;
    for (s->slot_count = 16; s->slot_count < 2 * (uint64_t)all; s->slot_count *= 2)
        ;
    s->slots = cor_calloc(s->slot_count, sizeof *s->slots);
    s->signatures = cor_calloc((size_t)all * s->width, sizeof *s->signatures);
    if (!s->slots || !s->signatures)
        return cor_fail_memory(s->error);
    site->vector_count = 0;
    for (uint32_t v = 0; v < all; v++) {
        const int64_t *vector = site->vectors + (size_t)v * count;
        /* What tells the vector's kind: for each transition how its guard is decided, and the values of its
         * parts. */
        int64_t *signature = s->signatures + (size_t)v * s->width;
        enter_box(s, vector, vector);
        memset(signature, 0, s->width * sizeof *signature);
        for (uint32_t t = 0; t < s->site->transition_count; t++) {
            const struct parts *parts = &s->transitions[t];
            const enum cor_decision decision = cor_expression_decide(parts->guard, s->low, s->high);
            *signature++ = decision;
            for (uint32_t i = 0; i < parts->count; i++, signature++) {
                const struct part *part = &parts->parts[i];
                if (decision == COR_DECISION_NEVER || (part->of_guard && decision == COR_DECISION_ALWAYS))
                    continue;
                if (part->expression.is_constraint) {
                    *signature = cor_expression_holds(&part->expression, s->low);
                } else {
                    const bool defined = cor_expression_value(&part->expression, s->low, signature);
                    COR_ASSERT(defined);
                }
            }
        }
        if (is_new(s, v))
            memmove(site->vectors + (size_t)site->vector_count++ * count, vector, count * sizeof *vector);
    }
    return COR_OK;
}

/* Vectors by their values, the first parameter first. */
static int compare(const int64_t *a, const int64_t *b, uint32_t count) {
    for (uint32_t p = 0; p < count; p++)
        if (a[p] != b[p])
            return a[p] < b[p] ? -1 : 1;
    return 0;
}

static void sift(int64_t *vectors, uint32_t count, uint64_t at, uint64_t end) {
    for (uint64_t child; (child = 2 * at + 1) < end; at = child) {
        if (child + 1 < end && compare(vectors + child * count, vectors + (child + 1) * count, count) < 0)
            child++;
        if (compare(vectors + at * count, vectors + child * count, count) >= 0)
            return;
        for (uint32_t p = 0; p < count; p++) {
            const int64_t value = vectors[at * count + p];
            vectors[at * count + p] = vectors[child * count + p];
            vectors[child * count + p] = value;
        }
    }
}

static enum cor_status find_vectors(struct splitter *s, const struct cor_efsm_goal *goal) {
    const struct cor_efsm_label *input = s->site->input;
    int64_t low[COR_EFSM_VARIABLES_MAX], high[COR_EFSM_VARIABLES_MAX];
    for (uint32_t t = 0; t < s->site->transition_count; t++)
        COR_TRY(add_transition(s, goal, s->site->transitions[t], &s->transitions[t]));
    for (uint32_t v = 0; v < s->model->variable_count; v++) {
        s->low[v] = s->model->variables[v].low;
        s->high[v] = s->model->variables[v].high;
    }
    for (uint32_t p = 0; p < input->parameter_count; p++) {
        low[p] = s->low[input->parameters[p]];
        high[p] = s->high[input->parameters[p]];
    }
    COR_TRY(add_box(s, low, high));
    COR_TRY(split(s));
    /* In place by a heap: qsort cannot be told how many parameters there are. */
    int64_t *vectors = s->site->vectors;
    const uint64_t size = s->site->vector_count;
    for (uint64_t at = size / 2; at-- > 0;)
        sift(vectors, input->parameter_count, at, size);
    for (uint64_t end = size; end-- > 1;) {
        for (uint32_t p = 0; p < input->parameter_count; p++) {
            const int64_t value = vectors[p];
            vectors[p] = vectors[end * input->parameter_count + p];
            vectors[end * input->parameter_count + p] = value;
        }
        sift(vectors, input->parameter_count, 0, end);
    }
    return merge(s);
}

enum cor_status cor_efsm_site_fill(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                   struct cor_efsm_site *site, struct cor_error *error) {
    struct splitter s = {.model = model, .site = site, .error = error};
    enum cor_status status = COR_OK;
    if (site->most == 0)
        site->most = COR_EFSM_VECTORS_MAX;
    if (site->input->parameter_count == 0) {
        site->vector_count = 1;
        return COR_OK;
    }
    COR_TRY_OUT(cor_made(s.transitions = cor_calloc(site->transition_count, sizeof *s.transitions), error));
    COR_TRY_OUT(find_vectors(&s, goal));
out:
    for (uint32_t t = 0; s.transitions && t < site->transition_count; t++)
        free(s.transitions[t].parts);
    COR_FREE(s.transitions, s.boxes, s.signatures, s.slots);
    return status;
}

void cor_efsm_site_fini(struct cor_efsm_site *site) {
    COR_FREE(site->transitions, site->vectors);
    *site = (struct cor_efsm_site){0};
}
