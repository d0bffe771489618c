/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the verdicts of a suite part: the tree as a drawing and as sheets, and behind it the ranking. */
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/ranking.h>
#include <corridor/tree.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct cor_column_definition tree_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"suite", "suite", "", "its suite", COR_CELL_COUNT, 0, 0},
    {"by", "by", "",
     "what of a case the tree looks at, with commas between: chains, involved, alarm, verdict, constraints",
     COR_CELL_WORD, 0, 0},
    {"sequences", "sequences", "", "sequences of the suite", COR_CELL_COUNT, 0, 0},
    {"failing", "failing", "", "thereof failed", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(tree, "tree", "Tree", "the suite; none if nothing failed",
                     COR_SHEET_RECORD | COR_SHEET_DATA, 0);

static const struct cor_column_definition chains_columns[] = {
    {"chain", "chain", "", "chain that the tree looks at", COR_CELL_COUNT, 0, 0},
    {"environment", "environment", "", "environment whose profile it follows", COR_CELL_WORD, 0, 0},
};
COR_SHEET_DEFINITION(chains, "chains", "Chains", "a chain", COR_SHEET_DATA, 0);

#define SEQUENCE(member) COR_CELL_OF(struct cor_tree_sequence, member)
static const struct cor_column_definition sequences_columns[] = {
    {"sequence", "sequence", "", "number of the sequence", COR_CELL_COUNT, 0, 0},
    {"executed", "executed", "cases", "test cases executed", SEQUENCE(executed)},
    {"failed", "failed", "", "whether a reorganization of it failed", COR_CELL_FLAG, 0, 0},
    {"first_failure", "first failure", "", "case of the first one that did; nothing if it passed",
     COR_CELL_COUNT, 0, 0},
    {"parent", "parent", "", "sequence that it continues (branching)", COR_CELL_COUNT, 0, 0},
    {"prefix", "prefix", "cases", "cases that it shares with it", COR_CELL_COUNT, 0, 0},
    {"ends_in", "ends in", "", "node with which it ends", COR_CELL_COUNT, 0, 0},
    {"violated", "violated", "",
     "constraints of the corridor as text that gray or black box saw violated in its first failure, with "
     "commas "
     "between; no constraint: it violates the kind of structure, or gave no result",
     COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(sequences, "sequences", "Sequences", "a sequence", COR_SHEET_DATA, 0);

#define NODE(member) COR_CELL_OF(struct cor_tree_node, member)
static const struct cor_column_definition nodes_columns[] = {
    {"node", "node", "", "number of the node; 0 is the root", COR_CELL_COUNT, 0, 0},
    {"parent", "parent", "", "the node that it goes on from", COR_CELL_COUNT, 0, 0},
    {"depth", "depth", "", "partings before it", NODE(depth)},
    {"first_case", "first case", "", "where the stretch begins; 0 is before the first test case",
     NODE(first_case)},
    {"cases", "cases", "cases", "its length; 0: a root that is alike in nothing", NODE(cases)},
    {"failing", "failing", "", "sequences that pass through it and failed", NODE(failing)},
    {"passing", "passing", "", "sequences that pass through it and passed", COR_CELL_COUNT, 0, 0},
    {"alarm", "alarm", "", "of its first case, if the tree looks at it", COR_CELL_FLAG, 0, 0},
    {"verdict", "verdict", "", "of its first case, if the tree looks at it", COR_CELL_TEXT, 0, 0},
    {"parts", "parts", "", "whether failing and passing sequences go apart behind it", NODE(parts)},
};
COR_SHEET_DEFINITION(nodes, "nodes", "Nodes", "a stretch of cases in which its sequences look alike",
                     COR_SHEET_DATA, 0);

static const struct cor_column_definition changes_columns[] = {
    {"node", "node", "", "node in whose first case it is", COR_CELL_COUNT, 0, 0},
    {"chain", "chain", "", "chain", COR_CELL_COUNT, 0, 0},
    {"environment", "environment", "", "environment whose profile it follows", COR_CELL_WORD, 0, 0},
    {"from", "from", "", "its state before; nothing before the first case", COR_CELL_WORD, 0, 0},
    {"to", "to", "", "its state then", COR_CELL_WORD, 0, 0},
};
COR_SHEET_DEFINITION(changes, "changes", "Changes", "a chain that changes in the first case of a node",
                     COR_SHEET_DATA, 0);

static const struct cor_column_definition seen_columns[] = {
    {"node", "node", "", "node in whose first case it is", COR_CELL_COUNT, 0, 0},
    {"constraint", "constraint", "", "name of a constraint of the corridor as text", COR_CELL_WORD, 0, 0},
    {"seen", "seen", "", "how it is violated there, or that it is unknown", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(seen, "seen", "Constraints of nodes",
                     "a constraint that is violated or unknown in the first case of a node", COR_SHEET_DATA,
                     0);

static const struct cor_column_definition classes_columns[] = {
    {"violated", "violated", "",
     "constraints that gray or black box saw violated in the first failure, with commas between; no "
     "constraint: it violates the kind of structure, or gave no result",
     COR_CELL_TEXT, 0, 0},
    {"sequences", "sequences", "", "failing sequences of the suite", COR_CELL_COUNT, 0, 0},
    {"first_case", "first case", "", "the earliest case of these failures", COR_CELL_COUNT, 0, 0},
    {"first_sequence", "in sequence", "", "the first sequence with that case", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(classes, "classes", "What first failures of the suite violate",
                     "a set of constraints of the corridor as text", 0, 0);

static const struct cor_column_definition differences_columns[] = {
    {"node", "node", "", "node behind which verdicts part", COR_CELL_COUNT, 0, 0},
    {"what", "what", "", "chain, alarm, verdict or constraint of the next case", COR_CELL_WORD, 0, 0},
    {"chain", "chain", "", "which chain", COR_CELL_COUNT, 0, 0},
    {"constraint", "constraint", "", "which constraint of the corridor as text", COR_CELL_WORD, 0, 0},
    {"verdicts", "verdicts", "", "of the sequences that have the value: failing, passing", COR_CELL_WORD, 0,
     0},
    {"value", "value", "", "a value that some of them have; none of the others has it", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(differences, "differences", "Differences",
                     "a value in something that tells failing from passing where they part", COR_SHEET_DATA,
                     0);

/* What the drawing needs. */
struct drawn {
    struct cor_tree *tree; /* owned; NULL: nothing failed */
    struct cor_state_names names;
    uint32_t depth;
};

static void destroy_drawn(void *context) {
    struct drawn *drawn = context;
    cor_tree_destroy(drawn->tree);
    cor_state_names_fini(&drawn->names);
    free(drawn);
}

static void draw_tree(const void *context, const struct cor_style *style, FILE *file) {
    const struct drawn *drawn = context;
    if (drawn->tree)
        cor_tree_text(drawn->tree, &drawn->names, drawn->depth, style, file);
    else
        fputs("nothing failed: no tree to part\n", file);
}

static void count_or_nothing(struct cor_sheet *sheet, bool there, uint64_t count) {
    if (there)
        cor_sheet_count(sheet, count);
    else
        cor_sheet_nothing(sheet);
}

static const char *constraint_name(const struct cor_state_names *names, uint32_t constraint) {
    return cor_result_name(names->result, COR_CATALOG_CONSTRAINT, (uint16_t)constraint);
}

/* Whether a constraint is violated by a solution, or by the structure after adoption. */
static bool fails(const struct cor_tree *it, uint32_t sequence, uint32_t constraint) {
    return cor_tree_constraints(it, sequence, it->sequence[sequence].first_failure)[constraint] &
           (COR_TREE_GRAY | COR_TREE_BLACK);
}

/* What the first failure of a sequence violates, which there is. */
static void put_violated(const struct cor_tree *it, const struct cor_state_names *names, uint32_t sequence,
                         struct cor_sheet *sheet) {
    char *said = NULL;
    for (uint32_t c = 0; c < it->constraint_count; c++)
        if (fails(it, sequence, c))
            said = said ? cor_join_take(said, ", ", cor_strdup(constraint_name(names, c)))
                        : cor_strdup(constraint_name(names, c));
    cor_sheet_text(sheet, "%s", said ? said : "no constraint");
    free(said);
}

static bool fail_alike(const struct cor_tree *it, uint32_t one, uint32_t other) {
    for (uint32_t c = 0; c < it->constraint_count; c++)
        if (fails(it, one, c) != fails(it, other, c))
            return false;
    return true;
}

/* Failing sequences by what their first failures violate, in the order of the first of each. */
static void fill_classes(const struct cor_tree *it, const struct cor_state_names *names,
                         struct cor_sheet *sheet) {
    for (uint32_t s = 0; s < it->sequence_count && it->constraint_count > 0; s++) {
        uint32_t earlier = 0, count = 0, first = s;
        if (it->sequence[s].first_failure == 0)
            continue;
        while (earlier < s && (it->sequence[earlier].first_failure == 0 || !fail_alike(it, earlier, s)))
            earlier++;
        if (earlier < s)
            continue;
        for (uint32_t t = s; t < it->sequence_count; t++) {
            if (it->sequence[t].first_failure == 0 || !fail_alike(it, t, s))
                continue;
            count++;
            first = it->sequence[t].first_failure < it->sequence[first].first_failure ? t : first;
        }
        cor_sheet_row(sheet);
        put_violated(it, names, s, sheet);
        cor_sheet_counts(sheet, 3, (const uint64_t[]){count, it->sequence[first].first_failure, first});
    }
}

static void fill_seen(const struct cor_tree *it, const struct cor_state_names *names, uint32_t n,
                      struct cor_sheet *sheet) {
    const struct cor_tree_node *node = &it->node[n];
    for (uint32_t c = 0; c < it->constraint_count && node->cases > 0; c++) {
        const uint8_t found = cor_tree_constraints(it, it->order[node->first_sequence], node->first_case)[c];
        char text[COR_TREE_SEEN];
        if (found == 0)
            continue;
        cor_tree_seen_text(found, text);
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, n);
        cor_sheet_word(sheet, constraint_name(names, c));
        cor_sheet_text(sheet, "%s", text);
    }
}

/* ends_in: [sequence]. */
static void fill_sequences(const struct cor_tree *it, const struct cor_state_names *names,
                           const uint32_t *ends_in, struct cor_sheet *sheet) {
    for (uint32_t s = 0; s < it->sequence_count; s++) {
        const struct cor_tree_sequence *sequence = &it->sequence[s];
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, s);
        COR_SHEET_PUT(sheet, struct cor_tree_sequence, sequence);
        cor_sheet_flag(sheet, sequence->first_failure > 0);
        count_or_nothing(sheet, sequence->first_failure > 0, sequence->first_failure);
        count_or_nothing(sheet, sequence->continues, sequence->parent);
        count_or_nothing(sheet, sequence->continues, sequence->prefix);
        cor_sheet_count(sheet, ends_in[s]);
        if (sequence->first_failure > 0 && it->constraint_count > 0)
            put_violated(it, names, s, sheet);
        else
            cor_sheet_nothing(sheet);
    }
}

static void fill_changes(const struct cor_tree *it, const struct cor_state_names *names, uint32_t n,
                         struct cor_sheet *sheet) {
    const struct cor_tree_node *node = &it->node[n];
    char state[COR_STATE_NAME];
    if (node->cases == 0)
        return;
    uint32_t s = it->order[node->first_sequence];
    const uint8_t *now = cor_tree_case(it, s, node->first_case),
                  *before = node->first_case > 0 ? cor_tree_case(it, s, node->first_case - 1) : NULL;
    for (uint32_t c = 0; c < it->chain_count; c++) {
        if (before && before[c] == now[c])
            continue;
        cor_sheet_row(sheet);
        cor_sheet_counts(sheet, 2, (const uint64_t[]){n, it->chain[c]});
        cor_sheet_word(sheet, cor_environment_name(names, it->environment[c]));
        if (before)
            cor_state_name(names, it->environment[c], before[c], state);
        cor_sheet_word(sheet, before ? state : NULL);
        cor_state_name(names, it->environment[c], now[c], state);
        cor_sheet_word(sheet, state);
    }
}

static void fill_differences(const struct cor_tree *it, const struct cor_state_names *names, uint32_t n,
                             struct cor_sheet *sheet) {
    const struct cor_distinction *first = it->difference + it->node[n].first_difference;
    for (uint32_t i = 0; i < 2 * 64 * it->node[n].differences; i++) {
        const struct cor_distinction *difference = &first[i / 128];
        bool is_chain = difference->what == COR_PROJECTION_CHAINS, is_passing = i / 64 % 2 == 1;
        bool is_constraint = difference->what == COR_PROJECTION_CONSTRAINTS;
        char value[COR_STATE_NAME];
        if (!((is_passing ? difference->passing : difference->failing) >> i % 64 & 1))
            continue;
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, n);
        cor_sheet_word(sheet, is_chain        ? "chain"
                              : is_constraint ? "constraint"
                                              : cor_projection_words[difference->what]);
        count_or_nothing(sheet, is_chain, is_chain ? it->chain[difference->index] : 0);
        cor_sheet_word(sheet, is_constraint ? constraint_name(names, difference->index) : NULL);
        cor_sheet_word(sheet, is_passing ? "passing" : "failing");
        cor_tree_value_text(it, names, difference, i % 64, value);
        cor_sheet_text(sheet, "%s", value);
    }
}

static enum cor_status fill_tree(const struct drawn *drawn, const char *arm, struct cor_sheets *sheets,
                                 struct cor_error *error) {
    const struct cor_tree *it = drawn->tree;
    struct cor_sheet *tree_sheet = cor_sheets_add(sheets, &tree),
                     *chains_sheet = cor_sheets_add(sheets, &chains),
                     *sequences_sheet = cor_sheets_add(sheets, &sequences),
                     *nodes_sheet = cor_sheets_add(sheets, &nodes),
                     *changes_sheet = cor_sheets_add(sheets, &changes),
                     *seen_sheet = cor_sheets_add(sheets, &seen),
                     *differences_sheet = cor_sheets_add(sheets, &differences),
                     *classes_sheet = cor_sheets_add(sheets, &classes);
    if (!it)
        return COR_OK;
    uint32_t *ends_in = cor_calloc(it->sequence_count, sizeof *ends_in);
    if (!ends_in)
        return cor_fail_memory(error);
    char by[64] = "";
    for (enum cor_tree_projection p = 0; p < COR_PROJECTION_COUNT; p++)
        if (it->projections >> p & 1)
            strcat(strcat(by, by[0] ? "," : ""), cor_projection_words[p]);
    cor_sheet_row(tree_sheet);
    cor_sheet_word(tree_sheet, arm);
    cor_sheet_count(tree_sheet, it->suite);
    cor_sheet_word(tree_sheet, by);
    cor_sheet_counts(tree_sheet, 2, (const uint64_t[]){it->sequence_count, it->failing});
    for (uint32_t c = 0; c < it->chain_count; c++) {
        cor_sheet_row(chains_sheet);
        cor_sheet_count(chains_sheet, it->chain[c]);
        cor_sheet_word(chains_sheet, cor_environment_name(&drawn->names, it->environment[c]));
    }
    for (uint32_t n = 0; n < it->node_count; n++) {
        for (uint32_t i = 0; i < it->node[n].ending; i++)
            ends_in[it->order[it->node[n].first_sequence + i]] = n;
        const struct cor_tree_node *node = &it->node[n];
        cor_sheet_row(nodes_sheet);
        cor_sheet_count(nodes_sheet, n);
        count_or_nothing(nodes_sheet, n > 0, node->parent);
        COR_SHEET_PUT(nodes_sheet, struct cor_tree_node, node);
        cor_sheet_count(nodes_sheet, node->sequences - node->failing);
        /* Alarm and verdict of the first case of a node, as far as they are looked at. */
        const uint8_t *rest =
            node->cases > 0
                ? cor_tree_case(it, it->order[node->first_sequence], node->first_case) + it->chain_count
                : NULL;
        char verdict[64];
        if (rest && it->projections >> COR_PROJECTION_ALARM & 1)
            cor_sheet_flag(nodes_sheet, *rest++ != 0);
        else
            cor_sheet_nothing(nodes_sheet);
        if (rest && it->projections >> COR_PROJECTION_VERDICT & 1) {
            cor_tree_verdict_text(*rest, verdict);
            cor_sheet_text(nodes_sheet, "%s", verdict);
        } else {
            cor_sheet_nothing(nodes_sheet);
        }
        COR_SHEET_PUT(nodes_sheet, struct cor_tree_node, node);
        fill_changes(it, &drawn->names, n, changes_sheet);
        fill_seen(it, &drawn->names, n, seen_sheet);
        fill_differences(it, &drawn->names, n, differences_sheet);
    }
    fill_classes(it, &drawn->names, classes_sheet);
    fill_sequences(it, &drawn->names, ends_in, sequences_sheet);
    free(ends_in);
    return COR_OK;
}

/* The tree that is asked for, NULL if nothing failed, and the name of its arm. */
static enum cor_status make_tree(const struct cor_view_request *request, struct cor_tree **made,
                                 const char **arm_name, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(request->result);
    unsigned by = request->projections ? request->projections : COR_PROJECTIONS_USUAL;
    size_t arm;
    COR_TRY(cor_arm_find(head, "--arm", request->arm, &arm, error));
    *arm_name = cor_arm_entry(head, arm)->name;
    return cor_tree_create(request->result, cor_arm_entry(head, arm)->code, request->suite, by, made, error);
}

static enum cor_status make_tree_view(const struct cor_view_request *request, struct cor_sheets *sheets,
                                      struct cor_view_findings *findings, struct cor_error *error) {
    const char *arm;
    struct drawn *drawn = cor_calloc(1, sizeof *drawn);
    COR_TRY(cor_made(drawn, error));
    drawn->depth = request->depth;
    cor_state_names_init(&drawn->names, request->result);
    enum cor_status status = make_tree(request, &drawn->tree, &arm, error);
    if (status == COR_OK)
        status = fill_tree(drawn, arm, sheets, error);
    if (status != COR_OK) {
        destroy_drawn(drawn);
        return status;
    }
    cor_sheets_draw(sheets, draw_tree, drawn, destroy_drawn);
    return views__view_ranking.make(request, sheets, findings, error);
}

static const struct cor_sheet_definition *const sheets_made[] = {
    &nodes,   &tree,          &chains,          &sequences,      &changes,       &seen, &differences,
    &classes, &views__causes, &views__symptoms, &views__ranking, &views__scores, NULL};

static enum cor_status draw_graph(const struct cor_view_request *request, FILE *file,
                                  struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_tree *drawn = NULL;
    const char *arm;
    COR_TRY(make_tree(request, &drawn, &arm, error));
    if (drawn)
        status = cor_tree_dot(drawn, request->result, request->depth, file, error);
    else
        fputs("digraph tree {\n  nothing [label=\"nothing failed: no tree to part\"];\n}\n", file);
    cor_tree_destroy(drawn);
    return status;
}

const struct cor_view views__view_tree = {
    .name = "tree",
    .command = "tree",
    .summary = "show which conditions go with failures",
    .schema = "corridor-tree",
    .version = 2,
    .sheets = sheets_made,
    .make = make_tree_view,
    .graph = draw_graph,
};

/* ---- what separates failing from passing units of an arm, and whether it does so by chance */

#define SHOWN 15 /* features of each list in a text, if nothing else is asked for */

#define RANKING(member) COR_CELL_OF(struct cor_ranking, member)
static const struct cor_column_definition ranking_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"suite", "suite", "", "the only suite that was looked at; nothing: all",
     COR_KNOWN_OF(struct cor_ranking, suite), 0, COR_COLUMN_DATA},
    {"unit", "unit", "", "what fails or passes: reorganizations, sequences, suites",
     COR_ONE_OF(struct cor_ranking, unit, cor_ranked_unit_words), 0, COR_COLUMN_DATA},
    {"score", "score", "", "what ranks: ochiai, tarantula, dstar",
     COR_ONE_OF(struct cor_ranking, score, cor_score_words), 0, COR_COLUMN_DATA},
    {"failing", "failing", "", "units that failed", RANKING(failing), 0, COR_COLUMN_DATA},
    {"passing", "passing", "", "units that passed", RANKING(passing), 0, COR_COLUMN_DATA},
    {"suites", "suites", "", "suites that were looked at", RANKING(suites), 0, COR_COLUMN_DATA},
    {"suites_failing", "suites failing", "", "thereof with a failed unit", RANKING(suites_failing), 0,
     COR_COLUMN_DATA},
    {"p", "p", "1",
     "share of arrangements in which some cause has an Ochiai as high as the best one here, when verdicts "
     "are exchanged between suites; above 0.05 no feature separates failing from passing better than chance; "
     "nothing where nothing failed or nothing passed",
     RANKING(p), COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"permutations", "permutations", "", "arrangements beside the file itself", RANKING(permutations), 0,
     COR_COLUMN_DATA},
};
const struct cor_sheet_definition views__ranking =
    COR_SHEET_OVER(ranking_columns, "ranking", "What goes with failing", "the arm", COR_SHEET_RECORD, 0);

static const char *const comparisons[] = {
    [COR_AT_LEAST] = ">=", [COR_AT_MOST] = "<=", [COR_PRESENT] = "present"};
#define FEATURE(member) COR_CELL_OF(struct cor_feature, member)
static const struct cor_column_definition feature_columns[] = {
    {"rank_best", "rank", "", "rank by the score; features of one score share theirs: the first of these",
     FEATURE(rank_best), 0, COR_COLUMN_MORE},
    {"rank_worst", "last of\nthe rank", "", "the last of the ranks that it shares", FEATURE(rank_worst), 0,
     COR_COLUMN_MORE},
    {"rank", "rank", "", "the middle of the ranks that it shares", COR_CELL_REAL, 1, COR_COLUMN_DATA},
    {"ochiai", "ochiai", "1", "0 .. 1: ef / sqrt((ef + nf) (ef + ep)); sheet scores has the source",
     FEATURE(score[COR_SCORE_OCHIAI]), COR_DIGITS_FOUR},
    {"tarantula", "tarantula", "1", "0 .. 1: (ef / F) / (ef / F + ep / P)",
     FEATURE(score[COR_SCORE_TARANTULA]), COR_DIGITS_FOUR, COR_COLUMN_MORE},
    {"dstar", "dstar", "1", "ef^2 / (ep + nf); infinite (JSON: null): exactly the failing units have it",
     FEATURE(score[COR_SCORE_DSTAR]), COR_DIGITS_FOUR, COR_COLUMN_MORE},
    {"failing_with", "failing with", "", "failing units that have it (ef)", FEATURE(failing_with)},
    {"failing_without", "failing without", "", "failing units that have it not (nf)",
     FEATURE(failing_without), 0, COR_COLUMN_DATA},
    {"passing_with", "passing with", "", "passing units that have it (ep)", FEATURE(passing_with)},
    {"passing_without", "passing without", "", "passing units that have it not (np)",
     FEATURE(passing_without), 0, COR_COLUMN_DATA},
    {"aspect", "aspect", "", "environment, structure, configuration, behaviour",
     COR_ONE_OF(struct cor_feature, aspect, cor_aspect_words), 0, COR_COLUMN_MORE},
    {"condition", "feature", "", "the next five in one, for readers", COR_CELL_TEXT, 0, COR_COLUMN_KEY},
    {"once", "once", "", "of a sequence: some reorganization in it is such", FEATURE(once), 0,
     COR_COLUMN_DATA},
    {"feature", "feature", "", "property that units have or have not", FEATURE(name), 0, COR_COLUMN_DATA},
    {"comparison", "comparison", "", "with its bound: >=, <=; or present",
     COR_ONE_OF(struct cor_feature, comparison, comparisons), 0, COR_COLUMN_DATA},
    {"bound", "bound", "", "value of the unit with the feature that is nearest to the units without",
     FEATURE(bound), COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"next", "next", "", "nearest value of a unit that has it not", FEATURE(next), COR_DIGITS_FOUR,
     COR_COLUMN_DATA},
};
const struct cor_sheet_definition views__causes = COR_SHEET_OVER(
    feature_columns, "causes", "What the algorithm was given",
    "a feature of environment, structure or configuration that some failing unit has and some unit has not",
    0, SHOWN);
const struct cor_sheet_definition views__symptoms = COR_SHEET_OVER(
    feature_columns, "symptoms", "What it then did",
    "a feature of what the algorithm did: a symptom rather than a cause", COR_SHEET_MORE, SHOWN);

static const struct cor_column_definition scores_columns[] = {
    {"score", "score", "", "id of the score", COR_CELL_WORD, 0, 0},
    {"formula", "formula", "", "from the counts of a feature", COR_CELL_TEXT, 0, 0},
    {"source", "source", "", "where it was published", COR_CELL_TEXT, 0, 0},
};
const struct cor_sheet_definition views__scores =
    COR_SHEET_OVER(scores_columns, "scores", "Scores", "a score", COR_SHEET_DATA, 0);

static void fill_list(const struct cor_ranking *made, const struct cor_sheet_definition *definition,
                      size_t rows, struct cor_sheets *sheets) {
    const struct cor_feature_list *list = definition == &views__causes ? &made->causes : &made->symptoms;
    struct cor_sheet *sheet = cor_sheets_add(sheets, definition);
    cor_sheet_limit(sheet, rows > 0 ? rows : SHOWN);
    if (definition == &views__causes)
        cor_sheet_title(sheet, "What the algorithm was given, by %s", cor_score_words[made->score]);
    for (size_t i = 0; i < list->count; i++) {
        const struct cor_feature *feature = &list->feature[i];
        COR_SHEET_PUT(sheet, struct cor_feature, feature);
        cor_sheet_real(sheet, cor_feature_rank(feature));
        COR_SHEET_PUT(sheet, struct cor_feature, feature);
        /* "partitions_before >= 101 (next: 97)". */
        const char *comparison = comparisons[feature->comparison];
        const char *once = feature->once ? "once: " : "";
        if (feature->comparison == COR_PRESENT)
            cor_sheet_text(sheet, "%s%s", once, feature->name);
        else if (isnan(feature->next))
            cor_sheet_text(sheet, "%s%s %s %.6g", once, feature->name, comparison, feature->bound);
        else
            cor_sheet_text(sheet, "%s%s %s %.6g (next: %.6g)", once, feature->name, comparison,
                           feature->bound, feature->next);
        COR_SHEET_PUT(sheet, struct cor_feature, feature);
    }
}

static void fill_ranking(const struct cor_ranking *made, const char *arm, struct cor_sheets *sheets) {
    struct cor_sheet *sheet = cor_sheets_add(sheets, &views__ranking);
    uint64_t units = made->failing + made->passing;
    if (made->suite == COR_ANY_SUITE)
        cor_sheet_title(
            sheet, "%s: %" PRIu64 " of %" PRIu64 " %s failed, in %" PRIu64 " of %" PRIu64 " suites", arm,
            made->failing, units, cor_ranked_unit_words[made->unit], made->suites_failing, made->suites);
    else
        cor_sheet_title(sheet, "%s, suite %" PRIu32 ": %" PRIu64 " of %" PRIu64 " %s failed", arm,
                        made->suite, made->failing, units, cor_ranked_unit_words[made->unit]);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, arm);
    COR_SHEET_PUT(sheet, struct cor_ranking, made);
    /* What a reader is told first. */
    if (made->failing == 0)
        cor_sheet_remark(sheet, "nothing failed: nothing to explain");
    else if (made->passing == 0)
        cor_sheet_remark(sheet, "nothing passed: nothing to compare with");
    else if (made->p > COR_RANKING_LEVEL)
        cor_sheet_remark(sheet,
                         "no feature separates failing from passing better than chance (p = %.3g: so often "
                         "some feature goes as well with failing when suites swap their verdicts at random)",
                         made->p);
    else
        cor_sheet_remark(sheet,
                         "the best separates failing from passing better than chance (p = %.3g, by "
                         "swapping the verdicts of suites at random)",
                         made->p);
    for (const char *line = made->note; *line; line += strcspn(line, "\n") + 1)
        cor_sheet_remark(sheet, "%.*s", (int)strcspn(line, "\n"), line);
}

static enum cor_status make_ranking(const struct cor_view_request *request, struct cor_sheets *sheets,
                                    struct cor_view_findings *findings, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(request->result);
    struct cor_ranking *made;
    size_t arm;
    (void)findings;
    COR_TRY(cor_arm_find(head, "--arm", request->arm, &arm, error));
    COR_TRY(cor_ranking_create(request->result, cor_arm_entry(head, arm)->code, request->suite,
                               (enum cor_ranked_unit)request->unit, (enum cor_score)request->score, &made,
                               error));
    fill_ranking(made, cor_arm_entry(head, arm)->name, sheets);
    if (made->failing > 0 && made->passing > 0) {
        fill_list(made, &views__causes, request->rows, sheets);
        fill_list(made, &views__symptoms, request->rows, sheets);
    }
    struct cor_sheet *sheet = cor_sheets_add(sheets, &views__scores);
    for (enum cor_score s = 0; s < COR_SCORE_COUNT; s++) {
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_score_words[s]);
        cor_sheet_text(sheet, "%s", cor_score_formulas[s]);
        cor_sheet_text(sheet, "%s", cor_score_sources[s]);
    }
    cor_ranking_destroy(made);
    return COR_OK;
}

static const struct cor_sheet_definition *const sheets_made_ranking[] = {
    &views__causes, &views__symptoms, &views__ranking, &views__scores, NULL};

const struct cor_view views__view_ranking = {
    .name = "ranking",
    .summary = "rank what goes with failing",
    .schema = "corridor-ranking",
    .version = 2,
    .sheets = sheets_made_ranking,
    .make = make_ranking,
};
