/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree: common prefixes of sequences, and where verdicts part. */
#include "tree_cases.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------- growing */

/* A sequence where a node ends: what it looks like in the next case. */
struct branch {
    const uint8_t *next; /* NULL = it ends */
    size_t width;
    uint32_t sequence;
    uint32_t group; /* least sequence of those that look alike */
};

struct growth {
    struct cor_tree *tree;
    size_t node_capacity, difference_capacity;
    struct branch *branches; /* owned; [sequence] scratch */
};

/* Whether all sequences of the node have that case and look alike in it. */
static bool alike(const struct cor_tree *tree, const struct cor_tree_node *node, uint32_t number) {
    const uint32_t *order = tree->order + node->first_sequence;
    if (node->sequences == 0)
        return false;
    for (uint32_t i = 0; i < node->sequences; i++)
        if (number > tree->sequence[order[i]].executed ||
            memcmp(cor_tree_case(tree, order[i], number), cor_tree_case(tree, order[0], number),
                   tree->width) != 0)
            return false;
    return true;
}

/* Those that end first, then by what comes next, then by number. */
static int by_next(const void *a, const void *b) {
    const struct branch *one = a, *other = b;
    int difference = (one->next != NULL) - (other->next != NULL);
    if (difference == 0 && one->next)
        difference = memcmp(one->next, other->next, one->width);
    return difference != 0 ? difference
                           : (one->sequence > other->sequence) - (one->sequence < other->sequence);
}

static int by_group(const void *a, const void *b) {
    const struct branch *one = a, *other = b;
    int difference = (one->next != NULL) - (other->next != NULL);
    if (difference == 0)
        difference = (one->group > other->group) - (one->group < other->group);
    return difference != 0 ? difference
                           : (one->sequence > other->sequence) - (one->sequence < other->sequence);
}

/* Brings the sequences of a node into the order of its children: what ends, then what looks alike side by
 * side, by its first sequence. */
static void sort_branches(const struct growth *growth, const struct cor_tree_node *node, uint32_t next) {
    const struct cor_tree *tree = growth->tree;
    struct branch *branches = growth->branches;
    for (uint32_t i = 0; i < node->sequences; i++) {
        uint32_t s = tree->order[node->first_sequence + i];
        bool goes_on = next <= tree->sequence[s].executed;
        branches[i] = (struct branch){goes_on ? cor_tree_case(tree, s, next) : NULL, tree->width, s, s};
    }
    qsort(branches, node->sequences, sizeof *branches, by_next);
    for (uint32_t i = 1; i < node->sequences; i++)
        if (branches[i].next && branches[i - 1].next &&
            memcmp(branches[i].next, branches[i - 1].next, tree->width) == 0)
            branches[i].group = branches[i - 1].group;
    qsort(branches, node->sequences, sizeof *branches, by_group);
    for (uint32_t i = 0; i < node->sequences; i++)
        tree->order[node->first_sequence + i] = branches[i].sequence;
}

static uint32_t failing_among(const struct cor_tree *tree, uint32_t first, uint32_t count) {
    uint32_t failing = 0;
    for (uint32_t i = 0; i < count; i++)
        failing += tree->sequence[tree->order[first + i]].first_failure > 0;
    return failing;
}

static enum cor_status add_child(struct growth *growth, uint32_t parent, uint32_t first, uint32_t count,
                                 uint32_t first_case, struct cor_error *error) {
    struct cor_tree *tree = growth->tree;
    enum cor_status status =
        COR_RESERVE(&tree->node, &growth->node_capacity, (size_t)tree->node_count + 1, error);
    if (status != COR_OK)
        return status;
    tree->node[tree->node_count++] = (struct cor_tree_node){
        .parent = parent,
        .depth = tree->node_count > 1 ? tree->node[parent].depth + 1 : 0,
        .first_case = first_case,
        .first_sequence = first,
        .sequences = count,
        .failing = failing_among(tree, first, count),
    };
    return COR_OK;
}

/* Grows the children of a node behind all others. */
static enum cor_status add_children(struct growth *growth, uint32_t index, struct cor_error *error) {
    struct cor_tree *tree = growth->tree;
    struct cor_tree_node node = tree->node[index];
    uint32_t next = node.first_case + node.cases, first = 0;
    enum cor_status status = COR_OK;
    sort_branches(growth, &node, next);
    while (node.ending < node.sequences && !growth->branches[node.ending].next)
        node.ending++;
    node.first_child = tree->node_count;
    for (first = node.ending; first < node.sequences && status == COR_OK; node.children++) {
        uint32_t end = first + 1;
        while (end < node.sequences && growth->branches[end].group == growth->branches[first].group)
            end++;
        status = add_child(growth, index, node.first_sequence + first, end - first, next, error);
        first = end;
    }
    tree->node[index] = node;
    return status;
}

/* ------------------------------------------------------------------------------------ differences */

static bool pure(uint32_t failing, uint32_t all) {
    return all > 0 && (failing == 0 || failing == all);
}

static bool parts(const struct cor_tree *tree, const struct cor_tree_node *node) {
    if (pure(node->failing, node->sequences))
        return false;
    bool apart = pure(failing_among(tree, node->first_sequence, node->ending), node->ending);
    for (uint32_t c = 0; c < node->children; c++)
        apart = apart ||
                pure(tree->node[node->first_child + c].failing, tree->node[node->first_child + c].sequences);
    return apart;
}

/* Values of a column in the case behind a node, of its failing and of its passing sequences that go on. */
static struct cor_distinction compare(const struct cor_tree *tree, const struct cor_tree_node *node,
                                      size_t column) {
    struct cor_distinction difference = {.what = COR_PROJECTION_CHAINS, .index = (uint32_t)column};
    uint32_t next = node->first_case + node->cases;
    if (column >= tree->chain_count) {
        bool is_alarm = column == tree->chain_count && (tree->projections >> COR_PROJECTION_ALARM & 1);
        difference.what = is_alarm ? COR_PROJECTION_ALARM : COR_PROJECTION_VERDICT;
        difference.index = 0;
    }
    for (uint32_t i = node->ending; i < node->sequences; i++) {
        uint32_t s = tree->order[node->first_sequence + i];
        uint64_t value = UINT64_C(1) << (cor_tree_case(tree, s, next)[column] & 63);
        *(tree->sequence[s].first_failure > 0 ? &difference.failing : &difference.passing) |= value;
    }
    return difference;
}

static enum cor_status add_differences(struct growth *growth, uint32_t index, struct cor_error *error) {
    struct cor_tree *tree = growth->tree;
    struct cor_tree_node *node = &tree->node[index];
    node->parts = parts(tree, node);
    node->first_difference = tree->difference_count;
    for (size_t column = 0; column < tree->width && node->parts; column++) {
        struct cor_distinction difference = compare(tree, node, column);
        if (difference.failing == 0 || difference.passing == 0 ||
            (difference.failing & difference.passing) != 0)
            continue;
        enum cor_status status = COR_RESERVE(&tree->difference, &growth->difference_capacity,
                                             (size_t)tree->difference_count + 1, error);
        if (status != COR_OK)
            return status;
        tree->difference[tree->difference_count++] = difference;
        node->differences++;
    }
    return COR_OK;
}

/* Node after node: its stretch, then its children, which come behind all nodes there are. */
static enum cor_status grow(struct cor_tree *tree, struct cor_error *error) {
    struct growth growth = {.tree = tree};
    growth.branches = cor_calloc(tree->sequence_count, sizeof *growth.branches);
    enum cor_status status =
        growth.branches ? add_child(&growth, 0, 0, tree->sequence_count, 0, error) : cor_fail_memory(error);
    for (uint32_t i = 0; i < tree->node_count && status == COR_OK; i++) {
        while (alike(tree, &tree->node[i], tree->node[i].first_case + tree->node[i].cases))
            tree->node[i].cases++;
        status = add_children(&growth, i, error);
        if (status == COR_OK)
            status = add_differences(&growth, i, error);
    }
    free(growth.branches);
    return status;
}

/* --------------------------------------------------------------------------------------- together */

enum cor_status cor_tree_create(struct cor_result *result, uint16_t arm, uint32_t suite, unsigned projections,
                                struct cor_tree **tree, struct cor_error *error) {
    enum cor_status status = COR_OK;
    *tree = NULL;
    if (suite == COR_ANY_SUITE)
        status = cor__tree_choose_suite(result, arm, &suite, error);
    if (status != COR_OK || suite == COR_ANY_SUITE)
        return status;
    struct cor_tree *made = cor_calloc(1, sizeof *made);
    if (!made)
        return cor_fail_memory(error);
    made->arm = arm;
    made->suite = suite;
    made->projections = projections;
    status = cor__tree_read(result, made, error);
    if (status == COR_OK)
        status = grow(made, error);
    if (status == COR_OK)
        *tree = made;
    else
        cor_tree_destroy(made);
    return status;
}

void cor_tree_destroy(struct cor_tree *tree) {
    if (!tree)
        return;
    free(tree->chain);
    free(tree->environment);
    free(tree->sequence);
    free(tree->order);
    free(tree->node);
    free(tree->difference);
    free(tree->start);
    free(tree->row);
    free(tree);
}
