/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree: a suite is chosen, its cases are read as they are to be looked at, and common prefixes of its
 * sequences become nodes. */
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/tree.h>

#include <inttypes.h>
#include <stdarg.h>
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
    COR_DESTROYED(cor_suite_reader) struct cor_suite_reader *reader = NULL;
    const struct cor_suite_rows *rows;
    *suite = COR_ANY_SUITE;
    COR_TRY(cor_suite_reader_create(result, &reading, 1, &reader, error));
    COR_TRY(cor_suite_reader_choose(reader, arm, COR_ANY_SUITE, NULL, error));
    for (bool is_mixed = false; !is_mixed;) {
        COR_TRY(cor_suite_reader_next(reader, &rows, error));
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
    return COR_OK;
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
    COR_FREED bool *wanted = cor_calloc(chains, sizeof *wanted);
    tree->chain = cor_calloc(chains, sizeof *tree->chain);
    tree->environment = cor_calloc(chains, sizeof *tree->environment);
    if (!wanted || !tree->chain || !tree->environment)
        return cor_fail_memory(error);
    bool all = (tree->projections & BIT(CHAINS)) || !mark_involved(suite, wanted);
    for (uint32_t c = 0; c < chains && tree->projections & WITH_CHAINS; c++)
        if (all || wanted[c]) {
            tree->environment[tree->chain_count] = profile[chain[c].profile].environment;
            tree->chain[tree->chain_count++] = c;
        }
    tree->width = constraints_start(tree) + tree->constraint_count;
    return COR_OK;
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
    COR_TRY(cor_made(tree->row = cor_calloc((size_t)cases, tree->width), error));
    for (uint32_t s = 0; s < count; s++)
        COR_TRY(project_cases(tree, suite, s, error));
    const struct cor_constraint_row *seen = suite->table[COR_TABLE_CONSTRAINTS].row;
    const struct cor_formula_row *formula = suite->table[COR_TABLE_FORMULAS].row;
    for (size_t j = 0; j < suite->table[COR_TABLE_CONSTRAINTS].count && tree->constraint_count > 0; j++)
        COR_TRY(mark_constraint(
            tree, COR_TABLE_CONSTRAINTS, seen[j].sequence, seen[j].case_, seen[j].constraint,
            seen[j].verdict == COR_VERDICT_FAILED ? seen_through(seen[j].box) : COR_TREE_UNKNOWN, error));
    for (size_t j = 0; j < suite->table[COR_TABLE_FORMULAS].count && tree->constraint_count > 0; j++) {
        /* What the end of a sequence decides is seen in its last case. */
        if (formula[j].verdict != COR_VERDICT_FAILED && formula[j].verdict != COR_VERDICT_UNDECIDED)
            continue;
        const uint32_t sequence = formula[j].sequence;
        const uint32_t last = sequence < tree->sequence_count ? tree->sequence[sequence].executed : 0;
        COR_TRY(mark_constraint(tree, COR_TABLE_FORMULAS, sequence,
                                formula[j].decided > 0 ? formula[j].decided : last, formula[j].constraint,
                                formula[j].verdict == COR_VERDICT_FAILED ? COR_TREE_TIME : COR_TREE_UNKNOWN,
                                error));
    }
    COR_FINISHED(cor_sequence_walk) struct cor_sequence_walk walk = {0};
    for (uint32_t s = 0; s < tree->sequence_count && tree->chain_count > 0; s++) {
        COR_TRY(cor_sequence_walk_read(&walk, suite, s, result, error));
        for (uint32_t i = 0; i <= tree->sequence[s].executed; i++)
            for (uint32_t c = 0; c < tree->chain_count; c++)
                case_of(tree, s, i)[c] = walk.states[tree->chain[c] * walk.length + i];
    }
    return COR_OK;
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
    COR_DESTROYED(cor_suite_reader) struct cor_suite_reader *reader = NULL;
    const struct cor_suite_rows *suite;
    COR_TRY(cor_suite_reader_create(result, readings, count, &reader, error));
    COR_TRY(cor_suite_reader_choose(reader, tree->arm, tree->suite, "--suite", error));
    COR_TRY(cor_suite_reader_next(reader, &suite, error));
    COR_ASSERT(suite);
    COR_TRY(cor_suite_check(suite, result, error));
    return project(tree, suite, result, error);
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
    COR_TRY(cor_made(growth.branches = cor_calloc(tree->sequence_count, sizeof *growth.branches), error));
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
    COR_TRY(cor_made(made, error));
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
    COR_FREE(tree->chain, tree->environment, tree->sequence, tree->order, tree->node, tree->difference,
             tree->start, tree->row, tree);
}

/* ---- the tree as a drawing for a reader at a terminal, a line a stretch, and as a graph for Graphviz, from
 * left to right: long labels then cost no width. Both say the same of a node */

#define LINE 512      /* bytes of a description; what is longer is cut */
#define ITEMS 3       /* chains or differences named before the rest is counted */
#define DEPTH_MAX 100 /* drawn; deeper lines would begin outside any terminal */
#define SIBLINGS 20   /* children drawn of a node, those aside that only passed */
#define RED "#f4b6b0"
#define GREEN "#bfe3bf"
#define YELLOW "#fbe6a2"
#define LABEL 56 /* letters of a line of a label */

/* Appends, cut off at the end of the line. */
static void append(char text[LINE], const char *format, ...) COR_PRINTF(2, 3);
static void append(char text[LINE], const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, LINE - length, format, arguments);
    va_end(arguments);
}

static const char *comma(const char *text) {
    return text[0] ? ", " : "";
}

/* "cases 3-17", "case 3", "up to case 3", "before the first case", or "" of a root that is alike in nothing.
 */
static void stretch_text(const struct cor_tree_node *node, char text[LINE]) {
    uint32_t last = node->first_case + node->cases - 1;
    text[0] = '\0';
    if (node->cases == 0)
        return;
    if (last == 0)
        append(text, "before the first case");
    else if (node->first_case == 0)
        append(text, "up to case %" PRIu32, last);
    else if (node->first_case == last)
        append(text, "case %" PRIu32, last);
    else
        append(text, "cases %" PRIu32 "-%" PRIu32, node->first_case, last);
}

void cor_tree_verdict_text(uint8_t verdict, char text[64]) {
    int gray = verdict >> 3, black = verdict & 7;
    if (gray == COR_VERDICT_NOT_JUDGED && black == COR_VERDICT_NOT_JUDGED)
        snprintf(text, 64, "no reorganization");
    else
        snprintf(text, 64, "gray %s, black %s", cor_term_word(COR_FAMILY_VERDICT, gray),
                 cor_term_word(COR_FAMILY_VERDICT, black));
}

void cor_tree_seen_text(uint8_t seen, char text[COR_TREE_SEEN]) {
    static const char *const words[] = {"gray", "black", "look", "on the way", "time"};
    const uint8_t violated = seen & (COR_TREE_UNKNOWN - 1);
    size_t length = (size_t)snprintf(text, COR_TREE_SEEN, "%s", violated ? "violated (" : seen ? "" : "met");
    const char *before = "";
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (violated >> w & 1) {
            length += (size_t)snprintf(text + length, COR_TREE_SEEN - length, "%s%s", before, words[w]);
            before = ", ";
        }
    snprintf(text + length, COR_TREE_SEEN - length, "%s%s", violated ? ")" : "",
             !(seen & COR_TREE_UNKNOWN) ? ""
             : violated                 ? ", unknown"
                                        : "unknown");
}

/* What is new in the first case of a node: chains that changed, the alarm, the verdicts, constraints. */
static void event_text(const struct cor_tree *tree, const struct cor_state_names *names,
                       const struct cor_tree_node *node, char text[LINE]) {
    text[0] = '\0';
    if (node->cases == 0)
        return;
    uint32_t s = tree->order[node->first_sequence], changed = 0;
    const uint8_t *now = cor_tree_case(tree, s, node->first_case),
                  *before = node->first_case > 0 ? cor_tree_case(tree, s, node->first_case - 1) : NULL;
    for (uint32_t c = 0; c < tree->chain_count; c++)
        if ((!before || before[c] != now[c]) && ++changed <= ITEMS) {
            char from[COR_STATE_NAME], to[COR_STATE_NAME];
            uint16_t environment = tree->environment[c];
            cor_state_name(names, environment, now[c], to);
            append(text, "%schain %" PRIu32 " (%s): ", comma(text), tree->chain[c],
                   cor_environment_name(names, environment));
            if (before) {
                cor_state_name(names, environment, before[c], from);
                append(text, "%s -> ", from);
            }
            append(text, "%s", to);
        }
    if (changed > ITEMS)
        append(text, " and %" PRIu32 " more", changed - ITEMS);
    const uint8_t *rest = now + tree->chain_count;
    if (tree->projections >> COR_PROJECTION_ALARM & 1 && *rest++)
        append(text, "%salarm", comma(text));
    if (tree->projections >> COR_PROJECTION_VERDICT & 1) {
        char words_of[64];
        cor_tree_verdict_text(*rest, words_of);
        if (strcmp(words_of, "no reorganization") != 0)
            append(text, "%s%s", comma(text), words_of);
    }
    const uint8_t *seen = cor_tree_constraints(tree, s, node->first_case);
    uint32_t named = 0;
    for (uint32_t c = 0; c < tree->constraint_count; c++) {
        char words_of[COR_TREE_SEEN];
        if (seen[c] == 0 || ++named > ITEMS)
            continue;
        cor_tree_seen_text(seen[c], words_of);
        append(text, "%s%s %s", comma(text),
               cor_result_name(names->result, COR_CATALOG_CONSTRAINT, (uint16_t)c), words_of);
    }
    if (named > ITEMS)
        append(text, " and %" PRIu32 " more constraints", named - ITEMS);
    if (text[0] == '\0')
        append(text, "nothing changes");
}

/* "sequence 4 passed", "6 sequences, 2 failed", and in which cases they failed first if that is in its
 * stretch. */
static void set_text(const struct cor_tree *tree, const struct cor_tree_node *node, char text[LINE]) {
    uint32_t first = UINT32_MAX, last = 0, end = node->first_case + node->cases;
    const uint32_t *order = tree->order + node->first_sequence;
    text[0] = '\0';
    for (uint32_t i = 0; i < node->sequences; i++) {
        uint32_t failure = tree->sequence[order[i]].first_failure;
        if (failure < node->first_case || failure >= end || failure == 0)
            continue;
        first = failure < first ? failure : first;
        last = failure > last ? failure : last;
    }
    if (node->sequences == 1)
        append(text, "sequence %" PRIu32 " %s", order[0], node->failing > 0 ? "failed" : "passed");
    else if (node->failing == 0 || node->failing == node->sequences)
        append(text, "%" PRIu32 " sequences, all %s", node->sequences,
               node->failing > 0 ? "failed" : "passed");
    else
        append(text, "%" PRIu32 " sequences, %" PRIu32 " failed", node->sequences, node->failing);
    if (last > 0 && first == last)
        append(text, " in case %" PRIu32, first);
    else if (last > 0)
        append(text, " in cases %" PRIu32 "-%" PRIu32, first, last);
    if (node->sequences == 1 && tree->sequence[order[0]].continues)
        append(text, "; continues %u behind case %" PRIu32, tree->sequence[order[0]].parent,
               tree->sequence[order[0]].prefix);
}

void cor_tree_value_text(const struct cor_tree *tree, const struct cor_state_names *names,
                         const struct cor_distinction *difference, uint32_t value,
                         char text[COR_STATE_NAME]) {
    COR_ASSERT(value < 64);
    if (difference->what == COR_PROJECTION_CHAINS)
        cor_state_name(names, tree->environment[difference->index], value, text);
    else if (difference->what == COR_PROJECTION_ALARM)
        strcpy(text, value ? "alarm" : "no alarm");
    else if (difference->what == COR_PROJECTION_CONSTRAINTS)
        cor_tree_seen_text((uint8_t)value, text);
    else
        cor_tree_verdict_text((uint8_t)value, text);
}

/* The words of a set of values. */
static void append_values(const struct cor_tree *tree, const struct cor_state_names *names,
                          const struct cor_distinction *difference, uint64_t values, char text[LINE]) {
    const char *before = "";
    for (uint32_t v = 0; v < 64; v++) {
        char word[COR_STATE_NAME];
        if (!(values >> v & 1))
            continue;
        cor_tree_value_text(tree, names, difference, v, word);
        append(text, "%s%s", before, word);
        before = " or ";
    }
}

/* What tells failing from passing where they part, "" if no single thing does. */
static void difference_text(const struct cor_tree *tree, const struct cor_state_names *names,
                            const struct cor_tree_node *node, char text[LINE]) {
    text[0] = '\0';
    for (uint32_t i = 0; i < node->differences && i < ITEMS; i++) {
        const struct cor_distinction *difference = &tree->difference[node->first_difference + i];
        append(text, "%s", i > 0 ? "; " : "");
        if (difference->what == COR_PROJECTION_CHAINS)
            append(text, "chain %" PRIu32 " (%s): ", tree->chain[difference->index],
                   cor_environment_name(names, tree->environment[difference->index]));
        else if (difference->what == COR_PROJECTION_CONSTRAINTS)
            append(text, "%s: ",
                   cor_result_name(names->result, COR_CATALOG_CONSTRAINT, (uint16_t)difference->index));
        else
            append(text, "%s: ", cor_projection_words[difference->what]);
        append(text, "failing ");
        append_values(tree, names, difference, difference->failing, text);
        append(text, ", passing ");
        append_values(tree, names, difference, difference->passing, text);
    }
    if (node->differences > ITEMS)
        append(text, "; and %" PRIu32 " more", node->differences - ITEMS);
}

/* How branches are drawn: all of one width. */
struct strokes {
    const char *fork, *last, *through, *nothing;
};
static const struct strokes lines = {"├─ ", "└─ ", "│  ", "   "}, letters = {"|- ", "`- ", "|  ", "   "};

struct drawing {
    const struct cor_tree *tree;
    const struct cor_state_names *names;
    const struct cor_style *style;
    const struct strokes *strokes;
    uint32_t depth; /* that is drawn */
    FILE *file;
    const char *before[DEPTH_MAX + 1]; /* [level] what stands before a line that is deeper */
};

static void indent(const struct drawing *drawing, uint32_t level) {
    for (uint32_t l = 1; l < level; l++)
        fputs(drawing->before[l], drawing->file);
}

/* Begins an item below a node; what comes below the item in its turn is indented accordingly. */
static void begin_item(struct drawing *drawing, uint32_t level, bool is_last) {
    indent(drawing, level);
    fputs(is_last ? drawing->strokes->last : drawing->strokes->fork, drawing->file);
    drawing->before[level] = is_last ? drawing->strokes->nothing : drawing->strokes->through;
}

static void draw_node(const struct drawing *drawing, const struct cor_tree_node *node) {
    char stretch[LINE], event[LINE], set[LINE];
    const struct cor_style *style = drawing->style;
    stretch_text(node, stretch);
    event_text(drawing->tree, drawing->names, node, event);
    set_text(drawing->tree, node, set);
    const char *colour = node->failing == 0                 ? style->good
                         : node->failing == node->sequences ? style->bad
                                                            : style->strong;
    fprintf(drawing->file, "%s%s%s%s%s", stretch, stretch[0] ? ": " : "", colour, set, style->plain);
    fprintf(drawing->file, "%s%s%s\n", event[0] ? "  [" : "", event, event[0] ? "]" : "");
}

/* What is below a node, one item each. */
struct items {
    uint32_t ending; /* sequences that end where others go on */
    uint32_t drawn;  /* children that are drawn, in their order; the rest is counted: */
    uint32_t rest, rest_sequences;
    uint32_t passing, passing_sequences; /* children that only passed */
    const struct cor_tree_node *passed;  /* the last of them */
    uint32_t left;                       /* items to come */
};

static struct items items_of(const struct cor_tree *tree, const struct cor_tree_node *node) {
    struct items items = {.ending = node->children > 0 ? node->ending : 0};
    for (uint32_t c = 0; c < node->children; c++) {
        const struct cor_tree_node *child = &tree->node[node->first_child + c];
        if (child->failing == 0) {
            items.passing++;
            items.passing_sequences += child->sequences;
            items.passed = child;
        } else if (items.drawn < SIBLINGS) {
            items.drawn++;
        } else {
            items.rest++;
            items.rest_sequences += child->sequences;
        }
    }
    items.left = (items.ending > 0) + items.drawn + (items.rest > 0) + (items.passing > 0);
    return items;
}

/* Everything below a node. */
static void put_below(struct drawing *drawing, const struct cor_tree_node *node) {
    uint32_t level = node->depth + 1;
    if (node->failing == 0 || node->children == 0)
        return;
    if (level > drawing->depth || level > DEPTH_MAX) {
        drawing->before[level < DEPTH_MAX ? level : DEPTH_MAX] = "";
        indent(drawing, level < DEPTH_MAX ? level : DEPTH_MAX);
        fprintf(drawing->file, "   goes on in %" PRIu32 " ways\n", node->children);
        return;
    }
    struct items items = items_of(drawing->tree, node);
    if (node->parts) { /* verdicts part behind it, and by what */
        char text[LINE];
        difference_text(drawing->tree, drawing->names, node, text);
        indent(drawing, node->depth + 1);
        fprintf(drawing->file, "%s* verdicts part%s%s%s\n", drawing->style->strong, text[0] ? ": " : "", text,
                drawing->style->plain);
    }
    if (items.ending > 0) {
        begin_item(drawing, level, --items.left == 0);
        const struct cor_tree *tree = drawing->tree;
        uint32_t failing = 0;
        for (uint32_t i = 0; i < node->ending; i++)
            failing += tree->sequence[tree->order[node->first_sequence + i]].first_failure > 0;
        fprintf(drawing->file, "%" PRIu32 " of them end%s here, %" PRIu32 " failed\n", node->ending,
                node->ending == 1 ? "s" : "", failing);
    }
    for (uint32_t c = 0; items.drawn > 0; c++) {
        const struct cor_tree_node *child = &drawing->tree->node[node->first_child + c];
        if (child->failing == 0)
            continue;
        items.drawn--;
        begin_item(drawing, level, --items.left == 0);
        draw_node(drawing, child);
        put_below(drawing, child);
    }
    if (items.rest > 0) {
        begin_item(drawing, level, --items.left == 0);
        fprintf(drawing->file, "and %" PRIu32 " more sequences, in %" PRIu32 " ways\n", items.rest_sequences,
                items.rest);
    }
    if (items.passing > 0) {
        begin_item(drawing, level, --items.left == 0);
        if (items.passing == 1)
            draw_node(drawing, items.passed);
        else
            fprintf(drawing->file, "%s%" PRIu32 " sequences, all passed%s, in %" PRIu32 " ways\n",
                    drawing->style->good, items.passing_sequences, drawing->style->plain, items.passing);
    }
}

void cor_tree_text(const struct cor_tree *tree, const struct cor_state_names *names, uint32_t depth,
                   const struct cor_style *style, FILE *file) {
    struct drawing drawing = {.tree = tree,
                              .names = names,
                              .style = style,
                              .strokes = style->ascii ? &letters : &lines,
                              .depth = depth > 0 ? depth : UINT32_MAX,
                              .file = file};
    const char *before = "";
    fprintf(file, "%s%s%s, suite %" PRIu32 ": %" PRIu32 " of %" PRIu32 " sequences failed; tree over ",
            style->strong, cor_result_name(names->result, COR_CATALOG_ARM, tree->arm), style->plain,
            tree->suite, tree->failing, tree->sequence_count);
    for (enum cor_tree_projection p = 0; p < COR_PROJECTION_COUNT; p++) {
        if (!(tree->projections >> p & 1))
            continue;
        fprintf(file, "%s%s", before, cor_projection_words[p]);
        if (p == COR_PROJECTION_CHAINS || p == COR_PROJECTION_INVOLVED)
            fprintf(file, " (%" PRIu32 ")", tree->chain_count);
        before = ", ";
    }
    fputc('\n', file);
    if (tree->failing == 0) {
        fputs("nothing failed: no tree to part\n", file);
        return;
    }
    draw_node(&drawing, &tree->node[0]);
    put_below(&drawing, &tree->node[0]);
}

/* Text within a label: quoted, and broken at blanks. */
static void put_label(const char *text, FILE *file) {
    size_t column = 0;
    for (; *text; text++, column++) {
        if (*text == ' ' && column >= LABEL) {
            fputs("\\l", file);
            column = 0;
            continue;
        }
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        fputc(*text, file);
    }
    fputs("\\l", file);
}

static const char *colour_of(const struct cor_tree_node *node) {
    return node->failing == 0 ? GREEN : node->failing == node->sequences ? RED : YELLOW;
}

static void put_node(const struct cor_tree *tree, const struct cor_state_names *names, uint32_t index,
                     FILE *file) {
    const struct cor_tree_node *node = &tree->node[index];
    char text[LINE];
    fprintf(file, "  n%" PRIu32 " [fillcolor=\"%s\"%s, label=\"", index, colour_of(node),
            node->parts ? ", peripheries=2" : "");
    stretch_text(node, text);
    if (text[0])
        put_label(text, file);
    set_text(tree, node, text);
    put_label(text, file);
    difference_text(tree, names, node, text);
    if (node->parts) {
        fputs("verdicts part", file);
        put_label(text[0] ? ":" : "", file);
        if (text[0])
            put_label(text, file);
    }
    fputs("\"];\n", file);
}

/* Children that only passed, as one node; or what is deeper than wanted. */
static void put_rest(uint32_t parent, const char *name, const char *colour, uint32_t sequences, uint32_t ways,
                     FILE *file) {
    fprintf(file,
            "  %s%" PRIu32 " [fillcolor=\"%s\", label=\"%" PRIu32 " sequences%s\\lin %" PRIu32
            " ways\\l\"];\n"
            "  n%" PRIu32 " -> %s%" PRIu32 ";\n",
            name, parent, colour, sequences, strcmp(colour, GREEN) == 0 ? ", all passed" : "", ways, parent,
            name, parent);
}

/* A node, and its children as far as they are drawn together or not at all. */
static void put_shown(const struct cor_tree *tree, const struct cor_state_names *names, uint32_t index,
                      uint32_t depth, bool *shown, FILE *file) {
    const struct cor_tree_node *node = &tree->node[index];
    uint32_t passing = 0, sequences = 0;
    put_node(tree, names, index, file);
    if (index > 0) {
        char text[LINE];
        event_text(tree, names, &tree->node[index], text);
        fprintf(file, "  n%" PRIu32 " -> n%" PRIu32 " [label=\"", tree->node[index].parent, index);
        put_label(text, file);
        fputs("\"];\n", file);
    }
    if (node->children == 0 || node->failing == 0)
        return;
    if (node->depth >= depth) {
        put_rest(index, "deeper", colour_of(node), node->sequences - node->ending, node->children, file);
        return;
    }
    for (uint32_t c = node->first_child; c < node->first_child + node->children; c++)
        if (tree->node[c].failing == 0) {
            passing++;
            sequences += tree->node[c].sequences;
        }
    for (uint32_t c = node->first_child; c < node->first_child + node->children; c++)
        shown[c] = tree->node[c].failing > 0 || passing == 1;
    if (passing > 1)
        put_rest(index, "passed", GREEN, sequences, passing, file);
}

enum cor_status cor_tree_dot(const struct cor_tree *tree, struct cor_result *result, uint32_t depth,
                             FILE *file, struct cor_error *error) {
    struct cor_state_names names;
    bool *shown = cor_calloc(tree->node_count, sizeof *shown);
    COR_TRY(cor_made(shown, error));
    depth = depth > 0 ? depth : UINT32_MAX;
    cor_state_names_init(&names, result);
    fputs("digraph tree {\n"
          "  rankdir=LR;\n"
          "  node [shape=box, style=filled, fontname=\"Helvetica\", fontsize=10];\n"
          "  edge [fontname=\"Helvetica\", fontsize=9];\n"
          "  labelloc=t;\n  fontname=\"Helvetica\";\n  label=\"",
          file);
    put_label(cor_result_name(result, COR_CATALOG_ARM, tree->arm), file);
    fprintf(file, "suite %" PRIu32 ": %" PRIu32 " of %" PRIu32 " sequences failed\\l\";\n", tree->suite,
            tree->failing, tree->sequence_count);
    shown[0] = true;
    for (uint32_t i = 0; i < tree->node_count; i++) /* children come behind their parent */
        if (shown[i])
            put_shown(tree, &names, i, depth, shown, file);
    fputs("}\n", file);
    cor_state_names_fini(&names);
    free(shown);
    return cor_stream_status(file, error);
}
