/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tree is made of: a suite is chosen, and its cases are read as they are to be looked at. */
#include "tree_cases.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdlib.h>

#define BIT(PROJECTION) (1u << COR_PROJECTION_##PROJECTION)
#define WITH_CHAINS (BIT(CHAINS) | BIT(INVOLVED))

/* ------------------------------------------------------------------------------------ which suite */

/* Failing sequences of the present suite. */
static uint32_t count_failing(const struct cor__suite_rows *rows) {
    size_t count;
    const struct cor_reorganization_row *row = cor__rows_of(rows, COR_TABLE_REORGANIZATIONS, &count);
    uint32_t last = UINT32_MAX, failing = 0;
    for (size_t i = 0; i < count; i++)
        if (cor__detected(row[i].gray, row[i].black) && row[i].sequence != last) {
            last = row[i].sequence;
            failing++;
        }
    return failing;
}

enum cor_status cor__tree_choose_suite(struct cor_result *result, uint16_t arm, uint32_t *suite,
                                       struct cor_error *error) {
    struct cor__suite_rows rows;
    bool there = true, mixed = false;
    enum cor_status status = cor__suite_rows_init(&rows, result, arm, COR_ANY_SUITE, 0, error);
    *suite = COR_ANY_SUITE;
    while (status == COR_OK && there && !mixed) {
        status = cor__suite_rows_next(&rows, &there, error);
        uint32_t failing = status == COR_OK && there ? count_failing(&rows) : 0;
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

static void read_branches(struct cor_tree *tree, const struct cor__suite_rows *rows) {
    size_t count;
    const struct cor_branch_row *row = cor__rows_of(rows, COR_TABLE_BRANCHES, &count);
    for (size_t i = 0; i < count; i++) {
        struct cor_tree_sequence *sequence = &tree->sequence[row[i].sequence];
        sequence->continues = true;
        sequence->parent = row[i].parent;
        sequence->prefix = row[i].prefix;
    }
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
    read_branches(tree, rows);
    enum cor_status status = choose_chains(tree, rows, error);
    tree->row = status == COR_OK ? cor_calloc((size_t)cases, tree->width) : NULL;
    if (status == COR_OK && !tree->row)
        status = cor_fail_memory(error);
    if (status == COR_OK)
        status = project_cases(tree, rows, error);
    return status == COR_OK ? project_chains(tree, rows, error) : status;
}

enum cor_status cor__tree_read(struct cor_result *result, struct cor_tree *tree, struct cor_error *error) {
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
    return status;
}
