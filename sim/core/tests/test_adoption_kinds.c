/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adoption where the structure is a covering, overlapping, a hierarchy or a tree: by hand, and against a
 * model of its own, which keeps a table of who is where; with and without faults. */
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Blocks ended by '|', each agents and, behind '^', its parent: "0 1|2^0|" */
static struct cor_lists lists_of(const char *text) {
    struct cor_lists lists;
    uint32_t block[64], parents[64];
    size_t count = 0;
    cor_lists_init(&lists);
    memset(parents, 0xff, sizeof parents);
    while (*text) {
        char *end;
        if (*text == '|') {
            assert_int_equal(cor_lists_put(&lists, block, count, NULL), COR_OK);
            count = 0;
            text++;
        } else if (*text == '^') {
            parents[lists.block_count] = (uint32_t)strtoul(text + 1, &end, 10);
            text = end;
        } else {
            block[count++] = (uint32_t)strtoul(text, &end, 10);
            text = end;
        }
        text += *text == ' ';
    }
    for (uint32_t b = 0; b < lists.block_count; b++)
        if (parents[b] != COR_NOBODY)
            assert_int_equal(cor_lists_hang(&lists, b, parents[b], NULL), COR_OK);
    return lists;
}

/* A configuration of that kind with this initial structure, which is taken over. */
static struct cor_configuration *configuration_of(enum cor_structure_kind kind, uint32_t agents,
                                                  struct cor_lists initial) {
    struct cor_configuration *c = sample_plain(agents, 1);
    c->kind = kind;
    c->initial_organizations = initial;
    c->initial_partitions = initial.block_count;
    return c;
}

/* The state's lists are these; sums, sizes and soundness are those of the lists. */
static void check_lists(const struct cor_state *state, const struct cor_lists *wanted) {
    struct cor_lists found;
    cor_lists_init(&found);
    assert_int_equal(cor_state_lists(state, &found, NULL), COR_OK);
    assert_int_equal(found.block_count, wanted->block_count);
    assert_int_equal(found.member_count, wanted->member_count);
    assert_int_equal(found.nests, cor_structure_nests(state->configuration->kind));
    for (uint32_t b = 0; b < found.block_count; b++) {
        const uint32_t size = cor_lists_size(wanted, b);
        double sum = 0;
        assert_int_equal(cor_lists_size(&found, b), size);
        assert_int_equal(state->structure.size[b], size);
        for (uint32_t m = 0; m < size; m++) {
            assert_int_equal(cor_lists_block(&found, b)[m], cor_lists_block(wanted, b)[m]);
            sum += state->value[cor_lists_block(wanted, b)[m]];
        }
        assert_true(fabs(state->structure.sum[b] - sum) < 1e-9);
        if (found.nests)
            assert_int_equal(found.parent[b], wanted->nests ? wanted->parent[b] : COR_NOBODY);
    }
    assert_true(cor_state_is_sound(state));
    cor_lists_fini(&found);
}

/* Adopts `solution` from `before`, six agents. */
static void check(enum cor_structure_kind kind, const char *before, const char *solution,
                  const char *expected, uint32_t moved) {
    struct cor_configuration *c = configuration_of(kind, 6, lists_of(before));
    struct cor_state *state = sample_state(c);
    struct cor_lists lists = lists_of(solution), wanted = lists_of(expected);
    struct cor_adopter *adopter = NULL;
    struct cor_adoption_report report = {77, 77, 77, 77, 77};
    assert_int_equal(cor_adopter_create(6, &adopter, NULL), COR_OK);
    assert_int_equal(cor_adopt(adopter, state, &lists, NULL, 0, &(struct cor_stream_name){0}, &report, NULL),
                     COR_OK);
    check_lists(state, &wanted);
    assert_int_equal(report.moved, moved);
    assert_int_equal(report.corrupted, 0);
    cor_adopter_destroy(adopter);
    cor_lists_fini(&lists);
    cor_lists_fini(&wanted);
    cor_state_destroy(state);
    cor_configuration_destroy(c);
}

static void coverings_are_adopted_as_by_hand(void **unused) {
    (void)unused;
    const enum cor_structure_kind covering = COR_STRUCTURE_COVERING;
    check(covering, "0 1 2|2 3 4 5|", "0 1 2|2 3 4 5|", "0 1 2|2 3 4 5|", 0);
    check(covering, "0 1 2|2 3 4 5|", "2 3 4 5|0 1 2|", "2 3 4 5|0 1 2|", 0);
    check(covering, "0 1 2|2 3 4 5|", "5 4 3 0|0 2 1|", "0 3 4 5|0 1 2|", 1); /* 2 has left 3, 4 and 5 */
    check(covering, "0 1 2|2 3 4 5|", "0 1|1 2|", "0 1|1 2|3 4 5|", 2);       /* the rest stays */
    check(covering, "0 1 2|2 3 4 5|", "0 0 0||7 99|", "0|1 2|2 3 4 5|", 1);   /* once is enough */
    check(covering, "0 1 2|2 3 4 5|", "", "0 1 2|2 3 4 5|", 0);
}

static void who_is_not_named_leaves_where_that_is_allowed(void **unused) {
    (void)unused;
    const enum cor_structure_kind overlapping = COR_STRUCTURE_OVERLAPPING;
    check(overlapping, "0 1 2|2 3|", "0 2|2 3|", "0 2|2 3|", 1);
    check(overlapping, "0 1 2|2 3|", "", "", 5);
    check(overlapping, "0|", "5 4|", "4 5|", 1);
    check(overlapping, "", "5 4|5|", "4 5|5|", 0);
}

static void hierarchies_are_hung_as_by_hand(void **unused) {
    (void)unused;
    const enum cor_structure_kind hierarchy = COR_STRUCTURE_HIERARCHY;
    check(hierarchy, "0 1|2 3^0|4 5^0|", "4 5|0 1^0|2 3^1|", "4 5|0 1^0|2 3^1|", 0);
    check(hierarchy, "0 1|2 3^0|4 5^0|", "^3|0 1^0|2 3 4^0|5|", "^3|0 1^0|2 3 4^0|5|", 1);
    check(hierarchy, "0 1|2 3^0|4 5^0|", "0 1 2|", "0 1 2||3^1|4 5^1|", 1); /* empty, but not below it */
    check(hierarchy, "0 1|2 3^0|4 5^0|", "0 1 2 3 4 5|^0|^1|", "0 1 2 3 4 5|", 0);     /* nobody below */
    check(hierarchy, "0 1|2 3^0|4 5^0|", "0 1^1|2 3^2|4 5^0|", "0 1^1|2 3^2|4 5|", 0); /* a circle */
    check(hierarchy, "0 1|2 3^0|4 5^0|", "0 1^0|2 3^7|4 5^1|", "0 1|2 3|4 5^1|", 0);
    check(hierarchy, "0 1|2 3^0|4 5^0|", "", "0 1|2 3^0|4 5^0|", 0);
    check(hierarchy, "0 1|2 3^0|4 5^0|", "0 1 2|2 3 4 5|", "0 1|2 3 4 5|", 0); /* the last move counts */
}

static void what_remains_of_a_tree_hangs_below_the_new_root(void **unused) {
    (void)unused;
    const enum cor_structure_kind tree = COR_STRUCTURE_TREE;
    check(tree, "0 1|2 3^0|4 5^0|", "0 1 2|", "0 1 2|^0|3^1|4 5^1|", 1);
    check(tree, "0 1|2 3^0|4 5^0|", "2^1|3|", "2^1|3|0 1^1|4 5^2|", 1);
    check(tree, "0 1|2 3^0|4 5^0|", "0 1 2|3 4 5|", "0 1 2|3 4 5|", 1); /* two roots are the solution's */
}

enum { AGENTS_MAX = 12, LABELS_MAX = 4000, MOVES_MAX = 40, LOOKS_MAX = 1000 };

/* Who is how often in which organization, by label: old ones, then those of the solution. */
struct model {
    enum cor_structure_kind kind;
    enum cor_adoption_fault fault;
    double probability;
    uint32_t agents, first, blocks;
    int in[AGENTS_MAX][LABELS_MAX];
    uint32_t now[AGENTS_MAX]; /* where the agent's last move led it */
    bool moved[AGENTS_MAX];
    uint32_t parent[LABELS_MAX];
    bool remains[LABELS_MAX];
    size_t left; /* steps */
    uint32_t corrupted;
    struct cor_rng rng;
};
static struct model m, old; /* too large for the stack */

/* After each move of an agent: who was where by the model, [agent * labels + label], and what was shown. */
static uint8_t *tables[LOOKS_MAX];
static struct cor_lists shown[LOOKS_MAX];
static size_t table_count, shown_count;

static void note_table(void) {
    const uint32_t labels = m.first + m.blocks;
    assert_true(table_count < LOOKS_MAX);
    uint8_t *table = tables[table_count++] = calloc((size_t)m.agents * labels + 1, 1);
    assert_non_null(table);
    for (uint32_t i = 0; i < m.agents; i++)
        for (uint32_t l = 0; l < labels; l++)
            table[i * labels + l] = m.in[i][l] > 0;
}

static enum cor_status note_shown(void *context, const struct cor_lists *structure, struct cor_error *error) {
    assert_ptr_equal(context, shown);
    assert_true(shown_count < LOOKS_MAX);
    return cor_lists_copy(&shown[shown_count++], structure, error);
}

static bool strikes(void) {
    return m.fault > COR_ADOPTION_FAULT_NONE && m.fault != COR_ADOPTION_FAULT_HALFWAY &&
           cor_rng_unit(&m.rng) < m.probability;
}

static void model_join(uint32_t agent, uint32_t block) {
    const bool struck = strikes(), nests = cor_structure_nests(m.kind), was_moved = m.moved[agent];
    uint32_t to = m.first + block;
    bool leaves = nests || !was_moved;
    m.moved[agent] = true;
    if (struck && m.fault == COR_ADOPTION_FAULT_LOST) {
        to = COR_NOBODY;
        m.corrupted++;
    } else if (struck && m.fault == COR_ADOPTION_FAULT_DOUBLED && leaves) {
        leaves = false;
        m.corrupted++;
    } else if (struck && m.fault == COR_ADOPTION_FAULT_MISDIRECTED && m.blocks > 1) {
        to = m.first + (block + 1 + cor_rng_below(&m.rng, m.blocks - 1)) % m.blocks;
        m.corrupted++;
    }
    if (leaves && was_moved && m.now[agent] != COR_NOBODY)
        m.in[agent][m.now[agent]]--;
    for (uint32_t o = 0; leaves && !was_moved && o < m.first; o++)
        m.in[agent][o] = 0;
    m.now[agent] = to;
    if (to != COR_NOBODY)
        m.in[agent][to]++;
}

static bool may_step(void) {
    if (m.left == 0)
        return false;
    m.left--;
    return true;
}

static bool is_named(uint32_t agent, const struct cor_lists *solution) {
    for (uint32_t i = 0; i < solution->member_count; i++)
        if (solution->members[i] == agent)
            return true;
    return false;
}

static bool is_somewhere(uint32_t agent) {
    for (uint32_t o = 0; o < m.first; o++)
        if (old.in[agent][o] > 0)
            return true;
    return false;
}

static bool must_leave(uint32_t agent, const struct cor_lists *solution) {
    return m.kind == COR_STRUCTURE_OVERLAPPING && is_somewhere(agent) && !is_named(agent, solution);
}

static void model_leave(uint32_t agent) {
    const bool struck = strikes();
    bool stays = false;
    for (uint32_t o = 0; o < m.first && struck && m.fault == COR_ADOPTION_FAULT_DOUBLED; o++)
        stays |= m.in[agent][o] > 0;
    const bool strays = struck && m.fault == COR_ADOPTION_FAULT_MISDIRECTED && m.blocks > 0;
    m.corrupted += stays || strays;
    for (uint32_t o = 0; !stays && o < m.first; o++)
        m.in[agent][o] = 0;
    if (strays)
        m.in[agent][m.first + cor_rng_below(&m.rng, m.blocks)]++;
}

/* Whether hanging `block` below `parent` closes a circle of blocks that hang as `hung` says. */
static bool closes(const uint32_t *hung, uint32_t block, uint32_t parent) {
    for (; parent < m.blocks; parent = hung[parent])
        if (parent == block)
            return true;
    return false;
}

static void model_hang(const struct cor_lists *solution) {
    static uint32_t hung[LABELS_MAX]; /* as they would without faults */
    memset(hung, 0xff, sizeof hung);
    for (uint32_t b = 0; b < m.blocks; b++) {
        uint32_t parent = solution->parent[b], draw;
        if (parent == COR_NOBODY)
            continue;
        const bool sound = parent < m.blocks && !closes(hung, b, parent);
        if (sound)
            hung[b] = parent;
        if (!may_step())
            continue;
        const bool struck = strikes();
        if (struck && m.fault == COR_ADOPTION_FAULT_LOST) {
            m.corrupted++;
            continue;
        }
        if (struck && m.fault == COR_ADOPTION_FAULT_MISDIRECTED && m.blocks > 2) {
            m.corrupted++;
            do
                draw = (b + 1 + cor_rng_below(&m.rng, m.blocks - 1)) % m.blocks;
            while (draw == parent);
            assert_true(draw != b && draw != parent && draw < m.blocks);
            m.parent[m.first + b] = m.first + draw;
        } else if (sound) {
            m.parent[m.first + b] = m.first + parent;
        }
    }
}

static void model_remains(void) {
    const uint32_t labels = m.first + m.blocks;
    bool changed = true;
    for (uint32_t l = 0; l < labels; l++) {
        m.remains[l] = false;
        for (uint32_t i = 0; i < m.agents; i++)
            m.remains[l] |= m.in[i][l] > 0;
    }
    while (changed) {
        changed = false;
        for (uint32_t l = 0; l < labels; l++)
            if (m.remains[l] && m.parent[l] != COR_NOBODY && !m.remains[m.parent[l]])
                changed = m.remains[m.parent[l]] = true;
    }
    for (uint32_t root = m.first; root < labels && m.kind == COR_STRUCTURE_TREE; root++) {
        if (!m.remains[root] || m.parent[root] != COR_NOBODY)
            continue;
        for (uint32_t o = 0; o < m.first; o++)
            if (m.parent[o] == COR_NOBODY)
                m.parent[o] = root;
        return;
    }
}

static uint32_t model_moved(void) {
    uint32_t moved = 0;
    for (uint32_t o = 0; o < m.first; o++) {
        uint32_t size = 0, most = 0;
        for (uint32_t i = 0; i < m.agents; i++)
            size += old.in[i][o] > 0;
        for (uint32_t l = 0; l < m.first + m.blocks; l++) {
            uint32_t both = 0;
            for (uint32_t i = 0; i < m.agents; i++)
                both += old.in[i][o] > 0 && m.in[i][l] > 0;
            most = both > most ? both : most;
        }
        moved += size - most;
    }
    return moved;
}

/* The lists of the model: the solution's blocks first. */
static void model_lists(struct cor_lists *lists) {
    uint32_t number[LABELS_MAX], next = 0, block[AGENTS_MAX];
    const uint32_t labels = m.first + m.blocks;
    cor_lists_clear(lists);
    for (uint32_t k = 0; k < labels; k++) {
        const uint32_t l = k < m.blocks ? m.first + k : k - m.blocks;
        size_t count = 0;
        number[l] = m.remains[l] ? next++ : COR_NOBODY;
        for (uint32_t i = 0; i < m.agents; i++)
            if (m.in[i][l] > 0)
                block[count++] = i;
        if (m.remains[l])
            assert_int_equal(cor_lists_put(lists, block, count, NULL), COR_OK);
    }
    for (uint32_t l = 0; l < labels; l++)
        if (m.remains[l] && m.parent[l] != COR_NOBODY)
            assert_int_equal(cor_lists_hang(lists, number[l], number[m.parent[l]], NULL), COR_OK);
}

static void model_adopt(const struct cor_state *state, const struct cor_lists *solution,
                        const struct cor_move *moves, size_t move_count, const struct cor_stream_name *name) {
    const struct cor_structure *s = &state->structure;
    memset(&m, 0, sizeof m);
    m.kind = state->configuration->kind;
    m.fault = state->configuration->adoption.fault;
    m.probability = state->configuration->adoption.probability;
    m.agents = state->configuration->agent_count;
    m.first = s->partition_count;
    m.blocks = solution->block_count;
    struct cor_stream_name own = *name;
    own.purpose = COR_PURPOSE_ADOPTION_FAULT;
    m.rng = cor_rng_named(&own);
    memset(m.now, 0xff, sizeof m.now);
    memset(m.parent, 0xff, sizeof m.parent);
    for (uint32_t o = 0; o < m.first; o++) {
        m.parent[o] = s->parent ? s->parent[o] : COR_NOBODY;
        for (uint32_t k = s->start[o]; k < s->start[o + 1]; k++)
            m.in[s->member[k]][o] = 1;
    }
    old = m;
    m.left = moves ? move_count : solution->member_count;
    for (uint32_t i = 0; i < m.agents; i++)
        m.left += must_leave(i, solution);
    for (uint32_t b = 0; solution->nests && b < m.blocks; b++)
        m.left += solution->parent[b] != COR_NOBODY;
    if (m.fault == COR_ADOPTION_FAULT_HALFWAY && cor_rng_unit(&m.rng) < m.probability) {
        m.corrupted = (uint32_t)(m.left - m.left / 2);
        m.left /= 2;
    }
    for (size_t i = 0; moves && i < move_count; i++)
        if (may_step() && moves[i].agent < m.agents && moves[i].block < m.blocks) {
            model_join(moves[i].agent, moves[i].block);
            note_table();
        }
    for (uint32_t b = 0; !moves && b < m.blocks; b++)
        for (uint32_t i = 0; i < cor_lists_size(solution, b); i++)
            if (may_step() && cor_lists_block(solution, b)[i] < m.agents) {
                model_join(cor_lists_block(solution, b)[i], b);
                note_table();
            }
    for (uint32_t i = 0; i < m.agents; i++)
        if (must_leave(i, solution) && may_step()) {
            model_leave(i);
            note_table();
        }
    if (solution->nests && cor_structure_nests(m.kind))
        model_hang(solution);
}

static uint32_t parent_of(const struct cor_lists *lists, uint32_t block) {
    return lists->nests ? lists->parent[block] : COR_NOBODY;
}

static void assert_same(const struct cor_lists *found, const struct cor_lists *wanted) {
    assert_int_equal(found->block_count, wanted->block_count);
    assert_int_equal(found->member_count, wanted->member_count);
    for (uint32_t b = 0; b < found->block_count; b++) {
        const uint32_t size = cor_lists_size(wanted, b);
        assert_int_equal(cor_lists_size(found, b), size);
        for (uint32_t i = 0; i < size; i++)
            assert_int_equal(cor_lists_block(found, b)[i], cor_lists_block(wanted, b)[i]);
        assert_int_equal(parent_of(found, b), parent_of(wanted, b));
    }
}

/* What was shown after each move is what the model would have come to, had it ended there with all that is
 * hung: the same as if organizations were hung before anybody moves. */
static void check_shown(void) {
    const uint32_t labels = m.first + m.blocks;
    static struct model end;
    struct cor_lists wanted;
    end = m;
    cor_lists_init(&wanted);
    assert_int_equal(shown_count, table_count);
    for (size_t k = 0; k < table_count; k++) {
        for (uint32_t i = 0; i < m.agents; i++)
            for (uint32_t l = 0; l < labels; l++)
                m.in[i][l] = tables[k][i * labels + l];
        memcpy(m.parent, end.parent, sizeof m.parent);
        model_remains();
        model_lists(&wanted);
        assert_same(&shown[k], &wanted);
    }
    cor_lists_fini(&wanted);
    m = end;
}

static uint32_t any_agent(struct cor_rng *rng, uint32_t agents) {
    const uint32_t kind = cor_rng_below(rng, 10), agent = cor_rng_below(rng, agents + 3);
    return kind == 0 ? UINT32_MAX - 1 - agent : agent;
}

/* Half of them are of a kind, others nonsense. */
static void draw_solution(struct cor_rng *rng, uint32_t agents, struct cor_lists *lists) {
    uint32_t blocks = cor_rng_below(rng, 7), block[10];
    const bool hangs = cor_rng_below(rng, 4) > 0;
    cor_lists_clear(lists);
    if (cor_rng_below(rng, 50) == 0)
        blocks = 100;
    for (uint32_t b = 0; b < blocks; b++) {
        const uint32_t count = cor_rng_below(rng, blocks > 10 ? 2 : 6);
        for (uint32_t i = 0; i < count; i++)
            block[i] = any_agent(rng, agents);
        assert_int_equal(cor_lists_put(lists, block, count, NULL), COR_OK);
    }
    for (uint32_t b = 0; hangs && b < blocks; b++)
        if (cor_rng_below(rng, 3) > 0)
            assert_int_equal(cor_lists_hang(lists, b, cor_rng_below(rng, blocks + (b % 7 == 6)), NULL),
                             COR_OK);
}

static struct cor_lists draw_initial(struct cor_rng *rng, enum cor_structure_kind kind, uint32_t agents) {
    struct cor_lists lists;
    const uint32_t blocks = 1 + cor_rng_below(rng, agents < 5 ? agents : 5);
    cor_lists_init(&lists);
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t block[AGENTS_MAX];
        size_t count = 0;
        for (uint32_t i = 0; i < agents; i++) {
            const bool once = i % blocks == b;
            const bool more = !cor_structure_nests(kind) && cor_rng_below(rng, 3) == 0;
            if (once || more)
                block[count++] = i;
        }
        assert_int_equal(cor_lists_put(&lists, block, count, NULL), COR_OK);
        if (cor_structure_nests(kind) && b > 0)
            assert_int_equal(cor_lists_hang(&lists, b, cor_rng_below(rng, b), NULL), COR_OK);
    }
    return lists;
}

static void adopt_some(struct cor_rng *rng, struct cor_adopter *adopter, struct cor_state *state,
                       struct cor_state *copy, uint64_t identity) {
    const struct cor_stream_name name = {.seed = 8, .identity = identity};
    const uint32_t agents = state->configuration->agent_count;
    struct cor_lists solution, wanted;
    struct cor_move moves[MOVES_MAX];
    const size_t move_count = cor_rng_below(rng, MOVES_MAX);
    const bool has_moves = cor_rng_below(rng, 3) == 0, is_watched = identity % 2 == 0;
    struct cor_adoption_report report;
    cor_lists_init(&solution);
    cor_lists_init(&wanted);
    draw_solution(rng, agents, &solution);
    for (size_t i = 0; i < move_count; i++)
        moves[i] = (struct cor_move){any_agent(rng, agents), any_agent(rng, solution.block_count + 1)};
    model_adopt(state, &solution, has_moves ? moves : NULL, move_count, &name);
    if (is_watched)
        cor_adopter_watch(adopter, note_shown, shown);
    assert_int_equal(
        cor_adopt(adopter, state, &solution, has_moves ? moves : NULL, move_count, &name, &report, NULL),
        COR_OK);
    cor_adopter_watch(adopter, NULL, NULL);
    if (is_watched)
        check_shown();
    while (table_count > 0)
        free(tables[--table_count]);
    shown_count = 0;
    model_remains();
    model_lists(&wanted);
    check_lists(state, &wanted);
    assert_int_equal(report.corrupted, m.corrupted);
    assert_int_equal(report.moved, model_moved());
    const uint64_t before = cor_state_hash(copy);
    assert_int_equal(cor_state_copy(copy, state, NULL), COR_OK);
    assert_true(cor_state_hash(copy) == cor_state_hash(state));
    check_lists(copy, &wanted);
    assert_true(wanted.block_count == 0 || report.moved == 0 || before != cor_state_hash(copy));
    cor_lists_fini(&solution);
    cor_lists_fini(&wanted);
}

static void any_solution_is_adopted_as_the_model_says(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 53});
    uint64_t identity = 0;
    for (int i = 0; i < 400; i++) {
        const enum cor_structure_kind kind =
            (enum cor_structure_kind)(COR_STRUCTURE_COVERING + i % (COR_STRUCTURE_ADOPTED - 1));
        const uint32_t agents = 1 + cor_rng_below(&rng, AGENTS_MAX);
        struct cor_configuration *c = configuration_of(kind, agents, draw_initial(&rng, kind, agents));
        c->adoption.fault = (enum cor_adoption_fault)(COR_ADOPTION_FAULT_NONE + i / 4 % 5);
        c->adoption.probability = 0.3;
        struct cor_configuration *same = NULL;
        assert_int_equal(cor_configuration_copy(c, &same, NULL), COR_OK);
        assert_true(cor_configuration_hash(same) == cor_configuration_hash(c));
        struct cor_state *state = sample_state(same), *copy = sample_state(same);
        struct cor_adopter *adopter = NULL;
        assert_int_equal(cor_adopter_create(AGENTS_MAX, &adopter, NULL), COR_OK);
        check_lists(state, &c->initial_organizations);
        for (int k = 0; k < 20; k++)
            adopt_some(&rng, adopter, state, copy, identity++);
        cor_state_restart(state, state->environment);
        check_lists(state, &c->initial_organizations);
        cor_adopter_destroy(adopter);
        cor_state_destroy(state);
        cor_state_destroy(copy);
        cor_configuration_destroy(same);
        cor_configuration_destroy(c);
    }
    for (size_t k = 0; k < LOOKS_MAX; k++)
        cor_lists_fini(&shown[k]);
}

/* Values are perceived, and the sums of organizations that share agents follow. */
static void sums_of_coverings_follow_the_values(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 54});
    for (int i = 0; i < 50; i++) {
        struct cor_configuration *c = sample_configuration(&rng, AGENTS_MAX, true);
        c->kind = COR_STRUCTURE_COVERING;
        c->initial_organizations = draw_initial(&rng, c->kind, AGENTS_MAX);
        c->initial_partitions = c->initial_organizations.block_count;
        struct cor_state *state = sample_state(c);
        uint8_t environment[8];
        for (uint64_t k = 1; k < 30; k++) {
            sample_environment(&rng, c, environment);
            cor_state_perceive(state, environment, &(struct cor_stream_name){.identity = k});
            check_lists(state, &c->initial_organizations);
        }
        cor_state_destroy(state);
        cor_configuration_destroy(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coverings_are_adopted_as_by_hand),
        cmocka_unit_test(who_is_not_named_leaves_where_that_is_allowed),
        cmocka_unit_test(hierarchies_are_hung_as_by_hand),
        cmocka_unit_test(what_remains_of_a_tree_hangs_below_the_new_root),
        cmocka_unit_test(any_solution_is_adopted_as_the_model_says),
        cmocka_unit_test(sums_of_coverings_follow_the_values),
    };
    return cmocka_run_group_tests_name("adoption_kinds", tests, NULL, NULL);
}
