/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The generator "tree" (paper 003, section 8: the evaluation tree as an "optimization of later test
 * generations"). Tests that have a prefix in common stand below each other in a tree, as far as what was seen
 * of the system in them is alike: a node is a test with the cases in which it parted, that is in which the
 * system showed what it had in no test before. Later tests go on behind such a case, all that is random drawn
 * anew. A leaf, behind which nothing was tried, comes first; then nodes by what tests behind them have shown,
 * so that a branch of which everything is known, its failures too, loses its turn. The rest of the tests are
 * drawn by the law, each in a suite of its own. */
#include "corpus.h"

#include <corridor/array.h>

#include <string.h>

#define NODES 256 /* at most; then the one that has shown least goes */
#define BYTES_MAX ((size_t)48 << 20)
#define PARTINGS 8     /* cases of a node, the last ones */
#define LAW_LEAST 0.25 /* of the tests are drawn by the law */
#define LAW_WORTH 3    /* a test by the law counts so often: where nothing shows anything, that is 3 of 4 */
#define KEPT 0.99      /* of what was counted, when the next one is counted */
#define LAST_EVERY 2   /* of the tests from a node go on behind its last case */
#define BEFORE_EVERY 4 /* of the tests have that case itself drawn anew */

/* A test of the tree. */
struct node {
    struct cor_test *test; /* owned */
    uint32_t number;       /* of the test */
    uint32_t cases[PARTINGS], case_count;
    double tried, shown; /* tests behind it; thereof such that showed something new */
    size_t bytes;
};

struct tree {
    struct cor_generator_definition definition;
    struct node *nodes; /* owned; [NODES], in the order of their tests */
    uint32_t count;
    size_t bytes;
    struct cor_feature_set known; /* what the system showed in some test */
    uint32_t suites, tests;       /* drawn by the law, made in all */
    uint64_t identities;          /* given to cases, the last of them */
    uint32_t parent;              /* number of the test that the present one goes on from; 0: by the law */
    double asked[2], shown[2]; /* tests by the law, from the tree; thereof such that showed something new */
};

static void drop_node(struct tree *tree, uint32_t at) {
    cor_test_destroy(tree->nodes[at].test);
    tree->bytes -= tree->nodes[at].bytes;
    tree->count--;
    memmove(tree->nodes + at, tree->nodes + at + 1, (tree->count - at) * sizeof *tree->nodes);
}

static void destroy(void *self) {
    struct tree *tree = self;
    if (!tree)
        return;
    while (tree->count > 0)
        drop_node(tree, tree->count - 1);
    COR_FREE(tree->nodes, tree);
}

static enum cor_status create(const struct cor_generator_definition *definition, void **self,
                              struct cor_error *error) {
    struct tree *tree = *self = cor_calloc(1, sizeof *tree);
    COR_TRY(cor_made(tree, error));
    tree->definition = *definition;
    tree->identities = definition->experiment->case_max;
    tree->nodes = cor_calloc(NODES, sizeof *tree->nodes);
    return cor_made(tree->nodes, error);
}

/* What tests behind the node, or of a kind, show: from nearly 0 to nearly 1. */
static double yield(double shown, double tried) {
    return (shown + 1) / (tried + 2);
}

/* The newest leaf; else a node by its yield. */
static struct node *choose_node(struct tree *tree, struct cor_rng *rng) {
    double total = 0, sum = 0;
    for (uint32_t i = tree->count; i-- > 0;) {
        if (tree->nodes[i].tried < 0.5)
            return &tree->nodes[i];
        total += yield(tree->nodes[i].shown, tree->nodes[i].tried);
    }
    const double unit = cor_rng_unit(rng), aim = unit * total;
    for (uint32_t i = 0; i + 1 < tree->count; i++) {
        sum += yield(tree->nodes[i].shown, tree->nodes[i].tried);
        if (sum > aim)
            return &tree->nodes[i];
    }
    return &tree->nodes[tree->count - 1];
}

static enum cor_status make_by_law(struct tree *tree, struct cor_proposal *proposal,
                                   struct cor_error *error) {
    const struct cor_generator_definition *d = &tree->definition;
    const uint32_t index = d->first_suite + tree->suites++ % COR_ISLAND_SUITES;
    struct cor_suite *suite;
    *proposal = (struct cor_proposal){.mutation = COR_MUTATION_FRESH, .energy = 1};
    COR_TRY(cor_suite_generate(d->experiment, d->arm, index, &suite, error));
    const enum cor_status status = cor_suite_test(suite, 0, &proposal->test, error);
    cor_suite_destroy(suite);
    return status;
}

static enum cor_status next(void *self, struct cor_proposal *proposal, struct cor_error *error) {
    struct tree *tree = self;
    const struct cor_experiment *experiment = tree->definition.experiment;
    const struct cor_stream_name name = {.seed = experiment->seed,
                                         .arm = cor_experiment_stream(experiment, tree->definition.arm),
                                         .suite = tree->definition.first_suite,
                                         .identity = ++tree->tests,
                                         .purpose = COR_PURPOSE_SEARCH};
    struct cor_rng rng = cor_rng_named(&name);
    const double law = LAW_WORTH * yield(tree->shown[0], tree->asked[0]),
                 branches = yield(tree->shown[1], tree->asked[1]), share = law / (law + branches),
                 unit = cor_rng_unit(&rng);
    tree->parent = 0;
    if (tree->count == 0 || unit < (share > LAW_LEAST ? share : LAW_LEAST))
        return make_by_law(tree, proposal, error);
    const struct node *node = choose_node(tree, &rng);
    const uint32_t last = node->case_count - 1,
                   which = cor_rng_below(&rng, LAST_EVERY) == 0 ? last : cor_rng_below(&rng, last + 1),
                   from = node->cases[which] - (cor_rng_below(&rng, BEFORE_EVERY) == 0);
    const uint32_t kind = cor_rng_below(&rng, 4);
    bool made = false;
    tree->parent = node->number;
    *proposal = (struct cor_proposal){.parent = node->number, .mutation = COR_MUTATION_BRANCH, .energy = 1};
    COR_TRY(cor_test_copy(node->test, &proposal->test, error));
    if (kind == 0 && (made = search_layer__walk_rare_arc(proposal->test, from, &rng)))
        proposal->mutation = COR_MUTATION_RARE_ARC;
    else if (kind == 1 && (made = search_layer__walk_hold(proposal->test, from, &rng)))
        proposal->mutation = COR_MUTATION_HOLD;
    if (!made)
        search_layer__walk_branch(proposal->test, from, &rng);
    return search_layer__draws_branch(proposal->test, from, &tree->identities, error);
}

/* Whether the feature tells what the system did, and not what was asked of it. */
static bool is_of_system(enum cor_feature_kind kind) {
    return kind != COR_FEATURE_TRANSITION && kind != COR_FEATURE_SLACK;
}

/* The cases in which the test showed what none had before, rising, the last ones; and that is known now. */
static uint32_t find_partings(struct tree *tree, const struct cor_seen *seen, uint32_t *cases) {
    uint32_t count = 0;
    for (uint32_t f = 0; f < seen->feature_count; f++) {
        uint32_t at = count, since = seen->origins[f].since;
        if (!is_of_system(seen->origins[f].kind) ||
            cor_feature_set_add(&tree->known, &seen->features[f], 1) == 0)
            continue;
        while (at > 0 && cases[at - 1] > since)
            at--;
        if (at > 0 && cases[at - 1] == since)
            continue;
        if (count == PARTINGS && at == 0)
            continue;
        if (count == PARTINGS)
            memmove(cases, cases + 1, --at * sizeof *cases);
        else
            memmove(cases + at + 1, cases + at, (count++ - at) * sizeof *cases);
        cases[at] = since;
    }
    return count;
}

/* Room for one node more. */
static void make_room(struct tree *tree, size_t bytes) {
    while (tree->count == NODES || (tree->count > 0 && tree->bytes + bytes > BYTES_MAX)) {
        uint32_t least = 0;
        for (uint32_t i = 1; i < tree->count; i++)
            if (yield(tree->nodes[i].shown, tree->nodes[i].tried) <
                yield(tree->nodes[least].shown, tree->nodes[least].tried))
                least = i;
        drop_node(tree, least);
    }
}

static enum cor_status see(void *self, const struct cor_seen *seen, struct cor_error *error) {
    struct tree *tree = self;
    struct node node = {.number = seen->number};
    uint32_t cases[PARTINGS];
    (void)error;
    const uint32_t found = find_partings(tree, seen, cases);
    const int is_branch = tree->parent != 0;
    tree->asked[is_branch] = KEPT * tree->asked[is_branch] + 1;
    tree->shown[is_branch] = KEPT * tree->shown[is_branch] + (found > 0 ? 1 : 0);
    for (uint32_t i = 0; i < tree->count && is_branch; i++)
        if (tree->nodes[i].number == tree->parent) {
            tree->nodes[i].tried++;
            tree->nodes[i].shown += found > 0 ? 1 : 0;
        }
    /* Nothing was executed behind the case that failed, or the last one; and before the first nothing parts.
     */
    const uint32_t end = seen->result->case_ > 0 ? seen->result->case_ : seen->result->cases;
    for (uint32_t i = 0; i < found; i++)
        if (cases[i] > 0 && cases[i] < end)
            node.cases[node.case_count++] = cases[i];
    if (node.case_count == 0)
        return COR_OK;
    const struct cor_configuration *c = seen->test->suite->configuration;
    node.bytes = 64 * (size_t)c->agent_count + (size_t)c->chain_count * (24 + cor_test_cases(seen->test)) +
                 8 * (size_t)cor_test_cases(seen->test);
    make_room(tree, node.bytes);
    node.test = (struct cor_test *)(uintptr_t)seen->test; /* handed over with *seen->keep */
    *seen->keep = true;
    tree->bytes += node.bytes;
    tree->nodes[tree->count++] = node;
    return COR_OK;
}

const struct cor_generator cor_generator_tree = {
    .name = "tree",
    .meaning = "tests go on from where the system first did something new, leaves of the tree of tests first",
    .observes = true,
    .check = cor_generator_check_walks,
    .create = create,
    .next = next,
    .see = see,
    .destroy = destroy,
};
