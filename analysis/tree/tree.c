/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree: cases of a suite as they are looked at, and their common prefixes. */
#include "suite_rows.h"

#include <corridor/array.h>
#include <corridor/tree.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BIT(PROJECTION) (1u << COR_PROJECTION_##PROJECTION)
#define WITH_CHAINS (BIT(CHAINS) | BIT(INVOLVED))

/* ------------------------------------------------------------------------------------ which suite */

/* Failing sequences of the present suite. */
static enum cor_status count_failing(const struct cor__suite_rows *rows, uint32_t *failing,
                                     struct cor_error *error) {
    size_t count;
    const struct cor_reorganization_row *row = cor__rows_of(rows, COR_TABLE_REORGANIZATIONS, &count);
    uint32_t last = UINT32_MAX;
    (void)error;
    *failing = 0;
    for (size_t i = 0; i < count; i++)
        if (cor__detected(row[i].gray, row[i].black) && row[i].sequence != last) {
            last = row[i].sequence;
            ++*failing;
        }
    return COR_OK;
}

/* The first suite with sequences of both kinds, or else with failing ones; COR_ANY_SUITE if nothing failed.
 */
static enum cor_status choose_suite(struct cor_result *result, uint16_t arm, uint32_t *suite,
                                    struct cor_error *error) {
    struct cor__suite_rows rows;
    bool there = true, mixed = false;
    enum cor_status status = cor__suite_rows_init(&rows, result, arm, COR_ANY_SUITE, 0, error);
    *suite = COR_ANY_SUITE;
    while (status == COR_OK && there && !mixed) {
        uint32_t failing = 0;
        status = cor__suite_rows_next(&rows, &there, error);
        if (status == COR_OK && there)
            status = count_failing(&rows, &failing, error);
        if (status != COR_OK || failing == 0)
            continue;
        mixed = failing < rows.suite.sequences;
        if (mixed || *suite == COR_ANY_SUITE)
            *suite = rows.suite.suite;
    }
    cor__suite_rows_fini(&rows);
    return status;
}

/* --------------------------------------------------------------------------------------- reading */

/* Marks the chains that agents named in violations perceive; false if no agent is named. */
static bool mark_involved(const struct cor__suite_rows *rows, bool *wanted) {
    size_t violations, agents, groups;
    bool any = false;
    const struct cor_violation_row *violation = cor__rows_of(rows, COR_TABLE_VIOLATIONS, &violations);
    const struct cor_agent_row *agent = cor__rows_of(rows, COR_TABLE_AGENTS, &agents);
    const struct cor_group_row *group = cor__rows_of(rows, COR_TABLE_GROUPS, &groups);
    for (size_t v = 0; v < violations; v++) {
        uint32_t named = violation[v].agent;
        if (named >= agents || agent[named].agent != named || agent[named].group >= groups)
            continue; /* no agent, or one that does not exist: that may be what is violated */
        uint32_t chain = group[agent[named].group].chain;
        if (chain >= rows->suite.chains)
            continue;
        wanted[chain] = true;
        any = true;
    }
    return any;
}

static enum cor_status choose_chains(struct cor_tree *tree, const struct cor__suite_rows *rows,
                                     struct cor_error *error) {
    uint32_t chains = rows->suite.chains;
    bool *wanted = cor_calloc(chains, sizeof *wanted);
    size_t count, profiles;
    const struct cor_chain_row *chain = cor__rows_of(rows, COR_TABLE_CHAINS, &count);
    const struct cor_profile_row *profile = cor__rows_of(rows, COR_TABLE_PROFILES, &profiles);
    tree->chain = cor_calloc(chains, sizeof *tree->chain);
    tree->environment = cor_calloc(chains, sizeof *tree->environment);
    if (!wanted || !tree->chain || !tree->environment) {
        free(wanted);
        return cor_fail_memory(error);
    }
    bool all = (tree->projections & BIT(CHAINS)) || !mark_involved(rows, wanted);
    for (uint32_t c = 0; c < chains && tree->projections & WITH_CHAINS; c++)
        if (all || wanted[c]) {
            tree->environment[tree->chain_count] = profile[chain[c].profile].environment;
            tree->chain[tree->chain_count++] = c;
        }
    free(wanted);
    tree->width = (size_t)tree->chain_count + ((tree->projections & BIT(ALARM)) != 0) +
                  ((tree->projections & BIT(VERDICT)) != 0);
    return COR_OK;
}

static uint8_t *case_of(const struct cor_tree *tree, uint32_t sequence, uint32_t number) {
    return tree->row + (tree->start[sequence] + number) * tree->width;
}

const uint8_t *cor_tree_case(const struct cor_tree *tree, uint32_t sequence, uint32_t case_number) {
    COR_ASSERT(sequence < tree->sequence_count && case_number <= tree->sequence[sequence].executed);
    return case_of(tree, sequence, case_number);
}

/* What stands behind the states of a projected case. */
static void put_verdicts(const struct cor_tree *tree, uint32_t sequence, uint32_t number, bool alarm,
                         uint8_t verdict) {
    uint8_t *at = case_of(tree, sequence, number) + tree->chain_count;
    if (tree->projections & BIT(ALARM))
        *at++ = alarm;
    if (tree->projections & BIT(VERDICT))
        *at = verdict;
}

static enum cor_status project_cases(struct cor_tree *tree, const struct cor__suite_rows *rows,
                                     struct cor_error *error) {
    size_t count, expected = 0;
    const struct cor_case_row *row = cor__rows_of(rows, COR_TABLE_CASES, &count);
    for (uint32_t s = 0; s < tree->sequence_count; s++) {
        put_verdicts(tree, s, 0, false, cor_tree_verdict(COR_VERDICT_NOT_JUDGED, COR_VERDICT_NOT_JUDGED));
        for (uint32_t i = 1; i <= tree->sequence[s].executed; i++, expected++) {
            const struct cor_case_row *this_case = row + expected;
            if (expected >= count || this_case->sequence != s || this_case->case_ != i)
                return cor__damaged(error, COR_TABLE_CASES,
                                    "arm %u, suite %" PRIu32 ": sequence %" PRIu32
                                    " has no row of case %" PRIu32,
                                    tree->arm, tree->suite, s, i);
            put_verdicts(tree, s, i, this_case->alarm != 0,
                         cor_tree_verdict(this_case->gray, this_case->black));
            if (cor__detected(this_case->gray, this_case->black) && tree->sequence[s].first_failure == 0)
                tree->sequence[s].first_failure = i;
        }
        tree->failing += tree->sequence[s].first_failure > 0;
    }
    return COR_OK;
}

static enum cor_status project_chains(struct cor_tree *tree, struct cor__suite_rows *rows,
                                      struct cor_error *error) {
    size_t count;
    enum cor_status status = COR_OK;
    const struct cor_sequence_row *row = cor__rows_of(rows, COR_TABLE_SEQUENCES, &count);
    for (uint32_t s = 0; s < count && tree->chain_count > 0 && status == COR_OK; s++) {
        status = cor__suite_rows_walk(rows, &row[s], error);
        size_t length = (size_t)row[s].cases + 1;
        for (uint32_t i = 0; i <= row[s].executed && status == COR_OK; i++)
            for (uint32_t c = 0; c < tree->chain_count; c++)
                case_of(tree, s, i)[c] = rows->walk[tree->chain[c] * length + i];
    }
    return status;
}

static enum cor_status read_branches(struct cor_tree *tree, const struct cor__suite_rows *rows,
                                     struct cor_error *error) {
    size_t count;
    const struct cor_branch_row *row = cor__rows_of(rows, COR_TABLE_BRANCHES, &count);
    for (size_t i = 0; i < count; i++) {
        if (row[i].sequence >= tree->sequence_count || row[i].parent >= tree->sequence_count)
            return cor__damaged(error, COR_TABLE_BRANCHES,
                                "arm %u, suite %" PRIu32 " has no sequence %u that continues %u", tree->arm,
                                tree->suite, row[i].sequence, row[i].parent);
        struct cor_tree_sequence *sequence = &tree->sequence[row[i].sequence];
        sequence->continues = true;
        sequence->parent = row[i].parent;
        sequence->prefix = row[i].prefix;
    }
    return COR_OK;
}

static enum cor_status read_suite(struct cor_tree *tree, struct cor__suite_rows *rows,
                                  struct cor_error *error) {
    size_t count;
    uint64_t cases = 0;
    const struct cor_sequence_row *row = cor__rows_of(rows, COR_TABLE_SEQUENCES, &count);
    tree->sequence_count = (uint32_t)count;
    tree->sequence = cor_calloc(count, sizeof *tree->sequence);
    tree->start = cor_calloc(count, sizeof *tree->start);
    tree->order = cor_calloc(count, sizeof *tree->order);
    if (!tree->sequence || !tree->start || !tree->order)
        return cor_fail_memory(error);
    for (uint32_t s = 0; s < count; s++) {
        tree->sequence[s].executed = row[s].executed;
        tree->order[s] = s;
        tree->start[s] = cases;
        cases += (uint64_t)row[s].executed + 1;
    }
    enum cor_status status = read_branches(tree, rows, error);
    if (status == COR_OK)
        status = choose_chains(tree, rows, error);
    tree->row = status == COR_OK ? cor_calloc((size_t)cases, tree->width) : NULL;
    if (status == COR_OK && !tree->row)
        status = cor_fail_memory(error);
    if (status == COR_OK)
        status = project_cases(tree, rows, error);
    return status == COR_OK ? project_chains(tree, rows, error) : status;
}

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
            memcmp(case_of(tree, order[i], number), case_of(tree, order[0], number), tree->width) != 0)
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
        branches[i] = (struct branch){goes_on ? case_of(tree, s, next) : NULL, tree->width, s, s};
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
static struct cor_difference compare(const struct cor_tree *tree, const struct cor_tree_node *node,
                                     size_t column) {
    struct cor_difference difference = {.what = COR_PROJECTION_CHAINS, .index = (uint32_t)column};
    uint32_t next = node->first_case + node->cases;
    if (column >= tree->chain_count) {
        bool is_alarm = column == tree->chain_count && (tree->projections & BIT(ALARM));
        difference.what = is_alarm ? COR_PROJECTION_ALARM : COR_PROJECTION_VERDICT;
        difference.index = 0;
    }
    for (uint32_t i = node->ending; i < node->sequences; i++) {
        uint32_t s = tree->order[node->first_sequence + i];
        uint64_t value = UINT64_C(1) << (case_of(tree, s, next)[column] & 63);
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
        struct cor_difference difference = compare(tree, node, column);
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

static enum cor_status make(struct cor_result *result, struct cor_tree *tree, struct cor_error *error) {
    struct cor__suite_rows rows;
    bool there = false;
    uint64_t tables = COR__TABLE(CASES) | COR__TABLE(BRANCHES);
    if (tree->projections & BIT(INVOLVED))
        tables |= COR__TABLE(VIOLATIONS) | COR__TABLE(AGENTS) | COR__TABLE(GROUPS);
    enum cor_status status = cor__suite_rows_init(&rows, result, tree->arm, tree->suite, tables, error);
    if (status == COR_OK)
        status = cor__suite_rows_next(&rows, &there, error);
    if (status == COR_OK && there)
        status = read_suite(tree, &rows, error);
    cor__suite_rows_fini(&rows);
    return status == COR_OK ? grow(tree, error) : status;
}

enum cor_status cor_tree_create(struct cor_result *result, uint16_t arm, uint32_t suite, unsigned projections,
                                struct cor_tree **tree, struct cor_error *error) {
    enum cor_status status = COR_OK;
    *tree = NULL;
    if (suite == COR_ANY_SUITE)
        status = choose_suite(result, arm, &suite, error);
    if (status != COR_OK || suite == COR_ANY_SUITE)
        return status;
    struct cor_tree *made = cor_calloc(1, sizeof *made);
    if (!made)
        return cor_fail_memory(error);
    made->arm = arm;
    made->suite = suite;
    made->projections = projections;
    status = make(result, made, error);
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
