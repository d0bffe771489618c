/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adoption of solutions that are right, wrong and absurd, by a system without faults: the structure stays a
 * partition of all agents (003, 6), and is the one that moving agent after agent gives. */
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/array.h>
#include <corridor/state.h>

#include <stdlib.h>
#include <string.h>

/* One agent per entry, blocks ended by '|': "0 1|2|" */
static struct cor_lists lists_of(const char *text) {
    struct cor_lists lists;
    uint32_t block[64];
    size_t count = 0;
    cor_lists_init(&lists);
    while (*text) {
        if (*text == '|') {
            assert_int_equal(cor_lists_put(&lists, block, count, NULL), COR_OK);
            count = 0;
            text++;
        } else {
            char *end;
            block[count++] = (uint32_t)strtoul(text, &end, 10);
            text = end;
        }
        text += *text == ' ';
    }
    return lists;
}

static void check_lists(const struct cor_state *state, const char *expected) {
    struct cor_lists found, wanted = lists_of(expected);
    cor_lists_init(&found);
    assert_int_equal(cor_state_lists(state, &found, NULL), COR_OK);
    assert_int_equal(found.block_count, wanted.block_count);
    assert_int_equal(found.member_count, wanted.member_count);
    assert_memory_equal(found.start, wanted.start, (wanted.block_count + 1) * sizeof *wanted.start);
    assert_memory_equal(found.members, wanted.members, wanted.member_count * sizeof *wanted.members);
    cor_lists_fini(&found);
    cor_lists_fini(&wanted);
}

static struct cor_adoption_report adopt(struct cor_state *state, const struct cor_lists *solution,
                                        const struct cor_move *moves, size_t move_count) {
    struct cor_adopter *adopter = NULL;
    struct cor_adoption_report report = {77, 77, 77, 77, 77};
    assert_int_equal(cor_adopter_create(state->configuration->agent_count, &adopter, NULL), COR_OK);
    assert_int_equal(
        cor_adopt(adopter, state, solution, moves, move_count, &(struct cor_stream_name){0}, &report, NULL),
        COR_OK);
    cor_adopter_destroy(adopter);
    return report;
}

/* Adopts `solution` from the structure 0 3 | 1 4 | 2 5. */
static void check(const char *solution, const char *expected, uint32_t moved) {
    struct cor_configuration *c = sample_plain(6, 3);
    struct cor_state *state = sample_state(c);
    struct cor_lists lists = lists_of(solution);
    struct cor_adoption_report report = adopt(state, &lists, NULL, 0);
    check_lists(state, expected);
    sample_assert_partitioning(state);
    assert_int_equal(report.moved, moved);
    assert_int_equal(report.corrupted, 0);
    cor_lists_fini(&lists);
    cor_state_destroy(state);
    cor_configuration_destroy(c);
}

static void solutions_are_adopted_as_by_hand(void **unused) {
    (void)unused;
    check("0 3|1 4|2 5|", "0 3|1 4|2 5|", 0);
    check("2 5|0 3|1 4|", "2 5|0 3|1 4|", 0); /* partitions are in the solution's order */
    check("5 4 3|2 1 0|", "3 4 5|0 1 2|", 3);
    check("0 1 2 3 4 5|", "0 1 2 3 4 5|", 0); /* merged: nobody has left the others */
    check("0|1|2|3|4|5|", "0|1|2|3|4|5|", 3);
    check("", "0 3|1 4|2 5|", 0);
}

static void nonsense_is_adopted_as_by_hand(void **unused) {
    (void)unused;
    check("0 1|", "0 1|3|4|2 5|", 2);             /* missing agents stay; remainders follow */
    check("0 1|2 0|", "1|0 2|3|4|5|", 3);         /* listed twice: ends in the later block */
    check("0 0 0|", "0|3|1 4|2 5|", 1);           /* listed twice in one */
    check("|0 3||1 4||2 5|", "0 3|1 4|2 5|", 0);  /* empty blocks dissolve */
    check("0|0|0 3|", "0 3|1 4|2 5|", 0);         /* as do those that lose their last agent */
    check("6 99 4294967295|", "0 3|1 4|2 5|", 0); /* nobody knows these agents */
    check("3 99 0|4294967295 2|", "0 3|2|1 4|5|", 1);
}

static void moves_count_and_the_blocks_listed_do_not(void **unused) {
    (void)unused;
    static const struct cor_move moves[] = {{0, 1}, {1, 0}, {0, 0}, {9, 0}, {2, 7}, {5, 4294967295u}};
    struct cor_configuration *c = sample_plain(6, 3);
    struct cor_state *state = sample_state(c);
    struct cor_lists solution = lists_of("2 3|4 5|");
    adopt(state, &solution, moves, 6); /* the moves count, not what the blocks list */
    check_lists(state, "0 1|3|4|2 5|");
    adopt(state, &solution, moves, 0);
    check_lists(state, "0 1|3|4|2 5|");
    cor_lists_fini(&solution);
    cor_state_destroy(state);
    cor_configuration_destroy(c);
}

enum { AGENTS_MAX = 24, SOLUTION_MAX = 40, OLD = 1000000 };

/* Where each agent is afterwards: in block b of the solution (b), or still in old partition p (OLD + p). */
static void naive_place(const struct cor_state *state, const struct cor_lists *solution,
                        const struct cor_move *moves, size_t move_count, uint32_t *place) {
    uint32_t agents = state->configuration->agent_count;
    for (uint32_t i = 0; i < agents; i++)
        place[i] = OLD + state->structure.partition[i];
    for (uint32_t b = 0; !moves && b < solution->block_count; b++)
        for (uint32_t m = 0; m < cor_lists_size(solution, b); m++)
            if (cor_lists_block(solution, b)[m] < agents)
                place[cor_lists_block(solution, b)[m]] = b;
    for (size_t m = 0; moves && m < move_count; m++)
        if (moves[m].agent < agents && moves[m].block < solution->block_count)
            place[moves[m].agent] = moves[m].block;
}

/* The rank of each agent's place among all places that are taken. */
static void naive_partition(const uint32_t *place, uint32_t agents, uint32_t *partition) {
    for (uint32_t i = 0; i < agents; i++) {
        partition[i] = 0;
        for (uint32_t j = 0; j < agents; j++) {
            bool first = true;
            for (uint32_t k = 0; k < j; k++)
                first &= place[k] != place[j];
            partition[i] += first && place[j] < place[i];
        }
    }
}

/* For each old partition, its size less its largest overlap with any new one. */
static uint32_t naive_moved(const uint32_t *before, const uint32_t *after, uint32_t agents) {
    uint32_t moved = 0;
    for (uint32_t p = 0; p < agents; p++) {
        uint32_t size = 0, most = 0;
        for (uint32_t q = 0; q < agents; q++) {
            uint32_t overlap = 0;
            for (uint32_t i = 0; i < agents; i++)
                overlap += before[i] == p && after[i] == q;
            size += overlap;
            most = overlap > most ? overlap : most;
        }
        moved += size - most;
    }
    return moved;
}

/* Any number of agents: known, unknown, absurd. */
static uint32_t any_agent(struct cor_rng *rng, uint32_t agents) {
    uint32_t kind = cor_rng_below(rng, 10), agent = cor_rng_below(rng, agents + 3);
    return kind == 0 ? UINT32_MAX - agent : agent;
}

static void fill_nonsense(struct cor_rng *rng, uint32_t agents, struct cor_lists *solution) {
    uint32_t blocks = cor_rng_below(rng, 9), block[10];
    cor_lists_clear(solution);
    if (cor_rng_below(rng, 40) == 0)
        blocks = 3000; /* many more than agents */
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t count = cor_rng_below(rng, blocks > 10 ? 2 : 10);
        for (uint32_t m = 0; m < count; m++)
            block[m] = any_agent(rng, agents);
        assert_int_equal(cor_lists_put(solution, block, count, NULL), COR_OK);
    }
}

static size_t fill_moves(struct cor_rng *rng, uint32_t agents, uint32_t blocks, struct cor_move *moves) {
    size_t count = cor_rng_below(rng, SOLUTION_MAX);
    for (size_t i = 0; i < count; i++) {
        moves[i].agent = any_agent(rng, agents);
        moves[i].block = any_agent(rng, blocks + 1);
    }
    return count;
}

/* One adoption, whose outcome is the model's to the last number. */
static void step(struct cor_rng *rng, struct cor_adopter *adopter, struct cor_state *state,
                 struct cor_lists *solution) {
    uint32_t agents = state->configuration->agent_count;
    uint32_t before[AGENTS_MAX], place[AGENTS_MAX], after[AGENTS_MAX];
    struct cor_move some_moves[SOLUTION_MAX], *moves = NULL;
    struct cor_adoption_report report;
    size_t move_count = 0;
    fill_nonsense(rng, agents, solution);
    if (cor_rng_below(rng, 2) == 0) {
        moves = some_moves;
        move_count = fill_moves(rng, agents, solution->block_count, moves);
    }
    memcpy(before, state->structure.partition, agents * sizeof *before);
    naive_place(state, solution, moves, move_count, place);
    naive_partition(place, agents, after);
    assert_int_equal(cor_adopt(adopter, state, solution, moves, move_count,
                               &(struct cor_stream_name){.seed = 1}, &report, NULL),
                     COR_OK);
    sample_assert_partitioning(state);
    assert_memory_equal(state->structure.partition, after, agents * sizeof *after);
    assert_int_equal(report.moved, naive_moved(before, after, agents));
    assert_int_equal(report.corrupted, 0);
}

static void any_solution_is_adopted_as_the_model_says(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 51});
    struct cor_lists solution;
    cor_lists_init(&solution);
    for (int i = 0; i < 60; i++) {
        struct cor_configuration *c = sample_configuration(&rng, 1 + cor_rng_below(&rng, AGENTS_MAX), false);
        struct cor_state *state = sample_state(c);
        struct cor_adopter *adopter = NULL;
        assert_int_equal(cor_adopter_create(AGENTS_MAX, &adopter, NULL), COR_OK);
        for (int k = 0; k < 30; k++)
            step(&rng, adopter, state, &solution);
        cor_adopter_destroy(adopter);
        cor_state_destroy(state);
        cor_configuration_destroy(c);
    }
    cor_lists_fini(&solution);
}

/* The agents' own order within a block and among blocks is all the same to what is together with what. */
static void a_partitioning_is_adopted_as_it_is(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 52});
    for (int i = 0; i < 100; i++) {
        struct cor_configuration *c = sample_configuration(&rng, 20, false);
        struct cor_configuration *goal = sample_configuration(&rng, 20, false);
        struct cor_state *state = sample_state(c), *wanted = sample_state(goal);
        struct cor_lists solution;
        cor_lists_init(&solution);
        assert_int_equal(cor_state_lists(wanted, &solution, NULL), COR_OK);
        for (uint32_t b = 0; b < solution.block_count; b++)
            cor_rng_shuffle(&rng, solution.members + solution.start[b], cor_lists_size(&solution, b));
        adopt(state, &solution, NULL, 0);
        assert_int_equal(state->structure.partition_count, wanted->structure.partition_count);
        assert_memory_equal(state->structure.partition, wanted->structure.partition, 20 * sizeof(uint32_t));
        struct cor_adoption_report again = adopt(state, &solution, NULL, 0);
        assert_int_equal(again.moved, 0);
        cor_lists_fini(&solution);
        cor_state_destroy(wanted);
        cor_state_destroy(state);
        cor_configuration_destroy(goal);
        cor_configuration_destroy(c);
    }
}

static void a_huge_number_of_blocks_is_adopted(void **unused) {
    (void)unused;
    enum { BLOCKS = 200000 };
    struct cor_configuration *c = sample_plain(6, 3);
    struct cor_state *state = sample_state(c);
    struct cor_lists solution;
    cor_lists_init(&solution);
    for (uint32_t b = 0; b < BLOCKS; b++) {
        uint32_t agent = b == BLOCKS - 1 ? 4 : 9;
        assert_int_equal(cor_lists_put(&solution, &agent, b % 2, NULL), COR_OK);
    }
    adopt(state, &solution, NULL, 0);
    check_lists(state, "4|0 3|1|2 5|");
    sample_assert_partitioning(state);
    adopt(state, &solution, NULL, 0); /* the room is there now */
    check_lists(state, "4|0 3|1|2 5|");
    cor_lists_fini(&solution);
    cor_state_destroy(state);
    cor_configuration_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_adopted_as_by_hand),
        cmocka_unit_test(nonsense_is_adopted_as_by_hand),
        cmocka_unit_test(moves_count_and_the_blocks_listed_do_not),
        cmocka_unit_test(any_solution_is_adopted_as_the_model_says),
        cmocka_unit_test(a_partitioning_is_adopted_as_it_is),
        cmocka_unit_test(a_huge_number_of_blocks_is_adopted),
    };
    return cmocka_run_group_tests_name("adoption", tests, NULL, NULL);
}
