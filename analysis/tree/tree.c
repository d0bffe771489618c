/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree: a suite is chosen, its cases are read as they are to be looked at, and common prefixes of its
 * sequences become nodes. */
#include <corridor/tree.h>

#include <corridor/array.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BIT(PROJECTION) (1u << COR_PROJECTION_##PROJECTION)
#define WITH_CHAINS (BIT(CHAINS) | BIT(INVOLVED))

const char *const cor_projection_words[] = {
#define COR_PROJECTION(NAME, word, meaning) word,
    COR_PROJECTIONS(COR_PROJECTION) NULL
#undef COR_PROJECTION
};

/* The first suite with sequences of both kinds, or else with failing ones; COR_ANY_SUITE if nothing failed.
 */
static enum cor_status choose_suite(struct cor_result *result, uint16_t arm, uint32_t *suite,
                                    struct cor_error *error) {
    static const char *const columns[] = {"sequence", "case", "gray", "black", NULL};
    static const struct cor_reading reading = {COR_TABLE_REORGANIZATIONS, columns};
    struct cor_suite_reader *reader;
    const struct cor_suite_rows *rows;
    enum cor_status status = COR_OK;
    *suite = COR_ANY_SUITE;
    COR_TRY(cor_suite_reader_create(result, &reading, 1, &reader, error));
    COR_TRY_OUT(cor_suite_reader_choose(reader, arm, COR_ANY_SUITE, NULL, error));
    for (bool is_mixed = false; !is_mixed;) {
        COR_TRY_OUT(cor_suite_reader_next(reader, &rows, error));
        if (!rows)
            break;
        uint32_t failing = 0;
        for (uint32_t s = 0; s < rows->row.sequences; s++) {
            const struct cor_sequence_rows *sequence = &rows->sequence[s];
            size_t i = 0;
            while (i < sequence->reorganization_count && !cor_is_detected(&sequence->reorganizations[i]))
                i++;
            failing += i < sequence->reorganization_count;
        }
        is_mixed = failing > 0 && failing < rows->row.sequences;
        if (is_mixed || (failing > 0 && *suite == COR_ANY_SUITE))
            *suite = rows->row.suite;
    }
out:
    cor_suite_reader_destroy(reader);
    return status;
}

/* Marks the chains that agents named in violations perceive; false if no agent is named. */
static bool mark_involved(const struct cor_suite_rows *suite, bool *wanted) {
    bool any = false;
    const struct cor_violation_row *violation = suite->table[COR_TABLE_VIOLATIONS].row;
    const struct cor_agent_row *agent = suite->table[COR_TABLE_AGENTS].row;
    const struct cor_group_row *group = suite->table[COR_TABLE_GROUPS].row;
    size_t agents = suite->table[COR_TABLE_AGENTS].count, groups = suite->table[COR_TABLE_GROUPS].count;
    for (size_t v = 0; v < suite->table[COR_TABLE_VIOLATIONS].count; v++) {
        uint32_t named = violation[v].agent;
        if (named >= agents || agent[named].agent != named || agent[named].group >= groups)
            continue; /* no agent, or one that does not exist: that may be what is violated */
        uint32_t chain = group[agent[named].group].chain;
        if (chain >= suite->row.chains)
            continue;
        wanted[chain] = true;
        any = true;
    }
    return any;
}

/* Where the constraints of a projected case begin. */
static size_t constraints_start(const struct cor_tree *tree) {
    return (size_t)tree->chain_count + ((tree->projections & BIT(ALARM)) != 0) +
           ((tree->projections & BIT(VERDICT)) != 0);
}

static enum cor_status choose_chains(struct cor_tree *tree, const struct cor_suite_rows *suite,
                                     struct cor_error *error) {
    uint32_t chains = suite->row.chains;
    const struct cor_chain_row *chain = suite->table[COR_TABLE_CHAINS].row;
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    enum cor_status status = COR_OK;
    bool *wanted = cor_calloc(chains, sizeof *wanted);
    tree->chain = cor_calloc(chains, sizeof *tree->chain);
    tree->environment = cor_calloc(chains, sizeof *tree->environment);
    if (!wanted || !tree->chain || !tree->environment)
        COR_TRY_OUT(cor_fail_memory(error));
    bool all = (tree->projections & BIT(CHAINS)) || !mark_involved(suite, wanted);
    for (uint32_t c = 0; c < chains && tree->projections & WITH_CHAINS; c++)
        if (all || wanted[c]) {
            tree->environment[tree->chain_count] = profile[chain[c].profile].environment;
            tree->chain[tree->chain_count++] = c;
        }
    tree->width = constraints_start(tree) + tree->constraint_count;
out:
    free(wanted);
    return status;
}

static uint8_t *case_of(const struct cor_tree *tree, uint32_t sequence, uint32_t number) {
    return tree->row + (tree->start[sequence] + number) * tree->width;
}

const uint8_t *cor_tree_case(const struct cor_tree *tree, uint32_t sequence, uint32_t case_number) {
    COR_ASSERT(sequence < tree->sequence_count && case_number <= tree->sequence[sequence].executed);
    return case_of(tree, sequence, case_number);
}

const uint8_t *cor_tree_constraints(const struct cor_tree *tree, uint32_t sequence, uint32_t case_number) {
    return cor_tree_case(tree, sequence, case_number) + constraints_start(tree);
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

static enum cor_status project_cases(struct cor_tree *tree, const struct cor_suite_rows *suite, uint32_t s,
                                     struct cor_error *error) {
    const struct cor_sequence_rows *rows = &suite->sequence[s];
    struct cor_tree_sequence *sequence = &tree->sequence[s];
    put_verdicts(tree, s, 0, false, cor_tree_verdict(COR_VERDICT_NOT_JUDGED, COR_VERDICT_NOT_JUDGED));
    for (uint32_t i = 1; i <= sequence->executed; i++) {
        if (i > rows->case_count || rows->cases[i - 1].case_ != i)
            return cor_damaged(error, COR_TABLE_CASES,
                               "arm %u, suite %" PRIu32 ": sequence %" PRIu32 " has no row of case %" PRIu32,
                               tree->arm, tree->suite, s, i);
        const struct cor_case_row *row = &rows->cases[i - 1];
        put_verdicts(tree, s, i, row->alarm != 0, cor_tree_verdict(row->gray, row->black));
        if (sequence->first_failure == 0 && (cor_is_detection(row->gray) || cor_is_detection(row->black)))
            sequence->first_failure = i;
    }
    if (rows->case_count > sequence->executed)
        return cor_damaged(error, COR_TABLE_CASES,
                           "arm %u, suite %" PRIu32 ": a case of sequence %" PRIu32 " occurs twice",
                           tree->arm, tree->suite, s);
    tree->failing += sequence->first_failure > 0;
    return COR_OK;
}

static uint8_t seen_through(uint8_t box) {
    switch (box) {
    case COR_BOX_GRAY:
        return COR_TREE_GRAY;
    case COR_BOX_BLACK:
        return COR_TREE_BLACK;
    case COR_BOX_DETECT:
        return COR_TREE_LOOK;
    case COR_BOX_TIME:
        return COR_TREE_TIME;
    default:
        return COR_TREE_WAY;
    }
}

/* A constraint that is violated in a case, or unknown. */
static enum cor_status mark_constraint(struct cor_tree *tree, enum cor_table table, uint32_t sequence,
                                       uint32_t number, uint16_t constraint, uint8_t seen,
                                       struct cor_error *error) {
    if (sequence >= tree->sequence_count || number > tree->sequence[sequence].executed ||
        constraint >= tree->constraint_count)
        return cor_damaged(error, table,
                           "arm %u, suite %" PRIu32 ": sequence %" PRIu32 ", case %" PRIu32
                           ", constraint %u: there is none",
                           tree->arm, tree->suite, sequence, number, constraint);
    case_of(tree, sequence, number)[constraints_start(tree) + constraint] |= seen;
    return COR_OK;
}

static enum cor_status project_constraints(struct cor_tree *tree, const struct cor_suite_rows *suite,
                                           struct cor_error *error) {
    const struct cor_constraint_row *seen = suite->table[COR_TABLE_CONSTRAINTS].row;
    const struct cor_formula_row *formula = suite->table[COR_TABLE_FORMULAS].row;
    for (size_t i = 0; i < suite->table[COR_TABLE_CONSTRAINTS].count && tree->constraint_count > 0; i++)
        COR_TRY(mark_constraint(
            tree, COR_TABLE_CONSTRAINTS, seen[i].sequence, seen[i].case_, seen[i].constraint,
            seen[i].verdict == COR_VERDICT_FAILED ? seen_through(seen[i].box) : COR_TREE_UNKNOWN, error));
    for (size_t i = 0; i < suite->table[COR_TABLE_FORMULAS].count && tree->constraint_count > 0; i++) {
        /* What the end of a sequence decides is seen in its last case. */
        if (formula[i].verdict != COR_VERDICT_FAILED && formula[i].verdict != COR_VERDICT_UNDECIDED)
            continue;
        const uint32_t sequence = formula[i].sequence;
        const uint32_t last = sequence < tree->sequence_count ? tree->sequence[sequence].executed : 0;
        COR_TRY(mark_constraint(tree, COR_TABLE_FORMULAS, sequence,
                                formula[i].decided > 0 ? formula[i].decided : last, formula[i].constraint,
                                formula[i].verdict == COR_VERDICT_FAILED ? COR_TREE_TIME : COR_TREE_UNKNOWN,
                                error));
    }
    return COR_OK;
}

/* Sequences, chains and cases of the suite, as they are looked at; there are no nodes yet. */
static enum cor_status project(struct cor_tree *tree, const struct cor_suite_rows *suite,
                               struct cor_result *result, struct cor_error *error) {
    uint32_t count = suite->row.sequences;
    uint64_t cases = 0;
    tree->sequence_count = count;
    tree->sequence = cor_calloc(count, sizeof *tree->sequence);
    tree->start = cor_calloc(count, sizeof *tree->start);
    tree->order = cor_calloc(count, sizeof *tree->order);
    if (!tree->sequence || !tree->start || !tree->order)
        return cor_fail_memory(error);
    for (uint32_t s = 0; s < count; s++) {
        const struct cor_sequence_rows *rows = &suite->sequence[s];
        struct cor_tree_sequence sequence = {.executed = rows->row->executed,
                                             .continues = rows->branch != NULL};
        if (rows->branch) {
            sequence.parent = rows->branch->parent;
            sequence.prefix = rows->branch->prefix;
        }
        tree->sequence[s] = sequence;
        tree->order[s] = s;
        tree->start[s] = cases;
        cases += (uint64_t)tree->sequence[s].executed + 1;
    }
    COR_TRY(choose_chains(tree, suite, error));
    tree->row = cor_calloc((size_t)cases, tree->width);
    if (!tree->row)
        return cor_fail_memory(error);
    for (uint32_t s = 0; s < count; s++)
        COR_TRY(project_cases(tree, suite, s, error));
    COR_TRY(project_constraints(tree, suite, error));
    struct cor_sequence_walk walk = {0};
    enum cor_status status = COR_OK;
    for (uint32_t s = 0; s < tree->sequence_count && tree->chain_count > 0; s++) {
        COR_TRY_OUT(cor_sequence_walk_read(&walk, suite, s, result, error));
        for (uint32_t i = 0; i <= tree->sequence[s].executed; i++)
            for (uint32_t c = 0; c < tree->chain_count; c++)
                case_of(tree, s, i)[c] = walk.states[tree->chain[c] * walk.length + i];
    }
out:
    cor_sequence_walk_fini(&walk);
    return status;
}

static enum cor_status read_suite(struct cor_result *result, struct cor_tree *tree, struct cor_error *error) {
    static const char *const of_cases[] = {"sequence", "case", "alarm", "gray", "black", NULL};
    struct cor_reading readings[] = {
        {COR_TABLE_CHAINS, NULL},    {COR_TABLE_PROFILES, NULL},    {COR_TABLE_SEQUENCES, NULL},
        {COR_TABLE_CASES, of_cases}, {COR_TABLE_VIOLATIONS, NULL},  {COR_TABLE_AGENTS, NULL},
        {COR_TABLE_GROUPS, NULL},    {COR_TABLE_CONSTRAINTS, NULL}, {COR_TABLE_FORMULAS, NULL}};
    size_t count = tree->projections & BIT(INVOLVED) ? 7 : 4;
    if (tree->constraint_count > 0) {
        readings[count++] = (struct cor_reading){COR_TABLE_CONSTRAINTS, NULL};
        readings[count++] = (struct cor_reading){COR_TABLE_FORMULAS, NULL};
    }
    struct cor_suite_reader *reader;
    const struct cor_suite_rows *suite;
    enum cor_status status = COR_OK;
    COR_TRY(cor_suite_reader_create(result, readings, count, &reader, error));
    COR_TRY_OUT(cor_suite_reader_choose(reader, tree->arm, tree->suite, "--suite", error));
    COR_TRY_OUT(cor_suite_reader_next(reader, &suite, error));
    COR_ASSERT(suite);
    COR_TRY_OUT(cor_suite_check(suite, result, error));
    COR_TRY_OUT(project(tree, suite, result, error));
out:
    cor_suite_reader_destroy(reader);
    return status;
}

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

static uint32_t failing_among(const struct cor_tree *tree, uint32_t first, uint32_t count) {
    uint32_t failing = 0;
    for (uint32_t i = 0; i < count; i++)
        failing += tree->sequence[tree->order[first + i]].first_failure > 0;
    return failing;
}

static enum cor_status add_child(struct growth *growth, uint32_t parent, uint32_t first, uint32_t count,
                                 uint32_t first_case, struct cor_error *error) {
    struct cor_tree *tree = growth->tree;
    COR_TRY(COR_RESERVE(&tree->node, &growth->node_capacity, (size_t)tree->node_count + 1, error));
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
    /* Brings the sequences of a node into the order of its children: what ends, then what looks alike side by
     * side, by its first sequence. */
    struct branch *branches = growth->branches;
    for (uint32_t i = 0; i < node.sequences; i++) {
        uint32_t s = tree->order[node.first_sequence + i];
        bool goes_on = next <= tree->sequence[s].executed;
        branches[i] = (struct branch){goes_on ? cor_tree_case(tree, s, next) : NULL, tree->width, s, s};
    }
    qsort(branches, node.sequences, sizeof *branches, by_next);
    for (uint32_t i = 1; i < node.sequences; i++)
        if (branches[i].next && branches[i - 1].next &&
            memcmp(branches[i].next, branches[i - 1].next, tree->width) == 0)
            branches[i].group = branches[i - 1].group;
    qsort(branches, node.sequences, sizeof *branches, by_group);
    for (uint32_t i = 0; i < node.sequences; i++)
        tree->order[node.first_sequence + i] = branches[i].sequence;
    while (node.ending < node.sequences && !growth->branches[node.ending].next)
        node.ending++;
    node.first_child = tree->node_count;
    for (first = node.ending; first < node.sequences; node.children++) {
        uint32_t end = first + 1;
        while (end < node.sequences && growth->branches[end].group == growth->branches[first].group)
            end++;
        COR_TRY(add_child(growth, index, node.first_sequence + first, end - first, next, error));
        first = end;
    }
    tree->node[index] = node;
    return COR_OK;
}

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

static enum cor_status add_differences(struct growth *growth, uint32_t index, struct cor_error *error) {
    struct cor_tree *tree = growth->tree;
    struct cor_tree_node *node = &tree->node[index];
    node->parts = parts(tree, node);
    node->first_difference = tree->difference_count;
    for (size_t column = 0; column < tree->width && node->parts; column++) {
        /* Values of a column in the case behind a node, of its failing and of its passing sequences that go
         * on. */
        struct cor_distinction difference = {.what = COR_PROJECTION_CHAINS, .index = (uint32_t)column};
        uint32_t next = node->first_case + node->cases;
        if (column >= tree->chain_count) {
            bool is_alarm = column == tree->chain_count && (tree->projections >> COR_PROJECTION_ALARM & 1);
            difference.what = is_alarm ? COR_PROJECTION_ALARM : COR_PROJECTION_VERDICT;
            difference.index = 0;
        }
        if (column >= constraints_start(tree)) {
            difference.what = COR_PROJECTION_CONSTRAINTS;
            difference.index = (uint32_t)(column - constraints_start(tree));
        }
        for (uint32_t i = node->ending; i < node->sequences; i++) {
            uint32_t s = tree->order[node->first_sequence + i];
            uint64_t value = UINT64_C(1) << (cor_tree_case(tree, s, next)[column] & 63);
            *(tree->sequence[s].first_failure > 0 ? &difference.failing : &difference.passing) |= value;
        }
        if (difference.failing == 0 || difference.passing == 0 ||
            (difference.failing & difference.passing) != 0)
            continue;
        COR_TRY(COR_RESERVE(&tree->difference, &growth->difference_capacity,
                            (size_t)tree->difference_count + 1, error));
        tree->difference[tree->difference_count++] = difference;
        node->differences++;
    }
    return COR_OK;
}

/* Node after node: its stretch, then its children, which come behind all nodes there are. */
static enum cor_status grow(struct cor_tree *tree, struct cor_error *error) {
    struct growth growth = {.tree = tree};
    enum cor_status status = COR_OK;
    growth.branches = cor_calloc(tree->sequence_count, sizeof *growth.branches);
    if (!growth.branches)
        return cor_fail_memory(error);
    COR_TRY_OUT(add_child(&growth, 0, 0, tree->sequence_count, 0, error));
    for (uint32_t i = 0; i < tree->node_count; i++) {
        while (alike(tree, &tree->node[i], tree->node[i].first_case + tree->node[i].cases))
            tree->node[i].cases++;
        COR_TRY_OUT(add_children(&growth, i, error));
        COR_TRY_OUT(add_differences(&growth, i, error));
    }
out:
    free(growth.branches);
    return status;
}

enum cor_status cor_tree_create(struct cor_result *result, uint16_t arm, uint32_t suite, unsigned projections,
                                struct cor_tree **tree, struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_ASSERT(projections > 0 && projections < 1u << COR_PROJECTION_COUNT);
    *tree = NULL;
    const size_t constraints = cor_result_head(result)->catalog_size[COR_CATALOG_CONSTRAINT];
    if (constraints == 0)
        projections &= ~BIT(CONSTRAINTS);
    if (projections == 0)
        return cor_fail(error, COR_STATUS_INPUT, "--by", "chains, involved, alarm, verdict",
                        "constraints are not in the file: its corridor is no text");
    if (suite == COR_ANY_SUITE)
        COR_TRY(choose_suite(result, arm, &suite, error));
    if (suite == COR_ANY_SUITE)
        return COR_OK;
    struct cor_tree *made = cor_calloc(1, sizeof *made);
    if (!made)
        return cor_fail_memory(error);
    made->arm = arm;
    made->suite = suite;
    made->projections = projections;
    made->constraint_count = projections & BIT(CONSTRAINTS) ? (uint32_t)constraints : 0;
    COR_TRY_OUT(read_suite(result, made, error));
    COR_TRY_OUT(grow(made, error));
    *tree = made;
out:
    if (status != COR_OK)
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
